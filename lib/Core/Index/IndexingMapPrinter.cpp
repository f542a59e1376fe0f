//===- IndexingMapPrinter.cpp - Writing the text form of maps -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms have no `mod`, but readers expect it. The printer looks for the way to
// write a form with the fewest divisions (then the fewest terms). A *plan* is
// one of
//
//   linear   term by term;
//   digit    x = k*(y mod r) + rest, from an atom q = ⌊y/r⌋ with coefficient
//            -k*r. Either y is q's own body, or y is made of the other terms
//            and dividing it by r in the arena gives q back, which also undoes
//            merged and narrowed divisions: ⌊d0/42⌋ - 1575*⌊d0/66150⌋ is
//            (d0 floordiv 42) mod 1575;
//   absorb   c*⌊B/m⌋ + c*k*q + rest = c*⌊(B + m*k*q)/m⌋ + rest, which joins a
//            digit again that step 1 of the division split;
//   extreme  c*[f]+ + c*h + rest = c*max(h + f, h) + rest; min for -c.
//
// Every candidate is an equation that the arena has confirmed, so printing and
// parsing again yields the same form. Plans are memoised, and their number is
// limited: past the limit forms are written linearly.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapStorage.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>
#include <vector>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using mlir::tensoraccess::detail::MapStorage;

namespace {

/// Plans made for one map, and how deep one plan may build on others.
constexpr unsigned kMaxPlans = 1024;
constexpr unsigned kMaxPlanDepth = 24;
/// Candidates tried for one map.
constexpr unsigned kMaxCandidates = 1u << 11;
/// Divisions weigh more than any number of terms.
constexpr unsigned kDivisionCost = 1024;

/// One summand of the text: coefficient * text.
struct Piece {
  int64_t coefficient;
  std::string text;
  /// `text` is a name or a call and needs no parentheses in a product.
  bool isAtomic;
};

enum class PlanKind : uint8_t { Linear, Digit, Absorb, Extreme };

struct Plan {
  PlanKind kind = PlanKind::Linear;
  unsigned cost = 0;
  /// Digit: scale*(inner mod divisor). Absorb: scale*⌊inner/divisor⌋.
  /// Extreme: scale*max(inner, other), or min if `isMin`.
  int64_t scale = 1, divisor = 0;
  bool isMin = false;
  Form inner, other, rest;
};

class Printer {
public:
  explicit Printer(const MapStorage &map) : map(map), arena(map.arena) {}

  std::string print();
  std::string print(FormRef form) { return text(form); }
  MapSize measure();

private:
  //===--- planning -------------------------------------------------------===//
  unsigned costOf(FormRef x) { return planFor(x).cost; }
  unsigned costOfAtom(AtomId id);
  const Plan &planFor(FormRef x);
  Plan makePlan(const Form &x);
  void considerDigits(const Form &x, const Term &q, Plan &best);
  void considerDigit(const Form &x, AtomId q, int64_t k, Form y, int64_t r,
                     Plan &best);
  void considerAbsorb(const Form &x, const Term &p, Plan &best);
  void considerExtreme(const Form &x, const Term &p, Plan &best);
  /// Forgets a failure of speculative arithmetic; true if there was one.
  bool gaveUp() {
    bool failed = arena.failed();
    arena.clearFailure();
    return failed;
  }

  //===--- text -----------------------------------------------------------===//
  void collect(FormRef x, SmallVectorImpl<Piece> &pieces, int64_t &constant);
  Piece pieceForAtom(AtomId id);
  static std::string join(ArrayRef<Piece> pieces, int64_t constant);
  std::string text(FormRef x);
  std::string operand(FormRef x);
  /// An end of an interval; `inf` only where it means no bound.
  static std::string lowerText(int64_t end) {
    return end == Interval::kNoLower ? "-inf" : std::to_string(end);
  }
  static std::string upperText(int64_t end) {
    return end == Interval::kNoUpper ? "inf" : std::to_string(end);
  }
  void findBounds();

  const MapStorage &map;
  FormArena arena;
  struct Entry {
    uint64_t hash;
    Form form;
    Plan plan;
  };
  std::vector<std::unique_ptr<Entry>> memo;
  llvm::DenseMap<uint64_t, SmallVector<unsigned, 1>> memoTable;
  unsigned depth = 0, candidates = 0;

  /// Bounds over runtime variables, and the constraints they came from.
  SmallVector<std::optional<Form>, 8> lowerBounds, upperBounds;
  llvm::BitVector isBound;
};

} // namespace

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

unsigned Printer::costOfAtom(AtomId id) {
  if (arena.isVariable(id))
    return 1;
  const Atom a = arena.getAtom(id);
  Form body(arena.body(id));
  switch (a.kind) {
  case AtomKind::FloorDiv:
    return kDivisionCost + 1 + costOf(body);
  case AtomKind::PositivePart:
    return 2 + costOf(body);
  default:
    return costOfAtom(body.terms[0].atom) + costOfAtom(body.terms[1].atom);
  }
}

const Plan &Printer::planFor(FormRef x) {
  const uint64_t hash = hashForm(x);
  for (unsigned i : memoTable[hash])
    if (FormRef(memo[i]->form) == x)
      return memo[i]->plan;
  auto entry = std::make_unique<Entry>();
  entry->hash = hash;
  entry->form = Form(x);
  ++depth;
  entry->plan = makePlan(entry->form);
  --depth;
  memoTable[hash].push_back(memo.size());
  memo.push_back(std::move(entry));
  return memo.back()->plan;
}

Plan Printer::makePlan(const Form &x) {
  Plan best;
  best.cost = x.constant != 0 || x.terms.empty();
  bool hasDivision = false, hasExtreme = false;
  for (const Term &t : x.terms) {
    best.cost += costOfAtom(t.atom);
    hasDivision |= arena.getAtom(t.atom).kind == AtomKind::FloorDiv;
    hasExtreme |= arena.getAtom(t.atom).kind == AtomKind::PositivePart;
  }
  // -2^63 has no negative; forms that hold it are written as they are.
  const bool isExtremal = x.constant == Interval::kNoLower ||
                          llvm::any_of(x.terms, [](const Term &t) {
                            return t.coefficient == Interval::kNoLower;
                          });
  if ((!hasDivision && !hasExtreme) || isExtremal || memo.size() > kMaxPlans ||
      depth > kMaxPlanDepth || candidates > kMaxCandidates)
    return best;
  // Digits first: of two plans of equal cost, readers prefer them.
  auto forAtoms = [&](AtomKind kind, auto consider) {
    for (const Term &t : x.terms)
      if (arena.getAtom(t.atom).kind == kind)
        (this->*consider)(x, t, best);
  };
  if (x.terms.size() > 1) {
    forAtoms(AtomKind::FloorDiv, &Printer::considerDigits);
    forAtoms(AtomKind::FloorDiv, &Printer::considerAbsorb);
  }
  forAtoms(AtomKind::PositivePart, &Printer::considerExtreme);
  return best;
}

void Printer::considerDigit(const Form &x, AtomId q, int64_t k, Form y,
                            int64_t r, Plan &best) {
  // rest = x - k*(y - r*q); it must be smaller than x and free of q.
  ++candidates;
  Form digit = arena.addScaled(y, Form::ofAtom(q), -r);
  if (arena.floorDiv(y, r) != Form::ofAtom(q))
    return;
  Form rest = arena.addScaled(x, digit, -k);
  if (gaveUp() || rest.terms.size() >= x.terms.size() ||
      llvm::any_of(rest.terms, [&](const Term &t) { return t.atom == q; }))
    return;
  unsigned cost = kDivisionCost + 1 + costOf(y);
  if (cost > best.cost)
    return;
  if (!rest.isConstant() || rest.constant != 0)
    cost += costOf(rest);
  // Of a digit and a difference of equal cost, readers prefer the digit.
  if (cost > best.cost || (cost == best.cost && best.kind != PlanKind::Linear))
    return;
  best.kind = PlanKind::Digit;
  best.cost = cost;
  best.scale = k;
  best.divisor = r;
  best.inner = std::move(y);
  best.rest = std::move(rest);
}

void Printer::considerDigits(const Form &x, const Term &q, Plan &best) {
  const int64_t c = q.coefficient;
  // y is q's own body.
  const int64_t m = arena.getAtom(q.atom).divisor;
  if (c % m == 0)
    considerDigit(x, q.atom, -(c / m), Form(arena.body(q.atom)), m, best);

  // y is made of the other terms.
  SmallVector<int64_t, 8> scales = {1};
  for (const Term &t : x.terms)
    if (t.atom != q.atom) {
      int64_t g = std::abs(t.coefficient);
      if (c % g == 0 && !llvm::is_contained(scales, g))
        scales.push_back(g);
    }
  for (int64_t g : scales) {
    const int64_t k = c > 0 ? -g : g, r = -(c / k);
    if (r < 2)
      continue;
    Form y;
    for (const Term &t : x.terms)
      if (t.atom != q.atom && t.coefficient % g == 0)
        y.terms.push_back({t.atom, t.coefficient / k});
    if (y.terms.empty())
      continue;
    // The constant inside of the digit is free up to multiples of r; it shows
    // in x if k divides x's, and otherwise is at an end of its range.
    SmallVector<int64_t, 3> constants = {0};
    if (x.constant != 0 && x.constant % k == 0)
      constants.insert(constants.begin(), floorModPositive(x.constant / k, r));
    constants.push_back(r - 1);
    for (int64_t constant : constants) {
      y.constant = constant;
      ++candidates;
      Form d = arena.floorDiv(y, r);
      Form others = arena.sub(d, Form::ofAtom(q.atom));
      if (gaveUp() || !llvm::any_of(d.terms, [&](const Term &t) {
            return t.atom == q.atom && t.coefficient == 1;
          }))
        continue;
      // ⌊(y - r*others)/r⌋ = q: integers leave the division.
      Form inner = arena.addScaled(y, others, -r);
      if (gaveUp() || inner.terms.size() > y.terms.size())
        continue;
      considerDigit(x, q.atom, k, inner, r, best);
      break;
    }
  }
}

void Printer::considerAbsorb(const Form &x, const Term &p, Plan &best) {
  const int64_t c = p.coefficient, m = arena.getAtom(p.atom).divisor;
  // Absorb the divisions only, or everything that fits.
  for (bool divisionsOnly : {true, false}) {
    ++candidates;
    Form absorbed, rest(x.constant);
    bool hasDivision = false;
    for (const Term &t : x.terms) {
      if (t.atom == p.atom)
        continue;
      bool isDivision = arena.getAtom(t.atom).kind == AtomKind::FloorDiv;
      if (t.coefficient % c == 0 && (isDivision || !divisionsOnly)) {
        absorbed.terms.push_back({t.atom, t.coefficient / c});
        hasDivision |= isDivision;
      } else {
        rest.terms.push_back(t);
      }
    }
    if (!hasDivision)
      return;
    Form body(arena.body(p.atom));
    Form inner = arena.addScaled(body, absorbed, m);
    Form whole = arena.floorDiv(inner, m);
    if (gaveUp() || whole != arena.add(Form::ofAtom(p.atom), absorbed))
      continue;
    unsigned cost = kDivisionCost + 1 + costOf(inner);
    if (!rest.isConstant() || rest.constant != 0)
      cost += costOf(rest);
    if (cost >= best.cost)
      continue;
    best.kind = PlanKind::Absorb;
    best.cost = cost;
    best.scale = c;
    best.divisor = m;
    best.inner = std::move(inner);
    best.rest = std::move(rest);
  }
}

void Printer::considerExtreme(const Form &x, const Term &p, Plan &best) {
  const int64_t c = p.coefficient;
  const int64_t scale = std::abs(c);
  const bool isMin = c < 0;
  Form f(arena.body(p.atom));
  // h: nothing; everything that `scale` divides; what f would cancel.
  for (unsigned choice = 0; choice != 3; ++choice) {
    ++candidates;
    Form h, rest;
    if (choice == 1 && x.constant % scale == 0)
      h.constant = x.constant / scale;
    else
      rest.constant = x.constant;
    for (const Term &t : x.terms) {
      if (t.atom == p.atom)
        continue;
      bool take = choice != 0 && t.coefficient % scale == 0;
      if (take && choice == 2) {
        const int64_t cancels =
            isMin ? t.coefficient / scale : -(t.coefficient / scale);
        take = llvm::is_contained(f.terms, Term{t.atom, cancels});
      }
      if (take)
        h.terms.push_back({t.atom, t.coefficient / scale});
      else
        rest.terms.push_back(t);
    }
    if (choice == 2 && h.terms.empty())
      continue;
    // h + [f]+ = max(h + f, h); h - [f]+ = min(h - f, h).
    Form other = arena.addScaled(h, f, isMin ? -1 : 1);
    const Form whole = arena.addScaled(h, Form::ofAtom(p.atom), isMin ? -1 : 1);
    auto gives = [&](const Form &a, const Form &b) {
      return (isMin ? arena.min(a, b) : arena.max(a, b)) == whole;
    };
    // Operands that begin with a division may be read in one order only.
    const bool isRead = gives(other, h) && !gaveUp();
    const bool isReadSwapped = gives(h, other) && !gaveUp();
    if (!isRead && !isReadSwapped)
      continue;
    unsigned cost = 1 + costOf(other) + costOf(h);
    if (!rest.isConstant() || rest.constant != 0)
      cost += costOf(rest);
    if (cost > best.cost ||
        (cost == best.cost && best.kind != PlanKind::Linear))
      continue;
    best.kind = PlanKind::Extreme;
    best.cost = cost;
    best.scale = scale;
    best.isMin = isMin;
    // Constants last, as in min(d0, 4), if that is read as the same form.
    const bool swap = isReadSwapped &&
                      (!isRead || (!h.isConstant() &&
                                   (other.isConstant() || formLess(h, other))));
    best.inner = swap ? h : other;
    best.other = swap ? other : h;
    best.rest = std::move(rest);
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string Printer::operand(FormRef x) {
  SmallVector<Piece, 4> pieces;
  int64_t constant = 0;
  collect(x, pieces, constant);
  std::string s = join(pieces, constant);
  const bool isAtomic =
      constant == 0 && pieces.size() == 1 && pieces[0].isAtomic &&
      (pieces[0].coefficient == 1 || pieces[0].coefficient == -1);
  return isAtomic ? s : "(" + s + ")";
}

Piece Printer::pieceForAtom(AtomId id) {
  if (arena.isVariable(id))
    return {1, map.getName(id), true};
  const Atom a = arena.getAtom(id);
  Form body(arena.body(id));
  switch (a.kind) {
  case AtomKind::FloorDiv:
    return {1, operand(body) + " floordiv " + std::to_string(a.divisor), false};
  case AtomKind::PositivePart:
    return {1, "max(" + text(body) + ", 0)", true};
  default: {
    std::string s;
    for (const Term &t : body.terms) {
      Piece factor = pieceForAtom(t.atom);
      s += s.empty() ? "" : " * ";
      s += factor.isAtomic ? factor.text : "(" + factor.text + ")";
    }
    return {1, s, false};
  }
  }
}

/// Appends the summands of x. Only the linear plan at the end of the chain of
/// rests has a constant.
void Printer::collect(FormRef x, SmallVectorImpl<Piece> &pieces,
                      int64_t &constant) {
  const Plan plan = planFor(x);
  if (plan.kind == PlanKind::Linear) {
    for (const Term &t : x.terms) {
      Piece piece = pieceForAtom(t.atom);
      piece.coefficient = t.coefficient;
      pieces.push_back(std::move(piece));
    }
    constant = x.constant;
    return;
  }
  Piece piece{plan.scale, "", false};
  switch (plan.kind) {
  case PlanKind::Digit:
    piece.text = operand(plan.inner) + " mod " + std::to_string(plan.divisor);
    break;
  case PlanKind::Absorb:
    piece.text =
        operand(plan.inner) + " floordiv " + std::to_string(plan.divisor);
    break;
  default:
    piece.text = std::string(plan.isMin ? "min(" : "max(") + text(plan.inner) +
                 ", " + text(plan.other) + ")";
    piece.isAtomic = true;
  }
  // Variables come first, so that the text begins with what is simplest.
  collect(plan.rest, pieces, constant);
  pieces.push_back(std::move(piece));
}

std::string Printer::join(ArrayRef<Piece> pieces, int64_t constant) {
  std::string s;
  for (const Piece &p : pieces) {
    int64_t k = p.coefficient;
    const bool isNegative = k < 0 && k != Interval::kNoLower;
    if (s.empty()) {
      if (k == 1) {
        s = p.text;
        continue;
      }
      const std::string factor = p.isAtomic ? p.text : "(" + p.text + ")";
      s = k == -1 ? "-" + factor : factor + " * " + std::to_string(k);
      continue;
    }
    s += isNegative ? " - " : " + ";
    if (isNegative)
      k = -k;
    if (k == 1)
      s += p.text;
    else
      s += (p.isAtomic ? p.text : "(" + p.text + ")") + " * " +
           std::to_string(k);
  }
  if (s.empty())
    return std::to_string(constant);
  if (constant > 0 || constant == Interval::kNoLower)
    s += " + " + std::to_string(constant);
  else if (constant < 0)
    s += " - " + std::to_string(-constant);
  return s;
}

std::string Printer::text(FormRef x) {
  SmallVector<Piece, 4> pieces;
  int64_t constant = 0;
  collect(x, pieces, constant);
  return join(pieces, constant);
}

/// A constraint v - g in [a, b], with v a dim or symbol and g over runtime
/// variables, is printed as the bounds g + a and g + b of v where these agree
/// with v's range: then the parser makes the same range and constraint of them.
void Printer::findBounds() {
  const unsigned n = map.getNumVariables();
  const unsigned firstRuntime = map.numDims + map.numSymbols;
  lowerBounds.resize(n);
  upperBounds.resize(n);
  isBound.resize(map.constraints.size());
  for (unsigned i = 0, e = map.constraints.size(); i != e; ++i) {
    const Constraint &c = map.constraints[i];
    const Term &first = c.form.terms[0];
    if (first.atom >= firstRuntime || first.coefficient != 1 ||
        c.form.terms.size() < 2)
      continue;
    Form g = arena.sub(Form::ofAtom(first.atom), c.form);
    SmallVector<char, 32> used;
    arena.markUsed(g, used);
    if (gaveUp() ||
        llvm::is_contained(ArrayRef<char>(used).take_front(firstRuntime), 1))
      continue;
    const Interval &range = map.ranges[first.atom];
    std::optional<Form> lower, upper;
    bool agrees = true;
    if (c.interval.hasLower()) {
      lower = arena.add(g, Form(c.interval.lower));
      agrees &=
          !lowerBounds[first.atom] && arena.range(*lower).lower == range.lower;
    }
    if (c.interval.hasUpper()) {
      upper = arena.add(g, Form(c.interval.upper));
      agrees &=
          !upperBounds[first.atom] && arena.range(*upper).upper == range.upper;
    }
    if (gaveUp() || !agrees)
      continue;
    isBound.set(i);
    if (lower)
      lowerBounds[first.atom] = lower;
    if (upper)
      upperBounds[first.atom] = upper;
  }
}

std::string Printer::print() {
  if (map.state == MapState::Unknown)
    return "unknown";
  findBounds();
  std::string s = map.state == MapState::KnownEmpty ? "empty " : "";
  auto names = [&](char open, char close, unsigned begin, unsigned count) {
    s += open;
    for (unsigned i = begin; i != begin + count; ++i)
      s += (i == begin ? "" : ", ") + map.getName(i);
    s += close;
  };
  names('(', ')', 0, map.numDims);
  if (map.numSymbols)
    names('[', ']', map.numDims, map.numSymbols);
  if (map.numRuntime)
    names('{', '}', map.numDims + map.numSymbols, map.numRuntime);
  s += " -> (";
  for (const Form &f : map.results)
    s += (&f == map.results.begin() ? "" : ", ") + text(f);
  s += ")";

  const bool isUnbounded =
      map.constraints.empty() && llvm::all_of(map.ranges, [](Interval range) {
        return range == Interval::all();
      });
  if (isUnbounded)
    return s;
  s += ", domain: ";
  for (unsigned i = 0, e = map.getNumVariables(); i != e; ++i) {
    s += (i ? ", " : "") + map.getName(i) + " in [";
    s +=
        lowerBounds[i] ? text(*lowerBounds[i]) : lowerText(map.ranges[i].lower);
    s += ", ";
    s +=
        upperBounds[i] ? text(*upperBounds[i]) : upperText(map.ranges[i].upper);
    s += "]";
  }
  for (unsigned i = 0, e = map.constraints.size(); i != e; ++i) {
    if (isBound[i])
      continue;
    const Constraint &c = map.constraints[i];
    SmallVector<Piece, 4> pieces;
    int64_t constant = 0;
    collect(c.form, pieces, constant);
    // A digit may have brought a constant; it belongs into the interval.
    auto shift = [&](int64_t end, int64_t none) -> std::optional<int64_t> {
      return end == none ? end : checkedSub(end, constant);
    };
    std::optional<int64_t> lower = shift(c.interval.lower, Interval::kNoLower);
    std::optional<int64_t> upper = shift(c.interval.upper, Interval::kNoUpper);
    Interval interval = c.interval;
    if (lower && upper) {
      interval = {*lower, *upper};
      constant = 0;
    }
    s += ", " + join(pieces, constant) + " in [" + lowerText(interval.lower) +
         ", " + upperText(interval.upper) + "]";
  }
  return s;
}

MapSize Printer::measure() {
  MapSize size;
  if (map.state == MapState::Unknown)
    return size;
  findBounds();
  for (const Form &f : map.results)
    size.divisions += costOf(f) / kDivisionCost;
  for (unsigned i = 0, e = map.constraints.size(); i != e; ++i) {
    size.divisions += costOf(map.constraints[i].form) / kDivisionCost;
    size.constraints += !isBound[i];
  }
  return size;
}

std::string IndexingMap::str() const { return Printer(*storage).print(); }

std::string IndexingMap::formText(FormRef form) const {
  return Printer(*storage).print(form);
}

MapSize MapStorage::measure(const MapStorage &s) {
  return Printer(s).measure();
}

MapSize IndexingMap::getSize() const { return MapStorage::measure(*storage); }

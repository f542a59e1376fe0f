//===- IndexingMapSymbols.cpp - Fewer range symbols, the same sets --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mergeSymbols`: a map is a relation, dims -> set of results. Symbols p and q
// that results mention only in multiples of u = kp*p + kq*q, kp = ±1, are one
// symbol as far as that relation goes. For every such pair:
//
//   1. Change variables, p = kp*(u - kq*q). (p, q) <-> (u, q) is a bijection of
//      the integer points, because kp is a unit. Results mention q no more.
//   2. What is left about q is a conjunction of bounds a*q >= L and
//      b*q <= U (a, b > 0): from the ranges of p and of q, and from the
//      constraints that mention p or q. "Some integer q satisfies all of them"
//      is, q being one integer, the conjunction over all pairs (lower, upper)
//      of "an integer lies between L/a and U/b":
//        a = 1 or b = 1:  exactly a*U - b*L >= 0;
//        otherwise        always true if a*U - b*L >= (a - 1)*(b - 1) always
//                         is (the dark shadow of the Omega test); else the
//                         pair is given up, and the symbols stay.
//   3. Conditions that ranges and the other constraints imply are dropped. The
//      rest become constraints of the map, if it has no more of them than
//      before.
//
// Without constraints this means: u is the whole interval if |kq| is at most the
// number of values of p. With them, the padding of stacked convolutions leaves:
// d + s0 - 1 in [0, 55] and d + s0 + s1 - 2 in [0, 55] is u + d - 2 in [0, 55],
// u in [0, 4], for what the first implies for u is u + d in [1, 58].
//
// The same elimination drops a symbol that only constraints mention.
//
// `rescaleSymbols`: a symbol s becomes lower + scale*s, where
//
//   1. propagation over the constraints that mention s alone gives a range and
//      a residue class: s mod 4 in [1, 1] and s mod 6 in [3, 3] are s = 9
//      modulo 12;
//   2. if few values are left, those that satisfy all of these constraints are
//      listed, and the smallest progression around them is taken: what is not a
//      progression, like s mod 6 in [1, 2], keeps its constraints;
//   3. constraints that hold on the whole progression are left out.
//
//===----------------------------------------------------------------------===//

#include "FormFacts.h"
#include "IndexingMapStorage.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::IntrusiveRefCntPtr;
using llvm::SmallVector;
using llvm::StringRef;
using namespace mlir::tensoraccess::detail;

/// Bounds on one eliminated symbol; more are not worth their product.
static constexpr unsigned kMaxBounds = 16;
/// Merges of one call: each leaves a symbol less.
static constexpr unsigned kMaxPairs = 4096;

namespace {

/// a*q >= form, or a*q <= form; a > 0.
struct Bound {
  int64_t a;
  Form form;
};

/// kp*p + kq*q with kp, kq coprime, kp > 0.
struct Pair {
  unsigned p, q;
  int64_t kp, kq;
};

/// One attempt on a map.
class Merger {
public:
  explicit Merger(const MapStorage &map) : map(map) {}

  /// The map with p and q as one symbol; std::nullopt if that cannot be shown
  /// to be the same relation.
  std::optional<IndexingMap> merge(Pair pair);
  /// The map without symbol q, which no result mentions.
  std::optional<IndexingMap> drop(unsigned q);

private:
  std::optional<IndexingMap> eliminate(unsigned q);
  bool addBounds(unsigned q, FormRef form, Interval interval);
  /// True if `form >= least` at all points of the new map.
  bool isImplied(const Form &form, int64_t least);
  bool mentions(FormRef form, unsigned variable) const {
    SmallVector<char, 32> used;
    to().markUsed(form, used);
    return variable < used.size() && used[variable];
  }
  const FormArena &to() const { return out->arena; }

  const MapStorage &map;
  IntrusiveRefCntPtr<MapStorage> out;
  SmallVector<Constraint, 4> constraints;
  SmallVector<Bound, 4> lowers, uppers;
};

} // namespace

bool Merger::addBounds(unsigned q, FormRef form, Interval interval) {
  const Term *term =
      llvm::find_if(form.terms, [&](const Term &t) { return t.atom == q; });
  if (term == form.terms.end())
    return false;
  // c*q + rest in [lower, upper]
  const int64_t c = term->coefficient;
  if (c == Interval::kNoLower)
    return false;
  FormArena &arena = out->arena;
  Form rest = arena.addScaled(form, Form::ofAtom(q), -c);
  if (mentions(rest, q))
    return false;
  auto add = [&](int64_t end, bool isLower) {
    // c*q >= end - rest, or -c*q <= rest - end.
    Form bound = arena.sub(Form(end), rest);
    if (c < 0)
      bound = arena.negate(bound);
    (isLower == (c > 0) ? lowers : uppers)
        .push_back({std::abs(c), std::move(bound)});
  };
  if (interval.hasLower())
    add(interval.lower, true);
  if (interval.hasUpper())
    add(interval.upper, false);
  return !arena.failed();
}

bool Merger::isImplied(const Form &form, int64_t least) {
  FormArena &arena = out->arena;
  const Interval direct = arena.range(form);
  if (direct.hasLower() && direct.lower >= least)
    return true;
  // form = t*f + rest, and t*f is bounded by a constraint on f.
  for (const Constraint &c : constraints)
    for (const Term &theirs : c.form.terms) {
      const Term *ours = llvm::find_if(
          form.terms, [&](const Term &t) { return t.atom == theirs.atom; });
      if (ours == form.terms.end() || ours->coefficient == Interval::kNoLower ||
          ours->coefficient % theirs.coefficient != 0)
        continue;
      const int64_t t = ours->coefficient / theirs.coefficient;
      const Interval scaled = c.interval.scaled(t);
      if (!scaled.hasLower())
        continue;
      Form rest = arena.addScaled(form, c.form, -t);
      if (arena.failed()) {
        arena.clearFailure();
        continue;
      }
      const Interval range = arena.range(rest) + scaled;
      if (range.hasLower() && range.lower >= least)
        return true;
    }
  return false;
}

std::optional<IndexingMap> Merger::eliminate(unsigned q) {
  FormArena &arena = out->arena;
  for (const Form &f : out->results)
    if (mentions(f, q))
      return std::nullopt;
  // The bounds on q, and the constraints that don't mention it.
  SmallVector<Constraint, 4> all = std::move(constraints);
  constraints.clear();
  for (Constraint &c : all) {
    if (!mentions(c.form, q))
      constraints.push_back(std::move(c));
    else if (!addBounds(q, c.form, c.interval))
      return std::nullopt;
  }
  if (!addBounds(q, Form::ofAtom(q), out->ranges[q]) ||
      lowers.size() > kMaxBounds || uppers.size() > kMaxBounds)
    return std::nullopt;

  for (const Bound &lower : lowers)
    for (const Bound &upper : uppers) {
      Form gap = arena.addScaled(arena.scale(upper.form, lower.a), lower.form,
                                 -upper.a);
      std::optional<int64_t> dark = checkedMul(lower.a - 1, upper.a - 1);
      if (arena.failed() || !dark)
        return std::nullopt;
      if (isImplied(gap, *dark))
        continue;
      if (*dark != 0)
        return std::nullopt;
      constraints.push_back({std::move(gap), Interval::atLeast(0)});
    }

  // q is left out of the map.
  IntrusiveRefCntPtr<MapStorage> without(new MapStorage);
  SmallVector<Form, 8> images(out->ranges.size());
  for (unsigned i = 0, e = out->ranges.size(); i != e; ++i)
    if (i != q)
      images[i] = without->addVariable(out->getKind(i), out->ranges[i],
                                       out->getCustomName(i));
  out->constraints.assign(constraints.begin(), constraints.end());
  without->addForms(*out, images);
  IndexingMap result = MapStorage::finish(std::move(without)).simplify();
  if (result.isUnknown())
    return std::nullopt;
  return result;
}

std::optional<IndexingMap> Merger::drop(unsigned q) {
  out = new MapStorage(map);
  constraints.assign(map.constraints.begin(), map.constraints.end());
  return eliminate(q);
}

std::optional<IndexingMap> Merger::merge(Pair pair) {
  // Solve for p or for q, whichever coefficient is a unit. u takes the place of
  // the one that is solved for.
  const bool solveP = pair.kp == 1;
  const unsigned solved = solveP ? pair.p : pair.q;
  const unsigned other = solveP ? pair.q : pair.p;
  const int64_t kSolved = solveP ? 1 : pair.kq;
  const int64_t kOther = solveP ? pair.kq : pair.kp;
  const Interval uRange =
      map.ranges[pair.p].scaled(pair.kp) + map.ranges[pair.q].scaled(pair.kq);
  if (!uRange.isFinite() || kOther == Interval::kNoLower)
    return std::nullopt;

  out = new MapStorage;
  SmallVector<Form, 8> images(map.ranges.size());
  for (unsigned i = 0, e = map.ranges.size(); i != e; ++i)
    images[i] =
        out->addVariable(map.getKind(i), i == solved ? uRange : map.ranges[i],
                         map.getCustomName(i));
  // kSolved*solved = u - kOther*other, and kSolved is its own inverse.
  FormArena &arena = out->arena;
  images[solved] = arena.scale(
      arena.addScaled(images[solved], images[other], -kOther), kSolved);
  out->addForms(map, images);
  constraints = std::move(out->constraints);
  constraints.push_back({images[solved], map.ranges[solved]});
  if (arena.failed())
    return std::nullopt;
  return eliminate(other);
}

/// The sums of symbols, two by two, that results mention in all places in the
/// same proportion.
static SmallVector<Pair, 8> findPairs(const MapStorage &map,
                                      ArrayRef<char> used) {
  const FormArena &arena = map.arena;
  const unsigned begin = map.numDims, end = map.numDims + map.numSymbols;
  // Every form in which results mention symbols.
  SmallVector<FormRef, 16> forms(map.results.begin(), map.results.end());
  SmallVector<char, 16> isFixed(end, 0);
  for (AtomId id = arena.getNumVariables(); id < arena.getNumAtoms(); ++id) {
    if (id >= used.size() || !used[id])
      continue;
    if (arena.getAtom(id).kind != AtomKind::Product) {
      forms.push_back(arena.body(id));
      continue;
    }
    for (const Term &t : arena.body(id).terms)
      if (t.atom < end)
        isFixed[t.atom] = 1;
  }
  SmallVector<Pair, 8> pairs;
  for (unsigned p = begin; p < end; ++p)
    for (unsigned q = p + 1; q < end; ++q) {
      if (isFixed[p] || isFixed[q])
        continue;
      Pair pair{p, q, 0, 0};
      bool isSum = true;
      for (FormRef form : forms) {
        const int64_t a = form.coefficientOf(p), b = form.coefficientOf(q);
        if (a == 0 && b == 0)
          continue;
        const uint64_t g = std::gcd(magnitude(a), magnitude(b));
        isSum = a != 0 && b != 0 && g <= uint64_t(Interval::kNoUpper) &&
                a != Interval::kNoLower && b != Interval::kNoLower;
        if (!isSum)
          break;
        const int64_t sign = a < 0 ? -1 : 1;
        const int64_t kp = sign * (a / int64_t(g));
        const int64_t kq = sign * (b / int64_t(g));
        if (pair.kp != 0 && (pair.kp != kp || pair.kq != kq)) {
          isSum = false;
          break;
        }
        pair.kp = kp;
        pair.kq = kq;
      }
      if (isSum && (pair.kp == 1 || pair.kq == 1 || pair.kq == -1))
        pairs.push_back(pair);
    }
  return pairs;
}

static bool isLarger(const IndexingMap &a, const IndexingMap &b) {
  if (a.getConstraints().size() > b.getConstraints().size())
    return true;
  if (a.getArena().getNumAtoms() == a.getNumVariables())
    return false;
  return a.getSize().divisions > b.getSize().divisions;
}

/// One symbol less, if that can be shown to be the same relation.
static std::optional<IndexingMap> mergeOnce(const IndexingMap &map) {
  const MapStorage &s = MapStorage::of(map);
  if (s.numSymbols == 0)
    return std::nullopt;
  SmallVector<char, 32> used(s.arena.getNumAtoms());
  for (const Form &f : s.results)
    s.arena.markUsed(f, used);
  for (unsigned i = s.numDims, e = s.numDims + s.numSymbols; i != e; ++i)
    if (!used[i])
      if (std::optional<IndexingMap> less = Merger(s).drop(i))
        if (!isLarger(*less, map))
          return less;
  for (const Pair &pair : findPairs(s, used))
    if (std::optional<IndexingMap> less = Merger(s).merge(pair))
      if (!isLarger(*less, map))
        return less;
  return std::nullopt;
}

IndexingMap IndexingMap::mergeSymbols() const {
  IndexingMap current = *this;
  for (unsigned i = 0; i != kMaxPairs && current.isOrdinary(); ++i) {
    std::optional<IndexingMap> less = mergeOnce(current);
    if (!less)
      break;
    current = std::move(*less);
  }
  return current;
}

namespace {

/// Values lower, lower + scale, ..., upper of a symbol.
struct Progression {
  Interval range;
  int64_t scale = 1;
};

} // namespace

/// More values are not looked at one by one.
static constexpr int64_t kMaxValues = 1 << 12;

/// The values of symbol v that constraints `own`, which mention no other
/// variable, allow; `said` gets those constraints that mean no more than the
/// progression that holds these values. No values: they contradict.
/// std::nullopt if it can't be told.
static std::optional<SmallVector<int64_t>>
listValues(const MapStorage &s, unsigned v, ArrayRef<unsigned> own,
           const Progression &among, Progression &values, BitVector &said) {
  IndexingMapBuilder builder;
  SmallVector<Form, 8> images(s.ranges.size());
  images[v] = builder.addDim(among.range);
  Substitution substitute(builder.arena(), s.arena, images);
  SmallVector<Form, 4> forms;
  for (unsigned j : own)
    forms.push_back(substitute(s.constraints[j].form));
  if (builder.arena().failed())
    return std::nullopt;

  SmallVector<int64_t> found;
  SmallVector<SmallVector<char, 4>> holding; // per value, per constraint
  SmallVector<int64_t, 16> atoms;
  for (__int128 x = among.range.lower; x <= among.range.upper;
       x += among.scale) {
    const int64_t value = static_cast<int64_t>(x);
    if (!builder.arena().evaluateAtoms(value, atoms))
      return std::nullopt;
    SmallVector<char, 4> &holds = holding.emplace_back();
    for (auto [form, j] : llvm::zip_equal(forms, own)) {
      std::optional<int64_t> y = FormArena::evaluate(form, atoms);
      if (!y)
        return std::nullopt;
      holds.push_back(s.constraints[j].interval.contains(*y));
    }
    if (llvm::all_of(holds, [](char h) { return h; }))
      found.push_back(value);
  }
  if (found.empty())
    return found;

  uint64_t step = 0;
  for (int64_t value : found)
    step = std::gcd(step, static_cast<uint64_t>(value) -
                              static_cast<uint64_t>(found.front()));
  values.range = {found.front(), found.back()};
  values.scale = step == 0 ? 1 : static_cast<int64_t>(step);
  for (unsigned k = 0, e = own.size(); k != e; ++k) {
    bool always = true;
    for (__int128 x = values.range.lower; x <= values.range.upper && always;
         x += values.scale)
      always =
          holding[static_cast<size_t>((x - among.range.lower) / among.scale)]
                 [k];
    if (always)
      said.set(own[k]);
  }
  return found;
}

/// The progression that holds all values of symbol v, which has a finite range,
/// as far as the constraints on it alone tell; `said` gets those constraints
/// that mean no more than that. An empty range if they contradict each other.
static Progression progressionOf(const MapStorage &s, unsigned v,
                                 BitVector &said) {
  Progression whole{s.ranges[v], 1};
  SmallVector<unsigned, 4> own;
  for (unsigned j = 0, e = s.constraints.size(); j != e; ++j) {
    SmallVector<char, 32> mentioned;
    s.arena.markUsed(s.constraints[j].form, mentioned);
    bool isOwn = true;
    for (unsigned i = 0, n = s.getNumVariables(); isOwn && i != n; ++i)
      isOwn = (i == v) == (i < mentioned.size() && mentioned[i]);
    if (isOwn)
      own.push_back(j);
  }
  if (own.empty())
    return whole;

  // 1. What propagation finds.
  Progression empty{Interval(1, 0), 1};
  FormFacts facts(s.arena, s.ranges);
  for (unsigned j : own)
    facts.assume(s.constraints[j].form, s.constraints[j].interval);
  if (!facts.propagate())
    return empty;
  Residue residue = facts.residueOfAtom(v);
  Interval range = whole.range.intersect(facts.rangeOfAtom(v));
  if (residue.isExact()) {
    range = range.intersect(Interval::point(residue.value));
    residue = Residue();
  }
  range = tighten(range, residue);
  if (range.isEmpty())
    return empty;
  Progression coarse{range, residue.modulus};

  // 2. Few values: what each of them implies.
  std::optional<int64_t> span = checkedSub(range.upper, range.lower);
  if (span && *span / coarse.scale < kMaxValues) {
    Progression fine;
    if (auto values = listValues(s, v, own, coarse, fine, said))
      return values->empty() ? empty : fine;
  }

  // 3. Constraints that follow from the range and the class.
  FormArena arena = s.arena;
  SmallVector<Interval, 8> ranges(s.ranges.begin(), s.ranges.end());
  ranges[v] = range;
  Form digit;
  if (coarse.scale > 1)
    digit = arena.mod(Form::ofAtom(v), coarse.scale);
  if (arena.failed())
    return whole;
  FormFacts alone(arena, ranges);
  if (coarse.scale > 1)
    alone.assume(digit, Interval::point(residue.value));
  if (!alone.propagate())
    return empty;
  for (unsigned j : own) {
    const Constraint &c = s.constraints[j];
    if (c.interval.contains(
            tighten(alone.range(c.form), alone.residue(c.form))))
      said.set(j);
  }
  return coarse;
}

IndexingMap IndexingMap::rescaleSymbols() const {
  if (!isOrdinary())
    return *this;
  const MapStorage &s = *storage;
  IntrusiveRefCntPtr<MapStorage> out(new MapStorage);
  SmallVector<Form, 8> images;
  BitVector said(s.constraints.size());
  for (unsigned i = 0, e = s.ranges.size(); i != e; ++i) {
    Interval range = s.ranges[i];
    int64_t scale = 1, offset = 0;
    if (s.getKind(i) == VariableKind::Symbol && range.isFinite()) {
      const Progression values = progressionOf(s, i, said);
      if (values.range.isEmpty()) {
        out->state = MapState::KnownEmpty;
      } else {
        if (!values.range.size())
          return unknown(UnknownReason::Overflow);
        scale = values.scale;
        offset = values.range.lower;
        range = {0, (values.range.upper - offset) / scale};
      }
    }
    Form v = out->addVariable(s.getKind(i), range, s.getCustomName(i));
    images.push_back(out->arena.addScaled(Form(offset), v, scale));
  }
  Substitution substitute(out->arena, s.arena, images);
  for (const Form &f : s.results)
    out->results.push_back(substitute(f));
  for (unsigned j = 0, e = s.constraints.size(); j != e; ++j)
    if (!said[j])
      out->constraints.push_back(
          {substitute(s.constraints[j].form), s.constraints[j].interval});
  return MapStorage::finish(std::move(out));
}

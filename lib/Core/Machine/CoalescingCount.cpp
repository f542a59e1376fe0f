//===- CoalescingCount.cpp - Accesses counted in closed form --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The four steps of Coalescing.h work on *boxes*: ranges of variables, the form
// of the element's number, and the constraints that the ranges don't imply.
// Boxes are disjoint and cover the domain; a worklist splits them until one of
// these holds:
//
//   - a constraint is impossible: the box is empty;
//   - each variable is either *walked* (the lane, the vector, and what is left
//     of periodic variables) or *moves* the access (it occurs in no division
//     and no constraint): the box is counted.
//
// A variable without a period (Periods.h) is walked.
//
// Counting collects *shapes*: the numbers of the elements of an access minus
// the smallest of them, with how often each residue (in bits, modulo a
// transaction) of the smallest occurs. Each pair of a shape and a residue is
// measured once, by whichever meter asks.
//
//===----------------------------------------------------------------------===//

#include "CoalescingMeter.h"

#include "Form/Periods.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>
#include <set>
#include <vector>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using mlir::tensoraccess::detail::AccessShapes;

namespace {

enum class Role : uint8_t { Other, Walked, Lane, Vector };

struct Variable {
  Interval range;
  Role role;
};

/// One box of the domain.
struct RangeBox {
  FormArena arena;
  SmallVector<Variable, 8> variables;
  /// The number of the element.
  Form number;
  SmallVector<Constraint, 4> constraints;
};

class Counter {
public:
  Counter(const CoalescingOptions &options) : options(options) {}

  AccessShapes run(const IndexingMap &map);

private:
  using Reason = CoalescingReason;
  /// Residues modulo a transaction, in bits, and how often each occurs.
  using Residues = AccessShapes::Places;

  RangeBox makeRangeBox(const IndexingMap &map);
  /// The box with `images` (forms of `to`, which has `variables`) for the
  /// variables of `from`; drops implied constraints. Nothing if it is empty.
  void push(const RangeBox &from, FormArena to, ArrayRef<Variable> variables,
            ArrayRef<Form> images, ArrayRef<Constraint> more = {});
  /// The same for variables of smaller ranges, numbers where they are points.
  void pushWithin(const RangeBox &box, ArrayRef<Variable> variables);
  void restrict(const RangeBox &box, unsigned variable, Interval range);
  /// Splits the box further, or counts it.
  void process(const RangeBox &box);
  bool splitPeriodic(const RangeBox &box, const llvm::BitVector &divided);
  bool splitMasked(const RangeBox &box, const llvm::BitVector &divided);
  void count(const RangeBox &box, const llvm::BitVector &divided);
  std::optional<Residues> residuesOf(const RangeBox &box,
                                     ArrayRef<unsigned> movers);
  void fail(Reason why) {
    if (reason == Reason::None)
      reason = why;
  }
  int64_t residue(int64_t number) const {
    return floorModPositive(
        floorModPositive(number, period()) * options.elementBits, period());
  }
  int64_t period() const { return 8 * options.transactionBytes; }

  const CoalescingOptions &options;
  Reason reason = Reason::None;
  std::vector<RangeBox> worklist;
  AccessShapes found;
  uint64_t points = 0, boxes = 0;
};

} // namespace

/// Marks the variables in the bodies of divisions, maxima and products that the
/// box mentions.
static llvm::BitVector getDivided(const RangeBox &box) {
  SmallVector<char, 32> used;
  box.arena.markUsed(box.number, used);
  for (const Constraint &c : box.constraints)
    box.arena.markUsed(c.form, used);
  llvm::BitVector divided(box.variables.size());
  for (AtomId id = box.variables.size(); id < used.size(); ++id)
    if (used[id])
      for (const Term &t : box.arena.body(id).terms)
        if (box.arena.isVariable(t.atom))
          divided.set(t.atom);
  return divided;
}

/// The smallest P by which `variable` can move so that every atom in use moves
/// by a constant; std::nullopt if there is no such P, or a very large one.
static std::optional<int64_t> getPeriod(const RangeBox &box,
                                        unsigned variable) {
  constexpr int64_t kMaxPeriod = int64_t(1) << 24;
  SmallVector<char, 32> used;
  box.arena.markUsed(box.number, used);
  for (const Constraint &c : box.constraints)
    box.arena.markUsed(c.form, used);
  SmallVector<AtomId, 32> atoms;
  for (AtomId id = box.variables.size(); id < used.size(); ++id)
    if (used[id])
      atoms.push_back(id);
  SmallVector<detail::Periodic, 8> periods =
      detail::getPeriods(box.arena, variable, atoms);
  int64_t period = 1;
  for (AtomId id : atoms)
    period = detail::getCommonPeriod(period, periods[id].period);
  return period && period <= kMaxPeriod ? std::optional(period) : std::nullopt;
}

RangeBox Counter::makeRangeBox(const IndexingMap &map) {
  RangeBox box;
  SmallVector<Role> roles(map.getNumVariables(), Role::Other);
  for (unsigned v : options.vector)
    roles[v] = Role::Vector;
  for (auto [v, range] : llvm::enumerate(map.getRanges()))
    box.variables.push_back({range, roles[v]});
  SmallVector<Form> images;
  for (Variable &v : box.variables)
    images.push_back(box.arena.addVariable(v.range));
  if (options.lane) {
    // lane = lanes·g + l: the lane's own variable becomes g, and l is added.
    const Interval range = map.getRanges()[*options.lane];
    RangeBox split;
    split.variables = box.variables;
    split.variables[*options.lane].range = range.floorDiv(options.lanes);
    split.variables.push_back({Interval::ofExtent(options.lanes), Role::Lane});
    images.clear();
    for (Variable &v : split.variables)
      images.push_back(split.arena.addVariable(v.range));
    Form l = images.pop_back_val();
    Form &lane = images[*options.lane];
    lane = split.arena.addScaled(l, lane, options.lanes);
    split.constraints.push_back({lane, range});
    box = std::move(split);
  }
  Substitution substitute(box.arena, map.getArena(), images);
  box.number = substitute(map.getResult(0));
  for (const Constraint &c : map.getConstraints())
    box.constraints.push_back({substitute(c.form), c.interval});
  return box;
}

void Counter::push(const RangeBox &from, FormArena to,
                   ArrayRef<Variable> variables, ArrayRef<Form> images,
                   ArrayRef<Constraint> more) {
  if (++boxes > options.maxBoxes)
    return fail(Reason::Budget);
  RangeBox box;
  box.arena = std::move(to);
  box.variables.assign(variables.begin(), variables.end());
  Substitution substitute(box.arena, from.arena, images);
  box.number = substitute(from.number);
  for (const Constraint &c : from.constraints)
    box.constraints.push_back({substitute(c.form), c.interval});
  llvm::append_range(box.constraints, more);
  if (box.arena.failed())
    return fail(box.arena.failure() == FormFailure::TooLarge
                    ? Reason::Budget
                    : Reason::Overflow);
  for (const Constraint &c : box.constraints)
    if (c.interval.intersect(box.arena.range(c.form)).isEmpty())
      return;
  llvm::erase_if(box.constraints, [&](const Constraint &c) {
    return c.interval.contains(box.arena.range(c.form));
  });
  worklist.push_back(std::move(box));
}

void Counter::restrict(const RangeBox &box, unsigned variable, Interval range) {
  if (range.isEmpty())
    return;
  SmallVector<Variable, 8> variables(box.variables);
  variables[variable].range = range;
  pushWithin(box, variables);
}

void Counter::pushWithin(const RangeBox &box, ArrayRef<Variable> variables) {
  FormArena arena;
  SmallVector<Form> images;
  for (const Variable &v : variables) {
    images.push_back(arena.addVariable(v.range));
    if (v.range.isPoint())
      images.back() = Form(v.range.lower);
  }
  push(box, std::move(arena), variables, images);
}

/// Step 2: x = lower + P·q + r.
bool Counter::splitPeriodic(const RangeBox &box,
                            const llvm::BitVector &divided) {
  for (unsigned x : divided.set_bits()) {
    const Variable &variable = box.variables[x];
    if (variable.role != Role::Other)
      continue;
    std::optional<int64_t> period = getPeriod(box, x);
    std::optional<int64_t> size = variable.range.size();
    SmallVector<Variable, 8> variables(box.variables);
    variables[x].role = Role::Walked;
    // A period of 1 would have left the division when it was made.
    const bool isSplit = period && size && *period > 1 && *period < *size;
    if (isSplit) {
      variables[x].range = Interval::ofExtent(*period);
      variables.push_back(
          {Interval::ofExtent(ceilDivPositive(*size, *period)), Role::Other});
    }
    FormArena arena;
    SmallVector<Form> images;
    for (const Variable &v : variables)
      images.push_back(arena.addVariable(v.range));
    SmallVector<Constraint, 1> more;
    if (isSplit) {
      Form q = images.pop_back_val();
      Form offset = arena.addScaled(images[x], q, *period);
      more.push_back({offset, Interval::ofExtent(*size)});
      images[x] = arena.add(offset, Form(variable.range.lower));
    }
    push(box, std::move(arena), variables, images, more);
    return true;
  }
  return false;
}

/// Step 3: of all constraints and variables that move the access, the cut that
/// leaves the shortest border.
bool Counter::splitMasked(const RangeBox &box, const llvm::BitVector &divided) {
  struct Cut {
    unsigned variable = 0;
    Interval inside, possible;
    uint64_t border = 0;
  };
  std::optional<Cut> best;
  FormArena arena = box.arena;
  for (const Constraint &c : box.constraints) {
    for (const Term &t : c.form.terms) {
      if (!arena.isVariable(t.atom) || divided.test(t.atom) ||
          box.variables[t.atom].role != Role::Other)
        continue;
      const Interval range = box.variables[t.atom].range;
      Interval rest =
          arena.range(arena.sub(c.form, Form::ofAtom(t.atom, t.coefficient)));
      if (!rest.isFinite()) {
        fail(Reason::Overflow);
        return true;
      }
      // Holds for all, and holds for some, values of the rest.
      const bool hasLower = c.interval.hasLower();
      const bool hasUpper = c.interval.hasUpper();
      auto sub = [](int64_t a, int64_t b) {
        return checkedSub(a, b).value_or(a < 0 ? Interval::kNoLower
                                               : Interval::kNoUpper);
      };
      Interval all(
          hasLower ? sub(c.interval.lower, rest.lower) : Interval::kNoLower,
          hasUpper ? sub(c.interval.upper, rest.upper) : Interval::kNoUpper);
      Interval some(
          hasLower ? sub(c.interval.lower, rest.upper) : Interval::kNoLower,
          hasUpper ? sub(c.interval.upper, rest.lower) : Interval::kNoUpper);
      Cut cut;
      cut.variable = t.atom;
      cut.possible = some.dividedBy(t.coefficient).intersect(range);
      if (cut.possible.isEmpty())
        return true;
      cut.inside = all.isEmpty()
                       ? Interval(1, 0)
                       : all.dividedBy(t.coefficient).intersect(cut.possible);
      cut.border = cut.possible.upper - cut.possible.lower + 1;
      if (!cut.inside.isEmpty())
        cut.border -= cut.inside.upper - cut.inside.lower + 1;
      if (!best || cut.border < best->border)
        best = cut;
    }
  }
  if (!best)
    return false;
  if (best->border > options.maxBoxes) {
    fail(Reason::Budget);
    return true;
  }
  Interval below = best->possible, above(1, 0);
  if (!best->inside.isEmpty()) {
    below.upper = best->inside.lower - 1;
    above = {best->inside.upper + 1, best->possible.upper};
    restrict(box, best->variable, best->inside);
  }
  for (Interval side : {below, above})
    if (!side.isEmpty())
      for (int64_t x = side.lower;; ++x) {
        restrict(box, best->variable, Interval::point(x));
        if (x == side.upper)
          break;
      }
  return true;
}

/// How far the variables `movers`, which occur linearly, move an access.
std::optional<Counter::Residues>
Counter::residuesOf(const RangeBox &box, ArrayRef<unsigned> movers) {
  Residues residues = {{0, 1}};
  for (unsigned v : movers) {
    const Interval range = box.variables[v].range;
    const int64_t size = *range.size();
    const int64_t coefficient = FormRef(box.number).coefficientOf(v);
    // The residues of coefficient·x repeat after `cycle` values of x.
    const int64_t step = residue(coefficient);
    const int64_t cycle = period() / std::gcd(step, period());
    int64_t move = floorModPositive(
        static_cast<int64_t>(static_cast<__int128>(step) *
                             floorModPositive(range.lower, cycle) % period()),
        period());
    Residues next;
    for (int64_t i = 0; i < std::min(cycle, size); ++i) {
      const int64_t times = size / cycle + (i < size % cycle);
      for (auto [r, count] : residues) {
        std::optional<int64_t> product = checkedMul(count, times);
        int64_t &total = next[(r + move) % period()];
        std::optional<int64_t> sum =
            product ? checkedAdd(total, *product) : std::nullopt;
        if (!sum)
          return std::nullopt;
        total = *sum;
      }
      points += residues.size();
      move = (move + step) % period();
    }
    residues = std::move(next);
  }
  return residues;
}

/// Step 4.
void Counter::count(const RangeBox &box, const llvm::BitVector &divided) {
  // What is left of the constraints mentions walked variables only.
  SmallVector<unsigned> movers, walked, inside;
  uint64_t size = 1;
  for (auto [v, variable] : llvm::enumerate(box.variables)) {
    if (variable.role == Role::Other && !divided.test(v)) {
      movers.push_back(v);
      continue;
    }
    bool isInside =
        variable.role == Role::Lane || variable.role == Role::Vector;
    (isInside ? inside : walked).push_back(v);
    if (__builtin_mul_overflow(
            size, static_cast<uint64_t>(*variable.range.size()), &size))
      return fail(Reason::Budget);
  }
  points += size;
  if (points > options.maxPoints)
    return fail(Reason::Budget);
  std::optional<Residues> moves = residuesOf(box, movers);
  if (!moves)
    return fail(Reason::Overflow);
  if (points > options.maxPoints)
    return fail(Reason::Budget);

  SmallVector<int64_t> values, atoms;
  for (const Variable &v : box.variables)
    values.push_back(v.range.lower);
  // A mover starts at 0; its residues are counted from there.
  for (unsigned v : movers)
    values[v] = 0;
  // Steps through the box of `which`; false after the last point.
  auto advance = [&](ArrayRef<unsigned> which) {
    for (unsigned v : llvm::reverse(which)) {
      if (values[v] != box.variables[v].range.upper) {
        ++values[v];
        return true;
      }
      values[v] = box.variables[v].range.lower;
    }
    return false;
  };
  do {
    std::vector<int64_t> numbers;
    do {
      if (!box.arena.evaluateAtoms(values, atoms))
        return fail(Reason::Overflow);
      bool masked = false;
      for (const Constraint &c : box.constraints) {
        std::optional<int64_t> value = FormArena::evaluate(c.form, atoms);
        if (!value)
          return fail(Reason::Overflow);
        masked |= !c.interval.contains(*value);
      }
      if (masked)
        continue;
      std::optional<int64_t> number = FormArena::evaluate(box.number, atoms);
      if (!number)
        return fail(Reason::Overflow);
      numbers.push_back(*number);
    } while (advance(inside));
    if (numbers.empty())
      continue;
    llvm::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const int64_t first = numbers.front();
    for (int64_t &n : numbers) {
      std::optional<int64_t> distance = checkedSub(n, first);
      if (!distance)
        return fail(Reason::Overflow);
      n = *distance;
    }
    Residues &residues = found.shapes[std::move(numbers)];
    for (auto [r, times] : *moves) {
      int64_t &total = residues[(r + residue(first)) % period()];
      std::optional<int64_t> sum = checkedAdd(total, times);
      if (!sum)
        return fail(Reason::Overflow);
      total = *sum;
    }
    points += moves->size();
    if (points > options.maxPoints)
      return fail(Reason::Budget);
  } while (advance(walked));
}

void Counter::process(const RangeBox &box) {
  if (llvm::any_of(box.variables,
                   [](const Variable &v) { return v.range.isEmpty(); }))
    return;
  llvm::BitVector divided = getDivided(box);
  if (splitPeriodic(box, divided) || splitMasked(box, divided))
    return;
  count(box, divided);
}

AccessShapes Counter::run(const IndexingMap &original) {
  auto unknown = [](Reason why) {
    AccessShapes none;
    none.reason = why;
    return none;
  };
  if (original.isUnknown())
    return unknown(Reason::UnknownMap);
  IndexingMap map = original.simplify();
  if (map.isKnownEmpty())
    return {};

  // Runtime variables: those in use must be uniform and occur linearly.
  const unsigned firstRuntime = map.getNumDims() + map.getNumSymbols();
  SmallVector<char, 32> used;
  map.getArena().markUsed(map.getResult(0), used);
  SmallVector<char, 32> masks = map.getUsed(/*results=*/false);
  auto isIn = [&](const SmallVectorImpl<char> &marks, unsigned v) {
    return v < marks.size() && marks[v];
  };
  SmallVector<Interval> ranges(map.getRanges());
  Form number = map.getResult(0);
  for (unsigned v = firstRuntime; v < map.getNumVariables(); ++v) {
    if (isIn(masks, v))
      return unknown(Reason::Runtime);
    if (!isIn(used, v))
      continue;
    for (AtomId id = map.getNumVariables(); id < used.size(); ++id)
      if (used[id] && llvm::any_of(map.getArena().body(id).terms,
                                   [&](const Term &t) { return t.atom == v; }))
        return unknown(Reason::Runtime);
    if (!llvm::is_contained(options.uniform, v))
      return unknown(Reason::Runtime);
    auto term =
        llvm::find_if(number.terms, [&](const Term &t) { return t.atom == v; });
    const int64_t step = residue(term->coefficient);
    const int64_t cycle = period() / std::gcd(step, period());
    int64_t count = cycle, move = 0;
    if (ranges[v].isFinite()) {
      if (std::optional<int64_t> size = ranges[v].size())
        count = std::min(cycle, *size);
      move = static_cast<int64_t>(static_cast<__int128>(step) *
                                  floorModPositive(ranges[v].lower, cycle) %
                                  period());
    }
    std::set<int64_t> sums;
    for (int64_t i = 0; i < count; ++i, move = (move + step) % period())
      for (int64_t o : found.offsets)
        sums.insert((o + move) % period());
    found.offsets = std::move(sums);
    number.terms.erase(term);
  }
  for (unsigned v = firstRuntime; v < map.getNumVariables(); ++v)
    ranges[v] = Interval::point(0);
  map = map.withResults(number).withRanges(ranges);
  if (map.isUnknown())
    return unknown(Reason::Overflow);
  for (Interval range : ranges)
    if (!range.isFinite() || !range.size())
      return unknown(Reason::Unbounded);

  RangeBox first = makeRangeBox(map);
  pushWithin(first, first.variables);
  while (!worklist.empty() && reason == Reason::None) {
    RangeBox box = std::move(worklist.back());
    worklist.pop_back();
    process(box);
  }
  if (reason != Reason::None)
    return unknown(reason);
  return std::move(found);
}

AccessShapes detail::collectAccesses(const IndexingMap &map,
                                     const CoalescingOptions &options) {
  return Counter(options).run(map);
}

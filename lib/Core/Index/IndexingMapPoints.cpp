//===- IndexingMapPoints.cpp - Simplification by looking at all points ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forms cancel by linear arithmetic where digits line up. Where they don't, as
// in a reshape from 3x2 to 2x3 in the middle of a chain, a result may be d0 and
// not look like it. Such forms depend on few points, which can be looked at:
//
//   1. *Points.* Forms have a period p in each variable (Periods.h). With x = r
//      + j*p, 0 <= r < p, f is linear in j, so what holds for the least and the
//      greatest j, and is convex, holds for all: the first p and the last p
//      values of each variable suffice.
//   2. *Probes.* Most forms are refuted at six points of the whole map: for the
//      lowest corner x, a linear f has f(x) + f(x + a + b) = f(x + a) + f(x +
//      b), and so with another c in place of b.
//   3. *Results.* If f is a constant, plus or minus a variable, or linear (the
//      slopes are those at the lowest corner), it is one of few candidates. A
//      candidate is tried at a few points spread over the box, which nearly
//      always refutes it, and then at all. f = candidate is two inequalities
//      between linear functions of j, hence convex.
//   4. *Constraints.* f in [a, b] is dropped if it holds at all points, which is
//      convex, too.
//   5. Where that fails, it is tried again on the points, all of them, at which
//      the constraints hold that mention no other variables: these may be used,
//      since they stay. If there is no such point the map is empty.
//
// Forms with more points than kMaxPoints are left alone. Nothing depends on the
// order of atoms, and each change removes divisions or a constraint.
//
//===----------------------------------------------------------------------===//

#include "Form/Periods.h"
#include "IndexingMapStorage.h"
#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// A form of more points is left alone; so is one of more variables.
static constexpr uint64_t kMaxPoints = 1u << 14;
static constexpr unsigned kMaxVariables = 8;
/// Points that are tried before all of them are.
static constexpr uint64_t kSamples = 8;

namespace {

/// The points of the box of all variables that some forms mention, or those of
/// them that step 1 asks for.
class Points {
public:
  Points(const FormArena &arena, ArrayRef<Interval> ranges)
      : arena(arena), ranges(ranges) {}

  /// False if there are too many, or infinitely many. `reduce`: step 1.
  bool prepare(ArrayRef<FormRef> forms, bool reduce);
  uint64_t size() const { return count; }
  ArrayRef<AtomId> getVariables() const { return variables; }

  /// Goes to a point; false if a value does not fit 64 bits.
  bool go(uint64_t index);
  /// Goes to the lowest corner, one step away along a variable if one is given.
  bool goToCorner(std::optional<AtomId> step);
  std::optional<int64_t> evaluate(FormRef form) const {
    return FormArena::evaluate(form, values);
  }
  int64_t operator[](AtomId variable) const { return values[variable]; }

private:
  bool compute();
  /// The period of `forms` in a variable, 0 if none exists.
  int64_t getPeriod(AtomId variable, ArrayRef<FormRef> forms) const;

  const FormArena &arena;
  ArrayRef<Interval> ranges;
  SmallVector<AtomId, 8> variables, atoms;
  /// Per variable: how many values, and how many of them are at the low end.
  SmallVector<uint64_t, 8> sizes, low;
  SmallVector<int64_t, 32> values;
  uint64_t count = 0;
};

} // namespace

int64_t Points::getPeriod(AtomId variable, ArrayRef<FormRef> forms) const {
  SmallVector<Periodic, 8> periods = getPeriods(arena, variable, atoms);
  int64_t all = 1;
  for (FormRef form : forms)
    all = getCommonPeriod(all, addPeriods(form, periods).period);
  return all;
}

bool Points::prepare(ArrayRef<FormRef> forms, bool reduce) {
  SmallVector<char, 32> used;
  for (FormRef form : forms)
    arena.markUsed(form, used);
  used.resize(arena.getNumAtoms());
  variables.clear();
  atoms.clear();
  sizes.clear();
  low.clear();
  for (AtomId id = 0; id < used.size(); ++id)
    if (used[id])
      (arena.isVariable(id) ? variables : atoms).push_back(id);
  values.assign(arena.getNumAtoms(), 0);
  count = 1;
  if (variables.size() > kMaxVariables)
    return false;
  for (AtomId v : variables) {
    if (!ranges[v].isFinite() || ranges[v].isEmpty())
      return false;
    // Ends that are 2^64 - 1 apart have a size of 0.
    uint64_t size = static_cast<uint64_t>(ranges[v].upper) -
                    static_cast<uint64_t>(ranges[v].lower) + 1;
    if (size == 0 || (!reduce && size > kMaxPoints))
      return false;
    uint64_t lowEnd = size;
    if (reduce) {
      const int64_t period = getPeriod(v, forms);
      if (period > 0 && static_cast<uint64_t>(period) < size / 2) {
        lowEnd = period;
        size = 2 * lowEnd;
      }
    }
    if (size > kMaxPoints || count * size > kMaxPoints)
      return false;
    count *= size;
    sizes.push_back(size);
    low.push_back(lowEnd);
  }
  return true;
}

bool Points::compute() {
  for (AtomId id : atoms) {
    const Atom &a = arena.getAtom(id);
    if (a.kind == AtomKind::Product) {
      int64_t product = 1;
      for (const Term &t : arena.body(id).terms)
        for (int64_t i = 0; i < t.coefficient; ++i)
          if (__builtin_mul_overflow(product, values[t.atom], &product))
            return false;
      values[id] = product;
      continue;
    }
    std::optional<int64_t> b = evaluate(arena.body(id));
    if (!b)
      return false;
    values[id] = a.kind == AtomKind::FloorDiv ? floorDivPositive(*b, a.divisor)
                                              : std::max<int64_t>(*b, 0);
  }
  return true;
}

bool Points::go(uint64_t index) {
  for (unsigned i = variables.size(); i-- > 0;) {
    const uint64_t at = index % sizes[i];
    index /= sizes[i];
    const Interval &range = ranges[variables[i]];
    values[variables[i]] =
        at < low[i] ? range.lower + static_cast<int64_t>(at)
                    : range.upper - static_cast<int64_t>(sizes[i] - 1 - at);
  }
  return compute();
}

bool Points::goToCorner(std::optional<AtomId> step) {
  for (AtomId v : variables)
    values[v] = ranges[v].lower + (step == v && !ranges[v].isPoint());
  return compute();
}

namespace {

class PointwiseSimplifier {
public:
  explicit PointwiseSimplifier(const MapStorage &map)
      : map(map), arena(map.arena),
        results(map.results.begin(), map.results.end()),
        constraints(map.constraints.begin(), map.constraints.end()) {}

  /// The smaller map, or unknown if there is nothing to do.
  IndexingMap run();

private:
  unsigned countDivisions(FormRef form) const;
  /// Step 2: goes to the six points; false if they don't exist.
  bool probe();
  /// Values at probe i; std::nullopt on overflow.
  std::optional<int64_t> evaluateAt(unsigned i, FormRef form) const {
    return FormArena::evaluate(form, probes[i]);
  }
  /// Whether all constraints but number `skipped` hold at probe i.
  bool holdsAt(unsigned i, std::optional<unsigned> skipped) const;
  bool isRefutedLinear(const Form &form) const;
  bool isRefuted(unsigned constraint) const;
  /// Constraints, all but number `skipped`, that hold only on points of
  /// `points`.
  SmallVector<unsigned, 4> getUsable(const Points &points,
                                     std::optional<unsigned> skipped) const;
  /// Steps 3 and 5.
  std::optional<Form> findLinear(const Form &form) const;
  std::optional<Form> findLinear(const Form &form, Points &points,
                                 ArrayRef<unsigned> usable,
                                 bool &hasPoints) const;
  /// Steps 4 and 5.
  bool isImplied(unsigned constraint, bool &isEmpty) const;
  bool holds(Points &points, ArrayRef<unsigned> usable) const;
  static bool isIn(const Points &points, const Constraint &c) {
    std::optional<int64_t> value = points.evaluate(c.form);
    return value && c.interval.contains(*value);
  }

  const MapStorage &map;
  const FormArena &arena;
  SmallVector<Form, 8> results;
  SmallVector<Constraint, 4> constraints;
  /// All atoms' values at x, x + a, x + b, x + a + b, x + c, x + a + c.
  static constexpr unsigned kProbes = 6;
  SmallVector<int64_t, 32> probes[kProbes];
  bool hasProbes = false;
};

} // namespace

unsigned PointwiseSimplifier::countDivisions(FormRef form) const {
  SmallVector<char, 32> used;
  arena.markUsed(form, used);
  unsigned count = 0;
  for (AtomId id = arena.getNumVariables(); id < used.size(); ++id)
    count += used[id] != 0;
  return count;
}

bool PointwiseSimplifier::probe() {
  SmallVector<int64_t, 8> points[kProbes];
  for (auto [v, range] : llvm::enumerate(map.ranges)) {
    std::optional<int64_t> span = checkedSub(range.upper, range.lower);
    if (!range.isFinite() || !span || *span < 0)
      return false;
    // Odd parts of the span: what mirrors an index about the middle of its
    // range mirrors the digits of a reshape, too, and would show nothing.
    const int64_t s = *span;
    int64_t a = std::max<int64_t>(1, s / 8 * 3),
            b = std::max<int64_t>(1, s / 2);
    int64_t c = s - a;
    if (s < 2) {
      a = v % 2 ? s : 0;
      b = c = s - a;
    }
    const int64_t x = range.lower;
    const int64_t values[kProbes] = {x,         x + a, x + b,
                                     x + a + b, x + c, x + a + c};
    for (unsigned i = 0; i < kProbes; ++i)
      points[i].push_back(values[i]);
  }
  for (unsigned i = 0; i < kProbes; ++i)
    if (!arena.evaluateAtoms(points[i], probes[i]))
      return false;
  return true;
}

bool PointwiseSimplifier::holdsAt(unsigned i,
                                  std::optional<unsigned> skipped) const {
  for (auto [j, c] : llvm::enumerate(constraints)) {
    std::optional<int64_t> value = evaluateAt(i, c.form);
    if (j != skipped && !(value && c.interval.contains(*value)))
      return false;
  }
  return true;
}

bool PointwiseSimplifier::isRefutedLinear(const Form &form) const {
  if (!hasProbes)
    return false;
  int64_t values[kProbes];
  for (unsigned i = 0; i < kProbes; ++i) {
    std::optional<int64_t> value = evaluateAt(i, form);
    if (!value || !holdsAt(i, std::nullopt))
      return false;
    values[i] = *value;
  }
  auto isLinear = [&](unsigned b, unsigned ab) {
    std::optional<int64_t> outer = checkedAdd(values[0], values[ab]);
    std::optional<int64_t> inner = checkedAdd(values[1], values[b]);
    return !outer || !inner || *outer == *inner;
  };
  return !isLinear(2, 3) || !isLinear(4, 5);
}

bool PointwiseSimplifier::isRefuted(unsigned constraint) const {
  const Constraint &c = constraints[constraint];
  for (unsigned i = 0; hasProbes && i < kProbes; ++i) {
    std::optional<int64_t> value = evaluateAt(i, c.form);
    if (value && !c.interval.contains(*value) && holdsAt(i, constraint))
      return true;
  }
  return false;
}

SmallVector<unsigned, 4>
PointwiseSimplifier::getUsable(const Points &points,
                               std::optional<unsigned> skipped) const {
  SmallVector<unsigned, 4> usable;
  SmallVector<char, 32> used;
  for (unsigned i = 0; i < constraints.size(); ++i) {
    if (i == skipped)
      continue;
    used.assign(arena.getNumAtoms(), 0);
    arena.markUsed(constraints[i].form, used);
    bool isInside = true;
    for (AtomId v = 0; v < arena.getNumVariables(); ++v)
      isInside &= !used[v] || llvm::is_contained(points.getVariables(), v);
    if (isInside)
      usable.push_back(i);
  }
  return usable;
}

bool PointwiseSimplifier::holds(Points &points,
                                ArrayRef<unsigned> usable) const {
  return llvm::all_of(usable,
                      [&](unsigned i) { return isIn(points, constraints[i]); });
}

std::optional<Form> PointwiseSimplifier::findLinear(const Form &form,
                                                    Points &points,
                                                    ArrayRef<unsigned> usable,
                                                    bool &hasPoints) const {
  SmallVector<Form, 8> candidates;
  // The slopes at the lowest corner.
  auto addCorner = [&] {
    if (!points.goToCorner(std::nullopt))
      return;
    std::optional<int64_t> base = points.evaluate(form);
    if (!base)
      return;
    Form linear(*base);
    for (AtomId v : points.getVariables()) {
      if (!points.goToCorner(v))
        return;
      std::optional<int64_t> slope = checkedSub(points.evaluate(form), base);
      std::optional<int64_t> constant =
          checkedSub(linear.constant, checkedMul(slope, map.ranges[v].lower));
      if (!constant)
        return;
      linear.constant = *constant;
      if (*slope != 0)
        linear.terms.push_back({v, *slope});
    }
    candidates.push_back(std::move(linear));
  };
  addCorner();
  bool isFirst = true;
  auto check = [&](uint64_t index) {
    if (!points.go(index))
      return false;
    if (!holds(points, usable))
      return true;
    std::optional<int64_t> value = points.evaluate(form);
    if (!value)
      return false;
    if (isFirst && !usable.empty()) {
      candidates.push_back(Form(*value));
      for (AtomId v : points.getVariables())
        for (int64_t sign : {1, -1})
          if (auto c = checkedSub(*value, sign * points[v])) {
            Form moved = Form::ofAtom(v, sign);
            moved.constant = *c;
            candidates.push_back(std::move(moved));
          }
    }
    isFirst = false;
    llvm::erase_if(candidates, [&](const Form &candidate) {
      return points.evaluate(candidate) != value;
    });
    return !candidates.empty();
  };
  const uint64_t n = points.size();
  for (uint64_t i = 0; i < kSamples; ++i)
    if (!check((2 * i + 1) * n / (2 * kSamples)))
      return std::nullopt;
  for (uint64_t i = 0; i < n; ++i)
    if (!check(i))
      return std::nullopt;
  hasPoints = !isFirst;
  if (isFirst || candidates.empty())
    return std::nullopt;
  // A constant before a variable before a sum.
  return *llvm::min_element(candidates, [](const Form &a, const Form &b) {
    return a.terms.size() < b.terms.size();
  });
}

std::optional<Form> PointwiseSimplifier::findLinear(const Form &form) const {
  Points points(arena, map.ranges);
  bool hasPoints = true;
  if (points.prepare({form}, /*reduce=*/true))
    if (auto linear = findLinear(form, points, {}, hasPoints))
      return linear;
  if (constraints.empty() || !points.prepare({form}, /*reduce=*/false))
    return std::nullopt;
  SmallVector<unsigned, 4> usable = getUsable(points, std::nullopt);
  if (usable.empty())
    return std::nullopt;
  SmallVector<FormRef, 4> forms = {form};
  for (unsigned i : usable)
    forms.push_back(constraints[i].form);
  if (!points.prepare(forms, /*reduce=*/false))
    return std::nullopt;
  return findLinear(form, points, usable, hasPoints);
}

bool PointwiseSimplifier::isImplied(unsigned constraint, bool &isEmpty) const {
  const Constraint &c = constraints[constraint];
  Points points(arena, map.ranges);
  auto holdsAt = [&](uint64_t index, ArrayRef<unsigned> usable,
                     bool &hasPoints) {
    if (!points.go(index))
      return false;
    if (!holds(points, usable))
      return true;
    bool result = isIn(points, c);
    hasPoints |= result;
    return result;
  };
  auto holdsEverywhere = [&](ArrayRef<unsigned> usable, bool &hasPoints) {
    const uint64_t n = points.size();
    for (uint64_t i = 0; i < kSamples; ++i)
      if (!holdsAt((2 * i + 1) * n / (2 * kSamples), usable, hasPoints))
        return false;
    for (uint64_t i = 0; i < n; ++i)
      if (!holdsAt(i, usable, hasPoints))
        return false;
    return true;
  };
  bool hasPoints = false;
  if (points.prepare({c.form}, /*reduce=*/true) &&
      holdsEverywhere({}, hasPoints))
    return true;
  if (constraints.size() < 2 || !points.prepare({c.form}, /*reduce=*/false))
    return false;
  SmallVector<unsigned, 4> usable = getUsable(points, constraint);
  if (usable.empty())
    return false;
  SmallVector<FormRef, 4> forms = {c.form};
  for (unsigned i : usable)
    forms.push_back(constraints[i].form);
  hasPoints = false;
  if (!points.prepare(forms, /*reduce=*/false) ||
      !holdsEverywhere(usable, hasPoints))
    return false;
  isEmpty = !hasPoints;
  return true;
}

IndexingMap PointwiseSimplifier::run() {
  bool changed = false, isEmpty = false, isProbed = false;
  auto probeOnce = [&] {
    if (!isProbed)
      hasProbes = probe();
    isProbed = true;
  };
  for (Form &form : results) {
    // A single division that is left has no other form.
    if (form.isConstant() || arena.isVariable(form.terms.back().atom) ||
        countDivisions(form) < 2)
      continue;
    probeOnce();
    if (isRefutedLinear(form))
      continue;
    if (std::optional<Form> linear = findLinear(form)) {
      form = std::move(*linear);
      changed = true;
    }
  }
  for (unsigned i = constraints.size(); i-- > 0 && !isEmpty;) {
    if (arena.isVariable(constraints[i].form.terms.back().atom))
      continue;
    probeOnce();
    if (isRefuted(i) || !isImplied(i, isEmpty))
      continue;
    constraints.erase(constraints.begin() + i);
    changed = true;
  }
  if (!changed)
    return IndexingMap();
  llvm::IntrusiveRefCntPtr<MapStorage> s(new MapStorage(map));
  s->results.assign(results.begin(), results.end());
  s->constraints.assign(constraints.begin(), constraints.end());
  if (isEmpty) {
    s->state = MapState::KnownEmpty;
    s->constraints.clear();
  }
  return MapStorage::finish(std::move(s));
}

std::optional<IndexingMap>
MapStorage::simplifyByPoints(const IndexingMap &map) {
  const MapStorage &s = of(map);
  if (s.arena.getNumAtoms() == s.arena.getNumVariables())
    return std::nullopt;
  IndexingMap result = PointwiseSimplifier(s).run();
  if (result.isUnknown())
    return std::nullopt;
  return result;
}

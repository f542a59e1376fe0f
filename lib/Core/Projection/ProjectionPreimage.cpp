//===- ProjectionPreimage.cpp - Which points touch a box ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region touches [lo, hi) if its start lies in [lo - shape + 1, hi), and lies
// in it if its start lies in [lo, hi - shape + 1): bounds on linear forms.
//
//   1. Tighten the range of each axis by every row, given the others' ranges.
//   2. Axes that no row connects are independent: counts multiply, hulls are
//      side by side. One axis alone is an interval.
//   3. The other components are walked: all axes but the longest point by
//      point, the longest as the interval that is left. Past the budget the
//      tightened ranges are the hull, and there is no count.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Core/Support.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
using Wide = __int128;

/// A factor and the axis it belongs to.
struct WideTerm {
  size_t axis;
  int64_t factor;
};

/// from ≤ Σ terms ≤ to.
struct Bound {
  SmallVector<WideTerm, 4> terms;
  Wide from = 0, to = 0;
};

/// Inclusive.
struct AxisRange {
  int64_t lo, hi;
  bool isEmpty() const { return lo > hi; }
};

/// The points of a component: ranges of its axes that fit tightly, and how many
/// points there are.
struct Part {
  SmallVector<size_t, 8> axes;
  SmallVector<const Bound *, 4> bounds;
  std::optional<uint64_t> count;
  /// Ranges are the smallest.
  bool isTight = false;
};

class Solver {
public:
  Solver(SmallVector<AxisRange, 8> ranges, SmallVector<Bound, 4> bounds,
         uint64_t budget)
      : ranges(std::move(ranges)), bounds(std::move(bounds)), budget(budget) {}

  Footprint solve();

private:
  bool tighten();
  bool narrow(const Bound &bound, size_t axis, ArrayRef<AxisRange> in,
              AxisRange &range) const;
  SmallVector<Part, 4> getParts() const;
  bool walk(Part &part);

  SmallVector<AxisRange, 8> ranges;
  SmallVector<Bound, 4> bounds;
  uint64_t budget;
};
} // namespace

/// The box without dimensions has one point: it is not the empty set.
static Exactness kindOfNothing(size_t rank) {
  return rank == 0 ? Exactness::Hull : Exactness::Exact;
}

static Wide floorDivide(Wide a, Wide b) {
  Wide q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

/// Cuts `range` of `axis` to what `bound` leaves, the other axes having the
/// ranges `in`. Sums of products stay far below
/// 2^127: every partial sum over the domain fits 64 bits, which was checked.
bool Solver::narrow(const Bound &bound, size_t axis, ArrayRef<AxisRange> in,
                    AxisRange &range) const {
  Wide least = 0, most = 0;
  int64_t factor = 0;
  for (const WideTerm &term : bound.terms) {
    if (term.axis == axis) {
      factor = term.factor;
      continue;
    }
    const Wide a = static_cast<Wide>(term.factor) * in[term.axis].lo;
    const Wide b = static_cast<Wide>(term.factor) * in[term.axis].hi;
    least += std::min(a, b);
    most += std::max(a, b);
  }
  const Wide from = bound.from - most, to = bound.to - least;
  if (factor == 0)
    return from <= 0 && 0 <= to;
  Wide lo, hi;
  if (factor > 0) {
    lo = -floorDivide(-from, factor);
    hi = floorDivide(to, factor);
  } else {
    lo = -floorDivide(-to, factor);
    hi = floorDivide(from, factor);
  }
  if (lo > range.lo)
    range.lo = static_cast<int64_t>(std::min<Wide>(lo, INT64_MAX));
  if (hi < range.hi)
    range.hi = static_cast<int64_t>(std::max<Wide>(hi, INT64_MIN));
  return lo <= hi && !range.isEmpty();
}

/// Step 1; false if nothing is left. A few rounds: what they leave is walked.
bool Solver::tighten() {
  for (unsigned round = 0; round != 8; ++round) {
    bool changed = false;
    for (const Bound &bound : bounds) {
      if (bound.terms.empty() && (bound.from > 0 || bound.to < 0))
        return false;
      for (const WideTerm &term : bound.terms) {
        AxisRange range = ranges[term.axis];
        if (!narrow(bound, term.axis, ranges, range))
          return false;
        changed |= range.lo != ranges[term.axis].lo ||
                   range.hi != ranges[term.axis].hi;
        ranges[term.axis] = range;
      }
    }
    if (!changed)
      break;
  }
  return true;
}

SmallVector<Part, 4> Solver::getParts() const {
  SmallVector<size_t, 8> root(ranges.size());
  std::iota(root.begin(), root.end(), size_t(0));
  auto find = [&](size_t a) {
    while (root[a] != a)
      a = root[a] = root[root[a]];
    return a;
  };
  for (const Bound &bound : bounds)
    for (const WideTerm &term : bound.terms)
      root[find(term.axis)] = find(bound.terms.front().axis);
  SmallVector<Part, 4> parts;
  SmallVector<int, 8> number(ranges.size(), -1);
  for (size_t a = 0; a != ranges.size(); ++a) {
    int &n = number[find(a)];
    if (n < 0) {
      n = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    parts[n].axes.push_back(a);
  }
  for (const Bound &bound : bounds)
    if (!bound.terms.empty())
      parts[number[find(bound.terms.front().axis)]].bounds.push_back(&bound);
  return parts;
}

/// Step 3: an odometer over all axes but the last. False if there is no point.
bool Solver::walk(Part &part) {
  SmallVector<size_t, 8> axes = part.axes;
  auto extentOf = [&](size_t axis) {
    return static_cast<uint64_t>(ranges[axis].hi) -
           static_cast<uint64_t>(ranges[axis].lo);
  };
  llvm::sort(axes, [&](size_t a, size_t b) {
    return std::pair(extentOf(a), a) < std::pair(extentOf(b), b);
  });
  const size_t last = axes.size() - 1;
  // What each axis may be, given those before it.
  SmallVector<AxisRange, 8> now(ranges.begin(), ranges.end());
  SmallVector<AxisRange, 8> limits(axes.size());
  SmallVector<AxisRange, 8> tight(axes.size(), {INT64_MAX, INT64_MIN});
  std::optional<uint64_t> count = 0;

  auto enter = [&](size_t depth) {
    const size_t axis = axes[depth];
    AxisRange range = ranges[axis];
    now[axis] = range;
    for (size_t later = depth + 1; later != axes.size(); ++later)
      now[axes[later]] = ranges[axes[later]];
    bool fits = true;
    for (const Bound *bound : part.bounds)
      fits = fits && narrow(*bound, axis, now, range);
    limits[depth] = fits ? range : AxisRange{1, 0};
  };
  size_t depth = 0;
  enter(0);
  for (;;) {
    if (budget == 0)
      return true;
    --budget;
    AxisRange &limit = limits[depth];
    if (limit.isEmpty()) {
      if (depth == 0)
        break;
      --depth;
      AxisRange &before = limits[depth];
      if (before.lo == before.hi)
        before = {1, 0};
      else
        ++before.lo;
      continue;
    }
    if (depth != last) {
      now[axes[depth]] = {limit.lo, limit.lo};
      enter(++depth);
      continue;
    }
    // All others are points: every value is one, unless a bound without this
    // axis fails, which `narrow` has looked at.
    const uint64_t length =
        static_cast<uint64_t>(limit.hi) - static_cast<uint64_t>(limit.lo) + 1;
    if (count && __builtin_add_overflow(*count, length, &*count))
      count.reset();
    for (size_t d = 0; d != axes.size(); ++d) {
      const int64_t lo = d == last ? limit.lo : limits[d].lo;
      const int64_t hi = d == last ? limit.hi : limits[d].lo;
      tight[d].lo = std::min(tight[d].lo, lo);
      tight[d].hi = std::max(tight[d].hi, hi);
    }
    limit = {1, 0};
  }
  for (size_t d = 0; d != axes.size(); ++d)
    ranges[axes[d]] = tight[d];
  part.count = count;
  part.isTight = true;
  return !tight.front().isEmpty();
}

Footprint Solver::solve() {
  Footprint result;
  result.kind = Exactness::Exact;
  result.hull.emplace();
  auto empty = [&] {
    result.hull->lo.assign(ranges.size(), 0);
    result.hull->hi.assign(ranges.size(), 0);
    result.count = 0;
    result.kind = kindOfNothing(ranges.size());
    return result;
  };
  if (!tighten())
    return empty();
  result.count = 1;
  for (Part &part : getParts()) {
    if (part.axes.size() == 1) {
      // Each bound has this axis alone, and has been applied.
      const AxisRange &range = ranges[part.axes.front()];
      part.isTight = true;
      part.count =
          static_cast<uint64_t>(range.hi) - static_cast<uint64_t>(range.lo) + 1;
    } else if (!walk(part)) {
      return empty();
    }
    std::optional<uint64_t> volume = 1;
    for (size_t axis : part.axes) {
      const uint64_t extent = static_cast<uint64_t>(ranges[axis].hi) -
                              static_cast<uint64_t>(ranges[axis].lo) + 1;
      if (volume && __builtin_mul_overflow(*volume, extent, &*volume))
        volume.reset();
    }
    if (!part.isTight || !part.count || part.count != volume)
      result.kind = Exactness::Hull;
    if (!part.count || !result.count ||
        __builtin_mul_overflow(*result.count, *part.count, &*result.count))
      result.count.reset();
  }
  for (const AxisRange &range : ranges) {
    result.hull->lo.push_back(range.lo);
    result.hull->hi.push_back(range.hi + 1);
  }
  return result;
}

Footprint mlir::tensoraccess::getPreimage(const Projection &projection,
                                          const Box &box, const Box &domain,
                                          bool contained, uint64_t budget) {
  const size_t rows = projection.getNumRows();
  const size_t columns = projection.getNumColumns();
  if (box.lo.size() != rows || domain.lo.size() != columns)
    return {};
  Footprint none;
  none.kind = kindOfNothing(columns);
  none.hull.emplace();
  none.hull->lo.assign(columns, 0);
  none.hull->hi.assign(columns, 0);
  none.count = 0;
  if (box.isEmpty() || domain.isEmpty())
    return none;
  // All starts over the domain fit 64 bits; so do all sums of a row from here.
  if (!projection.getHull(domain))
    return {};

  SmallVector<AxisRange, 8> ranges;
  for (auto [lo, hi] : llvm::zip_equal(domain.lo, domain.hi))
    ranges.push_back({lo, hi - 1});
  SmallVector<Bound, 4> bounds;
  for (size_t r = 0; r != rows; ++r) {
    Bound &bound = bounds.emplace_back();
    for (size_t c = 0; c != columns; ++c)
      if (projection.matrix[r][c] != 0)
        bound.terms.push_back({c, projection.matrix[r][c]});
    Wide constant = projection.offset[r];
    if (projection.anchor)
      constant += (*projection.anchor)[r];
    const Wide reach = projection.shape[r] - 1;
    bound.from = Wide(box.lo[r]) - (contained ? 0 : reach) - constant;
    bound.to = Wide(box.hi[r]) - 1 - (contained ? reach : 0) - constant;
    if (bound.from > bound.to)
      return none;
  }
  return Solver(std::move(ranges), std::move(bounds), budget).solve();
}

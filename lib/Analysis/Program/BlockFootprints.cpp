//===- BlockFootprints.cpp - What a block of an op touches ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block touches through one map:
//
//   1. Conditions that hold everywhere in the block are dropped, and one that
//      holds nowhere leaves nothing: the range of a sum over a box is exact.
//   2. Without conditions the projection answers.
//   3. A condition that restricts a row of the tensor cuts the image off there:
//      the points whose image lies in a box have that part of the image. Rows
//      that are independent are cut one by one.
//   4. Everything else is asked of the map, restricted to the block.
//
// Growth is a difference of counts, since a larger block touches all that a
// smaller one does; what neighbours share is |A| + |B| - |A ∪ B|, and two
// neighbours are one block together.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockSpace.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Rows of the hull, where no lattice is known.
static void addHullRows(ProjectionFootprint &footprint) {
  footprint.rows.clear();
  if (!footprint.hull || footprint.hull->isEmpty())
    return;
  const bool isExact = footprint.kind == Exactness::Exact;
  for (auto [lo, hi] : llvm::zip_equal(footprint.hull->lo, footprint.hull->hi))
    footprint.rows.push_back(RowLattice::interval(lo, hi, isExact));
  footprint.isProduct = isExact;
}

static IndexingMap restrictTo(const IndexingMap &map, const Box &block) {
  SmallVector<Interval> ranges(map.getRanges());
  for (size_t a = 0; a != block.lo.size(); ++a)
    ranges[a] = ranges[a].intersect({block.lo[a], block.hi[a] - 1});
  return map.restrictRanges(ranges);
}

static ProjectionFootprint askMap(const BlockMap &map, const Box &block,
                                  uint64_t budget) {
  ProjectionFootprint answer;
  static_cast<Footprint &>(answer) =
      getImage(restrictTo(map.map, block), nullptr, budget);
  if (answer.count == 0)
    return getEmptyFootprint(map.map.getNumResults());
  addHullRows(answer);
  return answer;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {
enum class Holds : uint8_t { Everywhere, Somewhere, Nowhere };
} // namespace

/// Whether a condition holds on a block that is not empty.
static Holds check(const BlockCondition &condition, const Box &block,
                   ArrayRef<Interval> symbols) {
  Interval sum = Interval::point(condition.constant);
  for (auto [c, factor] : llvm::enumerate(condition.factors)) {
    if (factor == 0)
      continue;
    const Interval range = c < block.lo.size()
                               ? Interval(block.lo[c], block.hi[c] - 1)
                               : symbols[c - block.lo.size()];
    sum = sum + range.scaled(factor);
  }
  if (condition.interval.contains(sum))
    return Holds::Everywhere;
  return condition.interval.intersect(sum).isEmpty() ? Holds::Nowhere
                                                     : Holds::Somewhere;
}

/// The part of a product of rows that lies within `places`.
static ProjectionFootprint cut(ProjectionFootprint whole,
                               ArrayRef<std::pair<unsigned, Interval>> places) {
  SmallVector<uint64_t, 4> counts;
  for (const RowLattice &row : whole.rows)
    counts.push_back(row.getNumPlaces());
  for (const auto &[r, interval] : places) {
    SmallVector<RowLattice, 4> parts;
    whole.rows[r].clip(interval.lower, interval.upper + interval.hasUpper(),
                       parts);
    if (parts.empty())
      return getEmptyFootprint(whole.rows.size());
    counts[r] = 0;
    for (const RowLattice &part : parts)
      counts[r] += part.getNumPlaces();
    // An end in the middle of a run is not a lattice: the caller asks the map
    // if the row is cut again.
    whole.hull->lo[r] = parts.front().first;
    whole.hull->hi[r] = parts.back().getEnd();
    whole.rows[r] =
        parts.size() == 1
            ? parts.front()
            : RowLattice::interval(whole.hull->lo[r], whole.hull->hi[r], false);
  }
  std::optional<uint64_t> total = 1;
  bool isDense = true, isExact = true;
  for (auto [row, count] : llvm::zip_equal(whole.rows, counts)) {
    uint64_t more;
    total = total && !__builtin_mul_overflow(*total, count, &more)
                ? std::optional(more)
                : std::nullopt;
    isExact &= row.isExact;
    isDense &= row.isExact && row.count == 1;
  }
  whole.count = total;
  whole.isProduct = isExact;
  whole.kind = isDense ? Exactness::Exact : Exactness::Hull;
  return whole;
}

//===----------------------------------------------------------------------===//
// One map
//===----------------------------------------------------------------------===//

static ProjectionFootprint getMapFootprint(const BlockMap &map,
                                           const Box &block, uint64_t budget) {
  const size_t rank = map.map.getNumResults();
  if (!map.projection)
    return askMap(map, block, budget);
  SmallVector<std::pair<unsigned, Interval>, 4> places;
  for (const BlockCondition &condition : map.conditions) {
    switch (check(condition, block, map.symbols)) {
    case Holds::Everywhere:
      continue;
    case Holds::Nowhere:
      return getEmptyFootprint(rank);
    case Holds::Somewhere:
      break;
    }
    if (!condition.row || llvm::any_of(places, [&](const auto &other) {
          return other.first == *condition.row;
        }))
      return askMap(map, block, budget);
    places.emplace_back(*condition.row, condition.places);
  }

  Box points = map.domain;
  for (size_t a = 0, e = block.lo.size(); a != e; ++a) {
    points.lo[a] = std::max(points.lo[a], block.lo[a]);
    points.hi[a] = std::min(points.hi[a], block.hi[a]);
  }
  if (points.isEmpty())
    return getEmptyFootprint(rank);
  // An element without dimensions has no columns.
  points.lo.resize(map.projection->getNumColumns());
  points.hi.resize(map.projection->getNumColumns());
  ProjectionFootprint footprint = getFootprint(*map.projection, points, budget);
  if (places.empty())
    return footprint;
  if (!footprint.hull || !footprint.isProduct)
    return askMap(map, block, budget);
  return cut(std::move(footprint), places);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The union of what several maps reach.
static ProjectionFootprint getUnion(const BlockValue &value, const Box &block,
                                    uint64_t budget) {
  SmallVector<ProjectionFootprint, 4> parts;
  SmallVector<IndexingMap, 4> maps;
  for (const BlockMap &map : value.maps) {
    ProjectionFootprint part = getMapFootprint(map, block, budget);
    if (part.count == 0)
      continue;
    if (!part.hull)
      return {};
    parts.push_back(std::move(part));
    maps.push_back(restrictTo(map.map, block));
  }
  if (parts.empty())
    return getEmptyFootprint(value.shape.size());
  if (parts.size() == 1)
    return std::move(parts.front());
  SmallVector<Box, 4> hulls;
  for (const ProjectionFootprint &part : parts)
    hulls.push_back(*part.hull);
  ProjectionFootprint all;
  all.hull = getBoundingBox(hulls);
  all.kind = Exactness::Hull;
  std::optional<uint64_t> volume = getVolume(*all.hull);
  for (const ProjectionFootprint &part : parts)
    if (part.kind == Exactness::Exact && part.hull == all.hull)
      all.count = volume;
  if (!all.count)
    all.count = countUnion(maps, budget);
  if (all.count && all.count == volume)
    all.kind = Exactness::Exact;
  addHullRows(all);
  return all;
}

/// Whether a block has all of every reduction.
static bool hasWholeReductions(const BlockSpace &space, const Box &block) {
  for (auto [a, axis] : llvm::enumerate(space.axes))
    if (axis.isReduction && (block.lo[a] != 0 || block.hi[a] != axis.extent))
      return false;
  return true;
}

ProjectionFootprint mlir::tensoraccess::getFootprint(const BlockSpace &space,
                                                     const BlockValue &value,
                                                     const Box &block,
                                                     uint64_t budget) {
  if (value.reason != IndexingReason::None)
    return {};
  const size_t rank = value.shape.size();
  if (value.maps.empty() || block.isEmpty())
    return getEmptyFootprint(rank);
  ProjectionFootprint footprint =
      value.maps.size() == 1 ? getMapFootprint(value.maps[0], block, budget)
                             : getUnion(value, block, budget);
  if (value.needsWholeReductions && footprint.count != 0 &&
      footprint.kind != Exactness::Unknown &&
      !hasWholeReductions(space, block)) {
    footprint.kind = Exactness::Hull;
    footprint.count.reset();
    addHullRows(footprint);
  }
  return footprint;
}

/// Adds count · bytes of an element to a sum that may then be unknown.
static void addBytes(std::optional<uint64_t> &sum,
                     std::optional<uint64_t> count,
                     std::optional<uint64_t> bytes) {
  uint64_t product, total;
  if (!sum || !count || !bytes ||
      __builtin_mul_overflow(*count, *bytes, &product) ||
      __builtin_add_overflow(*sum, product, &total))
    sum.reset();
  else
    sum = total;
}

BlockFootprints mlir::tensoraccess::getBlockFootprints(const BlockSpace &space,
                                                       const Box &block,
                                                       uint64_t budget) {
  BlockFootprints out;
  out.points = getVolume(block);
  out.operations = multiplyCounts(out.points, space.operationsPerPoint);
  out.bytesIn = out.bytesOut = 0;
  out.values.reserve(space.values.size());
  for (const BlockValue &value : space.values) {
    out.values.push_back(getFootprint(space, value, block, budget));
    if (!value.isRepeated)
      addBytes(value.role == BlockValue::Role::Result ? out.bytesOut
                                                      : out.bytesIn,
               out.values.back().count, value.elementBytes);
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

/// Whether what a block touches depends on its position along an axis, between
/// `lo` and `hi`.
static bool dependsOn(const BlockValue &value, unsigned axis, int64_t lo,
                      int64_t hi) {
  return llvm::any_of(value.maps, [&](const BlockMap &map) {
    if (!map.projection)
      return true;
    if (map.domain.lo[axis] > lo || map.domain.hi[axis] < hi)
      return true;
    return llvm::any_of(map.projection->matrix,
                        [&](const auto &row) { return row[axis] != 0; }) ||
           llvm::any_of(map.conditions, [&](const BlockCondition &condition) {
             return condition.factors[axis] != 0;
           });
  });
}

BlockGrowth
mlir::tensoraccess::getBlockGrowth(const BlockSpace &space, const Box &block,
                                   const BlockFootprints &footprints,
                                   unsigned axis, uint64_t budget) {
  BlockGrowth out;
  out.axis = axis;
  const std::optional<int64_t> extent = space.axes[axis].extent;
  const int64_t lo = block.lo[axis], hi = block.hi[axis], size = hi - lo;
  const int64_t end = extent.value_or(Interval::kNoUpper - 1);
  out.hasNext = hi < end;
  out.hasPrevious = lo > 0;
  auto along = [&](int64_t from, int64_t to) {
    Box box = block;
    box.lo[axis] = from;
    box.hi[axis] = to;
    return box;
  };
  const int64_t next = size < end - hi ? hi + size : end;
  const int64_t previous = std::max<int64_t>(0, lo - size);

  if (out.hasNext) {
    out.bytesIn = out.bytesOut = out.sharedNext = 0;
    out.points = getVolume(along(hi, hi + 1));
    out.operations = multiplyCounts(out.points, space.operationsPerPoint);
  }
  if (out.hasPrevious)
    out.sharedPrevious = 0;
  for (size_t v = 0; v != space.values.size(); ++v) {
    const BlockValue &value = space.values[v];
    const ProjectionFootprint &own = footprints.values[v];
    BlockGrowth::OfValue &growth = out.values.emplace_back();
    auto count = [&](int64_t from, int64_t to) {
      return getFootprint(space, value, along(from, to), budget).count;
    };
    if (!block.isEmpty() && value.reason == IndexingReason::None &&
        !value.needsWholeReductions &&
        !dependsOn(value, axis, previous, std::max(next, hi + 1))) {
      if (out.hasNext) {
        growth.added = own.count ? std::optional(uint64_t(0)) : std::nullopt;
        growth.sharedNext = own.count;
      }
      if (out.hasPrevious)
        growth.sharedPrevious = own.count;
    } else {
      if (out.hasNext) {
        std::optional<uint64_t> more = count(lo, hi + 1);
        if (more && own.count)
          growth.added = *more - *own.count;
        growth.sharedNext =
            countShared(own.count, count(hi, next), count(lo, next));
      }
      if (out.hasPrevious)
        growth.sharedPrevious =
            countShared(own.count, count(previous, lo), count(previous, hi));
    }
    if (value.isRepeated)
      continue;
    const bool isResult = value.role == BlockValue::Role::Result;
    if (out.hasNext) {
      addBytes(isResult ? out.bytesOut : out.bytesIn, growth.added,
               value.elementBytes);
      if (!isResult)
        addBytes(out.sharedNext, growth.sharedNext, value.elementBytes);
    }
    if (out.hasPrevious && !isResult)
      addBytes(out.sharedPrevious, growth.sharedPrevious, value.elementBytes);
  }
  return out;
}

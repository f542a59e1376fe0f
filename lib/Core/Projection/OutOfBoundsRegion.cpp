//===- OutOfBoundsRegion.cpp - What a block needs of a tensor -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. A block's image that is the product of its rows is resolved row by row:
//      runs of a row are cut at multiples of the size (wrap), at 0 (negative),
//      at both ends (clamp and pad), and moved. Runs of different laps may fall
//      on one another; then they are written out as intervals and merged.
//   2. Another image is written out as segments (SegmentSet.h) and resolved
//      segment by segment.
//   3. Past the budget the answer is the product of the resolved hulls.
//
//===----------------------------------------------------------------------===//

#include "SegmentSet.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
using Kind = OutOfBounds::Kind;
using Wide = __int128;

/// Runs of one row that share no place.
using Runs = SmallVector<RowLattice, 4>;

/// A row's elements. Without `isExact` they are within the runs.
struct RowElements {
  Runs runs;
  bool isExact = true;
  uint64_t padded = 0;
};

/// A region, and how many of its elements a box owns (std::nullopt if unknown).
struct OwnedRegion {
  OutOfBoundsRegion region;
  std::optional<uint64_t> owned;
};
} // namespace

static uint64_t countRuns(const Runs &runs) {
  uint64_t total = 0;
  for (const RowLattice &run : runs)
    total += run.getNumPlaces();
  return total;
}

/// How many places of the runs lie in [lo, hi).
static uint64_t countWithin(const Runs &runs, int64_t lo, int64_t hi) {
  Runs inside;
  for (const RowLattice &run : runs)
    run.clip(lo, hi, inside);
  return countRuns(inside);
}

/// All runs as disjoint intervals in order; false past the budget.
static bool writeOut(Runs &runs, uint64_t budget) {
  uint64_t total = 0;
  for (const RowLattice &run : runs)
    if (__builtin_add_overflow(total, run.count, &total) || total > budget)
      return false;
  SmallVector<std::pair<int64_t, int64_t>, 8> intervals;
  for (const RowLattice &run : runs)
    for (uint64_t k = 0; k != run.count; ++k) {
      const int64_t begin = static_cast<int64_t>(run.first + k * run.stride);
      intervals.emplace_back(begin, static_cast<int64_t>(begin + run.run));
    }
  llvm::sort(intervals);
  runs.clear();
  for (auto [lo, hi] : intervals) {
    if (!runs.empty() && runs.back().getEnd() >= lo)
      runs.back() = RowLattice::interval(runs.back().first,
                                         std::max(hi, runs.back().getEnd()));
    else
      runs.push_back(RowLattice::interval(lo, hi));
  }
  return true;
}

/// Step 1 for a row whose places are allowed.
static RowElements resolveRow(const RowLattice &places, Kind kind, int64_t size,
                              uint64_t budget) {
  RowElements out;
  out.isExact = places.isExact;
  const int64_t lo = places.first, hi = places.getEnd();
  places.clip(0, size, out.runs);
  if (lo >= 0 && hi <= size)
    return out;
  const uint64_t inside = countRuns(out.runs);
  switch (kind) {
  case Kind::Forbid:
    break;
  case Kind::Pad:
    out.padded = places.getNumPlaces() - inside;
    break;
  case Kind::Clamp: {
    // The ends may be there already.
    auto add = [&](int64_t element) {
      if (countWithin(out.runs, element, element + 1) == 0)
        out.runs.push_back(RowLattice::interval(element, element + 1));
    };
    if (lo < 0)
      add(0);
    if (hi > size)
      add(size - 1);
    break;
  }
  case Kind::Wrap:
  case Kind::Negative: {
    if (size == 0)
      break;
    const int64_t firstLap = floorDivPositive(lo, size);
    const int64_t lastLap = floorDivPositive(hi - 1, size);
    // A dense stretch of a lap or more is everything.
    if (places.isDense() &&
        static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) >=
            static_cast<uint64_t>(size)) {
      out.runs = {RowLattice::interval(0, size)};
      break;
    }
    if (static_cast<uint64_t>(lastLap) - static_cast<uint64_t>(firstLap) >=
        budget) {
      out.runs = {RowLattice::interval(0, size)};
      out.isExact = false;
      break;
    }
    out.runs.clear();
    for (int64_t lap = firstLap; lap <= lastLap; ++lap) {
      // Laps lie between lo and hi, so their ends fit but for the outermost.
      const int64_t begin = lap == firstLap ? lo : lap * size;
      const int64_t end = lap == lastLap ? hi : (lap + 1) * size;
      Runs part;
      places.clip(begin, end, part);
      for (RowLattice &run : part) {
        run.first = floorModPositive(run.first, size);
        out.runs.push_back(run);
      }
    }
    if (firstLap != lastLap && !writeOut(out.runs, budget)) {
      out.runs = {RowLattice::interval(0, size)};
      out.isExact = false;
    }
    break;
  }
  }
  return out;
}

/// The first dimension in which a place of the hull is forbidden. The hull's
/// ends are places in every dimension.
static std::optional<std::string> findForbidden(const Projection &projection,
                                                const Box &hull,
                                                ArrayRef<int64_t> sizes) {
  for (size_t d = 0; d != sizes.size(); ++d)
    for (int64_t place : {hull.lo[d], hull.hi[d] - 1}) {
      int64_t element = place;
      if (resolvePlace(projection.getOutOfBounds(d).kind, sizes[d], element) !=
          Resolved::Kind::Forbidden)
        continue;
      return describeForbidden(projection.getOutOfBounds(d).kind, place,
                               "dimension " + std::to_string(d), sizes[d]);
    }
  return std::nullopt;
}

static void setEmpty(OutOfBoundsRegion &region, size_t rank) {
  region.elements = getEmptyFootprint(rank);
  region.boxes.clear();
  region.areBoxesExact = true;
}

/// The product of the rows' elements.
static void combineRows(ArrayRef<RowElements> rows, bool isExact,
                        const Box *owned, OwnedRegion &result) {
  OutOfBoundsRegion &region = result.region;
  Footprint &elements = region.elements;
  elements.hull.emplace();
  elements.count = 1;
  result.owned = 1;
  bool isDense = true;
  uint64_t numBoxes = 1;
  for (auto [d, row] : llvm::enumerate(rows)) {
    if (row.runs.empty()) {
      result.owned = 0;
      return setEmpty(region, rows.size());
    }
    int64_t lo = row.runs.front().first, hi = row.runs.front().getEnd();
    uint64_t pieces = 0;
    for (const RowLattice &run : row.runs) {
      lo = std::min(lo, run.first);
      hi = std::max(hi, run.getEnd());
      pieces += std::min<uint64_t>(run.count, kMaxRegionBoxes + 1);
    }
    const uint64_t count = countRuns(row.runs);
    isDense &= count == static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    isExact &= row.isExact;
    elements.hull->lo.push_back(lo);
    elements.hull->hi.push_back(hi);
    if (elements.count &&
        __builtin_mul_overflow(*elements.count, count, &*elements.count))
      elements.count.reset();
    if (owned && result.owned &&
        __builtin_mul_overflow(
            *result.owned, countWithin(row.runs, owned->lo[d], owned->hi[d]),
            &*result.owned))
      result.owned.reset();
    numBoxes = std::min<uint64_t>(
        numBoxes * std::min<uint64_t>(pieces, kMaxRegionBoxes + 1),
        kMaxRegionBoxes + 1);
  }
  if (!isExact) {
    elements.count.reset();
    result.owned.reset();
  }
  elements.kind = isExact && isDense ? Exactness::Exact : Exactness::Hull;
  if (numBoxes > kMaxRegionBoxes) {
    region.boxes = {*elements.hull};
    region.areBoxesExact = elements.kind == Exactness::Exact;
    return;
  }
  region.areBoxesExact = isExact;
  region.boxes = {Box()};
  for (const RowElements &row : rows) {
    Runs runs = row.runs;
    writeOut(runs, kMaxRegionBoxes);
    SmallVector<Box, 2> longer;
    for (const Box &box : region.boxes)
      for (const RowLattice &run : runs) {
        longer.push_back(box);
        longer.back().lo.push_back(run.first);
        longer.back().hi.push_back(run.getEnd());
      }
    region.boxes = std::move(longer);
  }
}

/// `owned` may be null; else it has the tensor's rank.
static std::optional<OwnedRegion>
resolveBlock(const Projection &projection, const Box &block,
             ArrayRef<int64_t> sizes, const Box *owned, std::string &error,
             uint64_t budget) {
  const size_t rank = projection.getNumRows();
  if (block.lo.size() != projection.getNumColumns()) {
    error = "the projection has " + std::to_string(projection.getNumColumns()) +
            " columns, got a block of rank " + std::to_string(block.lo.size());
    return std::nullopt;
  }
  if (sizes.size() != rank) {
    error = "the projection has " + std::to_string(rank) + " rows, got " +
            std::to_string(sizes.size()) + " sizes";
    return std::nullopt;
  }
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size < 0) {
      error = "size " + std::to_string(d) + " must not be negative, got " +
              std::to_string(size);
      return std::nullopt;
    }
  ProjectionFootprint places = getFootprint(projection, block, budget);
  if (!places.hull) {
    error = describeOverflow(projection, block);
    return std::nullopt;
  }
  OwnedRegion result;
  OutOfBoundsRegion &region = result.region;
  region.padded = 0;
  if (places.count == 0) {
    setEmpty(region, rank);
    result.owned = 0;
    return result;
  }
  if (std::optional<std::string> problem =
          findForbidden(projection, *places.hull, sizes)) {
    error = *problem;
    return std::nullopt;
  }
  const bool isDense = places.kind == Exactness::Exact;
  if (places.isProduct || isDense || rank == 0) {
    SmallVector<RowElements, 4> rows;
    std::optional<uint64_t> unpadded = 1;
    for (size_t d = 0; d != rank; ++d) {
      RowLattice row = places.rows[d];
      if (isDense)
        row = RowLattice::interval(places.hull->lo[d], places.hull->hi[d]);
      rows.push_back(
          resolveRow(row, projection.getOutOfBounds(d).kind, sizes[d], budget));
      if (unpadded &&
          __builtin_mul_overflow(
              *unpadded, row.getNumPlaces() - rows.back().padded, &*unpadded))
        unpadded.reset();
    }
    region.padded.reset();
    if (places.count && unpadded)
      region.padded = *places.count - *unpadded;
    combineRows(rows, /*isExact=*/true, owned, result);
    return result;
  }
  if (std::optional<SegmentSet> set =
          SegmentSet::ofBlock(projection, block, budget)) {
    std::optional<uint64_t> padded;
    if (std::optional<SegmentSet> elements =
            set->resolve(projection, sizes, budget, padded)) {
      region.padded = padded;
      if (elements->isEmpty()) {
        setEmpty(region, rank);
        result.owned = 0;
        return result;
      }
      region.elements = elements->getFootprint();
      if (owned)
        result.owned = elements->clip(*owned).count();
      region.boxes = elements->getBoxes(kMaxRegionBoxes);
      region.areBoxesExact = !region.boxes.empty();
      if (region.boxes.empty()) {
        region.boxes = {*region.elements.hull};
        region.areBoxesExact = region.elements.kind == Exactness::Exact;
      }
      return result;
    }
  }
  SmallVector<RowElements, 4> rows;
  bool mayPad = false;
  for (size_t d = 0; d != rank; ++d) {
    rows.push_back(
        resolveRow(RowLattice::interval(places.hull->lo[d], places.hull->hi[d]),
                   projection.getOutOfBounds(d).kind, sizes[d], budget));
    mayPad |= rows.back().padded != 0;
  }
  if (mayPad)
    region.padded.reset();
  combineRows(rows, /*isExact=*/false, owned, result);
  return result;
}

std::optional<OutOfBoundsRegion> mlir::tensoraccess::getOutOfBoundsRegion(
    const Projection &projection, const Box &block, ArrayRef<int64_t> sizes,
    std::string &error, uint64_t budget) {
  std::optional<OwnedRegion> result =
      resolveBlock(projection, block, sizes, nullptr, error, budget);
  if (!result)
    return std::nullopt;
  return std::move(result->region);
}

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// How far places [lo, hi) of a dimension of `size` elements that is a circle
/// reach beyond [from, to), counted on from there across the ends.
static std::pair<int64_t, int64_t>
reachAround(int64_t lo, int64_t hi, int64_t from, int64_t to, int64_t size) {
  const int64_t room = size - (to - from);
  if (room == 0)
    return {0, 0};
  if (static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) >=
      static_cast<uint64_t>(size)) {
    // Everything, once: half on each side of what is owned.
    return {room / 2, room - room / 2};
  }
  const int64_t length = hi - lo;
  const int64_t begin = floorModPositive(lo, size);
  // The laps in which the stretch may meet what is owned.
  std::pair<int64_t, int64_t> best{0, 0};
  int64_t least = -1;
  for (int64_t lap : {int64_t(-1), int64_t(0), int64_t(1)}) {
    const Wide shifted = Wide(begin) + Wide(lap) * size;
    const Wide below = std::max<Wide>(0, Wide(from) - shifted);
    const Wide above = std::max<Wide>(0, shifted + length - to);
    if (below + above > room)
      continue;
    const int64_t total = static_cast<int64_t>(below + above);
    if (least >= 0 && total >= least)
      continue;
    least = total;
    best = {static_cast<int64_t>(below), static_cast<int64_t>(above)};
  }
  if (least >= 0)
    return best;
  // Both ends are reached from behind.
  return {room / 2, room - room / 2};
}

std::optional<Halo>
mlir::tensoraccess::getHalo(const Projection &projection, const Box &block,
                            const Box &owned, ArrayRef<int64_t> sizes,
                            std::string &error, uint64_t budget) {
  const size_t rank = projection.getNumRows();
  if (owned.lo.size() != rank) {
    error = "the projection has " + std::to_string(rank) +
            " rows, got an owned box of rank " +
            std::to_string(owned.lo.size());
    return std::nullopt;
  }
  std::optional<OwnedRegion> touched =
      resolveBlock(projection, block, sizes, &owned, error, budget);
  if (!touched)
    return std::nullopt;
  for (size_t d = 0; d != rank; ++d)
    if (!owned.isEmpty() && (owned.lo[d] < 0 || owned.hi[d] > sizes[d])) {
      error = "what is owned must lie in the tensor: [" +
              std::to_string(owned.lo[d]) + ", " + std::to_string(owned.hi[d]) +
              ") of dimension " + std::to_string(d) + " leaves [0, " +
              std::to_string(sizes[d]) + ")";
      return std::nullopt;
    }

  Halo halo;
  halo.touched = std::move(touched->region);
  const OutOfBoundsRegion &region = halo.touched;
  halo.lo.assign(rank, 0);
  halo.hi.assign(rank, 0);
  for (const Box &box : region.boxes)
    halo.remoteBoxes.append(subtractBox(box, owned));
  if (halo.remoteBoxes.empty())
    halo.remote = 0;
  else if (region.elements.count && touched->owned)
    halo.remote = *region.elements.count - *touched->owned;
  if (region.boxes.empty() || owned.isEmpty())
    return halo;
  std::optional<IndexRegion> places = projection.getHull(block);
  for (size_t d = 0; d != rank; ++d) {
    const Kind kind = projection.getOutOfBounds(d).kind;
    if (kind == Kind::Wrap || kind == Kind::Negative) {
      std::tie(halo.lo[d], halo.hi[d]) = reachAround(
          places->lo[d], places->hi[d], owned.lo[d], owned.hi[d], sizes[d]);
      continue;
    }
    const Box &hull = *region.elements.hull;
    halo.lo[d] = std::max<int64_t>(0, owned.lo[d] - hull.lo[d]);
    halo.hi[d] = std::max<int64_t>(0, hull.hi[d] - owned.hi[d]);
  }
  return halo;
}

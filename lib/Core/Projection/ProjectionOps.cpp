//===- ProjectionOps.cpp - Projections made from projections --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closed forms on the members; every number is checked.
//
//===----------------------------------------------------------------------===//

#include "SegmentSet.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr const char *kOverflow =
    "the projection overflows 64-bit arithmetic";

static int64_t getAnchor(const Projection &projection, size_t row) {
  return projection.anchor ? (*projection.anchor)[row] : 0;
}

/// a + b·c, or std::nullopt if it does not fit, or there was no a.
static std::optional<int64_t> addProduct(std::optional<int64_t> a, int64_t b,
                                         int64_t c) {
  std::optional<int64_t> product = checkedMul(b, c);
  return a && product ? checkedAdd(*a, *product) : std::nullopt;
}

static bool checkAxis(const Projection &projection, size_t axis,
                      std::string &error) {
  if (axis < projection.getNumColumns())
    return true;
  error = "axis " + std::to_string(axis) + " must be in [0, " +
          std::to_string(projection.getNumColumns()) + ")";
  return false;
}

static bool checkRow(const Projection &projection, size_t row,
                     std::string &error) {
  if (row < projection.getNumRows())
    return true;
  error = "dimension " + std::to_string(row) + " must be in [0, " +
          std::to_string(projection.getNumRows()) + ")";
  return false;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

std::optional<ComposedProjection>
mlir::tensoraccess::compose(const Projection &first, const Projection &second,
                            std::string &error) {
  const size_t middle = first.getNumRows();
  if (second.getNumRows() != 0 && second.getNumColumns() != middle) {
    error = "the first projection has " + std::to_string(middle) +
            " rows, but the second has " +
            std::to_string(second.getNumColumns()) + " columns";
    return std::nullopt;
  }
  for (size_t k = 0; k != middle; ++k) {
    const OutOfBounds policy = first.getOutOfBounds(k);
    const bool matters =
        policy.kind == OutOfBounds::Kind::Pad ||
        llvm::any_of(second.matrix,
                     [&](ArrayRef<int64_t> row) { return row[k] != 0; });
    if (policy.kind == OutOfBounds::Kind::Forbid || !matters)
      continue;
    error = "dimension " + std::to_string(k) +
            " between the projections has the policy " + policy.str() +
            ", which no single projection can follow";
    return std::nullopt;
  }

  ComposedProjection result;
  Projection &out = result.projection;
  const size_t columns = first.getNumColumns();
  const bool hasAnchor = first.anchor || second.anchor;
  if (hasAnchor)
    out.anchor.emplace();
  for (size_t r = 0; r != second.getNumRows(); ++r) {
    ArrayRef<int64_t> row = second.matrix[r];
    auto &composed = out.matrix.emplace_back();
    for (size_t c = 0; c != columns; ++c) {
      std::optional<int64_t> sum = 0;
      for (size_t k = 0; k != middle; ++k)
        sum = addProduct(sum, row[k], first.matrix[k][c]);
      if (!sum) {
        error = kOverflow;
        return std::nullopt;
      }
      composed.push_back(*sum);
    }
    // Over a region of the first: the least start, and how far the starts
    // reach from there.
    std::optional<int64_t> offset = second.offset[r];
    std::optional<int64_t> anchor = getAnchor(second, r);
    std::optional<int64_t> shape = second.shape[r];
    for (size_t k = 0; k != middle; ++k) {
      offset = addProduct(offset, row[k], first.offset[k]);
      anchor = addProduct(anchor, row[k], getAnchor(first, k));
      const int64_t last = first.shape[k] - 1;
      std::optional<int64_t> reach = checkedMul(row[k], last);
      if (anchor && reach && *reach < 0)
        anchor = checkedAdd(*anchor, *reach);
      std::optional<int64_t> length =
          reach && *reach < 0 ? checkedSub(0, *reach) : reach;
      shape = shape && length ? checkedAdd(*shape, *length) : std::nullopt;
    }
    if (offset && anchor && !hasAnchor) {
      offset = checkedAdd(*offset, *anchor);
      anchor = 0;
    }
    if (!offset || !anchor || !shape) {
      error = kOverflow;
      return std::nullopt;
    }
    out.offset.push_back(*offset);
    out.shape.push_back(*shape);
    if (hasAnchor)
      out.anchor->push_back(*anchor);
  }
  out.outOfBounds = second.outOfBounds;

  Box region;
  region.lo.assign(second.getNumColumns(), 0);
  region.hi.assign(first.shape.begin(),
                   first.shape.begin() + second.getNumColumns());
  result.isExact = getFootprint(second, region).kind == Exactness::Exact;
  return result;
}

//===----------------------------------------------------------------------===//
// Steps and neighbours
//===----------------------------------------------------------------------===//

SmallVector<int64_t, 4>
mlir::tensoraccess::getStride(const Projection &projection, size_t axis) {
  SmallVector<int64_t, 4> stride;
  for (ArrayRef<int64_t> row : projection.matrix)
    stride.push_back(row[axis]);
  return stride;
}

Footprint mlir::tensoraccess::getOverlap(const Projection &projection,
                                         size_t axis) {
  SmallVector<int64_t, 8> point(projection.getNumColumns(), 0);
  std::optional<IndexRegion> here = projection.evaluate(point);
  point[axis] = 1;
  std::optional<IndexRegion> next = projection.evaluate(point);
  if (!here || !next)
    return {};
  Footprint shared;
  shared.kind = Exactness::Exact;
  shared.hull = intersectBoxes(*here, *next);
  shared.count = getVolume(*shared.hull);
  return shared;
}

GrowthCost mlir::tensoraccess::getGrowth(const Projection &projection,
                                         const Box &block, size_t axis,
                                         uint64_t budget) {
  GrowthCost cost;
  auto countUpTo = [&](std::optional<int64_t> hi) -> std::optional<uint64_t> {
    if (!hi)
      return std::nullopt;
    Box larger = block;
    larger.hi[axis] = *hi;
    return getFootprint(projection, larger, budget).count;
  };
  cost.count = getFootprint(projection, block, budget).count;
  std::optional<uint64_t> more = countUpTo(checkedAdd(block.hi[axis], 1));
  if (cost.count && more)
    cost.added = *more - *cost.count;
  std::optional<int64_t> extent = checkedSub(block.hi[axis], block.lo[axis]);
  cost.shared = countShared(
      cost.count, cost.count,
      countUpTo(extent ? checkedAdd(block.hi[axis], *extent) : std::nullopt));
  return cost;
}

std::optional<BlockSplit>
mlir::tensoraccess::splitBlock(const Projection &projection, const Box &block,
                               size_t axis, int64_t at, std::string &error,
                               uint64_t budget) {
  if (block.lo.size() != projection.getNumColumns()) {
    error = "the projection has " + std::to_string(projection.getNumColumns()) +
            " columns, got a block of rank " + std::to_string(block.lo.size());
    return std::nullopt;
  }
  if (!checkAxis(projection, axis, error))
    return std::nullopt;
  if (at < block.lo[axis] || at > block.hi[axis]) {
    error = "a block of [" + std::to_string(block.lo[axis]) + ", " +
            std::to_string(block.hi[axis]) + ") cannot be cut at " +
            std::to_string(at);
    return std::nullopt;
  }
  BlockSplit split;
  split.lo = split.hi = block;
  split.lo.hi[axis] = split.hi.lo[axis] = at;
  split.loImage = getFootprint(projection, split.lo, budget);
  split.hiImage = getFootprint(projection, split.hi, budget);
  if (!split.loImage.hull || !split.hiImage.hull) {
    error = describeOverflow(projection, block);
    return std::nullopt;
  }
  Footprint &shared = split.shared;
  shared = getEmptyFootprint(projection.getNumRows());
  const Box common = intersectBoxes(*split.loImage.hull, *split.hiImage.hull);
  if (split.lo.isEmpty() || split.hi.isEmpty() || common.isEmpty())
    return split;
  if (split.loImage.kind == Exactness::Exact &&
      split.hiImage.kind == Exactness::Exact) {
    shared = {Exactness::Exact, common, getVolume(common)};
    return split;
  }
  std::optional<SegmentSet> lo =
      SegmentSet::ofBlock(projection, split.lo, budget);
  std::optional<SegmentSet> hi =
      lo ? SegmentSet::ofBlock(projection, split.hi, budget, lo->getAlong())
         : std::nullopt;
  if (lo && hi) {
    shared = lo->intersect(*hi).getFootprint();
    return split;
  }
  std::optional<uint64_t> count =
      countShared(split.loImage.count, split.hiImage.count,
                  getFootprint(projection, block, budget).count);
  if (count != 0)
    shared = {count && count == getVolume(common) ? Exactness::Exact
                                                  : Exactness::Hull,
              common, count};
  return split;
}

//===----------------------------------------------------------------------===//
// The other way round
//===----------------------------------------------------------------------===//

std::optional<Projection>
mlir::tensoraccess::reverseAxis(const Projection &projection, size_t axis,
                                int64_t extent, std::string &error) {
  if (!checkAxis(projection, axis, error))
    return std::nullopt;
  if (extent < 1) {
    error = "the extent of a reversed axis must be positive, got " +
            std::to_string(extent);
    return std::nullopt;
  }
  Projection out = projection;
  for (size_t r = 0; r != out.getNumRows(); ++r) {
    int64_t &m = out.matrix[r][axis];
    std::optional<int64_t> offset = addProduct(out.offset[r], m, extent - 1);
    std::optional<int64_t> opposite = checkedSub(0, m);
    if (!offset || !opposite) {
      error = kOverflow;
      return std::nullopt;
    }
    out.offset[r] = *offset;
    m = *opposite;
  }
  return out;
}

std::optional<Projection>
mlir::tensoraccess::reverseDimension(const Projection &projection, size_t row,
                                     int64_t size, std::string &error) {
  if (!checkRow(projection, row, error))
    return std::nullopt;
  if (size < 0) {
    error = "size " + std::to_string(row) + " must not be negative, got " +
            std::to_string(size);
    return std::nullopt;
  }
  if (projection.getOutOfBounds(row).kind == OutOfBounds::Kind::Negative) {
    error = "dimension " + std::to_string(row) +
            " counts negative indices from its end, which reversed would be "
            "its begin";
    return std::nullopt;
  }
  // The region [o + a, o + a + s) becomes [o' - a - s + 1, o' - a + 1) with
  // o' = size - 1 - o.
  Projection out = projection;
  bool fits = true;
  for (int64_t &m : out.matrix[row]) {
    std::optional<int64_t> opposite = checkedSub(0, m);
    fits &= opposite.has_value();
    m = opposite.value_or(0);
  }
  std::optional<int64_t> offset = checkedSub(size - 1, out.offset[row]);
  std::optional<int64_t> last =
      checkedAdd(getAnchor(out, row), out.shape[row] - 1);
  std::optional<int64_t> anchor = last ? checkedSub(0, *last) : std::nullopt;
  if (offset && anchor && !out.anchor) {
    offset = checkedAdd(*offset, *anchor);
  }
  if (!fits || !offset || !anchor) {
    error = kOverflow;
    return std::nullopt;
  }
  out.offset[row] = *offset;
  if (out.anchor)
    (*out.anchor)[row] = *anchor;
  return out;
}

std::optional<Projection>
mlir::tensoraccess::withAnchor(const Projection &projection,
                               ArrayRef<int64_t> anchor, std::string &error) {
  if (anchor.size() != projection.getNumRows()) {
    error = "anchor must have one entry per matrix row, " +
            std::to_string(projection.getNumRows()) + ", got " +
            std::to_string(anchor.size());
    return std::nullopt;
  }
  Projection out = projection;
  for (size_t r = 0; r != anchor.size(); ++r) {
    std::optional<int64_t> begin =
        checkedAdd(out.offset[r], getAnchor(projection, r));
    std::optional<int64_t> offset =
        begin ? checkedSub(*begin, anchor[r]) : std::nullopt;
    if (!offset) {
      error = kOverflow;
      return std::nullopt;
    }
    out.offset[r] = *offset;
  }
  out.anchor.emplace(anchor.begin(), anchor.end());
  return out;
}

//===----------------------------------------------------------------------===//
// Coherence
//===----------------------------------------------------------------------===//

Coherence mlir::tensoraccess::getCoherence(const Projection &projection) {
  Coherence result;
  auto blame = [&](bool &part, const std::string &reason) {
    part = false;
    if (result.reason.empty())
      result.reason = reason;
  };
  auto name = [](const char *what, size_t number) {
    return std::string(what) + " " + std::to_string(number);
  };
  const size_t rows = projection.getNumRows();
  const size_t columns = projection.getNumColumns();
  SmallVector<std::optional<size_t>, 8> rowOf(columns);
  std::optional<size_t> lastRow, lastAxis;
  for (size_t r = 0; r != rows; ++r) {
    std::optional<size_t> axis;
    for (size_t c = 0; c != columns; ++c) {
      const int64_t m = projection.matrix[r][c];
      if (m == 0)
        continue;
      if (axis)
        blame(result.keepsDimensions,
              name("dimension", r) + " moves with axis " +
                  std::to_string(*axis) + " and with " + name("axis", c));
      else if (rowOf[c])
        blame(result.keepsDimensions, name("axis", c) + " moves dimension " +
                                          std::to_string(*rowOf[c]) + " and " +
                                          name("dimension", r));
      if (m < 0)
        blame(result.keepsDirection, name("dimension", r) + " moves against " +
                                         name("axis", c) + ", by " +
                                         std::to_string(m));
      rowOf[c] = r;
      if (!axis)
        axis = c;
    }
    if (!axis)
      continue;
    if (lastAxis && *axis < *lastAxis)
      blame(result.keepsOrder,
            name("dimension", *lastRow) + " moves with axis " +
                std::to_string(*lastAxis) + ", but " + name("dimension", r) +
                " with the earlier " + name("axis", *axis));
    lastRow = r;
    lastAxis = axis;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Windows and named anchors
//===----------------------------------------------------------------------===//

std::optional<Projection>
mlir::tensoraccess::getWindowProjection(ArrayRef<WindowAxis> axes,
                                        std::string &error) {
  Projection out;
  size_t columns = axes.size();
  for (auto [i, axis] : llvm::enumerate(axes)) {
    for (auto [what, value] :
         {std::pair("window", axis.window), std::pair("stride", axis.stride),
          std::pair("dilation", axis.dilation)})
      if (value < 1) {
        error = std::string(what) + " " + std::to_string(i) +
                " must be positive, got " + std::to_string(value);
        return std::nullopt;
      }
    columns += axis.dilation > 1 && axis.window > 1;
  }
  size_t tap = axes.size();
  bool forbidsAll = true;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    auto &row = out.matrix.emplace_back(columns, 0);
    row[i] = axis.stride;
    const bool hasGaps = axis.dilation > 1 && axis.window > 1;
    if (hasGaps)
      row[tap++] = axis.dilation;
    out.shape.push_back(hasGaps ? 1 : axis.window);
    std::optional<int64_t> begin = checkedSub(0, axis.padLow);
    if (!begin) {
      error = kOverflow;
      return std::nullopt;
    }
    out.offset.push_back(*begin);
    out.outOfBounds.push_back(axis.outOfBounds);
    forbidsAll &= axis.outOfBounds.kind == OutOfBounds::Kind::Forbid;
  }
  if (forbidsAll)
    out.outOfBounds.clear();
  if (std::optional<std::string> problem = out.verify()) {
    error = *problem;
    return std::nullopt;
  }
  return out;
}

std::optional<std::string> AnchoredProjection::verify() const {
  if (std::optional<std::string> problem = projection.verify())
    return problem;
  for (auto [i, anchor] : llvm::enumerate(anchors)) {
    StringRef name = anchor.name;
    if (name.empty() || !llvm::isAlpha(name.front()) ||
        !llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      return "an anchor's name must be a word, got '" + anchor.name + "'";
    if (anchor.place.size() != projection.getNumRows())
      return "anchor " + anchor.name + " must have one entry per matrix row, " +
             std::to_string(projection.getNumRows()) + ", got " +
             std::to_string(anchor.place.size());
    for (auto [d, x] : llvm::enumerate(anchor.place))
      if (x < 0 || x >= projection.shape[d])
        return "anchor " + anchor.name + " must lie in the region: entry " +
               std::to_string(d) + " must be in [0, " +
               std::to_string(projection.shape[d]) + "), got " +
               std::to_string(x);
    for (const NamedAnchor &other : ArrayRef(anchors).take_front(i)) {
      if (other.name == anchor.name)
        return "anchor " + anchor.name + " is given twice";
      if (other.place == anchor.place)
        return "anchors " + other.name + " and " + anchor.name +
               " are one place";
    }
  }
  return std::nullopt;
}

const NamedAnchor *AnchoredProjection::find(StringRef name) const {
  const NamedAnchor *found = llvm::find_if(
      anchors, [&](const NamedAnchor &anchor) { return anchor.name == name; });
  return found == anchors.end() ? nullptr : found;
}

std::optional<SmallVector<int64_t>>
AnchoredProjection::getPlace(StringRef name, ArrayRef<int64_t> index) const {
  const NamedAnchor *anchor = find(name);
  std::optional<IndexRegion> region = projection.evaluate(index);
  if (!anchor || !region)
    return std::nullopt;
  SmallVector<int64_t> place;
  // Inside of the region, which fits.
  for (auto [lo, x] : llvm::zip_equal(region->lo, anchor->place))
    place.push_back(lo + x);
  return place;
}

std::optional<Projection>
AnchoredProjection::drawnAround(StringRef name, std::string &error) const {
  const NamedAnchor *anchor = find(name);
  if (!anchor) {
    error = "there is no anchor '" + name.str() + "'";
    return std::nullopt;
  }
  SmallVector<int64_t, 4> begin;
  for (int64_t x : anchor->place)
    begin.push_back(-x);
  return withAnchor(projection, begin, error);
}

std::optional<AnchoredProjection>
AnchoredProjection::reversedDimension(size_t row, int64_t size,
                                      std::string &error) const {
  std::optional<Projection> reversed =
      reverseDimension(projection, row, size, error);
  if (!reversed)
    return std::nullopt;
  AnchoredProjection out{std::move(*reversed), anchors};
  for (NamedAnchor &anchor : out.anchors)
    if (anchor.isMirrored)
      anchor.place[row] = out.projection.shape[row] - 1 - anchor.place[row];
  if (std::optional<std::string> problem = out.verify()) {
    error = *problem;
    return std::nullopt;
  }
  return out;
}

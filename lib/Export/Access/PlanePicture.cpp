//===- PlanePicture.cpp - Slices, concatenations and repetitions ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement ops that select elements by place draw one plane of a pattern:
//
//   1. The two dimensions in which the op does something are the plane, then
//      the last ones.
//   2. Each dimension of the plane has stretches of elements; a stretch
//      in a place where the grid has dots is a tick there.
//   3. A tint covers the product of two dimensions' stretches.
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Elements `first`, `first + stride`, …, `count` of them; kDynamicSize where
/// that is not known: to the end.
struct Places {
  int64_t first = 0, count = 0, stride = 1;

  int64_t last() const { return first + (count - 1) * stride; }
};

} // namespace

/// The stretches of squares that places along an axis are; what is not drawn is one.
static SmallVector<Stretch> toStretches(const PlaneAxis &axis, Places places) {
  if (places.count == 0)
    return {};
  if (places.count == kDynamicSize)
    return {places.stride < 0 ? Stretch{0, places.first + 1}
                              : Stretch{places.first, INT64_MAX}};
  const int64_t low = std::min(places.first, places.last()),
                high = std::max(places.first, places.last()),
                step = std::abs(places.stride);
  SmallVector<Stretch> stretches;
  if (step != 1 && axis.getScale() == 1)
    for (const PlaneAxis::Piece &piece : axis.pieces) {
      int64_t element = low;
      if (piece.lo > low)
        element += (piece.lo - low + step - 1) / step * step;
      for (; element < std::min(piece.hi, high + 1); element += step)
        stretches.push_back({element, element + 1});
    }
  if (stretches.empty())
    stretches.push_back({low, high + 1});
  return stretches;
}

/// Two dimensions of a pattern as a plane, or a single one as a row.
static Plane makePlane(ArrayRef<int> dims, ArrayRef<int64_t> shape) {
  constexpr int kMaxSquares = 14, kTick = 4;
  Plane plane;
  plane.rows = {PlaneAxis::squares(dims.size() == 1 ? 1 : shape[dims[0]], 1,
                                   kMaxSquares)};
  plane.columns = {PlaneAxis::squares(shape[dims.back()], 1, kMaxSquares)};
  plane.grids = {{0, 0}};
  plane.least = kTick;
  return plane;
}

/// Colours the places of the two dimensions.
static void addTint(Plane &plane, const Places &rows, const Places &columns,
                    StringRef fill, bool isStrong) {
  const Look look{fill.str(), isStrong ? 70 : 30};
  for (const Stretch &down : toStretches(plane.rows[0], rows))
    for (const Stretch &across : toStretches(plane.columns[0], columns))
      plane.areas.push_back({down, across, look});
}

/// The panel, with what of the plane is drawn.
static Panel finish(Plane plane, SmallVector<std::string> captions) {
  for (auto [axis, what] : {std::pair(&plane.rows[0], "rows"),
                            std::pair(&plane.columns[0], "columns")})
    if (axis->isElided())
      captions.push_back(std::string(what) + " drawn: " + axis->describe());
  return makePanel(std::move(plane), captions);
}

/// The dimensions to draw: those that an op moves first, then the last ones.
static SmallVector<int, 2> chooseDims(size_t rank,
                                      llvm::function_ref<bool(int)> moves) {
  return chooseTwo(rank, [&](int dim) { return std::pair(!moves(dim), -dim); });
}

static std::string planeToString(ArrayRef<int> plane, ArrayRef<int64_t> shape) {
  if (plane.size() == 1)
    return "dimension " + std::to_string(plane[0]) + ": " +
           sizeToString(shape[plane[0]]) + " elements";
  return "dimensions " + std::to_string(plane[0]) + ", " +
         std::to_string(plane[1]) + ": " + sizeToString(shape[plane[0]]) +
         " x " + sizeToString(shape[plane[1]]) + " elements";
}

/// The elements that a slice reads along a dimension, in order; none where they
/// are too many stretches to draw. What places outside show is decided by the
/// policy: other elements, the same again, or nothing.
static std::optional<SmallVector<Places>>
placesOf(SliceOp op, int64_t dim, int64_t size, int64_t count) {
  constexpr size_t kMaxRuns = 8;
  OutOfBounds::Kind policy = op.getPolicy(dim).kind;
  int64_t offset = op.getOffsets()[dim], stride = op.getStridesOrOnes()[dim];
  if (size == kDynamicSize || count == kDynamicSize) {
    if (policy != OutOfBounds::Kind::Forbid)
      return std::nullopt;
    return SmallVector<Places>{{offset, count, stride}};
  }
  auto runs = getSliceRuns(size, offset, count, stride, policy, kMaxRuns);
  if (!runs)
    return std::nullopt;
  SmallVector<Places> places;
  for (const SliceRun &run : *runs)
    if (!run.isPadding)
      places.push_back(
          {run.first, run.stride ? run.count : 1, run.stride ? run.stride : 1});
  return places;
}

std::optional<Panel> tensoraccess::drawSlice(SliceOp op) {
  SmallVector<int64_t> shape = op.getPattern().getType().getShape();
  SmallVector<int64_t> result = op.getType().getShape();
  if (shape.empty() || llvm::is_contained(shape, 0) ||
      llvm::is_contained(result, 0))
    return std::nullopt;
  SmallVector<int64_t> strides = op.getStridesOrOnes();
  ArrayRef<int64_t> offsets = op.getOffsets();
  auto moves = [&](int dim) {
    return offsets[dim] != 0 || strides[dim] != 1 || result[dim] != shape[dim];
  };
  SmallVector<int, 2> dims = chooseDims(shape.size(), moves);
  SmallVector<std::string> captions = {planeToString(dims, shape)};
  SmallVector<SmallVector<Places>, 2> stretches;
  for (int64_t dim : dims) {
    std::optional<SmallVector<Places>> places =
        placesOf(op, dim, shape[dim], result[dim]);
    if (!places)
      return std::nullopt;
    stretches.push_back(std::move(*places));
    std::string line = "dimension " + std::to_string(dim) + ": " +
                       sizeToString(result[dim]) + " from " +
                       std::to_string(offsets[dim]);
    if (strides[dim] != 1)
      line += ", step " + std::to_string(strides[dim]);
    if (OutOfBounds policy = op.getPolicy(dim);
        policy.kind != OutOfBounds::Kind::Forbid)
      line += ", outside " + policy.str();
    captions.push_back(line);
  }
  if (dims.size() == 1)
    stretches.insert(stretches.begin(), {Places{0, 1, 1}});
  Plane plane = makePlane(dims, shape);
  for (const Places &rows : stretches.front())
    for (const Places &columns : stretches.back())
      addTint(plane, rows, columns, color::points[0], /*isStrong=*/false);
  if (!stretches.front().empty() && !stretches.back().empty())
    addTint(plane, {stretches.front().front().first, 1},
            {stretches.back().front().first, 1}, color::points[0],
            /*isStrong=*/true);
  return finish(std::move(plane), std::move(captions));
}

std::optional<Panel> tensoraccess::drawConcat(ConcatOp op) {
  constexpr size_t kMaxLines = 4;
  SmallVector<int64_t> shape = op.getType().getShape();
  int64_t axis = op.getAxis(), begin = 0;
  if (llvm::is_contained(shape, 0))
    return std::nullopt;
  SmallVector<int, 2> dims =
      chooseDims(shape.size(), [&](int dim) { return dim == axis; });
  Plane plane = makePlane(dims, shape);
  SmallVector<std::string> captions = {planeToString(dims, shape)};
  size_t count = op.getPatterns().size();
  for (auto [i, pattern] : llvm::enumerate(op.getPatterns())) {
    int64_t size = cast<AccessType>(pattern.getType()).getShape()[axis];
    // Where the others begin is not known.
    if (size == kDynamicSize && count > 1)
      return std::nullopt;
    auto placesOf = [&](int64_t dim) {
      return dim == axis ? Places{begin, size} : Places{0, shape[dim]};
    };
    addTint(plane, dims.size() == 1 ? Places{0, 1} : placesOf(dims[0]),
            placesOf(dims.back()), color::points[i % std::size(color::points)],
            /*isStrong=*/i % 2 == 1);
    if (i < kMaxLines)
      captions.push_back("operand " + std::to_string(i) + ": " +
                         (size > 0 ? std::to_string(begin) + "-" +
                                         std::to_string(begin + size - 1)
                                   : (size == 0 ? "nothing" : "all")) +
                         " of dimension " + std::to_string(axis));
    begin += size == kDynamicSize ? 0 : size;
  }
  if (count > kMaxLines)
    captions.push_back("and " + std::to_string(count - kMaxLines) +
                       " more operands");
  return finish(std::move(plane), std::move(captions));
}

std::optional<Panel> tensoraccess::drawBroadcast(BroadcastOp op) {
  SmallVector<int64_t> from = op.getPattern().getType().getShape();
  SmallVector<int64_t> shape = op.getType().getShape();
  if (shape.empty() || llvm::is_contained(shape, 0))
    return std::nullopt;
  auto grows = [&](int dim) { return from[dim] != shape[dim]; };
  SmallVector<int, 2> dims = chooseDims(shape.size(), grows);
  Plane plane = makePlane(dims, shape);
  for (bool isSource : {false, true}) {
    auto placesOf = [&](int64_t dim) {
      return Places{0, isSource && grows(dim) ? 1 : shape[dim]};
    };
    addTint(plane, dims.size() == 1 ? Places{0, 1} : placesOf(dims[0]),
            placesOf(dims.back()), color::points[1], isSource);
  }
  SmallVector<std::string> captions = {planeToString(dims, shape)};
  for (auto [dim, size] : llvm::enumerate(shape))
    if (grows(dim))
      captions.push_back("dimension " + std::to_string(dim) + ": 1 element, " +
                         sizeToString(size) + " times");
  return finish(std::move(plane), std::move(captions));
}

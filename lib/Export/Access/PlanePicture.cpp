//===- PlanePicture.cpp - Slices, concatenations and repetitions ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement ops that say which elements go where draw one plane of a pattern:
//
//   1. The two dimensions in which the op does something are the plane, then
//      the last ones.
//   2. Each dimension of the plane has stretches of elements; a stretch that
//      lies where the grid has dots is a tick there.
//   3. A tint covers the product of two dimensions' stretches.
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr int kCell = 16, kMaxCells = 14, kTick = 4;

namespace {

/// Elements `first`, `first + stride`, …, `count` of them; kDynamicSize where
/// that is not known: to the end.
struct Places {
  int64_t first = 0, count = 0, stride = 1;

  int64_t last() const { return first + (count - 1) * stride; }
};

/// The places of a plane in one colour.
struct Tint {
  Places rows, columns;
  StringRef fill;
  bool strong = false;
};

class PlanePicture : public Picture {
public:
  PlanePicture(int64_t rowCount, int64_t columnCount, std::vector<Tint> tints,
               Caption caption)
      : rows(rowCount, 1, kCell, kMaxCells),
        columns(columnCount, 1, kCell, kMaxCells), rowCount(rowCount),
        columnCount(columnCount), tints(std::move(tints)),
        caption(std::move(caption)) {
    auto cut = [&](const CellAxis &axis, StringRef what) {
      if (axis.isElided())
        this->caption.lines.push_back(
            (what + " drawn: " + axis.describe()).str());
    };
    cut(rows, "rows");
    cut(columns, "columns");
    width = std::max(columns.length(), this->caption.getWidth());
    height = rows.length() + 8 + this->caption.getHeight();
  }

  void draw(SvgCanvas &canvas, int x, int y) const override {
    for (const Tint &tint : tints)
      for (auto [top, down] : stretches(rows, rowCount, tint.rows))
        for (auto [left, right] : stretches(columns, columnCount, tint.columns))
          canvas.raw("rect x=\"" + Twine(x + left) + "\" y=\"" +
                     Twine(y + top) + "\" width=\"" + Twine(right) +
                     "\" height=\"" + Twine(down) + "\" fill=\"" + tint.fill +
                     "\" fill-opacity=\"" + (tint.strong ? "0.7" : "0.3") +
                     "\"");
    drawGrid(canvas, x, y, columns, rows);
    caption.draw(canvas, x, y + height - caption.getHeight());
  }

private:
  /// (begin, length) in pixels of the places along an axis.
  static SmallVector<std::pair<int, int>>
  stretches(const CellAxis &axis, int64_t size, Places places) {
    if (places.count == kDynamicSize && places.stride < 0)
      places = {0, places.first + 1, 1};
    if (places.count == 0)
      return {};
    auto pixels = [&](int64_t begin, int64_t end) {
      int from = axis.position(begin);
      int to = end == kDynamicSize ? axis.length() : axis.position(end);
      return std::pair<int, int>(from, std::max(to - from, kTick));
    };
    if (places.count == kDynamicSize)
      return {pixels(places.first, kDynamicSize)};
    int64_t low = std::min(places.first, places.last());
    int64_t high = std::max(places.first, places.last());
    int64_t step = std::abs(places.stride);
    if (step == 1 || axis.getScale() != 1)
      return {pixels(low, high + 1)};
    SmallVector<std::pair<int, int>> result;
    auto add = [&](int64_t begin, int64_t end) {
      int64_t element = low;
      if (begin > low)
        element += (begin - low + step - 1) / step * step;
      for (; element < std::min(end, high + 1); element += step)
        result.push_back(pixels(element, element + 1));
    };
    add(0, axis.headCells());
    if (axis.isElided() && size != kDynamicSize)
      add(size - axis.tailCells(), size);
    if (result.empty())
      result.push_back(pixels(low, high + 1));
    return result;
  }

  CellAxis rows, columns;
  int64_t rowCount, columnCount;
  std::vector<Tint> tints;
  Caption caption;
};

} // namespace

/// The dimensions to draw, at most two, in order: those that `moves` first,
/// then the last ones.
static SmallVector<int64_t, 2>
choosePlane(int64_t rank, llvm::function_ref<bool(int64_t)> moves) {
  SmallVector<int64_t> dims;
  for (bool wanted : {true, false})
    for (int64_t dim = rank; dim-- > 0;)
      if (moves(dim) == wanted)
        dims.push_back(dim);
  SmallVector<int64_t, 2> plane(ArrayRef<int64_t>(dims).take_front(2));
  llvm::sort(plane);
  return plane;
}

static std::string planeToString(ArrayRef<int64_t> plane,
                                 ArrayRef<int64_t> shape) {
  if (plane.size() == 1)
    return "dimension " + std::to_string(plane[0]) + ": " +
           sizeToString(shape[plane[0]]) + " elements";
  return "dimensions " + std::to_string(plane[0]) + ", " +
         std::to_string(plane[1]) + ": " + sizeToString(shape[plane[0]]) +
         " x " + sizeToString(shape[plane[1]]) + " elements";
}

/// A picture of the plane; each tint has places by dimension of the pattern.
static std::unique_ptr<Picture>
drawPlane(ArrayRef<int64_t> plane, ArrayRef<int64_t> shape,
          ArrayRef<std::pair<SmallVector<Places>, Tint>> tints,
          Caption caption) {
  bool flat = plane.size() == 1;
  std::vector<Tint> drawn;
  for (auto &[places, look] : tints) {
    Tint tint = look;
    tint.rows = flat ? Places{0, 1, 1} : places[plane[0]];
    tint.columns = places[plane.back()];
    drawn.push_back(tint);
  }
  return std::make_unique<PlanePicture>(flat ? 1 : shape[plane[0]],
                                        shape[plane.back()], std::move(drawn),
                                        std::move(caption));
}

static SmallVector<Places> allOf(ArrayRef<int64_t> shape) {
  SmallVector<Places> places;
  for (int64_t size : shape)
    places.push_back({0, size, 1});
  return places;
}

/// The elements that a slice reads along a dimension, in order; none where they
/// are too many stretches to draw. What is made of places outside is the
/// policy's: other elements, the same again, or nothing.
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

std::unique_ptr<Picture> tensoraccess::makeSlicePicture(SliceOp op) {
  SmallVector<int64_t> shape = op.getPattern().getType().getShape();
  SmallVector<int64_t> result = op.getType().getShape();
  if (shape.empty() || llvm::is_contained(shape, 0) ||
      llvm::is_contained(result, 0))
    return nullptr;
  SmallVector<int64_t> strides = op.getStridesOrOnes();
  ArrayRef<int64_t> offsets = op.getOffsets();
  SmallVector<int64_t, 2> plane = choosePlane(shape.size(), [&](int64_t dim) {
    return offsets[dim] != 0 || strides[dim] != 1 || result[dim] != shape[dim];
  });
  Caption caption{{planeToString(plane, shape)}};
  SmallVector<SmallVector<Places>, 2> stretches;
  for (int64_t dim : plane) {
    std::optional<SmallVector<Places>> places =
        placesOf(op, dim, shape[dim], result[dim]);
    if (!places)
      return nullptr;
    stretches.push_back(std::move(*places));
    std::string line = "dimension " + std::to_string(dim) + ": " +
                       sizeToString(result[dim]) + " from " +
                       std::to_string(offsets[dim]);
    if (strides[dim] != 1)
      line += ", step " + std::to_string(strides[dim]);
    if (OutOfBounds policy = op.getPolicy(dim);
        policy.kind != OutOfBounds::Kind::Forbid)
      line += ", outside " + policy.str();
    caption.lines.push_back(line);
  }
  if (plane.size() == 1)
    stretches.insert(stretches.begin(), {Places{0, 1, 1}});
  std::vector<Tint> tints;
  for (const Places &rows : stretches.front())
    for (const Places &columns : stretches.back())
      tints.push_back({rows, columns, color::points[0], false});
  if (!tints.empty()) {
    Tint first = tints.front();
    tints.push_back({{first.rows.first, 1, 1},
                     {first.columns.first, 1, 1},
                     color::points[0],
                     true});
  }
  return std::make_unique<PlanePicture>(plane.size() == 1 ? 1 : shape[plane[0]],
                                        shape[plane.back()], std::move(tints),
                                        std::move(caption));
}

std::unique_ptr<Picture> tensoraccess::makeConcatPicture(ConcatOp op) {
  constexpr size_t kMaxLines = 4;
  SmallVector<int64_t> shape = op.getType().getShape();
  int64_t axis = op.getAxis(), begin = 0;
  if (llvm::is_contained(shape, 0))
    return nullptr;
  SmallVector<int64_t, 2> plane =
      choosePlane(shape.size(), [&](int64_t dim) { return dim == axis; });
  SmallVector<std::pair<SmallVector<Places>, Tint>> tints;
  Caption caption{{planeToString(plane, shape)}};
  size_t count = op.getPatterns().size();
  for (auto [i, pattern] : llvm::enumerate(op.getPatterns())) {
    int64_t size = cast<AccessType>(pattern.getType()).getShape()[axis];
    // Where the others begin is not known.
    if (size == kDynamicSize && count > 1)
      return nullptr;
    SmallVector<Places> places = allOf(shape);
    places[axis] = {begin, size, 1};
    StringRef fill = color::points[i % std::size(color::points)];
    tints.push_back({places, {{}, {}, fill, i % 2 == 1}});
    if (i < kMaxLines)
      caption.lines.push_back("operand " + std::to_string(i) + ": " +
                              (size > 0 ? std::to_string(begin) + "-" +
                                              std::to_string(begin + size - 1)
                                        : (size == 0 ? "nothing" : "all")) +
                              " of dimension " + std::to_string(axis));
    begin += size == kDynamicSize ? 0 : size;
  }
  if (count > kMaxLines)
    caption.lines.push_back("and " + std::to_string(count - kMaxLines) +
                            " more operands");
  return drawPlane(plane, shape, tints, std::move(caption));
}

std::unique_ptr<Picture> tensoraccess::makeBroadcastPicture(BroadcastOp op) {
  SmallVector<int64_t> from = op.getPattern().getType().getShape();
  SmallVector<int64_t> shape = op.getType().getShape();
  if (shape.empty() || llvm::is_contained(shape, 0))
    return nullptr;
  auto grows = [&](int64_t dim) { return from[dim] != shape[dim]; };
  SmallVector<int64_t, 2> plane = choosePlane(shape.size(), grows);
  SmallVector<Places> source = allOf(shape);
  Caption caption{{planeToString(plane, shape)}};
  for (auto [dim, places] : llvm::enumerate(source))
    if (grows(dim)) {
      places.count = 1;
      caption.lines.push_back("dimension " + std::to_string(dim) +
                              ": 1 element, " + sizeToString(shape[dim]) +
                              " times");
    }
  return drawPlane(plane, shape,
                   {{allOf(shape), {{}, {}, color::points[1], false}},
                    {source, {{}, {}, color::points[1], true}}},
                   std::move(caption));
}

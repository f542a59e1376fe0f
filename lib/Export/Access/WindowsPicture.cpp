//===- WindowsPicture.cpp - A plane, its windows and its padding ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

PaddingWidths tensoraccess::findPadding(Value pattern) {
  int64_t rank = cast<AccessType>(pattern.getType()).getRank();
  PaddingWidths widths{SmallVector<int64_t>(rank, 0),
                       SmallVector<int64_t>(rank, 0)};
  // origin[i] is the dimension of the current value that is dimension i of the
  // pattern, -1 where it has none.
  auto origin = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  auto add = [&](ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
    for (auto [dim, source] : llvm::enumerate(origin)) {
      if (source < 0 || ShapedType::isDynamic(low[source]) ||
          ShapedType::isDynamic(high[source]))
        continue;
      widths.low[dim] += std::max<int64_t>(low[source], 0);
      widths.high[dim] += std::max<int64_t>(high[source], 0);
    }
  };
  for (Operation *op = pattern.getDefiningOp(); op;) {
    if (auto pad = dyn_cast<PadOp>(op)) {
      add(pad.getLow(), pad.getHigh());
    } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      add(pad.getStaticLow(), pad.getStaticHigh());
    } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
      for (int64_t &source : origin)
        source = source < 0 ? source : transpose.getPerm()[source];
    } else if (auto insert = dyn_cast<InsertAxisOp>(op)) {
      int64_t axis = insert.getAxis();
      for (int64_t &source : origin)
        source = source == axis ? -1 : source - (source > axis);
    } else if (auto squeeze = dyn_cast<SqueezeOp>(op)) {
      int64_t axis = squeeze.getAxis();
      for (int64_t &source : origin)
        source += source >= axis;
    } else if (!isa<AccessOp, ToTensorOp, MaterializeOp>(op)) {
      break;
    }
    op = op->getOperand(0).getDefiningOp();
  }
  return widths;
}

//===----------------------------------------------------------------------===//
// windows
//===----------------------------------------------------------------------===//

namespace {

constexpr int kMaxSquares = 14;

/// What the picture needs of one of the two dimensions of the plane.
struct PlaneDim {
  int64_t dim = -1; // Of the compute dimensions; -1 where there is only one.
  int64_t size = 1, window = 1, stride = 1, dilation = 1, places = 1;
  int64_t low = 0, high = 0;
  /// The elements from the first to the last of a window.
  int64_t reach() const { return (window - 1) * dilation + 1; }
  /// The elements that the windows drawn reach.
  int64_t needed() const { return reach() + (places == 1 ? 0 : stride); }
};

} // namespace

/// What of an axis is left out, and what a square stands for.
static void describeAxis(const PlaneAxis &axis, const std::string &what,
                         SmallVectorImpl<std::string> &captions) {
  if (axis.isElided())
    captions.push_back(what + " drawn: " + axis.describe());
  if (axis.getScale() > 1)
    captions.push_back("one square: " + std::to_string(axis.getScale()) + " " +
                       what);
}

/// The frame between the plane and what is inside its padding.
static void addPadding(Plane &plane, const PlaneDim &vertical,
                       const PlaneDim &horizontal) {
  const Look look{"", 55, /*isHatched=*/true};
  auto inside = [](const PlaneDim &dim) {
    Stretch stretch = allOf(dim.size);
    stretch.lo = dim.low;
    if (dim.size != kDynamicSize)
      stretch.hi -= dim.high;
    return stretch;
  };
  const Stretch rows = inside(vertical), columns = inside(horizontal),
                all = allOf(horizontal.size);
  plane.areas.push_back({{0, rows.lo}, all, look});
  plane.areas.push_back({{rows.hi, allOf(vertical.size).hi}, all, look});
  plane.areas.push_back({rows, {0, columns.lo}, look});
  plane.areas.push_back({rows, {columns.hi, all.hi}, look});
}

/// The window at a place, each of its elements where they can be told apart, and a
/// frame around all of them.
static void addWindow(Plane &plane, const PlaneDim &vertical,
                      const PlaneDim &horizontal, int64_t placeV,
                      int64_t placeH, int number) {
  const int64_t firstV = placeV * vertical.stride,
                firstH = placeH * horizontal.stride;
  const Stretch rows{firstV, firstV + vertical.reach()},
      columns{firstH, firstH + horizontal.reach()};
  const Look tint{color::points[number].str(), 30};
  const bool isDense = vertical.dilation == 1 && horizontal.dilation == 1;
  if (isDense || plane.rows[0].getScale() > 1 ||
      plane.columns[0].getScale() > 1) {
    plane.areas.push_back({rows, columns, tint});
  } else {
    for (int64_t i = rows.lo; i < rows.hi; i += vertical.dilation)
      for (int64_t j = columns.lo; j < columns.hi; j += horizontal.dilation)
        plane.areas.push_back({{i, i + 1}, {j, j + 1}, tint});
  }
  const Look frame = Look::frame(color::points[number], 2, !isDense);
  const int inset = 1 + number;
  plane.areas.push_back({{rows.lo, rows.hi, 0, inset},
                         {columns.lo, columns.hi, 0, inset},
                         frame});
}

std::optional<Panel> tensoraccess::drawWindows(WindowsOp op,
                                               PointMarks &marks) {
  AccessType type = op.getPattern().getType(), result = op.getType();
  ArrayRef<int64_t> sizes = type.getComputeShape();
  ArrayRef<int64_t> access = result.getAccessShape();
  ArrayRef<int64_t> places = access.drop_front(type.getAccessRank());
  if (sizes.empty() || llvm::is_contained(access, 0) ||
      llvm::is_contained(sizes, 0))
    return std::nullopt;
  // Those in which windows move first.
  SmallVector<int, 2> dims =
      chooseTwo(places.size(), [&](int dim) { return places[dim] == 1; });
  PaddingWidths padding = findPadding(op.getPattern());
  SmallVector<int64_t> dilations = op.getDilationsOrOnes();
  auto planeDim = [&](int64_t dim) {
    int64_t full = type.getAccessRank() + dim;
    return PlaneDim{dim,
                    sizes[dim],
                    op.getShape()[dim],
                    op.getStrides()[dim],
                    dilations[dim],
                    places[dim],
                    padding.low[full],
                    padding.high[full]};
  };
  PlaneDim horizontal = planeDim(dims.back());
  PlaneDim vertical = dims.size() == 2 ? planeDim(dims.front()) : PlaneDim();

  Plane plane;
  plane.rows = {
      PlaneAxis::squares(vertical.size, vertical.needed(), kMaxSquares)};
  plane.columns = {
      PlaneAxis::squares(horizontal.size, horizontal.needed(), kMaxSquares)};
  plane.grids = {{0, 0}};
  addPadding(plane, vertical, horizontal);
  Keys keys;
  keys.isDown = true;
  // The window at 0, and its neighbour along a dimension.
  auto add = [&](int64_t dim, int64_t placeV, int64_t placeH) {
    SmallVector<int64_t> point(access.size(), 0);
    int64_t number = 0;
    if (dim >= 0) {
      size_t index = type.getAccessRank() + dim;
      point[index] = 1;
      number = elementCount(access.drop_front(index + 1)).value_or(-1);
    }
    const int window = keys.keys.size();
    const StringRef ink = color::points[window];
    if (number >= 0)
      marks.push_back({number, ink});
    addWindow(plane, vertical, horizontal, placeV, placeH, window);
    keys.keys.push_back(
        {{ink.str(), 45, false, ink.str()}, "window " + pointToString(point)});
  };
  add(-1, 0, 0);
  if (horizontal.places != 1)
    add(horizontal.dim, 0, 1);
  if (vertical.dim >= 0 && vertical.places != 1)
    add(vertical.dim, 1, 0);
  if (vertical.low || vertical.high || horizontal.low || horizontal.high)
    keys.keys.push_back(Key::swatch("", "padding", /*isHatched=*/true));

  SmallVector<std::string> captions;
  const int64_t first = type.getAccessRank();
  if (vertical.dim >= 0)
    captions.push_back("dimensions " + std::to_string(first + vertical.dim) +
                       ", " + std::to_string(first + horizontal.dim) + ": " +
                       sizeToString(vertical.size) + " x " +
                       sizeToString(horizontal.size) + " elements");
  else
    captions.push_back("dimension " + std::to_string(first + horizontal.dim) +
                       ": " + sizeToString(horizontal.size) + " elements");
  describeAxis(plane.rows[0], "rows", captions);
  describeAxis(plane.columns[0], "columns", captions);
  Stack stack;
  stack.parts = {{{}, std::move(plane), {}}, {{}, std::move(keys), {}}};
  stack.isAcross = true;
  return Panel{{}, std::move(stack), makeNotes(captions)};
}

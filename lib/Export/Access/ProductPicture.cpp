//===- ProductPicture.cpp - Pairs of items and what they make -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Points with smaller row-major numbers are always drawn.
static constexpr int64_t kNearPoints = 16;

//===----------------------------------------------------------------------===//
// cart_prod, with or without the dot product on it
//===----------------------------------------------------------------------===//

/// The factors to the left of and above their product: items in the colours of marks,
/// those picked out strong, and the element that they make.
static Plane makeProduct(int64_t elements, int64_t lhsItems, int64_t rhsItems,
                         const PointMarks &rowMarks,
                         const PointMarks &columnMarks, size_t row,
                         size_t column, bool isSummed) {
  constexpr int kMaxSquares = 9, kCorner = 100;
  const int64_t rowNumber = rowMarks[row].number,
                columnNumber = columnMarks[column].number;
  const PlaneAxis inner = PlaneAxis::squares(elements, 1, kMaxSquares);
  Plane plane;
  plane.rows = {inner,
                PlaneAxis::squares(lhsItems, rowNumber + 1, kMaxSquares)};
  plane.columns = {inner,
                   PlaneAxis::squares(rhsItems, columnNumber + 1, kMaxSquares)};
  plane.grids = {{1, 0}, {0, 1}, {1, 1}};
  const Stretch item = allOf(elements), rows{rowNumber, rowNumber + 1, 1},
                columns{columnNumber, columnNumber + 1, 1};
  auto tint = [](StringRef fill, bool isStrong) {
    return Look{fill.str(), isStrong ? 80 : 30};
  };
  for (auto [i, mark] : llvm::enumerate(rowMarks))
    plane.areas.push_back(
        {{mark.number, mark.number + 1, 1}, item, tint(mark.color, i == row)});
  for (auto [i, mark] : llvm::enumerate(columnMarks))
    plane.areas.push_back({item,
                           {mark.number, mark.number + 1, 1},
                           tint(mark.color, i == column)});
  // The names of the factors, in the free corner where it has room.
  if (inner.getLength() >= kCorner) {
    Area name{{0, 1}, item, {}, "right factor"};
    name.ink = color::muted;
    plane.areas.push_back(name);
    name.rows = {item.hi - 1, item.hi};
    name.label = "left factor";
    plane.areas.push_back(name);
  }
  Area made{
      rows, columns, {(isSummed ? color::result : rowMarks[row].color).str()}};
  if (isSummed) {
    made.rows.inset = made.columns.inset = 1;
    plane.areas.push_back(made);
  } else {
    made.shape = Area::Shape::Lower;
    plane.areas.push_back(made);
    made.shape = Area::Shape::Upper;
    made.look.fill = columnMarks[column].color;
    plane.areas.push_back(made);
  }
  plane.arrows.push_back({rows,
                          {item.hi, item.hi},
                          rows,
                          {columnNumber, columnNumber, 1},
                          rowMarks[row].color,
                          /*isDashed=*/true});
  plane.arrows.push_back({{item.hi, item.hi},
                          columns,
                          {rowNumber, rowNumber, 1},
                          columns,
                          columnMarks[column].color,
                          /*isDashed=*/true});
  return plane;
}

std::optional<Panel> tensoraccess::drawProduct(CartProdOp op, bool isSummed,
                                               const PointMarks &lhsMarks,
                                               const PointMarks &rhsMarks,
                                               PointMarks &marks) {
  AccessType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  int64_t lhsItems = countOrDynamic(lhs.getAccessShape());
  int64_t rhsItems = countOrDynamic(rhs.getAccessShape());
  int64_t elements = countOrDynamic(lhs.getComputeShape());
  if (!lhsItems || !rhsItems || !elements)
    return std::nullopt;
  auto follow = [](const PointMarks &known, int64_t items, int64_t wanted,
                   StringRef fill) {
    PointMarks used = known;
    if (used.empty())
      used.push_back(
          {items == kDynamicSize ? wanted : std::min(wanted, items - 1), fill});
    return used;
  };
  PointMarks rowMarks = follow(lhsMarks, lhsItems, 1, color::points[1]);
  PointMarks columnMarks = follow(rhsMarks, rhsItems, 2, color::column);
  // The second mark is a neighbour of the first point; it is picked out unless
  // it lies too far down to be drawn.
  auto pick = [](const PointMarks &known) -> size_t {
    return known.size() > 1 && known[1].number < kNearPoints ? 1 : 0;
  };
  size_t row = pick(rowMarks), column = pick(columnMarks);

  SmallVector<int64_t> rowPoint =
      unravel(rowMarks[row].number, lhs.getAccessShape());
  SmallVector<int64_t> columnPoint =
      unravel(columnMarks[column].number, rhs.getAccessShape());
  SmallVector<int64_t> pair = rowPoint;
  llvm::append_range(pair, columnPoint);
  if (rhsItems != kDynamicSize)
    marks.push_back(
        {rowMarks[row].number * rhsItems + columnMarks[column].number,
         color::result});
  std::vector<std::string> caption = {sizeToString(lhsItems) + " rows and " +
                                      sizeToString(rhsItems) + " columns of " +
                                      sizeToString(elements) + " elements"};
  if (isSummed) {
    caption.push_back("element " + pointToString(pair) + " reads");
    caption.push_back("one row and one column; all elements");
    caption.push_back("are a matmul, " + sizeToString(lhsItems) + "x" +
                      sizeToString(elements) + " by " + sizeToString(elements) +
                      "x" + sizeToString(rhsItems));
  } else {
    caption.push_back("item " + pointToString(rowPoint) + " with item " +
                      pointToString(columnPoint));
    caption.push_back("is item " + pointToString(pair));
  }
  return makePanel(makeProduct(elements, lhsItems, rhsItems, rowMarks,
                               columnMarks, row, column, isSummed),
                   caption);
}

//===----------------------------------------------------------------------===//
// Any other compute
//===----------------------------------------------------------------------===//

static std::string itemToString(ArrayRef<int64_t> shape) {
  return shape.empty() ? "scalar" : shapeToString(shape);
}

std::optional<Panel> tensoraccess::drawPoints(ComputeOp op, PointMarks &marks) {
  constexpr int kMaxSquares = 14;
  AccessType type = op.getPattern().getType(), result = op.getType();
  ArrayRef<int64_t> access = type.getAccessShape();
  if (!result.getComputeShape().empty() || access.empty() ||
      llvm::is_contained(access, 0))
    return std::nullopt;
  int64_t right = access.back(), down = countOrDynamic(access.drop_back());
  // Follow a mark that is drawn, the first point where there is none.
  llvm::erase_if(marks, [&](PointMark mark) {
    return right == kDynamicSize || mark.number / right >= kNearPoints ||
           mark.number % right >= kNearPoints;
  });
  if (marks.empty())
    marks.push_back({0, color::points[0]});
  const PointMark mark = marks.front();
  const bool isRow = right == kDynamicSize;
  const int64_t row = isRow ? 0 : mark.number / right,
                column = isRow ? mark.number : mark.number % right;
  Plane plane;
  plane.rows = {PlaneAxis::squares(down, row + 1, kMaxSquares)};
  plane.columns = {
      PlaneAxis::squares(right, isRow ? 1 : column + 1, kMaxSquares)};
  plane.grids = {{0, 0}};
  plane.areas.push_back(
      {{row, row + 1, 0, 1}, {column, column + 1, 0, 1}, {mark.color.str()}});
  return makePanel(std::move(plane),
                   {"one element per access point: " + sizeToString(down) +
                        " x " + sizeToString(right),
                    "element " + pointToString(unravel(mark.number, access)) +
                        " from an item of " +
                        itemToString(type.getComputeShape())});
}

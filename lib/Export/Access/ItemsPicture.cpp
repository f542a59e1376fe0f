//===- ItemsPicture.cpp - Items side by side, and a systolic array --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr int kBetween = 26;

//===----------------------------------------------------------------------===//
// Items side by side: pair, and operators that keep items
//===----------------------------------------------------------------------===//

namespace {

/// Items as rows, one of them in a colour.
struct Factor {
  int64_t elements;
  StringRef fill;
  std::string label;
};

} // namespace

static Plane makeItems(int64_t items, int64_t picked,
                       ArrayRef<Factor> patterns) {
  constexpr int kMaxSquares = 9;
  Plane plane;
  plane.gap = kBetween;
  plane.rows = {PlaneAxis::squares(items, picked + 1, kMaxSquares)};
  const Stretch item{picked, picked + 1};
  for (auto [i, pattern] : llvm::enumerate(patterns)) {
    const unsigned band = i;
    plane.columns.push_back(
        PlaneAxis::squares(pattern.elements, 1, kMaxSquares));
    plane.columns.back().title = pattern.label;
    plane.grids.push_back({0, band});
    const Stretch all = allOf(pattern.elements, band);
    plane.areas.push_back({item, all, {pattern.fill.str()}});
    if (i + 1 < patterns.size())
      plane.arrows.push_back({item,
                              {all.hi, all.hi, band},
                              item,
                              {0, 0, band + 1},
                              color::muted,
                              /*isDashed=*/true});
  }
  return plane;
}

/// The item to follow: a mark near the beginning, else the second one.
static int64_t pickItem(const PointMarks &marks, int64_t items) {
  constexpr int64_t kNear = 16;
  for (PointMark mark : marks)
    if (mark.number > 0 && mark.number < kNear)
      return mark.number;
  return items == 1 ? 0 : 1;
}

static std::string kindToString(ComputeKind kind) {
  return stringifyComputeKind(kind).str();
}

std::optional<Panel> tensoraccess::drawPair(PairOp op, ComputeOp compute,
                                            PointMarks &marks) {
  AccessType type = op.getType();
  int64_t items = countOrDynamic(type.getAccessShape());
  int64_t elements = countOrDynamic(op.getLhs().getType().getComputeShape());
  if (!items || !elements)
    return std::nullopt;
  int64_t picked = pickItem(marks, items);
  std::string point = pointToString(unravel(picked, type.getAccessShape()));
  SmallVector<Factor> patterns = {{elements, color::points[1], "left"},
                                  {elements, color::points[0], "right"}};
  if (compute) {
    int64_t made = countOrDynamic(compute.getType().getComputeShape());
    if (!made)
      return std::nullopt;
    patterns.push_back({made, color::result, kindToString(compute.getKind())});
  }
  marks = {{picked, color::result}};
  return makePanel(makeItems(items, picked, patterns),
                   {sizeToString(items) + " pairs of items of " +
                        sizeToString(elements) +
                        (elements == 1 ? " element" : " elements"),
                    "item " + point + " with item " + point});
}

std::optional<Panel> tensoraccess::drawItems(ComputeOp op, PointMarks &marks) {
  AccessType type = op.getPattern().getType(), result = op.getType();
  int64_t items = countOrDynamic(type.getAccessShape());
  int64_t elements = countOrDynamic(type.getComputeShape());
  int64_t made = countOrDynamic(result.getComputeShape());
  if (!items || !elements || !made)
    return std::nullopt;
  int64_t picked = pickItem(marks, items);
  std::string point = pointToString(unravel(picked, type.getAccessShape()));
  bool whole = op.getKind() == ComputeKind::Softmax;
  marks = {{picked, color::result}};
  return makePanel(
      makeItems(items, picked,
                {{elements, color::points[1], "item"},
                 {made, color::result, kindToString(op.getKind())}}),
      {"item " + point + " of " + sizeToString(items),
       whole              ? "each item by itself, as a whole"
       : made == elements ? "each element by itself"
                          : "across the tuple"});
}

//===----------------------------------------------------------------------===//
// A systolic array
//===----------------------------------------------------------------------===//

std::optional<Panel> tensoraccess::drawSystolic(SystolicArrayOp op) {
  constexpr int kMaxSquares = 12, kClear = 3;
  const int64_t items =
      countOrDynamic(op.getActivations().getType().getAccessShape());
  const auto rows = static_cast<int64_t>(op.getRows()),
             columns = static_cast<int64_t>(op.getCols());
  Plane plane;
  plane.gap = kBetween;
  plane.rows = {PlaneAxis::squares(rows, 1, kMaxSquares), PlaneAxis()};
  plane.columns = {PlaneAxis(), PlaneAxis::squares(columns, 1, kMaxSquares)};
  plane.grids = {{0, 0}, {0, 1}, {1, 1}};
  const Stretch allRows = allOf(rows), allColumns = allOf(columns, 1);
  plane.areas = {{allRows, {0, 1}, {color::points[1].str()}},
                 {allRows, allColumns, {color::column.str(), 25}},
                 {{0, 1, 1}, allColumns, {color::result.str()}}};
  auto arrow = [&](Stretch fromRow, Stretch fromColumn, Stretch toRow,
                   Stretch toColumn) {
    Arrow arrow{fromRow, fromColumn, toRow, toColumn};
    arrow.hasHead = true;
    arrow.clear = kClear;
    plane.arrows.push_back(arrow);
  };
  for (const PlaneAxis::Piece &piece : plane.rows[0].pieces)
    for (int64_t i = piece.lo; i < piece.hi; ++i)
      arrow({i, i + 1}, {1, 1}, {i, i + 1}, {0, 0, 1});
  for (const PlaneAxis::Piece &piece : plane.columns[1].pieces)
    for (int64_t i = piece.lo; i < piece.hi; ++i)
      arrow({rows, rows}, {i, i + 1, 1}, {0, 0, 1}, {i, i + 1, 1});
  return makePanel(
      std::move(plane),
      {std::to_string(rows) + " x " + std::to_string(columns) +
           " cells hold the weights",
       sizeToString(items) + " items of " + std::to_string(rows) +
           " come from the left",
       "sums of " + std::to_string(rows) + " products leave below"});
}

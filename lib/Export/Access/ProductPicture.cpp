//===- ProductPicture.cpp - Pairs of items and what they make -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Points with smaller row-major numbers are always drawn.
static constexpr int64_t kNearPoints = 16;

//===----------------------------------------------------------------------===//
// cart_prod, with or without the dot product on it
//===----------------------------------------------------------------------===//

namespace {

class ProductPicture : public Picture {
public:
  static constexpr int kCell = 14, kMaxCells = 9, kBetween = 14;
  static constexpr int kCornerWidth = 100;

  ProductPicture(int64_t lhsItems, int64_t rhsItems, int64_t elements,
                 const PointMarks &rowMarks, const PointMarks &columnMarks,
                 size_t row, size_t column, bool summed, Caption caption)
      : rows(lhsItems, rowMarks[row].number + 1, kCell, kMaxCells),
        columns(rhsItems, columnMarks[column].number + 1, kCell, kMaxCells),
        inner(elements, 1, kCell, kMaxCells), rowMarks(rowMarks),
        columnMarks(columnMarks), row(row), column(column), summed(summed),
        caption(std::move(caption)) {
    width = std::max(inner.length() + kBetween + columns.length(),
                     this->caption.getWidth());
    height = inner.length() + kBetween + rows.length() + 8 +
             this->caption.getHeight();
  }

  void draw(SvgCanvas &canvas, int x, int y) const override {
    int right = x + inner.length() + kBetween;
    int down = y + inner.length() + kBetween;
    for (auto [begin, cells] : inner.stretches()) {
      for (auto [i, mark] : llvm::enumerate(rowMarks))
        if (isDrawn(rows, mark.number))
          drawItem(canvas, x + begin, down + rows.position(mark.number),
                   cells * kCell, kCell, mark.color, i == row);
      for (auto [i, mark] : llvm::enumerate(columnMarks))
        if (isDrawn(columns, mark.number))
          drawItem(canvas, right + columns.position(mark.number), y + begin,
                   kCell, cells * kCell, mark.color, i == column);
    }
    // The names of the factors, in the free corner where it has room.
    int corner = inner.length();
    if (corner >= kCornerWidth) {
      canvas.text(x, down - 6, "left factor", Caption::kSize, color::muted);
      StringRef label = "right factor";
      canvas.text(right - 6 - SvgCanvas::textWidth(label, Caption::kSize),
                  y + Caption::kSize, label, Caption::kSize, color::muted);
    }
    drawGrid(canvas, x, down, inner, rows);
    drawGrid(canvas, right, y, columns, inner);
    drawGrid(canvas, right, down, columns, rows);
    int left = right + columns.position(columnMarks[column].number);
    int top = down + rows.position(rowMarks[row].number);
    int middle = kCell / 2;
    canvas.line(x + inner.length(), top + middle, left, top + middle,
                rowMarks[row].color, /*dashed=*/true);
    canvas.line(left + middle, y + inner.length(), left + middle, top,
                columnMarks[column].color, /*dashed=*/true);
    if (summed) {
      canvas.rect(left + 1, top + 1, kCell - 2, kCell - 2, color::result);
    } else {
      canvas.raw("path d=\"M" + Twine(left) + " " + Twine(top) + "v" +
                 Twine(kCell) + "h" + Twine(kCell) + "z\" fill=\"" +
                 rowMarks[row].color + "\"");
      canvas.raw("path d=\"M" + Twine(left) + " " + Twine(top) + "h" +
                 Twine(kCell) + "v" + Twine(kCell) + "z\" fill=\"" +
                 columnMarks[column].color + "\"");
    }
    caption.draw(canvas, x, y + height - caption.getHeight());
  }

private:
  static bool isDrawn(const CellAxis &axis, int64_t number) {
    return axis.position(number + 1) - axis.position(number) == kCell;
  }
  static void drawItem(SvgCanvas &canvas, int x, int y, int width, int height,
                       StringRef fill, bool strong) {
    canvas.raw("rect x=\"" + Twine(x) + "\" y=\"" + Twine(y) + "\" width=\"" +
               Twine(width) + "\" height=\"" + Twine(height) + "\" fill=\"" +
               fill + "\" fill-opacity=\"" + (strong ? "0.8" : "0.3") + "\"");
  }

  CellAxis rows, columns, inner;
  PointMarks rowMarks, columnMarks;
  size_t row, column;
  bool summed;
  Caption caption;
};

} // namespace

std::unique_ptr<Picture> tensoraccess::makeProductPicture(
    CartProdOp op, bool summed, const PointMarks &lhsMarks,
    const PointMarks &rhsMarks, PointMarks &marks) {
  AccessType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  int64_t lhsItems = countOrDynamic(lhs.getAccessShape());
  int64_t rhsItems = countOrDynamic(rhs.getAccessShape());
  int64_t elements = countOrDynamic(lhs.getComputeShape());
  if (!lhsItems || !rhsItems || !elements)
    return nullptr;
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
      pointAt(rowMarks[row].number, lhs.getAccessShape());
  SmallVector<int64_t> columnPoint =
      pointAt(columnMarks[column].number, rhs.getAccessShape());
  SmallVector<int64_t> pair = rowPoint;
  llvm::append_range(pair, columnPoint);
  if (rhsItems != kDynamicSize)
    marks.push_back(
        {rowMarks[row].number * rhsItems + columnMarks[column].number,
         color::result});
  Caption caption{
      {sizeToString(lhsItems) + " rows and " + sizeToString(rhsItems) +
           " columns of " + sizeToString(elements) + " elements",
       "item " + pointToString(rowPoint) + " with item " +
           pointToString(columnPoint),
       (summed ? "makes element " : "is item ") + pointToString(pair)}};
  return std::make_unique<ProductPicture>(lhsItems, rhsItems, elements,
                                          rowMarks, columnMarks, row, column,
                                          summed, std::move(caption));
}

//===----------------------------------------------------------------------===//
// Any other compute
//===----------------------------------------------------------------------===//

static std::string itemToString(ArrayRef<int64_t> shape) {
  return shape.empty() ? "scalar" : shapeToString(shape);
}

namespace {

class PointsPicture : public Picture {
public:
  static constexpr int kCell = 14, kMaxCells = 14;

  PointsPicture(int64_t down, int64_t right, PointMark mark, Caption caption)
      : rows(down, row(mark, right) + 1, kCell, kMaxCells),
        columns(right, right == kDynamicSize ? 1 : mark.number % right + 1,
                kCell, kMaxCells),
        mark(mark), right(right), caption(std::move(caption)) {
    width = std::max(columns.length(), this->caption.getWidth());
    height = rows.length() + 8 + this->caption.getHeight();
  }

  void draw(SvgCanvas &canvas, int x, int y) const override {
    int64_t column = right == kDynamicSize ? mark.number : mark.number % right;
    drawGrid(canvas, x, y, columns, rows);
    canvas.rect(x + columns.position(column) + 1,
                y + rows.position(row(mark, right)) + 1, kCell - 2, kCell - 2,
                mark.color);
    caption.draw(canvas, x, y + height - caption.getHeight());
  }

private:
  static int64_t row(PointMark mark, int64_t right) {
    return right == kDynamicSize ? 0 : mark.number / right;
  }

  CellAxis rows, columns;
  PointMark mark;
  int64_t right;
  Caption caption;
};

} // namespace

std::unique_ptr<Picture> tensoraccess::makePointsPicture(ComputeOp op,
                                                         PointMarks &marks) {
  AccessType type = op.getPattern().getType(), result = op.getType();
  ArrayRef<int64_t> access = type.getAccessShape();
  if (!result.getComputeShape().empty() || access.empty() ||
      llvm::is_contained(access, 0))
    return nullptr;
  int64_t right = access.back(), down = countOrDynamic(access.drop_back());
  // Follow a mark that is drawn, the first point where there is none.
  llvm::erase_if(marks, [&](PointMark mark) {
    return right == kDynamicSize || mark.number / right >= kNearPoints ||
           mark.number % right >= kNearPoints;
  });
  if (marks.empty())
    marks.push_back({0, color::points[0]});
  Caption caption{
      {"one element per access point: " + sizeToString(down) + " x " +
           sizeToString(right),
       "element " + pointToString(pointAt(marks.front().number, access)) +
           " from an item of " + itemToString(type.getComputeShape())}};
  return std::make_unique<PointsPicture>(down, right, marks.front(),
                                         std::move(caption));
}

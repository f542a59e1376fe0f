//===- ItemsPicture.cpp - Items side by side, and a systolic array --------===//
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

static constexpr int kCell = 14, kBetween = 26;

//===----------------------------------------------------------------------===//
// Items side by side: pair, and operators that keep items
//===----------------------------------------------------------------------===//

namespace {

/// A pattern with its items as rows, one of them in a colour.
struct Panel {
  int64_t elements;
  StringRef fill;
  std::string label;
};

class ItemsPicture : public Picture {
public:
  static constexpr int kMaxRows = 9, kMaxColumns = 9;
  static constexpr int kLabel = 20;

  ItemsPicture(int64_t items, int64_t picked, std::vector<Panel> panels,
               Caption caption)
      : rows(items, picked + 1, kCell, kMaxRows), picked(picked),
        panels(std::move(panels)), caption(std::move(caption)) {
    for (const Panel &panel : this->panels) {
      columns.emplace_back(panel.elements, 1, kCell, kMaxColumns);
      width += width ? kBetween : 0;
      width += widthOf(columns.size() - 1);
    }
    width = std::max(width, this->caption.getWidth());
    height = kLabel + rows.length() + 8 + this->caption.getHeight();
  }

  void draw(SvgCanvas &canvas, int x, int y) const override {
    int top = y + kLabel, left = x, end = x;
    int middle = top + rows.position(picked) + kCell / 2;
    for (auto [i, panel] : llvm::enumerate(panels)) {
      if (i)
        canvas.line(end, middle, left, middle, color::muted, /*dashed=*/true);
      canvas.text(left, y + Caption::kSize, panel.label, Caption::kSize,
                  color::muted);
      for (auto [begin, cells] : columns[i].stretches())
        canvas.rect(left + begin, top + rows.position(picked), cells * kCell,
                    kCell, panel.fill);
      drawGrid(canvas, left, top, columns[i], rows);
      end = left + columns[i].length();
      left += widthOf(i) + kBetween;
    }
    caption.draw(canvas, x, y + height - caption.getHeight());
  }

private:
  int widthOf(size_t panel) const {
    return std::max(columns[panel].length(),
                    SvgCanvas::textWidth(panels[panel].label, Caption::kSize));
  }

  CellAxis rows;
  std::vector<CellAxis> columns;
  int64_t picked;
  std::vector<Panel> panels;
  Caption caption;
};

} // namespace

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

std::unique_ptr<Picture>
tensoraccess::makePairPicture(PairOp op, ComputeOp compute, PointMarks &marks) {
  AccessType type = op.getType();
  int64_t items = countOrDynamic(type.getAccessShape());
  int64_t elements = countOrDynamic(op.getLhs().getType().getComputeShape());
  if (!items || !elements)
    return nullptr;
  int64_t picked = pickItem(marks, items);
  std::string point = pointToString(pointAt(picked, type.getAccessShape()));
  std::vector<Panel> panels = {{elements, color::points[1], "left"},
                               {elements, color::points[0], "right"}};
  Caption caption{{sizeToString(items) + " pairs of items of " +
                       sizeToString(elements) +
                       (elements == 1 ? " element" : " elements"),
                   "item " + point + " with item " + point}};
  if (compute) {
    int64_t made = countOrDynamic(compute.getType().getComputeShape());
    if (!made)
      return nullptr;
    panels.push_back({made, color::result, kindToString(compute.getKind())});
  }
  marks = {{picked, color::result}};
  return std::make_unique<ItemsPicture>(items, picked, std::move(panels),
                                        std::move(caption));
}

std::unique_ptr<Picture> tensoraccess::makeItemsPicture(ComputeOp op,
                                                        PointMarks &marks) {
  AccessType type = op.getPattern().getType(), result = op.getType();
  int64_t items = countOrDynamic(type.getAccessShape());
  int64_t elements = countOrDynamic(type.getComputeShape());
  int64_t made = countOrDynamic(result.getComputeShape());
  if (!items || !elements || !made)
    return nullptr;
  int64_t picked = pickItem(marks, items);
  std::string point = pointToString(pointAt(picked, type.getAccessShape()));
  bool whole = op.getKind() == ComputeKind::Softmax;
  Caption caption{{"item " + point + " of " + sizeToString(items),
                   whole              ? "each item by itself, as a whole"
                   : made == elements ? "each element by itself"
                                      : "across the tuple"}};
  marks = {{picked, color::result}};
  return std::make_unique<ItemsPicture>(
      items, picked,
      std::vector<Panel>{{elements, color::points[1], "item"},
                         {made, color::result, kindToString(op.getKind())}},
      std::move(caption));
}

//===----------------------------------------------------------------------===//
// A systolic array
//===----------------------------------------------------------------------===//

namespace {

class SystolicPicture : public Picture {
public:
  static constexpr int kMaxCells = 12;

  SystolicPicture(int64_t rowCount, int64_t columnCount, Caption caption)
      : rows(rowCount, 1, kCell, kMaxCells),
        columns(columnCount, 1, kCell, kMaxCells), one(1, 1, kCell, 1),
        caption(std::move(caption)) {
    width =
        std::max(kCell + kBetween + columns.length(), this->caption.getWidth());
    height = rows.length() + kBetween + kCell + 8 + this->caption.getHeight();
  }

  void draw(SvgCanvas &canvas, int x, int y) const override {
    int right = x + kCell + kBetween, down = y + rows.length() + kBetween;
    for (auto [top, cells] : rows.stretches()) {
      canvas.rect(x, y + top, kCell, cells * kCell, color::points[1]);
      for (int i = 0; i < cells; ++i) {
        int middle = y + top + i * kCell + kCell / 2;
        arrow(canvas, x + kCell + 3, middle, right - 2, middle);
      }
      for (auto [left, wide] : columns.stretches())
        canvas.raw("rect x=\"" + Twine(right + left) + "\" y=\"" +
                   Twine(y + top) + "\" width=\"" + Twine(wide * kCell) +
                   "\" height=\"" + Twine(cells * kCell) + "\" fill=\"" +
                   color::column + "\" fill-opacity=\"0.25\"");
    }
    for (auto [left, cells] : columns.stretches()) {
      canvas.rect(right + left, down, cells * kCell, kCell, color::result);
      for (int i = 0; i < cells; ++i) {
        int middle = right + left + i * kCell + kCell / 2;
        arrow(canvas, middle, y + rows.length() + 3, middle, down - 2);
      }
    }
    drawGrid(canvas, x, y, one, rows);
    drawGrid(canvas, right, y, columns, rows);
    drawGrid(canvas, right, down, columns, one);
    caption.draw(canvas, x, y + height - caption.getHeight());
  }

private:
  static void arrow(SvgCanvas &canvas, int x1, int y1, int x2, int y2) {
    canvas.raw("line x1=\"" + Twine(x1) + "\" y1=\"" + Twine(y1) + "\" x2=\"" +
               Twine(x2) + "\" y2=\"" + Twine(y2) + "\" stroke=\"" +
               color::muted + "\" marker-end=\"url(#arrow)\"");
  }

  CellAxis rows, columns, one;
  Caption caption;
};

} // namespace

std::unique_ptr<Picture> tensoraccess::makeSystolicPicture(SystolicArrayOp op) {
  int64_t items =
      countOrDynamic(op.getActivations().getType().getAccessShape());
  auto rows = static_cast<int64_t>(op.getRows());
  auto columns = static_cast<int64_t>(op.getCols());
  Caption caption{
      {std::to_string(rows) + " x " + std::to_string(columns) +
           " cells hold the weights",
       sizeToString(items) + " items of " + std::to_string(rows) +
           " come from the left",
       "sums of " + std::to_string(rows) + " products leave below"}};
  return std::make_unique<SystolicPicture>(rows, columns, std::move(caption));
}

//===- WindowsPicture.cpp - A plane, its windows and its padding ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/Twine.h"

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

class WindowsPicture : public Picture {
public:
  static constexpr int kCell = 18, kMaxCells = 14, kLegendGap = 20;
  static constexpr int kLegendLine = 22;

  WindowsPicture(PlaneDim vertical, PlaneDim horizontal, Caption labels,
                 Caption caption)
      : vertical(vertical), horizontal(horizontal),
        rows(vertical.size, vertical.needed(), kCell, kMaxCells),
        columns(horizontal.size, horizontal.needed(), kCell, kMaxCells),
        labels(std::move(labels)), caption(std::move(caption)) {
    auto cut = [&](const CellAxis &axis, StringRef what) {
      if (axis.isElided())
        this->caption.lines.push_back(
            (what + " drawn: " + axis.describe()).str());
      if (axis.getScale() > 1)
        this->caption.lines.push_back(
            "one square: " + std::to_string(axis.getScale()) + " " +
            what.str());
    };
    cut(rows, "rows");
    cut(columns, "columns");
    int legend = this->labels.getWidth() + kCell;
    width = std::max(columns.length() + kLegendGap + legend,
                     this->caption.getWidth());
    height =
        std::max<int>(rows.length(), this->labels.lines.size() * kLegendLine) +
        8 + this->caption.getHeight();
  }

  void draw(SvgCanvas &canvas, int x, int y) const override {
    drawGrid(canvas, x, y, columns, rows);
    drawPadding(canvas, x, y);
    drawWindow(canvas, x, y, 0, 0, 0);
    size_t next = 1;
    if (horizontal.places != 1)
      drawWindow(canvas, x, y, 0, 1, next++);
    if (vertical.places != 1)
      drawWindow(canvas, x, y, 1, 0, next++);
    int legendX = x + columns.length() + kLegendGap, legendY = y;
    for (auto [i, label] : llvm::enumerate(labels.lines)) {
      bool point = i < next;
      StringRef fill = "url(#padding)";
      if (point)
        fill = color::points[i];
      canvas.raw("rect x=\"" + Twine(legendX) + "\" y=\"" + Twine(legendY + 2) +
                 "\" width=\"12\" height=\"12\" fill=\"" + fill +
                 "\" fill-opacity=\"" + (point ? "0.45" : "1") +
                 "\" stroke=\"" + (point ? fill : StringRef(color::rule)) +
                 "\"");
      canvas.text(legendX + kCell, legendY + Caption::kSize, label,
                  Caption::kSize, color::ink);
      legendY += kLegendLine;
    }
    caption.draw(canvas, x, y + height - caption.getHeight());
  }

private:
  /// The frame between the plane and what is inside its padding.
  void drawPadding(SvgCanvas &canvas, int x, int y) const {
    if (!vertical.low && !vertical.high && !horizontal.low && !horizontal.high)
      return;
    int right = columns.length(), bottom = rows.length();
    auto begin = [](const CellAxis &axis, const PlaneDim &dim) {
      return axis.position(dim.low);
    };
    auto end = [](const CellAxis &axis, const PlaneDim &dim) {
      return dim.size == kDynamicSize || !dim.high
                 ? axis.length()
                 : axis.position(dim.size - dim.high);
    };
    int left = begin(columns, horizontal), top = begin(rows, vertical);
    canvas.raw("path d=\"M" + Twine(x) + " " + Twine(y) + "h" + Twine(right) +
               "v" + Twine(bottom) + "h-" + Twine(right) + "zM" +
               Twine(x + left) + " " + Twine(y + top) + "H" +
               Twine(x + end(columns, horizontal)) + "V" +
               Twine(y + end(rows, vertical)) + "H" + Twine(x + left) +
               "z\" fill=\"url(#padding)\" fill-rule=\"evenodd\" "
               "fill-opacity=\"0.55\"");
  }

  /// The window at a place, each of its elements where they can be told apart,
  /// and a frame around all of them.
  void drawWindow(SvgCanvas &canvas, int x, int y, int64_t placeV,
                  int64_t placeH, size_t number) const {
    int64_t firstV = placeV * vertical.stride;
    int64_t firstH = placeH * horizontal.stride;
    StringRef fill = color::points[number];
    auto box = [&](int64_t beginV, int64_t sizeV, int64_t beginH, int64_t sizeH,
                   int inset, const Twine &style) {
      int left = columns.position(beginH), top = rows.position(beginV);
      int boxWidth = columns.position(beginH + sizeH) - left - 2 * inset;
      int boxHeight = rows.position(beginV + sizeV) - top - 2 * inset;
      canvas.raw("rect x=\"" + Twine(x + left + inset) + "\" y=\"" +
                 Twine(y + top + inset) + "\" width=\"" + Twine(boxWidth) +
                 "\" height=\"" + Twine(boxHeight) + "\" " + style);
    };
    std::string tint = ("fill=\"" + fill + "\" fill-opacity=\"0.3\"").str();
    bool dense = vertical.dilation == 1 && horizontal.dilation == 1;
    bool single = rows.getScale() == 1 && columns.getScale() == 1;
    if (!dense && single) {
      for (int64_t i = 0; i < vertical.window; ++i)
        for (int64_t j = 0; j < horizontal.window; ++j)
          box(firstV + i * vertical.dilation, 1,
              firstH + j * horizontal.dilation, 1, 0, tint);
    } else {
      box(firstV, vertical.reach(), firstH, horizontal.reach(), 0, tint);
    }
    int inset = 1 + 2 * static_cast<int>(number);
    box(firstV, vertical.reach(), firstH, horizontal.reach(), inset,
        "fill=\"none\" stroke-width=\"2\" rx=\"2\" stroke=\"" + fill + "\"" +
            (dense ? "" : " stroke-dasharray=\"4 3\""));
  }

  PlaneDim vertical, horizontal;
  CellAxis rows, columns;
  Caption labels, caption;
};

} // namespace

/// The two compute dimensions to draw: those in which windows move first, then
/// in order.
static SmallVector<int64_t, 2> choosePlane(ArrayRef<int64_t> places) {
  SmallVector<int64_t> dims;
  for (bool moving : {true, false})
    for (auto [dim, count] : llvm::enumerate(places))
      if ((count != 1) == moving)
        dims.push_back(dim);
  SmallVector<int64_t, 2> plane(ArrayRef<int64_t>(dims).take_front(2));
  llvm::sort(plane);
  return plane;
}

std::unique_ptr<Picture> tensoraccess::makeWindowsPicture(WindowsOp op,
                                                          PointMarks &marks) {
  AccessType type = op.getPattern().getType(), result = op.getType();
  ArrayRef<int64_t> sizes = type.getComputeShape();
  ArrayRef<int64_t> access = result.getAccessShape();
  ArrayRef<int64_t> places = access.drop_front(type.getAccessRank());
  if (sizes.empty() || llvm::is_contained(access, 0) ||
      llvm::is_contained(sizes, 0))
    return nullptr;
  SmallVector<int64_t, 2> plane = choosePlane(places);
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
  PlaneDim horizontal = planeDim(plane.back());
  PlaneDim vertical = plane.size() == 2 ? planeDim(plane.front()) : PlaneDim();

  Caption labels;
  auto label = [&](int64_t dim) {
    SmallVector<int64_t> point(access.size(), 0);
    int64_t number = 0;
    if (dim >= 0) {
      size_t index = type.getAccessRank() + dim;
      point[index] = 1;
      std::optional<int64_t> inner = elementCount(access.drop_front(index + 1));
      number = inner.value_or(-1);
    }
    if (number >= 0)
      marks.push_back({number, color::points[labels.lines.size()]});
    labels.lines.push_back("window " + pointToString(point));
  };
  label(-1);
  if (horizontal.places != 1)
    label(horizontal.dim);
  if (vertical.dim >= 0 && vertical.places != 1)
    label(vertical.dim);
  if (vertical.low || vertical.high || horizontal.low || horizontal.high)
    labels.lines.push_back("padding");

  Caption caption;
  int64_t first = type.getAccessRank();
  if (vertical.dim >= 0)
    caption.lines.push_back("dimensions " +
                            std::to_string(first + vertical.dim) + ", " +
                            std::to_string(first + horizontal.dim) + ": " +
                            sizeToString(vertical.size) + " x " +
                            sizeToString(horizontal.size) + " elements");
  else
    caption.lines.push_back("dimension " +
                            std::to_string(first + horizontal.dim) + ": " +
                            sizeToString(horizontal.size) + " elements");
  return std::make_unique<WindowsPicture>(
      vertical, horizontal, std::move(labels), std::move(caption));
}

//===- Grid.cpp - Grids that stand for tensors ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"

#include "Grid.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::Twine;

/// Squares after the dots, and squares that may show `needed` elements.
static constexpr int kTailCells = 2, kMaxScaledCells = 24;

CellAxis::CellAxis(int64_t size, int64_t needed, int cell, int maxCells)
    : size(size), head(size), cell(cell) {
  while (needed > kMaxScaledCells * scale)
    scale *= 2;
  bool dynamic = size == kDynamicSize;
  if (!dynamic && size <= maxCells * scale)
    return;
  head = std::max((needed + scale - 1) / scale * scale,
                  (maxCells - kTailCells - 1) * scale);
  tail = kTailCells * scale;
  elided = dynamic || head + tail < size;
  if (!elided) {
    head = size;
    tail = 0;
  }
}

int CellAxis::length() const {
  return (headCells() + tailCells()) * cell + (elided ? kGap : 0);
}

int CellAxis::position(int64_t element) const {
  if (element <= head)
    return element * cell / scale;
  if (size == kDynamicSize || element < size - tail)
    return gapBegin() + kGap / 2;
  return gapBegin() + kGap + (element - (size - tail)) * cell / scale;
}

std::string CellAxis::describe() const {
  std::string text = "0-" + std::to_string(head - 1);
  if (size == kDynamicSize)
    return text + ", …";
  return text + ", " + std::to_string(size - tail) + "-" +
         std::to_string(size - 1);
}

SmallVector<std::pair<int, int>, 2> CellAxis::stretches() const {
  SmallVector<std::pair<int, int>, 2> result{{0, headCells()}};
  if (elided)
    result.push_back({gapBegin() + kGap, tailCells()});
  return result;
}

void tensoraccess::drawGrid(SvgCanvas &canvas, int x, int y,
                            const CellAxis &columns, const CellAxis &rows) {
  int cellX = columns.getCell(), cellY = rows.getCell();
  for (auto [top, down] : rows.stretches())
    for (auto [left, right] : columns.stretches()) {
      std::string path;
      for (int i = 0; i <= down; ++i)
        path += ("M" + Twine(x + left) + " " + Twine(y + top + i * cellY) +
                 "h" + Twine(right * cellX))
                    .str();
      for (int i = 0; i <= right; ++i)
        path += ("M" + Twine(x + left + i * cellX) + " " + Twine(y + top) +
                 "v" + Twine(down * cellY))
                    .str();
      canvas.raw("path d=\"" + path + "\" fill=\"none\" stroke=\"" +
                 color::rule + "\"");
    }
  // Dots where the grid is cut.
  auto dots = [&](int centerX, int centerY, int stepX, int stepY) {
    for (int i = -1; i <= 1; ++i)
      canvas.circle(centerX + i * stepX, centerY + i * stepY, 1, color::muted);
  };
  int middleX = x + columns.gapBegin() / 2, middleY = y + rows.gapBegin() / 2;
  int gapX = x + columns.gapBegin() + CellAxis::kGap / 2;
  int gapY = y + rows.gapBegin() + CellAxis::kGap / 2;
  if (columns.isElided())
    dots(gapX, middleY, 5, 0);
  if (rows.isElided())
    dots(middleX, gapY, 0, 5);
  if (columns.isElided() && rows.isElided())
    dots(gapX, gapY, 4, 4);
}

std::string tensoraccess::pointToString(ArrayRef<int64_t> point) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '(';
  llvm::interleaveComma(point, os);
  os << ')';
  return text;
}

SmallVector<int64_t> tensoraccess::pointAt(int64_t number,
                                           ArrayRef<int64_t> shape) {
  SmallVector<int64_t> point(shape.size(), 0);
  for (size_t i = shape.size(); i-- > 0;) {
    bool whole = i == 0 || shape[i] == kDynamicSize || shape[i] == 0;
    point[i] = whole ? number : number % shape[i];
    number = whole ? 0 : number / shape[i];
  }
  return point;
}

std::string tensoraccess::sizeToString(int64_t size) {
  return size == kDynamicSize ? "?" : std::to_string(size);
}

int64_t tensoraccess::countOrDynamic(ArrayRef<int64_t> shape) {
  return elementCount(shape).value_or(kDynamicSize);
}

void Caption::draw(SvgCanvas &canvas, int x, int y) const {
  for (const std::string &line : lines) {
    canvas.text(x, y + kSize, line, kSize, color::muted);
    y += SvgCanvas::lineHeight(kSize);
  }
}

int Caption::getWidth() const {
  int width = 0;
  for (const std::string &line : lines)
    width = std::max(width, SvgCanvas::textWidth(line, kSize));
  return width;
}

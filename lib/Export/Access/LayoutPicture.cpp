//===- LayoutPicture.cpp - A tiled layout drawn ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The picture: planes of the array on the left, memory on the right. The colour
// of a cell is that of its tile of the first level, in turn; borders of tiles
// of the first level are black, of later levels red.
//
//===----------------------------------------------------------------------===//

#include "Canvas/SvgCanvas.h"
#include "LayoutPlanes.h"
#include "TensorAccess/Export/Pictures.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::tensoraccess;
using llvm::Twine;

namespace {

constexpr int kMargin = 20, kGap = 44, kTitle = 16, kHeading = 13, kText = 12;
constexpr int kNumber = 10, kCellHeight = 22, kDots = 14;

/// Soft fills: ink on them has a contrast of at least 10.
constexpr llvm::StringLiteral kFills[] = {"#dbeafe", "#fef3c7", "#dcfce7",
                                          "#fae8ff", "#ffedd5", "#cffafe"};

class Picture {
public:
  Picture(const Layout &layout, const LayoutPlanes &planes);
  void write(llvm::raw_ostream &os);

private:
  using Cells = std::vector<std::vector<LayoutCell>>;

  /// Pixels of the shown indices, those left out being narrow.
  static int length(const ShownIndices &shown, int cell);
  void drawPlane(const LayoutPlane &plane, int x, int y);
  void drawMemory(int x, int y);
  void drawCell(const LayoutCell &cell, int x, int y, int width,
                llvm::StringRef label);
  void border(int x1, int y1, int x2, int y2, size_t level);
  int planeHeight() const;
  std::string getHeading(const LayoutPlane &plane) const;

  const Layout &layout;
  const LayoutPlanes &planes;
  SvgCanvas canvas;
  int cellWidth, indexWidth, rowLabel, memoryLabel;
};

} // namespace

static std::string join(llvm::ArrayRef<int64_t> index) {
  std::string text;
  for (auto [i, value] : llvm::enumerate(index))
    text += (i ? "," : "") + std::to_string(value);
  return text;
}

/// The first level at which two neighbours belong to different tiles.
static std::optional<size_t> getBorder(const LayoutCell &a,
                                       const LayoutCell &b) {
  if (a.tiles.empty() || b.tiles.empty())
    return std::nullopt;
  for (size_t level = 0; level < std::min(a.tiles.size(), b.tiles.size());
       ++level)
    if (a.tiles[level] != b.tiles[level])
      return level;
  return std::nullopt;
}

Picture::Picture(const Layout &layout, const LayoutPlanes &planes)
    : layout(layout), planes(planes) {
  auto width = [](llvm::StringRef text) {
    return SvgCanvas::textWidth(text, kNumber);
  };
  cellWidth = indexWidth = 24;
  rowLabel = 18;
  memoryLabel = 18;
  for (const LayoutPlane &plane : planes.planes)
    for (const auto &row : plane.cells)
      for (const LayoutCell &cell : row)
        cellWidth = std::max(cellWidth, width(std::to_string(cell.number)) + 8);
  for (int64_t column : planes.columns)
    cellWidth = std::max(cellWidth, width(std::to_string(column)) + 6);
  for (int64_t row : planes.rows)
    rowLabel = std::max(rowLabel, width(std::to_string(row)) + 8);
  for (const auto &row : planes.memory)
    for (const LayoutCell &cell : row)
      indexWidth = std::max(indexWidth, width(join(cell.index)) + 8);
  for (int64_t begin : planes.memoryBegins)
    memoryLabel = std::max(memoryLabel, width(std::to_string(begin)) + 8);
}

int Picture::length(const ShownIndices &shown, int cell) {
  int pixels = 0;
  for (int64_t index : shown)
    pixels += index < 0 ? kDots : cell;
  return pixels;
}

std::string Picture::getHeading(const LayoutPlane &plane) const {
  std::string heading = "numbers in memory";
  if (planes.columnDim >= 0)
    heading += ": d" + std::to_string(planes.columnDim) + " across";
  if (planes.rowDim >= 0)
    heading += ", d" + std::to_string(planes.rowDim) + " down";
  return plane.title.empty() ? heading : heading + ", " + plane.title;
}

int Picture::planeHeight() const {
  return SvgCanvas::lineHeight(kHeading) + SvgCanvas::lineHeight(kNumber) +
         length(planes.rows, kCellHeight);
}

void Picture::drawCell(const LayoutCell &cell, int x, int y, int width,
                       llvm::StringRef label) {
  llvm::StringRef fill = kFills[0];
  if (!cell.isPadding && !cell.tiles.empty())
    fill = kFills[cell.tiles.front() % std::size(kFills)];
  if (cell.isPadding)
    // Light enough for a number on it.
    canvas.raw("rect x=\"" + Twine(x) + "\" y=\"" + Twine(y) + "\" width=\"" +
               Twine(width) + "\" height=\"" + Twine(kCellHeight) +
               "\" fill=\"url(#padding)\" fill-opacity=\"0.3\" stroke=\"" +
               color::rule + "\"");
  else
    canvas.rect(x, y, width, kCellHeight, fill, color::rule);
  canvas.text(x + (width - SvgCanvas::textWidth(label, kNumber)) / 2,
              y + kCellHeight - 7, label, kNumber,
              cell.isPadding ? color::muted : color::ink);
}

void Picture::border(int x1, int y1, int x2, int y2, size_t level) {
  canvas.raw("line x1=\"" + Twine(x1) + "\" y1=\"" + Twine(y1) + "\" x2=\"" +
             Twine(x2) + "\" y2=\"" + Twine(y2) + "\" stroke=\"" +
             (level == 0 ? color::ink : color::result) + "\" stroke-width=\"" +
             (level == 0 ? "2" : "1") + "\"");
}

void Picture::drawPlane(const LayoutPlane &plane, int x, int y) {
  canvas.text(x, y + kHeading, getHeading(plane), kHeading, color::ink,
              /*bold=*/true);
  y += SvgCanvas::lineHeight(kHeading);
  int left = x + rowLabel;
  for (int64_t column : planes.columns) {
    const int width = column < 0 ? kDots : cellWidth;
    const std::string label = column < 0 ? "…" : std::to_string(column);
    canvas.text(left + (width - SvgCanvas::textWidth(label, kNumber)) / 2,
                y + kNumber, label, kNumber, color::muted);
    left += width;
  }
  y += SvgCanvas::lineHeight(kNumber);
  const int top = y;
  for (auto [r, row] : llvm::enumerate(planes.rows)) {
    const int height = row < 0 ? kDots : kCellHeight;
    if (row < 0) {
      canvas.text(x + 4, y + kDots - 4, "…", kNumber, color::muted);
      y += height;
      continue;
    }
    if (planes.rowDim >= 0)
      canvas.text(x, y + kCellHeight - 7, std::to_string(row), kNumber,
                  color::muted);
    left = x + rowLabel;
    for (auto [c, column] : llvm::enumerate(planes.columns)) {
      const LayoutCell &cell = plane.cells[r][c];
      if (column >= 0)
        drawCell(cell, left, y, cellWidth, std::to_string(cell.number));
      left += column < 0 ? kDots : cellWidth;
    }
    y += height;
  }
  // The borders lie over the cells.
  y = top;
  for (size_t r = 0; r < planes.rows.size(); ++r) {
    left = x + rowLabel;
    const int height = planes.rows[r] < 0 ? kDots : kCellHeight;
    for (size_t c = 0; c < planes.columns.size(); ++c) {
      const int width = planes.columns[c] < 0 ? kDots : cellWidth;
      const LayoutCell &cell = plane.cells[r][c];
      if (c + 1 < planes.columns.size())
        if (auto level = getBorder(cell, plane.cells[r][c + 1]))
          border(left + width, y, left + width, y + height, *level);
      if (r + 1 < planes.rows.size())
        if (auto level = getBorder(cell, plane.cells[r + 1][c]))
          border(left, y + height, left + width, y + height, *level);
      left += width;
    }
    y += height;
  }
  canvas.raw("rect x=\"" + Twine(x + rowLabel) + "\" y=\"" + Twine(top) +
             "\" width=\"" + Twine(length(planes.columns, cellWidth)) +
             "\" height=\"" + Twine(length(planes.rows, kCellHeight)) +
             "\" fill=\"none\" stroke=\"" + color::ink +
             "\" stroke-width=\"2\"");
}

void Picture::drawMemory(int x, int y) {
  canvas.text(x, y + kHeading, "memory: indices of the elements", kHeading,
              color::ink, /*bold=*/true);
  y += SvgCanvas::lineHeight(kHeading) + SvgCanvas::lineHeight(kNumber);
  for (auto [begin, row] :
       llvm::zip_equal(planes.memoryBegins, planes.memory)) {
    canvas.text(x, y + kCellHeight - 7, std::to_string(begin), kNumber,
                color::muted);
    int left = x + memoryLabel;
    for (const LayoutCell &cell : row) {
      drawCell(cell, left, y, indexWidth, join(cell.index));
      left += indexWidth;
    }
    left = x + memoryLabel;
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      left += indexWidth;
      if (auto level = getBorder(row[i], row[i + 1]))
        border(left, y, left, y + kCellHeight, *level);
    }
    y += kCellHeight;
  }
  if (planes.hiddenPlaces != 0)
    canvas.text(x, y + kText + 2,
                "… and " + std::to_string(planes.hiddenPlaces) + " more", kText,
                color::muted);
}

void Picture::write(llvm::raw_ostream &os) {
  const std::string title = SvgCanvas::elide(layout.str(), 120);
  canvas.text(kMargin, kMargin + kTitle, title, kTitle, color::ink,
              /*bold=*/true);
  int width = SvgCanvas::textWidth(title, kTitle) + 2 * kMargin;
  int y = kMargin + SvgCanvas::lineHeight(kTitle) + 4;
  for (const std::string &line : planes.summary) {
    const int end = canvas.text(kMargin, y + kText, line, kText, color::muted);
    width = std::max(width, end + kMargin);
    y += SvgCanvas::lineHeight(kText);
  }
  y += 10;
  const int top = y;
  int right = kMargin + rowLabel + length(planes.columns, cellWidth);
  for (const LayoutPlane &plane : planes.planes) {
    right = std::max(
        right, kMargin + SvgCanvas::textWidth(getHeading(plane), kHeading));
    drawPlane(plane, kMargin, y);
    y += planeHeight() + 14;
  }
  if (planes.hiddenPlanes != 0) {
    canvas.text(kMargin, y + kText,
                "… and " + std::to_string(planes.hiddenPlanes) + " more planes",
                kText, color::muted);
    y += SvgCanvas::lineHeight(kText);
  }
  if (!planes.memory.empty()) {
    const int x = right + kGap;
    drawMemory(x, top);
    const int rows = planes.memory.size();
    y = std::max(y, top + SvgCanvas::lineHeight(kHeading) +
                        SvgCanvas::lineHeight(kNumber) + rows * kCellHeight +
                        (planes.hiddenPlaces ? 20 : 0) + 14);
    width = std::max(
        {width,
         x + memoryLabel +
             static_cast<int>(planes.memory.front().size()) * indexWidth +
             kMargin,
         x + SvgCanvas::textWidth("memory: indices of the elements", kHeading) +
             kMargin});
  }
  // The legend.
  int x = kMargin;
  canvas.rect(x, y, 12, 12, "url(#padding)", color::muted);
  x = canvas.text(x + 18, y + 11, "padding", kText, color::ink) + 24;
  for (size_t level = 0; level < std::min<size_t>(planes.levels, 2); ++level) {
    border(x, y + 6, x + 14, y + 6, level);
    x = canvas.text(x + 20, y + 11,
                    level == 0 ? "border of a tile"
                               : "border of a tile inside of it",
                    kText, color::ink) +
        24;
  }
  width = std::max(width, x);
  canvas.write(os, width, y + 12 + kMargin, title);
}

std::optional<std::string>
mlir::tensoraccess::writeLayoutSvg(const Layout &layout, llvm::raw_ostream &os,
                                   const LayoutPictureOptions &options) {
  std::string problem;
  std::optional<LayoutPlanes> planes =
      LayoutPlanes::make(layout, options, problem);
  if (!planes)
    return problem;
  Picture(layout, *planes).write(os);
  return std::nullopt;
}

//===- CellTable.cpp - Tables of cells, as pictures and text --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canvas/CellTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

static constexpr int kMargin = 20, kGap = 44, kTitle = 16, kHeading = 13,
                     kText = 12, kNumber = 10, kCellHeight = 22, kDots = 14,
                     kBetween = 14;

ShownIndices mlir::tensoraccess::chooseIndices(int64_t extent, int64_t border,
                                               int64_t most) {
  ShownIndices shown;
  auto add = [&](int64_t begin, int64_t end) {
    begin = std::max(begin, shown.empty() ? 0 : shown.back() + 1);
    end = std::min(end, extent);
    if (begin < end && begin != (shown.empty() ? 0 : shown.back() + 1))
      shown.push_back(-1);
    for (int64_t i = begin; i < end; ++i)
      shown.push_back(i);
  };
  if (extent <= most) {
    add(0, extent);
    return shown;
  }
  // A mark of what is left out takes a cell, too.
  const int64_t third = (most - 2) / 3;
  add(0, third);
  if (border > third && border < extent)
    add(border - third / 2, border - third / 2 + third);
  else
    add(third, 2 * third);
  add(extent - third, extent);
  return shown;
}

std::optional<size_t> mlir::tensoraccess::getBorder(ArrayRef<int64_t> a,
                                                    ArrayRef<int64_t> b) {
  for (auto [level, pair] : llvm::enumerate(llvm::zip(a, b)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return level;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// A table
//===----------------------------------------------------------------------===//

static int getTextWidth(StringRef text) {
  return SvgCanvas::textWidth(text, kNumber);
}

static int getRowLabelWidth(const CellTable &table) {
  int width = 18;
  if (table.hasRowLabels)
    for (int64_t row : table.rows)
      width = std::max(width, getTextWidth(std::to_string(row)) + 8);
  return width;
}

/// Pixels of the shown indices, those left out being narrow.
static int getLength(const ShownIndices &shown, int cell) {
  int pixels = 0;
  for (int64_t index : shown)
    pixels += index < 0 ? kDots : cell;
  return pixels;
}

int CellTable::getCellWidth() const {
  if (cellWidth)
    return cellWidth;
  int width = 24;
  for (const auto &row : cells)
    for (const TableCell &cell : row)
      width = std::max(width, getTextWidth(cell.label) + 8);
  if (hasColumnLabels)
    for (int64_t column : columns)
      width = std::max(width, getTextWidth(std::to_string(column)) + 6);
  return width;
}

int CellTable::getWidth() const {
  return std::max(getRowLabelWidth(*this) + getLength(columns, getCellWidth()),
                  SvgCanvas::textWidth(heading, kHeading));
}

int CellTable::getHeight() const {
  return SvgCanvas::lineHeight(kHeading) + SvgCanvas::lineHeight(kNumber) +
         getLength(rows, kCellHeight);
}

static void drawBorder(SvgCanvas &canvas, int x1, int y1, int x2, int y2,
                       size_t level) {
  canvas.raw("line x1=\"" + Twine(x1) + "\" y1=\"" + Twine(y1) + "\" x2=\"" +
             Twine(x2) + "\" y2=\"" + Twine(y2) + "\" stroke=\"" +
             (level == 0 ? color::ink : color::result) + "\" stroke-width=\"" +
             (level == 0 ? "2" : "1") + "\"");
}

static void drawCell(SvgCanvas &canvas, const TableCell &cell, int x, int y,
                     int width) {
  if (cell.isPadding)
    // Light enough for a number on it.
    canvas.raw("rect x=\"" + Twine(x) + "\" y=\"" + Twine(y) + "\" width=\"" +
               Twine(width) + "\" height=\"" + Twine(kCellHeight) +
               "\" fill=\"url(#padding)\" fill-opacity=\"0.3\" stroke=\"" +
               color::rule + "\"");
  else
    canvas.rect(x, y, width, kCellHeight, cell.fill, color::rule);
  canvas.text(x + (width - getTextWidth(cell.label)) / 2, y + kCellHeight - 7,
              cell.label, kNumber, cell.isPadding ? color::muted : color::ink);
}

void CellTable::draw(SvgCanvas &canvas, int x, int y) const {
  const int width = getCellWidth(), begin = x + getRowLabelWidth(*this);
  canvas.text(x, y + kHeading, heading, kHeading, color::ink, /*bold=*/true);
  y += SvgCanvas::lineHeight(kHeading);
  int left = begin;
  for (int64_t column : columns) {
    const int pixels = column < 0 ? kDots : width;
    const std::string label = column < 0 ? "…" : std::to_string(column);
    if (column < 0 || hasColumnLabels)
      canvas.text(left + (pixels - getTextWidth(label)) / 2, y + kNumber, label,
                  kNumber, color::muted);
    left += pixels;
  }
  y += SvgCanvas::lineHeight(kNumber);
  const int top = y;
  for (auto [r, row] : llvm::enumerate(rows)) {
    if (row < 0) {
      canvas.text(x + 4, y + kDots - 4, "…", kNumber, color::muted);
      y += kDots;
      continue;
    }
    if (hasRowLabels)
      canvas.text(x, y + kCellHeight - 7, std::to_string(row), kNumber,
                  color::muted);
    left = begin;
    for (auto [cell, column] : llvm::zip(cells[r], columns)) {
      if (column >= 0)
        drawCell(canvas, cell, left, y, width);
      left += column < 0 ? kDots : width;
    }
    y += kCellHeight;
  }
  // The borders lie over the cells.
  y = top;
  for (size_t r = 0; r < rows.size(); ++r) {
    left = begin;
    const int height = rows[r] < 0 ? kDots : kCellHeight;
    for (size_t c = 0; c < cells[r].size(); ++c) {
      const int pixels = columns[c] < 0 ? kDots : width;
      const TableCell &cell = cells[r][c];
      if (c + 1 < cells[r].size())
        if (auto level = getBorder(cell.groups, cells[r][c + 1].groups))
          drawBorder(canvas, left + pixels, y, left + pixels, y + height,
                     *level);
      if (hasRowBorders && r + 1 < rows.size() && c < cells[r + 1].size())
        if (auto level = getBorder(cell.groups, cells[r + 1][c].groups))
          drawBorder(canvas, left, y + height, left + pixels, y + height,
                     *level);
      left += pixels;
    }
    y += height;
  }
  canvas.raw("rect x=\"" + Twine(begin) + "\" y=\"" + Twine(top) +
             "\" width=\"" + Twine(getLength(columns, width)) + "\" height=\"" +
             Twine(getLength(rows, kCellHeight)) +
             "\" fill=\"none\" stroke=\"" + color::ink +
             "\" stroke-width=\"2\"");
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

void CellTable::print(llvm::raw_ostream &os, int64_t maxWidth) const {
  const size_t numRows = rows.size(), numColumns = columns.size();
  size_t width = 1, label = 1;
  for (const auto &row : cells)
    for (const TableCell &cell : row)
      width = std::max(width, cell.label.size());
  for (int64_t column : columns)
    width = std::max(width, std::to_string(column).size());
  for (int64_t row : rows)
    label = std::max(label, std::to_string(row).size());

  // Borders between columns, over all rows, and the other way round.
  std::vector<std::optional<size_t>> columnBorders(numColumns),
      rowBorders(numRows);
  auto note = [](std::optional<size_t> &first, const TableCell &a,
                 const TableCell &b) {
    if (std::optional<size_t> level = getBorder(a.groups, b.groups))
      first = std::min(*level, first.value_or(*level));
  };
  for (size_t r = 0; r < numRows; ++r)
    for (size_t c = 0; c < numColumns; ++c) {
      if (c + 1 < numColumns)
        note(columnBorders[c], cells[r][c], cells[r][c + 1]);
      if (hasRowBorders && r + 1 < numRows)
        note(rowBorders[r], cells[r][c], cells[r + 1][c]);
    }

  if (!heading.empty())
    os << heading << '\n';
  auto put = [&](StringRef text, size_t characters) {
    os.indent(width - std::min(width, characters) + 1) << text;
  };
  auto separate = [&](size_t c, bool isHead) {
    os << (!columnBorders[c] || isHead ? " "
           : *columnBorders[c] == 0    ? "│"
                                       : "┊");
  };
  auto printPanel = [&](size_t first, size_t end) {
    os.indent(label + 1);
    for (size_t c = first; c < end; ++c) {
      const std::string text =
          columns[c] < 0 ? "…" : std::to_string(columns[c]);
      put(text, columns[c] < 0 ? 1 : text.size());
      if (c + 1 < end)
        separate(c, /*isHead=*/true);
    }
    os << '\n';
    for (size_t r = 0; r < numRows; ++r) {
      const std::string name = rows[r] < 0     ? "…"
                               : !hasRowLabels ? ""
                                               : std::to_string(rows[r]);
      os.indent(label - (rows[r] < 0 ? 1 : name.size())) << name << ' ';
      for (size_t c = first; rows[r] >= 0 && c < end; ++c) {
        const TableCell &cell = cells[r][c];
        if (columns[c] < 0)
          put("…", 1);
        else if (cell.isPadding)
          put("·", 1);
        else
          put(cell.label, cell.label.size());
        if (c + 1 < end)
          separate(c, /*isHead=*/false);
      }
      os << '\n';
      if (!rowBorders[r])
        continue;
      os.indent(label + 1);
      const StringRef dash = *rowBorders[r] == 0 ? "─" : "┄";
      for (size_t c = first; c < end; ++c) {
        for (size_t i = 0; i < width + 1; ++i)
          os << dash;
        if (c + 1 < end)
          os << (columnBorders[c] && *columnBorders[c] == 0 &&
                         *rowBorders[r] == 0
                     ? "┼"
                     : dash);
      }
      os << '\n';
    }
  };
  // A column is a space, its label and the border after it, but for the last.
  size_t step = numColumns;
  if (maxWidth != 0)
    step = std::max<int64_t>(
        (maxWidth - int64_t(label)) / int64_t(width + 2), 1);
  for (size_t first = 0; first == 0 || first < numColumns; first += step) {
    if (first != 0)
      os << '\n';
    printPanel(first, std::min(first + step, numColumns));
  }
}

//===----------------------------------------------------------------------===//
// Several tables
//===----------------------------------------------------------------------===//

std::vector<CellTable> mlir::tensoraccess::makePlanes(
    ArrayRef<int64_t> shape, int rowDim, int columnDim,
    const ShownIndices &rows, const ShownIndices &columns, int64_t maxPlanes,
    int64_t &hiddenPlanes,
    llvm::function_ref<TableCell(ArrayRef<int64_t>)> makeCell) {
  llvm::SmallVector<int> others;
  int64_t numPlanes = llvm::is_contained(shape, 0) ? 0 : 1;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (static_cast<int>(dim) != rowDim && static_cast<int>(dim) != columnDim) {
      others.push_back(dim);
      numPlanes *= size;
    }
  const int64_t shown = std::min(numPlanes, maxPlanes);
  hiddenPlanes = numPlanes - shown;
  std::vector<CellTable> tables(shown);
  for (auto [number, table] : llvm::enumerate(tables)) {
    table.rows = rows;
    table.columns = columns;
    table.hasRowLabels = rowDim >= 0;
    llvm::SmallVector<int64_t> index(shape.size(), 0);
    int64_t rest = number;
    for (int dim : llvm::reverse(others)) {
      index[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
    for (int dim : others)
      table.heading += (table.heading.empty() ? "d" : ", d") +
                       std::to_string(dim) + " = " + std::to_string(index[dim]);
    for (int64_t row : rows) {
      table.cells.emplace_back(columns.size());
      for (auto [i, column] : llvm::enumerate(columns)) {
        if (row < 0 || column < 0)
          continue;
        if (rowDim >= 0)
          index[rowDim] = row;
        if (columnDim >= 0)
          index[columnDim] = column;
        table.cells.back()[i] = makeCell(index);
      }
    }
  }
  return tables;
}

void TablePage::write(llvm::raw_ostream &os) {
  SvgCanvas canvas;
  const std::string shown = SvgCanvas::elide(title, 160);
  canvas.text(kMargin, kMargin + kTitle, shown, kTitle, color::ink,
              /*bold=*/true);
  int width = SvgCanvas::textWidth(shown, kTitle) + 2 * kMargin;
  int y = kMargin + SvgCanvas::lineHeight(kTitle) + 4;
  for (const std::string &line : summary) {
    const int end = canvas.text(kMargin, y + kText, line, kText, color::muted);
    width = std::max(width, end + kMargin);
    y += SvgCanvas::lineHeight(kText);
  }
  const int top = y + 10;
  int x = kMargin, bottom = top;
  for (auto [tables, note] :
       {std::pair(&left, &leftNote), std::pair(&right, &rightNote)}) {
    int cell = 0, end = x;
    for (const CellTable &table : *tables)
      cell = std::max(cell, table.getCellWidth());
    y = top;
    for (CellTable &table : *tables) {
      table.cellWidth = cell;
      table.draw(canvas, x, y);
      end = std::max(end, x + table.getWidth());
      y += table.getHeight() + kBetween;
    }
    if (!note->empty()) {
      end = std::max(end,
                     canvas.text(x, y + kText, *note, kText, color::muted));
      y += SvgCanvas::lineHeight(kText);
    }
    bottom = std::max(bottom, y);
    width = std::max(width, end + kMargin);
    x = end + kGap;
  }
  x = kMargin;
  for (const Legend &legend : legends) {
    int end = x + 12;
    if (!legend.fill.empty())
      canvas.rect(x, bottom, 12, 12, legend.fill, color::muted);
    else
      drawBorder(canvas, x, bottom + 6, end = x + 14, bottom + 6, legend.level);
    x = canvas.text(end + 6, bottom + 11, legend.text, kText, color::ink) + 24;
  }
  width = std::max(width, x);
  canvas.write(os, width, bottom + 12 + kMargin, shown);
}

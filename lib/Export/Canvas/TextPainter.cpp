//===- TextPainter.cpp - Pictures on the terminal -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of text and the tables of cells. A table that is too wide is folded.
//
//===----------------------------------------------------------------------===//

#include "Panel.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// How many columns of `width` characters fit behind a label; at least one.
static size_t countColumns(int64_t maxWidth, size_t label, size_t width) {
  if (maxWidth == 0)
    return std::numeric_limits<size_t>::max();
  return std::max<int64_t>((maxWidth - int64_t(label)) / int64_t(width), 1);
}

/// Cells that follow one another, in parentheses. A line that goes on below begins with
/// the number of its first cell, too.
static void printSequence(const CellTable &table, raw_ostream &os,
                          int64_t maxWidth) {
  auto print = [](const TableCell &cell) {
    return cell.isPadding ? "·" : "(" + cell.label + ")";
  };
  size_t width = 1;
  for (const auto &row : table.cells)
    for (const TableCell &cell : row)
      if (!cell.isPadding)
        width = std::max(width, print(cell).size());
  size_t label = std::to_string(table.rows.back()).size();
  auto isFolded = [&](const auto &row) {
    return row.size() > countColumns(maxWidth, label, width + 1);
  };
  if (llvm::any_of(table.cells, isFolded))
    label =
        std::to_string(table.rows.back() + int64_t(table.cells.back().size()))
            .size();
  const size_t step = countColumns(maxWidth, label, width + 1);
  for (auto [begin, row] : llvm::zip_equal(table.rows, table.cells)) {
    for (auto [i, cell] : llvm::enumerate(row)) {
      if (i % step == 0) {
        const std::string number = std::to_string(begin + int64_t(i));
        os << (i == 0 ? "" : "\n");
        os.indent(label - number.size()) << number;
      }
      const std::string text = print(cell);
      os.indent(1 + width - (cell.isPadding ? 1 : text.size())) << text;
    }
    os << '\n';
  }
}

/// `│` and `─` are borders of the first level, `┊` and `┄` of later ones; `·` is
/// padding. Where the table is folded its columns are dealt out to tables below one
/// another.
static void printTable(const CellTable &table, raw_ostream &os,
                       int64_t maxWidth) {
  const ShownIndices &rows = table.rows, &columns = table.columns;
  const auto &cells = table.cells;
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
      if (table.hasRowBorders && r + 1 < numRows)
        note(rowBorders[r], cells[r][c], cells[r + 1][c]);
    }

  auto put = [&](StringRef text, size_t characters) {
    os.indent(width - std::min(width, characters) + 1) << text;
  };
  auto separate = [&](size_t c, bool isHead) {
    os << (!columnBorders[c] || isHead ? " "
           : *columnBorders[c] == 0    ? "│"
                                       : "┊");
  };
  auto printColumns = [&](size_t first, size_t end) {
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
      const std::string name = rows[r] < 0           ? "…"
                               : !table.hasRowLabels ? ""
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
  // A column is a space, its label and the border behind it, but for the last.
  const size_t step = countColumns(maxWidth, label, width + 2);
  for (size_t first = 0; first == 0 || first < numColumns; first += step) {
    if (first != 0)
      os << '\n';
    printColumns(first, std::min(first + step, numColumns));
  }
}

static void print(const Panel &panel, raw_ostream &os, int64_t maxWidth) {
  if (const auto *stack = std::get_if<Stack>(&panel.content)) {
    for (const Panel &part : stack->parts)
      print(part, os, maxWidth);
    return;
  }
  auto printLines = [&](ArrayRef<TextLine> lines) {
    for (const TextLine &line : lines) {
      for (const TextSpan &span : line.spans)
        os << span.text;
      os << '\n';
    }
  };
  os << '\n';
  printLines(panel.head);
  if (const auto *table = std::get_if<CellTable>(&panel.content))
    (table->hasColumnLabels ? printTable : printSequence)(*table, os, maxWidth);
  printLines(panel.foot);
}

void mlir::tensoraccess::print(const Picture &picture, raw_ostream &os,
                               int64_t maxWidth) {
  os << picture.title << '\n';
  for (const std::string &line : picture.summary)
    os << line << '\n';
  ::print(picture.body, os, maxWidth);
}

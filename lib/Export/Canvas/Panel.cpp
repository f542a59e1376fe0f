//===- Panel.cpp - What pictures are made of ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Panel.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::StringRef;

std::vector<TextLine>
mlir::tensoraccess::makeNotes(ArrayRef<std::string> texts) {
  std::vector<TextLine> notes;
  for (const std::string &text : texts)
    notes.push_back(TextLine::note(text));
  return notes;
}

Key Key::border(size_t level, StringRef text) {
  const bool isFirst = level == 0;
  return {Look::frame(isFirst ? color::ink : color::result, isFirst ? 2 : 1),
          text.str(), "", /*isLine=*/true};
}

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

Panel mlir::tensoraccess::makePlanes(
    ArrayRef<int64_t> shape, int rowDim, int columnDim,
    const ShownIndices &rows, const ShownIndices &columns, int64_t maxPlanes,
    StringRef heading,
    llvm::function_ref<TableCell(ArrayRef<int64_t>)> makeCell) {
  llvm::SmallVector<int> others;
  llvm::SmallVector<int64_t> planesShape(shape.size(), 1);
  int64_t numPlanes = llvm::is_contained(shape, 0) ? 0 : 1;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (static_cast<int>(dim) != rowDim && static_cast<int>(dim) != columnDim) {
      others.push_back(dim);
      planesShape[dim] = size;
      numPlanes *= size;
    }
  Stack planes;
  planes.gap = 14;
  for (int64_t number = 0; number < std::min(numPlanes, maxPlanes); ++number) {
    CellTable table;
    table.rows = rows;
    table.columns = columns;
    table.hasRowLabels = rowDim >= 0;
    llvm::SmallVector<int64_t> index = unravel(number, planesShape);
    std::string text = heading.str();
    for (int dim : others)
      text += (text.empty() ? "d" : ", d") + std::to_string(dim) + " = " +
              std::to_string(index[dim]);
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
    std::vector<TextLine> head;
    if (!text.empty())
      head.push_back(TextLine::heading(text));
    planes.parts.push_back({std::move(head), std::move(table), {}});
  }
  if (const int64_t hidden = numPlanes - planes.parts.size(); hidden > 0)
    planes.parts.push_back(
        {{TextLine::note("… and " + std::to_string(hidden) +
                         (hidden == 1 ? " more plane" : " more planes"))},
         {},
         {}});
  return {{}, std::move(planes), {}};
}

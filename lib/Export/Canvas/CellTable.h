//===- CellTable.h - Tables of cells, as pictures and text ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array of two dimensions, or a plane of one, cell by cell: what each is
// labelled, its colour, and the borders of what belongs together. Of a longer axis
// some indices are shown.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_CELLTABLE_H
#define TENSORACCESS_LIB_EXPORT_CELLTABLE_H

#include "SvgCanvas.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// Some of the indices of an axis: -1 stands for those left out.
using ShownIndices = std::vector<int64_t>;

/// All indices of a short axis; else the beginning, what is round `border`, and
/// the end.
ShownIndices chooseIndices(int64_t extent, int64_t border, int64_t most);

struct TableCell {
  std::string label, fill;
  bool isPadding = false;
  /// What it belongs to, level by level; neighbours have a border where they differ.
  llvm::SmallVector<int64_t, 2> groups;
};

/// The first level at which two neighbours belong to different groups.
std::optional<size_t> getBorder(llvm::ArrayRef<int64_t> a,
                                llvm::ArrayRef<int64_t> b);

struct CellTable {
  std::string heading;
  /// What rows and columns are labelled; -1 for what is left out.
  ShownIndices rows, columns;
  bool hasRowLabels = true, hasColumnLabels = true;
  /// Whether rows are neighbours, as they are not where they follow one another.
  bool hasRowBorders = true;
  /// By rows; the last one may be shorter. What is left out is not looked at.
  std::vector<std::vector<TableCell>> cells;
  /// Pixels, 0 for as wide as the labels.
  int cellWidth = 0;

  /// As wide as the labels.
  int getCellWidth() const;
  int getWidth() const;
  int getHeight() const;
  void draw(SvgCanvas &canvas, int x, int y) const;
  /// `│` and `─` are borders of the first level, `┊` and `┄` of later ones; `·` is
  /// padding. A table of more characters a line than `maxWidth` is folded, unless
  /// that is 0: its columns are dealt out to panels, one below the other.
  void print(llvm::raw_ostream &os, int64_t maxWidth) const;
};

/// Tables of all planes of an array, over its last two dimensions that are `rowDim`
/// and `columnDim` (-1 for none); at most `maxPlanes`, the others are counted.
std::vector<CellTable>
makePlanes(llvm::ArrayRef<int64_t> shape, int rowDim, int columnDim,
           const ShownIndices &rows, const ShownIndices &columns,
           int64_t maxPlanes, int64_t &hiddenPlanes,
           llvm::function_ref<TableCell(llvm::ArrayRef<int64_t>)> makeCell);

/// A picture of tables in two columns, below a title.
struct TablePage {
  struct Legend {
    /// Empty for the border of a level.
    std::string fill;
    size_t level = 0;
    std::string text;
  };
  std::string title;
  std::vector<std::string> summary;
  std::vector<CellTable> left, right;
  /// What stands below them, or nothing.
  std::string leftNote, rightNote;
  std::vector<Legend> legends;

  void write(llvm::raw_ostream &os);
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_CELLTABLE_H

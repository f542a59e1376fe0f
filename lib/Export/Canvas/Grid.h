//===- Grid.h - Grids that stand for tensors ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid that is too large shows its beginning and its end, with dots between,
// and says so.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_GRID_H
#define TENSORACCESS_LIB_EXPORT_GRID_H

#include "SvgCanvas.h"
#include <vector>

namespace mlir::tensoraccess {

/// One axis of a grid in pixels: `size` elements (kDynamicSize where unknown),
/// `scale` of them a square, of which the first `head` and the last `tail` are
/// drawn.
class CellAxis {
public:
  /// At most `maxCells` squares where the first `needed` elements fit in them.
  CellAxis(int64_t size, int64_t needed, int cell, int maxCells);

  int length() const;
  /// The pixel where an element begins; in the dots where it is not drawn.
  int position(int64_t element) const;
  bool isElided() const { return elided; }
  int64_t getScale() const { return scale; }
  int getCell() const { return cell; }
  /// Squares before and after the dots.
  int headCells() const { return (head + scale - 1) / scale; }
  int tailCells() const { return elided ? tail / scale : 0; }
  int gapBegin() const { return headCells() * cell; }
  /// The elements that are drawn, `0-7, 227-229`.
  std::string describe() const;

  /// The stretches of squares: where each begins, how many squares it has.
  llvm::SmallVector<std::pair<int, int>, 2> stretches() const;

  static constexpr int kGap = 22;

private:
  int64_t size, scale = 1, head, tail = 0;
  int cell;
  bool elided = false;
};

/// Draws the lines of a grid with its left upper corner at (x, y).
void drawGrid(SvgCanvas &canvas, int x, int y, const CellAxis &columns,
              const CellAxis &rows);

/// Lines of text under a picture, and the size they take.
struct Caption {
  std::vector<std::string> lines;

  static constexpr int kSize = 12;
  int getWidth() const;
  int getHeight() const { return lines.size() * SvgCanvas::lineHeight(kSize); }
  void draw(SvgCanvas &canvas, int x, int y) const;
};

/// `(0, 2, 1)`.
std::string pointToString(llvm::ArrayRef<int64_t> point);
/// `7`, or `?` where unknown.
std::string sizeToString(int64_t size);
/// The number of elements, kDynamicSize where unknown.
int64_t countOrDynamic(llvm::ArrayRef<int64_t> shape);
/// The point with a row-major number. Dimensions before a dynamic one are 0.
llvm::SmallVector<int64_t> pointAt(int64_t number,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_GRID_H

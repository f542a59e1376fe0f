//===- LayoutPlanes.h - What a picture of a layout shows --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cells of a picture or table, before anybody draws them: planes of the
// array, and memory as rows.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_LAYOUTPLANES_H
#define TENSORACCESS_LIB_EXPORT_LAYOUTPLANES_H

#include "TensorAccess/Export/Pictures.h"
#include <vector>

namespace mlir::tensoraccess {

/// The place of an element, or of padding, in the picture.
struct LayoutCell {
  /// Where it lies in memory.
  int64_t number = 0;
  bool isPadding = false;
  /// The tile it belongs to, a number from 0 on for each level of tiles, in the
  /// order in which they are met; empty for what belongs to none.
  llvm::SmallVector<int64_t, 2> tiles;
  /// Of its element; empty for padding.
  llvm::SmallVector<int64_t, 4> index;
};

/// Some of the indices of an axis: -1 stands for those left out.
using ShownIndices = std::vector<int64_t>;

struct LayoutPlane {
  /// `d0 = 1, d1 = 0`; empty where there is one plane only.
  std::string title;
  /// rows × columns; what is left out has no tiles and no index.
  std::vector<std::vector<LayoutCell>> cells;
};

class LayoutPlanes {
public:
  /// None and `problem` where there is nothing to draw.
  static std::optional<LayoutPlanes> make(const Layout &layout,
                                          const LayoutPictureOptions &options,
                                          std::string &problem);

  /// What the layout is and needs, a line each.
  std::vector<std::string> summary;
  /// The dimensions that are rows and columns; -1 where there is none.
  int rowDim = -1, columnDim = -1;
  ShownIndices rows, columns;
  std::vector<LayoutPlane> planes;
  /// Planes that are not drawn.
  int64_t hiddenPlanes = 0;
  /// Places of memory from 0 on; the numbers of the rows' first places.
  std::vector<std::vector<LayoutCell>> memory;
  std::vector<int64_t> memoryBegins;
  /// Places that are not drawn, at the end.
  int64_t hiddenPlaces = 0;
  unsigned levels = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_LAYOUTPLANES_H

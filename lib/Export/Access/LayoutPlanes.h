//===- LayoutPlanes.h - What a picture of a layout shows --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cells of a picture or table, before they are drawn: planes of the
// array, and memory as rows.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_LAYOUTPLANES_H
#define TENSORACCESS_LIB_EXPORT_LAYOUTPLANES_H

#include "Canvas/CellTable.h"
#include "TensorAccess/Export/Pictures.h"
#include <vector>

namespace mlir::tensoraccess {

/// The problem of options that make no sense.
std::optional<std::string> checkOptions(const LayoutPictureOptions &options);

/// A fill by number, in turn: ink on them has a contrast of at least 10.
llvm::StringRef getSoftFill(int64_t number);

/// `label` is a number in memory, `groups` the tile of each level, in the order in
/// which they are met: none for what belongs to none.
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
  std::vector<CellTable> planes;
  /// Planes that are not drawn.
  int64_t hiddenPlanes = 0;
  /// Places of memory from 0 on, with the indices of their elements; rows have the
  /// numbers of their first places.
  CellTable memory;
  /// Places that are not drawn, at the end.
  int64_t hiddenPlaces = 0;
  unsigned levels = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_LAYOUTPLANES_H

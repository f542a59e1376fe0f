//===- LayoutPicture.h - A tiled layout drawn -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements of an array lie, twice: the array, each element with its
// number in memory, and memory, each place with the index of its element. Tiles
// have borders, one kind a level; padding is hatched in the picture and a dot
// in the table.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXPORT_LAYOUTPICTURE_H
#define TENSORACCESS_EXPORT_LAYOUTPICTURE_H

#include "TensorAccess/Core/Layout.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::tensoraccess {

struct LayoutPictureOptions {
  /// Rows and columns of a plane, and of memory, that are drawn at most; at
  /// least 8. Of a longer axis the picture shows the beginning, the first
  /// border of a tile, and the end.
  int64_t maxRows = 24, maxColumns = 24;
  /// Planes of an array of more than two dimensions.
  int64_t maxPlanes = 4;
  /// Characters of a line of the table, at least 20; wider tables are folded:
  /// columns go on below. A single column that is wider stays whole. 0 for no
  /// limit.
  int64_t maxWidth = 0;
};

/// Writes an SVG document. The text is the same on every machine. None, or why
/// there is no picture: the layout has no shape, a size is dynamic or does not
/// fit 63 bits, or the options make no sense. Nothing is written then.
std::optional<std::string>
writeLayoutSvg(const Layout &layout, llvm::raw_ostream &os,
               const LayoutPictureOptions &options = {});

/// The same as a table for a terminal, in UTF-8; of a layout with dynamic sizes
/// only how large it is, as expressions.
std::optional<std::string>
writeLayoutText(const Layout &layout, llvm::raw_ostream &os,
                const LayoutPictureOptions &options = {});

/// Registers `tensoraccess-translate --layout-to-svg` and `--layout-to-text`,
/// which read layouts with their shapes, one a line, as `f32[3,5]{1,0:T(2,2)}`.
void registerLayoutTranslations();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXPORT_LAYOUTPICTURE_H

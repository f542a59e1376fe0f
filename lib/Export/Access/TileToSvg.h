//===- TileToSvg.h - What a tile of a result reads, as a picture ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_TILETOSVG_H
#define TENSORACCESS_LIB_EXPORT_TILETOSVG_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir {
class Operation;

namespace tensoraccess {

struct TileToSvgOptions {
  /// The function; the first one with a body where empty.
  std::string function;
  unsigned result = 0;
  /// One per dimension of the result; offsets default to 0, strides to 1.
  SmallVector<int64_t> sizes, offsets, strides;
};

/// Draws a tile of a function's result and, for each argument and each way to
/// it, the elements that are read. The text is the same for the same IR. Fails
/// with an error where there is no such function or result, or the options
/// don't fit its shape. Nothing is written then.
LogicalResult exportTileToSvg(Operation *root, const TileToSvgOptions &options,
                              raw_ostream &os);

/// Registers `tensoraccess-translate --tile-to-svg` and its options.
void registerTileToSvgTranslation();

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_LIB_EXPORT_TILETOSVG_H

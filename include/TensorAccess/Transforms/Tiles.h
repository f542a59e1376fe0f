//===- Tiles.h - Tiles of functions and their producers ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_TILES_H
#define TENSORACCESS_TRANSFORMS_TILES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace mlir::tensoraccess {

class IndexingCache;

/// A tile of the returned value or argument number `index`. Without sizes the
/// answers are symbolic; offsets default to 0, strides to 1.
struct TilePropagationOptions {
  bool toInput = true;
  unsigned index = 0;
  SmallVector<int64_t> sizes, offsets, strides;
};
struct TilePropagationReport {
  /// Hulls also count as tiles.
  int64_t tiles = 0, hulls = 0, missed = 0;
};

/// Sets `tensoraccess.tiles` on a function and its ops and emits remarks, as
/// the pass `tensoraccess-propagate-tiles` describes. If the options don't fit
/// the function, it is not changed, and `error` is the reason.
LogicalResult propagateTiles(FunctionOpInterface function, IndexingCache &cache,
                             const TilePropagationOptions &options,
                             TilePropagationReport &report, std::string &error);

/// Which producers `tileAndFuse` fuses.
enum class TileFusion : uint8_t {
  Footprint, ///< those with an exact tile and little recompute
  All,       ///< all that upstream can fuse
  None,
};
struct TileAndFuseOptions {
  /// For the result's dimensions; those with 0 or no size are not tiled.
  SmallVector<int64_t> sizes;
  TileFusion fuse = TileFusion::Footprint;
  /// The limit on the elements of a producer that all tiles compute together,
  /// over those that are needed.
  double maxRecompute = 1.5;
};
struct TileAndFuseReport {
  int64_t tiled = 0, fused = 0, agreeing = 0, missed = 0;
};

/// Tiles the ops that produce a function's results and fuses their producers,
/// as the pass `tensoraccess-tile` describes. Emits an error if more sizes are
/// given than a result has dimensions. `cache` must not have seen the function.
LogicalResult tileAndFuse(FunctionOpInterface function, IndexingCache &cache,
                          const TileAndFuseOptions &options,
                          TileAndFuseReport &report);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_TILES_H

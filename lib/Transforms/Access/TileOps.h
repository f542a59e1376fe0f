//===- TileOps.h - One op on a tile of its result ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_ACCESS_TILEOPS_H
#define TENSORACCESS_LIB_TRANSFORMS_ACCESS_TILEOPS_H

#include "TensorAccess/Core/Tile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tensoraccess {

/// A box of a tensor: per dimension the first index and how many follow, numbers
/// or values.
struct TensorRegion {
  SmallVector<OpFoldResult> offsets, sizes;
};

/// What makes a tile of a result, and the slices of operands that it reads.
struct TiledOp {
  Value tile;
  SmallVector<tensor::ExtractSliceOp> slices;
};

/// Emits what makes a region of a result, from slices of the op's operands that
/// hold the image of the region. `destination`, if not null, is cut in place of
/// what the result starts from. Where that can't be done nothing is left behind,
/// and `reason` tells why: `its result's dimensions are not its loops`. The op
/// has TilingInterface, and loops that run.
FailureOr<TiledOp> emitTile(OpBuilder &b, OpResult result,
                            const TensorRegion &region, Value destination,
                            std::string &reason);

/// The same for structured ops, whose loops `emitTile` cuts itself, and for all
/// others, which upstream cuts and `emitTile` checks. What is emitted is left
/// where they fail.
FailureOr<TiledOp> emitLinalgTile(OpBuilder &b, OpResult result,
                                  const TensorRegion &region, Value destination,
                                  std::string &reason);
FailureOr<TiledOp> emitForeignTile(OpBuilder &b, OpResult result,
                                   const TensorRegion &region,
                                   Value destination, std::string &reason);

/// The loop whose induction variable a value is, with bounds and step that are
/// constants: its values are `lower + step * i` for i in [0, trips).
struct CountedLoop {
  int64_t lower, step, trips;
};
std::optional<CountedLoop> getCountedLoop(Value value);

/// A bound that a size is surely not above.
std::optional<int64_t> getUpperBound(OpFoldResult size);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_ACCESS_TILEOPS_H

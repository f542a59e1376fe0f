//===- RelayoutSteps.h - A tensor on its way to another layout ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_RELAYOUTSTEPS_H
#define TENSORACCESS_LIB_TRANSFORMS_RELAYOUTSTEPS_H

#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace mlir::tensoraccess {

using Sizes = SmallVector<OpFoldResult>;

/// Arithmetic on sizes: numbers where both are, ops of arith elsewhere.
OpFoldResult mulSizes(OpBuilder &b, Location loc, OpFoldResult x,
                      OpFoldResult y);
OpFoldResult subSizes(OpBuilder &b, Location loc, OpFoldResult x,
                      OpFoldResult y);
/// ⌈x / divisor⌉, for a divisor of at least 1.
OpFoldResult ceilDivSizes(OpBuilder &b, Location loc, OpFoldResult x,
                          int64_t divisor);
OpFoldResult countSizes(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> x);

/// A tensor and what is still to be done to it: transposes are kept until
/// something else has to see the order of dimensions, so that consecutive ones
/// are one.
class RelayoutSteps {
public:
  RelayoutSteps(OpBuilder &b, Location loc, Value value,
                ArrayRef<OpFoldResult> sizes);

  /// Sizes of the dimensions, transposed as is still to be done.
  const Sizes &getSizes() const { return sizes; }
  int64_t getRank() const { return sizes.size(); }
  /// The tensor, all done.
  Value get();
  /// The tensor as it is; dimension i of what it is to be is getPending()[i].
  Value getRaw();
  ArrayRef<int64_t> getPending() const { return pending; }
  /// Takes another tensor with nothing to be done to it.
  void set(Value newValue, Sizes newSizes);

  void transpose(ArrayRef<int64_t> permutation);
  /// Dimension i becomes the dimensions of sizes `parts[i]`, one at least (but
  /// for a tensor of rank 0, of which `parts` has one entry).
  void expand(ArrayRef<Sizes> parts);
  /// Each group of consecutive dimensions becomes one; no groups: rank 0.
  void collapse(ArrayRef<ReassociationIndices> groups);
  /// Appends zeros to every dimension up to these sizes.
  void pad(ArrayRef<OpFoldResult> to);
  /// Keeps the first elements of every dimension.
  void slice(ArrayRef<OpFoldResult> to);
  /// Row-major reshape; equally many elements.
  void reshape(ArrayRef<OpFoldResult> to);
  void convert(Type elementType);

  OpBuilder &b;
  Location loc;

private:
  RankedTensorType getType(ArrayRef<OpFoldResult> shape) const;

  Value value;
  Sizes sizes;
  SmallVector<int64_t> pending;
};

/// A layout at work on sizes that may be dynamic: the sizes before each tile.
struct MixedStage {
  /// Before the tile, dimensions of size 1 in front that it adds included.
  Sizes sizes;
  size_t added = 0;
  /// The dimensions that `*` merges, and the rest alone.
  SmallVector<ReassociationIndices> groups;
  /// Sizes after the merges; the last ones are divided by `tile`.
  Sizes merged;
  SmallVector<int64_t> tile;

  size_t getPrefix() const { return merged.size() - tile.size(); }
  /// ⌈size / tile⌉ of the divided dimensions.
  Sizes getOuter(OpBuilder &b, Location loc) const;
  /// Whether the tile is known to divide what it divides.
  bool divides() const;
};

/// The stages of a layout; sizes are logical. `physical` gets the sizes after
/// the last tile.
SmallVector<MixedStage> getStages(OpBuilder &b, Location loc,
                                  const Layout &layout,
                                  ArrayRef<OpFoldResult> logical,
                                  Sizes &physical);

/// What comes before a tile: dimensions of size 1 in front, merges of `*`; and
/// the same backwards.
void mergeBefore(RelayoutSteps &steps, const MixedStage &stage);
void splitAfter(RelayoutSteps &steps, const MixedStage &stage);

/// A tile forwards (the tensor has the sizes before it, without the dimensions
/// that it adds) and backwards. `Loops` is for others (below).
void applyTile(RelayoutSteps &steps, const MixedStage &stage, RelayoutWay way);
void undoTile(RelayoutSteps &steps, const MixedStage &stage, RelayoutWay way);

/// How many of the first stages one nest of loops over vectors can do: the
/// sizes of the first are static, the tiles of the others divide the one before
/// and reach no further. 0 where it can do none.
size_t countFused(ArrayRef<MixedStage> stages);
/// Consecutive stages as loops over vectors, merges of the first one done; what
/// is pending is done on the way. Backwards nothing may be pending.
void packByLoops(RelayoutSteps &steps, ArrayRef<MixedStage> stages,
                 const MaterializeOptions &options);
void unpackByLoops(RelayoutSteps &steps, ArrayRef<MixedStage> stages,
                   const MaterializeOptions &options);
/// What is pending, as loops over vectors, if sizes are static.
void transposeByLoops(RelayoutSteps &steps, const MaterializeOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_RELAYOUTSTEPS_H

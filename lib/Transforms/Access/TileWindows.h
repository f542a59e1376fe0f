//===- TileWindows.h - What a tile reads of an operand ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_ACCESS_TILEWINDOWS_H
#define TENSORACCESS_LIB_TRANSFORMS_ACCESS_TILEWINDOWS_H

#include "Access/TileOps.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Windows
//
// Loops d = o + d' with 0 <= d' < s read an operand at f(o + d'). A window is
// the hull [L(o, s), U(o, s)] of these places along one dimension, and what is
// read in it: f(o + d') - L. All tiles are compared at once: o is a multiple of
// the step of its loop, and forms know what that does to quotients and
// remainders. Where o and s cancel, what is left is a map of d' alone:
//
//   d0 floordiv 2    o = 4k    L = 2k           d0' floordiv 2
//   -d0 + 11         o = 4k    L = 8 - 4k       -d0' + 3
//   d0 * 2 + d1      o = 4k    L = 8k           d0' * 2 + d1
//   d0 floordiv 2    o = 3k    L = 3k floordiv 2   none: every other tile begins
//                                                  in the middle of a pair
//===----------------------------------------------------------------------===//

/// What a tile reads along one dimension of an operand.
struct Window {
  OpFoldResult offset, size;
  /// Where in the window, over the tile's loops; null if that differs from tile
  /// to tile.
  AffineExpr place;
};

class TileWindows {
public:
  /// The tile of a structured op that makes a region of a result, which is
  /// written at `written`, a projected permutation. Emits at the builder's
  /// insertion point, here and below.
  TileWindows(OpBuilder &b, linalg::LinalgOp op, const TensorRegion &region,
              AffineMap written);

  /// Of the tile, by loop.
  ArrayRef<OpFoldResult> getOffsets() const { return offsets; }
  ArrayRef<OpFoldResult> getSizes() const { return sizes; }

  /// Whether every tile reads all of an operand of this shape.
  bool areWhole(AffineMap map, ArrayRef<int64_t> shape) const;
  /// By dimension of an operand that is read by a map.
  SmallVector<Window> get(AffineMap map, Value operand);

private:
  /// The bounds of a window, over o0, s0, o1, s1, ...: it begins at the greatest
  /// lower and ends at the least upper one.
  struct Bounds {
    SmallVector<AffineExpr, 2> lower, upper;
  };
  /// What holds in all tiles.
  struct Invariants {
    /// The window begins, and ends, inside of the operand.
    bool isInside = false, isBelow = false;
    AffineExpr place;
    std::optional<int64_t> size;
  };

  /// What offsets are computed from, as dims after those of the loops.
  AffineExpr getForm(OpFoldResult value, Interval range);
  AffineExpr getVariable(Value value, Interval range);
  bool isCut(AffineExpr expr) const;
  SmallVector<Bounds> getBounds(AffineMap map) const;
  Invariants compareTiles(AffineExpr expr, const Bounds &bounds,
                          int64_t extent) const;
  Window getWindow(AffineExpr expr, Bounds bounds, Value operand, unsigned dim);

  OpBuilder &b;
  Location loc;
  MLIRContext *context;
  SmallVector<int64_t> extents;
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<bool> cut;
  /// o0, s0, o1, s1, ... as values, and as forms over the space whose ranges
  /// these are: the tile's loops, then `variables`.
  SmallVector<OpFoldResult> values;
  SmallVector<AffineExpr> forms;
  SmallVector<Interval> ranges;
  llvm::SmallDenseMap<Value, AffineExpr> variables;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_ACCESS_TILEWINDOWS_H

//===- LayoutModes.h - Which layouts an op can work on ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *mode* of an op is one layout for each of its tensors such that the op runs
// on them as they are, by loops over whole tiles. Two questions about an op:
//
//   - what suits a target? Modes of contractions and convolutions from the
//     register tile or the matrix unit (getTargetModes);
//   - if one of its tensors has a layout, which must the others have?
//     (followLayout), by the maps between its loops and its tensors.
//
// Here layouts are an order of dimensions and one tile size for each: enough
// for what suits targets, and closed under what ops do to them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_LAYOUTMODES_H
#define TENSORACCESS_LIB_TRANSFORMS_LAYOUTMODES_H

#include "PhysicalForm.h"
#include "TensorAccess/Core/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::tensoraccess {

/// `{1,0:T(8,16)}` is order 0, 1 and tile 8, 16.
struct Blocking {
  /// Dimensions from major to minor; tiles, by dimension, 1 for none, are
  /// after all of them, in the same order.
  SmallVector<int64_t, 4> order, tile;

  static Blocking plain(int64_t rank);
  bool isTiled() const {
    return llvm::any_of(tile, [](int64_t t) { return t != 1; });
  }
  Layout getLayout() const;
  bool operator==(const Blocking &o) const {
    return order == o.order && tile == o.tile;
  }
  bool operator!=(const Blocking &o) const { return !(*this == o); }
};

/// The type with this layout, by one text for all layouts of equal bytes:
/// without an encoding if that is row-major.
RankedTensorType getBlockedType(RankedTensorType type,
                                const Blocking &blocking);

/// One layout for each operand and result; std::nullopt for what is not a
/// tensor.
struct LayoutMode {
  SmallVector<std::optional<Blocking>, 4> operands, results;
  /// Bytes that the op moves beyond its tensors, between registers and cache,
  /// in bytes of memory.
  int64_t cost = 0;
  /// `plain`, `panels`, `unit`, `follow`.
  StringRef name = "plain";
};

/// The mode without any encoding. Requires that no tensor has one.
LayoutMode getPlainMode(Operation *op);

/// A sum of products of two tensors over loops.
struct Contraction {
  /// Numbers of operands: what is slid over or multiplied from the left, and
  /// the weights.
  unsigned lhs = 0, rhs = 1;
  /// Loops by the tensors they move in: all three; lhs and result; rhs and
  /// result; lhs and rhs. Of convolutions, `window` are those that move only a
  /// window of lhs, and `slid` those it slides along.
  SmallVector<unsigned> batch, m, n, k, window, slid;
  /// Products, and the greatest loop of the kinds m and slid.
  int64_t products = 1, rows = 1;
  bool isConvolution() const { return !window.empty() || !slid.empty(); }
};

/// The contraction that an op is, dynamic sizes counted as `dynamicSize`;
/// std::nullopt for others.
std::optional<Contraction> findContraction(linalg::LinalgOp op,
                                           int64_t dynamicSize);

/// What suits the target for an op, and what the plain mode costs: empty if the
/// op is not a contraction. Dynamic sizes are not tiled.
SmallVector<LayoutMode, 0> getTargetModes(Operation *op, const Target &target,
                                          int64_t dynamicSize);

/// The mode in which operand (or result, where `isResult`) number `index` has
/// this layout. std::nullopt if the op cannot work on it as it is.
std::optional<LayoutMode> followLayout(Operation *op, unsigned index,
                                       bool isResult, const Blocking &blocking);

/// Whether no tensor of an op has an encoding.
bool hasPlainTypes(Operation *op);

/// An empty tensor, a filled one or a constant as one of another layout.
Value makeFreeTensor(OpBuilder &builder, Operation *op, RankedTensorType type);

/// Whether an op may run on padding: it is not a memory access and cannot trap.
bool isHarmlessOnPadding(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_LAYOUTMODES_H

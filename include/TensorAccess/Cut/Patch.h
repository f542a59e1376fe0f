//===- Patch.h - A function patch by patch ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes one value of a function patch by patch, with what only it needs:
//
//   %y = conv %x : tensor<64x64>     %0 = tensor.empty : tensor<64x64>
//   %z = conv %y : tensor<64x64>     %z = scf.for … iter_args(%acc = %0)
//                                           conv (conv (extract_slice %x))
//                                           insert_slice … into %acc
//
// %y exists only in patches. Elements that several patches read are computed
// several times; both figures are told. What all patches read whole (weights,
// the mean of an image, keys and values), or what the remaining function
// computes anyway, is computed once.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CUT_PATCH_H
#define TENSORACCESS_CUT_PATCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {

/// What running a function of one block takes.
struct ProgramCost {
  /// The most bytes of tensors that are live at once, without arguments and
  /// constants. An op writes into its destination, or into an operand of the
  /// same elements, if that is not read later; slices are views. Tensors of
  /// dynamic shape count as 0.
  int64_t peakBytes = 0;
  /// As `countOpWork`, of the ops for which that is known; loops with a
  /// constant number of trips are multiplied out.
  int64_t operations = 0;

  static ProgramCost of(func::FuncOp function);
};

/// The most patches of a value.
inline constexpr int64_t kMaxPatches = 1 << 14;

/// Why a value cannot be computed in patches of these sizes; std::nullopt if it
/// can.
std::optional<std::string> verifyPatches(Type type, ArrayRef<int64_t> sizes);

/// Computes a value patch by patch: a result of an op of a function's only
/// block. `verifyPatches` must hold. Returns the number of patches.
int64_t patchFunction(func::FuncOp function, Value value,
                      ArrayRef<int64_t> sizes);

struct PatchChoice {
  /// Null if the whole function is best.
  Value value;
  SmallVector<int64_t> sizes;
  ProgramCost cost;
};

/// The value (`only`, if that is not null) and the sizes with the least peak
/// memory of those with at most `maxOperations`; if `maxBytes` is given, those
/// with the fewest operations of those with at most so many bytes. Sizes are
/// halves, quarters, … in one or two dimensions. The cost is that of the best
/// choice, even if it is above `maxBytes`.
PatchChoice choosePatches(func::FuncOp function, Value only,
                          int64_t maxOperations,
                          std::optional<int64_t> maxBytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CUT_PATCH_H

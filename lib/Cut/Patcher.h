//===- Patcher.h - Programs of patches --------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Patch.cpp (the program) and PatchCost.cpp (its figures) share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_PATCHER_H
#define TENSORACCESS_LIB_CUT_PATCHER_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Cut/Patch.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {

/// What computes one value by patches: the *head*, the ops that only it needs,
/// as a function; and the ops that stay.
struct PatchHead {
  /// `patches` are those that the program will have, or some of each kind;
  /// without any, nothing is taken to be needed whole.
  PatchHead(Value value, ArrayRef<Box> patches);

  /// The program of one patch, of `reads`.
  OwningOpRef<func::FuncOp> getPatch(const Box &patch) const;

  Value value;
  /// What the head reads from outside.
  SetVector<Value> reads;
  /// The ops of the block that are still needed.
  DenseSet<Operation *> kept;
  OwningOpRef<func::FuncOp> head;
};

/// The number of a value's patches in each dimension, and one of them.
SmallVector<int64_t> countPatches(Value value, ArrayRef<int64_t> sizes);
Box getPatchBox(Value value, ArrayRef<int64_t> sizes, ArrayRef<int64_t> index);

/// The cost of a block in which, if `head` is given, a patch needs at most
/// `patches.peakBytes`, and all patches `patches.operations`.
ProgramCost countCost(Block &block, const PatchHead *head = nullptr,
                      ProgramCost patches = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_PATCHER_H

//===- Moves.h - Blocks of ops that move elements ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Blocks.h for reshapes, slices, pads and concatenations.
// Loops are the dimensions of the result; all shapes are static.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_MOVES_H
#define TENSORACCESS_LIB_CUT_MOVES_H

#include "TensorAccess/Cut/Blocks.h"

namespace mlir::tensoraccess {

/// Numbers as what ops of slices take.
inline SmallVector<OpFoldResult> getFolded(OpBuilder &builder,
                                           ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

/// The block of the result of an op on tensors that moves elements, of what it
/// touches of its operands.
Value emitMove(OpBuilder &builder, const BlockOp &op, const Box &block,
               ValueRange operands, IRMapping &mapping);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_MOVES_H

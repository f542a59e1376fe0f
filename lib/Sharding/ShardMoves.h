//===- ShardMoves.h - Blocks of ops that move elements ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of ShardBlocks.h for reshapes, slices, pads and concatenations.
// Loops are the dimensions of the result; all shapes are static.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_SHARDMOVES_H
#define TENSORACCESS_LIB_TRANSFORMS_SHARDMOVES_H

#include "ShardBlocks.h"

namespace mlir::tensoraccess {

/// Whether an op on static tensors is one of these: tensor's expand_shape,
/// collapse_shape, pad, extract_slice, insert_slice (all numbers in the latter
/// three known), concat, cast.
bool isMove(Operation *op);

/// The block of an operand for a block of the result, which is not empty.
Box getMoveBlock(OpOperand &operand, const Box &block);

/// The block of the result.
Value emitMove(OpBuilder &builder, Operation *op, const Box &block,
               ValueRange operands, IRMapping &mapping);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_SHARDMOVES_H

//===- Blocks.h - Blocks of one op ------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the op that computes a block of another op's results from blocks of
// its operands (see Analysis/BlockOps.h): a rank's part of a function, or the
// part of a function that is wanted. Boxes are in the coordinates of whole
// tensors; an op that is created here computes on blocks, each beginning at 0.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CUT_BLOCKS_H
#define TENSORACCESS_CUT_BLOCKS_H

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Core/Exchange.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

namespace mlir::tensoraccess {

/// True for ops any block of whose result can be created without its
/// neighbours: dense constants, and tensors that are empty or filled with a
/// scalar.
bool isFree(Operation *op);

/// A block of a free op's result. `mapping` maps the scalars.
Value emitFreeBlock(OpBuilder &builder, Operation *op, const Box &block,
                    const IRMapping &mapping);

/// Whether the loops compute every element of each result, each dimension along
/// its own loop; the results are tensors of static shape.
bool isMadeByLoops(const BlockOp &op);

/// How a result is distributed if the loops are cut: partial along the axes
/// that cut a reduction. std::nullopt and `reason` if its parts would not be
/// blocks.
std::optional<Distribution> getResultCut(const BlockOp &op, unsigned result,
                                         const Distribution &cut,
                                         std::string &reason);

/// An op for the iterations of a box, which is not empty. `operands` are the
/// blocks that it touches; `mapping` maps the values that regions capture from
/// outside.
SmallVector<Value> emitBlock(OpBuilder &builder, const BlockOp &op,
                             const Box &iterations, ValueRange operands,
                             IRMapping &mapping);

/// The same op with other types and operands, without attributes on how it is
/// cut.
Operation *cloneWith(OpBuilder &builder, Operation *op, TypeRange types,
                     ValueRange operands, IRMapping &mapping);

/// The type of a block of a tensor of type `whole`.
RankedTensorType getBlockType(Type whole, const Box &box);

/// A part of a tensor, in the tensor's own coordinates; the tensor if it is
/// whole.
Value emitSlice(OpBuilder &builder, Location loc, Value tensor, const Box &box);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CUT_BLOCKS_H

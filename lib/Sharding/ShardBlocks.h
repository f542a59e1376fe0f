//===- ShardBlocks.h - Blocks of one op -------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cutting a function over ranks has to know of an op: its iterations,
// which block of each operand a block of iterations reads, how its results lie,
// and the op that computes just that block. Boxes are in the coordinates of
// whole tensors; an op that is made here computes on blocks, each beginning at
// 0.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_SHARDBLOCKS_H
#define TENSORACCESS_LIB_TRANSFORMS_SHARDBLOCKS_H

#include "TensorAccess/Core/Exchange.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

namespace mlir::tensoraccess {

/// The loops of an op, of known extents.
struct OpLoops {
  SmallVector<int64_t> extents;
  SmallVector<utils::IteratorType> kinds;
};

/// The loops over which an op can be cut: those of a linalg op; the dimensions
/// of the result for ops that move elements, or compute one by one. None for
/// any other op, which every rank then runs whole.
std::optional<OpLoops> getLoops(Operation *op);

/// True for values of which any block can be made without its neighbours: dense
/// constants, tensors that are empty or filled with a scalar.
bool isFree(Operation *op);

/// A block of a free op's result. `mapping` has the scalars.
Value emitFreeBlock(OpBuilder &builder, Operation *op, const Box &block,
                    const IRMapping &mapping);

/// The block of a tensor operand of an op with loops that is read in a box of
/// iterations. Empty for no iterations. None where that is not known.
std::optional<Box> getOperandBlock(OpOperand &operand, const Box &iterations);

/// How a result lies where the loops are cut: partial along the axes that cut a
/// reduction. None and `reason` where its parts would be no blocks.
std::optional<Distribution>
getResultCut(OpResult result, const Distribution &cut, std::string &reason);

/// The op that reduces along the loops of kind reduction into this result,
/// which is associative and commutative and has a neutral element; null and
/// `reason` where there is none.
Operation *findCombiner(OpResult result, std::string &reason);

/// An op for the iterations of a box, which is not empty. `operands` are the
/// blocks of getOperandBlock; `mapping` has the values of outside that regions
/// read. Fails, reported, where it can't be made.
FailureOr<SmallVector<Value>> emitBlock(OpBuilder &builder, Operation *op,
                                        const Box &iterations,
                                        ValueRange operands,
                                        IRMapping &mapping);

/// The same op, with other types and operands, without what says how it is cut.
Operation *cloneWith(OpBuilder &builder, Operation *op, TypeRange types,
                     ValueRange operands, IRMapping &mapping);

/// Sizes of a box, the type of a block of that type.
RankedTensorType getBlockType(Type whole, const Box &box);

/// A part of a tensor, in the tensor's own coordinates; itself if it is whole.
Value emitSlice(OpBuilder &builder, Location loc, Value tensor, const Box &box);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_SHARDBLOCKS_H

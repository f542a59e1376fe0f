//===- SinkMoves.cpp - Packing right before the first use -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. In program order, collect what rearranges an argument of a function, a
//    constant, or something collected, and compute nothing; and empty tensors.
// 2. In reverse, so that users are in their places already, move each before
//    the first op of its block that uses it or contains a user.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_SINKMOVES
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The tensor that an op rearranges; null if it computes, or is another op.
static Value getMoved(Operation *op) {
  if (!isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
          op->getDialect()) ||
      op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return {};
  if (auto pad = dyn_cast<tensor::PadOp>(op);
      pad && !pad.getConstantPaddingValue())
    return {};
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp &&
      !linalgOp.getDpsInits().front().getDefiningOp<tensor::EmptyOp>())
    return {};
  NestRef nest = getNest(OpSignature(op));
  const NestRead *read = nest->findRead(0);
  if (nest->body != NestBody::Move || !read || !read->isRead ||
      (!linalgOp && !isa<TensorType>(op->getOperand(0).getType())))
    return {};
  // Other tensors would have to be there, too.
  auto isOther = [&](const NestRead &read) {
    return read.value != 0 && read.isRead &&
           isa<TensorType>(op->getOperand(read.value).getType());
  };
  return llvm::none_of(nest->reads, isOther) ? op->getOperand(0) : Value();
}

/// Whether a value lives as long as its function anyway.
static bool isLasting(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op->hasTrait<OpTrait::ConstantLike>();
  Block *block = cast<BlockArgument>(value).getOwner();
  return block->isEntryBlock() &&
         isa<FunctionOpInterface>(block->getParentOp());
}

/// Returns how many moved.
static unsigned sinkMoves(Operation *root) {
  llvm::SmallSetVector<Operation *, 16> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tensor::EmptyOp>(op)) {
      found.insert(op);
      return;
    }
    Value source = getMoved(op);
    if (!source)
      return;
    // What makes it; null for an argument of a block.
    Operation *maker = source.getDefiningOp();
    if (isLasting(source) ||
        (maker && !isa<tensor::EmptyOp>(maker) && found.contains(maker)))
      found.insert(op);
  });
  unsigned moved = 0;
  for (Operation *op : llvm::reverse(found)) {
    Block *block = op->getBlock();
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      // A user in a later block comes after the terminator.
      if (!ancestor)
        ancestor = block->getTerminator();
      if (!first || ancestor->isBeforeInBlock(first))
        first = ancestor;
    }
    if (!first || first == op->getNextNode())
      continue;
    op->moveBefore(first);
    ++moved;
  }
  return moved;
}

namespace {
struct SinkMovesPass : public tensoraccess::impl::SinkMovesBase<SinkMovesPass> {
  void runOnOperation() override { sunk += sinkMoves(getOperation()); }
};
} // namespace

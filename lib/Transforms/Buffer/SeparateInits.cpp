//===- SeparateInits.cpp - A destination of its own for each op -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. For each op that writes into a destination, and each loop that carries
//    tensors, look at what they are: an empty tensor, or one that was filled
//    with a scalar. (Of an empty tensor that a loop carries twice,
//    one-shot-bufferize makes one buffer, since its elements are undefined.)
// 2. Where others use it, too, clone it for this op, the empty tensor below a
//    fill included.
// 3. What is no longer used is erased.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/BufferPasses.h"
#include "TensorAccess/Transforms/Buffers.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_SEPARATEINITS
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

unsigned mlir::tensoraccess::separateInits(Operation *root) {
  SmallVector<OpOperand *> inits;
  auto add = [&](OpOperand &init) {
    if (isa<RankedTensorType>(init.get().getType()))
      inits.push_back(&init);
  };
  root->walk([&](Operation *op) {
    if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
      llvm::for_each(destinations.getDpsInitsMutable(), add);
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      llvm::for_each(loop.getInitsMutable(), add);
  });
  unsigned cloned = 0;
  // The operand's producer, cloned before its user unless it is the only one.
  auto separate = [&](OpOperand &operand) -> Operation * {
    Operation *producer = operand.get().getDefiningOp();
    if (!isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(producer))
      return nullptr;
    if (operand.get().hasOneUse())
      return producer;
    OpBuilder builder(operand.getOwner());
    Operation *clone = builder.clone(*producer);
    operand.set(clone->getResult(0));
    ++cloned;
    return clone;
  };
  // In reverse, so that a fill has got its own destination from its user before
  // it is met as a user itself.
  for (OpOperand *init : llvm::reverse(inits)) {
    Operation *producer = separate(*init);
    if (auto fill = dyn_cast_or_null<linalg::FillOp>(producer))
      separate(*fill.getDpsInitOperand(0));
  }
  return cloned;
}

namespace {
struct SeparateInitsPass
    : public tensoraccess::impl::SeparateInitsBase<SeparateInitsPass> {
  void runOnOperation() override { separated += separateInits(getOperation()); }
};
} // namespace

//===- EliminateEmptyTensors.cpp - Results written where they end up ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that writes into an empty tensor, whose result is inserted into another
// tensor, may write into the slice of that tensor at once.
//
// 1. Bufferization's own analysis and rewrite find such empty tensors and take
//    the slice before the op that writes.
// 2. The slice, and whatever makes the tensor it is taken of, is then computed
//    earlier than it was written. Slices have no effects but do have bounds,
//    and an assertion between the two places may be what keeps them. So an
//    empty tensor stays if anything with an effect is between.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/BufferPasses.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ELIMINATEEMPTYTENSORS
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether an op with an effect may run after `from`, and before `to`, which
/// `from` dominates. True if blocks are not nested in each other.
static bool hasEffectBetween(Operation *from, Operation *to) {
  for (Operation *end = to; end; end = end->getParentOp()) {
    Block *block = end->getBlock();
    if (!block)
      return true;
    Operation *start = block->findAncestorOpInBlock(*from);
    if (!start && block->getParent()->findAncestorOpInRegion(*from))
      return true;
    for (Operation *op = start ? start : &block->front(); op && op != end;
         op = op->getNextNode())
      if (!isMemoryEffectFree(op))
        return true;
    if (start)
      return false;
  }
  return true;
}

/// Whether anything is inserted, so that the program must be analysed.
static bool hasInsertions(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<SubsetInsertionOpInterface>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult eliminate(ModuleOp module) {
  if (!hasInsertions(module))
    return success();
  bufferization::OneShotBufferizationOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferizeFunctionBoundaries = true;
  bufferization::OneShotAnalysisState state(module, options);
  if (failed(bufferization::analyzeModuleOp(module, state)))
    return failure();
  IRRewriter rewriter(module.getContext());
  return bufferization::eliminateEmptyTensors(
      rewriter, module, state,
      [](RewriterBase &rewriter, SubsetInsertionOpInterface insertion,
         tensor::EmptyOp empty, Operation *user) -> Value {
        if (hasEffectBetween(empty, insertion))
          return {};
        return bufferization::buildSubsetExtraction(rewriter, insertion, empty,
                                                    user);
      });
}

namespace {
struct EliminateEmptyTensorsPass
    : public tensoraccess::impl::EliminateEmptyTensorsBase<
          EliminateEmptyTensorsPass> {
  void runOnOperation() override {
    if (failed(eliminate(getOperation())))
      signalPassFailure();
  }
};
} // namespace

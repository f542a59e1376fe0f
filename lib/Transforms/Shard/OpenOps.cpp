//===- OpenOps.cpp - Ops that run whole become ops that can be cut --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan of shards regards as one closed op is written out, by upstream's
// own definitions:
//
//   1. an op that consists of linalg ops (softmax) as these;
//   2. pack as pad, expand_shape, transpose; unpack the other way round;
//   3. generate as a loop nest whose body asks for its indices.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/ShardPasses.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_OPENOPS
#include "TensorAccess/Transforms/ShardPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;

/// Tensors of known sizes, and no layouts of their own.
static bool isPlain(Operation *op) {
  auto isPlainType = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.hasStaticShape() && !tensor.getEncoding()
                  : !isa<ShapedType>(type);
  };
  return llvm::all_of(op->getOperandTypes(), isPlainType) &&
         llvm::all_of(op->getResultTypes(), isPlainType);
}

static LogicalResult open(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return success(succeeded(linalg::lowerPack(
        rewriter, pack, /*lowerPadLikeWithInsertSlice=*/false)));
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return success(succeeded(linalg::lowerUnPack(
        rewriter, unpack, /*lowerUnpadLikeWithExtractSlice=*/false)));
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    return success(succeeded(
        linalg::rewriteInDestinationPassingStyle(rewriter, generate)));
  auto aggregate = cast<linalg::AggregatedOpInterface>(op);
  FailureOr<SmallVector<Value>> parts = aggregate.decomposeOperation(rewriter);
  if (failed(parts))
    return failure();
  rewriter.replaceOp(op, *parts);
  return success();
}

namespace {
struct OpenOpsPass : public tensoraccess::impl::OpenOpsBase<OpenOpsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<linalg::PackOp, linalg::UnPackOp, tensor::GenerateOp,
              linalg::AggregatedOpInterface>(op) &&
          isPlain(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      if (succeeded(open(rewriter, op)))
        ++numOpened;
  }
};
} // namespace

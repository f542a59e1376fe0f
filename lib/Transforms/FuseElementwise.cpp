//===- FuseElementwise.cpp - One loop for a chain of elementwise ops ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's fusion of linalg ops, where nothing is computed twice: into
// consumers without reductions, from producers with one use or with nothing to
// compute (broadcasts and transposes).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isWorthFusing(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!consumer || !producer || consumer.getNumReductionLoops() != 0)
    return false;
  // The body is the yield alone.
  bool moves = producer.getBody()->getOperations().size() == 1;
  // A result that is read along fewer loops would be computed once per point.
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  return moves || (producer->hasOneUse() && map.isPermutation());
}

LogicalResult mlir::tensoraccess::fuseElementwise(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, isWorthFusing);
  return applyPatternsGreedily(root, std::move(patterns));
}

namespace {
struct FuseElementwisePass
    : public tensoraccess::impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnOperation() override {
    if (failed(fuseElementwise(getOperation())))
      signalPassFailure();
  }
};
} // namespace

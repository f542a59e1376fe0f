//===- FuseMultiplyAdd.cpp - Steps of products with one rounding ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which steps are fused is defined once, for the interpreter too: ProductStep.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FUSEMULTIPLYADD
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The steps of a body that are fused.
static SmallVector<ProductStep> findFusedSteps(Block &body) {
  SmallVector<ProductStep> steps;
  for (unsigned i = 0; i < body.back().getNumOperands(); ++i)
    if (std::optional<ProductStep> step = findProductStep(body, i);
        step && step->isFused())
      steps.push_back(*step);
  return steps;
}

bool mlir::tensoraccess::fuseMultiplyAdd(RewriterBase &rewriter,
                                         linalg::LinalgOp op) {
  if (findFusedSteps(*op.getBlock()).empty())
    return false;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    // The body of a named op is implied by its name.
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    if (failed(made))
      return false;
    generic = *made;
  }
  for (const ProductStep &step : findFusedSteps(*generic.getBlock())) {
    rewriter.setInsertionPoint(step.sum);
    Value product = step.product->getResult(0);
    Value out = step.sum->getOperand(step.sum->getOperand(0) == product);
    auto flags =
        cast<arith::ArithFastMathInterface>(step.sum).getFastMathFlagsAttr();
    rewriter.replaceOpWithNewOp<math::FmaOp>(
        step.sum, step.product->getOperand(0), step.product->getOperand(1), out,
        flags);
    rewriter.eraseOp(step.product);
  }
  return true;
}

namespace {
struct FuseMultiplyAddPass
    : public tensoraccess::impl::FuseMultiplyAddBase<FuseMultiplyAddPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      fused += fuseMultiplyAdd(rewriter, op);
  }
};
} // namespace

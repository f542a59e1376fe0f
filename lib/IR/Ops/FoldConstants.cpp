//===- FoldConstants.cpp - Access patterns of constants -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equation: op(access(c0), access(c1), …) = access(c), where the kernel of op
// gives c. An op folds if
//
//   1. it is one of ours from patterns to a pattern, all of static shape, and
//      neither a copy that is wanted (materialize) nor an accelerator;
//   2. all its operands are `access` of constants of at most kMaxFoldedElements
//      elements, and so is its result;
//   3. its kernel succeeds: a fault stays, to be reported at run time.
//
// The new constant is made by the dialect of an old one, so that this library
// need not know which op that is.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// True for a type that is worth folding.
static bool isSmall(AccessType type) {
  std::optional<int64_t> count = type.getNumElements();
  return count && *count <= kMaxFoldedElements;
}

namespace {
struct FoldConstantOperands : RewritePattern {
  explicit FoldConstantOperands(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isPatternOp(op) || isa<MaterializeOp, AcceleratorCallOp>(op))
      return failure();
    auto type = cast<AccessType>(op->getResult(0).getType());
    if (op->getNumOperands() == 0 || !isSmall(type))
      return failure();
    SmallVector<AccessPattern> operands;
    Dialect *constants = nullptr;
    for (Value operand : op->getOperands()) {
      auto access = operand.getDefiningOp<AccessOp>();
      Attribute value;
      if (!access || !isSmall(access.getType()) ||
          !matchPattern(access.getTensor(), m_Constant(&value)))
        return failure();
      llvm::Expected<Tensor> tensor = tensorFromAttribute(value);
      if (!tensor)
        return rewriter.notifyMatchFailure(op,
                                           llvm::toString(tensor.takeError()));
      operands.push_back(AccessPattern(*tensor, access.getAxis()));
      constants = access.getTensor().getDefiningOp()->getDialect();
    }
    llvm::Expected<AccessPattern> result = evaluateAccessOp(op, operands);
    if (!result)
      return rewriter.notifyMatchFailure(op,
                                         llvm::toString(result.takeError()));
    llvm::Expected<Tensor> tensor = result->join();
    if (!tensor)
      return rewriter.notifyMatchFailure(op,
                                         llvm::toString(tensor.takeError()));
    RankedTensorType tensorType = type.getTensorType();
    Operation *constant = constants->materializeConstant(
        rewriter, denseElementsFrom(*tensor, tensorType), tensorType,
        op->getLoc());
    if (!constant)
      return rewriter.notifyMatchFailure(op, "its dialect makes no constant");
    rewriter.replaceOpWithNewOp<AccessOp>(op, constant->getResult(0),
                                          type.getAccessRank());
    return success();
  }
};
} // namespace

void mlir::tensoraccess::populateConstantFolding(RewritePatternSet &patterns) {
  patterns.add<FoldConstantOperands>(patterns.getContext());
}

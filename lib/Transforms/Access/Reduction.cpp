//===- Reduction.cpp - How tensoraccess-reduce shrinks programs -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Reduction.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// True for the ops that `cut` makes, and others as small.
static bool isLeaf(Operation *op) {
  if (isa<tensor::EmptyOp>(op) || matchPattern(op, m_Constant()))
    return true;
  auto access = dyn_cast<AccessOp>(op);
  return access && access.getTensor().getDefiningOp<tensor::EmptyOp>();
}

/// Makes a leaf of a type; null if none exists.
static Value createLeaf(OpBuilder &builder, Location loc, Type type) {
  if (auto access = dyn_cast<AccessType>(type)) {
    if (!access.hasStaticShape())
      return {};
    Value tensor = tensor::EmptyOp::create(builder, loc, access.getShape(),
                                           access.getElementType());
    return AccessOp::create(builder, loc, access, tensor,
                            access.getAccessRank());
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape())
      return {};
    return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                   tensor.getElementType(),
                                   tensor.getEncoding());
  }
  if (!type.isIntOrIndexOrFloat())
    return {};
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// The operand that may stand for an op's result; null if none exists.
static Value findSubstitute(Operation *op) {
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(0).getType() &&
        !operand.getDefiningOp<tensor::EmptyOp>())
      return operand;
  return {};
}

/// f(…, x, …) = x, where the types agree.
static LogicalResult skip(RewriterBase &rewriter, Operation *op) {
  if (op->getNumResults() != 1 || isLeaf(op))
    return rewriter.notifyMatchFailure(op, "a leaf, or not one result");
  Value substitute = findSubstitute(op);
  if (!substitute)
    return rewriter.notifyMatchFailure(op, "no operand of the result's type");
  rewriter.replaceOp(op, substitute);
  return success();
}

/// f(…) = a leaf of the same type.
static LogicalResult cut(RewriterBase &rewriter, Operation *op) {
  if (op->getNumResults() != 1 || isLeaf(op))
    return rewriter.notifyMatchFailure(op, "a leaf, or not one result");
  rewriter.setInsertionPoint(op);
  Value leaf = createLeaf(rewriter, op->getLoc(), op->getResult(0).getType());
  if (!leaf)
    return rewriter.notifyMatchFailure(op, "no leaf of the result's type");
  rewriter.replaceOp(op, leaf);
  return success();
}

/// Erases unused ops in the block that a terminator ends. Only there: the
/// reducer walks over a list of ops, all of which but the last must stay.
static LogicalResult sweep(RewriterBase &rewriter, Operation *op) {
  if (!op->hasTrait<OpTrait::IsTerminator>())
    return rewriter.notifyMatchFailure(op, "not the end of a block");
  bool changed = false;
  for (Operation &other :
       llvm::make_early_inc_range(llvm::reverse(*op->getBlock()))) {
    if (!isOpTriviallyDead(&other))
      continue;
    rewriter.eraseOp(&other);
    changed = true;
  }
  return success(changed);
}

namespace {

/// Does a step if the program stays interesting with it.
struct Try : RewritePattern {
  using Step = LogicalResult (*)(RewriterBase &, Operation *);

  Try(MLIRContext *context, Step step, PatternBenefit benefit, Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), benefit, context,
                       {tensor::EmptyOp::getOperationName(),
                        AccessOp::getOperationName(),
                        arith::ConstantOp::getOperationName()}),
        step(step), tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Operation *top = op;
    while (Operation *parent = top->getParentOp())
      top = parent;
    if (top == op || !isa<ModuleOp>(top))
      return rewriter.notifyMatchFailure(op, "not inside a module");
    IRMapping twins;
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(top->clone(twins));
    IRRewriter copyRewriter(op->getContext());
    if (failed(step(copyRewriter, twins.lookup(op))) ||
        tester.isInteresting(*copy).first != Tester::Interestingness::True)
      return rewriter.notifyMatchFailure(op, "not interesting without it");
    return step(rewriter, op);
  }

  Step step;
  Tester &tester;
};

struct ReductionPatterns : DialectReductionPatternInterface {
  explicit ReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    mlir::tensoraccess::populateReductionPatterns(patterns, tester);
  }
};

/// Runs as soon as the builtin dialect is loaded, with which every context
/// begins.
struct LoadWithContext : DialectExtension<LoadWithContext, BuiltinDialect> {
  void apply(MLIRContext *context, BuiltinDialect *) const override {
    context->loadDialect<arith::ArithDialect, tensor::TensorDialect,
                         TensorAccessDialect>();
  }
};

} // namespace

void mlir::tensoraccess::populateReductionPatterns(RewritePatternSet &patterns,
                                                   Tester &tester) {
  MLIRContext *context = patterns.getContext();
  patterns.add<Try>(context, skip, /*benefit=*/3, tester);
  patterns.add<Try>(context, cut, /*benefit=*/2, tester);
  patterns.add<Try>(context, sweep, /*benefit=*/1, tester);
}

void mlir::tensoraccess::registerReduction(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TensorAccessDialect *dialect) {
    dialect->addInterfaces<ReductionPatterns>();
  });
  registry.addExtensions<LoadWithContext>();
}

//===- MovementCanonicalization.cpp - Chains of movement, shortened -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern at the end of each chain of movement ops:
//   1. Collect the movement ops behind it, at most kMaxWindow; what lies beyond
//      is a base.
//   2. Plan the chain that its form asks for; failing that, once more with
//      tuples and concatenations as bases.
//   3. Take the plan if it is shorter than what becomes unused, or as long as a
//      chain without other uses and not the same ops.
//
// It ends: a step either lowers the number of movement ops, or keeps it and
// leaves a chain that is its own plan.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/AccessSynthesis.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Movement ops that are looked at together. Longer chains shrink from their
/// beginnings, since those are visited first.
static constexpr unsigned kMaxWindow = 24;

static bool isUnary(Operation *op) {
  return isMovement(op) && op->getNumOperands() == 1;
}

namespace {

struct ShortenMovement : RewritePattern {
  ShortenMovement(StringRef name, MLIRContext *context)
      : RewritePattern(name, /*benefit=*/1, context) {
    setDebugName("ShortenMovement");
  }
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override;
};

} // namespace

/// The movement ops behind `root`, itself first. Their other operands become
/// bases.
static llvm::SmallSetVector<Operation *, 16>
collectWindow(Operation *root, bool throughTuples, AccessForms &forms) {
  llvm::SmallSetVector<Operation *, 16> window;
  window.insert(root);
  for (unsigned i = 0; i < window.size(); ++i)
    for (Value operand : window[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!isMovement(producer) || window.contains(producer))
        continue;
      if (window.size() < kMaxWindow && (throughTuples || isUnary(producer)))
        window.insert(producer);
      else
        forms.setBase(operand);
    }
  return window;
}

/// How many ops have no use left when `root` is replaced.
static size_t countUnused(Operation *root,
                          const llvm::SmallSetVector<Operation *, 16> &window) {
  llvm::SmallDenseSet<Operation *> unused{root};
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : window)
      if (!unused.contains(op) &&
          llvm::all_of(op->getUsers(), [&](Operation *user) {
            return unused.contains(user);
          })) {
        unused.insert(op);
        changed = true;
      }
  }
  return unused.size();
}

/// True if the plan is the chain that ends in `op`. `length` is the number of
/// unary ops from the plan's base to `op`, each used only by the next; none if
/// there is no such chain.
static bool isPlan(Operation *op, const MovementPlan &plan,
                   std::optional<size_t> &length) {
  SmallVector<Operation *> chain;
  Operation *at = op;
  while (true) {
    if (!isUnary(at) || (at != op && !at->hasOneUse()) ||
        chain.size() > kMaxWindow) {
      length = std::nullopt;
      return false;
    }
    chain.push_back(at);
    if (at->getOperand(0) == plan.base)
      break;
    at = at->getOperand(0).getDefiningOp();
  }
  length = chain.size();
  return chain.size() == plan.steps.size() &&
         llvm::all_of(llvm::zip_equal(llvm::reverse(chain), plan.steps),
                      [](auto pair) {
                        return std::get<1>(pair).matches(std::get<0>(pair));
                      });
}

LogicalResult
ShortenMovement::matchAndRewrite(Operation *op,
                                 PatternRewriter &rewriter) const {
  Value value = op->getResult(0);
  if (!isMovement(op))
    return rewriter.notifyMatchFailure(op, "a base of its own");
  if (value.use_empty() || !AccessForms::hasForm(value))
    return rewriter.notifyMatchFailure(op, "unused or of dynamic shape");
  if (value.hasOneUse() && isUnary(*value.user_begin()))
    return rewriter.notifyMatchFailure(op, "not the end of its chain");
  for (bool throughTuples : {true, false}) {
    AccessForms forms;
    llvm::SmallSetVector<Operation *, 16> window =
        collectWindow(op, throughTuples, forms);
    const bool hasTuples =
        llvm::any_of(window, [](Operation *o) { return !isUnary(o); });
    // One op can only be replaced by none.
    AccessForm form = forms.get(value);
    if (window.size() == 1 && !form.asIdentity())
      continue;
    std::optional<MovementPlan> plan = planMovement(form, value.getType());
    if (plan) {
      const size_t unused = countUnused(op, window);
      std::optional<size_t> length;
      const bool isSame = isPlan(op, *plan, length);
      if (plan->steps.size() < unused ||
          (!isSame && length == unused && plan->steps.size() == unused)) {
        rewriter.replaceOp(op, createMovement(rewriter, op->getLoc(), *plan));
        return success();
      }
    }
    if (!hasTuples || !isUnary(op))
      break;
  }
  return rewriter.notifyMatchFailure(op, "no shorter chain");
}

void mlir::tensoraccess::populateMovementCanonicalization(
    RewritePatternSet &patterns) {
  for (StringRef name :
       {AccessOp::getOperationName(), ToTensorOp::getOperationName(),
        TransposeOp::getOperationName(), SqueezeOp::getOperationName(),
        InsertAxisOp::getOperationName(), WindowsOp::getOperationName(),
        FlattenOp::getOperationName(), ReshapeOp::getOperationName(),
        PadOp::getOperationName(), SliceOp::getOperationName(),
        ConcatOp::getOperationName(), BroadcastOp::getOperationName(),
        ShiftRightOp::getOperationName(), PairOp::getOperationName(),
        CartProdOp::getOperationName()})
    patterns.add<ShortenMovement>(name, patterns.getContext());
}

void TensorAccessDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateMovementCanonicalization(patterns);
  populateConstantFolding(patterns);
}

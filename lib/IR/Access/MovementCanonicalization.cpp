//===- MovementCanonicalization.cpp - Chains of movement, shortened -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern at the end of each chain of movement ops:
//   1. Collect the movement ops before it, at most kMaxWindow; what is beyond
//      is a base.
//   2. Plan the chain that its form asks for; failing that, once more with
//      tuples and concatenations as bases.
//   3. Take the plan if it has fewer ops than become unused, or equally many
//      and others.
//
// It ends: a step either lowers the number of movement ops, or keeps it and
// leaves an end that is its own plan, or that has a shorter one.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/AccessForm.h"

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

/// True if the form of what `op` makes comes from those of its operands, and
/// nothing is lost with the op: one that may fail at run time is a base, like
/// what is not a movement.
static bool hasTransfer(Operation *op) {
  return isMovement(op) && AccessForms::hasForm(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), AccessForms::hasForm) &&
         !mayFailAtRunTime(op);
}

/// The movement ops before `root`, itself first. Their other operands become
/// bases.
static llvm::SmallSetVector<Operation *, 16>
collectWindow(Operation *root, bool throughTuples, AccessForms &forms) {
  llvm::SmallSetVector<Operation *, 16> window;
  window.insert(root);
  for (unsigned i = 0; i < window.size(); ++i)
    for (Value operand : window[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (isMovement(producer) && !hasTransfer(producer))
        forms.setBase(operand);
      if (!hasTransfer(producer) || window.contains(producer))
        continue;
      if (window.size() < kMaxWindow && (throughTuples || isUnary(producer)))
        window.insert(producer);
      else
        forms.setBase(operand);
    }
  return window;
}

/// How many ops have no use left when `root` is replaced by a plan on `bases`:
/// what makes a base stays, and what is before it.
static size_t countUnused(Operation *root,
                          const llvm::SmallSetVector<Operation *, 16> &window,
                          ArrayRef<Value> bases) {
  llvm::SmallSetVector<Operation *, 16> kept;
  for (Value base : bases)
    if (Operation *producer = base.getDefiningOp(); window.contains(producer))
      kept.insert(producer);
  for (unsigned i = 0; i < kept.size(); ++i)
    for (Value operand : kept[i]->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          window.contains(producer))
        kept.insert(producer);
  llvm::SmallDenseSet<Operation *> unused{root};
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : window)
      if (!unused.contains(op) && !kept.contains(op) &&
          llvm::all_of(op->getUsers(), [&](Operation *user) {
            return unused.contains(user);
          })) {
        unused.insert(op);
        changed = true;
      }
  }
  return unused.size();
}

/// True if `op` and the ops before it are the plan.
static bool isPlan(Operation *op, const MovementPlan &plan) {
  const size_t numBases = plan.bases.size();
  if (plan.steps.empty())
    return false;
  SmallVector<std::pair<Value, unsigned>> toCompare{
      {op->getResult(0), numBases + plan.steps.size() - 1}};
  llvm::SmallDenseSet<std::pair<Value, unsigned>> compared;
  while (!toCompare.empty()) {
    auto [value, number] = toCompare.pop_back_val();
    if (!compared.insert({value, number}).second)
      continue;
    if (number < numBases) {
      if (value != plan.bases[number])
        return false;
      continue;
    }
    const MovementStep &step = plan.steps[number - numBases];
    Operation *producer = value.getDefiningOp();
    if (!step.matches(producer))
      return false;
    for (auto [operand, next] :
         llvm::zip_equal(producer->getOperands(), step.operands))
      toCompare.push_back({operand, next});
  }
  return true;
}

namespace {

/// What a chain is replaced by.
struct Replacement {
  MovementPlan plan;
  /// True if it has fewer ops than become unused, false if equally many.
  bool isShorter;
};

} // namespace

/// A plan for the chain that ends in `op`, which is not the chain.
static std::optional<Replacement> findReplacement(Operation *op) {
  Value value = op->getResult(0);
  for (bool throughTuples : {true, false}) {
    AccessForms forms;
    llvm::SmallSetVector<Operation *, 16> window =
        collectWindow(op, throughTuples, forms);
    const bool hasTuples =
        llvm::any_of(window, [](Operation *o) { return !isUnary(o); });
    AccessForm form = forms.get(value);
    // A form beyond the budget.
    if (form.asIdentity() == value)
      return std::nullopt;
    // One op can only be replaced by none.
    if (window.size() == 1 && !form.asIdentity())
      continue;
    std::optional<MovementPlan> plan = planMovement(form, value.getType());
    if (plan && !llvm::is_contained(plan->bases, value)) {
      const size_t unused = countUnused(op, window, plan->bases);
      if (plan->steps.size() < unused)
        return Replacement{std::move(*plan), /*isShorter=*/true};
      if (plan->steps.size() == unused && !isPlan(op, *plan))
        return Replacement{std::move(*plan), /*isShorter=*/false};
    }
    if (!hasTuples || !isUnary(op))
      break;
  }
  return std::nullopt;
}

/// True if the ops of a plan are not replaced by equally many others. Forms
/// that were made again with bases in the middle may differ for the same
/// elements.
static bool isStable(const MovementPlan &plan, Location loc) {
  Block block;
  OpBuilder builder(loc.getContext());
  builder.setInsertionPointToStart(&block);
  Operation *end = createMovement(builder, loc, plan).getDefiningOp();
  std::optional<Replacement> next = findReplacement(end);
  return !next || next->isShorter;
}

LogicalResult
ShortenMovement::matchAndRewrite(Operation *op,
                                 PatternRewriter &rewriter) const {
  if (!hasTransfer(op))
    return rewriter.notifyMatchFailure(op, "a base of its own");
  Value value = op->getResult(0);
  if (value.use_empty())
    return rewriter.notifyMatchFailure(op, "unused");
  if (Operation *user = *value.user_begin();
      value.hasOneUse() && isUnary(user) && hasTransfer(user))
    return rewriter.notifyMatchFailure(op, "not the end of its chain");
  std::optional<Replacement> found = findReplacement(op);
  if (!found || (!found->isShorter && !isStable(found->plan, op->getLoc())))
    return rewriter.notifyMatchFailure(op, "no shorter chain");
  rewriter.replaceOp(op, createMovement(rewriter, op->getLoc(), found->plan));
  return success();
}

void mlir::tensoraccess::populateMovementCanonicalization(
    RewritePatternSet &patterns) {
  // Of each op it asks whether it is one.
  MLIRContext *context = patterns.getContext();
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (isa<TensorAccessDialect>(name.getDialect()))
      patterns.add<ShortenMovement>(name.getStringRef(), context);
}

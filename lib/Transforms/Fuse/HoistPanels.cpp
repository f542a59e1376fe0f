//===- HoistPanels.cpp - Panels made before the loop that reads them ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each reduction in the body of a loop:
//   1. an input that the kernel reads by columns (findPanelUse), and that needs
//      nothing of the loop, is read in panels;
//   2. what makes them moves before the loop, and before each loop around it that
//      it needs nothing of.
//
//===----------------------------------------------------------------------===//

#include "Kernel/KernelPlan.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "TensorAccess/Transforms/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_HOISTPANELS
#include "TensorAccess/Transforms/FusePasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Trips that a copy to panels takes the time of, and more.
constexpr int64_t kFewTrips = 8;

/// The loop whose body an op is in, not in any other op of it; or null, as for a
/// loop of a few trips.
static Operation *getLoop(Operation *op) {
  Operation *parent = op->getParentOp();
  if (!isa_and_nonnull<scf::WhileOp, scf::ForOp>(parent))
    return nullptr;
  std::optional<APInt> trips =
      cast<LoopLikeOpInterface>(parent).getStaticTripCount();
  return trips && trips->ult(kFewTrips) ? nullptr : parent;
}

static bool isAbove(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// What an op reads, in its regions, too.
static SmallVector<Value> getRead(Operation *op) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return read.takeVector();
}

/// The ops of the loop's body that a value is computed by, in their order;
/// std::nullopt where they need anything else of the loop.
static std::optional<SmallVector<Operation *>> findKnown(Value value,
                                                         Operation *loop) {
  SmallVector<Operation *> ops;
  if (isAbove(value, loop))
    return ops;
  llvm::SmallDenseSet<Value> needed{value};
  Operation *last = value.getDefiningOp();
  if (!last || last->getParentOp() != loop)
    return std::nullopt;
  for (Operation *op = last; op; op = op->getPrevNode()) {
    if (llvm::none_of(op->getResults(),
                      [&](Value v) { return needed.contains(v); }))
      continue;
    if (!isPure(op))
      return std::nullopt;
    for (Value read : getRead(op)) {
      if (isAbove(read, loop))
        continue;
      if (isa<BlockArgument>(read))
        return std::nullopt;
      needed.insert(read);
    }
    ops.push_back(op);
  }
  std::reverse(ops.begin(), ops.end());
  return ops;
}

static bool hoist(RewriterBase &rewriter, linalg::LinalgOp op,
                  const Target &target) {
  std::optional<PanelUse> use = findPanelUse(op, target);
  if (!use)
    return false;
  Operation *loop = getLoop(op);
  Value panels = op->getOperand(use->operand);
  if (!use->isThere) {
    if (!findKnown(panels, loop))
      return false;
    rewriter.setInsertionPoint(op);
    panels = readInPanels(rewriter, op, *use)->getResult(0);
  }
  bool moved = false;
  for (; loop; loop = getLoop(loop)) {
    std::optional<SmallVector<Operation *>> known = findKnown(panels, loop);
    if (!known)
      break;
    for (Operation *made : *known)
      rewriter.moveOpBefore(made, loop);
    moved |= !known->empty();
  }
  return moved;
}

unsigned mlir::tensoraccess::hoistPanels(Operation *root,
                                         const Target &target) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) {
    if (getLoop(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  return llvm::count_if(
      ops, [&](linalg::LinalgOp op) { return hoist(rewriter, op, target); });
}

namespace {
struct HoistPanelsPass
    : public tensoraccess::impl::HoistPanelsBase<HoistPanelsPass> {
  using HoistPanelsBase::HoistPanelsBase;

  void runOnOperation() override {
    FailureOr<Target> found =
        findTarget(getOperation(), target, /*otherwise=*/"host");
    if (failed(found))
      return signalPassFailure();
    hoisted += hoistPanels(getOperation(), *found);
  }
};
} // namespace

//===- RegisterTile.cpp - Sums that stay in registers ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes into the loops of a reduction: the fill before it, and the elementwise
// op after it. KernelPlan chooses tiles, KernelEmitter writes the loops.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_REGISTERTILE
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether the body asks for the index along the columns of its result.
static bool asksForColumn(linalg::LinalgOp op) {
  AffineMap out = op.getIndexingMapsArray().back();
  return llvm::any_of(
      op.getBlock()->getOps<linalg::IndexOp>(), [&](linalg::IndexOp index) {
        return out.getNumResults() != 0 &&
               out.getResults().back().isFunctionOfDim(index.getDim());
      });
}

LogicalResult mlir::tensoraccess::registerTile(RewriterBase &rewriter,
                                               linalg::LinalgOp op,
                                               const Target &target) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureBufferSemantics())
    return rewriter.notifyMatchFailure(op, "it reduces nothing on buffers");
  if (!isArithmetic(op) || asksForColumn(op))
    return rewriter.notifyMatchFailure(op, "its body is not plain arithmetic");
  std::string reason;
  std::optional<StridedNest> nest;
  std::optional<KernelPlan> plan;
  linalg::GenericOp epilogue = findEpilogueAfter(op);
  // What does not work with its epilogue may work without.
  while (!plan) {
    nest = StridedNest::get(op, epilogue, reason);
    if (nest && (nest->elementBytes[nest->result] < 2 ||
                 nest->elementBytes[nest->result] > 8)) {
      reason = "its elements are too small or too large";
      nest.reset();
    }
    if (nest)
      plan = planKernel(*nest, target, reason);
    if (!plan && !epilogue)
      return rewriter.notifyMatchFailure(op, reason);
    if (!plan)
      epilogue = {};
  }
  linalg::FillOp fill = findFillBefore(op);
  TypedAttr start;
  if (fill)
    matchPattern(fill.getInputs()[0], m_Constant(&start));
  rewriter.setInsertionPoint(op);
  emitKernel(rewriter, op, std::move(*nest), std::move(*plan), epilogue, start);
  Value result = op.getDpsInits()[0];
  rewriter.eraseOp(op);
  if (fill)
    rewriter.eraseOp(fill);
  if (!epilogue)
    return success();
  bool isReplaced = epilogue.getDpsInits()[0] != result;
  rewriter.eraseOp(epilogue);
  // Without a value to begin with, sums begin with what is there.
  if (isReplaced && fill) {
    Operation *alloc = result.getDefiningOp();
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      rewriter.eraseOp(user);
    rewriter.eraseOp(alloc);
  }
  return success();
}

namespace {
struct RegisterTilePass
    : public tensoraccess::impl::RegisterTileBase<RegisterTilePass> {
  using RegisterTileBase::RegisterTileBase;

  void runOnOperation() override {
    FailureOr<Target> found =
        findTarget(getOperation(), target, /*otherwise=*/"host");
    if (failed(found))
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() != 0)
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      tiled += succeeded(registerTile(rewriter, op, *found));
  }
};
} // namespace

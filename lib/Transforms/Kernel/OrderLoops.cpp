//===- OrderLoops.cpp - The loop that vectorises goes innermost -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum into one element is a chain that no compiler may reorder; sums into
// neighbouring elements are independent. So
// 1. take the loop p of the last dimension of the result, if it is parallel;
// 2. check that every operand either does not move along p or has p, with step
//    1, in its last dimension alone;
// 3. interchange: the other parallel loops, the reductions, p.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ORDERLOOPS
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// True if the operand does not move along the loop, or is contiguous.
static bool isContiguousAlong(const Nest &nest, const NestAccess &access,
                              unsigned axis) {
  if (access.reason != IndexingReason::None)
    return false;
  for (auto [i, form] : llvm::enumerate(access.index)) {
    if (!nest.moves(form, axis))
      continue;
    // The last dimension, as p or as p plus something without p.
    Form rest;
    if (i + 1 != access.index.size() ||
        !FormArena::tryAddScaled(form, nest[axis], -1, rest) ||
        nest.moves(rest, axis))
      return false;
  }
  return true;
}

FailureOr<linalg::GenericOp>
mlir::tensoraccess::orderLoops(RewriterBase &rewriter, linalg::LinalgOp op) {
  NestRef nest = getNest(OpSignature(op));
  if (!nest->hasLoops() || !nest->hasReductions() || nest->writes.size() != 1)
    return rewriter.notifyMatchFailure(op, "it does not reduce to one result");
  ArrayRef<Form> out = nest->writes[0].index;
  if (out.empty())
    return rewriter.notifyMatchFailure(op, "its result is one element");
  std::optional<unsigned> inner = nest->getPlainAxis(out.back());
  if (!inner)
    return rewriter.notifyMatchFailure(op, "no loop runs along its result");
  if (!llvm::all_of(nest->reads, [&](const NestRead &read) {
        return isContiguousAlong(*nest, read, *inner);
      }))
    return rewriter.notifyMatchFailure(op, "an operand is not contiguous");

  SmallVector<unsigned> order;
  for (bool isReduction : {false, true})
    for (auto [loop, axis] : llvm::enumerate(nest->axes))
      if (loop != *inner && axis.isReduction == isReduction)
        order.push_back(loop);
  order.push_back(*inner);
  if (llvm::equal(order, llvm::seq<unsigned>(0, order.size())))
    return rewriter.notifyMatchFailure(op, "its loops are in order");

  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> generalized =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generalized))
      return failure();
    generic = *generalized;
  }
  return linalg::interchangeGenericOp(rewriter, generic, order);
}

namespace {
struct OrderLoopsPass
    : public tensoraccess::impl::OrderLoopsBase<OrderLoopsPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      ordered += succeeded(orderLoops(rewriter, op));
    }
  }
};
} // namespace

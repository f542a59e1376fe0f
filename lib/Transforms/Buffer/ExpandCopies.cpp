//===- ExpandCopies.cpp - Copies between strided buffers as loops ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/BufferPasses.h"
#include "TensorAccess/Transforms/Buffers.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXPANDCOPIES
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

FailureOr<linalg::GenericOp>
mlir::tensoraccess::expandCopy(RewriterBase &rewriter, memref::CopyOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType());
  auto to = dyn_cast<MemRefType>(op.getTarget().getType());
  if (!from || !to)
    return rewriter.notifyMatchFailure(op, "a buffer is unranked");
  if (from.getLayout().isIdentity() && to.getLayout().isIdentity())
    return rewriter.notifyMatchFailure(op, "both buffers are contiguous");
  AffineMap map = rewriter.getMultiDimIdentityMap(from.getRank());
  return rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op.getSource(), op.getTarget(), ArrayRef<AffineMap>{map, map},
      SmallVector<utils::IteratorType>(from.getRank(),
                                       utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args.front());
      });
}

namespace {
struct ExpandCopiesPass
    : public tensoraccess::impl::ExpandCopiesBase<ExpandCopiesPass> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp op) { copies.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (memref::CopyOp op : copies) {
      rewriter.setInsertionPoint(op);
      (void)expandCopy(rewriter, op);
    }
  }
};
} // namespace

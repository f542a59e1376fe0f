//===- ExpandDynamicShapes.cpp - Several unknown sizes out of one ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's lowering of `memref.expand_shape` divides the size of a source
// dimension by the known sizes that it becomes, which names at most one unknown
// size and no size 0. The others are rewritten here, each source dimension of
// size S and stride s on its own:
//
// 1. Sizes n0, …, nk are those that the op is given.
// 2. Strides from the last on: s, s·nk, s·nk·n(k-1), …
// 3. The buffer is reinterpreted with these sizes and strides, at its offset.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/LowerPasses.h"
#include "TensorAccess/Transforms/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXPANDDYNAMICSHAPES
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether the sizes of `group` follow from the size that they multiply to.
static bool isDetermined(MemRefType type, ArrayRef<int64_t> group) {
  int64_t unknown = llvm::count_if(
      group, [&](int64_t dim) { return type.isDynamicDim(dim); });
  bool hasZero = llvm::any_of(
      group, [&](int64_t dim) { return type.getDimSize(dim) == 0; });
  return unknown == 0 || (unknown == 1 && !hasZero);
}

/// `a` times `b`; op-free where one of them is 1.
static OpFoldResult multiply(OpBuilder &builder, Location loc, OpFoldResult a,
                             OpFoldResult b) {
  if (isOneInteger(a))
    return b;
  if (isOneInteger(b))
    return a;
  return arith::MulIOp::create(builder, loc,
                               getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

FailureOr<memref::ReinterpretCastOp>
mlir::tensoraccess::expandDynamicShape(RewriterBase &rewriter,
                                       memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  SmallVector<ReassociationIndices, 4> groups = op.getReassociationIndices();
  if (llvm::all_of(groups, [&](const ReassociationIndices &group) {
        return isDetermined(type, group);
      }))
    return rewriter.notifyMatchFailure(op, "its sizes follow from the source");
  SmallVector<int64_t> known;
  int64_t knownOffset;
  if (!op.getSrcType().isStrided() ||
      failed(type.getStridesAndOffset(known, knownOffset)))
    return rewriter.notifyMatchFailure(op, "a buffer has no strides");

  Location loc = op.getLoc();
  auto source =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
  SmallVector<OpFoldResult> from = source.getConstifiedMixedStrides();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(type.getRank());
  for (auto [group, stride] : llvm::zip_equal(groups, from)) {
    OpFoldResult next = stride;
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = ShapedType::isDynamic(known[dim])
                         ? next
                         : rewriter.getIndexAttr(known[dim]);
      if (dim != group.front())
        next = multiply(rewriter, loc, strides[dim], sizes[dim]);
    }
  }
  OpFoldResult offset = ShapedType::isDynamic(knownOffset)
                            ? source.getConstifiedMixedOffset()
                            : rewriter.getIndexAttr(knownOffset);
  return rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, type, source.getBaseBuffer(), offset, sizes, strides);
}

namespace {
struct ExpandDynamicShapesPass
    : public tensoraccess::impl::ExpandDynamicShapesBase<
          ExpandDynamicShapesPass> {
  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> ops;
    getOperation()->walk([&](memref::ExpandShapeOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (memref::ExpandShapeOp op : ops) {
      rewriter.setInsertionPoint(op);
      (void)expandDynamicShape(rewriter, op);
    }
  }
};
} // namespace

//===- FoldSlices.cpp - Constants among the operands of slices ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instead of upstream's patterns of the same effect, which drop the unit
// dimensions of a type from the front, whichever the op had dropped.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Canonicalize.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Offsets, sizes and strides, with constants in place of operands.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  template <typename SliceOp>
  explicit Slice(SliceOp op)
      : offsets(op.getMixedOffsets()), sizes(op.getMixedSizes()),
        strides(op.getMixedStrides()) {}

  /// Failure if no operand is a constant, or where the slice of a tensor of
  /// this shape would leave it, which is found out when it runs.
  LogicalResult fold(ArrayRef<int64_t> shape) {
    bool isFolded = succeeded(foldDynamicOffsetSizeList(offsets));
    isFolded |= succeeded(foldDynamicOffsetSizeList(sizes));
    isFolded |= succeeded(foldDynamicStrideList(strides));
    return success(isFolded &&
                   verifyInBoundsSlice(shape, offsets, sizes, strides).isValid);
  }

  /// The type of the slice: of one before constants were known, with the same
  /// dimensions dropped.
  RankedTensorType getType(RankedTensorType before,
                           const llvm::SmallBitVector &dropped) const {
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!dropped[dim])
        shape.push_back(
            getConstantIntValue(size).value_or(ShapedType::kDynamic));
    return RankedTensorType::get(shape, before.getElementType(),
                                 before.getEncoding());
  }
};

/// extract_slice(x)[%c, …] = cast(extract_slice(x)[c, …])
struct FoldExtract : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    Slice slice(op);
    if (failed(slice.fold(op.getSourceType().getShape())))
      return rewriter.notifyMatchFailure(op, "has no constant operands");
    Value part = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), slice.getType(op.getType(), op.getDroppedDims()),
        op.getSource(), slice.offsets, slice.sizes, slice.strides);
    if (part.getType() != op.getType())
      part = tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), part);
    rewriter.replaceOp(op, part);
    return success();
  }
};

/// insert_slice(x, y)[%c, …] = insert_slice(cast(x), y)[c, …]
struct FoldInsert : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    Slice slice(op);
    if (failed(slice.fold(op.getType().getShape())))
      return rewriter.notifyMatchFailure(op, "has no constant operands");
    RankedTensorType type =
        slice.getType(op.getSourceType(), op.getDroppedDims());
    Value part = op.getSource();
    if (part.getType() != type)
      part = tensor::CastOp::create(rewriter, op.getLoc(), type, part);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, part, op.getDest(), slice.offsets, slice.sizes, slice.strides);
    return success();
  }
};

} // namespace

void mlir::tensoraccess::populateSliceFolding(RewritePatternSet &patterns) {
  patterns.add<FoldExtract, FoldInsert>(patterns.getContext());
}

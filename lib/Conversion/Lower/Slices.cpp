//===- Slices.cpp - Parts of tensors, taken and put -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The op that pads a tensor with a constant, seen through casts.
static tensor::PadOp getPadding(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    tensor = cast.getSource();
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  return pad && pad.getConstantPaddingValue() ? pad : tensor::PadOp();
}

/// True for equal values, and for equal constants.
static bool isSame(Value a, Value b) {
  Attribute left, right;
  return a == b || (matchPattern(a, m_Constant(&left)) &&
                    matchPattern(b, m_Constant(&right)) && left == right);
}

/// Rewrites the insertion, with strides, of a padded tensor so that whoever runs
/// upstream's canonicalization on what we print is right, too: it folds a
/// tensor.pad into the linalg.fill that it is inserted into, but shifts by `low`
/// instead of `low · stride`. Where the destination is full of the padding, what
/// was padded is inserted; where the destination has other insertions, a copy of
/// the padded tensor. Returns the op that stands for the insertion.
static tensor::InsertSliceOp protectStridedInsert(RewriterBase &rewriter,
                                                  tensor::InsertSliceOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  if (llvm::all_of(strides, isOneInteger) ||
      op.getSourceType().getRank() != op.getType().getRank())
    return op;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  while (tensor::PadOp pad = getPadding(op.getSource())) {
    Value dest = op.getDest();
    while (auto cast = dest.getDefiningOp<tensor::CastOp>())
      dest = cast.getSource();
    auto fill = dest.getDefiningOp<linalg::FillOp>();
    if (!fill && !dest.getDefiningOp<tensor::InsertSliceOp>())
      return op;
    if (!fill) {
      Value empty = tensor::EmptyOp::create(
          rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getSource()),
          op.getSourceType().getElementType());
      Value copy = linalg::CopyOp::create(rewriter, loc, op.getSource(), empty)
                       .getResult(0);
      rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(copy); });
      return op;
    }
    if (!isSame(fill.value(), pad.getConstantPaddingValue()))
      return op;
    SmallVector<OpFoldResult> offsets;
    AffineExpr offset, low, stride;
    bindSymbols(rewriter.getContext(), offset, low, stride);
    for (auto [first, before, step] :
         llvm::zip_equal(op.getMixedOffsets(), pad.getMixedLowPad(), strides))
      offsets.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, offset + low * stride, {first, before, step}));
    op = rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, pad.getSource(), op.getDest(), offsets,
        tensor::getMixedSizes(rewriter, loc, pad.getSource()), strides);
    if (pad->use_empty())
      rewriter.eraseOp(pad);
  }
  return op;
}

Value mlir::tensoraccess::insertPart(RewriterBase &rewriter, Location loc,
                                     Value part, Value into,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes,
                                     ArrayRef<OpFoldResult> strides) {
  auto type = cast<RankedTensorType>(into.getType());
  for (auto [dim, offset, size] : llvm::enumerate(offsets, sizes)) {
    std::optional<int64_t> first = getConstantIntValue(offset);
    bool isBehind =
        first && !type.isDynamicDim(dim) && *first >= type.getDimSize(dim);
    if (isBehind || getConstantIntValue(size) == 0)
      return into;
  }
  return protectStridedInsert(
      rewriter, tensor::InsertSliceOp::create(rewriter, loc, part, into,
                                              offsets, sizes, strides));
}

Value mlir::tensoraccess::extractPart(OpBuilder &b, Location loc, Value from,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes,
                                      ArrayRef<OpFoldResult> strides) {
  auto type = cast<RankedTensorType>(from.getType());
  if (llvm::is_contained(type.getShape(), 0))
    return tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  return tensor::ExtractSliceOp::create(b, loc, from, offsets, sizes, strides);
}

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
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

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

/// Rewrites the insertion, with strides, of a padded tensor so that upstream's
/// canonicalization of what we print is right, too: it folds a
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
  if (llvm::is_contained(type.getShape(), 0) ||
      llvm::any_of(sizes, isZeroInteger))
    return tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  return tensor::ExtractSliceOp::create(b, loc, from, offsets, sizes, strides);
}

//===----------------------------------------------------------------------===//
// Dimensions that slices drop
//===----------------------------------------------------------------------===//

/// Whether dimensions that stay have or may get size 1, too, and the slice has
/// strides: of a view, upstream takes those for dropped whose strides, before
/// they are multiplied by the slice's, the result does not have.
template <typename OpTy>
static bool mayDropOthers(OpTy op) {
  const llvm::SmallBitVector dropped = op.getDroppedDims();
  bool mayBeOne = false, hasStrides = false;
  for (auto [dim, size, stride] :
       llvm::enumerate(op.getMixedSizes(), op.getMixedStrides())) {
    mayBeOne |= !dropped[dim] && getConstantIntValue(size).value_or(1) == 1;
    hasStrides |= !isOneInteger(size) && !isOneInteger(stride);
  }
  return dropped.any() && mayBeOne && hasStrides;
}

/// For each dimension that stays, the dimensions that it is reshaped from.
static SmallVector<ReassociationIndices>
groupDims(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  if (dropped.all())
    return groups;
  // Those in front of the first that stays go with it, others with the last.
  unsigned kept = 0;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (groups.empty() || (!dropped[dim] && kept != 0))
      groups.emplace_back();
    groups.back().push_back(dim);
    kept += !dropped[dim];
  }
  return groups;
}

/// The source of an insertion with all dimensions of the slice.
template <typename OpTy>
static void insertWhole(RewriterBase &rewriter, OpTy op) {
  const SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  RankedTensorType type = RankedTensorType::get(
      op.getStaticSizes(), op.getSourceType().getElementType());
  Value whole =
      tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, op.getSource(),
                                    groupDims(op.getDroppedDims()), sizes);
  rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(whole); });
}

void mlir::tensoraccess::separateDroppedDims(RewriterBase &rewriter,
                                             Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!mayDropOthers(slice))
      return;
    Value whole = tensor::ExtractSliceOp::create(
        rewriter, op->getLoc(), slice.getSource(), slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, slice.getType(), whole, groupDims(slice.getDroppedDims()));
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (mayDropOthers(insert))
      insertWhole(rewriter, insert);
  } else if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    if (!mayDropOthers(insert))
      return;
    // Only insertions may be beside it.
    rewriter.setInsertionPoint(op->getParentOp());
    insertWhole(rewriter, insert);
  }
}

//===----------------------------------------------------------------------===//
// Pads that cut
//===----------------------------------------------------------------------===//

namespace {
/// What a pad does to a dimension: `count` elements from `first` on, `low`
/// places in front of them and `high` after.
struct CutDim {
  OpFoldResult first, count, low, high;
};
} // namespace

static CutDim cutDim(OpBuilder &b, Location loc, OpFoldResult size,
                     OpFoldResult low, OpFoldResult high) {
  AffineExpr x, y, z;
  bindSymbols(b.getContext(), x, y, z);
  AffineExpr zero = b.getAffineConstantExpr(0);
  auto getMap = [&](ArrayRef<AffineExpr> exprs, size_t numValues) {
    return AffineMap::get(0, numValues, exprs, b.getContext());
  };
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> values) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, getMap(expr, values.size()), values);
  };
  auto least = [&](ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> values) {
    return affine::makeComposedFoldedAffineMin(
        b, loc, getMap(exprs, values.size()), values);
  };
  auto greatest = [&](ArrayRef<AffineExpr> exprs,
                      ArrayRef<OpFoldResult> values) {
    return affine::makeComposedFoldedAffineMax(
        b, loc, getMap(exprs, values.size()), values);
  };
  CutDim cut;
  cut.first = least({x, y}, {greatest({-x, zero}, low), size});
  OpFoldResult end =
      greatest({x, y}, {cut.first, least({x, x + y}, {size, high})});
  // A slice that begins after the last place has a size that is known, too.
  const bool isBehind =
      getConstantIntValue(size) &&
      getConstantIntValue(size) == getConstantIntValue(cut.first);
  cut.count = isBehind ? OpFoldResult(b.getIndexAttr(0))
                       : apply(y - x, {cut.first, end});
  OpFoldResult total = apply(x + y + z, {size, low, high});
  // An assertion in front of it says that nothing has this size.
  if (std::optional<int64_t> number = getConstantIntValue(total);
      number && *number < 0)
    total = b.getIndexAttr(0);
  cut.low = least({x, y}, {greatest({x, zero}, low), total});
  cut.high = apply(x - y - z, {total, cut.low, cut.count});
  return cut;
}

void mlir::tensoraccess::separateCuts(RewriterBase &rewriter,
                                      tensor::PadOp op) {
  using Bounds = ValueBoundsConstraintSet;
  OpFoldResult zero = rewriter.getIndexAttr(0);
  auto mayCut = [&](OpFoldResult width) {
    if (std::optional<int64_t> number = getConstantIntValue(width))
      return *number < 0;
    // Upstream ends the process on places of the body of a pad.
    return op->getParentOfType<tensor::PadOp>() ||
           !Bounds::compare(zero, Bounds::ComparisonOperator::LE, width);
  };
  SmallVector<OpFoldResult> lows = op.getMixedLowPad(),
                            highs = op.getMixedHighPad();
  if (llvm::none_of(lows, mayCut) && llvm::none_of(highs, mayCut))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> firsts(lows.size(), zero),
      counts = tensor::getMixedSizes(rewriter, loc, op.getSource()),
      ones(lows.size(), rewriter.getIndexAttr(1));
  for (auto [first, count, low, high] :
       llvm::zip_equal(firsts, counts, lows, highs)) {
    if (!mayCut(low) && !mayCut(high))
      continue;
    CutDim cut = cutDim(rewriter, loc, count, low, high);
    std::tie(first, count, low, high) =
        std::tuple(cut.first, cut.count, cut.low, cut.high);
  }
  Value rest = extractPart(rewriter, loc, op.getSource(), firsts, counts, ones);
  auto pad = tensor::PadOp::create(rewriter, loc, Type(), rest, lows, highs,
                                   op.getNofold());
  // Of sizes that are wrong, which an assertion in front of it reports.
  if (!tensor::CastOp::areCastCompatible(pad.getType(), op.getType()))
    return rewriter.eraseOp(pad);
  rewriter.inlineRegionBefore(op.getRegion(), pad.getRegion(),
                              pad.getRegion().end());
  rewriter.replaceOp(op, rewriter.createOrFold<tensor::CastOp>(
                             loc, op.getType(), pad.getResult()));
}

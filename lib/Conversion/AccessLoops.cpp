//===- AccessLoops.cpp - Loops over views of tensors ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessLoops.h"
#include "TensorAccess/Core/Shape.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

/// Cuts two shapes of equally many elements into the shortest runs of
/// dimensions that have equally many elements each; false where a size is 0.
static bool matchRuns(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                      SmallVectorImpl<ReassociationIndices> &fromRuns,
                      SmallVectorImpl<ReassociationIndices> &toRuns) {
  if (llvm::is_contained(from, 0) || llvm::is_contained(to, 0))
    return false;
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    ReassociationIndices fromRun{static_cast<int64_t>(i)};
    ReassociationIndices toRun{static_cast<int64_t>(j)};
    int64_t a = from[i++], b = to[j++];
    while (a != b) {
      if (a < b) {
        fromRun.push_back(i);
        a *= from[i++];
      } else {
        toRun.push_back(j);
        b *= to[j++];
      }
    }
    fromRuns.push_back(fromRun);
    toRuns.push_back(toRun);
  }
  // What is left has size 1; it joins the last run.
  if (fromRuns.empty())
    return false;
  for (; i < from.size(); ++i)
    fromRuns.back().push_back(i);
  for (; j < to.size(); ++j)
    toRuns.back().push_back(j);
  return true;
}

Value mlir::tensoraccess::reshapeTensor(OpBuilder &b, Location loc,
                                        Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  auto typeOf = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, type.getElementType());
  };
  SmallVector<ReassociationIndices> from, to;
  if (!matchRuns(type.getShape(), shape, from, to)) {
    if (llvm::is_contained(type.getShape(), 0))
      return tensor::EmptyOp::create(b, loc, shape, type.getElementType());
    // One of the shapes is that of a scalar.
    return shape.empty()
               ? tensor::CollapseShapeOp::create(
                     b, loc, typeOf(shape), tensor,
                     ArrayRef<ReassociationIndices>{})
                     .getResult()
               : tensor::ExpandShapeOp::create(b, loc, typeOf(shape), tensor,
                                               ArrayRef<ReassociationIndices>{})
                     .getResult();
  }
  auto isPlural = [](const ReassociationIndices &run) {
    return run.size() > 1;
  };
  SmallVector<int64_t> middle;
  for (const ReassociationIndices &run : from) {
    int64_t size = 1;
    for (int64_t dim : run)
      size *= type.getDimSize(dim);
    middle.push_back(size);
  }
  if (llvm::any_of(from, isPlural))
    tensor =
        tensor::CollapseShapeOp::create(b, loc, typeOf(middle), tensor, from);
  if (llvm::any_of(to, isPlural))
    tensor = tensor::ExpandShapeOp::create(b, loc, typeOf(shape), tensor, to);
  return tensor;
}

Value mlir::tensoraccess::createBase(OpBuilder &b, Location loc,
                                     const AccessView &view, Value source) {
  Value base = source;
  for (const SourcePadding &padding : view.paddings) {
    Value constant = arith::ConstantOp::create(b, loc, padding.value);
    SmallVector<OpFoldResult> low, high;
    for (auto [before, after] : llvm::zip_equal(padding.low, padding.high)) {
      low.push_back(b.getIndexAttr(before));
      high.push_back(b.getIndexAttr(after));
    }
    base = tensor::PadOp::create(b, loc, Type(), base, low, high, constant);
  }
  return base;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Tries to plan with digits.
static bool planDigits(OpBuilder &b, Location loc, ArrayRef<AccessView> views,
                       ArrayRef<Value> bases, int64_t accessRank,
                       LoopPlan &plan) {
  SmallVector<DigitView, 2> digits;
  for (const AccessView &view : views) {
    if (!view.digits)
      return false;
    digits.push_back(*view.digits);
  }
  if (!DigitView::align(digits))
    return false;
  DigitView::merge(digits);

  // A loop over one value is kept only as the batch of one image is: a
  // dimension that is there for its own sake. Dimensions of size 1 that came
  // from windows or reshapes are not.
  unsigned numDims = digits[0].getNumDims(), access = accessRank;
  for (unsigned dim = numDims; dim-- > 0;) {
    if (digits[0].getDimSize(dim) != 1)
      continue;
    auto isPlain = [&](const DigitView &v) { return v.isPlainUnit(dim); };
    auto moves = [&](const DigitView &v) {
      return llvm::any_of(v.getDim(dim)[0].steps,
                          [](int64_t step) { return step != 0; });
    };
    if (llvm::all_of(digits, isPlain) && llvm::any_of(digits, moves))
      continue;
    for (DigitView &view : digits)
      view.squeeze(dim);
    access -= dim < access;
  }
  for (unsigned dim = 0; dim < digits[0].getNumDims(); ++dim)
    for (const Digit &digit : digits[0].getDim(dim)) {
      plan.ranges.push_back(digit.size);
      plan.numParallel += dim < access;
    }
  MLIRContext *context = b.getContext();
  for (auto [view, base] : llvm::zip_equal(digits, bases)) {
    view.collapseUnitBase();
    SmallVector<AffineExpr> exprs;
    for (int64_t offset : view.getOffsets())
      exprs.push_back(getAffineConstantExpr(offset, context));
    unsigned loop = 0;
    for (unsigned dim = 0; dim < view.getNumDims(); ++dim)
      for (const Digit &digit : view.getDim(dim)) {
        for (auto [expr, step] : llvm::zip_equal(exprs, digit.steps))
          expr = expr + getAffineDimExpr(loop, context) * step;
        ++loop;
      }
    plan.operands.push_back(
        {reshapeTensor(b, loc, base, view.getBaseShape()),
         AffineMap::get(plan.ranges.size(), 0, exprs, context)});
  }
  return true;
}

LoopPlan mlir::tensoraccess::planLoops(OpBuilder &b, Location loc,
                                       ArrayRef<AccessView> views,
                                       ArrayRef<Value> bases,
                                       int64_t accessRank) {
  LoopPlan plan;
  if (planDigits(b, loc, views, bases, accessRank, plan))
    return plan;
  plan = LoopPlan();
  plan.ranges = views[0].shape;
  plan.numParallel = accessRank;
  for (auto [view, base] : llvm::zip_equal(views, bases))
    plan.operands.push_back({base, view.map});
  return plan;
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

static bool hasDivision(AffineMap map) {
  bool found = false;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr e) {
      found |= e.getKind() == AffineExprKind::FloorDiv ||
               e.getKind() == AffineExprKind::CeilDiv ||
               e.getKind() == AffineExprKind::Mod;
    });
  return found;
}

/// tensor.extract at the index that the map gives for the loops around.
static Value extractAt(OpBuilder &b, Location loc, const LoopOperand &operand,
                       unsigned numLoops) {
  SmallVector<OpFoldResult> loops;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    loops.push_back(linalg::IndexOp::create(b, loc, loop).getResult());
  SmallVector<Value> index;
  for (AffineExpr expr : operand.map.getResults()) {
    AffineMap map = AffineMap::get(numLoops, 0, expr);
    OpFoldResult value =
        affine::makeComposedFoldedAffineApply(b, loc, map, loops);
    index.push_back(getValueOrCreateConstantIndexOp(b, loc, value));
  }
  return tensor::ExtractOp::create(b, loc, operand.base, index);
}

/// The base without what no loop reaches, as behind the only place of a strided
/// window: linalg takes the size of a dimension that one loop indexes for the
/// range of that loop.
static Value cutToLoops(OpBuilder &b, Location loc, const LoopOperand &operand,
                        ArrayRef<int64_t> ranges) {
  auto type = cast<RankedTensorType>(operand.base.getType());
  SmallVector<int64_t> sizes(type.getShape());
  for (auto [size, expr] : llvm::zip_equal(sizes, operand.map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      size = ranges[loop.getPosition()];
  if (type.getShape() == ArrayRef<int64_t>(sizes))
    return operand.base;
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, loc, operand.base, offsets,
      getAsIndexOpFoldResult(b.getContext(), sizes), strides);
}

linalg::GenericOp mlir::tensoraccess::emitLoops(OpBuilder &b, Location loc,
                                                const LoopPlan &plan,
                                                Type elementType,
                                                TypedAttr init, LoopBody body) {
  MLIRContext *context = b.getContext();
  unsigned numLoops = plan.ranges.size();
  ArrayRef<int64_t> ranges(plan.ranges);
  Value out = tensor::EmptyOp::create(
      b, loc, ranges.take_front(plan.numParallel), elementType);
  if (init) {
    Value constant = arith::ConstantOp::create(b, loc, init);
    out = linalg::FillOp::create(b, loc, constant, out).getResult(0);
  }

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> position; // of each operand among the inputs, or -1
  for (const LoopOperand &operand : plan.operands) {
    position.push_back(hasDivision(operand.map) ? -1 : inputs.size());
    if (position.back() < 0)
      continue;
    inputs.push_back(cutToLoops(b, loc, operand, ranges));
    maps.push_back(operand.map);
  }
  // linalg takes a loop's range from an operand that the loop alone indexes;
  // reduction loops that no operand has are given one that nobody reads.
  llvm::SmallBitVector known(numLoops);
  known.set(0, plan.numParallel);
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        known.set(dim.getPosition());
  SmallVector<AffineExpr> unknown;
  SmallVector<int64_t> unknownRanges;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    if (!known[loop]) {
      unknown.push_back(getAffineDimExpr(loop, context));
      unknownRanges.push_back(ranges[loop]);
    }
  if (!unknown.empty()) {
    inputs.push_back(
        tensor::EmptyOp::create(b, loc, unknownRanges, elementType));
    maps.push_back(AffineMap::get(numLoops, 0, unknown, context));
  }
  SmallVector<AffineExpr> parallel;
  for (unsigned loop = 0; loop < plan.numParallel; ++loop)
    parallel.push_back(getAffineDimExpr(loop, context));
  maps.push_back(AffineMap::get(numLoops, 0, parallel, context));
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), plan.numParallel,
              utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, out.getType(), inputs, out, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> elements;
        for (auto [operand, pos] : llvm::zip_equal(plan.operands, position))
          elements.push_back(pos < 0 ? extractAt(b, loc, operand, numLoops)
                                     : args[pos]);
        linalg::YieldOp::create(b, loc, body(b, loc, elements, args.back()));
      });
}

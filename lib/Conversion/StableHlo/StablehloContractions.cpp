//===- StablehloContractions.cpp - Products of StableHLO to linalg --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dot_general is one linalg.generic over (batch, left, right; contracted). A
// convolution pads its input first (which takes care of lhs_dilation, too),
// gives groups a dimension of their own on both sides, and is one
// linalg.generic over (the result's dimensions; window, input features):
//
//   out[b, o, g, f] += input[b, stride * o + dilation * w, g, i]
//                      * kernel[w, i, g, f]
//
// A window that is read backwards has its kernel turned first.
// Elements are converted to the type of sums (f32 for a result of a narrower
// float type, else the result's type) before they are multiplied; the finished
// sums are rounded.
//
//===----------------------------------------------------------------------===//

#include "Lower/AccessLoops.h"
#include "StablehloToLinalg.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The type that has the sums of the op's result.
static RankedTensorType getSums(HloConversion &c) {
  RankedTensorType type = c.resultType();
  return type.clone(getSumType(type.getElementType()));
}

/// out += lhs * rhs, from 0; `out` holds sums, the result is rounded.
static SmallVector<Value> multiply(HloConversion &c, Value lhs, Value rhs,
                                   Value out, ArrayRef<AffineMap> maps) {
  Type from[2] = {getElementTypeOrSelf(c.op->getOperand(0).getType()),
                  getElementTypeOrSelf(c.op->getOperand(1).getType())};
  Type to = getElementTypeOrSelf(c.op->getResult(0).getType());
  if (!hasHloProducts({c.op, c.why}))
    return {};
  const Type rounded = to;
  to = getSumType(to);
  Value zero = c.zero(getSignless(to));
  out = linalg::FillOp::create(c.b, zero, out).getResult(0);
  SmallVector<Value> sums = makeHloGeneric(
      c, {lhs, rhs}, out, maps,
      [&](ImplicitLocOpBuilder &b, ValueRange args,
          SmallVectorImpl<Value> &results) {
        Value l = emitHloConvert(b, args[0], from[0], to);
        Value r = emitHloConvert(b, args[1], from[1], to);
        if (isa<FloatType>(to)) {
          Value product = arith::MulFOp::create(b, l, r);
          results.push_back(arith::AddFOp::create(b, args[2], product));
        } else if (to.isInteger(1)) {
          Value product = arith::AndIOp::create(b, l, r);
          results.push_back(arith::OrIOp::create(b, args[2], product));
        } else {
          Value product = arith::MulIOp::create(b, l, r);
          results.push_back(arith::AddIOp::create(b, args[2], product));
        }
        return true;
      });
  if (!sums.empty() && to != rounded)
    sums[0] = roundElements(c.b, c.b.getLoc(), sums[0], rounded);
  return sums;
}

static SmallVector<Value> convertDot(HloConversion &c) {
  auto dot = HloDot::read({c.op, c.why});
  if (!dot)
    return {};
  Value lhs = c.operand(0), rhs = c.operand(1);
  RankedTensorType type = c.resultType();
  int64_t numLoops = type.getRank() + dot->lhsContract.size();
  SmallVector<AffineExpr> left(cast<ShapedType>(lhs.getType()).getRank());
  SmallVector<AffineExpr> right(cast<ShapedType>(rhs.getType()).getRank());
  SmallVector<Value> sizes;
  int64_t loop = 0;
  auto take = [&](Value operand, int64_t dim) {
    if (type.isDynamicDim(loop))
      sizes.push_back(tensor::DimOp::create(c.b, operand, dim));
    return c.b.getAffineDimExpr(loop++);
  };
  for (auto [l, r] : llvm::zip_equal(dot->lhsBatch, dot->rhsBatch))
    left[l] = right[r] = take(lhs, l);
  for (int64_t dim : dot->lhsFree)
    left[dim] = take(lhs, dim);
  for (int64_t dim : dot->rhsFree)
    right[dim] = take(rhs, dim);
  for (auto [l, r] : llvm::zip_equal(dot->lhsContract, dot->rhsContract))
    left[l] = right[r] = c.b.getAffineDimExpr(loop++);
  MLIRContext *context = c.b.getContext();
  SmallVector<AffineMap> maps = {AffineMap::get(numLoops, 0, left, context),
                                 AffineMap::get(numLoops, 0, right, context),
                                 getLeadingDims(c, numLoops, type.getRank())};
  Value out = tensor::EmptyOp::create(c.b, getSums(c), sizes);
  return multiply(c, lhs, rhs, out, maps);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// The shape with dimension `dim` cut into `groups` parts: the group, then the
/// index inside of it.
static SmallVector<int64_t> cut(ArrayRef<int64_t> shape, int64_t dim,
                                int64_t groups) {
  SmallVector<int64_t> result(shape);
  result[dim] /= groups;
  result.insert(result.begin() + dim, groups);
  return result;
}

static SmallVector<Value> convertConvolution(HloConversion &c) {
  auto conv = HloConvolution::read({c.op, c.why});
  if (!conv)
    return {};
  const HloConvolutionSide &in = conv->numbers.input,
                           &kernel = conv->numbers.kernel,
                           &out = conv->numbers.output;
  int64_t rank = in.rank(), groups = conv->groups();
  RankedTensorType type = c.resultType();
  if (type.getNumElements() == 0)
    return {c.empty(type)};

  Value lhs = c.operand(0), rhs = c.operand(1);
  Type lhsElement = getElementTypeOrSelf(lhs.getType());
  if (!isa<FloatType, IntegerType>(lhsElement))
    return c.fail("an element type is neither a float nor an integer");
  SmallVector<int64_t> low(rank, 0), high(rank, 0), interior(rank, 0);
  for (auto [i, window] : llvm::enumerate(conv->windows)) {
    low[in.spatial[i]] = window.low;
    high[in.spatial[i]] = window.high;
    interior[in.spatial[i]] = window.base - 1;
  }
  lhs = padHlo(c, lhs, c.zero(lhsElement), low, high, interior);

  SmallVector<int64_t> turned;
  for (auto [i, isReversed] : llvm::enumerate(conv->reversed))
    if (isReversed)
      turned.push_back(kernel.spatial[i]);
  rhs = reverseHlo(c, rhs, turned);

  // Loops: the result's dimensions, with a group's loop before the features'
  // where there is more than one, then the window's, then the features'.
  bool isGrouped = groups > 1;
  int64_t next = 0;
  SmallVector<AffineExpr> outExprs, place(rank);
  AffineExpr group;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == out.second && isGrouped)
      outExprs.push_back(group = c.b.getAffineDimExpr(next++));
    outExprs.push_back(place[i] = c.b.getAffineDimExpr(next++));
  }
  SmallVector<AffineExpr> left(rank), right(rank);
  for (auto [i, window] : llvm::enumerate(conv->windows)) {
    AffineExpr at = place[out.spatial[i]] * window.stride;
    right[kernel.spatial[i]] = c.b.getAffineConstantExpr(0);
    if (window.window != 1) {
      AffineExpr w = c.b.getAffineDimExpr(next++);
      at = at + w * window.dilation;
      right[kernel.spatial[i]] = w;
    }
    left[in.spatial[i]] = at;
  }
  AffineExpr feature = c.b.getAffineDimExpr(next++);
  left[in.first] = place[out.first];
  left[in.second] = right[kernel.first] = feature;
  right[kernel.second] = place[out.second];
  Value result = c.empty(getSums(c));
  if (isGrouped) {
    int64_t cutDim = conv->batchGroups > 1 ? in.first : in.second;
    left.insert(left.begin() + cutDim, group);
    right.insert(right.begin() + kernel.second, group);
    lhs = reshapeTensor(
        c.b, c.b.getLoc(), lhs,
        cut(cast<ShapedType>(lhs.getType()).getShape(), cutDim, groups));
    rhs = reshapeTensor(
        c.b, c.b.getLoc(), rhs,
        cut(cast<ShapedType>(rhs.getType()).getShape(), kernel.second, groups));
    result =
        c.empty(getSums(c).clone(cut(type.getShape(), out.second, groups)));
  }
  MLIRContext *context = c.b.getContext();
  SmallVector<AffineMap> maps = {AffineMap::get(next, 0, left, context),
                                 AffineMap::get(next, 0, right, context),
                                 AffineMap::get(next, 0, outExprs, context)};
  SmallVector<Value> results = multiply(c, lhs, rhs, result, maps);
  if (!results.empty() && isGrouped)
    results[0] = reshapeTensor(c.b, c.b.getLoc(), results[0], type.getShape());
  return results;
}

void tensoraccess::addHloContractions(HloConverters &converters) {
  converters["dot"] = convertDot;
  converters["dot_general"] = convertDot;
  converters["convolution"] = convertConvolution;
}

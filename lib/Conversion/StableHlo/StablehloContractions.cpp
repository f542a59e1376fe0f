//===- StablehloContractions.cpp - Products of StableHLO to linalg --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both are the loops of their nest (StablehloNest.cpp): dot_general over (batch,
// left, right; contracted), a convolution over (the result's dimensions, groups
// before features; window, input features):
//
//   out[b, o, g, f] += input[b, stride * o + dilation * w, g, i]
//                      * kernel[w, i, g, f]
//
// Elements are converted to the type of sums (f32 for a result of a narrower
// float type, else the result's type) before they are multiplied; the finished
// sums are rounded.
//
//===----------------------------------------------------------------------===//

#include "Lower/AccessLoops.h"
#include "StablehloToLinalg.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Sums of products from 0; what lies outside of the first operand is 0.
static SmallVector<Value> multiply(HloConversion &c) {
  Type from[2] = {getElementTypeOrSelf(c.op->getOperand(0).getType()),
                  getElementTypeOrSelf(c.op->getOperand(1).getType())};
  const Type rounded = getElementTypeOrSelf(c.op->getResult(0).getType());
  const Type to = getSumType(rounded);
  if (!hasHloProducts({c.op, c.why}))
    return {};
  SmallVector<Value> sums = emitHloNest(
      c, {c.zero(getSignless(from[0])), Value()}, getSignless(to),
      c.zero(getSignless(to)),
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
  if (!HloDot::read({c.op, c.why}))
    return {};
  return multiply(c);
}

static SmallVector<Value> convertConvolution(HloConversion &c) {
  if (!HloConvolution::read({c.op, c.why}))
    return {};
  RankedTensorType type = c.resultType();
  if (type.getNumElements() == 0)
    return {c.empty(type)};
  if (!isa<FloatType, IntegerType>(
          getElementTypeOrSelf(c.op->getOperand(0).getType())))
    return c.fail("an element type is neither a float nor an integer");
  return multiply(c);
}

void tensoraccess::addHloContractions(HloConverters &converters) {
  converters["dot"] = convertDot;
  converters["dot_general"] = convertDot;
  converters["convolution"] = convertConvolution;
}

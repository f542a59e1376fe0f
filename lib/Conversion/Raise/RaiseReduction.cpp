//===- RaiseReduction.cpp - Reductions by sum, product and order ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compute kinds have one order, the signed one, and its greatest element.
// Every other extremum is that one between two mirrors. A mirror m is its own
// inverse and monotone from the order that is meant to the signed one:
//
//   least float               m(x) = -x       NaN stays NaN, -0 < +0 swaps
//   least integer             m(x) = -1 - x   also of the least integer
//   greatest unsigned         m(x) = x + 2^(n-1)
//   least unsigned            m(x) = (2^(n-1) - 1) - x
//
// with integers of n bits wrapping round. A product over an item is
// elementwise_mul of the item as a tuple, from left to right.
//
//===----------------------------------------------------------------------===//

#include "RaiseBuilder.h"
#include "TensorAccess/Core/Checked.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The longest item that becomes a tuple: a tuple's elements are operands of a
/// loop each.
static constexpr int64_t kLongestTuple = 64;

static unsigned getWidth(Type element) {
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

bool mlir::tensoraccess::isNeutral(Combiner combiner, Attribute init) {
  auto integer = dyn_cast_or_null<IntegerAttr>(init);
  auto real = dyn_cast_or_null<FloatAttr>(init);
  switch (combiner) {
  case Combiner::Sum:
    return isPositiveZero(init);
  case Combiner::Product:
    return isNumber(init, 1);
  case Combiner::Greatest:
    return isLeast(init);
  case Combiner::Least:
    return integer ? integer.getValue().isMaxSignedValue()
                   : real && real.getValue().isInfinity() &&
                         !real.getValue().isNegative();
  case Combiner::GreatestUnsigned:
    return integer && integer.getValue().isZero();
  case Combiner::LeastUnsigned:
    return integer && integer.getValue().isAllOnes();
  }
  return false;
}

Value RaiseBuilder::mirror(Combiner combiner, Value pattern) {
  if (!pattern)
    return failure();
  Type element = typeOf(pattern).getElementType();
  bool isReversed =
      combiner == Combiner::Least || combiner == Combiner::LeastUnsigned;
  if (isReversed)
    pattern = unary(ComputeKind::Negative, pattern);
  if (!pattern || isa<FloatType>(element) || combiner == Combiner::Greatest)
    return pattern;
  unsigned width = getWidth(element);
  APInt shift = combiner == Combiner::Least ? APInt::getAllOnes(width)
                : combiner == Combiner::GreatestUnsigned
                    ? APInt::getSignedMinValue(width)
                    : APInt::getSignedMaxValue(width);
  Value scalar = constant(IntegerAttr::get(element, shift));
  if (!scalar)
    return {};
  Value spread = movement(LoopNest::parallelOver(typeOf(pattern).getShape()),
                          LoopOperand{scalar, {}});
  if (!spread)
    return {};
  return elementwise(ComputeKind::ElementwiseAdd,
                     {pattern, split(spread, typeOf(pattern).getAccessRank())});
}

Value RaiseBuilder::combineItems(Combiner combiner, Value items) {
  if (!items)
    return failure();
  if (combiner == Combiner::Sum)
    return compute(ComputeKind::ReduceSum, items);
  if (combiner != Combiner::Product) {
    Value result = compute(ComputeKind::ReduceMax, mirror(combiner, items));
    return result ? mirror(combiner, result) : result;
  }
  AccessType type = typeOf(items);
  if (hasDynamicSize(type.getComputeShape()))
    return fail("it multiplies " + shapeToString(type.getComputeShape()) +
                " elements, a number that is unknown at compile time");
  int64_t count = *elementCount(type.getComputeShape());
  if (count < 1 || count > kLongestTuple)
    return fail("it multiplies " + Twine(count) +
                " elements, and a tuple is written for 1 to " +
                Twine(kLongestTuple));
  if (type.getComputeRank() != 1)
    items = ReshapeOp::create(
        rewriter, loc,
        AccessType::get(type.getAccessShape(), {count}, type.getElementType()),
        items);
  return compute(ComputeKind::ElementwiseMul, items);
}

Value RaiseBuilder::combine(const LoopNest &nest, Combiner combiner,
                            LoopOperand operand) {
  switch (combiner) {
  case Combiner::Sum:
    return reduction(nest, ComputeKind::ReduceSum, operand);
  case Combiner::Greatest:
    return reduction(nest, ComputeKind::ReduceMax, operand);
  case Combiner::Product:
    return arrangeResult(nest, combineItems(combiner, pattern(nest, operand)));
  default:
    break;
  }
  // Windows overlap: what they read is mirrored once, before.
  if (auto type = dyn_cast<RankedTensorType>(operand.source.getType()))
    operand.source = access(operand.source, type.getRank());
  operand.source = mirror(combiner, operand.source);
  if (!operand.source)
    return {};
  Value result = reduction(nest, ComputeKind::ReduceMax, operand);
  return result ? mirror(combiner, result) : result;
}

//===- TosaWindows.cpp - Convolutions and poolings of tosa ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops are the op's nest's; the image is padded, with zeros or, for
// max_pool2d, the least number. avg_pool2d is the mean; where a window meets the
// padding, the sum by the number of elements that are inside, a constant.
// Sums run over the kernel's places in row-major order, then over channels; the
// bias comes last. Integers are extended to the result's type first.
//
// With zero points p and q of image and weights, the padding is p, and
//   Σ(x - p)(w - q) = Σxw - Σpw - Σxq + Σpq, modulo 2^bits,
// so that the large sum remains one of the elements as they are stored. Each of
// the others is over the loops that its factors move with.
//
//===----------------------------------------------------------------------===//

#include "RaiseNest.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TosaReaders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Constant zero points of two operands, tensors of one element; null if
/// they are 0.
struct ZeroPoints {
  Value image, weights;
};

/// std::nullopt if they are not constant.
static std::optional<ZeroPoints> getZeroPoints(Value image,
                                               FailureOr<int64_t> imagePoint,
                                               Value weights,
                                               FailureOr<int64_t> weightPoint) {
  if (failed(imagePoint) || failed(weightPoint) ||
      (*imagePoint != 0 && !getSplatElement(image)))
    return std::nullopt;
  return ZeroPoints{*imagePoint == 0 ? Value() : image,
                    *weightPoint == 0 ? Value() : weights};
}

/// +0 of an element type.
static TypedAttr zeroOf(Type type) {
  return cast<TypedAttr>(OpBuilder(type.getContext()).getZeroAttr(type));
}

/// What an image is padded with: its zero point, which counts as nothing.
static TypedAttr paddingOf(Value image, const ZeroPoints &points) {
  return points.image ? getSplatElement(points.image)
                      : zeroOf(rankedType(image).getElementType());
}

/// The least number of an element type.
static TypedAttr leastOf(Type type) {
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(
        type, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
  return IntegerAttr::get(
      type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth()));
}

/// Sums have the type of the result; null if that needs rounding in the end.
static bool checkSums(RaiseBuilder &builder, Value image, Value weights,
                      Value result, std::optional<Type> accumulator,
                      const std::optional<ZeroPoints> &points) {
  RankedTensorType types[3] = {rankedType(image), rankedType(weights),
                               rankedType(result)};
  for (RankedTensorType type : types)
    if (!type) {
      builder.fail("an operand or the result has no rank");
      return false;
    }
  if (!points) {
    builder.fail("its zero points are not constant");
    return false;
  }
  if (types[0].getElementType() != types[1].getElementType()) {
    builder.fail("it mixes elements of type " +
                 typeName(types[0].getElementType()) + " and " +
                 typeName(types[1].getElementType()));
    return false;
  }
  // Sums of floats below f32 are taken in f32, whatever type is asked for.
  Type sum = types[2].getElementType();
  if (accumulator && *accumulator != sum && *accumulator != getSumType(sum)) {
    builder.fail("it accumulates in " + typeName(*accumulator) +
                 " and rounds to " + typeName(sum));
    return false;
  }
  if ((points->image || points->weights) &&
      !llvm::all_of(
          types, [](RankedTensorType type) { return type.hasStaticShape(); })) {
    builder.fail("its zero points are not 0 and its shape is dynamic");
    return false;
  }
  return true;
}

/// The sum of products over those loops alone that the factors move with, for
/// each place of the result.
static Value sumOverOwnLoops(RaiseBuilder &builder, LoopNest nest,
                             ArrayRef<LoopOperand> factors,
                             RankedTensorType result) {
  llvm::SmallSet<int64_t, 8> moving;
  for (const LoopOperand &factor : factors)
    for (const LoopIndex &index : factor.indices)
      for (const LoopTerm &term : index.terms)
        moving.insert(term.loop);
  for (ArrayRef<int64_t> group : nest.result)
    if (llvm::none_of(group,
                      [&](int64_t loop) { return moving.contains(loop); }))
      for (int64_t loop : group)
        nest.ranges[loop] = 1;
  Value sums = builder.contraction(nest, factors, result.getElementType());
  return sums ? builder.broadcast(sums, result.getShape()) : Value();
}

/// Σ of the products of operands 0 and 1, less their zero points.
static Value sumProducts(RaiseBuilder &builder, Operation *op,
                         const ZeroPoints &points) {
  NestRef loopsOf = getNest(OpSignature(op));
  RankedTensorType result = rankedType(op->getResult(0));
  auto loops = NestLoops::get(builder, *loopsOf);
  auto image = loops ? loops->getOperand(builder, 0, op->getOperand(0),
                                         paddingOf(op->getOperand(0), points))
                     : std::nullopt;
  auto weights =
      image ? loops->getOperand(builder, 1, op->getOperand(1)) : std::nullopt;
  if (!weights)
    return {};
  const LoopNest &nest = loops->nest;
  Value sums =
      builder.contraction(nest, {*image, *weights}, result.getElementType());
  auto addTo = [&](Value sums, ArrayRef<LoopOperand> factors, bool negative) {
    Value other = sumOverOwnLoops(builder, nest, factors, result);
    if (!sums || !other)
      return Value();
    return negative ? builder.subtract(sums, other)
                    : builder.elementwise(ComputeKind::ElementwiseAdd,
                                          {sums, other});
  };
  LoopOperand ofImage{points.image, {LoopIndex::constant(0)}},
      ofWeights{points.weights, {LoopIndex::constant(0)}};
  if (points.image)
    sums = addTo(sums, {ofImage, *weights}, /*negative=*/true);
  if (points.weights)
    sums = addTo(sums, {*image, ofWeights}, /*negative=*/true);
  if (points.image && points.weights)
    sums = addTo(sums, {ofImage, ofWeights}, /*negative=*/false);
  return sums;
}

/// Adds the bias, one element for each place of the last result dimension or
/// one for all; a bias of +0 changes no sum. It belongs to the sum, and is not
/// added to one that has been rounded.
static Value addBias(RaiseBuilder &builder, Value sums, Value bias,
                     RankedTensorType result) {
  if (!sums || isPositiveZero(getSplatElement(bias)))
    return sums;
  const Type element = result.getElementType();
  if (getSumType(element) != element)
    return builder.fail("it adds its bias before its sums are rounded to " +
                        typeName(element));
  RankedTensorType type = rankedType(bias);
  if (!type || type.getRank() != 1)
    return builder.fail("its bias is not of rank 1");
  if (type.isDynamicDim(0) && result.getDimSize(result.getRank() - 1) != 1)
    return builder.fail("its bias has a size unknown at compile time, and is "
                        "repeated if it is 1");
  LoopNest nest = LoopNest::parallelOver(result.getShape());
  LoopOperand read{bias, {}};
  read.indices.push_back(type.getDimSize(0) == 1
                             ? LoopIndex::constant(0)
                             : LoopIndex(result.getRank() - 1));
  return builder.elementwise(ComputeKind::ElementwiseAdd,
                             {sums, builder.movement(nest, read)});
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

template <typename ConvOp>
static Value raiseConv(RaiseBuilder &builder, ConvOp op) {
  std::optional<ZeroPoints> points =
      getZeroPoints(op.getInputZp(), op.getInputZeroPoint(), op.getWeightZp(),
                    op.getWeightZeroPoint());
  if (!checkSums(builder, op.getInput(), op.getWeight(), op.getOutput(),
                 op.getAccType(), points))
    return {};
  return addBias(builder, sumProducts(builder, op, *points), op.getBias(),
                 rankedType(op.getOutput()));
}

static Value raiseMatMul(RaiseBuilder &builder, tosa::MatMulOp op) {
  std::optional<ZeroPoints> points = getZeroPoints(
      op.getAZp(), op.getAZeroPoint(), op.getBZp(), op.getBZeroPoint());
  if (!checkSums(builder, op.getA(), op.getB(), op.getOutput(), std::nullopt,
                 points))
    return {};
  return sumProducts(builder, op, *points);
}

//===----------------------------------------------------------------------===//
// Poolings
//===----------------------------------------------------------------------===//

/// The reduction of a padded image over windows.
static Value pool(RaiseBuilder &builder, Operation *op, ComputeKind kind,
                  TypedAttr padding) {
  NestRef nest = getNest(OpSignature(op));
  auto loops = NestLoops::get(builder, *nest);
  auto image = loops ? loops->getOperand(builder, 0, op->getOperand(0), padding)
                     : std::nullopt;
  return image ? builder.reduction(loops->nest, kind, *image) : Value();
}

static Value raiseMaxPool(RaiseBuilder &builder, tosa::MaxPool2dOp op) {
  if (op.getNanMode() != tosa::NanPropagationMode::PROPAGATE)
    return builder.fail("it ignores NaN");
  RankedTensorType image = rankedType(op.getInput());
  if (!image || !rankedType(op.getOutput()))
    return builder.fail("its operand or result has no rank");
  if (!image.getElementType().isIntOrFloat())
    return builder.fail("its elements are neither integers nor floats");
  return pool(builder, op, ComputeKind::ReduceMax,
              leastOf(image.getElementType()));
}

/// How many elements of a window are inside, for each place along a dimension.
static SmallVector<int64_t> countInside(int64_t places, int64_t size,
                                        int64_t window, int64_t stride,
                                        int64_t before) {
  SmallVector<int64_t> counts;
  for (int64_t place = 0; place < places; ++place) {
    int64_t begin = place * stride - before;
    counts.push_back(std::min(begin + window, size) -
                     std::max<int64_t>(begin, 0));
  }
  return counts;
}

static Value raiseAvgPool(RaiseBuilder &builder, tosa::AvgPool2dOp op) {
  RankedTensorType image = rankedType(op.getInput());
  RankedTensorType result = rankedType(op.getOutput());
  if (!image || !result)
    return builder.fail("its operand or result has no rank");
  Type element = image.getElementType();
  if (!isa<FloatType>(element))
    return builder.fail("it rounds a mean of " + typeName(element));
  if (op.getAccType() != element && op.getAccType() != getSumType(element))
    return builder.fail("it accumulates in " + typeName(op.getAccType()) +
                        " and rounds to " + typeName(element));
  TypedAttr zero = zeroOf(element);
  bool pads = llvm::any_of(op.getPad(), [](int64_t pad) { return pad != 0; });
  if (!pads)
    return pool(builder, op, ComputeKind::ReduceMean, zero);
  if (getSumType(element) != element)
    return builder.fail("it divides before its sums are rounded to " +
                        typeName(element));
  if (result.isDynamicDim(1) || result.isDynamicDim(2) ||
      image.isDynamicDim(1) || image.isDynamicDim(2))
    return builder.fail("how many elements its windows hold is unknown at "
                        "compile time");
  ArrayRef<int64_t> pad = op.getPad(), kernel = op.getKernel();
  SmallVector<int64_t> rows =
      countInside(result.getDimSize(1), image.getDimSize(1), kernel[0],
                  op.getStride()[0], pad[0]);
  SmallVector<int64_t> columns =
      countInside(result.getDimSize(2), image.getDimSize(2), kernel[1],
                  op.getStride()[1], pad[2]);
  SmallVector<Attribute> counts;
  for (int64_t row : rows)
    for (int64_t column : columns) {
      if (row < 1 || column < 1)
        return builder.fail("a window holds nothing but padding");
      counts.push_back(FloatAttr::get(element, double(row) * column));
    }
  auto type = RankedTensorType::get(
      {result.getDimSize(1), result.getDimSize(2)}, element);
  Value divisor =
      arith::ConstantOp::create(builder.getRewriter(), builder.getLoc(),
                                DenseElementsAttr::get(type, counts));
  LoopNest nest = LoopNest::parallelOver(result.getShape());
  return builder.elementwise(
      ComputeKind::ElementwiseDiv,
      {pool(builder, op, ComputeKind::ReduceSum, zero),
       builder.movement(nest,
                        LoopOperand{divisor, {LoopIndex(1), LoopIndex(2)}})});
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::raiseTosaWindow(RaiseBuilder &builder, Operation *op,
                                          RaisedKind &kind) {
  kind = RaisedKind::Convolution;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp>(
          [&](auto op) { return raiseConv(builder, op); })
      .Case([&](tosa::MatMulOp op) {
        kind = RaisedKind::Contraction;
        return raiseMatMul(builder, op);
      })
      .Case([&](tosa::MaxPool2dOp op) {
        kind = RaisedKind::Pooling;
        return raiseMaxPool(builder, op);
      })
      .Case([&](tosa::AvgPool2dOp op) {
        kind = RaisedKind::Pooling;
        return raiseAvgPool(builder, op);
      })
      .Default([&](Operation *other) {
        return builder.fail("it computes " + other->getName().getStringRef() +
                            ", which is not a compute kind");
      });
}

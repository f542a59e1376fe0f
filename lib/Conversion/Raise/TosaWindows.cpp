//===- TosaWindows.cpp - Convolutions and poolings of tosa ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image is padded, with zeros or, for max_pool2d, the least number, and
// then read at o·stride + k·dilation:
//   conv2d, conv3d     Σ over kernel places and input channels
//   depthwise_conv2d   Σ over kernel places; channel c·M + m of the result
//   transpose_conv2d   zeros between the elements of the image, the kernel
//                      backwards, stride 1
//   avg_pool2d         the mean; where a window meets the padding, the sum by
//                      the number of elements that are inside, a constant
//   max_pool2d, matmul
// Sums run over the kernel's places in row-major order, then over channels; the
// bias comes last. Integers are extended to the result's type first.
//
// With zero points p and q of image and weights, the padding is p, and
//   Σ(x - p)(w - q) = Σxw - Σpw - Σxq + Σpq, modulo 2^bits,
// so that the large sum remains one of the elements as they are stored. Each of
// the others is over the loops that its factors move with.
//
//===----------------------------------------------------------------------===//

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

template <typename ConvOp>
static std::optional<ZeroPoints> getZeroPointsOf(ConvOp op) {
  return getZeroPoints(op.getInputZp(), op.getInputZeroPoint(),
                       op.getWeightZp(), op.getWeightZeroPoint());
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

/// The image, padded in its spatial dimensions 1 …; `padding` is before and
/// after, dimension by dimension.
static Value padImage(RaiseBuilder &builder, Value image,
                      ArrayRef<int64_t> padding, TypedAttr value,
                      ArrayRef<int64_t> interior = {}) {
  int64_t rank = rankedType(image).getRank();
  SmallVector<int64_t> low(rank, 0), high(rank, 0), between(rank, 0);
  for (size_t i = 0; i < padding.size() / 2; ++i) {
    low[i + 1] = padding[2 * i];
    high[i + 1] = padding[2 * i + 1];
    if (!interior.empty())
      between[i + 1] = interior[i];
  }
  return builder.pad(builder.access(image, rank), low, high, value, between);
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

/// Σ of the products of the image and the weights, less their zero points.
static Value sumProducts(RaiseBuilder &builder, const LoopNest &nest,
                         const LoopOperand &image, const LoopOperand &weights,
                         RankedTensorType result, const ZeroPoints &points) {
  Value sums =
      builder.contraction(nest, {image, weights}, result.getElementType());
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
    sums = addTo(sums, {ofImage, weights}, /*negative=*/true);
  if (points.weights)
    sums = addTo(sums, {image, ofWeights}, /*negative=*/true);
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
    return builder.fail("its bias has no rank of 1");
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
static bool checkSumsOf(RaiseBuilder &builder, ConvOp op) {
  return checkSums(builder, op.getInput(), op.getWeight(), op.getOutput(),
                   op.getAccType(), getZeroPointsOf(op));
}

/// conv2d and conv3d; the kernel backwards, where `reversed`.
static Value convolve(RaiseBuilder &builder, Value image, Value weights,
                      Value bias, RankedTensorType result,
                      ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations,
                      const ZeroPoints &points, bool reversed) {
  int64_t spatial = result.getRank() - 2;
  RankedTensorType filter = rankedType(weights);
  // n, places, oc | kernel, ic
  LoopNest nest;
  llvm::append_range(nest.ranges, result.getShape());
  llvm::append_range(nest.ranges, filter.getShape().drop_front());
  int64_t channel = spatial + 1, kernel = spatial + 2;
  for (int64_t loop = 0; loop <= channel; ++loop)
    nest.parallel.push_back(loop);
  for (int64_t loop = 0; loop <= spatial; ++loop)
    nest.reductions.push_back(kernel + loop);
  nest.setPlainResult();
  LoopOperand read{image, {LoopIndex(0)}};
  LoopOperand filterRead{weights, {LoopIndex(channel)}};
  for (int64_t i = 0; i < spatial; ++i) {
    read.indices.push_back(
        LoopIndex::window(i + 1, strides[i], kernel + i, dilations[i]));
    filterRead.indices.push_back(
        reversed ? LoopIndex(kernel + i, -1, nest.ranges[kernel + i] - 1)
                 : LoopIndex(kernel + i));
  }
  read.indices.push_back(LoopIndex(kernel + spatial));
  filterRead.indices.push_back(LoopIndex(kernel + spatial));
  Value sums = sumProducts(builder, nest, read, filterRead, result, points);
  return addBias(builder, sums, bias, result);
}

template <typename ConvOp>
static Value raiseConv(RaiseBuilder &builder, ConvOp op) {
  if (!checkSumsOf(builder, op))
    return {};
  RankedTensorType result = rankedType(op.getOutput());
  const ZeroPoints points = *getZeroPointsOf(op);
  Value image = padImage(builder, op.getInput(), op.getPad(),
                         paddingOf(op.getInput(), points));
  return convolve(builder, image, op.getWeight(), op.getBias(), result,
                  op.getStride(), op.getDilation(), points, /*reversed=*/false);
}

static Value raiseTransposedConv(RaiseBuilder &builder,
                                 tosa::TransposeConv2DOp op) {
  if (!checkSumsOf(builder, op))
    return {};
  RankedTensorType filter = rankedType(op.getWeight());
  if (!filter.hasStaticShape())
    return builder.fail("its kernel has a dynamic shape");
  // Element i of the image goes to i·stride + k + out_pad of the result.
  SmallVector<int64_t> padding, between, ones(2, 1);
  for (int64_t i = 0; i < 4; ++i) {
    std::optional<int64_t> pad =
        checkedAdd(filter.getDimSize(1 + i / 2) - 1, op.getOutPad()[i]);
    if (!pad)
      return builder.fail("its padding overflows");
    padding.push_back(*pad);
  }
  for (int64_t stride : op.getStride())
    between.push_back(stride - 1);
  const ZeroPoints points = *getZeroPointsOf(op);
  Value image = padImage(builder, op.getInput(), padding,
                         paddingOf(op.getInput(), points), between);
  return convolve(builder, image, op.getWeight(), op.getBias(),
                  rankedType(op.getOutput()), ones, ones, points,
                  /*reversed=*/true);
}

static Value raiseDepthwise(RaiseBuilder &builder, tosa::DepthwiseConv2DOp op) {
  if (!checkSumsOf(builder, op))
    return {};
  RankedTensorType result = rankedType(op.getOutput());
  ArrayRef<int64_t> filter = rankedType(op.getWeight()).getShape();
  // n, y, x, c, m | ky, kx
  LoopNest nest;
  llvm::append_range(nest.ranges, result.getShape().drop_back());
  nest.ranges.append({filter[2], filter[3], filter[0], filter[1]});
  nest.parallel = {0, 1, 2, 3, 4};
  nest.reductions = {5, 6};
  nest.result.resize(4);
  nest.result[0] = {0};
  nest.result[1] = {1};
  nest.result[2] = {2};
  nest.result[3] = {3, 4};
  const ZeroPoints points = *getZeroPointsOf(op);
  Value image = padImage(builder, op.getInput(), op.getPad(),
                         paddingOf(op.getInput(), points));
  ArrayRef<int64_t> strides = op.getStride(), dilations = op.getDilation();
  LoopOperand read{
      image,
      {LoopIndex(0), LoopIndex::window(1, strides[0], 5, dilations[0]),
       LoopIndex::window(2, strides[1], 6, dilations[1]), LoopIndex(3)}};
  LoopOperand filterRead{
      op.getWeight(), {LoopIndex(5), LoopIndex(6), LoopIndex(3), LoopIndex(4)}};
  Value sums = sumProducts(builder, nest, read, filterRead, result, points);
  return addBias(builder, sums, op.getBias(), result);
}

static Value raiseMatMul(RaiseBuilder &builder, tosa::MatMulOp op) {
  std::optional<ZeroPoints> points = getZeroPoints(
      op.getAZp(), op.getAZeroPoint(), op.getBZp(), op.getBZeroPoint());
  if (!checkSums(builder, op.getA(), op.getB(), op.getOutput(), std::nullopt,
                 points))
    return {};
  RankedTensorType result = rankedType(op.getOutput());
  // n, h, w | c
  LoopNest nest;
  llvm::append_range(nest.ranges, result.getShape());
  int64_t channels = rankedType(op.getA()).getDimSize(2);
  if (ShapedType::isDynamic(channels))
    channels = rankedType(op.getB()).getDimSize(1);
  nest.ranges.push_back(channels);
  nest.parallel = {0, 1, 2};
  nest.reductions = {3};
  nest.setPlainResult();
  return sumProducts(
      builder, nest,
      LoopOperand{op.getA(), {LoopIndex(0), LoopIndex(1), LoopIndex(3)}},
      LoopOperand{op.getB(), {LoopIndex(0), LoopIndex(3), LoopIndex(2)}},
      result, *points);
}

//===----------------------------------------------------------------------===//
// Poolings
//===----------------------------------------------------------------------===//

/// The reduction of a padded image over windows.
template <typename PoolOp>
static Value pool(RaiseBuilder &builder, PoolOp op, ComputeKind kind,
                  TypedAttr padding) {
  RankedTensorType result = rankedType(op.getOutput());
  ArrayRef<int64_t> kernel = op.getKernel(), strides = op.getStride();
  // n, y, x, c | ky, kx
  LoopNest nest;
  llvm::append_range(nest.ranges, result.getShape());
  llvm::append_range(nest.ranges, kernel);
  nest.parallel = {0, 1, 2, 3};
  nest.reductions = {4, 5};
  nest.setPlainResult();
  Value image = padImage(builder, op.getInput(), op.getPad(), padding);
  return builder.reduction(
      nest, kind,
      LoopOperand{image,
                  {LoopIndex(0), LoopIndex::window(1, strides[0], 4, 1),
                   LoopIndex::window(2, strides[1], 5, 1), LoopIndex(3)}});
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
      .Case<tosa::Conv2DOp, tosa::Conv3DOp>(
          [&](auto op) { return raiseConv(builder, op); })
      .Case([&](tosa::DepthwiseConv2DOp op) {
        return raiseDepthwise(builder, op);
      })
      .Case([&](tosa::TransposeConv2DOp op) {
        return raiseTransposedConv(builder, op);
      })
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

//===- PrepareTosa.cpp - What TOSA means before upstream lowers it --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Before: sums of floats below f32 in f32; no zeros times the image of a
//    transposed convolution; the edge of a resized image of integers in front of
//    it, where upstream divides towards zero; casts of floats to integers, of
//    which upstream leaves open what NaN becomes, and to floats of equal width,
//    for which it makes an invalid op.
// 2. After: the greatest of floats begins at -inf, not at the least finite one.
//    What upstream lowers such an op to is known by its location.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Upstream cuts the kernel of a transposed convolution by its strides, and
/// fills it up with zeros, by which a NaN of the image is multiplied in places
/// that it does not reach. Where it would, the strides go into the image: zeros
/// between its elements.
static void spreadImage(tosa::TransposeConv2DOp op) {
  auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto kernel = dyn_cast<RankedTensorType>(op.getWeight().getType());
  if (!image || !kernel || !image.hasStaticShape() ||
      !kernel.hasStaticShape() || !isa<FloatType>(image.getElementType()) ||
      image.getNumElements() == 0)
    return;
  bool isFilled = false;
  SmallVector<int64_t> shape(image.getShape()), strides(4, 1), zeros(4, 0);
  for (auto [i, stride] : llvm::enumerate(op.getStride())) {
    isFilled |= kernel.getDimSize(1 + i) % stride != 0;
    strides[1 + i] = stride;
    std::optional<int64_t> last = checkedMul(shape[1 + i] - 1, stride);
    if (!last)
      return;
    shape[1 + i] = *last + 1;
  }
  if (!isFilled || !elementCount(shape))
    return;
  OpBuilder b(op);
  MLIRContext *context = op.getContext();
  RankedTensorType type = image.clone(shape);
  Value spread = arith::ConstantOp::create(
      b, op.getLoc(), cast<TypedAttr>(b.getZeroAttr(type)));
  spread = tensor::InsertSliceOp::create(
      b, op.getLoc(), op.getInput(), spread,
      getAsIndexOpFoldResult(context, zeros),
      getAsIndexOpFoldResult(context, image.getShape()),
      getAsIndexOpFoldResult(context, strides));
  op->setOperand(0, spread);
  op.setStrideAttr(b.getDenseI64ArrayAttr({1, 1}));
}

/// Upstream rounds the place in an image of integers towards zero, in front of
/// the edge, too. Copies of the first row, or column, in front make it positive.
static void extendImage(tosa::ResizeOp op) {
  auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
  SmallVector<int64_t> scale, offset;
  if (!image || !image.hasStaticShape() ||
      !isa<IntegerType>(image.getElementType()) ||
      op.getMode() != tosa::ResizeMode::BILINEAR ||
      !tosa::getConstShapeValues(op.getScale().getDefiningOp(), scale) ||
      !tosa::getConstShapeValues(op.getOffset().getDefiningOp(), offset) ||
      scale.size() != 4 || offset.size() != 2 || image.getNumElements() == 0 ||
      llvm::all_of(offset, [](int64_t i) { return i >= 0; }))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value extended = op.getInput();
  auto shape = [&](ArrayRef<int64_t> values) -> Value {
    return tosa::ConstShapeOp::create(
        b, tosa::shapeType::get(b.getContext(), values.size()),
        b.getIndexTensorAttr(values));
  };
  for (unsigned i = 0; i < 2; ++i) {
    if (offset[i] >= 0 || scale[2 * i] <= 0)
      continue;
    const int64_t count = -floorDivPositive(offset[i], scale[2 * i]);
    auto type = cast<RankedTensorType>(extended.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes[1 + i] = 1;
    Value edge = tosa::SliceOp::create(b, type.clone(sizes), extended,
                                       shape({0, 0, 0, 0}), shape(sizes));
    SmallVector<Value> parts(count, edge);
    parts.push_back(extended);
    sizes[1 + i] = type.getDimSize(1 + i) + count;
    extended = tosa::ConcatOp::create(b, type.clone(sizes), parts, 1 + i);
    offset[i] += count * scale[2 * i];
  }
  op.getOffsetMutable().assign(shape(offset));
  op.getInputMutable().assign(extended);
}

/// The nearest integer of a type to a float, ties to even; 0 for NaN, which the
/// specification leaves open.
static Value castToInteger(ImplicitLocOpBuilder &b, Value x, IntegerType to) {
  // Where the powers of two that bound the type are finite.
  auto type = cast<FloatType>(x.getType());
  if (type.getWidth() < 32) {
    type = b.getF32Type();
    x = arith::ExtFOp::create(b, type, x);
  }
  x = math::RoundEvenOp::create(b, x);
  const unsigned width = to.getWidth();
  auto number = [&](TypedAttr value) -> Value {
    return arith::ConstantOp::create(b, value);
  };
  auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
    return arith::CmpFOp::create(b, predicate, x,
                                 number(b.getFloatAttr(type, bound)));
  };
  const double end = std::ldexp(1.0, width - 1);
  Value isBelow = compare(arith::CmpFPredicate::OLT, -end);
  Value isAbove = compare(arith::CmpFPredicate::OGE, end);
  Value isBeyond = arith::OrIOp::create(b, isBelow, isAbove);
  isBeyond = arith::OrIOp::create(
      b, isBeyond, arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x));
  x = arith::SelectOp::create(b, isBeyond, number(b.getFloatAttr(type, 0)), x);
  Value result = arith::FPToSIOp::create(b, to, x);
  result = arith::SelectOp::create(
      b, isBelow, number(b.getIntegerAttr(to, APInt::getSignedMinValue(width))),
      result);
  return arith::SelectOp::create(
      b, isAbove, number(b.getIntegerAttr(to, APInt::getSignedMaxValue(width))),
      result);
}

/// A cast of floats as a loop over all elements, but for those that upstream
/// knows: to booleans, whether a number is not 0, and to floats of
/// another width.
static void lowerCast(tosa::CastOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto given = from ? dyn_cast<FloatType>(from.getElementType()) : FloatType();
  Type to = type ? type.getElementType() : Type();
  if (!given || !to || to == given)
    return;
  auto integer = dyn_cast<IntegerType>(to);
  if (integer ? integer.isUnsigned() || integer.getWidth() == 1 ||
                    integer.getWidth() > 64
              : given.getWidth() != 16 || !isa<Float16Type, BFloat16Type>(to))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  op.replaceAllUsesWith(mapElements(
      b, b.getLoc(), op.getInput(), type,
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        if (integer)
          return castToInteger(b, args[0], integer);
        return arith::TruncFOp::create(
            b, to, arith::ExtFOp::create(b, b.getF32Type(), args[0]));
      }));
  op.erase();
}

/// Marks, in a location, that upstream made an op from one that begins with the
/// least or the greatest of all floats.
static constexpr StringLiteral kExtreme = "tensoraccess.extreme";

static bool takesExtreme(Operation *op) {
  auto type = dyn_cast<TensorType>(op->getResult(0).getType());
  return type && isa<FloatType>(type.getElementType()) &&
         isa<tosa::ReduceMaxOp, tosa::ReduceMinOp, tosa::MaxPool2dOp>(op);
}

static std::optional<Location> getMarked(Location loc) {
  auto fused = dyn_cast<FusedLocWith<StringAttr>>(loc);
  if (!fused || fused.getMetadata() != kExtreme || fused.getLocations().empty())
    return std::nullopt;
  return fused.getLocations().front();
}

void mlir::tensoraccess::finishTosa(Operation *root) {
  auto widen = [](OpOperand &operand) {
    APFloat number(0.0);
    if (!matchPattern(operand.get(), m_ConstantFloat(&number)) ||
        !number.isLargest())
      return;
    OpBuilder b(operand.getOwner());
    auto type = cast<FloatType>(operand.get().getType());
    operand.set(arith::ConstantOp::create(
        b, operand.getOwner()->getLoc(),
        b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(),
                                             number.isNegative()))));
  };
  root->walk([&](Operation *op) {
    std::optional<Location> loc = getMarked(op->getLoc());
    if (!loc)
      return;
    op->setLoc(*loc);
    if (auto fill = dyn_cast<linalg::FillOp>(op))
      widen(fill.getInputsMutable()[0]);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      widen(pad.getBody()->getTerminator()->getOpOperand(0));
  });
}

void mlir::tensoraccess::prepareTosa(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) &&
        op->getNumResults() == 1)
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto cast = dyn_cast<tosa::CastOp>(op)) {
      lowerCast(cast);
      continue;
    }
    if (auto conv = dyn_cast<tosa::TransposeConv2DOp>(op))
      spreadImage(conv);
    if (auto resize = dyn_cast<tosa::ResizeOp>(op))
      extendImage(resize);
    if (takesExtreme(op))
      op->setLoc(FusedLoc::get(op->getContext(), op->getLoc(),
                               StringAttr::get(op->getContext(), kExtreme)));
    auto type = dyn_cast<TensorType>(op->getResult(0).getType());
    Type element = type ? type.getElementType() : Type();
    if (!element || getSumType(element) == element)
      continue;
    const Type wide = getSumType(element);
    if (op->hasAttr("acc_type")) {
      op->setAttr("acc_type", TypeAttr::get(wide));
      continue;
    }
    if (!isa<tosa::MatMulOp, tosa::ReduceSumOp>(op))
      continue;
    OpBuilder b(op);
    if (isa<tosa::ReduceSumOp>(op)) {
      auto from = cast<TensorType>(op->getOperand(0).getType());
      op->setOperand(0, tosa::CastOp::create(b, op->getLoc(), from.clone(wide),
                                             op->getOperand(0)));
    }
    op->getResult(0).setType(type.clone(wide));
    b.setInsertionPointAfter(op);
    auto rounded =
        tosa::CastOp::create(b, op->getLoc(), type, op->getResult(0));
    op->getResult(0).replaceAllUsesExcept(rounded, rounded);
  }
}

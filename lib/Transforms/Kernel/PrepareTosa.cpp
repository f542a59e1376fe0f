//===- PrepareTosa.cpp - What TOSA means before upstream lowers it --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of floats below f32 in f32, and no zeros times the image of a transposed
// convolution.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Support.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

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

void mlir::tensoraccess::prepareTosa(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) &&
        op->getNumResults() == 1)
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto conv = dyn_cast<tosa::TransposeConv2DOp>(op))
      spreadImage(conv);
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

//===- Reshape.cpp - Tensors in another shape -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Reshape.h"
#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/ReshapeSteps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::matchRuns(
    ArrayRef<int64_t> from, ArrayRef<int64_t> to,
    SmallVectorImpl<ReassociationIndices> &fromRuns,
    SmallVectorImpl<ReassociationIndices> &toRuns) {
  SmallVector<int64_t> source(from), target(to);
  llvm::replace(source, ShapedType::kDynamic, kUnknownExtent);
  llvm::replace(target, ShapedType::kDynamic, kUnknownExtent);
  std::optional<SmallVector<ReshapeStep>> steps;
  if (!llvm::is_contained(source, 0))
    steps = getReshapeSteps(source, target);
  if (!steps)
    return false;
  for (const ReshapeStep &step : *steps) {
    // Dimensions of size 1 without a partner join the run before.
    if (step.inputCount && step.outputCount) {
      fromRuns.emplace_back();
      toRuns.emplace_back();
    } else if (fromRuns.empty()) {
      return false;
    }
    llvm::append_range(
        fromRuns.back(),
        llvm::seq(step.inputStart, step.inputStart + step.inputCount));
    llvm::append_range(
        toRuns.back(),
        llvm::seq(step.outputStart, step.outputStart + step.outputCount));
  }
  return !fromRuns.empty();
}

Value mlir::tensoraccess::reshapeTensor(OpBuilder &b, Location loc,
                                        Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  RankedTensorType result = RankedTensorType::get(shape, type.getElementType());
  SmallVector<ReassociationIndices> from, to;
  if (!matchRuns(type.getShape(), shape, from, to)) {
    if (llvm::is_contained(type.getShape(), 0)) {
      SmallVector<Value> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(tensor::DimOp::create(b, loc, tensor, dim));
      return tensor::EmptyOp::create(b, loc, result, sizes);
    }
    // One of the shapes is that of a scalar.
    ArrayRef<ReassociationIndices> none;
    if (shape.empty())
      return tensor::CollapseShapeOp::create(b, loc, result, tensor, none);
    return tensor::ExpandShapeOp::create(b, loc, result, tensor, none);
  }
  if (from.size() < type.getShape().size())
    tensor = tensor::CollapseShapeOp::create(b, loc, tensor, from);
  if (from.size() < shape.size())
    tensor = tensor::ExpandShapeOp::create(b, loc, result, tensor, to);
  return tensor;
}

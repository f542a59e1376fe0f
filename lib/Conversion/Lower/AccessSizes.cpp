//===- AccessSizes.cpp - Sizes of tensors, followed back ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a tensor is that of what it was made of: a pattern's, as computed
// at its op, a tensor.empty's operand, the destination's of a structured op. Two
// sizes that come from one are then seen to be equal, and nothing is asserted of
// them.
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

OpFoldResult AccessLowering::getTensorSize(Value tensor, int64_t dim) {
  // Each step goes back by one op; unreachable code may form a cycle.
  constexpr unsigned kMaxSteps = 64;
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return rewriter.getIndexAttr(type.getDimSize(dim));
    Operation *op = tensor.getDefiningOp();
    if (auto toTensor = dyn_cast_if_present<ToTensorOp>(op))
      if (auto known = dynamicSizes.find(toTensor.getPattern());
          known != dynamicSizes.end())
        return known->second[dim];
    if (auto empty = dyn_cast_if_present<tensor::EmptyOp>(op)) {
      Value size = empty.getDynamicSize(dim);
      auto other = size.getDefiningOp<tensor::DimOp>();
      std::optional<int64_t> index =
          other ? other.getConstantIndex() : std::nullopt;
      auto source =
          index ? dyn_cast<RankedTensorType>(other.getSource().getType())
                : RankedTensorType();
      if (!source || *index < 0 || *index >= source.getRank())
        return size;
      tensor = other.getSource();
      dim = *index;
      continue;
    }
    if (auto cast = dyn_cast_if_present<tensor::CastOp>(op);
        cast && isa<RankedTensorType>(cast.getSource().getType())) {
      tensor = cast.getSource();
      continue;
    }
    if (auto structured = dyn_cast_if_present<linalg::LinalgOp>(op)) {
      tensor =
          structured
              .getDpsInitsMutable()[cast<OpResult>(tensor).getResultNumber()]
              .get();
      continue;
    }
    break;
  }
  return rewriter.createOrFold<tensor::DimOp>(rewriter.getUnknownLoc(),
                                              getTensor(tensor), dim);
}

SmallVector<OpFoldResult> AccessLowering::getTensorSizes(Value tensor) {
  SmallVector<OpFoldResult> sizes;
  const int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(getTensorSize(tensor, dim));
  return sizes;
}

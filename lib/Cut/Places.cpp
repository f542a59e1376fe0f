//===- Places.cpp - Ops on places of a tensor -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<PlaceOp> tensoraccess::getPlaceOp(Operation *op) {
  PlaceOp place;
  ArrayRef<int64_t> sizes;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    place.tensor = extract.getTensor();
    place.indices = getAsOpFoldResult(extract.getIndices());
  } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    place.tensor = insert.getDest();
    place.written = insert.getResult();
    place.indices = getAsOpFoldResult(insert.getIndices());
  } else if (auto from = dyn_cast<tensor::ExtractSliceOp>(op)) {
    place.tensor = from.getSource();
    place.indices = from.getMixedOffsets();
    sizes = from.getStaticSizes();
  } else if (auto into = dyn_cast<tensor::InsertSliceOp>(op)) {
    place.tensor = into.getDest();
    place.written = into.getResult();
    place.indices = into.getMixedOffsets();
    sizes = into.getStaticSizes();
  } else {
    return std::nullopt;
  }
  for (int64_t size : sizes)
    place.isSingle.push_back(size == 1);
  place.isSingle.resize(place.indices.size(), true);
  return place;
}

void tensoraccess::setIndex(Operation *op, unsigned dim, Value index) {
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    op->setOperand(slice.getIndexOfDynamicOffset(dim), index);
  else
    op->setOperand((isa<tensor::InsertOp>(op) ? 2 : 1) + dim, index);
}

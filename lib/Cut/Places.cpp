//===- Places.cpp - Ops on places of a tensor -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Streamer.h"
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

namespace {
/// Where a part of a tensor is that begins at `first` along one dimension.
struct PartPlace {
  PartPlace(OpBuilder &builder, Value like, unsigned dim, OpFoldResult first)
      : sizes(getAsIndexOpFoldResult(
            builder.getContext(),
            cast<RankedTensorType>(like.getType()).getShape())),
        offsets(sizes.size(), builder.getIndexAttr(0)),
        strides(sizes.size(), builder.getIndexAttr(1)) {
    offsets[dim] = first;
  }
  SmallVector<OpFoldResult> sizes, offsets, strides;
};
} // namespace

Value Streamer::emitMovingSlice(Value from, unsigned dim, Value first,
                                int64_t count) {
  PartPlace place(builder, from, dim, first);
  place.sizes[dim] = builder.getIndexAttr(count);
  return tensor::ExtractSliceOp::create(
      builder, from.getLoc(), from, place.offsets, place.sizes, place.strides);
}

Value Streamer::emitInsert(Value part, Value into, unsigned dim,
                           OpFoldResult at) {
  PartPlace place(builder, part, dim, at);
  return tensor::InsertSliceOp::create(builder, part.getLoc(), part, into,
                                       place.offsets, place.sizes,
                                       place.strides);
}

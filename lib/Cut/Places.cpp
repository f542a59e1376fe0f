//===- Places.cpp - Ops on places of a tensor -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Streamer.h"
#include "TensorAccess/Analysis/ValueFacts.h"
#include "TensorAccess/Cut/Stream.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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

std::optional<unsigned> tensoraccess::findExtracted(Operation *op, Value value,
                                                    unsigned loop) {
  std::optional<unsigned> dim;
  for (OpOperand &use : value.getUses()) {
    if (!op->isProperAncestor(use.getOwner()))
      continue;
    auto extract = dyn_cast<tensor::ExtractOp>(use.getOwner());
    if (!extract)
      return std::nullopt;
    std::optional<unsigned> own;
    for (auto [d, at] : llvm::enumerate(extract.getIndices()))
      if (auto index = at.getDefiningOp<linalg::IndexOp>();
          index && index.getDim() == loop) {
        if (own)
          return std::nullopt;
        own = d;
      }
    if (!own || (dim && dim != own))
      return std::nullopt;
    dim = own;
  }
  return dim;
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

//===----------------------------------------------------------------------===//
// Places that are those of all elements
//===----------------------------------------------------------------------===//

/// What a gather or scatter is where each element of its result is that of operand
/// `o` at the same place; null if that is not known.
static Value foldPlace(Operation *op, const OpIndexing &indexing, unsigned o,
                       OpBuilder &builder) {
  Value value = op->getOperand(o), result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  const IndexingSet &set = indexing.outputToInput(0, o);
  if (!type || value.getType() != type || set.isUnknown() || set.size() != 1)
    return {};
  IndexingMap all = IndexingMap::identity(type.getShape());
  const IndexingMap &map = set.getMaps()[0];
  if (!isContainedIn(map, all) || !isContainedIn(all, map))
    return {};
  if (isHlo(op, "gather"))
    return value;
  // Updates take the places of what was there, or are combined with it.
  Block &body = op->getRegion(0).front();
  if (llvm::hasSingleElement(body))
    return body.back().getOperand(0) == body.getArgument(1) ? value : Value();
  Operation &scalar = body.front();
  if (body.getOperations().size() != 2 || scalar.getNumRegions() != 0 ||
      scalar.getNumResults() != 1 ||
      body.back().getOperand(0) != scalar.getResult(0) ||
      !llvm::equal(scalar.getOperands(), body.getArguments()))
    return {};
  builder.setInsertionPoint(op);
  OperationState state(op->getLoc(), scalar.getName(),
                       {op->getOperand(0), value}, {type}, scalar.getAttrs());
  return builder.create(state)->getResult(0);
}

void tensoraccess::foldPlaces(func::FuncOp function) {
  auto isPlaced = [](Operation &op) {
    return op.getNumResults() == 1 &&
           (isHlo(&op, "gather") ||
            (isHlo(&op, "scatter") && op.getRegion(0).hasOneBlock()));
  };
  if (!function.getBody().hasOneBlock() ||
      llvm::none_of(function.front(), isPlaced))
    return;
  IndexingCache cache;
  auto program = FlatProgram::get(function, cache, /*maxUnrolled=*/0);
  if (!program)
    return;
  ValueFacts facts(*program, cache);
  OpBuilder builder(function);
  SmallVector<Operation *> folded;
  for (auto [s, step] : llvm::enumerate(program->steps)) {
    if (step.op->getBlock() != &function.front() || !isPlaced(*step.op))
      continue;
    const OpIndexing &indexing = facts.getIndexing(s);
    if (facts.isHull(s))
      continue;
    if (Value value = foldPlace(step.op, indexing,
                                isHlo(step.op, "gather") ? 0 : 2, builder)) {
      step.op->getResult(0).replaceAllUsesWith(value);
      folded.push_back(step.op);
    }
  }
  for (Operation *op : folded)
    op->erase();
}

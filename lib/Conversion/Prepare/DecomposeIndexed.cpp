//===- DecomposeIndexed.cpp - Places known at run time, as loops ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tensor.gather, and packs with tiles known at run time, are a linalg.generic
// that computes, for each place of the result, the one in the source;
// tensor.scatter is a loop that inserts slices.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "Lower/AccessChecks.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tensoraccess;

void mlir::tensoraccess::requireInside(ImplicitLocOpBuilder &b, Operation *op,
                                       Value index, int64_t dim, Value size) {
  CheckMessage message(op->getName().getStringRef() + ": index ");
  message << OpFoldResult(index)
          << " of dimension " + Twine(dim) + " must lie in [0, "
          << getAsOpFoldResult(size) << ")";
  // A negative one is a large one without a sign.
  Value isInside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, size);
  AssertOp::create(b, isInside, message.getText().str(), message.getValues());
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// The indices of one slice, in dimensions `dims` of `tensor`.
static SmallVector<Value> getCoordinates(ImplicitLocOpBuilder &b, Operation *op,
                                         Value indices, ValueRange slice,
                                         ArrayRef<int64_t> dims, Value tensor) {
  SmallVector<Value> coordinates;
  for (auto [k, dim] : llvm::enumerate(dims)) {
    SmallVector<Value> place(slice);
    place.push_back(arith::ConstantIndexOp::create(b, k));
    Value index = tensor::ExtractOp::create(b, indices, place);
    if (!index.getType().isIndex())
      index = arith::IndexCastOp::create(b, b.getIndexType(), index);
    requireInside(b, op, index, dim,
                  b.createOrFold<tensor::DimOp>(tensor, dim));
    coordinates.push_back(index);
  }
  return coordinates;
}

Value mlir::tensoraccess::lowerGather(ImplicitLocOpBuilder &b,
                                      tensor::GatherOp op) {
  RankedTensorType type = op.getResultType();
  const int64_t numBatch = op.getIndicesType().getRank() - 1;
  const int64_t rank = op.getSourceType().getRank();
  ArrayRef<int64_t> dims = op.getGatherDims();
  const bool keepsDims = type.getRank() == numBatch + rank;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), op.getIndices());
  sizes.pop_back();
  for (int64_t dim = 0; dim < rank; ++dim) {
    const bool isGathered = llvm::is_contained(dims, dim);
    if (!isGathered)
      sizes.push_back(tensor::getMixedSize(b, b.getLoc(), op.getSource(), dim));
    else if (keepsDims)
      sizes.push_back(b.getIndexAttr(1));
  }
  Value empty = tensor::EmptyOp::create(b, sizes, type.getElementType());
  return mapPlaces(
      b, b.getLoc(), empty, [&](ImplicitLocOpBuilder &b, ValueRange place) {
        SmallVector<Value> coordinates =
            getCoordinates(b, op, op.getIndices(), place.take_front(numBatch),
                           dims, op.getSource());
        SmallVector<Value> at;
        place = place.drop_front(numBatch);
        for (int64_t dim = 0; dim < rank; ++dim) {
          const auto *gathered = llvm::find(dims, dim);
          const bool isGathered = gathered != dims.end();
          at.push_back(isGathered ? coordinates[gathered - dims.begin()]
                                  : place.front());
          if (!isGathered || keepsDims)
            place = place.drop_front();
        }
        return tensor::ExtractOp::create(b, op.getSource(), at).getResult();
      });
}

Value mlir::tensoraccess::lowerScatter(ImplicitLocOpBuilder &b,
                                       tensor::ScatterOp op) {
  auto hasNone = [](RankedTensorType type) {
    return llvm::is_contained(type.getShape(), 0);
  };
  if (hasNone(op.getSourceType()) || hasNone(op.getDestType()))
    return op.getDest();
  const int64_t numBatch = op.getIndicesType().getRank() - 1;
  ArrayRef<int64_t> dims = op.getScatterDims();
  const SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(b, b.getLoc(), op.getSource());
  const SmallVector<OpFoldResult> batch(ArrayRef(all).take_front(numBatch));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange loops,
                  ValueRange carried) {
    ImplicitLocOpBuilder b(loc, builder);
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    SmallVector<OpFoldResult> from = getAsOpFoldResult(loops), sizes(all);
    from.resize(all.size(), zero);
    std::fill_n(sizes.begin(), numBatch, one);
    RankedTensorType rowType = RankedTensorType::get(
        op.getSourceType().getShape().drop_front(numBatch),
        op.getSourceType().getElementType());
    Value row = tensor::ExtractSliceOp::create(
        b, rowType, op.getSource(), from, sizes,
        SmallVector<OpFoldResult>(all.size(), one));
    SmallVector<OpFoldResult> to(op.getDestType().getRank(), zero),
        counts = tensor::getMixedSizes(b, loc, op.getDest());
    for (auto [dim, index] :
         llvm::zip_equal(dims, getCoordinates(b, op, op.getIndices(), loops,
                                              dims, op.getDest()))) {
      to[dim] = index;
      counts[dim] = one;
    }
    return scf::ValueVector{tensor::InsertSliceOp::create(
        b, row, carried[0], to, counts,
        SmallVector<OpFoldResult>(to.size(), one))};
  };
  return scf::buildLoopNest(
             b, b.getLoc(), SmallVector<Value>(numBatch, zero),
             getValueOrCreateConstantIndexOp(b, b.getLoc(), batch),
             SmallVector<Value>(numBatch, one), op.getDest(), body)
      .results[0];
}

//===----------------------------------------------------------------------===//
// Packs
//===----------------------------------------------------------------------===//

/// For each dimension of the plain tensor, its place among the outer ones of the
/// packed tensor.
static SmallVector<int64_t> getOuterPlaces(int64_t rank,
                                           ArrayRef<int64_t> perm) {
  SmallVector<int64_t> places(rank);
  for (int64_t i = 0; i < rank; ++i)
    places[perm.empty() ? i : perm[i]] = i;
  return places;
}

Value mlir::tensoraccess::lowerPackByPlaces(ImplicitLocOpBuilder &b,
                                            linalg::PackOp op) {
  const SmallVector<int64_t> outer =
      getOuterPlaces(op.getSourceRank(), op.getOuterDimsPerm());
  SmallVector<Value> tiles =
      getValueOrCreateConstantIndexOp(b, b.getLoc(), op.getMixedTiles());
  SmallVector<Value> sizes = getValueOrCreateConstantIndexOp(
      b, b.getLoc(), tensor::getMixedSizes(b, b.getLoc(), op.getSource()));
  return mapPlaces(
      b, b.getLoc(), op.getDest(),
      [&](ImplicitLocOpBuilder &b, ValueRange place) -> Value {
        SmallVector<Value> at;
        for (int64_t from : outer)
          at.push_back(place[from]);
        Value isInside;
        for (auto [k, dim] : llvm::enumerate(op.getInnerDimsPos())) {
          at[dim] = arith::AddIOp::create(
              b, arith::MulIOp::create(b, at[dim], tiles[k]),
              place[outer.size() + k]);
          Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                             at[dim], sizes[dim]);
          isInside = isInside ? arith::AndIOp::create(b, isInside, fits) : fits;
        }
        auto read = [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(
              b, loc,
              tensor::ExtractOp::create(b, loc, op.getSource(), at)
                  .getResult());
        };
        auto pad = [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, op.getPaddingValue());
        };
        if (!op.getPaddingValue())
          return tensor::ExtractOp::create(b, op.getSource(), at);
        return scf::IfOp::create(b, isInside, read, pad).getResult(0);
      });
}

Value mlir::tensoraccess::lowerUnPackByPlaces(ImplicitLocOpBuilder &b,
                                              linalg::UnPackOp op) {
  const SmallVector<int64_t> outer =
      getOuterPlaces(op.getDestRank(), op.getOuterDimsPerm());
  SmallVector<Value> tiles =
      getValueOrCreateConstantIndexOp(b, b.getLoc(), op.getMixedTiles());
  return mapPlaces(
      b, b.getLoc(), op.getDest(),
      [&](ImplicitLocOpBuilder &b, ValueRange place) {
        SmallVector<Value> at(outer.size());
        for (auto [dim, to] : llvm::enumerate(outer))
          at[to] = place[dim];
        for (auto [tile, dim] : llvm::zip_equal(tiles, op.getInnerDimsPos())) {
          at[outer[dim]] = arith::DivUIOp::create(b, place[dim], tile);
          at.push_back(arith::RemUIOp::create(b, place[dim], tile));
        }
        return tensor::ExtractOp::create(b, op.getSource(), at).getResult();
      });
}

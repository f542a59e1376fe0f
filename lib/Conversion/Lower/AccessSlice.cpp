//===- AccessSlice.cpp - Slices that ask at run time where they are -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice or projection with out-of-bounds policies that few slices can't express
// (AccessForm.h), since a size is known at run time only or there are too many
// runs, is one loop that computes each index:
//
//   place = offset + x·stride, or M·i + offset + anchor + s
//   wrap      place mod size
//   clamp     min(max(place, 0), size - 1)
//   negative  place, or place + size below 0
//   pad       place; where that is outside, the value of the first dimension
//             that pads there, and nothing is read
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::isComputedSlice(Operation *op) {
  if (auto project = dyn_cast_if_present<ProjectOp>(op))
    return !canExpand(project);
  auto slice = dyn_cast_if_present<SliceOp>(op);
  return slice && slice.getOobAttr() && !canExpand(slice);
}

namespace {

/// The index of one dimension, and where it is outside (null: never).
struct Place {
  Value index;
  Value isOutside;
};

} // namespace

static Value compare(OpBuilder &b, Location loc, arith::CmpIPredicate predicate,
                     Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
}

static Place computePlace(OpBuilder &b, Location loc, Value place, Value size,
                          OutOfBounds::Kind policy) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  using Predicate = arith::CmpIPredicate;
  Value zero = constant(0);
  auto addIfNegative = [&](Value index) -> Value {
    Value isNegative = compare(b, loc, Predicate::slt, index, zero);
    Value sum = arith::AddIOp::create(b, loc, index, size);
    return arith::SelectOp::create(b, loc, isNegative, sum, index);
  };
  switch (policy) {
  case OutOfBounds::Kind::Forbid:
    return {place, Value()};
  case OutOfBounds::Kind::Negative:
    return {addIfNegative(place), Value()};
  case OutOfBounds::Kind::Wrap:
    return {addIfNegative(arith::RemSIOp::create(b, loc, place, size)),
            Value()};
  case OutOfBounds::Kind::Clamp: {
    Value last = arith::SubIOp::create(b, loc, size, constant(1));
    Value low = arith::MaxSIOp::create(b, loc, place, zero);
    return {arith::MinSIOp::create(b, loc, low, last), Value()};
  }
  case OutOfBounds::Kind::Pad: {
    Value below = compare(b, loc, Predicate::slt, place, zero);
    Value above = compare(b, loc, Predicate::sge, place, size);
    return {place, arith::OrIOp::create(b, loc, below, above)};
  }
  }
  llvm_unreachable("unknown policy");
}

AffineMap mlir::tensoraccess::getProjectedPlaces(ProjectOp op) {
  const Projection &projection = op.getProjection().getProjection();
  const IndexRegion block = op.getBlockRegion();
  const size_t access = op.getPattern().getType().getAccessRank();
  const size_t columns = block.lo.size();
  auto dim = [&](unsigned i) { return getAffineDimExpr(i, op.getContext()); };
  SmallVector<AffineExpr> exprs;
  for (unsigned a = 0; a < access; ++a)
    exprs.push_back(dim(a));
  for (size_t r = 0; r != projection.getNumRows(); ++r) {
    // Nothing is read by an empty block; its numbers may be too large.
    int64_t first = 0;
    AffineExpr place = dim(access + columns + r);
    for (auto [c, factor] : llvm::enumerate(projection.matrix[r]))
      if (!block.isEmpty() && block.hi[c] - block.lo[c] > 1) {
        place = place + dim(access + c) * factor;
        if (factor < 0)
          first -= factor * (block.hi[c] - block.lo[c] - 1);
      }
    if (!block.isEmpty())
      first += projection.getHull(block)->lo[r];
    exprs.push_back(place + first);
  }
  return AffineMap::get(op.getType().getRank(), 0, exprs, op.getContext());
}

namespace {
/// Where each dimension of the operand is read, and what is outside.
struct ComputedPlaces {
  AffineMap map;
  SmallVector<OutOfBounds> policies;
};
} // namespace

static ComputedPlaces getComputedPlaces(SliceOp op) {
  ComputedPlaces places;
  SmallVector<AffineExpr> exprs;
  for (auto [dim, offset, stride] :
       llvm::enumerate(op.getOffsets(), op.getStridesOrOnes())) {
    exprs.push_back(getAffineDimExpr(dim, op.getContext()) * stride + offset);
    places.policies.push_back(op.getPolicy(dim));
  }
  places.map = AffineMap::get(exprs.size(), 0, exprs, op.getContext());
  return places;
}

static ComputedPlaces getComputedPlaces(ProjectOp op) {
  ComputedPlaces places;
  places.map = getProjectedPlaces(op);
  places.policies.resize(op.getPattern().getType().getAccessRank());
  const Projection &projection = op.getProjection().getProjection();
  for (size_t r = 0; r != projection.getNumRows(); ++r)
    places.policies.push_back(projection.getOutOfBounds(r));
  return places;
}

Value AccessLowering::emitComputedSlice(PatternValue result) {
  Operation *op = result.getDefiningOp();
  auto pattern = cast<PatternValue>(op->getOperand(0));
  Location loc = op->getLoc();
  Type elementType = result.getType().getElementType();
  OperandView view = getViews(loc, pattern, /*isTuple=*/false)[0];
  SmallVector<Value> extents =
      getValueOrCreateConstantIndexOp(rewriter, loc, getSizesOf(pattern));
  SmallVector<OpFoldResult> sizes = getSizesOf(result);
  const ComputedPlaces places = isa<ProjectOp>(op)
                                    ? getComputedPlaces(cast<ProjectOp>(op))
                                    : getComputedPlaces(cast<SliceOp>(op));
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, elementType);

  auto body = [&](ImplicitLocOpBuilder &b, ValueRange loops) -> Value {
    SmallVector<Value> index;
    SmallVector<std::pair<Value, TypedAttr>> paddings;
    Value isOutside;
    for (auto [dim, at, policy] :
         llvm::enumerate(*affine::expandAffineMap(b, loc, places.map, loops),
                         places.policies)) {
      Place place = computePlace(b, loc, at, extents[dim], policy.kind);
      index.push_back(place.index);
      if (!place.isOutside)
        continue;
      paddings.push_back(
          {place.isOutside, getPaddingAttr(elementType, policy)});
      isOutside = isOutside
                      ? arith::OrIOp::create(b, loc, isOutside, place.isOutside)
                      : place.isOutside;
    }
    auto read = [&](OpBuilder &b) -> Value {
      if (!view.base)
        return arith::ConstantOp::create(b, loc, view.constant);
      SmallVector<Value> at =
          llvm::to_vector(*affine::expandAffineMap(b, loc, view.map, index));
      return tensor::ExtractOp::create(b, loc, view.base, at);
    };
    if (!isOutside)
      return read(b);
    auto choice = scf::IfOp::create(
        b, isOutside,
        [&](OpBuilder &b, Location loc) {
          Value value;
          for (auto [outside, padding] : llvm::reverse(paddings)) {
            Value own = arith::ConstantOp::create(b, loc, padding);
            value = value ? arith::SelectOp::create(b, loc, outside, own, value)
                          : own;
          }
          scf::YieldOp::create(b, loc, value);
        },
        [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, read(b));
        });
    return choice.getResult(0);
  };
  return mapPlaces(rewriter, loc, empty, body);
}

//===- AccessSlice.cpp - Slices that ask at run time where they are -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice with out-of-bounds policies that no few slices say (ExpandSlice.h),
// since a size is known at run time only or there are too many runs, is one
// loop that computes each index:
//
//   place = offset + x·stride
//   wrap      place mod size
//   clamp     min(max(place, 0), size - 1)
//   negative  place, or place + size below 0
//   pad       place; where that is outside, the value of the first dimension
//             that pads there, and nothing is read
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "TensorAccess/IR/ExpandSlice.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::isComputedSlice(Operation *op) {
  auto slice = dyn_cast_if_present<SliceOp>(op);
  return slice && slice.getOobAttr() && !canExpand(slice);
}

namespace {

/// The index of one dimension, and where it lies outside (null: never).
struct Place {
  Value index;
  Value isOutside;
};

} // namespace

static Value compare(OpBuilder &b, Location loc, arith::CmpIPredicate predicate,
                     Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
}

static Place computePlace(OpBuilder &b, Location loc, Value x, int64_t offset,
                          int64_t stride, Value size,
                          OutOfBounds::Kind policy) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  using Predicate = arith::CmpIPredicate;
  Value step = arith::MulIOp::create(b, loc, x, constant(stride));
  Value place = arith::AddIOp::create(b, loc, step, constant(offset));
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

Value AccessLowering::emitComputedSlice(SliceOp op) {
  Location loc = op.getLoc();
  Type elementType = op.getType().getElementType();
  OperandView view = getViews(loc, op.getPattern(), /*isTuple=*/false)[0];
  SmallVector<Value> extents = getValueOrCreateConstantIndexOp(
      rewriter, loc, getSizesOf(op.getPattern()));
  SmallVector<OpFoldResult> sizes = getSizesOf(op.getResult());
  const SmallVector<int64_t> strides = op.getStridesOrOnes();
  const unsigned rank = sizes.size();
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, elementType);

  auto body = [&](OpBuilder &b, Location loc, ValueRange) {
    SmallVector<Value> index;
    SmallVector<std::pair<Value, TypedAttr>> paddings;
    Value isOutside;
    for (unsigned dim = 0; dim < rank; ++dim) {
      const OutOfBounds policy = op.getPolicy(dim);
      Value x = linalg::IndexOp::create(b, loc, dim);
      Place place = computePlace(b, loc, x, op.getOffsets()[dim], strides[dim],
                                 extents[dim], policy.kind);
      index.push_back(place.index);
      if (!place.isOutside)
        continue;
      paddings.push_back({place.isOutside, getPaddingAttr(op, policy)});
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
    if (!isOutside) {
      linalg::YieldOp::create(b, loc, read(b));
      return;
    }
    auto choice = scf::IfOp::create(
        b, loc, isOutside,
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
    linalg::YieldOp::create(b, loc, choice.getResult(0));
  };
  return linalg::GenericOp::create(rewriter, loc, empty.getType(), ValueRange(),
                                   empty, rewriter.getMultiDimIdentityMap(rank),
                                   SmallVector<utils::IteratorType>(
                                       rank, utils::IteratorType::parallel),
                                   body)
      .getResult(0);
}

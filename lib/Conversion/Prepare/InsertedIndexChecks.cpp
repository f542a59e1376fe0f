//===- InsertedIndexChecks.cpp - Places, slices and divisions -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one element has to be: a place in a tensor or memref, the first and the
// last place of a slice, a divisor. A place that is inside whatever the run,
// such as the index of a loop over the tensor, is not checked.
//
//===----------------------------------------------------------------------===//

#include "InsertChecks.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using Pred = arith::CmpIPredicate;
using Sizes = SmallVector<OpFoldResult>;

//===----------------------------------------------------------------------===//
// Elements and slices
//===----------------------------------------------------------------------===//

static bool isInPad(Operation *op) {
  return isa<tensor::PadOp>(op) || op->getParentOfType<tensor::PadOp>();
}

/// Whether 0 <= index < size whatever the run.
static bool isInside(OpFoldResult index, OpFoldResult size) {
  std::optional<int64_t> place = getConstantIntValue(index);
  std::optional<int64_t> end = getConstantIntValue(size);
  if (place && end)
    return *place >= 0 && *place < *end;
  // Upstream ends the process on places of the body of a pad.
  auto value = dyn_cast<Value>(index);
  if (value && isInPad(value.getParentRegion()->getParentOp()))
    return false;
  using Bounds = ValueBoundsConstraintSet;
  OpFoldResult zero = Builder(index.getContext()).getIndexAttr(0);
  return Bounds::compare(zero, Bounds::ComparisonOperator::LE, index) &&
         Bounds::compare(index, Bounds::ComparisonOperator::LT, size);
}

static CheckMessage &appendOutside(CheckMessage &text, OpFoldResult index,
                                   size_t dim, OpFoldResult size) {
  return text << "index " << index
              << " of dimension " + Twine(dim) + " must lie in [0, " << size
              << ")";
}

void mlir::tensoraccess::checkIndices(Operation *op, Value source,
                                      ValueRange indices,
                                      CheckBuilder &checks) {
  for (auto [d, value] : llvm::enumerate(indices)) {
    OpFoldResult index = getAsOpFoldResult(value);
    OpFoldResult size = checks.sizes.get(source, d);
    if (isInside(index, size))
      continue;
    CheckMessage message("");
    // As unsigned numbers, those below 0 are too large.
    checks.require(op, Pred::ult, index, size,
                   appendOutside(message, index, d, size));
  }
}

void mlir::tensoraccess::checkSlice(OffsetSizeAndStrideOpInterface op,
                                    Value tensor, CheckBuilder &checks) {
  Builder attrs(op.getContext());
  OpFoldResult zero = attrs.getIndexAttr(0), one = attrs.getIndexAttr(1);
  Sizes offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(),
        strides = op.getMixedStrides();
  for (size_t d = 0; d < sizes.size(); ++d) {
    OpFoldResult offset = offsets[d], size = sizes[d], stride = strides[d];
    OpFoldResult dim = checks.sizes.get(tensor, d);
    std::optional<int64_t> count = getConstantIntValue(size);
    CheckMessage negative("size of dimension " + Twine(d) +
                          " must not be negative, got ");
    checks.require(op, Pred::sge, size, zero, negative << size);
    if (count == 0)
      continue;
    bool isWhole =
        getConstantIntValue(offset) == 0 && size == dim && isOneInteger(stride);
    if (isWhole)
      continue;
    auto orEmpty = [&](OpBuilder &b, Location loc, Value holds) -> Value {
      if (count)
        return holds;
      Value isEmpty = CheckBuilder::compare(b, loc, Pred::eq, size, zero);
      return arith::OrIOp::create(b, loc, isEmpty, holds);
    };
    if (!isInside(offset, dim))
      checks.add(op, {offset, size, dim},
                 [&](OpBuilder &b, Location loc, CheckMessage &text) {
                   appendOutside(text, offset, d, dim);
                   return orEmpty(
                       b, loc,
                       CheckBuilder::compare(b, loc, Pred::ult, offset, dim));
                 });
    if (count == 1)
      continue;
    std::optional<int64_t> first = getConstantIntValue(offset),
                           step = getConstantIntValue(stride),
                           end = getConstantIntValue(dim);
    if (first && step && end && count) {
      __int128 last = *first + __int128(*count - 1) * *step;
      if (last >= 0 && last < *end)
        continue;
    }
    checks.add(
        op, {offset, size, stride, dim},
        [&](OpBuilder &b, Location loc, CheckMessage &text) {
          auto value = [&](OpFoldResult x) {
            return getValueOrCreateConstantIndexOp(b, loc, x);
          };
          Value steps = arith::SubIOp::create(b, loc, value(size), value(one));
          Value reach =
              step == 1 ? steps
                        : arith::MulIOp::create(b, loc, steps, value(stride));
          Value last = arith::AddIOp::create(b, loc, value(offset), reach);
          Value holds = CheckBuilder::compare(b, loc, Pred::ult, last, dim);
          if (step != 1) {
            // The product may have overflowed; steps of 0 never leave.
            Value fits = CheckBuilder::compare(b, loc, Pred::sle, size, dim);
            Value near = CheckBuilder::compare(
                b, loc, Pred::ule,
                arith::AddIOp::create(b, loc, value(stride), value(dim))
                    .getResult(),
                arith::MulIOp::create(b, loc, value(dim),
                                      value(attrs.getIndexAttr(2)))
                    .getResult());
            Value still = CheckBuilder::compare(b, loc, Pred::eq, stride, zero);
            Value single = CheckBuilder::compare(b, loc, Pred::sle, size, one);
            fits = arith::AndIOp::create(b, loc, fits, near);
            fits = arith::OrIOp::create(b, loc, fits, still);
            fits = arith::OrIOp::create(b, loc, fits, single);
            holds = arith::AndIOp::create(b, loc, holds, fits);
          }
          appendOutside(text, last, d, dim);
          return orEmpty(b, loc, holds);
        });
  }
}

void mlir::tensoraccess::checkTransfer(VectorTransferOpInterface op,
                                       CheckBuilder &checks) {
  // No other op is allowed in there.
  if (isa<vector::MaskOp>(op->getParentOp()))
    return;
  SmallVector<std::optional<int64_t>> moved(op.getShapedType().getRank());
  for (auto [i, expr] : llvm::enumerate(op.getPermutationMap().getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      moved[dim.getPosition()] = i;
  OpBuilder before(op);
  OpFoldResult zero = before.getIndexAttr(0);
  for (auto [d, value] : llvm::enumerate(op.getIndices())) {
    OpFoldResult index = getAsOpFoldResult(value);
    CheckMessage message("");
    if (moved[d] && !op.isDimInBounds(*moved[d])) {
      message << "index " << index
              << " of dimension " + Twine(d) + " must not be negative";
      checks.require(op, Pred::sge, index, zero, message);
      continue;
    }
    // A transfer with a mask may have nothing to move.
    if (op.getMask())
      continue;
    OpFoldResult size = checks.sizes.get(op.getBase(), d), last = index;
    if (moved[d])
      last = affine::makeComposedFoldedAffineApply(
          before, op.getLoc(),
          before.getAffineSymbolExpr(0) +
              (op.getVectorType().getDimSize(*moved[d]) - 1),
          {index});
    appendOutside(message, index, d, size);
    if (!isInside(index, size))
      checks.require(op, Pred::ult, index, size, message);
    if (last != index && !isInside(last, size))
      checks.require(op, Pred::ult, last, size, message);
  }
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

void mlir::tensoraccess::checkDivision(Operation *op, CheckBuilder &checks) {
  if (!isDivision(op) || !op->getResult(0).getType().isIntOrIndex())
    return;
  Value a = op->getOperand(0), b = op->getOperand(1);
  Type type = b.getType();
  if (!type.isIndex() && type.getIntOrFloatBitWidth() > 64)
    return;
  const unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt constant;
  const bool isConstant = matchPattern(b, m_ConstantInt(&constant));
  auto add = [&](StringRef why, auto isFault) {
    checks.add(
        op, {a, b},
        [&](OpBuilder &builder, Location loc, CheckMessage &text) -> Value {
          text << "divides " << OpFoldResult(a) << why;
          auto number = [&](APInt value) -> Value {
            return arith::ConstantOp::create(
                builder, loc, builder.getIntegerAttr(type, value));
          };
          return isFault(builder, loc, number);
        });
  };
  if (!isConstant || constant.isZero())
    add(" by zero", [&](OpBuilder &builder, Location loc, auto number) {
      return arith::CmpIOp::create(builder, loc, Pred::ne, b,
                                   number(APInt(width, 0)));
    });
  const bool isUnsigned =
      isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
  if (isUnsigned || width == 1 || (isConstant && !constant.isAllOnes()))
    return;
  add(" by -1, which overflows",
      [&](OpBuilder &builder, Location loc, auto number) {
        Value isLess = arith::CmpIOp::create(builder, loc, Pred::ne, b,
                                             number(APInt::getAllOnes(width)));
        Value isMore = arith::CmpIOp::create(
            builder, loc, Pred::ne, a, number(APInt::getSignedMinValue(width)));
        return arith::OrIOp::create(builder, loc, isLess, isMore);
      });
}

Operation *mlir::tensoraccess::openDivisions(Operation *op, SizeReader &sizes) {
  IRRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op) ||
        llvm::none_of(*structured.getBlock(),
                      [](Operation &inner) { return isDivision(&inner); }))
      return op;
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, structured);
    return succeeded(generic) ? generic->getOperation() : op;
  }
  if (!isDivision(op))
    return op;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  APInt constant;
  if (!type || (matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
                !constant.isZero() && !constant.isAllOnes()))
    return op;
  Location loc = op->getLoc();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, sizes.getAll(op->getOperand(0)), type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(rewriter, loc, type, empty);
  Value quotients =
      mapInto(rewriter, loc, op->getOperands(), empty,
              [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                OperationState state(loc, op->getName(), args.take_front(2),
                                     type.getElementType(),
                                     op->getAttrDictionary().getValue());
                return b.OpBuilder::create(state)->getResult(0);
              });
  rewriter.replaceOp(op, quotients);
  return quotients.getDefiningOp();
}

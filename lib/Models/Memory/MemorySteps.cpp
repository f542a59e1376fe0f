//===- MemorySteps.cpp - Index arithmetic as steps ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of arith and affine whose results are forms of their operands. Divisors
// and shifts are constants; arith's truncating division and unsigned ops are
// steps only for numbers that are not negative, where they mean what floordiv
// means.
//
//===----------------------------------------------------------------------===//

#include "MemoryScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<int64_t> tensoraccess::getConstantIndex(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 64)
    return std::nullopt;
  return constant.getSExtValue();
}

std::optional<IndexStep> IndexStep::get(OpResult result) {
  Operation *op = result.getOwner();
  IndexStep step;
  step.operands.assign(op->operand_begin(), op->operand_end());
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    step.cannotWrap = flags.hasNoSignedWrap();
  auto withMap = [&](AffineMap map, bool needsNonNegative = false) {
    step.map = map;
    step.needsNonNegative = needsNonNegative;
    return step;
  };
  MLIRContext *context = op->getContext();
  AffineExpr x = getAffineDimExpr(0, context), y = getAffineDimExpr(1, context);
  // Of the first operand alone.
  auto withFirst = [&](AffineExpr result, bool needsNonNegative = false) {
    step.operands.truncate(1);
    return withMap(AffineMap::get(1, 0, result), needsNonNegative);
  };
  std::optional<int64_t> constant;
  if (op->getNumOperands() == 2)
    constant = getConstantIndex(op->getOperand(1));

  if (isa<arith::AddIOp>(op))
    return withMap(AffineMap::get(2, 0, x + y));
  if (isa<arith::SubIOp>(op))
    return withMap(AffineMap::get(2, 0, x - y));
  if (isa<arith::MulIOp>(op))
    return withMap(AffineMap::get(1, 1, x * getAffineSymbolExpr(0, context)));
  if (isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::DivSIOp,
          arith::DivUIOp, arith::CeilDivUIOp, arith::RemSIOp, arith::RemUIOp>(
          op)) {
    if (!constant || *constant < 1)
      return std::nullopt;
    AffineExpr result = x.floorDiv(*constant);
    if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
      result = x.ceilDiv(*constant);
    else if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      result = x % *constant;
    return withFirst(result, !isa<arith::FloorDivSIOp, arith::CeilDivSIOp>(op));
  }
  if (isa<arith::ShRSIOp, arith::ShRUIOp, arith::ShLIOp>(op)) {
    if (!constant || *constant < 0 || *constant > 62)
      return std::nullopt;
    int64_t factor = int64_t(1) << *constant;
    return withFirst(isa<arith::ShLIOp>(op) ? x * factor : x.floorDiv(factor),
                     isa<arith::ShRUIOp>(op));
  }
  if (isa<arith::AndIOp>(op)) {
    // x & (2^k - 1) is x mod 2^k, for negative x, too.
    if (!constant || *constant < 0 || (*constant & (*constant + 1)) != 0 ||
        *constant == Interval::kNoUpper)
      return std::nullopt;
    return withFirst(x % (*constant + 1));
  }
  if (isa<arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(op)) {
    step.takesMax = isa<arith::MaxSIOp, arith::MaxUIOp>(op);
    return withMap(AffineMap::getMultiDimIdentityMap(2, context),
                   isa<arith::MinUIOp, arith::MaxUIOp>(op));
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return withFirst(x);
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op))
    return withFirst(x, /*needsNonNegative=*/true);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return withMap(apply.getAffineMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return withMap(min.getAffineMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op)) {
    step.takesMax = true;
    return withMap(max.getAffineMap());
  }
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op)) {
    ArrayRef<int64_t> basis = split.getStaticBasis();
    if (ShapedType::isDynamicShape(basis) || llvm::is_contained(basis, 0))
      return std::nullopt;
    // Result i is ⌊x / product of the sizes after it⌋ mod its own size; the
    // first is not reduced, since x lies inside of the basis.
    unsigned number = result.getResultNumber();
    int64_t first = basis.size() - op->getNumResults(); // 0, or -1 if unbounded
    std::optional<int64_t> stride = checkedProduct(
        basis.drop_front(static_cast<int64_t>(number) + 1 + first));
    if (!stride)
      return std::nullopt;
    x = x.floorDiv(*stride);
    if (number != 0)
      x = x % basis[number + first];
    return withFirst(x);
  }
  if (auto join = dyn_cast<affine::AffineLinearizeIndexOp>(op)) {
    ArrayRef<int64_t> basis = join.getStaticBasis();
    size_t count = join.getMultiIndex().size();
    step.operands.assign(join.getMultiIndex().begin(),
                         join.getMultiIndex().end());
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (size_t i = 0; i < count; ++i) {
      auto inner = basis.take_back(count - 1 - i);
      std::optional<int64_t> stride = ShapedType::isDynamicShape(inner)
                                          ? std::nullopt
                                          : checkedProduct(inner);
      if (!stride)
        return std::nullopt;
      sum = sum + getAffineDimExpr(i, context) * *stride;
    }
    return withMap(AffineMap::get(count, 0, sum));
  }
  return std::nullopt;
}

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
  auto withCode = [&](Code code, bool needsNonNegative = false) {
    step.code = code;
    step.needsNonNegative = needsNonNegative;
    return step;
  };
  // The second operand must be a constant of at least `least`.
  auto withConstant = [&](Code code, bool needsNonNegative,
                          bool isShift = false) -> std::optional<IndexStep> {
    std::optional<int64_t> constant = getConstantIndex(step.operands[1]);
    if (!constant || *constant < (isShift ? 0 : 1) ||
        (isShift && *constant > 62))
      return std::nullopt;
    step.constant = isShift ? int64_t(1) << *constant : *constant;
    step.operands.truncate(1);
    return withCode(code, needsNonNegative);
  };
  auto withMap = [&](Code code, AffineMap map) {
    step.map = map;
    return withCode(code);
  };

  if (isa<arith::AddIOp>(op))
    return withCode(Code::Add);
  if (isa<arith::SubIOp>(op))
    return withCode(Code::Sub);
  if (isa<arith::MulIOp>(op))
    return withCode(Code::Mul);
  if (isa<arith::FloorDivSIOp>(op))
    return withConstant(Code::FloorDiv, false);
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return withConstant(Code::FloorDiv, true);
  if (isa<arith::CeilDivSIOp>(op))
    return withConstant(Code::CeilDiv, false);
  if (isa<arith::CeilDivUIOp>(op))
    return withConstant(Code::CeilDiv, true);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return withConstant(Code::Mod, true);
  if (isa<arith::ShRSIOp>(op))
    return withConstant(Code::FloorDiv, false, true);
  if (isa<arith::ShRUIOp>(op))
    return withConstant(Code::FloorDiv, true, true);
  if (isa<arith::ShLIOp>(op)) {
    std::optional<int64_t> shift = getConstantIndex(step.operands[1]);
    if (!shift || *shift < 0 || *shift > 62)
      return std::nullopt;
    MLIRContext *context = op->getContext();
    step.operands.truncate(1);
    return withMap(Code::Affine, AffineMap::get(1, 0,
                                                getAffineDimExpr(0, context) *
                                                    (int64_t(1) << *shift)));
  }
  if (isa<arith::AndIOp>(op)) {
    // x & (2^k - 1) is x mod 2^k, for negative x, too.
    std::optional<int64_t> mask = getConstantIndex(step.operands[1]);
    if (!mask || *mask < 0 || (*mask & (*mask + 1)) != 0 ||
        *mask == Interval::kNoUpper)
      return std::nullopt;
    step.constant = *mask + 1;
    step.operands.truncate(1);
    return withCode(Code::Mod);
  }
  if (isa<arith::MinSIOp>(op))
    return withCode(Code::Min);
  if (isa<arith::MinUIOp>(op))
    return withCode(Code::Min, true);
  if (isa<arith::MaxSIOp>(op))
    return withCode(Code::Max);
  if (isa<arith::MaxUIOp>(op))
    return withCode(Code::Max, true);
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return withCode(Code::Copy);
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op))
    return withCode(Code::Copy, true);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return withMap(Code::Affine, apply.getAffineMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return withMap(Code::AffineMin, min.getAffineMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return withMap(Code::AffineMax, max.getAffineMap());
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op)) {
    ArrayRef<int64_t> basis = split.getStaticBasis();
    if (ShapedType::isDynamicShape(basis) || llvm::is_contained(basis, 0))
      return std::nullopt;
    // Result i is ⌊x / product of the sizes after it⌋ mod its own size; the
    // first is not reduced, since x lies inside of the basis.
    unsigned number = result.getResultNumber();
    AffineExpr x = getAffineDimExpr(0, op->getContext());
    int64_t first = basis.size() - op->getNumResults(); // 0, or -1 if unbounded
    std::optional<int64_t> stride = checkedProduct(
        basis.drop_front(static_cast<int64_t>(number) + 1 + first));
    if (!stride)
      return std::nullopt;
    x = x.floorDiv(*stride);
    if (number != 0)
      x = x % basis[number + first];
    step.operands.truncate(1);
    return withMap(Code::Affine, AffineMap::get(1, 0, x));
  }
  if (auto join = dyn_cast<affine::AffineLinearizeIndexOp>(op)) {
    ArrayRef<int64_t> basis = join.getStaticBasis();
    size_t count = join.getMultiIndex().size();
    step.operands.assign(join.getMultiIndex().begin(),
                         join.getMultiIndex().end());
    AffineExpr x = getAffineConstantExpr(0, op->getContext());
    for (size_t i = 0; i < count; ++i) {
      auto inner = basis.take_back(count - 1 - i);
      std::optional<int64_t> stride = ShapedType::isDynamicShape(inner)
                                          ? std::nullopt
                                          : checkedProduct(inner);
      if (!stride)
        return std::nullopt;
      x = x + getAffineDimExpr(i, op->getContext()) * *stride;
    }
    return withMap(Code::Affine, AffineMap::get(count, 0, x));
  }
  return std::nullopt;
}

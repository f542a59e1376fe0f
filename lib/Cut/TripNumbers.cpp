//===- TripNumbers.cpp - Integers by the number of the trip ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TripNumbers.h"
#include "TensorAccess/Core/Counting.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<Line> TripNumbers::evaluate(OpFoldResult value) const {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return Line{0, *number};
  auto known = dyn_cast<Value>(value);
  return known ? evaluate(known) : std::nullopt;
}

std::optional<Line> TripNumbers::evaluate(Value value) const {
  auto it = counters.find(value);
  if (it != counters.end())
    return it->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64
               ? std::optional<Line>(Line{0, constant.getSExtValue()})
               : std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto generic =
        dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
    if (!generic || argument.getArgNumber() >= generic.getNumDpsInputs())
      return std::nullopt;
    return evaluate(generic->getOperand(argument.getArgNumber()));
  }
  Operation *op = value.getDefiningOp();
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return evaluate(generic.getBody()->getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber()));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return evaluate(extract.getTensor());
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    std::optional<Line> which = evaluate(select.getCondition());
    if (!which || which->slope != 0)
      return std::nullopt;
    return evaluate(which->first != 0 ? select.getTrueValue()
                                      : select.getFalseValue());
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return evaluate(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MaxSIOp, arith::MinSIOp,
           arith::CmpIOp>(op))
    return std::nullopt;
  std::optional<Line> a = evaluate(op->getOperand(0)),
                      b = evaluate(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  auto combine = [&](auto numbers) -> std::optional<Line> {
    std::optional<int64_t> slope = numbers(a->slope, b->slope),
                           first = numbers(a->first, b->first);
    if (!slope || !first)
      return std::nullopt;
    return Line{*slope, *first};
  };
  auto at = [](const Line &line, int64_t t) -> std::optional<int64_t> {
    std::optional<int64_t> way = checkedMul(line.slope, t);
    return way ? checkedAdd(*way, line.first) : std::nullopt;
  };
  std::optional<Line> difference =
      combine([](int64_t x, int64_t y) { return checkedSub(x, y); });
  std::optional<int64_t> begin, end;
  if (difference) {
    begin = at(*difference, first);
    end = at(*difference, last);
  }
  if (!begin || !end)
    return std::nullopt;
  const int64_t least = std::min(*begin, *end), most = std::max(*begin, *end);
  if (isa<arith::MaxSIOp>(op))
    return least >= 0 ? a : most <= 0 ? b : std::nullopt;
  if (isa<arith::MinSIOp>(op))
    return most <= 0 ? a : least >= 0 ? b : std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    std::optional<bool> holds;
    arith::CmpIPredicate predicate = compare.getPredicate();
    // Unsigned, numbers that are not negative compare as signed ones.
    auto isNatural = [&](const Line &line) {
      std::optional<int64_t> low = at(line, first), high = at(line, last);
      return low && high && *low >= 0 && *high >= 0;
    };
    if (isNatural(*a) && isNatural(*b)) {
      if (predicate == arith::CmpIPredicate::ult)
        predicate = arith::CmpIPredicate::slt;
      else if (predicate == arith::CmpIPredicate::uge)
        predicate = arith::CmpIPredicate::sge;
    }
    switch (predicate) {
    case arith::CmpIPredicate::slt:
      holds = most < 0 ? std::optional(true)
                       : (least >= 0 ? std::optional(false) : std::nullopt);
      break;
    case arith::CmpIPredicate::sge:
      holds = least >= 0 ? std::optional(true)
                         : (most < 0 ? std::optional(false) : std::nullopt);
      break;
    default:
      break;
    }
    return holds ? std::optional<Line>(Line{0, *holds}) : std::nullopt;
  }
  std::optional<Line> sum =
      isa<arith::SubIOp>(op)
          ? difference
          : combine([](int64_t x, int64_t y) { return checkedAdd(x, y); });
  if (!sum)
    return std::nullopt;
  // Without wrapping around.
  std::optional<int64_t> low = at(*sum, first), high = at(*sum, last);
  auto type = dyn_cast<IntegerType>(value.getType());
  const unsigned width = type ? type.getWidth() : 64;
  if (!low || !high ||
      (width < 64 &&
       (!llvm::isIntN(width, *low) || !llvm::isIntN(width, *high))))
    return std::nullopt;
  return sum;
}

std::optional<int64_t> mlir::tensoraccess::getCounterBegin(Value init) {
  auto type = dyn_cast<RankedTensorType>(init.getType());
  APInt begin;
  if (!type || type.getRank() != 0 ||
      !type.getElementType().isSignlessInteger() ||
      !matchPattern(init, m_ConstantInt(&begin)) ||
      begin.getSignificantBits() > 32)
    return std::nullopt;
  return begin.getSExtValue();
}

/// What the loop counts in the trips [first, last]. Whether all of them are run.
static bool findCounters(scf::WhileOp op, TripNumbers &numbers) {
  numbers.counters.clear();
  for (auto [init, before, after] : llvm::zip_equal(
           op.getInits(), op.getBeforeArguments(), op.getAfterArguments()))
    if (std::optional<int64_t> begin = getCounterBegin(init))
      numbers.counters[before] = numbers.counters[after] =
          Line{1, *begin - numbers.first};
  Operation *yield = op.getAfterBody()->getTerminator();
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (auto [before, after, next] :
         llvm::zip_equal(op.getBeforeArguments(), op.getAfterArguments(),
                         yield->getOperands())) {
      auto it = numbers.counters.find(after);
      if (it == numbers.counters.end() ||
          numbers.evaluate(next) == Line{1, it->second.first + 1})
        continue;
      numbers.counters.erase(after);
      numbers.counters.erase(before);
      isStable = false;
    }
  }
  return numbers.last < numbers.first ||
         numbers.evaluate(op.getConditionOp().getCondition()) == Line{0, 1};
}

bool mlir::tensoraccess::isCounted(scf::WhileOp op, TripNumbers &numbers) {
  if (!llvm::equal(op.getConditionOp().getArgs(), op.getBeforeArguments()) ||
      !findCounters(op, numbers))
    return false;
  const int64_t end = numbers.last + 1;
  TripNumbers behind = {numbers.counters, end, end};
  return behind.evaluate(op.getConditionOp().getCondition()) == Line{};
}

std::optional<int64_t> mlir::tensoraccess::countTrips(scf::WhileOp op) {
  auto areRun = [&](int64_t count) {
    TripNumbers numbers;
    numbers.last = count - 1;
    return findCounters(op, numbers);
  };
  // The most trips of which it is known that all are run.
  int64_t least = 0, most = 1;
  for (; areRun(most); most *= 2)
    if (most > std::numeric_limits<int32_t>::max())
      return std::nullopt;
  while (most - least > 1) {
    const int64_t middle = least + (most - least) / 2;
    (areRun(middle) ? least : most) = middle;
  }
  TripNumbers numbers;
  numbers.last = least - 1;
  return isCounted(op, numbers) ? std::optional(least) : std::nullopt;
}

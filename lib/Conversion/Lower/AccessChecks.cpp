//===- AccessChecks.cpp - What lowered programs check of their sizes ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessChecks.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

CheckMessage &CheckMessage::operator<<(const Twine &more) {
  text += escapeMessage(more.str());
  return *this;
}

CheckMessage &CheckMessage::operator<<(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size)) {
    text += std::to_string(*number);
    return *this;
  }
  text += "{" + std::to_string(values.size()) + "}";
  values.push_back(cast<Value>(size));
  return *this;
}

CheckMessage &CheckMessage::operator<<(ArrayRef<OpFoldResult> shape) {
  text += "[";
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (i > 0)
      text += "x";
    *this << size;
  }
  text += "]";
  return *this;
}

CheckMessage &CheckMessage::operator<<(const CheckMessage &other) {
  // Its values get the numbers after those that are here.
  StringRef rest = other.text;
  while (!rest.empty()) {
    size_t brace = std::min(rest.find('{'), rest.size());
    text += rest.take_front(brace);
    rest = rest.drop_front(brace);
    if (rest.consume_front("{{")) {
      text += "{{";
    } else if (rest.consume_front("{")) {
      size_t number = 0;
      rest.consumeInteger(10, number);
      text += "{" + std::to_string(values.size() + number);
    }
  }
  llvm::append_range(values, other.values);
  return *this;
}

std::optional<bool>
mlir::tensoraccess::foldComparison(arith::CmpIPredicate predicate,
                                   OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (lhs == rhs)
    left = right = 0;
  if (!left || !right)
    return std::nullopt;
  return arith::applyCmpPredicate(predicate,
                                  APInt(64, *left, /*isSigned=*/true),
                                  APInt(64, *right, /*isSigned=*/true));
}

LogicalResult mlir::tensoraccess::createCheck(OpBuilder &b, Operation *op,
                                              arith::CmpIPredicate predicate,
                                              OpFoldResult lhs,
                                              OpFoldResult rhs,
                                              const CheckMessage &message) {
  std::optional<bool> known = foldComparison(predicate, lhs, rhs);
  if (known && *known)
    return success();
  // Numbers of the message may be known only when it runs.
  if (known && message.getValues().empty())
    return op->emitOpError(formatMessage(message.getText(), {}));
  Location loc = op->getLoc();
  Value holds = arith::CmpIOp::create(
      b, loc, predicate, getValueOrCreateConstantIndexOp(b, loc, lhs),
      getValueOrCreateConstantIndexOp(b, loc, rhs));
  AssertOp::create(
      b, loc, holds,
      (op->getName().getStringRef() + ": " + message.getText()).str(),
      message.getValues());
  return success();
}

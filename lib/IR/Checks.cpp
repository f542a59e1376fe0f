//===- Checks.cpp - What is checked at run time ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Checks.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Walks over a message: `text` gets what is literal, `number` what stands
/// between braces and is digits. Returns the first brace that is neither part
/// of a number nor doubled, which is literal too; npos where there is none.
static size_t scanMessage(StringRef message,
                          function_ref<void(StringRef text)> text,
                          function_ref<void(StringRef digits)> number) {
  size_t lone = StringRef::npos;
  for (size_t i = 0; i < message.size();) {
    size_t brace = std::min(message.find('{', i), message.size());
    text(message.slice(i, brace));
    if (brace == message.size())
      break;
    StringRef rest = message.drop_front(brace + 1);
    StringRef digits = rest.take_while(llvm::isDigit);
    if (rest.starts_with("{")) {
      text("{");
      i = brace + 2;
    } else if (!digits.empty() &&
               rest.drop_front(digits.size()).starts_with("}")) {
      number(digits);
      i = brace + digits.size() + 2;
    } else {
      text("{");
      lone = std::min(lone, brace);
      i = brace + 1;
    }
  }
  return lone;
}

std::string mlir::tensoraccess::formatMessage(StringRef message,
                                              ArrayRef<int64_t> values) {
  std::string result;
  scanMessage(
      message, [&](StringRef text) { result += text; },
      [&](StringRef digits) {
        size_t number;
        if (!digits.getAsInteger(10, number) && number < values.size())
          result += std::to_string(values[number]);
        else
          result += ("{" + digits + "}").str();
      });
  return result;
}

std::string mlir::tensoraccess::escapeMessage(StringRef text) {
  std::string result;
  for (char c : text)
    result.append(c == '{' ? 2 : 1, c);
  return result;
}

std::string mlir::tensoraccess::describeLocation(Location loc) {
  std::string text;
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(text)
        << file.getFilename().getValue() << ':' << file.getLine() << ':'
        << file.getColumn() << ": ";
  return text;
}

LogicalResult AssertOp::verify() {
  // C1
  std::string bad;
  size_t lone = scanMessage(
      getMessage(), [](StringRef) {},
      [&](StringRef digits) {
        size_t number;
        if (bad.empty() &&
            (digits.getAsInteger(10, number) || number >= getValues().size()))
          bad = digits.str();
      });
  if (!bad.empty())
    return emitOpError("message names value ")
           << bad << ", but there are " << getValues().size();
  if (lone != StringRef::npos)
    return emitOpError("message has a brace at place ")
           << lone << " that names no value; `{{` stands for a brace";
  return success();
}

/// What is true need not be asserted.
LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessChecks.cpp.inc"

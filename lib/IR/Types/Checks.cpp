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
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::tensoraccess;

remark::RemarkOpts tensoraccess::remarkOptions(StringRef name, Operation *at) {
  auto function = dyn_cast_if_present<FunctionOpInterface>(at);
  if (at && !function)
    function = at->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name)
      .category("tensoraccess")
      .function(function ? function.getName() : "");
}

/// Walks over a message: `text` gets what is literal, `number` what is
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

LogicalResult mlir::tensoraccess::checkRanks(Operation *root) {
  auto check = [](Operation *op, TypeRange types) -> LogicalResult {
    for (Type type : types) {
      int64_t rank = 0;
      if (auto shaped = dyn_cast<ShapedType>(type))
        rank = shaped.hasRank() ? shaped.getRank() : 0;
      else if (auto access = dyn_cast<AccessType>(type))
        rank = access.getAccessShape().size() + access.getComputeShape().size();
      if (rank > kMaxRank)
        return op->emitOpError("has a type of rank ")
               << rank << "; the most that is supported is " << kMaxRank;
    }
    return success();
  };
  // Types are few, and this is asked often.
  DenseSet<Type> seen;
  auto hasNew = [&](TypeRange types) {
    return llvm::count_if(
               types, [&](Type type) { return seen.insert(type).second; }) > 0;
  };
  return failure(root->walk<WalkOrder::PreOrder>([&](Operation *op) {
                       if (auto function = dyn_cast<FunctionOpInterface>(op)) {
                         if (failed(check(op, function.getArgumentTypes())) ||
                             failed(check(op, function.getResultTypes())))
                           return WalkResult::interrupt();
                       }
                       if (hasNew(op->getResultTypes()) &&
                           failed(check(op, op->getResultTypes())))
                         return WalkResult::interrupt();
                       return WalkResult::advance();
                     })
                     .wasInterrupted());
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

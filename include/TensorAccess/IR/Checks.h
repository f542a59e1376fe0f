//===- Checks.h - What is checked at run time -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The op tensoraccess.assert, and how its messages become text: in the
// interpreter and in compiled code by the same function.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_CHECKS_H
#define TENSORACCESS_IR_CHECKS_H

#include "TensorAccess/IR/TensorAccess.h"

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessChecks.h.inc"

namespace mlir::tensoraccess {

/// A message with `{i}` replaced by value i, and `{{` by a brace. What names no
/// value stays as it is.
std::string formatMessage(StringRef message, ArrayRef<int64_t> values);

/// A text as it must stand in a message to be read as itself.
std::string escapeMessage(StringRef text);

/// `file:line:column: `, where that is known; else nothing.
std::string describeLocation(Location loc);

/// The most dimensions of a tensor, as in numpy. Maps have a variable for each
/// and a description that names all of them for each, so that time and memory
/// would grow with the square.
constexpr int64_t kMaxRank = 64;

/// An error at the first op, or function, with a type of higher rank.
LogicalResult checkRanks(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_CHECKS_H

//===- AccessChecks.h - What lowered programs check of their sizes --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Conversion: comparisons of sizes whose failure is an error
// with the interpreter's words and numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_ACCESSCHECKS_H
#define TENSORACCESS_LIB_CONVERSION_ACCESSCHECKS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/Twine.h"

namespace mlir::tensoraccess {

/// What an error says: text, and sizes that are known now or when it runs.
class CheckMessage {
public:
  CheckMessage(const Twine &text) { *this << text; }
  CheckMessage &operator<<(const Twine &text);
  CheckMessage &operator<<(OpFoldResult size);
  /// `[3x5]`
  CheckMessage &operator<<(ArrayRef<OpFoldResult> shape);
  /// Another message.
  CheckMessage &operator<<(const CheckMessage &other);

  StringRef getText() const { return text; }
  ArrayRef<Value> getValues() const { return values; }

private:
  /// The message of a tensoraccess.assert, and its values.
  std::string text;
  SmallVector<Value> values;
};

/// Whether lhs ⋈ rhs, where that is known.
std::optional<bool> foldComparison(arith::CmpIPredicate predicate,
                                   OpFoldResult lhs, OpFoldResult rhs);

/// Asserts, at the builder's insertion point, that lhs ⋈ rhs, for `op`, which
/// the error names. Where both are known now it is checked now: an error at the
/// op.
LogicalResult createCheck(OpBuilder &b, Operation *op,
                          arith::CmpIPredicate predicate, OpFoldResult lhs,
                          OpFoldResult rhs, const CheckMessage &message);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_ACCESSCHECKS_H

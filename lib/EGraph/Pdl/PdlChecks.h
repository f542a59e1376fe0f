//===- PdlChecks.h - What a rule can't express ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of operations and of calls in rules that need no graph. Each answers
// what is wrong, or nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_PDLCHECKS_H
#define TENSORACCESS_LIB_EGRAPH_PDLCHECKS_H

#include "TensorAccess/EGraph/PdlRules.h"

namespace mlir::tensoraccess {

/// An operation that a rule matches or makes, as far as that is known.
struct RuleOperation {
  OperationName name;
  std::optional<unsigned> numOperands, numResults;
  /// Null if it differs from match to match.
  ArrayRef<std::pair<StringAttr, Attribute>> attributes;
  bool isMade = false;
};
std::optional<std::string> checkOperation(MLIRContext *context,
                                          const RuleOperation &operation);

/// A call of native constraint or rewrite `name`, with the types of PDL that it
/// is given and returns; a constraint that is negated returns nothing.
std::optional<std::string> checkCall(const NativeFunctions &functions,
                                     StringRef name, TypeRange arguments,
                                     TypeRange results, bool isNegated = false);

/// Whether a value is what a signature declares, and not null.
bool isOfKind(const RuleValue &value, RuleValue::Kind kind);
/// As in PDLL: `Attr`, `Type`, `TypeRange`, `Value`, `Op`.
StringRef describe(RuleValue::Kind kind);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EGRAPH_PDLCHECKS_H

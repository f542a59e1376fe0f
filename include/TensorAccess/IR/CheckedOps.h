//===- CheckedOps.h - Ops of this dialect, made one by one ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For readers of other notations and for programs that people write piece by
// piece: a mistake is an error at the op that has it, not a failed assertion
// and not an invalid module.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_CHECKEDOPS_H
#define TENSORACCESS_IR_CHECKEDOPS_H

#include "mlir/IR/Builders.h"

namespace mlir::tensoraccess {

/// Makes the op `tensoraccess.name`, which must be one of this dialect with one
/// result: infers the result's type where `type` is null, creates the op,
/// verifies it. Null after an error, which is reported at `loc`; no op is left
/// behind then. An op whose type can't be inferred needs one.
Value createChecked(OpBuilder &b, Location loc, StringRef name,
                    ValueRange operands,
                    ArrayRef<NamedAttribute> attributes = {}, Type type = {});

/// Whether `createChecked` finds the result's type of that op by itself. False
/// for names that are no op of this dialect.
bool infersType(MLIRContext *context, StringRef name);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_CHECKEDOPS_H

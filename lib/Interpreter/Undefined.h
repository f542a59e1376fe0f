//===- Undefined.h - Values that MLIR leaves open ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a scalar op has no value, the interpreter takes a fixed one, or another
// one, as a run is asked to, and remembers the op (InterpreterOptions).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_UNDEFINED_H
#define TENSORACCESS_LIB_INTERPRETER_UNDEFINED_H

#include "TensorAccess/Interpreter/Interpreter.h"

namespace mlir::tensoraccess {

/// What the running interpreter of this thread was asked to remember; null in
/// most runs.
UndefinedValues *&getUndefinedValues();

/// The value to take for one that op leaves open, for the reason `what`; ops of
/// StableHLO leave nothing open.
int64_t chooseUndefined(Operation *op, int64_t fixed, StringRef what);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_UNDEFINED_H

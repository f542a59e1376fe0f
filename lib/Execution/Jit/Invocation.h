//===- Invocation.h - Compiled code while it runs -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled code takes memory, and gives up where an assertion fails, through
// functions of this file: so the bytes it holds are counted, and a failure ends
// the call instead of the process.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_INVOCATION_H
#define TENSORACCESS_LIB_EXECUTION_INVOCATION_H

#include "TensorAccess/Execution/Jit.h"

namespace mlir {
namespace tensoraccess {

/// What failed assertions call in compiled code.
inline constexpr llvm::StringLiteral kAssertHandler = "tensoraccess_fail";

/// What compiled code finds under names: how it takes and frees memory through
/// this file, and fails through kAssertHandler.
SmallVector<std::pair<std::string, void *>> getRuntimeSymbols();

/// Calls compiled code. Where an assertion fails, everything that the call has
/// allocated is freed and the assertion's message is the error.
llvm::Error invoke(void (*function)(void **), void **arguments,
                   CallReport *report);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_LIB_EXECUTION_INVOCATION_H

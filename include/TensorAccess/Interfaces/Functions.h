//===- Functions.h - Functions that options name ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_FUNCTIONS_H
#define TENSORACCESS_INTERFACES_FUNCTIONS_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::tensoraccess {

/// "there is no function 'mian' with a body; did you mean 'main'? known are main, f"
/// with the functions below `root`; "there is no function with a body" if there are
/// none.
std::string describeUnknownFunction(Operation *root, StringRef name);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERFACES_FUNCTIONS_H

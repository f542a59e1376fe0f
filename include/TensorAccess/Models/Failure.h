//===- Failure.h - Ops that can fail --------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op fails where the interpreter stops with an error, and compiled code may
// do anything: a division by zero, an index out of bounds, operands whose sizes
// do not fit. Upstream's `isSpeculatable` calls some such ops harmless. Whoever
// drops, adds or moves an op must ask here.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_MODELS_FAILURE_H
#define TENSORACCESS_MODELS_FAILURE_H

#include "mlir/IR/Operation.h"

namespace mlir::tensoraccess {

/// Whether an op, or one in its regions, is not known to give results for all
/// values of its operands. What is known: constants that its operands are, and
/// sizes, static ones and those of one `tensor.dim`. Overflow that wraps or is
/// poison is no failure. An op that nothing is known of can fail.
bool canFail(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_MODELS_FAILURE_H

//===- Purity.h - Ops by name that have no effects --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op of a dialect that is not loaded says nothing about its effects. Those
// of StableHLO, MHLO and CHLO are known by name: what only computes its results
// from its operands, each time the same.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_MODELS_PURITY_H
#define TENSORACCESS_MODELS_PURITY_H

#include "mlir/IR/Operation.h"

namespace mlir::tensoraccess {

/// Whether an op that is not registered is known to have no effects. Ops in its
/// regions must have none, either. Random numbers, collectives, tokens, calls,
/// control flow, and ops that may fail at run time are not known to be pure.
bool isKnownPure(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_MODELS_PURITY_H

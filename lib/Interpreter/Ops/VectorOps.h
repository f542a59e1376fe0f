//===- VectorOps.h - What the evaluators of vectors share -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_OPS_VECTOROPS_H
#define TENSORACCESS_LIB_INTERPRETER_OPS_VECTOROPS_H

#include "Environment.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::tensoraccess {

/// Zeros of a vector type, or of a scalar one; an error at the op for a vector
/// of scalable size.
FailureOr<Tensor> createVector(Operation *op, Type type);

// The evaluators, by family; each adds its names.
void addVectorSumEvaluators(OpEvaluators &evaluators);
void addVectorTransferEvaluators(OpEvaluators &evaluators);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_OPS_VECTOROPS_H

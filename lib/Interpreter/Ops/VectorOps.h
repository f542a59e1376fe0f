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

/// What an op writes to: a memref itself, or a copy of a tensor, which is the
/// op's result.
FailureOr<Tensor> getWritten(Operation *op, Value base, const Environment &env);
RuntimeValues getWrittenResults(Operation *op, Tensor array);

// The evaluators, by family; each adds its names.
void addVectorSumEvaluators(OpEvaluators &evaluators);
void addVectorTransferEvaluators(OpEvaluators &evaluators);
void addVectorMemoryEvaluators(OpEvaluators &evaluators);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_OPS_VECTOROPS_H

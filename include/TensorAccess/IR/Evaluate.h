//===- Evaluate.h - What an access op computes ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bridge from ops to Core's kernels, which the interpreter and the constant
// folder share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_EVALUATE_H
#define TENSORACCESS_IR_EVALUATE_H

#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// Runs an op from access patterns to one access pattern by its reference
/// kernel; `operands` are its operands in order, of shapes that their types
/// allow. Fails with the kernel's message, and for an op that is none of this
/// dialect (`access` and `to_tensor` have tensors and are none either).
llvm::Expected<AccessPattern>
evaluateAccessOp(Operation *op, llvm::ArrayRef<AccessPattern> operands);

/// What a `compute` of the kind makes of a pattern, by its reference kernel.
/// Only sums and dot products have an accumulator.
llvm::Expected<AccessPattern>
evaluateCompute(ComputeKind kind, const AccessPattern &pattern,
                std::optional<ElementType> accumulator = std::nullopt);

/// The type that sums of elements of a type are computed in, as the kernels do
/// (Core/Contraction.h): f32 for narrower floats, any other type itself.
Type getSumType(Type element);

/// True for the ops that evaluateAccessOp runs.
bool isPatternOp(Operation *op);

/// An op whose operands are all `access` of a constant becomes `access` of a
/// constant, where operands and result have at most this many elements each.
constexpr int64_t kMaxFoldedElements = int64_t(1) << 16;
void populateConstantFolding(RewritePatternSet &patterns);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_EVALUATE_H

//===- Lowering.h - From kernels to the LLVM dialect ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_LOWERING_H
#define TENSORACCESS_TRANSFORMS_LOWERING_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

#include <cstdint>

namespace mlir::memref {
class ExpandShapeOp;
class ReinterpretCastOp;
} // namespace mlir::memref

namespace mlir::tensoraccess {

/// Replaces every `cf.assert` and `tensoraccess.assert` by a call of `handler`,
/// which is declared if needed, with the message as a C string, the number of
/// its values and the values as 64-bit integers, made if the condition is
/// false. The handler must not return. Emits an error if a symbol of that name
/// has another type. With an empty name `tensoraccess.assert` becomes
/// `cf.assert`.
LogicalResult lowerAsserts(ModuleOp module, StringRef handler);

/// Outlines the body of a loop without results into a function, and turns the
/// loop into a call of it that `launchTasks` understands. Fails, through
/// `notifyMatchFailure`, on other loops.
LogicalResult outlineTask(RewriterBase &rewriter, scf::ForallOp loop);

/// Marks the functions that `outlineTask` makes.
inline constexpr StringLiteral kTaskName = "tensoraccess.task";

/// Turns each call of a task, in the LLVM dialect, into a call of the runtime
/// that runs its iterations. Emits an error if a symbol that it needs has
/// another type.
LogicalResult launchTasks(ModuleOp module);

/// Combines the buffers of known sizes that a block allocates and frees into
/// one, as the pass `tensoraccess-plan-arena` describes; returns how many there
/// were, 0 if nothing changed.
int64_t planArena(Block &block);

/// Replaces an expand_shape that splits one dimension into several unknown
/// sizes, or into an unknown one beside a size 0, by a view of the given sizes.
/// Fails if the sizes follow from the source, and on buffers without strides.
FailureOr<memref::ReinterpretCastOp>
expandDynamicShape(RewriterBase &rewriter, memref::ExpandShapeOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_LOWERING_H

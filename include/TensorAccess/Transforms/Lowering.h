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
/// declared where it is not, with the message as a C string, the number of its
/// values and the values as 64-bit integers, where the condition is false. The
/// handler must not return. Fails, with an error, where a symbol of that name
/// has another type. With an empty name `tensoraccess.assert` becomes
/// `cf.assert`.
LogicalResult lowerAsserts(ModuleOp module, StringRef handler);

/// Makes the body of a loop without results a function, and the loop a call of
/// it that `launchTasks` understands. Fails, through `notifyMatchFailure`, on
/// other loops.
LogicalResult outlineTask(RewriterBase &rewriter, scf::ForallOp loop);

/// Marks the functions that `outlineTask` makes.
inline constexpr StringLiteral kTaskName = "tensoraccess.task";

/// Turns each call of a task, in the LLVM dialect, into a call of the runtime
/// that runs its iterations. Fails, with an error, where a symbol that it needs
/// has another type.
LogicalResult launchTasks(ModuleOp module);

/// Makes one buffer of those of known sizes that a block allocates and frees, as the
/// pass `tensoraccess-plan-arena` describes; returns how many there were, 0 where
/// nothing changed.
int64_t planArena(Block &block);

/// Replaces an expand_shape that makes several unknown sizes of one dimension,
/// or an unknown one beside a size 0, by a view of the sizes that it is given.
/// Fails if the sizes follow from the source, and on buffers without strides.
FailureOr<memref::ReinterpretCastOp>
expandDynamicShape(RewriterBase &rewriter, memref::ExpandShapeOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_LOWERING_H

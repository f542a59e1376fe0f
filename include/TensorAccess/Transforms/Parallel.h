//===- Parallel.h - Kernels on several cores --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_PARALLEL_H
#define TENSORACCESS_TRANSFORMS_PARALLEL_H

#include "TensorAccess/Core/Target.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// Runs linalg ops on buffers that follow one another in a block one after the
/// other for parts of their rows, as the pass `tensoraccess-block-kernels`
/// describes. Returns how many ops became part of such a loop.
unsigned blockKernels(RewriterBase &rewriter, Block &block,
                      const Target &target);

/// Cuts a linalg op on buffers for the cores of a target, with the fill before
/// and the elementwise op after it, as the pass
/// `tensoraccess-parallelize-kernels` describes. False if it stays whole.
bool parallelizeKernel(RewriterBase &rewriter, linalg::LinalgOp op,
                       const Target &target);

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

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_PARALLEL_H

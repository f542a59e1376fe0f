//===- Kernels.h - Linalg on buffers as kernels -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_KERNELS_H
#define TENSORACCESS_TRANSFORMS_KERNELS_H

#include "TensorAccess/Core/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

#include <cstdint>

namespace mlir::tensoraccess {

/// Turns a reducing linalg op on buffers into loops around a tile of its result
/// in registers, as the pass `tensoraccess-register-tile` describes. Fails,
/// through `notifyMatchFailure`, on other ops.
LogicalResult registerTile(RewriterBase &rewriter, linalg::LinalgOp op,
                           const Target &target);

/// Turns each step of a sum of products in the body of a linalg op into a
/// math.fma, as the pass `tensoraccess-fuse-multiply-add` describes; a named op
/// becomes generic. False if there is no such step.
bool fuseMultiplyAdd(RewriterBase &rewriter, linalg::LinalgOp op);

/// Moves innermost the parallel loop of a reducing linalg op along which the
/// result and every operand are contiguous or do not move; reductions keep
/// their order. A named op becomes generic. Fails if there is no such loop or
/// it is already innermost.
FailureOr<linalg::GenericOp> orderLoops(RewriterBase &rewriter,
                                        linalg::LinalgOp op);

/// Runs consecutive linalg ops on buffers in a block one after the other on
/// parts of their rows, as the pass `tensoraccess-block-kernels` describes.
/// Returns how many ops became part of such a loop.
unsigned blockKernels(RewriterBase &rewriter, Block &block,
                      const Target &target);

/// Cuts a linalg op on buffers for the cores of a target, with the fill before
/// and the elementwise op after it, as the pass
/// `tensoraccess-parallelize-kernels` describes. False if it stays whole.
bool parallelizeKernel(RewriterBase &rewriter, linalg::LinalgOp op,
                       const Target &target);

/// Moves every linalg op on buffers into a private function, one for all equal
/// ops, and calls it; returns how many ops were moved. The module's symbol
/// names stay unique. `numKernels`, if given, is set to the functions made.
unsigned outlineKernels(ModuleOp module, unsigned *numKernels = nullptr);

/// Extends inputs of a sum of narrow floats into buffers before it, as the pass
/// `tensoraccess-extend-operands` describes; returns how many.
unsigned extendOperands(RewriterBase &rewriter, linalg::LinalgOp op);

/// Computes a sum of products of i8 in floats, if that is exact, as the same
/// pass does. False if the op stays.
bool multiplyInFloats(RewriterBase &rewriter, linalg::LinalgOp op);

/// Puts calls of kProfileFunction, `void(int64_t kernel, int64_t isOver)`,
/// around the calls of kernels, as the pass `tensoraccess-profile-kernels`
/// describes, and an array under kProfiledKernels on the module, which gives
/// for each number: `name`, `location`, `operations` and `bytes`, 0 if sizes
/// are unknown.
void profileKernels(ModuleOp module);
inline constexpr StringLiteral kProfileFunction = "tensoraccess_profile";
inline constexpr StringLiteral kProfiledKernels = "tensoraccess.kernels";

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_KERNELS_H

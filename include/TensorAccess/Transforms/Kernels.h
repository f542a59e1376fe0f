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

/// Sums products of i8, and of bf16 where floats may be added in any order, by dot
/// products where the target has them, as the pass `tensoraccess-dot-products`
/// describes. Fails, through `notifyMatchFailure`, on other ops.
LogicalResult multiplyInDots(RewriterBase &rewriter, linalg::LinalgOp op,
                             const Target &target, bool reassociate);

/// Puts what reductions in loops read in each trip in panels before the loop, as the
/// pass `tensoraccess-hoist-panels` describes; returns how many operands.
unsigned hoistPanels(Operation *root, const Target &target);

/// Says of an argument that it is the same tensor in many calls.
inline constexpr llvm::StringLiteral kWeight = "tensoraccess.weight";

/// Gives a function its weights in panels, as the pass `tensoraccess-pack-weights`
/// describes. Returns how many operands are in panels; emits an error if
/// there is a symbol of the new function's name.
FailureOr<unsigned> packWeights(func::FuncOp function, const Target &target,
                                bool outParams);

/// Turns a reducing linalg op on buffers into loops around a tile of its result
/// in registers, as the pass `tensoraccess-register-tile` describes. Fails,
/// through `notifyMatchFailure`, on other ops.
LogicalResult registerTile(RewriterBase &rewriter, linalg::LinalgOp op,
                           const Target &target);

/// Makes one math.fma of each step of a sum of products in the body of a linalg
/// op, as the pass `tensoraccess-fuse-multiply-add` describes; a named op becomes
/// generic. False if there is none.
bool fuseMultiplyAdd(RewriterBase &rewriter, linalg::LinalgOp op);

/// Moves innermost the parallel loop of a reducing linalg op along which the
/// result and every operand are contiguous or do not move; reductions keep
/// their order. A named op becomes generic. Fails if there is no such loop
/// or it is innermost already.
FailureOr<linalg::GenericOp> orderLoops(RewriterBase &rewriter,
                                        linalg::LinalgOp op);

/// Fuses elementwise linalg ops on tensors below `root` as the pass
/// `tensoraccess-fuse-elementwise` describes; returns how many became part of
/// another's loop.
unsigned fuseElementwise(Operation *root);

/// Moves every linalg op on buffers into a private function, one for all equal
/// ops, and calls it; returns how many ops were moved. The module's symbol
/// names stay unique. `numKernels`, if given, is set to the functions made.
unsigned outlineKernels(ModuleOp module, unsigned *numKernels = nullptr);

/// Extends inputs of a sum of small floats to buffers before it, as the pass
/// `tensoraccess-extend-operands` describes; returns how many.
unsigned extendOperands(RewriterBase &rewriter, linalg::LinalgOp op);

/// Computes a sum of products of i8 in floats, where that is exact, as the same
/// pass does. False if the op stays.
bool multiplyInFloats(RewriterBase &rewriter, linalg::LinalgOp op);

/// Puts calls of kProfileFunction, `void(int64_t kernel, int64_t isOver)`, around
/// the calls of kernels, as the pass `tensoraccess-profile-kernels` describes, and
/// an array under kProfiledKernels on the module, which says of each number:
/// `name`, `location`, `operations` and `bytes`, 0 where sizes are unknown.
void profileKernels(ModuleOp module);
inline constexpr StringLiteral kProfileFunction = "tensoraccess_profile";
inline constexpr StringLiteral kProfiledKernels = "tensoraccess.kernels";

/// Makes ops of TOSA below `root` ready for upstream's lowering to linalg:
/// floats below f32 accumulate in f32 (a product or a sum of f16 becomes one of
/// f32 and a cast), no element of the image of a transposed convolution is
/// multiplied by what fills its kernel up, an image of integers that is resized
/// from in front of its edge has that edge there, and casts of floats to integers
/// are loops in which NaN becomes 0.
void prepareTosa(Operation *root);

/// Fixes what upstream's lowering of them gets wrong: the greatest
/// and least of floats that all are infinite. Locations are what they were.
void finishTosa(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_KERNELS_H

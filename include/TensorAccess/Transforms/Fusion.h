//===- Fusion.h - Linalg on tensors as fewer loops --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_FUSION_H
#define TENSORACCESS_TRANSFORMS_FUSION_H

#include "TensorAccess/Core/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// Fuses elementwise linalg ops on tensors below `root` as the pass
/// `tensoraccess-fuse-elementwise` describes; returns how many became part of
/// another's loop.
unsigned fuseElementwise(Operation *root);

/// Computes sums of products of i8, and of bf16 if floats may be added in any
/// order, by dot product instructions if the target has them, as the pass
/// `tensoraccess-dot-products` describes. Fails, through `notifyMatchFailure`,
/// on other ops.
LogicalResult multiplyInDots(RewriterBase &rewriter, linalg::LinalgOp op,
                             const Target &target, bool reassociate);

/// Packs what reductions in loops read in each trip into panels before the
/// loop, as the pass `tensoraccess-hoist-panels` describes; returns how many
/// operands.
unsigned hoistPanels(Operation *root, const Target &target);

/// Marks an argument as the same tensor in every call.
inline constexpr llvm::StringLiteral kConstant = "tensoraccess.constant";

/// Whether an op's result is the same tensor in every call: a constant, or what a
/// constant global holds.
bool isConstantTensor(Operation *op);

/// Makes a function take its weights in panels, as the pass
/// `tensoraccess-pack-weights` describes. Returns how many operands are in
/// panels; emits an error if the new function's name is already taken by a
/// symbol.
FailureOr<unsigned> packWeights(func::FuncOp function, const Target &target,
                                bool outParams);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_FUSION_H

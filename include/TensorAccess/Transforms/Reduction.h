//===- Reduction.h - How tensoraccess-reduce shrinks programs ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_REDUCTION_H
#define TENSORACCESS_TRANSFORMS_REDUCTION_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
class DialectRegistry;
class RewritePatternSet;
class Tester;

namespace tensoraccess {

/// Adds the patterns, each of which makes the program smaller, so that none
/// feeds another:
///   * skip: an op becomes its first operand of the same type, where there is
///     one: `transpose [1, 0]` of a square pattern becomes the pattern;
///   * cut: an op with a single result becomes a leaf of that type, and what it
///     read may die: tensors become `tensor.empty`, access patterns an `access`
///     of one, numbers zero. Static shapes only; leaves themselves stay;
///   * sweep: at the end of a block, ops without users are erased.
/// The tester must live as long as the patterns.
void populateReductionPatterns(RewritePatternSet &patterns, Tester &tester);

/// Gives the dialect the interface through which the reducer asks for these
/// patterns, and loads it with every context, so that they reach programs
/// without any access op.
void registerReduction(DialectRegistry &registry);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_TRANSFORMS_REDUCTION_H

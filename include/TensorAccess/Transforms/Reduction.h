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

/// Adds the patterns, each of which makes the program smaller, so that none of
/// them undoes another:
///   * skip: an op is replaced by its first operand of the same type, if there
///     is one: `transpose [1, 0]` of a square pattern becomes the pattern;
///   * cut: an op with a single result is replaced by a leaf of that type, and
///     what it read may become dead: tensors become `tensor.empty`, access
///     patterns an `access` of one, numbers zero. Static shapes only; leaves
///     themselves stay;
///   * sweep: at the end of a block, ops without users are erased.
/// The tester must live as long as the patterns.
void populateReductionPatterns(RewritePatternSet &patterns, Tester &tester);

/// Gives the dialect the interface through which the reducer requests these
/// patterns, and loads the dialect in every context, so that they also apply to
/// programs without any access op.
void registerReduction(DialectRegistry &registry);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_TRANSFORMS_REDUCTION_H

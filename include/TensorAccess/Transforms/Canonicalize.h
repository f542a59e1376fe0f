//===- Canonicalize.h - Upstream's simplifications, without the wrong ones ===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some of upstream's canonicalization patterns and folds change what a program
// computes. Simplification here has two steps:
//
//   1. `guardFolds` rewrites the ops whose folds are wrong. Folds can't be
//      disabled: they run in every greedy rewrite, every dialect conversion and
//      every `createOrFold`. So this runs before the first of upstream's
//      passes.
//   2. `createCanonicalize()` runs all patterns except `getWrongPatterns()`.
//
// docs/Internals.md lists both, with upstream's bug reports;
// test/Transforms/canonicalize.mlir fails as soon as upstream is fixed.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_CANONICALIZE_H
#define TENSORACCESS_TRANSFORMS_CANONICALIZE_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::scf {
class IndexSwitchOp;
} // namespace mlir::scf

namespace mlir::ub {
class PoisonOp;
} // namespace mlir::ub

namespace mlir::tensoraccess {

/// The debug names of the patterns that are known to be wrong.
ArrayRef<StringRef> getWrongPatterns();

/// Rewrites ops below `root` that upstream would fold wrongly. Preserves what
/// the program computes, and is idempotent.
void guardFolds(Operation *root);

/// Replaces poison, except vectors, by zeros: upstream folds a
/// tensor.from_elements of it by reading invalid memory.
void replaceByZeros(ub::PoisonOp op);

/// Replaces a switch by if (x == c0) … else if (x == c1) … else …: upstream's
/// lowering compares only the low 32 bits.
void replaceByBranches(scf::IndexSwitchOp op);

/// Gives each bufferization.to_buffer below `root` that may be written to a
/// copy of its tensor. To be called once, before anything is bufferized.
void separateBuffers(Operation *root);

/// Constants among the operands of tensor.extract_slice and insert_slice become
/// static attributes, and static sizes of types.
void populateSliceFolding(RewritePatternSet &patterns);

/// bufferization::buildBufferDeallocationPipeline, canonicalized as above.
void addBufferDeallocation(OpPassManager &pm);

/// tosa::addTosaToLinalgPasses without validation, canonicalized as above.
void addTosaToLinalg(OpPassManager &pm);

/// Prepares TOSA ops below `root` for upstream's lowering to linalg: floats
/// narrower than f32 accumulate in f32 (a product or a sum of f16 becomes one
/// of f32 and a cast), no image element of a transposed convolution is
/// multiplied by the padding of its kernel, an integer image that is resized
/// from before its edge has that edge there, and casts of floats to integers
/// are loops in which NaN becomes 0.
void prepareTosa(Operation *root);

/// Fixes what upstream's lowering of these ops gets wrong: the maximum and
/// minimum of floats that are all infinite. Locations are preserved.
void finishTosa(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_CANONICALIZE_H

//===- Buffers.h - Before and after bufferization ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_BUFFERS_H
#define TENSORACCESS_TRANSFORMS_BUFFERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

#include <cstdint>

namespace mlir::memref {
class CopyOp;
class ExpandShapeOp;
class ReinterpretCastOp;
} // namespace mlir::memref

namespace mlir::tensoraccess {

/// Makes the functions of a module ready for bufferization, as the pass
/// `tensoraccess-prepare-functions` describes. Emits an error if a tensor
/// type has an encoding.
LogicalResult prepareFunctions(ModuleOp module);

/// Clones empty and filled tensors that several ops below `root` write into, as
/// the pass `tensoraccess-separate-inits` describes. Returns the clones made.
unsigned separateInits(Operation *root);

/// Makes one buffer of those of known sizes that a block allocates and frees, as the
/// pass `tensoraccess-plan-arena` describes; returns how many there were, 0 where
/// nothing changed.
int64_t planArena(Block &block);

/// Replaces a copy between buffers of which one is not contiguous by a loop.
/// Fails if both are contiguous or unranked.
FailureOr<linalg::GenericOp> expandCopy(RewriterBase &rewriter,
                                        memref::CopyOp op);

/// Replaces an expand_shape that makes several unknown sizes of one dimension,
/// or an unknown one beside a size 0, by a view of the sizes that it is given.
/// Fails if the sizes follow from the source, and on buffers without strides.
FailureOr<memref::ReinterpretCastOp>
expandDynamicShape(RewriterBase &rewriter, memref::ExpandShapeOp op);

/// Replaces every `cf.assert` and `tensoraccess.assert` by a call of `handler`,
/// declared where it is not, with the message as a C string, the number of its
/// values and the values as 64-bit integers, where the condition is false. The
/// handler must not return. Fails, with an error, where a symbol of that name
/// has another type. With an empty name `tensoraccess.assert` becomes
/// `cf.assert`.
LogicalResult lowerAsserts(ModuleOp module, StringRef handler);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_BUFFERS_H

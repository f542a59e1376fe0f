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
} // namespace mlir::memref

namespace mlir::tensoraccess {

/// Makes the functions of a module ready for bufferization, as the pass
/// `tensoraccess-prepare-functions` describes. Emits an error if a tensor
/// type has an encoding.
LogicalResult prepareFunctions(ModuleOp module);

/// Clones empty and filled tensors that several ops below `root` write into, as
/// the pass `tensoraccess-separate-inits` describes. Returns the clones made.
unsigned separateInits(Operation *root);

/// Replaces a copy between buffers of which one is not contiguous by a loop.
/// Fails if both are contiguous or unranked.
FailureOr<linalg::GenericOp> expandCopy(RewriterBase &rewriter,
                                        memref::CopyOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_BUFFERS_H

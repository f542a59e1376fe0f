//===- MemorySpaces.h - Tensors in memories besides main memory -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S(n) of a layout is the memory that a tensor is in. Upstream's tensors have
// no memory; what they become on bufferization has that of the
// `bufferization.alloc_tensor` that they are written into.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_MEMORYSPACES_H
#define TENSORACCESS_LIB_TRANSFORMS_MEMORYSPACES_H

#include "TensorAccess/Core/Target.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tensoraccess {

/// n of S(n) in the layout of a tensor type; 0, main memory, for all others.
int64_t getMemorySpace(Type type);

/// The target that the op, or one around it, has as `tensoraccess.target`.
std::optional<Target> getAttachedTarget(Operation *op);

/// The tensor `value`, made by moves of `source`, which is in memory `from`,
/// in memory `space`: the last of them writes there; where they only reshape
/// the source it is copied, unless it is there already.
Value placeIn(OpBuilder &builder, Location loc, Value value, Value source,
              int64_t space, int64_t from);

/// A tensor without values, in memory `space`.
Value createEmptyIn(OpBuilder &builder, Location loc, RankedTensorType type,
                    ArrayRef<OpFoldResult> sizes, int64_t space);

/// Checks that the results of an op can be in the memories that their layouts
/// name, for functions also their arguments: an error if an op is not one of
/// those that write where they are told, or pass on a tensor of that memory,
/// and where `target` lists memories but not this one, or one too small.
LogicalResult checkMemorySpaces(Operation *op,
                                const std::optional<Target> &target);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_MEMORYSPACES_H

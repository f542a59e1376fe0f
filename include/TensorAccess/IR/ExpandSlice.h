//===- ExpandSlice.h - Out-of-bounds policies in other words ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice that leaves its operand is slices that stay inside, put together:
//
//   wrap, negative   a concat of slices, one for each time around
//   clamp            a concat of the edge, repeated, the inside, and the other
//                    edge
//   pad              the inside in a pad
//
// A projection that leaves its operand is one inside of such a slice. Whoever has no use for policies, a lowering, say, asks for this first.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_EXPANDSLICE_H
#define TENSORACCESS_IR_EXPANDSLICE_H

#include "TensorAccess/Core/ProjectionAccess.h"
#include "TensorAccess/Core/Slice.h"
#include "TensorAccess/IR/TensorAccess.h"

namespace mlir::tensoraccess {

/// Slices without policies up to which one with policies is taken apart.
constexpr size_t kMaxSliceRuns = 16;

/// True for a slice without policies, and for one that expandOutOfBounds takes
/// apart: dimensions of unknown size have the policy `forbid`, and the numbers
/// of runs of the others multiply to at most kMaxSliceRuns.
bool canExpand(SliceOp op);

/// True for a projection that stays inside, and for one whose places are a slice
/// that can be taken apart and is at most kMaxHullWaste times as large as what
/// the projection makes of it. Else its places are computed one by one.
bool canExpand(ProjectOp op);
constexpr int64_t kMaxHullWaste = 4;

/// The value of a policy `pad` as an attribute of the element type.
TypedAttr getPaddingAttr(Type elementType, const OutOfBounds &policy);

/// The same value made of slices without policies, broadcast, concat and pad, at
/// the builder's place. The slice's own result where it has no policies. Fails,
/// creating nothing, where canExpand is false.
FailureOr<Value> expandOutOfBounds(OpBuilder &builder, SliceOp op);

/// The same value as a projection that stays inside of such a slice
/// (Core/ProjectionAccess.h). The op's own result where it stays inside.
FailureOr<Value> expandOutOfBounds(OpBuilder &builder, ProjectOp op);

/// The steps of a projection op (Core/ProjectionAccess.h).
ProjectionSteps getProjectionSteps(ProjectOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_EXPANDSLICE_H

//===- Slices.h - Parts of tensors, taken and put ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_SLICES_H
#define TENSORACCESS_LIB_CONVERSION_SLICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// A tensor with `part`, of `sizes`, in place of what it has from `offsets` on
/// by `strides`, none of which are below 0. A part that is known to be empty,
/// as one after the last place has to be, leaves the tensor as it is: a slice
/// has to start inside its tensor, even one of nothing.
Value insertPart(RewriterBase &rewriter, Location loc, Value part, Value into,
                 ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                 ArrayRef<OpFoldResult> strides);

/// A slice; an empty tensor of its sizes where it or `from` is known to have no
/// elements, as a slice has to start inside its tensor.
Value extractPart(OpBuilder &b, Location loc, Value from,
                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                  ArrayRef<OpFoldResult> strides);

/// Rewrites a slice, taken or put, that drops dimensions of size 1, where
/// upstream may take others of that size for the dropped ones: the slice keeps
/// all dimensions, and a reshape drops them.
void separateDroppedDims(RewriterBase &rewriter, Operation *op);

/// Rewrites a pad whose numbers are negative, or may be: what stays of the
/// source is a slice, around which there is what the pad adds. Upstream would
/// insert all of the source, before the first place of the result.
void separateCuts(RewriterBase &rewriter, tensor::PadOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_SLICES_H

//===- AccessLoops.h - Loops over views of tensors ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What AccessToLinalg.cpp emits with; private to room Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_ACCESSLOOPS_H
#define TENSORACCESS_LIB_CONVERSION_ACCESSLOOPS_H

#include "TensorAccess/Analysis/AccessView.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::tensoraccess {

/// The same elements, row-major, in another static shape: collapse_shape,
/// expand_shape, both, or nothing.
Value reshapeTensor(OpBuilder &b, Location loc, Value tensor,
                    ArrayRef<int64_t> shape);

/// The source with the view's paddings.
Value createBase(OpBuilder &b, Location loc, const AccessView &view,
                 Value source);

/// Reads the base at the index that the map gives for the loops.
struct LoopOperand {
  Value base;
  AffineMap map;
};

/// Loops that visit all points of views of one shape, row-major.
struct LoopPlan {
  /// Loop ranges; the first `numParallel` run over the access dimensions.
  SmallVector<int64_t> ranges;
  unsigned numParallel = 0;
  /// One per view.
  SmallVector<LoopOperand> operands;
};

/// Plans loops over views of equal shape, of which the first `accessRank`
/// dimensions are parallel. Where all views are digits, digits are merged and
/// bases collapsed, so that maps are linear; else maps may contain floordiv and
/// mod. `bases` are the views' bases (createBase).
LoopPlan planLoops(OpBuilder &b, Location loc, ArrayRef<AccessView> views,
                   ArrayRef<Value> bases, int64_t accessRank);

/// Computes the next value of a result element from the operands' elements and
/// its value so far.
using LoopBody =
    function_ref<Value(OpBuilder &, Location, ValueRange operands, Value acc)>;

/// Emits the plan as one linalg.generic whose result has one dimension per
/// parallel loop and starts as `init` (an element type's constant), or
/// uninitialised. A base whose map has floordiv or mod is read by
/// tensor.extract. Loops beyond `numParallel` are reductions, in order.
linalg::GenericOp emitLoops(OpBuilder &b, Location loc, const LoopPlan &plan,
                            Type elementType, TypedAttr init, LoopBody body);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_ACCESSLOOPS_H

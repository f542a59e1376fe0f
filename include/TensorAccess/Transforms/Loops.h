//===- Loops.h - Loops over tensors as linalg.generic -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of an op are known from its maps: those that number no dimension of
// a result are reductions, and those that are as long as no dimension need a
// tensor that has no other purpose.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_LOOPS_H
#define TENSORACCESS_TRANSFORMS_LOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tensoraccess {

/// A linalg.generic on tensors or buffers. Loops that are no index of the last
/// output are reductions.
linalg::GenericOp
createGeneric(OpBuilder &b, Location loc, ValueRange inputs, ValueRange outputs,
              ArrayRef<AffineMap> maps,
              function_ref<void(OpBuilder &, Location, ValueRange)> body);

/// Adds an input that is not read for the loops that `maps`, of the inputs and
/// then of the outputs, have as no dimension, as the window of a pooling is.
/// False if `getRange` does not know how long one of them is.
bool addUnsizedLoops(OpBuilder &b, Location loc, SmallVectorImpl<Value> &inputs,
                     SmallVectorImpl<AffineMap> &maps, Type elementType,
                     function_ref<OpFoldResult(unsigned loop)> getRange);

/// Computes each element of `output`, a tensor or a buffer, from those at its
/// place in inputs of the same shape, then its own. Null for a buffer.
Value mapInto(OpBuilder &b, Location loc, ValueRange inputs, Value output,
              function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);
/// The same for a new tensor, as large as the first input.
Value mapElements(OpBuilder &b, Location loc, ValueRange inputs,
                  RankedTensorType type,
                  function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);
/// Computes each element of `output` from its index.
Value mapPlaces(OpBuilder &b, Location loc, Value output,
                function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_LOOPS_H

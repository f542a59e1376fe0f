//===- Places.h - Ops on places of a tensor ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_PLACES_H
#define TENSORACCESS_LIB_CUT_PLACES_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::tensoraccess {

/// An op that reads or writes one place of a tensor in some dimensions.
struct PlaceOp {
  Value tensor;
  /// What the tensor is when it was written; null for a read.
  Value written;
  SmallVector<OpFoldResult> indices;
  /// Whether a dimension has one index only.
  SmallVector<bool> isSingle;
};

/// std::nullopt for other ops than extract, insert, and the same of slices.
std::optional<PlaceOp> getPlaceOp(Operation *op);

/// The dimension along which the body of an op extracts elements of a value at the
/// index of a loop, and nothing else of it.
std::optional<unsigned> findExtracted(Operation *op, Value value,
                                      unsigned loop);

/// Puts another index in the place of one that is no constant of a slice.
void setIndex(Operation *op, unsigned dim, Value index);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_PLACES_H

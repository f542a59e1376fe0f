//===- TripNumbers.h - Integers by the number of the trip -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_TRIPNUMBERS_H
#define TENSORACCESS_LIB_CUT_TRIPNUMBERS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tensoraccess {

/// An integer slope * t + first in trip t.
struct Line {
  int64_t slope = 0, first = 0;
  bool operator==(const Line &other) const {
    return slope == other.slope && first == other.first;
  }
  bool operator!=(const Line &other) const { return !(*this == other); }
};

/// What integers of a loop are in its trips [first, last].
struct TripNumbers {
  /// A number, or all elements of a tensor; std::nullopt where it is not known to be
  /// such, or wraps around.
  std::optional<Line> evaluate(OpFoldResult value) const;
  std::optional<Line> evaluate(Value value) const;

  /// What the loop counts, scalars or tensors of rank 0.
  DenseMap<Value, Line> counters;
  int64_t first = 0, last = 0;
};

/// What an integer of rank 0 that a loop may count begins with.
std::optional<int64_t> getCounterBegin(Value init);

/// Whether trips [first, last] of a loop are run, and no other. Sets its counters;
/// those of the first trip are what the loop begins with.
bool isCounted(scf::WhileOp op, TripNumbers &numbers);

/// How many trips a loop has.
std::optional<int64_t> countTrips(scf::WhileOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_TRIPNUMBERS_H

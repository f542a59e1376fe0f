//===- ZeroSlices.h - Slices that are zero ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_ZEROSLICES_H
#define TENSORACCESS_ANALYSIS_ZEROSLICES_H

#include "TensorAccess/Analysis/ValueFacts.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Slices that are zero
//
// Padding makes zeros, and zeros move. For every tensor and access pattern this
// lists, axis by axis, which slices are entirely zero, as value facts
// (ValueFacts.h) know:
//
//   %1 = tensoraccess.pad %0 low = [1, 1] high = [1, 2] value = 0.0 : f32
//      : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 8xf32>
//
// is zero where its first index is in [0, 0] or [4, 4], and where its second
// one is in [0, 0] or [6, 7]. An axis of unknown size has no slices.
//
// Each element of a slice equals zero when the program runs; its sign is
// unspecified. A product with one zero factor is zero for integers, for floats
// only under `assumeFinite`.
//===----------------------------------------------------------------------===//

/// Inclusive intervals, ascending, with a gap between any two.
using IntervalSet = SmallVector<Interval, 2>;

/// `[0, 0] [6, 7]`; empty for no interval.
std::string toString(const IntervalSet &set);

class ZeroSlices {
public:
  /// Of all values in the functions below (and including) `root`, those in
  /// bodies of loops included.
  ZeroSlices(Operation *root, IndexingCache &cache, bool assumeFinite);

  /// By axis: if an interval contains i, all elements with index i in that
  /// dimension are zero. Empty if nothing is known to be zero.
  ArrayRef<IntervalSet> get(Value value) const;

private:
  llvm::DenseMap<Value, SmallVector<IntervalSet, 4>> slices;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_ZEROSLICES_H

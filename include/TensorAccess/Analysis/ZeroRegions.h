//===- ZeroRegions.h - Where values are zero --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_ZEROREGIONS_H
#define TENSORACCESS_ANALYSIS_ZEROREGIONS_H

#include "TensorAccess/IR/AccessForm.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Where values are known to be zero
//
// Padding makes zeros, and zeros move. For every tensor and access pattern of
// static shape this lists, axis by axis, which slices are entirely zero:
//
//   %1 = tensoraccess.pad %0 low = [1, 1] high = [1, 2] value = 0.0 : f32
//      : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 8xf32>
//
// is zero where its first index is in [0, 0] or [4, 4], and where its second
// one is in [0, 0] or [6, 7].
//
// A region is a promise: each element in it equals zero when the program runs.
// Its sign is unspecified, since -0 and +0 are equal, and negative(+0) = -0.
//
//   views      from the canonical form (IR/AccessForm.h): slices without a
//              piece that might read anything else. As exact as the form is.
//   tensor.pad of static amounts, constants, linalg.fill of zero
//   compute    a sum, mean or maximum of zeros is zero, and so are relu, sqrt
//              and negative of zero; a product is zero if all factors are.
//
// A product with *one* zero factor is zero for integers. For floats it is so
// only if the other factors are finite, since 0·inf and 0·NaN are NaN: such
// regions are claimed only under `assumeFinite`, which assumes that no value in
// the program is infinite or NaN. softmax, floating-point division and
// accelerators promise nothing.
//===----------------------------------------------------------------------===//

/// Inclusive intervals, ascending, with a gap between any two.
using IntervalSet = SmallVector<Interval, 2>;

/// `[0, 0] [6, 7]`; empty for no interval.
std::string toString(const IntervalSet &set);

/// Zero slices of one value: if an interval of axes[k] contains i, all elements
/// with index i in dimension k are zero.
struct ZeroRegion {
  SmallVector<IntervalSet, 4> axes;

  /// True if nothing is known to be zero.
  bool isNone() const {
    return llvm::all_of(axes, [](const IntervalSet &s) { return s.empty(); });
  }
  bool operator==(const ZeroRegion &o) const { return axes == o.axes; }
};

struct ZeroOptions {
  /// Assume that no value is infinite or NaN.
  bool assumeFinite = false;
};

/// The zero regions of all values under an operation. Linear in its size.
class ZeroRegions {
public:
  explicit ZeroRegions(Operation *root, ZeroOptions options = {});

  /// The region of a value under the root; null if nothing is known to be
  /// zero. A value without dimensions has no axes, hence no region.
  const ZeroRegion *get(Value value) const;
  /// The same for a view composed of the values under the root: sources and
  /// constants as `forms` numbers them.
  ZeroRegion get(const CanonicalAccess &access) const;
  AccessForms &getForms() { return forms; }

private:
  ZeroRegion visit(Operation *op, Value result);
  ZeroRegion visitCompute(ComputeOp op);
  ZeroRegion visitTensorOp(Operation *op);

  ZeroOptions options;
  AccessForms forms;
  llvm::DenseMap<Value, ZeroRegion> regions;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_ZEROREGIONS_H

//===- LayoutDigits.h - Layouts by their digits -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algebra of tiled layouts. A layout's map from an index to a number is a
// digit map (DigitMap.h), made tile by tile without forms:
//
//   1. A physical dimension begins as one digit, a whole logical dimension.
//   2. `*` joins the digits of neighbours; a tile cuts a dimension in two.
//   3. At the end, the digits from major to minor are the number.
//
// On it, equality, inverse and composition are a few steps over a few digits:
//
//   isSameMap(bf16[8,128]{1,0:T(8,128)}, bf16[8,128]{1,0})          yes
//   getDigits(a)->inverse()->then(*getDigits(b))        what a relayout moves
//
// Only order and tiles are part of the map; E, L and S are not.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTDIGITS_H
#define TENSORACCESS_CORE_LAYOUTDIGITS_H

#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/Enumerate.h"
#include "TensorAccess/Core/Layout.h"

namespace mlir::tensoraccess {

/// index -> number, one source per logical dimension and one target, whose
/// edges are in the order of memory, major to minor. The extents of the
/// target's edges multiply to the target's bound, the elements of the physical
/// shape. Digits that are always 0 (padding only) come out of an inner node of
/// bound 1. None without a shape and if the number of elements does not fit 63
/// bits.
std::optional<DigitMap> getDigits(const Layout &layout);

/// One digit of a dimension of a separable layout.
struct DimDigit {
  /// The digit is ⌊index / divisor⌋ mod count.
  int64_t divisor;
  int64_t count;
  /// Elements of memory from one value to the next.
  int64_t stride;

  bool operator==(const DimDigit &o) const {
    return divisor == o.divisor && count == o.count && stride == o.stride;
  }
};

/// The digits of each logical dimension, minor first: divisors begin at 1, each
/// is the one before times its count. Neighbours that are also neighbours in
/// memory are one, digits that are always 0 are left out. So two layouts of a
/// shape are the same map if and only if these are equal. None as above, and
/// where the number of an element is no sum over dimensions (a tile cuts
/// through dimensions that `*` has merged).
std::optional<llvm::SmallVector<llvm::SmallVector<DimDigit, 3>, 4>>
getDimDigits(const Layout &layout);

/// Whether both put every element at the same place; false for different
/// shapes. Exact if an answer is given: by digits; where those are not unique
/// by going through the elements within the budget, then by the forms engine.
/// None if all fail, and without a shape.
std::optional<bool> isSameMap(const Layout &a, const Layout &b,
                              uint64_t budget = kDefaultEnumerationBudget);

/// Whether every number below getPaddedElements() belongs to an element: there
/// is no padding. With dynamic sizes, true if so for all of them, and false if
/// for none but 0. None where that depends on them, without a shape, and if the
/// number of elements does not fit 63 bits.
std::optional<bool> isBijective(const Layout &layout);

/// What a layout costs.
struct LayoutWaste {
  /// Of the shape, and in memory with the tail.
  int64_t elements = 0, paddedElements = 0;
  /// Of an element in memory.
  int64_t elementBits = 0;
  int64_t usedBytes = 0, sizeBytes = 0;

  int64_t getPaddingElements() const { return paddedElements - elements; }
  /// Padding per element in memory, in [0, 1]; 0 for an array without memory.
  double getRatio() const {
    return paddedElements == 0 ? 0.0
                               : static_cast<double>(getPaddingElements()) /
                                     static_cast<double>(paddedElements);
  }
};

/// None as for Layout::getSizeBytes.
std::optional<LayoutWaste> getWaste(const Layout &layout);

/// From numbers under `from` to numbers under `to` of the same index: what a
/// relayout does. Padding is outside. The shapes must be equal; none otherwise,
/// and as for getDigits.
std::optional<DigitMap> getRelayout(const Layout &from, const Layout &to);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUTDIGITS_H

//===- LayoutNest.h - The digits of a layout in memory order ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most layouts number their elements by a *nest*: a mixed-radix number whose
// digits are digits of single indices. {1,0:T(2,2)} on [3,5] is
//
//   ((d0 floordiv 2) of 2, (d1 floordiv 2) of 3, (d0 mod 2) of 2, (d1 mod 2) of
//   2)
//
// Conversions to other notations look at this list, not at the tiles, so that
// layouts that mean the same are converted alike.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_LAYOUTNEST_H
#define TENSORACCESS_LIB_CORE_LAYOUTNEST_H

#include "TensorAccess/Core/Layout.h"

namespace mlir::tensoraccess {

/// (index[dim] floordiv divisor) mod used, in a place of `size` numbers.
struct NestDigit {
  /// -1 for padding that comes from no dimension.
  int64_t dim = -1;
  int64_t divisor = 1;
  /// How many values there are; a digit of one value is padding only.
  int64_t used = 1;
  int64_t size = 1;
  /// There is no digit of more weight: the `mod` does nothing.
  bool isTop = true;
  /// The physical dimension that it is in.
  size_t physical = 0;
  /// The topmost digit of a dynamic dimension: `used` and `size` are both
  /// ⌈n / divisor⌉ for its size n, and hold Layout::kDynamic.
  bool isOpen = false;

  bool isPadding() const { return !isOpen && used <= 1; }
  /// None on overflow.
  std::optional<SizeExpr> getSize() const {
    return isOpen ? SizeExpr::ofDim(dim).ceilDiv(divisor) : SizeExpr(size);
  }
};

/// The digits from major to minor, without those of size 1. Sizes of 0 count as
/// 1. With dynamic sizes the list holds for all of them. None and a reason
/// where the layout has no such list: without a shape, if a number overflows,
/// if a tile cuts a block, or several dimensions that `*` merged, at a place
/// that is none of theirs.
std::optional<llvm::SmallVector<NestDigit>> getNest(const Layout &layout,
                                                    std::string &reason);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_LAYOUTNEST_H

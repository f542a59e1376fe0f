//===- RelayoutDigits.h - Digits of a layout with padding -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout's number as a sum of digits, as relayout plans need it: with the
// room that each digit has in memory, which is more than its values where a
// tile pads. f32[5,130]{1,0:T(8,128)} has
//
//   d0: ⌊d0 / 1⌋ mod 5, stride 128, room for 8
//   d1: ⌊d1 / 1⌋ mod 128, stride 1; ⌊d1 / 128⌋ mod 2, stride 1024
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_RELAYOUTDIGITS_H
#define TENSORACCESS_LIB_CORE_RELAYOUTDIGITS_H

#include "TensorAccess/Core/Layout.h"

namespace mlir::tensoraccess {

/// ⌊index / divisor⌋ mod count, of which `extent` ≥ count have room.
struct PaddedDigit {
  int64_t divisor, count, extent, stride;
};

struct SideDigits {
  /// Per dimension, minor first; each divisor is the one before times its
  /// count. Digits of one value are left out.
  llvm::SmallVector<llvm::SmallVector<PaddedDigit, 3>, 4> dims;
  /// Digits that are always 0, but have room for more.
  llvm::SmallVector<PaddedDigit, 2> padding;
};

/// The digits of a layout for a shape without zeros, whose number of padded
/// elements fits 63 bits. None if the number is no such sum: a tile cuts
/// through dimensions that `*` has merged, or does not divide the tile before
/// it.
std::optional<SideDigits> getPaddedDigits(const Layout &layout);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_RELAYOUTDIGITS_H

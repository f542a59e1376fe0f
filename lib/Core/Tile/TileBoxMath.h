//===- TileBoxMath.h - Bounds of tile boxes ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of bounds, shared by the value type (TileBox.cpp) and by the step
// through one map (TileBoxStep.cpp). A lower bound is the maximum of its list,
// an upper bound the minimum. Odd variables are the last indices e of the
// source, the even ones before them its offsets o.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_TILEBOXMATH_H
#define TENSORACCESS_LIB_CORE_TILEBOXMATH_H

#include "TensorAccess/Core/Tile.h"

namespace mlir::tensoraccess::detail {

using BoundList = llvm::SmallVector<Form, 2>;

/// Bounds in one list, and atoms below one bound. What exceeds that is
/// replaced by something simpler, and the box is a hull.
inline constexpr unsigned kMaxBounds = 4, kMaxBoundAtoms = 12;

/// Drops bounds that others imply. False if some had to be dropped that none
/// implies, or to be replaced by a number.
bool prune(FormArena &arena, BoundList &list, bool isLower);

/// Moves the bounds to elements: x = anchor modulo stride.
void align(FormArena &arena, TileBox::Dim &dim);

/// The least upper - lower over all sources, negative if the dimension may be
/// empty; none known: -2^63. It grows with the source, so its least value is
/// that of a source of one element, e = o.
int64_t getMinSpan(const FormArena &arena, const TileBox::Dim &dim);
/// The greatest, 2^63 - 1 if there is no bound.
int64_t getMaxSpan(const FormArena &arena, const TileBox::Dim &dim);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_TILEBOXMATH_H

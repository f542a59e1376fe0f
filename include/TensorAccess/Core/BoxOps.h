//===- BoxOps.h - Boxes: cut, joined, and whether they cover ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Half-open boxes as values: intersection, product, pieces, the smallest box
// around several, and whether several cover one exactly: no place twice, none
// missing, none outside. Equal sizes are no proof of that; here every answer
// has a witness.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_BOXOPS_H
#define TENSORACCESS_CORE_BOXOPS_H

#include "TensorAccess/Core/Footprint.h"

#include <string>

namespace mlir::tensoraccess {

/// Pieces that `splitBox` makes at most.
inline constexpr uint64_t kMaxBoxPieces = 1u << 20;

/// None if lo and hi have one rank and lo ≤ hi everywhere, else what is wrong:
/// `lo 0 must be at most hi, got 3 > 2`.
std::optional<std::string> verifyBox(const Box &box);

/// Everything in [0, extents).
Box getWholeBox(llvm::ArrayRef<int64_t> extents);

/// `[0, 3) x [1, 5)`; `()` for a box of rank 0.
std::string printBox(const Box &box);

/// The common part; where there is none in a dimension, it is empty there and
/// begins where the later of both does. Requires one rank.
Box intersectBoxes(const Box &a, const Box &b);

/// The dimensions of `a`, then those of `b`.
Box productOfBoxes(const Box &a, const Box &b);

/// Pieces of `chunk` indices along an axis, the last one perhaps smaller; none
/// for an empty box. None at all and `error` for a wrong axis or chunk, and
/// past kMaxBoxPieces.
std::optional<llvm::SmallVector<Box, 4>>
splitBox(const Box &box, size_t axis, int64_t chunk, std::string &error);

/// The smallest box around the boxes that are not empty; the first one if all
/// are empty. None without boxes, and for boxes of different ranks.
std::optional<Box> getBoundingBox(llvm::ArrayRef<Box> boxes);

/// `a` without `b`: disjoint boxes, at most two per dimension.
llvm::SmallVector<Box, 4> subtractBox(const Box &a, const Box &b);

/// How parts lie in a domain.
struct ExactCover {
  bool isInside = true;   ///< no part leaves the domain
  bool isDisjoint = true; ///< no place is in two parts
  /// Every place of the domain is in a part; none past the budget.
  std::optional<bool> covers;
  /// What is wrong first: a part outside, an overlap, a gap; `parts 0 and 1
  /// overlap at [2]`. Empty if nothing is.
  std::string reason;
  /// A place where that is so.
  std::optional<llvm::SmallVector<int64_t>> witness;

  bool isExact() const {
    return isInside && isDisjoint && covers.value_or(false);
  }
};

/// Whether `parts` cover `domain` exactly. Empty parts are in no one's way,
/// wherever they are. None and `error` for parts of another rank.
std::optional<ExactCover> getExactCover(const Box &domain,
                                        llvm::ArrayRef<Box> parts,
                                        std::string &error,
                                        uint64_t budget = 1u << 20);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_BOXOPS_H

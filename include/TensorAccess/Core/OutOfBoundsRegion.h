//===- OutOfBoundsRegion.h - What a block needs of a tensor -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places that a block touches (ProjectionFootprint.h) may lie outside of
// the tensor. Which *elements* it needs then is a matter of the policies:
//
//   places [-1, 4) of 10 elements
//     forbid    none: place -1 of dimension 0 is forbidden
//     wrap      {9} and [0, 4): a wrapped block is up to 2^k boxes
//     negative  the same; but place 10 would be forbidden
//     clamp     [0, 4)
//     pad       [0, 4), and 1 place of padding
//
// On a grid of ranks each owns a box of the tensor; what its block needs beyond
// is its *halo*. Under wrap and negative a halo below the first element comes
// from the other end.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_OUTOFBOUNDSREGION_H
#define TENSORACCESS_CORE_OUTOFBOUNDSREGION_H

#include "TensorAccess/Core/ProjectionFootprint.h"

#include <string>

namespace mlir::tensoraccess {

/// Boxes that are listed at most; more are replaced by their hull.
inline constexpr size_t kMaxRegionBoxes = 64;

/// The elements of a tensor that a block needs.
struct OutOfBoundsRegion {
  /// The hull is the smallest box if `count` is known.
  Footprint elements;
  /// Different places that are padding, not elements. None if not countable.
  std::optional<uint64_t> padded;
  /// Disjoint boxes that contain the elements, in lexicographic order; they
  /// are the elements if `areBoxesExact`. Without elements, none.
  llvm::SmallVector<Box, 2> boxes;
  bool areBoxesExact = false;
};

/// What `block` needs of a tensor of the given sizes. None and `error` for
/// other ranks, negative sizes, overflow, and where a place is forbidden:
/// `place -1 of dimension 0 is forbidden outside of [0, 10)`.
std::optional<OutOfBoundsRegion>
getOutOfBoundsRegion(const Projection &projection, const Box &block,
                     llvm::ArrayRef<int64_t> sizes, std::string &error,
                     uint64_t budget = kDefaultSegmentBudget);

/// What a block needs beyond the box that its rank owns.
struct Halo {
  OutOfBoundsRegion touched;
  /// How many touched elements are not owned.
  std::optional<uint64_t> remote;
  /// Disjoint boxes that contain these; exact if `touched.areBoxesExact`.
  llvm::SmallVector<Box, 4> remoteBoxes;
  /// How far the hull of what is touched reaches beyond the owned box, in each
  /// dimension. Under wrap and negative, places are counted on from the owned
  /// box across the ends; where owned and halo would meet behind, everything is
  /// in the halo once.
  llvm::SmallVector<int64_t, 4> lo, hi;
};
/// As `getOutOfBoundsRegion`; `owned` must lie in the tensor, unless it is
/// empty.
std::optional<Halo> getHalo(const Projection &projection, const Box &block,
                            const Box &owned, llvm::ArrayRef<int64_t> sizes,
                            std::string &error,
                            uint64_t budget = kDefaultSegmentBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_OUTOFBOUNDSREGION_H

//===- ProjectionFootprint.h - What a block needs, exactly ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which places does a block of the index space touch through a projection, and
// how many are they?
//
//   [[2, 0], [0, 3]] + [0, -1], shape = [3, 2],  block [0, 5) x [0, 4)
//     hull   [0, 11) x [-1, 10)        the smallest box, in closed form
//     count  11 · 8 = 88               of 121: the box wastes 33
//     rows   dense;  runs of 2 every 3, 4 of them
//
// The image of a block is that of a larger box under a linear map: a region of
// shape s is one more column e_r of extent s_r per row. Counting:
//
//   1. Rows that share no column are independent: counts multiply. Within a
//      row, by ascending |m|: a dense stretch of length L and n copies of it m
//      apart are dense if m ≤ L (length L + m(n - 1)) and apart if m ≥ L.
//   2. Otherwise (ProjectionCount.cpp) columns fall into components of the
//      matrix' matroid, which are independent, too. A component whose kernel is
//      spanned by one vector v has Π n_j - Π max(0, n_j - |v_j|) images: the
//      points of a box that follow one another by v have one image.
//   3. Otherwise the set is built, segment by segment, within a budget; past it
//      there is a hull and no count.
//
// Seed 003, "computing coherent blocks" and "coherent blocks may be sparse".
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PROJECTIONFOOTPRINT_H
#define TENSORACCESS_CORE_PROJECTIONFOOTPRINT_H

#include "TensorAccess/Core/Footprint.h"
#include "TensorAccess/Core/Projection.h"

namespace mlir::tensoraccess {

/// Segments (stretches of one dimension) that are written at most where a set
/// has to be built.
inline constexpr uint64_t kDefaultSegmentBudget = 1u << 18;

/// What a block touches in one dimension: `count` runs of `run` places, the
/// first at `first`, each `stride` after the one before.
struct RowLattice {
  int64_t first = 0;
  uint64_t run = 0, stride = 0, count = 0;
  /// True if these are the places; else there are fewer within.
  bool isExact = true;

  bool isDense() const { return count <= 1 || run >= stride; }
  bool operator==(const RowLattice &o) const {
    return first == o.first && run == o.run && stride == o.stride &&
           count == o.count && isExact == o.isExact;
  }
  /// `[3, 9)`, `3 + 4k + [0, 2), k < 5`; `within …` where it is not exact.
  std::string str() const;
};

/// The places that a block touches. The hull is the smallest box, whatever
/// `kind` says; Unknown means that it overflows.
struct ProjectionFootprint : Footprint {
  /// One per row; empty for an empty block and where the hull overflows.
  llvm::SmallVector<RowLattice, 4> rows;
  /// True if the set is the product of its rows, and these are exact.
  bool isProduct = false;

  /// Places that a tensor has that is strided beforehand: the product of runs
  /// and counts of the rows. It is at least `count`, and equal for a product.
  std::optional<uint64_t> getStridedCount() const;
};

/// How many places a box has; none if 64 bits don't hold it.
std::optional<uint64_t> getVolume(const Box &box);
/// Places of the hull that the set has not. None where one is not known.
std::optional<uint64_t> getWaste(const Footprint &footprint);

/// The places that `block` touches. Unknown for a block of another rank than
/// the matrix has columns, and where the hull overflows.
ProjectionFootprint getFootprint(const Projection &projection, const Box &block,
                                 uint64_t budget = kDefaultSegmentBudget);

/// Whether different points of the block have different starts. None where
/// that cannot be decided within the budget.
std::optional<bool>
isInjectiveOnStarts(const Projection &projection, const Box &block,
                    uint64_t budget = kDefaultSegmentBudget);

/// Whether regions of different points of the block share no place: what an
/// output needs to be written without races. None as above.
std::optional<bool> areRegionsDisjoint(const Projection &projection,
                                       const Box &block,
                                       uint64_t budget = kDefaultSegmentBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PROJECTIONFOOTPRINT_H

//===- SegmentSet.h - A set of places, segment by segment -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exact set of places of a projection where no closed form describes
// it: stretches along one dimension, sorted by the other coordinates.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_SEGMENTSET_H
#define TENSORACCESS_LIB_CORE_SEGMENTSET_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/Projection.h"

#include <vector>

namespace mlir::tensoraccess {

/// A vector and how often it may be added: 0 to extent - 1 times.
struct ImageColumn {
  llvm::SmallVector<int64_t, 4> vector;
  uint64_t extent = 1;
};

/// The columns of a projection over a block without those that do nothing, its
/// regions' shape among them if `withShape`.
llvm::SmallVector<ImageColumn, 8>
getImageColumns(const Projection &projection, const Box &block, bool withShape);

/// How many different sums of the columns there are, by the steps 2 and 3 of
/// ProjectionFootprint.h. std::nullopt past the budget or 64 bits.
std::optional<uint64_t> countSums(llvm::ArrayRef<ImageColumn> columns,
                                  size_t rank, uint64_t budget);
/// Whether all sums differ.
std::optional<bool> areSumsDistinct(llvm::ArrayRef<ImageColumn> columns,
                                    size_t rank, uint64_t budget);

/// A set of tuples of at least one coordinate.
class SegmentSet {
public:
  /// start + all sums of the columns; segments run along dimension `along`.
  /// std::nullopt past the budget. Requires that all sums fit 64 bits (as a
  /// hull that fits promises); differences need not.
  static std::optional<SegmentSet> ofSums(llvm::ArrayRef<int64_t> start,
                                          llvm::ArrayRef<ImageColumn> columns,
                                          size_t along, uint64_t budget);
  /// The places that a block touches. std::nullopt past the budget, and for a
  /// block that is empty, overflows or belongs to a projection without rows.
  static std::optional<SegmentSet>
  ofBlock(const Projection &projection, const Box &block, uint64_t budget,
          std::optional<size_t> along = std::nullopt);

  /// The dimension along which segments run.
  size_t getAlong() const { return along; }

  /// std::nullopt if 64 bits don't hold it.
  std::optional<uint64_t> count() const;
  bool isEmpty() const { return words.empty(); }
  /// The smallest box; [0, 0) in each dimension if the set is empty.
  Box getHull() const;
  /// The hull, and whether the set is that box.
  Footprint getFootprint() const;
  /// Disjoint boxes that are the set, in lexicographic order; none if they
  /// would be more than `limit`, or the set is large.
  llvm::SmallVector<Box, 2> getBoxes(size_t limit) const;
  /// Both have the same rank and run along the same dimension.
  SegmentSet intersect(const SegmentSet &o) const;
  SegmentSet clip(const Box &box) const;
  /// Which elements of a tensor of these sizes the places are; places of
  /// padding are left out and counted in `padded` (std::nullopt if not
  /// countable). std::nullopt past the budget. Requires that no place is
  /// forbidden.
  std::optional<SegmentSet> resolve(const Projection &projection,
                                    llvm::ArrayRef<int64_t> sizes,
                                    uint64_t budget,
                                    std::optional<uint64_t> &padded) const;

private:
  SegmentSet(size_t rank, size_t along) : rank(rank), along(along) {}
  size_t width() const { return rank + 1; }
  size_t size() const { return words.size() / width(); }
  /// Coordinates but the one along which segments run, then begin and end.
  llvm::ArrayRef<int64_t> at(size_t i) const {
    return llvm::ArrayRef<int64_t>(words).slice(i * width(), width());
  }
  llvm::ArrayRef<int64_t> key(size_t i) const { return at(i).drop_back(2); }
  void append(llvm::ArrayRef<int64_t> key, int64_t begin, int64_t end);
  void translateAndMerge(llvm::ArrayRef<int64_t> step);
  void sortAndMerge();

  size_t rank, along;
  std::vector<int64_t> words;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_SEGMENTSET_H

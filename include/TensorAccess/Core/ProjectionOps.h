//===- ProjectionOps.h - Projections made from projections ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What seed 003 asks of a projection beyond its regions: composed with another,
// read backwards, its steps and what neighbours share, an axis or a dimension
// the other way round, other anchors, whether it is coherent, and a block cut
// in two.
//
//   p = [[2]] + [0], anchor = [-1], shape = [3]      a window of 3, stride 2
//   getStride(p, 0)         [2]
//   getOverlap(p, 0)        1 place is in a region and the next
//   reverseAxis(p, 0, 5)    [[-2]] + [8], anchor = [-1], shape = [3]
//
// Functions that can be asked wrong questions answer none, and say in `error`
// what was wrong.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PROJECTIONOPS_H
#define TENSORACCESS_CORE_PROJECTIONOPS_H

#include "TensorAccess/Core/AnchoredProjection.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include <string>

namespace mlir::tensoraccess {

struct ComposedProjection {
  Projection projection;
  /// True if its regions are what is touched; else they are hulls.
  bool isExact = false;
};

/// First `first`, then `second` at every place of its region: the smallest
/// projection that contains that. The regions of `second` over a region of
/// `first` have one shape, and begin at M2·M1·i + const. Anchors: the point
/// that `first` draws around is sent where `second` sends it, if one of both
/// has an anchor. Policies are the second's; those of the first must not
/// matter: where it does not forbid, the second must not depend on that
/// dimension, except that a padded place has no region at all.
std::optional<ComposedProjection>
compose(const Projection &first, const Projection &second, std::string &error);

/// The points of `domain` whose regions touch `box`, or with `contained` those
/// whose regions lie in it. The hull is the smallest box if `count` is known.
/// Unknown for other ranks and where a number overflows.
Footprint getPreimage(const Projection &projection, const Box &box,
                      const Box &domain, bool contained = false,
                      uint64_t budget = 1u << 20);

/// How far a region moves when the axis' index grows by one: a column of the
/// matrix, the same everywhere. Requires a column of that number.
llvm::SmallVector<int64_t, 4> getStride(const Projection &projection,
                                        size_t axis);

/// What the regions of the points 0 and e_axis share. The hull has as extents
/// max(0, shape - |stride|) in each dimension, so an empty one tells where they
/// part. Unknown if it overflows.
Footprint getOverlap(const Projection &projection, size_t axis);

/// What growing a block along an axis adds, and a cut in two shares.
struct GrowthCost {
  /// Places that the block has, and those that come in with one more index.
  std::optional<uint64_t> count, added;
  /// Places that the block shares with a neighbour of the same extents.
  std::optional<uint64_t> shared;
};
GrowthCost getGrowth(const Projection &projection, const Box &block,
                     size_t axis, uint64_t budget = kDefaultSegmentBudget);

/// A block cut at an index, with what both parts touch.
struct BlockSplit {
  Box lo, hi;
  ProjectionFootprint loImage, hiImage;
  /// The places that both touch.
  Footprint shared;
};
std::optional<BlockSplit> splitBlock(const Projection &projection,
                                     const Box &block, size_t axis, int64_t at,
                                     std::string &error,
                                     uint64_t budget = kDefaultSegmentBudget);

/// The same regions, index i of the axis being extent - 1 - i now.
std::optional<Projection> reverseAxis(const Projection &projection, size_t axis,
                                      int64_t extent, std::string &error);
/// The same elements of a tensor whose dimension runs the other way, x being
/// size - 1 - x now. The anchor is mirrored in the region.
std::optional<Projection> reverseDimension(const Projection &projection,
                                           size_t row, int64_t size,
                                           std::string &error);
/// The same regions drawn around another point: `anchor` is where they begin
/// relative to it.
std::optional<Projection> withAnchor(const Projection &projection,
                                     llvm::ArrayRef<int64_t> anchor,
                                     std::string &error);

/// What neighbours keep: whether a block of the index space is laid out as the
/// block of the tensor is, only cut out of it.
struct Coherence {
  /// Each row moves with one axis at most, and each axis moves one row.
  bool keepsDimensions = true;
  /// Rows move with ascending axes.
  bool keepsOrder = true;
  /// No row moves against its axis.
  bool keepsDirection = true;
  /// The first part that fails, with its numbers; empty if none does.
  std::string reason;

  explicit operator bool() const {
    return keepsDimensions && keepsOrder && keepsDirection;
  }
};
Coherence getCoherence(const Projection &projection);

/// Windows along one dimension: output index o and tap k read place
/// o·stride + k·dilation - padLow.
struct WindowAxis {
  int64_t window = 1, stride = 1, dilation = 1, padLow = 0;
  OutOfBounds outOfBounds = {};
};
/// The projection of windows: a row and a column per axis. The taps of a window
/// without dilation are the region; those of a dilated one, which has gaps, are
/// another column, after the others, over [0, window).
std::optional<Projection> getWindowProjection(llvm::ArrayRef<WindowAxis> axes,
                                              std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PROJECTIONOPS_H

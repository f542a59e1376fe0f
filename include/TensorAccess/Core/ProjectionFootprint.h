//===- ProjectionFootprint.h - What a block needs, exactly ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PROJECTIONFOOTPRINT_H
#define TENSORACCESS_CORE_PROJECTIONFOOTPRINT_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/Projection.h"

#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What a block needs, exactly
//
// Which places does a block of the index space touch through a projection, and
// how many are there?
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
//      matrix's matroid, which are also independent. A component whose kernel
//      is spanned by one vector v has Π n_j - Π max(0, n_j - |v_j|) images: the
//      points of a box that follow one another by v have one image.
//   3. Otherwise the set is built, segment by segment, within a budget; past it
//      there is a hull and no count.
//
// Index projections, "computing coherent blocks" and "coherent blocks may be
// sparse".
//===----------------------------------------------------------------------===//

/// The most segments (stretches of one dimension) that are written where a set
/// has to be built.
inline constexpr uint64_t kDefaultSegmentBudget = 1u << 18;

/// What a block touches in one dimension: `count` runs of `run` places, the
/// first at `first`, each `stride` after the one before.
struct RowLattice {
  int64_t first = 0;
  uint64_t run = 0, stride = 0, count = 0;
  /// True if these are the places; else only some of these are.
  bool isExact = true;

  /// The places [lo, hi).
  static RowLattice interval(int64_t lo, int64_t hi, bool isExact = true) {
    const uint64_t length =
        static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    return {lo, length, length, 1, isExact};
  }
  bool isDense() const { return count <= 1 || run >= stride; }
  /// Places of all runs; does not overflow if the hull does not.
  uint64_t getNumPlaces() const { return run * count; }
  /// One past the last place; requires that there is one.
  int64_t getEnd() const;
  /// Appends the part in [lo, hi): whole runs, and the two that the ends may
  /// cut.
  void clip(int64_t lo, int64_t hi,
            llvm::SmallVectorImpl<RowLattice> &out) const;
  bool operator==(const RowLattice &o) const {
    return first == o.first && run == o.run && stride == o.stride &&
           count == o.count && isExact == o.isExact;
  }
  /// `[3, 9)`, `3 + 4k + [0, 2), k < 5`; `within …` where it is not exact.
  std::string str() const;
};

/// The places that a block touches. The hull is the smallest box, whatever
/// `kind` is; Unknown means that it overflows.
struct ProjectionFootprint : Footprint {
  /// One per row; empty for an empty block and where the hull overflows.
  llvm::SmallVector<RowLattice, 4> rows;
  /// True if the set is the product of its rows, and these are exact.
  bool isProduct = false;

  /// The places of a tensor that is strided beforehand: the product of runs and
  /// counts of the rows. It is at least `count`, and equal for a product.
  std::optional<uint64_t> getStridedCount() const;
};

/// The footprint with no places.
ProjectionFootprint getEmptyFootprint(size_t rank);

/// |A ∩ B|, given |A|, |B| and |A ∪ B|.
std::optional<uint64_t> countShared(std::optional<uint64_t> a,
                                    std::optional<uint64_t> b,
                                    std::optional<uint64_t> both);

/// Places of the hull that the set lacks. std::nullopt if either number is
/// unknown.
std::optional<uint64_t> getWaste(const Footprint &footprint);

/// The places that `block` touches. Unknown for a block whose rank is not the
/// number of matrix columns, and where the hull overflows.
ProjectionFootprint getFootprint(const Projection &projection, const Box &block,
                                 uint64_t budget = kDefaultSegmentBudget);

/// Whether different points of the block have different starts. std::nullopt if
/// that cannot be decided within the budget.
std::optional<bool>
isInjectiveOnStarts(const Projection &projection, const Box &block,
                    uint64_t budget = kDefaultSegmentBudget);

/// Whether regions of different points of the block share no place: what an
/// output needs to be written without races. std::nullopt as above.
std::optional<bool> areRegionsDisjoint(const Projection &projection,
                                       const Box &block,
                                       uint64_t budget = kDefaultSegmentBudget);

//===----------------------------------------------------------------------===//
// Projections and indexing maps
//
// A projection over a block is an indexing map: dims over the block, a range
// symbol per dimension of the region that is longer than 1.
//
//   [[2], [0]] + [-1, 0], shape = [3, 5] over [0, 4)
//   (d0)[s0, s1] -> (d0 * 2 + s0 - 1, s1),
//     domain: d0 in [0, 3], s0 in [0, 2], s1 in [0, 4]
//
// Policies, given the tensor's sizes: wrap is `mod`, clamp is `max` and `min`,
// negative is `mod` as far as it is allowed. Padding is not an element, and a
// map cannot express it: refused, unless no place is outside. Both directions
// are exact, or refused with the reason.
//===----------------------------------------------------------------------===//

/// The map of `projection` over `block`. `sizes` are needed where a policy is
/// not forbid; without them the map ignores places outside.
std::optional<IndexingMap>
toIndexingMap(const Projection &projection, const Box &block,
              std::optional<llvm::ArrayRef<int64_t>> sizes, std::string &error);

/// A projection and the block it is asked about.
struct ProjectedBlock {
  Projection projection;
  Box block;
};

/// The projection of a map whose results are sums of multiples of dims and of
/// symbols that occur once: symbols are the region, all in one stretch. With
/// `symbolsAsAxes` symbols are axes after the dims instead (windows with gaps,
/// reductions), and regions are single elements.
std::optional<ProjectedBlock>
fromIndexingMap(const IndexingMap &map, bool symbolsAsAxes, std::string &error);

//===----------------------------------------------------------------------===//
// Projections made from projections
//
// Operations on projections beyond their regions: composition, preimages, steps
// and what neighbours share, reversing an axis or a dimension, other anchors,
// coherence, and cutting a block in two.
//
//   p = [[2]] + [0], anchor = [-1], shape = [3]      a window of 3, stride 2
//   getStride(p, 0)         [2]
//   getOverlap(p, 0)        1 place is in a region and the next
//   reverseAxis(p, 0, 5)    [[-2]] + [8], anchor = [-1], shape = [3]
//
// Functions that check their arguments return std::nullopt, and describe in
// `error` what was wrong.
//===----------------------------------------------------------------------===//

struct ComposedProjection {
  Projection projection;
  /// True if its regions are exactly what is touched; else they are hulls.
  bool isExact = false;
};

/// First `first`, then `second` at every place of its region: the smallest
/// projection that contains that. The regions of `second` over a region of
/// `first` have one shape, and begin at M2·M1·i + const. Anchors: the point
/// that `first` draws around is sent where `second` sends it, if either has an
/// anchor. Policies are the second's; those of the first must not matter: where
/// it does not forbid, the second must not depend on that dimension, except
/// that a padded place has no region at all.
std::optional<ComposedProjection>
compose(const Projection &first, const Projection &second, std::string &error);

/// The points of `domain` whose regions touch `box`, or with `contained` those
/// whose regions are in it. The hull is the smallest box if `count` is known.
/// Unknown for other ranks and where a number overflows.
Footprint getPreimage(const Projection &projection, const Box &box,
                      const Box &domain, bool contained = false,
                      uint64_t budget = 1u << 20);

/// How far a region moves when the axis' index grows by one: a column of the
/// matrix, the same everywhere. Requires that this column exists.
llvm::SmallVector<int64_t, 4> getStride(const Projection &projection,
                                        size_t axis);

/// What the regions of the points 0 and e_axis share. The hull has as extents
/// max(0, shape - |stride|) in each dimension, so an empty one shows where they
/// separate. Unknown if it overflows.
Footprint getOverlap(const Projection &projection, size_t axis);

/// What growing a block along an axis adds, and what a cut in two shares.
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

/// The same regions, with index i of the axis now extent - 1 - i.
std::optional<Projection> reverseAxis(const Projection &projection, size_t axis,
                                      int64_t extent, std::string &error);
/// The same elements of a tensor whose dimension is reversed, with x now size -
/// 1 - x. The anchor is mirrored in the region.
std::optional<Projection> reverseDimension(const Projection &projection,
                                           size_t row, int64_t size,
                                           std::string &error);
/// The same regions drawn around another point: `anchor` is where they begin
/// relative to it.
std::optional<Projection> withAnchor(const Projection &projection,
                                     llvm::ArrayRef<int64_t> anchor,
                                     std::string &error);

/// What neighbours keep: whether a block of the index space is laid out like
/// the block of the tensor, just cut out of it.
struct Coherence {
  /// Each row moves with at most one axis, and each axis moves one row.
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

//===----------------------------------------------------------------------===//
// What is wrong with a place of a region
//
// Messages for places that a projection reaches but that do not exist: beyond
// 64 bits, or forbidden by an out-of-bounds policy. All callers that refuse use
// the same wording.
//===----------------------------------------------------------------------===//

/// "the region overflows 64-bit arithmetic: [0, 9223372036854775808) of
/// dimension 1": what the first row that leaves 64 bits reaches over a block,
/// calculated without a limit. Without the values if the block is empty or what
/// overflowed was not a region.
std::string describeOverflow(const Projection &projection,
                             const IndexRegion &block);
/// The same for one point.
std::string describeOverflow(const Projection &projection,
                             llvm::ArrayRef<int64_t> point);

/// "place 5 of dimension 0 is forbidden outside of [0, 5)"; `dimension` is its
/// name. A dimension without elements has none for any policy but pad.
std::string describeForbidden(OutOfBounds::Kind policy, int64_t place,
                              const std::string &dimension, int64_t size);

//===----------------------------------------------------------------------===//
// What a block needs from a tensor
//
// The places that a block touches (ProjectionFootprint.h) may be outside the
// tensor. Which *elements* it then needs depends on the policies:
//
//   places [-1, 4) of 10 elements
//     forbid    none: place -1 of dimension 0 is forbidden
//     wrap      {9} and [0, 4): a wrapped block is up to 2^k boxes
//     negative  the same; but place 10 would be forbidden
//     clamp     [0, 4)
//     pad       [0, 4), and 1 place of padding
//
// On a grid, each rank owns a box of the tensor; what its block needs beyond
// that is its *halo*. Under wrap and negative a halo below the first element
// comes from the other end.
//===----------------------------------------------------------------------===//

/// The most boxes that are listed; more are replaced by their hull.
inline constexpr size_t kMaxRegionBoxes = 64;

/// The elements of a tensor that a block needs.
struct OutOfBoundsRegion {
  /// The hull is the smallest box if `count` is known.
  Footprint elements;
  /// Different places that are padding, not elements. std::nullopt if not
  /// countable.
  std::optional<uint64_t> padded;
  /// Disjoint boxes that contain the elements, in lexicographic order; they
  /// are the elements if `areBoxesExact`. Without elements, none.
  llvm::SmallVector<Box, 2> boxes;
  bool areBoxesExact = false;
};

/// What `block` needs of a tensor of the given sizes. std::nullopt and `error`
/// for other ranks, negative sizes, overflow, and where a place is forbidden:
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
  /// dimension. Under wrap and negative, places are counted from the owned box
  /// onward across the ends; where the halo would meet the owned box from
  /// behind, everything is in the halo once.
  llvm::SmallVector<int64_t, 4> lo, hi;
};
/// Like `getOutOfBoundsRegion`; `owned` must be in the tensor, unless it is
/// empty.
std::optional<Halo> getHalo(const Projection &projection, const Box &block,
                            const Box &owned, llvm::ArrayRef<int64_t> sizes,
                            std::string &error,
                            uint64_t budget = kDefaultSegmentBudget);

//===----------------------------------------------------------------------===//
// Places of a slice and their policies
//===----------------------------------------------------------------------===//

/// What is wrong with taking `count` places of a dimension under a policy, as
/// the end of a message (`must …, got …`); empty if nothing is:
///
///   forbid    every place is in [0, size); for count 0, offset in [0, size];
///   negative  every place is in [-size, size);
///   wrap, clamp   the dimension has an element, or count is 0;
///   pad       no condition.
///
/// Under every policy the last place must fit in 64 bits. kToTheEnd is
/// meaningful only under forbid and negative. A dynamic size is at least 0:
/// what is wrong for every such size is wrong. Requires stride ≠ 0 and count ≥
/// 0 or kToTheEnd.
std::string checkSlice(int64_t size, int64_t offset, int64_t count,
                       int64_t stride,
                       OutOfBounds::Kind policy = OutOfBounds::Kind::Forbid);

/// How many places follow each other from the first one to the end of the
/// dimension, if checkSlice accepts kToTheEnd and the size is static. Under
/// negative, places below 0 count from the end and end there.
int64_t countToTheEnd(int64_t size, int64_t offset, int64_t stride);

/// A run of a slice's places that another op can express: `count` places `first
/// + i·stride` inside the dimension (stride 0: one element, repeated), or
/// `count` places of padding.
struct SliceRun {
  int64_t count = 0;
  bool isPadding = false;
  int64_t first = 0, stride = 1;

  bool operator==(const SliceRun &o) const {
    return count == o.count && isPadding == o.isPadding && first == o.first &&
           stride == o.stride;
  }
};

/// The places of a slice in order, as runs, at most `maxRuns`; std::nullopt
/// beyond that. Requires a static size, count ≥ 0, and that checkSlice accepts
/// it.
std::optional<llvm::SmallVector<SliceRun>>
getSliceRuns(int64_t size, int64_t offset, int64_t count, int64_t stride,
             OutOfBounds::Kind policy, size_t maxRuns);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PROJECTIONFOOTPRINT_H

//===- Exchange.h - What ranks own and send ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_EXCHANGE_H
#define TENSORACCESS_CORE_EXCHANGE_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Projection.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Ranks on a grid with named axes
//
// The processes that run a program together are numbered; a grid gives each
// number coordinates, in row-major order, and names the axes.
//
//   rows=2,cols=3     rank 4 = (row 1, col 1); 6 ranks
//   64                x=4,y=4,z=4: the prime factors in up to three axes
//
// The grid also determines which ranks are near: a path runs along its axes,
// one step at a time.
//===----------------------------------------------------------------------===//

/// Limits that `Grid::verify` enforces.
inline constexpr size_t kMaxGridAxes = 6;
inline constexpr int64_t kMaxGridRanks = 1 << 20;

struct GridAxis {
  std::string name;
  int64_t size = 1;

  bool operator==(const GridAxis &o) const {
    return name == o.name && size == o.size;
  }
};

/// A value type; members may be set freely, `verify` checks them.
struct Grid {
  /// The first axis is the most significant in a rank's number.
  llvm::SmallVector<GridAxis, 3> axes;

  /// Reads `rows=2,cols=3`, or a number of ranks; verifies it. std::nullopt and
  /// `error` if it is wrong.
  static std::optional<Grid> parse(llvm::StringRef text, ParseError &error);
  /// A grid of `ranks` ranks: the prime factors, the greatest first, each given
  /// to the shortest of at most three axes x, y and z. Requires 1 ≤ ranks ≤
  /// kMaxGridRanks.
  static Grid ofRanks(int64_t ranks);

  /// std::nullopt if it is a grid, else what is wrong: `axis rows must have at
  /// least one rank, got 0`.
  std::optional<std::string> verify() const;
  /// `rows=2,cols=3`; reads back as an equal grid.
  std::string str() const;
  bool operator==(const Grid &o) const { return axes == o.axes; }

  /// The functions below require a grid that verifies, and ranks in it.
  int64_t getNumRanks() const;
  llvm::SmallVector<int64_t, 6> getCoordinates(int64_t rank) const;
  int64_t getRank(llvm::ArrayRef<int64_t> coordinates) const;
  /// The number of the axis of that name; std::nullopt if none exists.
  std::optional<unsigned> find(llvm::StringRef name) const;
  /// Steps of a shortest path; on a torus each axis is a circle.
  int64_t getHops(int64_t from, int64_t to, bool isTorus = false) const;

  /// The number that coordinates on some axes form, the first of them the most
  /// significant; and how many numbers there are.
  int64_t getPart(llvm::ArrayRef<unsigned> some,
                  llvm::ArrayRef<int64_t> coordinates) const;
  int64_t getNumParts(llvm::ArrayRef<unsigned> some) const;
  /// The reverse of getPart: sets the coordinates on some axes to those that
  /// `part` stands for.
  void setCoordinates(llvm::ArrayRef<unsigned> some, int64_t part,
                      llvm::MutableArrayRef<int64_t> coordinates) const;
};

//===----------------------------------------------------------------------===//
// Who owns which part of a tensor
//
// How a tensor, or the iterations of an operation, are distributed over a grid
// of ranks: for each dimension the axes of the grid that cut it.
//
//   {d0: rows, d3: cols}   dimension 0 is cut along rows, dimension 3 along
//                          cols; all others are whole
//   {d0: cols*rows}        by both; cols is the more significant
//   {d0: rows, partial: cols}  along cols each rank has a summand: the value is
//                          the sum (or another reduction) over cols
//   {}                     every rank has everything
//
// An axis that cuts nothing *replicates*: ranks that differ only there have the
// same part. An extent n is cut evenly into p parts, part k = [⌊k·n/p⌋,
// ⌊(k+1)·n/p⌋); their sizes differ by at most one, and some are empty if n < p.
//
// Index projections, "block operations"; other sharding annotations express the
// same in other words.
//===----------------------------------------------------------------------===//

/// Where part `part` of `parts` begins in [0, extent), part = parts being the
/// end: ⌊part·extent/parts⌋. Requires 0 ≤ part ≤ parts, 0 < parts, 0 ≤ extent;
/// never overflows.
int64_t getCutBegin(int64_t extent, int64_t parts, int64_t part);

/// A value type; members may be set freely, `verify` checks them.
struct Distribution {
  /// Numbers of grid axes that cut a dimension, the most significant first.
  using Axes = llvm::SmallVector<unsigned, 2>;
  llvm::SmallVector<Axes, 4> dims;
  /// Axes over which values are still to be reduced.
  Axes partial;

  /// Nothing is cut.
  static Distribution replicated(size_t rank);
  /// Reads a text for a tensor of `rank` dimensions; std::nullopt and `error`
  /// if it is wrong.
  static std::optional<Distribution>
  parse(llvm::StringRef text, const Grid &grid, size_t rank, ParseError &error);

  /// std::nullopt if each axis is one of the grid's and used at most once, else
  /// what is wrong: `axis rows cuts d0 and d2`.
  std::optional<std::string> verify(const Grid &grid) const;
  /// Dimensions in order, whole ones left out. Parses back to an equal value.
  std::string str(const Grid &grid) const;
  bool operator==(const Distribution &o) const {
    return dims == o.dims && partial == o.partial;
  }

  /// The functions below require that it verifies, and non-negative extents,
  /// one per dimension.

  /// Whether every rank has everything.
  bool isReplicated() const;
  /// The box of a rank. Ranks that differ only on axes that cut nothing have
  /// the same box; all other boxes are disjoint, and together they cover the
  /// tensor.
  Box getBox(const Grid &grid, llvm::ArrayRef<int64_t> extents,
             int64_t rank) const;
  /// The boxes of all ranks, by rank.
  std::vector<Box> getBoxes(const Grid &grid,
                            llvm::ArrayRef<int64_t> extents) const;
  /// One box per part, in the order of ranks: of ranks that have the same box,
  /// the one with zeros on the axes that cut nothing counts.
  std::vector<Box> getParts(const Grid &grid,
                            llvm::ArrayRef<int64_t> extents) const;
  /// Axes that neither cut nor are partial.
  Axes getReplicatingAxes(const Grid &grid) const;
};

//===----------------------------------------------------------------------===//
// Who sends what to whom
//
// Each rank owns boxes of a tensor and needs boxes of it. What it needs and
// does not own must come from a rank that does:
//
//   owned   rank 0: [0, 5)   rank 1: [5, 10)
//   needed  rank 0: [0, 6)   rank 1: [4, 10)       a convolution's halo
//   messages  1 -> 0: [5, 6)   0 -> 1: [4, 5)
//
// Halos, broadcasts, gathers, slices, transposes of a distribution: all are
// this one question. The answer:
//
//   1. What a rank owns it keeps: no message.
//   2. The rest is requested from owners, nearest on the grid first, then the
//      rank with the least to send so far, then the lowest rank; what one sends
//      is not requested from the next.
//
// So each needed place arrives exactly once, and no exchange can send fewer
// bytes: Σ over ranks of |needed \ owned|.
//
// Values that are *partial* along some axes (split reductions) are summed on
// arrival: each needed place gets the summand of every rank of its group.
//===----------------------------------------------------------------------===//

/// The boxes of each rank; those of one rank are disjoint.
using RankBoxes = std::vector<llvm::SmallVector<Box, 1>>;

/// One box from one rank to another; or what a rank keeps, if both are the
/// same.
struct ExchangeMessage {
  int64_t from = 0, to = 0;
  Box box;

  bool operator==(const ExchangeMessage &o) const {
    return from == o.from && to == o.to && box == o.box;
  }
};

struct Exchange {
  /// Sorted by receiver, then sender, then box; no box is empty, no rank sends
  /// to itself.
  std::vector<ExchangeMessage> messages;
  /// What ranks need and already have, in the same order.
  std::vector<ExchangeMessage> kept;
};

/// What is sent between ranks.
struct ExchangeTraffic {
  std::vector<uint64_t> sent, received; ///< bytes by rank
  uint64_t total = 0;                   ///< bytes sent by all
  uint64_t messages = 0;
};

/// The exchange that gives every rank what it needs. std::nullopt and `error`
/// where counts of ranks or of dimensions differ, boxes of a rank overlap, or
/// no rank owns a place: `rank 1 needs [7], which no rank owns`.
std::optional<Exchange> getExchange(const Grid &grid, const RankBoxes &owned,
                                    const RankBoxes &needed,
                                    std::string &error);

/// As above, for a distributed tensor. Values that are partial along some axes
/// are to be reduced on arrival: a place gets one summand per rank along them
/// (the receiver's own is `kept`), from the ranks that share the receiver's
/// coordinates on replicating axes.
std::optional<Exchange> getExchange(const Grid &grid, const Distribution &owned,
                                    llvm::ArrayRef<int64_t> extents,
                                    const RankBoxes &needed,
                                    std::string &error);

/// The boxes of a distribution, as exchanges take them.
RankBoxes getRankBoxes(const Grid &grid, const Distribution &distribution,
                       llvm::ArrayRef<int64_t> extents);

/// Bytes by rank, for elements of `elementBytes` bytes. std::nullopt on
/// overflow.
std::optional<ExchangeTraffic> getTraffic(const Exchange &exchange,
                                          int64_t ranks, int64_t elementBytes);

/// Where partial values are summed: the axes of `partial` are added to the end
/// of dimension `dim`, so that each rank of a group sums its part of what they
/// have in common (a reduce-scatter). Requires partial axes.
Distribution getScattered(const Distribution &partial, size_t dim);

/// Where partial results of a split reduction are summed: along the dimension
/// whose parts are longest (the first of them) each rank of a group sums a
/// part; without dimensions, each sums everything.
Distribution getSummed(const Distribution &partial, const Grid &grid,
                       llvm::ArrayRef<int64_t> extents);

/// Where partial values are summed on their way to `home`, which has no partial
/// axes. Where three or more ranks of a group are to have the same sum, sending
/// every summand to each of them would take (p - 1)·n bytes per rank; so each
/// sums a part, along home's longest dimension, and sends that to the others: a
/// reduce-scatter and an all-gather, 2·(p - 1)/p·n. Otherwise it is `home`
/// itself: one step. A tensor without dimensions has no parts.
Distribution getSummingStep(const Grid &grid, const Distribution &partial,
                            const Distribution &home,
                            llvm::ArrayRef<int64_t> extents);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_EXCHANGE_H

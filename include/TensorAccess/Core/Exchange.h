//===- Exchange.h - Who sends what to whom ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rank owns boxes of a tensor and needs boxes of it. What it needs and
// does not own must come from someone who does:
//
//   owned   rank 0: [0, 5)   rank 1: [5, 10)
//   needed  rank 0: [0, 6)   rank 1: [4, 10)       a convolution's halo
//   messages  1 -> 0: [5, 6)   0 -> 1: [4, 5)
//
// Halos, broadcasts, gathers, slices, transposes of a distribution: all are
// this one question. The answer:
//
//   1. What a rank owns it keeps: no message.
//   2. The rest is asked of owners, the fewest steps away on the grid first,
//      then who has to send least so far, then the lowest rank; what one sends
//      is not asked of the next.
//
// So each needed place arrives exactly once, and the bytes that are sent are
// the least that any exchange can do with: Σ over ranks of |needed \ owned|.
//
// Values that are *partial* along some axes (split reductions) are summed on
// arrival: each needed place gets the summand of every rank of its group.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_EXCHANGE_H
#define TENSORACCESS_CORE_EXCHANGE_H

#include "TensorAccess/Core/BoxOps.h"
#include "TensorAccess/Core/Distribution.h"

#include <vector>

namespace mlir::tensoraccess {

/// The boxes of each rank; those of one rank are disjoint.
using RankBoxes = std::vector<llvm::SmallVector<Box, 1>>;

/// One box from one rank to another; or what a rank keeps, if they are one.
struct ExchangeMessage {
  int64_t from = 0, to = 0;
  Box box;

  bool operator==(const ExchangeMessage &o) const {
    return from == o.from && to == o.to && box == o.box;
  }
};

struct Exchange {
  /// By receiver, then sender, then box; never empty boxes, never to oneself.
  std::vector<ExchangeMessage> messages;
  /// What ranks have already of what they need, in the same order.
  std::vector<ExchangeMessage> kept;
};

/// What goes over the wires.
struct ExchangeTraffic {
  std::vector<uint64_t> sent, received; ///< bytes by rank
  uint64_t total = 0;                   ///< bytes sent by all
  uint64_t messages = 0;
};

/// The exchange that gives every rank what it needs. None and `error` where
/// counts of ranks or of dimensions differ, boxes of a rank overlap, or nobody
/// owns a place: `rank 1 needs [7], which no rank owns`.
std::optional<Exchange> getExchange(const Grid &grid, const RankBoxes &owned,
                                    const RankBoxes &needed,
                                    std::string &error);

/// As above, of a tensor that is distributed. Values that are partial along
/// some axes are to be reduced on arrival: a place gets one summand per rank
/// along them (the receiver's own is `kept`), from the ranks that share the
/// receiver's coordinates on replicating axes.
std::optional<Exchange> getExchange(const Grid &grid, const Distribution &owned,
                                    llvm::ArrayRef<int64_t> extents,
                                    const RankBoxes &needed,
                                    std::string &error);

/// The boxes of a distribution, as exchanges take them.
RankBoxes getRankBoxes(const Grid &grid, const Distribution &distribution,
                       llvm::ArrayRef<int64_t> extents);

/// Bytes by rank, for elements of so many bytes. None on overflow.
std::optional<ExchangeTraffic> getTraffic(const Exchange &exchange,
                                          int64_t ranks, int64_t elementBytes);

/// Σ over ranks of |needed \ owned| elements: what no exchange can do without.
/// None on overflow.
std::optional<uint64_t> getLeastTraffic(const RankBoxes &owned,
                                        const RankBoxes &needed);

/// Where partial values are summed: the axes of `partial` are added to the end
/// of dimension `dim`, each rank of a group sums its part of what they have in
/// common (a reduce-scatter). Requires partial axes.
Distribution getScattered(const Distribution &partial, size_t dim);

/// Where partial results of a split reduction are summed: along the dimension
/// whose parts are longest (the first of them) each rank of a group sums a
/// part; all of them everything where there is no dimension.
Distribution getSummed(const Distribution &partial, const Grid &grid,
                       llvm::ArrayRef<int64_t> extents);

/// Where partial values are summed on their way to `home`, which has no partial
/// axes. Where three ranks of a group or more are to have the same sum, sending
/// every summand to each of them would take (p - 1)·n bytes a rank; so each sums
/// a part, of home's longest dimension, and sends that to the others: a
/// reduce-scatter and an all-gather, 2·(p - 1)/p·n. Else it is `home` itself:
/// one step. A tensor without dimensions has no parts.
Distribution getSummingStep(const Grid &grid, const Distribution &partial,
                            const Distribution &home,
                            llvm::ArrayRef<int64_t> extents);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_EXCHANGE_H

//===- ExchangeCost.h - What an exchange takes, unlisted --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A planner asks thousands of times what an exchange would cost, for thousands
// of ranks, and needs no list of messages. Boxes that come of cuts are products
// of intervals, each of which depends on few coordinates of the rank:
//
//   bytes in      |needed| - |needed ∩ owned|, a product per term
//   messages in   the parts that an interval meets are consecutive, since cuts
//                 ascend: their numbers multiply
//   longest way   the sum over dimensions of the farthest part's steps
//   messages out, bytes out   the sum over receivers of products; dimensions
//                 whose intervals share no summed coordinate factor
//
// The numbers are those of the listed exchange (Exchange.h), which is a law.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_EXCHANGECOST_H
#define TENSORACCESS_CORE_EXCHANGECOST_H

#include "TensorAccess/Core/BlockCost.h"
#include "TensorAccess/Core/Distribution.h"

namespace mlir::tensoraccess {

/// Half-open intervals of one dimension, by the part number that a rank's
/// coordinates on `axes` make.
struct FactoredDim {
  Distribution::Axes axes;
  std::vector<std::pair<int64_t, int64_t>> intervals;

  bool operator==(const FactoredDim &o) const {
    return axes == o.axes && intervals == o.intervals;
  }
};

/// One box per rank: the product of an interval per dimension.
struct FactoredBoxes {
  llvm::SmallVector<FactoredDim, 4> dims;

  Box getBox(const Grid &grid, int64_t rank) const;
  bool operator==(const FactoredBoxes &o) const { return dims == o.dims; }
};

/// The boxes of a distribution. Requires that it verifies.
FactoredBoxes getFactoredBoxes(const Grid &grid,
                               const Distribution &distribution,
                               llvm::ArrayRef<int64_t> extents);

/// What an exchange takes: maxima are over ranks.
struct ExchangeCost {
  uint64_t bytes = 0;    ///< sent by all
  uint64_t messages = 0; ///< sent by all
  uint64_t maxBytesIn = 0, maxBytesOut = 0;
  int64_t longestWay = 0; ///< steps on the grid
  double seconds = 0;
};

/// What each rank sends, and how far it goes.
struct ExchangeByRank {
  std::vector<uint64_t> bytesOut, messagesOut;
  /// Σ over messages of bytes times steps.
  double byteSteps = 0;
};

/// The cost of `getExchange(grid, owned, extents, needed)` with elements of
/// `elementBytes`: the longest of the ranks' times for what it sends and for
/// what it receives, overhead·messages + bytes/bandwidth, and latency·steps of
/// the longest way. The network's rates count; its shape is the grid's. Boxes
/// outside of the tensor are cut off. None where 2^63 bytes don't do. With
/// `byRank` also what each rank has to do with it.
std::optional<ExchangeCost>
getExchangeCost(const Grid &grid, const Distribution &owned,
                llvm::ArrayRef<int64_t> extents, const FactoredBoxes &needed,
                int64_t elementBytes, const Network &network,
                ExchangeByRank *byRank = nullptr);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_EXCHANGECOST_H

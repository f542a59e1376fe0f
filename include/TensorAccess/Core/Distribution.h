//===- Distribution.h - Who owns which part of a tensor ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a tensor, or the iterations of an operation, lie on a grid of ranks: for
// each dimension the axes of the grid that cut it.
//
//   {d0: rows, d3: cols}   dimension 0 is cut along rows, dimension 3 along
//                          cols; all others are whole
//   {d0: cols*rows}        by both; cols is the more significant
//   {d0: rows, partial: cols}  along cols each rank has a summand: the value is
//                          the sum (or what the reduction is) over cols
//   {}                     everyone has everything
//
// An axis that cuts nothing *replicates*: ranks that differ there have the same
// part. An extent n in p parts is cut evenly, part k = [⌊k·n/p⌋, ⌊(k+1)·n/p⌋);
// parts differ by one at most, and are empty where n < p leaves nothing.
//
// Seed 003, "block operations"; sharding annotations of the field say the same
// with other words.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_DISTRIBUTION_H
#define TENSORACCESS_CORE_DISTRIBUTION_H

#include "TensorAccess/Core/BoxOps.h"
#include "TensorAccess/Core/Grid.h"

#include <vector>

namespace mlir::tensoraccess {

/// Where part `part` of `parts` begins in [0, extent), part = parts being the
/// end: ⌊part·extent/parts⌋. Requires 0 ≤ part ≤ parts, 0 < parts, 0 ≤ extent;
/// never overflows.
int64_t getCutBegin(int64_t extent, int64_t parts, int64_t part);

/// A value; members are free to set, `verify` tells whether they fit.
struct Distribution {
  /// Numbers of grid axes that cut a dimension, the most significant first.
  using Axes = llvm::SmallVector<unsigned, 2>;
  llvm::SmallVector<Axes, 4> dims;
  /// Axes over which values are still to be reduced.
  Axes partial;

  /// Nothing is cut.
  static Distribution replicated(size_t rank);
  /// Reads a text for a tensor of `rank` dimensions; none and `error` if it is
  /// wrong.
  static std::optional<Distribution>
  parse(llvm::StringRef text, const Grid &grid, size_t rank, ParseError &error);

  /// None if each axis is one of the grid's and used at most once, else what is
  /// wrong: `axis rows cuts d0 and d2`.
  std::optional<std::string> verify(const Grid &grid) const;
  /// Dimensions in order, whole ones left out. Reads back.
  std::string str(const Grid &grid) const;
  bool operator==(const Distribution &o) const {
    return dims == o.dims && partial == o.partial;
  }

  /// What follows requires that it verifies, and extents that are not
  /// negative, one per dimension.

  /// Whether every rank has everything.
  bool isReplicated() const;
  /// The box of a rank. Ranks that differ only on axes that cut nothing have
  /// one box; all others' are disjoint, and together they cover the tensor.
  Box getBox(const Grid &grid, llvm::ArrayRef<int64_t> extents,
             int64_t rank) const;
  /// The boxes of all ranks, by rank.
  std::vector<Box> getBoxes(const Grid &grid,
                            llvm::ArrayRef<int64_t> extents) const;
  /// One box per part, in the order of ranks: of ranks that have the same box
  /// the one with zeros on the axes that cut nothing.
  std::vector<Box> getParts(const Grid &grid,
                            llvm::ArrayRef<int64_t> extents) const;
  /// Axes that neither cut nor are partial.
  Axes getReplicatingAxes(const Grid &grid) const;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_DISTRIBUTION_H

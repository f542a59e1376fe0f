//===- Grid.h - Ranks on a grid with named axes -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The processes that run a program together are numbered; a grid gives each
// number coordinates, in row-major order, and names to the axes.
//
//   rows=2,cols=3     rank 4 = (row 1, col 1); 6 ranks
//   64                x=4,y=4,z=4: the prime factors in up to three axes
//
// Which ranks are near is a matter of the grid, too: a way leads along its
// axes, one step at a time.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_GRID_H
#define TENSORACCESS_CORE_GRID_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// Limits that `Grid::verify` holds grids to.
inline constexpr size_t kMaxGridAxes = 6;
inline constexpr int64_t kMaxGridRanks = 1 << 20;

struct GridAxis {
  std::string name;
  int64_t size = 1;

  bool operator==(const GridAxis &o) const {
    return name == o.name && size == o.size;
  }
};

/// A value; members are free to set, `verify` tells whether they fit.
struct Grid {
  /// The first axis is the most significant in a rank's number.
  llvm::SmallVector<GridAxis, 3> axes;

  /// Reads `rows=2,cols=3`, or a number of ranks; verifies it. None and `error`
  /// if it is wrong.
  static std::optional<Grid> parse(llvm::StringRef text, ParseError &error);
  /// A grid of so many ranks: the prime factors, the greatest first, each given
  /// to the shortest of at most three axes x, y and z. Requires 1 ≤ ranks ≤
  /// kMaxGridRanks.
  static Grid ofRanks(int64_t ranks);

  /// None if it is a grid, else what is wrong: `axis rows must have at least
  /// one rank, got 0`.
  std::optional<std::string> verify() const;
  /// `rows=2,cols=3`; reads back as an equal grid.
  std::string str() const;
  bool operator==(const Grid &o) const { return axes == o.axes; }

  /// What follows requires a grid that verifies, and ranks of it.
  int64_t getNumRanks() const;
  llvm::SmallVector<int64_t, 6> getCoordinates(int64_t rank) const;
  int64_t getRank(llvm::ArrayRef<int64_t> coordinates) const;
  /// The number of an axis; none if there is none of that name.
  std::optional<unsigned> find(llvm::StringRef name) const;
  /// Steps of a shortest way; on a torus each axis is a circle.
  int64_t getHops(int64_t from, int64_t to, bool isTorus = false) const;

  /// The number that coordinates on some axes make, the first of them the most
  /// significant; and how many numbers there are.
  int64_t getPart(llvm::ArrayRef<unsigned> some,
                  llvm::ArrayRef<int64_t> coordinates) const;
  int64_t getNumParts(llvm::ArrayRef<unsigned> some) const;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_GRID_H

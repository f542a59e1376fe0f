//===- ExchangeTesting.h - Random grids and what lies on them ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_EXCHANGETESTING_H
#define TENSORACCESS_TEST_CORE_EXCHANGETESTING_H

#include "TensorAccess/Core/Exchange.h"

#include "gtest/gtest.h"

#include <random>

namespace mlir::tensoraccess::test {

inline Grid parseGrid(llvm::StringRef text) {
  ParseError error;
  std::optional<Grid> grid = Grid::parse(text, error);
  EXPECT_TRUE(grid) << error.message << " at " << error.offset;
  return grid.value_or(Grid::ofRanks(1));
}

inline Distribution parseDistribution(llvm::StringRef text, const Grid &grid,
                                      size_t rank) {
  ParseError error;
  std::optional<Distribution> some =
      Distribution::parse(text, grid, rank, error);
  EXPECT_TRUE(some) << error.message << " at " << error.offset;
  return some.value_or(Distribution::replicated(rank));
}

/// Up to three axes of up to four ranks.
inline Grid randomGrid(std::mt19937_64 &random) {
  Grid grid;
  const char *const names[] = {"a", "b", "c"};
  for (size_t n = 1 + random() % 3, i = 0; i != n; ++i)
    grid.axes.push_back({names[i], 1 + static_cast<int64_t>(random() % 4)});
  return grid;
}

/// Up to three dimensions, some shorter than a grid has ranks, some empty.
inline llvm::SmallVector<int64_t> randomExtents(std::mt19937_64 &random) {
  llvm::SmallVector<int64_t> extents;
  for (size_t n = random() % 4; n != 0; --n)
    extents.push_back(random() % 12 ? 1 + random() % 9 : 0);
  return extents;
}

/// Each axis cuts a dimension, or nothing, or is partial.
inline Distribution randomDistribution(std::mt19937_64 &random,
                                       const Grid &grid, size_t rank,
                                       bool mayBePartial) {
  Distribution out = Distribution::replicated(rank);
  llvm::SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
    axes.push_back(axis);
  std::shuffle(axes.begin(), axes.end(), random);
  for (unsigned axis : axes) {
    const size_t place = random() % (rank + 2);
    if (place < rank)
      out.dims[place].push_back(axis);
    else if (place == rank && mayBePartial)
      out.partial.push_back(axis);
  }
  return out;
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_EXCHANGETESTING_H

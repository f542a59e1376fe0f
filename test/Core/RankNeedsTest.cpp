//===- RankNeedsTest.cpp - What ranks need through a projection -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Exchange.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir::tensoraccess;

static Projection window(int64_t step, int64_t begin, int64_t shape,
                         OutOfBounds policy) {
  Projection p;
  p.matrix = {{step}};
  p.offset = {begin};
  p.shape = {shape};
  p.outOfBounds = {std::move(policy)};
  return p;
}

static Distribution cutBy(const Grid &grid) {
  Distribution out = Distribution::replicated(1);
  for (unsigned axis = 0; axis < grid.axes.size(); ++axis)
    out.dims[0].push_back(axis);
  return out;
}

// The example of the header.
TEST(RankNeeds, ComeAcrossTheEnds) {
  Grid grid = Grid::ofRanks(2);
  std::string error;
  auto wrapped = getRankNeeds(grid, cutBy(grid), {10},
                              window(1, -1, 3, {OutOfBounds::Kind::Wrap, {}}),
                              {10}, error);
  ASSERT_TRUE(wrapped) << error;
  EXPECT_EQ((*wrapped)[0],
            (llvm::SmallVector<Box, 1>{{{0}, {6}}, {{9}, {10}}}));
  EXPECT_EQ((*wrapped)[1],
            (llvm::SmallVector<Box, 1>{{{0}, {1}}, {{4}, {10}}}));
  auto padded = getRankNeeds(
      grid, cutBy(grid), {10},
      window(1, -1, 3, {OutOfBounds::Kind::Pad, PadValue(0.0)}), {10}, error);
  ASSERT_TRUE(padded) << error;
  EXPECT_EQ((*padded)[0], (llvm::SmallVector<Box, 1>{{{0}, {6}}}));
}

// The law: what the regions of a rank's points read, place by place.
TEST(RankNeeds, AreWhatRegionsTouch) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    Grid grid = Grid::ofRanks(1 + random() % 6);
    const int64_t extent = random() % 14, step = 1 + random() % 3;
    // Windows without gaps: boxes are exact.
    const int64_t shape = step + random() % 3;
    const int64_t size = extent * step + 1 + random() % 4;
    OutOfBounds policy;
    policy.kind =
        random() % 2 ? OutOfBounds::Kind::Wrap : OutOfBounds::Kind::Clamp;
    Projection p = window(step, -int64_t(random() % 3), shape, policy);
    std::string error;
    auto needs = getRankNeeds(grid, cutBy(grid), {extent}, p, {size}, error);
    ASSERT_TRUE(needs) << error;
    for (int64_t rank = 0; rank < grid.getNumRanks(); ++rank) {
      std::set<int64_t> wanted, found;
      Box block = cutBy(grid).getBox(grid, {extent}, rank);
      for (int64_t i = block.lo[0]; i < block.hi[0]; ++i)
        for (int64_t k = 0; k < shape; ++k) {
          Resolved place = p.resolve({step * i + p.offset[0] + k}, {size});
          if (place.kind == Resolved::Kind::Element)
            wanted.insert(place.index[0]);
        }
      for (const Box &box : (*needs)[rank])
        for (int64_t x = box.lo[0]; x < box.hi[0]; ++x)
          EXPECT_TRUE(found.insert(x).second) << "twice " << x;
      EXPECT_EQ(found, wanted) << p.str() << " of rank " << rank;
    }
  }
}

// Ranks that have the same block need the same; the first that is wrong is
// named.
TEST(RankNeeds, AreOfAllRanks) {
  Grid grid;
  grid.axes = {{"rows", 2}, {"copies", 3}};
  Distribution blocks = Distribution::replicated(1);
  blocks.dims[0] = {0};
  Projection p = window(1, 0, 2, {});
  std::string error;
  auto needs = getRankNeeds(grid, blocks, {6}, p, {7}, error);
  ASSERT_TRUE(needs) << error;
  ASSERT_EQ(needs->size(), 6u);
  EXPECT_EQ((*needs)[3], (*needs)[5]);
  EXPECT_FALSE(getRankNeeds(grid, blocks, {6}, p, {6}, error));
  EXPECT_EQ(error,
            "rank 3: place 6 of dimension 0 is forbidden outside of [0, 6)");
  EXPECT_FALSE(
      getRankNeeds(grid, Distribution::replicated(2), {6, 6}, p, {7}, error));
  EXPECT_EQ(error,
            "the projection has 1 columns, but the blocks have 2 dimensions");
}

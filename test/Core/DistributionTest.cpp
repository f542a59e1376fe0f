//===- DistributionTest.cpp - Grids, and who owns what --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/Exchange.h"

#include "ExchangeTesting.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::StringRef;

TEST(Grid, TextIsTheGrid) {
  Grid grid = parseGrid("rows=2,cols=3");
  EXPECT_EQ(grid.str(), "rows=2,cols=3");
  EXPECT_EQ(grid.getNumRanks(), 6);
  EXPECT_EQ(grid.getRank({1, 1}), 4);
  EXPECT_EQ(grid.getCoordinates(4), (llvm::SmallVector<int64_t, 6>{1, 1}));
  EXPECT_EQ(grid.find("cols"), 1u);
  EXPECT_EQ(grid.find("col"), std::nullopt);
  EXPECT_EQ(parseGrid(" a = 1 , b=5 ").str(), "a=1,b=5");
}

/// A number of ranks is split into its prime factors.
TEST(Grid, NumbersOfRanks) {
  EXPECT_EQ(parseGrid("64").str(), "x=4,y=4,z=4");
  EXPECT_EQ(parseGrid("12").str(), "x=3,y=2,z=2");
  EXPECT_EQ(parseGrid("7").str(), "x=7");
  EXPECT_EQ(parseGrid("1").str(), "x=1");
  for (int64_t ranks = 1; ranks != 300; ++ranks) {
    Grid grid = Grid::ofRanks(ranks);
    EXPECT_EQ(grid.getNumRanks(), ranks);
    EXPECT_EQ(grid.verify(), std::nullopt);
    EXPECT_EQ(parseGrid(grid.str()), grid);
  }
}

static std::string gridError(StringRef text) {
  ParseError error;
  EXPECT_FALSE(Grid::parse(text, error)) << text.str();
  return error.message;
}

TEST(Grid, Errors) {
  EXPECT_EQ(gridError(""),
            "expected the name of an axis or a number of ranks, got end of "
            "text");
  EXPECT_EQ(gridError("rows"), "expected '=' after axis rows, got end of text");
  EXPECT_EQ(gridError("rows=x"), "expected a number of ranks, got 'x'");
  EXPECT_EQ(gridError("rows=2 cols=2"),
            "expected ',' or end of text, got 'cols'");
  EXPECT_EQ(gridError("4 4"), "expected end of text, got '4'");
  EXPECT_EQ(gridError("0"), "a grid has from 1 to 1048576 ranks, got 0");
  EXPECT_EQ(gridError("-3"), "a grid has from 1 to 1048576 ranks, got -3");
  EXPECT_EQ(gridError("1048577"),
            "a grid has from 1 to 1048576 ranks, got 1048577");
  EXPECT_EQ(gridError("rows=0"),
            "axis rows must have at least one rank, got 0");
  EXPECT_EQ(gridError("rows=2,rows=3"), "axis rows is given twice");
  EXPECT_EQ(gridError("partial=2"), "axis 0 must not be named partial");
  EXPECT_EQ(gridError("a=2048,b=2048"),
            "a grid has from 1 to 1048576 ranks, got 4194304");
  EXPECT_EQ(gridError("a=4611686018427387904,b=2048"),
            "a grid has from 1 to 1048576 ranks, got more than 2^63");
  EXPECT_EQ(gridError("a=1,b=1,c=1,d=1,e=1,f=1,g=1"),
            "a grid has at most 6 axes, got 7");
  Grid grid;
  EXPECT_EQ(grid.verify(), "a grid must have at least one axis");
  grid.axes.push_back({"2x", 2});
  EXPECT_EQ(grid.verify(),
            "axis 0 must be named by letters, digits and '_', got '2x'");
}

/// Ranks and coordinates are inverse, and hops are those of a walk.
TEST(Grid, SixAxes) {
  Grid grid = parseGrid("a=4,b=4,c=4,d=4,e=4,f=4");
  ASSERT_EQ(grid.getNumRanks(), 4096);
  for (int64_t rank = 0; rank != 4096; ++rank)
    ASSERT_EQ(grid.getRank(grid.getCoordinates(rank)), rank);
  EXPECT_EQ(grid.getHops(0, 4095), 18);
  EXPECT_EQ(grid.getHops(0, 4095, /*isTorus=*/true), 6);
  EXPECT_EQ(grid.getHops(4095, 4095), 0);
}

TEST(Distribution, TextIsTheDistribution) {
  Grid grid = parseGrid("rows=2,cols=3");
  for (StringRef text : {"{}", "{d0: rows, d3: cols}", "{d0: cols*rows}",
                         "{d1: rows, partial: cols}", "{partial: cols*rows}"})
    EXPECT_EQ(parseDistribution(text, grid, 4).str(grid), text);
  EXPECT_EQ(parseDistribution(" { d3 : cols , d0 : rows } ", grid, 4).str(grid),
            "{d0: rows, d3: cols}");
  EXPECT_TRUE(parseDistribution("{}", grid, 2).isReplicated());
  EXPECT_FALSE(parseDistribution("{partial: cols}", grid, 2).isReplicated());
  EXPECT_EQ(parseDistribution("{d0: cols}", grid, 2).getReplicatingAxes(grid),
            (Distribution::Axes{0}));
}

TEST(Distribution, Errors) {
  Grid grid = parseGrid("rows=2,cols=3");
  auto errorOf = [&](StringRef text) {
    ParseError error;
    EXPECT_FALSE(Distribution::parse(text, grid, 2, error)) << text.str();
    return error.message;
  };
  EXPECT_EQ(errorOf("d0: rows"),
            "expected '{' to begin a distribution, got 'd0'");
  EXPECT_EQ(errorOf("{d2: rows}"), "d2 is not one of 2 dimensions");
  EXPECT_EQ(errorOf("{x: rows}"),
            "expected a dimension as d0, or partial, got 'x'");
  EXPECT_EQ(errorOf("{d0 rows}"), "expected ':' after d0, got 'rows'");
  EXPECT_EQ(errorOf("{d0: }"), "expected the name of an axis, got '}'");
  EXPECT_EQ(errorOf("{d0: x}"), "x is not an axis of the grid rows=2,cols=3");
  EXPECT_EQ(errorOf("{d0: rows, d0: cols}"), "d0 is given twice");
  EXPECT_EQ(errorOf("{d0: rows*rows}"), "axis rows appears twice in d0");
  EXPECT_EQ(errorOf("{d0: rows, d1: rows}"), "axis rows is in d0 and in d1");
  EXPECT_EQ(errorOf("{d0: rows, partial: rows}"),
            "axis rows is in d0 and in partial");
  EXPECT_EQ(errorOf("{} x"), "expected end of text, got 'x'");
  Distribution wrong = Distribution::replicated(1);
  wrong.dims[0].push_back(2);
  EXPECT_EQ(wrong.verify(grid), "axis 2 of d0 is not one of the grid's 2");
}

/// Cuts ascend from 0 to n, and parts differ by one at most.
TEST(Distribution, CutsAreEven) {
  for (int64_t extent = 0; extent != 40; ++extent)
    for (int64_t parts = 1; parts != 20; ++parts) {
      EXPECT_EQ(getCutBegin(extent, parts, 0), 0);
      EXPECT_EQ(getCutBegin(extent, parts, parts), extent);
      for (int64_t k = 0; k != parts; ++k) {
        const int64_t size =
            getCutBegin(extent, parts, k + 1) - getCutBegin(extent, parts, k);
        EXPECT_TRUE(size == extent / parts || size == extent / parts + 1);
      }
    }
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(getCutBegin(most, 1 << 20, 1 << 20), most);
  EXPECT_EQ(getCutBegin(most, 2, 1), most / 2);
}

/// The parts cover a tensor exactly, and every rank has one of them: that of
/// the ranks that differ where nothing is cut.
TEST(Distribution, PartsCoverExactly) {
  std::mt19937_64 random(8);
  for (int run = 0; run != 400; ++run) {
    Grid grid = randomGrid(random);
    llvm::SmallVector<int64_t> extents = randomExtents(random);
    Distribution some =
        randomDistribution(random, grid, extents.size(), run % 2);
    ASSERT_EQ(parseDistribution(some.str(grid), grid, extents.size()), some);
    std::vector<Box> parts = some.getParts(grid, extents);
    std::string error;
    std::optional<ExactCover> cover =
        getExactCover(getWholeBox(extents), parts, error);
    ASSERT_TRUE(cover && cover->isExact()) << error << cover->reason;
    std::vector<Box> boxes = some.getBoxes(grid, extents);
    ASSERT_EQ(boxes.size(), static_cast<size_t>(grid.getNumRanks()));
    for (auto [rank, box] : llvm::enumerate(boxes)) {
      EXPECT_TRUE(llvm::is_contained(parts, box));
      llvm::SmallVector<int64_t, 6> at = grid.getCoordinates(rank);
      for (unsigned axis : some.getReplicatingAxes(grid)) {
        at[axis] = 0;
        EXPECT_EQ(boxes[grid.getRank(at)], box);
      }
    }
  }
}

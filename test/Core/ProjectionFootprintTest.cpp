//===- ProjectionFootprintTest.cpp - Hulls, counts and rows, by sets ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProjectionTesting.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::StringRef;

/// Everything that getFootprint says of a block, against the set.
static void checkFootprint(const Projection &projection, const Box &block) {
  SCOPED_TRACE(projection.str());
  const size_t rank = projection.getNumRows();
  Places places = bruteImage(projection, block);
  ProjectionFootprint footprint = getFootprint(projection, block);
  expectIs(footprint, places, rank);
  EXPECT_EQ(*footprint.hull, *projection.getHull(block));
  if (places.empty()) {
    EXPECT_TRUE(footprint.rows.empty());
    return;
  }
  EXPECT_EQ(getWaste(footprint), *getVolume(*footprint.hull) - places.size());
  uint64_t product = 1;
  for (size_t r = 0; r != rank; ++r) {
    const RowLattice &row = footprint.rows[r];
    std::set<int64_t> is, claimed;
    for (const std::vector<int64_t> &place : places)
      is.insert(place[r]);
    for (uint64_t k = 0; k != row.count; ++k)
      for (uint64_t x = 0; x != row.run; ++x)
        claimed.insert(row.first + static_cast<int64_t>(k * row.stride + x));
    EXPECT_EQ(claimed.size(), row.count * row.run) << row.str();
    if (row.isExact) {
      EXPECT_EQ(is, claimed) << row.str();
    } else {
      EXPECT_TRUE(
          std::includes(claimed.begin(), claimed.end(), is.begin(), is.end()))
          << row.str();
    }
    product *= claimed.size();
  }
  EXPECT_EQ(footprint.getStridedCount(), product);
  if (footprint.isProduct) {
    EXPECT_EQ(product, places.size());
  }
}

TEST(ProjectionFootprint, OfTheHeader) {
  Projection p = parseProjection("[[2, 0], [0, 3]] + [0, -1], shape = [3, 2]");
  ProjectionFootprint f = getFootprint(p, box({0, 0}, {5, 4}));
  EXPECT_EQ(f.hull, box({0, -1}, {11, 10}));
  EXPECT_EQ(f.count, 88u);
  EXPECT_EQ(f.kind, Exactness::Hull);
  EXPECT_EQ(getWaste(f), 33u);
  EXPECT_EQ(f.rows[0].str(), "[0, 11)");
  EXPECT_EQ(f.rows[1].str(), "-1 + 3k + [0, 2), k < 4");
  EXPECT_EQ(f.getStridedCount(), 88u);
}

/// Random signs, zero columns, coupled rows, empty blocks.
TEST(ProjectionFootprint, IsTheSet) {
  RandomProjections random(5);
  for (int run = 0; run != 4000; ++run) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(0, 4);
    Projection p = random.projection(rows, columns, random.pick(1, 9), 3);
    checkFootprint(p, random.block(columns, 4));
    if (HasFailure())
      return;
  }
}

/// One row of several strides: progressions that interlock.
TEST(ProjectionFootprint, IsTheSetOfOneRow) {
  RandomProjections random(6);
  for (int run = 0; run != 2000; ++run) {
    const int64_t columns = random.pick(1, 4);
    Projection p = random.projection(1, columns, random.pick(2, 40), 7);
    checkFootprint(p, random.block(columns, 8));
    if (HasFailure())
      return;
  }
}

/// F(A ∪ B) = F(A) ∪ F(B), for a block cut in two.
TEST(ProjectionFootprint, UnionOfBlocks) {
  RandomProjections random(7);
  for (int run = 0; run != 300; ++run) {
    Projection p = random.projection(2, 2, 4, 3);
    Box whole = random.block(2, 6), lo = whole, hi = whole;
    lo.hi[0] = hi.lo[0] = random.pick(whole.lo[0], whole.hi[0]);
    Places both = bruteImage(p, lo), rest = bruteImage(p, hi);
    both.insert(rest.begin(), rest.end());
    EXPECT_EQ(getFootprint(p, whole).count, both.size());
  }
}

/// Closed forms don't care for extents.
TEST(ProjectionFootprint, LargeBlocks) {
  // Interlocking strides: 10^9 · 10^9 points without the pairs (5, -3) apart.
  ProjectionFootprint f =
      getFootprint(parseProjection("[[3, 5]] + [0], shape = [1]"),
                   box({0, 0}, {1000000000, 1000000000}));
  EXPECT_EQ(f.hull, box({0}, {7999999993}));
  EXPECT_EQ(f.count,
            1000000000000000000u - uint64_t(1000000000 - 5) * (1000000000 - 3));
  // Coupled rows, no kernel.
  f = getFootprint(
      parseProjection("[[1, 1], [1, -1]] + [0, 0], shape = [1, 1]"),
      box({0, 0}, {1000000, 2000000}));
  EXPECT_EQ(f.count, 2000000000000u);
  // Three strides, none of which is dense: gaps only near the ends.
  f = getFootprint(parseProjection("[[6, 10, 15]] + [0], shape = [1]"),
                   box({0, 0, 0}, {1000000, 1000000, 1000000}));
  // The largest number that is not a sum of 6, 10 and 15 is 29; there are 15.
  EXPECT_EQ(f.count, uint64_t(31) * 999999 + 1 - 2 * 15);
}

TEST(ProjectionFootprint, PastTheBudgetThereIsAHull) {
  Projection p = parseProjection(
      "[[1, 7, 0], [3, 0, 1], [1, 1, 1]] + [0, 0, 0], shape = [2, 2, 2]");
  Box block = box({0, 0, 0}, {9, 9, 9});
  EXPECT_TRUE(getFootprint(p, block).count);
  ProjectionFootprint f = getFootprint(p, block, /*budget=*/10);
  EXPECT_EQ(f.hull, *p.getHull(block));
  EXPECT_FALSE(f.count);
  EXPECT_EQ(f.kind, Exactness::Hull);
  EXPECT_FALSE(getWaste(f));
}

TEST(ProjectionFootprint, EndsOf64Bits) {
  const int64_t min = INT64_MIN, max = INT64_MAX;
  // A dense row of nearly 2^64 places; its square can't be counted.
  Projection p = parseProjection("[[1]] + [0], shape = [1]");
  ProjectionFootprint f = getFootprint(p, box({min}, {max}));
  EXPECT_EQ(f.kind, Exactness::Exact);
  EXPECT_EQ(f.count, UINT64_MAX);
  p = parseProjection("[[1, 0], [0, 1]] + [0, 0], shape = [1, 1]");
  f = getFootprint(p, box({min, min}, {max, max}));
  EXPECT_EQ(f.kind, Exactness::Exact);
  EXPECT_FALSE(f.count);
  EXPECT_EQ(getWaste(f), 0u);
  // Coupled, at the ends of what a hull may be.
  p = parseProjection("[[4611686018427387904, -4611686018427387904], [1, 2]] + "
                      "[0, 0], shape = [1, 1]");
  f = getFootprint(p, box({0, 0}, {2, 2}));
  EXPECT_EQ(f.count, 4u);
  EXPECT_EQ(getFootprint(p, box({0, 0}, {3, 3})).kind, Exactness::Unknown);
  p = parseProjection("[[-9223372036854775808, 1]] + [0], shape = [1]");
  EXPECT_EQ(getFootprint(p, box({0, 0}, {2, 2})).count, 4u);
  EXPECT_FALSE(getFootprint(p, box({0, 0}, {3, 2})).hull);
  // A column that is empty makes everything empty, overflow or not.
  EXPECT_EQ(getFootprint(p, box({0, 0}, {3, 0})).count, 0u);
  EXPECT_EQ(getFootprint(p, box({0}, {1})).kind, Exactness::Unknown);
}

TEST(ProjectionFootprint, FixedViewsAndNoRows) {
  Projection view = parseProjection("[[0, 0]] + [2], shape = [5]");
  EXPECT_EQ(getFootprint(view, box({0, 0}, {1000, 1000})).count, 5u);
  EXPECT_EQ(getFootprint(view, box({0, 0}, {0, 7})).count, 0u);
  Projection none = parseProjection("[] + [], shape = []");
  ProjectionFootprint f = getFootprint(none, box({}, {}));
  EXPECT_EQ(f.count, 1u);
  EXPECT_EQ(f.kind, Exactness::Exact);
  EXPECT_EQ(f.getStridedCount(), 1u);
}

/// Starts and regions of different points, pair by pair.
TEST(ProjectionFootprint, InjectiveAndDisjoint) {
  RandomProjections random(8);
  int answers[2][2] = {};
  for (int run = 0; run != 3000; ++run) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(0, 3);
    Projection p = random.projection(rows, columns, random.pick(1, 6), 3);
    Box block = random.block(columns, 4);
    Places starts, places;
    size_t points = 0, volume = 1;
    for (int64_t extent : p.shape)
      volume *= extent;
    forEachPoint(block, [&](const std::vector<int64_t> &point) {
      IndexRegion region = *p.evaluate(point);
      starts.insert({region.lo.begin(), region.lo.end()});
      addRegion(p, point, places);
      ++points;
    });
    const bool injective = starts.size() == points;
    const bool disjoint = places.size() == points * volume;
    EXPECT_EQ(isInjectiveOnStarts(p, block), injective) << p.str();
    EXPECT_EQ(areRegionsDisjoint(p, block), disjoint) << p.str();
    ++answers[injective][disjoint];
  }
  // All that can be has been.
  EXPECT_GT(answers[0][0], 100);
  EXPECT_GT(answers[1][0], 100);
  EXPECT_GT(answers[1][1], 100);
}

TEST(ProjectionFootprint, InjectiveOnLargeBlocks) {
  Box block = box({0, 0}, {1000000000, 1000000000});
  EXPECT_EQ(isInjectiveOnStarts(parseProjection("[[3, 5]] + [0], shape = [1]"),
                                block),
            false);
  EXPECT_EQ(
      areRegionsDisjoint(
          parseProjection("[[7, 0], [0, 7]] + [0, 0], shape = [7, 7]"), block),
      true);
  EXPECT_EQ(
      areRegionsDisjoint(
          parseProjection("[[7, 0], [0, 6]] + [0, 0], shape = [7, 7]"), block),
      false);
  // Rows of a matrix in a buffer, 10^9 elements apart, 4 elements each.
  EXPECT_EQ(areRegionsDisjoint(
                parseProjection("[[4000000000, 4]] + [0], shape = [4]"), block),
            true);
}

//===----------------------------------------------------------------------===//
// The cases
//===----------------------------------------------------------------------===//

TEST(ProjectionFootprint, Cases) {
  for (StringRef file :
       {"layout_tapestry.jsonl", "layout_rand_projection.jsonl"})
    for (const llvm::json::Object &c : readCases(file, "projection")) {
      SCOPED_TRACE(c.getString("id")->str());
      Projection p = toProjection(c);
      Box block = toBox(*c.get("block"));
      const llvm::json::Object &expect = *c.getObject("expect");
      ProjectionFootprint f = getFootprint(p, block);
      EXPECT_EQ(f.hull, toBox(*expect.get("hull")));
      EXPECT_EQ(f.count, *expect.getInteger("count"));
      EXPECT_EQ(getVolume(*f.hull), *expect.getInteger("hull_count"));
      EXPECT_EQ(f.kind == Exactness::Exact, *expect.getBoolean("dense"));
      EXPECT_EQ(getWaste(f), *expect.getInteger("waste"));
      EXPECT_EQ(isInjectiveOnStarts(p, block),
                *expect.getBoolean("injective_starts"));
      EXPECT_EQ(areRegionsDisjoint(p, block),
                *expect.getBoolean("disjoint_regions"));
      checkFootprint(p, block);
    }
}

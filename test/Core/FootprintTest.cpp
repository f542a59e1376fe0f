//===- FootprintTest.cpp - What maps reach, worked by hand ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "ParseMap.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

Box box(llvm::ArrayRef<int64_t> lo, llvm::ArrayRef<int64_t> hi) {
  return {llvm::SmallVector<int64_t>(lo), llvm::SmallVector<int64_t>(hi)};
}

Footprint exactly(Box hull, uint64_t count) {
  return {Exactness::Exact, std::move(hull), count};
}

// A window of 7 at stride 2 covers everything between its ends.
TEST(Footprint, AWindowIsAnInterval) {
  IndexingMap map = parse("(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 111], "
                          "s0 in [0, 6]");
  EXPECT_EQ(getImage(map), exactly(box({0}, {229}), 229));
  EXPECT_EQ(countPoints(map), 784u);
  EXPECT_EQ(isInjective(map), false);
  Box block = box({2}, {4});
  EXPECT_EQ(getImage(map, &block), exactly(box({4}, {13}), 9));
  EXPECT_EQ(getPreimage(map, box({0}, {3})), exactly(box({0}, {2}), 2));
}

// The first layer of ResNet: rows -3 to 226 without the padding.
TEST(Footprint, APaddedConvolutionReadsItsWholeImage) {
  IndexingMap map = parse(
      "(d0, d1, d2, d3)[s0, s1, s2] -> (d0, d1 * 2 + s0 - 3, d2 * 2 + s1 - 3, "
      "s2), domain: d0 in [0, 0], d1 in [0, 111], d2 in [0, 111], d3 in [0, "
      "63], s0 in [0, 6], s1 in [0, 6], s2 in [0, 2], d1 * 2 + s0 in [3, 226], "
      "d2 * 2 + s1 in [3, 226]");
  EXPECT_EQ(getImage(map),
            exactly(box({0, 0, 0, 0}, {1, 224, 224, 3}), 224 * 224 * 3));
  // For s0 = 0..6 there are 110, 111, 111, 112, 112, 111, 111 positions whose
  // row is inside; the same for columns; 3 channels, 64 filters.
  EXPECT_EQ(countPoints(map), 778u * 778u * 3u * 64u);
  // The first tile of the output reads four rows and columns.
  Box tile = box({0, 0, 0, 0}, {1, 1, 1, 64});
  EXPECT_EQ(getImage(map, &tile), exactly(box({0, 0, 0, 0}, {1, 4, 4, 3}), 48));
  // The first row of the image goes to the first two rows of the output.
  EXPECT_EQ(getPreimage(map, box({0, 0, 0, 0}, {1, 1, 224, 3})),
            exactly(box({0, 0, 0, 0}, {1, 2, 112, 64}), 2 * 112 * 64));
}

// Windows that leave gaps: rows 4i, 4i+1, 4i+2.
TEST(Footprint, AWindowShorterThanItsStrideLeavesGaps) {
  IndexingMap map = parse("(d0)[s0] -> (d0 * 4 + s0), domain: "
                          "d0 in [0, 9], s0 in [0, 2]");
  EXPECT_EQ(getImage(map), (Footprint{Exactness::Hull, box({0}, {39}), 30}));
  EXPECT_EQ(isInjective(map), true);
  EXPECT_EQ(inverse(map)->str(), "(d0) -> (d0 floordiv 4), domain: d0 in [0, "
                                 "38], d0 mod 4 in [0, 2]");
  EXPECT_EQ(getPreimage(map, box({3}, {4})).count, 0u);
}

// 5a + 7b: irregular near both ends, where 12 numbers each are missing.
TEST(Footprint, SumsOfCoprimeStridesAreCounted) {
  IndexingMap map = parse("(d0, d1) -> (d0 * 5 + d1 * 7), domain: "
                          "d0 in [0, 99], d1 in [0, 99]");
  EXPECT_EQ(getImage(map),
            (Footprint{Exactness::Hull, box({0}, {1189}), 1165}));
}

TEST(Footprint, ReshapesComeBackAsSumsOfDigits) {
  IndexingMap map = parse("(d0) -> (d0 floordiv 20, (d0 floordiv 5) mod 4, d0 "
                          "mod 5), domain: d0 in [0, 59]");
  EXPECT_EQ(getImage(map), exactly(box({0, 0, 0}, {3, 4, 5}), 60));
  EXPECT_EQ(inverse(map)->str(),
            "(d0, d1, d2) -> (d0 * 20 + d1 * 5 + d2), domain: d0 in [0, 2], "
            "d1 in [0, 3], d2 in [0, 4]");
}

// Two sums of three large variables: more points than places.
TEST(Footprint, MorePointsThanPlacesCollide) {
  EXPECT_EQ(isInjective(parse("(d0, d1, d2) -> (d0 * 5 + d1 * 7 + d2 * 11, d0 "
                              "* 3 + d2 * 4), domain: d0 in [0, 99999], d1 in "
                              "[0, 99999], d2 in [0, 99999]")),
            false);
}

// What a result leaves open is a symbol.
TEST(Footprint, InversesOfBroadcastsHaveSymbols) {
  EXPECT_EQ(inverse(parse("(d0, d1) -> (d1), domain: d0 in [0, 4], "
                          "d1 in [0, 6]"))
                ->str(),
            "(d0)[s0] -> (s0, d0), domain: d0 in [0, 6], s0 in [0, 4]");
  EXPECT_EQ(inverse(IndexingMap()), std::nullopt);
  // Nothing comes back from nowhere.
  std::optional<IndexingMap> back =
      inverse(parse("empty (d0, d1) -> (d1), domain: d0 in [0, 4], "
                    "d1 in [0, 6]"));
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->isKnownEmpty());
  EXPECT_EQ(back->getNumResults(), 2u);
}

TEST(Footprint, UnionsCountWhatIsReadTwiceOnce) {
  IndexingMap p = parse("(d0, d1) -> (d0, d1), domain: d0 in [0, 9], "
                        "d1 in [0, 9]");
  IndexingMap transposed = parse("(d0, d1) -> (d1, d0), domain: d0 in [0, 9], "
                                 "d1 in [0, 9]");
  EXPECT_EQ(countUnion({p, transposed}), 100u);
  auto shifted = [&](int64_t by) {
    FormArena arena = p.getArena();
    return p.withResults({arena.add(p.getResult(0), Form(by)), p.getResult(1)});
  };
  // A stencil of three rows; two blocks far apart.
  EXPECT_EQ(countUnion({shifted(-1), p, shifted(1)}), 120u);
  EXPECT_EQ(countUnion({p, shifted(1000)}), 200u);
  // Multiples of 2 and of 3 below 600.
  EXPECT_EQ(countUnion({parse("(d0) -> (d0 * 2), domain: d0 in [0, 299]"),
                        parse("(d0) -> (d0 * 3), domain: d0 in [0, 199]")}),
            400u);
  EXPECT_EQ(countUnion({}), 0u);
  EXPECT_EQ(countUnion({p, IndexingMap()}), std::nullopt);
  EXPECT_EQ(countUnion({p, parse("(d0) -> (d0), domain: d0 in [0, 3]")}),
            std::nullopt);
  // An unknown row inside of what is read anyway adds nothing.
  IndexingMap row = parse("(d0){rt0} -> (rt0, d0), domain: d0 in [0, 9], "
                          "rt0 in [0, 9]");
  EXPECT_EQ(countUnion({p, row}), 100u);
  EXPECT_EQ(countUnion({shifted(5), row}), std::nullopt);
}

// A gather: each row comes from anywhere.
TEST(Footprint, RuntimeVariablesLeaveAHull) {
  IndexingMap map = parse("(d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, 9], "
                          "d1 in [0, 4], rt0 in [0, 99]");
  EXPECT_EQ(getImage(map),
            (Footprint{Exactness::Hull, box({0, 0}, {100, 5}), std::nullopt}));
  EXPECT_EQ(countPoints(map), 50u);
  EXPECT_EQ(isInjective(map), std::nullopt);
  // What does not depend on it is known.
  IndexingMap other = parse("(d0){rt0} -> (d0), domain: d0 in [0, 9], "
                            "rt0 in [0, 99]");
  EXPECT_EQ(getImage(other), exactly(box({0}, {10}), 10));
  EXPECT_EQ(isInjective(other), true);
}

TEST(Footprint, TheEmptySetHasAnEmptyHull) {
  IndexingMap map = parse("(d0) -> (d0, d0), domain: d0 in [0, 9], "
                          "d0 mod 8 in [45, 49]");
  EXPECT_EQ(getImage(map), exactly(box({0, 0}, {0, 0}), 0));
  EXPECT_EQ(countPoints(map), 0u);
  EXPECT_EQ(isInjective(map), true);
  // The box of rank 0 is not empty, so it is not the set.
  EXPECT_EQ(getImage(map.withResults({})),
            (Footprint{Exactness::Hull, box({}, {}), 0}));
  EXPECT_EQ(getImage(parse("() -> ()")), exactly(box({}, {}), 1));
}

TEST(Footprint, WhatIsNotKnownIsUnknown) {
  EXPECT_EQ(getImage(IndexingMap()), Footprint());
  EXPECT_EQ(getPreimage(IndexingMap(), box({0}, {1})), Footprint());
  EXPECT_EQ(countPoints(IndexingMap()), std::nullopt);
  EXPECT_EQ(isInjective(IndexingMap()), std::nullopt);
  IndexingMap open = parse("(d0) -> (d0)");
  EXPECT_EQ(getImage(open), Footprint());
  EXPECT_EQ(countPoints(open), std::nullopt);
  EXPECT_EQ(isInjective(open), true);
  Box block = box({3}, {5});
  EXPECT_EQ(getImage(open, &block), exactly(block, 2));
  EXPECT_EQ(getPreimage(open, block), exactly(block, 2));
  // Boxes of another rank.
  Box square = box({0, 0}, {1, 1});
  EXPECT_EQ(getImage(open, &square), Footprint());
  EXPECT_EQ(getPreimage(open, square), Footprint());
}

// More elements than 64 bits hold: the box is exact, the count is not known.
TEST(Footprint, CountsBeyond64BitsAreUnknown) {
  IndexingMap map = IndexingMap::identity({int64_t(1) << 40, int64_t(1) << 40});
  Footprint image = getImage(map);
  EXPECT_EQ(image.kind, Exactness::Exact);
  EXPECT_EQ(image.count, std::nullopt);
  EXPECT_EQ(countPoints(map), std::nullopt);
  EXPECT_EQ(isInjective(map), true);
  // No half-open box reaches beyond the last int64.
  EXPECT_EQ(getImage(parse("(d0) -> (d0), domain: d0 in "
                           "[0, 9223372036854775806]"))
                .hull,
            box({0}, {Interval::kNoUpper}));
}

// Large triangles and stripes take no walk.
TEST(Footprint, TrianglesAreCountedInClosedForm) {
  IndexingMap map = parse("(d0, d1) -> (d0, d1), domain: d0 in [0, 99999999], "
                          "d1 in [0, 99999999], d1 - d0 in [0, 99999999]");
  EXPECT_EQ(countPoints(map), uint64_t(100000000) * 100000001 / 2);
  EXPECT_EQ(countImage(map), countPoints(map));
  // 2x + 3y <= 12 with x, y >= 0: 7 + 5 + 4 + 2 + 1.
  EXPECT_EQ(countPoints(parse("(d0, d1) -> (), domain: d0 in [0, 100], d1 in "
                              "[0, 100], d0 * 2 + d1 * 3 in [0, 12]")),
            19u);
}

} // namespace

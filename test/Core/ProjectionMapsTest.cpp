//===- ProjectionMapsTest.cpp - Projections and indexing maps -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProjectionTesting.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::StringRef;

static IndexingMap parseMap(StringRef text) {
  ParseError error;
  std::optional<IndexingMap> map = IndexingMap::parse(text, error);
  EXPECT_TRUE(map) << error.message;
  return map.value_or(IndexingMap());
}

/// The map's results are the elements, whatever the policy; or it is refused.
TEST(ProjectionMaps, MapsNameTheElements) {
  RandomProjections random(81);
  using Kind = OutOfBounds::Kind;
  int made = 0;
  for (int run = 0; run != 1500; ++run) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(0, 3);
    Projection p = random.projection(rows, columns, 4, 3);
    for (int64_t r = 0; r != rows; ++r)
      p.outOfBounds.push_back(
          {static_cast<Kind>(random.pick(0, 3)), std::nullopt});
    Box block = random.block(columns, 4);
    llvm::SmallVector<int64_t> sizes;
    for (int64_t r = 0; r != rows; ++r)
      sizes.push_back(random.pick(1, 30));
    bool isForbidden = false;
    Places elements;
    for (const std::vector<int64_t> &place : bruteImage(p, block)) {
      Resolved resolved = p.resolve(place, sizes);
      isForbidden |= resolved.kind == Resolved::Kind::Forbidden;
      elements.insert({resolved.index.begin(), resolved.index.end()});
    }
    std::string error;
    std::optional<IndexingMap> map = toIndexingMap(p, block, {sizes}, error);
    ASSERT_EQ(map.has_value(), !isForbidden) << p.str() << error;
    if (!map)
      continue;
    ++made;
    EXPECT_FALSE(map->verify());
    std::optional<std::set<Point>> image = enumerateImage(*map);
    ASSERT_TRUE(image);
    EXPECT_EQ(*image, Places(elements.begin(), elements.end()))
        << p.str() << " is " << map->str();
  }
  EXPECT_GT(made, 300);
}

/// There and back: the same regions over the same block.
TEST(ProjectionMaps, RoundTrip) {
  RandomProjections random(82);
  for (int run = 0; run != 500; ++run) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(0, 3);
    Projection p = random.projection(rows, columns, 4, 3);
    Box block = random.block(columns, 4);
    if (block.isEmpty())
      continue;
    std::string error;
    std::optional<IndexingMap> map =
        toIndexingMap(p, block, std::nullopt, error);
    ASSERT_TRUE(map) << error;
    std::optional<ProjectedBlock> back = fromIndexingMap(*map, false, error);
    ASSERT_TRUE(back) << error << ": " << map->str();
    EXPECT_EQ(back->block, block);
    forEachPoint(block, [&](const std::vector<int64_t> &point) {
      EXPECT_EQ(back->projection.evaluate(point), p.evaluate(point));
    });
  }
}

TEST(ProjectionMaps, OfTheHeader) {
  std::string error;
  Projection p = parseProjection("[[2], [0]] + [-1, 0], shape = [3, 5]");
  EXPECT_EQ(toIndexingMap(p, box({0}, {4}), std::nullopt, error)->str(),
            "(d0)[s0, s1] -> (d0 * 2 + s0 - 1, s1), domain: d0 in [0, 3], s0 "
            "in [0, 2], s1 in [0, 4]");
  EXPECT_TRUE(
      toIndexingMap(p, box({4}, {4}), std::nullopt, error)->isKnownEmpty());
}

TEST(ProjectionMaps, ReadsMaps) {
  std::string error;
  auto read = [&](StringRef text, bool axes = false) {
    std::optional<ProjectedBlock> found =
        fromIndexingMap(parseMap(text), axes, error);
    return found ? found->projection.str() : error;
  };
  EXPECT_EQ(read("(d0)[s0, s1] -> (-d0 + s0 + s1 * 3 + 4), domain: d0 in [0, "
                 "9], s0 in [1, 3], s1 in [0, 4]"),
            "[[-1]] + [5], shape = [15]");
  EXPECT_EQ(read("(d0)[s0] -> (d0 - s0), domain: d0 in [0, 9], s0 in [0, 3]"),
            "[[1]] + [-3], shape = [4]");
  EXPECT_EQ(read("(d0)[s0] -> (d0 + s0 * 3), domain: d0 in [0, 9], s0 in [0, "
                 "3]"),
            "result 0, d0 + s0 * 3, steps by 3 with s0: a region has no gaps");
  EXPECT_EQ(read("(d0)[s0] -> (d0 + s0 * 3), domain: d0 in [0, 9], s0 in [0, "
                 "3]",
                 true),
            "[[1, 3]] + [0], shape = [1]");
  EXPECT_EQ(read("(d0)[s0] -> (s0, d0 + s0), domain: d0 in [0, 9], s0 in [0, "
                 "3]"),
            "symbol s0 is in results 0 and 1: together they are not a box");
  EXPECT_EQ(read("(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]"),
            "result 0, d0 floordiv 2, is not a sum of multiples of variables");
  EXPECT_EQ(read("(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 + "
                 "d1 in [0, 7]"),
            "the constraint on d0 + d1 has no place in a projection");
  EXPECT_EQ(read("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, "
                 "9]"),
            "runtime variable rt0 has no place in a projection");
  EXPECT_EQ(read("(d0) -> (d0), domain: d0 in [0, inf]"),
            "variable d0 has no bound");
  EXPECT_EQ(read("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 1], s0 in [0, inf]"),
            "variable s0 has no bound");
  EXPECT_EQ(read("unknown"), "the map is unknown: no reason given");
  EXPECT_EQ(read("empty (d0) -> (d0), domain: d0 in [0, 9]"),
            "the map is known to be empty: it has no regions");
  EXPECT_EQ(read("(d0) -> (), domain: d0 in [0, 9]"),
            "a projection without rows has no columns, got 1 dims");
  EXPECT_EQ(read("() -> ()"), "[] + [], shape = []");
}

TEST(ProjectionMaps, Refuses) {
  std::string error;
  Projection p = parseProjection("[[1]] + [-2], shape = [1], oob = [wrap]");
  Box block = box({0}, {4});
  EXPECT_FALSE(toIndexingMap(p, block, std::nullopt, error));
  EXPECT_EQ(error,
            "dimension 0 has the policy wrap, which needs the tensor's sizes");
  EXPECT_FALSE(toIndexingMap(p, box({0, 0}, {1, 1}), std::nullopt, error));
  EXPECT_EQ(error, "the projection has 1 columns, got a block of rank 2");
  EXPECT_FALSE(toIndexingMap(p, block, llvm::ArrayRef<int64_t>({1, 2}), error));
  EXPECT_EQ(error, "the projection has 1 rows, got 2 sizes");
  p = parseProjection("[[1]] + [-2], shape = [1], oob = [pad(0)]");
  EXPECT_FALSE(toIndexingMap(p, block, llvm::ArrayRef<int64_t>({9}), error));
  EXPECT_EQ(error,
            "place -2 of dimension 0 is padding, which is not an element "
            "that a map could name");
  p = parseProjection("[[1]] + [-2], shape = [1], oob = [negative]");
  EXPECT_FALSE(toIndexingMap(p, block, llvm::ArrayRef<int64_t>({1}), error));
  EXPECT_EQ(error, "place -2 of dimension 0 is forbidden outside of [-1, 1)");
  p = parseProjection("[[9223372036854775807]] + [0], shape = [1]");
  EXPECT_FALSE(toIndexingMap(p, block, std::nullopt, error));
  EXPECT_EQ(error, "the region overflows 64-bit arithmetic: [0, "
                   "27670116110564327422) of dimension 0");
}

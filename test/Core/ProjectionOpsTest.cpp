//===- ProjectionOpsTest.cpp - Composition, preimages, overlaps, splits ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProjectionTesting.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// Each region of the composed projection is the hull of what is touched, and
/// is that if it says so.
TEST(ProjectionOps, ComposedRegionsAreHulls) {
  RandomProjections random(21);
  int exact = 0;
  for (int run = 0; run != 1000; ++run) {
    const int64_t columns = random.pick(0, 3), middle = random.pick(1, 3);
    Projection first = random.projection(middle, columns, 3, 3);
    Projection second =
        random.projection(random.pick(1, 3), middle, random.pick(1, 3), 3);
    std::string error;
    std::optional<ComposedProjection> composed = compose(first, second, error);
    ASSERT_TRUE(composed) << error;
    ASSERT_FALSE(composed->projection.verify());
    EXPECT_EQ(composed->projection.anchor.has_value(),
              first.anchor || second.anchor);
    std::vector<int64_t> point;
    for (int64_t c = 0; c != columns; ++c)
      point.push_back(random.pick(-3, 3));
    Places places;
    forEachPoint(*first.evaluate(point), [&](const std::vector<int64_t> &x) {
      addRegion(second, x, places);
    });
    IndexRegion region = *composed->projection.evaluate(point);
    EXPECT_EQ(region, bruteHull(places, second.getNumRows()))
        << first.str() << " then " << second.str();
    EXPECT_EQ(composed->isExact, getVolume(region) == places.size());
    exact += composed->isExact;
  }
  EXPECT_GT(exact, 100);
  EXPECT_LT(exact, 900);
}

/// p then (q then r) begins where (p then q) then r does or later, and is no
/// longer: hulls of hulls grow where steps of opposite signs cancel. Without
/// negative steps both are the same; the identity is neutral.
TEST(ProjectionOps, CompositionIsAssociative) {
  RandomProjections random(22);
  std::string error;
  for (int run = 0; run != 300; ++run) {
    Projection p = random.projection(2, 3, 3, 3);
    Projection q = random.projection(3, 2, 3, 3);
    Projection r = random.projection(1, 3, 3, 3);
    const bool isPositive = random.pick(0, 1);
    for (Projection *each : {&p, &q, &r})
      for (auto &row : each->matrix)
        for (int64_t &m : row)
          m = isPositive ? std::abs(m) : m;
    auto pq = compose(p, q, error), qr = compose(q, r, error);
    Projection left = compose(pq->projection, r, error)->projection;
    Projection right = compose(p, qr->projection, error)->projection;
    EXPECT_EQ(left.matrix, right.matrix);
    IndexRegion outer = *left.evaluate({1, 2, 3});
    IndexRegion inner = *right.evaluate({1, 2, 3});
    EXPECT_EQ(intersectBoxes(outer, inner), inner);
    if (isPositive) {
      EXPECT_EQ(outer, inner);
    }
    Projection identity =
        parseProjection("[[1, 0], [0, 1]] + [0, 0], shape = [1, 1]");
    EXPECT_EQ(compose(p, identity, error)->projection.str(), p.str());
    EXPECT_EQ(compose(identity, q, error)->projection.str(), q.str());
  }
}

TEST(ProjectionOps, ComposeKeepsTheAnchor) {
  // The centre of a window of a window of 3 is its centre.
  Projection window =
      parseProjection("[[1]] + [0], anchor = [-1], shape = [3]");
  std::string error;
  EXPECT_EQ(compose(window, window, error)->projection.str(),
            "[[1]] + [0], anchor = [-2], shape = [5]");
  Projection reversed = parseProjection("[[-1]] + [9], shape = [1]");
  EXPECT_EQ(compose(window, reversed, error)->projection.str(),
            "[[-1]] + [9], anchor = [-1], shape = [3]");
}

TEST(ProjectionOps, ComposeRefuses) {
  std::string error;
  Projection p = parseProjection("[[1], [1]] + [0, 0], shape = [1, 1]");
  EXPECT_FALSE(compose(p, p, error));
  EXPECT_EQ(error, "the first projection has 2 rows, but the second has 1 "
                   "columns");
  Projection wraps = parseProjection("[[1]] + [0], shape = [3], oob = [wrap]");
  EXPECT_FALSE(compose(wraps, p, error));
  EXPECT_EQ(error, "dimension 0 between the projections has the policy wrap, "
                   "which no single projection can follow");
  Projection view = parseProjection("[[0]] + [4], shape = [2]");
  EXPECT_TRUE(compose(wraps, view, error));
  Projection pads = parseProjection("[[1]] + [0], shape = [3], oob = [pad(0)]");
  EXPECT_FALSE(compose(pads, view, error));
  EXPECT_EQ(error, "dimension 0 between the projections has the policy pad(0), "
                   "which no single projection can follow");
  // The last policies stay.
  EXPECT_EQ(compose(view, wraps, error)->projection.str(),
            "[[0]] + [4], shape = [4], oob = [wrap]");
  Projection large =
      parseProjection("[[4611686018427387904]] + [0], shape = [1]");
  EXPECT_FALSE(compose(large, large, error));
  EXPECT_EQ(error, "the projection overflows 64-bit arithmetic");
}

TEST(ProjectionOps, ComposeCases) {
  for (const json::Object &c : readCases("layout_rand_projection_compose.jsonl",
                                         "projection_compose")) {
    SCOPED_TRACE(c.getString("id")->str());
    std::string error;
    std::optional<ComposedProjection> composed =
        compose(toProjection(*c.getObject("first")),
                toProjection(*c.getObject("second")), error);
    ASSERT_TRUE(composed) << error;
    const json::Object &expect = *c.getObject("expect");
    EXPECT_EQ(composed->projection, toProjection(expect));
    EXPECT_EQ(composed->isExact, *expect.getBoolean("hull_is_exact"));
  }
}

//===----------------------------------------------------------------------===//
// Preimages
//===----------------------------------------------------------------------===//

static Places brutePreimage(const Projection &projection, const Box &target,
                            const Box &domain, bool contained) {
  Places points;
  forEachPoint(domain, [&](const std::vector<int64_t> &point) {
    IndexRegion region = *projection.evaluate(point);
    Box common = intersectBoxes(region, target);
    if (contained ? common == region : !common.isEmpty())
      points.insert(point);
  });
  return points;
}

TEST(ProjectionOps, PreimageIsTheSet) {
  RandomProjections random(31);
  for (int run = 0; run != 4000; ++run) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(0, 4);
    Projection p = random.projection(rows, columns, random.pick(1, 5), 4);
    Box domain = random.block(columns, 6), target;
    IndexRegion around = *p.getHull(domain);
    for (int64_t r = 0; r != rows; ++r) {
      target.lo.push_back(random.pick(around.lo[r] - 2, around.hi[r]));
      target.hi.push_back(target.lo.back() + random.pick(0, 12));
    }
    for (bool contained : {false, true}) {
      SCOPED_TRACE(p.str() + " of " + printBox(target) + " in " +
                   printBox(domain));
      expectIs(getPreimage(p, target, domain, contained),
               brutePreimage(p, target, domain, contained), columns);
    }
    if (HasFailure())
      return;
  }
}

/// A ⊆ F⁻¹(F(A)).
TEST(ProjectionOps, ABlockIsInThePreimageOfItsImage) {
  RandomProjections random(32);
  for (int run = 0; run != 300; ++run) {
    Projection p = random.projection(2, 2, 4, 3);
    Box domain = box({-9, -9}, {10, 10}), block = random.block(2, 4);
    if (block.isEmpty())
      continue;
    Footprint back = getPreimage(p, *p.getHull(block), domain);
    EXPECT_EQ(intersectBoxes(block, *back.hull), block);
    EXPECT_GE(*back.count, *getVolume(block));
  }
}

TEST(ProjectionOps, PreimageOfLargeDomains) {
  const int64_t large = int64_t(1) << 60;
  Projection p = parseProjection("[[2, 0], [0, 3]] + [0, 0], shape = [3, 1]");
  Footprint f =
      getPreimage(p, box({0, 0}, {10, large}), box({0, 0}, {large, large}));
  EXPECT_EQ(f.kind, Exactness::Exact);
  EXPECT_EQ(f.hull, box({0, 0}, {5, large / 3 + 1}));
  // Two coupled axes: points below a line.
  p = parseProjection("[[1, 1000]] + [0], shape = [1]");
  f = getPreimage(p, box({0}, {1000000}), box({0, 0}, {large, 1000000}));
  EXPECT_EQ(f.count, 500500000u);
  EXPECT_EQ(f.hull, box({0, 0}, {1000000, 1000}));
  EXPECT_EQ(f.kind, Exactness::Hull);
  // Factors that share no step, and four axes in two rows.
  p = parseProjection("[[3, -1048576]] + [-1], shape = [1]");
  f = getPreimage(p, box({44}, {78}), box({-1, 0}, {3399064, 1727750}));
  EXPECT_EQ(f.count, 114u);
  p = parseProjection("[[3, -2, 1, 16], [-2, 1, 2, 16]] + [-4, -1], "
                      "shape = [1, 2]");
  f = getPreimage(p, box({0, 200}, {256, 202}),
                  box({0, 0, 0, 0}, {4096, 224, 1000, 28}));
  EXPECT_EQ(f.count, 260980u);
  // A set too large to count has a hull all the same.
  const int64_t quarter = int64_t(1) << 62;
  p = parseProjection("[[1, 1]] + [0], shape = [1]");
  f = getPreimage(p, box({0}, {3}),
                  box({-quarter, -quarter}, {quarter, quarter}));
  EXPECT_EQ(f.kind, Exactness::Hull);
  EXPECT_TRUE(f.hull);
  // Past the budget: ranges, no count.
  p = parseProjection("[[1, 1000, 1000000]] + [0], shape = [1]");
  f = getPreimage(p, box({0}, {1000000000}),
                  box({0, 0, 0}, {large, 1000000, 1000}), false,
                  /*budget=*/100);
  EXPECT_EQ(f.hull, box({0, 0, 0}, {1000000000, 1000000, 1000}));
  EXPECT_FALSE(f.count);
  EXPECT_EQ(f.kind, Exactness::Hull);
  // What overflows is unknown, and so is another rank.
  p = parseProjection("[[9223372036854775807]] + [0], shape = [1]");
  EXPECT_EQ(getPreimage(p, box({0}, {1}), box({0}, {3})).kind,
            Exactness::Unknown);
  EXPECT_EQ(getPreimage(p, box({0}, {1}), box({0, 0}, {1, 1})).kind,
            Exactness::Unknown);
  EXPECT_EQ(getPreimage(p, box({5}, {5}), box({0}, {3})).count, 0u);
}

TEST(ProjectionOps, PreimageCases) {
  for (const json::Object &c : readCases(
           "layout_rand_projection_preimage.jsonl", "projection_preimage")) {
    SCOPED_TRACE(c.getString("id")->str());
    Projection p = toProjection(c);
    Box target = toBox(*c.get("block")), domain = toBox(*c.get("domain"));
    const json::Object &expect = *c.getObject("expect");
    for (bool contained : {false, true}) {
      std::string what = contained ? "contained" : "touching";
      Footprint f = getPreimage(p, target, domain, contained);
      EXPECT_EQ(f.count, *expect.getInteger(what + "_count"));
      const json::Value &hull = *expect.get(what + "_hull");
      if (hull.getAsNull()) {
        EXPECT_TRUE(f.hull->isEmpty());
        continue;
      }
      EXPECT_EQ(f.hull, toBox(hull));
    }
  }
}

//===----------------------------------------------------------------------===//
// Neighbours and splits
//===----------------------------------------------------------------------===//

/// Overlaps, splits and the hull of two corners, of every case.
TEST(ProjectionOps, NeighbourCases) {
  for (StringRef file :
       {"layout_tapestry.jsonl", "layout_rand_projection.jsonl"})
    for (const json::Object &c : readCases(file, "projection")) {
      SCOPED_TRACE(c.getString("id")->str());
      Projection p = toProjection(c);
      Box block = toBox(*c.get("block"));
      const json::Object &expect = *c.getObject("expect");
      const json::Array &shapes = *expect.getArray("marginal_overlap_shape");
      SmallVector<int64_t> counts =
          toIntegers(expect.get("marginal_overlap_count"));
      for (size_t axis = 0; axis != p.getNumColumns(); ++axis) {
        Footprint shared = getOverlap(p, axis);
        SmallVector<int64_t> extents;
        for (auto [lo, hi] : llvm::zip_equal(shared.hull->lo, shared.hull->hi))
          extents.push_back(hi - lo);
        EXPECT_EQ(extents, toIntegers(&shapes[axis]));
        EXPECT_EQ(shared.count, counts[axis]);
      }
      for (const json::Value &value : *expect.getArray("split")) {
        const json::Object &split = *value.getAsObject();
        std::string error;
        std::optional<BlockSplit> parts =
            splitBlock(p, block, *split.getInteger("axis"),
                       *split.getInteger("at"), error);
        ASSERT_TRUE(parts) << error;
        EXPECT_EQ(parts->loImage.hull, toBox(*split.get("lo_hull")));
        EXPECT_EQ(parts->hiImage.hull, toBox(*split.get("hi_hull")));
        EXPECT_EQ(parts->shared.count, *split.getInteger("shared_count"));
        const json::Value &hull = *split.get("shared_hull");
        if (hull.getAsNull())
          EXPECT_TRUE(parts->shared.hull->isEmpty());
        else
          EXPECT_EQ(parts->shared.hull, toBox(hull));
      }
      Box corners[2] = {block, block};
      for (size_t d = 0; d != block.lo.size(); ++d) {
        corners[0].hi[d] = block.lo[d] + 1;
        corners[1].lo[d] = block.hi[d] - 1;
      }
      Box ends[2] = {*p.getHull(corners[0]), *p.getHull(corners[1])};
      EXPECT_EQ(getBoundingBox(ends), toBox(*expect.get("two_corner")));
      EXPECT_EQ(getBoundingBox(ends) == p.getHull(block),
                *expect.getBoolean("two_corner_is_exact"));
    }
}

/// Both parts and what they share, against sets.
TEST(ProjectionOps, SplitsAreSets) {
  RandomProjections random(41);
  std::string error;
  for (int run = 0; run != 1500; ++run) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(1, 3);
    Projection p = random.projection(rows, columns, random.pick(1, 5), 3);
    Box block = random.block(columns, 5);
    const size_t axis = random.pick(0, columns - 1);
    const int64_t at = random.pick(block.lo[axis], block.hi[axis]);
    std::optional<BlockSplit> split = splitBlock(p, block, axis, at, error);
    ASSERT_TRUE(split) << error;
    Places lo = bruteImage(p, split->lo), hi = bruteImage(p, split->hi), both;
    for (const std::vector<int64_t> &place : lo)
      if (hi.count(place))
        both.insert(place);
    SCOPED_TRACE(p.str() + " over " + printBox(block));
    expectIs(split->loImage, lo, rows);
    expectIs(split->hiImage, hi, rows);
    expectIs(split->shared, both, rows);
    if (HasFailure())
      return;
  }
}

TEST(ProjectionOps, LargeSplits) {
  std::string error;
  Projection p = parseProjection("[[2, 0], [0, 1]] + [0, 0], shape = [3, 3]");
  std::optional<BlockSplit> split =
      splitBlock(p, box({0, 0}, {1000000, 1000000}), 0, 500000, error);
  EXPECT_EQ(split->shared.count, 1000002u);
  EXPECT_EQ(split->shared.kind, Exactness::Exact);
  // Strided rows and a count beyond any budget: the hull of what is shared.
  p = parseProjection("[[5, 0], [0, 7]] + [0, 0], shape = [1, 1]");
  split = splitBlock(p, box({0, 0}, {1000000, 1000000}), 0, 500000, error);
  EXPECT_EQ(split->shared.count, 0u);
  EXPECT_TRUE(split->shared.hull->isEmpty());
}

TEST(ProjectionOps, SplitRefuses) {
  Projection p = parseProjection("[[1]] + [0], shape = [1]");
  std::string error;
  EXPECT_FALSE(splitBlock(p, box({0, 0}, {1, 1}), 0, 0, error));
  EXPECT_EQ(error, "the projection has 1 columns, got a block of rank 2");
  EXPECT_FALSE(splitBlock(p, box({0}, {4}), 1, 0, error));
  EXPECT_EQ(error, "axis 1 must be in [0, 1)");
  EXPECT_FALSE(splitBlock(p, box({0}, {4}), 0, 5, error));
  EXPECT_EQ(error, "a block of [0, 4) cannot be cut at 5");
  p = parseProjection("[[9223372036854775807]] + [0], shape = [1]");
  EXPECT_FALSE(splitBlock(p, box({0}, {4}), 0, 1, error));
  EXPECT_EQ(error, "the region overflows 64-bit arithmetic: [0, "
                   "27670116110564327422) of dimension 0");
}

/// What one more index adds, and a neighbour shares.
TEST(ProjectionOps, Growth) {
  RandomProjections random(42);
  for (int run = 0; run != 500; ++run) {
    const int64_t rows = random.pick(1, 2), columns = random.pick(1, 3);
    Projection p = random.projection(rows, columns, random.pick(1, 5), 3);
    Box block = random.block(columns, 4);
    const size_t axis = random.pick(0, columns - 1);
    Box more = block, next = block;
    const int64_t extent = block.hi[axis] - block.lo[axis];
    ++more.hi[axis];
    next.lo[axis] += extent;
    next.hi[axis] += extent;
    Places own = bruteImage(p, block), neighbour = bruteImage(p, next);
    size_t shared = 0;
    for (const std::vector<int64_t> &place : own)
      shared += neighbour.count(place);
    GrowthCost cost = getGrowth(p, block, axis);
    EXPECT_EQ(cost.count, own.size());
    EXPECT_EQ(cost.added, bruteImage(p, more).size() - own.size());
    EXPECT_EQ(cost.shared, shared) << p.str() << printBox(block);
  }
  // Overlap is total for a fixed view, nothing for the identity.
  Box block = box({0}, {4});
  GrowthCost fixed =
      getGrowth(parseProjection("[[0]] + [0], shape = [7]"), block, 0);
  EXPECT_EQ(fixed.shared, 7u);
  EXPECT_EQ(fixed.added, 0u);
  GrowthCost identity =
      getGrowth(parseProjection("[[1]] + [0], shape = [1]"), block, 0);
  EXPECT_EQ(identity.shared, 0u);
  EXPECT_EQ(identity.added, 1u);
}

//===----------------------------------------------------------------------===//
// The other way round, anchors, coherence
//===----------------------------------------------------------------------===//

/// Reversed, index i has the region of extent - 1 - i, and element x is
/// size - 1 - x; twice is once.
TEST(ProjectionOps, Reverse) {
  RandomProjections random(51);
  std::string error;
  for (int run = 0; run != 300; ++run) {
    Projection p = random.projection(2, 2, 5, 4);
    const int64_t extent = random.pick(1, 9), size = random.pick(0, 20);
    Projection axis = *reverseAxis(p, 1, extent, error);
    Projection dimension = *reverseDimension(p, 0, size, error);
    const int64_t i = random.pick(-3, 3), j = random.pick(0, extent - 1);
    EXPECT_EQ(axis.evaluate({i, extent - 1 - j}), p.evaluate({i, j}));
    EXPECT_EQ(axis.anchor, p.anchor);
    IndexRegion was = *p.evaluate({i, j}), is = *dimension.evaluate({i, j});
    EXPECT_EQ(is.lo[0], size - was.hi[0]);
    EXPECT_EQ(is.hi[0], size - was.lo[0]);
    EXPECT_EQ(is.lo[1], was.lo[1]);
    EXPECT_EQ(*reverseAxis(axis, 1, extent, error), p);
    EXPECT_EQ(*reverseDimension(dimension, 0, size, error), p);
  }
  Projection p = parseProjection("[[2]] + [0], anchor = [-1], shape = [3]");
  EXPECT_EQ(reverseAxis(p, 0, 5, error)->str(),
            "[[-2]] + [8], anchor = [-1], shape = [3]");
  EXPECT_FALSE(reverseAxis(p, 1, 5, error));
  EXPECT_EQ(error, "axis 1 must be in [0, 1)");
  EXPECT_FALSE(reverseAxis(p, 0, 0, error));
  EXPECT_EQ(error, "the extent of a reversed axis must be positive, got 0");
  EXPECT_FALSE(reverseDimension(p, 2, 5, error));
  EXPECT_EQ(error, "dimension 2 must be in [0, 1)");
  EXPECT_FALSE(reverseDimension(p, 0, -5, error));
  EXPECT_EQ(error, "size 0 must not be negative, got -5");
  p = parseProjection("[[1]] + [0], shape = [1], oob = [negative]");
  EXPECT_FALSE(reverseDimension(p, 0, 5, error));
  EXPECT_EQ(error, "dimension 0 counts negative indices from its end, which "
                   "reversed would be its begin");
  p = parseProjection("[[-9223372036854775808]] + [0], shape = [1]");
  EXPECT_FALSE(reverseAxis(p, 0, 1, error));
  EXPECT_EQ(error, "the projection overflows 64-bit arithmetic");
  EXPECT_FALSE(reverseDimension(p, 0, 1, error));
  EXPECT_EQ(error, "the projection overflows 64-bit arithmetic");
}

TEST(ProjectionOps, Anchors) {
  std::string error;
  Projection p = parseProjection("[[2], [0]] + [-1, 4], shape = [3, 5]");
  Projection drawn = *withAnchor(p, {-1, -2}, error);
  EXPECT_EQ(drawn.str(),
            "[[2], [0]] + [0, 6], anchor = [-1, -2], shape = [3, 5]");
  EXPECT_EQ(drawn.evaluate({7}), p.evaluate({7}));
  EXPECT_FALSE(withAnchor(p, {1}, error));
  EXPECT_EQ(error, "anchor must have one entry per matrix row, 2, got 1");
  p.offset[0] = INT64_MAX - 5;
  EXPECT_FALSE(withAnchor(p, {INT64_MIN, 0}, error));
  EXPECT_EQ(error, "the projection overflows 64-bit arithmetic");
}

TEST(ProjectionOps, NamedAnchorsHaveATextThatReadsBack) {
  ParseError error;
  auto read = [&](llvm::StringRef text) {
    return AnchoredProjection::parse(text, error);
  };
  const std::string plain = "[[2, 0], [0, 1]] + [-1, 3], anchor = [-1, 0], "
                            "shape = [3, 2], oob = [wrap, pad(0.5)]";
  for (llvm::StringRef anchors :
       {"", ", anchors = {center = [1, 1]}",
        ", anchors = {center = [1, 1], first = [0, 0] fixed, b_2 = [2, 1]}"}) {
    auto p = read(plain + anchors.str());
    ASSERT_TRUE(p) << error.message;
    EXPECT_EQ(p->str(), plain + anchors.str());
    EXPECT_EQ(*read(p->str()), *p);
    EXPECT_EQ(hash_value(*read(p->str())), hash_value(*p));
    EXPECT_EQ(p->projection, parseProjection(plain));
  }
  // A projection without names refuses them, as its text always has.
  EXPECT_FALSE(Projection::parse(plain + ", anchors = {a = [0, 0]}", error));
  EXPECT_EQ(error.message, "expected anchor, shape or oob, got 'anchors'");
  EXPECT_FALSE(read(plain + ", anchors = {a = [0, 0], a = [1, 1]}"));
  EXPECT_EQ(error.message, "anchor a is given twice");
  EXPECT_EQ(error.offset,
            plain.size() + sizeof(", anchors = {a = [0, 0], ") - 1);
}

TEST(ProjectionOps, NamedAnchors) {
  AnchoredProjection p{parseProjection("[[2]] + [-1], shape = [3]"),
                       {{"center", {1}}, {"first", {0}, false}}};
  ASSERT_FALSE(p.verify());
  EXPECT_EQ(p.getPlace("center", {4}), SmallVector<int64_t>({8}));
  EXPECT_FALSE(p.getPlace("middle", {4}));
  std::string error;
  EXPECT_EQ(p.drawnAround("center", error)->str(),
            "[[2]] + [0], anchor = [-1], shape = [3]");
  EXPECT_FALSE(p.drawnAround("middle", error));
  EXPECT_EQ(error, "there is no anchor 'middle'");
  AnchoredProjection reversed = *p.reversedDimension(0, 10, error);
  EXPECT_EQ(reversed.getPlace("center", {4}), SmallVector<int64_t>({1}));
  EXPECT_EQ(reversed.getPlace("first", {4}), SmallVector<int64_t>({0}));

  auto check = [&](llvm::ArrayRef<NamedAnchor> anchors) {
    AnchoredProjection wrong{p.projection, {anchors.begin(), anchors.end()}};
    return wrong.verify().value_or("fine");
  };
  EXPECT_EQ(check({{"1st", {0}}}),
            "an anchor's name must be a word, got '1st'");
  EXPECT_EQ(check({{"a", {0, 0}}}),
            "anchor a must have one entry per matrix row, 1, got 2");
  EXPECT_EQ(check({{"a", {3}}}), "anchor a must lie in the region: entry 0 "
                                 "must be in [0, 3), got 3");
  EXPECT_EQ(check({{"a", {0}}, {"a", {1}}}), "anchor a is given twice");
  EXPECT_EQ(check({{"a", {0}}, {"b", {0}}}), "anchors a and b are one place");
  EXPECT_FALSE(
      AnchoredProjection({p.projection, {{"end", {2}}, {"first", {0}, false}}})
          .reversedDimension(0, 10, error));
  EXPECT_EQ(error, "anchors end and first are one place");
}

TEST(ProjectionOps, Coherence) {
  auto check = [](StringRef text, bool dimensions, bool order, bool direction,
                  StringRef reason) {
    Coherence is = getCoherence(parseProjection(text));
    EXPECT_EQ(is.keepsDimensions, dimensions) << text.str();
    EXPECT_EQ(is.keepsOrder, order) << text.str();
    EXPECT_EQ(is.keepsDirection, direction) << text.str();
    EXPECT_EQ(is.reason, reason) << text.str();
    EXPECT_EQ(static_cast<bool>(is), reason.empty());
  };
  check("[[2, 0, 0], [0, 0, 1]] + [0, 0], shape = [3, 1]", true, true, true,
        "");
  check("[[0], [0]] + [1, 2], shape = [3, 4]", true, true, true, "");
  check("[[0, 1], [1, 0]] + [0, 0], shape = [1, 1]", true, false, true,
        "dimension 0 moves with axis 1, but dimension 1 with the earlier axis "
        "0");
  check("[[1, 0], [0, -2]] + [0, 0], shape = [1, 1]", true, true, false,
        "dimension 1 moves against axis 1, by -2");
  check("[[1, 2]] + [0], shape = [1]", false, true, true,
        "dimension 0 moves with axis 0 and with axis 1");
  check("[[1], [1]] + [0, 0], shape = [1, 1]", false, true, true,
        "axis 0 moves dimension 0 and dimension 1");
}

TEST(ProjectionOps, Stride) {
  Projection p = parseProjection("[[2, -1], [0, 3]] + [5, 5], shape = [1, 1]");
  EXPECT_EQ(getStride(p, 1), (SmallVector<int64_t, 4>{-1, 3}));
}

TEST(ProjectionOps, Windows) {
  std::string error;
  WindowAxis plain{3, 2, 1, 1, {OutOfBounds::Kind::Clamp, std::nullopt}};
  WindowAxis dilated{4, 1, 3, 0, {}};
  EXPECT_EQ(getWindowProjection({dilated, plain}, error)->str(),
            "[[1, 0, 3], [0, 2, 0]] + [0, -1], shape = [1, 3], oob = [forbid, "
            "clamp]");
  EXPECT_EQ(getWindowProjection({WindowAxis{}}, error)->str(),
            "[[1]] + [0], shape = [1]");
  plain.stride = 0;
  EXPECT_FALSE(getWindowProjection({dilated, plain}, error));
  EXPECT_EQ(error, "stride 1 must be positive, got 0");
  dilated.dilation = -1;
  EXPECT_FALSE(getWindowProjection({dilated}, error));
  EXPECT_EQ(error, "dilation 0 must be positive, got -1");
  plain = {0};
  EXPECT_FALSE(getWindowProjection({plain}, error));
  EXPECT_EQ(error, "window 0 must be positive, got 0");
  plain = {1, 1, 1, INT64_MIN};
  EXPECT_FALSE(getWindowProjection({plain}, error));
  EXPECT_EQ(error, "the projection overflows 64-bit arithmetic");
  plain = {1, 1, 1, 0, {OutOfBounds::Kind::Pad, std::nullopt}};
  EXPECT_FALSE(getWindowProjection({plain}, error));
  EXPECT_EQ(error, "oob entry 0 must have a value where and only where it is "
                   "pad, got pad");
}

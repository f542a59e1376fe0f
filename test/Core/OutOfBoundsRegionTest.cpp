//===- OutOfBoundsRegionTest.cpp - Policies, halos, boxes, covers ---------===//
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

static OutOfBounds policyOf(StringRef name) {
  ParseError error;
  return OutOfBoundsList::parse(
             "[" + name.str() + (name == "pad" ? "(0.0)" : "") + "]", error)
      ->entries[0];
}

/// The elements that places resolve to; std::nullopt if one is forbidden.
static std::optional<Places> bruteResolve(const Projection &projection,
                                          const Places &places,
                                          llvm::ArrayRef<int64_t> sizes,
                                          size_t &padded) {
  Places elements;
  padded = 0;
  for (const std::vector<int64_t> &place : places) {
    Resolved resolved = projection.resolve(place, sizes);
    if (resolved.kind == Resolved::Kind::Forbidden)
      return std::nullopt;
    if (resolved.kind == Resolved::Kind::Pad)
      ++padded;
    else
      elements.insert({resolved.index.begin(), resolved.index.end()});
  }
  return elements;
}

static Places pointsOf(llvm::ArrayRef<Box> boxes, size_t &total) {
  Places points;
  total = 0;
  for (const Box &one : boxes)
    forEachPoint(one, [&](const std::vector<int64_t> &point) {
      points.insert(point);
      ++total;
    });
  return points;
}

static void setPolicies(Projection &p, RandomProjections &random) {
  static const StringRef names[] = {"forbid", "wrap", "negative", "clamp",
                                    "pad"};
  for (size_t r = 0; r != p.getNumRows(); ++r)
    p.outOfBounds.push_back(policyOf(names[random.pick(0, 4)]));
}

/// Elements, padding, boxes and what is not owned, against sets.
TEST(OutOfBoundsRegion, IsTheSet) {
  RandomProjections random(61);
  int refused = 0, several = 0;
  for (int run = 0; run != 6000; ++run) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(0, 3);
    Projection p = random.projection(rows, columns, random.pick(1, 7), 3);
    setPolicies(p, random);
    Box block = random.block(columns, 4), owned;
    SmallVector<int64_t> sizes;
    for (int64_t r = 0; r != rows; ++r) {
      sizes.push_back(random.pick(random.pick(0, 5) ? 1 : 0, 15));
      owned.lo.push_back(random.pick(0, sizes.back()));
      owned.hi.push_back(random.pick(owned.lo.back(), sizes.back()));
    }
    SCOPED_TRACE(p.str() + " over " + printBox(block) + " of " +
                 printBox(box(SmallVector<int64_t>(rows, 0), sizes)));
    size_t padded, total;
    std::optional<Places> elements =
        bruteResolve(p, bruteImage(p, block), sizes, padded);
    std::string error;
    std::optional<Halo> halo = getHalo(p, block, owned, sizes, error);
    ASSERT_EQ(halo.has_value(), elements.has_value()) << error;
    if (!halo) {
      EXPECT_TRUE(StringRef(error).contains("is forbidden outside of") ||
                  StringRef(error).contains("is not one of its 0 elements"));
      ++refused;
      continue;
    }
    const OutOfBoundsRegion &region = halo->touched;
    expectIs(region.elements, *elements, rows);
    EXPECT_EQ(region.padded, padded);
    ASSERT_TRUE(region.areBoxesExact);
    EXPECT_EQ(pointsOf(region.boxes, total), *elements);
    EXPECT_EQ(total, elements->size());
    several += region.boxes.size() > 1;
    Places remote;
    for (const std::vector<int64_t> &element : *elements) {
      bool isOwned = true;
      for (int64_t r = 0; r != rows; ++r)
        isOwned &= owned.lo[r] <= element[r] && element[r] < owned.hi[r];
      if (!isOwned)
        remote.insert(element);
    }
    EXPECT_EQ(halo->remote, remote.size());
    EXPECT_EQ(pointsOf(halo->remoteBoxes, total), remote);
    EXPECT_EQ(total, remote.size());
    // owned ∪ halo ⊇ touched, around the ends where they meet.
    for (const std::vector<int64_t> &element : *elements)
      for (int64_t r = 0; r != rows && !owned.isEmpty(); ++r) {
        bool isThere = false;
        for (int64_t x = owned.lo[r] - halo->lo[r];
             x != owned.hi[r] + halo->hi[r]; ++x) {
          const bool wraps =
              p.getOutOfBounds(r).kind == OutOfBounds::Kind::Wrap ||
              p.getOutOfBounds(r).kind == OutOfBounds::Kind::Negative;
          isThere |= element[r] ==
                     (wraps ? ((x % sizes[r]) + sizes[r]) % sizes[r] : x);
        }
        EXPECT_TRUE(isThere) << "dimension " << r;
        EXPECT_LE(halo->lo[r] + halo->hi[r] + owned.hi[r] - owned.lo[r],
                  sizes[r]);
      }
    if (HasFailure())
      return;
  }
  EXPECT_GT(refused, 500);
  EXPECT_GT(several, 500);
}

TEST(OutOfBoundsRegion, OfTheHeader) {
  Box block = box({0}, {5});
  auto ask = [&](StringRef policy, std::string &error) {
    Projection p = parseProjection("[[1]] + [-1], shape = [1]");
    p.outOfBounds = {policyOf(policy)};
    return getOutOfBoundsRegion(p, block, {10}, error);
  };
  std::string error;
  EXPECT_FALSE(ask("forbid", error));
  EXPECT_EQ(error, "place -1 of dimension 0 is forbidden outside of [0, 10)");
  for (StringRef policy : {"wrap", "negative"}) {
    std::optional<OutOfBoundsRegion> region = ask(policy, error);
    ASSERT_TRUE(region) << error;
    EXPECT_EQ(region->boxes,
              (SmallVector<Box, 2>{box({0}, {4}), box({9}, {10})}));
    EXPECT_EQ(region->elements.count, 5u);
    EXPECT_EQ(region->padded, 0u);
  }
  EXPECT_EQ(ask("clamp", error)->boxes, (SmallVector<Box, 2>{box({0}, {4})}));
  EXPECT_EQ(ask("pad", error)->padded, 1u);
  block = box({0}, {12});
  EXPECT_FALSE(ask("negative", error));
  EXPECT_EQ(error, "place 10 of dimension 0 is forbidden outside of [-10, 10)");
}

/// The tensor is a torus: moving a block by a whole turn changes nothing.
TEST(OutOfBoundsRegion, WrapIsPeriodic) {
  RandomProjections random(62);
  std::string error;
  for (int run = 0; run != 300; ++run) {
    Projection p = random.projection(2, 2, 4, 3);
    p.outOfBounds.assign(2, policyOf("wrap"));
    Box block = random.block(2, 4), owned = box({1, 2}, {4, 5});
    std::optional<Halo> here = getHalo(p, block, owned, {7, 9}, error);
    p.offset[0] += 7 * random.pick(-3, 3);
    p.offset[1] += 9 * random.pick(-3, 3);
    std::optional<Halo> there = getHalo(p, block, owned, {7, 9}, error);
    EXPECT_EQ(here->touched.elements, there->touched.elements);
    EXPECT_EQ(here->touched.boxes, there->touched.boxes);
    EXPECT_EQ(here->lo, there->lo);
    EXPECT_EQ(here->hi, there->hi);
  }
}

/// Strided blocks far larger than any budget are clipped in closed form.
TEST(OutOfBoundsRegion, LargeBlocks) {
  std::string error;
  Projection p = parseProjection("[[3]] + [-2], shape = [2], oob = [pad(0)]");
  std::optional<Halo> halo =
      getHalo(p, box({0}, {1000000000}), box({0}, {30}), {2000000000}, error);
  ASSERT_TRUE(halo) << error;
  // Runs begin at -2, 1, 4, …: the first is padding; the last one inside is
  // [1999999999, 2000000001), half of it.
  EXPECT_EQ(halo->touched.elements.count, 1333333333u);
  EXPECT_EQ(halo->touched.padded, 2000000000u - 1333333333u);
  EXPECT_EQ(halo->touched.elements.hull, box({1}, {2000000000}));
  EXPECT_EQ(halo->remote, 1333333333u - 20);
  EXPECT_FALSE(halo->touched.areBoxesExact);
  p.outOfBounds = {policyOf("clamp")};
  halo =
      getHalo(p, box({0}, {1000000000}), box({0}, {30}), {2000000000}, error);
  EXPECT_EQ(halo->touched.elements.count, 1333333334u);
  EXPECT_EQ(halo->lo[0], 0);
  EXPECT_EQ(halo->hi[0], 2000000000 - 30);
  // A sparse stretch around a circle ten times: not written out.
  p.outOfBounds = {policyOf("wrap")};
  std::optional<OutOfBoundsRegion> region =
      getOutOfBoundsRegion(p, box({0}, {1000000000}), {200000000}, error);
  EXPECT_FALSE(region->elements.count);
  EXPECT_EQ(region->elements.kind, Exactness::Hull);
  EXPECT_EQ(region->elements.hull, box({0}, {200000000}));
}

TEST(OutOfBoundsRegion, CoupledRowsPastTheBudget) {
  std::string error;
  Projection p =
      parseProjection("[[1, 7, 0], [3, 0, 1], [1, 1, 1]] + [0, 0, 0], "
                      "shape = [2, 2, 2], oob = [wrap, pad(0), clamp]");
  Box block = box({0, 0, 0}, {9, 9, 9});
  std::optional<OutOfBoundsRegion> all =
      getOutOfBoundsRegion(p, block, {20, 20, 20}, error);
  std::optional<OutOfBoundsRegion> hull =
      getOutOfBoundsRegion(p, block, {20, 20, 20}, error, /*budget=*/10);
  ASSERT_TRUE(all && hull);
  EXPECT_TRUE(all->elements.count);
  EXPECT_FALSE(hull->elements.count);
  EXPECT_FALSE(hull->padded);
  EXPECT_FALSE(hull->areBoxesExact);
  EXPECT_EQ(intersectBoxes(*hull->elements.hull, *all->elements.hull),
            *all->elements.hull);
}

TEST(OutOfBoundsRegion, Refuses) {
  std::string error;
  Projection p = parseProjection("[[1]] + [0], shape = [1]");
  EXPECT_FALSE(getOutOfBoundsRegion(p, box({0, 0}, {1, 1}), {5}, error));
  EXPECT_EQ(error, "the projection has 1 columns, got a block of rank 2");
  EXPECT_FALSE(getOutOfBoundsRegion(p, box({0}, {1}), {5, 5}, error));
  EXPECT_EQ(error, "the projection has 1 rows, got 2 sizes");
  EXPECT_FALSE(getOutOfBoundsRegion(p, box({0}, {1}), {-5}, error));
  EXPECT_EQ(error, "size 0 must not be negative, got -5");
  EXPECT_FALSE(getOutOfBoundsRegion(p, box({0}, {1}), {0}, error));
  EXPECT_EQ(error, "place 0 of dimension 0 is forbidden outside of [0, 0)");
  EXPECT_TRUE(getOutOfBoundsRegion(p, box({3}, {3}), {0}, error));
  EXPECT_FALSE(getHalo(p, box({0}, {1}), box({0, 0}, {1, 1}), {5}, error));
  EXPECT_EQ(error, "the projection has 1 rows, got an owned box of rank 2");
  EXPECT_FALSE(getHalo(p, box({0}, {1}), box({3}, {6}), {5}, error));
  EXPECT_EQ(error, "what is owned must lie in the tensor: [3, 6) of dimension "
                   "0 leaves [0, 5)");
  p = parseProjection("[[9223372036854775807]] + [0], shape = [1]");
  EXPECT_FALSE(getOutOfBoundsRegion(p, box({0}, {3}), {5}, error));
  EXPECT_EQ(error, "the region overflows 64-bit arithmetic: [0, "
                   "18446744073709551615) of dimension 0");
}

/// Every policy and every shard of the windows.
TEST(OutOfBoundsRegion, WindowCases) {
  for (const json::Object &c :
       readCases("layout_rand_window_halo_oob.jsonl", "window")) {
    SCOPED_TRACE(c.getString("id")->str());
    const int64_t size = *c.getInteger("size");
    WindowAxis axis{*c.getInteger("window"),
                    *c.getInteger("stride"),
                    *c.getInteger("dilation"),
                    toIntegers(c.get("pad"))[0],
                    {}};
    const json::Object &expect = *c.getObject("expect");
    const int64_t out = *expect.getInteger("out");
    const bool hasTaps = axis.dilation > 1 && axis.window > 1;
    auto blockOf = [&](int64_t lo, int64_t hi) {
      Box block = box({lo}, {hi});
      return hasTaps ? productOfBoxes(block, box({0}, {axis.window})) : block;
    };
    std::string error;
    for (StringRef name : {"forbid", "wrap", "clamp", "negative", "pad"}) {
      const json::Object &policy =
          *expect.getObject("policies")->getObject(name);
      axis.outOfBounds = policyOf(name);
      std::optional<OutOfBoundsRegion> region = getOutOfBoundsRegion(
          *getWindowProjection({axis}, error), blockOf(0, out), {size}, error);
      EXPECT_EQ(region.has_value(), *policy.getBoolean("legal")) << error;
      if (!region)
        continue;
      Places elements;
      for (int64_t element : toIntegers(policy.get("table")))
        if (element >= 0)
          elements.insert({element});
      size_t total;
      EXPECT_EQ(pointsOf(region->boxes, total), elements);
    }
    axis.outOfBounds = policyOf("pad");
    Projection p = *getWindowProjection({axis}, error);
    for (const json::Value &value : *expect.getArray("shards")) {
      const json::Object &shard = *value.getAsObject();
      SmallVector<int64_t> index = toIntegers(shard.get("index"));
      SmallVector<int64_t> owned = toIntegers(shard.get("owned"));
      Box block = blockOf(index[0], index[1]);
      std::optional<Halo> halo =
          getHalo(p, block, box(owned[0], owned[1]), {size}, error);
      ASSERT_TRUE(halo) << error;
      SmallVector<int64_t> hull = toIntegers(shard.get("hull"));
      SmallVector<int64_t> unclipped = toIntegers(shard.get("hull_unclipped"));
      EXPECT_EQ(p.getHull(block), box(unclipped[0], unclipped[1]));
      EXPECT_EQ(halo->touched.elements.hull, box(hull[0], hull[1]));
      EXPECT_EQ(halo->touched.elements.count, *shard.getInteger("touched"));
      EXPECT_EQ(halo->touched.padded, *shard.getInteger("out_of_bounds"));
      EXPECT_EQ(halo->remote, *shard.getInteger("remote"));
      EXPECT_EQ(halo->lo[0], *shard.getInteger("halo_lo"));
      EXPECT_EQ(halo->hi[0], *shard.getInteger("halo_hi"));
    }
  }
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

TEST(BoxOps, Algebra) {
  EXPECT_EQ(intersectBoxes(box({0, 0}, {4, 4}), box({2, 6}, {9, 8})),
            box({2, 6}, {4, 6}));
  EXPECT_EQ(getBoundingBox({box({0, 5}, {1, 6}), box({9, 9}, {9, 9}),
                            box({-2, 7}, {0, 8})}),
            box({-2, 5}, {1, 8}));
  EXPECT_EQ(getBoundingBox({box({3}, {3})}), box({3}, {3}));
  EXPECT_FALSE(getBoundingBox({}));
  EXPECT_FALSE(getBoundingBox({box({3}, {4}), box({3, 3}, {4, 4})}));
  EXPECT_EQ(printBox(box({0, -1}, {3, 5})), "[0, 3) x [-1, 5)");
  EXPECT_EQ(printBox(box({}, {})), "()");
  EXPECT_EQ(getVolume(box({INT64_MIN}, {INT64_MAX})), UINT64_MAX);
  EXPECT_FALSE(getVolume(box({INT64_MIN, 0}, {INT64_MAX, 2})));
  std::string error;
  EXPECT_FALSE(splitBox(box({0}, {4}), 1, 2, error));
  EXPECT_EQ(error, "axis 1 must be in [0, 1)");
  EXPECT_FALSE(splitBox(box({0}, {4}), 0, 0, error));
  EXPECT_EQ(error, "chunk must be positive, got 0");
  EXPECT_FALSE(splitBox(box({INT64_MIN}, {INT64_MAX}), 0, 1, error));
  EXPECT_EQ(error, "chunks of 1 would be 18446744073709551615 pieces, more "
                   "than 1048576");
  EXPECT_EQ(
      splitBox(box({INT64_MIN}, {INT64_MAX}), 0, INT64_MAX, error)->size(), 3u);
  EXPECT_TRUE(splitBox(box({3}, {3}), 0, 5, error)->empty());
}

/// The pieces of a difference are disjoint, and are what is left.
TEST(BoxOps, Subtraction) {
  RandomProjections random(71);
  for (int run = 0; run != 500; ++run) {
    Box a = random.block(3, 5), b = random.block(3, 5);
    size_t total;
    Places left;
    forEachPoint(a, [&](const std::vector<int64_t> &point) {
      if (intersectBoxes(box(point, {point[0] + 1, point[1] + 1, point[2] + 1}),
                         b)
              .isEmpty())
        left.insert(point);
    });
    EXPECT_EQ(pointsOf(subtractBox(a, b), total), left);
    EXPECT_EQ(total, left.size());
  }
}

TEST(BoxOps, Cases) {
  std::string error;
  for (const json::Object &c :
       readCases("layout_tapestry.jsonl", "range_split")) {
    SmallVector<int64_t> chunks;
    auto pieces = splitBox(box({0}, {*c.getInteger("size")}), 0,
                           *c.getInteger("chunk"), error);
    for (const Box &piece : *pieces)
      chunks.push_back(piece.hi[0] - piece.lo[0]);
    EXPECT_EQ(chunks, toIntegers(c.getObject("expect")->get("chunks")));
  }
  for (const json::Object &c :
       readCases("layout_tapestry.jsonl", "range_product"))
    EXPECT_EQ(productOfBoxes(toBox(*c.get("a")), toBox(*c.get("b"))),
              toBox(*c.getObject("expect")->get("range")));
  for (const json::Object &c :
       readCases("layout_tapestry.jsonl", "range_valid"))
    EXPECT_EQ(
        !verifyBox(box(toIntegers(c.get("start")), toIntegers(c.get("end")))),
        *c.getObject("expect")->getBoolean("valid"));
  for (const json::Object &c :
       readCases("layout_tapestry.jsonl", "exact_cover")) {
    std::vector<Box> parts;
    for (const json::Value &part : *c.getArray("parts"))
      parts.push_back(toBox(part));
    std::optional<ExactCover> cover =
        getExactCover(toBox(*c.get("domain")), parts, error);
    const json::Object &expect = *c.getObject("expect");
    EXPECT_EQ(cover->isDisjoint, *expect.getBoolean("disjoint"));
    EXPECT_EQ(cover->covers, *expect.getBoolean("covers"));
    EXPECT_EQ(cover->isExact(), *expect.getBoolean("exact"));
  }
  EXPECT_EQ(verifyBox(box({1, 0}, {0, 5})),
            "lo 0 must be at most hi, got 1 > 0");
  EXPECT_EQ(verifyBox(box({1, 0}, {2})), "lo has 2 entries, but hi has 1");
}

/// Random parts, and cuts with one part moved, against sets.
TEST(BoxOps, ExactCoverIsTheSet) {
  RandomProjections random(72);
  std::string error;
  int exact = 0;
  for (int run = 0; run != 2000; ++run) {
    const int64_t rank = random.pick(0, 3);
    Box domain = random.block(rank, 5);
    std::vector<Box> parts;
    if (random.pick(0, 2) && rank != 0) {
      auto pieces =
          splitBox(domain, random.pick(0, rank - 1), random.pick(1, 3), error);
      parts.assign(pieces->begin(), pieces->end());
      if (!parts.empty() && random.pick(0, 1)) {
        Box &part = parts[random.pick(0, parts.size() - 1)];
        const size_t d = random.pick(0, rank - 1);
        random.pick(0, 1) ? --part.lo[d] : --part.hi[d];
      }
    } else {
      for (int64_t n = random.pick(0, 4); n != 0; --n)
        parts.push_back(random.block(rank, 5));
    }
    std::map<std::vector<int64_t>, int> times;
    for (const Box &part : parts)
      forEachPoint(part, [&](const std::vector<int64_t> &x) { ++times[x]; });
    bool covers = true, disjoint = true, inside = true;
    size_t found = 0, volume = 0;
    forEachPoint(domain, [&](const std::vector<int64_t> &x) {
      ++volume;
      covers &= times.count(x) != 0;
      found += times.count(x);
    });
    for (const auto &[place, count] : times)
      disjoint &= count == 1;
    inside = found == times.size();
    std::optional<ExactCover> cover = getExactCover(domain, parts, error);
    ASSERT_TRUE(cover) << error;
    EXPECT_EQ(cover->covers, covers);
    EXPECT_EQ(cover->isDisjoint, disjoint);
    EXPECT_EQ(cover->isInside, inside);
    EXPECT_EQ(cover->isExact(), cover->reason.empty());
    exact += cover->isExact();
    if (!cover->witness)
      continue;
    std::vector<int64_t> at(cover->witness->begin(), cover->witness->end());
    if (StringRef(cover->reason).contains("overlap"))
      EXPECT_GT(times[at], 1);
    else if (StringRef(cover->reason).contains("no part"))
      EXPECT_EQ(times.count(at), 0u);
    else
      EXPECT_EQ(times[at] > 0, true);
  }
  EXPECT_GT(exact, 300);
}

TEST(BoxOps, ExactCoverSaysWhere) {
  std::string error;
  Box domain = box({0, 0}, {4, 4});
  auto ask = [&](llvm::ArrayRef<Box> parts) {
    return getExactCover(domain, parts, error)->reason;
  };
  EXPECT_EQ(ask({box({0, 0}, {4, 2}), box({0, 2}, {3, 4})}),
            "no part has [3, 2]");
  EXPECT_EQ(ask({box({0, 0}, {4, 3}), box({0, 2}, {4, 4})}),
            "parts 0 and 1 overlap at [0, 2]");
  EXPECT_EQ(ask({box({0, 0}, {4, 5})}), "part 0 leaves the domain at [0, 4]");
  EXPECT_FALSE(getExactCover(domain, {box({0}, {4})}, error));
  EXPECT_EQ(error, "part 0 has rank 1, but the domain has 2");
  // Too many parts to look for a gap.
  std::vector<Box> parts;
  for (int64_t i = 0; i != 30; ++i)
    parts.push_back(box({2 * i, 2 * i}, {2 * i + 1, 2 * i + 1}));
  std::optional<ExactCover> cover =
      getExactCover(box({0, 0}, {60, 60}), parts, error, /*budget=*/20);
  EXPECT_FALSE(cover->covers);
  EXPECT_FALSE(cover->isExact());
  EXPECT_EQ(cover->reason,
            "whether every place is in a part is not known: too many parts");
}

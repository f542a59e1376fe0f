//===- ContainmentTest.cpp - Containment, pools of maps, unions of boxes --===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseMap.h"
#include "RandomMaps.h"
#include "TensorAccess/Core/Counting.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

struct Inclusion {
  const char *small, *large;
  bool isContained;
};

void PrintTo(const Inclusion &i, std::ostream *os) {
  *os << i.small << " in " << i.large;
}

class Containment : public testing::TestWithParam<Inclusion> {};

TEST_P(Containment, IsProved) {
  EXPECT_EQ(isContainedIn(parse(GetParam().small), parse(GetParam().large)),
            GetParam().isContained);
}

// The boxes are too large to be enumerated: these are proofs.
const Inclusion kInclusions[] = {
    // A strided line of the whole one; not the other way round.
    {"(d0)[s0] -> (s0 * 2, d0), domain: d0 in [0, 9999], s0 in [0, 4999]",
     "(d0)[s0] -> (s0, d0), domain: d0 in [0, 9999], s0 in [0, 9999]", true},
    {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9999], s0 in [0, 9999]",
     "(d0)[s0] -> (s0 * 2, d0), domain: d0 in [0, 9999], s0 in [0, 4999]",
     false},
    // The element itself lies in its line; in its neighbour's it does not.
    {"(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 999]",
     "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 999], d1 in [0, 999], s0 in "
     "[0, 999]",
     true},
    {"(d0, d1) -> (d1, d0), domain: d0 in [0, 999], d1 in [0, 999]",
     "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 999], d1 in [0, 999], s0 in "
     "[0, 999]",
     false},
    // One row too many.
    {"(d0)[s0] -> (s0), domain: d0 in [0, 9999], s0 in [0, 10000]",
     "(d0)[s0] -> (s0), domain: d0 in [0, 9999], s0 in [0, 9999]", false},
    // A window in a larger one, by its constraint.
    {"(d0)[s0] -> (d0 + s0 - 1), domain: d0 in [0, 9999], s0 in [0, 2], d0 + "
     "s0 in [1, 10000]",
     "(d0)[s0] -> (d0 + s0 - 2), domain: d0 in [0, 9999], s0 in [0, 4], d0 + "
     "s0 in [2, 10001]",
     true},
    {"(d0)[s0] -> (d0 + s0 - 2), domain: d0 in [0, 9999], s0 in [0, 4], d0 + "
     "s0 in [2, 10001]",
     "(d0)[s0] -> (d0 + s0 - 1), domain: d0 in [0, 9999], s0 in [0, 2], d0 + "
     "s0 in [1, 10000]",
     false},
    // A symbol solved through one result and used in another.
    {"(d0)[s0, s1] -> (s0 * 3, s0 * 3 + d0, s1), domain: d0 in [0, 99], s0 in "
     "[0, 99], s1 in [0, 9]",
     "(d0)[s0, s1] -> (s0, s0 + d0, s1), domain: d0 in [0, 99], s0 in [0, "
     "999], s1 in [0, 99]",
     true},
    // Of different rank; a known-empty map lies in everything.
    {"(d0) -> (d0), domain: d0 in [0, 9]",
     "(d0) -> (d0, 0), domain: d0 in [0, 9]", false},
    {"empty (d0) -> (d0), domain: d0 in [0, 9]",
     "(d0) -> (5), domain: d0 in [0, 9]", true},
    {"(d0) -> (5), domain: d0 in [0, 9]",
     "empty (d0) -> (d0), domain: d0 in [0, 9]", false},
    // Whether two runtime variables are equal is unknown.
    {"(d0){rt0} -> (rt0), domain: d0 in [0, 9], rt0 in [0, 3]",
     "(d0){rt0} -> (rt0), domain: d0 in [0, 9], rt0 in [0, 4]", false},
    {"unknown", "unknown", false},
    // Small boxes are enumerated: no form solves 2*s0 + s1 = x.
    {"(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 8]",
     "(d0)[s0, s1] -> (s0 * 3 + s1), domain: d0 in [0, 3], s0 in [0, 2], s1 "
     "in [0, 2]",
     true},
};
INSTANTIATE_TEST_SUITE_P(Examples, Containment, testing::ValuesIn(kInclusions));

/// All (point, result) of a map.
std::set<std::pair<Point, Point>> pairsOf(const IndexingMap &map) {
  std::set<std::pair<Point, Point>> pairs;
  EXPECT_EQ(
      enumerate(
          map,
          [&](llvm::ArrayRef<int64_t> x, llvm::ArrayRef<int64_t> results) {
            pairs.insert({Point(x.begin(), x.begin() + map.getNumDims()),
                          Point(results.begin(), results.end())});
            return true;
          }),
      EnumerateStatus::Ok);
  return pairs;
}

std::string drawWindow(std::mt19937 &random) {
  auto pick = [&](int lo, int hi) {
    return std::to_string(std::uniform_int_distribution<int>(lo, hi)(random));
  };
  std::string text = "(d0)[s0, s1] -> (d0 * " + pick(0, 2) + " + s0 * " +
                     pick(1, 2) + " + " + pick(-1, 1) + ", s1";
  text += pick(0, 1) == "1" ? " + s0" : "";
  text += "), domain: d0 in [0, 3], s0 in [" + pick(0, 1) + ", " + pick(1, 4) +
          "], s1 in [" + pick(0, 1) + ", " + pick(1, 3) + "]";
  if (pick(0, 2) == "0")
    text += ", d0 + s0 in [" + pick(0, 1) + ", " + pick(2, 5) + "]";
  if (pick(0, 3) == "0")
    text += ", s0 mod 2 in [0, 0]";
  return text;
}

// Whatever is called contained is contained, and in a pool as well.
TEST(ContainmentLaws, OnlyWhatIsTrue) {
  std::mt19937 random(7);
  unsigned proved = 0;
  MapPool pool;
  for (int i = 0; i < 3000; ++i) {
    IndexingMap a = parse(drawWindow(random)), b = parse(drawWindow(random));
    auto x = pairsOf(a), y = pairsOf(b);
    bool truth = std::includes(y.begin(), y.end(), x.begin(), x.end());
    // Boxes this small can always be decided.
    EXPECT_EQ(isContainedIn(a, b), truth) << a.str() << "\n" << b.str();
    MapPool::Id m = pool.intern(a), n = pool.intern(b);
    EXPECT_EQ(pool.isContained(m, n), truth);
    EXPECT_EQ(pairsOf(pool[m]), x) << a.str();
    proved += truth;
  }
  EXPECT_GT(proved, 30u);
}

// The same order of symbols, the same number; another relation, another one.
TEST(Pool, SymbolsAreAnonymous) {
  MapPool pool;
  MapPool::Id a = pool.intern(parse("(d0)[s0, s1] -> (s0, s1 + d0), domain: d0 "
                                    "in [0, 9], s0 in [0, 4], s1 in [0, 2]"));
  EXPECT_EQ(pool.intern(parse("(d0)[s0, s1] -> (s1, s0 + d0), domain: d0 in "
                              "[0, 9], s0 in [0, 2], s1 in [0, 4]")),
            a);
  EXPECT_EQ(pool.intern(parse("(d0)[s0, s1] -> (s0 - 3, s1 + d0), domain: d0 "
                              "in [0, 9], s0 in [3, 7], s1 in [0, 2]")),
            a);
  EXPECT_NE(pool.intern(parse("(d0)[s0, s1] -> (s0, s1 + d0), domain: d0 in "
                              "[0, 9], s0 in [0, 2], s1 in [0, 4]")),
            a);
  EXPECT_EQ(pool[a].str(), "(d0)[s0, s1] -> (s0, d0 + s1), domain: d0 in [0, "
                           "9], s0 in [0, 4], s1 in [0, 2]");
  EXPECT_EQ(pool.size(), 2u);
}

TEST(Pool, ComposesMergesAndInverts) {
  MapPool pool;
  MapPool::Id window = pool.intern(
      parse("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 99], s0 in [0, 2]"));
  MapPool::Id id = window;
  bool merged = false;
  for (int i = 0; i < 4; ++i)
    id = pool.compose(id, window, merged);
  EXPECT_FALSE(merged);
  EXPECT_EQ(pool[id].getNumSymbols(), 5u);
  // The last step adds up to 2; the steps before had to stay within [0, 99].
  MapPool::Id small = pool.merge(id);
  EXPECT_EQ(pool[small].str(),
            "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 99], s0 in [0, 10], d0 + "
            "s0 in [-inf, 101]");
  EXPECT_EQ(pool.merge(small), small);
  EXPECT_EQ(pairsOf(pool[small]), pairsOf(pool[id]));
  for (int i = 0; i < 4; ++i)
    id = pool.compose(id, window, merged);
  EXPECT_TRUE(merged);
  EXPECT_LE(pool[id].getNumSymbols(), MapPool::kMergeSymbols);

  auto back = pairsOf(pool[pool.invert(small)]);
  std::set<std::pair<Point, Point>> swapped;
  for (const auto &[x, y] : pairsOf(pool[small]))
    swapped.insert({y, x});
  EXPECT_EQ(back, swapped);

  // Asked again, nothing new is made.
  unsigned size = pool.size();
  bool again = false;
  pool.compose(window, window, again);
  pool.invert(small);
  EXPECT_EQ(pool.size(), size);
  MapPool::Id unknown = pool.intern(IndexingMap());
  EXPECT_TRUE(pool[pool.compose(unknown, window, again)].isUnknown());
  EXPECT_TRUE(pool[pool.invert(unknown)].isUnknown());
  EXPECT_EQ(pool.merge(unknown), unknown);
}

TEST(BoxUnion, Law) {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    auto pick = [&](int lo, int hi) {
      return std::uniform_int_distribution<int>(lo, hi)(random);
    };
    int rank = pick(0, 3);
    std::vector<Box> boxes(pick(0, 6));
    std::set<Point> all;
    for (Box &box : boxes) {
      for (int d = 0; d < rank; ++d) {
        box.lo.push_back(pick(-3, 4));
        box.hi.push_back(box.lo.back() + pick(0, 4));
      }
      Point p(box.lo.begin(), box.lo.end());
      while (!box.isEmpty()) {
        all.insert(p);
        int d = rank;
        while (d > 0 && ++p[d - 1] == box.hi[d - 1]) {
          --d;
          p[d] = box.lo[d];
        }
        if (d == 0)
          break;
      }
    }
    EXPECT_EQ(countUnionOfBoxes(boxes), std::optional<uint64_t>(all.size()));
  }
}

TEST(BoxUnion, Refusals) {
  Box line{{0}, {9}}, plane{{0, 0}, {9, 9}};
  EXPECT_EQ(countUnionOfBoxes({line, plane}), std::nullopt);
  EXPECT_EQ(countUnionOfBoxes({line}, /*budget=*/0), std::nullopt);
  int64_t most = std::numeric_limits<int64_t>::max();
  Box huge{{0, 0, 0}, {most, most, most}};
  EXPECT_EQ(countUnionOfBoxes({huge}), std::nullopt);
  Box edge{{std::numeric_limits<int64_t>::min()}, {most}};
  EXPECT_EQ(countUnionOfBoxes({edge}), UINT64_MAX);
}

} // namespace

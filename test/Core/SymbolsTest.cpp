//===- SymbolsTest.cpp - Merging and rescaling range symbols --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mergeSymbols keeps dims -> set of results: worked examples, and random sums
// of symbols under random constraints against `equalAsRelations`.
//
//===----------------------------------------------------------------------===//

#include "ParseMap.h"
#include "RandomMaps.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

struct Example {
  const char *map, *merged;
};

void PrintTo(const Example &e, std::ostream *os) { *os << e.map; }

class Merge : public testing::TestWithParam<Example> {};

TEST_P(Merge, KeepsTheSetOfResults) {
  IndexingMap map = parse(GetParam().map);
  IndexingMap merged = map.mergeSymbols();
  EXPECT_EQ(merged.str(), GetParam().merged);
  MapComparison same = equalAsRelations(map, merged);
  EXPECT_TRUE(same) << same.message;
  EXPECT_EQ(merged.mergeSymbols(), merged);
}

const Example kExamples[] = {
    // A sum of two.
    {"(d0)[s0, s1] -> (d0 + s0 + s1), domain: d0 in [0, 9], s0 in [0, 2], s1 "
     "in [0, 2]",
     "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 4]"},
    // Strides that leave no gap, in either order, and with a common factor.
    {"(d0)[s0, s1] -> (d0 + s0 + s1 * 2), domain: d0 in [0, 9], s0 in [0, 2], "
     "s1 in [0, 2]",
     "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 6]"},
    {"(d0)[s0, s1] -> (s0 * 12 + s1 * 4), domain: d0 in [0, 9], s0 in [0, 4], "
     "s1 in [0, 2]",
     "(d0)[s0] -> (s0 * 4), domain: d0 in [0, 9], s0 in [0, 14]"},
    // A stride longer than what the other symbol fills leaves gaps.
    {"(d0)[s0, s1] -> (s0 * 4 + s1), domain: d0 in [0, 9], s0 in [0, 4], s1 "
     "in [0, 2]",
     "(d0)[s0, s1] -> (s0 * 4 + s1), domain: d0 in [0, 9], s0 in [0, 4], s1 in "
     "[0, 2]"},
    // Coprime strides reach neither 1 nor 5.
    {"(d0)[s0, s1] -> (s0 * 3 + s1 * 2), domain: d0 in [0, 9], s0 in [0, 4], "
     "s1 in [0, 4]",
     "(d0)[s0, s1] -> (s0 * 3 + s1 * 2), domain: d0 in [0, 9], s0 in [0, 4], "
     "s1 in [0, 4]"},
    // A difference.
    {"(d0)[s0, s1] -> (d0 - s0 + s1), domain: d0 in [0, 9], s0 in [0, 2], s1 "
     "in [1, 3]",
     "(d0)[s0] -> (d0 - s0), domain: d0 in [0, 9], s0 in [-3, 1]"},
    // Used apart from each other, nothing can be said.
    {"(d0)[s0, s1] -> (d0 + s0 + s1, s0), domain: d0 in [0, 9], s0 in [0, 2], "
     "s1 in [0, 2]",
     "(d0)[s0, s1] -> (d0 + s0 + s1, s0), domain: d0 in [0, 9], s0 in [0, 2], "
     "s1 in [0, 2]"},
    // The sum inside of divisions.
    {"(d0)[s0, s1] -> ((d0 + s0 + s1) floordiv 3, (d0 + s0 + s1) mod 3), "
     "domain: d0 in [0, 9], s0 in [0, 2], s1 in [0, 2]",
     "(d0)[s0] -> ((d0 + s0) floordiv 3, (d0 + s0) mod 3), domain: d0 in [0, "
     "9], s0 in [0, 4]"},
    // Three stacked convolutions with padding, 3x3.
    {"(d0)[s0, s1, s2] -> (d0 + s0 + s1 + s2 - 3), domain: d0 in [0, 55], s0 "
     "in [0, 2], s1 in [0, 2], s2 in [0, 2], d0 + s0 in [1, 56], d0 + s0 + s1 "
     "in [2, 57], d0 + s0 + s1 + s2 in [3, 58]",
     "(d0)[s0] -> (d0 + s0 - 3), domain: d0 in [0, 55], s0 in [0, 6], d0 + s0 "
     "in [3, 58]"},
    // The same with strides, as at the entry of ResNet.
    {"(d0)[s0, s1] -> (d0 * 4 + s0 * 2 + s1 - 5), domain: d0 in [0, 13], s0 in "
     "[0, 2], s1 in [0, 6], d0 * 2 + s0 in [1, 28], d0 * 4 + s0 * 2 + s1 in "
     "[5, 60]",
     "(d0)[s0] -> (d0 * 4 + s0 - 5), domain: d0 in [0, 13], s0 in [0, 10], d0 "
     "* 4 + s0 in [5, 60]"},
    // Padding of the inner one only: the constraint moves to the sum.
    {"(d0)[s0, s1] -> (d0 + s0 + s1), domain: d0 in [0, 9], s0 in [0, 2], s1 "
     "in [0, 2], d0 + s0 in [1, 10]",
     "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 4], d0 + s0 in "
     "[1, 12]"},
    // A symbol that only constraints mention.
    {"(d0)[s0, s1] -> (s1), domain: d0 in [0, 9], s0 in [0, 20], s1 in [0, 3], "
     "d0 + s0 + s1 in [5, 100]",
     "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 3]"},
    // A residue between two symbols can't be told by intervals.
    {"(d0)[s0, s1] -> (d0 + s0 + s1), domain: d0 in [0, 9], s0 in [0, 8], s1 "
     "in [0, 8], s0 mod 5 in [0, 0]",
     "(d0)[s0, s1] -> (d0 + s0 + s1), domain: d0 in [0, 9], s0 in [0, 8], s1 "
     "in [0, 8], s0 mod 5 in [0, 0]"},
};

INSTANTIATE_TEST_SUITE_P(Symbols, Merge, testing::ValuesIn(kExamples));

TEST(Symbols, SeveralModuliAreRescaledByTheirCommonOne) {
  auto rescaled = [](const char *text) {
    IndexingMap map = parse(text), result = map.rescaleSymbols();
    MapComparison same = equalAsRelations(map, result);
    EXPECT_TRUE(same) << same.message;
    return result.str();
  };
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 100], s0 mod 4 in "
                     "[1, 1], s0 mod 6 in [3, 3]"),
            "()[s0] -> (s0 * 12 + 9), domain: s0 in [0, 7]");
  // Shifted, scaled, and a digit above another.
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [-20, 100], (s0 + 2) mod 5 "
                     "in [0, 0], (s0 * 2) mod 6 in [2, 2]"),
            "()[s0] -> (s0 * 15 - 17), domain: s0 in [0, 7]");
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 100], s0 mod 3 in "
                     "[0, 0], (s0 floordiv 3) mod 2 in [1, 1]"),
            "()[s0] -> (s0 * 6 + 3), domain: s0 in [0, 16]");
  // Two symbols, and a constraint that stays.
  EXPECT_EQ(rescaled("()[s0, s1] -> (s0, s1), domain: s0 in [3, 12], s1 in [0, "
                     "9], s0 mod 3 in [0, 0], s1 mod 2 in [1, 1], s0 + s1 in "
                     "[5, 18]"),
            "()[s0, s1] -> (s0 * 3 + 3, s1 * 2 + 1), domain: s0 in [0, 3], s1 "
            "in [0, 4], s0 * 3 + s1 * 2 in [1, 14]");
  // No number is 1 modulo 4 and 2 modulo 6.
  EXPECT_TRUE(parse("()[s0] -> (s0), domain: s0 in [0, 100], s0 mod 4 in "
                    "[1, 1], s0 mod 6 in [2, 2]")
                  .rescaleSymbols()
                  .isKnownEmpty());
}

TEST(Symbols, WhatConstraintsLeaveOfOneSymbolIsRescaled) {
  auto rescaled = [](const char *text) {
    IndexingMap map = parse(text), result = map.rescaleSymbols();
    MapComparison same = equalAsRelations(map, result);
    EXPECT_TRUE(same) << same.message;
    return result.str();
  };
  // A single point.
  EXPECT_EQ(
      rescaled("()[s0] -> (s0), domain: s0 in [0, 5], s0 mod 6 in [4, 4]"),
      "()[s0] -> (s0 + 4), domain: s0 in [0, 0]");
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 11], s0 mod 4 in "
                     "[1, 1], s0 mod 6 in [3, 3]"),
            "()[s0] -> (s0 + 9), domain: s0 in [0, 0]");
  // A constraint that is a range.
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 3], s0 in [2, 7]"),
            "()[s0] -> (s0 + 2), domain: s0 in [0, 1]");
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 3], s0 * 2 in [3, 7]"),
            "()[s0] -> (s0 + 2), domain: s0 in [0, 1]");
  // Values that no interval of a digit makes a progression.
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 6], s0 mod 6 in "
                     "[1, 4]"),
            "()[s0] -> (s0 + 1), domain: s0 in [0, 3]");
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 9], s0 mod 6 in "
                     "[1, 2]"),
            "()[s0] -> (s0 + 1), domain: s0 in [0, 7], (s0 + 1) mod 6 in "
            "[1, 2]");
  // Too many to list.
  EXPECT_EQ(rescaled("()[s0] -> (s0), domain: s0 in [0, 999999], s0 in [10, "
                     "799999], s0 mod 2 in [1, 1]"),
            "()[s0] -> (s0 * 2 + 11), domain: s0 in [0, 399994]");
  EXPECT_TRUE(parse("()[s0] -> (s0), domain: s0 in [0, 3], s0 in [4, 7]")
                  .rescaleSymbols()
                  .isKnownEmpty());
}

/// Whatever the constraints on one symbol are: the sets stay, symbols begin at
/// 0, and a progression needs no constraint.
TEST(Symbols, RescalingKeepsTheSets) {
  EXPECT_TRUE(rc::check("rescale", [] {
    const int lower = pick(-9, 9), upper = lower + pick(0, 40);
    std::string domain =
        "s0 in [" + std::to_string(lower) + ", " + std::to_string(upper) + "]";
    std::vector<std::array<int, 5>> conditions;
    for (int i = pick(1, 3); i > 0; --i) {
      // (a*s0 + b) mod m in [l, u]; without mod if m is 0.
      const int m = pick(0, 3) ? pick(2, 9) : 0;
      const int low = m ? pick(0, m - 1) : pick(-9, 20);
      conditions.push_back({pick(1, 3), pick(-4, 4), m, low,
                            m ? pick(low, m - 1) : low + pick(0, 40)});
      const auto &[a, b, modulus, l, u] = conditions.back();
      domain += ", (s0 * " + std::to_string(a) + " + " + std::to_string(b) +
                ")" + (m ? " mod " + std::to_string(m) : "") + " in [" +
                std::to_string(l) + ", " + std::to_string(u) + "]";
    }
    std::vector<int64_t> values;
    for (int x = lower; x <= upper; ++x)
      if (llvm::all_of(conditions, [&](const auto &c) {
            int y = c[0] * x + c[1];
            if (c[2])
              y = ((y % c[2]) + c[2]) % c[2];
            return y >= c[3] && y <= c[4];
          }))
        values.push_back(x);
    IndexingMap map = parse("()[s0] -> (s0), domain: " + domain);
    IndexingMap scaled = map.rescaleSymbols();
    if (values.empty())
      RC_ASSERT(scaled.isKnownEmpty());
    if (scaled.isKnownEmpty()) {
      RC_ASSERT(values.empty());
      return;
    }
    std::vector<int64_t> got;
    const Interval range = scaled.getRanges()[0];
    RC_ASSERT(range.lower == 0);
    for (int64_t x = range.lower; x <= range.upper; ++x)
      if (auto y = scaled.evaluateAt({x}))
        got.push_back(y->front());
    if (got != values)
      RC_FAIL(map.str() + "\n" + scaled.str());
    bool isProgression = true;
    for (size_t i = 2; i < values.size(); ++i)
      isProgression &= values[i] - values[i - 1] == values[1] - values[0];
    if (isProgression && !scaled.getConstraints().empty())
      RC_FAIL(map.str() + "\n" + scaled.str());
  }));
}

TEST(Symbols, UnknownAndEmptyMapsStay) {
  EXPECT_TRUE(IndexingMap().mergeSymbols().isUnknown());
  IndexingMap empty =
      parse("empty (d0)[s0, s1] -> (s0 + s1), domain: d0 in [0, 9], s0 in "
            "[0, 1], s1 in [0, 1]");
  EXPECT_EQ(empty.mergeSymbols(), empty);
}

/// A sum over all variables whose symbols have coefficients in proportion.
ExprPtr drawSum(const RandomMap &map, const std::vector<int> &weights,
                bool partial) {
  ExprPtr sum = leaf('c', pick(-4, 4));
  const int scale = pick(0, 3) ? 1 : pick(-2, 2);
  for (unsigned i = 0; i != map.ranges.size(); ++i) {
    if (partial && pick(0, 1))
      continue;
    const int k = i < map.numDims ? pick(-2, 3) : weights[i] * scale;
    sum = node('+', sum, node('*', leaf('v', i), leaf('c', k)));
  }
  return sum;
}

TEST(Symbols, MergedSymbolsGiveTheSameSets) {
  unsigned merged = 0;
  EXPECT_TRUE(rc::check("mergeSymbols", [&] {
    RandomMap tree;
    tree.numDims = pick(0, 2);
    tree.numSymbols = pick(1, 3);
    tree.numRuntime = pick(0, 3) == 0;
    const unsigned n = tree.numDims + tree.numSymbols + tree.numRuntime;
    std::vector<int> weights;
    for (unsigned i = 0; i != n; ++i) {
      int lo = pick(0, 2) ? 0 : pick(-3, 3);
      tree.ranges.push_back({lo, lo + pick(0, 4)});
      weights.push_back(pick(0, 1) ? 1 : pick(-3, 4));
    }
    for (int i = pick(1, 2); i > 0; --i) {
      ExprPtr result = drawSum(tree, weights, pick(0, 7) == 0);
      if (pick(0, 3) == 0)
        result = node(pick(0, 1) ? '/' : '%', result, leaf('c', pick(2, 5)));
      tree.results.push_back(result);
    }
    for (int i = pick(-1, 3); i > 0; --i) {
      int lo = pick(-6, 4);
      ExprPtr sum = drawSum(tree, weights, pick(0, 3) != 0);
      if (pick(0, 5) == 0)
        sum = node(pick(0, 1) ? '/' : '%', sum, leaf('c', pick(2, 5)));
      tree.constraints.push_back({sum, {lo, lo + pick(2, 16)}});
    }
    IndexingMap map = tree.parse(), less = map.mergeSymbols();
    MapComparison same = equalAsRelations(map, less);
    if (!same)
      RC_FAIL(map.str() + "\nbecame\n" + less.str() + "\n" + same.message);
    if (less.mergeSymbols() != less)
      RC_FAIL(less.str() + "\nmerges again to\n" + less.mergeSymbols().str());
    merged += less.getNumSymbols() < map.getNumSymbols();
  }));
  EXPECT_GT(merged, 100u);
}

} // namespace

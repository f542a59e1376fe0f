//===- SimplifyTest.cpp - What simplification knows -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Residues, emptiness and propagation: worked examples, random maps of many
// moduli against enumeration, and remainders of small sums, all of them.
//
//===----------------------------------------------------------------------===//

#include "MapTesting.h"
#include "ParseMap.h"
#include "RandomMaps.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

bool isEmptyByEnumeration(const RandomMap &tree) {
  for (const Point &p : pointsOf(tree.ranges))
    if (tree.evaluate(p))
      return false;
  return true;
}

/// A sum of one or two variables with small coefficients.
ExprPtr drawLinear(unsigned n) {
  ExprPtr sum = leaf('c', pick(0, 2) ? 0 : pick(-5, 5));
  for (int i = pick(0, 3) ? 1 : 2; i > 0; --i) {
    const int k = pick(0, 2) ? 1 : pick(-4, 6);
    sum = node('+', sum,
               node('*', leaf('v', pick(0, n - 1)), leaf('c', k ? k : 2)));
  }
  return sum;
}

/// Maps whose constraints and results are full of moduli.
RandomMap drawResidueMap() {
  RandomMap map;
  map.numDims = 1;
  map.numSymbols = pick(0, 1);
  map.numRuntime = pick(0, 5) == 0;
  const unsigned n = map.numDims + map.numSymbols + map.numRuntime;
  for (unsigned i = 0; i != n; ++i) {
    const int lo = pick(0, 2) ? 0 : pick(-20, 20);
    map.ranges.push_back({lo, lo + pick(0, n > 2 ? 9 : n > 1 ? 20 : 90)});
  }
  auto drawDigit = [&](int depth) {
    ExprPtr e = drawLinear(n);
    for (int i = pick(1, depth); i > 0; --i)
      e = node(pick(0, 2) ? '%' : '/', e, leaf('c', pick(2, 12)));
    return e;
  };
  for (int i = pick(1, 2); i > 0; --i) {
    ExprPtr e = drawDigit(2);
    if (pick(0, 3) == 0)
      e = node('+', e, drawLinear(n));
    if (pick(0, 5) == 0)
      e = node(pick(0, 1) ? '<' : '>', e, drawDigit(1));
    map.results.push_back(e);
  }
  for (int i = pick(1, 4); i > 0; --i) {
    const int lo = pick(0, 5);
    map.constraints.push_back({pick(0, 5) ? drawDigit(2) : drawLinear(n),
                               {lo, lo + (pick(0, 3) ? 0 : pick(1, 8))}});
  }
  return map;
}

TEST(ResidueLaws, LawsHoldWithManyModuli) {
  EXPECT_TRUE(
      rc::check("residues", [&] { expectSimplifyLaws(drawResidueMap()); }));
}

TEST(ResidueLaws, EmptinessIsSeldomMissed) {
  unsigned empty = 0, missed = 0;
  std::string first;
  EXPECT_TRUE(rc::check("empty", [&] {
    RandomMap tree = pick(0, 1) ? drawResidueMap() : drawMap(pick(1, 2), 1, 3);
    if (tree.constraints.empty() || !isEmptyByEnumeration(tree))
      return;
    ++empty;
    IndexingMap s = tree.parse().simplify();
    if (!s.isKnownEmpty() && ++missed)
      first += tree.str() + "\n   " + s.str() + "\n";
  }));
  EXPECT_GT(empty, 100u);
  EXPECT_LE(missed * 1000, empty) << first;
}

/// x mod m in [a, b] is an interval of x where x meets it in one period: then
/// no division is left. Of each sum of two that is small enough all is tried.
TEST(RemainderLaws, OnePeriodIsAnInterval) {
  unsigned intervals = 0;
  for (int m = 2; m <= 5; ++m)
    for (int low = -4; low <= 4; ++low)
      for (int size = 2; size <= 4; ++size)
        for (int k : {1, -1, 2})
          for (int a = 0; a < m; ++a)
            for (int b = a; b < m; ++b) {
              const std::string text = llvm::formatv(
                  "(d0, d1) -> (d0, d1), domain: d0 in [{0}, {1}], d1 in "
                  "[0, 2], ((d0 + d1 * 2) mod {2}) * {3} in [{4}, {5}]",
                  low, low + size - 1, m, k, std::min(a * k, b * k),
                  std::max(a * k, b * k));
              IndexingMap map = parse(text), simple = map.simplify();
              MapComparison same = equalOverDomain(map, simple);
              ASSERT_TRUE(same) << text << "\n" << same.message;
              ASSERT_EQ(simple.simplify(), simple) << text;
              // The periods that some value of the sum meets.
              std::set<int> periods;
              for (int x = low; x <= low + size - 1 + 4; ++x)
                if (int r = ((x % m) + m) % m; a <= r && r <= b)
                  periods.insert((x - r) / m);
              if (periods.size() > 1)
                continue;
              ++intervals;
              ASSERT_EQ(simple.getSize().divisions, 0u) << text << "\n"
                                                        << simple.str();
            }
  EXPECT_GT(intervals, 500u);
}

struct Example {
  const char *map, *simple;
};

void PrintTo(const Example &e, std::ostream *os) { *os << e.map; }

class Residues : public testing::TestWithParam<Example> {};

TEST_P(Residues, Simplify) {
  IndexingMap map = parse(GetParam().map), simple = map.simplify();
  EXPECT_EQ(simple.str(), GetParam().simple);
  MapComparison same = equalOverDomain(map, simple);
  EXPECT_TRUE(same) << same.message;
  EXPECT_EQ(simple.simplify(), simple);
}

const Example kExamples[] = {
    // A bound on a sum of digits pins the leading one.
    {"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 7], d0 * 8 + d1 in "
     "[0, 1]",
     "(d0, d1) -> (0, d1), domain: d0 in [0, 0], d1 in [0, 1]"},
    // Several moduli of one variable.
    {"(d0) -> (d0), domain: d0 in [0, 100], d0 mod 4 in [1, 1], d0 mod 6 in "
     "[3, 3]",
     "(d0) -> (d0), domain: d0 in [9, 93], d0 mod 12 in [9, 9]"},
    {"(d0) -> (d0), domain: d0 in [0, 1000], d0 mod 4 in [1, 1], d0 mod 6 in "
     "[2, 2]",
     "empty (d0) -> (d0), domain: d0 in [0, 1000]"},
    // Scaled and shifted.
    {"(d0) -> (d0), domain: d0 in [0, 1000], (d0 * 3 + 1) mod 10 in [5, 5], "
     "(d0 - 2) mod 4 in [2, 2]",
     "(d0) -> (d0), domain: d0 in [8, 988], d0 mod 20 in [8, 8]"},
    // The remainder is known, so the digit of the result is a number.
    {"(d0) -> (d0 mod 4, d0 mod 4 + d0), domain: d0 in [0, 100], d0 mod 12 in "
     "[9, 9]",
     "(d0) -> (1, d0 + 1), domain: d0 in [9, 93], d0 mod 12 in [9, 9]"},
    // A sum of two variables.
    {"(d0, d1) -> (d0, (d0 + d1) mod 3), domain: d0 in [0, 30], d1 in [0, 30], "
     "(d0 + d1) mod 6 in [5, 5], (d0 + d1) mod 4 in [3, 3]",
     "(d0, d1) -> (d0, 2), domain: d0 in [0, 30], d1 in [0, 30], (d0 + d1) mod "
     "12 in [11, 11]"},
    // A digit and the one above it.
    {"(d0) -> (d0), domain: d0 in [0, 100], d0 mod 3 in [0, 0], (d0 floordiv "
     "3) mod 2 in [1, 1]",
     "(d0) -> (d0), domain: d0 in [3, 99], d0 mod 6 in [3, 3]"},
    // What a strided slice asks of its input.
    {"(d0) -> ((d0 - 3) floordiv 7), domain: d0 in [3, 17], (d0 - 3) mod 7 in "
     "[0, 0]",
     "(d0) -> (d0 floordiv 7), domain: d0 in [3, 17], d0 mod 7 in [3, 3]"},
    // One constraint implies another.
    {"(d0, d1) -> (d0, d1), domain: d0 in [0, 30], d1 in [0, 30], d0 + d1 in "
     "[5, 20], d0 + d1 * 2 in [0, 51]",
     "(d0, d1) -> (d0, d1), domain: d0 in [0, 20], d1 in [0, 20], d0 + d1 in "
     "[5, 20]"},
    // A minimum is decided by a constraint.
    {"(d0, d1) -> (min(d0 - d1, 0)), domain: d0 in [0, 30], d1 in [0, 30], d0 "
     "- d1 in [2, 9]",
     "(d0, d1) -> (0), domain: d0 in [2, 30], d1 in [0, 28], d0 - d1 in [2, "
     "9]"},
    // A remainder that a sum takes in one period only.
    {"(d0, d1) -> (d0), domain: d0 in [0, 2], d1 in [0, 2], (d0 + d1) mod 3 "
     "in [2, 2]",
     "(d0, d1) -> (d0), domain: d0 in [0, 2], d1 in [0, 2], d0 + d1 in [2, "
     "2]"},
    {"(d0, d1) -> (d0), domain: d0 in [0, 26], d1 in [0, 11], (d0 + d1) mod 3 "
     "in [2, 2]",
     "(d0, d1) -> (d0), domain: d0 in [0, 26], d1 in [0, 11], (d0 + d1) mod 3 "
     "in [2, 2]"},
    // Digits of digits, value by value.
    {"(d0) -> (d0), domain: d0 in [0, 14], ((d0 * 2) mod 11) mod 9 in [1, 1], "
     "((d0 - 3) mod 11) mod 9 in [5, 5]",
     "empty (d0) -> (d0), domain: d0 in [0, 14]"},
};

INSTANTIATE_TEST_SUITE_P(Examples, Residues, testing::ValuesIn(kExamples));

} // namespace

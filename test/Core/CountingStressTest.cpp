//===- CountingStressTest.cpp - Counts of hard maps ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps that no closed form likes: several maxima in results and constraints,
// many residues that share their variables, nested divisions; over boxes from a
// few points to more than can be walked. An answer about a small box is there and
// is what plain loops see; most large boxes have an answer, too. The processor's
// time of the longest question is recorded as a property of the test, and
// not judged.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "RandomMaps.h"
#include "gtest/gtest.h"

#include <ctime>
#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// Boxes up to here are looked at point by point.
constexpr uint64_t kChecked = 1 << 12;

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

IndexingMap parse(llvm::StringRef text) {
  ParseError error;
  std::optional<IndexingMap> map = IndexingMap::parse(text, error);
  EXPECT_TRUE(map) << text.str() << ": " << error.message;
  return map ? *map : IndexingMap();
}

class Stress {
public:
  explicit Stress(unsigned seed) : random(seed) {}

  int pick(int lo, int hi) {
    return std::uniform_int_distribution<int>(lo, hi)(random);
  }

  /// A tree with many extremes.
  ExprPtr drawTree(unsigned n, int depth) {
    const int kind = depth == 0 ? pick(0, 2) : pick(0, 12);
    if (kind == 0)
      return leaf('c', pick(-9, 20));
    if (kind <= 2)
      return leaf('v', pick(0, n - 1));
    ExprPtr a = drawTree(n, depth - 1);
    switch (kind) {
    case 3:
    case 4:
      return node('+', a, drawTree(n, depth - 1));
    case 5:
      return node('-', a, drawTree(n, depth - 1));
    case 6:
      return node('*', a, leaf('c', pick(-5, 7)));
    case 7:
      return node('/', a, leaf('c', pick(2, 12)));
    case 8:
      return node('%', a, leaf('c', pick(2, 17)));
    default:
      return node(pick(0, 1) ? '<' : '>', a, drawTree(n, depth - 1));
    }
  }

  /// c + the sum of `count` residues and quotients of sums of variables.
  ExprPtr drawResidues(unsigned n, int count) {
    ExprPtr sum = leaf('c', pick(-4, 4));
    for (int i = 0; i != count; ++i) {
      ExprPtr inside = leaf('v', pick(0, n - 1));
      for (int j = pick(0, 2); j > 0; --j)
        inside =
            node('+', inside,
                 node('*', leaf('v', pick(0, n - 1)), leaf('c', pick(-7, 11))));
      ExprPtr residue = node(pick(0, 3) ? '%' : '/', inside,
                             leaf('c', pick(2, pick(0, 3) ? 13 : 97)));
      sum = node('+', sum, node('*', residue, leaf('c', pick(-3, 5))));
    }
    return sum;
  }

  ExprPtr drawForm(unsigned n) {
    switch (pick(0, 3)) {
    case 0:
      return drawResidues(n, pick(1, 14));
    case 1:
      return drawResidues(n, pick(1, 3));
    default:
      return drawTree(n, pick(1, 4));
    }
  }

  RandomMap draw() {
    RandomMap map;
    map.numDims = pick(1, 5);
    map.numSymbols = pick(0, 2);
    const unsigned n = map.numDims + map.numSymbols;
    // From a point to some 2^60 points.
    const int bits = pick(1, std::max(60 / static_cast<int>(n), 1));
    for (unsigned i = 0; i != n; ++i) {
      const int64_t lo = pick(0, 2) ? 0 : pick(-20, 20);
      const int64_t size = int64_t(1) << pick(0, std::min(bits, 24));
      map.ranges.push_back({lo, lo + size + pick(0, size / 2) - 1});
    }
    for (int i = pick(1, 3); i > 0; --i)
      map.results.push_back(drawForm(n));
    for (int i = pick(-1, 4); i > 0; --i) {
      const int64_t lo = pick(-30, 20);
      map.constraints.push_back({drawForm(n), {lo, lo + pick(0, 60)}});
    }
    return map;
  }

private:
  std::mt19937 random;
};

/// The longest question so far.
struct Worst {
  double seconds = 0;
  std::string what;

  template <typename Question>
  auto ask(const char *name, const std::string &map, Question question) {
    const double start = now();
    auto answer = question();
    const double took = now() - start;
    if (took > seconds) {
      seconds = took;
      what = std::string(name) + " of " + map;
    }
    return answer;
  }
};

TEST(CountingStress, AnswersAreTrue) {
  Stress stress(20240521);
  Worst worst;
  unsigned numMaps = 0, numKnown = 0, numLarge = 0;
  for (int i = 0; i != 250; ++i) {
    RandomMap tree = stress.draw();
    const std::string text = tree.str();
    ParseError error;
    std::optional<IndexingMap> map = IndexingMap::parse(text, error);
    ASSERT_TRUE(map) << text << ": " << error.message;
    if (map->isUnknown())
      continue;
    ++numMaps;
    RandomMap moved = tree;
    for (ExprPtr &e : moved.results)
      e = node('+', e, leaf('c', stress.pick(-3, 3)));
    IndexingMap other = parse(moved.str());

    worst.ask("simplify", text, [&] { return map->simplify(); });
    auto points =
        worst.ask("countPoints", text, [&] { return countPoints(*map); });
    auto image = worst.ask("getImage", text, [&] { return getImage(*map); });
    auto injective =
        worst.ask("isInjective", text, [&] { return isInjective(*map); });
    auto together = worst.ask("countUnion", text,
                              [&] { return countUnion({*map, other}); });
    std::optional<uint64_t> size = getBoxSize(*map);
    if (!size || *size > kChecked) {
      ++numLarge;
      numKnown += points && image.count && injective && together;
      continue;
    }
    uint64_t numPoints = 0;
    std::set<Point> results, united;
    for (const Point &p : pointsOf(tree.ranges))
      if (auto r = tree.evaluate(p)) {
        ++numPoints;
        results.emplace(r->begin(), r->end());
        auto m = moved.evaluate(p);
        united.emplace(m->begin(), m->end());
      }
    const uint64_t numResults = results.size();
    united.merge(results);
    EXPECT_EQ(points, numPoints) << text;
    EXPECT_EQ(image.count, numResults) << text;
    EXPECT_EQ(injective, numPoints == numResults) << text;
    EXPECT_EQ(together, united.size()) << text;
  }
  RecordProperty("worst_ms", static_cast<int>(worst.seconds * 1000));
  RecordProperty("worst", worst.what);
  EXPECT_GT(numLarge, numMaps / 4);
  EXPECT_GT(numKnown, numLarge / 2);
}

/// Different results of a map by plain loops.
uint64_t countByLoops(const IndexingMap &map) {
  std::optional<std::set<Point>> image = enumerateImage(map);
  EXPECT_TRUE(image);
  return image ? image->size() : 0;
}

// Results that are few but far apart, and values near the end of 64 bits.
TEST(CountingStress, ResultsMayLieFarApart) {
  for (const char *text :
       {"(d0, d1) -> ((d0 * 1000003 + d1 * 77777) mod 1000000007, "
        "max(d0, d1)), domain: d0 in [0, 99], d1 in [0, 99]",
        "(d0, d1) -> (max(d0 * 4611686018427387904, d1 * d1)), "
        "domain: d0 in [0, 1], d1 in [0, 5]",
        "(d0, d1) -> (max(d0, d1 - 9) * 3000000000, min(d0, d1) * 5000000000), "
        "domain: d0 in [-4, 9], d1 in [-3, 20]",
        "(d0, d1) -> ((d0 * 3000000000 - d1) floordiv 7, max(d0, d1) floordiv "
        "3), domain: d0 in [-40, 39], d1 in [-9, 30]"}) {
    IndexingMap map = parse(text);
    const uint64_t count = countByLoops(map);
    EXPECT_EQ(countImage(map), count) << text;
    EXPECT_EQ(isInjective(map), count == countPoints(map)) << text;
  }
}

// Three maxima and twelve residues over 450 points.
TEST(CountingStress, SmallDomainsAreWalked) {
  std::string text = "(d0, d1)[s0] -> (max(d0, d1) - min(d0, s0), max(d1 - 3, "
                     "s0) + d0, d0";
  for (int i = 2; i != 14; ++i)
    text += " + (d0 * " + std::to_string(i) + " + d1 + s0 * 3) mod " +
            std::to_string(i + 3);
  text += "), domain: d0 in [0, 9], d1 in [0, 8], s0 in [0, 4], "
          "max(d0 - d1, s0) in [0, 7]";
  IndexingMap map = parse(text);
  const double start = now();
  std::optional<uint64_t> count = countImage(map);
  EXPECT_LT(now() - start, 0.05);
  EXPECT_EQ(count, countByLoops(map));
}

} // namespace

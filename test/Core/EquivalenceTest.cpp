//===- EquivalenceTest.cpp - Proofs and refutations, against brute force --===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "ParseMap.h"
#include "RandomMaps.h"

#include <map>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;

namespace {

using Verdict = Equivalence::Verdict;

using Relation = std::map<Point, std::set<Point>>;

/// (dims, runtime) -> results, by plain loops over the tree.
Relation relationOf(const RandomMap &tree) {
  Relation relation;
  for (const Point &p : pointsOf(tree.ranges))
    if (auto results = tree.evaluate(p)) {
      Point key(p.begin(), p.begin() + tree.numDims);
      key.insert(key.end(), p.end() - tree.numRuntime, p.end());
      relation[key].emplace(results->begin(), results->end());
    }
  return relation;
}

/// The same function written in another way, or nearly so.
ExprPtr rewrite(const ExprPtr &e) {
  if (!e->lhs)
    return e;
  ExprPtr a = rewrite(e->lhs), b = e->rhs ? rewrite(e->rhs) : nullptr;
  switch (pick(0, 7)) {
  case 0:
    if (e->op == '%')
      return node('-', a, node('*', b, node('/', a, b)));
    break;
  case 1:
    if (e->op == '+')
      return node('-', b, node('n', a));
    break;
  case 2:
    return node('+', node(e->op, a, b), leaf('c', pick(0, 8) ? 0 : 1));
  case 3:
    if (e->op == '>')
      return node('n', node('<', node('n', a), node('n', b)));
    break;
  default:
    break;
  }
  return node(e->op, a, b);
}

RandomMap rewrite(const RandomMap &map) {
  RandomMap other = map;
  for (ExprPtr &e : other.results)
    e = rewrite(e);
  for (RandomConstraint &c : other.constraints) {
    c.expr = rewrite(c.expr);
    if (!pick(0, 12))
      ++c.interval.upper;
  }
  if (!pick(0, 9) && !other.ranges.empty())
    --other.ranges[0].upper;
  return other;
}

TEST(EquivalenceLaws, VerdictsAreRightAndWitnessesReal) {
  unsigned drawn = 0, equal = 0, different = 0;
  check("verdicts", [&] {
    RandomMap x = drawMap(pick(0, 2), pick(1, 2), 3);
    RandomMap y = rewrite(x);
    Relation a = relationOf(x), b = relationOf(y);
    Equivalence found = compareMaps(x.parse(), y.parse());
    ++drawn;
    switch (found.verdict) {
    case Verdict::Equal:
      ++equal;
      if (a != b)
        RC_FAIL(x.str() + "\nis not " + y.str());
      break;
    case Verdict::Different: {
      ++different;
      if (a == b || a[found.witness] == b[found.witness])
        RC_FAIL(x.str() + "\nis " + y.str() + "\n" + found.message);
      break;
    }
    case Verdict::Unknown:
      RC_FAIL(x.str() + "\nundecided against " + y.str());
    }
  });
  // Both verdicts were put to the test.
  EXPECT_GT(equal, drawn / 6);
  EXPECT_GT(different, drawn / 16);
}

// A budget that allows no walk: what remains are proofs.
TEST(EquivalenceLaws, ProofsNeedNoWalk) {
  unsigned decided = 0, drawn = 0;
  check("proofs", [&] {
    RandomMap x = drawMap(pick(1, 2), pick(1, 2), 2);
    RandomMap y = rewrite(x);
    Relation a = relationOf(x), b = relationOf(y);
    Equivalence found = compareMaps(x.parse(), y.parse(), /*budget=*/8);
    ++drawn;
    decided += found.verdict != Verdict::Unknown;
    if (found.verdict == Verdict::Equal)
      RC_ASSERT(a == b);
    if (found.verdict == Verdict::Different)
      RC_ASSERT(a[found.witness] != b[found.witness]);
  });
  EXPECT_GT(decided, drawn * 9 / 10);
}

TEST(EquivalenceLaws, EmptinessIsRight) {
  check("empty", [] {
    RandomMap tree = drawMap(pick(0, 2), 1, 3);
    for (int i = pick(0, 2); i > 0; --i) {
      int lo = pick(-8, 12);
      tree.constraints.push_back(
          {drawExpr(tree.ranges.size(), 2), {lo, lo + pick(0, 2)}});
    }
    IndexingMap map = tree.parse();
    const bool expected = relationOf(tree).empty();
    RC_ASSERT(isEmpty(map) == expected);
    std::optional<Point> point = findPoint(map);
    RC_ASSERT(point.has_value() == !expected);
    if (point)
      RC_ASSERT(tree.evaluate(*point).has_value());
  });
}

TEST(Equivalence, LargeMapsAreProvedOrRefutedWithoutWalking) {
  auto compare = [](llvm::StringRef a, llvm::StringRef b) {
    return compareMaps(parse(a), parse(b));
  };
  const char *big = ", domain: d0 in [0, 999999], d1 in [0, 999999]";
  auto with = [&](const char *text) { return std::string(text) + big; };
  EXPECT_EQ(compare(with("(d0, d1) -> ((d0 * 8 + d1) mod 8)"),
                    with("(d0, d1) -> (d1 - (d1 floordiv 8) * 8)"))
                .verdict,
            Verdict::Equal);
  Equivalence found = compare(with("(d0, d1) -> (d0 + d1)"),
                              with("(d0, d1) -> (max(d0 + d1, 5))"));
  ASSERT_EQ(found.verdict, Verdict::Different);
  ASSERT_EQ(found.witness.size(), 2u);
  EXPECT_LT(found.witness[0] + found.witness[1], 5);
  // The same windows, counted from the other end.
  EXPECT_EQ(compare("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 999999], "
                    "s0 in [0, 2999]",
                    "(d0)[s0] -> (d0 - s0 + 2999), domain: d0 in [0, 999999], "
                    "s0 in [0, 2999]")
                .verdict,
            Verdict::Equal);
  // One symbol for two.
  EXPECT_EQ(compare("(d0)[s0, s1] -> (d0 + s0 * 100 + s1), domain: "
                    "d0 in [0, 999999], s0 in [0, 99], s1 in [0, 99]",
                    "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 999999], "
                    "s0 in [0, 9999]")
                .verdict,
            Verdict::Equal);
}

TEST(Equivalence, RefutationsSayWhere) {
  Equivalence found =
      compareMaps(parse("(d0) -> (d0 mod 4), domain: d0 in [0, 9]"),
                  parse("(d0) -> (d0 mod 4), domain: d0 in [0, 8]"));
  EXPECT_EQ(found.witness, Point({9}));
  EXPECT_EQ(found.message,
            "at (9) the first map gives (1) and the second no result");
  EXPECT_EQ(found.answer(), false);
  found = compareMaps(parse("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
                            "rt0 in [0, 3]"),
                      parse("(d0){rt0} -> (d0 + min(rt0, 2)), domain: d0 in "
                            "[0, 9], rt0 in [0, 3]"));
  ASSERT_EQ(found.witness.size(), 2u);
  EXPECT_EQ(found.witness[1], 3);
  EXPECT_EQ(
      compareMaps(IndexingMap::identity({3}), IndexingMap::identity({3, 5}))
          .message,
      "the maps have 1 and 2 dims");
  EXPECT_EQ(compareMaps(parse("(d0) -> (d0)"), parse("(d0) -> ()")).message,
            "the maps have 1 and 0 results");
  EXPECT_EQ(
      compareMaps(parse("(d0) -> (d0)"), parse("(d0){rt0} -> (d0)")).message,
      "the maps have 0 and 1 runtime variables");
  EXPECT_EQ(compareMaps(IndexingMap(), IndexingMap()).answer(), std::nullopt);
}

TEST(Equivalence, EmptinessIsDecidedOnLargeDomains) {
  auto empty = [](llvm::StringRef text) { return isEmpty(parse(text)); };
  EXPECT_EQ(empty("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 8 in [45, 49]"),
            true);
  // 6*d0 + 4*d1 is even.
  EXPECT_EQ(empty("(d0, d1) -> (), domain: d0 in [0, 999999], "
                  "d1 in [0, 999999], d0 * 6 - d1 * 4 + 1 in [0, 0]"),
            true);
  // Two residues that don't meet.
  EXPECT_EQ(empty("(d0) -> (), domain: d0 in [0, 999999999], d0 mod 4 in "
                  "[1, 1], d0 mod 6 in [2, 2]"),
            true);
  EXPECT_EQ(empty("(d0) -> (), domain: d0 in [0, 999999999], d0 mod 4 in "
                  "[2, 2], d0 mod 6 in [2, 2]"),
            false);
  EXPECT_EQ(empty("(d0, d1) -> (), domain: d0 in [-inf, inf], d1 in "
                  "[-inf, inf], d0 * 3 + d1 * 5 in [7, 7]"),
            false);
  EXPECT_EQ(empty("unknown"), std::nullopt);
}

} // namespace

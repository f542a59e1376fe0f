//===- OperationsTest.cpp - Maps from parts of maps -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/IndexingMap.h"

#include "ParseMap.h"
#include "RandomMaps.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

TEST(Operations, DimsBecomeSymbolsAndBack) {
  IndexingMap map =
      parse("(d0, i)[s0]{rt0} -> (d0 * 4 + i + s0 + rt0), domain: "
            "d0 in [0, 2], i in [0, 3], s0 in [0, 4], rt0 in "
            "[0, 5], i + s0 in [0, 5]");
  EXPECT_EQ(map.dimsToSymbols({0}).str(),
            "(i)[s0, s1]{rt0} -> (i + s0 + s1 * 4 + rt0), domain: i in [0, 3], "
            "s0 in [0, 4], s1 in [0, 2], rt0 in [0, 5], i + s0 in [0, 5]");
  IndexingMap two = parse("(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 2], "
                          "d1 in [0, 3]");
  EXPECT_EQ(two.dimsToSymbols({1}).symbolsToDims({0}), two);
  EXPECT_TRUE(IndexingMap().dimsToSymbols({}).isUnknown());
}

TEST(Operations, SubMapsKeepTheDomain) {
  IndexingMap map =
      parse("(d0, d1) -> (d0, d1, d0 + d1), domain: d0 in [0, 2], "
            "d1 in [0, 3], d0 + d1 in [1, 4]");
  EXPECT_EQ(map.selectResults({2, 0}).str(),
            "(d0, d1) -> (d0 + d1, d0), domain: d0 in [0, 2], d1 in [0, 3], "
            "d0 + d1 in [1, 4]");
  EXPECT_EQ(map.selectResults({}).getNumResults(), 0u);
}

TEST(Operations, DomainsMeet) {
  IndexingMap a = parse("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], "
                        "s0 in [0, 2], d0 + s0 in [0, 10]");
  IndexingMap b = parse("(i)[s0, s1]{rt0} -> (i), domain: i in [3, 12], "
                        "s0 in [0, 1], s1 in [0, 4], rt0 in [0, 3], "
                        "i - s1 in [0, 6]");
  EXPECT_EQ(a.intersectDomains(b).str(),
            "(d0)[s0, s1] -> (d0 + s0), domain: d0 in [3, 9], s0 in [0, 2], "
            "s1 in [0, 4], d0 + s0 in [0, 10], d0 - s1 in [0, 6]");
  EXPECT_TRUE(a.intersectDomains(parse("empty (d0) -> ()")).isKnownEmpty());
  EXPECT_TRUE(a.intersectDomains(parse("(d0) -> (), domain: d0 in [20, 30]"))
                  .isKnownEmpty());
  EXPECT_TRUE(a.intersectDomains(IndexingMap()).isUnknown());
  EXPECT_EQ(a.intersectDomains(parse("(d0, d1) -> ()")).getUnknownReason(),
            UnknownReason::RankMismatch);
}

TEST(Operations, RangesShrinkOnly) {
  IndexingMap map =
      parse("(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 4]");
  EXPECT_EQ(map.restrictRanges({{5, 20}, Interval::all()}).str(),
            "(d0, d1) -> (d0), domain: d0 in [5, 9], d1 in [0, 4]");
  EXPECT_TRUE(map.restrictRanges({{5, 4}, Interval::all()}).isKnownEmpty());
}

TEST(Operations, NamesAreCheckedAndKept) {
  IndexingMap map =
      parse("(d0, d1)[s0] -> (d0 + s0, d1), domain: d0 in [0, 9], "
            "d1 in [0, 4], s0 in [0, 2]");
  std::string error;
  std::optional<IndexingMap> named = map.withNames({"row", "", "k"}, error);
  ASSERT_TRUE(named);
  EXPECT_EQ(named->str(), "(row, d1)[k] -> (row + k, d1), domain: "
                          "row in [0, 9], d1 in [0, 4], k in [0, 2]");
  EXPECT_EQ(parse(named->str()), *named);
  EXPECT_EQ(*named->withNames({"", "", ""}, error), map);
  auto refuse = [&](ArrayRef<std::string> names) {
    EXPECT_FALSE(map.withNames(names, error));
    return error;
  };
  EXPECT_EQ(refuse({"a", "b"}), "the map has 3 variables, got 2 names");
  EXPECT_EQ(refuse({"a", "b", "a"}), "variable 'a' is declared twice");
  EXPECT_EQ(refuse({"d1", "", "a"}), "variable 'd1' is declared twice");
  EXPECT_EQ(refuse({"mod", "b", "c"}), "'mod' cannot name a variable");
  EXPECT_EQ(refuse({"a b", "b", "c"}), "'a b' cannot name a variable");
  EXPECT_EQ(refuse({"a, x", "b", "c"}), "'a, x' cannot name a variable");
}

TEST(Operations, FormsTakeThePlaceOfVariables) {
  IndexingMap map =
      parse("(i, j)[s0] -> (i * 2 + s0, j mod 4), domain: i in "
            "[0, 9], j in [0, 4], s0 in [0, 2], i + s0 in [0, 10]");
  ParseError error;
  std::optional<IndexingMap> result = map.substitute({{"i", "3"}}, error);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->str(), "(j)[s0] -> (s0 + 6, j mod 4), domain: j in [0, 4], "
                           "s0 in [0, 2], s0 in [-3, 7]");
  result = map.substitute({{"i", "j * 3 - 1"}, {"s0", "1"}}, error);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->simplify().str(),
            "(j) -> (j * 6 - 1, j), domain: j in [1, 3]");
  // Outside of the range there is nothing.
  EXPECT_TRUE(map.substitute({{"i", "10"}}, error)->isKnownEmpty());

  auto refuse = [&](const char *name, const char *form) {
    EXPECT_FALSE(map.substitute({{name, form}}, error));
    return error.message + " at " + std::to_string(error.offset);
  };
  EXPECT_EQ(refuse("k", "3"), "the map has no variable 'k' at 0");
  EXPECT_EQ(refuse("i", "j + k"), "variable 'k' is not declared at 4");
  EXPECT_EQ(refuse("i", "i + 1"),
            "variable 'i' is replaced and can't be mentioned at 0");
  EXPECT_EQ(refuse("i", "j, j"), "'j, j' must be one expression at 0");
  EXPECT_EQ(refuse("i", "j + "), "expected an expression, got ')' at 4");
  EXPECT_EQ(refuse("i", "j mod 0"),
            "right operand of 'mod' must not be 0 at 2");
  EXPECT_FALSE(map.substitute({{"i", "1"}, {"i", "2"}}, error));
  EXPECT_EQ(error.message, "variable 'i' is replaced twice");
}

TEST(Operations, ConstraintsAreReadAsText) {
  ParseError error;
  IndexingMap map = parse("(i)[s0] -> (i + s0), domain: i in [0, 9], "
                          "s0 in [0, 2]");
  EXPECT_EQ(map.withConstraint("i + s0 in [0, 4]", error)->str(),
            "(i)[s0] -> (i + s0), domain: i in [0, 9], s0 in [0, 2], "
            "i + s0 in [0, 4]");
  EXPECT_EQ(
      parse("(d0) -> (d0)").withConstraint("d0 mod 2 in [0, 0]", error)->str(),
      "(d0) -> (d0), domain: d0 in [-inf, inf], d0 mod 2 in [0, 0]");
  EXPECT_TRUE(
      parse("() -> (3)").withConstraint("1 in [2, 3]", error)->isKnownEmpty());
  EXPECT_FALSE(map.withConstraint("i + k in [0, 4]", error));
  EXPECT_EQ(error.message, "variable 'k' is not declared");
  EXPECT_EQ(error.offset, 4u);
  EXPECT_FALSE(map.withConstraint("i + s0", error));
  EXPECT_EQ(error.message,
            "expected 'in' after the expression, got end of text");
}

// Each operation against the points of the tree that it was made from.
TEST(OperationsLaws, OperationsDoToPointsWhatTheySay) {
  check("operations", [] {
    RandomMap tree = drawMap(pick(1, 2), pick(1, 3), 3);
    IndexingMap map = tree.parse();
    const unsigned numDims = tree.numDims;
    IndexingMap moved = map.dimsToSymbols({0});
    unsigned which = pick(0, tree.results.size() - 1);
    IndexingMap sub = map.selectResults({which});
    RandomMap other = drawMap(numDims, 1, 2, /*others=*/false);
    IndexingMap met = map.intersectDomains(other.parse());
    int64_t value = pick(tree.ranges[0].lower - 1, tree.ranges[0].upper);
    ParseError error;
    std::optional<IndexingMap> fixed =
        map.substitute({{"d0", std::to_string(value)}}, error);
    RC_ASSERT(fixed.has_value());
    for (const Point &p : pointsOf(tree.ranges)) {
      auto expected = tree.evaluate(p);
      ArrayRef<int64_t> dims = ArrayRef<int64_t>(p).take_front(numDims);
      ArrayRef<int64_t> rest = ArrayRef<int64_t>(p).drop_front(numDims);
      // Symbols, the moved dim, runtime variables.
      SmallVector<int64_t> q(dims.drop_front());
      q.append(rest.begin(), rest.begin() + tree.numSymbols);
      q.push_back(dims[0]);
      q.append(rest.begin() + tree.numSymbols, rest.end());
      RC_ASSERT(moved.evaluateAt(q) == expected);

      auto part = sub.evaluateAt(p);
      RC_ASSERT(part.has_value() == expected.has_value());
      if (part)
        RC_ASSERT((*part)[0] == (*expected)[which]);

      const bool isInOther = other.evaluate(dims).has_value();
      RC_ASSERT(met.evaluateAt(p) == (isInOther ? expected : std::nullopt));

      if (dims[0] == value)
        RC_ASSERT(fixed->evaluateAt(ArrayRef<int64_t>(p).drop_front()) ==
                  expected);
    }
    if (!tree.ranges[0].contains(value))
      RC_ASSERT(fixed->isKnownEmpty());
  });
}

} // namespace

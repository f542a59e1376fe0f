//===- MapEvaluatorTest.cpp - All values against one by one ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/MapEvaluator.h"
#include "RandomLayouts.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static IndexingMap parseMap(StringRef text) {
  ParseError error;
  std::optional<IndexingMap> map = IndexingMap::parse(text, error);
  EXPECT_TRUE(map.has_value()) << text.str() << ": " << error.message;
  return map.value_or(IndexingMap());
}

/// Checks every point of a box in each of the ways.
static void expectAll(const IndexingMap &map, const Box &box,
                      ArrayRef<int64_t> runtime = {}) {
  MapEvaluator evaluator(map, runtime);
  ASSERT_EQ(evaluator.getNumVariables(), box.lo.size());
  SmallVector<int64_t> sizes;
  int64_t total = 1;
  for (size_t i = 0; i < box.lo.size(); ++i) {
    sizes.push_back(box.hi[i] - box.lo[i]);
    total *= sizes.back();
  }
  unsigned numResults = map.getNumResults();
  std::vector<std::vector<int64_t>> wide(numResults,
                                         std::vector<int64_t>(total + 1, 77));
  std::vector<std::vector<int64_t>> unmasked = wide;
  std::vector<std::vector<int32_t>> narrow(numResults,
                                           std::vector<int32_t>(total + 1, 77));
  std::vector<uint8_t> inside(total + 1, 7), insideNarrow = inside;
  SmallVector<int64_t *> wideColumns, unmaskedColumns;
  SmallVector<int32_t *> narrowColumns;
  for (unsigned r = 0; r < numResults; ++r) {
    wideColumns.push_back(wide[r].data());
    unmaskedColumns.push_back(unmasked[r].data());
    narrowColumns.push_back(narrow[r].data());
  }
  ASSERT_EQ(evaluator.evaluate(box, wideColumns, inside.data()),
            EnumerateStatus::Ok);
  ASSERT_EQ(evaluator.evaluate(box, unmaskedColumns), EnumerateStatus::Ok);
  ASSERT_EQ(evaluator.evaluate(box, narrowColumns, insideNarrow.data()),
            EnumerateStatus::Ok);
  SmallVector<int64_t> alone(numResults);
  SmallVector<int64_t *> aloneColumns;
  for (int64_t &value : alone)
    aloneColumns.push_back(&value);
  int64_t i = 0;
  forEachIndex(sizes, [&](ArrayRef<int64_t> at) {
    SmallVector<int64_t> point;
    for (size_t k = 0; k < at.size(); ++k)
      point.push_back(box.lo[k] + at[k]);
    Box around;
    around.lo = around.hi = point;
    for (int64_t &end : around.hi)
      ++end;
    uint8_t isInside = 7;
    ASSERT_EQ(evaluator.evaluate(around, aloneColumns, &isInside),
              EnumerateStatus::Ok);
    ArrayRef<int64_t> all = point;
    auto values = map.evaluate(all.take_front(map.getNumDims()),
                               all.drop_front(map.getNumDims()), runtime);
    ASSERT_EQ(inside[i], values.has_value());
    ASSERT_EQ(insideNarrow[i], values.has_value());
    ASSERT_EQ(isInside, values.has_value());
    for (unsigned r = 0; r < numResults; ++r) {
      int64_t value = values ? (*values)[r] : -1;
      ASSERT_EQ(wide[r][i], value);
      ASSERT_EQ(narrow[r][i], value);
      ASSERT_EQ(alone[r], value);
      if (values) {
        ASSERT_EQ(unmasked[r][i], value);
      }
    }
    ++i;
  });
  // Nothing is written past the end.
  EXPECT_EQ(inside[total], 7);
  for (unsigned r = 0; r < numResults; ++r) {
    EXPECT_EQ(wide[r][total], 77);
    EXPECT_EQ(narrow[r][total], 77);
  }
}

static void expectAll(StringRef text, ArrayRef<int64_t> runtime = {}) {
  SCOPED_TRACE(text.str());
  IndexingMap map = parseMap(text);
  std::optional<Box> box = MapEvaluator(map, runtime).getBox();
  ASSERT_TRUE(box.has_value());
  expectAll(map, *box, runtime);
}

TEST(MapEvaluator, EveryKindOfAtom) {
  expectAll("() -> (5)");
  expectAll("(d0) -> (), domain: d0 in [0, 9]");
  expectAll("(d0) -> (d0 * 3 - 7), domain: d0 in [-5, 9000]");
  expectAll("(d0, d1) -> (d0 floordiv 3, d1 mod 7, (d0 * 5 + d1) floordiv 6), "
            "domain: d0 in [-40, 60], d1 in [0, 80]");
  expectAll("(d0, d1)[s0] -> (max(d0, d1 + s0), min(d0 - s0, d1 * 2)), "
            "domain: d0 in [0, 20], d1 in [-9, 30], s0 in [0, 4]");
  expectAll("(d0, d1)[s0] -> (d0 * d1, d1 * s0, d0 * s0 + d1 * d1), domain: "
            "d0 in [-3, 20], d1 in [-9, 30], s0 in [0, 4]");
  // A division of a division, and one by a number that is not a power of two.
  expectAll("(d0, d1) -> ((d0 * 17 + d1) floordiv 5 floordiv 3 + "
            "((d0 * 17 + d1) mod 5) * 1000), domain: d0 in [0, 90], d1 in "
            "[0, 16]");
  expectAll("(d0, d1){rt0} -> (d0 + rt0, (d1 + rt0) floordiv 4), domain: d0 "
            "in [0, 5], d1 in [0, 700], rt0 in [0, 100]",
            {13});
}

TEST(MapEvaluator, LeavesOutWhatConstraintsLeaveOut) {
  expectAll("(d0, d1) -> (d0 + d1), domain: d0 in [0, 30], d1 in [0, 40], d0 + "
            "d1 in [10, 50], d1 mod 3 in [0, 1]");
  expectAll("empty (d0) -> (d0), domain: d0 in [0, 9]");
  // Points outside of the ranges.
  IndexingMap map = parseMap("(d0, d1) -> (d0 * 10 + d1 floordiv 2), domain: "
                             "d0 in [0, 4], d1 in [2, 9]");
  Box box;
  box.lo = {-2, 0};
  box.hi = {8, 20};
  expectAll(map, box);
}

TEST(MapEvaluator, Layouts) {
  RandomLayouts random(31);
  for (int i = 0; i < 400; ++i) {
    Layout layout = random.layout(random.shape());
    SCOPED_TRACE(layout.str());
    IndexingMap map = *layout.getIndexingMap();
    expectAll(map, *MapEvaluator(map).getBox());
  }
  for (StringRef text : {"bf16[70,300]{1,0:T(8,128)(2,1)}", "f32[9000]{0:T(7)}",
                         "f32[3000,3]{0,1:T(5,2)}", "s4[2,5000]{1,0:T(3)}"}) {
    ParseError error;
    Layout layout = *Layout::parse(text, error);
    SCOPED_TRACE(text.str());
    IndexingMap map = *layout.getIndexingMap();
    Box box = *MapEvaluator(map).getBox();
    int64_t total = *layout.getElements();
    std::vector<int64_t> numbers(total);
    ASSERT_EQ(MapEvaluator(map).evaluate(box, {numbers.data()}),
              EnumerateStatus::Ok);
    std::vector<int32_t> narrow(total);
    ASSERT_EQ(MapEvaluator(map).evaluate(box, {narrow.data()}),
              EnumerateStatus::Ok);
    int64_t at = 0;
    forEachIndex(*layout.shape, [&](ArrayRef<int64_t> index) {
      int64_t number = numberByFormula(layout, index);
      ASSERT_EQ(numbers[at], number);
      ASSERT_EQ(narrow[at], number);
      ++at;
    });
  }
}

/// A random expression over d0, d1, s0.
static std::string randomExpression(RandomLayouts &random, int depth) {
  const char *leaves[] = {"d0", "d1", "s0"};
  if (depth == 0 || random.pick(0, 4) == 0)
    return random.pick(0, 4) == 0 ? std::to_string(random.pick(0, 40))
                                  : leaves[random.pick(0, 2)];
  std::string a = randomExpression(random, depth - 1);
  std::string b = randomExpression(random, depth - 1);
  std::string n = std::to_string(random.pick(1, 13));
  switch (random.pick(0, 7)) {
  case 0:
    return "((" + a + ") * " + n + " + " + b + ")";
  case 1:
    return "(" + a + " - (" + b + "))";
  case 2:
    return "((" + a + ") floordiv " + n + ")";
  case 3:
    return "((" + a + ") mod " + n + ")";
  case 4:
    return "max(" + a + ", " + b + ")";
  case 5:
    return "min(" + a + ", " + b + ")";
  case 6:
    return "((" + a + ") * (" + b + "))";
  default:
    return "(" + a + " + " + b + ")";
  }
}

TEST(MapEvaluator, RandomMaps) {
  RandomLayouts random(32);
  unsigned tried = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text = "(d0, d1)[s0] -> (" + randomExpression(random, 4) +
                       ", " + randomExpression(random, 3) +
                       "), domain: d0 in [" +
                       std::to_string(random.pick(-3, 0)) + ", " +
                       std::to_string(random.pick(0, 9)) + "], d1 in [0, " +
                       std::to_string(random.pick(0, 12)) + "], s0 in [0, " +
                       std::to_string(random.pick(0, 5)) + "]";
    if (random.pick(0, 2) == 0)
      text += ", " + randomExpression(random, 2) + " in [0, " +
              std::to_string(random.pick(0, 30)) + "]";
    ParseError error;
    std::optional<IndexingMap> map = IndexingMap::parse(text, error);
    if (!map || map->isUnknown())
      continue;
    std::optional<Box> box = MapEvaluator(*map).getBox();
    if (!box)
      continue;
    ++tried;
    SCOPED_TRACE(text);
    expectAll(*map, *box);
    if (testing::Test::HasFailure())
      return;
  }
  EXPECT_GT(tried, 1000u);
}

TEST(MapEvaluator, LargeDivisions) {
  // Beyond what doubles hold, and just inside.
  for (StringRef text :
       {"(d0, d1) -> ((d0 * 1125899906842623 + d1) floordiv 3), domain: d0 in "
        "[-1, 1], d1 in [-40, 40]",
        "(d0, d1) -> ((d0 * 4611686018427387900 + d1) floordiv 7), domain: d0 "
        "in [-1, 1], d1 in [-40, 40]",
        "(d0, d1) -> ((d0 * 2251799813685200 + d1) floordiv 2251799813685247), "
        "domain: d0 in [-1, 1], d1 in [-48, 48]"}) {
    SCOPED_TRACE(text.str());
    IndexingMap map = parseMap(text);
    Box box = *MapEvaluator(map).getBox();
    std::vector<int64_t> values((box.hi[0] - box.lo[0]) *
                                (box.hi[1] - box.lo[1]));
    ASSERT_EQ(MapEvaluator(map).evaluate(box, {values.data()}),
              EnumerateStatus::Ok);
    size_t at = 0;
    for (int64_t d0 = box.lo[0]; d0 < box.hi[0]; ++d0)
      for (int64_t d1 = box.lo[1]; d1 < box.hi[1]; ++d1)
        ASSERT_EQ(values[at++], (*map.evaluate({d0, d1}))[0])
            << d0 << " " << d1;
  }
}

TEST(MapEvaluator, ReportsWhatDoesNotFit) {
  IndexingMap map =
      parseMap("(d0) -> (d0 * 4611686018427387904), domain: d0 in [0, 1]");
  Box box;
  box.lo = {0};
  box.hi = {2};
  int64_t values[3];
  int32_t narrow[3];
  EXPECT_EQ(MapEvaluator(map).evaluate(box, {values}), EnumerateStatus::Ok);
  EXPECT_EQ(values[1], 4611686018427387904);
  EXPECT_EQ(MapEvaluator(map).evaluate(box, {narrow}),
            EnumerateStatus::Overflow);
  EXPECT_EQ(values[0], 0);
  EXPECT_TRUE(MapEvaluator(map).fits(box));
  // Outside of the domain a value may be too large: it is not computed.
  box.hi = {3};
  uint8_t inside[3];
  EXPECT_EQ(MapEvaluator(map).evaluate(box, {values}, inside),
            EnumerateStatus::Ok);
  EXPECT_EQ(inside[2], 0);
  EXPECT_EQ(values[2], -1);
  EXPECT_FALSE(MapEvaluator(map).fits(box));
  EXPECT_EQ(MapEvaluator(IndexingMap()).evaluate(box, {values}),
            EnumerateStatus::Unknown);
  EXPECT_EQ(MapEvaluator(map).evaluate(box, {values, values}),
            EnumerateStatus::Unknown);
  map =
      parseMap("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in [0, 1]");
  EXPECT_EQ(MapEvaluator(map).evaluate(box, {values}),
            EnumerateStatus::Unknown);
  box.lo = {0};
  box.hi = {2};
  EXPECT_EQ(MapEvaluator(map).evaluate(box, {values}),
            EnumerateStatus::Unknown);
  EXPECT_EQ(MapEvaluator(parseMap("(d0) -> (d0)")).getBox(), std::nullopt);
}

//===- LayoutDigitsTest.cpp - The algebra of layouts by digits ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"
#include "MapTesting.h"
#include "RandomLayouts.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/DigitMap.h"

#include "gtest/gtest.h"
#include <map>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static std::optional<int64_t> evaluate(const DigitMap &map,
                                       ArrayRef<int64_t> index) {
  int64_t number;
  if (!map.evaluate(index, number))
    return std::nullopt;
  return number;
}

TEST(LayoutDigits, WritesOutTheFormula) {
  std::optional<DigitMap> map = getDigits(parseLayout("f32[3,5]{1,0:T(2,2)}"));
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->str(), "n0 < 3, n1 < 5, n2 < 24\n"
                        "n2 += n0 / 2 % 2 * 12 < 2\n"
                        "n2 += n1 / 2 % 3 * 4 < 3\n"
                        "n2 += n0 % 2 * 2 < 2\n"
                        "n2 += n1 % 2 * 1 < 2\n");
  EXPECT_EQ(evaluate(*map, {2, 3}), 17);
  EXPECT_EQ(evaluate(*map, {3, 0}), std::nullopt);
}

TEST(LayoutDigits, AgreesWithTheFormula) {
  RandomLayouts random(11);
  unsigned inner = 0;
  for (int i = 0; i < 3000; ++i) {
    Layout layout = random.layout(random.shape());
    std::optional<DigitMap> map = getDigits(layout);
    ASSERT_TRUE(map.has_value()) << layout.str();
    SCOPED_TRACE(layout.str() + "\n" + map->str());
    EXPECT_TRUE(map->isTotal());
    EXPECT_EQ(ArrayRef(map->getBounds()).back(),
              *checkedProduct(*layout.getPhysicalShape()));
    std::optional<DigitMap> canonical = map->canonical();
    ASSERT_TRUE(canonical.has_value());
    EXPECT_TRUE(canonical->isTotal());
    inner += canonical->getNumInnerNodes() > 0;
    std::optional<DigitMap> back = map->inverse();
    ASSERT_TRUE(back.has_value());
    std::map<int64_t, SmallVector<int64_t>> elements;
    bool isRight = true;
    forEachIndex(*layout.shape, [&](ArrayRef<int64_t> index) {
      int64_t number = numberByFormula(layout, index);
      isRight &= evaluate(*map, index) == number;
      isRight &= evaluate(*canonical, index) == number;
      elements[number] = SmallVector<int64_t>(index);
    });
    ASSERT_TRUE(isRight);
    // The inverse knows every element, and padding.
    SmallVector<int64_t> index(layout.getRank());
    for (int64_t n = -1; n <= ArrayRef(map->getBounds()).back(); ++n) {
      bool isElement = back->evaluate(n, index);
      auto it = elements.find(n);
      ASSERT_EQ(isElement, it != elements.end()) << n;
      if (isElement) {
        ASSERT_EQ(index, it->second) << n;
      }
    }
  }
  EXPECT_GT(inner, 100u);
}

TEST(LayoutDigits, IndexingMapsAreTheSameFunction) {
  RandomLayouts random(12);
  for (int i = 0; i < 150; ++i) {
    Layout layout = random.layout(random.shape(3));
    std::optional<DigitMap> map = getDigits(layout);
    SCOPED_TRACE(layout.str() + "\n" + map->str());
    MapComparison same =
        equalOverDomain(map->toIndexingMap(), *layout.getIndexingMap());
    EXPECT_TRUE(same) << same.message;
    IndexingMap back = map->inverse()->toIndexingMap();
    ASSERT_FALSE(back.isUnknown());
    for (int64_t n = 0; n < ArrayRef(map->getBounds()).back(); ++n) {
      SmallVector<int64_t> index(layout.getRank());
      bool isElement = map->inverse()->evaluate(n, index);
      auto value = back.evaluate(n);
      ASSERT_EQ(isElement, value.has_value());
      if (isElement) {
        ASSERT_EQ(ArrayRef<int64_t>(index), ArrayRef<int64_t>(*value));
      }
    }
  }
}

/// Whether two layouts of a shape put every element at the same place.
static bool sameByFormula(const Layout &a, const Layout &b) {
  bool same = true;
  forEachIndex(*a.shape, [&](ArrayRef<int64_t> index) {
    same &= numberByFormula(a, index) == numberByFormula(b, index);
  });
  return same;
}

TEST(LayoutDigits, DecidesEquality) {
  RandomLayouts random(13);
  unsigned equal = 0, different = 0;
  for (int i = 0; i < 6000; ++i) {
    SmallVector<int64_t> shape = random.shape(2);
    for (int64_t &size : shape)
      size = std::min<int64_t>(size, 6);
    Layout a = random.layout(shape), b = random.layout(shape);
    bool same = sameByFormula(a, b);
    ASSERT_EQ(isSameMap(a, b), same) << a.str() << " and " << b.str();
    // Without going through elements it is this or unknown.
    ASSERT_EQ(isSameMap(a, b, 0).value_or(same), same)
        << a.str() << " and " << b.str();
    auto left = getDimDigits(a), right = getDimDigits(b);
    if (left && right) {
      ASSERT_EQ(left == right, same) << a.str() << " and " << b.str();
    }
    ++(same ? equal : different);
  }
  EXPECT_GT(equal, 300u);
  EXPECT_GT(different, 300u);
}

TEST(LayoutDigits, KnowsOtherNamesOfALayout) {
  struct {
    StringRef a, b;
    bool same;
  } cases[] = {
      {"bf16[8,128]{1,0:T(8,128)}", "bf16[8,128]{1,0}", true},
      {"bf16[16,128]{1,0:T(8,128)}", "bf16[16,128]{1,0}", true},
      {"bf16[16,256]{1,0:T(8,128)}", "bf16[16,256]{1,0}", false},
      {"f32[1,5]{1,0}", "f32[1,5]{0,1}", true},
      {"f32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)(1,1)}", true},
      {"f32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)L(64)E(64)S(1)}", true},
      {"f32[4,8]{1,0:T(*,4)}", "f32[4,8]{1,0}", true},
      {"f32[4,8]{1,0:T(*,3)}", "f32[4,8]{1,0}", true},
      {"f32[4,8]{1,0:T(4,2)}", "f32[4,8]{1,0:T(2)}", false},
      {"f32[3,5]{1,0}", "f32[5,3]{1,0}", false},
      {"f32[0,5]{1,0:T(2,2)}", "f32[0,5]{0,1}", true},
  };
  for (auto &c : cases)
    EXPECT_EQ(isSameMap(parseLayout(c.a), parseLayout(c.b)), c.same)
        << c.a.str() << " " << c.b.str();
  EXPECT_EQ(isSameMap(parseLayout("{1,0}"), parseLayout("f32[3,5]{1,0}")),
            std::nullopt);
}

TEST(LayoutDigits, ListsTheDigitsOfADimension) {
  auto digits = getDimDigits(parseLayout("bf16[32,300]{1,0:T(8,128)(2,1)}"));
  ASSERT_TRUE(digits.has_value());
  // Rows: pairs, groups of 8, the rest; columns: lanes and blocks.
  EXPECT_EQ((*digits)[0],
            (SmallVector<DimDigit, 3>{{1, 2, 1}, {2, 4, 256}, {8, 4, 3072}}));
  EXPECT_EQ((*digits)[1],
            (SmallVector<DimDigit, 3>{{1, 128, 2}, {128, 3, 1024}}));
  EXPECT_EQ(
      getDimDigits(parseLayout("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}")),
      std::nullopt);
}

TEST(LayoutDigits, RelayoutsMoveEachElement) {
  RandomLayouts random(14);
  for (int i = 0; i < 1500; ++i) {
    SmallVector<int64_t> shape = random.shape(3);
    Layout from = random.layout(shape), to = random.layout(shape);
    std::optional<DigitMap> move = getRelayout(from, to);
    ASSERT_TRUE(move.has_value()) << from.str() << " to " << to.str();
    SCOPED_TRACE(from.str() + " to " + to.str() + "\n" + move->str());
    std::map<int64_t, int64_t> numbers;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      numbers[numberByFormula(from, index)] = numberByFormula(to, index);
    });
    int64_t padded = ArrayRef(getDigits(from)->getBounds()).back();
    for (int64_t n = 0; n < padded; ++n) {
      std::optional<int64_t> number = evaluate(*move, n);
      auto it = numbers.find(n);
      ASSERT_EQ(number,
                it == numbers.end() ? std::nullopt : std::optional(it->second))
          << n;
    }
  }
}

TEST(LayoutDigits, ComposesAssociatively) {
  RandomLayouts random(15);
  random.emptyEvery = 0;
  for (int i = 0; i < 400; ++i) {
    SmallVector<int64_t> shape = random.shape(3);
    DigitMap a = *getDigits(random.layout(shape));
    Layout second = random.layout(shape);
    DigitMap b = *getDigits(second)->inverse();
    DigitMap c = *DigitMap::rowMajor(shape);
    // a: index -> number; its number read as one of `second`, if it is one.
    std::optional<DigitMap> ab = a.then(b), bc = b.then(c);
    ASSERT_TRUE(ab && bc);
    std::optional<DigitMap> left = ab->then(c), right = a.then(*bc);
    ASSERT_TRUE(left && right);
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      std::optional<int64_t> number = evaluate(a, index);
      SmallVector<int64_t> middle(shape.size());
      std::optional<int64_t> expected;
      if (b.evaluate(*number, middle))
        expected = evaluate(c, middle);
      ASSERT_EQ(evaluate(*left, index), expected);
      ASSERT_EQ(evaluate(*right, index), expected);
    });
  }
}

TEST(LayoutDigits, InverseOfInverse) {
  RandomLayouts random(16);
  for (int i = 0; i < 500; ++i) {
    Layout layout = random.layout(random.shape(3));
    DigitMap map = *getDigits(layout);
    std::optional<DigitMap> there = map.then(*map.inverse());
    ASSERT_TRUE(there.has_value()) << layout.str();
    forEachIndex(*layout.shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> back(index.size());
      ASSERT_TRUE(there->evaluate(index, back));
      ASSERT_EQ(ArrayRef<int64_t>(back), index);
    });
  }
}

TEST(LayoutDigits, StridesWithGaps) {
  std::optional<DigitMap> map = DigitMap::strided({3, 5}, {16, 2});
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(evaluate(*map, {2, 4}), 40);
  std::optional<DigitMap> back = map->inverse();
  ASSERT_TRUE(back.has_value());
  unsigned elements = 0;
  for (int64_t n = 0; n < 50; ++n) {
    SmallVector<int64_t> index(2);
    if (!back->evaluate(n, index))
      continue;
    ++elements;
    EXPECT_EQ(evaluate(*map, index), n);
  }
  EXPECT_EQ(elements, 15u);
  // Rows that overlap, and a stride that is not a multiple.
  EXPECT_FALSE(DigitMap::strided({3, 5}, {2, 1})->inverse().has_value());
  EXPECT_FALSE(DigitMap::strided({3, 5}, {0, 1})->inverse().has_value());
  EXPECT_FALSE(DigitMap::strided({3, 5}, {-1, 1}).has_value());
  EXPECT_FALSE(DigitMap::strided({1 << 30, 1 << 30}, {1ll << 40, 1}));
}

TEST(LayoutDigits, RefusesSizesBeyond63Bits) {
  const int64_t huge = int64_t(1) << 62, most = INT64_MAX;
  auto make = [](StringRef text, ArrayRef<int64_t> shape) {
    return parseLayout(text).withShape(shape, *XlaType::lookup("f32"));
  };
  for (const Layout &layout :
       {make("{1,0}", {huge, 2}), make("{1,0:T(4611686018427387904)}", {4, 4}),
        make("{1,0:T(2,2)}", {huge + 1, 1}),
        make("{1,0:T(9223372036854775807,2,2)}", {most, 0})})
    EXPECT_EQ(getDigits(layout).has_value(),
              layout.getPhysicalShape().has_value())
        << layout.str();
  EXPECT_FALSE(getDigits(make("{1,0:T(2,2)}", {huge + 1, 1})));
  EXPECT_TRUE(getDigits(parseLayout("f32[9223372036854775807]{0}")));
  EXPECT_FALSE(getDigits(parseLayout("{1,0}")));
}

TEST(LayoutDigits, CountsWaste) {
  Layout layout = parseLayout("f32[3,5]{1,0:T(2,2)}");
  std::optional<LayoutWaste> waste = getWaste(layout);
  ASSERT_TRUE(waste.has_value());
  EXPECT_EQ(waste->elements, 15);
  EXPECT_EQ(waste->paddedElements, 24);
  EXPECT_EQ(waste->getPaddingElements(), 9);
  EXPECT_EQ(waste->usedBytes, 60);
  EXPECT_EQ(waste->sizeBytes, 96);
  EXPECT_DOUBLE_EQ(waste->getRatio(), 0.375);
  EXPECT_EQ(isBijective(layout), false);
  EXPECT_EQ(isBijective(parseLayout("f32[4,6]{1,0:T(2,2)}")), true);
  EXPECT_EQ(isBijective(parseLayout("f32[4,6]{1,0:T(2,2)L(5)}")), false);
  // Seven elements of 4 bits are 28 bits.
  waste = getWaste(parseLayout("s4[7]{0:T(4)}"));
  EXPECT_EQ(waste->usedBytes, 4);
  EXPECT_EQ(waste->sizeBytes, 4);
  EXPECT_DOUBLE_EQ(getWaste(parseLayout("f32[0]{0}"))->getRatio(), 0.0);
}

//===- LayoutSizesTest.cpp - Layouts with dynamic dimensions --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LayoutSizes.h"
#include "RandomLayouts.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/Layout.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static Layout parse(StringRef text) {
  ParseError error;
  std::optional<Layout> layout = Layout::parse(text, error);
  EXPECT_TRUE(layout.has_value())
      << text.str() << ": " << error.message << " at " << error.offset;
  return layout.value_or(Layout());
}

static std::string print(ArrayRef<SizeExpr> sizes) {
  std::string text;
  for (const SizeExpr &size : sizes)
    text += (text.empty() ? "" : ", ") + size.str();
  return text;
}

TEST(LayoutSizes, ReadsAndPrintsDynamicSizes) {
  for (StringRef text :
       {"f32[?,128]{1,0:T(8,128)}", "bf16[?]", "s4[?,?]{0,1}"}) {
    Layout layout = parse(text);
    if (text != "bf16[?]") {
      EXPECT_EQ(layout.str(), text);
    }
    EXPECT_FALSE(layout.hasStaticShape());
    EXPECT_EQ(parse(layout.str()), layout);
    // What needs numbers has no answer.
    EXPECT_FALSE(layout.getPhysicalShape());
    EXPECT_FALSE(layout.getElements());
    EXPECT_FALSE(layout.getPaddedElements());
    EXPECT_FALSE(layout.getSizeBytes());
    EXPECT_FALSE(layout.linearize(SmallVector<int64_t>(layout.getRank(), 0)));
    EXPECT_FALSE(layout.delinearize(0));
    EXPECT_FALSE(layout.getLogicalMap());
    EXPECT_FALSE(getDigits(layout));
    EXPECT_FALSE(getDimDigits(layout));
  }
  ParseError error;
  EXPECT_FALSE(Layout::parse("f32[-9223372036854775808]{0}", error));
  EXPECT_EQ(error.message,
            "dimension 0 must be non-negative, got -9223372036854775808");
  EXPECT_FALSE(Layout::parse("f32[3,??]{0}", error));
  EXPECT_EQ(error.message, "expected ',' or ']' in a shape, got '?'");
}

TEST(LayoutSizes, WorkedExamples) {
  std::optional<LayoutSizes> sizes =
      getSizes(parse("f32[?,128]{1,0:T(8,128)}"));
  ASSERT_TRUE(sizes.has_value());
  EXPECT_EQ(print(sizes->physicalShape), "ceildiv(n0, 8), 1, 8, 128");
  EXPECT_EQ(sizes->elements.str(), "n0 * 128");
  EXPECT_EQ(sizes->paddedElements.str(), "ceildiv(n0, 8) * 1024");
  EXPECT_EQ(sizes->sizeBytes.str(), "ceildiv(n0, 8) * 4096");
  EXPECT_EQ(sizes->sizeBytes.evaluate({17, 128}), 3 * 4096);

  sizes = getSizes(parse("s4[?,3,?]{2,1,0:T(*,*,5)L(7)}"));
  EXPECT_EQ(print(sizes->physicalShape), "ceildiv(n0 * n2 * 3, 5), 5");
  EXPECT_EQ(sizes->paddedElements.str(),
            "ceildiv(ceildiv(n0 * n2 * 3, 5) * 5, 7) * 7");
  EXPECT_EQ(sizes->sizeBytes.str(),
            "ceildiv(ceildiv(ceildiv(n0 * n2 * 3, 5) * 5, 7) * 7, 2)");
  // A tile of a tile.
  sizes = getSizes(parse("f32[?]{0:T(8)(*,4)}"));
  EXPECT_EQ(print(sizes->physicalShape), "ceildiv(n0, 8) * 2, 4");
  EXPECT_EQ(getSizes(parse("f32[?,0]{1,0:T(8)}"))->paddedElements.str(), "0");
  EXPECT_EQ(getSizes(parse("{1,0}")), std::nullopt);
  EXPECT_EQ(getSizes(parse("f32[?,4611686018427387904,4]{2,1,0}")),
            std::nullopt);
}

TEST(LayoutSizes, CanonicalForms) {
  SizeExpr n = SizeExpr::ofDim(0), k = SizeExpr::ofDim(1);
  EXPECT_EQ(*n.times(k), *k.times(n));
  EXPECT_EQ(n.times(8)->ceilDiv(4), n.times(2));
  EXPECT_EQ(n.times(6)->ceilDiv(4), n.times(3)->ceilDiv(2));
  EXPECT_EQ(n.ceilDiv(3)->ceilDiv(4), n.ceilDiv(12));
  EXPECT_EQ(SizeExpr(17).ceilDiv(8), SizeExpr(3));
  EXPECT_EQ(n.times(0), SizeExpr(0));
  EXPECT_EQ(SizeExpr(int64_t(1) << 62).times(2), std::nullopt);
  EXPECT_EQ(n.ceilDiv(int64_t(1) << 62)->ceilDiv(4), std::nullopt);
  EXPECT_EQ(n.evaluate({-1}), std::nullopt);
  EXPECT_EQ(n.evaluate({}), std::nullopt);
  EXPECT_EQ(n.times(n)->evaluate({int64_t(1) << 40}), std::nullopt);
  // A zero decides.
  EXPECT_EQ(n.times(n)->times(k)->evaluate({int64_t(1) << 40, 0}), 0);
}

TEST(LayoutSizes, AgreeWithStaticLayouts) {
  RandomLayouts random(41);
  unsigned physical = 0, linear = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    SmallVector<int64_t> shape = random.shape(3);
    Layout fixed = random.layout(shape), dynamic = fixed;
    for (int64_t &size : *dynamic.shape)
      if (random.pick(0, 1))
        size = Layout::kDynamic;
    SCOPED_TRACE(dynamic.str() + " for " + fixed.str());
    ASSERT_EQ(dynamic.verify(), std::nullopt);
    std::optional<LayoutSizes> sizes = getSizes(dynamic);
    ASSERT_TRUE(sizes.has_value());
    SmallVector<int64_t> values;
    for (const SizeExpr &size : sizes->physicalShape)
      values.push_back(*size.evaluate(shape));
    ASSERT_EQ(values, *fixed.getPhysicalShape());
    ASSERT_EQ(sizes->elements.evaluate(shape), fixed.getElements());
    ASSERT_EQ(sizes->paddedElements.evaluate(shape), fixed.getPaddedElements());
    ASSERT_EQ(sizes->sizeBytes.evaluate(shape), fixed.getSizeBytes());
    std::string error;
    ASSERT_EQ(withSizes(dynamic, shape, error), fixed);

    // The maps at the sizes, and outside of them.
    SmallVector<int64_t> runtime;
    for (size_t d = 0; d < shape.size(); ++d)
      if (Layout::isDynamic((*dynamic.shape)[d]))
        runtime.push_back(shape[d]);
    auto check = [&](const std::optional<IndexingMap> &map, bool isLinear) {
      if (!map) {
        ++refused;
        return;
      }
      ++(isLinear ? linear : physical);
      std::optional<IndexingMap> expected =
          isLinear ? fixed.getIndexingMap() : fixed.getPhysicalMap();
      SmallVector<int64_t> larger(shape);
      for (int64_t &size : larger)
        size += 1;
      forEachIndex(larger, [&](ArrayRef<int64_t> index) {
        ASSERT_EQ(map->evaluate(index, {}, runtime), expected->evaluate(index))
            << map->str();
      });
    };
    if (llvm::is_contained(shape, 0))
      continue;
    check(dynamic.getPhysicalMap(), false);
    check(dynamic.getIndexingMap(), true);
  }
  EXPECT_GT(physical, 500u);
  EXPECT_GT(linear, 300u);
  EXPECT_GT(refused, 100u);
}

TEST(LayoutSizes, SaysWhyAMapIsNotAffine) {
  std::string error;
  EXPECT_FALSE(
      getDynamicMap(parse("f32[2,?]{1,0:T(*,3)}"), /*linear=*/false, error));
  EXPECT_EQ(error, "size n1, which '*' multiplies by, is dynamic, so the map "
                   "is not affine");
  EXPECT_FALSE(
      getDynamicMap(parse("f32[2,?]{1,0:T(3)}"), /*linear=*/true, error));
  EXPECT_EQ(error, "physical size ceildiv(n1, 3), part of a stride, is "
                   "dynamic, so the map is not affine");
  EXPECT_FALSE(getDynamicMap(parse("{1,0}"), /*linear=*/true, error));
  EXPECT_EQ(error, "the layout has no shape");
  std::optional<IndexingMap> map =
      getDynamicMap(parse("f32[?,128]{1,0:T(8,128)}"), /*linear=*/true, error);
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->str(), "(d0, d1){n0} -> (d0 * 128 + d1), domain: d0 in [0, n0 "
                        "- 1], d1 in [0, 127], n0 in [1, inf]");
}

TEST(LayoutSizes, SaysWhatIsWrongWithSizes) {
  std::string error;
  Layout layout = parse("f32[?,128]{1,0:T(8,128)}");
  EXPECT_FALSE(withSizes(layout, {3}, error));
  EXPECT_EQ(error, "the layout has rank 2, got 1 sizes");
  EXPECT_FALSE(withSizes(layout, {3, 127}, error));
  EXPECT_EQ(error, "size of dimension 1 must be 128, got 127");
  EXPECT_FALSE(withSizes(layout, {-3, 128}, error));
  EXPECT_EQ(error, "size of dimension 0 must be non-negative, got -3");
  EXPECT_FALSE(withSizes(layout.withoutShape(), {3, 128}, error));
  EXPECT_EQ(error, "the layout has no shape");
}

//===- LayoutDynamicTest.cpp - Answers that hold for dynamic sizes --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said of a layout with dynamic sizes must be so at every size: it is
// compared, number by number, with the layout at some.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/LayoutNotations.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static std::string packOf(StringRef text) {
  std::string reason;
  Layout layout = parseLayout(text);
  std::optional<PackParameters> pack = toPack(layout, reason);
  if (!pack)
    return reason;
  std::string result;
  for (auto [dim, tile] : llvm::zip_equal(pack->innerDimsPos, pack->innerTiles))
    result += std::to_string(tile) + " of " + std::to_string(dim) + ", ";
  result += "->";
  std::optional<SmallVector<SizeExpr>> sizes =
      getPackedSizes(*layout.shape, *pack);
  for (const SizeExpr &size : *sizes)
    result += " " + size.str();
  return result;
}

static std::string tagOf(StringRef text) {
  std::string reason;
  return toBlockedTag(parseLayout(text), reason).value_or(reason);
}

static std::string stridesOf(StringRef text) {
  std::string reason, result;
  auto strided = toSymbolicStrides(parseLayout(text), reason);
  if (!strided)
    return reason;
  for (const SizeExpr &stride : strided->strides)
    result += stride.str() + ", ";
  return result + "of " + strided->elements.str();
}

TEST(LayoutDynamic, Packs) {
  EXPECT_EQ(packOf("f32[?,100]{1,0:T(8,128)}"),
            "8 of 0, 128 of 1, -> ceildiv(n0, 8) 1 8 128");
  EXPECT_EQ(packOf("f32[?,?]{0,1:T(4)}"), "4 of 0, -> n1 ceildiv(n0, 4) 4");
  EXPECT_EQ(packOf("f32[4,?]{1,0}"), "-> 4 n1");
  EXPECT_EQ(packOf("f32[?,100]{1,0:T(8,128)(2,1)}"),
            "dimension 0 has several blocks, and a pack has one tile per "
            "dimension");
  // A size may be smaller than its tile, and a later tile cut it.
  EXPECT_EQ(packOf("f32[?]{0:T(8)(3)}"),
            "tile 1 does not divide what a '*' or a tile before it made");
  EXPECT_EQ(packOf("f32[?]{0:T(4,1)}"),
            "padding of 4 elements belongs to no dimension");
  EXPECT_EQ(packOf("f32[?]{0:T(4)(8)}"),
            "a block of 4 of dimension 0 is padded to 8");
  EXPECT_EQ(packOf("f32[3,?]{1,0:T(*,4)}"),
            "tile 0 does not divide what a '*' or a tile before it made");
  EXPECT_EQ(packOf("f32[2,3]{0,1:T(3,2)}"), "3 of 1, 2 of 0, -> 1 1 3 2");
  // A tile that reaches further than the one before it.
  EXPECT_EQ(packOf("f32[?,12]{1,0:T(4)(2,1,1)}"),
            "4 of 1, 2 of 0, -> ceildiv(n0, 2) 3 4 2");
}

TEST(LayoutDynamic, TailsThatDoNothing) {
  EXPECT_EQ(packOf("f32[?]{0:T(8)L(4)}"), "8 of 0, -> ceildiv(n0, 8) 8");
  EXPECT_EQ(packOf("f32[?]{0:L(4)}"),
            "pack parameters have no tail: L(4) adds ceildiv(n0, 4) * 4 - n0 "
            "elements");
  EXPECT_EQ(stridesOf("f32[?,3]{1,0:L(4)}"), "3, 1, of ceildiv(n0 * 3, 4) * 4");
}

TEST(LayoutDynamic, Tags) {
  EXPECT_EQ(tagOf("f32[?,64,?,?]{3,2,1,0:T(16,1,1)}"), "aBcd16b");
  EXPECT_EQ(tagOf("bf16[?,300]{1,0:T(8,128)(2,1)}"), "AB4a128b2a");
}

TEST(LayoutDynamic, Strides) {
  EXPECT_EQ(stridesOf("f32[?,100]{1,0:T(128)}"), "128, 1, of n0 * 128");
  EXPECT_EQ(stridesOf("f32[3,?,5]{2,1,0}"), "n1 * 5, 5, 1, of n1 * 15");
  EXPECT_EQ(stridesOf("f32[3,?]{1,0:T(8)}"),
            "ceildiv(n1, 8) * 8, 1, of ceildiv(n1, 8) * 24");
  EXPECT_EQ(stridesOf("f32[?,6]{1,0:T(4,1)}"),
            "dimension 0 has no single stride: element 1 is at 1, element 4 "
            "at 24");
  EXPECT_EQ(stridesOf("f32[3,?]{1,0}"), "n1, 1, of n1 * 3");
  EXPECT_EQ(stridesOf("f32[?,5]{1,0}"), "5, 1, of n0 * 5");
}

TEST(LayoutDynamic, Bijective) {
  auto of = [](StringRef text) { return isBijective(parseLayout(text)); };
  EXPECT_EQ(of("f32[?,128]{1,0:T(1,128)}"), true);
  EXPECT_EQ(of("f32[?,16]{1,0:T(*,8)}"), true);
  EXPECT_EQ(of("f32[?,100]{1,0:T(1,128)}"), false);
  EXPECT_EQ(of("f32[?,100]{1,0:T(8,128)}"), false);
  EXPECT_EQ(of("f32[?,128]{1,0:T(8,128)}"), std::nullopt);
  EXPECT_EQ(of("f32[?]{0:L(2)}"), std::nullopt);
  EXPECT_EQ(of("f32[?,0]{1,0:T(8,128)}"), true);
  EXPECT_EQ(of("{1,0:T(8,128)}"), std::nullopt);
}

TEST(LayoutDynamic, HoldsAtEverySize) {
  RandomLayouts layouts(5);
  int packs = 0, strides = 0, tags = 0, full = 0, holes = 0;
  for (int run = 0; run < 6000; ++run) {
    Layout fixed = layouts.layout(layouts.shape(/*maxRank=*/3));
    if (layouts.pick(0, 2))
      fixed.elementBits.reset();
    SmallVector<int64_t> sizes(fixed.shape->begin(), fixed.shape->end());
    SmallVector<int64_t> shape = sizes;
    for (int64_t &size : shape)
      if (layouts.pick(0, 2) == 0)
        size = Layout::kDynamic;
    Layout layout = fixed.withShape(shape, *fixed.elementType);
    if (layout.hasStaticShape())
      continue;
    SCOPED_TRACE(layout.str() + " at " + fixed.str());
    std::string reason;
    ParseError error;

    auto sameMemory = [&](const std::optional<Layout> &other) {
      if (!other)
        return false;
      EXPECT_EQ(other->getPaddedElements(), fixed.getPaddedElements());
      bool same = true;
      forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
        same &= other->linearize(index) == numberByFormula(fixed, index);
      });
      return same;
    };
    if (std::optional<PackParameters> pack = toPack(layout, reason)) {
      ++packs;
      ASSERT_TRUE(
          sameMemory(layoutFromPack(sizes, *pack, *fixed.elementType, reason)));
      auto packed = getPackedSizes(shape, *pack);
      ASSERT_TRUE(packed);
      SmallVector<int64_t> numbers;
      for (const SizeExpr &size : *packed)
        numbers.push_back(*size.evaluate(sizes));
      SmallVector<int64_t> counts(sizes), expected;
      for (auto [dim, tile] :
           llvm::zip_equal(pack->innerDimsPos, pack->innerTiles))
        counts[dim] = (counts[dim] + tile - 1) / tile;
      for (int64_t dim : pack->outerDimsPerm)
        expected.push_back(counts[dim]);
      llvm::append_range(expected, pack->innerTiles);
      ASSERT_EQ(numbers, expected);
    } else {
      ASSERT_FALSE(reason.empty());
    }
    if (std::optional<std::string> tag = toBlockedTag(layout, reason)) {
      ++tags;
      ASSERT_TRUE(sameMemory(
          layoutFromBlockedTag(sizes, *tag, *fixed.elementType, error)));
    }
    if (auto strided = toSymbolicStrides(layout, reason)) {
      ++strides;
      ASSERT_EQ(strided->elements.evaluate(sizes), fixed.getPaddedElements());
      forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
        int64_t number = 0;
        for (auto [i, stride] : llvm::zip_equal(index, strided->strides))
          number += i * *stride.evaluate(sizes);
        ASSERT_EQ(number, numberByFormula(fixed, index));
      });
    }
    std::optional<bool> isFull = isBijective(layout);
    bool isFullHere = *fixed.getElements() == *fixed.getPaddedElements();
    full += isFull == true;
    holes += isFull == false;
    if (isFull == true) {
      ASSERT_TRUE(isFullHere);
    }
    if (isFull == false && !llvm::is_contained(sizes, 0)) {
      ASSERT_FALSE(isFullHere);
    }
  }
  // Not for want of answers.
  EXPECT_GT(packs, 500);
  EXPECT_GT(tags, packs);
  EXPECT_GT(strides, 300);
  EXPECT_GT(full, 300);
  EXPECT_GT(holes, 300);
}

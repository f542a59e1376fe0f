//===- LayoutRecipeTest.cpp - Layouts written out as steps ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recipes are run on plain arrays of element numbers: element i of the packed
// array must be the one that delinearize says, and padding elsewhere.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LayoutRecipe.h"
#include "RandomLayouts.h"

#include <numeric>
#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
struct Array {
  SmallVector<int64_t> shape;
  std::vector<int64_t> data;

  size_t place(ArrayRef<int64_t> index) const {
    size_t place = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      place = place * shape[i] + index[i];
    return place;
  }
};
} // namespace

static int64_t product(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

static Array run(const RecipeStep &step, const Array &source) {
  const SmallVector<int64_t> shape = toNumbers(step.sizes);
  Array result{shape, std::vector<int64_t>(product(shape), -1)};
  using Kind = RecipeStep::Kind;
  if (step.kind == Kind::Expand || step.kind == Kind::Collapse) {
    EXPECT_EQ(product(source.shape), product(shape));
    ArrayRef<int64_t> fine = step.kind == Kind::Expand ? shape : source.shape;
    ArrayRef<int64_t> coarse = step.kind == Kind::Expand ? source.shape : shape;
    size_t next = 0;
    for (size_t i = 0; i < step.groups.size(); ++i) {
      int64_t size = 1;
      EXPECT_FALSE(step.groups[i].empty());
      for (int64_t dim : step.groups[i]) {
        EXPECT_EQ(dim, static_cast<int64_t>(next++));
        size *= fine[dim];
      }
      EXPECT_EQ(size, coarse[i]);
    }
    EXPECT_EQ(step.groups.size(), coarse.size());
    result.data = source.data;
    return result;
  }
  EXPECT_EQ(source.shape.size(), shape.size());
  if (step.kind == Kind::Pad)
    for (size_t i = 0; i < shape.size(); ++i)
      EXPECT_EQ(source.shape[i] + step.symbolicAmounts[i].getConstant(),
                shape[i]);
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    if (step.kind == Kind::Transpose)
      for (size_t i = 0; i < index.size(); ++i)
        from[step.permutation[i]] = index[i];
    for (size_t i = 0; i < from.size(); ++i)
      if (from[i] >= source.shape[i]) {
        EXPECT_EQ(step.kind, Kind::Pad);
        return;
      }
    result.data[result.place(index)] = source.data[source.place(from)];
  });
  return result;
}

static Array run(const LayoutRecipe &recipe, Array array) {
  EXPECT_EQ(array.shape, toNumbers(recipe.sourceSizes));
  for (const RecipeStep &step : recipe.steps)
    array = run(step, array);
  EXPECT_EQ(array.shape, toNumbers(recipe.resultSizes));
  return array;
}

static void checkRecipe(const Layout &layout) {
  SCOPED_TRACE(layout.str());
  std::optional<LayoutRecipe> pack = getPackRecipe(layout);
  std::optional<LayoutRecipe> unpack = getUnpackRecipe(layout);
  ASSERT_TRUE(pack && unpack);
  SCOPED_TRACE(pack->str());
  EXPECT_EQ(toNumbers(pack->resultSizes), *layout.getPhysicalShape());
  Array array{SmallVector<int64_t>(layout.shape->begin(), layout.shape->end()),
              {}};
  array.data.resize(product(*layout.shape));
  std::iota(array.data.begin(), array.data.end(), 0);
  Array packed = run(*pack, array);
  EXPECT_EQ(static_cast<int64_t>(packed.data.size()) + pack->tail.getConstant(),
            layout.getPaddedElements());
  for (auto [number, value] : llvm::enumerate(packed.data)) {
    std::optional<SmallVector<int64_t>> index = layout.delinearize(number);
    ASSERT_EQ(value, index ? static_cast<int64_t>(array.place(*index)) : -1);
  }
  EXPECT_EQ(run(*unpack, packed).data, array.data);
}

static std::string recipeOf(StringRef text) {
  Layout layout = parseLayout(text);
  checkRecipe(layout);
  std::optional<LayoutRecipe> recipe = getPackRecipe(layout);
  return recipe ? recipe->str() : "none";
}

TEST(LayoutRecipe, Examples) {
  EXPECT_EQ(recipeOf("f32[3,5]{1,0:T(2,2)}"),
            "[3, 5]\n"
            "pad high [1, 1] -> [4, 6]\n"
            "expand [[0, 1], [2, 3]] -> [2, 2, 3, 2]\n"
            "transpose [0, 2, 1, 3] -> [2, 3, 2, 2]\n");
  EXPECT_EQ(recipeOf("f32[3,5]{1,0}"), "[3, 5]\n");
  EXPECT_EQ(recipeOf("f32[3,5]{0,1}"), "[3, 5]\ntranspose [1, 0] -> [5, 3]\n");
  // Several tiles are still three steps.
  EXPECT_EQ(recipeOf("bf16[9,130]{1,0:T(8,128)(2,1)}"),
            "[9, 130]\n"
            "pad high [7, 126] -> [16, 256]\n"
            "expand [[0, 1, 2, 3], [4, 5]] -> [2, 4, 2, 1, 2, 128]\n"
            "transpose [0, 4, 1, 5, 2, 3] -> [2, 2, 4, 128, 2, 1]\n");
  // The merge of `*` is a collapse.
  EXPECT_EQ(recipeOf("f32[2,3,4,5,4]{4,3,2,1,0:T(*,*,2,*,3)}"),
            "[2, 3, 4, 5, 4]\n"
            "collapse [[0, 1, 2], [3, 4]] -> [24, 20]\n"
            "pad high [0, 1] -> [24, 21]\n"
            "expand [[0, 1], [2, 3]] -> [12, 2, 7, 3]\n"
            "transpose [0, 2, 1, 3] -> [12, 7, 2, 3]\n");
  // A tile that does not divide a block: the block is padded, too.
  EXPECT_EQ(recipeOf("f32[8]{0:T(4)(3)}"),
            "[8]\n"
            "expand [[0, 1]] -> [2, 4]\n"
            "pad high [0, 2] -> [2, 6]\n"
            "expand [[0], [1, 2]] -> [2, 2, 3]\n");
  // More entries than dimensions, and a scalar.
  EXPECT_EQ(recipeOf("f32[5]{0:T(2,8)}"),
            "[5]\n"
            "pad high [11] -> [16]\n"
            "expand [[0, 1, 2, 3]] -> [1, 1, 2, 8]\n");
  EXPECT_EQ(recipeOf("f32[]{:T(128)}"), "[]\n"
                                        "expand [] -> [1]\n"
                                        "pad high [127] -> [128]\n"
                                        "expand [[0, 1]] -> [1, 128]\n");
  EXPECT_EQ(recipeOf("s4[3]{0:L(4)E(8)S(2)}"), "[3]\n"
                                               "tail of 1 elements\n"
                                               "elements of 8 bits\n"
                                               "memory space 2\n");
  EXPECT_EQ(getUnpackRecipe(parseLayout("f32[3,5]{0,1:T(2)}"))->str(),
            "[5, 2, 2]\n"
            "transpose [1, 2, 0] -> [2, 2, 5]\n"
            "collapse [[0, 1], [2]] -> [4, 5]\n"
            "slice -> [3, 5]\n");
}

TEST(LayoutRecipe, NoneWithoutAShapeAndOnOverflow) {
  XlaType f32 = *XlaType::lookup("f32");
  const int64_t huge = int64_t(1) << 32;
  for (const Layout &layout :
       {parseLayout("{1,0}"), parseLayout("{1,0}").withShape({huge, huge}, f32),
        parseLayout("{0:T(9223372036854775807)(2)}").withShape({3}, f32)}) {
    EXPECT_FALSE(getPackRecipe(layout));
    EXPECT_FALSE(getUnpackRecipe(layout));
  }
}

TEST(LayoutRecipe, RandomLayouts) {
  std::mt19937 random(3);
  auto pick = [&](int bound) { return static_cast<int64_t>(random() % bound); };
  for (int run = 0; run < 2000; ++run) {
    Layout layout = Layout::rowMajor(pick(4));
    std::shuffle(layout.minorToMajor.begin(), layout.minorToMajor.end(),
                 random);
    bool isPlain = true;
    for (int64_t t = pick(4); t > 0; --t) {
      Tile tile;
      for (int64_t e = pick(4); e > 0; --e) {
        tile.push_back(pick(7) ? TileEntry(1 + pick(4)) : TileEntry::combine());
        isPlain &= !tile.back().isCombine();
      }
      tile.push_back(1 + pick(5));
      layout.tiles.push_back(tile);
    }
    SmallVector<int64_t> shape;
    for (int64_t dim = 0; dim < layout.getRank(); ++dim)
      shape.push_back(pick(12) ? 1 + pick(6) : 0);
    layout.tailAlignment = 1 + pick(3);
    layout = layout.withShape(shape, *XlaType::lookup("f32"));
    checkRecipe(layout);
    // One tile is at most pad, expand and transpose.
    if (isPlain && layout.tiles.size() <= 1 && !shape.empty()) {
      EXPECT_LE(getPackRecipe(layout)->steps.size(), 3u) << layout.str();
    }
  }
}

TEST(LayoutRecipe, DynamicSizes) {
  auto recipe = [](StringRef text, bool backward = false) {
    Layout layout = parseLayout(text);
    return (backward ? getUnpackRecipe(layout) : getPackRecipe(layout))->str();
  };
  EXPECT_EQ(recipe("f32[?,100]{1,0:T(8,128)}"),
            "[n0, 100]\n"
            "pad high [ceildiv(n0, 8) * 8 - n0, 28] -> "
            "[ceildiv(n0, 8) * 8, 128]\n"
            "expand [[0, 1, 2], [3]] -> [ceildiv(n0, 8), 1, 8, 128]\n");
  EXPECT_EQ(recipe("f32[?,20]{1,0:T(8,16)}"),
            "[n0, 20]\n"
            "pad high [ceildiv(n0, 8) * 8 - n0, 12] -> "
            "[ceildiv(n0, 8) * 8, 32]\n"
            "expand [[0, 1], [2, 3]] -> [ceildiv(n0, 8), 8, 2, 16]\n"
            "transpose [0, 2, 1, 3] -> [ceildiv(n0, 8), 2, 8, 16]\n");
  EXPECT_EQ(recipe("f32[?,6]{1,0:T(3)}"),
            "[n0, 6]\n"
            "expand [[0], [1, 2]] -> [n0, 2, 3]\n");
  EXPECT_EQ(recipe("f32[?,6]{1,0:T(*,4)L(8)}", /*backward=*/true),
            "[ceildiv(n0 * 3, 2), 4]\n"
            "collapse [[0, 1]] -> [ceildiv(n0 * 3, 2) * 4]\n"
            "slice -> [n0 * 6]\n"
            "expand [[0, 1]] -> [n0, 6]\n"
            "tail of ceildiv(n0 * 3, 4) * 8 - ceildiv(n0 * 3, 2) * 4 "
            "elements\n");
}

/// The recipe where dimension i has size sizes[i].
static LayoutRecipe evaluate(LayoutRecipe recipe, ArrayRef<int64_t> sizes) {
  auto set = [&](SmallVector<SizeExpr> &exprs) {
    for (SizeExpr &size : exprs)
      size = *size.evaluate(sizes);
  };
  set(recipe.sourceSizes);
  set(recipe.resultSizes);
  for (RecipeStep &step : recipe.steps) {
    set(step.sizes);
    for (SizeDifference &amount : step.symbolicAmounts)
      amount = {*amount.getWhole().evaluate(sizes),
                *amount.getPart().evaluate(sizes)};
  }
  return recipe;
}

TEST(LayoutRecipe, DynamicSizesAnySize) {
  RandomLayouts layouts(11);
  for (int run = 0; run < 1500; ++run) {
    SmallVector<int64_t> sizes = layouts.shape(/*maxRank=*/3);
    Layout fixed = layouts.layout(sizes);
    SmallVector<int64_t> shape = sizes;
    for (int64_t &size : shape)
      if (layouts.pick(0, 1))
        size = Layout::kDynamic;
    Layout layout = fixed.withShape(shape, *fixed.elementType);
    SCOPED_TRACE(layout.str() + " at " + fixed.str());
    std::optional<LayoutRecipe> pack = getPackRecipe(layout);
    ASSERT_TRUE(pack);
    SCOPED_TRACE(pack->str());
    Array array{sizes, {}};
    array.data.resize(product(sizes));
    std::iota(array.data.begin(), array.data.end(), 0);
    Array packed = ::run(evaluate(*pack, sizes), array);
    EXPECT_EQ(static_cast<int64_t>(packed.data.size()) +
                  *pack->tail.evaluate(sizes),
              *fixed.getPaddedElements());
    for (auto [number, value] : llvm::enumerate(packed.data)) {
      std::optional<SmallVector<int64_t>> index = fixed.delinearize(number);
      ASSERT_EQ(value, index ? static_cast<int64_t>(array.place(*index)) : -1);
    }
    EXPECT_EQ(::run(evaluate(*getUnpackRecipe(layout), sizes), packed).data,
              array.data);
  }
}

//===- LayoutConvertTest.cpp - Layouts in other notations -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every conversion is compared number by number with what its notation means,
// written down here as plain loops.
//
//===----------------------------------------------------------------------===//

#include "CaseReader.h"
#include "LayoutTesting.h"
#include "TensorAccess/Core/LayoutNotations.h"

#include <numeric>
#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

static XlaType f32() { return *XlaType::lookup("f32"); }

/// What dimensions in an order, then blocks, mean.
struct Blocks {
  SmallVector<int64_t> shape, order;
  SmallVector<std::pair<int64_t, int64_t>> blocks; // dimension, size

  int64_t below(size_t from, int64_t dim) const {
    int64_t product = 1;
    for (size_t i = from; i < blocks.size(); ++i)
      if (blocks[i].first == dim)
        product *= blocks[i].second;
    return product;
  }
  SmallVector<int64_t> physical() const {
    SmallVector<int64_t> sizes;
    for (int64_t dim : order)
      sizes.push_back((shape[dim] + below(0, dim) - 1) / below(0, dim));
    for (auto [dim, size] : blocks)
      sizes.push_back(size);
    return sizes;
  }
  int64_t elements() const {
    int64_t product = 1;
    for (int64_t size : physical())
      product *= size;
    return product;
  }
  int64_t number(ArrayRef<int64_t> index) const {
    SmallVector<int64_t> sizes = physical();
    int64_t number = 0;
    size_t i = 0;
    for (int64_t dim : order)
      number = number * sizes[i++] + index[dim] / below(0, dim);
    for (size_t b = 0; b < blocks.size(); ++b) {
      auto [dim, size] = blocks[b];
      number = number * size + index[dim] / below(b + 1, dim) % size;
    }
    return number;
  }
};

static void expectSame(const Layout &layout, const Blocks &blocks) {
  SCOPED_TRACE(layout.str());
  ASSERT_FALSE(layout.verify());
  EXPECT_EQ(layout.getPaddedElements(), blocks.elements());
  forEachIndex(blocks.shape, [&](ArrayRef<int64_t> index) {
    ASSERT_EQ(layout.linearize(index), blocks.number(index));
  });
}

static void expectSame(const Layout &a, const Layout &b) {
  SCOPED_TRACE(a.str() + " and " + b.str());
  EXPECT_EQ(a.getPaddedElements(), b.getPaddedElements());
  forEachIndex(*a.shape, [&](ArrayRef<int64_t> index) {
    ASSERT_EQ(a.linearize(index), b.linearize(index));
  });
}

static Layout fromTag(ArrayRef<int64_t> shape, StringRef tag) {
  ParseError error;
  std::optional<Layout> layout = layoutFromBlockedTag(shape, tag, f32(), error);
  EXPECT_TRUE(layout) << tag.str() << ": " << error.message;
  return layout.value_or(Layout());
}

static Layout fromPack(ArrayRef<int64_t> shape, const PackParameters &pack) {
  std::string reason;
  std::optional<Layout> layout = layoutFromPack(shape, pack, f32(), reason);
  EXPECT_TRUE(layout) << reason;
  return layout.value_or(Layout());
}

static std::string packText(const PackParameters &pack) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(pack.innerDimsPos, os, ",");
  os << ':';
  llvm::interleave(pack.innerTiles, os, ",");
  os << ':';
  llvm::interleave(pack.outerDimsPerm, os, ",");
  return text;
}

/// The parameters, or why there are none.
static std::string packOf(StringRef text) {
  std::string reason;
  std::optional<PackParameters> pack = toPack(parseLayout(text), reason);
  return pack ? packText(*pack) : reason;
}

static std::string tagOf(StringRef text) {
  std::string reason;
  return toBlockedTag(parseLayout(text), reason).value_or(reason);
}

/// Of a layout of static shape.
static std::optional<StridedForm> toStrides(const Layout &layout,
                                            std::string &reason) {
  std::optional<SymbolicStrides> symbolic = toSymbolicStrides(layout, reason);
  if (!symbolic)
    return std::nullopt;
  StridedForm strided;
  strided.memorySpace = symbolic->memorySpace;
  for (const SizeExpr &stride : symbolic->strides)
    strided.strides.push_back(stride.getConstant());
  strided.elements = symbolic->elements.getConstant();
  return strided;
}

static std::string stridesOf(StringRef text) {
  std::string reason;
  std::optional<StridedForm> strided = toStrides(parseLayout(text), reason);
  if (!strided)
    return reason;
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::interleave(strided->strides, os, ",");
  os << " of " << *strided->elements;
  return out;
}

//===----------------------------------------------------------------------===//
// Worked examples
//===----------------------------------------------------------------------===//

TEST(LayoutConvert, ShortestTiles) {
  // The layout of bf16 on a TPU: two tiles, and no more entries than needed.
  EXPECT_EQ(fromTag({256, 256}, "AB4a128b2a").layoutStr(),
            "{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(fromTag({7, 2}, "AB8b2a").layoutStr(), "{1,0:T(2,8)(2,1)}");
  EXPECT_EQ(fromTag({5, 5, 5}, "aBc8b").layoutStr(), "{2,1,0:T(8,1)}");
  EXPECT_EQ(fromTag({5, 5}, "AB8a8b").layoutStr(), "{1,0:T(8,8)}");
  EXPECT_EQ(fromTag({5, 5}, "BA8b8a").layoutStr(), "{0,1:T(8,8)}");
  EXPECT_EQ(fromTag({5, 5}, "ba").layoutStr(), "{0,1}");
  // Neighbours are one block, and blocks of 1 are dropped.
  EXPECT_EQ(fromTag({64}, "A1a2a4a").layoutStr(), "{0:T(8)}");
  EXPECT_EQ(fromTag({64}, "A1a").layoutStr(), "{0}");
  EXPECT_EQ(fromTag({}, "").str(), "f32[]");
  EXPECT_EQ(fromPack({9, 2}, {{0}, {4}, {}}).layoutStr(), "{1,0:T(4,1)}");
  EXPECT_EQ(fromPack({2, 3, 5}, {{1, 2}, {2, 3}, {1, 2, 0}}).layoutStr(),
            "{0,2,1:T(2,3,1)}");
  // Dimensions may have no elements.
  EXPECT_EQ(fromTag({0, 3}, "aB2b").str(), "f32[0,3]{1,0:T(2)}");
}

TEST(LayoutConvert, BackToPackAndTag) {
  EXPECT_EQ(packOf("f32[9,2]{1,0:T(4,1)}"), "0:4:0,1");
  EXPECT_EQ(packOf("f32[8]{0:T(8)}"), "0:8:0");
  EXPECT_EQ(packOf("f32[2,3]{0,1}"), "::1,0");
  EXPECT_EQ(packOf("f32[]"), "::");
  EXPECT_EQ(tagOf("bf16[256,256]{1,0:T(8,128)(2,1)}"), "AB4a128b2a");
  EXPECT_EQ(tagOf("f32[5,5,5]{2,1,0:T(1,8,1)}"), "aBc8b");
  // A tile that divides no block of another, but fits into it.
  EXPECT_EQ(tagOf("f32[16]{0:T(8)(4)}"), "A8a");
  // Tiles across: T(2,4)(2,2,1) puts the low digit of d1 outside of the high
  // one.
  EXPECT_EQ(tagOf("f32[6,16]{1,0:T(2,4)(2,2,1)}"),
            "dimension 1 has the digit of weight 4 inside of the one of weight "
            "1");
  // A reshape by '*' that ends where the dimensions do.
  EXPECT_EQ(packOf("f32[4,8]{1,0:T(*,8)}"), "::0,1");
  EXPECT_EQ(tagOf("f32[4,8]{1,0:T(*,4)}"), "aB4b");
  EXPECT_EQ(tagOf("f32[4,8]{1,0:T(*,16)}"), "AB2a8b");
  EXPECT_EQ(packOf("f32[4,6]{1,0:T(*,4)}"),
            "tile 0 does not divide what a '*' or a tile before it made");
  // Padding in front of everything, or of no dimension.
  EXPECT_EQ(tagOf("f32[5]{0:T(8,16)}"), "A128a");
  EXPECT_EQ(tagOf("f32[5]{0:T(1)(1,2)}"),
            "padding of 2 elements belongs to no dimension");
  EXPECT_EQ(tagOf("f32[5,1]{1,0:T(2)}"), "aB2b");
  EXPECT_EQ(packOf("bf16[256,256]{1,0:T(8,128)(2,1)}"),
            "dimension 0 has several blocks, and a pack has one tile per "
            "dimension");
  EXPECT_EQ(tagOf("f32[8]{0:T(4)(3)}"),
            "tile 1 does not divide what a '*' or a tile before it made");
  EXPECT_EQ(tagOf("f32[8]{0:T(4)(8)}"), "a block of 4 of dimension 0 is padded "
                                        "to 8");
}

TEST(LayoutConvert, BackToStrides) {
  EXPECT_EQ(stridesOf("f32[3,5]{1,0}"), "5,1 of 15");
  EXPECT_EQ(stridesOf("f32[3,5]{0,1}"), "1,3 of 15");
  EXPECT_EQ(stridesOf("f32[3,5]{1,0:T(8)}"), "8,1 of 24");
  EXPECT_EQ(stridesOf("f32[4,256]{1,0:T(1,128)}"), "256,1 of 1024");
  EXPECT_EQ(stridesOf("f32[5]{0:T(1)(2)}"), "2 of 10");
  EXPECT_EQ(stridesOf("f32[3,1,5]{2,1,0}"), "5,5,1 of 15");
  EXPECT_EQ(stridesOf("f32[3,5]{1,0:L(8)S(2)}"), "5,1 of 16");
  EXPECT_EQ(stridesOf("f32[]{:T(128)}"), " of 128");
  EXPECT_EQ(stridesOf("f32[3,5]{1,0:T(2,2)}"),
            "dimension 1 has no single stride: element 1 is at 1, element 2 "
            "at 4");
  EXPECT_EQ(stridesOf("{1,0}"), "the layout has no shape");
}

TEST(LayoutConvert, RefusesWhatTheOtherSideCannotSay) {
  EXPECT_EQ(packOf("f32[3]{0:L(2)}"),
            "pack parameters have no tail: L(2) adds 1 elements");
  EXPECT_EQ(packOf("f32[4]{0:L(2)}"), "::0");
  EXPECT_EQ(packOf("s4[3]{0:E(8)}"),
            "pack parameters have no element bits: E(8) of s4");
  EXPECT_EQ(packOf("s4[3]{0:E(4)}"), "::0");
  EXPECT_EQ(tagOf("f32[3]{0:S(1)}"), "blocked tags have no memory space: S(1)");
  EXPECT_EQ(tagOf("f32[3]{0:D(C)}"), "blocked tags have no sparse dimensions: "
                                     "D");
  EXPECT_EQ(tagOf("f32[3]{0:D(D)}"), "a");
  EXPECT_EQ(tagOf("f32[3]{0:#(u32)}"), "blocked tags have no index type: #");
  EXPECT_EQ(tagOf("f32[3]{0:*(u32)}"), "blocked tags have no pointer type: *");
  EXPECT_EQ(stridesOf("f32[3]{0:E(64)}"),
            "strides have no element bits: E(64) of f32");
  std::string reason;
  const int64_t huge = int64_t(1) << 32;
  EXPECT_FALSE(
      toPack(Layout::rowMajor(2).withShape({huge, huge}, f32()), reason));
  EXPECT_EQ(reason,
            "the number of padded elements overflows 64-bit arithmetic");
  Layout large =
      Layout::rowMajor(27).withShape(SmallVector<int64_t>(27, 1), f32());
  EXPECT_FALSE(toBlockedTag(large, reason));
  EXPECT_EQ(reason, "a tag has letters for 26 dimensions, got 27");
  ParseError error;
  EXPECT_FALSE(layoutFromBlockedTag(*large.shape, "a", f32(), error));
  EXPECT_EQ(error.message, "a tag has letters for 26 dimensions, got 27");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(LayoutConvert, PackErrors) {
  struct {
    SmallVector<int64_t> shape;
    PackParameters pack;
    StringRef message;
  } cases[] = {
      {{3},
       {{0}, {}, {}},
       "inner_tiles must have one entry per entry of "
       "inner_dims_pos, 1, got 0"},
      {{3}, {{1}, {2}, {}}, "inner_dims_pos entry 0 must lie in [0, 0], got 1"},
      {{3},
       {{-1}, {2}, {}},
       "inner_dims_pos entry 0 must lie in [0, 0], got -1"},
      {{3, 3},
       {{0, 0}, {2, 2}, {}},
       "inner_dims_pos entry 1 repeats dimension 0"},
      {{3}, {{0}, {0}, {}}, "inner_tiles entry 0 must be positive, got 0"},
      {{3}, {{0}, {-2}, {}}, "inner_tiles entry 0 must be positive, got -2"},
      {{3, 3},
       {{}, {}, {1}},
       "outer_dims_perm must have one entry per "
       "dimension, 2, got 1"},
      {{3, 3}, {{}, {}, {1, 1}}, "outer_dims_perm entry 1 repeats dimension 1"},
      {{3, 3},
       {{}, {}, {0, 2}},
       "outer_dims_perm entry 1 must lie in [0, 1], "
       "got 2"},
      {{-3}, {}, "dimension 0 must be non-negative, got -3"},
      {{int64_t(1) << 62, 2},
       {},
       "tiled shape has more than 2^63 - 1 elements: {1,0} of "
       "[4611686018427387904, 2]"},
      {{3, 3},
       {{0, 1}, {int64_t(1) << 62, 2}, {}},
       "tiled shape has more than 2^63 - 1 elements: "
       "{1,0:T(4611686018427387904,2)} of [3, 3]"},
  };
  for (auto &c : cases) {
    std::string reason;
    EXPECT_FALSE(layoutFromPack(c.shape, c.pack, f32(), reason));
    EXPECT_EQ(reason, c.message);
  }
}

TEST(LayoutConvert, TagErrors) {
  struct {
    StringRef tag, message;
    size_t offset;
  } cases[] = {
      {"", "expected a letter for dimension 0, one of 2, got the end", 0},
      {"a", "expected a letter for dimension 1, one of 2, got the end", 1},
      {"b4b", "expected a letter for dimension 0, one of 2, got '4'", 1},
      {"aba", "letter 'a' repeats dimension 0", 2},
      {"abA", "letter 'A' repeats dimension 0", 2},
      {"abc", "letter 'c' names dimension 2 of a shape of rank 2", 2},
      {"aB4c", "letter 'c' names dimension 2 of a shape of rank 2", 3},
      {"aB", "dimension 1 is written in upper case but has no block", 1},
      {"ab4b", "dimension 1 is blocked: write 'B' in the order", 3},
      {"aB0b", "block 0 must be positive, got 0", 2},
      {"aB4b00b", "block 1 must be positive, got 0", 4},
      {"aB4", "expected the lower case letter of a block, got the end", 3},
      {"aB4B", "expected the lower case letter of a block, got 'B'", 3},
      {"aB4b4", "expected the lower case letter of a block, got the end", 5},
      {"aB4bb", "expected the size of a block, got 'b'", 4},
      {"aB-4b", "expected the size of a block, got '-'", 2},
      {"a b", "expected a letter for dimension 1, one of 2, got ' '", 1},
      {"aB9223372036854775808b",
       "integer 9223372036854775808 does not fit in 64 bits", 2},
      {"aB4294967296b4294967296b",
       "the blocks of dimension 1 overflow 64-bit arithmetic", 0},
      {"AB4294967296b4294967296a",
       "tiled shape has more than 2^63 - 1 elements: "
       "{1,0:T(4294967296,4294967296)(4294967296,1)} of [3, 5]",
       0},
  };
  for (auto &c : cases) {
    ParseError error;
    EXPECT_FALSE(layoutFromBlockedTag({3, 5}, c.tag, f32(), error));
    EXPECT_EQ(error.message, c.message) << c.tag.str();
    EXPECT_EQ(error.offset, c.offset) << c.tag.str();
  }
}

TEST(LayoutConvert, Strides) {
  struct {
    SmallVector<int64_t> shape;
    StridedForm strided;
    StringRef text;
  } cases[] = {
      {{3, 5}, {{5, 1}, 0, {}, 0}, "f32[3,5]{1,0}"},
      {{3, 5}, {{1, 3}, 0, {}, 0}, "f32[3,5]{0,1}"},
      {{3, 5}, {{8, 1}, 0, {}, 0}, "f32[3,5]{1,0:T(8)}"},
      {{3, 5}, {{8, 1}, 0, 32, 1}, "f32[3,5]{1,0:T(8)L(32)S(1)}"},
      {{3, 5}, {{8, 1}, 0, 24, 0}, "f32[3,5]{1,0:T(8)}"},
      {{3, 5}, {{15, 3}, 0, {}, 0}, "f32[3,5]{1,0:T(1)(3)}"},
      {{3, 5}, {{24, 3}, 0, {}, 0}, "f32[3,5]{1,0:T(1)(8,3)}"},
      {{2, 3, 5}, {{40, 8, 1}, 0, {}, 0}, "f32[2,3,5]{2,1,0:T(5,8)}"},
      {{2, 3, 5}, {{32, 8, 1}, 0, {}, 0}, "f32[2,3,5]{2,1,0:T(4,8)}"},
      {{3, 1, 5}, {{5, -7, 1}, 0, {}, 0}, "f32[3,1,5]{1,2,0}"},
      {{3, 0}, {{0, 0}, 0, 0, 0}, "f32[3,0]{1,0}"},
      {{}, {{}, 0, {}, 0}, "f32[]"},
      {{3},
       {{1, 1}, 0, {}, 0},
       "strides must have one entry per dimension, 1, "
       "got 2"},
      {{3},
       {{1}, 2, {}, 0},
       "a layout begins at its first element: offset "
       "must be 0, got 2"},
      {{3}, {{1}, 0, -2, 0}, "elements must be non-negative, got -2"},
      {{3}, {{1}, 0, {}, -2}, "memory space S must be non-negative, got -2"},
      {{3, 5},
       {{5, 0}, 0, {}, 0},
       "the stride of dimension 1 must be positive, "
       "got 0"},
      {{3, 5},
       {{-5, 1}, 0, {}, 0},
       "the stride of dimension 0 must be "
       "positive, got -5"},
      {{3, 5},
       {{7, 2}, 0, {}, 0},
       "the stride of dimension 0 must be a "
       "multiple of the stride of dimension 1, 2, "
       "got 7"},
      {{3, 5},
       {{4, 1}, 0, {}, 0},
       "element 1 of dimension 0 and element 4 of "
       "dimension 1 share number 4"},
      {{3, 5},
       {{1, 1}, 0, {}, 0},
       "element 1 of dimension 0 and element 1 of "
       "dimension 1 share number 1"},
      {{3, 5},
       {{8, 1}, 0, 21, 0},
       "the padding after the last element needs "
       "24 elements of memory, got 21"},
      {{3, 0},
       {{0, 0}, 0, 4, 0},
       "an array without elements has no padding, "
       "got 4 elements of memory"},
      {{3},
       {{int64_t(1) << 62}, 0, {}, 0},
       "the padded shape overflows 64-bit "
       "arithmetic"},
      {{-3}, {{1}, 0, {}, 0}, "dimension 0 must be non-negative, got -3"},
  };
  for (auto &c : cases) {
    std::string reason;
    std::optional<Layout> layout =
        layoutFromStrides(c.shape, c.strided, f32(), reason);
    EXPECT_EQ(layout ? layout->str() : reason, c.text);
    if (!layout)
      continue;
    forEachIndex(c.shape, [&](ArrayRef<int64_t> index) {
      int64_t number = 0;
      for (size_t dim = 0; dim < index.size(); ++dim)
        number += index[dim] * c.strided.strides[dim];
      EXPECT_EQ(layout->linearize(index), number);
    });
    if (c.strided.elements) {
      EXPECT_EQ(layout->getPaddedElements(), c.strided.elements);
    }
    std::optional<StridedForm> back = toStrides(*layout, reason);
    ASSERT_TRUE(back) << reason;
    EXPECT_EQ(back->memorySpace, c.strided.memorySpace);
    expectSame(*layoutFromStrides(c.shape, *back, f32(), reason), *layout);
  }
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

TEST(LayoutConvert, RandomBlocks) {
  std::mt19937 random(11);
  auto pick = [&](int bound) { return static_cast<int64_t>(random() % bound); };
  for (int run = 0; run < 400; ++run) {
    Blocks blocks;
    int64_t rank = 1 + pick(4);
    for (int64_t dim = 0; dim < rank; ++dim) {
      blocks.shape.push_back(1 + pick(7));
      blocks.order.push_back(dim);
    }
    std::shuffle(blocks.order.begin(), blocks.order.end(), random);
    for (int64_t count = pick(6); count > 0; --count)
      blocks.blocks.push_back({pick(rank), 1 + pick(4)});
    std::string tag;
    for (int64_t dim : blocks.order) {
      bool isBlocked = llvm::any_of(
          blocks.blocks, [&](auto block) { return block.first == dim; });
      tag += static_cast<char>((isBlocked ? 'A' : 'a') + dim);
    }
    for (auto [dim, size] : blocks.blocks)
      tag += std::to_string(size) + static_cast<char>('a' + dim);
    SCOPED_TRACE(tag);
    Layout layout = fromTag(blocks.shape, tag);
    expectSame(layout, blocks);
    // There and back: perhaps another tag, but one that means the same.
    std::string reason;
    std::optional<std::string> back = toBlockedTag(layout, reason);
    ASSERT_TRUE(back) << layout.str() << ": " << reason;
    expectSame(fromTag(blocks.shape, *back), layout);
    // A pack can say all that has one block per dimension.
    if (std::optional<PackParameters> pack = toPack(layout, reason)) {
      expectSame(fromPack(blocks.shape, *pack), layout);
    } else {
      EXPECT_NE(reason.find("has several blocks"), std::string::npos) << reason;
    }
    if (std::optional<StridedForm> strided = toStrides(layout, reason)) {
      forEachIndex(blocks.shape, [&](ArrayRef<int64_t> index) {
        EXPECT_EQ(std::inner_product(index.begin(), index.end(),
                                     strided->strides.begin(), int64_t(0)),
                  layout.linearize(index));
      });
    }
  }
}

TEST(LayoutConvert, ManyBlocks) {
  // More ascending runs than four tiles can sort.
  std::string tag = "AB";
  Blocks blocks{{40, 33}, {0, 1}, {}};
  for (int i = 0; i < 5; ++i) {
    tag += "2b2a";
    blocks.blocks.push_back({1, 2});
    blocks.blocks.push_back({0, 2});
  }
  Layout layout = fromTag({40, 33}, tag);
  expectSame(layout, blocks);
  std::string reason;
  EXPECT_EQ(toBlockedTag(layout, reason), tag);
}

/// Whatever tiles there are: what a conversion says is right, and what it
/// refuses has no strides, and no blocks that differ in size.
TEST(LayoutConvert, RandomTiles) {
  std::mt19937 random(5);
  auto pick = [&](int bound) { return static_cast<int64_t>(random() % bound); };
  unsigned tags = 0, packs = 0, strides = 0, refused = 0;
  for (int run = 0; run < 3000; ++run) {
    Layout layout = Layout::rowMajor(pick(4));
    std::shuffle(layout.minorToMajor.begin(), layout.minorToMajor.end(),
                 random);
    for (int64_t t = pick(3); t > 0; --t) {
      Tile tile;
      for (int64_t e = pick(4); e > 0; --e)
        tile.push_back(pick(8) ? TileEntry(1 + pick(4)) : TileEntry::combine());
      tile.push_back(1 + pick(6));
      layout.tiles.push_back(tile);
    }
    SmallVector<int64_t> shape;
    for (int64_t dim = 0; dim < layout.getRank(); ++dim)
      shape.push_back(pick(12) ? 1 + pick(7) : 0);
    layout.tailAlignment = pick(4) ? 1 : 1 + pick(5);
    layout = layout.withShape(shape, f32());
    SCOPED_TRACE(layout.str());
    std::string reason;
    ParseError error;
    if (std::optional<std::string> tag = toBlockedTag(layout, reason)) {
      ++tags;
      expectSame(fromTag(shape, *tag), layout);
    } else {
      EXPECT_FALSE(reason.empty());
      EXPECT_FALSE(toPack(layout, reason));
      ++refused;
    }
    if (std::optional<PackParameters> pack = toPack(layout, reason)) {
      ++packs;
      expectSame(fromPack(shape, *pack), layout);
    }
    std::optional<StridedForm> strided = toStrides(layout, reason);
    if (strided) {
      ++strides;
      EXPECT_EQ(strided->elements, layout.getPaddedElements());
      forEachIndex(shape, [&](ArrayRef<int64_t> index) {
        EXPECT_EQ(std::inner_product(index.begin(), index.end(),
                                     strided->strides.begin(), int64_t(0)),
                  layout.linearize(index));
      });
      continue;
    }
    // Refused: the elements really are not progressions, unless '*' merged
    // dimensions into a size that is not a product.
    if (reason.find("no single stride") == std::string::npos)
      continue;
    bool isLinear = true;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      int64_t number = 0;
      for (size_t dim = 0; dim < index.size(); ++dim) {
        SmallVector<int64_t> unit(index.size(), 0);
        if (index[dim] == 0)
          continue;
        unit[dim] = 1;
        number += index[dim] * *layout.linearize(unit);
      }
      isLinear &= number == layout.linearize(index);
    });
    EXPECT_FALSE(isLinear) << reason;
  }
  // All ways were taken.
  EXPECT_GT(tags, 500u);
  EXPECT_GT(packs, 500u);
  EXPECT_GT(strides, 500u);
  EXPECT_GT(refused, 200u);
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static PackParameters readPack(const json::Object &object) {
  return {toIntegers(object.get("inner_dims_pos")),
          toIntegers(object.get("inner_tiles")),
          toIntegers(object.get("outer_dims_perm"))};
}

static void checkSamples(const Layout &layout, const json::Object &expect) {
  EXPECT_EQ(layout.getPaddedElements(), expect.getInteger("padded_elements"));
  EXPECT_EQ(hashOf(layout), expect.getInteger("hash"));
  if (const json::Array *samples = expect.getArray("samples"))
    for (const json::Value &sample : *samples) {
      const json::Array &pair = *sample.getAsArray();
      EXPECT_EQ(layout.linearize(toIntegers(&pair[0])), pair[1].getAsInteger());
    }
}

TEST(LayoutConvert, PackCases) {
  for (const json::Object &c :
       readCases("layout_rand_pack.jsonl", "linalg_pack")) {
    SCOPED_TRACE(c.getString("id")->str());
    SmallVector<int64_t> shape = toIntegers(c.get("shape"));
    PackParameters pack = readPack(c);
    Layout layout = fromPack(shape, pack);
    const json::Object &expect = *c.getObject("expect");
    checkSamples(layout, expect);
    std::string reason;
    std::optional<PackParameters> back = toPack(layout, reason);
    ASSERT_TRUE(back) << reason;
    EXPECT_EQ(packText(*back), packText(pack));
    SmallVector<int64_t> packed;
    const SmallVector<SizeExpr> sizes = *getPackedSizes(shape, *back);
    for (const SizeExpr &size : sizes)
      packed.push_back(*size.evaluate(shape));
    EXPECT_EQ(packed, toIntegers(expect.get("packed_shape")));
  }
}

TEST(LayoutConvert, TagCases) {
  for (const json::Object &c :
       readCases("layout_rand_onednn.jsonl", "onednn_tag")) {
    SCOPED_TRACE(c.getString("id")->str());
    SmallVector<int64_t> shape = toIntegers(c.get("shape"));
    Layout layout = fromTag(shape, *c.getString("tag"));
    const json::Object &expect = *c.getObject("expect");
    checkSamples(layout, expect);
    std::string reason;
    EXPECT_EQ(toBlockedTag(layout, reason), c.getString("tag")->str());
  }
}

TEST(LayoutConvert, ConvertCases) {
  for (const json::Object &c :
       readCases("layout_rand_convert.jsonl", "layout_convert")) {
    SCOPED_TRACE(c.getString("id")->str());
    SmallVector<int64_t> shape = toIntegers(c.get("shape"));
    const json::Object &from = *c.getObject("from");
    Layout layout;
    if (std::optional<StringRef> tag = from.getString("onednn_tag"))
      layout = fromTag(shape, *tag);
    else
      layout = fromPack(shape, readPack(*from.getObject("linalg_pack")));
    const json::Object &expect = *c.getObject("expect");
    checkSamples(layout, expect);
    // The tiles that the case has mean the same, and are no fewer.
    Layout known = parseLayout(*expect.getString("tiled_text"));
    expectSame(layout, known);
    EXPECT_LE(layout.tiles.size(), known.tiles.size());
    EXPECT_LE(layout.str().size(), known.str().size());
  }
}

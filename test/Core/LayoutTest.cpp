//===- LayoutTest.cpp - Layouts against XLA's formulae --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Layout.h"
#include "CaseReader.h"
#include "LayoutTesting.h"
#include "TensorAccess/Core/LayoutSizes.h"

#include <random>
#include <set>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(Layout, PrintsWhatItRead) {
  for (StringRef text :
       {"{}", "{1,0}", "{1,0:T(2,2)}", "{2,1,0:T(8,128)(2,1)}",
        "{4,3,2,1,0:T(*,*,2,*,3)}", "{3,2,1,0:L(100)}", "{3,2,1,0:S(3)}",
        "{3,2,1,0:T(42,123)(4,5)L(100)E(42)}", "{:T(128)}",
        "f32[3,5]{1,0:T(2,2)}", "bf16[8,2,3,1004]{3,2,1,0:T(2,*,*,128)}",
        "u32[]{:T(128)}", "u32[]", "s4[0,63,127]{2,1,0:E(4)}", "{1,0:#(u32)}",
        "{1,0:*(u32)}", "{0,1:D(C+~,D)T(2)#(u64)*(u32)S(1)}"})
    EXPECT_EQ(parseLayout(text).str(), text);
}

TEST(Layout, ReadsOtherSpellings) {
  // The seed writes the type in capitals.
  EXPECT_EQ(parseLayout("F32[3,5]{1,0:T(2,2)}").str(), "f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(parseLayout(" { 1 , 0 : T ( 2 , * , 3 ) } ").str(),
            "{1,0:T(2,*,3)}");
  EXPECT_EQ(parseLayout("{1,0:S(1)E(4)L(8)T(2)}").str(),
            "{1,0:T(2)L(8)E(4)S(1)}");
  EXPECT_EQ(parseLayout("{1,0:L(1)S(0)}").str(), "{1,0}");
  EXPECT_EQ(parseLayout("f32[3,5]").str(), "f32[3,5]{1,0}");
}

TEST(Layout, RoundTripsTheCases) {
  for (const json::Object &c : readCases("layout_fixed.jsonl", "xla_text")) {
    StringRef text = *c.getString("text");
    const json::Object &expect = *c.getObject("expect");
    ParseError error;
    std::optional<Layout> layout = Layout::parse(text, error);
    EXPECT_EQ(layout.has_value(), *expect.getBoolean("valid")) << text.str();
    if (layout) {
      EXPECT_EQ(layout->str(), *expect.getString("roundtrip"));
    }
  }
  for (const json::Object &c :
       readCases("indexing_layouts.jsonl", "layout_text_roundtrip"))
    EXPECT_EQ(parseLayout(*c.getString("text")).str(), *c.getString("text"));
}

TEST(Layout, SaysWhatIsWrongAndWhere) {
  struct {
    StringRef text, message;
    size_t offset;
  } cases[] = {
      {"", "expected an element type or '{', got end of text", 0},
      {"[3]{0}", "expected an element type or '{', got '['", 0},
      {"f33[3]{0}", "expected an element type or '{', got 'f33'", 0},
      {"f32{0}", "expected '[' to begin a shape, got '{'", 3},
      {"f32[x]{0}", "expected a dimension size, got 'x'", 4},
      {"f32[3;5]{0}", "expected ',' or ']' in a shape, got ';'", 5},
      {"f32[-3]{0}", "dimension 0 must be non-negative, got -3", 4},
      {"f32[3,5]{0}",
       "minor_to_major must have one entry per dimension, 2, got 1", 9},
      {"f32[3,5]{1,1}", "minor_to_major entry 1 repeats dimension 1", 11},
      {"{1,2,0,9}", "minor_to_major entry 3 must lie in [0, 3], got 9", 7},
      {"{-1,0}", "minor_to_major entry 0 must lie in [0, 1], got -1", 1},
      {"{0x1}", "expected ',', ':' or '}' after a dimension number, got 'x1'",
       2},
      {"{0,}", "expected a dimension number, got '}'", 3},
      {"{9223372036854775808}",
       "integer 9223372036854775808 does not fit in 64 bits", 1},
      {"{0",
       "expected ',', ':' or '}' after a dimension number, got end "
       "of text",
       2},
      {"{0:",
       "expected a property T, L, E, S, D, # or *, got end of "
       "text",
       3},
      {"{0:}", "expected a property T, L, E, S, D, # or *, got '}'", 3},
      {"{0:X(1)}", "expected a property T, L, E, S, D, # or *, got 'X'", 3},
      {"{0:T}", "expected '(' after T, got '}'", 4},
      {"{0:T()}", "tile 0 must have at least one entry", 4},
      {"{0:T(2)()}", "tile 1 must have at least one entry", 7},
      {"{0:T(a)}", "expected a tile size or '*', got 'a'", 5},
      {"{0:T(2 3)}", "expected ',' or ')' in a tile, got '3'", 7},
      {"{1,0:T(2,0)}", "tile 0 entry 1 must be positive, got 0", 9},
      {"{1,0:T(2,2)(1,-1)}", "tile 1 entry 1 must be positive, got -1", 14},
      {"{1,0:T(2,*)}", "tile 0 must not end in '*'", 9},
      {"{1,0:T(2)T(3)}", "property T is given twice", 9},
      {"{1,0:L(0)}", "tail alignment L must be positive, got 0", 7},
      {"{1,0:L 3}", "expected '(' after L, got '3'", 7},
      {"{1,0:L(3}", "expected ')' after the number of L, got '}'", 8},
      {"{1,0:E(0)}", "element bits E must be positive, got 0", 7},
      {"f32[3]{0:E(16)}", "element bits E must be at least 32 for f32, got 16",
       11},
      {"{1,0:S(-1)}", "memory space S must be non-negative, got -1", 7},
      {"{1,0:SC(0:1)}", "SC (split configurations) is not supported in layouts",
       5},
      {"{1,0:P(s32[2])}", "P (a physical shape) is not supported in layouts",
       5},
      {"{1,0:M(16)}", "M (a metadata prefix) is not supported in layouts", 5},
      {"{1,0:D(C)}", "D must have one entry per dimension, 2, got 1", 5},
      {"{0:D(X)}", "expected D, C, S or H, got 'X'", 5},
      {"{0:D(D+)}",
       "a dense dimension D is unique and ordered: it has no '+' and no '~'",
       3},
      {"{0:D(D~)}",
       "a dense dimension D is unique and ordered: it has no '+' and no '~'",
       3},
      {"{0:#(f32)}", "index type must be an unsigned integer, got f32", 5},
      {"{0:*(s32)}", "pointer type must be an unsigned integer, got s32", 5},
      {"{0:#(x)}", "expected an element type, got 'x'", 5},
      {"{0} {", "expected the end of the layout, got '{'", 4},
      {"{0}\xff", "expected the end of the layout, got byte 0xff", 3},
  };
  for (auto &c : cases) {
    ParseError error;
    EXPECT_FALSE(Layout::parse(c.text, error)) << c.text.str();
    EXPECT_EQ(error.message, c.message) << c.text.str();
    EXPECT_EQ(error.offset, c.offset) << c.text.str();
  }
}

TEST(Layout, AttributeFormHasOnlyBraces) {
  struct {
    StringRef text, message;
  } cases[] = {
      {"f32[3]{0}", "expected '{' to begin a layout, got 'f32'"},
      {"{0:D(C)}", "D is read only in the string form of a layout"},
      {"{0:#(u32)}", "# is read only in the string form of a layout"},
      {"{0:*(u32)}", "* is read only in the string form of a layout"},
      {"{0:Q(1)}", "expected a property T, L, E or S, got 'Q'"},
  };
  for (auto &c : cases) {
    ParseError error;
    EXPECT_FALSE(Layout::parse(c.text, error, LayoutForm::Attribute));
    EXPECT_EQ(error.message, c.message);
  }
  EXPECT_FALSE(parseLayout("{1,0:T(2)}").verifyAttributeForm());
  EXPECT_EQ(parseLayout("{0:*(u32)}").verifyAttributeForm(),
            "* is read only in the string form of a layout");
}

TEST(Layout, VerifiesLayoutsBuiltByHand) {
  Layout layout = Layout::rowMajor(2);
  EXPECT_FALSE(layout.verify());
  layout.tiles.push_back({2, TileEntry::combine()});
  EXPECT_EQ(layout.verify(), "tile 0 must not end in '*'");
  layout.tiles.clear();
  layout.shape = {3, 5};
  EXPECT_EQ(layout.verify(), "a shape needs an element type, and the reverse");
}

TEST(Layout, ValueSemantics) {
  Layout a = parseLayout("f32[3,5]{1,0:T(2,2)}"),
         b = parseLayout("{1,0:T(2,2)}");
  EXPECT_NE(a, b);
  EXPECT_EQ(a.withoutShape(), b);
  EXPECT_EQ(hash_value(a.withoutShape()), hash_value(b));
  EXPECT_EQ(b.withShape({3, 5}, *XlaType::lookup("f32")), a);
  // (2)(2) and (2,2) hold the same numbers.
  EXPECT_NE(parseLayout("{1,0:T(2)(2)}"), parseLayout("{1,0:T(2,2)}"));
  EXPECT_NE(parseLayout("{1,0:T(*,1)}"), parseLayout("{1,0:T(1,1)}"));
}

//===----------------------------------------------------------------------===//
// Where elements are
//===----------------------------------------------------------------------===//

TEST(Layout, FigureOne) {
  Layout layout = parseLayout("f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(layout.linearize({2, 3}), 17);
  EXPECT_EQ(*layout.getPhysicalShape(), (SmallVector<int64_t>{2, 3, 2, 2}));
  EXPECT_EQ(layout.getElements(), 15);
  EXPECT_EQ(layout.getPaddedElements(), 24);
  EXPECT_EQ(layout.getSizeBytes(), 96);
  EXPECT_EQ(*layout.delinearize(17), (SmallVector<int64_t>{2, 3}));
  EXPECT_FALSE(layout.delinearize(11)); // column 5 of row 1
  EXPECT_FALSE(layout.delinearize(-1));
  EXPECT_FALSE(layout.delinearize(24));
  EXPECT_FALSE(layout.linearize({3, 0}));
  EXPECT_FALSE(layout.linearize({0, -1}));
  EXPECT_FALSE(layout.linearize({0}));
  EXPECT_FALSE(layout.withoutShape().linearize({2, 3}));
}

TEST(Layout, TailAlignmentAndElementBits) {
  EXPECT_EQ(parseLayout("f32[3,5]{1,0:L(8)}").getPaddedElements(), 16);
  EXPECT_EQ(parseLayout("s4[3,5]{1,0:L(8)}").getSizeBytes(), 8);
  EXPECT_EQ(parseLayout("s4[3,5]{1,0:E(8)}").getSizeBytes(), 15);
  EXPECT_FALSE(parseLayout("f32[3,5]{1,0:L(8)}").delinearize(15));
}

TEST(Layout, OverflowIsUnknown) {
  XlaType f32 = *XlaType::lookup("f32");
  const int64_t huge = int64_t(1) << 32;
  Layout layout = parseLayout("{1,0:T(3,3)}").withShape({huge, huge}, f32);
  EXPECT_FALSE(layout.getPhysicalShape());
  EXPECT_FALSE(layout.linearize({0, 0}));
  EXPECT_FALSE(layout.delinearize(0));
  EXPECT_FALSE(layout.getSizeBytes());
  // 2^62 elements fit, their bits don't.
  Layout large = parseLayout("f32[4611686018427387904]{0}");
  EXPECT_EQ(large.getPaddedElements(), int64_t(1) << 62);
  EXPECT_FALSE(large.getSizeBytes());
  EXPECT_FALSE(parseLayout("{0:T(9223372036854775807)(2)}")
                   .withShape({3}, f32)
                   .getPhysicalShape());
  EXPECT_EQ(parseLayout("f32[0,4294967296,4294967296]{2,1,0}").getElements(),
            0);
}

// The shape, its tiles and the tail can be what is too large.
TEST(Layout, RefusesSizesBeyond63Bits) {
  struct {
    StringRef text, message;
    size_t offset;
  } cases[] = {
      {"f32[4294967296,4294967296]{1,0}", "{1,0} of [4294967296, 4294967296]",
       4},
      {"f32[4294967296,4294967296]", "{1,0} of [4294967296, 4294967296]", 4},
      {"pred[3]{0:T(9223372036854775807)(2)}",
       "{0:T(9223372036854775807)(2)} of [3]", 5},
      {"u1[9223372036854775807]{0:L(2)}", "{0:L(2)} of [9223372036854775807]",
       3},
  };
  for (auto &c : cases) {
    ParseError error;
    EXPECT_FALSE(Layout::parse(c.text, error)) << c.text.str();
    EXPECT_EQ(error.message, "tiled shape has more than 2^63 - 1 elements: " +
                                 c.message.str());
    EXPECT_EQ(error.offset, c.offset) << c.text.str();
  }
  // As many as fit, none, and a number that is not known yet.
  parseLayout("u1[9223372036854775807]{0}");
  parseLayout("f32[0,4294967296,4294967296]{2,1,0:T(2,2)}");
  Layout dynamic = parseLayout("f32[?,4294967296]{1,0:T(2)}");
  std::string error;
  EXPECT_FALSE(withSizes(dynamic, {4294967296, 4294967296}, error));
  EXPECT_EQ(error, "tiled shape has more than 2^63 - 1 elements: {1,0:T(2)} of "
                   "[4294967296, 4294967296]");
  EXPECT_TRUE(withSizes(dynamic, {1 << 20, 4294967296}, error));
}

/// Every fact of a case: physical shape, sizes, samples, inverses, and the sum
/// over the whole table, Σ (i + 1)·(number + 1) for the i-th index.
static void checkTiledCase(const json::Object &c) {
  StringRef text = *c.getString("text");
  SCOPED_TRACE(text.str());
  const json::Object &expect = *c.getObject("expect");
  Layout layout = parseLayout(text);
  EXPECT_EQ(layout.str(), text);
  EXPECT_EQ(*layout.getPhysicalShape(),
            toIntegers(expect.get("physical_dims")));
  EXPECT_EQ(layout.getElements(), expect.getInteger("elements"));
  EXPECT_EQ(layout.getPaddedElements(), expect.getInteger("padded_elements"));
  EXPECT_EQ(layout.getSizeBytes(), expect.getInteger("bytes"));
  for (const json::Value &sample : *expect.getArray("samples")) {
    const json::Array &pair = *sample.getAsArray();
    EXPECT_EQ(layout.linearize(toIntegers(&pair[0])), pair[1].getAsInteger());
  }
  for (const json::Value &item : *expect.getArray("inverse")) {
    const json::Array &pair = *item.getAsArray();
    std::optional<SmallVector<int64_t>> index =
        layout.delinearize(*pair[0].getAsInteger());
    EXPECT_EQ(index.has_value(), pair[1].getAsArray() != nullptr);
    if (index) {
      EXPECT_EQ(*index, toIntegers(&pair[1]));
    }
  }

  int64_t sum = 0, count = 0;
  std::set<int64_t> numbers;
  forEachIndex(*layout.shape, [&](llvm::ArrayRef<int64_t> index) {
    std::optional<int64_t> number = layout.linearize(index);
    ASSERT_TRUE(number.has_value());
    sum += ++count * (*number + 1);
    numbers.insert(*number);
    ASSERT_EQ(*layout.delinearize(*number), SmallVector<int64_t>(index));
  });
  EXPECT_EQ(sum, expect.getInteger("hash"));
  // Injective, and all other numbers are padding.
  EXPECT_EQ(static_cast<int64_t>(numbers.size()), count);
  for (int64_t number = 0; number < *layout.getPaddedElements(); ++number)
    EXPECT_EQ(layout.delinearize(number).has_value(),
              numbers.count(number) == 1);
}

TEST(Layout, FixedCases) {
  for (const json::Object &c : readCases("layout_fixed.jsonl", "xla_tiled"))
    checkTiledCase(c);
}

TEST(Layout, RandomCases) {
  for (const json::Object &c :
       readCases("layout_rand_tiled.jsonl", "xla_tiled"))
    checkTiledCase(c);
}

TEST(Layout, LinearIndexCases) {
  for (const json::Object &c :
       readCases("indexing_layouts.jsonl", "linear_index")) {
    Layout layout = parseLayout(*c.getString("layout"));
    EXPECT_EQ(layout.linearize(toIntegers(c.get("index"))),
              c.getInteger("linear_index"))
        << layout.str();
    EXPECT_EQ(*layout.getPhysicalShape(), toIntegers(c.get("tiled_bounds")));
  }
  for (const json::Object &c :
       readCases("indexing_layouts.jsonl", "memory_size")) {
    Layout layout = parseLayout(*c.getString("layout"));
    EXPECT_EQ(layout.getPaddedElements(), c.getInteger("tiled_elements"));
    EXPECT_EQ(layout.getSizeBytes(), c.getInteger("tiled_bytes"));
  }
}

/// The laws of the file's head on layouts that no case has: a `*` on a prefix
/// is a reshape first; a tile of rank k leaves the first n - k dims alone.
TEST(Layout, Laws) {
  Layout merged = parseLayout("f32[3,5,7]{2,1,0:T(*,4,3)}");
  Layout reshaped = parseLayout("f32[15,7]{1,0:T(4,3)}");
  forEachIndex({3, 5, 7}, [&](llvm::ArrayRef<int64_t> i) {
    EXPECT_EQ(merged.linearize(i), reshaped.linearize({i[0] * 5 + i[1], i[2]}));
  });
  Layout suffix = parseLayout("f32[3,5,7]{2,1,0:T(2,4)}");
  int64_t slab = *parseLayout("f32[5,7]{1,0:T(2,4)}").getPaddedElements();
  EXPECT_EQ(suffix.linearize({2, 0, 0}), 2 * slab);
}

/// Round trips of random layouts, with and without shapes.
TEST(Layout, RandomTextRoundTrips) {
  std::mt19937 random(7);
  auto pick = [&](int bound) { return static_cast<int64_t>(random() % bound); };
  for (int run = 0; run < 500; ++run) {
    Layout layout = Layout::rowMajor(pick(5));
    std::shuffle(layout.minorToMajor.begin(), layout.minorToMajor.end(),
                 random);
    for (int64_t t = pick(4); t > 0; --t) {
      Tile tile;
      for (int64_t e = pick(3); e > 0; --e)
        tile.push_back(pick(4) ? TileEntry(1 + pick(9)) : TileEntry::combine());
      tile.push_back(1 + pick(9));
      layout.tiles.push_back(tile);
    }
    layout.tailAlignment = 1 + pick(3);
    if (pick(2))
      layout.elementBits = 32 + pick(8);
    layout.memorySpace = pick(3);
    if (pick(2)) {
      SmallVector<int64_t> shape;
      for (int64_t dim = 0; dim < layout.getRank(); ++dim)
        shape.push_back(pick(6));
      layout = layout.withShape(shape, *XlaType::lookup("s32"));
    }
    ASSERT_FALSE(layout.verify());
    EXPECT_EQ(parseLayout(layout.str()), layout);
    if (!layout.shape)
      continue;
    std::set<int64_t> numbers;
    forEachIndex(*layout.shape, [&](llvm::ArrayRef<int64_t> index) {
      std::optional<int64_t> number = layout.linearize(index);
      ASSERT_TRUE(number && numbers.insert(*number).second) << layout.str();
      ASSERT_EQ(*layout.delinearize(*number), SmallVector<int64_t>(index));
    });
  }
}

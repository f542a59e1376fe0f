//===- ProjectionTest.cpp - Projections, regions and hulls ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Projection.h"
#include "CaseReader.h"

#include <cmath>
#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

static Projection parse(StringRef text) {
  ParseError error;
  std::optional<Projection> projection = Projection::parse(text, error);
  EXPECT_TRUE(projection.has_value())
      << text.str() << ": " << error.message << " at " << error.offset;
  return projection.value_or(Projection());
}

static IndexRegion region(llvm::ArrayRef<int64_t> lo,
                          llvm::ArrayRef<int64_t> hi) {
  return {SmallVector<int64_t>(lo), SmallVector<int64_t>(hi)};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(Projection, PrintsWhatItRead) {
  for (StringRef text :
       {"[[-1, 0], [0, 1]] + [7, 0], anchor = [-1, -1], shape = [3, 3], oob = "
        "[wrap, pad(0.0)]",
        "[[3], [0], [1]] + [-5, -2, 2], shape = [2, 3, 2]",
        "[] + [], shape = []", "[[], []] + [1, 2], shape = [3, 5]",
        "[[0, 0]] + [0], shape = [7], oob = [negative]",
        "[[1]] + [0], shape = [1], oob = [clamp]",
        "[[1]] + [0], shape = [1], oob = [pad(-3)]",
        "[[1]] + [0], shape = [1], oob = [pad(-inf)]",
        "[[1]] + [0], shape = [1], oob = [pad(nan)]",
        "[[1]] + [0], shape = [1], oob = [pad(1)]",
        "[[1]] + [0], shape = [1], oob = [pad(-0.0)]",
        "[[1]] + [0], shape = [1], oob = [pad(1.0e-10)]",
        "[[1]] + [0], shape = [1], oob = [pad(0.1)]",
        "[[1], [2]] + [0, 0], shape = [1, 1], oob = [forbid, wrap]"})
    EXPECT_EQ(parse(text).str(), text);
}

TEST(Projection, ReadsOtherSpellings) {
  EXPECT_EQ(parse("[[1]]+[0],shape=[2],oob=[forbid]").str(),
            "[[1]] + [0], shape = [2]");
  EXPECT_EQ(parse("[[1]] + [0], oob = [wrap], shape = [2], anchor = [1]").str(),
            "[[1]] + [0], anchor = [1], shape = [2], oob = [wrap]");
  EXPECT_EQ(parse("[] + [], shape = [], oob = []").str(),
            "[] + [], shape = []");
  EXPECT_EQ(parse("[[1]] + [0], shape = [2], oob = [pad(2.50e0)]").str(),
            "[[1]] + [0], shape = [2], oob = [pad(2.5)]");
}

TEST(Projection, SaysWhatIsWrongAndWhere) {
  struct {
    StringRef text, message;
    size_t offset;
  } cases[] = {
      {"", "expected '[' to begin the matrix, got end of text", 0},
      {"[1] + [0], shape = [1]", "expected '[' to begin a matrix row, got '1'",
       1},
      {"[[1]", "expected ',' or ']' in the matrix, got end of text", 4},
      {"[[1 2]]", "expected ',' or ']' in a matrix row, got '2'", 4},
      {"[[a]]", "expected an integer, got 'a'", 2},
      {"[[1]], shape = [1]", "expected '+' and the offset, got ','", 5},
      {"[[1], [1, 2]] + [0, 0], shape = [1, 1]",
       "matrix row 1 must have 1 entries as row 0 has, got 2", 6},
      {"[[1]] + [0, 1], shape = [1]",
       "offset must have one entry per matrix row, 1, got 2", 8},
      {"[[1]] + [0], anchor = [], shape = [1]",
       "anchor must have one entry per matrix row, 1, got 0", 22},
      {"[[1]] + [0], shape = [1, 2]",
       "shape must have one entry per matrix row, 1, got 2", 21},
      {"[[1], [2]] + [0, 0], shape = [3, 0]",
       "shape entry 1 must be positive, got 0", 33},
      {"[[1]] + [0], shape = [1], oob = [wrap, wrap]",
       "oob must have one entry per matrix row, 1, got 2", 32},
      {"[[1]] + [0], shape = [1], oob = []",
       "oob must have one entry per matrix row, 1, got 0", 32},
      {"[[1]] + [0], shape = [1], oob = [mirror]",
       "expected forbid, wrap, negative, clamp or pad(value), got 'mirror'",
       33},
      {"[[1]] + [0], shape = [1], oob = [pad]",
       "expected '(' and a value after pad, got ']'", 36},
      {"[[1]] + [0], shape = [1], oob = [pad()]", "expected a number, got ')'",
       37},
      {"[[1]] + [0], shape = [1], oob = [pad(x)]", "expected a number, got 'x'",
       37},
      {"[[1]] + [0], shape = [1], oob = [pad(0x10)]",
       "'0x10' is not a decimal number", 37},
      {"[[1]] + [0], shape = [1], oob = [pad(1.2.3)]",
       "'1.2.3' is not a decimal number", 37},
      {"[[1]] + [0], shape = [1], oob = [pad(1.0e999)]",
       "number 1.0e999 does not fit in a double", 37},
      {"[[1]] + [0], shape = [1], oob = [pad(9223372036854775808)]",
       "integer 9223372036854775808 does not fit in 64 bits", 37},
      {"[[1]] + [0], shape = [1], oob = [pad(1 2)]",
       "expected ')' after the pad value, got '2'", 39},
      {"[[1]] + [0]", "a projection must have a shape", 11},
      {"[[1]] + [0], size = [1]", "expected anchor, shape or oob, got 'size'",
       13},
      {"[[1]] + [0], shape [1]", "expected '=' after shape, got '['", 19},
      {"[[1]] + [0], shape = [1], shape = [1]", "shape is given twice", 26},
      {"[[1]] + [0], anchor = [1], anchor = [1]", "anchor is given twice", 27},
      {"[[1]] + [0], oob = [wrap], oob = [wrap]", "oob is given twice", 27},
      {"[[1]] + [0], shape = [1] x",
       "expected ',' or the end of the projection, got 'x'", 25},
      {"[] + [], shape = [1]",
       "shape must have one entry per matrix row, 0, got 1", 17},
      {"[[99999999999999999999]]",
       "integer 99999999999999999999 does not fit in 64 bits", 2},
  };
  for (auto &c : cases) {
    ParseError error;
    EXPECT_FALSE(Projection::parse(c.text, error)) << c.text.str();
    EXPECT_EQ(error.message, c.message) << c.text.str();
    EXPECT_EQ(error.offset, c.offset) << c.text.str();
  }
}

TEST(Projection, VerifiesProjectionsBuiltByHand) {
  Projection projection = parse("[[1]] + [0], shape = [1]");
  projection.outOfBounds = {{OutOfBounds::Kind::Pad, std::nullopt}};
  EXPECT_EQ(projection.verify(), "oob entry 0 must have a value where and only "
                                 "where it is pad, got pad");
}

TEST(Projection, ValueSemantics) {
  StringRef prefix = "[[1]] + [0], shape = [1], oob = ";
  Projection zero = parse((prefix + "[pad(0.0)]").str());
  EXPECT_NE(zero, parse((prefix + "[pad(-0.0)]").str()));
  EXPECT_NE(zero, parse((prefix + "[pad(0)]").str()));
  EXPECT_EQ(parse((prefix + "[pad(true)]").str()),
            parse((prefix + "[pad(1)]").str()));
  Projection nan = parse((prefix + "[pad(nan)]").str());
  EXPECT_EQ(nan, parse(nan.str()));
  EXPECT_EQ(hash_value(nan), hash_value(parse(nan.str())));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

TEST(Projection, AnchorMovesTheStart) {
  Projection projection = parse("[[-1, 0], [0, 1]] + [7, 0], anchor = "
                                "[-1, -1], shape = [3, 3]");
  // The window is drawn around (7 - 2, 3).
  EXPECT_EQ(projection.evaluate({2, 3}), region({4, 2}, {7, 5}));
  EXPECT_FALSE(projection.evaluate({2}));
}

TEST(Projection, HullCases) {
  auto check = [](StringRef file) {
    for (const json::Object &c : readCases(file, "projection")) {
      SCOPED_TRACE(c.getString("id")->str());
      Projection projection;
      for (const json::Value &row : *c.getArray("matrix"))
        projection.matrix.emplace_back(toIntegers(&row));
      projection.offset.assign(toIntegers(c.get("offset")));
      projection.shape.assign(toIntegers(c.get("shape")));
      ASSERT_FALSE(projection.verify());
      EXPECT_EQ(parse(projection.str()), projection);
      const json::Array &block = *c.getArray("block");
      const json::Array &hull = *c.getObject("expect")->getArray("hull");
      EXPECT_EQ(projection.getHull(
                    region(toIntegers(&block[0]), toIntegers(&block[1]))),
                region(toIntegers(&hull[0]), toIntegers(&hull[1])));
    }
  };
  check("layout_tapestry.jsonl");
  check("layout_rand_projection.jsonl");
}

TEST(Projection, HullOfMixedSignsIsNotThatOfTwoCorners) {
  EXPECT_EQ(
      parse("[[1, -1]] + [0], shape = [1]").getHull(region({0, 0}, {3, 3})),
      region({-2}, {3}));
}

/// The closed form against all points, with random signs and offsets.
TEST(Projection, HullIsTheBoxOfAllRegions) {
  std::mt19937 random(11);
  auto pick = [&](int lo, int hi) {
    return lo + static_cast<int64_t>(random() % (hi - lo + 1));
  };
  for (int run = 0; run < 300; ++run) {
    Projection projection;
    int64_t rows = pick(1, 3);
    for (int64_t r = 0; r < rows; ++r) {
      projection.matrix.push_back({pick(-3, 3), pick(-3, 3)});
      projection.offset.push_back(pick(-5, 5));
      projection.shape.push_back(pick(1, 4));
    }
    if (pick(0, 1))
      projection.anchor = SmallVector<int64_t, 4>(rows, pick(-2, 2));
    IndexRegion block =
        region({pick(-3, 0), pick(-3, 0)}, {pick(1, 4), pick(1, 4)});
    std::optional<IndexRegion> expected;
    for (int64_t i = block.lo[0]; i < block.hi[0]; ++i)
      for (int64_t j = block.lo[1]; j < block.hi[1]; ++j) {
        IndexRegion one = *projection.evaluate({i, j});
        if (!expected)
          expected = one;
        for (int64_t r = 0; r < rows; ++r) {
          expected->lo[r] = std::min(expected->lo[r], one.lo[r]);
          expected->hi[r] = std::max(expected->hi[r], one.hi[r]);
        }
      }
    EXPECT_EQ(projection.getHull(block), expected) << projection.str();
  }
}

TEST(Projection, EmptyBlocksAndOverflow) {
  Projection projection = parse("[[4611686018427387904]] + [0], shape = [1]");
  EXPECT_FALSE(projection.evaluate({2}));
  EXPECT_FALSE(projection.evaluate({INT64_MAX}));
  EXPECT_TRUE(projection.getHull(region({5}, {5}))->isEmpty());
  EXPECT_EQ(parse("[] + [], shape = []").evaluate({}), region({}, {}));
  EXPECT_EQ(parse("[[], []] + [1, 2], shape = [3, 5]").evaluate({}),
            region({1, 2}, {4, 7}));
}

/// All policies along one dimension, by tables of every place a window touches.
TEST(Projection, PolicyCases) {
  for (const json::Object &c :
       readCases("layout_rand_window_halo_oob.jsonl", "window")) {
    SCOPED_TRACE(c.getString("id")->str());
    int64_t size = *c.getInteger("size"), window = *c.getInteger("window");
    int64_t stride = *c.getInteger("stride");
    int64_t dilation = *c.getInteger("dilation");
    int64_t low = toIntegers(c.get("pad"))[0];
    const json::Object &expect = *c.getObject("expect");
    for (StringRef name : {"forbid", "wrap", "clamp", "negative", "pad"}) {
      SCOPED_TRACE(name.str());
      Projection projection = parse(("[[1]] + [0], shape = [1], oob = [" +
                                     name + (name == "pad" ? "(0.0)]" : "]"))
                                        .str());
      bool isLegal = true;
      SmallVector<int64_t> table;
      for (int64_t w = 0; w < *expect.getInteger("out"); ++w)
        for (int64_t k = 0; k < window; ++k) {
          Resolved place =
              projection.resolve({w * stride + k * dilation - low}, {size});
          isLegal &= place.kind != Resolved::Kind::Forbidden;
          table.push_back(place.kind == Resolved::Kind::Element ? place.index[0]
                                                                : -1);
        }
      const json::Object &policy =
          *expect.getObject("policies")->getObject(name);
      EXPECT_EQ(isLegal, *policy.getBoolean("legal"));
      if (isLegal) {
        EXPECT_EQ(table, toIntegers(policy.get("table")));
      }
    }
  }
}

TEST(Projection, ForbiddenBeatsPad) {
  Projection projection = parse("[[1], [1]] + [0, 0], shape = [1, 1], oob = "
                                "[pad(0), forbid]");
  EXPECT_EQ(projection.resolve({-1, 0}, {3, 5}).kind, Resolved::Kind::Pad);
  EXPECT_EQ(projection.resolve({-1, 5}, {3, 5}).kind,
            Resolved::Kind::Forbidden);
  EXPECT_EQ(projection.resolve({2, 4}, {3, 5}).kind, Resolved::Kind::Element);
}

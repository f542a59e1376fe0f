//===- AttrTest.cpp - What attributes offer to C++ ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no text reaches: conversions, verifiers of values built in C++, and the
// interfaces.
//
//===----------------------------------------------------------------------===//

#include "../Core/MapTesting.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
class AttrTest : public ::testing::Test {
protected:
  AttrTest() { context.loadDialect<TensorAccessDialect>(); }

  template <typename AttrT>
  AttrT parse(StringRef text) {
    Attribute attr = parseAttribute(text, &context);
    EXPECT_TRUE(attr && isa<AttrT>(attr)) << text.str();
    return cast<AttrT>(attr);
  }
  /// The text of the diagnostics that `build` makes.
  std::string diagnose(function_ref<void()> build) {
    std::string text;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      text += diagnostic.str() + ";";
      return success();
    });
    build();
    return text;
  }
  InFlightDiagnostic emitError() {
    return mlir::emitError(UnknownLoc::get(&context));
  }
  std::string print(Attribute attr) {
    std::string text;
    llvm::raw_string_ostream os(text);
    attr.print(os);
    return text;
  }

  MLIRContext context;
};
} // namespace

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

TEST_F(AttrTest, IndexingMapFromAffine) {
  auto affine =
      parse<AffineMapAttr>("affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>");
  auto map = IndexingMapAttr::fromAffine(affine, {{0, 9}, {0, 4}}, {{0, 2}});
  EXPECT_EQ(map, parse<IndexingMapAttr>(
                     "#tensoraccess.indexing_map<(d0, d1)[s0] -> (d0 + s0, "
                     "d1), domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 2]>"));
  EXPECT_EQ(map.toAffineMap(), affine);
}

TEST_F(AttrTest, IndexingMapFromAffineAndSet) {
  auto affine = parse<AffineMapAttr>("affine_map<(d0)[s0] -> (d0 + s0)>");
  auto set = parse<IntegerSetAttr>(
      "affine_set<(d0)[s0] : (10 - d0 - s0 >= 0, d0 + s0 >= 0)>");
  auto map = IndexingMapAttr::fromAffine(affine, {{0, 9}}, {{0, 2}}, set);
  EXPECT_EQ(map.getValue().getConstraints().size(), 1u);
  EXPECT_TRUE(map.getValue().containsPoint({9}, {1}));
  EXPECT_FALSE(map.getValue().containsPoint({9}, {2}));
  // And back: the set of the map holds the same points.
  IntegerSet domain = test::toIntegerSet(map.getValue(), &context);
  ASSERT_NE(domain, IntegerSet());
  auto back = IndexingMapAttr::fromAffine(map.toAffineMap(), {{0, 9}}, {{0, 2}},
                                          IntegerSetAttr::get(domain));
  EXPECT_TRUE(test::equalOverDomain(back.getValue(), map.getValue()));
}

TEST_F(AttrTest, IndexingMapFromAffineOfWrongRank) {
  auto affine = parse<AffineMapAttr>("affine_map<(d0, d1) -> (d0)>");
  EXPECT_EQ(IndexingMapAttr::fromAffine(affine, {{0, 9}}),
            parse<IndexingMapAttr>("#tensoraccess.indexing_map<unknown>"));
}

TEST_F(AttrTest, UnknownMapsOfAnyReasonAreOneAttribute) {
  auto overflow = IndexingMapAttr::get(
      &context, IndexingMap::unknown(UnknownReason::Overflow));
  EXPECT_EQ(print(overflow), "#tensoraccess.indexing_map<unknown>");
  EXPECT_EQ(overflow, parse<IndexingMapAttr>(print(overflow)));
  EXPECT_FALSE(overflow.toAffineMap());
  EXPECT_EQ(test::toIntegerSet(overflow.getValue(), &context), IntegerSet());
}

TEST_F(AttrTest, EqualValuesAreOneAttribute) {
  for (StringRef text :
       {"#tensoraccess.indexing_map<(d0) -> (d0 mod 3), domain: d0 in [0, 9]>",
        "#tensoraccess.layout<{1,0:T(8,128)(2,1)}>",
        "#tensoraccess.projection<[[1]] + [0], shape = [3], oob = [pad(nan)]>"})
    EXPECT_EQ(parse<Attribute>(text), parse<Attribute>(text));
}

/// Text that is nested deeper than a reader's or printer's stack should go,
/// visibly by parentheses and invisibly by a chain of operators.
TEST_F(AttrTest, DeepNestingIsRefused) {
  auto check = [&](StringRef left, StringRef middle, StringRef right,
                   unsigned depth) {
    std::string text = "#tensoraccess.indexing_map<(d0) -> (";
    for (unsigned i = 0; i < depth; ++i)
      text += left;
    text += middle;
    for (unsigned i = 0; i < depth; ++i)
      text += right;
    text += ")>";
    return diagnose([&] {
      if (Attribute attr = parseAttribute(text, &context))
        EXPECT_EQ(parseAttribute(print(attr), &context), attr);
    });
  };
  EXPECT_EQ(check("(", "d0", ")", 255), "");
  EXPECT_EQ(check("(", "d0", ")", 100000),
            "expression is nested deeper than 256;");
  EXPECT_EQ(check("", "d0", " * d0", 64), "");
  EXPECT_EQ(check("", "d0", " * d0", 65),
            "value goes through more than 64 nested operations;");
  EXPECT_EQ(check("", "d0", " floordiv 3 mod 1000", 100000),
            "value goes through more than 64 nested operations;");
  EXPECT_EQ(check("", "d0", " * -d0", 64), "");
  EXPECT_EQ(check("max(", "d0", " * 3 ceildiv 7, -d0)", 21), "");
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

TEST_F(AttrTest, LayoutsBuiltByHandAreVerified) {
  Layout layout = Layout::rowMajor(2);
  layout.tiles.push_back({2, TileEntry::combine()});
  EXPECT_EQ(diagnose([&] {
              EXPECT_FALSE(LayoutAttr::getChecked([&] { return emitError(); },
                                                  &context, layout));
            }),
            "tile 0 must not end in '*';");
  layout = Layout::rowMajor(2).withShape({3, 5}, *XlaType::lookup("f32"));
  EXPECT_EQ(diagnose([&] {
              EXPECT_FALSE(LayoutAttr::getChecked([&] { return emitError(); },
                                                  &context, layout));
            }),
            "a layout attribute takes the shape from its tensor and must not "
            "have one, got f32[3,5]{1,0};");
  layout = Layout::rowMajor(1);
  layout.indexType = XlaType::lookup("u32");
  EXPECT_EQ(diagnose([&] {
              EXPECT_FALSE(LayoutAttr::getChecked([&] { return emitError(); },
                                                  &context, layout));
            }),
            "# is read only in the string form of a layout;");
}

TEST_F(AttrTest, LayoutIsTheMapOfAMemRef) {
  auto tiled = parse<LayoutAttr>("#tensoraccess.layout<{0,1:T(2,2)(3)}>");
  EXPECT_EQ(AffineMapAttr::get(tiled.getAffineMap()),
            parse<AffineMapAttr>(
                "affine_map<(d0, d1) -> (d1 floordiv 2, d0 floordiv 2, d1 mod "
                "2, (d0 mod 2) floordiv 3, (d0 mod 2) mod 3)>"));
  EXPECT_FALSE(tiled.isIdentity());
  // More entries than dimensions: a leading 0.
  auto longer = parse<LayoutAttr>("#tensoraccess.layout<{0:T(8,128)}>");
  EXPECT_EQ(AffineMapAttr::get(longer.getAffineMap()),
            parse<AffineMapAttr>(
                "affine_map<(d0) -> (0, d0 floordiv 128, 0, d0 mod 128)>"));
  EXPECT_TRUE(parse<LayoutAttr>("#tensoraccess.layout<{1,0}>").isIdentity());
}

/// The coordinates of the map, laid out in row-major order, are the numbers of
/// Core.
TEST_F(AttrTest, MemRefMapAgreesWithLinearize) {
  for (StringRef text :
       {"{1,0:T(2,2)}", "{0,1:T(2,2)}", "{1,0:T(2,3)(2,1)}", "{1,0:T(4)}",
        "{0,1:T(2,3)(2)}", "{1,0:T(2,2,2)}", "{0,1}"}) {
    auto attr = parse<LayoutAttr>(("#tensoraccess.layout<" + text + ">").str());
    Layout layout = attr.getValue().withShape({3, 5}, *XlaType::lookup("f32"));
    SmallVector<int64_t> sizes = *layout.getPhysicalShape();
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 5; ++j) {
        SmallVector<int64_t> coordinates =
            attr.getAffineMap().compose(ArrayRef<int64_t>{i, j});
        ASSERT_EQ(coordinates.size(), sizes.size());
        int64_t number = 0;
        for (auto [coordinate, size] : llvm::zip(coordinates, sizes))
          number = number * size + coordinate;
        EXPECT_EQ(number, layout.linearize({i, j})) << text.str();
      }
  }
}

TEST_F(AttrTest, LayoutStrides) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto columns = parse<LayoutAttr>("#tensoraccess.layout<{0,2,1}>");
  ASSERT_TRUE(
      succeeded(columns.getStridesAndOffset({3, 5, 7}, strides, offset)));
  EXPECT_EQ(strides, (SmallVector<int64_t>{1, 21, 3}));
  EXPECT_EQ(offset, 0);
  int64_t dynamic = ShapedType::kDynamic;
  ASSERT_TRUE(
      succeeded(columns.getStridesAndOffset({3, 5, dynamic}, strides, offset)));
  EXPECT_EQ(strides, (SmallVector<int64_t>{1, dynamic, 3}));
  auto tiled = parse<LayoutAttr>("#tensoraccess.layout<{1,0:T(2,2)}>");
  EXPECT_TRUE(failed(tiled.getStridesAndOffset({3, 5}, strides, offset)));
}

//===----------------------------------------------------------------------===//
// Projections and the access type
//===----------------------------------------------------------------------===//

TEST_F(AttrTest, ProjectionsBuiltByHandAreVerified) {
  Projection projection;
  projection.matrix = {{1, 2}};
  projection.offset = {0};
  projection.shape = {0};
  EXPECT_EQ(diagnose([&] {
              EXPECT_FALSE(ProjectionAttr::getChecked(
                  [&] { return emitError(); }, &context,
                  AnchoredProjection(projection)));
            }),
            "shape entry 0 must be positive, got 0;");
}

/// A size that no text can say.
TEST_F(AttrTest, AccessTypeC1) {
  EXPECT_EQ(diagnose([&] {
              EXPECT_FALSE(AccessType::getChecked(
                  [&] { return emitError(); }, &context,
                  ArrayRef<int64_t>{3, -5}, ArrayRef<int64_t>{},
                  Type(Float32Type::get(&context))));
            }),
            "access dimensions must be `?` or non-negative, got -5;");
}

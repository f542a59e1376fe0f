//===- IndexingMapsDocTest.cpp - The C++ of docs/IndexingMaps.md ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;

namespace {

// As the document has them, one after the other.
// clang-format off
TEST(IndexingMapsDoc, Blocks) {
ParseError error;
IndexingMap conv = *IndexingMap::parse(
    "(d0)[s0] -> (d0 * 2 + s0 - 3), domain: d0 in [0, 111], s0 in [0, 6], "
    "d0 * 2 + s0 in [3, 226]", error);
IndexingMap tiled = *IndexingMap::parse(
    "(d0) -> (d0 floordiv 15, d0 floordiv 5 mod 3, d0 mod 5), "
    "domain: d0 in [0, 59]", error);

Footprint f = getImage(conv);
EXPECT_EQ(f.kind, Exactness::Exact);
EXPECT_EQ(f.hull, (Box{{0}, {224}}));
EXPECT_EQ(f.count, 224u);
Box block{{10}, {12}};
EXPECT_EQ(getImage(conv, &block).hull, (Box{{17}, {26}}));
EXPECT_EQ(getPreimage(conv, Box{{0}, {1}}).hull, (Box{{0}, {2}}));

EXPECT_EQ(countPoints(conv), 778u);
EXPECT_EQ(countImage(conv), 224u);
EXPECT_EQ(countUnion({conv, conv}), 224u);

EXPECT_EQ(isInjective(tiled), true);
EXPECT_EQ(inverse(tiled)->str(),
          "(d0, d1, d2) -> (d0 * 15 + d1 * 5 + d2), "
          "domain: d0 in [0, 3], d1 in [0, 2], d2 in [0, 4]");

IndexingMap less = conv.restrictRanges({Interval::all(), {0, 5}});
Equivalence found = compareMaps(conv, less);
EXPECT_EQ(found.verdict, Equivalence::Verdict::Different);
EXPECT_TRUE(conv.evaluate(found.witness, {6}));

IndexingMap odd = *tiled.withConstraint("d0 mod 2 in [1, 1]", error);
EXPECT_EQ(isEmpty(odd), false);
EXPECT_EQ((*findPoint(odd))[0] % 2, 1);

std::optional<IndexingMap> middle = conv.substitute({{"s0", "3"}}, error);
EXPECT_EQ(middle->simplify().str(), "(d0) -> (d0 * 2), domain: d0 in [0, 111]");
EXPECT_EQ(tiled.selectResults({2}).str(),
          "(d0) -> (d0 mod 5), domain: d0 in [0, 59]");
EXPECT_EQ(conv.dimsToSymbols({0}).getNumDims(), 0u);
std::string why;
EXPECT_FALSE(conv.withNames({"row", "row"}, why));
EXPECT_EQ(why, "variable 'row' is declared twice");
EXPECT_EQ(countPoints(conv.intersectDomains(
              IndexingMap::identity({10}))), 10u * 7u - 3u - 1u);
}
// clang-format on

/// The document shows this file's code.
TEST(IndexingMapsDoc, IsUpToDate) {
  auto read = [](const char *path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    EXPECT_TRUE(bool(buffer)) << path;
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  std::string document = read(TENSORACCESS_TEST_DIR "/../docs/IndexingMaps.md");
  std::string source =
      read(TENSORACCESS_TEST_DIR "/Core/IndexingMapsDocTest.cpp");
  unsigned blocks = 0;
  llvm::StringRef rest = document;
  while (rest.contains("```cpp\n")) {
    auto [block, after] = rest.split("```cpp\n").second.split("```");
    EXPECT_NE(source.find(block.str()), std::string::npos)
        << "docs/IndexingMaps.md shows code that is not run:\n"
        << block.str();
    rest = after;
    ++blocks;
  }
  EXPECT_EQ(blocks, 7u);
}

} // namespace

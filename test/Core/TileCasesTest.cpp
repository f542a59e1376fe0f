//===- TileCasesTest.cpp - Tiles against the collected cases --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads indexing_tiles.jsonl, as far as it speaks of maps and reshapes; its
// functions are read by test/python/test_tiles.py. What XLA calls a failure is
// answered here where there is an answer, so `expected` is compared where it is
// given and the truth is the enumeration.
//
//===----------------------------------------------------------------------===//

#include "CaseReader.h"
#include "ParseMap.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/ReshapeSteps.h"
#include "TensorAccess/Core/Tile.h"

#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

constexpr StringRef kFile = "indexing_tiles.jsonl";

TEST(TileCases, SymbolicTilesOfMaps) {
  std::mt19937_64 random(20240521);
  unsigned compared = 0;
  for (const llvm::json::Object &c :
       readCases(kFile, "symbolic_tile_output_to_input")) {
    auto text = c.getString("indexing_map");
    if (!text)
      continue;
    SCOPED_TRACE(c.getString("id")->str());
    IndexingMap map = test::parse(*text);
    TileFailure failure;
    auto tile = getSymbolicTile(map, {}, failure);
    ASSERT_TRUE(tile) << failure.message;
    const llvm::json::Object *expected = c.getObject("expected");
    if (!expected)
      continue;
    // Their maps are over sizes, with offsets of 0 (the symbols of the offsets
    // are runtime variables).
    IndexingMap sizes = test::parse(*expected->getString("size_map"));
    IndexingMap strides = test::parse(*expected->getString("stride_map"));
    for (unsigned round = 0; round != 20; ++round) {
      SmallVector<int64_t> t, o, rt;
      for (Interval range : map.getDimRanges()) {
        t.push_back(1 + random() % (range.upper - range.lower + 1));
        o.push_back(range.lower);
      }
      for (Interval range : map.getRuntimeRanges())
        rt.push_back(range.lower);
      auto ours = tile->instantiate(o, t, rt);
      if (!ours)
        continue;
      auto theirSizes = sizes.evaluate(t), theirStrides = strides.evaluate(t);
      ASSERT_TRUE(theirSizes && theirStrides);
      for (unsigned r = 0; r != tile->getNumResults(); ++r) {
        EXPECT_EQ(ours->dims[r].size, (*theirSizes)[r]) << tile->str();
        if (ours->dims[r].size > 1)
          EXPECT_EQ(ours->dims[r].stride, (*theirStrides)[r]) << tile->str();
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100u);
}

TEST(TileCases, TilesThroughReshapes) {
  for (const llvm::json::Object &c : readCases(kFile, "tile_through_reshape")) {
    SCOPED_TRACE(c.getString("id")->str());
    SmallVector<int64_t> from = toIntegers(c.get("shape")),
                         to = toIntegers(c.get("to_shape")),
                         sizes = toIntegers(c.get("tile_sizes")),
                         strides = toIntegers(c.get("strides"));
    const llvm::json::Array &offsets = *c.getArray("offsets");
    IndexingMap map = reshapeMap(from, to);
    // All tiles: offset = tile number * size.
    SmallVector<int64_t> tile(from.size(), 0);
    for (bool more = true; more;) {
      SmallVector<TileDim> dims;
      for (unsigned d = 0; d != from.size(); ++d)
        dims.push_back({offsets[d].getAsString() == StringRef("0")
                            ? 0
                            : tile[d] * sizes[d],
                        sizes[d], strides[d]});
      std::set<Point> truth;
      enumerate(map, [&](auto point, auto result) {
        for (unsigned d = 0; d != from.size(); ++d) {
          int64_t k = (point[d] - dims[d].offset) / dims[d].stride;
          if ((point[d] - dims[d].offset) % dims[d].stride != 0 || k < 0 ||
              k >= sizes[d])
            return true;
        }
        truth.insert(Point(result.begin(), result.end()));
        return true;
      });
      TileFailure failure;
      auto answer = getTile(map, dims, {}, failure);
      if (!c.getBoolean("fails").value_or(false)) {
        EXPECT_TRUE(answer) << failure.message;
      } else if (!answer) {
        EXPECT_FALSE(failure.message.empty());
      }
      if (answer) {
        std::optional<int64_t> count = answer->getNumElements();
        EXPECT_EQ(count, int64_t(truth.size()));
        for (const Point &p : truth)
          EXPECT_TRUE(answer->contains(p)) << answer->str();
      }
      more = false;
      for (unsigned d = from.size(); d-- > 0;) {
        if (++tile[d] * sizes[d] < from[d]) {
          more = true;
          break;
        }
        tile[d] = 0;
      }
    }
  }
}

TEST(TileCases, MinimalReshapes) {
  for (const llvm::json::Object &c :
       readCases(kFile, "minimal_reshape_decomposition")) {
    SCOPED_TRACE(c.getString("id")->str());
    auto steps = getReshapeSteps(toIntegers(c.get("shape")),
                                 toIntegers(c.get("to_shape")));
    const llvm::json::Array &expected = *c.getArray("expected");
    ASSERT_TRUE(steps);
    ASSERT_EQ(steps->size(), expected.size());
    for (auto [step, value] : llvm::zip(*steps, expected)) {
      const llvm::json::Object &e = *value.getAsObject();
      EXPECT_EQ(step.inputStart, *e.getInteger("input_start"));
      EXPECT_EQ(step.inputCount, *e.getInteger("input_count"));
      EXPECT_EQ(step.outputStart, *e.getInteger("output_start"));
      EXPECT_EQ(step.outputCount, *e.getInteger("output_count"));
      EXPECT_EQ(describe(step.kind), *e.getString("category"));
    }
  }
}

} // namespace

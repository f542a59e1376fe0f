//===- LayoutMapsTest.cpp - Maps of operations after layouts --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout's indexing map composes with maps of operations: what these touch of
// memory is then counted exactly, with tiles, `*`, padding and elements of less
// than a byte. The truth is the walk through all points.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"
#include "TensorAccess/Core/Coalescing.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/MemoryRuns.h"
#include "WalkedAccesses.h"

#include "gtest/gtest.h"
#include <set>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;

/// A map of an operation into a tensor of that shape: a permutation, a window
/// or a stride in each dimension. Its first dim is the lane.
static IndexingMap randomAccess(RandomLayouts &random,
                                ArrayRef<int64_t> shape) {
  IndexingMapBuilder builder;
  SmallVector<Form> results(shape.size());
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < shape.size(); ++i)
    order.push_back(i);
  std::shuffle(order.begin(), order.end(), random.random);
  SmallVector<int64_t> strides, windows;
  SmallVector<Form> dims;
  for (unsigned i : order) {
    int64_t stride = random.pick(1, std::max<int64_t>(1, shape[i] / 3));
    int64_t window = random.pick(1, std::min<int64_t>(3, shape[i]));
    strides.push_back(stride);
    windows.push_back(window);
    dims.push_back(builder.addDim(Interval(0, (shape[i] - window) / stride)));
  }
  SmallVector<Form> symbols;
  for (int64_t window : windows)
    symbols.push_back(builder.addSymbol(Interval::ofExtent(window)));
  FormArena &arena = builder.arena();
  for (unsigned k = 0; k < order.size(); ++k)
    results[order[k]] = arena.add(arena.scale(dims[k], strides[k]), symbols[k]);
  for (const Form &result : results)
    builder.addResult(result);
  return builder.build();
}

TEST(LayoutMaps, CoalescingIsExact) {
  RandomLayouts random(51);
  random.emptyEvery = 0;
  unsigned known = 0, tried = 0;
  for (int i = 0; i < 1200; ++i) {
    SmallVector<int64_t> shape = random.shape(3);
    if (shape.empty())
      continue;
    Layout layout = random.layout(shape);
    IndexingMap access = randomAccess(random, shape);
    IndexingMap numbers = toElementNumbers(access, layout);
    ASSERT_TRUE(numbers.isOrdinary()) << layout.str();
    CoalescingOptions options;
    if (random.pick(0, 3))
      options.lane = 0;
    options.lanes = random.pick(1, 8);
    if (random.pick(0, 1))
      options.vector.push_back(access.getNumDims());
    options.elementBits =
        layout.elementBits.value_or(layout.elementType->getBits());
    options.transactionBytes = 1ll << random.pick(0, 6);
    SCOPED_TRACE(layout.str() + "\n" + access.str());
    ASSERT_EQ(verify(options, numbers), std::nullopt);
    CoalescingResult truth = walkCoalescing(numbers, options);
    CoalescingResult found = getCoalescing(numbers, options);
    ++tried;
    known += found.value.has_value();
    if (found.value) {
      ASSERT_EQ(*found.value, *truth.value);
    }
  }
  // The budget is far from what such layouts need.
  EXPECT_EQ(known, tried);
}

TEST(LayoutMaps, FootprintsAreExact) {
  RandomLayouts random(52);
  random.emptyEvery = 0;
  for (int i = 0; i < 400; ++i) {
    SmallVector<int64_t> shape = random.shape(3);
    Layout layout = random.layout(shape);
    IndexingMap access = randomAccess(random, shape);
    IndexingMap numbers = access.then(*layout.getIndexingMap());
    SCOPED_TRACE(layout.str() + "\n" + access.str());
    std::set<Point> image = *enumerateImage(numbers);
    Footprint footprint = getImage(numbers);
    ASSERT_NE(footprint.kind, Exactness::Unknown);
    ASSERT_EQ(footprint.hull->lo[0], (*image.begin())[0]);
    ASSERT_EQ(footprint.hull->hi[0], (*image.rbegin())[0] + 1);
    if (footprint.count) {
      ASSERT_EQ(*footprint.count, image.size());
    }
    ASSERT_EQ(countImage(numbers), image.size());
  }
}

/// The bytes that lanes use of a box, one access, are its runs.
TEST(LayoutMaps, RunsAgreeWithCoalescing) {
  RandomLayouts random(53);
  random.emptyEvery = 0;
  for (int i = 0; i < 300; ++i) {
    SmallVector<int64_t> shape = random.shape(3);
    Layout layout = random.layout(shape);
    layout.elementBits = 8 * random.pick(16, 17);
    IndexingMap numbers =
        toElementNumbers(IndexingMap::identity(shape), layout);
    CoalescingOptions options;
    for (unsigned d = 0; d < shape.size(); ++d)
      options.vector.push_back(d);
    options.elementBits = *layout.elementBits;
    options.transactionBytes = 1;
    std::optional<Coalescing> all = getCoalescing(numbers, options).value;
    ASSERT_TRUE(all.has_value()) << layout.str();
    std::optional<MemoryRuns> runs = getRuns(layout, getWholeBox(shape));
    ASSERT_TRUE(runs.has_value()) << layout.str();
    ASSERT_EQ(all->runs, runs->getSummary().runs) << layout.str();
    ASSERT_EQ(all->bytesUsed,
              runs->getSummary().elements * options.elementBits / 8);
  }
}

/// Large arrays cost no more than small ones.
TEST(LayoutMaps, LargeTiledArrays) {
  ParseError error;
  Layout layout =
      *Layout::parse("bf16[1048576,65536]{1,0:T(8,128)(2,1)}", error);
  IndexingMap rows = *IndexingMap::parse(
      "(d0, d1) -> (d1, d0), domain: d0 in [0, 65535], d1 in [0, 1048575]",
      error);
  CoalescingOptions options;
  options.lane = 0;
  options.elementBits = 16;
  std::optional<Coalescing> all =
      getCoalescing(toElementNumbers(rows, layout), options).value;
  ASSERT_TRUE(all.has_value());
  // 32 lanes of a row are every second of 64 elements: two transactions of 64.
  EXPECT_EQ(all->bytesUsed, int64_t(1) << 37);
  EXPECT_EQ(all->bytesMoved, int64_t(1) << 38);
}

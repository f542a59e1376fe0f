//===- LayoutSegmentsTest.cpp - Runs of boxes, and padding ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"
#include "RandomLayouts.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/MemoryRuns.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static Box makeBox(ArrayRef<int64_t> lo, ArrayRef<int64_t> hi) {
  Box box;
  box.lo.assign(lo.begin(), lo.end());
  box.hi.assign(hi.begin(), hi.end());
  return box;
}

using Runs = std::vector<std::pair<int64_t, int64_t>>;

static Runs list(const MemoryRuns &runs) {
  Runs all;
  auto found = *runs.list(1u << 20);
  for (MemoryRun run : found)
    all.emplace_back(run.offset, run.length);
  return all;
}

/// The runs of the marked bytes.
static Runs runsOf(ArrayRef<char> marks) {
  Runs runs;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i])
      continue;
    if (i > 0 && marks[i - 1])
      ++runs.back().second;
    else
      runs.emplace_back(i, 1);
  }
  return runs;
}

static RunSummary summaryOf(const Runs &runs) {
  RunSummary summary;
  for (auto [offset, length] : runs) {
    if (summary.runs == 0) {
      summary.begin = offset;
      summary.minLength = length;
    }
    ++summary.runs;
    summary.elements += length;
    summary.minLength = std::min(summary.minLength, length);
    summary.maxLength = std::max(summary.maxLength, length);
    summary.end = offset + length;
  }
  return summary;
}

TEST(LayoutSegments, WorkedExample) {
  Layout layout = parseLayout("f32[3,5]{1,0:T(2,2)}");
  std::optional<MemoryRuns> runs = getRuns(layout, makeBox({0, 1}, {2, 5}));
  ASSERT_TRUE(runs.has_value());
  EXPECT_EQ(list(*runs), (Runs{{1, 1}, {3, 6}, {10, 1}}));
  EXPECT_EQ(runs->getSummary(), (RunSummary{8, 3, 1, 6, 1, 11}));
  // Numbers 9, 11, and of the lower tiles the second row and the last column.
  std::optional<MemoryRuns> padding = getPadding(layout);
  ASSERT_TRUE(padding.has_value());
  EXPECT_EQ(list(*padding), (Runs{{9, 1}, {11, 1}, {14, 2}, {18, 2}, {21, 3}}));
}

TEST(LayoutSegments, AlignedBoxesAreOneDescriptor) {
  // Two blocks of a row of blocks, of which there are three.
  Layout layout = parseLayout("bf16[32,384]{1,0:T(8,128)(2,1)}");
  std::optional<MemoryRuns> runs =
      getRuns(layout, makeBox({8, 128}, {24, 384}));
  std::optional<RunDescriptors> all = runs->describe();
  ASSERT_TRUE(all.has_value());
  ASSERT_EQ(all->parts.size(), 1u);
  EXPECT_TRUE(all->areMaximal);
  EXPECT_EQ(all->parts[0], (RunDescriptor{4096, {{2, 3072}}, 2048}));

  // A row of a block is every second element.
  all = getRuns(layout, makeBox({1, 0}, {2, 128}))->describe();
  ASSERT_EQ(all->parts.size(), 1u);
  EXPECT_EQ(all->parts[0], (RunDescriptor{1, {{128, 2}}, 1}));

  // A box that begins inside a block is a part of one and whole ones.
  all = getRuns(layout, makeBox({0, 100}, {8, 256}))->describe();
  ASSERT_EQ(all->parts.size(), 2u);
  EXPECT_EQ(all->parts[0], (RunDescriptor{200, {{4, 256}}, 56}));
  EXPECT_EQ(all->parts[1], (RunDescriptor{1024, {}, 1024}));
  EXPECT_FALSE(all->areMaximal); // 968 + 56 = 1024
}

TEST(LayoutSegments, AgreesWithGoingThroughElements) {
  RandomLayouts random(21);
  unsigned descriptors = 0;
  for (int i = 0; i < 4000; ++i) {
    Layout layout = random.layout(random.shape());
    Box box;
    for (int64_t size : *layout.shape) {
      int64_t a = random.pick(0, size), b = random.pick(0, size);
      if (random.pick(0, 2) == 0)
        a = 0, b = size;
      box.lo.push_back(std::min(a, b));
      box.hi.push_back(std::max(a, b));
    }
    std::vector<char> marks(*layout.getPaddedElements(), 0);
    std::vector<char> padding(*layout.getPaddedElements(), 1);
    forEachIndex(*layout.shape, [&](ArrayRef<int64_t> index) {
      bool isInside = true;
      for (size_t d = 0; d < index.size(); ++d)
        isInside &= box.lo[d] <= index[d] && index[d] < box.hi[d];
      int64_t number = numberByFormula(layout, index);
      marks[number] = isInside;
      padding[number] = 0;
    });
    std::string text = layout.str();
    for (size_t d = 0; d < box.lo.size(); ++d)
      text += " [" + std::to_string(box.lo[d]) + ", " +
              std::to_string(box.hi[d]) + ")";
    SCOPED_TRACE(text);

    Runs expected = runsOf(marks);
    std::optional<MemoryRuns> runs = getRuns(layout, box);
    ASSERT_TRUE(runs.has_value());
    ASSERT_EQ(list(*runs), expected);
    ASSERT_EQ(runs->getSummary(), summaryOf(expected));

    std::optional<MemoryRuns> gaps = getPadding(layout);
    ASSERT_TRUE(gaps.has_value());
    ASSERT_EQ(list(*gaps), runsOf(padding));
    ASSERT_EQ(gaps->getSummary(), summaryOf(runsOf(padding)));
    ASSERT_EQ(gaps->getSummary().elements,
              getWaste(layout)->getPaddingElements());

    // Descriptors cover the same elements, each once.
    std::optional<RunDescriptors> all = runs->describe(1000);
    if (!all)
      continue;
    ++descriptors;
    std::vector<char> covered(marks.size(), 0);
    int64_t count = 0, last = -1;
    for (const RunDescriptor &part : all->parts) {
      EXPECT_GT(part.offset, last);
      last = part.offset;
      count += part.getRuns();
      SmallVector<int64_t> counts;
      for (auto loop : part.loops)
        counts.push_back(loop.count);
      forEachIndex(counts, [&](ArrayRef<int64_t> at) {
        int64_t offset = part.offset;
        for (size_t k = 0; k < at.size(); ++k)
          offset += at[k] * part.loops[k].stride;
        for (int64_t n = 0; n < part.length; ++n) {
          EXPECT_FALSE(covered[offset + n]);
          covered[offset + n] = 1;
        }
      });
    }
    ASSERT_EQ(covered, marks);
    ASSERT_EQ(all->areMaximal, count == runs->getSummary().runs);
  }
  EXPECT_GT(descriptors, 3000u);
}

TEST(LayoutSegments, CountsWithoutWalking) {
  // 2^20 rows of 2^20 columns, without the first and the last of each.
  Layout layout = parseLayout("bf16[1048576,1048576]{1,0:T(8,128)(2,1)}");
  std::optional<MemoryRuns> runs =
      getRuns(layout, makeBox({1, 1}, {1048575, 1048575}));
  ASSERT_TRUE(runs.has_value());
  EXPECT_EQ(runs->getSummary().elements, 1048574ll * 1048574);
  EXPECT_EQ(runs->getSummary().minLength, 1);
  EXPECT_FALSE(runs->list(1000).has_value());
  // A walk ends where it is told to.
  unsigned seen = 0;
  EXPECT_FALSE(runs->forEach([&](MemoryRun) { return ++seen < 5; }));
  EXPECT_EQ(seen, 5u);
}

TEST(LayoutSegments, LargestArrays) {
  Layout layout = parseLayout("u1[9223372036854775807]{0}");
  std::optional<MemoryRuns> runs = getRuns(layout, getWholeBox(*layout.shape));
  ASSERT_TRUE(runs.has_value());
  EXPECT_EQ(list(*runs), (Runs{{0, 9223372036854775807ll}}));
  EXPECT_EQ(getPadding(layout)->getSummary(), RunSummary());
  layout = parseLayout("u1[4611686018427387903]{0:T(4611686018427387904)L(7)}");
  EXPECT_EQ(getPadding(layout)->getSummary().elements,
            *layout.getPaddedElements() - 4611686018427387903ll);
}

TEST(LayoutSegments, SaysWhatIsWrongWithABox) {
  SmallVector<int64_t> shape = {3, 5};
  EXPECT_EQ(verifyBox(makeBox({0}, {1}), shape),
            "the box must have rank 2, got 1");
  EXPECT_EQ(verifyBox(makeBox({0, 2}, {3, 6}), shape),
            "dimension 1 of the box must lie in [0, 5), got [2, 6)");
  EXPECT_EQ(verifyBox(makeBox({-1, 2}, {3, 5}), shape),
            "dimension 0 of the box must lie in [0, 3), got [-1, 3)");
  EXPECT_EQ(verifyBox(makeBox({3, 5}, {3, 5}), shape), std::nullopt);
  EXPECT_FALSE(getRuns(parseLayout("f32[3,5]{1,0}"), makeBox({0, 2}, {3, 6})));
  EXPECT_FALSE(getRuns(parseLayout("{1,0}"), makeBox({0, 0}, {3, 5})));
  EXPECT_FALSE(getPadding(parseLayout("{1,0}")));
}

TEST(LayoutSegments, GivesUpBeyondTheBudget) {
  // The tile cuts through merged dimensions, and the box leaves gaps.
  Layout layout = parseLayout("f32[4,11,10]{2,1,0:T(2,*,3)}");
  Box gaps = makeBox({0, 0, 0}, {4, 11, 7}),
      rows = makeBox({0, 2, 0}, {4, 9, 10});
  EXPECT_TRUE(getRuns(layout, gaps).has_value());
  EXPECT_FALSE(getRuns(layout, gaps, 100).has_value());
  // Whole rows are a range.
  EXPECT_TRUE(getRuns(layout, rows, 100).has_value());
}

//===- RelayoutPlanTest.cpp - Plans against their definition --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/RelayoutPlan.h"

#include "RelayoutTesting.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::testing_relayout;

static Layout parse(llvm::StringRef text) {
  ParseError error;
  std::optional<Layout> layout = Layout::parse(text, error);
  EXPECT_TRUE(layout) << text.str() << ": " << error.message;
  return *layout;
}

static RelayoutPlan plan(llvm::StringRef source, llvm::StringRef target,
                         llvm::ArrayRef<int64_t> permutation = {}) {
  std::string error;
  std::optional<RelayoutPlan> plan =
      RelayoutPlan::get(RelayoutSide::get(parse(source)),
                        RelayoutSide::get(parse(target)), permutation, error);
  EXPECT_TRUE(plan) << error;
  return *plan;
}

static std::string errorOf(llvm::StringRef source, llvm::StringRef target,
                           llvm::ArrayRef<int64_t> permutation = {}) {
  std::string error;
  EXPECT_FALSE(RelayoutPlan::get(RelayoutSide::get(parse(source)),
                                 RelayoutSide::get(parse(target)), permutation,
                                 error));
  return error;
}

namespace {

// The example of the header: two boundaries' worth of boxes, padding in loops.
TEST(RelayoutPlan, PacksIntoTiles) {
  RelayoutPlan p = plan("f32[5,130]{1,0}", "f32[5,130]{1,0:T(8,128)}");
  ASSERT_EQ(p.getKind(), RelayoutPlan::Kind::Boxes);
  EXPECT_FALSE(p.needsZeros());
  ASSERT_EQ(p.getBoxes().size(), 2u);
  EXPECT_EQ(llvm::ArrayRef(p.getBoxes()[0].loops),
            (llvm::ArrayRef<RelayoutLoop>{{8, 5, 130, 128}, {128, 128, 1, 1}}));
  EXPECT_EQ(p.getBoxes()[1].source, 128);
  EXPECT_EQ(p.getBoxes()[1].target, 1024);
  EXPECT_EQ(llvm::ArrayRef(p.getBoxes()[1].loops),
            (llvm::ArrayRef<RelayoutLoop>{{8, 5, 130, 128}, {128, 2, 1, 1}}));
}

// Loops that are one on both sides are one.
TEST(RelayoutPlan, JoinsLoops) {
  RelayoutPlan p = plan("bf16[4,6,5]{2,1,0}", "bf16[4,6,5]{2,1,0}");
  EXPECT_TRUE(p.isIdentity());
  ASSERT_EQ(p.getBoxes().size(), 1u);
  EXPECT_EQ(p.getBoxes()[0].loops.size(), 1u);
  // A tile as wide as the array is not a tile.
  EXPECT_TRUE(
      plan("f32[64,128]{1,0}", "f32[64,128]{1,0:T(8,128)}").isIdentity());
  EXPECT_FALSE(plan("f32[64,128]{1,0}", "f32[64,128]{0,1}").isIdentity());
  // A tail is memory that the source does not have.
  EXPECT_FALSE(plan("f32[3]{0}", "f32[3]{0:L(8)}").isIdentity());
}

// Tiles of 4 and 6 have no common loops; `*` under a tile that cuts is not a
// sum.
TEST(RelayoutPlan, FallsBack) {
  EXPECT_EQ(plan("f32[24]{0:T(6)(3)}", "f32[24]{0:T(12)}").getKind(),
            RelayoutPlan::Kind::Boxes);
  EXPECT_EQ(plan("f32[24]{0:T(6)(4)}", "f32[24]{0}").getKind(),
            RelayoutPlan::Kind::Elements);
  EXPECT_EQ(plan("f32[4,6]{1,0:T(4,3)}", "f32[4,6]{1,0:T(4,2)}").getKind(),
            RelayoutPlan::Kind::Tables);
  EXPECT_EQ(plan("f32[5,7]{1,0}", "f32[5,7]{1,0:T(*,3)(2,1)}").getKind(),
            RelayoutPlan::Kind::Elements);
}

TEST(RelayoutPlan, Refuses) {
  EXPECT_EQ(errorOf("f32[2,3]{1,0}", "f32[7]{0}"),
            "source [2, 3] has 6 elements, but target [7] has 7");
  EXPECT_EQ(errorOf("f32[2,3]{1,0}", "f32[6]{0}", {0, 0}),
            "permutation [0, 0] does not have each of the source's 2 "
            "dimensions once");
  EXPECT_EQ(errorOf("f32[2,3]{1,0}", "f32[6]{0}", {1}),
            "permutation [1] does not have each of the source's 2 dimensions "
            "once");
  std::string error;
  RelayoutSide strided = RelayoutSide::strided({2, 3}, {3, 1});
  EXPECT_FALSE(RelayoutPlan::get(strided, strided, {}, error));
  EXPECT_EQ(error, "the target of a relayout needs a layout");
  EXPECT_FALSE(RelayoutPlan::get(
      RelayoutSide::strided({3, 3}, {INT64_MAX / 2 + 1, INT64_MAX / 2 + 1}),
      RelayoutSide::get(parse("f32[3,3]{1,0}")), {}, error));
  EXPECT_EQ(error, "the strides of the source reach over 63 bits");
}

// Strided sources: a transposed view, and one that runs backwards.
TEST(RelayoutPlan, TakesStrides) {
  std::string error;
  auto p =
      RelayoutPlan::get(RelayoutSide::strided({3, 5}, {-1, 3}),
                        RelayoutSide::get(parse("f32[3,5]{1,0}")), {}, error);
  ASSERT_TRUE(p) << error;
  EXPECT_EQ(p->getSourceRange(), std::make_pair(int64_t(-2), int64_t(13)));
  std::vector<int64_t> found(15, -100);
  p->forEach([&](int64_t from, int64_t to) { found[to] = from; });
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(found[i * 5 + j], -i + 3 * j);
}

// Law: a plan moves what its definition moves. The boxes cover every number of
// the target but the tail once, or zeros come first.
TEST(RelayoutPlan, MovesWhatTheLayoutsSay) {
  Random random(20260607);
  int kinds[3] = {0, 0, 0}, covering = 0;
  for (int round = 0; round < 2500; ++round) {
    Problem problem = randomProblem(random);
    SCOPED_TRACE(problem.source.str() + " -> " + problem.target.str());
    std::string error;
    std::optional<RelayoutPlan> p = RelayoutPlan::get(
        RelayoutSide::get(problem.source), RelayoutSide::get(problem.target),
        problem.permutation, error);
    ASSERT_TRUE(p) << error;
    int64_t padded = *problem.target.getPaddedElements();
    ASSERT_EQ(p->getTargetElements(), padded);
    std::vector<int64_t> expected(padded, -1), found(padded, -1);
    forEachByDefinition(problem,
                        [&](int64_t a, int64_t b) { expected[b] = a; });
    int64_t moved = 0;
    p->forEach([&](int64_t a, int64_t b) {
      ASSERT_TRUE(b >= 0 && b < padded);
      ASSERT_EQ(found[b], -1);
      found[b] = a;
      ++moved;
    });
    ASSERT_EQ(found, expected);
    ASSERT_EQ(moved, p->getElements());
    ++kinds[static_cast<int>(p->getKind())];

    // Coverage: walk all steps of the boxes, also those over padding.
    std::vector<int> covered(padded, 0);
    for (const RelayoutBox &box : p->getBoxes()) {
      RelayoutBox steps = box;
      int64_t count = 1;
      for (const RelayoutLoop &loop : box.loops) {
        ASSERT_TRUE(loop.valid >= 1 && loop.valid <= loop.extent);
        ASSERT_GT(loop.targetStride, 0);
        count *= loop.extent;
      }
      for (int64_t n = 0; n < count; ++n) {
        int64_t at = box.target, rest = n;
        bool isElement = true;
        for (const RelayoutLoop &loop : llvm::reverse(box.loops)) {
          at += rest % loop.extent * loop.targetStride;
          isElement &= rest % loop.extent < loop.valid;
          rest /= loop.extent;
        }
        ASSERT_LT(at, p->getTailBegin());
        ++covered[at];
        ASSERT_EQ(isElement, expected[at] >= 0);
      }
    }
    for (int64_t n = 0; n < padded; ++n)
      ASSERT_LE(covered[n], 1);
    if (p->getKind() == RelayoutPlan::Kind::Boxes && !p->needsZeros()) {
      ++covering;
      for (int64_t n = 0; n < p->getTailBegin(); ++n)
        ASSERT_EQ(covered[n], 1) << n;
    }
  }
  // All three kinds have been seen, and most plans cover their target.
  EXPECT_GT(kinds[0], 800);
  EXPECT_GT(kinds[1], 80);
  EXPECT_GT(kinds[2], 50);
  EXPECT_GT(covering, 800);
}

} // namespace

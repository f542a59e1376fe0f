//===- PlanRunsTest.cpp - What plans say, and what ranks then do ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law: a function is planned, its plan written and cut into programs of ranks;
// these compute what the function computes, bit by bit, and every rank sends as
// many bytes in as many messages as the plan says.
//
//===----------------------------------------------------------------------===//

#include "PlanTesting.h"
#include "RandomTensorProgram.h"
#include "TensorAccess/Sharding/Sharding.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using PlanRunsTest = PlanTest;

/// Plans of random programs, some with given distributions.
TEST_F(PlanRunsTest, RanksSendWhatThePlanSays) {
  const char *grids[] = {"a=2", "a=3", "a=2,b=2", "a=4", "a=2,b=3", "a=8"};
  int64_t bytes = 0;
  const char *from = std::getenv("TENSORACCESS_PLAN_SEED");
  unsigned first = from ? std::atoi(from) : 0, last = from ? first + 1 : 300;
  for (unsigned seed = first; seed != last && !HasFailure(); ++seed) {
    RandomTensorProgram maker(seed);
    PlanOptions options = getOptions(grids[seed % 6]);
    const Grid &grid = options.grid;
    auto attributes = [&](const std::vector<int64_t> &shape) -> std::string {
      if (seed % 2 == 0 || maker.draw(3) == 0)
        return "";
      Distribution home = Distribution::replicated(shape.size());
      for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
        if (size_t dim = maker.draw(shape.size() + 1))
          home.dims[dim - 1].push_back(axis);
      return " {tensoraccess.distribution = \"" + home.str(grid) + "\"}";
    };
    const int64_t sent =
        check(parse(maker.print(1 + seed % 7, attributes)), options, seed);
    if (sent < 0)
      ADD_FAILURE() << "seed " << seed;
    bytes += sent;
  }
  // A law on programs that send nothing would say little.
  if (!from)
    EXPECT_GT(bytes, 30000);
}

/// Every tensor of a residual network, planned on four ranks: cut and counted,
/// not run.
TEST_F(PlanRunsTest, ResNetSendsWhatThePlanSays) {
  func::FuncOp main = load("resnet50.linalg");
  ASSERT_TRUE(main);
  PlanOptions options = getOptions("a=2,b=2");
  options.model = getDefaultCostModel();
  FailureOr<ShardPlan> plan = cut(main, options);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_GT(plan->program.bytesSent, 1000000u);
  EXPECT_GT(plan->program.messages, 100u);
}

/// An encoder layer, planned freely and with one of its products cut by the
/// batch, by queries, by keys (they are summed over in the second product), and
/// by heads or their features.
TEST_F(PlanRunsTest, AttentionByEachOfItsDimensions) {
  auto load = [&] { return PlanTest::load("attention.linalg"); };
  // Free: on 2, 3 and 4 ranks.
  for (const char *grid : {"a=2", "a=3", "a=2,b=2"})
    EXPECT_GE(check(load(), getOptions(grid), 1, 1e-5), 0) << grid;
  // Each loop of each product.
  size_t products = 0;
  {
    func::FuncOp main = load();
    for (Operation &op : main.front())
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        products += linalgOp.getNumReductionLoops() != 0 &&
                    linalgOp.getNumDpsInputs() == 2;
  }
  ASSERT_GT(products, 6u);
  for (size_t product = 0; product != products; ++product)
    for (unsigned loop = 0;; ++loop) {
      func::FuncOp main = load();
      size_t next = 0;
      linalg::LinalgOp chosen;
      for (Operation &op : main.front())
        if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
          if (linalgOp.getNumReductionLoops() != 0 &&
              linalgOp.getNumDpsInputs() == 2 && next++ == product)
            chosen = linalgOp;
      if (loop == chosen.getNumLoops())
        break;
      // Loops of one iteration leave a rank idle, which is fine, too.
      std::string text = "{d" + std::to_string(loop) + ": a}";
      chosen->setAttr(kCutName, StringAttr::get(&context, text));
      PlanOptions options = getOptions("a=2");
      EXPECT_GE(check(main, options, loop, 1e-5), 0)
          << "product " << product << " cut " << text;
      EXPECT_NE(planned.find(text), std::string::npos);
      if (HasFailure())
        return;
    }
}

/// Plans as people make them, by the batch, by rows or columns of images, by
/// channels, by sequence, by heads and hidden features, by products' sums: cuts
/// that spread from how arguments would lie, everything else planned. None of
/// them takes less modelled time than the plan that was found freely.
TEST_F(PlanRunsTest, NoPlanByHandIsBetter) {
  struct Hand {
    const char *model, *grid, *arguments;
  };
  const Hand hands[] = {
      {"attention", "a=2", "0={d0: a}"},
      {"attention", "a=4", "0={d1: a}"},
      {"attention", "a=2,b=4", "0={d0: a, d1: b}"},
      // Heads; hidden features, first by columns, then by rows.
      {"attention", "a=4",
       "1={d1: a}; 2={d1: a}; 3={d1: a}; 4={d0: a}; 5={d1: a}; 6={d0: a}"},
      {"attention", "a=2,b=4",
       "0={d0: a}; 1={d1: b}; 2={d1: b}; 3={d1: b}; 4={d0: b}; 5={d1: b}; "
       "6={d0: b}"},
      {"resnet18", "a=4", "0={d1: a}"},
      {"resnet18", "a=4", "0={d2: a}"},
      {"resnet18", "a=2,b=2", "0={d1: a, d2: b}"},
      {"resnet18", "a=4,b=4", "0={d1: a, d2: b}"},
      {"mobilenet", "a=4", "28={d1: a}"},
  };
  // By the time of work, and by the time of messages.
  ParseError error;
  const CostModel models[] = {
      getDefaultCostModel(),
      *CostModel::parse("machine m op *: start = 1.0e-6, point = 1.0e-12, byte "
                        "= 1.0e-12 network torus 1: latency = 1.0e-6, "
                        "bandwidth = 1.0e+10, overhead = 1.0e-6",
                        error)};
  for (const CostModel &model : models)
    for (const Hand &hand : hands) {
      auto load = [&] {
        return PlanTest::load((hand.model + Twine(".linalg")).str());
      };
      PlanOptions options = getOptions(hand.grid);
      options.model = model;
      FailureOr<ShardPlan> free = planShards(load(), options);
      ASSERT_TRUE(succeeded(free)) << messages;
      func::FuncOp main = load();
      ASSERT_TRUE(
          succeeded(setDistributions(main, options.grid, hand.arguments)))
          << messages;
      FailureOr<SpreadReport> spread = spreadCuts(main, options.grid);
      ASSERT_TRUE(succeeded(spread)) << messages;
      EXPECT_GT(spread->cuts, 5) << hand.arguments;
      for (unsigned i = 0; i != main.getNumArguments(); ++i)
        main.removeArgAttr(i, kDistributionName);
      FailureOr<ShardPlan> made = planShards(main, options);
      ASSERT_TRUE(succeeded(made)) << messages << hand.arguments;
      EXPECT_LE(free->program.seconds, made->program.seconds * (1 + 1e-9))
          << hand.model << " on " << hand.grid << " by " << hand.arguments;
    }
}

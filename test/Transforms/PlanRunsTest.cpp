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

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

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
  module = parseSourceFile<ModuleOp>(TENSORACCESS_MODELS
                                     "/resnet50.linalg.mlir",
                                     &context);
  ASSERT_TRUE(module) << messages;
  PassManager passes(&context);
  passes.addPass(createInlinerPass());
  ASSERT_TRUE(succeeded(passes.run(*module))) << messages;
  PlanOptions options = getOptions("a=2,b=2");
  options.model = getDefaultCostModel();
  FailureOr<ShardPlan> plan =
      cut(module->lookupSymbol<func::FuncOp>("main"), options);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_GT(plan->program.bytesSent, 1000000u);
  EXPECT_GT(plan->program.messages, 100u);
}

/// An encoder layer, planned freely and with one of its products cut by the
/// batch, by queries, by keys (they are summed over in the second product), and
/// by heads or their features.
TEST_F(PlanRunsTest, AttentionByEachOfItsDimensions) {
  auto load = [&] {
    messages.clear();
    module = parseSourceFile<ModuleOp>(TENSORACCESS_MODELS
                                       "/attention.linalg.mlir",
                                       &context);
    PassManager passes(&context);
    passes.addPass(createInlinerPass());
    EXPECT_TRUE(succeeded(passes.run(*module))) << messages;
    return module->lookupSymbol<func::FuncOp>("main");
  };
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

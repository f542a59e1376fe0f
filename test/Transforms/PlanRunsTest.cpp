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

#include "../Interpreter/Run.h"
#include "RandomTensorProgram.h"
#include "TensorAccess/Interpreter/RankRuns.h"
#include "TensorAccess/Transforms/PlanShards.h"
#include "TensorAccess/Transforms/Shard.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class PlanRunsTest : public RunTest {
protected:
  static PlanOptions getOptions(StringRef grid) {
    PlanOptions options;
    ParseError error;
    options.grid = *Grid::parse(grid, error);
    // Work counts a lot, so that everything is cut that can be.
    options.model = *CostModel::parse(
        "machine m op *: start = 1.0e-6, point = 1.0e-5, byte = 1.0e-6 network "
        "torus 1: latency = 1.0e-7, bandwidth = 1.0e+9, overhead = 2.0e-7",
        error);
    return options;
  }

  /// Plans @main, runs it both ways, and compares. Returns the plan's bytes; -1
  /// where something is wrong.
  int64_t check(const std::string &text, const PlanOptions &options,
                uint64_t seed) {
    messages.clear();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages << text;
    if (!module)
      return -1;
    auto main = module->lookupSymbol<func::FuncOp>("main");
    FailureOr<SmallVector<Tensor>> inputs = randomInputs(main, seed);
    FailureOr<SmallVector<Tensor>> wanted = interpret(main, *inputs);
    EXPECT_TRUE(succeeded(wanted)) << messages << text;
    FailureOr<ShardPlan> plan = planShards(main, options);
    EXPECT_TRUE(succeeded(plan)) << messages << text;
    if (failed(wanted) || failed(plan))
      return -1;
    EXPECT_TRUE(succeeded(verifyCover(main, plan->program)));
    writeShardDecisions(main, plan->program);
    std::string planned;
    llvm::raw_string_ostream(planned) << *module;
    const ShardedProgram &program = plan->program;
    FailureOr<ShardReport> report = shardFunction(main);
    EXPECT_TRUE(succeeded(report)) << messages << planned;
    if (failed(report))
      return -1;
    RankRunReport sent;
    FailureOr<SmallVector<Tensor>> got =
        interpretSharded(*module, "main", *inputs, {}, &sent);
    EXPECT_TRUE(succeeded(got)) << messages << planned;
    if (failed(got))
      return -1;
    bool isSame = true;
    for (auto [a, b] : llvm::zip_equal(*wanted, *got))
      isSame &= llvm::cantFail(compare(a, b)).allBitEqual();
    EXPECT_TRUE(isSame) << planned;
    uint64_t total = 0;
    for (int64_t rank = 0; rank != options.grid.getNumRanks(); ++rank) {
      isSame &= static_cast<uint64_t>(sent.bytesSent[rank]) ==
                    program.sentByRank[rank] &&
                static_cast<uint64_t>(sent.messagesSent[rank]) ==
                    program.messagesByRank[rank];
      EXPECT_EQ(sent.bytesSent[rank], program.sentByRank[rank])
          << "rank " << rank;
      EXPECT_EQ(sent.messagesSent[rank], program.messagesByRank[rank])
          << "rank " << rank;
      total += program.sentByRank[rank];
    }
    EXPECT_EQ(total, program.bytesSent);
    if (!isSame)
      ADD_FAILURE() << planned;
    return isSame ? static_cast<int64_t>(total) : -1;
  }
};

} // namespace

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
        check(maker.print(1 + seed % 7, attributes), options, seed);
    if (sent < 0)
      ADD_FAILURE() << "seed " << seed;
    bytes += sent;
  }
  // A law on programs that send nothing would say little.
  if (!from)
    EXPECT_GT(bytes, 30000);
}

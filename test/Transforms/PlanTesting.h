//===- PlanTesting.h - A planned function, and its ranks --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_TRANSFORMS_PLANTESTING_H
#define TENSORACCESS_TEST_TRANSFORMS_PLANTESTING_H

#include "../Interpreter/Run.h"
#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Sharding/Sharding.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tensoraccess {

/// Plans @main, cuts it, runs it on one and on all ranks, and compares.
class PlanTest : public RunTest {
protected:
  PlanTest() {
    DialectRegistry registry;
    func::registerInlinerExtension(registry);
    registerIndexingModels(registry);
    context.appendDialectRegistry(registry);
  }

  /// @main of a model of the tests, calls inlined.
  func::FuncOp load(StringRef name) {
    messages.clear();
    module = parseSourceFile<ModuleOp>(
        (TENSORACCESS_MODELS "/" + name + ".mlir").str(), &context);
    EXPECT_TRUE(module) << messages;
    if (!module)
      return {};
    PassManager passes(&context);
    passes.addPass(createInlinerPass());
    EXPECT_TRUE(succeeded(passes.run(*module))) << messages;
    return module->lookupSymbol<func::FuncOp>("main");
  }

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

  func::FuncOp parse(const std::string &text) {
    messages.clear();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages << text;
    return module ? module->lookupSymbol<func::FuncOp>("main") : func::FuncOp();
  }

  /// Replaces @main by its planned ranks' programs. They must send what the
  /// plan says: by rank, bytes; messages in all.
  FailureOr<ShardPlan> cut(func::FuncOp main, const PlanOptions &options) {
    FailureOr<ShardPlan> plan = planShards(main, options);
    EXPECT_TRUE(succeeded(plan)) << messages;
    if (failed(plan))
      return failure();
    EXPECT_TRUE(succeeded(verifyCover(main, plan->program)));
    writeShardDecisions(main, plan->program);
    planned.clear();
    llvm::raw_string_ostream(planned) << *module;
    FailureOr<ShardReport> report = shardFunction(main);
    EXPECT_TRUE(succeeded(report)) << messages << shown();
    if (failed(report) || failed(mlir::verify(*module)))
      return failure();
    EXPECT_EQ(static_cast<uint64_t>(report->messages), plan->program.messages);
    uint64_t total = 0;
    for (int64_t rank = 0; rank != options.grid.getNumRanks(); ++rank) {
      FailureOr<FunctionOpInterface> program =
          findProgram(*module, "main", rank);
      EXPECT_TRUE(succeeded(program)) << messages;
      if (failed(program))
        return failure();
      const uint64_t sent = countSentBytes(*program, rank).value_or(-1);
      EXPECT_EQ(sent, plan->program.sentByRank[rank])
          << "rank " << rank << shown();
      total += sent;
    }
    EXPECT_EQ(total, plan->program.bytesSent);
    return plan;
  }

  /// Cuts, runs and compares: bits, or numbers up to a share of the largest.
  /// The plan's bytes; -1 where something is wrong.
  int64_t check(func::FuncOp main, const PlanOptions &options, uint64_t seed,
                double tolerance = 0) {
    if (!main)
      return -1;
    FailureOr<SmallVector<Tensor>> inputs = randomInputs(main, seed);
    FailureOr<SmallVector<Tensor>> wanted = interpret(main, *inputs);
    EXPECT_TRUE(succeeded(wanted)) << messages;
    FailureOr<ShardPlan> plan = cut(main, options);
    if (failed(wanted) || failed(plan))
      return -1;
    RankRunReport sent;
    FailureOr<SmallVector<Tensor>> got =
        interpretSharded(*module, "main", *inputs, {}, &sent);
    EXPECT_TRUE(succeeded(got)) << messages << shown();
    if (failed(got))
      return -1;
    bool isSame = true;
    for (auto [a, b] : llvm::zip_equal(*wanted, *got)) {
      Comparison same = llvm::cantFail(compare(a, b));
      if (tolerance == 0) {
        isSame &= same.allBitEqual();
        continue;
      }
      double scale = 0;
      Tensor flat = llvm::cantFail(a.reshape({a.getNumElements()}));
      for (int64_t i = 0; i < flat.getDim(0); ++i)
        scale = std::max(scale, std::abs(flat.getDouble({i})));
      isSame &= same.maxAbs <= tolerance * scale && same.nanMismatches == 0;
    }
    EXPECT_TRUE(isSame) << shown();
    for (int64_t rank = 0; rank != options.grid.getNumRanks(); ++rank) {
      EXPECT_EQ(sent.bytesSent[rank], plan->program.sentByRank[rank])
          << "rank " << rank << shown();
      EXPECT_EQ(sent.messagesSent[rank], plan->program.messagesByRank[rank])
          << "rank " << rank;
    }
    return isSame && !HasFailure()
               ? static_cast<int64_t>(plan->program.bytesSent)
               : -1;
  }

  /// The planned function, if it is short.
  std::string shown() const {
    return planned.size() < 20000 ? "\n" + planned : "";
  }

  std::string planned;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_TRANSFORMS_PLANTESTING_H

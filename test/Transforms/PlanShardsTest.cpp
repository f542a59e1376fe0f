//===- PlanShardsTest.cpp - Plans against all plans -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small random programs of products, sums, pads and elementwise ops. The truth
// is every combination of cuts, each weighed as a whole program, and every
// exchange written out message by message.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Sharding/Sharding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A chain of values with joins, printed as it goes.
class RandomProgram {
public:
  explicit RandomProgram(uint64_t seed) : random(seed) {}

  std::string print(unsigned steps) {
    body = "  %zero = arith.constant 0.0 : f32\n";
    const int64_t rows = extent(), cols = extent();
    arguments = "%a0: " + type(rows, cols);
    // The first product is of arguments alone, and large enough to count.
    values.push_back(matmul("%a0", rows, cols));
    for (unsigned i = 0; i != steps; ++i) {
      const Value &some = values[random() % values.size()];
      switch (random() % 4) {
      case 0:
        values.push_back(matmul(some.name, some.rows, some.cols));
        break;
      case 1:
        values.push_back(relu(some));
        break;
      case 2:
        values.push_back(transpose(some));
        break;
      default:
        values.push_back(windows(some));
        break;
      }
    }
    const Value &last = values.back();
    return "func.func @main(" + arguments + ") -> " +
           type(last.rows, last.cols) + " {\n" + body + "  return " +
           last.name + " : " + type(last.rows, last.cols) + "\n}\n";
  }

private:
  struct Value {
    std::string name;
    int64_t rows, cols;
  };
  int64_t extent() { return 2 + static_cast<int64_t>(random() % 9); }
  static std::string type(int64_t rows, int64_t cols) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(cols) +
           "xf32>";
  }
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string empty(int64_t rows, int64_t cols, bool isFilled) {
    std::string name = fresh();
    body += "  " + name + " = tensor.empty() : " + type(rows, cols) + "\n";
    if (!isFilled)
      return name;
    std::string filled = fresh();
    body += "  " + filled + " = linalg.fill ins(%zero : f32) outs(" + name +
            " : " + type(rows, cols) + ") -> " + type(rows, cols) + "\n";
    return filled;
  }
  Value matmul(const std::string &left, int64_t rows, int64_t inner) {
    const int64_t cols = extent();
    std::string weights = "%a" + std::to_string(++numArguments);
    arguments += ", " + weights + ": " + type(inner, cols);
    std::string out = empty(rows, cols, true), name = fresh();
    body += "  " + name + " = linalg.matmul ins(" + left + ", " + weights +
            " : " + type(rows, inner) + ", " + type(inner, cols) + ") outs(" +
            out + " : " + type(rows, cols) + ") -> " + type(rows, cols) + "\n";
    return {name, rows, cols};
  }
  Value relu(const Value &some) {
    std::string out = empty(some.rows, some.cols, false), name = fresh();
    std::string t = type(some.rows, some.cols);
    body += "  " + name + " = linalg.exp ins(" + some.name + " : " + t +
            ") outs(" + out + " : " + t + ") -> " + t + "\n";
    return {name, some.rows, some.cols};
  }
  Value transpose(const Value &some) {
    std::string out = empty(some.cols, some.rows, false), name = fresh();
    body += "  " + name + " = linalg.transpose ins(" + some.name + " : " +
            type(some.rows, some.cols) + ") outs(" + out + " : " +
            type(some.cols, some.rows) + ") permutation = [1, 0]\n";
    return {name, some.cols, some.rows};
  }
  /// A pad by one, and a convolution of each column by three: halos.
  Value windows(const Value &some) {
    std::string padded = fresh(), name = fresh();
    body += "  " + padded + " = tensor.pad " + some.name +
            " low[1, 0] high[1, 0] {\n  ^bb0(%i: index, %j: index):\n    "
            "tensor.yield %zero : f32\n  } : " +
            type(some.rows, some.cols) + " to " +
            type(some.rows + 2, some.cols) + "\n";
    std::string weights = "%a" + std::to_string(++numArguments);
    arguments += ", " + weights + ": tensor<3xf32>";
    std::string out = empty(some.rows, some.cols, true);
    body += "  " + name +
            " = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + "
            "k, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, "
            "j)>], iterator_types = [\"parallel\", \"parallel\", "
            "\"reduction\"]} ins(" +
            padded + ", " + weights + " : " + type(some.rows + 2, some.cols) +
            ", tensor<3xf32>) outs(" + out + " : " +
            type(some.rows, some.cols) +
            ") {\n  ^bb0(%x: f32, %w: f32, %s: f32):\n    %p = arith.mulf %x, "
            "%w : f32\n    %t = arith.addf %s, %p : f32\n    linalg.yield %t : "
            "f32\n  } -> " +
            type(some.rows, some.cols) + "\n";
    return {name, some.rows, some.cols};
  }

  std::mt19937_64 random;
  std::string arguments, body;
  std::vector<Value> values;
  unsigned next = 0, numArguments = 0;
};

class PlanShards : public testing::Test {
protected:
  PlanShards() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, tensor::TensorDialect>();
  }
  FunctionOpInterface parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
    return *module->getOps<func::FuncOp>().begin();
  }
  static PlanOptions getOptions(StringRef grid) {
    PlanOptions options;
    ParseError error;
    options.grid = *Grid::parse(grid, error);
    // Work counts little, so that what is sent decides.
    options.model = *CostModel::parse(
        "machine m op *: start = 1.0e-6, point = 1.0e-8, byte = 1.0e-9 network "
        "torus 1: latency = 1.0e-7, bandwidth = 1.0e+9, overhead = 2.0e-7",
        error);
    options.maxCandidates = 1000;
    return options;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// Modelled bytes are those of the messages, written out; every distributed
/// tensor is covered exactly; sums and maxima fit together.
TEST_F(PlanShards, BytesAreThoseOfTheMessages) {
  for (uint64_t seed = 0; seed != 25; ++seed) {
    FunctionOpInterface function =
        parse(RandomProgram(seed).print(2 + seed % 5));
    PlanOptions options = getOptions(seed % 2 ? "x=2,y=3" : "4");
    FailureOr<ShardPlan> plan = planShards(function, options);
    ASSERT_TRUE(succeeded(plan));
    EXPECT_TRUE(succeeded(verifyCover(function, plan->program)));
    uint64_t bytes = 0, messages = 0;
    for (const ShardExchange &exchange : plan->program.exchanges) {
      RankBoxes needed;
      for (int64_t r = 0; r != options.grid.getNumRanks(); ++r)
        needed.push_back({exchange.needed.getBox(options.grid, r)});
      std::string error;
      std::optional<Exchange> listed = getExchange(
          options.grid, exchange.from, exchange.shape, needed, error);
      ASSERT_TRUE(listed) << error;
      ExchangeTraffic traffic = *getTraffic(*listed, options.grid.getNumRanks(),
                                            exchange.elementBytes);
      EXPECT_EQ(traffic.total, exchange.cost.bytes);
      bytes += traffic.total;
      messages += traffic.messages;
    }
    EXPECT_EQ(plan->program.bytesSent, bytes);
    EXPECT_EQ(plan->program.messages, messages);
  }
}

/// The plan takes the least time of all combinations of cuts of the ops that
/// are cut, each weighed as a whole; and the integer program finds it, too.
TEST_F(PlanShards, IsTheBestOfAll) {
  int compared = 0;
  for (uint64_t seed = 0; seed != 40; ++seed) {
    FunctionOpInterface function =
        parse(RandomProgram(100 + seed).print(seed % 4));
    PlanOptions options = getOptions("x=2");
    FailureOr<ShardPlan> plan = planShards(function, options);
    ASSERT_TRUE(succeeded(plan));
    EXPECT_EQ(plan->method, "dp");
    EXPECT_TRUE(plan->isOptimal);
    EXPECT_NEAR(plan->bound, plan->program.seconds,
                1e-9 * plan->program.seconds);
    // All cuts of every op that is not run where it is needed; elementwise ops
    // are free here to be cut otherwise than what they follow.
    std::vector<std::pair<Operation *, std::vector<ShardDecision>>> ways;
    double combinations = 1;
    for (const auto &[op, sharded] : plan->program.ops) {
      if (sharded.decision.isNeeded)
        continue;
      auto &cuts = ways.emplace_back(op, std::vector<ShardDecision>()).second;
      const BlockOp &block = sharded.block;
      for (unsigned d = 0; d != block.extents.size() + 1; ++d) {
        ShardDecision decision;
        decision.cut = Distribution::replicated(block.extents.size());
        if (d == block.extents.size()) {
          cuts.push_back(decision);
          continue;
        }
        if (block.extents[d] < 2)
          continue;
        decision.cut.dims[d].push_back(0);
        if (!block.isReduction[d]) {
          cuts.push_back(decision);
          continue;
        }
        // Of sums, the planner weighs the longest dimension to scatter over.
        const auto &shape = block.results[0]->shape;
        const size_t longest = llvm::max_element(shape) - shape.begin();
        decision.reduced = getScattered(
            getResultDistribution(block, 0, decision.cut), longest);
        cuts.push_back(decision);
      }
      combinations *= static_cast<double>(cuts.size());
    }
    if (combinations > 3000)
      continue;
    ++compared;
    double least = 1e30;
    std::vector<size_t> choice(ways.size(), 0);
    for (;;) {
      ShardDecisions decisions;
      for (const auto &[op, sharded] : plan->program.ops)
        if (sharded.decision.isNeeded)
          decisions[op].isNeeded = true;
      for (auto [i, way] : llvm::enumerate(ways))
        decisions[way.first] = way.second[choice[i]];
      FailureOr<ShardedProgram> program =
          getShardedProgram(function, options.grid, decisions, options.model);
      ASSERT_TRUE(succeeded(program));
      least = std::min(least, program->seconds);
      size_t v = choice.size();
      while (v != 0 && ++choice[v - 1] == ways[v - 1].second.size())
        choice[--v] = 0;
      if (v == 0)
        break;
    }
    EXPECT_NEAR(plan->program.seconds, least, 1e-9 * least) << "seed " << seed;
    options.method = PlanMethod::IntegerProgram;
    FailureOr<ShardPlan> other = planShards(function, options);
    if (failed(other))
      continue; // built without a solver
    EXPECT_EQ(other->method, "ilp");
    if (other->isOptimal)
      EXPECT_NEAR(other->program.seconds, least, 1e-6 * least);
  }
  EXPECT_GT(compared, 15);
}

/// A plan never needs more memory than it may; and where none is found, the
/// error says what the least needs.
TEST_F(PlanShards, KeepsTheMemoryLimit) {
  int kept = 0;
  for (uint64_t seed = 0; seed != 20; ++seed) {
    FunctionOpInterface function = parse(RandomProgram(200 + seed).print(4));
    PlanOptions options = getOptions("x=2,y=2");
    FailureOr<ShardPlan> plan = planShards(function, options);
    ASSERT_TRUE(succeeded(plan));
    options.memoryLimit = plan->program.memoryPerRank;
    FailureOr<ShardPlan> same = planShards(function, options);
    ASSERT_TRUE(succeeded(same));
    EXPECT_EQ(same->program.seconds, plan->program.seconds);
    options.memoryLimit = plan->program.memoryPerRank * 5 / 6;
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    FailureOr<ShardPlan> tight = planShards(function, options);
    if (succeeded(tight)) {
      ++kept;
      EXPECT_LE(tight->program.memoryPerRank, *options.memoryLimit);
      EXPECT_GE(tight->program.seconds, plan->program.seconds * (1 - 1e-9));
    } else {
      EXPECT_NE(message.find("no plan was found that needs at most"),
                std::string::npos)
          << message;
    }
  }
  EXPECT_GT(kept, 3);
}

/// What attributes say reads back as what was decided, and stays.
TEST_F(PlanShards, AttributesReadBack) {
  for (uint64_t seed = 0; seed != 10; ++seed) {
    FunctionOpInterface function = parse(RandomProgram(300 + seed).print(4));
    PlanOptions options = getOptions("x=2,y=2");
    FailureOr<ShardPlan> plan = planShards(function, options);
    ASSERT_TRUE(succeeded(plan));
    writeShardDecisions(function, plan->program);
    FailureOr<Grid> grid = readGrid(function);
    ASSERT_TRUE(succeeded(grid));
    EXPECT_EQ(*grid, options.grid);
    FailureOr<ShardDecisions> read = readShardDecisions(function, *grid);
    ASSERT_TRUE(succeeded(read));
    FailureOr<ShardedProgram> program =
        getShardedProgram(function, *grid, *read, options.model);
    ASSERT_TRUE(succeeded(program));
    EXPECT_EQ(program->seconds, plan->program.seconds);
    EXPECT_EQ(program->bytesSent, plan->program.bytesSent);
    // Planning again changes nothing.
    FailureOr<ShardPlan> again = planShards(function, options);
    ASSERT_TRUE(succeeded(again));
    EXPECT_NEAR(again->program.seconds, plan->program.seconds, 1e-15);
  }
}

//===- TermCostsTest.cpp - What terms cost, and invalid costs -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cycles worked out by hand; costs of a user's own, which may be nonsense: the
// program that comes out computes the same; and graphs that are kept:
// extracting leaves the block as it was, by no cost a cyclic program comes out,
// and nothing is below the bound (every choice of random graphs).
//
//===----------------------------------------------------------------------===//

#include "../EGraph/TermTesting.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

Target parseTarget(StringRef text) {
  ParseError error;
  std::optional<Target> target = Target::parse(text, error);
  EXPECT_TRUE(target) << error.message;
  return target ? *target : Target();
}

struct TermCosts : TermFixture {
  TermCosts() {
    context.loadDialect<linalg::LinalgDialect, TensorAccessDialect>();
  }

  /// The cost of the only op of that name in a block that is read as it is.
  double getCost(StringRef text, StringRef op, const TermCost &cost,
                 bool hasTheory = false) {
    TermSaturationOptions options;
    if (hasTheory)
      addAccessRules(options);
    options.makeRules = nullptr;
    auto kept = KeptTermGraph::make(parse(text), options);
    EXPECT_TRUE(succeeded(kept) && *kept);
    TermGraph &graph = (*kept)->getGraph();
    const ExtractionGraph &nodes = (*kept)->getNodes();
    for (uint32_t i = 0; i != nodes.getNumNodes(); ++i) {
      const NodeId node = nodes.getTableNode(i);
      if (graph.describeSymbol(graph.getTable().getSymbol(node)) == op)
        return cost(graph, node);
    }
    ADD_FAILURE() << "no " << op.str();
    return kNaN;
  }

  /// What saturateTerms returns for a function by a cost, and what it reports.
  std::string saturate(StringRef text, TermCost cost,
                       TermSaturationReport *report = nullptr,
                       ExtractionMethod method = ExtractionMethod::Dag,
                       double seconds = 30) {
    messages.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (!messages.empty())
        messages += "; ";
      messages += diagnostic.str();
    });
    auto function = cast<FunctionOpInterface>(parse(text).getParentOp());
    FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"arith"});
    TermSaturationOptions options;
    options.rules = *rules;
    options.extraction.cost = std::move(cost);
    options.extraction.method = method;
    options.saturation.limits.seconds = seconds;
    FailureOr<TermSaturationReport> done = saturateTerms(function, options);
    EXPECT_TRUE(succeeded(done)) << messages;
    EXPECT_TRUE(succeeded(verify(function)));
    if (report && succeeded(done))
      *report = *done;
    std::string names;
    for (Operation &op : function.getFunctionBody().front())
      names += (names.empty() ? "" : " ") + op.getName().stripDialect().str();
    return names;
  }

  /// A cost by name of the op; others cost 1.
  static TermCost makeCost(std::map<std::string, double> costs) {
    return [costs](const TermGraph &graph, NodeId node) {
      auto it =
          costs.find(graph.describeSymbol(graph.getTable().getSymbol(node)));
      return it == costs.end() ? 1.0 : it->second;
    };
  }

  std::string messages;
};

/// `x_i + x_0` for i < count, all added up: rules find many terms.
static std::string makeSum(unsigned count) {
  std::string text = "func.func @sum(%a0: i32";
  for (unsigned i = 1; i != count; ++i)
    text += ", %a" + std::to_string(i) + ": i32";
  text += ") -> i32 {\n";
  for (unsigned i = 1; i != count; ++i)
    text += "  %s" + std::to_string(i) + " = arith.addi " +
            (i == 1 ? "%a0" : "%s" + std::to_string(i - 1)) + ", %a" +
            std::to_string(i) + " : i32\n";
  return text + "  return %s" + std::to_string(count - 1) + " : i32\n}";
}

constexpr StringLiteral kFactor = R"mlir(
  func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
    %0 = arith.muli %a, %b : i32
    %1 = arith.muli %c, %a : i32
    %2 = arith.addi %0, %1 : i32
    return %2 : i32
  })mlir";

// The ten lines of the header.
double countProducts(const TermGraph &graph, NodeId node) {
  SymbolId symbol = graph.getTable().getSymbol(node);
  return graph.isOperation(symbol) &&
         graph.getName(symbol).getStringRef() == "arith.muli";
}

TEST_F(TermCosts, ThatTakeLongEndInTime) {
  // Thousands of nodes, each of which takes two milliseconds to cost.
  unsigned costed = 0;
  TermCost slow = [&](const TermGraph &, NodeId) {
    ++costed;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return 1.0;
  };
  TermSaturationReport report;
  const std::string names =
      saturate(makeSum(12), slow, &report, ExtractionMethod::Dag, 0.5);
  EXPECT_GT(report.statistics.nodes, 2000u);
  EXPECT_LT(costed, 500u);
  // What it has is the program, of which nothing is known.
  EXPECT_EQ(report.costAfter, 11);
  EXPECT_EQ(report.lowerBound, 0);
  EXPECT_FALSE(report.isOptimal);
  EXPECT_EQ(StringRef(names).count("addi"), 11u);
}

TEST_F(TermCosts, ACostOfOnesOwnHasAName) {
  EXPECT_FALSE(findTermCost("products", Target()));
  EXPECT_EQ(describeUnknownCost("products"),
            "unknown cost 'products'; known are bytes, cycles, flops, "
            "node-count");
  auto make = [](const Target &) { return TermCost(countProducts); };
  EXPECT_TRUE(registerTermCost("products", "products of integers", make));
  EXPECT_FALSE(registerTermCost("products", "another", make));
  EXPECT_FALSE(registerTermCost("flops", "another", make));
  EXPECT_FALSE(registerTermCost("", "no name", make));
  EXPECT_FALSE(registerTermCost("nothing", "no factory", nullptr));
  std::string names;
  for (const TermCostInfo &info : getTermCosts())
    names += info.name + ": " + info.summary + "\n";
  EXPECT_EQ(names, "bytes: bytes that are read and written\n"
                   "cycles: cycles of the target, its arrays and its memory\n"
                   "flops: steps of arithmetic\n"
                   "node-count: the number of ops\n"
                   "products: products of integers\n");
  TermSaturationReport report;
  EXPECT_EQ(saturate(kFactor, findTermCost("products", Target()), &report),
            "addi muli return");
  EXPECT_EQ(report.costBefore, 2);
  EXPECT_EQ(report.costAfter, 1);
  EXPECT_EQ(report.lowerBound, 1);
  EXPECT_TRUE(report.isOptimal);
}

constexpr StringLiteral kArray = R"mlir(
  func.func @f(%x: !tensoraccess.access<42 | 27xf32>, %w: !tensoraccess.access<| 27x5xf32>)
      -> !tensoraccess.access<42x5 | f32> {
    %0 = tensoraccess.systolic_array %x, %w rows = 16 cols = 16 blocked
       : !tensoraccess.access<42 | 27xf32>, !tensoraccess.access<| 27x5xf32>
      -> !tensoraccess.access<42x5 | f32>
    return %0 : !tensoraccess.access<42x5 | f32>
  })mlir";

// Two blocks of K: two passes of 16 to load, 42 to stream, 15 to fill and 15 to
// drain are 176. 1134 + 135 + 210 elements of 4 bytes are 5916 bytes.
TEST_F(TermCosts, CyclesOfAnArray) {
  auto cycles = [&](StringRef target) {
    return getCost(kArray, "tensoraccess.systolic_array",
                   findTermCost("cycles", parseTarget(target)));
  };
  EXPECT_EQ(cycles("a, bytes_per_cycle = 64, matrix_units = [16x16 in 46]"),
            176);
  // As slow as memory: 4 bytes a cycle, or 8.
  EXPECT_EQ(cycles("a, matrix_units = [16x16 in 46]"), 5916 / 4);
  EXPECT_EQ(cycles("a, memory_cost = 4, matrix_units = [16x16 in 46]"),
            5916 / 8.0);
  // The second load is hidden.
  EXPECT_EQ(cycles("a, bytes_per_cycle = 64, matrix_units = [16x16 in 46 "
                   "double_buffered]"),
            160);
  // Sums of 20 items: three pieces of the stream, six passes.
  EXPECT_EQ(cycles("a, bytes_per_cycle = 64, matrix_units = [16x16 in 46 "
                   "accumulators 20]"),
            2 * 42 + 6 * (16 + 15 + 15));
  EXPECT_EQ(cycles("a, bytes_per_cycle = 64, matrix_units = [16x16 in 92]"),
            2 * 176);
  // Several units: that of the op.
  EXPECT_EQ(cycles("a, bytes_per_cycle = 64, matrix_units = [8x8 in 22, 16x16 "
                   "in 46]"),
            176);
  // No such unit: 42 · 5 · 27 steps of the host, 8 a cycle.
  EXPECT_EQ(cycles("a, bytes_per_cycle = 64, matrix_units = [8x8 in 22]"),
            42 * 5 * 27 / 8.0);
  EXPECT_EQ(getCost(kArray, "tensoraccess.systolic_array",
                    findTermCost("flops", Target())),
            42 * 5 * 27 + 5916 * 0x1p-20);
}

// im2col: windows of 3x3 over 3x8x9 are 42 x 27 elements of 216.
TEST_F(TermCosts, ViewsThatAreNoMatrixAreCopied) {
  constexpr StringLiteral kConv = R"mlir(
    func.func @f(%x: tensor<3x8x9xf32>, %w: !tensoraccess.access<| 27x5xf32>)
        -> !tensoraccess.access<42x5 | f32> {
      %0 = tensoraccess.access %x at 0 : tensor<3x8x9xf32> -> !tensoraccess.access<| 3x8x9xf32>
      %1 = tensoraccess.windows %0 shape = [3, 3, 3] strides = [1, 1, 1]
         : !tensoraccess.access<| 3x8x9xf32> -> !tensoraccess.access<1x6x7 | 3x3x3xf32>
      %2 = tensoraccess.flatten %1
         : !tensoraccess.access<1x6x7 | 3x3x3xf32> -> !tensoraccess.access<42 | 27xf32>
      %3 = tensoraccess.systolic_array %2, %w rows = 16 cols = 16 blocked
         : !tensoraccess.access<42 | 27xf32>, !tensoraccess.access<| 27x5xf32>
        -> !tensoraccess.access<42x5 | f32>
      return %3 : !tensoraccess.access<42x5 | f32>
    })mlir";
  TermCost cost = findTermCost(
      "cycles",
      parseTarget("a, bytes_per_cycle = 64, matrix_units = [16x16 in 46]"));
  EXPECT_EQ(getCost(kConv, "tensoraccess.systolic_array", cost, true),
            176 + (42 * 27 - 216) * 4 / 64.0);
  // Nothing is known of views without their theory.
  EXPECT_EQ(getCost(kConv, "tensoraccess.systolic_array", cost), 176);
  EXPECT_EQ(getCost(kConv, "tensoraccess.windows", cost), 0x1p-10);
  EXPECT_EQ(getCost(kConv, "tensoraccess.flatten", cost), 0x1p-10);
}

TEST_F(TermCosts, CyclesOfTheHost) {
  TermCost cost = findTermCost("cycles", *Target::lookup("generic"));
  // 40 elements, 8 in a cycle; but 480 bytes, 4 in a cycle.
  constexpr StringLiteral kAdd = R"mlir(
    func.func @f(%a: tensor<40xf32>) -> tensor<40xf32> {
      %0 = arith.addf %a, %a : tensor<40xf32>
      return %0 : tensor<40xf32>
    })mlir";
  EXPECT_EQ(getCost(kAdd, "arith.addf", cost), 120);
  EXPECT_EQ(getCost(kAdd, "arith.addf",
                    findTermCost("cycles", parseTarget("a, bytes_per_cycle = "
                                                       "960"))),
            5);
  EXPECT_EQ(getCost(kFactor, "arith.addi", cost), 1);
  // A pattern comes out of a cache, 32 bytes in a cycle; a copy does not.
  constexpr StringLiteral kSum = R"mlir(
    func.func @f(%a: !tensoraccess.access<4 | 8xf32>) -> (!tensoraccess.access<4 | f32>, !tensoraccess.access<4 | 8xf32>) {
      %0 = tensoraccess.compute reduce_sum %a
         : !tensoraccess.access<4 | 8xf32> -> !tensoraccess.access<4 | f32>
      %1 = tensoraccess.materialize %a
         : !tensoraccess.access<4 | 8xf32> -> !tensoraccess.access<4 | 8xf32>
      return %0, %1 : !tensoraccess.access<4 | f32>, !tensoraccess.access<4 | 8xf32>
    })mlir";
  EXPECT_EQ(getCost(kSum, "tensoraccess.compute", cost), 4 + 4);
  EXPECT_EQ(getCost(kSum, "tensoraccess.materialize", cost), 2 * 128 / 4);
}

//===----------------------------------------------------------------------===//
// Invalid costs
//===----------------------------------------------------------------------===//

TEST_F(TermCosts, NotANumber) {
  TermSaturationReport report;
  // Factored, there is still an addition: nothing is gained.
  EXPECT_EQ(saturate(kFactor, makeCost({{"arith.addi", kNaN}}), &report),
            "muli muli addi return");
  EXPECT_NE(messages.find("the cost of 'arith.addi' must be a number, got nan"),
            std::string::npos)
      << messages;
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].op, "arith.addi");
  EXPECT_TRUE(std::isnan(report.faults[0].cost));
  EXPECT_FALSE(report.isOptimal);
  // Where there is another term, that is chosen.
  constexpr StringLiteral kZero = R"mlir(
    func.func @f(%a: i32, %b: i32) -> i32 {
      %0 = arith.addi %a, %b : i32
      %1 = arith.subi %0, %b : i32
      return %1 : i32
    })mlir";
  EXPECT_EQ(saturate(kZero, makeCost({{"arith.subi", kNaN}}), &report),
            "return");
  EXPECT_EQ(report.costBefore, kInfinity);
  EXPECT_EQ(report.costAfter, 0);
}

TEST_F(TermCosts, Negative) {
  TermSaturationReport report;
  EXPECT_EQ(saturate(kFactor, makeCost({{"arith.addi", -2}}), &report),
            "addi muli return");
  EXPECT_EQ(report.costBefore, 2);
  EXPECT_EQ(report.costAfter, 1);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_GT(report.faults[0].count, 1u);
  EXPECT_EQ(
      TermCostFault({"arith.addi", CostFault::Kind::Negative, -2, 1}).str(),
      "the cost of 'arith.addi' must not be negative, got -2");
  EXPECT_EQ(
      TermCostFault({"arith.addi", CostFault::Kind::Negative, -2, 2}).str(),
      "the cost of 'arith.addi' must not be negative, got -2 (and so of 1 "
      "other term)");
  saturate(kFactor, makeCost({{"arith.muli", -kInfinity}}), &report);
  EXPECT_NE(messages.find("must not be negative, got -inf"), std::string::npos)
      << messages;
}

TEST_F(TermCosts, InfiniteIsNever) {
  TermSaturationReport report;
  // No fault; but there is nothing else.
  EXPECT_EQ(saturate(kFactor, makeCost({{"arith.addi", kInfinity}}), &report),
            "muli muli addi return");
  EXPECT_EQ(messages, "'arith.addi' and all that equals it have an infinite "
                      "cost, so that nothing is replaced");
  EXPECT_TRUE(report.faults.empty());
  EXPECT_EQ(report.replaced, 0);
  EXPECT_EQ(report.lowerBound, 0);
  for (auto method : {ExtractionMethod::Tree, ExtractionMethod::Exact})
    EXPECT_EQ(saturate(kFactor, makeCost({{"arith.addi", kInfinity}}), &report,
                       method),
              "muli muli addi return");
}

TEST_F(TermCosts, TooLargeToBeAddedUp) {
  TermSaturationReport report;
  EXPECT_EQ(saturate(kFactor, makeCost({{"arith.muli", 1e308}}), &report),
            "addi muli return");
  EXPECT_NE(messages.find("the cost of 'arith.muli' is too large to be added "
                          "up, got 1e+308"),
            std::string::npos)
      << messages;
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].kind, CostFault::Kind::TooLarge);
}

// Whatever the costs are, what comes out computes the same.
TEST_F(TermCosts, NonsenseLosesNothing) {
  std::mt19937 random(7);
  const double values[] = {kNaN, -1, -kInfinity, kInfinity, 1e308, 0, 1, 2};
  for (int round = 0; round != 200; ++round) {
    std::map<std::string, double> costs;
    for (const char *op :
         {"arith.addi", "arith.muli", "arith.subi", "arith.constant"})
      costs[op] = values[random() % 8];
    TermSaturationReport report;
    const auto method = ExtractionMethod(random() % 2);
    std::string names = saturate(R"mlir(
      func.func @f(%a: i32, %b: i32, %c: i32) -> (i32, i32) {
        %0 = arith.muli %a, %b : i32
        %1 = arith.muli %c, %a : i32
        %2 = arith.addi %0, %1 : i32
        %3 = arith.subi %2, %1 : i32
        return %2, %3 : i32, i32
      })mlir",
                                 makeCost(costs), &report, method);
    auto function =
        cast<func::FuncOp>(*modules.back()->getOps<func::FuncOp>().begin());
    // By arithmetic modulo 2^32.
    for (int point = 0; point != 4; ++point) {
      llvm::DenseMap<Value, uint32_t> values;
      for (Value argument : function.getArguments())
        values[argument] = random();
      const uint32_t a = values[function.getArgument(0)],
                     b = values[function.getArgument(1)],
                     c = values[function.getArgument(2)];
      for (Operation &op : function.front().without_terminator()) {
        StringRef name = op.getName().stripDialect();
        uint32_t x = 0, y = 0;
        if (op.getNumOperands() == 2) {
          x = values[op.getOperand(0)];
          y = values[op.getOperand(1)];
        }
        if (name == "constant")
          x = cast<IntegerAttr>(op.getAttr("value")).getValue().getZExtValue();
        values[op.getResult(0)] = name == "addi"   ? x + y
                                  : name == "subi" ? x - y
                                  : name == "muli" ? x * y
                                                   : x;
      }
      Operation *end = function.front().getTerminator();
      EXPECT_EQ(values[end->getOperand(0)], a * b + c * a) << names;
      EXPECT_EQ(values[end->getOperand(1)], a * b) << names;
    }
  }
}

//===----------------------------------------------------------------------===//
// Extraction
//===----------------------------------------------------------------------===//

TEST_F(TermCosts, WhatIsWrongWithAnExtraction) {
  EXPECT_EQ(verify(TermExtractionOptions()), std::nullopt);
  EXPECT_EQ(verify({nullptr, ExtractionMethod::Dag, 1}),
            "there is no cost to extract by");
  EXPECT_EQ(verify({countNode, ExtractionMethod::Dag, -1}),
            "the seconds of an extraction must not be negative, got -1");
  EXPECT_EQ(verify({countNode, ExtractionMethod::Dag, kNaN}),
            "the seconds of an extraction must not be negative, got nan");
  EXPECT_EQ(verify({countNode, ExtractionMethod::Exact, 0}), std::nullopt);
  EXPECT_EQ(parseExtractionMethod("tree"), ExtractionMethod::Tree);
  EXPECT_EQ(parseExtractionMethod("dag"), ExtractionMethod::Dag);
  EXPECT_EQ(parseExtractionMethod("exact"), ExtractionMethod::Exact);
  EXPECT_EQ(parseExtractionMethod("greedy"), std::nullopt);
}

TEST_F(TermCosts, AKeptGraphIsExtractedFromAgain) {
  Block &block = parse(kFactor);
  Operation *module = *modules.back();
  std::string before;
  llvm::raw_string_ostream(before) << *module;
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"arith"});
  TermSaturationOptions options;
  options.rules = *rules;
  auto kept = KeptTermGraph::make(block, options);
  ASSERT_TRUE(succeeded(kept) && *kept);
  EXPECT_EQ((*kept)->getStatistics().reason, StopReason::Saturated);
  EXPECT_EQ((*kept)->getRoots().size(), 1u);
  std::string problem;
  for (ExtractionMethod method : {ExtractionMethod::Tree, ExtractionMethod::Dag,
                                  ExtractionMethod::Exact}) {
    auto least = (*kept)->extract(module, {countNode, method, 10}, problem);
    ASSERT_TRUE(least) << problem;
    EXPECT_EQ(least->costBefore, 3);
    EXPECT_EQ(least->cost, 2);
    EXPECT_EQ(least->getGap(), 0);
    EXPECT_TRUE(least->isOptimal);
    EXPECT_TRUE(succeeded(verify(least->program.get())));
    unsigned count = 0;
    least->program->walk([&](Operation *op) {
      count += op->getName().getDialectNamespace() == "arith";
    });
    EXPECT_EQ(count, 2u);
    // Products are what is dear, or sums.
    auto other = (*kept)->extract(
        module, {makeCost({{"arith.addi", 9}}), method, 10}, problem);
    ASSERT_TRUE(other) << problem;
    EXPECT_EQ(other->cost, 10);
    std::string after;
    llvm::raw_string_ostream(after) << *module;
    EXPECT_EQ(after, before);
  }
  EXPECT_FALSE((*kept)->extract(
      module, {makeCost({{"arith.addi", kInfinity}}), ExtractionMethod::Dag, 1},
      problem));
  EXPECT_EQ(problem, "'arith.addi' and all that equals it have an infinite "
                     "cost");
  EXPECT_FALSE((*kept)->extract(module, {countNode, ExtractionMethod::Dag, -1},
                                problem));
  EXPECT_EQ(problem, "the seconds of an extraction must not be negative, got "
                     "-1");
}

// By any costs: no method is below the bound of another, exact is the least,
// and what comes out is a program.
TEST_F(TermCosts, BoundsHold) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"arith"});
  std::mt19937 random(3);
  for (int round = 0; round != 12; ++round) {
    std::string text = "func.func @f(%v0: i32, %v1: i32, %v2: i32) -> (i32, "
                       "i32) {\n";
    for (int i = 3; i != 8; ++i) {
      const char *ops[] = {"addi", "muli", "subi"};
      text += "%v" + std::to_string(i) + " = arith." + ops[random() % 3] +
              " %v" + std::to_string(random() % i) + ", %v" +
              std::to_string(random() % i) + " : i32\n";
    }
    text += "return %v6, %v7 : i32, i32 }";
    Block &block = parse(text);
    TermSaturationOptions options;
    options.rules = *rules;
    options.saturation.limits.nodes = 300;
    auto kept = KeptTermGraph::make(block, options);
    ASSERT_TRUE(succeeded(kept));
    if (!*kept)
      continue;
    std::vector<double> weights(1 << 16);
    for (double &weight : weights)
      weight = random() % 16;
    TermCost cost = [&](const TermGraph &, NodeId node) {
      return weights[node % weights.size()];
    };
    std::string problem;
    std::vector<TermExtraction> found;
    for (ExtractionMethod method :
         {ExtractionMethod::Tree, ExtractionMethod::Dag,
          ExtractionMethod::Exact})
      if (auto one =
              (*kept)->extract(*modules.back(), {cost, method, 2}, problem)) {
        EXPECT_TRUE(succeeded(verify(one->program.get()))) << text;
        EXPECT_LE(one->lowerBound, one->cost);
        found.push_back(std::move(*one));
      }
    ASSERT_EQ(found.size(), 3u) << problem;
    for (const TermExtraction &a : found)
      for (const TermExtraction &b : found) {
        EXPECT_LE(a.lowerBound, b.cost * (1 + 1e-6) + 1e-4) << text;
        if (a.isOptimal)
          EXPECT_LE(a.cost, b.cost * (1 + 1e-6) + 1e-4) << text;
      }
  }
}

} // namespace

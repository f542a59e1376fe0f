//===- RelayoutRulesTest.cpp - The rules of the set relayout --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of relayouts, transposes and elementwise ops are saturated;
// every node is run, and must be what its class is, bit for bit.
//
//===----------------------------------------------------------------------===//

#include "NodeRunner.h"

#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct RelayoutRules : public ::testing::Test {
  RelayoutRules() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, pdl::PDLDialect,
                        tensor::TensorDialect, TensorAccessDialect>();
  }
  MLIRContext context;
};

/// Values of 4x6 and 6x4 in a few layouts.
class RandomProgram {
public:
  explicit RandomProgram(std::mt19937 &generator) : generator(generator) {}

  std::string make() {
    text = "func.func @f(%0: tensor<4x6xf32>, %1: tensor<4x6xf32>, %2: "
           "tensor<6x4xf32>) {\n";
    values = {
        {"%0", type(false, 0)}, {"%1", type(false, 0)}, {"%2", type(true, 0)}};
    isTall = {false, false, true};
    for (unsigned i = 0; i < 7; ++i)
      step();
    return text + "return\n}";
  }

private:
  unsigned pick(unsigned n) { return generator() % n; }
  static std::string type(bool tall, unsigned layout) {
    const char *const layouts[] = {"", ", #tensoraccess.layout<{0,1}>",
                                   ", #tensoraccess.layout<{1,0:T(2,2)}>"};
    return std::string(tall ? "tensor<6x4xf32" : "tensor<4x6xf32") +
           layouts[layout] + ">";
  }
  void add(const std::string &rhs, const std::string &result, bool tall) {
    const std::string name = "%v" + std::to_string(values.size());
    text += name + " = " + rhs + "\n";
    values.push_back({name, result});
    isTall.push_back(tall);
  }
  void step() {
    const unsigned i =
        values.size() - 1 - std::min(pick(values.size()), pick(values.size()));
    const auto [name, from] = values[i];
    const bool tall = isTall[i];
    switch (pick(5)) {
    case 0: {
      const std::string to = type(tall, pick(3));
      add("tensoraccess.relayout " + name + " : " + from + " to " + to, to,
          tall);
      break;
    }
    case 1: {
      const std::string to = type(!tall, pick(3));
      add("tensoraccess.relayout " + name + " permutation = [1, 0] : " + from +
              " to " + to,
          to, !tall);
      break;
    }
    case 2:
      add("arith.negf " + name + " : " + from, from, tall);
      break;
    case 3:
      for (unsigned j = values.size(); j-- > 0;)
        if (j != i && values[j].second == from) {
          add(std::string("arith.") + (pick(2) ? "addf " : "mulf ") + name +
                  ", " + values[j].first + " : " + from,
              from, tall);
          break;
        }
      break;
    case 4:
      if (from.find('#') != std::string::npos)
        break;
      {
        const std::string to = type(!tall, 0),
                          empty = "%e" + std::to_string(values.size());
        text += empty + " = tensor.empty() : " + to + "\n";
        const std::string self = "%v" + std::to_string(values.size());
        text += self + " = linalg.transpose ins(" + name + " : " + from +
                ") outs(" + empty + " : " + to + ") permutation = [1, 0]\n";
        values.push_back({self, to});
        isTall.push_back(!tall);
      }
      break;
    }
  }

  std::mt19937 &generator;
  std::string text;
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<bool> isTall;
};

TEST_F(RelayoutRules, NodesOfAClassAreEqual) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"relayout"});
  ASSERT_TRUE(succeeded(rules));
  std::mt19937 generator(31);
  std::set<std::string> fired;
  unsigned runs = 0;
  for (unsigned round = 0; round < 80; ++round) {
    const std::string text = RandomProgram(generator).make();
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    auto function = *module->getOps<func::FuncOp>().begin();
    TermGraph graph(&context);
    prepareGraph(graph);
    ASSERT_TRUE(importBlock(graph, function.front()));
    SaturationOptions options;
    options.limits.nodes = 400;
    SaturationStatistics statistics = saturate(graph, *rules, options);
    for (auto [rule, counts] : llvm::zip_equal(*rules, statistics.rules)) {
      EXPECT_EQ(counts.refused, 0u)
          << rule.getName().str() << ": " << counts.refusal << "\n"
          << text;
      if (counts.applied != 0)
        fired.insert(rule.getName().str());
    }
    FailureOr<SmallVector<Tensor>> inputs = randomInputs(function, round);
    ASSERT_TRUE(succeeded(inputs));
    NodeRunner runner(graph, *inputs);
    runs += runner.runAll(areSameBits, [&](const std::string &node) {
      ADD_FAILURE() << node << "\n" << text;
    });
  }
  EXPECT_GT(runs, 1000u);
  // What is of its type already is folded before.
  for (const PdlRule &rule : *rules)
    EXPECT_TRUE(fired.count(rule.getName().str())) << rule.getName().str();
}

} // namespace

//===- LinalgRulesTest.cpp - Rules on products of matrices ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random terms over matrices are saturated, and every node of the graph is run
// by the interpreter on what its operands are: all nodes of a class must agree,
// integers exactly and floats up to rounding. tensor.empty is filled with
// numbers that show where it is read.
// A graph that is full is as sound as one that is not.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Rewrites/RuleSets.h"

#include "NodeRunner.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct LinalgRules : public ::testing::Test {
  LinalgRules() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, pdl::PDLDialect,
                        tensor::TensorDialect>();
  }
  MLIRContext context;
};

/// A random term of products, sums, transposes and factors over four matrices
/// of sizes 1 to 3.
class RandomProgram {
public:
  RandomProgram(std::mt19937 &generator, bool isFloat)
      : generator(generator), element(isFloat ? "f32" : "i32"),
        number(isFloat ? ".0" : ""), sum(isFloat ? "addf" : "addi") {}

  std::string make() {
    text = "func.func @f(";
    for (unsigned i = 0; i < 4; ++i) {
      values.push_back({"%a" + std::to_string(i), 1 + pick(3), 1 + pick(3)});
      text += (i ? ", " : "") + values[i].name + ": " + type(values[i]);
    }
    text += ") {\n%z = arith.constant 0" + number + " : " + element +
            "\n%s = arith.constant 3" + number + " : " + element + "\n";
    for (unsigned i = 0; i < 12 && made < 4; ++i)
      step();
    return text + "return\n}";
  }

private:
  struct Matrix {
    std::string name;
    unsigned rows, columns;
  };

  unsigned pick(unsigned n) { return generator() % n; }
  std::string type(const Matrix &m) {
    return "tensor<" + std::to_string(m.rows) + "x" +
           std::to_string(m.columns) + "x" + element + ">";
  }
  std::string name() { return "%v" + std::to_string(next++); }
  std::string empty(const Matrix &m) {
    std::string self = name();
    text += self + " = tensor.empty() : " + type(m) + "\n";
    return self;
  }
  std::string fill(const Matrix &m, StringRef scalar) {
    std::string init = empty(m), self = name();
    text += self + " = linalg.fill ins(" + scalar.str() + " : " + element +
            ") outs(" + init + " : " + type(m) + ") -> " + type(m) + "\n";
    return self;
  }
  /// The newer the likelier, so that terms become deep.
  Matrix any() {
    return values[values.size() - 1 -
                  std::min(pick(values.size()), pick(values.size()))];
  }
  void binary(StringRef op, const Matrix &a, const Matrix &b,
              const std::string &init, Matrix result) {
    result.name = name();
    text += result.name + " = linalg." + op.str() + " ins(" + a.name + ", " +
            b.name + " : " + type(a) + ", " + type(b) + ") outs(" + init +
            " : " + type(result) + ") -> " + type(result) + "\n";
    values.push_back(result);
    ++made;
  }
  void step() {
    Matrix a = any(), b = any(), c = any();
    const unsigned kind = pick(8);
    if (kind < 4 && a.columns == b.rows) {
      Matrix result{"", a.rows, b.columns};
      const bool isSum =
          pick(3) == 0 && c.rows == a.rows && c.columns == b.columns;
      binary("matmul", a, b, isSum ? c.name : fill(result, "%z"), result);
    } else if (kind < 6 && a.rows == b.rows && a.columns == b.columns) {
      if (pick(2)) {
        binary("add", a, b, empty(a), a);
      } else {
        Matrix result{name(), a.rows, a.columns};
        text += result.name + " = arith." + sum + " " + a.name + ", " + b.name +
                " : " + type(a) + "\n";
        values.push_back(result);
        ++made;
      }
    } else if (kind == 6) {
      Matrix result{"", a.columns, a.rows};
      std::string init = empty(result);
      result.name = name();
      text += result.name + " = linalg.transpose ins(" + a.name + " : " +
              type(a) + ") outs(" + init + " : " + type(result) +
              ") permutation = [1, 0]\n";
      values.push_back(result);
      ++made;
    } else if (kind == 7) {
      Matrix scale{fill(a, "%s"), a.rows, a.columns};
      binary("mul", scale, a, empty(a), a);
    }
  }

  std::mt19937 &generator;
  std::string element, number, sum, text;
  std::vector<Matrix> values;
  unsigned next = 0, made = 0;
};

template <typename T>
bool isNear(const Tensor &x, const Tensor &y, double tolerance) {
  if (x.getShape() != y.getShape())
    return false;
  Tensor a = cantFail(x.toDense()), b = cantFail(y.toDense());
  for (int64_t i = 0; i < a.getNumElements(); ++i) {
    const double p = a.getDataAs<T>()[i], q = b.getDataAs<T>()[i];
    if (!(std::abs(p - q) <= tolerance * (1 + std::abs(p))))
      return false;
  }
  return true;
}

TEST_F(LinalgRules, NodesOfAClassAreEqual) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"linalg"});
  ASSERT_TRUE(succeeded(rules));
  std::mt19937 generator(23);
  std::set<std::string> fired;
  uint64_t run = 0;
  for (int round = 0; round < 150; ++round) {
    const bool isFloat = round % 2;
    const std::string text = RandomProgram(generator, isFloat).make();
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    auto function = *module->getOps<func::FuncOp>().begin();
    TermGraph graph(&context);
    prepareGraph(graph);
    ASSERT_TRUE(importBlock(graph, function.front()));
    SaturationOptions options;
    options.limits.nodes = 300;
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
    auto same = [&](const Tensor &x, const Tensor &y) {
      return isFloat ? isNear<float>(x, y, 1e-4) : isNear<int32_t>(x, y, 0);
    };
    unsigned live = 0;
    const NodeTable &table = graph.getTable();
    for (NodeId node = table.getBegin(); node != table.getEnd();
         node = table.getNext(node))
      live += !table.isDead(node);
    const unsigned ran = runner.runAll(same, [&](const std::string &node) {
      ADD_FAILURE() << node << "\n" << text;
    });
    ASSERT_EQ(ran, live) << text;
    run += ran;
  }
  EXPECT_GT(run, 4000u);
  // Those that random terms do not need are in the tests of the pass.
  for (const char *name :
       {"ProductAssociates", "ProductAssociatesBack", "SumAccumulates",
        "ProductsCommute", "ProductDistributesLeft", "ProductDistributesRight",
        "SumCommutes", "SumAssociates", "TransposeOfProduct", "TransposeUndone",
        "TransposeOfSum", "TransposeOfFill", "ScaledLeft", "ScaledRight",
        "ScaleMovesLeft", "ScaleMovesRight", "AddOfFloats", "AddOfIntegers"})
    EXPECT_TRUE(fired.count(name)) << name;
}

/// Products whose bodies, types or maps are not what the rules mean.
TEST_F(LinalgRules, OthersAreLeftAlone) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"linalg"});
  ASSERT_TRUE(succeeded(rules));
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @f(%a: tensor<2x2xi1>, %b: tensor<2x2xf16>, %c: tensor<2x2xf32>,
                 %d: tensor<?x2xf32>) {
      %0 = linalg.add ins(%a, %a : tensor<2x2xi1>, tensor<2x2xi1>)
        outs(%a : tensor<2x2xi1>) -> tensor<2x2xi1>
      %1 = linalg.matmul ins(%b, %b : tensor<2x2xf16>, tensor<2x2xf16>)
        outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
      %2 = linalg.matmul ins(%b, %b : tensor<2x2xf16>, tensor<2x2xf16>)
        outs(%1 : tensor<2x2xf32>) -> tensor<2x2xf32>
      %3 = linalg.add ins(%d, %d : tensor<?x2xf32>, tensor<?x2xf32>)
        outs(%d : tensor<?x2xf32>) -> tensor<?x2xf32>
      %4 = arith.addf %c, %c fastmath<nnan> : tensor<2x2xf32>
      return
    })",
                                            &context);
  ASSERT_TRUE(module);
  TermGraph graph(&context);
  prepareGraph(graph);
  importBlock(graph, (*module->getOps<func::FuncOp>().begin()).front());
  const size_t before = graph.getTable().getNumNodes();
  SaturationStatistics statistics = saturate(graph, *rules, {});
  EXPECT_EQ(statistics.reason, StopReason::Saturated);
  EXPECT_EQ(statistics.nodes, before);
}

} // namespace

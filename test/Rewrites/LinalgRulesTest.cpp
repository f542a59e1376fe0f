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
// numbers that show where somebody reads it.
// A graph that is full is as sound as one that is not.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Rewrites/RuleSets.h"

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

/// What nodes are, by running each alone.
class NodeRunner {
public:
  NodeRunner(TermGraph &graph, ArrayRef<Tensor> arguments)
      : graph(graph), arguments(arguments.begin(), arguments.end()),
        builder(graph.getContext()), loc(UnknownLoc::get(graph.getContext())) {}

  std::optional<Tensor> run(SymbolId symbol, ArrayRef<Tensor> operands,
                            ArrayRef<Type> types) {
    if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf)
      return arguments[cast<BlockArgument>(graph.getLeaf(symbol))
                           .getArgNumber()];
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    const bool isEmpty = graph.getName(symbol).getStringRef() == "tensor.empty";
    Type result = graph.getResultTypes(symbol).front();
    auto function = func::FuncOp::create(
        builder, loc, "g", builder.getFunctionType(types, {result}));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    Value value;
    if (isEmpty) {
      // What is not written may be anything.
      auto tensor = cast<RankedTensorType>(result);
      Type element = tensor.getElementType();
      Attribute garbage =
          isa<FloatType>(element)
              ? Attribute(FloatAttr::get(
                    element, std::numeric_limits<double>::quiet_NaN()))
              : Attribute(IntegerAttr::get(element, 7654321));
      value = arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(tensor, garbage));
    } else {
      auto values = graph.buildNode(builder, loc, symbol, body->getArguments());
      if (!values)
        return std::nullopt;
      value = values->front();
    }
    func::ReturnOp::create(builder, loc, value);
    FailureOr<SmallVector<Tensor>> got = interpret(function, operands);
    if (failed(got))
      return std::nullopt;
    return got->front();
  }

private:
  TermGraph &graph;
  SmallVector<Tensor> arguments;
  OpBuilder builder;
  Location loc;
};

template <typename T>
void expectNear(const Tensor &x, const Tensor &y, double tolerance,
                const std::string &what) {
  ASSERT_EQ(x.getShape(), y.getShape()) << what;
  Tensor a = cantFail(x.toDense()), b = cantFail(y.toDense());
  for (int64_t i = 0; i < a.getNumElements(); ++i) {
    const double p = a.getDataAs<T>()[i], q = b.getDataAs<T>()[i];
    ASSERT_LE(std::abs(p - q), tolerance * (1 + std::abs(p))) << what;
  }
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
    const NodeTable &table = graph.getTable();
    std::map<ClassId, Tensor> known;
    std::set<NodeId> done;
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (NodeId node = table.getBegin(); node != table.getEnd();
           node = table.getNext(node)) {
        if (table.isDead(node) || done.count(node))
          continue;
        SmallVector<Tensor> operands;
        SmallVector<Type> types;
        for (unsigned i = 0; i < table.getNumOperands(node); ++i) {
          const ClassId operand = table.find(table.getOperand(node, i));
          if (auto it = known.find(operand); it != known.end()) {
            operands.push_back(it->second);
            types.push_back(graph.getType(operand));
          }
        }
        if (operands.size() != table.getNumOperands(node))
          continue;
        done.insert(node);
        isChanged = true;
        const std::string what =
            graph.describeSymbol(table.getSymbol(node)) + "\n" + text;
        std::optional<Tensor> value =
            runner.run(table.getSymbol(node), operands, types);
        ASSERT_TRUE(value) << what;
        ++run;
        auto [it, isNew] = known.try_emplace(table.find(node), *value);
        const bool isEmpty = table.getNumOperands(node) == 0 &&
                             graph.isOperation(table.getSymbol(node)) &&
                             !graph.getConstantOf(table.getSymbol(node));
        if (isNew || isEmpty)
          continue;
        if (isFloat)
          ASSERT_NO_FATAL_FAILURE(
              expectNear<float>(it->second, *value, 1e-4, what));
        else
          ASSERT_NO_FATAL_FAILURE(
              expectNear<int32_t>(it->second, *value, 0, what));
      }
    }
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

//===- ComputeRulesTest.cpp - Access programs up to equality --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program and another one are in one graph: are their results one class? And
// every node that the result's class has is run by the interpreter.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Rewrites/RuleSets.h"

#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct Rewriting : public ::testing::Test {
  Rewriting() { context.loadDialect<func::FuncDialect, TensorAccessDialect>(); }

  /// Functions of one signature: the program, then others.
  void read(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    graph.emplace(&context);
    theory.emplace(*graph);
    llvm::DenseMap<Value, ClassId> known;
    Block *first = nullptr;
    for (auto function : module->getOps<func::FuncOp>()) {
      Block &block = function.front();
      llvm::DenseMap<Value, ClassId> arguments;
      if (!first) {
        first = &block;
        for (Value argument : block.getArguments())
          known[argument] = *graph->addLeaf(argument);
        arguments = known;
      } else {
        for (auto [mine, theirs] :
             llvm::zip(block.getArguments(), first->getArguments()))
          arguments[mine] = known.lookup(theirs);
      }
      std::optional<TermBlock> terms =
          importBlock(*graph, block, isTerm, &arguments);
      ASSERT_TRUE(terms);
      results.push_back(
          terms->classes.lookup(block.getTerminator()->getOperand(0)));
    }
    graph->getTable().rebuild();
  }

  SaturationStatistics saturate(const ComputeRuleOptions &options = {}) {
    SaturationOptions saturation;
    saturation.limits.nodes = 100000;
    std::vector<TableRule> rules = makeComputeRules(*graph, *theory, options);
    return tensoraccess::saturate(graph->getTable(), rules, saturation);
  }

  bool isEqual(unsigned other = 1) {
    const NodeTable &table = graph->getTable();
    return table.find(results[0]) == table.find(results[other]);
  }

  /// Runs what each node of every class of the result's type says.
  unsigned runAll();

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<TermGraph> graph;
  std::optional<MovementTheory> theory;
  SmallVector<ClassId> results;
};

/// For each class a node of least size.
std::map<ClassId, std::pair<uint64_t, NodeId>>
getSmallest(const NodeTable &table) {
  std::map<ClassId, std::pair<uint64_t, NodeId>> best;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (NodeId node = table.getBegin(); node != table.getEnd();
         node = table.getNext(node)) {
      uint64_t cost = 1;
      bool isKnown = !table.isDead(node);
      for (unsigned i = 0; isKnown && i < table.getNumOperands(node); ++i) {
        auto it = best.find(table.find(table.getOperand(node, i)));
        isKnown = it != best.end();
        cost += isKnown ? it->second.first : 0;
      }
      if (!isKnown)
        continue;
      auto [it, isNew] =
          best.try_emplace(table.find(node), std::pair(cost, node));
      if (!isNew && cost < it->second.first)
        it->second = {cost, node};
      else if (!isNew)
        continue;
      isChanged = true;
    }
  }
  return best;
}

unsigned Rewriting::runAll() {
  const NodeTable &table = graph->getTable();
  auto program = *module->getOps<func::FuncOp>().begin();
  FailureOr<SmallVector<Tensor>> inputs = randomInputs(program, 3);
  EXPECT_TRUE(succeeded(inputs));
  FailureOr<SmallVector<Tensor>> expected = interpret(program, *inputs);
  EXPECT_TRUE(succeeded(expected));
  auto smallest = getSmallest(table);
  // Every class is reached through the smallest of what uses it: so each node
  // of each class that the result can have inside is run in the result.
  unsigned runs = 0;
  for (NodeId node = table.getBegin(); node != table.getEnd();
       node = table.getNext(node)) {
    if (table.isDead(node))
      continue;
    const ClassId id = table.find(node);
    // The path from the result to this class is the smallest term's; where it
    // does not pass there, the node is run as the result if it has that class.
    TermChoice choice = [&](ClassId wanted) -> std::optional<NodeId> {
      if (table.find(wanted) == id)
        return node;
      auto it = smallest.find(table.find(wanted));
      if (it == smallest.end())
        return std::nullopt;
      return it->second.second;
    };
    auto clone = cast<func::FuncOp>(program->clone());
    OwningOpRef<ModuleOp> other = ModuleOp::create(clone.getLoc());
    other->push_back(clone);
    Operation *last = clone.front().getTerminator();
    // Leaves are the arguments of the program; build there, then move.
    OpBuilder builder(program.front().getTerminator());
    TermBuilder terms(*graph, choice);
    std::string problem;
    auto values = terms.build(builder, last->getLoc(), results[0], problem);
    if (!values)
      continue;
    Operation *ret = program.front().getTerminator();
    Value old = ret->getOperand(0);
    ret->setOperand(0, values->front());
    FailureOr<SmallVector<Tensor>> got = interpret(program, *inputs);
    ret->setOperand(0, old);
    EXPECT_TRUE(succeeded(got));
    if (failed(got))
      return runs;
    ++runs;
    SmallVector<double> a, b;
    const Tensor &x = expected->front(), &y = got->front();
    EXPECT_EQ(x.getShape(), y.getShape());
    Tensor dense = cantFail(x.toDense()), other2 = cantFail(y.toDense());
    for (int64_t i = 0; i < x.getNumElements(); ++i) {
      double p = dense.getDataAs<float>()[i], q = other2.getDataAs<float>()[i];
      EXPECT_LE(std::abs(p - q), 1e-4 * (1 + std::abs(p)))
          << "node " << graph->describeSymbol(table.getSymbol(node));
      if (std::abs(p - q) > 1e-4 * (1 + std::abs(p)))
        break;
    }
  }
  return runs;
}

// conv3x3 of 3 channels, and the same as a product of matrices: windows
// flattened, the result in its shape again.
static const char kConvolution[] = R"(
func.func @program(%x: tensor<3x8x9xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<5x6x7xf32> {
  %0 = tensoraccess.access %w at 1 : tensor<5x3x3x3xf32> -> !tensoraccess.access<5 | 3x3x3xf32>
  %1 = tensoraccess.access %x at 0 : tensor<3x8x9xf32> -> !tensoraccess.access<| 3x8x9xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3, 3] strides = [1, 1, 1] : !tensoraccess.access<| 3x8x9xf32> -> !tensoraccess.access<1x6x7 | 3x3x3xf32>
  %3 = tensoraccess.squeeze %2 axis 0 : !tensoraccess.access<1x6x7 | 3x3x3xf32> -> !tensoraccess.access<6x7 | 3x3x3xf32>
  %4 = tensoraccess.cart_prod %0, %3 : !tensoraccess.access<5 | 3x3x3xf32>, !tensoraccess.access<6x7 | 3x3x3xf32> -> !tensoraccess.access<5x6x7 | 2x3x3x3xf32>
  %5 = tensoraccess.compute dot_prod %4 : !tensoraccess.access<5x6x7 | 2x3x3x3xf32> -> !tensoraccess.access<5x6x7 | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<5x6x7 | f32> -> tensor<5x6x7xf32>
  return %6 : tensor<5x6x7xf32>
}
func.func @matmul(%x: tensor<3x8x9xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<5x6x7xf32> {
  %0 = tensoraccess.access %w at 1 : tensor<5x3x3x3xf32> -> !tensoraccess.access<5 | 3x3x3xf32>
  %1 = tensoraccess.access %x at 0 : tensor<3x8x9xf32> -> !tensoraccess.access<| 3x8x9xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3, 3] strides = [1, 1, 1] : !tensoraccess.access<| 3x8x9xf32> -> !tensoraccess.access<1x6x7 | 3x3x3xf32>
  %a = tensoraccess.flatten %0 : !tensoraccess.access<5 | 3x3x3xf32> -> !tensoraccess.access<5 | 27xf32>
  %b = tensoraccess.flatten %2 : !tensoraccess.access<1x6x7 | 3x3x3xf32> -> !tensoraccess.access<42 | 27xf32>
  %4 = tensoraccess.cart_prod %a, %b : !tensoraccess.access<5 | 27xf32>, !tensoraccess.access<42 | 27xf32> -> !tensoraccess.access<5x42 | 2x27xf32>
  %5 = tensoraccess.compute dot_prod %4 : !tensoraccess.access<5x42 | 2x27xf32> -> !tensoraccess.access<5x42 | f32>
  %6 = tensoraccess.reshape %5 : !tensoraccess.access<5x42 | f32> -> !tensoraccess.access<5x6x7 | f32>
  %7 = tensoraccess.to_tensor %6 : !tensoraccess.access<5x6x7 | f32> -> tensor<5x6x7xf32>
  return %7 : tensor<5x6x7xf32>
}
)";

TEST_F(Rewriting, ConvolutionIsAMatmul) {
  read(kConvolution);
  EXPECT_FALSE(isEqual());
  SaturationStatistics got = saturate();
  EXPECT_TRUE(isEqual());
  EXPECT_EQ(got.reason, StopReason::Saturated);
  EXPECT_LT(got.nodes, 60u);
  EXPECT_GE(runAll(), 10u);
}

TEST_F(Rewriting, ConvolutionRunsOnArrays) {
  read(kConvolution);
  ComputeRuleOptions options;
  options.arrays = {{27, 42}, {16, 16}, {4, 8}};
  options.sumBlocks = {9};
  SaturationStatistics got = saturate(options);
  EXPECT_EQ(got.reason, StopReason::Saturated);
  unsigned arrays = 0;
  const NodeTable &table = graph->getTable();
  for (NodeId node = table.getBegin(); node != table.getEnd();
       node = table.getNext(node))
    arrays +=
        !table.isDead(node) && graph->describeSymbol(table.getSymbol(node)) ==
                                   "tensoraccess.systolic_array";
  // Each array for the product, and for the batch of its three partial sums.
  EXPECT_EQ(arrays, 6u);
  EXPECT_GE(runAll(), 10u);
}

// Movement on the way out moves into the items; both orders are one class.
TEST_F(Rewriting, MovementThroughDotProducts) {
  read(R"(
func.func @program(%a: tensor<4x2x5xf32>) -> tensor<2x2xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<4x2x5xf32> -> !tensoraccess.access<4 | 2x5xf32>
  %1 = tensoraccess.compute dot_prod %0 : !tensoraccess.access<4 | 2x5xf32> -> !tensoraccess.access<4 | f32>
  %2 = tensoraccess.reshape %1 : !tensoraccess.access<4 | f32> -> !tensoraccess.access<2x2 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<2x2 | f32> -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}
func.func @other(%a: tensor<4x2x5xf32>) -> tensor<2x2xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<4x2x5xf32> -> !tensoraccess.access<4 | 2x5xf32>
  %1 = tensoraccess.reshape %0 : !tensoraccess.access<4 | 2x5xf32> -> !tensoraccess.access<2x2 | 2x5xf32>
  %2 = tensoraccess.compute dot_prod %1 : !tensoraccess.access<2x2 | 2x5xf32> -> !tensoraccess.access<2x2 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<2x2 | f32> -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
})");
  EXPECT_FALSE(isEqual());
  EXPECT_EQ(saturate().reason, StopReason::Saturated);
  EXPECT_TRUE(isEqual());
  EXPECT_GE(runAll(), 4u);
}

// A concatenation along the item is a sum of dot products.
TEST_F(Rewriting, DotProductOfAConcatenation) {
  read(R"(
func.func @program(%a: tensor<3x2x4xf32>, %b: tensor<3x2x6xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<3x2x4xf32> -> !tensoraccess.access<3 | 2x4xf32>
  %1 = tensoraccess.access %b at 1 : tensor<3x2x6xf32> -> !tensoraccess.access<3 | 2x6xf32>
  %2 = tensoraccess.concat %0, %1 axis 2 : !tensoraccess.access<3 | 2x4xf32>, !tensoraccess.access<3 | 2x6xf32> -> !tensoraccess.access<3 | 2x10xf32>
  %3 = tensoraccess.compute dot_prod %2 : !tensoraccess.access<3 | 2x10xf32> -> !tensoraccess.access<3 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %4 : tensor<3xf32>
}
func.func @other(%a: tensor<3x2x4xf32>, %b: tensor<3x2x6xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<3x2x4xf32> -> !tensoraccess.access<3 | 2x4xf32>
  %1 = tensoraccess.access %b at 1 : tensor<3x2x6xf32> -> !tensoraccess.access<3 | 2x6xf32>
  %2 = tensoraccess.compute dot_prod %0 : !tensoraccess.access<3 | 2x4xf32> -> !tensoraccess.access<3 | f32>
  %3 = tensoraccess.compute dot_prod %1 : !tensoraccess.access<3 | 2x6xf32> -> !tensoraccess.access<3 | f32>
  %4 = tensoraccess.pair %2, %3 : !tensoraccess.access<3 | f32>, !tensoraccess.access<3 | f32> -> !tensoraccess.access<3 | 2xf32>
  %5 = tensoraccess.compute reduce_sum %4 : !tensoraccess.access<3 | 2xf32> -> !tensoraccess.access<3 | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %6 : tensor<3xf32>
})");
  ComputeRuleOptions exact;
  exact.reordersSums = false;
  EXPECT_EQ(saturate(exact).reason, StopReason::Saturated);
  EXPECT_FALSE(isEqual());
  EXPECT_EQ(saturate().reason, StopReason::Saturated);
  EXPECT_TRUE(isEqual());
  EXPECT_GE(runAll(), 4u);
}

// Padding on the tuple makes products 0: it must not be dropped, and the sum of
// another pattern is not this one.
TEST_F(Rewriting, PaddingOfATupleStays) {
  read(R"(
func.func @program(%a: tensor<2x2x3xf32>) -> tensor<2xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<2x2x3xf32> -> !tensoraccess.access<2 | 2x3xf32>
  %1 = tensoraccess.pad %0 low = [0, 0, 0] high = [0, 1, 0] value = 0.0 : f32 : !tensoraccess.access<2 | 2x3xf32> -> !tensoraccess.access<2 | 3x3xf32>
  %2 = tensoraccess.slice %1 offsets = [0, 0, 0] sizes = [2, 2, 3] : !tensoraccess.access<2 | 3x3xf32> -> !tensoraccess.access<2 | 2x3xf32>
  %3 = tensoraccess.compute dot_prod %2 : !tensoraccess.access<2 | 2x3xf32> -> !tensoraccess.access<2 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<2 | f32> -> tensor<2xf32>
  return %4 : tensor<2xf32>
}
func.func @unsound(%a: tensor<2x2x3xf32>) -> tensor<2xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<2x2x3xf32> -> !tensoraccess.access<2 | 2x3xf32>
  %1 = tensoraccess.pad %0 low = [0, 0, 0] high = [0, 1, 0] value = 0.0 : f32 : !tensoraccess.access<2 | 2x3xf32> -> !tensoraccess.access<2 | 3x3xf32>
  %3 = tensoraccess.compute dot_prod %1 : !tensoraccess.access<2 | 3x3xf32> -> !tensoraccess.access<2 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<2 | f32> -> tensor<2xf32>
  return %4 : tensor<2xf32>
}
func.func @plain(%a: tensor<2x2x3xf32>) -> tensor<2xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<2x2x3xf32> -> !tensoraccess.access<2 | 2x3xf32>
  %3 = tensoraccess.compute dot_prod %0 : !tensoraccess.access<2 | 2x3xf32> -> !tensoraccess.access<2 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<2 | f32> -> tensor<2xf32>
  return %4 : tensor<2xf32>
})");
  EXPECT_EQ(saturate().reason, StopReason::Saturated);
  EXPECT_FALSE(isEqual(1));
  // A slice of padding that is cut off again is the pattern itself.
  EXPECT_TRUE(isEqual(2));
  EXPECT_GE(runAll(), 3u);
}

} // namespace

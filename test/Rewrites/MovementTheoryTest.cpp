//===- MovementTheoryTest.cpp - Views over what turns out to be a view ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges that come after the views over the classes that they are about.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct MovementTheoryTest : public ::testing::Test {
  MovementTheoryTest() {
    context.loadDialect<func::FuncDialect, TensorAccessDialect>();
  }

  void read(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    graph.emplace(&context);
    theory.emplace(*graph);
    Block &block = (*module->getOps<func::FuncOp>().begin()).front();
    std::optional<TermBlock> terms = importBlock(*graph, block);
    ASSERT_TRUE(terms);
    for (Value argument : block.getArguments())
      arguments.push_back(*graph->addLeaf(argument));
    for (Value value : block.getTerminator()->getOperands())
      ids.push_back(terms->classes.lookup(value));
    graph->getTable().rebuild();
  }
  bool areEqual(unsigned i, unsigned j) {
    return graph->getTable().find(ids[i]) == graph->getTable().find(ids[j]);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<TermGraph> graph;
  std::optional<MovementTheory> theory;
  SmallVector<ClassId> ids, arguments;
};

constexpr const char *kProgram = R"(
  !a = !tensoraccess.access<4 | 6xf32>
  !b = !tensoraccess.access<6 | 4xf32>
  !s = !tensoraccess.access<2 | 6xf32>
  func.func @f(%p: !a, %q: !b) -> (!b, !s, !s, !s, !s) {
    %0 = tensoraccess.transpose %q perm = [1, 0] : !b -> !a
    // Of p, in one step and in two.
    %1 = tensoraccess.slice %p offsets = [1, 0] sizes = [2, 6] : !a -> !s
    %2 = tensoraccess.slice %p offsets = [1, 0] sizes = [3, 6]
      : !a -> !tensoraccess.access<3 | 6xf32>
    %3 = tensoraccess.slice %2 offsets = [1, 0] sizes = [2, 6]
      : !tensoraccess.access<3 | 6xf32> -> !s
    // Of q: the same where p is the transpose of q.
    %4 = tensoraccess.slice %q offsets = [0, 1] sizes = [6, 2]
      : !b -> !tensoraccess.access<6 | 2xf32>
    %5 = tensoraccess.transpose %4 perm = [1, 0]
      : !tensoraccess.access<6 | 2xf32> -> !s
    %6 = tensoraccess.slice %0 offsets = [2, 0] sizes = [2, 6] : !a -> !s
    %7 = tensoraccess.transpose %0 perm = [1, 0] : !a -> !b
    return %7, %1, %3, %5, %6 : !b, !s, !s, !s, !s
  })";

TEST_F(MovementTheoryTest, ABaseTurnsOutToBeAView) {
  read(kProgram);
  EXPECT_FALSE(areEqual(1, 3));
  EXPECT_FALSE(areEqual(2, 4));
  // p = transpose q, though views of p are there.
  OpBuilder builder(&context);
  auto transposed =
      graph->add(OperationName("tensoraccess.transpose", &context),
                 builder.getDictionaryAttr(builder.getNamedAttr(
                     "perm", builder.getDenseI64ArrayAttr({1, 0}))),
                 {arguments[1]}, std::nullopt);
  ASSERT_TRUE(transposed);
  EXPECT_EQ(graph->merge(arguments[0], *transposed),
            TermGraph::MergeResult::Merged);
  graph->getTable().rebuild();
  EXPECT_TRUE(areEqual(1, 3));
  EXPECT_TRUE(areEqual(2, 4));
  EXPECT_FALSE(areEqual(1, 2));
  EXPECT_EQ(graph->getTable().getNumContradictions(), 0u);
}

TEST_F(MovementTheoryTest, ViewsOfEachOtherEnd) {
  // p = transpose q, and q = transpose of p read twice over: p is a base still.
  read(kProgram);
  OpBuilder builder(&context);
  auto transpose = [&](ClassId of) {
    return *graph->add(OperationName("tensoraccess.transpose", &context),
                       builder.getDictionaryAttr(builder.getNamedAttr(
                           "perm", builder.getDenseI64ArrayAttr({1, 0}))),
                       {of}, std::nullopt);
  };
  graph->merge(arguments[0], transpose(arguments[1]));
  graph->merge(arguments[1], transpose(arguments[0]));
  graph->getTable().rebuild();
  EXPECT_TRUE(areEqual(1, 3));
  EXPECT_TRUE(areEqual(2, 4));
  EXPECT_EQ(graph->getTable().getNumContradictions(), 0u);
}

} // namespace

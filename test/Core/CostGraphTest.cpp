//===- CostGraphTest.cpp - Elimination against trying everything ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cost/Cost.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::tensoraccess;

namespace {

/// A graph of up to 8 variables; some costs are 0, some forbidden.
CostGraph randomGraph(std::mt19937_64 &random) {
  CostGraph graph;
  auto below = [&](unsigned n) { return unsigned(random() % n); };
  unsigned numVariables = 1 + below(8);
  for (unsigned i = 0; i < numVariables; ++i)
    graph.addVariable(1 + below(4));
  for (unsigned i = 0, end = below(12); i < end; ++i) {
    llvm::SmallVector<unsigned> scope;
    size_t entries = 1;
    for (unsigned j = 0, arity = below(4); j < arity; ++j) {
      unsigned variable = below(numVariables);
      if (llvm::is_contained(scope, variable))
        continue;
      scope.push_back(variable);
      entries *= graph.getNumValues(variable);
    }
    std::vector<int64_t> costs(entries);
    for (int64_t &cost : costs)
      cost = below(6) == 0 ? CostGraph::kForbidden : below(20);
    graph.addCost(scope, costs);
  }
  return graph;
}

/// The least choice by trying every one: the definition.
CostSolution solveExhaustively(const CostGraph &graph) {
  const size_t n = graph.getNumVariables();
  CostSolution best;
  best.values.assign(n, 0);
  best.cost = graph.getCost(best.values);
  llvm::SmallVector<unsigned> values(n, 0);
  while (true) {
    size_t i = n;
    while (i > 0 && ++values[i - 1] == graph.getNumValues(i - 1))
      values[--i] = 0;
    if (i == 0)
      break;
    int64_t cost = graph.getCost(values);
    if (cost < best.cost) {
      best.cost = cost;
      best.values = values;
    }
  }
  best.lowerBound = best.cost;
  best.width = n;
  return best;
}

TEST(CostGraph, WorkedExample) {
  CostGraph graph;
  unsigned a = graph.addVariable(2), b = graph.addVariable(3);
  graph.addCost({a}, {0, 10});
  graph.addCost({a, b}, {5, 0, 7, 0, 0, CostGraph::kForbidden});
  CostSolution s = graph.solve();
  EXPECT_EQ(s.values, (llvm::SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(s.cost, 0);
  EXPECT_TRUE(s.isExact());
  EXPECT_EQ(s.width, 2u);
}

TEST(CostGraph, EmptyGraphCostsNothing) {
  CostSolution s = CostGraph().solve();
  EXPECT_TRUE(s.values.empty());
  EXPECT_EQ(s.cost, 0);
  EXPECT_TRUE(s.isExact());
}

TEST(CostGraph, SaysWhenAllIsForbidden) {
  CostGraph graph;
  unsigned a = graph.addVariable(2);
  graph.addCost({a}, {CostGraph::kForbidden, 1});
  graph.addCost({a}, {1, CostGraph::kForbidden});
  EXPECT_EQ(graph.solve().cost, CostGraph::kForbidden);
}

TEST(CostGraph, SumsSaturate) {
  CostGraph graph;
  unsigned a = graph.addVariable(1);
  graph.addCost({a}, {CostGraph::kForbidden - 1});
  graph.addCost({a}, {CostGraph::kForbidden - 1});
  EXPECT_EQ(graph.solve().cost, CostGraph::kForbidden);
}

TEST(CostGraph, EliminationIsExact) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    CostGraph graph = randomGraph(random);
    CostSolution best = solveExhaustively(graph);
    CostSolution s = graph.solve();
    ASSERT_EQ(s.cost, best.cost) << i;
    ASSERT_EQ(s.cost, graph.getCost(s.values)) << i;
    ASSERT_EQ(s.lowerBound, best.cost) << i;
  }
}

TEST(CostGraph, MiniBucketsBoundFromBelowAndAbove) {
  std::mt19937_64 random(2);
  unsigned approximate = 0;
  for (int i = 0; i < 3000; ++i) {
    CostGraph graph = randomGraph(random);
    CostSolution best = solveExhaustively(graph);
    CostSolution s = graph.solve(/*maxEntries=*/8);
    ASSERT_LE(s.lowerBound, best.cost) << i;
    ASSERT_GE(s.cost, best.cost) << i;
    ASSERT_EQ(s.cost, graph.getCost(s.values)) << i;
    approximate += !s.isExact();
  }
  EXPECT_GT(approximate, 100u);
}

TEST(CostGraph, ALongChainIsCheap) {
  CostGraph graph;
  unsigned last = graph.addVariable(6);
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    unsigned next = graph.addVariable(6);
    std::vector<int64_t> costs(36);
    for (int64_t &cost : costs)
      cost = random() % 100;
    graph.addCost({last, next}, costs);
    last = next;
  }
  CostSolution s = graph.solve();
  EXPECT_EQ(s.width, 2u);
  EXPECT_TRUE(s.isExact());
}

// One value that many read, some of which have no choice. Looking at all tables
// for each variable would take hours.
TEST(CostGraph, AWideStarIsCheap) {
  CostGraph graph;
  unsigned hub = graph.addVariable(3);
  constexpr int kLeaves = 200000;
  for (int i = 0; i < kLeaves; ++i) {
    unsigned leaf = graph.addVariable(1 + i % 2);
    graph.addCost({leaf, hub}, i % 2 ? std::vector<int64_t>{3, 2, 9, 4, 1, 9}
                                     : std::vector<int64_t>{0, 1, 0});
  }
  CostSolution s = graph.solve();
  EXPECT_EQ(s.values[hub], 1u);
  EXPECT_EQ(s.cost, kLeaves);
  EXPECT_TRUE(s.isExact());
}

} // namespace

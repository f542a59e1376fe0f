//===- PlanProblemTest.cpp - The cheapest choice, by brute force ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cost/Cost.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>
#include <set>

using namespace mlir::tensoraccess;

static PlanProblem randomProblem(std::mt19937_64 &random, size_t parts,
                                 size_t candidates, size_t edges) {
  PlanProblem problem;
  auto cost = [&] { return static_cast<double>(random() % 1000); };
  for (size_t v = 0; v != parts; ++v) {
    problem.costs.emplace_back(1 + random() % candidates);
    for (double &entry : problem.costs.back())
      entry = cost();
  }
  for (size_t e = 0; parts > 1 && e != edges; ++e) {
    PlanProblem::Edge &edge = problem.edges.emplace_back();
    edge.from = random() % parts;
    do
      edge.to = random() % parts;
    while (edge.to == edge.from);
    edge.costs.resize(problem.costs[edge.from].size() *
                      problem.costs[edge.to].size());
    for (double &entry : edge.costs)
      entry = cost();
  }
  return problem;
}

/// Adds values that one to four parts want something of.
static void addShared(std::mt19937_64 &random, PlanProblem &problem,
                      size_t values) {
  for (size_t t = 0; t != values; ++t) {
    PlanProblem::Shared &value = problem.shared.emplace_back();
    value.from = random() % problem.costs.size();
    value.numWants = 1 + random() % 4;
    for (size_t k = 1 + random() % 4; k != 0; --k) {
      PlanProblem::Shared::Want &want = value.wants.emplace_back();
      want.part = random() % problem.costs.size();
      for (size_t i = 0; i != problem.costs[want.part].size(); ++i)
        want.numbers.push_back(random() % value.numWants);
    }
    for (size_t i = 0; i != problem.costs[value.from].size() * value.numWants;
         ++i)
      value.costs.push_back(static_cast<double>(random() % 1000));
  }
}

static double bruteForce(const PlanProblem &problem) {
  std::vector<size_t> choice(problem.costs.size(), 0);
  double least = problem.getCost(choice);
  for (;;) {
    size_t v = choice.size();
    while (v != 0 && ++choice[v - 1] == problem.costs[v - 1].size())
      choice[--v] = 0;
    if (v == 0)
      return least;
    least = std::min(least, problem.getCost(choice));
  }
}

/// Whatever the graph: chains, joins, cliques, several edges of one pair.
TEST(PlanProblem, EliminationIsExact) {
  std::mt19937_64 random(5);
  for (int run = 0; run != 400; ++run) {
    PlanProblem problem = randomProblem(random, random() % 7, 4, random() % 12);
    ASSERT_EQ(problem.verify(), std::nullopt);
    std::optional<std::vector<size_t>> choice = solveByElimination(problem);
    ASSERT_TRUE(choice);
    const double least = bruteForce(problem);
    EXPECT_EQ(problem.getCost(*choice), least);
    // A descent is no better, and no change of one part helps it.
    std::vector<size_t> some = solveByDescent(problem);
    const double cost = problem.getCost(some);
    EXPECT_GE(cost, least);
    for (size_t v = 0; v != some.size(); ++v)
      for (size_t i = 0; i != problem.costs[v].size(); ++i) {
        std::vector<size_t> other = some;
        other[v] = i;
        EXPECT_GE(problem.getCost(other), cost);
      }
  }
}

/// Shared values cost once per want; pairs bound what they cost.
TEST(PlanProblem, SharedValuesCostOnce) {
  std::mt19937_64 random(7);
  int best = 0, runs = 300;
  for (int run = 0; run != runs; ++run) {
    PlanProblem problem =
        randomProblem(random, 1 + random() % 6, 4, random() % 5);
    addShared(random, problem, 1 + random() % 3);
    ASSERT_EQ(problem.verify(), std::nullopt);
    // By the definition: a set of numbers for each value.
    std::vector<size_t> some;
    for (const std::vector<double> &costs : problem.costs)
      some.push_back(random() % costs.size());
    double cost = 0;
    for (size_t v = 0; v != some.size(); ++v)
      cost += problem.costs[v][some[v]];
    for (const PlanProblem::Edge &edge : problem.edges)
      cost += edge.costs[some[edge.from] * problem.costs[edge.to].size() +
                         some[edge.to]];
    for (const PlanProblem::Shared &value : problem.shared) {
      std::set<uint32_t> numbers;
      for (const PlanProblem::Shared::Want &want : value.wants)
        numbers.insert(want.numbers[some[want.part]]);
      for (uint32_t number : numbers)
        cost += value.costs[some[value.from] * value.numWants + number];
    }
    EXPECT_EQ(problem.getCost(some), cost);
    const double least = bruteForce(problem);
    std::optional<std::vector<size_t>> choice = solveByElimination(problem);
    ASSERT_TRUE(choice);
    EXPECT_EQ(problem.getCost(*choice), least);
    std::optional<PlanBounds> pairs = solveByPairs(problem);
    ASSERT_TRUE(pairs);
    EXPECT_LE(pairs->bound, least * (1 + 1e-12));
    EXPECT_GE(problem.getCost(pairs->choice), least);
    best += problem.getCost(pairs->choice) == least;
    EXPECT_GE(problem.getCost(solveByDescent(problem, some)), least);
    EXPECT_LE(problem.getCost(solveByDescent(problem, some)), cost);
  }
  // Not exact, but good.
  EXPECT_GT(best, runs * 9 / 10);
}

/// A chain is cheap however long; a clique is beyond the budget.
TEST(PlanProblem, Budget) {
  std::mt19937_64 random(6);
  PlanProblem chain;
  for (size_t v = 0; v != 2000; ++v) {
    chain.costs.emplace_back(16, static_cast<double>(random() % 100));
    if (v == 0)
      continue;
    chain.edges.push_back({v - 1, v, std::vector<double>(256)});
    for (double &cost : chain.edges.back().costs)
      cost = static_cast<double>(random() % 100);
  }
  EXPECT_TRUE(solveByElimination(chain, 2000 * 256));
  EXPECT_FALSE(solveByElimination(chain, 1000 * 256));
  PlanProblem clique;
  clique.costs.assign(12, std::vector<double>(16, 1.0));
  for (size_t a = 0; a != 12; ++a)
    for (size_t b = 0; b != a; ++b)
      clique.edges.push_back({a, b, std::vector<double>(256, 1.0)});
  EXPECT_FALSE(solveByElimination(clique));
}

TEST(PlanProblem, Errors) {
  PlanProblem problem;
  problem.costs = {{1}, {}};
  EXPECT_EQ(problem.verify(), "part 1 has no candidates");
  problem.costs = {{1}, {1, NAN}};
  EXPECT_EQ(problem.verify(), "candidate 1 of part 1 has no finite cost");
  problem.costs = {{1}, {1, 2}};
  problem.edges = {{0, 0, {1}}};
  EXPECT_EQ(problem.verify(), "edge 0 must join two of 2 parts, got 0 and 0");
  problem.edges = {{0, 1, {1}}};
  EXPECT_EQ(problem.verify(), "edge 0 must have 2 costs, got 1");
  problem.edges = {{0, 1, {1, INFINITY}}};
  EXPECT_EQ(problem.verify(), "edge 0 has a cost that is not finite");
  problem.edges.clear();
  problem.shared = {{0, 1, {{2, {0}}}, {1}}};
  EXPECT_EQ(problem.verify(),
            "shared value 0 is of a part that is not one of 2");
  problem.shared = {{0, 2, {{1, {0, 1}}}, {1}}};
  EXPECT_EQ(problem.verify(), "shared value 0 must have 2 costs, got 1");
  problem.shared = {{0, 2, {{1, {0, 1}}}, {1, -1}}};
  EXPECT_EQ(problem.verify(),
            "shared value 0 has a cost that is negative or not finite");
  problem.shared = {{0, 2, {{1, {0}}}, {1, 1}}};
  EXPECT_EQ(problem.verify(),
            "shared value 0 must have 2 wants of part 1, got 1");
  problem.shared = {{0, 2, {{1, {0, 2}}}, {1, 1}}};
  EXPECT_EQ(problem.verify(), "shared value 0 has want 2 of 2");
}

//===- ExtractionTest.cpp - The cheapest of equal terms -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extraction against trying everything, where sharing pays, on cycles, and with
// costs that make no sense.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Extraction.h"
#include "SmallGraphs.h"
#include "TensorAccess/EGraph/Saturate.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir::tensoraccess;
using test::SmallGraph;

static constexpr uint32_t kNone = ExtractionGraph::kNone;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {

/// Least tree costs, by repeating the definition until nothing changes.
std::vector<double> relax(const SmallGraph &small, bool isDepth = false) {
  const ExtractionGraph &graph = small.graph;
  std::vector<double> costs(graph.getNumClasses(), kInfinity);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (uint32_t node = 0; node != graph.getNumNodes(); ++node) {
      double rest = 0;
      for (uint32_t child : graph.getChildren(node))
        rest = isDepth ? std::max(rest, costs[child]) : rest + costs[child];
      double &least = costs[graph.getClass(node)];
      isChanged |= small.costs[node] + rest < least;
      least = std::min(least, small.costs[node] + rest);
    }
  }
  return costs;
}

TEST(ExtractTree, IsLeast) {
  unsigned withTerm = 0;
  for (uint32_t seed = 0; seed != 2000; ++seed) {
    SmallGraph small(seed, 9);
    const std::vector<double> least = relax(small);
    std::string problem;
    std::optional<Extraction> got =
        extractTree(small.graph, small.costs, small.roots, problem);
    double sum = 0;
    for (uint32_t root : small.roots)
      sum += least[root];
    ASSERT_EQ(got.has_value(), sum < kInfinity) << "seed " << seed;
    if (!got)
      continue;
    ++withTerm;
    EXPECT_EQ(got->classCosts, least) << "seed " << seed;
    EXPECT_EQ(got->cost, sum);
    EXPECT_EQ(got->lowerBound, sum);
    EXPECT_TRUE(got->isOptimal);
    // The choice is not a cycle and as good as it says.
    EXPECT_LE(computeDagCost(small.graph, small.costs, got->choice, small.roots)
                  .value_or(kInfinity),
              sum);
  }
  EXPECT_GT(withTerm, 1000u);
}

TEST(ExtractTree, TakesAnyMonotoneCost) {
  for (uint32_t seed = 0; seed != 500; ++seed) {
    SmallGraph small(seed, 9);
    const std::vector<double> least = relax(small, /*isDepth=*/true);
    std::string problem;
    std::optional<Extraction> got = extractTree(
        small.graph,
        [&](uint32_t node, llvm::ArrayRef<double> children) {
          double most = 0;
          for (double child : children)
            most = std::max(most, child);
          return small.costs[node] + most;
        },
        {}, problem);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->classCosts, least) << "seed " << seed;
  }
}

TEST(ExtractTree, OfEqualCostsTakesTheFirstNode) {
  ExtractionGraph graph;
  uint32_t leaf = graph.addClass(), root = graph.addClass();
  uint32_t first = graph.addNode(root, {leaf});
  graph.addNode(leaf, {});
  uint32_t second = graph.addNode(root, {});
  graph.addNode(root, {});
  std::string problem;
  auto got = extractTree(graph, {1, 1, 2, 2}, {root}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->choice[root], first);
  got = extractTree(graph, {1, 1, 1, 1}, {root}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->choice[root], second);
}

TEST(ExtractTree, ReadsATable) {
  // x · 1 = x, so that the class of x has a cycle.
  NodeTable table;
  SymbolId times = table.addSymbol(2), f = table.addSymbol(1);
  ClassId one = *table.add(table.addSymbol(0), {});
  ClassId x = *table.add(table.addSymbol(0), {});
  ClassId root = *table.add(f, {*table.add(times, {x, one})});
  table.merge(x, *table.lookup(times, {x, one}));
  table.rebuild();
  ExtractionGraph graph(table);
  EXPECT_EQ(graph.getNumClasses(), 3u);
  EXPECT_EQ(graph.getNumNodes(), 4u);
  std::vector<double> costs(graph.getNumNodes(), 1);
  std::string problem;
  const uint32_t cls = graph.findClass(table.find(root));
  auto got = extractTree(graph, costs, {cls}, problem);
  ASSERT_TRUE(got) << problem;
  EXPECT_EQ(got->cost, 2);
  EXPECT_EQ(table.getSymbol(graph.getTableNode(got->choice[cls])), f);
  EXPECT_EQ(graph.getTableClass(cls), table.find(root));
  EXPECT_EQ(graph.findClass(table.getEnd()), kNone);
}

TEST(ExtractTree, NamesClassesWithoutATerm) {
  ExtractionGraph graph;
  uint32_t a = graph.addClass(), b = graph.addClass();
  graph.addNode(a, {b});
  graph.addNode(b, {a});
  std::string problem;
  EXPECT_FALSE(extractTree(graph, {1, 1}, {b}, problem));
  EXPECT_EQ(problem, "class 1 has no finite term");
  problem.clear();
  EXPECT_FALSE(extractDag(graph, {1, 1}, {a}, {}, problem));
  EXPECT_EQ(problem, "class 0 has no finite term");
  EXPECT_FALSE(extractDag(graph, {1, 1}, {7}, {}, problem));
  EXPECT_EQ(problem, "root 7 must be one of the 2 classes");
  EXPECT_FALSE(extractTree(graph, {1, 1}, {kNone}, problem));
  EXPECT_EQ(problem, "a root is not a class of the graph");
  // What is not asked for may be missing.
  EXPECT_TRUE(extractTree(graph, {1, 1}, {}, problem));
  auto nothing = extractDag(graph, {1, 1}, {}, {}, problem);
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->cost, 0);
  EXPECT_TRUE(nothing->isOptimal);
}

TEST(ExtractTree, KeepsTheProgramWhenCostsMakeNoSense) {
  ExtractionGraph graph;
  uint32_t leaf = graph.addClass(), root = graph.addClass();
  uint32_t onlyLeaf = graph.addNode(leaf, {});
  uint32_t first = graph.addNode(root, {leaf});
  uint32_t second = graph.addNode(root, {leaf});
  const double nan = std::nan("");
  std::string problem;
  // A last resort is taken where there is nothing else.
  auto got = extractTree(graph, {nan, 1, -2}, {root}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->choice[leaf], onlyLeaf);
  EXPECT_EQ(got->cost, kInfinity);
  EXPECT_EQ(got->lowerBound, 0);
  EXPECT_FALSE(got->isOptimal);
  ASSERT_EQ(got->faults.size(), 2u);
  EXPECT_EQ(describe(got->faults[0]),
            "the cost of node 0 must be a number, got nan");
  EXPECT_EQ(describe(got->faults[1],
                     [](uint32_t node) {
                       return "'f' number " + std::to_string(node);
                     }),
            "the cost of 'f' number 2 must not be negative, got -2");
  // Else it is not.
  got = extractTree(graph, {1, nan, -2}, {root}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->choice[root], second);
  EXPECT_EQ(got->cost, 1);
  // Infinity says that a node must not be chosen, and is not a fault.
  got = extractTree(graph, {1, nan, kInfinity}, {root}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->choice[root], first);
  got = extractTree(graph, {1, kInfinity, 7}, {root}, problem);
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->faults.empty());
  EXPECT_EQ(got->cost, 8);
  EXPECT_FALSE(extractTree(graph, {1, kInfinity, kInfinity}, {root}, problem));
  EXPECT_EQ(problem, "class 1 has no finite term");
}

TEST(ExtractTree, KeepsTheProgramWhenTreesAreTooLarge) {
  // Each class is used twice by the next: 2^1200 leaves.
  ExtractionGraph graph;
  uint32_t last = graph.addClass();
  graph.addNode(last, {});
  for (int i = 0; i != 1200; ++i) {
    uint32_t next = graph.addClass();
    graph.addNode(next, {last, last});
    last = next;
  }
  std::vector<double> costs(graph.getNumNodes(), 1);
  std::string problem;
  auto tree = extractTree(graph, costs, {last}, problem);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->cost, kInfinity);
  ASSERT_EQ(tree->faults.size(), 1u);
  EXPECT_EQ(describe(tree->faults[0]),
            "the cost of node 1023 is too large to be added up, got inf");
  EXPECT_EQ(computeDagCost(graph, costs, tree->choice, {last}), 1201);
  auto dag = extractDag(graph, costs, {last}, {}, problem);
  ASSERT_TRUE(dag);
  EXPECT_EQ(dag->cost, 1201);
  EXPECT_TRUE(dag->faults.empty());
}

TEST(ExtractTree, SaysWhichCostIsBelowAnOperands) {
  ExtractionGraph graph;
  uint32_t leaf = graph.addClass(), root = graph.addClass();
  graph.addNode(leaf, {});
  graph.addNode(root, {leaf});
  std::string problem;
  auto got = extractTree(
      graph,
      [](uint32_t node, llvm::ArrayRef<double>) { return node ? 2.0 : 3.0; },
      {root}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->cost, 3);
  ASSERT_EQ(got->faults.size(), 1u);
  EXPECT_EQ(describe(got->faults[0]),
            "the cost of node 1 must be at least that of each operand, got 2");
}

TEST(ExtractDag, KeepsTheProgramWhenCostsMakeNoSense) {
  ExtractionGraph graph;
  uint32_t leaf = graph.addClass(), root = graph.addClass();
  graph.addNode(leaf, {});
  uint32_t first = graph.addNode(root, {leaf});
  uint32_t second = graph.addNode(root, {});
  std::string problem;
  auto got = extractDag(graph, {1, std::nan(""), 1e308}, {root}, {}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->cost, kInfinity);
  ASSERT_EQ(got->faults.size(), 2u);
  EXPECT_EQ(describe(got->faults[1]),
            "the cost of node 2 is too large to be added up, got 1e+308");
  got = extractDag(graph, {1, std::nan(""), 1e9}, {root}, {}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->choice[root], second);
  EXPECT_EQ(got->cost, 1e9);
  got = extractDag(graph, {-1, 2, 3}, {root}, {}, problem);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->choice[root], first);
  EXPECT_EQ(got->cost, 2);
  EXPECT_EQ(got->faults.size(), 1u);
}

/// Each root f_i(p_i) has p_i from a package of its own, or from one that all
/// share and that costs more than each.
TEST(ExtractDag, SharesWhatTreesDoNot) {
  ExtractionGraph graph;
  std::vector<double> costs;
  auto add = [&](uint32_t cls, llvm::ArrayRef<uint32_t> children, double cost) {
    costs.push_back(cost);
    return graph.addNode(cls, children);
  };
  const uint32_t shared = graph.addClass();
  add(shared, {}, 10);
  std::vector<uint32_t> roots;
  for (int i = 0; i != 5; ++i) {
    uint32_t own = graph.addClass(), root = graph.addClass();
    add(own, {}, 4);
    add(root, {own}, 1);
    add(root, {shared}, 1);
    roots.push_back(root);
  }
  std::string problem;
  auto tree = extractTree(graph, costs, roots, problem);
  ASSERT_TRUE(tree);
  EXPECT_EQ(computeDagCost(graph, costs, tree->choice, roots), 25);
  auto dag = extractDag(graph, costs, roots, {}, problem);
  ASSERT_TRUE(dag);
  EXPECT_EQ(dag->cost, 15);
  EXPECT_TRUE(dag->isOptimal);
  // Without effort it is the tree extraction.
  auto lazy = extractDag(graph, costs, roots, {0}, problem);
  ASSERT_TRUE(lazy);
  EXPECT_EQ(lazy->cost, 25);
  EXPECT_LE(lazy->lowerBound, 15);
}

TEST(ExtractDag, IsNearTheLeastAndNeverCyclic) {
  unsigned withTerm = 0, optimal = 0, proven = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SmallGraph small(seed, 9);
    const double least = test::tryAll(small);
    std::string problem;
    auto got = extractDag(small.graph, small.costs, small.roots, {}, problem);
    ASSERT_EQ(got.has_value(), least < kInfinity) << "seed " << seed;
    if (!got)
      continue;
    ++withTerm;
    EXPECT_EQ(
        computeDagCost(small.graph, small.costs, got->choice, small.roots),
        got->cost)
        << "seed " << seed;
    EXPECT_GE(got->cost, least) << "seed " << seed;
    EXPECT_LE(got->lowerBound, least) << "seed " << seed;
    EXPECT_TRUE(!got->isOptimal || got->cost == least) << "seed " << seed;
    optimal += got->cost == least;
    proven += got->isOptimal;
  }
  EXPECT_GT(withTerm, 1500u);
  // In all of them, as it is now, and most are proven.
  EXPECT_GE(optimal, withTerm * 99 / 100);
  EXPECT_GE(proven, withTerm * 8 / 10);
}

TEST(ExtractDag, IsDeterministic) {
  SmallGraph small(17, 200);
  std::string problem;
  auto first = extractDag(small.graph, small.costs, small.roots, {}, problem);
  auto again = extractDag(small.graph, small.costs, small.roots, {}, problem);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->choice, again->choice);
}

TEST(ExtractDag, RefusesSenselessOptions) {
  ExtractionGraph graph;
  std::string problem;
  EXPECT_FALSE(extractDag(graph, {}, {}, {-1}, problem));
  EXPECT_EQ(problem, "the effort must not be negative, got -1");
  EXPECT_FALSE(extractDag(graph, {}, {}, {std::nan("")}, problem));
  DagOptions options;
  options.seconds = -1;
  EXPECT_FALSE(extractDag(graph, {}, {}, options, problem));
  EXPECT_EQ(problem, "the seconds of the search must not be negative, got -1");
}

TEST(ExtractDag, HasAChoiceAndABoundWhenThereIsNoTime) {
  unsigned withTerm = 0;
  DagOptions hurried;
  hurried.seconds = 0;
  for (uint32_t seed = 0; seed != 1000; ++seed) {
    SmallGraph small(seed, 9);
    const double least = test::tryAll(small);
    std::string problem;
    auto got =
        extractDag(small.graph, small.costs, small.roots, hurried, problem);
    ASSERT_EQ(got.has_value(), least < kInfinity) << "seed " << seed;
    if (!got)
      continue;
    ++withTerm;
    EXPECT_EQ(
        computeDagCost(small.graph, small.costs, got->choice, small.roots),
        got->cost)
        << "seed " << seed;
    EXPECT_GE(got->cost, least) << "seed " << seed;
    EXPECT_LE(got->lowerBound, least) << "seed " << seed;
    if (got->isOptimal) {
      EXPECT_EQ(got->cost, least) << "seed " << seed;
    }
  }
  EXPECT_GT(withTerm, 300u);
}

/// Without a solver, that is what is said.
bool hasSolver() {
  std::string problem;
  if (isExactExtractionAvailable(problem))
    return true;
  EXPECT_NE(problem.find("integer programs"), std::string::npos);
  std::string again;
  EXPECT_FALSE(extractExact({}, {}, {}, {}, again));
  EXPECT_EQ(again, problem);
  return false;
}

TEST(ExtractExact, IsLeast) {
  if (!hasSolver())
    return;
  unsigned withTerm = 0, solved = 0;
  for (uint32_t seed = 0; seed != 1000; ++seed) {
    SmallGraph small(seed, 9);
    const double least = test::tryAll(small);
    std::string problem;
    // The solver is to find it out alone.
    ExactOptions options;
    options.search.effort = 0;
    auto got =
        extractExact(small.graph, small.costs, small.roots, options, problem);
    ASSERT_EQ(got.has_value(), least < kInfinity) << "seed " << seed;
    if (!got)
      continue;
    ++withTerm;
    EXPECT_EQ(got->cost, least) << "seed " << seed;
    EXPECT_TRUE(got->isOptimal) << "seed " << seed;
    EXPECT_EQ(got->lowerBound, least) << "seed " << seed;
    EXPECT_EQ(
        computeDagCost(small.graph, small.costs, got->choice, small.roots),
        least)
        << "seed " << seed;
    auto lazy = extractDag(small.graph, small.costs, small.roots, {0}, problem);
    solved += !lazy->isOptimal;
  }
  EXPECT_GT(withTerm, 500u);
  EXPECT_GT(solved, 50u);
}

TEST(ExtractExact, IsNoWorseThanTheSearch) {
  if (!hasSolver())
    return;
  double searched = 0, solved = 0;
  for (uint32_t seed = 0; seed != 40; ++seed) {
    SmallGraph small(seed, 300);
    std::string problem;
    auto greedy =
        extractDag(small.graph, small.costs, small.roots, {}, problem);
    ExactOptions options;
    options.search.effort = 0;
    auto got =
        extractExact(small.graph, small.costs, small.roots, options, problem);
    ASSERT_EQ(got.has_value(), greedy.has_value()) << "seed " << seed;
    if (!got)
      continue;
    EXPECT_TRUE(got->isOptimal) << "seed " << seed;
    EXPECT_LE(got->cost, greedy->cost) << "seed " << seed;
    EXPECT_LE(greedy->lowerBound, got->cost) << "seed " << seed;
    EXPECT_EQ(
        computeDagCost(small.graph, small.costs, got->choice, small.roots),
        got->cost);
    searched += greedy->cost;
    solved += got->cost;
  }
  EXPECT_GT(solved, 0);
  EXPECT_LE(searched, 1.02 * solved);
}

TEST(ExtractExact, ForbidsCyclesThatAreCheaper) {
  if (!hasSolver())
    return;
  // A ring of zeros, that costs something to enter, and each time less.
  ExtractionGraph graph;
  std::vector<double> costs;
  for (uint32_t i = 0; i != 12; ++i)
    graph.addClass();
  for (uint32_t i = 0; i != 12; ++i) {
    graph.addNode(i, {(i + 1) % 12});
    costs.push_back(0);
    graph.addNode(i, {});
    costs.push_back(20 - i);
  }
  std::string problem;
  ExactOptions options;
  options.search.effort = 0;
  auto got = extractExact(graph, costs, {3, 7}, options, problem);
  ASSERT_TRUE(got) << problem;
  EXPECT_EQ(got->cost, 9);
  EXPECT_TRUE(got->isOptimal);
}

TEST(ExtractExact, GivesABoundWhereTheTimeIsOver) {
  if (!hasSolver())
    return;
  SmallGraph small(5, 400);
  std::string problem;
  ExactOptions options;
  options.seconds = 1e-9;
  auto got =
      extractExact(small.graph, small.costs, small.roots, options, problem);
  auto greedy = extractDag(small.graph, small.costs, small.roots, {}, problem);
  ASSERT_TRUE(got && greedy);
  EXPECT_EQ(got->cost, greedy->cost);
  EXPECT_GE(got->lowerBound, greedy->lowerBound);
  EXPECT_GE(got->getGap(), 0);
  EXPECT_LE(got->getGap(), 1);
  options.seconds = 0;
  EXPECT_FALSE(
      extractExact(small.graph, small.costs, small.roots, options, problem));
  EXPECT_EQ(problem, "the time limit must be positive, got 0");
}

TEST(ExtractExact, EndsInTime) {
  if (!hasSolver())
    return;
  // Covers of 3000 parts by 300 packages take longer than a test may.
  ExtractionGraph graph;
  std::vector<double> costs;
  std::mt19937 generator(3);
  const uint32_t numPackages = 300, numParts = 3000;
  for (uint32_t i = 0; i != numPackages + numParts; ++i)
    graph.addClass();
  std::vector<uint32_t> parts;
  for (uint32_t i = 0; i != numPackages; ++i) {
    graph.addNode(i, {});
    costs.push_back(1 + generator() % 100);
  }
  for (uint32_t part = numPackages; part != numPackages + numParts; ++part) {
    for (int i = 0; i != 5; ++i) {
      graph.addNode(part, {uint32_t(generator() % numPackages)});
      costs.push_back(0);
    }
    parts.push_back(part);
  }
  std::string problem;
  auto greedy = extractDag(graph, costs, parts, {}, problem);
  ASSERT_TRUE(greedy) << problem;
  ExactOptions options;
  options.seconds = 1;
  auto got = extractExact(graph, costs, parts, options, problem);
  ASSERT_TRUE(got) << problem;
  EXPECT_LE(got->cost, greedy->cost);
  EXPECT_GE(got->lowerBound, greedy->lowerBound);
  EXPECT_LE(got->lowerBound, got->cost);
  EXPECT_EQ(computeDagCost(graph, costs, got->choice, parts), got->cost);
}

TEST(ComputeDagCost, RefusesWhatIsNoChoice) {
  ExtractionGraph graph;
  uint32_t a = graph.addClass(), b = graph.addClass();
  uint32_t ab = graph.addNode(a, {b}), ba = graph.addNode(b, {a}),
           leaf = graph.addNode(b, {});
  EXPECT_EQ(computeDagCost(graph, {1, 2, 4}, {ab, leaf}, {a, b}), 5);
  EXPECT_EQ(computeDagCost(graph, {1, 2, 4}, {ab, ba}, {a}), std::nullopt);
  EXPECT_EQ(computeDagCost(graph, {1, 2, 4}, {ab, kNone}, {a}), std::nullopt);
  EXPECT_EQ(computeDagCost(graph, {1, 2, 4}, {ab, ab}, {a}), std::nullopt);
  EXPECT_EQ(computeDagCost(graph, {1, 2, 4}, {kNone, leaf}, {b}), 4);
}

} // namespace

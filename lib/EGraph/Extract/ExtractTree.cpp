//===- ExtractTree.cpp - The cheapest tree for each class -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knuth, "A generalization of Dijkstra's algorithm" (1977):
//
//   1. A node whose children are all settled has a cost and goes into a heap;
//      leaves are there from the beginning.
//   2. The cheapest node of the heap settles its class, if that isn't yet. No
//      other node of the class can be cheaper, as a node costs at least as much
//      as each of its children.
//
// Last resorts cost infinitely much: they settle what nothing else does, in the
// order of their numbers. As a class is settled after the children of the node
// that it gets, no choice is cyclic, whatever the costs are.
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"
#include "TensorAccess/EGraph/Extraction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <queue>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How many of a node's children have no term yet.
static std::vector<uint32_t> countChildren(const ExtractionGraph &graph) {
  std::vector<uint32_t> counts(graph.getNumNodes());
  for (uint32_t node = 0; node != counts.size(); ++node)
    counts[node] = graph.getChildren(node).size();
  return counts;
}

std::vector<uint32_t>
mlir::tensoraccess::detail::findTerms(const ExtractionGraph &graph,
                                      ArrayRef<double> costs) {
  const detail::Buckets users = detail::listUsers(graph);
  std::vector<uint32_t> missing = countChildren(graph);
  std::vector<uint32_t> found;
  std::vector<bool> hasTerm(graph.getNumClasses());
  auto find = [&](uint32_t node) {
    const uint32_t cls = graph.getClass(node);
    if (hasTerm[cls] || std::isinf(costs[node]))
      return;
    hasTerm[cls] = true;
    found.push_back(cls);
  };
  for (uint32_t node = 0; node != graph.getNumNodes(); ++node)
    if (missing[node] == 0)
      find(node);
  for (size_t i = 0; i != found.size(); ++i)
    for (uint32_t user : users[found[i]])
      if (--missing[user] == 0)
        find(user);
  return found;
}

/// Chooses a node for each class that has a term, and fills in choices and the
/// costs of classes. `cost` is asked once for each node whose children have
/// terms; std::nullopt is a node that is never chosen.
static Extraction
settle(const ExtractionGraph &graph,
       llvm::function_ref<std::optional<double>(uint32_t, ArrayRef<double>)>
           cost) {
  const uint32_t numNodes = graph.getNumNodes(),
                 numClasses = graph.getNumClasses();
  const detail::Buckets users = detail::listUsers(graph);
  std::vector<uint32_t> missing = countChildren(graph);

  using Entry = std::pair<double, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  Extraction result;
  result.choice.assign(numClasses, ExtractionGraph::kNone);
  result.classCosts.assign(numClasses, kInfinity);
  SmallVector<double, 8> operands;
  // The cheapest entry of each class, of which there may be several.
  std::vector<Entry> pending(numClasses, {kInfinity, ExtractionGraph::kNone});
  auto push = [&](uint32_t node) {
    operands.clear();
    for (uint32_t child : graph.getChildren(node))
      operands.push_back(result.classCosts[child]);
    std::optional<double> got = cost(node, operands);
    Entry &least = pending[graph.getClass(node)];
    if (!got || Entry(*got, node) > least)
      return;
    least = {*got, node};
    heap.push(least);
  };
  for (uint32_t node = 0; node != numNodes; ++node)
    if (missing[node] == 0)
      push(node);
  while (!heap.empty()) {
    auto [cost, node] = heap.top();
    heap.pop();
    const uint32_t cls = graph.getClass(node);
    if (result.choice[cls] != ExtractionGraph::kNone)
      continue;
    result.choice[cls] = node;
    result.classCosts[cls] = cost;
    for (uint32_t user : users[cls])
      if (--missing[user] == 0)
        push(user);
  }
  return result;
}

bool mlir::tensoraccess::detail::verifyTerms(ArrayRef<uint32_t> choice,
                                             ArrayRef<uint32_t> roots,
                                             std::string &problem) {
  for (uint32_t root : roots)
    if (choice[root] == ExtractionGraph::kNone) {
      problem = llvm::formatv("class {0} has no finite term", root);
      return false;
    }
  return true;
}

static std::optional<Extraction>
finish(Extraction result, ArrayRef<uint32_t> roots, std::string &problem) {
  if (!detail::verifyTerms(result.choice, roots, problem))
    return std::nullopt;
  for (uint32_t root : roots)
    result.cost += result.classCosts[root];
  result.isOptimal = result.cost < kInfinity;
  result.lowerBound = result.isOptimal ? result.cost : 0;
  llvm::sort(result.faults, [](const CostFault &a, const CostFault &b) {
    return a.node < b.node;
  });
  return result;
}

std::optional<Extraction>
mlir::tensoraccess::extractTree(const ExtractionGraph &graph, TreeCost cost,
                                ArrayRef<uint32_t> roots,
                                std::string &problem) {
  if (!detail::verifyRoots(graph, roots, problem))
    return std::nullopt;
  std::vector<CostFault> faults;
  Extraction result = settle(
      graph,
      [&](uint32_t node, ArrayRef<double> children) -> std::optional<double> {
        double most = 0;
        for (double child : children)
          most = std::max(most, child);
        if (most == kInfinity)
          return kInfinity;
        const double got = cost(node, children);
        if (std::isnan(got)) {
          faults.push_back({CostFault::Kind::NotANumber, node, got});
          return kInfinity;
        }
        if (got == kInfinity)
          return std::nullopt;
        if (got < 0)
          faults.push_back({CostFault::Kind::Negative, node, got});
        else if (got < most)
          faults.push_back({CostFault::Kind::BelowOperand, node, got});
        return std::max(got, most) + 0.0;
      });
  result.faults = std::move(faults);
  return finish(std::move(result), roots, problem);
}

std::optional<Extraction> mlir::tensoraccess::extractTree(
    const ExtractionGraph &graph, ArrayRef<double> costs,
    ArrayRef<uint32_t> roots, std::string &problem) {
  if (!detail::verifyRoots(graph, roots, problem))
    return std::nullopt;
  std::vector<CostFault> faults;
  std::vector<double> corrected = detail::correctCosts(graph, costs, faults);
  Extraction result = settle(
      graph,
      [&](uint32_t node, ArrayRef<double> children) -> std::optional<double> {
        double sum = corrected[node];
        if (sum == kInfinity)
          return std::nullopt;
        if (sum == detail::kLastResort)
          return kInfinity;
        bool isFinite = true;
        for (double child : children) {
          isFinite &= child < kInfinity;
          sum += child;
        }
        // The term is a last resort, as its size is unknown.
        if (isFinite && sum == kInfinity)
          faults.push_back({CostFault::Kind::TooLarge, node, sum});
        return sum;
      });
  result.faults = std::move(faults);
  return finish(std::move(result), roots, problem);
}

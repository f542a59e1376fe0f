//===- DagProblem.cpp - What matters of an e-graph to the roots -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cmath>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr uint32_t kNone = ExtractionGraph::kNone;

namespace {

/// The nodes of each class that can be in an optimum, with their children.
class Selection {
public:
  Selection(const ExtractionGraph &graph, ArrayRef<double> costs,
            const Extraction &terms)
      : graph(graph), costs(costs) {
    const uint32_t numNodes = graph.getNumNodes();
    begins.assign(graph.getNumClasses() + 1, 0);
    childBegins.reserve(numNodes + 1);
    leader.assign(numNodes, kNone);
    signatures.assign(numNodes, 0);
    for (uint32_t node = 0; node != numNodes; ++node) {
      addChildren(node);
      if (isUsable(node, terms)) {
        leader[node] = node;
        ++begins[graph.getClass(node)];
      }
    }
    uint32_t sum = 0;
    for (uint32_t &begin : begins)
      begin = sum += begin;
    nodes.resize(sum);
    for (uint32_t node = numNodes; node-- != 0;)
      if (leader[node] == node)
        nodes[--begins[graph.getClass(node)]] = node;
    for (uint32_t cls = 0; cls != graph.getNumClasses(); ++cls)
      dominate(
          ArrayRef(nodes).slice(begins[cls], begins[cls + 1] - begins[cls]));
  }

  /// Distinct and sorted.
  ArrayRef<uint32_t> getChildren(uint32_t node) const {
    return ArrayRef(children).slice(childBegins[node],
                                    childBegins[node + 1] - childBegins[node]);
  }
  template <typename Visit>
  void forEachNode(uint32_t cls, Visit visit) const {
    for (uint32_t i = begins[cls]; i != begins[cls + 1]; ++i)
      if (leader[nodes[i]] == nodes[i])
        visit(nodes[i]);
  }
  /// The node that is as good and was not left out.
  uint32_t getLeader(uint32_t node) const {
    while (leader[node] != node)
      node = leader[node];
    return node;
  }

private:
  void addChildren(uint32_t node) {
    ArrayRef<uint32_t> all = graph.getChildren(node);
    children.insert(children.end(), all.begin(), all.end());
    auto begin = children.begin() + childBegins.back();
    std::sort(begin, children.end());
    children.erase(std::unique(begin, children.end()), children.end());
    childBegins.push_back(children.size());
    for (uint32_t child : getChildren(node))
      signatures[node] |= uint64_t(1) << (child * 0x9E3779B1u >> 26);
  }

  bool isUsable(uint32_t node, const Extraction &terms) const {
    return !std::isinf(costs[node]) &&
           llvm::all_of(getChildren(node), [&](uint32_t child) {
             return child != graph.getClass(node) &&
                    terms.choice[child] != kNone;
           });
  }

  /// Gives nodes that are not needed another one as their leader. Of a class
  /// with very many nodes only neighbours are compared.
  void dominate(ArrayRef<uint32_t> members) {
    constexpr size_t kWindow = 64;
    for (size_t i = 0; i < members.size(); ++i)
      for (size_t j = i + 1; j < std::min(members.size(), i + kWindow); ++j) {
        const uint32_t a = members[i], b = members[j];
        if (leader[a] != a)
          break;
        if (leader[b] != b)
          continue;
        if (isBetter(a, b))
          leader[b] = a;
        else if (isBetter(b, a))
          leader[a] = b;
      }
  }
  bool isBetter(uint32_t a, uint32_t b) const {
    if (costs[a] > costs[b] || (signatures[a] & ~signatures[b]) != 0)
      return false;
    ArrayRef<uint32_t> all = getChildren(b), some = getChildren(a);
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  }

  const ExtractionGraph &graph;
  ArrayRef<double> costs;
  std::vector<uint32_t> begins, nodes, childBegins{0}, children, leader;
  std::vector<uint64_t> signatures;
};

/// Tarjan's algorithm on classes, without recursion.
class Components {
public:
  Components(const ExtractionGraph &graph, const Selection &selection)
      : selection(selection), lowest(graph.getNumClasses(), 0),
        component(graph.getNumClasses(), kNone) {}

  /// Visits what a class needs.
  void visit(uint32_t root) {
    if (lowest[root] != 0)
      return;
    enter(root);
    while (!frames.empty()) {
      Frame &frame = frames.back();
      if (frame.next == pending.size()) {
        leave();
        continue;
      }
      const uint32_t child = pending[frame.next++];
      if (lowest[child] == 0)
        enter(child);
      else if (component[child] == kNone)
        frame.low = std::min(frame.low, lowest[child]);
    }
  }

  /// Classes component by component, children first.
  std::vector<uint32_t> order;
  uint32_t numComponents = 0;
  uint32_t getComponent(uint32_t cls) const { return component[cls]; }

private:
  struct Frame {
    uint32_t cls, low, begin, next;
  };

  void enter(uint32_t cls) {
    lowest[cls] = ++time;
    stack.push_back(cls);
    const auto begin = static_cast<uint32_t>(pending.size());
    selection.forEachNode(cls, [&](uint32_t node) {
      ArrayRef<uint32_t> children = selection.getChildren(node);
      pending.insert(pending.end(), children.begin(), children.end());
    });
    frames.push_back({cls, time, begin, begin});
  }
  void leave() {
    Frame frame = frames.pop_back_val();
    pending.resize(frame.begin);
    const bool isFirst = frame.low == lowest[frame.cls];
    lowest[frame.cls] = frame.low;
    if (!frames.empty())
      frames.back().low = std::min(frames.back().low, frame.low);
    if (!isFirst)
      return;
    uint32_t cls;
    do {
      cls = stack.pop_back_val();
      component[cls] = numComponents;
      order.push_back(cls);
    } while (cls != frame.cls);
    ++numComponents;
  }

  const Selection &selection;
  /// When a class was met, from 1; later the earliest one that it reaches.
  std::vector<uint32_t> lowest, component;
  uint32_t time = 0;
  SmallVector<uint32_t, 0> stack, pending;
  SmallVector<Frame, 0> frames;
};

} // namespace

std::optional<DagProblem> DagProblem::make(const ExtractionGraph &graph,
                                           ArrayRef<double> costs,
                                           ArrayRef<uint32_t> roots,
                                           std::string &problem) {
  if (!verifyRoots(graph, roots, problem))
    return std::nullopt;
  DagProblem result;
  std::vector<double> corrected = correctCosts(graph, costs, result.faults);
  std::vector<uint32_t> settled;
  // What is too large as a tree may be small as a DAG.
  std::vector<CostFault> ignored;
  const Extraction terms = settleSums(graph, corrected, &settled, ignored);
  if (!verifyTerms(terms, roots, problem))
    return std::nullopt;

  // Nothing that is made of numbers is as large as a last resort.
  std::vector<double> most(graph.getNumClasses());
  for (auto [node, cost] : llvm::enumerate(corrected))
    if (cost < kLastResort)
      most[graph.getClass(node)] = std::max(most[graph.getClass(node)], cost);
  result.lastResort = 1;
  for (double cost : most)
    result.lastResort += 2 * cost;
  for (double &cost : corrected)
    if (cost == kLastResort)
      cost = result.lastResort;

  Selection selection(graph, corrected, terms);
  Components components(graph, selection);
  for (uint32_t root : roots)
    components.visit(root);
  // Within a component as they were settled.
  std::vector<uint32_t> rank(graph.getNumClasses());
  for (auto [i, cls] : llvm::enumerate(settled))
    rank[cls] = i;
  llvm::sort(components.order, [&](uint32_t a, uint32_t b) {
    return std::pair(components.getComponent(a), rank[a]) <
           std::pair(components.getComponent(b), rank[b]);
  });

  std::vector<uint32_t> numbers(graph.getNumClasses(), kNone);
  for (auto [i, cls] : llvm::enumerate(components.order))
    numbers[cls] = i;
  for (uint32_t cls : components.order) {
    const auto number = static_cast<uint32_t>(result.components.size());
    result.components.push_back(components.getComponent(cls));
    const uint32_t best = selection.getLeader(terms.choice[cls]);
    selection.forEachNode(cls, [&](uint32_t node) {
      if (node == best)
        result.trees.push_back(result.getNumNodes());
      for (uint32_t child : selection.getChildren(node))
        result.children.push_back(numbers[child]);
      std::sort(result.children.begin() + result.childBegins.back(),
                result.children.end());
      result.childBegins.push_back(result.children.size());
      result.classes.push_back(number);
      result.costs.push_back(corrected[node]);
      result.origins.push_back(node);
    });
    result.classBegins.push_back(result.getNumNodes());
  }
  assert(result.trees.size() == result.getNumClasses());
  for (uint32_t root : roots)
    result.roots.push_back(numbers[root]);
  llvm::sort(result.roots);
  result.roots.erase(llvm::unique(result.roots), result.roots.end());
  return result;
}

double DagProblem::addUp(ArrayRef<uint32_t> choice,
                         llvm::function_ref<bool(uint32_t)> isNeeded) const {
  double sum = 0;
  for (auto [cls, node] : llvm::enumerate(choice))
    if (isNeeded(cls)) {
      if (costs[node] == lastResort)
        return std::numeric_limits<double>::infinity();
      sum += costs[node];
    }
  return sum;
}

Extraction DagProblem::translate(const ExtractionGraph &graph,
                                 ArrayRef<uint32_t> choice) const {
  std::vector<bool> isNeeded(getNumClasses());
  SmallVector<uint32_t> stack(roots.begin(), roots.end());
  Extraction result;
  result.choice.assign(graph.getNumClasses(), kNone);
  while (!stack.empty()) {
    const uint32_t cls = stack.pop_back_val();
    if (isNeeded[cls])
      continue;
    isNeeded[cls] = true;
    const uint32_t origin = origins[choice[cls]];
    result.choice[graph.getClass(origin)] = origin;
    llvm::append_range(stack, getChildren(choice[cls]));
  }
  result.cost = addUp(choice, [&](uint32_t cls) { return isNeeded[cls]; });
  result.faults = faults;
  return result;
}

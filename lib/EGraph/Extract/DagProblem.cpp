//===- DagProblem.cpp - What matters of an e-graph to the roots -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <queue>
#include <tuple>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr uint32_t kNone = ExtractionGraph::kNone;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {

/// The nodes of each class that can be in an optimum, with their children.
class Selection {
public:
  Selection(const ExtractionGraph &graph, ArrayRef<double> costs,
            ArrayRef<uint32_t> rank)
      : graph(graph), costs(costs) {
    const uint32_t numNodes = graph.getNumNodes();
    childBegins.reserve(numNodes + 1);
    leader.assign(numNodes, kNone);
    signatures.assign(numNodes, 0);
    for (uint32_t node = 0; node != numNodes; ++node) {
      addChildren(node);
      if (isUsable(node, rank))
        leader[node] = node;
    }
    nodes = Buckets(graph.getNumClasses(), [&](auto add) {
      for (uint32_t node = numNodes; node-- != 0;)
        if (leader[node] == node)
          add(graph.getClass(node), node);
    });
    for (uint32_t cls = 0; cls != graph.getNumClasses(); ++cls)
      dominate(nodes[cls]);
  }

  /// Distinct and sorted.
  ArrayRef<uint32_t> getChildren(uint32_t node) const {
    return ArrayRef(children).slice(childBegins[node],
                                    childBegins[node + 1] - childBegins[node]);
  }
  template <typename Visit>
  void forEachNode(uint32_t cls, Visit visit) const {
    for (uint32_t node : nodes[cls])
      if (leader[node] == node)
        visit(node);
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

  bool isUsable(uint32_t node, ArrayRef<uint32_t> rank) const {
    return !std::isinf(costs[node]) &&
           llvm::all_of(getChildren(node), [&](uint32_t child) {
             return child != graph.getClass(node) && rank[child] != kNone;
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
  /// Of each class those that are usable.
  Buckets nodes;
  std::vector<uint32_t> childBegins{0}, children, leader;
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
  const std::vector<uint32_t> found = findTerms(graph, corrected);
  std::vector<uint32_t> rank(graph.getNumClasses(), kNone);
  for (auto [i, cls] : llvm::enumerate(found))
    rank[cls] = i;
  if (!verifyTerms(rank, roots, problem))
    return std::nullopt;

  // No sum of costs is as large as a last resort.
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

  Selection selection(graph, corrected, rank);
  Components components(graph, selection);
  for (uint32_t root : roots)
    components.visit(root);
  // Within a component as terms were found.
  for (auto begin = components.order.begin(), end = begin;
       begin != components.order.end(); begin = end) {
    const uint32_t component = components.getComponent(*begin);
    while (end != components.order.end() &&
           components.getComponent(*end) == component)
      ++end;
    std::sort(begin, end,
              [&](uint32_t a, uint32_t b) { return rank[a] < rank[b]; });
  }

  std::vector<uint32_t> numbers(graph.getNumClasses(), kNone);
  for (auto [i, cls] : llvm::enumerate(components.order))
    numbers[cls] = i;
  result.costs.reserve(graph.getNumNodes());
  result.classes.reserve(graph.getNumNodes());
  result.origins.reserve(graph.getNumNodes());
  result.childBegins.reserve(graph.getNumNodes() + 1);
  for (uint32_t cls : components.order) {
    const auto number = static_cast<uint32_t>(result.components.size());
    result.components.push_back(components.getComponent(cls));
    selection.forEachNode(cls, [&](uint32_t node) {
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
  for (uint32_t root : roots)
    result.roots.push_back(numbers[root]);
  llvm::sort(result.roots);
  result.roots.erase(llvm::unique(result.roots), result.roots.end());
  result.chooseTrees();
  return result;
}

/// Chooses the least trees of a component by sweeps over its classes until
/// nothing gets less. This is faster than a heap where few sweeps do, as for
/// cycles in the midst of terms. False if they don't, and where the choice
/// is cyclic, as costs of nothing can make it.
bool DagProblem::relax(uint32_t begin, uint32_t end,
                       std::vector<double> &values) {
  constexpr unsigned kMaxSweeps = 32;
  bool isChanged = true;
  for (unsigned sweep = 0; isChanged; ++sweep) {
    if (sweep == kMaxSweeps)
      return false;
    isChanged = false;
    for (uint32_t cls = begin; cls != end; ++cls)
      for (uint32_t node = classBegins[cls]; node != classBegins[cls + 1];
           ++node) {
        double sum = costs[node];
        for (uint32_t child : getChildren(node))
          sum += values[child];
        if (!(sum < values[cls]))
          continue;
        values[cls] = sum;
        trees[cls] = node;
        isChanged = true;
      }
  }
  // A quantity that gets less with each child is not cyclic.
  for (uint32_t cls = begin; cls != end; ++cls) {
    if (trees[cls] == kNone)
      return false;
    for (uint32_t child : getChildren(trees[cls]))
      if (child >= begin && !(values[child] < values[cls]))
        return false;
  }
  return true;
}

void DagProblem::chooseTrees() {
  using Entry = std::pair<double, uint32_t>;
  std::vector<double> values(getNumClasses(), kInfinity);
  trees.assign(getNumClasses(), kNone);
  auto addUpTree = [&](uint32_t node) {
    double sum = costs[node];
    for (uint32_t child : getChildren(node))
      sum += values[child];
    return sum;
  };
  // What follows is for components with several classes.
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::vector<uint32_t> missing;
  std::vector<Entry> pending;
  auto push = [&](uint32_t node, Entry &least) {
    // An entry that is no better than an existing one isn't needed.
    if (Entry entry(addUpTree(node), node); entry < least) {
      least = entry;
      heap.push(entry);
    }
  };
  for (uint32_t begin = 0, end = 0; begin != getNumClasses(); begin = end) {
    while (end != getNumClasses() && components[end] == components[begin])
      ++end;
    const uint32_t firstNode = classBegins[begin];
    if (end - begin == 1) {
      Entry least(0, kNone);
      for (uint32_t node = firstNode; node != classBegins[end]; ++node)
        if (Entry entry(addUpTree(node), node);
            least.second == kNone || entry < least)
          least = entry;
      std::tie(values[begin], trees[begin]) = least;
      continue;
    }
    if (relax(begin, end, values))
      continue;
    std::fill(values.begin() + begin, values.begin() + end, kInfinity);
    std::fill(trees.begin() + begin, trees.begin() + end, kNone);
    missing.assign(classBegins[end] - firstNode, 0);
    pending.assign(end - begin, {kInfinity, kNone});
    auto forEachPair = [&](auto visit) {
      for (uint32_t node = classBegins[end]; node-- != firstNode;)
        for (uint32_t child : getChildren(node))
          if (child >= begin)
            visit(child - begin, node);
    };
    forEachPair([&](uint32_t, uint32_t node) { ++missing[node - firstNode]; });
    const Buckets users(end - begin, forEachPair);
    for (uint32_t node = firstNode; node != classBegins[end]; ++node)
      if (missing[node - firstNode] == 0)
        push(node, pending[classes[node] - begin]);
    while (!heap.empty()) {
      auto [value, node] = heap.top();
      heap.pop();
      const uint32_t cls = classes[node];
      if (trees[cls] != kNone)
        continue;
      trees[cls] = node;
      values[cls] = value;
      for (uint32_t user : users[cls - begin])
        if (--missing[user - firstNode] == 0)
          push(user, pending[classes[user] - begin]);
    }
  }
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

//===- DagProblem.h - What matters of an e-graph to the roots ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A smaller graph with the same optima for its DAG cost, and what the
// algorithms of extraction share:
//
//   1. Nodes are left out that cost infinitely much, have themselves or a class
//      without a term as a child, or a sibling that costs no more and needs no
//      class that they don't.
//   2. Classes are left out that no root reaches.
//   3. Classes are numbered so that the strongly connected components come one
//      after the other, children first, and in each of them as terms were
//      found.
//   4. The least trees are what a search begins with: component by component,
//      in those with several classes as in ExtractTree.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_DAGPROBLEM_H
#define TENSORACCESS_LIB_EGRAPH_DAGPROBLEM_H

#include "TensorAccess/EGraph/Extraction.h"

#include <chrono>

namespace mlir::tensoraccess::detail {

/// For each of so many keys its numbers, in increasing order.
class Buckets {
public:
  Buckets() = default;
  /// `forEach` calls what it is given with each key and number, greater numbers
  /// first.
  template <typename ForEach>
  Buckets(uint32_t numKeys, ForEach forEach) : begins(numKeys + 1) {
    forEach([&](uint32_t key, uint32_t) { ++begins[key]; });
    uint32_t sum = 0;
    for (uint32_t &begin : begins)
      begin = sum += begin;
    numbers.resize(sum);
    forEach([&](uint32_t key, uint32_t number) {
      numbers[--begins[key]] = number;
    });
  }
  llvm::ArrayRef<uint32_t> operator[](uint32_t key) const {
    return {numbers.data() + begins[key], numbers.data() + begins[key + 1]};
  }

private:
  std::vector<uint32_t> begins, numbers;
};

/// The nodes that have a class as a child, once for each time.
template <typename Graph>
Buckets listUsers(const Graph &graph) {
  return Buckets(graph.getNumClasses(), [&](auto add) {
    for (uint32_t node = graph.getNumNodes(); node-- != 0;)
      for (uint32_t child : graph.getChildren(node))
        add(child, node);
  });
}

/// The cost of a node that is chosen only where nothing else can be.
constexpr double kLastResort = std::numeric_limits<double>::max();

/// Costs that are at least 0, kLastResort or infinite, so small that adding one
/// up for each class twice is safe, and what was wrong with the others.
std::vector<double> correctCosts(const ExtractionGraph &graph,
                                 llvm::ArrayRef<double> costs,
                                 std::vector<CostFault> &faults);

bool verifyRoots(const ExtractionGraph &graph, llvm::ArrayRef<uint32_t> roots,
                 std::string &problem);

/// The classes that have a term of nodes that don't cost infinitely much, in an
/// order in which there is one of classes before.
std::vector<uint32_t> findTerms(const ExtractionGraph &graph,
                                llvm::ArrayRef<double> costs);

/// Whether each root has a node.
bool verifyTerms(llvm::ArrayRef<uint32_t> choice,
                 llvm::ArrayRef<uint32_t> roots, std::string &problem);

struct DagProblem {
  /// std::nullopt if a root has no term.
  static std::optional<DagProblem> make(const ExtractionGraph &graph,
                                        llvm::ArrayRef<double> costs,
                                        llvm::ArrayRef<uint32_t> roots,
                                        std::string &problem);

  uint32_t getNumClasses() const { return classBegins.size() - 1; }
  uint32_t getNumNodes() const { return costs.size(); }
  /// Distinct, in increasing order.
  llvm::ArrayRef<uint32_t> getChildren(uint32_t node) const {
    return {children.data() + childBegins[node],
            children.data() + childBegins[node + 1]};
  }
  /// Fills in `trees`.
  void chooseTrees();
  bool relax(uint32_t begin, uint32_t end, std::vector<double> &values);
  /// The sum of the chosen nodes in the order of their classes. `isNeeded` selects
  /// among the rest. Infinite with a last resort.
  double addUp(llvm::ArrayRef<uint32_t> choice,
               llvm::function_ref<bool(uint32_t)> isNeeded) const;
  /// The choice in terms of the graph that the problem was made of.
  Extraction translate(const ExtractionGraph &graph,
                       llvm::ArrayRef<uint32_t> choice) const;

  /// Where the nodes of a class begin.
  std::vector<uint32_t> classBegins{0};
  std::vector<uint32_t> childBegins{0}, children;
  /// The class of each node.
  std::vector<uint32_t> classes;
  /// Last resorts have a number that is more than all others make up.
  std::vector<double> costs;
  double lastResort = 0;
  /// The node in the graph.
  std::vector<uint32_t> origins;
  /// The strongly connected component of each class. Those of a component with
  /// several classes follow each other.
  std::vector<uint32_t> components;
  /// Distinct.
  std::vector<uint32_t> roots;
  /// A choice for every class: that of least tree cost.
  std::vector<uint32_t> trees;
  std::vector<CostFault> faults;
};

using Clock = std::chrono::steady_clock;
/// When so many seconds from now are over; std::nullopt if that is never.
std::optional<Clock::time_point> getDeadline(double seconds);

/// Improves a choice for every class, which is not cyclic, and returns its cost
/// (DagSearch.cpp).
double searchDag(const DagProblem &problem, std::vector<uint32_t> &choice,
                 double effort,
                 std::optional<Clock::time_point> deadline = std::nullopt);

/// A number that no choice is below (DagBound.cpp). `choice` is a good one.
double boundDag(const DagProblem &problem, llvm::ArrayRef<uint32_t> choice,
                unsigned rounds,
                std::optional<Clock::time_point> deadline = std::nullopt);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_EGRAPH_DAGPROBLEM_H

//===- SmallGraphs.h - E-graphs small enough to try everything --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random e-graphs, of which about half have cycles and some classes no term,
// and extraction by trying every choice.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_SMALLGRAPHS_H
#define TENSORACCESS_TEST_EGRAPH_SMALLGRAPHS_H

#include "DagCost.h"
#include "TensorAccess/EGraph/Extraction.h"

#include <random>

namespace mlir::tensoraccess::test {

struct SmallGraph {
  SmallGraph(uint32_t seed, uint32_t maxClasses) : rng(seed) {
    const uint32_t numClasses = 1 + below(maxClasses);
    for (uint32_t cls = 0; cls != numClasses; ++cls)
      graph.addClass();
    const bool isCyclic = below(2);
    for (uint32_t cls = 0; cls != numClasses; ++cls) {
      const uint32_t numNodes = below(8) == 0 ? 0 : 1 + below(3);
      for (uint32_t i = 0; i != numNodes; ++i) {
        llvm::SmallVector<uint32_t> children(isCyclic || cls != 0 ? below(4)
                                                                  : 0);
        for (uint32_t &child : children)
          child = below(isCyclic ? numClasses : cls);
        graph.addNode(cls, children);
        // Zeros and ties are where cycles are tempting.
        costs.push_back(below(4) == 0 ? 0 : below(9) * 0.5);
      }
    }
    const uint32_t numRoots = 1 + below(2);
    for (uint32_t i = 0; i != numRoots; ++i)
      roots.push_back(numClasses - 1 - below(std::min(numClasses, 2u)));
  }

  uint32_t below(uint32_t n) { return rng() % n; }

  ExtractionGraph graph;
  std::vector<double> costs;
  std::vector<uint32_t> roots;

private:
  std::mt19937 rng;
};

/// The least DAG cost, or infinity, by trying every choice.
inline double tryAll(const SmallGraph &small) {
  const ExtractionGraph &graph = small.graph;
  std::vector<std::vector<uint32_t>> nodes(graph.getNumClasses());
  for (uint32_t node = 0; node != graph.getNumNodes(); ++node)
    nodes[graph.getClass(node)].push_back(node);
  std::vector<uint32_t> choice(graph.getNumClasses(), ExtractionGraph::kNone);
  std::vector<size_t> digits(graph.getNumClasses());
  double best = std::numeric_limits<double>::infinity();
  while (true) {
    for (uint32_t cls = 0; cls != choice.size(); ++cls)
      if (!nodes[cls].empty())
        choice[cls] = nodes[cls][digits[cls]];
    if (auto cost = computeDagCost(graph, small.costs, choice, small.roots))
      best = std::min(best, *cost);
    uint32_t cls = 0;
    while (cls != choice.size() &&
           (nodes[cls].empty() || ++digits[cls] == nodes[cls].size()))
      digits[cls++] = 0;
    if (cls == choice.size())
      return best;
  }
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_EGRAPH_SMALLGRAPHS_H

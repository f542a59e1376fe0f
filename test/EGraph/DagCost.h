//===- DagCost.h - What a choice costs --------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_DAGCOST_H
#define TENSORACCESS_TEST_EGRAPH_DAGCOST_H

#include "TensorAccess/EGraph/Extraction.h"

namespace mlir::tensoraccess {

/// The DAG cost of what the roots need of a choice; none where that has a cycle
/// or a class without a node.
inline std::optional<double> computeDagCost(const ExtractionGraph &graph,
                                            llvm::ArrayRef<double> costs,
                                            llvm::ArrayRef<uint32_t> choice,
                                            llvm::ArrayRef<uint32_t> roots) {
  assert(choice.size() == graph.getNumClasses() && "one choice for each class");
  enum : uint8_t { New, Open, Done };
  std::vector<uint8_t> states(graph.getNumClasses(), New);
  std::vector<std::pair<uint32_t, uint32_t>> stack;
  double cost = 0;
  auto enter = [&](uint32_t cls) {
    if (states[cls] != New)
      return states[cls] == Done;
    const uint32_t node = choice[cls];
    if (node >= graph.getNumNodes() || graph.getClass(node) != cls)
      return false;
    states[cls] = Open;
    cost += costs[node];
    stack.emplace_back(cls, 0);
    return true;
  };
  for (uint32_t root : roots) {
    if (!enter(root))
      return std::nullopt;
    while (!stack.empty()) {
      auto &[cls, next] = stack.back();
      llvm::ArrayRef<uint32_t> children = graph.getChildren(choice[cls]);
      if (next == children.size()) {
        states[cls] = Done;
        stack.pop_back();
      } else if (!enter(children[next++])) {
        return std::nullopt;
      }
    }
  }
  return cost;
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_EGRAPH_DAGCOST_H

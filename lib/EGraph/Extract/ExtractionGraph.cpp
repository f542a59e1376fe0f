//===- ExtractionGraph.cpp - What there is to choose from -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"
#include "Graph/PrintNumber.h"
#include "TensorAccess/EGraph/Extraction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;

ExtractionGraph::ExtractionGraph(const NodeTable &table) {
  assert(table.isClean() && "costs need a congruence");
  // Names are numbers of nodes, so that classes are found in their order.
  std::vector<uint32_t> numbers(table.getEnd(), kNone);
  for (NodeId node = table.getBegin(); node != table.getEnd();
       node = table.getNext(node))
    if (table.find(node) == node) {
      numbers[node] = addClass();
      names.push_back(node);
    }
  llvm::SmallVector<uint32_t, 8> operands;
  for (NodeId node = table.getBegin(); node != table.getEnd();
       node = table.getNext(node)) {
    if (table.isDead(node))
      continue;
    operands.clear();
    for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i)
      operands.push_back(numbers[table.find(table.getOperand(node, i))]);
    addNode(numbers[table.find(node)], operands);
    tableNodes.push_back(node);
  }
}

uint32_t ExtractionGraph::addNode(uint32_t cls, ArrayRef<uint32_t> operands) {
  classes.push_back(cls);
  children.insert(children.end(), operands.begin(), operands.end());
  begins.push_back(children.size());
  return classes.size() - 1;
}

uint32_t ExtractionGraph::findClass(ClassId name) const {
  auto found = llvm::lower_bound(names, name);
  return found == names.end() || *found != name ? kNone : found - names.begin();
}

std::string
mlir::tensoraccess::describe(const CostFault &fault,
                             llvm::function_ref<std::string(uint32_t)> name) {
  const std::string got = detail::printNumber(fault.cost);
  std::string node =
      name ? name(fault.node) : llvm::formatv("node {0}", fault.node).str();
  switch (fault.kind) {
  case CostFault::Kind::NotANumber:
    return llvm::formatv("the cost of {0} must be a number, got {1}", node,
                         got);
  case CostFault::Kind::Negative:
    return llvm::formatv("the cost of {0} must not be negative, got {1}", node,
                         got);
  case CostFault::Kind::TooLarge:
    return llvm::formatv("the cost of {0} is too large to be added up, got {1}",
                         node, got);
  case CostFault::Kind::BelowOperand:
    return llvm::formatv(
        "the cost of {0} must be at least that of each operand, got {1}", node,
        got);
  }
  llvm_unreachable("all kinds are covered");
}

//===----------------------------------------------------------------------===//
// Costs that can be worked with
//===----------------------------------------------------------------------===//

std::vector<double>
mlir::tensoraccess::detail::correctCosts(const ExtractionGraph &graph,
                                         ArrayRef<double> costs,
                                         std::vector<CostFault> &faults) {
  assert(costs.size() == graph.getNumNodes() && "one cost for each node");
  const double limit = std::numeric_limits<double>::max() / 4 /
                       std::pow(graph.getNumClasses() + 1.0, 2);
  std::vector<double> corrected(costs.begin(), costs.end());
  for (auto [node, cost] : llvm::enumerate(corrected)) {
    CostFault fault{CostFault::Kind::NotANumber, uint32_t(node), cost};
    if (std::isnan(cost)) {
      cost = kLastResort;
    } else if (cost < 0) {
      fault.kind = CostFault::Kind::Negative;
      cost = 0;
    } else if (cost > limit && !std::isinf(cost)) {
      fault.kind = CostFault::Kind::TooLarge;
      cost = kLastResort;
    } else {
      // Without the sign of a zero.
      cost += 0.0;
      continue;
    }
    faults.push_back(fault);
  }
  return corrected;
}

bool mlir::tensoraccess::detail::verifyRoots(const ExtractionGraph &graph,
                                             ArrayRef<uint32_t> roots,
                                             std::string &problem) {
  for (uint32_t root : roots)
    if (root >= graph.getNumClasses()) {
      problem = root == ExtractionGraph::kNone
                    ? "a root is not a class of the graph"
                    : llvm::formatv("root {0} must be one of the {1} classes",
                                    root, graph.getNumClasses())
                          .str();
      return false;
    }
  return true;
}

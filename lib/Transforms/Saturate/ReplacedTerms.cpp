//===- ReplacedTerms.cpp - What is replaced, as terms ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands first: a block's ops are in that order, and a choice is walked with
// a stack of its own.
//
//===----------------------------------------------------------------------===//

#include "ReplacedTerms.h"

using namespace mlir;
using namespace mlir::tensoraccess;

llvm::DenseMap<Value, TermId>
mlir::tensoraccess::makeOwnTerms(TermGraph &graph, Explainer &explainer,
                                 ArrayRef<Operation *> ops,
                                 llvm::DenseMap<Value, TermId> own) {
  for (Operation *op : ops) {
    std::vector<TermId> operands;
    for (Value input : TermGraph::getInputs(op)) {
      auto [known, isLeaf] = own.try_emplace(input);
      if (isLeaf)
        known->second = explainer.makeTerm(graph.getLeafSymbol(input), {});
      operands.push_back(known->second);
    }
    const TermId term = explainer.makeTerm(graph.getSymbol(op), operands);
    for (OpResult result : op->getResults())
      own[result] = op->getNumResults() == 1
                        ? term
                        : explainer.makeTerm(
                              graph.getProjectionSymbol(
                                  result.getResultNumber(), result.getType()),
                              {term});
  }
  return own;
}

TermId mlir::tensoraccess::makeChosenTerm(const TermGraph &graph,
                                          Explainer &explainer,
                                          const ExtractionGraph &nodes,
                                          const Extraction &choice,
                                          uint32_t root) {
  const NodeTable &table = graph.getTable();
  llvm::DenseMap<uint32_t, TermId> made;
  SmallVector<uint32_t> stack = {root};
  while (!stack.empty()) {
    const uint32_t cls = stack.back();
    const uint32_t node = choice.choice[cls];
    const size_t size = stack.size();
    std::vector<TermId> operands;
    for (uint32_t child : nodes.getChildren(node)) {
      auto it = made.find(child);
      if (it == made.end())
        stack.push_back(child);
      else
        operands.push_back(it->second);
    }
    if (stack.size() != size)
      continue;
    made[cls] =
        explainer.makeTerm(table.getSymbol(nodes.getTableNode(node)), operands);
    stack.pop_back();
  }
  return made.lookup(root);
}

//===- CostGraph.cpp - Choices that cost least together -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variable elimination (BucketElimination.h). If there were mini-buckets, variables
// are improved one at a time until none can be (at most 64 rounds).
//
//===----------------------------------------------------------------------===//

#include "BucketElimination.h"

#include <cassert>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

/// a + b for costs, which are at least 0.
static int64_t addCosts(int64_t a, int64_t b) {
  int64_t limit = CostGraph::kForbidden;
  return a > limit - b ? limit : a + b;
}
using Eliminator = Elimination<int64_t, addCosts>;

unsigned CostGraph::addVariable(unsigned numValues) {
  assert(numValues > 0 && "a variable must have a value");
  sizes.push_back(numValues);
  return sizes.size() - 1;
}

void CostGraph::addCost(ArrayRef<unsigned> variables,
                        std::vector<int64_t> costs) {
  assert(int64_t(costs.size()) ==
             countCombinations(variables, sizes, kForbidden) &&
         "one cost for each combination");
  assert(llvm::all_of(costs, [](int64_t cost) { return cost >= 0; }) &&
         "costs must not be negative");
  CostTable<int64_t> &table = tables.emplace_back();
  table.costs = std::move(costs);
  for (unsigned variable : variables)
    if (sizes[variable] > 1)
      table.scope.push_back(variable);
}

int64_t CostGraph::getCost(ArrayRef<unsigned> values) const {
  int64_t cost = 0;
  for (const CostTable<int64_t> &table : tables)
    cost = addCosts(cost, Eliminator::lookup(table, sizes, values));
  return cost;
}

/// Changes one variable at a time while that costs less; the new cost.
int64_t CostGraph::improve(CostSolution &solution) const {
  std::vector<SmallVector<const CostTable<int64_t> *, 2>> tablesOf(
      sizes.size());
  for (const CostTable<int64_t> &table : tables)
    for (unsigned variable : table.scope)
      tablesOf[variable].push_back(&table);
  bool changed = true;
  for (unsigned round = 0; changed && round < 64; ++round) {
    changed = false;
    for (unsigned variable = 0; variable < sizes.size(); ++variable) {
      unsigned before = solution.values[variable];
      unsigned best = Eliminator::findBest(variable, tablesOf[variable], sizes,
                                           solution.values, before);
      solution.values[variable] = best;
      changed |= best != before;
    }
  }
  return getCost(solution.values);
}

CostSolution CostGraph::solve(int64_t maxEntries) const {
  uint64_t budget = std::numeric_limits<uint64_t>::max();
  Eliminator::Solution found =
      *Eliminator(sizes).solve(tables, maxEntries, budget);
  CostSolution solution;
  solution.values = std::move(found.values);
  solution.lowerBound = found.lowerBound;
  solution.width = found.width;
  solution.cost = found.isExact ? getCost(solution.values) : improve(solution);
  return solution;
}

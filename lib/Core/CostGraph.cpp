//===- CostGraph.cpp - Choices that cost least together -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Take the variable whose elimination makes the smallest table (the first of
//    equals).
// 2. Its bucket: all tables that speak of it, those made so far included. They
//    are added up in groups whose common table is small enough, in order; one
//    group is the rule, more are mini-buckets.
// 3. Each group's minimum over the variable is a new table. A table over
//    nothing is a part of the lower bound.
// 4. Backwards, each variable takes the value that is least in its bucket,
//    given those that were eliminated after it.
// 5. If there were mini-buckets, variables are improved one at a time until
//    none can be (at most 64 rounds).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/CostGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <deque>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

/// a + b for costs, which are at least 0.
static int64_t addCosts(int64_t a, int64_t b) {
  int64_t limit = CostGraph::kForbidden;
  return a > limit - b ? limit : a + b;
}

unsigned CostGraph::addVariable(unsigned numValues) {
  assert(numValues > 0 && "a variable must have a value");
  sizes.push_back(numValues);
  return sizes.size() - 1;
}

void CostGraph::addCost(ArrayRef<unsigned> variables,
                        std::vector<int64_t> costs) {
  assert(int64_t(costs.size()) == countEntries(variables, kForbidden) &&
         "one cost for each combination");
  assert(llvm::all_of(costs, [](int64_t cost) { return cost >= 0; }) &&
         "costs must not be negative");
  tables.push_back({SmallVector<unsigned, 4>(variables), std::move(costs)});
}

/// The number of combinations, at most `limit`.
int64_t CostGraph::countEntries(ArrayRef<unsigned> scope, int64_t limit) const {
  int64_t entries = 1;
  for (unsigned variable : scope) {
    if (entries > limit / sizes[variable])
      return limit;
    entries *= sizes[variable];
  }
  return entries;
}

int64_t CostGraph::lookup(const Table &table, ArrayRef<unsigned> values) const {
  size_t entry = 0;
  for (unsigned variable : table.scope)
    entry = entry * sizes[variable] + values[variable];
  return table.costs[entry];
}

int64_t CostGraph::getCost(ArrayRef<unsigned> values) const {
  int64_t cost = 0;
  for (const Table &table : tables)
    cost = addCosts(cost, lookup(table, values));
  return cost;
}

/// The variables of some tables but for one, ascending.
template <typename RangeT>
static SmallVector<unsigned> joinScopes(const RangeT &tables,
                                        unsigned without) {
  SmallVector<unsigned> scope;
  for (const auto *table : tables)
    for (unsigned variable : table->scope)
      if (variable != without)
        scope.push_back(variable);
  llvm::sort(scope);
  scope.erase(llvm::unique(scope), scope.end());
  return scope;
}

CostGraph::Table CostGraph::minimise(ArrayRef<const Table *> group,
                                     unsigned variable) const {
  Table result;
  SmallVector<unsigned> scope = joinScopes(group, variable);
  result.scope.assign(scope.begin(), scope.end());
  result.costs.assign(countEntries(scope, kForbidden), kForbidden);
  SmallVector<unsigned> values(sizes.size(), 0);
  for (int64_t &entry : result.costs) {
    for (values[variable] = 0; values[variable] < sizes[variable];
         ++values[variable]) {
      int64_t cost = 0;
      for (const Table *table : group)
        cost = addCosts(cost, lookup(*table, values));
      entry = std::min(entry, cost);
    }
    values[variable] = 0;
    for (size_t i = scope.size();
         i-- > 0 && ++values[scope[i]] == sizes[scope[i]];)
      values[scope[i]] = 0;
  }
  return result;
}

/// Changes one variable at a time while that costs less; the new cost.
int64_t CostGraph::improve(CostSolution &solution) const {
  int64_t cost = getCost(solution.values);
  bool changed = true;
  for (unsigned round = 0; changed && round < 64; ++round) {
    changed = false;
    for (unsigned variable = 0; variable < sizes.size(); ++variable) {
      unsigned best = solution.values[variable];
      for (unsigned value = 0; value < sizes[variable]; ++value) {
        solution.values[variable] = value;
        int64_t other = getCost(solution.values);
        if (other < cost) {
          cost = other;
          best = value;
          changed = true;
        }
      }
      solution.values[variable] = best;
    }
  }
  return cost;
}

CostSolution CostGraph::solve(int64_t maxEntries) const {
  CostSolution solution;
  solution.values.assign(sizes.size(), 0);
  // A deque: tables stay where they are.
  std::deque<Table> made;
  std::vector<const Table *> live;
  for (const Table &table : tables)
    live.push_back(&table);
  auto left = llvm::to_vector(llvm::seq<unsigned>(0, sizes.size()));
  std::vector<std::pair<unsigned, std::vector<const Table *>>> buckets;
  bool exact = true;
  while (!left.empty()) {
    // Step 1.
    std::vector<SmallVector<unsigned>> neighbours(sizes.size());
    for (const Table *table : live)
      for (unsigned variable : table->scope)
        llvm::append_range(neighbours[variable], table->scope);
    unsigned variable = left.front();
    int64_t least = kForbidden;
    for (unsigned candidate : left) {
      SmallVector<unsigned> &scope = neighbours[candidate];
      llvm::sort(scope);
      scope.erase(llvm::unique(scope), scope.end());
      int64_t entries = countEntries(scope, kForbidden);
      if (entries < least) {
        least = entries;
        variable = candidate;
      }
    }
    llvm::erase(left, variable);

    // Step 2.
    std::vector<const Table *> bucket, others;
    for (const Table *table : live)
      (llvm::is_contained(table->scope, variable) ? bucket : others)
          .push_back(table);
    SmallVector<SmallVector<const Table *>, 1> groups;
    for (const Table *table : bucket) {
      auto group = llvm::find_if(groups, [&](auto &group) {
        SmallVector<const Table *> joined = group;
        joined.push_back(table);
        SmallVector<unsigned> scope = joinScopes(joined, variable);
        scope.push_back(variable);
        return countEntries(scope, kForbidden) <= maxEntries;
      });
      if (group == groups.end())
        groups.emplace_back().push_back(table);
      else
        group->push_back(table);
    }
    exact &= groups.size() <= 1;

    // Step 3.
    live = std::move(others);
    for (ArrayRef<const Table *> group : groups) {
      made.push_back(minimise(group, variable));
      solution.width =
          std::max<unsigned>(solution.width, made.back().scope.size() + 1);
      if (made.back().scope.empty())
        solution.lowerBound =
            addCosts(solution.lowerBound, made.back().costs.front());
      else
        live.push_back(&made.back());
    }
    buckets.emplace_back(variable, std::move(bucket));
  }
  for (const Table *table : live)
    solution.lowerBound = addCosts(solution.lowerBound, table->costs.front());

  // Step 4.
  for (auto &[variable, bucket] : llvm::reverse(buckets)) {
    unsigned best = 0;
    int64_t least = kForbidden;
    for (unsigned value = 0; value < sizes[variable]; ++value) {
      solution.values[variable] = value;
      int64_t cost = 0;
      for (const Table *table : bucket)
        cost = addCosts(cost, lookup(*table, solution.values));
      if (cost < least) {
        least = cost;
        best = value;
      }
    }
    solution.values[variable] = best;
  }
  // Step 5.
  solution.cost = exact ? getCost(solution.values) : improve(solution);
  return solution;
}

CostSolution CostGraph::solveExhaustively() const {
  CostSolution best;
  best.values.assign(sizes.size(), 0);
  best.cost = getCost(best.values);
  SmallVector<unsigned> values(sizes.size(), 0);
  while (true) {
    size_t i = sizes.size();
    while (i > 0 && ++values[i - 1] == sizes[i - 1])
      values[--i] = 0;
    if (i == 0)
      break;
    int64_t cost = getCost(values);
    if (cost < best.cost) {
      best.cost = cost;
      best.values = values;
    }
  }
  best.lowerBound = best.cost;
  best.width = sizes.size();
  return best;
}

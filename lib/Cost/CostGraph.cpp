//===- CostGraph.cpp - Choices that cost least together -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Take the variable whose elimination makes the smallest table (the first of
//    equals): a queue by that size, which is kept up from how many tables each
//    two variables share. Variables without a choice are in no table.
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

#include "TensorAccess/Cost/Cost.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <set>

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
  // A dimension of size 1 has no part in where an entry lies.
  Table &table = tables.emplace_back();
  table.costs = std::move(costs);
  for (unsigned variable : variables)
    if (sizes[variable] > 1)
      table.scope.push_back(variable);
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

CostGraph::Table
CostGraph::minimise(const Group &group, unsigned variable,
                    llvm::MutableArrayRef<unsigned> values) const {
  Table result;
  ArrayRef<unsigned> scope = group.scope;
  result.scope.assign(scope.begin(), scope.end());
  result.costs.assign(countEntries(scope, kForbidden), kForbidden);
  for (unsigned other : scope)
    values[other] = 0;
  for (int64_t &entry : result.costs) {
    for (values[variable] = 0; values[variable] < sizes[variable];
         ++values[variable]) {
      int64_t cost = 0;
      for (const Table *table : group.tables)
        cost = addCosts(cost, lookup(*table, values));
      entry = std::min(entry, cost);
    }
    for (size_t i = scope.size();
         i-- > 0 && ++values[scope[i]] == sizes[scope[i]];)
      values[scope[i]] = 0;
  }
  return result;
}

/// The value that costs least in some tables, given those of the others.
unsigned CostGraph::findBest(unsigned variable, ArrayRef<const Table *> bucket,
                             llvm::MutableArrayRef<unsigned> values,
                             unsigned best) const {
  int64_t least = kForbidden;
  auto look = [&](unsigned value) {
    values[variable] = value;
    int64_t cost = 0;
    for (const Table *table : bucket)
      cost = addCosts(cost, lookup(*table, values));
    if (cost < least) {
      least = cost;
      best = value;
    }
  };
  look(best);
  for (unsigned value = 0; value < sizes[variable]; ++value)
    look(value);
  return best;
}

/// Changes one variable at a time while that costs less; the new cost.
int64_t CostGraph::improve(CostSolution &solution) const {
  std::vector<SmallVector<const Table *, 2>> tablesOf(sizes.size());
  for (const Table &table : tables)
    for (unsigned variable : table.scope)
      tablesOf[variable].push_back(&table);
  bool changed = true;
  for (unsigned round = 0; changed && round < 64; ++round) {
    changed = false;
    for (unsigned variable = 0; variable < sizes.size(); ++variable) {
      unsigned before = solution.values[variable];
      unsigned best =
          findBest(variable, tablesOf[variable], solution.values, before);
      solution.values[variable] = best;
      changed |= best != before;
    }
  }
  return getCost(solution.values);
}

namespace {

/// Who shares live tables with whom.
class Neighbourhood {
public:
  explicit Neighbourhood(ArrayRef<unsigned> sizes)
      : sizes(sizes), shared(sizes.size()), ofSize(sizes.size()) {}

  /// Adds a table over `scope`, or takes one away.
  void add(ArrayRef<unsigned> scope, int sign) {
    for (unsigned variable : scope)
      for (unsigned other : scope) {
        int &count = shared[variable][other];
        if (count == (sign > 0 ? 0 : 1))
          ofSize[variable][sizes[other]] += sign;
        count += sign;
      }
  }

  /// The entries of all that share a table with the variable, at most `limit`.
  int64_t countEntries(unsigned variable, int64_t limit) const {
    int64_t entries = 1;
    for (auto [size, count] : ofSize[variable])
      for (int i = 0; i < count; ++i) {
        if (entries > limit / size)
          return limit;
        entries *= size;
      }
    return entries;
  }

private:
  ArrayRef<unsigned> sizes;
  /// The tables that two variables share; how many neighbours have a size.
  std::vector<llvm::SmallDenseMap<unsigned, int, 4>> shared;
  std::vector<std::map<int64_t, int>> ofSize;
};

} // namespace

/// Step 2: the tables in groups whose common table is small enough.
SmallVector<CostGraph::Group, 1>
CostGraph::makeGroups(ArrayRef<const Table *> bucket, unsigned variable,
                      int64_t maxEntries) const {
  SmallVector<Group, 1> groups;
  for (const Table *table : bucket) {
    SmallVector<unsigned, 4> scope(table->scope);
    llvm::erase(scope, variable);
    llvm::sort(scope);
    SmallVector<unsigned, 4> joined;
    auto fits = [&](Group &group) {
      joined.clear();
      std::set_union(scope.begin(), scope.end(), group.scope.begin(),
                     group.scope.end(), std::back_inserter(joined));
      return countEntries(joined, kForbidden) <= maxEntries / sizes[variable];
    };
    auto group = llvm::find_if(groups, fits);
    if (group == groups.end()) {
      groups.push_back({{table}, std::move(scope)});
    } else {
      group->tables.push_back(table);
      group->scope = joined;
    }
  }
  return groups;
}

CostSolution CostGraph::solve(int64_t maxEntries) const {
  CostSolution solution;
  solution.values.assign(sizes.size(), 0);
  // A deque: tables stay where they are.
  std::deque<Table> made;
  // By variable: its tables, also those that another variable was eliminated
  // from.
  std::vector<SmallVector<const Table *, 2>> tablesOf(sizes.size());
  llvm::BitVector isLeft(sizes.size(), true);
  Neighbourhood neighbours(sizes);
  auto addTable = [&](const Table &table) {
    if (table.scope.empty())
      solution.lowerBound = addCosts(solution.lowerBound, table.costs.front());
    for (unsigned variable : table.scope)
      tablesOf[variable].push_back(&table);
    neighbours.add(table.scope, 1);
  };
  for (const Table &table : tables)
    addTable(table);
  std::set<std::pair<int64_t, unsigned>> queue;
  SmallVector<int64_t> entries;
  for (unsigned variable = 0; variable < sizes.size(); ++variable) {
    entries.push_back(neighbours.countEntries(variable, kForbidden));
    queue.emplace(entries[variable], variable);
  }
  std::vector<std::pair<unsigned, SmallVector<const Table *, 2>>> buckets;
  SmallVector<unsigned> values(sizes.size(), 0);
  bool exact = true;
  while (!queue.empty()) {
    // Step 1.
    unsigned variable = queue.begin()->second;
    queue.erase(queue.begin());

    // Step 2.
    isLeft[variable] = false;
    SmallVector<const Table *, 2> bucket = std::move(tablesOf[variable]);
    llvm::erase_if(bucket, [&](const Table *table) {
      return llvm::any_of(table->scope, [&](unsigned other) {
        return other != variable && !isLeft[other];
      });
    });
    SmallVector<Group, 1> groups = makeGroups(bucket, variable, maxEntries);
    exact &= groups.size() <= 1;

    // Step 3.
    llvm::SmallDenseSet<unsigned, 8> touched;
    for (const Table *table : bucket) {
      neighbours.add(table->scope, -1);
      touched.insert(table->scope.begin(), table->scope.end());
    }
    touched.erase(variable);
    for (const Group &group : groups) {
      made.push_back(minimise(group, variable, values));
      solution.width =
          std::max<unsigned>(solution.width, made.back().scope.size() + 1);
      addTable(made.back());
    }
    for (unsigned other : touched) {
      queue.erase({entries[other], other});
      entries[other] = neighbours.countEntries(other, kForbidden);
      queue.emplace(entries[other], other);
    }
    buckets.emplace_back(variable, std::move(bucket));
  }

  // Step 4.
  for (auto &[variable, bucket] : llvm::reverse(buckets))
    solution.values[variable] =
        findBest(variable, bucket, solution.values, /*best=*/0);
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

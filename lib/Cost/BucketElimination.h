//===- BucketElimination.h - Choices of least cost --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices that cost least together, by bucket elimination, for costs of any
// kind (`Add` adds them up). A table is a function of some
// variables' values, the last of which changes fastest.
//
// 1. Take the variable whose elimination makes the smallest table (the first of
//    equals): a queue by that size, which is kept up from how many tables each
//    two variables share. Variables without a choice are in no table.
// 2. Its bucket: all tables that mention it, those made so far included. They
//    are added up in groups whose common table is small enough, in order; one
//    group is the rule, more are mini-buckets.
// 3. Each group's minimum over the variable is a new table: for each combination
//    of the others' values the least sum, where offsets into the tables move
//    along with the combination's digits. A table over nothing is a part of the
//    lower bound.
// 4. Backwards, each variable takes the value that is least in its bucket,
//    given those that were eliminated after it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_COST_BUCKETELIMINATION_H
#define TENSORACCESS_LIB_COST_BUCKETELIMINATION_H

#include "TensorAccess/Cost/Cost.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace mlir::tensoraccess {

/// Combinations of values, at most `limit`.
inline int64_t countCombinations(llvm::ArrayRef<unsigned> scope,
                                 llvm::ArrayRef<unsigned> sizes,
                                 int64_t limit) {
  int64_t entries = 1;
  for (unsigned variable : scope) {
    if (entries > limit / sizes[variable])
      return limit;
    entries *= sizes[variable];
  }
  return entries;
}

/// Which variables share live tables.
class SharedTables {
public:
  explicit SharedTables(llvm::ArrayRef<unsigned> sizes)
      : sizes(sizes), shared(sizes.size()), ofSize(sizes.size()) {}

  /// Adds a table over `scope`, or takes one away.
  void add(llvm::ArrayRef<unsigned> scope, int sign) {
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
  llvm::ArrayRef<unsigned> sizes;
  /// The tables that two variables share; how many neighbours have a size.
  std::vector<llvm::SmallDenseMap<unsigned, int, 4>> shared;
  std::vector<std::map<int64_t, int>> ofSize;
};

template <typename Cost, Cost (*Add)(Cost, Cost)>
class Elimination {
public:
  using Table = CostTable<Cost>;
  struct Solution {
    llvm::SmallVector<unsigned> values;
    Cost lowerBound = 0;
    /// Variables of the largest table that was built, the eliminated one
    /// included.
    unsigned width = 0;
    /// Whether there were no mini-buckets.
    bool isExact = true;
  };

  Elimination(llvm::ArrayRef<unsigned> sizes) : sizes(sizes) {}

  /// What the values of `scope` cost in a table; variables of one value are in
  /// no scope.
  static Cost lookup(const Table &table, llvm::ArrayRef<unsigned> sizes,
                     llvm::ArrayRef<unsigned> values) {
    size_t entry = 0;
    for (unsigned variable : table.scope)
      entry = entry * sizes[variable] + values[variable];
    return table.costs[entry];
  }

  /// The value that costs least in some tables, given those of the others;
  /// `best` of equals, else the first.
  static unsigned findBest(unsigned variable,
                           llvm::ArrayRef<const Table *> bucket,
                           llvm::ArrayRef<unsigned> sizes,
                           llvm::MutableArrayRef<unsigned> values,
                           unsigned best) {
    Cost least = std::numeric_limits<Cost>::max();
    auto look = [&](unsigned value) {
      values[variable] = value;
      Cost cost = 0;
      for (const Table *table : bucket)
        cost = Add(cost, lookup(*table, sizes, values));
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

  /// The least choice by tables of at most `maxEntries` entries. std::nullopt
  /// where that takes more than `budget` entries times values, of which what is
  /// used is taken away.
  std::optional<Solution> solve(llvm::ArrayRef<Table> tables,
                                int64_t maxEntries, uint64_t &budget) const;

private:
  /// Tables that one variable is eliminated from, and their other variables,
  /// ascending.
  struct Group {
    std::vector<const Table *> tables;
    llvm::SmallVector<unsigned, 4> scope;
  };
  llvm::SmallVector<Group, 1> makeGroups(llvm::ArrayRef<const Table *> bucket,
                                         unsigned variable,
                                         int64_t maxEntries) const;
  Table minimise(const Group &group, unsigned variable) const;

  llvm::ArrayRef<unsigned> sizes;
};

/// Step 2: the tables in groups whose common table is small enough.
template <typename Cost, Cost (*Add)(Cost, Cost)>
auto Elimination<Cost, Add>::makeGroups(llvm::ArrayRef<const Table *> bucket,
                                        unsigned variable,
                                        int64_t maxEntries) const
    -> llvm::SmallVector<Group, 1> {
  llvm::SmallVector<Group, 1> groups;
  for (const Table *table : bucket) {
    llvm::SmallVector<unsigned, 4> scope(table->scope);
    llvm::erase(scope, variable);
    llvm::sort(scope);
    llvm::SmallVector<unsigned, 4> joined;
    auto fits = [&](Group &group) {
      joined.clear();
      std::set_union(scope.begin(), scope.end(), group.scope.begin(),
                     group.scope.end(), std::back_inserter(joined));
      return countCombinations(joined, sizes,
                               std::numeric_limits<int64_t>::max()) <=
             maxEntries / sizes[variable];
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

/// Step 3.
template <typename Cost, Cost (*Add)(Cost, Cost)>
auto Elimination<Cost, Add>::minimise(const Group &group,
                                      unsigned variable) const -> Table {
  // How the offset into a table changes with each digit.
  struct Use {
    const Table *table;
    llvm::SmallVector<size_t, 4> strides; ///< by variable of the scope
    size_t own = 0, offset = 0;
  };
  llvm::ArrayRef<unsigned> scope = group.scope;
  std::vector<Use> uses;
  for (const Table *table : group.tables) {
    Use &use = uses.emplace_back();
    use.table = table;
    use.strides.assign(scope.size(), 0);
    size_t stride = 1;
    for (unsigned other : llvm::reverse(table->scope)) {
      if (other == variable)
        use.own = stride;
      else
        use.strides[llvm::find(scope, other) - scope.begin()] = stride;
      stride *= sizes[other];
    }
  }
  Table result;
  result.scope.assign(scope.begin(), scope.end());
  result.costs.resize(
      countCombinations(scope, sizes, std::numeric_limits<int64_t>::max()));
  llvm::SmallVector<unsigned, 4> digits(scope.size(), 0);
  std::vector<Cost> row(sizes[variable]);
  for (Cost &entry : result.costs) {
    std::fill(row.begin(), row.end(), Cost(0));
    for (const Use &use : uses)
      for (size_t i = 0; i != row.size(); ++i)
        row[i] = Add(row[i], use.table->costs[use.offset + i * use.own]);
    entry = *std::min_element(row.begin(), row.end());
    for (size_t d = scope.size(); d-- != 0;) {
      const bool isOver = ++digits[d] == sizes[scope[d]];
      for (Use &use : uses)
        use.offset +=
            isOver ? -use.strides[d] * (digits[d] - 1) : use.strides[d];
      if (!isOver)
        break;
      digits[d] = 0;
    }
  }
  return result;
}

template <typename Cost, Cost (*Add)(Cost, Cost)>
auto Elimination<Cost, Add>::solve(llvm::ArrayRef<Table> tables,
                                   int64_t maxEntries, uint64_t &budget) const
    -> std::optional<Solution> {
  constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
  Solution solution;
  solution.values.assign(sizes.size(), 0);
  // A deque: tables stay where they are.
  std::deque<Table> made;
  // By variable: its tables, also those that another variable was eliminated
  // from.
  std::vector<llvm::SmallVector<const Table *, 2>> tablesOf(sizes.size());
  llvm::BitVector isLeft(sizes.size(), true);
  SharedTables neighbours(sizes);
  auto addTable = [&](const Table &table) {
    if (table.scope.empty())
      solution.lowerBound = Add(solution.lowerBound, table.costs.front());
    for (unsigned variable : table.scope)
      tablesOf[variable].push_back(&table);
    neighbours.add(table.scope, 1);
  };
  for (const Table &table : tables)
    addTable(table);
  std::set<std::pair<int64_t, unsigned>> queue;
  llvm::SmallVector<int64_t> entries;
  for (unsigned variable = 0; variable < sizes.size(); ++variable) {
    entries.push_back(neighbours.countEntries(variable, kNoLimit));
    queue.emplace(entries[variable], variable);
  }
  std::vector<std::pair<unsigned, llvm::SmallVector<const Table *, 2>>> buckets;
  while (!queue.empty()) {
    // Step 1.
    unsigned variable = queue.begin()->second;
    queue.erase(queue.begin());

    // Step 2.
    isLeft[variable] = false;
    llvm::SmallVector<const Table *, 2> bucket = std::move(tablesOf[variable]);
    llvm::erase_if(bucket, [&](const Table *table) {
      return llvm::any_of(table->scope, [&](unsigned other) {
        return other != variable && !isLeft[other];
      });
    });
    llvm::SmallVector<Group, 1> groups =
        makeGroups(bucket, variable, maxEntries);
    solution.isExact &= groups.size() <= 1;

    // Step 3.
    llvm::SmallDenseSet<unsigned, 8> touched;
    for (const Table *table : bucket) {
      neighbours.add(table->scope, -1);
      touched.insert(table->scope.begin(), table->scope.end());
    }
    touched.erase(variable);
    for (const Group &group : groups) {
      // Each entry looks at all values.
      uint64_t work = countCombinations(group.scope, sizes, kNoLimit);
      if (__builtin_mul_overflow(work, sizes[variable], &work) || work > budget)
        return std::nullopt;
      budget -= work;
      made.push_back(minimise(group, variable));
      solution.width =
          std::max<unsigned>(solution.width, made.back().scope.size() + 1);
      addTable(made.back());
    }
    for (unsigned other : touched) {
      queue.erase({entries[other], other});
      entries[other] = neighbours.countEntries(other, kNoLimit);
      queue.emplace(entries[other], other);
    }
    buckets.emplace_back(variable, std::move(bucket));
  }

  // Step 4.
  for (auto &[variable, bucket] : llvm::reverse(buckets))
    solution.values[variable] =
        findBest(variable, bucket, sizes, solution.values, /*best=*/0);
  return solution;
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_COST_BUCKETELIMINATION_H

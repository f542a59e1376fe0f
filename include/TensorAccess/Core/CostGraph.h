//===- CostGraph.h - Choices that cost least together -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables with finitely many values, and tables of costs over a few variables
// each; wanted is the choice of values whose tables sum to the least:
//
//   CostGraph graph;
//   unsigned a = graph.addVariable(2), b = graph.addVariable(3);
//   graph.addCost({a}, {0, 10});
//   graph.addCost({a, b}, {5, 0, 7,      // a = 0
//                          0, 0, CostGraph::kForbidden});
//   CostSolution s = graph.solve();      // s.values = {0, 1}, s.cost = 0
//
// Solved by *variable elimination*: a variable is removed by adding up the
// tables that speak of it and keeping the least over its values, which is a
// table over its neighbours. That is exact, and cheap where the graph is like a
// tree (deep networks are: chains with short cuts). A table of more entries
// than `maxEntries` is not built; it is cut into several that are minimised
// each on its own (*mini-buckets*): their sum is a bound from below, and the
// answer says how far above it is.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_COSTGRAPH_H
#define TENSORACCESS_CORE_COSTGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace mlir::tensoraccess {

/// A choice for each variable of a graph.
struct CostSolution {
  llvm::SmallVector<unsigned> values;
  /// What the choice costs; kForbidden if every choice is forbidden.
  int64_t cost = 0;
  /// No choice costs less than this. Equal to `cost` iff the answer is known to
  /// be least.
  int64_t lowerBound = 0;
  /// Variables of the largest table that was built, the eliminated one
  /// included.
  unsigned width = 0;

  bool isExact() const { return cost == lowerBound; }
};

class CostGraph {
public:
  /// The cost of what must not be; sums saturate here.
  static constexpr int64_t kForbidden = std::numeric_limits<int64_t>::max();

  /// A variable with values 0 … numValues - 1; requires at least one.
  unsigned addVariable(unsigned numValues);
  /// A table over distinct variables, row-major, the last one fastest. Requires
  /// one entry of at least 0 for each combination. Tables add up.
  void addCost(llvm::ArrayRef<unsigned> variables, std::vector<int64_t> costs);

  unsigned getNumVariables() const { return sizes.size(); }
  unsigned getNumValues(unsigned variable) const { return sizes[variable]; }
  /// The cost of a choice.
  int64_t getCost(llvm::ArrayRef<unsigned> values) const;

  /// The least choice, as described above. Deterministic: of equals, the one
  /// with smaller values in the order of elimination. Time and memory grow
  /// with `maxEntries` times the number of tables.
  CostSolution solve(int64_t maxEntries = int64_t(1) << 20) const;
  /// The same by trying every choice: the definition. Requires that there are
  /// fewer than 2^32.
  CostSolution solveExhaustively() const;

private:
  struct Table {
    llvm::SmallVector<unsigned, 4> scope;
    std::vector<int64_t> costs;
  };
  int64_t lookup(const Table &table, llvm::ArrayRef<unsigned> values) const;
  /// Tables that one variable is eliminated from, and their other variables,
  /// ascending.
  struct Group {
    std::vector<const Table *> tables;
    llvm::SmallVector<unsigned, 4> scope;
  };
  llvm::SmallVector<Group, 1> makeGroups(llvm::ArrayRef<const Table *> bucket,
                                         unsigned variable,
                                         int64_t maxEntries) const;
  Table minimise(const Group &group, unsigned variable,
                 llvm::MutableArrayRef<unsigned> values) const;
  unsigned findBest(unsigned variable, llvm::ArrayRef<const Table *> bucket,
                    llvm::MutableArrayRef<unsigned> values,
                    unsigned best) const;
  int64_t countEntries(llvm::ArrayRef<unsigned> scope, int64_t limit) const;
  int64_t improve(CostSolution &solution) const;

  llvm::SmallVector<unsigned> sizes;
  std::vector<Table> tables;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_COSTGRAPH_H

//===- PlanProblem.h - Choices that cost in pairs ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan picks one of several candidates for each of many parts of a program.
// A candidate has a cost of its own, and two parts that exchange data have a
// cost for each pair of their candidates. Find the choice that costs least.
//
// *Variable elimination* is exact: the part whose neighbours have the fewest
// combinations of candidates is taken out, its best candidate for each of these
// combinations kept in a table, and the table is one cost more among the
// neighbours. A chain takes Σ k² steps, one with residual joins Σ k³. Where a
// table would have too many entries, there is no answer that way.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PLANPROBLEM_H
#define TENSORACCESS_CORE_PLANPROBLEM_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// Entries of all tables together, at most.
inline constexpr uint64_t kPlanTableBudget = 1u << 27;

/// A value; members are free to set, `verify` tells whether they fit.
struct PlanProblem {
  struct Edge {
    size_t from = 0, to = 0;
    /// [candidate of `from`][candidate of `to`], row-major.
    std::vector<double> costs;
  };
  /// [part][candidate].
  std::vector<std::vector<double>> costs;
  std::vector<Edge> edges;

  /// None if every part has a candidate, edges join different parts and have a
  /// cost per pair, and costs are finite; else what is wrong.
  std::optional<std::string> verify() const;
  /// What a choice costs.
  double getCost(const std::vector<size_t> &choice) const;
};

/// The choice of least cost, by variable elimination; of several the first in
/// the order in which they are eliminated. None where tables would have more
/// entries than the budget. Requires that the problem verifies.
std::optional<std::vector<size_t>>
solveByElimination(const PlanProblem &problem,
                   uint64_t budget = kPlanTableBudget);

/// A choice that no change of a single part makes cheaper, from the best
/// candidates by themselves on.
std::vector<size_t> solveByDescent(const PlanProblem &problem);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PLANPROBLEM_H

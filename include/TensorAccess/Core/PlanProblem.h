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
// cost for each pair of their candidates. What one part makes for several
// others is sent once to those that want the same of it. Find the choice that
// costs least.
//
// *Variable elimination* is exact: the part whose neighbours have the fewest
// combinations of candidates is taken out, its best candidate for each of these
// combinations kept in a table, and the table is one cost more among the
// neighbours. A chain takes Σ k² steps, one with residual joins Σ k³. Where a
// table would have too many entries, there is no answer that way.
//
// Values that many parts want join them all in one table. Where that is too
// much, pairs bound such a cost from both sides (each pays for itself; each
// pays its share of all), and what both find is improved step by step.
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
  /// A value that several parts want something of: each different want costs
  /// once.
  struct Shared {
    struct Want {
      size_t part = 0;               ///< may be `from`, and any number of times
      std::vector<uint32_t> numbers; ///< by candidate of the part
    };
    size_t from = 0;
    uint32_t numWants = 0;
    std::vector<Want> wants;
    /// [candidate of `from`][number], row-major; not negative.
    std::vector<double> costs;

    /// What a choice costs of it.
    double getCost(const std::vector<size_t> &choice) const;
  };
  /// [part][candidate].
  std::vector<std::vector<double>> costs;
  std::vector<Edge> edges;
  std::vector<Shared> shared;

  /// None if every part has a candidate, edges join different parts and have a
  /// cost per pair, wants have a number per candidate, and costs are finite;
  /// else what is wrong.
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

/// A choice that no change of a single part makes cheaper, from `choice` on, or
/// from the best candidates by themselves.
std::vector<size_t> solveByDescent(const PlanProblem &problem,
                                   std::vector<size_t> choice = {});

/// A choice, and what none costs less than.
struct PlanBounds {
  std::vector<size_t> choice;
  double bound = 0;
};

/// By elimination of the problem in which shared values cost pairs, from below,
/// from above, and as in the best choice so far. None where tables would have
/// more entries than the budget.
std::optional<PlanBounds> solveByPairs(const PlanProblem &problem,
                                       uint64_t budget = kPlanTableBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PLANPROBLEM_H

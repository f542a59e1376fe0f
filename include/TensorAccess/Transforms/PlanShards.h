//===- PlanShards.h - How to cut a function over ranks ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass `tensoraccess-plan-shards` does, for callers that hold the IR
// already. Each op that computes can be cut along any of its loops by any axes
// of the grid; what ranks then need of each other is exchanged, and all that
// takes modelled time. The plan is the choice of cuts that takes least:
//
//   1. Groups. An elementwise op is cut as the op whose result it reads. Pads,
//      broadcasts and reshapes before a single group, and what is made of
//      arguments alone, are *needed*: ranks run them on what they need.
//   2. Candidates. All assignments of grid axes to loops that leave no rank
//      without work, the cheapest by themselves first.
//   3. Costs. Of a group: its ops on the largest block, and the sums of what is
//      reduced in parts. Of two groups: the exchanges between them.
//   4. Search. Variable elimination (Core/PlanProblem.h), exact; or an integer
//      program. Under a memory limit bytes get a price, found by bisection, and
//      the plan's memory is checked.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_PLANSHARDS_H
#define TENSORACCESS_TRANSFORMS_PLANSHARDS_H

#include "TensorAccess/Analysis/ShardedProgram.h"
#include "TensorAccess/Core/PlanProblem.h"

namespace mlir::tensoraccess {

enum class PlanMethod : uint8_t {
  Auto, ///< elimination; past its budget the integer program, else a descent
  Elimination,
  IntegerProgram
};

struct PlanOptions {
  Grid grid;
  /// With a network.
  CostModel model;
  /// Bytes that a rank may hold.
  std::optional<uint64_t> memoryLimit;
  PlanMethod method = PlanMethod::Auto;
  /// Candidates of a group, at most.
  size_t maxCandidates = 64;
  /// For the integer program.
  double maxSeconds = 20;
  /// Entries of the elimination's tables.
  uint64_t tableBudget = kPlanTableBudget;
};

struct ShardPlan {
  ShardDecisions decisions;
  ShardedProgram program;
  /// How it was found: `dp`, `ilp`, `descent`.
  std::string method;
  /// No choice among the candidates takes less modelled time (under a memory
  /// limit: less time and price).
  bool isOptimal = false;
  /// What no choice is below, as far as is known.
  double bound = 0;
  size_t groups = 0, candidates = 0, leftOut = 0;
};

/// Finds a plan; the function stays as it is, cuts that its ops have already
/// and distributions of its arguments and results are kept. Errors at the function or an op: for what shards don't know, costs
/// that the model lacks, and a memory limit below what the least plan found
/// takes.
FailureOr<ShardPlan> planShards(FunctionOpInterface function,
                                const PlanOptions &options);

/// The grid of so many ranks: the network's, with axes n0, n1, …, where it has
/// as many; else `Grid::ofRanks`. Requires 1 ≤ ranks ≤ kMaxGridRanks.
Grid getNetworkGrid(int64_t ranks, const CostModel &model);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_PLANSHARDS_H

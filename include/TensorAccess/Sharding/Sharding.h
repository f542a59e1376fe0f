//===- Sharding.h - Programs over ranks -------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_SHARDING_SHARDING_H
#define TENSORACCESS_SHARDING_SHARDING_H

#include "TensorAccess/Analysis/ShardedProgram.h"
#include "TensorAccess/Cost/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Programs of single ranks
//
// Implements the pass `tensoraccess-shard`, for callers that already hold the
// IR: from a function with attributes on how it is cut over a grid of ranks
// (Analysis/ShardedProgram.h), it creates the program of each rank.
//===----------------------------------------------------------------------===//

struct ShardingOptions {
  /// Create the program of this rank only.
  std::optional<int64_t> rank;
  /// The number of ranks: the grid must have as many.
  std::optional<int64_t> ranks;
};

/// The outcome of sharding a function.
struct ShardReport {
  int64_t programs = 0;
  int64_t exchanges = 0; ///< places in the program where ranks exchange boxes
  int64_t messages = 0;  ///< of all ranks
  int64_t elements = 0;  ///< sent by all ranks
};

/// Replaces a function that has a grid by the programs of its ranks, as the
/// pass `tensoraccess-shard` describes; all ranks' numbers are in the report,
/// whether or not their programs are created. Emits an error at an op that
/// can't be cut, and leaves the function unchanged.
FailureOr<ShardReport> shardFunction(func::FuncOp function,
                                     const ShardingOptions &options = {});

//===----------------------------------------------------------------------===//
// Cuts that follow from the arguments' distributions
//
// Implements the pass `tensoraccess-spread-cuts`: a user specifies how a few
// arguments are distributed over the ranks (images by their batch or their
// rows, weights by heads or hidden features), and ops are cut accordingly. What
// is left open is for a plan (below).
//===----------------------------------------------------------------------===//

/// The outcome of spreading cuts.
struct SpreadReport {
  int64_t cuts = 0;    ///< ops that were given a cut
  int64_t dropped = 0; ///< axes of operands that an op is not cut along
};

/// Writes `tensoraccess.distribution` of the arguments that `text` names, as in
/// `0={d0: rows}; tensor<768x3072xf32>={d1: cols}`: numbers, or types, which
/// stand for all arguments of that type. Emits an error at the function if the
/// text is invalid, names nothing, or names an argument twice.
LogicalResult setDistributions(FunctionOpInterface function, const Grid &grid,
                               llvm::StringRef text);

/// Writes `tensoraccess.cut` on ops of a function of one block, from the first
/// to the last: along each axis of the grid, an op is cut at the loop along
/// which that axis cuts most elements of its operands. Ops that have a cut keep
/// it; if nothing that an op reads is cut, and on ops that only move elements,
/// nothing is written. Partial sums are cut along their outermost dimension
/// that has something for every rank.
FailureOr<SpreadReport> spreadCuts(FunctionOpInterface function,
                                   const Grid &grid);

//===----------------------------------------------------------------------===//
// How to cut a function over ranks
//
// Implements the pass `tensoraccess-plan-shards`, for callers that already hold
// the IR. Each op that computes can be cut along any of its loops by any axes
// of the grid; what ranks then need from each other is exchanged, and
// everything takes modelled time. The plan is the choice of cuts that takes the
// least:
//
//   1. Groups. An elementwise op is cut like the op whose result it reads.
//      Pads, broadcasts and reshapes before a single group, and values computed
//      from arguments alone, are *needed*: ranks run them on what they need.
//   2. Candidates. All assignments of grid axes to loops that leave no rank
//      without work, starting with those that are cheapest by themselves.
//   3. Costs. For a group: its ops on the largest block, and summing what is
//      reduced in parts. For two groups: the exchanges between them.
//   4. Search. Variable elimination (Cost/Cost.h), exact; or an integer
//      program. Under a memory limit bytes get a price, found by bisection, and
//      the plan's memory is checked.
//===----------------------------------------------------------------------===//

enum class PlanMethod : uint8_t {
  Auto, ///< elimination; past its budget the integer program, else a descent
  Elimination,
  IntegerProgram
};

struct PlanOptions {
  Grid grid;
  /// Must have a network.
  CostModel model;
  /// Bytes that a rank may hold.
  std::optional<uint64_t> memoryLimit;
  PlanMethod method = PlanMethod::Auto;
  /// The most candidates of a group.
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
  /// The best known lower bound on all choices.
  double bound = 0;
  size_t groups = 0, candidates = 0, leftOut = 0;
};

/// Finds a plan; the function is not changed, and existing cuts of its ops and
/// distributions of its arguments and results are kept. Emits errors at the
/// function or an op: for what shards don't support, costs missing from the
/// model, and a memory limit below what the smallest plan found takes.
FailureOr<ShardPlan> planShards(FunctionOpInterface function,
                                const PlanOptions &options);

/// The grid for a number of ranks: the network's, with axes n0, n1, …, if it
/// has as many; else `Grid::ofRanks`. Requires 1 ≤ ranks ≤ kMaxGridRanks.
Grid getNetworkGrid(int64_t ranks, const CostModel &model);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_SHARDING_SHARDING_H

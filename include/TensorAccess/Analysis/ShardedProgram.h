//===- ShardedProgram.h - What cuts of ops mean for every rank --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan of shards is written on a function as attributes; what they say is
// worked out here, for the planner that weighs plans, for the rewriting into
// programs of single ranks, and for reports:
//
//   function  tensoraccess.grid = "rows=2,cols=2"
//   op        tensoraccess.cut = "{d0: rows, d3: cols}"   over its iterations
//             tensoraccess.cut = "needed"
//             tensoraccess.reduced = "{d0: rows*cols}"    over its result
//   argument, result  tensoraccess.distribution = "{d0: rows}" or "needed"
//
//   1. An op that is cut runs on the box of iterations that a rank has, and the
//      rank *owns* the boxes of its results. Where loops that are reduced over
//      are cut, results are partial, and summed over the ranks that share them
//      at once: by an exchange to the distribution `reduced`.
//   2. An op that is *needed* (a pad, a broadcast, a constant) runs on what the
//      rank's other ops need of its results, ranks perhaps doing the same
//      twice. So do arguments: a rank holds what it needs of them. An op
//      without tensor operands always is.
//   3. What an op needs of a tensor that is distributed and its rank doesn't
//      own is exchanged (Exchange.h), once for all ops that need the same.
//   4. A distribution on an argument says what ranks have of it when the
//      program starts, one on a result what they are to have in the end; what
//      is missing is exchanged. Results that say nothing are left as they are.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_SHARDEDPROGRAM_H
#define TENSORACCESS_ANALYSIS_SHARDEDPROGRAM_H

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Cost/Cost.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tensoraccess {

inline constexpr llvm::StringLiteral kGridName = "tensoraccess.grid";
inline constexpr llvm::StringLiteral kCutName = "tensoraccess.cut";
inline constexpr llvm::StringLiteral kReducedName = "tensoraccess.reduced";
inline constexpr llvm::StringLiteral kDistributionName =
    "tensoraccess.distribution";
inline constexpr llvm::StringLiteral kNeededText = "needed";

/// How an op is run.
struct ShardDecision {
  /// On what is needed of its results; the rest counts if not.
  bool isNeeded = false;
  /// Of the iterations.
  Distribution cut;
  /// Of all results, where the cut makes them partial; if it is not said, as
  /// `getSummed` of the first (Core/Exchange.h).
  std::optional<Distribution> reduced;

  bool operator==(const ShardDecision &o) const {
    return isNeeded == o.isNeeded && cut == o.cut && reduced == o.reduced;
  }
};
using ShardDecisions = llvm::MapVector<Operation *, ShardDecision>;

/// The distributions that a function's arguments and results must have; none
/// where an argument is held as it is needed, a result left as it is.
struct ShardHomes {
  SmallVector<std::optional<Distribution>> arguments, results;
};

/// The distribution of a result when an op is cut so; partial along the axes
/// that cut reductions. Requires a result that can be cut (not Opaque's), else
/// it is replicated.
Distribution getResultDistribution(const BlockOp &op, unsigned result,
                                   const Distribution &cut);

/// A tensor as the ranks hold it.
struct ShardedValue {
  FactoredBoxes boxes;
  /// std::nullopt if a rank holds what it needs.
  std::optional<Distribution> distribution;
  SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
};

/// What is sent because of an operand (also of the return), or to sum a result.
struct ShardExchange {
  Operation *op = nullptr;
  /// The operand's number, captured values following the operands; std::nullopt
  /// for a sum of results.
  std::optional<unsigned> operand;
  unsigned result = 0;
  /// What is moved.
  Value value;
  Distribution from;
  FactoredBoxes needed;
  SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
  ExchangeCost cost;
};

/// An op as the ranks run it.
struct ShardedOp {
  BlockOp block;
  ShardDecision decision;
  FactoredBoxes iterations;
  /// Of the largest block, without messages.
  double seconds = 0;
  /// Messages because of this op.
  double exchangeSeconds = 0;
  uint64_t bytesSent = 0;
  /// What a rank holds at most while it runs, as `memoryPerRank` counts.
  uint64_t bytesHeld = 0;
};

struct ShardedProgram {
  Grid grid;
  ShardHomes homes;
  llvm::MapVector<Operation *, ShardedOp> ops;
  llvm::MapVector<Value, ShardedValue> values;
  /// In the order of the program; those without messages left out.
  std::vector<ShardExchange> exchanges;

  /// All ops one after the other; a rank waits for its messages.
  double seconds = 0, computeSeconds = 0, exchangeSeconds = 0;
  uint64_t bytesSent = 0, messages = 0;
  /// By rank.
  std::vector<uint64_t> sentByRank, messagesByRank;
  /// Σ over all messages of bytes times steps on the grid, and the longest way.
  double byteSteps = 0;
  int64_t longestWay = 0;
  /// The most bytes that a rank holds: all arguments, values from their op to
  /// their last use, what is received for the same time, and scratch memory.
  uint64_t memoryPerRank = 0;
  /// The most scratch memory of an op; it counts as memory.
  double scratchBytes = 0;
  /// Of all ranks, each doing what the busiest does of an op; and of messages.
  double joules = 0;

  uint64_t getMaxSent() const;
  uint64_t getMaxMessages() const;
};

/// The seconds that an op takes on a block (Analysis/OpCosts.h).
FailureOr<double> getBlockSeconds(const BlockOp &op, const Grid &grid,
                                  const FactoredBoxes &iterations,
                                  const CostModel &model);

/// What an op needs of a tensor operand for its iterations. An init is what its
/// result is; and where that is partial and the init `isExchanged`, only the
/// first rank of each group needs it (a value that is held as it is needed is
/// there on all).
FactoredBoxes getOperandBoxes(const BlockOp &op, unsigned operand,
                              const Grid &grid, const ShardDecision &decision,
                              const FactoredBoxes &iterations,
                              bool isExchanged);

/// What a split reduction takes to be summed over its group: the first step,
/// and the second where `home` is not where it ends (Core/Exchange.h).
struct ReductionSteps {
  Distribution partial, step, home;
  bool hasTwo() const { return !(step == home); }
};
ReductionSteps getReductionSteps(const BlockOp &op, unsigned result,
                                 const Grid &grid,
                                 const ShardDecision &decision);

/// What decisions mean for the ops of a function of one block, and for the
/// distributions that its arguments and results have as attributes; an op
/// without a decision is needed if it is Free, else replicated. `model` must
/// have a network. Errors at ops: for decisions that don't fit (an axis in two
/// places, a cut of an op that isn't understood, of a reduction that can't be
/// split, a reshape of a block that is not a box), costs that the model lacks,
/// and exchanges of 2^63 bytes or more.
FailureOr<ShardedProgram> getShardedProgram(FunctionOpInterface function,
                                            const Grid &grid,
                                            const ShardDecisions &decisions,
                                            const CostModel &model);

/// The grid that a function is planned for, from its attribute; an error at the
/// function where it has none, or a wrong one.
FailureOr<Grid> readGrid(FunctionOpInterface function);

/// std::nullopt if a decision fits its op, else what is wrong.
std::optional<std::string> verifyDecision(const BlockOp &op, const Grid &grid,
                                          const ShardDecision &decision);

/// The distributions that attributes of arguments and results say. Errors at
/// the argument or the function: for one that is not a distribution of that
/// tensor on this grid, or has partial axes.
FailureOr<ShardHomes> readShardHomes(FunctionOpInterface function,
                                     const Grid &grid);

/// The decisions that attributes of ops say. Errors at the ops.
FailureOr<ShardDecisions> readShardDecisions(FunctionOpInterface function,
                                             const Grid &grid);

/// Writes decisions, the grid, and distributions of arguments and results.
void writeShardDecisions(FunctionOpInterface function,
                         const ShardedProgram &program);

/// Checks that the boxes of every distributed value cover it exactly; an error
/// at the function with a witness if not.
LogicalResult verifyCover(FunctionOpInterface function,
                          const ShardedProgram &program);

/// What a plan is weighed by where nothing is said: a core of 4·10^9 points a
/// second, 10^10 bytes a second of memory, a mesh of links of 10^10 bytes a
/// second with 0.5 µs a step and 1 µs a message.
const CostModel &getDefaultCostModel();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_SHARDEDPROGRAM_H

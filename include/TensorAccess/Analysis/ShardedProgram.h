//===- ShardedProgram.h - What cuts of ops mean for every rank --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan of shards is written on a function as attributes. They are interpreted
// here, for the planner that compares plans, for rewriting into the programs of
// single ranks, and for reports:
//
//   function  tensoraccess.grid = "rows=2,cols=2"
//   op        tensoraccess.cut = "{d0: rows, d3: cols}"   over its iterations
//             tensoraccess.cut = "needed"
//             tensoraccess.reduced = "{d0: rows*cols}"    over its result
//   argument, result  tensoraccess.distribution = "{d0: rows}" or "needed"
//
//   1. An op that is cut runs on the box of iterations that a rank has, and the
//      rank *owns* the boxes of its results. If loops that are reduced over are
//      cut, results are partial, and summed at once over the ranks that share
//      them: by an exchange to the distribution `reduced`.
//   2. An op that is *needed* (a pad, a broadcast, a constant) runs on what the
//      rank's other ops need of its results, so that ranks may compute the same
//      twice. Arguments likewise: a rank holds what it needs of them. An op
//      without tensor operands is always needed.
//   3. If an op needs a part of a distributed tensor that its rank doesn't own,
//      it is exchanged (Exchange.h), once for all ops that need the same part.
//   4. A distribution on an argument is what ranks have of it when the program
//      starts, one on a result what they must have in the end; missing parts
//      are exchanged. Results without one are left as they are.
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
  /// On what is needed of its results; otherwise the other members apply.
  bool isNeeded = false;
  /// Of the iterations.
  Distribution cut;
  /// Of all results, if the cut makes them partial; by default `getSummed` of
  /// the first (Core/Exchange.h).
  std::optional<Distribution> reduced;

  bool operator==(const ShardDecision &o) const {
    return isNeeded == o.isNeeded && cut == o.cut && reduced == o.reduced;
  }
};
using ShardDecisions = llvm::MapVector<Operation *, ShardDecision>;

/// The distributions that a function's arguments and results must have;
/// std::nullopt if an argument is held as needed, or a result left as it is.
struct ShardHomes {
  SmallVector<std::optional<Distribution>> arguments, results;
};

/// The distribution of a result if an op is cut so; partial along the axes that
/// cut reductions. Replicated if the result cannot be cut (such as those of
/// Opaque ops).
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

/// An exchange for an operand (also of the return), or to sum a result.
struct ShardExchange {
  Operation *op = nullptr;
  /// The operand's number, with captured values after the operands;
  /// std::nullopt for a sum of results.
  std::optional<unsigned> operand;
  unsigned result = 0;
  /// The value that is moved.
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
  /// For the largest block, without messages.
  double seconds = 0;
  /// Time of the messages for this op.
  double exchangeSeconds = 0;
  uint64_t bytesSent = 0;
  /// The most that a rank holds while it runs, counted as `memoryPerRank`.
  uint64_t bytesHeld = 0;
};

struct ShardedProgram {
  Grid grid;
  ShardHomes homes;
  llvm::MapVector<Operation *, ShardedOp> ops;
  llvm::MapVector<Value, ShardedValue> values;
  /// In program order, without those that send no messages.
  std::vector<ShardExchange> exchanges;

  /// All ops one after the other; a rank waits for its messages.
  double seconds = 0, computeSeconds = 0, exchangeSeconds = 0;
  uint64_t bytesSent = 0, messages = 0;
  /// By rank.
  std::vector<uint64_t> sentByRank, messagesByRank;
  /// Σ over all messages of bytes times steps on the grid, and the longest
  /// path.
  double byteSteps = 0;
  int64_t longestWay = 0;
  /// The most bytes that a rank holds: all arguments, values from their op to
  /// their last use, what is received during that time, and scratch memory.
  uint64_t memoryPerRank = 0;
  /// The most scratch memory of any op; it is included above.
  double scratchBytes = 0;
  /// Over all ranks, each doing the busiest rank's work for an op, and
  /// messages.
  double joules = 0;

  uint64_t getMaxSent() const;
  uint64_t getMaxMessages() const;
};

/// The seconds that an op takes on a block (Analysis/OpCosts.h).
FailureOr<double> getBlockSeconds(const BlockOp &op, const Grid &grid,
                                  const FactoredBoxes &iterations,
                                  const CostModel &model);

/// What an op needs of a tensor operand for its iterations. An init needs what
/// its result does; if the result is partial and the init `isExchanged`, only
/// the first rank of each group needs it (a value that is held as needed is
/// present on all).
FactoredBoxes getOperandBoxes(const BlockOp &op, unsigned operand,
                              const Grid &grid, const ShardDecision &decision,
                              const FactoredBoxes &iterations,
                              bool isExchanged);

/// How a split reduction is summed over its group: the first step, and the
/// second if `home` is not where that ends (Core/Exchange.h).
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
/// have a network. Emits errors at ops: for decisions that don't fit (an axis
/// in two places, a cut of an op that isn't understood, of a reduction that
/// can't be split, a reshape of a block that is not a box), costs missing from
/// the model, and exchanges of 2^63 bytes or more.
FailureOr<ShardedProgram> getShardedProgram(FunctionOpInterface function,
                                            const Grid &grid,
                                            const ShardDecisions &decisions,
                                            const CostModel &model);

/// The grid that a function is planned for, from its attribute; emits an error
/// at the function if it has none, or an invalid one.
FailureOr<Grid> readGrid(FunctionOpInterface function);

/// std::nullopt if a decision fits its op, else what is wrong.
std::optional<std::string> verifyDecision(const BlockOp &op, const Grid &grid,
                                          const ShardDecision &decision);

/// The distributions in the attributes of arguments and results. Emits errors
/// at the argument or the function: for one that is not a distribution of that
/// tensor on this grid, or has partial axes.
FailureOr<ShardHomes> readShardHomes(FunctionOpInterface function,
                                     const Grid &grid);

/// The decisions in the attributes of ops. Emits errors at the ops.
FailureOr<ShardDecisions> readShardDecisions(FunctionOpInterface function,
                                             const Grid &grid);

/// Writes decisions, the grid, and distributions of arguments and results.
void writeShardDecisions(FunctionOpInterface function,
                         const ShardedProgram &program);

/// Checks that the boxes of every distributed value cover it exactly; if not,
/// emits an error at the function with a witness.
LogicalResult verifyCover(FunctionOpInterface function,
                          const ShardedProgram &program);

/// The default model for comparing plans: a core of 4·10^9 points a second,
/// 10^10 bytes a second of memory, a mesh of links of 10^10 bytes a second with
/// 0.5 µs per step and 1 µs per message.
const CostModel &getDefaultCostModel();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_SHARDEDPROGRAM_H

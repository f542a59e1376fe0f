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
//      own is exchanged (Exchange.h): one exchange per operand.
//
// Results of the function are left as they are.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_SHARDEDPROGRAM_H
#define TENSORACCESS_ANALYSIS_SHARDEDPROGRAM_H

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Core/BlockCost.h"
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
  /// Of all results, where the cut makes them partial.
  std::optional<Distribution> reduced;

  bool operator==(const ShardDecision &o) const {
    return isNeeded == o.isNeeded && cut == o.cut && reduced == o.reduced;
  }
};
using ShardDecisions = llvm::MapVector<Operation *, ShardDecision>;

/// The distribution of a result when an op is cut so; partial along the axes
/// that cut reductions. Requires a result that can be cut (not Opaque's), else
/// it is replicated.
Distribution getResultDistribution(const BlockOp &op, unsigned result,
                                   const Distribution &cut);

/// A tensor as the ranks hold it.
struct ShardedValue {
  FactoredBoxes boxes;
  /// None where a rank holds what it needs.
  std::optional<Distribution> distribution;
  SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
};

/// What is sent because of an operand, or to sum a result.
struct ShardExchange {
  Operation *op = nullptr;
  /// The operand's number; none for a sum of results.
  std::optional<unsigned> operand;
  unsigned result = 0;
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
  llvm::MapVector<Operation *, ShardedOp> ops;
  llvm::MapVector<Value, ShardedValue> values;
  /// In the order of the program; those without messages left out.
  std::vector<ShardExchange> exchanges;

  /// All ops one after the other; a rank waits for its messages.
  double seconds = 0, computeSeconds = 0, exchangeSeconds = 0;
  uint64_t bytesSent = 0, messages = 0;
  /// The most bytes that a rank holds: all arguments, and values from their op
  /// to their last use, with what is received for the op under way.
  uint64_t memoryPerRank = 0;
};

/// How long an op takes on a block: the model's rates, for its iterations and
/// what they touch. An op that is not Compute takes what its bytes take.
FailureOr<double> getBlockSeconds(const BlockOp &op, const Grid &grid,
                                  const FactoredBoxes &iterations,
                                  const CostModel &model);

/// What decisions mean for the ops of a function of one block; an op without
/// one is needed if it is Free, else replicated. `model` must have a network.
/// Errors at ops: for decisions that don't fit (an axis in two places, a cut of
/// an op that isn't understood, of a reduction that can't be split, a reshape
/// of a block that is no box), and costs that the model lacks.
FailureOr<ShardedProgram> getShardedProgram(FunctionOpInterface function,
                                            const Grid &grid,
                                            const ShardDecisions &decisions,
                                            const CostModel &model);

/// The grid that a function is planned for, from its attribute; an error at the
/// function where it has none, or a wrong one.
FailureOr<Grid> readGrid(FunctionOpInterface function);

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

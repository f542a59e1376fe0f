//===- Shard.h - Programs of single ranks -----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a function says that it is cut over a grid of ranks, and the pass
// `tensoraccess-shard`, which makes the program of each rank of it
// (docs/ShardedPrograms.md), for callers that hold the IR already.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SHARD_H
#define TENSORACCESS_TRANSFORMS_SHARD_H

#include "TensorAccess/Core/Distribution.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {

/// On a function, the grid: "rows=2,cols=3".
inline constexpr llvm::StringLiteral kGridName = "tensoraccess.grid";
/// On an op, how its loops are cut: "{d0: rows, d3: cols}"; or "needed": it is
/// run on what is needed of its results. Without it every rank runs it whole.
inline constexpr llvm::StringLiteral kCutName = "tensoraccess.cut";
/// On an op of which reductions are cut: where the results are summed.
inline constexpr llvm::StringLiteral kReducedName = "tensoraccess.reduced";
/// How an argument or a result of a function is cut; or, for an argument,
/// "needed". Without it an argument is whole on every rank, and a result lies
/// as the op that makes it is cut.
inline constexpr llvm::StringLiteral kDistributionName =
    "tensoraccess.distribution";
inline constexpr llvm::StringLiteral kNeededText = "needed";

struct ShardingOptions {
  /// Make the program of this rank only.
  std::optional<int64_t> rank;
  /// Of so many ranks: the grid must have as many.
  std::optional<int64_t> ranks;
};

/// What sharding made of a function.
struct ShardReport {
  int64_t programs = 0;
  int64_t exchanges = 0; ///< places in the program where ranks exchange boxes
  int64_t messages = 0;  ///< of all ranks
  int64_t elements = 0;  ///< sent by all ranks
};

/// Replaces a function that has a grid by the programs of its ranks, as the
/// pass `tensoraccess-shard` describes; all ranks' numbers are in the report,
/// whether their programs are made or not. An error at the op that can't be
/// cut, and the function stays.
FailureOr<ShardReport> shardFunction(func::FuncOp function,
                                     const ShardingOptions &options = {});

/// Where partial results of a split reduction are summed: along the dimension
/// whose parts are longest (the first of them) each rank of a group sums a
/// part; all of them everything where there is no dimension.
Distribution getSummed(const Distribution &partial, const Grid &grid,
                       ArrayRef<int64_t> extents);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SHARD_H

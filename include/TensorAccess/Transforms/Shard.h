//===- Shard.h - Programs of single ranks -----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass `tensoraccess-shard` does, for callers that hold the IR already:
// of a function that says how it is cut over a grid of ranks
// (Analysis/ShardedProgram.h) it makes the program of each rank.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SHARD_H
#define TENSORACCESS_TRANSFORMS_SHARD_H

#include "TensorAccess/Analysis/ShardedProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {

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

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SHARD_H

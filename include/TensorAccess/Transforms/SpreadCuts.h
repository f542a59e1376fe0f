//===- SpreadCuts.h - Cuts that follow from arguments' ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass `tensoraccess-spread-cuts` does: a user says how a few
// arguments lie over the ranks (images by their batch or their rows, weights by
// heads or hidden features), and ops are cut as that suggests. What is left
// open is for a plan (PlanShards.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SPREADCUTS_H
#define TENSORACCESS_TRANSFORMS_SPREADCUTS_H

#include "TensorAccess/Analysis/ShardedProgram.h"

namespace mlir::tensoraccess {

/// What spreading wrote.
struct SpreadReport {
  int64_t cuts = 0;    ///< ops that were given a cut
  int64_t dropped = 0; ///< axes that an op's operands asked for in vain
};

/// Writes `tensoraccess.distribution` of the arguments that `text` names, as in
/// `0={d0: rows}; tensor<768x3072xf32>={d1: cols}`: numbers, or types, which
/// stand for all arguments of that type. An error at the function where the
/// text is wrong, names nothing, or names an argument twice.
LogicalResult setDistributions(FunctionOpInterface function, const Grid &grid,
                               llvm::StringRef text);

/// Writes `tensoraccess.cut` on ops of a function of one block, from the first
/// to the last: of each axis of the grid an op has the loop along which most
/// elements of its operands are cut by it. Ops that have a cut keep it; where
/// nothing that an op reads is cut, and on ops that only move elements, nothing
/// is written. Sums in parts lie cut along their outermost dimension that has
/// something for every rank.
FailureOr<SpreadReport> spreadCuts(FunctionOpInterface function,
                                   const Grid &grid);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SPREADCUTS_H

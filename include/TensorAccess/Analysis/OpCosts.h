//===- OpCosts.h - What a block of an op costs ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_OPCOSTS_H
#define TENSORACCESS_ANALYSIS_OPCOSTS_H

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Cost/Cost.h"

#include "mlir/IR/Operation.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What a block of an op costs
//
// An op, a block of its iterations, and the costs of a machine (Cost.h).
// What counts is, in this order:
//
//   1. rates written on the op: `tensoraccess.cost = "point = 1.0e-10"`; what
//      is not said there is as in 3;
//   2. a function that was registered for the op's name, if it answers;
//   3. the rates of its name in its family, its name, its family, all ops.
//
// Your own cost takes ten lines:
//
//   registerOpCost("my.attention", "flash attention",
//                  [](Operation *op, const BlockWork &work,
//                     const CostModel &model, std::string &error)
//                      -> std::optional<BlockCost> {
//                    BlockCost cost;
//                    cost.seconds = 2.0e-11 * work.extents[0] *
//                                   work.extents[1] * work.extents[1];
//                    return cost;
//                  });
//
// A cost that is not a number of at least 0 is an error at the op.
//===----------------------------------------------------------------------===//

inline constexpr llvm::StringLiteral kCostName = "tensoraccess.cost";

/// What a block of an op takes; std::nullopt to leave it to the model, and
/// std::nullopt with a text in the last argument if it cannot be told.
using OpCostFunction = std::function<std::optional<BlockCost>(
    Operation *, const BlockWork &, const CostModel &, std::string &)>;

/// What a user may want to know.
struct OpCostInfo {
  /// Of the operation.
  std::string name;
  /// A phrase.
  std::string summary;
};

/// Gives an op a cost of its own, for the process. False, and nothing is done,
/// where the op has one already, the name is empty, or there is no function.
/// Thread-safe.
bool registerOpCost(StringRef op, StringRef summary, OpCostFunction function);
/// Takes it away again; false if none exists.
bool unregisterOpCost(StringRef op);
/// All of them, by name.
std::vector<OpCostInfo> getOpCosts();

/// What a rank's block does, for the rank that does most: extents and bytes are
/// the longest of all ranks'. Ops that are not Compute have no extents: they
/// take what their bytes take. Steps are those that the model lists.
BlockWork getBlockWork(const BlockOp &op, const Grid &grid,
                       const FactoredBoxes &iterations, const CostModel &model);

/// What a block costs; nothing where no rank has iterations, and for Free ops.
/// An error at the op where its attribute is wrong, where a function answers
/// with something that is not a cost, and where the model has no rates for it.
FailureOr<BlockCost> getOpCost(const BlockOp &op, const Grid &grid,
                               const FactoredBoxes &iterations,
                               const CostModel &model);

/// The same for a block that did `work`; std::nullopt and `error`.
std::optional<BlockCost> getOpCost(Operation *op, const BlockWork &work,
                                   const CostModel &model, std::string &error);

/// Adds what a body does at each point, as far as the model lists it.
void addSteps(Operation *op, const CostModel &model, BlockWork &work);

/// Checks that the names of a model are those of ops, as far as their dialects
/// are loaded; an error at `op` if not.
LogicalResult checkCostNames(Operation *op, const CostModel &model);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_OPCOSTS_H

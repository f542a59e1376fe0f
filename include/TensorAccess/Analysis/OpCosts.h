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
// An op, a block of its iterations, and the costs of a machine (Cost.h). The
// cost is determined by, in this order:
//
//   1. rates written on the op: `tensoraccess.cost = "point = 1.0e-10"`; those
//      not given there are as in 3;
//   2. a function that was registered for the op's name, if it returns a cost;
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

/// The cost of a block of an op; std::nullopt to leave it to the model, and
/// std::nullopt with a text in the last argument if it cannot be determined.
using OpCostFunction = std::function<std::optional<BlockCost>(
    Operation *, const BlockWork &, const CostModel &, std::string &)>;

/// A registered cost's name and description.
struct OpCostInfo {
  /// Of the op.
  std::string name;
  /// A phrase.
  std::string summary;
};

/// Registers a custom cost for an op, for the whole process. Returns false and
/// does nothing if the op has one already, the name is empty, or there is no
/// function. Thread-safe.
bool registerOpCost(StringRef op, StringRef summary, OpCostFunction function);
/// Unregisters it; false if there is none.
bool unregisterOpCost(StringRef op);
/// All of them, by name.
std::vector<OpCostInfo> getOpCosts();

/// The work of a rank's block, for the rank that does most: extents and bytes
/// are the largest over all ranks. Ops that are not Compute have no extents:
/// their cost is that of their bytes. Steps are those that the model lists.
BlockWork getBlockWork(const BlockOp &op, const Grid &grid,
                       const FactoredBoxes &iterations, const CostModel &model);

/// The cost of a block; zero if no rank has iterations, and for Free ops. Emits
/// an error at the op if its attribute is invalid, if a function returns
/// something that is not a cost, and if the model has no rates for it.
FailureOr<BlockCost> getOpCost(const BlockOp &op, const Grid &grid,
                               const FactoredBoxes &iterations,
                               const CostModel &model);

/// The same for a block that did `work`; std::nullopt and `error`.
std::optional<BlockCost> getOpCost(Operation *op, const BlockWork &work,
                                   const CostModel &model, std::string &error);

/// Adds the operations of a body at each point, as far as the model lists them.
void addSteps(Operation *op, const CostModel &model, BlockWork &work);

/// Checks that the names in a model are those of ops, as far as their dialects
/// are loaded; emits an error at `op` if not.
LogicalResult checkCostNames(Operation *op, const CostModel &model);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_OPCOSTS_H

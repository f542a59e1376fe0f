//===- PlanGroups.h - Ops that are cut together -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_PLANGROUPS_H
#define TENSORACCESS_LIB_TRANSFORMS_PLANGROUPS_H

#include "TensorAccess/Sharding/Sharding.h"

namespace mlir::tensoraccess {

/// A way to cut a group.
struct PlanCandidate {
  /// Of the leader's iterations.
  ShardDecision decision;
  /// Of the leader's first result, and of all of its followers.
  Distribution result;
};

/// Ops that are cut together: a leader, and elementwise ops that follow it.
struct PlanGroup {
  /// In the order of the program; the leader first.
  SmallVector<Operation *> members;
  /// Ops that run on what this group needs, in the order of the program.
  SmallVector<Operation *> needed;
  std::vector<PlanCandidate> candidates;
};

struct PlanGroups {
  Block *body = nullptr;
  ShardHomes homes;
  llvm::MapVector<Operation *, BlockOp> ops;
  std::vector<PlanGroup> groups;
  /// The group of a member.
  llvm::DenseMap<Operation *, unsigned> groupOf;
  /// Ops that are needed, by no group alone.
  SmallVector<Operation *> shared;
  size_t leftOut = 0;
};

/// Groups, without candidates. `fixed` are decisions that stay, `homes` the
/// distributions of arguments and results that do.
FailureOr<PlanGroups> groupOps(FunctionOpInterface function,
                               const ShardDecisions &fixed, ShardHomes homes);

/// Adds the candidates of all groups.
LogicalResult addCandidates(PlanGroups &groups, const ShardDecisions &fixed,
                            const PlanOptions &options);

/// What a choice of candidates decides.
ShardDecisions getDecisions(const PlanGroups &groups, ArrayRef<size_t> choice);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PLANGROUPS_H

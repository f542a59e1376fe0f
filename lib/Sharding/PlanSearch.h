//===- PlanSearch.h - The choice of cuts that takes least -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_PLANSEARCH_H
#define TENSORACCESS_LIB_TRANSFORMS_PLANSEARCH_H

#include "TensorAccess/Sharding/Sharding.h"

namespace mlir::tensoraccess {

struct PlanSolution {
  std::vector<size_t> choice;
  /// `dp`, `ilp`, or `descent`.
  std::string method;
  bool isOptimal = false;
  /// What no choice costs less than.
  double bound = 0;
};

/// Searches by the method of the options. std::nullopt and `error` where that
/// can't be: tables beyond the budget, no solver. Requires that the problem
/// verifies.
std::optional<PlanSolution> solvePlan(const PlanProblem &problem,
                                      const PlanOptions &options,
                                      std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PLANSEARCH_H

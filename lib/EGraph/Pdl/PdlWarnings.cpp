//===- PdlWarnings.cpp - Rules that can't be what was meant ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warnings about rules after they have been applied: all that a rule made
// was refused, or an unregistered operation was never there.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/PdlRules.h"

using namespace mlir;
using namespace mlir::tensoraccess;

void mlir::tensoraccess::warnOfRules(ArrayRef<PdlRule> rules,
                                     ArrayRef<RuleStatistics> statistics) {
  for (auto [rule, counts] : llvm::zip(rules, statistics)) {
    if (counts.refused != 0 && counts.completed == 0)
      emitWarning(rule.getLoc())
          << "rule '" << rule.getName() << "' was refused wherever it matched, "
          << counts.refused << (counts.refused == 1 ? " time: " : " times: ")
          << counts.refusal;
    if (counts.matches != 0)
      continue;
    for (OperationName name : rule.getOperations())
      if (!name.isRegistered()) {
        emitWarning(rule.getLoc())
            << "rule '" << rule.getName() << "' never matched, and '" << name
            << "' is not registered";
        break;
      }
  }
}

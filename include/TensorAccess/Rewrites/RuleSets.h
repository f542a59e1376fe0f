//===- RuleSets.h - The rules that come with the project --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Named sets of rules. A set is a file `lib/Rewrites/<Name>.pdll`, compiled
// when the project is built, beside the native functions that it calls.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REWRITES_RULESETS_H
#define TENSORACCESS_REWRITES_RULESETS_H

#include "TensorAccess/EGraph/PdlRules.h"

namespace mlir::tensoraccess {

struct RuleSet {
  StringLiteral name;
  /// What a user may want to know, as a phrase.
  StringLiteral summary;
  /// PDL in MLIR's text.
  StringLiteral text;
};

/// All sets, by name.
ArrayRef<RuleSet> getRuleSets();
/// The set of that name, or null.
const RuleSet *findRuleSet(StringRef name);

/// The native functions of all sets, which rules of a user may call, too.
const NativeFunctions &getNativeFunctions();

/// Makes a graph ready for the rules of all sets: named ops of linalg that a
/// rule describes get the region that their name implies.
void prepareGraph(TermGraph &graph);

/// Reads and compiles sets and files, in this order: a name without a dot and a
/// slash is that of a set, and what has a line break or a brace is a text
/// itself. Loads the dialects of what the sets make. Reports errors.
FailureOr<std::vector<PdlRule>> loadRules(MLIRContext *context,
                                          ArrayRef<std::string> names,
                                          const PdllOptions &pdll = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_REWRITES_RULESETS_H

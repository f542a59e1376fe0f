//===- Saturation.h - A run of rules on a table -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the modes of saturation share: matches that are applied, limits, and
// statistics. Saturate.cpp has the iterations over snapshots, Eager.cpp the
// list of nodes.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_SATURATION_H
#define TENSORACCESS_LIB_EGRAPH_SATURATION_H

#include "MatchGroup.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/EGraph/Saturate.h"

#include <chrono>

namespace mlir::tensoraccess {

class Saturation {
public:
  using Clock = std::chrono::steady_clock;
  static double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Saturation(NodeTable &table, llvm::ArrayRef<TableRule> rules,
             const SaturationOptions &options)
      : table(table), rules(rules), options(options), bans(rules.size()),
        seen(rules.size()), contradictions(table.getNumContradictions()),
        progress("nodes", static_cast<int64_t>(options.limits.nodes)) {
    table.forgetRefusal();
    statistics.rules.resize(rules.size());
  }

  SaturationStatistics run();

private:
  struct Ban {
    /// The first iteration that looks at the rule again.
    uint64_t until = 0;
    uint64_t count = 0;
  };

  void runSnapshots();
  void runEager();
  /// Applies the matches of a rule; false if it is left out.
  bool applyRule(size_t index, uint64_t iteration);
  /// Applies a match; false when a limit is reached.
  bool apply(size_t index, const Match &match);
  /// Whether matches of the rule are looked at in groups: those that find what is
  /// known are counted, and not reported.
  bool isGrouped(const TableRule &rule) const {
    return rule.apply.replacement && !options.explainer && !table.hasAnalyses();
  }
  /// Applies those of a group that find something new, until `applyOne` returns
  /// false or a limit is reached: false then, and else the group is empty.
  bool applyGroup(size_t index, MatchGroup &group,
                  llvm::function_ref<bool(const Match &)> applyOne);
  /// Applies the matches of a rule in the snapshot, one after the other.
  bool runProgram(size_t index, bool onlyNew);
  /// `isLate`: also time and bytes, which take longer to ask.
  bool checkLimits(bool isLate);
  bool hasContradiction() const {
    return table.getNumContradictions() != contradictions;
  }
  void noteRefusal(RuleStatistics &statistic);
  bool stop(StopReason reason) {
    statistics.reason = reason;
    isStopped = true;
    return false;
  }

  NodeTable &table;
  llvm::ArrayRef<TableRule> rules;
  const SaturationOptions &options;
  llvm::SmallVector<Ban> bans;
  /// For each rule the number of iterations after the last that it was part of.
  llvm::SmallVector<uint64_t> seen;
  SaturationStatistics statistics;
  const Clock::time_point begin = Clock::now();
  uint64_t numMatches = 0;
  const size_t contradictions;
  bool isStopped = false, isChanged = false;
  /// Nodes, of as many as there may be.
  ProgressSteps progress;
  /// Matches of a rule that backoff may still leave out.
  std::vector<uint32_t> waiting;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EGRAPH_SATURATION_H

//===- Eager.cpp - Rules on one node after the other ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eager saturation:
//
//   1. All nodes are on the list.
//   2. A node is taken. Each rule with an element that it can play gets the
//      matches through it (PivotMatcher.h), which are applied at once. A match
//      that makes a class interrupts the node: it is put back, and the class is
//      looked at first, which may be equal to one that is there. The rest of
//      the node's matches would make a class each that turns out to be another.
//      This is done as long as at most half of all matches are found again
//      because of it. Matches are looked at in groups where that is enough
//      (MatchGroup.h).
//   3. The table is rebuilt, which puts nodes onto the list that may have new
//      matches: those that were made, whose operands got other names, and that
//      are in a class that lost its name or over one whose facts changed.
//   4. When the list is empty, every match has been found, since its last node
//      was taken when the others had been, and nothing about it changed since.
//
//===----------------------------------------------------------------------===//

#include "PivotMatcher.h"
#include "Saturation.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::SmallVector;

namespace {

/// The elements of rules that a symbol can play.
class Roles {
public:
  explicit Roles(llvm::ArrayRef<TableRule> rules) {
    for (auto [r, rule] : llvm::enumerate(rules)) {
      llvm::ArrayRef<Pattern::Element> elements = rule.program.getElements();
      for (unsigned e = 0; e < elements.size(); ++e)
        if (elements[e].symbols)
          matchers.emplace_back(r, PivotMatcher(elements, e));
    }
  }

  using Role = std::pair<size_t, PivotMatcher>;
  /// Symbols are made while rules are applied.
  llvm::ArrayRef<Role *> get(SymbolId symbol) {
    while (symbol >= bySymbol.size()) {
      SmallVector<Role *, 4> &roles = bySymbol.emplace_back();
      for (Role &role : matchers)
        if (role.second.accepts(bySymbol.size() - 1))
          roles.push_back(&role);
    }
    return bySymbol[symbol];
  }

private:
  std::vector<Role> matchers;
  std::vector<SmallVector<Role *, 4>> bySymbol;
};

} // namespace

void Saturation::runEager() {
  Roles roles(rules);
  std::vector<std::unique_ptr<MatchGroup>> groups;
  for (const TableRule &rule : rules)
    groups.push_back(isGrouped(rule)
                         ? std::make_unique<MatchGroup>(*rule.apply.replacement)
                         : nullptr);
  table.linkMembers();
  /// Matches that are found again since a new class interrupted a node.
  uint64_t repeated = 0;
  while (!isStopped) {
    std::optional<NodeId> node = table.takeWaiting();
    if (!node) {
      statistics.reason = StopReason::Saturated;
      break;
    }
    ++statistics.taken;
    const uint64_t before = numMatches;
    bool isInterrupted = false;
    for (Roles::Role *role : roles.get(table.getSymbol(*node))) {
      const size_t index = role->first;
      auto applyOne = [&](const Match &match) {
        const size_t classes = table.getNumClasses();
        if (!apply(index, match))
          return false;
        isInterrupted = table.getNumClasses() > classes &&
                        repeated <= numMatches / 2 + 1000;
        return !isInterrupted;
      };
      MatchGroup *group = groups[index].get();
      if (!group) {
        if (!role->second.run(table, *node, applyOne))
          break;
        continue;
      }
      group->clear();
      auto keep = [&](const Match &match) {
        group->push(match.classes);
        return !group->isFull() || applyGroup(index, *group, applyOne);
      };
      if (!role->second.run(table, *node, keep) ||
          !applyGroup(index, *group, applyOne))
        break;
    }
    if (isInterrupted) {
      repeated += numMatches - before;
      table.wait(*node);
    }
    table.rebuild();
    if (!isStopped && (statistics.taken % 256 == 0 || hasContradiction() ||
                       table.isFullOfNodes()))
      checkLimits(/*isLate=*/true);
  }
  table.rebuild();
  table.unlinkMembers();
}

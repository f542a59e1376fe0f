//===- Saturate.h - Rules until nothing is new ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An *iteration* looks for the matches of every rule in one snapshot of the
// table, applies each as it is found, and rebuilds at the end. Iterations are
// repeated until one changes nothing (the table is *saturated*) or a limit is
// reached. Limits stop inside of an iteration: after the match that reached it,
// the table is rebuilt and is what it would be if the rest had no matches. A
// limit that is reached before the first match stops before it.
//
// A rule that the iteration before has looked at gets the matches only that are
// new since then: the others would add what is there, and say what is known.
// The nodes and classes are those, with the same numbers, that all matches
// make.
//
// Which rules an iteration looks at is up to a *scheduler*:
//
//   simple    all of them;
//   backoff   a rule with more than `matchLimit · 2^k` matches is left out of
//             this iteration, with none of its matches applied, and of the next
//             `banLength · 2^k`, k being how often that happened before. The
//             table is not saturated while a rule is left out.
//
//   phases    those of one phase after the other; after the last comes the
//             first. The table is saturated, as far as the phases' rules go,
//             when none of the phases changes anything.
//
// *Eager* saturation has no iterations. It takes one node after the other from
// a list, applies the matches that the node completes, and rebuilds, so that a
// term that was made is equal to what it is equal to before others use it. A
// new node comes onto the list, and those for which a merge or a fact may make
// matches: everything is found once, but for that. New nodes are taken first,
// which takes least memory where rules saturate, and follows the first of them
// into the depth where they don't: then snapshots explore all of them alike.
//
// (Backoff is that of egg, Willsey et al. 2021, with its constants.)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_SATURATE_H
#define TENSORACCESS_EGRAPH_SATURATE_H

#include "TensorAccess/EGraph/Matcher.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

class Explainer;

/// A term over the elements of a pattern: element e is e itself, and the i-th
/// node is (number of elements) + i.
struct TermTemplate {
  struct Node {
    SymbolId symbol;
    llvm::SmallVector<unsigned, 3> operands;
  };
  /// Operands before the nodes that use them.
  std::vector<Node> nodes;
  /// What the term is: an element or a node.
  unsigned root = 0;
};

/// A term that equals an element, of a pattern with that many elements.
struct Replacement {
  TermTemplate term;
  unsigned element = 0, numElements = 0;
};

/// What a rule says of a match: adds nodes to the table and merges classes.
/// False where the table is full.
class ApplyFunction : public std::function<bool(const Match &, NodeTable &)> {
public:
  using function::function;

  /// Where this is all that it says; else null. Saturation then looks at many
  /// matches at once.
  std::shared_ptr<const Replacement> replacement;
};

struct TableRule {
  std::string name;
  MatchProgram program;
  ApplyFunction apply;
  /// A match may take long, so that the clock is looked at after each.
  bool isCostly = false;
};

/// Adds the term for each match and says that it equals the class of element
/// `element`.
ApplyFunction makeReplacement(TermTemplate term, unsigned element,
                              unsigned numElements);

enum class SaturationMode : uint8_t { Snapshots, Eager };

enum class SchedulerKind : uint8_t { Simple, Backoff, Phases };

/// Rules, by their numbers, that are applied until they change nothing or that
/// many iterations have passed. A number that no rule has is left out.
struct RulePhase {
  std::vector<size_t> rules;
  uint64_t iterations = 30;
};

/// 0 is not a limit but an error; `saturate` does nothing then.
struct SaturationLimits {
  /// Of snapshots.
  uint64_t iterations = 30;
  /// Nodes of the table.
  uint64_t nodes = 1u << 20;
  /// Matches that are applied, over all iterations.
  uint64_t matches = uint64_t(1) << 32;
  /// Of the table.
  uint64_t bytes = uint64_t(1) << 33;
  double seconds = 30;
};

struct SaturationOptions {
  SaturationLimits limits;
  SaturationMode mode = SaturationMode::Snapshots;
  /// Of snapshots: whether matches that are not new are left out.
  bool isIncremental = true;
  /// Of snapshots.
  SchedulerKind scheduler = SchedulerKind::Simple;
  /// Of backoff.
  uint64_t matchLimit = 1000, banLength = 5;
  /// Of phases.
  std::vector<RulePhase> phases;
  /// Is told of the matches that are applied; null for none. It must have been
  /// added to the table's analyses.
  Explainer *explainer = nullptr;
};

/// None, or what is wrong with the options.
std::optional<std::string> verify(const SaturationOptions &options);

enum class StopReason : uint8_t {
  Saturated,
  Iterations,
  Nodes,
  Matches,
  Bytes,
  Time,
  /// Congruence says of two classes that they are equal, and an analysis that
  /// they can't be: a rule is wrong, or a term.
  Contradiction,
};

/// `saturated`, `the limit of nodes is reached`, ...
llvm::StringRef describe(StopReason reason);

struct RuleStatistics {
  /// That of the rule.
  std::string name;
  uint64_t matches = 0;
  /// Matches that added a node or merged two classes.
  uint64_t applied = 0;
  /// Of rules from PDL: matches that were rewritten to the end.
  uint64_t completed = 0;
  /// How often the scheduler left the rule out.
  uint64_t bans = 0;
  /// Merges that an analysis refused, and why it refused the first.
  uint64_t refused = 0;
  std::string refusal;
  double seconds = 0;
};

/// Adds what happened to rules afterwards; `sum` has as many, or none yet.
void addRules(std::vector<RuleStatistics> &sum,
              llvm::ArrayRef<RuleStatistics> more);

struct SaturationStatistics {
  StopReason reason = StopReason::Saturated;
  uint64_t iterations = 0;
  /// Nodes that eager saturation took from its list.
  uint64_t taken = 0;
  size_t nodes = 0, classes = 0;
  double seconds = 0, rebuildSeconds = 0;
  /// One per rule.
  std::vector<RuleStatistics> rules;
  /// Of graphs of terms: what was said to be equal and can't be, and by which
  /// rules as far as that is known; empty if nothing was. What the graph says is
  /// then worth nothing.
  std::string contradiction;
  /// It is about numbers of floating point, which rounding may have told apart.
  bool isOfFloats = false;
};

/// Applies the rules to the table, which has no snapshot afterwards. The
/// options must be verified. Everything but the seconds depends on the table,
/// the rules and the options only, if no time limit was reached.
SaturationStatistics saturate(NodeTable &table, llvm::ArrayRef<TableRule> rules,
                              const SaturationOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_SATURATE_H

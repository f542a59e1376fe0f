//===- Saturate.h - Matching and saturation ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_SATURATE_H
#define TENSORACCESS_EGRAPH_SATURATE_H

#include "TensorAccess/EGraph/NodeTable.h"
#include "TensorAccess/EGraph/TermGraph.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Patterns on a table of nodes
//
// A *term pattern* is a tree of nodes over variables; equal variables are equal
// classes. A pattern consists of one or more of them, which share variables:
//
//   Pattern pattern;
//   unsigned x = pattern.addVariable(), y = pattern.addVariable();
//   unsigned sum = pattern.addNode(plus, {x, y});        // (plus ?x ?y)
//   pattern.addRoot(sum);
//   MatchProgram program(pattern);
//
// A node's symbol is described by a *symbol set*, a predicate that is evaluated
// once per symbol, so that attributes and types can be part of it.
//
// The program walks the snapshot of a table (NodeTable.h):
//
//   Scan    every node whose symbol is in a set;
//   Bind    every node of a known class whose symbol is in a set;
//   Join    every node whose symbol is in a set and that has known classes as
//           certain operands.
//
// When a node is found, the classes of its operands are bound or compared at
// once. Of several roots, the one with the fewest nodes is scanned. A later one
// is joined through an index of its nodes by all operands that are known by
// then; it is scanned only if none is known. Which of them comes next is
// decided anew each time, by the number of nodes to visit: the fewest come
// first, as in a generic join.
//
// A match is passed to a function that may change the table at once: the
// snapshot stays as it was. Matches are not collected.
//
// Matching may be *incremental* (semi-naive): it finds the matches with a new
// node (NodeTable.h), in the order in which it finds all. If a match has no
// other new node yet, its last node is looked for only among the new nodes of
// its class.
//===----------------------------------------------------------------------===//

/// Symbols with a property. The property of a symbol must not change.
class SymbolSet {
public:
  explicit SymbolSet(std::function<bool(SymbolId)> predicate)
      : predicate(std::move(predicate)) {}
  /// One symbol.
  explicit SymbolSet(SymbolId symbol) : single(symbol) {}

  /// The symbol, if the set was created from one.
  std::optional<SymbolId> getSingle() const { return single; }

  bool contains(SymbolId symbol) {
    if (single)
      return symbol == *single;
    if (symbol >= known.size())
      extend(symbol);
    return known[symbol];
  }

private:
  void extend(SymbolId symbol);

  std::optional<SymbolId> single;
  std::function<bool(SymbolId)> predicate;
  llvm::SmallVector<bool, 0> known;
};

class Pattern {
public:
  /// A variable: any class.
  unsigned addVariable();
  /// A node over earlier elements. Its symbols all have that many operands.
  unsigned addNode(std::shared_ptr<SymbolSet> symbols,
                   llvm::ArrayRef<unsigned> operands);
  unsigned addNode(SymbolId symbol, llvm::ArrayRef<unsigned> operands) {
    return addNode(std::make_shared<SymbolSet>(symbol), operands);
  }
  /// Makes a node, which is not an operand of another, a root.
  void addRoot(unsigned node) { roots.push_back(node); }

  struct Element {
    /// Null for a variable.
    std::shared_ptr<SymbolSet> symbols;
    llvm::SmallVector<unsigned, 3> operands;
  };
  llvm::ArrayRef<Element> getElements() const { return elements; }
  llvm::ArrayRef<unsigned> getRoots() const { return roots; }

private:
  llvm::SmallVector<Element, 8> elements;
  llvm::SmallVector<unsigned, 1> roots;
};

/// Where the elements of a pattern were found.
struct Match {
  /// For each element its class: a name that was valid in the snapshot.
  llvm::ArrayRef<ClassId> classes;
  /// For each element that is a node its symbol.
  llvm::ArrayRef<SymbolId> symbols;
  /// Whether a node of it is new in the snapshot.
  bool isNew = true;
};

class MatchProgram {
public:
  /// std::nullopt, and `problem`, for a pattern without a root, with a root
  /// that is not a node or is an operand of another, and with an element that
  /// is in no root.
  static std::optional<MatchProgram> compile(const Pattern &pattern,
                                             std::string &problem);

  /// Calls `found` for each match in the table's snapshot, in an order that
  /// depends only on the table, until it returns false. `found` may change the
  /// table, but not take a snapshot. Returns false if it was stopped. `onlyNew`
  /// leaves out the matches that are not new. `goOn`, which can also stop it,
  /// is called from time to time, even if there are no matches.
  bool run(const NodeTable &table,
           llvm::function_ref<bool(const Match &)> found, bool onlyNew = false,
           llvm::function_ref<bool()> goOn = nullptr) const;

  /// The pattern's elements.
  llvm::ArrayRef<Pattern::Element> getElements() const { return elements; }

private:
  enum class Opcode : uint8_t { Scan, Bind, Join };
  /// How the class of an operand is handled.
  struct Step {
    unsigned element;
    /// It is already known, and must be the same.
    bool isCompare;
  };
  struct Instruction {
    Opcode opcode;
    /// The element that is found.
    unsigned element;
    llvm::SmallVector<Step, 3> steps;
  };
  /// A root, as number `root`, and the nodes below it that are not yet found.
  struct Block {
    unsigned root;
    llvm::SmallVector<Instruction, 4> instructions;
    /// The block's index (of Join), and the state after it.
    unsigned index = 0, next = 0;
  };
  /// Roots that were found, and what may be next.
  struct State {
    llvm::SmallVector<Block, 1> blocks;
  };
  /// The nodes for a root by operands.
  struct IndexKey {
    unsigned element;
    llvm::SmallVector<unsigned, 2> operands;
  };
  class Search;

  unsigned addState(llvm::ArrayRef<unsigned> roots,
                    const std::vector<bool> &isFound,
                    const llvm::BitVector &hasClass,
                    const llvm::BitVector &hasNode,
                    std::map<std::vector<bool>, unsigned> &known);
  Block makeBlock(unsigned root, llvm::BitVector &hasClass,
                  llvm::BitVector &hasNode);

  llvm::SmallVector<Pattern::Element, 8> elements;
  size_t numNodes = 0;
  /// The first state is the one before all roots.
  std::vector<State> states;
  std::vector<IndexKey> indices;
};

//===----------------------------------------------------------------------===//
// Applying rules until nothing is new
//
// An *iteration* searches for the matches of every rule in one snapshot of the
// table, applies each as it is found, and rebuilds at the end. Iterations are
// repeated until one changes nothing (the table is *saturated*) or a limit is
// reached. Limits also stop within an iteration: after the match that reached
// it, the table is rebuilt as if there were no further matches. A limit that is
// reached before the first match stops before it.
//
// A rule that ran in the previous iteration gets only the matches that are new
// since then: the others would add existing nodes and state known equalities.
// The resulting nodes and classes are the same, with the same numbers, as with
// all matches.
//
// A *scheduler* decides which rules run in an iteration:
//
//   simple    all of them;
//   backoff   a rule with more than `matchLimit · 2^k` matches is left out of
//             this iteration, with none of its matches applied, and of the next
//             `banLength · 2^k`, k being how often that happened before. The
//             table is not saturated while a rule is left out.
//
//   phases    the rules of one phase after the other; the first follows the
//             last. The table is saturated, as far as the phases' rules go,
//             when none of the phases changes anything.
//
// *Eager* saturation has no iterations. It takes one node after the other from
// a worklist, applies the matches that the node completes, and rebuilds, so
// that a new term is equal to everything it is equal to before others use it.
// The worklist gets new nodes, and those for which a merge or a fact may create
// matches: apart from that, everything is found once. New nodes are taken
// first, which takes the least memory if rules saturate; if they don't, it
// follows the first of them in depth, whereas snapshots explore all of them
// alike.
//
// (Backoff follows egg, Willsey et al. 2021, with its constants.)
//===----------------------------------------------------------------------===//

class Explainer;

/// A term over the elements of a pattern: element e is e itself, and the i-th
/// node is (number of elements) + i.
struct TermTemplate {
  struct Node {
    SymbolId symbol;
    llvm::SmallVector<unsigned, 3> operands;
  };
  /// Operands come before the nodes that use them.
  std::vector<Node> nodes;
  /// The root of the term: an element or a node.
  unsigned root = 0;
};

/// A term that equals an element, of a pattern with that many elements.
struct Replacement {
  TermTemplate term;
  unsigned element = 0, numElements = 0;
};

/// Applies a rule to a match: adds nodes to the table and merges classes. False
/// if the table is full.
class ApplyFunction : public std::function<bool(const Match &, NodeTable &)> {
public:
  using function::function;

  /// Set if this replacement is all that it does; else null. Saturation then
  /// handles many matches at once.
  std::shared_ptr<const Replacement> replacement;
};

struct TableRule {
  std::string name;
  MatchProgram program;
  ApplyFunction apply;
  /// A match may take long, so the clock is checked after each.
  bool isCostly = false;
};

/// Adds the term for each match and states that it equals the class of element
/// `element`.
ApplyFunction makeReplacement(TermTemplate term, unsigned element,
                              unsigned numElements);

enum class SaturationMode : uint8_t { Snapshots, Eager };

enum class SchedulerKind : uint8_t { Simple, Backoff, Phases };

/// Rules, by number, that are applied until they change nothing or `iterations`
/// iterations have passed. A number that no rule has is ignored.
struct RulePhase {
  std::vector<size_t> rules;
  uint64_t iterations = 30;
};

/// 0 is not a limit but an error; `saturate` does nothing then.
struct SaturationLimits {
  /// For snapshots.
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
  /// For snapshots: whether matches that are not new are left out.
  bool isIncremental = true;
  /// For snapshots.
  SchedulerKind scheduler = SchedulerKind::Simple;
  /// For backoff.
  uint64_t matchLimit = 1000, banLength = 5;
  /// For phases.
  std::vector<RulePhase> phases;
  /// Is notified of the matches that are applied; may be null. It must have
  /// been added to the table's analyses.
  Explainer *explainer = nullptr;
};

/// std::nullopt, or what is wrong with the options.
std::optional<std::string> verify(const SaturationOptions &options);

enum class StopReason : uint8_t {
  Saturated,
  Iterations,
  Nodes,
  Matches,
  Bytes,
  Time,
  /// Two classes are equal by congruence, but cannot be by an analysis: a rule
  /// or a term is wrong.
  Contradiction,
};

/// `saturated`, `the limit of nodes is reached`, ...
llvm::StringRef describe(StopReason reason);

struct RuleStatistics {
  /// The rule's name.
  std::string name;
  uint64_t matches = 0;
  /// Matches that added a node or merged two classes.
  uint64_t applied = 0;
  /// For rules from PDL: matches that were rewritten completely.
  uint64_t completed = 0;
  /// How often the scheduler left the rule out.
  uint64_t bans = 0;
  /// Merges that an analysis refused, and why it refused the first.
  uint64_t refused = 0;
  std::string refusal;
  double seconds = 0;
};

/// Adds further statistics of rules; `sum` has as many, or is empty.
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
  /// For graphs of terms: what was stated to be equal and can't be, and by
  /// which rules as far as that is known; empty if nothing was. The graph is
  /// then meaningless.
  std::string contradiction;
  /// It concerns floating-point numbers, which may differ by rounding.
  bool isOfFloats = false;
};

/// Applies the rules to the table, which has no snapshot afterwards. The
/// options must be verified. Everything except the seconds depends only on the
/// table, the rules and the options, if no time limit was reached.
SaturationStatistics saturate(NodeTable &table, llvm::ArrayRef<TableRule> rules,
                              const SaturationOptions &options);

/// Adds the statistics of one graph to those of others: the first reason that
/// is not `Saturated`, and sums.
void add(SaturationStatistics &sum, const SaturationStatistics &more);

//===----------------------------------------------------------------------===//
// Why two terms are equal
//
// An explainer records the equalities that are stated while a table grows, in
// *terms*: trees of symbols whose operands are terms, not classes.
//
//   - The term of a class's name is the node that it was created with, over the
//     terms of its operands' names at that time.
//   - An *equation* is what a rule states for a match: the pattern's term, with
//     the terms of the variables' classes, equals the term that the rule
//     requested. An equality stated outside of rules is an equation without a
//     rule.
//
//   Explainer explainer;
//   table.addAnalysis(&explainer);          // before the first node
//   options.explainer = &explainer;
//   saturate(table, rules, options);
//   auto proof = explainer.explain(a, b);   // none: they aren't equal
//
// The proof is found afterwards, by a separate congruence closure that takes
// the equations in the order in which they were stated until the two terms are
// equal, and keeps a forest of reasons (Nieuwenhuis and Oliveras, "Fast
// congruence closure and extensions", 2007). A proof is a list of *lemmas*,
// including the requested equality, which is the last one if only one pair was
// requested. A lemma is a chain of terms; each step is an equation, forwards or
// backwards, or replaces operands by ones that earlier lemmas prove equal.
// `check` checks this step by step; that an equation is an instance of its rule
// can be checked from its rule, pattern and elements.
//===----------------------------------------------------------------------===//

/// The number of a term.
using TermId = uint32_t;

class Explainer : public ClassAnalysis {
public:
  struct Term {
    SymbolId symbol;
    std::vector<TermId> operands;
  };
  struct Equation {
    TermId a, b;
    /// std::nullopt for an equality stated outside of rules.
    std::optional<size_t> rule;
    /// The term of each element of the rule's pattern.
    std::vector<TermId> elements;
  };
  struct Step {
    TermId from, to;
    /// std::nullopt if the step replaces operands.
    std::optional<size_t> equation;
  };
  struct Lemma {
    TermId from, to;
    std::vector<Step> steps;
  };
  using Proof = std::vector<Lemma>;

  const Term &getTerm(TermId term) const { return terms[term]; }
  const Equation &getEquation(size_t i) const { return equations[i]; }
  size_t getNumEquations() const { return equations.size(); }
  /// The term of a class's name, valid or not.
  TermId getTermOf(ClassId id) const { return termOf.lookup(id); }
  /// The term, which is created if it does not exist.
  TermId makeTerm(SymbolId symbol, llvm::ArrayRef<TermId> operands);

  /// Why two terms are equal; std::nullopt if no stated equalities imply it.
  std::optional<Proof> explain(TermId a, TermId b) const {
    return explain({{a, b}});
  }
  /// The same for several pairs: each has its lemma in the proof, and what they
  /// share is proved once.
  std::optional<Proof>
  explain(llvm::ArrayRef<std::pair<TermId, TermId>> pairs) const;

  /// Marks that the match of a rule is being applied, until `end`.
  void begin(size_t rule, const MatchProgram &program, const Match &match);
  void end();

  void made(NodeTable &table, NodeId node) override;
  void asked(NodeTable &table, SymbolId symbol,
             llvm::ArrayRef<ClassId> operands, ClassId id) override;
  void said(NodeTable &table, ClassId a, ClassId b) override;
  void merged(NodeTable &, ClassId, ClassId) override {}

private:
  TermId getOperandTerm(ClassId id) const;

  std::vector<Term> terms;
  std::map<std::pair<SymbolId, std::vector<TermId>>, TermId> known;
  llvm::DenseMap<ClassId, TermId> termOf;
  std::vector<Equation> equations;
  // Of the match that is being applied.
  std::optional<size_t> rule;
  std::vector<TermId> elementTerms;
  /// The terms of names: variables, nodes of the pattern, and what the rule
  /// requested.
  llvm::DenseMap<ClassId, TermId> variables, patternNodes, requests;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_SATURATE_H

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
// classes. A pattern has one or more of them that share variables:
//
//   Pattern pattern;
//   unsigned x = pattern.addVariable(), y = pattern.addVariable();
//   unsigned sum = pattern.addNode(plus, {x, y});        // (plus ?x ?y)
//   pattern.addRoot(sum);
//   MatchProgram program(pattern);
//
// A node's symbol is described by a *symbol set*, a predicate that is asked
// once for each symbol, so that attributes and types can be part of it.
//
// The program walks the snapshot of a table (NodeTable.h):
//
//   Scan    every node whose symbol is in a set;
//   Bind    every node of a class that is known, whose symbol is in a set;
//   Join    every node, whose symbol is in a set, that has known classes as
//           certain operands.
//
// A node that is found binds or compares the classes of its operands at once.
// Of several roots, the one with the fewest nodes is scanned. A later one is
// joined through an index of its nodes by all operands that are known by then;
// it is scanned only where none is. Which of them comes next is decided anew
// each time, by the number of nodes that there are to be looked at: the fewest
// come first, as in a generic join.
//
// A match is given to a function that may change the table at once: the
// snapshot stays as it was. Nothing is collected.
//
// Matching may be *incremental* (semi-naive): it finds the matches with a new
// node (NodeTable.h), in the order in which it finds all. The last node of a
// match without another new one is looked for among the new nodes of its class.
//===----------------------------------------------------------------------===//

/// Symbols with a property. The property of a symbol must not change.
class SymbolSet {
public:
  explicit SymbolSet(std::function<bool(SymbolId)> predicate)
      : predicate(std::move(predicate)) {}
  /// One symbol.
  explicit SymbolSet(SymbolId symbol) : single(symbol) {}

  /// The symbol, if it was made of one.
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
  /// no root has.
  static std::optional<MatchProgram> compile(const Pattern &pattern,
                                             std::string &problem);

  /// Calls `found` for each match in the table's snapshot, in an order that
  /// depends on the table only, until it returns false. `found` may change the
  /// table, but not take a snapshot. Returns false if it was stopped.
  /// `onlyNew` leaves out the matches that are not new. `goOn`, which stops it,
  /// too, is asked now and then, also where there are no matches.
  bool run(const NodeTable &table,
           llvm::function_ref<bool(const Match &)> found, bool onlyNew = false,
           llvm::function_ref<bool()> goOn = nullptr) const;

  /// Those of the pattern.
  llvm::ArrayRef<Pattern::Element> getElements() const { return elements; }

private:
  enum class Opcode : uint8_t { Scan, Bind, Join };
  /// What becomes of the class of an operand.
  struct Step {
    unsigned element;
    /// It is known already, and must be the same.
    bool isCompare;
  };
  struct Instruction {
    Opcode opcode;
    /// The element that is found.
    unsigned element;
    llvm::SmallVector<Step, 3> steps;
  };
  /// A root, as number `root`, and the nodes below it that are not found yet.
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
  /// The first one is that before all roots.
  std::vector<State> states;
  std::vector<IndexKey> indices;
};

//===----------------------------------------------------------------------===//
// Rules until nothing is new
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
//===----------------------------------------------------------------------===//

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
/// False if the table is full.
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

/// std::nullopt, or what is wrong with the options.
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

/// Adds what happened to rules afterwards; `sum` has as many, or is empty.
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
  /// rules as far as that is known; empty if nothing was. The graph is then
  /// meaningless.
  std::string contradiction;
  /// It is about numbers of floating point, which rounding may have told apart.
  bool isOfFloats = false;
};

/// Applies the rules to the table, which has no snapshot afterwards. The
/// options must be verified. Everything but the seconds depends on the table,
/// the rules and the options only, if no time limit was reached.
SaturationStatistics saturate(NodeTable &table, llvm::ArrayRef<TableRule> rules,
                              const SaturationOptions &options);

/// Adds what happened in one graph to what happened in others: the first reason
/// that is not `Saturated`, and sums.
void add(SaturationStatistics &sum, const SaturationStatistics &more);

//===----------------------------------------------------------------------===//
// Why two terms are equal
//
// An explainer writes down what is said while a table grows, in *terms*: trees
// of symbols whose operands are terms, not classes.
//
//   - The term of a class's name is the node that it was made with, over the
//     terms of its operands' names at that time.
//   - An *equation* is what a rule says for a match: the pattern's term, with
//     the terms of the variables' classes, equals the term that the rule asked
//     for. What is said outside of rules is an equation without a rule.
//
//   Explainer explainer;
//   table.addAnalysis(&explainer);          // before the first node
//   options.explainer = &explainer;
//   saturate(table, rules, options);
//   auto proof = explainer.explain(a, b);   // none: they aren't equal
//
// The proof is found afterwards, by a congruence closure of its own that takes
// the equations in the order in which they were said until the two terms are
// equal, and keeps a forest of reasons (Nieuwenhuis and Oliveras, "Fast
// congruence closure and extensions", 2007). A proof is a list of *lemmas*; what
// was asked for is among them, the last one, if it was one pair. A lemma is a chain of terms; each step
// is an equation, forwards or backwards, or replaces operands by equal ones,
// which earlier lemmas say. `check` checks this step by step; that an equation
// is one of its rule can be checked from its rule, pattern and elements.
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
    /// std::nullopt for what was said outside of rules.
    std::optional<size_t> rule;
    /// The term of each element of the rule's pattern.
    std::vector<TermId> elements;
  };
  struct Step {
    TermId from, to;
    /// std::nullopt if operands are replaced.
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
  /// The term, which is made where there is none.
  TermId makeTerm(SymbolId symbol, llvm::ArrayRef<TermId> operands);

  /// Why two terms are equal; std::nullopt if nothing said makes them so.
  std::optional<Proof> explain(TermId a, TermId b) const {
    return explain({{a, b}});
  }
  /// The same for several pairs: each has its lemma in the proof, and what they
  /// share is said once.
  std::optional<Proof>
  explain(llvm::ArrayRef<std::pair<TermId, TermId>> pairs) const;

  /// The match of a rule is being applied, until `end`.
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
  /// What names stand for: variables, nodes of the pattern, and what the rule
  /// asked for.
  llvm::DenseMap<ClassId, TermId> variables, patternNodes, requests;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_SATURATE_H

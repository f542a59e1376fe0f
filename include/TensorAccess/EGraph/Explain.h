//===- Explain.h - Why two terms are equal ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_EXPLAIN_H
#define TENSORACCESS_EGRAPH_EXPLAIN_H

#include "TensorAccess/EGraph/Analysis.h"
#include "TensorAccess/EGraph/Matcher.h"

#include <map>
#include <vector>

namespace mlir::tensoraccess {

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
    /// None for what was said outside of rules.
    std::optional<size_t> rule;
    /// The term of each element of the rule's pattern.
    std::vector<TermId> elements;
  };
  struct Step {
    TermId from, to;
    /// None where operands are replaced.
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

  /// Why two terms are equal; none where nothing said makes them so.
  std::optional<Proof> explain(TermId a, TermId b) const {
    return explain({{a, b}});
  }
  /// The same for several pairs: each has its lemma in the proof, and what they
  /// share is said once.
  std::optional<Proof>
  explain(llvm::ArrayRef<std::pair<TermId, TermId>> pairs) const;
  /// Whether each step of the proof follows; else why not.
  bool check(const Proof &proof, std::string &problem) const;

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

#endif // TENSORACCESS_EGRAPH_EXPLAIN_H

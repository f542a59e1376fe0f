//===- RandomTerms.h - Terms, patterns and rules at random ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small tables of seven symbols, of which some terms are equal, patterns with
// one root or more, and rules that may feed themselves.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_RANDOMTERMS_H
#define TENSORACCESS_TEST_EGRAPH_RANDOMTERMS_H

#include "TensorAccess/EGraph/Saturate.h"

#include <map>
#include <random>
#include <set>

namespace mlir::tensoraccess::test {

class RandomTerms {
public:
  explicit RandomTerms(unsigned seed) : generator(seed) {}
  int pick(int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator);
  }

  static constexpr unsigned arities[] = {0, 0, 0, 1, 1, 2, 2};

  /// A table of random terms, some of them equal.
  std::vector<ClassId> fill(NodeTable &table, int terms, int merges) {
    for (unsigned arity : arities)
      table.addSymbol(arity);
    std::vector<ClassId> made = {*table.add(0, {})};
    for (int i = 0; i < terms; ++i) {
      SymbolId symbol = pick(std::size(arities));
      std::vector<ClassId> operands;
      for (unsigned o = 0; o < arities[symbol]; ++o)
        operands.push_back(made[pick(made.size())]);
      made.push_back(*table.add(symbol, operands));
    }
    for (int i = merges; i > 0; --i)
      table.merge(made[pick(made.size())], made[pick(made.size())]);
    table.rebuild();
    return made;
  }

  /// A pattern with up to `nodes` nodes; none if an element has no root.
  std::optional<MatchProgram> makePattern(Pattern &pattern, int nodes) {
    for (int v = 1 + pick(2); v > 0; --v)
      pattern.addVariable();
    std::set<unsigned> open;
    for (int i = 1 + pick(nodes); i > 0; --i) {
      const SymbolId symbol = pick(std::size(arities));
      std::vector<unsigned> operands;
      for (unsigned o = 0; o < arities[symbol]; ++o)
        operands.push_back(pick(pattern.getElements().size()));
      const unsigned arity = arities[symbol];
      unsigned node =
          pick(3) ? pattern.addNode(symbol, operands)
                  : pattern.addNode(
                        std::make_shared<SymbolSet>([arity](SymbolId s) {
                          return s < std::size(arities) && arities[s] == arity;
                        }),
                        operands);
      for (unsigned o : operands)
        open.erase(o);
      open.insert(node);
    }
    for (unsigned root : open)
      pattern.addRoot(root);
    std::string problem;
    return MatchProgram::compile(pattern, problem);
  }

  /// Up to three rules: what a pattern matches is equal to a node over
  /// elements, or to an element.
  std::vector<TableRule> makeRules() {
    std::vector<TableRule> rules;
    for (int r = 1 + pick(3); r > 0; --r) {
      Pattern pattern;
      std::optional<MatchProgram> program = makePattern(pattern, 2);
      if (!program)
        continue;
      const unsigned count = pattern.getElements().size();
      TermTemplate term;
      term.root = pick(count);
      if (pick(3)) {
        const SymbolId symbol = pick(std::size(arities));
        TermTemplate::Node node{symbol, {}};
        for (unsigned o = 0; o < arities[symbol]; ++o)
          node.operands.push_back(pick(count));
        term.nodes.push_back(node);
        term.root = count;
      }
      rules.push_back(
          {"random", *program,
           makeReplacement(term, pattern.getRoots().front(), count)});
    }
    return rules;
  }

private:
  std::mt19937 generator;
};

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_EGRAPH_RANDOMTERMS_H

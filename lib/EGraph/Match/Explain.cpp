//===- Explain.cpp - Why two terms are equal ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The closure numbers its reasons in the order in which they come. A reason by
// congruence rests on operands that were equal before, so that the chain for
// each pair of operands has older reasons only, and lemmas that are sorted by
// their youngest reason come after what they need.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Saturate.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// What is written down
//===----------------------------------------------------------------------===//

TermId Explainer::makeTerm(SymbolId symbol, ArrayRef<TermId> operands) {
  auto [it, isNew] =
      known.try_emplace({symbol, operands.vec()}, TermId(terms.size()));
  if (isNew)
    terms.push_back({symbol, operands.vec()});
  return it->second;
}

void Explainer::made(NodeTable &table, NodeId node) {
  std::vector<TermId> operands;
  for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i)
    operands.push_back(termOf.lookup(table.getOperand(node, i)));
  termOf[node] = makeTerm(table.getSymbol(node), operands);
}

void Explainer::begin(size_t rule, const MatchProgram &program,
                      const Match &match) {
  this->rule = rule;
  elementTerms.clear();
  for (auto [e, element] : llvm::enumerate(program.getElements())) {
    if (!element.symbols) {
      elementTerms.push_back(termOf.lookup(match.classes[e]));
      variables[match.classes[e]] = elementTerms.back();
      continue;
    }
    std::vector<TermId> operands;
    for (unsigned o : element.operands)
      operands.push_back(elementTerms[o]);
    elementTerms.push_back(makeTerm(match.symbols[e], operands));
    patternNodes[match.classes[e]] = elementTerms.back();
  }
}

void Explainer::end() {
  rule = std::nullopt;
  variables.clear();
  patternNodes.clear();
  requests.clear();
}

TermId Explainer::getOperandTerm(ClassId id) const {
  for (const auto *names : {&requests, &variables, &patternNodes})
    if (auto it = names->find(id); it != names->end())
      return it->second;
  return termOf.lookup(id);
}

void Explainer::asked(NodeTable &table, SymbolId symbol,
                      ArrayRef<ClassId> operands, ClassId id) {
  if (!rule)
    return;
  std::vector<TermId> names;
  for (ClassId operand : operands)
    names.push_back(getOperandTerm(operand));
  requests[id] = makeTerm(symbol, names);
}

void Explainer::said(NodeTable &table, ClassId a, ClassId b) {
  if (!rule) {
    equations.push_back({termOf.lookup(a), termOf.lookup(b), rule, {}});
    return;
  }
  // What a rule replaces is a node of its pattern.
  auto find = [&](ClassId id, bool isFirst) {
    auto it = patternNodes.find(id);
    return isFirst && it != patternNodes.end() ? it->second
                                               : getOperandTerm(id);
  };
  equations.push_back({find(a, true), find(b, false), rule, elementTerms});
}

//===----------------------------------------------------------------------===//
// Closure
//===----------------------------------------------------------------------===//

namespace {

class Closure {
public:
  explicit Closure(size_t numTerms)
      : names(numTerms), uses(numTerms), members(numTerms), edges(numTerms) {
    for (TermId t = 0; t < numTerms; ++t) {
      names[t] = t;
      members[t] = {t};
    }
  }

  struct Edge {
    /// The next term towards the root of the tree, itself for a root.
    std::optional<TermId> to;
    std::optional<size_t> equation;
    /// When it was stated or found.
    size_t time = 0;
  };

  bool areEqual(TermId a, TermId b) const { return names[a] == names[b]; }
  const Edge &getEdge(TermId t) const { return edges[t]; }

  /// Puts the term in; its operands are in.
  void add(TermId term, const Explainer::Term &value) {
    for (TermId operand : value.operands)
      uses[names[operand]].push_back(term);
    enter(term, value);
  }

  /// States that two terms are equal.
  void merge(TermId a, TermId b, size_t equation, const Explainer &explainer) {
    pending.push_back({a, b, equation});
    while (!pending.empty()) {
      const Pending next = pending.back();
      pending.pop_back();
      if (!areEqual(next.a, next.b))
        join(next, explainer);
    }
  }

private:
  struct Pending {
    TermId a, b;
    std::optional<size_t> equation;
  };

  void enter(TermId term, const Explainer::Term &value) {
    std::vector<TermId> operands;
    for (TermId operand : value.operands)
      operands.push_back(names[operand]);
    auto [it, isNew] = signatures.try_emplace({value.symbol, operands}, term);
    if (!isNew && !areEqual(term, it->second))
      pending.push_back({term, it->second, std::nullopt});
  }

  void join(const Pending &reason, const Explainer &explainer) {
    // The tree of a is turned so that a is its root, which goes below b.
    Edge above{reason.b, reason.equation, numReasons++};
    for (TermId t = reason.a;;) {
      std::swap(edges[t], above);
      if (!above.to)
        break;
      const TermId parent = *above.to;
      above.to = t;
      t = parent;
    }
    TermId from = names[reason.a], to = names[reason.b];
    if (members[from].size() > members[to].size())
      std::swap(from, to);
    for (TermId t : members[from])
      names[t] = to;
    members[to].insert(members[to].end(), members[from].begin(),
                       members[from].end());
    members[from].clear();
    const std::vector<TermId> users = std::move(uses[from]);
    uses[from].clear();
    for (TermId user : users) {
      enter(user, explainer.getTerm(user));
      uses[to].push_back(user);
    }
  }

  std::vector<TermId> names;
  std::vector<std::vector<TermId>> uses, members;
  std::vector<Edge> edges;
  std::map<std::pair<SymbolId, std::vector<TermId>>, TermId> signatures;
  std::vector<Pending> pending;
  size_t numReasons = 0;
};

} // namespace

/// The chain from one term to another in a tree of reasons, and its youngest
/// reason.
static std::pair<Explainer::Lemma, size_t> findChain(const Closure &closure,
                                                     TermId a, TermId b) {
  std::vector<TermId> fromA = {a}, fromB = {b};
  for (auto *path : {&fromA, &fromB})
    while (auto next = closure.getEdge(path->back()).to)
      path->push_back(*next);
  // Without the terms that they share, except for the first.
  while (fromA.size() > 1 && fromB.size() > 1 &&
         fromA[fromA.size() - 2] == fromB[fromB.size() - 2]) {
    fromA.pop_back();
    fromB.pop_back();
  }
  Explainer::Lemma lemma{a, b, {}};
  size_t youngest = 0;
  auto note = [&](TermId from, TermId to, const Closure::Edge &edge) {
    lemma.steps.push_back({from, to, edge.equation});
    youngest = std::max(youngest, edge.time);
  };
  for (size_t i = 0; i + 1 < fromA.size(); ++i)
    note(fromA[i], fromA[i + 1], closure.getEdge(fromA[i]));
  for (size_t i = fromB.size() - 1; i > 0; --i)
    note(fromB[i], fromB[i - 1], closure.getEdge(fromB[i - 1]));
  return {std::move(lemma), youngest};
}

std::optional<Explainer::Proof>
Explainer::explain(ArrayRef<std::pair<TermId, TermId>> pairs) const {
  Closure closure(terms.size());
  for (TermId t = 0; t < terms.size(); ++t)
    closure.add(t, terms[t]);
  // Chains between terms that are equal stay as they are.
  size_t next = 0;
  std::vector<std::pair<TermId, TermId>> open;
  std::set<std::pair<TermId, TermId>> seen;
  for (auto [a, b] : pairs) {
    for (; next < equations.size() && !closure.areEqual(a, b); ++next)
      closure.merge(equations[next].a, equations[next].b, next, *this);
    if (!closure.areEqual(a, b))
      return std::nullopt;
    if (seen.insert({a, b}).second)
      open.push_back({a, b});
  }
  std::vector<std::pair<size_t, Lemma>> lemmas;
  while (!open.empty()) {
    auto [from, to] = open.back();
    open.pop_back();
    auto [lemma, youngest] = findChain(closure, from, to);
    for (const Step &step : lemma.steps) {
      if (step.equation)
        continue;
      for (auto [x, y] :
           llvm::zip_equal(terms[step.from].operands, terms[step.to].operands))
        if (x != y && seen.insert({x, y}).second)
          open.push_back({x, y});
    }
    lemmas.emplace_back(youngest, std::move(lemma));
  }
  // What a lemma needs has older reasons only.
  llvm::sort(lemmas, [](const auto &x, const auto &y) {
    return std::tuple(x.first, x.second.from, x.second.to) <
           std::tuple(y.first, y.second.from, y.second.to);
  });
  Proof proof;
  for (auto &[youngest, lemma] : lemmas)
    proof.push_back(std::move(lemma));
  return proof;
}

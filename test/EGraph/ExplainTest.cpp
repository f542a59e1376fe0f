//===- ExplainTest.cpp - Why two terms are equal --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proofs of equalities of random terms and of chains of products, replayed step
// by step: each equation is one of its rule for the terms that it names, and
// each step keeps the word that a chain spells. Proofs that were tampered with.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Saturate.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir::tensoraccess;

namespace {

/// Whether each step of the proof follows; else why not.
bool check(const Explainer &explainer, const Explainer::Proof &proof,
           std::string &problem) {
  std::set<std::pair<TermId, TermId>> proved;
  for (auto [l, lemma] : llvm::enumerate(proof)) {
    auto refuse = [&, l = l](const char *why) {
      problem = "lemma " + std::to_string(l) + " " + why;
      return false;
    };
    TermId at = lemma.from;
    for (const Explainer::Step &step : lemma.steps) {
      if (step.from != at)
        return refuse("has a gap");
      at = step.to;
      if (step.equation) {
        if (*step.equation >= explainer.getNumEquations())
          return refuse("uses an equation that was not stated");
        const Explainer::Equation &e = explainer.getEquation(*step.equation);
        if (!(e.a == step.from && e.b == step.to) &&
            !(e.b == step.from && e.a == step.to))
          return refuse("uses an equation of other terms");
        continue;
      }
      const Explainer::Term &from = explainer.getTerm(step.from),
                            &to = explainer.getTerm(step.to);
      if (from.symbol != to.symbol ||
          from.operands.size() != to.operands.size())
        return refuse("replaces the symbol");
      for (auto [x, y] : llvm::zip_equal(from.operands, to.operands))
        if (x != y && !proved.count({x, y}))
          return refuse("replaces an operand by one that is not equal");
    }
    if (at != lemma.to)
      return refuse("ends elsewhere");
    proved.insert({lemma.from, lemma.to});
    proved.insert({lemma.to, lemma.from});
  }
  return true;
}

TEST(Explain, RandomEqualities) {
  std::mt19937 generator(29);
  auto pick = [&](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator);
  };
  int equal = 0, lemmas = 0;
  for (int round = 0; round < 300; ++round) {
    NodeTable table;
    Explainer explainer;
    table.addAnalysis(&explainer);
    const unsigned arities[] = {0, 0, 0, 0, 1, 1, 2, 2};
    for (unsigned arity : arities)
      table.addSymbol(arity);
    std::vector<ClassId> made;
    for (int step = 0; step < 3; ++step) {
      for (int i = pick(12); i >= 0; --i) {
        const SymbolId symbol = made.empty() ? 0 : pick(std::size(arities));
        std::vector<ClassId> operands;
        for (unsigned o = 0; o < arities[symbol]; ++o)
          operands.push_back(made[pick(made.size())]);
        made.push_back(*table.add(symbol, operands));
      }
      for (int i = pick(4); i > 0; --i)
        table.merge(made[pick(made.size())], made[pick(made.size())]);
      if (pick(2))
        table.rebuild();
    }
    table.rebuild();
    // All that is equal at once, and each proof by itself.
    std::vector<std::pair<TermId, TermId>> pairs;
    for (int i = 0; i < 20; ++i) {
      const ClassId x = made[pick(made.size())], y = made[pick(made.size())];
      const TermId from = explainer.getTermOf(x), to = explainer.getTermOf(y);
      auto proof = explainer.explain(from, to);
      ASSERT_EQ(proof.has_value(), table.find(x) == table.find(y));
      if (!proof)
        continue;
      std::string problem;
      EXPECT_TRUE(check(explainer, *proof, problem)) << problem;
      EXPECT_EQ(proof->back().from, from);
      EXPECT_EQ(proof->back().to, to);
      equal += from != to;
      lemmas += proof->size() > 1;
      pairs.push_back({from, to});
    }
    auto all = explainer.explain(pairs);
    ASSERT_TRUE(all);
    std::string problem;
    EXPECT_TRUE(check(explainer, *all, problem)) << problem;
    for (auto [from, to] : pairs)
      EXPECT_TRUE(llvm::any_of(*all, [&](const Explainer::Lemma &lemma) {
        return lemma.from == from && lemma.to == to;
      }));
    // One that is not equal, and there is no proof of all.
    const TermId x = explainer.getTermOf(made[0]),
                 y = explainer.getTermOf(made[pick(made.size())]);
    pairs.push_back({x, y});
    EXPECT_EQ(explainer.explain(pairs).has_value(),
              explainer.explain(x, y).has_value());
  }
  EXPECT_GT(equal, 200);
  EXPECT_GT(lemmas, 50);
}

/// Chains of products, with associativity in both directions.
struct Chains {
  Chains() {
    table.addAnalysis(&explainer);
    times = table.addSymbol(2);
    for (bool isLeft : {false, true}) {
      Pattern p;
      unsigned a = p.addVariable(), b = p.addVariable(), c = p.addVariable();
      unsigned inner =
          isLeft ? p.addNode(times, {a, b}) : p.addNode(times, {b, c});
      unsigned root =
          isLeft ? p.addNode(times, {inner, c}) : p.addNode(times, {a, inner});
      p.addRoot(root);
      TermTemplate term;
      if (isLeft)
        term.nodes = {{times, {b, c}}, {times, {a, 5}}};
      else
        term.nodes = {{times, {a, b}}, {times, {5, c}}};
      term.root = 6;
      std::string problem;
      rules.push_back({isLeft ? "left" : "right",
                       *MatchProgram::compile(p, problem),
                       makeReplacement(term, root, 5)});
    }
    for (int i = 0; i < 7; ++i)
      letters.push_back(*table.add(table.addSymbol(0), {}));
  }

  ClassId multiply(ClassId a, ClassId b) { return *table.add(times, {a, b}); }

  /// The symbols of the leaves, from left to right.
  std::vector<SymbolId> spell(TermId term) const {
    std::vector<SymbolId> word;
    std::vector<TermId> open = {term};
    while (!open.empty()) {
      const Explainer::Term &t = explainer.getTerm(open.back());
      open.pop_back();
      if (t.operands.empty())
        word.push_back(t.symbol);
      open.insert(open.end(), t.operands.rbegin(), t.operands.rend());
    }
    return word;
  }

  TermId product(TermId a, TermId b) {
    return explainer.makeTerm(times, {a, b});
  }

  Explainer explainer;
  NodeTable table;
  SymbolId times;
  std::vector<TableRule> rules;
  std::vector<ClassId> letters;
};

TEST(Explain, ProofsOfChainsAreReplayed) {
  for (SaturationMode mode :
       {SaturationMode::Snapshots, SaturationMode::Eager}) {
    Chains chains;
    ClassId left = chains.letters[0], right = chains.letters[6];
    for (int i = 1; i < 7; ++i)
      left = chains.multiply(left, chains.letters[i]);
    for (int i = 5; i >= 0; --i)
      right = chains.multiply(chains.letters[i], right);
    const TermId from = chains.explainer.getTermOf(left),
                 to = chains.explainer.getTermOf(right);
    EXPECT_FALSE(chains.explainer.explain(from, to));
    SaturationOptions options;
    options.mode = mode;
    options.explainer = &chains.explainer;
    SaturationStatistics got = saturate(chains.table, chains.rules, options);
    EXPECT_EQ(got.reason, StopReason::Saturated);
    EXPECT_EQ(got.classes, 28u);
    ASSERT_EQ(chains.table.find(left), chains.table.find(right));
    auto proof = chains.explainer.explain(from, to);
    ASSERT_TRUE(proof);
    std::string problem;
    EXPECT_TRUE(check(chains.explainer, *proof, problem)) << problem;
    size_t uses = 0;
    for (const Explainer::Lemma &lemma : *proof) {
      EXPECT_EQ(chains.spell(lemma.from), chains.spell(lemma.to));
      for (const Explainer::Step &step : lemma.steps) {
        EXPECT_EQ(chains.spell(step.from), chains.spell(step.to));
        if (!step.equation)
          continue;
        ++uses;
        // The equation is its rule for the terms of a, b and c.
        const Explainer::Equation &e =
            chains.explainer.getEquation(*step.equation);
        ASSERT_TRUE(e.rule);
        ASSERT_EQ(e.elements.size(), 5u);
        const TermId a = e.elements[0], b = e.elements[1], c = e.elements[2];
        TermId toRight = chains.product(a, chains.product(b, c));
        TermId toLeft = chains.product(chains.product(a, b), c);
        EXPECT_EQ(e.a, *e.rule == 1 ? toLeft : toRight);
        EXPECT_EQ(e.b, *e.rule == 1 ? toRight : toLeft);
      }
    }
    EXPECT_GE(uses, 5u);
  }
}

TEST(Explain, ProofsAreChecked) {
  NodeTable table;
  Explainer explainer;
  table.addAnalysis(&explainer);
  SymbolId f = table.addSymbol(1), g = table.addSymbol(1);
  ClassId x = *table.add(table.addSymbol(0), {}),
          y = *table.add(table.addSymbol(0), {});
  ClassId fx = *table.add(f, {x}), fy = *table.add(f, {y}),
          gx = *table.add(g, {x});
  table.merge(x, y);
  table.rebuild();
  const TermId from = explainer.getTermOf(fx), to = explainer.getTermOf(fy);
  auto proof = explainer.explain(from, to);
  ASSERT_TRUE(proof);
  ASSERT_EQ(proof->size(), 2u);
  std::string problem;
  EXPECT_TRUE(check(explainer, *proof, problem));
  auto refuses = [&](auto change, const char *why) {
    Explainer::Proof wrong = *proof;
    change(wrong);
    EXPECT_FALSE(check(explainer, wrong, problem));
    EXPECT_EQ(problem, why);
  };
  refuses([](auto &p) { p.erase(p.begin()); },
          "lemma 0 replaces an operand by one that is not equal");
  refuses([&](auto &p) { p[1].from = to; }, "lemma 1 has a gap");
  refuses([&](auto &p) { p[1].to = from; }, "lemma 1 ends elsewhere");
  refuses([](auto &p) { p[0].steps[0].equation = 7; },
          "lemma 0 uses an equation that was not stated");
  refuses([](auto &p) { p[1].steps[0].equation = 0; },
          "lemma 1 uses an equation of other terms");
  refuses(
      [&](auto &p) { p[1].to = p[1].steps[0].to = explainer.getTermOf(gx); },
      "lemma 1 replaces the symbol");
}

} // namespace

//===- EagerTest.cpp - Rules on one node after the other ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eager saturation against saturation by snapshots: random patterns are found
// once each; random rules end in a table where no snapshot finds anything new;
// chains of products have the nodes and, but for few, the matches that can be
// counted; facts, limits.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Analysis.h"
#include "TensorAccess/EGraph/Saturate.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir::tensoraccess;

namespace {

SaturationOptions eager() {
  SaturationOptions options;
  options.mode = SaturationMode::Eager;
  return options;
}

class Random {
public:
  explicit Random(unsigned seed) : generator(seed) {}
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

private:
  std::mt19937 generator;
};

TEST(Eager, FindsEveryMatchOnce) {
  Random random(17);
  size_t total = 0, several = 0;
  for (int round = 0; round < 4000; ++round) {
    NodeTable table;
    random.fill(table, 14, random.pick(5));
    Pattern pattern;
    std::optional<MatchProgram> program = random.makePattern(pattern, 3);
    if (!program)
      continue;
    using Found = std::multiset<std::vector<uint32_t>>;
    auto show = [&](const Match &match) {
      std::vector<uint32_t> text(match.classes.begin(), match.classes.end());
      for (unsigned e = 0; e < pattern.getElements().size(); ++e)
        if (pattern.getElements()[e].symbols)
          text.push_back(match.symbols[e]);
      return text;
    };
    Found expected, got;
    table.takeSnapshot();
    program->run(table, [&](const Match &match) {
      expected.insert(show(match));
      return true;
    });
    std::vector<TableRule> rules = {
        {"watch", *program, [&](const Match &match, NodeTable &) {
           got.insert(show(match));
           return true;
         }}};
    SaturationStatistics statistics = saturate(table, rules, eager());
    EXPECT_EQ(statistics.reason, StopReason::Saturated);
    EXPECT_EQ(statistics.taken, table.getNumNodes());
    ASSERT_EQ(got, expected) << "round " << round;
    total += got.size();
    several += pattern.getRoots().size() > 1 && !got.empty();
  }
  EXPECT_GT(total, 2000u);
  EXPECT_GT(several, 50u);
}

TEST(Eager, WhatIsSaturatedHasNothingNew) {
  Random random(23);
  int saturated = 0, applied = 0;
  for (int round = 0; round < 2000; ++round) {
    NodeTable table;
    random.fill(table, 12, random.pick(3));
    std::vector<TableRule> rules;
    for (int r = 1 + random.pick(3); r > 0; --r) {
      Pattern pattern;
      std::optional<MatchProgram> program = random.makePattern(pattern, 2);
      if (!program)
        continue;
      // Equal to a node over elements, or to an element.
      const unsigned count = pattern.getElements().size();
      TermTemplate term;
      term.root = random.pick(count);
      if (random.pick(3)) {
        const SymbolId symbol = random.pick(std::size(Random::arities));
        TermTemplate::Node node{symbol, {}};
        for (unsigned o = 0; o < Random::arities[symbol]; ++o)
          node.operands.push_back(random.pick(count));
        term.nodes.push_back(node);
        term.root = count;
      }
      rules.push_back(
          {"random", *program,
           makeReplacement(term, pattern.getRoots().front(), count)});
    }
    SaturationOptions options = eager();
    options.limits.nodes = 300;
    options.limits.matches = 5000;
    SaturationStatistics got = saturate(table, rules, options);
    if (got.reason != StopReason::Saturated)
      continue;
    ++saturated;
    for (const RuleStatistics &rule : got.rules)
      applied += rule.applied;
    SaturationStatistics again = saturate(table, rules, {});
    EXPECT_EQ(again.iterations, 1u) << "round " << round;
    EXPECT_EQ(again.nodes, got.nodes);
    EXPECT_EQ(again.classes, got.classes);
  }
  EXPECT_GT(saturated, 1000);
  EXPECT_GT(applied, 1000);
}

/// (a (b c)) = ((a b) c), in both directions.
std::vector<TableRule> makeAssociativity(SymbolId times) {
  std::vector<TableRule> rules;
  for (bool isLeft : {false, true}) {
    Pattern p;
    unsigned a = p.addVariable(), b = p.addVariable(), c = p.addVariable();
    unsigned inner =
        isLeft ? p.addNode(times, {a, b}) : p.addNode(times, {b, c});
    unsigned root =
        isLeft ? p.addNode(times, {inner, c}) : p.addNode(times, {a, inner});
    p.addRoot(root);
    TermTemplate term;
    term.nodes =
        isLeft
            ? std::vector<TermTemplate::Node>{{times, {b, c}}, {times, {a, 5}}}
            : std::vector<TermTemplate::Node>{{times, {a, b}}, {times, {5, c}}};
    term.root = 6;
    std::string problem;
    rules.push_back({isLeft ? "left" : "right",
                     *MatchProgram::compile(p, problem),
                     makeReplacement(term, root, 5)});
  }
  return rules;
}

ClassId makeChain(NodeTable &table, SymbolId times, unsigned n) {
  ClassId chain = *table.add(table.addSymbol(0), {});
  for (unsigned i = 1; i < n; ++i)
    chain = *table.add(times, {*table.add(table.addSymbol(0), {}), chain});
  return chain;
}

TEST(Eager, ChainsHaveAClassForEveryInterval) {
  for (uint64_t n : {3, 7, 20, 33}) {
    NodeTable table;
    SymbolId times = table.addSymbol(2);
    makeChain(table, times, n);
    SaturationStatistics got =
        saturate(table, makeAssociativity(times), eager());
    EXPECT_EQ(got.reason, StopReason::Saturated);
    EXPECT_EQ(got.classes, n * (n + 1) / 2);
    EXPECT_EQ(got.nodes, n + (n - 1) * n * (n + 1) / 6);
    // One for two brackets, in each direction; few come twice.
    const uint64_t matches = 2 * ((n + 1) * n * (n - 1) * (n - 2) / 24);
    EXPECT_GE(got.rules[0].matches + got.rules[1].matches, matches);
    EXPECT_LE(got.rules[0].matches + got.rules[1].matches,
              matches + matches / 10 + 10);
  }
}

TEST(Eager, RulesThatLookAtFacts) {
  /// A class is known if a constant is in it.
  class Known : public LatticeAnalysis<bool> {
  public:
    explicit Known(SymbolId constant) : constant(constant) {}
    bool make(const NodeTable &table, NodeId node) override {
      return table.getSymbol(node) == constant;
    }
    bool join(bool &to, const bool &from) override {
      return !std::exchange(to, to || from) && from;
    }
    SymbolId constant;
  };
  NodeTable table;
  SymbolId one = table.addSymbol(0), x = table.addSymbol(0),
           f = table.addSymbol(1), g = table.addSymbol(1),
           h = table.addSymbol(1);
  Known known(one);
  table.addAnalysis(&known);
  // f(?a) = g(?a) where ?a is known; h(x) = 1, f(h(x)).
  ClassId hx = *table.add(h, {*table.add(x, {})});
  ClassId fhx = *table.add(f, {hx});
  *table.add(one, {});
  std::string problem;
  std::vector<TableRule> rules;
  Pattern p;
  unsigned a = p.addVariable(), root = p.addNode(f, {a});
  p.addRoot(root);
  rules.push_back({"known", *MatchProgram::compile(p, problem),
                   [&](const Match &match, NodeTable &t) {
                     if (known.get(t, match.classes[a]))
                       t.merge(match.classes[root],
                               *t.add(g, {match.classes[a]}));
                     return true;
                   }});
  Pattern q;
  unsigned b = q.addVariable(), hb = q.addNode(h, {b});
  q.addRoot(hb);
  rules.push_back({"one", *MatchProgram::compile(q, problem),
                   [&](const Match &match, NodeTable &t) {
                     t.merge(match.classes[hb], *t.add(one, {}));
                     return true;
                   }});
  EXPECT_EQ(saturate(table, rules, eager()).reason, StopReason::Saturated);
  std::optional<ClassId> g1 = table.lookup(g, {hx});
  ASSERT_TRUE(g1);
  EXPECT_EQ(*g1, table.find(fhx));
}

TEST(Eager, LimitsHold) {
  auto run = [](auto set) {
    NodeTable table;
    SymbolId times = table.addSymbol(2);
    ClassId chain = makeChain(table, times, 40);
    SaturationOptions options = eager();
    set(options);
    SaturationStatistics got =
        saturate(table, makeAssociativity(times), options);
    EXPECT_TRUE(table.isClean());
    EXPECT_FALSE(table.isLinked());
    EXPECT_FALSE(table.getNodes(table.find(chain)).empty());
    // The rest is made when it goes on.
    options = eager();
    EXPECT_EQ(saturate(table, makeAssociativity(times), options).nodes,
              40u + 39 * 40 * 41 / 6);
    return got;
  };
  SaturationStatistics nodes =
      run([](SaturationOptions &o) { o.limits.nodes = 1000; });
  EXPECT_EQ(nodes.reason, StopReason::Nodes);
  EXPECT_LE(nodes.nodes, 1001u);
  EXPECT_GT(nodes.nodes, 900u);
  EXPECT_EQ(run([](SaturationOptions &o) { o.limits.matches = 99; }).reason,
            StopReason::Matches);
  EXPECT_EQ(run([](SaturationOptions &o) { o.limits.bytes = 1 << 16; }).reason,
            StopReason::Bytes);
  EXPECT_EQ(run([](SaturationOptions &o) { o.limits.seconds = 1e-9; }).reason,
            StopReason::Time);
}

} // namespace

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

#include "LatticeAnalysis.h"
#include "RandomTerms.h"
#include "TensorAccess/EGraph/TermGraph.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using mlir::tensoraccess::test::RandomTerms;

namespace {

SaturationOptions eager() {
  SaturationOptions options;
  options.mode = SaturationMode::Eager;
  return options;
}

TEST(Eager, FindsEveryMatchOnce) {
  RandomTerms random(17);
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
  RandomTerms random(23);
  int saturated = 0, applied = 0;
  for (int round = 0; round < 2000; ++round) {
    NodeTable table;
    random.fill(table, 12, random.pick(3));
    std::vector<TableRule> rules = random.makeRules();
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
    table.takeSnapshot();
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

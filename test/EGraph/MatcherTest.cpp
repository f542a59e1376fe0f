//===- MatcherTest.cpp - Patterns on a table of nodes ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random patterns, with several roots and shared variables, on random tables,
// against loops over all nodes for every element; matches that are applied
// while they are found; what is not a pattern.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Saturate.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir::tensoraccess;

namespace {

MatchProgram compile(const Pattern &pattern) {
  std::string problem;
  std::optional<MatchProgram> program = MatchProgram::compile(pattern, problem);
  EXPECT_TRUE(program) << problem;
  return *program;
}

/// The classes and symbols of all elements.
using Found = std::multiset<std::vector<uint32_t>>;

/// What a match says, in the names of the snapshot.
std::vector<uint32_t> show(const Pattern &pattern,
                           llvm::ArrayRef<ClassId> classes,
                           llvm::ArrayRef<SymbolId> symbols) {
  std::vector<uint32_t> text(classes.begin(), classes.end());
  for (unsigned e = 0; e < pattern.getElements().size(); ++e)
    if (pattern.getElements()[e].symbols)
      text.push_back(symbols[e]);
  return text;
}

/// All ways to choose a node for every element that is one.
void search(const NodeTable &table, llvm::ArrayRef<NodeId> alive,
            const Pattern &pattern, unsigned element,
            std::vector<ClassId> &classes, std::vector<SymbolId> &symbols,
            Found &found) {
  if (element == pattern.getElements().size()) {
    found.insert(show(pattern, classes, symbols));
    return;
  }
  const Pattern::Element &e = pattern.getElements()[element];
  for (NodeId node : alive) {
    if (!e.symbols) {
      // Every class once.
      if (table.find(node) != node)
        continue;
    } else {
      if (!e.symbols->contains(table.getSymbol(node)))
        continue;
      bool agrees = true;
      for (auto [i, o] : llvm::enumerate(e.operands))
        agrees &= classes[o] == table.getOperand(node, i);
      if (!agrees)
        continue;
    }
    classes[element] = table.find(node);
    symbols[element] = table.getSymbol(node);
    search(table, alive, pattern, element + 1, classes, symbols, found);
  }
}

TEST(Matcher, FindsWhatLoopsFind) {
  std::mt19937 generator(3);
  auto pick = [&](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator);
  };
  int total = 0, several = 0;
  for (int round = 0; round < 6000; ++round) {
    NodeTable table;
    const unsigned arities[] = {0, 0, 0, 1, 1, 2, 2};
    for (unsigned arity : arities)
      table.addSymbol(arity);
    std::vector<ClassId> made = {*table.add(0, {})};
    for (int i = 0; i < 14; ++i) {
      SymbolId symbol = pick(std::size(arities));
      std::vector<ClassId> operands;
      for (unsigned o = 0; o < arities[symbol]; ++o)
        operands.push_back(made[pick(made.size())]);
      made.push_back(*table.add(symbol, operands));
    }
    for (int i = pick(5); i > 0; --i)
      table.merge(made[pick(made.size())], made[pick(made.size())]);
    table.rebuild();
    table.takeSnapshot();
    std::vector<NodeId> alive;
    // A class may have the name of a dead node; the oracle takes names from
    // nodes that are alive.
    bool isNamed = true;
    for (NodeId n = table.getBegin(); n != table.getEnd();
         n = table.getNext(n)) {
      if (!table.isDead(n))
        alive.push_back(n);
      else
        isNamed &= table.find(n) != n;
    }
    if (!isNamed)
      continue;

    Pattern pattern;
    for (int v = 1 + pick(2); v > 0; --v)
      pattern.addVariable();
    std::set<unsigned> open;
    for (int i = 1 + pick(3); i > 0; --i) {
      const unsigned arity = pick(3);
      // A set of symbols, or one.
      std::vector<SymbolId> of;
      for (SymbolId s = 0; s < std::size(arities); ++s)
        if (arities[s] == arity)
          of.push_back(s);
      const SymbolId one = of[pick(of.size())];
      auto symbols = pick(2) ? std::make_shared<SymbolSet>(one)
                             : std::make_shared<SymbolSet>([&](SymbolId s) {
                                 return arities[s] == arity;
                               });
      std::vector<unsigned> operands;
      for (unsigned o = 0; o < arity; ++o)
        operands.push_back(pick(pattern.getElements().size()));
      const unsigned node = pattern.addNode(symbols, operands);
      // Known to the set before its predicate's capture is gone.
      for (SymbolId s = 0; s < std::size(arities); ++s)
        symbols->contains(s);
      for (unsigned o : operands)
        open.erase(o);
      open.insert(node);
    }
    for (unsigned root : open)
      pattern.addRoot(root);
    std::string problem;
    std::optional<MatchProgram> program =
        MatchProgram::compile(pattern, problem);
    if (!program) {
      EXPECT_NE(problem.find("belongs to no root"), std::string::npos);
      continue;
    }
    Found expected, got;
    std::vector<ClassId> classes(pattern.getElements().size());
    std::vector<SymbolId> symbols(pattern.getElements().size());
    search(table, alive, pattern, 0, classes, symbols, expected);
    EXPECT_TRUE(program->run(table, [&](const Match &match) {
      got.insert(show(pattern, match.classes, match.symbols));
      return true;
    }));
    EXPECT_EQ(got, expected);
    total += got.size();
    several += open.size() > 1 && !got.empty();
  }
  EXPECT_GT(total, 2000);
  EXPECT_GT(several, 50);
}

TEST(Matcher, ThreeRootsThatShareVariables) {
  // f(x, y), g(y, z), h(z, x), and some of them in other orders, over classes
  // that have many parents.
  std::mt19937 generator(29);
  auto pick = [&](int n) { return static_cast<int>(generator() % n); };
  size_t total = 0;
  for (int round = 0; round < 300; ++round) {
    NodeTable table;
    std::vector<ClassId> leaves;
    for (int i = 0; i < 6; ++i)
      leaves.push_back(*table.add(table.addSymbol(0), {}));
    const SymbolId symbols[] = {table.addSymbol(2), table.addSymbol(2),
                                table.addSymbol(3)};
    std::set<std::vector<ClassId>> relations[3];
    for (int i = 0; i < 40; ++i) {
      const int relation = pick(3);
      std::vector<ClassId> operands;
      for (unsigned o = table.getArity(symbols[relation]); o > 0; --o)
        operands.push_back(leaves[pick(6)]);
      table.add(symbols[relation], operands);
      relations[relation].insert(operands);
    }
    table.rebuild();
    table.takeSnapshot();
    Pattern pattern;
    unsigned v[4];
    for (unsigned &variable : v)
      variable = pattern.addVariable();
    // f(v0, v1), g(v1, v2) and h of any three.
    const int a = pick(4), b = pick(4), c = pick(4);
    const unsigned roots[] = {pattern.addNode(symbols[0], {v[0], v[1]}),
                              pattern.addNode(symbols[1], {v[1], v[2]}),
                              pattern.addNode(symbols[2], {v[a], v[b], v[c]})};
    const int rotation = pick(3);
    for (int i = 0; i < 3; ++i)
      pattern.addRoot(roots[(i + rotation) % 3]);
    if (a != 3 && b != 3 && c != 3) {
      std::string problem;
      EXPECT_FALSE(MatchProgram::compile(pattern, problem));
      continue;
    }
    std::multiset<std::vector<ClassId>> expected, got;
    for (const auto &f : relations[0])
      for (const auto &g : relations[1])
        for (const auto &h : relations[2])
          for (ClassId last : leaves) {
            const ClassId values[] = {f[0], f[1], g[1], last};
            if (g[0] == f[1] && h[0] == values[a] && h[1] == values[b] &&
                h[2] == values[c])
              expected.insert({values, values + 4});
          }
    compile(pattern).run(table, [&](const Match &match) {
      got.insert({match.classes.begin(), match.classes.begin() + 4});
      return true;
    });
    ASSERT_EQ(got, expected) << "round " << round;
    total += got.size();
  }
  EXPECT_GT(total, 1000u);
}

TEST(Matcher, TakesTheRootWithTheFewestNodesNext) {
  // f(a_i, b), g(b, c_i), h(c_i, a_i): from f on to g there are n nodes, to h
  // there is one. The 3.6 * 10^11 pairs would take longer than a test may.
  NodeTable table;
  const int n = 600000;
  const ClassId b = *table.add(table.addSymbol(0), {});
  const SymbolId f = table.addSymbol(2), g = table.addSymbol(2),
                 h = table.addSymbol(2);
  for (int i = 0; i < n; ++i) {
    const ClassId a = *table.add(table.addSymbol(0), {}),
                  c = *table.add(table.addSymbol(0), {});
    table.add(f, {a, b});
    table.add(g, {b, c});
    table.add(h, {c, a});
  }
  table.takeSnapshot();
  Pattern pattern;
  const unsigned x = pattern.addVariable(), y = pattern.addVariable(),
                 z = pattern.addVariable();
  for (unsigned root : {pattern.addNode(f, {x, y}), pattern.addNode(g, {y, z}),
                        pattern.addNode(h, {z, x})})
    pattern.addRoot(root);
  MatchProgram program = compile(pattern);
  int matches = 0;
  program.run(table, [&](const Match &) { return ++matches != 0; });
  EXPECT_EQ(matches, n);
}

TEST(Matcher, MatchesAreAppliedWhileTheyAreFound) {
  // (plus ?x ?y) = (plus ?y ?x): each node of the snapshot is met once, though
  // the graph grows meanwhile.
  NodeTable table;
  SymbolId plus = table.addSymbol(2);
  std::vector<ClassId> leaves;
  for (int i = 0; i < 100; ++i)
    leaves.push_back(*table.add(table.addSymbol(0), {}));
  ClassId sum = leaves[0];
  for (int i = 1; i < 100; ++i)
    sum = *table.add(plus, {sum, leaves[i]});
  Pattern pattern;
  unsigned x = pattern.addVariable(), y = pattern.addVariable();
  unsigned root = pattern.addNode(plus, {x, y});
  pattern.addRoot(root);
  MatchProgram program = compile(pattern);
  for (int iteration = 0, expected = 99; iteration < 3; ++iteration) {
    table.rebuild();
    table.takeSnapshot();
    int matches = 0;
    program.run(table, [&](const Match &match) {
      ++matches;
      std::optional<ClassId> swapped =
          table.add(plus, {match.classes[y], match.classes[x]});
      table.merge(*swapped, match.classes[root]);
      return true;
    });
    EXPECT_EQ(matches, expected);
    expected = 2 * 99;
  }
  table.rebuild();
  EXPECT_EQ(table.getNumNodes(), 100u + 2 * 99);
  EXPECT_EQ(table.getNumClasses(), 199u);
}

TEST(Matcher, StopsWhenItIsTold) {
  NodeTable table;
  SymbolId a = table.addSymbol(0), f = table.addSymbol(1);
  ClassId x = *table.add(a, {});
  for (int i = 0; i < 10; ++i)
    x = *table.add(f, {x});
  table.takeSnapshot();
  Pattern pattern;
  pattern.addRoot(pattern.addNode(f, {pattern.addVariable()}));
  int matches = 0;
  EXPECT_FALSE(compile(pattern).run(
      table, [&](const Match &) { return ++matches < 3; }));
  EXPECT_EQ(matches, 3);
}

TEST(Matcher, Refusals) {
  NodeTable table;
  SymbolId f = table.addSymbol(1);
  std::string problem;
  Pattern none;
  EXPECT_FALSE(MatchProgram::compile(none, problem));
  EXPECT_EQ(problem, "a pattern needs a root");
  Pattern variable;
  variable.addRoot(variable.addVariable());
  EXPECT_FALSE(MatchProgram::compile(variable, problem));
  EXPECT_EQ(problem, "root 0 is a variable");
  Pattern inner;
  unsigned node = inner.addNode(f, {inner.addVariable()});
  inner.addNode(f, {node});
  inner.addRoot(node);
  EXPECT_FALSE(MatchProgram::compile(inner, problem));
  EXPECT_EQ(problem, "root 1 is an operand of another node");
  Pattern loose;
  loose.addVariable();
  loose.addRoot(loose.addNode(f, {loose.addVariable()}));
  EXPECT_FALSE(MatchProgram::compile(loose, problem));
  EXPECT_EQ(problem, "element 0 belongs to no root");
}

} // namespace

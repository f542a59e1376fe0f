//===- IncrementalTest.cpp - Matches that are new -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is new in a snapshot, by comparing it with the one before; the matches
// that are new; and saturation with them against saturation with all matches.
//
//===----------------------------------------------------------------------===//

#include "LatticeAnalysis.h"
#include "RandomTerms.h"
#include "TensorAccess/EGraph/TermGraph.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using mlir::tensoraccess::test::RandomTerms;

namespace {

/// The class, the symbol and the operands of a node.
using Tuple = std::vector<uint32_t>;

/// The nodes of the snapshot, and whether it says that they are new.
std::map<Tuple, bool> readSnapshot(const NodeTable &table) {
  std::map<Tuple, bool> result;
  llvm::ArrayRef<uint32_t> words = table.getSnapshot();
  for (size_t at = 0; at != words.size(); at += 2 + words[at + 1]) {
    bool hasNew = false;
    for (size_t n = at + 2, end = n + words[at + 1]; n != end;) {
      Tuple tuple{words[at]};
      const unsigned size = 1 + table.getArity(words[n]);
      tuple.insert(tuple.end(), &words[n], &words[n] + size);
      EXPECT_TRUE(result.emplace(tuple, table.isNew(n)).second);
      hasNew |= table.isNew(n);
      n += size;
    }
    EXPECT_EQ(table.hasNewNodes(words[at]), hasNew);
  }
  return result;
}

std::vector<Tuple> findMatches(const MatchProgram &program,
                               const NodeTable &table, bool onlyNew) {
  std::vector<Tuple> result;
  program.run(
      table,
      [&](const Match &match) {
        Tuple tuple(match.classes.begin(), match.classes.end());
        tuple.insert(tuple.end(), match.symbols.begin(), match.symbols.end());
        tuple.push_back(match.isNew);
        EXPECT_TRUE(match.isNew || !onlyNew);
        result.push_back(tuple);
        return true;
      },
      onlyNew);
  return result;
}

/// Random terms, a snapshot, and changes.
struct Changed {
  explicit Changed(RandomTerms &random) {
    made = random.fill(table, 14, random.pick(4));
    table.takeSnapshot();
  }
  void change(RandomTerms &random) {
    for (int i = random.pick(4); i > 0; --i) {
      const SymbolId symbol = random.pick(std::size(RandomTerms::arities));
      std::vector<ClassId> operands;
      for (unsigned o = 0; o < RandomTerms::arities[symbol]; ++o)
        operands.push_back(made[random.pick(made.size())]);
      made.push_back(*table.add(symbol, operands));
    }
    for (int i = random.pick(3); i > 0; --i) {
      table.merge(made[random.pick(made.size())],
                  made[random.pick(made.size())]);
      if (random.pick(2))
        table.rebuild();
    }
    table.rebuild();
    table.takeSnapshot();
  }
  NodeTable table;
  std::vector<ClassId> made;
};

TEST(Incremental, NewIsWhatTheLastSnapshotDidNotHave) {
  RandomTerms random(5);
  size_t numNew = 0, numOld = 0;
  for (int round = 0; round < 3000; ++round) {
    Changed changed(random);
    std::map<Tuple, bool> before = readSnapshot(changed.table);
    for (int step = 0; step < 3; ++step) {
      changed.change(random);
      std::map<Tuple, bool> after = readSnapshot(changed.table);
      for (const auto &[tuple, isNew] : after) {
        ASSERT_EQ(isNew, before.count(tuple) == 0) << "round " << round;
        ++(isNew ? numNew : numOld);
      }
      before = std::move(after);
    }
  }
  EXPECT_GT(numNew, 10000u);
  EXPECT_GT(numOld, 10000u);
}

TEST(Incremental, NewMatchesAreThoseThatWereNone) {
  RandomTerms random(7);
  size_t numNew = 0, numOld = 0, several = 0;
  for (int round = 0; round < 6000; ++round) {
    Changed changed(random);
    Pattern pattern;
    std::optional<MatchProgram> program = random.makePattern(pattern, 4);
    if (!program)
      continue;
    std::set<Tuple> before;
    for (Tuple &match : findMatches(*program, changed.table, false)) {
      match.pop_back();
      before.insert(match);
    }
    changed.change(random);
    // In the order in which all are found.
    std::vector<Tuple> expected;
    for (const Tuple &match : findMatches(*program, changed.table, false)) {
      Tuple key(match.begin(), match.end() - 1);
      // A class and the symbols may stand for nodes with other operands, so a
      // match that was there may be new, but never the reverse.
      if (!match.back()) {
        ASSERT_TRUE(before.count(key)) << "round " << round;
        ++numOld;
        continue;
      }
      expected.push_back(match);
      ++numNew;
    }
    several += pattern.getRoots().size() > 1 && !expected.empty();
    ASSERT_EQ(findMatches(*program, changed.table, true), expected)
        << "round " << round;
  }
  EXPECT_GT(numNew, 1000u);
  EXPECT_GT(numOld, 1000u);
  EXPECT_GT(several, 100u);
}

TEST(Incremental, MakesWhatAllMatchesMake) {
  RandomTerms random(11);
  uint64_t all = 0, some = 0, banned = 0;
  for (int round = 0; round < 3000; ++round) {
    RandomTerms copy = random;
    SaturationOptions options;
    options.limits.nodes = uint64_t(1) << 40;
    options.limits.iterations = 1 + round % 5;
    options.scheduler = static_cast<SchedulerKind>(round % 3);
    options.matchLimit = 2;
    options.banLength = 1;
    options.phases = {{{0, 1}, 2}, {{2}, 1}};
    auto run = [&](RandomTerms &random, bool isIncremental,
                   SaturationStatistics &got) {
      NodeTable table;
      std::vector<ClassId> made = random.fill(table, 12, random.pick(3));
      options.isIncremental = isIncremental;
      got = saturate(table, random.makeRules(), options);
      EXPECT_TRUE(table.isClean());
      // Which terms are equal, by the first term that each equals.
      std::map<ClassId, size_t> first;
      std::vector<size_t> partition;
      for (auto [i, id] : llvm::enumerate(made))
        partition.push_back(first.try_emplace(table.find(id), i).first->second);
      return partition;
    };
    SaturationStatistics naive, incremental;
    std::vector<size_t> expected = run(copy, false, naive);
    EXPECT_EQ(run(random, true, incremental), expected);
    ASSERT_EQ(incremental.nodes, naive.nodes) << "round " << round;
    ASSERT_EQ(incremental.classes, naive.classes) << "round " << round;
    EXPECT_EQ(incremental.iterations, naive.iterations);
    EXPECT_EQ(incremental.reason, naive.reason);
    for (auto [a, b] : llvm::zip_equal(incremental.rules, naive.rules)) {
      EXPECT_LE(a.matches, b.matches);
      EXPECT_EQ(a.bans, b.bans);
      some += a.matches;
      all += b.matches;
      banned += a.bans;
    }
  }
  EXPECT_LT(some, all - all / 10);
  EXPECT_GT(banned, 50u);
}

TEST(Incremental, AFactThatChangesMakesMatchesNew) {
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
  // f(?a) = g(?a) where ?a is known, as h(x) is after two iterations.
  NodeTable table;
  SymbolId one = table.addSymbol(0), x = table.addSymbol(0),
           f = table.addSymbol(1), g = table.addSymbol(1),
           h = table.addSymbol(1), k = table.addSymbol(1);
  Known known(one);
  table.addAnalysis(&known);
  const ClassId hx = *table.add(h, {*table.add(x, {})});
  const ClassId fhx = *table.add(f, {hx});
  *table.add(one, {});
  std::string problem;
  std::vector<TableRule> rules;
  Pattern p;
  unsigned a = p.addVariable(), root = p.addNode(f, {a});
  p.addRoot(root);
  unsigned asked = 0;
  rules.push_back({"known", *MatchProgram::compile(p, problem),
                   [&](const Match &match, NodeTable &t) {
                     ++asked;
                     if (known.get(t, match.classes[a]))
                       t.merge(match.classes[root],
                               *t.add(g, {match.classes[a]}));
                     return true;
                   }});
  // h(?b) = k(?b), then k(?b) = 1.
  auto add = [&](SymbolId from, SymbolId to, bool hasOperand) {
    Pattern q;
    unsigned b = q.addVariable(), node = q.addNode(from, {b});
    q.addRoot(node);
    rules.push_back({"step", *MatchProgram::compile(q, problem),
                     [=](const Match &match, NodeTable &t) {
                       t.merge(match.classes[node],
                               hasOperand ? *t.add(to, {match.classes[b]})
                                          : *t.add(to, {}));
                       return true;
                     }});
  };
  add(h, k, true);
  add(k, one, false);
  SaturationStatistics got = saturate(table, rules, {});
  EXPECT_EQ(got.reason, StopReason::Saturated);
  std::optional<ClassId> g1 = table.lookup(g, {hx});
  ASSERT_TRUE(g1);
  EXPECT_EQ(*g1, table.find(fhx));
  EXPECT_GE(asked, 2u);
  EXPECT_LT(asked, got.iterations);
}

} // namespace

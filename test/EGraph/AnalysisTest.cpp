//===- AnalysisTest.cpp - What is known of classes ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants that are folded to nodes, and intervals that are met and followed
// through random terms and merges, against loops until nothing changes; merges
// that are refused, contradictions that can't be.
//
//===----------------------------------------------------------------------===//

#include "LatticeAnalysis.h"
#include "TensorAccess/EGraph/Saturate.h"
#include "TensorAccess/EGraph/TermGraph.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace mlir::tensoraccess;

namespace {

/// Sums modulo 5 of constants, which become nodes.
class Constants : public LatticeAnalysis<std::optional<int>> {
public:
  Data make(const NodeTable &table, NodeId node) override {
    const SymbolId symbol = table.getSymbol(node);
    if (symbol < 5)
      return symbol;
    if (table.getArity(symbol) != 2)
      return std::nullopt;
    const Data a = get(table, table.getOperand(node, 0));
    const Data b = get(table, table.getOperand(node, 1));
    return a && b ? Data((*a + *b) % 5) : std::nullopt;
  }
  bool agree(const Data &a, const Data &b, std::string &why) override {
    if (!a || !b || *a == *b)
      return true;
    why = std::to_string(*a) + " is not " + std::to_string(*b);
    return false;
  }
  bool join(Data &to, const Data &from) override {
    if (to || !from)
      return false;
    to = from;
    return true;
  }
  bool isModified(const Data &data) override { return data.has_value(); }
  void modify(NodeTable &table, ClassId id) override {
    if (Data value = get(table, id))
      table.merge(id, *table.add(*value, {}));
  }
};

/// A table with the constants 0 to 4, unknowns, and a sum.
struct Sums {
  Sums() {
    table.addAnalysis(&constants);
    for (int i = 0; i < 5; ++i)
      table.addSymbol(0);
    plus = table.addSymbol(2);
  }
  ClassId constant(int value) { return *table.add(value, {}); }
  ClassId unknown() { return *table.add(table.addSymbol(0), {}); }
  ClassId sum(ClassId a, ClassId b) { return *table.add(plus, {a, b}); }

  Constants constants;
  NodeTable table;
  SymbolId plus;
};

TEST(Analysis, ConstantsAreFolded) {
  Sums s;
  ClassId x = s.unknown(), three = s.constant(3);
  ClassId deep = s.sum(s.sum(x, three), s.sum(three, x));
  s.table.rebuild();
  EXPECT_EQ(s.constants.get(s.table, deep), std::nullopt);
  // x = 2 makes (2 + 3) + (3 + 2) = 0, all the way up.
  EXPECT_TRUE(s.table.merge(x, s.constant(2)));
  EXPECT_FALSE(s.table.isClean());
  s.table.rebuild();
  EXPECT_TRUE(s.table.isClean());
  EXPECT_EQ(s.constants.get(s.table, deep), 0);
  EXPECT_EQ(s.table.find(deep), s.table.find(*s.table.lookup(0, {})));
  EXPECT_EQ(s.table.getNumContradictions(), 0u);
}

TEST(Analysis, AMergeIsRefused) {
  Sums s;
  ClassId one = s.constant(1), two = s.constant(2), x = s.unknown();
  EXPECT_TRUE(s.table.merge(x, one));
  EXPECT_FALSE(s.table.merge(two, x));
  EXPECT_EQ(s.table.getNumRefusals(), 1u);
  ASSERT_TRUE(s.table.getRefusal());
  EXPECT_EQ(s.table.getRefusal()->why, "2 is not 1");
  s.table.rebuild();
  EXPECT_NE(s.table.find(x), s.table.find(two));
  s.table.forgetRefusal();
  EXPECT_FALSE(s.table.getRefusal());
}

TEST(Analysis, WhatIsEqualAndCannotBeIsAContradiction) {
  // f(x) = 1 and f(y) = 2, then x = y.
  Sums s;
  SymbolId f = s.table.addSymbol(1);
  ClassId x = s.unknown(), y = s.unknown();
  ClassId fx = *s.table.add(f, {x}), fy = *s.table.add(f, {y});
  s.table.merge(fx, s.constant(1));
  s.table.merge(fy, s.constant(2));
  s.table.rebuild();
  EXPECT_TRUE(s.table.merge(x, y));
  s.table.rebuild();
  EXPECT_EQ(s.table.getNumContradictions(), 1u);
  ASSERT_TRUE(s.table.getContradiction());
  EXPECT_EQ(s.table.find(fx), s.table.find(fy));
  EXPECT_EQ(s.table.getNumRefusals(), 0u);
}

TEST(Analysis, RulesThatAreWrongAreTold) {
  // f(?x) = ?x is refused for f(1) = 2 and stops where f(x) has been both.
  auto run = [](bool isHidden) {
    Sums s;
    SymbolId f = s.table.addSymbol(1);
    ClassId x = s.unknown(), y = s.unknown();
    ClassId fx = *s.table.add(f, {x}), fy = *s.table.add(f, {y});
    s.table.merge(fx, s.constant(1));
    s.table.merge(fy, s.constant(2));
    Pattern pattern;
    unsigned v = pattern.addVariable();
    unsigned root = pattern.addNode(isHidden ? s.plus : f,
                                    isHidden ? llvm::ArrayRef<unsigned>({v, v})
                                             : llvm::ArrayRef<unsigned>({v}));
    pattern.addRoot(root);
    // Hidden: all x + x are equal to f of it.
    if (isHidden) {
      s.sum(x, x);
      s.sum(y, y);
    } else {
      s.table.merge(x, s.constant(4));
    }
    std::string problem;
    std::vector<TableRule> rules = {
        {"wrong", *MatchProgram::compile(pattern, problem),
         [&](const Match &match, NodeTable &table) {
           // Unknowns are all the same.
           table.merge(match.classes[v], isHidden ? x : match.classes[root]);
           return true;
         }}};
    return saturate(s.table, rules, {});
  };
  SaturationStatistics refused = run(false);
  EXPECT_EQ(refused.reason, StopReason::Saturated);
  EXPECT_GT(refused.rules[0].refused, 0u);
  EXPECT_EQ(refused.rules[0].refusal, "4 is not 1");
  SaturationStatistics contradicted = run(true);
  EXPECT_EQ(contradicted.reason, StopReason::Contradiction);
  EXPECT_EQ(describe(contradicted.reason),
            "equal classes contradict each other");
}

/// Where a class lies: the intersection of what its nodes say.
struct Interval {
  int low = 0, high = 100;
  bool operator!=(const Interval &other) const {
    return low != other.low || high != other.high;
  }
};

/// Symbols 0 to 9 are leaves in [10s, 50 + 5s], then max, min and half.
constexpr SymbolId kMax = 10, kMin = 11, kHalf = 12;

Interval evaluate(SymbolId symbol, llvm::ArrayRef<Interval> operands) {
  switch (symbol) {
  case kMax:
    return {std::max(operands[0].low, operands[1].low),
            std::max(operands[0].high, operands[1].high)};
  case kMin:
    return {std::min(operands[0].low, operands[1].low),
            std::min(operands[0].high, operands[1].high)};
  case kHalf:
    return {operands[0].low / 2, operands[0].high / 2};
  default:
    return {static_cast<int>(5 * symbol), static_cast<int>(50 + 5 * symbol)};
  }
}

Interval meet(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

class Intervals : public LatticeAnalysis<Interval> {
public:
  Interval make(const NodeTable &table, NodeId node) override {
    std::vector<Interval> operands;
    for (unsigned i = 0; i < table.getNumOperands(node); ++i)
      operands.push_back(get(table, table.getOperand(node, i)));
    return evaluate(table.getSymbol(node), operands);
  }
  bool join(Interval &to, const Interval &from) override {
    return to != std::exchange(to, meet(to, from));
  }
};

TEST(Analysis, IntervalsAreTheFixpoint) {
  std::mt19937 generator(5);
  auto pick = [&](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator);
  };
  int narrowed = 0;
  for (int round = 0; round < 1000; ++round) {
    NodeTable table;
    Intervals intervals;
    table.addAnalysis(&intervals);
    for (unsigned i = 0; i < 13; ++i)
      table.addSymbol(i < 10 ? 0 : i < 12 ? 2 : 1);
    std::vector<ClassId> made;
    for (int step = 0; step < 3; ++step) {
      for (int i = pick(15); i >= 0; --i) {
        const SymbolId symbol = made.empty() ? 0 : pick(13);
        std::vector<ClassId> operands;
        for (unsigned o = 0; o < table.getArity(symbol); ++o)
          operands.push_back(made[pick(made.size())]);
        made.push_back(*table.add(symbol, operands));
      }
      for (int i = pick(4); i > 0; --i)
        table.merge(made[pick(made.size())], made[pick(made.size())]);
      table.rebuild();
      // All nodes until nothing changes.
      std::map<ClassId, Interval> expected;
      for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (NodeId n = table.getBegin(); n != table.getEnd();
             n = table.getNext(n)) {
          if (table.isDead(n))
            continue;
          std::vector<Interval> operands;
          for (unsigned i = 0; i < table.getNumOperands(n); ++i)
            operands.push_back(expected[table.getOperand(n, i)]);
          Interval &known = expected[table.find(n)];
          const Interval value =
              meet(known, evaluate(table.getSymbol(n), operands));
          isChanged |= value != known;
          known = value;
        }
      }
      for (auto [id, interval] : expected) {
        ASSERT_FALSE(intervals.get(table, id) != interval);
        narrowed += interval.low > interval.high;
      }
    }
  }
  EXPECT_GT(narrowed, 0);
}

TEST(Analysis, SeveralAnalysesAreToldTheSame) {
  /// Counts what it is told.
  struct Counter : ClassAnalysis {
    void made(NodeTable &, NodeId) override { ++nodes; }
    void merged(NodeTable &, ClassId, ClassId) override { ++merges; }
    int nodes = 0, merges = 0;
  };
  Counter counter;
  Constants constants;
  NodeTable table;
  table.addAnalysis(&counter);
  table.addAnalysis(&constants);
  for (int i = 0; i < 5; ++i)
    table.addSymbol(0);
  ClassId one = *table.add(1, {}), two = *table.add(2, {}),
          x = *table.add(table.addSymbol(0), {});
  // A refusal by the second is not told to the first.
  EXPECT_FALSE(table.merge(one, two));
  EXPECT_TRUE(table.merge(one, x));
  table.rebuild();
  EXPECT_EQ(counter.nodes, 3);
  EXPECT_EQ(counter.merges, 1);
}

} // namespace

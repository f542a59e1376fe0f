//===- NodeTableTest.cpp - Terms up to equality ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Worked examples, then random terms and merges against congruence closure by
// loops: the classes, the number of nodes, and the snapshot.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/NodeTable.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace mlir::tensoraccess;

namespace {

TEST(NodeTable, EqualOperandsMakeEqualNodes) {
  NodeTable table;
  SymbolId a = table.addSymbol(0), f = table.addSymbol(1);
  ClassId x = *table.add(a, {});
  ClassId fx = *table.add(f, {x});
  EXPECT_EQ(*table.add(f, {x}), fx);
  ClassId ffx = *table.add(f, {fx}), fffx = *table.add(f, {ffx});
  EXPECT_EQ(table.getNumNodes(), 4u);
  EXPECT_EQ(table.getNumClasses(), 4u);
  EXPECT_TRUE(table.merge(x, ffx));
  EXPECT_FALSE(table.merge(ffx, x));
  EXPECT_FALSE(table.isClean());
  table.rebuild();
  EXPECT_TRUE(table.isClean());
  // f(f(x)) = x makes f(f(f(x))) = f(x).
  EXPECT_EQ(table.find(fffx), table.find(fx));
  EXPECT_NE(table.find(x), table.find(fx));
  EXPECT_EQ(table.getNumNodes(), 3u);
  EXPECT_EQ(table.getNumClasses(), 2u);
  EXPECT_EQ(table.lookup(f, {ffx}), table.find(fx));
}

TEST(NodeTable, ASymbolWithTheOperandTwice) {
  NodeTable table;
  SymbolId a = table.addSymbol(0), b = table.addSymbol(0),
           plus = table.addSymbol(2);
  ClassId x = *table.add(a, {}), y = *table.add(b, {});
  ClassId xx = *table.add(plus, {x, x}), xy = *table.add(plus, {x, y}),
          yy = *table.add(plus, {y, y});
  table.merge(x, y);
  table.rebuild();
  EXPECT_EQ(table.find(xx), table.find(xy));
  EXPECT_EQ(table.find(xx), table.find(yy));
  EXPECT_EQ(table.getNumNodes(), 3u);
}

TEST(NodeTable, TheSnapshotStaysWhatItWas) {
  NodeTable table;
  SymbolId a = table.addSymbol(0), b = table.addSymbol(0);
  ClassId x = *table.add(b, {}), y = *table.add(a, {});
  table.merge(x, y);
  table.rebuild();
  table.takeSnapshot();
  ClassId name = table.find(x);
  // By symbol, not by age.
  EXPECT_EQ(table.getNodes(name), llvm::ArrayRef<uint32_t>({a, b}));
  SymbolId c = table.addSymbol(0);
  ClassId z = *table.add(c, {});
  table.merge(z, x);
  table.rebuild();
  EXPECT_EQ(table.getNodes(name), llvm::ArrayRef<uint32_t>({a, b}));
  table.takeSnapshot();
  EXPECT_EQ(table.getNodes(table.find(x)), llvm::ArrayRef<uint32_t>({a, b, c}));
}

/// Congruence closure as it is defined.
struct Oracle {
  struct Term {
    SymbolId symbol;
    std::vector<int> operands;
  };
  std::vector<Term> terms;
  std::vector<int> classes;

  int add(SymbolId symbol, std::vector<int> operands) {
    terms.push_back({symbol, std::move(operands)});
    classes.push_back(terms.size() - 1);
    return terms.size() - 1;
  }
  void merge(int a, int b) {
    const int from = classes[b], to = classes[a];
    std::replace(classes.begin(), classes.end(), from, to);
  }
  std::pair<SymbolId, std::vector<int>> key(int t) const {
    std::vector<int> operands;
    for (int o : terms[t].operands)
      operands.push_back(classes[o]);
    return {terms[t].symbol, operands};
  }
  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      std::map<std::pair<SymbolId, std::vector<int>>, int> seen;
      for (size_t t = 0; t < terms.size(); ++t) {
        auto [it, isNew] = seen.try_emplace(key(t), t);
        if (!isNew && classes[it->second] != classes[t]) {
          merge(it->second, t);
          changed = true;
        }
      }
    }
  }
};

TEST(NodeTable, IsCongruenceClosure) {
  std::mt19937 generator(7);
  auto pick = [&](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator);
  };
  for (int round = 0; round < 300; ++round) {
    NodeTable table;
    Oracle oracle;
    const int arities[] = {0, 0, 0, 0, 1, 1, 2, 2, 3};
    for (int arity : arities)
      table.addSymbol(arity);
    std::vector<ClassId> made;
    for (int step = 0; step < 4; ++step) {
      for (int i = pick(30); i >= 0; --i) {
        SymbolId symbol = made.empty() ? 0 : pick(std::size(arities));
        std::vector<int> operands;
        std::vector<ClassId> classes;
        for (int o = 0; o < arities[symbol]; ++o) {
          operands.push_back(pick(made.size()));
          classes.push_back(made[operands.back()]);
        }
        oracle.add(symbol, operands);
        made.push_back(*table.add(symbol, classes));
      }
      // Additions and merges in turn, without a rebuild between them.
      for (int i = pick(5); i > 0; --i) {
        int a = pick(made.size()), b = pick(made.size());
        oracle.merge(a, b);
        table.merge(made[a], made[b]);
      }
      if (pick(2))
        continue;
      table.rebuild();
      oracle.close();
      std::set<std::pair<SymbolId, std::vector<int>>> nodes;
      std::set<int> classes;
      std::map<int, ClassId> names;
      for (size_t t = 0; t < made.size(); ++t) {
        nodes.insert(oracle.key(t));
        classes.insert(oracle.classes[t]);
        ClassId name = names.try_emplace(oracle.classes[t], table.find(made[t]))
                           .first->second;
        ASSERT_EQ(table.find(made[t]), name);
      }
      std::set<ClassId> distinct;
      for (auto [c, name] : names)
        distinct.insert(name);
      ASSERT_EQ(distinct.size(), classes.size());
      ASSERT_EQ(table.getNumNodes(), nodes.size());
      ASSERT_EQ(table.getNumClasses(), classes.size());

      table.takeSnapshot();
      size_t count = 0;
      for (ClassId name : distinct) {
        llvm::ArrayRef<uint32_t> rest = table.getNodes(name);
        SymbolId last = 0;
        while (!rest.empty()) {
          ++count;
          const SymbolId symbol = rest.front();
          EXPECT_GE(symbol, last);
          last = symbol;
          llvm::ArrayRef<uint32_t> operands =
              rest.slice(1, table.getArity(symbol));
          for (ClassId operand : operands)
            EXPECT_EQ(table.find(operand), operand);
          EXPECT_EQ(table.lookup(symbol, operands), name);
          rest = rest.drop_front(1 + operands.size());
        }
      }
      ASSERT_EQ(count, nodes.size());
    }
  }
}

TEST(NodeTable, ManyNodesTakeFewBytes) {
  NodeTable table;
  SymbolId zero = table.addSymbol(0), pair = table.addSymbol(2);
  std::vector<ClassId> made = {*table.add(zero, {})};
  std::mt19937 generator(11);
  while (table.getNumNodes() < 300000)
    made.push_back(*table.add(pair, {made[generator() % made.size()],
                                     made[generator() % made.size()]}));
  table.takeSnapshot();
  // 32 bytes the record, 20 the snapshot with a class a node, and 14 the hash
  // table; a table that has just grown reserves as much again.
  EXPECT_LE(table.getMemory(), 2 * 66 * table.getNumNodes());
}

} // namespace

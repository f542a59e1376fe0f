//===- LimitsTest.cpp - Where saturation ends -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of zero, limits that were reached before, rules that feed themselves,
// tables that are full, and runs that are repeated.
//
//===----------------------------------------------------------------------===//

#include "RandomTerms.h"
#include "TensorAccess/EGraph/Extraction.h"

#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <chrono>
#include <thread>

using namespace mlir::tensoraccess;
using mlir::tensoraccess::test::RandomTerms;

namespace {

/// f(a) and a rule whose result it matches: f(?x) = f(f(?x)), or, to `grow`,
/// f(?x) = h(f(f(?x))).
struct Endless {
  explicit Endless(bool grow) {
    const SymbolId a = table.addSymbol(0), f = table.addSymbol(1),
                   h = table.addSymbol(1);
    term = *table.add(f, {*table.add(a, {})});
    Pattern pattern;
    unsigned x = pattern.addVariable(), root = pattern.addNode(f, {x});
    pattern.addRoot(root);
    TermTemplate made;
    if (grow)
      made = {{{f, {root}}, {h, {2}}}, 3};
    else
      made = {{{f, {root}}}, 2};
    std::string problem;
    rules.push_back({"endless", *MatchProgram::compile(pattern, problem),
                     makeReplacement(made, root, 2)});
  }
  NodeTable table;
  ClassId term;
  std::vector<TableRule> rules;
};

TEST(Limits, OfTimeEndAfterAMatchThatTakesLong) {
  for (SaturationMode mode :
       {SaturationMode::Snapshots, SaturationMode::Eager}) {
    Endless endless(/*grow=*/true);
    TableRule &rule = endless.rules.front();
    rule.isCostly = true;
    rule.apply = [apply = rule.apply](const Match &match, NodeTable &table) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return apply(match, table);
    };
    SaturationOptions options;
    options.mode = mode;
    options.limits.seconds = 0.05;
    SaturationStatistics got = saturate(endless.table, endless.rules, options);
    EXPECT_EQ(got.reason, StopReason::Time);
    EXPECT_GE(got.rules.front().matches, 1u);
    EXPECT_LE(got.rules.front().matches, 3u);
    EXPECT_TRUE(endless.table.isClean());
  }
}

TEST(Limits, OfZeroDoNothing) {
  for (SaturationMode mode :
       {SaturationMode::Snapshots, SaturationMode::Eager}) {
    auto run = [&](auto set) {
      Endless endless(/*grow=*/true);
      SaturationOptions options;
      options.mode = mode;
      set(options.limits);
      EXPECT_NE(verify(options), std::nullopt);
      SaturationStatistics got =
          saturate(endless.table, endless.rules, options);
      EXPECT_EQ(got.nodes, 2u);
      EXPECT_EQ(got.classes, 2u);
      EXPECT_EQ(got.iterations, 0u);
      EXPECT_EQ(got.rules[0].matches, 0u);
      EXPECT_TRUE(endless.table.isClean());
      return got.reason;
    };
    EXPECT_EQ(run([](SaturationLimits &l) { l.nodes = 0; }), StopReason::Nodes);
    EXPECT_EQ(run([](SaturationLimits &l) { l.matches = 0; }),
              StopReason::Matches);
    EXPECT_EQ(run([](SaturationLimits &l) { l.bytes = 0; }), StopReason::Bytes);
    EXPECT_EQ(run([](SaturationLimits &l) { l.seconds = 0; }),
              StopReason::Time);
    EXPECT_EQ(run([](SaturationLimits &l) { l.seconds = -1; }),
              StopReason::Time);
    EXPECT_EQ(run([](SaturationLimits &l) {
                l.seconds = std::numeric_limits<double>::quiet_NaN();
              }),
              StopReason::Time);
    if (mode == SaturationMode::Snapshots)
      EXPECT_EQ(run([](SaturationLimits &l) { l.iterations = 0; }),
                StopReason::Iterations);
  }
}

TEST(Limits, AreAskedBeforeTheFirstMatch) {
  Endless endless(/*grow=*/true);
  SaturationOptions options;
  options.limits.nodes = 2;
  SaturationStatistics got = saturate(endless.table, endless.rules, options);
  EXPECT_EQ(got.reason, StopReason::Nodes);
  EXPECT_EQ(got.nodes, 2u);
}

TEST(Limits, OfNodesEndInsideAMatch) {
  for (SaturationMode mode : {SaturationMode::Snapshots, SaturationMode::Eager})
    for (size_t limit : {3, 4, 5, 100, 101}) {
      Endless endless(/*grow=*/true);
      SaturationOptions options;
      options.mode = mode;
      options.limits.iterations = 1000;
      options.limits.nodes = limit;
      SaturationStatistics got =
          saturate(endless.table, endless.rules, options);
      EXPECT_EQ(got.reason, StopReason::Nodes);
      EXPECT_EQ(got.nodes, limit);
      EXPECT_TRUE(endless.table.isClean());
      // Half a term equals nothing; nor does the limit outlast the run.
      if (limit == 3)
        EXPECT_EQ(got.classes, 3u);
      EXPECT_FALSE(endless.table.isFull());
      const SymbolId other = endless.table.addSymbol(0);
      EXPECT_NE(endless.table.add(other, {}), std::nullopt);
    }
}

TEST(Limits, MergesBeforeAreSeen) {
  // Nothing is matched, but what was said before has consequences.
  NodeTable table;
  const SymbolId a = table.addSymbol(0), b = table.addSymbol(0),
                 f = table.addSymbol(1);
  const ClassId x = *table.add(a, {}), y = *table.add(b, {});
  const ClassId fx = *table.add(f, {x}), fy = *table.add(f, {y});
  table.merge(x, y);
  SaturationOptions options;
  options.limits.iterations = 0;
  EXPECT_EQ(saturate(table, {}, options).classes, 2u);
  EXPECT_EQ(table.find(fx), table.find(fy));
}

TEST(Limits, ARuleThatMatchesItselfSaturatesIfItCan) {
  for (SaturationMode mode :
       {SaturationMode::Snapshots, SaturationMode::Eager}) {
    Endless endless(/*grow=*/false);
    SaturationOptions options;
    options.mode = mode;
    SaturationStatistics got = saturate(endless.table, endless.rules, options);
    EXPECT_EQ(got.reason, StopReason::Saturated);
    // f(a) = f(f(a)): two nodes in one class, and the constant.
    EXPECT_EQ(got.nodes, 3u);
    EXPECT_EQ(got.classes, 2u);
  }
}

TEST(Limits, EndARuleThatFeedsItself) {
  for (SaturationMode mode :
       {SaturationMode::Snapshots, SaturationMode::Eager}) {
    auto run = [&](auto set) {
      Endless endless(/*grow=*/true);
      SaturationOptions options;
      options.mode = mode;
      options.limits.iterations = uint64_t(1) << 40;
      set(options.limits);
      EXPECT_EQ(verify(options), std::nullopt);
      SaturationStatistics got =
          saturate(endless.table, endless.rules, options);
      EXPECT_TRUE(endless.table.isClean());
      return got;
    };
    SaturationStatistics nodes =
        run([](SaturationLimits &l) { l.nodes = 1000; });
    EXPECT_EQ(nodes.reason, StopReason::Nodes);
    EXPECT_GE(nodes.nodes, 900u);
    EXPECT_LE(nodes.nodes, 1001u);
    SaturationStatistics matches =
        run([](SaturationLimits &l) { l.matches = 77; });
    EXPECT_EQ(matches.reason, StopReason::Matches);
    EXPECT_EQ(matches.rules[0].matches, 77u);
    EXPECT_EQ(run([](SaturationLimits &l) { l.bytes = 1 << 16; }).reason,
              StopReason::Bytes);
    SaturationStatistics time = run([](SaturationLimits &l) {
      l.seconds = 0.02;
      l.nodes = uint64_t(1) << 40;
    });
    EXPECT_EQ(time.reason, StopReason::Time);
    EXPECT_LT(time.seconds, 5);
    if (mode == SaturationMode::Snapshots)
      EXPECT_EQ(run([](SaturationLimits &l) { l.iterations = 9; }).iterations,
                9u);
  }
}

TEST(Limits, OfTimeHoldsWhereNothingMatches) {
  // Roots f(?a, ?b) and k(u(?c)) share nothing: 10^8 pairs, but there is no u.
  for (SchedulerKind scheduler :
       {SchedulerKind::Simple, SchedulerKind::Backoff}) {
    NodeTable table;
    const SymbolId f = table.addSymbol(2), k = table.addSymbol(1),
                   u = table.addSymbol(1);
    for (int i = 0; i < 10000; ++i) {
      const ClassId x = *table.add(table.addSymbol(0), {});
      table.add(f, {x, x});
      table.add(k, {x});
    }
    table.add(k, {*table.add(table.addSymbol(0), {})});
    Pattern pattern;
    const unsigned a = pattern.addVariable(), b = pattern.addVariable(),
                   c = pattern.addVariable();
    for (unsigned root : {pattern.addNode(f, {a, b}),
                          pattern.addNode(k, {pattern.addNode(u, {c})})})
      pattern.addRoot(root);
    std::string problem;
    std::vector<TableRule> rules = {
        {"none", *MatchProgram::compile(pattern, problem),
         [](const Match &, NodeTable &) { return true; }}};
    SaturationOptions options;
    options.scheduler = scheduler;
    options.limits.seconds = 0.01;
    SaturationStatistics got = saturate(table, rules, options);
    EXPECT_EQ(got.reason, StopReason::Time);
    EXPECT_LT(got.seconds, 0.5);
    EXPECT_EQ(got.rules[0].matches, 0u);
  }
}

TEST(Limits, ATableThatIsFullStaysWhatItIs) {
  NodeTable table;
  const SymbolId a = table.addSymbol(0), f = table.addSymbol(1);
  table.setCapacity(4 + 6 + 5);
  const ClassId x = *table.add(a, {}), fx = *table.add(f, {x});
  EXPECT_EQ(table.add(f, {fx}), std::nullopt);
  EXPECT_EQ(table.getNumNodes(), 2u);
  EXPECT_EQ(table.getNumClasses(), 2u);
  EXPECT_EQ(table.getEnd(), 10u);
  // What is there is found all the same.
  EXPECT_EQ(table.add(f, {x}), fx);
  EXPECT_EQ(table.lookup(f, {fx}), std::nullopt);
  for (SaturationMode mode :
       {SaturationMode::Snapshots, SaturationMode::Eager}) {
    Endless endless(/*grow=*/true);
    endless.table.setCapacity(1000);
    SaturationOptions options;
    options.mode = mode;
    options.limits.iterations = 1000;
    SaturationStatistics got = saturate(endless.table, endless.rules, options);
    EXPECT_EQ(got.reason, StopReason::Bytes);
    EXPECT_LE(endless.table.getEnd(), 1000u);
    EXPECT_GT(endless.table.getEnd(), 980u);
    EXPECT_TRUE(endless.table.isClean());
    EXPECT_NE(endless.table.find(endless.term), 0u);
  }
}

TEST(Limits, BansOfAnyLengthEnd) {
  Endless endless(/*grow=*/true);
  SaturationOptions options;
  options.scheduler = SchedulerKind::Backoff;
  options.matchLimit = 1;
  options.banLength = ~uint64_t(0);
  options.limits.iterations = 200;
  SaturationStatistics got = saturate(endless.table, endless.rules, options);
  EXPECT_EQ(got.reason, StopReason::Iterations);
  EXPECT_GT(got.nodes, 200u);
  EXPECT_GT(got.rules[0].bans, 2u);
}

/// A table as text, after rules.
std::string writeSaturated(unsigned seed, SaturationMode mode,
                           SchedulerKind scheduler) {
  RandomTerms random(seed);
  NodeTable table;
  random.fill(table, 20, 2);
  SaturationOptions options;
  options.mode = mode;
  options.scheduler = scheduler;
  options.matchLimit = 10;
  options.phases = {{{0}, 1}, {{1, 2}, 2}};
  options.limits.nodes = 2000;
  options.limits.iterations = 6;
  options.limits.matches = 3000;
  saturate(table, random.makeRules(), options);
  SerializationNames names;
  names.symbol = [](SymbolId symbol) { return "s" + std::to_string(symbol); };
  SerializedEGraph named = serialize(table, {table.find(0)}, names);
  std::string text, problem;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(writeEGraphJson(named, os, problem)) << problem;
  return text;
}

TEST(Limits, RunsAreRepeatable) {
  size_t length = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto mode = static_cast<SaturationMode>(seed % 2);
    const auto scheduler = static_cast<SchedulerKind>(seed / 2 % 3);
    const std::string text = writeSaturated(seed, mode, scheduler);
    EXPECT_EQ(writeSaturated(seed, mode, scheduler), text) << "seed " << seed;
    length += text.size();
  }
  EXPECT_GT(length, 50000u);
}

} // namespace

//===- SaturateTest.cpp - Rules until nothing is new ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products whose classes can be counted, each limit inside of an
// iteration, the scheduler, and what is refused.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Saturate.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;

namespace {

/// Sums of constants with rules of commutativity and associativity.
class Sums {
public:
  Sums() {
    Pattern comm;
    unsigned x = comm.addVariable(), y = comm.addVariable();
    add("comm", comm, comm.addNode(plus, {x, y}), {{{plus, {y, x}}}, 3});
    Pattern assoc;
    unsigned a = assoc.addVariable(), b = assoc.addVariable(),
             c = assoc.addVariable();
    unsigned inner = assoc.addNode(plus, {b, c});
    add("assoc", assoc, assoc.addNode(plus, {a, inner}),
        {{{plus, {a, b}}, {plus, {5, c}}}, 6});
  }

  /// (+ 1 (+ 2 (… n))).
  ClassId makeSum(unsigned n) {
    std::vector<ClassId> terms;
    for (unsigned i = 0; i < n; ++i)
      terms.push_back(*table.add(table.addSymbol(0), {}));
    ClassId sum = terms.back();
    for (unsigned i = n - 1; i-- > 0;)
      sum = *table.add(plus, {terms[i], sum});
    return sum;
  }

  SaturationStatistics saturate(const SaturationOptions &options) {
    EXPECT_EQ(verify(options), std::nullopt);
    return mlir::tensoraccess::saturate(table, rules, options);
  }

  NodeTable table;
  SymbolId plus = table.addSymbol(2);
  std::vector<TableRule> rules;

private:
  void add(const char *name, Pattern &pattern, unsigned root,
           TermTemplate term) {
    pattern.addRoot(root);
    std::string problem;
    std::optional<MatchProgram> program =
        MatchProgram::compile(pattern, problem);
    ASSERT_TRUE(program) << problem;
    rules.push_back(
        {name, *program,
         makeReplacement(std::move(term), root, pattern.getElements().size())});
  }
};

TEST(Saturate, SumsHaveAClassForEverySubset) {
  Sums sums;
  sums.makeSum(7);
  SaturationStatistics got = sums.saturate({});
  EXPECT_EQ(got.reason, StopReason::Saturated);
  // A subset with k members is split in 2^k - 2 ways.
  EXPECT_EQ(got.classes, 127u);
  uint64_t nodes = 7, subsets[] = {1, 7, 21, 35, 35, 21, 7, 1};
  for (unsigned k = 2; k <= 7; ++k)
    nodes += subsets[k] * ((1u << k) - 2);
  EXPECT_EQ(got.nodes, nodes);
  EXPECT_EQ(got.rules.size(), 2u);
  EXPECT_GT(got.rules[0].applied, 0u);
  EXPECT_GE(got.rules[1].matches, got.rules[1].applied);
}

TEST(Saturate, TheSchedulerDelaysButChangesNothing) {
  Sums sums;
  sums.makeSum(6);
  SaturationOptions options;
  options.scheduler = SchedulerKind::Backoff;
  options.matchLimit = 20;
  options.limits.iterations = 1000;
  SaturationStatistics got = sums.saturate(options);
  EXPECT_EQ(got.reason, StopReason::Saturated);
  EXPECT_EQ(got.classes, 63u);
  EXPECT_GT(got.rules[0].bans + got.rules[1].bans, 0u);
}

TEST(Saturate, LimitsStopInsideOfAnIteration) {
  auto run = [](auto set) {
    Sums sums;
    ClassId sum = sums.makeSum(12);
    SaturationOptions options;
    set(options);
    SaturationStatistics got = sums.saturate(options);
    // What there is can be used.
    EXPECT_TRUE(sums.table.isClean());
    sums.table.takeSnapshot();
    EXPECT_FALSE(sums.table.getNodes(sums.table.find(sum)).empty());
    return got;
  };
  SaturationStatistics nodes =
      run([](SaturationOptions &o) { o.limits.nodes = 1000; });
  EXPECT_EQ(nodes.reason, StopReason::Nodes);
  // A match adds two nodes at most; some turn out to be equal.
  EXPECT_LE(nodes.nodes, 1001u);
  EXPECT_GT(nodes.nodes, 800u);
  SaturationStatistics matches =
      run([](SaturationOptions &o) { o.limits.matches = 500; });
  EXPECT_EQ(matches.reason, StopReason::Matches);
  EXPECT_EQ(matches.rules[0].matches + matches.rules[1].matches, 500u);
  EXPECT_EQ(run([](SaturationOptions &o) { o.limits.bytes = 1u << 16; }).reason,
            StopReason::Bytes);
  EXPECT_EQ(run([](SaturationOptions &o) { o.limits.seconds = 1e-9; }).reason,
            StopReason::Time);
  SaturationStatistics iterations =
      run([](SaturationOptions &o) { o.limits.iterations = 2; });
  EXPECT_EQ(iterations.reason, StopReason::Iterations);
  EXPECT_EQ(iterations.iterations, 2u);
  EXPECT_EQ(describe(iterations.reason), "the limit of iterations is reached");
}

TEST(Saturate, PhasesComeInTurn) {
  // Commutativity, then associativity, one iteration each, until neither
  // changes anything.
  Sums sums;
  sums.makeSum(6);
  SaturationOptions options;
  options.scheduler = SchedulerKind::Phases;
  options.limits.iterations = 1000;
  options.phases = {{{0}, 1}, {{1}, 1}};
  SaturationStatistics got = sums.saturate(options);
  EXPECT_EQ(got.reason, StopReason::Saturated);
  EXPECT_EQ(got.classes, 63u);
  // A phase alone leaves the rest; a number without a rule is left out.
  Sums alone;
  alone.makeSum(6);
  options.phases = {{{0, 7}, 30}};
  got = alone.saturate(options);
  EXPECT_EQ(got.reason, StopReason::Saturated);
  EXPECT_EQ(got.nodes, 6u + 2 * 5);
  EXPECT_EQ(got.rules[1].matches, 0u);
  options.phases[0].iterations = 0;
  EXPECT_EQ(verify(options),
            "the limit of iterations of a phase must be positive, got 0");
  options.phases.clear();
  EXPECT_EQ(verify(options), "scheduling by phases needs a phase");
}

TEST(Saturate, LimitsOfZeroAreErrors) {
  SaturationOptions options;
  options.limits.nodes = 0;
  EXPECT_EQ(verify(options), "the limit of nodes must be positive, got 0");
  options = {};
  options.limits.seconds = 0;
  EXPECT_EQ(verify(options), "the limit of seconds must be positive, got 0");
  options.limits.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(verify(options), std::nullopt);
  options = {};
  options.banLength = 0;
  EXPECT_EQ(verify(options),
            "the limit of iterations of a ban must be positive, got 0");
}

} // namespace

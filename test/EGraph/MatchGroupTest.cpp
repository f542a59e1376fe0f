//===- MatchGroupTest.cpp - Matches that are looked at together -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that only replace, whose matches are looked at in groups, against the
// same rules whose matches are applied one by one: random terms, rules and
// limits, and chains with more matches than a group has.
//
//===----------------------------------------------------------------------===//

#include "RandomTerms.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using mlir::tensoraccess::test::RandomTerms;

namespace {

/// The same rules, not declared as replacements.
std::vector<TableRule> applyOneByOne(std::vector<TableRule> rules) {
  for (TableRule &rule : rules) {
    EXPECT_TRUE(rule.apply.replacement);
    rule.apply.replacement = nullptr;
  }
  return rules;
}

struct Outcome {
  SaturationStatistics statistics;
  /// For each term the first that it equals.
  std::vector<size_t> partition;
};

Outcome run(RandomTerms random, int terms, const SaturationOptions &options,
            bool isGrouped) {
  Outcome outcome;
  NodeTable table;
  std::vector<ClassId> made = random.fill(table, terms, random.pick(3));
  std::vector<TableRule> rules = random.makeRules();
  outcome.statistics = saturate(
      table, isGrouped ? rules : applyOneByOne(std::move(rules)), options);
  EXPECT_TRUE(table.isClean());
  std::map<ClassId, size_t> first;
  for (size_t i = 0; i != made.size(); ++i)
    outcome.partition.push_back(
        first.try_emplace(table.find(made[i]), i).first->second);
  return outcome;
}

TEST(MatchGroup, SnapshotsSayTheSame) {
  RandomTerms random(29);
  uint64_t matches = 0, limited = 0;
  for (int round = 0; round < 2000; ++round) {
    SaturationOptions options;
    options.limits.nodes = uint64_t(1) << 40;
    options.limits.matches = round % 4 ? 4000 : 1 + random.pick(10);
    options.limits.iterations = 1 + random.pick(4);
    options.scheduler = static_cast<SchedulerKind>(round % 3);
    options.phases = {{{0, 1}, 2}, {{2}, 1}};
    const Outcome expected = run(random, 60, options, /*isGrouped=*/false);
    const Outcome got = run(random, 60, options, /*isGrouped=*/true);
    random.pick(2);
    ASSERT_EQ(got.partition, expected.partition) << "round " << round;
    EXPECT_EQ(got.statistics.reason, expected.statistics.reason);
    EXPECT_EQ(got.statistics.iterations, expected.statistics.iterations);
    EXPECT_EQ(got.statistics.nodes, expected.statistics.nodes);
    EXPECT_EQ(got.statistics.classes, expected.statistics.classes);
    for (auto [a, b] :
         llvm::zip_equal(got.statistics.rules, expected.statistics.rules)) {
      EXPECT_EQ(a.matches, b.matches);
      matches += a.matches;
    }
    limited += got.statistics.reason == StopReason::Matches;
  }
  EXPECT_GT(matches, 8000u);
  EXPECT_GT(limited, 50u);
}

TEST(MatchGroup, EagerSaturationSaysTheSame) {
  RandomTerms random(31);
  int saturated = 0, applied = 0;
  for (int round = 0; round < 3000; ++round) {
    SaturationOptions options;
    options.mode = SaturationMode::Eager;
    options.limits.nodes = 300;
    options.limits.matches = 5000;
    const Outcome expected = run(random, 14, options, /*isGrouped=*/false);
    const Outcome got = run(random, 14, options, /*isGrouped=*/true);
    random.pick(2);
    if (expected.statistics.reason != StopReason::Saturated ||
        got.statistics.reason != StopReason::Saturated)
      continue;
    ++saturated;
    ASSERT_EQ(got.partition, expected.partition) << "round " << round;
    EXPECT_EQ(got.statistics.nodes, expected.statistics.nodes);
    EXPECT_EQ(got.statistics.classes, expected.statistics.classes);
    for (const RuleStatistics &rule : got.statistics.rules)
      applied += rule.applied;
  }
  EXPECT_GT(saturated, 1500);
  EXPECT_GT(applied, 1500);
}

} // namespace

//===- BankConflictsTest.cpp - Accesses that meet in a memory bank --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns that every programmer of a GPU knows, counting against walking
// on random maps and layouts, and what the options must be.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Coalescing.h"

#include "ParseMap.h"
#include "RandomMaps.h"
#include "WalkedAccesses.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// `accesses words cycles minimum worst`.
std::string show(const BankConflictsResult &result) {
  if (!result.value)
    return describe(result.reason).str();
  const BankConflicts &c = *result.value;
  std::string s;
  for (int64_t n : {c.accesses, c.words, c.cycles, c.minimumCycles, c.worst})
    s += (s.empty() ? "" : " ") + std::to_string(n);
  return s;
}

std::string count(llvm::StringRef text, BankOptions options = {}) {
  IndexingMap map = parse(text);
  options.access.lane = options.access.lane.value_or(0);
  EXPECT_EQ(verify(options, map), std::nullopt) << map.str();
  EXPECT_EQ(show(getBankConflicts(map, options)),
            show(walkBankConflicts(map, options)));
  return show(getBankConflicts(map, options));
}

TEST(BankConflicts, RowsColumnsAndAPaddedPitch) {
  EXPECT_EQ(count("(d0) -> (d0), domain: d0 in [0, 31]"), "1 32 1 1 1");
  // A column of 32 × 32 floats lies in one bank, of 32 × 33 in all.
  EXPECT_EQ(count("(d0, d1) -> (d0 * 32 + d1), domain: d0 in [0, 31], "
                  "d1 in [0, 31]"),
            "32 1024 1024 32 32");
  EXPECT_EQ(count("(d0, d1) -> (d0 * 33 + d1), domain: d0 in [0, 31], "
                  "d1 in [0, 31]"),
            "32 1024 32 32 1");
  EXPECT_EQ(count("(d0) -> (d0 * 2), domain: d0 in [0, 31]"), "1 32 2 1 2");
}

TEST(BankConflicts, OneWordIsGivenToAllLanes) {
  EXPECT_EQ(count("(d0) -> (7), domain: d0 in [0, 31]"), "1 1 1 1 1");
  // Bytes: four lanes a word.
  BankOptions bytes;
  bytes.access.elementBits = 8;
  EXPECT_EQ(count("(d0) -> (d0), domain: d0 in [0, 31]", bytes), "1 8 1 1 1");
}

TEST(BankConflicts, WideElementsTakeSeveralWords) {
  BankOptions wide;
  wide.access.elementBits = 64;
  EXPECT_EQ(count("(d0) -> (d0), domain: d0 in [0, 31]", wide), "1 64 2 2 2");
  // As the hardware does it: half a warp at a time.
  wide.access.lanes = 16;
  EXPECT_EQ(count("(d0) -> (d0), domain: d0 in [0, 31]", wide), "2 64 2 2 1");
  // 12 bits straddle words.
  wide.access.elementBits = 12;
  EXPECT_EQ(count("(d0) -> (d0), domain: d0 in [0, 31]", wide), "2 12 2 2 1");
}

TEST(BankConflicts, LargeDomainsCostNothing) {
  EXPECT_EQ(show(getBankConflicts(
                parse("(d0, d1) -> (d1 * 32 + d0), domain: d0 in [0, 31], "
                      "d1 in [0, 1099511627775]"),
                [] {
                  BankOptions options;
                  options.access.lane = 0;
                  return options;
                }())),
            "1099511627776 35184372088832 1099511627776 1099511627776 1");
}

TEST(BankConflicts, CountsWhatLoopsSee) {
  std::mt19937 generator(20);
  int counted = 0;
  for (int i = 0; i < 400; ++i) {
    auto pick = [&](int64_t lo, int64_t hi) {
      return std::uniform_int_distribution<int64_t>(lo, hi)(generator);
    };
    const int64_t rows = pick(1, 40), columns = pick(1, 40);
    Layout layout = Layout::rowMajor(2);
    if (pick(0, 1))
      layout.minorToMajor = {0, 1};
    for (int64_t t = pick(0, 2); t > 0; --t)
      layout.tiles.push_back({pick(1, 6), pick(1, 9)});
    layout = layout.withShape({rows, columns}, *XlaType::lookup("f32"));
    IndexingMap map =
        toElementNumbers(parse("(d0, d1) -> (d1, d0), domain: d0 in [0, " +
                               std::to_string(columns - 1) + "], d1 in [0, " +
                               std::to_string(rows - 1) + "]"),
                         layout);
    BankOptions options;
    options.access.lane = pick(0, 1);
    options.access.lanes = pick(1, 40);
    options.access.elementBits = std::array{4, 8, 16, 32, 64, 12}[pick(0, 5)];
    options.banks = std::array{1, 3, 16, 32}[pick(0, 3)];
    options.bankBytes = std::array{1, 4, 8, 5}[pick(0, 3)];
    const BankConflictsResult fast = getBankConflicts(map, options);
    EXPECT_EQ(show(fast), show(walkBankConflicts(map, options)))
        << layout.str();
    counted += fast.value.has_value();
  }
  EXPECT_EQ(counted, 400);
}

TEST(BankConflicts, Refusals) {
  IndexingMap map = parse("(d0) -> (d0), domain: d0 in [0, 31]");
  BankOptions options;
  options.banks = 0;
  EXPECT_EQ(verify(options, map), "banks must be in [1, 1024], got 0");
  options.banks = 32;
  options.bankBytes = 2048;
  EXPECT_EQ(verify(options, map), "bank bytes must be in [1, 1024], got 2048");
  options.bankBytes = 4;
  options.access.lanes = 0;
  EXPECT_EQ(verify(options, map), "lanes must be positive, got 0");
  options.access.lanes = 32;
  EXPECT_EQ(show(getBankConflicts(
                IndexingMap::unknown(UnknownReason::RankMismatch), options)),
            "the map is unknown");
  // The banks of a gather are unknown.
  EXPECT_EQ(
      show(getBankConflicts(parse("(d0){rt0} -> (rt0), domain: d0 in [0, 31], "
                                  "rt0 in [0, 99]"),
                            options)),
      "it depends on a runtime variable");
}

} // namespace

//===- WalkedAccesses.h - Accesses by walking through points ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The truth about what the accesses of a map use and move: every point of the
// domain is visited, and bytes, transactions, words are put into sets. Runtime
// variables must have one value.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_WALKEDACCESSES_H
#define TENSORACCESS_TEST_CORE_WALKEDACCESSES_H

#include "TensorAccess/Core/Coalescing.h"

#include <map>
#include <set>

namespace mlir::tensoraccess::test {

/// The pieces of `bits` bits that each access touches, in order of the
/// accesses; none and a reason if there are no accesses to be had.
inline std::optional<std::map<Point, std::set<int64_t>>>
walkAccesses(const IndexingMap &map, const CoalescingOptions &options,
             int64_t bits, CoalescingReason &reason) {
  for (Interval range : map.getRuntimeRanges())
    if (!range.isPoint()) {
      reason = CoalescingReason::Runtime;
      return std::nullopt;
    }
  // The values of all variables, with the group in place of the lane and 0 in
  // place of what varies inside of an access.
  std::map<Point, std::set<int64_t>> accesses;
  EnumerateStatus status = enumerate(
      map,
      [&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> results) {
        Point key(point.begin(), point.end());
        if (options.lane)
          key[*options.lane] =
              floorDivPositive(key[*options.lane], options.lanes);
        for (unsigned v : options.vector)
          key[v] = 0;
        const int64_t begin = results[0] * options.elementBits;
        for (int64_t bit = begin; bit != begin + options.elementBits; ++bit)
          accesses[key].insert(floorDivPositive(bit, bits));
        return true;
      },
      options.maxPoints);
  switch (status) {
  case EnumerateStatus::Ok:
    return accesses;
  case EnumerateStatus::Unknown:
    reason = CoalescingReason::UnknownMap;
    break;
  case EnumerateStatus::Unbounded:
    reason = CoalescingReason::Unbounded;
    break;
  case EnumerateStatus::TooLarge:
    reason = CoalescingReason::Budget;
    break;
  case EnumerateStatus::Overflow:
    reason = CoalescingReason::Overflow;
    break;
  }
  return std::nullopt;
}

/// What getCoalescing should say.
inline CoalescingResult walkCoalescing(const IndexingMap &map,
                                       const CoalescingOptions &options) {
  CoalescingResult result;
  auto accesses = walkAccesses(map, options, 8, result.reason);
  if (!accesses)
    return result;
  const int64_t transaction = options.transactionBytes;
  Coalescing &sum = result.value.emplace();
  for (const auto &[key, bytes] : *accesses) {
    std::set<int64_t> transactions;
    int64_t run = 0, used = bytes.size();
    for (int64_t byte : bytes) {
      transactions.insert(floorDivPositive(byte, transaction));
      ++run;
      if (bytes.count(byte + 1))
        continue;
      ++sum.runs;
      sum.runBytes += ceilDivPositive(run, transaction) * transaction;
      run = 0;
    }
    const int64_t moved = transactions.size() * transaction;
    const int64_t difference = used * sum.worstMoved - sum.worstUsed * moved;
    if (sum.accesses == 0 || difference < 0 ||
        (difference == 0 && moved > sum.worstMoved)) {
      sum.worstUsed = used;
      sum.worstMoved = moved;
    }
    ++sum.accesses;
    sum.transactions += transactions.size();
    sum.bytesUsed += used;
    sum.bytesMoved += moved;
    sum.minimumBytes += ceilDivPositive(used, transaction) * transaction;
  }
  return result;
}

/// What getBankConflicts should say.
inline BankConflictsResult walkBankConflicts(const IndexingMap &map,
                                             const BankOptions &options) {
  BankConflictsResult result;
  auto accesses =
      walkAccesses(map, options.access, 8 * options.bankBytes, result.reason);
  if (!accesses)
    return result;
  BankConflicts &sum = result.value.emplace();
  for (const auto &[key, words] : *accesses) {
    std::map<int64_t, int64_t> perBank;
    int64_t cycles = 0, count = words.size();
    for (int64_t word : words)
      cycles =
          std::max(cycles, ++perBank[floorModPositive(word, options.banks)]);
    ++sum.accesses;
    sum.words += count;
    sum.cycles += cycles;
    sum.minimumCycles += ceilDivPositive(count, options.banks);
    sum.worst = std::max(sum.worst, cycles);
  }
  return result;
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_WALKEDACCESSES_H

//===- BankConflicts.cpp - Accesses that meet in a memory bank ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cycles of one access. All banks together are a transaction for the
// counting in CoalescingCount.cpp: moving an access by their width changes
// nothing.
//
//===----------------------------------------------------------------------===//

#include "CoalescingMeter.h"
#include "TensorAccess/Core/Coalescing.h"

#include "llvm/ADT/SmallVector.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;

namespace {

/// Adds up accesses, each with a multiplicity.
class BankMeter {
public:
  explicit BankMeter(const BankOptions &options)
      : elementBits(options.access.elementBits),
        wordBits(8 * options.bankBytes), perBank(options.banks) {}

  /// `count` accesses to the elements of the given numbers, sorted, distinct
  /// and from 0 on, of which the first begins `shift` bits after the beginning
  /// of bank 0. False on overflow.
  bool add(llvm::ArrayRef<int64_t> numbers, int64_t shift, int64_t count);

  BankConflicts sum;

private:
  const int64_t elementBits, wordBits;
  llvm::SmallVector<int64_t> perBank;
};

} // namespace

bool BankMeter::add(llvm::ArrayRef<int64_t> numbers, int64_t shift,
                    int64_t count) {
  // The last bit decides whether everything fits.
  if (!checkedAdd(checkedMul(checkedAdd(numbers.back(), 1), elementBits),
                  shift))
    return false;
  const int64_t banks = perBank.size();
  perBank.assign(banks, 0);
  int64_t words = 0, lastWord = -1;
  for (int64_t n : numbers) {
    const int64_t bit = n * elementBits + shift;
    const int64_t end = (bit + elementBits - 1) / wordBits;
    for (int64_t w = std::max(bit / wordBits, lastWord + 1); w <= end; ++w) {
      ++perBank[w % banks];
      ++words;
    }
    lastWord = std::max(lastWord, end);
  }
  const int64_t cycles = *std::max_element(perBank.begin(), perBank.end());
  sum.worst = std::max(sum.worst, cycles);
  return accumulate(sum.accesses, 1, count) &&
         accumulate(sum.words, words, count) &&
         accumulate(sum.cycles, cycles, count) &&
         accumulate(sum.minimumCycles, ceilDivPositive(words, banks), count);
}

/// The options by which accesses are collected.
static CoalescingOptions getAccessOptions(const BankOptions &options) {
  CoalescingOptions access = options.access;
  access.transactionBytes = options.banks * options.bankBytes;
  return access;
}

std::optional<std::string>
mlir::tensoraccess::verify(const BankOptions &options, const IndexingMap &map) {
  constexpr int64_t kMost = 1024;
  if (options.banks < 1 || options.banks > kMost)
    return "banks must be in [1, 1024], got " + std::to_string(options.banks);
  if (options.bankBytes < 1 || options.bankBytes > kMost)
    return "bank bytes must be in [1, 1024], got " +
           std::to_string(options.bankBytes);
  return verify(getAccessOptions(options), map);
}

BankConflictsResult
mlir::tensoraccess::getBankConflicts(const IndexingMap &map,
                                     const BankOptions &options) {
  BankConflictsResult result;
  result.value = measureAccesses<BankMeter>(
      collectAccesses(map, getAccessOptions(options)),
      8 * options.banks * options.bankBytes, options, result.reason);
  return result;
}

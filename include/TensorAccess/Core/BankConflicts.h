//===- BankConflicts.h - Accesses that meet in a memory bank ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shared memory of a GPU, and the scratch memory of many accelerators, is
// cut into *banks*: byte b lies in word ⌊b / width⌋, and word w in bank
// w mod banks. In a cycle, each bank gives one of its words to all lanes that
// ask for it. An access therefore takes
//
//   cycles           max over banks of the distinct words asked of that bank
//   minimum cycles   ⌈distinct words / banks⌉
//
// and the difference is what conflicts cost. Accesses are those of
// Coalescing.h: `lanes` consecutive values of the lane at once, with all values
// of the vector variables. Hardware that serves wide elements in parts (8 lanes
// of 16 bytes at a time, say) is asked with that number of lanes.
//
// The sums over all accesses are exact; how they come about without walking
// through all of them is told in Coalescing.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_BANKCONFLICTS_H
#define TENSORACCESS_CORE_BANKCONFLICTS_H

#include "TensorAccess/Core/Coalescing.h"

namespace mlir::tensoraccess {

struct BankOptions {
  /// What an access is; its transaction plays no part.
  CoalescingOptions access;
  /// At least 1.
  int64_t banks = 32;
  /// Bytes of a word, at least 1.
  int64_t bankBytes = 4;
};

/// Sums over all accesses.
struct BankConflicts {
  int64_t accesses = 0;
  /// Distinct words that are touched.
  int64_t words = 0;
  int64_t cycles = 0;
  int64_t minimumCycles = 0;
  /// Cycles of the access that takes most.
  int64_t worst = 0;

  /// Cycles beyond the minimum.
  int64_t getConflicts() const { return cycles - minimumCycles; }
  bool operator==(const BankConflicts &o) const {
    return accesses == o.accesses && words == o.words && cycles == o.cycles &&
           minimumCycles == o.minimumCycles && worst == o.worst;
  }
};

struct BankConflictsResult {
  /// None if and only if there is a reason.
  std::optional<BankConflicts> value;
  CoalescingReason reason = CoalescingReason::None;
};

/// None if the options make sense for `map`, else what does not. The map must
/// have one result, the number of an element.
std::optional<std::string> verify(const BankOptions &options,
                                  const IndexingMap &map);

/// The cycles of the accesses of `map`; element 0 begins bank 0. `options` must
/// be verified.
BankConflictsResult getBankConflicts(const IndexingMap &map,
                                     const BankOptions &options);

/// The same by walking through every point of the domain: the truth for tests.
BankConflictsResult enumerateBankConflicts(const IndexingMap &map,
                                           const BankOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_BANKCONFLICTS_H

//===- Enumerate.h - Indexing maps by brute force ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of truth. A map *is* the set of pairs (point, result) that
// these functions walk; every cleverer engine is tested against them. They are
// written to be read, and refuse domains beyond a budget instead of being slow.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ENUMERATE_H
#define TENSORACCESS_CORE_ENUMERATE_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>
#include <vector>

namespace mlir::tensoraccess {

/// Points of the box of all variables' ranges that are visited at most.
inline constexpr uint64_t kDefaultEnumerationBudget = 1u << 20;

/// Why a walk did not happen.
enum class EnumerateStatus : uint8_t {
  Ok,
  Unknown,   ///< the map is unknown: it has no points to walk
  Unbounded, ///< some range has no end
  TooLarge,  ///< the box of ranges has more points than the budget
  Overflow,  ///< a result does not fit 64 bits
};

llvm::StringRef describe(EnumerateStatus status);

/// Number of points in the box of all ranges; none if infinite or too large.
std::optional<uint64_t> getBoxSize(const IndexingMap &map);

/// Calls `visit(variables, results)` for every point of the domain, in
/// lexicographic order of (dims, symbols, runtime). The walk ends early, with
/// status Ok, when `visit` returns false.
EnumerateStatus
enumerate(const IndexingMap &map,
          llvm::function_ref<bool(llvm::ArrayRef<int64_t> variables,
                                  llvm::ArrayRef<int64_t> results)>
              visit,
          uint64_t budget = kDefaultEnumerationBudget);

using Point = std::vector<int64_t>;

/// All results, each once. None if the walk was refused (see `status`).
std::optional<std::set<Point>>
enumerateImage(const IndexingMap &map,
               uint64_t budget = kDefaultEnumerationBudget,
               EnumerateStatus *status = nullptr);

/// What comparing two maps found.
struct MapComparison {
  enum class Verdict : uint8_t { Equal, Different, Refused };
  Verdict verdict;
  /// Different: the values of all variables at a point where they differ.
  Point witness;
  /// Different or Refused: a sentence.
  std::string message;

  explicit operator bool() const { return verdict == Verdict::Equal; }
};

/// Whether both maps contain the same points and have the same results there,
/// variable by variable. The walk covers the hull of both boxes.
MapComparison equalOverDomain(const IndexingMap &a, const IndexingMap &b,
                              uint64_t budget = kDefaultEnumerationBudget);

/// The same for maps that differ in their symbols: for every point of the dims
/// and runtime variables (which must agree in number) the *sets* of results
/// over all symbols must be equal.
MapComparison equalAsRelations(const IndexingMap &a, const IndexingMap &b,
                               uint64_t budget = kDefaultEnumerationBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ENUMERATE_H

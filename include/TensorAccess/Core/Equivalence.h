//===- Equivalence.h - Emptiness and equality, decided ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has a map a point at all? Are two maps the same relation? Both are answered
// by proof, or refuted by a point, or not at all:
//
//   a: (d0) -> (d0 mod 4), domain: d0 in [0, 9]
//   b: (d0) -> (d0 - (d0 floordiv 4) * 4), domain: d0 in [0, 9]     equal
//   c: (d0) -> (d0 mod 4), domain: d0 in [0, 8]                different at 9
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_EQUIVALENCE_H
#define TENSORACCESS_CORE_EQUIVALENCE_H

#include "TensorAccess/Core/Enumerate.h"
#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess {

/// Whether the domain has no point, whatever the runtime variables are. None
/// for an unknown map, and where nobody can tell within the budget.
std::optional<bool> isEmpty(const IndexingMap &map,
                            uint64_t budget = kDefaultEnumerationBudget);

/// The values of all variables at some point of the domain. None if there is
/// none, or none was found (see `isEmpty`).
std::optional<Point> findPoint(const IndexingMap &map,
                               uint64_t budget = kDefaultEnumerationBudget);

/// What comparing two maps as relations found.
struct Equivalence {
  enum class Verdict : uint8_t {
    Equal,     ///< proved: the same set of results for all dims
    Different, ///< refuted, at `witness` if that has values
    Unknown,   ///< neither, within the budget
  };
  Verdict verdict = Verdict::Unknown;
  /// Different: values of the dims, then of the runtime variables, for which
  /// the maps have different sets of results. Empty if the maps differ in their
  /// number of dims, runtime variables or results.
  Point witness;
  /// Different or Unknown: a sentence.
  std::string message;

  /// True, false or none.
  std::optional<bool> answer() const {
    if (verdict == Verdict::Unknown)
      return std::nullopt;
    return verdict == Verdict::Equal;
  }
};

/// Compares two maps as relations: for all dims and runtime variables (which
/// must agree in number) the sets of results over all symbols must be equal;
/// outside of its domain a map has the empty set. An unknown map is neither
/// equal to nor different from any.
Equivalence compareMaps(const IndexingMap &a, const IndexingMap &b,
                        uint64_t budget = kDefaultEnumerationBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_EQUIVALENCE_H

//===- Footprint.h - What a map reaches, and how much -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions about the sets that an indexing map relates: which elements does a
// block of an operation touch, how many are they, which part of the operation
// needs a given block of the tensor, does an element come back twice?
//
//   (d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 111], s0 in [0, 6]
//     getImage      hull [0, 229), count 229, exact
//     countPoints   784: each element is read 3.4 times
//     isInjective   false
//
// Every answer is exact or says that it is not: nothing here is an estimate. A
// *budget* bounds the steps of a search where no closed form is known; past it
// the answer is "unknown" (none).
//
// Runtime variables are numbers that nobody knows and that may differ from
// point to point. A set that depends on them has a hull over all their values,
// and no count.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_FOOTPRINT_H
#define TENSORACCESS_CORE_FOOTPRINT_H

#include "TensorAccess/Core/Enumerate.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Projection.h"

#include <cstdint>
#include <optional>

namespace mlir::tensoraccess {

/// A half-open box of integers.
using Box = IndexRegion;

/// What a hull says of the set it was made for.
enum class Exactness : uint8_t {
  Exact,   ///< the box is the set
  Hull,    ///< the box contains the set; it may contain more
  Unknown, ///< nothing is known; there is no box
};

/// `exact`, `hull`, `unknown`.
llvm::StringRef describe(Exactness kind);

/// A set of index tuples, summarised.
struct Footprint {
  /// Of the hull.
  Exactness kind = Exactness::Unknown;
  /// A box that contains the set; none if `kind` is Unknown. The hull of the
  /// empty set is [0, 0) in each dimension.
  std::optional<Box> hull;
  /// How many tuples there are, exactly; none if that is not known or does not
  /// fit.
  std::optional<uint64_t> count;

  bool operator==(const Footprint &o) const {
    return kind == o.kind && hull == o.hull && count == o.count;
  }
};

/// The results of `map` over its domain, or over the part of it whose dims lie
/// in `dims`. Unknown for an unknown map, a box of another rank than the map
/// has dims, and where a result has no bound.
Footprint getImage(const IndexingMap &map, const Box *dims = nullptr,
                   uint64_t budget = kDefaultEnumerationBudget);

/// The dims from which some symbols lead into `results`. Unknown as above.
Footprint getPreimage(const IndexingMap &map, const Box &results,
                      uint64_t budget = kDefaultEnumerationBudget);

/// How many points (dims and symbols) the domain has. None if it is infinite,
/// unknown, not countable within the budget, more than 64 bits hold, or if it
/// depends on runtime variables.
std::optional<uint64_t> countPoints(const IndexingMap &map,
                                    uint64_t budget = kDefaultEnumerationBudget);

/// How many different results the map has. None as above.
std::optional<uint64_t> countImage(const IndexingMap &map,
                                   uint64_t budget = kDefaultEnumerationBudget);

/// How many different results several maps into one space have together: what
/// a kernel reads once through any of them. None as above, and if the maps have
/// different numbers of results. No maps have no results: 0.
std::optional<uint64_t> countUnion(llvm::ArrayRef<IndexingMap> maps,
                                   uint64_t budget = kDefaultEnumerationBudget);

/// Whether different points (dims and symbols) have different results, i.e.
/// countImage = countPoints. True for a map with runtime variables if it holds
/// whatever values these take, from point to point; else none.
std::optional<bool> isInjective(const IndexingMap &map,
                                uint64_t budget = kDefaultEnumerationBudget);

/// The map from results back to dims: r -> {d : r is among the results of d}.
/// It is exact. Symbols stand for what a result leaves open (of a map that is
/// not injective), constraints say which results are reached; runtime variables
/// are kept. For an injective map, first `map` and then the inverse is the
/// identity on the domain's dims. None for an unknown map and on overflow.
std::optional<IndexingMap> inverse(const IndexingMap &map);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_FOOTPRINT_H

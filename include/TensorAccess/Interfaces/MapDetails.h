//===- MapDetails.h - Where runtime values and replicas come from -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an indexing map cannot say by itself. A *runtime variable* of a map is a
// number that some operand holds: the start of a dynamic slice, an index of a
// gather. Its *source* is that operand, and a map to the element of it. A
// collective reads operands of other replicas: its *replica map* says of which.
//
//   gather of rows: result[i, j] = table[clamp(where[i], 0, 9), j]
//
//     map      (d0, d1){rt0} -> (rt0, d1), rt0 in [0, 9]
//     source   of rt0: operand 1 at (d0, d1){rt0} -> (d0), clamped to [0, 9]
//
// All maps of one entry have the same variables in the same order, so that they
// speak of the same point: the source of a gather that is summed over depends on
// the symbol of the sum. A source may depend on other runtime variables, never
// in a circle.
//
// To compose, simplify or relate such an entry, its maps are joined into one
// map that has all their results, and split afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_MAPDETAILS_H
#define TENSORACCESS_INTERFACES_MAPDETAILS_H

#include "TensorAccess/Core/IndexingMap.h"
#include "mlir/IR/Attributes.h"

#include <memory>

namespace mlir::tensoraccess {

/// Where the value of a runtime variable comes from: it is the element of an
/// operand (of a function's argument, in the indexing of a function) at the
/// index that `map` gives, brought into `clamp`. The range of the variable may
/// be smaller: the map then speaks only of the points where the value is inside.
struct RuntimeSource {
  unsigned operand = 0;
  IndexingMap map;
  Interval clamp = Interval::all();

  bool operator==(const RuntimeSource &o) const {
    return operand == o.operand && map == o.map && clamp == o.clamp;
  }
};

/// What belongs to one indexing map.
struct MapDetails {
  /// One entry per runtime variable of the map; none where nobody can tell.
  llvm::SmallVector<std::optional<RuntimeSource>, 2> runtime;
  /// From the variables of the map to the position, within its group, of the
  /// replica whose operand is meant. Absent outside of collectives.
  std::optional<IndexingMap> replica;
  /// The groups that positions refer to, as the op writes them.
  Attribute groups;

  /// Whether nothing is said.
  bool isTrivial() const;
  /// `rt0 = operand 1 at ..., replica ...`, for messages and as a sorting key.
  std::string str() const;

  bool operator==(const MapDetails &o) const {
    return runtime == o.runtime && replica == o.replica && groups == o.groups;
  }
};

/// Shared and immutable; null if nothing is said.
using MapDetailsRef = std::shared_ptr<const MapDetails>;

/// Whether both are null or equal.
bool equalDetails(const MapDetailsRef &a, const MapDetailsRef &b);

/// A map with what belongs to it.
struct DetailedMap {
  IndexingMap map;
  MapDetailsRef details;
};

/// One map with the results of the map, then those of all sources and of the
/// replica map.
IndexingMap joinDetails(const DetailedMap &entry);

/// The entry that `joined`, a map with the results of `joinDetails`, stands for:
/// the first `numResults` are the map's, the others those of `shape`'s maps,
/// whose own variables don't matter.
DetailedMap splitDetails(const IndexingMap &joined, unsigned numResults,
                         const MapDetails &shape);

/// first, then second, simplified, without unused symbols. Sources of `second`
/// are composed with `first`, those of `first` are kept. If both have a replica
/// map and the groups differ, unknown (UnsupportedOp); if they agree, the
/// second one counts.
DetailedMap compose(const DetailedMap &first, const DetailedMap &second);

/// The entry with runtime variable `runtime` replaced by `value`, a map from the
/// entry's variables to one number, brought into the source's clamp. Points
/// where that leaves the variable's range are excluded.
DetailedMap substituteRuntime(const DetailedMap &entry, unsigned runtime,
                              const IndexingMap &value);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERFACES_MAPDETAILS_H

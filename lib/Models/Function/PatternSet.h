//===- PatternSet.h - Patterns under construction ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps between a result of a group and one of its values, as numbers of a
// pool, each once, in order of arrival. A set keeps its union exactly:
//
//   1. A map of too many variables or constraints has its window symbols
//      merged.
//   2. A set of too many maps has all of its maps merged, and drops those that
//      lie in another one; from then on each newcomer is compared with all.
//   3. Where that does not help, the set is unknown, reason Budget.
//
// A map with details (sources of runtime variables, a replica map) is held as it
// is, because details refer to its variables in their order. Merging forgets
// sources. What another replica reads is never merged with anything.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_PATTERNSET_H
#define TENSORACCESS_LIB_MODELS_PATTERNSET_H

#include "TensorAccess/Models/Indexing.h"
#include "llvm/ADT/SmallSet.h"

namespace mlir::tensoraccess {

class PatternSet {
public:
  struct Pattern {
    MapPool::Id id;
    bool countsReads = false;
    bool hasMoreSteps = false;
    SmallVector<ReadStep, 0> steps;
    /// The map with its details; null if it has none.
    std::shared_ptr<const DetailedMap> detailed;

    DetailedMap getEntry(const MapPool &pool) const {
      return detailed ? *detailed : DetailedMap{pool[id], nullptr};
    }
    bool hasReplica() const { return detailed && detailed->details->replica; }
    /// Whether both are the same map with the same details.
    bool isSame(const Pattern &o) const;
  };

  /// The pattern of a map; its number is that of the map without details.
  static Pattern getPattern(MapPool &pool, const DetailedMap &entry);

  /// Adds a map; `step`, if not null, is how it came about.
  void insert(MapPool &pool, const IndexingBudget &budget, Pattern pattern,
              const ReadStep *step, Operation *op);
  void setUnknown(IndexingReason why, Operation *op);
  /// Back to an empty, known set.
  void clear() { *this = PatternSet(); }

  bool isUnknown() const { return reason != IndexingReason::None; }
  bool empty() const { return !isUnknown() && patterns.empty(); }
  IndexingReason getReason() const { return reason; }
  Operation *getCulprit() const { return culprit; }
  ArrayRef<Pattern> getPatterns() const { return patterns; }

  IndexingSet getSet(const MapPool &pool) const;
  ValueReads getReads(const MapPool &pool) const;

private:
  Pattern *find(const Pattern &pattern);
  static void merge(MapPool &pool, Pattern &pattern);
  void addStep(Pattern &pattern, const ReadStep *step);
  /// Step 2.
  void compact(MapPool &pool);

  SmallVector<Pattern, 1> patterns;
  /// The numbers of `patterns` without details, once they are many.
  DenseMap<MapPool::Id, unsigned> byId;
  IndexingReason reason = IndexingReason::None;
  Operation *culprit = nullptr;
  /// No pattern lies in another one, and symbols are merged.
  bool isCompact = false;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_PATTERNSET_H

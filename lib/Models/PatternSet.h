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
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_PATTERNSET_H
#define TENSORACCESS_LIB_MODELS_PATTERNSET_H

#include "TensorAccess/Models/Fusion.h"
#include "llvm/ADT/SmallSet.h"

namespace mlir::tensoraccess {

class PatternSet {
public:
  struct Pattern {
    MapPool::Id id;
    bool countsReads;
    bool hasMoreSteps = false;
    SmallVector<ReadStep, 0> steps;
  };

  /// Adds a map; `step`, if not null, is how it came about.
  void insert(MapPool &pool, const IndexingBudget &budget, MapPool::Id id,
              bool countsReads, const ReadStep *step, Operation *op);
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
  Pattern *find(MapPool::Id id);
  void addStep(Pattern &pattern, const ReadStep *step);
  /// Step 2.
  void compact(MapPool &pool);

  SmallVector<Pattern, 1> patterns;
  /// The numbers in `patterns`, once they are many.
  DenseMap<MapPool::Id, unsigned> byId;
  IndexingReason reason = IndexingReason::None;
  Operation *culprit = nullptr;
  /// No pattern lies in another one, and symbols are merged.
  bool isCompact = false;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_PATTERNSET_H

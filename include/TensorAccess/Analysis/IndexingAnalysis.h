//===- IndexingAnalysis.h - Indexing maps of a whole program ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indexing of every op below a root, computed once per distinct signature
// and kept by the AnalysisManager:
//
//   auto &analysis = getAnalysis<IndexingAnalysis>();
//   const OpIndexing &indexing = analysis.getCache().get(op);
//
// and how much of the program has an answer, op kind by op kind.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H
#define TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H

#include "TensorAccess/Models/Indexing.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tensoraccess {

/// How many ops of one kind have an answer.
struct IndexingCounts {
  /// Ops all of whose sets are known, and the others.
  unsigned answered = 0, unknown = 0;
  /// Maps of all those ops, both directions together.
  unsigned maps = 0;
  /// The first reason of each op with an unknown set.
  llvm::SmallMapVector<IndexingReason, unsigned, 2> reasons;

  unsigned ops() const { return answered + unknown; }
};

class IndexingAnalysis {
public:
  explicit IndexingAnalysis(Operation *root);

  /// Counts by op name, in the order in which the names are met.
  const llvm::MapVector<OperationName, IndexingCounts> &getCounts() const {
    return counts;
  }
  /// The sum over all kinds.
  const IndexingCounts &getTotal() const { return total; }
  IndexingCache &getCache() { return cache; }

  /// A table: a line per kind of op, sorted by name, then the total.
  void print(raw_ostream &os) const;

private:
  IndexingCache cache;
  llvm::MapVector<OperationName, IndexingCounts> counts;
  IndexingCounts total;
};

/// Calls `visit` for every op in the functions below (and including) `root`, in
/// order, except those in the bodies of ops that are answered as a whole: the
/// scalar code of a structured op, of tensor.pad, and so on.
void forEachIndexedOp(Operation *root, function_ref<void(Operation *)> visit);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H

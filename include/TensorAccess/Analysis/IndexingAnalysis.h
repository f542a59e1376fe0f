//===- IndexingAnalysis.h - What programs read ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H
#define TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Models/Indexing.h"

#include <map>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Indexing maps of a whole program
//
// The indexing of every op below a root, computed once per distinct signature
// and kept by the AnalysisManager:
//
//   auto &analysis = getAnalysis<IndexingAnalysis>();
//   const OpIndexing &indexing = analysis.getCache().get(op);
//===----------------------------------------------------------------------===//

class IndexingAnalysis {
public:
  explicit IndexingAnalysis(Operation *) {}
  IndexingCache &getCache() { return cache; }

private:
  IndexingCache cache;
};

/// Calls `visit` for every op in the functions below (and including) `root`, in
/// order, except those in the bodies of ops that are handled as a whole: the
/// scalar code of a structured op, of tensor.pad, and so on.
void forEachIndexedOp(Operation *root, function_ref<void(Operation *)> visit);

//===----------------------------------------------------------------------===//
// What fusing would recompute
//
// A fused group computes each element of a result separately, along with
// everything that this element needs. So a value inside is computed once per
// read, and an operand is loaded once per read:
//
//   reads         points (dims and symbols) of all patterns from the results to
//                 the value; equal patterns are one read;
//   unique        different elements of the value that are read at all;
//   multiplicity  reads / unique: how often each element is computed, or
//                 loaded;
//   rereads       reads - unique: what fusing computes (loads) again;
//   utilization   unique / elements of the value.
//
// If patterns were merged to stay within the budget, the group is composed a
// second time within a wider one, only to count reads: the patterns, their
// descriptions and `unique` are those of the first.
//
// All are exact integers, or absent with a reason. p0 + transpose(p0) over
// 1000x1000 has two patterns: 2,000,000 reads, 1,000,000 unique,
// multiplicity 2.
//===----------------------------------------------------------------------===//

/// How often the elements of a value are read.
struct ReadCounts {
  /// Number of patterns; equal ones count once.
  unsigned patterns = 0;
  /// Elements of the value; std::nullopt for a dynamic shape.
  std::optional<uint64_t> elements;
  std::optional<uint64_t> reads, unique;
  /// Why `reads` or `unique` is std::nullopt; empty if both are known.
  std::string reason;
  /// The op that hides the patterns, or null.
  Operation *culprit = nullptr;

  std::optional<uint64_t> rereads() const {
    return reads && unique ? std::optional(*reads - *unique) : std::nullopt;
  }
};

/// A value of a group.
struct ValueFusion {
  Value value;
  ReadCounts counts;
  /// For each pattern, how the results reach the value: `directly`,
  /// `through linalg.reduce (maximumf over d2)`.
  SmallVector<std::string, 1> paths;
  /// All patterns, equal ones once; parallel to `paths`.
  SmallVector<IndexingMap, 1> maps;
};

/// A group, and how it reads every value.
struct GroupFusion {
  FusionGroup group;
  FusionIndexing indexing;
  /// In the order of the group's operands.
  SmallVector<ValueFusion> operands;
  /// The results of the group's ops, in program order; without those that need
  /// no operands (constants) and those that the results do not read.
  SmallVector<ValueFusion> producers;
  /// Sums over `producers`: elements computed in the fused group, and elements
  /// needed. std::nullopt if any of them is.
  std::optional<uint64_t> computed, needed;
};

class FusionAnalysis {
public:
  /// Steps of a search for one count; beyond it, the count is std::nullopt.
  static constexpr uint64_t kDefaultCountBudget = 1u << 16;

  explicit FusionAnalysis(IndexingBudget budget = {},
                          uint64_t countBudget = kDefaultCountBudget)
      : cache(budget), wide(widen(budget)), countBudget(countBudget) {}

  IndexingCache &getCache() { return cache; }

  /// How a group reads its operands and computes its values.
  GroupFusion analyze(FusionGroup group);
  /// How often `consumer` alone, computing all of its results, reads `value`:
  /// what fusing the producer of `value` into it would compute.
  ReadCounts analyzeEdge(Value value, Operation *consumer);
  /// How often all uses of one operand of an op read it.
  ReadCounts analyzeOperand(OpOperand &operand);

  /// Counts for a list of maps into a value of `type`; equal maps count as one.
  /// `countsReads` as in ReadPattern.
  ReadCounts count(ArrayRef<IndexingMap> maps, Type type,
                   bool countsReads = true);

private:
  static IndexingBudget widen(IndexingBudget budget);
  /// Points of all patterns of a value of `indexing`, which comes from `wide`;
  /// std::nullopt if they were merged there, too.
  std::optional<uint64_t> countWideReads(const FusionIndexing &indexing,
                                         unsigned numResults, Value value);
  ReadCounts countOperands(Operation *op, ArrayRef<unsigned> operands);
  /// `isMerged` is set if patterns of the value were merged.
  ValueFusion describe(const GroupFusion &fusion, Value value, bool &isMerged);
  /// Ops on the way from a value to a result, the first kMaxNamed of each kind.
  struct Way {
    SmallVector<std::string, 1> ranging, moving;
  };
  /// The most ops that the description of one path names.
  static constexpr unsigned kMaxNamed = 3;
  /// The way along the first steps, each of which is visited once per group.
  Way getWay(const FusionIndexing &indexing, unsigned result,
             const ReadPattern &pattern);
  void prepend(const ReadStep &step, Way &way);
  std::string describePath(const FusionIndexing &indexing, unsigned result,
                           const ReadPattern &pattern);
  std::string describeReader(const ReadStep &step, bool &isNotable,
                             bool &hasSymbols);

  IndexingCache cache, wide;
  uint64_t countBudget;
  /// By number in the pool of `cache` and of `wide`.
  llvm::DenseMap<MapPool::Id, std::optional<uint64_t>> points, widePoints;
  std::map<std::vector<MapPool::Id>, std::optional<uint64_t>> unions;
  /// By pattern of the group being analysed.
  llvm::DenseMap<const ReadPattern *, Way> ways;
};

/// The elements of a type; std::nullopt if it has none, or a dynamic shape.
std::optional<uint64_t> countElements(Type type);
/// The bytes of one element of a type, rounded up to whole ones; std::nullopt
/// if it has no fixed size.
std::optional<uint64_t> getElementBytes(Type type);

/// An op of `function` by name, and by number if there are several:
/// `linalg.reduce`, `linalg.reduce#1` (from 0, in program order). Null and
/// `error` if there is none.
Operation *findOp(FunctionOpInterface function, StringRef name,
                  std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H

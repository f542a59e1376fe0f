//===- IndexingAnalysis.h - What programs read ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H
#define TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H

#include "TensorAccess/Core/Coalescing.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/MemoryPlaces.h"
#include "TensorAccess/IR/AccessForm.h"
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
/// order, except those in the bodies of ops that are answered as a whole: the
/// scalar code of a structured op, of tensor.pad, and so on.
void forEachIndexedOp(Operation *root, function_ref<void(Operation *)> visit);

//===----------------------------------------------------------------------===//
// What fusing would recompute
//
// A fused group computes each element of a result by itself, and on the way
// everything that this element needs. So a value inside is computed once per
// read, and an operand is loaded once per read:
//
//   reads         points (dims and symbols) of all patterns from the results to
//                 the value; equal patterns are one read;
//   unique        different elements of the value that are read at all;
//   multiplicity  reads / unique: how often each element is computed, or
//   loaded; rereads       reads - unique: what fusing computes (loads) again;
//   utilization   unique / elements of the value.
//
// Where patterns were merged to stay within the budget, the group is composed a
// second time within a wider one, only to count reads: the patterns, their
// descriptions and `unique` are those of the first.
//
// All are exact integers, or none with a reason. p0 + transpose(p0) over
// 1000x1000 has two patterns: 2,000,000 reads, 1,000,000 unique,
// multiplicity 2.
//===----------------------------------------------------------------------===//

/// How often the elements of a value are read.
struct ReadCounts {
  /// Patterns, equal ones once.
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
  /// Pattern by pattern, how the results get to the value: `directly`,
  /// `through linalg.reduce (maximumf over d2)`.
  SmallVector<std::string, 1> paths;
  /// All patterns, equal ones once, with `paths`.
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
  /// Sums over `producers`: elements computed in the fused group, and needed.
  /// std::nullopt if one of them is.
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

  /// Counts for a list of maps into a value of `type`; equal maps are one.
  /// `countsReads` as in ReadPattern.
  ReadCounts count(ArrayRef<IndexingMap> maps, Type type,
                   bool countsReads = true);

private:
  static IndexingBudget widen(IndexingBudget budget);
  /// Points of all patterns of a value of `indexing`, which is of `wide`;
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
  /// Ops that the description of one path names at most.
  static constexpr unsigned kMaxNamed = 3;
  /// The way along the first steps, each of which is looked at once a group.
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
  /// By pattern of the group that is analysed.
  llvm::DenseMap<const ReadPattern *, Way> ways;
};

/// The bytes of one element of a type, rounded up to whole ones; std::nullopt
/// if it has no fixed size.
std::optional<uint64_t> getElementBytes(Type type);

/// An op of `function` by name, and by number where there are several:
/// `linalg.reduce`, `linalg.reduce#1` (from 0, in program order). Null and
/// `error` if there is none.
Operation *findOp(FunctionOpInterface function, StringRef name,
                  std::string &error);

//===----------------------------------------------------------------------===//
// How programs move memory
//
// Two questions about coalescing (Core's Coalescing.h):
//
// How does a load or store move memory? Its map from loops and GPU ids to
// elements is taken as it is. The *lane* is
//
//   1. the GPU's thread, numbered x + sx·(y + sy·z), if thread ids occur; else
//   2. the lane id, or the global id x, if they occur; else
//   3. nothing, for ops on vectors: a vector is one access; else
//   4. the innermost loop, if it has step 1: the one that would be vectorized.
//
// A buffer begins at the beginning of a transaction.
//
// How would an op on tensors read its operands, if threads were mapped to
// elements in a given way? A *thread map* has the lane as dim 0, symbols for
// what one thread reads at once, and the index of an element as results: of the
// result (the default is consecutive lanes over its elements, in the order of
// its layout), or of an operand. It is composed with the op's maps.
//===----------------------------------------------------------------------===//

/// The machine.
struct CoalescingModel {
  /// Lanes that access memory at once.
  int64_t lanes = 32;
  int64_t transactionBytes = 128;
};

/// What a load or store moves.
struct AccessCoalescing {
  MemoryAccess access;
  /// std::nullopt if `reason` says why.
  std::optional<Coalescing> value;
  std::string reason;
  /// `thread`, `thread_x`, `lane`, `global_x`, `i1`; empty if there is none.
  std::string lane;
  /// For a buffer in a memory with banks: what serves its accesses,
  /// std::nullopt if that is not known; and the name of the memory.
  std::optional<BankConflicts> banks;
  std::string space;
};

AccessCoalescing getCoalescing(MemoryAccess access,
                               const CoalescingModel &model = {});

/// All memory accesses at and below `root`, in order.
std::vector<AccessCoalescing>
getMemoryCoalescing(Operation *root, const CoalescingModel &model = {});

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Which elements lanes run over.
enum class ThreadPlan : uint8_t {
  Auto,    ///< chosen by the maps, see chooseThreadPlan
  Output,  ///< consecutive elements of the result
  Input,   ///< consecutive elements of the operand
  Columns, ///< `lanes` neighbours of a row of the result; rows are not crossed
  Given,   ///< a thread map of the user's
};

/// `output`, `input`, `columns`, `given`, `auto`.
StringRef describe(ThreadPlan plan);

struct ReadOptions {
  CoalescingModel model;
  ThreadPlan plan = ThreadPlan::Auto;
  /// Elements that a thread reads at once.
  int64_t vector = 1;
  /// Threads of a block, a multiple of the lanes. No figure depends on it.
  int64_t threads = 128;
  /// From (lane, …)[vector] to an index of the result; overrides `plan`.
  std::optional<IndexingMap> threadMap;
};

/// How one operand is read for one result.
struct OperandCoalescing {
  unsigned result = 0, operand = 0;
  ThreadPlan plan = ThreadPlan::Output;
  /// std::nullopt if `reason` says why. Where an operand is read through
  /// several maps, their sum.
  std::optional<Coalescing> value;
  std::string reason;
};

/// A tensor: shape, layout, width.
struct TensorPlace {
  /// With `places`, only the shape and the order of its dimensions in memory.
  Layout layout;
  /// By a strided or linear encoding.
  std::optional<MemoryPlaces> places;
  int64_t elementBits = 0;

  /// std::nullopt for anything but a static tensor or a scalar. A layout in the
  /// encoding counts, tiled, strided or linear; other tensors are row-major.
  static std::optional<TensorPlace> get(Operation *scope, Type type);
};

struct ThreadChoice {
  ThreadPlan plan = ThreadPlan::Output;
  /// Columns: the elements of a row; 0 means the minor dimension.
  int64_t row = 0;
};

/// The plan that a code generator for GPUs would take to read an operand, by
/// the map from the result to it:
///
///   1. A permutation that moves the minor dimension of the operand, where that
///      and the result's have 16 elements or more, is done tile by tile through
///      shared memory: both sides are accessed in their own order. *Input.*
///   2. A reduction of the minor dimensions, of r elements in all: a warp reads
///      a row where r is at least `lanes`, and several rows where r divides it.
///      *Input.*
///   3. A reduction of dimensions of r elements in all dimensions before minor
///      ones of k elements: threads own columns. Where k is at least `lanes`,
///      *Columns*; else, a block reads a stretch of the operand: *Input*.
///      Unless r is small: below `lanes`, or below 2, 4, 8 times that where k
///      is below `lanes`, 8, 3.
///   4. All else, and whatever is read in no such way. *Output.*
ThreadChoice chooseThreadPlan(const IndexingMap &map, const TensorPlace &result,
                              const TensorPlace &operand, int64_t lanes);

/// The thread map of a plan (not Auto, not a map of the user's): from (lane,
/// block)[vector] to an index of the tensor, masked where there is no element.
IndexingMap getThreadMap(const TensorPlace &tensor, ThreadChoice choice,
                         const ReadOptions &options);

/// How an op, or a function as one kernel, reads its operands: one entry per
/// pair of a result and an operand that is read for it.
SmallVector<OperandCoalescing> getReadCoalescing(const OpIndexing &indexing,
                                                 ArrayRef<TensorPlace> results,
                                                 ArrayRef<TensorPlace> operands,
                                                 const ReadOptions &options);

/// The same for an op or a function. An attribute `tensoraccess.thread_map` on
/// it, an indexing map, is the thread map. Empty if a result or operand is
/// neither a static tensor nor a scalar.
SmallVector<OperandCoalescing> getReadCoalescing(Operation *op,
                                                 IndexingCache &cache,
                                                 ReadOptions options = {});

//===----------------------------------------------------------------------===//
// Where values are known to be zero
//
// Padding makes zeros, and zeros move. For every tensor and access pattern of a
// static shape this says, axis by axis, which slices are zero all through:
//
//   %1 = tensoraccess.pad %0 low = [1, 1] high = [1, 2] value = 0.0 : f32
//      : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 8xf32>
//
// is zero where its first index is in [0, 0] or [4, 4], and where its second
// one is in [0, 0] or [6, 7].
//
// A region is a promise: each element in it equals zero when the program runs.
// Its sign is left open, since -0 and +0 are equal, and negative(+0) = -0.
//
//   views      from the canonical form (IR/AccessForm.h): slices that no piece
//              reads that might be something else. As exact as the form is.
//   tensor.pad of static amounts, constants, linalg.fill of zero
//   compute    a sum, mean or maximum of zeros is zero, and so are relu, sqrt
//              and negative of zero; a product is zero where all factors are.
//
// A product with *one* factor that is zero is zero for integers. For floats it
// is so only if the other factors are finite, since 0·inf and 0·NaN are NaN:
// such regions are claimed under `assumeFinite` alone, which assumes that no
// value in the program is infinite or NaN. softmax, floating-point division and
// accelerators promise nothing.
//===----------------------------------------------------------------------===//

/// Inclusive intervals, ascending, with a gap between any two.
using IntervalSet = SmallVector<Interval, 2>;

/// `[0, 0] [6, 7]`; empty for no interval.
std::string toString(const IntervalSet &set);

/// Zero slices of one value: if an interval of axes[k] contains i, all elements
/// of index i in dimension k are zero.
struct ZeroRegion {
  SmallVector<IntervalSet, 4> axes;

  /// True if nothing is known to be zero.
  bool isNone() const {
    return llvm::all_of(axes, [](const IntervalSet &s) { return s.empty(); });
  }
  bool operator==(const ZeroRegion &o) const { return axes == o.axes; }
};

struct ZeroOptions {
  /// Assume that no value is infinite or NaN.
  bool assumeFinite = false;
};

/// The zero regions of all values under an operation. Linear in its size.
class ZeroRegions {
public:
  explicit ZeroRegions(Operation *root, ZeroOptions options = {});

  /// The region of a value under the root; null if nothing is known to be
  /// zero. A value without dimensions has no axes, hence no region.
  const ZeroRegion *get(Value value) const;
  /// The same for a view that has been made of the values under the root:
  /// sources and constants as `forms` numbers them.
  ZeroRegion get(const CanonicalAccess &access) const;
  AccessForms &getForms() { return forms; }

private:
  ZeroRegion visit(Operation *op, Value result);
  ZeroRegion visitCompute(ComputeOp op);
  ZeroRegion visitTensorOp(Operation *op);

  ZeroOptions options;
  AccessForms forms;
  llvm::DenseMap<Value, ZeroRegion> regions;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_INDEXINGANALYSIS_H

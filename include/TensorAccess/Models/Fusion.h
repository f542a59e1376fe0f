//===- Fusion.h - What a group of ops reads as a whole ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *fusion group* is a set of ops of one block that are computed together:
// some values (its *results*), the ops that produce them, the producers of
// those as far as one likes, and the values where that ends (its *operands*).
// The body of a function is such a group, with the arguments as operands.
//
//   auto group = FusionGroup::get({softmax}, [](Operation *op) {
//     return op->getName().getStringRef() != "linalg.matmul";
//   });
//   FusionIndexing fusion = getFusionIndexing(cache, group);
//   fusion.indexing.outputToInput(0, 0);       // result 0, operand 0
//   fusion.getReads(value, 0)->patterns;       // of a value inside
//
// For a result and a value the *patterns* are indexing maps from the result's
// indices to the value's. Each is a way in which the fused code reads the
// value; paths that end in the same map share one. Within the budget every
// pattern is kept as it was composed: a point of a map's dims and symbols is a
// read. Beyond it, window symbols are merged and patterns that lie in others
// are absorbed. That keeps the union exactly, but it no longer counts reads,
// which the pattern says (`countsReads`).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_MODELS_FUSION_H
#define TENSORACCESS_MODELS_FUSION_H

#include "TensorAccess/Models/Indexing.h"

namespace mlir::tensoraccess {

/// Ops of one block that are computed together.
class FusionGroup {
public:
  /// The producers of `results` for which `isInside` holds, and theirs, and so
  /// on, within the block of the results' ops; null means all. All results must
  /// be in one block (or be its arguments), else none. An op of which nothing
  /// leads to a result is not part of the group.
  static std::optional<FusionGroup>
  get(ArrayRef<Value> results,
      function_ref<bool(Operation *)> isInside = nullptr);
  /// The body of a function: its results are what it returns, its operands all
  /// its arguments. None if it has no body of one block that ends in a return.
  static std::optional<FusionGroup> get(FunctionOpInterface function);

  ArrayRef<Value> getResults() const { return results; }
  /// In the order of the function's arguments, or of first use.
  ArrayRef<Value> getOperands() const { return operands; }
  /// In program order.
  ArrayRef<Operation *> getOps() const { return ops; }
  /// Whether this is the body of a function, and the operands its arguments.
  bool isWholeFunction() const { return wholeFunction; }

private:
  void collect(function_ref<bool(Operation *)> isInside);

  SmallVector<Value> results, operands;
  SmallVector<Operation *> ops;
  bool wholeFunction = false;
};

/// One step by which a pattern came about: the op that reads the value, and the
/// pattern of its result that this read belongs to.
struct ReadStep {
  Operation *op = nullptr;
  unsigned result = 0, operand = 0;
  /// Index into the patterns of the op's result (for the same root).
  unsigned pattern = 0;
};

/// A way in which the elements of a result read those of a value.
struct ReadPattern {
  IndexingMap map;
  /// Each point of the map's dims and symbols is one read. False once symbols
  /// were merged or another pattern was absorbed.
  bool countsReads = true;
  /// The paths that ended here, at most kMaxSteps of them; empty for a result
  /// itself.
  SmallVector<ReadStep, 1> steps;
  /// More paths than steps.
  bool hasMoreSteps = false;

  static constexpr unsigned kMaxSteps = 4;
};

/// All patterns between a result and a value, in order of arrival.
struct ValueReads {
  SmallVector<ReadPattern, 1> patterns;
  /// None if they are all known.
  IndexingReason reason = IndexingReason::None;
  /// Unknown: the op that could not be seen through; null if it was the type
  /// of a result, or a limit.
  Operation *culprit = nullptr;

  bool isUnknown() const { return reason != IndexingReason::None; }
};

/// What `getFusionIndexing` finds.
struct FusionIndexing {
  /// Results by operands of the group, both directions.
  OpIndexing indexing;
  /// Where a set of `indexing` is unknown: the op that caused it, as in
  /// ValueReads; by result * number of operands + operand.
  SmallVector<Operation *> culprits;
  /// All patterns of all operands count reads.
  bool countsReads = true;

  /// The patterns between result number `result` and a value of the group; null
  /// if the result does not read the value. Only if asked for (`keepReads`).
  const ValueReads *getReads(Value value, unsigned result) const {
    auto it = reads.find({value, result});
    return it == reads.end() ? nullptr : &it->second;
  }

  llvm::DenseMap<std::pair<Value, unsigned>, ValueReads> reads;
};

struct FusionOptions {
  /// Also from operands to results.
  bool inputToOutput = true;
  /// Keep the patterns of every value, and how they came about.
  bool keepReads = false;
};

/// Composes the indexing of the ops of a group. Linear in their number, for a
/// fixed number of results and bounded sets; compositions are remembered by the
/// cache, so that equal layers cost once.
FusionIndexing getFusionIndexing(IndexingCache &cache, const FusionGroup &group,
                                 FusionOptions options = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_MODELS_FUSION_H

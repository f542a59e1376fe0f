//===- Streamer.h - Columns of values ---------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Stream.cpp (ops and functions) and StreamLoops.cpp (loops) share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_STREAMER_H
#define TENSORACCESS_LIB_CUT_STREAMER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include <map>

namespace mlir::tensoraccess {

/// A value of the function of which the state has columns, or that a loop carries.
struct Kept {
  Value value;
  unsigned dim = 0;
  /// The first index of the history; none for a cache.
  std::optional<int64_t> first;
  int64_t count = 0;
  Type type;
  /// What a loop carries from one trip to the next; it begins with a value of the
  /// function, with a constant, or with what is never read.
  bool isCarried = false;
  Value initial;
  TypedAttr begin;
  /// In @step.
  Value before, after;
  /// What reads it.
  Operation *reader = nullptr;

  bool isCache() const { return !first && !isCarried; }
};

/// A loop whose trips are made of columns.
struct Scope {
  Operation *loop;
  /// In @step.
  Operation *made;
  /// What of the carried the body asked for, and along which dimension.
  SmallVector<std::pair<unsigned, unsigned>> asked;
};

class Streamer {
public:
  Streamer(func::FuncOp function, ArrayRef<std::pair<unsigned, unsigned>> axes,
           int64_t step, bool inPlace)
      : function(function), axes(axes), step(step), inPlace(inPlace),
        builder(function.getContext()) {}

  LogicalResult run();

private:
  friend class LoopStreamer;
  friend class TreeStreamer;

  LogicalResult make();
  bool depends(Value value);
  std::optional<unsigned> getAxis(Value value);
  LogicalResult fail(Operation *op, const Twine &message);

  FailureOr<Value> getColumns(Value value, unsigned dim, int64_t shift,
                              Operation *reader);
  FailureOr<Value> makeColumns(Value value, unsigned dim, int64_t shift,
                               Operation *reader);
  /// Indices [p + first, p + first + count) of a value.
  FailureOr<Value> getSpan(Value value, unsigned dim, int64_t first,
                           int64_t count, Operation *reader);
  FailureOr<Value> getWhole(Value value, Operation *reader);
  FailureOr<Value> makeWhole(Value value, Operation *reader);
  bool comesFromLess(Value value);
  FailureOr<Value> cutOp(OpResult result, unsigned dim, int64_t shift);
  FailureOr<Value> cutMovingSlice(OffsetSizeAndStrideOpInterface slice,
                                  unsigned dim, int64_t shift);
  /// Columns of what a loop makes, one a trip (StreamLoops.cpp).
  FailureOr<Value> cutLoop(OpResult result, unsigned dim);
  /// Columns of what a loop over something else makes (StreamAcross.cpp).
  FailureOr<Value> cutAcross(OpResult result, unsigned dim);
  LogicalResult makeAcross(Scope &scope, const llvm::BitVector &isDependent,
                           const llvm::MapVector<unsigned, unsigned> &dims);
  llvm::BitVector findDependent(Operation *loop);
  void forget(Operation *loop);
  bool isInScope(Value value) const;
  /// Ops that make a value from outside of a loop go in front of it.
  void moveTo(Value value);
  void askFor(BlockArgument argument, unsigned dim);
  /// Columns of an associative scan (StreamTrees.cpp).
  FailureOr<Value> cutTree(OpResult result, unsigned dim);
  Value emitMovingSlice(Value from, unsigned dim, Value first, int64_t count);
  Value emitInsert(Value part, Value into, unsigned dim, OpFoldResult at);

  void dropUnread(ArrayRef<Value> results);
  LogicalResult proveCaches();
  void makeInit();

  int64_t getSize(Value value, unsigned dim) const {
    return cast<RankedTensorType>(value.getType()).getDimSize(dim);
  }

  func::FuncOp function, stepFunction;
  ArrayRef<std::pair<unsigned, unsigned>> axes;
  const int64_t step;
  const bool inPlace;
  int64_t length = 0;
  OpBuilder builder;
  Value position;
  /// The type of the number of elements that were made; null where it is not kept.
  RankedTensorType countType;
  /// Arguments of the function in @step.
  IRMapping arguments;
  DenseMap<Value, bool> dependent;
  std::map<std::tuple<void *, unsigned, int64_t>, Value> columns;
  DenseMap<Value, Value> wholes;
  SmallVector<Kept> kept;
  /// From the outermost.
  SmallVector<Scope> scopes;
  /// The dimension of each result along which it is a sequence; none for one that
  /// does not depend on the sequences.
  SmallVector<std::optional<unsigned>> resultDims;
  /// The first that was found, where nothing else works.
  Operation *culprit = nullptr;
  std::string reason;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_STREAMER_H

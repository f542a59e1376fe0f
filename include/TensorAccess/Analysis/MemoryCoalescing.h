//===- MemoryCoalescing.h - How programs move memory ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_MEMORYCOALESCING_H
#define TENSORACCESS_ANALYSIS_MEMORYCOALESCING_H

#include "TensorAccess/Core/Coalescing.h"
#include "TensorAccess/Core/MemoryPlaces.h"
#include "TensorAccess/Models/Indexing.h"

namespace mlir::tensoraccess {

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
// A buffer begins at a transaction boundary.
//
// How would an op on tensors read its operands, if threads were mapped to
// elements in a given way? A *thread map* has the lane as dim 0, symbols for
// what one thread reads at once, and as results the index of an element: of the
// result (the default is consecutive lanes over its elements, in the order of
// its layout), or of an operand. It is composed with the op's maps.
//===----------------------------------------------------------------------===//

/// The machine's parameters.
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
  /// `thread`, `thread_x`, `lane`, `global_x`, `i1`; empty if none exists.
  std::string lane;
  /// For a buffer in a memory with banks: the cost of serving its accesses,
  /// std::nullopt if unknown; and the name of the memory.
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
  /// Threads of a block, a multiple of the lanes. The results do not depend on
  /// it.
  int64_t threads = 128;
  /// From (lane, …)[vector] to an index of the result; overrides `plan`.
  std::optional<IndexingMap> threadMap;
};

/// How one operand is read for one result.
struct OperandCoalescing {
  unsigned result = 0, operand = 0;
  ThreadPlan plan = ThreadPlan::Output;
  /// std::nullopt if `reason` says why. If an operand is read through several
  /// maps, their sum.
  std::optional<Coalescing> value;
  std::string reason;
};

/// A tensor: shape, layout, width.
struct TensorPlace {
  /// With `places`, only its shape and order of dimensions in memory are valid.
  Layout layout;
  /// By a strided or linear encoding.
  std::optional<MemoryPlaces> places;
  int64_t elementBits = 0;

  /// std::nullopt for anything but a static tensor or a scalar. A layout in the
  /// encoding is used, whether tiled, strided or linear; other tensors are
  /// row-major.
  static std::optional<TensorPlace> get(Operation *scope, Type type);
};

struct ThreadChoice {
  ThreadPlan plan = ThreadPlan::Output;
  /// Columns: the elements of a row; 0 means the minor dimension.
  int64_t row = 0;
};

/// The plan by which a GPU code generator would read an operand, from the map
/// from the result to it:
///
///   1. A permutation that moves the minor dimension of the operand, if that
///      and the result's have 16 elements or more, is done tile by tile through
///      shared memory: both sides are accessed in their own order. *Input.*
///   2. A reduction of the minor dimensions, of r elements in all: a warp reads
///      a row if r is at least `lanes`, and several rows if r divides it.
///      *Input.*
///   3. A reduction of dimensions of r elements in all that precede minor ones
///      of k elements: threads own columns. If k is at least `lanes`,
///      *Columns*; else, a block reads a stretch of the operand: *Input*.
///      Unless r is small: below `lanes`, or below 2, 4, 8 times that if k is
///      below `lanes`, 8, 3.
///   4. Everything else, including values read in other ways. *Output.*
ThreadChoice chooseThreadPlan(const IndexingMap &map, const TensorPlace &result,
                              const TensorPlace &operand, int64_t lanes);

/// The thread map of a plan (not Auto, not a user's map): from (lane,
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
/// it, an indexing map, overrides the thread map. Empty if a result or operand
/// is neither a static tensor nor a scalar. `indexing`, if given, is what is
/// read.
SmallVector<OperandCoalescing>
getReadCoalescing(Operation *op, IndexingCache &cache, ReadOptions options = {},
                  const OpIndexing *indexing = nullptr);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_MEMORYCOALESCING_H

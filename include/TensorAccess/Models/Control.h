//===- Control.h - What branches and loops read -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indexing of `if`, `case`, `while` and their like, of StableHLO, TOSA and
// scf: what any run of their regions may read.
//
// A branch: what any of them reads, and operand 0 that chooses.
//
// A loop: its state has elements (T, i), the value i after T trips. The body is
// a map from (T, i) to (T - 1, j), where a counter is a form over T. What the
// results read is the closure of that, from T = the number of trips to T = 0:
//
//   - elements that a trip leaves as they were, under a condition that holds for
//     consecutive trips, stay so from the first to the last of them. That is how
//     `ys[t] = f(xs[t])` reads nothing of what ys was;
//   - of state that depends on itself in other ways (and of components that
//     depend on each other), each element may depend on what any number of trips
//     leads to, up to all of them.
//
// The first is exact. The second is a hull over trips, exact where a trip reads
// the same whichever it is, and a few read what any more of them do, as of a
// recurrent cell; maps that keep growing become all elements.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_MODELS_CONTROL_H
#define TENSORACCESS_MODELS_CONTROL_H

#include "TensorAccess/Models/Indexing.h"

namespace mlir::tensoraccess {

struct ControlIndexing {
  OpIndexing indexing;
  std::vector<CapturedRead> captured;
  /// Of the results of a loop: whether its maps may hold more than is read.
  SmallVector<char> isHull;
};

/// A number that each trip moves by a step: `first` in the first one.
struct Counter {
  /// Argument of the body.
  unsigned argument = 0;
  int64_t first = 0, step = 0;
};

struct Loop {
  Block *body = nullptr, *condition = nullptr;
  /// The first operand, and the first argument of the body, that is state.
  unsigned operand = 0, argument = 0;
  unsigned numStates = 0;
  std::optional<Counter> counter;
  std::optional<int64_t> trips;

  /// The numbers that the counter has, which there is.
  Interval getCounterRange() const {
    const int64_t last =
        counter->first + std::max<int64_t>(*trips - 1, 0) * counter->step;
    return {std::min(counter->first, last), std::max(counter->first, last)};
  }
};

/// std::nullopt for other ops, and for loops in a form that is not known here.
std::optional<Loop> getLoop(Operation *op);

/// What a region's results read: arguments of its block, then captured values.
struct RegionReads {
  SmallVector<Value> operands;
  OpIndexing indexing;
  /// The runtime variable of the maps that counts trips, from 0, if they have
  /// one.
  std::string trip;
  /// Of results: whether maps may hold more than is read; empty if none does.
  SmallVector<char> isHull;
};

/// None for an op that is not a branch or loop in a form that is known here.
std::optional<ControlIndexing> getControlIndexing(Operation *op,
                                                  IndexingCache &cache);

/// The same for a loop of which is known what a trip reads: the indexing of its
/// body, or less. std::nullopt if a state has no indices.
std::optional<ControlIndexing> getLoopIndexing(Operation *op, const Loop &loop,
                                               const RegionReads &body,
                                               IndexingCache &cache);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_MODELS_CONTROL_H

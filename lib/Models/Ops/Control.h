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
// The first is exact. The second is a hull over trips, exact in the places where
// the body's maps meet themselves; maps that keep growing become all elements.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_CONTROL_H
#define TENSORACCESS_LIB_MODELS_CONTROL_H

#include "TensorAccess/Models/Indexing.h"

namespace mlir::tensoraccess {

struct ControlIndexing {
  OpIndexing indexing;
  std::vector<CapturedRead> captured;
};

/// None for an op that is not a branch or loop in a form that is known here.
std::optional<ControlIndexing> getControlIndexing(Operation *op,
                                                  IndexingCache &cache);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_CONTROL_H

//===- Move.h - Moves of elements in memory ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_RUNTIME_MOVE_H
#define TENSORACCESS_LIB_RUNTIME_MOVE_H

#include "Kernels.h"
#include "TensorAccess/Runtime/Runtime.h"

namespace tensoraccess_runtime {

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
inline int64_t alignTo(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

/// Bytes that a nest works in, aligned to a cache line.
constexpr int64_t kScratchBytes = 192 << 10;

struct Context : Move {
  const Kernels *kernels = nullptr;
  uint8_t *scratch = nullptr;
};

/// Moves the elements of a nest and writes zeros where it pads.
void runBox(const Box &box, const Context &context);

/// Does all boxes at once, writing from the first byte of the target to the
/// last; false, and nothing done, where their elements in that order don't come
/// in runs, or where other ways are better.
bool streamBoxes(const Context &context);

} // namespace tensoraccess_runtime

#endif // TENSORACCESS_LIB_RUNTIME_MOVE_H

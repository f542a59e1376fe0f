//===- Move.h - Moves of elements in memory ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_RUNTIME_MOVE_H
#define TENSORACCESS_LIB_RUNTIME_MOVE_H

#include "MoveLoops.h"
#include "TensorAccess/Runtime/Runtime.h"

namespace tensoraccess_runtime {

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
inline int64_t alignTo(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

/// Bytes that a nest works in, aligned to a cache line.
constexpr int64_t kScratchBytes = 192 << 10;

struct Context : Move {
  const MoveLoops *moveLoops = nullptr;
  uint8_t *scratch = nullptr;
};

/// Moves the elements of a nest and writes zeros where it pads.
void runBox(const Box &box, const Context &context);

/// Does all boxes at once, writing from the first byte of the target to the
/// last; false, and nothing done, where their elements in that order don't come
/// in runs, or where other ways are better.
bool streamBoxes(const Context &context);

/// Whether rows in that pitch fall on few places of caches and of memory.
inline bool collides(int64_t pitch) { return pitch % 2048 == 0; }

/// Of a transposition from memory to memory, as TransposeFn takes it, how many
/// of the columns, from the first on, transposeInLines takes: 0 if target rows
/// do not begin at lines, are not whole lines or are short, if the source has
/// few columns and no gaps between its rows, and for elements below 4 bytes.
/// `log` is log2 of an element's bytes, 0 to 3.
int64_t getColumnsInLines(int log, const uint8_t *target, int64_t targetPitch,
                          int64_t sourcePitch, int64_t rows, int64_t columns);

/// Transposes the columns that getColumnsInLines counts, by non-temporal stores
/// from registers. Reads and writes nothing else.
void transposeInLines(const MoveLoops &moveLoops, int log, uint8_t *target,
                      int64_t targetPitch, const uint8_t *source,
                      int64_t sourcePitch, int64_t rows, int64_t columns);

} // namespace tensoraccess_runtime

#endif // TENSORACCESS_LIB_RUNTIME_MOVE_H

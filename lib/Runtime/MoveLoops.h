//===- MoveLoops.h - Inner loops of moves -----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a move does with bytes, once per instruction set. All pitches and
// sizes are in bytes unless said otherwise; no pointer needs to be aligned
// unless said otherwise; nothing outside of the given rows is read
// or written.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_RUNTIME_MOVELOOPS_H
#define TENSORACCESS_LIB_RUNTIME_MOVELOOPS_H

#include "TensorAccess/Runtime/Runtime.h"

namespace tensoraccess_runtime {

/// `source` has `rows` rows of `columns` elements; `target` gets them as
/// `columns` rows of `rows` elements.
using TransposeFn = void (*)(uint8_t *target, int64_t targetPitch,
                             const uint8_t *source, int64_t sourcePitch,
                             int64_t rows, int64_t columns);
/// Where a target is written line by line, in the order of its addresses.
struct LineWriter {
  /// The next line, and how many bytes of it are in `bytes`.
  uint8_t *line;
  int64_t filled;
  /// How many bytes of the first line are not the target's; 0 once it is
  /// written.
  int64_t skipped;
  /// What to prefetch: a line for each that is written.
  uintptr_t ahead;
  /// If it is not 0, `ahead` is so far from each run's begin.
  int64_t distance;
  /// Lines of the rows that follow, the second one first, each as far into its
  /// line as the first row is: pourSplit puts them here, in steps of a pitch.
  uint8_t *aside;
  int64_t asidePitch;
  alignas(kLine) uint8_t bytes[kLine];
};

/// Writes `count` runs of `bytes` bytes (of the target) each, `pitch` bytes
/// from one to the next in the source, but for what is left of the last line.
/// Reads up to kPourReach bytes before the first element of a run and after
/// its last.
using PourFn = void (*)(LineWriter &writer, const uint8_t *source,
                        int64_t pitch, int64_t count, int64_t bytes,
                        int64_t rowPitch);
constexpr int64_t kPourReach = 5 * kLine;

/// log2 of an element's bytes, at most 3.
inline int getLog(int64_t bytes) {
  return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

/// Arrays are indexed by `getLog` of an element's bytes.
struct MoveLoops {
  const char *name;
  TransposeFn transpose[4];
  /// Rows are 2, 4, … at most 16 bytes' worth of elements, and the target's
  /// pitch is just that.
  TransposeFn interleave[4];
  /// The converse: so are the columns, and the source's pitch.
  TransposeFn deinterleave[4];
  /// The same by non-temporal stores, to targets that are aligned to lines, in
  /// pitches that are (interleave: as a whole). transposeLines wants rows of
  /// whole lines, transposeAround rows of 32 bytes at addresses that are
  /// aligned to as much; both at least 16 bytes' worth of columns.
  TransposeFn transposeLines[4];
  TransposeFn transposeAround[4];
  TransposeFn interleaveAround[4];
  TransposeFn deinterleaveAround[4];
  /// Copies; the whole lines of the target by non-temporal stores.
  void (*stream)(uint8_t *target, const uint8_t *source, int64_t bytes);
  /// `count` runs of whole lines, to addresses that are aligned to lines, by
  /// non-temporal stores; prefetches each run `ahead` bytes before it is read.
  void (*streamRuns)(uint8_t *target, int64_t targetPitch,
                     const uint8_t *source, int64_t sourcePitch, int64_t count,
                     int64_t bytes, int64_t ahead);
  /// Runs as they are; every second, every fourth element of the source; two
  /// interleaved rows, at addresses that are aligned to two elements.
  PourFn pour;
  PourFn pourSecond[4], pourFourth[4], pourPairs[4];
  /// Four interleaved rows: the first to the target, the others aside.
  PourFn pourSplit[4];
  /// Orders non-temporal stores before what follows.
  void (*fence)();
};

/// For any processor that the program runs on.
const MoveLoops &getPortableLoops();
/// For this processor. The environment variable TENSORACCESS_RELAYOUT_KERNELS
/// may name others: `portable`.
const MoveLoops &getBestLoops();

} // namespace tensoraccess_runtime

#endif // TENSORACCESS_LIB_RUNTIME_MOVELOOPS_H

//===- Transpose.cpp - Far transpositions in lines ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where rows of the target begin at lines and are whole lines, elements go from
// register to memory. What is left is the order, in *tiles* of a source line by
// a target line:
//
//   1. Panels of 1 KiB of a target row are cut into blocks as wide as some
//      lines of the source. In a block, tiles go along the source's rows first:
//      memory hands out several lines of a row at little more than the price of
//      one.
//   2. Tiles are prefetched one row of tiles ahead, at the end of a block in
//      the next one.
//   3. Where the target's rows fall on the same places of caches and of memory,
//      fewer of them are written in turns: blocks are narrower.
//
// Elements of one and two bytes, and short rows, are as fast by way of the
// scratch memory. A source without gaps whose columns go to rows that fall on
// the same places is faster that way: then several lines of a row are written
// before the next.
//
//===----------------------------------------------------------------------===//

#include "Transpose.h"

#include <algorithm>

using namespace tensoraccess_runtime;

static constexpr int64_t kPanelBytes = 1 << 10;
/// Lines of a block's rows; where the target collides, and where it does not.
static constexpr int64_t kNarrowBlock = 4, kWideBlock = 8;

/// Whether rows in that pitch fall on few places of caches and of memory.
static bool collides(int64_t pitch) { return pitch % 2048 == 0; }

int64_t tensoraccess_runtime::getColumnsInLines(const LineTransposition &t) {
  int64_t line = kLine >> t.log;
  bool isLined = t.targetPitch % kLine == 0 &&
                 reinterpret_cast<uintptr_t>(t.target) % kLine == 0 &&
                 t.rows % line == 0;
  bool fits = t.sourcePitch == t.columns << t.log && collides(t.targetPitch);
  if (!isLined || fits || t.log < 2 || t.rows << t.log <= kPanelBytes)
    return 0;
  return t.columns / line * line;
}

void tensoraccess_runtime::transposeInLines(const LineTransposition &t) {
  int64_t line = kLine >> t.log, size = int64_t(1) << t.log;
  TransposeFn kernel = t.kernels->transposeLines[t.log];
  int64_t panel = kPanelBytes / size;
  int64_t block = (collides(t.targetPitch) ? kNarrowBlock : kWideBlock) * line;
  for (int64_t low = 0; low < t.rows; low += panel) {
    int64_t high = std::min(t.rows, low + panel);
    for (int64_t left = 0; left < t.columns; left += block) {
      int64_t right = std::min(t.columns, left + block);
      for (int64_t r = low; r < high; r += line)
        for (int64_t c = left; c < right; c += line) {
          int64_t soonRow = r + line, soonColumn = c;
          if (soonRow >= high) {
            soonRow = low;
            soonColumn += block;
          }
          if (soonColumn < t.columns) {
            const uint8_t *soon =
                t.source + soonRow * t.sourcePitch + soonColumn * size;
            for (int64_t i = 0; i < line; ++i)
              __builtin_prefetch(soon + i * t.sourcePitch);
          }
          kernel(t.target + c * t.targetPitch + r * size, t.targetPitch,
                 t.source + r * t.sourcePitch + c * size, t.sourcePitch, line,
                 line);
        }
    }
  }
}

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
//      the next one; into the second level of caches where the source's rows
//      fall on the same places of the first.
//   3. Where the target's rows fall on the same places of caches and of memory,
//      fewer of them are written alternately: blocks are narrower.
//
// Elements of one and two bytes, and short rows, are as fast by way of the
// scratch memory; a source without gaps of a few lines is faster: several
// lines of a target row are written before the next. That of one line at most is
// read from end to end (Box.cpp, direct ways).
//
//===----------------------------------------------------------------------===//

#include "Move.h"

#include <algorithm>

using namespace tensoraccess_runtime;

static constexpr int64_t kPanelBytes = 1 << 10;
/// Rows of the target that are shorter, and packed rows of the source of no more
/// lines, go by way of the scratch memory.
static constexpr int64_t kShortRow = 256, kPackedLines = 4;
/// Lines of a block's rows; where the target collides, and where it does not.
static constexpr int64_t kNarrowBlock = 4, kWideBlock = 8;

int64_t tensoraccess_runtime::getColumnsInLines(int log, const uint8_t *target,
                                                int64_t targetPitch,
                                                int64_t sourcePitch,
                                                int64_t rows, int64_t columns) {
  int64_t line = kLine >> log;
  bool isLined = targetPitch % kLine == 0 &&
                 reinterpret_cast<uintptr_t>(target) % kLine == 0 &&
                 rows % line == 0;
  bool isPacked =
      sourcePitch == columns << log && columns <= kPackedLines * line;
  if (!isLined || isPacked || log < 2 || rows << log < kShortRow)
    return 0;
  return columns / line * line;
}

void tensoraccess_runtime::transposeInLines(
    const MoveLoops &moveLoops, int log, uint8_t *target, int64_t targetPitch,
    const uint8_t *source, int64_t sourcePitch, int64_t rows, int64_t columns) {
  int64_t line = kLine >> log, size = int64_t(1) << log;
  TransposeFn kernel = moveLoops.transposeLines[log];
  int64_t panel = kPanelBytes / size;
  bool isFar = collides(sourcePitch);
  int64_t block = (collides(targetPitch) ? kNarrowBlock : kWideBlock) * line;
  for (int64_t low = 0; low < rows; low += panel) {
    int64_t high = std::min(rows, low + panel);
    for (int64_t left = 0; left < columns; left += block) {
      int64_t right = std::min(columns, left + block);
      for (int64_t r = low; r < high; r += line)
        for (int64_t c = left; c < right; c += line) {
          int64_t soonRow = r + line, soonColumn = c;
          if (soonRow >= high) {
            soonRow = low;
            soonColumn += block;
          }
          if (soonColumn < columns) {
            const uint8_t *soon =
                source + soonRow * sourcePitch + soonColumn * size;
            for (int64_t i = 0; i < line; ++i)
              if (isFar)
                __builtin_prefetch(soon + i * sourcePitch, 0, 2);
              else
                __builtin_prefetch(soon + i * sourcePitch);
          }
          kernel(target + c * targetPitch + r * size, targetPitch,
                 source + r * sourcePitch + c * size, sourcePitch, line, line);
        }
    }
  }
}

//===- Box.cpp - One nest of a move ---------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is slow, so what counts is how lines of it are met:
//
//   - the target is written in whole lines, each once, around the caches;
//   - the source is read in whole lines, far enough ahead.
//
// Let D be the loop of target stride 1 and S that of source stride 1.
//
//   1. Short runs that are alike on both sides become elements of their own:
//      two bf16 that stay together are one element of 4 bytes.
//   2. *Direct* ways, where all pieces are whole lines of the target: runs
//      (D = S), rows that are interleaved (S next to D in the target) or
//      deinterleaved (D next to S in the source) from register to memory.
//   3. *Rows*: the same where they are not: neighbouring runs, or deinterleaved
//      rows, are put together in scratch memory up to 4 KiB and streamed out.
//   4. *Chunks*, D short or S next to it: the loops that are contiguous in the
//      target, up to 8 KiB of it, are put together and streamed out. What fills
//      them are runs, interleavings and transpositions.
//   5. *Panels*, D and S far apart, the plain transposition: 1 KiB of D at
//      a time, S in steps of a line. Where target rows begin at any address,
//      each row has its own window of the panel that begins at a line, for
//      which a panel reads one line's worth of rows twice.
//
// Outside of that, loops go in the order of the target, or of the source where
// that has the smaller blocks: unpacking goes from tile to tile.
//
//===----------------------------------------------------------------------===//

#include "Move.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

using namespace tensoraccess_runtime;

static constexpr int64_t kChunkBytes = 8 << 10;
static constexpr int64_t kRowBytes = 4 << 10;
/// How far ahead of its reading the source is prefetched.
static constexpr int64_t kAheadBytes = 4 << 10;
static constexpr int64_t kPanelBytes = 1 << 10, kPackedPanelBytes = 256;
/// D of at least that many bytes makes panels.
static constexpr int64_t kLongRow = 256;
static constexpr int64_t kHalfScratch = kScratchBytes / 2;

namespace {
class BoxRunner {
public:
  BoxRunner(const Box &box, const Context &context);
  void run();

private:
  const MoveLoops &moveLoops;
  Conversion convert;
  bool streams;
  const uint8_t *source;
  uint8_t *target;
  /// Bytes of an element.
  int64_t from, to;
  /// log2 of `to`.
  int log;
  /// By falling target stride; the last is D.
  Loops loops;
  /// Where S is, or -1.
  int unit = -1;
  /// Two parts of the scratch memory: for the target, and for the source.
  uint8_t *stage, *input;

  /// How far from a run that one is which is read some time later.
  int64_t aheadBytes = 0;

  /// Loops outside of what a block does, and that block.
  Loops outer;
  Loops inner;
  using Block = void (BoxRunner::*)(const uint8_t *, uint8_t *);
  Block block = nullptr;

  void widen();
  void narrow();
  bool isWhole(const Loop &loop) const;
  bool isAligned(int64_t bytes = kLine) const;
  void takeInner(std::initializer_list<int> indices);
  void orderOuter();
  void planPrefetch(int64_t bytes);
  bool planRuns();
  bool planPairs();
  bool planRows();
  bool planChunks();
  void planPanels();

  void walk(size_t level, const uint8_t *src, uint8_t *dst);
  void zero(Span<Loop> zeroed, uint8_t *dst);
  void put(uint8_t *dst, const uint8_t *bytes, int64_t count);
  void copy(uint8_t *dst, const uint8_t *src, int64_t count);

  void runRun(const uint8_t *src, uint8_t *dst);
  /// One of the direct loops on D × S.
  TransposeFn direct = nullptr;
  void runDirect(const uint8_t *src, uint8_t *dst);
  /// Rows: D, the loop that continues it, S or a single step.
  void runRows(const uint8_t *src, uint8_t *dst);
  /// Chunks: which of `inner` is S; the last of `inner` is done in parts.
  int chunkUnit = -1;
  int64_t chunkPart = 1;
  void runChunk(const uint8_t *src, uint8_t *dst);
  void fill(size_t level, const uint8_t *src, uint8_t *dst, int64_t valid);
  void fillPair(const uint8_t *src, uint8_t *dst, int64_t validColumns);

  void runPanel(const uint8_t *src, uint8_t *dst);
  void runPanelAt(const uint8_t *src, int64_t low, int64_t high, int64_t column,
                  int64_t columns);
  void runWindows(const uint8_t *src, uint8_t *dst, int64_t beginColumn,
                  int64_t endColumn);
};
} // namespace

BoxRunner::BoxRunner(const Box &box, const Context &context)
    : moveLoops(*context.moveLoops), convert(context.convert),
      streams(context.streams), from(context.sourceBytes),
      to(context.targetBytes), loops(box.loops.begin(), box.loops.end()),
      stage(context.scratch), input(context.scratch + kHalfScratch) {
  source = context.source + box.source * from;
  target = context.target + box.target * to;
  if (loops.empty() || loops.back().targetStride != 1)
    loops.push_back({1, 1, 1, 1});
  if (!convert) {
    narrow();
    widen();
  }
  log = getLog(to);
  for (size_t i = 0; i < loops.size(); ++i)
    if (loops[i].sourceStride == 1)
      unit = i;
}

/// Elements of 16 bytes are two of 8.
void BoxRunner::narrow() {
  if (to != 16)
    return;
  from = to = 8;
  for (Loop &loop : loops) {
    loop.sourceStride *= 2;
    loop.targetStride *= 2;
  }
  loops.push_back({2, 2, 1, 1});
}

/// Step 1, with the innermost loop: it vanishes.
void BoxRunner::widen() {
  Loop run = loops.back();
  bool isWhole = run.sourceStride == 1 && run.valid == run.extent &&
                 loops.size() > 1 && (run.extent & (run.extent - 1)) == 0 &&
                 run.extent * to <= 8;
  for (const Loop &loop : Span<Loop>(loops).drop_back())
    isWhole &= loop.sourceStride % run.extent == 0 &&
               loop.targetStride % run.extent == 0;
  if (!isWhole)
    return;
  loops.pop_back();
  for (Loop &loop : loops) {
    loop.sourceStride /= run.extent;
    loop.targetStride /= run.extent;
  }
  from = to = to * run.extent;
  if (loops.back().targetStride != 1)
    loops.push_back({1, 1, 1, 1});
}

bool BoxRunner::isWhole(const Loop &loop) const {
  return loop.valid == loop.extent;
}

/// Whether every block begins at a line of the target, or a part of one.
bool BoxRunner::isAligned(int64_t bytes) const {
  bool result = reinterpret_cast<uintptr_t>(target) % bytes == 0;
  for (const Loop &loop : outer)
    result &= loop.targetStride * to % bytes == 0;
  return result;
}

/// Splits the loops into those at `indices` and the others.
void BoxRunner::takeInner(std::initializer_list<int> indices) {
  inner.clear();
  outer.clear();
  for (int i : indices)
    inner.push_back(loops[i]);
  for (int i = 0, n = loops.size(); i < n; ++i)
    if (std::find(indices.begin(), indices.end(), i) == indices.end())
      outer.push_back(loops[i]);
}

/// Where one side has tiles and the other rows: the tiled side's loop that goes
/// on where a block ends is short, the other side's long. The order is then by
/// tiles, whichever side has them.
void BoxRunner::orderOuter() {
  int64_t sourceEnd = 1, targetEnd = inner[0].extent;
  for (const Loop &loop : inner)
    sourceEnd = std::max(sourceEnd, std::abs(loop.sourceStride) * loop.extent);
  int inSource = -1, inTarget = -1;
  for (size_t i = 0; i < outer.size(); ++i) {
    if (outer[i].sourceStride == sourceEnd)
      inSource = i;
    if (outer[i].targetStride == targetEnd)
      inTarget = i;
  }
  if (inSource < 0 || inTarget < 0 || inSource == inTarget)
    return;
  bool isUnpacking = outer[inSource].extent <= outer[inTarget].extent;
  Loop across = outer[isUnpacking ? inSource : inTarget];
  Loop along = outer[isUnpacking ? inTarget : inSource];
  if (!isWhole(across) || !isWhole(along))
    return;
  Loops ordered;
  for (int i = 0, n = outer.size(); i < n; ++i)
    if (i != inSource && i != inTarget)
      ordered.push_back(outer[i]);
  ordered.push_back(along);
  ordered.push_back(across);
  outer = std::move(ordered);
}

void BoxRunner::put(uint8_t *dst, const uint8_t *bytes, int64_t count) {
  if (streams)
    moveLoops.stream(dst, bytes, count);
  else
    std::memcpy(dst, bytes, count);
}

/// Copies or converts elements that follow one another on both sides.
void BoxRunner::copy(uint8_t *dst, const uint8_t *src, int64_t count) {
  if (convert)
    convert(dst, src, count);
  else
    std::memcpy(dst, src, count * to);
}

void BoxRunner::zero(Span<Loop> zeroed, uint8_t *dst) {
  if (zeroed.empty()) {
    std::memset(dst, 0, to);
    return;
  }
  const Loop &loop = zeroed.front();
  if (zeroed.size() == 1 && loop.targetStride == 1) {
    std::memset(dst, 0, loop.extent * to);
    return;
  }
  for (int64_t i = 0; i < loop.extent; ++i)
    zero(zeroed.drop_front(), dst + i * loop.targetStride * to);
}

void BoxRunner::walk(size_t level, const uint8_t *src, uint8_t *dst) {
  if (level == outer.size()) {
    (this->*block)(src, dst);
    return;
  }
  const Loop &loop = outer[level];
  for (int64_t i = 0; i < loop.valid; ++i)
    walk(level + 1, src + i * loop.sourceStride * from,
         dst + i * loop.targetStride * to);
  if (loop.valid == loop.extent)
    return;
  Loops rest(outer.begin() + level + 1, outer.end());
  rest.insert(rest.end(), inner.rbegin(), inner.rend());
  for (int64_t i = loop.valid; i < loop.extent; ++i)
    zero(rest, dst + i * loop.targetStride * to);
}

/// Blocks read `once` bytes: what is read kAheadBytes later is some steps of
/// the innermost loop ahead that takes so long.
void BoxRunner::planPrefetch(int64_t once) {
  for (size_t i = outer.size(); i-- > 0;) {
    const Loop &loop = outer[i];
    if (once * loop.extent >= kAheadBytes) {
      aheadBytes =
          std::max<int64_t>(1, kAheadBytes / once) * loop.sourceStride * from;
      return;
    }
    once *= loop.extent;
  }
}

void BoxRunner::run() {
  if (planRows()) {
    // The loop of the parts of a row, then what it leaves.
    Loop whole = inner[1];
    int64_t part = std::max<int64_t>(
        1, std::min(whole.extent, kRowBytes / (inner[0].extent * to)));
    int64_t parts = whole.extent / part, rest = whole.extent % part;
    Loops others = outer;
    inner[1].extent = inner[1].valid = part;
    if (parts > 1)
      outer.push_back(
          {parts, parts, whole.sourceStride * part, whole.targetStride * part});
    orderOuter();
    walk(0, source, target);
    if (rest == 0)
      return;
    outer = others;
    inner[1].extent = inner[1].valid = rest;
    orderOuter();
    walk(0, source + parts * part * whole.sourceStride * from,
         target + parts * part * whole.targetStride * to);
    return;
  }
  if (!planRuns() && !planPairs() && !planChunks())
    planPanels();
  walk(0, source, target);
}

//===----------------------------------------------------------------------===//
// Direct ways
//===----------------------------------------------------------------------===//

static bool isPowerOfTwo(int64_t value) {
  return value > 1 && (value & (value - 1)) == 0;
}

bool BoxRunner::planRuns() {
  const Loop &run = loops.back();
  if (run.sourceStride != 1 || convert || !isWhole(run) ||
      run.extent * to < kLine)
    return false;
  takeInner({static_cast<int>(loops.size()) - 1});
  bool isLined = isAligned() && run.extent * to % kLine == 0;
  if (!isLined && run.extent * to < kLongRow)
    return false;
  orderOuter();
  planPrefetch(run.extent * from);
  block = &BoxRunner::runRun;
  if (streams && isLined && !outer.empty() && isWhole(outer.back())) {
    inner.push_back(outer.back());
    outer.pop_back();
  }
  return true;
}

void BoxRunner::runRun(const uint8_t *src, uint8_t *dst) {
  int64_t bytes = inner[0].extent * to;
  if (inner.size() == 1)
    put(dst, src, bytes);
  else
    moveLoops.streamRuns(dst, inner[1].targetStride * to, src,
                         inner[1].sourceStride * from, inner[1].extent, bytes,
                         aheadBytes);
}

/// D × S from register to memory.
bool BoxRunner::planPairs() {
  int last = loops.size() - 1;
  if (!streams || convert || unit < 0 || unit == last)
    return false;
  const Loop &d = loops[last], &s = loops[unit];
  if (!isWhole(d) || !isWhole(s))
    return false;
  takeInner({last, unit});
  int64_t row = d.extent * to, column = s.extent * to;
  bool isHalf = row == kLine / 2 && s.targetStride == d.extent && column >= 16;
  if (!isAligned(isHalf ? row : kLine) ||
      (!isHalf && row * s.extent % kLine != 0))
    return false;
  const bool isNext = s.targetStride == d.extent;
  const bool isLined = row % kLine == 0 && s.targetStride * to % kLine == 0;
  if (isNext && isPowerOfTwo(d.extent) && row <= 16) {
    direct = moveLoops.interleaveAround[log];
  } else if (isHalf) {
    direct = moveLoops.transposeAround[log];
  } else if (isNext && isLined && row < kLongRow && column >= 16) {
    direct = moveLoops.transposeLines[log];
  } else if (d.sourceStride == s.extent && isLined && column <= kLine) {
    if (isPowerOfTwo(s.extent) && column <= 16)
      direct = moveLoops.deinterleaveAround[log];
    else if (column >= 16)
      direct = moveLoops.transposeLines[log];
    orderOuter();
  }
  block = &BoxRunner::runDirect;
  return direct != nullptr;
}

void BoxRunner::runDirect(const uint8_t *src, uint8_t *dst) {
  const Loop &d = inner[0], &s = inner[1];
  direct(dst, s.targetStride * to, src, d.sourceStride * from, d.extent,
         s.extent);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

bool BoxRunner::planRows() {
  int last = loops.size() - 1;
  const Loop &d = loops[last];
  if (!streams || convert || unit < 0 || !isWhole(d) || last == 0 ||
      d.extent * to < kLine / 2 || d.extent * to > kRowBytes / 2)
    return false;
  const Loop &s = loops[unit];
  bool isPair = unit != last;
  if (isPair && (d.sourceStride != s.extent || !isPowerOfTwo(s.extent) ||
                 s.extent * to > 16 || !isWhole(s)))
    return false;
  // The loop that goes on in the target.
  int next = -1;
  for (int i = 0; i < last; ++i)
    if (i != unit && loops[i].targetStride == d.extent && isWhole(loops[i]))
      next = i;
  if (next < 0)
    return false;
  if (isPair)
    takeInner({last, next, unit});
  else
    takeInner({last, next});
  bool isLined = isAligned() && d.extent * to % kLine == 0 &&
                 (!isPair || s.targetStride * to % kLine == 0);
  block = &BoxRunner::runRows;
  return !isLined;
}

void BoxRunner::runRows(const uint8_t *src, uint8_t *dst) {
  const Loop &d = inner[0], &next = inner[1];
  int64_t bytes = d.extent * to, row = next.extent * bytes;
  int64_t pitch = row + kLine, rows = 1;
  if (inner.size() == 2) {
    for (int64_t i = 0; i < next.extent; ++i)
      std::memcpy(stage + i * bytes, src + i * next.sourceStride * from, bytes);
  } else {
    rows = inner[2].extent;
    for (int64_t i = 0; i < next.extent; ++i)
      moveLoops.deinterleave[log](stage + i * bytes, pitch,
                                  src + i * next.sourceStride * from,
                                  d.sourceStride * from, d.extent, rows);
  }
  for (int64_t r = 0; r < rows; ++r)
    put(dst + (rows > 1 ? r * inner[2].targetStride * to : 0),
        stage + r * pitch, row);
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

bool BoxRunner::planChunks() {
  const Loop &d = loops.back();
  bool isRun = d.sourceStride == 1;
  if (!isRun && unit >= 0 && d.extent * to >= kLongRow)
    return false;
  inner.clear();
  chunkUnit = -1;
  int64_t bytes = to;
  size_t next = loops.size();
  for (; next > 0; --next) {
    const Loop &loop = loops[next - 1];
    if (loop.targetStride * to != bytes || bytes * 2 > kChunkBytes)
      break;
    if (static_cast<int>(next - 1) == unit)
      chunkUnit = inner.size();
    inner.push_back(loop);
    if (bytes * loop.extent > kChunkBytes) {
      --next;
      break;
    }
    bytes *= loop.extent;
  }
  // A panel reads whole lines of the source, a chunk without S does not.
  if (!isRun && unit >= 0 && chunkUnit < 0)
    return false;
  outer.assign(loops.begin(), loops.begin() + next);
  int64_t below = inner.back().targetStride * to;
  chunkPart =
      std::max<int64_t>(1, std::min(inner.back().extent, kChunkBytes / below));
  block = &BoxRunner::runChunk;
  return true;
}

void BoxRunner::runChunk(const uint8_t *src, uint8_t *dst) {
  const Loop &last = inner.back();
  int64_t unitBytes = last.targetStride * to;
  bool isPadded = std::any_of(inner.begin(), inner.end(), [](const Loop &loop) {
    return loop.valid != loop.extent;
  });
  for (int64_t begin = 0; begin < last.extent; begin += chunkPart) {
    int64_t count = std::min(chunkPart, last.extent - begin);
    int64_t valid = std::min(count, last.valid - begin);
    if (isPadded)
      std::memset(stage, 0, count * unitBytes);
    if (valid > 0)
      fill(inner.size(), src + begin * last.sourceStride * from, stage, valid);
    put(dst + begin * unitBytes, stage, count * unitBytes);
  }
}

/// Fills a chunk: loops below `level` of `inner`, the last with `valid` steps.
void BoxRunner::fill(size_t level, const uint8_t *src, uint8_t *dst,
                     int64_t valid) {
  bool isPair = chunkUnit > 0;
  auto steps = [&](size_t i) {
    return i + 1 == inner.size() ? valid : inner[i].valid;
  };
  if (level == 1) {
    if (isPair) {
      fillPair(src, dst, steps(chunkUnit));
      return;
    }
    const Loop &d = inner[0];
    if (d.sourceStride == 1) {
      copy(dst, src, steps(0));
      return;
    }
    for (int64_t i = 0; i < steps(0); ++i)
      copy(dst + i * to, src + i * d.sourceStride * from, 1);
    return;
  }
  const Loop &loop = inner[level - 1];
  if (isPair && static_cast<int>(level - 1) == chunkUnit) {
    fill(level - 1, src, dst, valid);
    return;
  }
  for (int64_t i = 0; i < steps(level - 1); ++i)
    fill(level - 1, src + i * loop.sourceStride * from,
         dst + i * loop.targetStride * to, valid);
}

/// Transposes D × S into the chunk.
void BoxRunner::fillPair(const uint8_t *src, uint8_t *dst, int64_t columns) {
  const Loop &d = inner[0], &s = inner[chunkUnit];
  int64_t rows = chunkUnit == 0 ? columns : d.valid;
  int64_t sourcePitch = d.sourceStride * from;
  int64_t targetPitch = s.targetStride * to;
  bool interleaves = s.targetStride == d.extent && isPowerOfTwo(d.extent) &&
                     d.extent * to <= 16;
  bool pads = interleaves && d.valid != d.extent;
  if (convert || pads) {
    int64_t pitch = alignTo(columns * to, kLine);
    if (pads)
      std::memset(input, 0, d.extent * pitch);
    for (int64_t r = 0; r < rows; ++r)
      copy(input + r * pitch, src + r * sourcePitch, columns);
    src = input;
    sourcePitch = pitch;
  }
  if (interleaves)
    moveLoops.interleave[log](dst, targetPitch, src, sourcePitch, d.extent,
                              columns);
  else if (sourcePitch == columns * to && isPowerOfTwo(columns) &&
           columns * to <= 16)
    moveLoops.deinterleave[log](dst, targetPitch, src, sourcePitch, rows,
                                columns);
  else
    moveLoops.transpose[log](dst, targetPitch, src, sourcePitch, rows, columns);
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

void BoxRunner::planPanels() {
  inner = {loops.back(), loops[unit]};
  outer.clear();
  for (size_t i = 0; i + 1 < loops.size(); ++i)
    if (static_cast<int>(i) != unit)
      outer.push_back(loops[i]);
  block = &BoxRunner::runPanel;
}

void BoxRunner::runPanel(const uint8_t *src, uint8_t *dst) {
  const Loop &d = inner[0], &s = inner[1];
  int64_t pitch = s.targetStride * to, done = 0;
  if (streams && !convert && isWhole(d) && isWhole(s)) {
    int64_t sourcePitch = d.sourceStride * from;
    done = getColumnsInLines(log, dst, pitch, sourcePitch, d.extent, s.extent);
    if (done > 0)
      transposeInLines(moveLoops, log, dst, pitch, src, sourcePitch, d.extent,
                       done);
  }
  if (done < s.valid)
    runWindows(src, dst, done, s.valid);
  for (int64_t c = s.valid; c < s.extent; ++c)
    std::memset(dst + c * pitch, 0, d.extent * to);
}

/// Columns [beginColumn, endColumn) of a panel by way of the scratch memory.
void BoxRunner::runWindows(const uint8_t *src, uint8_t *dst,
                           int64_t beginColumn, int64_t endColumn) {
  const Loop &d = inner[0], &s = inner[1];
  int64_t pitch = s.targetStride * to;
  bool isLined =
      pitch % kLine == 0 && reinterpret_cast<uintptr_t>(dst) % kLine == 0;
  // Of a source without gaps, so little that the first cache holds it and the stage.
  const bool isPacked = d.sourceStride == endColumn - beginColumn &&
                        d.sourceStride * from <= kLine;
  int64_t panel = (isPacked ? kPackedPanelBytes : kPanelBytes) / to,
          line = kLine / to;
  // How far a window reaches back before its panel.
  int64_t back = isLined || d.extent <= panel ? 0 : line;
  int64_t stagePitch = kPanelBytes + 2 * kLine;
  int64_t step = kLine / std::max(from, to);
  for (int64_t begin = 0; begin < d.extent + back; begin += panel) {
    int64_t low = std::max<int64_t>(0, begin - back);
    int64_t high = std::min(d.extent, begin + panel);
    if (low >= high)
      break;
    for (int64_t c = beginColumn; c < endColumn; c += step) {
      int64_t columns = std::min(step, endColumn - c);
      runPanelAt(src, low, high, c, columns);
      // A source without gaps is prefetched between the rows of the target.
      int64_t share = d.sourceStride == columns ? (high - low) * from : 0;
      const uint8_t *soon = src + high * columns * from;
      for (int64_t k = 0; k < columns; ++k) {
        for (int64_t b = 0; b < share; b += kLine)
          __builtin_prefetch(soon + k * share + b);
        uint8_t *row = dst + (c + k) * pitch;
        int64_t shift =
            back ? reinterpret_cast<uintptr_t>(row) % kLine / to : 0;
        int64_t first = std::max<int64_t>(0, begin - shift);
        int64_t last = std::min(d.extent, begin + panel - shift);
        if (first < last)
          put(row + first * to, stage + k * stagePitch + (first - low) * to,
              (last - first) * to);
      }
    }
  }
}

/// Transposes rows [low, high) of D into the stage, which begins at `low`.
void BoxRunner::runPanelAt(const uint8_t *src, int64_t low, int64_t high,
                           int64_t column, int64_t columns) {
  const Loop &d = inner[0], &s = inner[1];
  int64_t stagePitch = kPanelBytes + 2 * kLine;
  int64_t sourcePitch = d.sourceStride * from;
  int64_t valid = std::min(high, d.valid);
  // Padding of D.
  if (valid < high)
    for (int64_t k = 0; k < columns; ++k) {
      int64_t begin = std::max(low, d.valid);
      std::memset(stage + k * stagePitch + (begin - low) * to, 0,
                  (high - begin) * to);
    }
  if (low >= valid)
    return;
  src += (low * d.sourceStride + column) * from;
  if (!convert && d.sourceStride == columns) { // no gaps to jump over
    bool isShort = isPowerOfTwo(columns) && columns * to <= 16;
    (isShort ? moveLoops.deinterleave : moveLoops.transpose)[log](
        stage, stagePitch, src, sourcePitch, valid - low, columns);
    return;
  }
  // Rows in groups, of which a line each is copied together first: reading
  // them again must not depend on where the caches put their addresses.
  int64_t group = 32 / to * (to >= 8 ? 4 : 1);
  int64_t width = columns * to;
  bool prefetches = column + columns < s.valid;
  bool isDirect = !convert && !collides(sourcePitch);
  int64_t lead = std::max<int64_t>(1, 4 * kLine / (columns * from));
  for (int64_t r = low; r < valid; r += group) {
    int64_t count = std::min(group, valid - r);
    const uint8_t *rows = src + (r - low) * sourcePitch;
    // Some groups ahead, at the end of the panel in the next columns.
    int64_t ahead = r + lead * group;
    const uint8_t *soon = rows + lead * group * sourcePitch;
    if (ahead + group > valid) {
      soon = src + columns * from +
             std::max<int64_t>(0, ahead - valid) / group * group * sourcePitch;
      if (!prefetches || ahead - valid + group > valid - low)
        soon = nullptr;
    }
    if (soon)
      for (int64_t i = 0; i < group; ++i)
        for (int64_t b = 0; b < columns * from; b += kLine)
          __builtin_prefetch(soon + i * sourcePitch + b);
    if (isDirect) {
      moveLoops.transpose[log](stage + (r - low) * to, stagePitch, rows,
                               sourcePitch, count, columns);
      continue;
    }
    if (!convert && width == kLine)
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(input + i * kLine, rows + i * sourcePitch, kLine);
    else
      for (int64_t i = 0; i < count; ++i)
        copy(input + i * width, rows + i * sourcePitch, columns);
    moveLoops.transpose[log](stage + (r - low) * to, stagePitch, input, width,
                             count, columns);
  }
}

void tensoraccess_runtime::runBox(const Box &box, const Context &context) {
  BoxRunner(box, context).run();
}

//===- Stream.cpp - Moves in the target's order ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests that begin anywhere in a line share lines with one another: rows of a
// target whose length is not a multiple of a line, the last columns of a tile
// beside those before. Written nest by nest, such lines are read, changed and
// written again. So all nests together become one *walk* of the target, from
// its first byte to its last:
//
//   1. Nests by where they begin. Those whose parts are interleaved, all of
//      which have an outermost loop of one stride and extent, are one loop,
//      around a walk of one step; others follow one another. There must not be
//      gaps.
//   2. What is left inside is a run: elements that follow one another in the
//      source, every second or fourth one, or those of two interleaved rows.
//      Padding is a run of zeros.
//      Where all four rows are needed, the first goes to the target,
//      the others into scratch memory, and from there.
//   3. Runs go to the target in whole lines (StreamBody.h).
//   4. The source is prefetched in the order of *its* addresses, one *band*
//      ahead: a band is what the outermost loop reads in a step, if that is a
//      contiguous part of the source (8 rows of tiles) that the second level of
//      caches holds. Whatever order the runs are in, they are read from there.
//      Where a band is too large, each run is prefetched on its own.
//   5. Runs are read with a margin. Where that would leave the source, at its
//      ends, they are put together in a small buffer first, with zeros in the
//      place of rows that are missing.
//
//===----------------------------------------------------------------------===//

#include "Move.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

using namespace tensoraccess_runtime;

/// What the second level of caches holds beside what is being read from it.
static constexpr int64_t kBandBytes = 192 << 10;
/// The least that the source is prefetched ahead.
static constexpr int64_t kAheadBytes = 4 << 10;
/// The same for runs, one by one, and for rows, of which the processor
/// prefetches some at once by itself.
static constexpr int64_t kRunsAheadBytes = 2 << 10;
static constexpr int64_t kRowAheadBytes = 512;
static constexpr int64_t kRows = 16;
/// Runs that are shorter on average are better done in chunks.
static constexpr int64_t kShortRun = 64;
/// What is put together in a buffer at once.
static constexpr int64_t kPiece = 256;
static constexpr int64_t kZeros = 4 << 10;
/// Beside a row in scratch memory.
static constexpr int64_t kAsideMargin = 4 * kPourReach;

namespace {
/// Part of a walk of the target. All in bytes; sources are relative to the
/// parent's.
struct Step {
  enum class Kind { Sequence, Loop, Run, Zeros };
  Kind kind = Kind::Sequence;
  int64_t source = 0;
  /// Of the target.
  int64_t bytes = 0;
  /// Loop, and Run: steps, and what one is in the source.
  int64_t count = 1, pitch = 0;
  /// Loop: whether a step is a band.
  bool isBand = false;
  /// Loop: whether its steps are interleaved rows of the source.
  bool isSplit = false;
  /// Run: how far ahead of it the source is prefetched, 0 for a band.
  int64_t distance = 0;
  /// Run: every such element of the source, or so many interleaved rows; how
  /// many of those rows there are.
  int64_t every = 1, rows = 1, validRows = 1, rowPitch = 0;
  /// Sequence, or the one of a loop.
  std::vector<int> children;
  /// What is read of the source, relative to it; and the runs within.
  int64_t low = 0, high = 0, runs = 1;
};

struct Nest {
  int64_t source, target;
  Span<Loop> loops;

  int64_t end() const {
    int64_t end = target + 1;
    for (const Loop &loop : loops)
      end += (loop.extent - 1) * loop.targetStride;
    return end;
  }
};

class Walk {
public:
  Walk(const Context &context) : context(context), size(context.targetBytes) {}

  bool plan(Span<Box> boxes);
  void run();

private:
  const Context &context;
  int64_t size;
  std::vector<Step> steps;
  int root = -1;
  /// Of the first element in the target.
  int64_t begin = 0;

  int add(Step step);
  int addZeros(int64_t bytes);
  /// A step, and zeros after it.
  int addPadded(Step step, int64_t padding);
  /// The walk of `extent` elements, of which `nests` begin at `target`s.
  int addWalk(std::vector<Nest> nests, int64_t extent);
  int addCluster(Span<Nest> nests, int64_t begin, int64_t end);
  int addRun(const Nest &nest);
  void findBands(int index, bool isInBand);
  bool canSplit(const Step &loop) const;

  LineWriter writer;
  alignas(kLine) uint8_t zeros[kZeros + 2 * kPourReach] = {};
  alignas(kLine) uint8_t buffer[kPiece + 2 * kPourReach] = {};
  void walk(const Step &step, const uint8_t *source);
  void pour(const Step &run, const uint8_t *source, int64_t count,
            int64_t bytes);
  void pourPiece(const Step &run, const uint8_t *source, int64_t bytes);
  void pourZeros(int64_t bytes);
  void split(const Step &loop, const uint8_t *source);
  void splitRow(const Step &step, const uint8_t *source);
  bool isInside(const Step &run, const uint8_t *source, int64_t count,
                int64_t bytes) const;
};
} // namespace

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

int Walk::add(Step step) {
  steps.push_back(std::move(step));
  return steps.size() - 1;
}

int Walk::addZeros(int64_t bytes) {
  Step step;
  step.kind = Step::Kind::Zeros;
  step.bytes = bytes;
  step.runs = ceilDiv(bytes, kZeros);
  return add(std::move(step));
}

int Walk::addPadded(Step step, int64_t padding) {
  if (padding == 0)
    return add(std::move(step));
  Step both;
  both.low = step.low + step.source;
  both.high = step.high + step.source;
  both.bytes = step.bytes + padding;
  both.runs = step.runs;
  both.children = {add(std::move(step)), addZeros(padding)};
  both.runs += steps.back().runs;
  return add(std::move(both));
}

/// Step 2; -1 if it is not a run.
int Walk::addRun(const Nest &nest) {
  Step run;
  run.kind = Step::Kind::Run;
  run.source = nest.source * size;
  Loop elements{1, 1, 1, 1};
  if (!nest.loops.empty())
    elements = nest.loops.front();
  if (nest.loops.size() == 2) {
    const Loop &rows = nest.loops.back();
    if (rows.extent != 2 || rows.targetStride != 1 ||
        elements.targetStride != 2 || elements.sourceStride != 1 || size > 8)
      return -1;
    run.rows = rows.extent;
    run.validRows = rows.valid;
    run.rowPitch = rows.sourceStride * size;
  } else if (nest.loops.size() > 2 || elements.targetStride != 1) {
    return -1;
  } else if (elements.sourceStride == 2 || elements.sourceStride == 4) {
    run.every = elements.sourceStride;
    if (size > 8)
      return -1;
  } else if (elements.sourceStride != 1) {
    return -1;
  }
  // Elements, or pairs of them, don't go over the ends of lines.
  int64_t unit = run.rows * size;
  auto base = reinterpret_cast<uintptr_t>(context.target);
  if ((run.rows > 1 || run.every > 1) && base % unit != 0)
    return -1;
  run.bytes = elements.valid * unit;
  run.low = std::min<int64_t>(0, (run.validRows - 1) * run.rowPitch);
  run.high = std::max<int64_t>(0, (run.validRows - 1) * run.rowPitch) +
             ((elements.valid - 1) * run.every + 1) * size;
  return addPadded(std::move(run), (elements.extent - elements.valid) * unit);
}

/// Nests that are interleaved in [begin, end).
int Walk::addCluster(Span<Nest> nests, int64_t begin, int64_t end) {
  if (nests.size() == 1)
    if (int run = addRun(nests[0]); run >= 0)
      return run;
  for (const Nest &nest : nests)
    if (nest.loops.empty())
      return -1;
  Loop outer = nests[0].loops.front();
  std::vector<Nest> inner;
  for (const Nest &nest : nests) {
    const Loop &loop = nest.loops.front();
    if (loop.targetStride != outer.targetStride ||
        loop.sourceStride != outer.sourceStride ||
        loop.extent != outer.extent || loop.valid != outer.valid)
      return -1;
    inner.push_back({nest.source - nests[0].source, nest.target - begin,
                     nest.loops.drop_front()});
  }
  if (end - begin != outer.extent * outer.targetStride)
    return -1;
  int body = addWalk(std::move(inner), outer.targetStride);
  if (body < 0)
    return -1;
  Step loop = steps[body];
  if (loop.kind == Step::Kind::Run && loop.count == 1) {
    // Runs that follow one another are done at once.
    loop.source += nests[0].source * size;
    loop.count = outer.valid;
    loop.pitch = outer.sourceStride * size;
  } else {
    Step whole;
    whole.kind = Step::Kind::Loop;
    whole.source = nests[0].source * size;
    whole.count = outer.valid;
    whole.pitch = outer.sourceStride * size;
    whole.bytes = loop.bytes;
    whole.low = loop.low + loop.source;
    whole.high = loop.high + loop.source;
    whole.runs = loop.runs;
    whole.children = {body};
    loop = std::move(whole);
  }
  int64_t reach = (loop.count - 1) * loop.pitch;
  loop.low += std::min<int64_t>(0, reach);
  loop.high += std::max<int64_t>(0, reach);
  loop.bytes *= loop.count;
  loop.runs *= loop.count;
  return addPadded(std::move(loop),
                   (outer.extent - outer.valid) * outer.targetStride * size);
}

/// Step 1.
int Walk::addWalk(std::vector<Nest> nests, int64_t extent) {
  std::sort(nests.begin(), nests.end(),
            [](const Nest &a, const Nest &b) { return a.target < b.target; });
  Step all;
  int64_t done = 0;
  all.runs = 0;
  for (size_t i = 0; i < nests.size();) {
    int64_t begin = nests[i].target, end = nests[i].end();
    size_t next = i + 1;
    for (; next < nests.size() && nests[next].target < end; ++next)
      end = std::max(end, nests[next].end());
    if (begin != done)
      return -1;
    int part = addCluster(Span<Nest>(nests).slice(i, next - i), begin, end);
    if (part < 0)
      return -1;
    all.children.push_back(part);
    done = end;
    i = next;
  }
  if (done != extent)
    return -1;
  if (all.children.size() == 1)
    return all.children[0];
  bool isFirst = true;
  for (int child : all.children) {
    const Step &step = steps[child];
    all.bytes += step.bytes;
    all.runs += step.runs;
    if (step.kind == Step::Kind::Zeros)
      continue;
    int64_t low = step.source + step.low, high = step.source + step.high;
    all.low = isFirst ? low : std::min(all.low, low);
    all.high = isFirst ? high : std::max(all.high, high);
    isFirst = false;
  }
  return add(std::move(all));
}

/// Step 4: of every path from the root to a run, the first loop whose steps are
/// contiguous in the source and fit is a band. Elsewhere runs are prefetched one
/// by one, further ahead where a few rows of the source are each read on from
/// run to run.
void Walk::findBands(int index, bool isInBand) {
  Step &step = steps[index];
  if (step.kind == Step::Kind::Run && !isInBand && step.count > 1)
    step.distance = step.pitch * ceilDiv(kRunsAheadBytes,
                                         step.bytes / step.count * step.every);
  if (step.kind == Step::Kind::Loop) {
    Step &body = steps[step.children[0]];
    int64_t hull = body.high - body.low;
    step.isBand = !isInBand && hull <= kBandBytes && step.pitch >= hull &&
                  step.pitch - hull <= hull / 4 &&
                  hull - body.bytes <= hull / 4;
    isInBand |= step.isBand;
    if (!isInBand && body.kind == Step::Kind::Run && body.rows == 1 &&
        body.count > 1 && body.count <= kRows &&
        step.pitch == body.bytes / body.count * body.every) {
      body.distance = ceilDiv(kRowAheadBytes, step.pitch) * step.pitch;
      return;
    }
  }
  for (int child : std::vector<int>(step.children))
    findBands(child, isInBand);
}

/// Whether the steps of a loop are the elements that its runs leave out. Two
/// such rows are better read twice from the caches than put aside.
bool Walk::canSplit(const Step &loop) const {
  const Step &body = steps[loop.children[0]];
  if (loop.pitch != size || loop.count != 4 ||
      (loop.count - 1) * (body.bytes + kAsideMargin) + kAsideMargin >
          kScratchBytes)
    return false;
  std::vector<const Step *> all = {&body};
  while (!all.empty()) {
    const Step *step = all.back();
    all.pop_back();
    if (step->kind == Step::Kind::Zeros ||
        (step->kind == Step::Kind::Run && step->every != loop.count))
      return false;
    for (int child : step->children)
      all.push_back(&steps[child]);
  }
  return true;
}

bool Walk::plan(Span<Box> boxes) {
  std::vector<Nest> nests;
  for (const Box &box : boxes)
    nests.push_back({box.source, box.target, box.loops});
  if (nests.empty())
    return false;
  int64_t end = 0;
  begin = nests[0].target;
  for (const Nest &nest : nests) {
    begin = std::min(begin, nest.target);
    end = std::max(end, nest.end());
  }
  for (Nest &nest : nests)
    nest.target -= begin;
  root = addWalk(std::move(nests), end - begin);
  if (root < 0 || steps[root].bytes / steps[root].runs < kShortRun)
    return false;
  findBands(root, false);
  for (Step &step : steps)
    step.isSplit = step.kind == Step::Kind::Loop && canSplit(step);
  return true;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Walk::run() {
  uint8_t *target = context.target + begin * size;
  int64_t skipped = reinterpret_cast<uintptr_t>(target) % kLine;
  writer.line = target - skipped;
  writer.filled = writer.skipped = skipped;
  writer.ahead = reinterpret_cast<uintptr_t>(context.source);
  writer.distance = 0;
  std::memset(writer.bytes, 0, kLine);
  walk(steps[root], context.source);
  if (writer.filled > writer.skipped)
    std::memcpy(writer.line + writer.skipped, writer.bytes + writer.skipped,
                writer.filled - writer.skipped);
}

void Walk::walk(const Step &step, const uint8_t *source) {
  source += step.source;
  switch (step.kind) {
  case Step::Kind::Sequence:
    for (int child : step.children)
      walk(steps[child], source);
    return;
  case Step::Kind::Zeros:
    pourZeros(step.bytes);
    return;
  case Step::Kind::Run:
    pour(step, source, step.count, step.bytes / step.count);
    return;
  case Step::Kind::Loop:
    break;
  }
  const Step &body = steps[step.children[0]];
  if (step.isSplit &&
      source + body.source + body.low - context.sourceBegin >= kPourReach &&
      context.sourceEnd - source - body.source - body.high >= kPourReach) {
    split(step, source);
    return;
  }
  // So many steps ahead.
  int64_t ahead =
      ceilDiv(kAheadBytes, std::max<int64_t>(1, body.high - body.low));
  for (int64_t i = 0; i < step.count; ++i) {
    const uint8_t *from = source + i * step.pitch;
    if (step.isBand)
      writer.ahead = reinterpret_cast<uintptr_t>(from) + body.source +
                     body.low + ahead * step.pitch;
    walk(body, from);
  }
}

/// Interleaved rows: the first one to the target, the others into scratch
/// memory and from there.
void Walk::split(const Step &loop, const uint8_t *source) {
  const Step &body = steps[loop.children[0]];
  int64_t filled = writer.filled;
  writer.asidePitch = alignTo(body.bytes, kLine) + kAsideMargin / 2;
  writer.aside = context.scratch + kAsideMargin / 2;
  const uint8_t *rest = writer.aside + filled;
  splitRow(body, source);
  writer.distance = 0;
  for (int64_t row = 1; row < loop.count; ++row)
    context.moveLoops->pour(writer, rest + (row - 1) * writer.asidePitch, 0, 1,
                            body.bytes, 0);
}

void Walk::splitRow(const Step &step, const uint8_t *source) {
  source += step.source;
  if (step.kind == Step::Kind::Run) {
    int log = getLog(size);
    writer.distance = step.distance;
    context.moveLoops->pourSplit[log](writer, source, step.pitch, step.count,
                                      step.bytes / step.count, 0);
    return;
  }
  for (int64_t i = 0; i < step.count; ++i)
    for (int child : step.children)
      splitRow(steps[child], source + i * step.pitch);
}

bool Walk::isInside(const Step &run, const uint8_t *source, int64_t count,
                    int64_t bytes) const {
  int64_t low = 0, high = bytes / run.rows * run.every;
  for (int64_t reach : {(count - 1) * run.pitch, (run.rows - 1) * run.rowPitch})
    (reach < 0 ? low : high) += reach;
  return source - context.sourceBegin + low >= kPourReach &&
         context.sourceEnd - source - high >= kPourReach;
}

/// Step 5: runs that would be read over the source's ends are halved until they
/// are not, or fit the buffer.
void Walk::pour(const Step &run, const uint8_t *source, int64_t count,
                int64_t bytes) {
  const MoveLoops &moveLoops = *context.moveLoops;
  int log = getLog(size);
  if (run.validRows == run.rows && isInside(run, source, count, bytes)) {
    PourFn fn = run.rows == 2    ? moveLoops.pourPairs[log]
                : run.every == 2 ? moveLoops.pourSecond[log]
                : run.every == 4 ? moveLoops.pourFourth[log]
                                 : moveLoops.pour;
    writer.distance = run.distance;
    fn(writer, source, run.pitch, count, bytes, run.rowPitch);
    return;
  }
  if (count > 1) {
    int64_t half = count / 2;
    pour(run, source, half, bytes);
    pour(run, source + half * run.pitch, count - half, bytes);
    return;
  }
  if (bytes <= kPiece) {
    pourPiece(run, source, bytes);
    return;
  }
  int64_t half = bytes / 2 / kPiece * kPiece;
  half = half ? half : kPiece;
  pour(run, source, 1, half);
  pour(run, source + half / run.rows * run.every, 1, bytes - half);
}

template <typename T>
static void gather(uint8_t *to, int64_t toStride, const uint8_t *from,
                   int64_t fromStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride * sizeof(T),
                from + i * fromStride * sizeof(T), sizeof(T));
}

void Walk::pourPiece(const Step &run, const uint8_t *source, int64_t bytes) {
  uint8_t *piece = buffer + kPourReach;
  if (run.every == 1 && run.rows == 1) {
    std::memcpy(piece, source, bytes);
  } else {
    if (run.validRows < run.rows)
      std::memset(piece, 0, bytes);
    auto fn = size == 1   ? gather<uint8_t>
              : size == 2 ? gather<uint16_t>
              : size == 4 ? gather<uint32_t>
                          : gather<uint64_t>;
    for (int64_t row = 0; row < run.validRows; ++row)
      fn(piece + row * size, run.rows, source + row * run.rowPitch, run.every,
         bytes / (run.rows * size));
  }
  writer.distance = 0;
  context.moveLoops->pour(writer, piece, 0, 1, bytes, 0);
}

void Walk::pourZeros(int64_t bytes) {
  const uint8_t *from = zeros + kPourReach;
  writer.distance = 0;
  if (bytes >= kZeros)
    context.moveLoops->pour(writer, from, 0, bytes / kZeros, kZeros, 0);
  if (bytes % kZeros != 0)
    context.moveLoops->pour(writer, from, 0, 1, bytes % kZeros, 0);
}

bool tensoraccess_runtime::streamBoxes(const Context &context) {
  if (!context.streams || context.convert)
    return false;
  Walk walk(context);
  if (!walk.plan(context.boxes))
    return false;
  walk.run();
  return true;
}

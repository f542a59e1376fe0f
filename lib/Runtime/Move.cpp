//===- Move.cpp - Moves of elements in memory -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Loops of one step are left out, the others sorted by the target's
//      strides, neighbours that are one loop on both sides joined.
//   2. What is strided backwards, or overlaps in the target, is moved element
//      by element.
//
//===----------------------------------------------------------------------===//

#include "Move.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

using namespace tensoraccess_runtime;

namespace {
struct AlignedDelete {
  void operator()(uint8_t *bytes) const {
    ::operator delete(bytes, std::align_val_t(kLine));
  }
};
} // namespace

void tensoraccess_runtime::run(const Move &move) {
  // Of this thread, kept for the next move.
  static thread_local std::unique_ptr<uint8_t, AlignedDelete> scratch;
  if (!scratch)
    scratch.reset(static_cast<uint8_t *>(
        ::operator new(kScratchBytes, std::align_val_t(kLine))));
  Context context;
  static_cast<Move &>(context) = move;
  context.moveLoops = move.portable ? &getPortableLoops() : &getBestLoops();
  context.scratch = scratch.get();
  if (!streamBoxes(context))
    for (const Box &box : move.boxes)
      runBox(box, context);
  if (context.streams)
    context.moveLoops->fence();
}

/// Step 2.
static void moveEach(const Loop *loops, size_t count, uint8_t *target,
                     const uint8_t *source, int64_t bytes) {
  if (count == 0) {
    std::memcpy(target, source, bytes);
    return;
  }
  for (int64_t i = 0; i < loops->extent; ++i)
    moveEach(loops + 1, count - 1, target + i * loops->targetStride * bytes,
             source + i * loops->sourceStride * bytes, bytes);
}

extern "C" void tensoraccess_move(void *target, const void *source,
                                  const int64_t *move) {
  const int64_t bytes = move[0], rank = move[1];
  Box box;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t *dim = move + 2 + 3 * i;
    if (dim[0] <= 0)
      return;
    if (dim[0] > 1)
      box.loops.push_back({dim[0], dim[0], dim[2], dim[1]});
  }
  std::sort(box.loops.begin(), box.loops.end(),
            [](const Loop &a, const Loop &b) {
              return a.targetStride > b.targetStride;
            });
  Loops joined;
  for (const Loop &inner : box.loops) {
    if (!joined.empty() &&
        joined.back().targetStride == inner.targetStride * inner.extent &&
        joined.back().sourceStride == inner.sourceStride * inner.extent) {
      Loop &outer = joined.back();
      outer.extent = outer.valid = outer.extent * inner.extent;
      outer.sourceStride = inner.sourceStride;
      outer.targetStride = inner.targetStride;
      continue;
    }
    joined.push_back(inner);
  }
  box.loops = std::move(joined);

  auto *to = static_cast<uint8_t *>(target);
  const auto *from = static_cast<const uint8_t *>(source);
  int64_t inside = 1, last = 0, elements = 1;
  bool isPlain =
      bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  for (size_t i = box.loops.size(); i-- > 0;) {
    const Loop &loop = box.loops[i];
    isPlain &= loop.sourceStride >= 0 && loop.targetStride >= inside;
    inside = loop.targetStride * loop.extent;
    last += loop.sourceStride * (loop.extent - 1);
    elements *= loop.extent;
  }
  if (!isPlain) {
    moveEach(box.loops.data(), box.loops.size(), to, from, bytes);
    return;
  }
  Move whole;
  whole.boxes = {&box, 1};
  whole.source = whole.sourceBegin = from;
  whole.sourceEnd = from + (last + 1) * bytes;
  whole.target = to;
  whole.sourceBytes = whole.targetBytes = bytes;
  whole.streams = elements * bytes >= kStreamBytes;
  run(whole);
}

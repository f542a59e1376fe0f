//===- Slice.cpp - Places of a slice and their policies -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include <limits>

using namespace mlir::tensoraccess;
using Policy = OutOfBounds::Kind;

std::string mlir::tensoraccess::checkSlice(int64_t size, int64_t offset,
                                           int64_t count, int64_t stride,
                                           Policy policy) {
  bool dynamic = size == kDynamicSize, toTheEnd = count == kToTheEnd;
  std::string sizeText = dynamic ? "?" : std::to_string(size);
  if (toTheEnd && policy != Policy::Forbid && policy != Policy::Negative)
    return "must have a size under " + OutOfBounds{policy, {}}.str() +
           ", which has no end, got -1";
  std::optional<int64_t> last = offset;
  if (count > 0) {
    std::optional<int64_t> distance = checkedMul(count - 1, stride);
    last = distance ? checkedAdd(offset, *distance) : std::nullopt;
  }
  if (!last)
    return "must stay within 64 bits, got " + std::to_string(count) +
           " places from " + std::to_string(offset) + " by " +
           std::to_string(stride);

  switch (policy) {
  case Policy::Pad:
    return "";
  case Policy::Wrap:
  case Policy::Clamp:
    if (size != 0 || count == 0)
      return "";
    return "must take nothing from an empty dimension, got size " +
           std::to_string(count);
  case Policy::Forbid:
  case Policy::Negative:
    break;
  }
  bool negative = policy == Policy::Negative;
  std::string range = std::string("must stay inside [") +
                      (negative ? "-" + sizeText : "0") + ", " + sizeText + ")";
  // Where nothing is taken, or all there is, the offset may also be the end.
  bool mayBeEnd = count == 0 || toTheEnd;
  auto isInside = [&](int64_t place) {
    if (dynamic)
      return place >= 0 || negative;
    return place >= (negative ? -size : 0) && place < size + mayBeEnd;
  };
  if (isInside(offset) && isInside(*last))
    return "";
  if (mayBeEnd)
    return range + ", got offset " + std::to_string(offset);
  return range + ", got places " + std::to_string(offset) + " to " +
         std::to_string(*last);
}

int64_t mlir::tensoraccess::countToTheEnd(int64_t size, int64_t offset,
                                          int64_t stride) {
  if (offset < 0)
    offset += size;
  if (offset < 0 || offset >= size)
    return 0;
  // The stride may be INT64_MIN, whose negation overflows.
  if (stride > 0)
    return (size - 1 - offset) / stride + 1;
  return offset / stride * -1 + 1;
}

/// How many of at most `count` places from `place` on, by `stride`, lie in
/// [lo, hi]; the first one does.
static int64_t countWithin(int64_t place, int64_t stride, int64_t count,
                           int64_t lo, int64_t hi) {
  // The way to the last place in this direction is never longer than 2^64.
  uint64_t way = stride > 0 ? uint64_t(hi) - uint64_t(place)
                            : uint64_t(place) - uint64_t(lo);
  uint64_t step = stride > 0 ? uint64_t(stride) : -uint64_t(stride);
  uint64_t steps = way / step;
  return steps >= uint64_t(count) ? count : int64_t(steps) + 1;
}

std::optional<llvm::SmallVector<SliceRun>>
mlir::tensoraccess::getSliceRuns(int64_t size, int64_t offset, int64_t count,
                                 int64_t stride, Policy policy,
                                 size_t maxRuns) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  llvm::SmallVector<SliceRun> runs;
  // Each iteration takes the places that go with the next one: before, inside
  // or after the dimension, or, under wrap, in the same copy of it.
  while (count > 0) {
    if (runs.size() == maxRuns)
      return std::nullopt;
    SliceRun run;
    bool circles = policy == Policy::Wrap && size == 1;
    if (offset >= 0 && offset < size && !circles) {
      run = {countWithin(offset, stride, count, 0, size - 1), false, offset,
             stride};
    } else if (circles) { // round and round one element
      run = {count, false, 0, 0};
    } else if (policy == Policy::Wrap) {
      int64_t place = floorModPositive(offset, size);
      run = {countWithin(place, stride, count, 0, size - 1), false, place,
             stride};
    } else {
      bool before = offset < 0;
      int64_t within = before ? countWithin(offset, stride, count, kLeast, -1)
                              : countWithin(offset, stride, count, size, kMost);
      if (policy == Policy::Pad)
        run = {within, true, 0, 1};
      else if (policy == Policy::Clamp)
        run = {within, false, before ? 0 : size - 1, 0};
      else // negative: all of these places are
        run = {within, false, offset + size, stride};
    }
    count -= run.count;
    // checkSlice has seen that the last place fits.
    if (count > 0)
      offset += run.count * stride;
    runs.push_back(run);
  }
  return runs;
}

//===- StridedInverses.cpp - Complements and inverses ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/StridedAlgebra.h"

#include "Strided/Fail.h"
#include "Strided/Modes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::strided;

std::optional<StridedLayout>
mlir::tensoraccess::strided::complement(const StridedLayout &layout,
                                        int64_t cotarget, std::string &error) {
  if (!needStrides(layout, error))
    return std::nullopt;
  if (cotarget < 1)
    return fail(error,
                "the cotarget must be positive, got " + llvm::Twine(cotarget));
  llvm::SmallVector<StridedMode> gaps;
  int64_t next = 1;
  for (const StridedMode &mode : sortModes(layout)) {
    if (mode.stride < 0)
      return fail(error, layout.str() +
                             " has no complement: strides must not be "
                             "negative, got " +
                             llvm::Twine(mode.stride));
    if (mode.stride < next || mode.stride % next != 0)
      return fail(error, layout.str() + " has no complement: stride " +
                             llvm::Twine(mode.stride) +
                             " is not a multiple of " + llvm::Twine(next) +
                             ", where the modes below end");
    gaps.push_back(makeLeaf(mode.stride / next, next));
    std::optional<int64_t> end = checkedMul(mode.stride, mode.size);
    if (!end)
      return fail(error, layout.str() + " has no complement: where size " +
                             llvm::Twine(mode.size) + " with stride " +
                             llvm::Twine(mode.stride) +
                             " ends does not fit in 64 bits");
    next = *end;
  }
  gaps.push_back(makeLeaf(llvm::divideCeilSigned(cotarget, next), next));
  StridedLayout result;
  result.root = coalesceMode(makeList(gaps));
  if (std::optional<std::string> wrong = result.verify())
    return fail(error, "the complement of " + layout.str() + ": " + *wrong);
  return result;
}

/// Where strides follow one another from 1 on.
static StridedLayout invertStrides(const StridedLayout &layout) {
  // `place` is where the mode's coordinate counts in the layout's numbers.
  struct Step {
    StridedMode mode;
    int64_t place;
  };
  llvm::SmallVector<Step> steps;
  int64_t place = 1;
  for (const StridedMode &leaf : coalesce(layout).getLeaves()) {
    steps.push_back({leaf, place});
    place *= leaf.size;
  }
  llvm::SmallVector<StridedMode> modes;
  int64_t next = 1;
  for (bool isFound = true; isFound;) {
    isFound = false;
    for (const Step &step : steps)
      if (step.mode.size > 1 && step.mode.stride == next) {
        modes.push_back(makeLeaf(step.mode.size, step.place));
        next *= step.mode.size;
        isFound = true;
        break;
      }
  }
  StridedLayout result;
  result.root = coalesceMode(makeList(modes));
  return result;
}

/// inverse(swizzle(n)) for n below `size`: a swizzle is its own inverse.
static std::optional<StridedLayout> swizzleFirst(const StridedLayout &inverse,
                                                 const Swizzle &swizzle,
                                                 int64_t size,
                                                 std::string &error) {
  std::optional<StridedLayout> numbers =
      compose(swizzle, StridedLayout(size, 1), error);
  return numbers ? compose(inverse, *numbers, error) : std::nullopt;
}

std::optional<StridedLayout>
mlir::tensoraccess::strided::rightInverse(const StridedLayout &layout,
                                          std::string &error) {
  if (layout.map && !needStrides(layout, error))
    return std::nullopt;
  StridedLayout plain = layout;
  plain.swizzle.reset();
  StridedLayout inverse = invertStrides(plain);
  if (!layout.swizzle)
    return inverse;
  // A swizzle permutes blocks of all its bits, and leaves the numbers alone that
  // have none of those it takes.
  const Swizzle &swizzle = *layout.swizzle;
  const int64_t high = swizzle.base + swizzle.bits + std::abs(swizzle.shift),
                taken = swizzle.base + std::max<int64_t>(swizzle.shift, 0);
  int64_t size = inverse.getSize();
  if (size >> high << high != 0)
    size = size >> high << high;
  else if (taken < 62)
    size = std::min(size, int64_t(1) << taken);
  return swizzleFirst(inverse, swizzle, size, error);
}

std::optional<StridedLayout>
mlir::tensoraccess::strided::leftInverse(const StridedLayout &layout,
                                         std::string &error) {
  if (layout.map && !needStrides(layout, error))
    return std::nullopt;
  struct Step {
    StridedMode mode;
    int64_t place;
  };
  llvm::SmallVector<Step> steps;
  int64_t place = 1, sign = 1;
  for (const StridedMode &leaf : layout.getLeaves()) {
    if (leaf.size > 1 && leaf.stride == 0)
      return fail(error, layout.str() + " has no left inverse: a stride is 0");
    if (leaf.size > 1)
      steps.push_back({leaf, place});
    place *= leaf.size;
  }
  // All negative: -f of what goes on from there.
  if (!steps.empty() && llvm::all_of(steps, [](const Step &step) {
        return step.mode.stride < 0;
      }))
    sign = -1;
  llvm::sort(steps, [&](const Step &a, const Step &b) {
    return sign * a.mode.stride < sign * b.mode.stride;
  });
  // What is between two strides is skipped.
  llvm::SmallVector<StridedMode> modes;
  int64_t below = 1, under = 0, end = 1;
  for (const Step &step : steps) {
    const int64_t stride = sign * step.mode.stride;
    if (stride < end || stride % below != 0)
      return fail(
          error,
          layout.str() + " has no left inverse: stride " + llvm::Twine(stride) +
              (stride < end ? " is less than " : " is not a multiple of ") +
              llvm::Twine(stride < end ? end : below) +
              (stride < end ? ", where the modes below end"
                            : ", the next smaller one"));
    modes.push_back(makeLeaf(stride / below, sign * under));
    below = stride;
    under = step.place;
    end = stride * (step.mode.size - 1) + 1;
  }
  if (!steps.empty())
    modes.push_back(makeLeaf(steps.back().mode.size, sign * under));
  StridedLayout inverse;
  inverse.root = coalesceMode(makeList(modes));
  if (std::optional<std::string> wrong = inverse.verify())
    return fail(error, "the left inverse of " + layout.str() + ": " + *wrong);
  if (!layout.swizzle)
    return inverse;
  std::optional<int64_t> cosize = layout.getCosize();
  if (!cosize)
    return fail(error, "its numbers do not fit in 64 bits");
  return swizzleFirst(inverse, *layout.swizzle, *cosize, error);
}

//===- TensorCompare.cpp - How two tensors differ -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks both tensors in row-major order. An element pair is, in this order:
// the same bits; both NaN (no difference); one NaN, or one infinite (an
// infinite difference); else the difference of the values.
//
//===----------------------------------------------------------------------===//

#include "Support/StridedLoop.h"
#include "TensorAccess/Core/Tensor.h"

#include <cstring>
#include <limits>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
struct Difference {
  double absolute = 0, relative = 0;
  bool nanMismatch = false;
};
} // namespace

static Difference differenceOfFloats(double a, double b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (std::isnan(a) && std::isnan(b))
    return {};
  if (std::isnan(a) || std::isnan(b))
    return {infinity, infinity, true};
  if (a == b)
    return {};
  if (std::isinf(a) || std::isinf(b))
    return {infinity, infinity, false};
  double absolute = std::fabs(a - b);
  return {absolute, absolute / std::max(std::fabs(a), std::fabs(b)), false};
}

static Difference differenceOfInts(int64_t a, int64_t b) {
  uint64_t distance =
      a > b ? uint64_t(a) - uint64_t(b) : uint64_t(b) - uint64_t(a);
  double largest = std::max(std::fabs(double(a)), std::fabs(double(b)));
  return {double(distance), distance ? double(distance) / largest : 0, false};
}

template <typename T>
static Difference differenceOf(T a, T b) {
  if constexpr (std::is_same_v<T, Bit>)
    return differenceOfInts(a.value, b.value);
  else if constexpr (std::is_integral_v<T>)
    return differenceOfInts(a, b);
  else
    return differenceOfFloats(typename Arithmetic<T>::Wide(a),
                              typename Arithmetic<T>::Wide(b));
}

llvm::Expected<Comparison> mlir::tensoraccess::compare(const Tensor &a,
                                                       const Tensor &b) {
  if (a.getElementType() != b.getElementType() || a.getShape() != b.getShape())
    return llvm::createStringError(
        "tensors to compare must have one type, got " + describe(a) + " and " +
        describe(b));
  Comparison result;
  result.elements = a.getNumElements();
  int64_t position = 0, worstAbs = -1, worstRel = -1;
  dispatch(a.getElementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    StridedLoop loop(a.getShape(), {a.getStrides(), b.getStrides()});
    loop.forEachRow([&](ArrayRef<int64_t> offsets) {
      const T *x = a.getDataAs<T>() + offsets[0];
      const T *y = b.getDataAs<T>() + offsets[1];
      for (int64_t i = 0, e = loop.getRowLength(); i < e; ++i, ++position,
                   x += loop.getRowStride(0), y += loop.getRowStride(1)) {
        if (std::memcmp(x, y, sizeof(T)) == 0) {
          ++result.bitEqual;
          continue;
        }
        Difference difference = differenceOf(*x, *y);
        result.nanMismatches += difference.nanMismatch;
        if (difference.absolute > result.maxAbs) {
          result.maxAbs = difference.absolute;
          worstAbs = position;
        }
        if (difference.relative > result.maxRel) {
          result.maxRel = difference.relative;
          worstRel = position;
        }
      }
    });
  });
  if (worstAbs >= 0)
    result.maxAbsIndex = unravel(worstAbs, a.getShape());
  if (worstRel >= 0)
    result.maxRelIndex = unravel(worstRel, a.getShape());
  return result;
}

bool mlir::tensoraccess::isIdentical(const Tensor &a, const Tensor &b) {
  std::optional<Comparison> result = llvm::expectedToOptional(compare(a, b));
  return result && result->allBitEqual();
}

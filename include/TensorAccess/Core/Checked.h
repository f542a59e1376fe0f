//===- Checked.h - Checked numbers and shapes -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_CHECKED_H
#define TENSORACCESS_CORE_CHECKED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Integer arithmetic that reports overflow
//
// Checked 64-bit arithmetic. Every operation on indices in Core goes through
// one of these functions: a result that does not fit is `std::nullopt`, never a
// wrapped number. Division rounds towards minus infinity (floor), as `floordiv`
// in affine expressions does; C++'s `/` rounds towards zero.
//===----------------------------------------------------------------------===//

/// a + b, or std::nullopt if it does not fit.
inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r))
    return std::nullopt;
  return r;
}

/// a - b, or std::nullopt if it does not fit.
inline std::optional<int64_t> checkedSub(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_sub_overflow(a, b, &r))
    return std::nullopt;
  return r;
}

/// a * b, or std::nullopt if it does not fit.
inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r))
    return std::nullopt;
  return r;
}

/// The same for numbers that may already be std::nullopt.
inline std::optional<int64_t> checkedAdd(std::optional<int64_t> a,
                                         std::optional<int64_t> b) {
  return a && b ? checkedAdd(*a, *b) : std::nullopt;
}
inline std::optional<int64_t> checkedSub(std::optional<int64_t> a,
                                         std::optional<int64_t> b) {
  return a && b ? checkedSub(*a, *b) : std::nullopt;
}
inline std::optional<int64_t> checkedMul(std::optional<int64_t> a,
                                         std::optional<int64_t> b) {
  return a && b ? checkedMul(*a, *b) : std::nullopt;
}

/// a·b for counts; std::nullopt if one is unknown or the product does not fit.
inline std::optional<uint64_t> multiplyCounts(std::optional<uint64_t> a,
                                              std::optional<uint64_t> b) {
  uint64_t product;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &product))
    return std::nullopt;
  return product;
}

/// ⌊a / b⌋ for b > 0. Never overflows.
inline int64_t floorDivPositive(int64_t a, int64_t b) {
  assert(b > 0 && "divisor must be positive");
  int64_t q = a / b;
  return q - (a % b < 0);
}

/// a - b⌊a / b⌋ in [0, b - 1] for b > 0. Never overflows.
inline int64_t floorModPositive(int64_t a, int64_t b) {
  assert(b > 0 && "divisor must be positive");
  int64_t r = a % b;
  return r < 0 ? r + b : r;
}

/// ⌈a / b⌉ for b > 0. Never overflows.
inline int64_t ceilDivPositive(int64_t a, int64_t b) {
  assert(b > 0 && "divisor must be positive");
  int64_t q = a / b;
  return q + (a % b > 0);
}

/// The x in [0, m) with a*x = 1 modulo m, for coprime a and m.
inline int64_t inverseModulo(int64_t a, int64_t m) {
  int64_t r0 = m, r1 = floorModPositive(a, m), x0 = 0, x1 = 1;
  while (r1 != 0) {
    int64_t q = r0 / r1;
    std::swap(r0 -= q * r1, r1);
    std::swap(x0 -= q * x1, x1);
  }
  return floorModPositive(x0, m);
}

/// The product of `shape`, or std::nullopt if it does not fit or an extent is
/// negative.
template <typename Range>
std::optional<int64_t> checkedProduct(const Range &shape) {
  int64_t product = 1;
  bool isZero = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    isZero |= extent == 0;
  }
  if (isZero)
    return 0;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(product, extent, &product))
      return std::nullopt;
  return product;
}

/// |a| as an unsigned number; exact even for -2^63.
inline uint64_t magnitude(int64_t a) {
  return a < 0 ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
}

//===----------------------------------------------------------------------===//
// Checked arithmetic on shapes
//===----------------------------------------------------------------------===//

/// The size of a dimension that is unknown at compile time; the value MLIR's
/// shaped types use.
constexpr int64_t kDynamicSize = INT64_MIN;

/// True if any dimension is dynamic.
bool hasDynamicSize(llvm::ArrayRef<int64_t> shape);

/// The number of elements of a shape; 1 for the empty shape. std::nullopt
/// where a dimension is dynamic or the product does not fit in 63 bits (a zero
/// dimension makes the product 0 whatever the others are).
std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> shape);

/// Row-major strides in elements of a static shape whose element count fits.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);
/// The index of a row-major number. A dimension of unknown size, or of 0, takes
/// what those after it leave, as the first one does.
llvm::SmallVector<int64_t> unravel(int64_t number,
                                   llvm::ArrayRef<int64_t> shape);

/// How many places a window has in a dimension: the number of w ≥ 0 with
/// w·stride + (window - 1)·dilation < size. std::nullopt if the dilated
/// window is longer than the dimension or its length overflows. A dynamic size
/// gives a dynamic count. Requires window, stride, dilation ≥ 1.
std::optional<int64_t> windowCount(int64_t size, int64_t window, int64_t stride,
                                   int64_t dilation);

/// The size of a slice that extends to the end of its dimension.
constexpr int64_t kToTheEnd = -1;

/// low + size + (size - 1)·interior + high, without the middle part for size 0.
/// A dynamic size gives a dynamic one. std::nullopt on overflow. Requires
/// non-negative paddings.
std::optional<int64_t> paddedSize(int64_t size, int64_t low, int64_t high,
                                  int64_t interior);

/// True if `perm` holds each of 0 … rank-1 exactly once.
bool isPermutation(llvm::ArrayRef<int64_t> perm, int64_t rank);

/// Appends dimension sizes as MLIR writes them, `3x?x5`, to a string.
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

/// Advances a row-major index in [lo, hi), or from 0 without `lo`. Past the
/// last one, returns false and starts over at the first.
inline bool nextIndex(llvm::MutableArrayRef<int64_t> index,
                      llvm::ArrayRef<int64_t> hi,
                      llvm::ArrayRef<int64_t> lo = {}) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < hi[d])
      return true;
    index[d] = lo.empty() ? 0 : lo[d];
  }
  return false;
}

/// Calls `fn(index)` for each index below `shape`, in row-major order. It may
/// return nothing, or false to stop; returns false if it did.
template <typename Fn>
bool forEachIndex(llvm::ArrayRef<int64_t> shape, Fn &&fn) {
  if (llvm::is_contained(shape, 0))
    return true;
  llvm::SmallVector<int64_t, 6> index(shape.size(), 0);
  do {
    if constexpr (std::is_void_v<decltype(fn(index))>)
      fn(index);
    else if (!fn(index))
      return false;
  } while (nextIndex(index, shape));
  return true;
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_CHECKED_H

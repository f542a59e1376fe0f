//===- CheckedMath.h - Integer arithmetic that admits its limits -*- C++
//-*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checked 64-bit arithmetic. Every operation on indices in Core goes through
// one of these functions: a result that does not fit is `std::nullopt`, never a
// number that wrapped. Division rounds towards minus infinity (floor), as
// `floordiv` in affine expressions does; C++'s `/` rounds towards zero.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_CHECKEDMATH_H
#define TENSORACCESS_CORE_CHECKEDMATH_H

#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>

namespace mlir::tensoraccess {

/// a + b, or none if it does not fit.
inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r))
    return std::nullopt;
  return r;
}

/// a - b, or none if it does not fit.
inline std::optional<int64_t> checkedSub(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_sub_overflow(a, b, &r))
    return std::nullopt;
  return r;
}

/// a * b, or none if it does not fit.
inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r))
    return std::nullopt;
  return r;
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

/// ⌊a / b⌋ for any b; none for b = 0 and for the one quotient that does not
/// fit, -2^63 / -1.
inline std::optional<int64_t> checkedFloorDiv(int64_t a, int64_t b) {
  if (b > 0)
    return floorDivPositive(a, b);
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  int64_t q = a / b;
  return q - (a % b != 0 && a > 0);
}

/// The product of `shape`, or none if it does not fit or an extent is negative.
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

/// |a| as an unsigned number; exact also for -2^63.
inline uint64_t magnitude(int64_t a) {
  return a < 0 ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_CHECKEDMATH_H

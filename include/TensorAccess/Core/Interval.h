//===- Interval.h - Inclusive integer intervals -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// [lower, upper] with both ends included, as in XLA's indexing maps (seed 000).
// The two extreme int64 values stand for "no bound": since every value is an
// int64, [-2^63, 2^63 - 1] excludes nothing, so the reading is exact.
//
// Arithmetic is over-approximating and cannot wrap: an end that does not fit
// becomes "no bound". The interval of a sum therefore always contains the sum.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_INTERVAL_H
#define TENSORACCESS_CORE_INTERVAL_H

#include "TensorAccess/Core/CheckedMath.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>

namespace mlir::tensoraccess {

struct Interval {
  static constexpr int64_t kNoLower = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kNoUpper = std::numeric_limits<int64_t>::max();

  int64_t lower = kNoLower;
  int64_t upper = kNoUpper;

  Interval() = default;
  constexpr Interval(int64_t lower, int64_t upper)
      : lower(lower), upper(upper) {}

  static constexpr Interval point(int64_t value) { return {value, value}; }
  static constexpr Interval all() { return {kNoLower, kNoUpper}; }
  static constexpr Interval atLeast(int64_t lower) { return {lower, kNoUpper}; }
  static constexpr Interval atMost(int64_t upper) { return {kNoLower, upper}; }
  /// The indices of a dimension of `extent` elements: [0, extent - 1], which is
  /// empty for an extent of 0. MLIR's dynamic size, -2^63, is [0, inf].
  static constexpr Interval ofExtent(int64_t extent) {
    return {0, extent == kNoLower ? kNoUpper : extent - 1};
  }

  bool isEmpty() const { return lower > upper; }
  bool isPoint() const { return lower == upper && isFinite(); }
  bool hasLower() const { return lower != kNoLower; }
  bool hasUpper() const { return upper != kNoUpper; }
  bool isFinite() const { return hasLower() && hasUpper(); }
  bool contains(int64_t value) const {
    return lower <= value && value <= upper;
  }
  bool contains(const Interval &other) const {
    return other.isEmpty() || (lower <= other.lower && other.upper <= upper);
  }
  /// Number of integers inside; none if it does not fit an int64.
  std::optional<int64_t> size() const {
    if (isEmpty())
      return 0;
    std::optional<int64_t> d = checkedSub(upper, lower);
    return d ? checkedAdd(*d, 1) : std::nullopt;
  }

  Interval intersect(const Interval &o) const {
    return {std::max(lower, o.lower), std::min(upper, o.upper)};
  }
  /// The smallest interval that contains both.
  Interval hull(const Interval &o) const {
    if (isEmpty())
      return o;
    if (o.isEmpty())
      return *this;
    return {std::min(lower, o.lower), std::max(upper, o.upper)};
  }

  Interval operator+(const Interval &o) const {
    return {addLower(lower, o.lower), addUpper(upper, o.upper)};
  }
  Interval operator+(int64_t c) const { return *this + point(c); }
  Interval operator-() const { return scaled(-1); }
  Interval operator-(const Interval &o) const { return *this + (-o); }

  /// {k * x : x in this}, hulled.
  Interval scaled(int64_t k) const {
    if (k == 0)
      return point(0);
    int64_t fromLower = hasLower() ? mul(lower, k) : kOverflow;
    int64_t fromUpper = hasUpper() ? mul(upper, k) : kOverflow;
    if (k < 0)
      std::swap(fromLower, fromUpper);
    // `kOverflow` is kNoLower; as an upper end it reads "no bound".
    return {fromLower, fromUpper == kOverflow ? kNoUpper : fromUpper};
  }

  /// {⌊x / m⌋ : x in this} for m > 0; exact, since floor is monotone.
  Interval floorDiv(int64_t m) const {
    return {hasLower() ? floorDivPositive(lower, m) : kNoLower,
            hasUpper() ? floorDivPositive(upper, m) : kNoUpper};
  }

  /// {x : k * x in this} for k != 0: the integers between ⌈lower/k⌉ and
  /// ⌊upper/k⌋. Exact.
  Interval dividedBy(int64_t k) const {
    if (k < 0) {
      // k = -2^63 has no positive counterpart; give the trivial answer.
      if (k == kNoLower)
        return all();
      return (-*this).dividedBy(-k);
    }
    return {hasLower() ? ceilDivPositive(lower, k) : kNoLower,
            hasUpper() ? floorDivPositive(upper, k) : kNoUpper};
  }

  /// {x * y}, hulled. Any missing end makes the answer unbounded unless the
  /// other factor is zero.
  Interval operator*(const Interval &o) const {
    if (isPoint())
      return o.scaled(lower);
    if (o.isPoint())
      return scaled(o.lower);
    if (!isFinite() || !o.isFinite()) {
      if (lower >= 0 && o.lower >= 0)
        return {mulOr(lower, o.lower, 0), kNoUpper};
      return all();
    }
    return scaled(o.lower).hull(scaled(o.upper));
  }

  bool operator==(const Interval &o) const {
    return lower == o.lower && upper == o.upper;
  }
  bool operator!=(const Interval &o) const { return !(*this == o); }

  friend llvm::hash_code hash_value(const Interval &i) {
    return llvm::hash_combine(i.lower, i.upper);
  }

private:
  static constexpr int64_t kOverflow = kNoLower;

  static int64_t mul(int64_t a, int64_t b) {
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? kOverflow : r;
  }
  static int64_t mulOr(int64_t a, int64_t b, int64_t otherwise) {
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? otherwise : r;
  }
  static int64_t addLower(int64_t a, int64_t b) {
    int64_t r;
    if (a == kNoLower || b == kNoLower || __builtin_add_overflow(a, b, &r))
      return kNoLower;
    return r;
  }
  static int64_t addUpper(int64_t a, int64_t b) {
    int64_t r;
    if (a == kNoUpper || b == kNoUpper || __builtin_add_overflow(a, b, &r))
      return kNoUpper;
    return r;
  }
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_INTERVAL_H

//===- Support.h - Checked numbers, shapes, files ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_SUPPORT_H
#define TENSORACCESS_CORE_SUPPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <cassert>
#include <cfenv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Integer arithmetic that admits its limits
//
// Checked 64-bit arithmetic. Every operation on indices in Core goes through
// one of these functions: a result that does not fit is `std::nullopt`, never a
// number that wrapped. Division rounds towards minus infinity (floor), as
// `floordiv` in affine expressions does; C++'s `/` rounds towards zero.
//===----------------------------------------------------------------------===//

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

/// The same of numbers that may be none already.
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

//===----------------------------------------------------------------------===//
// Checked arithmetic on shapes
//===----------------------------------------------------------------------===//

/// The size of a dimension that is unknown at compile time; the value MLIR's
/// shaped types use.
constexpr int64_t kDynamicSize = INT64_MIN;

/// True where any dimension is dynamic.
bool hasDynamicSize(llvm::ArrayRef<int64_t> shape);

/// The number of elements of a shape; 1 for the empty shape. std::nullopt
/// where a dimension is dynamic or the product does not fit in 63 bits (a zero
/// dimension makes the product 0 whatever the others are).
std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> shape);

/// Row-major strides in elements of a static shape whose element count fits.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// How many places a window has in a dimension: the number of w ≥ 0 with
/// w·stride + (window - 1)·dilation < size. std::nullopt where the dilated
/// window is longer than the dimension or its length overflows. A dynamic size
/// gives a dynamic count. Requires window, stride, dilation ≥ 1.
std::optional<int64_t> windowCount(int64_t size, int64_t window, int64_t stride,
                                   int64_t dilation);

/// The size of a slice that goes on to the end of its dimension.
constexpr int64_t kToTheEnd = -1;

/// low + size + (size - 1)·interior + high, without the middle part for size 0.
/// A dynamic size gives a dynamic one. std::nullopt on overflow. Requires
/// non-negative paddings.
std::optional<int64_t> paddedSize(int64_t size, int64_t low, int64_t high,
                                  int64_t interior);

/// True where `perm` holds each of 0 … rank-1 exactly once.
bool isPermutation(llvm::ArrayRef<int64_t> perm, int64_t rank);

/// Appends dimension sizes as MLIR writes them, `3x?x5`, to a string.
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

/// Steps a row-major index on in [lo, hi); without `lo` from 0. Past the last
/// one false, and the first one again.
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
/// return nothing, or false to stop; false where it did.
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

//===----------------------------------------------------------------------===//
// Work that is no longer wanted
//
// Whoever starts work may tell it to stop: the flag is the thread's, and long
// loops ask for it. Work that stops fails, or gives what it has; nobody reads
// the result.
//===----------------------------------------------------------------------===//

/// Names the flag of this thread's work while it lives; null: never.
class CancellationScope {
public:
  explicit CancellationScope(const std::atomic<bool> *flag) : outer(current()) {
    current() = flag;
  }
  ~CancellationScope() { current() = outer; }
  CancellationScope(const CancellationScope &) = delete;
  CancellationScope &operator=(const CancellationScope &) = delete;

  static bool isCancelled() {
    const std::atomic<bool> *flag = current();
    return flag && flag->load(std::memory_order_relaxed);
  }

private:
  static const std::atomic<bool> *&current() {
    static thread_local const std::atomic<bool> *flag = nullptr;
    return flag;
  }
  const std::atomic<bool> *outer;
};

/// Whether this thread's work is no longer wanted. Costs about a load.
inline bool isCancelled() { return CancellationScope::isCancelled(); }

//===----------------------------------------------------------------------===//
// How far work is
//
// Whoever starts work may watch it from another thread: long loops count their
// steps where the thread has a Progress. Of loops within loops the outermost
// counts.
//===----------------------------------------------------------------------===//

/// What is seen of work: `done` of at most `total` steps, which are `unit`: a
/// literal, such as "passes", or null between two loops.
struct Progress {
  std::atomic<const char *> unit{nullptr};
  std::atomic<int64_t> done{0}, total{0};
};

/// Names what this thread's work is seen in while it lives; null: nobody looks.
class ProgressScope {
public:
  explicit ProgressScope(Progress *progress) : outer(current()) {
    current() = progress;
  }
  ~ProgressScope() { current() = outer; }
  ProgressScope(const ProgressScope &) = delete;
  ProgressScope &operator=(const ProgressScope &) = delete;

  static Progress *&current() {
    static thread_local Progress *progress = nullptr;
    return progress;
  }

private:
  Progress *outer;
};

/// The steps of a loop.
class ProgressSteps {
public:
  ProgressSteps(const char *unit, int64_t total)
      : progress(ProgressScope::current()) {
    if (progress && progress->unit)
      progress = nullptr;
    if (!progress)
      return;
    progress->done = 0;
    progress->total = total;
    progress->unit = unit;
  }
  ~ProgressSteps() {
    if (progress)
      progress->unit = nullptr;
  }
  ProgressSteps(const ProgressSteps &) = delete;
  ProgressSteps &operator=(const ProgressSteps &) = delete;

  /// Whether somebody looks.
  bool isSeen() const { return progress != nullptr; }
  /// Says how many steps are done.
  void set(int64_t done) {
    if (progress)
      progress->done.store(done, std::memory_order_relaxed);
  }

private:
  Progress *progress;
};

} // namespace mlir::tensoraccess

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What floats are computed under
//===----------------------------------------------------------------------===//

/// While it lives, floats of this thread are IEEE's: rounded to nearest even,
/// subnormal numbers kept, no traps. What was there before comes back.
class FloatEnvironment {
public:
  FloatEnvironment() : isChanged(!isDefault()) {
    if (!isChanged)
      return;
    std::fegetenv(&outer);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironment() {
    if (isChanged)
      std::fesetenv(&outer);
  }
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
  /// Whether nothing is to be done, where asking is much faster than doing.
  static bool isDefault() {
#ifdef __SSE__
    constexpr unsigned kFlags = 0x3f, kDefault = 0x1f80;
    return (_mm_getcsr() & ~kFlags) == kDefault;
#else
    return false;
#endif
  }

  std::fenv_t outer;
  bool isChanged;
};

//===----------------------------------------------------------------------===//
// What tools leave in files
//===----------------------------------------------------------------------===//

/// Makes a file of these bytes; `-` is standard output. A file is there whole or
/// not at all. What is there and is no file, as a device or a pipe, and what a
/// link leads to, is written into, where llvm::writeToOutput would put a file in
/// its place. Messages say that `path` cannot be written, and why.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_SUPPORT_H

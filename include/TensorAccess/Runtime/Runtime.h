//===- Runtime.h - What compiled programs call --------------------*- C -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small library without LLVM and MLIR. The JIT includes it; a program that is
// compiled ahead of time links libTensorAccessRuntime.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_RUNTIME_RUNTIME_H
#define TENSORACCESS_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the elements of a strided array to those of another one of the same
 * shape: a transposition, a packing into tiles, a copy of a slice. The arrays
 * must not overlap. `move` is
 *
 *   bytes of an element, number of dimensions,
 *   size, target stride, source stride      for each dimension, in elements
 *
 * and a size of 0 moves nothing. Whole lines of large targets are written
 * around the caches. Safe to call from several threads at once. */
void tensoraccess_move(void *target, const void *source, const int64_t *move);

/* What TENSORACCESS_THREADS said when it was first asked, or how many processors
 * this process may run on. */
int64_t tensoraccess_threads(void);

/* Calls body(record, i) for each i from 0 to count - 1, in any order and from
 * several threads, and returns when all calls have: at most
 * tensoraccess_threads() at once. Inside of a
 * body, while another thread's bodies run, and where no thread can be made, the
 * calls come one after the other. */
void tensoraccess_parallel(void (*body)(void *record, int64_t i), void *record,
                           int64_t count);

/* The same with at most `threads` threads; as above where that is 0. */
void tensoraccess_parallel_on(void (*body)(void *record, int64_t i),
                              void *record, int64_t count, int64_t threads);

#ifdef __cplusplus
}

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

//===----------------------------------------------------------------------===//
// Moves with padding and conversions, from C++
//
// A move is a few loop nests: element number `source + Σ i·sourceStride` goes
// to number `target + Σ i·targetStride`. Iterations of a loop from `valid` on
// are padding of the target, zeros.
//===----------------------------------------------------------------------===//

namespace tensoraccess_runtime {

/// Consecutive elements, not owned.
template <typename T>
class Span {
public:
  Span() = default;
  Span(const T *data, size_t count) : first(data), count(count) {}
  /*implicit*/ Span(const std::vector<T> &values)
      : first(values.data()), count(values.size()) {}

  const T *begin() const { return first; }
  const T *end() const { return first + count; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T &operator[](size_t i) const { return first[i]; }
  const T &front() const { return first[0]; }
  const T &back() const { return first[count - 1]; }
  Span drop_front() const { return {first + 1, count - 1}; }
  Span drop_back() const { return {first, count - 1}; }
  Span slice(size_t begin, size_t length) const {
    return {first + begin, length};
  }

private:
  const T *first = nullptr;
  size_t count = 0;
};

/// Strides in elements.
struct Loop {
  int64_t extent = 1;
  /// In [1, extent].
  int64_t valid = 1;
  int64_t sourceStride = 0;
  int64_t targetStride = 0;
};
using Loops = std::vector<Loop>;

struct Box {
  int64_t source = 0, target = 0;
  /// By decreasing target stride; empty means a single valid iteration.
  Loops loops;
};

/// Converts `count` consecutive elements; empty if they are copied unchanged.
using Conversion =
    std::function<void(uint8_t *target, const uint8_t *source, int64_t count)>;

struct Move {
  Span<Box> boxes;
  /// The address of element number 0 on either side.
  const uint8_t *source = nullptr;
  uint8_t *target = nullptr;
  /// The bytes of the source that may be read.
  const uint8_t *sourceBegin = nullptr, *sourceEnd = nullptr;
  /// Bytes of an element: 1, 2, 4, 8 or 16.
  int64_t sourceBytes = 1, targetBytes = 1;
  Conversion convert;
  /// Whether the target is too large to stay in the caches.
  bool streams = false;
  /// Whether to use only instructions that every processor of the architecture
  /// has.
  bool portable = false;
};

/// Targets of at least this many bytes are best written around the caches.
constexpr int64_t kStreamBytes = int64_t(4) << 20;
/// A cache line; memory is best aligned to it.
constexpr int64_t kLine = 64;

/// Moves the elements of all boxes and writes zeros where they pad. The boxes
/// must not overlap in the target.
void run(const Move &move);

//===----------------------------------------------------------------------===//
// Matrix routines of LAPACK and BLAS, and Fourier transforms
//
// `cfft`, `zfft` are transforms of complex numbers, `srfft`, `drfft` those of
// real ones, whose last dimension gives n / 2 + 1 complex numbers, `sirfft`,
// `dirfft` their inverses. Options are F or I, for the inverse, and how many of
// the last dimensions are transformed. These are computed here; the other
// libraries are opened on first use, so that only programs that call them
// depend on them. Generated code calls `tensoraccess_lapack_sgetrf` with two
// numbers of eight characters each, the first one lowest: the routine and its
// options; then with unranked memrefs, kMaxLapackArrays of them and, for
// messages, the characters of the program location, the last one 0.
//===----------------------------------------------------------------------===//

/// Contiguous elements, batches of column-major matrices: for n rows and m
/// columns, the last sizes are m, n. Complex numbers are pairs, with a last
/// size of 2.
struct LapackArray {
  void *data = nullptr;
  int64_t rank = 0;
  const int64_t *sizes = nullptr;
};

/// The most arrays that any routine takes.
constexpr int kMaxLapackArrays = 9;

/// Calls a routine, such as `sgetrf`, for each matrix of a batch. `options` are
/// its one-character arguments; arrays are the operands, which are not changed,
/// and the results. Transforms take at most `threads`, if that is not 0.
/// Returns an error message, or an empty string.
std::string callLapack(const std::string &routine, const std::string &options,
                       const LapackArray *arrays, int64_t threads = 0);

/// The same for generated code: eight characters in each number, the first one
/// lowest; arrays, and the program location, as unranked memrefs.
std::string callLapack(int64_t routine, int64_t options, const int64_t *ranks,
                       void *const *memrefs, int64_t threads = 0);

/// The names of all supported routines.
Span<const char *> getLapackRoutines();

} // namespace tensoraccess_runtime
#endif

#endif /* TENSORACCESS_RUNTIME_RUNTIME_H */

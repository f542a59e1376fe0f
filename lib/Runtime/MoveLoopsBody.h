//===- MoveLoopsBody.h - Inner loops for one processor ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included once per instruction set by MoveLoops.cpp, in a namespace of
// its own, with TENSORACCESS_LANES lanes of 16 bytes to a vector.
//
// Everything is the perfect shuffle: a stage takes registers i and i + R/2 of R
// and puts their elements in turns into registers 2i and 2i + 1. The bits of
// (register, position), read as one number, are rotated by one. So, with N
// elements to 16 bytes,
//
//   log2 R stages interleave R rows;
//   log2 N stages deinterleave into R rows;
//   both are the same for R = N: the transposition of an N×N block.
//
// Lanes are independent blocks: loading 16 bytes of row i into one lane and of
// row i + N into the next gives whole vectors of the transposed rows.
//
//===----------------------------------------------------------------------===//

// No include guard: see above.

constexpr int kLanes = TENSORACCESS_LANES;
constexpr int kVector = 16 * kLanes;

template <typename T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(kVector)));
};
template <typename T>
using Vector = typename VectorOf<T>::Type;
/// Elements in a lane.
template <typename T>
constexpr int kLane = 16 / sizeof(T);

#define TENSORACCESS_INLINE inline __attribute__((always_inline))

template <typename T, int Half, size_t... I>
TENSORACCESS_INLINE Vector<T> unpack(Vector<T> a, Vector<T> b,
                                     std::index_sequence<I...>) {
  return __builtin_shufflevector(
      a, b,
      static_cast<int>(I / kLane<T> * kLane<T> + Half * (kLane<T> / 2) +
                       I % kLane<T> / 2 + I % 2 * (kLane<T> * kLanes))...);
}

/// `Stages` perfect shuffles of R registers.
template <typename T, int R, int Stages>
TENSORACCESS_INLINE void shuffle(Vector<T> *rows) {
  using Indices = std::make_index_sequence<kLane<T> * kLanes>;
  Vector<T> next[R];
  for (int stage = 0; stage < Stages; ++stage) {
    for (int i = 0; i < R / 2; ++i) {
      next[2 * i] = unpack<T, 0>(rows[i], rows[i + R / 2], Indices());
      next[2 * i + 1] = unpack<T, 1>(rows[i], rows[i + R / 2], Indices());
    }
    for (int i = 0; i < R; ++i)
      rows[i] = next[i];
  }
}

/// One lane from each of `kLanes` places.
template <typename T>
TENSORACCESS_INLINE Vector<T> loadLanes(const uint8_t *first, int64_t pitch) {
  Vector<T> value;
#if TENSORACCESS_LANES == 2
  value = (Vector<T>)_mm256_inserti128_si256(
      _mm256_castsi128_si256(
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(first))),
      _mm_loadu_si128(reinterpret_cast<const __m128i *>(first + pitch)), 1);
#else
  for (int lane = 0; lane < kLanes; ++lane)
    std::memcpy(reinterpret_cast<uint8_t *>(&value) + 16 * lane,
                first + lane * pitch, 16);
#endif
  return value;
}

template <typename T>
TENSORACCESS_INLINE Vector<T> load(const uint8_t *from) {
  Vector<T> value;
  std::memcpy(&value, from, kVector);
  return value;
}

template <typename V>
TENSORACCESS_INLINE void store(uint8_t *to, V value) {
  std::memcpy(to, &value, sizeof(V));
}

/// A non-temporal store to an aligned address.
template <typename V>
TENSORACCESS_INLINE void storeAround(uint8_t *to, V value) {
#if TENSORACCESS_LANES == 2
  _mm256_stream_si256(reinterpret_cast<__m256i *>(to), (__m256i)value);
#elif defined(__SSE2__)
  _mm_stream_si128(reinterpret_cast<__m128i *>(to), (__m128i)value);
#else
  store(to, value);
#endif
}

template <bool Around, typename V>
TENSORACCESS_INLINE void storeAs(uint8_t *to, V value) {
  if constexpr (Around)
    storeAround(to, value);
  else
    store(to, value);
}

template <typename T>
constexpr int log2Lane() {
  return sizeof(T) == 1 ? 4 : sizeof(T) == 2 ? 3 : sizeof(T) == 4 ? 2 : 1;
}

/// kLanes·N rows by N columns, N elements being a lane.
template <typename T, bool Around = false>
TENSORACCESS_INLINE void transposeBlock(uint8_t *target, int64_t targetPitch,
                                        const uint8_t *source,
                                        int64_t sourcePitch) {
  constexpr int n = kLane<T>;
  Vector<T> rows[n];
  for (int i = 0; i < n; ++i)
    rows[i] = loadLanes<T>(source + i * sourcePitch, n * sourcePitch);
  shuffle<T, n, log2Lane<T>()>(rows);
  for (int i = 0; i < n; ++i)
    storeAs<Around>(target + i * targetPitch, rows[i]);
}

/// A block at the edge: through a whole one beside.
template <typename T>
void transposeEdge(uint8_t *target, int64_t targetPitch, const uint8_t *source,
                   int64_t sourcePitch, int64_t rows, int64_t columns) {
  constexpr int n = kLane<T>;
  uint8_t in[n * kLanes * 16] = {}, out[n * kVector];
  for (int64_t r = 0; r < rows; ++r)
    std::memcpy(in + 16 * r, source + r * sourcePitch, columns * sizeof(T));
  transposeBlock<T>(out, kVector, in, 16);
  for (int64_t c = 0; c < columns; ++c)
    std::memcpy(target + c * targetPitch, out + c * kVector, rows * sizeof(T));
}

template <typename T>
void transpose(uint8_t *target, int64_t targetPitch, const uint8_t *source,
               int64_t sourcePitch, int64_t rows, int64_t columns) {
  constexpr int64_t n = kLane<T>, size = sizeof(T);
  for (int64_t r = 0; r < rows; r += n * kLanes)
    for (int64_t c = 0; c < columns; c += n) {
      uint8_t *to = target + c * targetPitch + r * size;
      const uint8_t *from = source + r * sourcePitch + c * size;
      int64_t rowsHere = rows - r, columnsHere = columns - c;
      if (rowsHere >= n * kLanes && columnsHere >= n)
        transposeBlock<T>(to, targetPitch, from, sourcePitch);
      else
        transposeEdge<T>(to, targetPitch, from, sourcePitch,
                         rowsHere < n * kLanes ? rowsHere : n * kLanes,
                         columnsHere < n ? columnsHere : n);
    }
}

/// Whole lines of the target at once: as many blocks as fill them. The last
/// columns are done from the end, some of them twice.
template <typename T>
void transposeLines(uint8_t *target, int64_t targetPitch, const uint8_t *source,
                    int64_t sourcePitch, int64_t rows, int64_t columns) {
  constexpr int64_t n = kLane<T>, size = sizeof(T);
  constexpr int blocks = kLine / kVector;
  for (int64_t r = 0; r < rows; r += kLine / size)
    for (int64_t next = 0; next < columns; next += n) {
      int64_t c = std::min(next, columns - n);
      const uint8_t *from = source + r * sourcePitch + c * size;
      Vector<T> lines[blocks][n];
      for (int b = 0; b < blocks; ++b) {
        for (int i = 0; i < n; ++i)
          lines[b][i] = loadLanes<T>(from + (b * n * kLanes + i) * sourcePitch,
                                     n * sourcePitch);
        shuffle<T, n, log2Lane<T>()>(lines[b]);
      }
      for (int i = 0; i < n; ++i)
        for (int b = 0; b < blocks; ++b)
          storeAround(target + (c + i) * targetPitch + r * size + b * kVector,
                      lines[b][i]);
    }
}

/// Rows of 32 bytes; the last columns as above.
template <typename T>
void transposeAround(uint8_t *target, int64_t targetPitch,
                     const uint8_t *source, int64_t sourcePitch, int64_t rows,
                     int64_t columns) {
  constexpr int64_t n = kLane<T>, size = sizeof(T);
  for (int64_t next = 0; next < columns; next += n) {
    int64_t c = std::min(next, columns - n);
    for (int64_t r = 0; r < rows; r += n * kLanes)
      transposeBlock<T, true>(target + c * targetPitch + r * size, targetPitch,
                              source + r * sourcePitch + c * size, sourcePitch);
  }
}

template <typename T>
TENSORACCESS_INLINE Vector<T> pairLanes(Vector<T> a, Vector<T> b, bool isHigh) {
#if TENSORACCESS_LANES == 2
  return isHigh ? (Vector<T>)_mm256_permute2x128_si256((__m256i)a, (__m256i)b,
                                                       0x31)
                : (Vector<T>)_mm256_permute2x128_si256((__m256i)a, (__m256i)b,
                                                       0x20);
#else
  return isHigh ? b : a;
#endif
}

template <typename T, int R, bool Around>
void interleaveRows(uint8_t *target, const uint8_t *source, int64_t sourcePitch,
                    int64_t columns) {
  constexpr int64_t size = sizeof(T), step = kLane<T> * kLanes;
  constexpr int stages = R == 2 ? 1 : R == 4 ? 2 : R == 8 ? 3 : 4;
  int64_t c = 0;
  for (; c + step <= columns; c += step) {
    Vector<T> rows[R];
    for (int i = 0; i < R; ++i)
      rows[i] = load<T>(source + i * sourcePitch + c * size);
    shuffle<T, R, stages>(rows);
    uint8_t *to = target + c * R * size;
    if constexpr (kLanes == 1) {
      for (int i = 0; i < R; ++i)
        storeAs<Around>(to + 16 * i, rows[i]);
    } else {
      for (int i = 0; i < R; i += 2)
        storeAs<Around>(to + 16 * i, pairLanes<T>(rows[i], rows[i + 1], false));
      for (int i = 0; i < R; i += 2)
        storeAs<Around>(to + 16 * (R + i),
                        pairLanes<T>(rows[i], rows[i + 1], true));
    }
  }
  for (; c < columns; ++c)
    for (int i = 0; i < R; ++i)
      std::memcpy(target + (c * R + i) * size,
                  source + i * sourcePitch + c * size, size);
}

template <typename T, bool Around = false>
void interleave(uint8_t *target, int64_t targetPitch, const uint8_t *source,
                int64_t sourcePitch, int64_t rows, int64_t columns) {
  (void)targetPitch;
  if constexpr (sizeof(T) <= 1)
    if (rows == 16)
      return interleaveRows<T, 16, Around>(target, source, sourcePitch,
                                           columns);
  if constexpr (sizeof(T) <= 2)
    if (rows == 8)
      return interleaveRows<T, 8, Around>(target, source, sourcePitch, columns);
  if constexpr (sizeof(T) <= 4)
    if (rows == 4)
      return interleaveRows<T, 4, Around>(target, source, sourcePitch, columns);
  interleaveRows<T, 2, Around>(target, source, sourcePitch, columns);
}

template <typename T, int C, bool Around>
void deinterleaveInto(uint8_t *target, int64_t targetPitch,
                      const uint8_t *source, int64_t rows) {
  constexpr int64_t size = sizeof(T), step = kLane<T> * kLanes;
  // Whole lines at once where they go around the caches.
  constexpr int blocks = Around ? kLine / kVector : 1;
  int64_t r = 0;
  for (; r + step * blocks <= rows; r += step * blocks) {
    Vector<T> regs[blocks][C];
    for (int b = 0; b < blocks; ++b) {
      const uint8_t *from = source + (r + b * step) * C * size;
      for (int i = 0; i < C; ++i)
        regs[b][i] = loadLanes<T>(from + 16 * i, 16 * C);
      shuffle<T, C, log2Lane<T>()>(regs[b]);
    }
    for (int i = 0; i < C; ++i)
      for (int b = 0; b < blocks; ++b)
        storeAs<Around>(target + i * targetPitch + (r + b * step) * size,
                        regs[b][i]);
  }
  for (; r < rows; ++r)
    for (int i = 0; i < C; ++i)
      std::memcpy(target + i * targetPitch + r * size,
                  source + (r * C + i) * size, size);
}

template <typename T, bool Around = false>
void deinterleave(uint8_t *target, int64_t targetPitch, const uint8_t *source,
                  int64_t sourcePitch, int64_t rows, int64_t columns) {
  (void)sourcePitch;
  if constexpr (sizeof(T) <= 1)
    if (columns == 16)
      return deinterleaveInto<T, 16, Around>(target, targetPitch, source, rows);
  if constexpr (sizeof(T) <= 2)
    if (columns == 8)
      return deinterleaveInto<T, 8, Around>(target, targetPitch, source, rows);
  if constexpr (sizeof(T) <= 4)
    if (columns == 4)
      return deinterleaveInto<T, 4, Around>(target, targetPitch, source, rows);
  deinterleaveInto<T, 2, Around>(target, targetPitch, source, rows);
}

void stream(uint8_t *target, const uint8_t *source, int64_t bytes) {
  int64_t head = -reinterpret_cast<uintptr_t>(target) % kLine;
  if (head > bytes)
    head = bytes;
  if (head > 0) {
    std::memcpy(target, source, head);
    target += head;
    source += head;
    bytes -= head;
  }
  for (; bytes >= kLine; bytes -= kLine, target += kLine, source += kLine) {
    Vector<uint8_t> parts[kLine / kVector];
    for (int i = 0; i < kLine / kVector; ++i)
      parts[i] = load<uint8_t>(source + i * kVector);
    for (int i = 0; i < kLine / kVector; ++i)
      storeAround(target + i * kVector, parts[i]);
  }
  if (bytes > 0)
    std::memcpy(target, source, bytes);
}

void streamRuns(uint8_t *target, int64_t targetPitch, const uint8_t *source,
                int64_t sourcePitch, int64_t count, int64_t bytes,
                int64_t ahead) {
  for (int64_t run = 0; run < count; ++run) {
    uint8_t *to = target + run * targetPitch;
    const uint8_t *from = source + run * sourcePitch;
    for (int64_t i = 0; i < bytes; i += kLine) {
      __builtin_prefetch(from + ahead + i);
      Vector<uint8_t> parts[kLine / kVector];
      for (int k = 0; k < kLine / kVector; ++k)
        parts[k] = load<uint8_t>(from + i + k * kVector);
      for (int k = 0; k < kLine / kVector; ++k)
        storeAround(to + i + k * kVector, parts[k]);
    }
  }
}

void fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

#include "StreamBody.h"

#define TENSORACCESS_EACH(fn)                                                  \
  {fn<uint8_t>, fn<uint16_t>, fn<uint32_t>, fn<uint64_t>}
#define TENSORACCESS_EACH_AROUND(fn)                                           \
  {fn<uint8_t, true>, fn<uint16_t, true>, fn<uint32_t, true>,                  \
   fn<uint64_t, true>}
const MoveLoops moveLoops = {TENSORACCESS_NAME,
                             TENSORACCESS_EACH(transpose),
                             TENSORACCESS_EACH(interleave),
                             TENSORACCESS_EACH(deinterleave),
                             TENSORACCESS_EACH(transposeLines),
                             TENSORACCESS_EACH(transposeAround),
                             TENSORACCESS_EACH_AROUND(interleave),
                             TENSORACCESS_EACH_AROUND(deinterleave),
                             stream,
                             streamRuns,
                             pour,
                             TENSORACCESS_EACH(pourSecond),
                             TENSORACCESS_EACH(pourFourth),
                             TENSORACCESS_EACH(pourPairs),
                             TENSORACCESS_EACH(pourSplit),
                             fence};

#undef TENSORACCESS_EACH
#undef TENSORACCESS_EACH_AROUND
#undef TENSORACCESS_INLINE

//===- StreamBody.h - Pouring runs into lines -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by MoveLoopsBody.h, once per instruction set.
//
// A target is written line by line, from its begin to its end, each line once
// and by non-temporal stores, while its bytes come from runs of any length. The
// line that a run ends in waits in registers for the next run: that one is read
// from as far before its begin as the line is filled, and only its bytes are
// taken over. No byte goes by way of memory, as a load that waits for stores of
// other sizes also waits for the non-temporal ones before them.
//
//===----------------------------------------------------------------------===//

// No include guard: see above.

struct Line {
  Vector<uint8_t> parts[kLine / kVector];
};

template <typename T, size_t... I>
TENSORACCESS_INLINE Vector<T> takeEven(Vector<T> a, Vector<T> b,
                                       std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(2 * I)...);
}

template <typename T, size_t... I>
TENSORACCESS_INLINE Vector<T> takeOdd(Vector<T> a, Vector<T> b,
                                      std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(2 * I + 1)...);
}

/// Where nothing is known of what surrounds a line.
struct Anywhere {
  TENSORACCESS_INLINE const uint8_t *operator()(const uint8_t *from) const {
    return from;
  }
};

/// Part of a line at the end of a run: vectors outside of the run, whose bytes
/// don't matter, would cost lines of the source.
struct Within {
  const uint8_t *begin, *end;
  TENSORACCESS_INLINE const uint8_t *operator()(const uint8_t *from) const {
    return from + kVector <= begin || from >= end ? begin : from;
  }
};

/// How a line is read: from `Up` / `Down` times its bytes.
struct Plain {
  static constexpr int64_t Up = 1, Down = 1, Rows = 1;
  template <typename Place>
  TENSORACCESS_INLINE void operator()(Line *line, const uint8_t *from,
                                      Place place) const {
    for (int i = 0; i < kLine / kVector; ++i)
      line->parts[i] = load<uint8_t>(place(from + i * kVector));
  }
};

/// Every second element: that number `Odd` of each pair.
template <typename T, bool Odd>
struct EverySecond {
  static constexpr int64_t Up = 2, Down = 1, Rows = 1;
  template <typename Place>
  TENSORACCESS_INLINE void operator()(Line *line, const uint8_t *from,
                                      Place place) const {
    using Indices = std::make_index_sequence<kVector / sizeof(T)>;
    for (int i = 0; i < kLine / kVector; ++i) {
      Vector<T> a = load<T>(place(from + 2 * i * kVector));
      Vector<T> b = load<T>(place(from + (2 * i + 1) * kVector));
      line->parts[i] = (Vector<uint8_t>)(Odd ? takeOdd<T>(a, b, Indices())
                                             : takeEven<T>(a, b, Indices()));
    }
  }
};

template <typename T>
struct EveryFourth {
  static constexpr int64_t Up = 4, Down = 1, Rows = 1;
  template <typename Place>
  TENSORACCESS_INLINE void operator()(Line *line, const uint8_t *from,
                                      Place place) const {
    using Indices = std::make_index_sequence<kVector / sizeof(T)>;
    for (int i = 0; i < kLine / kVector; ++i) {
      Vector<T> even[2];
      for (int k = 0; k < 2; ++k) {
        const uint8_t *at = from + (4 * i + 2 * k) * kVector;
        even[k] = takeEven<T>(load<T>(place(at)), load<T>(place(at + kVector)),
                              Indices());
      }
      line->parts[i] =
          (Vector<uint8_t>)takeEven<T>(even[0], even[1], Indices());
    }
  }
};

/// Four interleaved rows, a line of each.
template <typename T>
struct SplitRows {
  static constexpr int64_t Up = 4, Down = 1, Rows = 4;
  template <typename Place>
  TENSORACCESS_INLINE void operator()(Line *lines, const uint8_t *from,
                                      Place place) const {
    using Indices = std::make_index_sequence<kVector / sizeof(T)>;
    for (int i = 0; i < kLine / kVector; ++i) {
      Vector<T> even[2], odd[2];
      for (int k = 0; k < 2; ++k) {
        const uint8_t *at = from + (4 * i + 2 * k) * kVector;
        Vector<T> a = load<T>(place(at)), b = load<T>(place(at + kVector));
        even[k] = takeEven<T>(a, b, Indices());
        odd[k] = takeOdd<T>(a, b, Indices());
      }
      lines[0].parts[i] =
          (Vector<uint8_t>)takeEven<T>(even[0], even[1], Indices());
      lines[1].parts[i] =
          (Vector<uint8_t>)takeEven<T>(odd[0], odd[1], Indices());
      lines[2].parts[i] =
          (Vector<uint8_t>)takeOdd<T>(even[0], even[1], Indices());
      lines[3].parts[i] =
          (Vector<uint8_t>)takeOdd<T>(odd[0], odd[1], Indices());
    }
  }
};

/// Elements of two interleaved rows.
template <typename T>
struct Pairs {
  static constexpr int64_t Up = 1, Down = 2, Rows = 1;
  int64_t rowPitch;
  template <typename Place>
  TENSORACCESS_INLINE void operator()(Line *line, const uint8_t *from,
                                      Place place) const {
    using Indices = std::make_index_sequence<kLane<T> * kLanes>;
    for (int i = 0; i < kLine / kVector; i += 2) {
      Vector<T> a = load<T>(place(from + i / 2 * kVector));
      Vector<T> b = load<T>(place(from + i / 2 * kVector) + rowPitch);
      Vector<T> low = unpack<T, 0>(a, b, Indices());
      Vector<T> high = unpack<T, 1>(a, b, Indices());
      if constexpr (kLanes == 1) {
        line->parts[i] = (Vector<uint8_t>)low;
        line->parts[i + 1] = (Vector<uint8_t>)high;
      } else {
        line->parts[i] = (Vector<uint8_t>)pairLanes<T>(low, high, false);
        line->parts[i + 1] = (Vector<uint8_t>)pairLanes<T>(low, high, true);
      }
    }
  }
};

/// Bytes of which the last kLine are set, and those before are not; from
/// kLine - k on, they are the mask of what follows k bytes.
alignas(kLine) const struct LineMasks {
  uint8_t bytes[2 * kLine] = {};
  constexpr LineMasks() {
    for (int64_t i = kLine; i < 2 * kLine; ++i)
      bytes[i] = 0xff;
  }
} lineMasks;

/// Puts the bytes of `next` after the first `filled` into `line`.
TENSORACCESS_INLINE void takeOver(Line &line, const Line &next,
                                  int64_t filled) {
  for (int i = 0; i < kLine / kVector; ++i) {
    auto mask = load<uint8_t>(lineMasks.bytes + kLine - filled + i * kVector);
    line.parts[i] = (line.parts[i] & ~mask) | (next.parts[i] & mask);
  }
}

TENSORACCESS_INLINE void storeLine(uint8_t *to, const Line &line) {
  for (int i = 0; i < kLine / kVector; ++i)
    storeAround(to + i * kVector, line.parts[i]);
}

template <typename Read>
TENSORACCESS_INLINE void pourRuns(LineWriter &writer, const uint8_t *source,
                                  int64_t pitch, int64_t count, int64_t bytes,
                                  Read read) {
  constexpr int64_t up = Read::Up, down = Read::Down;
  // Beside the lines of the target, those of the rows that follow.
  constexpr int rows = Read::Rows;
  Line line[rows];
  Plain()(line, writer.bytes, Anywhere());
  uint8_t *to = writer.line, *aside = writer.aside;
  for (int row = 1; row < rows; ++row)
    Plain()(line + row, aside + (row - 1) * writer.asidePitch, Anywhere());
  uintptr_t ahead = writer.ahead;
  int64_t filled = writer.filled;
  auto putAside = [&](const Line *lines) {
    for (int row = 1; row < rows; ++row)
      for (int i = 0; i < kLine / kVector; ++i)
        store(aside + (row - 1) * writer.asidePitch + i * kVector,
              lines[row].parts[i]);
  };
  for (int64_t run = 0; run < count; ++run) {
    const uint8_t *from = source + run * pitch;
    Within within{from, from + bytes * up / down};
    if (writer.distance)
      ahead = reinterpret_cast<uintptr_t>(from) + writer.distance;
    int64_t at = 0;
    if (filled > 0) {
      Line next[rows];
      read(next, from - filled * up / down, within);
      for (int row = 0; row < rows; ++row)
        takeOver(line[row], next[row], filled);
      at = kLine - filled;
      if (bytes < at) {
        filled += bytes;
        continue;
      }
      if (__builtin_expect(writer.skipped > 0, false)) {
        alignas(kLine) uint8_t first[kLine];
        std::memcpy(first, line, kLine);
        std::memcpy(to + writer.skipped, first + writer.skipped,
                    kLine - writer.skipped);
        writer.skipped = 0;
      } else {
        storeLine(to, line[0]);
      }
      putAside(line);
      to += kLine;
      if constexpr (rows > 1)
        aside += kLine;
      __builtin_prefetch(reinterpret_cast<const void *>(ahead));
      ahead += kLine;
    }
    for (; at + kLine <= bytes; at += kLine) {
      __builtin_prefetch(reinterpret_cast<const void *>(ahead));
      Line whole[rows];
      read(whole, from + at * up / down, Anywhere());
      storeLine(to, whole[0]);
      putAside(whole);
      to += kLine;
      if constexpr (rows > 1)
        aside += kLine;
      ahead += kLine;
    }
    filled = bytes - at;
    if (filled > 0)
      read(line, from + at * up / down, within);
  }
  std::memcpy(writer.bytes, line, kLine);
  putAside(line);
  writer.line = to;
  writer.aside = aside;
  writer.ahead = ahead;
  writer.filled = filled;
}

void pour(LineWriter &writer, const uint8_t *source, int64_t pitch,
          int64_t count, int64_t bytes, int64_t) {
  pourRuns(writer, source, pitch, count, bytes, Plain());
}

/// Pairs are read from where they begin, if elements are aligned.
template <typename T>
void pourSecond(LineWriter &writer, const uint8_t *source, int64_t pitch,
                int64_t count, int64_t bytes, int64_t) {
  if (reinterpret_cast<uintptr_t>(source) / sizeof(T) % 2 == 0)
    pourRuns(writer, source, pitch, count, bytes, EverySecond<T, false>());
  else
    pourRuns(writer, source - sizeof(T), pitch, count, bytes,
             EverySecond<T, true>());
}

template <typename T>
void pourFourth(LineWriter &writer, const uint8_t *source, int64_t pitch,
                int64_t count, int64_t bytes, int64_t) {
  pourRuns(writer, source, pitch, count, bytes, EveryFourth<T>());
}

template <typename T>
void pourPairs(LineWriter &writer, const uint8_t *source, int64_t pitch,
               int64_t count, int64_t bytes, int64_t rowPitch) {
  pourRuns(writer, source, pitch, count, bytes, Pairs<T>{rowPitch});
}

template <typename T>
void pourSplit(LineWriter &writer, const uint8_t *source, int64_t pitch,
               int64_t count, int64_t bytes, int64_t) {
  pourRuns(writer, source, pitch, count, bytes, SplitRows<T>());
}

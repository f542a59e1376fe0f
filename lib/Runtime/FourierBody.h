//===- FourierBody.h - Fourier transforms of lines --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fourier.cpp includes it for each instruction set, in a namespace of its own.
// Nothing of the standard library is called here, whose functions are shared.
//
//===----------------------------------------------------------------------===//

/// Lines side by side: V is a T, or a vector with an element of each line.
template <typename T, typename V>
class Kernel {
public:
  using C = Complex<V>;
  static constexpr int kLanes = sizeof(V) / sizeof(T);

  /// Transforms the lines `first`, …; those beyond the last are the last.
  static void run(const Lines<T> &lines, int64_t first, C *memory);
  /// The result is in x.
  static void transform(const Plan<T> &plan, C *&x, C *&y);

private:
  static void load(const Lines<T> &lines, const int64_t *at, C *to);
  static void store(const Lines<T> &lines, const int64_t *at, const C *from);
  static void transformByChirp(const Plan<T> &plan, C *&x, C *&y);
  static void mergePairs(const Plan<T> &plan, C *x);
  static void splitPairs(const Plan<T> &plan, C *x);
  static void turn(const Lines<T> &lines, const int64_t *at, C *x);

  static C add(const C &a, const C &b) { return {a.re + b.re, a.im + b.im}; }
  static C sub(const C &a, const C &b) { return {a.re - b.re, a.im - b.im}; }
  /// a - i·b and a + i·b
  static C subTurned(const C &a, const C &b) {
    return {a.re + b.im, a.im - b.re};
  }
  static C addTurned(const C &a, const C &b) {
    return {a.re - b.im, a.im + b.re};
  }
  static C mul(const C &a, const Complex<T> &w) {
    return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
  }

  template <int P>
  static void pass(const Pass<T> &pass, const C *x, C *y);
  template <int P>
  static void butterfly(const Pass<T> &pass, const C *x, int64_t pitch, C *y);
};

/// The parts of complex numbers, those of the first vector in the first half of
/// each half, and back.
static inline void split(const Float8 &a, const Float8 &b, Float8 &re,
                         Float8 &im) {
  re = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
  im = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}
static inline void join(const Float8 &re, const Float8 &im, Float8 &a,
                        Float8 &b) {
  a = __builtin_shufflevector(re, im, 0, 8, 1, 9, 4, 12, 5, 13);
  b = __builtin_shufflevector(re, im, 2, 10, 3, 11, 6, 14, 7, 15);
}
static inline void split(const Double4 &a, const Double4 &b, Double4 &re,
                         Double4 &im) {
  re = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  im = __builtin_shufflevector(a, b, 1, 5, 3, 7);
}
static inline void join(const Double4 &re, const Double4 &im, Double4 &a,
                        Double4 &b) {
  split(re, im, a, b);
}
template <typename T>
static inline void split(T a, T b, T &re, T &im) {
  re = a;
  im = b;
}
template <typename T>
static inline void join(T re, T im, T &a, T &b) {
  a = re;
  b = im;
}

/// Of a square of complex numbers, a row in each vector.
static inline void transpose(Double4 *rows) {
  const Double4 a = rows[0], b = rows[1];
  rows[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
static inline void transpose(Float8 *rows) {
  Double4 pairs[4], low[2], high[2];
  __builtin_memcpy(pairs, rows, sizeof(pairs));
  for (int i = 0; i < 2; ++i) {
    const Double4 a = pairs[2 * i], b = pairs[2 * i + 1];
    low[i] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    high[i] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  }
  transpose(low);
  transpose(high);
  __builtin_memcpy(rows, low, sizeof(Double4));
  __builtin_memcpy(rows + 1, high, sizeof(Double4));
  __builtin_memcpy(rows + 2, low + 1, sizeof(Double4));
  __builtin_memcpy(rows + 3, high + 1, sizeof(Double4));
}

template <typename T, typename V>
void Kernel<T, V>::load(const Lines<T> &lines, const int64_t *at, C *to) {
  const int64_t n = lines.plan->n, given = lines.inSize;
  const int64_t parts = lines.isFromReal ? 1 : 2;
  const int64_t pitch = lines.after * parts;
  auto put = [&](int64_t j, const V &first, const V &second) {
    V re, im;
    split(first, second, re, im);
    to[j] = lines.isInverse ? C{im, re} : C{re, im};
  };
  int64_t j = 0;
  if constexpr (kLanes > 1) {
    constexpr int rows = kLanes / 2;
    if (pitch == 2 && parts == 2)
      for (; j + rows <= given; j += rows) {
        V halves[2][rows];
        for (int l = 0; l < kLanes; ++l)
          __builtin_memcpy(&halves[l / rows][l % rows],
                           lines.in + 2 * (at[l] + j), sizeof(V));
        transpose(halves[0]);
        transpose(halves[1]);
        for (int i = 0; i < rows; ++i)
          put(j + i, halves[0][i], halves[1][i]);
      }
  }
  for (; j < given; ++j) {
    T values[2 * kLanes];
    for (int l = 0; l < kLanes; ++l) {
      const T *from = lines.in + at[l] * parts + j * pitch;
      values[2 * l] = from[0];
      values[2 * l + 1] = lines.isFromReal ? T(0) : from[1];
    }
    V halves[2];
    __builtin_memcpy(halves, values, sizeof(halves));
    put(j, halves[0], halves[1]);
  }
  if (given == n)
    return;
  // Of real numbers the first one is real, and the middle one.
  to[0].re = V() * T(0);
  if (lines.isInPairs)
    to[n].re = V() * T(0);
  // What the input leaves out is its conjugate, read backwards; the parts are
  // swapped.
  for (j = given; j < n; ++j)
    to[j] = {-to[n - j].re, to[n - j].im};
}

template <typename T, typename V>
void Kernel<T, V>::store(const Lines<T> &lines, const int64_t *at,
                         const C *from) {
  const int64_t parts = lines.isToReal ? 1 : 2;
  const int64_t pitch = lines.outAfter * parts;
  auto get = [&](int64_t j, V &first, V &second) {
    V re = lines.isInverse ? from[j].im : from[j].re;
    V im = lines.isInverse ? from[j].re : from[j].im;
    if (lines.divisor != 1) {
      re = re / lines.divisor;
      im = im / lines.divisor;
    }
    join(re, im, first, second);
  };
  int64_t j = 0;
  if constexpr (kLanes > 1) {
    constexpr int rows = kLanes / 2;
    if (pitch == 2 && parts == 2)
      for (; j + rows <= lines.outSize; j += rows) {
        V halves[2][rows];
        for (int i = 0; i < rows; ++i)
          get(j + i, halves[0][i], halves[1][i]);
        transpose(halves[0]);
        transpose(halves[1]);
        for (int l = 0; l < kLanes; ++l)
          __builtin_memcpy(lines.out + 2 * (at[l] + j),
                           &halves[l / rows][l % rows], sizeof(V));
      }
  }
  for (; j < lines.outSize; ++j) {
    V halves[2];
    get(j, halves[0], halves[1]);
    T values[2 * kLanes];
    __builtin_memcpy(values, halves, sizeof(halves));
    for (int l = 0; l < kLanes; ++l) {
      T *to = lines.out + at[l] * parts + j * pitch;
      to[0] = values[2 * l];
      if (!lines.isToReal)
        to[1] = values[2 * l + 1];
    }
  }
}

/// y[k] = Σ x[j·pitch]·exp(-2πi·j·k/P); of P = 0, `pass.factor` numbers.
template <typename T, typename V>
template <int P>
void Kernel<T, V>::butterfly(const Pass<T> &pass, const C *x, int64_t pitch,
                             C *y) {
  if constexpr (P == 2) {
    y[0] = add(x[0], x[pitch]);
    y[1] = sub(x[0], x[pitch]);
  } else if constexpr (P == 4) {
    const C a = add(x[0], x[2 * pitch]), b = sub(x[0], x[2 * pitch]);
    const C c = add(x[pitch], x[3 * pitch]), d = sub(x[pitch], x[3 * pitch]);
    y[0] = add(a, c);
    y[1] = subTurned(b, d);
    y[2] = sub(a, c);
    y[3] = addTurned(b, d);
  } else if constexpr (P == 8) {
    C even[4], odd[4];
    butterfly<4>(pass, x, 2 * pitch, even);
    butterfly<4>(pass, x + pitch, 2 * pitch, odd);
    const T half = T(0.70710678118654752440L);
    // Multiplied by exp(-2πi·k/8).
    odd[1] = {(odd[1].re + odd[1].im) * half, (odd[1].im - odd[1].re) * half};
    odd[3] = {(odd[3].im - odd[3].re) * half, -(odd[3].re + odd[3].im) * half};
    for (int k = 0; k < 4; ++k) {
      y[k] = k == 2 ? subTurned(even[k], odd[k]) : add(even[k], odd[k]);
      y[k + 4] = k == 2 ? addTurned(even[k], odd[k]) : sub(even[k], odd[k]);
    }
  } else {
    const int p = P ? P : pass.factor, half = (p - 1) / 2;
    C sums[(P ? P : kMaxFactor) / 2 + 1],
        differences[(P ? P : kMaxFactor) / 2 + 1];
    y[0] = x[0];
    for (int j = 1; j <= half; ++j) {
      sums[j] = add(x[j * pitch], x[(p - j) * pitch]);
      differences[j] = sub(x[j * pitch], x[(p - j) * pitch]);
      y[0] = add(y[0], sums[j]);
    }
    for (int k = 1; k <= half; ++k) {
      C even = x[0], odd = {V() * T(0), V() * T(0)};
      for (int j = 1, at = k; j <= half; ++j, at += at + k < p ? k : k - p) {
        const Complex<T> w = pass.roots[at];
        even = {even.re + sums[j].re * w.re, even.im + sums[j].im * w.re};
        // w.im is of the other sign than the sine.
        odd = {odd.re - differences[j].re * w.im,
               odd.im - differences[j].im * w.im};
      }
      y[k] = subTurned(even, odd);
      y[p - k] = addTurned(even, odd);
    }
  }
}

template <typename T, typename V>
template <int P>
void Kernel<T, V>::pass(const Pass<T> &pass, const C *x, C *y) {
  const int p = P ? P : pass.factor;
  const int64_t inner = pass.inner, outer = pass.outer;
  for (int64_t k = 0; k < outer; ++k) {
    const Complex<T> *w = pass.twiddles;
    for (int64_t i = 0; i < inner; ++i) {
      C values[P ? P : kMaxFactor];
      butterfly<P>(pass, x + i + inner * p * k, inner, values);
      C *to = y + i + inner * k;
      to[0] = values[0];
      for (int j = 1; j < p; ++j)
        to[inner * outer * j] = i == 0 ? values[j] : mul(values[j], *w++);
    }
  }
}

template <typename T, typename V>
void Kernel<T, V>::transform(const Plan<T> &plan, C *&x, C *&y) {
  for (int64_t i = 0; i < plan.passCount; ++i) {
    const Pass<T> &now = plan.passes[i];
    switch (now.factor) {
    case 2:
      pass<2>(now, x, y);
      break;
    case 3:
      pass<3>(now, x, y);
      break;
    case 4:
      pass<4>(now, x, y);
      break;
    case 5:
      pass<5>(now, x, y);
      break;
    case 7:
      pass<7>(now, x, y);
      break;
    case 8:
      pass<8>(now, x, y);
      break;
    default:
      pass<0>(now, x, y);
    }
    C *result = y;
    y = x;
    x = result;
  }
}

/// By Bluestein: jk = (j² + k² - (k - j)²) / 2, so that it is a convolution.
template <typename T, typename V>
void Kernel<T, V>::transformByChirp(const Plan<T> &plan, C *&x, C *&y) {
  const int64_t n = plan.n, m = plan.padded->n;
  for (int64_t j = 0; j < n; ++j)
    x[j] = mul(x[j], plan.chirp[j]);
  for (int64_t j = n; j < m; ++j)
    x[j] = {V() * T(0), V() * T(0)};
  transform(*plan.padded, x, y);
  for (int64_t j = 0; j < m; ++j) {
    const C product = mul(x[j], plan.filter[j]);
    x[j] = {product.im, product.re};
  }
  transform(*plan.padded, x, y);
  for (int64_t j = 0; j < n; ++j)
    x[j] = mul({x[j].im, x[j].re}, plan.chirp[j]);
}

/// The transform of 2n real numbers, from that of them as n complex ones.
template <typename T, typename V>
void Kernel<T, V>::mergePairs(const Plan<T> &plan, C *x) {
  const T half(0.5);
  x[plan.n] = x[0];
  for (int64_t k = 0, j = plan.n; k <= j; ++k, --j) {
    const C even = {(x[k].re + x[j].re) * half, (x[k].im - x[j].im) * half};
    const C odd = {(x[k].im + x[j].im) * half, (x[j].re - x[k].re) * half};
    const C turned = mul(odd, plan.turns[k]);
    const C low = add(even, turned), high = sub(even, turned);
    x[k] = low;
    x[j] = {high.re, -high.im};
  }
}

/// The converse, twice as much; parts are swapped.
template <typename T, typename V>
void Kernel<T, V>::splitPairs(const Plan<T> &plan, C *x) {
  for (int64_t k = 0, j = plan.n; k <= j; ++k, --j) {
    const C even = {x[k].im + x[j].im, x[k].re - x[j].re};
    const C odd = mul({x[k].im - x[j].im, x[k].re + x[j].re},
                      {plan.turns[k].re, -plan.turns[k].im});
    const C low = addTurned(even, odd), high = subTurned(even, odd);
    x[k] = {low.im, low.re};
    x[j] = {-high.im, high.re};
  }
}

/// Products of each line with its own numbers.
template <typename T, typename V>
void Kernel<T, V>::turn(const Lines<T> &lines, const int64_t *at, C *x) {
  for (int64_t j = 0; j < lines.inSize; ++j) {
    Complex<T> values[kLanes];
    for (int l = 0; l < kLanes; ++l)
      values[l] = lines.turns[at[l] + j * lines.after];
    V halves[2], re, im;
    __builtin_memcpy(halves, values, sizeof(halves));
    split(halves[0], halves[1], re, im);
    x[j] = {x[j].re * re - x[j].im * im, x[j].re * im + x[j].im * re};
  }
}

template <typename T, typename V>
void Kernel<T, V>::run(const Lines<T> &lines, int64_t first, C *memory) {
  int64_t in[kLanes], out[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const int64_t line = first + l < lines.count ? first + l : lines.count - 1;
    auto locate = [line](int64_t size, int64_t after) {
      return line / after * size * after + line % after;
    };
    in[l] = locate(lines.inSize, lines.after);
    out[l] = locate(lines.outSize, lines.outAfter);
  }
  C *x = memory, *y = memory + lines.plan->room;
  load(lines, in, x);
  if (lines.isInPairs && lines.isInverse)
    splitPairs(*lines.plan, x);
  if (lines.plan->padded)
    transformByChirp(*lines.plan, x, y);
  else
    transform(*lines.plan, x, y);
  if (lines.isInPairs && !lines.isInverse)
    mergePairs(*lines.plan, x);
  if (lines.turns)
    turn(lines, in, x);
  store(lines, out, x);
}

/// The lines [first, end); `memory` is room for two copies of as many as are in
/// a vector.
template <typename T>
static void runLines(const Lines<T> &lines, int64_t first, int64_t end,
                     void *memory) {
  using V = VectorOf<T>;
  constexpr int64_t lanes = Kernel<T, V>::kLanes;
  // A few are faster one by one.
  for (; end - first > lanes / 4; first += lanes)
    Kernel<T, V>::run(lines, first, static_cast<Complex<V> *>(memory));
  for (; first < end; ++first)
    Kernel<T, T>::run(lines, first, static_cast<Complex<T> *>(memory));
}

//===- Fourier.cpp - Fourier transforms -----------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several dimensions are transformed one after the other, lines along one of
// them side by side in vectors. A line of n = p·q is, by Stockham, transforms of
// length p, products with powers of exp(-2πi/n), and a line of q, from one copy
// to another. Where n has a large prime factor, the line is a convolution
// (Bluestein). The inverse swaps the parts before and after.
//
// The body for all processors is FourierBody.h; neither vectors nor threads
// change results.
//
//===----------------------------------------------------------------------===//

#include "Fourier.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 12)
#define TENSORACCESS_HAS_AVX2
#endif

using namespace tensoraccess_runtime;

namespace {
/// Factors up to this one are butterflies.
constexpr int kMaxFactor = 64;

typedef float Float8 __attribute__((vector_size(32)));
typedef double Double4 __attribute__((vector_size(32)));
template <typename T>
using VectorOf = std::conditional_t<sizeof(T) == 4, Float8, Double4>;

template <typename T>
struct Complex {
  T re, im;
};

/// Of numbers x[i][j][k], j < factor: butterflies along j, products with
/// exp(-2πi·i·j / (inner·factor)), y[j][k][i].
template <typename T>
struct Pass {
  int factor;
  int64_t inner, outer;
  /// For i and j from 1 on, and for a factor.
  const Complex<T> *twiddles, *roots;
};

/// A transform of length n.
template <typename T>
struct Plan {
  int64_t n;
  /// Elements of each of two copies.
  int64_t room;
  const Pass<T> *passes = nullptr;
  int64_t passCount = 0;
  /// Of a convolution: the transform of what is padded, the numbers to multiply
  /// with before and after, and between.
  const Plan<T> *padded = nullptr;
  const Complex<T> *chirp = nullptr, *filter = nullptr;
  /// exp(-πi·k / n) for k up to n / 2.
  const Complex<T> *turns = nullptr;

  explicit Plan(int64_t n);
  Plan(const Plan &) = delete;

private:
  std::vector<Pass<T>> passStorage;
  std::vector<std::vector<Complex<T>>> numbers;
  std::unique_ptr<Plan> paddedStorage;
  void addPasses();
  void addChirp();
};

/// Lines along a dimension of arrays [before][size][after].
struct Shape {
  int64_t count, inSize, outSize, after, outAfter;
  bool isInverse, isFromReal, isToReal;
  /// Whether the real numbers are taken for complex ones, half as many.
  bool isInPairs;
};

template <typename T>
struct Lines : Shape {
  const T *in;
  T *out;
  T divisor;
  const Plan<T> *plan = nullptr;
  /// Numbers to multiply the results with, [inSize][after].
  const Complex<T> *turns = nullptr;

  Lines(const Shape &shape, const T *in, T *out, double divisor)
      : Shape(shape), in(in), out(out), divisor(T(divisor)) {}
};

namespace portable {
#include "FourierBody.h"
} // namespace portable
} // namespace

#ifdef TENSORACCESS_HAS_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace {
namespace avx2 {
#include "FourierBody.h"
} // namespace avx2
} // namespace
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif // TENSORACCESS_HAS_AVX2

namespace {
/// exp(-2πi·k / n) in more digits than T has, from two tables.
template <typename T>
class Roots {
public:
  using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;

  explicit Roots(int64_t n) : n(n) {
    while (step * step < n)
      step *= 2;
    for (int64_t i = 0; i < step; ++i)
      fine.push_back(compute(i));
    for (int64_t i = 0; i < n; i += step)
      coarse.push_back(compute(i));
  }
  Complex<T> operator[](int64_t k) const {
    const Complex<Wide> a = coarse[k / step], b = fine[k % step];
    return {T(a.re * b.re - a.im * b.im), T(a.re * b.im + a.im * b.re)};
  }

private:
  int64_t n, step = 1;
  std::vector<Complex<Wide>> coarse, fine;

  /// By an angle of at most an eighth of a turn.
  Complex<Wide> compute(int64_t k) const {
    const int64_t octant = (8 * (k % n) + n) / (2 * n); // quarters, rounded
    const Wide angle = Wide(8 * (k % n) - 2 * n * octant) / Wide(8 * n) * 2 *
                       Wide(3.14159265358979323846264338327950288L);
    const Wide c = std::cos(angle), s = -std::sin(angle);
    switch (octant % 4) {
    case 0:
      return {c, s};
    case 1:
      return {s, -c};
    case 2:
      return {-c, -s};
    default:
      return {-s, c};
    }
  }
};
} // namespace

/// Those with a butterfly of their own first.
static int64_t getFactor(int64_t n) {
  for (int64_t factor : {8, 4, 2, 3, 5, 7})
    if (n % factor == 0)
      return factor;
  for (int64_t factor = 11; factor * factor <= n; factor += 2)
    if (n % factor == 0)
      return factor;
  return n;
}

template <typename T>
Plan<T>::Plan(int64_t n) : n(n), room(n + 1) {
  int64_t rest = n;
  while (rest > 1 && getFactor(rest) <= kMaxFactor)
    rest /= getFactor(rest);
  if (rest > 1)
    addChirp();
  else
    addPasses();
  const Roots<T> roots(2 * n);
  std::vector<Complex<T>> own;
  for (int64_t k = 0; k <= n / 2; ++k)
    own.push_back(roots[k]);
  numbers.push_back(std::move(own));
  turns = numbers.back().data();
}

template <typename T>
void Plan<T>::addPasses() {
  const Roots<T> roots(n);
  for (int64_t outer = 1; outer < n;) {
    const int64_t factor = getFactor(n / outer), inner = n / (outer * factor);
    std::vector<Complex<T>> twiddles, own;
    for (int64_t i = 1; i < inner; ++i)
      for (int64_t j = 1; j < factor; ++j)
        twiddles.push_back(roots[i * j * outer]);
    for (int64_t k = 0; k < factor; ++k)
      own.push_back(roots[k * (n / factor)]);
    numbers.push_back(std::move(twiddles));
    numbers.push_back(std::move(own));
    passStorage.push_back({int(factor), inner, outer,
                           numbers[numbers.size() - 2].data(),
                           numbers.back().data()});
    outer *= factor;
  }
  passes = passStorage.data();
  passCount = passStorage.size();
}

/// exp(-2πi·j·k / n) for j below a factor p of n and k below n / p.
template <typename T>
struct Square {
  int64_t factor = 1;
  std::vector<Complex<T>> turns;

  explicit Square(int64_t n) {
    for (int64_t p = 1; p * p <= n; ++p)
      if (n % p == 0)
        factor = p;
    const Roots<T> roots(n);
    for (int64_t j = 0; j < factor; ++j)
      for (int64_t k = 0; k < n / factor; ++k)
        turns.push_back(roots[j * k]);
  }
};

/// A table, which is kept unless it is large.
template <typename Table>
static std::shared_ptr<const Table> getTable(int64_t n) {
  constexpr size_t kMost = 32;
  if (n > int64_t(1) << 18)
    return std::make_shared<const Table>(n);
  static std::mutex mutex;
  static std::map<int64_t, std::shared_ptr<const Table>> tables;
  std::lock_guard<std::mutex> lock(mutex);
  if (tables.size() >= kMost && !tables.count(n))
    tables.clear();
  std::shared_ptr<const Table> &table = tables[n];
  if (!table)
    table = std::make_shared<const Table>(n);
  return table;
}

/// exp(-πi·j²/n), and the transform of its conjugate.
template <typename T>
void Plan<T>::addChirp() {
  int64_t size = std::numeric_limits<int64_t>::max();
  for (int64_t odd : {1, 3, 5}) {
    while (odd < 2 * n - 1)
      odd *= 2;
    size = std::min(size, odd);
  }
  room = size;
  paddedStorage = std::make_unique<Plan>(size);
  padded = paddedStorage.get();
  const Roots<T> roots(2 * n);
  std::vector<Complex<T>> own(n), x(size), y(size);
  for (int64_t j = 0; j < n; ++j) {
    own[j] = roots[j * j % (2 * n)];
    x[j] = {own[j].re / T(size), -own[j].im / T(size)};
    if (j != 0)
      x[size - j] = x[j];
  }
  Complex<T> *from = x.data(), *to = y.data();
  portable::Kernel<T, T>::transform(*padded, from, to);
  numbers.push_back(std::move(own));
  chirp = numbers.back().data();
  numbers.emplace_back(from, from + size);
  filter = numbers.back().data();
}

template <typename T>
static void transformLines(Lines<T> lines, int64_t n, int64_t threads) {
  /// What is worth a thread, in elements.
  constexpr int64_t kLeast = 1 << 13;
  std::shared_ptr<const Plan<T>> plan = getTable<Plan<T>>(n);
  lines.plan = plan.get();
  auto *runAll = &portable::runLines<T>;
#ifdef TENSORACCESS_HAS_AVX2
  if (__builtin_cpu_supports("avx2"))
    runAll = &avx2::runLines<T>;
#endif
  struct Job {
    const Lines<T> &lines;
    decltype(runAll) run;
    int64_t length;
  };
  constexpr int64_t bytes = sizeof(VectorOf<T>);
  constexpr int64_t lanes = bytes / sizeof(T);
  const int64_t vectors = (lines.count + lanes - 1) / lanes;
  const int64_t tasks = std::max<int64_t>(
      1, std::min({vectors, threads ? threads : tensoraccess_threads(),
                   lines.count * n / kLeast}));
  Job job{lines, runAll, (vectors + tasks - 1) / tasks * lanes};
  auto body = [](void *record, int64_t i) {
    const Job &job = *static_cast<const Job *>(record);
    size_t size = job.lines.plan->room * 4 * bytes, room = size + bytes;
    std::unique_ptr<char[]> memory(new char[room]);
    void *aligned = memory.get();
    std::align(bytes, size, aligned, room);
    job.run(job.lines, std::min(i * job.length, job.lines.count),
            std::min((i + 1) * job.length, job.lines.count), aligned);
  };
  tensoraccess_parallel_on(body, &job, tasks, threads);
}

/// From where on a line is better two dimensions, if each is this long.
constexpr int64_t kLong = 4096, kLeastFactor = 32;

/// A long line as two dimensions.
template <typename T>
static void transformLong(const Lines<T> &lines, int64_t n,
                          const Square<T> &square, int64_t threads) {
  const int64_t p = square.factor, q = n / p;
  std::vector<T> middle(2 * n);
  for (int64_t i = 0; i < lines.count; ++i) {
    Lines<T> first = lines, second = lines;
    first.in += 2 * n * i;
    first.out = middle.data();
    first.count = first.after = first.outAfter = q;
    first.inSize = first.outSize = p;
    first.divisor = 1;
    first.turns = square.turns.data();
    transformLines(first, p, threads);
    second.in = middle.data();
    second.out += 2 * n * i;
    second.count = second.outAfter = p;
    second.inSize = second.outSize = q;
    transformLines(second, q, threads);
  }
}

/// Transforms the last dimensions: `I2` is the inverse along two.
template <typename T>
static void transform(const std::string &kind, const std::string &options,
                      const LapackArray &operand, const LapackArray &result,
                      int64_t threads) {
  const bool isFromReal = kind == "rfft", isToReal = kind == "irfft";
  const bool isInverse = options[0] == 'I';
  const int64_t rank = operand.rank - (isFromReal ? 0 : 1);
  const int64_t last = rank - 1, first = rank - (options[1] - '0');
  // The side that alone has all dimensions but the last.
  const LapackArray &complex = isToReal ? operand : result;
  const LapackArray &full = isToReal ? result : operand;
  int64_t count = 1;
  double divisor = 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    count *= complex.sizes[dim];
    if (isInverse && dim >= first)
      divisor *= full.sizes[dim];
  }
  if (count == 0 || full.sizes[last] == 0)
    return;
  const T *in = static_cast<const T *>(operand.data);
  T *out = static_cast<T *>(result.data);
  std::vector<T> copy;
  if (isToReal && first < last) {
    copy.assign(in, in + 2 * count);
    in = copy.data();
  }
  auto along = [&](int64_t dim, const T *from, T *to, double divisor) {
    const bool isLast = dim == last;
    int64_t after = 1;
    for (int64_t i = dim + 1; i < rank; ++i)
      after *= complex.sizes[i];
    int64_t n = full.sizes[dim];
    Shape shape = {count / complex.sizes[dim],
                   operand.sizes[dim],
                   result.sizes[dim],
                   after,
                   after,
                   isInverse,
                   isLast && isFromReal,
                   isLast && isToReal,
                   /*isInPairs=*/false};
    if (n % 2 == 0 && (shape.isFromReal || shape.isToReal)) {
      n /= 2;
      (shape.isFromReal ? shape.inSize : shape.outSize) = n;
      shape.isFromReal = shape.isToReal = false;
      shape.isInPairs = true;
    }
    const Lines<T> lines(shape, from, to, divisor);
    if (n >= kLong && after == 1 && shape.inSize == shape.outSize)
      if (auto square = getTable<Square<T>>(n); square->factor >= kLeastFactor)
        return transformLong(lines, n, *square, threads);
    transformLines(lines, n, threads);
  };
  // The dimension that is real on one side is the first or the last.
  if (!isToReal)
    along(last, in, out, first == last ? divisor : 1);
  T *inPlace = isToReal ? copy.data() : out;
  for (int64_t dim = first; dim < last; ++dim)
    along(dim, inPlace, inPlace, !isToReal && dim == last - 1 ? divisor : 1);
  if (isToReal)
    along(last, in, out, divisor);
}

bool tensoraccess_runtime::callsFourier(const std::string &routine,
                                        const std::string &options,
                                        const LapackArray *arrays,
                                        int64_t threads) {
  const std::string kind = routine.substr(1);
  if (kind != "fft" && kind != "rfft" && kind != "irfft")
    return false;
  if (routine[0] == 'd' || routine[0] == 'z')
    transform<double>(kind, options, arrays[0], arrays[1], threads);
  else
    transform<float>(kind, options, arrays[0], arrays[1], threads);
  return true;
}

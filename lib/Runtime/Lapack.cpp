//===- Lapack.cpp - Matrices by LAPACK and BLAS ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments of Fortran are addresses; after them come the lengths of those that
// are text.
//
//===----------------------------------------------------------------------===//

#include "Fourier.h"
#include "TensorAccess/Runtime/Runtime.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

using namespace tensoraccess_runtime;

/// The function of that name; null, with the reason, where there is none.
static void *findFunction(const std::string &name, std::string &why) {
  static const char *const given = std::getenv("TENSORACCESS_LAPACK");
  static void *const library = [] {
    if (given)
      return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    void *found = nullptr;
    for (const char *file : {"liblapack.so.3", "libopenblas.so.0",
                             "liblapack.so", "libopenblas.so"})
      if (!found)
        found = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    return found;
  }();
  if (!library) {
    why = "LAPACK, whose '" + name +
          "' it calls, is not installed: there is no " +
          (given ? given : "liblapack.so.3");
    return nullptr;
  }
  void *function = dlsym(library, (name + "_").c_str());
  if (!function)
    why = "LAPACK has no '" + name + "'";
  return function;
}

namespace {
template <typename T>
struct RealOf {
  using type = T;
};
template <typename T>
struct RealOf<std::complex<T>> {
  using type = T;
};

/// One routine, without its letter, on elements T.
template <typename T>
class Routine {
public:
  using Real = typename RealOf<T>::type;
  static constexpr bool isComplex = sizeof(T) != sizeof(Real);

  Routine(void *function, const std::string &options, const LapackArray *arrays)
      : function(function), options(options), arrays(arrays) {}

  std::string run(const std::string &name);

private:
  using Int = int;
  void *function;
  const std::string &options;
  const LapackArray *arrays;
  int64_t batch = 1;
  /// Rows and columns of operand 0.
  Int m = 0, n = 0;
  std::vector<T> work;
  std::vector<Real> realWork;
  std::vector<Int> intWork;

  template <typename... Args>
  void call(Args... args) {
    reinterpret_cast<void (*)(Args...)>(function)(args...);
  }
  const char *option(unsigned i) const { return options.c_str() + i; }

  static int64_t count(const LapackArray &array) {
    int64_t product = 1;
    for (int64_t i = 0; i < array.rank; ++i)
      product *= array.sizes[i];
    return product;
  }
  /// Sizes without that of pairs, the last one first.
  static int64_t size(const LapackArray &array, int64_t fromLast) {
    return array.sizes[array.rank - 1 - fromLast - isComplex];
  }
  /// Where item `i` of a batch begins.
  template <typename U>
  U *at(unsigned which, int64_t i) const {
    const LapackArray &array = arrays[which];
    return reinterpret_cast<U *>(static_cast<char *>(array.data) +
                                 i * (count(array) / batch) *
                                     sizeof(typename RealOf<U>::type));
  }
  T *matrix(unsigned which, int64_t i) const { return at<T>(which, i); }
  Int *info(unsigned which, int64_t i) const { return at<Int>(which, i); }
  /// A result that begins as an operand.
  template <typename U>
  U *start(unsigned result, unsigned operand, int64_t i) const {
    U *to = at<U>(result, i);
    const int64_t bytes =
        count(arrays[operand]) / batch * sizeof(typename RealOf<U>::type);
    std::memcpy(to, at<U>(operand, i), bytes);
    return to;
  }
  template <typename U>
  void clear(unsigned which) const {
    std::memset(arrays[which].data, 0,
                count(arrays[which]) * sizeof(typename RealOf<U>::type));
  }
  /// After a NaN on the diagonal of a Cholesky factor all is NaN, which
  /// OpenBLAS forgets in f32.
  void spreadNaN(T *factor) const {
    Int first = 0;
    while (first < n &&
           !std::isnan(std::real(factor[first + first * int64_t(n)])))
      ++first;
    for (int64_t row = first; row < n; ++row)
      for (int64_t column = first; column < n; ++column)
        factor[row + column * n] = std::numeric_limits<Real>::quiet_NaN();
  }
  static bool isFinite(const T *values, int64_t count) {
    return std::all_of(values, values + count, [](T value) {
      return std::isfinite(std::real(value)) && std::isfinite(std::imag(value));
    });
  }
  /// Calls `body(workspace, its length)` for the length, then with as much.
  template <typename Body>
  void withWork(Body body) {
    if (work.empty()) {
      T wanted = 0;
      body(&wanted, -1);
      work.resize(std::max<int64_t>(1, std::llround(std::real(wanted))));
    }
    body(work.data(), static_cast<Int>(work.size()));
  }
  void runEigenvalues(const std::string &name, int64_t i);
  void runSingularValues(bool isByQr, int64_t i);
  void runSymmetric(int64_t i);
};
} // namespace

/// gesdd, gesvd: a' s u vt info
template <typename T>
void Routine<T>::runSingularValues(bool isByQr, int64_t i) {
  T *a = start<T>(1, 0, i);
  Real *s = at<Real>(2, i);
  T *u = matrix(3, i), *vt = matrix(4, i);
  Int *info = this->info(5, i), least = std::min(m, n), most = std::max(m, n);
  const Int rowsU = std::max<Int>(1, m);
  Int rowsVt = std::max<Int>(1, *option(0) == 'S' ? least : n);
  intWork.resize(std::max<size_t>(1, 8 * size_t(least)));
  if (isComplex)
    realWork.resize(std::max<size_t>(
        1, size_t(least) *
               std::max<size_t>(5 * size_t(least) + 7,
                                2 * size_t(most) + 2 * size_t(least) + 1)));
  withWork([&](T *work, Int length) {
    if (isByQr && isComplex)
      call(option(0), option(0), &m, &n, a, &rowsU, s, u, &rowsU, vt, &rowsVt,
           work, &length, realWork.data(), info, size_t(1), size_t(1));
    else if (isByQr)
      call(option(0), option(0), &m, &n, a, &rowsU, s, u, &rowsU, vt, &rowsVt,
           work, &length, info, size_t(1), size_t(1));
    else if constexpr (isComplex)
      call(option(0), &m, &n, a, &rowsU, s, u, &rowsU, vt, &rowsVt, work,
           &length, realWork.data(), intWork.data(), info, size_t(1));
    else
      call(option(0), &m, &n, a, &rowsU, s, u, &rowsU, vt, &rowsVt, work,
           &length, intWork.data(), info, size_t(1));
  });
}

/// syevd, heevd: a' w info
template <typename T>
void Routine<T>::runSymmetric(int64_t i) {
  T *a = start<T>(1, 0, i);
  Real *w = at<Real>(2, i);
  Int *info = this->info(3, i), rows = std::max<Int>(1, n);
  if (intWork.empty()) {
    T length = 0;
    Real realLength = 0;
    Int intLength = 0, ask = -1;
    if constexpr (isComplex)
      call(option(0), option(1), &n, a, &rows, w, &length, &ask, &realLength,
           &ask, &intLength, &ask, info, size_t(1), size_t(1));
    else
      call(option(0), option(1), &n, a, &rows, w, &length, &ask, &intLength,
           &ask, info, size_t(1), size_t(1));
    work.resize(std::max<int64_t>(1, std::llround(std::real(length))));
    realWork.resize(std::max<int64_t>(1, std::llround(realLength)));
    intWork.resize(std::max<Int>(1, intLength));
  }
  const Int length = work.size(), realLength = realWork.size(),
            intLength = intWork.size();
  if constexpr (isComplex)
    call(option(0), option(1), &n, a, &rows, w, work.data(), &length,
         realWork.data(), &realLength, intWork.data(), &intLength, info,
         size_t(1), size_t(1));
  else
    call(option(0), option(1), &n, a, &rows, w, work.data(), &length,
         intWork.data(), &intLength, info, size_t(1), size_t(1));
}

/// geev: wr wi vl vr info, or w vl vr info, with vectors of complex numbers;
/// gees: a' vs wr wi sdim info, or a' vs w sdim info.
template <typename T>
void Routine<T>::runEigenvalues(const std::string &name, int64_t i) {
  using Complex = std::complex<Real>;
  const unsigned parts = isComplex ? 1 : 2;
  const bool isSchur = name == "gees";
  const unsigned first = isSchur ? 3 : 1;
  Int *info = this->info(first + parts + (isSchur ? 1 : 2), i);
  Int rows = std::max<Int>(1, n);
  const size_t elements = size_t(n) * n;
  std::vector<T> copy(matrix(0, i), matrix(0, i) + elements);
  T *a = isSchur ? start<T>(1, 0, i) : copy.data();
  // It would not terminate.
  if (!isFinite(a, elements)) {
    *info = -4;
    return;
  }
  T *w = at<T>(first, i), *wi = isComplex ? w : at<T>(first + 1, i);
  if (isComplex)
    realWork.resize(2 * size_t(rows));
  if (isSchur) {
    intWork.resize(rows);
    T *vs = matrix(2, i);
    Int *sdim = this->info(first + parts, i);
    withWork([&](T *work, Int length) {
      if constexpr (isComplex)
        call(option(0), "N", static_cast<void *>(nullptr), &n, a, &rows, sdim,
             w, vs, &rows, work, &length, realWork.data(), intWork.data(), info,
             size_t(1), size_t(1));
      else
        call(option(0), "N", static_cast<void *>(nullptr), &n, a, &rows, sdim,
             w, wi, vs, &rows, work, &length, intWork.data(), info, size_t(1),
             size_t(1));
    });
    return;
  }
  std::vector<T> left(elements), right(elements);
  withWork([&](T *work, Int length) {
    if constexpr (isComplex)
      call(option(0), option(1), &n, a, &rows, w, left.data(), &rows,
           right.data(), &rows, work, &length, realWork.data(), info, size_t(1),
           size_t(1));
    else
      call(option(0), option(1), &n, a, &rows, w, wi, left.data(), &rows,
           right.data(), &rows, work, &length, info, size_t(1), size_t(1));
  });
  // Of a pair of conjugates, real numbers have the parts in two columns.
  auto unpack = [&](const std::vector<T> &from, Complex *to) {
    for (Int column = 0; column < n; ++column) {
      const T *re = from.data() + size_t(column) * n;
      if constexpr (isComplex) {
        std::copy(re, re + n, to + size_t(column) * n);
      } else {
        const bool isPair = wi[column] != 0 && column + 1 < n;
        for (Int row = 0; row < n; ++row) {
          Complex value(re[row], isPair ? re[row + n] : Real(0));
          to[size_t(column) * n + row] = value;
          if (isPair)
            to[size_t(column + 1) * n + row] = std::conj(value);
        }
        column += isPair;
      }
    }
  };
  if (*option(0) == 'V')
    unpack(left, at<Complex>(first + parts, i));
  if (*option(1) == 'V')
    unpack(right, at<Complex>(first + parts + 1, i));
}

template <typename T>
std::string Routine<T>::run(const std::string &name) {
  const LapackArray &a = arrays[0];
  // A tridiagonal matrix is three vectors.
  const int64_t rank = (name == "gtsv" ? 1 : 2) + isComplex;
  if (a.rank < rank)
    return "operand 0 is not a matrix";
  for (int64_t i = 0; i < a.rank - rank; ++i)
    batch *= a.sizes[i];
  for (unsigned i = 0; i < kMaxLapackArrays; ++i)
    for (int64_t k = 0; k < arrays[i].rank; ++k)
      if (arrays[i].sizes[k] > (int64_t(1) << 30))
        return "a size of " + std::to_string(arrays[i].sizes[k]) +
               " is beyond LAPACK's integers";
  if (batch == 0)
    return "";
  m = size(a, 0);
  n = name == "gtsv" ? m : size(a, 1);
  const Int rows = std::max<Int>(1, m);
  // Those that a routine may leave as they are.
  if (name == "gesdd" || name == "gesvd") {
    clear<T>(3);
    clear<T>(4);
  } else if (name == "geev") {
    for (unsigned i = 1; i < (isComplex ? 4u : 5u); ++i)
      clear<T>(i);
  } else if (name == "gees") {
    for (unsigned i = 2; i < (isComplex ? 4u : 5u); ++i)
      clear<T>(i);
    clear<Int>(isComplex ? 4 : 5);
  } else if (name == "gehrd") {
    clear<T>(2);
  }
  for (int64_t i = 0; i < batch; ++i) {
    if (name == "potrf") {
      T *factor = start<T>(1, 0, i);
      call(option(0), &n, factor, &rows, info(2, i), size_t(1));
      spreadNaN(factor);
    } else if (name == "trsm") {
      const Int rowsOfB = size(arrays[1], 0), columns = size(arrays[1], 1);
      const Int pitch = std::max<Int>(1, rowsOfB);
      const T one = 1;
      call(option(0), option(1), option(2), option(3), &rowsOfB, &columns, &one,
           matrix(0, i), &rows, start<T>(2, 1, i), &pitch, size_t(1), size_t(1),
           size_t(1), size_t(1));
    } else if (name == "getrf") {
      call(&m, &n, start<T>(1, 0, i), &rows, info(2, i), info(3, i));
    } else if (name == "geqrf") {
      Int info = 0;
      T *to = start<T>(1, 0, i);
      withWork([&](T *work, Int length) {
        call(&m, &n, to, &rows, matrix(2, i), work, &length, &info);
      });
    } else if (name == "geqp3") {
      Int info = 0;
      T *to = start<T>(2, 0, i);
      Int *pivots = start<Int>(3, 1, i);
      realWork.resize(2 * size_t(std::max<Int>(1, n)));
      withWork([&](T *work, Int length) {
        if constexpr (isComplex)
          call(&m, &n, to, &rows, pivots, matrix(4, i), work, &length,
               realWork.data(), &info);
        else
          call(&m, &n, to, &rows, pivots, matrix(4, i), work, &length, &info);
      });
    } else if (name == "orgqr" || name == "ungqr") {
      Int info = 0, reflectors = size(arrays[1], 0);
      T *to = start<T>(2, 0, i);
      withWork([&](T *work, Int length) {
        call(&m, &n, &reflectors, to, &rows, matrix(1, i), work, &length,
             &info);
      });
    } else if (name == "ormqr" || name == "unmqr") {
      Int info = 0, reflectors = size(arrays[1], 0);
      const Int rowsOfC = size(arrays[2], 0), columns = size(arrays[2], 1);
      const Int pitch = std::max<Int>(1, rowsOfC);
      T *to = start<T>(3, 2, i);
      withWork([&](T *work, Int length) {
        call(option(0), option(1), &rowsOfC, &columns, &reflectors,
             matrix(0, i), &rows, matrix(1, i), to, &pitch, work, &length,
             &info, size_t(1), size_t(1));
      });
    } else if (name == "gesdd" || name == "gesvd") {
      runSingularValues(name == "gesvd", i);
    } else if (name == "syevd" || name == "heevd") {
      runSymmetric(i);
    } else if (name == "geev" || name == "gees") {
      runEigenvalues(name, i);
    } else if (name == "gehrd") {
      const Int one = 1;
      T *to = start<T>(1, 0, i);
      withWork([&](T *work, Int length) {
        call(&n, &one, &n, to, &rows, matrix(2, i), work, &length, info(3, i));
      });
    } else if (name == "sytrd" || name == "hetrd") {
      T *to = start<T>(1, 0, i);
      withWork([&](T *work, Int length) {
        call(option(0), &n, to, &rows, at<Real>(2, i), at<Real>(3, i),
             matrix(4, i), work, &length, info(5, i), size_t(1));
      });
    } else if (name == "gtsv") {
      const Int sides = size(arrays[3], 1);
      // The first number below the diagonal is not part of the matrix.
      call(&n, &sides, start<T>(4, 0, i) + 1, start<T>(5, 1, i),
           start<T>(6, 2, i), start<T>(7, 3, i), &rows, info(8, i));
    } else {
      return "there is no routine '" + name + "'";
    }
  }
  return "";
}

std::string tensoraccess_runtime::callLapack(const std::string &routine,
                                             const std::string &options,
                                             const LapackArray *arrays,
                                             int64_t threads) {
  if (callsFourier(routine, options, arrays, threads))
    return "";
  std::string why;
  void *function = findFunction(routine, why);
  if (!function)
    return why;
  const std::string name = routine.substr(1);
  switch (routine[0]) {
  case 's':
    return Routine<float>(function, options, arrays).run(name);
  case 'd':
    return Routine<double>(function, options, arrays).run(name);
  case 'c':
    return Routine<std::complex<float>>(function, options, arrays).run(name);
  case 'z':
    return Routine<std::complex<double>>(function, options, arrays).run(name);
  }
  return "there is no routine '" + routine + "'";
}

static std::string toText(int64_t characters) {
  std::string text;
  for (uint64_t rest = characters; rest; rest >>= 8)
    text += static_cast<char>(rest & 0xFF);
  return text;
}

std::string tensoraccess_runtime::callLapack(int64_t routine, int64_t options,
                                             const int64_t *ranks,
                                             void *const *memrefs,
                                             int64_t threads) {
  struct Descriptor {
    void *allocated;
    char *aligned;
    int64_t offset;
    int64_t sizes[1];
  };
  LapackArray arrays[kMaxLapackArrays];
  for (int i = 0; i < kMaxLapackArrays; ++i) {
    const auto *memref = static_cast<const Descriptor *>(memrefs[i]);
    arrays[i] = {memref->aligned, ranks[i], memref->sizes};
  }
  std::string why =
      callLapack(toText(routine), toText(options), arrays, threads);
  if (why.empty())
    return why;
  return static_cast<const Descriptor *>(memrefs[kMaxLapackArrays])->aligned +
         why;
}

//===----------------------------------------------------------------------===//
// From generated code
//===----------------------------------------------------------------------===//

#define ROUTINES(X)                                                            \
  X(sgees)                                                                     \
  X(dgees)                                                                     \
  X(cgees)                                                                     \
  X(zgees)                                                                     \
  X(sgeev)                                                                     \
  X(dgeev) X(cgeev) X(zgeev) X(sgehrd) X(dgehrd) X(cgehrd) X(zgehrd) X(sgeqp3) \
      X(dgeqp3) X(cgeqp3) X(zgeqp3) X(sgeqrf) X(dgeqrf) X(cgeqrf) X(zgeqrf)    \
          X(sgesdd) X(dgesdd) X(cgesdd) X(zgesdd) X(sgesvd) X(dgesvd)          \
              X(cgesvd) X(zgesvd) X(sgetrf) X(dgetrf) X(cgetrf) X(zgetrf)      \
                  X(sgtsv) X(dgtsv) X(cgtsv) X(zgtsv) X(spotrf) X(dpotrf)      \
                      X(cpotrf) X(zpotrf) X(strsm) X(dtrsm) X(ctrsm) X(ztrsm)  \
                          X(sorgqr) X(dorgqr) X(sormqr) X(dormqr) X(ssyevd)    \
                              X(dsyevd) X(ssytrd) X(dsytrd) X(cheevd)          \
                                  X(zheevd) X(chetrd) X(zhetrd) X(cungqr)      \
                                      X(zungqr) X(cunmqr) X(zunmqr) X(cfft)    \
                                          X(zfft) X(srfft) X(drfft) X(sirfft)  \
                                              X(dirfft)

Span<const char *> tensoraccess_runtime::getLapackRoutines() {
#define NAME(name) #name,
  static const char *const names[] = {ROUTINES(NAME)};
#undef NAME
  return {names, sizeof(names) / sizeof(names[0])};
}

#define ARRAYS                                                                 \
  int64_t r0, void *a0, int64_t r1, void *a1, int64_t r2, void *a2,            \
      int64_t r3, void *a3, int64_t r4, void *a4, int64_t r5, void *a5,        \
      int64_t r6, void *a6, int64_t r7, void *a7, int64_t r8, void *a8,        \
      int64_t r9, void *a9

#define FUNCTION(name)                                                         \
  extern "C" void tensoraccess_lapack_##name(int64_t routine, int64_t options, \
                                             ARRAYS) {                         \
    const int64_t ranks[] = {r0, r1, r2, r3, r4, r5, r6, r7, r8, r9};          \
    void *const memrefs[] = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9};          \
    std::string why = callLapack(routine, options, ranks, memrefs);            \
    if (why.empty())                                                           \
      return;                                                                  \
    std::fprintf(stderr, "%s\n", why.c_str());                                 \
    std::abort();                                                              \
  }
ROUTINES(FUNCTION)

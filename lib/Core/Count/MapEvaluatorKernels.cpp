//===- MapEvaluatorKernels.cpp - Loops over columns -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A floor division by a constant that is not a power of two goes through
// doubles, which hold integers below 2^51 exactly, as vectors have no division
// of integers: q = round(x · (1/m)) is ⌊x/m⌋ or the next integer, as the
// product is wrong by less than 1/4 and rounding by at most 1/2, and the sign
// of x − q·m, which is exact, decides. Adding 1.5 · 2^52 puts an integer
// into the low bits of a double, which converts both ways without an
// instruction for that.
//
//===----------------------------------------------------------------------===//

#include "MapEvaluatorKernels.h"
#include "Support/VectorClones.h"
#include "TensorAccess/Core/Checked.h"

#include <cstring>

using namespace mlir::tensoraccess;

TENSORACCESS_VECTOR_CLONES
void kernels::fill(int64_t *out, int64_t c, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = c;
}

TENSORACCESS_VECTOR_CLONES
void kernels::addConstant(int64_t *__restrict out, const int64_t *__restrict x,
                          int64_t c, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] + c;
}

TENSORACCESS_VECTOR_CLONES
void kernels::addConstant(int32_t *__restrict out, const int64_t *__restrict x,
                          int64_t c, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = static_cast<int32_t>(x[i] + c);
}

TENSORACCESS_VECTOR_CLONES
void kernels::addConstant(int32_t *__restrict out, const int32_t *__restrict x,
                          int32_t c, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] + c;
}

TENSORACCESS_VECTOR_CLONES
void kernels::accumulate(int64_t *__restrict out, const int64_t *__restrict x,
                         int64_t k, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] += k * x[i];
}

/// m = 2^shift.
TENSORACCESS_VECTOR_CLONES
static void shiftRight(int64_t *__restrict out, const int64_t *__restrict x,
                       int shift, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] >> shift;
}

TENSORACCESS_VECTOR_CLONES
static void divideSmall(int64_t *__restrict out, const int64_t *__restrict x,
                        int64_t m, int64_t n) {
  const double magic = 6755399441055744.0; // 1.5 · 2^52
  int64_t magicBits;
  std::memcpy(&magicBits, &magic, sizeof(magic));
  const double divisor = static_cast<double>(m), inverse = 1.0 / divisor;
  for (int64_t i = 0; i < n; ++i) {
    int64_t bits = x[i] + magicBits;
    double value, quotient;
    std::memcpy(&value, &bits, sizeof(bits));
    value -= magic;
    quotient = (value * inverse + magic) - magic;
    quotient -= value - quotient * divisor < 0.0 ? 1.0 : 0.0;
    quotient += magic;
    std::memcpy(&bits, &quotient, sizeof(bits));
    out[i] = bits - magicBits;
  }
}

void kernels::floorDivide(int64_t *out, const int64_t *x, int64_t m,
                          bool isSmall, int64_t n) {
  if ((m & (m - 1)) == 0) {
    shiftRight(out, x, __builtin_ctzll(m), n);
    return;
  }
  if (isSmall && m < (int64_t(1) << 51)) {
    divideSmall(out, x, m, n);
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    out[i] = floorDivPositive(x[i], m);
}

TENSORACCESS_VECTOR_CLONES
void kernels::positivePart(int64_t *__restrict out, const int64_t *__restrict x,
                           int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] > 0 ? x[i] : 0;
}

void kernels::multiply(int64_t *out, const int64_t *x, const int64_t *y,
                       int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] * y[i];
}

TENSORACCESS_VECTOR_CLONES
void kernels::keepWithin(uint8_t *__restrict out, const int64_t *__restrict x,
                         int64_t lower, int64_t upper, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] &= static_cast<uint8_t>((lower <= x[i]) & (x[i] <= upper));
}

template <typename T>
static void maskOutWith(T *out, const uint8_t *inside, T value, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = inside[i] ? out[i] : value;
}

void kernels::maskOut(int64_t *out, const uint8_t *inside, int64_t value,
                      int64_t n) {
  maskOutWith(out, inside, value, n);
}

void kernels::maskOut(int32_t *out, const uint8_t *inside, int32_t value,
                      int64_t n) {
  maskOutWith(out, inside, value, n);
}

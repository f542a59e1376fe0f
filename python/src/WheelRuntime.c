//===- WheelRuntime.c - What a module with LLVM inside brings along -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. What compiled programs call of the libraries beside libMLIR.so: copies of
//      strided buffers, and conversions of small floats, rounded once, to the
//      nearest and then the even one. In calls, all of these lie in the register
//      that a _Float16 lies in.
//   2. The one function of glibc newer than 2.34 that LLVM and libstdc++ take
//      where they are built with it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Runtime/Runtime.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float floatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static _Float16 smallOf(uint16_t bits) {
  _Float16 value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/// The float next to `value` towards zero, its last bit set where it is not
/// equal: what that rounds to is what `value` rounds to.
static float roundToOdd(double value) {
  float nearest = (float)value;
  if (isnan(value) || (double)nearest == value)
    return nearest;
  return floatOf((bitsOf(nearest) - (fabs(nearest) > fabs(value))) | 1);
}

float __extendhfsf2(_Float16 value) {
  uint16_t bits;
  memcpy(&bits, &value, sizeof(bits));
  uint32_t magnitude = bits & 0x7fff, sign = (uint32_t)(bits & 0x8000) << 16;
  if (magnitude < 0x400) // subnormal
    return floatOf(bitsOf((float)magnitude * 0x1p-24f) | sign);
  uint32_t bias = magnitude < 0x7c00 ? 0x38000000 : 0x70000000;
  return floatOf(((magnitude << 13) + bias) | sign);
}

_Float16 __truncsfhf2(float value) {
  uint32_t bits = bitsOf(value);
  uint32_t magnitude = bits & 0x7fffffff, result;
  if (magnitude > 0x7f800000)
    result = 0x7e00 | (magnitude >> 13 & 0x3ff);
  else if (magnitude >= 0x47800000) // 2^16
    result = 0x7c00;
  else if (magnitude < 0x38800000) // subnormal: the last bit of 0.5 is 2^-24
    result = bitsOf(floatOf(magnitude) + 0.5f) - bitsOf(0.5f);
  else
    result = (magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13;
  return smallOf(result | (bits >> 16 & 0x8000));
}

_Float16 __truncdfhf2(double value) { return __truncsfhf2(roundToOdd(value)); }

_Float16 __truncsfbf2(float value) {
  uint32_t bits = bitsOf(value);
  if (isnan(value))
    return smallOf(bits >> 16 | 0x40);
  return smallOf((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

_Float16 __truncdfbf2(double value) { return __truncsfbf2(roundToOdd(value)); }

/// A memref of any rank, and what it points to: sizes are followed by strides.
struct Unranked {
  int64_t rank;
  struct {
    char *allocated, *aligned;
    int64_t offset, sizes[];
  } *memref;
};

void memrefCopy(int64_t bytes, const struct Unranked *source,
                const struct Unranked *target) {
  int64_t rank = source->rank, move[2 + 3 * rank];
  move[0] = bytes;
  move[1] = rank;
  for (int64_t i = 0; i < rank; ++i) {
    move[2 + 3 * i] = source->memref->sizes[i];
    move[3 + 3 * i] = target->memref->sizes[rank + i];
    move[4 + 3 * i] = source->memref->sizes[rank + i];
  }
  tensoraccess_move(target->memref->aligned + target->memref->offset * bytes,
                    source->memref->aligned + source->memref->offset * bytes,
                    move);
}

uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof(value), 0) != sizeof(value))
    abort();
  return value;
}

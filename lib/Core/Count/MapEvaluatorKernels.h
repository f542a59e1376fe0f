//===- MapEvaluatorKernels.h - Loops over columns ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops that a map's values are made with, each over a column of int64. The
// caller knows that nothing overflows. Where the compiler can, it makes a copy
// for each width of vectors, and the loader chooses.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_MAPEVALUATORKERNELS_H
#define TENSORACCESS_LIB_CORE_MAPEVALUATORKERNELS_H

#include <cstdint>

namespace mlir::tensoraccess::kernels {

/// out = c
void fill(int64_t *out, int64_t c, int64_t n);
/// out = c + x
void addConstant(int64_t *out, const int64_t *x, int64_t c, int64_t n);
/// The same, narrowed.
void addConstant(int32_t *out, const int64_t *x, int64_t c, int64_t n);
void addConstant(int32_t *out, const int32_t *x, int32_t c, int64_t n);
/// out += k · x
void accumulate(int64_t *out, const int64_t *x, int64_t k, int64_t n);
/// out = ⌊x / m⌋ for m ≥ 2. `isSmall`: all |x| < 2^51.
void floorDivide(int64_t *out, const int64_t *x, int64_t m, bool isSmall,
                 int64_t n);
/// out = max(x, 0)
void positivePart(int64_t *out, const int64_t *x, int64_t n);
/// out = x · y
void multiply(int64_t *out, const int64_t *x, const int64_t *y, int64_t n);
/// out &= lower ≤ x ≤ upper
void keepWithin(uint8_t *out, const int64_t *x, int64_t lower, int64_t upper,
                int64_t n);
/// out = value where inside is 0
void maskOut(int64_t *out, const uint8_t *inside, int64_t value, int64_t n);
void maskOut(int32_t *out, const uint8_t *inside, int32_t value, int64_t n);

} // namespace mlir::tensoraccess::kernels

#endif // TENSORACCESS_LIB_CORE_MAPEVALUATORKERNELS_H

//===- Transpose.h - Far transpositions in lines ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_RUNTIME_TRANSPOSE_H
#define TENSORACCESS_LIB_RUNTIME_TRANSPOSE_H

#include "Kernels.h"

namespace tensoraccess_runtime {

/// A transposition from memory to memory; pitches in bytes.
struct LineTransposition {
  const Kernels *kernels;
  /// log2 of the bytes of an element, 0 to 3.
  int log;
  uint8_t *target;
  int64_t targetPitch;
  const uint8_t *source;
  int64_t sourcePitch;
  /// Of the source, in elements.
  int64_t rows, columns;
};

/// How many of the columns, from the first on, transposeInLines takes: 0 if
/// target rows do not begin at lines, are not whole lines or are short, if they
/// fall on the same places and the source has no gaps between its rows, and for
/// elements below 4 bytes.
int64_t getColumnsInLines(const LineTransposition &t);

/// Transposes `t.columns` columns, as many as getColumnsInLines says, by
/// non-temporal stores from registers. Reads and writes nothing else.
void transposeInLines(const LineTransposition &t);

} // namespace tensoraccess_runtime

#endif // TENSORACCESS_LIB_RUNTIME_TRANSPOSE_H

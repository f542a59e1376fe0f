//===- RelayoutConvert.h - Elements on their way ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_RELAYOUTCONVERT_H
#define TENSORACCESS_LIB_EXECUTION_RELAYOUTCONVERT_H

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Runtime/Runtime.h"

namespace mlir::tensoraccess::relayout {

/// Bytes that hold an element of so many bits on its own: 1, 2, 4, 8 or 16; 0
/// for more than 128 bits.
int64_t getHolder(int64_t bits);

/// Whether elements of `from` can become elements of `to`: floats of 16, 32 and
/// 64 bits among themselves, integers of one signedness, equal types.
bool canConvert(XlaType from, XlaType to);

using Conversion = tensoraccess_runtime::Conversion;

/// The conversion of elements in holders of so many bytes, which can be more
/// than their types have: floats are in the low bits, below zeros, integers are
/// extended by their sign. Of an integer that changes its type only the bits of
/// its type count. Requires canConvert; `portable` is as in RelayoutOptions.
Conversion getConversion(XlaType from, int64_t fromBytes, XlaType to,
                         int64_t toBytes, bool portable);

/// Elements of `bits` bits from bit number `begin * bits` of `packed` on, each
/// into a holder; signed ones keep their sign. At most 64 bits.
void unpackBits(uint8_t *holders, int64_t holder, const uint8_t *packed,
                int64_t count, int64_t bits, bool isSigned);
/// The converse; bits above `bits` are dropped, those after the last are zero.
void packBits(uint8_t *packed, const uint8_t *holders, int64_t holder,
              int64_t count, int64_t bits);

} // namespace mlir::tensoraccess::relayout

#endif // TENSORACCESS_LIB_EXECUTION_RELAYOUTCONVERT_H

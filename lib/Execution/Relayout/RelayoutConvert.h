//===- RelayoutConvert.h - Elements on their way ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_RELAYOUTCONVERT_H
#define TENSORACCESS_LIB_EXECUTION_RELAYOUTCONVERT_H

#include "RelayoutKernels.h"
#include "TensorAccess/Core/Layout.h"

namespace mlir::tensoraccess::relayout {

/// Bytes that hold an element of so many bits on its own: 1, 2, 4, 8 or 16; 0
/// for more than 128 bits.
int64_t getHolder(int64_t bits);

/// Whether elements of `from` can become elements of `to`: floats of 16, 32 and
/// 64 bits among themselves, integers of one signedness, equal types.
bool canConvert(XlaType from, XlaType to);

/// A conversion of elements that follow one another, each in a holder; false
/// where the bytes of source and target are the same.
class Conversion {
public:
  /// By a function that knows the sizes of the holders.
  Conversion(ConvertFn function = nullptr) : function(function) {}
  /// Of elements whose holders on a side are wider than their type: `bits` of
  /// each value are kept and extended to the target's holder. Floats that
  /// change their type (from `fromValue` to `toValue` bytes) do so by
  /// `function` on the way, null for others.
  static Conversion throughValues(int64_t fromBytes, int64_t toBytes,
                                  int64_t bits, bool isSigned,
                                  ConvertFn function = nullptr,
                                  int64_t fromValue = 0, int64_t toValue = 0);

  explicit operator bool() const { return function || fromBytes; }
  void operator()(uint8_t *target, const uint8_t *source, int64_t count) const {
    if (fromBytes)
      convertValues(target, source, count);
    else
      function(target, source, count);
  }

private:
  void convertValues(uint8_t *target, const uint8_t *source,
                     int64_t count) const;

  ConvertFn function;
  /// Of holders and, for floats that change their type, of values.
  int64_t fromBytes = 0, toBytes = 0, fromValue = 0, toValue = 0;
  int64_t bits = 0;
  bool isSigned = false;
};

/// The conversion of elements in holders of so many bytes, which can be more
/// than their types have: floats lie in the low bits, below zeros, integers are
/// extended by their sign. Of an integer that changes its type only the bits of
/// its type count. Requires canConvert.
Conversion getConversion(XlaType from, int64_t fromBytes, XlaType to,
                         int64_t toBytes, const Kernels &kernels);

/// Elements of `bits` bits from bit number `begin * bits` of `packed` on, each
/// into a holder; signed ones keep their sign. At most 64 bits.
void unpackBits(uint8_t *holders, int64_t holder, const uint8_t *packed,
                int64_t count, int64_t bits, bool isSigned);
/// The converse; bits above `bits` are dropped, those after the last are zero.
void packBits(uint8_t *packed, const uint8_t *holders, int64_t holder,
              int64_t count, int64_t bits);

} // namespace mlir::tensoraccess::relayout

#endif // TENSORACCESS_LIB_EXECUTION_RELAYOUTCONVERT_H

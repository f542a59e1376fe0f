//===- ComplexNumbers.h - Pairs of tensors, and what is done to them ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_COMPLEXNUMBERS_H
#define TENSORACCESS_LIB_STABLEHLO_COMPLEXNUMBERS_H

#include "HloBuilder.h"

namespace mlir::tensoraccess {

/// The real and the imaginary parts of a tensor, of one type.
struct ComplexPair {
  Value re, im;
};

/// What a function of complex numbers writes; it has one result. `arity` is the
/// number of operands.
struct ComplexFunction {
  unsigned arity;
  ComplexPair (*write)(HloBuilder &h, ArrayRef<ComplexPair> operands);
  /// Whether complex<f32> is computed in its own type, as XLA does, not in f64.
  bool isExact;
};

/// Null if none has the name.
const ComplexFunction *getComplexFunction(StringRef name);
/// |z|, without avoidable overflow.
Value writeComplexAbs(HloBuilder &h, ComplexPair z);

/// The op `fft` as a call of the runtime on complex numbers; null, with the
/// reason, where it is malformed.
Operation *callFourierTransform(HloBuilder &h, Operation *op, std::string &why);
/// The op `fft` as products on pairs; for types that end or begin in real
/// numbers, too. std::nullopt, with the reason, where it is malformed.
std::optional<ComplexPair> writeFourierTransform(HloBuilder &h, Operation *op,
                                                 ComplexPair input,
                                                 std::string &why);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_COMPLEXNUMBERS_H

//===- ExpandComplex.h - Complex numbers as pairs ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_STABLEHLO_EXPANDCOMPLEX_H
#define TENSORACCESS_STABLEHLO_EXPANDCOMPLEX_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tensoraccess {

/// Marks arguments and results that were complex.
inline constexpr llvm::StringLiteral kComplex = "tensoraccess.complex";

/// tensor<S x 2 x f> of tensor<S x complex<f>>; any other type as it is.
Type getTypeOfPairs(Type type);

/// Whether a program has complex numbers, and only StableHLO's ops, functions and
/// calls have them.
bool hasComplexHlo(ModuleOp module);

/// Rewrites a program of StableHLO with complex numbers into one of their real
/// and imaginary parts. An argument, a result and an operand of a call of type
/// tensor<S x complex<f>> becomes a tensor<S x 2 x f>, whose elements lie in
/// memory as before, with the attribute kComplex. Functions of complex<f32> but sums, products and moves are
/// computed in f64. Does nothing where `hasComplexHlo` is false. An error at the
/// first op that has complex numbers and no such form: the module is then
/// neither the one nor the other.
LogicalResult expandComplexNumbers(ModuleOp module);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_STABLEHLO_EXPANDCOMPLEX_H

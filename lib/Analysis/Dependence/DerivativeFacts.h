//===- DerivativeFacts.h - Derivatives of ops -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of derivatives: by which operands a scalar function has a
// derivative that is not zero everywhere, and by which pairs of them a second
// one. Ops follow from it by their bodies and nests. What is not in the table has
// all of them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_DERIVATIVEFACTS_H
#define TENSORACCESS_LIB_ANALYSIS_DERIVATIVEFACTS_H

#include "TensorAccess/Analysis/ValueFacts.h"

namespace mlir::tensoraccess {

/// Whether elements of a type may have derivatives.
bool isDifferentiable(Type type);

/// Whether a result has a derivative by what a step reads.
bool hasDerivative(const FlatStep &step, unsigned result, unsigned read);

/// Where elements of two reads meet in a second derivative.
enum class Curvature : uint8_t {
  None,     ///< nowhere
  AtPoint,  ///< those that are read at one point of the op's loops
  AtResult, ///< all that one element of the result reads
};
Curvature getCurvature(const FlatStep &step, unsigned result, unsigned first,
                       unsigned second);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_ANALYSIS_DERIVATIVEFACTS_H

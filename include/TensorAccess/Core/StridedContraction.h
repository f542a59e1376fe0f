//===- StridedContraction.h - Sums of products over strided operands ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_STRIDEDCONTRACTION_H
#define TENSORACCESS_CORE_STRIDEDCONTRACTION_H

#include "TensorAccess/Core/Tensor.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Sums of products over strided operands
//
// The loop in which matrix products and convolutions spend their time, whatever
// op they are written as:
//
//   out[p] = (… (out[p] + lhs[p, r0]·rhs[p, r0]) + lhs[p, r1]·rhs[p, r1]) …
//
// with r0, r1, … in row-major order, every product and sum rounded immediately.
// The points p are independent of one another, so that many are computed side
// by side; not a bit of a result depends on how many.
//===----------------------------------------------------------------------===//

/// The type that sums of elements, and products that are summed, are computed
/// in: f32 for f16 and bf16, any other type itself. Sums are rounded to the
/// element type once, at the end.
ElementType getSumType(ElementType type);

/// A sum of products. No two points may have the same place in `out`, and
/// operands must not overlap with it.
struct StridedContraction {
  /// An operand: its first element, and how many elements each loop steps on.
  struct Operand {
    void *data = nullptr;
    llvm::SmallVector<int64_t> pointSteps, sumSteps;
  };

  /// The type of both factors, and of products and sums: the same, or one that
  /// extends it (isExtension), to which factors are converted.
  ElementType type, sumType;
  /// Sizes of the loops over points and of those that are summed over.
  llvm::SmallVector<int64_t> points, sums;
  Operand out, lhs, rhs;
};

/// Runs it; every index of every operand must be inside its memory.
void runContraction(const StridedContraction &contraction);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_STRIDEDCONTRACTION_H

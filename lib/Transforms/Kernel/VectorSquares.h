//===- VectorSquares.h - Squares of vectors, transposed ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_KERNEL_VECTORSQUARES_H
#define TENSORACCESS_LIB_TRANSFORMS_KERNEL_VECTORSQUARES_H

#include "mlir/IR/Builders.h"

namespace mlir::tensoraccess {

/// The columns of as many vectors as each has elements, a power of two, by shuffles
/// of two vectors: log2 of that for each.
SmallVector<Value> transposeSquare(OpBuilder &b, Location loc,
                                   SmallVector<Value> rows);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_KERNEL_VECTORSQUARES_H

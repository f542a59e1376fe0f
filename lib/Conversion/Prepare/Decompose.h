//===- Decompose.h - Ops that are not loops become loops --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Conversion: what DecomposeToLinalg.cpp decomposes into loops of
// this project (DecomposeIndexed.cpp), since upstream has none, and what it does to
// vectors (PlainVectors.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_DECOMPOSE_H
#define TENSORACCESS_LIB_CONVERSION_DECOMPOSE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tensoraccess {

/// Asserts, for `op`, that an index of dimension `dim` is below its size and
/// not negative.
void requireInside(ImplicitLocOpBuilder &b, Operation *op, Value index,
                   int64_t dim, Value size);

/// A tensor.gather as a loop over its result. An index outside ends the program.
Value lowerGather(ImplicitLocOpBuilder &b, tensor::GatherOp op);

/// A tensor.scatter as loops over its indices, in their order. An index outside
/// ends the program.
Value lowerScatter(ImplicitLocOpBuilder &b, tensor::ScatterOp op);

/// A linalg.pack or linalg.unpack as a loop over its result, which computes the
/// place in the source of each element: for tiles that are known at run time.
Value lowerPackByPlaces(ImplicitLocOpBuilder &b, linalg::PackOp op);
Value lowerUnPackByPlaces(ImplicitLocOpBuilder &b, linalg::UnPackOp op);

/// Rewrites masked transfers, and elements of vectors at places known at run
/// time, that upstream would lower wrongly or not at all.
void makePlainVectors(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_DECOMPOSE_H

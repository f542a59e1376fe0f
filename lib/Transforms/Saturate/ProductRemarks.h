//===- ProductRemarks.h - What is no product of matrices --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Transforms. Products that a pass left as they are, and why.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_PRODUCTREMARKS_H
#define TENSORACCESS_LIB_TRANSFORMS_PRODUCTREMARKS_H

#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {

/// The pattern <M x N | 2 x K>, or <B x M x N | 2 x K> where that is more than B
/// dot products, and more than one product, by its type.
bool isProductOfMatrices(AccessType type);

/// Whether both sides of such a pattern are matrices in memory, and move only
/// with the dimensions that are theirs.
bool hasMatricesInMemory(const AccessForm &pattern);

/// Why a dot product is none of matrices, whatever a copy costs: `its tuple has
/// 3 factors`. None if it could be one.
std::optional<std::string> findProductObstacle(ComputeOp op,
                                               AccessForms &forms);

/// A missed remark for each convolution or contraction of linalg, tosa or
/// stablehlo that is in the function.
void emitForeignProducts(FunctionOpInterface function,
                         const remark::RemarkOpts &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PRODUCTREMARKS_H

//===- ProductRemarks.h - What is not a product of matrices -----*- C++ -*-===//
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
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {

/// The pattern <M x N | 2 x K>, or <B x M x N | 2 x K> where that is more than B
/// dot products, and more than one product, by its type.
bool isProductOfMatrices(AccessType type);

/// Whether both sides of such a pattern are matrices in memory, and move only
/// with the dimensions that are theirs.
bool hasMatricesInMemory(const AccessForm &pattern);

/// A missed remark of that name for each dot product but those that are `done`:
/// why it is not a product of matrices, whatever a copy costs (`its tuple has 3
/// factors`), or `reason` where it could be one. Then one for each convolution
/// or contraction of linalg, tosa or stablehlo.
void emitMissedProducts(
    FunctionOpInterface function, StringRef name, StringRef reason,
    llvm::function_ref<bool(ComputeOp, bool hasObstacle, AccessForms &)> done =
        nullptr);

/// Those with a body.
SmallVector<FunctionOpInterface> getFunctions(Operation *module);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PRODUCTREMARKS_H

//===- Reshape.h - Tensors in another shape ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_RESHAPE_H
#define TENSORACCESS_TRANSFORMS_RESHAPE_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::tensoraccess {

/// Cuts two shapes with equally many elements into the shortest runs of
/// dimensions that have equally many elements each; dynamic sizes match in
/// order. False if a size is 0, and if there are no such runs.
bool matchRuns(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
               SmallVectorImpl<ReassociationIndices> &fromRuns,
               SmallVectorImpl<ReassociationIndices> &toRuns);

/// The same elements, row-major, in another shape: collapse_shape,
/// expand_shape, both, or nothing. Dynamic sizes are those of the tensor, in
/// order, each a dimension of its own in both.
Value reshapeTensor(OpBuilder &b, Location loc, Value tensor,
                    ArrayRef<int64_t> shape);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_RESHAPE_H

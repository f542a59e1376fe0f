//===- TosaReaders.h - The two halves of tosa's reader --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_TOSAREADERS_H
#define TENSORACCESS_LIB_CONVERSION_TOSAREADERS_H

#include "RaiseReaders.h"

namespace mlir::tensoraccess {

inline RankedTensorType rankedType(Value tensor) {
  return dyn_cast<RankedTensorType>(tensor.getType());
}

/// Convolutions, poolings and matmul as a pattern of the result's dimensions;
/// null, with the builder's reason, for them and for every other op.
Value raiseTosaWindow(RaiseBuilder &builder, Operation *op, RaisedKind &kind);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_TOSAREADERS_H

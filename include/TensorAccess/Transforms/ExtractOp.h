//===- ExtractOp.h - Cutting out one op -------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_EXTRACTOP_H
#define TENSORACCESS_TRANSFORMS_EXTRACTOP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>

namespace mlir::tensoraccess {

/// A new function `name`, not yet in any module, that computes the same as op
/// number `index` (from 0, in program order) called `opName` in `function`,
/// from the values its producers start from. Emits an error on `function` if
/// there is no such op or its operands are not of tensor or scalar type.
FailureOr<OwningOpRef<func::FuncOp>> extractOp(func::FuncOp function,
                                               StringRef opName, int64_t index,
                                               StringRef name = "main");

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_EXTRACTOP_H

//===- FloatFunctions.h - Functions of f32 as arithmetic --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_PREPARE_FLOATFUNCTIONS_H
#define TENSORACCESS_LIB_TRANSFORMS_PREPARE_FLOATFUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tensoraccess {

/// The result of a function of `math` on floats up to f32, or vectors of them,
/// by additions, multiplications and bits, without branches and calls. Null for
/// ops that are not computed so.
Value emitFloatFunction(ImplicitLocOpBuilder &b, Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PREPARE_FLOATFUNCTIONS_H

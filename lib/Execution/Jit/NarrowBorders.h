//===- NarrowBorders.h - Integers that memory has no type for ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_JIT_NARROWBORDERS_H
#define TENSORACCESS_LIB_EXECUTION_JIT_NARROWBORDERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {

/// The type in which a scalar or a tensor of i2, i4, i12, say, is passed: of the
/// integers that hold them (IR/Evaluate.h). Any other type itself.
Type getPassedType(Type type);

/// A function of another name with passed types, which truncates its arguments,
/// calls this one and extends the results by their signs; the function itself
/// where every type is the passed one.
func::FuncOp wrapNarrowIntegers(func::FuncOp function);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_JIT_NARROWBORDERS_H

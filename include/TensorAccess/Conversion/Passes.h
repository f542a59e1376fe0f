//===- Passes.h - Conversion: passes between dialects ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from Passes.td beside it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CONVERSION_PASSES_H
#define TENSORACCESS_CONVERSION_PASSES_H

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

#define GEN_PASS_DECL
#include "TensorAccess/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Conversion/Passes.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CONVERSION_PASSES_H

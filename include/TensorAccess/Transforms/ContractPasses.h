//===- ContractPasses.h - Passes that check contracts ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from ContractPasses.td beside it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_CONTRACTPASSES_H
#define TENSORACCESS_TRANSFORMS_CONTRACTPASSES_H

#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Transforms/Contracts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

#define GEN_PASS_DECL
#include "TensorAccess/Transforms/ContractPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Transforms/ContractPasses.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_CONTRACTPASSES_H

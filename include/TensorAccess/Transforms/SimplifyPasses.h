//===- SimplifyPasses.h - Passes that simplify as upstream does -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from SimplifyPasses.td beside it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SIMPLIFYPASSES_H
#define TENSORACCESS_TRANSFORMS_SIMPLIFYPASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

#define GEN_PASS_DECL
#include "TensorAccess/Transforms/SimplifyPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Transforms/SimplifyPasses.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SIMPLIFYPASSES_H

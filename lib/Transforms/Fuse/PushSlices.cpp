//===- PushSlices.cpp - Each tensor as far as it is read ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cut/Narrow.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PUSHSLICES
#include "TensorAccess/Transforms/FusePasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct PushSlicesPass
    : public tensoraccess::impl::PushSlicesBase<PushSlicesPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      narrowed += narrowFunction(function);
  }
};
} // namespace

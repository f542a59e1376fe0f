//===- ExpandStableHlo.cpp - Composite StableHLO in terms of other ops ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXPANDSTABLEHLO
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct ExpandStableHloPass
    : public tensoraccess::impl::ExpandStableHloBase<ExpandStableHloPass> {
  using ExpandStableHloBase::ExpandStableHloBase;
  void runOnOperation() override {
    if (failed(expandStableHlo(getOperation(), callTransforms)))
      signalPassFailure();
  }
};
} // namespace

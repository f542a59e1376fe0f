//===- LayoutPasses.cpp - Passes on layouts: the shells -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assign-layouts and materialize-layouts, which read their options here.
//
//===----------------------------------------------------------------------===//

#include "Access/Moves.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#define GEN_PASS_DEF_MATERIALIZELAYOUTS
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Products of a few such sizes fit 63 bits.
static constexpr int64_t kMaxDynamicSize = int64_t(1) << 20;

namespace {
struct AssignLayoutsPass
    : public tensoraccess::impl::AssignLayoutsBase<AssignLayoutsPass> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    if (failed(checkRanks(getOperation())))
      return signalPassFailure();
    FailureOr<Target> found = findTarget(getOperation(), target);
    if (failed(found))
      return signalPassFailure();
    LayoutAssignmentOptions options;
    options.target = *found;
    options.weights = weights;
    options.maxEntries = maxEntries;
    options.dynamicSize = dynamicSize;
    if (options.dynamicSize < 1 || options.dynamicSize > kMaxDynamicSize) {
      getOperation().emitError()
          << "dynamic-size must be in [1, " << kMaxDynamicSize << "], got "
          << options.dynamicSize;
      return signalPassFailure();
    }
    SmallVector<FunctionOpInterface> functions;
    getOperation().walk(
        [&](FunctionOpInterface function) { functions.push_back(function); });
    for (FunctionOpInterface function : functions) {
      SmallVector<Type> before(function.getArgumentTypes());
      LayoutAssignmentReport report = assignLayouts(function, options);
      assigned += report.assigned;
      left += report.left;
      relayouts += report.relayouts;
      if (weights == LayoutWeights::Function && report.callerWeights != 0 &&
          failed(createPackFunction(function, before)))
        return signalPassFailure();
    }
  }
};

struct MaterializeLayoutsPass
    : public tensoraccess::impl::MaterializeLayoutsBase<
          MaterializeLayoutsPass> {
  using MaterializeLayoutsBase::MaterializeLayoutsBase;

  void runOnOperation() override {
    FailureOr<LayoutMaterializationReport> report =
        materializeLayouts(getOperation(), way, foldBytes);
    if (failed(report))
      return signalPassFailure();
    physical += report->physical;
    wrapped += report->wrapped;
    masked += report->masked;
    folded += report->folded;
  }
};
} // namespace

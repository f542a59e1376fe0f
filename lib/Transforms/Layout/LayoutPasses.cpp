//===- LayoutPasses.cpp - Passes on layouts: the shells -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assign-layouts and materialize-layouts, which read their options here.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/LayoutPasses.h"
#include "TensorAccess/Core/Target.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#define GEN_PASS_DEF_MATERIALIZELAYOUTS
#include "TensorAccess/Transforms/LayoutPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Products of a few such sizes fit 63 bits.
static constexpr int64_t kMaxDynamicSize = int64_t(1) << 20;

/// Adds, after a function `f` whose arguments had the types `before`, a public
/// function `pack_f`: it takes those whose types have changed, as they were,
/// and returns them as `f` takes them, by nothing but relayouts.
/// `tensoraccess.argument` of its arguments and results is their number in `f`.
/// An error if there is such a symbol.
static LogicalResult createPackFunction(FunctionOpInterface function,
                                        TypeRange before) {
  SmallVector<unsigned> changed;
  SmallVector<Type> plain, packed;
  for (auto [i, was, is] :
       llvm::enumerate(before, function.getArgumentTypes())) {
    if (was == is)
      continue;
    changed.push_back(i);
    plain.push_back(was);
    packed.push_back(is);
  }
  std::string name = ("pack_" + function.getName()).str();
  if (SymbolTable::lookupNearestSymbolFrom(
          function, StringAttr::get(function.getContext(), name)))
    return function.emitError()
           << "weights of '" << function.getName() << "' cannot be packed in '"
           << name << "': there is such a symbol";
  OpBuilder builder(function);
  builder.setInsertionPointAfter(function);
  Location loc = function.getLoc();
  auto pack = func::FuncOp::create(builder, loc, name,
                                   builder.getFunctionType(plain, packed));
  Block *body = pack.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> results;
  for (auto [i, argument, type] : llvm::enumerate(body->getArguments(), packed))
    results.push_back(RelayoutOp::create(builder, loc, type, argument,
                                         /*permutation=*/DenseI64ArrayAttr()));
  func::ReturnOp::create(builder, loc, results);
  for (auto [i, number] : llvm::enumerate(changed)) {
    auto attr = builder.getI64IntegerAttr(number);
    pack.setArgAttr(i, "tensoraccess.argument", attr);
    pack.setResultAttr(i, "tensoraccess.argument", attr);
  }
  return success();
}

namespace {
struct AssignLayoutsPass
    : public tensoraccess::impl::AssignLayoutsBase<AssignLayoutsPass> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    if (failed(checkRanks(getOperation())) ||
        failed(convertEncodings(getOperation())))
      return signalPassFailure();
    FailureOr<Target> found = findTarget(getOperation(), target);
    if (failed(found))
      return signalPassFailure();
    LayoutAssignmentOptions options;
    options.target = *found;
    options.weights = weights;
    options.always = always;
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

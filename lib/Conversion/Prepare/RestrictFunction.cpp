//===- RestrictFunction.cpp - The program of a box of a result ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shell round Cut/Narrow.h, which works on linalg on tensors.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Cut/Narrow.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_RESTRICTFUNCTION
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Any program as linalg on tensors in functions that call no other.
static void addToTensors(OpPassManager &pm) {
  pm.addPass(createGuardFolds());
  pm.addPass(createExpandStableHlo());
  pm.addPass(createStablehloToLinalg());
  pm.addPass(createLowerToLinalg());
  pm.addPass(createForeignToLinalg());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
}

namespace {
struct RestrictFunctionPass
    : public tensoraccess::impl::RestrictFunctionBase<RestrictFunctionPass> {
  using RestrictFunctionBase::RestrictFunctionBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
    OpPassManager pm(ModuleOp::getOperationName());
    addToTensors(pm);
    pm.getDependentDialects(registry);
  }

  func::FuncOp find() {
    return getOperation().lookupSymbol<func::FuncOp>(function);
  }

  LogicalResult restrict() {
    func::FuncOp target = find();
    if (!target)
      return mlir::emitError(getOperation().getLoc())
             << "there is no function @" << function;
    auto fail = [&](const Twine &message) {
      return mlir::emitError(find().getLoc()) << message;
    };
    if (!target.getBody().hasOneBlock())
      return fail("function @" + Twine(function) + " has no body of one block");
    std::string error;
    std::optional<Box> wanted = parseBox(box, error);
    if (!wanted)
      return fail(error);
    if (auto wrong = verifyResultBox(target, result, *wanted))
      return fail(*wrong);
    OpPassManager toTensors(ModuleOp::getOperationName());
    addToTensors(toTensors);
    if (failed(runPipeline(toTensors, getOperation())))
      return failure();
    target = find();
    if (!target.getBody().hasOneBlock())
      return fail("function @" + Twine(function) + " has no body of one block");
    if (!SymbolTable::symbolKnownUseEmpty(target, getOperation()))
      return fail("function @" + Twine(function) +
                  " is called, and keeps its results");
    // Complex numbers became a dimension of two.
    if (auto type = dyn_cast<RankedTensorType>(target.getResultTypes()[result]);
        type && type.getRank() == static_cast<int64_t>(wanted->lo.size()) + 1) {
      wanted->lo.push_back(0);
      wanted->hi.push_back(type.getShape().back());
    }
    restrictFunction(target, result, *wanted);
    OpPassManager cleanUp(ModuleOp::getOperationName());
    cleanUp.addPass(createCanonicalize());
    cleanUp.addPass(createCSEPass());
    return runPipeline(cleanUp, getOperation());
  }

  void runOnOperation() override {
    if (failed(restrict()))
      signalPassFailure();
  }
};
} // namespace

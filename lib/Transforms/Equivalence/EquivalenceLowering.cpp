//===- EquivalenceLowering.cpp - Foreign ops made ready to run ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter has no TOSA. To test a function with it, a copy of its module
// goes through upstream's lowering to linalg, which defines what TOSA means.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tensoraccess;

OwningOpRef<ModuleOp> mlir::tensoraccess::lowerForTests(func::FuncOp function) {
  auto module = dyn_cast_or_null<ModuleOp>(function->getParentOp());
  if (!module ||
      !module
           ->walk([](Operation *op) {
             return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           })
           .wasInterrupted())
    return nullptr;
  MLIRContext *context = function.getContext();
  PassManager pm(context);
  addTosaToLinalg(pm);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass());
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createTosaToSCFPass());
  // Dialects can't be loaded while passes run.
  DialectRegistry wanted;
  pm.getDependentDialects(wanted);
  for (StringRef name : wanted.getDialectNames())
    if (!context->getLoadedDialect(name))
      return nullptr;
  OwningOpRef<ModuleOp> lowered(module.clone());
  prepareTosa(*lowered);
  CapturedErrors captured(context);
  if (failed(pm.run(*lowered)))
    return nullptr;
  finishTosa(*lowered);
  return lowered;
}

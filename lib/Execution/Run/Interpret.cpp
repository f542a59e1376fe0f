//===- Interpret.cpp - Programs that begin in other dialects --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Execution/Run.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether a function, or one that it calls, has an op of TOSA.
static bool reachesTosa(func::FuncOp entry, ModuleOp module) {
  SymbolTable table(module);
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (size_t i = 0; i < reached.size(); ++i) {
    WalkResult found = reached[i]->walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        if (Operation *callee = table.lookup(call.getCallee()))
          reached.insert(callee);
      return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return true;
  }
  return false;
}

FailureOr<SmallVector<Tensor>>
mlir::tensoraccess::interpretProgram(func::FuncOp entry,
                                     ArrayRef<Tensor> inputs,
                                     const InterpreterOptions &options) {
  auto module = entry->getParentOfType<ModuleOp>();
  if (!module || entry->getParentOp() != module || !reachesTosa(entry, module))
    return interpret(entry, inputs, options);
  OwningOpRef<ModuleOp> loops = module.clone();
  PassManager passes(module.getContext());
  passes.addPass(createForeignToLinalg());
  if (failed(passes.run(*loops)))
    return failure();
  return interpret(*loops, entry.getName(), inputs, options);
}

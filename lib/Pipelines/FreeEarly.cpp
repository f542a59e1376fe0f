//===- FreeEarly.cpp - Buffers are freed after their last use -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's pass does it, where it may.
//
//===----------------------------------------------------------------------===//

#include "FreeEarly.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::hasMessagesUnderWay(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<mpi::ISendOp, mpi::IRecvOp>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct FreeEarlyPass
    : public PassWrapper<FreeEarlyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FreeEarlyPass)

  StringRef getArgument() const final { return "tensoraccess-free-early"; }
  StringRef getDescription() const final {
    return "frees buffers right after their last use, unless messages are "
           "under way";
  }
  void runOnOperation() override {
    if (hasMessagesUnderWay(getOperation()))
      return;
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addNestedPass<func::FuncOp>(
        bufferization::createOptimizeAllocationLivenessPass());
    if (failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> mlir::tensoraccess::createFreeEarly() {
  return std::make_unique<FreeEarlyPass>();
}

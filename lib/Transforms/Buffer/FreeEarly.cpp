//===- FreeEarly.cpp - Buffers are freed after their last use -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's pass does it, where it may.
//
//===----------------------------------------------------------------------===//

#include "Buffer/Messages.h"
#include "TensorAccess/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FREEEARLY
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

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
struct FreeEarlyPass : public tensoraccess::impl::FreeEarlyBase<FreeEarlyPass> {
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

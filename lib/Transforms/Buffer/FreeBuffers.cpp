//===- FreeBuffers.cpp - When buffers are freed ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deallocation by ownership asks for any two buffers of a block whether they are
// the same. For most there is no need to ask. Before it:
//
// 1. An allocation is local where it, and each view of it, is used by loads,
//    stores, copies and structured ops only: nothing else can hold it.
// 2. A local buffer is freed after the op of its block that uses it last, or
//    that contains the last use; both ops get the attribute that keeps upstream
//    from freeing them.
//
// After it, upstream's pass frees the other buffers after their last use.
// Neither is done where messages are under way.
//
//===----------------------------------------------------------------------===//

#include "BufferUses.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FREEEARLY
#define GEN_PASS_DEF_FREELOCALS
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether the module sends or receives without waiting at once.
static bool hasMessagesUnderWay(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<mpi::ISendOp, mpi::IRecvOp>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool tensoraccess::onlyAccesses(OpOperand &use) {
  Operation *op = use.getOwner();
  // A buffer may be an element of another one.
  if (isa<memref::StoreOp, affine::AffineStoreOp>(op))
    return use.getOperandNumber() != 0;
  return isa<memref::LoadOp, memref::CopyOp, memref::DimOp,
             affine::AffineLoadOp, vector::LoadOp, vector::StoreOp,
             vector::TransferReadOp, vector::TransferWriteOp>(op) ||
         isa<linalg::LinalgOp>(op);
}

bool tensoraccess::allUses(Value buffer,
                           llvm::function_ref<bool(OpOperand &)> visit) {
  SmallVector<Value> views = {buffer};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (isa<memref::SubViewOp, memref::CastOp, memref::ExpandShapeOp,
              memref::CollapseShapeOp, memref::ReinterpretCastOp>(op))
        views.push_back(op->getResult(0));
      else if (!visit(use))
        return false;
    }
  return true;
}

/// The last op of the allocation's block that uses it; null where it is not
/// local, or unused.
static Operation *findLastUse(memref::AllocOp alloc) {
  Block *block = alloc->getBlock();
  Operation *last = nullptr;
  const bool isLocal = allUses(alloc, [&](OpOperand &use) {
    Operation *inBlock = block->findAncestorOpInBlock(*use.getOwner());
    if (!inBlock || !onlyAccesses(use))
      return false;
    if (!last || last->isBeforeInBlock(inBlock))
      last = inBlock;
    return true;
  });
  return isLocal ? last : nullptr;
}

static void freeLocals(Operation *root) {
  SmallVector<std::pair<memref::AllocOp, Operation *>> locals;
  root->walk([&](memref::AllocOp alloc) {
    if (Operation *last = findLastUse(alloc))
      locals.emplace_back(alloc, last);
  });
  StringRef name = bufferization::BufferizationDialect::kManualDeallocation;
  auto manual = UnitAttr::get(root->getContext());
  for (auto [alloc, last] : locals) {
    OpBuilder builder(root->getContext());
    builder.setInsertionPointAfter(last);
    auto free = memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
    alloc->setAttr(name, manual);
    free->setAttr(name, manual);
  }
}

namespace {
struct FreeLocalsPass
    : public tensoraccess::impl::FreeLocalsBase<FreeLocalsPass> {
  void runOnOperation() override {
    if (!hasMessagesUnderWay(getOperation()))
      freeLocals(getOperation());
  }
};

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

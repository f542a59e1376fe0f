//===- BoolsToBytes.cpp - Bytes for i1 in memory --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An i1 takes a byte of memory, 0 or 1. LLVM makes no vectors of loops that load or
// store types with bits to spare, so the byte is loaded and stored itself.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/LowerPasses.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_BOOLSTOBYTES
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct BoolsToBytesPass
    : public tensoraccess::impl::BoolsToBytesBase<BoolsToBytesPass> {
  void runOnOperation() override {
    OpBuilder b(&getContext());
    Type i8 = b.getI8Type();
    auto isPlain = [](auto op) {
      return op.getOrdering() == LLVM::AtomicOrdering::not_atomic;
    };
    getOperation()->walk([&](Operation *op) {
      Location loc = op->getLoc();
      if (auto load = dyn_cast<LLVM::LoadOp>(op);
          load && load.getType().isInteger(1) && isPlain(load)) {
        Value byte = load.getResult();
        b.setInsertionPointAfter(load);
        auto flag = LLVM::TruncOp::create(b, loc, b.getI1Type(), byte);
        byte.replaceAllUsesExcept(flag, flag);
        byte.setType(i8);
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op);
                 store && store.getValue().getType().isInteger(1) &&
                 isPlain(store)) {
        b.setInsertionPoint(store);
        store.getValueMutable().assign(
            LLVM::ZExtOp::create(b, loc, i8, store.getValue()));
      }
    });
  }
};
} // namespace

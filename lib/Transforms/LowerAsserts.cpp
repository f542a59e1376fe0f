//===- LowerAsserts.cpp - Failed assertions call a function ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Declare the handler, unless it is there with the right type.
// 2. For each cf.assert: a global with the message (one for equal messages) and
//    a call under scf.if.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LOWERASSERTS
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Step 1.
static FailureOr<func::FuncOp> getHandler(ModuleOp module, SymbolTable &table,
                                          StringRef name) {
  OpBuilder builder(module.getContext());
  auto type = builder.getFunctionType(
      LLVM::LLVMPointerType::get(module.getContext()), {});
  if (Operation *symbol = table.lookup(name)) {
    auto function = dyn_cast<func::FuncOp>(symbol);
    if (!function || function.getFunctionType() != type)
      return symbol->emitError()
             << "handler of failed assertions must be a function of type "
             << type;
    return function;
  }
  auto function = func::FuncOp::create(module.getLoc(), name, type);
  function.setPrivate();
  table.insert(function);
  return function;
}

LogicalResult mlir::tensoraccess::lowerAsserts(ModuleOp module,
                                               StringRef handler) {
  SmallVector<cf::AssertOp> asserts;
  module.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  if (asserts.empty())
    return success();
  SymbolTable table(module);
  FailureOr<func::FuncOp> function = getHandler(module, table, handler);
  if (failed(function))
    return failure();

  OpBuilder builder(module.getContext());
  llvm::StringMap<LLVM::GlobalOp> messages;
  for (cf::AssertOp op : asserts) {
    Location loc = op.getLoc();
    LLVM::GlobalOp &global = messages[op.getMsg()];
    if (!global) {
      SmallString<64> text(op.getMsg());
      text.push_back('\0');
      builder.setInsertionPointToStart(module.getBody());
      global = LLVM::GlobalOp::create(
          builder, loc,
          LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
          /*isConstant=*/true, LLVM::Linkage::Internal, "tensoraccess_message",
          builder.getStringAttr(text));
      table.insert(global);
    }
    builder.setInsertionPoint(op);
    Value one = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
    Value fails = arith::XOrIOp::create(builder, loc, op.getArg(), one);
    auto branch = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value text = LLVM::AddressOfOp::create(builder, loc, global);
    func::CallOp::create(builder, loc, *function, text);
    op.erase();
  }
  return success();
}

namespace {
struct LowerAssertsPass
    : public tensoraccess::impl::LowerAssertsBase<LowerAssertsPass> {
  using LowerAssertsBase::LowerAssertsBase;
  void runOnOperation() override {
    if (failed(lowerAsserts(getOperation(), handler)))
      signalPassFailure();
  }
};
} // namespace

//===- LaunchTasks.cpp - Calls of tasks, one for each iteration -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is called with the number of its iterations where the number of an
// iteration is its argument (OutlineTasks.cpp). The other arguments go to a
// record on the stack; a function that takes the record and a number, and calls
// the task, goes to the runtime (Runtime/Runtime.h).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/LowerPasses.h"
#include "TensorAccess/Transforms/Lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LAUNCHTASKS
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Runs the iterations of a task.
static constexpr StringLiteral kLauncher = "tensoraccess_parallel";

static FailureOr<LLVM::LLVMFuncOp> getLauncher(SymbolTable &table) {
  OpBuilder builder(table.getOp()->getContext());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer, builder.getI64Type()});
  if (Operation *symbol = table.lookup(kLauncher)) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(symbol);
    if (!function || function.getFunctionType() != type)
      return symbol->emitError()
             << "what runs tasks must be a function of type " << type;
    return function;
  }
  auto function = LLVM::LLVMFuncOp::create(builder, table.getOp()->getLoc(),
                                           kLauncher, type);
  table.insert(function);
  return function;
}

/// `void(record, number)`, which calls the task.
static LLVM::LLVMFuncOp emitBody(SymbolTable &table, LLVM::LLVMFuncOp task,
                                 LLVM::LLVMStructType record) {
  ImplicitLocOpBuilder b(task.getLoc(), task.getContext());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {pointer, b.getI64Type()});
  auto body = LLVM::LLVMFuncOp::create(b, (task.getName() + "_turn").str(),
                                       type, LLVM::Linkage::Internal);
  table.insert(body);
  Block *block = body.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  SmallVector<Value> arguments = {block->getArgument(1)};
  for (auto [i, field] : llvm::enumerate(record.getBody())) {
    Value place =
        LLVM::GEPOp::create(b, pointer, record, block->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    arguments.push_back(LLVM::LoadOp::create(b, field, place));
  }
  LLVM::CallOp::create(b, task, arguments);
  LLVM::ReturnOp::create(b, ValueRange());
  return body;
}

LogicalResult mlir::tensoraccess::launchTasks(ModuleOp module) {
  llvm::DenseMap<StringAttr, LLVM::LLVMFuncOp> tasks, bodies;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(kTaskName))
      tasks[function.getSymNameAttr()] = function;
  if (tasks.empty())
    return success();
  SymbolTable table(module);
  FailureOr<LLVM::LLVMFuncOp> launcher = getLauncher(table);
  if (failed(launcher))
    return failure();
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (FlatSymbolRefAttr callee = call.getCalleeAttr())
      if (tasks.contains(callee.getAttr()))
        calls.push_back(call);
  });
  for (LLVM::CallOp call : calls) {
    StringAttr name = call.getCalleeAttr().getAttr();
    LLVM::LLVMFuncOp task = tasks[name];
    auto record = LLVM::LLVMStructType::getLiteral(
        module.getContext(), task.getArgumentTypes().drop_front());
    LLVM::LLVMFuncOp &body = bodies[name];
    if (!body)
      body = emitBody(table, task, record);
    ImplicitLocOpBuilder b(call.getLoc(), call);
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    // Once per call of the function, not once per iteration of a loop.
    b.setInsertionPointToStart(
        &call->getParentOfType<LLVM::LLVMFuncOp>().getBody().front());
    Value one = LLVM::ConstantOp::create(b, b.getI64Type(), 1);
    Value place = LLVM::AllocaOp::create(b, pointer, record, one);
    b.setInsertionPoint(call);
    for (auto [i, argument] :
         llvm::enumerate(call.getArgOperands().drop_front())) {
      Value field = LLVM::GEPOp::create(
          b, pointer, record, place,
          ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b, argument, field);
    }
    Value address = LLVM::AddressOfOp::create(b, body);
    LLVM::CallOp::create(
        b, *launcher,
        ValueRange{address, place, call.getArgOperands().front()});
    call.erase();
  }
  for (auto [name, task] : tasks)
    task->removeAttr(kTaskName);
  return success();
}

namespace {
struct LaunchTasksPass
    : public tensoraccess::impl::LaunchTasksBase<LaunchTasksPass> {
  void runOnOperation() override {
    if (failed(launchTasks(getOperation())))
      signalPassFailure();
  }
};
} // namespace

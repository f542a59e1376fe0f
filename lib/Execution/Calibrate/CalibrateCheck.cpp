//===- CalibrateCheck.cpp - Ops of a program against a model --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. each op becomes a function of its tensors: constants, empty tensors and
//      fills come along, everything else is an argument;
//   2. functions with the same text are one;
//   3. the function is timed, and the model's costs of its ops added up.
//
//===----------------------------------------------------------------------===//

#include "Jit/KernelTimer.h"
#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Execution/Calibrate.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether an op comes along with its user: it takes no tensor.
static bool isFree(Operation *op) {
  FailureOr<BlockOp> block = getBlockOp(op);
  return succeeded(block) && block->kind == BlockOpKind::Free;
}

/// A module whose @main is this op.
static OwningOpRef<ModuleOp> isolate(Operation *op) {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> arguments;
  ops.insert(op);
  for (size_t i = 0; i != ops.size(); ++i) {
    llvm::SetVector<Value> read(ops[i]->operand_begin(), ops[i]->operand_end());
    getUsedValuesDefinedAbove(ops[i]->getRegions(), read);
    for (Value value : read) {
      Operation *producer = value.getDefiningOp();
      if (producer && (!isa<ShapedType>(value.getType()) || isFree(producer)))
        ops.insert(producer);
      else
        arguments.insert(value);
    }
  }
  SmallVector<Operation *> ordered(ops.begin(), ops.end());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(op->getContext());
  const Location loc = op->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> inputs;
  for (Value argument : arguments)
    inputs.push_back(argument.getType());
  auto function = func::FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType(inputs, op->getResultTypes()));
  Block *entry = function.addEntryBlock();
  IRMapping mapping;
  mapping.map(arguments.getArrayRef(), entry->getArguments());
  builder.setInsertionPointToStart(entry);
  for (Operation *each : ordered)
    builder.clone(*each, mapping);
  SmallVector<Value> results;
  for (Value value : op->getResults())
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, loc, results);
  return module;
}

/// `linalg.add (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>`
static std::string printOp(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " (";
  llvm::interleaveComma(op->getOperandTypes(), os);
  os << ") -> ";
  llvm::interleaveComma(op->getResultTypes(), os);
  return text;
}

FailureOr<CheckedProgram> mlir::tensoraccess::checkCosts(func::FuncOp function,
                                                         const CostModel &model,
                                                         double seconds) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("costs are checked for a function of one block");
  llvm::Expected<KernelTimer> timer =
      KernelTimer::create(*function.getContext(), 5, seconds / 5);
  if (!timer)
    return function.emitError(llvm::toString(timer.takeError()));
  CheckedProgram out;
  struct Same {
    Operation *op;
    OwningOpRef<ModuleOp> module;
    int64_t count = 0;
  };
  llvm::MapVector<std::string, Same, std::map<std::string, unsigned>> distinct;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (llvm::none_of(op.getResultTypes(),
                      [](Type type) { return isa<ShapedType>(type); }))
      continue;
    FailureOr<BlockOp> block = getBlockOp(&op);
    if (failed(block))
      return failure();
    if (block->kind == BlockOpKind::Free)
      continue;
    OwningOpRef<ModuleOp> module = isolate(&op);
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    Same &same = distinct[text];
    ++same.count;
    if (same.module)
      continue;
    same.op = &op;
    same.module = std::move(module);
  }
  Grid alone;
  for (auto &[text, same] : distinct) {
    FailureOr<BlockOp> block = getBlockOp(same.op);
    FailureOr<BlockCost> cost = getOpCost(
        *block, alone,
        getFactoredBoxes(alone, Distribution::replicated(block->extents.size()),
                         block->extents),
        model);
    if (failed(cost))
      return failure();
    llvm::Expected<KernelTime> time = timer->time(*same.module);
    if (!time) {
      out.skipped.emplace_back(printOp(same.op),
                               llvm::toString(time.takeError()));
      continue;
    }
    out.ops.push_back({printOp(same.op),
                       same.op->getName().getStringRef().str(), same.count,
                       time->seconds, cost->seconds});
  }
  return out;
}

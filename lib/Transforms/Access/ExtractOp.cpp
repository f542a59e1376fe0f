//===- ExtractOp.cpp - One op of a model, in a module of its own ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Find op number `index` of the name in the function, in program order.
// 2. Starting from it, collect the values that it and its cheap producers read,
//    also inside their regions; a value that no cheap producer makes becomes an
//    argument.
// 3. Clone the collected ops, in program order, into a new function.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/ExtractOp.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Transforms/AccessPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXTRACTOP
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// True for producers that are cloned instead of becoming an argument.
static bool isCheap(Operation *op) {
  if (isa<tensor::PadOp, tensor::EmptyOp, linalg::FillOp, arith::ConstantOp>(
          op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && linalg::isaCopyOpInterface(generic);
}

/// Everything that an op reads from outside of itself.
static SmallVector<Value> getReadValues(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::append_range(values, captured);
  return values;
}

FailureOr<OwningOpRef<func::FuncOp>>
mlir::tensoraccess::extractOp(func::FuncOp function, StringRef opName,
                              int64_t index, StringRef name) {
  SmallVector<Operation *> found;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getStringRef() == opName)
      found.push_back(op);
  });
  if (index < 0 || index >= static_cast<int64_t>(found.size()))
    return mlir::emitError(function.getLoc())
           << "function @" << function.getName() << " has " << found.size()
           << " ops named '" << opName << "', but no number " << index;
  Operation *root = found[index];
  if (root->hasTrait<OpTrait::IsTerminator>() || root->getNumResults() == 0)
    return mlir::emitError(root->getLoc())
           << "op number " << index << " named '" << opName
           << "' has no results to return";

  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> arguments;
  ops.insert(root);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value value : getReadValues(ops[i])) {
      Operation *producer = value.getDefiningOp();
      if (producer && isCheap(producer))
        ops.insert(producer);
      else
        arguments.insert(value);
    }

  OpBuilder builder(function.getContext());
  Location loc = root->getLoc();
  SmallVector<Type> inputs;
  for (Value argument : arguments)
    inputs.push_back(argument.getType());
  OwningOpRef<func::FuncOp> result = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(inputs, root->getResultTypes()));
  Block *entry = result->addEntryBlock();
  IRMapping mapping;
  mapping.map(arguments.getArrayRef(), entry->getArguments());
  builder.setInsertionPointToStart(entry);
  // Program order: the walk meets each producer before its users.
  SmallVector<Operation *> ordered;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (ops.contains(op))
      ordered.push_back(op);
  });
  for (Operation *op : ordered)
    builder.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value value : root->getResults())
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, loc, results);
  return result;
}

namespace {
struct ExtractOpPass : public tensoraccess::impl::ExtractOpBase<ExtractOpPass> {
  using ExtractOpBase::ExtractOpBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (op.empty()) {
      mlir::emitError(module.getLoc()) << "option 'op' must name an op";
      return signalPassFailure();
    }
    auto from = module.lookupSymbol<func::FuncOp>(function);
    if (!from || from.isExternal()) {
      mlir::emitError(module.getLoc())
          << describeUnknownFunction(module, function);
      return signalPassFailure();
    }
    FailureOr<OwningOpRef<func::FuncOp>> extracted = extractOp(from, op, index);
    if (failed(extracted))
      return signalPassFailure();
    module.getBody()->clear();
    module.getBody()->push_back(extracted->release());
  }
};
} // namespace

//===- LimitCalls.cpp - Recursion that goes too deep is an error ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Nothing to do unless functions call each other in a cycle.
// 2. The body of each function moves to a twin, whose first argument is the
//    number of calls that are open; the function calls it with 1.
// 3. In the twins a call asserts that one more may be open, and goes to a twin.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LIMITCALLS
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::hasRecursion(ModuleOp module) {
  const CallGraph graph(module);
  auto isOfModule = [&](CallGraphNode *node) {
    auto function =
        node->isExternal()
            ? func::FuncOp()
            : dyn_cast<func::FuncOp>(node->getCallableRegion()->getParentOp());
    return function && function->getParentOp() == module;
  };
  for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it)
    if (it.hasCycle() && llvm::any_of(*it, isOfModule))
      return true;
  return false;
}

/// Step 2, for one function.
static func::FuncOp makeTwin(func::FuncOp function, SymbolTable &table) {
  OpBuilder b(function);
  Location loc = function.getLoc();
  SmallVector<Type> inputs{b.getIndexType()};
  llvm::append_range(inputs, function.getArgumentTypes());
  auto twin = func::FuncOp::create(
      loc, (function.getName() + "_at_depth").str(),
      b.getFunctionType(inputs, function.getResultTypes()));
  twin.setPrivate();
  if (Attribute linkage = function->getAttr("llvm.linkage"))
    twin->setAttr("llvm.linkage", linkage);
  table.insert(twin, std::next(Block::iterator(function)));
  twin.getBody().takeBody(function.getBody());
  twin.getBody().front().insertArgument(0u, b.getIndexType(), loc);

  b.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> arguments{arith::ConstantIndexOp::create(b, loc, 1)};
  llvm::append_range(arguments, function.getArguments());
  auto call = func::CallOp::create(b, loc, twin, arguments);
  func::ReturnOp::create(b, loc, call.getResults());
  return twin;
}

void mlir::tensoraccess::limitCalls(ModuleOp module, int64_t depth) {
  if (!hasRecursion(module))
    return;
  SymbolTable table(module);
  llvm::MapVector<StringAttr, func::FuncOp> twins;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!function.isExternal())
      twins[function.getSymNameAttr()] = makeTwin(function, table);
  const std::string message =
      "func.call: is nested more than " + std::to_string(depth) + " calls deep";
  for (auto &entry : twins) {
    func::FuncOp twin = entry.second;
    Value open = twin.getArgument(0);
    // Below a symbol table of its own, names may mean something else.
    twin.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != twin && op->hasTrait<OpTrait::IsIsolatedFromAbove>())
        return WalkResult::skip();
      auto call = dyn_cast<func::CallOp>(op);
      auto found =
          call ? twins.find(call.getCalleeAttr().getAttr()) : twins.end();
      if (found == twins.end())
        return WalkResult::advance();
      OpBuilder b(call);
      Location loc = call.getLoc();
      Value most = arith::ConstantIndexOp::create(b, loc, depth);
      Value one = arith::ConstantIndexOp::create(b, loc, 1);
      Value fits =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, open, most);
      AssertOp::create(b, loc, fits, message, ValueRange());
      Value deeper = arith::AddIOp::create(b, loc, open, one);
      call.setCallee(found->second.getName());
      call->insertOperands(0, deeper);
      return WalkResult::advance();
    });
  }
}

namespace {
struct LimitCallsPass
    : public tensoraccess::impl::LimitCallsBase<LimitCallsPass> {
  using LimitCallsBase::LimitCallsBase;
  void runOnOperation() override {
    if (depth < 1) {
      getOperation().emitError("option 'depth' must be at least 1, got ")
          << int64_t(depth);
      return signalPassFailure();
    }
    limitCalls(getOperation(), depth);
  }
};
} // namespace

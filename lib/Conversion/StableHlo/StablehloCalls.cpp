//===- StablehloCalls.cpp - Calls in the bodies of StableHLO's ops --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unregistered op that has one region might be a table of
// symbols: MLIR's verifier looks no further, and refuses a call inside of it.
// StableHLO's reduce is not such a table, and JAX does call functions there. So
// each such call becomes its function's body, before the module is verified:
//
// 1. find calls below such ops, in functions and in what step 2 writes;
// 2. clone the callee's block in place of the call, unless that is under way
//    already, or has written too much.
//
// Nothing is known of the module yet. A call that does not fit its function
// stays, and the verifier refuses it.
//
// Where the names of StableHLO are registered (StableHloText.h), MLIR takes the op
// for what it is, and calls in it could stay. They are inlined, too: readers of a
// body read ops.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Conversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most ops that bodies grow by.
static constexpr int64_t kMaxOps = int64_t(1) << 16;

/// The function that a call names, if its body can stand for the call.
static func::FuncOp findCallee(ModuleOp module, func::CallOp call) {
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!callee || !llvm::hasSingleElement(callee.getBody()))
    return {};
  Block &body = callee.getBody().front();
  if (body.empty() || !isa<func::ReturnOp>(body.back()) ||
      body.getArgumentTypes() != call.getOperandTypes() ||
      body.back().getOperandTypes() != call.getResultTypes())
    return {};
  return callee;
}

namespace {
struct Inliner {
  ModuleOp module;
  int64_t left = kMaxOps;
  /// Callees whose bodies are being written.
  SmallVector<func::FuncOp> open;

  LogicalResult inlineCall(func::CallOp call) {
    func::FuncOp callee = findCallee(module, call);
    if (!callee)
      return success();
    if (llvm::is_contained(open, callee))
      return call.emitOpError("calls @")
             << callee.getName() << ", which calls itself";
    open.push_back(callee);
    OpBuilder b(call);
    IRMapping mapping;
    Block &body = callee.getBody().front();
    mapping.map(body.getArguments(), call.getOperands());
    SmallVector<func::CallOp> calls;
    for (Operation &op : body.without_terminator()) {
      Operation *copy = b.clone(op, mapping);
      copy->walk([&](Operation *inner) {
        --left;
        if (auto next = dyn_cast<func::CallOp>(inner))
          calls.push_back(next);
      });
    }
    SmallVector<Value> results;
    for (Value value : body.back().getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    if (left < 0)
      return call.emitOpError("would write more than ")
             << kMaxOps << " ops into the bodies of reductions";
    call->replaceAllUsesWith(results);
    call->erase();
    for (func::CallOp next : calls)
      if (failed(inlineCall(next)))
        return failure();
    open.pop_back();
    return success();
  }
};
} // namespace

/// Whether an op around the call has one region and is not registered.
static bool isInBody(func::CallOp call) {
  for (Operation *op = call->getParentOp(); op; op = op->getParentOp())
    if (!op->isRegistered() && op->getNumRegions() == 1)
      return true;
  return false;
}

LogicalResult mlir::tensoraccess::inlineCallsInBodies(ModuleOp module) {
  SmallVector<func::CallOp> calls;
  module->walk([&](func::CallOp call) {
    if (isInBody(call))
      calls.push_back(call);
  });
  Inliner inliner{module};
  for (func::CallOp call : calls)
    if (failed(inliner.inlineCall(call)))
      return failure();
  return success();
}

void mlir::tensoraccess::exposeSymbols(ModuleOp module) {
  module->walk([](Operation *op) {
    if (op->isRegistered())
      return;
    auto inherent =
        dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
    if (!inherent)
      return;
    SmallVector<NamedAttribute> kept;
    for (NamedAttribute attr : inherent) {
      auto isFound = [](SymbolRefAttr) { return WalkResult::interrupt(); };
      if (attr.getValue().walk(isFound).wasInterrupted() &&
          !op->getDiscardableAttr(attr.getName()))
        op->setDiscardableAttr(attr.getName(), attr.getValue());
      else
        kept.push_back(attr);
    }
    if (kept.size() == inherent.size())
      return;
    Attribute left;
    if (!kept.empty())
      left = DictionaryAttr::get(op->getContext(), kept);
    (void)op->setPropertiesFromAttribute(left, /*emitError=*/nullptr);
  });
}

//===- EquivalenceJoin.cpp - Two functions in one block -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. All functions that are reached by calls must be one block of ops without
//    effects.
// 2. Calls are replaced by what their callees do, except those that lead to
//    themselves, in clones, and copies by what they copy.
// 3. Both clones' ops are put into one block with the same arguments, so that
//    equal values can be the same value.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

using namespace mlir;
using namespace mlir::tensoraccess;

/// The most calls that are inlined; the others stay.
static constexpr int64_t kMaxInlined = 1 << 14;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// The ops of StableHLO whose results are more than a function of operands.
static bool isImpureHlo(StringRef name) {
  static const llvm::StringSet<> impure = {
      "rng",          "rng_bit_generator",
      "infeed",       "outfeed",
      "send",         "recv",
      "custom_call",  "after_all",
      "create_token", "replica_id",
      "partition_id", "all_reduce",
      "all_gather",   "all_to_all",
      "while",        "reduce_scatter",
      "async_start",  "collective_permute",
      "async_done",   "collective_broadcast"};
  return impure.contains(name);
}

/// True for an op that does nothing, apart from its regions and what it calls,
/// but give results or fail.
static bool hasNoEffects(Operation *op) {
  if (isa<func::CallOp>(op))
    return true; // its callee is looked at
  if (!op->isRegistered()) {
    StringRef name = op->getName().getStringRef();
    if (name.consume_front("stablehlo."))
      return !isImpureHlo(name);
    return name == "mhlo.return" || isKnownPure(op);
  }
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return effects.hasNoEffect();
  return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

/// All functions with a body that `root` reaches by calls, itself first; or the
/// reason why their values are not a function of their operands.
static FailureOr<SmallVector<func::FuncOp>> collectCallees(func::FuncOp root,
                                                           std::string &why) {
  llvm::SetVector<Operation *> reached;
  reached.insert(root);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto function = cast<func::FuncOp>(reached[i]);
    if (function.isExternal() || !function.getBody().hasOneBlock()) {
      why = ("function @" + function.getName() +
             (function.isExternal() ? " is external" : " has several blocks"))
                .str();
      return failure();
    }
    WalkResult walk = function.getBody().walk([&](Operation *op) {
      if (!hasNoEffects(op)) {
        why = ("op '" + op->getName().getStringRef() + "' has effects").str();
        return WalkResult::interrupt();
      }
      if (auto call = dyn_cast<func::CallOp>(op)) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            op, call.getCalleeAttr());
        if (!callee) {
          why = ("no function @" + call.getCallee() + " is found").str();
          return WalkResult::interrupt();
        }
        reached.insert(callee);
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return llvm::map_to_vector(
      reached, [](Operation *op) { return cast<func::FuncOp>(op); });
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// True if two functions have the same body, op by op, and call functions of
/// the same names.
static bool haveSameBody(func::FuncOp a, func::FuncOp b) {
  if (a == b)
    return true;
  return a.getFunctionType() == b.getFunctionType() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(),
             OperationEquivalence::Flags::IgnoreLocations);
}

/// Names of functions that mean the same on both sides: the greatest set whose
/// bodies are the same and which call only each other.
static llvm::StringSet<> findSharedNames(ArrayRef<func::FuncOp> first,
                                         ArrayRef<func::FuncOp> second) {
  llvm::StringMap<func::FuncOp> ofFirst;
  for (func::FuncOp function : first)
    ofFirst[function.getName()] = function;
  llvm::StringSet<> shared;
  for (func::FuncOp function : second)
    if (func::FuncOp other = ofFirst.lookup(function.getName()))
      if (haveSameBody(other, function))
        shared.insert(function.getName());
  bool changed = true;
  while (changed) {
    changed = false;
    for (func::FuncOp function : second) {
      if (!shared.contains(function.getName()))
        continue;
      WalkResult walk = function.getBody().walk([&](func::CallOp call) {
        return shared.contains(call.getCallee()) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
      });
      if (walk.wasInterrupted()) {
        shared.erase(function.getName());
        changed = true;
      }
    }
  }
  return shared;
}

/// Clones the ops of a function's block, except for its return, to the end of
/// another one; returns what the operands of the return became.
static SmallVector<Value> cloneBody(func::FuncOp from, Block &to) {
  IRMapping mapping;
  Block &block = from.getBody().front();
  mapping.map(block.getArguments(), to.getArguments());
  OpBuilder builder = OpBuilder::atBlockEnd(&to);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookup(value); });
}

/// Replaces a call by what its callee, of one block, does; `made` gets the
/// calls that come with it.
static void inlineCall(func::CallOp call, func::FuncOp callee,
                       SmallVectorImpl<func::CallOp> &made) {
  IRMapping mapping;
  Block &block = callee.getBody().front();
  mapping.map(block.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping)->walk([&](func::CallOp nested) {
      made.push_back(nested);
    });
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), block.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  call.erase();
}

OwningOpRef<func::FuncOp>
mlir::tensoraccess::cloneInlined(func::FuncOp function) {
  OwningOpRef<func::FuncOp> clone(function.clone());
  // A call and the functions that it comes from; calls of these stay.
  struct Site {
    func::CallOp call;
    SmallVector<Operation *, 2> callers;
  };
  std::deque<Site> sites;
  clone->walk([&](func::CallOp call) {
    sites.push_back({call, {function.getOperation()}});
  });
  for (int64_t left = kMaxInlined; !sites.empty() && left > 0; --left) {
    Site site = std::move(sites.front());
    sites.pop_front();
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        function, site.call.getCalleeAttr());
    if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock() ||
        llvm::is_contained(site.callers, callee.getOperation()) ||
        site.call->getOperandTypes() != callee.getArgumentTypes() ||
        site.call->getResultTypes() != callee.getResultTypes())
      continue;
    SmallVector<func::CallOp> made;
    inlineCall(site.call, callee, made);
    site.callers.push_back(callee);
    for (func::CallOp call : made)
      sites.push_back({call, site.callers});
  }
  return clone;
}

/// A copy is what it copies.
static OwningOpRef<func::FuncOp> prepare(func::FuncOp function) {
  OwningOpRef<func::FuncOp> clone = cloneInlined(function);
  clone->walk([](MaterializeOp op) {
    if (op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  return clone;
}

JoinedFunctions mlir::tensoraccess::joinFunctions(func::FuncOp first,
                                                  func::FuncOp second) {
  JoinedFunctions joined;
  FailureOr<SmallVector<func::FuncOp>> ofFirst =
      collectCallees(first, joined.problem);
  if (failed(ofFirst))
    return joined;
  FailureOr<SmallVector<func::FuncOp>> ofSecond =
      collectCallees(second, joined.problem);
  if (failed(ofSecond))
    return joined;

  OpBuilder builder(first.getContext());
  joined.function = func::FuncOp::create(builder, first.getLoc(), "joined",
                                         first.getFunctionType());
  Block &block = *joined.function->addEntryBlock();
  joined.firstResults = cloneBody(*prepare(first), block);
  joined.firstOps = block.getOperations().size();
  joined.secondResults = cloneBody(*prepare(second), block);

  // The name alone does not distinguish a callee of another file.
  if (first->getParentOp() != second->getParentOp()) {
    llvm::StringSet<> shared = findSharedNames(*ofFirst, *ofSecond);
    for (Operation &op :
         llvm::drop_begin(block.getOperations(), joined.firstOps))
      op.walk([&](func::CallOp call) {
        if (!shared.contains(call.getCallee()))
          call.setCallee((call.getCallee() + "#2").str());
      });
  }
  // What analyses annotated is not compared.
  for (Operation &op : block)
    op.walk([](Operation *nested) {
      if (nested->isRegistered())
        nested->setDiscardableAttrs(
            DictionaryAttr::get(nested->getContext(), {}));
    });
  return joined;
}

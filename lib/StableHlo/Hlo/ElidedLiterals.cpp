//===- ElidedLiterals.cpp - Constants whose values were left out ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/HloModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// `dense_resource<__elided__>`, which MLIR prints for what it leaves out.
static bool isElided(Operation *op) {
  if (op->getNumOperands() != 0 || op->getNumResults() != 1)
    return false;
  auto value = op->getAttrOfType<DenseResourceElementsAttr>("value");
  return value && value.getRawHandle().getKey().starts_with("__elided__") &&
         !value.getRawHandle().getBlob();
}

namespace {
/// Makes constants without values arguments of their functions.
class ElidedLiterals {
public:
  explicit ElidedLiterals(ModuleOp module) : symbols(module) {}
  void lift(func::FuncOp function);

private:
  SymbolTable symbols;
  /// Names of what was added to a function, in order.
  llvm::DenseMap<Operation *, std::vector<std::string>> added;
};
} // namespace

void ElidedLiterals::lift(func::FuncOp function) {
  if (function.isExternal() || !added.try_emplace(function).second)
    return;
  // In the order of the text, those of called functions where they are called.
  SmallVector<Operation *> found;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isElided(op) || isa<func::CallOp>(op))
      found.push_back(op);
  });
  std::vector<std::string> names;
  auto addArgument = [&](Type type, std::string name, Location location) {
    const unsigned number = function.getNumArguments();
    auto attributes = DictionaryAttr::get(
        function.getContext(),
        NamedAttribute(StringAttr::get(function.getContext(), kElidedLiteral),
                       StringAttr::get(function.getContext(), name)));
    if (failed(function.insertArgument(number, type, attributes, location)))
      return Value();
    names.push_back(std::move(name));
    return Value(function.getArgument(number));
  };
  unsigned next = 0;
  for (Operation *op : found) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee)
        continue;
      lift(callee);
      // A function that calls itself has none yet.
      const unsigned given = call.getNumOperands();
      for (auto [i, name] : llvm::enumerate(added[callee])) {
        Value argument =
            addArgument(callee.getArgumentTypes()[given + i],
                        (callee.getName() + "/" + name).str(), call.getLoc());
        call.getOperandsMutable().append(argument);
      }
      continue;
    }
    auto location = op->getLoc()->findInstanceOf<NameLoc>();
    Value argument = addArgument(op->getResult(0).getType(),
                                 location ? location.getName().str()
                                          : "constant." + std::to_string(next),
                                 op->getLoc());
    ++next;
    op->getResult(0).replaceAllUsesWith(argument);
    op->erase();
  }
  added[function] = std::move(names);
}

void tensoraccess::liftElidedLiterals(ModuleOp module) {
  bool isAny = false;
  module->walk([&](Operation *op) {
    isAny |= isElided(op);
    return isAny ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!isAny)
    return;
  ElidedLiterals literals(module);
  for (auto function : module.getOps<func::FuncOp>())
    literals.lift(function);
}

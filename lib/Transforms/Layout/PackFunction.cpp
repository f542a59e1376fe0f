//===- PackFunction.cpp - A function that packs what another takes --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument that was given a layout comes as it was before in another
// function, which has nothing but a relayout for each of them.
//
//===----------------------------------------------------------------------===//

#include "Access/Moves.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tensoraccess;

FailureOr<func::FuncOp>
mlir::tensoraccess::createPackFunction(FunctionOpInterface function,
                                       TypeRange before) {
  SmallVector<unsigned> changed;
  SmallVector<Type> plain, packed;
  for (auto [i, was, is] :
       llvm::enumerate(before, function.getArgumentTypes())) {
    if (was == is)
      continue;
    changed.push_back(i);
    plain.push_back(was);
    packed.push_back(is);
  }
  std::string name = ("pack_" + function.getName()).str();
  if (SymbolTable::lookupNearestSymbolFrom(
          function, StringAttr::get(function.getContext(), name)))
    return function.emitError()
           << "weights of '" << function.getName() << "' cannot be packed in '"
           << name << "': there is such a symbol";
  OpBuilder builder(function);
  builder.setInsertionPointAfter(function);
  Location loc = function.getLoc();
  auto pack = func::FuncOp::create(builder, loc, name,
                                   builder.getFunctionType(plain, packed));
  Block *body = pack.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> results;
  for (auto [i, argument, type] : llvm::enumerate(body->getArguments(), packed))
    results.push_back(RelayoutOp::create(builder, loc, type, argument,
                                         /*permutation=*/DenseI64ArrayAttr()));
  func::ReturnOp::create(builder, loc, results);
  for (auto [i, number] : llvm::enumerate(changed)) {
    auto attr = builder.getI64IntegerAttr(number);
    pack.setArgAttr(i, "tensoraccess.argument", attr);
    pack.setResultAttr(i, "tensoraccess.argument", attr);
  }
  return pack;
}

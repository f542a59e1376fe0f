//===- NarrowBorders.cpp - Integers that memory has no type for -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowBorders.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

Type mlir::tensoraccess::getPassedType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  std::optional<ElementType> held = getHeldTypeOf(element);
  if (!element.isSignlessInteger() || getElementTypeOf(element) || !held ||
      (tensor && tensor.getEncoding()))
    return type;
  auto wide = IntegerType::get(type.getContext(), bitWidth(*held));
  return tensor ? Type(tensor.clone(wide)) : wide;
}

func::FuncOp mlir::tensoraccess::wrapNarrowIntegers(func::FuncOp function) {
  auto passAll = [](TypeRange types) {
    return llvm::map_to_vector(types, getPassedType);
  };
  SmallVector<Type> inputs = passAll(function.getArgumentTypes()),
                    results = passAll(function.getResultTypes());
  if (TypeRange(inputs) == TypeRange(function.getArgumentTypes()) &&
      TypeRange(results) == TypeRange(function.getResultTypes()))
    return function;
  ImplicitLocOpBuilder b(function.getLoc(), function);
  auto wrapper = func::FuncOp::create(
      b, (function.getName() + "_passed").str(),
      b.getFunctionType(inputs, results),
      function->getAttrOfType<StringAttr>("sym_visibility"),
      function.getArgAttrsAttr(), function.getResAttrsAttr());
  b.setInsertionPointToStart(wrapper.addEntryBlock());
  SmallVector<Value> given, taken;
  for (auto [value, type] :
       llvm::zip_equal(wrapper.getArguments(), function.getArgumentTypes()))
    given.push_back(value.getType() == type
                        ? Value(value)
                        : arith::TruncIOp::create(b, type, value).getResult());
  auto call = func::CallOp::create(b, function, given);
  for (auto [value, type] : llvm::zip_equal(call.getResults(), results))
    taken.push_back(value.getType() == type
                        ? Value(value)
                        : arith::ExtSIOp::create(b, type, value).getResult());
  func::ReturnOp::create(b, taken);
  return wrapper;
}

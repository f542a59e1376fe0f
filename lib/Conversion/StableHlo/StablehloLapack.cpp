//===- StablehloLapack.cpp - Calls of LAPACK ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are written to memory of their own, the function of the runtime gets
// all memory as unranked memrefs, and results are read from it:
//
//   %a = memref.alloc() : memref<3x3xf32>
//   bufferization.materialize_in_destination %0 in restrict writable %a
//   %r = memref.alloc() : memref<3x3xf32>
//   func.call @tensoraccess_lapack_spotrf(%routine, %options, %a, %r, …, %place)
//   %1 = bufferization.to_tensor %r restrict writable
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Runtime/Runtime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The function of a routine, declared where it is not.
static func::FuncOp getFunction(Operation *op, StringRef name,
                                FunctionType type) {
  auto module = op->getParentOfType<ModuleOp>();
  if (auto found = module.lookupSymbol<func::FuncOp>(name))
    return found;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(b, op->getLoc(), name, type);
  function.setPrivate();
  return function;
}

/// Eight characters, the first one lowest.
static int64_t pack(StringRef text) {
  uint64_t characters = 0;
  for (char c : llvm::reverse(text))
    characters = characters << 8 | static_cast<uint8_t>(c);
  return characters;
}

static SmallVector<Value> convertCustomCall(HloConversion &c) {
  auto target = c.op->getAttrOfType<StringAttr>("call_target_name");
  auto routine = c.op->getAttrOfType<StringAttr>("routine");
  auto options = c.op->getAttrOfType<StringAttr>("options");
  if (!target || target.getValue() != kLapackTarget)
    return c.fail(whyCallStays(c.op));
  std::string why;
  if (!checkLapackCall(c.op, why))
    return c.fail(why);
  const unsigned count = c.op->getNumOperands() + c.op->getNumResults();
  constexpr unsigned kMost = tensoraccess_runtime::kMaxLapackArrays;
  SmallVector<Value> arrays;
  auto allocate = [&](Type type) -> Value {
    auto tensor = cast<RankedTensorType>(type);
    return memref::AllocOp::create(
        c.b, MemRefType::get(tensor.getShape(), tensor.getElementType()));
  };
  for (Value operand : c.operands()) {
    arrays.push_back(allocate(operand.getType()));
    auto copy = bufferization::MaterializeInDestinationOp::create(
        c.b, TypeRange(), operand, arrays.back());
    copy.setRestrict(true);
    copy.setWritable(true);
  }
  for (unsigned i = 0; i < c.op->getNumResults(); ++i)
    arrays.push_back(allocate(c.resultType(i)));
  auto number = [&](StringRef text) -> Value {
    return arith::ConstantOp::create(c.b, c.b.getI64IntegerAttr(pack(text)));
  };
  SmallVector<Value> arguments{number(routine.getValue()),
                               number(options.getValue())};
  for (unsigned i = 0; i < kMost; ++i) {
    Value array = arrays[std::min(i, count - 1)];
    Type element = cast<MemRefType>(array.getType()).getElementType();
    arguments.push_back(memref::CastOp::create(
        c.b, UnrankedMemRefType::get(element, Attribute()), array));
  }
  // Where it is in the program, for the message if it fails.
  std::string place = describeLocation(c.op->getLoc());
  auto characters = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(place.size()) + 1}, c.b.getI8Type()),
      ArrayRef<int8_t>(reinterpret_cast<const int8_t *>(place.c_str()),
                       place.size() + 1));
  Value text = bufferization::ToBufferOp::create(
      c.b, MemRefType::get(characters.getType().getShape(), c.b.getI8Type()),
      arith::ConstantOp::create(c.b, characters), /*read_only=*/true);
  arguments.push_back(memref::CastOp::create(
      c.b, UnrankedMemRefType::get(c.b.getI8Type(), Attribute()), text));
  func::FuncOp function =
      getFunction(c.op, ("tensoraccess_lapack_" + routine.getValue()).str(),
                  FunctionType::get(c.b.getContext(),
                                    ValueRange(arguments).getTypes(), {}));
  if (TypeRange(function.getArgumentTypes()) !=
      TypeRange(ValueRange(arguments)))
    return c.fail("'" + function.getName() + "' is another function");
  func::CallOp::create(c.b, function, arguments);
  SmallVector<Value> results;
  for (unsigned i = 0; i < c.op->getNumResults(); ++i)
    results.push_back(bufferization::ToTensorOp::create(
        c.b, c.resultType(i), arrays[c.op->getNumOperands() + i],
        /*restrict=*/true, /*writable=*/true));
  return results;
}

void tensoraccess::addHloLapack(HloConverters &converters) {
  converters["custom_call"] = convertCustomCall;
}

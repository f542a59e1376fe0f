//===- CheckedOps.cpp - Ops of this dialect, made one by one --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op is made in three steps, of which each may report an error: its type
// is inferred from operands, attributes and properties, it is created, it is
// verified.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Checks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The type of the only result.
static FailureOr<Type> inferType(OperationState &state) {
  OperationName name = state.name;
  auto *inference = name.getInterface<InferTypeOpInterface>();
  assert(inference && "an op without type inference needs its type");
  MLIRContext *context = name.getContext();
  DictionaryAttr attributes = state.attributes.getDictionary(context);
  std::unique_ptr<char[]> storage;
  OpaqueProperties properties(nullptr);
  llvm::scope_exit release([&] {
    if (storage)
      name.destroyOpProperties(properties);
  });
  if (size_t bytes = name.getOpPropertyByteSize()) {
    storage.reset(new char[bytes]);
    properties = OpaqueProperties(storage.get());
    name.initOpProperties(properties, OpaqueProperties(nullptr));
    if (failed(name.setOpPropertiesFromAttribute(
            name, properties, attributes,
            [&] { return emitError(state.location); })))
      return failure();
  }
  if (failed(name.verifyInherentAttrs(
          state.attributes, [&] { return emitError(state.location); })))
    return failure();
  SmallVector<Type> types;
  if (failed(inference->inferReturnTypes(context, state.location,
                                         state.operands, attributes, properties,
                                         /*regions=*/{}, types)))
    return failure();
  return types.front();
}

static std::string fullName(StringRef name) {
  return ("tensoraccess." + name).str();
}

Value tensoraccess::createChecked(OpBuilder &b, Location loc, StringRef name,
                                  ValueRange operands,
                                  ArrayRef<NamedAttribute> attributes,
                                  Type type) {
  OperationState state(loc, fullName(name), operands,
                       type ? TypeRange(type) : TypeRange(), attributes);
  if (!type) {
    FailureOr<Type> inferred = inferType(state);
    if (failed(inferred))
      return {};
    state.addTypes(*inferred);
  }
  Operation *op = b.create(state);
  if (succeeded(verify(op)))
    return op->getResult(0);
  op->erase();
  return {};
}

bool tensoraccess::infersType(MLIRContext *context, StringRef name) {
  std::optional<RegisteredOperationName> info =
      RegisteredOperationName::lookup(fullName(name), context);
  return info && info->hasInterface<InferTypeOpInterface>();
}

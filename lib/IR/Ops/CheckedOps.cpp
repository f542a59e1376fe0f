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

LogicalResult tensoraccess::inferTypes(OperationState &state) {
  OperationName name = state.name;
  auto *inference = name.getInterface<InferTypeOpInterface>();
  assert(inference && "an op without type inference needs its type");
  MLIRContext *context = name.getContext();
  DictionaryAttr attributes = state.attributes.getDictionary(context);
  auto emit = [&] { return emitError(state.location); };
  // Adaptors look for attributes in properties.
  const size_t size = name.getOpPropertyByteSize();
  SmallVector<std::max_align_t, 8> storage(
      llvm::divideCeil(size, sizeof(std::max_align_t)));
  OpaqueProperties properties(size ? storage.data() : nullptr);
  if (size)
    name.initOpProperties(properties, OpaqueProperties(nullptr));
  llvm::scope_exit release([&] {
    if (size)
      name.destroyOpProperties(properties);
  });
  if (size && failed(name.setOpPropertiesFromAttribute(name, properties,
                                                       attributes, emit)))
    return failure();
  if (failed(name.verifyInherentAttrs(state.attributes, emit)))
    return failure();
  return inference->inferReturnTypes(context, state.location, state.operands,
                                     attributes, properties, state.regions,
                                     state.types);
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
  if (!type && failed(inferTypes(state)))
    return {};
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

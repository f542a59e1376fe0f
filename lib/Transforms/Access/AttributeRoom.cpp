//===- AttributeRoom.cpp - Ops that can carry an attribute ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No list tells how all dialects print their ops, so each op is tried. A copy
// of it, on stand-in operands and with an attribute, is printed in a module of
// its own, and read again without being verified. One op of a kind is tried; ops
// with successors are not, since those would have to be copied, too.
//
//===----------------------------------------------------------------------===//

#include "AttributeRoom.h"

#include "TensorAccess/IR/Checks.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kProbe = "tensoraccess.probe";

/// Whether the copy of an op still has an attribute when it is read again.
static bool survives(Operation *op) {
  MLIRContext *context = op->getContext();
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder(module->getBodyRegion());
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  IRMapping mapping;
  for (Value value : values)
    mapping.map(value, UnrealizedConversionCastOp::create(
                           builder, loc, value.getType(), ValueRange())
                           .getResult(0));
  Operation *copy = builder.clone(*op, mapping);
  copy->setDiscardableAttr(kProbe, builder.getI64IntegerAttr(0));

  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().assumeVerified());
  CapturedErrors captured(context);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(
      text, ParserConfig(context, /*verifyAfterParse=*/false));
  return again && !again->getBody()->empty() &&
         again->getBody()->back().getName() == op->getName() &&
         again->getBody()->back().getDiscardableAttr(kProbe);
}

bool AttributeRoom::has(Operation *op) {
  // An unregistered op has the generic notation, in which everything is written.
  if (!op->isRegistered() || op->getNumSuccessors() != 0)
    return true;
  const unsigned parts = (op->getNumOperands() != 0) |
                         (op->getNumResults() != 0) << 1 |
                         (op->getNumRegions() != 0) << 2;
  auto [it, isNew] = known.try_emplace({op->getName(), parts}, false);
  if (isNew)
    it->second = survives(op);
  return it->second;
}

bool AttributeRoom::set(Operation *op, StringRef name, Attribute value) {
  if (has(op)) {
    op->setDiscardableAttr(name, value);
    return true;
  }
  remark::missed(op->getLoc(), remarkOptions("attribute", op))
      << remark::add("{0} is not annotated", op->getName().getStringRef().str())
      << remark::reason("its notation has no room for {0}", name.str());
  return false;
}

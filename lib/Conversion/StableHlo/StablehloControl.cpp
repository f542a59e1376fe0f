//===- StablehloControl.cpp - Branches, loops and calls to scf ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions move as they are; the ops inside are converted after this one. Only
// block arguments of unsigned type become signless, with a cast after them,
// and the terminators change.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether a region is a block with these arguments whose `return` has these
/// types.
static bool isBranch(Region &region, TypeRange arguments, TypeRange results) {
  if (!region.hasOneBlock())
    return false;
  Block &block = region.front();
  return !block.empty() && isHlo(&block.back(), "return") &&
         block.getArgumentTypes() == arguments &&
         block.back().getOperandTypes() == results;
}

static bool areTensors(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    return isa<RankedTensorType>(type) &&
           !cast<RankedTensorType>(type).getEncoding();
  });
}

/// Moves a region to its new op and makes its arguments signless. Returns what
/// it returns, read at its end, where the builder then inserts.
static SmallVector<Value> takeRegion(HloConversion &c, Region &from,
                                     Region &to) {
  to.takeBody(from);
  Block &block = to.front();
  c.b.setInsertionPointToStart(&block);
  for (BlockArgument argument : block.getArguments()) {
    Type type = argument.getType(), signless = getSignless(type);
    if (type == signless)
      continue;
    argument.setType(signless);
    auto cast = UnrealizedConversionCastOp::create(c.b, type, argument);
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
  }
  Operation *last = &block.back();
  c.b.setInsertionPoint(last);
  SmallVector<Value> values;
  for (Value value : last->getOperands())
    values.push_back(c.signless(value));
  last->erase();
  c.b.setInsertionPointToEnd(&block);
  return values;
}

static SmallVector<Type> getSignlessTypes(TypeRange types) {
  return llvm::map_to_vector(types,
                             [](Type type) { return getSignless(type); });
}

static SmallVector<Value> convertWhile(HloConversion &c) {
  Operation *op = c.op;
  TypeRange types = op->getOperandTypes();
  Type condition = RankedTensorType::get({}, c.b.getI1Type());
  if (op->getNumRegions() != 2 || !areTensors(types) ||
      op->getResultTypes() != types ||
      !isBranch(op->getRegion(0), types, condition) ||
      !isBranch(op->getRegion(1), types, types))
    return c.fail("it must have a condition and a body on its operands");
  auto loop = scf::WhileOp::create(c.b, getSignlessTypes(types), c.operands());
  SmallVector<Value> ends = takeRegion(c, op->getRegion(0), loop.getBefore());
  scf::ConditionOp::create(c.b, c.scalar(ends[0]),
                           loop.getBefore().front().getArguments());
  ends = takeRegion(c, op->getRegion(1), loop.getAfter());
  scf::YieldOp::create(c.b, ends);
  return SmallVector<Value>(loop.getResults());
}

static SmallVector<Value> convertIf(HloConversion &c) {
  Operation *op = c.op;
  Type condition = RankedTensorType::get({}, c.b.getI1Type());
  if (op->getNumRegions() != 2 || op->getNumOperands() != 1 ||
      op->getOperand(0).getType() != condition ||
      !areTensors(op->getResultTypes()) ||
      !isBranch(op->getRegion(0), {}, op->getResultTypes()) ||
      !isBranch(op->getRegion(1), {}, op->getResultTypes()))
    return c.fail("it must have a condition and two branches");
  auto choice =
      scf::IfOp::create(c.b, getSignlessTypes(op->getResultTypes()),
                        c.scalar(c.operand(0)), /*addThenBlock=*/false,
                        /*addElseBlock=*/false);
  for (auto [from, to] :
       {std::pair(&op->getRegion(0), &choice.getThenRegion()),
        std::pair(&op->getRegion(1), &choice.getElseRegion())}) {
    SmallVector<Value> ends = takeRegion(c, *from, *to);
    scf::YieldOp::create(c.b, ends);
  }
  return SmallVector<Value>(choice.getResults());
}

/// The branches from `i` on, one inside of the other: of scf.index_switch, whose
/// results may be laid out in memory in as many ways as it has branches,
/// upstream's bufferization makes an op that does not verify.
static ValueRange emitBranches(HloConversion &c, Value number, int32_t i) {
  const int32_t last = c.op->getNumRegions() - 1;
  Value place = arith::ConstantOp::create(c.b, c.b.getI32IntegerAttr(i));
  Value isThis =
      arith::CmpIOp::create(c.b, arith::CmpIPredicate::eq, number, place);
  auto choice =
      scf::IfOp::create(c.b, getSignlessTypes(c.op->getResultTypes()), isThis,
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  SmallVector<Value> ends =
      takeRegion(c, c.op->getRegion(i), choice.getThenRegion());
  scf::YieldOp::create(c.b, ends);
  if (i + 1 == last) {
    ends = takeRegion(c, c.op->getRegion(last), choice.getElseRegion());
  } else {
    Block *block = c.b.createBlock(&choice.getElseRegion());
    ends = llvm::to_vector(emitBranches(c, number, i + 1));
    c.b.setInsertionPointToEnd(block);
  }
  scf::YieldOp::create(c.b, ends);
  return choice.getResults();
}

/// An index outside takes the last branch.
static SmallVector<Value> convertCase(HloConversion &c) {
  Operation *op = c.op;
  unsigned count = op->getNumRegions();
  Type type = RankedTensorType::get({}, c.b.getI32Type());
  if (count == 0 || op->getNumOperands() != 1 ||
      op->getOperand(0).getType() != type || !areTensors(op->getResultTypes()))
    return c.fail("it must have an index and branches");
  for (Region &region : op->getRegions())
    if (!isBranch(region, {}, op->getResultTypes()))
      return c.fail("each branch must return the results");
  Value number = c.scalar(c.operand(0));
  if (count > 1)
    return SmallVector<Value>(emitBranches(c, number, 0));
  auto only =
      scf::ExecuteRegionOp::create(c.b, getSignlessTypes(op->getResultTypes()));
  SmallVector<Value> ends = takeRegion(c, op->getRegion(0), only.getRegion());
  scf::YieldOp::create(c.b, ends);
  return SmallVector<Value>(only.getResults());
}

/// A composite is what its decomposition computes.
static SmallVector<Value> convertComposite(HloConversion &c) {
  auto name = c.op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  auto function =
      name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(c.op, name)
           : func::FuncOp();
  if (!function || function.isExternal() ||
      TypeRange(function.getArgumentTypes()) != c.op->getOperandTypes() ||
      TypeRange(function.getResultTypes()) != c.op->getResultTypes())
    return c.fail("it has no decomposition of its type");
  auto call = func::CallOp::create(c.b, function, c.op->getOperands());
  SmallVector<Value> results;
  for (Value result : call.getResults())
    results.push_back(c.signless(result));
  return results;
}

void tensoraccess::addHloControl(HloConverters &converters) {
  converters["while"] = convertWhile;
  converters["if"] = convertIf;
  converters["case"] = convertCase;
  converters["composite"] = convertComposite;
}

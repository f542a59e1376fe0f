//===- NarrowLoops.cpp - Only what is wanted of loops and branches --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop carries of each tensor one box: the least that holds what is wanted in
// the end and what a trip reads to make it. It is found by going through the body
// until nothing is added. A tensor of which nothing is wanted or read is not
// carried.
//
//===----------------------------------------------------------------------===//

#include "Narrower.h"
#include "TensorAccess/Core/Counting.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Boxes that still grow after so many trips are taken whole.
static constexpr unsigned kMaxRounds = 4;

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

void Narrower::findNeeds(scf::IfOp op) {
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    if (std::optional<Box> box = joinNeeds(result)) {
      need(op.thenYield().getOperand(i), *box);
      need(op.elseYield().getOperand(i), *box);
    }
  findNeeds(*op.thenBlock());
  if (Block *other = op.elseBlock())
    findNeeds(*other);
}

void Narrower::findNeeds(scf::ForOp op) {
  Operation *yield = op.getBody()->getTerminator();
  for (unsigned round = 0;; ++round) {
    bool isStable = true;
    for (auto [result, argument, yielded] : llvm::zip_equal(
             op.getResults(), op.getRegionIterArgs(), yield->getOperands())) {
      std::optional<Box> box = joinNeeds(result, argument);
      if (!box)
        continue;
      if (round > kMaxRounds)
        box = getWhole(result);
      BoxList known = needs.lookup(result);
      isStable &= known == BoxList{*box} && needs.lookup(argument) == known;
      needs[result] = {*box};
      needs[argument] = {*box};
      need(yielded, *box);
    }
    if (isStable && round != 0)
      break;
    findNeeds(*op.getBody());
  }
  for (auto [argument, init] :
       llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs()))
    if (std::optional<Box> box = joinNeeds(argument))
      need(init, *box);
}

void Narrower::findNeeds(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  scf::YieldOp yield = op.getYieldOp();
  for (unsigned round = 0;; ++round) {
    bool isStable = true;
    for (auto [result, argument, passed] : llvm::zip_equal(
             op.getResults(), op.getAfterArguments(), condition.getArgs())) {
      std::optional<Box> box = joinNeeds(result, argument);
      if (!box)
        continue;
      if (round > kMaxRounds)
        box = getWhole(result);
      isStable &= needs.lookup(argument) == BoxList{*box} &&
                  needs.lookup(result) == BoxList{*box};
      needs[result] = {*box};
      needs[argument] = {*box};
      need(passed, *box);
    }
    findNeeds(*op.getBeforeBody());
    for (auto [argument, yielded] :
         llvm::zip_equal(op.getBeforeArguments(), yield.getOperands())) {
      std::optional<Box> box = joinNeeds(argument);
      if (!box)
        continue;
      if (round > kMaxRounds)
        box = getWhole(argument);
      std::optional<Box> known = joinNeeds(yielded);
      isStable &= known && intersectBoxes(*known, *box) == *box;
      needs[argument] = {*box};
      need(yielded, *box);
    }
    if (isStable && round != 0)
      break;
    findNeeds(*op.getAfterBody());
  }
  for (auto [argument, init] :
       llvm::zip_equal(op.getBeforeArguments(), op.getInits()))
    if (std::optional<Box> box = joinNeeds(argument))
      need(init, *box);
}

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

Type Narrower::getCarriedType(Value value) {
  if (!isTracked(value))
    return value.getType();
  std::optional<Box> box = joinNeeds(value);
  return box ? getBlockType(value.getType(), *box) : Type();
}

bool Narrower::hasOtherType(ValueRange values) {
  return llvm::any_of(values, [&](Value value) {
    return getCarriedType(value) != value.getType();
  });
}

SmallVector<Value> Narrower::getCarried(OpBuilder &builder, Location loc,
                                        ValueRange values, ValueRange targets) {
  SmallVector<Value> carried;
  for (auto [value, target] : llvm::zip_equal(values, targets)) {
    if (!isTracked(target))
      carried.push_back(value);
    else if (std::optional<Box> box = joinNeeds(target))
      carried.push_back(get(builder, loc, value, *box));
  }
  return carried;
}

void Narrower::setArguments(ValueRange arguments) {
  for (Value argument : arguments) {
    Type type = getCarriedType(argument);
    if (!type || type == argument.getType())
      continue;
    made[argument] = {{*joinNeeds(argument), argument}};
    argument.setType(type);
  }
}

void Narrower::eraseArguments(Block &block, unsigned first) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  llvm::BitVector isGone(block.getNumArguments());
  for (BlockArgument argument : block.getArguments().drop_front(first)) {
    if (getCarriedType(argument))
      continue;
    isGone.set(argument.getArgNumber());
    if (argument.use_empty())
      continue;
    argument.replaceAllUsesWith(
        emitEmpty(builder, argument.getLoc(), argument.getType()));
  }
  block.eraseArguments(isGone);
}

/// The same op with other operands and results, which takes its regions.
static Operation *moveTo(Operation *op, ValueRange operands, TypeRange types) {
  OperationState state(op->getLoc(), op->getName(), operands, types,
                       op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  return OpBuilder(op).create(state);
}

SmallVector<Type> Narrower::getCarriedTypes(ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    if (Type type = getCarriedType(value))
      types.push_back(type);
  return types;
}

void Narrower::rewriteYield(Operation *yield, unsigned first,
                            ValueRange targets) {
  OpBuilder builder(yield);
  SmallVector<Value> operands = llvm::to_vector(yield->getOperands());
  SmallVector<Value> carried = getCarried(
      builder, yield->getLoc(), ArrayRef(operands).drop_front(first), targets);
  operands.truncate(first);
  llvm::append_range(operands, carried);
  yield->setOperands(operands);
}

void Narrower::rewrite(scf::IfOp op) {
  if (!hasOtherType(op.getResults())) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        rewrite(block);
    return;
  }
  Operation *own =
      moveTo(op, op->getOperands(), getCarriedTypes(op.getResults()));
  for (Region &region : own->getRegions()) {
    rewrite(region.front());
    rewriteYield(region.front().getTerminator(), 0, op.getResults());
  }
  replaceResults(op, own);
}

void Narrower::rewrite(scf::ForOp op) {
  if (!hasOtherType(op.getResults()))
    return rewrite(*op.getBody());
  OpBuilder builder(op);
  SmallVector<Value> operands = {op.getLowerBound(), op.getUpperBound(),
                                 op.getStep()};
  llvm::append_range(operands, getCarried(builder, op.getLoc(),
                                          op.getInitArgs(), op.getResults()));
  auto own =
      cast<scf::ForOp>(moveTo(op, operands, getCarriedTypes(op.getResults())));
  Block &body = own.getRegion().front();
  setArguments(body.getArguments().drop_front());
  rewrite(body);
  rewriteYield(body.getTerminator(), 0, op.getResults());
  eraseArguments(body, 1);
  replaceResults(op, own);
}

void Narrower::rewrite(scf::WhileOp op) {
  Block *before = op.getBeforeBody(), *after = op.getAfterBody();
  if (!hasOtherType(op.getResults()) && !hasOtherType(before->getArguments())) {
    rewrite(*before);
    return rewrite(*after);
  }
  OpBuilder builder(op);
  Operation *own = moveTo(
      op,
      getCarried(builder, op.getLoc(), op.getInits(), before->getArguments()),
      getCarriedTypes(op.getResults()));
  setArguments(before->getArguments());
  setArguments(after->getArguments());
  rewrite(*before);
  rewriteYield(before->getTerminator(), 1, op.getResults());
  rewrite(*after);
  rewriteYield(after->getTerminator(), 0, before->getArguments());
  eraseArguments(*before, 0);
  eraseArguments(*after, 0);
  replaceResults(op, own);
}

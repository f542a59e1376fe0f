//===- InsertChecks.cpp - Asserts what ops assume -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op on dynamic sizes or indices is undefined where they don't fit, and
// compiled code would read past its tensors. Each such op gets assertions, with
// the interpreter's messages.
//
// 1. A size is followed back to what made it (SizeReader), so that most
//    equations are of one value with itself and cost nothing.
// 2. An assertion is placed as early as what it compares is known: right after
//    the last one of its block, and before a loop around it, where it asks
//    whether the loop has an iteration. It never passes one that comes first in
//    the program, so that the one that fails is the interpreter's.
// 3. The same comparison is made once (CheckBuilder).
// 4. Each op's comparisons are in InsertedChecks.cpp.
//
//===----------------------------------------------------------------------===//

#include "InsertChecks.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_INSERTCHECKS
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult SizeReader::makeDim(Value value, int64_t dim) {
  auto [entry, isNew] = dims.try_emplace({value, dim});
  if (!isNew)
    return entry->second;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  // One that was read later in the block may be read here.
  for (Operation *user : value.getUsers()) {
    auto asked = dyn_cast<tensor::DimOp>(user);
    if (!asked || asked.getConstantIndex() != dim ||
        asked->getBlock() != value.getParentBlock())
      continue;
    Value index = arith::ConstantIndexOp::create(b, loc, dim);
    asked.getIndexMutable().assign(index);
    asked->moveAfter(index.getDefiningOp());
    return entry->second = asked.getResult();
  }
  return entry->second =
             isa<BaseMemRefType>(value.getType())
                 ? memref::DimOp::create(b, loc, value, dim).getResult()
                 : tensor::DimOp::create(b, loc, value, dim).getResult();
}

/// The tensor whose dimension `dim` has the size of this one's, one op back;
/// `dim` is set. Null if `size` is it, or nothing is known.
static Value stepBack(Value value, int64_t &dim, OpFoldResult &size) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType()) ? cast.getSource()
                                                             : Value();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    size = empty.getDynamicSize(dim);
  } else if (auto splat = dyn_cast<tensor::SplatOp>(op)) {
    size = getResultSizes(splat.getType(), splat.getDynamicSizes())[dim];
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [i, wanted] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped[i] && dim-- == 0)
        size = wanted;
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    size = expand.getMixedOutputShape()[dim];
  } else if (isa<DestinationStyleOpInterface>(op)) {
    return cast<DestinationStyleOpInterface>(op)
        .getTiedOpOperand(cast<OpResult>(value))
        ->get();
  } else if (OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        return operand;
  }
  // A size that was read from a tensor is that tensor's.
  auto known = dyn_cast_if_present<Value>(size);
  auto asked = known ? known.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  std::optional<int64_t> index =
      asked ? asked.getConstantIndex() : std::nullopt;
  auto type = index ? dyn_cast<RankedTensorType>(asked.getSource().getType())
                    : RankedTensorType();
  if (!type || *index < 0 || *index >= type.getRank())
    return {};
  size = {};
  dim = *index;
  return asked.getSource();
}

OpFoldResult SizeReader::get(Value value, int64_t dim) {
  // Each step goes back by one op; unreachable code may form a cycle.
  for (unsigned step = 0; step < 1000; ++step) {
    auto type = cast<ShapedType>(value.getType());
    if (!type.isDynamicDim(dim))
      return Builder(value.getContext()).getIndexAttr(type.getDimSize(dim));
    OpFoldResult size;
    int64_t back = dim;
    Value source = stepBack(value, back, size);
    if (size)
      return size;
    if (!source)
      break;
    value = source;
    dim = back;
  }
  return makeDim(value, dim);
}

SmallVector<OpFoldResult> SizeReader::getAll(Value value) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0, e = cast<ShapedType>(value.getType()).getRank();
       dim < e; ++dim)
    sizes.push_back(get(value, dim));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Where assertions are placed
//===----------------------------------------------------------------------===//

/// The sizes or bounds that decide whether the loop has an iteration;
/// std::nullopt for any other op.
static std::optional<SmallVector<std::pair<OpFoldResult, OpFoldResult>>>
getBounds(Operation *op, SizeReader &sizes) {
  SmallVector<std::pair<OpFoldResult, OpFoldResult>> bounds;
  OpFoldResult zero = Builder(op->getContext()).getIndexAttr(0);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (!loop.getInductionVar().getType().isIndex())
      return std::nullopt;
    bounds.push_back({getAsOpFoldResult(loop.getLowerBound()),
                      getAsOpFoldResult(loop.getUpperBound())});
    return bounds;
  }
  if (auto generic = dyn_cast<linalg::LinalgOp>(op)) {
    // Loops over nothing but dimensions of operands.
    SmallVector<OpFoldResult> all;
    for (Value operand : op->getOperands())
      llvm::append_range(all, sizes.getAllOrNone(operand));
    AffineMap map = generic.getShapesToLoopsMap();
    if (!map || map.getNumDims() != all.size())
      return std::nullopt;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return std::nullopt;
      bounds.push_back({zero, all[dim.getPosition()]});
    }
    return bounds;
  }
  if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
    for (OpFoldResult size :
         getResultSizes(generate.getType(), generate.getDynamicExtents()))
      bounds.push_back({zero, size});
    return bounds;
  }
  return std::nullopt;
}

void CheckBuilder::enter(Operation *op) {
  if (isa<AssertOp, cf::AssertOp, CallOpInterface>(op))
    barriers[op->getBlock()] = op;
  if (auto assertion = dyn_cast<AssertOp>(op))
    if (auto known = assertion.getCondition().getDefiningOp<arith::CmpIOp>())
      getBlocks(known.getPredicate(), getAsOpFoldResult(known.getLhs()),
                getAsOpFoldResult(known.getRhs()))
          .push_back(op->getBlock());
}

void CheckBuilder::leave(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (barriers.contains(&block))
        barriers[op->getBlock()] = op;
}

/// Whether `value` is defined in `block` itself; `last` becomes its op where
/// that is later.
static bool updateLast(Value value, Block *block, Operation *&last) {
  if (value.getParentBlock() != block)
    return false;
  Operation *op = value.getDefiningOp();
  if (op && (!last || last->isBeforeInBlock(op)))
    last = op;
  return true;
}

void CheckBuilder::add(Operation *op, ArrayRef<OpFoldResult> leaves,
                       ConditionFn condition) {
  SmallVector<Value> values;
  auto collect = [&](OpFoldResult leaf) {
    if (auto value = dyn_cast_if_present<Value>(leaf))
      values.push_back(value);
  };
  llvm::for_each(leaves, collect);
  // Step 2, from inside out.
  SmallVector<std::pair<OpFoldResult, OpFoldResult>> bounds;
  Operation *place = op, *last = nullptr;
  while (true) {
    Block *block = place->getBlock();
    last = barriers.lookup(block);
    bool stays = last != nullptr;
    for (Value value : values)
      stays |= updateLast(value, block, last);
    Operation *parent = block->getParentOp();
    if (stays || !parent || isa<FunctionOpInterface>(parent))
      break;
    auto more = getBounds(parent, sizes);
    if (!more)
      break;
    for (auto [lower, upper] : *more) {
      collect(lower);
      collect(upper);
    }
    llvm::append_range(bounds, *more);
    place = parent;
  }
  OpBuilder b(op->getContext());
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(place->getBlock());
  Location loc = op->getLoc();
  CheckMessage message((op->getName().getStringRef() + ": ").str());
  Value holds = condition(b, loc, message);
  for (auto [lower, upper] : bounds) {
    std::optional<int64_t> from = getConstantIntValue(lower),
                           to = getConstantIntValue(upper);
    if (from && to && *from < *to)
      continue;
    Value isEmpty = compare(b, loc, arith::CmpIPredicate::sge, lower, upper);
    holds = arith::OrIOp::create(b, loc, isEmpty, holds);
  }
  auto assertion = AssertOp::create(b, loc, holds, message.getText().str(),
                                    message.getValues());
  barriers[place->getBlock()] = assertion;
}

Value CheckBuilder::compare(OpBuilder &b, Location loc,
                            arith::CmpIPredicate predicate, OpFoldResult lhs,
                            OpFoldResult rhs) {
  return arith::CmpIOp::create(b, loc, predicate,
                               getValueOrCreateConstantIndexOp(b, loc, lhs),
                               getValueOrCreateConstantIndexOp(b, loc, rhs));
}

void CheckBuilder::require(Operation *op, arith::CmpIPredicate predicate,
                           OpFoldResult lhs, OpFoldResult rhs,
                           const CheckMessage &message) {
  if (foldComparison(predicate, lhs, rhs).value_or(false))
    return;
  // Step 3: what was compared in a block around this one, before any branch.
  SmallVectorImpl<Block *> &blocks = getBlocks(predicate, lhs, rhs);
  for (Block *block : blocks)
    if (block->findAncestorOpInBlock(*op))
      return;
  SmallVector<OpFoldResult> leaves{lhs, rhs};
  for (Value value : message.getValues())
    leaves.push_back(value);
  blocks.push_back(op->getBlock());
  add(op, leaves, [&](OpBuilder &b, Location loc, CheckMessage &text) {
    text << message;
    return compare(b, loc, predicate, lhs, rhs);
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The ops of a region in the order of the program, each before what is in it.
static void insertInto(Region &region, CheckBuilder &checks, bool onlyShapes) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      // Its body must be without effects.
      if (isa<memref::GenericAtomicRMWOp>(op))
        continue;
      checks.enter(&op);
      Operation *checked = insertChecksOf(&op, checks, onlyShapes);
      for (Region &nested : checked->getRegions())
        insertInto(nested, checks, onlyShapes);
      checks.leave(checked);
    }
}

void mlir::tensoraccess::insertChecks(ModuleOp module, bool onlyShapes) {
  module.walk([&](FunctionOpInterface function) {
    CheckBuilder checks;
    insertInto(function.getFunctionBody(), checks, onlyShapes);
  });
}

namespace {
struct InsertChecksPass
    : public tensoraccess::impl::InsertChecksBase<InsertChecksPass> {
  using InsertChecksBase::InsertChecksBase;
  void runOnOperation() override { insertChecks(getOperation(), onlyShapes); }
};
} // namespace

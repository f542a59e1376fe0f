//===- StreamAcross.cpp - Loops that do not go along a sequence -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over something else than the sequence, in either direction, such as a scan
// over features or five steps of Newton's method, makes columns of what it carries
// from the same columns of what it carried before. A step runs all of its trips on
// its own columns; the ops of a trip are cut as those of a function are.
//
//===----------------------------------------------------------------------===//

#include "Streamer.h"
#include "TripNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isIn(const Scope &scope, Value value) {
  return scope.loop->isAncestor(value.getParentRegion()->getParentOp());
}

bool Streamer::isInScope(Value value) const {
  return llvm::any_of(scopes,
                      [&](const Scope &scope) { return isIn(scope, value); });
}

void Streamer::moveTo(Value value) {
  // A loop of which another one asked for results stands in front of that, not in it.
  for (unsigned i = scopes.size(); i-- > 0 && !isIn(scopes[i], value);) {
    builder.setInsertionPoint(scopes[i].made);
    if (i > 0 && !scopes[i - 1].made->isAncestor(scopes[i].made))
      return;
  }
}

void Streamer::askFor(BlockArgument argument, unsigned dim) {
  for (Scope &scope : scopes)
    if (argument.getOwner()->getParentOp() == scope.loop)
      scope.asked.emplace_back(
          argument.getArgNumber() - isa<scf::ForOp>(scope.loop), dim);
}

/// What a loop carries from one trip to the next, in each of its blocks.
static SmallVector<SmallVector<BlockArgument>> getCarried(Operation *loop) {
  SmallVector<SmallVector<BlockArgument>> carried(loop->getNumResults());
  for (Region &region : loop->getRegions())
    for (auto [own, argument] : llvm::zip_equal(
             carried, region.getArguments().take_back(loop->getNumResults())))
      own.push_back(argument);
  return carried;
}

/// Which of what a loop carries depends on the sequences.
llvm::BitVector Streamer::findDependent(Operation *loop) {
  const unsigned count = loop->getNumResults();
  Operation *yield = loop->getRegions().back().front().getTerminator();
  OperandRange inits = loop->getOperands().take_back(count);
  llvm::BitVector found(count);
  for (auto [i, init] : llvm::enumerate(inits))
    if (depends(init))
      found.set(i);
  while (true) {
    forget(loop);
    for (auto [i, arguments] : llvm::enumerate(getCarried(loop)))
      for (BlockArgument argument : arguments)
        dependent[argument] = found.test(i);
    llvm::BitVector next = found;
    for (auto [i, value] : llvm::enumerate(yield->getOperands()))
      if (depends(value))
        next.set(i);
    if (next == found)
      return found;
    found = next;
  }
}

/// Forgets what is known of values in a loop.
void Streamer::forget(Operation *loop) {
  llvm::DenseSet<void *> values;
  auto add = [&](ValueRange own) {
    for (Value value : own) {
      values.insert(value.getAsOpaquePointer());
      dependent.erase(value);
      wholes.erase(value);
    }
  };
  loop->walk([&](Operation *op) {
    if (op != loop)
      add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  });
  for (auto it = columns.begin(); it != columns.end();)
    it = values.contains(std::get<0>(it->first)) ? columns.erase(it)
                                                 : std::next(it);
}

FailureOr<Value> Streamer::cutAcross(OpResult result, unsigned dim) {
  Operation *loop = result.getOwner();
  auto trips = dyn_cast<scf::WhileOp>(loop);
  if (trips && !llvm::equal(trips.getConditionOp().getArgs(),
                            trips.getBeforeArguments()))
    return failure();
  llvm::BitVector isDependent = findDependent(loop);
  if (!isDependent.test(result.getResultNumber()) ||
      (trips && depends(trips.getConditionOp().getCondition())) ||
      llvm::any_of(loop->getOperands().drop_back(loop->getNumResults()),
                   [&](Value bound) { return depends(bound); }))
    return failure();
  // The dimensions along which what is carried is a sequence; more are found as
  // the body asks for them.
  llvm::MapVector<unsigned, unsigned> dims;
  dims[result.getResultNumber()] = dim;
  for (size_t known = 0; known != dims.size();) {
    known = dims.size();
    const auto saved = std::make_pair(culprit, reason);
    Scope scope{loop, nullptr, {}};
    if (succeeded(makeAcross(scope, isDependent, dims))) {
      forget(loop);
      for (auto [i, own] : dims)
        columns[{loop->getResult(i).getAsOpaquePointer(), own, 0}] =
            scope.made->getResult(i);
      return columns.at({result.getAsOpaquePointer(), dim, 0});
    }
    forget(loop);
    if (scope.made)
      scope.made->erase();
    for (auto [i, own] : scope.asked)
      if (isDependent.test(i) && dims.insert({i, own}).second)
        std::tie(culprit, reason) = saved;
  }
  return failure();
}

/// The loop of the columns of what is carried along `dims`, and of all of what does
/// not depend on the sequences; its other results are not used.
LogicalResult
Streamer::makeAcross(Scope &scope, const llvm::BitVector &isDependent,
                     const llvm::MapVector<unsigned, unsigned> &dims) {
  Operation *loop = scope.loop;
  Location loc = loop->getLoc();
  const unsigned count = loop->getNumResults();
  OperandRange inits = loop->getOperands().take_back(count);
  Operation *yield = loop->getRegions().back().front().getTerminator();
  // What is carried but not asked for does not change.
  auto get = [&](unsigned i, Value value) -> FailureOr<Value> {
    auto it = dims.find(i);
    return it != dims.end() ? getColumns(value, it->second, 0, loop)
                            : getWhole(value, loop);
  };
  auto isLeft = [&](unsigned i) {
    return isDependent.test(i) && !dims.contains(i);
  };
  (void)findDependent(loop);
  SmallVector<Value> begins, bounds;
  SmallVector<Type> types;
  for (Value bound : loop->getOperands().drop_back(count)) {
    FailureOr<Value> own = getWhole(bound, loop);
    if (failed(own))
      return failure();
    bounds.push_back(*own);
  }
  Value nothing = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [i, init] : llvm::enumerate(inits)) {
    FailureOr<Value> own = isLeft(i) ? FailureOr<Value>(nothing) : get(i, init);
    if (failed(own))
      return failure();
    begins.push_back(*own);
    types.push_back(own->getType());
  }
  auto enter = [&](Region &from, Block *to) {
    auto carried = from.getArguments().take_back(count);
    for (auto [i, argument, own] :
         llvm::enumerate(carried, to->getArguments().take_back(count))) {
      arguments.map(argument, own);
      if (auto it = dims.find(i); it != dims.end())
        columns[{argument.getAsOpaquePointer(), it->second, 0}] = own;
    }
    builder.setInsertionPointToEnd(to);
  };
  OpBuilder::InsertionGuard guard(builder);
  scopes.push_back(scope);
  llvm::scope_exit leave([&] {
    scope = scopes.back();
    scopes.pop_back();
  });
  auto trips = dyn_cast<scf::WhileOp>(loop);
  std::optional<int64_t> number = trips ? countTrips(trips) : std::nullopt;
  if (number)
    for (int64_t bound : {int64_t(0), *number, int64_t(1)})
      bounds.push_back(arith::ConstantIndexOp::create(builder, loc, bound));
  if (trips && !number) {
    auto made = scf::WhileOp::create(builder, loc, types, begins);
    scopes.back().made = made;
    SmallVector<Location> locs(count, loc);
    Block *before = builder.createBlock(&made.getBefore(), {}, types, locs);
    enter(trips.getBefore(), before);
    FailureOr<Value> condition =
        getWhole(trips.getConditionOp().getCondition(), loop);
    if (failed(condition))
      return failure();
    scf::ConditionOp::create(builder, loc, *condition, before->getArguments());
    enter(trips.getAfter(),
          builder.createBlock(&made.getAfter(), {}, types, locs));
  } else {
    auto made = scf::ForOp::create(builder, loc, bounds[0], bounds[1],
                                   bounds[2], begins);
    scopes.back().made = made;
    if (!trips)
      arguments.map(cast<scf::ForOp>(loop).getInductionVar(),
                    made.getInductionVar());
    enter(loop->getRegions().back(), made.getBody());
  }
  SmallVector<Value> yields;
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    FailureOr<Value> own =
        isLeft(i) ? FailureOr<Value>(
                        builder.getBlock()->getArguments().take_back(count)[i])
                  : get(i, value);
    if (failed(own))
      return failure();
    yields.push_back(*own);
  }
  scf::YieldOp::create(builder, loc, yields);
  return success();
}

/// A slice that has all of the sequence, and of other dimensions what is found when
/// it is run.
FailureOr<Value> Streamer::cutMovingSlice(OffsetSizeAndStrideOpInterface slice,
                                          unsigned dim, int64_t shift) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(*slice);
  Value part = insert ? Value(insert.getSource()) : Value(slice->getResult(0));
  Value all = insert ? insert.getDest() : slice->getOperand(0);
  const size_t rank = slice.getStaticOffsets().size();
  if (cast<RankedTensorType>(part.getType()).getRank() != int64_t(rank) ||
      ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      ShapedType::isDynamicShape(slice.getStaticStrides()) ||
      slice.getStaticOffset(dim) != 0 || slice.getStaticStride(dim) != 1 ||
      slice.getStaticSize(dim) != getSize(all, dim))
    return fail(slice, "does not go along the sequence step by step");
  IRMapping mapping;
  for (Value operand : slice->getOperands()) {
    FailureOr<Value> own = operand == all || (insert && operand == part)
                               ? getColumns(operand, dim, shift, slice)
                               : getWhole(operand, slice);
    if (failed(own))
      return failure();
    mapping.map(operand, *own);
  }
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  sizes[dim] = builder.getIndexAttr(step);
  for (OpFoldResult &offset : offsets)
    if (auto value = dyn_cast<Value>(offset))
      offset = mapping.lookup(value);
  Location loc = slice->getLoc();
  if (insert)
    return Value(tensor::InsertSliceOp::create(
        builder, loc, mapping.lookup(part), mapping.lookup(all), offsets, sizes,
        strides));
  return Value(tensor::ExtractSliceOp::create(builder, loc, mapping.lookup(all),
                                              offsets, sizes, strides));
}

//===- StreamLoops.cpp - Loops along a sequence, step by step -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop goes along a sequence if trip t writes column t of what it makes, and
// reads column t of sequences. A step runs the trips [p, p + step), on columns:
//
//   scan           what is carried beside the sequences is kept in the state
//   running sum    columns t - 1, ... of the result itself are read: the last ones
//                  are kept; those in front of the first trip are made at p = 0
//
// Loops of elements, which are round the loop of the trips or in it, stay.
//
//===----------------------------------------------------------------------===//

#include "LoopStreamer.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Cut/Blocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Numbers of a trip
//===----------------------------------------------------------------------===//

/// Trip t is that in which what the loop counts begins with t, or with 0.
bool LoopStreamer::findWhileTrips(scf::WhileOp op) {
  along = op;
  SetVector<int64_t> firsts;
  firsts.insert(0);
  for (Value init : op.getInits())
    if (std::optional<int64_t> begin = getCounterBegin(init);
        begin && *begin > 0 && *begin < s.length)
      firsts.insert(*begin);
  return llvm::any_of(firsts, [&](int64_t first) {
    numbers.first = first;
    return isCounted(op, numbers);
  });
}

/// Inlines branches of which it is known that each trip takes them, such as of a
/// scatter, which leaves out what is not in its result.
void LoopStreamer::inlineBranches() {
  SmallVector<scf::IfOp> branches;
  loop->walk([&](scf::IfOp op) { branches.push_back(op); });
  for (scf::IfOp op : branches) {
    std::optional<Line> taken = numbers.evaluate(op.getCondition());
    if (!taken || taken->slope != 0)
      continue;
    Block *body = taken->first != 0 ? op.thenBlock() : op.elseBlock();
    if (!body)
      continue;
    Operation *yield = body->getTerminator();
    op.replaceAllUsesWith(yield->getOperands());
    yield->erase();
    op->getBlock()->getOperations().splice(op->getIterator(),
                                           body->getOperations());
    for (Value result : op->getResults())
      s.dependent.erase(result);
    op->erase();
  }
}

/// The loop whose variable is the index of what is written.
bool LoopStreamer::findForTrips() {
  Track probe;
  probe.number = number;
  if (!follow(cast<scf::ForOp>(loop).getRegionIterArg(number), probe))
    return false;
  for (Value value : probe.values) {
    Operation *op = value.getDefiningOp();
    std::optional<PlaceOp> place = op ? getPlaceOp(op) : std::nullopt;
    if (!place || dim >= place->indices.size())
      continue;
    auto index = dyn_cast_if_present<BlockArgument>(
        dyn_cast<Value>(place->indices[dim]));
    auto own = index ? dyn_cast<scf::ForOp>(index.getOwner()->getParentOp())
                     : scf::ForOp();
    if (!own || own.getInductionVar() != index)
      continue;
    if (along && along != own)
      return false;
    along = own;
  }
  auto trips = dyn_cast_or_null<scf::ForOp>(along);
  if (!trips || !loop->isAncestor(trips) ||
      !trips.getInductionVar().getType().isIndex())
    return false;
  std::optional<int64_t> first = getConstantIntValue(trips.getLowerBound());
  if (!first || *first < 0 || *first >= s.length ||
      getConstantIntValue(trips.getUpperBound()) != s.length ||
      getConstantIntValue(trips.getStep()) != 1)
    return false;
  numbers.first = *first;
  numbers.counters[trips.getInductionVar()] = Line{1, 0};
  return true;
}

//===----------------------------------------------------------------------===//
// What the loop makes
//===----------------------------------------------------------------------===//

/// Adds what a value of the loop becomes on the way to the next trip; false if it is
/// used but for places of it.
bool LoopStreamer::follow(Value value, Track &track) {
  if (!track.values.insert(value))
    return true;
  if (isa<OpResult>(value) &&
      value.getDefiningOp()->getBlock() == loop->getBlock())
    return true;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    const unsigned o = use.getOperandNumber();
    SmallVector<Value> next;
    if (std::optional<PlaceOp> place = getPlaceOp(user);
        place && o == (place->written ? 1u : 0u)) {
      if (place->written)
        next.push_back(place->written);
    } else if (auto inner = dyn_cast<scf::ForOp>(user); inner && o >= 3) {
      next = {inner.getRegionIterArg(o - 3), inner.getResult(o - 3)};
    } else if (isa<scf::YieldOp, scf::ConditionOp>(user)) {
      Operation *parent = user->getParentOp();
      const unsigned i = isa<scf::ConditionOp>(user) ? o - 1 : o;
      if (!isa<scf::ForOp, scf::WhileOp>(parent) ||
          (parent == loop && i != track.number))
        return false;
      next.push_back(parent->getResult(i));
      if (auto trips = dyn_cast<scf::WhileOp>(parent))
        next.push_back(isa<scf::ConditionOp>(user)
                           ? trips.getAfterArguments()[i]
                           : trips.getBeforeArguments()[i]);
    } else {
      return false;
    }
    for (Value own : next)
      if (!follow(own, track))
        return false;
  }
  return true;
}

/// Whether a value is what another one becomes when it is written.
static bool comesFrom(Value value, Value start) {
  while (value != start) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    const unsigned i = cast<OpResult>(value).getResultNumber();
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      value = inner.getInitArgs()[i];
      continue;
    }
    std::optional<PlaceOp> place = getPlaceOp(op);
    if (!place || !place->written)
      return false;
    value = place->tensor;
  }
  return true;
}

/// Whether each trip of a loop goes on with what the one before it made.
bool LoopStreamer::isOneChain(const Track &track) {
  return llvm::all_of(track.values, [&](Value value) {
    auto result = dyn_cast<OpResult>(value);
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<scf::ForOp, scf::WhileOp>(op))
      return true;
    Block &body = op->getRegions().back().front();
    const unsigned i = result.getResultNumber();
    return comesFrom(body.getTerminator()->getOperand(i),
                     body.getArgument(isa<scf::ForOp>(op) ? i + 1 : i));
  });
}

/// Ops of the function that write columns before the loop.
void LoopStreamer::findBeginning(Track &track) {
  while (true) {
    Value value = track.root->get();
    Operation *op = value.getDefiningOp();
    if (!op || !s.depends(value) || op->getBlock() != loop->getBlock())
      return;
    if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      track.root = &insert.getDestMutable();
      SetVector<Operation *> scalars;
      scalars.insert(op);
      for (size_t i = 0; i < scalars.size(); ++i)
        for (Value operand : scalars[i]->getOperands())
          if (Operation *own = operand.getDefiningOp();
              own && s.depends(operand) &&
              !isa<RankedTensorType>(operand.getType()))
            scalars.insert(own);
      ops.insert(scalars.begin(), scalars.end());
    } else if (auto before = dyn_cast<scf::ForOp>(op)) {
      const unsigned i = cast<OpResult>(value).getResultNumber();
      Track own;
      own.number = i;
      if (!follow(before.getRegionIterArg(i), own) || !isOneChain(own))
        return;
      track.values.insert(own.values.begin(), own.values.end());
      track.root = &before->getOpOperand(3 + i);
      ops.insert(op);
    } else {
      return;
    }
    track.values.insert(value);
  }
}

bool LoopStreamer::findTracks() {
  for (unsigned i = 0; i < loop->getNumResults(); ++i) {
    Track track;
    track.number = i;
    auto trips = dyn_cast<scf::WhileOp>(loop);
    Value first = trips ? trips.getBeforeArguments()[i]
                        : cast<scf::ForOp>(loop).getRegionIterArg(i);
    auto type = dyn_cast<RankedTensorType>(first.getType());
    if (!type || !type.hasStaticShape() || !follow(first, track) ||
        !isOneChain(track))
      continue;
    // Each trip writes its column.
    for (Value value : track.values) {
      Operation *op = value.getDefiningOp();
      std::optional<PlaceOp> place = op ? getPlaceOp(op) : std::nullopt;
      if (!place || !isInTrip(op))
        continue;
      for (auto [d, index] : llvm::enumerate(place->indices)) {
        std::optional<Line> at = numbers.evaluate(index);
        isBackward |= at && at->slope < 0;
        if (at == Line{1, 0} && place->isSingle[d] && !track.dim)
          track.dim = d;
      }
    }
    if (!track.dim || type.getDimSize(*track.dim) != s.length)
      continue;
    track.root = &getInit(i);
    findBeginning(track);
    for (Value value : track.values)
      trackOf[value] = tracks.size();
    tracks.push_back(std::move(track));
  }
  ops.insert(loop);
  SmallVector<Operation *> sorted(ops.takeVector());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  ops.insert(sorted.begin(), sorted.end());
  return llvm::any_of(tracks, [&](const Track &track) {
    return track.number == number && track.dim == dim;
  });
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Whether all that is made of what an op reads goes where it counts for the first
/// step only: to columns in front of the first trip.
bool LoopStreamer::isForFirstOnly(Operation *op) {
  SetVector<Operation *> users;
  users.insert(op);
  for (size_t i = 0; i < users.size(); ++i) {
    Operation *at = users[i];
    if (isInTrip(at))
      return false;
    if (isa<tensor::InsertOp>(at) && trackOf.contains(at->getResult(0)))
      continue;
    if (at->getNumRegions() != 0 || !isMemoryEffectFree(at) ||
        at->getNumResults() == 0 ||
        isa<RankedTensorType>(at->getResult(0).getType()))
      return false;
    for (Operation *user : at->getUsers())
      if (llvm::any_of(ops,
                       [&](Operation *own) { return own->isAncestor(user); }))
        users.insert(user);
  }
  return true;
}

LogicalResult LoopStreamer::readPlace(Operation *op, PlaceOp place) {
  auto it = trackOf.find(place.tensor);
  const bool isRoot = llvm::any_of(tracks, [&](const Track &track) {
    return track.root->getOwner() == op && track.root->get() == place.tensor;
  });
  if (it == trackOf.end() && isRoot)
    it = trackOf.find(place.written);
  if (it != trackOf.end()) {
    Track &track = tracks[it->second];
    std::optional<Line> at = numbers.evaluate(place.indices[*track.dim]);
    if (!at || !place.isSingle[*track.dim])
      return fail("does not go along the sequence step by step");
    // Loops round the trips write apart from each other.
    for (Operation *outer = along->getParentOp();
         loop->isAncestor(outer) && outer->isAncestor(op);
         outer = outer->getParentOp())
      if (!llvm::is_contained(
              place.indices,
              OpFoldResult(cast<scf::ForOp>(outer).getInductionVar())))
        return fail("does not go along the sequence step by step");
    if (!place.written) {
      if (!isInTrip(op) || at->slope != 1)
        return fail("does not go along the sequence step by step");
      if (at->first > 0)
        return fail("reads what is " + Twine(at->first) + " ahead");
      // What was there before the trips is no longer known.
      if (at->first < 0 &&
          !along->isAncestor(place.tensor.getParentBlock()->getParentOp()))
        return fail("does not go along the sequence step by step");
      track.back = std::max(track.back, -at->first);
      return success();
    }
    if (isInTrip(op))
      return *at == Line{1, 0}
                 ? success()
                 : fail("does not go along the sequence step by step");
    Operation *before = along->getBlock()->findAncestorOpInBlock(*op);
    if (at->slope != 0 || at->first < 0 || at->first >= s.step ||
        at->first >= numbers.first || !isa<tensor::InsertOp>(op) ||
        (before ? !before->isBeforeInBlock(along) : loop->isAncestor(op)))
      return fail("does not go along the sequence step by step");
    return success();
  }
  if (place.written || place.tensor.getParentBlock() != loop->getBlock() ||
      !s.depends(place.tensor))
    return success();
  ColumnRead &read = reads[place.tensor];
  if (!isInTrip(op)) {
    if (!read.dim)
      return fail("is not understood");
    std::optional<Line> at = numbers.evaluate(place.indices[*read.dim]);
    if (!at || at->slope != 0 || at->first < read.lo ||
        at->first >= read.lo + s.step || !isa<tensor::ExtractOp>(op) ||
        !isForFirstOnly(op))
      return fail("does not go along the sequence step by step");
    return success();
  }
  for (auto [d, index] : llvm::enumerate(place.indices)) {
    std::optional<Line> at = numbers.evaluate(index);
    if (!at || at->slope != 1 || !place.isSingle[d] ||
        (read.dim && read.dim != d))
      continue;
    if (at->first < 0)
      return fail("reads less than the sequence");
    read.lo = read.dim ? std::min(read.lo, at->first) : at->first;
    read.hi = read.dim ? std::max(read.hi, at->first) : at->first;
    read.dim = d;
    return success();
  }
  return fail("does not go along the sequence step by step");
}

LogicalResult LoopStreamer::readPlaces() {
  // Those in front of the trips are known by those in them.
  for (bool inTrip : {true, false})
    for (Operation *root : ops)
      if (root->walk([&](Operation *op) {
                std::optional<PlaceOp> place = getPlaceOp(op);
                return place && isInTrip(op) == inTrip &&
                               failed(readPlace(op, *place))
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted())
        return failure();
  return success();
}

/// What is carried beside sequences, and read beside places of them.
LogicalResult LoopStreamer::checkOthers() {
  for (auto [i, type] : llvm::enumerate(loop->getResultTypes()))
    if (!isTracked(i) && !isa<RankedTensorType>(type))
      return fail("carries something that is not a tensor");
  for (Operation *root : ops) {
    WalkResult walked = root->walk([&](Operation *op) {
      auto inner = dyn_cast<scf::ForOp>(op);
      if (inner && !isInTrip(op) && (op != along || along != loop))
        for (Value argument : inner.getRegionIterArgs())
          if (!trackOf.contains(argument))
            return WalkResult::interrupt();
      for (OpOperand &operand : op->getOpOperands()) {
        Value value = operand.get();
        if (value.getParentBlock() != loop->getBlock() || !s.depends(value) ||
            trackOf.contains(value) ||
            llvm::any_of(tracks, [&](const Track &track) {
              return track.root == &operand;
            }))
          continue;
        Operation *from = value.getDefiningOp();
        if (from && ops.contains(from))
          continue;
        std::optional<PlaceOp> place = getPlaceOp(op);
        if (!place || place->tensor != value || place->written)
          return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return fail("begins with, or reads, all of the sequence");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The trips of a step
//===----------------------------------------------------------------------===//

/// Makes of the loop of all trips that of a step, which counts from 0.
scf::ForOp LoopStreamer::emitTrips(Operation *all) {
  OpBuilder &b = s.builder;
  Location loc = all->getLoc();
  b.setInsertionPoint(all);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value begin = zero, end = arith::ConstantIndexOp::create(b, loc, s.step);
  if (numbers.first != 0) {
    Value first = arith::ConstantIndexOp::create(b, loc, numbers.first);
    first = arith::SubIOp::create(b, loc, first, s.position);
    begin = arith::MaxSIOp::create(b, loc, first, zero);
  }
  auto own = dyn_cast<scf::ForOp>(all);
  if (own) {
    own.setLowerBound(begin);
    own.setUpperBound(end);
  } else {
    own = scf::ForOp::create(b, loc, begin, end,
                             arith::ConstantIndexOp::create(b, loc, 1),
                             all->getOperands());
  }
  b.setInsertionPointToStart(own.getBody());
  Value local = own.getInductionVar();
  Value trip = arith::AddIOp::create(b, loc, local, s.position);
  if (own == all) {
    local.replaceAllUsesExcept(trip, trip.getDefiningOp());
    return own;
  }
  auto whole = cast<scf::WhileOp>(all);
  for (auto [i, argument] : llvm::enumerate(whole.getAfterArguments())) {
    Value now = own.getRegionIterArg(i);
    if (isCounter(i)) {
      auto type = cast<RankedTensorType>(argument.getType());
      Line line = numbers.counters.lookup(
          cast<scf::WhileOp>(loop).getAfterArguments()[i]);
      now = arith::AddIOp::create(
          b, loc, trip, arith::ConstantIndexOp::create(b, loc, line.first));
      now = arith::IndexCastOp::create(b, loc, type.getElementType(), now);
      now = tensor::FromElementsOp::create(b, loc, type, now);
    }
    argument.replaceAllUsesWith(now);
  }
  own.getBody()->getOperations().splice(own.getBody()->end(),
                                        whole.getAfterBody()->getOperations());
  // What is counted follows from the number of the trip, and is not carried.
  for (auto [i, argument] : llvm::enumerate(own.getRegionIterArgs()))
    if (isCounter(i))
      own.getBody()->getTerminator()->setOperand(i, argument);
  whole.replaceAllUsesWith(own);
  whole.erase();
  return own;
}

FailureOr<Value> LoopStreamer::emit() {
  OpBuilder &b = s.builder;
  Location loc = loop->getLoc();
  IRMapping mapping;
  SetVector<Value> read;
  for (Operation *op : ops) {
    read.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
  }
  for (Value value : read) {
    FailureOr<Value> own = failure();
    if (auto it = reads.find(value); it != reads.end())
      own = s.getSpan(value, *it->second.dim, it->second.lo,
                      it->second.hi - it->second.lo + s.step, loop);
    else if (!s.depends(value))
      own = s.getWhole(value, loop);
    else
      continue;
    if (failed(own))
      return failure();
    mapping.map(value, *own);
  }
  // What each sequence begins with, behind the last columns of before.
  SmallVector<std::pair<OpOperand *, Value>> begins;
  Block &entry = s.stepFunction.front();
  SmallVector<Kept> states;
  for (Track &track : tracks) {
    FailureOr<Value> own = s.getColumns(track.root->get(), *track.dim, 0, loop);
    if (failed(own))
      return failure();
    Value all = *own;
    if (track.back != 0) {
      auto type = cast<RankedTensorType>(all.getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[*track.dim] = track.back;
      Kept state;
      state.value = loop->getResult(track.number);
      state.dim = *track.dim;
      state.type = RankedTensorType::get(shape, type.getElementType());
      state.isCarried = true;
      if (track.begin)
        state.begin =
            SplatElementsAttr::get(cast<ShapedType>(state.type), track.begin);
      state.before = entry.addArgument(state.type, loc);
      states.push_back(state);
      shape[*track.dim] = track.back + s.step;
      all = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
      all = s.emitInsert(state.before, all, *track.dim, b.getIndexAttr(0));
      all = s.emitInsert(*own, all, *track.dim, b.getIndexAttr(track.back));
    }
    begins.emplace_back(track.root, all);
  }
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, s.position,
                            arith::ConstantIndexOp::create(b, loc, 0));
  // Ops as they are first, then what is other in them.
  for (Operation *op : ops)
    b.clone(*op, mapping);
  for (auto [operand, value] : begins)
    mapping.lookup(operand->getOwner())
        ->setOperand(operand->getOperandNumber(), value);
  for (auto [track, pair] : llvm::zip_equal(tracks, begins))
    for (Value value : track.values)
      mapping.lookup(value).setType(pair.second.getType());
  OpBuilder::InsertionGuard guard(b);
  scf::ForOp trips = emitTrips(mapping.lookup(along));
  Operation *made = along == loop ? trips : mapping.lookup(loop);
  for (Operation *root : ops)
    root->walk([&](Operation *op) {
      std::optional<PlaceOp> place = getPlaceOp(op);
      if (!place)
        return;
      unsigned d;
      int64_t shift;
      if (auto it =
              trackOf.find(place->written ? place->written : place->tensor);
          it != trackOf.end()) {
        d = *tracks[it->second].dim;
        shift = tracks[it->second].back;
      } else if (auto it = reads.find(place->tensor); it != reads.end()) {
        d = *it->second.dim;
        shift = -it->second.lo;
      } else {
        return;
      }
      Operation *own = mapping.lookup(op);
      b.setInsertionPoint(own);
      if (!isInTrip(op)) {
        const int64_t at = numbers.evaluate(place->indices[d])->first + shift;
        setIndex(own, d, arith::ConstantIndexOp::create(b, op->getLoc(), at));
        auto insert = dyn_cast<tensor::InsertOp>(own);
        if (!insert)
          return;
        if (tracks[trackOf.lookup(op->getResult(0))].begin) {
          insert.replaceAllUsesWith(insert.getDest());
          return;
        }
        auto choice = scf::IfOp::create(b, op->getLoc(), insert.getType(),
                                        isFirst, /*addThenBlock=*/true,
                                        /*addElseBlock=*/true);
        insert.getResult().replaceAllUsesWith(choice.getResult(0));
        b.setInsertionPointToStart(choice.elseBlock());
        scf::YieldOp::create(b, op->getLoc(), insert.getDest());
        insert->moveBefore(choice.thenBlock(), choice.thenBlock()->end());
        b.setInsertionPointAfter(insert);
        scf::YieldOp::create(b, op->getLoc(), insert.getResult());
        return;
      }
      const int64_t at = numbers.evaluate(place->indices[d])->first + shift;
      setIndex(own, d,
               arith::AddIOp::create(
                   b, op->getLoc(), trips.getInductionVar(),
                   arith::ConstantIndexOp::create(b, op->getLoc(), at)));
    });
  // What is carried beside the sequences.
  for (unsigned i = 0; along == loop && i < loop->getNumResults(); ++i) {
    if (isCounter(i) || isTracked(i))
      continue;
    OpOperand &init = getInit(i);
    Kept state;
    state.value = loop->getResult(i);
    state.type = init.get().getType();
    state.isCarried = true;
    state.initial = init.get();
    state.before = entry.addArgument(state.type, loc);
    state.after = made->getResult(i);
    trips.getInitArgsMutable()[i].set(state.before);
    s.kept.push_back(state);
  }
  b.setInsertionPointAfter(made);
  auto state = states.begin();
  for (Track &track : tracks) {
    Value all = made->getResult(track.number);
    Box part = getWholeBox(cast<RankedTensorType>(all.getType()).getShape());
    if (track.back != 0) {
      part.lo[*track.dim] = s.step;
      state->after = emitSlice(b, loc, all, part);
      s.kept.push_back(*state++);
      part.lo[*track.dim] = track.back;
    }
    Value result = loop->getResult(track.number);
    s.columns[{result.getAsOpaquePointer(), *track.dim, 0}] =
        emitSlice(b, loc, all, part);
  }
  return s.columns.at({loop->getResult(number).getAsOpaquePointer(), dim, 0});
}

FailureOr<Value> LoopStreamer::run() {
  auto trips = dyn_cast<scf::WhileOp>(loop);
  if (trips ? !findWhileTrips(trips) : !findForTrips())
    return fail("is not understood");
  inlineBranches();
  if (!findTracks())
    return fail(isBackward ? "goes backwards along the sequence"
                           : "does not go along the sequence step by step");
  if (failed(readPlaces()) || failed(checkOthers()))
    return failure();
  findBegins();
  return emit();
}

FailureOr<Value> Streamer::cutLoop(OpResult result, unsigned dim) {
  return LoopStreamer(*this, result, dim).run();
}

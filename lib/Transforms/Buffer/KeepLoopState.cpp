//===- KeepLoopState.cpp - Loops without copies of their state ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the body of `scf.while` makes a new state, bufferization copies what its
// condition passes on, in each iteration, and takes memory for both. For a state
// that nothing else holds:
//
//   1. the condition passes on its buffer itself;
//   2. the body writes into it where every element is read, for the last time, by
//      the op that writes it, or all of them before;
//   3. else into a second buffer, made before the loop: the two take turns, by a
//      bit that says whose turn it is.
//
// Sizes may be unknown if each trip's are those of the trip before.
//
// Small buffers of an iteration alone are made before the loop, for all of them.
// What the loop begins with becomes a buffer of its own by a copy, unless it is
// one.
//
//===----------------------------------------------------------------------===//

#include "BufferUses.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_KEEPLOOPSTATE
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Buffers of up to this many bytes may stay while others come and go.
static constexpr int64_t kSmallBytes = int64_t(1) << 16;

namespace {
/// A state that the body makes anew.
struct State {
  /// Its place among the operands, and among the results.
  unsigned operand, result;
  /// What the condition passes on, and what the body makes.
  memref::AllocOp passed, made;
  memref::CopyOp copy;
  bool isInPlace = false;
  /// The op that reads and writes each element.
  linalg::GenericOp inPlace;
};
} // namespace

/// The op of a block that an op is, or is in; null if none exists.
static Operation *inBlock(Block &block, OpOperand &use) {
  return block.findAncestorOpInBlock(*use.getOwner());
}

static bool onlyReads(OpOperand &use) {
  if (isa<memref::LoadOp, memref::DimOp>(use.getOwner()))
    return true;
  NestRef nest = getNest(OpSignature(use.getOwner()));
  return nest->hasLoops() &&
         !llvm::is_contained(nest->getDestinations(), use.getOperandNumber());
}

/// Whether nothing holds the buffer when the block ends: it is accessed only,
/// or lent to a call that returns no buffer and has none to put it in. That may
/// be read until then, as by what sends a message.
static bool isLentAtMost(OpOperand &use) {
  auto call = dyn_cast<func::CallOp>(use.getOwner());
  if (!call)
    return onlyAccesses(use);
  return llvm::all_of(call.getResultTypes(),
                      llvm::IsaPred<IndexType, IntegerType, FloatType>) &&
         llvm::none_of(call.getOperandTypes(), [](Type type) {
           auto buffer = dyn_cast<BaseMemRefType>(type);
           return buffer && isa<BaseMemRefType>(buffer.getElementType());
         });
}

/// Whether a buffer of the next trip has the sizes of this trip's, so that
/// those of all trips have the first one's.
static bool keepsSizes(memref::AllocOp made, Value old) {
  auto size = made.getDynamicSizes().begin();
  for (int64_t i = 0, rank = made.getType().getRank(); i < rank; ++i) {
    if (!made.getType().isDynamicDim(i))
      continue;
    auto dim = (*size++).getDefiningOp<memref::DimOp>();
    if (!dim || dim.getSource() != old || dim.getConstantIndex() != i)
      return false;
  }
  return true;
}

/// A buffer of the sizes of another one, with its elements where that is wanted.
static Value makeLike(OpBuilder &b, Location loc, Value like,
                      IntegerAttr alignment, bool isCopied) {
  auto type = cast<MemRefType>(like.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(b, loc, like, i));
  Value made = memref::AllocOp::create(b, loc, type, sizes, alignment);
  if (isCopied)
    memref::CopyOp::create(b, loc, like, made);
  return made;
}

/// The state that result `i` is, if it is one.
static std::optional<State> findState(scf::WhileOp loop, unsigned i) {
  auto passed =
      loop.getConditionOp().getArgs()[i].getDefiningOp<memref::AllocOp>();
  if (!passed || !passed.getType().getLayout().isIdentity() ||
      passed->getBlock() != loop.getBeforeBody())
    return std::nullopt;
  State state{};
  state.result = i;
  state.passed = passed;
  for (OpOperand &use : passed->getUses()) {
    auto copy = dyn_cast<memref::CopyOp>(use.getOwner());
    if (copy && copy.getTarget() == passed && !state.copy &&
        copy->getBlock() == loop.getBeforeBody())
      state.copy = copy;
    else if (use.getOwner() != loop.getConditionOp() ||
             use.getOperandNumber() != i + 1)
      return std::nullopt;
  }
  auto from = state.copy ? dyn_cast<BlockArgument>(state.copy.getSource())
                         : BlockArgument();
  if (!from || from.getOwner() != loop.getBeforeBody() ||
      from.getType() != passed.getType())
    return std::nullopt;
  state.operand = from.getArgNumber();
  // The condition only reads it.
  if (!allUses(from, onlyReads))
    return std::nullopt;
  // The body reads the old one, and gives back the new one.
  Block &body = *loop.getAfterBody();
  scf::YieldOp yield = loop.getYieldOp();
  state.made = yield.getOperand(state.operand).getDefiningOp<memref::AllocOp>();
  if (!state.made || state.made->getBlock() != &body ||
      state.made.getType() != passed.getType() ||
      !keepsSizes(state.made, loop.getAfterArguments()[i]) ||
      !allUses(state.made,
               [&](OpOperand &use) {
                 return isLentAtMost(use) ||
                        (use.getOwner() == yield.getOperation() &&
                         use.getOperandNumber() == state.operand &&
                         use.get() == state.made.getResult());
               }) ||
      !allUses(loop.getAfterArguments()[i], isLentAtMost))
    return std::nullopt;
  return state;
}

/// Step 2: whether the old elements are dead where new ones are written.
static void findInPlace(scf::WhileOp loop, State &state) {
  Block &body = *loop.getAfterBody();
  BlockArgument old = loop.getAfterArguments()[state.result];
  Operation *yield = loop.getYieldOp(), *first = yield, *last = nullptr;
  bool isAlone = true;
  allUses(state.made, [&](OpOperand &use) {
    Operation *op = inBlock(body, use);
    isAlone &= op == yield || first == yield || op == first;
    if (op->isBeforeInBlock(first))
      first = op;
    return true;
  });
  allUses(old, [&](OpOperand &use) {
    Operation *op = inBlock(body, use);
    // Sizes stay.
    if (isa<memref::DimOp>(use.getOwner()))
      return true;
    if (!last || last->isBeforeInBlock(op))
      last = op;
    return true;
  });
  // What is lent may be read until the end.
  if (!allUses(old, onlyAccesses))
    return;
  state.isInPlace = !last || last->isBeforeInBlock(first);
  auto op = dyn_cast<linalg::GenericOp>(first);
  if (state.isInPlace || !op || op.getNumDpsInits() != 1 ||
      op.getDpsInits()[0] != state.made.getResult())
    return;
  NestRef nest = getNest(OpSignature(op));
  if (!nest->hasLoops() || !nest->isPermutation(nest->writes[0]) ||
      nest->findRead(nest->getDestinations()[0])->isRead)
    return;
  // Views are other places, and so is what its body loads.
  if (!allUses(old, [&](OpOperand &use) {
        if (use.getOwner() != op.getOperation())
          return inBlock(body, use) != op.getOperation();
        return use.get() == old &&
               nest->findRead(use.getOperandNumber())->index ==
                   nest->writes[0].index;
      }))
    return;
  if (last != first) {
    // After what reads the old one, if what it reads is the same there.
    llvm::SetVector<Value> read(op.getInputs().begin(), op.getInputs().end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    if (!isAlone || !allUses(old, onlyReads) ||
        !llvm::all_of(read, [&](Value input) {
          return input == old || !isa<MemRefType>(input.getType());
        }))
      return;
    op->moveBefore(yield);
  }
  state.isInPlace = true;
  state.inPlace = op;
}

/// The same op, which reads `buffer` as what it writes into.
static void writeInPlace(linalg::GenericOp op, Value buffer) {
  OpBuilder b(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  Block &body = *op.getBody();
  BlockArgument out = body.getArguments().back();
  BitVector gone(body.getNumArguments());
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (input->get() == buffer) {
      body.getArgument(input->getOperandNumber()).replaceAllUsesWith(out);
      gone.set(input->getOperandNumber());
      continue;
    }
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  body.eraseArguments(gone);
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  auto made = linalg::GenericOp::create(b, op.getLoc(), inputs, buffer, maps,
                                        op.getIteratorTypesArray());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  made.getRegion().takeBody(op.getRegion());
  op->erase();
}

/// A buffer that only the loop holds, with the elements of an operand.
static Value makeOwn(scf::WhileOp loop, OpOperand &operand) {
  auto alloc = operand.get().getDefiningOp<memref::AllocOp>();
  if (alloc && alloc->getBlock() == loop->getBlock() &&
      allUses(alloc, [&](OpOperand &use) {
        Operation *op = inBlock(*loop->getBlock(), use);
        return &use == &operand ||
               (onlyAccesses(use) && op && op->isBeforeInBlock(loop));
      }))
    return alloc;
  OpBuilder b(loop);
  return makeLike(b, loop.getLoc(), operand.get(), /*alignment=*/{},
                  /*isCopied=*/true);
}

static void keepState(scf::WhileOp loop) {
  SmallVector<State> states;
  llvm::SmallDenseSet<unsigned> operands;
  for (unsigned i = 0, n = loop.getConditionOp().getArgs().size(); i < n; ++i)
    if (auto state = findState(loop, i);
        state && operands.insert(state->operand).second)
      states.push_back(*state);
  if (states.empty())
    return;
  for (State &state : states)
    findInPlace(loop, state);
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  Location loc = loop.getLoc();
  OpBuilder b(loop);
  SmallVector<Value> inits(loop.getInits()),
      passed(loop.getConditionOp().getArgs()),
      yielded(loop.getYieldOp().getOperands());
  SmallVector<Type> types(loop.getResultTypes());
  Value turnBefore, turnAfter;
  if (!llvm::all_of(states, [](State &state) { return state.isInPlace; })) {
    Type i1 = b.getI1Type();
    inits.push_back(arith::ConstantOp::create(b, loc, b.getBoolAttr(false)));
    turnBefore = before.addArgument(i1, loc);
    turnAfter = after.addArgument(i1, loc);
    passed.push_back(turnBefore);
    types.push_back(i1);
    b.setInsertionPoint(loop.getYieldOp());
    Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    yielded.push_back(arith::XOrIOp::create(b, loc, turnAfter, one));
  }
  // What takes the places of results, by the turn where there is one.
  SmallVector<std::pair<Value, Value>> buffers(loop.getNumResults());
  BitVector goneOperands(inits.size()), goneResults(types.size());
  for (State &state : states) {
    goneOperands.set(state.operand);
    goneResults.set(state.result);
    Value own = makeOwn(loop, loop->getOpOperand(state.operand));
    Value old = after.getArgument(state.result), next = own, other;
    auto choose = [&](Block &block, Value turn, Value first, Value second) {
      b.setInsertionPointToStart(&block);
      return arith::SelectOp::create(b, loc, turn, second, first).getResult();
    };
    Value read = own, tested = own;
    if (!state.isInPlace) {
      b.setInsertionPoint(loop);
      other = makeLike(b, loc, own, state.made.getAlignmentAttr(),
                       /*isCopied=*/false);
      tested = choose(before, turnBefore, own, other);
      read = choose(after, turnAfter, own, other);
      next = choose(after, turnAfter, other, own);
    } else if (state.inPlace) {
      writeInPlace(state.inPlace, old);
    }
    buffers[state.result] = {own, other};
    state.copy->erase();
    old.replaceAllUsesWith(read);
    before.getArgument(state.operand).replaceAllUsesWith(tested);
    state.made.getResult().replaceAllUsesWith(next);
    state.made->erase();
  }
  auto keep = [](auto &values, const BitVector &gone) {
    unsigned i = 0;
    llvm::erase_if(values, [&](const auto &) { return gone.test(i++); });
  };
  goneOperands.resize(inits.size());
  keep(inits, goneOperands);
  keep(yielded, goneOperands);
  keep(passed, goneResults);
  keep(types, goneResults);
  loop.getConditionOp().getArgsMutable().assign(passed);
  loop.getYieldOp()->setOperands(yielded);
  before.eraseArguments(goneOperands);
  after.eraseArguments(goneResults);
  for (State &state : states)
    state.passed->erase();
  b.setInsertionPoint(loop);
  auto copy = scf::WhileOp::create(b, loc, types, inits);
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  copy.getBefore().takeBody(loop.getBefore());
  copy.getAfter().takeBody(loop.getAfter());
  unsigned next = 0;
  for (auto [result, places] : llvm::zip(loop.getResults(), buffers)) {
    auto [own, other] = places;
    Value value = !own     ? copy.getResult(next++)
                  : !other ? own
                           : arith::SelectOp::create(
                                 b, loc, copy->getResults().back(), other, own);
    result.replaceAllUsesWith(value);
  }
  loop->erase();
}

/// Takes small buffers that nothing outside of an iteration holds out of a loop.
static void hoistBuffers(Operation *loop) {
  for (Region &region : loop->getRegions())
    for (Block &block : region)
      for (auto alloc :
           llvm::make_early_inc_range(block.getOps<memref::AllocOp>())) {
        MemRefType type = alloc.getType();
        if (type.hasStaticShape() &&
            type.getElementType().isIntOrIndexOrFloat() &&
            type.getNumElements() <= kSmallBytes / 8 &&
            allUses(alloc, [&](OpOperand &use) {
              return isLentAtMost(use) && inBlock(block, use);
            }))
          alloc->moveBefore(loop);
      }
}

namespace {
struct KeepLoopStatePass
    : public tensoraccess::impl::KeepLoopStateBase<KeepLoopStatePass> {
  void runOnOperation() override {
    SmallVector<Operation *> loops;
    // Inner ones first.
    getOperation()->walk([&](Operation *op) {
      if (isa<scf::WhileOp, scf::ForOp>(op))
        loops.push_back(op);
    });
    for (Operation *op : loops) {
      hoistBuffers(op);
      if (auto loop = dyn_cast<scf::WhileOp>(op))
        keepState(loop);
    }
  }
};
} // namespace

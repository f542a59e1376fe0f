//===- ShardExchange.cpp - What ranks need, from where it is --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps 3 and 4 of Shard.cpp: the blocks that ranks need of a value, cut out of
// what they have or exchanged; and the sums of what a split reduction leaves on
// each rank, which arrives as a stack, one layer a rank of the group.
//
//===----------------------------------------------------------------------===//

#include "Sharder.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/Exchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

Value mlir::tensoraccess::emitEmpty(OpBuilder &b, Location loc,
                                    RankedTensorType type) {
  return tensor::EmptyOp::create(b, loc, type.getShape(),
                                 type.getElementType());
}

static Value emitInsert(OpBuilder &b, Location loc, Value part, Value dest,
                        const Box &box) {
  SmallVector<int64_t> ones(box.lo.size(), 1);
  MLIRContext *context = b.getContext();
  return tensor::InsertSliceOp::create(
      b, loc, part, dest, getAsIndexOpFoldResult(context, box.lo),
      getAsIndexOpFoldResult(context, getBoxSizes(box)),
      getAsIndexOpFoldResult(context, ones));
}

//===----------------------------------------------------------------------===//
// Values on ranks
//===----------------------------------------------------------------------===//

void Sharder::define(Value value, const Distribution &home, Blocks blocks) {
  Spread spread;
  spread.home = home;
  spread.boxes =
      home.getBoxes(grid, cast<RankedTensorType>(value.getType()).getShape());
  spread.blocks = std::move(blocks);
  spreads[value] = std::move(spread);
}

/// One rank's part of an exchange into `dest`: what it sends and receives, in
/// the coordinates of its blocks. `place` gives the place of a message in dest.
static Value emitExchange(RankProgram &program, Location loc,
                          const Exchange &exchange, const Box &own, Value block,
                          Value dest, int64_t tag,
                          function_ref<Box(const ExchangeMessage &)> getPlace) {
  SmallVector<Message> sends, receives;
  for (const ExchangeMessage &message : exchange.messages) {
    if (message.from == program.rank)
      sends.push_back({message.to, shiftBox(message.box, own.lo)});
    if (message.to == program.rank)
      receives.push_back({message.from, getPlace(message)});
  }
  if (sends.empty() && receives.empty())
    return dest;
  OpBuilder &b = program.builder;
  if (receives.empty()) {
    // Nothing is written; an empty tensor costs nothing.
    Type element = cast<RankedTensorType>(block.getType()).getElementType();
    Value none = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{0}, element);
    ExchangeOp::create(b, loc, block, none, tag, sends, receives);
    return dest;
  }
  return ExchangeOp::create(b, loc, block, dest, tag, sends, receives)
      .getResult();
}

Blocks Sharder::exchange(Spread &spread, const Exchange &exchange,
                         const std::vector<Box> &needed, Operation *at) {
  Location loc = at->getLoc();
  Blocks out;
  for (auto [i, program] : llvm::enumerate(programs)) {
    const Box &own = spread.boxes[program.rank];
    const Box &want = needed[program.rank];
    Value block = spread.blocks[i];
    OpBuilder &b = program.builder;
    RankedTensorType type = getBlockType(block.getType(), want);
    bool receives = false;
    for (const ExchangeMessage &message : exchange.messages)
      receives |= message.to == program.rank;
    Value dest;
    if (!receives) {
      // All of it is here, or none is needed.
      dest = !want.isEmpty() ? emitSlice(b, loc, block, shiftBox(want, own.lo))
                             : emitEmpty(b, loc, type);
    } else {
      dest = emitEmpty(b, loc, type);
      for (const ExchangeMessage &kept : exchange.kept)
        if (kept.to == program.rank)
          dest = emitInsert(
              b, loc, emitSlice(b, loc, block, shiftBox(kept.box, own.lo)),
              dest, shiftBox(kept.box, want.lo));
    }
    out.push_back(emitExchange(program, loc, exchange, own, block, dest, tag,
                               [&](const ExchangeMessage &message) {
                                 return shiftBox(message.box, want.lo);
                               }));
  }
  return out;
}

/// Counts an exchange that is made.
static void count(ShardReport &report, const Exchange &exchange) {
  ++report.exchanges;
  report.messages += exchange.messages.size();
  for (const ExchangeMessage &message : exchange.messages) {
    int64_t elements = 1;
    for (auto [lo, hi] : llvm::zip_equal(message.box.lo, message.box.hi))
      elements *= hi - lo;
    report.elements += elements;
  }
}

FailureOr<Blocks> Sharder::get(Value value, const std::vector<Box> &needed,
                               Operation *at) {
  Spread &spread = spreads.find(value)->second;
  if (!spread.free && spread.boxes == needed)
    return spread.blocks;
  for (const auto &[boxes, blocks] : spread.copies)
    if (boxes == needed)
      return blocks;
  Blocks blocks;
  if (spread.free) {
    for (RankProgram &program : programs)
      blocks.push_back(emitFreeBlock(program.builder, spread.free,
                                     needed[program.rank], program.scalars));
  } else if (!spread.home) {
    for (auto [i, program] : llvm::enumerate(programs)) {
      const Box &want = needed[program.rank];
      OpBuilder &b = program.builder;
      blocks.push_back(
          !want.isEmpty()
              ? emitSlice(b, at->getLoc(), spread.blocks[i],
                          shiftBox(want, spread.boxes[program.rank].lo))
              : emitEmpty(b, at->getLoc(),
                          getBlockType(value.getType(), want)));
    }
  } else {
    RankBoxes wanted;
    for (const Box &box : needed)
      wanted.emplace_back().push_back(box);
    std::string error;
    std::optional<Exchange> moves = getExchange(
        grid, *spread.home, cast<RankedTensorType>(value.getType()).getShape(),
        wanted, error);
    if (!moves)
      return at->emitOpError("needs blocks that can't be exchanged: ") << error;
    blocks = exchange(spread, *moves, needed, at);
    if (!moves->messages.empty()) {
      count(report, *moves);
      tag = (tag + 1) % (kMaxTag + 1);
    }
  }
  spreads.find(value)->second.copies.push_back({needed, blocks});
  return blocks;
}

FailureOr<Blocks> Sharder::getWhole(Value value, Operation *at) {
  if (isa<RankedTensorType>(value.getType()))
    return get(value, getWholeBoxes(value), at);
  Blocks blocks;
  for (RankProgram &program : programs)
    blocks.push_back(program.scalars.lookup(value));
  return blocks;
}

//===----------------------------------------------------------------------===//
// Split reductions
//===----------------------------------------------------------------------===//

/// A tensor filled with the combiner's neutral element.
static Value emitNeutral(OpBuilder &b, Location loc, Operation *combiner,
                         RankedTensorType type) {
  Value scalar =
      arith::ConstantOp::create(b, loc, *arith::getNeutralElement(combiner));
  return linalg::FillOp::create(b, loc, scalar, emitEmpty(b, loc, type))
      .getResult(0);
}

/// Reduces the outermost dimension of a stack, in order.
static Value emitReduction(OpBuilder &b, Location loc, Operation *combiner,
                           Value accumulator, Value stack) {
  auto type = cast<RankedTensorType>(stack.getType());
  const int64_t rank = type.getRank(), parts = type.getDimSize(0);
  // [n, …] as the tensor of a slice, and one slice of it without dimension 0.
  auto getSlices = [&](int64_t first, int64_t count, bool isDropped) -> Value {
    SmallVector<int64_t> offsets(rank, 0), sizes(type.getShape()),
        ones(rank, 1);
    offsets[0] = first;
    sizes[0] = count;
    auto sliceType = RankedTensorType::get(
        ArrayRef(sizes).drop_front(isDropped), type.getElementType());
    MLIRContext *context = b.getContext();
    return tensor::ExtractSliceOp::create(
        b, loc, sliceType, stack, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, sizes),
        getAsIndexOpFoldResult(context, ones));
  };
  Value init = getSlices(0, 1, /*isDropped=*/true);
  Value rest = getSlices(1, parts - 1, /*isDropped=*/false);
  AffineMap all = b.getMultiDimIdentityMap(rank);
  AffineMap inner = all.getMajorSubMap(rank).dropResult(0);
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds[0] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, loc, init.getType(), rest, init, ArrayRef{all, inner}, kinds,
             [&](OpBuilder &body, Location at, ValueRange arguments) {
               IRMapping mapping;
               for (Value operand : combiner->getOperands())
                 mapping.map(operand, operand == accumulator ? arguments[1]
                                                             : arguments[0]);
               Operation *made = body.clone(*combiner, mapping);
               linalg::YieldOp::create(body, at, made->getResults());
             })
      .getResult(0);
}

FailureOr<Blocks> Sharder::getInit(linalg::LinalgOp op, OpOperand &init,
                                   const std::vector<Box> &needed,
                                   const Distribution::Axes &partial) {
  Location loc = op->getLoc();
  // The region does not read it: any tensor will do.
  if (!isReadByBody(init)) {
    Blocks blocks;
    for (RankProgram &program : programs)
      blocks.push_back(
          emitEmpty(program.builder, loc,
                    getBlockType(init.get().getType(), needed[program.rank])));
    return blocks;
  }
  if (partial.empty())
    return get(init.get(), needed, op);
  std::string reason;
  OpResult result = op.getTiedOpResult(&init);
  Operation *combiner = findCombiner(result, reason);
  if (!combiner)
    return op->emitOpError("cannot be cut along a reduction: result ")
           << result.getResultNumber() << " " << reason;
  // Only the first rank of a group needs it.
  std::vector<Box> first = needed;
  SmallVector<bool> isFirst(needed.size());
  for (int64_t rank = 0; rank < static_cast<int64_t>(needed.size()); ++rank) {
    isFirst[rank] = grid.getPart(partial, grid.getCoordinates(rank)) == 0;
    if (!isFirst[rank])
      first[rank].hi = first[rank].lo;
  }
  FailureOr<Blocks> blocks = get(init.get(), first, op);
  if (failed(blocks))
    return failure();
  for (auto [i, program] : llvm::enumerate(programs))
    if (!isFirst[program.rank])
      (*blocks)[i] =
          emitNeutral(program.builder, loc, combiner,
                      getBlockType(init.get().getType(), needed[program.rank]));
  return blocks;
}

FailureOr<Blocks> Sharder::reduce(OpResult result, Spread &partial,
                                  const Distribution &home) {
  Operation *op = result.getOwner();
  Location loc = op->getLoc();
  std::string reason, error;
  Operation *combiner = findCombiner(result, reason);
  if (!combiner)
    return op->emitOpError("cannot be cut along a reduction: result ")
           << result.getResultNumber() << " " << reason;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  Value accumulator = linalgOp.getRegionOutputArgs()[result.getResultNumber()];
  ArrayRef<int64_t> extents =
      cast<RankedTensorType>(result.getType()).getShape();
  std::vector<Box> needed = home.getBoxes(grid, extents);
  std::optional<Exchange> moves = getExchange(
      grid, *partial.home, extents, getRankBoxes(grid, home, extents), error);
  if (!moves)
    return op->emitOpError("needs blocks that can't be exchanged: ") << error;
  const Distribution::Axes &axes = partial.home->partial;
  const int64_t parts = grid.getNumParts(axes);
  Blocks out;
  for (auto [i, program] : llvm::enumerate(programs)) {
    const Box &own = partial.boxes[program.rank];
    const Box &want = needed[program.rank];
    OpBuilder &b = program.builder;
    // Where summands of a rank go: the slice of its number in the group.
    auto getPlace = [&](const ExchangeMessage &message) {
      int64_t number = grid.getPart(axes, grid.getCoordinates(message.from));
      Box slice;
      slice.lo = {number};
      slice.hi = {number + 1};
      return productOfBoxes(slice, shiftBox(message.box, want.lo));
    };
    SmallVector<int64_t> sizes = getBoxSizes(want);
    sizes.insert(sizes.begin(), parts);
    auto type = cast<RankedTensorType>(result.getType());
    Value stack =
        emitEmpty(b, loc, RankedTensorType::get(sizes, type.getElementType()));
    for (const ExchangeMessage &kept : moves->kept)
      if (kept.to == program.rank && !kept.box.isEmpty())
        stack = emitInsert(
            b, loc,
            emitSlice(b, loc, partial.blocks[i], shiftBox(kept.box, own.lo)),
            stack, getPlace(kept));
    stack = emitExchange(program, loc, *moves, own, partial.blocks[i], stack,
                         tag, getPlace);
    out.push_back(!want.isEmpty()
                      ? emitReduction(b, loc, combiner, accumulator, stack)
                      : emitEmpty(b, loc, getBlockType(type, want)));
  }
  if (!moves->messages.empty()) {
    count(report, *moves);
    tag = (tag + 1) % (kMaxTag + 1);
  }
  return out;
}

//===- Stream.cpp - A function of a sequence, step by step ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With p elements made, the columns of a value at *shift* s are those at indices
// [p + s, p + s + step): of a sequence with k elements of padding in front, the
// columns that belong to the step's elements have shift k.
//
// 1. From the results backwards, an op makes the columns of its result from
//    columns of its operands, those of the step and a history, or from all of an
//    operand. Of what does not depend on the sequences, columns are slices.
// 2. Each value of which all is read is held against its contract.
// 3. @init makes histories, which belong to what comes before the sequence, as the
//    function does of zeros, and what loops begin with (StreamLoops.cpp).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cut/Stream.h"
#include "Places.h"
#include "Streamer.h"
#include "TensorAccess/Analysis/Contracts.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Cut/Blocks.h"
#include "TensorAccess/Cut/Narrow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool Streamer::depends(Value value) {
  auto [it, isNew] = dependent.try_emplace(value, false);
  if (!isNew)
    return it->second;
  bool is = getAxis(value).has_value();
  if (Operation *op = value.getDefiningOp()) {
    SetVector<Value> read(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    is = llvm::any_of(read, [&](Value own) { return depends(own); });
  }
  return dependent[value] = is;
}

std::optional<unsigned> Streamer::getAxis(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == &function.front())
    for (auto [number, dim] : axes)
      if (number == argument.getArgNumber())
        return dim;
  return std::nullopt;
}

LogicalResult Streamer::fail(Operation *op, const Twine &message) {
  if (!culprit) {
    culprit = op;
    reason = message.str();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

FailureOr<Value> Streamer::getColumns(Value value, unsigned dim, int64_t shift,
                                      Operation *reader) {
  auto key = std::make_tuple(value.getAsOpaquePointer(), dim, shift);
  auto it = columns.find(key);
  if (it != columns.end())
    return it->second ? FailureOr<Value>(it->second)
                      : FailureOr<Value>(failure());
  OpBuilder::InsertionGuard guard(builder);
  moveTo(value);
  FailureOr<Value> made = makeColumns(value, dim, shift, reader);
  columns[key] = succeeded(made) ? *made : Value();
  return made;
}

FailureOr<Value> Streamer::makeColumns(Value value, unsigned dim, int64_t shift,
                                       Operation *reader) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return fail(reader,
                "reads something that is not a tensor with a static shape");
  if (std::optional<unsigned> axis = getAxis(value)) {
    if (*axis != dim)
      return fail(reader, "does not go along the sequence");
    if (shift > 0)
      return fail(reader, "reads what is " + Twine(shift) + " ahead");
    return arguments.lookup(value);
  }
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && depends(value)) {
    if (shift == 0)
      askFor(argument, dim);
    return fail(reader, "does not go along the sequence");
  }
  // Columns behind the end are made of none that a result reads.
  if (shift < 0 || (shift + length > type.getDimSize(dim) && !depends(value)))
    return fail(reader, "reads less than the sequence");
  Operation *op = value.getDefiningOp();
  auto constant = dyn_cast_or_null<arith::ConstantOp>(op);
  if (op && isFree(op) &&
      (!constant || isa<SplatElementsAttr>(constant.getValue()))) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> scalar = getWhole(operand, op);
      if (failed(scalar))
        return failure();
      mapping.map(operand, *scalar);
    }
    Box box = getWholeBox(type.getShape());
    box.hi[dim] = step;
    return emitFreeBlock(builder, op, box, mapping);
  }
  // Of what does not work out, nothing is told where another way does.
  const auto saved = std::make_pair(culprit, reason);
  auto orElse = [&](FailureOr<Value> made, auto other) {
    if (succeeded(made))
      return made;
    made = other();
    if (succeeded(made))
      std::tie(culprit, reason) = saved;
    return made;
  };
  if (isa_and_nonnull<scf::ForOp, scf::WhileOp>(op) && isMemoryEffectFree(op) &&
      depends(value)) {
    if (shift != 0)
      return fail(reader, "reads what is " + Twine(shift) + " ahead");
    const bool isInner = isInScope(value);
    return orElse(isInner ? FailureOr<Value>(failure())
                          : cutLoop(cast<OpResult>(value), dim),
                  [&] { return cutAcross(cast<OpResult>(value), dim); });
  }
  if (op && isMemoryEffectFree(op) && (depends(value) || !isFree(op))) {
    FailureOr<Value> cut =
        orElse(cutOp(cast<OpResult>(value), dim, shift), [&] {
          return shift == 0 && depends(value) && !isInScope(value)
                     ? cutTree(cast<OpResult>(value), dim)
                     : FailureOr<Value>(failure());
        });
    if (succeeded(cut) || depends(value))
      return cut;
  }
  if (depends(value))
    return fail(op, "is not understood");
  FailureOr<Value> whole = getWhole(value, reader);
  if (failed(whole))
    return failure();
  Value first = position;
  if (shift != 0)
    first = arith::AddIOp::create(
        builder, value.getLoc(), position,
        arith::ConstantIndexOp::create(builder, value.getLoc(), shift));
  return emitMovingSlice(*whole, dim, first, step);
}

FailureOr<Value> Streamer::getSpan(Value value, unsigned dim, int64_t first,
                                   int64_t count, Operation *reader) {
  const int64_t older = count - step;
  OpBuilder::InsertionGuard guard(builder);
  moveTo(value);
  if (older != 0 && isInScope(value))
    return fail(reader, "reads columns of before in a loop");
  FailureOr<Value> now = getColumns(value, dim, first + older, reader);
  if (failed(now) || older == 0)
    return now;
  Location loc = value.getLoc();
  // Newest last: [history, columns].
  auto type = cast<RankedTensorType>(now->getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = older;
  Kept history;
  history.value = value;
  history.dim = dim;
  history.first = first;
  history.count = older;
  history.type = RankedTensorType::get(shape, type.getElementType());
  history.reader = reader;
  for (Kept &own : kept)
    if (own.value == value && own.dim == dim && own.first == history.first &&
        own.count == older)
      history.before = own.before;
  const bool isNew = !history.before;
  if (isNew)
    history.before = stepFunction.front().addArgument(history.type, loc);
  shape[dim] = count;
  Value all =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  all = emitInsert(history.before, all, dim, builder.getIndexAttr(0));
  all = emitInsert(*now, all, dim, builder.getIndexAttr(older));
  if (isNew) {
    Box last = getWholeBox(shape);
    last.lo[dim] = step;
    history.after = emitSlice(builder, loc, all, last);
    kept.push_back(history);
  }
  return all;
}

FailureOr<Value> Streamer::getWhole(Value value, Operation *reader) {
  auto it = wholes.find(value);
  if (it != wholes.end())
    return it->second ? FailureOr<Value>(it->second)
                      : FailureOr<Value>(failure());
  OpBuilder::InsertionGuard guard(builder);
  moveTo(value);
  FailureOr<Value> made = makeWhole(value, reader);
  wholes[value] = succeeded(made) ? *made : Value();
  return made;
}

/// Whether a value is made of fewer elements by moving them, which is not worth
/// keeping.
bool Streamer::comesFromLess(Value value) {
  auto getCount = [](Value of) {
    auto type = dyn_cast<RankedTensorType>(of.getType());
    return type && type.hasStaticShape() ? type.getNumElements() : 0;
  };
  Value at = value;
  while (Operation *op = at.getDefiningOp()) {
    if (readBlockOp(op).kind != BlockOpKind::Movement)
      break;
    auto from = llvm::make_filter_range(
        op->getOperands(), [&](Value operand) { return depends(operand); });
    if (!llvm::hasSingleElement(from))
      break;
    at = *from.begin();
    if (getCount(at) < getCount(value))
      return true;
  }
  return false;
}

FailureOr<Value> Streamer::makeWhole(Value value, Operation *reader) {
  Operation *op = value.getDefiningOp();
  const bool isFixed = !depends(value);
  if (!op && isFixed)
    return arguments.lookup(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (isFixed || comesFromLess(value)) {
    IRMapping mapping;
    SetVector<Value> read(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    for (Value own : read) {
      FailureOr<Value> whole = getWhole(own, op);
      if (failed(whole))
        return failure();
      mapping.map(own, *whole);
    }
    Operation *clone = builder.clone(*op, mapping);
    for (auto [old, own] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      if (old != value)
        wholes[old] = own;
    return clone->getResult(cast<OpResult>(value).getResultNumber());
  }
  if (!type || !type.hasStaticShape())
    return fail(reader,
                "reads something that is not a tensor with a static shape");
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    if (type.getDimSize(dim) != length || isInScope(value))
      continue;
    FailureOr<Value> now = getColumns(value, dim, 0, reader);
    if (failed(now))
      continue;
    Kept cache;
    cache.value = value;
    cache.dim = dim;
    cache.type = type;
    cache.reader = reader;
    cache.before = stepFunction.front().addArgument(type, value.getLoc());
    cache.after = emitInsert(*now, cache.before, dim, position);
    kept.push_back(cache);
    return cache.after;
  }
  return fail(reader, "reads all of the sequence");
}

FailureOr<Value> Streamer::cutOp(OpResult result, unsigned dim, int64_t shift) {
  Operation *op = result.getOwner();
  Location loc = op->getLoc();
  // Columns in front of what an op puts somewhere are a history of its result.
  auto behind = [&](int64_t low) -> FailureOr<Value> {
    FailureOr<Value> span = getSpan(result, dim, shift, low - shift + step, op);
    if (failed(span))
      return failure();
    Box first = getWholeBox(cast<RankedTensorType>(span->getType()).getShape());
    first.hi[dim] = step;
    return emitSlice(builder, loc, *span, first);
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    const int64_t low = pad.getStaticLow()[dim];
    if (ShapedType::isDynamicShape(pad.getStaticLow()) ||
        ShapedType::isDynamicShape(pad.getStaticHigh()) || low < 0)
      return fail(op, "is not understood");
    if (shift < low)
      return behind(low);
    FailureOr<Value> source = getColumns(pad.getSource(), dim, shift - low, op);
    if (failed(source))
      return failure();
    SmallVector<int64_t> lows(pad.getStaticLow()), highs(pad.getStaticHigh());
    lows[dim] = highs[dim] = 0;
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = step;
    IRMapping mapping;
    SetVector<Value> read;
    getUsedValuesDefinedAbove(op->getRegions(), read);
    for (Value own : read) {
      FailureOr<Value> whole = getWhole(own, op);
      if (failed(whole))
        return failure();
      mapping.map(own, *whole);
    }
    auto own = tensor::PadOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        *source, lows, highs, ValueRange(), ValueRange(), pad.getNofold());
    pad.getRegion().cloneInto(&own.getRegion(), mapping);
    return own.getResult();
  }
  // Places in other dimensions may be found when it is run.
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
      slice && ShapedType::isDynamicShape(slice.getStaticOffsets()))
    return cutMovingSlice(slice, dim, shift);
  BlockOp block = readBlockOp(op);
  if (block.kind == BlockOpKind::Opaque ||
      (isFree(op) && block.operands.empty()) || !isMadeByLoops(block))
    return fail(op, "is not understood");
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    // The later of two parts along the sequence is what goes on.
    const int64_t low = insert.getStaticOffset(dim),
                  size = insert.getStaticSize(dim);
    const bool isAll = low == 0 && size == getSize(result, dim) &&
                       insert.getStaticStride(dim) == 1;
    if (!isAll) {
      bool isOther =
          insert.getSourceType().getRank() != insert.getType().getRank() ||
          insert.getStaticStride(dim) != 1;
      for (unsigned d = 0; d < insert.getStaticSizes().size(); ++d)
        isOther |= d != dim && (insert.getStaticOffset(d) != 0 ||
                                insert.getStaticSize(d) != getSize(result, d));
      if (isOther)
        return fail(op, "is not understood");
      if (low + size <= shift)
        return getColumns(insert.getDest(), dim, shift, op);
      if (shift < low && !depends(insert.getDest()))
        return behind(low);
      if (shift < low ||
          low + size < std::min(shift + length, getSize(result, dim)))
        return fail(op, "joins parts of sequences");
      return getColumns(insert.getSource(), dim, shift - low, op);
    }
  }
  const BlockAccess &access = *block.results[result.getResultNumber()];
  std::optional<unsigned> loop = access.rows[dim].getDim();
  if (!loop || block.isReduction[*loop])
    return fail(op, "is not made along the sequence");
  Box run = getWholeBox(block.extents);
  run.hi[*loop] = step;
  SmallVector<Value> operands;
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    const unsigned o = operand.getOperandNumber();
    if (!isa<RankedTensorType>(operand.get().getType())) {
      FailureOr<Value> scalar = getWhole(operand.get(), op);
      if (failed(scalar))
        return failure();
      operands.push_back(*scalar);
      continue;
    }
    std::optional<unsigned> tied = block.getResultOf(o);
    const std::optional<BlockAccess> &own =
        tied ? block.results[*tied] : block.operands[o];
    Box read = getTouched(*own, block.extents, run);
    if (tied && !block.operands[o]) {
      operands.push_back(tensor::EmptyOp::create(
          builder, loc, getBoxSizes(read),
          cast<RankedTensorType>(operand.get().getType()).getElementType()));
      continue;
    }
    // The dimension in which it moves with the loop, one step each.
    std::optional<unsigned> moving;
    for (auto [d, row] : llvm::enumerate(own->rows)) {
      auto term = llvm::find_if(
          row.terms, [&](const auto &t) { return t.first == *loop; });
      if (term == row.terms.end())
        continue;
      // A digit of a merged dimension is one where those before it are single.
      if (!row.isSum || term->second != 1 || moving)
        return fail(op, "does not go along the sequence step by step");
      moving = d;
    }
    FailureOr<Value> part =
        moving ? getSpan(operand.get(), *moving, read.lo[*moving] + shift,
                         read.hi[*moving] - read.lo[*moving], op)
               : getWhole(operand.get(), op);
    if (failed(part))
      return failure();
    Box inside = read;
    if (moving) {
      inside.lo[*moving] = 0;
      inside.hi[*moving] = read.hi[*moving] - read.lo[*moving];
    }
    operands.push_back(emitSlice(builder, loc, *part, inside));
  }
  // Of what a body extracts at the index of the loop, columns are enough.
  SmallPtrSet<Value, 2> spans;
  for (const auto &[value, own] : block.captured) {
    std::optional<unsigned> along =
        depends(value) ? findExtracted(op, value, *loop) : std::nullopt;
    FailureOr<Value> part =
        along ? getSpan(value, *along, shift, step, op) : getWhole(value, op);
    if (failed(part))
      return failure();
    mapping.map(value, *part);
    if (along)
      spans.insert(*part);
  }
  SetVector<Value> read;
  getUsedValuesDefinedAbove(op->getRegions(), read);
  for (Value value : read)
    if (!mapping.contains(value)) {
      FailureOr<Value> whole = getWhole(value, op);
      if (failed(whole))
        return failure();
      mapping.map(value, *whole);
    }
  SmallVector<Value> made = emitBlock(builder, block, run, operands, mapping);
  // Indices of the loop count from where the columns begin.
  Operation *own = made.front().getDefiningOp();
  SmallVector<linalg::IndexOp> indices;
  if (own && isa<linalg::LinalgOp>(own))
    own->walk([&](linalg::IndexOp index) {
      if (index.getDim() == *loop)
        indices.push_back(index);
    });
  OpBuilder::InsertionGuard guard(builder);
  for (linalg::IndexOp index : indices) {
    builder.setInsertionPointAfter(index);
    Value first = arith::AddIOp::create(builder, loc, index, position);
    SmallPtrSet<Operation *, 2> kept = {first.getDefiningOp()};
    for (Operation *user : index->getUsers())
      if (auto extract = dyn_cast<tensor::ExtractOp>(user);
          extract && spans.contains(extract.getTensor()))
        kept.insert(user);
    if (shift != 0) {
      first = arith::AddIOp::create(
          builder, loc, first,
          arith::ConstantIndexOp::create(builder, loc, shift));
      kept.insert(first.getDefiningOp());
    }
    index.getResult().replaceAllUsesExcept(first, kept);
  }
  return made[result.getResultNumber()];
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether zeros may stand for the columns of a value that have not come yet.
LogicalResult Streamer::proveCaches() {
  for (const Kept &cache : kept) {
    if (!cache.isCache())
      continue;
    IRMapping mapping;
    OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
    func::FuncOp copy = function.clone(mapping);
    module->push_back(copy);
    Value value = mapping.lookup(cache.value);
    const unsigned number = copy.getNumArguments();
    (void)copy.insertArgument(number, cache.type, {}, value.getLoc());
    value.replaceAllUsesWith(copy.getArgument(number));
    IndexingCache indexing;
    ContractProver prover(copy, indexing);
    for (auto [i, dim] : llvm::enumerate(resultDims)) {
      if (!dim)
        continue;
      std::string text =
          ("causal(result " + Twine(i) + " dim " + Twine(*dim) + ", arg " +
           Twine(number) + " dim " + Twine(cache.dim) + ")")
              .str();
      std::string error;
      std::optional<Contract> contract = Contract::parse(text, copy, error);
      ContractAnswer answer;
      if (contract)
        answer = prover.prove(*contract);
      if (!answer.isProved)
        return fail(cache.reader,
                    "reads all of the sequence, and it is not proved that "
                    "what is to come does not matter");
    }
  }
  return success();
}

void Streamer::makeInit() {
  OpBuilder b(function);
  b.setInsertionPointAfter(function);
  Location loc = function.getLoc();
  IRMapping mapping;
  auto init = cast<func::FuncOp>(b.clone(*function, mapping));
  init.setName("init");
  Block &body = init.front();
  b.setInsertionPointToStart(&body);
  llvm::BitVector isGone(body.getNumArguments());
  for (auto [number, dim] : axes) {
    Value argument = body.getArgument(number);
    argument.replaceAllUsesWith(arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(argument.getType()))));
    isGone.set(number);
  }
  Operation *terminator = body.getTerminator();
  b.setInsertionPoint(terminator);
  SmallVector<Value> states;
  if (countType)
    states.push_back(arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(countType))));
  for (const Kept &own : kept) {
    if (own.initial) {
      states.push_back(mapping.lookup(own.initial));
      continue;
    }
    if (!own.first) {
      states.push_back(arith::ConstantOp::create(
          b, loc,
          own.begin ? own.begin : cast<TypedAttr>(b.getZeroAttr(own.type))));
      continue;
    }
    Value value = mapping.lookup(own.value);
    Box box = getWholeBox(cast<RankedTensorType>(value.getType()).getShape());
    box.lo[own.dim] = *own.first;
    box.hi[own.dim] = *own.first + own.count;
    states.push_back(emitSlice(b, loc, value, box));
  }
  terminator->setOperands(states);
  init.removeResAttrsAttr();
  init.setFunctionType(b.getFunctionType(init.getArgumentTypes(),
                                         ValueRange(states).getTypes()));
  (void)init.eraseArguments(isGone);
  narrowFunction(init, /*isExact=*/true);
}

/// Forgets states that the results need nothing of.
void Streamer::dropUnread(ArrayRef<Value> results) {
  SetVector<Value> read(results.begin(), results.end());
  for (size_t i = 0; i < read.size(); ++i) {
    for (const Kept &own : kept)
      if (own.before == read[i])
        read.insert(own.after);
    if (Operation *op = read[i].getDefiningOp()) {
      read.insert(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), read);
    }
  }
  llvm::erase_if(kept,
                 [&](const Kept &own) { return !read.contains(own.before); });
}

LogicalResult Streamer::run() {
  if (succeeded(make()))
    return success();
  if (stepFunction)
    stepFunction.erase();
  return mlir::emitError(culprit->getLoc())
         << "the function cannot be streamed: '" << culprit->getName() << "' "
         << reason;
}

LogicalResult Streamer::make() {
  for (auto [number, dim] : axes)
    length = getSize(function.getArgument(number), dim);
  OpBuilder b(function);
  b.setInsertionPointAfter(function);
  Location loc = function.getLoc();
  stepFunction =
      func::FuncOp::create(b, loc, "step", b.getFunctionType({}, {}));
  Block *body = stepFunction.addEntryBlock();
  builder.setInsertionPointToStart(body);
  // The states of values come between the first and the arguments.
  IntegerType integer =
      llvm::isInt<32>(length) ? b.getI32Type() : b.getI64Type();
  Value made = body->addArgument(RankedTensorType::get({}, integer), loc);
  Value number = tensor::ExtractOp::create(builder, loc, made, ValueRange());
  position = arith::IndexCastOp::create(builder, loc, b.getIndexType(), number);
  SmallVector<Value> own;
  for (Value argument : function.getArguments()) {
    Type type = argument.getType();
    if (std::optional<unsigned> dim = getAxis(argument)) {
      auto tensor = cast<RankedTensorType>(type);
      SmallVector<int64_t> shape(tensor.getShape());
      shape[*dim] = step;
      type = RankedTensorType::get(shape, tensor.getElementType());
    }
    own.push_back(body->addArgument(type, loc));
    arguments.map(argument, own.back());
  }
  SmallVector<Value> results;
  Operation *terminator = function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    resultDims.emplace_back();
    FailureOr<Value> part = failure();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!depends(value))
      part = getWhole(value, terminator);
    for (int64_t dim = 0; failed(part) && type && dim < type.getRank(); ++dim)
      if (type.getDimSize(dim) == length) {
        part = getColumns(value, dim, 0, terminator);
        resultDims.back() = dim;
      }
    if (failed(part)) {
      (void)fail(terminator, "returns result " + Twine(i) +
                                 ", which is not a sequence of length " +
                                 Twine(length));
      return failure();
    }
    results.push_back(*part);
  }
  dropUnread(results);
  if (failed(proveCaches()))
    return failure();
  SmallVector<Value> returned, order;
  for (const Kept &state : kept) {
    returned.push_back(state.after);
    order.push_back(state.before);
  }
  llvm::append_range(returned, results);
  llvm::append_range(order, own);
  auto end = func::ReturnOp::create(builder, loc, returned);
  stepFunction.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  // Where nothing asks for the number of elements, it is not kept.
  if (!made.use_empty()) {
    countType = cast<RankedTensorType>(made.getType());
    builder.setInsertionPoint(end);
    Value next = arith::AddIOp::create(
        builder, loc, number,
        arith::ConstantOp::create(builder, loc,
                                  builder.getIntegerAttr(integer, step)));
    next = tensor::FromElementsOp::create(builder, loc, countType, next);
    end->insertOperands(0, next);
    order.insert(order.begin(), made);
  }
  // In their order, without those of ways that led nowhere.
  const unsigned numOld = body->getNumArguments();
  llvm::BitVector isWritten(end->getNumOperands());
  for (Value argument : order) {
    auto state = llvm::find_if(
        kept, [&](const Kept &own) { return own.before == argument; });
    if (!inPlace || state == kept.end() || !state->isCache()) {
      argument.replaceAllUsesWith(body->addArgument(argument.getType(), loc));
      continue;
    }
    auto type = cast<RankedTensorType>(argument.getType());
    Value memory = body->addArgument(
        MemRefType::get(type.getShape(), type.getElementType()), loc);
    builder.setInsertionPointToStart(body);
    argument.replaceAllUsesWith(bufferization::ToTensorOp::create(
        builder, loc, type, memory, /*restrict=*/true, /*writable=*/true));
    builder.setInsertionPoint(end);
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, Type(), state->after, memory, /*restrict=*/true,
        /*writable=*/true);
    isWritten.set((countType ? 1 : 0) + (state - kept.begin()));
  }
  end->eraseOperands(isWritten);
  body->eraseArguments(0, numOld);
  stepFunction.setFunctionType(b.getFunctionType(
      body->getArgumentTypes(), body->getTerminator()->getOperandTypes()));
  makeInit();
  return success();
}

LogicalResult
mlir::tensoraccess::streamFunction(func::FuncOp function,
                                   ArrayRef<std::pair<unsigned, unsigned>> axes,
                                   int64_t step, bool inPlace) {
  return Streamer(function, axes, step, inPlace).run();
}

//===- ShardedProgram.cpp - What cuts of ops mean for every rank ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Backwards over the program: iterations of each op, from its cut or from
//      what is needed of its results; what it touches is needed of operands.
//   2. Forwards: what ranks own, what must be exchanged, and what all takes.
//   3. Memory: values live from their op to their last use.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/ShardedProgram.h"
#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/Exchange.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

Distribution
mlir::tensoraccess::getResultDistribution(const BlockOp &op, unsigned result,
                                          const Distribution &cut) {
  const BlockAccess &access = *op.results[result];
  Distribution out = Distribution::replicated(access.shape.size());
  std::optional<SmallVector<unsigned, 4>> dims = access.getDims();
  if (!dims)
    return out;
  for (auto [d, dim] : llvm::enumerate(*dims))
    out.dims[d] = cut.dims[dim];
  for (auto [d, axes] : llvm::enumerate(cut.dims))
    if (op.isReduction[d])
      llvm::append_range(out.partial, axes);
  return out;
}

/// The whole value, on every rank.
static FactoredBoxes getWhole(ArrayRef<int64_t> shape) {
  FactoredBoxes out;
  for (int64_t extent : shape) {
    FactoredDim &dim = out.dims.emplace_back();
    dim.intervals.emplace_back(0, extent);
  }
  return out;
}

static FactoredBoxes getNothing(ArrayRef<int64_t> shape) {
  FactoredBoxes out = getWhole(shape);
  for (FactoredDim &dim : out.dims)
    dim.intervals[0] = {0, 0};
  return out;
}

FailureOr<double>
mlir::tensoraccess::getBlockSeconds(const BlockOp &op, const Grid &grid,
                                    const FactoredBoxes &iterations,
                                    const CostModel &model) {
  FailureOr<BlockCost> cost = getOpCost(op, grid, iterations, model);
  if (failed(cost))
    return failure();
  return cost->seconds;
}

/// A box of those ranks only that are the first of a group on some axes; a
/// tensor without dimensions has no empty one.
static FactoredBoxes getFirst(const Grid &grid, FactoredBoxes boxes,
                              const Distribution::Axes &axes) {
  if (boxes.dims.empty() || grid.getNumParts(axes) == 1)
    return boxes;
  FactoredDim &dim = boxes.dims[0];
  const FactoredDim before = dim;
  for (unsigned axis : axes)
    if (!llvm::is_contained(dim.axes, axis))
      dim.axes.push_back(axis);
  dim.intervals.clear();
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  for (int64_t p = 0, n = grid.getNumParts(dim.axes); p != n; ++p) {
    grid.setCoordinates(dim.axes, p, at);
    dim.intervals.push_back(
        grid.getPart(axes, at) == 0
            ? before.intervals[grid.getPart(before.axes, at)]
            : std::pair<int64_t, int64_t>(0, 0));
  }
  return boxes;
}

FactoredBoxes mlir::tensoraccess::getOperandBoxes(
    const BlockOp &op, unsigned operand, const Grid &grid,
    const ShardDecision &decision, const FactoredBoxes &iterations,
    bool isExchanged) {
  std::optional<unsigned> result = op.getResultOf(operand);
  if (!result || decision.isNeeded)
    return getTouched(grid, *op.operands[operand], op.extents, iterations);
  // An init is what its result is, even without iterations.
  Distribution own = getResultDistribution(op, *result, decision.cut);
  FactoredBoxes boxes = getFactoredBoxes(grid, own, op.results[*result]->shape);
  return isExchanged ? getFirst(grid, std::move(boxes), own.partial) : boxes;
}

ReductionSteps
mlir::tensoraccess::getReductionSteps(const BlockOp &op, unsigned result,
                                      const Grid &grid,
                                      const ShardDecision &decision) {
  ReductionSteps out;
  out.partial = getResultDistribution(op, result, decision.cut);
  out.home = *decision.reduced;
  out.step =
      getSummingStep(grid, out.partial, out.home, op.results[result]->shape);
  return out;
}

uint64_t ShardedProgram::getMaxSent() const {
  return sentByRank.empty() ? 0 : *llvm::max_element(sentByRank);
}
uint64_t ShardedProgram::getMaxMessages() const {
  return messagesByRank.empty() ? 0 : *llvm::max_element(messagesByRank);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {
/// What ranks received of a value, as long as an op reads it.
struct Copy {
  Value value;
  FactoredBoxes boxes;
  uint64_t bytes = 0;
  Operation *first = nullptr, *last = nullptr;
};

class Sharder {
public:
  Sharder(FunctionOpInterface function, const ShardDecisions &decisions,
          const CostModel &model, ShardedProgram &out)
      : function(function), body(function.getFunctionBody().front()),
        decisions(decisions), model(model), out(out) {}

  LogicalResult run();

private:
  LogicalResult readOps();
  void findNeeds();
  void need(Value value, const FactoredBoxes &boxes);
  void setBoxes(ShardedOp &op);
  LogicalResult addCosts(ShardedOp &op);
  LogicalResult addReduction(ShardedOp &op, unsigned result);
  LogicalResult addResults();
  LogicalResult addReceived(ShardedOp &op, Value value, unsigned operand,
                            FactoredBoxes needed);
  LogicalResult addExchange(ShardedOp &op, ShardExchange exchange);
  void setArguments();
  void addMemory();

  FunctionOpInterface function;
  Block &body;
  const ShardDecisions &decisions;
  const CostModel &model;
  ShardedProgram &out;
  /// Of values that ranks hold as they need them.
  llvm::DenseMap<Value, FactoredBoxes> needs;
  std::vector<Copy> copies;
  llvm::DenseMap<Value, SmallVector<size_t, 2>> copiesOf;
  /// What sums take while an op is under way.
  llvm::DenseMap<Operation *, uint64_t> transient;
};
} // namespace

static bool isTensor(Value value) { return isa<ShapedType>(value.getType()); }

LogicalResult Sharder::readOps() {
  FailureOr<ShardHomes> homes = readShardHomes(function, out.grid);
  if (failed(homes))
    return failure();
  out.homes = std::move(*homes);
  for (Operation &op : body.without_terminator()) {
    if (llvm::none_of(op.getResults(), isTensor) &&
        llvm::none_of(op.getOperands(), isTensor))
      continue;
    FailureOr<BlockOp> block = getBlockOp(&op);
    if (failed(block))
      return failure();
    ShardedOp &sharded = out.ops[&op];
    sharded.block = std::move(*block);
    auto it = decisions.find(&op);
    if (it != decisions.end())
      sharded.decision = it->second;
    else
      sharded.decision.cut =
          Distribution::replicated(sharded.block.extents.size());
    auto check = [&]() -> LogicalResult {
      if (std::optional<std::string> problem =
              verifyDecision(sharded.block, out.grid, sharded.decision))
        return op.emitError(*problem);
      return success();
    };
    if (it != decisions.end() && failed(check()))
      return failure();
    // Sums have owners, whether given or not.
    ShardDecision &decision = sharded.decision;
    for (unsigned i = 0; i != sharded.block.results.size(); ++i) {
      if (decision.reduced || decision.isNeeded || !sharded.block.results[i])
        continue;
      Distribution own = getResultDistribution(sharded.block, i, decision.cut);
      if (!own.partial.empty())
        decision.reduced =
            getSummed(own, out.grid, sharded.block.results[i]->shape);
      if (decision.reduced && failed(check()))
        return failure();
    }
    // Made where it is read, whatever its attribute.
    if (sharded.block.kind == BlockOpKind::Free)
      sharded.decision.isNeeded = true;
  }
  return success();
}

void Sharder::need(Value value, const FactoredBoxes &boxes) {
  if (Operation *op = value.getDefiningOp()) {
    if (!out.ops.find(op)->second.decision.isNeeded)
      return;
  } else if (out.homes.arguments[cast<BlockArgument>(value).getArgNumber()]) {
    return;
  }
  auto [it, isNew] = needs.try_emplace(value, boxes);
  if (!isNew)
    it->second = getHull(out.grid, it->second, boxes);
}

/// What a rank runs of an op, and has of its results.
void Sharder::setBoxes(ShardedOp &op) {
  const BlockOp &block = op.block;
  if (op.decision.isNeeded) {
    Value result = block.op->getResult(0);
    const BlockAccess &access = *block.results[0];
    auto it = needs.find(result);
    FactoredBoxes boxes =
        it == needs.end() ? getNothing(access.shape) : it->second;
    SmallVector<unsigned, 4> dims = *access.getDims();
    op.iterations = getWhole(block.extents);
    for (auto [d, dim] : llvm::enumerate(dims))
      op.iterations.dims[dim] = boxes.dims[d];
    out.values[result] = {std::move(boxes), std::nullopt, access.shape,
                          access.elementBytes};
  } else {
    op.iterations = getFactoredBoxes(out.grid, op.decision.cut, block.extents);
    for (auto [i, access] : llvm::enumerate(block.results)) {
      if (!access)
        continue;
      Distribution own = op.decision.reduced
                             ? *op.decision.reduced
                             : getResultDistribution(block, i, op.decision.cut);
      FactoredBoxes boxes = getFactoredBoxes(out.grid, own, access->shape);
      out.values[block.op->getResult(i)] = {std::move(boxes), std::move(own),
                                            access->shape,
                                            access->elementBytes};
    }
  }
  for (auto [i, access] : llvm::enumerate(block.operands))
    if (access)
      need(block.op->getOperand(i),
           getOperandBoxes(block, i, out.grid, op.decision, op.iterations,
                           /*isExchanged=*/false));
  for (const auto &[value, access] : block.captured)
    need(value, getWhole(access.shape));
}

void Sharder::findNeeds() {
  for (OpOperand &result : body.getTerminator()->getOpOperands())
    if (auto type = dyn_cast<ShapedType>(result.get().getType())) {
      const auto &home = out.homes.results[result.getOperandNumber()];
      need(result.get(),
           home ? getFactoredBoxes(out.grid, *home, type.getShape())
                : getWhole(type.getShape()));
    }
  for (auto &[op, sharded] : llvm::reverse(out.ops))
    setBoxes(sharded);
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

LogicalResult Sharder::addExchange(ShardedOp &op, ShardExchange exchange) {
  ExchangeByRank byRank;
  std::optional<ExchangeCost> cost =
      getExchangeCost(out.grid, exchange.from, exchange.shape, exchange.needed,
                      exchange.elementBytes, *model.network, &byRank);
  std::optional<int64_t> sum =
      cost ? checkedAdd(static_cast<int64_t>(out.bytesSent),
                        static_cast<int64_t>(cost->bytes))
           : std::nullopt;
  if (!sum)
    return exchange.op->emitError("exchanges have more than 2^63 bytes: of a "
                                  "tensor of ")
           << exchange.value.getType() << " from "
           << exchange.from.str(out.grid) << " on " << out.grid.str();
  if (cost->messages == 0)
    return success();
  op.exchangeSeconds += cost->seconds;
  op.bytesSent += cost->bytes;
  out.bytesSent = *sum;
  out.messages += cost->messages;
  out.longestWay = std::max(out.longestWay, cost->longestWay);
  out.byteSteps += byRank.byteSteps;
  for (auto [rank, bytes] : llvm::enumerate(byRank.bytesOut)) {
    out.sentByRank[rank] += bytes;
    out.messagesByRank[rank] += byRank.messagesOut[rank];
  }
  exchange.cost = *cost;
  out.exchanges.push_back(std::move(exchange));
  return success();
}

/// What is needed of a distributed value, unless it came for another op.
LogicalResult Sharder::addReceived(ShardedOp &op, Value value, unsigned operand,
                                   FactoredBoxes needed) {
  const ShardedValue &source = out.values.find(value)->second;
  if (!source.distribution)
    return success();
  needed = getCanonical(out.grid, needed);
  for (size_t number : copiesOf[value])
    if (copies[number].boxes == needed) {
      copies[number].last = op.block.op;
      return success();
    }
  ShardExchange exchange;
  exchange.op = op.block.op;
  exchange.operand = operand;
  exchange.value = value;
  exchange.from = *source.distribution;
  exchange.needed = needed;
  exchange.shape = source.shape;
  exchange.elementBytes = source.elementBytes;
  const size_t before = out.exchanges.size();
  if (failed(addExchange(op, std::move(exchange))))
    return failure();
  if (out.exchanges.size() == before)
    return success();
  copiesOf[value].push_back(copies.size());
  const uint64_t bytes = getBytes(needed, source.elementBytes);
  copies.push_back({value, std::move(needed), bytes, op.block.op, op.block.op});
  return success();
}

/// Partial results are summed where they arrive, from a layer for each rank.
LogicalResult Sharder::addReduction(ShardedOp &op, unsigned result) {
  const BlockAccess &access = *op.block.results[result];
  ReductionSteps steps =
      getReductionSteps(op.block, result, out.grid, op.decision);
  ShardExchange exchange;
  exchange.op = op.block.op;
  exchange.result = result;
  exchange.value = op.block.op->getResult(result);
  exchange.from = steps.partial;
  exchange.needed = getFactoredBoxes(out.grid, steps.step, access.shape);
  exchange.shape = access.shape;
  exchange.elementBytes = access.elementBytes;
  transient[op.block.op] +=
      getBytes(getFactoredBoxes(out.grid, steps.partial, access.shape),
               access.elementBytes) +
      getBytes(exchange.needed, access.elementBytes) *
          static_cast<uint64_t>(out.grid.getNumParts(steps.partial.partial));
  if (failed(addExchange(op, exchange)))
    return failure();
  if (!steps.hasTwo())
    return success();
  exchange.from = steps.step;
  exchange.needed = getFactoredBoxes(out.grid, steps.home, access.shape);
  return addExchange(op, std::move(exchange));
}

LogicalResult Sharder::addCosts(ShardedOp &op) {
  const BlockOp &block = op.block;
  FailureOr<BlockCost> cost = getOpCost(block, out.grid, op.iterations, model);
  if (failed(cost))
    return failure();
  op.seconds = cost->seconds;
  out.joules += cost->joules * static_cast<double>(out.grid.getNumRanks());
  out.scratchBytes = std::max(out.scratchBytes, cost->scratchBytes);
  transient[block.op] += static_cast<uint64_t>(cost->scratchBytes);
  for (auto [i, access] : llvm::enumerate(block.operands)) {
    if (!access)
      continue;
    FactoredBoxes needed =
        getOperandBoxes(block, i, out.grid, op.decision, op.iterations,
                        /*isExchanged=*/true);
    if (failed(addReceived(op, block.op->getOperand(i), i, std::move(needed))))
      return failure();
  }
  for (auto [i, captured] : llvm::enumerate(block.captured))
    if (failed(addReceived(op, captured.first, block.operands.size() + i,
                           getWhole(captured.second.shape))))
      return failure();
  for (unsigned i = 0; i != block.results.size(); ++i)
    if (block.results[i] && op.decision.reduced && failed(addReduction(op, i)))
      return failure();
  out.computeSeconds += op.seconds;
  out.exchangeSeconds += op.exchangeSeconds;
  return success();
}

/// What the function's results must have that they lack.
LogicalResult Sharder::addResults() {
  ShardedOp end;
  end.block.op = body.getTerminator();
  for (OpOperand &result : end.block.op->getOpOperands()) {
    const auto &home = out.homes.results[result.getOperandNumber()];
    auto type = dyn_cast<RankedTensorType>(result.get().getType());
    if (type && home &&
        failed(addReceived(end, result.get(), result.getOperandNumber(),
                           getFactoredBoxes(out.grid, *home, type.getShape()))))
      return failure();
  }
  out.exchangeSeconds += end.exchangeSeconds;
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Sharder::addMemory() {
  llvm::DenseMap<Operation *, uint64_t> received, dropped;
  for (const Copy &copy : copies) {
    received[copy.first] += copy.bytes;
    dropped[copy.last] += copy.bytes;
  }
  llvm::DenseMap<Value, unsigned> usesLeft;
  uint64_t live = 0;
  for (const auto &[value, sharded] : out.values) {
    unsigned uses = 0;
    for (Operation *user : value.getUsers()) {
      user = body.findAncestorOpInBlock(*user);
      uses += out.ops.count(user) || user == body.getTerminator();
    }
    usesLeft[value] = uses;
    if (isa<BlockArgument>(value))
      live = llvm::SaturatingAdd<uint64_t>(
          live, getBytes(sharded.boxes, sharded.elementBytes));
  }
  uint64_t most = live;
  for (auto &[op, sharded] : out.ops) {
    live = llvm::SaturatingAdd(live, received.lookup(op));
    // Destinations are written by the op that follows.
    if (sharded.block.kind != BlockOpKind::Free)
      for (Value result : op->getResults())
        if (auto it = out.values.find(result); it != out.values.end())
          live = llvm::SaturatingAdd<uint64_t>(
              live, getBytes(it->second.boxes, it->second.elementBytes));
    sharded.bytesHeld = llvm::SaturatingAdd(live, transient.lookup(op));
    most = std::max(most, sharded.bytesHeld);
    live -= dropped.lookup(op);
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        auto it = out.values.find(operand);
        if (it == out.values.end() || --usesLeft[operand] != 0 ||
            isa<BlockArgument>(operand))
          continue;
        Operation *producer = operand.getDefiningOp();
        if (out.ops.find(producer)->second.block.kind != BlockOpKind::Free)
          live -= getBytes(it->second.boxes, it->second.elementBytes);
      }
    });
  }
  most = std::max(
      most, llvm::SaturatingAdd(live, received.lookup(body.getTerminator())));
  out.memoryPerRank = most;
}

/// What ranks have of arguments.
void Sharder::setArguments() {
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      continue;
    ShardedValue &value = out.values[argument];
    llvm::append_range(value.shape, type.getShape());
    value.distribution = out.homes.arguments[argument.getArgNumber()];
    auto it = needs.find(argument);
    value.boxes =
        value.distribution
            ? getFactoredBoxes(out.grid, *value.distribution, value.shape)
        : it == needs.end() ? getNothing(value.shape)
                            : it->second;
    Type element = type.getElementType();
    value.elementBytes =
        element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8;
  }
}

LogicalResult Sharder::run() {
  out.sentByRank.assign(out.grid.getNumRanks(), 0);
  out.messagesByRank = out.sentByRank;
  if (failed(readOps()))
    return failure();
  findNeeds();
  setArguments();
  for (auto &[op, sharded] : out.ops)
    if (failed(addCosts(sharded)))
      return failure();
  if (failed(addResults()))
    return failure();
  addMemory();
  out.seconds = out.computeSeconds + out.exchangeSeconds;
  out.joules += model.network->energy * out.byteSteps;
  return success();
}

FailureOr<ShardedProgram> mlir::tensoraccess::getShardedProgram(
    FunctionOpInterface function, const Grid &grid,
    const ShardDecisions &decisions, const CostModel &model) {
  if (!function.getFunctionBody().hasOneBlock())
    return function->emitError("shards need a function of one block");
  if (!model.network)
    return function->emitError("the costs of '")
           << model.machine << "' have no network";
  ShardedProgram out;
  out.grid = grid;
  if (failed(Sharder(function, decisions, model, out).run()))
    return failure();
  return out;
}

LogicalResult mlir::tensoraccess::verifyCover(FunctionOpInterface function,
                                              const ShardedProgram &program) {
  for (const auto &[value, sharded] : program.values) {
    if (!sharded.distribution)
      continue;
    std::string error;
    std::optional<ExactCover> cover = getExactCover(
        getWholeBox(sharded.shape),
        sharded.distribution->getParts(program.grid, sharded.shape), error);
    if (!cover || !cover->isExact())
      return emitError(value.getLoc())
             << "shards don't cover their tensor exactly: "
             << (cover ? cover->reason : error);
  }
  return success();
}

const CostModel &mlir::tensoraccess::getDefaultCostModel() {
  static const CostModel model = [] {
    ParseError error;
    return *CostModel::parse(
        "machine host\n"
        "op *: start = 2.0e-06, point = 2.5e-10, byte = 1.0e-10\n"
        "network mesh 1: latency = 5.0e-07, bandwidth = 1.0e+10, overhead = "
        "1.0e-06\n",
        error);
  }();
  return model;
}

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
#include "TensorAccess/Core/BoxOps.h"
#include "TensorAccess/Core/CheckedMath.h"

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

/// Everything, on every rank.
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

/// Bytes of a rank's box, at most.
static uint64_t getBytes(const FactoredBoxes &boxes, int64_t elementBytes) {
  uint64_t bytes = elementBytes;
  for (int64_t extent : getLongest(boxes))
    bytes *= extent;
  return bytes;
}

FailureOr<double>
mlir::tensoraccess::getBlockSeconds(const BlockOp &op, const Grid &grid,
                                    const FactoredBoxes &iterations,
                                    const CostModel &model) {
  if (op.kind == BlockOpKind::Free)
    return 0.0;
  BlockWork work;
  SmallVector<int64_t, 6> longest = getLongest(iterations);
  if (llvm::is_contained(longest, 0))
    return 0.0;
  if (op.kind == BlockOpKind::Compute)
    llvm::append_range(work.extents, longest);
  for (const std::optional<BlockAccess> &access : op.operands)
    if (access)
      work.bytesIn +=
          getBytes(getTouched(grid, *access, op.extents, iterations),
                   access->elementBytes);
  for (const std::optional<BlockAccess> &access : op.results)
    if (access)
      work.bytesOut +=
          getBytes(getTouched(grid, *access, op.extents, iterations),
                   access->elementBytes);
  std::string error;
  std::optional<BlockCost> cost =
      model.getCost(op.op->getName().getStringRef(), work, error);
  if (!cost)
    return op.op->emitError(error);
  return cost->seconds;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// None if a decision fits its op.
static std::optional<std::string> checkDecision(const BlockOp &op,
                                                const Grid &grid,
                                                const ShardDecision &decision) {
  if (decision.isNeeded) {
    if (op.kind == BlockOpKind::Opaque)
      return "this op is whole on every rank, not needed";
    if (op.results.size() != 1)
      return "an op that is needed must have one result, got " +
             std::to_string(op.results.size());
    return std::nullopt;
  }
  if (decision.cut.dims.size() != op.extents.size())
    return "the cut has " + std::to_string(decision.cut.dims.size()) +
           " dimensions, but the op iterates over " +
           std::to_string(op.extents.size());
  if (std::optional<std::string> problem = decision.cut.verify(grid))
    return problem;
  if (!decision.cut.partial.empty())
    return "a cut of iterations has no partial axes";
  bool isPartial = false;
  for (auto [d, axes] : llvm::enumerate(decision.cut.dims))
    if (!axes.empty() && op.isReduction[d]) {
      if (!op.canSplit)
        return "d" + std::to_string(d) +
               " is reduced over by more than one operation whose order is "
               "free";
      isPartial = true;
    }
  if (!isBoxOnBothSides(op, grid,
                        getFactoredBoxes(grid, decision.cut, op.extents)))
    return "the block of a rank is no box on both sides of the reshape";
  if (isPartial != decision.reduced.has_value())
    return isPartial ? "a reduction is cut, but it is not said how its result "
                       "is distributed"
                     : "no reduction is cut that could be reduced";
  if (!decision.reduced)
    return std::nullopt;
  for (const std::optional<BlockAccess> &result : op.results)
    if (result && result->shape.size() != decision.reduced->dims.size())
      return "the reduced distribution has " +
             std::to_string(decision.reduced->dims.size()) +
             " dimensions, but the result has " +
             std::to_string(result->shape.size());
  if (!decision.reduced->partial.empty())
    return "a reduced distribution has no partial axes";
  return decision.reduced->verify(grid);
}

FailureOr<Grid> mlir::tensoraccess::readGrid(FunctionOpInterface function) {
  auto text = function->getAttrOfType<StringAttr>(kGridName);
  if (!text)
    return function->emitError("'") << kGridName << "' must say the grid";
  ParseError error;
  std::optional<Grid> grid = Grid::parse(text.getValue(), error);
  if (!grid)
    return function->emitError() << kGridName << ": " << error.message;
  return *grid;
}

/// Reads a distribution of an attribute.
static FailureOr<Distribution> readDistribution(Operation *op, StringRef name,
                                                Attribute attribute,
                                                const Grid &grid, size_t rank) {
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text)
    return op->emitError() << name << " must be a string, got " << attribute;
  ParseError error;
  std::optional<Distribution> read =
      Distribution::parse(text.getValue(), grid, rank, error);
  if (!read)
    return op->emitError() << name << ": " << error.message;
  return *read;
}

FailureOr<ShardDecisions>
mlir::tensoraccess::readShardDecisions(FunctionOpInterface function,
                                       const Grid &grid) {
  ShardDecisions out;
  for (Operation &op : function.getFunctionBody().front()) {
    Attribute cut = op.getAttr(kCutName);
    Attribute reduced = op.getAttr(kReducedName);
    if (!cut) {
      if (reduced)
        return op.emitError() << kReducedName << " needs " << kCutName;
      continue;
    }
    FailureOr<BlockOp> block = getBlockOp(&op);
    if (failed(block))
      return failure();
    ShardDecision &decision = out[&op];
    if (auto text = dyn_cast<StringAttr>(cut);
        text && text.getValue() == kNeededText) {
      decision.isNeeded = true;
    } else {
      FailureOr<Distribution> read =
          readDistribution(&op, kCutName, cut, grid, block->extents.size());
      if (failed(read))
        return failure();
      decision.cut = *read;
    }
    if (reduced) {
      size_t rank = 0;
      for (const std::optional<BlockAccess> &result : block->results)
        rank = result ? result->shape.size() : rank;
      FailureOr<Distribution> read =
          readDistribution(&op, kReducedName, reduced, grid, rank);
      if (failed(read))
        return failure();
      decision.reduced = *read;
    }
    if (std::optional<std::string> problem =
            checkDecision(*block, grid, decision))
      return op.emitError(*problem);
  }
  return out;
}

void mlir::tensoraccess::writeShardDecisions(FunctionOpInterface function,
                                             const ShardedProgram &program) {
  MLIRContext *context = function->getContext();
  const Grid &grid = program.grid;
  function->setAttr(kGridName, StringAttr::get(context, grid.str()));
  for (const auto &[op, sharded] : program.ops) {
    const ShardDecision &decision = sharded.decision;
    op->setAttr(kCutName,
                StringAttr::get(context, decision.isNeeded
                                             ? kNeededText.str()
                                             : decision.cut.str(grid)));
    if (decision.reduced)
      op->setAttr(kReducedName,
                  StringAttr::get(context, decision.reduced->str(grid)));
  }
  auto textOf = [&](Value value) -> Attribute {
    auto it = program.values.find(value);
    if (it == program.values.end())
      return {};
    return StringAttr::get(context, it->second.distribution
                                        ? it->second.distribution->str(grid)
                                        : kNeededText.str());
  };
  Block &body = function.getFunctionBody().front();
  for (BlockArgument argument : body.getArguments())
    if (Attribute text = textOf(argument))
      function.setArgAttr(argument.getArgNumber(), kDistributionName, text);
  for (OpOperand &result : body.getTerminator()->getOpOperands())
    if (Attribute text = textOf(result.get()))
      function.setResultAttr(result.getOperandNumber(), kDistributionName,
                             text);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {
class Sharder {
public:
  Sharder(FunctionOpInterface function, const ShardDecisions &decisions,
          const CostModel &model, ShardedProgram &out)
      : body(function.getFunctionBody().front()), decisions(decisions),
        model(model), out(out) {}

  LogicalResult run();

private:
  LogicalResult readOps();
  void findNeeds();
  void need(Value value, const FactoredBoxes &boxes);
  void setBoxes(ShardedOp &op);
  LogicalResult addCosts(ShardedOp &op);
  LogicalResult addExchange(ShardedOp &op, ShardExchange exchange);
  void addMemory();

  Block &body;
  const ShardDecisions &decisions;
  const CostModel &model;
  ShardedProgram &out;
  /// Of values that ranks hold as they need them.
  llvm::DenseMap<Value, FactoredBoxes> needs;
};
} // namespace

static bool isTensor(Value value) { return isa<ShapedType>(value.getType()); }

LogicalResult Sharder::readOps() {
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
    if (it != decisions.end()) {
      sharded.decision = it->second;
    } else {
      sharded.decision.isNeeded = sharded.block.kind == BlockOpKind::Free;
      sharded.decision.cut =
          Distribution::replicated(sharded.block.extents.size());
    }
    if (std::optional<std::string> problem =
            checkDecision(sharded.block, out.grid, sharded.decision))
      return op.emitError(*problem);
  }
  return success();
}

void Sharder::need(Value value, const FactoredBoxes &boxes) {
  Operation *op = value.getDefiningOp();
  if (op && !out.ops.find(op)->second.decision.isNeeded)
    return;
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
           getTouched(out.grid, *access, block.extents, op.iterations));
}

void Sharder::findNeeds() {
  for (Value result : body.getTerminator()->getOperands())
    if (auto type = dyn_cast<ShapedType>(result.getType()))
      need(result, getWhole(type.getShape()));
  for (auto &[op, sharded] : llvm::reverse(out.ops))
    setBoxes(sharded);
}

LogicalResult Sharder::addExchange(ShardedOp &op, ShardExchange exchange) {
  std::optional<ExchangeCost> cost =
      getExchangeCost(out.grid, exchange.from, exchange.shape, exchange.needed,
                      exchange.elementBytes, *model.network);
  if (!cost)
    return exchange.op->emitError("an exchange has more than 2^63 bytes");
  if (cost->messages == 0)
    return success();
  op.exchangeSeconds += cost->seconds;
  op.bytesSent += cost->bytes;
  out.bytesSent += cost->bytes;
  out.messages += cost->messages;
  exchange.cost = *cost;
  out.exchanges.push_back(std::move(exchange));
  return success();
}

LogicalResult Sharder::addCosts(ShardedOp &op) {
  const BlockOp &block = op.block;
  FailureOr<double> seconds =
      getBlockSeconds(block, out.grid, op.iterations, model);
  if (failed(seconds))
    return failure();
  op.seconds = *seconds;
  for (auto [i, access] : llvm::enumerate(block.operands)) {
    if (!access)
      continue;
    const ShardedValue &source =
        out.values.find(block.op->getOperand(i))->second;
    if (!source.distribution)
      continue;
    ShardExchange exchange;
    exchange.op = block.op;
    exchange.operand = i;
    exchange.from = *source.distribution;
    exchange.needed =
        getTouched(out.grid, *access, block.extents, op.iterations);
    exchange.shape = access->shape;
    exchange.elementBytes = access->elementBytes;
    if (failed(addExchange(op, std::move(exchange))))
      return failure();
  }
  for (auto [i, access] : llvm::enumerate(block.results)) {
    if (!access || !op.decision.reduced)
      continue;
    ShardExchange exchange;
    exchange.op = block.op;
    exchange.result = i;
    exchange.from = getResultDistribution(block, i, op.decision.cut);
    exchange.needed =
        getFactoredBoxes(out.grid, *op.decision.reduced, access->shape);
    exchange.shape = access->shape;
    exchange.elementBytes = access->elementBytes;
    if (failed(addExchange(op, std::move(exchange))))
      return failure();
  }
  out.computeSeconds += op.seconds;
  out.exchangeSeconds += op.exchangeSeconds;
  return success();
}

void Sharder::addMemory() {
  llvm::DenseMap<Operation *, uint64_t> received;
  for (const ShardExchange &exchange : out.exchanges)
    received[exchange.op] += getBytes(exchange.needed, exchange.elementBytes);
  llvm::DenseMap<Value, unsigned> usesLeft;
  uint64_t live = 0;
  for (const auto &[value, sharded] : out.values) {
    unsigned uses = 0;
    for (Operation *user : value.getUsers())
      uses += out.ops.count(user) || user->hasTrait<OpTrait::IsTerminator>();
    usesLeft[value] = uses;
    if (isa<BlockArgument>(value))
      live += getBytes(sharded.boxes, sharded.elementBytes);
  }
  uint64_t most = live;
  for (auto &[op, sharded] : out.ops) {
    // Destinations are written by the op that follows.
    if (sharded.block.kind != BlockOpKind::Free)
      for (Value result : op->getResults())
        if (auto it = out.values.find(result); it != out.values.end())
          live += getBytes(it->second.boxes, it->second.elementBytes);
    sharded.bytesHeld = live + received.lookup(op);
    most = std::max(most, sharded.bytesHeld);
    for (Value operand : op->getOperands()) {
      auto it = out.values.find(operand);
      if (it == out.values.end() || --usesLeft[operand] != 0 ||
          isa<BlockArgument>(operand))
        continue;
      Operation *producer = operand.getDefiningOp();
      if (out.ops.find(producer)->second.block.kind != BlockOpKind::Free)
        live -= getBytes(it->second.boxes, it->second.elementBytes);
    }
  }
  out.memoryPerRank = most;
}

LogicalResult Sharder::run() {
  if (failed(readOps()))
    return failure();
  findNeeds();
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      continue;
    auto it = needs.find(argument);
    ShardedValue &value = out.values[argument];
    llvm::append_range(value.shape, type.getShape());
    value.boxes = it == needs.end() ? getNothing(value.shape) : it->second;
    Type element = type.getElementType();
    value.elementBytes =
        element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8;
  }
  for (auto &[op, sharded] : out.ops)
    if (failed(addCosts(sharded)))
      return failure();
  addMemory();
  out.seconds = out.computeSeconds + out.exchangeSeconds;
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

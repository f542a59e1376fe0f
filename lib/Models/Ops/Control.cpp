//===- Control.cpp - What branches and loops read -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Models/Control.h"
#include "LoopClosure.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// The form of an op
//===----------------------------------------------------------------------===//

/// Whether it is that op of TOSA, whose header takes longer than all others here.
static bool isTosa(Operation *op, StringRef name) {
  StringRef whole = op->getName().getStringRef();
  return whole.consume_front("tosa.") && whole == name;
}

static Block *getBlock(Region &region) {
  return region.hasOneBlock() && !region.front().empty() ? &region.front()
                                                         : nullptr;
}

/// The blocks of which one runs, if the op is a branch.
static std::optional<SmallVector<Block *>> getBranches(Operation *op) {
  const bool isBranch =
      isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op) ||
      isTosa(op, "cond_if") || isHlo(op, "if") || isHlo(op, "case");
  if (!isBranch)
    return std::nullopt;
  SmallVector<Block *> blocks;
  for (Region &region : op->getRegions()) {
    if (region.empty() && op->getNumResults() == 0)
      continue;
    Block *block = getBlock(region);
    if (!block || block->back().getNumOperands() != op->getNumResults() ||
        block->getNumArguments() >
            (isTosa(op, "cond_if") ? op->getNumOperands() - 1 : 0))
      return std::nullopt;
    blocks.push_back(block);
  }
  return blocks;
}

static std::optional<int64_t> getNumber(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  Attribute attr;
  if (isHlo(op, "constant"))
    attr = op->getAttr("value");
  else if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  APInt number;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    number = integer.getValue();
  else if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr);
           dense && dense.isSplat())
    number = dense.getSplatValue<APInt>();
  else
    return std::nullopt;
  if (getElementTypeOrSelf(value.getType()).isUnsignedInteger())
    return number.isIntN(63) ? std::optional<int64_t>(number.getZExtValue())
                             : std::nullopt;
  return number.trySExtValue();
}

/// The number of trips from `first` in steps until `first < bound` fails, or,
/// for negative steps, `first > bound`.
static std::optional<int64_t> countTrips(int64_t first, int64_t bound,
                                         int64_t step) {
  if (step == 0 || step == INT64_MIN)
    return std::nullopt;
  auto distance =
      step > 0 ? checkedSub(bound, first) : checkedSub(first, bound);
  if (!distance)
    return std::nullopt;
  const int64_t size = std::abs(step);
  return *distance <= 0 ? 0 : (*distance - 1) / size + 1;
}

/// What the loop counts, where its condition compares a state that moves by a
/// constant with a number.
static void findCounter(Operation *op, Loop &loop) {
  auto getState = [&](Value value, Block *block) -> std::optional<unsigned> {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != block)
      return std::nullopt;
    return argument.getArgNumber();
  };
  Operation *compare = loop.condition->back().getOperand(0).getDefiningOp();
  if (!compare || compare->getNumOperands() != 2)
    return;
  StringRef direction;
  if (isHlo(compare, "compare"))
    direction = getHloKeyword(compare->getAttr("comparison_direction"));
  else if (isTosa(compare, "greater"))
    direction = "GT";
  else if (isTosa(compare, "greater_equal"))
    direction = "GE";
  Value left = compare->getOperand(0), right = compare->getOperand(1);
  auto state = getState(left, loop.condition);
  Operation &yield = loop.body->back();
  auto getBound = [&](Value value) -> std::optional<int64_t> {
    auto argument = getState(value, loop.condition);
    if (!argument)
      return getNumber(value);
    // State that stays what it was.
    if (getState(yield.getOperand(*argument), loop.body) != argument)
      return std::nullopt;
    return getNumber(op->getOperand(*argument));
  };
  std::optional<int64_t> bound = getBound(right);
  auto moves = [&](std::optional<unsigned> argument) {
    return argument &&
           getState(yield.getOperand(*argument), loop.body) != argument;
  };
  if (!moves(state) || !bound) {
    state = getState(right, loop.condition);
    bound = getBound(left);
    direction = llvm::StringSwitch<StringRef>(direction)
                    .Case("LT", "GT")
                    .Case("LE", "GE")
                    .Case("GT", "LT")
                    .Case("GE", "LE")
                    .Default(direction);
  }
  if (!moves(state) || !bound)
    return;
  Operation *move = yield.getOperand(*state).getDefiningOp();
  if (!move || move->getNumOperands() != 2)
    return;
  const bool isSum = isHlo(move, "add") || isTosa(move, "add");
  if (!isSum && !isHlo(move, "subtract") && !isTosa(move, "sub"))
    return;
  Value from = move->getOperand(0), by = move->getOperand(1);
  if (isSum && getState(from, loop.body) != state)
    std::swap(from, by);
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(from.getType()));
  auto shaped = dyn_cast<ShapedType>(from.getType());
  std::optional<int64_t> step = getNumber(by),
                         first = getNumber(op->getOperand(*state));
  if (getState(from, loop.body) != state || !step || !first || !type ||
      (shaped && (!shaped.hasStaticShape() || shaped.getNumElements() != 1)) ||
      type.getWidth() > 64 || *step == INT64_MIN)
    return;
  if (!isSum)
    step = -*step;
  if (direction == "LE" || direction == "GE") {
    bound = checkedAdd(*bound, direction == "LE" ? 1 : -1);
    direction = direction == "LE" ? "LT" : "GT";
  }
  if (!bound)
    return;
  std::optional<int64_t> trips;
  if (direction == "NE") {
    auto distance = checkedSub(*bound, *first);
    if (distance && *step != 0 && *distance % *step == 0 &&
        *distance / *step >= 0)
      trips = *distance / *step;
  } else if ((direction == "LT" && *step > 0) ||
             (direction == "GT" && *step < 0)) {
    trips = countTrips(*first, *bound, *step);
  }
  // No value on the way may wrap around.
  auto way = trips ? checkedMul(*trips, *step) : std::nullopt;
  auto last = way ? checkedAdd(*first, *way) : std::nullopt;
  const unsigned width = std::min(type.getWidth(), 63u);
  const bool isUnsigned = type.isUnsigned();
  const int64_t upper =
      width == 63 ? INT64_MAX
                  : (int64_t(1) << (isUnsigned ? width : width - 1)) - 1;
  const int64_t lower = isUnsigned    ? 0
                        : width == 63 ? INT64_MIN
                                      : -(int64_t(1) << (width - 1));
  if (!last || *last < lower || *last > upper || *first < lower ||
      *first > upper)
    return;
  loop.counter = Counter{*state, *first, *step};
  loop.trips = trips;
}

std::optional<Loop> tensoraccess::getLoop(Operation *op) {
  Loop loop;
  if (auto forOp = dyn_cast<scf::ForOp>(op)) {
    loop.body = forOp.getBody();
    loop.operand = 3;
    loop.argument = 1;
    loop.numStates = op->getNumResults();
    std::optional<int64_t> first = getNumber(forOp.getLowerBound()),
                           bound = getNumber(forOp.getUpperBound()),
                           step = getNumber(forOp.getStep());
    if (first && bound && step && *step > 0 && !forOp.getUnsignedCmp()) {
      loop.trips = countTrips(*first, *bound, *step);
      auto way = loop.trips ? checkedMul(*loop.trips, *step) : std::nullopt;
      if (!way || !checkedAdd(*first, *way))
        loop.trips = std::nullopt;
      else
        loop.counter = Counter{0, *first, *step};
    }
    return loop;
  }
  if (!isHlo(op, "while") && !isTosa(op, "while_loop"))
    return std::nullopt;
  if (op->getNumRegions() != 2)
    return std::nullopt;
  loop.condition = getBlock(op->getRegion(0));
  loop.body = getBlock(op->getRegion(1));
  loop.numStates = op->getNumResults();
  if (!loop.condition || !loop.body || op->getNumOperands() != loop.numStates ||
      loop.condition->back().getNumOperands() != 1 ||
      loop.condition->getNumArguments() != loop.numStates ||
      loop.body->getNumArguments() != loop.numStates ||
      loop.body->back().getNumOperands() != loop.numStates ||
      loop.body->getArgumentTypes() != op->getOperandTypes() ||
      loop.body->back().getOperandTypes() != op->getResultTypes() ||
      op->getOperandTypes() != op->getResultTypes())
    return std::nullopt;
  findCounter(op, loop);
  return loop;
}

std::optional<int64_t> tensoraccess::getTripCount(Operation *op) {
  std::optional<Loop> loop = getLoop(op);
  return loop ? loop->trips : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static RegionReads readRegion(Block &block, IndexingCache &cache) {
  FusionGroup group = FusionGroup::get(block);
  FusionOptions options;
  options.inputToOutput = false;
  RegionReads reads;
  reads.indexing = getFusionIndexing(cache, group, options).indexing;
  reads.operands.assign(group.getOperands().begin(), group.getOperands().end());
  return reads;
}

/// Both directions.
static std::pair<IndexingSet, IndexingSet> toSets(const Maps &maps,
                                                  MapPool &pool) {
  if (maps.isUnknown())
    return {IndexingSet::unknown(maps.reason),
            IndexingSet::unknown(maps.reason)};
  SmallVector<IndexingMap> down, up;
  for (MapPool::Id id : maps.ids) {
    down.push_back(pool[id]);
    up.push_back(pool[pool.invert(id)]);
  }
  return {IndexingSet::of(down), IndexingSet::of(up)};
}

static void setOperand(ControlIndexing &answer, unsigned r, unsigned o,
                       const Maps &maps, MapPool &pool) {
  auto [down, up] = toSets(maps, pool);
  answer.indexing.setOutputToInput(r, o, std::move(down));
  answer.indexing.setInputToOutput(o, r, std::move(up));
}

static void addCaptured(ControlIndexing &answer, unsigned r, Value value,
                        const Maps &maps, MapPool &pool) {
  if (maps.empty())
    return;
  auto [down, up] = toSets(maps, pool);
  answer.captured.push_back({value, r, std::move(down), std::move(up)});
}

/// Of the results; std::nullopt if one has no indices.
static std::optional<std::vector<Shape>> getShapes(Operation *op) {
  std::vector<Shape> shapes;
  for (Type type : op->getResultTypes()) {
    IndexingReason reason;
    auto shape = getIndexSpace(type, reason);
    if (!shape)
      return std::nullopt;
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

static ControlIndexing readBranches(Operation *op, ArrayRef<Block *> branches,
                                    ArrayRef<Shape> results,
                                    IndexingCache &cache) {
  Sets sets(cache);
  ControlIndexing answer;
  const unsigned numResults = op->getNumResults();
  answer.indexing = OpIndexing(numResults, op->getNumOperands());
  std::vector<RegionReads> reads;
  for (Block *branch : branches)
    reads.push_back(readRegion(*branch, cache));
  for (unsigned r = 0; r < numResults; ++r) {
    std::vector<Maps> operands(op->getNumOperands());
    llvm::MapVector<Value, Maps> captured;
    // What chooses.
    if (op->getNumOperands() > 0) {
      IndexingReason reason;
      if (auto shape = getIndexSpace(op->getOperand(0).getType(), reason))
        sets.add(operands[0], makeFull(getExtents(results[r]), *shape));
      else
        operands[0].reason = reason;
    }
    for (auto [branch, region] : llvm::zip_equal(branches, reads))
      for (auto [o, value] : llvm::enumerate(region.operands)) {
        auto argument = dyn_cast<BlockArgument>(value);
        Maps &target = argument && argument.getOwner() == branch
                           ? operands[1 + argument.getArgNumber()]
                           : captured[value];
        const IndexingSet &set = region.indexing.outputToInput(r, o);
        if (set.isUnknown() && !target.isUnknown())
          target = {{}, set.getReason()};
        for (const IndexingMap &map : set.getMaps())
          sets.add(target, map);
      }
    for (auto [o, maps] : llvm::enumerate(operands))
      setOperand(answer, r, o, maps, sets.pool);
    for (const auto &[value, maps] : captured)
      addCaptured(answer, r, value, maps, sets.pool);
  }
  return answer;
}

std::optional<ControlIndexing>
tensoraccess::getLoopIndexing(Operation *op, const Loop &loop,
                              const RegionReads &body, IndexingCache &cache) {
  std::optional<std::vector<Shape>> shapes = getShapes(op);
  if (!shapes)
    return std::nullopt;
  const unsigned n = loop.numStates;
  ControlIndexing answer;
  answer.indexing = OpIndexing(n, op->getNumOperands());
  LoopReader reader(loop, *shapes, cache);
  reader.run(body);
  std::optional<RegionReads> condition;
  if (loop.condition)
    condition = readRegion(*loop.condition, cache);
  Sets &sets = reader.sets;
  for (unsigned r = 0; r < n; ++r) {
    std::vector<Maps> initial(n);
    llvm::MapVector<Value, Maps> captured;
    // The state after the last trip.
    SmallVector<Interval> ranges = getExtents((*shapes)[r]);
    IndexingMapBuilder builder;
    SmallVector<Form> dims = builder.addDims(ranges);
    builder.addResult(loop.trips ? Form(*loop.trips)
                                 : builder.addSymbol(Interval::atLeast(0)));
    for (const Form &dim : dims)
      builder.addResult(dim);
    bool isExact = reader.follow(r, builder.build(), initial, captured);
    // What the condition reads, before any trip and after the last one.
    for (unsigned o = 0; condition && o < condition->operands.size(); ++o) {
      Value value = condition->operands[o];
      const IndexingSet &set = condition->indexing.outputToInput(0, o);
      auto argument = dyn_cast<BlockArgument>(value);
      const bool isState = argument && argument.getOwner() == loop.condition;
      if (set.isUnknown()) {
        Maps unknown = {{}, set.getReason()};
        sets.addAll(isState ? initial[argument.getArgNumber()]
                            : captured[value],
                    unknown);
        continue;
      }
      for (const IndexingMap &map : set.getMaps()) {
        IndexingMapBuilder builder;
        builder.addDims(ranges);
        Form time;
        if (isState)
          time = builder.addSymbol(
              {0, loop.trips ? *loop.trips : Interval::kNoUpper});
        SmallVector<Form> images;
        for (unsigned v = 0; v < map.getNumVariables(); ++v)
          images.push_back(v < map.getNumDims()
                               ? builder.addSymbol(map.getRanges()[v])
                               : builder.addVariable(map.getVariableKind(v),
                                                     map.getRanges()[v]));
        if (isState)
          builder.addResult(time);
        builder.addMap(map, images);
        IndexingMap from = builder.build().simplify();
        if (isState)
          isExact &=
              reader.follow(argument.getArgNumber(), from, initial, captured);
        else
          sets.add(captured[value], from);
      }
    }
    answer.isHull.push_back(!isExact);
    // Where a for begins and ends decides, too.
    for (unsigned o = 0; o < loop.operand; ++o) {
      Maps maps;
      sets.add(maps, makeFull(ranges, {}));
      setOperand(answer, r, o, maps, sets.pool);
    }
    for (auto [q, maps] : llvm::enumerate(initial))
      setOperand(answer, r, loop.operand + q, maps, sets.pool);
    for (const auto &[value, maps] : captured)
      addCaptured(answer, r, value, maps, sets.pool);
  }
  return answer;
}

std::optional<ControlIndexing>
tensoraccess::getControlIndexing(Operation *op, IndexingCache &cache) {
  if (op->getNumRegions() == 0)
    return std::nullopt;
  if (auto branches = getBranches(op)) {
    std::optional<std::vector<Shape>> shapes = getShapes(op);
    return shapes ? std::optional(readBranches(op, *branches, *shapes, cache))
                  : std::nullopt;
  }
  std::optional<Loop> loop = getLoop(op);
  if (!loop)
    return std::nullopt;
  if (loop->counter)
    cache.setCounter(loop->body->getArgument(loop->counter->argument),
                     loop->getCounterRange());
  return getLoopIndexing(op, *loop, readRegion(*loop->body, cache), cache);
}

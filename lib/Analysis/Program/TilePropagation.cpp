//===- TilePropagation.cpp - A tile through a whole function --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The source value starts with the identity map of its shape, and with the
//      box that is the tile.
//   2. The ops are visited once, last first (output to input) or first first.
//      The ways to a value are complete when its op is reached. Their maps are
//      composed with the op's maps and simplified, as long as that stays small;
//      their boxes go through the op's maps.
//   3. A way whose box lies in an exact box of another one adds nothing. More
//      than kMaxTileWays become one hull.
//   4. Each composed map gets its symbolic tile. Where it has none, or one that
//      is long, the box takes its place.
//
// A runtime variable whose source depends on the source's indices (a gather)
// has one value only where these indices have: the tile is for size 1 there.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/TilePropagation.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Larger maps are given up; the boxes remain.
constexpr unsigned kMaxVariables = 24, kMaxConstraints = 12;
/// Texts of symbolic tiles: of any, and where the box is exact.
constexpr size_t kMaxText = 2500, kMaxTextBesideBox = 600;

struct Way {
  /// Unknown if it became too large.
  DetailedMap entry;
  std::optional<TileBox> box;
  Operation *hullAt = nullptr;

  bool hasMap() const { return !entry.map.isUnknown(); }
  /// Whether the other way reads nothing that this one does not read, too.
  bool includes(const Way &other) const {
    return box && other.box && (box->isExact() || !hasMap()) &&
           box->covers(*other.box);
  }
};

/// The ways from the source to one value.
struct Ways {
  SmallVector<Way, 1> list;
  IndexingReason reason = IndexingReason::None;

  void setUnknown(IndexingReason why) {
    reason = why;
    list.clear();
  }
  void insert(Way way);
  void insert(const Ways &other);
  bool empty() const { return list.empty() && reason == IndexingReason::None; }
};

class Propagation {
public:
  Propagation(ArrayRef<int64_t> strides, IndexingCache &cache,
              const IndexingBudget &budget, bool isSymbolic)
      : strides(strides), cache(cache), budget(budget), isSymbolic(isSymbolic) {
  }

  void visit(Operation *op, bool toInput);
  ValueTiles describe(unsigned number, Value value, const Ways &ways) const;

  DenseMap<Value, Ways> ways;
  TilePropagation result;

private:
  PropagatedTile getTile(const Way &way) const;
  /// The tile of a composed map, for all sources.
  void getMapTile(const DetailedMap &entry, PropagatedTile &out) const;
  void add(Ways &to, const Ways &from, const IndexingSet &set,
           Operation *op) const;
  std::optional<TileBox> getBox(const TileBox &box,
                                const IndexingMap &map) const;
  /// What the op's regions read besides its operands.
  ArrayRef<CapturedRead> getCaptured(Operation *op) const {
    if (op->getNumRegions() == 0)
      return {};
    return cache.getCaptured(op);
  }

  ArrayRef<int64_t> strides;
  IndexingCache &cache;
  const IndexingBudget &budget;
  bool isSymbolic;
};

} // namespace

std::string PropagatedTile::getHullReason() const {
  if (!box || box->isExact())
    return {};
  std::string text = box->getReason().str();
  if (hullAt)
    text = hullAt->getName().getStringRef().str() + ": " + text;
  return text;
}

void Ways::insert(Way way) {
  if (reason != IndexingReason::None)
    return;
  if (!way.hasMap() && !way.box)
    return setUnknown(fromUnknownReason(way.entry.map.getUnknownReason()));
  for (const Way &other : list)
    if (other.includes(way) ||
        (way.hasMap() && other.entry.map == way.entry.map &&
         equalDetails(other.entry.details, way.entry.details)))
      return;
  llvm::erase_if(list, [&](const Way &other) { return way.includes(other); });
  list.push_back(std::move(way));
  if (list.size() <= kMaxTileWays)
    return;
  Way all;
  all.entry.map = IndexingMap::unknown(UnknownReason::TooLarge);
  for (const Way &other : list) {
    if (!other.box)
      return setUnknown(IndexingReason::Budget);
    all.box = all.box ? all.box->hull(*other.box) : *other.box;
    if (!all.hullAt)
      all.hullAt = other.hullAt;
  }
  list.assign(1, std::move(all));
}

void Ways::insert(const Ways &other) {
  if (other.reason != IndexingReason::None)
    setUnknown(other.reason);
  for (const Way &way : other.list)
    insert(way);
}

std::optional<TileBox> Propagation::getBox(const TileBox &box,
                                           const IndexingMap &map) const {
  TileFailure ignored;
  if (!isSymbolic && map.getNumRuntime() == 0) {
    // For numbers more is exact.
    std::optional<StridedTile> from = box.at();
    if (from && !from->isEmpty)
      if (std::optional<StridedTile> tile = tensoraccess::getTile(
              map, from->dims, {}, ignored, /*budget=*/1u << 12);
          tile && !tile->mask && !(tile->isEmpty && tile->dims.empty())) {
        TileBox out = TileBox::ofNumbers(tile->dims);
        if (!box.isExact())
          out.setHull(box.getReason());
        return out;
      }
  }
  return box.through(map, ignored);
}

void Propagation::getMapTile(const DetailedMap &entry,
                             PropagatedTile &out) const {
  // Dims and symbols that sources of the runtime variables depend on.
  SmallVector<unsigned, 2> unitDims;
  const unsigned numDims = entry.map.getNumDims();
  const unsigned firstRuntime = numDims + entry.map.getNumSymbols();
  SmallVector<char, 32> read = entry.map.getUsed();
  if (entry.details) {
    for (auto [i, source] : llvm::enumerate(entry.details->runtime)) {
      if (!read[firstRuntime + i])
        continue;
      SmallVector<char, 32> used;
      if (source)
        for (const Form &form : source->map.getResults())
          source->map.getArena().markUsed(form, used);
      used.resize(firstRuntime, source ? 0 : 1);
      for (unsigned v = 0; v != firstRuntime; ++v) {
        if (!used[v])
          continue;
        const Interval range = entry.map.getRanges()[v];
        if (v < numDims && !range.isPoint())
          unitDims.push_back(v);
        if (v >= numDims && !range.isPoint()) {
          out.failure.message = "runtime variable " +
                                entry.map.getVariableName(firstRuntime + i) +
                                ": differs from point to point of one element";
          return;
        }
      }
    }
  }
  out.tile = getSymbolicTile(entry.map, strides, out.failure, unitDims);
}

PropagatedTile Propagation::getTile(const Way &way) const {
  PropagatedTile out;
  out.map = way.entry.map;
  out.box = way.box;
  out.hullAt = way.hullAt;
  if (!isSymbolic)
    return out;
  if (way.hasMap()) {
    getMapTile(way.entry, out);
    // An exact box has no conditions.
    const bool isBoxExact = out.box && out.box->isExact();
    if (out.tile && ((isBoxExact && !out.tile->getConditions().empty()) ||
                     out.tile->str().size() >
                         (isBoxExact ? kMaxTextBesideBox : kMaxText))) {
      out.tile.reset();
      out.failure.message = "its text is too long";
    }
  } else {
    out.failure.message = "the composed map is too large";
  }
  if (out.tile || !out.box)
    return out;
  TileFailure failure;
  out.tile = out.box->getSymbolicTile(failure);
  if (!out.tile && !way.hasMap())
    out.failure = failure;
  return out;
}

ValueTiles Propagation::describe(unsigned number, Value value,
                                 const Ways &from) const {
  ValueTiles out;
  out.number = number;
  out.value = value;
  out.reason = from.reason;
  for (const Way &way : from.list)
    out.tiles.push_back(getTile(way));
  return out;
}

void Propagation::add(Ways &to, const Ways &from, const IndexingSet &set,
                      Operation *op) const {
  if (from.empty() || set.empty() || to.reason != IndexingReason::None)
    return;
  if (from.reason != IndexingReason::None || set.isUnknown())
    return to.setUnknown(set.isUnknown() ? set.getReason() : from.reason);
  for (const Way &first : from.list)
    for (unsigned i = 0; i != set.size(); ++i) {
      Way way;
      way.entry.map = IndexingMap::unknown(UnknownReason::TooLarge);
      if (first.hasMap()) {
        DetailedMap entry = compose(first.entry, set.getEntry(i));
        const IndexingMap &map = entry.map;
        if (map.getNumVariables() <=
                std::min(kMaxVariables, budget.maxVariables) &&
            map.getConstraints().size() <=
                std::min(kMaxConstraints, budget.maxConstraints))
          way.entry = std::move(entry);
      }
      if (first.box)
        way.box = getBox(*first.box, set.getMaps()[i]);
      if (way.box && !way.box->isExact())
        way.hullAt = first.hullAt ? first.hullAt : op;
      to.insert(std::move(way));
    }
}

void Propagation::visit(Operation *op, bool toInput) {
  OpTiles out;
  out.op = op;
  const OpIndexing *indexing = nullptr;
  auto get = [&]() -> const OpIndexing & {
    if (!indexing)
      indexing = &cache.get(op);
    return *indexing;
  };
  auto find = [&](Value value) -> const Ways * {
    auto it = ways.find(value);
    return it == ways.end() || it->second.empty() ? nullptr : &it->second;
  };
  if (toInput) {
    // Per operand, over all results that are wanted.
    SmallVector<Ways, 2> reached(op->getNumOperands());
    bool isWanted = false;
    for (OpResult result : op->getResults())
      if (const Ways *from = find(result)) {
        isWanted = true;
        for (unsigned o = 0; o != op->getNumOperands(); ++o)
          add(reached[o], *from,
              get().outputToInput(result.getResultNumber(), o), op);
      }
    if (!isWanted)
      return;
    for (const CapturedRead &read : getCaptured(op))
      if (const Ways *from = find(op->getResult(read.result))) {
        Ways captured;
        add(captured, *from, read.outputToInput, op);
        ways[read.value].insert(captured);
      }
    for (auto [o, from] : llvm::enumerate(reached)) {
      if (from.empty())
        continue;
      Value operand = op->getOperand(o);
      out.values.push_back(describe(o, operand, from));
      ways[operand].insert(from);
    }
  } else {
    SmallVector<Ways, 1> reached(op->getNumResults());
    bool isReached = false;
    for (OpOperand &operand : op->getOpOperands())
      if (const Ways *from = find(operand.get()))
        for (unsigned r = 0; r != op->getNumResults(); ++r) {
          add(reached[r], *from,
              get().inputToOutput(operand.getOperandNumber(), r), op);
          isReached = true;
        }
    for (const CapturedRead &read : getCaptured(op))
      if (const Ways *from = find(read.value)) {
        add(reached[read.result], *from, read.inputToOutput, op);
        isReached = true;
      }
    if (!isReached)
      return;
    for (auto [r, from] : llvm::enumerate(reached)) {
      if (from.empty())
        continue;
      out.values.push_back(describe(r, op->getResult(r), from));
      ways[op->getResult(r)] = from;
    }
  }
  if (!out.values.empty())
    result.ops.push_back(std::move(out));
}

Value tensoraccess::getTileSource(FunctionOpInterface function, unsigned index,
                                  bool toInput, ArrayRef<int64_t> strides,
                                  std::string &error) {
  auto fail = [&](const Twine &message) {
    error = message.str();
    return Value();
  };
  if (function.isExternal() || !function.getFunctionBody().hasOneBlock() ||
      function.getFunctionBody().front().empty() ||
      !function.getFunctionBody()
           .front()
           .back()
           .hasTrait<OpTrait::ReturnLike>())
    return fail("the function has no single block that returns");
  Block &block = function.getFunctionBody().front();
  const unsigned count =
      toInput ? block.back().getNumOperands() : block.getNumArguments();
  if (index >= count)
    return fail("the function has " + Twine(count) +
                (toInput ? " results" : " arguments") + ", but no number " +
                Twine(index));
  Value source =
      toInput ? block.back().getOperand(index) : block.getArgument(index);
  IndexingReason reason = IndexingReason::UnsupportedForm;
  std::optional<SmallVector<int64_t>> shape =
      getIndexSpace(source.getType(), reason);
  if (!shape)
    return fail("the value has no tiles: " + describe(reason));
  if (!strides.empty() && strides.size() != shape->size())
    return fail("the value has rank " + Twine(shape->size()) + ", got " +
                Twine(strides.size()) + " strides");
  return source;
}

std::optional<TilePropagation>
tensoraccess::propagateTile(FunctionOpInterface function, unsigned index,
                            bool toInput, ArrayRef<int64_t> strides,
                            IndexingCache &cache, std::string &error,
                            IndexingBudget budget, ArrayRef<TileDim> numbers) {
  Value source = getTileSource(function, index, toInput, strides, error);
  if (!source)
    return std::nullopt;
  Block &block = function.getFunctionBody().front();
  Operation *terminator = &block.back();
  IndexingReason reason = IndexingReason::None;
  SmallVector<int64_t> extents = *getIndexSpace(source.getType(), reason);
  Way start;
  start.entry.map = IndexingMap::identity(extents);
  if (numbers.empty()) {
    start.box = TileBox::ofParameters(getExtents(extents), strides);
  } else {
    TileFailure failure;
    std::optional<StridedTile> tile =
        getTile(start.entry.map, numbers, {}, failure);
    if (!tile) {
      error = failure.message;
      return std::nullopt;
    }
    start.box = TileBox::ofNumbers(tile->dims);
  }
  Propagation propagation(strides, cache, budget,
                          /*isSymbolic=*/numbers.empty());
  propagation.ways[source].insert(std::move(start));
  auto describeEnd = [&](unsigned number, Value value) {
    propagation.result.ends.push_back(
        propagation.describe(number, value, propagation.ways.lookup(value)));
  };
  if (toInput) {
    for (Operation &op : llvm::drop_begin(llvm::reverse(block)))
      propagation.visit(&op, /*toInput=*/true);
    for (auto [i, argument] : llvm::enumerate(block.getArguments()))
      describeEnd(i, argument);
  } else {
    for (Operation &op : llvm::drop_end(block))
      propagation.visit(&op, /*toInput=*/false);
    for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
      describeEnd(i, value);
  }
  return std::move(propagation.result);
}

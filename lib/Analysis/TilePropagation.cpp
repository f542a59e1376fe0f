//===- TilePropagation.cpp - A tile through a whole function --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The source value starts with the identity map of its shape.
//   2. The ops are visited once, last first (output to input) or first first.
//      The maps of a value are complete when its op is reached; they are
//      composed with the op's maps, simplified, and added to the operands'
//      (results') maps, each once.
//   3. Each composed map gets its symbolic tile.
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

/// The maps from the source to one value.
struct Ways {
  SmallVector<DetailedMap, 1> maps;
  IndexingReason reason = IndexingReason::None;

  void insert(DetailedMap entry, const IndexingBudget &budget) {
    const IndexingMap &map = entry.map;
    if (reason != IndexingReason::None)
      return;
    if (map.isUnknown())
      reason = fromUnknownReason(map.getUnknownReason());
    else if (map.getNumVariables() > budget.maxVariables ||
             map.getConstraints().size() > budget.maxConstraints)
      reason = IndexingReason::Budget;
    else if (llvm::none_of(maps, [&](const DetailedMap &other) {
               return other.map == map &&
                      equalDetails(other.details, entry.details);
             }))
      maps.push_back(std::move(entry));
    if (maps.size() > budget.maxMaps)
      reason = IndexingReason::Budget;
    if (reason != IndexingReason::None)
      maps.clear();
  }
  bool empty() const { return maps.empty() && reason == IndexingReason::None; }
};

class Propagation {
public:
  Propagation(ArrayRef<int64_t> strides, IndexingCache &cache,
              const IndexingBudget &budget)
      : strides(strides), cache(cache), budget(budget) {}

  void visit(Operation *op, bool toInput);
  ValueTiles describe(unsigned number, Value value, const Ways &ways) const;

  DenseMap<Value, Ways> ways;
  TilePropagation result;

private:
  PropagatedTile getTile(const DetailedMap &entry) const;
  void add(Ways &to, const Ways &from, const IndexingSet &set) const;

  ArrayRef<int64_t> strides;
  IndexingCache &cache;
  const IndexingBudget &budget;
};

} // namespace

PropagatedTile Propagation::getTile(const DetailedMap &entry) const {
  PropagatedTile out;
  out.map = entry.map;
  // Dims and symbols that sources of the runtime variables depend on.
  SmallVector<unsigned, 2> unitDims;
  const unsigned numDims = entry.map.getNumDims();
  const unsigned firstRuntime = numDims + entry.map.getNumSymbols();
  SmallVector<char, 32> read;
  for (const Form &form : entry.map.getResults())
    entry.map.getArena().markUsed(form, read);
  for (const Constraint &c : entry.map.getConstraints())
    entry.map.getArena().markUsed(c.form, read);
  read.resize(entry.map.getArena().getNumAtoms());
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
          return out;
        }
      }
    }
  }
  out.tile = getSymbolicTile(entry.map, strides, out.failure, unitDims);
  return out;
}

ValueTiles Propagation::describe(unsigned number, Value value,
                                 const Ways &from) const {
  ValueTiles out;
  out.number = number;
  out.value = value;
  out.reason = from.reason;
  for (const DetailedMap &entry : from.maps)
    out.tiles.push_back(getTile(entry));
  return out;
}

void Propagation::add(Ways &to, const Ways &from,
                      const IndexingSet &set) const {
  if (from.empty() || set.empty() || to.reason != IndexingReason::None)
    return;
  if (from.reason != IndexingReason::None || set.isUnknown()) {
    to.reason = set.isUnknown() ? set.getReason() : from.reason;
    to.maps.clear();
    return;
  }
  for (const DetailedMap &first : from.maps)
    for (unsigned i = 0; i != set.size(); ++i)
      to.insert(compose(first, set.getEntry(i)), budget);
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
  if (toInput) {
    // Per operand, over all results that are wanted.
    SmallVector<Ways, 2> reached(op->getNumOperands());
    bool isWanted = false;
    for (OpResult result : op->getResults()) {
      auto it = ways.find(result);
      if (it == ways.end() || it->second.empty())
        continue;
      isWanted = true;
      for (unsigned o = 0; o != op->getNumOperands(); ++o)
        add(reached[o], it->second,
            get().outputToInput(result.getResultNumber(), o));
    }
    if (!isWanted)
      return;
    for (auto [o, from] : llvm::enumerate(reached)) {
      if (from.empty())
        continue;
      Value operand = op->getOperand(o);
      out.values.push_back(describe(o, operand, from));
      Ways &target = ways[operand];
      if (from.reason != IndexingReason::None) {
        target.reason = from.reason;
        target.maps.clear();
      }
      for (DetailedMap &entry : from.maps)
        target.insert(entry, budget);
    }
  } else {
    SmallVector<Ways, 1> reached(op->getNumResults());
    bool isReached = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto it = ways.find(operand.get());
      if (it == ways.end() || it->second.empty())
        continue;
      for (unsigned r = 0; r != op->getNumResults(); ++r) {
        add(reached[r], it->second,
            get().inputToOutput(operand.getOperandNumber(), r));
        isReached = true;
      }
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

std::optional<TilePropagation>
tensoraccess::propagateTile(FunctionOpInterface function, unsigned index,
                            bool toInput, ArrayRef<int64_t> strides,
                            IndexingCache &cache, std::string &error,
                            IndexingBudget budget) {
  auto fail = [&](const Twine &message) {
    error = message.str();
    return std::nullopt;
  };
  if (function.isExternal() || !function.getFunctionBody().hasOneBlock() ||
      function.getFunctionBody().front().empty() ||
      !function.getFunctionBody()
           .front()
           .back()
           .hasTrait<OpTrait::ReturnLike>())
    return fail("the function has no single block that returns");
  Block &block = function.getFunctionBody().front();
  Operation *terminator = &block.back();
  const unsigned count =
      toInput ? terminator->getNumOperands() : block.getNumArguments();
  if (index >= count)
    return fail("the function has " + Twine(count) +
                (toInput ? " results" : " arguments") +
                ", there is no number " + Twine(index));
  Value source =
      toInput ? terminator->getOperand(index) : block.getArgument(index);
  IndexingReason reason = IndexingReason::UnsupportedForm;
  std::optional<SmallVector<int64_t>> shape =
      getIndexSpace(source.getType(), reason);
  if (!shape)
    return fail("the value has no tiles: " + describe(reason));
  if (!strides.empty() && strides.size() != shape->size())
    return fail("the value has rank " + Twine(shape->size()) + ", got " +
                Twine(strides.size()) + " strides");

  Propagation propagation(strides, cache, budget);
  propagation.ways[source].insert({IndexingMap::identity(*shape), nullptr},
                                  budget);
  auto describeEnd = [&](unsigned number, Value value) {
    auto it = propagation.ways.find(value);
    propagation.result.ends.push_back(propagation.describe(
        number, value, it == propagation.ways.end() ? Ways() : it->second));
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

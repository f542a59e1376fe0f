//===- BlockSpace.cpp - The index space of an op --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the space of an op is made:
//
//   1. A structured op of linalg has loops, and a map from there to each
//      operand. Whether an operand is read at all follows from its indexing.
//   2. Any other op has the indices of a result. The symbols of maps are one
//      set of further axes for ops that are known to combine their operands
//      point by point (contractions, reductions): where all maps that have
//      symbols have the same ones, with the same ranges. Else symbols stay what
//      each point reads besides.
//
//===----------------------------------------------------------------------===//

#include "BlockSpace.h"
#include "TensorAccess/Analysis/BlockSpace.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/Work.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::tensoraccess;

StringRef mlir::tensoraccess::describe(BlockValue::Role role) {
  switch (role) {
  case BlockValue::Role::Operand:
    return "operand";
  case BlockValue::Role::Result:
    return "result";
  case BlockValue::Role::Captured:
    return "captured";
  }
  llvm_unreachable("every role has a name");
}

const Projection *BlockValue::getProjection() const {
  return maps.size() == 1 && maps[0].projection ? &*maps[0].projection
                                                : nullptr;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isData(Type type) { return isa<ShapedType, AccessType>(type); }

/// The sizes of a tensor or pattern; std::nullopt without a rank.
static std::optional<SmallVector<int64_t, 4>> getShape(Type type) {
  if (auto access = dyn_cast<AccessType>(type))
    return SmallVector<int64_t, 4>(access.getShape());
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return std::nullopt;
  return SmallVector<int64_t, 4>(shaped.getShape());
}

static BlockValue makeValue(BlockValue::Role role, unsigned number, Value value,
                            Type type) {
  BlockValue out;
  out.role = role;
  out.number = number;
  out.value = value;
  out.elementBytes = getElementBytes(type);
  if (auto shape = getShape(type))
    out.shape = std::move(*shape);
  else
    out.reason = IndexingReason::UnrankedShape;
  return out;
}

/// Marks operands that repeat an earlier one.
static void markRepeated(BlockSpace &space) {
  auto isSame = [](const BlockValue &a, const BlockValue &b) {
    return a.role != BlockValue::Role::Result && a.role == b.role &&
           a.value == b.value && a.reason == b.reason &&
           llvm::equal(a.maps, b.maps,
                       [](const BlockMap &x, const BlockMap &y) {
                         return x.map == y.map;
                       });
  };
  for (size_t i = 0; i != space.values.size(); ++i)
    for (size_t j = 0; j != i; ++j)
      space.values[i].isRepeated |= isSame(space.values[j], space.values[i]);
}

static void addOperations(BlockSpace &space) {
  std::optional<Box> whole = space.getWhole();
  std::optional<uint64_t> points = whole ? getVolume(*whole) : std::nullopt;
  std::optional<Work> work = countOpWork(space.op);
  if (points && *points != 0 && work &&
      static_cast<uint64_t>(work->operations) % *points == 0)
    space.operationsPerPoint = work->operations / *points;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// From the axes of an op to an index, whatever their extents are.
static IndexingMap getAxisMap(const Nest &nest, ArrayRef<Form> index) {
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (unsigned a = 0; a != nest.axes.size(); ++a)
    images.push_back(builder.addDim(
        Interval::ofExtent(nest.getExtent(a).value_or(ShapedType::kDynamic))));
  images.resize(nest.getForms().getNumVariables());
  Substitution substitute(builder.arena(), nest.getForms(), images);
  for (const Form &form : index)
    builder.addResult(substitute(form));
  return builder.build();
}

/// The space of an op whose indices are forms over its axes alone.
static BlockSpace getLoopSpace(linalg::LinalgOp op, const Nest &nest,
                               IndexingCache &cache) {
  BlockSpace space;
  space.op = op;
  for (unsigned a = 0; a != nest.axes.size(); ++a) {
    BlockAxis &axis = space.axes.emplace_back();
    axis.name = "d" + std::to_string(a);
    axis.extent = nest.getExtent(a);
    axis.isReduction = nest.axes[a].isReduction;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    const unsigned o = operand.getOperandNumber();
    Type type = operand.get().getType();
    if (!isData(type))
      continue;
    BlockValue &value = space.values.emplace_back(
        makeValue(BlockValue::Role::Operand, o, operand.get(), type));
    const NestRead *read = nest.findRead(o);
    if (!read || !read->isRead)
      continue;
    if (value.reason == IndexingReason::None)
      value.reason = read->reason;
    if (read->reason == IndexingReason::None)
      addBlockMap(value, getAxisMap(nest, read->index));
  }
  unsigned captured = 0;
  for (const CapturedRead &read : cache.getCaptured(op)) {
    if (!isData(read.value.getType()))
      continue;
    BlockValue &value = space.values.emplace_back(
        makeValue(BlockValue::Role::Captured, captured++, read.value,
                  read.value.getType()));
    if (read.outputToInput.isUnknown()) {
      value.reason = read.outputToInput.getReason();
      continue;
    }
    value.needsWholeReductions = true;
    IndexingMap index = getAxisMap(nest, nest.writes[read.result].index);
    for (const IndexingMap &map : read.outputToInput.getMaps())
      addBlockMap(value, index.then(map));
  }
  for (OpResult result : op->getResults()) {
    const unsigned r = result.getResultNumber();
    BlockValue &value = space.values.emplace_back(
        makeValue(BlockValue::Role::Result, r, result, result.getType()));
    const SmallVector<Form, 4> &index = nest.writes[r].index;
    if (index.size() != value.shape.size())
      value.reason = IndexingReason::UnsupportedForm;
    addBlockMap(value, getAxisMap(nest, index));
  }
  return space;
}

//===----------------------------------------------------------------------===//
// Indices of results
//===----------------------------------------------------------------------===//

/// Whether the symbols of an op's maps are axes of its nest, which its operands
/// share.
static bool sharesSymbols(Operation *op) {
  NestRef nest = getNest(OpSignature(op));
  return nest->isProjection() &&
         (nest->body == NestBody::Reduce || nest->body == NestBody::Contract);
}

/// The ranges of the symbols that all maps share; std::nullopt if they don't.
static std::optional<SmallVector<Interval>>
getSharedSymbols(const OpIndexing &indexing, ArrayRef<unsigned> results) {
  const IndexingMap *first = nullptr;
  for (unsigned r : results)
    for (unsigned o = 0; o != indexing.getNumOperands(); ++o) {
      const IndexingSet &set = indexing.outputToInput(r, o);
      for (const IndexingMap &map : set.getMaps()) {
        if (map.getNumSymbols() == 0)
          continue;
        if (set.size() != 1 || map.getNumRuntime() != 0)
          return std::nullopt;
        if (!first) {
          first = &map;
          continue;
        }
        // The same loops. Conditions restrict where an operand is read: a padded
        // input has some that its kernel lacks.
        if (map.getNumDims() != first->getNumDims() ||
            map.getRanges() != first->getRanges())
          return std::nullopt;
      }
    }
  if (!first)
    return SmallVector<Interval>();
  for (const Interval &range : first->getSymbolRanges())
    if (range.lower != 0 || !range.hasUpper())
      return std::nullopt;
  return SmallVector<Interval>(first->getSymbolRanges());
}

/// A map over a result's indices as one over these and more axes, which are its
/// symbols if it has any.
static IndexingMap overAxes(const IndexingMap &map, ArrayRef<Interval> more) {
  if (more.empty())
    return map;
  if (map.getNumSymbols() != 0)
    return map.symbolsToDims(
        llvm::to_vector(llvm::seq(0u, map.getNumSymbols())));
  IndexingMapBuilder builder;
  SmallVector<Form> images = builder.addDims(map.getDimRanges());
  builder.addDims(more);
  for (unsigned v = map.getNumDims(); v != map.getNumVariables(); ++v)
    images.push_back(
        builder.addRuntime(map.getRanges()[v], map.getVariableName(v)));
  builder.addMap(map, images);
  return builder.build();
}

/// The space of result `result`: `operands` and `results` are values, or null
/// ones for a function's results.
static std::optional<BlockSpace>
getResultSpace(Operation *op, const OpIndexing &indexing, ValueRange operands,
               TypeRange resultTypes, ArrayRef<Value> resultValues,
               ArrayRef<CapturedRead> captured, unsigned result,
               std::string &error) {
  if (result >= resultTypes.size()) {
    error = "result " + std::to_string(result) + " does not exist, there are " +
            std::to_string(resultTypes.size());
    return std::nullopt;
  }
  std::optional<SmallVector<int64_t, 4>> shape;
  if (isData(resultTypes[result]))
    shape = getShape(resultTypes[result]);
  if (!shape) {
    error =
        "result " + std::to_string(result) + " is not a tensor of known rank";
    return std::nullopt;
  }
  BlockSpace space;
  space.op = op;
  space.result = result;
  SmallVector<unsigned> results;
  for (auto [r, type] : llvm::enumerate(resultTypes))
    results.push_back(r);
  if (!llvm::all_of(resultTypes, [&](Type type) {
        return isData(type) && getShape(type) == shape;
      }))
    results.assign(1, result);
  SmallVector<Interval> dims;
  for (auto [d, size] : llvm::enumerate(*shape)) {
    BlockAxis &axis = space.axes.emplace_back();
    axis.name = "d" + std::to_string(d);
    if (!ShapedType::isDynamic(size))
      axis.extent = size;
    dims.push_back(Interval::ofExtent(size));
  }
  SmallVector<Interval> shared;
  if (!isa<FunctionOpInterface>(op) && sharesSymbols(op))
    shared = getSharedSymbols(indexing, results).value_or(shared);
  for (auto [s, range] : llvm::enumerate(shared)) {
    BlockAxis &axis = space.axes.emplace_back();
    axis.name = "s" + std::to_string(s);
    axis.extent = range.upper + 1;
    axis.isReduction = true;
  }

  auto addSet = [&](BlockValue &value, const IndexingSet &set) {
    if (set.isUnknown() && value.reason == IndexingReason::None) {
      value.reason = set.getReason();
      value.maps.clear();
    }
    for (const IndexingMap &map : set.getMaps())
      addBlockMap(value, overAxes(map, shared));
  };
  for (auto [o, operand] : llvm::enumerate(operands)) {
    if (!isData(operand.getType()))
      continue;
    BlockValue &value = space.values.emplace_back(
        makeValue(BlockValue::Role::Operand, o, operand, operand.getType()));
    for (unsigned r : results)
      addSet(value, indexing.outputToInput(r, o));
  }
  unsigned number = 0;
  for (const CapturedRead &read : captured) {
    if (!isData(read.value.getType()) ||
        !llvm::is_contained(results, read.result))
      continue;
    BlockValue &value = space.values.emplace_back(
        makeValue(BlockValue::Role::Captured, number++, read.value,
                  read.value.getType()));
    value.needsWholeReductions = !shared.empty();
    addSet(value, read.outputToInput);
  }
  for (unsigned r : results) {
    BlockValue &value = space.values.emplace_back(makeValue(
        BlockValue::Role::Result, r, resultValues[r], resultTypes[r]));
    IndexingMapBuilder builder;
    for (const Interval &range : dims)
      builder.addResult(builder.addDim(range));
    IndexingMap identity = builder.build();
    addBlockMap(value, overAxes(identity, shared));
  }
  return space;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::optional<BlockSpace>
mlir::tensoraccess::getBlockSpace(Operation *op, IndexingCache &cache,
                                  std::string &error, unsigned result) {
  std::optional<BlockSpace> space;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  NestRef nest;
  if (structured && structured.hasPureTensorSemantics() &&
      op->getNumResults() == structured.getNumDpsInits() &&
      op->getNumResults() != 0)
    nest = getNest(OpSignature(op));
  if (nest && nest->hasLoops()) {
    space = getLoopSpace(structured, *nest, cache);
  } else {
    if (op->getNumResults() == 0) {
      error = "an op without results has no blocks";
      return std::nullopt;
    }
    SmallVector<Value> results(op->getResults());
    space = getResultSpace(op, cache.getLocal(op), op->getOperands(),
                           op->getResultTypes(), results, cache.getCaptured(op),
                           result, error);
  }
  if (!space)
    return std::nullopt;
  markRepeated(*space);
  addOperations(*space);
  return space;
}

std::optional<BlockSpace>
mlir::tensoraccess::getBlockSpace(FunctionOpInterface function,
                                  IndexingCache &cache, std::string &error,
                                  unsigned result) {
  if (function.isExternal()) {
    error = "function '" + function.getName().str() + "' has no body";
    return std::nullopt;
  }
  SmallVector<Value> results(function.getNumResults());
  std::optional<BlockSpace> space = getResultSpace(
      function, cache.getFunction(function), function.getArguments(),
      function.getResultTypes(), results, /*captured=*/{}, result, error);
  if (space)
    markRepeated(*space);
  return space;
}

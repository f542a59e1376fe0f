//===- PropagateTiles.cpp - Write down which tiles are read ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access/AttributeRoom.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/TilePropagation.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Transforms/AccessPasses.h"
#include "TensorAccess/Transforms/Indexing.h"
#include "TensorAccess/Transforms/Tiles.h"
#include "mlir/IR/Remarks.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PROPAGATETILES
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kTilesAttr = "tensoraccess.tiles";

namespace {
/// What one tile is, as an attribute and as text.
struct Answer {
  DictionaryAttr attr;
  std::string text;
  /// Not empty: why the tile only covers what is read.
  std::string hull;
  std::string failure;
};
} // namespace

static std::string joined(ArrayRef<std::string> texts) {
  return "[" + llvm::join(texts, ", ") + "]";
}

static Answer getSymbolicAnswer(MLIRContext *context,
                                const PropagatedTile &way) {
  Answer answer;
  if (!way.tile) {
    answer.failure = way.failure.message;
    return answer;
  }
  const SymbolicTile &tile = *way.tile;
  SmallVector<std::string> offsets, sizes, strides, lower, upper, where;
  for (unsigned r = 0; r != tile.getNumResults(); ++r) {
    offsets.push_back(tile.str(tile.getOffset(r)));
    sizes.push_back(tile.str(tile.getSize(r)));
    strides.push_back(tile.str(tile.getStride(r)));
    lower.push_back(tile.getLower(r) ? tile.formText(*tile.getLower(r))
                                     : "-inf");
    upper.push_back(tile.getUpper(r) ? tile.formText(*tile.getUpper(r))
                                     : "inf");
  }
  for (const TileCondition &condition : tile.getConditions())
    where.push_back(tile.str(condition));
  if (tile.isHull()) {
    // The map's reason is the better one where there is one.
    answer.hull = way.map.isUnknown() || way.failure.message.empty()
                      ? way.getHullReason()
                      : way.failure.message;
  }
  Builder b(context);
  auto texts = [&](ArrayRef<std::string> list) {
    SmallVector<Attribute> attrs;
    for (const std::string &text : list)
      attrs.push_back(b.getStringAttr(text));
    return b.getArrayAttr(attrs);
  };
  SmallVector<NamedAttribute> entries = {
      b.getNamedAttr("lower", texts(lower)),
      b.getNamedAttr("offsets", texts(offsets)),
      b.getNamedAttr("sizes", texts(sizes)),
      b.getNamedAttr("strides", texts(strides)),
      b.getNamedAttr("upper", texts(upper)),
      b.getNamedAttr("where", texts(where))};
  if (!answer.hull.empty())
    entries.push_back(b.getNamedAttr("hull", b.getStringAttr(answer.hull)));
  answer.attr = b.getDictionaryAttr(entries);
  answer.text = "offsets " + joined(offsets) + ", sizes " + joined(sizes) +
                ", strides " + joined(strides);
  if (!where.empty())
    answer.text += " where " + llvm::join(where, " and ");
  return answer;
}

static Answer getConcreteAnswer(MLIRContext *context, const PropagatedTile &way,
                                ArrayRef<TileDim> dims) {
  Answer answer;
  TileFailure failure;
  std::optional<StridedTile> tile;
  if (way.box && way.box->isExact())
    tile = way.box->at();
  if (!tile && !way.map.isUnknown()) {
    if (way.map.getNumRuntime() == 0)
      tile = getTile(way.map, dims, /*runtime=*/{}, failure,
                     /*budget=*/1u << 14);
    else
      failure.message = "it depends on runtime variable " +
                        way.map.getVariableName(way.map.getNumDims() +
                                                way.map.getNumSymbols());
  }
  if (!tile && way.box) {
    tile = way.box->at();
    answer.hull =
        failure.message.empty() ? way.getHullReason() : failure.message;
  }
  if (!tile) {
    answer.failure =
        failure.message.empty() ? "the indices have no bound" : failure.message;
    return answer;
  }
  SmallVector<int64_t> offsets, sizes, strides;
  for (const TileDim &dim : tile->dims) {
    offsets.push_back(dim.offset);
    sizes.push_back(dim.size);
    strides.push_back(dim.stride);
  }
  Builder b(context);
  SmallVector<NamedAttribute> entries = {
      b.getNamedAttr("offsets", b.getDenseI64ArrayAttr(offsets)),
      b.getNamedAttr("sizes", b.getDenseI64ArrayAttr(sizes)),
      b.getNamedAttr("strides", b.getDenseI64ArrayAttr(strides))};
  if (tile->mask)
    entries.push_back(
        b.getNamedAttr("mask", IndexingMapAttr::get(context, *tile->mask)));
  if (!answer.hull.empty())
    entries.push_back(b.getNamedAttr("hull", b.getStringAttr(answer.hull)));
  answer.attr = b.getDictionaryAttr(entries);
  answer.text = tile->str();
  return answer;
}

/// The source tile of the options, in numbers; no dims if there are no sizes.
/// False, with a reason, where it doesn't fit the value.
static bool getSourceTile(Value source, const TilePropagationOptions &options,
                          SmallVectorImpl<TileDim> &dims, std::string &error) {
  if (options.sizes.empty())
    return true;
  auto fail = [&](const Twine &message) {
    error = message.str();
    return false;
  };
  auto type = dyn_cast<ShapedType>(source.getType());
  const size_t rank = type ? type.getRank() : 0;
  auto check = [&](StringRef what, ArrayRef<int64_t> list) {
    return list.size() == rank ||
           fail("the value has rank " + Twine(rank) + ", got " +
                Twine(list.size()) + " " + what);
  };
  if (!check("sizes", options.sizes) ||
      (!options.offsets.empty() && !check("offsets", options.offsets)))
    return false;
  for (size_t i = 0; i != rank; ++i) {
    const int64_t offset = options.offsets.empty() ? 0 : options.offsets[i];
    // A size may reach over the edge: then the tile is clipped.
    const bool isIn =
        offset >= 0 && (type.isDynamicDim(i) || offset < type.getDimSize(i));
    if (!options.offsets.empty() && !isIn)
      return fail("offset " + Twine(i) + " must lie in a dimension of " +
                  (type.isDynamicDim(i) ? "dynamic size"
                                        : "size " + Twine(type.getDimSize(i))) +
                  ", got " + Twine(offset));
    dims.push_back({offset, options.sizes[i],
                    options.strides.empty() ? 1 : options.strides[i]});
  }
  return true;
}

LogicalResult
tensoraccess::propagateTiles(FunctionOpInterface function, IndexingCache &cache,
                             const TilePropagationOptions &options,
                             TilePropagationReport &report,
                             std::string &error) {
  MLIRContext *context = function.getContext();
  Value source = getTileSource(function, options.index, options.toInput,
                               options.strides, error);
  SmallVector<TileDim, 4> dims;
  if (!source || !getSourceTile(source, options, dims, error))
    return failure();
  std::optional<TilePropagation> propagation =
      propagateTile(function, options.index, options.toInput, options.strides,
                    cache, error, IndexingBudget(), dims);
  if (!propagation)
    return failure();
  const remark::RemarkOpts about = remarkOptions("tiles", function);
  // The list for one value; remarks at `loc`.
  auto getList = [&](Operation *op, StringRef what, const ValueTiles &value) {
    SmallVector<Attribute> list;
    Location loc = op->getLoc();
    const int64_t number = value.number;
    const std::string name = op->getName().getStringRef().str();
    if (value.reason != IndexingReason::None) {
      ++report.missed;
      list.push_back(StringAttr::get(context, "unknown"));
      remark::missed(loc, about)
          << remark::add("{0} {1} of {2} has no tile", what.str(), number, name)
          << remark::reason("{0}", describe(value.reason).str());
    }
    for (const PropagatedTile &way : value.tiles) {
      Answer answer = dims.empty() ? getSymbolicAnswer(context, way)
                                   : getConcreteAnswer(context, way, dims);
      if (!answer.failure.empty()) {
        ++report.missed;
        list.push_back(StringAttr::get(context, "none: " + answer.failure));
        remark::missed(loc, about) << remark::add("{0} {1} of {2} has no tile",
                                                  what.str(), number, name)
                                   << remark::reason("{0}", answer.failure);
        continue;
      }
      ++report.tiles;
      list.push_back(answer.attr);
      if (answer.hull.empty()) {
        remark::analysis(loc, about)
            << remark::add("{0} {1}: {2}", what.str(), number, answer.text)
            << remark::metric("Kind", "exact");
        continue;
      }
      ++report.hulls;
      remark::analysis(loc, about)
          << remark::add("{0} {1}: {2}", what.str(), number, answer.text)
          << remark::metric("Kind", "hull")
          << remark::reason("{0}", answer.hull);
    }
    return ArrayAttr::get(context, list);
  };
  AttributeRoom room;
  for (const OpTiles &op : propagation->ops) {
    SmallVector<Attribute> lists(options.toInput ? op.op->getNumOperands()
                                                 : op.op->getNumResults(),
                                 ArrayAttr::get(context, {}));
    for (const ValueTiles &value : op.values)
      lists[value.number] =
          getList(op.op, options.toInput ? "operand" : "result", value);
    room.set(op.op, kTilesAttr, ArrayAttr::get(context, lists));
  }
  SmallVector<Attribute> ends;
  for (const ValueTiles &value : propagation->ends)
    ends.push_back(
        getList(function, options.toInput ? "argument" : "result", value));
  function->setDiscardableAttr(kTilesAttr, ArrayAttr::get(context, ends));
  return success();
}

namespace {
struct PropagateTilesPass
    : public tensoraccess::impl::PropagateTilesBase<PropagateTilesPass> {
  using PropagateTilesBase::PropagateTilesBase;

  void runOnOperation() override {
    if (failed(checkRanks(getOperation())))
      return signalPassFailure();
    if (direction == IndexingDirection::Both) {
      mlir::emitError(getOperation().getLoc())
          << "option 'direction' must be one of the two directions";
      return signalPassFailure();
    }
    TilePropagationOptions options;
    options.toInput = direction == IndexingDirection::OutputToInput;
    options.index = index;
    options.sizes.assign(sizes.begin(), sizes.end());
    options.offsets.assign(offsets.begin(), offsets.end());
    options.strides.assign(strides.begin(), strides.end());
    for (auto [i, stride] : llvm::enumerate(options.strides))
      if (stride == 0) {
        mlir::emitError(getOperation().getLoc())
            << "stride " << i << " must not be 0";
        return signalPassFailure();
      }
    for (auto [i, size] : llvm::enumerate(options.sizes))
      if (size < 1) {
        mlir::emitError(getOperation().getLoc())
            << "tile size " << i << " must be positive, got " << size;
        return signalPassFailure();
      }
    IndexingCache &cache = getAnalysis<IndexingAnalysis>().getCache();
    TilePropagationReport report;
    // Functions that the options don't fit are left alone, if there is another.
    SmallVector<std::pair<FunctionOpInterface, std::string>> misfits;
    bool isAnyFit = false;
    for (auto f : getOperation().getOps<FunctionOpInterface>()) {
      if (f.isExternal() || (!function.empty() && f.getName() != function))
        continue;
      std::string error;
      if (succeeded(propagateTiles(f, cache, options, report, error)))
        isAnyFit = true;
      else
        misfits.emplace_back(f, error);
    }
    if (!isAnyFit && !misfits.empty()) {
      mlir::emitError(misfits.front().first.getLoc()) << misfits.front().second;
      return signalPassFailure();
    }
    if (!isAnyFit && !function.empty()) {
      mlir::emitError(getOperation().getLoc())
          << describeUnknownFunction(getOperation(), function);
      return signalPassFailure();
    }
    for (auto &[f, reason] : misfits) {
      ++report.missed;
      remark::missed(f.getLoc(), remarkOptions("tiles", f))
          << remark::add("the tile does not fit function {0}",
                         f.getName().str())
          << remark::reason("{0}", reason);
    }
    markAnalysesPreserved<IndexingAnalysis>();
    tiles += report.tiles;
    hulls += report.hulls;
    missed += report.missed;
  }
};
} // namespace

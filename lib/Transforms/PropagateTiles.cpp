//===- PropagateTiles.cpp - Write down which tiles are read ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/TilePropagation.h"
#include "TensorAccess/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PROPAGATETILES
#include "TensorAccess/Transforms/Passes.h.inc"
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
    // The map's reason is the better one where it has been asked.
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
    answer.hull = failure.message.empty() ? way.getHullReason()
                                          : failure.message;
  }
  if (!tile) {
    answer.failure = failure.message.empty() ? "the indices have no bound"
                                             : failure.message;
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

LogicalResult
tensoraccess::propagateTiles(FunctionOpInterface function, IndexingCache &cache,
                             const TilePropagationOptions &options,
                             TilePropagationReport &report) {
  MLIRContext *context = function.getContext();
  std::string error;
  SmallVector<TileDim, 4> dims;
  if (!options.sizes.empty()) {
    Value source = getTileSource(function, options.index, options.toInput,
                                 options.strides, error);
    if (!source)
      return mlir::emitError(function.getLoc()) << error;
    auto type = dyn_cast<ShapedType>(source.getType());
    const size_t rank = type ? type.getRank() : 0;
    auto check = [&](StringRef what, ArrayRef<int64_t> list) {
      if (list.size() == rank)
        return success();
      return LogicalResult(mlir::emitError(function.getLoc())
                           << "the value has rank " << rank << ", got "
                           << list.size() << " " << what);
    };
    if (failed(check("sizes", options.sizes)) ||
        (!options.offsets.empty() && failed(check("offsets", options.offsets))))
      return failure();
    for (size_t i = 0; i != rank; ++i) {
      if (options.sizes[i] < 1)
        return mlir::emitError(function.getLoc())
               << "tile size " << i << " must be positive, got "
               << options.sizes[i];
      dims.push_back({options.offsets.empty() ? 0 : options.offsets[i],
                      options.sizes[i],
                      options.strides.empty() ? 1 : options.strides[i]});
    }
  }
  std::optional<TilePropagation> propagation =
      propagateTile(function, options.index, options.toInput, options.strides,
                    cache, error, IndexingBudget(), dims);
  if (!propagation)
    return mlir::emitError(function.getLoc()) << error;
  auto remarkOptions = remark::RemarkOpts::name("tiles")
                           .category("tensoraccess")
                           .function(function.getName());
  // The list for one value; remarks at `loc`.
  auto getList = [&](Operation *op, StringRef what, const ValueTiles &value) {
    SmallVector<Attribute> list;
    Location loc = op->getLoc();
    const int64_t number = value.number;
    const std::string name = op->getName().getStringRef().str();
    if (value.reason != IndexingReason::None) {
      ++report.missed;
      list.push_back(StringAttr::get(context, "unknown"));
      remark::missed(loc, remarkOptions)
          << remark::add("{0} {1} of {2} has no tile", what.str(), number, name)
          << remark::reason("{0}", describe(value.reason).str());
    }
    for (const PropagatedTile &way : value.tiles) {
      Answer answer = dims.empty() ? getSymbolicAnswer(context, way)
                                   : getConcreteAnswer(context, way, dims);
      if (!answer.failure.empty()) {
        ++report.missed;
        list.push_back(StringAttr::get(context, "none: " + answer.failure));
        remark::missed(loc, remarkOptions)
            << remark::add("{0} {1} of {2} has no tile", what.str(), number,
                           name)
            << remark::reason("{0}", answer.failure);
        continue;
      }
      ++report.tiles;
      list.push_back(answer.attr);
      if (answer.hull.empty()) {
        remark::analysis(loc, remarkOptions)
            << remark::add("{0} {1}: {2}", what.str(), number, answer.text)
            << remark::metric("Kind", "exact");
        continue;
      }
      ++report.hulls;
      remark::analysis(loc, remarkOptions)
          << remark::add("{0} {1}: {2}", what.str(), number, answer.text)
          << remark::metric("Kind", "hull")
          << remark::reason("{0}", answer.hull);
    }
    return ArrayAttr::get(context, list);
  };
  for (const OpTiles &op : propagation->ops) {
    SmallVector<Attribute> lists(options.toInput ? op.op->getNumOperands()
                                                 : op.op->getNumResults(),
                                 ArrayAttr::get(context, {}));
    for (const ValueTiles &value : op.values)
      lists[value.number] =
          getList(op.op, options.toInput ? "operand" : "result", value);
    op.op->setDiscardableAttr(kTilesAttr, ArrayAttr::get(context, lists));
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
        mlir::emitError(getOperation().getLoc()) << "stride " << i << " must not be 0";
        return signalPassFailure();
      }
    IndexingCache &cache = getAnalysis<IndexingAnalysis>().getCache();
    TilePropagationReport report;
    bool found = false;
    for (auto f : getOperation().getOps<FunctionOpInterface>()) {
      if (f.isExternal() || (!function.empty() && f.getName() != function))
        continue;
      found = true;
      if (failed(propagateTiles(f, cache, options, report)))
        return signalPassFailure();
    }
    if (!found && !function.empty()) {
      mlir::emitError(getOperation().getLoc())
          << "there is no function @" << function << " with a body";
      return signalPassFailure();
    }
    markAnalysesPreserved<IndexingAnalysis>();
    tiles += report.tiles;
    hulls += report.hulls;
    missed += report.missed;
  }
};
} // namespace

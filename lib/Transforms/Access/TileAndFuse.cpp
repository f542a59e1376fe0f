//===- TileAndFuse.cpp - Tile, and fuse what footprints allow -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   0. Elementwise ops of arith and math on tensors become linalg.generic, as
//      upstream writes them.
//   1. The root is the op that makes a returned value. Its loops that run along
//      the dimensions of its result get the tile sizes.
//   2. Before anything changes, tiles of the result are propagated to every
//      value above it: at the first, a middle and the last place of each
//      dimension, the tile that is needed there, exactly, or the reason why
//      there is none.
//   3. From these follow, for each producer, the elements that all tiles
//      compute together, and the recompute factor: by how much that exceeds the
//      elements that are needed at all.
//   4. Loops run over the tiles of the result, and the root makes a tile in them
//      from slices of its operands (TileOps.h). Where an op makes what is
//      sliced, and the tile exists and the factor is within the limit, it makes
//      the slice, from slices of its own operands, and so on.
//
//===----------------------------------------------------------------------===//

#include "Access/TileOps.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/TilePropagation.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Transforms/AccessPasses.h"
#include "TensorAccess/Transforms/Tiles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_TILE
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// What all tiles of the root need of one value.
struct Need {
  /// Not empty: why no tile exists.
  std::string failure;
  /// Per way to the value, the greatest extent (last - first + 1) of the tiles.
  SmallVector<SmallVector<int64_t>, 1> extents;
  /// Elements computed for all tiles; elements needed at all.
  double computed = 0, needed = 0;

  double getRecompute() const { return needed > 0 ? computed / needed : 1; }
};

class TileAndFuse {
public:
  TileAndFuse(FunctionOpInterface function, IndexingCache &cache,
              const TileAndFuseOptions &options, TileAndFuseReport &report)
      : function(function), cache(cache), options(options), report(report) {}

  LogicalResult run();

private:
  /// Elementwise ops of arith and math on tensors become linalg.generic.
  void convertElementwise();
  LogicalResult tileRoot(Operation *root, unsigned returned);
  void measure(unsigned returned, ArrayRef<int64_t> shape);
  Need measureWay(ArrayRef<PropagatedTile> ways, ArrayRef<int64_t> shape) const;
  /// The loops around the root's tiles; null, and the reason, where there are
  /// none.
  scf::ForOp emitLoops(OpBuilder &b, Operation *root, TiledOp &tiled,
                       std::string &reason);
  /// Fuses what makes the slices of a tile, and their slices in turn.
  void fuse(OpBuilder &b, scf::ForOp outermost, TiledOp tiled);
  /// The decision for one slice, with a remark if it is not to fuse.
  bool decide(OpResult producer, bool isInit);
  bool agrees(tensor::ExtractSliceOp slice, const Need &need) const;

  LogicalResult miss(Operation *op, const std::string &reason) {
    ++report.missed;
    remark::missed(op->getLoc(), remarkOptions("tile", function))
        << remark::add("{0} is not tiled", op->getName().getStringRef().str())
        << remark::reason("{0}", reason);
    return success();
  }
  void missFusion(Operation *op, StringRef why, const std::string &reason) {
    ++report.missed;
    remark::missed(op->getLoc(), remarkOptions("tile", function))
        << remark::add("{0} is not fused: {1}",
                       op->getName().getStringRef().str(), why.str())
        << remark::reason("{0}", reason);
  }

  FunctionOpInterface function;
  IndexingCache &cache;
  const TileAndFuseOptions &options;
  TileAndFuseReport &report;
  SmallVector<int64_t> sizes;
  DenseMap<Value, Need> needs;
};

} // namespace

Need TileAndFuse::measureWay(ArrayRef<PropagatedTile> ways,
                             ArrayRef<int64_t> shape) const {
  Need need;
  const size_t rank = shape.size();
  // The first, a middle and the last tile of each dimension, and how many tiles
  // each of them stands for.
  SmallVector<SmallVector<std::pair<TileDim, double>, 3>> places(rank);
  for (size_t d = 0; d != rank; ++d) {
    const int64_t size = sizes[d] == 0 ? shape[d] : sizes[d];
    const int64_t count = llvm::divideCeil(shape[d], size);
    places[d].push_back({{0, size, 1}, 1});
    if (count > 2)
      places[d].push_back({{size * (count / 2), size, 1}, double(count - 2)});
    if (count > 1)
      places[d].push_back({{size * (count - 1), size, 1}, 1});
  }
  for (const PropagatedTile &way : ways) {
    if (way.map.getNumRuntime() != 0) {
      need.failure = "the tile depends on a value known at run time only";
      return need;
    }
    SmallVector<int64_t> extent(way.map.getNumResults(), 0);
    TileFailure failure;
    SmallVector<size_t> at(rank, 0);
    for (bool more = true; more;) {
      SmallVector<TileDim, 4> dims;
      double weight = 1;
      for (size_t d = 0; d != rank; ++d) {
        dims.push_back(places[d][at[d]].first);
        weight *= places[d][at[d]].second;
      }
      std::optional<StridedTile> tile;
      if (!way.map.isUnknown()) {
        tile = getTile(way.map, dims, /*runtime=*/{}, failure);
      } else if (way.box && way.box->isExact()) {
        SmallVector<int64_t, 4> offsets, extents;
        for (const TileDim &dim : dims) {
          offsets.push_back(dim.offset);
          extents.push_back(dim.size);
        }
        tile = way.box->at(offsets, extents);
      } else {
        failure.message = way.getHullReason();
      }
      std::optional<int64_t> count =
          tile ? tile->getNumElements() : std::nullopt;
      if (!count) {
        need.failure = failure.message;
        return need;
      }
      need.computed += weight * *count;
      for (auto [e, dim] : llvm::zip(extent, tile->dims))
        if (dim.size > 0)
          e = std::max(e, dim.last() - dim.offset + 1);
      more = false;
      for (size_t d = rank; d-- > 0;) {
        if (++at[d] != places[d].size()) {
          more = true;
          break;
        }
        at[d] = 0;
      }
    }
    need.extents.push_back(extent);
  }
  return need;
}

void TileAndFuse::measure(unsigned returned, ArrayRef<int64_t> shape) {
  std::string error;
  std::optional<TilePropagation> propagation =
      propagateTile(function, returned, /*toInput=*/true, {}, cache, error);
  if (!propagation)
    return;
  // All ways to each value, over all its users.
  llvm::MapVector<Value, SmallVector<PropagatedTile, 1>> ways;
  DenseMap<Value, IndexingReason> unknown;
  for (const OpTiles &op : propagation->ops)
    for (const ValueTiles &value : op.values) {
      if (value.reason != IndexingReason::None)
        unknown[value.value] = value.reason;
      for (const PropagatedTile &way : value.tiles) {
        auto &list = ways[value.value];
        if (llvm::none_of(list, [&](const PropagatedTile &other) {
              return !way.map.isUnknown() && other.map == way.map;
            }))
          list.push_back(way);
      }
    }
  for (auto &[value, reason] : unknown)
    needs[value].failure = describe(reason).str();
  for (auto &[value, list] : ways) {
    if (unknown.contains(value) || !value.getDefiningOp())
      continue;
    Need need = measureWay(list, shape);
    // What is needed at all: the whole result's footprint, where it is a box
    // and there is one way; all elements otherwise.
    std::optional<int64_t> needed;
    if (list.size() == 1) {
      SmallVector<TileDim, 4> whole;
      for (int64_t size : shape)
        whole.push_back({0, size, 1});
      TileFailure ignored;
      const PropagatedTile &way = list.front();
      if (auto tile = getTile(way.map, whole, {}, ignored))
        needed = tile->getNumElements();
      else if (way.map.isUnknown() && way.box && way.box->isExact())
        if (auto box =
                way.box->at(SmallVector<int64_t>(shape.size(), 0), shape))
          needed = box->getNumElements();
    }
    if (!needed)
      if (auto type = dyn_cast<ShapedType>(value.getType());
          type && type.hasStaticShape())
        needed = checkedProduct(type.getShape());
    need.needed = needed.value_or(0);
    needs[value] = std::move(need);
  }
}

bool TileAndFuse::agrees(tensor::ExtractSliceOp slice, const Need &need) const {
  SmallVector<int64_t> sizes;
  for (OpFoldResult size : slice.getMixedSizes()) {
    std::optional<int64_t> bound = getUpperBound(size);
    if (!bound)
      return false;
    sizes.push_back(*bound);
  }
  return llvm::is_contained(need.extents, sizes);
}

/// Empty loops have no tiles.
static bool hasEmptyLoop(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && llvm::is_contained(linalgOp.getStaticLoopRanges(), 0);
}

bool TileAndFuse::decide(OpResult producer, bool isInit) {
  Operation *op = producer.getOwner();
  const std::string name = op->getName().getStringRef().str();
  if (hasEmptyLoop(op)) {
    ++report.missed;
    remark::missed(op->getLoc(), remarkOptions("tile", function))
        << remark::add("{0} is not fused: one of its loops has no iterations",
                       name);
    return false;
  }
  if (options.fuse == TileFusion::All)
    return true;
  auto it = needs.find(producer);
  if (it == needs.end())
    // Not read, like the destination of a fill: fusing makes it small.
    return isInit;
  const Need &need = it->second;
  if (!need.failure.empty()) {
    missFusion(op, "it has no tile", need.failure);
    return false;
  }
  const double recompute = need.getRecompute();
  if (recompute > options.maxRecompute) {
    ++report.missed;
    remark::missed(op->getLoc(), remarkOptions("tile", function))
        << remark::add("{0} is not fused: it would be computed too often", name)
        << remark::metric("Recompute", recompute)
        << remark::metric("MaxRecompute", options.maxRecompute);
    return false;
  }
  return true;
}

void TileAndFuse::fuse(OpBuilder &b, scf::ForOp outermost, TiledOp tiled) {
  auto &slices = tiled.slices;
  for (size_t i = 0; i != slices.size(); ++i) {
    tensor::ExtractSliceOp slice = slices[i];
    // Results of loops before the first iteration.
    OpOperand &init = outermost.getInitArgsMutable()[0];
    Value source = slice.getSource(), destination;
    if (auto argument = dyn_cast<BlockArgument>(source);
        argument && isa<scf::ForOp>(argument.getOwner()->getParentOp())) {
      source = init.get();
      destination = argument;
    }
    auto producer = dyn_cast<OpResult>(source);
    if (!producer || !isa<TilingInterface>(producer.getOwner()) ||
        !decide(producer, /*isInit=*/bool(destination)))
      continue;
    Operation *op = producer.getOwner();
    Value start;
    if (destination) {
      b.setInsertionPoint(outermost);
      FailureOr<Value> made =
          tensor::getOrCreateDestination(b, op->getLoc(), producer);
      if (failed(made))
        continue;
      start = *made;
    }
    b.setInsertionPoint(slice);
    std::string reason;
    FailureOr<TiledOp> made =
        emitTile(b, producer, {slice.getMixedOffsets(), slice.getMixedSizes()},
                 destination, reason);
    if (failed(made)) {
      missFusion(op, "it makes no tiles", reason);
      continue;
    }
    if (start)
      init.set(start);
    const Need need = needs.lookup(producer);
    const bool sameSize = need.failure.empty() && agrees(slice, need);
    ++report.fused;
    report.agreeing += sameSize;
    remark::passed(op->getLoc(), remarkOptions("tile", function))
        << remark::add("{0} is fused", op->getName().getStringRef().str())
        << remark::metric("Recompute", need.getRecompute())
        << remark::metric("SliceIsTile", sameSize);
    slice.replaceAllUsesWith(made->tile);
    slice.erase();
    llvm::append_range(slices, made->slices);
  }
}

scf::ForOp TileAndFuse::emitLoops(OpBuilder &b, Operation *root, TiledOp &tiled,
                                  std::string &reason) {
  const Location loc = root->getLoc();
  OpResult result = root->getResult(0);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  Operation *before = root->getPrevNode();
  FailureOr<Value> destination = tensor::getOrCreateDestination(b, loc, result);
  if (failed(destination)) {
    reason = "nothing has its result's shape";
    return {};
  }
  SmallVector<Value> lower, upper, steps;
  for (auto [size, extent] : llvm::zip_equal(sizes, shape)) {
    if (size == 0)
      continue;
    lower.push_back(arith::ConstantIndexOp::create(b, loc, 0));
    upper.push_back(arith::ConstantIndexOp::create(b, loc, extent));
    steps.push_back(arith::ConstantIndexOp::create(b, loc, size));
  }
  bool isTiled = false;
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, lower, upper, steps, *destination,
      [&](OpBuilder &inner, Location, ValueRange ivs, ValueRange args) {
        TensorRegion region;
        AffineExpr iv = inner.getAffineDimExpr(0);
        for (auto [size, extent] : llvm::zip_equal(sizes, shape)) {
          if (size == 0) {
            region.offsets.push_back(inner.getIndexAttr(0));
            region.sizes.push_back(inner.getIndexAttr(extent));
            continue;
          }
          region.offsets.push_back(ivs.front());
          region.sizes.push_back(inner.getIndexAttr(size));
          // The last tile may be smaller.
          if (extent % size != 0)
            region.sizes.back() = affine::makeComposedFoldedAffineMin(
                inner, loc,
                AffineMap::get(1, 0,
                               {inner.getAffineConstantExpr(size), extent - iv},
                               inner.getContext()),
                OpFoldResult(ivs.front()));
          ivs = ivs.drop_front();
        }
        FailureOr<TiledOp> made =
            emitTile(inner, result, region, args[0], reason);
        isTiled = succeeded(made);
        if (!isTiled)
          return scf::ValueVector(args);
        tiled = *made;
        SmallVector<OpFoldResult> ones(shape.size(), inner.getIndexAttr(1));
        return scf::ValueVector{
            tensor::InsertSliceOp::create(inner, loc, tiled.tile, args[0],
                                          region.offsets, region.sizes, ones)};
      });
  if (isTiled)
    return nest.loops.front();
  while (root->getPrevNode() != before)
    root->getPrevNode()->erase();
  return {};
}

LogicalResult TileAndFuse::tileRoot(Operation *root, unsigned returned) {
  if (!isa<TilingInterface>(root)) {
    std::string reason = "it does not implement TilingInterface";
    StringRef dialect = root->getName().getDialectNamespace();
    if (dialect == "stablehlo" || dialect == "tosa" || dialect == "mhlo")
      reason += ", lower " + dialect.str() + " to linalg first";
    return miss(root, reason);
  }
  if (root->getNumResults() != 1)
    return miss(root, "it has more than one result");
  auto type = dyn_cast<RankedTensorType>(root->getResult(0).getType());
  if (!type || !type.hasStaticShape())
    return miss(root, "its result has no static shape");
  ArrayRef<int64_t> shape = type.getShape();
  if (hasEmptyLoop(root) || type.getNumElements() == 0)
    return miss(root, "one of its loops has no iterations");
  if (options.sizes.size() > shape.size())
    return mlir::emitError(root->getLoc())
           << options.sizes.size()
           << " tile sizes are given, but the result of " << root->getName()
           << " has rank " << shape.size();
  sizes.assign(options.sizes.begin(), options.sizes.end());
  sizes.resize(shape.size(), 0);
  for (auto [size, extent] : llvm::zip(sizes, shape))
    if (size >= extent)
      size = 0; // one tile
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    return miss(root, "one tile is the whole result");
  needs.clear();
  if (options.fuse != TileFusion::None)
    measure(returned, shape);

  IRRewriter rewriter(root->getContext());
  rewriter.setInsertionPoint(root);
  TiledOp tiled;
  std::string reason;
  scf::ForOp loops = emitLoops(rewriter, root, tiled, reason);
  if (!loops)
    return miss(root, reason);
  if (options.fuse != TileFusion::None)
    fuse(rewriter, loops, std::move(tiled));
  ++report.tiled;
  double numTiles = 1;
  for (auto [size, extent] : llvm::zip(sizes, shape))
    if (size != 0)
      numTiles *= llvm::divideCeil(extent, size);
  remark::passed(root->getLoc(), remarkOptions("tile", function))
      << remark::add("{0} is tiled", root->getName().getStringRef().str())
      << remark::metric("Tiles", static_cast<int64_t>(numTiles));
  rewriter.replaceAllUsesWith(root->getResult(0), loops.getResult(0));
  // Slices of fused producers and the producers themselves, readers first.
  function->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    // Linalg ops on tensors only compute, whatever is in their bodies.
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (isOpTriviallyDead(op) ||
        (linalgOp && op->use_empty() && linalgOp.hasPureTensorSemantics()))
      rewriter.eraseOp(op);
  });
  return success();
}

/// Whether upstream makes a linalg op of it.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

void TileAndFuse::convertElementwise() {
  // The elementwise ops below the roots that can be tiled then.
  Block &block = function.getFunctionBody().front();
  SetVector<Operation *> ops;
  for (Value value : block.getTerminator()->getOperands())
    if (Operation *root = value.getDefiningOp();
        root && (isElementwise(root) || isa<TilingInterface>(root)))
      ops.insert(root);
  for (size_t i = 0; i != ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        ops.insert(op);
  SmallVector<Operation *> elementwise =
      llvm::filter_to_vector(ops, isElementwise);
  if (elementwise.empty())
    return;
  RewritePatternSet patterns(function.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps)
      .enableFolding(false)
      .enableConstantCSE(false);
  // What no pattern matches stays, and is a missed remark where it is a root.
  (void)applyOpPatternsGreedily(elementwise, std::move(patterns), config);
}

LogicalResult TileAndFuse::run() {
  if (!function.getFunctionBody().hasOneBlock())
    return miss(
        function,
        "it has " +
            std::to_string(function.getFunctionBody().getBlocks().size()) +
            " blocks; only one can be tiled");
  convertElementwise();
  Operation *terminator = function.getFunctionBody().front().getTerminator();
  bool found = false;
  for (unsigned i = 0; i != terminator->getNumOperands(); ++i) {
    Operation *root = terminator->getOperand(i).getDefiningOp();
    if (!root)
      continue;
    found = true;
    if (llvm::is_contained(llvm::make_range(terminator->operand_begin(),
                                            terminator->operand_begin() + i),
                           terminator->getOperand(i)))
      continue;
    // The cache knows ops by their signature; those of other roots remain.
    if (failed(tileRoot(root, i)))
      return failure();
  }
  if (!found && function->getNumResults() == 0)
    ++report.missed;
  return success();
}

LogicalResult tensoraccess::tileAndFuse(FunctionOpInterface function,
                                        IndexingCache &cache,
                                        const TileAndFuseOptions &options,
                                        TileAndFuseReport &report) {
  return TileAndFuse(function, cache, options, report).run();
}

namespace {
struct TilePass : public tensoraccess::impl::TileBase<TilePass> {
  using TileBase::TileBase;

  void runOnOperation() override {
    if (failed(checkRanks(getOperation())))
      return signalPassFailure();
    ModuleOp module = getOperation();
    TileAndFuseOptions options;
    options.sizes.assign(sizes.begin(), sizes.end());
    options.fuse = fuse;
    options.maxRecompute = maxRecompute;
    if (options.sizes.empty()) {
      mlir::emitError(module.getLoc()) << "option 'sizes' must be given";
      return signalPassFailure();
    }
    for (auto [i, size] : llvm::enumerate(options.sizes))
      if (size < 0) {
        mlir::emitError(module.getLoc())
            << "tile size " << i << " must not be negative, got " << size;
        return signalPassFailure();
      }
    if (!(options.maxRecompute >= 1)) {
      mlir::emitError(module.getLoc())
          << "option 'max-recompute' must be at least 1, got "
          << options.maxRecompute;
      return signalPassFailure();
    }
    TileAndFuseReport report;
    bool found = false;
    for (auto f : module.getOps<FunctionOpInterface>()) {
      if (f.isExternal() || (!function.empty() && f.getName() != function))
        continue;
      found = true;
      // Signatures stay valid, functions only until they change.
      IndexingCache cache;
      if (failed(tileAndFuse(f, cache, options, report)))
        return signalPassFailure();
    }
    if (!found && !function.empty()) {
      mlir::emitError(module.getLoc())
          << describeUnknownFunction(module, function);
      return signalPassFailure();
    }
    tiled += report.tiled;
    fused += report.fused;
    agreeing += report.agreeing;
    missed += report.missed;
  }
};
} // namespace

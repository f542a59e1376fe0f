//===- ImportShards.cpp - Upstream's shardings become cuts ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of each function with annotations:
//
//   1. the one grid that all of them name, of known sizes, with axes g0, g1, …;
//   2. each annotation as a distribution of the value: of an argument, of a
//      result where it is returned, else the cut of the op that makes it;
//   3. annotations, shardings, and grids that are no longer named are erased.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/ShardedProgram.h"
#include "TensorAccess/Transforms/ShardPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_IMPORTSHARDS
#include "TensorAccess/Transforms/ShardPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Step 1. std::nullopt for a function without annotations.
static FailureOr<std::optional<Grid>>
findGrid(func::FuncOp function, ArrayRef<shard::ShardOp> annotations) {
  FlatSymbolRefAttr name;
  for (shard::ShardOp op : annotations) {
    auto sharding = op.getSharding().getDefiningOp<shard::ShardingOp>();
    if (!sharding)
      return op.emitError("a sharding must be made by shard.sharding here");
    if (name && name != sharding.getGridAttr())
      return op.emitError("a function is cut over one grid, got ")
             << name << " and " << sharding.getGridAttr();
    name = sharding.getGridAttr();
  }
  if (!name)
    return std::optional<Grid>();
  auto op = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(function, name);
  if (!op)
    return function.emitError("there is no grid ") << name;
  Grid grid;
  for (auto [i, size] : llvm::enumerate(op.getShape())) {
    if (ShapedType::isDynamic(size))
      return op.emitError("a grid must have known sizes, axis ")
             << i << " has none";
    grid.axes.push_back({"g" + std::to_string(i), size});
  }
  if (std::optional<std::string> problem = grid.verify())
    return op.emitError(*problem);
  return std::optional<Grid>(grid);
}

/// How an annotated value is distributed.
static FailureOr<Distribution> getDistribution(shard::ShardOp op) {
  shard::Sharding sharding(op.getSharding());
  if (!sharding.getStaticHaloSizes().empty() ||
      !sharding.getDynamicHaloSizes().empty())
    return op.emitError(
        "a sharding must have no halo: halos follow from what ops read");
  if (!sharding.getStaticShardedDimsOffsets().empty() ||
      !sharding.getDynamicShardedDimsOffsets().empty())
    return op.emitError("a sharding must have no offsets: dimensions are cut "
                        "evenly, but for one");
  size_t rank = cast<RankedTensorType>(op.getSrc().getType()).getRank();
  Distribution out = Distribution::replicated(rank);
  for (auto [d, axes] : llvm::enumerate(sharding.getSplitAxes()))
    for (int16_t axis : axes.asArrayRef())
      out.dims[d].push_back(axis);
  return out;
}

/// Step 2 for the op that makes a value; false if the value cannot be cut so.
static FailureOr<bool> setCut(OpResult value, const Distribution &home,
                              const Grid &grid) {
  Operation *op = value.getOwner();
  FailureOr<BlockOp> block = getBlockOp(op);
  if (failed(block))
    return failure();
  if (block->kind == BlockOpKind::Free)
    return true;
  const std::optional<BlockAccess> *access =
      block->kind == BlockOpKind::Opaque
          ? nullptr
          : &block->results[value.getResultNumber()];
  auto dims = access && *access ? (*access)->getDims() : std::nullopt;
  if (!dims)
    return home.isReplicated();
  Distribution cut = Distribution::replicated(block->extents.size());
  for (auto [d, loop] : llvm::enumerate(*dims))
    cut.dims[loop] = home.dims[d];
  if (!isBoxOnBothSides(*block, grid,
                        getFactoredBoxes(grid, cut, block->extents)))
    return false;
  auto attr = StringAttr::get(op->getContext(), cut.str(grid));
  Attribute before = op->getAttr(kCutName);
  if (!before)
    op->setAttr(kCutName, attr);
  return !before || before == attr;
}

static LogicalResult importFunction(func::FuncOp function) {
  SmallVector<shard::ShardOp> annotations;
  function.walk([&](shard::ShardOp op) { annotations.push_back(op); });
  FailureOr<std::optional<Grid>> grid = findGrid(function, annotations);
  if (failed(grid))
    return failure();
  if (!*grid)
    return success();
  MLIRContext *context = function.getContext();
  for (shard::ShardOp op : annotations) {
    FailureOr<Distribution> home = getDistribution(op);
    if (failed(home))
      return failure();
    auto attr = StringAttr::get(context, home->str(**grid));
    Value value = op.getSrc();
    bool isKept = true;
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &function.front()) {
      Attribute before =
          function.getArgAttr(argument.getArgNumber(), kDistributionName);
      if (!before)
        function.setArgAttr(argument.getArgNumber(), kDistributionName, attr);
      isKept = !before || before == attr;
    } else if (auto result = dyn_cast<OpResult>(value)) {
      FailureOr<bool> set = setCut(result, *home, **grid);
      if (failed(set))
        return failure();
      isKept = *set;
    } else {
      isKept = false;
    }
    for (OpOperand &use : op.getResult().getUses())
      if (isa<func::ReturnOp>(use.getOwner()))
        function.setResultAttr(use.getOperandNumber(), kDistributionName, attr);
    if (!isKept)
      op.emitWarning("the sharding ")
          << attr << " of this value is left out: "
          << (isa<BlockArgument>(value) ? "it has another one already"
                                        : "the op that makes it is cut in "
                                          "another way, or cannot be");
    op.getResult().replaceAllUsesWith(value);
  }
  for (shard::ShardOp op : annotations) {
    Operation *sharding = op.getSharding().getDefiningOp();
    op.erase();
    if (sharding && sharding->use_empty())
      sharding->erase();
  }
  function->setAttr(kGridName, StringAttr::get(context, (*grid)->str()));
  return success();
}

namespace {
struct ImportShardsPass
    : public tensoraccess::impl::ImportShardsBase<ImportShardsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(importFunction(function)))
        return signalPassFailure();
    for (auto grid : llvm::make_early_inc_range(module.getOps<shard::GridOp>()))
      if (SymbolTable::symbolKnownUseEmpty(grid, module))
        grid.erase();
  }
};
} // namespace

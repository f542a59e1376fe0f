//===- TileLinalg.cpp - A linalg op on a tile of its result ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op on slices that are the windows of its tile (TileWindows.h), through
// the maps that are left there. An operand whose places in its slice differ from
// tile to tile has no such map: the body computes them from the loops' indices
// and extracts the elements.
//
//===----------------------------------------------------------------------===//

#include "Access/TileWindows.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// An operand that the body reads itself.
struct Read {
  unsigned operand;
  AffineMap map;
  Value slice;
  SmallVector<Window> windows;
};

} // namespace

static tensor::ExtractSliceOp
emitSlice(OpBuilder &b, Location loc, Value operand, ArrayRef<Window> windows) {
  TensorRegion slice;
  for (const Window &window : windows) {
    slice.offsets.push_back(window.offset);
    slice.sizes.push_back(window.size);
  }
  SmallVector<OpFoldResult> ones(windows.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, operand, slice.offsets,
                                        slice.sizes, ones);
}

/// Elements of slices in the body, at f(o + d') less the slice's offset.
static void emitReads(OpBuilder &b, linalg::GenericOp generic,
                      ArrayRef<OpFoldResult> offsets, ArrayRef<Read> reads) {
  OpBuilder::InsertionGuard guard(b);
  const Location loc = generic.getLoc();
  Block *body = generic.getBody();
  b.setInsertionPointToStart(body);
  const size_t numLoops = offsets.size();
  SmallVector<OpFoldResult> operands;
  SmallVector<AffineExpr> shifted;
  for (size_t loop = 0; loop != numLoops; ++loop) {
    operands.push_back(linalg::IndexOp::create(b, loc, loop).getResult());
    shifted.push_back(b.getAffineDimExpr(loop) +
                      b.getAffineDimExpr(numLoops + loop));
  }
  llvm::append_range(operands, offsets);
  operands.push_back(OpFoldResult());
  AffineExpr first = b.getAffineDimExpr(2 * numLoops);
  for (const Read &read : reads) {
    SmallVector<Value> indices;
    for (auto [expr, window] :
         llvm::zip_equal(read.map.getResults(), read.windows)) {
      operands.back() = window.offset;
      OpFoldResult place = affine::makeComposedFoldedAffineApply(
          b, loc, expr.replaceDims(shifted) - first, operands);
      indices.push_back(getValueOrCreateConstantIndexOp(b, loc, place));
    }
    Value element = tensor::ExtractOp::create(b, loc, read.slice, indices);
    body->getArgument(read.operand).replaceAllUsesWith(element);
  }
  for (const Read &read : llvm::reverse(reads))
    body->eraseArgument(read.operand);
}

/// The op through other maps, without the operands that the body reads.
static Operation *emitGeneric(OpBuilder &b, linalg::LinalgOp op,
                              const TileWindows &tile, ArrayRef<Value> operands,
                              ArrayRef<AffineMap> maps, ArrayRef<Read> reads) {
  const Location loc = op.getLoc();
  const unsigned numInputs = op.getNumDpsInputs();
  SmallVector<Value> inputs, inits(operands.drop_front(numInputs));
  SmallVector<AffineMap> left;
  for (unsigned i = 0; i != operands.size(); ++i) {
    if (llvm::any_of(reads,
                     [&](const Read &read) { return read.operand == i; }))
      continue;
    left.push_back(maps[i]);
    if (i < numInputs)
      inputs.push_back(operands[i]);
  }
  const Type unread = getElementTypeOrSelf(inits[0]);
  // Loops whose sizes no operand has any more.
  const size_t numRead = inputs.size();
  addUnsizedLoops(b, loc, inputs, left, unread,
                  [&](unsigned loop) { return tile.getSizes()[loop]; });
  auto generic =
      linalg::GenericOp::create(b, loc, TypeRange(ValueRange(inits)), inputs,
                                inits, left, op.getIteratorTypesArray());
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (attr.getName() != linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      generic->setDiscardableAttr(attr.getName(), attr.getValue());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  linalg::offsetIndices(b, generic, tile.getOffsets());
  emitReads(b, generic, tile.getOffsets(), reads);
  if (inputs.size() != numRead)
    generic.getBody()->insertArgument(numRead, unread, loc);
  return generic;
}

FailureOr<TiledOp>
mlir::tensoraccess::emitLinalgTile(OpBuilder &b, OpResult result,
                                   const TensorRegion &region,
                                   Value destination, std::string &reason) {
  auto op = cast<linalg::LinalgOp>(result.getOwner());
  OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
  AffineMap written = op.getMatchingIndexingMap(init);
  if (!op.hasPureTensorSemantics()) {
    reason = "it has operands in memory";
    return failure();
  }
  if (!written.isProjectedPermutation()) {
    reason = "its result's dimensions are not its loops";
    return failure();
  }
  TileWindows tile(b, op, region, written);
  TiledOp tiled;
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<Read> reads;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Value value = &operand == init && destination ? destination : operand.get();
    operands.push_back(value);
    maps.push_back(map);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || tile.areWhole(map, type.getShape()))
      continue;
    SmallVector<Window> windows = tile.get(map, value);
    tiled.slices.push_back(emitSlice(b, op.getLoc(), value, windows));
    operands.back() = tiled.slices.back();
    SmallVector<AffineExpr> places = llvm::map_to_vector(
        windows, [](const Window &window) { return window.place; });
    if (!llvm::is_contained(places, AffineExpr())) {
      maps.back() = AffineMap::get(op.getNumLoops(), 0, places, b.getContext());
    } else if (op.isDpsInput(&operand)) {
      reads.push_back(
          {operand.getOperandNumber(), map, operands.back(), windows});
    } else {
      reason = "another result is written where no slice follows its loops";
      return failure();
    }
  }
  Operation *made;
  if (reads.empty() && maps == op.getIndexingMapsArray()) {
    ValueRange inits = ValueRange(operands).drop_front(op.getNumDpsInputs());
    made = mlir::clone(b, op, TypeRange(inits), operands);
    linalg::offsetIndices(b, cast<linalg::LinalgOp>(made), tile.getOffsets());
  } else {
    made = emitGeneric(b, op, tile, operands, maps, reads);
  }
  tiled.tile = made->getResult(result.getResultNumber());
  return tiled;
}

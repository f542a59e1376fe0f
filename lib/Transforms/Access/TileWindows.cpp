//===- TileWindows.cpp - What a tile reads of an operand ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The bounds of windows are those of the tile box of the operand's map, by
//      offsets and sizes of the tile's loops.
//   2. For what they have in common tiles are written over the iterations of
//      the loops around them: o = lower + step * k. A size that changes is
//      known by where it ends, inside the op's loop.
//   3. A bound that may lie outside of the operand is cut off there.
//
//===----------------------------------------------------------------------===//

#include "Access/TileWindows.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

AffineExpr TileWindows::getVariable(Value value, Interval range) {
  AffineExpr &form = variables[value];
  if (form)
    return form;
  form = getAffineDimExpr(ranges.size(), context);
  if (std::optional<CountedLoop> loop = getCountedLoop(value)) {
    range = Interval::ofExtent(loop->trips);
    form = form * loop->step + loop->lower;
  }
  ranges.push_back(range);
  return form;
}

AffineExpr TileWindows::getForm(OpFoldResult value, Interval range) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return getAffineConstantExpr(*number, context);
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, context);
  SmallVector<Value> operands = {cast<Value>(value)};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  if (!llvm::all_of(operands, getCountedLoop))
    return getVariable(cast<Value>(value), range);
  SmallVector<AffineExpr> images = llvm::map_to_vector(
      operands, [&](Value operand) { return getVariable(operand, range); });
  ArrayRef<AffineExpr> all = images;
  return map.getResult(0).replaceDimsAndSymbols(
      all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
}

TileWindows::TileWindows(OpBuilder &b, linalg::LinalgOp op,
                         const TensorRegion &region, AffineMap written)
    : b(b), loc(op.getLoc()), context(b.getContext()),
      extents(op.getStaticLoopRanges()) {
  const size_t numLoops = extents.size();
  offsets.assign(numLoops, b.getIndexAttr(0));
  cut.assign(numLoops, false);
  if (ShapedType::isDynamicShape(extents))
    sizes = affine::makeComposedFoldedMultiResultAffineApply(
        b, loc, op.getShapesToLoopsMap(),
        op.createFlatListOfOperandDims(b, loc));
  else
    sizes = getAsIndexOpFoldResult(context, extents);
  for (auto [dim, expr] : llvm::enumerate(written.getResults())) {
    const unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    cut[loop] = !isZeroInteger(region.offsets[dim]) ||
                getConstantIntValue(region.sizes[dim]) != extents[loop];
    offsets[loop] = region.offsets[dim];
    sizes[loop] = region.sizes[dim];
  }
  for (auto [size, extent] : llvm::zip_equal(sizes, extents)) {
    Interval range = Interval::ofExtent(extent);
    if (std::optional<int64_t> bound = getUpperBound(size))
      range = range.intersect({0, *bound - 1});
    ranges.push_back(range);
  }
  for (size_t loop = 0; loop != numLoops; ++loop) {
    llvm::append_values(values, offsets[loop], sizes[loop]);
    const Interval range = Interval::ofExtent(extents[loop]);
    AffineExpr offset = getForm(offsets[loop], range);
    forms.push_back(offset);
    if (std::optional<int64_t> size = getConstantIntValue(sizes[loop])) {
      forms.push_back(getAffineConstantExpr(*size, context));
      continue;
    }
    // A size that changes is known by where it ends.
    AffineExpr last = getAffineDimExpr(ranges.size(), context);
    ranges.push_back(range);
    forms.push_back(last - offset + 1);
  }
}

bool TileWindows::isCut(AffineExpr expr) const {
  for (auto [loop, isCut] : llvm::enumerate(cut))
    if (isCut && expr.isFunctionOfDim(loop))
      return true;
  return false;
}

bool TileWindows::areWhole(AffineMap map, ArrayRef<int64_t> shape) const {
  return llvm::all_of(
      llvm::zip_equal(map.getResults(), shape), [&](const auto &dim) {
        auto [expr, extent] = dim;
        auto loop = dyn_cast<AffineDimExpr>(expr);
        return !isCut(expr) &&
               (!loop || extents[loop.getPosition()] == extent ||
                ShapedType::isDynamic(extent));
      });
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

SmallVector<TileWindows::Bounds> TileWindows::getBounds(AffineMap map) const {
  SmallVector<Bounds> bounds(map.getNumResults());
  const auto loops = llvm::map_to_vector(extents, Interval::ofExtent);
  TileFailure failure;
  std::optional<TileBox> box = TileBox::ofParameters(loops).through(
      IndexingMap::fromAffineMap(map, loops), failure);
  if (!box)
    return bounds;
  // A box is over first and last indices.
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (Interval loop : loops) {
    images.push_back(builder.addDim(loop));
    images.push_back(builder.addDim(loop + 1));
  }
  FormArena &arena = builder.arena();
  for (size_t i = 0; i != images.size(); i += 2)
    images[i + 1] = arena.sub(arena.add(images[i], images[i + 1]), Form(1));
  Substitution move(arena, box->getArena(), images);
  for (const TileBox::Dim &dim : box->getDims()) {
    for (const Form &form : dim.lower)
      builder.addResult(move(form));
    for (const Form &form : dim.upper)
      builder.addResult(move(form));
  }
  AffineMap all = builder.build().toAffineMap(context);
  if (!all)
    return bounds;
  ArrayRef<AffineExpr> exprs = all.getResults();
  for (auto [dim, own] : llvm::zip_equal(box->getDims(), bounds)) {
    llvm::append_range(own.lower, exprs.take_front(dim.lower.size()));
    exprs = exprs.drop_front(dim.lower.size());
    llvm::append_range(own.upper, exprs.take_front(dim.upper.size()));
    exprs = exprs.drop_front(dim.upper.size());
  }
  return bounds;
}

TileWindows::Invariants TileWindows::compareTiles(AffineExpr expr,
                                                  const Bounds &bounds,
                                                  int64_t extent) const {
  SmallVector<AffineExpr> shifted, results;
  for (size_t loop = 0; loop != extents.size(); ++loop)
    shifted.push_back(getAffineDimExpr(loop, context) + forms[2 * loop]);
  for (AffineExpr bound :
       llvm::concat<const AffineExpr>(bounds.lower, bounds.upper))
    results.push_back(bound.replaceDims(forms));
  const size_t numLower = bounds.lower.size(), numBounds = results.size();
  if (numLower == 1)
    llvm::append_values(results, expr,
                        expr.replaceDims(shifted) - results.front());
  if (numLower == 1 && numBounds == 2)
    results.push_back(results[1] - results[0]);
  IndexingMap map = IndexingMap::fromAffineMap(
      AffineMap::get(ranges.size(), 0, results, context), ranges);
  Invariants same;
  if (map.isUnknown())
    return same;
  for (size_t i = 0; i != numLower; ++i)
    same.isInside |= map.getResultRange(i).lower >= 0;
  for (size_t i = numLower; i != numBounds; ++i)
    same.isBelow |=
        !ShapedType::isDynamic(extent) && map.getResultRange(i).upper < extent;
  if (numLower != 1 || !same.isInside)
    return same;
  const Form &place = map.getResult(numBounds + 1);
  SmallVector<char, 32> used;
  map.getArena().markUsed(place, used);
  if (place == map.getResult(numBounds))
    same.place = expr;
  else if (llvm::none_of(llvm::seq(extents.size(), ranges.size()),
                         [&](size_t v) { return v < used.size() && used[v]; }))
    same.place = map.toAffineExpr(place, context);
  if (numBounds == 2 && same.isBelow && map.getResults().back().isConstant())
    same.size = map.getResults().back().constant + 1;
  return same;
}

/// The greatest of lower bounds, or the least of upper ones.
static OpFoldResult emitBound(OpBuilder &b, Location loc,
                              ArrayRef<AffineExpr> bounds,
                              ArrayRef<OpFoldResult> operands, bool isLower) {
  AffineMap map = AffineMap::get(operands.size(), 0, bounds, b.getContext());
  if (bounds.size() == 1)
    return affine::makeComposedFoldedAffineApply(b, loc, map, operands);
  return isLower ? affine::makeComposedFoldedAffineMax(b, loc, map, operands)
                 : affine::makeComposedFoldedAffineMin(b, loc, map, operands);
}

Window TileWindows::getWindow(AffineExpr expr, Bounds bounds, Value operand,
                              unsigned dim) {
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return {offsets[loop.getPosition()], sizes[loop.getPosition()], expr};
  OpFoldResult extent = tensor::getMixedSize(b, loc, operand, dim);
  if (!isCut(expr))
    return {b.getIndexAttr(0), extent, expr};
  const Invariants same = compareTiles(
      expr, bounds, cast<ShapedType>(operand.getType()).getDimSize(dim));
  // Bounds that may leave the operand are cut off there.
  SmallVector<OpFoldResult> operands = values;
  operands.push_back(extent);
  if (!same.isInside)
    bounds.lower.push_back(getAffineConstantExpr(0, context));
  if (!same.isBelow)
    bounds.upper.push_back(getAffineDimExpr(values.size(), context) - 1);
  Window window;
  window.place = same.place;
  window.offset = emitBound(b, loc, bounds.lower, operands, /*isLower=*/true);
  if (auto loop = dyn_cast_or_null<AffineDimExpr>(same.place)) {
    window.size = sizes[loop.getPosition()];
  } else if (same.size) {
    window.size = b.getIndexAttr(*same.size);
  } else {
    OpFoldResult last =
        emitBound(b, loc, bounds.upper, operands, /*isLower=*/false);
    AffineExpr d0, d1;
    bindDims(context, d0, d1);
    window.size = affine::makeComposedFoldedAffineApply(b, loc, d0 - d1 + 1,
                                                        {last, window.offset});
  }
  return window;
}

SmallVector<Window> TileWindows::get(AffineMap map, Value operand) {
  SmallVector<Window> windows;
  for (auto [dim, pair] :
       llvm::enumerate(llvm::zip_equal(map.getResults(), getBounds(map))))
    windows.push_back(
        getWindow(std::get<0>(pair), std::get<1>(pair), operand, dim));
  return windows;
}

//===- LayoutFollow.cpp - Layouts that pass through ops -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// followLayout, by kinds of ops (LayoutModes.h explains what it returns):
//   - loop nests of linalg, through loops: order and cuts of the given tensor's
//     loops are those of every other tensor;
//   - elementwise ops on tensors: all alike;
//   - tensor.pad and tensor.extract_slice, where tiled dimensions stay whole;
//   - tensor.expand_shape and collapse_shape, where a group's dimensions lie
//     next to each other, in order, and only its last one is cut, evenly.
//
//===----------------------------------------------------------------------===//

#include "LayoutModes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether a tile leaves padding, or may do so.
static bool isPadded(int64_t size, int64_t tile) {
  return tile != 1 && (ShapedType::isDynamic(size) || size % tile != 0);
}

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

namespace {

/// What a layout of one tensor implies for the loops.
class LoopLayout {
public:
  LoopLayout(linalg::LinalgOp op, AffineMap map, const Blocking &blocking);

  /// False if the tensor is cut along something that is not a loop.
  bool isValid() const { return valid; }
  /// Whether every loop with an order has more than one iteration, too.
  bool speaksOf(unsigned loop) const { return position[loop] >= 0; }
  std::optional<Blocking> get(AffineMap map) const;

private:
  /// The loop that a dimension takes its place from.
  std::optional<unsigned> getPlaceLoop(AffineExpr expr) const;

  linalg::LinalgOp op;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> position, tile;
  bool valid = true;
};

} // namespace

std::optional<unsigned> LoopLayout::getPlaceLoop(AffineExpr expr) const {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition();
  for (unsigned loop = 0; loop < iterators.size(); ++loop)
    if (iterators[loop] == utils::IteratorType::parallel &&
        expr.isFunctionOfDim(loop))
      return loop;
  return std::nullopt;
}

LoopLayout::LoopLayout(linalg::LinalgOp op, AffineMap map,
                       const Blocking &blocking)
    : op(op), iterators(op.getIteratorTypesArray()),
      position(iterators.size(), -1), tile(iterators.size(), 1) {
  for (auto [place, dim] : llvm::enumerate(blocking.order)) {
    AffineExpr expr = map.getResult(dim);
    if (std::optional<unsigned> loop = getPlaceLoop(expr))
      if (position[*loop] < 0)
        position[*loop] = place;
    if (blocking.tile[dim] == 1)
      continue;
    auto plain = dyn_cast<AffineDimExpr>(expr);
    if (!plain || (tile[plain.getPosition()] != 1 &&
                   tile[plain.getPosition()] != blocking.tile[dim]))
      valid = false;
    else
      tile[plain.getPosition()] = blocking.tile[dim];
  }
}

std::optional<Blocking> LoopLayout::get(AffineMap map) const {
  Blocking result;
  // The places of dimensions that the layout mentions, and which go there.
  SmallVector<int64_t> places;
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto plain = dyn_cast<AffineDimExpr>(expr);
    result.tile.push_back(plain ? tile[plain.getPosition()] : 1);
    result.order.push_back(dim);
    if (!plain)
      for (auto [loop, cut] : llvm::enumerate(tile))
        if (cut != 1 && expr.isFunctionOfDim(loop))
          return std::nullopt;
    std::optional<unsigned> loop = getPlaceLoop(expr);
    if (loop && position[*loop] >= 0) {
      places.push_back(dim);
      dims.emplace_back(position[*loop], dim);
    }
  }
  llvm::sort(dims);
  for (auto [place, dim] : llvm::zip_equal(places, dims))
    result.order[place] = dim.second;
  return result;
}

static std::optional<LayoutMode> followLoops(linalg::LinalgOp op,
                                             unsigned index, bool isResult,
                                             const Blocking &blocking) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, 0))
    return std::nullopt;
  OpOperand *given =
      isResult ? op.getDpsInitOperand(index) : &op->getOpOperand(index);
  LoopLayout loops(op, op.getMatchingIndexingMap(given), blocking);
  if (!loops.isValid())
    return std::nullopt;
  // A bias does not restrict the layout of the image that it is added to.
  if (!isResult && !op.isDpsInit(given))
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (type == utils::IteratorType::parallel && sizes[loop] != 1 &&
          !loops.speaksOf(loop))
        return std::nullopt;
  LayoutMode mode;
  mode.name = "follow";
  bool padded = false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type) {
      mode.operands.push_back(std::nullopt);
      continue;
    }
    std::optional<Blocking> layout =
        loops.get(op.getMatchingIndexingMap(&operand));
    if (!layout)
      return std::nullopt;
    for (auto [size, tile] : llvm::zip_equal(type.getShape(), layout->tile))
      padded |= isPadded(size, tile);
    mode.operands.push_back(layout);
  }
  if (padded && !isHarmlessOnPadding(op))
    return std::nullopt;
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
    mode.results.push_back(
        mode.operands[op.getDpsInitOperand(i)->getOperandNumber()]);
  return mode;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// A layout of the finer shape as one of the coarser.
static std::optional<Blocking>
collapseLayout(const Blocking &fine, ArrayRef<int64_t> fineShape,
               ArrayRef<ReassociationIndices> groups) {
  Blocking coarse;
  coarse.tile.assign(groups.size(), 1);
  SmallVector<int64_t> group(fineShape.size(), 0);
  for (auto [g, dims] : llvm::enumerate(groups))
    for (int64_t dim : dims)
      group[dim] = g;
  int64_t last = -1;
  SmallVector<int64_t> taken(groups.size(), -1);
  for (int64_t dim : fine.order) {
    if (fineShape[dim] == 1)
      continue;
    int64_t g = group[dim];
    if (taken[g] < 0)
      coarse.order.push_back(g);
    // Next to each other and in order.
    else if (last != g || taken[g] > dim)
      return std::nullopt;
    taken[g] = dim;
    last = g;
  }
  for (auto [g, dims] : llvm::enumerate(groups)) {
    if (taken[g] < 0) {
      coarse.order.insert(coarse.order.begin(), g);
      continue;
    }
    for (int64_t dim : dims) {
      int64_t tile = fine.tile[dim];
      if (tile == 1)
        continue;
      bool alone = llvm::all_of(dims, [&](int64_t other) {
        return other == dim || fineShape[other] == 1;
      });
      if (!alone && (dim != taken[g] || fineShape[dim] % tile != 0))
        return std::nullopt;
      coarse.tile[g] = tile;
    }
  }
  return coarse;
}

/// The other way round.
static std::optional<Blocking>
expandLayout(const Blocking &coarse, ArrayRef<int64_t> fineShape,
             ArrayRef<ReassociationIndices> groups) {
  Blocking fine;
  fine.tile.assign(fineShape.size(), 1);
  for (int64_t g : coarse.order) {
    llvm::append_range(fine.order, groups[g]);
    if (coarse.tile[g] == 1)
      continue;
    int64_t last = -1, count = 0;
    for (int64_t dim : groups[g])
      if (fineShape[dim] != 1) {
        last = dim;
        ++count;
      }
    if (last < 0 || (count > 1 && fineShape[last] % coarse.tile[g] != 0))
      return std::nullopt;
    fine.tile[last] = coarse.tile[g];
  }
  // A scalar's dimensions of size 1.
  for (int64_t dim : llvm::seq<int64_t>(0, fineShape.size()))
    if (!llvm::is_contained(fine.order, dim))
      fine.order.push_back(dim);
  return fine;
}

static std::optional<LayoutMode>
followReshape(ArrayRef<int64_t> fineShape,
              ArrayRef<ReassociationIndices> groups, bool isExpand,
              bool isResult, const Blocking &blocking, unsigned numOperands) {
  if (!areDynamicSizesKept(fineShape, groups))
    return std::nullopt;
  bool givenIsFine = isExpand == isResult;
  std::optional<Blocking> other =
      givenIsFine ? collapseLayout(blocking, fineShape, groups)
                  : expandLayout(blocking, fineShape, groups);
  if (!other)
    return std::nullopt;
  LayoutMode mode;
  mode.name = "follow";
  mode.operands.resize(numOperands);
  mode.operands[0] = isResult ? *other : blocking;
  mode.results.push_back(isResult ? blocking : *other);
  return mode;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

static std::optional<LayoutMode> followSame(Operation *op,
                                            const Blocking &blocking,
                                            ArrayRef<bool> mustBeWhole) {
  for (auto [tile, whole] : llvm::zip_equal(blocking.tile, mustBeWhole))
    if (whole && tile != 1)
      return std::nullopt;
  LayoutMode mode;
  mode.name = "follow";
  mode.operands.resize(op->getNumOperands());
  mode.operands[0] = blocking;
  mode.results.push_back(blocking);
  return mode;
}

std::optional<LayoutMode>
mlir::tensoraccess::followLayout(Operation *op, unsigned index, bool isResult,
                                 const Blocking &blocking) {
  if (!hasPlainTypes(op))
    return std::nullopt;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return followLoops(linalgOp, index, isResult, blocking);
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    // A value that depends on the place would have to be computed there.
    if (!isResult && index != 0)
      return std::nullopt;
    if (!pad.getConstantPaddingValue())
      return std::nullopt;
    SmallVector<bool> whole;
    for (auto [low, high] :
         llvm::zip_equal(pad.getMixedLowPad(), pad.getMixedHighPad()))
      whole.push_back(!isZeroInteger(low) || !isZeroInteger(high));
    return followSame(op, blocking, whole);
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if ((!isResult && index != 0) ||
        slice.getSourceType().getRank() != slice.getType().getRank())
      return std::nullopt;
    SmallVector<bool> whole;
    for (auto [before, after] : llvm::zip_equal(
             slice.getSourceType().getShape(), slice.getType().getShape()))
      whole.push_back(before != after);
    return followSame(op, blocking, whole);
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return followReshape(expand.getResultType().getShape(),
                         expand.getReassociationIndices(), true, isResult,
                         blocking, op->getNumOperands());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return followReshape(collapse.getSrcType().getShape(),
                         collapse.getReassociationIndices(), false, isResult,
                         blocking, op->getNumOperands());
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumRegions() == 0 &&
      op->getNumResults() == 1) {
    LayoutMode mode;
    mode.name = "follow";
    bool padded = false;
    auto add = [&](SmallVectorImpl<std::optional<Blocking>> &list, Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      list.push_back(tensor ? std::optional(blocking) : std::nullopt);
      if (tensor)
        for (auto [size, tile] :
             llvm::zip_equal(tensor.getShape(), blocking.tile))
          padded |= isPadded(size, tile);
    };
    for (Type type : op->getOperandTypes())
      add(mode.operands, type);
    for (Type type : op->getResultTypes())
      add(mode.results, type);
    if (padded && !isHarmlessOnPadding(op))
      return std::nullopt;
    return mode;
  }
  return std::nullopt;
}

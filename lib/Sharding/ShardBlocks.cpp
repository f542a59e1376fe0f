//===- ShardBlocks.cpp - Blocks of one op ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops have blocks, and what they read; ops that move elements are in
// ShardMoves.cpp.
//
// A linalg op on a block is the op itself, on blocks of its operands: with
// iteration d = d' + first, an operand is read at map(d' + first), whose least
// value, in each dimension, is where its block begins. What is left is the map
// of the op on blocks. It is the map of the whole op where that is linear with
// factors of at least 0 and without a constant; a generic op takes any other.
//
//===----------------------------------------------------------------------===//

#include "ShardBlocks.h"
#include "ShardMoves.h"
#include "TensorAccess/Sharding/Sharding.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

RankedTensorType mlir::tensoraccess::getBlockType(Type whole, const Box &box) {
  return RankedTensorType::get(getBoxSizes(box),
                               cast<ShapedType>(whole).getElementType());
}

static SmallVector<OpFoldResult> getFolded(OpBuilder &builder,
                                           ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

Value mlir::tensoraccess::emitSlice(OpBuilder &builder, Location loc,
                                    Value tensor, const Box &box) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> sizes = getBoxSizes(box);
  if (type.getShape() == ArrayRef(sizes))
    return tensor;
  SmallVector<int64_t> ones(sizes.size(), 1);
  return tensor::ExtractSliceOp::create(
      builder, loc, getBlockType(type, box), tensor, getFolded(builder, box.lo),
      getFolded(builder, sizes), getFolded(builder, ones));
}

Operation *mlir::tensoraccess::cloneWith(OpBuilder &builder, Operation *op,
                                         TypeRange types, ValueRange operands,
                                         IRMapping &mapping) {
  OperationState state(op->getLoc(), op->getName(), operands, types,
                       op->getDiscardableAttrDictionary().getValue());
  for (StringRef name : {StringRef(kCutName), StringRef(kDistributionName),
                         StringRef("linalg.memoized_indexing_maps")})
    state.attributes.erase(name);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    region.cloneInto(state.addRegion(), mapping);
  return builder.create(state);
}

//===----------------------------------------------------------------------===//
// Free values
//===----------------------------------------------------------------------===//

bool mlir::tensoraccess::isFree(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  return isa<arith::ConstantOp, tensor::EmptyOp, tensor::SplatOp>(op) ||
         (isa<linalg::FillOp>(op) &&
          !isa<ShapedType>(op->getOperand(0).getType()));
}

/// The elements of a dense constant in a block; null where their bytes are not
/// to be had.
static DenseElementsAttr sliceConstant(DenseElementsAttr elements,
                                       const Box &block) {
  auto type = getBlockType(elements.getType(), block);
  if (elements.isSplat() || type.getNumElements() == 0)
    return type.getNumElements() == 0
               ? DenseElementsAttr::get(type, ArrayRef<Attribute>())
               : elements.resizeSplat(type);
  if (type == elements.getType())
    return elements;
  Type element = type.getElementType();
  if (!element.isIntOrIndexOrFloat())
    return {};
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  if (bits % 8 != 0 || elements.getRawData().size() !=
                           size_t(elements.getNumElements() * (bits / 8)))
    return {};
  const int64_t bytes = bits / 8;
  ArrayRef<int64_t> whole = elements.getType().getShape();
  std::vector<char> data;
  data.reserve(type.getNumElements() * bytes);
  SmallVector<int64_t> at(block.lo);
  const size_t rank = at.size();
  // Runs along the last dimension.
  const int64_t run = (block.hi[rank - 1] - block.lo[rank - 1]) * bytes;
  do {
    int64_t place = 0;
    for (size_t d = 0; d < rank; ++d)
      place = place * whole[d] + at[d];
    const char *from = elements.getRawData().data() + place * bytes;
    data.insert(data.end(), from, from + run);
  } while (nextIndex(MutableArrayRef(at).drop_back(), block.hi, block.lo));
  return DenseElementsAttr::getFromRawBuffer(type, data);
}

Value mlir::tensoraccess::emitFreeBlock(OpBuilder &builder, Operation *op,
                                        const Box &block,
                                        const IRMapping &mapping) {
  Location loc = op->getLoc();
  auto type = getBlockType(op->getResult(0).getType(), block);
  if (isa<tensor::EmptyOp>(op) || type.getNumElements() == 0)
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
      if (DenseElementsAttr part = sliceConstant(elements, block))
        return arith::ConstantOp::create(builder, loc, part);
    IRMapping none;
    return emitSlice(builder, loc, builder.clone(*op, none)->getResult(0),
                     block);
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return tensor::SplatOp::create(
        builder, loc, type, mapping.lookup(splat.getInput()), ValueRange());
  auto fill = cast<linalg::FillOp>(op);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return linalg::FillOp::create(builder, loc,
                                mapping.lookup(fill.getInputs()[0]), empty)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Linalg
//===----------------------------------------------------------------------===//

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

/// Tensors of known shape, and scalars.
static bool hasStaticOperands(Operation *op) {
  return llvm::all_of(op->getOperandTypes(),
                      [](Type type) {
                        return !isa<ShapedType>(type) || isStaticTensor(type);
                      }) &&
         llvm::all_of(op->getResultTypes(), isStaticTensor);
}

namespace {
/// The range of a form over a box of iterations, both ends included.
struct FormEnds {
  int64_t least = 0, greatest = 0;
};
} // namespace

/// None on overflow and for a form that is no form of dims. Divisors of
/// floordiv, ceildiv and mod are positive constants, as linalg has them.
static std::optional<FormEnds> getEnds(AffineExpr expr, const Box &box) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return FormEnds{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return FormEnds{box.lo[dim.getPosition()], box.hi[dim.getPosition()] - 1};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<FormEnds> a = getEnds(binary.getLHS(), box);
  std::optional<FormEnds> b = getEnds(binary.getRHS(), box);
  FormEnds out;
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    if (llvm::AddOverflow(a->least, b->least, out.least) ||
        llvm::AddOverflow(a->greatest, b->greatest, out.greatest))
      return std::nullopt;
    return out;
  }
  if (b->least != b->greatest)
    return std::nullopt;
  int64_t value = b->least;
  if (expr.getKind() == AffineExprKind::Mul) {
    if (llvm::MulOverflow(a->least, value, out.least) ||
        llvm::MulOverflow(a->greatest, value, out.greatest))
      return std::nullopt;
    if (value < 0)
      std::swap(out.least, out.greatest);
    return out;
  }
  if (value < 1)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return FormEnds{llvm::divideFloorSigned(a->least, value),
                    llvm::divideFloorSigned(a->greatest, value)};
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return FormEnds{llvm::divideCeilSigned(a->least, value),
                    llvm::divideCeilSigned(a->greatest, value)};
  // mod: all of it, unless the quotient stays the same.
  int64_t first = llvm::divideFloorSigned(a->least, value);
  if (first == llvm::divideFloorSigned(a->greatest, value))
    return FormEnds{a->least - first * value, a->greatest - first * value};
  return FormEnds{0, value - 1};
}

/// The loops of a linalg op whose operands all have maps that `getEnds` can
/// bound.
static std::optional<OpLoops> getLinalgLoops(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  OpLoops loops;
  llvm::append_range(loops.extents, op.getStaticLoopRanges());
  llvm::append_range(loops.kinds, op.getIteratorTypesArray());
  if (loops.extents.size() != loops.kinds.size() ||
      llvm::any_of(loops.extents, ShapedType::isDynamic))
    return std::nullopt;
  Box all = getWholeBox(loops.extents);
  if (!all.isEmpty())
    for (OpOperand &operand : op->getOpOperands())
      if (!getOperandBlock(operand, all))
        return std::nullopt;
  return loops;
}

/// See the top. The map of an operand on blocks.
static AffineMap getBlockMap(AffineMap map, const Box &iterations,
                             const Box &block) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims, results;
  for (auto [i, lo] : llvm::enumerate(iterations.lo))
    dims.push_back(getAffineDimExpr(i, context) + lo);
  for (auto [expr, lo] : llvm::zip_equal(map.getResults(), block.lo))
    results.push_back(simplifyAffineExpr(expr.replaceDims(dims) - lo,
                                         dims.size(), /*numSymbols=*/0));
  return AffineMap::get(dims.size(), 0, results, context);
}

static FailureOr<SmallVector<Value>>
emitLinalg(OpBuilder &builder, linalg::LinalgOp op, const Box &iterations,
           ValueRange operands, IRMapping &mapping) {
  SmallVector<Attribute> maps;
  bool isSame = true;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Box block = isa<ShapedType>(operand.get().getType())
                    ? *getOperandBlock(operand, iterations)
                    : Box();
    AffineMap own = getBlockMap(map, iterations, block);
    isSame &= own == map;
    maps.push_back(AffineMapAttr::get(own));
  }
  SmallVector<Type> types;
  for (Value init : operands.drop_front(op.getNumDpsInputs()))
    types.push_back(init.getType());
  Operation *made;
  if (isSame || isa<linalg::GenericOp>(op)) {
    made = cloneWith(builder, op, types, operands, mapping);
    if (auto generic = dyn_cast<linalg::GenericOp>(made))
      generic.setIndexingMapsAttr(builder.getArrayAttr(maps));
  } else {
    SmallVector<Attribute> kinds;
    for (utils::IteratorType kind : op.getIteratorTypesArray())
      kinds.push_back(
          linalg::IteratorTypeAttr::get(builder.getContext(), kind));
    auto generic = linalg::GenericOp::create(
        builder, op.getLoc(), types, operands.take_front(op.getNumDpsInputs()),
        operands.drop_front(op.getNumDpsInputs()), builder.getArrayAttr(maps),
        builder.getArrayAttr(kinds), nullptr, nullptr);
    op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
    made = generic;
  }
  OpBuilder::InsertionGuard guard(builder);
  linalg::offsetIndices(builder, cast<linalg::LinalgOp>(made),
                        getFolded(builder, iterations.lo));
  return SmallVector<Value>(made->getResults());
}

Operation *mlir::tensoraccess::findCombiner(OpResult result,
                                            std::string &reason) {
  auto op = dyn_cast<linalg::LinalgOp>(result.getOwner());
  SmallVector<Operation *, 4> combiners;
  if (!op ||
      !matchReduction(op.getRegionOutputArgs(), result.getResultNumber(),
                      combiners) ||
      combiners.size() != 1) {
    reason = "is no reduction by one op";
    return nullptr;
  }
  Operation *combiner = combiners.front();
  if (combiner->getNumOperands() != 2 ||
      combiner->getOperand(0) == combiner->getOperand(1) ||
      !arith::getNeutralElement(combiner)) {
    reason = "reduces by " + combiner->getName().getStringRef().str() +
             ", which has no neutral element";
    return nullptr;
  }
  return combiner;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// Computes elements one by one, each operand at the same place.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 && op->getNumRegions() == 0;
}

std::optional<OpLoops> mlir::tensoraccess::getLoops(Operation *op) {
  if (!hasStaticOperands(op) || op->getNumResults() == 0)
    return std::nullopt;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return getLinalgLoops(linalgOp);
  if (!isElementwise(op) && !isMove(op))
    return std::nullopt;
  OpLoops loops;
  llvm::append_range(
      loops.extents,
      cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  loops.kinds.assign(loops.extents.size(), utils::IteratorType::parallel);
  return loops;
}

std::optional<Box> mlir::tensoraccess::getOperandBlock(OpOperand &operand,
                                                       const Box &iterations) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  Box block;
  if (!type)
    return block;
  Operation *op = operand.getOwner();
  if (iterations.isEmpty()) {
    block.lo.assign(type.getRank(), 0);
    block.hi = block.lo;
    return block;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return isMove(op) ? getMoveBlock(operand, iterations) : iterations;
  AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
  for (auto [d, expr] : llvm::enumerate(map.getResults())) {
    std::optional<FormEnds> ends = getEnds(expr, iterations);
    // Hulls of floordiv and mod may reach further than the tensor.
    if (!ends)
      return std::nullopt;
    block.lo.push_back(std::clamp<int64_t>(ends->least, 0, type.getDimSize(d)));
    block.hi.push_back(
        std::clamp<int64_t>(std::max(ends->greatest, ends->greatest + 1),
                            block.lo.back(), type.getDimSize(d)));
  }
  return block;
}

std::optional<Distribution>
mlir::tensoraccess::getResultCut(OpResult result, const Distribution &cut,
                                 std::string &reason) {
  auto op = dyn_cast<linalg::LinalgOp>(result.getOwner());
  if (!op)
    return cut;
  AffineMap map =
      op.getMatchingIndexingMap(op.getDpsInitOperand(result.getResultNumber()));
  Distribution out = Distribution::replicated(map.getNumResults());
  SmallVector<bool> isSeen(cut.dims.size(), false);
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      out.dims[i] = cut.dims[dim.getPosition()];
      if (isSeen[dim.getPosition()] && !out.dims[i].empty()) {
        reason = "is written along loop d" + std::to_string(dim.getPosition()) +
                 " twice";
        return std::nullopt;
      }
      isSeen[dim.getPosition()] = true;
      continue;
    }
    bool isCut = false;
    expr.walk([&](AffineExpr inner) {
      if (auto dim = dyn_cast<AffineDimExpr>(inner))
        isCut |= !cut.dims[dim.getPosition()].empty();
    });
    if (isCut) {
      reason =
          "is not written along one loop in dimension " + std::to_string(i);
      return std::nullopt;
    }
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [d, axes] : llvm::enumerate(cut.dims)) {
    if (axes.empty() || isSeen[d])
      continue;
    if (kinds[d] != utils::IteratorType::reduction) {
      reason = "does not depend on loop d" + std::to_string(d) +
               ", which is no reduction";
      return std::nullopt;
    }
    llvm::append_range(out.partial, axes);
  }
  return out;
}

FailureOr<SmallVector<Value>>
mlir::tensoraccess::emitBlock(OpBuilder &builder, Operation *op,
                              const Box &iterations, ValueRange operands,
                              IRMapping &mapping) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return emitLinalg(builder, linalgOp, iterations, operands, mapping);
  if (isMove(op))
    return SmallVector<Value>{
        emitMove(builder, op, iterations, operands, mapping)};
  return SmallVector<Value>(
      cloneWith(builder, op,
                getBlockType(op->getResult(0).getType(), iterations), operands,
                mapping)
          ->getResults());
}

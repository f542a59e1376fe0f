//===- Blocks.cpp - Blocks of one op --------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops have blocks, and what they read; ops that move elements are in
// Moves.cpp.
//
// A linalg op on a block is the op itself, on blocks of its operands: with
// iteration d = d' + first, an operand is read at map(d' + first), whose least
// value, in each dimension, is where its block begins. What is left is the map
// of the op on blocks. It is the map of the whole op where that is linear with
// factors of at least 0 and without a constant; a generic op takes any other.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cut/Blocks.h"
#include "Moves.h"
#include "TensorAccess/Analysis/ShardedProgram.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

RankedTensorType mlir::tensoraccess::getBlockType(Type whole, const Box &box) {
  return RankedTensorType::get(getBoxSizes(box),
                               cast<ShapedType>(whole).getElementType());
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

/// The elements of a dense constant in a block; null if their bytes are not
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

static SmallVector<Value> emitLinalg(OpBuilder &builder, const BlockOp &block,
                                     const Box &iterations, ValueRange operands,
                                     IRMapping &mapping) {
  auto op = cast<linalg::LinalgOp>(block.op);
  SmallVector<Attribute> maps;
  bool isSame = true;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    const unsigned number = operand.getOperandNumber();
    const std::optional<unsigned> result = block.getResultOf(number);
    const std::optional<BlockAccess> &access =
        result ? block.results[*result] : block.operands[number];
    Box touched =
        access ? getTouched(*access, block.extents, iterations) : Box();
    AffineMap own = getBlockMap(map, iterations, touched);
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

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

bool mlir::tensoraccess::isMadeByLoops(const BlockOp &op) {
  return llvm::all_of(op.results, [](const std::optional<BlockAccess> &result) {
    llvm::SmallDenseSet<unsigned> seen;
    return llvm::all_of(llvm::zip_equal(result->rows, result->shape),
                        [&](auto pair) {
                          auto [row, size] = pair;
                          std::optional<unsigned> loop = row.getDim();
                          return loop ? seen.insert(*loop).second : size == 1;
                        });
  });
}

std::optional<Distribution>
mlir::tensoraccess::getResultCut(const BlockOp &op, unsigned result,
                                 const Distribution &cut, std::string &reason) {
  const BlockAccess &access = *op.results[result];
  Distribution out = Distribution::replicated(access.rows.size());
  llvm::SmallBitVector isSeen(cut.dims.size());
  for (auto [i, row] : llvm::enumerate(access.rows)) {
    if (std::optional<unsigned> dim = row.getDim()) {
      out.dims[i] = cut.dims[*dim];
      if (isSeen.test(*dim) && !out.dims[i].empty()) {
        reason = "is written along loop d" + std::to_string(*dim) + " twice";
        return std::nullopt;
      }
      isSeen.set(*dim);
      continue;
    }
    if (llvm::any_of(row.terms, [&](const auto &term) {
          return !cut.dims[term.first].empty();
        })) {
      reason =
          "is not written along one loop in dimension " + std::to_string(i);
      return std::nullopt;
    }
  }
  for (auto [d, axes] : llvm::enumerate(cut.dims)) {
    if (axes.empty() || isSeen.test(d))
      continue;
    if (!op.isReduction[d]) {
      reason = "does not depend on loop d" + std::to_string(d) +
               ", which is not a reduction";
      return std::nullopt;
    }
    llvm::append_range(out.partial, axes);
  }
  return out;
}

SmallVector<Value> mlir::tensoraccess::emitBlock(OpBuilder &builder,
                                                 const BlockOp &op,
                                                 const Box &iterations,
                                                 ValueRange operands,
                                                 IRMapping &mapping) {
  if (isa<linalg::LinalgOp>(op.op))
    return emitLinalg(builder, op, iterations, operands, mapping);
  if (op.kind == BlockOpKind::Movement)
    return {emitMove(builder, op, iterations, operands, mapping)};
  return cloneWith(builder, op.op,
                   getBlockType(op.op->getResult(0).getType(), iterations),
                   operands, mapping)
      ->getResults();
}

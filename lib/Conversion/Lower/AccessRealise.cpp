//===- AccessRealise.cpp - Views that are written out ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view that has to exist in memory is one of
//   View      one piece of one base: a reshape, or one loop that copies;
//   Boxes     pieces that hold on boxes: the background is filled in, each
//   piece
//             is inserted at its place;
//   Operands  a padding or concatenation whose pieces hold on no boxes
//   (interior
//             padding): the operands are inserted at their places, with
//             strides.
// Anything else is made so by writing out a movement op on the way, at worst
// the operands of the last one.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Reshape.h"

#include "AccessLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::isBoxes(const AccessForm &form) {
  return llvm::all_of(form.access.getPieces(), [](const AccessPiece &piece) {
    return piece.map.isOrdinary() && piece.map.getNumSymbols() == 0 &&
           piece.map.getConstraints().empty();
  });
}

AccessLowering::Realisation &
AccessLowering::planRealisation(PatternValue pattern) {
  auto [found, isNew] = realisations.try_emplace(pattern);
  Realisation &realisation = found->second;
  if (!isNew)
    return realisation;
  using Kind = Realisation::Kind;
  auto goal = [](const AccessForm &form) {
    return isSimple(form) || isBoxes(form);
  };
  Operation *op = pattern.getDefiningOp();
  AccessForm form = forms.get(pattern);
  if (!goal(form)) {
    int64_t cost;
    auto joined =
        writeJoints(pattern, /*isTuple=*/false, /*without=*/true, goal, cost);
    if (joined) {
      form = joined->front();
    } else if (isa<PadOp, ConcatOp>(op)) {
      realisation.kind = Kind::Operands;
      return realisation;
    } else {
      AccessForms trial;
      for (Value operand : op->getOperands())
        trial.setBase(operand);
      form = trial.get(pattern);
    }
  }
  realisation.kind = isSimple(form) ? Kind::View : Kind::Boxes;
  realisation.form = std::move(form);
  return realisation;
}

SmallVector<Value> AccessLowering::getRealisationBases(PatternValue pattern) {
  if (isDynamic(pattern))
    return getDynamicBases(pattern);
  const Realisation &realisation = planRealisation(pattern);
  if (realisation.form)
    return SmallVector<Value>(realisation.form->bases.begin(),
                              realisation.form->bases.end());
  return getDynamicBases(pattern);
}

Value AccessLowering::emitCopy(Location loc, const OperandView &view,
                               Type elementType, ArrayRef<OpFoldResult> sizes) {
  if (view.isRowMajor()) {
    auto type = cast<RankedTensorType>(view.base.getType());
    return reshapeTensor(rewriter, loc, view.base,
                         *toFormShape(type.getShape()), view.digits->getShape(),
                         sizes);
  }
  LoopPlan plan = planLoops(rewriter, loc, view, sizes,
                            /*accessRank=*/sizes.size());
  linalg::GenericOp copy = emitLoops(
      rewriter, loc, plan, elementType, /*init=*/nullptr,
      [](OpBuilder &, Location, ValueRange in, Value) { return in[0]; });
  return fitResult(rewriter, loc, copy.getResult(0), plan, sizes);
}

/// The box as a slice of the base, where the map only shifts and steps. The box
/// has `numbers` as sizes, of which unknown ones are in `sizes`.
static Value extractBox(OpBuilder &b, Location loc, Value base, AffineMap map,
                        ArrayRef<int64_t> numbers,
                        ArrayRef<OpFoldResult> sizes) {
  if (map.getNumResults() != map.getNumDims())
    return Value();
  SmallVector<OpFoldResult> offsets, strides;
  for (auto [i, expr, size] : llvm::enumerate(map.getResults(), numbers)) {
    AffineMap alone = AffineMap::get(map.getNumDims(), 0, expr);
    SmallVector<int64_t> at(map.getNumDims(), 0);
    int64_t first = alone.compose(at)[0];
    at[i] = 1;
    int64_t stride = alone.compose(at)[0] - first;
    AffineExpr linear = getAffineDimExpr(i, b.getContext()) * stride + first;
    if (size == 1 && expr == getAffineConstantExpr(first, b.getContext()))
      stride = 1;
    else if (expr != linear || stride <= 0)
      return Value();
    offsets.push_back(b.getIndexAttr(first));
    strides.push_back(b.getIndexAttr(stride));
  }
  return extractPart(b, loc, base, offsets, sizes, strides);
}

Value AccessLowering::emitBoxes(Location loc, Type elementType,
                                ArrayRef<OpFoldResult> shape,
                                const AccessForm &form) {
  MLIRContext *context = rewriter.getContext();
  Value result =
      createFilled(rewriter, loc, shape, elementType, form.getBackground());
  SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
  for (const AccessPiece &piece : form.access.getPieces()) {
    SmallVector<int64_t> lower, numbers;
    SmallVector<OpFoldResult> sizes;
    SmallVector<Interval> box;
    SmallVector<AffineExpr> shifted;
    for (auto [i, range] : llvm::enumerate(piece.map.getDimRanges())) {
      lower.push_back(range.lower);
      numbers.push_back(range.upper - range.lower + 1);
      sizes.push_back(isUnknownExtent(form.access.getShape()[i])
                          ? shape[i]
                          : rewriter.getIndexAttr(numbers.back()));
      box.push_back({0, numbers.back() - 1});
      shifted.push_back(getAffineDimExpr(i, context) + range.lower);
    }
    if (llvm::is_contained(numbers, 0))
      continue;
    Value part;
    if (piece.source.kind == SourceKind::Operand) {
      Value base = getTensor(form.getBase(piece));
      AffineMap map = piece.map.toAffineMap(context).compose(
          AffineMap::get(shape.size(), 0, shifted, context));
      part = extractBox(rewriter, loc, base, map, numbers, sizes);
      if (!part) {
        OperandForm operand;
        operand.base = form.getBase(piece);
        operand.map = IndexingMap::fromAffineMap(map, box).simplify();
        part =
            emitCopy(loc, getView(loc, operand, numbers), elementType, sizes);
      }
    } else {
      part = createFilled(rewriter, loc, sizes, elementType,
                          form.getConstant(piece));
    }
    result = insertPart(rewriter, loc, part, result,
                        getAsIndexOpFoldResult(context, lower), sizes, ones);
  }
  return result;
}

Value AccessLowering::emitMovement(PatternValue pattern) {
  if (isDynamic(pattern))
    return emitDynamicMovement(pattern);
  Operation *op = pattern.getDefiningOp();
  AccessType type = pattern.getType();
  const Realisation &realisation = planRealisation(pattern);
  switch (realisation.kind) {
  case Realisation::Kind::View: {
    OperandForm operand = getOperand(*realisation.form, type.getElementType());
    SmallVector<OpFoldResult> sizes = getSizesOf(pattern);
    if (!operand.base)
      return createFilled(rewriter, op->getLoc(), sizes, type.getElementType(),
                          operand.constant);
    return emitCopy(op->getLoc(),
                    getView(op->getLoc(), operand, getBaseShape(pattern)),
                    type.getElementType(), sizes);
  }
  case Realisation::Kind::Boxes:
    return emitBoxes(op->getLoc(), type.getElementType(), getSizesOf(pattern),
                     *realisation.form);
  case Realisation::Kind::Operands:
    return emitDynamicMovement(pattern);
  }
  llvm_unreachable("unknown kind of realisation");
}

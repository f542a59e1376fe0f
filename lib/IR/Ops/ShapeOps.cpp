//===- ShapeOps.cpp - Ops that keep the row-major order -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op's constraints C1…Cn are stated in TensorAccessOps.td and checked
// here, in type inference where the op has one: MLIR then compares the inferred
// type with the one that is written down.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "Types/OpHelpers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// access, to_tensor
//===----------------------------------------------------------------------===//

LogicalResult AccessOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto tensor = cast<RankedTensorType>(adaptor.getTensor().getType());
  int64_t axis = adaptor.getAxis();
  // C1
  if (axis < 0 || axis > tensor.getRank())
    return emitOptionalError(loc, "access axis must lie in [0, ",
                             tensor.getRank(), "], got ", axis);
  ArrayRef<int64_t> shape = tensor.getShape();
  FailureOr<AccessType> type =
      getCheckedType(loc, context, shape.take_front(axis),
                     shape.drop_front(axis), tensor.getElementType());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

/// access(to_tensor(p)) = p where the split is the same.
OpFoldResult AccessOp::fold(FoldAdaptor) {
  auto toTensor = getTensor().getDefiningOp<ToTensorOp>();
  if (toTensor && toTensor.getPattern().getType() == getType())
    return toTensor.getPattern();
  return {};
}

LogicalResult ToTensorOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(
      cast<AccessType>(adaptor.getPattern().getType()).getTensorType());
  return success();
}

/// to_tensor(access(t)) = t.
OpFoldResult ToTensorOp::fold(FoldAdaptor) {
  auto access = getPattern().getDefiningOp<AccessOp>();
  if (access && access.getTensor().getType() == getType())
    return access.getTensor();
  return {};
}

//===----------------------------------------------------------------------===//
// shift_right
//===----------------------------------------------------------------------===//

LogicalResult ShiftRightOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  int64_t by = adaptor.getBy();
  // C1
  if (by < 0 || by > type.getAccessRank())
    return emitOptionalError(loc, "the shift must lie in [0, ",
                             type.getAccessRank(), "], got ", by);
  types.push_back(getSplit(type.getShape(), type.getAccessRank() - by,
                           type.getElementType()));
  return success();
}

/// shift_right by 0 = nothing; shift_right of shift_right = one.
OpFoldResult ShiftRightOp::fold(FoldAdaptor) {
  if (getBy() == 0)
    return getPattern();
  auto inner = getPattern().getDefiningOp<ShiftRightOp>();
  if (!inner)
    return {};
  setBy(getBy() + inner.getBy());
  getPatternMutable().assign(inner.getPattern());
  return getResult();
}

//===----------------------------------------------------------------------===//
// squeeze, insert_axis
//===----------------------------------------------------------------------===//

LogicalResult SqueezeOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  int64_t axis = adaptor.getAxis();
  // C1
  if (axis < 0 || axis >= type.getRank())
    return emitOptionalError(loc, "squeeze axis must lie in [0, ",
                             type.getRank() - 1, "], got ", axis);
  SmallVector<int64_t> shape = type.getShape();
  // C2
  if (shape[axis] != 1)
    return emitOptionalError(loc, "squeezed dimension ", axis,
                             " must have size 1, got ",
                             shapeToString(shape[axis]));
  shape.erase(shape.begin() + axis);
  int64_t split = type.getAccessRank() - (axis < type.getAccessRank());
  types.push_back(getSplit(shape, split, type.getElementType()));
  return success();
}

/// squeeze of the axis that insert_axis inserted = nothing, if the split is the
/// same again.
OpFoldResult SqueezeOp::fold(FoldAdaptor) {
  auto insert = getPattern().getDefiningOp<InsertAxisOp>();
  if (insert && insert.getAxis() == getAxis() &&
      insert.getPattern().getType() == getType())
    return insert.getPattern();
  return {};
}

LogicalResult InsertAxisOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  int64_t axis = adaptor.getAxis();
  // C1
  if (axis < 0 || axis > type.getRank())
    return emitOptionalError(loc, "inserted axis must lie in [0, ",
                             type.getRank(), "], got ", axis);
  SmallVector<int64_t> shape = type.getShape();
  shape.insert(shape.begin() + axis, 1);
  int64_t split = type.getAccessRank() + (axis <= type.getAccessRank());
  types.push_back(getSplit(shape, split, type.getElementType()));
  return success();
}

/// insert_axis where squeeze took it = nothing, if the split is the same again.
OpFoldResult InsertAxisOp::fold(FoldAdaptor) {
  auto squeeze = getPattern().getDefiningOp<SqueezeOp>();
  if (squeeze && squeeze.getAxis() == getAxis() &&
      squeeze.getPattern().getType() == getType())
    return squeeze.getPattern();
  return {};
}

//===----------------------------------------------------------------------===//
// flatten, reshape
//===----------------------------------------------------------------------===//

/// One dimension for a side of several; an empty side stays empty.
static SmallVector<int64_t> flattenSide(ArrayRef<int64_t> side) {
  if (side.empty())
    return {};
  return {elementCount(side).value_or(ShapedType::kDynamic)};
}

LogicalResult FlattenOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  types.push_back(AccessType::get(flattenSide(type.getAccessShape()),
                                  flattenSide(type.getComputeShape()),
                                  type.getElementType()));
  return success();
}

/// flatten of a pattern with at most one dimension a side = nothing; flatten of
/// a reshape between static shapes = flatten, unless the reshape made an empty
/// side a dimension of 1 or the reverse.
OpFoldResult FlattenOp::fold(FoldAdaptor) {
  if (getType() == getPattern().getType())
    return getPattern();
  auto inner = getPattern().getDefiningOp<ReshapeOp>();
  if (!inner)
    return {};
  AccessType from = inner.getPattern().getType();
  if (!from.hasStaticShape() || !inner.getType().hasStaticShape() ||
      from.getAccessShape().empty() != getType().getAccessShape().empty() ||
      from.getComputeShape().empty() != getType().getComputeShape().empty())
    return {};
  getPatternMutable().assign(inner.getPattern());
  return getResult();
}

/// C2, C3: the same number of elements on one side of the split.
static LogicalResult verifySameCount(Operation *op, StringRef side,
                                     ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  if (from == to)
    return success();
  bool dynamicFrom = hasDynamicSize(from), dynamicTo = hasDynamicSize(to);
  if (dynamicFrom || dynamicTo) {
    // Beside a size 0, there are no elements whatever the unknown size is.
    if (dynamicTo && llvm::is_contained(to, 0))
      return op->emitOpError()
             << side << " shape " << shapeToString(to)
             << " must not have `?` beside a size 0, which leaves it "
                "undetermined";
    // With more than one unknown a side, not even the program can tell which
    // elements move where.
    if (llvm::count(from, ShapedType::kDynamic) == 1 &&
        llvm::count(to, ShapedType::kDynamic) == 1)
      return success();
    return op->emitOpError() << side << " shapes with `?` must be equal or "
                             << "have one `?` each, got " << shapeToString(from)
                             << " and " << shapeToString(to);
  }
  if (elementCount(from) == elementCount(to))
    return success();
  return op->emitOpError() << side
                           << " shapes must have equally many elements, got "
                           << *elementCount(from) << " (" << shapeToString(from)
                           << ") and " << *elementCount(to) << " ("
                           << shapeToString(to) << ")";
}

LogicalResult ReshapeOp::verify() {
  AccessType from = getPattern().getType(), to = getType();
  // C1
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "element types must be equal, got "
                         << from.getElementType() << " and "
                         << to.getElementType();
  // C2
  if (failed(verifySameCount(*this, "access", from.getAccessShape(),
                             to.getAccessShape())))
    return failure();
  // C3
  return verifySameCount(*this, "compute", from.getComputeShape(),
                         to.getComputeShape());
}

/// reshape to the same static type = nothing; reshape of reshape or flatten =
/// one reshape.
OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (!getType().hasStaticShape() || !getPattern().getType().hasStaticShape())
    return {};
  if (getType() == getPattern().getType())
    return getPattern();
  Operation *inner = getPattern().getDefiningOp();
  if (!isa_and_nonnull<ReshapeOp, FlattenOp>(inner) ||
      !cast<AccessType>(inner->getOperand(0).getType()).hasStaticShape())
    return {};
  getPatternMutable().assign(
      cast<TypedValue<AccessType>>(inner->getOperand(0)));
  return getResult();
}

//===- TupleOps.cpp - Ops that put patterns together ----------------------===//
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
// cart_prod, pair
//===----------------------------------------------------------------------===//

/// The compute shape of a tuple of two items, `2` before what both have.
static FailureOr<SmallVector<int64_t>>
inferTupleItem(std::optional<Location> loc, AccessType lhs, AccessType rhs) {
  std::optional<SmallVector<int64_t>> item =
      mergeShapes(lhs.getComputeShape(), rhs.getComputeShape());
  if (!item)
    return emitOptionalError(loc, "compute shapes must be equal, got ",
                             listToString(lhs.getComputeShape()), " and ",
                             listToString(rhs.getComputeShape()));
  item->insert(item->begin(), 2);
  return std::move(*item);
}

LogicalResult CartProdOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  auto lhs = cast<AccessType>(adaptor.getLhs().getType());
  auto rhs = cast<AccessType>(adaptor.getRhs().getType());
  // C1
  if (failed(verifyElementTypes(loc, lhs, rhs)))
    return failure();
  // C2
  FailureOr<SmallVector<int64_t>> item = inferTupleItem(loc, lhs, rhs);
  if (failed(item))
    return failure();
  SmallVector<int64_t> shape(lhs.getAccessShape());
  llvm::append_range(shape, rhs.getAccessShape());
  int64_t split = shape.size();
  llvm::append_range(shape, *item);
  return inferSplit(loc, context, shape, split, lhs.getElementType(), types);
}

LogicalResult PairOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto lhs = cast<AccessType>(adaptor.getLhs().getType());
  auto rhs = cast<AccessType>(adaptor.getRhs().getType());
  // C1
  if (failed(verifyElementTypes(loc, lhs, rhs)))
    return failure();
  // C2
  std::optional<SmallVector<int64_t>> shape =
      mergeShapes(lhs.getAccessShape(), rhs.getAccessShape());
  if (!shape)
    return emitOptionalError(loc, "access shapes must be equal, got ",
                             listToString(lhs.getAccessShape()), " and ",
                             listToString(rhs.getAccessShape()));
  // C3
  FailureOr<SmallVector<int64_t>> item = inferTupleItem(loc, lhs, rhs);
  if (failed(item))
    return failure();
  llvm::append_range(*shape, *item);
  return inferSplit(loc, context, *shape, lhs.getAccessRank(),
                    lhs.getElementType(), types);
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  // C1
  if (adaptor.getPatterns().empty())
    return emitOptionalError(loc, "concat needs at least one operand, got 0");
  auto first = cast<AccessType>(adaptor.getPatterns().front().getType());
  int64_t axis = adaptor.getAxis();
  // C4
  if (axis < 0 || axis >= first.getRank())
    return emitOptionalError(loc, "concat axis must lie in [0, ",
                             first.getRank() - 1, "], got ", axis);
  SmallVector<int64_t> shape = first.getShape();
  for (auto [number, pattern] :
       llvm::enumerate(adaptor.getPatterns().drop_front())) {
    auto type = cast<AccessType>(pattern.getType());
    // C2
    if (failed(verifyElementTypes(loc, first, type)))
      return failure();
    // C3
    if (type.getAccessRank() != first.getAccessRank() ||
        type.getComputeRank() != first.getComputeRank())
      return emitOptionalError(
          loc, "concat operand ", number + 1, " must have ",
          first.getAccessRank(), " access and ", first.getComputeRank(),
          " compute dimensions, got ", type.getAccessRank(), " and ",
          type.getComputeRank());
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      int64_t &known = shape[dim];
      if (static_cast<int64_t>(dim) == axis) {
        // C6
        if (known == kDynamicSize || size == kDynamicSize)
          known = kDynamicSize;
        else if (llvm::AddOverflow(known, size, known))
          return emitOptionalError(loc, "concatenated size of dimension ", dim,
                                   " overflows at operand ", number + 1);
        continue;
      }
      // C5
      if (known == kDynamicSize)
        known = size;
      else if (size != kDynamicSize && size != known)
        return emitOptionalError(loc, "dimension ", dim,
                                 " of all concat operands must be equal, got ",
                                 known, " and ", size);
    }
  }
  return inferSplit(loc, context, shape, first.getAccessRank(),
                    first.getElementType(), types);
}

/// concat of one = nothing; operands without elements along the axis go, unless
/// all would; a concat along the same axis is opened.
OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getPatterns().size() == 1)
    return getPatterns().front();
  SmallVector<Value> opened;
  int64_t axis = getAxis();
  for (Value pattern : getPatterns()) {
    auto inner = pattern.getDefiningOp<ConcatOp>();
    if (inner && static_cast<int64_t>(inner.getAxis()) == axis)
      llvm::append_range(opened, inner.getPatterns());
    else
      opened.push_back(pattern);
  }
  // Only static operands: what a dynamic one promises about the others must
  // still be checked.
  auto isStatic = [](Value pattern) {
    return cast<AccessType>(pattern.getType()).hasStaticShape();
  };
  if (llvm::all_of(opened, isStatic)) {
    SmallVector<Value> filled;
    for (Value pattern : opened)
      if (cast<AccessType>(pattern.getType()).getShape()[axis] != 0)
        filled.push_back(pattern);
    if (!filled.empty())
      opened = std::move(filled);
  }
  if (llvm::equal(opened, getPatterns()))
    return {};
  getPatternsMutable().assign(opened);
  return getResult();
}

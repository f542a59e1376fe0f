//===- ComputeOps.cpp - Ops that do arithmetic ----------------------------===//
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
#include "TensorAccess/IR/Evaluate.h"
#include "Types/OpHelpers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// compute
//===----------------------------------------------------------------------===//

/// True for an integer type wider than the integers of `from`, and for a float
/// type that holds every float of `from`.
static bool isWider(Type from, Type to) {
  if (from.isInteger() && to.isInteger())
    return to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  auto a = dyn_cast<FloatType>(from), b = dyn_cast<FloatType>(to);
  return a && b && a != b &&
         llvm::APFloat::isRepresentableBy(a.getFloatSemantics(),
                                          b.getFloatSemantics());
}

/// What the kinds have in common.
static bool needsItem(ComputeKind kind) {
  return kind == ComputeKind::ReduceMax || kind == ComputeKind::ReduceMean;
}
static bool needsFloats(ComputeKind kind) {
  return kind == ComputeKind::ReduceMean || kind == ComputeKind::Sqrt ||
         kind == ComputeKind::Softmax;
}
static bool hasAccumulator(ComputeKind kind) {
  return kind == ComputeKind::DotProd || kind == ComputeKind::ReduceSum;
}

/// The item that a kind leaves.
static ArrayRef<int64_t> resultItem(ComputeKind kind, ArrayRef<int64_t> item) {
  switch (kind) {
  case ComputeKind::DotProd:
  case ComputeKind::ReduceSum:
  case ComputeKind::ReduceMax:
  case ComputeKind::ReduceMean:
    return {};
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul:
  case ComputeKind::ElementwiseDiv:
    return item.drop_front();
  case ComputeKind::Relu:
  case ComputeKind::Sqrt:
  case ComputeKind::Negative:
  case ComputeKind::Softmax:
    return item;
  }
  llvm_unreachable("every compute kind is listed");
}

LogicalResult ComputeOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  ComputeKind kind = adaptor.getKind();
  StringRef name = stringifyComputeKind(kind);
  ArrayRef<int64_t> item = type.getComputeShape();
  Type elementType = type.getElementType();
  // C1
  if (isOverTuple(kind) && item.empty())
    return emitOptionalError(loc, name,
                             " needs a tuple axis, got an empty compute shape");
  if (isOverTuple(kind) && item.front() == 0)
    return emitOptionalError(loc, name,
                             " needs a tuple that is not empty, got ",
                             "compute shape ", listToString(item));
  // C2
  if (needsItem(kind) && llvm::is_contained(item, 0))
    return emitOptionalError(loc, name, " needs a non-empty item, got ",
                             shapeToString(item));
  // C3
  if (needsFloats(kind) && !isa<FloatType>(elementType))
    return emitOptionalError(loc, name, " needs elements of a float type, got ",
                             elementType);
  if (std::optional<Type> accumulator = adaptor.getAccumulator()) {
    // C4
    if (!hasAccumulator(kind))
      return emitOptionalError(loc, name, " has no accumulator, got ",
                               *accumulator);
    // C5
    if (!isWider(elementType, *accumulator))
      return emitOptionalError(loc, "accumulator must be wider than ",
                               elementType, " and hold all its values, got ",
                               *accumulator);
    elementType = *accumulator;
  }
  types.push_back(AccessType::get(type.getAccessShape(), resultItem(kind, item),
                                  elementType));
  return success();
}

/// -(-x) = x, relu(relu(x)) = relu(x).
OpFoldResult ComputeOp::fold(FoldAdaptor) {
  auto inner = getPattern().getDefiningOp<ComputeOp>();
  if (!inner || inner.getKind() != getKind())
    return {};
  if (getKind() == ComputeKind::Negative)
    return inner.getPattern();
  if (getKind() == ComputeKind::Relu)
    return inner.getResult();
  return {};
}

//===----------------------------------------------------------------------===//
// systolic_array, accelerator_call
//===----------------------------------------------------------------------===//

LogicalResult SystolicArrayOp::inferReturnTypes(MLIRContext *context,
                                                std::optional<Location> loc,
                                                Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  auto activations = cast<AccessType>(adaptor.getActivations().getType());
  auto weights = cast<AccessType>(adaptor.getWeights().getType());
  int64_t rows = adaptor.getRows(), cols = adaptor.getCols();
  // C1
  for (auto [name, value] : {std::pair("rows", rows), std::pair("cols", cols)})
    if (value < 1)
      return emitOptionalError(loc, name, " must be positive, got ", value);
  // C2
  if (failed(verifyElementTypes(loc, activations, weights)))
    return failure();
  // C5
  if (adaptor.getBlocked()) {
    ArrayRef<int64_t> item = activations.getComputeShape();
    if (item.size() != 1)
      return emitOptionalError(
          loc, "blocked activations must have one compute dimension, got ",
          listToString(item));
    rows = item[0];
    cols = weights.getComputeRank() == 2 ? weights.getComputeShape()[1]
                                         : kDynamicSize;
    // C6
    ArrayRef<int64_t> points = activations.getAccessShape();
    if (!mergeShapes(weights.getAccessShape(),
                     points.take_front(weights.getAccessRank())))
      return emitOptionalError(
          loc,
          "access dimensions of blocked weights must be the first ones of the "
          "activations, got ",
          listToString(weights.getAccessShape()), " and ",
          listToString(points));
  }
  // C3
  if (!mergeShapes(activations.getComputeShape(), {rows}))
    return emitOptionalError(loc, "activations must have compute shape ",
                             listToString({rows}), ", got ",
                             listToString(activations.getComputeShape()));
  // C4
  if (!adaptor.getBlocked() && weights.getAccessRank() != 0)
    return emitOptionalError(loc,
                             "weights must have no access dimensions, got ",
                             listToString(weights.getAccessShape()));
  if (!mergeShapes(weights.getComputeShape(), {rows, cols}))
    return emitOptionalError(loc, "weights must have compute shape ",
                             listToString({rows, cols}), ", got ",
                             listToString(weights.getComputeShape()));
  Type elementType = activations.getElementType();
  // C7
  if (std::optional<Type> accumulator = adaptor.getAccumulator()) {
    if (!isWider(elementType, *accumulator))
      return emitOptionalError(loc, "accumulator must be wider than ",
                               elementType, " and hold all its values, got ",
                               *accumulator);
    elementType = *accumulator;
  }
  SmallVector<int64_t> shape(activations.getAccessShape());
  shape.push_back(cols);
  return inferSplit(loc, context, shape, shape.size(), elementType, types);
}

LogicalResult AcceleratorCallOp::verify() {
  // C1
  if (getTarget().empty())
    return emitOpError() << "the accelerator's name must not be empty";
  return success();
}

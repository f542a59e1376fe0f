//===- LayoutOps.cpp - The ops on layouts and indices ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function an op. Tensors are logical here: a relayout moves nothing that a
// program could see, and a bitcast goes through the numbers in memory that the
// two layouts give to an element. Results that the ops leave unspecified (indices
// outside) are errors.
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The sizes of a result: its type's, where `?` is the source's size there, or
/// what is left of the count of elements.
static FailureOr<SmallVector<int64_t>>
getResultShape(Operation *op, ArrayRef<int64_t> source,
               ArrayRef<int64_t> sourceType, RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  auto emitCount = [&] {
    return op->emitOpError()
           << "source and result must have equally many elements, got "
           << shapeToString(source) << " and "
           << shapeToString(type.getShape());
  };
  bool isSame = source.size() == shape.size() &&
                llvm::all_of(llvm::zip_equal(sourceType, shape), [](auto pair) {
                  auto [a, b] = pair;
                  return a == b || a == kDynamicSize || b == kDynamicSize;
                });
  int64_t rest = *elementCount(source);
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (isSame && size == kDynamicSize)
      size = source[i];
    if (isSame && size != source[i])
      return emitCount();
    if (size > 0 && size != kDynamicSize) {
      if (rest % size != 0)
        return emitCount();
      rest /= size;
    }
  }
  for (int64_t &size : shape)
    if (size == kDynamicSize)
      size = rest;
  std::optional<int64_t> count = elementCount(shape);
  if (!count || *count != *elementCount(source))
    return emitCount();
  return shape;
}

static LogicalResult emitNotHeld(Operation *op, RankedTensorType type) {
  return op->emitOpError("computes with type ")
         << type.getElementType() << ", which the interpreter does not hold";
}

/// What holds the elements of a result: of narrow integers where the source has
/// them, too.
static std::optional<ElementType> getMovedType(Operation *op,
                                               RankedTensorType to) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  return from == to.getElementType() ? getHeldTypeOf(from)
                                     : getElementTypeOf(to.getElementType());
}

static FailureOr<RuntimeValues> run(RelayoutOp op, const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  RankedTensorType type = op.getResult().getType();
  std::optional<ElementType> element = getMovedType(op, type);
  if (!element)
    return emitNotHeld(op, type);
  SmallVector<int64_t> permutation = op.getPermutationOrIdentity(), transposed;
  for (int64_t dim : permutation)
    transposed.push_back(source.getDim(dim));
  auto shape = getResultShape(op, transposed, op.getTransposedShape(), type);
  if (failed(shape))
    return failure();
  return resultAt(op, kernels::relayout(source, permutation, *shape, *element));
}

static FailureOr<RuntimeValues> run(BitcastOp op, const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  RankedTensorType from = op.getSource().getType();
  RankedTensorType type = op.getResult().getType();
  std::optional<ElementType> element = getMovedType(op, type);
  if (!element)
    return emitNotHeld(op, type);
  SmallVector<int64_t> shape(type.getShape());
  if (!from.hasStaticShape() || !type.hasStaticShape()) {
    auto sizes = getResultShape(op, source.getShape(), from.getShape(), type);
    if (failed(sizes))
      return failure();
    shape = *sizes;
  }
  return resultAt(op, kernels::bitcast(source,
                                       *getLayoutOf(from, source.getShape()),
                                       *getLayoutOf(type, shape), *element));
}

static FailureOr<RuntimeValues> runIndexOp(Operation *op,
                                           const Environment &env) {
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands())
    operands.push_back(env.getInt(operand));
  std::string message;
  auto values = evaluateIndexOp(op, operands, message);
  if (!values)
    return op->emitOpError(message);
  RuntimeValues results;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *values))
    results.push_back(
        Tensor::scalarInt(*getElementTypeOf(result.getType()), value));
  return results;
}

void mlir::tensoraccess::addLayoutEvaluators(OpEvaluators &all) {
  addEvaluator<BitcastOp, run>(all);
  addEvaluator<RelayoutOp, run>(all);
  for (StringRef name :
       {ApplyIndexingOp::getOperationName(), DelinearizeOp::getOperationName(),
        LinearizeOp::getOperationName()})
    all[name] = runIndexOp;
}

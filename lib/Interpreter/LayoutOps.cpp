//===- LayoutOps.cpp - The ops on layouts and indices ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function an op. Tensors are logical here: a relayout moves nothing that a
// program could see, and a bitcast goes through the numbers in memory that the
// two layouts give to an element. What the ops leave unspecified (indices
// outside) is an error.
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "TensorAccess/Core/LayoutKernels.h"
#include "TensorAccess/IR/Constants.h"
#include "TensorAccess/IR/LayoutTypes.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
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
           << shapeToString(source) << " and " << shapeToString(type.getShape());
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

static FailureOr<RuntimeValues> run(RelayoutOp op, const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  RankedTensorType type = op.getResult().getType();
  std::optional<ElementType> element = getElementTypeOf(type.getElementType());
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
  std::optional<ElementType> element = getElementTypeOf(type.getElementType());
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

/// The layout for the sizes that the operands have; an error where these make
/// no shape.
template <typename OpTy>
static FailureOr<Layout> getLayout(OpTy op, const Environment &env) {
  SmallVector<int64_t> shape = env.getInts(op.getMixedSizes());
  for (auto [i, size] : llvm::enumerate(shape))
    if (size < 0)
      return op.emitOpError()
             << "size " << i << " must not be negative, got " << size;
  Layout layout = op.getLayout().getValue().withShape(
      shape, *XlaType::lookup("pred"));
  if (layout.getPaddedElements())
    return layout;
  return op.emitOpError() << "tiled shape has more than 2^63 - 1 elements: "
                          << layout.layoutStr() << " of "
                          << shapeToString(shape);
}

static Tensor makeIndex(int64_t value) {
  return Tensor::scalarInt(ElementType::I64, value);
}

static FailureOr<RuntimeValues> run(LinearizeOp op, const Environment &env) {
  FailureOr<Layout> layout = getLayout(op, env);
  if (failed(layout))
    return failure();
  SmallVector<int64_t> index;
  for (auto [i, operand] : llvm::enumerate(op.getIndices())) {
    index.push_back(env.getInt(operand));
    if (index[i] < 0 || index[i] >= (*layout->shape)[i])
      return op.emitOpError() << "index " << i << " must lie in [0, "
                              << (*layout->shape)[i] << "), got " << index[i];
  }
  return RuntimeValues{makeIndex(*layout->linearize(index))};
}

static FailureOr<RuntimeValues> run(DelinearizeOp op, const Environment &env) {
  FailureOr<Layout> layout = getLayout(op, env);
  if (failed(layout))
    return failure();
  std::optional<SmallVector<int64_t>> index =
      layout->delinearize(env.getInt(op.getLinear()));
  RuntimeValues results;
  for (int64_t d = 0; d < layout->getRank(); ++d)
    results.push_back(makeIndex(index ? (*index)[d] : 0));
  results.push_back(Tensor::scalarInt(ElementType::I1, index.has_value()));
  return results;
}

static FailureOr<RuntimeValues> run(ApplyIndexingOp op,
                                    const Environment &env) {
  SmallVector<int64_t> variables;
  for (Value operand : op->getOperands())
    variables.push_back(env.getInt(operand));
  std::optional<SmallVector<int64_t>> values =
      op.getMap().getValue().evaluateAt(variables);
  if (!values) {
    InFlightDiagnostic error = op.emitOpError("has no value at (");
    llvm::interleaveComma(variables, error);
    return error << ')';
  }
  RuntimeValues results;
  for (int64_t value : *values)
    results.push_back(makeIndex(value));
  return results;
}

FailureOr<RuntimeValues>
mlir::tensoraccess::runLayoutOp(Operation *op, const Environment &env) {
  return llvm::TypeSwitch<Operation *, FailureOr<RuntimeValues>>(op)
      .Case<RelayoutOp, BitcastOp, LinearizeOp, DelinearizeOp, ApplyIndexingOp>(
          [&](auto known) { return run(known, env); })
      .Default([](Operation *unknown) -> FailureOr<RuntimeValues> {
        return emitUnsupported(unknown);
      });
}

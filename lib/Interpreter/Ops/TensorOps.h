//===- TensorOps.h - What ops on tensors and on memory share ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_OPS_TENSOROPS_H
#define TENSORACCESS_LIB_INTERPRETER_OPS_TENSOROPS_H

#include "Environment.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tensoraccess {

/// The sizes of a result type, with the dynamic ones filled in.
inline SmallVector<int64_t> getSizes(ShapedType type, ValueRange dynamicSizes,
                                     const Environment &env) {
  SmallVector<int64_t> shape(type.getShape());
  auto next = dynamicSizes.begin();
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size))
      size = env.getInt(*next++);
  return shape;
}

/// Indices, each checked to lie inside.
LogicalResult checkIndex(Operation *op, ArrayRef<int64_t> index,
                         const Tensor &tensor);
/// The values of indices, each checked to lie inside.
FailureOr<SmallVector<int64_t>> getIndex(Operation *op, ValueRange indices,
                                         const Tensor &tensor,
                                         const Environment &env);
/// The element at an index, as a scalar that shares its memory.
Tensor getPlace(const Tensor &tensor, ArrayRef<int64_t> index);

/// What rank and dim of tensor and memref make.
template <typename OpTy>
FailureOr<RuntimeValues> runRank(OpTy op, const Environment &env) {
  return RuntimeValues{Tensor::scalarInt(
      ElementType::I64, env.getTensor(op->getOperand(0)).getRank())};
}

template <typename OpTy>
FailureOr<RuntimeValues> runDim(OpTy op, const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  int64_t d = env.getInt(op.getIndex());
  if (d < 0 || d >= source.getRank())
    return op.emitOpError("dimension must lie in [0, ")
           << source.getRank() << "), got " << d;
  return RuntimeValues{Tensor::scalarInt(ElementType::I64, source.getDim(d))};
}

/// What collapse_shape of tensor and memref makes: a view where that can be.
template <typename OpTy>
FailureOr<RuntimeValues> runCollapse(OpTy op, const Environment &env) {
  const Tensor &source = env.getTensor(op.getSrc());
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1; // a divisor of the element count, unless that is 0
    for (int64_t d : group)
      if (llvm::MulOverflow(size, source.getDim(d), size))
        return op.emitOpError("overflows in dimension ") << shape.size();
    shape.push_back(size);
  }
  return resultAt(op, source.reshape(shape));
}

/// What expand_shape of tensor and memref makes: a view where that can be.
template <typename OpTy>
FailureOr<RuntimeValues> runExpand(OpTy op, const Environment &env) {
  const Tensor &source = env.getTensor(op.getSrc());
  SmallVector<int64_t> shape = env.getInts(op.getMixedOutputShape());
  FailureOr<RuntimeValues> result = resultAt(op, source.reshape(shape));
  if (failed(result))
    return failure();
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<int64_t> parts;
    for (int64_t i : group)
      parts.push_back(shape[i]);
    if (elementCount(parts) != source.getDim(d))
      return op.emitOpError("dimension ")
             << d << " must expand to as many elements, got "
             << source.getDim(d) << " and " << shapeToString(parts);
  }
  return result;
}

/// The part of a tensor that a slice op names, without the dimensions that
/// `type`, the slice's, drops; each element checked to lie inside.
template <typename SliceOp>
FailureOr<Tensor> getSlice(SliceOp op, ShapedType type, const Tensor &tensor,
                           const Environment &env) {
  SmallVector<int64_t> offsets = env.getInts(op.getMixedOffsets());
  SmallVector<int64_t> sizes = env.getInts(op.getMixedSizes());
  SmallVector<int64_t> strides = env.getInts(op.getMixedStrides());
  for (int64_t d = 0; d < tensor.getRank(); ++d) {
    if (sizes[d] < 0)
      return op.emitOpError("size of dimension ")
             << d << " must not be negative, got " << sizes[d];
    if (sizes[d] == 0)
      continue;
    __int128 first = offsets[d];
    __int128 last = first + __int128(sizes[d] - 1) * strides[d];
    for (__int128 end : {first, last})
      if (end < 0 || end >= tensor.getDim(d))
        return op.emitOpError("index ")
               << int64_t(end) << " of dimension " << d << " must lie in [0, "
               << tensor.getDim(d) << ")";
  }
  Tensor slice = tensor.slice(offsets, sizes, strides);
  // Units: which of several that are alike changes no element.
  ArrayRef<int64_t> kept = type.getShape(), from = op.getStaticSizes();
  SmallVector<bool> isDropped;
  for (int64_t size : from) {
    isDropped.push_back(kept.empty() || kept.front() != size);
    if (!isDropped.back())
      kept = kept.drop_front();
  }
  for (int64_t d = tensor.getRank(); d-- > 0;)
    if (isDropped[d]) {
      if (slice.getDim(d) != 1)
        return op.emitOpError("dropped dimension ")
               << d << " must have size 1, got " << slice.getDim(d);
      slice = slice.select(d, 0);
    }
  return slice;
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_OPS_TENSOROPS_H

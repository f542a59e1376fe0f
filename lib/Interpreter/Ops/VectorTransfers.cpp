//===- VectorTransfers.cpp - Vectors from arrays and back -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element v of a vector belongs to place `indices + map(v)` of a tensor or a
// memref; a dimension whose map is 0 is spread. Masks have the dimensions of the
// array that the map names, in the array's order. What is masked or outside is
// not accessed, but outside is an error if the op promises to stay inside.
//
//===----------------------------------------------------------------------===//

#include "StableHlo/StableHloOps.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorOps.h"
#include "VectorOps.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// The places of a transfer in a tensor.
struct Transfer {
  template <typename OpTy>
  Transfer(OpTy op, const Tensor &tensor, const Environment &env)
      : op(op), tensor(tensor), map(op.getPermutationMap()),
        shape(op.getVectorType().getShape()) {
    for (Value index : op.getIndices())
      indices.push_back(env.getInt(index));
    for (auto flag : op.getInBounds().template getAsRange<BoolAttr>())
      isInside.push_back(flag.getValue());
    if (op.getMask())
      mask = env.getTensor(op.getMask());
    // The dimensions of the tensor that the mask goes along, and where the
    // vector goes along them.
    for (unsigned d = 0; d < map.getNumDims(); ++d)
      if (auto at = map.getResultPosition(getAffineDimExpr(d, op.getContext())))
        masked.push_back(*at);
  }

  /// Calls `fn(v, place)` for each element, with no place for one that is
  /// masked or outside.
  LogicalResult forEach(
      function_ref<void(ArrayRef<int64_t>, std::optional<ArrayRef<int64_t>>)>
          fn) const {
    bool isRun = forEachIndex(shape, [&](ArrayRef<int64_t> v) {
      SmallVector<int64_t> place(indices), at;
      for (unsigned i : masked)
        at.push_back(v[i]);
      if (mask && mask->getInt(at) == 0) {
        fn(v, std::nullopt);
        return true;
      }
      bool isOutside = false;
      SmallVector<bool> promised(place.size(), true);
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
          place[dim.getPosition()] += v[i];
          promised[dim.getPosition()] = isInside[i];
        }
      for (auto [d, index] : llvm::enumerate(place)) {
        if (index >= 0 && index < tensor.getDim(d))
          continue;
        isOutside = true;
        if (promised[d])
          return succeeded(op->emitOpError("index ")
                           << index << " of dimension " << d
                           << " must lie in [0, " << tensor.getDim(d) << ")");
      }
      if (isOutside)
        fn(v, std::nullopt);
      else
        fn(v, ArrayRef<int64_t>(place));
      return true;
    });
    return success(isRun);
  }

  Operation *op;
  const Tensor &tensor;
  AffineMap map;
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> indices;
  SmallVector<bool> isInside;
  std::optional<Tensor> mask;
  SmallVector<unsigned> masked;
};
} // namespace

FailureOr<Tensor> mlir::tensoraccess::getWritten(Operation *op, Value base,
                                                 const Environment &env) {
  const Tensor &array = env.getTensor(base);
  if (isa<BaseMemRefType>(base.getType()))
    return array;
  return reportAt(op, array.clone());
}

RuntimeValues mlir::tensoraccess::getWrittenResults(Operation *op,
                                                    Tensor array) {
  return op->getNumResults() == 0 ? RuntimeValues{}
                                  : RuntimeValues{std::move(array)};
}

static FailureOr<RuntimeValues> runRead(vector::TransferReadOp op,
                                        const Environment &env) {
  const Tensor &source = env.getTensor(op.getBase()),
               &padding = env.getTensor(op.getPadding());
  FailureOr<Tensor> result = createVector(op, op.getVectorType());
  if (failed(result))
    return failure();
  if (padding.getRank() != 0)
    return op.emitOpError("of an array of vectors cannot be interpreted");
  Transfer transfer(op, source, env);
  if (failed(transfer.forEach(
          [&](ArrayRef<int64_t> v, std::optional<ArrayRef<int64_t>> place) {
            if (place)
              copyElement(source, *place, *result, v);
            else
              copyElement(padding, {}, *result, v);
          })))
    return failure();
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runWrite(vector::TransferWriteOp op,
                                         const Environment &env) {
  const Tensor &value = env.getTensor(op.getValueToStore());
  FailureOr<Tensor> result = getWritten(op, op.getBase(), env);
  if (failed(result))
    return failure();
  Transfer transfer(op, *result, env);
  if (failed(transfer.forEach(
          [&](ArrayRef<int64_t> v, std::optional<ArrayRef<int64_t>> place) {
            if (place)
              copyElement(value, v, *result, *place);
          })))
    return failure();
  return getWrittenResults(op, std::move(*result));
}

/// Elements at offsets, the last one moved on by an index of its own for each
/// element that is not masked.
static FailureOr<RuntimeValues> runGather(vector::GatherOp op,
                                          const Environment &env) {
  const Tensor &source = env.getTensor(op.getBase()),
               &indices = env.getTensor(op.getIndices()),
               &mask = env.getTensor(op.getMask());
  FailureOr<Tensor> result =
      reportAt(op.getOperation(), env.getTensor(op.getPassThru()).clone());
  if (failed(result))
    return failure();
  bool isRun = forEachIndex(result->getShape(), [&](ArrayRef<int64_t> v) {
    if (mask.getInt(v) == 0)
      return true;
    SmallVector<int64_t> place;
    for (Value offset : op.getOffsets())
      place.push_back(env.getInt(offset));
    place.back() += indices.getInt(v);
    if (failed(checkIndex(op, place, source)))
      return false;
    copyElement(source, place, *result, v);
    return true;
  });
  if (!isRun)
    return failure();
  return RuntimeValues{std::move(*result)};
}

void mlir::tensoraccess::addVectorTransferEvaluators(OpEvaluators &all) {
  addEvaluator<vector::GatherOp, runGather>(all);
  addEvaluator<vector::TransferReadOp, runRead>(all);
  addEvaluator<vector::TransferWriteOp, runWrite>(all);
}

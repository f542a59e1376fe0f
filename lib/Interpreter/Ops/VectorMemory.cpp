//===- VectorMemory.cpp - Vectors from memory and back --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element v of a vector belongs to place `indices + v` of a memref, where v goes
// along its last dimensions. What is masked is not accessed; an access outside is
// an error.
//
//===----------------------------------------------------------------------===//

#include "StableHlo/StableHloOps.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorOps.h"
#include "VectorOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Calls `fn(v, place)` for each element of a vector that no mask leaves out.
/// With `packs` the elements that are left are contiguous.
static LogicalResult
forEachPlace(Operation *op, ArrayRef<int64_t> shape, const Tensor &memory,
             ValueRange indices, const Tensor *mask, bool packs,
             const Environment &env,
             function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> fn) {
  SmallVector<int64_t> start;
  for (Value index : indices)
    start.push_back(env.getInt(index));
  const size_t first = start.size() - shape.size();
  int64_t count = 0;
  bool isRun = forEachIndex(shape, [&](ArrayRef<int64_t> v) {
    if (mask && mask->getInt(v) == 0)
      return true;
    SmallVector<int64_t> place(start);
    for (auto [i, step] : llvm::enumerate(v))
      place[first + i] += packs ? count : step;
    ++count;
    if (failed(checkIndex(op, place, memory)))
      return false;
    fn(v, place);
    return true;
  });
  return success(isRun);
}

static FailureOr<RuntimeValues> read(Operation *op, Value base,
                                     ValueRange indices, Value mask,
                                     FailureOr<Tensor> result, bool packs,
                                     const Environment &env) {
  if (failed(result))
    return failure();
  const Tensor &memory = env.getTensor(base);
  if (failed(forEachPlace(op, result->getShape(), memory, indices,
                          mask ? &env.getTensor(mask) : nullptr, packs, env,
                          [&](ArrayRef<int64_t> v, ArrayRef<int64_t> place) {
                            copyElement(memory, place, *result, v);
                          })))
    return failure();
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> write(Operation *op, Value base,
                                      ValueRange indices, Value mask,
                                      Value vector, bool packs,
                                      const Environment &env) {
  Tensor memory = env.getTensor(base);
  const Tensor &value = env.getTensor(vector);
  if (failed(forEachPlace(op, value.getShape(), memory, indices,
                          mask ? &env.getTensor(mask) : nullptr, packs, env,
                          [&](ArrayRef<int64_t> v, ArrayRef<int64_t> place) {
                            copyElement(value, v, memory, place);
                          })))
    return failure();
  return RuntimeValues{};
}

static FailureOr<RuntimeValues> runLoad(vector::LoadOp op,
                                        const Environment &env) {
  return read(op, op.getBase(), op.getIndices(), Value(),
              createVector(op, op.getVectorType()), /*packs=*/false, env);
}

static FailureOr<RuntimeValues> runStore(vector::StoreOp op,
                                         const Environment &env) {
  return write(op, op.getBase(), op.getIndices(), Value(), op.getValueToStore(),
               /*packs=*/false, env);
}

template <typename OpTy, bool packs>
static FailureOr<RuntimeValues> runMaskedLoad(OpTy op, const Environment &env) {
  return read(op, op.getBase(), op.getIndices(), op.getMask(),
              reportAt(op, env.getTensor(op.getPassThru()).clone()), packs,
              env);
}

template <typename OpTy, bool packs>
static FailureOr<RuntimeValues> runMaskedStore(OpTy op,
                                               const Environment &env) {
  return write(op, op.getBase(), op.getIndices(), op.getMask(),
               op.getValueToStore(), packs, env);
}

/// Elements to offsets, the last one moved on by an index of its own for each
/// element that is not masked; of several to one place the last one stays.
static FailureOr<RuntimeValues> runScatter(vector::ScatterOp op,
                                           const Environment &env) {
  const Tensor &value = env.getTensor(op.getValueToStore()),
               &indices = env.getTensor(op.getIndices()),
               &mask = env.getTensor(op.getMask());
  FailureOr<Tensor> array = getWritten(op, op.getBase(), env);
  if (failed(array))
    return failure();
  bool isRun = forEachIndex(value.getShape(), [&](ArrayRef<int64_t> v) {
    if (mask.getInt(v) == 0)
      return true;
    SmallVector<int64_t> place;
    for (Value offset : op.getOffsets())
      place.push_back(env.getInt(offset));
    place.back() += indices.getInt(v);
    if (failed(checkIndex(op, place, *array)))
      return false;
    copyElement(value, v, *array, place);
    return true;
  });
  if (!isRun)
    return failure();
  return getWrittenResults(op, std::move(*array));
}

void mlir::tensoraccess::addVectorMemoryEvaluators(OpEvaluators &all) {
  addVectorTransferEvaluators(all);
  addEvaluator<vector::CompressStoreOp,
               runMaskedStore<vector::CompressStoreOp, true>>(all);
  addEvaluator<vector::ExpandLoadOp, runMaskedLoad<vector::ExpandLoadOp, true>>(
      all);
  addEvaluator<vector::LoadOp, runLoad>(all);
  addEvaluator<vector::MaskedLoadOp,
               runMaskedLoad<vector::MaskedLoadOp, false>>(all);
  addEvaluator<vector::MaskedStoreOp,
               runMaskedStore<vector::MaskedStoreOp, false>>(all);
  addEvaluator<vector::ScatterOp, runScatter>(all);
  addEvaluator<vector::StoreOp, runStore>(all);
}

//===- MemoryOps.cpp - Ops on buffers -------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memref is a tensor whose memory is written to: subviews and reshapes of it
// are views of the same memory. What has been freed stays until nothing refers to
// it. Every index is checked against the actual shape. Between tensors and
// memrefs elements are copied.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorOps.h"
#include "VectorOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Making and freeing
//===----------------------------------------------------------------------===//

template <typename OpTy>
static FailureOr<RuntimeValues> runAlloc(OpTy op, const Environment &env) {
  MemRefType type = op.getType();
  FailureOr<Tensor> result = createUnsetAt(
      op, type.getElementType(), getSizes(type, op.getDynamicSizes(), env));
  if (failed(result))
    return failure();
  return RuntimeValues{std::move(*result)};
}

/// Frees memory, or describes it: nothing is left to do.
template <typename OpTy>
static FailureOr<RuntimeValues> runNothing(OpTy, const Environment &) {
  return RuntimeValues{};
}

/// Constants only: what a function writes to others would have to outlive it.
static FailureOr<RuntimeValues> runGetGlobal(memref::GetGlobalOp op,
                                             const Environment &) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  auto value = global && global.getConstant()
                   ? dyn_cast_or_null<ElementsAttr>(
                         global.getInitialValue().value_or(Attribute()))
                   : ElementsAttr();
  auto typed = dyn_cast_or_null<TypedAttr>(value);
  if (!typed)
    return op.emitOpError("names @")
           << op.getName() << ", which is not a constant with a value";
  return resultAt(op, tensorFromAttribute(typed));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static FailureOr<RuntimeValues> runLoad(memref::LoadOp op,
                                        const Environment &env) {
  const Tensor &source = env.getTensor(op.getMemRef());
  auto index = getIndex(op, op.getIndices(), source, env);
  if (failed(index))
    return failure();
  return resultAt(op, getPlace(source, *index).clone());
}

static FailureOr<RuntimeValues> runStore(memref::StoreOp op,
                                         const Environment &env) {
  const Tensor &dest = env.getTensor(op.getMemRef());
  auto index = getIndex(op, op.getIndices(), dest, env);
  if (failed(index))
    return failure();
  Tensor place = getPlace(dest, *index);
  copyElements(env.getTensor(op.getValueToStore()), place);
  return RuntimeValues{};
}

/// The place of an access of affine.
template <typename OpTy>
static FailureOr<Tensor> getAffinePlace(OpTy op, const Environment &env) {
  const Tensor &tensor = env.getTensor(op.getMemRef());
  auto index = evaluateMap(op, op.getAffineMap(), op.getMapOperands(), env);
  if (failed(index) || failed(checkIndex(op, *index, tensor)))
    return failure();
  return getPlace(tensor, *index);
}

static FailureOr<RuntimeValues> runAffineLoad(affine::AffineLoadOp op,
                                              const Environment &env) {
  FailureOr<Tensor> place = getAffinePlace(op, env);
  if (failed(place))
    return failure();
  return resultAt(op, place->clone());
}

static FailureOr<RuntimeValues> runAffineStore(affine::AffineStoreOp op,
                                               const Environment &env) {
  FailureOr<Tensor> place = getAffinePlace(op, env);
  if (failed(place))
    return failure();
  copyElements(env.getTensor(op.getValueToStore()), *place);
  return RuntimeValues{};
}

/// Copies elements, also where both overlap.
static LogicalResult copyInto(Operation *op, const Tensor &source,
                              const Tensor &dest) {
  if (source.getShape() != dest.getShape())
    return op->emitOpError("copies ")
           << describe(source) << " to " << describe(dest);
  FailureOr<Tensor> copy = reportAt(op, source.clone());
  if (failed(copy))
    return failure();
  Tensor place = dest;
  copyElements(*copy, place);
  return success();
}

static FailureOr<RuntimeValues> runCopy(memref::CopyOp op,
                                        const Environment &env) {
  if (failed(copyInto(op, env.getTensor(op.getSource()),
                      env.getTensor(op.getTarget()))))
    return failure();
  return RuntimeValues{};
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The same memory under another type.
template <typename OpTy>
static FailureOr<RuntimeValues> runSame(OpTy op, const Environment &env) {
  return RuntimeValues{env.getTensor(op->getOperand(0))};
}

/// One of two buffers.
static FailureOr<RuntimeValues> runSelect(arith::SelectOp op,
                                          const Environment &env) {
  return RuntimeValues{env.getTensor(env.getInt(op.getCondition()) != 0
                                         ? op.getTrueValue()
                                         : op.getFalseValue())};
}

static FailureOr<RuntimeValues> runSubView(memref::SubViewOp op,
                                           const Environment &env) {
  FailureOr<Tensor> slice =
      getSlice(op, op.getType(), env.getTensor(op.getSource()), env);
  if (failed(slice))
    return failure();
  return RuntimeValues{std::move(*slice)};
}

static FailureOr<RuntimeValues> runTranspose(memref::TransposeOp op,
                                             const Environment &env) {
  SmallVector<int64_t> order;
  for (AffineExpr expr : op.getPermutation().getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  return RuntimeValues{env.getTensor(op.getIn()).transpose(order)};
}

/// A memref of another shape, which no copy may be.
template <typename OpTy,
          FailureOr<RuntimeValues> (*run)(OpTy, const Environment &)>
static FailureOr<RuntimeValues> runView(OpTy op, const Environment &env) {
  FailureOr<RuntimeValues> results = run(op, env);
  if (failed(results))
    return failure();
  const Tensor &source = env.getTensor(op.getSrc()),
               &view = std::get<Tensor>(results->front());
  if (view.getNumElements() != 0 && view.getData() != source.getData())
    return op.emitOpError("makes no view of ") << describe(source);
  return results;
}

//===----------------------------------------------------------------------===//
// Tensors and memrefs
//===----------------------------------------------------------------------===//

/// A copy of the elements: to_tensor, to_buffer and clone.
template <typename OpTy>
static FailureOr<RuntimeValues> runClone(OpTy op, const Environment &env) {
  return resultAt(op, env.getTensor(op->getOperand(0)).clone());
}

static FailureOr<RuntimeValues> runAllocTensor(bufferization::AllocTensorOp op,
                                               const Environment &env) {
  if (op.getCopy())
    return resultAt(op, env.getTensor(op.getCopy()).clone());
  auto type = cast<RankedTensorType>(op.getType());
  FailureOr<Tensor> result = createUnsetAt(
      op, type.getElementType(), getSizes(type, op.getDynamicSizes(), env));
  if (failed(result))
    return failure();
  return RuntimeValues{std::move(*result)};
}

/// The source; a memref as the destination is written to.
static FailureOr<RuntimeValues>
runMaterialize(bufferization::MaterializeInDestinationOp op,
               const Environment &env) {
  if (op->getNumResults() != 0)
    return RuntimeValues{env.getTensor(op.getSource())};
  if (failed(copyInto(op, env.getTensor(op.getSource()),
                      env.getTensor(op.getDest()))))
    return failure();
  return RuntimeValues{};
}

void mlir::tensoraccess::addBufferizationEvaluators(OpEvaluators &all) {
  addEvaluator<bufferization::AllocTensorOp, runAllocTensor>(all);
  addEvaluator<bufferization::DeallocTensorOp, runNothing>(all);
  addEvaluator<bufferization::MaterializeInDestinationOp, runMaterialize>(all);
}

void mlir::tensoraccess::addMemoryEvaluators(OpEvaluators &all) {
  addEvaluator<memref::AllocOp, runAlloc>(all);
  addEvaluator<memref::AllocaOp, runAlloc>(all);
  addEvaluator<memref::AssumeAlignmentOp, runSame>(all);
  addEvaluator<memref::CastOp, runSame>(all);
  addEvaluator<memref::CollapseShapeOp,
               runView<memref::CollapseShapeOp, runCollapse>>(all);
  addEvaluator<memref::CopyOp, runCopy>(all);
  addEvaluator<memref::DeallocOp, runNothing>(all);
  addEvaluator<memref::DimOp, runDim>(all);
  addEvaluator<memref::ExpandShapeOp,
               runView<memref::ExpandShapeOp, runExpand>>(all);
  addEvaluator<memref::GetGlobalOp, runGetGlobal>(all);
  addEvaluator<memref::LoadOp, runLoad>(all);
  addEvaluator<memref::MemorySpaceCastOp, runSame>(all);
  addEvaluator<memref::RankOp, runRank>(all);
  addEvaluator<memref::StoreOp, runStore>(all);
  addEvaluator<memref::SubViewOp, runSubView>(all);
  addEvaluator<memref::TransposeOp, runTranspose>(all);
  addEvaluator<arith::SelectOp, runSelect>(all);
  addEvaluator<affine::AffineLoadOp, runAffineLoad>(all);
  addEvaluator<affine::AffineStoreOp, runAffineStore>(all);
  addEvaluator<bufferization::CloneOp, runClone>(all);
  addEvaluator<bufferization::MaterializeInDestinationOp, runMaterialize>(all);
  addEvaluator<bufferization::ToBufferOp, runClone>(all);
  addEvaluator<bufferization::ToTensorOp, runClone>(all);
  addVectorMemoryEvaluators(all);
}

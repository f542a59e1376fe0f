//===- AccessOps.cpp - The ops on access patterns -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op by its reference kernel (Core/Kernels.h).
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "TensorAccess/Core/Accelerators.h"
#include "TensorAccess/IR/Constants.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The shape that a reshape asks for on one side. Where the types agree the
/// side stays as it is, however many of its sizes are dynamic.
static ArrayRef<int64_t> wantedShape(ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to,
                                     ArrayRef<int64_t> actual) {
  return from == to ? actual : to;
}

static FailureOr<RuntimeValues> runReshape(ReshapeOp op,
                                           const AccessPattern &pattern) {
  AccessType from = op.getPattern().getType(), to = op.getType();
  SmallVector<int64_t> compute = pattern.getComputeShape();
  return resultAt(
      op,
      kernels::reshape(
          pattern,
          wantedShape(from.getAccessShape(), to.getAccessShape(),
                      pattern.getAccessShape()),
          wantedShape(from.getComputeShape(), to.getComputeShape(), compute)));
}

static FailureOr<RuntimeValues> runPad(PadOp op, const AccessPattern &pattern) {
  FailureOr<Tensor> value = reportAt(op, tensorFromAttribute(op.getValue()));
  if (failed(value))
    return failure();
  return resultAt(op, kernels::pad(pattern, op.getLow(), op.getHigh(), *value,
                                   op.getInteriorOrZeros()));
}

/// The patterns that a variadic op reads.
static SmallVector<AccessPattern> getPatterns(ValueRange values,
                                              const Environment &env) {
  return llvm::map_to_vector(
      values, [&](Value value) { return env.getPattern(value); });
}

static FailureOr<RuntimeValues> runAcceleratorCall(AcceleratorCallOp op,
                                                   const Environment &env) {
  AccessType type = op.getType();
  std::optional<ElementType> elementType =
      getElementTypeOf(type.getElementType());
  if (!elementType)
    return emitUnsupported(op);
  AcceleratorResult wanted{*elementType,
                           SmallVector<int64_t>(type.getAccessShape()),
                           SmallVector<int64_t>(type.getComputeShape())};
  return resultAt(op, kernels::acceleratorCall(
                          op.getTarget(), getPatterns(op.getPatterns(), env),
                          wanted));
}

static FailureOr<RuntimeValues> runCompute(ComputeOp op,
                                           const AccessPattern &pattern) {
  std::optional<ElementType> accumulator;
  if (std::optional<Type> type = op.getAccumulator()) {
    accumulator = getElementTypeOf(*type);
    if (!accumulator)
      return emitUnsupported(op);
  }
  switch (op.getKind()) {
  case ComputeKind::DotProd:
    return resultAt(op, kernels::dotProd(pattern, accumulator));
  case ComputeKind::ReduceSum:
    return resultAt(op, kernels::reduceSum(pattern, accumulator));
  case ComputeKind::ReduceMax:
    return resultAt(op, kernels::reduceMax(pattern));
  case ComputeKind::ReduceMean:
    return resultAt(op, kernels::reduceMean(pattern));
  case ComputeKind::ElementwiseAdd:
    return resultAt(op, kernels::elementwiseAdd(pattern));
  case ComputeKind::ElementwiseMul:
    return resultAt(op, kernels::elementwiseMul(pattern));
  case ComputeKind::ElementwiseDiv:
    return resultAt(op, kernels::elementwiseDiv(pattern));
  case ComputeKind::Relu:
    return resultAt(op, kernels::relu(pattern));
  case ComputeKind::Sqrt:
    return resultAt(op, kernels::sqrt(pattern));
  case ComputeKind::Negative:
    return resultAt(op, kernels::negative(pattern));
  case ComputeKind::Softmax:
    return resultAt(op, kernels::softmax(pattern));
  }
  return emitUnsupported(op);
}

FailureOr<RuntimeValues>
mlir::tensoraccess::runAccessOp(Operation *op, const Environment &env) {
  return llvm::TypeSwitch<Operation *, FailureOr<RuntimeValues>>(op)
      .Case([&](AccessOp access) {
        return resultAt(op, kernels::access(env.getTensor(access.getTensor()),
                                            access.getAxis()));
      })
      .Case([&](ToTensorOp toTensor) {
        return resultAt(
            op, kernels::toTensor(env.getPattern(toTensor.getPattern())));
      })
      .Case([&](TransposeOp transpose) {
        return resultAt(
            op, kernels::transpose(env.getPattern(transpose.getPattern()),
                                   transpose.getPerm()));
      })
      .Case([&](CartProdOp product) {
        return resultAt(op,
                        kernels::cartProd(env.getPattern(product.getLhs()),
                                          env.getPattern(product.getRhs())));
      })
      .Case([&](PairOp pair) {
        return resultAt(op, kernels::pair(env.getPattern(pair.getLhs()),
                                          env.getPattern(pair.getRhs())));
      })
      .Case([&](ConcatOp concat) {
        return resultAt(op,
                        kernels::concat(getPatterns(concat.getPatterns(), env),
                                        concat.getAxis()));
      })
      .Case([&](SliceOp slice) {
        return resultAt(
            op, kernels::slice(env.getPattern(slice.getPattern()),
                               slice.getOffsets(), slice.getSizes(),
                               slice.getStridesOrOnes()));
      })
      .Case([&](BroadcastOp broadcast) {
        return resultAt(
            op, kernels::broadcast(env.getPattern(broadcast.getPattern()),
                                   broadcast.getType().getAccessShape(),
                                   broadcast.getType().getComputeShape()));
      })
      .Case([&](ShiftRightOp shift) {
        return resultAt(op,
                        kernels::shiftRight(env.getPattern(shift.getPattern()),
                                            shift.getBy()));
      })
      .Case([&](SystolicArrayOp array) {
        return resultAt(
            op, kernels::systolicArray(env.getPattern(array.getActivations()),
                                       env.getPattern(array.getWeights()),
                                       array.getRows(), array.getCols()));
      })
      .Case([&](AcceleratorCallOp call) {
        return runAcceleratorCall(call, env);
      })
      .Case([&](WindowsOp windows) {
        return resultAt(
            op, kernels::windows(env.getPattern(windows.getPattern()),
                                 windows.getShape(), windows.getStrides(),
                                 windows.getDilationsOrOnes()));
      })
      .Case([&](SqueezeOp squeeze) {
        return resultAt(op,
                        kernels::squeeze(env.getPattern(squeeze.getPattern()),
                                         squeeze.getAxis()));
      })
      .Case([&](InsertAxisOp insert) {
        return resultAt(op,
                        kernels::insertAxis(env.getPattern(insert.getPattern()),
                                            insert.getAxis()));
      })
      .Case([&](FlattenOp flatten) {
        return resultAt(op,
                        kernels::flatten(env.getPattern(flatten.getPattern())));
      })
      .Case([&](ReshapeOp reshape) {
        return runReshape(reshape, env.getPattern(reshape.getPattern()));
      })
      .Case([&](PadOp pad) {
        return runPad(pad, env.getPattern(pad.getPattern()));
      })
      .Case([&](MaterializeOp materialize) {
        return resultAt(
            op, kernels::materialize(env.getPattern(materialize.getPattern())));
      })
      .Case([&](ComputeOp compute) {
        return runCompute(compute, env.getPattern(compute.getPattern()));
      })
      .Default([](Operation *unknown) -> FailureOr<RuntimeValues> {
        return emitUnsupported(unknown);
      });
}

//===- TosaToAccess.cpp - Ops of tosa become access patterns --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement, reductions and elementwise arithmetic; convolutions and poolings
// are in TosaWindows.cpp. Operands of elementwise ops have one rank; those of
// size 1 in a dimension are repeated there. Offsets, paddings and multiples are
// operands of type !tosa.shape, which must be constants.
//
//===----------------------------------------------------------------------===//

#include "RaiseNest.h"
#include "TosaReaders.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static Value raiseReshape(RaiseBuilder &builder, tosa::ReshapeOp op) {
  RankedTensorType type = rankedType(op.getOutput());
  if (!type)
    return builder.fail("its result has no rank");
  return builder.reshape(builder.accessAll(op.getInput1()), type.getShape());
}

static Value raiseSlice(RaiseBuilder &builder, tosa::SliceOp op) {
  if (!isConstant(op.getStart()) || !isConstant(op.getSize()))
    return builder.fail("its slice is known only at run time");
  return raiseMove(builder, op);
}

static Value raiseConcat(RaiseBuilder &builder, tosa::ConcatOp op) {
  SmallVector<Value> patterns;
  for (Value input : op.getInput1())
    patterns.push_back(builder.accessAll(input));
  return builder.concat(patterns, op.getAxis());
}

static Value raisePad(RaiseBuilder &builder, tosa::PadOp op) {
  if (!isConstant(op.getPadding()))
    return builder.fail("its padding is known only at run time");
  TypedAttr value = getSplatElement(op.getPadConst());
  return value ? raiseMove(builder, op, value)
               : builder.fail("it does not pad by one constant");
}

static Value raiseReverse(RaiseBuilder &builder, tosa::ReverseOp op) {
  RankedTensorType type = rankedType(op.getInput1());
  if (!type || type.isDynamicDim(op.getAxis()))
    return builder.fail("it reverses a dimension of unknown size");
  return raiseMove(builder, op);
}

static Value raiseTile(RaiseBuilder &builder, tosa::TileOp op) {
  return isConstant(op.getMultiples())
             ? raiseMove(builder, op)
             : builder.fail("how often it repeats is known only at run time");
}

//===----------------------------------------------------------------------===//
// Reductions along one dimension, which keeps size 1
//===----------------------------------------------------------------------===//

static Value raiseReduce(RaiseBuilder &builder, Operation *op,
                         Combiner combiner) {
  if (!rankedType(op->getOperand(0)))
    return builder.fail("its operand has no rank");
  NestRef nest = getNest(OpSignature(op));
  auto loops = NestLoops::get(builder, *nest);
  auto operand =
      loops ? loops->getOperand(builder, 0, op->getOperand(0)) : std::nullopt;
  return operand ? builder.combine(loops->nest, combiner, *operand) : Value();
}

/// reduce_max and reduce_min, which may be asked to ignore NaN.
template <typename OpTy>
static Value raiseExtremum(RaiseBuilder &builder, OpTy op, Combiner combiner) {
  if (op.getNanMode() != tosa::NanPropagationMode::PROPAGATE &&
      isa<FloatType>(getElementTypeOrSelf(op.getType())))
    return builder.fail("it ignores NaN, and reduce_max keeps it");
  return raiseReduce(builder, op, combiner);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// The operands over the loops of the result, repeated where they have size 1.
static SmallVector<Value> readOperands(RaiseBuilder &builder, Operation *op,
                                       unsigned count) {
  SmallVector<Value> patterns;
  RankedTensorType result = rankedType(op->getResult(0));
  if (!result) {
    builder.fail("its result has no rank");
    return SmallVector<Value>(count);
  }
  if (!builder.knowsRepetition())
    return SmallVector<Value>(count);
  LoopNest nest = LoopNest::parallelOver(result.getShape());
  nest.sizes.assign(result.getRank(), {Value(), 0});
  for (Value operand : op->getOperands().take_front(count)) {
    RankedTensorType type = rankedType(operand);
    if (!type || type.getRank() != result.getRank()) {
      builder.fail("its operands differ in rank");
      return SmallVector<Value>(count);
    }
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        nest.sizes[dim] = {operand, dim};
  }
  for (Value operand : op->getOperands().take_front(count)) {
    RankedTensorType type = rankedType(operand);
    LoopOperand read{operand, {}};
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      read.indices.push_back(size == 1 && result.getDimSize(dim) != 1
                                 ? LoopIndex::constant(0)
                                 : LoopIndex(dim));
    patterns.push_back(builder.pattern(nest, read));
  }
  return patterns;
}

static Value raiseBinary(RaiseBuilder &builder, Operation *op,
                         ComputeKind kind) {
  return builder.elementwise(kind, readOperands(builder, op, 2));
}

static Value raiseMul(RaiseBuilder &builder, tosa::MulOp op) {
  if (!isPositiveZero(getSplatElement(op.getShift())))
    return builder.fail("its products are shifted");
  return raiseBinary(builder, op, ComputeKind::ElementwiseMul);
}

/// 1 / x.
static Value raiseReciprocal(RaiseBuilder &builder, tosa::ReciprocalOp op) {
  RankedTensorType type = rankedType(op.getOutput());
  if (!type || !isa<FloatType>(type.getElementType()))
    return builder.fail("its operand has no rank");
  TypedAttr one = FloatAttr::get(type.getElementType(), 1.0);
  LoopNest nest = LoopNest::parallelOver(type.getShape());
  return builder.elementwise(
      ComputeKind::ElementwiseDiv,
      {builder.movement(nest, LoopOperand{builder.constant(one), {}}),
       builder.accessAll(op.getInput1())});
}

/// A clamp to [0, nothing above] is relu. Where tosa can't express "nothing" it
/// takes the greatest finite number.
static Value raiseClamp(RaiseBuilder &builder, tosa::ClampOp op) {
  if (op.getNanMode() != tosa::NanPropagationMode::PROPAGATE)
    return builder.fail("it replaces NaN by a bound");
  Attribute greatest = op.getMaxVal();
  bool unbounded = false;
  if (auto real = dyn_cast<FloatAttr>(greatest)) {
    APFloat value = real.getValue();
    unbounded =
        !value.isNegative() && (value.isInfinity() || value.isLargest());
  } else if (auto integer = dyn_cast<IntegerAttr>(greatest)) {
    unbounded = integer.getValue().isMaxSignedValue();
  }
  if (!isPositiveZero(op.getMinVal()) || !unbounded)
    return builder.fail("it clamps to bounds other than 0 and infinity, which "
                        "no compute kind does");
  return builder.unary(ComputeKind::Relu, builder.accessAll(op.getInput()));
}

static Value raiseMaximum(RaiseBuilder &builder, tosa::MaximumOp op) {
  if (op.getNanMode() != tosa::NanPropagationMode::PROPAGATE)
    return builder.fail("it ignores NaN");
  return builder.maximum(readOperands(builder, op, 2));
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

static Value raise(RaiseBuilder &builder, Operation *op, RaisedKind &kind) {
  auto elementwise = [&](ComputeKind compute) {
    kind = RaisedKind::Elementwise;
    return raiseBinary(builder, op, compute);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tosa::TransposeOp op) { return raiseMove(builder, op); })
      .Case([&](tosa::ReshapeOp op) { return raiseReshape(builder, op); })
      .Case([&](tosa::SliceOp op) { return raiseSlice(builder, op); })
      .Case([&](tosa::ConcatOp op) { return raiseConcat(builder, op); })
      .Case([&](tosa::PadOp op) { return raisePad(builder, op); })
      .Case([&](tosa::ReverseOp op) { return raiseReverse(builder, op); })
      .Case([&](tosa::TileOp op) { return raiseTile(builder, op); })
      .Case([&](tosa::IdentityOp op) {
        return builder.accessAll(op.getInput1());
      })
      .Case([&](tosa::ReduceSumOp op) {
        kind = RaisedKind::Reduction;
        return raiseReduce(builder, op, Combiner::Sum);
      })
      .Case([&](tosa::ReduceMaxOp op) {
        kind = RaisedKind::Reduction;
        return raiseExtremum(builder, op, Combiner::Greatest);
      })
      .Case([&](tosa::ReduceMinOp op) {
        kind = RaisedKind::Reduction;
        return raiseExtremum(builder, op, Combiner::Least);
      })
      .Case([&](tosa::ReduceProductOp op) {
        kind = RaisedKind::Reduction;
        return raiseReduce(builder, op, Combiner::Product);
      })
      .Case(
          [&](tosa::AddOp) { return elementwise(ComputeKind::ElementwiseAdd); })
      .Case([&](tosa::SubOp op) {
        kind = RaisedKind::Elementwise;
        SmallVector<Value> patterns = readOperands(builder, op, 2);
        return builder.subtract(patterns[0], patterns[1]);
      })
      .Case([&](tosa::MulOp op) {
        kind = RaisedKind::Elementwise;
        return raiseMul(builder, op);
      })
      .Case([&](tosa::IntDivOp) {
        return elementwise(ComputeKind::ElementwiseDiv);
      })
      .Case([&](tosa::ReciprocalOp op) {
        kind = RaisedKind::Elementwise;
        return raiseReciprocal(builder, op);
      })
      .Case([&](tosa::NegateOp op) {
        kind = RaisedKind::Elementwise;
        FailureOr<int64_t> in = op.getInput1ZeroPoint();
        FailureOr<int64_t> out = op.getOutputZeroPoint();
        if (failed(in) || failed(out) || *in != 0 || *out != 0)
          return builder.fail("its zero points are not the constant 0");
        // Integers that have no negative saturate in tosa.
        if (!isa<FloatType>(getElementTypeOrSelf(op.getType())))
          return builder.fail("it saturates, which no compute kind does");
        return builder.unary(ComputeKind::Negative,
                             builder.accessAll(op.getInput1()));
      })
      .Case([&](tosa::ClampOp op) {
        kind = RaisedKind::Elementwise;
        return raiseClamp(builder, op);
      })
      .Case([&](tosa::MaximumOp op) {
        kind = RaisedKind::Elementwise;
        return raiseMaximum(builder, op);
      })
      .Default([&](Operation *other) {
        return raiseTosaWindow(builder, other, kind);
      });
}

std::optional<RaisedKind>
mlir::tensoraccess::raiseTosaOp(RaiseBuilder &builder, Operation *op,
                                SmallVectorImpl<Value> &results) {
  if (op->getNumResults() != 1)
    return builder.refuse("it has " + Twine(op->getNumResults()) + " results");
  RaisedKind kind = RaisedKind::Movement;
  Value pattern = raise(builder, op, kind);
  if (!pattern)
    return std::nullopt;
  results.push_back(builder.toTensor(pattern, op->getResult(0).getType()));
  return kind;
}

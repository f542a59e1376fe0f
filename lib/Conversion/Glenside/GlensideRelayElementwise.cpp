//===- GlensideRelayElementwise.cpp - Relay, element by element ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one element or of two that broadcast, and along one axis:
// softmax, means, normalisations.
//
//===----------------------------------------------------------------------===//

#include "GlensideRelay.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

/// The permutation that moves dimension `axis` to the end.
static SmallVector<int64_t> axisLast(int64_t rank, int64_t axis) {
  SmallVector<int64_t> perm;
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis)
      perm.push_back(i);
  perm.push_back(axis);
  return perm;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

template <ComputeKind kind>
static TermValue readUnary(Call &c) {
  return c.check("p") ? c.likeFirst(c.b.compute(kind, c.tensor(0)))
                      : TermValue();
}

template <typename Op>
static TermValue readMath(Call &c) {
  if (!c.check("p") || !c.isFloat())
    return {};
  return c.likeFirst(c.math<Op>(c.tensor(0)));
}

/// 1 / (1 + exp(-x))
static TermValue readSigmoid(Call &c) {
  if (!c.check("p") || !c.isFloat())
    return {};
  Value x = c.tensor(0), one = c.splatLike(x, int64_t(1));
  Value power = c.math<math::ExpOp>(c.negative(x));
  return c.likeFirst(
      c.elementwise(ComputeKind::ElementwiseDiv, one,
                    c.elementwise(ComputeKind::ElementwiseAdd, one, power)));
}

template <ComputeKind kind>
static TermValue readBinary(Call &c) {
  return c.check("pp") ? c.all(c.elementwise(kind, c.pattern(0), c.pattern(1)))
                       : TermValue();
}

static TermValue readMinimum(Call &c) {
  return c.check("pp") ? c.all(c.minimum(c.tensor(0), c.tensor(1)))
                       : TermValue();
}

/// x where x > 0, else alpha·x: relu(x) - alpha·relu(-x).
static TermValue readLeakyRelu(Call &c) {
  if (!c.check("pd"))
    return {};
  Value x = c.tensor(0);
  Value positive = c.b.compute(ComputeKind::Relu, x);
  Value rest = c.b.compute(ComputeKind::Relu, c.negative(x));
  Value scaled = c.elementwise(ComputeKind::ElementwiseMul,
                               c.splatLike(x, -c.decimal(1)), rest);
  return c.likeFirst(
      c.elementwise(ComputeKind::ElementwiseAdd, positive, scaled));
}

static TermValue readClip(Call &c) {
  if (!c.check("pdd"))
    return {};
  Value x = c.tensor(0);
  Value low = c.maximum(x, c.splatLike(x, c.terms[1]));
  return c.likeFirst(c.minimum(low, c.splatLike(x, c.terms[2])));
}

/// Shifts by a pattern of numbers of bits.
template <typename Op>
static TermValue readShift(Call &c) {
  if (!c.check("pp"))
    return {};
  if (!isa<IntegerType>(c.b.typeOf(c.pattern(0)).getElementType()))
    return c.refuse(0, "takes integers");
  Value x = c.pattern(0), bits = c.pattern(1);
  if (!c.broadcastTogether(x, bits))
    return {};
  Value lhs = c.b.toTensor(x), rhs = c.b.toTensor(bits);
  if (!lhs || !rhs)
    return {};
  if (lhs.getType() != rhs.getType())
    return c.refuse(1, "takes equal element types");
  return c.likeFirst(
      c.b.access(Op::create(c.b.b, c.b.loc, lhs, rhs), c.b.rankOf(x)));
}

static Type readType(StringRef word, MLIRContext *context) {
  if (word == "bool")
    return IntegerType::get(context, 1);
  return llvm::StringSwitch<Type>(word)
      .Case("float16", Float16Type::get(context))
      .Case("float32", Float32Type::get(context))
      .Case("float64", Float64Type::get(context))
      .Case("int8", IntegerType::get(context, 8))
      .Case("int16", IntegerType::get(context, 16))
      .Case("int32", IntegerType::get(context, 32))
      .Case("int64", IntegerType::get(context, 64))
      .Default({});
}

static TermValue readCast(Call &c) {
  if (!c.check("p_"))
    return {};
  Type to = c.terms[1].kind == TermValue::Word
                ? readType(c.terms[1].word, c.b.b.getContext())
                : Type();
  if (!to)
    return c.refuse(1, "takes a type such as float32 or int8 as operand 1");
  Value x = c.tensor(0), tensor = c.b.toTensor(x);
  Type from = c.b.typeOf(x).getElementType();
  auto type = cast<RankedTensorType>(tensor.getType()).clone(to);
  OpBuilder &b = c.b.b;
  Location loc = c.b.loc;
  if (from != to) {
    unsigned fromWidth = from.getIntOrFloatBitWidth(),
             toWidth = to.getIntOrFloatBitWidth();
    if (isa<FloatType>(from) && isa<FloatType>(to))
      tensor = fromWidth < toWidth
                   ? Value(arith::ExtFOp::create(b, loc, type, tensor))
                   : Value(arith::TruncFOp::create(b, loc, type, tensor));
    else if (isa<FloatType>(from))
      tensor = arith::FPToSIOp::create(b, loc, type, tensor);
    else if (isa<FloatType>(to))
      tensor = arith::SIToFPOp::create(b, loc, type, tensor);
    else
      tensor = fromWidth < toWidth
                   ? Value(arith::ExtSIOp::create(b, loc, type, tensor))
                   : Value(arith::TruncIOp::create(b, loc, type, tensor));
  }
  return c.likeFirst(c.b.access(tensor, type.getRank()));
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

namespace {
/// Operand 0 as a tensor, and one of its dimensions.
struct AlongAxis {
  Value x;
  int64_t rank, axis;

  /// The dimension is that of the operand whose letter in `kinds` is the number
  /// `n`. std::nullopt, with an error, where Call::check or Call::axis has one.
  static std::optional<AlongAxis> read(Call &c, StringRef kinds) {
    if (!c.check(kinds))
      return std::nullopt;
    Value x = c.tensor(0);
    int64_t rank = c.b.rankOf(x);
    std::optional<int64_t> axis = c.axis(kinds.find('n'), rank);
    return axis ? std::optional(AlongAxis{x, rank, *axis}) : std::nullopt;
  }
};
} // namespace

static TermValue readSoftmax(Call &c) {
  std::optional<AlongAxis> along = AlongAxis::read(c, "pn");
  if (!along || !c.isFloat())
    return {};
  auto [x, rank, axis] = *along;
  SmallVector<int64_t> perm = axisLast(rank, axis);
  x = c.b.transpose(x, perm);
  if (c.name == "relay-softmax") {
    x = c.b.compute(ComputeKind::Softmax, c.b.split(x, rank - 1));
    x = x ? c.b.split(x, rank) : Value();
  } else {
    // x - max - log(sum(exp(x - max)))
    x = c.subtract(x, c.reduceLast(ComputeKind::ReduceMax, x));
    Value sum = c.reduceLast(ComputeKind::ReduceSum, c.math<math::ExpOp>(x));
    x = c.subtract(x, c.math<math::LogOp>(sum));
  }
  return c.likeFirst(x ? c.b.transpose(x, invertPermutationVector(perm))
                       : Value());
}

static TermValue readMean(Call &c) {
  std::optional<AlongAxis> along = AlongAxis::read(c, "pn");
  if (!along)
    return {};
  auto [x, rank, axis] = *along;
  x = c.b.split(c.b.transpose(x, axisLast(rank, axis)), rank - 1);
  return c.none(c.b.compute(ComputeKind::ReduceMean, x));
}

static TermValue readBiasAdd(Call &c) {
  std::optional<AlongAxis> along = AlongAxis::read(c, "ppn");
  if (!along)
    return {};
  auto [x, rank, axis] = *along;
  Value bias = c.alongAxis(c.pattern(1), axis, rank);
  return c.likeFirst(bias ? c.elementwise(ComputeKind::ElementwiseAdd, x, bias)
                          : Value());
}

/// (x - mean) / sqrt(variance + epsilon) · gamma + beta
static Value normalize(Call &c, Value x, Value gamma, Value beta, Value mean,
                       Value variance, double epsilon) {
  Value shifted = c.elementwise(ComputeKind::ElementwiseAdd, variance,
                                c.splatLike(variance, epsilon));
  Value deviation = shifted ? c.b.compute(ComputeKind::Sqrt, shifted) : Value();
  Value unit = c.elementwise(ComputeKind::ElementwiseDiv, c.subtract(x, mean),
                             deviation);
  return c.elementwise(ComputeKind::ElementwiseAdd,
                       c.elementwise(ComputeKind::ElementwiseMul, unit, gamma),
                       beta);
}

static TermValue readBatchNorm(Call &c) {
  std::optional<AlongAxis> along = AlongAxis::read(c, "pppppnd");
  if (!along || !c.isFloat())
    return {};
  auto [x, rank, axis] = *along;
  Value vectors[4];
  for (int i = 0; i < 4; ++i)
    if (!(vectors[i] = c.alongAxis(c.pattern(1 + i), axis, rank)))
      return {};
  return c.likeFirst(normalize(c, x, vectors[0], vectors[1], vectors[2],
                               vectors[3], c.decimal(6)));
}

/// Over the last dimension, with Relay's default epsilon.
static TermValue readLayerNorm(Call &c) {
  if (!c.check("ppp") || !c.isFloat())
    return {};
  Value x = c.tensor(0);
  if (c.b.rankOf(x) == 0)
    return c.refuse(0, "takes at least one dimension");
  Value mean = c.reduceLast(ComputeKind::ReduceMean, x);
  Value centred = c.subtract(x, mean);
  Value variance = c.reduceLast(
      ComputeKind::ReduceMean,
      c.elementwise(ComputeKind::ElementwiseMul, centred, centred));
  return c.likeFirst(normalize(c, x, c.tensor(1), c.tensor(2), mean, variance,
                               /*epsilon=*/1e-5));
}

RelayReader glenside::findElementwise(StringRef name) {
  return llvm::StringSwitch<RelayReader>(name)
      .Case("relay-relu", readUnary<ComputeKind::Relu>)
      .Case("relay-sqrt", readUnary<ComputeKind::Sqrt>)
      .Case("relay-negative", readUnary<ComputeKind::Negative>)
      .Case("relay-tanh", readMath<math::TanhOp>)
      .Case("relay-erf", readMath<math::ErfOp>)
      .Case("relay-round", readMath<math::RoundOp>)
      .Case("relay-sigmoid", readSigmoid)
      .Case("relay-add", readBinary<ComputeKind::ElementwiseAdd>)
      .Cases({"relay-multiply", "relay-mul"},
             readBinary<ComputeKind::ElementwiseMul>)
      .Case("relay-divide", readBinary<ComputeKind::ElementwiseDiv>)
      .Case("relay-maximum", readBinary<ComputeKind::ReduceMax>)
      .Case("relay-minimum", readMinimum)
      .Case("relay-leaky-relu", readLeakyRelu)
      .Case("relay-clip", readClip)
      .Case("relay-left-shift", readShift<arith::ShLIOp>)
      .Case("relay-right-shift", readShift<arith::ShRSIOp>)
      .Case("relay-cast", readCast)
      .Default(nullptr);
}

RelayReader glenside::findAlongAxis(StringRef name) {
  return llvm::StringSwitch<RelayReader>(name)
      .Cases({"relay-softmax", "relay-log-softmax"}, readSoftmax)
      .Case("relay-mean", readMean)
      .Case("relay-bias-add", readBiasAdd)
      .Case("relay-batch-norm-inference", readBatchNorm)
      .Case("relay-layer-norm", readLayerNorm)
      .Default(nullptr);
}

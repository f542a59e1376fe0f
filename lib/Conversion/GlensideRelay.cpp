//===- GlensideRelay.cpp - Relay operators in Glenside programs -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `(relay-operator-call relay-… operands…)`: operators of a whole network that
// Glenside has not (yet) written as access patterns. Each is written as access
// patterns here: a broadcast addition is insert_axis, broadcast, pair and
// elementwise_add; a maximum of two tensors is the greatest of a pair.
// Functions of one element that the dialect has no kind for (exp, tanh, …) are
// arith and math on tensors.
//
// A Relay operator sees the dimensions of its operands and not where they are
// split; results are split as Glenside's own shape rules do.
//
//===----------------------------------------------------------------------===//

#include "GlensideBuilder.h"
#include "TensorAccess/Core/Shape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

namespace {

/// One call: its operands without the operator's name.
class Call {
public:
  Call(TermBuilder &b, StringRef name, ArrayRef<TermValue> terms)
      : b(b), name(name), terms(terms) {}

  TermBuilder &b;
  StringRef name;
  ArrayRef<TermValue> terms;

  TermValue refuse(const Twine &why) {
    b.error() << "'" << name << "' " << why;
    return {};
  }
  /// True where the operands have these kinds, one letter each: a pattern `p`,
  /// a number `n`, a shape `s`, a list `l`, a tuple `t`, an activation layout
  /// `a`, a kernel layout `k`, a decimal, literal or number `d`, any `_`.
  bool check(StringRef kinds);

  Value pattern(size_t i) { return terms[i].value; }
  /// The pattern with all dimensions as access dimensions.
  Value tensor(size_t i) { return b.split(pattern(i), b.rankOf(pattern(i))); }
  ArrayRef<int64_t> numbers(size_t i) { return terms[i].numbers; }
  double decimal(size_t i) { return terms[i].decimal; }
  bool channelsLast(size_t i) { return terms[i].word.ends_with("nhwc"); }
  /// Operand i as an axis of a tensor of that rank, counted from the end where
  /// negative; none, with an error, where it is outside.
  std::optional<int64_t> axis(size_t i, int64_t rank);

  /// The result, split like operand 0.
  TermValue likeFirst(Value result) {
    if (!result)
      return {};
    return TermValue::ofPattern(b.split(result, b.splitOf(pattern(0))), true);
  }
  TermValue all(Value result) {
    return TermValue::ofPattern(
        result ? b.split(result, b.rankOf(result)) : Value(), true);
  }
  /// All dimensions in the item.
  TermValue none(Value result) {
    return TermValue::ofPattern(b.split(result, 0), true);
  }

  Value elementwise(ComputeKind kind, Value lhs, Value rhs);
  bool broadcastTogether(Value &lhs, Value &rhs);
  Value maximum(Value lhs, Value rhs) {
    return elementwise(ComputeKind::ReduceMax, lhs, rhs);
  }
  Value minimum(Value lhs, Value rhs);
  Value negative(Value x) { return b.compute(ComputeKind::Negative, x); }
  Value subtract(Value lhs, Value rhs) {
    return rhs ? elementwise(ComputeKind::ElementwiseAdd, lhs, negative(rhs))
               : Value();
  }
  Value splatLike(Value x, double value) {
    return x ? b.splat(b.shapeOf(x), b.typeOf(x).getElementType(), value)
             : Value();
  }
  Value reduceLast(ComputeKind kind, Value x);
  /// A vector along `axis` of a tensor of that rank, other sizes 1.
  Value alongAxis(Value vector, int64_t axis, int64_t rank);
  bool isFloat();
  template <typename Op>
  Value math(Value x) {
    Value tensor = x ? b.toTensor(x) : Value();
    return tensor ? b.access(Op::create(b.b, b.loc, tensor), b.rankOf(x))
                  : Value();
  }
};

using Reader = TermValue (*)(Call &);

} // namespace

bool Call::check(StringRef kinds) {
  auto fits = [](const TermValue &term, char kind) {
    switch (kind) {
    case 'p':
      return term.kind == TermValue::Pattern;
    case 'n':
      return term.kind == TermValue::Number;
    case 's':
      return term.kind == TermValue::Shape;
    case 'l':
      return term.kind == TermValue::List;
    case 't':
      return term.kind == TermValue::Tuple;
    case 'a':
      return term.kind == TermValue::Word &&
             (term.word == "relay-activation-layout-nchw" ||
              term.word == "relay-activation-layout-nhwc");
    case 'k':
      return term.kind == TermValue::Word &&
             (term.word == "relay-kernel-layout-oihw" ||
              term.word == "relay-kernel-layout-hwio");
    case 'd':
      return term.kind == TermValue::Decimal ||
             term.kind == TermValue::Literal || term.kind == TermValue::Number;
    default:
      return true;
    }
  };
  auto wanted = [](char kind) -> StringRef {
    switch (kind) {
    case 'p':
      return "an access pattern";
    case 'n':
      return "a number";
    case 's':
      return "a shape";
    case 'l':
      return "a list";
    case 't':
      return "a tuple";
    case 'a':
      return "an activation layout";
    case 'k':
      return "a kernel layout";
    default:
      return "a decimal number";
    }
  };
  if (terms.size() != kinds.size()) {
    refuse("takes " + Twine(kinds.size()) + " operand" +
           (kinds.size() == 1 ? "" : "s") + ", got " + Twine(terms.size()));
    return false;
  }
  for (auto [i, term, kind] : llvm::enumerate(terms, kinds))
    if (!fits(term, kind)) {
      refuse("takes " + wanted(kind) + " as operand " + Twine(i) + ", got " +
             (term.kind == TermValue::Word ? "'" + term.word + "'"
                                           : Twine(describe(term.kind))));
      return false;
    }
  return true;
}

std::optional<int64_t> Call::axis(size_t i, int64_t rank) {
  int64_t number = terms[i].number;
  if (number < -rank || number >= rank) {
    refuse("takes an axis in [" + Twine(-rank) + ", " + Twine(rank) +
           "), got " + Twine(number));
    return std::nullopt;
  }
  return number < 0 ? number + rank : number;
}

bool Call::isFloat() {
  Type element = b.typeOf(pattern(0)).getElementType();
  if (isa<FloatType>(element))
    return true;
  b.error() << "'" << name << "' takes floats, got " << element;
  return false;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// numpy's broadcasting: shorter shapes get leading 1s, 1s grow.
bool Call::broadcastTogether(Value &lhs, Value &rhs) {
  for (Value *value : {&lhs, &rhs}) {
    if (!*value)
      return false;
    *value = b.split(*value, b.rankOf(*value));
  }
  while (lhs && rhs && b.rankOf(lhs) < b.rankOf(rhs))
    lhs = b.insertAxis(lhs, 0);
  while (lhs && rhs && b.rankOf(rhs) < b.rankOf(lhs))
    rhs = b.insertAxis(rhs, 0);
  if (!lhs || !rhs)
    return false;
  SmallVector<int64_t> shape = b.shapeOf(lhs);
  for (auto [i, l, r] : llvm::enumerate(b.shapeOf(lhs), b.shapeOf(rhs))) {
    if (l != r && l != 1 && r != 1) {
      refuse("takes shapes that broadcast together, got sizes " + Twine(l) +
             " and " + Twine(r) + " in dimension " + Twine(i));
      return false;
    }
    shape[i] = l == 1 ? r : l;
  }
  lhs = b.broadcast(lhs, shape);
  rhs = b.broadcast(rhs, shape);
  return lhs && rhs;
}

Value Call::elementwise(ComputeKind kind, Value lhs, Value rhs) {
  return broadcastTogether(lhs, rhs) ? b.compute(kind, b.pair(lhs, rhs))
                                     : Value();
}

Value Call::minimum(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return {};
  Value greatest = maximum(negative(lhs), negative(rhs));
  return greatest ? negative(greatest) : Value();
}

/// Reduces the last dimension of a tensor and keeps it with size 1.
Value Call::reduceLast(ComputeKind kind, Value x) {
  if (!x)
    return {};
  int64_t rank = b.rankOf(x);
  Value reduced = b.compute(kind, b.split(x, rank - 1));
  return reduced ? b.insertAxis(reduced, rank - 1) : Value();
}

Value Call::alongAxis(Value vector, int64_t axis, int64_t rank) {
  if (b.rankOf(vector) != 1) {
    refuse("takes a vector along an axis, got " + Twine(b.rankOf(vector)) +
           " dimensions");
    return {};
  }
  Value result = b.split(vector, 1);
  for (int64_t i = axis + 1; result && i < rank; ++i)
    result = b.insertAxis(result, b.rankOf(result));
  return result;
}

/// The permutation that moves dimension `axis` to the end.
static SmallVector<int64_t> axisLast(int64_t rank, int64_t axis) {
  SmallVector<int64_t> perm;
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis)
      perm.push_back(i);
  perm.push_back(axis);
  return perm;
}

static const int64_t kToChannelsFirst[] = {0, 3, 1, 2};
static const int64_t kToChannelsLast[] = {0, 2, 3, 1};

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
  Value x = c.tensor(0), one = c.splatLike(x, 1);
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
  Value low = c.maximum(x, c.splatLike(x, c.decimal(1)));
  return c.likeFirst(c.minimum(low, c.splatLike(x, c.decimal(2))));
}

/// Shifts by a pattern of numbers of bits.
template <typename Op>
static TermValue readShift(Call &c) {
  if (!c.check("pp"))
    return {};
  if (!isa<IntegerType>(c.b.typeOf(c.pattern(0)).getElementType()))
    return c.refuse("takes integers");
  Value x = c.pattern(0), bits = c.pattern(1);
  if (!c.broadcastTogether(x, bits))
    return {};
  Value lhs = c.b.toTensor(x), rhs = c.b.toTensor(bits);
  if (!lhs || !rhs)
    return {};
  if (lhs.getType() != rhs.getType())
    return c.refuse("takes equal element types");
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
    return c.refuse("takes a type such as float32 or int8 as operand 1");
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

static TermValue readSoftmax(Call &c) {
  if (!c.check("pn") || !c.isFloat())
    return {};
  Value x = c.tensor(0);
  int64_t rank = c.b.rankOf(x);
  std::optional<int64_t> axis = c.axis(1, rank);
  if (!axis)
    return {};
  SmallVector<int64_t> perm = axisLast(rank, *axis);
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
  if (!c.check("pn"))
    return {};
  Value x = c.tensor(0);
  int64_t rank = c.b.rankOf(x);
  std::optional<int64_t> axis = c.axis(1, rank);
  if (!axis)
    return {};
  x = c.b.split(c.b.transpose(x, axisLast(rank, *axis)), rank - 1);
  return c.none(c.b.compute(ComputeKind::ReduceMean, x));
}

static TermValue readBiasAdd(Call &c) {
  if (!c.check("ppn"))
    return {};
  Value x = c.tensor(0);
  int64_t rank = c.b.rankOf(x);
  std::optional<int64_t> axis = c.axis(2, rank);
  if (!axis)
    return {};
  Value bias = c.alongAxis(c.pattern(1), *axis, rank);
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
  if (!c.check("pppppnd") || !c.isFloat())
    return {};
  Value x = c.tensor(0);
  int64_t rank = c.b.rankOf(x);
  std::optional<int64_t> axis = c.axis(5, rank);
  if (!axis)
    return {};
  Value vectors[4];
  for (int i = 0; i < 4; ++i)
    if (!(vectors[i] = c.alongAxis(c.pattern(1 + i), *axis, rank)))
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
    return c.refuse("takes at least one dimension");
  Value mean = c.reduceLast(ComputeKind::ReduceMean, x);
  Value centred = c.subtract(x, mean);
  Value variance = c.reduceLast(
      ComputeKind::ReduceMean,
      c.elementwise(ComputeKind::ElementwiseMul, centred, centred));
  return c.likeFirst(normalize(c, x, c.tensor(1), c.tensor(2), mean, variance,
                               /*epsilon=*/1e-5));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The pattern <N, C | H', W'> of an image in NCHW, padded by
/// [top, left, bottom, right].
static Value padImage(Call &c, Value image, ArrayRef<int64_t> padding,
                      TypedAttr value) {
  if (!image)
    return {};
  if (llvm::all_of(padding, [](int64_t p) { return p == 0; }))
    return c.b.split(image, 2);
  Value padded = c.b.pad(image, {0, 0, padding[0], padding[1]},
                         {0, 0, padding[2], padding[3]}, value);
  return padded ? c.b.split(padded, 2) : Value();
}

/// Checks the image, the window, its strides and the padding of a pooling.
static bool checkPooling(Call &c, size_t window, size_t strides,
                         size_t padding) {
  if (c.b.rankOf(c.pattern(0)) != 4) {
    c.refuse("takes an image of 4 dimensions, got " +
             Twine(c.b.rankOf(c.pattern(0))));
    return false;
  }
  if (c.numbers(window).size() != 2 || c.numbers(strides).size() != 2 ||
      c.numbers(padding).size() != 4) {
    c.refuse(
        "takes a window and strides of 2 numbers and a padding of 4, got " +
        Twine(c.numbers(window).size()) + ", " +
        Twine(c.numbers(strides).size()) + " and " +
        Twine(c.numbers(padding).size()));
    return false;
  }
  return true;
}

/// Maxima, or means of the elements that are no padding.
static TermValue readPool(Call &c) {
  if (!c.check("psssa") || !checkPooling(c, 1, 2, 3))
    return {};
  bool last = c.channelsLast(4), isMax = c.name == "relay-max-pool2d";
  Type element = c.b.typeOf(c.pattern(0)).getElementType();
  Value image = c.tensor(0);
  if (last)
    image = c.b.transpose(image, kToChannelsFirst);
  auto pool = [&](ComputeKind kind, Value x, TypedAttr value) -> Value {
    Value padded = padImage(c, x, c.numbers(3), value);
    Value windows =
        padded ? c.b.windows(padded, c.numbers(1), c.numbers(2)) : Value();
    return windows ? c.b.compute(kind, windows) : Value();
  };
  bool pads = llvm::any_of(c.numbers(3), [](int64_t p) { return p != 0; });
  Value result;
  if (isMax) {
    result = pool(ComputeKind::ReduceMax, image, c.b.least(element));
  } else if (!pads) {
    result = pool(ComputeKind::ReduceMean, image, c.b.constant(element, 0));
  } else {
    Value sum = pool(ComputeKind::ReduceSum, image, c.b.constant(element, 0));
    Value number = pool(ComputeKind::ReduceSum, c.splatLike(image, 1),
                        c.b.constant(element, 0));
    result = c.elementwise(ComputeKind::ElementwiseDiv, sum, number);
  }
  if (result && last)
    result = c.b.transpose(c.b.split(result, 4), kToChannelsLast);
  return c.likeFirst(result);
}

static TermValue readGlobalPool(Call &c) {
  if (!c.check("pa"))
    return {};
  if (c.b.rankOf(c.pattern(0)) != 4)
    return c.refuse("takes an image of 4 dimensions, got " +
                    Twine(c.b.rankOf(c.pattern(0))));
  bool last = c.channelsLast(1);
  Value image = c.tensor(0);
  if (last)
    image = c.b.transpose(image, kToChannelsFirst);
  Value mean = c.b.compute(ComputeKind::ReduceMean, c.b.split(image, 2));
  int64_t at = last ? 1 : 2;
  for (int i = 0; i < 2 && mean; ++i)
    mean = c.b.insertAxis(mean, at);
  return c.likeFirst(mean);
}

/// A sum over windows: image <N, C…> and filters <O, C/groups, …>, NCHW and
/// OIHW with any number of spatial dimensions.
static Value convolve(Call &c, Value image, Value filters,
                      ArrayRef<int64_t> strides, int64_t groups) {
  TermBuilder &b = c.b;
  SmallVector<int64_t> x = b.shapeOf(image), w = b.shapeOf(filters);
  if (groups < 1 || x[1] % groups != 0 || w[0] % groups != 0 ||
      x[1] / groups != w[1]) {
    c.refuse("with " + Twine(groups) + " groups of " + Twine(x[1]) +
             " channels takes filters of as many channels a group, got " +
             Twine(w[1]) + " for " + Twine(w[0]) + " filters");
    return {};
  }
  SmallVector<int64_t> window(w.begin() + 1, w.end()), steps = {1};
  llvm::append_range(steps, strides);
  SmallVector<Value> results;
  for (int64_t g = 0; g < groups; ++g) {
    Value part =
        groups == 1 ? image : b.slice(image, 1, g * w[1], (g + 1) * w[1]);
    int64_t share = w[0] / groups;
    Value kernels =
        groups == 1 ? filters : b.slice(filters, 0, g * share, (g + 1) * share);
    if (!part || !kernels)
      return {};
    Value windows = b.windows(b.split(part, 1), window, steps);
    Value product =
        windows ? b.cartProd(windows, b.split(kernels, 1)) : Value();
    Value sums = product ? b.compute(ComputeKind::DotProd, product) : Value();
    // <N, 1, …, O> to <N, O, …>.
    sums = sums ? b.squeeze(sums, 1) : Value();
    if (!sums)
      return {};
    SmallVector<int64_t> perm = {0, b.rankOf(sums) - 1};
    for (int64_t i = 1; i < b.rankOf(sums) - 1; ++i)
      perm.push_back(i);
    results.push_back(b.transpose(sums, perm));
  }
  return results.size() == 1 ? results.front() : b.concat(results, 1);
}

static TermValue readConv1D(Call &c) {
  if (!c.check("ppss"))
    return {};
  Value x = c.tensor(0), w = c.tensor(1);
  if (c.b.rankOf(x) != 3 || c.b.rankOf(w) != 3 || c.numbers(2).size() != 1 ||
      c.numbers(3).size() != 2)
    return c.refuse("takes data and filters of 3 dimensions, 1 stride and 2 "
                    "paddings");
  Type element = c.b.typeOf(x).getElementType();
  x = c.b.pad(x, {0, 0, c.numbers(3)[0]}, {0, 0, c.numbers(3)[1]},
              c.b.constant(element, 0));
  return x ? c.none(convolve(c, x, w, c.numbers(2), 1)) : TermValue();
}

static TermValue readConv2D(Call &c) {
  if (!c.check("ppssnnsak") || !checkPooling(c, 6, 2, 3))
    return {};
  if (c.b.rankOf(c.pattern(1)) != 4)
    return c.refuse("takes filters of 4 dimensions, got " +
                    Twine(c.b.rankOf(c.pattern(1))));
  bool last = c.channelsLast(7);
  Value x = c.tensor(0), w = c.tensor(1);
  if (last)
    x = c.b.transpose(x, kToChannelsFirst);
  if (c.terms[8].word.ends_with("hwio"))
    w = c.b.transpose(w, {3, 2, 0, 1});
  SmallVector<int64_t> filters = c.b.shapeOf(w);
  if (ArrayRef(filters).drop_front(2) != c.numbers(6) ||
      filters[0] != c.terms[5].number)
    return c.refuse("says " + Twine(c.terms[5].number) + " channels and a " +
                    "kernel of " + shapeToString(c.numbers(6)) +
                    ", its filters have the shape " + shapeToString(filters));
  Type element = c.b.typeOf(x).getElementType();
  x = padImage(c, x, c.numbers(3), c.b.constant(element, 0));
  Value result =
      x ? convolve(c, c.b.split(x, 4), w, c.numbers(2), c.terms[4].number)
        : Value();
  if (result && last)
    result = c.b.transpose(result, kToChannelsLast);
  return c.all(result);
}

/// Nearest neighbours, by whole factors.
static TermValue readUpsampling(Call &c) {
  if (!c.check("pdda"))
    return {};
  Value x = c.tensor(0);
  if (c.b.rankOf(x) != 4 || c.channelsLast(3))
    return c.refuse("takes an image of 4 dimensions in NCHW");
  SmallVector<int64_t> shape = c.b.shapeOf(x), wide = shape;
  int64_t factors[2];
  for (int i = 0; i < 2; ++i) {
    double scale = c.decimal(1 + i);
    if (!(scale >= 1 && scale <= 1 << 20) || scale != std::floor(scale))
      return c.refuse("takes whole factors of at least 1, got " +
                      Twine(std::to_string(scale)));
    factors[i] = static_cast<int64_t>(scale);
    shape[2 + i] *= factors[i];
  }
  wide.insert(wide.begin() + 3, factors[0]);
  wide.push_back(factors[1]);
  x = c.b.insertAxis(x, 3);
  x = x ? c.b.insertAxis(x, 5) : Value();
  x = x ? c.b.broadcast(x, wide) : Value();
  return c.likeFirst(x ? c.b.reshape(x, shape, {}) : Value());
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static TermValue readDense(Call &c) {
  if (!c.check("pp"))
    return {};
  Value x = c.tensor(0), w = c.tensor(1);
  if (c.b.rankOf(x) != 2 || c.b.rankOf(w) != 2)
    return c.refuse("takes data and weights of 2 dimensions, got " +
                    Twine(c.b.rankOf(x)) + " and " + Twine(c.b.rankOf(w)));
  Value product = c.b.cartProd(c.b.split(x, 1), c.b.split(w, 1));
  return c.all(product ? c.b.compute(ComputeKind::DotProd, product) : Value());
}

/// out[b, m, n] = Σ_k x[b, m, k] · y[b, n, k]
static TermValue readBatchMatmul(Call &c) {
  if (!c.check("pp"))
    return {};
  Value x = c.tensor(0), y = c.tensor(1);
  if (c.b.rankOf(x) != 3 || c.b.rankOf(y) != 3)
    return c.refuse("takes operands of 3 dimensions, got " +
                    Twine(c.b.rankOf(x)) + " and " + Twine(c.b.rankOf(y)));
  SmallVector<int64_t> xs = c.b.shapeOf(x), ys = c.b.shapeOf(y);
  if (xs[0] != ys[0] || xs[2] != ys[2])
    return c.refuse("takes equal batches and depths, got " + shapeToString(xs) +
                    " and " + shapeToString(ys));
  SmallVector<int64_t> shape = {xs[0], xs[1], ys[1], xs[2]};
  x = c.b.insertAxis(c.b.split(x, 2), 2);
  y = c.b.insertAxis(c.b.split(y, 2), 1);
  if (!x || !y)
    return {};
  Value both = c.b.pair(c.b.split(c.b.broadcast(x, shape), 3),
                        c.b.split(c.b.broadcast(y, shape), 3));
  return c.all(both ? c.b.compute(ComputeKind::DotProd, both) : Value());
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static TermValue readBatchFlatten(Call &c) {
  if (!c.check("p"))
    return {};
  Value x = c.tensor(0);
  if (c.b.rankOf(x) == 0)
    return c.refuse("takes at least one dimension");
  SmallVector<int64_t> shape = c.b.shapeOf(x);
  int64_t rest = 1;
  for (int64_t size : ArrayRef(shape).drop_front())
    rest *= size;
  if (shape.size() == 1)
    return c.all(x);
  return c.all(c.b.reshape(x, {shape[0], rest}, {}));
}

static TermValue readReshape(Call &c) {
  if (!c.check("ps"))
    return {};
  return c.none(c.b.reshape(c.tensor(0), c.numbers(1), {}));
}

static TermValue readTranspose(Call &c) {
  return c.check("pl") ? c.all(c.b.transpose(c.tensor(0), c.numbers(1)))
                       : TermValue();
}

static TermValue readSqueeze(Call &c) {
  if (!c.check("pl"))
    return {};
  SmallVector<int64_t> axes(c.numbers(1));
  llvm::sort(axes, std::greater<>());
  axes.erase(llvm::unique(axes), axes.end());
  Value x = c.tensor(0);
  for (int64_t axis : axes)
    if (x)
      x = c.b.squeeze(x, axis);
  return c.all(x);
}

/// (relay-expand-dims data axis count)
static TermValue readExpandDims(Call &c) {
  if (!c.check("pnn"))
    return {};
  Value x = c.pattern(0);
  std::optional<int64_t> axis = c.axis(1, c.b.rankOf(x) + 1);
  if (!axis)
    return {};
  int64_t count = c.terms[2].number;
  if (count < 0 || count > 64)
    return c.refuse("takes a number of axes in [0, 64], got " + Twine(count));
  for (int64_t i = 0; i < count && x; ++i) {
    // At the split Glenside grows the item, insert_axis the access dimensions.
    int64_t split = c.b.splitOf(x);
    x = c.b.insertAxis(x, *axis);
    if (x && *axis >= split)
      x = c.b.split(x, split);
  }
  return TermValue::ofPattern(x, true);
}

/// Two numbers, before and after, for each dimension.
static TermValue readPad(Call &c) {
  if (!c.check("ps"))
    return {};
  Value x = c.tensor(0);
  size_t rank = c.b.rankOf(x);
  if (c.numbers(1).size() != 2 * rank)
    return c.refuse("takes " + Twine(2 * rank) + " paddings, got " +
                    Twine(c.numbers(1).size()));
  SmallVector<int64_t> low, high;
  for (size_t i = 0; i < rank; ++i) {
    low.push_back(c.numbers(1)[2 * i]);
    high.push_back(c.numbers(1)[2 * i + 1]);
  }
  return c.likeFirst(
      c.b.pad(x, low, high, c.b.constant(c.b.typeOf(x).getElementType(), 0)));
}

static TermValue readConcatenate(Call &c) {
  if (!c.check("nt"))
    return {};
  SmallVector<Value> parts;
  for (const TermValue &term : c.terms[1].elements) {
    if (term.kind != TermValue::Pattern)
      return c.refuse("takes a tuple of access patterns");
    parts.push_back(c.b.split(term.value, c.b.rankOf(term.value)));
  }
  if (parts.empty())
    return c.refuse("takes a tuple of at least one access pattern");
  return c.all(c.b.concat(parts, c.terms[0].number));
}

static TermValue readStack(Call &c) {
  if (c.terms.size() < 2 || c.terms.back().kind != TermValue::Number)
    return c.refuse("takes access patterns and an axis");
  SmallVector<Value> parts;
  for (size_t i = 0; i + 1 < c.terms.size(); ++i) {
    if (c.terms[i].kind != TermValue::Pattern)
      return c.refuse("takes access patterns and an axis, got " +
                      describe(c.terms[i].kind));
    parts.push_back(c.tensor(i));
  }
  std::optional<int64_t> axis =
      c.axis(c.terms.size() - 1, c.b.rankOf(parts[0]) + 1);
  if (!axis)
    return {};
  for (Value &part : parts)
    if (!(part = c.b.insertAxis(part, *axis)))
      return {};
  return c.all(c.b.concat(parts, *axis));
}

/// A tuple of equal parts, or of the parts between the given indices.
static TermValue readSplit(Call &c) {
  if (!c.check("p_n"))
    return {};
  Value x = c.tensor(0);
  std::optional<int64_t> axis = c.axis(2, c.b.rankOf(x));
  if (!axis)
    return {};
  int64_t size = c.b.shapeOf(x)[*axis];
  SmallVector<int64_t> bounds = {0};
  if (c.terms[1].kind == TermValue::Number) {
    int64_t parts = c.terms[1].number;
    if (parts < 1 || size % parts != 0)
      return c.refuse("takes a number of parts that divides " + Twine(size) +
                      ", got " + Twine(parts));
    for (int64_t i = 1; i < parts; ++i)
      bounds.push_back(i * (size / parts));
  } else if (c.terms[1].kind == TermValue::List) {
    llvm::append_range(bounds, c.numbers(1));
  } else {
    return c.refuse("takes a number of parts or a list of indices");
  }
  bounds.push_back(size);
  TermValue tuple;
  tuple.kind = TermValue::Tuple;
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    Value part = c.b.slice(x, *axis, bounds[i], bounds[i + 1]);
    tuple.elements.push_back(c.none(part));
    if (!tuple.elements.back())
      return {};
  }
  return tuple;
}

static TermValue readStridedSlice(Call &c) {
  if (!c.check("psss"))
    return {};
  Value x = c.tensor(0);
  size_t rank = c.b.rankOf(x);
  ArrayRef<int64_t> begin = c.numbers(1), end = c.numbers(2),
                    strides = c.numbers(3);
  if (begin.size() != rank || end.size() != rank || strides.size() != rank)
    return c.refuse("takes " + Twine(rank) +
                    " numbers each for begin, end and "
                    "strides");
  SmallVector<int64_t> shape = c.b.shapeOf(x), sizes;
  for (size_t i = 0; i < rank; ++i) {
    if (strides[i] < 1 || begin[i] > end[i] || end[i] > shape[i])
      return c.refuse("must have begin <= end <= size and strides >= 1, got [" +
                      Twine(begin[i]) + ", " + Twine(end[i]) + ") by " +
                      Twine(strides[i]) + " of " + Twine(shape[i]));
    sizes.push_back((end[i] - begin[i] + strides[i] - 1) / strides[i]);
  }
  return c.all(
      c.b.op("slice", x,
             {c.b.numbers("offsets", begin), c.b.numbers("sizes", sizes),
              c.b.numbers("strides", strides)}));
}

static TermValue readZeros(Call &c) {
  if (!c.check("s"))
    return {};
  return c.all(c.b.splat(c.numbers(0), c.b.b.getF64Type(), 0));
}

static TermValue readCopy(Call &c) {
  return c.check("p") ? c.likeFirst(c.b.op("materialize", c.tensor(0)))
                      : TermValue();
}

/// At inference nothing is dropped: the data, and a mask of ones.
static TermValue readDropout(Call &c) {
  if (!c.check("pd"))
    return {};
  TermValue tuple;
  tuple.kind = TermValue::Tuple;
  tuple.elements.push_back(c.likeFirst(c.tensor(0)));
  tuple.elements.push_back(c.likeFirst(c.splatLike(c.tensor(0), 1)));
  return tuple;
}

/// out[a…, i…, b…] = data[a…, indices[i…], b…], indices clipped to the size, as
/// Relay's default mode does.
static TermValue readTake(Call &c) {
  if (!c.check("ppn"))
    return {};
  Value data = c.tensor(0), indices = c.tensor(1);
  int64_t rank = c.b.rankOf(data), picks = c.b.rankOf(indices);
  std::optional<int64_t> axis = c.axis(2, rank);
  if (!axis)
    return {};
  SmallVector<int64_t> shape = c.b.shapeOf(data), chosen = c.b.shapeOf(indices);
  int64_t size = shape[*axis];
  if (size == 0)
    return c.refuse("takes a tensor that is not empty along the axis");
  shape.erase(shape.begin() + *axis);
  shape.insert(shape.begin() + *axis, chosen.begin(), chosen.end());
  OpBuilder &b = c.b.b;
  Location loc = c.b.loc;
  Value source = c.b.toTensor(data), places = c.b.toTensor(indices);
  if (!source || !places)
    return {};
  Type element = c.b.typeOf(data).getElementType();
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  AffineMap read =
      AffineMap::getMultiDimIdentityMap(shape.size(), b.getContext())
          .getSliceMap(*axis, picks);
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, empty.getType(), places, empty,
      {read, b.getMultiDimIdentityMap(shape.size())}, loops,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Value index = arguments[0];
        if (isa<FloatType>(index.getType()))
          index = arith::FPToSIOp::create(b, loc, b.getI64Type(), index);
        if (!index.getType().isIndex())
          index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
        Value first = arith::ConstantIndexOp::create(b, loc, 0);
        Value last = arith::ConstantIndexOp::create(b, loc, size - 1);
        index = arith::MaxSIOp::create(b, loc, index, first);
        index = arith::MinSIOp::create(b, loc, index, last);
        SmallVector<Value> at;
        for (int64_t i = 0; i < rank; ++i)
          at.push_back(i == *axis
                           ? index
                           : Value(linalg::IndexOp::create(
                                 b, loc, i < *axis ? i : i - 1 + picks)));
        Value taken = tensor::ExtractOp::create(b, loc, source, at);
        linalg::YieldOp::create(b, loc, taken);
      });
  return c.all(c.b.access(generic.getResult(0), shape.size()));
}

TermValue glenside::readRelay(TermBuilder &b, ArrayRef<TermValue> operands) {
  StringRef name = operands[0].word;
  auto reader =
      llvm::StringSwitch<Reader>(name)
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
          .Cases({"relay-softmax", "relay-log-softmax"}, readSoftmax)
          .Case("relay-mean", readMean)
          .Case("relay-bias-add", readBiasAdd)
          .Case("relay-batch-norm-inference", readBatchNorm)
          .Case("relay-layer-norm", readLayerNorm)
          .Cases({"relay-max-pool2d", "relay-avg-pool2d"}, readPool)
          .Case("relay-global-avg-pool2d", readGlobalPool)
          .Case("relay-conv1d", readConv1D)
          .Case("relay-conv2d", readConv2D)
          .Case("relay-upsampling", readUpsampling)
          .Case("relay-dense", readDense)
          .Case("relay-batch-matmul", readBatchMatmul)
          .Case("relay-batch-flatten", readBatchFlatten)
          .Case("relay-reshape", readReshape)
          .Case("relay-transpose", readTranspose)
          .Case("relay-squeeze", readSqueeze)
          .Case("relay-expand-dims", readExpandDims)
          .Case("relay-pad", readPad)
          .Case("relay-concatenate", readConcatenate)
          .Case("relay-stack", readStack)
          .Case("relay-split", readSplit)
          .Case("relay-strided-slice", readStridedSlice)
          .Case("relay-zeros", readZeros)
          .Case("relay-copy", readCopy)
          .Case("relay-dropout", readDropout)
          .Case("relay-take", readTake)
          .Default(nullptr);
  if (!reader) {
    b.error() << "'" << name << "' is no operator of Relay that Glenside knows";
    return {};
  }
  Call call(b, name, operands.drop_front());
  return reader(call);
}

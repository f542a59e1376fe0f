//===- FloatFunctions.cpp - Functions of f32 as arithmetic ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is reduced to a short interval, where a polynomial of least
// relative error (Remez's algorithm, in 40 digits) has its value; errors are
// those of docs/Elementwise.md, found with every third f32. Multiply-adds round once.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

using Compare = arith::CmpFPredicate;

namespace {

constexpr double kLn2 = 0.693147180559945309417;
/// ln 2 in two floats, of which the first has 9 bits to spare for products by
/// exponents.
constexpr double kLn2High = 0x1.62e4p-1, kLn2Low = 0x1.7f7d1cp-20;
/// Likewise of f64, with 20 bits to spare.
constexpr double kLn2HighDouble = 0x1.62e42feep-1,
                 kLn2LowDouble = 0x1.a39ef35793c76p-33;

/// Writes arithmetic on f32, of some functions on f64, and on the integers of
/// their bits.
class Writer {
public:
  Writer(ImplicitLocOpBuilder &b, Type type)
      : b(b), isDouble(getElementTypeOrSelf(type).isF64()), floats(type),
        integers(withElements(isDouble ? b.getI64Type() : b.getI32Type())) {}

  Value exp(Value x);
  Value exp2(Value x);
  Value expm1(Value x);
  Value log(Value x);
  Value log2(Value x);
  Value log1p(Value x);
  Value tanh(Value x);
  Value erf(Value x);
  Value erfc(Value x);
  // Of f64, to the digits of f32.
  Value sinh(Value x) { return hyperbolic(x, /*isSine=*/true); }
  Value cosh(Value x) { return hyperbolic(x, /*isSine=*/false); }
  Value asinh(Value x);
  Value acosh(Value x);
  Value atanh(Value x);

private:
  Type withElements(Type element) const {
    auto vector = dyn_cast<VectorType>(floats);
    return vector ? Type(vector.clone(element)) : element;
  }
  Value constant(Type type, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(b, value);
  }
  Value number(double value) {
    return constant(floats,
                    b.getFloatAttr(getElementTypeOrSelf(floats), value));
  }
  Value integer(int64_t value) {
    return constant(integers,
                    b.getIntegerAttr(getElementTypeOrSelf(integers), value));
  }
  template <typename OpTy>
  Value make(Value x, Value y) {
    return OpTy::create(b, x, y);
  }
  Value add(Value x, Value y) { return make<arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return make<arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) { return make<arith::MulFOp>(x, y); }
  Value div(Value x, Value y) { return make<arith::DivFOp>(x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }
  Value abs(Value x) { return math::AbsFOp::create(b, x); }
  /// NaN of NaN, whatever its bits, else the value.
  Value unlessNaN(Value x, Value value) {
    return select(Compare::UNO, x, x, x, value);
  }
  Value select(Compare predicate, Value x, Value y, Value then, Value other) {
    return arith::SelectOp::create(b, arith::CmpFOp::create(b, predicate, x, y),
                                   then, other);
  }
  Value bits(Value x) { return arith::BitcastOp::create(b, integers, x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(b, floats, x); }
  /// c0 + c1·x + c2·x² + …
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }
  /// x within bounds; NaN stays.
  Value clamp(Value x, double low, double high) {
    return clampAbove(select(Compare::OLT, x, number(low), number(low), x),
                      high);
  }
  Value clampAbove(Value x, double high) {
    return select(Compare::OGT, x, number(high), number(high), x);
  }

  /// An integer as a float and as bits.
  struct Rounded {
    Value number, bits;
  };
  Rounded round(Value x, Value factor);
  Value scale(Value x, Value exponent);
  /// r of x = n·ln 2 + r, |r| <= ln 2 / 2, and n.
  std::pair<Value, Value> reduceByLog2(Value x);

  Value powerLessOne(Value r);
  Value roughPowerLessOne(Value r);
  Value expNegative(Value x);
  Value erfRest(Value x);
  Value hyperbolic(Value x, bool isSine);

  /// n, f of x = 2^n·(1 + f), 1 + f from sqrt(1/2) to sqrt(2).
  struct Parts {
    Value exponent, fraction;
  };
  Parts split(Value x);
  /// log(1 + f) - f.
  Value logRest(Value fraction);
  /// `value`, except for the logarithms of 0, infinity, negative numbers and
  /// NaN.
  Value atEdges(Value x, Value value);

  double getLn2High() const { return isDouble ? kLn2HighDouble : kLn2High; }
  double getLn2Low() const { return isDouble ? kLn2LowDouble : kLn2Low; }

  ImplicitLocOpBuilder &b;
  bool isDouble;
  Type floats, integers;
};

} // namespace

/// The integer next to x·factor, |x·factor| < 2^21: a sum so large has no other
/// bits.
Writer::Rounded Writer::round(Value x, Value factor) {
  const float large = 0x1.8p23f;
  Value sum = fma(x, factor, number(large));
  Value integral =
      make<arith::SubIOp>(bits(sum), integer(llvm::bit_cast<int32_t>(large)));
  return {sub(sum, number(large)), integral};
}

/// x·2^n, |x| from 2^-8 to 2, n from -250 to 250, in two steps, of which the
/// first is exact.
Value Writer::scale(Value x, Value exponent) {
  Value half = make<arith::ShRSIOp>(exponent, integer(1));
  Value rest = make<arith::SubIOp>(exponent, half);
  auto shifted = [&](Value n) { return make<arith::ShLIOp>(n, integer(23)); };
  Value first = fromBits(make<arith::AddIOp>(bits(x), shifted(half)));
  Value power = fromBits(shifted(make<arith::AddIOp>(rest, integer(127))));
  return mul(first, power);
}

std::pair<Value, Value> Writer::reduceByLog2(Value x) {
  Rounded n = round(x, number(1 / kLn2));
  Value r = fma(n.number, number(-kLn2High), x);
  return {fma(n.number, number(-kLn2Low), r), n.bits};
}

/// e^r - 1 where |r| <= ln 2 / 2, exact enough for e^r.
Value Writer::roughPowerLessOne(Value r) {
  Value rest = polynomial(r, {0.499999934125, 0.166665201083, 0.0416683942392,
                              0.00836878038049, 0.00138144648178});
  return fma(mul(r, r), rest, r);
}

/// e^r - 1 where |r| <= ln 2 / 2.
Value Writer::powerLessOne(Value r) {
  Value rest =
      polynomial(r, {0.500000001354, 0.16666666757, 0.0416664641717,
                     0.00833328583451, 0.00139337328703, 0.000199077053269});
  return fma(mul(r, r), rest, r);
}

/// Beyond the bounds the value is 0 or infinity. Zeros are not computed: a
/// product that underflows takes a processor a hundred cycles.
Value Writer::exp(Value x) {
  Value isZero = arith::CmpFOp::create(b, Compare::OLT, x, number(-104));
  Value bounded =
      clampAbove(arith::SelectOp::create(b, isZero, number(0), x), 89);
  auto [r, n] = reduceByLog2(bounded);
  Value value = scale(add(roughPowerLessOne(r), number(1)), n);
  return unlessNaN(x, arith::SelectOp::create(b, isZero, number(0), value));
}

/// Of x from -80 to 0.
Value Writer::expNegative(Value x) {
  auto [r, n] = reduceByLog2(x);
  Value power = add(roughPowerLessOne(r), number(1));
  return fromBits(
      make<arith::AddIOp>(bits(power), make<arith::ShLIOp>(n, integer(23))));
}

Value Writer::exp2(Value x) {
  Value isZero = arith::CmpFOp::create(b, Compare::OLT, x, number(-151));
  x = clampAbove(arith::SelectOp::create(b, isZero, number(0), x), 129);
  Rounded n = round(x, number(1));
  Value r = sub(x, n.number);
  Value rest =
      polynomial(r, {0.693147188029, 0.240226510842, 0.0555035710572,
                     0.00961803076336, 0.00133908667872, 0.000154697375323});
  Value value = scale(fma(r, rest, number(1)), n.bits);
  return unlessNaN(x, arith::SelectOp::create(b, isZero, number(0), value));
}

/// 2·(2^(n-1)·(e^r - 1) + (2^(n-1) - 1/2)): what cancels is exact.
Value Writer::expm1(Value x) {
  Value bounded = clamp(x, -20, 89);
  auto [r, n] = reduceByLog2(bounded);
  Value rest =
      polynomial(r, {0.500000001354, 0.16666666757, 0.0416664641717,
                     0.00833328583451, 0.00139337328703, 0.000199077053269});
  Value power = fma(mul(r, r), rest, r);
  Value half = fromBits(
      make<arith::ShLIOp>(make<arith::AddIOp>(n, integer(126)), integer(23)));
  Value sum = fma(half, power, sub(half, number(0.5)));
  Value value = add(sum, sum);
  // Where n is 0 it is the power.
  Value isNear =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, n, integer(0));
  value = arith::SelectOp::create(b, isNear, power, value);
  return math::CopySignOp::create(b, value, x);
}

Writer::Parts Writer::split(Value x) {
  const int64_t digits = isDouble ? 52 : 23;
  const int64_t rootHalf = isDouble
                               ? llvm::bit_cast<int64_t>(0x1.6a09e667f3bcdp-1)
                               : llvm::bit_cast<int32_t>(0x1.6a09e6p-1f);
  // Subnormal numbers have no exponent of their own.
  Value least = number(isDouble ? 0x1p-1022 : 0x1p-126);
  Value isTiny = arith::CmpFOp::create(b, Compare::OLT, x, least);
  Value scaled = mul(x, number(isDouble ? 0x1p52 : 0x1p23));
  x = arith::SelectOp::create(b, isTiny, scaled, x);
  Value offset = make<arith::SubIOp>(bits(x), integer(rootHalf));
  Value exponent = make<arith::ShRSIOp>(offset, integer(digits));
  Value fraction = fromBits(make<arith::AddIOp>(
      make<arith::AndIOp>(offset, integer((int64_t(1) << digits) - 1)),
      integer(rootHalf)));
  exponent = arith::SelectOp::create(
      b, isTiny, make<arith::SubIOp>(exponent, integer(digits)), exponent);
  // Not all processors convert vectors of i64.
  if (isDouble)
    exponent =
        arith::TruncIOp::create(b, withElements(b.getI32Type()), exponent);
  return {arith::SIToFPOp::create(b, floats, exponent),
          sub(fraction, number(1))};
}

Value Writer::logRest(Value f) {
  Value square = mul(f, f);
  if (isDouble) {
    // By s = f / (2 + f): log(1 + f) = f - (f²/2 - s·(f²/2 + R)).
    Value s = div(f, add(number(2), f)), z = mul(s, s);
    Value rest =
        mul(z, polynomial(z, {0.6666666666666735130, 0.3999999999940941908,
                              0.2857142874366239149, 0.2222219843214978396,
                              0.1818357216161805012, 0.1531383769920937332,
                              0.1479819860511658591}));
    Value half = mul(square, number(0.5));
    return sub(mul(s, add(half, rest)), half);
  }
  Value cubic =
      polynomial(f, {0.333333126052, -0.250000096028, 0.200021185845,
                     -0.166679955974, 0.142195535923, -0.124055940202,
                     0.118881589529, -0.116756228577, 0.0674661370615});
  return fma(mul(square, f), cubic, mul(square, number(-0.5)));
}

Value Writer::atEdges(Value x, Value value) {
  const double infinity = std::numeric_limits<double>::infinity();
  // Of infinity, and NaN.
  value = select(Compare::OLT, x, number(infinity), value, x);
  value = select(Compare::OEQ, x, number(0), number(-infinity), value);
  return select(Compare::OLT, x, number(0),
                number(std::numeric_limits<double>::quiet_NaN()), value);
}

Value Writer::log(Value x) {
  Parts parts = split(x);
  Value n = parts.exponent, f = parts.fraction;
  Value rest = fma(n, number(getLn2Low()), logRest(f));
  return atEdges(x, fma(n, number(getLn2High()), add(f, rest)));
}

/// n + (f + rest)·log2(e), the product of f in two floats.
Value Writer::log2(Value x) {
  const double high = 0x1.715476p+0, low = 1 / kLn2 - high;
  Parts parts = split(x);
  Value f = parts.fraction;
  Value product = mul(f, number(high));
  Value lost = fma(f, number(high), arith::NegFOp::create(b, product));
  Value rest = fma(logRest(f), number(1 / kLn2), fma(f, number(low), lost));
  return atEdges(x, add(parts.exponent, add(product, rest)));
}

/// log(u) + c/u, where 1 + x = u + c. Of f64 c is too small to matter unless x is
/// small, where it has the digits that u has lost.
Value Writer::log1p(Value x) {
  Value one = number(1);
  Value u = add(x, one);
  Parts parts = split(u);
  Value n = parts.exponent, f = parts.fraction;
  if (isDouble) {
    f = select(Compare::OEQ, n, number(0), x, f);
    Value rest = fma(n, number(getLn2Low()), logRest(f));
    return atEdges(u, fma(n, number(getLn2High()), add(f, rest)));
  }
  Value lost =
      select(Compare::OGT, x, one, sub(one, sub(u, x)), sub(x, sub(u, one)));
  Value rest = add(fma(n, number(getLn2Low()), logRest(f)), div(lost, u));
  Value value = fma(n, number(getLn2High()), add(f, rest));
  // u is 1, and the rest is x, which keeps the sign of 0.
  value = select(Compare::OLT, abs(x), number(0x1p-25), x, value);
  return atEdges(u, value);
}

Value Writer::tanh(Value x) {
  Value size = abs(x), square = mul(x, x);
  Value rest =
      polynomial(square, {-0.33333298002, 0.133319241228, -0.0537838299394,
                          0.0207959705441, -0.00589515680963});
  Value near = fma(mul(size, square), rest, size);
  // From 9.1 on it is 1.
  Value power = expNegative(mul(clamp(size, 0, 9.1), number(-2)));
  Value far = div(sub(number(1), power), add(number(1), power));
  Value value = select(Compare::OLT, size, number(0.6), near, far);
  return unlessNaN(x, math::CopySignOp::create(b, value, x));
}

/// erf(x)/x - 1, |x| < 0.95.
Value Writer::erfRest(Value x) {
  return polynomial(mul(x, x), {0.128379166125, -0.376126291349, 0.112836292239,
                                -0.0268559379246, 0.00519292598111,
                                -0.000805572077555, 8.02190497617e-5});
}

/// Near 0 by its series, elsewhere as 1 - exp of a polynomial; from 4 on it
/// is 1.
Value Writer::erf(Value x) {
  Value size = abs(x);
  Value near = fma(x, erfRest(x), x);
  Value logarithm = polynomial(
      clamp(size, 0, 4), {-0.000169205108924, 1.12948840627, 0.633400851414,
                          0.108220383092, -0.0250806155969, 0.00415625444674,
                          -0.000431393437955, 2.08286043275e-5});
  Value far = sub(number(1), expNegative(arith::NegFOp::create(b, logarithm)));
  far = math::CopySignOp::create(b, far, x);
  return unlessNaN(x, select(Compare::OLT, size, number(0.95), near, far));
}

/// 1 - erf near 0, elsewhere e^(-x²)·G / (1 + 2x), G a polynomial in
/// (x - 3)/(x + 3); the square, the power and the quotient in two floats each.
Value Writer::erfc(Value x) {
  // From 10.1 on it is 0, which is not computed.
  Value magnitude = abs(x);
  Value isZero =
      arith::CmpFOp::create(b, Compare::OGT, magnitude, number(10.1));
  Value size = arith::SelectOp::create(b, isZero, number(1), magnitude);
  Value negated = arith::NegFOp::create(b, size);
  Value square = mul(negated, size);
  Value squareLost = fma(negated, size, arith::NegFOp::create(b, square));
  auto [r, n] = reduceByLog2(square);
  Value lessOne = powerLessOne(add(r, squareLost));
  Value power = add(lessOne, number(1));
  Value powerLost = sub(lessOne, sub(power, number(1)));

  Value q = div(sub(size, number(3)), add(size, number(3)));
  // Its first coefficient, and with it the sum, in two floats.
  const double first = 1.25300805912, firstHigh = float(first);
  Value others = polynomial(
      q, {-0.135621139296, -0.0475623994426, 0.129646414445, -0.119270975366,
          0.0682957678589, -0.0237975295, 0.0025673771352, 0.00200181046756,
          -0.000777584916896, -0.00026812820719});
  Value g = fma(others, q, number(firstHigh));
  Value gLost =
      add(fma(others, q, sub(number(firstHigh), g)), number(first - firstHigh));
  Value twice = add(size, size), divisor = add(twice, number(1));
  Value divisorLost = sub(twice, sub(divisor, number(1)));
  Value inverse = div(number(1), divisor);
  Value quotient = mul(g, inverse);
  Value minus = arith::NegFOp::create(b, quotient);
  Value rest =
      mul(fma(minus, divisorLost, add(fma(minus, divisor, g), gLost)), inverse);
  Value product =
      fma(power, quotient, fma(powerLost, quotient, mul(power, rest)));
  Value far = arith::SelectOp::create(b, isZero, number(0), scale(product, n));
  far = select(Compare::OLT, x, number(0), sub(number(2), far), far);
  Value near = sub(number(1), fma(x, erfRest(x), x));
  Value value = select(Compare::OLT, size, number(0.5), near, far);
  return unlessNaN(x, value);
}

/// By x = n·ln 2 + r, and the series of both functions of r. Beyond the bounds
/// they are infinite in f32.
Value Writer::hyperbolic(Value x, bool isSine) {
  Value bounded = clamp(x, -90, 90);
  // The last bits of a sum so large are n.
  Value large = number(0x1.8p52);
  Value sum = fma(bounded, number(1 / kLn2), large);
  Value r = fma(sub(sum, large), number(-kLn2), bounded);
  Value exponent = make<arith::AddIOp>(bits(sum), integer(1023));
  Value powerBits = make<arith::ShLIOp>(exponent, integer(52));
  Value power = fromBits(powerBits);
  Value inverse = fromBits(
      make<arith::SubIOp>(integer(int64_t(2 * 1023) << 52), powerBits));
  Value half = number(0.5), square = mul(r, r);
  Value even = mul(half, add(power, inverse));
  Value odd = mul(half, sub(power, inverse));
  Value cosine = polynomial(square, {1, 1. / 2, 1. / 24, 1. / 720, 1. / 40320});
  Value sine =
      fma(mul(r, square),
          polynomial(square, {1. / 6, 1. / 120, 1. / 5040, 1. / 362880}), r);
  if (!isSine)
    return fma(even, cosine, mul(odd, sine));
  return math::CopySignOp::create(b, fma(even, sine, mul(odd, cosine)), x);
}

/// log1p(x + x² / (1 + sqrt(x² + 1)))
Value Writer::asinh(Value x) {
  Value size = abs(x), square = mul(size, size), one = number(1);
  Value root = math::SqrtOp::create(b, add(square, one));
  Value value = log1p(add(size, div(square, add(one, root))));
  // Of infinity, and NaN.
  value = select(Compare::OLT, size,
                 number(std::numeric_limits<double>::infinity()), value, size);
  return math::CopySignOp::create(b, value, x);
}

Value Writer::acosh(Value x) {
  Value above = sub(x, number(1));
  Value root = math::SqrtOp::create(b, mul(above, add(above, number(2))));
  return select(Compare::OLT, x, number(1),
                number(std::numeric_limits<double>::quiet_NaN()),
                log1p(add(above, root)));
}

Value Writer::atanh(Value x) {
  Value size = abs(x);
  Value value = log1p(div(add(size, size), sub(number(1), size)));
  return math::CopySignOp::create(b, mul(number(0.5), value), x);
}

Value mlir::tensoraccess::emitFloatFunction(ImplicitLocOpBuilder &b,
                                            Operation *op) {
  using Function = Value (Writer::*)(Value);
  Function function = TypeSwitch<Operation *, Function>(op)
                          .Case([](math::ExpOp) { return &Writer::exp; })
                          .Case([](math::Exp2Op) { return &Writer::exp2; })
                          .Case([](math::ExpM1Op) { return &Writer::expm1; })
                          .Case([](math::LogOp) { return &Writer::log; })
                          .Case([](math::Log2Op) { return &Writer::log2; })
                          .Case([](math::Log1pOp) { return &Writer::log1p; })
                          .Case([](math::TanhOp) { return &Writer::tanh; })
                          .Case([](math::ErfOp) { return &Writer::erf; })
                          .Case([](math::ErfcOp) { return &Writer::erfc; })
                          .Case([](math::SinhOp) { return &Writer::sinh; })
                          .Case([](math::CoshOp) { return &Writer::cosh; })
                          .Case([](math::AsinhOp) { return &Writer::asinh; })
                          .Case([](math::AcoshOp) { return &Writer::acosh; })
                          .Case([](math::AtanhOp) { return &Writer::atanh; })
                          .Default([](Operation *) { return nullptr; });
  if (!function)
    return {};
  Type element = getElementTypeOrSelf(op->getResult(0));
  Value x = op->getOperand(0);
  // Within an ulp, where that is enough.
  if (element.isF64() && isa<math::LogOp>(op) &&
      bitEnumContainsAll(cast<arith::ArithFastMathInterface>(op)
                             .getFastMathFlagsAttr()
                             .getValue(),
                         arith::FastMathFlags::afn))
    return (Writer(b, x.getType()).*function)(x);
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return {};
  Type type = x.getType(), wide = b.getF32Type();
  if (isa<math::SinhOp, math::CoshOp, math::AsinhOp, math::AcoshOp,
          math::AtanhOp>(op))
    wide = b.getF64Type();
  if (auto vector = dyn_cast<VectorType>(type))
    wide = vector.clone(wide);
  if (wide == type)
    return (Writer(b, wide).*function)(x);
  x = arith::ExtFOp::create(b, wide, x);
  return arith::TruncFOp::create(b, type, (Writer(b, wide).*function)(x));
}

//===- ComplexFunctions.cpp - Functions of complex numbers ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On pairs (x, y) = x + iy. Inverse functions and tanh are W. Kahan's ("Branch
// cuts for complex elementary functions", 1987), which lose no sign of a zero on
// a branch cut.
//
//===----------------------------------------------------------------------===//

#include "ComplexNumbers.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tensoraccess;

using Pairs = ArrayRef<ComplexPair>;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static ComplexPair add(HloBuilder &h, Pairs z) {
  return {h.add(z[0].re, z[1].re), h.add(z[0].im, z[1].im)};
}

static ComplexPair subtract(HloBuilder &h, Pairs z) {
  return {h.sub(z[0].re, z[1].re), h.sub(z[0].im, z[1].im)};
}

static ComplexPair multiply(HloBuilder &h, Pairs z) {
  auto [a, b] = z[0];
  auto [c, d] = z[1];
  return {h.sub(h.mul(a, c), h.mul(b, d)), h.add(h.mul(a, d), h.mul(b, c))};
}

namespace {
/// A power of two, 1 for numbers of usual sizes, which takes others away from
/// the ends of f64.
struct Scale {
  Value isLarge, isSmall, factor;

  /// One of three numbers.
  Value choose(HloBuilder &h, double large, double usual, double small) const {
    Value rest =
        h.select(isSmall, h.like(factor, small), h.like(factor, usual));
    return h.select(isLarge, h.like(factor, large), rest);
  }
};
} // namespace

/// How far down and up, in bits: multiples of 6.
static constexpr int kDown = 6, kUp = 108;

static Scale getScale(HloBuilder &h, Value x) {
  Value size = h.abs(x);
  Scale scale{h.compare("GT", size, h.like(x, 0x1p1000)),
              h.compare("LT", size, h.like(x, 0x1p-950)), x};
  scale.factor = scale.choose(h, std::ldexp(1, -kDown), 1, std::ldexp(1, kUp));
  return scale;
}

/// By the greater of the parts' sizes.
static Scale getScale(HloBuilder &h, ComplexPair z) {
  return getScale(h, h.binary("stablehlo.maximum", h.abs(z.re), h.abs(z.im)));
}

static ComplexPair multiplyBy(HloBuilder &h, ComplexPair z, Value factor) {
  return {h.mul(z.re, factor), h.mul(z.im, factor)};
}

/// By the larger part of the divisor; infinite where the divisor is 0.
static ComplexPair divide(HloBuilder &h, Pairs z) {
  auto [a, b] = z[0];
  auto [c, d] = z[1];
  Value isReal = h.compare("GE", h.abs(c), h.abs(d));
  Value large = h.select(isReal, c, d), small = h.select(isReal, d, c);
  Value zero = h.like(a, 0);
  Value isZero = h.compare("EQ", large, zero);
  // Near the ends of f64 both are scaled alike.
  Value scale = getScale(h, large).factor;
  a = h.mul(a, scale);
  b = h.mul(b, scale);
  large = h.mul(large, scale);
  small = h.mul(small, scale);
  Value ratio = h.select(isZero, zero, h.div(small, large));
  Value divisor = h.add(large, h.mul(small, ratio));
  Value first = h.select(isReal, a, b), second = h.select(isReal, b, a);
  Value re = h.div(h.add(first, h.mul(second, ratio)), divisor);
  Value im =
      h.select(isReal, h.sub(b, h.mul(a, ratio)), h.sub(h.mul(b, ratio), a));
  im = h.div(im, divisor);
  Value infinity =
      h.copySign(h.like(a, std::numeric_limits<double>::infinity()), c);
  return {h.select(isZero, h.mul(infinity, a), re),
          h.select(isZero, h.mul(infinity, b), im)};
}

static ComplexPair negate(HloBuilder &h, Pairs z) {
  return {h.neg(z[0].re), h.neg(z[0].im)};
}

static ComplexPair conjugate(HloBuilder &h, Pairs z) {
  return {z[0].re, h.neg(z[0].im)};
}

static ComplexPair square(HloBuilder &h, Pairs z) {
  auto [x, y] = z[0];
  Value product = h.mul(x, y);
  return {h.mul(h.add(x, y), h.sub(x, y)), h.add(product, product)};
}

/// Of the numbers, the one with the greater (or the less) real part; of those the
/// same by the imaginary part. A NaN stays.
static ComplexPair choose(HloBuilder &h, Pairs z, StringRef direction) {
  auto both = [&](Value a, Value b) { return h.binary("stablehlo.and", a, b); };
  auto either = [&](Value a, Value b) {
    return h.binary("stablehlo.or", a, b);
  };
  auto isNone = [&](ComplexPair x) {
    return either(h.compare("NE", x.re, x.re), h.compare("NE", x.im, x.im));
  };
  Value isFirst = either(h.compare(direction, z[0].re, z[1].re),
                         both(h.compare("EQ", z[0].re, z[1].re),
                              h.compare(direction, z[0].im, z[1].im)));
  isFirst = either(isNone(z[0]),
                   both(isFirst, h.unary("stablehlo.not", isNone(z[1]))));
  return {h.select(isFirst, z[0].re, z[1].re),
          h.select(isFirst, z[0].im, z[1].im)};
}

static ComplexPair maximum(HloBuilder &h, Pairs z) {
  return choose(h, z, "GT");
}

static ComplexPair minimum(HloBuilder &h, Pairs z) {
  return choose(h, z, "LT");
}

Value tensoraccess::writeComplexAbs(HloBuilder &h, ComplexPair z) {
  Value x = h.abs(z.re), y = h.abs(z.im);
  Value isFirst = h.compare("GE", x, y);
  Value large = h.select(isFirst, x, y), small = h.select(isFirst, y, x);
  Value ratio = h.div(small, large);
  Value size = h.mul(large, h.sqrt(h.add(h.like(x, 1), h.mul(ratio, ratio))));
  size = h.select(h.compare("EQ", h.add(x, y), h.like(x, 0)), large, size);
  // An infinite part outweighs a NaN.
  Value infinity = h.like(x, std::numeric_limits<double>::infinity());
  size = h.select(h.compare("EQ", x, infinity), infinity, size);
  return h.select(h.compare("EQ", y, infinity), infinity, size);
}

static ComplexPair sign(HloBuilder &h, Pairs z) {
  ComplexPair w = multiplyBy(h, z[0], getScale(h, z[0]).factor);
  Value size = writeComplexAbs(h, w), zero = h.like(size, 0);
  Value isZero = h.compare("EQ", size, zero);
  return {h.select(isZero, zero, h.div(w.re, size)),
          h.select(isZero, zero, h.div(w.im, size))};
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

/// cosFactor·cos y + i·sinFactor·sin y; the imaginary part is y where y is 0, and
/// 0 where its factor is, whatever y is.
static ComplexPair polar(HloBuilder &h, Value cosFactor, Value sinFactor,
                         Value y) {
  Value zero = h.like(y, 0), isReal = h.compare("EQ", y, zero);
  Value re = h.mul(cosFactor, h.unary("stablehlo.cosine", y));
  Value im = h.mul(sinFactor, h.unary("stablehlo.sine", y));
  Value isShort = h.compare("EQ", sinFactor, zero);
  return {re,
          h.select(isReal, y, h.select(isShort, h.mul(sinFactor, zero), im))};
}

static ComplexPair exponential(HloBuilder &h, Pairs z) {
  // exp(x) may be too large where exp(x) cos y is not.
  Value isLong = h.compare("GT", z[0].re, h.like(z[0].re, 600));
  Value x = h.select(isLong, h.sub(z[0].re, h.like(z[0].re, 128)), z[0].re);
  Value size = h.unary("stablehlo.exponential", x);
  Value isShort = h.compare("EQ", size, h.like(size, 0));
  ComplexPair result = polar(h, size, size, z[0].im);
  result.re = h.select(isShort, size, result.re);
  return multiplyBy(h, result,
                    h.select(isLong, h.like(x, std::exp(128.0)), h.like(x, 1)));
}

/// expm1(x) cos y - 2 sin²(y / 2), and exp(x) sin y.
static ComplexPair exponentialMinusOne(HloBuilder &h, Pairs z) {
  auto [x, y] = z[0];
  Value zero = h.like(x, 0);
  Value half = h.unary("stablehlo.sine", h.mul(y, h.like(y, 0.5)));
  Value re = h.sub(h.mul(h.unary("stablehlo.exponential_minus_one", x),
                         h.unary("stablehlo.cosine", y)),
                   h.mul(h.like(y, 2), h.mul(half, half)));
  Value im =
      h.mul(h.unary("stablehlo.exponential", x), h.unary("stablehlo.sine", y));
  return {re, h.select(h.compare("EQ", y, zero), y, im)};
}

/// log|1 + z| of |1 + z|² - 1, where that is not large.
static Value logOfExcess(HloBuilder &h, Value excess) {
  return h.mul(h.unary("stablehlo.log_plus_one", excess), h.like(excess, 0.5));
}

static ComplexPair log(HloBuilder &h, Pairs z) {
  auto [x, y] = z[0];
  Scale scale = getScale(h, z[0]);
  Value size = writeComplexAbs(h, multiplyBy(h, z[0], scale.factor));
  Value isFirst = h.compare("GE", h.abs(x), h.abs(y));
  Value large = h.abs(h.select(isFirst, x, y));
  Value small = h.select(isFirst, y, x), one = h.like(x, 1);
  // Near 1 the size has lost what its logarithm is made of.
  Value excess =
      h.add(h.mul(h.sub(large, one), h.add(large, one)), h.mul(small, small));
  Value isNear = h.compare("LT", h.abs(h.sub(size, one)), h.like(x, 0.5));
  isNear =
      h.binary("stablehlo.and", isNear, h.compare("EQ", scale.factor, one));
  Value rest =
      scale.choose(h, kDown * llvm::numbers::ln2, 0, -kUp * llvm::numbers::ln2);
  Value re = h.select(isNear, logOfExcess(h, h.select(isNear, excess, one)),
                      h.add(h.unary("stablehlo.log", size), rest));
  return {re, h.atan2(y, x)};
}

static ComplexPair logPlusOne(HloBuilder &h, Pairs z) {
  auto [x, y] = z[0];
  Value one = h.like(x, 1), next = h.add(one, x);
  Value excess = h.add(h.mul(x, h.add(h.like(x, 2), x)), h.mul(y, y));
  Value isSmall = h.compare("LT", h.add(h.abs(x), h.abs(y)), one);
  Value re = h.select(isSmall, logOfExcess(h, h.select(isSmall, excess, one)),
                      log(h, ComplexPair{next, y}).re);
  return {re, h.atan2(y, next)};
}

static ComplexPair sqrt(HloBuilder &h, Pairs z) {
  Scale scale = getScale(h, z[0]);
  ComplexPair scaled = multiplyBy(h, z[0], scale.factor);
  auto [x, y] = scaled;
  Value back =
      scale.choose(h, std::ldexp(1, kDown / 2), 1, std::ldexp(1, -kUp / 2));
  Value half = h.like(x, 0.5), zero = h.like(x, 0);
  Value size = h.abs(x);
  Value root =
      h.sqrt(h.add(h.mul(size, half), h.mul(writeComplexAbs(h, scaled), half)));
  Value other = h.div(h.abs(y), h.add(root, root));
  Value isRight = h.compare("GE", x, zero);
  Value isZero = h.compare("EQ", root, zero);
  Value re = h.select(isRight, root, other);
  Value im = h.copySign(h.select(isRight, other, root), y);
  Value infinity = h.like(x, std::numeric_limits<double>::infinity());
  Value isTall = h.compare("EQ", h.abs(y), infinity);
  re = h.select(isTall, infinity, h.select(isZero, zero, re));
  im = h.select(h.compare("EQ", size, infinity),
                h.select(isTall, y, h.select(isRight, h.copySign(zero, y), im)),
                h.select(isTall, y, h.select(isZero, y, im)));
  return multiplyBy(h, {re, im}, back);
}

static ComplexPair rsqrt(HloBuilder &h, Pairs z) {
  Value one = h.like(z[0].re, 1), zero = h.like(z[0].re, 0);
  return divide(h, {ComplexPair{one, zero}, sqrt(h, z)});
}

static ComplexPair cbrt(HloBuilder &h, Pairs z) {
  Scale scale = getScale(h, z[0]);
  Value size = h.unary("stablehlo.cbrt",
                       writeComplexAbs(h, multiplyBy(h, z[0], scale.factor)));
  size = h.mul(size, scale.choose(h, std::ldexp(1, kDown / 3), 1,
                                  std::ldexp(1, -kUp / 3)));
  Value angle = h.div(h.atan2(z[0].im, z[0].re), h.like(size, 3));
  return polar(h, size, size, angle);
}

/// exp(w log z); z⁰ is 1, 0ʷ is 0 where w has a positive real part.
static ComplexPair power(HloBuilder &h, Pairs z) {
  ComplexPair raised = multiply(h, {log(h, z[0]), z[1]});
  ComplexPair result = exponential(h, raised);
  Value zero = h.like(z[0].re, 0), one = h.like(z[0].re, 1);
  auto isZero = [&](ComplexPair x) {
    return h.binary("stablehlo.and", h.compare("EQ", x.re, zero),
                    h.compare("EQ", x.im, zero));
  };
  Value isExponent = isZero(z[1]);
  Value isBase =
      h.binary("stablehlo.and", isZero(z[0]), h.compare("GT", z[1].re, zero));
  return {h.select(isExponent, one, h.select(isBase, zero, result.re)),
          h.select(isExponent, zero, h.select(isBase, zero, result.im))};
}

/// w / (1 + w) for w = exp(z), or 1 / (1 + w) for w = exp(-z): |w| is at most 1.
static ComplexPair logistic(HloBuilder &h, Pairs z) {
  Value zero = h.like(z[0].re, 0), one = h.like(z[0].re, 1);
  Value isLeft = h.compare("LT", z[0].re, zero);
  ComplexPair negated = negate(h, z);
  ComplexPair w =
      exponential(h, ComplexPair{h.select(isLeft, z[0].re, negated.re),
                                 h.select(isLeft, z[0].im, negated.im)});
  ComplexPair above{h.select(isLeft, w.re, one), h.select(isLeft, w.im, zero)};
  return divide(h, {above, ComplexPair{h.add(one, w.re), w.im}});
}

//===----------------------------------------------------------------------===//
// Trigonometry
//===----------------------------------------------------------------------===//

/// i·z and -i·z.
static ComplexPair turn(HloBuilder &h, ComplexPair z) {
  return {h.neg(z.im), z.re};
}
static ComplexPair turnBack(HloBuilder &h, ComplexPair z) {
  return {z.im, h.neg(z.re)};
}

static ComplexPair sinh(HloBuilder &h, Pairs z) {
  auto [x, y] = z[0];
  return polar(h, h.unary("chlo.sinh", x), h.unary("chlo.cosh", x), y);
}

static ComplexPair cosh(HloBuilder &h, Pairs z) {
  auto [x, y] = z[0];
  Value isReal = h.compare("EQ", y, h.like(y, 0));
  ComplexPair result =
      polar(h, h.unary("chlo.cosh", x), h.unary("chlo.sinh", x), y);
  // A zero that has the sign of both.
  result.im =
      h.select(isReal, h.mul(y, h.unary("stablehlo.sign", x)), result.im);
  return result;
}

static ComplexPair sine(HloBuilder &h, Pairs z) {
  return turnBack(h, sinh(h, turn(h, z[0])));
}

static ComplexPair cosine(HloBuilder &h, Pairs z) {
  return cosh(h, turn(h, z[0]));
}

static ComplexPair tanh(HloBuilder &h, Pairs z) {
  // Beyond ±20 the real part is ±1.
  Value bound = h.like(z[0].re, 20);
  Value isFar = h.compare("GT", h.abs(z[0].re), bound);
  Value x = h.select(isFar, bound, z[0].re), y = z[0].im;
  Value one = h.like(x, 1);
  Value t = h.unary("chlo.tan", y), s = h.unary("chlo.sinh", x);
  Value beta = h.add(one, h.mul(t, t));
  Value rho = h.sqrt(h.add(one, h.mul(s, s)));
  Value divisor = h.add(one, h.mul(beta, h.mul(s, s)));
  ComplexPair near{h.div(h.mul(h.mul(beta, rho), s), divisor),
                   h.div(t, divisor)};
  Value shrunk =
      h.unary("stablehlo.exponential", h.mul(h.like(x, -2), h.abs(z[0].re)));
  Value product =
      h.mul(h.unary("stablehlo.sine", y), h.unary("stablehlo.cosine", y));
  return {h.select(isFar, h.copySign(one, z[0].re), near.re),
          h.select(isFar,
                   h.select(h.compare("EQ", shrunk, h.like(x, 0)), shrunk,
                            h.mul(h.mul(h.like(x, 4), product), shrunk)),
                   near.im)};
}

static ComplexPair tan(HloBuilder &h, Pairs z) {
  return turnBack(h, tanh(h, turn(h, z[0])));
}

/// The roots of 1 - z and 1 + z.
static std::pair<ComplexPair, ComplexPair> rootsAround(HloBuilder &h,
                                                       ComplexPair z) {
  Value one = h.like(z.re, 1);
  return {sqrt(h, ComplexPair{h.sub(one, z.re), h.neg(z.im)}),
          sqrt(h, ComplexPair{h.add(one, z.re), z.im})};
}

/// The imaginary part of conj(a)·b.
static Value crossProduct(HloBuilder &h, ComplexPair a, ComplexPair b) {
  return h.sub(h.mul(a.re, b.im), h.mul(a.im, b.re));
}

/// Beyond 1e150 |sqrt(z² ± 1)| is |z|: what `write` computes of log|2z|.
static ComplexPair chooseFar(HloBuilder &h, ComplexPair z, ComplexPair near,
                             function_ref<ComplexPair(Value)> write) {
  Value most = h.binary("stablehlo.maximum", h.abs(z.re), h.abs(z.im));
  Value isFar = h.compare("GT", most, h.like(most, 1e150));
  Value size = h.add(log(h, z).re, h.like(most, llvm::numbers::ln2));
  ComplexPair far = write(size);
  return {h.select(isFar, far.re, near.re), h.select(isFar, far.im, near.im)};
}

static ComplexPair asin(HloBuilder &h, Pairs z) {
  auto [left, right] = rootsAround(h, z[0]);
  Value re = h.atan2(z[0].re,
                     h.sub(h.mul(left.re, right.re), h.mul(left.im, right.im)));
  ComplexPair near{re, h.unary("chlo.asinh", crossProduct(h, left, right))};
  return chooseFar(h, z[0], near, [&](Value size) {
    return ComplexPair{h.atan2(z[0].re, h.abs(z[0].im)),
                       h.copySign(size, z[0].im)};
  });
}

static ComplexPair acos(HloBuilder &h, Pairs z) {
  auto [left, right] = rootsAround(h, z[0]);
  Value re = h.mul(h.like(z[0].re, 2), h.atan2(left.re, right.re));
  ComplexPair near{re, h.unary("chlo.asinh", crossProduct(h, right, left))};
  return chooseFar(h, z[0], near, [&](Value size) {
    return ComplexPair{h.atan2(h.abs(z[0].im), z[0].re),
                       h.neg(h.copySign(size, z[0].im))};
  });
}

static ComplexPair acosh(HloBuilder &h, Pairs z) {
  Value one = h.like(z[0].re, 1);
  ComplexPair left = sqrt(h, ComplexPair{h.sub(z[0].re, one), z[0].im});
  ComplexPair right = sqrt(h, ComplexPair{h.add(z[0].re, one), z[0].im});
  Value product = h.add(h.mul(left.re, right.re), h.mul(left.im, right.im));
  ComplexPair near{h.unary("chlo.asinh", product),
                   h.mul(h.like(one, 2), h.atan2(left.im, right.re))};
  return chooseFar(h, z[0], near, [&](Value size) {
    return ComplexPair{size, h.atan2(z[0].im, z[0].re)};
  });
}

static ComplexPair asinh(HloBuilder &h, Pairs z) {
  return turnBack(h, asin(h, turn(h, z[0])));
}

/// Half of atanh(2x / (1 + |z|²)), and of the angle of 1 - |z|² + 2iy.
static ComplexPair atanh(HloBuilder &h, Pairs z) {
  auto [x, y] = z[0];
  Value one = h.like(x, 1), four = h.like(x, 4);
  Value size = h.abs(x), rest = h.sub(one, size);
  Value re =
      h.unary("stablehlo.log_plus_one",
              h.div(h.mul(four, size), h.add(h.mul(rest, rest), h.mul(y, y))));
  Value im =
      h.atan2(h.add(y, y), h.sub(h.mul(rest, h.add(one, size)), h.mul(y, y)));
  re = h.div(re, four);
  im = h.mul(im, h.like(x, 0.5));
  // Where squares are too small, and where they are too large.
  Value gap = writeComplexAbs(h, {rest, y});
  Value isClose = h.compare("LT", gap, h.like(x, 1e-100));
  Value logs =
      h.sub(h.mul(h.unary("stablehlo.log", h.mul(four, size)), h.like(x, 0.25)),
            h.mul(h.unary("stablehlo.log", gap), h.like(x, 0.5)));
  re = h.select(isClose, logs, re);
  Value most = h.binary("stablehlo.maximum", size, h.abs(y));
  Value isFar = h.compare("GT", most, h.like(x, 1e150));
  re = h.select(isFar, h.like(x, 0), re);
  im = h.select(isFar, h.copySign(h.like(x, llvm::numbers::pi / 2), y), im);
  return {h.copySign(re, x), im};
}

static ComplexPair atan(HloBuilder &h, Pairs z) {
  return turnBack(h, atanh(h, turn(h, z[0])));
}

/// -i log((x + iy) / sqrt(x² + y²)).
static ComplexPair atan2(HloBuilder &h, Pairs z) {
  ComplexPair squares = add(h, {square(h, z[0]), square(h, z[1])});
  ComplexPair point = add(h, {z[1], turn(h, z[0])});
  ComplexPair unit = divide(h, {point, sqrt(h, squares)});
  return turnBack(h, log(h, unit));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const ComplexFunction *tensoraccess::getComplexFunction(StringRef name) {
  static const llvm::StringMap<ComplexFunction> table = {
      {"acos", {1, acos, false}},
      {"acosh", {1, acosh, false}},
      {"add", {2, add, true}},
      {"asin", {1, asin, false}},
      {"asinh", {1, asinh, false}},
      {"atan", {1, atan, false}},
      {"atan2", {2, atan2, false}},
      {"atanh", {1, atanh, false}},
      {"cbrt", {1, cbrt, false}},
      {"conj", {1, conjugate, true}},
      {"cosh", {1, cosh, false}},
      {"cosine", {1, cosine, false}},
      {"divide", {2, divide, false}},
      {"exponential", {1, exponential, false}},
      {"exponential_minus_one", {1, exponentialMinusOne, false}},
      {"log", {1, log, false}},
      {"log_plus_one", {1, logPlusOne, false}},
      {"logistic", {1, logistic, false}},
      {"maximum", {2, maximum, true}},
      {"minimum", {2, minimum, true}},
      {"multiply", {2, multiply, true}},
      {"negate", {1, negate, true}},
      {"power", {2, power, false}},
      {"rsqrt", {1, rsqrt, false}},
      {"sign", {1, sign, false}},
      {"sine", {1, sine, false}},
      {"sinh", {1, sinh, false}},
      {"sqrt", {1, sqrt, false}},
      {"square", {1, square, true}},
      {"subtract", {2, subtract, true}},
      {"tan", {1, tan, false}},
      {"tanh", {1, tanh, false}},
  };
  auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

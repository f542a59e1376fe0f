//===- StablehloSpecial.cpp - Special functions in arith and math ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of Core's SpecialFunctions.h, on numbers that are values of f64:
// each operation writes an op. Smaller floats are extended, and the result is
// rounded once. next_after is on the bits of the number.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "TensorAccess/Core/SpecialFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// A value of f64, and where code is written; of what type the result is decides
/// how exact functions have to be.
struct Number {
  ImplicitLocOpBuilder *b;
  Value value;
  bool isRounded;
};
/// What a comparison of numbers gives.
struct Condition {
  Value value;
};

// Where the formulas look for them: in the namespace of their argument.
Number like(const Number &x, double value) {
  return {x.b, arith::ConstantOp::create(*x.b, x.b->getF64FloatAttr(value)),
          x.isRounded};
}
bool isRounded(const Number &x) { return x.isRounded; }
Number choose(const Condition &condition, const Number &a, const Number &c) {
  return {a.b, arith::SelectOp::create(*a.b, condition.value, a.value, c.value),
          a.isRounded};
}

template <typename Op>
Number write(const Number &x) {
  return {x.b, Op::create(*x.b, x.value), x.isRounded};
}
template <typename Op>
Number write(const Number &x, const Number &y) {
  return {x.b, Op::create(*x.b, x.value, y.value), x.isRounded};
}
Number operator-(const Number &x) { return write<arith::NegFOp>(x); }
Number operator+(const Number &x, const Number &y) {
  return write<arith::AddFOp>(x, y);
}
Number operator-(const Number &x, const Number &y) {
  return write<arith::SubFOp>(x, y);
}
Number operator*(const Number &x, const Number &y) {
  return write<arith::MulFOp>(x, y);
}
Number operator/(const Number &x, const Number &y) {
  return write<arith::DivFOp>(x, y);
}
Number operator+(const Number &x, double y) { return x + like(x, y); }
Number operator-(const Number &x, double y) { return x - like(x, y); }
Number operator*(const Number &x, double y) { return x * like(x, y); }

Condition compare(arith::CmpFPredicate predicate, const Number &x,
                  const Number &y) {
  return {arith::CmpFOp::create(*x.b, predicate, x.value, y.value)};
}
Condition operator<(const Number &x, const Number &y) {
  return compare(arith::CmpFPredicate::OLT, x, y);
}
Condition operator<(const Number &x, double y) { return x < like(x, y); }
Condition operator<=(const Number &x, double y) {
  return compare(arith::CmpFPredicate::OLE, x, like(x, y));
}
Condition operator==(const Number &x, const Number &y) {
  return compare(arith::CmpFPredicate::OEQ, x, y);
}
Condition operator==(const Number &x, double y) { return x == like(x, y); }

Number exp(const Number &x) { return write<math::ExpOp>(x); }
Number fabs(const Number &x) { return write<math::AbsFOp>(x); }
Number floor(const Number &x) { return write<math::FloorOp>(x); }
/// Results that are rounded to fewer digits need no last ones.
Number log(const Number &x) {
  auto flags =
      x.isRounded ? arith::FastMathFlags::afn : arith::FastMathFlags::none;
  return {x.b, math::LogOp::create(*x.b, x.value, flags), x.isRounded};
}
Number log1p(const Number &x) { return write<math::Log1pOp>(x); }
/// In halves, since a processor can compute several products at once.
Number polynomial(const Number &x, ArrayRef<double> c) {
  if (!x.isRounded)
    return special::polynomial(x, c);
  SmallVector<Number> terms;
  for (double coefficient : llvm::reverse(c))
    terms.push_back(like(x, coefficient));
  for (Number power = x; terms.size() > 1; power = power * power) {
    for (size_t i = 0; i < terms.size(); i += 2)
      terms[i / 2] =
          i + 1 == terms.size()
              ? terms[i]
              : Number{x.b,
                       math::FmaOp::create(*x.b, terms[i + 1].value,
                                           power.value, terms[i].value),
                       x.isRounded};
    terms.resize_for_overwrite((terms.size() + 1) / 2);
  }
  return terms.front();
}
Number pow(const Number &x, const Number &y) {
  return write<math::PowFOp>(x, y);
}
Number rint(const Number &x) { return write<math::RoundEvenOp>(x); }
Number sqrt(const Number &x) { return write<math::SqrtOp>(x); }
} // namespace

/// A float as a number.
static Number extend(ImplicitLocOpBuilder &b, Value x) {
  Type wide = b.getF64Type();
  const bool isRounded = x.getType() != wide;
  return {&b, isRounded ? arith::ExtFOp::create(b, wide, x) : x, isRounded};
}
/// A number as a float of a type.
static Value round(Number x, Type type) {
  return type.isF64() ? x.value : arith::TruncFOp::create(*x.b, type, x.value);
}

Value tensoraccess::emitErfInv(ImplicitLocOpBuilder &b, Value x) {
  return round(special::erfInv(extend(b, x)), x.getType());
}
Value tensoraccess::emitLgamma(ImplicitLocOpBuilder &b, Value x) {
  return round(special::lgamma(extend(b, x)), x.getType());
}
Value tensoraccess::emitDigamma(ImplicitLocOpBuilder &b, Value x) {
  return round(special::digamma(extend(b, x)), x.getType());
}
Value tensoraccess::emitBesselI1e(ImplicitLocOpBuilder &b, Value x) {
  return round(special::besselI1e(extend(b, x)), x.getType());
}
Value tensoraccess::emitZeta(ImplicitLocOpBuilder &b, Value x, Value q) {
  return round(special::zeta(extend(b, x), extend(b, q)), x.getType());
}
Value tensoraccess::emitPolygamma(ImplicitLocOpBuilder &b, Value n, Value x) {
  return round(special::polygamma(extend(b, n), extend(b, x)), x.getType());
}

/// x + the least step towards y. Bits of floats are in the order of their size:
/// one more away from 0, one less towards it; from 0 to the smallest one with
/// the sign of y.
Value tensoraccess::emitNextAfter(ImplicitLocOpBuilder &b, Value x, Value y) {
  Type type = x.getType();
  const unsigned width = type.getIntOrFloatBitWidth();
  Type bitsType = b.getIntegerType(width);
  auto bitsOf = [&](Value value) -> Value {
    return arith::BitcastOp::create(b, bitsType, value);
  };
  auto number = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(bitsType, value));
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value a,
                     Value c) -> Value {
    return arith::CmpFOp::create(b, predicate, a, c);
  };
  auto select = [&](Value condition, Value a, Value c) -> Value {
    return arith::SelectOp::create(b, condition, a, c);
  };
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
  Value isUp = compare(arith::CmpFPredicate::OLT, x, y);
  Value isPositive = compare(arith::CmpFPredicate::OGT, x, zero);
  Value isAway =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, isUp, isPositive);
  Value one = number(APInt(width, 1));
  Value step = select(isAway, one, number(APInt::getAllOnes(width)));
  Value sign =
      arith::AndIOp::create(b, bitsOf(y), number(APInt::getSignMask(width)));
  Value bits = select(compare(arith::CmpFPredicate::OEQ, x, zero),
                      arith::OrIOp::create(b, sign, one),
                      arith::AddIOp::create(b, bitsOf(x), step));
  Value result = arith::BitcastOp::create(b, type, bits);
  result = select(compare(arith::CmpFPredicate::OEQ, x, y), y, result);
  // NaN of either, quiet.
  return select(compare(arith::CmpFPredicate::UNO, x, y),
                arith::AddFOp::create(b, x, y), result);
}

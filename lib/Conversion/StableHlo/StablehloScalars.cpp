//===- StablehloScalars.cpp - Elementwise StableHLO in arith and math -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each op that no one op of arith or math is (HloOps.cpp names
// these), on scalars. Where arith leaves a value open that
// StableHLO's implementations agree on, it is settled by selects: integer
// division by zero gives -1 (all bits) and its remainder the dividend,
// INT_MIN / -1 wraps, shifts by the width or more give 0 or the sign, floats
// beyond an integer type saturate.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// An op on scalars, under construction.
struct Scalars {
  ImplicitLocOpBuilder &b;
  Operation *op;
  /// The signless type of the last operand (a select's condition comes first).
  Type type;
  bool isFloat, isBool, isUnsigned;

  unsigned width() const { return type.getIntOrFloatBitWidth(); }
  template <typename Op, typename... Args>
  Value make(Args &&...args) {
    return Op::create(b, std::forward<Args>(args)...);
  }
  Value number(double value) {
    return make<arith::ConstantOp>(b.getFloatAttr(type, value));
  }
  Value number(Type type, const APInt &value) {
    return make<arith::ConstantOp>(b.getIntegerAttr(type, value));
  }
  Value integer(int64_t value) {
    return number(type, APInt(width(), value, /*isSigned=*/true,
                              /*implicitTrunc=*/true));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return make<arith::CmpIOp>(predicate, x, y);
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return make<arith::CmpFOp>(predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return make<arith::SelectOp>(condition, x, y);
  }
};

using Fn = Value (*)(Scalars &s, ValueRange x);

} // namespace

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The op that the table of StableHLO's ops names for these types.
static Value emitNamed(Scalars &s, const HloTraits &op, ValueRange x) {
  StringRef name = op.onInteger;
  if (s.isFloat)
    name = op.onFloat;
  else if (s.isBool && !op.onBool.empty())
    name = op.onBool;
  else if (s.isUnsigned && !op.onUnsigned.empty())
    name = op.onUnsigned;
  if (name.empty())
    return {};
  return s.b.create(s.b.getLoc(), s.b.getStringAttr(name), x, x[0].getType())
      ->getResult(0);
}

static Value emitNamed(Scalars &s, StringRef hlo, ValueRange x) {
  return emitNamed(s, *getHloTraits(hlo), x);
}

/// A divisor with which a division is defined.
static Value getSafeDivisor(Scalars &s, Value x, Value y) {
  Value bad = s.compare(arith::CmpIPredicate::eq, y, s.integer(0));
  if (!s.isUnsigned) {
    Value isMin =
        s.compare(arith::CmpIPredicate::eq, x,
                  s.number(s.type, APInt::getSignedMinValue(s.width())));
    Value isMinusOne = s.compare(arith::CmpIPredicate::eq, y, s.integer(-1));
    Value overflows = s.make<arith::AndIOp>(isMin, isMinusOne);
    bad = s.make<arith::OrIOp>(bad, overflows);
  }
  return s.select(bad, s.integer(1), y);
}

static Value emitDivide(Scalars &s, ValueRange x) {
  if (s.isFloat)
    return s.make<arith::DivFOp>(x[0], x[1]);
  Value y = getSafeDivisor(s, x[0], x[1]);
  Value quotient = s.isUnsigned ? s.make<arith::DivUIOp>(x[0], y)
                                : s.make<arith::DivSIOp>(x[0], y);
  Value isZero = s.compare(arith::CmpIPredicate::eq, x[1], s.integer(0));
  return s.select(isZero, s.integer(-1), quotient);
}

static Value emitRemainder(Scalars &s, ValueRange x) {
  if (s.isFloat)
    return s.make<arith::RemFOp>(x[0], x[1]);
  Value y = getSafeDivisor(s, x[0], x[1]);
  Value rest = s.isUnsigned ? s.make<arith::RemUIOp>(x[0], y)
                            : s.make<arith::RemSIOp>(x[0], y);
  Value isZero = s.compare(arith::CmpIPredicate::eq, x[1], s.integer(0));
  return s.select(isZero, x[0], rest);
}

/// Squares and multiplies, one step a bit of the exponent. A negative exponent
/// gives the integer part of the power: 0 unless the base is 1 or -1.
static Value emitPower(Scalars &s, ValueRange x) {
  if (s.isFloat)
    return s.make<math::PowFOp>(x[0], x[1]);
  Value result = s.integer(1), square = x[0], one = s.integer(1);
  Value zero = s.integer(0);
  for (unsigned bit = 0; bit < s.width(); ++bit) {
    Value shifted =
        bit == 0 ? x[1] : s.make<arith::ShRUIOp>(x[1], s.integer(bit));
    Value digit = s.make<arith::AndIOp>(shifted, one);
    Value isSet = s.compare(arith::CmpIPredicate::ne, digit, zero);
    Value product = s.make<arith::MulIOp>(result, square);
    result = s.select(isSet, product, result);
    if (bit + 1 < s.width())
      square = s.make<arith::MulIOp>(square, square);
  }
  if (s.isUnsigned)
    return result;
  Value isOdd = s.compare(arith::CmpIPredicate::ne,
                          s.make<arith::AndIOp>(x[1], one), zero);
  Value minusOne = s.integer(-1);
  Value ofMinusOne = s.select(isOdd, minusOne, one);
  Value isOne = s.compare(arith::CmpIPredicate::eq, x[0], one);
  Value isMinusOne = s.compare(arith::CmpIPredicate::eq, x[0], minusOne);
  Value inverse = s.select(isMinusOne, ofMinusOne, s.select(isOne, one, zero));
  Value isNegative = s.compare(arith::CmpIPredicate::slt, x[1], zero);
  return s.select(isNegative, inverse, result);
}

template <typename Op>
static Value emitShift(Scalars &s, ValueRange x) {
  if (s.isFloat)
    return {};
  Value last = s.integer(s.width() - 1);
  Value isInside = s.compare(arith::CmpIPredicate::ule, x[1], last);
  Value amount = s.select(isInside, x[1], last);
  Value shifted = s.make<Op>(x[0], amount);
  if (std::is_same_v<Op, arith::ShRSIOp>)
    return shifted;
  return s.select(isInside, shifted, s.integer(0));
}

static Value emitAbs(Scalars &s, ValueRange x) {
  if (s.isFloat)
    return s.make<math::AbsFOp>(x[0]);
  if (s.isUnsigned)
    return x[0];
  Value negated = s.make<arith::SubIOp>(s.integer(0), x[0]);
  return s.make<arith::MaxSIOp>(x[0], negated);
}

static Value emitNegate(Scalars &s, ValueRange x) {
  if (s.isFloat)
    return s.make<arith::NegFOp>(x[0]);
  return s.make<arith::SubIOp>(s.integer(0), x[0]);
}

static Value emitNot(Scalars &s, ValueRange x) {
  return s.isFloat ? Value() : s.make<arith::XOrIOp>(x[0], s.integer(-1));
}

/// NaN and zeros give themselves.
static Value emitSign(Scalars &s, ValueRange x) {
  if (s.isFloat) {
    Value one = s.make<math::CopySignOp>(s.number(1.0), x[0]);
    Value isPlain = s.compare(arith::CmpFPredicate::ONE, x[0], s.number(0.0));
    return s.select(isPlain, one, x[0]);
  }
  Value zero = s.integer(0);
  Value isZero = s.compare(arith::CmpIPredicate::eq, x[0], zero);
  Value sign = s.integer(1);
  if (!s.isUnsigned) {
    Value isNegative = s.compare(arith::CmpIPredicate::slt, x[0], zero);
    sign = s.select(isNegative, s.integer(-1), sign);
  }
  return s.select(isZero, zero, sign);
}

static Value emitSquare(Scalars &s, ValueRange x) {
  return emitNamed(s, "multiply", {x[0], x[0]});
}

Value tensoraccess::emitLogistic(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType(), wide = type;
  if (type.getIntOrFloatBitWidth() < 32) {
    wide = b.getF32Type();
    x = arith::ExtFOp::create(b, wide, x);
  }
  auto number = [&](double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(wide, value));
  };
  Value one = number(1);
  Value size = math::AbsFOp::create(b, x);
  Value power = math::ExpOp::create(b, arith::NegFOp::create(b, size));
  Value isNegative =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, number(0));
  Value sum = arith::AddFOp::create(b, one, power);
  Value result = arith::DivFOp::create(
      b, arith::SelectOp::create(b, isNegative, power, one), sum);
  if (wide != type)
    return arith::TruncFOp::create(b, type, result);
  // What the sum lost, divided by it: 1 / sum is the result, or 1 - that.
  Value lost =
      arith::SubFOp::create(b, power, arith::SubFOp::create(b, sum, one));
  Value inverse = arith::SelectOp::create(
      b, isNegative, arith::SubFOp::create(b, one, result), result);
  Value excess =
      arith::MulFOp::create(b, result, arith::MulFOp::create(b, lost, inverse));
  return arith::SubFOp::create(b, result, excess);
}

/// A function of a float that is written elsewhere.
template <Value (*emit)(ImplicitLocOpBuilder &, Value)>
static Value emitUnary(Scalars &s, ValueRange x) {
  return s.isFloat ? emit(s.b, x[0]) : Value();
}

template <Value (*emit)(ImplicitLocOpBuilder &, Value, Value)>
static Value emitPair(Scalars &s, ValueRange x) {
  return s.isFloat ? emit(s.b, x[0], x[1]) : Value();
}

/// The upper half of a product.
static Value emitMulHigh(Scalars &s, ValueRange x) {
  if (s.isFloat || s.isBool)
    return {};
  if (s.isUnsigned)
    return arith::MulUIExtendedOp::create(s.b, x[0], x[1]).getHigh();
  return arith::MulSIExtendedOp::create(s.b, x[0], x[1]).getHigh();
}

static Value emitIsFinite(Scalars &s, ValueRange x) {
  if (!s.isFloat)
    return {};
  return s.compare(arith::CmpFPredicate::OLT, s.make<math::AbsFOp>(x[0]),
                   s.number(HUGE_VAL));
}

template <int sign>
static Value emitIsInf(Scalars &s, ValueRange x) {
  if (!s.isFloat)
    return {};
  Value value = sign == 0 ? s.make<math::AbsFOp>(x[0]) : x[0];
  return s.compare(arith::CmpFPredicate::OEQ, value,
                   s.number(sign < 0 ? -HUGE_VAL : HUGE_VAL));
}

static Value emitClamp(Scalars &s, ValueRange x) {
  return emitNamed(s, "minimum", {emitNamed(s, "maximum", {x[1], x[0]}), x[2]});
}

static Value emitSelect(Scalars &s, ValueRange x) {
  return x[0].getType().isInteger(1) ? s.select(x[0], x[1], x[2]) : Value();
}

static Value emitCopy(Scalars &, ValueRange x) { return x[0]; }

//===----------------------------------------------------------------------===//
// Comparisons and conversions
//===----------------------------------------------------------------------===//

/// A float's bits in the order of its value: -NaN, -inf, ..., inf, NaN.
static Value getTotalOrder(Scalars &s, Value x) {
  Type bits = s.b.getIntegerType(s.width());
  Value raw = s.make<arith::BitcastOp>(bits, x);
  Value last = s.number(bits, APInt(s.width(), s.width() - 1));
  Value sign = s.make<arith::ShRSIOp>(raw, last);
  Value mask = s.number(bits, APInt::getSignedMaxValue(s.width()));
  return s.make<arith::XOrIOp>(raw, s.make<arith::AndIOp>(sign, mask));
}

static Value emitCompare(Scalars &s, ValueRange x) {
  std::optional<HloDirection> direction = readHloDirection(s.op);
  if (!direction)
    return {};
  if (!s.isFloat)
    return s.compare(s.isUnsigned ? direction->onUnsigned : direction->onSigned,
                     x[0], x[1]);
  if (direction->isTotalOrder)
    return s.compare(direction->onSigned, getTotalOrder(s, x[0]),
                     getTotalOrder(s, x[1]));
  return s.compare(direction->onFloats, x[0], x[1]);
}

Value tensoraccess::emitHloGreater(ImplicitLocOpBuilder &b, Value x, Value y,
                                   bool isUnsigned) {
  Type type = x.getType();
  Scalars s{b, nullptr, type, isa<FloatType>(type), type.isInteger(1), false};
  if (s.isFloat) {
    x = getTotalOrder(s, x);
    y = getTotalOrder(s, y);
  }
  return s.compare(isUnsigned || s.isBool ? arith::CmpIPredicate::ugt
                                          : arith::CmpIPredicate::sgt,
                   x, y);
}

/// Float to an integer of `width` bits.
static Value truncateToInteger(Scalars &s, Value x, Type to, bool isUnsigned) {
  if (s.width() < 32) {
    s.type = s.b.getF32Type();
    x = s.make<arith::ExtFOp>(s.type, x);
  }
  unsigned width = to.getIntOrFloatBitWidth();
  APInt least = isUnsigned ? APInt(width, 0) : APInt::getSignedMinValue(width);
  APInt most =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  Value low = s.number(isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1));
  Value high = s.number(std::ldexp(1.0, isUnsigned ? width : width - 1));
  Value result = isUnsigned ? s.make<arith::FPToUIOp>(to, x)
                            : s.make<arith::FPToSIOp>(to, x);
  Value isLow = s.compare(arith::CmpFPredicate::OLE, x, low);
  Value isHigh = s.compare(arith::CmpFPredicate::OGE, x, high);
  Value isNaN = s.compare(arith::CmpFPredicate::UNO, x, x);
  result = s.select(isLow, s.number(to, least), result);
  result = s.select(isHigh, s.number(to, most), result);
  return s.select(isNaN, s.number(to, APInt(width, 0)), result);
}

Value tensoraccess::emitHloConvert(ImplicitLocOpBuilder &b, Value value,
                                   Type from, Type to) {
  bool fromUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  bool toUnsigned = to.isUnsignedInteger();
  Type result = getSignless(to);
  Scalars s{b,
            nullptr,
            value.getType(),
            isa<FloatType>(from),
            from.isInteger(1),
            fromUnsigned};
  if (value.getType() == result)
    return value;
  if (result.isInteger(1)) {
    if (s.isFloat)
      return s.compare(arith::CmpFPredicate::UNE, value, s.number(0.0));
    return s.compare(arith::CmpIPredicate::ne, value, s.integer(0));
  }
  if (s.isFloat && isa<FloatType>(to)) {
    unsigned width = result.getIntOrFloatBitWidth();
    if (s.width() == width) {
      value = s.make<arith::ExtFOp>(b.getF32Type(), value);
      return s.make<arith::TruncFOp>(result, value);
    }
    return s.width() < width ? s.make<arith::ExtFOp>(result, value)
                             : s.make<arith::TruncFOp>(result, value);
  }
  if (s.isFloat)
    return truncateToInteger(s, value, result, toUnsigned);
  if (isa<FloatType>(to))
    return fromUnsigned ? s.make<arith::UIToFPOp>(result, value)
                        : s.make<arith::SIToFPOp>(result, value);
  unsigned width = result.getIntOrFloatBitWidth();
  if (s.width() == width)
    return value;
  if (s.width() > width)
    return s.make<arith::TruncIOp>(result, value);
  return fromUnsigned ? s.make<arith::ExtUIOp>(result, value)
                      : s.make<arith::ExtSIOp>(result, value);
}

static Value emitConvert(Scalars &s, ValueRange x) {
  return emitHloConvert(s.b, x[0],
                        getElementTypeOrSelf(s.op->getOperand(0).getType()),
                        getElementTypeOrSelf(s.op->getResult(0).getType()));
}

static Value emitBitcast(Scalars &s, ValueRange x) {
  Type to = getSignless(getElementTypeOrSelf(s.op->getResult(0).getType()));
  if (to.getIntOrFloatBitWidth() != s.width())
    return {};
  return to == s.type ? x[0] : s.make<arith::BitcastOp>(to, x[0]);
}

/// Rounds to so many bits, on the bits of the number, as StableHLO defines it: the
/// mantissa to nearest even, which may carry into the exponent; then what is
/// too large becomes infinite, and what would be subnormal 0, with their signs.
static Value emitReducePrecision(Scalars &s, ValueRange x) {
  auto precision = s.isFloat ? HloPrecision::read(s.op, s.type) : std::nullopt;
  if (!precision)
    return {};
  Type bitsType = s.b.getIntegerType(s.width());
  auto number = [&](uint64_t value) {
    return s.number(bitsType, APInt(s.width(), value));
  };
  Value bits = s.make<arith::BitcastOp>(bitsType, x[0]);
  Value sign = s.make<arith::AndIOp>(bits, number(precision->signBit));
  Value size = s.make<arith::XOrIOp>(bits, sign);
  Value isNaN =
      s.compare(arith::CmpIPredicate::ugt, size, number(precision->infinity));
  if (precision->dropped != 0) {
    Value last = s.make<arith::ShRUIOp>(size, number(precision->dropped));
    last = s.make<arith::AndIOp>(last, number(1));
    size = s.make<arith::AddIOp>(size, number(precision->getHalf()));
    size = s.make<arith::AddIOp>(size, last);
    size = s.make<arith::AndIOp>(size, number(precision->getKept()));
  }
  size = s.select(
      s.compare(arith::CmpIPredicate::ugt, size, number(precision->greatest)),
      number(precision->infinity), size);
  size = s.select(
      s.compare(arith::CmpIPredicate::ult, size, number(precision->least)),
      number(0), size);
  size = s.make<arith::OrIOp>(size, sign);
  Value result = s.make<arith::BitcastOp>(s.type, size);
  return s.select(isNaN, x[0], result);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Those that no one op of arith or math is.
static const llvm::StringMap<Fn> &getTable() {
  using namespace arith;
  static const llvm::StringMap<Fn> table = {
      {"abs", emitAbs},
      {"bessel_i1e", emitUnary<emitBesselI1e>},
      {"bitcast_convert", emitBitcast},
      {"clamp", emitClamp},
      {"compare", emitCompare},
      {"convert", emitConvert},
      {"copy", emitCopy},
      {"digamma", emitUnary<emitDigamma>},
      {"divide", emitDivide},
      {"erf_inv", emitUnary<emitErfInv>},
      {"is_finite", emitIsFinite},
      {"is_inf", emitIsInf<0>},
      {"is_neg_inf", emitIsInf<-1>},
      {"is_pos_inf", emitIsInf<1>},
      {"lgamma", emitUnary<emitLgamma>},
      {"logistic", emitUnary<emitLogistic>},
      {"mulhi", emitMulHigh},
      {"negate", emitNegate},
      {"next_after", emitPair<emitNextAfter>},
      {"not", emitNot},
      {"polygamma", emitPair<emitPolygamma>},
      {"power", emitPower},
      {"reduce_precision", emitReducePrecision},
      {"remainder", emitRemainder},
      {"select", emitSelect},
      {"shift_left", emitShift<ShLIOp>},
      {"shift_right_arithmetic", emitShift<ShRSIOp>},
      {"shift_right_logical", emitShift<ShRUIOp>},
      {"sign", emitSign},
      {"square", emitSquare},
      {"zeta", emitPair<emitZeta>},
  };
  return table;
}

/// f16, bf16, f32, f64 and integers of up to 64 bits.
static bool isScalarType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

Value tensoraccess::emitHloScalar(ImplicitLocOpBuilder &b, Operation *op,
                                  ValueRange args, std::string &why) {
  auto fail = [&](const Twine &reason) {
    if (why.empty())
      why = reason.str();
    return Value();
  };
  const HloTraits *traits = getHloTraits(op);
  if (!traits || traits->arity == 0)
    return fail("'" + op->getName().getStringRef() + "' is not a scalar op");
  if (args.size() != traits->arity || op->getNumResults() != 1)
    return fail("'" + op->getName().getStringRef() + "' must have " +
                Twine(traits->arity) + " operands and a result");
  Type original = getElementTypeOrSelf(op->getOperands().back().getType());
  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  for (Value arg : args)
    if (!isScalarType(arg.getType()))
      return fail("an operand's element type is neither a real float nor an "
                  "integer of up to 64 bits");
  if (!isScalarType(result))
    return fail("the result's element type is neither a real float nor an "
                "integer of up to 64 bits");
  // All operands have one type, except a select's condition.
  for (Value arg : args.drop_front(getHloName(op) == "select" ? 1 : 0))
    if (arg.getType() != args.back().getType())
      return fail("its operands differ in element type");
  Scalars s{b,
            op,
            getSignless(original),
            isa<FloatType>(original),
            original.isInteger(1),
            original.isUnsignedInteger() || original.isInteger(1)};
  Fn emit = getTable().lookup(traits->name);
  Value value = emit ? emit(s, args) : emitNamed(s, *traits, args);
  if (!value)
    return fail("'" + op->getName().getStringRef() +
                "' is not defined for these types and attributes");
  if (value.getType() != getSignless(result))
    return fail("the result has an element type other than the op gives");
  return value;
}

bool tensoraccess::inlineHloBody(ImplicitLocOpBuilder &b, Block &body,
                                 ValueRange args,
                                 SmallVectorImpl<Value> &results,
                                 std::string &why) {
  DenseMap<Value, Value> scalars;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), args))
    scalars[argument] = value;
  auto fail = [&](const Twine &reason) {
    if (why.empty())
      why = reason.str();
    return false;
  };
  // A scalar tensor from outside is the same for all elements.
  auto lookup = [&](Value value) -> Value {
    if (Value found = scalars.lookup(value))
      return found;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() != 0 ||
        value.getParentBlock()->getParent() == body.getParent())
      return {};
    Type signless = getSignless(type);
    if (signless != type)
      value =
          UnrealizedConversionCastOp::create(b, signless, value).getResult(0);
    return tensor::ExtractOp::create(b, value, ValueRange{}).getResult();
  };
  for (Operation &op : llvm::drop_end(body)) {
    StringRef name = getHloName(&op);
    if (!isHlo(&op))
      return fail("its body has '" + op.getName().getStringRef() + "'");
    SmallVector<Value> operands;
    for (Value operand : op.getOperands()) {
      operands.push_back(lookup(operand));
      if (!operands.back())
        return fail("its body computes with more than scalars");
    }
    for (Type type : op.getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          !tensor || tensor.getRank() != 0)
        return fail("its body computes with more than scalars");
    if (name == "constant" && op.getNumResults() == 1) {
      auto value = op.getAttrOfType<DenseElementsAttr>("value");
      if (!value || value.getType() != op.getResult(0).getType())
        return fail("its body has a constant that is not dense");
      auto element = dyn_cast<TypedAttr>(value.getSplatValue<Attribute>());
      if (!element)
        return fail("its body has a constant of another type");
      if (auto integer = dyn_cast<IntegerAttr>(element))
        element = b.getIntegerAttr(getSignless(element.getType()),
                                   integer.getValue());
      if (!isScalarType(element.getType()))
        return fail("its body has a constant of another type");
      scalars[op.getResult(0)] = arith::ConstantOp::create(b, element);
      continue;
    }
    if ((name == "reshape" || name == "broadcast_in_dim" ||
         name == "transpose") &&
        op.getNumOperands() == 1 && op.getNumResults() == 1 &&
        op.getOperand(0).getType() == op.getResult(0).getType()) {
      scalars[op.getResult(0)] = operands[0];
      continue;
    }
    Value value = emitHloScalar(b, &op, operands, why);
    if (!value)
      return fail("its body cannot be written");
    scalars[op.getResult(0)] = value;
  }
  for (Value operand : body.back().getOperands()) {
    Value value = lookup(operand);
    if (!value)
      return fail("its body returns more than scalars");
    results.push_back(value);
  }
  return true;
}

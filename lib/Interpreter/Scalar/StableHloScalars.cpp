//===- StableHloScalars.cpp - Elementwise ops of StableHLO ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op means one thing on floats and another on signed integers, unsigned ones
// and booleans. Where arith or math has that meaning, its handler is taken;
// what remains is here. Values that StableHLO leaves to implementations are
// those of XLA on CPUs: x / 0 = -1, x mod 0 = x, INT_MIN / -1 = INT_MIN, and a
// negative power of an integer is 0 unless the base is 1 or -1.
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"
#include "TensorAccess/Core/SpecialFunctions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// result = fn(operand), rounded.
template <double (*fn)(double)>
static bool runFloat(const ScalarInstruction &in, ScalarContext &context) {
  floatAt(context, in.result) =
      roundTo(fn(floatAt(context, in.operands[0])), in.resultType);
  return true;
}

/// The same for the formulas, which take a reference.
template <double (*fn)(const double &)>
static bool runSpecial(const ScalarInstruction &in, ScalarContext &context) {
  floatAt(context, in.result) =
      roundTo(fn(floatAt(context, in.operands[0])), in.resultType);
  return true;
}

template <double (*fn)(const double &, const double &)>
static bool runSpecial(const ScalarInstruction &in, ScalarContext &context) {
  floatAt(context, in.result) = roundTo(
      fn(floatAt(context, in.operands[0]), floatAt(context, in.operands[1])),
      in.resultType);
  return true;
}

/// result = fn(operands), wrapped; operands that an op lacks are not read.
template <int64_t (*fn)(int64_t, int64_t, ScalarType)>
static bool runInt(const ScalarInstruction &in, ScalarContext &context) {
  intAt(context, in.result) =
      wrapTo(fn(intAt(context, in.operands[0]), intAt(context, in.operands[1]),
                in.operandType),
             in.resultType);
  return true;
}

/// 1 / (1 + exp(-x)), without overflow; what the sum loses is put right.
static double logistic(double x) {
  double power = std::exp(-std::fabs(x)), sum = 1 + power;
  double result = (x < 0 ? power : 1) / sum, lost = power - (sum - 1);
  return result - result * (lost * (x < 0 ? 1 - result : result));
}
static double square(double x) { return x * x; }
static double sign(double x) {
  return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x);
}

static int64_t negate(int64_t a, int64_t, ScalarType) {
  return int64_t(-uint64_t(a));
}
static int64_t invert(int64_t a, int64_t, ScalarType) { return ~a; }
static int64_t squareInt(int64_t a, int64_t, ScalarType) {
  return int64_t(uint64_t(a) * uint64_t(a));
}
static int64_t signOf(int64_t a, int64_t, ScalarType) {
  return (a > 0) - (a < 0);
}
static int64_t isNotZero(int64_t a, int64_t, ScalarType) { return a != 0; }

static int64_t divideSigned(int64_t a, int64_t b, ScalarType) {
  return b == 0 ? -1 : b == -1 ? int64_t(-uint64_t(a)) : a / b;
}
static int64_t remainderSigned(int64_t a, int64_t b, ScalarType) {
  return b == 0 ? a : b == -1 ? 0 : a % b;
}
static int64_t divideUnsigned(int64_t a, int64_t b, ScalarType type) {
  uint64_t x = zeroExtend(a, type), y = zeroExtend(b, type);
  return y == 0 ? -1 : int64_t(x / y);
}
static int64_t remainderUnsigned(int64_t a, int64_t b, ScalarType type) {
  uint64_t x = zeroExtend(a, type), y = zeroExtend(b, type);
  return y == 0 ? a : int64_t(x % y);
}

/// The upper half of a product.
static int64_t multiplyHighSigned(int64_t a, int64_t b, ScalarType type) {
  return int64_t((static_cast<__int128>(a) * b) >> type.bits);
}
static int64_t multiplyHighUnsigned(int64_t a, int64_t b, ScalarType type) {
  return int64_t((static_cast<unsigned __int128>(zeroExtend(a, type)) *
                  zeroExtend(b, type)) >>
                 type.bits);
}

static int64_t powerUnsigned(int64_t a, int64_t b, ScalarType type) {
  uint64_t result = 1, factor = a;
  for (uint64_t rest = zeroExtend(b, type); rest != 0; rest >>= 1) {
    if (rest & 1)
      result *= factor;
    factor *= factor;
  }
  return int64_t(result);
}
static int64_t powerSigned(int64_t a, int64_t b, ScalarType type) {
  if (b >= 0)
    return powerUnsigned(a, b, type);
  return a == 1 ? 1 : a != -1 ? 0 : b % 2 == 0 ? 1 : -1;
}

/// min(max(low, x), high) of (low, x, high).
static bool clampFloat(const ScalarInstruction &in, ScalarContext &context) {
  double low = floatAt(context, in.operands[0]);
  double x = floatAt(context, in.operands[1]);
  double high = floatAt(context, in.operands[2]);
  double result = Arithmetic<double>::max(low, x);
  floatAt(context, in.result) = -Arithmetic<double>::max(-result, -high);
  return true;
}
template <bool isUnsigned>
static bool clampInt(const ScalarInstruction &in, ScalarContext &context) {
  auto key = [&](uint32_t number) {
    int64_t value = intAt(context, number);
    // Unsigned numbers keep their order where the highest bit is flipped.
    return isUnsigned ? int64_t(zeroExtend(value, in.operandType) ^
                                (uint64_t(1) << 63))
                      : value;
  };
  int64_t low = key(in.operands[0]), x = key(in.operands[1]),
          high = key(in.operands[2]);
  uint32_t largest = low > x ? in.operands[0] : in.operands[1];
  bool isBelow = std::max(low, x) < high;
  intAt(context, in.result) =
      intAt(context, isBelow ? largest : in.operands[2]);
  return true;
}

/// The number that follows x on the way to y, on the bits of their type.
static bool nextAfter(const ScalarInstruction &in, ScalarContext &context) {
  const double x = floatAt(context, in.operands[0]),
               y = floatAt(context, in.operands[1]);
  double &result = floatAt(context, in.result);
  if (std::isnan(x) || std::isnan(y) || x == y) {
    result = x == y ? y : x + y;
    return true;
  }
  uint64_t bits = 0;
  getStore(in.operandType)(&bits, context.registers[in.operands[0]]);
  const uint64_t sign = uint64_t(1) << (in.operandType.bits - 1);
  if (x == 0)
    bits = (y < 0 ? sign : 0) | 1;
  else
    bits += (x < y) == (x > 0) ? 1 : -1;
  context.registers[in.result] = getLoad(in.resultType)(&bits);
  return true;
}

/// By signed integers that have the total order of floats.
static bool compareTotalOrder(const ScalarInstruction &in,
                              ScalarContext &context) {
  auto key = [&](uint32_t number) {
    return APInt(64, getTotalOrder(floatAt(context, number)),
                 /*isSigned=*/true);
  };
  intAt(context, in.result) =
      arith::applyCmpPredicate(static_cast<arith::CmpIPredicate>(in.extra),
                               key(in.operands[0]), key(in.operands[1]));
  return true;
}

static bool testNotZero(const ScalarInstruction &in, ScalarContext &context) {
  intAt(context, in.result) = floatAt(context, in.operands[0]) != 0;
  return true;
}
template <int wanted>
static bool testInfinite(const ScalarInstruction &in, ScalarContext &context) {
  double value = floatAt(context, in.operands[0]);
  intAt(context, in.result) =
      std::isinf(value) && (wanted < 0) == std::signbit(value);
  return true;
}
static bool copy(const ScalarInstruction &in, ScalarContext &context) {
  context.registers[in.result] = context.registers[in.operands[0]];
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
/// What an op computes with.
enum Kind { Float, Signed, Unsigned, Bool };

struct Row {
  unsigned arity;
  /// By kind: handlers, or null if the op is not defined.
  ScalarHandlers handlers[4];
};
} // namespace

static const llvm::StringMap<Row> &getTable() {
  auto by = [](StringRef name) {
    return name.empty() ? ScalarHandlers() : findScalarHandlers(name);
  };
  auto real = [&](unsigned arity, StringRef name) {
    return Row{arity, {by(name), nullptr, nullptr, nullptr}};
  };
  auto bits = [&](unsigned arity, StringRef name) {
    return Row{arity, {nullptr, by(name), by(name), by(name)}};
  };
  auto all = [&](unsigned arity, StringRef onFloat, StringRef onSigned,
                 StringRef onUnsigned, StringRef onBool) {
    return Row{arity, {by(onFloat), by(onSigned), by(onUnsigned), by(onBool)}};
  };
  auto handled = [](unsigned arity, ScalarHandler handler) {
    return Row{arity, {handler, nullptr, nullptr, nullptr}};
  };
  static const llvm::StringMap<Row> table = {
      {"abs", {1, {by("math.absf"), by("math.absi"), copy, copy}}},
      {"acos", real(1, "math.acos")},
      {"acosh", real(1, "math.acosh")},
      {"add", all(2, "arith.addf", "arith.addi", "arith.addi", "arith.ori")},
      {"and", bits(2, "arith.andi")},
      {"asin", real(1, "math.asin")},
      {"asinh", real(1, "math.asinh")},
      {"atan", real(1, "math.atan")},
      {"atan2", real(2, "math.atan2")},
      {"atanh", real(1, "math.atanh")},
      {"bessel_i1e", handled(1, runSpecial<special::besselI1e>)},
      {"cbrt", real(1, "math.cbrt")},
      {"ceil", real(1, "math.ceil")},
      {"clamp",
       {3, {clampFloat, clampInt<false>, clampInt<true>, clampInt<true>}}},
      {"compare",
       all(2, "arith.cmpf", "arith.cmpi", "arith.cmpi", "arith.cmpi")},
      {"copy", {1, {copy, copy, copy, copy}}},
      {"cosh", real(1, "math.cosh")},
      {"cosine", real(1, "math.cos")},
      {"count_leading_zeros", bits(1, "math.ctlz")},
      {"digamma", handled(1, runSpecial<special::digamma>)},
      {"divide",
       {2,
        {by("arith.divf"), runInt<divideSigned>, runInt<divideUnsigned>,
         nullptr}}},
      {"erf", real(1, "math.erf")},
      {"erf_inv", handled(1, runSpecial<special::erfInv>)},
      {"erfc", real(1, "math.erfc")},
      {"exponential", real(1, "math.exp")},
      {"exponential_minus_one", real(1, "math.expm1")},
      {"floor", real(1, "math.floor")},
      {"is_finite", real(1, "math.isfinite")},
      {"is_inf", real(1, "math.isinf")},
      {"is_neg_inf", handled(1, testInfinite<-1>)},
      {"is_pos_inf", handled(1, testInfinite<1>)},
      {"lgamma", handled(1, runSpecial<special::lgamma>)},
      {"log", real(1, "math.log")},
      {"log_plus_one", real(1, "math.log1p")},
      {"logistic", handled(1, runFloat<logistic>)},
      {"maximum",
       all(2, "arith.maximumf", "arith.maxsi", "arith.maxui", "arith.ori")},
      {"minimum",
       all(2, "arith.minimumf", "arith.minsi", "arith.minui", "arith.andi")},
      {"mulhi",
       {2,
        {nullptr, runInt<multiplyHighSigned>, runInt<multiplyHighUnsigned>,
         nullptr}}},
      {"multiply",
       all(2, "arith.mulf", "arith.muli", "arith.muli", "arith.andi")},
      {"negate",
       {1, {by("arith.negf"), runInt<negate>, runInt<negate>, nullptr}}},
      {"next_after", handled(2, nextAfter)},
      {"not", {1, {nullptr, runInt<invert>, runInt<invert>, runInt<invert>}}},
      {"or", bits(2, "arith.ori")},
      {"polygamma", handled(2, runSpecial<special::polygamma>)},
      {"popcnt", bits(1, "math.ctpop")},
      {"power",
       {2,
        {by("math.powf"), runInt<powerSigned>, runInt<powerUnsigned>,
         nullptr}}},
      {"remainder",
       {2,
        {by("arith.remf"), runInt<remainderSigned>, runInt<remainderUnsigned>,
         nullptr}}},
      {"round_nearest_afz", real(1, "math.round")},
      {"round_nearest_even", real(1, "math.roundeven")},
      {"rsqrt", real(1, "math.rsqrt")},
      {"select",
       all(3, "arith.select", "arith.select", "arith.select", "arith.select")},
      {"shift_left", bits(2, "arith.shli")},
      {"shift_right_arithmetic", bits(2, "arith.shrsi")},
      {"shift_right_logical", bits(2, "arith.shrui")},
      {"sign",
       {1, {runFloat<sign>, runInt<signOf>, runInt<isNotZero>, nullptr}}},
      {"sine", real(1, "math.sin")},
      {"sinh", real(1, "math.sinh")},
      {"sqrt", real(1, "math.sqrt")},
      {"square",
       {1,
        {runFloat<square>, runInt<squareInt>, runInt<squareInt>,
         runInt<squareInt>}}},
      {"subtract",
       all(2, "arith.subf", "arith.subi", "arith.subi", "arith.xori")},
      {"tan", real(1, "math.tan")},
      {"tanh", real(1, "math.tanh")},
      {"xor", bits(2, "arith.xori")},
      {"zeta", handled(2, runSpecial<special::zeta>)},
  };
  return table;
}

SmallVector<StringRef> mlir::tensoraccess::listHloScalarOps() {
  SmallVector<StringRef> names = llvm::to_vector(getTable().keys());
  names.append({"bitcast_convert", "convert", "reduce_precision"});
  return names;
}

static std::optional<Kind> getKind(Type type) {
  if (isa<FloatType>(type))
    return Float;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  return integer.getWidth() == 1 ? Bool
         : integer.isUnsigned()  ? Unsigned
                                 : Signed;
}

/// convert: by what it comes from and goes to.
static ScalarHandlers getConversion(Kind from, Kind to) {
  if (to == Bool)
    return from == Float ? testNotZero : runInt<isNotZero>;
  if (from == Float)
    return findScalarHandlers(to == Float      ? "arith.extf"
                              : to == Unsigned ? "arith.fptoui"
                                               : "arith.fptosi");
  bool isSigned = from == Signed;
  if (to == Float)
    return findScalarHandlers(isSigned ? "arith.sitofp" : "arith.uitofp");
  return findScalarHandlers(isSigned ? "arith.extsi" : "arith.extui");
}

/// On the bits of a number: rounded, then cut to the range of the exponents.
static bool reducePrecision(const ScalarInstruction &in,
                            ScalarContext &context) {
  const auto precision = *HloPrecision::read(
      in.op, getElementTypeOrSelf(in.op->getResult(0).getType()));
  uint64_t bits = 0;
  getStore(in.operandType)(&bits, context.registers[in.operands[0]]);
  bits = precision.round(bits);
  context.registers[in.result] = getLoad(in.resultType)(&bits);
  return true;
}

bool mlir::tensoraccess::selectHloScalarOp(Operation *op,
                                           ScalarInstruction &instruction) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return false;
  auto from = getKind(getElementTypeOrSelf(op->getOperands().back().getType()));
  auto to = getKind(getElementTypeOrSelf(op->getResult(0).getType()));
  if (!from || !to)
    return false;
  StringRef name = getHloName(op);
  bool isUnary = op->getNumOperands() == 1;
  if (name == "convert" && isUnary) {
    instruction.handlers = getConversion(*from, *to);
    return true;
  }
  if (name == "bitcast_convert" && isUnary &&
      instruction.operandType.bits == instruction.resultType.bits) {
    instruction.handlers = findScalarHandlers("arith.bitcast");
    return true;
  }
  if (name == "reduce_precision" && isUnary && *from == Float && *to == Float) {
    instruction.handlers = reducePrecision;
    return instruction.operandType == instruction.resultType &&
           HloPrecision::read(op,
                              getElementTypeOrSelf(op->getResult(0).getType()));
  }
  // On scalars nothing moves.
  if ((name == "reshape" || name == "broadcast_in_dim" ||
       name == "transpose") &&
      isUnary && op->getOperand(0).getType() == op->getResult(0).getType() &&
      *from == *to) {
    instruction.handlers = copy;
    return true;
  }
  auto found = getTable().find(name);
  if (found == getTable().end() || found->second.arity != op->getNumOperands())
    return false;
  instruction.handlers = found->second.handlers[*from];
  // Other than tests, ops give the type that they take.
  bool isTest = name == "compare" || name.starts_with("is_");
  if (isTest ? *to != Bool : instruction.operandType != instruction.resultType)
    return false;
  // Operands of one type, but for a select's condition.
  for (Value operand : op->getOperands().drop_front(name == "select" ? 1 : 0))
    if (getElementTypeOrSelf(operand.getType()) !=
        getElementTypeOrSelf(op->getOperands().back().getType()))
      return false;
  if (name == "select" &&
      getKind(getElementTypeOrSelf(op->getOperand(0).getType())) != Bool)
    return false;
  if (name == "compare") {
    std::optional<HloDirection> direction = readHloDirection(op);
    if (!direction)
      return false;
    if (*from == Float && !direction->isTotalOrder)
      instruction.extra = static_cast<int64_t>(direction->onFloats);
    else
      instruction.extra = static_cast<int64_t>(
          *from == Unsigned || *from == Bool ? direction->onUnsigned
                                             : direction->onSigned);
    if (*from == Float && direction->isTotalOrder)
      instruction.handlers = compareTotalOrder;
  }
  return instruction.handlers.run != nullptr;
}

//===- ScalarOps.cpp - What arith and math compute, scalar by scalar ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small function an op, and one table of their names. Float functions are
// on doubles, and the handler rounds the result to its type; integer functions
// get their operands sign-extended (or zero-extended, for the unsigned ones)
// from the width of the type, and the handler wraps the result to it.
//
// What the bodies of real models are made of has handlers for strips, too, in
// loops that compilers turn into vectors.
//
// Immediate undefined behaviour (division by zero, the least integer by -1) is
// a fault. Poison is a fixed value: a shift by the width or more gives 0, or
// the sign; a float beyond an integer's range saturates, NaN gives 0.
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Handlers of floats
//===----------------------------------------------------------------------===//

template <double (*fn)(double)>
static bool runFloatUnary(const ScalarInstruction &in, ScalarContext &context) {
  floatAt(context, in.result) =
      roundTo(fn(floatAt(context, in.operands[0])), in.resultType);
  return true;
}

template <double (*fn)(double, double)>
static bool runFloatBinary(const ScalarInstruction &in,
                           ScalarContext &context) {
  floatAt(context, in.result) = roundTo(
      fn(floatAt(context, in.operands[0]), floatAt(context, in.operands[1])),
      in.resultType);
  return true;
}

template <bool (*fn)(double)>
static bool runFloatTest(const ScalarInstruction &in, ScalarContext &context) {
  intAt(context, in.result) = fn(floatAt(context, in.operands[0]));
  return true;
}

/// `at(l)` in each lane, rounded.
template <typename Fn>
static void forEachFloat(const ScalarInstruction &in, ScalarRegister *registers,
                         int64_t count, Fn &&at) {
  ScalarRegister *result = registers + in.result;
  switch (in.resultType) {
  case ElementType::F32:
    for (int64_t l = 0; l < count; ++l)
      result[l].f = static_cast<float>(at(l));
    return;
  case ElementType::F64:
    for (int64_t l = 0; l < count; ++l)
      result[l].f = at(l);
    return;
  default:
    for (int64_t l = 0; l < count; ++l)
      result[l].f = roundTo(at(l), in.resultType);
  }
}

template <double (*fn)(double)>
static void stripFloatUnary(const ScalarInstruction &in,
                            ScalarRegister *registers, int64_t count) {
  const ScalarRegister *a = registers + in.operands[0];
  forEachFloat(in, registers, count, [=](int64_t l) { return fn(a[l].f); });
}

template <double (*fn)(double, double)>
static void stripFloatBinary(const ScalarInstruction &in,
                             ScalarRegister *registers, int64_t count) {
  const ScalarRegister *a = registers + in.operands[0],
                       *b = registers + in.operands[1];
  forEachFloat(in, registers, count,
               [=](int64_t l) { return fn(a[l].f, b[l].f); });
}

template <double (*fn)(double)>
static constexpr ScalarHandlers unary = {runFloatUnary<fn>,
                                         stripFloatUnary<fn>};
template <double (*fn)(double, double)>
static constexpr ScalarHandlers binary = {runFloatBinary<fn>,
                                          stripFloatBinary<fn>};

static double addF(double a, double b) { return a + b; }
static double subF(double a, double b) { return a - b; }
static double mulF(double a, double b) { return a * b; }
static double divF(double a, double b) { return a / b; }
static double remF(double a, double b) { return std::fmod(a, b); }
static double negF(double a) { return -a; }
static double maximumF(double a, double b) {
  return Arithmetic<double>::max(a, b);
}
static double minimumF(double a, double b) {
  return -Arithmetic<double>::max(-a, -b);
}
static double maxNumF(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : maximumF(a, b);
}
static double minNumF(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : minimumF(a, b);
}
static double rsqrtF(double a) { return 1 / std::sqrt(a); }
static double sameF(double a) { return a; }
static bool isNanF(double a) { return std::isnan(a); }
static bool isInfF(double a) { return std::isinf(a); }
static bool isFiniteF(double a) { return std::isfinite(a); }

/// The cube root of libm, which is up to 4 ulps off, with a step of Newton's:
/// r - (r³ - x) / 3r², the powers exactly, as sums of two doubles, and x where
/// none of them overflows or is subnormal.
static double cbrtF(double x) {
  if (x == 0 || !std::isfinite(x))
    return x;
  const double size = std::fabs(x);
  const int shift = size < 0x1p-600 ? 150 : size > 0x1p600 ? -150 : 0;
  x = std::ldexp(x, 3 * shift);
  double r = std::cbrt(x);
  double square = r * r, squareRest = std::fma(r, r, -square);
  double cube = square * r, cubeRest = std::fma(square, r, -cube);
  double excess = (cube - x) + std::fma(squareRest, r, cubeRest);
  return std::ldexp(r - excess / (3 * square), -shift);
}

/// a·b + c of doubles whose product is exact, rounded to odd: to itself if
/// double has it, else to the neighbour whose last bit is set. What is rounded
/// from there to f16 or bf16 is rounded as a·b + c.
static double fmaToOdd(double a, double b, double c) {
  double x = a * b, sum = x + c;
  double ofC = sum - x, ofX = sum - ofC;
  double lost = (x - ofX) + (c - ofC);
  uint64_t bits = llvm::bit_cast<uint64_t>(sum);
  if (std::isnan(lost) || lost == 0 || bits & 1)
    return sum;
  return llvm::bit_cast<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// a·b + c with one rounding.
static bool runFma(const ScalarInstruction &in, ScalarContext &context) {
  double a = floatAt(context, in.operands[0]);
  double b = floatAt(context, in.operands[1]);
  double c = floatAt(context, in.operands[2]);
  double &result = floatAt(context, in.result);
  if (in.resultType == ElementType::F64)
    result = std::fma(a, b, c);
  else if (in.resultType == ElementType::F32)
    result = std::fmaf(float(a), float(b), float(c));
  else
    result = roundTo(fmaToOdd(a, b, c), in.resultType);
  return true;
}

/// A power by an integer, of which a double may lose the last bit: the sign is
/// by that bit.
static bool runFPowI(const ScalarInstruction &in, ScalarContext &context) {
  double x = floatAt(context, in.operands[0]);
  int64_t n = intAt(context, in.operands[1]);
  double power = std::pow(std::fabs(x), double(n));
  floatAt(context, in.result) =
      roundTo(n & 1 ? power * std::copysign(1.0, x) : power, in.resultType);
  return true;
}

/// `fn` of the comparison that a predicate is.
template <typename Fn>
static void withPredicate(int64_t predicate, Fn &&fn) {
  using P = arith::CmpFPredicate;
  switch (static_cast<P>(predicate)) {
  case P::AlwaysFalse:
    return fn([](double, double) { return false; });
  case P::AlwaysTrue:
    return fn([](double, double) { return true; });
  case P::OEQ:
    return fn([](double a, double b) { return a == b; });
  case P::OGT:
    return fn([](double a, double b) { return a > b; });
  case P::OGE:
    return fn([](double a, double b) { return a >= b; });
  case P::OLT:
    return fn([](double a, double b) { return a < b; });
  case P::OLE:
    return fn([](double a, double b) { return a <= b; });
  case P::ONE:
    return fn([](double a, double b) { return a < b || a > b; });
  case P::ORD:
    return fn([](double a, double b) { return a <= b || a > b; });
  case P::UEQ:
    return fn([](double a, double b) { return !(a < b || a > b); });
  case P::UGT:
    return fn([](double a, double b) { return !(a <= b); });
  case P::UGE:
    return fn([](double a, double b) { return !(a < b); });
  case P::ULT:
    return fn([](double a, double b) { return !(a >= b); });
  case P::ULE:
    return fn([](double a, double b) { return !(a > b); });
  case P::UNE:
    return fn([](double a, double b) { return a != b; });
  case P::UNO:
    return fn([](double a, double b) { return !(a <= b || a > b); });
  }
  llvm_unreachable("every predicate has a case");
}

static bool runCmpF(const ScalarInstruction &in, ScalarContext &context) {
  withPredicate(in.extra, [&](auto compare) {
    intAt(context, in.result) = compare(floatAt(context, in.operands[0]),
                                        floatAt(context, in.operands[1]));
  });
  return true;
}

static void stripCmpF(const ScalarInstruction &in, ScalarRegister *registers,
                      int64_t count) {
  const ScalarRegister *a = registers + in.operands[0],
                       *b = registers + in.operands[1];
  ScalarRegister *result = registers + in.result;
  withPredicate(in.extra, [=](auto compare) {
    for (int64_t l = 0; l < count; ++l)
      result[l].i = compare(a[l].f, b[l].f);
  });
}

//===----------------------------------------------------------------------===//
// Handlers of integers
//===----------------------------------------------------------------------===//

template <int64_t (*fn)(int64_t, int64_t, unsigned)>
static bool runSigned(const ScalarInstruction &in, ScalarContext &context) {
  ScalarType type = in.operandType;
  int64_t a = signExtend(intAt(context, in.operands[0]), type);
  int64_t b = signExtend(intAt(context, in.operands[1]), type);
  intAt(context, in.result) = wrapTo(fn(a, b, type.bits), in.resultType);
  return true;
}

template <uint64_t (*fn)(uint64_t, uint64_t, unsigned)>
static bool runUnsigned(const ScalarInstruction &in, ScalarContext &context) {
  ScalarType type = in.operandType;
  uint64_t a = zeroExtend(intAt(context, in.operands[0]), type);
  uint64_t b = zeroExtend(intAt(context, in.operands[1]), type);
  intAt(context, in.result) = wrapTo(fn(a, b, type.bits), in.resultType);
  return true;
}

static bool isDivisorValid(const ScalarInstruction &in, ScalarContext &context,
                           bool isSigned) {
  ScalarType type = in.operandType;
  int64_t a = signExtend(intAt(context, in.operands[0]), type);
  int64_t b = signExtend(intAt(context, in.operands[1]), type);
  if (b == 0) {
    context.message = "divides " + std::to_string(a) + " by zero";
    return false;
  }
  if (isSigned && b == -1 && a == llvm::minIntN(type.bits)) {
    context.message =
        "divides " + std::to_string(a) + " by -1, which overflows";
    return false;
  }
  return true;
}

template <int64_t (*fn)(int64_t, int64_t, unsigned)>
static bool runSignedDivision(const ScalarInstruction &in,
                              ScalarContext &context) {
  return isDivisorValid(in, context, true) && runSigned<fn>(in, context);
}

template <uint64_t (*fn)(uint64_t, uint64_t, unsigned)>
static bool runUnsignedDivision(const ScalarInstruction &in,
                                ScalarContext &context) {
  return isDivisorValid(in, context, false) && runUnsigned<fn>(in, context);
}

using I = int64_t;
using U = uint64_t;
static U addI(U a, U b, unsigned) { return a + b; }
static U subI(U a, U b, unsigned) { return a - b; }
static U mulI(U a, U b, unsigned) { return a * b; }
static U andI(U a, U b, unsigned) { return a & b; }
static U orI(U a, U b, unsigned) { return a | b; }
static U xorI(U a, U b, unsigned) { return a ^ b; }
static U shlI(U a, U b, unsigned width) { return b < width ? a << b : 0; }
static U shrUI(U a, U b, unsigned width) { return b < width ? a >> b : 0; }
static I shrSI(I a, I b, unsigned width) {
  bool inside = b >= 0 && b < I(width);
  return inside ? a >> b : a < 0 ? -1 : 0;
}
static U maxUI(U a, U b, unsigned) { return std::max(a, b); }
static U minUI(U a, U b, unsigned) { return std::min(a, b); }
static I maxSI(I a, I b, unsigned) { return std::max(a, b); }
static I minSI(I a, I b, unsigned) { return std::min(a, b); }
static U divUI(U a, U b, unsigned) { return a / b; }
static U remUI(U a, U b, unsigned) { return a % b; }
static U ceilDivUI(U a, U b, unsigned) { return a / b + (a % b != 0); }
static I divSI(I a, I b, unsigned) { return a / b; }
static I remSI(I a, I b, unsigned) { return b == -1 ? 0 : a % b; }
static I ceilDivSI(I a, I b, unsigned) { return llvm::divideCeilSigned(a, b); }
static I floorDivSI(I a, I b, unsigned) {
  return llvm::divideFloorSigned(a, b);
}

/// Sums and products wrap alike in all widths.
template <uint64_t (*fn)(uint64_t, uint64_t, unsigned)>
static void stripInts(const ScalarInstruction &in, ScalarRegister *registers,
                      int64_t count) {
  const ScalarRegister *a = registers + in.operands[0],
                       *b = registers + in.operands[1];
  ScalarRegister *result = registers + in.result;
  const unsigned width = in.resultType.bits;
  for (int64_t l = 0; l < count; ++l)
    result[l].i = static_cast<int64_t>(fn(a[l].i, b[l].i, width));
  if (width == 1) {
    for (int64_t l = 0; l < count; ++l)
      result[l].i &= 1;
  } else if (const unsigned unused = 64 - width) {
    for (int64_t l = 0; l < count; ++l)
      result[l].i =
          static_cast<int64_t>(static_cast<uint64_t>(result[l].i) << unused) >>
          unused;
  }
}

/// A shift by the width or more has no value.
template <ScalarHandler shift>
static bool runShift(const ScalarInstruction &in, ScalarContext &context) {
  const uint64_t by =
      zeroExtend(intAt(context, in.operands[1]), in.operandType);
  shift(in, context);
  if (LLVM_UNLIKELY(by >= in.operandType.bits && getUndefinedValues()))
    intAt(context, in.result) =
        wrapTo(chooseUndefined(in.op, intAt(context, in.result),
                               "shifts by " + std::to_string(by) +
                                   ", the width being " +
                                   std::to_string(in.operandType.bits)),
               in.resultType);
  return true;
}

/// An op whose flags promise that it does not overflow.
static bool runFlagged(const ScalarInstruction &in, ScalarContext &context) {
  findScalarHandlers(in.op->getName().getStringRef()).run(in, context);
  auto flags =
      in.op->getAttrOfType<arith::IntegerOverflowFlagsAttr>("overflowFlags");
  if (!flags || !getUndefinedValues())
    return true;
  const int64_t a = intAt(context, in.operands[0]),
                b = intAt(context, in.operands[1]);
  const unsigned width = in.resultType.bits;
  auto overflows = [&](__int128 x, __int128 y, __int128 least, __int128 most) {
    __int128 exact = 0;
    if (isa<arith::AddIOp>(in.op))
      exact = x + y;
    else if (isa<arith::SubIOp>(in.op))
      exact = x - y;
    else if (isa<arith::MulIOp>(in.op))
      exact = x * y;
    else
      exact = y >= 0 && y < width ? x * (__int128(1) << int64_t(y)) : 0;
    return exact < least || exact > most;
  };
  using Flags = arith::IntegerOverflowFlags;
  const bool isSigned = arith::bitEnumContainsAny(flags.getValue(), Flags::nsw),
             isUnsigned =
                 arith::bitEnumContainsAny(flags.getValue(), Flags::nuw);
  if ((isSigned &&
       overflows(signExtend(a, in.resultType), signExtend(b, in.resultType),
                 llvm::minIntN(width), llvm::maxIntN(width))) ||
      (isUnsigned &&
       overflows(zeroExtend(a, in.resultType), zeroExtend(b, in.resultType), 0,
                 llvm::maxUIntN(width))))
    intAt(context, in.result) = wrapTo(
        chooseUndefined(in.op, intAt(context, in.result),
                        "overflows on " + std::to_string(a) + " and " +
                            std::to_string(b) + ", in spite of its flags"),
        in.resultType);
  return true;
}

/// a to the power of b ≥ 0, wrapping; for b < 0, 1/a^|b| truncated to an
/// integer: ±1 for a = ±1, else 0.
static I powI(I a, I b, unsigned) {
  if (b < 0)
    return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
  U result = 1, base = a;
  for (; b; b >>= 1, base *= base)
    if (b & 1)
      result *= base;
  return result;
}

template <uint64_t (*fn)(uint64_t, unsigned)>
static bool runBits(const ScalarInstruction &in, ScalarContext &context) {
  uint64_t value = zeroExtend(intAt(context, in.operands[0]), in.operandType);
  intAt(context, in.result) =
      wrapTo(fn(value, in.operandType.bits), in.resultType);
  return true;
}

static U popCount(U a, unsigned) { return llvm::popcount(a); }
static U leadingZeros(U a, unsigned width) {
  return llvm::countl_zero(a) - (64 - width);
}
static U trailingZeros(U a, unsigned width) {
  return a ? llvm::countr_zero(a) : width;
}

static bool runAbsI(const ScalarInstruction &in, ScalarContext &context) {
  uint64_t value = signExtend(intAt(context, in.operands[0]), in.operandType);
  intAt(context, in.result) =
      wrapTo(int64_t(value) < 0 ? 0 - value : value, in.resultType);
  return true;
}

static bool runCmpI(const ScalarInstruction &in, ScalarContext &context) {
  int64_t a = signExtend(intAt(context, in.operands[0]), in.operandType);
  int64_t b = signExtend(intAt(context, in.operands[1]), in.operandType);
  // Sign extension keeps the unsigned order, too.
  uint64_t ua = a, ub = b;
  auto compare = [&]() -> bool {
    switch (static_cast<arith::CmpIPredicate>(in.extra)) {
    case arith::CmpIPredicate::eq:
      return a == b;
    case arith::CmpIPredicate::ne:
      return a != b;
    case arith::CmpIPredicate::slt:
      return a < b;
    case arith::CmpIPredicate::sle:
      return a <= b;
    case arith::CmpIPredicate::sgt:
      return a > b;
    case arith::CmpIPredicate::sge:
      return a >= b;
    case arith::CmpIPredicate::ult:
      return ua < ub;
    case arith::CmpIPredicate::ule:
      return ua <= ub;
    case arith::CmpIPredicate::ugt:
      return ua > ub;
    case arith::CmpIPredicate::uge:
      return ua >= ub;
    }
    llvm_unreachable("every predicate has a case");
  };
  intAt(context, in.result) = compare();
  return true;
}

//===----------------------------------------------------------------------===//
// Handlers of both
//===----------------------------------------------------------------------===//

static bool runSelect(const ScalarInstruction &in, ScalarContext &context) {
  bool condition = intAt(context, in.operands[0]);
  context.registers[in.result] =
      context.registers[in.operands[condition ? 1 : 2]];
  return true;
}

static void stripSelect(const ScalarInstruction &in, ScalarRegister *registers,
                        int64_t count) {
  const ScalarRegister *condition = registers + in.operands[0],
                       *a = registers + in.operands[1],
                       *b = registers + in.operands[2];
  ScalarRegister *result = registers + in.result;
  for (int64_t l = 0; l < count; ++l)
    result[l].i = condition[l].i != 0 ? a[l].i : b[l].i;
}

/// Sign-extends or truncates.
static bool runSignedResize(const ScalarInstruction &in,
                            ScalarContext &context) {
  intAt(context, in.result) =
      wrapTo(signExtend(intAt(context, in.operands[0]), in.operandType),
             in.resultType);
  return true;
}

/// Zero-extends or truncates.
static bool runUnsignedResize(const ScalarInstruction &in,
                              ScalarContext &context) {
  intAt(context, in.result) =
      wrapTo(zeroExtend(intAt(context, in.operands[0]), in.operandType),
             in.resultType);
  return true;
}

/// An unsigned magnitude as a double that rounds to any narrower float as the
/// integer itself would: bits past the 53rd are folded into the 53rd.
static double toDoubleToOdd(uint64_t magnitude) {
  int excess = 11 - llvm::countl_zero(magnitude);
  if (excess <= 0)
    return double(magnitude);
  uint64_t dropped = magnitude & llvm::maskTrailingOnes<uint64_t>(excess);
  uint64_t kept = magnitude >> excess | (dropped != 0);
  return std::ldexp(double(kept), excess);
}

template <bool isSigned>
static bool runIntToFloat(const ScalarInstruction &in, ScalarContext &context) {
  int64_t value = intAt(context, in.operands[0]);
  bool negative = isSigned && signExtend(value, in.operandType) < 0;
  uint64_t magnitude = isSigned ? uint64_t(signExtend(value, in.operandType))
                                : zeroExtend(value, in.operandType);
  if (negative)
    magnitude = 0 - magnitude;
  double rounded = in.resultType == ElementType::F64
                       ? double(magnitude)
                       : roundTo(toDoubleToOdd(magnitude), in.resultType);
  floatAt(context, in.result) = negative ? -rounded : rounded;
  return true;
}

template <bool isSigned>
static bool runFloatToInt(const ScalarInstruction &in, ScalarContext &context) {
  double value = std::trunc(floatAt(context, in.operands[0]));
  unsigned width = in.resultType.bits;
  double end = std::ldexp(1.0, isSigned ? width - 1 : width);
  uint64_t result;
  if (std::isnan(value) || (!isSigned && value < 0))
    result = 0;
  else if (value >= end)
    result = isSigned ? llvm::maxIntN(width) : llvm::maxUIntN(width);
  else if (value < -end)
    result = llvm::minIntN(width);
  else
    result = value < 0 ? uint64_t(int64_t(value)) : uint64_t(value);
  const bool isOutside =
      std::isnan(value) || value >= end || value < (isSigned ? -end : 0);
  if (LLVM_UNLIKELY(isOutside && getUndefinedValues()))
    result = chooseUndefined(in.op, result,
                             "converts " + std::to_string(value) +
                                 ", which is not a number of its type");
  intAt(context, in.result) = wrapTo(result, in.resultType);
  return true;
}

/// The same bits as another type of the same width.
static bool runBitcast(const ScalarInstruction &in, ScalarContext &context) {
  uint64_t memory = 0;
  getStore(in.operandType)(&memory, context.registers[in.operands[0]]);
  context.registers[in.result] = getLoad(in.resultType)(&memory);
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const llvm::StringMap<ScalarHandlers> &getTable() {
  static const llvm::StringMap<ScalarHandlers> table = {
      {"arith.addf", binary<addF>},
      {"arith.subf", binary<subF>},
      {"arith.mulf", binary<mulF>},
      {"arith.divf", binary<divF>},
      {"arith.remf", binary<remF>},
      {"arith.negf", unary<negF>},
      {"arith.maximumf", binary<maximumF>},
      {"arith.minimumf", binary<minimumF>},
      {"arith.maxnumf", binary<maxNumF>},
      {"arith.minnumf", binary<minNumF>},
      {"arith.cmpf", {runCmpF, stripCmpF}},
      {"arith.addi", {runUnsigned<addI>, stripInts<addI>}},
      {"arith.subi", {runUnsigned<subI>, stripInts<subI>}},
      {"arith.muli", {runUnsigned<mulI>, stripInts<mulI>}},
      {"arith.andi", runUnsigned<andI>},
      {"arith.ori", runUnsigned<orI>},
      {"arith.xori", runUnsigned<xorI>},
      {"arith.shli", runShift<runUnsigned<shlI>>},
      {"arith.shrui", runShift<runUnsigned<shrUI>>},
      {"arith.shrsi", runShift<runSigned<shrSI>>},
      {"arith.maxui", runUnsigned<maxUI>},
      {"arith.minui", runUnsigned<minUI>},
      {"arith.maxsi", runSigned<maxSI>},
      {"arith.minsi", runSigned<minSI>},
      {"arith.divui", runUnsignedDivision<divUI>},
      {"arith.remui", runUnsignedDivision<remUI>},
      {"arith.ceildivui", runUnsignedDivision<ceilDivUI>},
      {"arith.divsi", runSignedDivision<divSI>},
      {"arith.remsi", runSignedDivision<remSI>},
      {"arith.ceildivsi", runSignedDivision<ceilDivSI>},
      {"arith.floordivsi", runSignedDivision<floorDivSI>},
      {"arith.cmpi", runCmpI},
      {"arith.select", {runSelect, stripSelect}},
      {"arith.extf", unary<sameF>},
      {"arith.truncf", unary<sameF>},
      {"arith.extsi", runSignedResize},
      {"arith.extui", runUnsignedResize},
      {"arith.trunci", runUnsignedResize},
      {"arith.index_cast", runSignedResize},
      {"arith.index_castui", runUnsignedResize},
      {"arith.sitofp", runIntToFloat<true>},
      {"arith.uitofp", runIntToFloat<false>},
      {"arith.fptosi", runFloatToInt<true>},
      {"arith.fptoui", runFloatToInt<false>},
      {"arith.bitcast", runBitcast},
      {"math.absf", unary<std::fabs>},
      {"math.acos", unary<std::acos>},
      {"math.acosh", unary<std::acosh>},
      {"math.asin", unary<std::asin>},
      {"math.asinh", unary<std::asinh>},
      {"math.atan", unary<std::atan>},
      {"math.atan2", binary<std::atan2>},
      {"math.atanh", unary<std::atanh>},
      {"math.cbrt", unary<cbrtF>},
      {"math.ceil", unary<std::ceil>},
      {"math.copysign", binary<std::copysign>},
      {"math.cos", unary<std::cos>},
      {"math.cosh", unary<std::cosh>},
      {"math.erf", unary<std::erf>},
      {"math.erfc", unary<std::erfc>},
      {"math.exp", unary<std::exp>},
      {"math.exp2", unary<std::exp2>},
      {"math.expm1", unary<std::expm1>},
      {"math.floor", unary<std::floor>},
      {"math.fma", runFma},
      {"math.fpowi", runFPowI},
      {"math.isfinite", runFloatTest<isFiniteF>},
      {"math.isinf", runFloatTest<isInfF>},
      {"math.isnan", runFloatTest<isNanF>},
      {"math.log", unary<std::log>},
      {"math.log10", unary<std::log10>},
      {"math.log1p", unary<std::log1p>},
      {"math.log2", unary<std::log2>},
      {"math.powf", binary<std::pow>},
      {"math.round", unary<std::round>},
      {"math.roundeven", unary<std::nearbyint>},
      {"math.rsqrt", unary<rsqrtF>},
      {"math.sin", unary<std::sin>},
      {"math.sinh", unary<std::sinh>},
      {"math.sqrt", unary<std::sqrt>},
      {"math.tan", unary<std::tan>},
      {"math.tanh", unary<std::tanh>},
      {"math.trunc", unary<std::trunc>},
      {"math.absi", runAbsI},
      {"math.ctlz", runBits<leadingZeros>},
      {"math.ctpop", runBits<popCount>},
      {"math.cttz", runBits<trailingZeros>},
      {"math.ipowi", runSigned<powI>},
      {"vector.fma", runFma},
  };
  return table;
}

ScalarHandlers mlir::tensoraccess::findScalarHandlers(StringRef name) {
  return getTable().lookup(name);
}

SmallVector<StringRef> mlir::tensoraccess::listScalarOps() {
  return llvm::to_vector(getTable().keys());
}

bool mlir::tensoraccess::selectScalarOp(Operation *op,
                                        ScalarInstruction &instruction) {
  if (isHlo(op))
    return selectHloScalarOp(op, instruction);
  if (isa_and_nonnull<index::IndexDialect>(op->getDialect()))
    return selectIndexOp(op, instruction);
  const llvm::StringMap<ScalarHandlers> &table = getTable();
  auto found = table.find(op->getName().getStringRef());
  if (found == table.end())
    return false;
  instruction.handlers = found->second;
  if (auto flags =
          op->getAttrOfType<arith::IntegerOverflowFlagsAttr>("overflowFlags");
      flags && flags.getValue() != arith::IntegerOverflowFlags::none &&
      isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op) &&
      getUndefinedValues())
    instruction.handlers = runFlagged;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    instruction.extra = static_cast<int64_t>(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    instruction.extra = static_cast<int64_t>(compare.getPredicate());
  return true;
}

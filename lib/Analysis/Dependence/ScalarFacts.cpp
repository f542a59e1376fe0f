//===- ScalarFacts.cpp - Scalar functions of known values -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In this order:
//   1. all arguments are numbers: the function of doubles. A result that may be
//      rounded in the element type keeps its sign, and whether it is finite;
//   2. some are indices: sums, differences and multiples are forms;
//   3. one is a number that decides: 0 * x, x + inf, false and x.
// Numbers that no argument of the program leads to are at least Constant.
//
//===----------------------------------------------------------------------===//

#include "ScalarFacts.h"
#include "Regions.h"

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<double> ValueFact::getNumber() const {
  if (kind == Kind::Number)
    return number;
  if (kind == Kind::Index && map.getResult(0).isConstant())
    return double(map.getResult(0).constant);
  return std::nullopt;
}

std::string ValueFact::str() const {
  std::string text;
  std::optional<double> value = getNumber();
  if (value)
    text = std::isinf(*value)   ? (*value < 0 ? "-inf" : "inf")
           : std::isnan(*value) ? "nan"
                                : llvm::formatv("{0}", *value).str();
  else if (kind == Kind::Index)
    text = "index";
  else if (kind == Kind::Copy)
    text = "argument " + std::to_string(argument);
  else
    text = kind == Kind::Constant ? "constant" : "range";
  return text + " where " + map.str();
}

ValueFact tensoraccess::makeNumber(double number, const IndexingMap &region) {
  ValueFact fact;
  if (std::abs(number) <= kMaxInteger && number == std::floor(number)) {
    fact.kind = ValueFact::Kind::Index;
    fact.map = region.withResults(Form(int64_t(number)));
    return fact;
  }
  fact.kind = ValueFact::Kind::Number;
  fact.number = number;
  fact.map = regions::withoutResults(region);
  return fact;
}

ValueFact tensoraccess::makeConstant(const IndexingMap &region) {
  ValueFact fact;
  fact.map = regions::withoutResults(region);
  return fact;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool tensoraccess::ignoresNaN(Operation *op) {
  std::string mode;
  llvm::raw_string_ostream os(mode);
  if (Attribute attr = op->getAttr("nan_mode"))
    attr.print(os);
  return StringRef(mode).contains("IGNORE");
}

StringRef tensoraccess::getScalarFunction(Operation *op) {
  if (isHlo(op)) {
    const HloTraits *traits = getHloTraits(op);
    return traits && traits->arity != 0 && getHloName(op) != "bitcast_convert"
               ? getHloName(op)
               : StringRef();
  }
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("arith.")) {
    // A signless i1 is -1 there, or is added without a carry.
    const bool isBit =
        op->getNumOperands() != 0 &&
        getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1);
    if (name == "extui" || name == "uitofp")
      return isBit ? "convert" : "";
    // To one bit it is the lowest.
    if (name == "trunci" || name == "index_cast")
      return getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)
                 ? ""
                 : "convert";
    if (isBit && !llvm::is_contained({"andi", "ori", "xori", "select"}, name))
      return {};
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"addf", "addi"}, "add")
        .Cases({"subf", "subi"}, "subtract")
        .Cases({"mulf", "muli"}, "multiply")
        .Cases({"divf", "divsi"}, "divide")
        .Cases({"maximumf", "maxsi"}, "maximum")
        .Cases({"minimumf", "minsi"}, "minimum")
        .Case("negf", "negate")
        .Case("andi", "and")
        .Case("ori", "or")
        .Case("xori", "xor")
        .Cases({"cmpi", "cmpf"}, "compare")
        .Case("select", "select")
        .Cases({"index_cast", "extsi", "extf", "truncf", "sitofp"}, "convert")
        .Default("");
  }
  if (name.consume_front("math."))
    return llvm::StringSwitch<StringRef>(name)
        .Case("exp", "exponential")
        .Case("log", "log")
        .Case("tanh", "tanh")
        .Case("sqrt", "sqrt")
        .Case("rsqrt", "rsqrt")
        .Cases({"absf", "absi"}, "abs")
        .Default("");
  if (name.consume_front("tosa.") && !ignoresNaN(op))
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"add", "maximum", "minimum", "select", "tanh", "log", "abs",
                "negate", "rsqrt", "reciprocal"},
               name)
        .Case("sub", "subtract")
        .Case("mul", "multiply")
        .Case("exp", "exponential")
        .Case("sigmoid", "logistic")
        .Case("cast", "convert")
        .Case("logical_and", "and")
        .Case("logical_or", "or")
        .Case("logical_not", "not")
        .Cases({"greater", "greater_equal", "equal"}, "compare")
        .Default("");
  return {};
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

using Unary = double (*)(double);

static Unary getUnary(StringRef name) {
  return llvm::StringSwitch<Unary>(name)
      .Case(
          "abs", +[](double x) { return std::abs(x); })
      .Case(
          "ceil", +[](double x) { return std::ceil(x); })
      .Case(
          "cosine", +[](double x) { return std::cos(x); })
      .Case(
          "erf", +[](double x) { return std::erf(x); })
      .Case(
          "exponential", +[](double x) { return std::exp(x); })
      .Case(
          "exponential_minus_one", +[](double x) { return std::expm1(x); })
      .Case(
          "floor", +[](double x) { return std::floor(x); })
      .Case(
          "log", +[](double x) { return std::log(x); })
      .Case(
          "log_plus_one", +[](double x) { return std::log1p(x); })
      .Case(
          "logistic", +[](double x) { return 1 / (1 + std::exp(-x)); })
      .Case(
          "negate", +[](double x) { return -x; })
      .Case(
          "rsqrt", +[](double x) { return 1 / std::sqrt(x); })
      .Case(
          "sign",
          +[](double x) {
            return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x);
          })
      .Case(
          "sine", +[](double x) { return std::sin(x); })
      .Case(
          "sqrt", +[](double x) { return std::sqrt(x); })
      .Case(
          "square", +[](double x) { return x * x; })
      .Case(
          "tanh", +[](double x) { return std::tanh(x); })
      .Default(nullptr);
}

using Binary = double (*)(double, double);

static double getMaximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b);
}

static Binary getBinary(StringRef name) {
  return llvm::StringSwitch<Binary>(name)
      .Case(
          "add", +[](double a, double b) { return a + b; })
      .Case(
          "subtract", +[](double a, double b) { return a - b; })
      .Case(
          "multiply", +[](double a, double b) { return a * b; })
      .Case(
          "divide", +[](double a, double b) { return a / b; })
      .Case(
          "power", +[](double a, double b) { return std::pow(a, b); })
      .Case("maximum", getMaximum)
      .Case(
          "minimum", +[](double a, double b) { return -getMaximum(-a, -b); })
      .Default(nullptr);
}

/// Bits of the integers that a type holds exactly; 0 for other types.
static unsigned getIntegerBits(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1
               ? 1
               : std::min(integer.getWidth() - !integer.isUnsigned(), 53u);
  if (isa<IndexType>(type))
    return 53;
  if (auto floating = dyn_cast<FloatType>(type))
    return std::min(floating.getFPMantissaWidth(), 53u);
  return 0;
}

/// Whether every integer in `range` is one of `type`.
static bool holds(Type type, Interval range) {
  const int64_t most = (int64_t(1) << getIntegerBits(type)) - 1;
  const bool isSigned =
      !type.isUnsignedInteger() && !type.isInteger(1) && most > 1;
  return range.isFinite() && range.upper <= most &&
         range.lower >= (isSigned ? -most : 0);
}

/// Whether a floating-point type holds a number, as one that is not subnormal.
static bool holds(Type type, double number) {
  auto floating = dyn_cast<FloatType>(type);
  if (!floating || !std::isfinite(number))
    return false;
  bool loses = false;
  APFloat rounded(number);
  rounded.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &loses);
  return !loses && rounded.isFinite() && !rounded.isDenormal();
}

/// Whether doubles compute a function without rounding.
static bool isExact(StringRef name, ArrayRef<double> x, double result) {
  if (name == "add" || name == "subtract") {
    // The error of a sum (Knuth).
    const double b = name == "add" ? x[1] : -x[1], part = result - x[0];
    return (x[0] - (result - part)) + (b - part) == 0;
  }
  if (name == "multiply")
    return std::fma(x[0], x[1], -result) == 0;
  return llvm::is_contained({"convert", "negate", "abs", "maximum", "minimum",
                             "sign", "floor", "ceil"},
                            name);
}

static double toDouble(APFloat x) {
  bool loses = false;
  x.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return x.convertToDouble();
}

double tensoraccess::getLargest(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return std::min(4e30, floating ? toDouble(APFloat::getLargest(
                                       floating.getFloatSemantics()))
                                 : INFINITY);
}

/// Magnitudes between which rounding makes no number infinite, or zero.
static std::pair<double, double> getSafeRange(Type type, bool isRounded) {
  double least = 1e-4, most = 1e4;
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    const double small =
                     4 * toDouble(APFloat::getSmallestNormalized(semantics)),
                 large = toDouble(APFloat::getLargest(semantics)) / 4;
    least = isRounded ? std::max(least, small) : small;
    most = isRounded ? std::min(most, large) : large;
  }
  return {least, most};
}

std::optional<double> tensoraccess::getUnderflow(Type type) {
  if (type.isF64())
    return -746;
  if (type.isF32() || type.isBF16())
    return -105;
  if (type.isF16())
    return -18;
  return std::nullopt;
}

/// A number of the result's type, or what remains known of it.
static ValueFact makeResult(ArrayRef<double> numbers, double number,
                            bool isRounded, const ScalarCall &call,
                            const IndexingMap &region) {
  const bool isFloat = isa<FloatType>(call.type);
  if (isa<ComplexType>(call.type) && !std::isfinite(number))
    return makeConstant(region);
  if (!isFloat && (!(std::abs(number) <= kMaxInteger) ||
                   !holds(call.type, Interval::point(int64_t(number)))))
    return makeConstant(region);
  // Some round to the nearest integer, some to zero.
  if (!isFloat && number != std::floor(number))
    return makeConstant(region);
  const bool isInteger = number == std::floor(number) &&
                         std::abs(number) <= kMaxInteger &&
                         holds(call.type, Interval::point(int64_t(number)));
  if (!isRounded &&
      (isInteger || std::isnan(number) ||
       (isExact(call.function, numbers, number) && holds(call.type, number)))) {
    ValueFact fact = makeNumber(number, region);
    fact.hasAnySign = number == 0 && std::signbit(number);
    return fact;
  }
  // Types without infinities have NaN, or the largest number.
  if (std::isinf(number) && isFloat &&
      !APFloat::semanticsHasInf(cast<FloatType>(call.type).getFloatSemantics()))
    return makeConstant(region);
  auto [least, most] = getSafeRange(call.type, isRounded);
  if (!std::isinf(number) &&
      !(least <= std::abs(number) && std::abs(number) <= most))
    return makeConstant(region);
  ValueFact fact;
  fact.kind = ValueFact::Kind::Number;
  fact.number = number;
  fact.isRounded = !std::isinf(number);
  fact.map = regions::withoutResults(region);
  return fact;
}

static std::optional<ValueFact> evaluateNumbers(const ScalarCall &call,
                                                ArrayRef<double> numbers,
                                                const IndexingMap &region) {
  StringRef name = call.function;
  auto anySign = [&](unsigned i) {
    return call.arguments[i]->hasAnySign && numbers[i] == 0;
  };
  bool isRounded = llvm::any_of(
      call.arguments, [](const ValueFact *fact) { return fact->isRounded; });
  if (name == "convert") {
    if (call.type.isInteger(1))
      return isRounded || numbers[0] == 0
                 ? isRounded ? makeConstant(region) : makeNumber(0, region)
                 : makeNumber(1, region);
    ValueFact fact = makeResult(numbers, numbers[0], isRounded, call, region);
    fact.hasAnySign = call.arguments[0]->hasAnySign;
    return fact;
  }
  if (numbers.size() == 1 && name == "not")
    return call.type.isInteger(1) && !isRounded
               ? makeNumber(numbers[0] == 0, region)
               : makeConstant(region);
  if (name.starts_with("is_") && !isRounded)
    return name == "is_finite" ? makeNumber(std::isfinite(numbers[0]), region)
                               : makeConstant(region);
  const bool isBool = call.type.isInteger(1);
  if (numbers.size() == 2 && isBool &&
      llvm::is_contained(
          {"and", "or", "xor", "multiply", "add", "maximum", "minimum"},
          name)) {
    const bool a = numbers[0] != 0, b = numbers[1] != 0;
    const bool isAnd = name == "and" || name == "multiply" || name == "minimum";
    return makeNumber(isAnd ? a && b : name == "xor" ? a != b : a || b, region);
  }
  // What a zero of unknown sign becomes depends on it.
  // So does the sign of a sum of rounded numbers.
  if (isRounded &&
      !llvm::is_contained({"multiply", "divide", "negate", "abs", "sqrt",
                           "rsqrt", "exponential", "tanh", "maximum", "minimum",
                           "square", "logistic"},
                          name))
    return makeConstant(region);
  if (name == "exponential" && numbers.size() == 1)
    if (std::optional<double> least = getUnderflow(call.type);
        least && numbers[0] < (isRounded ? 2 : 1) * *least)
      return makeNumber(0, region);
  if (numbers.size() == 1) {
    if (anySign(0) &&
        (name == "rsqrt" || name == "sign" || name == "reciprocal"))
      return std::nullopt;
    if (Unary function = getUnary(name)) {
      ValueFact fact =
          makeResult(numbers, function(numbers[0]), isRounded, call, region);
      fact.hasAnySign |= anySign(0);
      return fact;
    }
    return makeConstant(region);
  }
  if (numbers.size() == 2) {
    if (anySign(1) && (name == "divide" || name == "atan2" || name == "power"))
      return std::nullopt;
    if (anySign(0) && (name == "power" || name == "atan2"))
      return std::nullopt;
    if (Binary function = getBinary(name)) {
      if (!isa<FloatType>(call.type) && name == "divide" && numbers[1] == 0)
        return makeConstant(region);
      ValueFact fact = makeResult(numbers, function(numbers[0], numbers[1]),
                                  isRounded, call, region);
      fact.hasAnySign |= anySign(0) || anySign(1);
      return fact;
    }
  }
  return makeConstant(region);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Forms of integers that are arguments, over `region`, which has no other
/// results; std::nullopt for what is not a form.
static std::optional<ValueFact> evaluateForms(const ScalarCall &call,
                                              ArrayRef<Form> forms,
                                              const IndexingMap &region) {
  // Zero points and the like make it a different function.
  const size_t arity =
      llvm::StringSwitch<size_t>(call.function)
          .Cases({"negate", "abs", "convert", "floor", "ceil"}, 1)
          .Cases({"round_nearest_afz", "round_nearest_even"}, 1)
          .Case("clamp", 3)
          .Default(2);
  if (forms.size() != arity)
    return std::nullopt;
  FormArena arena = region.getArena();
  Form form;
  StringRef name = call.function;
  auto isConstant = [&](unsigned i) { return forms[i].isConstant(); };
  if (name == "add")
    form = arena.add(forms[0], forms[1]);
  else if (name == "subtract")
    form = arena.sub(forms[0], forms[1]);
  else if (name == "negate")
    form = arena.negate(forms[0]);
  else if (name == "multiply" && (isConstant(0) || isConstant(1)))
    form = isConstant(0) ? arena.scale(forms[1], forms[0].constant)
                         : arena.scale(forms[0], forms[1].constant);
  else if (name == "maximum")
    form = arena.max(forms[0], forms[1]);
  else if (name == "minimum")
    form = arena.min(forms[0], forms[1]);
  else if (name == "clamp")
    form = arena.min(arena.max(forms[1], forms[0]), forms[2]);
  else if (name == "abs")
    form = arena.max(forms[0], arena.negate(forms[0]));
  else if (name == "convert" && !call.type.isInteger(1))
    form = forms[0];
  else if (name == "divide" && !isa<FloatType>(call.type) && isConstant(1) &&
           forms[1].constant > 0 && arena.range(forms[0]).lower >= 0)
    form = arena.floorDiv(forms[0], forms[1].constant);
  else if (name == "remainder" && !isa<FloatType>(call.type) && isConstant(1) &&
           forms[1].constant > 0 && arena.range(forms[0]).lower >= 0)
    form = arena.mod(forms[0], forms[1].constant);
  else if (name == "floor" || name == "ceil" || name.starts_with("round"))
    form = forms[0];
  else
    return std::nullopt;
  if (arena.failed() || !holds(call.type, arena.range(form)))
    return std::nullopt;
  ValueFact fact;
  fact.kind = ValueFact::Kind::Index;
  fact.map = region.withResults(arena, form).simplify();
  // Some of its zeros may be negative.
  fact.hasAnySign = isa<FloatType>(call.type) &&
                    (name == "negate" || name == "multiply" ||
                     llvm::any_of(call.arguments, [](const ValueFact *known) {
                       return known && known->hasAnySign;
                     }));
  return fact;
}

//===----------------------------------------------------------------------===//
// One operand that decides
//===----------------------------------------------------------------------===//

/// The result where argument `known` is `fact` and the other one is anything
/// (that is finite, if that is assumed).
static std::optional<ValueFact>
evaluateOne(const ScalarCall &call, unsigned known, const IndexingMap &region) {
  const ValueFact &fact = *call.arguments[known];
  std::optional<double> number = fact.getNumber();
  if (!number)
    return std::nullopt;
  StringRef name = call.function;
  const bool isFloat = isFloating(call.types[0]);
  const bool isBool = call.type.isInteger(1);
  const double x = *number;
  auto ifFinite = [&](double value) -> std::optional<ValueFact> {
    if (isFloat && !call.assumeFinite)
      return std::nullopt;
    if (isFloat)
      *call.usesFinite = true;
    ValueFact result = makeNumber(value, region);
    result.hasAnySign = isFloat && value == 0;
    return result;
  };
  if (x == 0 && !fact.isRounded) {
    // Integers are divided by 0 differently.
    if (name == "multiply" ||
        (isFloat && known == 0 && (name == "divide" || name == "remainder")))
      return ifFinite(0);
    if (name == "power" && known == 1)
      return makeNumber(1, region);
    if (name == "and" || (isBool && name == "minimum"))
      return makeNumber(0, region);
  }
  if (isBool && x == 1 && (name == "or" || name == "maximum"))
    return makeNumber(1, region);
  if (!isFloat || !std::isinf(x))
    return std::isnan(x) && isFloat && getBinary(name) && name != "power"
               ? std::optional(makeNumber(NAN, region))
               : std::nullopt;
  if (name == "add" || (name == "subtract" && known == 0))
    return ifFinite(x);
  if (name == "subtract")
    return ifFinite(-x);
  if (name == "divide" && known == 1)
    return ifFinite(0);
  if ((name == "maximum" && x > 0) || (name == "minimum" && x < 0))
    return ifFinite(x);
  return std::nullopt;
}

std::optional<ValueFact> tensoraccess::evaluate(const ScalarCall &call,
                                                const IndexingMap &region) {
  SmallVector<double, 3> numbers;
  bool isFixed = true, areNumbers = true, areForms = true;
  unsigned numUnknown = 0, known = 0;
  for (auto [i, fact] : llvm::enumerate(call.arguments)) {
    if (!fact || !fact->isFixed()) {
      ++numUnknown;
      isFixed = false;
      continue;
    }
    known = i;
    std::optional<double> number = fact->getNumber();
    areNumbers &= number.has_value();
    numbers.push_back(number.value_or(0));
    areForms &= fact->kind == ValueFact::Kind::Index;
  }
  if (isFixed) {
    if (areNumbers)
      return evaluateNumbers(call, numbers, region);
    if (areForms)
      if (auto fact = evaluateForms(call, call.forms, region))
        return fact;
    if (call.assumeFinite && call.arguments.size() == 2)
      for (unsigned i : {0, 1})
        if (auto fact = evaluateOne(call, i, region))
          return fact;
    return makeConstant(region);
  }
  if (call.arguments.size() == 2 && numUnknown == 1)
    return evaluateOne(call, known, region);
  if (call.arguments.size() == 1 && call.function == "is_finite" &&
      call.assumeFinite) {
    *call.usesFinite = true;
    return makeNumber(1, region);
  }
  return std::nullopt;
}

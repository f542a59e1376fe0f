//===- NarrowElements.cpp - Elements below what memory holds --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. where functions begin, end and are called, integers of 2 and 4 bits and
//      floats of 4 to 8 are bytes: a conversion of the former, the latters' bits;
//   2. such floats become f32 with the same values, rounded after each op that
//      computes: to the nearest, ties to even, subnormal numbers included; such
//      integers bytes, wrapped there. Sums are rounded when they are complete, as
//      those of f16 are.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

static Type getElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : Type();
}

/// Floats of 4, 6 and 8 bits.
static bool isNarrowFloat(Type element) {
  auto type = dyn_cast_or_null<FloatType>(element);
  return type && type.getWidth() <= 8;
}

static bool isNarrowInteger(Type element) {
  auto integer = dyn_cast_or_null<IntegerType>(element);
  return integer && (integer.getWidth() == 2 || integer.getWidth() == 4);
}

static bool isNarrow(Type type) {
  Type element = getElement(type);
  return isNarrowFloat(element) || isNarrowInteger(element);
}

Type tensoraccess::getTypeOfBytes(Type type) {
  if (!isNarrow(type))
    return type;
  auto tensor = cast<RankedTensorType>(type);
  auto integer = dyn_cast<IntegerType>(tensor.getElementType());
  auto signedness = integer ? integer.getSignedness() : IntegerType::Signless;
  return tensor.clone(IntegerType::get(type.getContext(), 8, signedness));
}

//===----------------------------------------------------------------------===//
// The floats
//===----------------------------------------------------------------------===//

namespace {
/// A format of 4, 6 or 8 bits, computed in f32 or, before rounding, in f64. One
/// without NaN has a negative zero for it, as XLA.
class SmallFloat {
public:
  SmallFloat(HloBuilder &h, FloatType type)
      : h(h), type(type), hasInf(APFloat::semanticsHasInf(semantics())),
        hasNaN(APFloat::semanticsHasNaN(semantics())),
        isPower(isa<Float8E8M0FNUType>(type)),
        isUnsignedZero(
            isa<Float8E5M2FNUZType, Float8E4M3FNUZType, Float8E4M3B11FNUZType>(
                type)),
        width(type.getWidth()),
        mantissa(APFloat::semanticsPrecision(semantics()) - 1),
        least(APFloat::semanticsMinExponent(semantics())) {}

  /// The nearest number of the format, as a float of x's type.
  Value round(Value x);
  /// The number of the format next to x in the direction of y; f32 of both.
  Value next(Value x, Value y);
  /// The bits, as ui8, of an f32 that is such a number; of NaN those that were
  /// decoded.
  Value encode(Value x);
  Value decode(Value bits);

private:
  HloBuilder &h;
  FloatType type;
  /// Of an unsigned power of two, which has no zero.
  bool hasInf, hasNaN, isPower, isUnsignedZero;
  /// All bits; those after the point; the exponent of the least normal number.
  int width, mantissa, least;

  Value roundToPower(Value x);
  /// All bits but the sign.
  uint64_t magnitude() const { return (uint64_t(1) << (width - 1)) - 1; }
  const llvm::fltSemantics &semantics() const {
    return type.getFloatSemantics();
  }
  double largest() const {
    return APFloat::getLargest(semantics()).convertToDouble();
  }
  Type bits(unsigned width) const {
    return IntegerType::get(type.getContext(), width, IntegerType::Unsigned);
  }
  Value mask(Value x, uint64_t bits) {
    return h.binary("stablehlo.and", x, h.integer(x.getType(), bits));
  }
  Value shift(StringRef name, Value x, uint64_t by) {
    return h.binary(name, x, h.integer(x.getType(), by));
  }
  Value left(Value x, uint64_t by) {
    return shift("stablehlo.shift_left", x, by);
  }
  Value right(Value x, uint64_t by) {
    return shift("stablehlo.shift_right_logical", x, by);
  }
  Value either(Value x, Value y) { return h.binary("stablehlo.or", x, y); }
  Value isNaN(Value x) { return h.compare("NE", x, x); }
};
} // namespace

/// Between two the greater one, from the middle on.
Value SmallFloat::roundToPower(Value x) {
  auto work = cast<FloatType>(getTensorType(x).getElementType());
  const unsigned fraction = work.isF64() ? 52 : 23;
  Value all = h.bitcast(x, bits(work.getWidth()));
  Value up =
      h.add(all, h.integer(all.getType(), uint64_t(1) << (fraction - 1)));
  Value result = h.bitcast(mask(up, ~((uint64_t(1) << fraction) - 1)), work);
  // The least one is not a normal number of f32.
  Value small = h.select(h.compare("LT", x, h.like(x, std::ldexp(1.5, least))),
                         h.like(x, std::ldexp(1.0, least)),
                         h.like(x, std::ldexp(1.0, least + 1)));
  result = h.select(h.compare("LT", x, h.like(x, std::ldexp(1.0, least + 1))),
                    small, result);
  Value isOne = h.binary("stablehlo.and", h.compare("GT", x, h.like(x, 0)),
                         h.compare("LE", result, h.like(x, largest())));
  return h.select(isOne, result,
                  h.like(x, std::numeric_limits<double>::quiet_NaN()));
}

Value SmallFloat::round(Value x) {
  if (isPower)
    return roundToPower(x);
  auto work = cast<FloatType>(getTensorType(x).getElementType());
  const unsigned wide = work.getWidth(), fraction = work.isF64() ? 52 : 23;
  const uint64_t sign = uint64_t(1) << (wide - 1);
  const unsigned gone = fraction - mantissa;
  Value all = h.bitcast(x, bits(wide));
  Value size = mask(all, sign - 1), odd = mask(right(size, gone), 1);
  Value up = h.add(h.add(size, odd),
                   h.integer(size.getType(), (uint64_t(1) << (gone - 1)) - 1));
  Value normal = h.bitcast(mask(up, ~((uint64_t(1) << gone) - 1)), work);
  // Beside this number one has the last place of subnormal numbers.
  Value absolute = h.abs(x);
  Value anchor = h.like(x, std::ldexp(1.0, int(fraction) + least - mantissa));
  Value subnormal = h.sub(h.add(absolute, anchor), anchor);
  Value result =
      h.select(h.compare("LT", absolute, h.like(x, std::ldexp(1.0, least))),
               subnormal, normal);
  const double beyond = hasInf   ? std::numeric_limits<double>::infinity()
                        : hasNaN ? std::numeric_limits<double>::quiet_NaN()
                                 : largest();
  result = h.select(h.compare("GT", result, h.like(x, largest())),
                    h.like(x, beyond), result);
  Value isZero = h.compare("EQ", result, h.like(x, 0));
  result =
      h.bitcast(either(h.bitcast(result, bits(wide)), mask(all, sign)), work);
  if (isUnsignedZero)
    result = h.select(isZero, h.like(x, 0), result);
  // A NaN that is computed keeps the sign.
  const uint64_t quiet = sign | (sign - (uint64_t(1) << (fraction - 1)));
  return h.select(isNaN(x),
                  hasNaN ? h.bitcast(mask(all, quiet), work) : h.like(x, -0.0),
                  result);
}

Value SmallFloat::next(Value x, Value y) {
  Value zero = h.like(x, 0), atZero = h.compare("EQ", x, zero);
  Value size = encode(h.abs(x)), one = h.integer(size.getType(), 1);
  Value isDown = h.compare("GT", h.abs(x), h.abs(y));
  Value crosses =
      h.compare("NE", h.compare("LT", x, zero), h.compare("LT", y, zero));
  isDown = isPower ? h.compare("GT", x, y)
                   : h.binary("stablehlo.or", isDown, crosses);
  size = h.select(atZero, one,
                  h.select(isDown, h.sub(size, one), h.add(size, one)));
  Value result = decode(size);
  if (!isPower)
    result = h.copySign(result, h.select(atZero, y, x));
  if (isUnsignedZero)
    result = h.select(h.compare("EQ", result, zero), zero, result);
  result = h.select(h.compare("EQ", x, y), y, result);
  result = h.select(isNaN(x), x, result);
  return h.select(isNaN(y), y, result);
}

Value SmallFloat::encode(Value x) {
  const uint64_t bias = 1 - least;
  Value all = h.bitcast(x, bits(32)), absolute = h.abs(x);
  auto place = [&](uint64_t number) {
    return h.integer(all.getType(), number);
  };
  if (isPower)
    return h.convert(h.select(isNaN(x), place(0xFF), right(all, 23)), bits(8));
  Value sign = left(right(all, 31), width - 1);
  Value normal = right(mask(all, 0x7FFFFFFF), 23 - mantissa);
  normal = h.sub(normal, h.integer(normal.getType(), (127 - bias) << mantissa));
  Value subnormal = h.convert(
      h.mul(absolute, h.like(x, std::ldexp(1.0, mantissa - least))), bits(32));
  Value code =
      h.select(h.compare("LT", absolute, h.like(x, std::ldexp(1.0, least))),
               subnormal, normal);
  const uint64_t ones = magnitude() >> mantissa << mantissa;
  if (hasInf)
    code = h.select(h.compare("GT", absolute, h.like(x, largest())),
                    place(ones), code);
  if (!hasNaN)
    return h.convert(either(code, sign), bits(8));
  const uint64_t nan = isUnsignedZero ? 0x80
                       : hasInf       ? ones | 1 << (mantissa - 1)
                                      : 0x7F;
  Value isNone = isNaN(x), none = place(nan);
  if (hasInf) {
    Value kept = mask(all, (uint64_t(1) << mantissa) - 1);
    none = h.select(h.compare("EQ", kept, place(0)), none,
                    either(kept, place(ones)));
  }
  code = either(h.select(isNone, none, code),
                isUnsignedZero ? h.select(isNone, place(0), sign) : sign);
  return h.convert(code, bits(8));
}

Value SmallFloat::decode(Value byte) {
  const uint64_t bias = 1 - least;
  Value all = mask(h.convert(byte, bits(32)), (uint64_t(1) << width) - 1);
  if (isPower) {
    Type f32 = Float32Type::get(type.getContext());
    auto number = [&](uint64_t bits) {
      return h.bitcast(h.integer(all.getType(), bits), f32);
    };
    auto is = [&](uint64_t code) {
      return h.compare("EQ", all, h.integer(all.getType(), code));
    };
    Value power =
        h.select(is(0), number(1 << 22), h.bitcast(left(all, 23), f32));
    return h.select(is(0xFF), number(0x7FC00000), power);
  }
  Value size = mask(all, magnitude()), sign = left(right(all, width - 1), 31);
  auto place = [&](uint64_t number) {
    return h.integer(size.getType(), number);
  };
  Type f32 = Float32Type::get(type.getContext());
  Value normal = h.bitcast(
      h.add(left(size, 23 - mantissa), place((127 - bias) << 23)), f32);
  Value subnormal = h.convert(size, f32);
  subnormal =
      h.mul(subnormal, h.like(subnormal, std::ldexp(1.0, least - mantissa)));
  Value result =
      h.select(h.compare("LT", size, place(1 << mantissa)), subnormal, normal);
  const uint64_t ones = magnitude() >> mantissa << mantissa;
  if (hasInf)
    result = h.select(h.compare("EQ", size, place(ones)),
                      h.like(result, std::numeric_limits<double>::infinity()),
                      result);
  result = h.bitcast(either(h.bitcast(result, bits(32)), sign), f32);
  if (!hasNaN)
    return result;
  Value isNone = isUnsignedZero ? h.compare("EQ", all, place(0x80))
                 : hasInf       ? h.compare("GT", size, place(ones))
                                : h.compare("EQ", size, place(0x7F));
  // Moves keep its bits: the last ones of f32.
  Value none = place(0x7FC00000);
  if (!isUnsignedZero)
    none =
        either(either(none, sign), mask(size, (uint64_t(1) << mantissa) - 1));
  return h.select(isNone, h.bitcast(none, f32), result);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

bool tensoraccess::hasNarrowHlo(ModuleOp module) {
  return hasHloOn(module, isNarrow);
}

/// A narrow value of bytes, and the other way round.
static Value cross(HloBuilder &h, Value value, Type type) {
  Type narrow = isNarrow(type) ? type : value.getType();
  return h.one(isNarrowFloat(getElement(narrow)) ? "stablehlo.bitcast_convert"
                                                 : "stablehlo.convert",
               type, value);
}

/// Step 1.
static void passBytes(func::FuncOp function) {
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  HloBuilder h(b);
  auto giveBytes = [&](Value value) {
    Type type = value.getType(), bytes = getTypeOfBytes(type);
    if (type == bytes)
      return;
    value.setType(bytes);
    Value narrow = cross(h, value, type);
    value.replaceAllUsesExcept(narrow, narrow.getDefiningOp());
  };
  function.walk([&](Operation *op) {
    if (!isa<func::CallOp, func::ReturnOp>(op))
      return;
    b.setLoc(op->getLoc());
    b.setInsertionPoint(op);
    for (OpOperand &operand : op->getOpOperands())
      if (Type bytes = getTypeOfBytes(operand.get().getType());
          bytes != operand.get().getType())
        operand.set(cross(h, operand.get(), bytes));
    b.setInsertionPointAfter(op);
    llvm::for_each(op->getResults(), giveBytes);
  });
  if (!function.isExternal()) {
    b.setLoc(function.getLoc());
    b.setInsertionPointToStart(&function.front());
    llvm::for_each(function.getArguments(), giveBytes);
  }
  keepElementTypes(function, [](Type element) {
    return isNarrowFloat(element) || isNarrowInteger(element);
  });
  mapSignature(function, getTypeOfBytes);
}

/// Whether results are numbers of the format because the operands are.
static bool keepsValues(Operation *op) {
  const HloTraits *traits = getHloTraits(op);
  using Kind = HloTraits::Kind;
  if (traits && (traits->kind == Kind::View || traits->kind == Kind::Movement ||
                 traits->kind == Kind::Shape))
    return true;
  // One that computes nothing.
  if (isHlo(op, "scatter"))
    return op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock() &&
           llvm::hasSingleElement(op->getRegion(0).front());
  return llvm::StringSwitch<bool>(getHloName(op))
      .Cases({"abs", "broadcast", "broadcast_in_dim", "case", "clamp",
              "concatenate", "constant", "copy"},
             true)
      .Cases({"dynamic_broadcast_in_dim", "dynamic_gather", "dynamic_pad",
              "dynamic_reshape", "if", "maximum", "minimum", "negate"},
             true)
      .Cases({"optimization_barrier", "reshape", "return", "select", "sort",
              "top_k", "transpose", "while"},
             true)
      .Default(false);
}

/// Whether -x is a number of the format where x is.
static bool keepsNegated(Type format) {
  return isa<Float4E2M1FNType, Float6E2M3FNType, Float6E3M2FNType,
             Float8E3M4Type, Float8E4M3Type, Float8E4M3FNType, Float8E5M2Type>(
      format);
}

/// Whether the regions of an op are parts of the program, not functions of
/// elements.
static bool isControl(Operation *op) {
  StringRef name = isHlo(op) ? getHloName(op) : StringRef("case");
  return name == "while" || name == "if" || name == "case";
}

static Type getFormat(Value value) {
  return isNarrow(value.getType()) ? getElement(value.getType()) : Type();
}

/// f32 of a float; a byte of an integer, with its sign.
static Type getWideType(Type format) {
  if (isNarrowFloat(format))
    return Float32Type::get(format.getContext());
  return getElement(getTypeOfBytes(RankedTensorType::get({}, format)));
}

/// A value as one of the format, in its wide type.
static Value settle(HloBuilder &h, Type format, Value x) {
  if (isNarrowFloat(format))
    return h.convert(SmallFloat(h, cast<FloatType>(format)).round(x),
                     getWideType(format));
  auto integer = cast<IntegerType>(format);
  Value count = h.integer(x.getType(), 8 - integer.getWidth());
  return h.binary(integer.isUnsigned() ? "stablehlo.shift_right_logical"
                                       : "stablehlo.shift_right_arithmetic",
                  h.binary("stablehlo.shift_left", x, count), count);
}

/// The same numbers of a wider type.
static Attribute widenConstant(Attribute value, Type wide) {
  if (auto floats = dyn_cast_or_null<DenseFPElementsAttr>(value))
    return floats.mapValues(wide, [](const APFloat &number) {
      APFloat single = number;
      bool losesInfo;
      // As it is decoded.
      if (number.isNaN()) {
        const uint64_t code = number.bitcastToAPInt().getZExtValue();
        const unsigned fraction =
            APFloat::semanticsPrecision(number.getSemantics()) - 1;
        return APInt(32, 0x7FC00000 | code >> 7 << 31 |
                             (code & ((uint64_t(1) << fraction) - 1)));
      }
      single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      return single.bitcastToAPInt();
    });
  if (auto integers = dyn_cast_or_null<DenseIntElementsAttr>(value))
    return integers.mapValues(wide, [&](const APInt &number) {
      return wide.isUnsignedInteger() ? number.zext(8) : number.sext(8);
    });
  // A byte each.
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    bool isSplat = false;
    if (blob && DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                    blob->getData(), isSplat))
      return widenConstant(DenseElementsAttr::getFromRawBuffer(
                               resource.getType(), blob->getData()),
                           wide);
  }
  return value;
}

namespace {
/// Step 2, once it is known what each value was.
struct Widening {
  DenseMap<Value, Type> formats;
  /// Erased at the end: another value at the address of one that is gone would
  /// have its format.
  SmallVector<Operation *> dead;

  LogicalResult widen(Operation *op, bool isInBody);
  LogicalResult widenBitcast(Operation *op, HloBuilder &h);
  void widenOperands(Operation *op, HloBuilder &h);
};
} // namespace

LogicalResult Widening::widenBitcast(Operation *op, HloBuilder &h) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  Type from = formats.lookup(operand), to = formats.lookup(result);
  for (Value value : {operand, result})
    if (!getElement(value.getType()))
      return op->emitError() << "'stablehlo.bitcast_convert' must be of ranked "
                                "tensors, got "
                             << value.getType();
  Type ui8 = IntegerType::get(op->getContext(), 8, IntegerType::Unsigned);
  if (from)
    operand = SmallFloat(h, cast<FloatType>(from)).encode(operand);
  Type wanted = to ? ui8 : getElement(result.getType());
  auto decode = [&](Value bits) {
    Value wide = SmallFloat(h, cast<FloatType>(to)).decode(bits);
    formats[wide] = to;
    return wide;
  };
  if (getElement(operand.getType()).isInteger(8) && wanted.isInteger(8)) {
    Value bits = h.convert(operand, wanted);
    result.replaceAllUsesWith(to ? decode(bits) : bits);
    dead.push_back(op);
    return success();
  }
  op->setOperand(0, operand);
  if (to) {
    result.setType(getTensorType(result).clone(ui8));
    h.b.setInsertionPointAfter(op);
    replaceBehind(result, decode(result));
  }
  return success();
}

/// What an op sees of operand 0 where that is not its value.
void Widening::widenOperands(Operation *op, HloBuilder &h) {
  if (op->getNumOperands() == 0)
    return;
  StringRef name = getHloName(op);
  Value operand = op->getOperand(0);
  Type format = formats.lookup(operand);
  if (isNarrowInteger(format)) {
    const unsigned width = format.getIntOrFloatBitWidth();
    auto integer = [&](uint64_t bits) {
      return h.integer(operand.getType(), bits);
    };
    if (llvm::is_contained(
            {"shift_right_logical", "popcnt", "count_leading_zeros"}, name)) {
      // Zeros above the bits of the format.
      op->setOperand(
          0, h.binary("stablehlo.and", operand, integer((1u << width) - 1)));
    } else if (name == "shift_right_arithmetic" && format.isUnsignedInteger()) {
      // Its first bit above them, as XLA has it for all widths.
      Value high =
          h.binary("stablehlo.shift_left", operand, integer(8 - width));
      op->setOperand(0, h.binary("stablehlo.shift_right_arithmetic", high,
                                 integer(8 - width)));
    }
    return;
  }
  Type result =
      op->getNumResults() == 1 ? formats.lookup(op->getResult(0)) : Type();
  if (name != "convert" || !isNarrowInteger(result) ||
      !isa_and_present<FloatType>(getElement(operand.getType())))
    return;
  // The nearest integer that there is.
  const bool isUnsigned = result.isUnsignedInteger();
  const unsigned width = result.getIntOrFloatBitWidth();
  const double half = 1 << (width - 1);
  op->setOperand(
      0, h.one("stablehlo.clamp", operand.getType(),
               {h.like(operand, isUnsigned ? 0 : -half), operand,
                h.like(operand, isUnsigned ? 2 * half - 1 : half - 1)}));
}

/// Operands have their wide types already.
LogicalResult Widening::widen(Operation *op, bool isInBody) {
  ImplicitLocOpBuilder b(locateInPlaceOf(op), op);
  HloBuilder h(b);
  StringRef name = getHloName(op);
  if (name == "composite" || name == "custom_call")
    return op->emitError() << "'" << getOriginalName(op)
                           << "' cannot be run: it is not supported on "
                              "floats of 8 bits and elements below a byte";
  const bool isUnary = op->getNumOperands() == 1 && op->getNumResults() == 1;
  if (name == "bitcast_convert" && isUnary)
    return widenBitcast(op, h);
  Type first =
      op->getNumOperands() ? formats.lookup(op->getOperand(0)) : Type();
  const bool countsZeros = name == "count_leading_zeros";
  widenOperands(op, h);
  Attribute value = op->getAttr("value");
  if (name == "constant" && op->getNumResults() == 1 && value)
    if (Type format = formats.lookup(op->getResult(0)))
      op->setAttr("value", widenConstant(value, getWideType(format)));
  for (Value result : op->getResults()) {
    Type format = formats.lookup(result);
    if (!format)
      continue;
    Type wide = getWideType(format);
    // From f64 in one step, not by way of f32.
    const bool isWide =
        name == "convert" && isUnary && wide.isF32() &&
        getElement(op->getOperand(0).getType()) == Type(b.getF64Type());
    result.setType(
        getTensorType(result).clone(isWide ? Type(b.getF64Type()) : wide));
    const bool isSame = name == "convert" && first == format;
    // Without a signed zero there is no negative zero.
    const bool changes = name == "negate" && !keepsNegated(format);
    if (isInBody || isSame || (keepsValues(op) && !changes))
      continue;
    b.setInsertionPointAfter(op);
    Value number = result;
    if (name == "next_after" && isNarrowFloat(format) && first == format &&
        op->getNumOperands() == 2 &&
        op->getOperand(0).getType() == op->getOperand(1).getType()) {
      Value next = SmallFloat(h, cast<FloatType>(format))
                       .next(op->getOperand(0), op->getOperand(1));
      formats[next] = format;
      result.replaceAllUsesWith(next);
      dead.push_back(op);
      continue;
    }
    if (countsZeros && isNarrowInteger(format))
      number = h.sub(number, h.integer(number.getType(),
                                       8 - format.getIntOrFloatBitWidth()));
    Value settled = settle(h, format, number);
    formats[settled] = format;
    replaceBehind(result, settled);
  }
  return success();
}

LogicalResult tensoraccess::expandNarrowElements(ModuleOp module) {
  if (!hasNarrowHlo(module))
    return success();
  WalkResult bitcasts = module.walk([](Operation *op) {
    if (!isHlo(op, "bitcast_convert") || op->getNumOperands() != 1 ||
        op->getNumResults() != 1)
      return WalkResult::advance();
    Type from = getElement(op->getOperand(0).getType());
    Type to = getElement(op->getResult(0).getType());
    auto isBelowByte = [](Type type) {
      return type && type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 8;
    };
    if (from == to || (!isBelowByte(from) && !isBelowByte(to)))
      return WalkResult::advance();
    op->emitError()
        << "'stablehlo.bitcast_convert' cannot be run: its elements "
           "are smaller than bytes";
    return WalkResult::interrupt();
  });
  if (bitcasts.wasInterrupted())
    return failure();
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    passBytes(function);
  // What each value was, before any type changes.
  Widening widening;
  DenseMap<Value, Type> &formats = widening.formats;
  SmallVector<std::pair<Operation *, bool>> ops;
  SmallVector<BlockArgument> arguments;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    bool isNarrow = false, isInBody = false;
    for (Operation *parent = op->getParentOp(); parent;
         parent = parent->getParentOp())
      isInBody |= isHlo(parent) && !isControl(parent);
    for (Value operand : op->getOperands())
      isNarrow |= !!getFormat(operand);
    for (Value result : op->getResults())
      if (Type format = getFormat(result)) {
        formats[result] = format;
        isNarrow = true;
      }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (Type format = getFormat(argument)) {
            formats[argument] = format;
            arguments.push_back(argument);
          }
    if (isNarrow && isHlo(op))
      ops.push_back({op, isInBody});
    return WalkResult::advance();
  });
  for (BlockArgument argument : arguments)
    argument.setType(
        getTensorType(argument).clone(getWideType(formats[argument])));
  for (auto [op, isInBody] : ops)
    if (failed(widening.widen(op, isInBody)))
      return failure();
  for (Operation *op : widening.dead)
    op->erase();
  return success();
}

//===- StableHloAttributes.cpp - Dimension numbers from text --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One cursor over the text, which either takes the next token or remembers the
// first complaint. White space between tokens does not matter.
//
//   fields       NAME < KEY = VALUE , ... >      VALUE: integer, [ integers ]
//                also with a comma after the last one
//   convolution  conv < [ D, ... ] x [ D, ... ] -> [ D, ... ] >
//                D: a letter or the number of a spatial dimension
//                conv < raw KEY = VALUE , ... >
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class Cursor {
public:
  Cursor(StringRef text, std::string &error) : rest(text), error(error) {
    error.clear();
  }

  bool take(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  bool expect(StringRef token) {
    return take(token) || fail("expected '" + token + "'");
  }
  bool expectEnd() {
    skipSpace();
    return rest.empty() || fail("expected the end");
  }
  bool takeWord(StringRef &word) {
    skipSpace();
    word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(word.size());
    return !word.empty() || fail("expected a name");
  }
  bool takeInteger(int64_t &value) {
    skipSpace();
    return !rest.consumeInteger(10, value) || fail("expected an integer");
  }
  bool fail(const Twine &message) {
    if (error.empty())
      error = (message + " at '" + rest.ltrim().take_front(16) + "'").str();
    return false;
  }

private:
  void skipSpace() { rest = rest.ltrim(); }

  StringRef rest;
  std::string &error;
};

} // namespace

ArrayRef<int64_t> HloFields::list(StringRef key) const {
  auto it = fields.find(key);
  return it == fields.end() ? ArrayRef<int64_t>()
                            : ArrayRef<int64_t>(it->second);
}

int64_t HloFields::number(StringRef key) const {
  ArrayRef<int64_t> values = list(key);
  return values.empty() ? 0 : values.front();
}

/// The integers up to the closing bracket.
static bool takeList(Cursor &cursor, SmallVectorImpl<int64_t> &values) {
  if (cursor.take("]"))
    return true;
  do {
    if (!cursor.takeInteger(values.emplace_back()))
      return false;
  } while (cursor.take(","));
  return cursor.expect("]");
}

/// The fields up to the closing `>`.
static bool takeFields(Cursor &cursor, HloFields &result) {
  while (!cursor.take(">")) {
    StringRef key;
    if (!cursor.takeWord(key) || !cursor.expect("="))
      return false;
    auto [it, inserted] = result.fields.try_emplace(key);
    if (!inserted)
      return cursor.fail("field '" + key + "' occurs twice");
    bool ok = cursor.take("[") ? takeList(cursor, it->second)
                               : cursor.takeInteger(it->second.emplace_back());
    if (!ok)
      return false;
    if (!cursor.take(","))
      return cursor.expect(">");
  }
  return true;
}

std::optional<HloFields> tensoraccess::parseHloFields(StringRef text,
                                                      StringRef name,
                                                      std::string &error) {
  Cursor cursor(text, error);
  HloFields result;
  if (!cursor.expect(name) || !cursor.expect("<") ||
      !takeFields(cursor, result) || !cursor.expectEnd())
    return std::nullopt;
  return result;
}

/// `[b, 0, 1, f]` with the letters that the side has.
static bool takeSide(Cursor &cursor, StringRef first, StringRef second,
                     HloConvolutionSide &side) {
  if (!cursor.expect("["))
    return false;
  SmallVector<int64_t> spatial; // by position: its number, or -1
  do {
    int64_t position = spatial.size();
    spatial.push_back(-1);
    if (cursor.take(first)) {
      if (side.first >= 0)
        return cursor.fail("dimension '" + first + "' occurs twice");
      side.first = position;
    } else if (cursor.take(second)) {
      if (side.second >= 0)
        return cursor.fail("dimension '" + second + "' occurs twice");
      side.second = position;
    } else if (!cursor.takeInteger(spatial.back())) {
      return false;
    }
  } while (cursor.take(","));
  if (!cursor.expect("]"))
    return false;
  if (side.first < 0 || side.second < 0)
    return cursor.fail("dimension '" + (side.first < 0 ? first : second) +
                       "' is missing");
  side.spatial.assign(spatial.size() - 2, -1);
  for (auto [position, number] : llvm::enumerate(spatial)) {
    if (int64_t(position) == side.first || int64_t(position) == side.second)
      continue;
    if (number < 0 || number >= int64_t(side.spatial.size()) ||
        side.spatial[number] >= 0)
      return cursor.fail("spatial dimension " + Twine(number) +
                         " is out of range or occurs twice");
    side.spatial[number] = position;
  }
  return true;
}

/// A side of the raw form: which dimension is what, by name.
static bool readSide(Cursor &cursor, const HloFields &fields, StringRef first,
                     StringRef second, StringRef spatial,
                     HloConvolutionSide &side) {
  side.spatial.assign(fields.list(spatial));
  for (auto [key, dim] :
       {std::pair(first, &side.first), std::pair(second, &side.second)}) {
    *dim = fields.number(key);
    if (fields.list(key).size() > 1)
      return cursor.fail("field '" + key + "' must be one dimension");
  }
  SmallVector<int64_t> all(side.spatial);
  all.append({side.first, side.second});
  return areDims(all, all.size()) ||
         cursor.fail("'" + first + "', '" + second + "' and '" + spatial +
                     "' must be dimensions 0 to " + Twine(all.size() - 1) +
                     ", each once");
}

/// The raw form, after its first word.
static bool takeRaw(Cursor &cursor, HloConvolutionNumbers &numbers) {
  HloFields fields;
  return takeFields(cursor, fields) &&
         readSide(cursor, fields, "input_batch_dimension",
                  "input_feature_dimension", "input_spatial_dimensions",
                  numbers.input) &&
         readSide(cursor, fields, "kernel_input_feature_dimension",
                  "kernel_output_feature_dimension",
                  "kernel_spatial_dimensions", numbers.kernel) &&
         readSide(cursor, fields, "output_batch_dimension",
                  "output_feature_dimension", "output_spatial_dimensions",
                  numbers.output);
}

static bool takeSides(Cursor &cursor, HloConvolutionNumbers &numbers) {
  return takeSide(cursor, "b", "f", numbers.input) && cursor.expect("x") &&
         takeSide(cursor, "i", "o", numbers.kernel) && cursor.expect("->") &&
         takeSide(cursor, "b", "f", numbers.output) && cursor.expect(">");
}

std::optional<HloConvolutionNumbers>
tensoraccess::parseHloConvolution(StringRef text, std::string &error) {
  Cursor cursor(text, error);
  HloConvolutionNumbers numbers;
  bool ok = cursor.expect("conv") && cursor.expect("<") &&
            (cursor.take("raw") ? takeRaw(cursor, numbers)
                                : takeSides(cursor, numbers)) &&
            cursor.expectEnd();
  if (ok && (numbers.kernel.rank() != numbers.input.rank() ||
             numbers.output.rank() != numbers.input.rank()))
    ok = cursor.fail("input, kernel and output differ in rank");
  if (!ok)
    return std::nullopt;
  return numbers;
}

/// Attributes list dimensions; anything longer is hostile.
static constexpr int64_t kMaxNumbers = 1 << 16;

/// An integer as its type reads it, if 64 bits hold it.
static std::optional<int64_t> getNumber(const APInt &value, Type type) {
  if (!type.isUnsignedInteger() && !type.isInteger(1))
    return value.trySExtValue();
  return value.isIntN(63) ? value.tryZExtValue() : std::nullopt;
}

std::optional<SmallVector<int64_t>>
tensoraccess::getHloIntegers(Attribute attr) {
  SmallVector<int64_t> numbers;
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attr)) {
    llvm::append_range(numbers, array.asArrayRef());
  } else if (auto array = dyn_cast_or_null<DenseI32ArrayAttr>(attr)) {
    llvm::append_range(numbers, array.asArrayRef());
  } else if (auto array = dyn_cast_or_null<DenseBoolArrayAttr>(attr)) {
    llvm::append_range(numbers, array.asArrayRef());
  } else if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr)) {
    if (dense.getNumElements() > kMaxNumbers)
      return std::nullopt;
    for (const APInt &value : dense.getValues<APInt>()) {
      std::optional<int64_t> number = getNumber(value, dense.getElementType());
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
  } else if (auto list = dyn_cast_or_null<ArrayAttr>(attr)) {
    for (Attribute item : list) {
      auto integer = dyn_cast<IntegerAttr>(item);
      std::optional<int64_t> number =
          integer ? getNumber(integer.getValue(), integer.getType())
                  : std::nullopt;
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
  } else {
    return std::nullopt;
  }
  return numbers;
}

bool tensoraccess::areDims(ArrayRef<int64_t> dims, size_t rank) {
  llvm::BitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= int64_t(rank) || seen[dim])
      return false;
    seen.set(dim);
  }
  return true;
}

StringRef tensoraccess::getHloText(Attribute attr) {
  if (!attr)
    return "";
  auto opaque = dyn_cast<OpaqueAttr>(attr);
  StringRef dialect = opaque ? opaque.getDialectNamespace().strref()
                             : attr.getDialect().getNamespace();
  if (dialect != "stablehlo" && dialect != "mhlo" && dialect != "chlo")
    return "";
  if (opaque)
    return opaque.getAttrData();
  // Of the real dialect: what it prints, `#stablehlo.dot<…>`.
  const std::string text = debugString(attr);
  StringRef body = StringRef(text).drop_front(1 + dialect.size());
  if (!body.consume_front("."))
    body = body.drop_front().drop_back();
  return StringAttr::get(attr.getContext(), body).getValue();
}

StringRef tensoraccess::getHloKeyword(Attribute attr) {
  if (auto string = dyn_cast_or_null<StringAttr>(attr))
    return string.getValue();
  return getHloText(attr).rsplit(' ').second.rtrim('>');
}

std::optional<HloDirection> tensoraccess::readHloDirection(Operation *op) {
  StringRef direction = getHloKeyword(op->getAttr("comparison_direction"));
  const bool isTotalOrder =
      getHloKeyword(op->getAttr("compare_type")) == "TOTALORDER";
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  return llvm::StringSwitch<std::optional<HloDirection>>(direction)
      .Case("EQ", HloDirection{F::OEQ, I::eq, I::eq, isTotalOrder})
      .Case("NE", HloDirection{F::UNE, I::ne, I::ne, isTotalOrder})
      .Case("LT", HloDirection{F::OLT, I::slt, I::ult, isTotalOrder})
      .Case("LE", HloDirection{F::OLE, I::sle, I::ule, isTotalOrder})
      .Case("GT", HloDirection{F::OGT, I::sgt, I::ugt, isTotalOrder})
      .Case("GE", HloDirection{F::OGE, I::sge, I::uge, isTotalOrder})
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Of functions
//===----------------------------------------------------------------------===//

void tensoraccess::keepElementTypes(FunctionOpInterface function,
                                    llvm::function_ref<bool(Type)> isKept) {
  auto keep = [&](TypeRange types, auto set) {
    for (auto [i, type] : llvm::enumerate(types))
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && isKept(tensor.getElementType()))
        set(i, TypeAttr::get(tensor.getElementType()));
  };
  // What came first is what the caller has.
  keep(function.getArgumentTypes(), [&](unsigned i, TypeAttr element) {
    if (!function.getArgAttr(i, kElementType))
      function.setArgAttr(i, kElementType, element);
  });
  keep(function.getResultTypes(), [&](unsigned i, TypeAttr element) {
    if (!function.getResultAttr(i, kElementType))
      function.setResultAttr(i, kElementType, element);
  });
}

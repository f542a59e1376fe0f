//===- VhloAttributes.cpp - Attributes and types of VHLO ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each has a number, and its fields after it. What StableHLO alone has is text, as
// in its own notation.
//
//===----------------------------------------------------------------------===//

#include "../Text/HloForm.h"
#include "Bytecode.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// A list: as long as its bytes last, without trust in its length.
template <typename T>
static LogicalResult readList(DialectBytecodeReader &reader,
                              SmallVectorImpl<T> &list,
                              function_ref<LogicalResult(T &)> readItem) {
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    T item = {};
    if (failed(readItem(item)))
      return failure();
    list.push_back(item);
  }
  return success();
}

static LogicalResult readNumbers(DialectBytecodeReader &reader,
                                 SmallVectorImpl<int64_t> &numbers) {
  return readList<int64_t>(reader, numbers, [&](int64_t &number) {
    return reader.readSignedVarInt(number);
  });
}

static LogicalResult readTypes(DialectBytecodeReader &reader,
                               SmallVectorImpl<Type> &types) {
  return readList<Type>(reader, types,
                        [&](Type &type) { return reader.readType(type); });
}

static FailureOr<double> readDouble(DialectBytecodeReader &reader) {
  FailureOr<APFloat> value =
      reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(value))
    return failure();
  return value->convertToDouble();
}

/// The text of an attribute of StableHLO that begins with `name`, without it.
static std::optional<StringRef> getText(Attribute attr, StringRef name) {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attr);
  if (!opaque || opaque.getDialectNamespace() != "stablehlo")
    return std::nullopt;
  StringRef text = opaque.getAttrData();
  if (!text.consume_front(name))
    return std::nullopt;
  return text;
}

std::string tensoraccess::quoteHlo(StringRef string) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::printEscapedString(string, os << '"');
  os << '"';
  return text;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Numbers of enumerations; their keywords are those of their text.
static StringRef getEnumeration(uint64_t code) {
  switch (code) {
  case 3:
    return "comparison_direction";
  case 4:
    return "comparison_type";
  case 7:
    return "fft_type";
  case 11:
    return "precision";
  case 12:
    return "rng_algorithm";
  case 13:
    return "rng_distribution";
  case 16:
    return "transpose";
  case 19:
    return "result_accuracy_mode";
  default:
    return "";
  }
}

static Attribute readEnumeration(DialectBytecodeReader &reader,
                                 StringRef enumeration) {
  uint64_t value;
  if (failed(reader.readVarInt(value)))
    return nullptr;
  // Distributions are numbered from 1.
  value -= enumeration == "rng_distribution";
  ArrayRef<StringRef> keywords = getHloKeywords(enumeration);
  if (value >= keywords.size())
    return reader.emitError("no value of '" + enumeration + "'"), nullptr;
  const bool isMode = enumeration == "result_accuracy_mode";
  return getStableHloAttribute(reader.getContext(),
                               enumeration + (isMode ? "<" : " ") +
                                   keywords[value] + (isMode ? ">" : ""));
}

static Attribute readDictionary(DialectBytecodeReader &reader) {
  NamedAttrList entries;
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return nullptr;
  for (uint64_t i = 0; i < count; ++i) {
    StringAttr name;
    Attribute value;
    if (failed(reader.readAttribute(name)) ||
        failed(reader.readAttribute(value)))
      return nullptr;
    if (name.empty() || entries.set(name, value))
      return reader.emitError("names of a dictionary are empty or not unique"),
             nullptr;
  }
  return entries.getDictionary(reader.getContext());
}

static Attribute readFloat(DialectBytecodeReader &reader) {
  FloatType type;
  if (failed(reader.readType(type)))
    return nullptr;
  FailureOr<APFloat> value =
      reader.readAPFloatWithKnownSemantics(type.getFloatSemantics());
  return succeeded(value) ? FloatAttr::get(type, *value) : nullptr;
}

static Attribute readInteger(DialectBytecodeReader &reader) {
  Type type;
  if (failed(reader.readType(type)))
    return nullptr;
  if (!isa<IndexType>(type) && !type.isIntOrFloat())
    return reader.emitError("an integer must have an integer's type"), nullptr;
  const unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type) || width > 64)
    return reader.emitError("an integer must have an integer's type"), nullptr;
  FailureOr<APInt> value = reader.readAPIntWithKnownWidth(width);
  return succeeded(value) ? IntegerAttr::get(type, *value) : nullptr;
}

static Attribute readAlias(DialectBytecodeReader &reader) {
  SmallVector<int64_t> outputs, operands;
  int64_t operand;
  if (failed(readNumbers(reader, outputs)) ||
      failed(reader.readSignedVarInt(operand)) ||
      failed(readNumbers(reader, operands)))
    return nullptr;
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(outputs,
                        os << "output_operand_alias<output_tuple_indices = [");
  os << "], operand_index = " << operand;
  llvm::interleaveComma(operands, os << ", operand_tuple_indices = [");
  os << "]>";
  return getStableHloAttribute(reader.getContext(), text);
}

/// Elements of a tensor: their bytes, but booleans are a bit each, all bits of a byte
/// if all are true, or, in some old artifacts, a byte each.
static Attribute readElements(DialectBytecodeReader &reader) {
  RankedTensorType type;
  ArrayRef<char> blob;
  if (failed(reader.readType(type)) || failed(reader.readBlob(blob)))
    return nullptr;
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  int64_t count = 1;
  bool isValid = type.hasStaticShape() && element.isIntOrIndexOrFloat();
  for (int64_t size : type.getShape()) {
    auto product = llvm::checkedMul(count, size);
    isValid = isValid && product;
    count = product.value_or(0);
  }
  if (isValid && type.getElementType().isInteger(1)) {
    const int64_t size = blob.size(), packed = llvm::divideCeil(count, 8);
    if (size == 1 && packed != 1 && count)
      return DenseElementsAttr::get(type, blob[0] != 0);
    if (size == count && size != packed)
      return DenseElementsAttr::get(
          type, llvm::map_to_vector(blob, [](char x) { return x != 0; }));
  }
  bool isSplat;
  if (!isValid || !DenseElementsAttr::isValidRawBuffer(type, blob, isSplat))
    return reader.emitError("elements do not fit their type"), nullptr;
  return DenseElementsAttr::getFromRawBuffer(type, blob);
}

static Attribute readBounds(DialectBytecodeReader &reader) {
  SmallVector<int64_t> bounds;
  if (failed(readNumbers(reader, bounds)))
    return nullptr;
  auto texts = llvm::map_to_vector(bounds, [](int64_t bound) {
    return ShapedType::isDynamic(bound) ? "?" : llvm::itostr(bound);
  });
  return getStableHloAttribute(reader.getContext(),
                               "bounds<" + llvm::join(texts, ", ") + ">");
}

static Attribute readAccuracy(DialectBytecodeReader &reader) {
  FailureOr<double> absolute = readDouble(reader), relative = failure();
  int64_t ulps;
  Attribute mode;
  if (failed(absolute) || failed(relative = readDouble(reader)) ||
      failed(reader.readSignedVarInt(ulps)) ||
      failed(reader.readAttribute(mode)))
    return nullptr;
  std::optional<StringRef> keyword = getText(mode, "result_accuracy_mode");
  if (!keyword)
    return reader.emitError("an accuracy has no mode"), nullptr;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "result_accuracy<";
  auto printTolerance = [&](StringRef name, double value) {
    if (value == 0)
      return;
    // As MLIR prints a number, without its type.
    std::string number;
    llvm::raw_string_ostream digits(number);
    FloatAttr::get(Float64Type::get(reader.getContext()), value).print(digits);
    os << name << " = " << StringRef(number).split(' ').first << ", ";
  };
  printTolerance("atol", *absolute);
  printTolerance("rtol", *relative);
  if (ulps)
    os << "ulps = " << ulps << ", ";
  os << "mode = #stablehlo.result_accuracy_mode" << *keyword << '>';
  return getStableHloAttribute(reader.getContext(), text);
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

static Attribute readSubAxis(DialectBytecodeReader &reader) {
  int64_t before, size;
  if (failed(reader.readSignedVarInt(before)) ||
      failed(reader.readSignedVarInt(size)))
    return nullptr;
  return getStableHloAttribute(reader.getContext(), "sub_axis_info(" +
                                                        Twine(before) + ")" +
                                                        Twine(size));
}

static Attribute readAxisRef(DialectBytecodeReader &reader) {
  StringAttr name;
  uint64_t isPart;
  Attribute part;
  if (failed(reader.readAttribute(name)) || failed(reader.readVarInt(isPart)) ||
      (isPart && failed(reader.readAttribute(part))))
    return nullptr;
  std::string text = "axis_ref<name = " + quoteHlo(name);
  if (isPart) {
    std::optional<StringRef> sizes = getText(part, "sub_axis_info");
    if (!sizes)
      return reader.emitError("expected a part of an axis"), nullptr;
    text += (", sub_axis_info = " + *sizes).str();
  }
  return getStableHloAttribute(reader.getContext(), text + ">");
}

static Attribute readMeshAxis(DialectBytecodeReader &reader) {
  StringAttr name;
  int64_t size;
  if (failed(reader.readAttribute(name)) ||
      failed(reader.readSignedVarInt(size)))
    return nullptr;
  return getStableHloAttribute(reader.getContext(),
                               "mesh_axis<name = " + quoteHlo(name) +
                                   ", size = " + Twine(size) + ">");
}

/// `[<…>, <…>]`, with what comes before each; null if the items are not of `name`.
static std::optional<std::string> printItems(Attribute attr, StringRef name,
                                             StringRef before) {
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array)
    return std::nullopt;
  SmallVector<std::string> texts;
  for (Attribute item : array) {
    std::optional<StringRef> text = getText(item, name);
    if (!text)
      return std::nullopt;
    texts.push_back((before + *text).str());
  }
  return "[" + llvm::join(texts, ", ") + "]";
}

static Attribute readMesh(DialectBytecodeReader &reader) {
  Attribute axes, devices;
  if (failed(reader.readAttribute(axes)) ||
      failed(reader.readOptionalAttribute(devices)))
    return nullptr;
  std::optional<std::string> items = printItems(axes, "mesh_axis", "");
  if (!items || !isa_and_nonnull<DenseIntElementsAttr, Attribute>(
                    devices ? devices : axes))
    return reader.emitError("a mesh must have axes"), nullptr;
  std::string text = "mesh<axes=" + *items;
  llvm::raw_string_ostream os(text);
  if (isa_and_nonnull<DenseIntElementsAttr>(devices))
    os << ", device_ids=" << devices;
  os << '>';
  return getStableHloAttribute(reader.getContext(), text);
}

static Attribute readMeshAxes(DialectBytecodeReader &reader) {
  Attribute mesh, axes;
  if (failed(reader.readAttribute(mesh)) || failed(reader.readAttribute(axes)))
    return nullptr;
  std::optional<std::string> items =
      printItems(axes, "axis_ref", "#stablehlo.axis_ref");
  std::string place;
  llvm::raw_string_ostream os(place);
  if (auto name = dyn_cast<StringAttr>(mesh))
    os << FlatSymbolRefAttr::get(name);
  else if (getText(mesh, "mesh<"))
    os << mesh;
  if (!items || place.empty())
    return reader.emitError("groups must have a mesh and axes"), nullptr;
  return getStableHloAttribute(reader.getContext(),
                               "replica_group_mesh_axes<mesh = " + place +
                                   ", axes = " + *items + ">");
}

Attribute tensoraccess::readVhloAttribute(DialectBytecodeReader &reader) {
  MLIRContext *context = reader.getContext();
  uint64_t code, number;
  if (failed(reader.readVarInt(code)))
    return nullptr;
  if (StringRef enumeration = getEnumeration(code); !enumeration.empty())
    return readEnumeration(reader, enumeration);
  switch (code) {
  case 1: {
    SmallVector<Attribute> items;
    return succeeded(readList<Attribute>(
               reader, items,
               [&](Attribute &item) { return reader.readAttribute(item); }))
               ? ArrayAttr::get(context, items)
               : nullptr;
  }
  case 2:
    return succeeded(reader.readVarInt(number)) && number < 2
               ? BoolAttr::get(context, number)
               : nullptr;
  case 5: // The interface of a custom call.
    return succeeded(reader.readVarInt(number)) && number < 5
               ? IntegerAttr::get(IntegerType::get(context, 32), number)
               : nullptr;
  case 6:
    return readDictionary(reader);
  case 8:
    return readFloat(reader);
  case 9:
    return readInteger(reader);
  case 10:
    return readAlias(reader);
  case 14: {
    StringRef string;
    return succeeded(reader.readString(string))
               ? StringAttr::get(context, string)
               : nullptr;
  }
  case 15:
    return readElements(reader);
  case 17: {
    Type type;
    return succeeded(reader.readType(type)) ? TypeAttr::get(type) : nullptr;
  }
  case 18:
    return readBounds(reader);
  case 20:
    return readAccuracy(reader);
  case 21:
    return readSubAxis(reader);
  case 22:
    return readAxisRef(reader);
  case 23:
    return readMeshAxes(reader);
  case 24:
    return readMeshAxis(reader);
  case 25:
    return readMesh(reader);
  default:
    return reader.emitError("no attribute of VHLO has the number " +
                            Twine(code)),
           nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Those that have a number and nothing else, as MLIR's text has them.
static constexpr StringRef kNames[] = {"i1",
                                       "",
                                       "bf16",
                                       "f16",
                                       "f32",
                                       "f64",
                                       "f8E4M3FN",
                                       "f8E5M2",
                                       "",
                                       "index",
                                       "i4",
                                       "i8",
                                       "i16",
                                       "i32",
                                       "i64",
                                       "ui4",
                                       "ui8",
                                       "ui16",
                                       "ui32",
                                       "ui64",
                                       "",
                                       "",
                                       "!stablehlo.token",
                                       "",
                                       "",
                                       "",
                                       "!shape.witness",
                                       "f8E4M3FNUZ",
                                       "f8E5M2FNUZ",
                                       "f8E4M3B11FNUZ",
                                       "",
                                       "i2",
                                       "ui2",
                                       "none",
                                       "tf32",
                                       "f8E4M3",
                                       "f8E3M4",
                                       "f4E2M1FN",
                                       "f6E2M3FN",
                                       "f6E3M2FN",
                                       "f8E8M0FNU",
                                       "",
                                       ""};

static Type readTensor(DialectBytecodeReader &reader, bool hasEncoding,
                       bool isBuffer) {
  Attribute encoding;
  SmallVector<int64_t> shape;
  Type element;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) ||
      failed(readNumbers(reader, shape)) || failed(reader.readType(element)))
    return nullptr;
  auto emitError = [&] { return reader.emitError(); };
  if (isBuffer)
    return MemRefType::getChecked(emitError, shape, element);
  return RankedTensorType::getChecked(emitError, shape, element, encoding);
}

static Type readFuture(DialectBytecodeReader &reader) {
  SmallVector<Type> types;
  if (failed(readTypes(reader, types)))
    return nullptr;
  if (!llvm::all_of(types, llvm::IsaPred<RankedTensorType>))
    return reader.emitError("a future must be one of tensors"), nullptr;
  std::string text = "future<";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(types, os);
  os << '>';
  return OpaqueType::get(StringAttr::get(reader.getContext(), "stablehlo"),
                         text);
}

static Type readQuantized(DialectBytecodeReader &reader, bool isPerAxis) {
  uint64_t flags, axis = 0;
  int64_t min, max, zero = 0;
  Type storage, expressed;
  SmallVector<double> scales;
  SmallVector<int64_t> zeros;
  auto readScale = [&](double &scale) {
    FailureOr<double> value = readDouble(reader);
    scale = value.value_or(0);
    return success(succeeded(value));
  };
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) ||
      failed(reader.readType(expressed)) ||
      (isPerAxis ? failed(reader.readVarInt(axis))
                 : failed(readScale(scales.emplace_back())) ||
                       failed(reader.readSignedVarInt(zero))) ||
      failed(reader.readSignedVarInt(min)) ||
      failed(reader.readSignedVarInt(max)) ||
      (isPerAxis && (failed(readList<double>(reader, scales, readScale)) ||
                     failed(readNumbers(reader, zeros)))))
    return nullptr;
  auto emitError = [&] { return reader.emitError(); };
  if (isPerAxis)
    return quant::UniformQuantizedPerAxisType::getChecked(
        emitError, unsigned(flags), storage, expressed, scales, zeros,
        int32_t(axis), min, max);
  return quant::UniformQuantizedType::getChecked(emitError, unsigned(flags),
                                                 storage, expressed, scales[0],
                                                 zero, min, max);
}

Type tensoraccess::readVhloType(DialectBytecodeReader &reader) {
  MLIRContext *context = reader.getContext();
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return nullptr;
  if (code < std::size(kNames) && !kNames[code].empty())
    return parseType(kNames[code], context);
  SmallVector<Type> types, results;
  Type element;
  auto emitError = [&] { return reader.emitError(); };
  switch (code) {
  case 1:
    return succeeded(reader.readType(element))
               ? ComplexType::getChecked(emitError, element)
               : nullptr;
  case 8:
    return succeeded(readTypes(reader, types)) &&
                   succeeded(readTypes(reader, results))
               ? FunctionType::get(context, types, results)
               : nullptr;
  case 20:
  case 21:
  case 41:
    return readTensor(reader, /*hasEncoding=*/code == 21,
                      /*isBuffer=*/code == 41);
  case 23:
    return succeeded(readTypes(reader, types)) ? TupleType::get(context, types)
                                               : nullptr;
  case 24:
  case 30:
    return readQuantized(reader, /*isPerAxis=*/code == 30);
  case 25:
    return succeeded(reader.readType(element))
               ? UnrankedTensorType::getChecked(emitError, element)
               : nullptr;
  case 42:
    return readFuture(reader);
  default:
    return reader.emitError("no type of VHLO has the number " + Twine(code)),
           nullptr;
  }
}

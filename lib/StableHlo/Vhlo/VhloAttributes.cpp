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
#include "FieldReader.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Builtin attributes
//===----------------------------------------------------------------------===//

static Attribute readDictionary(FieldReader &fields) {
  NamedAttrList entries;
  for (uint64_t i = 0, count = fields.readNumber();
       fields.isValid() && i < count; ++i) {
    auto name = fields.readAttr<StringAttr>();
    Attribute value = fields.readAttr();
    // No name occurs twice.
    if (!value || !fields.require(!name.empty() && !entries.set(name, value)))
      return nullptr;
  }
  return entries.getDictionary(fields.getContext());
}

static Attribute readFloat(FieldReader &fields) {
  auto type = fields.readType<FloatType>();
  if (!type)
    return nullptr;
  std::optional<APFloat> value = fields.readFloat(type.getFloatSemantics());
  return value ? FloatAttr::get(type, *value) : nullptr;
}

static Attribute readInteger(FieldReader &fields) {
  Type type = fields.readType();
  if (!type || !fields.require(isa<IndexType, IntegerType>(type)))
    return nullptr;
  const unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  std::optional<APInt> value = fields.readInteger(width);
  return value ? IntegerAttr::get(type, *value) : nullptr;
}

/// Whether elements of a dense attribute can be of this type.
static bool isOfElements(ShapedType type) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return element.isIntOrIndexOrFloat() && type.hasStaticShape() &&
         elementCount(type.getShape());
}

/// Elements of a tensor: their bytes, but booleans are a bit each, all bits of a
/// byte if all are true, or, in some old artifacts, a byte each.
static Attribute readElements(FieldReader &fields) {
  auto type = fields.readType<ShapedType>();
  ArrayRef<char> blob = fields.readBlob();
  if (!type || !fields.require(isOfElements(type)))
    return nullptr;
  const int64_t count = *elementCount(type.getShape()), size = blob.size(),
                packed = llvm::divideCeil(count, 8);
  const bool isBool = type.getElementType().isInteger(1);
  if (isBool && size == 1 && packed > 1)
    return DenseElementsAttr::get(type, blob[0] != 0);
  if (isBool && size == count && size != packed)
    return DenseElementsAttr::get(
        type, llvm::map_to_vector(blob, [](char x) { return x != 0; }));
  bool isSplat;
  return fields.require(
             DenseElementsAttr::isValidRawBuffer(type, blob, isSplat))
             ? DenseElementsAttr::getFromRawBuffer(type, blob)
             : nullptr;
}

Attribute tensoraccess::readBuiltinElements(DialectBytecodeReader &reader) {
  FieldReader fields(reader, "builtin");
  fields.readNumber();
  Attribute attr = readElements(fields);
  return fields.isValid() ? attr : nullptr;
}

//===----------------------------------------------------------------------===//
// Those of StableHLO
//===----------------------------------------------------------------------===//

/// Numbers of enumerations; their keywords are those of their text.
static StringRef getEnumeration(uint64_t code) {
  static constexpr std::pair<uint64_t, StringRef> all[] = {
      {3, "comparison_direction"},
      {4, "comparison_type"},
      {7, "fft_type"},
      {11, "precision"},
      {12, "rng_algorithm"},
      {13, "rng_distribution"},
      {16, "transpose"},
      {19, "result_accuracy_mode"}};
  for (auto [number, name] : all)
    if (number == code)
      return name;
  return "";
}

static Attribute readEnumeration(FieldReader &fields, StringRef enumeration) {
  // Distributions are numbered from 1.
  uint64_t value = fields.readNumber() - (enumeration == "rng_distribution");
  ArrayRef<StringRef> keywords = getHloKeywords(enumeration);
  if (!fields.require(value < keywords.size()))
    return nullptr;
  return enumeration == "result_accuracy_mode"
             ? fields.getAttr(enumeration + "<" + keywords[value] + ">")
             : fields.getAttr(enumeration + " " + keywords[value]);
}

static Attribute readAlias(FieldReader &fields) {
  std::string outputs = fields.readNumberTexts();
  std::string operand = llvm::itostr(fields.readSigned());
  return fields.getAttr("output_operand_alias<output_tuple_indices = [" +
                        outputs + "], operand_index = " + operand +
                        ", operand_tuple_indices = [" +
                        fields.readNumberTexts() + "]>");
}

static Attribute readBounds(FieldReader &fields) {
  return fields.getAttr("bounds<" + fields.join([&] {
    const int64_t bound = fields.readSigned();
    return ShapedType::isDynamic(bound) ? "?" : llvm::itostr(bound);
  }) + ">");
}

static Attribute readAccuracy(FieldReader &fields) {
  std::string text = "result_accuracy<";
  llvm::raw_string_ostream os(text);
  for (StringRef name : {"atol", "rtol"})
    if (double value = fields.readDouble()) {
      // As MLIR prints a number, without its type.
      std::string number;
      llvm::raw_string_ostream digits(number);
      FloatAttr::get(Float64Type::get(fields.getContext()), value)
          .print(digits);
      os << name << " = " << StringRef(number).split(' ').first << ", ";
    }
  if (int64_t ulps = fields.readSigned())
    os << "ulps = " << ulps << ", ";
  os << "mode = #stablehlo.result_accuracy_mode"
     << fields.readText("result_accuracy_mode") << '>';
  return fields.getAttr(text);
}

static Attribute readAxisRef(FieldReader &fields) {
  auto name = fields.readAttr<StringAttr>();
  if (!name)
    return nullptr;
  std::string text = "axis_ref<name = " + FieldReader::quote(name);
  if (fields.readNumber())
    text += ", sub_axis_info = " + fields.readText("sub_axis_info");
  return fields.getAttr(text + ">");
}

static Attribute readMeshAxis(FieldReader &fields) {
  auto name = fields.readAttr<StringAttr>();
  if (!name)
    return nullptr;
  std::string size = llvm::itostr(fields.readSigned());
  return fields.getAttr("mesh_axis<name = " + FieldReader::quote(name) +
                        ", size = " + size + ">");
}

/// `[<…>, <…>]`, with what comes before each.
static std::string readItems(FieldReader &fields, StringRef name,
                             StringRef before) {
  SmallVector<std::string> texts;
  if (auto array = fields.readAttr<ArrayAttr>())
    for (Attribute item : array)
      texts.push_back(before.str() + fields.getText(item, name));
  return "[" + llvm::join(texts, ", ") + "]";
}

static Attribute readMesh(FieldReader &fields) {
  std::string text = "mesh<axes=" + readItems(fields, "mesh_axis", "");
  if (Attribute devices = fields.readOptionalAttr()) {
    fields.require(isa<DenseIntElementsAttr>(devices));
    llvm::raw_string_ostream(text) << ", device_ids=" << devices;
  }
  return fields.getAttr(text + ">");
}

static Attribute readMeshAxes(FieldReader &fields) {
  std::string text = "replica_group_mesh_axes<mesh = ";
  llvm::raw_string_ostream os(text);
  Attribute mesh = fields.readAttr();
  if (auto name = dyn_cast_or_null<StringAttr>(mesh))
    os << FlatSymbolRefAttr::get(name);
  else
    os << "#stablehlo.mesh" << fields.getText(mesh, "mesh");
  os << ", axes = " << readItems(fields, "axis_ref", "#stablehlo.axis_ref")
     << '>';
  return fields.getAttr(text);
}

static uint64_t readChoice(FieldReader &fields, uint64_t end) {
  const uint64_t number = fields.readNumber();
  return fields.require(number < end) ? number : 0;
}

static Attribute readAttribute(FieldReader &fields, uint64_t code) {
  MLIRContext *context = fields.getContext();
  switch (code) {
  case 1:
    return ArrayAttr::get(
        context, fields.readList<Attribute>([&] { return fields.readAttr(); }));
  case 2:
    return BoolAttr::get(context, readChoice(fields, 2));
  case 5: // The interface of a custom call.
    return IntegerAttr::get(IntegerType::get(context, 32),
                            readChoice(fields, 5));
  case 6:
    return readDictionary(fields);
  case 8:
    return readFloat(fields);
  case 9:
    return readInteger(fields);
  case 10:
    return readAlias(fields);
  case 14:
    return StringAttr::get(context, fields.readString());
  case 15:
    return readElements(fields);
  case 17: {
    Type type = fields.readType();
    return type ? TypeAttr::get(type) : nullptr;
  }
  case 18:
    return readBounds(fields);
  case 20:
    return readAccuracy(fields);
  case 21: {
    std::string before = llvm::itostr(fields.readSigned());
    return fields.getAttr("sub_axis_info(" + before + ")" +
                          Twine(fields.readSigned()));
  }
  case 22:
    return readAxisRef(fields);
  case 23:
    return readMeshAxes(fields);
  case 24:
    return readMeshAxis(fields);
  case 25:
    return readMesh(fields);
  default:
    return nullptr;
  }
}

Attribute tensoraccess::readVhloAttribute(DialectBytecodeReader &reader) {
  FieldReader fields(reader, "stablehlo");
  const uint64_t code = fields.readNumber();
  StringRef enumeration = getEnumeration(code);
  Attribute attr = enumeration.empty() ? readAttribute(fields, code)
                                       : readEnumeration(fields, enumeration);
  return fields.isValid() ? attr : nullptr;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Those that have a number and nothing else, as MLIR's text has them.
static constexpr StringLiteral kTypes =
    "i1,,bf16,f16,f32,f64,f8E4M3FN,f8E5M2,,index,i4,i8,i16,i32,i64,ui4,ui8,"
    "ui16,"
    "ui32,ui64,,,!stablehlo.token,,,,!shape.witness,f8E4M3FNUZ,f8E5M2FNUZ,"
    "f8E4M3B11FNUZ,,i2,ui2,none,tf32,f8E4M3,f8E3M4,f4E2M1FN,f6E2M3FN,f6E3M2FN,"
    "f8E8M0FNU";

static Type readTensor(FieldReader &fields, uint64_t code) {
  auto emitError = [&] { return fields.emitError(); };
  Attribute encoding = code == 21 ? fields.readAttr() : nullptr;
  SmallVector<int64_t> shape = fields.readNumbers();
  Type element = fields.readType();
  if (!element)
    return nullptr;
  if (code == 41)
    return MemRefType::getChecked(emitError, shape, element);
  return RankedTensorType::getChecked(emitError, shape, element, encoding);
}

static Type readFuture(FieldReader &fields) {
  SmallVector<Type> types = fields.readTypes();
  std::string text = "future<";
  llvm::raw_string_ostream os(text);
  // Their text is as long as they are: futures of futures could double it.
  if (!fields.require(llvm::all_of(types, llvm::IsaPred<RankedTensorType>)))
    return nullptr;
  llvm::interleaveComma(types, os);
  os << '>';
  return OpaqueType::get(StringAttr::get(fields.getContext(), "stablehlo"),
                         text);
}

static Type readQuantized(FieldReader &fields, bool isPerAxis) {
  auto emitError = [&] { return fields.emitError(); };
  const unsigned flags = fields.readNumber();
  Type storage = fields.readType(), expressed = fields.readType();
  const int32_t axis = isPerAxis ? fields.readNumber() : 0;
  const double scale = isPerAxis ? 0 : fields.readDouble();
  const int64_t zero = isPerAxis ? 0 : fields.readSigned();
  const int64_t min = fields.readSigned(), max = fields.readSigned();
  if (!isPerAxis)
    return fields.isValid()
               ? quant::UniformQuantizedType::getChecked(emitError, flags,
                                                         storage, expressed,
                                                         scale, zero, min, max)
               : nullptr;
  auto scales = fields.readList<double>([&] { return fields.readDouble(); });
  SmallVector<int64_t> zeros = fields.readNumbers();
  return fields.isValid() ? quant::UniformQuantizedPerAxisType::getChecked(
                                emitError, flags, storage, expressed, scales,
                                zeros, axis, min, max)
                          : nullptr;
}

static Type readType(FieldReader &fields, uint64_t code) {
  MLIRContext *context = fields.getContext();
  auto emitError = [&] { return fields.emitError(); };
  SmallVector<StringRef> names;
  kTypes.split(names, ',');
  if (code < names.size() && !names[code].empty())
    return parseType(names[code], context);
  switch (code) {
  case 1: {
    Type element = fields.readType();
    return element ? ComplexType::getChecked(emitError, element) : nullptr;
  }
  case 8: {
    SmallVector<Type> inputs = fields.readTypes();
    return FunctionType::get(context, inputs, fields.readTypes());
  }
  case 20:
  case 21:
  case 41:
    return readTensor(fields, code);
  case 23:
    return TupleType::get(context, fields.readTypes());
  case 24:
  case 30:
    return readQuantized(fields, /*isPerAxis=*/code == 30);
  case 25: {
    Type element = fields.readType();
    return element ? UnrankedTensorType::getChecked(emitError, element)
                   : nullptr;
  }
  case 42:
    return readFuture(fields);
  default:
    return nullptr;
  }
}

Type tensoraccess::readVhloType(DialectBytecodeReader &reader) {
  FieldReader fields(reader, "stablehlo");
  Type type = readType(fields, fields.readNumber());
  return fields.isValid() ? type : nullptr;
}

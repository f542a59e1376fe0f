//===- FieldReader.h - Fields of attributes in bytecode ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_VHLO_FIELDREADER_H
#define TENSORACCESS_LIB_STABLEHLO_VHLO_FIELDREADER_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tensoraccess {

/// Reads the fields of one attribute or type. After one that is not valid, all that
/// follow are zero, null or empty.
class FieldReader {
public:
  /// `dialect`: whose attributes are text.
  FieldReader(DialectBytecodeReader &reader, StringRef dialect)
      : reader(reader), dialect(dialect) {}

  bool isValid() const { return valid; }
  bool require(bool condition) { return valid &= condition; }
  MLIRContext *getContext() const { return reader.getContext(); }
  InFlightDiagnostic emitError() const { return reader.emitError(); }

  uint64_t readNumber() {
    uint64_t number = 0;
    return check(reader.readVarInt(number)) ? number : 0;
  }
  int64_t readSigned() {
    int64_t number = 0;
    return check(reader.readSignedVarInt(number)) ? number : 0;
  }
  std::optional<uint64_t> readOptionalNumber() {
    uint64_t number = readNumber();
    return number & 1 ? std::optional(number >> 1) : std::nullopt;
  }
  bool readBool() {
    bool flag = false;
    return check(reader.readBool(flag)) && flag;
  }
  std::optional<APFloat> readFloat(const llvm::fltSemantics &semantics) {
    FailureOr<APFloat> value = failure();
    if (!valid ||
        !check(value = reader.readAPFloatWithKnownSemantics(semantics)))
      return std::nullopt;
    return *value;
  }
  std::optional<APInt> readInteger(unsigned width) {
    FailureOr<APInt> value = failure();
    if (!require(width <= 64) ||
        !check(value = reader.readAPIntWithKnownWidth(width)))
      return std::nullopt;
    return *value;
  }
  ArrayRef<char> readBlob() {
    ArrayRef<char> blob;
    return check(reader.readBlob(blob)) ? blob : ArrayRef<char>();
  }
  double readDouble() {
    std::optional<APFloat> value = readFloat(APFloat::IEEEdouble());
    return value ? value->convertToDouble() : 0;
  }
  StringRef readString() {
    StringRef string;
    return check(reader.readString(string)) ? string : "";
  }
  template <typename T = Attribute>
  T readAttr() {
    Attribute attr;
    T result = check(reader.readAttribute(attr)) ? dyn_cast<T>(attr) : T();
    return require(bool(result)) ? result : T();
  }
  Attribute readOptionalAttr() {
    Attribute attr;
    return check(reader.readOptionalAttribute(attr)) ? attr : nullptr;
  }
  template <typename T = Type>
  T readType() {
    Type type;
    T result = check(reader.readType(type)) ? dyn_cast<T>(type) : T();
    return require(bool(result)) ? result : T();
  }

  /// A list: as long as its bytes last, without trust in its length.
  template <typename T>
  SmallVector<T> readList(function_ref<T()> readItem) {
    SmallVector<T> items;
    for (uint64_t i = 0, count = readNumber(); i < count; ++i) {
      T item = readItem();
      if (!valid)
        return {};
      items.push_back(std::move(item));
    }
    return items;
  }
  SmallVector<int64_t> readNumbers() {
    return readList<int64_t>([&] { return readSigned(); });
  }
  SmallVector<Type> readTypes() {
    return readList<Type>([&] { return readType(); });
  }

  // Text.

  /// That of an attribute of the dialect, after its name.
  std::string getText(Attribute attr, StringRef name) {
    auto opaque = dyn_cast_or_null<OpaqueAttr>(attr);
    StringRef text = opaque ? opaque.getAttrData() : "";
    return require(opaque && opaque.getDialectNamespace() == dialect &&
                   text.consume_front(name) && !text.starts_with("_"))
               ? text.str()
               : "";
  }
  std::string readText(StringRef name) { return getText(readAttr(), name); }
  /// Items with `, ` between them.
  std::string readTexts(StringRef name) {
    return join([&] { return readText(name); });
  }
  std::string readNumberTexts() {
    return join([&] { return llvm::itostr(readSigned()); });
  }
  std::string join(function_ref<std::string()> readItem,
                   StringRef separator = ", ") {
    return llvm::join(readList<std::string>(readItem), separator);
  }
  static std::string quote(StringRef string) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::printEscapedString(string, os << '"');
    os << '"';
    return text;
  }
  /// An attribute of the dialect; null if a field is not valid.
  Attribute getAttr(const Twine &text) const {
    return valid ? OpaqueAttr::get(StringAttr::get(getContext(), dialect),
                                   text.str(), NoneType::get(getContext()))
                 : Attribute();
  }

private:
  bool check(LogicalResult result) { return valid &= result.succeeded(); }

  DialectBytecodeReader &reader;
  StringRef dialect;
  bool valid = true;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_VHLO_FIELDREADER_H

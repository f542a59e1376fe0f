//===- BytecodeTables.cpp - Sections of MLIR's bytecode -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "TensorAccess/StableHlo/VhloModule.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kMagic = "ML\xefR", kProducer = "StableHLO_v";

/// Sections, by their numbers.
enum Section : uint8_t {
  Strings,
  Dialects,
  Entries,
  EntryOffsets,
  Ops,
  Resources,
  ResourceOffsets,
  DialectVersions,
  Properties,
  NumSections
};

//===----------------------------------------------------------------------===//
// Numbers and bytes
//===----------------------------------------------------------------------===//

InFlightDiagnostic ByteCursor::emitError(const Twine &message) const {
  return mlir::emitError(file->loc, "at byte ")
         << (bytes.begin() - file->bytes.begin()) << ": " << message;
}
MLIRContext *ByteCursor::getContext() const { return file->context; }
uint64_t ByteCursor::getBytecodeVersion() const { return file->version; }

LogicalResult ByteCursor::readBytes(uint64_t size, ArrayRef<uint8_t> &result) {
  if (size > bytes.size())
    return fail("expected " + Twine(size) + " bytes, found " +
                Twine(bytes.size()));
  result = bytes.take_front(size);
  bytes = bytes.drop_front(size);
  return success();
}

LogicalResult ByteCursor::readByte(uint8_t &value) {
  ArrayRef<uint8_t> byte;
  if (failed(readBytes(1, byte)))
    return failure();
  value = byte[0];
  return success();
}

LogicalResult ByteCursor::readNumber(uint64_t &value) {
  uint8_t first;
  ArrayRef<uint8_t> more;
  if (failed(readByte(first)))
    return failure();
  // The zeros at the end of the first byte are the number of bytes that follow.
  const unsigned count = first ? llvm::countr_zero(first) : 8;
  if (failed(readBytes(count, more)))
    return failure();
  value = 0;
  for (unsigned i = count; i-- > 0;)
    value = value << 8 | more[i];
  if (count < 8)
    value = (value << 8 | first) >> (count + 1);
  return success();
}

LogicalResult ByteCursor::readVarInt(uint64_t &value) {
  constexpr size_t numCodes = 256;
  if (failed(readNumber(value)))
    return failure();
  return numLengths && numLengths-- && value > std::max(bytes.size(), numCodes)
             ? fail("a list is longer than its bytes")
             : success();
}

uint64_t ByteCursor::peek() const {
  uint64_t number = ~uint64_t(0);
  if (size())
    (void)ByteCursor(*this).readNumber(number);
  return number;
}

LogicalResult ByteCursor::readSignedVarInt(int64_t &value) {
  uint64_t bits;
  if (failed(readNumber(bits)))
    return failure();
  value = int64_t(bits & 1 ? ~(bits >> 1) : bits >> 1);
  return success();
}

LogicalResult ByteCursor::readIndex(uint64_t &index, size_t end,
                                    const Twine &what, bool *flag) {
  if (failed(readNumber(index)))
    return failure();
  if (flag) {
    *flag = index & 1;
    index >>= 1;
  }
  return index < end ? success()
                     : fail(what + " " + Twine(index) + " of " + Twine(end));
}

LogicalResult ByteCursor::readCount(uint64_t &count) {
  return readIndex(count, bytes.size(), "length");
}

LogicalResult ByteCursor::readText(StringRef &text) {
  StringRef all(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  size_t end = all.find('\0');
  if (end == StringRef::npos)
    return fail("a text is not terminated");
  text = all.take_front(end);
  bytes = bytes.drop_front(end + 1);
  return success();
}

LogicalResult ByteCursor::readSection(uint8_t &id, ArrayRef<uint8_t> &section) {
  uint64_t size, alignment = 1;
  if (failed(readByte(id)) || failed(readVarInt(size)))
    return failure();
  if (id & 0x80) {
    if (failed(readVarInt(alignment)))
      return failure();
    if (!llvm::isPowerOf2_64(alignment))
      return fail("alignment " + Twine(alignment) + " is not a power of two");
  }
  id &= 0x7f;
  const uint64_t place = bytes.begin() - file->bytes.begin();
  ArrayRef<uint8_t> padding;
  return success(succeeded(readBytes(-place & (alignment - 1), padding)) &&
                 succeeded(readBytes(size, section)));
}

//===----------------------------------------------------------------------===//
// What dialects read
//===----------------------------------------------------------------------===//

LogicalResult ByteCursor::readAttribute(Attribute &result) {
  uint64_t index;
  if (failed(readIndex(index, file->attributes.size(), "attribute")) ||
      failed(file->resolve(file->attributes[index])))
    return failure();
  result = file->attributes[index].value;
  return success();
}

LogicalResult ByteCursor::readOptionalAttribute(Attribute &result) {
  uint64_t index;
  bool isGiven;
  if (failed(readIndex(index, file->attributes.size(), "attribute", &isGiven)))
    return failure();
  if (!isGiven)
    return success();
  if (failed(file->resolve(file->attributes[index])))
    return failure();
  result = file->attributes[index].value;
  return success();
}

LogicalResult ByteCursor::readType(Type &result) {
  uint64_t index;
  if (failed(readIndex(index, file->types.size(), "type")) ||
      failed(file->resolve(file->types[index])))
    return failure();
  result = file->types[index].value;
  return success();
}

LogicalResult ByteCursor::readString(StringRef &result) {
  uint64_t index;
  if (failed(readIndex(index, file->strings.size(), "string")))
    return failure();
  result = file->strings[index];
  return success();
}

LogicalResult ByteCursor::readBlob(ArrayRef<char> &result) {
  uint64_t size;
  ArrayRef<uint8_t> data;
  if (failed(readNumber(size)) || failed(readBytes(size, data)))
    return failure();
  result = ArrayRef(reinterpret_cast<const char *>(data.data()), size);
  return success();
}

LogicalResult ByteCursor::readBool(bool &result) {
  uint8_t value;
  if (failed(readByte(value)))
    return failure();
  result = value != 0;
  return success();
}

LogicalResult ByteCursor::readInteger(unsigned width, APInt &value) {
  uint8_t byte = 0;
  uint64_t count = 1;
  value = APInt::getZero(width);
  if (width <= 8 ? failed(readByte(byte))
                 : width > 64 && failed(readCount(count)))
    return failure();
  SmallVector<uint64_t> words(width <= 8 ? 1 : 0, byte);
  for (uint64_t i = words.size(); i < count; ++i)
    if (int64_t word; succeeded(readSignedVarInt(word)))
      words.push_back(word);
    else
      return failure();
  if (width && !words.empty())
    value = APInt(width, words);
  return success();
}

FailureOr<APInt> ByteCursor::readAPIntWithKnownWidth(unsigned width) {
  APInt value;
  hasFailed |= failed(readInteger(width, value));
  return value;
}

FailureOr<APFloat>
ByteCursor::readAPFloatWithKnownSemantics(const llvm::fltSemantics &semantics) {
  return APFloat(semantics,
                 *readAPIntWithKnownWidth(APFloat::getSizeInBits(semantics)));
}

FailureOr<AsmDialectResourceHandle> ByteCursor::readResourceHandle() {
  return fail("resources are not read");
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

BytecodeFile::BytecodeFile(StringRef bytes, StringRef name,
                           MLIRContext *context)
    : bytes(bytes.bytes_begin(), bytes.size()), context(context),
      loc(FileLineColLoc::get(context, name, 0, 0)) {}

LogicalResult BytecodeFile::readHeader(ByteCursor &cursor) {
  constexpr uint64_t kNewestBytecode = 6;
  ArrayRef<uint8_t> magic;
  if (failed(cursor.readBytes(kMagic.size(), magic)) ||
      failed(cursor.readVarInt(version)) || failed(cursor.readText(producer)))
    return failure();
  // `StableHLO_v1.20.0`, which messages have as it is.
  StringRef text = producer;
  unsigned major, minor;
  if (!text.consume_front(kProducer) || text.consumeInteger(10, major) ||
      !text.consume_front(".") || text.consumeInteger(10, minor) ||
      !llvm::all_of(text, llvm::isPrint))
    return fail("the producer of the artifact is not a version of StableHLO");
  if (std::pair(major, minor) > std::pair(kNewestVhlo[0], kNewestVhlo[1]))
    return fail("the artifact is of " + producer +
                ", but versions of StableHLO are read up to " +
                Twine(kNewestVhlo[0]) + "." + Twine(kNewestVhlo[1]));
  return version <= kNewestBytecode
             ? success()
             : fail("the artifact's bytecode has version " + Twine(version) +
                    ", but versions are read up to " + Twine(kNewestBytecode));
}

LogicalResult BytecodeFile::readStrings(ByteCursor cursor) {
  uint64_t count;
  SmallVector<uint64_t> sizes;
  if (failed(cursor.readCount(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(cursor.readVarInt(sizes.emplace_back())))
      return failure();
  // The last size is that of the first string. Each ends with a null.
  for (uint64_t size : llvm::reverse(sizes)) {
    ArrayRef<uint8_t> data;
    if (failed(cursor.readBytes(size, data)))
      return failure();
    if (data.empty() || data.back())
      return cursor.fail("a string is not terminated");
    strings.emplace_back(reinterpret_cast<const char *>(data.data()), size - 1);
  }
  return success();
}

LogicalResult
BytecodeFile::readGroup(ByteCursor &cursor,
                        function_ref<LogicalResult(DialectEntry &)> group) {
  uint64_t dialect, count;
  if (failed(cursor.readIndex(dialect, dialects.size(), "dialect")) ||
      failed(cursor.readVarInt(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(group(dialects[dialect])))
      return failure();
  return success();
}

LogicalResult BytecodeFile::readName(ByteCursor &cursor, StringRef &name,
                                     bool *flag) {
  uint64_t index;
  if (failed(cursor.readIndex(index, strings.size(), "string", flag)))
    return failure();
  name = strings[index];
  return !name.empty() && llvm::all_of(name, llvm::isPrint)
             ? success()
             : cursor.fail("the name of a dialect or an op is not printable");
}

LogicalResult BytecodeFile::readDialects(ByteCursor cursor) {
  uint64_t count, numOps;
  if (failed(cursor.readCount(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    DialectEntry &dialect = dialects.emplace_back();
    bool isVersioned = false;
    uint8_t id;
    ArrayRef<uint8_t> ignored;
    if (failed(
            readName(cursor, dialect.name, version ? &isVersioned : nullptr)) ||
        (isVersioned && failed(cursor.readSection(id, ignored))))
      return failure();
  }
  if (version >= 4 && failed(cursor.readVarInt(numOps)))
    return failure();
  while (cursor.size())
    if (failed(readGroup(cursor, [&](DialectEntry &dialect) {
          OpEntry &op = ops.emplace_back(OpEntry{&dialect, "", true});
          return readName(cursor, op.name,
                          version >= 5 ? &op.wasRegistered : nullptr);
        })))
      return failure();
  return success();
}

LogicalResult BytecodeFile::readEntries(ByteCursor cursor, ByteCursor entries) {
  uint64_t numAttributes, numTypes;
  if (failed(cursor.readVarInt(numAttributes)) ||
      failed(cursor.readVarInt(numTypes)))
    return failure();
  auto readAll = [&](auto &table, uint64_t count) -> LogicalResult {
    while (table.size() < count)
      if (failed(readGroup(cursor, [&](DialectEntry &dialect) -> LogicalResult {
            uint64_t size;
            auto &entry = table.emplace_back();
            entry.dialect = &dialect;
            return success(
                succeeded(cursor.readVarIntWithFlag(size, entry.isCustom)) &&
                succeeded(entries.readBytes(size, entry.bytes)));
          })))
        return failure();
    return success();
  };
  return success(succeeded(readAll(attributes, numAttributes)) &&
                 succeeded(readAll(types, numTypes)));
}

LogicalResult BytecodeFile::readProperties(ByteCursor cursor) {
  uint64_t count, size;
  if (failed(cursor.readVarInt(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(cursor.readVarInt(size)) ||
        failed(cursor.readBytes(size, properties.emplace_back())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

void BytecodeFile::load(DialectEntry &dialect) {
  if (std::exchange(dialect.isLoaded, true))
    return;
  Dialect *loaded = context->getOrLoadDialect(dialect.name);
  // Others write text.
  if (loaded && dialect.name == "builtin")
    dialect.interface =
        loaded->getRegisteredInterface<BytecodeDialectInterface>();
}

/// Whether the value that MLIR's code read from bytes is as that code assumes.
static bool isSound(Attribute attr, function_ref<InFlightDiagnostic()> error) {
  return TypeSwitch<Attribute, bool>(attr)
      .Case([&](DenseArrayAttr array) {
        // Its verifier does not take an index.
        return array.getElementType().isIntOrFloat() &&
               succeeded(DenseArrayAttr::verify(error, array.getElementType(),
                                                array.getSize(),
                                                array.getRawData()));
      })
      .Case([&](IntegerAttr integer) {
        return succeeded(
            IntegerAttr::verify(error, integer.getType(), integer.getValue()));
      })
      .Case([&](FloatAttr number) {
        return succeeded(
            FloatAttr::verify(error, number.getType(), number.getValue()));
      })
      .Default(true);
}

static bool isSound(Type type, function_ref<InFlightDiagnostic()> error) {
  return TypeSwitch<Type, bool>(type)
      .Case([&](RankedTensorType tensor) {
        return succeeded(RankedTensorType::verify(error, tensor.getShape(),
                                                  tensor.getElementType(),
                                                  tensor.getEncoding()));
      })
      .Case([&](VectorType vector) {
        return succeeded(VectorType::verify(error, vector.getShape(),
                                            vector.getElementType(),
                                            vector.getScalableDims()));
      })
      .Case([&](MemRefType buffer) {
        return succeeded(MemRefType::verify(
            error, buffer.getShape(), buffer.getElementType(),
            buffer.getLayout(), buffer.getMemorySpace()));
      })
      .Case([&](UnrankedMemRefType buffer) {
        return succeeded(UnrankedMemRefType::verify(
            error, buffer.getElementType(), buffer.getMemorySpace()));
      })
      .Case<UnrankedTensorType, ComplexType>([&](auto type) {
        return succeeded(decltype(type)::verify(error, type.getElementType()));
      })
      .Case([&](IntegerType integer) {
        return integer.getWidth() <= IntegerType::kMaxWidth;
      })
      .Default(true);
}

/// What the dialect's code reads; null if it is not valid, or not known.
static Attribute readCustom(StringRef dialect, ByteCursor &cursor,
                            const BytecodeDialectInterface *interface,
                            Attribute) {
  if (dialect == "vhlo")
    return readVhloAttribute(cursor);
  if (dialect == "sdy")
    return readShardyAttribute(cursor);
  // Elements, which MLIR's code takes as they are; strings and sparse ones are not
  // StableHLO's.
  const uint64_t code = cursor.peek();
  if (!interface || code == 19 || code == 20)
    return nullptr;
  if (code == 18)
    return readBuiltinElements(cursor);
  Attribute attr = interface->readAttribute(cursor);
  return attr && isSound(attr, [&] { return cursor.emitError(""); }) ? attr
                                                                     : nullptr;
}
static Type readCustom(StringRef dialect, ByteCursor &cursor,
                       const BytecodeDialectInterface *interface, Type) {
  if (dialect == "vhlo")
    return readVhloType(cursor);
  Type type = interface ? interface->readType(cursor) : nullptr;
  return type && isSound(type, [&] { return cursor.emitError(""); }) ? type
                                                                     : nullptr;
}
static Attribute parse(StringRef text, MLIRContext *context, Attribute) {
  return parseAttribute(text, context, Type(), /*numRead=*/nullptr,
                        /*isKnownNullTerminated=*/true);
}
static Type parse(StringRef text, MLIRContext *context, Type) {
  return parseType(text, context, /*numRead=*/nullptr,
                   /*isKnownNullTerminated=*/true);
}

/// Whether text has more brackets in others than MLIR's parser, which recurs, bears.
static bool isNestedDeeply(StringRef text) {
  unsigned depth = 0, deepest = 0;
  for (char c : text) {
    depth += StringRef("<([{").contains(c);
    deepest = std::max(deepest, depth);
    depth -= depth && StringRef(">)]}").contains(c);
  }
  return deepest > kMaxAttributeNesting;
}

/// How many numbers of the builtin dialect's code, from its start, are codes and
/// lengths: all, but for lines and columns of locations (11 and 22) and the width of
/// an integer (0).
static unsigned countLengths(uint64_t code, bool isAttribute) {
  if (isAttribute ? code == 11 : code == 0)
    return 1;
  return isAttribute && code == 22 ? 2 : UINT_MAX;
}

template <typename T>
LogicalResult BytecodeFile::resolve(Entry<T> &entry) {
  if (entry.value) {
    attributeSize += entry.size;
    return success();
  }
  StringRef dialect = entry.dialect->name;
  const bool isOwn = dialect == "vhlo" || dialect == "sdy";
  const ByteCursor whole(entry.bytes, *this);
  const bool isAttribute = std::is_same_v<T, Attribute>;
  ByteCursor cursor(entry.bytes, *this,
                    isOwn ? 0 : countLengths(whole.peek(), isAttribute));
  if (entry.isBeingRead)
    return cursor.fail("an attribute or type is in itself");
  if (attributeNesting == kMaxAttributeNesting)
    return cursor.fail("attributes are nested deeper than " +
                       Twine(kMaxAttributeNesting));
  ++attributeNesting;
  entry.isBeingRead = true;
  const uint64_t outerSize = std::exchange(attributeSize, entry.bytes.size());
  load(*entry.dialect);
  if (entry.isCustom)
    entry.value = readCustom(dialect, cursor, entry.dialect->interface, T());
  else if (StringRef text;
           succeeded(cursor.readText(text)) && !isNestedDeeply(text))
    entry.value = parse(text, context, T());
  entry.isBeingRead = false;
  --attributeNesting;
  entry.size = attributeSize;
  attributeSize += outerSize;
  if (entry.size > kMaxAttributeSize + bytes.size())
    return whole.fail("an attribute or type is larger than " +
                      Twine(kMaxAttributeSize) + " bytes");
  if (cursor.isDamaged())
    entry.value = nullptr;
  return entry.value ? success()
                     : whole.fail("no attribute or type of dialect '" +
                                  dialect + "' that is known");
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

LogicalResult BytecodeFile::readSections(ByteCursor &cursor) {
  std::array<std::optional<ByteCursor>, Section::NumSections> sections;
  while (cursor.size()) {
    uint8_t id;
    ArrayRef<uint8_t> section;
    if (failed(cursor.readSection(id, section)))
      return failure();
    if (id >= Section::NumSections || sections[id])
      return cursor.fail("section " + Twine(unsigned(id)) +
                         " is unknown, or appears twice");
    sections[id].emplace(section, *this);
  }
  for (Section id : {Strings, Dialects, Entries, EntryOffsets, Ops})
    if (!sections[id])
      return fail("section " + Twine(unsigned(id)) + " is missing");
  body = sections[Ops];
  return success(
      succeeded(readStrings(*sections[Strings])) &&
      succeeded(readDialects(*sections[Dialects])) &&
      succeeded(readEntries(*sections[EntryOffsets], *sections[Entries])) &&
      (!sections[Properties] ||
       succeeded(readProperties(*sections[Properties]))));
}

OwningOpRef<ModuleOp> BytecodeFile::read() {
  ByteCursor cursor(bytes, *this);
  // What the section of ops has is a block of its own.
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  Scope scope;
  if (failed(readHeader(cursor)) || failed(readSections(cursor)) ||
      failed(readBlock(*body, *module->getBody(), scope)))
    return nullptr;
  if (!llvm::hasSingleElement(*module->getBody()))
    return module;
  auto inner = dyn_cast<ModuleOp>(module->getBody()->front());
  if (!inner)
    return module;
  inner->remove();
  return inner;
}

bool tensoraccess::isPortableArtifact(StringRef bytes) {
  // The version of the bytecode is a byte in all that are known.
  return bytes.consume_front(kMagic) &&
         bytes.drop_front(!bytes.empty()).starts_with(kProducer);
}

OwningOpRef<ModuleOp>
tensoraccess::parsePortableArtifact(StringRef bytes, StringRef file,
                                    MLIRContext *context) {
  for (StringRef dialect : {"func", "quant", "shape", "stablehlo"})
    context->getOrLoadDialect(dialect);
  OwningOpRef<ModuleOp> module;
  {
    // Later errors follow from the first.
    bool hasFailed = false;
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      const bool isError =
          diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return success(isError && std::exchange(hasFailed, true));
    });
    module = BytecodeFile(bytes, file, context).read();
  }
  return module && succeeded(verify(*module)) ? std::move(module) : nullptr;
}

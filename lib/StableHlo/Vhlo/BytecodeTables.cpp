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
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr StringLiteral kMagic = "ML\xefR", kProducer = "StableHLO_v";

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

/// What encodings of other dialects take, for one attribute or type. The lists of
/// a damaged file are no longer than its bytes: MLIR's own code reserves memory for
/// as many elements as a number says.
class EntryReader : public DialectBytecodeReader {
public:
  EntryReader(BytecodeFile &file, ByteCursor &cursor, bool isBounded)
      : file(file), cursor(cursor), isBounded(isBounded) {}

  InFlightDiagnostic emitError(const Twine &message) const override {
    return mlir::emitError(file.getLoc(), message);
  }
  FailureOr<const DialectVersion *>
  getDialectVersion(StringRef) const override {
    return failure();
  }
  MLIRContext *getContext() const override { return file.getContext(); }
  uint64_t getBytecodeVersion() const override { return file.getVersion(); }

  LogicalResult readAttribute(Attribute &result) override {
    return file.readAttribute(cursor, result);
  }
  LogicalResult readOptionalAttribute(Attribute &result) override {
    return file.readAttribute(cursor, result, /*isOptional=*/true);
  }
  LogicalResult readType(Type &result) override {
    return file.readType(cursor, result);
  }
  LogicalResult readVarInt(uint64_t &result) override {
    constexpr size_t numCodes = 256;
    if (failed(cursor.readVarInt(result)))
      return failure();
    if (isBounded && result > std::max(cursor.rest().size(), numCodes))
      return cursor.fail("a list is longer than its bytes");
    return success();
  }
  LogicalResult readSignedVarInt(int64_t &result) override {
    return cursor.readSignedVarInt(result);
  }
  FailureOr<APInt> readAPIntWithKnownWidth(unsigned width) override {
    if (width <= 8) {
      uint8_t value;
      if (failed(cursor.readByte(value)))
        return failure();
      return APInt(width, value, /*isSigned=*/false, /*implicitTrunc=*/true);
    }
    uint64_t count = 1;
    if (width > 64 && failed(cursor.readCount(count)))
      return failure();
    SmallVector<uint64_t> words;
    for (uint64_t i = 0; i < count; ++i) {
      int64_t word;
      if (failed(cursor.readSignedVarInt(word)))
        return failure();
      words.push_back(word);
    }
    return width > 64 ? APInt(width, words)
                      : APInt(width, words[0], /*isSigned=*/false,
                              /*implicitTrunc=*/true);
  }
  FailureOr<APFloat>
  readAPFloatWithKnownSemantics(const llvm::fltSemantics &semantics) override {
    FailureOr<APInt> bits =
        readAPIntWithKnownWidth(APFloat::getSizeInBits(semantics));
    if (failed(bits))
      return failure();
    return APFloat(semantics, *bits);
  }
  LogicalResult readString(StringRef &result) override {
    return file.readString(cursor, result);
  }
  LogicalResult readBlob(ArrayRef<char> &result) override {
    uint64_t size;
    ArrayRef<uint8_t> data;
    if (failed(cursor.readVarInt(size)) || failed(cursor.readBytes(size, data)))
      return failure();
    result = ArrayRef(reinterpret_cast<const char *>(data.data()), size);
    return success();
  }
  LogicalResult readBool(bool &result) override {
    uint8_t value;
    if (failed(cursor.readByte(value)))
      return failure();
    result = value != 0;
    return success();
  }

private:
  FailureOr<AsmDialectResourceHandle> readResourceHandle() override {
    return (void)cursor.fail("resources are not read"), failure();
  }

  BytecodeFile &file;
  ByteCursor &cursor;
  bool isBounded;
};

} // namespace

//===----------------------------------------------------------------------===//
// Numbers and bytes
//===----------------------------------------------------------------------===//

LogicalResult ByteCursor::fail(const Twine &message) const {
  return file->failAt(bytes.begin(), message);
}

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

LogicalResult ByteCursor::readVarInt(uint64_t &value) {
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

LogicalResult ByteCursor::readVarInt(uint64_t &value, bool &flag) {
  if (failed(readVarInt(value)))
    return failure();
  flag = value & 1;
  value >>= 1;
  return success();
}

LogicalResult ByteCursor::readSignedVarInt(int64_t &value) {
  uint64_t bits;
  bool isNegative;
  if (failed(readVarInt(bits, isNegative)))
    return failure();
  value = int64_t(isNegative ? ~bits : bits);
  return success();
}

LogicalResult ByteCursor::readIndex(uint64_t &index, size_t end,
                                    const Twine &what) {
  if (failed(readVarInt(index)))
    return failure();
  return index < end ? success()
                     : fail(what + " " + Twine(index) + " of " + Twine(end));
}

LogicalResult ByteCursor::readCount(uint64_t &count) {
  if (failed(readVarInt(count)))
    return failure();
  return count <= bytes.size() ? success()
                               : fail("a list of " + Twine(count) + " in " +
                                      Twine(bytes.size()) + " bytes");
}

LogicalResult ByteCursor::readText(StringRef &text) {
  StringRef all(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  size_t end = all.find('\0');
  if (end == StringRef::npos)
    return fail("a text has no end");
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
      return fail("alignment " + Twine(alignment) + " is no power of two");
  }
  id &= 0x7f;
  const uint64_t place = bytes.begin() - file->begin();
  ArrayRef<uint8_t> padding;
  return success(succeeded(readBytes(-place & (alignment - 1), padding)) &&
                 succeeded(readBytes(size, section)));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

BytecodeFile::BytecodeFile(StringRef bytes, StringRef name,
                           MLIRContext *context)
    : bytes(bytes.bytes_begin(), bytes.size()), context(context),
      loc(FileLineColLoc::get(context, name, 0, 0)) {}

BytecodeFile::~BytecodeFile() {
  for (Operation *placeholder : placeholders) {
    placeholder->dropAllUses();
    placeholder->destroy();
  }
}

LogicalResult BytecodeFile::fail(const Twine &message) {
  return emitError(loc, message);
}

LogicalResult BytecodeFile::failAt(const uint8_t *place, const Twine &message) {
  return fail("at byte " + Twine(place - begin()) + ": " + message);
}

LogicalResult BytecodeFile::readHeader(ByteCursor &cursor) {
  ArrayRef<uint8_t> magic;
  if (failed(cursor.readBytes(kMagic.size(), magic)) ||
      failed(cursor.readVarInt(version)) || failed(cursor.readText(producer)))
    return failure();
  // In text it is printed: `StableHLO_v1.20.0`.
  StringRef text = producer;
  std::array<unsigned, 3> numbers;
  bool isValid = text.consume_front(kProducer);
  for (auto [i, number] : llvm::enumerate(numbers))
    isValid = isValid && (i == 0 || text.consume_front(".")) &&
              !text.consumeInteger(10, number);
  if (!isValid || !llvm::all_of(text, llvm::isPrint))
    return fail("the producer of the artifact is no version of StableHLO");
  if (std::array{numbers[0], numbers[1]} >
      std::array{kNewestVhlo[0], kNewestVhlo[1]})
    return fail("the artifact is of " + producer +
                ", but versions of StableHLO are read up to " +
                Twine(kNewestVhlo[0]) + "." + Twine(kNewestVhlo[1]));
  constexpr uint64_t kNewestBytecode = 6;
  if (version > kNewestBytecode)
    return fail("the artifact's bytecode has version " + Twine(version) +
                ", but versions are read up to " + Twine(kNewestBytecode));
  return success();
}

LogicalResult BytecodeFile::readStrings(ArrayRef<uint8_t> section) {
  ByteCursor cursor(section, *this);
  uint64_t count;
  SmallVector<uint64_t> sizes;
  if (failed(cursor.readCount(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(cursor.readVarInt(sizes.emplace_back())))
      return failure();
  // The last string is the first size's, and each ends with a null.
  for (uint64_t size : llvm::reverse(sizes)) {
    ArrayRef<uint8_t> data;
    if (failed(cursor.readBytes(size, data)))
      return failure();
    if (data.empty() || data.back())
      return cursor.fail("a string has no end");
    strings.emplace_back(reinterpret_cast<const char *>(data.data()), size - 1);
  }
  return success();
}

LogicalResult BytecodeFile::readString(ByteCursor &cursor, StringRef &string) {
  uint64_t index;
  if (failed(cursor.readIndex(index, strings.size(), "string")))
    return failure();
  string = strings[index];
  return success();
}

LogicalResult
BytecodeFile::readGroup(ByteCursor &cursor,
                        function_ref<LogicalResult(DialectEntry &)> group) {
  uint64_t dialect, count;
  if (failed(cursor.readIndex(dialect, dialects.size(), "dialect")) ||
      failed(cursor.readCount(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(group(dialects[dialect])))
      return failure();
  return success();
}

LogicalResult BytecodeFile::getName(ByteCursor &cursor, uint64_t index,
                                    StringRef &name) {
  if (index >= strings.size())
    return cursor.fail("string " + Twine(index) + " of " +
                       Twine(strings.size()));
  name = strings[index];
  return !name.empty() && llvm::all_of(name, llvm::isPrint)
             ? success()
             : cursor.fail("the name of a dialect or an op is not printable");
}

LogicalResult BytecodeFile::readDialects(ArrayRef<uint8_t> section) {
  ByteCursor cursor(section, *this);
  uint64_t count, numOps;
  if (failed(cursor.readCount(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t name;
    bool isVersioned = false;
    if (failed(version == 0 ? cursor.readVarInt(name)
                            : cursor.readVarInt(name, isVersioned)))
      return failure();
    StringRef text;
    if (failed(getName(cursor, name, text)))
      return failure();
    dialects.push_back({text});
    uint8_t id;
    ArrayRef<uint8_t> versions;
    if (isVersioned && failed(cursor.readSection(id, versions)))
      return failure();
  }
  if (version >= 4 && failed(cursor.readVarInt(numOps)))
    return failure();
  while (!cursor.isEmpty())
    if (failed(readGroup(cursor, [&](DialectEntry &dialect) -> LogicalResult {
          uint64_t name;
          bool wasRegistered = true;
          if (failed(version < 5 ? cursor.readVarInt(name)
                                 : cursor.readVarInt(name, wasRegistered)))
            return failure();
          StringRef text;
          if (failed(getName(cursor, name, text)))
            return failure();
          ops.push_back({&dialect, text, wasRegistered});
          return success();
        })))
      return failure();
  return success();
}

LogicalResult BytecodeFile::readEntries(ArrayRef<uint8_t> offsets,
                                        ArrayRef<uint8_t> data) {
  ByteCursor cursor(offsets, *this), entries(data, *this);
  uint64_t numAttributes, numTypes;
  if (failed(cursor.readCount(numAttributes)) ||
      failed(cursor.readCount(numTypes)))
    return failure();
  auto readAll = [&](auto &table, uint64_t count) -> LogicalResult {
    while (table.size() < count)
      if (failed(readGroup(cursor, [&](DialectEntry &dialect) -> LogicalResult {
            uint64_t size;
            bool isCustom;
            ArrayRef<uint8_t> entry;
            if (failed(cursor.readVarInt(size, isCustom)) ||
                failed(entries.readBytes(size, entry)))
              return failure();
            table.push_back({&dialect, entry, isCustom});
            return success();
          })))
        return failure();
    return success();
  };
  return success(succeeded(readAll(attributes, numAttributes)) &&
                 succeeded(readAll(types, numTypes)));
}

LogicalResult BytecodeFile::readProperties(ArrayRef<uint8_t> section) {
  ByteCursor cursor(section, *this);
  uint64_t count, size;
  if (failed(cursor.readCount(count)))
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
  if (Dialect *loaded = context->getOrLoadDialect(dialect.name))
    dialect.interface =
        loaded->getRegisteredInterface<BytecodeDialectInterface>();
}

static Attribute readCustom(const BytecodeDialectInterface &interface,
                            DialectBytecodeReader &reader, Attribute) {
  return interface.readAttribute(reader);
}
static Type readCustom(const BytecodeDialectInterface &interface,
                       DialectBytecodeReader &reader, Type) {
  return interface.readType(reader);
}
/// Of dialects whose bytecode is read here.
static Attribute readOwn(StringRef dialect, DialectBytecodeReader &reader,
                         Attribute) {
  return dialect == "vhlo" ? readVhloAttribute(reader)
                           : readShardyAttribute(reader);
}
static Type readOwn(StringRef dialect, DialectBytecodeReader &reader, Type) {
  return dialect == "vhlo" ? readVhloType(reader)
                           : (reader.emitError("Shardy has no types"), nullptr);
}
static Attribute readText(StringRef text, MLIRContext *context, Attribute) {
  return parseAttribute(text, context, Type(), /*numRead=*/nullptr,
                        /*isKnownNullTerminated=*/true);
}
static Type readText(StringRef text, MLIRContext *context, Type) {
  return parseType(text, context, /*numRead=*/nullptr,
                   /*isKnownNullTerminated=*/true);
}

/// Whether the builtin dialect's code says something other than lengths of lists:
/// lines and columns of a location (11 and 22), or the width of an integer (0).
static bool hasLargeNumbers(uint8_t encodedCode, bool isAttribute) {
  const unsigned code = encodedCode >> 1;
  return isAttribute ? code == 11 || code == 22 : code == 0;
}

template <typename T>
LogicalResult BytecodeFile::resolve(Entry<T> &entry) {
  if (entry.value)
    return success();
  if (entry.isBeingRead)
    return failAt(entry.bytes.begin(), "an attribute or type is in itself");
  if (attributeNesting == kMaxAttributeNesting)
    return failAt(entry.bytes.begin(), "attributes are nested deeper than " +
                                           Twine(kMaxAttributeNesting));
  ++attributeNesting;
  entry.isBeingRead = true;
  ByteCursor cursor(entry.bytes, *this);
  load(*entry.dialect);
  StringRef dialect = entry.dialect->name;
  if (entry.isCustom && (dialect == "vhlo" || dialect == "sdy")) {
    EntryReader reader(*this, cursor, /*isBounded=*/false);
    entry.value = readOwn(dialect, reader, T());
  } else if (entry.isCustom && entry.dialect->interface) {
    const bool isFree =
        !entry.bytes.empty() &&
        hasLargeNumbers(entry.bytes[0], std::is_same_v<T, Attribute>);
    EntryReader reader(*this, cursor, /*isBounded=*/!isFree);
    entry.value = readCustom(*entry.dialect->interface, reader, T());
  } else if (entry.isCustom) {
    (void)cursor.fail("dialect '" + dialect +
                      "' does not read attributes and types from bytecode");
  } else if (StringRef text; succeeded(cursor.readText(text))) {
    entry.value = readText(text, context, T());
  }
  entry.isBeingRead = false;
  --attributeNesting;
  if (entry.value)
    return success();
  return failAt(entry.bytes.begin(), "not an attribute or type of dialect '" +
                                         entry.dialect->name + "'");
}

LogicalResult BytecodeFile::readAttribute(ByteCursor &cursor,
                                          Attribute &attribute,
                                          bool isOptional) {
  uint64_t index;
  bool isGiven = true;
  if (failed(isOptional ? cursor.readVarInt(index, isGiven)
                        : cursor.readVarInt(index)))
    return failure();
  if (!isGiven)
    return success();
  if (index >= attributes.size())
    return cursor.fail("attribute " + Twine(index) + " of " +
                       Twine(attributes.size()));
  if (failed(resolve(attributes[index])))
    return failure();
  attribute = attributes[index].value;
  return success();
}

LogicalResult BytecodeFile::readType(ByteCursor &cursor, Type &type) {
  uint64_t index;
  if (failed(cursor.readIndex(index, types.size(), "type")) ||
      failed(resolve(types[index])))
    return failure();
  type = types[index].value;
  return success();
}

LogicalResult BytecodeFile::readNativeProperties(ByteCursor &cursor,
                                                 OperationState &state) {
  auto *interface = state.name.getInterface<BytecodeOpInterface>();
  if (!interface)
    return cursor.fail("properties of op '" + state.name.getStringRef() +
                       "' are not known");
  EntryReader reader(*this, cursor, /*isBounded=*/true);
  if (succeeded(interface->readProperties(reader, state)))
    return success();
  return cursor.fail("properties of op '" + state.name.getStringRef() +
                     "' are not valid");
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> BytecodeFile::read() {
  ByteCursor cursor(bytes, *this);
  if (failed(readHeader(cursor)))
    return nullptr;
  std::array<std::optional<ArrayRef<uint8_t>>, Section::NumSections> sections;
  while (!cursor.isEmpty()) {
    uint8_t id;
    ArrayRef<uint8_t> section;
    if (failed(cursor.readSection(id, section)))
      return nullptr;
    if (id >= Section::NumSections || sections[id])
      return (void)cursor.fail("section " + Twine(unsigned(id)) +
                               " is unknown, or there twice"),
             nullptr;
    sections[id] = section;
  }
  for (Section id : {Strings, Dialects, Entries, EntryOffsets, Ops})
    if (!sections[id])
      return (void)fail("section " + Twine(unsigned(id)) + " is missing"),
             nullptr;
  if (failed(readStrings(*sections[Strings])) ||
      failed(readDialects(*sections[Dialects])) ||
      failed(readEntries(*sections[EntryOffsets], *sections[Entries])) ||
      (sections[Properties] && failed(readProperties(*sections[Properties]))))
    return nullptr;

  // What the section of ops has is a block of its own.
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  Scope scope;
  ByteCursor body(*sections[Ops], *this);
  if (failed(readBlock(body, *module->getBody(), scope)))
    return nullptr;
  if (llvm::any_of(placeholders,
                   [](Operation *op) { return !op->use_empty(); }))
    return (void)fail("a value is used that no op defines"), nullptr;
  if (llvm::hasSingleElement(module->getOps()))
    if (auto inner = dyn_cast<ModuleOp>(module->getBody()->front())) {
      inner->remove();
      return inner;
    }
  return module;
}

bool tensoraccess::isPortableArtifact(StringRef bytes) {
  if (!bytes.consume_front(kMagic))
    return false;
  // The version of the bytecode is a byte in all that are known.
  return bytes.drop_front(std::min<size_t>(1, bytes.size()))
      .starts_with(kProducer);
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
  if (!module || failed(verify(*module)))
    return nullptr;
  return module;
}

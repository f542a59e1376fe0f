//===- Bytecode.h - Reading MLIR's bytecode ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's format (mlir.llvm.org/docs/BytecodeFormat), versions 0 to 6, without
// resources. MLIR's own reader trusts the sizes that a file gives; this one takes
// no number for granted, and makes ops of StableHLO at once:
//
//   strings, dialects and names of ops       tables, read first
//   attributes, types                        tables, read where they are used
//   properties of ops                        tables, read with their ops
//   ops, in the order of the file
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_VHLO_BYTECODE_H
#define TENSORACCESS_LIB_STABLEHLO_VHLO_BYTECODE_H

#include "VhloOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <array>

namespace mlir {
class BytecodeDialectInterface;
class DialectBytecodeReader;
} // namespace mlir

namespace mlir::tensoraccess {

class BytecodeFile;

/// How deep attributes are in others, and regions in others.
inline constexpr unsigned kMaxAttributeNesting = 1024, kMaxRegionNesting = 256;

/// What is left of some bytes of a file. Each method that fails has said why.
class ByteCursor {
public:
  ByteCursor(ArrayRef<uint8_t> bytes, BytecodeFile &file)
      : bytes(bytes), file(&file) {}

  LogicalResult readByte(uint8_t &value);
  LogicalResult readVarInt(uint64_t &value);
  /// Whose least bit is a flag.
  LogicalResult readVarInt(uint64_t &value, bool &flag);
  LogicalResult readSignedVarInt(int64_t &value);
  /// A number less than `end`.
  LogicalResult readIndex(uint64_t &index, size_t end, const Twine &what);
  /// The number of things that follow, each of which has a byte or more.
  LogicalResult readCount(uint64_t &count);
  LogicalResult readBytes(uint64_t size, ArrayRef<uint8_t> &result);
  LogicalResult readText(StringRef &text);
  LogicalResult readSection(uint8_t &id, ArrayRef<uint8_t> &section);

  LogicalResult fail(const Twine &message) const;
  ArrayRef<uint8_t> rest() const { return bytes; }
  bool isEmpty() const { return bytes.empty(); }

private:
  ArrayRef<uint8_t> bytes;
  BytecodeFile *file;
};

/// A file: its tables, and the ops that they make.
class BytecodeFile {
public:
  BytecodeFile(StringRef bytes, StringRef name, MLIRContext *context);
  ~BytecodeFile();

  OwningOpRef<ModuleOp> read();

  /// Emits an error.
  LogicalResult fail(const Twine &message);
  LogicalResult failAt(const uint8_t *place, const Twine &message);
  Location getLoc() const { return loc; }
  MLIRContext *getContext() const { return context; }
  uint64_t getVersion() const { return version; }
  const uint8_t *begin() const { return bytes.begin(); }

  LogicalResult readString(ByteCursor &cursor, StringRef &string);
  LogicalResult readAttribute(ByteCursor &cursor, Attribute &attribute,
                              bool isOptional = false);
  LogicalResult readType(ByteCursor &cursor, Type &type);

private:
  /// A dialect that attributes, types and ops name.
  struct DialectEntry {
    StringRef name;
    bool isLoaded = false;
    const BytecodeDialectInterface *interface = nullptr;
  };
  struct OpEntry {
    DialectEntry *dialect;
    StringRef name;
    bool wasRegistered;
    std::optional<OperationName> opName;
    bool isVhlo = false;
    /// Of VHLO, and of dialects that are not linked.
    const VhloOp *row = nullptr;
  };
  template <typename T>
  struct Entry {
    DialectEntry *dialect;
    ArrayRef<uint8_t> bytes;
    bool isCustom;
    bool isBeingRead = false;
    T value = nullptr;
  };
  /// The values of an op that is isolated from above; those of a region from
  /// `next` on are numbered as they are met.
  struct Scope {
    std::vector<Value> values;
    size_t next = 0;
  };

  // Tables.
  LogicalResult readHeader(ByteCursor &cursor);
  LogicalResult readStrings(ArrayRef<uint8_t> section);
  LogicalResult readDialects(ArrayRef<uint8_t> section);
  /// The name of a dialect or an op, which is printed as it is.
  LogicalResult getName(ByteCursor &cursor, uint64_t index, StringRef &name);
  LogicalResult readEntries(ArrayRef<uint8_t> offsets, ArrayRef<uint8_t> data);
  LogicalResult readProperties(ArrayRef<uint8_t> section);
  /// `group` for each of the things that are listed with one dialect.
  LogicalResult readGroup(ByteCursor &cursor,
                          function_ref<LogicalResult(DialectEntry &)> group);
  void load(DialectEntry &dialect);
  template <typename T>
  LogicalResult resolve(Entry<T> &entry);

  // Ops.
  LogicalResult readRegion(ByteCursor &cursor, Region &region, Scope &scope);
  LogicalResult readBlock(ByteCursor &cursor, Block &block, Scope &scope);
  LogicalResult readArguments(ByteCursor &cursor, Block &block, Scope &scope);
  LogicalResult readOp(ByteCursor &cursor, Block &block, Scope &scope);
  LogicalResult readOpProperties(ByteCursor &cursor, const OpEntry &entry,
                                 bool isGiven, OperationState &state,
                                 VhloAttributes &attributes);
  LogicalResult readNativeProperties(ByteCursor &cursor, OperationState &state);
  LogicalResult upgrade(ByteCursor &cursor, const VhloOp &op,
                        DictionaryAttr dictionary, VhloAttributes &given,
                        OperationState &state);
  LogicalResult readRegions(ByteCursor &cursor, Operation *op, bool isIsolated,
                            Scope &scope);
  LogicalResult readOperand(ByteCursor &cursor, Scope &scope, Value &value);
  LogicalResult skipUseOrders(ByteCursor &cursor, size_t numValues);
  LogicalResult define(ByteCursor &cursor, Scope &scope, ValueRange values);
  LogicalResult prepareName(ByteCursor &cursor, OpEntry &entry);

  ArrayRef<uint8_t> bytes;
  MLIRContext *context;
  Location loc;
  uint64_t version = 0;
  unsigned attributeNesting = 0, regionNesting = 0;
  StringRef producer;
  SmallVector<StringRef> strings;
  std::vector<DialectEntry> dialects;
  std::vector<OpEntry> ops;
  std::vector<Entry<Attribute>> attributes;
  std::vector<Entry<Type>> types;
  SmallVector<ArrayRef<uint8_t>> properties;
  /// Stand for values that are used before they are defined.
  SmallVector<Operation *> placeholders;
};

/// An attribute or a type of VHLO, as what it is in StableHLO; null, with an
/// error, for what is not one.
Attribute readVhloAttribute(DialectBytecodeReader &reader);
Type readVhloType(DialectBytecodeReader &reader);
/// An attribute of Shardy.
Attribute readShardyAttribute(DialectBytecodeReader &reader);

/// A string in quotes, as text has it.
std::string quoteHlo(StringRef string);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_VHLO_BYTECODE_H

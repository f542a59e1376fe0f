//===- Bytecode.h - Reading MLIR's bytecode ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's format (mlir.llvm.org/docs/BytecodeFormat), versions 0 to 6, without
// resources. MLIR's own reader reserves memory for whatever number a file gives,
// and dies; this one believes no number, and makes ops of StableHLO at once:
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
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::tensoraccess {

class BytecodeFile;

/// How deep attributes are in others, and regions in others.
inline constexpr unsigned kMaxAttributeNesting = 1024, kMaxRegionNesting = 256;

/// How many bytes an attribute is with all that is in it, beside those of the file:
/// what has a part twice, which has a part twice, and so on, is never printed.
inline constexpr uint64_t kMaxAttributeSize = uint64_t(1) << 28;

/// What is left of some bytes of a file, read by what MLIR's dialects read their
/// attributes, types and properties with. What fails has reported the reason.
class ByteCursor final : public DialectBytecodeReader {
public:
  /// The first `numLengths` numbers that MLIR's code reads are no larger than what is
  /// left: it reserves memory for lists.
  ByteCursor(ArrayRef<uint8_t> bytes, BytecodeFile &file,
             unsigned numLengths = 0)
      : bytes(bytes), file(&file), numLengths(numLengths) {}

  LogicalResult readByte(uint8_t &value);
  LogicalResult readVarInt(uint64_t &value) override;
  LogicalResult readSignedVarInt(int64_t &value) override;
  /// A number less than `end`, whose least bit is the flag, if there is one.
  LogicalResult readIndex(uint64_t &index, size_t end, const Twine &what,
                          bool *flag = nullptr);
  /// The number of things that follow, each of which has a byte or more.
  LogicalResult readCount(uint64_t &count);
  LogicalResult readBytes(uint64_t size, ArrayRef<uint8_t> &result);
  LogicalResult readText(StringRef &text);
  LogicalResult readSection(uint8_t &id, ArrayRef<uint8_t> &section);

  using DialectBytecodeReader::readAttribute;
  using DialectBytecodeReader::readType;
  LogicalResult readAttribute(Attribute &result) override;
  LogicalResult readOptionalAttribute(Attribute &result) override;
  LogicalResult readType(Type &result) override;
  LogicalResult readString(StringRef &result) override;
  LogicalResult readBlob(ArrayRef<char> &result) override;
  LogicalResult readBool(bool &result) override;
  /// These two never fail, since MLIR's code uses what it gets.
  FailureOr<APInt> readAPIntWithKnownWidth(unsigned width) override;
  FailureOr<APFloat>
  readAPFloatWithKnownSemantics(const llvm::fltSemantics &semantics) override;

  InFlightDiagnostic emitError(const Twine &message) const override;
  FailureOr<const DialectVersion *>
  getDialectVersion(StringRef) const override {
    return failure();
  }
  MLIRContext *getContext() const override;
  uint64_t getBytecodeVersion() const override;

  LogicalResult fail(const Twine &message) const { return emitError(message); }
  size_t size() const { return bytes.size(); }
  /// The next number; the largest one at the end.
  uint64_t peek() const;
  /// Whether a number could not be read that was not a failure.
  bool isDamaged() const { return hasFailed; }

private:
  LogicalResult readInteger(unsigned width, APInt &value);
  LogicalResult readNumber(uint64_t &value);
  FailureOr<AsmDialectResourceHandle> readResourceHandle() override;

  ArrayRef<uint8_t> bytes;
  BytecodeFile *file;
  unsigned numLengths;
  bool hasFailed = false;
};

/// A file: its tables, and the ops that they make.
class BytecodeFile {
public:
  BytecodeFile(StringRef bytes, StringRef name, MLIRContext *context);

  OwningOpRef<ModuleOp> read();

private:
  friend class ByteCursor;

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
    /// Its bytes and those of all that is in it.
    uint64_t size = 0;
  };
  /// The values of an op that is isolated from above; those of a region from
  /// `next` on are numbered as they are met.
  struct Scope {
    SmallVector<Value, 0> values;
    size_t next = 0;
  };

  // Tables.
  LogicalResult fail(const Twine &message) { return emitError(loc, message); }
  LogicalResult readHeader(ByteCursor &cursor);
  LogicalResult readSections(ByteCursor &cursor);
  LogicalResult readStrings(ByteCursor cursor);
  LogicalResult readDialects(ByteCursor cursor);
  LogicalResult readEntries(ByteCursor cursor, ByteCursor entries);
  LogicalResult readProperties(ByteCursor cursor);
  /// The name of a dialect or an op, which is printed as it is.
  LogicalResult readName(ByteCursor &cursor, StringRef &name, bool *flag);
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
  LogicalResult readAttributes(ByteCursor &cursor, const OpEntry &entry,
                               uint8_t mask, OperationState &state);
  LogicalResult readOpProperties(ByteCursor &cursor, const OpEntry &entry,
                                 OperationState &state, VhloAttributes &given);
  LogicalResult upgrade(ByteCursor &cursor, const VhloOp &op,
                        DictionaryAttr dictionary, VhloAttributes &given,
                        OperationState &state);
  LogicalResult readRegions(ByteCursor &cursor, Operation *op, bool isIsolated,
                            Scope &scope);
  /// Counts regions, blocks and values, each of which has a byte or more.
  LogicalResult count(ByteCursor &cursor, uint64_t number);
  LogicalResult skipUseOrders(ByteCursor &cursor, size_t numValues);
  LogicalResult define(ByteCursor &cursor, Scope &scope, ValueRange values);
  LogicalResult prepareName(ByteCursor &cursor, OpEntry &entry);

  ArrayRef<uint8_t> bytes;
  MLIRContext *context;
  Location loc;
  uint64_t version = 0;
  unsigned attributeNesting = 0, regionNesting = 0;
  /// Of the attribute that is being read, so far.
  uint64_t attributeSize = 0;
  uint64_t numCounted = 0;
  StringRef producer;
  SmallVector<StringRef> strings;
  std::vector<DialectEntry> dialects;
  std::vector<OpEntry> ops;
  std::vector<Entry<Attribute>> attributes;
  std::vector<Entry<Type>> types;
  SmallVector<ArrayRef<uint8_t>> properties;
  std::optional<ByteCursor> body;
};

/// Dense elements, as the builtin dialect has them.
Attribute readBuiltinElements(DialectBytecodeReader &reader);

/// An attribute or a type of VHLO, as what it is in StableHLO, and an attribute of
/// Shardy; null for what is not one.
Attribute readVhloAttribute(DialectBytecodeReader &reader);
Type readVhloType(DialectBytecodeReader &reader);
Attribute readShardyAttribute(DialectBytecodeReader &reader);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_VHLO_BYTECODE_H

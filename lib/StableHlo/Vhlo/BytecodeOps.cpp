//===- BytecodeOps.cpp - Ops of MLIR's bytecode ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op is made before its regions are read: its results are numbered first, and
// what `vhlo.return` is depends on the op around it.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// What an op has, after its name.
enum OpMask : uint8_t {
  HasAttributes = 0x01,
  HasResults = 0x02,
  HasOperands = 0x04,
  HasSuccessors = 0x08,
  HasRegions = 0x10,
  HasUseOrders = 0x20,
  HasProperties = 0x40
};

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult BytecodeFile::define(ByteCursor &cursor, Scope &scope,
                                   ValueRange values) {
  if (values.size() > scope.values.size() - scope.next)
    return cursor.fail("a region has more values than it says");
  llvm::copy(values, scope.values.begin() + scope.next);
  scope.next += values.size();
  return success();
}

LogicalResult BytecodeFile::count(ByteCursor &cursor, uint64_t number) {
  numCounted += number;
  return numCounted <= bytes.size()
             ? success()
             : cursor.fail("more regions, blocks and values than bytes");
}

/// The order of uses, which does not matter.
LogicalResult BytecodeFile::skipUseOrders(ByteCursor &cursor,
                                          size_t numValues) {
  uint64_t numOrders = 1;
  if (numValues > 1 && failed(cursor.readCount(numOrders)))
    return failure();
  for (uint64_t i = 0; i < numOrders; ++i) {
    uint64_t ignored, count;
    bool isPairs;
    if ((numValues > 1 && failed(cursor.readVarInt(ignored))) ||
        failed(cursor.readVarIntWithFlag(count, isPairs)))
      return failure();
    for (uint64_t j = 0; j < count; ++j)
      if (failed(cursor.readVarInt(ignored)))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult BytecodeFile::readRegions(ByteCursor &cursor, Operation *op,
                                        bool isIsolated, Scope &scope) {
  if (op->getNumRegions() == 0)
    return success();
  if (regionNesting == kMaxRegionNesting)
    return cursor.fail("regions are nested deeper than " +
                       Twine(kMaxRegionNesting));
  ++regionNesting;
  llvm::scope_exit leave([&] { --regionNesting; });
  Scope own;
  Scope &inner = isIsolated ? own : scope;
  ByteCursor apart = cursor;
  ByteCursor &regions = isIsolated && version >= 2 ? apart : cursor;
  if (&regions == &apart) {
    uint8_t id;
    ArrayRef<uint8_t> section;
    if (failed(cursor.readSection(id, section)))
      return failure();
    apart = ByteCursor(section, *this);
  }
  for (Region &region : op->getRegions())
    if (failed(readRegion(regions, region, inner)))
      return failure();
  return success();
}

LogicalResult BytecodeFile::readRegion(ByteCursor &cursor, Region &region,
                                       Scope &scope) {
  uint64_t numBlocks, numValues;
  if (failed(cursor.readCount(numBlocks)))
    return failure();
  if (numBlocks == 0)
    return success();
  if (failed(cursor.readCount(numValues)) ||
      failed(count(cursor, numBlocks + numValues)))
    return failure();
  const size_t outer = scope.values.size(), next = scope.next;
  scope.values.resize(outer + numValues);
  scope.next = outer;
  for (uint64_t i = region.getBlocks().size(); i < numBlocks; ++i)
    region.push_back(new Block());
  for (Block &block : region)
    if (failed(readBlock(cursor, block, scope)))
      return failure();
  scope.values.resize(outer);
  scope.next = next;
  return success();
}

LogicalResult BytecodeFile::readArguments(ByteCursor &cursor, Block &block,
                                          Scope &scope) {
  uint64_t count;
  if (failed(cursor.readCount(count)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t index;
    bool hasLoc = true;
    LocationAttr at = UnknownLoc::get(context);
    if (failed(cursor.readIndex(index, types.size(), "type",
                                version < 4 ? nullptr : &hasLoc)) ||
        failed(resolve(types[index])) ||
        (hasLoc && failed(cursor.readAttribute(at))))
      return failure();
    block.addArgument(types[index].value, at);
  }
  return define(cursor, scope, block.getArguments());
}

LogicalResult BytecodeFile::readBlock(ByteCursor &cursor, Block &block,
                                      Scope &scope) {
  uint64_t numOps;
  bool hasArguments;
  if (failed(cursor.readVarIntWithFlag(numOps, hasArguments)))
    return failure();
  if (hasArguments) {
    uint8_t hasUseOrders = 0;
    if (failed(readArguments(cursor, block, scope)) ||
        (version >= 3 && failed(cursor.readByte(hasUseOrders))) ||
        (hasUseOrders &&
         failed(skipUseOrders(cursor, block.getNumArguments()))))
      return failure();
  }
  for (uint64_t i = 0; i < numOps; ++i)
    if (failed(readOp(cursor, block, scope)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult BytecodeFile::prepareName(ByteCursor &cursor, OpEntry &entry) {
  load(*entry.dialect);
  std::string name = (entry.dialect->name + "." + entry.name).str();
  entry.isVhlo = entry.dialect->name == "vhlo";
  entry.row = findVhloOp(entry.isVhlo ? entry.name : StringRef(name));
  if (entry.isVhlo && !entry.row)
    return cursor.fail("no op '" + name + "', in an artifact of " + producer);
  if (entry.isVhlo) {
    StringRef base = entry.row->name;
    name = ((base == "func" || base == "call" ? "func." : "stablehlo.") + base)
               .str();
  }
  entry.opName.emplace(name, context);
  return success();
}

LogicalResult BytecodeFile::readOpProperties(ByteCursor &cursor,
                                             const OpEntry &entry,
                                             OperationState &state,
                                             VhloAttributes &given) {
  if (!entry.wasRegistered) {
    DictionaryAttr inherent;
    if (failed(cursor.readAttribute(inherent)))
      return failure();
    if (state.name.isRegistered())
      state.addAttributes(inherent.getValue());
    else
      state.propertiesAttr = inherent;
    return success();
  }
  uint64_t index;
  if (failed(cursor.readIndex(index, properties.size(), "properties")))
    return failure();
  if (!entry.row) {
    ByteCursor bounded(properties[index], *this, /*numLengths=*/UINT_MAX);
    auto *interface = state.name.getInterface<BytecodeOpInterface>();
    return interface && succeeded(interface->readProperties(bounded, state)) &&
                   !bounded.isDamaged()
               ? success()
               : cursor.fail("properties of op '" + state.name.getStringRef() +
                             "' are not known, or not valid");
  }
  ByteCursor own(properties[index], *this);
  // Fields that may be absent came later: old artifacts have none of them.
  size_t numGiven = 0;
  for (ByteCursor ahead = own; ahead.size(); ++numGiven)
    if (uint64_t ignored; failed(ahead.readVarInt(ignored)))
      return failure();
  given.resize(entry.row->fields.size());
  for (unsigned field : entry.row->order) {
    const bool isOptional = entry.row->fields[field].isOptional;
    if (isOptional && numGiven < given.size())
      continue;
    if (failed(isOptional ? own.readOptionalAttribute(given[field])
                          : own.readAttribute(given[field])))
      return failure();
  }
  return success();
}

LogicalResult BytecodeFile::upgrade(ByteCursor &cursor, const VhloOp &op,
                                    DictionaryAttr dictionary,
                                    VhloAttributes &given,
                                    OperationState &state) {
  NamedAttrList discardable(dictionary), attributes;
  // Before there were properties, all attributes were in the dictionary.
  if (given.empty())
    for (const VhloField &field : op.fields) {
      given.push_back(discardable.erase(field.name));
      if (!given.back())
        return cursor.fail("op 'vhlo." + op.name + "' must have attribute '" +
                           field.name + "'");
    }
  std::string error;
  if (failed(upgradeAttributes(op, given, context, attributes, error)))
    return cursor.fail(error);
  state.addAttributes(discardable);
  if (state.name.isRegistered())
    state.addAttributes(attributes);
  else if (!attributes.empty())
    state.propertiesAttr = attributes.getDictionary(context);
  return success();
}

LogicalResult BytecodeFile::readAttributes(ByteCursor &cursor,
                                           const OpEntry &entry, uint8_t mask,
                                           OperationState &state) {
  DictionaryAttr discardable = DictionaryAttr::get(context);
  VhloAttributes given;
  if (((mask & HasAttributes) && failed(cursor.readAttribute(discardable))) ||
      ((mask & HasProperties) &&
       failed(readOpProperties(cursor, entry, state, given))))
    return failure();
  if (entry.isVhlo)
    return upgrade(cursor, *entry.row, discardable, given, state);
  state.addAttributes(discardable.getValue());
  NamedAttrList inherent;
  for (unsigned i = 0; i < given.size(); ++i)
    if (given[i])
      inherent.set(entry.row->fields[i].name, given[i]);
  if (!inherent.empty())
    state.propertiesAttr = inherent.getDictionary(context);
  return success();
}

LogicalResult BytecodeFile::readOp(ByteCursor &cursor, Block &block,
                                   Scope &scope) {
  uint64_t number, index;
  uint8_t mask;
  LocationAttr at;
  if (failed(cursor.readIndex(number, ops.size(), "name of an op")) ||
      failed(cursor.readByte(mask)) || failed(cursor.readAttribute(at)))
    return failure();
  OpEntry &entry = ops[number];
  if (!entry.opName && failed(prepareName(cursor, entry)))
    return failure();

  OperationState state(at, *entry.opName);
  if (entry.isVhlo && entry.row->name == "return" &&
      isa_and_present<func::FuncOp>(block.getParentOp()))
    state.name = OperationName("func.return", context);
  if (failed(readAttributes(cursor, entry, mask, state)))
    return failure();
  Region *region = block.getParent();
  auto readResult = [&] { return cursor.readType(state.types.emplace_back()); };
  auto readOperand = [&]() -> LogicalResult {
    if (failed(cursor.readIndex(index, scope.values.size(), "value")))
      return failure();
    state.operands.push_back(scope.values[index]);
    return state.operands.back()
               ? success()
               : cursor.fail("a value is used before an op defines it");
  };
  auto readSuccessor = [&]() -> LogicalResult {
    if (failed(cursor.readIndex(index, region->getBlocks().size(), "block")))
      return failure();
    state.addSuccessors(&*std::next(region->begin(), index));
    return success();
  };
  auto readList = [&](OpMask part, function_ref<LogicalResult()> readItem) {
    uint64_t length = 0;
    if ((mask & part) && failed(cursor.readCount(length)))
      return failure();
    for (uint64_t i = 0; i < length; ++i)
      if (failed(readItem()))
        return failure();
    return success();
  };
  if (failed(readList(HasResults, readResult)) ||
      failed(readList(HasOperands, readOperand)) ||
      failed(readList(HasSuccessors, readSuccessor)) ||
      ((mask & HasUseOrders) &&
       failed(skipUseOrders(cursor, state.types.size()))))
    return failure();
  uint64_t numRegions = 0;
  bool isIsolated = false;
  if ((mask & HasRegions) &&
      (failed(cursor.readIndex(numRegions, cursor.size(), "regions",
                               &isIsolated)) ||
       failed(count(cursor, numRegions))))
    return failure();
  for (uint64_t i = 0; i < numRegions; ++i)
    state.addRegion();
  // Between types of VHLO and those of other dialects, which are the same here.
  if (state.name.getStringRef() == "builtin.unrealized_conversion_cast" &&
      TypeRange(ValueRange(state.operands)) == TypeRange(state.types))
    return define(cursor, scope, state.operands);
  Operation *op = Operation::create(state);
  block.push_back(op);
  return success(succeeded(define(cursor, scope, op->getResults())) &&
                 succeeded(readRegions(cursor, op, isIsolated, scope)));
}

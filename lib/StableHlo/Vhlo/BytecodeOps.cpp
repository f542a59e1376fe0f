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
  for (Value value : values) {
    Value &place = scope.values[scope.next++];
    if (place)
      place.replaceAllUsesWith(value);
    place = value;
  }
  return success();
}

LogicalResult BytecodeFile::readOperand(ByteCursor &cursor, Scope &scope,
                                        Value &value) {
  uint64_t index;
  if (failed(cursor.readIndex(index, scope.values.size(), "value")))
    return failure();
  Value &place = scope.values[index];
  if (!place) {
    OperationState state(loc, "tensoraccess.placeholder");
    state.addTypes(NoneType::get(context));
    placeholders.push_back(Operation::create(state));
    place = placeholders.back()->getResult(0);
  }
  value = place;
  return success();
}

/// The order of uses, which has no meaning.
LogicalResult BytecodeFile::skipUseOrders(ByteCursor &cursor,
                                          size_t numValues) {
  uint64_t numOrders = 1;
  if (numValues > 1 && failed(cursor.readCount(numOrders)))
    return failure();
  for (uint64_t i = 0; i < numOrders; ++i) {
    uint64_t ignored, count;
    bool isPairs;
    if ((numValues > 1 && failed(cursor.readVarInt(ignored))) ||
        failed(cursor.readVarInt(count, isPairs)))
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
  if (failed(cursor.readCount(numValues)))
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
    if (failed(version < 4 ? cursor.readVarInt(index)
                           : cursor.readVarInt(index, hasLoc)))
      return failure();
    if (index >= types.size())
      return cursor.fail("type " + Twine(index) + " of " + Twine(types.size()));
    Attribute place = UnknownLoc::get(context);
    if (failed(resolve(types[index])) ||
        (hasLoc && failed(readAttribute(cursor, place))))
      return failure();
    auto at = dyn_cast<LocationAttr>(place);
    if (!at)
      return cursor.fail("expected a location");
    block.addArgument(types[index].value, at);
  }
  return define(cursor, scope, block.getArguments());
}

LogicalResult BytecodeFile::readBlock(ByteCursor &cursor, Block &block,
                                      Scope &scope) {
  uint64_t numOps;
  bool hasArguments;
  if (failed(cursor.readVarInt(numOps, hasArguments)))
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
                                             const OpEntry &entry, bool isGiven,
                                             OperationState &state,
                                             VhloAttributes &given) {
  if (!isGiven)
    return success();
  if (!entry.wasRegistered) {
    Attribute inherent;
    if (failed(readAttribute(cursor, inherent)))
      return failure();
    auto dictionary = dyn_cast<DictionaryAttr>(inherent);
    if (!dictionary)
      return cursor.fail("expected a dictionary");
    if (state.name.isRegistered())
      state.addAttributes(dictionary.getValue());
    else
      state.propertiesAttr = dictionary;
    return success();
  }
  uint64_t index;
  if (failed(cursor.readIndex(index, properties.size(), "properties")))
    return failure();
  ByteCursor bytes(properties[index], *this);
  if (entry.row) {
    given.resize(entry.row->fields.size());
    // Fields that may be absent came later: old artifacts have none of them.
    size_t numGiven = 0;
    for (ByteCursor ahead = bytes; !ahead.isEmpty(); ++numGiven)
      if (uint64_t ignored; failed(ahead.readVarInt(ignored)))
        return failure();
    for (unsigned field : entry.row->order) {
      bool isOptional = entry.row->fields[field].isOptional;
      if (isOptional && numGiven < given.size())
        continue;
      if (failed(readAttribute(bytes, given[field], isOptional)))
        return failure();
    }
    return success();
  }
  return readNativeProperties(bytes, state);
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

LogicalResult BytecodeFile::readOp(ByteCursor &cursor, Block &block,
                                   Scope &scope) {
  uint64_t number, count;
  uint8_t mask;
  if (failed(cursor.readIndex(number, ops.size(), "name of an op")) ||
      failed(cursor.readByte(mask)))
    return failure();
  OpEntry &entry = ops[number];
  if (!entry.opName && failed(prepareName(cursor, entry)))
    return failure();

  Attribute place, dictionary = DictionaryAttr::get(context);
  if (failed(readAttribute(cursor, place)) ||
      ((mask & HasAttributes) && failed(readAttribute(cursor, dictionary))))
    return failure();
  auto at = dyn_cast<LocationAttr>(place);
  auto discardable = dyn_cast<DictionaryAttr>(dictionary);
  if (!at || !discardable)
    return cursor.fail(at ? "expected a dictionary" : "expected a location");

  OperationState state(at, *entry.opName);
  VhloAttributes given;
  if (entry.isVhlo && entry.row->name == "return" &&
      isa_and_present<func::FuncOp>(block.getParentOp()))
    state.name = OperationName("func.return", context);
  if (failed(
          readOpProperties(cursor, entry, mask & HasProperties, state, given)))
    return failure();
  if (entry.isVhlo) {
    if (failed(upgrade(cursor, *entry.row, discardable, given, state)))
      return failure();
  } else {
    state.addAttributes(discardable.getValue());
    NamedAttrList inherent;
    for (unsigned i = 0; i < given.size(); ++i)
      if (given[i])
        inherent.set(entry.row->fields[i].name, given[i]);
    if (!inherent.empty())
      state.propertiesAttr = inherent.getDictionary(context);
  }

  if (mask & HasResults) {
    if (failed(cursor.readCount(count)))
      return failure();
    for (uint64_t i = 0; i < count; ++i)
      if (failed(readType(cursor, state.types.emplace_back())))
        return failure();
  }
  if (mask & HasOperands) {
    if (failed(cursor.readCount(count)))
      return failure();
    for (uint64_t i = 0; i < count; ++i)
      if (failed(readOperand(cursor, scope, state.operands.emplace_back())))
        return failure();
  }
  if (mask & HasSuccessors) {
    if (failed(cursor.readCount(count)))
      return failure();
    Region &region = *block.getParent();
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t target;
      if (failed(cursor.readIndex(target, region.getBlocks().size(), "block")))
        return failure();
      state.addSuccessors(&*std::next(region.begin(), target));
    }
  }
  if ((mask & HasUseOrders) &&
      failed(skipUseOrders(cursor, state.types.size())))
    return failure();
  bool isIsolated = false;
  if (mask & HasRegions) {
    if (failed(cursor.readVarInt(count, isIsolated)))
      return failure();
    if (count > cursor.rest().size())
      return cursor.fail("an op of " + Twine(count) + " regions");
    for (uint64_t i = 0; i < count; ++i)
      state.addRegion();
  }
  // Between types of VHLO and those of other dialects, which are the same here.
  if (state.name.getStringRef() == "builtin.unrealized_conversion_cast" &&
      TypeRange(ValueRange(state.operands)) == TypeRange(state.types))
    return define(cursor, scope, state.operands);
  Operation *op = Operation::create(state);
  block.push_back(op);
  if (failed(define(cursor, scope, op->getResults())))
    return failure();
  return readRegions(cursor, op, isIsolated, scope);
}

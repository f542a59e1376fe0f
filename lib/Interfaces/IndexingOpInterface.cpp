//===- IndexingOpInterface.cpp - What an op reads -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

#include "TensorAccess/Interfaces/IndexSpaceAttrInterfaces.cpp.inc"
#include "TensorAccess/Interfaces/IndexSpaceTypeInterfaces.cpp.inc"
#include "TensorAccess/Interfaces/IndexingOpInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

StringRef tensoraccess::describe(IndexingReason reason) {
  switch (reason) {
  case IndexingReason::None:
    return "known";
  case IndexingReason::UnregisteredOp:
    return "unregistered operation";
  case IndexingReason::NoModel:
    return "operation without a model";
  case IndexingReason::UnsupportedForm:
    return "unsupported form of the operation";
  case IndexingReason::DynamicShape:
    return "dynamic shape";
  case IndexingReason::UnrankedShape:
    return "unranked shape";
  case IndexingReason::NotShaped:
    return "neither tensor nor scalar";
  case IndexingReason::NotAffine:
    return "index computed from data";
  case IndexingReason::SideEffects:
    return "side effects";
  case IndexingReason::ControlFlow:
    return "control flow";
  case IndexingReason::Captured:
    return "value captured by a region";
  case IndexingReason::Recursion:
    return "recursive call";
  case IndexingReason::UnknownCallee:
    return "unknown callee";
  case IndexingReason::Overflow:
    return "overflow";
  case IndexingReason::Budget:
    return "budget exhausted";
  }
  llvm_unreachable("all reasons are listed");
}

IndexingReason tensoraccess::fromUnknownReason(UnknownReason reason) {
  switch (reason) {
  case UnknownReason::None:
    return IndexingReason::None;
  case UnknownReason::UnknownOp:
    return IndexingReason::NoModel;
  case UnknownReason::Unspecified:
  case UnknownReason::UnsupportedOp:
  case UnknownReason::RankMismatch:
    return IndexingReason::UnsupportedForm;
  case UnknownReason::DynamicShape:
    return IndexingReason::DynamicShape;
  case UnknownReason::Overflow:
    return IndexingReason::Overflow;
  case UnknownReason::TooLarge:
    return IndexingReason::Budget;
  case UnknownReason::NotAffine:
    return IndexingReason::NotAffine;
  }
  llvm_unreachable("all reasons are listed");
}

UnknownReason tensoraccess::toUnknownReason(IndexingReason reason) {
  switch (reason) {
  case IndexingReason::None:
    return UnknownReason::None;
  case IndexingReason::UnregisteredOp:
  case IndexingReason::NoModel:
  case IndexingReason::UnknownCallee:
    return UnknownReason::UnknownOp;
  case IndexingReason::DynamicShape:
  case IndexingReason::UnrankedShape:
    return UnknownReason::DynamicShape;
  case IndexingReason::NotAffine:
    return UnknownReason::NotAffine;
  case IndexingReason::Overflow:
    return UnknownReason::Overflow;
  case IndexingReason::Budget:
    return UnknownReason::TooLarge;
  case IndexingReason::UnsupportedForm:
  case IndexingReason::NotShaped:
  case IndexingReason::SideEffects:
  case IndexingReason::ControlFlow:
  case IndexingReason::Captured:
  case IndexingReason::Recursion:
    return UnknownReason::UnsupportedOp;
  }
  llvm_unreachable("all reasons are listed");
}

//===----------------------------------------------------------------------===//
// IndexingSet
//===----------------------------------------------------------------------===//

/// Sorting key of an entry: maps by text, then by details.
static std::string getKey(const IndexingMap &map,
                          const MapDetailsRef &details) {
  return details ? map.str() + details->str() : map.str();
}

void IndexingSet::insert(const IndexingMap &map, MapDetailsRef mapDetails) {
  if (isUnknown())
    return;
  if (map.isUnknown()) {
    *this = unknown(fromUnknownReason(map.getUnknownReason()));
    return;
  }
  if (mapDetails && mapDetails->isTrivial())
    mapDetails = nullptr;
  // A known-empty map adds no point: it stands only for a set without any.
  if (!maps.empty()) {
    if (map.isKnownEmpty())
      return;
    if (maps.size() == 1 && maps.front().isKnownEmpty()) {
      maps.clear();
      details.clear();
    }
  }
  size_t at = 0;
  if (!maps.empty()) {
    std::string key = getKey(map, mapDetails);
    while (at < maps.size()) {
      std::string other = getKey(maps[at], getDetails(at));
      if (other == key)
        return;
      if (other > key)
        break;
      ++at;
    }
  }
  maps.insert(maps.begin() + at, map);
  if (mapDetails && details.empty())
    details.resize(maps.size() - 1);
  if (mapDetails || !details.empty())
    details.insert(details.begin() + at, std::move(mapDetails));
}

IndexingSet IndexingSet::of(ArrayRef<IndexingMap> maps) {
  return of(llvm::map_to_vector(
      maps, [](const IndexingMap &map) { return DetailedMap{map, nullptr}; }));
}

IndexingSet IndexingSet::of(ArrayRef<DetailedMap> maps) {
  IndexingSet set;
  if (maps.size() == 1)
    set.insert(maps.front().map, maps.front().details);
  if (maps.size() < 2)
    return set;
  bool anyPoints = llvm::any_of(
      maps, [](const DetailedMap &m) { return !m.map.isKnownEmpty(); });
  SmallVector<std::pair<std::string, const DetailedMap *>> texts;
  for (const DetailedMap &entry : maps) {
    if (entry.map.isUnknown())
      return unknown(fromUnknownReason(entry.map.getUnknownReason()));
    if (!entry.map.isKnownEmpty() || !anyPoints)
      texts.emplace_back(getKey(entry.map, entry.details), &entry);
  }
  llvm::sort(texts, llvm::less_first());
  texts.erase(
      llvm::unique(texts, [](const auto &a,
                             const auto &b) { return a.first == b.first; }),
      texts.end());
  if (!anyPoints)
    texts.truncate(1);
  bool anyDetails = llvm::any_of(
      texts, [](const auto &t) { return t.second->details != nullptr; });
  for (auto &[text, entry] : texts) {
    set.maps.push_back(entry->map);
    if (anyDetails)
      set.details.push_back(entry->details);
  }
  return set;
}

void IndexingSet::insert(const IndexingSet &other) {
  if (other.isUnknown()) {
    if (!isUnknown())
      *this = other;
    return;
  }
  for (auto [i, map] : llvm::enumerate(other.maps))
    insert(map, other.getDetails(i));
}

std::string IndexingSet::str(bool withDetails) const {
  if (isUnknown())
    return ("unknown: " + describe(reason)).str();
  std::string text;
  for (auto [i, map] : llvm::enumerate(maps)) {
    if (i > 0)
      text += '\n';
    text += map.str();
    if (MapDetailsRef d = getDetails(i); d && withDetails)
      text += d->str();
  }
  return text;
}

bool IndexingSet::operator==(const IndexingSet &o) const {
  if (reason != o.reason || maps != o.maps)
    return false;
  for (size_t i = 0; i < maps.size(); ++i)
    if (!equalDetails(getDetails(i), o.getDetails(i)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// OpIndexing
//===----------------------------------------------------------------------===//

OpIndexing OpIndexing::unknown(unsigned numResults, unsigned numOperands,
                               IndexingReason reason) {
  OpIndexing indexing(numResults, numOperands);
  for (IndexingSet &set : indexing.outputs)
    set = IndexingSet::unknown(reason);
  for (IndexingSet &set : indexing.inputs)
    set = IndexingSet::unknown(reason);
  return indexing;
}

void OpIndexing::add(unsigned result, unsigned operand,
                     const IndexingMap &toInput, const IndexingMap &toOutput) {
  outputs[result * numOperands + operand].insert(toInput);
  inputs[result * numOperands + operand].insert(toOutput);
}

void OpIndexing::add(unsigned result, unsigned operand,
                     const DetailedMap &toInput, const DetailedMap &toOutput) {
  outputs[result * numOperands + operand].insert(toInput.map, toInput.details);
  inputs[result * numOperands + operand].insert(toOutput.map, toOutput.details);
}

bool OpIndexing::hasDetails() const {
  auto has = [](const IndexingSet &set) { return set.hasDetails(); };
  return llvm::any_of(outputs, has) || llvm::any_of(inputs, has);
}

void OpIndexing::setUnknown(unsigned result, unsigned operand,
                            IndexingReason reason) {
  outputs[result * numOperands + operand] = IndexingSet::unknown(reason);
  inputs[result * numOperands + operand] = IndexingSet::unknown(reason);
}

unsigned OpIndexing::countUnknown() const {
  unsigned count = 0;
  for (const auto &sets : {ArrayRef(outputs), ArrayRef(inputs)})
    count += llvm::count_if(sets,
                            [](const IndexingSet &s) { return s.isUnknown(); });
  return count;
}

unsigned OpIndexing::countMaps() const {
  unsigned count = 0;
  for (const auto &sets : {ArrayRef(outputs), ArrayRef(inputs)})
    for (const IndexingSet &set : sets)
      count += set.getMaps().size();
  return count;
}

IndexingReason OpIndexing::firstReason() const {
  for (const auto &sets : {ArrayRef(outputs), ArrayRef(inputs)})
    for (const IndexingSet &set : sets)
      if (set.isUnknown())
        return set.getReason();
  return IndexingReason::None;
}

//===----------------------------------------------------------------------===//
// OpSignature
//===----------------------------------------------------------------------===//

/// All attributes. An op that is not registered keeps those in `<{...}>` apart.
static DictionaryAttr getAllAttributes(Operation *op) {
  DictionaryAttr attributes = op->getAttrDictionary();
  if (op->isRegistered())
    return attributes;
  auto inherent =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!inherent || inherent.empty())
    return attributes;
  NamedAttrList all(attributes);
  for (NamedAttribute attribute : inherent)
    all.set(attribute.getName(), attribute.getValue());
  return all.getDictionary(op->getContext());
}

OpSignature::OpSignature(Operation *op)
    : name(op->getName()), attributes(getAllAttributes(op)),
      operandTypes(op->getOperandTypes()), resultTypes(op->getResultTypes()),
      operation(op) {}

OpSignature::OpSignature(OperationName name, DictionaryAttr attributes,
                         TypeRange operandTypes, TypeRange resultTypes)
    : name(name), attributes(attributes), operandTypes(operandTypes),
      resultTypes(resultTypes) {}

//===----------------------------------------------------------------------===//
// Building blocks of models
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>>
tensoraccess::getIndexSpace(Type type, IndexingReason &reason) {
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!shaped.hasRank()) {
      reason = IndexingReason::UnrankedShape;
      return std::nullopt;
    }
    auto vector = dyn_cast<VectorType>(type);
    if (!shaped.hasStaticShape() || (vector && vector.isScalable())) {
      reason = IndexingReason::DynamicShape;
      return std::nullopt;
    }
    return SmallVector<int64_t>(shaped.getShape());
  }
  if (auto indexed = dyn_cast<IndexSpaceTypeInterface>(type)) {
    SmallVector<int64_t> shape = indexed.getShape();
    if (!ShapedType::isDynamicShape(shape))
      return shape;
    reason = IndexingReason::DynamicShape;
    return std::nullopt;
  }
  if (type.isIntOrIndexOrFloat() || isa<ComplexType>(type))
    return SmallVector<int64_t>();
  reason = IndexingReason::NotShaped;
  return std::nullopt;
}

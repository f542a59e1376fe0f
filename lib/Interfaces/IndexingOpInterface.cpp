//===- IndexingOpInterface.cpp - What an op reads -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "TensorAccess/Core/Relation.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::tensoraccess;

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

void IndexingSet::insert(const IndexingMap &map) {
  if (isUnknown())
    return;
  if (map.isUnknown()) {
    *this = unknown(fromUnknownReason(map.getUnknownReason()));
    return;
  }
  // A known-empty map adds no point: it stands only for a set without any.
  if (!maps.empty()) {
    if (map.isKnownEmpty())
      return;
    if (maps.size() == 1 && maps.front().isKnownEmpty())
      maps.clear();
  }
  if (maps.empty()) {
    maps.push_back(map);
    return;
  }
  std::string text = map.str();
  auto at = std::lower_bound(
      maps.begin(), maps.end(), text,
      [](const IndexingMap &m, const std::string &t) { return m.str() < t; });
  if (at == maps.end() || at->str() != text)
    maps.insert(at, map);
}

IndexingSet IndexingSet::of(ArrayRef<IndexingMap> maps) {
  if (maps.size() < 2)
    return maps.empty() ? IndexingSet() : IndexingSet(maps.front());
  IndexingSet set;
  bool anyPoints = llvm::any_of(
      maps, [](const IndexingMap &m) { return !m.isKnownEmpty(); });
  SmallVector<std::pair<std::string, IndexingMap>> texts;
  for (const IndexingMap &map : maps) {
    if (map.isUnknown())
      return unknown(fromUnknownReason(map.getUnknownReason()));
    if (!map.isKnownEmpty() || !anyPoints)
      texts.emplace_back(map.str(), map);
  }
  llvm::sort(texts, llvm::less_first());
  texts.erase(llvm::unique(texts,
                           [](const auto &a, const auto &b) {
                             return a.first == b.first;
                           }),
              texts.end());
  for (auto &[text, map] : texts)
    set.maps.push_back(std::move(map));
  if (!anyPoints)
    set.maps.truncate(1);
  return set;
}

void IndexingSet::insert(const IndexingSet &other) {
  if (other.isUnknown()) {
    if (!isUnknown())
      *this = other;
    return;
  }
  for (const IndexingMap &map : other.maps)
    insert(map);
}

std::string IndexingSet::str() const {
  if (isUnknown())
    return ("unknown: " + describe(reason)).str();
  return llvm::join(
      llvm::map_range(maps, [](const IndexingMap &m) { return m.str(); }),
      "\n");
}

//===----------------------------------------------------------------------===//
// Size parameters
//===----------------------------------------------------------------------===//

std::string tensoraccess::getSizeName(unsigned parameter) {
  return "n" + std::to_string(parameter);
}

bool tensoraccess::isSizeName(StringRef name) {
  unsigned number;
  return name.consume_front("n") && !name.getAsInteger(10, number);
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

OpSignature::OpSignature(Operation *op)
    : name(op->getName()), attributes(op->getAttrDictionary()),
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
  if (type.isIntOrIndexOrFloat() || isa<ComplexType>(type))
    return SmallVector<int64_t>();
  reason = IndexingReason::NotShaped;
  return std::nullopt;
}

static SmallVector<Interval> getRanges(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(
      shape, [](int64_t size) { return Interval::ofExtent(size); });
}

/// `loops` with the results from `first` on in front.
static IndexingMap rotateResults(const IndexingMap &loops, unsigned first) {
  SmallVector<Form> results(loops.getResults().drop_front(first));
  llvm::append_range(results, loops.getResults().take_front(first));
  return loops.withResults(results);
}

void tensoraccess::addRelation(OpIndexing &indexing, unsigned result,
                               unsigned operand, ArrayRef<int64_t> resultShape,
                               ArrayRef<int64_t> operandShape,
                               const IndexingMap &loops) {
  if (loops.isUnknown())
    return indexing.setUnknown(result, operand,
                               fromUnknownReason(loops.getUnknownReason()));
  indexing.add(
      result, operand,
      relate(loops, resultShape.size(), getRanges(resultShape)),
      relate(rotateResults(loops, resultShape.size()), operandShape.size(),
             getRanges(operandShape)));
}

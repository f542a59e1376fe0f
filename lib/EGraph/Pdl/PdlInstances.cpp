//===- PdlInstances.cpp - The terms that a pattern stands for -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matching looks for nodes. Where a theory makes one node of all terms that
// mean the same, a term may be there that no node spells. So the terms of a
// pattern are made, from the leaves up:
//
//   1. With types only: a variable is of one of the classes' types, an op is
//      what its verifier accepts on operands of these types, an attribute that
//      is open is one that an op of the name has, a type that can't be inferred
//      is one of the classes'. What is left is a list of *shapes*, a symbol for
//      each op and a type for each variable, which is a short list, since types
//      restrict much.
//   2. For each shape, with classes of these types; nodes that are not there
//      are added.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/PdlRules.h"

#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace mlir::tensoraccess {
class PdlInstances {
public:
  PdlInstances(const PdlRule &rule, TermGraph &graph,
               const PdlMaterial &material)
      : rule(rule), graph(graph), material(material), left(material.limit) {
    for (ClassId id : material.classes)
      if (Type type = graph.getType(id))
        byType[type].push_back(graph.getTable().find(id));
    for (const auto &entry : byType)
      types.insert(entry.first);
    types.insert(material.rootTypes.begin(), material.rootTypes.end());
  }

  std::optional<std::vector<PdlInstance>> make() {
    symbols.resize(rule.elements.size());
    shapes.resize(rule.elements.size());
    if (!addShapes(0))
      return std::nullopt;
    for (const std::vector<SymbolId> &shape : found) {
      PdlInstance instance{std::vector<ClassId>(shape.size()), shape};
      if (!addTerms(instance, 0))
        return std::nullopt;
    }
    return std::move(instances);
  }

private:
  using Element = PdlRule::Element;

  bool spend() { return left != 0 && left-- != 0; }

  /// The type that the rule gives a variable, if it is the same for all
  /// matches.
  Type getConstantType(unsigned element) const {
    for (const PdlRule::Step &step : rule.checks)
      if (step.kind == PdlRule::Step::Kind::ClassType &&
          step.element == element)
        return rule.handles[step.handle].type;
    return {};
  }

  /// Goes over the elements from `e` on. False if the limit is reached.
  bool addShapes(unsigned e);
  SmallVector<Attribute> findValues(OperationName op, StringRef name) const;
  bool addOperations(unsigned e, NamedAttrList &attributes, unsigned number);
  bool addOperation(unsigned e, DictionaryAttr attributes);
  bool takeSymbol(unsigned e, SymbolId symbol);
  bool addTerms(PdlInstance &instance, unsigned e);

  const PdlRule &rule;
  TermGraph &graph;
  const PdlMaterial &material;
  uint64_t left;
  llvm::MapVector<Type, SmallVector<ClassId, 4>> byType;
  llvm::SetVector<Type> types;
  /// Of each element its symbol, for a variable one of its type, and its types.
  std::vector<SymbolId> symbols;
  std::vector<ArrayRef<Type>> shapes;
  std::vector<std::vector<SymbolId>> found;
  std::vector<PdlInstance> instances;
};
} // namespace mlir::tensoraccess

bool PdlInstances::addShapes(unsigned e) {
  if (e == rule.elements.size()) {
    found.push_back(symbols);
    return spend();
  }
  const Element &element = rule.elements[e];
  switch (element.kind) {
  case Element::Kind::Variable: {
    const Type constant = getConstantType(e);
    for (auto &[type, classes] : byType) {
      if (constant && constant != type)
        continue;
      symbols[e] = graph.getTable().getSymbol(classes.front());
      shapes[e] = graph.getTypes(classes.front());
      if (!spend() || !addShapes(e + 1))
        return false;
    }
    return true;
  }
  case Element::Kind::Result: {
    ArrayRef<Type> of = shapes[element.operands.front()];
    if (element.index >= of.size())
      return true;
    symbols[e] = graph.getProjectionSymbol(element.index, of[element.index]);
    shapes[e] = graph.getResultTypes(symbols[e]);
    return addShapes(e + 1);
  }
  case Element::Kind::Operation: {
    if (!element.name)
      return true;
    NamedAttrList attributes;
    if (!addOperations(e, attributes, 0))
      return false;
    // How many operands are of a kind need not be in a pattern.
    constexpr StringLiteral segments = "operandSegmentSizes";
    if (!element.name->hasTrait<OpTrait::AttrSizedOperandSegments>() ||
        llvm::any_of(element.attributes,
                     [&](auto &entry) { return entry.first == segments; }))
      return true;
    for (Attribute value : findValues(*element.name, segments)) {
      attributes.set(segments, value);
      if (!addOperations(e, attributes, 0))
        return false;
    }
    return true;
  }
  }
  return true;
}

/// The values that an attribute of such ops has in the graph.
SmallVector<Attribute> PdlInstances::findValues(OperationName op,
                                                StringRef name) const {
  llvm::SetVector<Attribute> values;
  for (SymbolId symbol = 0; symbol != graph.getTable().getNumSymbols();
       ++symbol)
    if (graph.isOperation(symbol) && graph.getName(symbol) == op)
      if (Attribute value = graph.getAttributes(symbol).get(name))
        values.insert(value);
  return SmallVector<Attribute>(values.begin(), values.end());
}

/// Chooses attributes from `number` on.
bool PdlInstances::addOperations(unsigned e, NamedAttrList &attributes,
                                 unsigned number) {
  const Element &element = rule.elements[e];
  if (number == element.attributes.size())
    return addOperation(e, attributes.getDictionary(graph.getContext()));
  auto [name, constant] = element.attributes[number];
  SmallVector<Attribute> values;
  if (constant)
    values.push_back(constant);
  else
    values = findValues(*element.name, name);
  for (Attribute value : values) {
    attributes.set(name, value);
    if (!addOperations(e, attributes, number + 1))
      return false;
  }
  attributes.erase(name);
  return true;
}

bool PdlInstances::addOperation(unsigned e, DictionaryAttr attributes) {
  const Element &element = rule.elements[e];
  SmallVector<Type, 4> operands;
  for (unsigned operand : element.operands) {
    if (shapes[operand].size() != 1)
      return true;
    operands.push_back(shapes[operand].front());
  }
  auto attempt = [&](std::optional<ArrayRef<Type>> results) {
    if (!spend())
      return false;
    std::optional<SymbolId> symbol =
        graph.getSymbol(*element.name, attributes, operands, results);
    return !symbol || takeSymbol(e, *symbol);
  };
  if (!element.resultTypes.empty() &&
      llvm::all_of(element.resultTypes, [](Type type) { return bool(type); }))
    return attempt(ArrayRef<Type>(element.resultTypes));
  if (element.name->hasInterface<InferTypeOpInterface>())
    return attempt(std::nullopt);
  // One result of an unknown type.
  if (element.numResults.value_or(1) != 1)
    return true;
  for (Type type : types)
    if ((e != rule.roots.front() || material.rootTypes.empty() ||
         llvm::is_contained(material.rootTypes, type)) &&
        !attempt(ArrayRef<Type>(type)))
      return false;
  return true;
}

bool PdlInstances::takeSymbol(unsigned e, SymbolId symbol) {
  const Element &element = rule.elements[e];
  ArrayRef<Type> results = graph.getResultTypes(symbol);
  if (element.numResults && results.size() != *element.numResults)
    return true;
  for (auto [expected, type] : llvm::zip(element.resultTypes, results))
    if (expected && expected != type)
      return true;
  if (e == rule.roots.front() && !material.rootTypes.empty() &&
      !(results.size() == 1 &&
        llvm::is_contained(material.rootTypes, results.front())))
    return true;
  symbols[e] = symbol;
  shapes[e] = results;
  return addShapes(e + 1);
}

bool PdlInstances::addTerms(PdlInstance &instance, unsigned e) {
  if (e == rule.elements.size()) {
    instances.push_back(instance);
    return spend();
  }
  const Element &element = rule.elements[e];
  if (element.kind == Element::Kind::Variable) {
    Type type = graph.getResultTypes(instance.symbols[e]).front();
    for (ClassId id : byType[type]) {
      if (material.areDistinct &&
          llvm::is_contained(ArrayRef(instance.classes).take_front(e), id))
        continue;
      instance.classes[e] = id;
      if (!spend() || !addTerms(instance, e + 1))
        return false;
      if (material.areDistinct)
        break;
    }
    return true;
  }
  TermNode node{instance.symbols[e], {}};
  for (unsigned operand : element.operands)
    node.operands.push_back(graph.getTable().find(instance.classes[operand]));
  std::optional<ClassId> id =
      graph.getTable().lookup(node.symbol, node.operands);
  if (!id)
    id = graph.addNode(node);
  if (!id)
    return false;
  instance.classes[e] = *id;
  return addTerms(instance, e + 1);
}

std::optional<std::vector<PdlInstance>>
PdlRule::makeInstances(TermGraph &graph, const PdlMaterial &material) const {
  return PdlInstances(*this, graph, material).make();
}

//===- TermChecks.cpp - What an op requires -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, validity and folding of a node, asked of an op that is made for it:
//
//   1. An argument for each operand; the same one for equal classes when it is
//      folded.
//   2. Attributes are checked before the op is made, since an op drops what it
//      can't hold.
//   3. The answer is kept under what it depends on, and the op is erased.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/IR/Checks.h"

#include "TermScratch.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// What an op requires of its operands and attributes before its results are
/// inferred, which assumes that they are valid: empty, or what is wrong. Asked of an
/// op with a result of a type that hardly any op has; what is reported of that is
/// left out.
static std::string checkInputs(OperationState &state, OpBuilder &builder) {
  if (!state.regions.empty())
    return "";
  OperationState attempt(state.location, state.name);
  attempt.operands = state.operands;
  attempt.attributes = state.attributes;
  attempt.types.push_back(NoneType::get(state.getContext()));
  CapturedErrors captured(state.getContext());
  Operation *op = builder.create(attempt);
  const bool isValid = succeeded(state.name.verifyInvariants(op));
  op->erase();
  for (StringRef about :
       {"operand #", "operands, but found", "requires a single operand",
        "requires zero operands", "requires attribute"})
    if (!isValid && StringRef(captured.getFirst()).contains(about))
      return captured.getFirst();
  return "";
}

const TermGraph::Made &
TermGraph::makeSymbol(OperationName name, DictionaryAttr attributes,
                      ArrayRef<unsigned> operands,
                      std::optional<ArrayRef<Type>> resultTypes) {
  std::vector<uintptr_t> key = {
      reinterpret_cast<uintptr_t>(name.getAsOpaquePointer()),
      reinterpret_cast<uintptr_t>(attributes.getAsOpaquePointer()),
      resultTypes ? internTypes(*resultTypes) : ~uintptr_t(0)};
  key.insert(key.end(), operands.begin(), operands.end());
  auto [it, isNew] = madeSymbols.try_emplace(std::move(key));
  Made &made = it->second;
  if (!isNew)
    return made;

  for (auto [i, operand] : llvm::enumerate(operands))
    if (const size_t count = typeLists[operand].size(); count != 1) {
      made.problem = "operand " + std::to_string(i) + " of '" +
                     name.getStringRef().str() + "' is " +
                     std::to_string(count) + " values";
      return made;
    }
  CapturedErrors captured(context);
  auto scope = scratch->enter();
  OperationState state(scratch->getLoc(), name);
  for (unsigned operand : operands)
    state.operands.push_back(scratch->addArgument(typeLists[operand].front()));
  NamedAttrList list(attributes);
  auto attempt = [&]() -> Operation * {
    if (name.isRegistered()) {
      name.populateDefaultAttrs(list);
      if (failed(name.verifyInherentAttrs(
              list, [&] { return emitError(state.location); })))
        return nullptr;
    }
    state.attributes = list;
    auto completion = completions.find(name.getDialectNamespace());
    if (completion != completions.end())
      completion->second(scratch->getBuilder(), state);
    if (resultTypes)
      state.addTypes(*resultTypes);
    else if (!name.hasInterface<InferTypeOpInterface>())
      made.problem = "the result types of '" + name.getStringRef().str() +
                     "' can't be inferred";
    else if (made.problem = checkInputs(state, scratch->getBuilder());
             made.problem.empty() && failed(inferTypes(state)))
      return nullptr;
    if (!made.problem.empty())
      return nullptr;
    Operation *op = scratch->getBuilder().create(state);
    if (failed(name.verifyInvariants(op)))
      return nullptr;
    if (op->getNumResults() == 0)
      made.problem = "'" + name.getStringRef().str() + "' has no results";
    else if (name.isRegistered() &&
             (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op)))
      made.problem =
          "'" + name.getStringRef().str() + "' has effects besides its results";
    else
      return op;
    return nullptr;
  };
  if (Operation *op = attempt())
    made.symbol = internOperation(op, {});
  else if (made.problem.empty())
    made.problem = captured.getFirst().empty()
                       ? "'" + name.getStringRef().str() + "' is not valid"
                       : captured.getFirst();
  return made;
}

std::optional<ClassId> TermGraph::add(OperationName name,
                                      DictionaryAttr attributes,
                                      ArrayRef<ClassId> operands,
                                      std::optional<ArrayRef<Type>> resultTypes,
                                      std::string *problem) {
  SmallVector<unsigned, 4> types;
  for (ClassId operand : operands)
    types.push_back(symbols[table.getSymbol(table.find(operand))].types);
  const Made &made = makeSymbol(name, attributes, types, resultTypes);
  if (made.symbol)
    return addNode({*made.symbol, SmallVector<ClassId, 4>(operands)});
  if (problem)
    *problem = made.problem;
  return std::nullopt;
}

std::optional<SymbolId> TermGraph::getSymbol(
    OperationName name, DictionaryAttr attributes, ArrayRef<Type> operandTypes,
    std::optional<ArrayRef<Type>> resultTypes, std::string *problem) {
  SmallVector<unsigned, 4> types;
  for (Type type : operandTypes)
    types.push_back(internTypes(type));
  const Made &made = makeSymbol(name, attributes, types, resultTypes);
  if (!made.symbol && problem)
    *problem = made.problem;
  return made.symbol;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

ArrayRef<TermGraph::Folded> TermGraph::fold(SymbolId symbol,
                                            ArrayRef<ClassId> operands) {
  if (symbols[symbol].constant || !getName(symbol).isRegistered())
    return {};
  SmallVector<ClassId, 4> names;
  SmallVector<Attribute, 4> constants;
  std::vector<uintptr_t> key = {symbol};
  for (auto [i, operand] : llvm::enumerate(operands)) {
    names.push_back(table.find(operand));
    constants.push_back(getConstant(names.back()));
    key.push_back(llvm::find(names, names.back()) - names.begin());
    key.push_back(symbols[table.getSymbol(names.back())].types);
    key.push_back(
        reinterpret_cast<uintptr_t>(constants.back().getAsOpaquePointer()));
  }
  auto [it, isNew] = foldedNodes.try_emplace(std::move(key));
  SmallVector<Folded, 1> &folded = it->second;
  if (!isNew)
    return folded;

  CapturedErrors captured(context);
  auto scope = scratch->enter();
  SmallVector<Value, 4> arguments;
  for (auto [i, name] : llvm::enumerate(names)) {
    const size_t first = llvm::find(names, name) - names.begin();
    // A tuple is not an operand.
    if (!getType(name))
      return folded;
    arguments.push_back(first == i ? scratch->addArgument(getType(name))
                                   : arguments[first]);
  }
  std::optional<SmallVector<Value, 1>> made =
      buildNode(scratch->getBuilder(), scratch->getLoc(), symbol, arguments);
  if (!made || made->empty())
    return folded;
  Operation *op = made->front().getDefiningOp();
  SmallVector<OpFoldResult> results;
  constants.truncate(op->getNumOperands());
  // What is folded in place has no results here.
  if (failed(op->fold(constants, results)) ||
      results.size() != op->getNumResults())
    return folded;
  for (OpFoldResult result : results) {
    Folded entry;
    if (auto attribute = dyn_cast<Attribute>(result))
      entry.attribute = attribute;
    else if (auto value = dyn_cast<Value>(result))
      if (auto at = llvm::find(arguments, value); at != arguments.end())
        entry.operand = at - arguments.begin();
    folded.push_back(entry);
  }
  return folded;
}

std::optional<ClassId> TermGraph::addConstant(Attribute value, Type type,
                                              Dialect *dialect,
                                              std::string *problem) {
  std::optional<SymbolId> symbol;
  if (dialect) {
    CapturedErrors captured(context);
    auto scope = scratch->enter();
    if (Operation *op = dialect->materializeConstant(
            scratch->getBuilder(), value, type, scratch->getLoc()))
      if (op->getNumOperands() == 0 && op->getNumResults() == 1 &&
          op->getResult(0).getType() == type)
        symbol = getSymbol(op);
  }
  if (symbol)
    return addNode({*symbol, {}});
  if (problem) {
    problem->clear();
    llvm::raw_string_ostream(*problem)
        << "there is no constant " << value << " of type " << type;
  }
  return std::nullopt;
}

bool TermGraph::foldNode(SymbolId symbol, ArrayRef<ClassId> operands,
                         ClassId id) {
  bool isChanged = false;
  // A copy: adding a constant folds, too.
  SmallVector<Folded, 1> folded(fold(symbol, operands));
  for (auto [i, entry] : llvm::enumerate(folded)) {
    std::optional<ClassId> equal;
    // What may be anything is not an answer: 0 * poison is 0, too.
    if (isa_and_nonnull<ub::PoisonAttrInterface>(entry.attribute))
      continue;
    if (entry.attribute)
      equal = addConstant(entry.attribute, getTypes(id)[i],
                          getName(symbol).getDialect());
    else if (entry.operand >= 0)
      equal = operands[entry.operand];
    if (!equal)
      continue;
    std::optional<ClassId> result = getResult(id, i);
    isChanged |= result && merge(*result, *equal) == MergeResult::Merged;
  }
  return isChanged;
}

// A node is folded when it is made. What it folds to depends on which operands
// are constants, and which are equal: that changes only where a class of an
// operand is merged.
bool TermGraph::foldAll() {
  bool isChanged = false;
  while (true) {
    table.rebuild();
    SmallVector<ClassId, 0> classes = std::move(merged);
    merged.clear();
    for (ClassId &id : classes)
      id = table.find(id);
    llvm::sort(classes);
    classes.erase(llvm::unique(classes), classes.end());
    // The ring of a class's parents grows while they are folded.
    SmallVector<NodeId, 0> parents;
    for (ClassId id : classes) {
      const bool isConstant = constantOf.contains(id);
      const std::optional<uint32_t> last = table.getLastSlot(id);
      if (!last)
        continue;
      uint32_t slot = *last;
      do {
        slot = table.getNextSlot(slot);
        const NodeId parent = table.getParent(slot);
        if (!table.isDead(parent) && isOperation(table.getSymbol(parent)) &&
            (isConstant || table.getNumOperands(parent) > 1))
          parents.push_back(parent);
      } while (slot != *last);
    }
    llvm::sort(parents);
    parents.erase(llvm::unique(parents), parents.end());
    bool isNews = false;
    SmallVector<ClassId, 4> operands;
    for (NodeId node : parents) {
      operands.clear();
      for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i)
        operands.push_back(table.find(table.getOperand(node, i)));
      isNews |= foldNode(table.getSymbol(node), operands, table.find(node));
    }
    if (!isNews)
      return isChanged;
    isChanged = true;
  }
}

std::optional<ClassId> TermGraph::lookup(Operation *op,
                                         ArrayRef<ClassId> operands) {
  TermNode node{getSymbol(op), SmallVector<ClassId, 4>(operands)};
  bool keepsOriginal = true;
  if (std::optional<TermNode> normal = normalize(node, keepsOriginal))
    return table.lookup(normal->symbol, normal->operands);
  if (std::optional<ClassId> id = table.lookup(node.symbol, node.operands))
    return id;
  // What it folds to may be there.
  ArrayRef<Folded> folded = fold(node.symbol, node.operands);
  if (folded.size() != 1)
    return std::nullopt;
  if (folded.front().operand >= 0)
    return table.find(operands[folded.front().operand]);
  if (!folded.front().attribute)
    return std::nullopt;
  for (NodeId constant : constantNodes) {
    const Symbol &symbol = symbols[table.getSymbol(constant)];
    if (symbol.constant == folded.front().attribute &&
        typeLists[symbol.types].front() == op->getResult(0).getType())
      return table.find(constant);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Value, 1>>
TermGraph::buildNode(OpBuilder &builder, Location loc, SymbolId id,
                     ValueRange operands, std::string *problem) {
  const Symbol &symbol = symbols[id];
  switch (symbol.kind) {
  case SymbolKind::Leaf:
    return SmallVector<Value, 1>{symbol.leaf};
  case SymbolKind::Projection:
    break;
  case SymbolKind::Theory:
    if (Value value = symbol.theory->build(*this, builder, loc, id, operands))
      return SmallVector<Value, 1>{value};
    break;
  case SymbolKind::Operation: {
    Operation *op;
    if (symbol.prototype) {
      IRMapping mapping;
      mapping.map(symbol.prototype->getBlock()->getArguments(), operands);
      op = builder.clone(*symbol.prototype, mapping);
      op->setLoc(loc);
    } else {
      OperationState state(loc, getName(id));
      state.addOperands(operands);
      state.addTypes(getResultTypes(id));
      state.addAttributes(symbol.attributes.getValue());
      op = builder.create(state);
    }
    return SmallVector<Value, 1>(op->getResults());
  }
  }
  if (problem)
    *problem = "there is no operation for " + describeSymbol(id);
  return std::nullopt;
}

//===- TermGraph.cpp - Operations as nodes --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbols, nodes and classes. What is asked of an op on the way is in
// TermChecks.cpp.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/TermGraph.h"

#include "TermScratch.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

size_t
TermGraph::WordsHash::operator()(const std::vector<uintptr_t> &words) const {
  return llvm::hash_combine_range(words.begin(), words.end());
}

/// What can't be merged.
class TermGraph::Facts : public ClassAnalysis {
public:
  explicit Facts(TermGraph &graph) : graph(graph) {}

  void made(NodeTable &table, NodeId node) override {
    if (!graph.symbols[table.getSymbol(node)].constant)
      return;
    graph.constantNodes.push_back(node);
    graph.constantOf[node] = node;
  }
  bool mayMerge(const NodeTable &, ClassId a, ClassId b,
                std::string &why) override;
  void merged(NodeTable &, ClassId winner, ClassId loser) override {
    if (graph.merged.empty() || graph.merged.back() != winner)
      graph.merged.push_back(winner);
    auto from = graph.constantOf.find(loser);
    if (from == graph.constantOf.end())
      return;
    const NodeId node = from->second;
    graph.constantOf.erase(from);
    graph.constantOf.try_emplace(winner, node);
  }

private:
  TermGraph &graph;
};

TermGraph::TermGraph(MLIRContext *context)
    : context(context), scratch(std::make_unique<Scratch>(context)),
      facts(std::make_unique<Facts>(*this)) {
  table.addAnalysis(facts.get());
}

TermGraph::~TermGraph() = default;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static uintptr_t asWord(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

unsigned TermGraph::internTypes(ArrayRef<Type> types) {
  std::vector<uintptr_t> words;
  for (Type type : types)
    words.push_back(asWord(type.getAsOpaquePointer()));
  auto [it, isNew] =
      typeListIds.try_emplace(std::move(words), typeLists.size());
  if (isNew)
    typeLists.emplace_back(types);
  return it->second;
}

SymbolId TermGraph::addSymbol(Symbol symbol, unsigned arity) {
  const SymbolId id = table.addSymbol(arity);
  assert(id == symbols.size() && "the table's symbols are the graph's");
  symbols.push_back(std::move(symbol));
  return id;
}

/// Keys of symbols begin with their kind.
template <typename... Words>
static std::vector<uintptr_t> makeKey(TermGraph::SymbolKind kind,
                                      Words... words) {
  return {static_cast<uintptr_t>(kind), static_cast<uintptr_t>(words)...};
}

SymbolId TermGraph::getTheorySymbol(TermTheory *theory, uint64_t data,
                                    unsigned arity,
                                    ArrayRef<Type> resultTypes) {
  const unsigned types = internTypes(resultTypes);
  auto [it, isNew] = symbolIds.try_emplace(
      makeKey(SymbolKind::Theory, asWord(theory), data, arity, types), 0);
  if (isNew) {
    Symbol symbol{SymbolKind::Theory, types};
    symbol.theory = theory;
    symbol.data = data;
    it->second = addSymbol(std::move(symbol), arity);
  }
  return it->second;
}

SymbolId TermGraph::getProjectionSymbol(unsigned index, Type type) {
  const unsigned types = internTypes(type);
  auto [it, isNew] =
      symbolIds.try_emplace(makeKey(SymbolKind::Projection, index, types), 0);
  if (isNew) {
    Symbol symbol{SymbolKind::Projection, types};
    symbol.data = index;
    it->second = addSymbol(std::move(symbol), 1);
  }
  return it->second;
}

SmallVector<Value> TermGraph::getCaptured(Operation *op) {
  if (op->getNumRegions() == 0)
    return {};
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured.takeVector();
}

/// Whether two ops in blocks of their own are alike, arguments of these blocks
/// with the same number being the same.
static bool areAlike(Operation *a, Operation *b) {
  llvm::DenseMap<Value, Value> partners;
  auto check = [&](Value left, Value right) -> LogicalResult {
    auto x = dyn_cast<BlockArgument>(left), y = dyn_cast<BlockArgument>(right);
    if (x && y && x.getOwner() == a->getBlock() &&
        y.getOwner() == b->getBlock())
      return success(x.getArgNumber() == y.getArgNumber());
    auto partner = partners.find(left);
    return success(partner != partners.end() && partner->second == right);
  };
  auto mark = [&](Value left, Value right) { partners[left] = right; };
  return OperationEquivalence::isEquivalentTo(
      a, b, check, mark, OperationEquivalence::IgnoreLocations);
}

SymbolId TermGraph::internOperation(Operation *op, ArrayRef<Value> captured) {
  const unsigned arity = op->getNumOperands() + captured.size();
  Symbol symbol{SymbolKind::Operation,
                internTypes(llvm::to_vector(op->getResultTypes()))};
  symbol.name = op->getName().getAsOpaquePointer();
  symbol.attributes = OpSignature(op).attributes;
  if (op->getNumRegions() == 0) {
    auto [it, isNew] = symbolIds.try_emplace(
        makeKey(SymbolKind::Operation, asWord(symbol.name),
                asWord(symbol.attributes.getAsOpaquePointer()), symbol.types,
                arity),
        0);
    if (isNew) {
      if (arity == 0 && op->getNumResults() == 1)
        matchPattern(op, m_Constant(&symbol.constant));
      // It would become a constant that equals others.
      if (isa_and_nonnull<ub::PoisonAttrInterface>(symbol.constant))
        symbol.constant = {};
      it->second = addSymbol(std::move(symbol), arity);
    }
    return it->second;
  }

  Block *block = scratch->addBlock();
  IRMapping mapping;
  for (Value value : op->getOperands())
    block->addArgument(value.getType(), scratch->getLoc());
  for (Value value : captured)
    mapping.map(value, block->addArgument(value.getType(), scratch->getLoc()));
  Operation *prototype = OpBuilder::atBlockEnd(block).clone(*op, mapping);
  prototype->setOperands(
      ValueRange(block->getArguments()).take_front(op->getNumOperands()));
  const size_t hash = llvm::hash_combine(
      arity, OperationEquivalence::computeHash(
                 prototype, OperationEquivalence::ignoreHashValue,
                 OperationEquivalence::ignoreHashValue,
                 OperationEquivalence::IgnoreLocations));
  SmallVector<SymbolId, 1> &candidates = prototypes[hash];
  for (SymbolId candidate : candidates)
    if (table.getArity(candidate) == arity &&
        areAlike(symbols[candidate].prototype, prototype)) {
      block->erase();
      return candidate;
    }
  symbol.prototype = prototype;
  candidates.push_back(addSymbol(std::move(symbol), arity));
  return candidates.back();
}

SymbolId TermGraph::getSymbol(Operation *op) {
  return internOperation(op, getCaptured(op));
}

OpSignature TermGraph::getSignature(SymbolId symbol,
                                    ArrayRef<ClassId> operands) const {
  SmallVector<Type> types;
  for (ClassId operand : operands)
    types.push_back(getType(operand));
  if (Operation *prototype = symbols[symbol].prototype)
    types.resize(prototype->getNumOperands());
  OpSignature signature(getName(symbol), getAttributes(symbol), types,
                        getResultTypes(symbol));
  signature.operation = symbols[symbol].prototype;
  return signature;
}

std::string TermGraph::describeSymbol(SymbolId symbol) const {
  switch (getKind(symbol)) {
  case SymbolKind::Operation:
    return getName(symbol).getStringRef().str();
  case SymbolKind::Projection:
    return "result " + std::to_string(getIndex(symbol));
  case SymbolKind::Theory:
    return getTheory(symbol)->describe(symbol, /*isFull=*/false);
  case SymbolKind::Leaf:
    break;
  }
  Value leaf = getLeaf(symbol);
  if (auto argument = dyn_cast<BlockArgument>(leaf))
    return "argument " + std::to_string(argument.getArgNumber());
  return leaf.getDefiningOp()->getName().getStringRef().str();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

std::optional<ClassId> TermGraph::addToTable(const TermNode &node) {
  return table.add(node.symbol, node.operands);
}

std::optional<TermNode> TermGraph::normalize(const TermNode &node,
                                             bool &keepsOriginal) {
  for (TermTheory *theory : theories)
    if (std::optional<TermNode> normal = theory->normalize(*this, node)) {
      keepsOriginal = theory->keepsOriginal();
      return normal;
    }
  return std::nullopt;
}

std::optional<ClassId> TermGraph::addNode(const TermNode &node, NodeId *made) {
  bool keepsOriginal = true;
  const std::optional<TermNode> normal =
      isOperation(node.symbol) ? normalize(node, keepsOriginal) : std::nullopt;
  std::optional<ClassId> id;
  const NodeId begin = table.getEnd();
  if (normal && !(id = addToTable(*normal)))
    return std::nullopt;
  if (made && id)
    *made = table.getEnd() != begin ? begin : *id;
  if (keepsOriginal) {
    const NodeId end = table.getEnd();
    std::optional<ClassId> original = addToTable(node);
    if (!original)
      return std::nullopt;
    const bool isNew = table.getEnd() != end;
    if (made)
      *made = isNew ? end : *original;
    if (id)
      merge(*id, *original);
    id = original;
    if (isNew && isOperation(node.symbol)) {
      // Rules look for results.
      if (const size_t count = getResultTypes(node.symbol).size(); count > 1)
        for (size_t i = 0; i != count; ++i)
          if (!getResult(*id, i))
            return std::nullopt;
      foldNode(node.symbol, node.operands, *id);
    }
  }
  return table.find(*id);
}

SymbolId TermGraph::getLeafSymbol(Value value) {
  const unsigned types = internTypes(value.getType());
  auto [it, isNew] = symbolIds.try_emplace(
      makeKey(SymbolKind::Leaf, asWord(value.getAsOpaquePointer())), 0);
  if (isNew) {
    Symbol symbol{SymbolKind::Leaf, types};
    symbol.leaf = value;
    it->second = addSymbol(std::move(symbol), 0);
  }
  return it->second;
}

std::optional<ClassId> TermGraph::addLeaf(Value value) {
  return addToTable({getLeafSymbol(value), {}});
}

std::optional<ClassId> TermGraph::add(Operation *op, ArrayRef<ClassId> operands,
                                      std::string *problem) {
  TermNode node{getSymbol(op), SmallVector<ClassId, 4>(operands)};
  assert(table.getArity(node.symbol) == operands.size() &&
         "a class for every operand and captured value");
  return addNode(node);
}

std::optional<ClassId> TermGraph::getResult(ClassId id, unsigned index) {
  ArrayRef<Type> types = getTypes(id);
  assert(index < types.size() && "a result that the operation has");
  if (types.size() == 1)
    return table.find(id);
  return addToTable({getProjectionSymbol(index, types[index]), {id}});
}

std::optional<ClassId> TermGraph::lookupResult(ClassId id, unsigned index) {
  ArrayRef<Type> types = getTypes(id);
  assert(index < types.size() && "a result that the operation has");
  if (types.size() == 1)
    return table.find(id);
  return table.lookup(getProjectionSymbol(index, types[index]), {id});
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

Attribute TermGraph::getConstant(ClassId id) const {
  auto it = constantOf.find(table.find(id));
  return it == constantOf.end() ? Attribute()
                                : symbols[table.getSymbol(it->second)].constant;
}

bool TermGraph::mayBePoisonOf(NodeId node) const {
  const SymbolId symbol = table.getSymbol(node);
  const Symbol &of = symbols[symbol];
  if (!getConstant(node) || of.constant || of.kind == SymbolKind::Leaf ||
      of.kind == SymbolKind::Theory)
    return false;
  // Moved constants are not poison.
  if (of.kind != SymbolKind::Operation ||
      !isa<ShapedType>(typeLists[of.types].front()) ||
      getName(symbol).hasTrait<OpTrait::Elementwise>())
    return true;
  for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i)
    if (!getConstant(table.getOperand(node, i)))
      return true;
  return false;
}

static std::string show(ArrayRef<Type> types) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (types.empty())
    stream << "()";
  else if (types.size() == 1)
    stream << types.front();
  else
    stream << TupleType::get(types.front().getContext(), types);
  return text;
}

/// Whether two numbers differ by no more than what a few roundings do, or are
/// both are NaN: which NaN it is is not specified.
static bool areNear(const APFloat &a, const APFloat &b) {
  if (a.isNaN() && b.isNaN())
    return true;
  if (&a.getSemantics() != &b.getSemantics() || !a.isFinite() || !b.isFinite())
    return false;
  auto toDouble = [](APFloat value) {
    bool isRounded = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &isRounded);
    return value.convertToDouble();
  };
  const double x = toDouble(a), y = toDouble(b);
  const double ulp =
      std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(a.getSemantics())));
  return std::abs(x - y) <= 64 * ulp * std::max(std::abs(x), std::abs(y));
}

/// Whether two constants are of floating point, and then whether they are near.
static std::pair<bool, bool> compareFloats(Attribute a, Attribute b) {
  if (auto x = dyn_cast<FloatAttr>(a), y = dyn_cast<FloatAttr>(b); x && y)
    return {true, areNear(x.getValue(), y.getValue())};
  auto x = dyn_cast<DenseElementsAttr>(a), y = dyn_cast<DenseElementsAttr>(b);
  if (!x || !y || x.getType() != y.getType() ||
      !isa<FloatType>(x.getElementType()))
    return {isa_and_nonnull<ComplexType>(x ? x.getElementType() : Type()),
            false};
  if (x.isSplat() && y.isSplat())
    return {true,
            areNear(x.getSplatValue<APFloat>(), y.getSplatValue<APFloat>())};
  for (auto [left, right] :
       llvm::zip_equal(x.getValues<APFloat>(), y.getValues<APFloat>()))
    if (!areNear(left, right))
      return {true, false};
  return {true, true};
}

bool TermGraph::Facts::mayMerge(const NodeTable &, ClassId a, ClassId b,
                                std::string &why) {
  if (graph.getTypes(a) != graph.getTypes(b)) {
    why = "a term of type " + show(graph.getTypes(a)) +
          " can't equal one of type " + show(graph.getTypes(b));
    return false;
  }
  Attribute x = graph.getConstant(a), y = graph.getConstant(b);
  if (!x || !y || x == y)
    return true;
  why.clear();
  llvm::raw_string_ostream(why) << "the constant " << x << " can't equal " << y;
  auto [areFloats, isNear] = compareFloats(x, y);
  if (!isNear &&
      (!graph.conflict || (graph.conflict->isOfFloats && !areFloats)))
    graph.conflict = {why, areFloats};
  return false;
}

TermGraph::MergeResult TermGraph::merge(ClassId a, ClassId b,
                                        std::string *problem) {
  if (table.find(a) == table.find(b))
    return MergeResult::WasEqual;
  // An explainer needs the names as they were given.
  std::string why;
  if (facts->mayMerge(table, a, b, why) && table.merge(a, b))
    return MergeResult::Merged;
  // Other analyses may refuse, too.
  if (why.empty() && table.getRefusal())
    why = table.getRefusal()->why;
  if (problem)
    *problem = why;
  return MergeResult::Refused;
}

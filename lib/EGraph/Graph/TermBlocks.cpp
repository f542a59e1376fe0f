//===- TermBlocks.cpp - Blocks into terms, and back -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading: ops in the order of the block, so that operands are known. Writing:
// classes are walked with a stack of their own, operands first; a class that is
// met while it is open needs itself.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/TermGraph.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;

/// A table's symbols have 16 bits of operands.
static constexpr unsigned kMaxOperands = 1000;

bool mlir::tensoraccess::isTerm(Operation *op) {
  return op->getNumResults() != 0 && op->getNumSuccessors() == 0 &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<SymbolOpInterface>(op) && !op->hasTrait<OpTrait::SymbolTable>() &&
         isMemoryEffectFree(op);
}

SmallVector<Value> TermGraph::getInputs(Operation *op) {
  SmallVector<Value> inputs(op->getOperands());
  llvm::append_range(inputs, getCaptured(op));
  return inputs;
}

bool mlir::tensoraccess::becomesNode(
    Operation *op, llvm::function_ref<bool(Operation *)> isNode) {
  return isNode(op) && TermGraph::getInputs(op).size() <= kMaxOperands;
}

/// The key of an op among those that became a node.
static uint64_t hashTerm(SymbolId symbol, ArrayRef<Value> inputs) {
  size_t hash = llvm::hash_value(symbol);
  for (Value input : inputs)
    hash = llvm::hash_combine(hash, input.getAsOpaquePointer());
  // DenseMap has two keys of its own.
  return hash >> 1;
}

/// A value that no term of the block computes; a constant from outside is known
/// to be one.
static std::optional<ClassId> addInput(TermGraph &graph, Value value) {
  std::optional<ClassId> leaf = graph.addLeaf(value);
  Operation *op = value.getDefiningOp();
  if (!leaf || !op || !op->hasTrait<OpTrait::ConstantLike>() ||
      op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      op->getNumRegions() != 0)
    return leaf;
  std::optional<ClassId> constant = graph.add(op, {});
  if (constant)
    graph.merge(*leaf, *constant);
  return constant;
}

std::optional<TermBlock>
mlir::tensoraccess::importBlock(TermGraph &graph, Block &block,
                                llvm::function_ref<bool(Operation *)> isNode,
                                const llvm::DenseMap<Value, ClassId> *known) {
  TermBlock result;
  if (known)
    result.classes = *known;
  llvm::DenseSet<Value> values;
  SmallVector<ClassId, 4> operands;
  std::map<std::vector<ClassId>, NodeId> made;
  for (Operation &op : block) {
    if (!becomesNode(&op, isNode))
      continue;
    SmallVector<Value> inputs = TermGraph::getInputs(&op);
    operands.clear();
    for (Value input : inputs) {
      auto [it, isNew] = result.classes.try_emplace(input, 0);
      if (isNew) {
        std::optional<ClassId> leaf = addInput(graph, input);
        if (!leaf)
          return std::nullopt;
        it->second = *leaf;
      }
      operands.push_back(it->second);
    }
    const SymbolId symbol = graph.getSymbol(&op);
    std::vector<ClassId> key = {symbol};
    for (ClassId operand : operands)
      key.push_back(graph.getTable().find(operand));
    NodeId node;
    std::optional<ClassId> id = graph.addNode({symbol, operands}, &node);
    if (!id)
      return std::nullopt;
    // A node that was there is that of an equal term.
    result.nodes[&op] = made.try_emplace(std::move(key), node).first->second;
    for (OpResult value : op.getResults()) {
      std::optional<ClassId> of = graph.getResult(*id, value.getResultNumber());
      if (!of)
        return std::nullopt;
      result.classes[value] = *of;
      values.insert(value);
    }
    result.terms.push_back(&op);
    result.ops[hashTerm(symbol, inputs)].push_back(&op);
  }
  if (block.empty())
    return result;

  // Users in the order of the block, their values as they appear.
  llvm::DenseSet<Operation *> terms(result.terms.begin(), result.terms.end());
  Operation *last = &block.back();
  for (Operation &op : block) {
    if (terms.contains(&op))
      continue;
    llvm::SmallSetVector<Value, 4> wanted;
    op.walk<WalkOrder::PreOrder>([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (values.contains(operand))
          wanted.insert(operand);
    });
    if (&op == last)
      for (Operation *term : result.terms)
        for (Value value : term->getResults())
          if (llvm::any_of(value.getUsers(), [&](Operation *user) {
                return !block.findAncestorOpInBlock(*user);
              }))
            wanted.insert(value);
    if (!wanted.empty())
      result.users.push_back(
          {&op, SmallVector<Value, 2>(wanted.begin(), wanted.end())});
  }
  return result;
}

llvm::DenseMap<Value, ClassId>
mlir::tensoraccess::lookupBlock(TermGraph &graph, Block &block,
                                const llvm::DenseMap<Value, ClassId> &known,
                                llvm::function_ref<bool(Operation *)> isNode) {
  llvm::DenseMap<Value, ClassId> classes = known;
  SmallVector<ClassId, 4> operands;
  for (Operation &op : block) {
    if (!isNode(&op))
      continue;
    operands.clear();
    SmallVector<Value> inputs = TermGraph::getInputs(&op);
    for (Value input : inputs)
      if (auto it = classes.find(input); it != classes.end())
        operands.push_back(it->second);
    if (operands.size() != inputs.size())
      continue;
    std::optional<ClassId> id = graph.lookup(&op, operands);
    if (!id)
      continue;
    for (OpResult value : op.getResults())
      if (auto of = graph.lookupResult(*id, value.getResultNumber()))
        classes[value] = *of;
  }
  return classes;
}

/// Whether an op is in the builder's block and before its place.
static bool isBefore(Operation *op, OpBuilder &builder) {
  if (op->getBlock() != builder.getInsertionBlock())
    return false;
  Block::iterator place = builder.getInsertionPoint();
  return place == op->getBlock()->end() || op->isBeforeInBlock(&*place);
}

Operation *TermBuilder::findExisting(OpBuilder &builder, SymbolId symbol,
                                     ArrayRef<Value> operands) const {
  if (!block)
    return nullptr;
  auto it = block->ops.find(hashTerm(symbol, operands));
  if (it == block->ops.end())
    return nullptr;
  for (Operation *op : it->second)
    if (isBefore(op, builder) && graph.getSymbol(op) == symbol &&
        TermGraph::getInputs(op) == operands)
      return op;
  return nullptr;
}

TermBuilder::TermBuilder(TermGraph &graph, TermChoice choice,
                         const TermBlock *block)
    : graph(graph), choice(std::move(choice)), block(block) {
  if (!block)
    return;
  for (Operation *op : block->terms)
    for (Value value : op->getResults())
      locations.try_emplace(
          graph.getTable().find(block->classes.find(value)->second),
          op->getLoc());
}

std::optional<ArrayRef<Value>> TermBuilder::build(OpBuilder &builder,
                                                  Location loc, ClassId root,
                                                  std::string &problem) {
  const NodeTable &table = graph.getTable();
  struct Open {
    ClassId id;
    NodeId node;
    Location loc;
    unsigned operand = 0;
  };
  SmallVector<Open> stack;
  llvm::DenseSet<ClassId> open;
  auto push = [&](ClassId id) {
    std::optional<NodeId> node = choice(id);
    if (!node || table.find(*node) != id) {
      problem = "no node was chosen for a class";
      return false;
    }
    if (!open.insert(id).second) {
      problem = "the term that was chosen needs itself, at '" +
                graph.describeSymbol(table.getSymbol(*node)) + "'";
      return false;
    }
    auto known = locations.find(id);
    Location own = known != locations.end() ? known->second
                   : stack.empty()          ? loc
                                            : stack.back().loc;
    stack.push_back({id, *node, own});
    return true;
  };
  root = table.find(root);
  if (!made.contains(root) && !push(root))
    return std::nullopt;
  while (!stack.empty()) {
    Open &top = stack.back();
    const unsigned numOperands = table.getNumOperands(top.node);
    while (top.operand != numOperands &&
           made.contains(table.find(table.getOperand(top.node, top.operand))))
      ++top.operand;
    if (top.operand != numOperands) {
      if (!push(table.find(table.getOperand(top.node, top.operand))))
        return std::nullopt;
      continue;
    }
    const ClassId id = top.id;
    const NodeId node = top.node;
    const SymbolId symbol = table.getSymbol(node);
    SmallVector<Value> operands;
    for (unsigned i = 0; i != numOperands; ++i) {
      ArrayRef<Value> values = made[table.find(table.getOperand(node, i))];
      if (graph.getKind(symbol) == TermGraph::SymbolKind::Projection)
        operands.push_back(values[graph.getIndex(symbol)]);
      else
        operands.push_back(values.front());
    }
    SmallVector<Value, 1> values;
    if (graph.getKind(symbol) == TermGraph::SymbolKind::Projection) {
      values.assign(operands.begin(), operands.end());
    } else if (Operation *op = findExisting(builder, symbol, operands)) {
      values.assign(op->result_begin(), op->result_end());
    } else {
      auto results =
          graph.buildNode(builder, top.loc, symbol, operands, &problem);
      if (!results)
        return std::nullopt;
      values = std::move(*results);
      if (graph.getKind(symbol) != TermGraph::SymbolKind::Leaf)
        ops.push_back(values.front().getDefiningOp());
    }
    made[id] = std::move(values);
    open.erase(id);
    stack.pop_back();
  }
  return ArrayRef<Value>(made[root]);
}

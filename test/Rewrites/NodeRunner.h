//===- NodeRunner.h - What nodes are, by running them -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each node of a graph is run by the interpreter, alone, on what its operands'
// classes are, operands first. What it gives must be what its class is: so each
// merge is checked, also of terms that no extraction would choose.
//
// Access patterns go in and out as tensors.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_REWRITES_NODERUNNER_H
#define TENSORACCESS_TEST_REWRITES_NODERUNNER_H

#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>
#include <set>

namespace mlir::tensoraccess {

/// The tensor that stands for a type at the borders of a function.
inline Type getTensorType(Type type) {
  auto access = dyn_cast<AccessType>(type);
  return access ? Type(RankedTensorType::get(access.getShape(),
                                             access.getElementType()))
                : type;
}

/// Gives each node a value by `run(node, operands)`, operands first. A node
/// without one is left out. `differ(node)` is called for those whose value is
/// not, by `same`, that of their class. Returns the number of nodes with a
/// value.
template <typename Value>
unsigned runNodes(
    const TermGraph &graph,
    function_ref<std::optional<Value>(NodeId, ArrayRef<const Value *>)> run,
    function_ref<bool(const Value &, const Value &)> same,
    function_ref<void(NodeId)> differ) {
  const NodeTable &table = graph.getTable();
  std::map<ClassId, Value> known;
  std::set<NodeId> done;
  unsigned runs = 0;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (NodeId node = table.getBegin(); node != table.getEnd();
         node = table.getNext(node)) {
      if (table.isDead(node) || done.count(node))
        continue;
      SmallVector<const Value *> operands;
      for (unsigned i = 0; i < table.getNumOperands(node); ++i)
        if (auto it = known.find(table.find(table.getOperand(node, i)));
            it != known.end())
          operands.push_back(&it->second);
      if (operands.size() != table.getNumOperands(node))
        continue;
      done.insert(node);
      std::optional<Value> value = run(node, operands);
      if (!value)
        continue;
      ++runs;
      isChanged = true;
      auto [it, isNew] = known.try_emplace(table.find(node), *value);
      if (!isNew && !same(it->second, *value))
        differ(node);
    }
  }
  return runs;
}

/// Runs nodes by the interpreter.
class NodeRunner {
public:
  NodeRunner(TermGraph &graph, ArrayRef<Tensor> arguments)
      : graph(graph), arguments(arguments.begin(), arguments.end()) {}

  /// Runs all nodes. `differ` gets each that is not as its class is, by `same`.
  /// tensor.empty, which may be anything, is compared with nothing. Returns the
  /// number of nodes that were run.
  unsigned runAll(function_ref<bool(const Tensor &, const Tensor &)> same,
                  function_ref<void(const std::string &)> differ) {
    const NodeTable &table = graph.getTable();
    auto run = [&](NodeId node, ArrayRef<const Tensor *> known) {
      SmallVector<Tensor> operands;
      SmallVector<Type> types;
      for (auto [i, operand] : llvm::enumerate(known)) {
        operands.push_back(*operand);
        types.push_back(graph.getType(table.find(table.getOperand(node, i))));
      }
      return this->run(table.getSymbol(node), operands, types);
    };
    return runNodes<Tensor>(graph, run, same, [&](NodeId node) {
      const SymbolId symbol = table.getSymbol(node);
      if (!isEmpty(symbol))
        differ(graph.describeSymbol(symbol));
    });
  }

  /// None where a view has no ops, or the interpreter fails.
  std::optional<Tensor> run(SymbolId symbol, ArrayRef<Tensor> operands,
                            ArrayRef<Type> types) {
    if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf)
      return arguments[cast<BlockArgument>(graph.getLeaf(symbol))
                           .getArgNumber()];
    OpBuilder builder(graph.getContext());
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    SmallVector<Type> inputs;
    for (Type type : types)
      inputs.push_back(getTensorType(type));
    Type result = getTensorType(graph.getResultTypes(symbol).front());
    auto function = func::FuncOp::create(
        builder, loc, "g", builder.getFunctionType(inputs, {result}));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    SmallVector<Value> values(body->getArguments());
    for (auto [value, type] : llvm::zip_equal(values, types))
      if (auto access = dyn_cast<AccessType>(type))
        value = AccessOp::create(builder, loc, access, value,
                                 access.getAccessRank());
    Value made;
    if (isEmpty(symbol)) {
      auto tensor = cast<RankedTensorType>(result);
      Type element = tensor.getElementType();
      auto garbage =
          isa<FloatType>(element)
              ? TypedAttr(FloatAttr::get(
                    element, std::numeric_limits<double>::quiet_NaN()))
              : TypedAttr(IntegerAttr::get(element, 7654321));
      made = arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(tensor, garbage));
    } else if (graph.getKind(symbol) == TermGraph::SymbolKind::Theory) {
      made =
          graph.getTheory(symbol)->build(graph, builder, loc, symbol, values);
    } else if (auto all = graph.buildNode(builder, loc, symbol, values)) {
      made = all->front();
    }
    if (!made)
      return std::nullopt;
    if (isa<AccessType>(made.getType()))
      made = ToTensorOp::create(builder, loc, result, made);
    func::ReturnOp::create(builder, loc, made);
    FailureOr<SmallVector<Tensor>> got = interpret(function, operands);
    if (failed(got))
      return std::nullopt;
    return got->front();
  }

private:
  bool isEmpty(SymbolId symbol) const {
    return graph.isOperation(symbol) &&
           graph.getName(symbol).getStringRef() == "tensor.empty";
  }

  TermGraph &graph;
  SmallVector<Tensor> arguments;
};

/// The same bits, but for which NaN it is.
inline bool areSameBits(const Tensor &a, const Tensor &b) {
  llvm::Expected<Comparison> result = compare(a, b);
  if (!result) {
    llvm::consumeError(result.takeError());
    return false;
  }
  if (result->allBitEqual())
    return true;
  if (result->maxAbs != 0 || result->nanMismatches != 0)
    return false;
  // Equal as numbers: the others are NaNs, or zeros of another sign.
  Tensor x = cantFail(a.toDense()), y = cantFail(b.toDense());
  if (x.getElementType() != ElementType::F64)
    return false;
  for (int64_t i = 0, e = x.getNumElements(); i < e; ++i) {
    const double p = x.getDataAs<double>()[i], q = y.getDataAs<double>()[i];
    if (std::isnan(p) != std::isnan(q) ||
        (!std::isnan(p) && std::signbit(p) != std::signbit(q)))
      return false;
  }
  return true;
}

/// Equal up to `tolerance` of the greatest number, or both not numbers.
inline bool areNear(const Tensor &a, const Tensor &b, double tolerance) {
  llvm::Expected<Comparison> result = compare(a, b);
  if (!result) {
    llvm::consumeError(result.takeError());
    return false;
  }
  double greatest = 1;
  Tensor x = cantFail(a.toDense());
  if (x.getElementType() == ElementType::F64)
    for (int64_t i = 0, e = x.getNumElements(); i < e; ++i)
      if (double p = std::abs(x.getDataAs<double>()[i]); std::isfinite(p))
        greatest = std::max(greatest, p);
  return result->nanMismatches == 0 && result->maxAbs <= tolerance * greatest;
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_REWRITES_NODERUNNER_H

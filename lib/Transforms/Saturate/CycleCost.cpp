//===- CycleCost.cpp - Terms in cycles of a target ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a node computes and what it moves happen at the same time, so that it
// takes as long as the slower of the two (a roofline). For a product on an
// array that is:
//
//   1. The cycles of the array: closed form of Core/Systolic.h, once for each
//      matrix of a batch.
//   2. Its operands and results through memory, each once: between the passes
//      they are beside the array.
//   3. Beyond both, the copy that an operand needs which is not a matrix in
//      memory, by the canonical form of its class (Rewrites/RuleSets.h).
//      Without that theory in the graph nothing is known, and nothing added.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/SaturateTerms.h"

#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Rewrites/RuleSets.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The cost of an op that only places elements.
static constexpr double kMovementOp = 0x1p-10;

static double countElements(ArrayRef<int64_t> shape) {
  double count = 1;
  for (int64_t size : shape)
    count *= size < 0 ? 1 : double(size);
  return count;
}

static double getElementBytes(AccessType type) {
  Type element = type.getElementType();
  return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

/// Bytes of a view beyond those of what it views, where it is not a matrix in
/// memory and has to be made one.
static double countDuplicatedBytes(const TermGraph &graph, ClassId id) {
  MovementTheory *theory = MovementTheory::find(graph);
  auto type = dyn_cast_or_null<AccessType>(graph.getType(id));
  if (!theory || !type)
    return 0;
  std::optional<AccessForm> form = theory->getForm(graph.getTable().find(id));
  if (!form || form->access.isEmpty() || form->access.asConstant() ||
      form->access.asStrided())
    return 0;
  double elements = countElements(type.getShape());
  for (unsigned source : form->access.getSources())
    elements -= countElements(form->access.getSourceShape(source));
  return std::max(0.0, elements) * getElementBytes(type);
}

/// Whether an op only places elements.
static bool isMoving(OperationName name) {
  StringRef text = name.getStringRef();
  return text.starts_with("tensoraccess.") &&
         !llvm::is_contained({ComputeOp::getOperationName(),
                              MaterializeOp::getOperationName(),
                              SystolicArrayOp::getOperationName(),
                              AcceleratorCallOp::getOperationName(),
                              RelayoutOp::getOperationName()},
                             text);
}

/// Of a product on one of the target's arrays; std::nullopt for other sizes,
/// and where these are not known or too large.
static std::optional<double>
getArrayCycles(const Target &target, const TermGraph &graph, NodeId node) {
  const NodeTable &table = graph.getTable();
  DictionaryAttr attributes = graph.getAttributes(table.getSymbol(node));
  auto rows = attributes.getAs<IntegerAttr>("rows"),
       cols = attributes.getAs<IntegerAttr>("cols");
  auto activations = dyn_cast_or_null<AccessType>(
           graph.getType(table.getOperand(node, 0))),
       weights = dyn_cast_or_null<AccessType>(
           graph.getType(table.getOperand(node, 1)));
  const MatrixUnit *unit =
      rows && cols ? target.findUnit(rows.getInt(), cols.getInt()) : nullptr;
  if (!unit || !activations || !weights)
    return std::nullopt;
  std::optional<SystolicCost> cost =
      getArrayCost(unit->getArray(), activations, weights);
  if (!cost)
    return std::nullopt;
  return double(cost->getCycles()) * unit->getSlowness();
}

TermCost mlir::tensoraccess::makeCycleCost(const Target &target) {
  return [target](const TermGraph &graph, NodeId node) -> double {
    const NodeTable &table = graph.getTable();
    const SymbolId symbol = table.getSymbol(node);
    const bool isOp = graph.isOperation(symbol);
    if (!isOp && graph.getKind(symbol) == TermGraph::SymbolKind::Theory) {
      MovementTheory *theory = MovementTheory::find(graph);
      std::optional<unsigned> numOps = theory && theory->isView(symbol)
                                           ? theory->countOps(symbol)
                                           : std::nullopt;
      return kMovementOp * numOps.value_or(1);
    }
    if (isOp && isMoving(graph.getName(symbol)))
      return kMovementOp;
    const TermWork work = getTermWork(graph, node);
    const double memory = target.getBytesPerCycle();
    if (isOp && graph.getName(symbol).getStringRef() ==
                    SystolicArrayOp::getOperationName())
      if (std::optional<double> cycles = getArrayCycles(target, graph, node)) {
        double copied = 0;
        for (unsigned i : {0u, 1u})
          copied += countDuplicatedBytes(graph, table.getOperand(node, i));
        return std::max(*cycles, work.bytes / memory) + copied / memory;
      }
    const bool isCopy = isOp && graph.getName(symbol).getStringRef() ==
                                    MaterializeOp::getOperationName();
    const double cached = isCopy ? 0 : work.patternBytes;
    const double lanes =
        work.elementBits == 0 ? 1 : double(target.getLanes(work.elementBits));
    return std::max(work.steps / lanes,
                    (work.bytes - cached) / memory +
                        cached / (memory * double(target.memoryCost)));
  };
}

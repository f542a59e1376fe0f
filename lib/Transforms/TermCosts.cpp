//===- TermCosts.cpp - What terms cost ------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs of single nodes, by static shapes:
//
//   1. Constants, tensor.empty, results and leaves cost nothing.
//   2. Bytes are what an op reads and writes: of a tensor, as its layout stores
//      it; of a structured op, operands that its body does not read are not
//      counted.
//   3. Arithmetic of a structured op is that of its body for each point of its
//      loops; a sum that takes a product is one step with it. Of `compute`, it
//      is a step for each element it reads, of which a tuple is one. Of any
//      other op with tensors, it is a step for each element of the results if
//      it is elementwise, else none; without tensors it is one step.
//
// A size that is not known counts as 1. No term of a class has another result
// type than the others, so that this is mostly the same factor for all.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/LayoutTypes.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Transforms/SaturateTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// A byte, and an op, in steps of arithmetic.
static constexpr double kByte = 0x1p-20, kOp = 0x1p-24;

static double countElements(ArrayRef<int64_t> shape) {
  double count = 1;
  for (int64_t size : shape)
    count *= ShapedType::isDynamic(size) ? 1 : double(size);
  return count;
}

/// The shape of a tensor or an access pattern; none of anything else.
static std::optional<SmallVector<int64_t>> getShape(Type type) {
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(type))
    return SmallVector<int64_t>(tensor.getShape());
  if (auto access = dyn_cast_or_null<AccessType>(type))
    return access.getShape();
  return std::nullopt;
}

static double countElementBytes(Type element) {
  return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

static double countBytes(Type type) {
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(type))
    if (tensor.getEncoding())
      if (std::optional<Layout> layout = getLayoutOf(tensor))
        if (std::optional<int64_t> elements = layout->getPaddedElements())
          return double(*elements) *
                 countElementBytes(tensor.getElementType());
  std::optional<SmallVector<int64_t>> shape = getShape(type);
  if (!shape)
    return 0;
  Type element = isa<AccessType>(type)
                     ? cast<AccessType>(type).getElementType()
                     : cast<RankedTensorType>(type).getElementType();
  return countElements(*shape) * countElementBytes(element);
}

/// Steps of arithmetic in a body; results of products that sums take are free.
static double countBody(Block &body) {
  double steps = 0;
  for (Operation &op : body.without_terminator()) {
    StringRef name = op.getName().stripDialect();
    if (op.hasTrait<OpTrait::ConstantLike>() || isa<CastOpInterface>(op) ||
        isa<linalg::IndexOp>(op))
      continue;
    if ((name == "mulf" || name == "muli") && op.getResult(0).hasOneUse() &&
        isa<arith::AddFOp, arith::AddIOp>(*op.getResult(0).user_begin()))
      continue;
    ++steps;
  }
  return steps;
}

namespace {
struct Work {
  double steps = 0, bytes = 0;
};
} // namespace

static Work getWork(const TermGraph &graph, NodeId node) {
  const NodeTable &table = graph.getTable();
  const SymbolId symbol = table.getSymbol(node);
  Work work;
  if (graph.getKind(symbol) == TermGraph::SymbolKind::Projection ||
      graph.getKind(symbol) == TermGraph::SymbolKind::Leaf)
    return work;
  const bool isOp = graph.isOperation(symbol);
  if (isOp &&
      (graph.getConstantOf(symbol) || graph.getName(symbol).getStringRef() ==
                                          tensor::EmptyOp::getOperationName()))
    return work;
  SmallVector<Type> operands;
  for (unsigned i = 0; i < table.getNumOperands(node); ++i)
    operands.push_back(graph.getType(table.find(table.getOperand(node, i))));
  double results = 0;
  for (Type type : graph.getResultTypes(symbol)) {
    work.bytes += countBytes(type);
    if (std::optional<SmallVector<int64_t>> shape = getShape(type))
      results += countElements(*shape);
  }
  Operation *op = isOp ? graph.getSignature(symbol, {}).operation : nullptr;
  if (auto structured = dyn_cast_or_null<linalg::LinalgOp>(op)) {
    Block &body = *structured.getBlock();
    for (OpOperand &operand : op->getOpOperands())
      if (structured.payloadUsesValueFromOperand(&operand))
        work.bytes += countBytes(operand.get().getType());
    work.steps =
        countBody(body) * countElements(structured.getStaticLoopRanges());
    return work;
  }
  for (Type type : operands)
    work.bytes += countBytes(type);
  if (!isOp)
    return work;
  OperationName name = graph.getName(symbol);
  if (name.getStringRef() == ComputeOp::getOperationName()) {
    auto access = dyn_cast_or_null<AccessType>(operands.front());
    if (!access)
      return work;
    work.steps = countElements(access.getShape());
    auto kind = graph.getAttributes(symbol).get("kind");
    auto value = dyn_cast_or_null<ComputeKindAttr>(kind);
    const int64_t rank = access.getAccessShape().size();
    const bool isOfTuples =
        value && (value.getValue() == ComputeKind::DotProd ||
                  value.getValue() == ComputeKind::ElementwiseAdd ||
                  value.getValue() == ComputeKind::ElementwiseMul ||
                  value.getValue() == ComputeKind::ElementwiseDiv);
    if (isOfTuples && rank < int64_t(access.getShape().size()))
      work.steps /= std::max<int64_t>(1, access.getShape()[rank]);
    return work;
  }
  if (results == 0)
    work.steps = 1;
  else if (name.hasTrait<OpTrait::Elementwise>())
    work.steps = results;
  return work;
}

double mlir::tensoraccess::countNode(const TermGraph &, NodeId) { return 1; }

double mlir::tensoraccess::countFlops(const TermGraph &graph, NodeId node) {
  const Work work = getWork(graph, node);
  return work.steps + work.bytes * kByte;
}

double mlir::tensoraccess::countMovedBytes(const TermGraph &graph,
                                           NodeId node) {
  const Work work = getWork(graph, node);
  return work.bytes + work.steps * kOp;
}

TermCost mlir::tensoraccess::findTermCost(StringRef name) {
  if (name == "node-count")
    return countNode;
  if (name == "flops")
    return countFlops;
  return name == "bytes" ? TermCost(countMovedBytes) : TermCost();
}

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
//      it is elementwise, else none; without tensors it is one step. Of a
//      systolic array, it is that of the product.
//
// A size that is not known counts as 1. No term of a class has another result
// type than the others, so that this is mostly the same factor for all.
//
// The registry is a list that only grows, behind a lock.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Transforms/SaturateTerms.h"

#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <mutex>

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

/// The shape of a tensor or an access pattern; std::nullopt for anything else.
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
          return double(*elements) * countElementBytes(tensor.getElementType());
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

static unsigned getElementBits(Type type) {
  Type element;
  if (auto access = dyn_cast<AccessType>(type))
    element = access.getElementType();
  else if (auto shaped = dyn_cast<ShapedType>(type))
    element = shaped.getElementType();
  if (!element)
    return 0;
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

TermWork mlir::tensoraccess::getTermWork(const TermGraph &graph, NodeId node) {
  const NodeTable &table = graph.getTable();
  const SymbolId symbol = table.getSymbol(node);
  TermWork work;
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
    work.elementBits = std::max(work.elementBits, getElementBits(type));
    if (std::optional<SmallVector<int64_t>> shape = getShape(type))
      results += countElements(*shape);
  }
  Operation *op = isOp ? graph.getSignature(symbol, {}).operation : nullptr;
  if (auto structured = dyn_cast_or_null<linalg::LinalgOp>(op)) {
    Block &body = *structured.getBlock();
    for (OpOperand &operand : op->getOpOperands())
      if (isReadByBody(operand))
        work.bytes += countBytes(operand.get().getType());
    work.steps =
        countBody(body) * countElements(structured.getStaticLoopRanges());
    return work;
  }
  for (Type type : operands) {
    work.bytes += countBytes(type);
    if (isa_and_present<AccessType>(type))
      work.patternBytes += countBytes(type);
  }
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
    if (value && isOverTuple(value.getValue()) &&
        rank < int64_t(access.getShape().size()))
      work.steps /= std::max<int64_t>(1, access.getShape()[rank]);
    return work;
  }
  if (name.getStringRef() == SystolicArrayOp::getOperationName()) {
    auto weights = dyn_cast_or_null<AccessType>(operands.back());
    if (weights && !weights.getComputeShape().empty())
      work.steps =
          results * countElements(weights.getComputeShape().take_front());
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
  const TermWork work = getTermWork(graph, node);
  return work.steps + work.bytes * kByte;
}

double mlir::tensoraccess::countMovedBytes(const TermGraph &graph,
                                           NodeId node) {
  const TermWork work = getTermWork(graph, node);
  return work.bytes + work.steps * kOp;
}

//===----------------------------------------------------------------------===//
// The registry
//===----------------------------------------------------------------------===//

namespace {
struct Registry {
  struct Entry {
    std::string summary;
    TermCostFactory factory;
  };
  std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;

  Registry() {
    auto add = [&](const char *name, const char *summary, auto cost) {
      entries[name] = {summary, [cost](const Target &) { return cost; }};
    };
    add("node-count", "the number of ops", TermCost(countNode));
    add("flops", "steps of arithmetic", TermCost(countFlops));
    add("bytes", "bytes that are read and written", TermCost(countMovedBytes));
    entries["cycles"] = {"cycles of the target, its arrays and its memory",
                         makeCycleCost};
  }
};
} // namespace

static Registry &getRegistry() {
  static Registry registry;
  return registry;
}

bool mlir::tensoraccess::registerTermCost(StringRef name, StringRef summary,
                                          TermCostFactory factory) {
  if (name.empty() || !factory)
    return false;
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.entries
      .try_emplace(name.str(),
                   Registry::Entry{summary.str(), std::move(factory)})
      .second;
}

std::vector<TermCostInfo> mlir::tensoraccess::getTermCosts() {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<TermCostInfo> costs;
  for (const auto &[name, entry] : registry.entries)
    costs.push_back({name, entry.summary});
  return costs;
}

TermCost mlir::tensoraccess::findTermCost(StringRef name,
                                          const Target &target) {
  TermCostFactory factory;
  {
    Registry &registry = getRegistry();
    std::lock_guard<std::mutex> lock(registry.mutex);
    auto it = registry.entries.find(name);
    if (it != registry.entries.end())
      factory = it->second.factory;
  }
  // A factory may look for other costs.
  return factory ? factory(target) : TermCost();
}

std::string mlir::tensoraccess::describeUnknownCost(StringRef name) {
  std::vector<std::string> known;
  for (TermCostInfo &info : getTermCosts())
    known.push_back(info.name);
  return tensoraccess::describeUnknown("cost", name, known);
}

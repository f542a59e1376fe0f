//===- ExplorerFacts.cpp - What analyses know of an op --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplorerFacts.h"
#include "TensorAccess/Analysis/Explain.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;
namespace json = llvm::json;

DiagnosticNotes::DiagnosticNotes(MLIRContext *context, bool isSilent)
    : handler(context, [this, isSilent](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        if (error.empty())
          error = diagnostic.str();
        return success(isSilent);
      }) {}

std::string tensoraccess::getHint(Operation *op) {
  // The kind of a fusion.
  if (StringRef kind = getHloField(op, "kind"); !kind.empty())
    return kind.str();
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      return ("@" + symbol.getLeafReference().getValue()).str();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured ||
      !isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op))
    return {};
  SmallVector<StringRef> names;
  for (Operation &inner : structured.getBlock()->without_terminator())
    if (StringRef name = inner.getName().stripDialect();
        !llvm::is_contained(names, name) && names.size() < 4 &&
        name != "constant")
      names.push_back(name);
  std::string hint = names.empty() ? "copy" : llvm::join(names, ", ");
  return structured.getNumReductionLoops() ? "Σ " + hint : hint;
}

//===----------------------------------------------------------------------===//
// Coalescing
//===----------------------------------------------------------------------===//

static void writeMoved(json::OStream &out,
                       const std::optional<Coalescing> &value,
                       StringRef reason) {
  if (!value)
    return out.attribute("reason", reason);
  out.attribute("transactions", value->transactions);
  out.attribute("used", value->bytesUsed);
  out.attribute("moved", value->bytesMoved);
}

std::string tensoraccess::getCoalescing(Operation *op, IndexingCache &cache) {
  const SmallVector<OperandCoalescing> reads = getReadCoalescing(op, cache);
  std::vector<AccessCoalescing> accesses;
  if (op->getNumRegions() == 0)
    accesses = getMemoryCoalescing(op);
  std::string text;
  if (reads.empty() && accesses.empty())
    return text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os);
  out.array([&] {
    for (const OperandCoalescing &read : reads)
      out.object([&] {
        out.attribute("operand", read.operand);
        out.attribute("result", read.result);
        out.attribute("plan", describe(read.plan));
        writeMoved(out, read.value, read.reason);
      });
    for (const AccessCoalescing &access : accesses)
      out.object([&] {
        out.attribute("what", access.access.isStore ? "store" : "load");
        out.attribute("plan", access.lane);
        writeMoved(out, access.value, access.reason);
        if (access.banks)
          out.attribute("conflicts", access.banks->getConflicts());
      });
  });
  return text;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Rows of each section.
static constexpr size_t kMostRows = 100;

void tensoraccess::writeExplanation(
    json::OStream &out, ModuleOp module, FusionAnalysis &fusion,
    ArrayRef<FunctionOpInterface> functions,
    const llvm::DenseMap<Operation *, int64_t> &ops) {
  std::string error;
  std::optional<Explanation> explanation = explain(module, error, &fusion);
  if (!explanation)
    return;
  out.attributeBegin("explanation");
  writeExplanation(out, *explanation, kMostRows, [&](const ExplainRow &row) {
    if (auto it = ops.find(row.op); it != ops.end())
      out.attribute("op", it->second);
  });
  out.attributeEnd();
  for (auto [i, function] : llvm::enumerate(functions))
    if (function == explanation->entry)
      out.attribute("entry", i);
}

//===----------------------------------------------------------------------===//
// Shards
//===----------------------------------------------------------------------===//

/// Messages of an exchange that are listed.
static constexpr size_t kMostMessages = 4096;

/// A list of dimensions, each the axes whose coordinates number its intervals, and
/// these, inclusive; as FactoredBoxes.
static void writeBoxes(json::OStream &out, const FactoredBoxes &boxes) {
  out.array([&] {
    for (const FactoredDim &dim : boxes.dims)
      out.array([&] {
        out.array([&] {
          for (unsigned axis : dim.axes)
            out.value(axis);
        });
        out.array([&] {
          for (auto [low, end] : dim.intervals) {
            out.value(low);
            out.value(end - 1);
          }
        });
      });
  });
}

/// A number, where JSON has it.
static void writeNumber(json::OStream &out, StringRef key, double value) {
  if (std::isfinite(value))
    out.attribute(key, value);
}

static void writeExchange(json::OStream &out, const ShardedProgram &program,
                          const ShardExchange &exchange,
                          const PageNumbers &numbers) {
  out.object([&] {
    if (auto op = numbers.ops.find(exchange.op); op != numbers.ops.end())
      out.attribute("op", op->second);
    if (exchange.operand)
      out.attribute("operand", *exchange.operand);
    else
      out.attribute("result", exchange.result);
    if (auto value = numbers.values.find(exchange.value);
        value != numbers.values.end())
      out.attribute("value", value->second);
    out.attribute("bytes", static_cast<int64_t>(exchange.cost.bytes));
    out.attribute("count", static_cast<int64_t>(exchange.cost.messages));
    writeNumber(out, "seconds", exchange.cost.seconds);
    out.attributeBegin("needed");
    writeBoxes(out, exchange.needed);
    out.attributeEnd();
    std::string error;
    const ShardedTensor tensor = getShardedTensor(program, exchange);
    if (program.grid.getNumRanks() > 512)
      return;
    std::optional<Exchange> all = getExchange(
        tensor.grid, *tensor.owned, tensor.shape, *tensor.needed, error);
    if (!all)
      return;
    out.attributeArray("messages", [&] {
      for (const ExchangeMessage &message :
           ArrayRef(all->messages).take_front(kMostMessages))
        out.array([&] {
          out.value(message.from);
          out.value(message.to);
          for (auto [low, end] :
               llvm::zip_equal(message.box.lo, message.box.hi)) {
            out.value(low);
            out.value(end - 1);
          }
        });
    });
  });
}

void tensoraccess::writeShards(json::OStream &out, FunctionOpInterface function,
                               const PageNumbers &numbers,
                               std::string &problem) {
  if (!function->hasAttr(kGridName))
    return;
  DiagnosticNotes notes(function.getContext(), /*isSilent=*/true);
  FailureOr<ShardedProgram> program =
      readShardedProgram(function, getDefaultCostModel());
  if (failed(program)) {
    problem = "its shards can't be shown: " + notes.getError().str();
    return;
  }
  const Grid &grid = program->grid;
  out.attributeObject("shards", [&] {
    out.attribute("grid", grid.str());
    out.attributeArray("axes", [&] {
      for (const GridAxis &axis : grid.axes)
        out.value(axis.size);
    });
    writeNumber(out, "seconds", program->seconds);
    writeNumber(out, "exchangeSeconds", program->exchangeSeconds);
    out.attribute("bytesSent", static_cast<int64_t>(program->bytesSent));
    out.attribute("memory", static_cast<int64_t>(program->memoryPerRank));
    out.attributeObject("values", [&] {
      for (const auto &[value, sharded] : program->values)
        if (auto it = numbers.values.find(value); it != numbers.values.end()) {
          out.attributeBegin(std::to_string(it->second));
          writeBoxes(out, sharded.boxes);
          out.attributeEnd();
        }
    });
    out.attributeObject("ops", [&] {
      for (const auto &entry : program->ops) {
        const ShardedOp &sharded = entry.second;
        auto it = numbers.ops.find(entry.first);
        if (it == numbers.ops.end())
          continue;
        out.attributeObject(std::to_string(it->second), [&] {
          out.attribute("cut", sharded.decision.isNeeded
                                   ? kNeededText.str()
                                   : sharded.decision.cut.str(grid));
          writeNumber(out, "seconds", sharded.seconds);
          writeNumber(out, "exchangeSeconds", sharded.exchangeSeconds);
          out.attribute("bytesHeld", static_cast<int64_t>(sharded.bytesHeld));
        });
      }
    });
    out.attributeArray("exchanges", [&] {
      for (const ShardExchange &exchange : program->exchanges)
        writeExchange(out, *program, exchange, numbers);
    });
  });
}

//===----------------------------------------------------------------------===//
// Alternatives
//===----------------------------------------------------------------------===//

/// Alternatives of an op; and how deep and long each is.
static constexpr size_t kMostAlternatives = 16, kMostCharacters = 160;
static constexpr unsigned kMostDepth = 4;

LogicalResult Alternatives::make(FunctionOpInterface function,
                                 const ExplorerOptions &options,
                                 std::string &problem) {
  if (options.rules.empty())
    return success();
  MLIRContext *context = function.getContext();
  context->loadDialect<TensorAccessDialect>();
  FailureOr<NamedRules> loaded = NamedRules::load(context, options.rules);
  FailureOr<Target> target =
      findTarget(function->getParentOfType<ModuleOp>(), {});
  if (failed(loaded) || failed(target))
    return failure();
  rules = std::move(*loaded);
  TermSaturationOptions saturation;
  rules.addTo(saturation);
  saturation.saturation.limits.nodes = 20000;
  saturation.saturation.limits.seconds = 5;
  Block &block = function.getFunctionBody().front();
  DiagnosticNotes notes(context, /*isSilent=*/true);
  auto made = KeptTermGraph::make(block, saturation);
  if (failed(made) || !*made) {
    problem = failed(made) ? "no alternatives: " + notes.getError().str()
                           : "no alternatives: the function has no terms";
    return success();
  }
  kept = std::move(*made);
  const TermGraph &graph = kept->getGraph();
  const ExtractionGraph &all = kept->getNodes();
  const TermCost cost = findTermCost("cycles", *target);
  nodes.resize(all.getNumClasses());
  for (uint32_t node = 0; node < all.getNumNodes(); ++node) {
    nodes[all.getClass(node)].push_back(node);
    const NodeId id = all.getTableNode(node);
    const SymbolId symbol = graph.getTable().getSymbol(id);
    const bool isCounted =
        graph.isOperation(symbol) ||
        graph.getKind(symbol) == TermGraph::SymbolKind::Theory;
    costs.push_back(isCounted ? cost(graph, id) : 0);
  }
  auto add = [&](Value value) {
    if (std::optional<uint32_t> cls = kept->findClass(value))
      values.try_emplace(*cls, value);
  };
  llvm::for_each(block.getArguments(), add);
  for (Operation &op : block)
    llvm::for_each(op.getResults(), add);
  std::optional<Extraction> best =
      extractTree(all, costs, kept->getRoots(), problem);
  if (!best) {
    problem = "no alternatives: " + problem;
    kept.reset();
    return success();
  }
  trees = std::move(*best);
  return success();
}

std::string
Alternatives::print(uint32_t node, unsigned depth,
                    llvm::function_ref<std::string(Value)> nameOf) const {
  const TermGraph &graph = kept->getGraph();
  const ExtractionGraph &all = kept->getNodes();
  const SymbolId symbol = graph.getTable().getSymbol(all.getTableNode(node));
  if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf)
    return nameOf(graph.getLeaf(symbol));
  // What is in a view's domain is in its shape.
  const std::string label = labelSymbol(graph, symbol);
  StringRef shown = StringRef(label).split(", domain: ").first;
  shown.consume_front("tensoraccess.");
  std::string text = shown.str();
  if (all.getChildren(node).empty())
    return text;
  text += "(";
  for (auto [i, child] : llvm::enumerate(all.getChildren(node))) {
    text += i ? ", " : "";
    if (auto value = values.find(child); value != values.end())
      text += nameOf(value->second);
    else if (depth == kMostDepth ||
             trees.choice[child] == ExtractionGraph::kNone)
      text += "…";
    else
      text += print(trees.choice[child], depth + 1, nameOf);
  }
  return text + ")";
}

void Alternatives::write(json::OStream &out, Operation *op,
                         llvm::function_ref<std::string(Value)> nameOf) {
  if (!kept || op->getNumResults() == 0)
    return;
  std::optional<uint32_t> cls = kept->findClass(op->getResult(0));
  if (!cls || nodes[*cls].size() < 2)
    return;
  const ExtractionGraph &all = kept->getNodes();
  SmallVector<std::pair<double, uint32_t>> found;
  for (uint32_t node : nodes[*cls]) {
    double sum = costs[node];
    for (uint32_t child : all.getChildren(node))
      sum += trees.classCosts[child];
    if (std::isfinite(sum))
      found.push_back({sum, node});
  }
  llvm::sort(found);
  out.attribute("equal", static_cast<int64_t>(found.size()));
  out.attributeArray("alternatives", [&] {
    for (auto [cost, node] : ArrayRef(found).take_front(kMostAlternatives)) {
      std::string text = print(node, 0, nameOf);
      if (text.size() > kMostCharacters) {
        text.resize(kMostCharacters);
        text = json::fixUTF8(text) + " …";
      }
      out.value(cost);
      out.value(text);
    }
  });
}

//===- SaturateTerms.cpp - Programs by equality saturation ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block at a time, innermost first:
//
//   1. Its terms are read into a graph, which is saturated.
//   2. A node is chosen for each class that a user needs, all users together,
//      so that what is chosen costs least, shared terms counted once. What the
//      program computes wins where costs are equal.
//   3. If that costs less than the program's own terms (equal ones counted
//   once,
//      and those that nobody uses not at all), the terms are built
//      before their users, in the order of the block, and what nobody needs any
//      more is erased.
//
// A term may be built where all it needs is there. A leaf is there after the op
// that returns it. An op that must not be computed where the program does not
// (it is not speculatable) is there after the op that it was read from, or
// after all terms if a rule made it. Where a choice for all users needs more
// than is there, that user gets a choice of its own.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/SaturateTerms.h"

#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/Rewrites/ComputeRules.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

void mlir::tensoraccess::addAccessRules(TermSaturationOptions &options) {
  // One theory for each block's graph; the last is that of the present one.
  auto theories =
      std::make_shared<std::vector<std::unique_ptr<MovementTheory>>>();
  options.prepare = [theories, before = options.prepare](TermGraph &graph) {
    if (before)
      before(graph);
    theories->push_back(std::make_unique<MovementTheory>(graph));
  };
  options.makeRules = [theories](TermGraph &graph) {
    return makeComputeRules(graph, *theories->back(), {});
  };
}

/// The blocks to be saturated, innermost first. Ops whose effects are those of
/// their regions show them; what others do with theirs is their business.
static SmallVector<Block *> findBlocks(FunctionOpInterface function) {
  SmallVector<Block *> blocks;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function && op->getNumRegions() != 0 &&
        !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
    return WalkResult::advance();
  });
  std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

namespace {

class BlockSaturation {
public:
  BlockSaturation(Block &block, const TermSaturationOptions &options,
                  TermSaturationReport &report)
      : block(block), options(options), report(report),
        graph(block.getParentOp()->getContext()) {}

  void run();

private:
  void collectNodes();
  double getCost(NodeId node) const;
  double getCostBefore() const;
  unsigned findPlace(NodeId node);
  std::shared_ptr<Extraction> choose(ArrayRef<Value> values,
                                     ArrayRef<double> nodeCosts);
  bool isAvailable(const Extraction &choice, const TermBlock::User &user);
  bool plan();
  void replace();
  uint32_t classOf(Value value) const {
    return nodes.findClass(
        graph.getTable().find(terms.classes.find(value)->second));
  }

  Block &block;
  const TermSaturationOptions &options;
  TermSaturationReport &report;
  TermGraph graph;
  TermBlock terms;
  NodeId importEnd = 0;
  llvm::DenseMap<Operation *, unsigned> places;
  ExtractionGraph nodes;
  /// Of each node what it costs, the same with a little more for what rules
  /// made, and after which op of the block it is there.
  std::vector<double> costs, biased;
  std::vector<unsigned> after;
  /// What was chosen for each user, and what all of it costs.
  SmallVector<std::shared_ptr<Extraction>> choices;
  double costAfter = 0;
};

} // namespace

/// Whether a node's operation may be computed where the program does not, asked
/// of an op that is like it, on its operands' types.
static bool isSpeculatable(TermGraph &graph, NodeId node) {
  const NodeTable &table = graph.getTable();
  const SymbolId symbol = table.getSymbol(node);
  if (graph.getName(symbol).hasTrait<OpTrait::AlwaysSpeculatableImplTrait>())
    return true;
  if (graph.hasRegions(symbol))
    return false;
  Block scratch;
  Location loc = UnknownLoc::get(graph.getContext());
  SmallVector<Value> operands;
  for (unsigned i = 0, e = table.getNumOperands(node); i < e; ++i)
    operands.push_back(
        scratch.addArgument(graph.getType(table.getOperand(node, i)), loc));
  OpBuilder builder(graph.getContext());
  builder.setInsertionPointToEnd(&scratch);
  auto values = graph.buildNode(builder, loc, symbol, operands);
  return values && !scratch.empty() && isSpeculatable(&scratch.back());
}

/// After which op a node is there; 0 from the beginning.
unsigned BlockSaturation::findPlace(NodeId node) {
  const NodeTable &table = graph.getTable();
  const SymbolId symbol = table.getSymbol(node);
  if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf) {
    Operation *op = graph.getLeaf(symbol).getDefiningOp();
    return op && op->getBlock() == &block ? places.lookup(op) : 0;
  }
  if (!graph.isOperation(symbol) || graph.getConstantOf(symbol) ||
      isSpeculatable(graph, node))
    return 0;
  unsigned place = ~0u;
  for (Operation *op : terms.ops.lookup(symbol)) {
    SmallVector<Value> inputs(op->getOperands());
    llvm::append_range(inputs, TermGraph::getCaptured(op));
    bool isSame = true;
    for (auto [i, input] : llvm::enumerate(inputs))
      isSame &= table.find(terms.classes.find(input)->second) ==
                table.find(table.getOperand(node, i));
    if (isSame)
      place = std::min(place, places.lookup(op));
  }
  return place == ~0u ? places.lookup(terms.terms.back()) : place;
}

double BlockSaturation::getCost(NodeId node) const {
  switch (graph.getKind(graph.getTable().getSymbol(node))) {
  case TermGraph::SymbolKind::Operation:
  case TermGraph::SymbolKind::Theory:
    return options.cost(graph, node);
  case TermGraph::SymbolKind::Projection:
  case TermGraph::SymbolKind::Leaf:
    break;
  }
  return 0;
}

/// What the block's own terms cost.
double BlockSaturation::getCostBefore() const {
  llvm::DenseSet<Value> needed;
  for (const TermBlock::User &user : terms.users)
    needed.insert(user.values.begin(), user.values.end());
  llvm::DenseSet<NodeId> seen;
  double cost = 0;
  for (Operation *op : llvm::reverse(terms.terms)) {
    if (llvm::none_of(op->getResults(),
                      [&](Value value) { return needed.contains(value); }))
      continue;
    needed.insert(op->operand_begin(), op->operand_end());
    SmallVector<Value> captured = TermGraph::getCaptured(op);
    needed.insert(captured.begin(), captured.end());
    const NodeId node = terms.nodes.lookup(op);
    if (seen.insert(node).second)
      cost += getCost(node);
  }
  return cost;
}

void BlockSaturation::collectNodes() {
  nodes = ExtractionGraph(graph.getTable());
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t n = 0; n != nodes.getNumNodes(); ++n) {
    costs.push_back(getCost(nodes.getTableNode(n)));
    if (costs.back() > 0)
      least = std::min(least, costs.back());
    after.push_back(findPlace(nodes.getTableNode(n)));
  }
  biased = costs;
  for (uint32_t n = 0; n != nodes.getNumNodes(); ++n)
    if (nodes.getTableNode(n) >= importEnd && std::isfinite(least))
      biased[n] += least * 1e-7;
}

std::shared_ptr<Extraction>
BlockSaturation::choose(ArrayRef<Value> values, ArrayRef<double> nodeCosts) {
  std::vector<uint32_t> roots;
  for (Value value : values)
    roots.push_back(classOf(value));
  llvm::sort(roots);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  std::string problem;
  std::optional<Extraction> best =
      extractDag(nodes, nodeCosts, roots, {}, problem);
  return best ? std::make_shared<Extraction>(std::move(*best)) : nullptr;
}

/// Whether all that was chosen for a user is there before it.
bool BlockSaturation::isAvailable(const Extraction &choice,
                                  const TermBlock::User &user) {
  const unsigned place = places.lookup(user.op);
  SmallVector<uint32_t> stack;
  llvm::DenseSet<uint32_t> seen;
  for (Value value : user.values)
    stack.push_back(classOf(value));
  while (!stack.empty()) {
    const uint32_t cls = stack.pop_back_val();
    if (!seen.insert(cls).second)
      continue;
    const uint32_t node = choice.choice[cls];
    if (node == ExtractionGraph::kNone || after[node] >= place)
      return false;
    llvm::append_range(stack, nodes.getChildren(node));
  }
  return true;
}

/// Chooses for all users; false where nothing can be chosen.
bool BlockSaturation::plan() {
  SmallVector<Value> values;
  for (const TermBlock::User &user : terms.users)
    llvm::append_range(values, user.values);
  std::shared_ptr<Extraction> best = choose(values, biased);
  if (!best)
    return false;
  if (!best->faults.empty())
    block.getParentOp()->emitWarning()
        << describe(best->faults.front(), [&](uint32_t node) {
             return "'" +
                    graph.describeSymbol(
                        graph.getTable().getSymbol(nodes.getTableNode(node))) +
                    "'";
           });
  // What is built for one user is there for the next.
  llvm::DenseSet<uint32_t> made;
  SmallVector<uint32_t> stack;
  for (const TermBlock::User &user : terms.users) {
    std::shared_ptr<Extraction> choice = best;
    if (!isAvailable(*best, user)) {
      std::vector<double> there(biased);
      for (uint32_t n = 0; n != nodes.getNumNodes(); ++n)
        if (after[n] >= places.lookup(user.op))
          there[n] = std::numeric_limits<double>::infinity();
      choice = choose(user.values, there);
      if (!choice)
        return false;
    }
    for (Value value : user.values)
      stack.push_back(classOf(value));
    while (!stack.empty()) {
      const uint32_t cls = stack.pop_back_val();
      if (!made.insert(cls).second)
        continue;
      costAfter += costs[choice->choice[cls]];
      llvm::append_range(stack, nodes.getChildren(choice->choice[cls]));
    }
    choices.push_back(std::move(choice));
  }
  return true;
}

void BlockSaturation::replace() {
  const Extraction *current = nullptr;
  TermBuilder builder(
      graph,
      [&](ClassId id) -> std::optional<NodeId> {
        const uint32_t node = current->choice[nodes.findClass(id)];
        if (node == ExtractionGraph::kNone)
          return std::nullopt;
        return nodes.getTableNode(node);
      },
      &terms);
  for (auto [user, choice] : llvm::zip_equal(terms.users, choices)) {
    current = choice.get();
    OpBuilder ops(user.op);
    for (Value value : user.values) {
      std::string problem;
      auto made = builder.build(ops, value.getLoc(),
                                terms.classes.find(value)->second, problem);
      if (!made || made->front() == value)
        continue;
      ++report.replaced;
      value.replaceUsesWithIf(made->front(), [&, op = user.op](OpOperand &use) {
        Operation *inBlock = block.findAncestorOpInBlock(*use.getOwner());
        return inBlock ? inBlock == op : op == &block.back();
      });
    }
  }
  report.made += builder.getNumMade();
  for (Operation *op : llvm::reverse(terms.terms))
    if (op->use_empty())
      op->erase();
}

/// Adds what happened in a block to what happened before.
static void add(SaturationStatistics &sum, const SaturationStatistics &more) {
  if (sum.reason == StopReason::Saturated)
    sum.reason = more.reason;
  sum.iterations += more.iterations;
  sum.nodes += more.nodes;
  sum.classes += more.classes;
  sum.seconds += more.seconds;
  sum.rebuildSeconds += more.rebuildSeconds;
  addRules(sum.rules, more.rules);
}

/// Says that the graph is worth nothing, if it is so. Rounding may be to blame
/// where numbers of floating point differ, so that this is no error.
static bool reportContradiction(Operation *op,
                                const SaturationStatistics &statistics,
                                TermSaturationReport &report) {
  if (statistics.contradiction.empty())
    return false;
  report.isContradicted = true;
  report.isFailed |= !statistics.isOfFloats;
  (statistics.isOfFloats ? op->emitWarning() : op->emitError())
      << "the rules contradict each other, so that the program stays as it is: "
      << statistics.contradiction;
  return true;
}

void BlockSaturation::run() {
  if (options.prepare)
    options.prepare(graph);
  std::optional<TermBlock> imported = importBlock(graph, block, options.isNode);
  if (!imported || imported->terms.empty() || imported->users.empty())
    return;
  terms = std::move(*imported);
  importEnd = graph.getTable().getEnd();
  unsigned place = 0;
  for (Operation &op : block)
    places[&op] = ++place;

  auto saturateGraph = [&] {
    return saturate(graph, options.rules, options.saturation,
                    options.makeRules ? options.makeRules(graph)
                                      : std::vector<TableRule>());
  };
  const SaturationStatistics statistics = saturateGraph();
  add(report.statistics, statistics);
  ++report.blocks;
  if (reportContradiction(block.getParentOp(), statistics, report))
    return;
  if (options.inspect)
    options.inspect(
        {block, graph, terms, statistics, [&] { saturateGraph(); }});

  collectNodes();
  const double before = getCostBefore();
  report.costBefore += before;
  if (options.replaces && plan() && costAfter < before * (1 - 1e-6)) {
    report.costAfter += costAfter;
    replace();
  } else {
    report.costAfter += before;
  }
}

FailureOr<TermSaturationReport>
mlir::tensoraccess::saturateTerms(FunctionOpInterface function,
                                  const TermSaturationOptions &options) {
  if (std::optional<std::string> problem = verify(options.saturation))
    return function.emitError(*problem);
  TermSaturationReport report;
  report.statistics.rules.resize(options.rules.size());
  SmallVector<Block *> blocks = findBlocks(function);
  // Rules that contradict each other in one block are not to be believed in the
  // others.
  Region before;
  if (options.replaces && blocks.size() > 1) {
    IRMapping mapping;
    function.getFunctionBody().cloneInto(&before, mapping);
  }
  for (Block *block : blocks) {
    BlockSaturation(*block, options, report).run();
    if (report.isContradicted)
      break;
  }
  if (report.isContradicted && !before.empty()) {
    function.getFunctionBody().takeBody(before);
    report.replaced = report.made = 0;
    report.costAfter = report.costBefore;
  }
  if (report.isFailed)
    return failure();
  return report;
}

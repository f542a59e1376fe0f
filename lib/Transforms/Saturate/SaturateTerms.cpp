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
//      once, and those without users not at all), the terms are built before
//      their users, in the order of the block, and what is no longer needed is
//      erased.
//
// A term may be built where all it needs is there. A leaf is there after the op
// that returns it. An op that must not be computed where the program does not
// (it is not speculatable) is there after the op that it was read from, or
// after all terms if a rule made it. Where a choice for all users needs more
// than is there, that user gets a choice of its own.
//
// An invalid cost is reported once for each op. One that is not a number is
// counted as infinite, though its term may be chosen as a last resort; a
// negative one is counted as 0. A program that has no finite cost stays as it
// is.
//
// A graph that is kept is built from in the block, too, but its ops are cloned
// with all around them, and then erased.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/SaturateTerms.h"

#include "BlockSaturation.h"
#include "ReplacedTerms.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool mlir::tensoraccess::isPureTerm(Operation *op) {
  return isTerm(op) || (!op->isRegistered() && op->getNumResults() != 0 &&
                        op->getNumSuccessors() == 0 && isKnownPure(op));
}

/// The blocks to be saturated, innermost first. Ops whose effects are those of
/// their regions show them; what others do with theirs is left to them.
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

/// Whether a node's operation may be computed where the program does not, asked
/// of an op that is like it, on its operands' types.
bool BlockSaturation::isSpeculatable(NodeId node) {
  const NodeTable &table = graph.getTable();
  const SymbolId symbol = table.getSymbol(node);
  if (graph.hasRegions(symbol))
    return false;
  std::vector<const void *> key = {
      reinterpret_cast<const void *>(static_cast<uintptr_t>(symbol))};
  for (unsigned i = 0, e = table.getNumOperands(node); i < e; ++i)
    key.push_back(
        graph.getType(table.getOperand(node, i)).getAsOpaquePointer());
  auto [known, isNew] = speculatable.try_emplace(std::move(key), false);
  if (!isNew)
    return known->second;
  Block scratch;
  Location loc = UnknownLoc::get(graph.getContext());
  SmallVector<Value> operands;
  for (unsigned i = 0, e = table.getNumOperands(node); i < e; ++i)
    operands.push_back(
        scratch.addArgument(graph.getType(table.getOperand(node, i)), loc));
  OpBuilder builder(graph.getContext());
  builder.setInsertionPointToEnd(&scratch);
  auto values = graph.buildNode(builder, loc, symbol, operands);
  return known->second =
             values && !scratch.empty() && !canFail(&scratch.back());
}

BlockSaturation::NodeKey BlockSaturation::makeKey(NodeId node) const {
  const NodeTable &table = graph.getTable();
  NodeKey key{table.getSymbol(node), {}};
  for (unsigned i = 0, e = table.getNumOperands(node); i < e; ++i)
    key.second.push_back(table.find(table.getOperand(node, i)));
  return key;
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
      isSpeculatable(node))
    return 0;
  auto own = ownPlaces.find(makeKey(node));
  return places.lookup(own == ownPlaces.end() ? terms.terms.back()
                                              : own->second);
}

double BlockSaturation::getCost(NodeId node) const {
  const SymbolId symbol = graph.getTable().getSymbol(node);
  double cost = 0;
  switch (graph.getKind(symbol)) {
  case TermGraph::SymbolKind::Theory:
    if (extraction->checksTheories &&
        !graph.getTheory(symbol)->canBuild(symbol))
      return kInfinity;
    [[fallthrough]];
  case TermGraph::SymbolKind::Operation:
    cost = extraction->cost(graph, node);
    break;
  case TermGraph::SymbolKind::Projection:
  case TermGraph::SymbolKind::Leaf:
    break;
  }
  return cost;
}

void BlockSaturation::addFault(NodeId node, CostFault::Kind kind, double cost) {
  std::string op = graph.describeSymbol(graph.getTable().getSymbol(node));
  for (TermCostFault &fault : faults)
    if (fault.op == op && fault.kind == kind) {
      ++fault.count;
      return;
    }
  faults.push_back({std::move(op), kind, cost, 1});
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
    needed.insert_range(TermGraph::getInputs(op));
    const NodeId node = terms.nodes.lookup(op);
    if (seen.insert(node).second)
      cost += toCounted(getCost(node));
  }
  return cost;
}

void BlockSaturation::collectGraph() {
  if (nodes.getNumNodes() != 0)
    return;
  for (Operation *op : terms.terms)
    ownPlaces.try_emplace(makeKey(terms.nodes.lookup(op)), op);
  nodes = ExtractionGraph(graph.getTable());
  for (uint32_t n = 0; n != nodes.getNumNodes(); ++n)
    after.push_back(findPlace(nodes.getTableNode(n)));
}

void BlockSaturation::collectNodes() {
  collectGraph();
  costs.clear();
  biased.clear();
  double least = kInfinity;
  isCurtailed = false;
  for (uint32_t n = 0; n != nodes.getNumNodes(); ++n) {
    // Costs may be costly themselves. The program's own have to be known.
    if (n % 16 == 0)
      isCurtailed |= getSecondsLeft() == 0;
    const double cost = isCurtailed && nodes.getTableNode(n) >= importEnd
                            ? kInfinity
                            : getCost(nodes.getTableNode(n));
    if (std::isnan(cost))
      addFault(nodes.getTableNode(n), CostFault::Kind::NotANumber, cost);
    else if (cost < 0)
      addFault(nodes.getTableNode(n), CostFault::Kind::Negative, cost);
    // What is not a number is a last resort of the extraction.
    biased.push_back(std::isnan(cost) ? cost : toCounted(cost));
    costs.push_back(toCounted(cost));
    if (costs.back() > 0)
      least = std::min(least, costs.back());
  }
  bias = std::isfinite(least) ? least * 1e-7 : 0;
  for (uint32_t n = 0; n != nodes.getNumNodes(); ++n)
    if (graph.mayBePoisonOf(nodes.getTableNode(n)))
      biased[n] = kInfinity;
    else if (nodes.getTableNode(n) >= importEnd)
      biased[n] += bias;
}

std::vector<uint32_t> BlockSaturation::classesOf(ArrayRef<Value> values) const {
  std::vector<uint32_t> classes;
  for (Value value : values)
    classes.push_back(classOf(value));
  llvm::sort(classes);
  classes.erase(llvm::unique(classes), classes.end());
  return classes;
}

std::vector<uint32_t> BlockSaturation::getRoots() const {
  SmallVector<Value> values;
  for (const TermBlock::User &user : terms.users)
    llvm::append_range(values, user.values);
  return classesOf(values);
}

std::shared_ptr<Extraction> BlockSaturation::choose(ArrayRef<uint32_t> roots,
                                                    ArrayRef<double> nodeCosts,
                                                    std::string &problem) {
  std::optional<Extraction> best;
  DagOptions search;
  search.seconds = getSecondsLeft();
  const double seconds = std::min(extraction->seconds, search.seconds);
  if (!extraction->isBounded)
    search.boundRounds = 0;
  // Without time it is the search alone.
  switch (extraction->method == ExtractionMethod::Exact && seconds == 0
              ? ExtractionMethod::Dag
              : extraction->method) {
  case ExtractionMethod::Tree:
    search.effort = 0;
    best = extractDag(nodes, nodeCosts, roots, search, problem);
    break;
  case ExtractionMethod::Dag:
    best = extractDag(nodes, nodeCosts, roots, search, problem);
    break;
  case ExtractionMethod::Exact:
    best = extractExact(nodes, nodeCosts, roots, {seconds, search}, problem);
    break;
  }
  return best ? std::make_shared<Extraction>(std::move(*best)) : nullptr;
}

/// The first op of the program that nothing of finite cost equals, though what
/// it needs is finite; or another problem, where there is none.
std::string BlockSaturation::describeInfinite(StringRef otherwise) {
  std::string ignored;
  std::optional<Extraction> trees =
      extractTree(nodes, ArrayRef<double>(costs), {}, ignored);
  if (!trees)
    return otherwise.str();
  for (Operation *op : terms.terms) {
    const NodeTable &table = graph.getTable();
    const NodeId node = terms.nodes.lookup(op);
    auto isFinite = [&](ClassId id) {
      return std::isfinite(trees->classCosts[nodes.findClass(table.find(id))]);
    };
    bool isFirst = !isFinite(node);
    for (unsigned i = 0, e = table.getNumOperands(node); i < e; ++i)
      isFirst &= isFinite(table.getOperand(node, i));
    if (isFirst)
      return "'" + graph.describeSymbol(table.getSymbol(node)) +
             "' and all that equals it have an infinite cost";
  }
  return otherwise.str();
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

double BlockSaturation::getSecondsLeft() const {
  if (!deadline)
    return kInfinity;
  return std::max(
      0.0, std::chrono::duration<double>(*deadline - Clock::now()).count());
}

/// The sum of the costs along a path that every choice has: a term's cost and
/// the most of its operands'. Classes that are views of each other, which make
/// other bounds weak, do not bypass it, since no path is cyclic.
double BlockSaturation::boundByPaths() {
  std::string ignored;
  std::optional<Extraction> paths = extractTree(
      nodes,
      [&](uint32_t node, ArrayRef<double> children) {
        double most = 0;
        for (double child : children)
          most = std::max(most, child);
        return biased[node] + most;
      },
      {}, ignored);
  double bound = 0;
  if (paths)
    for (uint32_t root : getRoots())
      bound = std::max(bound, paths->classCosts[root]);
  return std::isfinite(bound) ? bound : 0;
}

/// Adds what the program's own terms for a user cost beyond the classes that are
/// there, which they are then, too.
void BlockSaturation::addOwnCost(const TermBlock::User &user,
                                 llvm::DenseSet<uint32_t> &made) {
  SmallVector<Value> stack(user.values.begin(), user.values.end());
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    auto node = op ? terms.nodes.find(op) : terms.nodes.end();
    if (node == terms.nodes.end() ||
        !made.insert(nodes.findClass(graph.getTable().find(node->second)))
             .second)
      continue;
    costAfter += toCounted(getCost(node->second));
    llvm::append_range(stack, TermGraph::getInputs(op));
  }
}

/// Chooses for all users; false, and `problem`, where nothing can be chosen.
bool BlockSaturation::plan(std::string &problem) {
  choices.clear();
  costAfter = 0;
  std::shared_ptr<Extraction> best = choose(getRoots(), biased, problem);
  if (!best) {
    problem = describeInfinite(problem);
    return false;
  }
  for (const CostFault &fault : best->faults)
    if (fault.kind == CostFault::Kind::TooLarge)
      addFault(nodes.getTableNode(fault.node), fault.kind, fault.cost);
  // What is built for one user is there for the next.
  llvm::DenseSet<uint32_t> made;
  SmallVector<uint32_t> stack;
  isOptimal = best->isOptimal;
  for (const TermBlock::User &user : terms.users) {
    std::shared_ptr<Extraction> choice = best;
    if (!isAvailable(*best, user)) {
      isOptimal = false;
      if (getSecondsLeft() == 0) {
        addOwnCost(user, made);
        choices.push_back(nullptr);
        continue;
      }
      std::vector<double> there(biased);
      for (uint32_t n = 0; n != nodes.getNumNodes(); ++n)
        if (after[n] >= places.lookup(user.op))
          there[n] = kInfinity;
      choice = choose(classesOf(user.values), there, problem);
      if (!choice) {
        problem = "what is needed before '" +
                  user.op->getName().getStringRef().str() + "' can't be chosen";
        return false;
      }
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
  // There is no bound for what has no cost.
  if (isCurtailed) {
    isOptimal = false;
    lowerBound = 0;
    return true;
  }
  // The bound is one of the biased costs.
  const double slack = bias * nodes.getNumClasses();
  lowerBound =
      std::max(best->lowerBound,
               best->isOptimal || getSecondsLeft() == 0 ? 0 : boundByPaths());
  isOptimal |=
      std::isfinite(costAfter) && lowerBound >= costAfter * (1 - 1e-9) + slack;
  lowerBound = isOptimal ? costAfter : std::max(0.0, lowerBound - slack);
  return true;
}

/// Records what the values of users become.
void BlockSaturation::explain(ArrayRef<Replacement> replacements) {
  llvm::DenseMap<Value, TermId> own =
      makeOwnTerms(graph, *explainer, terms.terms);
  std::vector<ReplacedTerms::Replaced> replaced;
  auto returned = block.getTerminator()->getOperands();
  for (auto [user, choice] : llvm::zip_equal(terms.users, choices))
    for (const Replacement &replacement : replacements) {
      if (replacement.user != user.op)
        continue;
      auto it = llvm::find(returned, replacement.value);
      replaced.push_back(
          {own.lookup(replacement.value),
           makeChosenTerm(graph, *explainer, nodes, *choice,
                          classOf(replacement.value)),
           it == returned.end() ? -1 : int64_t(it - returned.begin())});
    }
  options.explain({*saturated, std::move(replaced)});
}

/// Makes the terms before their users. Where that fails, `failed` becomes the
/// user, and its value stays.
SmallVector<BlockSaturation::Replacement>
BlockSaturation::build(Operation *&failed, std::string &problem) {
  SmallVector<Replacement> replacements;
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
    if (!choice)
      continue;
    current = choice.get();
    OpBuilder ops(user.op);
    for (Value value : user.values) {
      auto made = builder.build(ops, value.getLoc(),
                                terms.classes.find(value)->second, problem);
      if (!made)
        failed = user.op;
      else if (made->front() != value)
        replacements.push_back({user.op, value, made->front()});
    }
  }
  report.made += builder.getNumMade();
  llvm::append_range(report.ops, builder.getOps());
  return replacements;
}

/// In the block, or in a clone of it.
void BlockSaturation::apply(ArrayRef<Replacement> replacements,
                            const IRMapping *clones) {
  auto of = [&](auto x) { return clones ? clones->lookupOrDefault(x) : x; };
  Block &body = *of(&block.back())->getBlock();
  for (const Replacement &replacement : replacements) {
    Operation *user = of(replacement.user);
    of(replacement.value)
        .replaceUsesWithIf(of(replacement.made), [&](OpOperand &use) {
          Operation *inBlock = body.findAncestorOpInBlock(*use.getOwner());
          return inBlock ? inBlock == user : user == &body.back();
        });
  }
  for (Operation *op : llvm::reverse(terms.terms))
    if (Operation *term = of(op); term->use_empty())
      term->erase();
}

/// Reports that the graph is of no use, if so. Rounding may be the cause
/// where floating-point numbers differ, so that this is not an error.
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

bool BlockSaturation::saturateBlock() {
  SaturationOptions saturation = options.saturation;
  saturation.limits.seconds = seconds;
  if (options.explain) {
    explainer = std::make_unique<Explainer>();
    graph.getTable().addAnalysis(explainer.get());
    saturation.explainer = explainer.get();
  }
  if (options.prepare)
    options.prepare(graph);
  std::optional<TermBlock> imported = importBlock(graph, block, options.isNode);
  if (!imported || imported->terms.empty() || imported->users.empty())
    return false;
  terms = std::move(*imported);
  importEnd = graph.getTable().getEnd();
  unsigned place = 0;
  for (Operation &op : block)
    places[&op] = ++place;

  auto saturateGraph = [this, saturation] {
    return saturate(graph, options.rules, saturation,
                    options.makeRules ? options.makeRules(graph)
                                      : std::vector<TableRule>());
  };
  statistics = saturateGraph();
  add(report.statistics, statistics);
  ++report.blocks;
  if (reportContradiction(block.getParentOp(), statistics, report))
    return false;
  saturated.emplace(SaturatedBlock{block, graph, terms, statistics,
                                   saturateGraph, options.isNode,
                                   explainer.get(), number});
  if (options.inspect)
    options.inspect(*saturated);
  return true;
}

void BlockSaturation::run() {
  const Clock::time_point begin = Clock::now();
  if (!saturateBlock())
    return;
  // What saturation has left of its time, but a tenth of it at least.
  const auto share = [](double seconds) {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::min(seconds, 1e8)));
  };
  deadline =
      std::max(begin + share(seconds), Clock::now() + share(seconds / 10));
  collectNodes();
  const double before = getCostBefore();
  report.costBefore += before;
  double cost = before, treeCost = getOwnTreeCost();
  std::string problem;
  Operation *op = block.getParentOp(), *failed = nullptr;
  const bool isPlanned = plan(problem);
  for (const TermCostFault &fault : faults)
    op->emitWarning() << fault.str();
  if (!isPlanned) {
    op->emitWarning() << problem << ", so that nothing is replaced";
    lowerBound = 0;
    isOptimal = false;
  } else if (costAfter < before * (1 - 1e-6) ||
             (std::isinf(before) && std::isfinite(costAfter))) {
    cost = costAfter;
    treeCost = getChosenTreeCost();
    SmallVector<Replacement> replacements = build(failed, problem);
    if (explainer)
      explain(replacements);
    apply(replacements, nullptr);
    report.replaced += replacements.size();
    if (failed)
      failed->emitWarning() << "what it needs stays as it is: " << problem;
  }
  report.lowerBound += std::min(lowerBound, cost);
  report.isOptimal &= isOptimal;
  report.costAfter += cost;
  report.treeCost += treeCost;
  for (TermCostFault &fault : faults) {
    auto known = llvm::find_if(report.faults, [&](const TermCostFault &other) {
      return other.op == fault.op && other.kind == fault.kind;
    });
    if (known == report.faults.end())
      report.faults.push_back(std::move(fault));
    else
      known->count += fault.count;
  }
}

FailureOr<TermSaturationReport>
mlir::tensoraccess::saturateTerms(FunctionOpInterface function,
                                  const TermSaturationOptions &options) {
  if (std::optional<std::string> problem = verify(options.saturation))
    return function.emitError(*problem);
  if (std::optional<std::string> problem = verify(options.extraction))
    return function.emitError(*problem);
  TermSaturationReport report;
  report.statistics.rules.resize(options.rules.size());
  SmallVector<Block *> blocks = findBlocks(function);
  // Rules that contradict each other in one block are not to be trusted in the
  // others.
  Region before;
  if (blocks.size() > 1) {
    IRMapping mapping;
    function.getFunctionBody().cloneInto(&before, mapping);
  }
  const double all = options.saturation.limits.seconds;
  const auto begin = BlockSaturation::Clock::now();
  for (auto [number, block] : llvm::enumerate(blocks)) {
    // The last block, which is the function's, has half of the time,
    // and each before it half of what the others have left of theirs.
    const double left = all - std::chrono::duration<double>(
                                  BlockSaturation::Clock::now() - begin)
                                  .count();
    const double seconds =
        number + 1 == blocks.size() ? left : (left - all / 2) / 2;
    if (!(seconds > 0)) {
      if (report.statistics.reason == StopReason::Saturated &&
          llvm::any_of(*block,
                       [&](Operation &op) { return options.isNode(&op); }))
        report.statistics.reason = StopReason::Time;
      continue;
    }
    BlockSaturation(*block, options, report, seconds, number).run();
    if (report.isContradicted)
      break;
  }
  if (report.isContradicted && !before.empty()) {
    function.getFunctionBody().takeBody(before);
    report.replaced = report.made = 0;
    report.ops.clear();
    report.costAfter = report.costBefore;
  }
  if (report.isFailed)
    return failure();
  return report;
}

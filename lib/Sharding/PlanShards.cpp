//===- PlanShards.cpp - How to cut a function over ranks ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of groups and of what groups exchange, and the memory limit. Many pairs
// ask for the same exchange (layers repeat, and cuts that differ elsewhere need
// the same boxes), so distributions and boxes are numbered, and the cost of
// each pair of numbers is worked out once.
//
//===----------------------------------------------------------------------===//

#include "PlanGroups.h"
#include "PlanSearch.h"

#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {
/// Distributed tensors and what is needed of them, numbered.
class ExchangeTable {
public:
  ExchangeTable(const Grid &grid, const Network &network)
      : grid(grid), network(network) {}

  unsigned number(ArrayRef<int64_t> shape, int64_t elementBytes,
                  const Distribution &owned) {
    std::vector<int64_t> key = {elementBytes};
    key.insert(key.end(), shape.begin(), shape.end());
    auto add = [&](ArrayRef<unsigned> axes) {
      key.push_back(-1);
      key.insert(key.end(), axes.begin(), axes.end());
    };
    for (const Distribution::Axes &axes : owned.dims)
      add(axes);
    add(owned.partial);
    auto [it, isNew] = ownedNumbers.try_emplace(std::move(key), tensors.size());
    if (isNew)
      tensors.push_back({{shape.begin(), shape.end()}, elementBytes, owned});
    return it->second;
  }

  unsigned number(const FactoredBoxes &needed) {
    std::vector<int64_t> key;
    for (const FactoredDim &dim : needed.dims) {
      key.push_back(-1);
      key.insert(key.end(), dim.axes.begin(), dim.axes.end());
      key.push_back(-2);
      for (auto [lo, hi] : dim.intervals) {
        key.push_back(lo);
        key.push_back(hi);
      }
    }
    auto [it, isNew] = neededNumbers.try_emplace(std::move(key), boxes.size());
    if (isNew)
      boxes.push_back(needed);
    return it->second;
  }

  /// The seconds of an exchange; what 2^63 bytes don't hold is never chosen.
  double getSeconds(unsigned owned, unsigned needed) {
    auto [it, isNew] = seconds.try_emplace({owned, needed}, 0);
    if (!isNew)
      return it->second;
    const Tensor &tensor = tensors[owned];
    std::optional<ExchangeCost> cost =
        getExchangeCost(grid, tensor.owned, tensor.shape, boxes[needed],
                        tensor.elementBytes, network);
    return it->second = cost ? cost->seconds : 1e30;
  }

private:
  struct Tensor {
    SmallVector<int64_t, 4> shape;
    int64_t elementBytes;
    Distribution owned;
  };
  const Grid &grid;
  const Network &network;
  std::map<std::vector<int64_t>, unsigned> ownedNumbers, neededNumbers;
  std::vector<Tensor> tensors;
  std::vector<FactoredBoxes> boxes;
  llvm::DenseMap<std::pair<unsigned, unsigned>, double> seconds;
};

/// What a candidate needs of a distributed value.
struct ValueNeed {
  Value value;
  unsigned needed; ///< number of the boxes
};

/// A candidate of a group, weighed.
struct WeighedCandidate {
  double seconds = 0;
  double bytes = 0; ///< of arguments and results
  /// Of the same values in the same order for all candidates of a group.
  SmallVector<ValueNeed, 4> needs;
};

/// Parts of the problem are groups; then arguments that have a distribution,
/// and the results that have one, with nothing to choose.
class Weigher {
public:
  Weigher(const PlanGroups &groups, const PlanOptions &options)
      : groups(groups), options(options), grid(options.grid),
        table(options.grid, *options.model.network) {
    for (const PlanGroup &group : groups.groups) {
      llvm::append_range(all.emplace_back(), group.members);
      llvm::append_range(all.back(), group.needed);
      llvm::sort(all.back(), [](Operation *a, Operation *b) {
        return b->isBeforeInBlock(a);
      });
    }
  }

  LogicalResult run(PlanProblem &problem,
                    std::vector<std::vector<double>> &bytes);

private:
  FailureOr<WeighedCandidate> weigh(unsigned group,
                                    const PlanCandidate &candidate);
  WeighedCandidate weighResults();
  /// How a candidate leaves a value of its group.
  Distribution getOwned(unsigned group, const PlanCandidate &candidate,
                        OpResult value) const;
  const Distribution *getHome(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return nullptr;
    const auto &home = groups.homes.arguments[argument.getArgNumber()];
    return home ? &*home : nullptr;
  }
  /// Whether a value is exchanged, not held as it is needed.
  bool isDistributed(Value value) const {
    Operation *op = value.getDefiningOp();
    return op ? groups.groupOf.count(op) != 0 : getHome(value) != nullptr;
  }
  double getSeconds(const BlockAccess &access, const Distribution &owned,
                    const Distribution &home) {
    return table.getSeconds(
        table.number(access.shape, access.elementBytes, owned),
        table.number(getFactoredBoxes(grid, home, access.shape)));
  }

  const PlanGroups &groups;
  const PlanOptions &options;
  const Grid &grid;
  ExchangeTable table;
  /// Members and needed ops of each group, the last first.
  std::vector<SmallVector<Operation *>> all;
};
} // namespace

Distribution Weigher::getOwned(unsigned group, const PlanCandidate &candidate,
                               OpResult value) const {
  Operation *op = value.getOwner();
  if (op != groups.groups[group].members[0])
    return candidate.result;
  if (candidate.decision.reduced)
    return *candidate.decision.reduced;
  return getResultDistribution(groups.ops.find(op)->second,
                               value.getResultNumber(), candidate.decision.cut);
}

FailureOr<WeighedCandidate> Weigher::weigh(unsigned group,
                                           const PlanCandidate &candidate) {
  WeighedCandidate out;
  const PlanGroup &members = groups.groups[group];
  // What is needed of values that are not distributed.
  llvm::DenseMap<Value, FactoredBoxes> needs;
  for (Operation *op : all[group]) {
    const BlockOp &block = groups.ops.find(op)->second;
    FactoredBoxes iterations;
    ShardDecision decision;
    auto it = groups.groupOf.find(op);
    if (it == groups.groupOf.end()) {
      decision.isNeeded = true;
      auto need = needs.find(op->getResult(0));
      if (need == needs.end())
        continue;
      const BlockAccess &access = *block.results[0];
      iterations.dims.resize(block.extents.size());
      SmallVector<unsigned, 4> dims = *access.getDims();
      for (auto [d, dim] : llvm::enumerate(dims))
        iterations.dims[dim] = need->second.dims[d];
      out.bytes += block.kind == BlockOpKind::Free
                       ? 0
                       : getBytes(need->second, access.elementBytes);
    } else {
      if (op == members.members[0])
        decision = candidate.decision;
      else
        decision.cut = candidate.result;
      iterations = getFactoredBoxes(grid, decision.cut, block.extents);
      for (auto [i, access] : llvm::enumerate(block.results)) {
        if (!access)
          continue;
        out.bytes += getBytes(
            getFactoredBoxes(grid, getOwned(group, candidate, op->getResult(i)),
                             access->shape),
            access->elementBytes);
        if (!decision.reduced)
          continue;
        ReductionSteps steps = getReductionSteps(block, i, grid, decision);
        out.seconds += getSeconds(*access, steps.partial, steps.step);
        // Layers of the sum.
        out.bytes += getBytes(getFactoredBoxes(grid, steps.step, access->shape),
                              access->elementBytes) *
                     grid.getNumParts(steps.partial.partial);
        if (steps.hasTwo())
          out.seconds += getSeconds(*access, steps.step, steps.home);
      }
    }
    FailureOr<double> seconds =
        getBlockSeconds(block, grid, iterations, options.model);
    if (failed(seconds))
      return failure();
    out.seconds += *seconds;
    auto add = [&](Value value, const BlockAccess &access,
                   FactoredBoxes touched) {
      if (isDistributed(value)) {
        out.needs.push_back({value, table.number(getCanonical(grid, touched))});
        return;
      }
      if (isa<BlockArgument>(value))
        out.bytes += getBytes(touched, access.elementBytes);
      auto [need, isNew] = needs.try_emplace(value, touched);
      if (!isNew)
        need->second = getHull(grid, need->second, touched);
    };
    for (auto [i, access] : llvm::enumerate(block.operands))
      if (access)
        add(op->getOperand(i), *access,
            getOperandBoxes(block, i, grid, decision, iterations,
                            isDistributed(op->getOperand(i))));
    for (const auto &[value, access] : block.captured)
      add(value, access,
          getFactoredBoxes(grid, Distribution::replicated(access.shape.size()),
                           access.shape));
  }
  return out;
}

/// The end of the function needs its results where they are to be.
WeighedCandidate Weigher::weighResults() {
  WeighedCandidate out;
  Operation *end = groups.body->getTerminator();
  for (OpOperand &result : end->getOpOperands()) {
    const auto &home = groups.homes.results[result.getOperandNumber()];
    auto type = dyn_cast<RankedTensorType>(result.get().getType());
    if (!home || !type || !isDistributed(result.get()))
      continue;
    out.needs.push_back(
        {result.get(),
         table.number(getCanonical(
             grid, getFactoredBoxes(grid, *home, type.getShape())))});
  }
  return out;
}

/// A value that one other part wants at most is a cost of pairs.
static void addShared(PlanProblem &problem, PlanProblem::Shared shared,
                      std::map<std::pair<size_t, size_t>, size_t> &edges) {
  size_t to = shared.from;
  for (const PlanProblem::Shared::Want &want : shared.wants) {
    if (want.part == shared.from || want.part == to)
      continue;
    if (to != shared.from) {
      problem.shared.push_back(std::move(shared));
      return;
    }
    to = want.part;
  }
  const size_t rows = problem.costs[shared.from].size();
  std::vector<size_t> choice(problem.costs.size(), 0);
  if (to == shared.from) {
    for (size_t &i = choice[to]; i != rows; ++i)
      problem.costs[to][i] += shared.getCost(choice);
    return;
  }
  const size_t width = problem.costs[to].size();
  auto [it, isNew] = edges.try_emplace({shared.from, to}, problem.edges.size());
  if (isNew)
    problem.edges.push_back(
        {shared.from, to, std::vector<double>(rows * width)});
  std::vector<double> &costs = problem.edges[it->second].costs;
  for (choice[shared.from] = 0; choice[shared.from] != rows;
       ++choice[shared.from])
    for (choice[to] = 0; choice[to] != width; ++choice[to])
      costs[choice[shared.from] * width + choice[to]] += shared.getCost(choice);
}

LogicalResult Weigher::run(PlanProblem &problem,
                           std::vector<std::vector<double>> &bytes) {
  std::vector<std::vector<WeighedCandidate>> weighed;
  for (auto [g, group] : llvm::enumerate(groups.groups)) {
    weighed.emplace_back();
    for (const PlanCandidate &candidate : group.candidates) {
      FailureOr<WeighedCandidate> one = weigh(g, candidate);
      if (failed(one))
        return failure();
      weighed.back().push_back(std::move(*one));
    }
  }
  llvm::DenseMap<Value, size_t> partOf;
  for (BlockArgument argument : groups.body->getArguments())
    if (getHome(argument)) {
      partOf[argument] = weighed.size();
      weighed.emplace_back(1);
    }
  weighed.push_back({weighResults()});
  for (const std::vector<WeighedCandidate> &candidates : weighed) {
    problem.costs.emplace_back();
    bytes.emplace_back();
    for (const WeighedCandidate &one : candidates) {
      problem.costs.back().push_back(one.seconds);
      bytes.back().push_back(one.bytes);
    }
  }
  // Which part needs which boxes of which value.
  llvm::MapVector<Value, SmallVector<std::pair<size_t, size_t>, 2>> users;
  for (auto [part, candidates] : llvm::enumerate(weighed))
    for (auto [k, need] : llvm::enumerate(candidates[0].needs))
      users[need.value].emplace_back(part, k);
  std::map<std::pair<size_t, size_t>, size_t> edges;
  for (const auto &[value, wanters] : users) {
    // How candidates of the owner leave it.
    size_t from;
    std::vector<unsigned> owned;
    if (auto result = dyn_cast<OpResult>(value)) {
      from = groups.groupOf.lookup(result.getOwner());
      const BlockAccess &access =
          *groups.ops.find(result.getOwner())
               ->second.results[result.getResultNumber()];
      for (const PlanCandidate &candidate : groups.groups[from].candidates)
        owned.push_back(table.number(access.shape, access.elementBytes,
                                     getOwned(from, candidate, result)));
    } else {
      from = partOf.lookup(value);
      auto type = cast<RankedTensorType>(value.getType());
      Type element = type.getElementType();
      const int64_t bytes =
          element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
      owned.push_back(table.number(type.getShape(), bytes, *getHome(value)));
    }
    PlanProblem::Shared shared;
    shared.from = from;
    llvm::DenseMap<unsigned, uint32_t> numbers;
    std::vector<unsigned> boxes;
    for (auto [part, k] : wanters) {
      PlanProblem::Shared::Want &want = shared.wants.emplace_back();
      want.part = part;
      for (const WeighedCandidate &candidate : weighed[part]) {
        auto [it, isNew] =
            numbers.try_emplace(candidate.needs[k].needed, boxes.size());
        if (isNew)
          boxes.push_back(candidate.needs[k].needed);
        want.numbers.push_back(it->second);
      }
    }
    shared.numWants = boxes.size();
    for (unsigned own : owned)
      for (unsigned needed : boxes)
        shared.costs.push_back(table.getSeconds(own, needed));
    addShared(problem, std::move(shared), edges);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

FailureOr<ShardPlan>
mlir::tensoraccess::planShards(FunctionOpInterface function,
                               const PlanOptions &options) {
  if (function.isExternal() || !function.getFunctionBody().hasOneBlock())
    return function->emitError("shards need a function of one block");
  if (!options.model.network)
    return function->emitError("the costs of '")
           << options.model.machine << "' have no network";
  FailureOr<ShardDecisions> fixed = readShardDecisions(function, options.grid);
  if (failed(fixed))
    return failure();
  FailureOr<ShardHomes> homes = readShardHomes(function, options.grid);
  if (failed(homes))
    return failure();
  FailureOr<PlanGroups> groups = groupOps(function, *fixed, std::move(*homes));
  if (failed(groups) || failed(addCandidates(*groups, *fixed, options)))
    return failure();
  PlanProblem problem;
  std::vector<std::vector<double>> bytes;
  if (failed(Weigher(*groups, options).run(problem, bytes)))
    return failure();
  if (std::optional<std::string> problemText = problem.verify())
    return function->emitError(*problemText);

  // The plan for a price of bytes.
  auto planAt = [&](double price) -> FailureOr<ShardPlan> {
    PlanProblem priced = problem;
    if (price > 0)
      for (size_t v = 0; v != priced.costs.size(); ++v)
        for (size_t i = 0; i != priced.costs[v].size(); ++i)
          priced.costs[v][i] += price * bytes[v][i];
    std::string error;
    std::optional<PlanSolution> solution = solvePlan(priced, options, error);
    if (!solution)
      return function->emitError(error);
    ShardPlan plan;
    plan.decisions = getDecisions(*groups, solution->choice);
    FailureOr<ShardedProgram> program = getShardedProgram(
        function, options.grid, plan.decisions, options.model);
    if (failed(program))
      return failure();
    plan.program = std::move(*program);
    plan.method = solution->method;
    plan.isOptimal = solution->isOptimal;
    plan.bound = price > 0 ? 0 : solution->bound;
    plan.groups = groups->groups.size();
    plan.leftOut = groups->leftOut;
    for (const PlanGroup &group : groups->groups)
      plan.candidates += group.candidates.size();
    return plan;
  };
  FailureOr<ShardPlan> plan = planAt(0);
  if (failed(plan) || !options.memoryLimit ||
      plan->program.memoryPerRank <= *options.memoryLimit)
    return plan;

  // Raise the price until it is met, then look for the least that does.
  double low = 0, high = 1e-13;
  uint64_t least = plan->program.memoryPerRank;
  FailureOr<ShardPlan> best = failure();
  for (; high < 1; high *= 8) {
    FailureOr<ShardPlan> next = planAt(high);
    if (failed(next))
      return failure();
    least = std::min(least, next->program.memoryPerRank);
    if (next->program.memoryPerRank <= *options.memoryLimit) {
      best = std::move(next);
      break;
    }
    low = high;
  }
  if (failed(best))
    return function->emitError("no plan was found that needs at most ")
           << *options.memoryLimit << " bytes per rank: the least needs "
           << least;
  for (int step = 0; step != 6; ++step) {
    const double middle = (low + high) / 2;
    FailureOr<ShardPlan> next = planAt(middle);
    if (failed(next))
      return failure();
    if (next->program.memoryPerRank > *options.memoryLimit) {
      low = middle;
      continue;
    }
    high = middle;
    if (next->program.seconds < best->program.seconds)
      best = std::move(next);
  }
  return best;
}

Grid mlir::tensoraccess::getNetworkGrid(int64_t ranks, const CostModel &model) {
  if (model.network && model.network->getNumRanks() == ranks) {
    Grid grid;
    for (auto [i, size] : llvm::enumerate(model.network->shape))
      grid.axes.push_back({"n" + std::to_string(i), size});
    if (!grid.verify())
      return grid;
  }
  return Grid::ofRanks(ranks);
}

//===- PlanShards.cpp - How to cut a function over ranks ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of groups and of pairs of groups, and the search over them. Many pairs
// ask for the same exchange (layers repeat, and cuts that differ elsewhere need
// the same boxes), so distributions and boxes are numbered, and the cost of
// each pair of numbers is worked out once.
//
//===----------------------------------------------------------------------===//

#include "PlanGroups.h"

#include "TensorAccess/Core/PlanProblem.h"
#include "TensorAccess/EGraph/CbcLibrary.h"

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

/// What a candidate of a group needs of another group's value.
struct GroupNeed {
  Operation *source;
  unsigned result;
  unsigned needed; ///< number of the boxes
};

/// A candidate of a group, weighed.
struct WeighedCandidate {
  double seconds = 0;
  double bytes = 0; ///< of arguments and results
  SmallVector<GroupNeed, 4> needs;
};

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
  /// How a candidate leaves a value of its group.
  Distribution getOwned(unsigned group, const PlanCandidate &candidate,
                        Operation *op, unsigned result) const;

  const PlanGroups &groups;
  const PlanOptions &options;
  const Grid &grid;
  ExchangeTable table;
  /// Members and needed ops of each group, the last first.
  std::vector<SmallVector<Operation *>> all;
};
} // namespace

static double getBytes(const FactoredBoxes &boxes, int64_t elementBytes) {
  double bytes = static_cast<double>(elementBytes);
  for (int64_t extent : getLongest(boxes))
    bytes *= static_cast<double>(extent);
  return bytes;
}

Distribution Weigher::getOwned(unsigned group, const PlanCandidate &candidate,
                               Operation *op, unsigned result) const {
  const PlanGroup &members = groups.groups[group];
  if (op != members.members[0])
    return candidate.result;
  if (candidate.decision.reduced)
    return *candidate.decision.reduced;
  return getResultDistribution(groups.ops.find(op)->second, result,
                               candidate.decision.cut);
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
    auto it = groups.groupOf.find(op);
    if (it == groups.groupOf.end()) {
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
      const Distribution &cut =
          op == members.members[0] ? candidate.decision.cut : candidate.result;
      iterations = getFactoredBoxes(grid, cut, block.extents);
      for (auto [i, access] : llvm::enumerate(block.results)) {
        if (!access)
          continue;
        Distribution own = getOwned(group, candidate, op, i);
        FactoredBoxes boxes = getFactoredBoxes(grid, own, access->shape);
        out.bytes += getBytes(boxes, access->elementBytes);
        if (op == members.members[0] && candidate.decision.reduced)
          out.seconds += table.getSeconds(
              table.number(access->shape, access->elementBytes,
                           getResultDistribution(block, i, cut)),
              table.number(boxes));
      }
    }
    FailureOr<double> seconds =
        getBlockSeconds(block, grid, iterations, options.model);
    if (failed(seconds))
      return failure();
    out.seconds += *seconds;
    for (auto [i, access] : llvm::enumerate(block.operands)) {
      if (!access)
        continue;
      Value operand = op->getOperand(i);
      FactoredBoxes touched =
          getTouched(grid, *access, block.extents, iterations);
      Operation *source = operand.getDefiningOp();
      auto producer =
          source ? groups.groupOf.find(source) : groups.groupOf.end();
      if (producer != groups.groupOf.end()) {
        const unsigned result = cast<OpResult>(operand).getResultNumber();
        if (producer->second == group)
          out.seconds += table.getSeconds(
              table.number(access->shape, access->elementBytes,
                           getOwned(group, candidate, source, result)),
              table.number(touched));
        else
          out.needs.push_back({source, result, table.number(touched)});
        continue;
      }
      if (!source)
        out.bytes += getBytes(touched, access->elementBytes);
      auto [need, isNew] = needs.try_emplace(operand, touched);
      if (!isNew)
        need->second = getHull(grid, need->second, touched);
    }
  }
  return out;
}

LogicalResult Weigher::run(PlanProblem &problem,
                           std::vector<std::vector<double>> &bytes) {
  std::vector<std::vector<WeighedCandidate>> weighed;
  for (auto [g, group] : llvm::enumerate(groups.groups)) {
    weighed.emplace_back();
    problem.costs.emplace_back();
    bytes.emplace_back();
    for (const PlanCandidate &candidate : group.candidates) {
      FailureOr<WeighedCandidate> one = weigh(g, candidate);
      if (failed(one))
        return failure();
      problem.costs.back().push_back(one->seconds);
      bytes.back().push_back(one->bytes);
      weighed.back().push_back(std::move(*one));
    }
  }
  for (auto [to, candidates] : llvm::enumerate(weighed)) {
    // Needs are the same for all candidates, but for their boxes.
    std::map<unsigned, size_t> edgeFrom;
    for (auto [k, need] : llvm::enumerate(candidates[0].needs)) {
      const unsigned from = groups.groupOf.lookup(need.source);
      const PlanGroup &producer = groups.groups[from];
      const BlockAccess &access =
          *groups.ops.find(need.source)->second.results[need.result];
      auto [it, isNew] = edgeFrom.try_emplace(from, problem.edges.size());
      if (isNew)
        problem.edges.push_back(
            {from, to,
             std::vector<double>(producer.candidates.size() *
                                 candidates.size())});
      std::vector<double> &costs = problem.edges[it->second].costs;
      for (auto [i, candidate] : llvm::enumerate(producer.candidates)) {
        const unsigned owned =
            table.number(access.shape, access.elementBytes,
                         getOwned(from, candidate, need.source, need.result));
        for (size_t j = 0; j != candidates.size(); ++j)
          costs[i * candidates.size() + j] +=
              table.getSeconds(owned, candidates[j].needs[k].needed);
      }
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {
struct Solution {
  std::vector<size_t> choice;
  std::string method;
  bool isOptimal = false;
  double bound = 0;
};
} // namespace

/// One variable per candidate and per pair of an edge: a pair's row and column
/// sums are its candidates' variables.
static Solution solveByProgram(const PlanProblem &problem, double seconds) {
  Solution out;
  out.method = "ilp";
  out.choice = solveByDescent(problem);
  tensoraccess::detail::BinaryProgram program;
  std::vector<size_t> first;
  auto addEqual = [&](std::vector<int> columns, std::vector<double> factors,
                      double right) {
    program.rows.push_back({columns, factors, 'G', right});
    program.rows.push_back(
        {std::move(columns), std::move(factors), 'L', right});
  };
  for (size_t v = 0; v != problem.costs.size(); ++v) {
    first.push_back(program.costs.size());
    std::vector<int> columns;
    for (size_t i = 0; i != problem.costs[v].size(); ++i) {
      columns.push_back(static_cast<int>(program.costs.size()));
      program.costs.push_back(problem.costs[v][i]);
      program.start.push_back(out.choice[v] == i);
    }
    std::vector<double> ones(columns.size(), 1);
    addEqual(std::move(columns), std::move(ones), 1);
  }
  for (const PlanProblem::Edge &edge : problem.edges) {
    const size_t rows = problem.costs[edge.from].size();
    const size_t width = problem.costs[edge.to].size();
    const size_t base = program.costs.size();
    for (size_t i = 0; i != rows; ++i)
      for (size_t j = 0; j != width; ++j) {
        program.costs.push_back(edge.costs[i * width + j]);
        program.start.push_back(out.choice[edge.from] == i &&
                                out.choice[edge.to] == j);
      }
    auto addSum = [&](size_t variable, size_t begin, size_t step, size_t n) {
      std::vector<int> columns = {static_cast<int>(variable)};
      std::vector<double> factors = {-1};
      for (size_t k = 0; k != n; ++k) {
        columns.push_back(static_cast<int>(begin + k * step));
        factors.push_back(1);
      }
      addEqual(std::move(columns), std::move(factors), 0);
    };
    for (size_t i = 0; i != rows; ++i)
      addSum(first[edge.from] + i, base + i * width, 1, width);
    for (size_t j = 0; j != width; ++j)
      addSum(first[edge.to] + j, base + j, width, rows);
  }
  // Times are microseconds and less: solvers round at 1e-6 or so.
  double most = 0;
  for (double cost : program.costs)
    most = std::max(most, cost);
  const double scale = most > 0 ? 1e4 / most : 1;
  for (double &cost : program.costs)
    cost *= scale;
  tensoraccess::detail::BinarySolution solution =
      tensoraccess::detail::solve(program, seconds);
  out.bound = solution.bound / scale;
  if (solution.values.empty())
    return out;
  std::vector<size_t> choice = out.choice;
  for (size_t v = 0; v != problem.costs.size(); ++v)
    for (size_t i = 0; i != problem.costs[v].size(); ++i)
      if (solution.values[first[v] + i])
        choice[v] = i;
  if (problem.getCost(choice) <= problem.getCost(out.choice))
    out.choice = std::move(choice);
  out.isOptimal = solution.isOptimal;
  return out;
}

/// Variables of an integer program that is tried without being asked for.
static constexpr size_t kAutoVariables = 40000;

static FailureOr<Solution> solve(FunctionOpInterface function,
                                 const PlanProblem &problem,
                                 const PlanOptions &options) {
  if (options.method != PlanMethod::IntegerProgram) {
    if (std::optional<std::vector<size_t>> choice =
            solveByElimination(problem)) {
      Solution out{std::move(*choice), "dp", true, 0};
      out.bound = problem.getCost(out.choice);
      return out;
    }
    if (options.method == PlanMethod::Elimination)
      return function->emitError("tables of the elimination would have more "
                                 "than ")
             << kPlanTableBudget << " entries; method=ilp has none";
  }
  size_t variables = 0;
  for (const PlanProblem::Edge &edge : problem.edges)
    variables += edge.costs.size();
  std::string error;
  const bool isLoaded = tensoraccess::detail::loadCbc(error);
  if (options.method == PlanMethod::IntegerProgram && !isLoaded)
    return function->emitError("method=ilp needs a solver: ") << error;
  if (isLoaded && (options.method == PlanMethod::IntegerProgram ||
                   variables <= kAutoVariables))
    return solveByProgram(problem, options.maxSeconds);
  Solution out;
  out.method = "descent";
  out.choice = solveByDescent(problem);
  return out;
}

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
  FailureOr<PlanGroups> groups = groupOps(function, *fixed);
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
    FailureOr<Solution> solution = solve(function, priced, options);
    if (failed(solution))
      return failure();
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

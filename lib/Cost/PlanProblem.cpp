//===- PlanProblem.cpp - Choices that cost in pairs -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts are variables, candidates their values: by variable elimination
// (BucketElimination.h), the tables of shared values included, or by descents.
//
//===----------------------------------------------------------------------===//

#include "BucketElimination.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>

using namespace mlir::tensoraccess;
using llvm::SmallVector;

std::optional<std::string> PlanProblem::verify() const {
  for (size_t v = 0; v != costs.size(); ++v) {
    if (costs[v].empty())
      return "part " + std::to_string(v) + " has no candidates";
    for (size_t i = 0; i != costs[v].size(); ++i)
      if (!std::isfinite(costs[v][i]))
        return "candidate " + std::to_string(i) + " of part " +
               std::to_string(v) + " has no finite cost";
  }
  for (size_t e = 0; e != edges.size(); ++e) {
    const Edge &edge = edges[e];
    std::string name = "edge " + std::to_string(e);
    if (edge.from >= costs.size() || edge.to >= costs.size() ||
        edge.from == edge.to)
      return name + " must join two of " + std::to_string(costs.size()) +
             " parts, got " + std::to_string(edge.from) + " and " +
             std::to_string(edge.to);
    const size_t pairs = costs[edge.from].size() * costs[edge.to].size();
    if (edge.costs.size() != pairs)
      return name + " must have " + std::to_string(pairs) + " costs, got " +
             std::to_string(edge.costs.size());
    for (double cost : edge.costs)
      if (!std::isfinite(cost))
        return name + " has a cost that is not finite";
  }
  for (size_t t = 0; t != shared.size(); ++t) {
    const Shared &value = shared[t];
    std::string name = "shared value " + std::to_string(t);
    auto isPart = [&](size_t part) { return part < costs.size(); };
    if (!isPart(value.from) || llvm::any_of(value.wants, [&](const auto &want) {
          return !isPart(want.part);
        }))
      return name + " is of a part that is not one of " +
             std::to_string(costs.size());
    const size_t entries = costs[value.from].size() * value.numWants;
    if (value.costs.size() != entries)
      return name + " must have " + std::to_string(entries) + " costs, got " +
             std::to_string(value.costs.size());
    for (double cost : value.costs)
      if (!std::isfinite(cost) || cost < 0)
        return name + " has a cost that is negative or not finite";
    for (const Shared::Want &want : value.wants) {
      if (want.numbers.size() != costs[want.part].size())
        return name + " must have " + std::to_string(costs[want.part].size()) +
               " wants of part " + std::to_string(want.part) + ", got " +
               std::to_string(want.numbers.size());
      for (uint32_t number : want.numbers)
        if (number >= value.numWants)
          return name + " has want " + std::to_string(number) + " of " +
                 std::to_string(value.numWants);
    }
  }
  return std::nullopt;
}

double PlanProblem::Shared::getCost(const std::vector<size_t> &choice) const {
  SmallVector<uint32_t, 8> seen;
  double cost = 0;
  for (const Want &want : wants) {
    const uint32_t number = want.numbers[choice[want.part]];
    if (llvm::is_contained(seen, number))
      continue;
    seen.push_back(number);
    cost += costs[choice[from] * numWants + number];
  }
  return cost;
}

double PlanProblem::getCost(const std::vector<size_t> &choice) const {
  double cost = 0;
  for (size_t v = 0; v != costs.size(); ++v)
    cost += costs[v][choice[v]];
  for (const Edge &edge : edges)
    cost +=
        edge.costs[choice[edge.from] * costs[edge.to].size() + choice[edge.to]];
  for (const Shared &value : shared)
    cost += value.getCost(choice);
  return cost;
}

//===----------------------------------------------------------------------===//
// Elimination
//===----------------------------------------------------------------------===//

static double addSeconds(double a, double b) { return a + b; }
using Eliminator = Elimination<double, addSeconds>;

/// What each combination of candidates costs of a shared value, the last part's
/// changing fastest; std::nullopt past the budget.
static std::optional<std::vector<double>>
tabulate(const PlanProblem &problem, const PlanProblem::Shared &value,
         llvm::ArrayRef<unsigned> parts, uint64_t &budget) {
  uint64_t entries = 1;
  for (unsigned part : parts)
    if (__builtin_mul_overflow(entries, problem.costs[part].size(), &entries))
      return std::nullopt;
  // An entry takes as long as some steps of the elimination.
  if (entries > budget / 8)
    return std::nullopt;
  budget -= 8 * entries;
  std::vector<double> costs;
  costs.reserve(entries);
  std::vector<size_t> choice(problem.costs.size(), 0);
  for (uint64_t entry = 0; entry != entries; ++entry) {
    costs.push_back(value.getCost(choice));
    for (unsigned part : llvm::reverse(parts)) {
      if (++choice[part] != problem.costs[part].size())
        break;
      choice[part] = 0;
    }
  }
  return costs;
}

std::optional<std::vector<size_t>>
mlir::tensoraccess::solveByElimination(const PlanProblem &problem,
                                       uint64_t budget) {
  SmallVector<unsigned> sizes;
  for (const std::vector<double> &candidates : problem.costs)
    sizes.push_back(candidates.size());
  std::vector<CostTable<double>> tables;
  auto addTable = [&](llvm::ArrayRef<unsigned> parts,
                      std::vector<double> costs) {
    CostTable<double> &table = tables.emplace_back();
    table.costs = std::move(costs);
    for (unsigned part : parts)
      if (sizes[part] > 1)
        table.scope.push_back(part);
  };
  for (unsigned v = 0; v != sizes.size(); ++v)
    addTable(v, problem.costs[v]);
  for (const PlanProblem::Edge &edge : problem.edges)
    addTable({unsigned(edge.from), unsigned(edge.to)}, edge.costs);
  for (const PlanProblem::Shared &value : problem.shared) {
    SmallVector<unsigned, 4> parts = {unsigned(value.from)};
    for (const PlanProblem::Shared::Want &want : value.wants)
      if (!llvm::is_contained(parts, want.part))
        parts.push_back(want.part);
    std::optional<std::vector<double>> costs =
        tabulate(problem, value, parts, budget);
    if (!costs)
      return std::nullopt;
    addTable(parts, std::move(*costs));
  }
  std::optional<Eliminator::Solution> found = Eliminator(sizes).solve(
      tables, std::numeric_limits<int64_t>::max(), budget);
  if (!found || !found->isExact)
    return std::nullopt;
  return std::vector<size_t>(found->values.begin(), found->values.end());
}

//===----------------------------------------------------------------------===//
// Descents
//===----------------------------------------------------------------------===//

std::vector<size_t>
mlir::tensoraccess::solveByDescent(const PlanProblem &problem,
                                   std::vector<size_t> choice) {
  if (choice.empty())
    for (const std::vector<double> &costs : problem.costs)
      choice.push_back(llvm::min_element(costs) - costs.begin());
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    for (size_t v = 0; v != choice.size(); ++v) {
      std::vector<double> sums = problem.costs[v];
      for (const PlanProblem::Edge &edge : problem.edges) {
        const size_t width = problem.costs[edge.to].size();
        for (size_t i = 0; i != sums.size(); ++i)
          if (edge.from == v)
            sums[i] += edge.costs[i * width + choice[edge.to]];
          else if (edge.to == v)
            sums[i] += edge.costs[choice[edge.from] * width + i];
      }
      const size_t before = choice[v];
      for (const PlanProblem::Shared &value : problem.shared) {
        if (value.from != v &&
            llvm::none_of(value.wants,
                          [&](const auto &want) { return want.part == v; }))
          continue;
        for (size_t i = 0; i != sums.size(); ++i) {
          choice[v] = i;
          sums[i] += value.getCost(choice);
        }
        choice[v] = before;
      }
      const size_t best = llvm::min_element(sums) - sums.begin();
      // Rounding must not keep this loop running.
      if (sums[best] < sums[choice[v]] * (1 - 1e-12)) {
        choice[v] = best;
        isBetter = true;
      }
    }
  }
  return choice;
}

/// The problem with a cost per pair instead of shared values: each want pays
/// the share `getShare(value, which want, number)`.
template <typename Share>
static PlanProblem makePairs(const PlanProblem &problem, Share &&getShare) {
  PlanProblem out;
  out.costs = problem.costs;
  out.edges = problem.edges;
  for (const PlanProblem::Shared &value : problem.shared)
    for (size_t w = 0; w != value.wants.size(); ++w) {
      const PlanProblem::Shared::Want &want = value.wants[w];
      std::vector<double> shares(value.numWants);
      for (uint32_t n = 0; n != value.numWants; ++n)
        shares[n] = getShare(value, w, n);
      auto getCost = [&](size_t i, size_t j) {
        const uint32_t n = want.numbers[j];
        return shares[n] * value.costs[i * value.numWants + n];
      };
      const size_t rows = out.costs[value.from].size();
      if (want.part == value.from) {
        for (size_t i = 0; i != rows; ++i)
          out.costs[value.from][i] += getCost(i, i);
        continue;
      }
      PlanProblem::Edge &edge = out.edges.emplace_back();
      edge.from = value.from;
      edge.to = want.part;
      const size_t width = out.costs[want.part].size();
      edge.costs.resize(rows * width);
      for (size_t i = 0; i != rows; ++i)
        for (size_t j = 0; j != width; ++j)
          edge.costs[i * width + j] = getCost(i, j);
    }
  return out;
}

std::optional<PlanBounds>
mlir::tensoraccess::solveByPairs(const PlanProblem &problem, uint64_t budget) {
  PlanBounds best;
  double least = 0;
  auto improve = [&](std::vector<size_t> choice) {
    choice = solveByDescent(problem, std::move(choice));
    const double cost = problem.getCost(choice);
    if (!best.choice.empty() && cost >= least * (1 - 1e-12))
      return false;
    best.choice = std::move(choice);
    least = cost;
    return true;
  };
  // Of k wants that are one each pays at least a k-th.
  PlanProblem below = makePairs(
      problem, [](const PlanProblem::Shared &value, size_t, uint32_t) {
        return 1.0 / static_cast<double>(value.wants.size());
      });
  std::optional<std::vector<size_t>> choice = solveByElimination(below, budget);
  if (!choice)
    return std::nullopt;
  best.bound = below.getCost(*choice);
  improve(std::move(*choice));
  PlanProblem above = makePairs(problem, [](const PlanProblem::Shared &, size_t,
                                            uint32_t) { return 1.0; });
  if ((choice = solveByElimination(above, budget)))
    improve(std::move(*choice));
  // A part that would join others that want the same already pays as one of
  // them.
  for (int round = 0; round != 4; ++round) {
    const std::vector<size_t> now = best.choice;
    PlanProblem joined =
        makePairs(problem, [&](const PlanProblem::Shared &value, size_t w,
                               uint32_t number) {
          int others = 0;
          for (size_t k = 0; k != value.wants.size(); ++k)
            others +=
                k != w &&
                value.wants[k].numbers[now[value.wants[k].part]] == number;
          return 1.0 / (1 + others);
        });
    choice = solveByElimination(joined, budget);
    if (!choice || !improve(std::move(*choice)))
      break;
  }
  return best;
}

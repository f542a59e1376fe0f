//===- PlanSearch.cpp - The choice of cuts that takes least ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Elimination, exact, where its tables are within the budget.
//   2. Else by pairs (Cost/Cost.h): a choice, and what none is below.
//   3. Where these are apart, or even pairs are too much: an integer program,
//      which starts from the best choice so far.
//
// In the program there is a variable per candidate and per pair of candidates
// of parts that share data: a pair's row and column sums are its candidates'
// variables. A shared value has a variable per candidate of its owner and want,
// at least the sum of the pairs that want it, for each part that does.
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"

#include "TensorAccess/Cost/BinaryProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Variables of an integer program that is tried without being asked for.
static constexpr size_t kAutoVariables = 40000;

/// What a plan may be above the bound without an integer program being tried,
/// unless that is asked for.
static constexpr double kGap = 0.01;

/// Costs from which on a pair is impossible: more than 2^63 bytes.
static constexpr double kImpossible = 1e29;

namespace {
class ProgramMaker {
public:
  ProgramMaker(const PlanProblem &problem, const std::vector<size_t> &start)
      : problem(problem), start(start) {}

  tensoraccess::BinaryProgram make();
  /// Of the first candidate of each part.
  std::vector<size_t> first;

private:
  using Columns = std::vector<int>;
  int addVariable(double cost, bool isSet);
  void addRow(Columns columns, std::vector<double> factors, char sense,
              double right) {
    program.rows.push_back(
        {std::move(columns), std::move(factors), sense, right});
  }
  /// The first variable of the pairs of two parts, row-major.
  size_t getPairs(size_t from, size_t to);
  void addCost(size_t variable, double cost);
  void addShared(const PlanProblem::Shared &value);

  const PlanProblem &problem;
  const std::vector<size_t> &start;
  tensoraccess::BinaryProgram program;
  std::map<std::pair<size_t, size_t>, size_t> pairs;
};
} // namespace

int ProgramMaker::addVariable(double cost, bool isSet) {
  program.costs.push_back(0);
  program.start.push_back(isSet);
  addCost(program.costs.size() - 1, cost);
  return static_cast<int>(program.costs.size()) - 1;
}

void ProgramMaker::addCost(size_t variable, double cost) {
  if (cost >= kImpossible)
    addRow({static_cast<int>(variable)}, {1}, 'L', 0);
  else
    program.costs[variable] += cost;
}

size_t ProgramMaker::getPairs(size_t from, size_t to) {
  auto [it, isNew] = pairs.try_emplace({from, to}, program.costs.size());
  if (!isNew)
    return it->second;
  const size_t base = it->second;
  const size_t rows = problem.costs[from].size();
  const size_t width = problem.costs[to].size();
  for (size_t i = 0; i != rows; ++i)
    for (size_t j = 0; j != width; ++j)
      addVariable(0, start[from] == i && start[to] == j);
  auto addSum = [&](size_t variable, size_t begin, size_t step, size_t n) {
    Columns columns = {static_cast<int>(variable)};
    std::vector<double> factors = {-1};
    for (size_t k = 0; k != n; ++k) {
      columns.push_back(static_cast<int>(begin + k * step));
      factors.push_back(1);
    }
    addRow(columns, factors, 'G', 0);
    addRow(std::move(columns), std::move(factors), 'L', 0);
  };
  for (size_t i = 0; i != rows; ++i)
    addSum(first[from] + i, base + i * width, 1, width);
  for (size_t j = 0; j != width; ++j)
    addSum(first[to] + j, base + j, width, rows);
  return base;
}

void ProgramMaker::addShared(const PlanProblem::Shared &value) {
  const size_t rows = problem.costs[value.from].size();
  std::vector<size_t> bases;
  for (const PlanProblem::Shared::Want &want : value.wants)
    bases.push_back(want.part == value.from ? 0
                                            : getPairs(value.from, want.part));
  for (size_t i = 0; i != rows; ++i)
    for (uint32_t n = 0; n != value.numWants; ++n) {
      const double cost = value.costs[i * value.numWants + n];
      if (cost == 0)
        continue;
      const bool isSet =
          start[value.from] == i &&
          llvm::any_of(value.wants, [&](const PlanProblem::Shared::Want &want) {
            return want.numbers[start[want.part]] == n;
          });
      const int paid = addVariable(cost, isSet);
      for (auto [want, base] : llvm::zip(value.wants, bases)) {
        Columns columns = {paid};
        std::vector<double> factors = {1};
        const size_t width = problem.costs[want.part].size();
        for (size_t j = 0; j != width; ++j) {
          if (want.numbers[j] != n)
            continue;
          if (want.part != value.from)
            columns.push_back(static_cast<int>(base + i * width + j));
          else if (i == j)
            columns.push_back(static_cast<int>(first[want.part] + j));
          else
            continue;
          factors.push_back(-1);
        }
        if (columns.size() != 1)
          addRow(std::move(columns), std::move(factors), 'G', 0);
      }
    }
}

tensoraccess::BinaryProgram ProgramMaker::make() {
  for (size_t v = 0; v != problem.costs.size(); ++v) {
    first.push_back(program.costs.size());
    Columns columns;
    for (size_t i = 0; i != problem.costs[v].size(); ++i)
      columns.push_back(addVariable(problem.costs[v][i], start[v] == i));
    std::vector<double> ones(columns.size(), 1);
    addRow(columns, ones, 'G', 1);
    addRow(std::move(columns), std::move(ones), 'L', 1);
  }
  for (const PlanProblem::Edge &edge : problem.edges) {
    const size_t base = getPairs(edge.from, edge.to);
    for (size_t k = 0; k != edge.costs.size(); ++k)
      addCost(base + k, edge.costs[k]);
  }
  for (const PlanProblem::Shared &value : problem.shared)
    addShared(value);
  return std::move(program);
}

static PlanSolution solveByProgram(const PlanProblem &problem,
                                   std::vector<size_t> start, double bound,
                                   double seconds) {
  PlanSolution out;
  out.method = "ilp";
  out.choice = std::move(start);
  ProgramMaker maker(problem, out.choice);
  tensoraccess::BinaryProgram program = maker.make();
  // Times are microseconds and less: solvers round at 1e-6 or so.
  double most = 0;
  for (double cost : program.costs)
    most = std::max(most, cost);
  const double scale = most > 0 ? 1e4 / most : 1;
  for (double &cost : program.costs)
    cost *= scale;
  tensoraccess::BinarySolution solution = tensoraccess::solve(program, seconds);
  out.bound = std::max(bound, solution.bound / scale);
  if (solution.values.empty())
    return out;
  std::vector<size_t> choice = out.choice;
  for (size_t v = 0; v != problem.costs.size(); ++v)
    for (size_t i = 0; i != problem.costs[v].size(); ++i)
      if (solution.values[maker.first[v] + i])
        choice[v] = i;
  if (problem.getCost(choice) <= problem.getCost(out.choice))
    out.choice = std::move(choice);
  out.isOptimal = solution.isOptimal;
  return out;
}

/// Of an integer program.
static size_t countVariables(const PlanProblem &problem) {
  size_t variables = 0;
  for (const PlanProblem::Edge &edge : problem.edges)
    variables += edge.costs.size();
  for (const PlanProblem::Shared &value : problem.shared) {
    variables += value.costs.size();
    for (const PlanProblem::Shared::Want &want : value.wants)
      variables +=
          problem.costs[value.from].size() * problem.costs[want.part].size();
  }
  return variables;
}

std::optional<PlanSolution>
mlir::tensoraccess::solvePlan(const PlanProblem &problem,
                              const PlanOptions &options, std::string &error) {
  const bool isProgram = options.method == PlanMethod::IntegerProgram;
  std::optional<PlanBounds> pairs;
  if (!isProgram) {
    if (std::optional<std::vector<size_t>> choice =
            solveByElimination(problem, options.tableBudget)) {
      PlanSolution out{std::move(*choice), "dp", true, 0};
      out.bound = problem.getCost(out.choice);
      return out;
    }
    if (!problem.shared.empty())
      pairs = solveByPairs(problem, options.tableBudget);
    if (!pairs && options.method == PlanMethod::Elimination) {
      error = "tables of the elimination would have more than " +
              std::to_string(options.tableBudget) +
              " entries; method=ilp has none";
      return std::nullopt;
    }
  }
  PlanSolution out;
  if (pairs) {
    const double cost = problem.getCost(pairs->choice);
    out = {std::move(pairs->choice), "dp", cost <= pairs->bound * (1 + 1e-9),
           pairs->bound};
    if (options.method == PlanMethod::Elimination ||
        cost <= pairs->bound * (1 + kGap))
      return out;
  } else {
    out.choice = solveByDescent(problem);
    out.method = "descent";
  }
  std::string reason;
  const bool isLoaded = tensoraccess::loadCbc(reason);
  if (isProgram && !isLoaded) {
    error = "method=ilp needs a solver: " + reason;
    return std::nullopt;
  }
  if (isLoaded && (isProgram || countVariables(problem) <= kAutoVariables))
    return solveByProgram(problem, std::move(out.choice), out.bound,
                          options.maxSeconds);
  return out;
}

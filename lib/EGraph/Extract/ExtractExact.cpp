//===- ExtractExact.cpp - Least DAGs by an integer program ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x[n] is 1 if node n is chosen. Minimize the sum of cost(n) · x[n], where
//
//   a root has a node                 sum over its nodes of x[n] >= 1
//   a class has one node at most      sum over its nodes of x[n] <= 1
//   what a class needs, has a node    for a class c and a child d of some of
//                                     its nodes: sum over the nodes of d of
//                                     x[n] >= sum over the nodes n of c that
//                                     have d as a child of x[n]
//
// Cycles are forbidden as they turn up, since most never would: where the
// solution has c1 -> c2 -> ... -> ck -> c1, of the k sums
//
//   sum over the nodes n of ci that have c(i+1) as a child of x[n] <= 1
//
// not all can be 1 at a time. This is added, and the program solved again, with
// the time that is left. Its bound remains valid.
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"
#include "Graph/PrintNumber.h"
#include "TensorAccess/Cost/BinaryProgram.h"
#include "TensorAccess/EGraph/Extraction.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;

static constexpr uint32_t kNone = ExtractionGraph::kNone;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {

class ExactSearch {
public:
  explicit ExactSearch(const DagProblem &problem) : problem(problem) {}

  /// Improves a choice and the bound. True if the choice is proven to be best.
  bool run(std::vector<uint32_t> &choice, double &bound, double seconds);

private:
  void addRows();
  std::vector<uint32_t> getChoice(const std::vector<bool> &values) const;
  std::vector<bool> getValues(ArrayRef<uint32_t> choice) const;
  bool forbidCycles(ArrayRef<uint32_t> choice);
  void forbid(ArrayRef<uint32_t> cycle);
  double getCost(ArrayRef<uint32_t> choice) const;

  const DagProblem &problem;
  BinaryProgram program;
};

} // namespace

void ExactSearch::addRows() {
  auto addNodes = [&](BinaryProgram::Row &row, uint32_t cls) {
    for (uint32_t node = problem.classBegins[cls];
         node != problem.classBegins[cls + 1]; ++node) {
      row.columns.push_back(node);
      row.coefficients.push_back(1);
    }
  };
  for (uint32_t root : problem.roots)
    addNodes(program.rows.emplace_back(BinaryProgram::Row{{}, {}, 'G', 1}),
             root);
  std::vector<std::pair<uint32_t, uint32_t>> needs;
  for (uint32_t cls = 0; cls != problem.getNumClasses(); ++cls) {
    const uint32_t begin = problem.classBegins[cls],
                   end = problem.classBegins[cls + 1];
    if (end - begin > 1)
      addNodes(program.rows.emplace_back(BinaryProgram::Row{{}, {}, 'L', 1}),
               cls);
    needs.clear();
    for (uint32_t node = begin; node != end; ++node)
      for (uint32_t child : problem.getChildren(node))
        needs.emplace_back(child, node);
    llvm::sort(needs);
    for (size_t i = 0; i != needs.size();) {
      const uint32_t child = needs[i].first;
      BinaryProgram::Row row{{}, {}, 'G', 0};
      addNodes(row, child);
      for (; i != needs.size() && needs[i].first == child; ++i) {
        row.columns.push_back(needs[i].second);
        row.coefficients.push_back(-1);
      }
      program.rows.push_back(std::move(row));
    }
  }
}

/// The choice that a solution stands for. Empty if a class that is needed
/// has no node, as may be of a solution that is only nearly one.
std::vector<uint32_t>
ExactSearch::getChoice(const std::vector<bool> &values) const {
  std::vector<uint32_t> choice(problem.getNumClasses(), kNone);
  for (uint32_t node = problem.getNumNodes(); node-- != 0;)
    if (values[node])
      choice[problem.classes[node]] = node;
  std::vector<bool> isSeen(problem.getNumClasses());
  std::vector<uint32_t> stack = problem.roots;
  while (!stack.empty()) {
    const uint32_t cls = stack.back();
    stack.pop_back();
    if (isSeen[cls])
      continue;
    isSeen[cls] = true;
    if (choice[cls] == kNone)
      return {};
    llvm::append_range(stack, problem.getChildren(choice[cls]));
  }
  return choice;
}

/// The nodes that the roots need.
std::vector<bool> ExactSearch::getValues(ArrayRef<uint32_t> choice) const {
  std::vector<bool> values(problem.getNumNodes());
  std::vector<uint32_t> stack = problem.roots;
  while (!stack.empty()) {
    const uint32_t node = choice[stack.back()];
    stack.pop_back();
    if (values[node])
      continue;
    values[node] = true;
    llvm::append_range(stack, problem.getChildren(node));
  }
  return values;
}

/// A cycle is given by its nodes; each has the next one's class as a child.
void ExactSearch::forbid(ArrayRef<uint32_t> cycle) {
  BinaryProgram::Row row{{}, {}, 'L', cycle.size() - 1.0};
  for (auto [i, node] : llvm::enumerate(cycle)) {
    const uint32_t cls = problem.classes[node],
                   next = problem.classes[cycle[(i + 1) % cycle.size()]];
    for (uint32_t other = problem.classBegins[cls];
         other != problem.classBegins[cls + 1]; ++other)
      if (llvm::is_contained(problem.getChildren(other), next)) {
        row.columns.push_back(other);
        row.coefficients.push_back(1);
      }
  }
  program.rows.push_back(std::move(row));
}

/// Forbids the cycles that a search in depth meets. False if there are none.
bool ExactSearch::forbidCycles(ArrayRef<uint32_t> choice) {
  enum : uint8_t { New, Open, Done };
  std::vector<uint8_t> states(problem.getNumClasses(), New);
  std::vector<uint32_t> path, next;
  bool isCyclic = false;
  for (uint32_t root : problem.roots) {
    if (states[root] != New)
      continue;
    states[root] = Open;
    path.push_back(choice[root]);
    next.push_back(0);
    while (!path.empty()) {
      ArrayRef<uint32_t> children = problem.getChildren(path.back());
      if (next.back() == children.size()) {
        states[problem.classes[path.back()]] = Done;
        path.pop_back();
        next.pop_back();
        continue;
      }
      const uint32_t child = children[next.back()++];
      if (states[child] == Open) {
        isCyclic = true;
        forbid(ArrayRef<uint32_t>(path).drop_front(
            llvm::find(path, choice[child]) - path.begin()));
      } else if (states[child] == New) {
        states[child] = Open;
        path.push_back(choice[child]);
        next.push_back(0);
      }
    }
  }
  return isCyclic;
}

double ExactSearch::getCost(ArrayRef<uint32_t> choice) const {
  double sum = 0;
  for (auto [node, isChosen] : llvm::enumerate(getValues(choice)))
    sum += isChosen ? problem.costs[node] : 0;
  return sum;
}

bool ExactSearch::run(std::vector<uint32_t> &choice, double &bound,
                      double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  addRows();
  // The solver's tolerances suit numbers around 1.
  double most = 0;
  for (double cost : problem.costs)
    most = std::max(most, cost);
  const double scale = most > 0 ? 1000 / most : 1;
  for (double cost : problem.costs)
    program.costs.push_back(cost * scale);
  program.start = getValues(choice);
  double least = getCost(choice);
  while (true) {
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    if (taken.count() >= seconds)
      return false;
    BinarySolution got = solve(program, seconds - taken.count());
    bound = std::max(bound, got.bound / scale);
    if (got.values.empty())
      return false;
    std::vector<uint32_t> found = getChoice(got.values);
    if (found.empty())
      return false;
    if (!forbidCycles(found)) {
      if (getCost(found) <= least) {
        // Classes without a node need none.
        for (auto [old, node] : llvm::zip_equal(choice, found))
          old = node == kNone ? old : node;
        return got.isOptimal;
      }
      return false;
    }
    if (!got.isOptimal)
      return false;
  }
}

bool mlir::tensoraccess::isExactExtractionAvailable(std::string &problem) {
  return loadCbc(problem);
}

std::optional<Extraction> mlir::tensoraccess::extractExact(
    const ExtractionGraph &graph, ArrayRef<double> costs,
    ArrayRef<uint32_t> roots, const ExactOptions &options,
    std::string &problem) {
  if (!loadCbc(problem))
    return std::nullopt;
  if (!(options.seconds > 0)) {
    problem =
        "the time limit must be positive, got " + printNumber(options.seconds);
    return std::nullopt;
  }
  std::optional<Extraction> greedy =
      extractDag(graph, costs, roots, options.search, problem);
  if (!greedy || greedy->isOptimal || greedy->cost == kInfinity)
    return greedy;
  std::optional<DagProblem> small =
      DagProblem::make(graph, costs, roots, problem);
  // What the search has chosen, in terms of the problem.
  std::vector<uint32_t> choice = small->trees;
  for (uint32_t node = 0; node != small->getNumNodes(); ++node) {
    const uint32_t origin = small->origins[node];
    if (greedy->choice[graph.getClass(origin)] == origin)
      choice[small->classes[node]] = node;
  }
  double bound = greedy->lowerBound;
  const bool isOptimal =
      ExactSearch(*small).run(choice, bound, options.seconds);
  Extraction result = small->translate(graph, choice);
  result.isOptimal = isOptimal;
  result.lowerBound = isOptimal ? result.cost : std::min(bound, result.cost);
  return result;
}

//===- DagBound.cpp - What no choice costs less than ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class that is used once costs at least as much as its cheapest node, and
// this can be shared out among all that could use it: each class that pays a
// part of it as a child adds this part to the node's cost. With the classes in
// an order, children first,
//
//   value(c) = min over the nodes n of c of
//                cost(n) + sum over the children d of n of part(c, d)
//   the sum of part(c, d) over all c, and over the root if d is one, is
//   value(d)
//
// and what the roots receive is a lower bound: the parts solve the dual of the
// linear program in which a class may be used in fractions. A class with a
// child that comes later in the order gets nothing from it.
//
// Which parts are good? The classes that pay should be those that use it:
//
//   1. At first, the users in a good choice share equally.
//   2. Each class would take the node that its value comes from. Parts move a
//      step towards the classes that would use it then; steps get smaller.
//   3. The best sum of all rounds is the bound.
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"
#include "TensorAccess/Core/Progress.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;

namespace {

class DagBound {
public:
  explicit DagBound(const DagProblem &problem);
  /// Moves the parts towards the users in a choice.
  void approach(ArrayRef<uint32_t> choice, double step);
  /// The sum that the roots receive. Leaves in `cheapest` where the values are
  /// from.
  double evaluate();

  std::vector<uint32_t> cheapest;

private:
  const DagProblem &problem;
  /// For each child of each node the number of the pair of classes, and for
  /// each pair the class that is shared. Roots are pairs of their own.
  std::vector<uint32_t> pairs, shared;
  std::vector<double> parts, values;
  std::vector<uint32_t> uses;
  std::vector<bool> isUsed;
};

} // namespace

DagBound::DagBound(const DagProblem &problem)
    : problem(problem), values(problem.getNumClasses()),
      uses(problem.getNumClasses()) {
  pairs.resize(problem.children.size());
  std::vector<uint32_t> last(problem.getNumClasses(), ExtractionGraph::kNone);
  for (uint32_t root : problem.roots)
    shared.push_back(root);
  for (uint32_t cls = 0; cls != problem.getNumClasses(); ++cls) {
    const auto first = static_cast<uint32_t>(shared.size());
    for (uint32_t i = problem.childBegins[problem.classBegins[cls]];
         i != problem.childBegins[problem.classBegins[cls + 1]]; ++i) {
      uint32_t &pair = last[problem.children[i]];
      if (pair == ExtractionGraph::kNone || pair < first) {
        pair = shared.size();
        shared.push_back(problem.children[i]);
      }
      pairs[i] = pair;
    }
  }
  parts.assign(shared.size(), 0);
  cheapest = problem.trees;
}

void DagBound::approach(ArrayRef<uint32_t> choice, double step) {
  // Which pairs are used from the roots.
  isUsed.assign(shared.size(), false);
  llvm::fill(uses, 0);
  std::vector<uint32_t> stack;
  auto use = [&](uint32_t pair) {
    isUsed[pair] = true;
    if (uses[shared[pair]]++ == 0)
      stack.push_back(shared[pair]);
  };
  for (uint32_t i = 0; i != problem.roots.size(); ++i)
    use(i);
  while (!stack.empty()) {
    const uint32_t node = choice[stack.back()];
    stack.pop_back();
    for (uint32_t i = problem.childBegins[node];
         i != problem.childBegins[node + 1]; ++i)
      if (shared[pairs[i]] < problem.classes[node])
        use(pairs[i]);
  }
  for (auto [i, cls] : llvm::enumerate(shared))
    if (uses[cls] != 0)
      parts[i] += step * ((isUsed[i] ? 1.0 / uses[cls] : 0.0) - parts[i]);
}

double DagBound::evaluate() {
  for (uint32_t cls = 0; cls != problem.getNumClasses(); ++cls) {
    double least = std::numeric_limits<double>::infinity();
    for (uint32_t node = problem.classBegins[cls];
         node != problem.classBegins[cls + 1]; ++node) {
      double value = problem.costs[node];
      for (uint32_t i = problem.childBegins[node];
           i != problem.childBegins[node + 1]; ++i)
        if (problem.children[i] < cls)
          value += parts[pairs[i]] * values[problem.children[i]];
      if (value < least) {
        least = value;
        cheapest[cls] = node;
      }
    }
    values[cls] = least;
  }
  double sum = 0;
  for (auto [i, root] : llvm::enumerate(problem.roots))
    sum += parts[i] * values[root];
  return sum;
}

double mlir::tensoraccess::detail::boundDag(
    const DagProblem &problem, ArrayRef<uint32_t> choice, unsigned rounds,
    std::optional<Clock::time_point> deadline) {
  DagBound bound(problem);
  bound.approach(choice, 1);
  double best = 0;
  for (unsigned round = 0; round != rounds; ++round) {
    best = std::max(best, bound.evaluate());
    if (isCancelled() || (deadline && Clock::now() >= *deadline))
      break;
    bound.approach(bound.cheapest, 1.0 / (round + 2));
  }
  // Parts add up to 1, give or take the last bits.
  return best * (1 - 1e-12);
}

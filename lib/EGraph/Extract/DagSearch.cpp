//===- DagSearch.cpp - Choices that get better step by step ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logic synthesis knows the problem as technology mapping for area, and two of
// its means (Mishchenko, Chatterjee, Brayton 2007) carry the search:
//
//   flow    A class passes its cost on in equal parts to as many users as it
//           had before; each class takes the node that is cheapest then. This
//           sees sharing from afar, but doubtfully.
//   exact   Users are counted. What a node costs is what has to be added for
//           it, what it saves is what has no other user. Every class takes the
//           best node, the others being as they are.
//
// The search:
//
//   1. Of the least trees and of a few rounds of flow, the best is taken.
//   2. Exact sweeps over the classes that are in use, children first.
//   3. Classes that are not in use choose again, those in use being free.
//   4. Moves of several classes, kept where the sum drops: a class that is not
//      in use is *opened*, and those that could use it choose again; a class
//      with several users is *closed*, and all of them choose something else.
//   5. 2 to 4 are repeated until nothing gets better. Then flow starts from the
//      users of the best choice, mixed with those of the last start, and all is
//      tried from there.
//
// Every class has a node all the time, and a position above those of the node's
// children, so that no choice is cyclic. Where a node's child has a higher
// position, the classes between are put into a new order (Pearce, Kelly 2007).
//
// Work is counted in nodes and children that are looked at, not in seconds,
// unless there is a deadline. The search ends in the midst of a move, which is
// then taken back.
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"
#include "TensorAccess/Core/Progress.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr uint32_t kNone = ExtractionGraph::kNone;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {

class DagSearch {
public:
  DagSearch(const DagProblem &problem, std::vector<uint32_t> &choice,
            double effort, std::optional<Clock::time_point> deadline)
      : problem(problem), choice(choice), uses(problem.getNumClasses()),
        position(problem.getNumClasses()), users(listUsers(problem)),
        mark(problem.getNumClasses()), flow(problem.getNumClasses()),
        deadline(deadline) {
    // Small graphs get a larger share.
    limit = static_cast<uint64_t>(std::min(
        effort * (problem.getNumNodes() + problem.children.size() + 1e5),
        9e18));
  }

  double run();

private:
  uint32_t getNumClasses() const { return problem.getNumClasses(); }
  bool isOver() {
    if (deadline && steps >= nextLook) {
      nextLook = steps + 100000;
      if (Clock::now() >= *deadline || isCancelled())
        limit = 0;
    }
    return steps > limit;
  }
  bool isBelow(double a, double b) const { return a < b * (1 - 1e-12); }

  void orderByChoice();
  void count();

  double acquire(uint32_t node, double bound);
  double release(uint32_t node);
  void undo(size_t size, uint32_t change);
  bool move(uint32_t cls, uint32_t node);
  bool choose(uint32_t cls, uint32_t node);
  bool improve(uint32_t cls, uint32_t banned = kNone, bool isForced = false);
  void sweep();
  std::vector<uint32_t> getOrder() const;
  double chooseByFlow(uint32_t cls);
  void chooseUnused();
  bool open(uint32_t cls);
  bool close(uint32_t cls);
  template <typename Change>
  bool attempt(Change change);
  void descend();
  void spread(ArrayRef<double> expected);

  const DagProblem &problem;
  std::vector<uint32_t> &choice;
  /// How many classes in use, and roots, need a class.
  std::vector<uint32_t> uses;
  std::vector<uint32_t> position;
  /// The nodes that have a class as a child.
  Buckets users;
  double total = 0;
  uint64_t steps = 0, limit;

  /// Classes whose uses were changed.
  SmallVector<uint32_t, 0> trail;
  /// Choices that were changed, if they are to be taken back.
  SmallVector<std::pair<uint32_t, uint32_t>, 0> log;
  bool isLogging = false;
  SmallVector<uint32_t, 0> stack, below, above, places;
  std::vector<uint8_t> mark;
  std::vector<double> flow;
  /// If there is one, the clock is read now and then.
  std::optional<Clock::time_point> deadline;
  uint64_t nextLook = 1;
};

} // namespace

/// Gives each class a position above the children of its node.
void DagSearch::orderByChoice() {
  llvm::fill(mark, 0);
  uint32_t next = 0;
  SmallVector<std::pair<uint32_t, uint32_t>, 0> frames;
  for (uint32_t root = 0; root != getNumClasses(); ++root) {
    if (mark[root])
      continue;
    mark[root] = 1;
    frames.emplace_back(root, 0);
    while (!frames.empty()) {
      auto &[cls, i] = frames.back();
      ArrayRef<uint32_t> children = problem.getChildren(choice[cls]);
      if (i == children.size()) {
        position[cls] = next++;
        frames.pop_back();
      } else if (uint32_t child = children[i++]; !mark[child]) {
        mark[child] = 1;
        frames.emplace_back(child, 0);
      }
    }
  }
  llvm::fill(mark, 0);
}

/// Counts the uses of the choice from the roots.
void DagSearch::count() {
  llvm::fill(uses, 0);
  total = 0;
  trail.clear();
  for (uint32_t root : problem.roots)
    if (uses[root]++ == 0)
      total += acquire(choice[root], kInfinity);
  trail.clear();
}

/// Counts a node's children as used, and gives the cost of the node and of all
/// that was not in use before; or something that is at least `bound`.
double DagSearch::acquire(uint32_t node, double bound) {
  double cost = problem.costs[node];
  stack.clear();
  stack.push_back(node);
  while (!stack.empty() && cost < bound) {
    ArrayRef<uint32_t> children = problem.getChildren(stack.pop_back_val());
    steps += children.size();
    for (uint32_t child : children) {
      trail.push_back(child);
      if (uses[child]++ != 0)
        continue;
      cost += problem.costs[choice[child]];
      stack.push_back(choice[child]);
    }
  }
  return cost;
}

/// The reverse.
double DagSearch::release(uint32_t node) {
  double cost = problem.costs[node];
  stack.clear();
  stack.push_back(node);
  while (!stack.empty()) {
    ArrayRef<uint32_t> children = problem.getChildren(stack.pop_back_val());
    steps += children.size();
    for (uint32_t child : children) {
      trail.push_back(child);
      if (--uses[child] != 0)
        continue;
      cost += problem.costs[choice[child]];
      stack.push_back(choice[child]);
    }
  }
  return cost;
}

/// Undoes the trail beyond `size`, where each was `change`.
void DagSearch::undo(size_t size, uint32_t change) {
  while (trail.size() > size)
    uses[trail.pop_back_val()] -= change;
}

/// Moves a class to a position above those of the node's
/// children. False, and nothing is changed, if one of them needs the class.
bool DagSearch::move(uint32_t cls, uint32_t node) {
  below.clear();
  above.clear();
  const uint32_t low = position[cls];
  uint32_t high = low;
  bool isCyclic = false;
  auto addBelow = [&](uint32_t child) {
    isCyclic |= child == cls;
    if (position[child] > low && !mark[child]) {
      mark[child] = 1;
      below.push_back(child);
      high = std::max(high, position[child]);
    }
  };
  llvm::for_each(problem.getChildren(node), addBelow);
  for (size_t i = 0; i != below.size() && !isCyclic; ++i) {
    ArrayRef<uint32_t> children = problem.getChildren(choice[below[i]]);
    steps += children.size();
    llvm::for_each(children, addBelow);
  }
  if (!isCyclic && !below.empty()) {
    mark[cls] = 1;
    above.push_back(cls);
    for (size_t i = 0; i != above.size(); ++i) {
      steps += users[above[i]].size();
      for (uint32_t node : users[above[i]]) {
        const uint32_t user = problem.classes[node];
        if (choice[user] == node && position[user] < high && !mark[user]) {
          mark[user] = 1;
          above.push_back(user);
        }
      }
    }
    auto isLower = [&](uint32_t a, uint32_t b) {
      return position[a] < position[b];
    };
    llvm::sort(below, isLower);
    llvm::sort(above, isLower);
    places.clear();
    for (auto *part : {&below, &above})
      for (uint32_t other : *part)
        places.push_back(position[other]);
    llvm::sort(places);
    steps += 8 * places.size();
    const uint32_t *place = places.begin();
    for (auto *part : {&below, &above})
      for (uint32_t other : *part)
        position[other] = *place++;
  }
  for (auto *part : {&below, &above})
    for (uint32_t other : *part)
      mark[other] = 0;
  return !isCyclic;
}

/// Gives a class that is in use another node. False if that would be cyclic.
bool DagSearch::choose(uint32_t cls, uint32_t node) {
  const uint32_t old = choice[cls];
  if (!move(cls, node))
    return false;
  // What both need is kept in between.
  choice[cls] = node;
  total += acquire(node, kInfinity);
  total -= release(old);
  trail.clear();
  if (isLogging)
    log.emplace_back(cls, old);
  return true;
}

/// Gives a class that is in use the node that lowers the sum most. A node with
/// the child `banned` is not taken. If forced, any other node is better than
/// one that is banned; false if there is none.
bool DagSearch::improve(uint32_t cls, uint32_t banned, bool isForced) {
  const uint32_t begin = problem.classBegins[cls],
                 end = problem.classBegins[cls + 1], old = choice[cls];
  if (end - begin == 1)
    return false;
  trail.clear();
  const double gain = release(old);
  const size_t size = trail.size();
  // The best first: one after the other until one is not cyclic.
  SmallVector<std::pair<double, uint32_t>, 8> better;
  double best = isForced ? kInfinity : gain;
  for (uint32_t node = begin; node != end && !isOver(); ++node) {
    // Small classes are counted by what is looked at below.
    steps += node - begin >= 16;
    if (node == old || !isBelow(problem.costs[node], best) ||
        (banned != kNone &&
         llvm::is_contained(problem.getChildren(node), banned)))
      continue;
    const double cost = acquire(node, best);
    undo(size, 1);
    if (!isBelow(cost, best))
      continue;
    better.emplace_back(cost, node);
    // The next one must be better, if this one is surely not cyclic.
    if (llvm::all_of(problem.getChildren(node), [&](uint32_t child) {
          return position[child] < position[cls];
        }))
      best = cost;
  }
  undo(0, -1);
  llvm::sort(better);
  for (auto [cost, node] : better)
    if (choose(cls, node))
      return true;
  return false;
}

void DagSearch::sweep() {
  SmallVector<std::pair<uint32_t, uint32_t>, 0> inUse;
  for (uint32_t cls = 0; cls != getNumClasses(); ++cls)
    if (uses[cls] != 0)
      inUse.emplace_back(position[cls], cls);
  llvm::sort(inUse);
  for (auto [place, cls] : inUse) {
    if (isOver())
      return;
    if (uses[cls] != 0)
      improve(cls);
  }
}

/// All classes, by position.
std::vector<uint32_t> DagSearch::getOrder() const {
  std::vector<uint32_t> order(getNumClasses());
  for (uint32_t cls = 0; cls != getNumClasses(); ++cls)
    order[position[cls]] = cls;
  return order;
}

/// Chooses the node that is cheapest with the flow of what comes before the
/// class; its cost.
double DagSearch::chooseByFlow(uint32_t cls) {
  double best = kInfinity;
  for (uint32_t node = problem.classBegins[cls];
       node != problem.classBegins[cls + 1]; ++node) {
    double cost = problem.costs[node];
    for (uint32_t child : problem.getChildren(node))
      cost += position[child] < position[cls] ? flow[child] : kInfinity;
    steps += problem.getChildren(node).size();
    if (cost < best) {
      best = cost;
      choice[cls] = node;
    }
  }
  return best;
}

/// What is not in use chooses by what it would add, as a tree.
void DagSearch::chooseUnused() {
  for (uint32_t cls : getOrder()) {
    flow[cls] = 0;
    if (uses[cls] != 0)
      continue;
    flow[cls] = chooseByFlow(cls);
  }
}

/// Makes a change, and takes it back unless the sum is lower.
template <typename Change>
bool DagSearch::attempt(Change change) {
  const double before = total;
  log.clear();
  isLogging = true;
  const bool isDone = change();
  isLogging = false;
  if (isDone && isBelow(total, before))
    return true;
  while (!log.empty()) {
    auto [cls, node] = log.pop_back_val();
    // A class out of use is not counted.
    if (uses[cls] != 0)
      choose(cls, node);
    else if (move(cls, node))
      choice[cls] = node;
  }
  // Without the rounding errors of this sum.
  total = before;
  return false;
}

/// Uses a class and lets others choose again.
bool DagSearch::open(uint32_t cls) {
  uint32_t candidates = 0;
  for (uint32_t node : users[cls])
    candidates += uses[problem.classes[node]] != 0;
  steps += users[cls].size();
  if (candidates < 2)
    return false;
  return attempt([&] {
    ++uses[cls];
    total += acquire(choice[cls], kInfinity);
    trail.clear();
    for (uint32_t node : users[cls]) {
      if (isOver())
        break;
      if (const uint32_t user = problem.classes[node]; uses[user] != 0)
        improve(user);
    }
    if (--uses[cls] == 0)
      total -= release(choice[cls]);
    trail.clear();
    return true;
  });
}

/// Makes all users of a class choose something else.
bool DagSearch::close(uint32_t cls) {
  SmallVector<uint32_t, 8> current;
  steps += users[cls].size();
  for (uint32_t node : users[cls]) {
    const uint32_t user = problem.classes[node];
    if (uses[user] == 0 || choice[user] != node)
      continue;
    if (problem.classBegins[user + 1] - problem.classBegins[user] == 1)
      return false;
    current.push_back(user);
  }
  // A root stays, and a single user has chosen already.
  if (current.size() < 2 || current.size() != uses[cls])
    return false;
  return attempt([&] {
    for (uint32_t user : current)
      if (uses[user] != 0 && !improve(user, cls, /*isForced=*/true))
        return false;
    return true;
  });
}

/// Steps 2 to 4 until nothing gets better.
void DagSearch::descend() {
  for (double before = kInfinity; isBelow(total, before) && !isOver();) {
    before = total;
    sweep();
    chooseUnused();
    for (uint32_t cls = 0; cls != getNumClasses() && !isOver(); ++cls)
      if (uses[cls] == 0)
        open(cls);
      else
        close(cls);
  }
}

/// Every class takes the node that is cheapest if it passes its cost on to as
/// many users as expected.
void DagSearch::spread(ArrayRef<double> expected) {
  for (uint32_t cls : getOrder()) {
    flow[cls] = chooseByFlow(cls) / std::max(1.0, expected[cls]);
  }
}

double DagSearch::run() {
  orderByChoice();
  count();
  std::vector<uint32_t> best = choice;
  double bestTotal = total;
  auto keep = [&] {
    if (!isBelow(total, bestTotal))
      return false;
    bestTotal = total;
    best = choice;
    return true;
  };
  std::vector<double> expected(getNumClasses(), 1);
  auto mix = [&] {
    for (uint32_t cls = 0; cls != getNumClasses(); ++cls)
      expected[cls] = (expected[cls] + 2.0 * uses[cls]) / 3;
  };
  for (unsigned round = 0; round != 4 && !isOver(); ++round) {
    mix();
    spread(expected);
    count();
    keep();
  }
  choice = best;
  orderByChoice();
  count();
  descend();
  keep();
  for (unsigned failures = 0; failures != 8 && !isOver();) {
    mix();
    spread(expected);
    count();
    descend();
    failures = keep() ? 0 : failures + 1;
  }
  choice = best;
  return bestTotal;
}

double mlir::tensoraccess::detail::searchDag(
    const DagProblem &problem, std::vector<uint32_t> &choice, double effort,
    std::optional<Clock::time_point> deadline) {
  return DagSearch(problem, choice, effort, deadline).run();
}

//===- PlanGroups.cpp - Ops that are cut together, and how ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Ops on arguments alone are needed, if they move elements or are small,
//      and ranks hold these arguments as they need them.
//   2. In the order of the program, an op that computes follows the group of
//      the last of the values that it reads element by element, or leads one.
//   3. Backwards, an op that moves elements is needed by the group of its
//      users, if that is one; else it leads a group.
//   4. Candidates of a leader: each axis of the grid cuts one of its loops, or
//      none.
//
//===----------------------------------------------------------------------===//

#include "PlanGroups.h"

#include "TensorAccess/Core/Exchange.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Elements up to which arithmetic on arguments alone is done by every rank
/// that needs it.
static constexpr int64_t kSmallElements = 1 << 16;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether each dimension is the iteration of that number.
static bool isIdentity(const BlockOp &op, const BlockAccess &access) {
  if (access.shape.size() != op.extents.size())
    return false;
  std::optional<SmallVector<unsigned, 4>> dims = access.getDims();
  if (!dims)
    return false;
  for (auto [d, dim] : llvm::enumerate(*dims))
    if (d != dim || access.shape[d] != op.extents[d])
      return false;
  return true;
}

static bool isReturned(Operation *op) {
  return llvm::is_contained(op->getUsers(), op->getBlock()->getTerminator());
}

namespace {
class Grouper {
public:
  Grouper(FunctionOpInterface function, const ShardDecisions &fixed,
          ShardHomes homes)
      : body(function.getFunctionBody().front()), fixed(fixed) {
    out.body = &body;
    out.homes = std::move(homes);
  }

  FailureOr<PlanGroups> run();

private:
  bool canBeNeeded(const BlockOp &op) const;
  bool isOfArguments(const BlockOp &op) const;
  std::optional<unsigned> findGroupToFollow(const BlockOp &op) const;
  std::optional<unsigned> findGroupOfUsers(Operation *op) const;
  void lead(Operation *op) {
    out.groupOf[op] = out.groups.size();
    out.groups.emplace_back().members.push_back(op);
  }

  Block &body;
  const ShardDecisions &fixed;
  PlanGroups out;
  /// Ops that move elements, until it is known which group needs them.
  llvm::SetVector<Operation *> pending;
  llvm::DenseSet<Operation *> shared;
  llvm::DenseMap<Operation *, unsigned> neededBy;
};
} // namespace

bool Grouper::canBeNeeded(const BlockOp &op) const {
  if (op.results.size() != 1 || !op.results[0] ||
      op.kind == BlockOpKind::Opaque || isReturned(op.op))
    return false;
  auto it = fixed.find(op.op);
  return it == fixed.end() || it->second.isNeeded;
}

/// Whether an op needs no exchange, and is cheap enough for every rank.
bool Grouper::isOfArguments(const BlockOp &op) const {
  int64_t elements = 1;
  for (int64_t extent : op.extents)
    elements *= extent;
  if (op.kind == BlockOpKind::Compute &&
      (elements > kSmallElements || llvm::is_contained(op.isReduction, true)))
    return false;
  auto isOwn = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return !out.homes.arguments[argument.getArgNumber()];
    return shared.contains(value.getDefiningOp());
  };
  for (const auto &[value, access] : op.captured)
    if (!isOwn(value))
      return false;
  return llvm::all_of(llvm::enumerate(op.operands), [&](auto it) {
    return !it.value() || isOwn(op.op->getOperand(it.index()));
  });
}

std::optional<unsigned> Grouper::findGroupToFollow(const BlockOp &op) const {
  if (fixed.count(op.op) || op.results.size() != 1 || !op.results[0] ||
      op.kind == BlockOpKind::Opaque || !isIdentity(op, *op.results[0]))
    return std::nullopt;
  std::optional<unsigned> group;
  Operation *last = nullptr;
  for (auto [i, access] : llvm::enumerate(op.operands)) {
    if (!access || !isIdentity(op, *access))
      continue;
    Operation *source = op.op->getOperand(i).getDefiningOp();
    auto it = out.groupOf.find(source);
    if (!source || it == out.groupOf.end() ||
        (last && source->isBeforeInBlock(last)))
      continue;
    const BlockOp &producer = out.ops.find(source)->second;
    if (producer.kind == BlockOpKind::Opaque || producer.results.size() != 1)
      continue;
    last = source;
    group = it->second;
  }
  return group;
}

/// The group that all users of an op are in, or are needed by.
std::optional<unsigned> Grouper::findGroupOfUsers(Operation *op) const {
  std::optional<unsigned> group;
  for (Operation *user : op->getUsers()) {
    // Regions read what is outside.
    user = op->getBlock()->findAncestorOpInBlock(*user);
    std::optional<unsigned> other;
    if (auto it = out.groupOf.find(user); it != out.groupOf.end())
      other = it->second;
    else if (auto it = neededBy.find(user); it != neededBy.end())
      other = it->second;
    if (!other || (group && *group != *other))
      return std::nullopt;
    group = other;
  }
  return group;
}

FailureOr<PlanGroups> Grouper::run() {
  for (Operation &op : body.without_terminator()) {
    auto isTensor = [](Value value) {
      return isa<ShapedType>(value.getType());
    };
    if (llvm::none_of(op.getResults(), isTensor) &&
        llvm::none_of(op.getOperands(), isTensor))
      continue;
    FailureOr<BlockOp> block = getBlockOp(&op);
    if (failed(block))
      return failure();
    out.ops[&op] = std::move(*block);
  }
  for (auto &[op, block] : out.ops) {
    if (canBeNeeded(block)) {
      if (block.kind == BlockOpKind::Free || isOfArguments(block)) {
        shared.insert(op);
        continue;
      }
      if (block.kind == BlockOpKind::Movement) {
        pending.insert(op);
        continue;
      }
    }
    if (std::optional<unsigned> group = findGroupToFollow(block)) {
      out.groups[*group].members.push_back(op);
      out.groupOf[op] = *group;
    } else {
      lead(op);
    }
  }
  for (auto &[op, block] : llvm::reverse(out.ops)) {
    const bool isShared = shared.contains(op);
    if (!isShared && !pending.contains(op))
      continue;
    std::optional<unsigned> group = findGroupOfUsers(op);
    if (group)
      neededBy[op] = *group;
    else if (!isShared && !op->use_empty())
      lead(op);
  }
  for (auto &[op, block] : out.ops) {
    if (out.groupOf.count(op))
      continue;
    auto it = neededBy.find(op);
    if (it != neededBy.end())
      out.groups[it->second].needed.push_back(op);
    else
      out.shared.push_back(op);
  }
  return std::move(out);
}

FailureOr<PlanGroups> mlir::tensoraccess::groupOps(FunctionOpInterface function,
                                                   const ShardDecisions &fixed,
                                                   ShardHomes homes) {
  return Grouper(function, fixed, std::move(homes)).run();
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// How results that are reduced in parts are distributed: scattered over the
/// longest dimension that has something for each rank, else summed on all.
static Distribution chooseReduced(const Distribution &partial,
                                  ArrayRef<int64_t> shape, const Grid &grid) {
  std::optional<size_t> best;
  int64_t most = 0;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    const int64_t left = extent / (grid.getNumParts(partial.dims[d]) *
                                   grid.getNumParts(partial.partial));
    if (left > most) {
      most = left;
      best = d;
    }
  }
  if (best)
    return getScattered(partial, *best);
  Distribution out = partial;
  out.partial.clear();
  return out;
}

static PlanCandidate makeCandidate(const BlockOp &leader, const Grid &grid,
                                   ShardDecision decision) {
  PlanCandidate out;
  for (unsigned i = 0; i != leader.results.size(); ++i) {
    if (!leader.results[i])
      continue;
    Distribution result = getResultDistribution(leader, i, decision.cut);
    if (!result.partial.empty()) {
      if (!decision.reduced)
        decision.reduced =
            chooseReduced(result, leader.results[i]->shape, grid);
      result = *decision.reduced;
    }
    out.result = result;
    break;
  }
  out.decision = std::move(decision);
  return out;
}

/// All cuts of a leader that leave every rank some of its iterations.
static std::vector<Distribution> enumerateCuts(const BlockOp &leader,
                                               const Grid &grid) {
  std::vector<Distribution> cuts = {
      Distribution::replicated(leader.extents.size())};
  // Results that differ in their dimensions can't be distributed as one.
  bool canSplit = leader.canSplit;
  for (const std::optional<BlockAccess> &result : leader.results)
    canSplit &= result && result->rows == leader.results[0]->rows;
  for (unsigned axis = 0; axis != grid.axes.size(); ++axis) {
    if (grid.axes[axis].size == 1)
      continue;
    for (size_t i = 0, n = cuts.size(); i != n; ++i)
      for (unsigned d = 0; d != leader.extents.size(); ++d) {
        Distribution cut = cuts[i];
        if (leader.isReduction[d] && !canSplit)
          continue;
        cut.dims[d].push_back(axis);
        if (grid.getNumParts(cut.dims[d]) <= leader.extents[d])
          cuts.push_back(std::move(cut));
      }
  }
  return cuts;
}

/// Leaves so many cuts of those that are sorted: of each set of axes an equal
/// share, since what cuts along fewer axes takes longer by itself but needs less
/// of others; then the cheapest.
static void keepSome(std::vector<std::pair<double, size_t>> &cuts,
                     ArrayRef<Distribution> all, const Grid &grid,
                     size_t most) {
  most = std::max<size_t>(most, 1);
  if (cuts.size() <= most)
    return;
  auto getSet = [&](const Distribution &cut) {
    size_t set = 0;
    for (const Distribution::Axes &axes : cut.dims)
      for (unsigned axis : axes)
        set |= size_t(1) << axis;
    return set;
  };
  size_t sets = 1;
  for (const GridAxis &axis : grid.axes)
    sets *= axis.size == 1 ? 1 : 2;
  const size_t share = std::max<size_t>(most / (4 * sets), 1);
  llvm::SmallVector<bool> isKept(cuts.size(), false);
  std::vector<size_t> count(size_t(1) << grid.axes.size(), 0);
  // The first, which cuts nothing, is always one.
  size_t kept = isKept[0] = true;
  for (bool hasShare : {true, false})
    for (size_t i = 1; i != cuts.size() && kept != most; ++i) {
      size_t &own = count[getSet(all[cuts[i].second])];
      if (isKept[i] || (hasShare && own == share))
        continue;
      isKept[i] = true;
      ++own;
      ++kept;
    }
  size_t next = 0;
  for (size_t i = 0; i != cuts.size(); ++i)
    if (isKept[i])
      cuts[next++] = cuts[i];
  cuts.resize(next);
}

LogicalResult mlir::tensoraccess::addCandidates(PlanGroups &groups,
                                                const ShardDecisions &fixed,
                                                const PlanOptions &options) {
  const Grid &grid = options.grid;
  for (PlanGroup &group : groups.groups) {
    const BlockOp &leader = groups.ops.find(group.members[0])->second;
    if (auto it = fixed.find(leader.op); it != fixed.end()) {
      if (it->second.isNeeded)
        return leader.op->emitError(
            "this op is returned, or ops that are cut unlike one another need "
            "it: it must be cut, got 'needed'");
      group.candidates.push_back(makeCandidate(leader, grid, it->second));
      continue;
    }
    // Seconds and numbers, to be sorted.
    std::vector<Distribution> all = enumerateCuts(leader, grid);
    std::vector<std::pair<double, size_t>> cuts;
    for (auto [i, cut] : llvm::enumerate(all)) {
      FactoredBoxes iterations = getFactoredBoxes(grid, cut, leader.extents);
      if (!isBoxOnBothSides(leader, grid, iterations))
        continue;
      FailureOr<double> seconds =
          getBlockSeconds(leader, grid, iterations, options.model);
      if (failed(seconds))
        return failure();
      cuts.emplace_back(*seconds, i);
    }
    // The first, which cuts nothing, is always one.
    std::sort(cuts.begin() + 1, cuts.end());
    const size_t before = cuts.size();
    keepSome(cuts, all, grid, options.maxCandidates);
    groups.leftOut += before - cuts.size();
    for (auto [seconds, i] : cuts) {
      ShardDecision decision;
      decision.cut = std::move(all[i]);
      group.candidates.push_back(
          makeCandidate(leader, grid, std::move(decision)));
    }
  }
  return success();
}

ShardDecisions mlir::tensoraccess::getDecisions(const PlanGroups &groups,
                                                ArrayRef<size_t> choice) {
  ShardDecisions decisions;
  for (const auto &[op, block] : groups.ops) {
    ShardDecision &decision = decisions[op];
    auto it = groups.groupOf.find(op);
    if (it == groups.groupOf.end()) {
      decision.isNeeded = true;
      continue;
    }
    const PlanGroup &group = groups.groups[it->second];
    const PlanCandidate &candidate = group.candidates[choice[it->second]];
    if (op == group.members[0])
      decision = candidate.decision;
    else
      decision.cut = candidate.result;
  }
  return decisions;
}

//===- PatternSet.cpp - Patterns under construction -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternSet.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Sets up to this size are searched from end to end.
static constexpr unsigned kSmall = 16;

PatternSet::Pattern *PatternSet::find(MapPool::Id id) {
  if (patterns.size() <= kSmall) {
    auto *it =
        llvm::find_if(patterns, [&](const Pattern &p) { return p.id == id; });
    return it == patterns.end() ? nullptr : it;
  }
  if (byId.empty())
    for (auto [i, pattern] : llvm::enumerate(patterns))
      byId[pattern.id] = i;
  auto it = byId.find(id);
  return it == byId.end() ? nullptr : &patterns[it->second];
}

void PatternSet::addStep(Pattern &pattern, const ReadStep *step) {
  if (!step)
    return;
  if (pattern.steps.size() < ReadPattern::kMaxSteps)
    pattern.steps.push_back(*step);
  else
    pattern.hasMoreSteps = true;
}

void PatternSet::setUnknown(IndexingReason why, Operation *op) {
  if (!isUnknown()) {
    reason = why;
    culprit = op;
  }
  patterns.clear();
  byId.clear();
}

void PatternSet::compact(MapPool &pool) {
  isCompact = true;
  SmallVector<Pattern, 1> old = std::move(patterns);
  patterns.clear();
  byId.clear();
  for (Pattern &pattern : old) {
    MapPool::Id merged = pool.merge(pattern.id);
    pattern.countsReads &= merged == pattern.id;
    pattern.id = merged;
    Pattern *twin = find(merged);
    if (!twin) {
      patterns.push_back(std::move(pattern));
      continue;
    }
    twin->countsReads = false;
    for (const ReadStep &step : pattern.steps)
      addStep(*twin, &step);
  }
  SmallVector<char> absorbed(patterns.size(), false);
  for (auto [i, small] : llvm::enumerate(patterns)) {
    for (auto [j, large] : llvm::enumerate(patterns)) {
      if (i == j || absorbed[j] || !pool.isContained(small.id, large.id))
        continue;
      absorbed[i] = true;
      large.countsReads = false;
      break;
    }
  }
  unsigned kept = 0;
  for (unsigned i = 0; i < patterns.size(); ++i)
    if (!absorbed[i]) {
      if (kept != i)
        patterns[kept] = std::move(patterns[i]);
      ++kept;
    }
  patterns.truncate(kept);
}

void PatternSet::insert(MapPool &pool, const IndexingBudget &budget,
                        MapPool::Id id, bool countsReads, const ReadStep *step,
                        Operation *op) {
  if (isUnknown())
    return;
  auto isTooLarge = [&] {
    return pool[id].getNumVariables() > budget.maxVariables ||
           pool[id].getConstraints().size() > budget.maxConstraints;
  };
  if (isCompact || isTooLarge()) {
    MapPool::Id merged = pool.merge(id);
    countsReads &= merged == id;
    id = merged;
  }
  const IndexingMap &map = pool[id];
  if (map.isUnknown())
    return setUnknown(fromUnknownReason(map.getUnknownReason()), op);
  if (isTooLarge())
    return setUnknown(IndexingReason::Budget, op);
  // A known-empty map adds no point: it stands only for a set without any.
  if (map.isKnownEmpty() && !patterns.empty())
    return;
  if (patterns.size() == 1 && pool[patterns.front().id].isKnownEmpty())
    clear();
  if (Pattern *twin = find(id)) {
    twin->countsReads &= countsReads;
    return addStep(*twin, step);
  }
  if (!isCompact && patterns.size() >= budget.maxMaps) {
    compact(pool);
    return insert(pool, budget, id, countsReads, step, op);
  }
  if (isCompact) {
    for (Pattern &other : patterns)
      if (pool.isContained(id, other.id)) {
        other.countsReads = false;
        return addStep(other, step);
      }
    size_t before = patterns.size();
    llvm::erase_if(patterns, [&](const Pattern &other) {
      return pool.isContained(other.id, id);
    });
    byId.clear();
    countsReads &= patterns.size() == before;
    if (patterns.size() >= budget.maxMaps)
      return setUnknown(IndexingReason::Budget, op);
  }
  if (!byId.empty())
    byId[id] = patterns.size();
  Pattern &pattern = patterns.emplace_back(Pattern{id, countsReads, false, {}});
  addStep(pattern, step);
}

IndexingSet PatternSet::getSet(const MapPool &pool) const {
  if (isUnknown())
    return IndexingSet::unknown(reason);
  SmallVector<IndexingMap, 1> maps;
  for (const Pattern &pattern : patterns)
    maps.push_back(pool[pattern.id]);
  return IndexingSet::of(maps);
}

ValueReads PatternSet::getReads(const MapPool &pool) const {
  ValueReads reads;
  reads.reason = reason;
  reads.culprit = culprit;
  for (const Pattern &pattern : patterns)
    reads.patterns.push_back(
        {pool[pattern.id], pattern.countsReads,
         SmallVector<ReadStep, 1>(pattern.steps.begin(), pattern.steps.end()),
         pattern.hasMoreSteps});
  return reads;
}

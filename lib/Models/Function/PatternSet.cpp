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

bool PatternSet::Pattern::isSame(const Pattern &o) const {
  if (id != o.id || !detailed != !o.detailed)
    return false;
  return !detailed || (detailed->map == o.detailed->map &&
                       equalDetails(detailed->details, o.detailed->details));
}

PatternSet::Pattern PatternSet::getPattern(MapPool &pool,
                                           const DetailedMap &entry) {
  Pattern pattern{pool.intern(entry.map)};
  if (entry.details)
    pattern.detailed = std::make_shared<const DetailedMap>(entry);
  return pattern;
}

PatternSet::Pattern *PatternSet::find(const Pattern &pattern) {
  if (patterns.size() <= kSmall || pattern.detailed) {
    auto *it = llvm::find_if(
        patterns, [&](const Pattern &p) { return p.isSame(pattern); });
    return it == patterns.end() ? nullptr : it;
  }
  if (byId.empty())
    for (auto [i, other] : llvm::enumerate(patterns))
      if (!other.detailed)
        byId[other.id] = i;
  auto it = byId.find(pattern.id);
  return it == byId.end() ? nullptr : &patterns[it->second];
}

void PatternSet::merge(MapPool &pool, Pattern &pattern) {
  if (pattern.hasReplica())
    return;
  MapPool::Id merged = pool.merge(pattern.id);
  if (merged == pattern.id)
    return;
  pattern.id = merged;
  pattern.countsReads = false;
  pattern.detailed = nullptr;
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
    merge(pool, pattern);
    Pattern *twin = find(pattern);
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
      if (i == j || absorbed[j] || small.hasReplica() || large.hasReplica() ||
          !pool.isContained(small.id, large.id))
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
                        Pattern pattern, const ReadStep *step, Operation *op) {
  if (isUnknown())
    return;
  auto isTooLarge = [&] {
    const IndexingMap &map = pool[pattern.id];
    return map.getNumVariables() > budget.maxVariables ||
           map.getConstraints().size() > budget.maxConstraints;
  };
  if (isCompact || isTooLarge())
    merge(pool, pattern);
  const IndexingMap &map = pool[pattern.id];
  if (map.isUnknown())
    return setUnknown(fromUnknownReason(map.getUnknownReason()), op);
  if (isTooLarge())
    return setUnknown(IndexingReason::Budget, op);
  // A known-empty map adds no point: it stands only for a set without any.
  if (map.isKnownEmpty() && !patterns.empty())
    return;
  if (patterns.size() == 1 && pool[patterns.front().id].isKnownEmpty())
    clear();
  if (Pattern *twin = find(pattern)) {
    twin->countsReads &= pattern.countsReads;
    return addStep(*twin, step);
  }
  if (!isCompact && patterns.size() >= budget.maxMaps) {
    compact(pool);
    return insert(pool, budget, std::move(pattern), step, op);
  }
  if (isCompact) {
    auto isInside = [&](const Pattern &a, const Pattern &b) {
      return !a.hasReplica() && !b.hasReplica() && pool.isContained(a.id, b.id);
    };
    for (Pattern &other : patterns)
      if (isInside(pattern, other)) {
        other.countsReads = false;
        return addStep(other, step);
      }
    size_t before = patterns.size();
    llvm::erase_if(patterns, [&](const Pattern &other) {
      return isInside(other, pattern);
    });
    byId.clear();
    pattern.countsReads &= patterns.size() == before;
    if (patterns.size() >= budget.maxMaps)
      return setUnknown(IndexingReason::Budget, op);
  }
  if (!byId.empty() && !pattern.detailed)
    byId[pattern.id] = patterns.size();
  addStep(patterns.emplace_back(std::move(pattern)), step);
}

IndexingSet PatternSet::getSet(const MapPool &pool) const {
  if (isUnknown())
    return IndexingSet::unknown(reason);
  SmallVector<DetailedMap, 1> maps;
  for (const Pattern &pattern : patterns)
    maps.push_back(pattern.getEntry(pool));
  return IndexingSet::of(maps);
}

ValueReads PatternSet::getReads(const MapPool &pool) const {
  ValueReads reads;
  reads.reason = reason;
  reads.culprit = culprit;
  for (const Pattern &pattern : patterns)
    reads.patterns.push_back(
        {pattern.getEntry(pool).map, pattern.countsReads,
         SmallVector<ReadStep, 1>(pattern.steps.begin(), pattern.steps.end()),
         pattern.hasMoreSteps});
  return reads;
}

//===- MapPool.cpp - Hash-consed indexing maps ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical form of a map, for comparing, has its symbols
//   1. start at 0 (IndexingMap::rescaleSymbols);
//   2. in the order in which results mention them first; several new ones in
//      one result by coefficient, then by size.
// It need not find every pair of equal relations: two numbers for one relation
// cost time, not correctness.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// The canonical form
//===----------------------------------------------------------------------===//

/// Variables that occur in `forms`.
static SmallVector<char, 32> getUsed(const IndexingMap &map,
                                     ArrayRef<Form> forms) {
  SmallVector<char, 32> used;
  for (const Form &form : forms)
    map.getArena().markUsed(form, used);
  used.resize(std::max<size_t>(used.size(), map.getNumVariables()));
  return used;
}

/// Range symbols by first mention; see the top.
static SmallVector<unsigned, 8> getSymbolOrder(const IndexingMap &map) {
  const unsigned first = map.getNumDims(), count = map.getNumSymbols();
  SmallVector<unsigned, 8> order;
  SmallVector<char, 8> seen(count, false);
  for (const Form &result : map.getResults()) {
    SmallVector<char, 32> used = getUsed(map, result);
    const unsigned begin = order.size();
    for (unsigned s = 0; s < count; ++s)
      if (used[first + s] && !seen[s]) {
        seen[s] = true;
        order.push_back(s);
      }
    auto weigh = [&](unsigned s) {
      const Interval &range = map.getSymbolRanges()[s];
      return std::tuple(FormRef(result).coefficientOf(first + s), range.upper,
                        range.lower, s);
    };
    llvm::sort(llvm::drop_begin(order, begin),
               [&](unsigned x, unsigned y) { return weigh(x) < weigh(y); });
  }
  for (unsigned s = 0; s < count; ++s)
    if (!seen[s])
      order.push_back(s);
  return order;
}

static IndexingMap canonicalize(const IndexingMap &original) {
  if (!original.isOrdinary() || original.getNumSymbols() == 0)
    return original;
  bool startsAtZero =
      llvm::all_of(original.getSymbolRanges(),
                   [](const Interval &range) { return range.lower == 0; });
  IndexingMap map = startsAtZero ? original : original.rescaleSymbols();
  if (!map.isOrdinary())
    return original;
  SmallVector<unsigned, 8> order = getSymbolOrder(map);
  if (llvm::is_sorted(order))
    return map;
  IndexingMapBuilder builder;
  SmallVector<Form, 8> images(map.getNumVariables());
  const unsigned first = map.getNumDims();
  for (unsigned i = 0; i < first; ++i)
    images[i] = builder.addDim(map.getRanges()[i]);
  for (unsigned s : order)
    images[first + s] = builder.addSymbol(map.getSymbolRanges()[s]);
  for (unsigned i = first + order.size(); i < images.size(); ++i)
    images[i] = builder.addRuntime(map.getRanges()[i]);
  builder.addMap(map, images);
  return builder.build();
}

MapPool::Id MapPool::intern(const IndexingMap &map) {
  IndexingMap key = canonicalize(map);
  const uint64_t hash = key.hash();
  auto [begin, end] = byHash.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    auto other = canonical.find(it->second);
    if ((other == canonical.end() ? maps[it->second] : other->second) == key)
      return it->second;
  }
  const Id id = maps.size();
  maps.push_back(map);
  byHash.emplace(hash, id);
  if (key != map)
    canonical.emplace(id, std::move(key));
  return id;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// Whether every point maps to itself. (A dimension of one index may be written
/// as that index.)
static bool isIdentity(const IndexingMap &map) {
  if (map.getNumDims() != map.getNumResults() || !map.isOrdinary() ||
      map.getNumVariables() != map.getNumDims() ||
      !map.getConstraints().empty())
    return false;
  for (auto [i, range] : llvm::enumerate(map.getDimRanges())) {
    const Form &result = map.getResult(i);
    if (result.asAtom() != AtomId(i) &&
        !(range.isPoint() && result == Form(range.lower)))
      return false;
  }
  return true;
}

/// first, then second. Most ops are elementwise, so identities are worth a
/// look: one that excludes no point of the other map is dropped.
static IndexingMap composeMaps(const IndexingMap &first,
                               const IndexingMap &second) {
  if (isIdentity(first) && second.isOrdinary() &&
      first.getDimRanges() == second.getDimRanges())
    return second;
  if (isIdentity(second) && first.isOrdinary() &&
      first.getNumResults() == second.getNumDims()) {
    auto staysInside = [&](unsigned i) {
      return second.getDimRanges()[i].contains(first.getResultRange(i));
    };
    if (llvm::all_of(llvm::seq(first.getNumResults()), staysInside))
      return first;
  }
  return first.then(second).simplify().removeUnusedSymbols();
}

/// Range symbols that results mention.
static unsigned countReadSymbols(const IndexingMap &map) {
  SmallVector<char, 32> used = getUsed(map, map.getResults());
  unsigned count = 0;
  for (unsigned s = 0; s < map.getNumSymbols(); ++s)
    count += used[map.getNumDims() + s];
  return count;
}

/// Merges window symbols; what was merged starts at 0.
static IndexingMap tidy(const IndexingMap &map) {
  IndexingMap merged = map.mergeSymbols();
  return merged == map ? map : merged.rescaleSymbols().simplify();
}

bool MapPool::hasIdleSymbols(Id id) const {
  const IndexingMap &map = maps[id];
  return map.isOrdinary() && countReadSymbols(map) != map.getNumSymbols();
}

MapPool::Id MapPool::compose(Id a, Id b, bool &merged) {
  auto [it, inserted] = composed.try_emplace({a, b});
  if (inserted) {
    IndexingMap map = composeMaps(maps[a], maps[b]);
    Composed result;
    // Symbols that only constraints mention should go in any case. Dropping
    // them does not merge reads: they made none.
    const unsigned symbols = map.getNumSymbols();
    if (map.isOrdinary() && symbols != 0) {
      const unsigned read = countReadSymbols(map);
      if (read != symbols || symbols > mergeSymbols) {
        map = tidy(map);
        result.merged = countReadSymbols(map) != read;
      }
    }
    result.id = intern(map);
    it->second = result;
  }
  merged |= it->second.merged;
  return it->second.id;
}

MapPool::Id MapPool::merge(Id id) {
  auto [it, inserted] = mergedMaps.try_emplace(id, id);
  if (inserted && maps[id].isOrdinary())
    it->second = intern(tidy(maps[id]));
  return it->second;
}

MapPool::Id MapPool::invert(Id id) {
  auto [it, inserted] = inverted.try_emplace(id, id);
  if (!inserted)
    return it->second;
  const IndexingMap &map = maps[id];
  if (map.isUnknown())
    return id;
  std::optional<IndexingMap> back = inverse(map);
  if (!back)
    return it->second = intern(IndexingMap::unknown(UnknownReason::Overflow));
  return it->second = intern(tidy(back->removeUnusedSymbols()));
}

bool MapPool::isContained(Id a, Id b) {
  if (a == b)
    return true;
  auto [it, inserted] = contained.try_emplace({a, b}, false);
  if (inserted)
    it->second = isContainedIn(maps[a], maps[b]);
  return it->second;
}

//===- MapPool.h - Hash-consed indexing maps --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composing the maps of a model makes few different maps many times. A pool
// gives each map a number, so that equality is equality of numbers, and the
// results of composing, merging, inverting and comparing can be looked up.
//
// Maps that differ only in the order or the offset of their range symbols have
// one number: (d0)[s0, s1] -> (s0, s1) and (d0)[s0, s1] -> (s1, s0) are the
// same set of reads where the ranges agree. The map that came first is kept.
//
//   MapPool pool;
//   bool merged = false;
//   MapPool::Id c = pool.compose(pool.intern(f), pool.intern(g), merged);
//   pool[c];   // f.then(g), simplified
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_MAPPOOL_H
#define TENSORACCESS_CORE_MAPPOOL_H

#include "TensorAccess/Core/IndexingMap.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <unordered_map>

namespace mlir::tensoraccess {

/// Not thread-safe. Grows with the number of different maps it has seen.
class MapPool {
public:
  using Id = unsigned;

  static constexpr unsigned kMergeSymbols = 6;

  /// `mergeSymbols` is how many range symbols a composed map may have before
  /// its window symbols are merged.
  explicit MapPool(unsigned mergeSymbols = kMergeSymbols)
      : mergeSymbols(mergeSymbols) {}

  /// The number of a map.
  Id intern(const IndexingMap &map);
  /// The first map that got this number. The reference stays valid.
  const IndexingMap &operator[](Id id) const { return maps[id]; }
  unsigned size() const { return maps.size(); }

  /// First a, then b, simplified; symbols that nothing needs are dropped.
  /// Beyond so many range symbols as the pool allows, window symbols are merged:
  /// `merged` is set if that happened, and else left as it is.
  Id compose(Id a, Id b, bool &merged);
  /// The same relation with window symbols merged (IndexingMap::mergeSymbols);
  /// the same number if there is nothing to merge.
  Id merge(Id id);
  /// The relation read backwards: its dims are indices that the map results in,
  /// its results are the map's dims.
  Id invert(Id id);
  /// True if only constraints mention some range symbol.
  bool hasIdleSymbols(Id id) const;
  /// isContainedIn, remembered.
  bool isContained(Id a, Id b);

private:
  struct Composed {
    Id id = 0;
    bool merged = false;
  };

  unsigned mergeSymbols;
  std::deque<IndexingMap> maps;
  std::unordered_multimap<uint64_t, Id> byHash;
  /// Maps in canonical form, where that is another one.
  std::unordered_map<Id, IndexingMap> canonical;
  llvm::DenseMap<std::pair<Id, Id>, Composed> composed;
  llvm::DenseMap<Id, Id> mergedMaps, inverted;
  llvm::DenseMap<std::pair<Id, Id>, bool> contained;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_MAPPOOL_H

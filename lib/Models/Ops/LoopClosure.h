//===- LoopClosure.h - What any number of trips reads -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The closure of a loop's body over its trips; Control.h defines it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_LOOPCLOSURE_H
#define TENSORACCESS_LIB_MODELS_LOOPCLOSURE_H

#include "TensorAccess/Models/Control.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tensoraccess {

using Shape = SmallVector<int64_t>;

/// A union of maps of which none lies in another.
struct Maps {
  SmallVector<MapPool::Id, 2> ids;
  IndexingReason reason = IndexingReason::None;

  bool isUnknown() const { return reason != IndexingReason::None; }
  bool empty() const { return ids.empty() && !isUnknown(); }
};

/// Sets of more maps become all elements.
constexpr size_t kMaxMaps = 16;
/// The same where maps depend on numbers that are not known: they hardly ever become
/// the same after more trips.
constexpr size_t kMaxOpenMaps = 6;
/// Trips after which maps that still grow become all elements.
constexpr int64_t kMaxRounds = 8;

class Sets {
public:
  Sets(IndexingCache &cache)
      : pool(cache.getPool()), budget(cache.getBudget()) {}

  /// Whether the set grew.
  bool add(Maps &set, const IndexingMap &map) {
    return add(set, pool.intern(map));
  }
  bool add(Maps &set, MapPool::Id id);
  bool addAll(Maps &set, const Maps &other);
  /// First a, then b, added to `set`.
  bool addComposed(Maps &set, const Maps &a, const Maps &b);
  size_t getMost(const Maps &set) const {
    return llvm::any_of(
               set.ids,
               [&](MapPool::Id id) { return pool[id].getNumRuntime() != 0; })
               ? kMaxOpenMaps
               : kMaxMaps;
  }
  /// Whether the set has outgrown what it may be.
  bool isTooLarge(const Maps &set) const {
    return set.ids.size() > getMost(set) ||
           set.reason == IndexingReason::Budget;
  }

  MapPool &pool;
  const IndexingBudget &budget;
};

/// Trips of states that depend on each other, after which no trip reads more.
constexpr size_t kMaxPowers = 3;

/// Every element of `to`, from every index in `from`.
IndexingMap makeFull(ArrayRef<Interval> from, ArrayRef<int64_t> to);

class LoopReader {
public:
  LoopReader(const Loop &loop, std::vector<Shape> shapes, IndexingCache &cache)
      : loop(loop), shapes(std::move(shapes)), sets(cache) {}

  /// Composes the region's maps with time, and closes them.
  void run(const RegionReads &body);
  /// What element (T, i) of state p, one for each `from`, reads: of the state
  /// before the first trip, and of captured values. False if that may be less
  /// than what is added.
  bool follow(unsigned p, const IndexingMap &from, std::vector<Maps> &initial,
              llvm::MapVector<Value, Maps> &captured);

  const Loop &loop;
  std::vector<Shape> shapes;
  Sets sets;

private:
  /// From states of a group to states of it.
  using Reads = std::vector<std::vector<Maps>>;

  Interval getTime(int64_t first) const {
    return {first, loop.trips ? *loop.trips : Interval::kNoUpper};
  }
  IndexingMap extend(const DetailedMap &entry, bool withTime) const;
  Maps extendAll(const IndexingSet &set, bool withTime);
  /// The map without time: what any trip reads.
  IndexingMap forgetTime(const IndexingMap &step) const;
  IndexingMap widen(unsigned p, unsigned q) const;
  void sortComponents();
  void close(ArrayRef<unsigned> group);
  bool closeKept(unsigned p);
  std::vector<Reads> getPowers(ArrayRef<unsigned> group, const Reads &base);
  IndexingMap chain(const IndexingMap &map, ArrayRef<Interval> ranges,
                    int64_t least) const;

  /// body[p][q]: from (T, i) of p to (T - 1, j) of q.
  std::vector<std::vector<Maps>> body;
  /// star[p][q]: any number of trips within a group.
  std::vector<std::vector<Maps>> star;
  /// Of states: whether a map that begins there may hold more than is read.
  SmallVector<char> isHull;
  std::string trip;
  std::vector<std::pair<Value, std::vector<Maps>>> reads;
  /// Groups of states that depend on each other, users first.
  std::vector<SmallVector<unsigned>> groups;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_LOOPCLOSURE_H

//===- DomainWalk.cpp - Walking domains by the thousand -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Ranges prove that no value or sum leaves 64 bits; where they can't, the
//      map is enumerated instead, and nothing needs to be checked on the way.
//   2. The box of all variables is evaluated in chunks (MapEvaluator).
//   3. A tuple of results is one number, its position in a box that contains
//      all of them. These are bits of a field if the box is not much larger
//      than the walk, else entries of a hash table with open addresses.
//
//===----------------------------------------------------------------------===//

#include "DomainWalk.h"

#include "TensorAccess/Core/MapEvaluator.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Points of a chunk, at most.
static constexpr int64_t kChunk = 1 << 13;
/// Points that are walked at most, whatever the budget.
static constexpr uint64_t kMaxPoints = uint64_t(1) << 32;
/// Steps of a walk that is always worth it.
static constexpr uint64_t kShortWalk = uint64_t(1) << 19;
/// Steps of a point where arithmetic is checked.
static constexpr uint64_t kSlowPoint = 1500;
/// Bits of a field of results.
static constexpr uint64_t kMaxBits = uint64_t(1) << 27;

namespace {
/// All points of a map's box, in row-major order.
class Walk {
public:
  explicit Walk(const IndexingMap &map);

  /// False: step 1 of the file's comment does not go through.
  bool isPossible() const { return possible; }
  uint64_t getSize() const { return size; }
  uint64_t getCost() const;

  /// Calls `fn(n, columns, inside)` for each chunk of n points: the values of
  /// each result, and 1 for each point of the domain, else 0. It may return
  /// false to stop.
  template <typename Fn>
  void forEachChunk(Fn &&fn);

private:
  const IndexingMap &map;
  MapEvaluator evaluator;
  Box box;
  bool possible = false;
  uint64_t size = 0;
};
} // namespace

Walk::Walk(const IndexingMap &map)
    : map(map), evaluator(MapEvaluator::overAllVariables(map)) {
  std::optional<uint64_t> points = getBoxSize(map);
  if (!points || *points > kMaxPoints || !map.isOrdinary())
    return;
  size = *points;
  box = *evaluator.getBox();
  possible = evaluator.fits(box);
}

uint64_t Walk::getCost() const {
  // About what a point costs, in nanoseconds; a new result is a cache miss.
  uint64_t own = 2 + 6 * map.getNumResults();
  const FormArena &arena = map.getArena();
  SmallVector<char, 32> used(arena.getNumAtoms(), 0);
  for (const Constraint &c : map.getConstraints()) {
    own += 2 + c.form.terms.size();
    arena.markUsed(c.form, used);
  }
  for (const Form &f : map.getResults()) {
    own += f.terms.size();
    arena.markUsed(f, used);
  }
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id)
    if (used[id])
      own += 2 + 2 * arena.body(id).terms.size();
  return 1000 + size * own;
}

template <typename Fn>
void Walk::forEachChunk(Fn &&fn) {
  // The last variables whole, a stretch of the one before, the others one by
  // one.
  size_t whole = box.lo.size();
  int64_t below = 1;
  while (whole && below * (box.hi[whole - 1] - box.lo[whole - 1]) <= kChunk) {
    --whole;
    below *= box.hi[whole] - box.lo[whole];
  }
  const int64_t stretch = kChunk / below;
  Box chunk = box;
  for (size_t v = 0; v != whole; ++v)
    chunk.hi[v] = box.lo[v] + 1;
  std::vector<uint8_t> inside(std::min<uint64_t>(kChunk, size));
  std::vector<int64_t> values(inside.size() * map.getNumResults());
  SmallVector<int64_t *, 4> columns;
  for (unsigned r = 0; r != map.getNumResults(); ++r)
    columns.push_back(values.data() + r * inside.size());
  while (true) {
    int64_t n = below;
    if (whole) {
      int64_t &end = chunk.hi[whole - 1];
      end = std::min(box.hi[whole - 1], chunk.lo[whole - 1] + stretch);
      n *= end - chunk.lo[whole - 1];
    }
    [[maybe_unused]] EnumerateStatus status =
        evaluator.evaluate(chunk, columns, inside.data());
    assert(status == EnumerateStatus::Ok && "the box fits");
    if (!fn(n, columns, ArrayRef(inside).take_front(n)))
      return;
    size_t v = whole;
    while (v && chunk.hi[v - 1] == box.hi[v - 1]) {
      --v;
      chunk.lo[v] = box.lo[v];
      chunk.hi[v] = box.lo[v] + 1;
    }
    if (v == 0)
      return;
    chunk.lo[v - 1] = chunk.hi[v - 1]++;
  }
}

//===----------------------------------------------------------------------===//
// Sets of results
//===----------------------------------------------------------------------===//

namespace {
/// Different numbers below a limit.
class NumberSet {
public:
  NumberSet(uint64_t limit, uint64_t expected) {
    if (limit <= kMaxBits && limit <= (1 << 16) + 32 * expected)
      bits.resize(limit / 64 + 1);
    else
      table.assign(1024, kNone);
  }
  void insert(uint64_t x) {
    if (!bits.empty()) {
      uint64_t &word = bits[x / 64];
      const uint64_t bit = uint64_t(1) << (x % 64);
      count += !(word & bit);
      word |= bit;
      return;
    }
    if (!put(x) || 2 * ++count < table.size())
      return;
    std::vector<uint64_t> old(4 * table.size(), kNone);
    old.swap(table);
    for (uint64_t y : old)
      if (y != kNone)
        put(y);
  }
  uint64_t getCount() const { return count; }

private:
  static constexpr uint64_t kNone = ~uint64_t(0);
  bool put(uint64_t x) {
    const uint64_t mask = table.size() - 1;
    uint64_t i = (x * 0x9e3779b97f4a7c15) >> 20;
    for (;; ++i) {
      uint64_t &entry = table[i & mask];
      if (entry == x)
        return false;
      if (entry == kNone) {
        entry = x;
        return true;
      }
    }
  }

  uint64_t count = 0;
  std::vector<uint64_t> bits, table;
};
} // namespace

std::optional<uint64_t>
mlir::tensoraccess::detail::getWalkCost(const IndexingMap &map) {
  if (map.isKnownEmpty())
    return 0;
  Walk walk(map);
  return walk.isPossible() ? std::optional(walk.getCost()) : std::nullopt;
}

/// With checked arithmetic, for numbers near the ends of 64 bits.
static std::optional<WalkedImage>
walkSlowly(ArrayRef<IndexingMap> maps, uint64_t budget, WorkMeter &meter) {
  WalkedImage seen;
  std::set<Point> results;
  for (const IndexingMap &map : maps) {
    std::optional<uint64_t> size = getBoxSize(map);
    if (map.isKnownEmpty())
      continue;
    if (!size || *size > std::min(budget, meter.getLeft() / kSlowPoint) ||
        !meter.spend(*size * kSlowPoint))
      return std::nullopt;
    budget -= *size;
    if (enumerate(
            map,
            [&](ArrayRef<int64_t>, ArrayRef<int64_t> r) {
              ++seen.points;
              results.emplace(r.begin(), r.end());
              return true;
            },
            *size) != EnumerateStatus::Ok)
      return std::nullopt;
  }
  seen.count = results.size();
  for (const Point &p : results) {
    seen.hull.resize(p.size(), Interval(INT64_MAX, INT64_MIN));
    for (auto [own, value] : llvm::zip_equal(seen.hull, p))
      own = {std::min(own.lower, value), std::max(own.upper, value)};
  }
  return seen;
}

bool mlir::tensoraccess::detail::isShortWalk(const IndexingMap &map) {
  std::optional<uint64_t> size = getBoxSize(map);
  if (!size || *size > kShortWalk)
    return false;
  std::optional<uint64_t> cost = getWalkCost(map);
  return cost && *cost <= kShortWalk;
}

std::optional<WalkedImage>
mlir::tensoraccess::detail::walkImages(ArrayRef<IndexingMap> maps,
                                       uint64_t budget, WorkMeter &meter) {
  WalkedImage seen;
  uint64_t size = 0, cost = 0;
  SmallVector<Walk, 2> walks;
  walks.reserve(maps.size());
  unsigned rank = 0;
  for (const IndexingMap &map : maps) {
    if (map.isKnownEmpty())
      continue;
    Walk &walk = walks.emplace_back(map);
    if (!walk.isPossible())
      return walkSlowly(maps, budget, meter);
    size += walk.getSize();
    cost += walk.getCost();
    rank = map.getNumResults();
    if (size > budget || cost > meter.getLeft())
      return std::nullopt;
  }
  if (walks.empty())
    return seen;

  // 3. A box around all results.
  SmallVector<Interval, 4> around(rank, Interval(0, -1));
  for (const IndexingMap &map : maps)
    for (unsigned r = 0; map.isOrdinary() && r != rank; ++r)
      around[r] = around[r].hull(map.getResultRange(r));
  uint64_t volume = 1;
  SmallVector<uint64_t, 4> strides(rank);
  for (unsigned r = rank; r-- != 0;) {
    std::optional<int64_t> extent = around[r].size();
    strides[r] = volume;
    if (!around[r].isFinite() || !extent ||
        __builtin_mul_overflow(volume, static_cast<uint64_t>(*extent),
                               &volume) ||
        volume >> 63)
      return walkSlowly(maps, budget, meter);
  }
  meter.spend(cost);
  NumberSet results(volume, size);
  SmallVector<Interval, 4> hull(rank, Interval(INT64_MAX, INT64_MIN));
  std::vector<uint64_t> position;
  for (Walk &walk : walks)
    walk.forEachChunk(
        [&](int64_t n, ArrayRef<int64_t *> columns, ArrayRef<uint8_t> inside) {
          int64_t numIn = 0;
          for (uint8_t in : inside)
            numIn += in;
          seen.points += numIn;
          if (!numIn || rank == 0)
            return true;
          position.assign(n, 0);
          for (unsigned r = 0; r != rank; ++r) {
            Interval &own = hull[r];
            const uint64_t low = static_cast<uint64_t>(around[r].lower);
            for (int64_t i = 0; i != n; ++i) {
              const int64_t value = columns[r][i];
              position[i] += (static_cast<uint64_t>(value) - low) * strides[r];
              if (inside[i]) {
                own.lower = std::min(own.lower, value);
                own.upper = std::max(own.upper, value);
              }
            }
          }
          for (int64_t i = 0; i != n; ++i)
            if (inside[i])
              results.insert(position[i]);
          return true;
        });
  if (seen.points) {
    seen.count = rank == 0 ? 1 : results.getCount();
    seen.hull = hull;
  }
  return seen;
}

std::optional<bool>
mlir::tensoraccess::detail::walkToPoint(const IndexingMap &map, uint64_t budget,
                                        WorkMeter &meter) {
  if (map.isKnownEmpty())
    return false;
  const IndexingMap domain = map.withResults({});
  Walk walk(domain);
  if (!walk.isPossible() || walk.getSize() > budget)
    return std::nullopt;
  const uint64_t cost = walk.getCost();
  if (cost > meter.getLeft())
    return std::nullopt;
  bool found = false;
  walk.forEachChunk(
      [&](int64_t n, ArrayRef<int64_t *>, ArrayRef<uint8_t> inside) {
        meter.spend(cost / (walk.getSize() / n + 1));
        found = llvm::is_contained(inside, 1);
        return !found;
      });
  return found;
}

//===- AccessMerge.cpp - Pieces that are one piece ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two pieces A and B of one source are one piece if
//   1. their domains are: the hull of both, constraint by constraint, has as
//      many points as A and B together (they are disjoint);
//   2. their results are: let L be the row-major number of the element that a
//      piece reads, one form whatever the rank of the source. A's L holds on B,
//      or B's on A, or, where both are one slice thick in one dimension and
//      differ by a constant t, L = A's + t·(that dimension - A's slice).
// The merged piece is L over the hull, split into an index of the source.
//
// A region can be cut into boxes in several ways. Boxes are therefore first cut
// in one canonical way: along the first dimension wherever some
// box begins or ends, each slab separately along the next, and equal slabs
// are merged again. What is still mergeable is merged in order of domain.
//
//===----------------------------------------------------------------------===//

#include "AccessMerge.h"

#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Boxes beyond this are merged in pairs only.
static constexpr unsigned kMaxCutBoxes = 16;
/// Points visited to prove that two numbers are equal.
static constexpr uint64_t kCompareBudget = 1u << 10;

std::optional<uint64_t>
mlir::tensoraccess::detail::countDomain(const IndexingMap &map,
                                        const AccessBudget &budget) {
  if (map.isKnownEmpty())
    return 0;
  if (!isBox(map))
    return countPoints(map, budget.maxPoints);
  std::optional<int64_t> count = 1;
  for (const Interval &range : map.getRanges())
    count = checkedMul(count, range.size());
  return count;
}

bool mlir::tensoraccess::detail::domainLess(const IndexingMap &a,
                                            const IndexingMap &b) {
  for (auto [x, y] : llvm::zip_equal(a.getRanges(), b.getRanges()))
    if (x != y)
      return std::pair(x.lower, x.upper) < std::pair(y.lower, y.upper);
  return a.str() < b.str();
}

namespace {

/// Merges pieces of one source.
class Merger {
public:
  Merger(ArrayRef<int64_t> sourceShape, const AccessBudget &budget)
      : budget(budget), hasUnknown(hasUnknownExtent(sourceShape)) {
    // A constant's pieces have no results and need no numbers.
    std::optional<int64_t> count = elementCount(sourceShape);
    if (sourceShape.empty() || !count)
      return;
    split = reshapeMap({*count}, sourceShape);
    join = reshapeMap(sourceShape, {*count});
  }

  /// The union of both as one map.
  std::optional<IndexingMap> merge(const IndexingMap &a, const IndexingMap &b);
  /// Boxes, cut and merged along `dim` and those after it.
  SmallVector<IndexingMap> mergeBoxes(SmallVector<IndexingMap> boxes,
                                      unsigned dim);

private:
  IndexingMap getNumber(const IndexingMap &map) const {
    return map.getNumResults() == 0 ? map : map.then(join).simplify();
  }
  std::optional<IndexingMap> unite(const IndexingMap &a, const IndexingMap &b);
  /// `number` (over some domain) on all of `whole`, if it is `other` there.
  std::optional<IndexingMap> extend(const IndexingMap &number,
                                    const IndexingMap &other,
                                    const IndexingMap &whole);
  std::optional<IndexingMap> interpolate(const IndexingMap &a,
                                         const IndexingMap &b,
                                         const IndexingMap &whole);

  const AccessBudget &budget;
  /// The source has a dimension of unknown size.
  bool hasUnknown;
  /// Number to index and back; unknown if not needed.
  IndexingMap split, join;
};

} // namespace

std::optional<IndexingMap> Merger::unite(const IndexingMap &a,
                                         const IndexingMap &b) {
  // Boxes: alike but for one dimension, in which they meet.
  if (isBox(a) && isBox(b)) {
    std::optional<unsigned> differs;
    for (unsigned i = 0; i < a.getNumDims(); ++i) {
      const Interval &x = a.getRanges()[i], &y = b.getRanges()[i];
      if (x == y)
        continue;
      if (differs || (x.upper + 1 != y.lower && y.upper + 1 != x.lower))
        return std::nullopt;
      differs = i;
    }
    if (!differs)
      return std::nullopt;
  }
  SmallVector<Interval> hulls;
  for (auto [x, y] : llvm::zip_equal(a.getRanges(), b.getRanges()))
    hulls.push_back(x.hull(y));
  IndexingMapBuilder builder;
  SmallVector<Form> dims = builder.addDims(hulls);
  // A constraint of one map bounds the other by its own, or by its range there.
  struct Bound {
    Form form;
    Interval interval;
    unsigned from, index;
  };
  SmallVector<Bound, 4> bounds;
  for (unsigned from : {0u, 1u}) {
    const IndexingMap &map = from == 0 ? a : b;
    Substitution substitute(builder.arena(), map.getArena(), dims);
    for (auto [i, c] : llvm::enumerate(map.getConstraints())) {
      Form form = substitute(c.form);
      auto same = llvm::find_if(
          bounds, [&](const Bound &bound) { return bound.form == form; });
      if (same != bounds.end()) {
        same->interval = same->interval.hull(c.interval);
        same->from = 2;
      } else {
        bounds.push_back(
            {std::move(form), c.interval, from, static_cast<unsigned>(i)});
      }
    }
  }
  for (Bound &bound : bounds) {
    if (bound.from != 2) {
      const IndexingMap &own = bound.from == 0 ? a : b;
      const IndexingMap &other = bound.from == 0 ? b : a;
      IndexingMap there =
          other
              .withResults(own.getArena(),
                           own.getConstraints()[bound.index].form)
              .simplify();
      if (!there.isOrdinary())
        return std::nullopt;
      bound.interval = bound.interval.hull(there.getResultRange(0));
    }
    builder.addConstraint(bound.form, bound.interval);
  }
  IndexingMap whole = builder.build().simplify();
  if (!whole.isOrdinary())
    return std::nullopt;
  std::optional<uint64_t> all = countDomain(whole, budget),
                          first = countDomain(a, budget),
                          second = countDomain(b, budget);
  if (!all || !first || !second || *all != *first + *second)
    return std::nullopt;
  return whole;
}

std::optional<IndexingMap> Merger::extend(const IndexingMap &number,
                                          const IndexingMap &other,
                                          const IndexingMap &whole) {
  auto over = [&](const IndexingMap &domain) {
    return domain.withResults(number.getArena(), number.getResults())
        .simplify();
  };
  IndexingMap there = over(other);
  if (there != other &&
      compareMaps(there, other, kCompareBudget).answer() != true)
    return std::nullopt;
  return over(whole);
}

std::optional<IndexingMap> Merger::interpolate(const IndexingMap &a,
                                               const IndexingMap &b,
                                               const IndexingMap &whole) {
  std::optional<unsigned> dim;
  for (unsigned i = 0; i < a.getNumDims(); ++i) {
    if (a.getRanges()[i] == b.getRanges()[i])
      continue;
    if (dim || !a.getRanges()[i].isPoint() || !b.getRanges()[i].isPoint())
      return std::nullopt;
    dim = i;
  }
  if (!dim)
    return std::nullopt;
  IndexingMapBuilder builder;
  SmallVector<Form> dims = builder.addDims(whole.getRanges());
  FormArena &arena = builder.arena();
  Form first = Substitution(arena, a.getArena(), dims)(a.getResult(0));
  Form second = Substitution(arena, b.getArena(), dims)(b.getResult(0));
  Form difference = arena.sub(second, first);
  const int64_t at = a.getRanges()[*dim].lower,
                step = b.getRanges()[*dim].lower - at;
  if (!difference.isConstant() || (step != 1 && step != -1) || arena.failed() ||
      difference.constant == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  builder.addResult(arena.addScaled(first, arena.sub(dims[*dim], Form(at)),
                                    difference.constant * step));
  IndexingMap number = builder.build();
  if (!number.isOrdinary())
    return std::nullopt;
  return whole.withResults(number.getArena(), number.getResults()).simplify();
}

std::optional<IndexingMap> Merger::merge(const IndexingMap &a,
                                         const IndexingMap &b) {
  std::optional<IndexingMap> whole = unite(a, b);
  if (!whole || a.getNumResults() == 0)
    return whole;
  if (hasUnknown) {
    // An index that needs no number keeps dimensions of unknown size alone.
    for (auto [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
      if (std::optional<IndexingMap> map = extend(*one, *other, *whole))
        return map->isOrdinary() ? map : std::nullopt;
  }
  IndexingMap first = getNumber(a), second = getNumber(b);
  if (!first.isOrdinary() || !second.isOrdinary())
    return std::nullopt;
  std::optional<IndexingMap> number = interpolate(first, second, *whole);
  if (!number)
    number = extend(first, second, *whole);
  if (!number)
    number = extend(second, first, *whole);
  if (!number)
    return std::nullopt;
  IndexingMap merged = number->then(split).simplify();
  return merged.isOrdinary() ? std::optional(merged) : std::nullopt;
}

SmallVector<IndexingMap> Merger::mergeBoxes(SmallVector<IndexingMap> boxes,
                                            unsigned dim) {
  if (boxes.size() <= 1 || dim == boxes.front().getNumDims())
    return boxes;
  std::set<int64_t> cuts;
  for (const IndexingMap &box : boxes) {
    cuts.insert(box.getRanges()[dim].lower);
    cuts.insert(box.getRanges()[dim].upper + 1);
  }
  // Slabs, the last one last; `end` is where it ends.
  SmallVector<SmallVector<IndexingMap>> slabs;
  int64_t end = *cuts.begin();
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    const Interval slab(*cut, *std::next(cut) - 1);
    SmallVector<IndexingMap> members;
    for (const IndexingMap &box : boxes) {
      if (!box.getRanges()[dim].contains(slab))
        continue;
      SmallVector<Interval> ranges(box.getRanges());
      ranges[dim] = slab;
      members.push_back(box.getRanges()[dim] == slab
                            ? box
                            : box.restrictRanges(ranges).simplify());
    }
    if (members.empty())
      continue;
    members = mergeBoxes(std::move(members), dim + 1);
    llvm::sort(members, domainLess);
    // The same as the slab before?
    SmallVector<IndexingMap> both;
    if (end == slab.lower && !slabs.empty() &&
        slabs.back().size() == members.size())
      for (auto [before, after] : llvm::zip_equal(slabs.back(), members)) {
        std::optional<IndexingMap> one = merge(before, after);
        if (!one)
          break;
        both.push_back(std::move(*one));
      }
    if (both.size() == members.size())
      slabs.back() = std::move(both);
    else
      slabs.push_back(std::move(members));
    end = slab.upper + 1;
  }
  SmallVector<IndexingMap> result;
  for (SmallVector<IndexingMap> &slab : slabs)
    llvm::append_range(result, slab);
  return result;
}

SmallVector<IndexingMap>
mlir::tensoraccess::detail::mergePieces(SmallVector<IndexingMap> maps,
                                        ArrayRef<int64_t> sourceShape,
                                        const AccessBudget &budget) {
  if (maps.size() < 2)
    return maps;
  Merger merger(sourceShape, budget);
  if (maps.size() <= kMaxCutBoxes && llvm::all_of(maps, isBox))
    maps = merger.mergeBoxes(std::move(maps), 0);
  llvm::sort(maps, domainLess);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < maps.size() && !changed; ++i)
      for (unsigned j = i + 1; j < maps.size() && !changed; ++j)
        if (std::optional<IndexingMap> one = merger.merge(maps[i], maps[j])) {
          maps[i] = std::move(*one);
          maps.erase(maps.begin() + j);
          llvm::sort(maps, domainLess);
          changed = true;
        }
  }
  return maps;
}

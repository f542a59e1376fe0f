//===- Footprint.cpp - What a map reaches, and how much -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By enumeration within the budget; beyond it, by ranges after simplification.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Footprint.h"

#include "TensorAccess/Core/Relation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

llvm::StringRef mlir::tensoraccess::describe(Exactness kind) {
  switch (kind) {
  case Exactness::Exact:
    return "exact";
  case Exactness::Hull:
    return "hull";
  case Exactness::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown exactness");
}

static Footprint emptyFootprint(unsigned rank) {
  // The box of rank 0 has one element.
  return {rank == 0 ? Exactness::Hull : Exactness::Exact,
          Box{SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 0)},
          0};
}

/// `map` with its dims restricted to `dims`; unknown if the ranks differ.
static IndexingMap restrictDims(const IndexingMap &map, const Box &dims) {
  if (map.isUnknown())
    return map;
  if (dims.lo.size() != map.getNumDims() || dims.hi.size() != map.getNumDims())
    return IndexingMap::unknown(UnknownReason::RankMismatch);
  SmallVector<Interval> ranges(map.getRanges());
  for (unsigned i = 0, e = map.getNumDims(); i != e; ++i)
    ranges[i] = dims.lo[i] >= dims.hi[i]
                    ? Interval(0, -1)
                    : ranges[i].intersect({dims.lo[i], dims.hi[i] - 1});
  return map.withRanges(ranges);
}

static std::optional<uint64_t> volume(const Box &box) {
  uint64_t size = 1;
  if (box.isEmpty())
    return 0;
  for (auto [lo, hi] : llvm::zip_equal(box.lo, box.hi))
    if (__builtin_mul_overflow(
            size, static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo), &size))
      return std::nullopt;
  return size;
}

Footprint mlir::tensoraccess::getImage(const IndexingMap &whole,
                                       const Box *dims, uint64_t budget) {
  IndexingMap map = dims ? restrictDims(whole, *dims) : whole;
  map = map.simplify();
  if (map.isUnknown())
    return {};
  if (map.isKnownEmpty())
    return emptyFootprint(map.getNumResults());
  Footprint result;
  if (std::optional<std::set<Point>> image = enumerateImage(map, budget)) {
    if (image->empty())
      return emptyFootprint(map.getNumResults());
    Box hull;
    hull.lo.assign(image->begin()->begin(), image->begin()->end());
    hull.hi = hull.lo;
    for (const Point &p : *image)
      for (unsigned i = 0, e = p.size(); i != e; ++i) {
        hull.lo[i] = std::min(hull.lo[i], p[i]);
        hull.hi[i] = std::max(hull.hi[i], p[i]);
      }
    for (int64_t &hi : hull.hi)
      if (hi++ == Interval::kNoUpper)
        return {};
    result.count = image->size();
    result.kind = volume(hull) == result.count ? Exactness::Exact
                                               : Exactness::Hull;
    result.hull = std::move(hull);
    if (map.getNumRuntime() != 0 && map.removeUnusedVars().getNumRuntime()) {
      result.kind = Exactness::Hull;
      result.count = std::nullopt;
    }
    return result;
  }
  Box hull;
  for (unsigned i = 0, e = map.getNumResults(); i != e; ++i) {
    Interval range = map.getResultRange(i);
    if (!range.isFinite())
      return {};
    hull.lo.push_back(range.lower);
    hull.hi.push_back(range.upper + 1);
  }
  result.kind = Exactness::Hull;
  result.hull = std::move(hull);
  return result;
}

Footprint mlir::tensoraccess::getPreimage(const IndexingMap &whole,
                                          const Box &results, uint64_t budget) {
  IndexingMap map = whole;
  if (map.isUnknown() || results.lo.size() != map.getNumResults() ||
      results.hi.size() != map.getNumResults())
    return {};
  if (results.isEmpty())
    return emptyFootprint(map.getNumDims());
  for (unsigned i = 0, e = whole.getNumResults(); i != e; ++i) {
    map = map.withConstraint(map.getResult(i),
                             {results.lo[i], results.hi[i] - 1});
    if (map.isUnknown())
      return {};
  }
  SmallVector<Form> dims;
  for (unsigned i = 0, e = map.getNumDims(); i != e; ++i)
    dims.push_back(Form::ofAtom(i));
  return getImage(map.withResults(dims), nullptr, budget);
}

std::optional<uint64_t>
mlir::tensoraccess::countPoints(const IndexingMap &map, uint64_t budget) {
  SmallVector<Form> variables;
  if (map.isUnknown())
    return std::nullopt;
  for (unsigned i = 0, e = map.getNumDims() + map.getNumSymbols(); i != e; ++i)
    variables.push_back(Form::ofAtom(i));
  return countImage(map.withResults(variables), budget);
}

std::optional<uint64_t>
mlir::tensoraccess::countImage(const IndexingMap &map, uint64_t budget) {
  return getImage(map, nullptr, budget).count;
}

std::optional<uint64_t>
mlir::tensoraccess::countUnion(ArrayRef<IndexingMap> maps, uint64_t budget) {
  std::set<Point> all;
  for (const IndexingMap &map : maps) {
    if (map.isUnknown() || map.getNumResults() != maps[0].getNumResults() ||
        map.getNumRuntime() != 0)
      return std::nullopt;
    std::optional<std::set<Point>> image = enumerateImage(map, budget);
    if (!image)
      return std::nullopt;
    all.merge(*image);
  }
  return all.size();
}

std::optional<bool> mlir::tensoraccess::isInjective(const IndexingMap &map,
                                                    uint64_t budget) {
  std::optional<uint64_t> points = countPoints(map, budget);
  std::optional<uint64_t> image = countImage(map, budget);
  if (!points || !image)
    return std::nullopt;
  return *points == *image;
}

std::optional<IndexingMap>
mlir::tensoraccess::inverse(const IndexingMap &map) {
  if (map.isUnknown())
    return std::nullopt;
  SmallVector<Form> results(map.getResults());
  for (unsigned i = 0, e = map.getNumDims(); i != e; ++i)
    results.push_back(Form::ofAtom(i));
  IndexingMap loops = map.withResults(results);
  if (loops.isUnknown())
    return std::nullopt;
  SmallVector<Interval> from(map.getNumResults(), Interval::all());
  IndexingMap inverted = relate(loops, map.getNumResults(), from);
  if (inverted.isUnknown())
    return std::nullopt;
  return inverted;
}

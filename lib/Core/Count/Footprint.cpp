//===- Footprint.cpp - What a map reaches, and how much -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The map is simplified and split into independent parts (ImageParts.h);
//      hulls of the parts are side by side, their counts multiply.
//   2. A preimage is the image of the dims under the constraint that the
//      results lie in the box.
//   3. A union of few points is walked. Others are counted hull by hull: maps
//      whose results are inside of another's are left out, maps whose hulls
//      don't meet add up, the others are united as sets, or walked.
//   4. A map is injective if each part has as many results as points; where one
//      of them can't be counted, two different points of one result are looked
//      for.
//
// Each question has one meter for all its work (WorkMeter.h).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "DomainWalk.h"
#include "Elimination.h"
#include "ImageParts.h"
#include "PointSolver.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
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

/// Maps that are walked together before anything else is tried.
static constexpr unsigned kMaxShortWalks = 16;

/// Sets of tuples that a map has as its union, if all its parts have.
static constexpr unsigned kMaxSets = 16;

/// The footprint of the empty set. The box of rank 0 has one element, so it is
/// not that set.
static Footprint emptyFootprint(unsigned rank) {
  return {rank == 0 ? Exactness::Hull : Exactness::Exact,
          Box{SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 0)}, 0};
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

/// Appends the boxes' product to every set; none past the limit.
static void
multiply(std::optional<SmallVector<SmallVector<IndexingMap, 4>, 1>> &all,
         const PartImage &image) {
  if (!all || !image.sets || all->size() * image.sets->size() > kMaxSets) {
    all.reset();
    return;
  }
  SmallVector<SmallVector<IndexingMap, 4>, 1> product;
  for (const auto &prefix : *all)
    for (const IndexingMap &set : *image.sets) {
      product.push_back(prefix);
      product.back().push_back(set);
    }
  all = std::move(product);
}

/// One set over all results from one set for each part.
static IndexingMap joinParts(ArrayRef<SmallVector<unsigned, 4>> results,
                             ArrayRef<IndexingMap> sets, unsigned rank) {
  IndexingMapBuilder builder;
  SmallVector<Interval> ranges(rank);
  for (auto [own, set] : llvm::zip_equal(results, sets))
    for (auto [i, r] : llvm::enumerate(own))
      ranges[r] = set.getRanges()[i];
  SmallVector<Form> dims = builder.addDims(ranges);
  for (auto [own, set] : llvm::zip_equal(results, sets)) {
    SmallVector<Form> images;
    for (unsigned r : own)
      images.push_back(dims[r]);
    builder.addDomain(set, images);
  }
  return builder.build();
}

namespace {
/// All that is known of an image.
struct Image {
  Footprint footprint;
  /// Maps without results whose domains' union is the image.
  std::optional<SmallVector<IndexingMap, 1>> sets;
};
} // namespace

/// The image of a simplified map. `wantSets` asks for the sets, too.
static Image analyze(const IndexingMap &map, uint64_t budget, WorkMeter &meter,
                     bool wantSets) {
  Image image;
  const unsigned rank = map.getNumResults();
  if (map.isUnknown())
    return image;
  auto setEmpty = [&] {
    image.footprint = emptyFootprint(rank);
    image.sets.emplace();
  };
  if (map.isKnownEmpty()) {
    setEmpty();
    return image;
  }
  Footprint &whole = image.footprint;
  whole.kind = Exactness::Exact;
  whole.count = 1;
  whole.hull.emplace();
  whole.hull->lo.resize(rank);
  whole.hull->hi.resize(rank);
  std::optional<SmallVector<SmallVector<IndexingMap, 4>, 1>> products;
  products.emplace(1);
  SmallVector<SmallVector<unsigned, 4>, 4> results;
  bool isUnbounded = false;
  for (const MapPart &part : splitMap(map)) {
    if (part.results.empty()) {
      // Points may or may not exist.
      std::optional<bool> any = hasPoint(part.map, budget, meter);
      if (any == false) {
        setEmpty();
        return image;
      }
      if (!any) {
        whole.count = std::nullopt;
        whole.kind = Exactness::Hull;
        products.reset();
      }
      continue;
    }
    PartImage own = getPartImage(part, budget, meter, wantSets);
    if (own.isEmpty) {
      setEmpty();
      return image;
    }
    if (!whole.count || !own.count)
      whole.count = std::nullopt;
    else if (uint64_t count;
             __builtin_mul_overflow(*whole.count, *own.count, &count))
      whole.count = std::nullopt;
    else
      whole.count = count;
    if (wantSets)
      multiply(products, own);
    results.push_back(part.results);
    if (own.kind == Exactness::Unknown) {
      isUnbounded = true;
      continue;
    }
    if (own.kind == Exactness::Hull)
      whole.kind = Exactness::Hull;
    for (auto [i, r] : llvm::enumerate(part.results)) {
      whole.hull->lo[r] = own.hull.lo[i];
      whole.hull->hi[r] = own.hull.hi[i];
    }
  }
  if (isUnbounded) {
    image.footprint = {};
    return image;
  }
  if (wantSets && products) {
    image.sets.emplace();
    for (const auto &sets : *products)
      image.sets->push_back(joinParts(results, sets, rank));
  }
  return image;
}

Footprint mlir::tensoraccess::getImage(const IndexingMap &map, const Box *dims,
                                       uint64_t budget) {
  IndexingMap restricted = dims ? restrictDims(map, *dims) : map;
  WorkMeter meter(budget);
  return analyze(restricted.simplify(), budget, meter, /*wantSets=*/false)
      .footprint;
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
    const Interval wanted(results.lo[i], results.hi[i] - 1);
    if (wanted.contains(map.getResultRange(i)))
      continue;
    map = map.withConstraint(map.getResult(i), wanted);
    if (map.isUnknown())
      return {};
  }
  SmallVector<Form> dims;
  for (unsigned i = 0, e = map.getNumDims(); i != e; ++i)
    dims.push_back(Form::ofAtom(i));
  return getImage(map.withResults(dims), nullptr, budget);
}

std::optional<uint64_t> mlir::tensoraccess::countPoints(const IndexingMap &map,
                                                        uint64_t budget) {
  IndexingMap simple = map.simplify();
  if (simple.isUnknown())
    return std::nullopt;
  if (simple.isKnownEmpty())
    return 0;
  WorkMeter meter(budget);
  uint64_t product = 1;
  bool isUnknown = false;
  for (const MapPart &part : splitMap(simple.withResults({}))) {
    std::optional<uint64_t> factor;
    if (!part.hasRuntime())
      factor = countDomain(part.map, budget, meter);
    else if (part.map.getNumDims() == 0)
      // Runtime variables alone: some value is feasible, or nothing is.
      if (std::optional<bool> any = hasPoint(part.map, budget, meter))
        factor = *any ? 1 : 0;
    if (factor == 0)
      return 0;
    if (!factor || __builtin_mul_overflow(product, *factor, &product))
      isUnknown = true;
  }
  return isUnknown ? std::nullopt : std::optional(product);
}

std::optional<uint64_t> mlir::tensoraccess::countImage(const IndexingMap &map,
                                                       uint64_t budget) {
  return getImage(map, nullptr, budget).count;
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

std::optional<uint64_t>
mlir::tensoraccess::countUnion(ArrayRef<IndexingMap> maps, uint64_t budget) {
  struct Member {
    IndexingMap map;
    Image image;
  };
  WorkMeter meter(budget);
  SmallVector<IndexingMap, 4> different;
  bool isShort = maps.size() > 1;
  for (const IndexingMap &map : maps) {
    IndexingMap simple = map.simplify();
    if (simple.isUnknown() || simple.getNumResults() != maps[0].getNumResults())
      return std::nullopt;
    if (simple.isKnownEmpty() || llvm::is_contained(different, simple))
      continue;
    isShort &= different.size() < kMaxShortWalks &&
               simple.getNumRuntime() == 0 && isShortWalk(simple);
    different.push_back(std::move(simple));
  }
  if (isShort && different.size() > 1)
    if (std::optional<WalkedImage> seen = walkImages(different, budget, meter))
      return seen->count;

  SmallVector<Member, 4> members;
  for (const IndexingMap &simple : different) {
    // Where there are no sets, a walk may follow.
    Image image;
    {
      WorkMeter::Share share(meter, meter.getLeft() / 2);
      image = analyze(simple, budget, meter,
                      /*wantSets=*/different.size() > 1);
    }
    if (image.footprint.count == 0)
      continue;
    if (!image.footprint.hull)
      return std::nullopt;
    members.push_back({simple, std::move(image)});
  }
  // What is inside another adds nothing, however little is known about it.
  for (size_t i = 0; i != members.size();) {
    const Footprint &own = members[i].image.footprint;
    bool isCovered = llvm::any_of(members, [&](const Member &m) {
      const Footprint &other = m.image.footprint;
      return &m != &members[i] && other.kind == Exactness::Exact &&
             intersectBoxes(*other.hull, *own.hull) == own.hull;
    });
    if (isCovered)
      members.erase(members.begin() + i);
    else
      ++i;
  }

  llvm::IntEqClasses clusters(members.size());
  for (size_t i = 0; i != members.size(); ++i)
    for (size_t j = 0; j != i; ++j)
      if (!intersectBoxes(*members[i].image.footprint.hull,
                          *members[j].image.footprint.hull)
               .isEmpty())
        clusters.join(i, j);
  clusters.compress();
  uint64_t sum = 0;
  for (unsigned c = 0; c != clusters.getNumClasses(); ++c) {
    SmallVector<const Member *, 4> own;
    for (size_t i = 0; i != members.size(); ++i)
      if (clusters[i] == c)
        own.push_back(&members[i]);
    std::optional<uint64_t> count;
    if (own.size() == 1) {
      count = own[0]->image.footprint.count;
    } else {
      // A set that depends on unknown numbers can't be walked, either.
      if (llvm::any_of(own, [](const Member *m) {
            return !m->image.sets && m->map.getNumRuntime() != 0;
          }))
        return std::nullopt;
      SmallVector<IndexingMap, 4> sets;
      bool hasSets = true;
      for (const Member *m : own) {
        hasSets &= m->image.sets.has_value();
        if (m->image.sets)
          sets.append(m->image.sets->begin(), m->image.sets->end());
      }
      if (hasSets) {
        WorkMeter::Share share(meter, meter.getLeft() / 2);
        count = countUnionOfSets(sets, budget, meter);
      }
      if (!count) {
        SmallVector<IndexingMap, 4> walked;
        for (const Member *m : own)
          walked.push_back(m->map);
        if (std::optional<WalkedImage> seen = walkImages(walked, budget, meter))
          count = seen->count;
      }
    }
    if (!count || __builtin_add_overflow(sum, *count, &sum))
      return std::nullopt;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Injectivity and inverse
//===----------------------------------------------------------------------===//

/// Whether two different points of the domain have the same results.
static std::optional<bool> hasCollision(const IndexingMap &map, uint64_t budget,
                                        WorkMeter &meter) {
  bool isUnknown = false;
  const unsigned n = map.getNumVariables();
  for (unsigned v = 0; v != n; ++v) {
    IndexingMapBuilder builder;
    SmallVector<Form> x = builder.addDims(map.getRanges()),
                      y = builder.addDims(map.getRanges());
    FormArena &arena = builder.arena();
    Substitution first(arena, map.getArena(), x),
        second(arena, map.getArena(), y);
    for (const Constraint &c : map.getConstraints()) {
      builder.addConstraint(first(c.form), c.interval);
      builder.addConstraint(second(c.form), c.interval);
    }
    for (const Form &f : map.getResults())
      builder.addConstraint(arena.sub(first(f), second(f)), Interval::point(0));
    builder.addConstraint(arena.sub(x[v], y[v]), Interval::atLeast(1));
    if (!meter.spend(uint64_t(8000) * n))
      return std::nullopt;
    std::optional<bool> found =
        hasPoint(builder.build().simplify(), budget, meter);
    if (found == true)
      return true;
    isUnknown |= !found;
  }
  return isUnknown ? std::nullopt : std::optional(false);
}

std::optional<bool> mlir::tensoraccess::isInjective(const IndexingMap &map,
                                                    uint64_t budget) {
  IndexingMap simple = map.simplify();
  if (simple.isUnknown())
    return std::nullopt;
  if (simple.isKnownEmpty())
    return true;
  WorkMeter meter(budget);
  bool isUnknown = false, hasTwins = false, mayBeEmpty = false;
  bool hasRuntime = false;
  for (const MapPart &part : splitMap(simple)) {
    std::optional<bool> any = hasPoint(part.map, budget, meter);
    if (any == false)
      return true;
    mayBeEmpty |= !any;
    if (part.results.empty() && part.map.getNumDims() == 0)
      continue;
    hasRuntime |= part.hasRuntime();
    PartImage image;
    if (!part.results.empty()) {
      image = getPartImage(part, budget, meter, part.hasRuntime());
      if (image.isDetermined)
        continue;
    }
    if (part.hasRuntime()) {
      isUnknown = true;
      continue;
    }
    if (part.results.empty())
      image.count = 1;
    std::optional<uint64_t> points = image.points;
    if (!points)
      points = countDomain(part.map, budget, meter);
    std::optional<uint64_t> room = getVolume(image.hull);
    std::optional<bool> collides;
    if (points && image.count)
      collides = *points != *image.count;
    else if (points && room && image.kind != Exactness::Unknown &&
             *points > *room)
      collides = true; // more points than places
    else
      collides = hasCollision(part.map, budget / part.variables.size(), meter);
    hasTwins |= collides == true;
    isUnknown |= !collides;
  }
  // Twins in one part are twins if the other parts have a point, and nothing
  // there tells them apart after all.
  if (hasTwins)
    return mayBeEmpty || hasRuntime ? std::nullopt : std::optional(false);
  return isUnknown ? std::nullopt : std::optional(true);
}

/// The inverse of a part, whose results are all of its dims.
static IndexingMap invertPart(const MapPart &part) {
  if (!part.hasRuntime())
    if (std::optional<ImageSets> images = eliminateVariables(part.map))
      if (images->solution)
        return *images->solution;
  SmallVector<Form> results(part.map.getResults());
  for (unsigned i = 0, e = part.map.getNumDims(); i != e; ++i)
    results.push_back(Form::ofAtom(i));
  SmallVector<Interval> from(part.map.getNumResults(), Interval::all());
  return relate(part.map.withResults(results), part.map.getNumResults(), from);
}

std::optional<IndexingMap> mlir::tensoraccess::inverse(const IndexingMap &map) {
  IndexingMap simple = map.simplify();
  if (simple.isUnknown())
    return std::nullopt;
  const unsigned rank = simple.getNumResults();
  SmallVector<IndexingMap, 4> inverses;
  SmallVector<MapPart, 4> parts;
  bool isEmpty = simple.isKnownEmpty();
  if (!isEmpty)
    for (MapPart &part : splitMap(simple)) {
      inverses.push_back(invertPart(part));
      if (inverses.back().isUnknown())
        return std::nullopt;
      isEmpty |= inverses.back().isKnownEmpty();
      parts.push_back(std::move(part));
    }
  if (isEmpty) {
    inverses.clear();
    parts.clear();
  }

  // Side by side: all dims, then the symbols of each part, then the runtime
  // variables of the map.
  IndexingMapBuilder builder;
  SmallVector<Interval> ranges(rank);
  for (unsigned r = 0; r != rank; ++r)
    ranges[r] = simple.getResultRange(r);
  for (auto [part, back] : llvm::zip_equal(parts, inverses))
    for (auto [i, r] : llvm::enumerate(part.results))
      ranges[r] = back.getRanges()[i];
  SmallVector<Form> dims = builder.addDims(ranges), runtime;
  SmallVector<SmallVector<Form>, 4> images(parts.size());
  for (auto [part, back, image] : llvm::zip_equal(parts, inverses, images)) {
    for (unsigned r : part.results)
      image.push_back(dims[r]);
    for (const Interval &range : back.getSymbolRanges())
      image.push_back(builder.addSymbol(range));
  }
  const unsigned firstRuntime = simple.getNumDims() + simple.getNumSymbols();
  for (unsigned v = firstRuntime; v != simple.getNumVariables(); ++v)
    runtime.push_back(
        builder.addRuntime(simple.getRanges()[v], simple.getVariableName(v)));
  SmallVector<Form> results(simple.getNumDims());
  for (auto [part, back, image] : llvm::zip_equal(parts, inverses, images)) {
    for (unsigned v : part.variables)
      if (v >= firstRuntime)
        image.push_back(runtime[v - firstRuntime]);
    Substitution substitute(builder.arena(), back.getArena(), image);
    for (const Constraint &c : back.getConstraints())
      builder.addConstraint(substitute(c.form), c.interval);
    for (auto [i, v] : llvm::enumerate(part.variables))
      if (v < simple.getNumDims())
        results[v] = substitute(back.getResult(i));
  }
  for (Form &result : results)
    builder.addResult(std::move(result));
  if (isEmpty)
    builder.setKnownEmpty();
  IndexingMap inverted = builder.build().removeUnusedSymbols().simplify();
  if (inverted.isUnknown())
    return std::nullopt;
  return inverted;
}

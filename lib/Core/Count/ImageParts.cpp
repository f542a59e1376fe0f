//===- ImageParts.cpp - Images as products of small ones ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The image of one part, by the first of these that can tell:
//   1. one result k*v + c of an unconstrained variable: a progression;
//   2. few points are walked (DomainWalk.h), unless more is wanted than a count
//      and a hull;
//   3. the variables are eliminated (Elimination.h), which leaves sets of
//      results; their points are counted (PointSolver.h), unions by
//      |A ∪ B| = |A| + |B| - |A ∩ B|, and a box with as many elements as there
//      are points is the set;
//   4. one result that is a sum of variables: the sums as a bit set, one shift
//      per doubling;
//   5. all points are walked, if the budget allows it;
//   6. otherwise the hull alone: ends are searched for, and where that is too
//      much, taken from ranges.
//
// Engines that may fail get a share of the work that leaves enough for those
// after them.
//
//===----------------------------------------------------------------------===//

#include "ImageParts.h"

#include "DomainWalk.h"
#include "Elimination.h"
#include "PointSolver.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Bits of a set of sums.
static constexpr int64_t kMaxSpan = int64_t(1) << 25;
/// Intersections in the count of one union.
static constexpr unsigned kMaxIntersections = 1 << 12;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The part of `map` with the given variables, results and constraints.
static IndexingMap extract(const IndexingMap &map, ArrayRef<unsigned> variables,
                           ArrayRef<unsigned> results,
                           ArrayRef<unsigned> constraints) {
  IndexingMapBuilder builder;
  SmallVector<Form, 8> images(map.getNumVariables());
  for (unsigned v : variables)
    images[v] = map.getVariableKind(v) == VariableKind::Runtime
                    ? builder.addRuntime(map.getRanges()[v])
                    : builder.addDim(map.getRanges()[v]);
  Substitution substitute(builder.arena(), map.getArena(), images);
  for (unsigned r : results)
    builder.addResult(substitute(map.getResult(r)));
  for (unsigned c : constraints)
    builder.addConstraint(substitute(map.getConstraints()[c].form),
                          map.getConstraints()[c].interval);
  return builder.build();
}

SmallVector<MapPart, 4>
mlir::tensoraccess::detail::splitMap(const IndexingMap &map) {
  const unsigned numVariables = map.getNumVariables();
  const unsigned numResults = map.getNumResults();
  const unsigned numConstraints = map.getConstraints().size();
  // Classes of variables, then results, then constraints.
  llvm::IntEqClasses classes(numVariables + numResults + numConstraints);
  auto tie = [&](FormRef form, unsigned index) {
    SmallVector<char, 32> used;
    map.getArena().markUsed(form, used);
    for (unsigned v = 0; v != numVariables; ++v)
      if (used[v])
        classes.join(v, index);
  };
  for (unsigned r = 0; r != numResults; ++r)
    tie(map.getResult(r), numVariables + r);
  for (unsigned c = 0; c != numConstraints; ++c)
    tie(map.getConstraints()[c].form, numVariables + numResults + c);
  classes.compress();
  const unsigned numParts = classes.getNumClasses();

  SmallVector<SmallVector<unsigned, 4>, 8> variables(numParts),
      results(numParts), constraints(numParts);
  for (unsigned v = 0; v != numVariables; ++v)
    variables[classes[v]].push_back(v);
  for (unsigned r = 0; r != numResults; ++r)
    results[classes[numVariables + r]].push_back(r);
  for (unsigned c = 0; c != numConstraints; ++c)
    constraints[classes[numVariables + numResults + c]].push_back(c);
  SmallVector<MapPart, 4> parts;
  for (unsigned p = 0; p != numParts; ++p)
    parts.push_back({results[p],
                     extract(map, variables[p], results[p], constraints[p]),
                     variables[p]});
  return parts;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Steps for an engine that may fail, where a walk can do it instead: about as
/// many as the walk takes, so that in the end nothing took more than twice as
/// long as it had to.
static uint64_t getShare(std::optional<uint64_t> walk, const WorkMeter &meter) {
  if (!walk || *walk > meter.getLeft())
    return meter.getLeft();
  return std::min(*walk, meter.getLeft() - *walk);
}

/// Points of a part that is not a box.
static std::optional<uint64_t> countPart(const IndexingMap &map,
                                         uint64_t budget, WorkMeter &meter) {
  std::optional<uint64_t> count, size = getBoxSize(map), walk;
  if (size && *size <= budget)
    walk = getWalkCost(map);
  if (!walk || !isShortWalk(map)) {
    WorkMeter::Share share(meter, getShare(walk, meter));
    count = PointSolver(map, budget, &meter).count();
  }
  if (!count && walk)
    if (std::optional<WalkedImage> seen = walkImages(map, budget, meter))
      count = seen->points;
  return count;
}

std::optional<uint64_t>
mlir::tensoraccess::detail::countDomain(const IndexingMap &map, uint64_t budget,
                                        WorkMeter &meter) {
  if (map.isUnknown())
    return std::nullopt;
  if (map.isKnownEmpty())
    return 0;
  uint64_t product = 1;
  bool isUnknown = false;
  auto multiply = [&](std::optional<uint64_t> factor) {
    if (factor == 0)
      return false;
    if (!factor || __builtin_mul_overflow(product, *factor, &product))
      isUnknown = true;
    return true;
  };
  auto sizeOf = [](Interval range) -> std::optional<uint64_t> {
    if (!range.isFinite())
      return std::nullopt;
    return static_cast<uint64_t>(range.upper) -
           static_cast<uint64_t>(range.lower) + 1;
  };
  if (map.getConstraints().empty()) {
    for (const Interval &range : map.getRanges())
      multiply(sizeOf(range));
    return isUnknown ? std::nullopt : std::optional(product);
  }
  for (const MapPart &part : splitMap(map.withResults({}))) {
    std::optional<uint64_t> factor;
    if (part.map.getNumVariables() == 1 && part.map.getConstraints().empty())
      factor = sizeOf(part.map.getRanges()[0]);
    else
      factor = countPart(part.map, budget, meter);
    if (!multiply(factor))
      return 0;
  }
  return isUnknown ? std::nullopt : std::optional(product);
}

std::optional<bool> mlir::tensoraccess::detail::hasPoint(const IndexingMap &map,
                                                         uint64_t budget,
                                                         WorkMeter &meter) {
  if (map.isUnknown())
    return std::nullopt;
  if (map.isKnownEmpty())
    return false;
  if (map.getConstraints().empty())
    return true;
  bool isUnknown = false;
  for (const MapPart &part : splitMap(map.withResults({}))) {
    if (part.map.getConstraints().empty() && part.map.isOrdinary())
      continue;
    SmallVector<int64_t> point;
    std::optional<bool> found;
    std::optional<uint64_t> size = getBoxSize(part.map), walk;
    if (size && *size <= budget)
      walk = getWalkCost(part.map);
    {
      WorkMeter::Share share(meter, getShare(walk, meter));
      found = PointSolver(part.map, budget, &meter).find(point);
    }
    if (!found && walk)
      found = walkToPoint(part.map, budget, meter);
    if (found == false)
      return false;
    isUnknown |= !found;
  }
  return isUnknown ? std::nullopt : std::optional(true);
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

static IndexingMap intersectSets(const IndexingMap &a, const IndexingMap &b) {
  return a.intersectDomains(b).simplify();
}

/// True if `a` is seen to lie inside of `b`.
static bool isInside(const IndexingMap &a, const IndexingMap &b) {
  if (!b.getConstraints().empty())
    return a == b;
  return llvm::all_of(
      llvm::zip_equal(a.getRanges(), b.getRanges()),
      [](auto both) { return std::get<1>(both).contains(std::get<0>(both)); });
}

static std::optional<uint64_t> countUnionImpl(ArrayRef<IndexingMap> given,
                                              uint64_t budget, WorkMeter &meter,
                                              unsigned &intersections) {
  SmallVector<IndexingMap, 4> sets;
  for (const IndexingMap &set : given) {
    if (set.isUnknown())
      return std::nullopt;
    if (set.isKnownEmpty() || llvm::any_of(sets, [&](const IndexingMap &s) {
          return isInside(set, s);
        }))
      continue;
    llvm::erase_if(sets,
                   [&](const IndexingMap &s) { return isInside(s, set); });
    sets.push_back(set);
  }
  // In an order in which windows that slide meet only their neighbours.
  std::sort(
      sets.begin(), sets.end(), [](const IndexingMap &a, const IndexingMap &b) {
        for (auto [x, y] : llvm::zip_equal(a.getRanges(), b.getRanges()))
          if (x != y)
            return std::pair(x.lower, x.upper) < std::pair(y.lower, y.upper);
        return false;
      });
  uint64_t sum = 0;
  for (size_t i = 0, e = sets.size(); i != e; ++i) {
    std::optional<uint64_t> own = countDomain(sets[i], budget, meter);
    if (!own || __builtin_add_overflow(sum, *own, &sum))
      return std::nullopt;
    SmallVector<IndexingMap, 4> common;
    for (size_t j = 0; j != i; ++j) {
      if (++intersections > kMaxIntersections ||
          !meter.spend(4000 * (1 + sets[i].getConstraints().size() +
                               sets[j].getConstraints().size())))
        return std::nullopt;
      common.push_back(intersectSets(sets[j], sets[i]));
    }
    if (common.empty())
      continue;
    std::optional<uint64_t> twice =
        countUnionImpl(common, budget, meter, intersections);
    if (!twice)
      return std::nullopt;
    sum -= *twice;
  }
  return sum;
}

std::optional<uint64_t> mlir::tensoraccess::detail::countUnionOfSets(
    ArrayRef<IndexingMap> sets, uint64_t budget, WorkMeter &meter) {
  unsigned intersections = 0;
  return countUnionImpl(sets, budget, meter, intersections);
}

//===----------------------------------------------------------------------===//
// The image of a part
//===----------------------------------------------------------------------===//

/// The half-open ends of [lower, upper]; false if there are none.
static bool appendTo(Box &box, Interval range) {
  if (!range.isFinite())
    return false;
  box.lo.push_back(range.lower);
  box.hi.push_back(range.upper + 1);
  return true;
}

/// 1. True if it applies.
static bool getProgression(const MapPart &part, PartImage &image) {
  const IndexingMap &map = part.map;
  if (map.getNumResults() != 1 || !map.getConstraints().empty())
    return false;
  const Form &form = map.getResult(0);
  if (form.terms.size() > 1 || (form.terms.size() == 1 &&
                                !map.getArena().isVariable(form.terms[0].atom)))
    return false;
  const Interval range = map.getResultRange(0);
  if (!appendTo(image.hull, range))
    return true;
  image.kind = Exactness::Exact;
  image.count = 1;
  image.isDetermined = true;
  IndexingMapBuilder builder;
  Form dim = builder.addDim(range);
  if (!form.isConstant()) {
    const Interval own = map.getRanges()[form.terms[0].atom];
    image.count =
        static_cast<uint64_t>(own.upper) - static_cast<uint64_t>(own.lower) + 1;
    const uint64_t step = magnitude(form.terms[0].coefficient);
    if (step > 1 && *image.count > 1) {
      image.kind = Exactness::Hull;
      Form residue =
          builder.arena().mod(builder.arena().sub(dim, Form(range.lower)),
                              static_cast<int64_t>(step));
      builder.addConstraint(residue, Interval::point(0));
    }
  }
  image.sets.emplace();
  image.sets->push_back(builder.build());
  if (image.sets->front().isUnknown())
    image.sets.reset();
  return true;
}

/// The values of dim `i` in a set; std::nullopt if its ends can't be found.
static std::optional<Interval> getBounds(const IndexingMap &set, unsigned i,
                                         uint64_t budget, WorkMeter &meter) {
  if (set.getConstraints().empty())
    return set.getRanges()[i];
  if (set.getNumDims() == 1)
    return PointSolver(set, budget, &meter).getBounds(0);
  // Only its part ties dim i to others, and there the others can be dropped.
  IndexingMap shadow = set.withResults({Form::ofAtom(i)});
  for (const MapPart &part : splitMap(shadow)) {
    if (part.results.empty())
      continue;
    if (part.map.getConstraints().empty())
      return part.map.getResultRange(0);
    if (part.map.getNumVariables() > 1)
      if (std::optional<ImageSets> images =
              eliminateVariables(part.map, &meter)) {
        Interval hull(0, -1);
        for (const IndexingMap &s : images->sets) {
          std::optional<Interval> own =
              s.getConstraints().empty()
                  ? std::optional(s.getRanges()[0])
                  : PointSolver(s, budget, &meter).getBounds(0);
          if (!own)
            return std::nullopt;
          hull = hull.hull(*own);
        }
        return hull;
      }
    AtomId dim = *part.map.getResult(0).asAtom();
    return PointSolver(part.map, budget, &meter).getBounds(dim);
  }
  return std::nullopt;
}

static bool isSumOverBox(const IndexingMap &map, unsigned result) {
  return map.getConstraints().empty() &&
         llvm::all_of(map.getResult(result).terms, [&](const Term &t) {
           return map.getArena().isVariable(t.atom);
         });
}

/// 3. True if it applies.
static bool getByElimination(const MapPart &part, PartImage &image,
                             uint64_t budget, WorkMeter &meter) {
  std::optional<ImageSets> images = eliminateVariables(part.map, &meter);
  if (!images)
    return false;
  image.isDetermined = images->isDetermined;
  image.isEmpty = images->sets.empty();
  image.sets = images->sets;
  if (image.isEmpty)
    return true;
  ArrayRef<IndexingMap> sets = images->sets;
  image.solution = images->solution;
  image.kind = Exactness::Exact;
  for (unsigned i = 0, e = part.results.size(); i != e; ++i) {
    Interval hull(0, -1);
    // A sum of independent variables attains the ends of its range.
    if (isSumOverBox(part.map, i))
      hull = part.map.getResultRange(i);
    else
      for (const IndexingMap &set : sets) {
        std::optional<Interval> own = getBounds(set, i, budget, meter);
        hull = hull.hull(own ? *own : set.getRanges()[i]);
      }
    if (hull.isEmpty()) {
      // No set has a point after all.
      image = PartImage();
      image.isEmpty = true;
      image.sets.emplace();
      return true;
    }
    if (!appendTo(image.hull, hull)) {
      image.kind = Exactness::Unknown;
      return true;
    }
  }
  if (sets.size() == 1 && sets[0].getConstraints().empty()) {
    image.count = getVolume(image.hull);
    return true;
  }
  // As many results as points, if these are easier to count.
  if (image.isDetermined && !part.hasRuntime() &&
      part.map.getConstraints().size() < sets[0].getConstraints().size())
    image.count = countDomain(part.map, budget, meter);
  if (!image.count)
    image.count = countUnionOfSets(sets, budget, meter);
  std::optional<uint64_t> size = getVolume(image.hull);
  if (!image.count || !size || *image.count != *size)
    image.kind = Exactness::Hull;
  return true;
}

/// 4. True if it applies.
static bool getSums(const MapPart &part, PartImage &image) {
  const IndexingMap &map = part.map;
  if (map.getNumResults() != 1)
    return false;
  const Form &form = map.getResult(0);
  const Interval range = map.getResultRange(0);
  std::optional<int64_t> span = range.size();
  if (!range.isFinite() || !span || *span > kMaxSpan ||
      form.terms.size() != map.getNumVariables())
    return false;
  // Constraints may mention the result only: form = factor * linear part.
  SmallVector<Interval, 4> allowed;
  for (const Constraint &c : map.getConstraints()) {
    if (c.form.terms.size() != form.terms.size())
      return false;
    const __int128 k = c.form.terms[0].coefficient,
                   l = form.terms[0].coefficient;
    for (auto [t, u] : llvm::zip_equal(c.form.terms, form.terms))
      if (t.atom != u.atom || t.coefficient * l != u.coefficient * k)
        return false;
    // Constraints have no common factor, so the result is a multiple.
    if (l % k != 0 || l / k > Interval::kNoUpper)
      return false;
    Interval linear = c.interval + Interval::point(-c.form.constant);
    Interval scaled = linear.scaled(static_cast<int64_t>(l / k));
    if ((linear.hasLower() && linear.hasUpper() && !scaled.isFinite()) ||
        !linear.isFinite())
      return false;
    allowed.push_back(scaled + form.constant);
  }
  // Each sum, counted from the least one.
  llvm::BitVector sums(*span);
  sums.set(0);
  for (const Term &t : form.terms) {
    if (!map.getArena().isVariable(t.atom))
      return false;
    uint64_t count = *map.getRanges()[t.atom].size();
    const uint64_t step = magnitude(t.coefficient);
    // With n copies at hand, another min(n, count - n) are one shift away.
    for (uint64_t n = 1; n < count;) {
      const uint64_t more = std::min(n, count - n);
      llvm::BitVector shifted = sums;
      shifted <<= static_cast<unsigned>(step * more);
      sums |= shifted;
      n += more;
    }
  }
  for (const Interval &interval : allowed) {
    Interval kept = interval.intersect(range);
    if (kept.isEmpty()) {
      sums.reset();
      break;
    }
    sums.reset(0, static_cast<unsigned>(kept.lower - range.lower));
    sums.reset(static_cast<unsigned>(kept.upper - range.lower) + 1, *span);
  }
  image.count = sums.count();
  if (sums.none()) {
    image.isEmpty = true;
    return true;
  }
  appendTo(image.hull,
           {range.lower + sums.find_first(), range.lower + sums.find_last()});
  image.kind =
      getVolume(image.hull) == image.count ? Exactness::Exact : Exactness::Hull;
  return true;
}

/// 2 and 5. True if it applies. Sets are kept if there are some already.
static bool getByWalking(const MapPart &part, PartImage &image, uint64_t budget,
                         WorkMeter &meter) {
  std::optional<WalkedImage> seen = walkImages(part.map, budget, meter);
  if (!seen)
    return false;
  image.points = seen->points;
  image.isEmpty = seen->points == 0;
  image.hull = Box();
  if (image.isEmpty) {
    image.sets.emplace();
    return true;
  }
  for (const Interval &own : seen->hull)
    appendTo(image.hull, own);
  image.count = seen->count;
  image.kind =
      getVolume(image.hull) == image.count ? Exactness::Exact : Exactness::Hull;
  return true;
}

/// 6.
static void getHullOnly(const MapPart &part, PartImage &image, uint64_t budget,
                        WorkMeter &meter) {
  const IndexingMap &map = part.map;
  image.kind = Exactness::Hull;
  for (unsigned i = 0, e = part.results.size(); i != e; ++i) {
    Interval range = map.getResultRange(i);
    // A dim of its own for the result, so that the solver can look at it.
    IndexingMapBuilder builder;
    SmallVector<Form> images = builder.addDims(map.getRanges());
    Form value = builder.addDim(range);
    Substitution substitute(builder.arena(), map.getArena(), images);
    for (const Constraint &c : map.getConstraints())
      builder.addConstraint(substitute(c.form), c.interval);
    builder.addConstraint(
        builder.arena().sub(substitute(map.getResult(i)), value),
        Interval::point(0));
    if (range.isFinite()) {
      if (std::optional<Interval> tight =
              PointSolver(builder.build(), budget, &meter)
                  .getBounds(map.getNumVariables()))
        range = *tight;
      if (range.isEmpty()) {
        image.isEmpty = true;
        return;
      }
    }
    if (!appendTo(image.hull, range)) {
      image.kind = Exactness::Unknown;
      return;
    }
  }
}

/// 2 to 6.
static void getByEngines(const MapPart &part, PartImage &image, uint64_t budget,
                         WorkMeter &meter, bool wantStructure) {
  std::optional<uint64_t> size = getBoxSize(part.map), walk;
  if (size && *size <= budget)
    walk = getWalkCost(part.map);
  if (!wantStructure && walk && isShortWalk(part.map) &&
      getByWalking(part, image, budget, meter))
    return;
  bool applies = false;
  {
    // The hull, too, needs some work if all else fails.
    const uint64_t share =
        walk ? getShare(walk, meter) : meter.getLeft() - meter.getLeft() / 4;
    WorkMeter::Share limit(meter, share);
    applies = getByElimination(part, image, budget, meter);
  }
  if (applies && (image.count || image.isEmpty))
    return;
  if (!applies && getSums(part, image))
    return;
  // An image without a count, or a hull that is not tight, is seen better.
  if (!getByWalking(part, image, budget, meter) && !applies)
    getHullOnly(part, image, budget, meter);
}

PartImage mlir::tensoraccess::detail::getPartImage(const MapPart &part,
                                                   uint64_t budget,
                                                   WorkMeter &meter,
                                                   bool wantStructure) {
  PartImage image;
  if (part.map.isUnknown())
    return image;
  if (part.map.isKnownEmpty()) {
    image.isEmpty = true;
    return image;
  }
  if (!getProgression(part, image))
    getByEngines(part, image, budget, meter, wantStructure);
  // Numbers that may differ from point to point: what they can reach covers
  // what they do reach.
  if (part.hasRuntime() && !image.isEmpty) {
    image.count = std::nullopt;
    image.sets = std::nullopt;
    if (image.kind == Exactness::Exact)
      image.kind = Exactness::Hull;
  }
  return image;
}

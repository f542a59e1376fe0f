//===- Equivalence.cpp - Emptiness and equality, decided ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emptiness, for each independent part of the domain, by the first that can
// tell: a short search (PointSolver.h), elimination of all variables
// (Elimination.h), a long search, MLIR's Presburger library.
//
// Equality:
//   1. Equal canonical forms, different ranks, and a point of one map where the
//      other has other results are found at once.
//   2. Functions: with variables identified by position, each domain must contain
//      the other and all differences of results must be 0. Each is a question
//      of emptiness: "a point of A that breaks this constraint of B". With
//      symbols this can prove equality, but not refute it.
//   3. Relations: the sets {(dims, runtime, results)} with the symbols
//      eliminated must contain each other, in the same way.
//   4. Small domains are walked.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "Elimination.h"
#include "ImageParts.h"
#include "PointSolver.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Steps of the short search.
static constexpr uint64_t kShortSearch = 1 << 8;
/// Symbols that are walked at the first point that comes along.
static constexpr uint64_t kFirstLook = 1 << 12;
/// The most that the Presburger library is given.
static constexpr unsigned kMaxPresburgerVariables = 12;
static constexpr unsigned kMaxPresburgerRows = 40;
static constexpr int64_t kMaxPresburgerNumber = int64_t(1) << 40;
/// Pieces of the difference of two sets.
static constexpr unsigned kMaxPieces = 64;

//===----------------------------------------------------------------------===//
// Emptiness
//===----------------------------------------------------------------------===//

/// Whether there is a point, by the Presburger library; fills it in.
static std::optional<bool> findByPresburger(const IndexingMap &map,
                                            Point &point) {
  const FormArena &arena = map.getArena();
  auto isSmall = [](FormRef form) {
    return magnitude(form.constant) < uint64_t(kMaxPresburgerNumber) &&
           llvm::all_of(
               form.terms,
               [](const Term &t) {
                 return magnitude(t.coefficient) <
                        uint64_t(kMaxPresburgerNumber);
               });
  };
  if (arena.getNumAtoms() > kMaxPresburgerVariables)
    return std::nullopt;
  for (AtomId id = arena.getNumVariables(); id != arena.getNumAtoms(); ++id)
    if (arena.getAtom(id).kind != AtomKind::FloorDiv ||
        arena.getAtom(id).divisor >= kMaxPresburgerNumber ||
        !isSmall(arena.body(id)))
      return std::nullopt;
  for (const Constraint &c : map.getConstraints())
    if (!isSmall(c.form))
      return std::nullopt;
  // Columns are atoms: variables, then divisions as local variables.
  using presburger::BoundType;
  presburger::IntegerPolyhedron polyhedron(
      presburger::PresburgerSpace::getSetSpace(map.getNumVariables()));
  auto getRow = [&](FormRef form) {
    SmallVector<int64_t, 16> row(polyhedron.getNumCols(), 0);
    for (const Term &t : form.terms)
      row[t.atom] = t.coefficient;
    row.back() = form.constant;
    return row;
  };
  for (AtomId id = arena.getNumVariables(); id != arena.getNumAtoms(); ++id)
    polyhedron.addLocalFloorDiv(getRow(arena.body(id)),
                                arena.getAtom(id).divisor);
  auto bound = [&](FormRef form, Interval interval) {
    if (interval.hasLower())
      polyhedron.addBound(BoundType::LB, getRow(form), interval.lower);
    if (interval.hasUpper())
      polyhedron.addBound(BoundType::UB, getRow(form), interval.upper);
  };
  for (auto [v, range] : llvm::enumerate(map.getRanges()))
    bound(Form::ofAtom(v), range);
  for (const Constraint &c : map.getConstraints())
    bound(c.form, c.interval);
  if (polyhedron.getNumConstraints() > kMaxPresburgerRows)
    return std::nullopt;
  if (polyhedron.isIntegerEmpty())
    return false;
  point.clear();
  if (auto sample = polyhedron.findIntegerSample())
    for (unsigned v = 0, e = map.getNumVariables(); v != e; ++v)
      point.push_back(static_cast<int64_t>((*sample)[v]));
  return true;
}

/// Whether the domain of `map` has a point. `point`, if wanted, is filled in
/// where one is found, and is empty otherwise.
static std::optional<bool> decide(const IndexingMap &map, uint64_t budget,
                                  Point *point) {
  if (map.isUnknown())
    return std::nullopt;
  if (map.isKnownEmpty())
    return false;
  bool isUnknown = false, hasValues = true;
  Point values(map.getNumVariables(), 0);
  for (unsigned v = 0, e = map.getNumVariables(); v != e; ++v)
    values[v] = std::clamp<int64_t>(0, map.getRanges()[v].lower,
                                    map.getRanges()[v].upper);
  if (!map.getConstraints().empty())
    for (const MapPart &part : splitMap(map.withResults({}))) {
      if (part.map.getConstraints().empty() && part.map.isOrdinary())
        continue;
      SmallVector<int64_t> own;
      std::optional<bool> any =
          PointSolver(part.map, std::min(budget, kShortSearch)).find(own);
      if (!any)
        if (std::optional<ImageSets> sets = eliminateVariables(part.map))
          any = !sets->sets.empty();
      if (!any || (*any && point && own.empty())) {
        std::optional<bool> found = PointSolver(part.map, budget).find(own);
        Point sample;
        if (!found) {
          found = findByPresburger(part.map, sample);
          own.assign(sample.begin(), sample.end());
        }
        if (!any)
          any = found;
      }
      if (any == false)
        return false;
      isUnknown |= !any;
      if (own.size() != part.variables.size()) {
        hasValues = false;
        continue;
      }
      for (auto [value, v] : llvm::zip_equal(own, part.variables))
        values[v] = value;
    }
  if (isUnknown)
    return std::nullopt;
  if (point && hasValues)
    *point = std::move(values);
  return true;
}

std::optional<bool> mlir::tensoraccess::isEmpty(const IndexingMap &map,
                                                uint64_t budget) {
  std::optional<bool> any = decide(map.simplify(), budget, nullptr);
  return any ? std::optional(!*any) : std::nullopt;
}

std::optional<Point> mlir::tensoraccess::findPoint(const IndexingMap &map,
                                                   uint64_t budget) {
  Point point;
  if (decide(map.simplify(), budget, &point) != true ||
      point.size() != map.getNumVariables())
    return std::nullopt;
  return point;
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

namespace {

/// Several domains over the same variables, met and broken.
class Comparer {
public:
  explicit Comparer(uint64_t budget) : budget(budget) {}

  /// A point of every domain in `inside` that breaks some range or constraint
  /// of `broken`, all over the same variables: true and the point, false, or
  /// std::nullopt.
  std::optional<bool> findBreach(const IndexingMap &inside,
                                 const IndexingMap &broken, Point &point);
  /// A point of `a` where the results of `b` differ, variables as above.
  std::optional<bool> findDifference(const IndexingMap &a, const IndexingMap &b,
                                     Point &point);
  /// A point of a set in `inside` that lies in none of `outside`.
  std::optional<bool> findOutside(ArrayRef<IndexingMap> inside,
                                  ArrayRef<IndexingMap> outside, Point &point);

private:
  /// Maps that together contain the points of `inside` outside of `broken`.
  SmallVector<IndexingMap, 4> getBreaches(const IndexingMap &inside,
                                          const IndexingMap &broken);
  std::optional<bool> findIn(ArrayRef<IndexingMap> maps, Point &point);

  uint64_t budget;
};

} // namespace

SmallVector<IndexingMap, 4> Comparer::getBreaches(const IndexingMap &inside,
                                                  const IndexingMap &broken) {
  SmallVector<IndexingMap, 4> breaches;
  if (inside.isKnownEmpty())
    return breaches;
  if (broken.isKnownEmpty()) {
    breaches.push_back(inside);
    return breaches;
  }
  const IndexingMap domain = inside.withResults({});
  auto breach = [&](FormRef form, Interval interval) {
    auto add = [&](Interval outside) {
      breaches.push_back(
          domain.withConstraint(broken.getArena(), form, outside).simplify());
    };
    if (interval.hasLower())
      add(Interval::atMost(interval.lower - 1));
    if (interval.hasUpper())
      add(Interval::atLeast(interval.upper + 1));
  };
  for (auto [v, range] : llvm::enumerate(broken.getRanges()))
    if (!range.contains(inside.getRanges()[v]))
      breach(Form::ofAtom(v), range);
  for (const Constraint &c : broken.getConstraints())
    if (!llvm::any_of(inside.getConstraints(), [&](const Constraint &own) {
          // The same atoms have the same numbers only without divisions.
          return own == c && inside.getArena() == broken.getArena();
        }))
      breach(c.form, c.interval);
  llvm::erase_if(breaches,
                 [](const IndexingMap &m) { return m.isKnownEmpty(); });
  return breaches;
}

std::optional<bool> Comparer::findIn(ArrayRef<IndexingMap> maps, Point &point) {
  bool isUnknown = false;
  for (const IndexingMap &map : maps) {
    Point found;
    std::optional<bool> any = decide(map, budget, &found);
    if (any == true) {
      point = std::move(found);
      return true;
    }
    isUnknown |= !any;
  }
  return isUnknown ? std::nullopt : std::optional(false);
}

std::optional<bool> Comparer::findBreach(const IndexingMap &inside,
                                         const IndexingMap &broken,
                                         Point &point) {
  return findIn(getBreaches(inside, broken), point);
}

std::optional<bool> Comparer::findDifference(const IndexingMap &a,
                                             const IndexingMap &b,
                                             Point &point) {
  SmallVector<IndexingMap, 4> maps;
  if (a.isKnownEmpty() || b.isKnownEmpty())
    return false;
  SmallVector<Form, 8> variables;
  for (AtomId v = 0, e = a.getNumVariables(); v != e; ++v)
    variables.push_back(Form::ofAtom(v));
  const IndexingMap domain = a.withResults({});
  for (unsigned i = 0, e = a.getNumResults(); i != e; ++i) {
    FormArena arena = a.getArena();
    Form difference =
        arena.sub(a.getResult(i),
                  Substitution(arena, b.getArena(), variables)(b.getResult(i)));
    for (Interval side : {Interval::atLeast(1), Interval::atMost(-1)}) {
      maps.push_back(
          arena.failed()
              ? IndexingMap::unknown(UnknownReason::Overflow)
              : domain.withConstraint(arena, difference, side).simplify());
      if (maps.back().isKnownEmpty())
        maps.pop_back();
    }
  }
  return findIn(maps, point);
}

std::optional<bool> Comparer::findOutside(ArrayRef<IndexingMap> inside,
                                          ArrayRef<IndexingMap> outside,
                                          Point &point) {
  SmallVector<IndexingMap, 4> pieces(inside);
  for (const IndexingMap &set : outside) {
    SmallVector<IndexingMap, 4> next;
    for (const IndexingMap &piece : pieces) {
      next.append(getBreaches(piece, set));
      if (next.size() > kMaxPieces)
        return std::nullopt;
    }
    pieces = std::move(next);
  }
  return findIn(pieces, point);
}

static std::string print(ArrayRef<int64_t> values) {
  return llvm::interleaved(values, ", ", "(", ")").str();
}

/// The results of `map` at one choice of dims and runtime variables.
static std::optional<std::set<Point>>
getResultsAt(const IndexingMap &map, ArrayRef<int64_t> key, uint64_t budget) {
  if (map.isKnownEmpty())
    return std::set<Point>();
  SmallVector<Interval> ranges(map.getRanges());
  const unsigned numDims = map.getNumDims(), numSymbols = map.getNumSymbols();
  for (unsigned v = 0, e = ranges.size(); v != e; ++v) {
    if (v >= numDims && v < numDims + numSymbols)
      continue;
    const int64_t value = key[v < numDims ? v : v - numSymbols];
    if (!ranges[v].contains(value))
      return std::set<Point>();
    ranges[v] = Interval::point(value);
  }
  IndexingMap at = map.withRanges(ranges).simplify();
  return at.isUnknown() ? std::nullopt : enumerateImage(at, budget);
}

/// A point's dims and runtime variables.
static Point keyOf(const IndexingMap &map, ArrayRef<int64_t> point) {
  Point key(point.begin(), point.begin() + map.getNumDims());
  key.insert(key.end(), point.end() - map.getNumRuntime(), point.end());
  return key;
}

Equivalence mlir::tensoraccess::compareMaps(const IndexingMap &first,
                                            const IndexingMap &second,
                                            uint64_t budget) {
  using Verdict = Equivalence::Verdict;
  if (first.isUnknown() || second.isUnknown())
    return {Verdict::Unknown, {}, "an unknown map can't be compared"};
  IndexingMap a = first.simplify(), b = second.simplify();
  auto differ = [](const char *what, unsigned x, unsigned y) {
    return Equivalence{Verdict::Different,
                       {},
                       "the maps have " + std::to_string(x) + " and " +
                           std::to_string(y) + " " + what};
  };
  if (a.getNumDims() != b.getNumDims())
    return differ("dims", a.getNumDims(), b.getNumDims());
  if (a.getNumResults() != b.getNumResults())
    return differ("results", a.getNumResults(), b.getNumResults());
  if (a.getNumRuntime() != b.getNumRuntime())
    return differ("runtime variables", a.getNumRuntime(), b.getNumRuntime());
  const Equivalence equal{Verdict::Equal, {}, ""};
  if (a == b || (a.isKnownEmpty() && b.isKnownEmpty()))
    return equal;

  // 1. A point of either map: does the other agree there?
  auto refute = [&](ArrayRef<int64_t> key,
                    uint64_t steps) -> std::optional<Equivalence> {
    std::optional<std::set<Point>> x = getResultsAt(a, key, steps);
    std::optional<std::set<Point>> y =
        x ? getResultsAt(b, key, steps) : std::nullopt;
    if (!x || !y || *x == *y)
      return std::nullopt;
    auto describe = [](const std::set<Point> &set) {
      if (set.empty())
        return std::string("no result");
      if (set.size() == 1)
        return print(*set.begin());
      return std::to_string(set.size()) + " results";
    };
    std::string x1 = describe(*x), y1 = describe(*y);
    if (x1 == y1) {
      // Name one that the other lacks.
      bool isFirst = true;
      const Point *lacked = nullptr;
      for (const Point &p : *x)
        if (!y->count(p) && !lacked)
          lacked = &p;
      if (!lacked)
        for (const Point &p : *y)
          if (!x->count(p) && !lacked)
            lacked = &p, isFirst = false;
      return Equivalence{Verdict::Different, Point(key.begin(), key.end()),
                         "at " + print(key) + " only the " +
                             (isFirst ? "first" : "second") + " map gives " +
                             print(*lacked)};
    }
    return Equivalence{Verdict::Different, Point(key.begin(), key.end()),
                       "at " + print(key) + " the first map gives " + x1 +
                           " and the second " + y1};
  };
  for (const IndexingMap *map : {&a, &b})
    if (std::optional<Point> point = findPoint(*map, kShortSearch))
      if (std::optional<Equivalence> found =
              refute(keyOf(*map, *point), std::min(budget, kFirstLook)))
        return *found;

  // 2. Functions of all variables.
  Comparer comparer(budget);
  if (a.getNumSymbols() == b.getNumSymbols()) {
    Point point;
    std::optional<bool> broken = comparer.findBreach(a, b, point);
    const IndexingMap *where = &a;
    if (broken == false) {
      broken = comparer.findBreach(b, a, point);
      where = &b;
    }
    if (broken == false) {
      broken = comparer.findDifference(a, b, point);
      where = &a;
    }
    if (broken == false)
      return equal;
    if (broken == true && point.size() == where->getNumVariables())
      if (std::optional<Equivalence> found =
              refute(keyOf(*where, point), budget))
        return *found;
  }

  // 3. Relations.
  auto getGraph =
      [](const IndexingMap &map) -> std::optional<SmallVector<IndexingMap, 1>> {
    SmallVector<Form> results;
    for (unsigned v = 0, e = map.getNumVariables(); v != e; ++v)
      if (map.getVariableKind(v) != VariableKind::Symbol)
        results.push_back(Form::ofAtom(v));
    results.append(map.getResults().begin(), map.getResults().end());
    std::optional<ImageSets> sets =
        eliminateVariables(map.withResults(results));
    if (!sets)
      return std::nullopt;
    return sets->sets;
  };
  auto graphA = getGraph(a), graphB = getGraph(b);
  if (graphA && graphB) {
    Point point;
    std::optional<bool> outside = comparer.findOutside(*graphA, *graphB, point);
    if (outside == false)
      outside = comparer.findOutside(*graphB, *graphA, point);
    if (outside == false)
      return equal;
    const unsigned numKeys = a.getNumDims() + a.getNumRuntime();
    if (outside == true && point.size() >= numKeys)
      if (std::optional<Equivalence> found =
              refute(ArrayRef<int64_t>(point).take_front(numKeys), budget))
        return *found;
  }

  // 4. Walking.
  MapComparison walked = equalAsRelations(a, b, budget);
  if (walked.verdict == MapComparison::Verdict::Equal)
    return equal;
  if (walked.verdict == MapComparison::Verdict::Different)
    if (std::optional<Equivalence> found = refute(walked.witness, budget))
      return *found;
  return {Verdict::Unknown, {}, "neither a proof nor a difference was found"};
}

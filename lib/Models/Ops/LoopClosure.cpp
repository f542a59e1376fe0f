//===- LoopClosure.cpp - What any number of trips reads -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopClosure.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

bool Sets::add(Maps &set, MapPool::Id id) {
  if (set.isUnknown())
    return false;
  id = pool.merge(id);
  const IndexingMap &map = pool[id];
  if (map.isKnownEmpty())
    return false;
  IndexingReason reason = IndexingReason::None;
  if (map.isUnknown())
    reason = fromUnknownReason(map.getUnknownReason());
  else if (map.getNumVariables() > budget.maxVariables ||
           map.getConstraints().size() > budget.maxConstraints ||
           set.ids.size() > getMost(set))
    reason = IndexingReason::Budget;
  if (reason != IndexingReason::None) {
    set.ids.clear();
    set.reason = reason;
    return true;
  }
  for (MapPool::Id other : set.ids)
    if (other == id || pool.isContained(id, other))
      return false;
  llvm::erase_if(
      set.ids, [&](MapPool::Id other) { return pool.isContained(other, id); });
  set.ids.push_back(id);
  return true;
}

bool Sets::addAll(Maps &set, const Maps &other) {
  if (set.isUnknown())
    return false;
  if (other.isUnknown()) {
    set = other;
    return true;
  }
  bool grew = false;
  for (MapPool::Id id : other.ids)
    grew |= add(set, id);
  return grew;
}

bool Sets::addComposed(Maps &set, const Maps &a, const Maps &b) {
  if (a.empty() || b.empty())
    return false;
  if (a.isUnknown() || b.isUnknown())
    return addAll(set, a.isUnknown() ? a : b);
  bool grew = false, merged = false;
  for (MapPool::Id x : a.ids)
    for (MapPool::Id y : b.ids)
      grew |= add(set, pool.compose(x, y, merged));
  return grew;
}

IndexingMap tensoraccess::makeFull(ArrayRef<Interval> from,
                                   ArrayRef<int64_t> to) {
  IndexingMapBuilder builder;
  builder.addDims(from);
  for (int64_t size : to)
    builder.addResult(builder.addSymbol(Interval::ofExtent(size)));
  return builder.build().simplify();
}

//===----------------------------------------------------------------------===//
// Closure over trips
//===----------------------------------------------------------------------===//

IndexingMap LoopReader::extend(const DetailedMap &entry, bool withTime) const {
  const IndexingMap &map = entry.map;
  if (map.isUnknown())
    return map;
  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  Form time = builder.addDim(getTime(1));
  SmallVector<Form> images(map.getNumVariables());
  SmallVector<unsigned> counters;
  const unsigned begin = map.getNumDims() + map.getNumSymbols();
  auto getSource = [&](unsigned i) -> const RuntimeSource * {
    if (!entry.details || !entry.details->runtime[i - begin])
      return nullptr;
    return &*entry.details->runtime[i - begin];
  };
  for (auto [i, range] : llvm::enumerate(map.getRanges())) {
    const RuntimeSource *source = i >= begin ? getSource(i) : nullptr;
    if ((loop.counter && source && source->operand == loop.counter->argument &&
         source->map.getNumResults() == 0) ||
        (i >= begin && !trip.empty() && map.getVariableName(i) == trip)) {
      counters.push_back(i);
      continue;
    }
    images[i] = builder.addVariable(map.getVariableKind(i), range);
  }
  for (unsigned i : counters) {
    Form number = arena.sub(time, Form(1));
    if (const RuntimeSource *source = getSource(i))
      number = arena.clamp(arena.addScaled(Form(loop.counter->first), number,
                                           loop.counter->step),
                           source->clamp);
    images[i] = number;
    if (!map.getRanges()[i].contains(arena.range(number)))
      builder.addConstraint(number, map.getRanges()[i]);
  }
  if (withTime)
    builder.addResult(arena.sub(time, Form(1)));
  builder.addMap(map, images);
  return builder.build().simplify();
}

Maps LoopReader::extendAll(const IndexingSet &set, bool withTime) {
  Maps maps;
  maps.reason = set.getReason();
  for (unsigned i = 0; i < set.size(); ++i)
    sets.add(maps, extend(set.getEntry(i), withTime));
  return maps;
}

IndexingMap LoopReader::forgetTime(const IndexingMap &step) const {
  return step
      .selectResults(
          llvm::to_vector(llvm::seq<unsigned>(1, step.getNumResults())))
      .dimsToSymbols({0})
      .simplify()
      .removeUnusedSymbols();
}

IndexingMap LoopReader::widen(unsigned p, unsigned q) const {
  return makeFull(getExtents(shapes[p]), shapes[q]);
}

/// By reachability: states are few.
void LoopReader::sortComponents() {
  const unsigned n = shapes.size();
  std::vector<llvm::BitVector> reach(n, llvm::BitVector(n));
  for (unsigned p = 0; p < n; ++p) {
    SmallVector<unsigned> stack = {p};
    while (!stack.empty()) {
      unsigned at = stack.pop_back_val();
      for (unsigned q = 0; q < n; ++q)
        if (!body[at][q].empty() && !reach[p].test(q)) {
          reach[p].set(q);
          stack.push_back(q);
        }
    }
  }
  llvm::BitVector done(n);
  while (done.count() != n)
    for (unsigned p = 0; p < n; ++p) {
      if (done.test(p))
        continue;
      auto isPeer = [&](unsigned q) {
        return q == p || (reach[p].test(q) && reach[q].test(p));
      };
      // All that depend on p come before.
      bool isNext = true;
      for (unsigned q = 0; q < n && isNext; ++q)
        isNext = done.test(q) || isPeer(q) || !reach[q].test(p);
      if (!isNext)
        continue;
      SmallVector<unsigned> group;
      for (unsigned q = 0; q < n; ++q)
        if (isPeer(q))
          group.push_back(q);
      for (unsigned q : group)
        done.set(q);
      groups.push_back(std::move(group));
    }
}

/// Whether a form is linear in the variables: an interval of it is convex.
static bool isLinear(const IndexingMap &map, FormRef form) {
  return llvm::all_of(form.terms, [&](const Term &term) {
    return term.atom < map.getNumVariables();
  });
}

/// From (T, i) to (t, i): the conditions hold for the trips t + 1 to T. One that
/// stays true once it is needs to hold for t + 1; one that has been true before,
/// for T. No trip, t = T, is among these where it does no harm: it always is
/// possible.
IndexingMap LoopReader::chain(const IndexingMap &map, ArrayRef<Interval> ranges,
                              int64_t least) const {
  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  SmallVector<Form> last = {builder.addDim(getTime(0))};
  for (Interval range : ranges)
    last.push_back(builder.addDim(range));
  Form before = builder.addSymbol(getTime(0));
  builder.addConstraint(arena.sub(last[0], before), Interval::atLeast(least));
  SmallVector<Form> first(last);
  first[0] = arena.add(before, Form(1));
  Substitution atLast(arena, map.getArena(), last);
  Substitution atFirst(arena, map.getArena(), first);
  auto require = [&](FormRef form, Interval interval, int64_t slope) {
    const bool hasLower = interval.lower != Interval::kNoLower;
    const bool hasUpper = interval.upper != Interval::kNoUpper;
    if (slope == 0 || (slope > 0 ? hasUpper : hasLower))
      builder.addConstraint(atLast(form),
                            slope == 0  ? interval
                            : slope > 0 ? Interval::atMost(interval.upper)
                                        : Interval::atLeast(interval.lower));
    if (slope != 0 && (slope > 0 ? hasLower : hasUpper))
      builder.addConstraint(atFirst(form),
                            slope > 0 ? Interval::atLeast(interval.lower)
                                      : Interval::atMost(interval.upper));
  };
  Interval trips = map.getRanges()[0];
  require(Form::ofAtom(0),
          {trips.lower,
           trips.upper == getTime(1).upper ? Interval::kNoUpper : trips.upper},
          1);
  for (const Constraint &constraint : map.getConstraints()) {
    int64_t slope = 0;
    for (const Term &term : constraint.form.terms)
      if (term.atom == 0)
        slope = term.coefficient;
    require(constraint.form, constraint.interval, slope);
  }
  builder.addResult(before);
  for (const Form &form : ArrayRef(last).drop_front())
    builder.addResult(form);
  return builder.build().simplify();
}

/// State whose elements stay where they are, each under conditions that hold
/// for consecutive trips or none; false where it is not known to be so.
bool LoopReader::closeKept(unsigned p) {
  const Maps &own = body[p][p];
  const unsigned rank = shapes[p].size();
  for (MapPool::Id id : own.ids) {
    const IndexingMap &map = sets.pool[id];
    if (map.getNumSymbols() || map.getNumRuntime() ||
        map.getNumDims() != rank + 1)
      return false;
    for (unsigned i = 0; i < rank; ++i)
      if (map.getResult(1 + i) != Form::ofAtom(1 + i) &&
          !(map.getRanges()[1 + i].lower == map.getRanges()[1 + i].upper &&
            map.getResult(1 + i) == Form(map.getRanges()[1 + i].lower)))
        return false;
    if (!llvm::all_of(map.getConstraints(), [&](const Constraint &constraint) {
          return isLinear(map, constraint.form);
        }))
      return false;
  }
  // No element goes over from one condition to another between two trips.
  auto follows = [&](const IndexingMap &a, const IndexingMap &b) {
    return !a.then(b).simplify().isKnownEmpty();
  };
  for (MapPool::Id a : own.ids)
    for (MapPool::Id b : own.ids)
      if (a != b && follows(sets.pool[a], sets.pool[b]))
        return false;
  for (MapPool::Id id : own.ids) {
    const IndexingMap &map = sets.pool[id];
    ArrayRef<Interval> ranges = map.getDimRanges().drop_front();
    // Where ranges only follow from the conditions, no trip is possible outside.
    SmallVector<Interval> extents = getExtents(shapes[p]);
    IndexingMap some = chain(map, extents, 1);
    const bool isImplied =
        some.isKnownEmpty() ||
        (some.isOrdinary() &&
         llvm::all_of(llvm::zip_equal(ranges, some.getDimRanges().drop_front()),
                      [](auto pair) {
                        return std::get<0>(pair).contains(std::get<1>(pair));
                      }));
    sets.add(star[p][p], chain(map, isImplied ? extents : ranges, 0));
  }
  return !star[p][p].isUnknown();
}

/// What one trip reads, two, and so on, up to a number from which on it is the
/// same: that is exact. Empty if trips differ, or go on to read more.
std::vector<LoopReader::Reads> LoopReader::getPowers(ArrayRef<unsigned> group,
                                                     const Reads &base) {
  const unsigned n = group.size();
  for (unsigned p : group)
    for (unsigned q : group)
      for (MapPool::Id id : body[p][q].ids) {
        const IndexingMap &map = sets.pool[id];
        SmallVector<char, 32> used =
            map.selectResults(
                   llvm::to_vector(llvm::seq<unsigned>(1, map.getNumResults())))
                .getUsed();
        if (map.getRanges()[0] != getTime(1) || (!used.empty() && used[0]))
          return {};
      }
  auto isSame = [&](const Maps &a, const Maps &b) {
    SmallVector<MapPool::Id, 2> x(a.ids), y(b.ids);
    llvm::sort(x);
    llvm::sort(y);
    return !a.isUnknown() && !b.isUnknown() && x == y;
  };
  std::vector<Reads> powers{base};
  while (powers.size() <= kMaxPowers) {
    Reads next(n, std::vector<Maps>(n));
    bool isLast = true;
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j < n; ++j) {
        for (unsigned k = 0; k < n; ++k)
          sets.addComposed(next[i][j], powers.back()[i][k], base[k][j]);
        isLast &= isSame(next[i][j], powers.back()[i][j]);
      }
    if (isLast)
      return powers;
    powers.push_back(std::move(next));
  }
  return {};
}

void LoopReader::close(ArrayRef<unsigned> group) {
  auto isIdentity = [&](const Maps &maps) {
    return maps.ids.size() == 1 && sets.pool[maps.ids[0]].isIdentity();
  };
  auto addIdentity = [&](unsigned p) {
    SmallVector<Interval> ranges = getExtents(shapes[p]);
    ranges.insert(ranges.begin(), getTime(0));
    IndexingMapBuilder builder;
    for (const Form &dim : builder.addDims(ranges))
      builder.addResult(dim);
    sets.add(star[p][p], builder.build().simplify());
  };
  const unsigned first = group.front();
  const bool isAlone = group.size() == 1;
  if (isAlone && !body[first][first].isUnknown() && closeKept(first))
    return addIdentity(first);
  const unsigned n = group.size();
  Reads base(n, std::vector<Maps>(n));
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j) {
      const Maps &from = body[group[i]][group[j]];
      base[i][j].reason = from.reason;
      for (MapPool::Id id : from.ids)
        sets.add(base[i][j], forgetTime(sets.pool[id]));
    }
  std::vector<Reads> powers = getPowers(group, base);
  for (unsigned p : group)
    isHull[p] |= powers.empty();
  auto reached = base;
  const int64_t rounds = std::min(loop.trips.value_or(INT64_MAX), kMaxRounds);
  bool grows = true;
  for (int64_t round = 1; round < rounds && grows; ++round) {
    grows = false;
    auto next = reached;
    for (unsigned i = 0; i < n; ++i)
      for (unsigned k = 0; k < n; ++k)
        for (unsigned j = 0; j < n; ++j)
          grows |= sets.addComposed(next[i][j], reached[i][k], base[k][j]);
    reached = std::move(next);
  }
  const bool isOpen = grows && (!loop.trips || *loop.trips > rounds);
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j) {
      const unsigned p = group[i], q = group[j];
      Maps &maps = reached[i][j];
      if (sets.isTooLarge(maps) || (isOpen && !maps.isUnknown())) {
        maps = Maps();
        sets.add(maps, widen(p, q));
      }
      Maps &timed = star[p][q];
      timed = Maps();
      timed.reason = maps.reason;
      auto addTimed = [&](const Maps &some, Interval trips) {
        for (MapPool::Id id : some.ids) {
          const IndexingMap &map = sets.pool[id];
          IndexingMapBuilder builder;
          FormArena &arena = builder.arena();
          Form time = builder.addDim(getTime(trips.lower));
          SmallVector<Form> images;
          for (unsigned v = 0; v < map.getNumDims(); ++v)
            images.push_back(builder.addDim(map.getRanges()[v]));
          Form before = builder.addSymbol(getTime(0));
          for (unsigned v = map.getNumDims(); v < map.getNumVariables(); ++v)
            images.push_back(builder.addVariable(map.getVariableKind(v),
                                                 map.getRanges()[v]));
          builder.addConstraint(arena.sub(time, before), trips);
          builder.addResult(before);
          builder.addMap(map, images);
          sets.add(timed, builder.build().simplify());
        }
      };
      for (unsigned k = 1; powers.size() > 1 && k <= powers.size(); ++k)
        addTimed(powers[k - 1][i][j],
                 k < powers.size() ? Interval::point(k) : Interval::atLeast(k));
      const bool isSplit = powers.size() > 1 && !sets.isTooLarge(timed);
      if (powers.size() > 1 && !isSplit)
        timed = Maps(), isHull[p] = true;
      // With at least one trip between; with none if that is the same.
      if (!isSplit)
        addTimed(maps, Interval::atLeast(p == q && isIdentity(maps) ? 0 : 1));
      if (p == q)
        addIdentity(p);
    }
}

void LoopReader::run(const RegionReads &region) {
  const unsigned n = shapes.size();
  body.assign(n, std::vector<Maps>(n));
  star = body;
  trip = region.trip;
  isHull = region.isHull;
  isHull.resize(n, false);
  for (auto [o, value] : llvm::enumerate(region.operands)) {
    auto argument = dyn_cast<BlockArgument>(value);
    const bool isState = argument && argument.getOwner() == loop.body;
    if (isState && argument.getArgNumber() < loop.argument)
      continue;
    std::vector<Maps> all(n);
    for (unsigned p = 0; p < n; ++p) {
      Maps maps = extendAll(region.indexing.outputToInput(p, o), isState);
      if (isState)
        body[p][argument.getArgNumber() - loop.argument] = std::move(maps);
      else
        all[p] = std::move(maps);
    }
    if (!isState)
      reads.emplace_back(value, std::move(all));
  }
  sortComponents();
  for (ArrayRef<unsigned> group : groups)
    close(group);
}

bool LoopReader::follow(unsigned p, const IndexingMap &from,
                        std::vector<Maps> &initial,
                        llvm::MapVector<Value, Maps> &captured) {
  const unsigned n = shapes.size();
  const ArrayRef<Interval> fromRanges = from.getDimRanges();
  std::vector<Maps> in(n), out(n);
  bool isExact = true;
  sets.add(in[p], from.simplify());
  for (ArrayRef<unsigned> group : groups) {
    for (unsigned a : group)
      for (unsigned b : group)
        sets.addComposed(out[b], in[a], star[a][b]);
    for (unsigned a : group) {
      isExact &= out[a].empty() || !isHull[a];
      if (sets.isTooLarge(out[a])) {
        isExact = false;
        out[a] = Maps();
        IndexingMapBuilder builder;
        builder.addDims(fromRanges);
        builder.addResult(builder.addSymbol(getTime(0)));
        for (int64_t size : shapes[a])
          builder.addResult(builder.addSymbol(Interval::ofExtent(size)));
        sets.add(out[a], builder.build().simplify());
      }
      for (unsigned q = 0; q < n; ++q)
        if (!llvm::is_contained(group, q))
          sets.addComposed(in[q], out[a], body[a][q]);
    }
  }
  for (unsigned q = 0; q < n; ++q) {
    Maps &target = initial[q];
    if (out[q].isUnknown()) {
      sets.addAll(target, out[q]);
      continue;
    }
    auto places = llvm::to_vector(llvm::seq<unsigned>(1, 1 + shapes[q].size()));
    for (MapPool::Id id : out[q].ids) {
      const IndexingMap &map = sets.pool[id];
      sets.add(target, map.withConstraint(map.getResult(0), Interval::point(0))
                           .selectResults(places)
                           .simplify()
                           .removeUnusedSymbols());
    }
    if (sets.isTooLarge(target)) {
      isExact = false;
      target = Maps();
      sets.add(target, makeFull(fromRanges, shapes[q]));
    }
  }
  for (const auto &[value, maps] : reads) {
    Maps &target = captured[value];
    for (unsigned q = 0; q < n; ++q)
      sets.addComposed(target, out[q], maps[q]);
    IndexingReason reason;
    if (sets.isTooLarge(target)) {
      isExact = false;
      target = Maps();
      if (auto shape = getIndexSpace(value.getType(), reason))
        sets.add(target, makeFull(fromRanges, *shape));
      else
        target.reason = reason;
    }
  }
  return isExact;
}

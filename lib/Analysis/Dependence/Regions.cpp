//===- Regions.cpp - Sets of indices, cut and joined ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::regions;

/// Pieces into which one map is cut at most.
static constexpr size_t kMaxPieces = 24;

/// Numbers of a symbol that are looked at one by one.
static constexpr int64_t kMaxNumbers = 12;

/// The numbers of parameters: these, one for each kind and extent; sizes have
/// lower ones. Extents that are larger, or unknown, are left out.
static constexpr unsigned kFirstParameter = 1000, kNumParameters = 64,
                          kMaxExtent = 1 << 25;

std::string regions::getParameterName(Parameter kind, unsigned number,
                                      int64_t extent) {
  assert(unsigned(kind) + number < kNumParameters && "too many parameters");
  const unsigned told =
      extent < 0 || extent > kMaxExtent ? kMaxExtent + 1 : unsigned(extent);
  return getSizeName(kFirstParameter + told * kNumParameters + unsigned(kind) +
                     number);
}

Interval regions::getParameterRange(StringRef name) {
  unsigned number = 0;
  if (name.drop_front().getAsInteger(10, number) || number < kFirstParameter)
    return Interval::atLeast(0);
  const unsigned extent = (number - kFirstParameter) / kNumParameters;
  return extent > kMaxExtent ? Interval::atLeast(0)
                             : Interval::ofExtent(extent);
}

Form regions::addParameter(IndexingMapBuilder &builder, Parameter kind,
                           unsigned number, int64_t extent) {
  std::string name = getParameterName(kind, number, extent);
  return builder.addRuntime(getParameterRange(name), name);
}

bool regions::hasNoPoint(const IndexingMap &map) {
  return map.isKnownEmpty() || isEmpty(map, kBudget) == true;
}

namespace {
/// Variables of two maps in one builder.
struct Joint {
  IndexingMapBuilder builder;
  SmallVector<Form> first, second;

  /// With `shared`, dims of `b` are those of `a`; else they are left open. Where
  /// `b` is no condition, its parameters have their whole ranges.
  Joint(const IndexingMap &a, const IndexingMap &b, bool shared,
        bool isCondition = true) {
    for (unsigned i = 0; i < a.getNumDims(); ++i) {
      Interval range = a.getRanges()[i];
      if (shared)
        range = range.intersect(b.getRanges()[i]);
      first.push_back(builder.addDim(range));
    }
    second.assign(b.getNumVariables(), Form());
    for (unsigned i = 0; shared && i < b.getNumDims(); ++i)
      second[i] = first[i];
    for (Interval range : a.getSymbolRanges())
      first.push_back(builder.addSymbol(range));
    for (unsigned i = 0; i < b.getNumSymbols(); ++i)
      second[b.getNumDims() + i] = builder.addSymbol(b.getSymbolRanges()[i]);
    const unsigned fromA = a.getNumDims() + a.getNumSymbols();
    const unsigned fromB = b.getNumDims() + b.getNumSymbols();
    llvm::SmallVector<std::string> names;
    for (unsigned i = fromA; i < a.getNumVariables(); ++i) {
      std::string name = a.getVariableName(i);
      names.push_back(name);
      Interval range = a.getRanges()[i];
      if (isSizeName(name) && isCondition)
        for (unsigned j = fromB; j < b.getNumVariables(); ++j)
          if (b.getVariableName(j) == name)
            range = range.intersect(b.getRanges()[j]);
      first.push_back(
          builder.addRuntime(range, isSizeName(name) ? name : StringRef()));
    }
    for (unsigned j = fromB; j < b.getNumVariables(); ++j) {
      std::string name = b.getVariableName(j);
      const auto *it = llvm::find(names, name);
      second[j] =
          isSizeName(name) && it != names.end()
              ? first[fromA + (it - names.begin())]
              : builder.addRuntime(isSizeName(name) && !isCondition
                                       ? getParameterRange(name)
                                       : b.getRanges()[j],
                                   isSizeName(name) ? name : StringRef());
    }
  }
};
} // namespace

IndexingMap regions::join(const IndexingMap &a, const IndexingMap &b) {
  if (a.isUnknown() || b.isUnknown() || a.getNumDims() != b.getNumDims())
    return IndexingMap::unknown(UnknownReason::RankMismatch);
  Joint joint(a, b, /*shared=*/true);
  joint.builder.addMap(a, joint.first);
  joint.builder.addMap(b, joint.second);
  return joint.builder.build().simplify();
}

IndexingMap regions::joinAt(const IndexingMap &a, const IndexingMap &b) {
  if (a.isUnknown() || b.isUnknown() || a.getNumResults() != b.getNumDims())
    return IndexingMap::unknown(UnknownReason::RankMismatch);
  Joint joint(a, b, /*shared=*/false);
  joint.builder.addMap(a, joint.first);
  {
    Substitution place(joint.builder.arena(), a.getArena(), joint.first);
    for (unsigned i = 0; i < b.getNumDims(); ++i)
      joint.second[i] = place(a.getResult(i));
  }
  for (unsigned i = 0; i < b.getNumDims(); ++i)
    joint.builder.addConstraint(joint.second[i], b.getRanges()[i]);
  joint.builder.addMap(b, joint.second);
  return joint.builder.build().simplify();
}

IndexingMap regions::keep(const IndexingMap &map, const IndexingMap &region) {
  IndexingMap both = joinAt(map, region);
  return both.isUnknown() || region.getNumResults() == 0
             ? both
             : both.withResults(
                   both.getResults().take_front(map.getNumResults()));
}

SmallVector<IndexingMap, 2> regions::cut(const IndexingMap &map,
                                         const IndexingMap &region,
                                         bool *isMore, Side side) {
  auto giveUp = [&]() -> SmallVector<IndexingMap, 2> {
    if (isMore)
      *isMore = true;
    return {map};
  };
  if (region.isKnownEmpty())
    return {map};
  if (map.isUnknown() || region.isUnknown() || region.getNumSymbols() != 0 ||
      hasValues(region) ||
      region.getNumDims() !=
          (side == Side::Dims ? map.getNumDims() : map.getNumResults()))
    return giveUp();
  Joint joint(map, region, /*shared=*/false, /*isCondition=*/false);
  joint.builder.addMap(map, joint.first);
  SmallVector<Form> images(joint.second);
  SmallVector<std::pair<Form, Interval>> conditions;
  {
    FormArena &arena = joint.builder.arena();
    Substitution place(arena, map.getArena(), joint.first);
    for (unsigned i = 0; i < region.getNumDims(); ++i) {
      images[i] = side == Side::Dims ? joint.first[i] : place(map.getResult(i));
    }
    // Constraints first: they imply most ranges.
    Substitution move(arena, region.getArena(), images);
    for (const Constraint &c : region.getConstraints())
      conditions.push_back({move(c.form), c.interval});
    for (unsigned i = 0; i < region.getNumVariables(); ++i)
      conditions.push_back({images[i], region.getRanges()[i]});
  }
  FormArena arena = joint.builder.arena();
  IndexingMap inside = joint.builder.build();
  if (inside.isUnknown())
    return giveUp();
  SmallVector<IndexingMap, 2> pieces;
  for (const auto &condition : conditions) {
    const Form &form = condition.first;
    const Interval interval = condition.second;
    auto part = [&](Interval to) {
      return inside.withConstraint(arena, form, to).simplify();
    };
    if (inside.isKnownEmpty())
      break;
    if (interval.contains(arena.range(form)))
      continue;
    for (Interval outside :
         {interval.hasLower() ? Interval::atMost(interval.lower - 1)
                              : Interval(0, -1),
          interval.hasUpper() ? Interval::atLeast(interval.upper + 1)
                              : Interval(0, -1)}) {
      if (outside.isEmpty())
        continue;
      IndexingMap piece = part(outside);
      if (piece.isUnknown())
        return giveUp();
      if (!hasNoPoint(piece))
        pieces.push_back(std::move(piece));
    }
    inside = inside.withConstraint(arena, form, interval);
    if (pieces.size() > kMaxPieces)
      return giveUp();
  }
  return pieces;
}

SmallVector<IndexingMap, 2> regions::cutAll(const IndexingMap &map,
                                            ArrayRef<IndexingMap> regions,
                                            bool *isMore, Side side) {
  SmallVector<IndexingMap, 2> rest{map};
  for (const IndexingMap &region : regions) {
    SmallVector<IndexingMap, 2> next;
    for (const IndexingMap &piece : rest)
      llvm::append_range(next, cut(piece, region, isMore, side));
    if (next.size() <= kMaxPieces)
      rest = std::move(next);
    else if (isMore)
      *isMore = true;
  }
  return rest;
}

Form regions::addParameter(IndexingMapBuilder &builder,
                           std::map<std::string, Form> &known,
                           const IndexingMap &map, unsigned variable) {
  auto [it, isNew] = known.try_emplace(map.getVariableName(variable));
  if (isNew)
    it->second = builder.addRuntime(map.getRanges()[variable], it->first);
  return it->second;
}

bool regions::addParameter(IndexingMap &map, const IndexingMap &other,
                           unsigned variable) {
  std::string name = other.getVariableName(variable);
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (unsigned v = 0; v < map.getNumVariables(); ++v) {
    std::string own = map.getVariableName(v);
    if (own == name)
      return false;
    images.push_back(
        builder.addVariable(map.getVariableKind(v), map.getRanges()[v],
                            isSizeName(own) ? StringRef(own) : StringRef()));
  }
  builder.addRuntime(other.getRanges()[variable], name);
  builder.addMap(map, images);
  map = builder.build();
  return true;
}

IndexingMap regions::getProduct(const IndexingMap &a, const IndexingMap &b) {
  IndexingMapBuilder builder;
  SmallVector<Form> first, second;
  for (Interval range : a.getDimRanges())
    first.push_back(builder.addDim(range));
  for (Interval range : b.getDimRanges())
    second.push_back(builder.addDim(range));
  std::map<std::string, Form> parameters;
  for (auto [map, images] : {std::pair(&a, &first), std::pair(&b, &second)})
    for (unsigned v = map->getNumDims(); v < map->getNumVariables(); ++v)
      images->push_back(addParameter(builder, parameters, *map, v));
  builder.addDomain(a, first);
  builder.addDomain(b, second);
  return builder.build();
}

IndexingMap regions::asIdentity(const IndexingMap &region) {
  SmallVector<Form> dims;
  for (unsigned i = 0; i < region.getNumDims(); ++i)
    dims.push_back(Form::ofAtom(i));
  return region.withResults(dims);
}

IndexingMap regions::withoutResults(const IndexingMap &map) {
  return map.withResults(ArrayRef<Form>());
}

IndexingMap regions::getAll(ArrayRef<int64_t> shape) {
  return withoutResults(IndexingMap::identity(shape));
}

bool regions::isAll(const IndexingMap &map, ArrayRef<int64_t> shape) {
  if (!map.isOrdinary() || !map.getConstraints().empty())
    return false;
  for (auto [range, size] : llvm::zip_equal(map.getDimRanges(), shape))
    if (!range.contains(Interval::ofExtent(size)))
      return false;
  return true;
}

std::optional<IndexingMap> regions::project(const IndexingMap &map) {
  IndexingMap region = withoutResults(map).removeUnusedSymbols();
  if (region.isOrdinary() && region.getNumSymbols() != 0)
    region = region.mergeSymbols();
  region = region.simplify();
  if (region.isUnknown() || (region.isOrdinary() && region.getNumSymbols()))
    return std::nullopt;
  return region;
}

std::optional<SmallVector<IndexingMap, 2>>
regions::projectParts(const IndexingMap &map) {
  if (std::optional<IndexingMap> region = project(map))
    return SmallVector<IndexingMap, 2>{std::move(*region)};
  IndexingMap rest = withoutResults(map).removeUnusedSymbols();
  if (!rest.isOrdinary() || rest.getNumSymbols() != 1)
    return std::nullopt;
  const unsigned symbol = rest.getNumDims();
  const Interval range = rest.getRanges()[symbol];
  std::optional<int64_t> size = range.size();
  if (!size || *size > kMaxNumbers)
    return std::nullopt;
  SmallVector<IndexingMap, 2> parts;
  for (int64_t n = range.lower; n <= range.upper; ++n) {
    SmallVector<Interval> ranges(rest.getRanges());
    ranges[symbol] = Interval::point(n);
    std::optional<IndexingMap> part =
        project(rest.withRanges(ranges).simplify());
    if (!part)
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return parts;
}

Interval regions::getRange(const IndexingMap &map, const FormArena &arena,
                           const Form &form) {
  Interval range = arena.range(form);
  for (const Constraint &c : map.getConstraints()) {
    Form rest;
    if (FormArena::tryAddScaled(form, c.form, -1, rest) && rest.isConstant())
      range = range.intersect(c.interval + rest.constant);
    if (FormArena::tryAddScaled(form, c.form, 1, rest) && rest.isConstant())
      range = range.intersect(-c.interval + rest.constant);
  }
  // What matters most is on which side of 0 they are.
  auto excludes = [&](Interval side) {
    return hasNoPoint(map.withConstraint(arena, form, side).simplify());
  };
  if (range.upper > 0 && range.lower <= 0 && excludes(Interval::atLeast(1)))
    range.upper = 0;
  if (range.lower < 0 && range.upper >= 0 && excludes(Interval::atMost(-1)))
    range.lower = 0;
  return range;
}

namespace {
/// factor * result - multiple * variable.
struct Distance {
  unsigned result, variable;
  int64_t factor, multiple;
  Interval interval = Interval(0, -1);
};
} // namespace

/// How often one extent fits into another, at least once.
static int64_t getRatio(Interval many, Interval few) {
  // Ranges are parts of extents, which begin at 0.
  if (!many.isFinite() || !few.isFinite() || few.upper < 0 || many.upper < 0 ||
      many.upper > INT32_MAX)
    return 1;
  return std::max<int64_t>(
      (many.upper + 1 + (few.upper + 1) / 2) / (few.upper + 1), 1);
}

IndexingMap regions::getHull(ArrayRef<IndexingMap> maps) {
  const unsigned dims = maps[0].getNumDims(), results = maps[0].getNumResults();
  SmallVector<std::string> parameters;
  for (const IndexingMap &map : maps)
    for (unsigned v = dims + map.getNumSymbols(); v < map.getNumVariables();
         ++v)
      if (!llvm::is_contained(parameters, map.getVariableName(v)))
        parameters.push_back(map.getVariableName(v));
  const unsigned others = dims + parameters.size();
  /// The variable of a map that is number `k` of all.
  auto find = [&](const IndexingMap &map,
                  unsigned k) -> std::optional<unsigned> {
    if (k < dims)
      return k;
    for (unsigned v = dims + map.getNumSymbols(); v < map.getNumVariables();
         ++v)
      if (map.getVariableName(v) == parameters[k - dims])
        return v;
    return std::nullopt;
  };
  SmallVector<Interval> variables(others, Interval(0, -1)),
      ranges(results, Interval(0, -1));
  for (const IndexingMap &map : maps) {
    for (unsigned k = 0; k < others; ++k) {
      std::optional<unsigned> v = find(map, k);
      variables[k] =
          v ? variables[k].hull(map.getRanges()[*v]) : Interval::all();
    }
    // Results are indices.
    for (unsigned i = 0; i < results; ++i)
      ranges[i] =
          ranges[i].hull(map.getResultRange(i).intersect(Interval::atLeast(0)));
  }
  // Of a value that is shorter by a factor, also multiples.
  SmallVector<Distance> distances;
  for (unsigned i = 0; i < results; ++i)
    for (unsigned k = 0; k < others; ++k) {
      distances.push_back({i, k, 1, 1});
      // Halves of halves have extents that are a little off.
      for (bool isShorter : {false, true}) {
        const int64_t ratio = isShorter ? getRatio(variables[k], ranges[i])
                                        : getRatio(ranges[i], variables[k]);
        SmallVector<int64_t> ratios{ratio,
                                    int64_t(llvm::bit_floor(uint64_t(ratio))),
                                    int64_t(llvm::bit_ceil(uint64_t(ratio)))};
        llvm::sort(ratios);
        ratios.erase(llvm::unique(ratios), ratios.end());
        for (int64_t n : ratios)
          if (n > 1)
            distances.push_back({i, k, isShorter ? n : 1, isShorter ? 1 : n});
      }
    }
  for (const IndexingMap &map : maps) {
    FormArena arena = map.getArena();
    for (Distance &distance : distances) {
      std::optional<unsigned> v = find(map, distance.variable);
      distance.interval = distance.interval.hull(
          v ? getRange(
                  map, arena,
                  arena.addScaled(arena.scale(map.getResult(distance.result),
                                              distance.factor),
                                  Form::ofAtom(*v), -distance.multiple))
            : Interval::all());
    }
    if (arena.failed())
      return IndexingMap::unknown(UnknownReason::Overflow);
  }
  IndexingMapBuilder builder;
  SmallVector<Form> own, places;
  for (unsigned k = 0; k < dims; ++k)
    own.push_back(builder.addDim(variables[k]));
  for (Interval range : ranges)
    places.push_back(builder.addSymbol(range));
  for (unsigned k = dims; k < others; ++k)
    own.push_back(builder.addRuntime(variables[k], parameters[k - dims]));
  for (const Form &place : places)
    builder.addResult(place);
  for (const Distance &distance : distances)
    if (distance.interval != Interval::all()) {
      FormArena &arena = builder.arena();
      builder.addConstraint(
          arena.addScaled(arena.scale(places[distance.result], distance.factor),
                          own[distance.variable], -distance.multiple),
          distance.interval);
    }
  return builder.build().simplify();
}

bool regions::hasValues(const IndexingMap &map) {
  for (unsigned i = map.getNumDims() + map.getNumSymbols();
       i < map.getNumVariables(); ++i)
    if (!isSizeName(map.getVariableName(i)))
      return true;
  return false;
}

IndexingMap regions::forgetValues(const IndexingMap &map) {
  if (map.isUnknown() || !hasValues(map))
    return map;
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (unsigned i = 0; i < map.getNumDims() + map.getNumSymbols(); ++i)
    images.push_back(i < map.getNumDims()
                         ? builder.addDim(map.getRanges()[i])
                         : builder.addSymbol(map.getRanges()[i]));
  // Symbols come before parameters.
  SmallVector<unsigned> parameters;
  images.resize(map.getNumVariables());
  for (unsigned i = map.getNumDims() + map.getNumSymbols();
       i < map.getNumVariables(); ++i)
    if (isSizeName(map.getVariableName(i)))
      parameters.push_back(i);
    else
      images[i] = builder.addSymbol(map.getRanges()[i]);
  for (unsigned i : parameters)
    images[i] = builder.addRuntime(map.getRanges()[i], map.getVariableName(i));
  builder.addMap(map, images);
  return builder.build().simplify().removeUnusedSymbols();
}

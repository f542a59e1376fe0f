//===- StepIndexing.cpp - What steps read, as far as facts tell -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Analysis/ValueFacts.h"

#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

IndexingMap tensoraccess::getLoops(const Nest &nest, const NestAccess &access) {
  return nest.getMap(access);
}

SmallVector<IndexingMap, 2>
tensoraccess::cutLoops(const Nest &nest, ArrayRef<IndexingMap> loops,
                       const NestRead &read, ArrayRef<IndexingMap> regions) {
  SmallVector<IndexingMap, 2> left(loops.begin(), loops.end());
  if (regions.empty() || !read.outside.empty() || !nest.values.empty())
    return left;
  // The axes where it is touched and its index is in the region.
  IndexingMap touched = getLoops(nest, read);
  if (touched.isUnknown())
    return left;
  SmallVector<IndexingMap> idle;
  for (const IndexingMap &region : regions) {
    IndexingMap axes = regions::keep(touched, regions::withoutResults(region));
    if (!axes.isUnknown() && axes.getNumSymbols() == 0)
      idle.push_back(regions::withoutResults(axes));
  }
  SmallVector<IndexingMap, 2> next;
  for (const IndexingMap &piece : left)
    llvm::append_range(
        next, regions::cutAll(piece, idle, nullptr, regions::Side::Dims));
  left = std::move(next);
  return left;
}

IndexingMap tensoraccess::joinPlaces(const IndexingMap &first,
                                     const IndexingMap &second) {
  // (p), (q) as a region: d0 - p in [0, 0], d1 - q in [0, 0].
  const IndexingMap *maps[] = {&first, &second};
  IndexingMapBuilder builder;
  SmallVector<Form> dims;
  for (const IndexingMap *map : maps)
    for (unsigned i = 0; i < map->getNumResults(); ++i)
      dims.push_back(builder.addDim(Interval::all()));
  std::map<std::string, Form> parameters;
  SmallVector<Form> images[2];
  for (auto [k, map] : llvm::enumerate(maps))
    for (unsigned v = 0; v < map->getNumVariables(); ++v)
      images[k].push_back(regions::addParameter(builder, parameters, *map, v));
  unsigned dim = 0;
  for (auto [k, map] : llvm::enumerate(maps)) {
    builder.addDomain(*map, images[k]);
    Substitution place(builder.arena(), map->getArena(), images[k]);
    for (const Form &form : map->getResults())
      builder.addConstraint(builder.arena().sub(dims[dim++], place(form)),
                            Interval::point(0));
  }
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Sizes that are not known
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>> tensoraccess::getAnyShape(Type type) {
  if (auto space = dyn_cast<IndexSpaceTypeInterface>(type))
    return space.getShape();
  auto shaped = dyn_cast<RankedTensorType>(type);
  return shaped ? std::optional(SmallVector<int64_t>(shaped.getShape()))
                : std::nullopt;
}

std::optional<SmallVector<int64_t>> ValueFacts::getSizes(Type type) const {
  IndexingReason reason;
  if (auto shape = getIndexSpace(type, reason); shape || !options.anySizes)
    return shape;
  return getAnyShape(type);
}

/// The map with some of its constraints, without runtime variables that are not
/// used then.
static IndexingMap
withConstraints(const IndexingMap &map,
                function_ref<bool(const Constraint &)> isKept) {
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (Interval range : map.getDimRanges())
    images.push_back(builder.addDim(range));
  for (Interval range : map.getSymbolRanges())
    images.push_back(builder.addSymbol(range));
  for (unsigned v = images.size(), e = map.getNumVariables(); v < e; ++v)
    images.push_back(
        builder.addRuntime(map.getRanges()[v], map.getVariableName(v)));
  Substitution place(builder.arena(), map.getArena(), images);
  for (const Constraint &c : map.getConstraints())
    if (isKept(c))
      builder.addConstraint(place(c.form), c.interval);
  for (const Form &form : map.getResults())
    builder.addResult(place(form));
  return builder.build().simplify().removeUnusedRuntime();
}

/// A map whose dims have these sizes, forms over parameters by number, without
/// the ends of dims that are parameters. Unknown if it mentions them otherwise:
/// then it is not known where that is.
static IndexingMap forgetEnds(const IndexingMap &map, ArrayRef<Form> sizes) {
  if (map.isUnknown() || map.getNumRuntime() == 0)
    return map;
  const unsigned first = map.getNumDims() + map.getNumSymbols();
  // Whether a constraint is that dim d is less than its size.
  IndexingMap rest = withConstraints(map, [&](const Constraint &c) {
    if (c.interval.hasLower() || c.interval.upper != -1 || c.form.constant ||
        c.form.terms.size() != 2)
      return true;
    const Term &dim = c.form.terms[0], &size = c.form.terms[1];
    if (dim.atom >= sizes.size() || dim.coefficient != 1 || size.atom < first ||
        size.atom >= map.getNumVariables() || size.coefficient != -1)
      return true;
    std::optional<AtomId> own = sizes[dim.atom].asAtom();
    return !own || map.getVariableName(size.atom) != "n" + std::to_string(*own);
  });
  return rest.getNumRuntime() == 0
             ? rest
             : IndexingMap::unknown(UnknownReason::DynamicShape);
}

IndexingMap tensoraccess::forgetRuntime(const IndexingMap &map) {
  if (map.isUnknown() || map.getNumRuntime() == 0)
    return regions::withoutResults(map);
  const unsigned first = map.getNumDims() + map.getNumSymbols();
  IndexingMap rest =
      withConstraints(regions::withoutResults(map), [&](const Constraint &c) {
        return llvm::none_of(
            c.form.terms, [&](const Term &term) { return term.atom >= first; });
      });
  return rest.getNumRuntime() == 0
             ? rest
             : IndexingMap::unknown(UnknownReason::DynamicShape);
}

IndexingMap ValueFacts::getLoops(const Nest &nest,
                                 const NestAccess &access) const {
  IndexingMap map = nest.getMap(access);
  if (!options.anySizes)
    return map;
  SizeList extents;
  for (const NestAxis &axis : nest.axes)
    extents.push_back(nest.getSizes().name(axis.extent));
  return forgetEnds(map, extents);
}

//===----------------------------------------------------------------------===//
// Indexing, with known numbers substituted
//===----------------------------------------------------------------------===//

/// The entry with the parameters of `map` as further runtime variables.
static DetailedMap addParameters(const DetailedMap &entry,
                                 const IndexingMap &map) {
  DetailedMap more = entry;
  MapDetails details = *entry.details;
  for (unsigned v = map.getNumDims() + map.getNumSymbols();
       v < map.getNumVariables(); ++v)
    if (regions::addParameter(more.map, map, v)) {
      for (std::optional<RuntimeSource> &source : details.runtime)
        if (source)
          regions::addParameter(source->map, map, v);
      details.runtime.push_back(std::nullopt);
    }
  more.details = std::make_shared<MapDetails>(std::move(details));
  return more;
}

/// An entry whose runtime variable `v` is at an index where a fact holds, and the
/// fact's map there; std::nullopt if it cannot be placed.
static std::optional<std::pair<DetailedMap, IndexingMap>>
placeEntry(const DetailedMap &entry, unsigned v, const IndexingMap &fact) {
  DetailedMap piece = addParameters(entry, fact);
  IndexingMap value = regions::joinAt(piece.details->runtime[v]->map, fact);
  if (value.isKnownEmpty())
    return std::pair(DetailedMap{value, nullptr}, value);
  if (value.isUnknown() ||
      value.getNumVariables() != piece.map.getNumVariables())
    return std::nullopt;
  value = value.withResults(value.getResults().take_back(fact.getNumResults()));
  piece.map = piece.map.restrictRanges(value.getRanges());
  for (const Constraint &c : value.getConstraints())
    piece.map = piece.map.withConstraint(value.getArena(), c.form, c.interval);
  return std::pair(std::move(piece), std::move(value));
}

bool ValueFacts::putNumbers(unsigned s, const OpenEntry &open,
                            SmallVectorImpl<OpenEntry> &work) const {
  const FlatStep &step = program.steps[s];
  const DetailedMap &entry = open.entry;
  // The first variable whose numbers are known or bounded, wherever they are.
  for (unsigned v = open.variable;
       entry.details && v < entry.details->runtime.size(); ++v) {
    const auto &source = entry.details->runtime[v];
    if (!source || source->operand >= step.numOperands ||
        source->map.isUnknown())
      continue;
    const unsigned number = step.reads[source->operand];
    IndexingReason reason;
    auto shape = getIndexSpace(program.values[number].getType(), reason);
    if (!shape)
      continue;
    SmallVector<IndexingMap> known;
    SmallVector<OpenEntry, 2> pieces;
    SmallVector<const ValueFact *> ranges;
    for (const ValueFact &fact : get(number)) {
      if (regions::hasValues(fact.map))
        continue;
      if (fact.kind == ValueFact::Kind::Range)
        ranges.push_back(&fact);
      if (fact.kind != ValueFact::Kind::Index)
        continue;
      if (auto placed = placeEntry(entry, v, fact.map)) {
        known.push_back(regions::withoutResults(fact.map));
        if (!regions::hasNoPoint(placed->first.map))
          pieces.push_back(
              {substituteRuntime(placed->first, v, placed->second), v});
      }
    }
    SmallVector<IndexingMap, 2> rest =
        regions::cutAll(regions::asIdentity(regions::getAll(*shape)), known);
    if (!rest.empty() && ranges.empty())
      continue;
    // Bounds, narrow ones first.
    llvm::sort(ranges, [](const ValueFact *a, const ValueFact *b) {
      return std::pair(a->high - a->low, a) < std::pair(b->high - b->low, b);
    });
    auto addRest = [&](const IndexingMap &region, Interval bounds) {
      auto placed = placeEntry(entry, v, regions::withoutResults(region));
      if (!placed)
        return false;
      SmallVector<Interval> limits(placed->first.map.getNumVariables(),
                                   Interval::all());
      auto clamp = [&](int64_t x) {
        return std::min(std::max(x, source->clamp.lower), source->clamp.upper);
      };
      limits[entry.map.getNumDims() + entry.map.getNumSymbols() + v] = {
          clamp(bounds.lower), clamp(bounds.upper)};
      placed->first.map = placed->first.map.restrictRanges(limits);
      if (!regions::hasNoPoint(placed->first.map))
        pieces.push_back({std::move(placed->first), v + 1});
      return true;
    };
    bool isPlaced = true;
    for (const ValueFact *range : ranges) {
      SmallVector<IndexingMap, 2> next;
      for (const IndexingMap &region : rest) {
        IndexingMap met = regions::join(region, range->map);
        if (met.isUnknown()) {
          next.push_back(region);
          continue;
        }
        if (!regions::hasNoPoint(met))
          isPlaced &= addRest(met, *tensoraccess::getIntegers(*range));
        llvm::append_range(next, regions::cut(region, range->map));
      }
      rest = std::move(next);
    }
    for (const IndexingMap &region : rest)
      isPlaced &= addRest(region, Interval::all());
    if (!isPlaced)
      continue;
    llvm::append_range(work, pieces);
    return true;
  }
  return false;
}

const OpIndexing &ValueFacts::getIndexing(unsigned s) {
  const FlatStep &step = program.steps[s];
  const OpIndexing &given = cache.get(step.op);
  if (resolved[s])
    return *resolved[s];
  if (options.anySizes && !given.getSizes().empty()) {
    auto own = std::make_unique<OpIndexing>(given.getNumResults(),
                                            given.getNumOperands());
    for (unsigned r = 0; r < given.getNumResults(); ++r) {
      SizeList sizes;
      for (const ValueSize &size : given.getSizes())
        if (size.isResult && size.value == r) {
          sizes.resize(std::max<size_t>(sizes.size(), size.dim + 1));
          sizes[size.dim] = size.size;
        }
      for (unsigned o = 0; o < given.getNumOperands(); ++o) {
        IndexingSet out;
        for (const IndexingMap &map : given.outputToInput(r, o).getMaps())
          out.insert(forgetEnds(map, sizes));
        if (given.outputToInput(r, o).isUnknown())
          out = given.outputToInput(r, o);
        own->setOutputToInput(r, o, std::move(out));
      }
    }
    return *(resolved[s] = std::move(own));
  }
  if (!given.hasDetails())
    return given;
  auto own = std::make_unique<OpIndexing>(given.getNumResults(),
                                          given.getNumOperands());
  for (unsigned r = 0; r < given.getNumResults(); ++r)
    for (unsigned o = 0; o < given.getNumOperands(); ++o) {
      const IndexingSet &set = given.outputToInput(r, o);
      IndexingSet out;
      if (set.isUnknown())
        out = set;
      for (unsigned m = 0; m < set.size() && !set.isUnknown(); ++m) {
        SmallVector<OpenEntry, 2> work{{set.getEntry(m), 0}};
        while (!work.empty()) {
          OpenEntry open = work.pop_back_val();
          if (open.entry.details && open.entry.details->replica) {
            out = IndexingSet::unknown(IndexingReason::UnsupportedForm);
            break;
          }
          if (putNumbers(s, open, work))
            continue;
          hulls[s] |= regions::hasValues(open.entry.map);
          out.insert(regions::forgetValues(open.entry.map));
        }
        if (out.isUnknown())
          break;
      }
      own->setOutputToInput(r, o, std::move(out));
    }
  if (isHlo(step.op, "scatter") || isHlo(step.op, "dynamic_update_slice"))
    cutUpdates(s, *own);
  return *(resolved[s] = std::move(own));
}

//===----------------------------------------------------------------------===//
// Updates at places
//===----------------------------------------------------------------------===//

StringRef tensoraccess::getScatterCombiner(Operation *op) {
  if (!isHlo(op, "scatter") || op->getNumResults() != 1)
    return {};
  Block &block = op->getRegion(0).front();
  if (llvm::hasSingleElement(block) &&
      block.back().getOperand(0) == block.getArgument(1))
    return kAnyOf;
  return getCombiner(op);
}

/// Of an op that writes updates at places: what surely is written over is not
/// read, and places matter where updates may be.
void ValueFacts::cutUpdates(unsigned s, OpIndexing &indexing) const {
  Operation *op = program.steps[s].op;
  const unsigned numResults = indexing.getNumResults();
  const bool isScatter = isHlo(op, "scatter");
  for (unsigned r = 0; r < numResults; ++r) {
    const unsigned update = isScatter ? numResults + 1 + r : 1;
    const IndexingSet &written = indexing.outputToInput(r, update);
    if (written.isUnknown())
      continue;
    SmallVector<Interval> ranges(
        cast<ShapedType>(op->getResult(r).getType()).getRank(),
        Interval(0, -1));
    SmallVector<IndexingMap> hit;
    for (const IndexingMap &map : written.getMaps()) {
      for (auto [range, own] : llvm::zip_equal(ranges, map.getDimRanges()))
        range = range.hull(own);
      if (auto parts = regions::projectParts(map))
        llvm::append_range(hit, *parts);
    }
    auto edit =
        [&](unsigned o,
            function_ref<void(const IndexingMap &, IndexingSet &)> cut) {
          const IndexingSet &set = indexing.outputToInput(r, o);
          if (set.isUnknown())
            return;
          IndexingSet out;
          for (const IndexingMap &map : set.getMaps())
            cut(map, out);
          indexing.setOutputToInput(r, o, std::move(out));
        };
    for (unsigned o = isScatter ? numResults : 2; o < indexing.getNumOperands();
         ++o)
      if (!isScatter || o == numResults)
        edit(o, [&](const IndexingMap &map, IndexingSet &out) {
          SmallVector<Interval> limits(map.getNumVariables(), Interval::all());
          llvm::copy(ranges, limits.begin());
          if (IndexingMap own = map.restrictRanges(limits).simplify();
              !own.isKnownEmpty())
            out.insert(own);
        });
    if (getScatterCombiner(op) == kAnyOf && !hulls[s])
      edit(r, [&](const IndexingMap &map, IndexingSet &out) {
        for (const IndexingMap &piece :
             regions::cutAll(map, hit, nullptr, regions::Side::Dims))
          out.insert(piece);
      });
  }
}

void ValueFacts::visitScatter(unsigned s) {
  const FlatStep &step = program.steps[s];
  StringRef combiner = getScatterCombiner(step.op);
  auto shape = getSizes(step.op->getResult(0).getType());
  if (combiner.empty() || !shape)
    return;
  const OpIndexing &indexing = getIndexing(s);
  SmallVector<Part> parts;
  for (unsigned o : {0, 2}) {
    const IndexingSet &set = indexing.outputToInput(0, o);
    if (set.isUnknown())
      return;
    parts.push_back({get(step.reads[o]), set.getMaps()});
  }
  set(step.results[0],
      reduce(combiner, parts, std::nullopt,
             getElement(step.op->getResult(0).getType()),
             regions::getAll(*shape), hulls[s] || !closed[step.reads[1]]));
}

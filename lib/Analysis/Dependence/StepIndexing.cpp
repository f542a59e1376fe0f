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

using namespace mlir;
using namespace mlir::tensoraccess;

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
        SmallVector<DetailedMap, 2> work{set.getEntry(m)};
        while (!work.empty()) {
          DetailedMap entry = work.pop_back_val();
          if (entry.details && entry.details->replica) {
            out = IndexingSet::unknown(IndexingReason::UnsupportedForm);
            break;
          }
          // The first variable whose numbers are known, wherever they are.
          bool isReplaced = false;
          for (unsigned v = 0; entry.details && !isReplaced &&
                               v < entry.details->runtime.size();
               ++v) {
            const auto &source = entry.details->runtime[v];
            if (!source || source->operand >= step.numOperands ||
                source->map.isUnknown())
              continue;
            const unsigned number = step.reads[source->operand];
            IndexingReason reason;
            auto shape =
                getIndexSpace(program.values[number].getType(), reason);
            SmallVector<IndexingMap> known;
            SmallVector<DetailedMap, 2> pieces;
            for (const ValueFact &fact : get(number)) {
              if (fact.kind != ValueFact::Kind::Index ||
                  regions::hasValues(fact.map))
                continue;
              // From the entry's variables to the number.
              DetailedMap piece = addParameters(entry, fact.map);
              IndexingMap value =
                  regions::joinAt(piece.details->runtime[v]->map, fact.map);
              if (!value.isUnknown())
                value = value.withResults(value.getResults().back());
              if (value.getNumVariables() != piece.map.getNumVariables())
                continue;
              known.push_back(regions::withoutResults(fact.map));
              piece.map = piece.map.restrictRanges(value.getRanges());
              for (const Constraint &c : value.getConstraints())
                piece.map = piece.map.withConstraint(value.getArena(), c.form,
                                                     c.interval);
              pieces.push_back(substituteRuntime(piece, v, value));
            }
            isReplaced =
                shape && !pieces.empty() &&
                regions::cutAll(regions::asIdentity(regions::getAll(*shape)),
                                known)
                    .empty();
            if (isReplaced)
              llvm::append_range(work, pieces);
          }
          if (isReplaced)
            continue;
          hulls[s] |= regions::hasValues(entry.map);
          out.insert(regions::forgetValues(entry.map));
        }
        if (out.isUnknown())
          break;
      }
      own->setOutputToInput(r, o, std::move(out));
    }
  return *(resolved[s] = std::move(own));
}

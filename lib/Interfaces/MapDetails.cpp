//===- MapDetails.cpp - Where runtime values and replicas come from -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composition of entries:
//
//   1. join the second map with its details; compose the first map with it, so
//      that the second's details now refer to the first's dims;
//   2. append the first's details, over the variables of the result (dims as
//      they are; symbols and runtime variables after those of the second);
//   3. simplify all results at once, so that all agree on the variables, and
//      split.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool MapDetails::isTrivial() const {
  return !replica && llvm::none_of(runtime, [](const auto &source) {
    return source.has_value();
  });
}

std::string MapDetails::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [i, source] : llvm::enumerate(runtime)) {
    if (!source)
      continue;
    os << "; rt" << i << " = operand " << source->operand << " at "
       << source->map.str();
    if (source->clamp != Interval::all())
      os << ", clamped to [" << source->clamp.lower << ", "
         << source->clamp.upper << "]";
  }
  if (replica)
    os << "; replica " << replica->str();
  return text;
}

bool tensoraccess::equalDetails(const MapDetailsRef &a,
                                const MapDetailsRef &b) {
  return a == b || (a && b && *a == *b);
}

//===----------------------------------------------------------------------===//
// Joining and splitting
//===----------------------------------------------------------------------===//

/// Calls `visit` for the maps of all sources and for the replica map.
template <typename Details, typename Fn>
static void forEachMap(Details &details, Fn visit) {
  for (auto &source : details.runtime)
    if (source)
      visit(source->map);
  if (details.replica)
    visit(*details.replica);
}

/// Size parameters keep their names, all others are called by position.
static std::string getKeptName(const IndexingMap &map, unsigned variable) {
  std::string name = map.getVariableName(variable);
  return isSizeName(name) ? name : "";
}

/// `map` with the results of `others` appended. Variable i of each of these is
/// variable images[i] of the map.
static IndexingMap appendResults(const IndexingMap &map,
                                 ArrayRef<IndexingMap> others,
                                 ArrayRef<unsigned> images) {
  IndexingMapBuilder builder;
  SmallVector<Form> variables;
  for (auto [i, range] : llvm::enumerate(map.getRanges()))
    variables.push_back(builder.addVariable(map.getVariableKind(i), range,
                                            getKeptName(map, i)));
  builder.addMap(map, variables);
  SmallVector<Form> theirs;
  for (unsigned image : images)
    theirs.push_back(variables[image]);
  for (const IndexingMap &other : others) {
    Substitution substitute(builder.arena(), other.getArena(), theirs);
    for (const Form &form : other.getResults())
      builder.addResult(substitute(form));
  }
  return builder.build();
}

IndexingMap tensoraccess::joinDetails(const DetailedMap &entry) {
  if (!entry.details || !entry.map.isOrdinary())
    return entry.map;
  SmallVector<IndexingMap> maps;
  forEachMap(*entry.details,
             [&](const IndexingMap &map) { maps.push_back(map); });
  return appendResults(
      entry.map, maps,
      llvm::to_vector(llvm::seq(0u, entry.map.getNumVariables())));
}

DetailedMap tensoraccess::splitDetails(const IndexingMap &joined,
                                       unsigned numResults,
                                       const MapDetails &shape) {
  if (joined.isUnknown())
    return {joined, nullptr};
  ArrayRef<Form> results = joined.getResults();
  DetailedMap entry{
      joined.withResults(results.take_front(numResults)).simplify(), nullptr};
  if (!joined.isOrdinary() || shape.isTrivial() ||
      joined.getNumRuntime() != shape.runtime.size())
    return entry;
  auto details = std::make_shared<MapDetails>(shape);
  results = results.drop_front(numResults);
  forEachMap(*details, [&](IndexingMap &map) {
    unsigned count = map.getNumResults();
    map = joined.withResults(results.take_front(count)).simplify();
    results = results.drop_front(count);
  });
  entry.details = std::move(details);
  return entry;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

DetailedMap tensoraccess::compose(const DetailedMap &first,
                                  const DetailedMap &second) {
  if (!first.details && !second.details)
    return {first.map.then(second.map).simplify().removeUnusedSymbols(),
            nullptr};
  MapDetails shape;
  // The runtime variables of the composition, as `then` has them: second's, then
  // those of first that are not size parameters of the same name.
  llvm::StringMap<unsigned> sizes;
  SmallVector<unsigned> firstRuntime;
  auto take = [&](const DetailedMap &entry, bool isFirst) {
    unsigned begin = entry.map.getNumDims() + entry.map.getNumSymbols();
    for (unsigned i = 0; i < entry.map.getNumRuntime(); ++i) {
      std::string name = getKeptName(entry.map, begin + i);
      auto known = name.empty() ? sizes.end() : sizes.find(name);
      if (isFirst && known != sizes.end()) {
        firstRuntime.push_back(known->second);
        continue;
      }
      if (isFirst)
        firstRuntime.push_back(shape.runtime.size());
      else if (!name.empty())
        sizes[name] = shape.runtime.size();
      shape.runtime.push_back(entry.details ? entry.details->runtime[i]
                                            : std::nullopt);
    }
  };
  take(second, /*isFirst=*/false);
  take(first, /*isFirst=*/true);
  const DetailedMap *holder = nullptr;
  for (const DetailedMap *entry : {&first, &second}) {
    if (!entry->details || !entry->details->replica)
      continue;
    if (holder && holder->details->groups != entry->details->groups)
      return {IndexingMap::unknown(UnknownReason::UnsupportedOp), nullptr};
    holder = entry;
    shape.replica = entry->details->replica;
    shape.groups = entry->details->groups;
  }

  // The results, in the order of `shape`: second's sources, first's, replica.
  IndexingMap composed = first.map.then(joinDetails(second));
  if (!composed.isOrdinary())
    return {composed.isUnknown()
                ? composed
                : composed.withResults(composed.getResults().take_front(
                      second.map.getNumResults())),
            nullptr};
  SmallVector<IndexingMap> kept;
  if (first.details)
    for (const auto &source : first.details->runtime)
      if (source)
        kept.push_back(source->map);
  if (holder == &first)
    kept.push_back(*first.details->replica);
  unsigned dims = first.map.getNumDims(), symbols = first.map.getNumSymbols();
  SmallVector<unsigned> images;
  for (unsigned i = 0; i < first.map.getNumVariables(); ++i)
    images.push_back(i < dims ? i
                     : i < dims + symbols
                         ? i + second.map.getNumSymbols()
                         : dims + symbols + second.map.getNumSymbols() +
                               firstRuntime[i - dims - symbols]);
  // A replica map of second's lies between the sources of both: move it last.
  bool rotate = holder == &second && !kept.empty();
  IndexingMap joined = appendResults(composed, kept, images);
  if (rotate && joined.isOrdinary()) {
    SmallVector<Form> results(joined.getResults());
    auto at = results.begin() + composed.getNumResults() - 1;
    std::rotate(at, at + 1, results.end());
    joined = joined.withResults(results);
  }
  return splitDetails(joined.simplify().removeUnusedSymbols(),
                      second.map.getNumResults(), shape);
}

DetailedMap tensoraccess::substituteRuntime(const DetailedMap &entry,
                                            unsigned runtime,
                                            const IndexingMap &value) {
  IndexingMap joined = joinDetails(entry);
  if (!joined.isOrdinary() || !value.isOrdinary())
    return {joined.isUnknown() ? joined : value, nullptr};
  unsigned target = joined.getNumDims() + joined.getNumSymbols() + runtime;
  MapDetails shape = entry.details ? *entry.details : MapDetails();
  shape.runtime.resize(joined.getNumRuntime());
  Interval clamp = Interval::all();
  SmallVector<Form> kept(joined.getResults());
  if (const auto &source = shape.runtime[runtime]) {
    clamp = source->clamp;
    // Its index is not needed any more.
    unsigned begin = entry.map.getNumResults();
    for (const auto &before : ArrayRef(shape.runtime).take_front(runtime))
      if (before)
        begin += before->map.getNumResults();
    kept.erase(kept.begin() + begin,
               kept.begin() + begin + source->map.getNumResults());
  }
  shape.runtime.erase(shape.runtime.begin() + runtime);

  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  SmallVector<Form> images;
  for (auto [i, range] : llvm::enumerate(joined.getRanges()))
    images.push_back(i == target
                         ? Form()
                         : builder.addVariable(joined.getVariableKind(i), range,
                                               getKeptName(joined, i)));
  Form number = arena.clamp(
      Substitution(arena, value.getArena(), images)(value.getResult(0)), clamp);
  images[target] = number;
  Substitution substitute(arena, joined.getArena(), images);
  for (const Form &form : kept)
    builder.addResult(substitute(form));
  for (const Constraint &constraint : joined.getConstraints())
    builder.addConstraint(substitute(constraint.form), constraint.interval);
  Interval allowed = joined.getRuntimeRanges()[runtime];
  if (!allowed.contains(arena.range(number)))
    builder.addConstraint(number, allowed);
  return splitDetails(builder.build().simplify().removeUnusedSymbols(),
                      entry.map.getNumResults(), shape);
}

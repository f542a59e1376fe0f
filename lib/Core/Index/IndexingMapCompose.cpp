//===- IndexingMapCompose.cpp - Composition and changes of variables ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f.then(g) is x -> g(f(x)):
//   1. an arena with the variables (dims of f; symbols of g, of f; runtime
//      variables of g, of f), as XLA orders them;
//   2. f's atoms are moved into it as they are (its variables keep their order
//      and ranges); g's forms are substituted, g's dims replaced by f's
//      results; division normalises on the way, so that reshapes cancel here
//      and not in a later search;
//   3. constraints of both, and `f_i in range of g's dim i` unless the range of
//      f_i implies it already;
//   4. a map that would be written much larger than f and g is unknown
//      (TooLarge): steps of a chain whose digits never line up multiply, and
//      from there on each step costs nothing.
// Everything else here is a substitution, too.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapStorage.h"

#include "TensorAccess/Core/IndexingMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::IntrusiveRefCntPtr;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::tensoraccess::detail::MapStorage;

/// Finishes a composition: size parameters of the same name are one number.
static IndexingMap mergeSizes(IntrusiveRefCntPtr<MapStorage> s) {
  const unsigned n = s->ranges.size();
  SmallVector<unsigned, 8> first(n);
  bool any = false;
  for (unsigned i = 0; i != n; ++i) {
    first[i] = i;
    StringRef name = s->getCustomName(i);
    if (s->getKind(i) != VariableKind::Runtime || !isSizeName(name))
      continue;
    for (unsigned j = s->numDims + s->numSymbols; j != i; ++j)
      if (s->getCustomName(j) == name) {
        first[i] = j;
        s->ranges[j] = s->ranges[j].intersect(s->ranges[i]);
        any = true;
        break;
      }
  }
  if (!any)
    return MapStorage::finish(std::move(s));
  if (s->arena.failed())
    return MapStorage::finish(std::move(s));
  IntrusiveRefCntPtr<MapStorage> out(new MapStorage);
  SmallVector<Form, 8> images;
  for (unsigned i = 0; i != n; ++i)
    images.push_back(
        first[i] == i
            ? out->addVariable(s->getKind(i), s->ranges[i], s->getCustomName(i))
            : images[first[i]]);
  out->addForms(*s, images);
  return MapStorage::finish(std::move(out));
}

IndexingMap IndexingMap::then(const IndexingMap &next) const {
  if (isUnknown())
    return *this;
  if (next.isUnknown())
    return next;
  if (getNumResults() != next.getNumDims())
    return unknown(UnknownReason::RankMismatch);

  const MapStorage &f = *storage, &g = *next.storage;
  IntrusiveRefCntPtr<MapStorage> s(new MapStorage);
  if (f.state == MapState::KnownEmpty || g.state == MapState::KnownEmpty)
    s->state = MapState::KnownEmpty;

  // 1. Variables. Those of f keep their order, so that its atoms move as they
  // are.
  SmallVector<AtomId, 16> fVariables(f.ranges.size());
  SmallVector<Form, 8> gImages(g.ranges.size());
  s->ranges.reserve(f.ranges.size() + g.ranges.size() - g.numDims);
  auto takeF = [&](VariableKind kind, unsigned begin, unsigned count) {
    for (unsigned i = begin; i != begin + count; ++i) {
      fVariables[i] = s->ranges.size();
      s->addVariable(kind, f.ranges[i], f.getCustomName(i));
    }
  };
  auto takeG = [&](VariableKind kind, unsigned begin, unsigned count) {
    for (unsigned i = begin; i != begin + count; ++i)
      gImages[i] = s->addVariable(kind, g.ranges[i], g.getCustomName(i));
  };
  takeF(VariableKind::Dim, 0, f.numDims);
  takeG(VariableKind::Symbol, g.numDims, g.numSymbols);
  takeF(VariableKind::Symbol, f.numDims, f.numSymbols);
  takeG(VariableKind::Runtime, g.numDims + g.numSymbols, g.numRuntime);
  takeF(VariableKind::Runtime, f.numDims + f.numSymbols, f.numRuntime);

  // 2. Forms.
  s->arena.relocate(f.arena, fVariables);
  auto inner = [&](FormRef x) {
    return FormArena::relocated(x, f.arena, fVariables, s->arena);
  };
  for (unsigned i = 0; i != g.numDims; ++i)
    gImages[i] = inner(f.results[i]);
  Substitution outer(s->arena, g.arena, gImages);
  s->results.reserve(g.results.size());
  for (const Form &result : g.results)
    s->results.push_back(outer(result));

  // 3. Constraints.
  if (s->state == MapState::Ordinary) {
    for (const Constraint &c : f.constraints)
      s->constraints.push_back({inner(c.form), c.interval});
    for (unsigned i = 0; i != g.numDims; ++i)
      if (!g.ranges[i].contains(f.resultRanges[i]))
        s->constraints.push_back({std::move(gImages[i]), g.ranges[i]});
    for (const Constraint &c : g.constraints)
      s->constraints.push_back({outer(c.form), c.interval});
  }
  IndexingMap map = s->names.empty() ? MapStorage::finish(std::move(s))
                                     : mergeSizes(std::move(s));
  // A composition that is written much larger than its parts grows from step to
  // step: give up while that is cheap.
  const MapStorage &made = *map.storage;
  const unsigned numDivisions =
      made.arena.getNumAtoms() - made.arena.getNumVariables();
  if (numDivisions > 2 && map.isOrdinary()) {
    const uint64_t written = made.countWrittenAtoms();
    if (written > MapStorage::kMaxComposedAtoms &&
        written > f.countWrittenAtoms() + g.countWrittenAtoms())
      return unknown(UnknownReason::TooLarge);
  }
  return map;
}

/// Copies `s` with these ranges, the variables whose bit is set left out; no
/// result or constraint may mention them.
static IndexingMap withVariables(const MapStorage &s, ArrayRef<Interval> ranges,
                                 const BitVector &drop) {
  IntrusiveRefCntPtr<MapStorage> out(new MapStorage);
  SmallVector<Form, 8> images(ranges.size());
  for (unsigned i = 0, e = ranges.size(); i != e; ++i)
    if (!drop[i])
      images[i] = out->addVariable(s.getKind(i), ranges[i], s.getCustomName(i));
  out->addForms(s, images);
  return MapStorage::finish(std::move(out));
}

/// Whether some point of the box of `ranges` satisfies `constraints` (which
/// mention only variables in `inside`). std::nullopt if there are too many
/// points.
static std::optional<bool> isSatisfiable(const MapStorage &s,
                                         const BitVector &inside,
                                         ArrayRef<Constraint> constraints) {
  SmallVector<Interval, 8> ranges(s.ranges);
  for (unsigned i = 0, e = ranges.size(); i != e; ++i)
    if (!inside[i])
      ranges[i] = Interval::point(0);
  IndexingMapBuilder builder;
  SmallVector<Form> images = builder.addDims(ranges);
  Substitution substitute(builder.arena(), s.arena, images);
  for (const Constraint &c : constraints)
    builder.addConstraint(substitute(c.form), c.interval);
  IndexingMap map = builder.build();
  if (map.isKnownEmpty())
    return false;
  // Most often the middle of the box is inside, or one of its two corners.
  for (unsigned end : {1, 0, 2}) {
    SmallVector<int64_t> point;
    for (const Interval &range : map.getDimRanges())
      point.push_back(
          !range.isFinite() ? 0
          : end == 0        ? range.lower
          : end == 2        ? range.upper
                     : range.lower + static_cast<int64_t>(
                                         (static_cast<uint64_t>(range.upper) -
                                          static_cast<uint64_t>(range.lower)) /
                                         2));
    if (map.containsPoint(point))
      return true;
  }
  bool found = false;
  EnumerateStatus status = enumerate(
      map,
      [&](ArrayRef<int64_t>, ArrayRef<int64_t>) {
        found = true;
        return false;
      },
      /*budget=*/1u << 14);
  if (status != EnumerateStatus::Ok)
    return std::nullopt;
  return found;
}

/// Variables of the kinds in `candidates` that can go: those that no result
/// mentions and that constraints tie only to variables of the same fate.
static IndexingMap removeUnused(const IndexingMap &map,
                                const BitVector &candidates,
                                BitVector *removed) {
  const MapStorage &s = MapStorage::of(map);
  const unsigned n = s.ranges.size();
  if (removed)
    removed->clear(), removed->resize(n);
  if (map.isUnknown())
    return map;

  // 1. Tie the variables of each constraint together.
  llvm::EquivalenceClasses<unsigned> classes;
  for (unsigned i = 0; i != n; ++i)
    classes.insert(i);
  SmallVector<SmallVector<unsigned, 4>, 4> mentioned;
  SmallVector<char, 32> used;
  for (const Constraint &c : s.constraints) {
    used.clear();
    s.arena.markUsed(c.form, used);
    SmallVector<unsigned, 4> &list = mentioned.emplace_back();
    for (unsigned i = 0; i != n; ++i)
      if (used[i])
        list.push_back(i);
    for (unsigned i : list)
      classes.unionSets(list.front(), i);
  }

  // 2. A class stays if a result mentions it or a member is not a candidate
  // (and is tied to another: a lone variable that is not a candidate just
  // stays).
  used.clear();
  for (const Form &f : s.results)
    s.arena.markUsed(f, used);
  used.resize(std::max<size_t>(used.size(), n));
  BitVector drop(n, true);
  for (unsigned i = 0; i != n; ++i)
    if (used[i] || !candidates[i])
      for (unsigned j = 0; j != n; ++j)
        if (classes.isEquivalent(i, j))
          drop.reset(j);

  // 3. Constraints on dropped variables alone must be satisfiable.
  SmallVector<Constraint, 4> kept, dropped;
  for (unsigned i = 0, e = s.constraints.size(); i != e; ++i)
    (drop[mentioned[i].front()] ? dropped : kept).push_back(s.constraints[i]);
  IntrusiveRefCntPtr<MapStorage> copy(new MapStorage(s));
  if (!dropped.empty()) {
    std::optional<bool> satisfiable = isSatisfiable(s, drop, dropped);
    if (!satisfiable) {
      // The budget does not suffice to tell: keep what is constrained.
      for (const auto &list : mentioned)
        for (unsigned i : list)
          drop.reset(i);
      kept.assign(s.constraints.begin(), s.constraints.end());
    } else if (!*satisfiable) {
      copy->state = MapState::KnownEmpty;
      kept.clear();
    }
  }
  // A variable of an empty range makes the map empty: it may go only because
  // the state implies it by itself.
  if (drop.none())
    return map;
  copy->constraints.assign(kept.begin(), kept.end());
  if (removed)
    *removed = drop;
  return withVariables(*copy, copy->ranges, drop);
}

IndexingMap IndexingMap::removeUnusedSymbols(BitVector *removed) const {
  BitVector candidates(getNumVariables());
  candidates.set(getNumDims(), getNumDims() + getNumSymbols());
  return removeUnused(*this, candidates, removed);
}

IndexingMap IndexingMap::removeUnusedDims(BitVector *removed) const {
  BitVector candidates(getNumVariables());
  candidates.set(0, getNumDims());
  return removeUnused(*this, candidates, removed);
}

IndexingMap IndexingMap::removeUnusedRuntime(BitVector *removed) const {
  BitVector candidates(getNumVariables());
  candidates.set(getNumDims() + getNumSymbols(), getNumVariables());
  return removeUnused(*this, candidates, removed);
}

IndexingMap IndexingMap::removeUnusedVars(BitVector *removed) const {
  return removeUnused(*this, BitVector(getNumVariables(), true), removed);
}

/// A copy of a storage that is about to change.
static IntrusiveRefCntPtr<MapStorage> copyForChange(const MapStorage &s) {
  IntrusiveRefCntPtr<MapStorage> copy(new MapStorage(s));
  return copy;
}

/// The variables as forms.
static SmallVector<Form, 8> getVariables(const MapStorage &s) {
  SmallVector<Form, 8> variables;
  for (AtomId i = 0, e = s.ranges.size(); i != e; ++i)
    variables.push_back(Form::ofAtom(i));
  return variables;
}

IndexingMap IndexingMap::withConstraint(FormRef form, Interval interval) const {
  if (isUnknown())
    return *this;
  IntrusiveRefCntPtr<MapStorage> copy = copyForChange(*storage);
  copy->constraints.push_back({Form(form), interval});
  return MapStorage::finish(std::move(copy));
}

IndexingMap IndexingMap::withConstraint(const FormArena &arena, FormRef form,
                                        Interval interval) const {
  if (isUnknown())
    return *this;
  IntrusiveRefCntPtr<MapStorage> copy = copyForChange(*storage);
  copy->constraints.push_back(
      {Substitution(copy->arena, arena, getVariables(*storage))(form),
       interval});
  return MapStorage::finish(std::move(copy));
}

IndexingMap IndexingMap::withResults(ArrayRef<Form> results) const {
  if (isUnknown())
    return *this;
  IntrusiveRefCntPtr<MapStorage> copy = copyForChange(*storage);
  copy->results.assign(results.begin(), results.end());
  return MapStorage::finish(std::move(copy));
}

IndexingMap IndexingMap::withResults(const FormArena &arena,
                                     ArrayRef<Form> results) const {
  if (isUnknown())
    return *this;
  IntrusiveRefCntPtr<MapStorage> copy = copyForChange(*storage);
  Substitution substitute(copy->arena, arena, getVariables(*storage));
  copy->results.clear();
  for (const Form &f : results)
    copy->results.push_back(substitute(f));
  return MapStorage::finish(std::move(copy));
}

IndexingMap IndexingMap::withRanges(ArrayRef<Interval> ranges) const {
  if (isUnknown())
    return *this;
  assert(ranges.size() == getNumVariables() && "one range per variable");
  return withVariables(*storage, ranges, BitVector(ranges.size()));
}

/// Makes the listed variables, counted from `first` on, the last ones of kind
/// `to`.
static IndexingMap moveVariables(const MapStorage &s, unsigned first,
                                 ArrayRef<unsigned> listed, VariableKind to) {
  IntrusiveRefCntPtr<MapStorage> out(new MapStorage);
  SmallVector<Form, 8> images(s.ranges.size());
  BitVector moved(s.ranges.size());
  for (unsigned i : listed) {
    assert(s.getKind(first + i) != to && !moved[first + i] &&
           "variables are listed once and exist");
    moved.set(first + i);
  }
  for (VariableKind kind :
       {VariableKind::Dim, VariableKind::Symbol, VariableKind::Runtime}) {
    auto take = [&](unsigned i) {
      images[i] = out->addVariable(kind, s.ranges[i], s.getCustomName(i));
    };
    for (unsigned i = 0, e = s.ranges.size(); i != e; ++i)
      if (!moved[i] && s.getKind(i) == kind)
        take(i);
    if (kind == to)
      for (unsigned i : listed)
        take(first + i);
  }
  out->addForms(s, images);
  return MapStorage::finish(std::move(out));
}

IndexingMap IndexingMap::symbolsToDims(ArrayRef<unsigned> symbols) const {
  return isUnknown() ? *this
                     : moveVariables(*storage, getNumDims(), symbols,
                                     VariableKind::Dim);
}

IndexingMap IndexingMap::dimsToSymbols(ArrayRef<unsigned> dims) const {
  return isUnknown() ? *this
                     : moveVariables(*storage, 0, dims, VariableKind::Symbol);
}

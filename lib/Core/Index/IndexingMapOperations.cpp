//===- IndexingMapOperations.cpp - Maps from parts of maps ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Restrictions, sub-maps, names and substitutions. Each makes new variables in
// the order that it promises and rewrites the forms of the old map into them.
// What is given as text is read by the parser of maps, as a map over the same
// variables, so that there is one grammar.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapStorage.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::tensoraccess::detail::MapStorage;

IndexingMap IndexingMap::selectResults(ArrayRef<unsigned> results) const {
  if (isUnknown())
    return *this;
  SmallVector<Form> selected;
  for (unsigned r : results) {
    assert(r < getNumResults() && "no such result");
    selected.push_back(getResult(r));
  }
  return withResults(selected);
}

IndexingMap IndexingMap::restrictRanges(ArrayRef<Interval> ranges) const {
  if (isUnknown())
    return *this;
  assert(ranges.size() == getNumVariables() && "one range per variable");
  SmallVector<Interval> both;
  for (auto [own, given] : llvm::zip_equal(getRanges(), ranges))
    both.push_back(own.intersect(given));
  return withRanges(both);
}

IndexingMap IndexingMap::intersectDomains(const IndexingMap &other) const {
  if (isUnknown())
    return *this;
  if (other.isUnknown())
    return other;
  if (getNumDims() != other.getNumDims())
    return unknown(UnknownReason::RankMismatch);
  const MapStorage &b = MapStorage::of(other);
  IndexingMapBuilder builder;
  SmallVector<Form, 8> own(getNumVariables()), theirs(other.getNumVariables());
  for (unsigned v = 0, e = getNumDims(); v != e; ++v)
    own[v] = theirs[v] =
        builder.addDim(getRanges()[v].intersect(other.getRanges()[v]),
                       storage->getCustomName(v));
  // Only constraints mention the other map's variables here.
  SmallVector<char, 32> used = other.getUsed(/*results=*/false);
  for (VariableKind kind : {VariableKind::Symbol, VariableKind::Runtime}) {
    for (unsigned v = getNumDims(); v != getNumVariables(); ++v)
      if (getVariableKind(v) == kind)
        own[v] = builder.addVariable(kind, getRanges()[v],
                                     storage->getCustomName(v));
    for (unsigned v = getNumDims(); v != other.getNumVariables(); ++v) {
      if (other.getRanges()[v].isEmpty())
        builder.setKnownEmpty();
      if (other.getVariableKind(v) == kind && used[v])
        theirs[v] =
            builder.addVariable(kind, other.getRanges()[v], b.getCustomName(v));
    }
  }
  builder.addDomain(other, theirs);
  builder.addMap(*this, own);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<IndexingMap> IndexingMap::withNames(ArrayRef<std::string> names,
                                                  std::string &error) const {
  if (isUnknown())
    return *this;
  if (names.size() != getNumVariables()) {
    error = "the map has " + std::to_string(getNumVariables()) +
            " variables, got " + std::to_string(names.size()) + " names";
    return std::nullopt;
  }
  IndexingMapBuilder builder;
  SmallVector<Form, 8> images;
  llvm::StringSet<> taken;
  for (auto [v, name] : llvm::enumerate(names)) {
    ParseError ignored;
    std::optional<IndexingMap> probe =
        name.empty() ? std::nullopt : parse("(" + name + ") -> ()", ignored);
    if (!name.empty() && (!probe || probe->getNumVariables() != 1 ||
                          probe->getVariableName(0) != name)) {
      error = "'" + name + "' cannot name a variable";
      return std::nullopt;
    }
    const std::string shown =
        name.empty() ? MapStorage::of(*this).getDefaultName(v) : name;
    if (!taken.insert(shown).second) {
      error = "variable '" + shown + "' is declared twice";
      return std::nullopt;
    }
    images.push_back(
        builder.addVariable(getVariableKind(v), getRanges()[v], name));
  }
  builder.addMap(*this, images);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Substitution and text
//===----------------------------------------------------------------------===//

IndexingMap IndexingMap::substitute(const FormArena &arena,
                                    ArrayRef<std::optional<Form>> forms) const {
  if (isUnknown())
    return *this;
  assert(forms.size() == getNumVariables() && "one entry per variable");
  IndexingMapBuilder builder;
  SmallVector<Form, 8> images(getNumVariables());
  for (unsigned v = 0, e = getNumVariables(); v != e; ++v)
    if (!forms[v])
      images[v] = builder.addVariable(getVariableKind(v), getRanges()[v],
                                      storage->getCustomName(v));
  SmallVector<Form, 8> all(images);
  Substitution inner(builder.arena(), arena, images);
  for (unsigned v = 0, e = getNumVariables(); v != e; ++v) {
    if (!forms[v])
      continue;
    all[v] = inner(*forms[v]);
    if (getRanges()[v].isEmpty())
      builder.setKnownEmpty();
    else if (!getRanges()[v].contains(builder.arena().range(all[v])))
      builder.addConstraint(all[v], getRanges()[v]);
  }
  builder.addMap(*this, all);
  return builder.build();
}

std::optional<IndexingMap> IndexingMap::substitute(
    ArrayRef<std::pair<std::string, std::string>> replacements,
    ParseError &error) const {
  if (isUnknown())
    return *this;
  FormArena arena = getArena();
  SmallVector<Form, 8> variables;
  for (unsigned v = 0, e = getNumVariables(); v != e; ++v)
    variables.push_back(Form::ofAtom(v));
  SmallVector<std::optional<Form>> forms(getNumVariables());
  auto fail = [&](const std::string &message) {
    error = {message, 0};
    return std::nullopt;
  };
  // The map without results and constraints: `(d0) -> (`, `), domain: ...`.
  IndexingMapBuilder builder;
  for (unsigned v = 0, e = getNumVariables(); v != e; ++v)
    builder.addVariable(getVariableKind(v), getRanges()[v],
                        storage->getCustomName(v));
  std::string before = builder.build().str();
  const size_t results = before.find(" -> (") + 5;
  const std::string after = before.substr(results);
  before.resize(results);
  for (const auto &[name, text] : replacements) {
    unsigned v = 0;
    while (v != getNumVariables() && getVariableName(v) != name)
      ++v;
    if (v == getNumVariables())
      return fail("the map has no variable '" + name + "'");
    if (forms[v])
      return fail("variable '" + name + "' is replaced twice");
    std::optional<IndexingMap> read = parse(before + text + after, error);
    if (!read) {
      error.offset -= std::min(error.offset, before.size());
      error.offset = std::min(error.offset, text.size());
      return std::nullopt;
    }
    if (read->getNumResults() != 1)
      return fail("'" + text + "' must be one expression");
    forms[v] =
        Substitution(arena, read->getArena(), variables)(read->getResult(0));
  }
  SmallVector<char, 32> used;
  for (const std::optional<Form> &form : forms)
    if (form)
      arena.markUsed(*form, used);
  for (unsigned v = 0, e = getNumVariables(); v != e; ++v)
    if (forms[v] && v < used.size() && used[v])
      return fail("variable '" + getVariableName(v) +
                  "' is replaced and can't be mentioned");
  return substitute(arena, forms);
}

std::optional<IndexingMap>
IndexingMap::withConstraint(StringRef text, ParseError &error) const {
  if (isUnknown())
    return *this;
  std::string before = str();
  // Variables are not listed where all of them are unbounded.
  if (StringRef(before).contains("domain:")) {
    before += ", ";
  } else {
    before += ", domain: ";
    for (unsigned v = 0, e = getNumVariables(); v != e; ++v)
      before += getVariableName(v) + " in [-inf, inf], ";
  }
  std::optional<IndexingMap> map = parse(before + text.str(), error);
  if (!map)
    error.offset = std::min(
        error.offset - std::min(error.offset, before.size()), text.size());
  return map;
}

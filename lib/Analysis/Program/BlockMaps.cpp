//===- BlockMaps.cpp - Maps from an index space, as projections -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map is read as a projection where its results are sums of multiples of
// variables. Constraints become conditions; one on a result itself (the border
// of an operand under a padded window) is known as such, so that it cuts the
// footprint's row.
//
//===----------------------------------------------------------------------===//

#include "BlockSpace.h"
#include "TensorAccess/Core/MemoryPlaces.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The factors of a form; std::nullopt unless it is a sum of multiples of
/// variables.
static std::optional<SmallVector<int64_t, 8>>
getFactors(const IndexingMap &map, const Form &form, unsigned numVariables) {
  SmallVector<int64_t, 8> factors(numVariables, 0);
  for (const Term &term : form.terms) {
    if (term.atom >= numVariables)
      return std::nullopt;
    factors[term.atom] = term.coefficient;
  }
  return factors;
}

/// The interval moved by a number; std::nullopt if an end would not fit.
static std::optional<Interval> move(Interval interval, int64_t by) {
  std::optional<int64_t> lower = checkedAdd(interval.lower, by);
  std::optional<int64_t> upper = checkedAdd(interval.upper, by);
  if ((interval.hasLower() && !lower) || (interval.hasUpper() && !upper))
    return std::nullopt;
  return Interval(interval.hasLower() ? *lower : Interval::kNoLower,
                  interval.hasUpper() ? *upper : Interval::kNoUpper);
}

/// If `form` is k times result - constant: which places of the result
/// `interval` stands for.
static std::optional<Interval> getPlaces(const Form &form, Interval interval,
                                         const Form &result) {
  if (form.terms.empty() || form.terms.size() != result.terms.size())
    return std::nullopt;
  const int64_t a = form.terms[0].coefficient;
  const int64_t b = result.terms[0].coefficient;
  if ((b == -1 && a == Interval::kNoLower) || a % b != 0)
    return std::nullopt;
  const int64_t factor = a / b;
  for (auto [x, y] : llvm::zip_equal(form.terms, result.terms))
    if (x.atom != y.atom || checkedMul(y.coefficient, factor) != x.coefficient)
      return std::nullopt;
  std::optional<int64_t> back = checkedSub(0, form.constant);
  std::optional<Interval> multiple =
      back ? move(interval, *back) : std::nullopt;
  return multiple ? move(multiple->dividedBy(factor), result.constant)
                  : std::nullopt;
}

/// The map without its constraints. Dims that have one value get a second one,
/// so that they are not taken for constants; one without an end gets one.
static IndexingMap stripConstraints(const IndexingMap &map) {
  constexpr int64_t kSomeEnd = int64_t(1) << 31;
  IndexingMapBuilder builder;
  SmallVector<Form, 8> images;
  for (Interval range : map.getDimRanges()) {
    if (range.hasLower() && !range.hasUpper())
      range.upper = std::max(range.lower, kSomeEnd);
    else if (range.isPoint() && range.upper < kSomeEnd)
      ++range.upper;
    images.push_back(builder.addDim(range));
  }
  for (const Interval &range : map.getSymbolRanges())
    images.push_back(builder.addSymbol(range));
  Substitution substitute(builder.arena(), map.getArena(), images);
  for (const Form &form : map.getResults())
    builder.addResult(substitute(form));
  return builder.build();
}

/// Reads a map as a projection; false if it has no points.
static bool readMap(const IndexingMap &given, BlockMap &out) {
  out.map = given.simplify();
  const IndexingMap &map = out.map;
  if (map.isKnownEmpty())
    return false;
  out.symbols.assign(map.getSymbolRanges().begin(),
                     map.getSymbolRanges().end());
  auto refuse = [&](std::string why) {
    out.reason = std::move(why);
    return true;
  };
  const unsigned numDims = map.getNumDims();
  const unsigned numColumns = numDims + map.getNumSymbols();
  if (map.getNumRuntime() != 0) {
    fromIndexingMap(map, /*symbolsAsAxes=*/true, out.reason);
    return true;
  }
  for (const Interval &range : out.symbols)
    if (!range.isFinite())
      return refuse("a symbol has no bound");
  for (const Constraint &constraint : map.getConstraints()) {
    auto factors = getFactors(map, constraint.form, numColumns);
    if (!factors)
      return refuse("the constraint on " + map.formText(constraint.form) +
                    " has no place in a projection");
    BlockCondition &condition = out.conditions.emplace_back();
    condition.factors = std::move(*factors);
    condition.constant = constraint.form.constant;
    condition.interval = constraint.interval;
    for (unsigned r = 0, e = map.getNumResults(); r != e; ++r)
      if (auto places = getPlaces(constraint.form, constraint.interval,
                                  map.getResult(r))) {
        condition.row = r;
        condition.places = *places;
        break;
      }
  }
  // The element of a scalar: no rows, and hence no columns.
  if (map.getNumResults() == 0)
    out.projection.emplace();
  // Dims of one value are simplified away, which is correct but loses structure.
  for (const IndexingMap &source : {given, map}) {
    if (out.projection || source.getSymbolRanges() != map.getSymbolRanges() ||
        llvm::any_of(source.getResults(), [&](const Form &form) {
          return !getFactors(source, form, source.getNumVariables());
        }))
      continue;
    IndexingMap stripped = stripConstraints(source);
    std::string error;
    auto read = fromIndexingMap(stripped, /*symbolsAsAxes=*/false, error);
    if (!read && map.getNumSymbols() != 0)
      read = fromIndexingMap(stripped, /*symbolsAsAxes=*/true, error);
    if (read)
      out.projection = std::move(read->projection);
    else
      out.reason = error;
  }
  if (!out.projection && out.reason.empty())
    fromIndexingMap(stripConstraints(map), /*symbolsAsAxes=*/true, out.reason);
  if (!out.projection)
    return true;
  out.reason.clear();
  const unsigned columns =
      std::max<unsigned>(numDims, out.projection->getNumColumns());
  for (unsigned c = 0; c != columns; ++c) {
    const Interval range = map.getRanges()[c];
    out.domain.lo.push_back(range.lower);
    out.domain.hi.push_back(range.hasUpper() ? range.upper + 1
                                             : Interval::kNoUpper);
  }
  return true;
}

void mlir::tensoraccess::addBlockMap(BlockValue &value,
                                     const IndexingMap &map) {
  if (value.reason != IndexingReason::None)
    return;
  if (map.isUnknown()) {
    value.reason = fromUnknownReason(map.getUnknownReason());
    value.maps.clear();
    return;
  }
  BlockMap read;
  if (!readMap(map, read))
    return;
  if (read.map.isUnknown()) {
    value.reason = fromUnknownReason(read.map.getUnknownReason());
    value.maps.clear();
    return;
  }
  if (llvm::none_of(value.maps, [&](const BlockMap &other) {
        return other.map == read.map;
      }))
    value.maps.push_back(std::move(read));
}

//===- MapTesting.h - Maps by definition ------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_MAPTESTING_H
#define TENSORACCESS_TEST_CORE_MAPTESTING_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/StringExtras.h"

namespace mlir::tensoraccess::test {

/// Whether both maps contain the same points and have the same results there,
/// variable by variable. The walk covers the hull of both boxes.
inline MapComparison
equalOverDomain(const IndexingMap &a, const IndexingMap &b,
                uint64_t budget = kDefaultEnumerationBudget) {
  using Verdict = MapComparison::Verdict;
  if (a.isUnknown() || b.isUnknown())
    return {Verdict::Refused, {}, describe(EnumerateStatus::Unknown).str()};
  if (a.getNumDims() != b.getNumDims() ||
      a.getNumSymbols() != b.getNumSymbols() ||
      a.getNumRuntime() != b.getNumRuntime() ||
      a.getNumResults() != b.getNumResults())
    return {Verdict::Different, {}, "the maps differ in their variables"};
  auto print = [](const std::optional<llvm::SmallVector<int64_t>> &result) {
    return result ? "(" +
                        llvm::join(llvm::map_range(*result,
                                                   [](int64_t v) {
                                                     return std::to_string(v);
                                                   }),
                                   ", ") +
                        ")"
                  : "no result";
  };
  MapComparison result{Verdict::Equal, {}, ""};
  // A point outside of both boxes is in neither domain: walk either box.
  for (const IndexingMap *box : {&a, &b}) {
    if (!box->isOrdinary())
      continue;
    IndexingMapBuilder whole;
    whole.addDims(box->getRanges());
    EnumerateStatus status = enumerate(
        whole.build(),
        [&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t>) {
          auto x = a.evaluateAt(p), y = b.evaluateAt(p);
          if (x == y)
            return true;
          result = {Verdict::Different, Point(p.begin(), p.end()),
                    "at " + print(llvm::SmallVector<int64_t>(p)) +
                        " the first map gives " + print(x) +
                        " and the second " + print(y)};
          return false;
        },
        budget);
    if (status != EnumerateStatus::Ok)
      return {Verdict::Refused, {}, describe(status).str()};
    if (!result)
      return result;
  }
  return result;
}

/// The domain (ranges and constraints) as an integer set over the dims, and over
/// symbols and runtime variables as symbols. Null for what no affine expression
/// says, for a known-empty map the empty set.
inline IntegerSet toIntegerSet(const IndexingMap &map, MLIRContext *context) {
  if (map.isUnknown())
    return IntegerSet();
  const unsigned numSymbols = map.getNumSymbols() + map.getNumRuntime();
  if (map.isKnownEmpty())
    return IntegerSet::getEmptySet(map.getNumDims(), numSymbols, context);
  llvm::SmallVector<AffineExpr, 8> rows;
  llvm::SmallVector<bool, 8> isEquality;
  // lower <= e <= upper, with an end that does not fit left out where it
  // excludes nothing.
  auto between = [&](AffineExpr e, Interval interval) {
    if (interval.isPoint()) {
      rows.push_back(e - interval.lower);
      isEquality.push_back(true);
      return;
    }
    if (interval.hasLower()) {
      rows.push_back(e - interval.lower);
      isEquality.push_back(false);
    }
    if (interval.hasUpper()) {
      rows.push_back(-e + interval.upper);
      isEquality.push_back(false);
    }
  };
  for (unsigned i = 0, e = map.getNumVariables(); i != e; ++i)
    between(i < map.getNumDims()
                ? getAffineDimExpr(i, context)
                : getAffineSymbolExpr(i - map.getNumDims(), context),
            map.getRanges()[i]);
  for (const Constraint &c : map.getConstraints()) {
    AffineExpr e = map.toAffineExpr(c.form, context);
    if (!e)
      return IntegerSet();
    between(e, c.interval);
  }
  if (rows.empty()) {
    rows.push_back(getAffineConstantExpr(0, context));
    isEquality.push_back(true);
  }
  return IntegerSet::get(map.getNumDims(), numSymbols, rows, isEquality);
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_MAPTESTING_H

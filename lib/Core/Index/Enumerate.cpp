//===- Enumerate.cpp - Indexing maps by brute force -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks boxes of integers, one point after the other, and asks the map at each.
// Deliberately naive: this is what the other methods are tested against.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InterleavedRange.h"

#include <map>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

llvm::StringRef mlir::tensoraccess::describe(EnumerateStatus status) {
  switch (status) {
  case EnumerateStatus::Ok:
    return "enumerated";
  case EnumerateStatus::Unknown:
    return "the map is unknown";
  case EnumerateStatus::Unbounded:
    return "a range has no end";
  case EnumerateStatus::TooLarge:
    return "the domain has more points than the budget allows";
  case EnumerateStatus::Overflow:
    return "a result overflows 64-bit arithmetic";
  }
  llvm_unreachable("unknown status");
}

static std::optional<uint64_t> boxSize(ArrayRef<Interval> ranges) {
  uint64_t size = 1;
  bool isEmpty = false;
  for (const Interval &range : ranges) {
    if (range.isEmpty())
      isEmpty = true;
    else if (!range.isFinite())
      return std::nullopt;
  }
  if (isEmpty)
    return 0;
  for (const Interval &range : ranges) {
    std::optional<int64_t> extent = range.size();
    if (!extent ||
        __builtin_mul_overflow(size, static_cast<uint64_t>(*extent), &size))
      return std::nullopt;
  }
  return size;
}

std::optional<uint64_t> mlir::tensoraccess::getBoxSize(const IndexingMap &map) {
  return boxSize(map.getRanges());
}

/// Calls `visit` for each point of the box, last coordinate fastest; stops when
/// it returns false. The box must be finite.
static void walkBox(ArrayRef<Interval> ranges,
                    llvm::function_ref<bool(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t, 16> point;
  for (const Interval &range : ranges) {
    if (range.isEmpty())
      return;
    point.push_back(range.lower);
  }
  while (visit(point)) {
    unsigned i = point.size();
    while (i > 0 && point[i - 1] == ranges[i - 1].upper) {
      --i;
      point[i] = ranges[i].lower;
    }
    if (i == 0)
      return;
    ++point[i - 1];
  }
}

/// Why the box of `ranges` can't be walked within the budget, or Ok.
static EnumerateStatus checkBox(ArrayRef<Interval> ranges, uint64_t budget) {
  std::optional<uint64_t> size = boxSize(ranges);
  if (size)
    return *size > budget ? EnumerateStatus::TooLarge : EnumerateStatus::Ok;
  for (const Interval &range : ranges)
    if (!range.isFinite())
      return EnumerateStatus::Unbounded;
  return EnumerateStatus::TooLarge;
}

EnumerateStatus mlir::tensoraccess::enumerate(
    const IndexingMap &map,
    llvm::function_ref<bool(ArrayRef<int64_t>, ArrayRef<int64_t>)> visit,
    uint64_t budget) {
  if (map.isUnknown())
    return EnumerateStatus::Unknown;
  if (map.isKnownEmpty())
    return EnumerateStatus::Ok;
  EnumerateStatus status = checkBox(map.getRanges(), budget);
  if (status != EnumerateStatus::Ok)
    return status;
  const unsigned numDims = map.getNumDims(), numSymbols = map.getNumSymbols();
  walkBox(map.getRanges(), [&](ArrayRef<int64_t> p) {
    std::optional<SmallVector<int64_t>> results = map.evaluateAt(p);
    if (results)
      return visit(p, *results);
    // Not in the domain, or too large a number? Only the former may be skipped.
    if (!map.containsPoint(p.take_front(numDims), p.slice(numDims, numSymbols),
                           p.drop_front(numDims + numSymbols)))
      return true;
    status = EnumerateStatus::Overflow;
    return false;
  });
  return status;
}

std::optional<std::set<Point>>
mlir::tensoraccess::enumerateImage(const IndexingMap &map, uint64_t budget,
                                   EnumerateStatus *status) {
  std::set<Point> image;
  EnumerateStatus walked = enumerate(
      map,
      [&](ArrayRef<int64_t>, ArrayRef<int64_t> results) {
        image.emplace(results.begin(), results.end());
        return true;
      },
      budget);
  if (status)
    *status = walked;
  if (walked != EnumerateStatus::Ok)
    return std::nullopt;
  return image;
}

/// Why two maps are not compared, or what is obvious at once.
static std::optional<MapComparison>
refuse(const IndexingMap &a, const IndexingMap &b, uint64_t budget) {
  auto refusal = [](EnumerateStatus s) {
    return MapComparison{
        MapComparison::Verdict::Refused, {}, describe(s).str()};
  };
  if (a.isUnknown() || b.isUnknown())
    return refusal(EnumerateStatus::Unknown);
  for (const IndexingMap *map : {&a, &b})
    if (!map->isKnownEmpty()) {
      EnumerateStatus s = checkBox(map->getRanges(), budget);
      if (s != EnumerateStatus::Ok)
        return refusal(s);
    }
  if (a.getNumDims() != b.getNumDims() ||
      a.getNumRuntime() != b.getNumRuntime() ||
      a.getNumResults() != b.getNumResults())
    return MapComparison{MapComparison::Verdict::Different,
                         {},
                         "the maps differ in their number of dims, runtime "
                         "variables or results"};
  return std::nullopt;
}

MapComparison mlir::tensoraccess::equalAsRelations(const IndexingMap &a,
                                                   const IndexingMap &b,
                                                   uint64_t budget) {
  if (std::optional<MapComparison> refusal = refuse(a, b, budget))
    return *refusal;
  // Sets of results by (dims, runtime variables).
  using Relation = std::map<Point, std::set<Point>>;
  auto collect = [&](const IndexingMap &map) {
    Relation relation;
    enumerate(
        map,
        [&](ArrayRef<int64_t> p, ArrayRef<int64_t> results) {
          Point key(p.begin(), p.begin() + map.getNumDims());
          key.insert(key.end(), p.end() - map.getNumRuntime(), p.end());
          relation[key].emplace(results.begin(), results.end());
          return true;
        },
        budget);
    return relation;
  };
  Relation x = collect(a), y = collect(b);
  if (x == y)
    return {MapComparison::Verdict::Equal, {}, ""};
  for (const Relation *side : {&x, &y})
    for (const auto &entry : *side)
      if (x[entry.first] != y[entry.first])
        return {MapComparison::Verdict::Different, entry.first,
                "at " + llvm::interleaved(entry.first, ", ", "(", ")").str() +
                    " the maps have different sets of results"};
  llvm_unreachable("relations differ somewhere");
}

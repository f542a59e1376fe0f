//===- ZeroSlices.cpp - Slices that are zero ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a value without its regions of zeros is projected to each
// axis: what no projection reaches is zero. One that cannot be computed exactly
// is taken too large.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/ZeroSlices.h"
#include "Regions.h"
#include "ScalarFacts.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Slices that are looked at one by one.
static constexpr int64_t kMaxSlices = 512;

std::string mlir::tensoraccess::toString(const IntervalSet &set) {
  std::string text;
  for (const Interval &interval : set)
    text += (text.empty() ? "[" : " [") + std::to_string(interval.lower) +
            ", " + std::to_string(interval.upper) + "]";
  return text;
}

/// The indices along an axis that are in none of the domains.
static IntervalSet getUnreached(ArrayRef<IndexingMap> maps, unsigned axis,
                                int64_t size) {
  SmallVector<Interval> reached;
  for (const IndexingMap &map : maps) {
    const Interval range = map.getRanges()[axis];
    if (!map.getUsed(/*results=*/false)[axis]) {
      reached.push_back(range);
      continue;
    }
    IndexingMap own = map.withResults(Form::ofAtom(axis)).simplify();
    std::optional<int64_t> length = range.size();
    if (!length || *length > kMaxSlices ||
        countImage(own, regions::kBudget) == uint64_t(*length)) {
      reached.push_back(range);
      continue;
    }
    for (int64_t i = range.lower; i <= range.upper; ++i) {
      SmallVector<Interval> ranges(map.getRanges());
      ranges[axis] = Interval::point(i);
      if (!regions::hasNoPoint(map.withRanges(ranges).simplify()))
        reached.push_back(Interval::point(i));
    }
  }
  llvm::sort(reached, [](const Interval &a, const Interval &b) {
    return a.lower < b.lower;
  });
  IntervalSet rest;
  int64_t begin = 0;
  for (const Interval &interval : reached) {
    if (interval.isEmpty())
      continue;
    if (begin < interval.lower)
      rest.push_back({begin, interval.lower - 1});
    begin = std::max(begin, interval.upper + 1);
  }
  if (begin < size)
    rest.push_back({begin, size - 1});
  return rest;
}

ZeroSlices::ZeroSlices(Operation *root, IndexingCache &cache,
                       bool assumeFinite) {
  FlatProgram program = FlatProgram::getOps(root, cache);
  FactOptions options;
  options.assumeFinite = assumeFinite;
  options.anySizes = true;
  ValueFacts facts(program, cache, std::move(options));
  for (auto [v, value] : llvm::enumerate(program.values)) {
    SmallVector<IndexingMap> zeros = getZeroRegions(facts.get(v));
    std::optional<SmallVector<int64_t>> shape = getAnyShape(value.getType());
    if (zeros.empty() || !shape)
      continue;
    SmallVector<IndexingMap, 2> rest =
        regions::cutAll(IndexingMap::identity(*shape), zeros);
    SmallVector<IntervalSet, 4> axes;
    for (auto [axis, size] : llvm::enumerate(*shape))
      axes.push_back(ShapedType::isDynamic(size)
                         ? IntervalSet()
                         : getUnreached(rest, axis, size));
    if (llvm::any_of(axes, [](const IntervalSet &s) { return !s.empty(); }))
      slices[value] = std::move(axes);
  }
}

ArrayRef<IntervalSet> ZeroSlices::get(Value value) const {
  auto it = slices.find(value);
  return it == slices.end() ? ArrayRef<IntervalSet>() : it->second;
}

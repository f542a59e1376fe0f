//===- ProjectionPreimage.cpp - Which points touch a box ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region touches [lo, hi) if its start lies in [lo - shape + 1, hi), and lies
// in it if its start lies in [lo, hi - shape + 1): bounds on linear forms. A
// row of one axis bounds that axis; the points of the others are counted as
// those of an indexing map.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::SmallVector;

Footprint mlir::tensoraccess::getPreimage(const Projection &projection,
                                          const Box &box, const Box &domain,
                                          bool contained, uint64_t budget) {
  const size_t rows = projection.getNumRows();
  const size_t columns = projection.getNumColumns();
  if (box.lo.size() != rows || domain.lo.size() != columns)
    return {};
  Footprint none = getEmptyFootprint(columns);
  // The box without dimensions has one point: it is not the empty set.
  if (columns == 0)
    none.kind = Exactness::Hull;
  if (box.isEmpty() || domain.isEmpty())
    return none;
  // All starts over the domain fit 64 bits, and so do their partial sums.
  std::optional<IndexRegion> hull = projection.getHull(domain);
  if (!hull)
    return {};

  auto getFirst = [&](size_t r) {
    return projection.offset[r] +
           (projection.anchor ? (*projection.anchor)[r] : 0);
  };
  SmallVector<Interval, 8> ranges;
  for (auto [lo, hi] : llvm::zip_equal(domain.lo, domain.hi))
    ranges.push_back({lo, hi - 1});
  SmallVector<std::pair<size_t, Interval>, 4> coupled;
  for (size_t r = 0; r != rows; ++r) {
    const int64_t reach = projection.shape[r] - 1;
    const Interval all(hull->lo[r], hull->hi[r] - 1 - reach);
    std::optional<int64_t> last =
        checkedSub(box.hi[r] - 1, contained ? reach : 0);
    if (!last)
      return none;
    const Interval starts =
        all.intersect({checkedSub(box.lo[r], contained ? 0 : reach)
                           .value_or(Interval::kNoLower),
                       *last});
    if (starts.isEmpty())
      return none;
    if (starts == all)
      continue;
    const auto &row = projection.matrix[r];
    auto isUsed = [](int64_t factor) { return factor != 0; };
    const size_t axis = llvm::find_if(row, isUsed) - row.begin();
    // No interval is divided by -2^63.
    if (llvm::count_if(row, isUsed) != 1 || row[axis] == Interval::kNoLower) {
      coupled.emplace_back(r, starts);
      continue;
    }
    const int64_t first = getFirst(r);
    Interval &range = ranges[axis];
    range = range.intersect(Interval(starts.lower - first, starts.upper - first)
                                .dividedBy(row[axis]));
    if (range.isEmpty())
      return none;
  }
  Footprint result{Exactness::Exact, Box(), 0};
  for (const Interval &range : ranges) {
    result.hull->lo.push_back(range.lower);
    result.hull->hi.push_back(range.upper + 1);
  }
  if (coupled.empty()) {
    result.count = getVolume(*result.hull);
    return result;
  }

  IndexingMapBuilder builder;
  SmallVector<Form, 8> dims;
  for (const Interval &range : ranges)
    builder.addResult(dims.emplace_back(builder.addDim(range)));
  for (auto [r, starts] : coupled) {
    Form start(getFirst(r));
    for (auto [dim, factor] : llvm::zip_equal(dims, projection.matrix[r]))
      builder.arena().accumulate(start, dim, factor);
    builder.addConstraint(std::move(start), starts);
  }
  IndexingMap map = builder.build();
  if (Footprint image = getImage(map, nullptr, budget); image.hull)
    result = std::move(image);
  else
    result = {Exactness::Hull, std::move(result.hull), std::nullopt};
  // Results are the points themselves.
  if (!result.count)
    result.count = countPoints(map, budget);
  return result.count == 0 ? none : result;
}

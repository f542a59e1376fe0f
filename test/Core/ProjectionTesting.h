//===- ProjectionTesting.h - Projections by brute force ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth about projections: sets of places, point by point.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_PROJECTIONTESTING_H
#define TENSORACCESS_TEST_CORE_PROJECTIONTESTING_H

#include "CaseReader.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include <random>
#include <set>

namespace mlir::tensoraccess::test {

using Places = std::set<std::vector<int64_t>>;

inline Box box(llvm::ArrayRef<int64_t> lo, llvm::ArrayRef<int64_t> hi) {
  return {llvm::SmallVector<int64_t>(lo), llvm::SmallVector<int64_t>(hi)};
}

inline Box toBox(const llvm::json::Value &value) {
  const llvm::json::Array &ends = *value.getAsArray();
  return box(toIntegers(&ends[0]), toIntegers(&ends[1]));
}

/// All points of a box, in lexicographic order.
template <typename Visit>
void forEachPoint(const Box &points, Visit visit) {
  if (points.isEmpty())
    return;
  std::vector<int64_t> at(points.lo.begin(), points.lo.end());
  for (;;) {
    visit(at);
    size_t d = at.size();
    while (d != 0 && ++at[d - 1] == points.hi[d - 1]) {
      at[d - 1] = points.lo[d - 1];
      --d;
    }
    if (d == 0)
      return;
  }
}

inline void addRegion(const Projection &projection,
                      const std::vector<int64_t> &point, Places &places) {
  forEachPoint(
      *projection.evaluate(point),
      [&](const std::vector<int64_t> &place) { places.insert(place); });
}

inline Places bruteImage(const Projection &projection, const Box &block) {
  Places places;
  forEachPoint(block, [&](const std::vector<int64_t> &point) {
    addRegion(projection, point, places);
  });
  return places;
}

/// [0, 0) in each dimension for no places.
inline Box bruteHull(const Places &places, size_t rank) {
  Box hull;
  hull.lo.assign(rank, 0);
  hull.hi.assign(rank, 0);
  bool isFirst = true;
  for (const std::vector<int64_t> &place : places) {
    for (size_t d = 0; d != rank; ++d) {
      hull.lo[d] = isFirst ? place[d] : std::min(hull.lo[d], place[d]);
      hull.hi[d] = isFirst ? place[d] + 1 : std::max(hull.hi[d], place[d] + 1);
    }
    isFirst = false;
  }
  return hull;
}

/// Hull, count and kind are those of the set.
inline void expectIs(const Footprint &footprint, const Places &places,
                     size_t rank) {
  ASSERT_TRUE(footprint.hull);
  EXPECT_EQ(*footprint.hull, bruteHull(places, rank));
  EXPECT_EQ(footprint.count, places.size());
  EXPECT_EQ(footprint.kind == Exactness::Exact,
            getVolume(*footprint.hull) == places.size());
  EXPECT_NE(footprint.kind, Exactness::Unknown);
}

class RandomProjections {
public:
  explicit RandomProjections(unsigned seed) : random(seed) {}

  int64_t pick(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(random() % (hi - lo + 1));
  }
  /// Half the entries of the matrix are zero.
  Projection projection(int64_t rows, int64_t columns, int64_t factor,
                        int64_t shape) {
    Projection out;
    for (int64_t r = 0; r != rows; ++r) {
      auto &row = out.matrix.emplace_back();
      for (int64_t c = 0; c != columns; ++c)
        row.push_back(pick(0, 1) ? pick(-factor, factor) : 0);
      out.offset.push_back(pick(-6, 6));
      out.shape.push_back(pick(1, shape));
    }
    if (pick(0, 3) == 0) {
      out.anchor.emplace();
      for (int64_t r = 0; r != rows; ++r)
        out.anchor->push_back(pick(-2, 2));
    }
    return out;
  }
  Box block(int64_t rank, int64_t extent) {
    Box out;
    for (int64_t d = 0; d != rank; ++d) {
      out.lo.push_back(pick(-4, 4));
      out.hi.push_back(out.lo.back() + pick(pick(0, 9) ? 1 : 0, extent));
    }
    return out;
  }

private:
  std::mt19937 random;
};

inline Projection parseProjection(llvm::StringRef text) {
  ParseError error;
  std::optional<Projection> projection = Projection::parse(text, error);
  EXPECT_TRUE(projection.has_value())
      << text.str() << ": " << error.message << " at " << error.offset;
  return projection.value_or(Projection());
}

/// A case's matrix, offset and shape.
inline Projection toProjection(const llvm::json::Object &object) {
  Projection projection;
  for (const llvm::json::Value &row : *object.getArray("matrix"))
    projection.matrix.emplace_back(toIntegers(&row));
  projection.offset.assign(toIntegers(object.get("offset")));
  projection.shape.assign(toIntegers(object.get("shape")));
  EXPECT_FALSE(projection.verify());
  return projection;
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_PROJECTIONTESTING_H

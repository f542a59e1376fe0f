//===- BlockTesting.h - Blocks of ops against plain loops -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block touches, and what growing it adds, is collected point by point,
// and all answers are compared with that.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_ANALYSIS_BLOCKTESTING_H
#define TENSORACCESS_TEST_ANALYSIS_BLOCKTESTING_H

#include "../Indexing/Oracle.h"
#include "TensorAccess/Analysis/BlockSpace.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <random>

namespace mlir::tensoraccess::test {

using Elements = std::set<Point>;
/// The elements of each value of a space that a block touches.
using Touched = std::vector<Elements>;
using Oracle = std::function<Touched(const Box &)>;

inline Box box(ArrayRef<int64_t> lo, ArrayRef<int64_t> hi) {
  return {SmallVector<int64_t>(lo), SmallVector<int64_t>(hi)};
}

/// All points of a box.
inline void forEachIn(const Box &block,
                      llvm::function_ref<void(const Point &)> visit) {
  Point extents;
  for (auto [lo, hi] : llvm::zip_equal(block.lo, block.hi))
    extents.push_back(hi - lo);
  forEach(extents, [&](const Point &index) {
    Point point(index);
    for (size_t i = 0; i != point.size(); ++i)
      point[i] += block.lo[i];
    visit(point);
  });
}

class Blocks : public OracleTest {
protected:
  BlockSpace getSpace(Operation *op) {
    std::string error;
    std::optional<BlockSpace> space = getBlockSpace(op, cache, error);
    EXPECT_TRUE(space) << error;
    return space.value_or(BlockSpace());
  }

  /// A footprint against the elements.
  static void compare(const BlockValue &value,
                      const ProjectionFootprint &footprint,
                      const Elements &touched, const std::string &where) {
    ASSERT_TRUE(footprint.hull) << where;
    ASSERT_TRUE(footprint.count) << where;
    EXPECT_EQ(*footprint.count, touched.size()) << where;
    const size_t rank = value.shape.size();
    ASSERT_EQ(footprint.hull->lo.size(), rank) << where;
    if (touched.empty()) {
      EXPECT_TRUE(rank == 0 || footprint.hull->isEmpty()) << where;
      return;
    }
    Box hull = box(*touched.begin(), *touched.begin());
    for (const Point &element : touched)
      for (size_t d = 0; d != rank; ++d) {
        hull.lo[d] = std::min(hull.lo[d], element[d]);
        hull.hi[d] = std::max(hull.hi[d], element[d]);
      }
    for (int64_t &hi : hull.hi)
      ++hi;
    EXPECT_EQ(printBox(*footprint.hull), printBox(hull)) << where;
    EXPECT_EQ(footprint.kind == Exactness::Exact,
              *getVolume(hull) == touched.size())
        << where;
    // Strided beforehand, all of it is there.
    ASSERT_EQ(footprint.rows.size(), rank) << where;
    for (const Point &element : touched)
      for (auto [d, row] : llvm::enumerate(footprint.rows)) {
        int64_t distance = element[d] - row.first;
        ASSERT_GE(distance, 0) << where;
        uint64_t index = row.count <= 1 ? 0 : distance / row.stride;
        EXPECT_LT(index, row.count) << where << " " << row.str();
        EXPECT_LT(distance - index * row.stride, row.run)
            << where << " " << row.str();
      }
    std::optional<uint64_t> strided = footprint.getStridedCount();
    ASSERT_TRUE(strided) << where;
    EXPECT_GE(*strided, touched.size()) << where;
    if (footprint.isProduct)
      EXPECT_EQ(*strided, touched.size()) << where;
  }

  static std::optional<uint64_t> getShared(const Elements &a,
                                           const Elements &b) {
    return llvm::count_if(a, [&](const Point &p) { return b.count(p) != 0; });
  }

  /// Footprints, sums and growth of one block.
  static void checkBlock(const BlockSpace &space, const Box &block,
                         const Oracle &oracle, const std::string &name) {
    ASSERT_EQ(space.verify(block), std::nullopt) << name;
    const std::string where = name + " " + printBox(block);
    BlockFootprints footprints = getBlockFootprints(space, block);
    Touched touched = oracle(block);
    ASSERT_EQ(touched.size(), space.values.size()) << where;
    uint64_t bytesIn = 0, bytesOut = 0;
    for (size_t v = 0; v != touched.size(); ++v) {
      compare(space.values[v], footprints.values[v], touched[v],
              where + " value " + std::to_string(v));
      const bool isResult = space.values[v].role == BlockValue::Role::Result;
      if (!space.values[v].isRepeated)
        (isResult ? bytesOut : bytesIn) +=
            touched[v].size() * *space.values[v].elementBytes;
    }
    EXPECT_EQ(footprints.bytesIn, bytesIn) << where;
    EXPECT_EQ(footprints.bytesOut, bytesOut) << where;
    EXPECT_EQ(footprints.points, getVolume(block)) << where;
    for (unsigned a = 0; a != space.axes.size(); ++a) {
      BlockGrowth growth = getBlockGrowth(space, block, footprints, a);
      const int64_t lo = block.lo[a], hi = block.hi[a], size = hi - lo;
      const int64_t extent = *space.axes[a].extent;
      EXPECT_EQ(growth.hasNext, hi < extent) << where;
      EXPECT_EQ(growth.hasPrevious, lo > 0) << where;
      auto along = [&](int64_t from, int64_t to) {
        Box other = block;
        other.lo[a] = from;
        other.hi[a] = to;
        return oracle(other);
      };
      Touched more, next, previous;
      if (growth.hasNext) {
        more = along(lo, hi + 1);
        next = along(hi, std::min(extent, hi + size));
      }
      if (growth.hasPrevious)
        previous = along(std::max<int64_t>(0, lo - size), lo);
      std::optional<uint64_t> addedIn, shared;
      if (growth.hasNext)
        addedIn = shared = 0;
      for (size_t v = 0; v != touched.size(); ++v) {
        const std::string which = where + " axis " + std::to_string(a) +
                                  " value " + std::to_string(v);
        std::optional<uint64_t> added, sharedNext, sharedPrevious;
        if (growth.hasNext) {
          added = more[v].size() - touched[v].size();
          sharedNext = getShared(touched[v], next[v]);
          if (!space.values[v].isRepeated &&
              space.values[v].role != BlockValue::Role::Result) {
            *addedIn += *added * *space.values[v].elementBytes;
            *shared += *sharedNext * *space.values[v].elementBytes;
          }
        }
        if (growth.hasPrevious)
          sharedPrevious = getShared(touched[v], previous[v]);
        EXPECT_EQ(growth.values[v].added, added) << which;
        EXPECT_EQ(growth.values[v].sharedNext, sharedNext) << which;
        EXPECT_EQ(growth.values[v].sharedPrevious, sharedPrevious) << which;
      }
      EXPECT_EQ(growth.bytesIn, addedIn) << where;
      EXPECT_EQ(growth.sharedNext, shared) << where;
    }
  }

  /// Random blocks, small and whole ones and empty ones.
  void checkSpace(const BlockSpace &space, const Oracle &oracle,
                  const std::string &name, unsigned blocks) {
    ASSERT_FALSE(space.values.empty()) << name;
    std::optional<Box> whole = space.getWhole();
    ASSERT_TRUE(whole) << name;
    checkBlock(space, *whole, oracle, name);
    for (unsigned i = 0; i != blocks && !HasFatalFailure(); ++i) {
      Box block = *whole;
      for (size_t a = 0; a != block.lo.size(); ++a) {
        const int64_t extent = whole->hi[a];
        if (pick(0, 3) == 0)
          continue;
        block.lo[a] = pick(0, extent);
        block.hi[a] = pick(block.lo[a], extent);
      }
      checkBlock(space, block, oracle, name);
    }
  }

  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  }

  /// A structured op: its affine maps at every point.
  void checkLoops(linalg::LinalgOp op, const std::string &name,
                  unsigned blocks) {
    BlockSpace space = getSpace(op);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Oracle oracle = [&](const Box &block) {
      Touched touched;
      for (const BlockValue &value : space.values) {
        Elements &elements = touched.emplace_back();
        AffineMap map =
            value.role == BlockValue::Role::Result
                ? op.getIndexingMapMatchingResult(cast<OpResult>(value.value))
                : maps[value.number];
        if (value.role == BlockValue::Role::Operand &&
            !isReadByBody(op->getOpOperand(value.number)))
          continue;
        forEachIn(block, [&](const Point &point) {
          SmallVector<int64_t> index = map.compose(ArrayRef<int64_t>(point));
          elements.insert(Point(index.begin(), index.end()));
        });
      }
      return touched;
    };
    checkSpace(space, oracle, name, blocks);
  }

  /// Any other op, without axes for what is summed over: its indexing maps.
  void checkResult(StringRef text, unsigned blocks = 12) {
    Operation *op = parse(text);
    ASSERT_TRUE(op) << text.str();
    BlockSpace space = getSpace(op);
    OpIndexing indexing = getIndexing(op);
    std::vector<std::set<Pair>> pairs;
    for (const BlockValue &value : space.values) {
      std::set<Pair> &own = pairs.emplace_back();
      if (value.role == BlockValue::Role::Operand)
        own = walk(indexing.outputToInput(*space.result, value.number), true);
    }
    Oracle oracle = [&](const Box &block) {
      Touched touched(space.values.size());
      auto isIn = [&](const Point &point) {
        for (size_t d = 0; d != point.size(); ++d)
          if (point[d] < block.lo[d] || point[d] >= block.hi[d])
            return false;
        return true;
      };
      for (size_t v = 0; v != touched.size(); ++v) {
        if (space.values[v].role == BlockValue::Role::Result)
          forEachIn(block, [&](const Point &p) { touched[v].insert(p); });
        for (const auto &[from, to] : pairs[v])
          if (isIn(from))
            touched[v].insert(to);
      }
      return touched;
    };
    checkSpace(space, oracle, text.str(), blocks);
  }

  IndexingCache cache;
  std::mt19937_64 random{20240817};
};

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_ANALYSIS_BLOCKTESTING_H

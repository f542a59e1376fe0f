//===- ProjectionFootprint.cpp - What a block needs, exactly --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 1 of ProjectionFootprint.h, a row at a time and without allocations for
// small projections; ProjectionCount.cpp has the others.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/ProjectionFootprint.h"
#include "SegmentSet.h"
#include "TensorAccess/Core/Checked.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// A column as one row sees it: how far it moves, and how often.
struct Stride {
  uint64_t step, extent;
};

/// What is known of one row by itself.
struct RowAnswer {
  RowLattice lattice;
  /// std::nullopt: neither dense nor apart somewhere.
  std::optional<uint64_t> count;
};
} // namespace

static void sortByStep(llvm::MutableArrayRef<Stride> strides) {
  // A handful at most: insertion.
  for (size_t i = 1; i < strides.size(); ++i) {
    Stride moving = strides[i];
    size_t j = i;
    for (; j != 0 && strides[j - 1].step > moving.step; --j)
      strides[j] = strides[j - 1];
    strides[j] = moving;
  }
}

/// Sums of progressions on top of a dense stretch, by ascending step. `length`
/// is that of the hull; all numbers fit since the row's hull does.
static std::optional<uint64_t> addStrides(ArrayRef<Stride> strides,
                                          uint64_t &length, bool &isDense) {
  uint64_t count = length;
  for (Stride stride : strides) {
    const uint64_t reach = stride.step * (stride.extent - 1);
    if (isDense && stride.step <= length) {
      length += reach;
      count = length;
      continue;
    }
    if (stride.step < length)
      return std::nullopt;
    isDense &= stride.step == length;
    count *= stride.extent;
    length += reach;
  }
  return count;
}

/// Sums of two progressions whose steps p < q have no common divisor: q steps
/// of p are p steps of q, so each point follows one (q, -p) before it if there
/// is one in the box (a dilated window; step 2 of ProjectionFootprint.h).
static std::optional<uint64_t> countOfTwo(Stride x, Stride y, bool &isDense) {
  uint64_t points, reach = x.step * (x.extent - 1) + y.step * (y.extent - 1);
  if (__builtin_mul_overflow(x.extent, y.extent, &points))
    return std::nullopt;
  if (x.extent > y.step && y.extent > x.step)
    points -= (x.extent - y.step) * (y.extent - x.step);
  isDense = points == reach + 1;
  return points;
}

/// The places of one row: a region's extent, moved by strides.
static RowAnswer answerRow(int64_t first, uint64_t run,
                           llvm::MutableArrayRef<Stride> strides) {
  sortByStep(strides);
  size_t i = 0;
  for (; i != strides.size() && strides[i].step <= run; ++i)
    run += strides[i].step * (strides[i].extent - 1);
  if (i == strides.size())
    return {{first, run, run, 1, true}, run};
  llvm::MutableArrayRef<Stride> rest = strides.drop_front(i);
  uint64_t g = 0, reach = 0;
  for (Stride stride : rest) {
    g = std::gcd(g, stride.step);
    reach += stride.step * (stride.extent - 1);
  }
  uint64_t length = run;
  bool isDense = true;
  if (g >= run) {
    // Runs never overlap: count where they begin, g apart.
    for (Stride &stride : rest)
      stride.step /= g;
    length = 1;
    std::optional<uint64_t> starts = addStrides(rest, length, isDense);
    if (!starts && rest.size() == 2)
      starts = countOfTwo(rest[0], rest[1], isDense);
    RowAnswer answer;
    answer.lattice = {first, run, g, reach / g + 1, starts && isDense};
    if (starts)
      answer.count = *starts * run;
    if (answer.lattice.isExact && g == run)
      answer.lattice = {first, run + reach, run + reach, 1, true};
    return answer;
  }
  std::optional<uint64_t> count = addStrides(rest, length, isDense);
  return {{first, run + reach, run + reach, 1, count && isDense}, count};
}

static int64_t advance(int64_t from, uint64_t by) {
  return static_cast<int64_t>(static_cast<uint64_t>(from) + by);
}

int64_t RowLattice::getEnd() const {
  return advance(first, (count - 1) * stride + run);
}

void RowLattice::clip(int64_t lo, int64_t hi,
                      llvm::SmallVectorImpl<RowLattice> &out) const {
  if (lo >= hi || count == 0 || first >= hi || getEnd() <= lo)
    return;
  auto gap = [](int64_t a, int64_t b) {
    return static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
  };
  // The first run that ends after lo, and the last that begins before hi.
  uint64_t from = 0, last = count - 1;
  if (first < lo) {
    const uint64_t before = gap(first, lo);
    if (before >= run)
      from = (before - run) / stride + 1;
  }
  last = std::min(last, (gap(first, hi) - 1) / stride);
  if (from > last || from >= count)
    return;
  auto bounds = [&](uint64_t k) {
    const int64_t begin = advance(first, k * stride);
    return std::pair(std::max(begin, lo), std::min(advance(begin, run), hi));
  };
  auto [firstLo, firstHi] = bounds(from);
  auto [lastLo, lastHi] = bounds(last);
  if (from == last) {
    out.push_back(interval(firstLo, firstHi));
    return;
  }
  const bool cutsFirst = gap(firstLo, firstHi) < run;
  const bool cutsLast = gap(lastLo, lastHi) < run;
  if (cutsFirst)
    out.push_back(interval(firstLo, firstHi));
  const uint64_t begin = from + cutsFirst, end = last + 1 - cutsLast;
  if (begin + 1 == end) {
    auto [oneLo, oneHi] = bounds(begin);
    out.push_back(interval(oneLo, oneHi));
  } else if (begin < end) {
    out.push_back(
        {advance(first, begin * stride), run, stride, end - begin, true});
  }
  if (cutsLast)
    out.push_back(interval(lastLo, lastHi));
}

std::string RowLattice::str() const {
  auto print = [](int64_t from, uint64_t length) {
    return "[" + std::to_string(from) + ", " +
           std::to_string(advance(from, length)) + ")";
  };
  std::string text = isExact ? "" : "within ";
  if (count <= 1)
    return text + print(first, run);
  return text + std::to_string(first) + " + " + std::to_string(stride) +
         "k + " + print(0, run) + ", k < " + std::to_string(count);
}

std::optional<uint64_t> ProjectionFootprint::getStridedCount() const {
  uint64_t product = hull && hull->isEmpty() ? 0 : 1;
  if (kind == Exactness::Unknown)
    return std::nullopt;
  for (const RowLattice &row : rows)
    if (__builtin_mul_overflow(product, row.run, &product) ||
        __builtin_mul_overflow(product, row.count, &product))
      return std::nullopt;
  return product;
}

ProjectionFootprint mlir::tensoraccess::getEmptyFootprint(size_t rank) {
  ProjectionFootprint empty;
  empty.kind = Exactness::Exact;
  empty.hull.emplace();
  empty.hull->lo.assign(rank, 0);
  empty.hull->hi.assign(rank, 0);
  empty.count = 0;
  return empty;
}

std::optional<uint64_t>
mlir::tensoraccess::countShared(std::optional<uint64_t> a,
                                std::optional<uint64_t> b,
                                std::optional<uint64_t> both) {
  if (!a || !b || !both)
    return std::nullopt;
  // |A ∩ B| = |A| + |B| - |A ∪ B|, and |A| ≤ |A ∪ B|.
  return *b - (*both - *a);
}

std::optional<uint64_t>
mlir::tensoraccess::getWaste(const Footprint &footprint) {
  if (footprint.kind == Exactness::Exact)
    return 0;
  if (!footprint.hull || !footprint.count)
    return std::nullopt;
  std::optional<uint64_t> volume = getVolume(*footprint.hull);
  if (!volume)
    return std::nullopt;
  return *volume - *footprint.count;
}

ProjectionFootprint
mlir::tensoraccess::getFootprint(const Projection &projection, const Box &block,
                                 uint64_t budget) {
  const size_t rows = projection.getNumRows();
  const size_t columns = projection.getNumColumns();
  if (block.lo.size() != columns || block.hi.size() != columns)
    return {};
  if (block.isEmpty())
    return getEmptyFootprint(rows);
  ProjectionFootprint result;
  result.hull.emplace();

  uint64_t used = 0;
  bool areIndependent = true, areExact = true, isDense = true;
  std::optional<uint64_t> total = 1;
  result.rows.reserve(rows);
  SmallVector<Stride, 8> strides;
  for (size_t r = 0; r != rows; ++r) {
    ArrayRef<int64_t> matrixRow = projection.matrix[r];
    int64_t lo = projection.offset[r], hi;
    bool overflows = projection.anchor &&
                     __builtin_add_overflow(lo, (*projection.anchor)[r], &lo);
    overflows |= __builtin_add_overflow(lo, projection.shape[r], &hi);
    strides.clear();
    for (size_t c = 0; c != columns; ++c) {
      const int64_t m = matrixRow[c];
      if (m == 0)
        continue;
      int64_t a, b;
      overflows |= __builtin_mul_overflow(m, block.lo[c], &a);
      overflows |= __builtin_mul_overflow(m, block.hi[c] - 1, &b);
      overflows |= __builtin_add_overflow(lo, std::min(a, b), &lo);
      overflows |= __builtin_add_overflow(hi, std::max(a, b), &hi);
      const uint64_t extent = static_cast<uint64_t>(block.hi[c]) -
                              static_cast<uint64_t>(block.lo[c]);
      if (extent == 1)
        continue;
      strides.push_back({magnitude(m), extent});
      const uint64_t bit = uint64_t(1) << (c % 64);
      areIndependent &= columns <= 64 && (used & bit) == 0;
      used |= bit;
    }
    if (overflows) {
      result.rows.clear();
      result.hull.reset();
      return result;
    }
    result.hull->lo.push_back(lo);
    result.hull->hi.push_back(hi);
    RowAnswer answer = answerRow(lo, projection.shape[r], strides);
    uint64_t more;
    if (total && answer.count &&
        !__builtin_mul_overflow(*total, *answer.count, &more))
      total = more;
    else
      total.reset();
    areExact &= answer.lattice.isExact;
    isDense &= answer.lattice.isExact && answer.lattice.count == 1;
    result.rows.push_back(answer.lattice);
  }

  if (areIndependent && (total || areExact)) {
    result.isProduct = areExact;
    result.count = total;
    result.kind = isDense ? Exactness::Exact : Exactness::Hull;
    return result;
  }
  result.count = countSums(
      getImageColumns(projection, block, /*withShape=*/true), rows, budget);
  std::optional<uint64_t> volume = getVolume(*result.hull);
  result.kind =
      volume && result.count == volume ? Exactness::Exact : Exactness::Hull;
  // Rows that fill their lattices: then so does the set.
  if (result.count && areExact && result.count == result.getStridedCount())
    result.isProduct = true;
  return result;
}

std::optional<bool>
mlir::tensoraccess::isInjectiveOnStarts(const Projection &projection,
                                        const Box &block, uint64_t budget) {
  if (block.lo.size() != projection.getNumColumns())
    return std::nullopt;
  if (block.isEmpty())
    return true;
  return areSumsDistinct(
      getImageColumns(projection, block, /*withShape=*/false),
      projection.getNumRows(), budget);
}

std::optional<bool>
mlir::tensoraccess::areRegionsDisjoint(const Projection &projection,
                                       const Box &block, uint64_t budget) {
  if (block.lo.size() != projection.getNumColumns())
    return std::nullopt;
  if (block.isEmpty())
    return true;
  return areSumsDistinct(getImageColumns(projection, block, /*withShape=*/true),
                         projection.getNumRows(), budget);
}

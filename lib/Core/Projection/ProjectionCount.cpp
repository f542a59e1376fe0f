//===- ProjectionCount.cpp - How many sums columns have -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image of a box under an integer matrix, counted:
//
//   1. Columns that are multiples of one vector, by ascending multiple: a
//      progression of step a and length L, and one of step q·a ≤ L·a, n long,
//      are one of step a and length L + q(n - 1).
//   2. Gauss-Jordan elimination. Columns that no reduced row connects are
//      direct summands of the kernel: their counts multiply.
//   3. A component without a kernel has a sum for each point. One whose kernel
//      is spanned by a primitive v has a sum for each chain p, p + v, p + 2v, …
//      of the box; chains have no gaps since boxes are convex. So there are as
//      many as points p without p - v: Π n_j - Π max(0, n_j - |v_j|).
//   4. Other components are written out as segments, over the reduced rows.
//
//===----------------------------------------------------------------------===//

#include "SegmentSet.h"
#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
using Vector = SmallVector<int64_t, 4>;
using Columns = SmallVector<ImageColumn, 8>;

/// The reduced rows of a matrix: row i has its pivot in column pivots[i], where
/// every other row is zero.
struct Reduced {
  SmallVector<SmallVector<int64_t, 8>, 4> rows;
  SmallVector<size_t, 4> pivots;
};
} // namespace

static uint64_t gcdOf(ArrayRef<int64_t> vector) {
  uint64_t g = 0;
  for (int64_t m : vector)
    g = std::gcd(g, magnitude(m));
  return g;
}

/// Divides by the common divisor. Signs stay.
static void makePrimitive(llvm::MutableArrayRef<int64_t> vector) {
  const uint64_t g = gcdOf(vector);
  // 2^63 divides only itself; the quotient is -1 each time.
  for (int64_t &m : vector)
    if (g > 1)
      m = m < 0 ? -static_cast<int64_t>(magnitude(m) / g)
                : static_cast<int64_t>(magnitude(m) / g);
}

static std::optional<uint64_t> product(std::optional<uint64_t> a,
                                       std::optional<uint64_t> b) {
  uint64_t result;
  if ((a && *a == 0) || (b && *b == 0))
    return 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &result))
    return std::nullopt;
  return result;
}

static std::optional<uint64_t> multiplyExtents(ArrayRef<ImageColumn> columns) {
  std::optional<uint64_t> points = 1;
  for (const ImageColumn &column : columns)
    points = product(points, column.extent);
  return points;
}

/// Drops columns that add nothing.
static Columns dropTrivial(ArrayRef<ImageColumn> columns) {
  Columns out;
  for (const ImageColumn &column : columns)
    if (column.extent > 1 && gcdOf(column.vector) != 0)
      out.push_back(column);
  return out;
}

//===----------------------------------------------------------------------===//
// Parallel columns
//===----------------------------------------------------------------------===//

/// Step 1. Signs don't matter: counting a column from its other end moves all
/// sums alike.
static Columns mergeParallel(Columns columns) {
  SmallVector<uint64_t, 8> multiple;
  for (ImageColumn &column : columns) {
    multiple.push_back(gcdOf(column.vector));
    makePrimitive(column.vector);
    // -2^63 has no opposite; a vector with it keeps its sign.
    const int64_t *lead =
        llvm::find_if(column.vector, [](int64_t m) { return m != 0; });
    if (lead != column.vector.end() && *lead < 0 &&
        !llvm::is_contained(column.vector, std::numeric_limits<int64_t>::min()))
      for (int64_t &m : column.vector)
        m = -m;
  }
  SmallVector<size_t, 8> order(columns.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    if (columns[a].vector != columns[b].vector)
      return columns[a].vector < columns[b].vector;
    return std::pair(multiple[a], a) < std::pair(multiple[b], b);
  });
  Columns out;
  SmallVector<uint64_t, 8> steps;
  for (size_t i : order) {
    const ImageColumn &column = columns[i];
    if (!out.empty() && out.back().vector == column.vector &&
        multiple[i] % steps.back() == 0 &&
        multiple[i] / steps.back() <= out.back().extent) {
      uint64_t more;
      if (!__builtin_mul_overflow(multiple[i] / steps.back(), column.extent - 1,
                                  &more) &&
          !__builtin_add_overflow(out.back().extent, more, &more)) {
        out.back().extent = more;
        continue;
      }
    }
    out.push_back(column);
    steps.push_back(multiple[i]);
  }
  for (auto [column, step] : llvm::zip_equal(out, steps))
    for (int64_t &m : column.vector)
      m = static_cast<int64_t>(static_cast<uint64_t>(m) * step);
  return out;
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// Step 2. std::nullopt if a number does not fit.
static std::optional<Reduced> reduce(ArrayRef<ImageColumn> columns,
                                     size_t rank) {
  Reduced out;
  for (size_t r = 0; r != rank; ++r) {
    auto &row = out.rows.emplace_back();
    for (const ImageColumn &column : columns)
      row.push_back(column.vector[r]);
    makePrimitive(row);
  }
  size_t next = 0;
  for (size_t c = 0; c != columns.size() && next != rank; ++c) {
    size_t pivot = next;
    while (pivot != rank && out.rows[pivot][c] == 0)
      ++pivot;
    if (pivot == rank)
      continue;
    std::swap(out.rows[pivot], out.rows[next]);
    const auto &by = out.rows[next];
    for (size_t r = 0; r != rank; ++r) {
      auto &row = out.rows[r];
      if (r == next || row[c] == 0)
        continue;
      const int64_t keep = by[c], take = row[c];
      for (size_t j = 0; j != columns.size(); ++j) {
        std::optional<int64_t> a = checkedMul(row[j], keep);
        std::optional<int64_t> b = checkedMul(by[j], take);
        std::optional<int64_t> d = a && b ? checkedSub(*a, *b) : std::nullopt;
        if (!d)
          return std::nullopt;
        row[j] = *d;
      }
      makePrimitive(row);
    }
    out.pivots.push_back(c);
    ++next;
  }
  out.rows.resize(next);
  return out;
}

/// The columns of each component, in order.
static SmallVector<SmallVector<size_t, 8>, 4>
getComponents(const Reduced &reduced, size_t numColumns) {
  llvm::IntEqClasses classes(numColumns);
  for (auto [row, pivot] : llvm::zip_equal(reduced.rows, reduced.pivots))
    for (size_t c = 0; c != numColumns; ++c)
      if (row[c] != 0)
        classes.join(c, pivot);
  classes.compress();
  SmallVector<SmallVector<size_t, 8>, 4> components(classes.getNumClasses());
  for (size_t c = 0; c != numColumns; ++c)
    components[classes[c]].push_back(c);
  return components;
}

namespace {
/// A component: its columns over its own reduced rows.
struct Component {
  Columns columns;
  SmallVector<size_t, 4> pivots; // numbers of `columns`, one per row
  size_t getRank() const { return pivots.size(); }
  size_t getNullity() const { return columns.size() - pivots.size(); }
};
} // namespace

static Component makeComponent(ArrayRef<ImageColumn> columns,
                               const Reduced &reduced,
                               ArrayRef<size_t> members) {
  Component out;
  for (size_t c : members)
    out.columns.push_back({{}, columns[c].extent});
  for (auto [row, pivot] : llvm::zip_equal(reduced.rows, reduced.pivots)) {
    const size_t *place = llvm::find(members, pivot);
    if (place == members.end())
      continue;
    out.pivots.push_back(place - members.begin());
    for (auto [column, c] : llvm::zip_equal(out.columns, members))
      column.vector.push_back(row[c]);
  }
  return out;
}

/// The primitive vector that spans the kernel of a component of nullity 1, by
/// magnitudes. std::nullopt if a number does not fit.
static std::optional<SmallVector<uint64_t, 8>>
getKernel(const Component &component) {
  size_t free = 0;
  while (llvm::is_contained(component.pivots, free))
    ++free;
  // Row i reads pivot_i·v_i + f_i·v_free = 0: v_free is a multiple of every
  // pivot_i / gcd(pivot_i, f_i).
  uint64_t scale = 1;
  for (auto [i, pivot] : llvm::enumerate(component.pivots)) {
    const uint64_t p = magnitude(component.columns[pivot].vector[i]);
    const uint64_t f = magnitude(component.columns[free].vector[i]);
    const uint64_t need = p / std::gcd(p, f);
    if (__builtin_mul_overflow(scale / std::gcd(scale, need), need, &scale))
      return std::nullopt;
  }
  SmallVector<uint64_t, 8> kernel(component.columns.size());
  kernel[free] = scale;
  for (auto [i, pivot] : llvm::enumerate(component.pivots)) {
    const uint64_t p = magnitude(component.columns[pivot].vector[i]);
    const uint64_t f = magnitude(component.columns[free].vector[i]);
    // p / gcd(p, f) divides scale, so p divides f·scale.
    const uint64_t g = std::gcd(p, f);
    if (__builtin_mul_overflow(f / g, scale / (p / g), &kernel[pivot]))
      return std::nullopt;
  }
  return kernel;
}

/// Step 4.
static std::optional<uint64_t> writeOut(const Component &component,
                                        uint64_t budget) {
  const size_t rank = component.getRank();
  // All sums from the least corner on fit if the hull does.
  SmallVector<int64_t, 4> start(rank, 0);
  for (size_t r = 0; r != rank; ++r) {
    std::optional<int64_t> lo = 0, hi = 0;
    for (const ImageColumn &column : component.columns) {
      const int64_t m = column.vector[r];
      if (column.extent - 1 > static_cast<uint64_t>(INT64_MAX))
        return std::nullopt;
      std::optional<int64_t> reach =
          checkedMul(m, static_cast<int64_t>(column.extent - 1));
      if (!reach)
        return std::nullopt;
      std::optional<int64_t> &end = m < 0 ? lo : hi;
      end = checkedAdd(*end, *reach);
      if (!end)
        return std::nullopt;
    }
    if (!checkedAdd(*hi, 1))
      return std::nullopt;
  }
  std::optional<SegmentSet> set =
      SegmentSet::ofSums(start, component.columns, 0, budget);
  return set ? set->count() : std::nullopt;
}

std::optional<uint64_t> mlir::tensoraccess::countSums(ArrayRef<ImageColumn> all,
                                                      size_t rank,
                                                      uint64_t budget) {
  Columns columns = mergeParallel(dropTrivial(all));
  std::optional<Reduced> reduced = reduce(columns, rank);
  if (!reduced)
    return std::nullopt;
  std::optional<uint64_t> total = 1;
  for (ArrayRef<size_t> members : getComponents(*reduced, columns.size())) {
    Component component = makeComponent(columns, *reduced, members);
    std::optional<uint64_t> points = multiplyExtents(component.columns);
    if (component.getNullity() == 0) {
      total = product(total, points);
      continue;
    }
    std::optional<uint64_t> count;
    if (component.getNullity() == 1 && points)
      if (std::optional<SmallVector<uint64_t, 8>> kernel =
              getKernel(component)) {
        uint64_t chained = 1;
        for (auto [column, v] : llvm::zip_equal(component.columns, *kernel))
          chained *= column.extent > v ? column.extent - v : 0;
        count = *points - chained;
      }
    if (!count)
      count = writeOut(component, budget);
    total = product(total, count);
    if (!total)
      return std::nullopt;
  }
  return total;
}

std::optional<bool>
mlir::tensoraccess::areSumsDistinct(ArrayRef<ImageColumn> all, size_t rank,
                                    uint64_t budget) {
  for (const ImageColumn &column : all)
    if (column.extent > 1 && gcdOf(column.vector) == 0)
      return false;
  Columns columns = dropTrivial(all);
  std::optional<Reduced> reduced = reduce(columns, rank);
  if (!reduced)
    return std::nullopt;
  std::optional<bool> answer = true;
  for (ArrayRef<size_t> members : getComponents(*reduced, columns.size())) {
    Component component = makeComponent(columns, *reduced, members);
    if (component.getNullity() == 0)
      continue;
    if (component.getNullity() == 1)
      if (std::optional<SmallVector<uint64_t, 8>> kernel =
              getKernel(component)) {
        if (llvm::all_of(
                llvm::zip_equal(component.columns, *kernel), [](auto entry) {
                  return std::get<0>(entry).extent > std::get<1>(entry);
                }))
          return false;
        continue;
      }
    // Two parallel columns meet at the least common multiple of their steps.
    for (size_t a = 0; a != component.columns.size(); ++a)
      for (size_t b = a + 1; b != component.columns.size(); ++b) {
        const ImageColumn &x = component.columns[a], &y = component.columns[b];
        const uint64_t p = gcdOf(x.vector), q = gcdOf(y.vector);
        Columns pair = {x, y};
        makePrimitive(pair[0].vector);
        makePrimitive(pair[1].vector);
        Vector opposite = pair[1].vector;
        for (int64_t &m : opposite)
          m = static_cast<int64_t>(0 - static_cast<uint64_t>(m));
        if (pair[0].vector != pair[1].vector && pair[0].vector != opposite)
          continue;
        const uint64_t g = std::gcd(p, q);
        if (x.extent > q / g && y.extent > p / g)
          return false;
      }
    // In one dimension, by ascending step: apart from all before, each.
    if (component.getRank() == 1) {
      SmallVector<std::pair<uint64_t, uint64_t>, 8> steps;
      for (const ImageColumn &column : component.columns)
        steps.emplace_back(magnitude(column.vector[0]), column.extent);
      llvm::sort(steps);
      unsigned __int128 reach = 0;
      bool areApart = true;
      for (auto [step, extent] : steps) {
        areApart &= step > reach && reach < UINT64_MAX;
        reach += static_cast<unsigned __int128>(step) * (extent - 1);
      }
      if (areApart)
        continue;
    }
    std::optional<uint64_t> points = multiplyExtents(component.columns);
    std::optional<uint64_t> count = writeOut(component, budget);
    if (count && points != count)
      return false;
    if (!count)
      answer.reset();
  }
  return answer;
}

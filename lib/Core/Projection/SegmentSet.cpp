//===- SegmentSet.cpp - A set of places, segment by segment ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of columns are made by doubling:
//
//   1. Begin with one point; each column is done for k = 1 of its extent.
//   2. Take the column whose next step, k times its vector, is the shortest.
//      The set and its copy moved by min(k, extent - k) vectors are the set for
//      that much more. Both are sorted alike, so that one pass merges them.
//   3. Until every column is done. Short steps first keep stretches whole:
//      {3a + 5b} up to 10^9 never has more than a few.
//
//===----------------------------------------------------------------------===//

#include "SegmentSet.h"
#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Sums that pass through numbers of more than 64 bits on their way to one that
/// fits.
static int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}

SmallVector<ImageColumn, 8>
mlir::tensoraccess::getImageColumns(const Projection &projection,
                                    const Box &block, bool withShape) {
  SmallVector<ImageColumn, 8> columns;
  const size_t rows = projection.getNumRows();
  for (size_t c = 0; c != projection.getNumColumns(); ++c) {
    ImageColumn column;
    column.extent =
        static_cast<uint64_t>(block.hi[c]) - static_cast<uint64_t>(block.lo[c]);
    for (size_t r = 0; r != rows; ++r)
      column.vector.push_back(projection.matrix[r][c]);
    if (column.extent > 1)
      columns.push_back(std::move(column));
  }
  for (size_t r = 0; withShape && r != rows; ++r) {
    if (projection.shape[r] == 1)
      continue;
    ImageColumn column;
    column.extent = projection.shape[r];
    column.vector.assign(rows, 0);
    column.vector[r] = 1;
    columns.push_back(std::move(column));
  }
  return columns;
}

//===----------------------------------------------------------------------===//
// Making sets
//===----------------------------------------------------------------------===//

/// Adds a segment at the end, or to the last one if they meet. Segments come in
/// order.
void SegmentSet::append(ArrayRef<int64_t> key, int64_t begin, int64_t end) {
  if (!words.empty()) {
    ArrayRef<int64_t> last = at(size() - 1);
    if (last.drop_back(2) == key && last.back() >= begin) {
      words.back() = std::max(words.back(), end);
      return;
    }
  }
  words.insert(words.end(), key.begin(), key.end());
  words.push_back(begin);
  words.push_back(end);
}

/// The union with a copy moved by `step`, which has the coordinates in the
/// order of a segment: keys, then the one along which segments run.
void SegmentSet::translateAndMerge(ArrayRef<int64_t> step) {
  SegmentSet merged(rank, along);
  merged.words.reserve(2 * words.size());
  const size_t n = size();
  SmallVector<int64_t, 8> moved(width());
  auto load = [&](size_t i) {
    ArrayRef<int64_t> segment = at(i);
    for (size_t d = 0; d != rank; ++d)
      moved[d] = wrappingAdd(segment[d], step[d]);
    moved[rank] = wrappingAdd(segment[rank], step[rank - 1]);
  };
  size_t a = 0, b = 0;
  if (n != 0)
    load(0);
  while (a != n || b != n) {
    ArrayRef<int64_t> copy(moved);
    if (b == n || (a != n && at(a) <= copy)) {
      merged.append(key(a), at(a)[rank - 1], at(a)[rank]);
      ++a;
    } else {
      merged.append(copy.drop_back(2), copy[rank - 1], copy[rank]);
      if (++b != n)
        load(b);
    }
  }
  words = std::move(merged.words);
}

void SegmentSet::sortAndMerge() {
  std::vector<size_t> order(size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) { return at(a) < at(b); });
  SegmentSet sorted(rank, along);
  sorted.words.reserve(words.size());
  for (size_t i : order)
    sorted.append(key(i), at(i)[rank - 1], at(i)[rank]);
  words = std::move(sorted.words);
}

std::optional<SegmentSet> SegmentSet::ofSums(ArrayRef<int64_t> start,
                                             ArrayRef<ImageColumn> columns,
                                             size_t along, uint64_t budget) {
  const size_t rank = start.size();
  SegmentSet set(rank, along);
  // Coordinates in the order of a segment.
  auto arrange = [&](ArrayRef<int64_t> tuple) {
    SmallVector<int64_t, 8> out;
    for (size_t d = 0; d != rank; ++d)
      if (d != along)
        out.push_back(tuple[d]);
    out.push_back(tuple[along]);
    return out;
  };
  SmallVector<int64_t, 8> first = arrange(start);
  set.words.assign(first.begin(), first.end());
  set.words.push_back(wrappingAdd(first.back(), 1));

  SmallVector<uint64_t, 8> done(columns.size(), 1);
  for (;;) {
    size_t best = columns.size();
    unsigned __int128 shortest = 0;
    for (size_t c = 0; c != columns.size(); ++c) {
      if (done[c] >= columns[c].extent)
        continue;
      unsigned __int128 length = 0;
      for (int64_t m : columns[c].vector)
        length = std::max(length, static_cast<unsigned __int128>(magnitude(m)) *
                                      done[c]);
      if (best == columns.size() || length < shortest) {
        best = c;
        shortest = length;
      }
    }
    if (best == columns.size())
      return set;
    // Each merge writes at most twice what there is.
    const uint64_t cost = 2 * set.size();
    if (cost > budget)
      return std::nullopt;
    budget -= cost;
    const uint64_t times =
        std::min(done[best], columns[best].extent - done[best]);
    SmallVector<int64_t, 8> step = arrange(columns[best].vector);
    for (int64_t &m : step)
      m = static_cast<int64_t>(static_cast<uint64_t>(m) * times);
    set.translateAndMerge(step);
    done[best] += times;
  }
}

std::optional<SegmentSet> SegmentSet::ofBlock(const Projection &projection,
                                              const Box &block, uint64_t budget,
                                              std::optional<size_t> wanted) {
  const size_t rows = projection.getNumRows();
  if (rows == 0 || block.isEmpty() || !projection.getHull(block))
    return std::nullopt;
  std::optional<IndexRegion> first = projection.evaluate(block.lo);
  if (!first)
    return std::nullopt;
  SmallVector<ImageColumn, 8> columns =
      getImageColumns(projection, block, /*withShape=*/true);
  if (wanted)
    return ofSums(first->lo, columns, *wanted, budget);
  // Along the dimension in which the columns that move in it alone reach
  // farthest; any would be right.
  size_t along = 0;
  long double farthest = -1;
  for (size_t r = 0; r != rows; ++r) {
    long double reach = 0;
    for (const ImageColumn &column : columns)
      if (llvm::all_of(llvm::enumerate(column.vector), [&](auto entry) {
            return entry.index() == r || entry.value() == 0;
          }))
        reach += static_cast<long double>(column.extent) /
                 std::max<uint64_t>(1, magnitude(column.vector[r]));
    if (reach > farthest) {
      farthest = reach;
      along = r;
    }
  }
  return ofSums(first->lo, columns, along, budget);
}

//===----------------------------------------------------------------------===//
// Asking sets
//===----------------------------------------------------------------------===//

std::optional<uint64_t> SegmentSet::count() const {
  uint64_t total = 0;
  for (size_t i = 0; i != size(); ++i)
    if (__builtin_add_overflow(total,
                               static_cast<uint64_t>(at(i)[rank]) -
                                   static_cast<uint64_t>(at(i)[rank - 1]),
                               &total))
      return std::nullopt;
  return total;
}

Box SegmentSet::getHull() const {
  Box hull;
  hull.lo.assign(rank, 0);
  hull.hi.assign(rank, 0);
  for (size_t i = 0; i != size(); ++i) {
    ArrayRef<int64_t> segment = at(i);
    size_t place = 0;
    for (size_t d = 0; d != rank; ++d) {
      const int64_t lo = d == along ? segment[rank - 1] : segment[place];
      const int64_t hi = d == along ? segment[rank] : segment[place++] + 1;
      hull.lo[d] = i == 0 ? lo : std::min(hull.lo[d], lo);
      hull.hi[d] = i == 0 ? hi : std::max(hull.hi[d], hi);
    }
  }
  return hull;
}

Footprint SegmentSet::getFootprint() const {
  Footprint out{Exactness::Hull, getHull(), count()};
  if (out.count && out.count == getVolume(*out.hull))
    out.kind = Exactness::Exact;
  return out;
}

SmallVector<Box, 2> SegmentSet::getBoxes(size_t limit) const {
  std::vector<Box> boxes;
  if (size() > 64 * limit)
    return {};
  for (size_t i = 0; i != size(); ++i) {
    ArrayRef<int64_t> segment = at(i);
    Box &box = boxes.emplace_back();
    size_t place = 0;
    for (size_t d = 0; d != rank; ++d) {
      box.lo.push_back(d == along ? segment[rank - 1] : segment[place]);
      box.hi.push_back(d == along ? segment[rank] : segment[place++] + 1);
    }
  }
  // In each other dimension, boxes that differ there alone and meet are one.
  for (size_t d = 0; d != rank; ++d) {
    if (d == along)
      continue;
    auto order = [&](const Box &a, const Box &b) {
      for (size_t e = 0; e != rank; ++e)
        if (e != d && (a.lo[e] != b.lo[e] || a.hi[e] != b.hi[e]))
          return std::pair(a.lo[e], a.hi[e]) < std::pair(b.lo[e], b.hi[e]);
      return a.lo[d] < b.lo[d];
    };
    llvm::sort(boxes, order);
    std::vector<Box> merged;
    for (Box &box : boxes) {
      if (!merged.empty() && merged.back().hi[d] == box.lo[d]) {
        Box longer = merged.back();
        longer.lo[d] = box.lo[d];
        longer.hi[d] = box.hi[d];
        if (longer == box) {
          merged.back().hi[d] = box.hi[d];
          continue;
        }
      }
      merged.push_back(std::move(box));
    }
    boxes = std::move(merged);
  }
  if (boxes.size() > limit)
    return {};
  llvm::sort(boxes, [](const Box &a, const Box &b) { return a.lo < b.lo; });
  return {boxes.begin(), boxes.end()};
}

SegmentSet SegmentSet::intersect(const SegmentSet &o) const {
  SegmentSet out(rank, along);
  size_t a = 0, b = 0;
  while (a != size() && b != o.size()) {
    ArrayRef<int64_t> x = at(a), y = o.at(b);
    if (key(a) != o.key(b)) {
      (key(a) < o.key(b) ? a : b)++;
      continue;
    }
    const int64_t begin = std::max(x[rank - 1], y[rank - 1]);
    const int64_t end = std::min(x[rank], y[rank]);
    if (begin < end)
      out.append(key(a), begin, end);
    (x[rank] < y[rank] ? a : b)++;
  }
  return out;
}

SegmentSet SegmentSet::clip(const Box &box) const {
  SegmentSet out(rank, along);
  for (size_t i = 0; i != size(); ++i) {
    ArrayRef<int64_t> segment = at(i);
    bool isInside = true;
    size_t place = 0;
    for (size_t d = 0; d != rank; ++d)
      if (d != along) {
        isInside &= box.lo[d] <= segment[place] && segment[place] < box.hi[d];
        ++place;
      }
    const int64_t begin = std::max(segment[rank - 1], box.lo[along]);
    const int64_t end = std::min(segment[rank], box.hi[along]);
    if (isInside && begin < end)
      out.append(key(i), begin, end);
  }
  return out;
}

std::optional<SegmentSet>
SegmentSet::resolve(const Projection &projection, ArrayRef<int64_t> sizes,
                    uint64_t budget, std::optional<uint64_t> &padded) const {
  using Kind = OutOfBounds::Kind;
  SegmentSet out(rank, along);
  padded = 0;
  const int64_t size = sizes[along];
  const Kind kind = projection.getOutOfBounds(along).kind;
  SmallVector<int64_t, 8> moved(rank - 1);
  for (size_t i = 0; i != this->size(); ++i) {
    ArrayRef<int64_t> segment = at(i);
    bool isPad = false;
    size_t place = 0;
    for (size_t d = 0; d != rank; ++d) {
      if (d == along)
        continue;
      moved[place] = segment[place];
      isPad |= resolvePlace(projection.getOutOfBounds(d).kind, sizes[d],
                            moved[place]) == Resolved::Kind::Pad;
      ++place;
    }
    const int64_t begin = segment[rank - 1], end = segment[rank];
    const int64_t from = std::max<int64_t>(begin, 0);
    const int64_t to = std::min(end, size);
    if (isPad || kind == Kind::Pad) {
      uint64_t outside =
          static_cast<uint64_t>(end) - static_cast<uint64_t>(begin);
      if (!isPad && from < to)
        outside -= static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
      if (padded && __builtin_add_overflow(*padded, outside, &*padded))
        padded.reset();
    }
    if (isPad)
      continue;
    auto add = [&](int64_t lo, int64_t hi) {
      if (lo >= hi)
        return;
      out.words.insert(out.words.end(), moved.begin(), moved.end());
      out.words.push_back(lo);
      out.words.push_back(hi);
    };
    add(from, to);
    if (kind == Kind::Clamp) {
      if (begin < 0)
        add(0, 1);
      if (end > size)
        add(size - 1, size);
    } else if (kind == Kind::Negative && begin < 0) {
      add(begin + size, std::min<int64_t>(end, 0) + size);
    } else if (kind == Kind::Wrap && (begin < 0 || end > size)) {
      if (static_cast<uint64_t>(end) - static_cast<uint64_t>(begin) >=
          static_cast<uint64_t>(size)) {
        add(0, size);
      } else {
        const int64_t lo = floorModPositive(begin, size);
        const int64_t length = end - begin;
        add(lo, lo + std::min(length, size - lo));
        add(0, length - std::min(length, size - lo));
      }
    }
    if (out.size() > budget)
      return std::nullopt;
  }
  out.sortAndMerge();
  return out;
}

//===- RandomLayouts.h - Small layouts, and their formula -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts with everything a text can have: permutations, tiles of fewer and of
// more entries than dimensions, `*`, later tiles that reach further than the
// ones before, sizes 0 and 1, E and L. Their numbers are computed here from
// XLA's formulae alone, with plain loops.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_RANDOMLAYOUTS_H
#define TENSORACCESS_TEST_CORE_RANDOMLAYOUTS_H

#include "LayoutTesting.h"
#include "TensorAccess/Core/Layout.h"
#include "llvm/ADT/STLExtras.h"

#include <random>

namespace mlir::tensoraccess::test {

struct RandomLayouts {
  std::mt19937 random;
  /// One layout in so many has a size 0; 0 for none.
  unsigned emptyEvery = 12;

  explicit RandomLayouts(unsigned seed) : random(seed) {}

  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  }

  llvm::SmallVector<int64_t> shape(unsigned maxRank = 4) {
    llvm::SmallVector<int64_t> sizes;
    unsigned rank = pick(0, maxRank);
    for (unsigned i = 0; i < rank; ++i)
      sizes.push_back(pick(0, 5) == 0 ? 1 : pick(1, rank > 2 ? 7 : 20));
    if (rank > 0 && emptyEvery && pick(1, emptyEvery) == 1)
      sizes[pick(0, rank - 1)] = 0;
    return sizes;
  }

  Layout layout(llvm::ArrayRef<int64_t> shape) {
    Layout layout = Layout::rowMajor(shape.size());
    if (pick(0, 1))
      std::shuffle(layout.minorToMajor.begin(), layout.minorToMajor.end(),
                   random);
    const int64_t sizes[] = {1, 2, 2, 3, 4, 5, 6, 8};
    for (int64_t n = pick(0, 3); n > 0; --n) {
      Tile tile;
      int64_t rank = shape.size();
      for (int64_t k = pick(1, rank + 2); k > 0; --k)
        tile.push_back(k > 1 && pick(0, 3) == 0 ? TileEntry::combine()
                                                : TileEntry(sizes[pick(0, 7)]));
      layout.tiles.push_back(tile);
    }
    if (pick(0, 3) == 0)
      layout.tailAlignment = pick(1, 7);
    const char *types[] = {"f32", "bf16", "s4", "u1", "pred", "f8e5m2"};
    XlaType type = *XlaType::lookup(types[pick(0, 5)]);
    if (pick(0, 4) == 0)
      layout.elementBits = type.getBits() + pick(0, 3);
    return layout.withShape(shape, type);
  }
};

/// The number of an element by the formula: a tile sends coordinates e in sizes
/// d to (⌊e/t⌋, …, e mod t, …) in (⌈d/t⌉, …, t, …).
inline int64_t numberByFormula(const Layout &layout,
                               llvm::ArrayRef<int64_t> index) {
  std::vector<int64_t> e, d;
  for (int64_t dim : llvm::reverse(layout.minorToMajor)) {
    e.push_back(index[dim]);
    d.push_back((*layout.shape)[dim]);
  }
  for (const Tile &tile : layout.tiles) {
    while (d.size() < tile.size()) {
      e.insert(e.begin(), 0);
      d.insert(d.begin(), 1);
    }
    size_t prefix = d.size() - tile.size();
    std::vector<int64_t> outer(e.begin(), e.begin() + prefix), inner;
    std::vector<int64_t> outerSizes(d.begin(), d.begin() + prefix), innerSizes;
    int64_t coordinate = 0, size = 1;
    for (size_t j = 0; j < tile.size(); ++j) {
      coordinate = coordinate * d[prefix + j] + e[prefix + j];
      size *= d[prefix + j];
      if (tile[j].isCombine())
        continue;
      int64_t t = tile[j].getSize();
      outer.push_back(coordinate / t);
      outerSizes.push_back((size + t - 1) / t);
      inner.push_back(coordinate % t);
      innerSizes.push_back(t);
      coordinate = 0;
      size = 1;
    }
    outer.insert(outer.end(), inner.begin(), inner.end());
    outerSizes.insert(outerSizes.end(), innerSizes.begin(), innerSizes.end());
    e = outer;
    d = outerSizes;
  }
  int64_t number = 0;
  for (size_t i = 0; i < d.size(); ++i)
    number = number * d[i] + e[i];
  return number;
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_RANDOMLAYOUTS_H

//===- TileBandwidth.cpp - How much of what it moves a tile uses ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of a tensor is a set of *runs*, stretches of neighbouring elements.
// Each run of b bytes costs ⌈b / transaction⌉ transactions.
//
//   1. Without tiles in the layout all runs are equally long: from the minor
//      dimension on, sizes multiply as long as the tile covers a dimension
//      whole and without gaps; the first dimension that it covers in part
//      contributes its size and ends the run. (The elements of a strided
//      dimension are runs of their own, also where the last of a row is the
//      neighbour of the first of the next.)
//   2. With tiles, the numbers of all elements are listed, sorted and cut where
//      they don't follow each other.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Coalescing.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

double TileBandwidth::getUtilization() const {
  return bytesMoved == 0
             ? 1.0
             : static_cast<double>(bytesUsed) / static_cast<double>(bytesMoved);
}

/// Adds `count` runs of `elements` elements; false on overflow.
static bool addRuns(TileBandwidth &sum, int64_t elements, int64_t count,
                    int64_t elementBits, int64_t transactionBytes) {
  auto bits = checkedMul(elements, elementBits);
  if (!bits)
    return false;
  const int64_t bytes = ceilDivPositive(*bits, 8);
  auto cost =
      checkedMul(ceilDivPositive(bytes, transactionBytes), transactionBytes);
  auto used = checkedAdd(sum.bytesUsed, checkedMul(bytes, count));
  auto moved = checkedAdd(sum.bytesMoved, checkedMul(cost, count));
  if (!used || !moved)
    return false;
  sum.bytesUsed = *used;
  sum.bytesMoved = *moved;
  return true;
}

std::optional<TileBandwidth> mlir::tensoraccess::getTileBandwidth(
    const Layout &layout, ArrayRef<int64_t> tileSizes,
    ArrayRef<int64_t> tileStrides, int64_t transactionBytes, std::string &error,
    uint64_t maxElements) {
  auto refuse =
      [&](const std::string &message) -> std::optional<TileBandwidth> {
    error = message;
    return std::nullopt;
  };
  const std::string overflow =
      "the bytes of the tile overflow 64-bit arithmetic";
  if (!layout.shape)
    return refuse("layout '" + layout.str() + "' has no shape");
  const size_t rank = layout.shape->size();
  if (tileSizes.size() != rank || tileStrides.size() != rank)
    return refuse("the layout has rank " + std::to_string(rank) + ", got " +
                  std::to_string(tileSizes.size()) + " tile sizes and " +
                  std::to_string(tileStrides.size()) + " tile strides");
  if (transactionBytes < 1)
    return refuse("transaction bytes must be positive, got " +
                  std::to_string(transactionBytes));
  for (auto [i, size] : llvm::enumerate(tileSizes))
    if (size < 0)
      return refuse("tile size " + std::to_string(i) +
                    " must not be negative, got " + std::to_string(size));
  if (!layout.hasStaticShape())
    return refuse("layout '" + layout.str() +
                  "' has a dynamic size; give it a number");
  if (!layout.getPaddedElements())
    return refuse("the size of '" + layout.str() +
                  "' overflows 64-bit arithmetic");

  // Steps of a dimension, and how many of its elements the tile reads.
  SmallVector<int64_t> steps, counts;
  for (auto [size, stride, extent] :
       llvm::zip_equal(tileSizes, tileStrides, *layout.shape)) {
    const int64_t step = static_cast<int64_t>(
        std::min<uint64_t>(magnitude(stride), Interval::kNoUpper));
    steps.push_back(step);
    counts.push_back(std::min(size, step == 0 ? std::min<int64_t>(extent, 1)
                                              : ceilDivPositive(extent, step)));
  }
  const int64_t bits =
      layout.elementBits.value_or(layout.elementType->getBits());
  const int64_t elements = *checkedProduct(counts); // at most the tensor's
  TileBandwidth sum;
  if (elements == 0)
    return sum;

  // With a stride, the last element of a row may be next to the first one of
  // the following row: then all of them are looked at.
  bool rowsMeet = false;
  for (auto [count, step, extent] :
       llvm::zip_equal(counts, steps, *layout.shape))
    rowsMeet |= count > 1 && step > 1 && (count - 1) * step == extent - 1;
  if (layout.tiles.empty() && !rowsMeet) {
    int64_t run = 1;
    for (int64_t dim : layout.minorToMajor) {
      if (counts[dim] > 1 && steps[dim] != 1)
        break;
      run *= counts[dim];
      if (counts[dim] < (*layout.shape)[dim])
        break;
    }
    if (!addRuns(sum, run, elements / run, bits, transactionBytes))
      return refuse(overflow);
    return sum;
  }

  if (static_cast<uint64_t>(elements) > maxElements)
    return refuse(
        "a tile of " + std::to_string(elements) +
        (rowsMeet ? " strided elements" : " elements in a tiled layout") +
        " is beyond the limit of " + std::to_string(maxElements));
  IndexingMap numbers = *layout.getIndexingMap();
  std::vector<int64_t> sorted;
  SmallVector<int64_t> index(rank, 0);
  for (;;) {
    sorted.push_back(numbers.evaluate(index)->front());
    size_t i = rank;
    for (; i > 0; --i) {
      index[i - 1] += steps[i - 1];
      if (steps[i - 1] != 0 && index[i - 1] < counts[i - 1] * steps[i - 1])
        break;
      index[i - 1] = 0;
    }
    if (i == 0)
      break;
  }
  llvm::sort(sorted);
  for (size_t begin = 0, i = 1; i <= sorted.size(); ++i) {
    if (i != sorted.size() && sorted[i] == sorted[i - 1] + 1)
      continue;
    if (!addRuns(sum, i - begin, 1, bits, transactionBytes))
      return refuse(overflow);
    begin = i;
  }
  return sum;
}

//===- LayoutDigits.cpp - Layouts by their digits -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of Layout.h on lists of digits: `*` joins two lists, a tile cuts
// one in two. The numbers of elements are checked after each tile, so that no
// product on the way overflows.
//
// Whether two maps are the same is decided by the first of these that can:
//
//   1. Equal canonical forms are equal maps.
//   2. Without inner nodes the form is unique: f(1) is the first stride, the
//      first v with f(v) ≠ v·f(1) ends the first digit, and so on.
//   3. All elements are compared, if the budget allows.
//   4. The forms engine proves or refutes it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LayoutDigits.h"
#include "TensorAccess/Core/CheckedMath.h"
#include "TensorAccess/Core/Equivalence.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// Lists of digits, one behind the other.
struct Dims {
  SmallVector<DigitPiece, 16> pieces;
  SmallVector<unsigned, 12> ends;

  size_t size() const { return ends.size(); }
  ArrayRef<DigitPiece> operator[](size_t i) const {
    unsigned begin = i == 0 ? 0 : ends[i - 1];
    return ArrayRef(pieces).slice(begin, ends[i] - begin);
  }
  void push(ArrayRef<DigitPiece> list) {
    pieces.append(list.begin(), list.end());
    ends.push_back(pieces.size());
  }
  void clear() {
    pieces.clear();
    ends.clear();
  }
  /// Elements of all dimensions; none if they don't fit.
  std::optional<int64_t> countElements() const {
    int64_t elements = 1;
    for (const DigitPiece &piece : pieces)
      if (__builtin_mul_overflow(elements, piece.extent, &elements))
        return std::nullopt;
    return elements;
  }
};
} // namespace

std::optional<DigitMap> mlir::tensoraccess::getDigits(const Layout &layout) {
  if (!layout.hasStaticShape())
    return std::nullopt;
  DigitMapBuilder builder(*layout.shape);
  if (llvm::is_contained(*layout.shape, 0)) {
    if (!layout.getPhysicalShape())
      return std::nullopt;
    builder.setTargets(int64_t(0));
    return builder.build();
  }
  Dims first, second, inner;
  Dims *dims = &first, *next = &second;
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    dims->push(builder.whole(dim));
  std::optional<int64_t> elements = dims->countElements();
  DigitList merged, high, low;
  for (const Tile &tile : layout.tiles) {
    if (!elements)
      return std::nullopt;
    size_t added = tile.size() > dims->size() ? tile.size() - dims->size() : 0;
    size_t prefix = dims->size() + added - tile.size();
    next->clear();
    inner.clear();
    for (size_t i = 0; i < prefix; ++i)
      next->push((*dims)[i]);
    bool isMerged = false;
    for (auto [i, entry] : llvm::enumerate(tile)) {
      ArrayRef<DigitPiece> list;
      if (i >= added)
        list = (*dims)[prefix + i - added];
      if (entry.isCombine() || isMerged) {
        builder.join(merged, list);
        list = merged;
        isMerged = true;
        if (entry.isCombine())
          continue;
      }
      builder.split(list, entry.getSize(), high, low);
      next->push(high);
      inner.push(low);
      merged.clear();
      isMerged = false;
    }
    for (size_t i = 0; i < inner.size(); ++i)
      next->push(inner[i]);
    std::swap(dims, next);
    elements = dims->countElements();
  }
  if (!elements)
    return std::nullopt;
  builder.setTargets(*elements);
  builder.addTo(0, dims->pieces, 1);
  return builder.build();
}

std::optional<SmallVector<SmallVector<DimDigit, 3>, 4>>
mlir::tensoraccess::getDimDigits(const Layout &layout) {
  std::optional<DigitMap> map = getDigits(layout);
  if (map)
    map = map->canonical();
  if (!map || map->getNumInnerNodes() > 0)
    return std::nullopt;
  SmallVector<SmallVector<DimDigit, 3>, 4> dims(map->getNumSources());
  for (const DigitEdge &edge : map->getEdges())
    dims[edge.from].push_back({edge.divisor, edge.modulus, edge.stride});
  return dims;
}

/// Compares all elements; none beyond the budget.
static std::optional<bool> compareElements(const DigitMap &a, const DigitMap &b,
                                           uint64_t budget) {
  ArrayRef<int64_t> shape = a.getBounds().take_front(a.getNumSources());
  std::optional<int64_t> elements = checkedProduct(shape);
  if (!elements || static_cast<uint64_t>(*elements) > budget)
    return std::nullopt;
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < *elements; ++i) {
    int64_t left, right;
    if (!a.evaluate(index, left) || !b.evaluate(index, right) || left != right)
      return false;
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
  return true;
}

std::optional<bool> mlir::tensoraccess::isSameMap(const Layout &a,
                                                  const Layout &b,
                                                  uint64_t budget) {
  if (!a.shape || !b.shape)
    return std::nullopt;
  if (*a.shape != *b.shape)
    return false;
  if (a.minorToMajor == b.minorToMajor && a.tiles == b.tiles)
    return true;
  std::optional<DigitMap> left = getDigits(a), right = getDigits(b);
  if (!left || !right)
    return std::nullopt;
  if (*left == *right || left->isEmpty())
    return true;
  std::optional<DigitMap> shortLeft = left->canonical(),
                          shortRight = right->canonical();
  if (!shortLeft || !shortRight)
    return std::nullopt;
  if (shortLeft->getNumInnerNodes() == shortRight->getNumInnerNodes() &&
      shortLeft->getEdges() == shortRight->getEdges())
    return true;
  if (shortLeft->getNumInnerNodes() == 0 && shortRight->getNumInnerNodes() == 0)
    return false;
  if (std::optional<bool> answer =
          compareElements(*shortLeft, *shortRight, budget))
    return answer;
  return compareMaps(shortLeft->toIndexingMap(), shortRight->toIndexingMap(),
                     budget)
      .answer();
}

std::optional<bool> mlir::tensoraccess::isBijective(const Layout &layout) {
  std::optional<LayoutSizes> sizes = getSizes(layout);
  if (!sizes)
    return std::nullopt;
  if (sizes->elements == sizes->paddedElements)
    return true;
  if (layout.hasStaticShape() ||
      sizes->paddedElements.isKnownAbove(sizes->elements))
    return false;
  return std::nullopt;
}

std::optional<LayoutWaste> mlir::tensoraccess::getWaste(const Layout &layout) {
  std::optional<int64_t> bytes = layout.getSizeBytes();
  if (!bytes)
    return std::nullopt;
  LayoutWaste waste;
  waste.elements = *layout.getElements();
  waste.paddedElements = *layout.getPaddedElements();
  waste.elementBits =
      layout.elementBits.value_or(layout.elementType->getBits());
  // No more bits than in memory, which fit.
  waste.usedBytes = ceilDivPositive(waste.elements * waste.elementBits, 8);
  waste.sizeBytes = *bytes;
  return waste;
}

std::optional<DigitMap> mlir::tensoraccess::getRelayout(const Layout &from,
                                                        const Layout &to) {
  if (!from.shape || from.shape != to.shape)
    return std::nullopt;
  std::optional<DigitMap> source = getDigits(from), target = getDigits(to);
  if (!source || !target)
    return std::nullopt;
  std::optional<DigitMap> back = source->inverse();
  return back ? back->then(*target) : std::nullopt;
}

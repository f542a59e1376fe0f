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
//   1. Maps that put an element at different places, of the few that are tried,
//      are different.
//   2. Equal canonical forms are equal maps.
//   3. Without inner nodes the form is unique: f(1) is the first stride, the
//      first v with f(v) ≠ v·f(1) ends the first digit, and so on.
//   4. All elements are compared, if the budget allows.
//   5. The forms engine proves or refutes it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutStages.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

namespace {
/// The physical dimensions, major to minor, each a list of digits in a pool.
class PhysicalDims {
public:
  explicit PhysicalDims(DigitMapBuilder &builder) : builder(builder) {}

  /// A dimension that is a node.
  void push(unsigned node) {
    size_t begin = pool.size();
    append(builder.whole(node));
    dims.push_back(since(begin));
  }
  void apply(const Tile &tile);
  /// Elements of all dimensions; std::nullopt if they don't fit.
  std::optional<int64_t> countElements() const;
  /// The digits of all dimensions.
  void write(SmallVectorImpl<DigitPiece> &all) const {
    for (const Dim &dim : dims)
      for (unsigned i = dim.begin; i < dim.end; ++i)
        all.push_back(pool[i]);
  }

private:
  struct Dim {
    unsigned begin = 0, end = 0;
  };
  Dim since(size_t begin) const {
    return {static_cast<unsigned>(begin), static_cast<unsigned>(pool.size())};
  }
  void append(ArrayRef<DigitPiece> list) {
    for (const DigitPiece &piece : list)
      pool.push_back(piece);
  }

  DigitMapBuilder &builder;
  SmallVector<DigitPiece, 32> pool;
  SmallVector<Dim, 12> dims;
};
} // namespace

std::optional<int64_t> PhysicalDims::countElements() const {
  int64_t elements = 1;
  for (const Dim &dim : dims)
    for (unsigned i = dim.begin; i < dim.end; ++i)
      if (__builtin_mul_overflow(elements, pool[i].extent, &elements))
        return std::nullopt;
  return elements;
}

void PhysicalDims::apply(const Tile &tile) {
  auto copy = [&](unsigned begin, unsigned end) {
    for (unsigned i = begin; i < end; ++i)
      pool.push_back(pool[i]);
  };
  DigitList list;
  applyTile(
      dims, tile, Dim(),
      [&](Dim &dim, Dim next) {
        const unsigned begin = dim.end == pool.size() ? dim.begin : pool.size();
        if (begin != dim.begin)
          copy(dim.begin, dim.end);
        copy(next.begin, next.end);
        dim = since(begin);
        return true;
      },
      [&](Dim &dim, int64_t size, Dim &inner) {
        list.clear();
        builder.join(list, 0,
                     ArrayRef(pool).slice(dim.begin, dim.end - dim.begin));
        size_t begin = pool.size();
        builder.cut(list, size, pool);
        inner = since(begin);
        begin = pool.size();
        append(list);
        dim = since(begin);
        return true;
      });
}

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
  PhysicalDims dims(builder);
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    dims.push(dim);
  std::optional<int64_t> elements = dims.countElements();
  for (const Tile &tile : layout.tiles) {
    if (!elements)
      return std::nullopt;
    dims.apply(tile);
    elements = dims.countElements();
  }
  if (!elements)
    return std::nullopt;
  SmallVector<DigitPiece, 16> digits;
  dims.write(digits);
  builder.setTargets(*elements);
  builder.addTo(0, digits, 1);
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

/// Compares all elements; std::nullopt beyond the budget.
static std::optional<bool> compareElements(const DigitMap &a, const DigitMap &b,
                                           uint64_t budget) {
  ArrayRef<int64_t> shape = a.getBounds().take_front(a.getNumSources());
  std::optional<int64_t> elements = checkedProduct(shape);
  if (!elements || static_cast<uint64_t>(*elements) > budget)
    return std::nullopt;
  return forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    int64_t left, right;
    return a.evaluate(index, left) && b.evaluate(index, right) && left == right;
  });
}

/// Whether two maps of a shape differ at the last index or at the middle one,
/// which all of their digits take part in.
static bool differAtSome(const DigitMap &a, const DigitMap &b) {
  SmallVector<int64_t, 8> index;
  for (int64_t size : a.getBounds().take_front(a.getNumSources()))
    index.push_back(size - 1);
  for (bool isLast : {true, false}) {
    int64_t left, right;
    if (!a.evaluate(index, left) || !b.evaluate(index, right) || left != right)
      return true;
    if (isLast)
      for (int64_t &i : index)
        i /= 2;
  }
  return false;
}

/// The steps above.
static std::optional<bool> areSame(const DigitMap &left, const DigitMap &right,
                                   uint64_t budget) {
  if (left == right || left.isEmpty())
    return true;
  if (differAtSome(left, right))
    return false;
  std::optional<DigitMap> shortLeft = left.canonical(),
                          shortRight = right.canonical();
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
  return areSame(*left, *right, budget);
}

std::optional<bool>
mlir::tensoraccess::movesNothing(const Layout &from, const Layout &to,
                                 ArrayRef<int64_t> permutation,
                                 uint64_t budget) {
  std::optional<int64_t> places = from.getPaddedElements();
  if (!places || places != to.getPaddedElements())
    return false;
  // The source with its dimensions named after those of the transposed array.
  SmallVector<int64_t> shape, name(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation)) {
    shape.push_back((*from.shape)[dim]);
    name[dim] = i;
  }
  Layout source = from.withShape(shape, *from.elementType);
  for (int64_t &dim : source.minorToMajor)
    dim = name[dim];
  if (*to.shape == *source.shape)
    return isSameMap(source, to, budget);
  std::optional<DigitMap> left = DigitMap::rowMajor(*to.shape),
                          reshape = DigitMap::rowMajor(shape),
                          numbers = getDigits(source), right = getDigits(to);
  std::optional<DigitMap> back = reshape ? reshape->inverse() : std::nullopt;
  left = left && back ? left->then(*back) : std::nullopt;
  left = left && numbers ? left->then(*numbers) : std::nullopt;
  if (!left || !right)
    return std::nullopt;
  return areSame(*left, *right, budget);
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

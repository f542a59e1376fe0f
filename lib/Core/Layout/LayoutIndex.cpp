//===- LayoutIndex.cpp - Where a tiled layout puts elements ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three steps of Layout.h, kept as a list of *stages*: a stage is the
// physical shape before a tile, after its leading ones and its merges. Going
// through the stages forwards turns an index into coordinates, backwards turns
// coordinates into an index; a backward step that leaves its stage's bounds has
// met padding.
//
// All arithmetic is checked once, on the shapes: coordinates are below their
// bounds, and the number of an element is below the number of all elements.
//
// The maps take the same steps with forms in place of numbers: forwards in
// LayoutSizes.cpp.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/LayoutStages.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

namespace {
/// Sizes or coordinates; on the stack for all but the longest lists of tiles.
using Numbers = SmallVector<int64_t, 12>;

/// A coordinate of a physical dimension, and its bound.
struct Coordinate {
  int64_t at = 0, size = 1;
};
using Coordinates = SmallVector<Coordinate, 12>;

/// The shape before a tile, at least as long as the tile.
struct Stage {
  Numbers sizes;
  /// Dimensions that were put in front, of size 1.
  size_t added = 0;
  const Tile *tile = nullptr;

  size_t getPrefix() const { return sizes.size() - tile->size(); }
};
using Stages = SmallVector<Stage, 3>;
} // namespace

/// One tile forwards; false on overflow.
static bool apply(const Tile &tile, Coordinates &coordinates) {
  return applyTile(
      coordinates, tile, Coordinate(),
      [](Coordinate &x, const Coordinate &next) {
        if (__builtin_mul_overflow(x.size, next.size, &x.size))
          return false;
        x.at = x.at * next.size + next.at;
        return true;
      },
      [](Coordinate &x, int64_t size, Coordinate &inner) {
        inner = {x.at % size, size};
        x = {x.at / size, ceilDivPositive(x.size, size)};
        return true;
      });
}

/// How many there are; std::nullopt on overflow.
static std::optional<int64_t> countPlaces(const Coordinates &coordinates) {
  return checkedProduct(
      llvm::map_range(coordinates, [](const Coordinate &x) { return x.size; }));
}

/// The physical coordinates of an index (all 0 if empty), major to minor, and the
/// stages on the way; std::nullopt without a shape and on overflow.
static std::optional<Coordinates> getCoordinates(const Layout &layout,
                                                 ArrayRef<int64_t> index = {},
                                                 Stages *stages = nullptr) {
  if (!layout.hasStaticShape())
    return std::nullopt;
  Coordinates coordinates;
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    coordinates.push_back(
        {index.empty() ? 0 : index[dim], (*layout.shape)[dim]});
  for (const Tile &tile : layout.tiles) {
    if (stages) {
      Stage &stage = stages->emplace_back();
      stage.tile = &tile;
      if (tile.size() > coordinates.size())
        stage.added = tile.size() - coordinates.size();
      stage.sizes.assign(stage.added, 1);
      for (const Coordinate &x : coordinates)
        stage.sizes.push_back(x.size);
    }
    if (!apply(tile, coordinates))
      return std::nullopt;
  }
  return countPlaces(coordinates) ? std::optional(std::move(coordinates))
                                  : std::nullopt;
}

std::optional<SmallVector<int64_t>> Layout::getPhysicalShape() const {
  std::optional<Coordinates> coordinates = getCoordinates(*this);
  if (!coordinates)
    return std::nullopt;
  return llvm::map_to_vector(*coordinates,
                             [](const Coordinate &x) { return x.size; });
}

std::optional<int64_t> Layout::getElements() const {
  return shape ? checkedProduct(*shape) : std::nullopt;
}

std::optional<int64_t> Layout::getPaddedElements() const {
  std::optional<Coordinates> coordinates = getCoordinates(*this);
  if (!coordinates)
    return std::nullopt;
  return checkedMul(ceilDivPositive(*countPlaces(*coordinates), tailAlignment),
                    tailAlignment);
}

std::optional<int64_t> Layout::getSizeBytes() const {
  std::optional<int64_t> elements = getPaddedElements();
  if (!elements)
    return std::nullopt;
  std::optional<int64_t> bits =
      checkedMul(*elements, elementBits.value_or(elementType->getBits()));
  if (!bits)
    return std::nullopt;
  return ceilDivPositive(*bits, 8);
}

/// One tile backwards; std::nullopt in padding.
static std::optional<Numbers> undoTile(const Stage &stage,
                                       ArrayRef<int64_t> coordinates) {
  size_t prefix = stage.getPrefix();
  size_t count = llvm::count_if(
      *stage.tile, [](const TileEntry &entry) { return !entry.isCombine(); });
  size_t inner = coordinates.size() - count; // where the tile's own begin
  Numbers all(stage.sizes.size(), 0);
  llvm::copy(coordinates.take_front(prefix), all.begin());
  // From minor to major: an unmarked entry begins a merged dimension, which
  // the marked ones before it take their digits from.
  int64_t rest = 0;
  for (size_t j = stage.tile->size(); j-- > 0;) {
    const TileEntry &entry = (*stage.tile)[j];
    if (!entry.isCombine()) {
      if (rest != 0)
        return std::nullopt;
      --count;
      rest = coordinates[prefix + count] * entry.getSize() +
             coordinates[inner + count];
    }
    all[prefix + j] = rest % stage.sizes[prefix + j];
    rest /= stage.sizes[prefix + j];
  }
  if (rest != 0 ||
      llvm::any_of(ArrayRef(all).take_front(stage.added),
                   [](int64_t coordinate) { return coordinate != 0; }))
    return std::nullopt;
  all.erase(all.begin(), all.begin() + stage.added);
  return all;
}

std::optional<int64_t> Layout::linearize(ArrayRef<int64_t> index) const {
  if (!hasStaticShape() || index.size() != shape->size())
    return std::nullopt;
  for (auto [coordinate, size] : llvm::zip_equal(index, *shape))
    if (coordinate < 0 || coordinate >= size)
      return std::nullopt;
  std::optional<Coordinates> coordinates = getCoordinates(*this, index);
  if (!coordinates)
    return std::nullopt;
  int64_t number = 0;
  for (const Coordinate &x : *coordinates)
    number = number * x.size + x.at;
  return number;
}

std::optional<SmallVector<int64_t>> Layout::delinearize(int64_t number) const {
  Stages stages;
  std::optional<Coordinates> physical = getCoordinates(*this, {}, &stages);
  if (!physical || number < 0)
    return std::nullopt;
  Numbers coordinates(physical->size());
  for (size_t i = physical->size(); i-- > 0;) {
    const int64_t size = (*physical)[i].size;
    if (size == 0)
      return std::nullopt;
    coordinates[i] = number % size;
    number /= size;
  }
  if (number != 0)
    return std::nullopt;
  for (const Stage &stage : llvm::reverse(stages)) {
    std::optional<Numbers> before = undoTile(stage, coordinates);
    if (!before)
      return std::nullopt;
    coordinates = std::move(*before);
  }
  SmallVector<int64_t> index(shape->size());
  for (auto [dim, coordinate] :
       llvm::zip_equal(llvm::reverse(minorToMajor), coordinates))
    index[dim] = coordinate;
  return index;
}

//===----------------------------------------------------------------------===//
// As indexing maps
//===----------------------------------------------------------------------===//

std::optional<IndexingMap> Layout::getIndexingMap() const {
  std::string reason;
  return getDynamicMap(*this, /*linear=*/true, reason);
}

std::optional<IndexingMap> Layout::getPhysicalMap() const {
  std::string reason;
  return getDynamicMap(*this, /*linear=*/false, reason);
}

/// `undoTile` with forms; padding is what the constraints leave out.
static SmallVector<Form> undoTile(const LayoutStage &stage,
                                  IndexingMapBuilder &map,
                                  ArrayRef<Form> coordinates) {
  FormArena &arena = map.arena();
  SmallVector<Form> all(stage.sizes.size(), Form(0));
  for (auto [i, group] : llvm::enumerate(stage.groups)) {
    Form rest = coordinates[i];
    if (i >= stage.getPrefix()) {
      rest = arena.addScaled(coordinates[i + stage.tile.size()], rest,
                             stage.tile[i - stage.getPrefix()]);
      map.addConstraint(rest,
                        Interval::ofExtent(stage.merged[i].getConstant()));
    }
    // The most major of the merged dimensions takes what is left.
    for (int64_t dim : llvm::reverse(ArrayRef(group).drop_front())) {
      int64_t size = stage.sizes[dim].getConstant();
      all[dim] = arena.mod(rest, size);
      rest = arena.floorDiv(rest, size);
    }
    all[group.front()] = rest;
  }
  all.erase(all.begin(), all.begin() + stage.added);
  return all;
}

std::optional<IndexingMap> Layout::getLogicalMap() const {
  SmallVector<SizeExpr> sizes;
  std::optional<SmallVector<LayoutStage, 2>> stages = getStages(*this, sizes);
  std::optional<SmallVector<int64_t>> physical = getPhysicalShape();
  if (!stages || !physical)
    return std::nullopt;
  if (llvm::is_contained(*shape, 0))
    return emptyMap(*physical, shape->size());
  IndexingMapBuilder map;
  SmallVector<Form> coordinates;
  for (int64_t size : *physical)
    coordinates.push_back(map.addDim(Interval::ofExtent(size)));
  for (const LayoutStage &stage : llvm::reverse(*stages))
    coordinates = undoTile(stage, map, coordinates);
  SmallVector<Form> index(shape->size());
  for (auto [dim, coordinate] :
       llvm::zip_equal(llvm::reverse(minorToMajor), coordinates))
    index[dim] = coordinate;
  for (const Form &form : index)
    map.addResult(form);
  return map.build().simplify();
}

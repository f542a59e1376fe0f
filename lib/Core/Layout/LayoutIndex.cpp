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

/// One tile at work on a physical shape.
struct Stage {
  /// Sizes before the tile; at least as many as the tile has entries.
  Numbers sizes;
  /// Dimensions that were put in front, of size 1.
  size_t added = 0;
  /// The tile, in which `*` stands for the dimensions it merges.
  const Tile *tile = nullptr;

  size_t getPrefix() const { return sizes.size() - tile->size(); }
};
using Stages = SmallVector<Stage, 3>;
} // namespace

/// The sizes that the tile divides: its dimensions after the merges.
static std::optional<Numbers> mergeSizes(const Stage &stage) {
  Numbers merged;
  int64_t product = 1;
  for (auto [entry, size] : llvm::zip_equal(
           *stage.tile, ArrayRef(stage.sizes).drop_front(stage.getPrefix()))) {
    std::optional<int64_t> next = checkedMul(product, size);
    if (!next)
      return std::nullopt;
    product = *next;
    if (entry.isCombine())
      continue;
    merged.push_back(product);
    product = 1;
  }
  return merged;
}

/// The tile's sizes without its marks.
static Numbers tileSizes(const Tile &tile) {
  Numbers sizes;
  for (const TileEntry &entry : tile)
    if (!entry.isCombine())
      sizes.push_back(entry.getSize());
  return sizes;
}

/// All stages and the physical shape after the last; std::nullopt without a
/// shape and on overflow.
static std::optional<Numbers> getStaticStages(const Layout &layout,
                                              SmallVectorImpl<Stage> &stages) {
  if (!layout.hasStaticShape())
    return std::nullopt;
  Numbers sizes;
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    sizes.push_back((*layout.shape)[dim]);
  for (const Tile &tile : layout.tiles) {
    Stage stage;
    stage.tile = &tile;
    if (tile.size() > sizes.size())
      stage.added = tile.size() - sizes.size();
    stage.sizes.assign(stage.added, 1);
    llvm::append_range(stage.sizes, sizes);

    std::optional<Numbers> merged = mergeSizes(stage);
    if (!merged)
      return std::nullopt;
    Numbers divisors = tileSizes(tile);
    sizes.assign(stage.sizes.begin(), stage.sizes.begin() + stage.getPrefix());
    for (auto [size, divisor] : llvm::zip_equal(*merged, divisors))
      sizes.push_back(ceilDivPositive(size, divisor));
    llvm::append_range(sizes, divisors);
    stages.push_back(std::move(stage));
  }
  if (!checkedProduct(sizes))
    return std::nullopt;
  return sizes;
}

std::optional<SmallVector<int64_t>> Layout::getPhysicalShape() const {
  Stages stages;
  std::optional<Numbers> sizes = getStaticStages(*this, stages);
  if (!sizes)
    return std::nullopt;
  return SmallVector<int64_t>(sizes->begin(), sizes->end());
}

std::optional<int64_t> Layout::getElements() const {
  return shape ? checkedProduct(*shape) : std::nullopt;
}

std::optional<int64_t> Layout::getPaddedElements() const {
  Stages stages;
  std::optional<Numbers> sizes = getStaticStages(*this, stages);
  if (!sizes)
    return std::nullopt;
  return checkedMul(ceilDivPositive(*checkedProduct(*sizes), tailAlignment),
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

/// One tile forwards: coordinates before it to coordinates after it.
static Numbers applyTile(const Stage &stage, ArrayRef<int64_t> coordinates) {
  Numbers all(stage.added, 0);
  llvm::append_range(all, coordinates);
  size_t prefix = stage.getPrefix();
  Numbers outer(all.begin(), all.begin() + prefix), inner;
  int64_t merged = 0;
  for (auto [j, entry] : llvm::enumerate(*stage.tile)) {
    merged = merged * stage.sizes[prefix + j] + all[prefix + j];
    if (entry.isCombine())
      continue;
    outer.push_back(merged / entry.getSize());
    inner.push_back(merged % entry.getSize());
    merged = 0;
  }
  llvm::append_range(outer, inner);
  return outer;
}

/// One tile backwards; std::nullopt in padding.
static std::optional<Numbers> undoTile(const Stage &stage,
                                       ArrayRef<int64_t> coordinates) {
  size_t prefix = stage.getPrefix();
  size_t count = tileSizes(*stage.tile).size();
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
  Stages stages;
  std::optional<Numbers> sizes = getStaticStages(*this, stages);
  if (!sizes || index.size() != shape->size())
    return std::nullopt;
  for (auto [coordinate, size] : llvm::zip_equal(index, *shape))
    if (coordinate < 0 || coordinate >= size)
      return std::nullopt;
  Numbers coordinates;
  for (int64_t dim : llvm::reverse(minorToMajor))
    coordinates.push_back(index[dim]);
  for (const Stage &stage : stages)
    coordinates = applyTile(stage, coordinates);
  int64_t number = 0;
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, *sizes))
    number = number * size + coordinate;
  return number;
}

std::optional<SmallVector<int64_t>> Layout::delinearize(int64_t number) const {
  Stages stages;
  std::optional<Numbers> sizes = getStaticStages(*this, stages);
  if (!sizes || number < 0 || number >= *checkedProduct(*sizes))
    return std::nullopt;
  Numbers coordinates(sizes->size());
  for (size_t i = sizes->size(); i-- > 0;) {
    coordinates[i] = number % (*sizes)[i];
    number /= (*sizes)[i];
  }
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

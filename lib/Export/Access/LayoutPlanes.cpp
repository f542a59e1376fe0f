//===- LayoutPlanes.cpp - What a picture of a layout shows ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Rows and columns are the two dimensions, longer than 1 if possible, that
//      are most minor in memory; the others number the planes.
//   2. Where the first tile doesn't divide a dimension, the plane is drawn with
//      its padding: as a plane of the array rounded up to whole tiles, which
//      has the same physical shape. (After a `*` it has another one: then
//      padding is shown in memory only.)
//   3. Which tile an element belongs to at a level is what the layout with the
//      tiles up to that level says before the dimensions inside of the tile.
//   4. Memory is cut into rows that hold whole minor dimensions of the physical
//      shape.
//   5. Where each tile of a level is one stretch of memory, its padding belongs
//      to it, too.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlanes.h"
#include "TensorAccess/Core/Checked.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// One level of tiles: says which tile an index is in.
class TileLevel {
public:
  TileLevel(const Layout &layout, size_t level) {
    Layout part = layout;
    part.tiles.truncate(level + 1);
    map = *part.getPhysicalMap();
    inside = llvm::count_if(part.tiles[level], [](const TileEntry &entry) {
      return !entry.isCombine();
    });
  }

  /// Tiles of this level, with those that have no element.
  static std::optional<int64_t> count(const Layout &layout, size_t level) {
    Layout part = layout;
    part.tiles.truncate(level + 1);
    SmallVector<int64_t> shape = *part.getPhysicalShape();
    shape.truncate(shape.size() -
                   llvm::count_if(part.tiles[level], [](const TileEntry &e) {
                     return !e.isCombine();
                   }));
    return checkedProduct(shape);
  }

  int64_t getTile(ArrayRef<int64_t> index) {
    std::optional<SmallVector<int64_t>> place = map.evaluate(index, {}, {});
    assert(place && "the index lies in the shape");
    std::vector<int64_t> tile(place->begin(), place->end() - inside);
    return numbers.try_emplace(tile, numbers.size()).first->second;
  }

private:
  IndexingMap map;
  size_t inside;
  std::map<std::vector<int64_t>, int64_t> numbers;
};

/// The place of an element, or of padding.
struct LayoutCell {
  /// Its place in memory.
  int64_t number = 0;
  bool isPadding = false;
  SmallVector<int64_t, 2> tiles;
  /// Of its element; empty for padding.
  SmallVector<int64_t> index;

  TableCell label(std::string label) const {
    return {std::move(label),
            getSoftFill(tiles.empty() ? 0 : tiles.front()).str(), isPadding,
            tiles};
  }
};

} // namespace

StringRef mlir::tensoraccess::getSoftFill(int64_t number) {
  static constexpr llvm::StringLiteral kFills[] = {
      "#dbeafe", "#fef3c7", "#dcfce7", "#fae8ff", "#ffedd5", "#cffafe"};
  return kFills[static_cast<size_t>(std::max<int64_t>(number, 0)) %
                std::size(kFills)];
}

std::optional<std::string>
mlir::tensoraccess::checkOptions(const LayoutPictureOptions &options) {
  for (auto [what, value] :
       {std::pair("rows", options.maxRows), {"columns", options.maxColumns}})
    if (value < 8 || value > 1024)
      return std::string(what) + " must be in [8, 1024], got " +
             std::to_string(value);
  if (options.maxPlanes < 1 || options.maxPlanes > 1024)
    return "planes must be in [1, 1024], got " +
           std::to_string(options.maxPlanes);
  if (options.maxWidth != 0 && options.maxWidth < 20)
    return "width must be 0 or at least 20, got " +
           std::to_string(options.maxWidth);
  return std::nullopt;
}

/// The shape with the dimensions that the first tile cuts rounded up to whole
/// tiles; the entry of the tile in `borders`.
static SmallVector<int64_t> roundUp(const Layout &layout,
                                    SmallVector<int64_t> &borders) {
  SmallVector<int64_t> sizes(ArrayRef<int64_t>(*layout.shape));
  borders.assign(sizes.size(), 0);
  if (layout.tiles.empty())
    return sizes;
  const Tile entries(llvm::reverse(layout.tiles.front()));
  for (size_t i = 0; i < std::min(entries.size(), sizes.size()); ++i) {
    // A merged dimension is cut together with the next minor one.
    if (entries[i].isCombine() ||
        (i + 1 < entries.size() && entries[i + 1].isCombine()))
      continue;
    const int64_t dim = layout.minorToMajor[i], size = entries[i].getSize();
    borders[dim] = size;
    sizes[dim] = checkedMul(ceilDivPositive(sizes[dim], size), size)
                     .value_or(sizes[dim]);
  }
  return sizes;
}

static std::vector<std::string> summarize(const Layout &layout) {
  const int64_t elements = *layout.getElements();
  const int64_t padded = *layout.getPaddedElements();
  std::vector<std::string> lines;
  const SmallVector<int64_t> physical = *layout.getPhysicalShape();
  lines.push_back((physical.empty()
                       ? "no dimensions"
                       : "physical shape " + shapeToString(physical)) +
                  ", " + std::to_string(*layout.getSizeBytes()) + " bytes");
  const std::string count =
      std::to_string(elements) + (elements == 1 ? " element" : " elements");
  std::string waste = count + ", no padding";
  if (padded != elements)
    waste = llvm::formatv("{0}, {1} of padding ({2:F1}% of {3})", count,
                          padded - elements,
                          100.0 * static_cast<double>(padded - elements) /
                              static_cast<double>(padded),
                          padded)
                .str();
  lines.push_back(waste);
  return lines;
}

/// Step 5: padding takes its tile from its place, if the elements that are
/// drawn do, too. Levels are completed from the first one on.
static void completeTiles(std::vector<std::vector<LayoutCell>> &memory,
                          size_t level, int64_t numTiles, int64_t places) {
  if (numTiles == 0 || places % numTiles != 0)
    return;
  const int64_t block = places / numTiles;
  std::map<int64_t, int64_t> tileOfBlock, blockOfTile;
  for (const auto &row : memory)
    for (const LayoutCell &cell : row) {
      if (cell.isPadding)
        continue;
      const int64_t tile = cell.tiles[level], at = cell.number / block;
      if (tileOfBlock.try_emplace(at, tile).first->second != tile ||
          blockOfTile.try_emplace(tile, at).first->second != at)
        return;
    }
  for (auto &row : memory)
    for (LayoutCell &cell : row)
      // The tail belongs to no tile.
      if (cell.isPadding && cell.number < places && cell.tiles.size() == level)
        cell.tiles.push_back(
            tileOfBlock
                .try_emplace(cell.number / block, -1 - cell.number / block)
                .first->second);
}

std::optional<LayoutPlanes>
LayoutPlanes::make(const Layout &layout, const LayoutPictureOptions &options,
                   std::string &problem) {
  auto refuse = [&](std::string why) {
    problem = std::move(why);
    return std::nullopt;
  };
  if (std::optional<std::string> wrong = checkOptions(options))
    return refuse(*wrong);
  if (!layout.shape)
    return refuse("layout '" + layout.str() + "' has no shape to draw");
  if (auto *size = llvm::find_if(*layout.shape, Layout::isDynamic);
      size != layout.shape->end())
    return refuse("a picture of layout '" + layout.str() +
                  "' needs the size of dimension " +
                  std::to_string(size - layout.shape->begin()) +
                  ", which is dynamic");
  if (!layout.getSizeBytes())
    return refuse("the size of '" + layout.str() +
                  "' overflows 64-bit arithmetic");

  LayoutPlanes planes;
  planes.summary = summarize(layout);
  planes.levels = layout.tiles.size();
  const int64_t padded = *layout.getPaddedElements();

  // 1.
  SmallVector<int64_t> order;
  for (bool isLong : {true, false})
    for (int64_t d : layout.minorToMajor)
      if (((*layout.shape)[d] != 1) == isLong && order.size() < 2)
        order.push_back(d);
  llvm::sort(order);
  if (!order.empty())
    planes.columnDim = order.back();
  if (order.size() == 2)
    planes.rowDim = order.front();

  // 2.
  SmallVector<int64_t> borders;
  Layout drawn = layout;
  SmallVector<int64_t> whole(ArrayRef<int64_t>(*layout.shape));
  {
    SmallVector<int64_t> rounded = roundUp(layout, borders);
    for (int dim : {planes.rowDim, planes.columnDim})
      if (dim >= 0)
        whole[dim] = rounded[dim];
    Layout full = layout.withShape(whole, *layout.elementType);
    if (full.getPhysicalShape() == layout.getPhysicalShape())
      drawn = full;
  }
  auto extentOf = [&](int dim) { return dim < 0 ? 1 : (*drawn.shape)[dim]; };
  auto choose = [&](int dim, int64_t most) {
    return chooseIndices(extentOf(dim), dim < 0 ? 0 : borders[dim], most);
  };

  // 3.
  std::vector<TileLevel> levels;
  const bool isEmpty = *layout.getElements() == 0;
  for (size_t level = 0; !isEmpty && level < layout.tiles.size(); ++level)
    levels.emplace_back(drawn, level);
  auto fill = [&](LayoutCell &cell, ArrayRef<int64_t> index) {
    cell.number = *drawn.linearize(index);
    cell.isPadding = !layout.linearize(index);
    for (TileLevel &level : levels)
      cell.tiles.push_back(level.getTile(index));
    if (!cell.isPadding)
      cell.index.assign(index.begin(), index.end());
  };

  SmallVector<int64_t> drawnShape(ArrayRef<int64_t>(*layout.shape));
  planes.planes = makePlanes(drawnShape, planes.rowDim, planes.columnDim,
                             choose(planes.rowDim, options.maxRows),
                             choose(planes.columnDim, options.maxColumns),
                             options.maxPlanes, planes.hiddenPlanes,
                             [&](ArrayRef<int64_t> index) {
                               LayoutCell cell;
                               fill(cell, index);
                               return cell.label(std::to_string(cell.number));
                             });

  // 4.
  int64_t width = 1;
  const SmallVector<int64_t> physical = *layout.getPhysicalShape();
  for (int64_t size : llvm::reverse(physical)) {
    // All of a dimension, or the largest part of it that repeats.
    int64_t part = std::min(size, options.maxColumns / width);
    while (part > 1 && size % part != 0)
      --part;
    // A minor dimension without such a part is cut where the row ends.
    if (width == 1 && part <= 1 && size > 1)
      part = std::min(size, options.maxColumns);
    width *= std::max<int64_t>(part, 1);
    if (part < size)
      break;
  }
  const int64_t places = std::min(padded, width * options.maxRows);
  planes.hiddenPlaces = padded - places;
  std::vector<std::vector<LayoutCell>> memory;
  for (int64_t n = 0; n < places; ++n) {
    if (n % width == 0) {
      memory.emplace_back();
      planes.memory.rows.push_back(n);
    }
    LayoutCell cell;
    cell.number = n;
    cell.isPadding = true;
    if (auto index = layout.delinearize(n))
      fill(cell, *index);
    memory.back().push_back(std::move(cell));
  }
  // 5.
  for (size_t level = 0; level < levels.size(); ++level)
    completeTiles(memory, level, TileLevel::count(layout, level).value_or(0),
                  *checkedProduct(physical));
  planes.memory.hasColumnLabels = planes.memory.hasRowBorders = false;
  planes.memory.columns.assign(memory.empty() ? 0 : memory.front().size(), 0);
  for (const auto &row : memory) {
    auto &cells = planes.memory.cells.emplace_back();
    for (const LayoutCell &cell : row) {
      std::string index;
      for (auto [i, value] : llvm::enumerate(cell.index))
        index += (i ? "," : "") + std::to_string(value);
      cells.push_back(cell.label(index));
    }
  }
  return planes;
}

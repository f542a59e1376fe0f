//===- LayoutPicture.cpp - A tiled layout ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The colour of a cell is that of its tile of the first level, in turn.
//
//   1. Rows and columns are the two dimensions, longer than 1 if possible, that
//      are most minor in memory; the others number the planes.
//   2. Where the first tile doesn't divide a dimension, the plane is drawn with
//      its padding: as a plane of the array rounded up to whole tiles, which
//      has the same physical shape. (After a `*` it has another one: then
//      padding is shown in memory only.)
//   3. Which tile an element belongs to at a level is what the layout with the
//      tiles up to that level has before the dimensions inside of the tile.
//   4. Memory is cut into rows that hold whole minor dimensions of the physical
//      shape.
//   5. Where each tile of a level is one stretch of memory, its padding belongs
//      to it, too.
//
//===----------------------------------------------------------------------===//

#include "LayoutPicture.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// One level of tiles: the tile that an index is in.
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

} // namespace

/// Ink on them has a contrast of at least 10.
static StringRef getSoftFill(int64_t number) {
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
static void completeTiles(std::vector<TableCell> &memory, size_t level,
                          int64_t numTiles, int64_t places) {
  if (numTiles == 0 || places % numTiles != 0)
    return;
  const int64_t block = places / numTiles;
  std::map<int64_t, int64_t> tileOfBlock, blockOfTile;
  for (auto [number, cell] : llvm::enumerate(memory)) {
    if (cell.isPadding)
      continue;
    const int64_t tile = cell.groups[level], at = number / block;
    if (tileOfBlock.try_emplace(at, tile).first->second != tile ||
        blockOfTile.try_emplace(tile, at).first->second != at)
      return;
  }
  for (auto [number, cell] : llvm::enumerate(memory))
    // The tail belongs to no tile.
    if (cell.isPadding && int64_t(number) < places &&
        cell.groups.size() == level) {
      const int64_t at = number / block;
      cell.groups.push_back(tileOfBlock.try_emplace(at, -1 - at).first->second);
    }
}

/// Step 4: how many places a row of memory has.
static int64_t getRowWidth(ArrayRef<int64_t> physical, int64_t maxColumns) {
  int64_t width = 1;
  for (int64_t size : llvm::reverse(physical)) {
    // All of a dimension, or the largest part of it that repeats.
    int64_t part = std::min(size, maxColumns / width);
    while (part > 1 && size % part != 0)
      --part;
    // A minor dimension without such a part is cut where the row ends.
    if (width == 1 && part <= 1 && size > 1)
      part = std::min(size, maxColumns);
    width *= std::max<int64_t>(part, 1);
    if (part < size)
      break;
  }
  return width;
}

/// None and `problem` where there is nothing to draw. The text form has shorter
/// headings.
static std::optional<Picture> drawLayout(const Layout &layout, bool isText,
                                         const LayoutPictureOptions &options,
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

  // 1.
  const SmallVector<int, 2> order =
      chooseTwo(layout.shape->size(), [&](int dim) {
        return std::pair((*layout.shape)[dim] == 1,
                         llvm::find(layout.minorToMajor, dim) -
                             layout.minorToMajor.begin());
      });
  const int columnDim = order.empty() ? -1 : order.back(),
            rowDim = order.size() < 2 ? -1 : order.front();

  // 2.
  SmallVector<int64_t> borders;
  Layout drawn = layout;
  SmallVector<int64_t> whole(ArrayRef<int64_t>(*layout.shape));
  {
    SmallVector<int64_t> rounded = roundUp(layout, borders);
    for (int dim : {rowDim, columnDim})
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
  auto setFill = [](TableCell &cell) {
    cell.fill = getSoftFill(cell.groups.empty() ? 0 : cell.groups.front());
  };
  auto makeCell = [&](ArrayRef<int64_t> index, std::string label) {
    TableCell cell;
    cell.label = std::move(label);
    cell.isPadding = !layout.linearize(index);
    // The place of padding has no number; the text has no hatches.
    if (cell.isPadding && !isText)
      cell.label.clear();
    for (TileLevel &level : levels)
      cell.groups.push_back(level.getTile(index));
    setFill(cell);
    return cell;
  };
  std::string heading;
  if (!isText) {
    heading = "numbers in memory";
    if (columnDim >= 0)
      heading += ": d" + std::to_string(columnDim) + " across";
    if (rowDim >= 0)
      heading += ", d" + std::to_string(rowDim) + " down";
  }
  Stack parts;
  parts.isAcross = true;
  parts.gap = 44;
  parts.maxWidth = 1000;
  parts.parts.push_back(makePlanes(
      ArrayRef<int64_t>(*layout.shape), rowDim, columnDim,
      choose(rowDim, options.maxRows), choose(columnDim, options.maxColumns),
      options.maxPlanes, heading, [&](ArrayRef<int64_t> index) {
        return makeCell(index, std::to_string(*drawn.linearize(index)));
      }));

  // 4. and 5.
  const SmallVector<int64_t> physical = *layout.getPhysicalShape();
  const int64_t padded = *layout.getPaddedElements(),
                width = getRowWidth(physical, options.maxColumns),
                places = std::min(padded, width * options.maxRows);
  std::vector<TableCell> cells;
  for (int64_t n = 0; n < places; ++n) {
    TableCell cell;
    cell.isPadding = true;
    if (auto index = layout.delinearize(n))
      cell = makeCell(
          *index,
          llvm::join(llvm::map_range(
                         *index, [](int64_t i) { return std::to_string(i); }),
                     ","));
    cells.push_back(std::move(cell));
  }
  for (size_t level = 0; level < levels.size(); ++level)
    completeTiles(cells, level, TileLevel::count(layout, level).value_or(0),
                  *checkedProduct(physical));
  llvm::for_each(cells, setFill);
  CellTable memory;
  memory.hasColumnLabels = memory.hasRowBorders = false;
  memory.columns.assign(std::min(width, places), 0);
  for (int64_t n = 0; n < places; n += width) {
    memory.rows.push_back(n);
    memory.cells.emplace_back(cells.begin() + n,
                              cells.begin() + std::min(n + width, places));
  }
  Panel panel{{TextLine::heading(isText ? "memory"
                                        : "memory: indices of the elements")},
              std::move(memory),
              {}};
  if (places < padded)
    panel.foot.push_back(
        TextLine::note("… and " + std::to_string(padded - places) + " more"));
  if (places > 0)
    parts.parts.push_back(std::move(panel));

  Panel body{{}, std::move(parts), {}};
  // How much of memory is used, to scale.
  const int64_t elements = *layout.getElements();
  if (!isText && padded > elements) {
    BarTable table;
    table.columns = {{"", 0}, {"", 360}};
    const double all = static_cast<double>(padded),
                 used = static_cast<double>(elements);
    BarTable::Entry bar{{llvm::formatv("{0:F1} %", 100 * used / all).str()},
                        {{used, color::access}, {all - used, color::rule}}};
    table.rows.push_back({BarTable::Entry{{"used"}, {}}, std::move(bar)});
    Stack both;
    both.gap = 10;
    both.parts.push_back(Panel{{}, std::move(table), {}});
    both.parts.push_back(std::move(body));
    body = Panel{{}, std::move(both), {}};
  }
  Picture picture{layout.str(), "", summarize(layout), std::move(body)};
  picture.legend.push_back(Key::swatch("", "padding", /*isHatched=*/true));
  if (!layout.tiles.empty())
    picture.legend.push_back(Key::border(0, "border of a tile"));
  if (layout.tiles.size() > 1)
    picture.legend.push_back(Key::border(1, "border of a tile inside of it"));
  return picture;
}

/// What is known of a layout with dynamic sizes: no places, but sizes.
static std::optional<std::string> writeSizes(const Layout &layout,
                                             llvm::raw_ostream &os) {
  std::optional<LayoutSizes> sizes = getSizes(layout);
  if (!sizes)
    return "the size of '" + layout.str() + "' overflows 64-bit arithmetic";
  os << layout.str() << "\nphysical shape ";
  llvm::interleave(
      sizes->physicalShape, os, [&](const SizeExpr &size) { os << size.str(); },
      " x ");
  os << ", " << sizes->sizeBytes.str() << " bytes\n"
     << sizes->elements.str() << " elements, ";
  SizeDifference padding(sizes->paddedElements, sizes->elements);
  if (padding == SizeDifference())
    os << "no padding\n";
  else
    os << padding.str() << " of padding\n";
  return std::nullopt;
}

std::optional<std::string>
mlir::tensoraccess::writeLayoutSvg(const Layout &layout, llvm::raw_ostream &os,
                                   const LayoutPictureOptions &options) {
  std::string problem;
  std::optional<Picture> picture =
      drawLayout(layout, /*isText=*/false, options, problem);
  if (!picture)
    return problem;
  writeSvg(*picture, os);
  return std::nullopt;
}

std::optional<std::string>
mlir::tensoraccess::writeLayoutText(const Layout &layout, llvm::raw_ostream &os,
                                    const LayoutPictureOptions &options) {
  if (layout.shape && !layout.hasStaticShape())
    return writeSizes(layout, os);
  std::string problem;
  std::optional<Picture> picture =
      drawLayout(layout, /*isText=*/true, options, problem);
  if (!picture)
    return problem;
  print(*picture, os, options.maxWidth);
  return std::nullopt;
}

//===- TileToSvg.cpp - What a tile of a result reads, as a picture --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A panel per tensor: the result with the tile, then each argument with what is
// read of it. A panel shows a plane of the tensor as squares, one an element:
// two dimensions along which the tile has more than one index, preferably those
// that it covers in part, the longest first. Of a plane that is too large the
// part around the tile is shown, and the text says so.
//
// Elements that the tile's box has outside of the tensor, or that its mask
// excludes, are hatched: they are not read.
//
//===----------------------------------------------------------------------===//

#include "TileToSvg.h"
#include "Canvas/Grid.h"
#include "TensorAccess/Analysis/TilePropagation.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kCell = 15, kMaxCells = 26, kMargin = 20, kGap = 48;
constexpr int kTitle = 16, kHeading = 13, kText = 12, kMaxWidth = 1000;

/// The indices [begin, end) of a dimension that are drawn.
struct View {
  int dim = -1; ///< -1: the tensor has fewer dimensions; one square.
  int64_t begin = 0, end = 1, extent = 1;
  int64_t count() const { return end - begin; }
};

class Panel {
public:
  /// `box` is the unclipped tile, if known: it may reach outside.
  Panel(std::string name, ArrayRef<int64_t> shape, const StridedTile *tile,
        const StridedTile *box, StringRef problem, StringRef fill);

  int getWidth() const;
  int getHeight() const;
  void draw(SvgCanvas &canvas, int x, int y) const;

private:
  SmallVector<View, 2> chooseViews() const;

  SmallVector<int64_t> shape;
  std::optional<StridedTile> tile, box;
  StringRef fill;
  View rows, columns;
  std::string heading;
  SmallVector<std::string> lines;
};

} // namespace

/// What to show of one dimension: all of it, or the part around [lo, hi].
static View getView(int dim, int64_t extent, int64_t lo, int64_t hi) {
  View view;
  view.dim = dim;
  view.extent = extent;
  view.begin = std::min<int64_t>(0, lo);
  view.end = std::max(extent, hi + 1);
  if (view.count() > kMaxCells) {
    view.begin = std::max(view.begin, lo - 1);
    view.end = std::min(view.end, std::max(hi + 2, view.begin + kMaxCells));
    view.end = std::min(view.end, view.begin + kMaxCells);
    view.begin = std::min(view.begin, view.end - kMaxCells);
  }
  return view;
}

SmallVector<View, 2> Panel::chooseViews() const {
  const int rank = shape.size();
  auto dimOf = [&](int d) {
    const StridedTile *best = box && !box->isEmpty ? &*box
                              : tile               ? &*tile
                                                   : nullptr;
    return best ? best->dims[d] : TileDim{0, shape[d], 1};
  };
  auto order = llvm::to_vector<4>(llvm::seq<int>(0, rank));
  llvm::sort(order, [&](int a, int b) {
    auto key = [&](int d) {
      const TileDim dim = dimOf(d);
      return std::tuple(dim.size == 1, dim.size == shape[d], -shape[d], d);
    };
    return key(a) < key(b);
  });
  order.resize(std::min(rank, 2));
  llvm::sort(order);
  SmallVector<View, 2> views(2);
  for (auto [i, d] : llvm::enumerate(order)) {
    const TileDim dim = dimOf(d);
    const int64_t last = dim.size > 0 ? dim.last() : dim.offset;
    views[order.size() == 1 ? 1 : i] = getView(d, shape[d], dim.offset, last);
  }
  return views;
}

Panel::Panel(std::string name, ArrayRef<int64_t> shape, const StridedTile *tile,
             const StridedTile *box, StringRef problem, StringRef fill)
    : shape(shape), fill(fill) {
  if (tile)
    this->tile = *tile;
  if (box)
    this->box = *box;
  SmallVector<View, 2> views = chooseViews();
  rows = views[0];
  columns = views[1];
  heading = name + ": " + (shape.empty() ? "scalar" : shapeToString(shape));
  if (tile) {
    // The mask may leave less than the box.
    lines.push_back((tile->isExact ? "tile " : "at most ") + tile->str());
    std::optional<int64_t> count = tile->getNumElements();
    std::optional<int64_t> all = checkedProduct(shape);
    if (count && all && !tile->mask)
      lines.push_back(std::to_string(*count) + " of " + std::to_string(*all) +
                      " elements");
  }
  if (!problem.empty())
    lines.push_back(SvgCanvas::elide(problem, 60));
  for (auto [what, view] : {std::pair("rows", rows), {"columns", columns}}) {
    if (view.dim < 0)
      continue;
    std::string line =
        std::string(what) + ": dimension " + std::to_string(view.dim);
    if (view.count() < view.extent)
      line += ", " + std::to_string(view.begin) + "-" +
              std::to_string(view.end - 1) + " of " +
              std::to_string(view.extent) + " drawn";
    lines.push_back(line);
  }
}

int Panel::getWidth() const {
  int width = std::max<int>(SvgCanvas::textWidth(heading, kHeading),
                            columns.count() * kCell);
  for (const std::string &line : lines)
    width = std::max(width, SvgCanvas::textWidth(line, kText));
  return width;
}

int Panel::getHeight() const {
  return SvgCanvas::lineHeight(kHeading) + 6 + rows.count() * kCell + 6 +
         lines.size() * SvgCanvas::lineHeight(kText);
}

void Panel::draw(SvgCanvas &canvas, int x, int y) const {
  canvas.text(x, y + kHeading, heading, kHeading, color::ink, /*bold=*/true);
  y += SvgCanvas::lineHeight(kHeading) + 6;
  // The other dimensions stand at the tile's first index.
  SmallVector<int64_t> element;
  for (size_t d = 0; d != shape.size(); ++d)
    element.push_back(tile && !tile->isEmpty ? tile->dims[d].offset : 0);
  auto contains = [&](const std::optional<StridedTile> &of) {
    return of && of->contains(element);
  };
  auto cell = [&](int64_t r, int64_t c, const Twine &style) {
    canvas.raw("rect x=\"" + Twine(x + int(c - columns.begin) * kCell) +
               "\" y=\"" + Twine(y + int(r - rows.begin) * kCell) +
               "\" width=\"" + Twine(kCell) + "\" height=\"" + Twine(kCell) +
               "\" " + style);
  };
  for (int64_t r = rows.begin; r != rows.end; ++r) {
    for (int64_t c = columns.begin; c != columns.end; ++c) {
      if (rows.dim >= 0)
        element[rows.dim] = r;
      if (columns.dim >= 0)
        element[columns.dim] = c;
      const bool isInside =
          r >= 0 && r < rows.extent && c >= 0 && c < columns.extent;
      const std::string rule = (" stroke=\"" + color::rule + "\"").str();
      if (contains(tile)) {
        cell(r, c,
             "fill=\"" + fill + "\" fill-opacity=\"" +
                 (tile->isExact ? "0.75" : "0.3") + "\"" + rule);
        continue;
      }
      if (isInside)
        cell(r, c, "fill=\"" + color::faint + "\"" + rule);
      // In the box, but not read.
      StridedTile unmasked;
      if (tile && tile->mask && !tile->isEmpty) {
        unmasked = *tile;
        unmasked.mask.reset();
      }
      if (contains(box) || (tile && tile->mask && unmasked.contains(element)))
        cell(r, c,
             "fill=\"url(#padding)\" stroke=\"" + color::muted +
                 "\" stroke-dasharray=\"2 3\"");
    }
  }
  // The tensor's frame, as far as it is drawn.
  const int64_t top = std::max<int64_t>(rows.begin, 0);
  const int64_t left = std::max<int64_t>(columns.begin, 0);
  const int64_t bottom = std::min(rows.end, rows.extent);
  const int64_t right = std::min(columns.end, columns.extent);
  canvas.rect(x + int(left - columns.begin) * kCell,
              y + int(top - rows.begin) * kCell, int(right - left) * kCell,
              int(bottom - top) * kCell, "none", color::ink);
  y += rows.count() * kCell + 6;
  for (const std::string &line : lines) {
    canvas.text(x, y + kText, line, kText, color::muted);
    y += SvgCanvas::lineHeight(kText);
  }
}

static SmallVector<int64_t> offsetsOf(ArrayRef<TileDim> dims) {
  return llvm::map_to_vector(dims, [](const TileDim &d) { return d.offset; });
}
static SmallVector<int64_t> sizesOf(ArrayRef<TileDim> dims) {
  return llvm::map_to_vector(dims, [](const TileDim &d) { return d.size; });
}

/// The symbolic tile's box for these numbers, before anything is clipped.
static std::optional<StridedTile> getBox(const PropagatedTile &way,
                                         ArrayRef<TileDim> dims) {
  if (!way.tile || way.map.getNumRuntime() != 0)
    return std::nullopt;
  return way.tile->instantiate(offsetsOf(dims), sizesOf(dims));
}

LogicalResult tensoraccess::exportTileToSvg(Operation *root,
                                            const TileToSvgOptions &options,
                                            raw_ostream &os) {
  FunctionOpInterface function;
  root->walk([&](FunctionOpInterface f) {
    if (!function && !f.isExternal() &&
        (options.function.empty() || f.getName() == options.function))
      function = f;
  });
  if (!function && options.function.empty())
    return mlir::emitError(root->getLoc())
           << "no function here has a body to draw";
  if (!function)
    return mlir::emitError(root->getLoc())
           << "there is no function @" << options.function << " with a body";
  IndexingCache cache;
  std::string error;
  std::optional<TilePropagation> propagation =
      propagateTile(function, options.result, /*toInput=*/true, options.strides,
                    cache, error);
  if (!propagation)
    return mlir::emitError(function.getLoc()) << error;
  Value returned =
      function.getFunctionBody().front().back().getOperand(options.result);
  IndexingReason reason;
  SmallVector<int64_t> shape = *getIndexSpace(returned.getType(), reason);
  if (options.sizes.size() != shape.size() ||
      (!options.offsets.empty() && options.offsets.size() != shape.size()))
    return mlir::emitError(function.getLoc())
           << "the result has rank " << shape.size() << ", got "
           << options.sizes.size() << " sizes and " << options.offsets.size()
           << " offsets";
  SmallVector<TileDim, 4> dims;
  for (size_t i = 0; i != shape.size(); ++i) {
    if (options.sizes[i] < 1)
      return mlir::emitError(function.getLoc())
             << "tile size " << i << " must be positive, got "
             << options.sizes[i];
    dims.push_back({options.offsets.empty() ? 0 : options.offsets[i],
                    options.sizes[i],
                    options.strides.empty() ? 1 : options.strides[i]});
  }

  std::vector<Panel> panels;
  TileFailure failure;
  std::optional<StridedTile> source =
      getTile(IndexingMap::identity(shape), dims, {}, failure);
  if (!source)
    return mlir::emitError(function.getLoc()) << failure.message;
  panels.emplace_back("result " + std::to_string(options.result), shape,
                      &*source, nullptr, "", color::points[0]);
  for (const ValueTiles &value : propagation->ends) {
    std::string name = "argument " + std::to_string(value.number);
    std::optional<SmallVector<int64_t>> extents =
        getIndexSpace(value.value.getType(), reason);
    if (!extents)
      continue;
    if (value.reason != IndexingReason::None)
      panels.emplace_back(name, *extents, nullptr, nullptr,
                          "unknown: " + describe(value.reason).str(),
                          color::points[1]);
    for (const PropagatedTile &way : value.tiles) {
      std::optional<StridedTile> box = getBox(way, dims), tile;
      if (way.map.getNumRuntime() == 0)
        tile = getTile(way.map, dims, {}, failure);
      else
        failure.message = "it depends on values known at run time only";
      if (!tile && way.box && way.box->isExact())
        tile = way.box->at(offsetsOf(dims), sizesOf(dims));
      const std::string problem = tile ? "" : "no tile: " + failure.message;
      TileFailure ignored;
      if (!tile && way.map.getNumRuntime() == 0)
        tile = getCoveringTile(way.map, dims, {}, ignored);
      if (!tile && way.box)
        tile = way.box->at(offsetsOf(dims), sizesOf(dims));
      panels.emplace_back(name, *extents, tile ? &*tile : nullptr,
                          box ? &*box : nullptr, problem, color::points[1]);
    }
  }

  SvgCanvas canvas;
  const std::string title =
      SvgCanvas::elide(("@" + function.getName()).str(), 80) +
      ": what a tile of result " + std::to_string(options.result) + " reads";
  canvas.text(kMargin, kMargin + kTitle, title, kTitle, color::ink,
              /*bold=*/true);
  int width = SvgCanvas::textWidth(title, kTitle) + 2 * kMargin;
  int x = kMargin, y = kMargin + SvgCanvas::lineHeight(kTitle) + 12, row = 0;
  for (const Panel &panel : panels) {
    if (x != kMargin && x + panel.getWidth() > kMaxWidth) {
      x = kMargin;
      y += row + kGap / 2;
      row = 0;
    }
    panel.draw(canvas, x, y);
    x += panel.getWidth();
    width = std::max(width, x + kMargin);
    row = std::max(row, panel.getHeight());
    x += kGap;
  }
  y += row + 16;
  // The legend.
  x = kMargin;
  for (auto [fill, label] :
       {std::pair<StringRef, StringRef>(color::points[0], "the tile"),
        {color::points[1], "read"},
        {"url(#padding)", "in the tile's box, but not read"}}) {
    canvas.rect(x, y, 12, 12, fill, color::muted);
    x = canvas.text(x + 18, y + 11, label, kText, color::ink) + 24;
  }
  width = std::max(width, x + kMargin);
  canvas.write(os, width, y + 12 + kMargin, title);
  return success();
}

void tensoraccess::registerTileToSvgTranslation() {
  static llvm::cl::OptionCategory category("Options of --tile-to-svg");
  static llvm::cl::list<int64_t> sizes(
      "tile-sizes", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("sizes of the tile, one per dimension of the result"));
  static llvm::cl::list<int64_t> offsets(
      "tile-offsets", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("offsets of the tile (default: 0)"));
  static llvm::cl::list<int64_t> strides(
      "tile-strides", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("strides of the tile (default: 1)"));
  static llvm::cl::opt<std::string> function(
      "tile-function", llvm::cl::cat(category),
      llvm::cl::desc("the function to draw (default: the first)"));
  static llvm::cl::opt<unsigned> result(
      "tile-result", llvm::cl::init(0), llvm::cl::cat(category),
      llvm::cl::desc("which result has the tile (default: 0)"));
  TranslateFromMLIRRegistration registration(
      "tile-to-svg", "draw what a tile of a function's result reads",
      [](Operation *op, raw_ostream &os) {
        // Holds the models that are registered by name.
        op->getContext()->loadDialect<TensorAccessDialect>();
        TileToSvgOptions options;
        options.sizes.assign(sizes.begin(), sizes.end());
        options.offsets.assign(offsets.begin(), offsets.end());
        options.strides.assign(strides.begin(), strides.end());
        options.function = function;
        options.result = result;
        return exportTileToSvg(op, options, os);
      },
      [](DialectRegistry &registry) { registerEverything(registry); });
}

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
// part around the tile is shown, and the text mentions it.
//
// Elements that the tile's box has outside of the tensor, or that its mask
// excludes, are hatched: they are not read.
//
//===----------------------------------------------------------------------===//

#include "TileToSvg.h"
#include "Canvas/Panel.h"
#include "TensorAccess/Analysis/TilePropagation.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr int kMaxSquares = 26, kGap = 48, kMaxWidth = 1000;

/// The rows and columns to show of a tensor of which a tile is read.
static std::pair<View, View> chooseViews(ArrayRef<int64_t> shape,
                                         const StridedTile *tile) {
  auto dimOf = [&](int d) {
    return tile ? tile->dims[d] : TileDim{0, shape[d], 1};
  };
  const SmallVector<int, 2> order = chooseTwo(shape.size(), [&](int d) {
    const TileDim dim = dimOf(d);
    return std::tuple(dim.size == 1, dim.size == shape[d], -shape[d]);
  });
  auto view = [&](int d) {
    const TileDim dim = dimOf(d);
    const int64_t last = dim.size > 0 ? dim.last() : dim.offset;
    return View::around(d, dim.offset, last + 1, shape[d], kMaxSquares,
                        /*isScaled=*/false);
  };
  return {order.size() < 2 ? View() : view(order.front()),
          order.empty() ? View() : view(order.back())};
}

/// Whether elements are read, or only lie in the tile's box.
static Plane drawElements(ArrayRef<int64_t> shape, const StridedTile *tile,
                          const StridedTile *box, const View &rows,
                          const View &columns, StringRef fill) {
  Plane plane;
  plane.rows = {rows.makeAxis()};
  plane.columns = {columns.makeAxis()};
  const int64_t height = rows.dim < 0 ? 1 : shape[rows.dim],
                width = columns.dim < 0 ? 1 : shape[columns.dim];
  // The other dimensions stand at the tile's first index.
  SmallVector<int64_t> element(shape.size(), 0);
  if (tile && !tile->isEmpty)
    for (auto [at, dim] : llvm::zip_equal(element, tile->dims))
      at = dim.offset;
  std::optional<StridedTile> unmasked;
  if (tile && tile->mask && !tile->isEmpty) {
    unmasked = *tile;
    unmasked->mask.reset();
  }
  for (int64_t r = rows.begin; r != rows.end; ++r)
    for (int64_t c = columns.begin; c != columns.end; ++c) {
      if (rows.dim >= 0)
        element[rows.dim] = r;
      if (columns.dim >= 0)
        element[columns.dim] = c;
      auto add = [&](const Look &look) {
        plane.areas.push_back({{r, r + 1}, {c, c + 1}, look});
      };
      if (tile && tile->contains(element)) {
        add({fill.str(), tile->isExact ? 75 : 30, false, color::rule.str()});
        continue;
      }
      if (r >= 0 && r < height && c >= 0 && c < width)
        add(Look::framed(color::faint, color::rule));
      if ((box && box->contains(element)) ||
          (unmasked && unmasked->contains(element)))
        add(Look::hatch("", color::muted));
    }
  // The tensor's frame.
  plane.areas.push_back({{0, height}, {0, width}, Look::frame(color::ink)});
  return plane;
}

/// A tensor and what is read of it. `box` is the unclipped tile, if known: it may reach
/// outside.
static Panel drawTensor(const std::string &name, ArrayRef<int64_t> shape,
                        const StridedTile *tile, const StridedTile *box,
                        StringRef problem, StringRef fill) {
  auto [rows, columns] = chooseViews(shape, box && !box->isEmpty ? box : tile);
  Panel panel{
      {TextLine::heading(name + ": " +
                         (shape.empty() ? "scalar" : shapeToString(shape)))},
      drawElements(shape, tile, box, rows, columns, fill)};
  auto note = [&](StringRef text) {
    panel.foot.push_back(TextLine::note(text));
  };
  if (tile) {
    // The mask may leave less than the box.
    note((tile->isExact ? "tile " : "at most ") + tile->str());
    std::optional<int64_t> count = tile->getNumElements();
    std::optional<int64_t> all = checkedProduct(shape);
    if (count && all && !tile->mask)
      note(std::to_string(*count) + " of " + std::to_string(*all) +
           " elements");
  }
  if (!problem.empty())
    note(Sheet::elide(problem, 60));
  for (auto [what, view] : {std::pair("rows", rows), {"columns", columns}}) {
    if (view.dim < 0)
      continue;
    std::string line =
        std::string(what) + ": dimension " + std::to_string(view.dim);
    if (view.count() < shape[view.dim])
      line += ", " + std::to_string(view.begin) + "-" +
              std::to_string(view.end - 1) + " of " +
              std::to_string(shape[view.dim]) + " drawn";
    note(line);
  }
  return panel;
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
           << describeUnknownFunction(root, options.function);
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

  Stack panels;
  panels.isAcross = true;
  panels.gap = kGap;
  panels.maxWidth = kMaxWidth;
  TileFailure failure;
  std::optional<StridedTile> source =
      getTile(IndexingMap::identity(shape), dims, {}, failure);
  if (!source)
    return mlir::emitError(function.getLoc()) << failure.message;
  panels.parts.push_back(drawTensor("result " + std::to_string(options.result),
                                    shape, &*source, nullptr, "",
                                    color::points[0]));
  for (const ValueTiles &value : propagation->ends) {
    std::string name = "argument " + std::to_string(value.number);
    std::optional<SmallVector<int64_t>> extents =
        getIndexSpace(value.value.getType(), reason);
    if (!extents)
      continue;
    if (value.reason != IndexingReason::None)
      panels.parts.push_back(drawTensor(
          name, *extents, nullptr, nullptr,
          "unknown: " + describe(value.reason).str(), color::points[1]));
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
      panels.parts.push_back(drawTensor(name, *extents, tile ? &*tile : nullptr,
                                        box ? &*box : nullptr, problem,
                                        color::points[1]));
    }
  }

  Picture picture;
  picture.title = Sheet::elide(("@" + function.getName()).str(), 80) +
                  ": what a tile of result " + std::to_string(options.result) +
                  " reads";
  picture.body.content = std::move(panels);
  picture.legend = {
      Key::swatch(color::points[0], "the tile"),
      Key::swatch(color::points[1], "read"),
      Key::swatch("", "in the tile's box, but not read", /*isHatched=*/true)};
  writeSvg(picture, os);
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

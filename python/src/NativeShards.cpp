//===- NativeShards.cpp - Grids, distributions, exchanges for Python ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's Grid, Distribution and Exchange, and their pictures. A distribution
// of Python knows its grid and its tensor, an exchange its grid.
//
//===----------------------------------------------------------------------===//

#include "NativeShards.h"
#include "NativeValues.h"
#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Export/Pictures.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static Grid gridOfRanks(int64_t ranks) {
  if (ranks < 1 || ranks > kMaxGridRanks)
    throw Error("a grid has from 1 to " + llvm::Twine(kMaxGridRanks) +
                " ranks, got " + llvm::Twine(ranks));
  return Grid::ofRanks(ranks);
}

Grid python::readGridOf(nb::handle value) {
  if (nb::isinstance<Grid>(value))
    return nb::cast<Grid>(value);
  if (nb::isinstance<nb::str>(value))
    return parseAs<Grid>(nb::cast<std::string>(value));
  if (PyIndex_Check(value.ptr()))
    return gridOfRanks(nb::cast<int64_t>(value));
  throw Error(llvm::Twine("a grid is a Grid, a text as rows=2,cols=3 or a "
                          "number of ranks, got ") +
              nb::repr(value).c_str());
}

static int64_t checkRank(const Grid &grid, int64_t rank) {
  return checkIndex("rank", rank, grid.getNumRanks());
}

static int64_t rankAt(const Grid &grid, const Integers &coordinates) {
  if (coordinates.size() != grid.axes.size())
    throw Error("the grid has " + llvm::Twine(grid.axes.size()) +
                " axes, got " + llvm::Twine(coordinates.size()) +
                " coordinates");
  for (auto [axis, at] : llvm::zip(grid.axes, coordinates))
    if (at < 0 || at >= axis.size)
      throw Error("coordinate of axis " + axis.name + " must be in [0, " +
                  llvm::Twine(axis.size) + "), got " + llvm::Twine(at));
  return grid.getRank(coordinates);
}

/// Boxes by rank: a list of boxes, or of lists of them.
static RankBoxes readRankBoxes(nb::handle value, llvm::StringRef what) {
  auto fail = [&](nb::handle item) {
    throw Error(what + " must be a box or a list of boxes for each rank, got " +
                nb::repr(item).c_str());
  };
  if (!PySequence_Check(value.ptr()) || nb::isinstance<nb::str>(value))
    fail(value);
  RankBoxes out;
  for (nb::handle item : value) {
    out.emplace_back();
    if (nb::isinstance<Box>(item)) {
      out.back().push_back(nb::cast<Box>(item));
      continue;
    }
    if (!PySequence_Check(item.ptr()) || nb::isinstance<nb::str>(item))
      fail(item);
    for (nb::handle box : item) {
      if (!nb::isinstance<Box>(box))
        fail(box);
      out.back().push_back(nb::cast<Box>(box));
    }
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

static PlacedDistribution makeDistribution(std::string_view text,
                                           nb::handle grid, nb::handle shape) {
  PlacedDistribution out;
  out.grid = readGridOf(grid);
  llvm::append_range(out.shape, readIntegers(shape, "shape"));
  checkSizes(out.shape);
  ParseError error;
  out.distribution =
      need(Distribution::parse(toRef(text), out.grid, out.shape.size(), error),
           text, error);
  return out;
}

static std::vector<std::string> axisNames(const Grid &grid,
                                          llvm::ArrayRef<unsigned> axes) {
  std::vector<std::string> names;
  for (unsigned axis : axes)
    names.push_back(grid.axes[axis].name);
  return names;
}

/// What each rank's block touches of a tensor of the given sizes.
static RankBoxes needsOf(const PlacedDistribution &blocks,
                         const Projection &projection, const Integers &sizes) {
  if (blocks.shape.size() != projection.getNumColumns())
    throw Error("the projection has " +
                llvm::Twine(projection.getNumColumns()) +
                " columns, but the blocks have " +
                llvm::Twine(blocks.shape.size()) + " dimensions");
  RankBoxes out;
  for (int64_t rank = 0, n = blocks.grid.getNumRanks(); rank < n; ++rank) {
    const Box block =
        blocks.distribution.getBox(blocks.grid, blocks.shape, rank);
    std::string problem;
    auto region = getOutOfBoundsRegion(projection, block, sizes, problem);
    if (!region)
      throw Error("rank " + llvm::Twine(rank) + ": " + problem);
    out.emplace_back(region->boxes.begin(), region->boxes.end());
  }
  return out;
}

static PlacedExchange exchangeOf(const PlacedDistribution &self,
                                 const RankBoxes &needed) {
  std::string error;
  return {self.grid, need(getExchange(self.grid, self.distribution, self.shape,
                                      needed, error),
                          error)};
}

/// What a picture or an exchange is asked for: boxes, or a projection over
/// blocks.
static std::optional<RankBoxes> readNeeds(const PlacedDistribution &self,
                                          nb::handle needed,
                                          const PlacedDistribution *blocks,
                                          const Projection *projection,
                                          llvm::SmallVectorImpl<bool> &wraps) {
  if (!needed.is_none()) {
    if (blocks || projection)
      throw Error("give what is needed, or blocks and a projection, not both");
    return readRankBoxes(needed, "what is needed");
  }
  if (!blocks && !projection)
    return std::nullopt;
  if (!blocks || !projection)
    throw Error("blocks and a projection go together");
  if (!(blocks->grid == self.grid))
    throw Error("the blocks lie on the grid " + blocks->grid.str() +
                ", the tensor on " + self.grid.str());
  for (size_t row = 0; row < projection->getNumRows(); ++row) {
    OutOfBounds::Kind kind = projection->getOutOfBounds(row).kind;
    wraps.push_back(kind == OutOfBounds::Kind::Wrap ||
                    kind == OutOfBounds::Kind::Negative);
  }
  return needsOf(*blocks, *projection, toVector(self.shape));
}

static std::string drawShards(const PlacedDistribution &self, nb::handle needed,
                              const PlacedDistribution *blocks,
                              const Projection *projection,
                              const std::string &name, int64_t elementBytes,
                              int64_t ranks) {
  ShardedTensor tensor;
  tensor.name = name;
  tensor.grid = self.grid;
  tensor.shape = self.shape;
  tensor.owned = self.distribution;
  tensor.elementBytes = elementBytes;
  tensor.needed = readNeeds(self, needed, blocks, projection, tensor.wraps);
  std::string text;
  llvm::raw_string_ostream os(text);
  check(writeShardSvg(tensor, os, {ranks}));
  return text;
}

static void bindDistribution(nb::module_ &m) {
  nb::class_<PlacedDistribution> type(
      m, "Distribution",
      "Who owns which part of a tensor, or runs which part of an op's "
      "iterations: `{d0: rows, d3: cols*x, partial: y}` gives for each "
      "dimension "
      "which axes of the grid cut it. Axes that cut nothing replicate; along "
      "partial ones each rank has a summand.");
  bindEquality(type);
  type.def(
          "__init__",
          [](PlacedDistribution *self, std::string_view text, nb::object grid,
             nb::object shape) {
            new (self) PlacedDistribution(makeDistribution(text, grid, shape));
          },
          nb::arg("text"), nb::arg("grid"), nb::arg("shape"),
          nb::sig("def __init__(self, text: str, grid: Grid | str | int, "
                  "shape: collections.abc.Sequence[int]) -> None"),
          "Reads the text, for a tensor of `shape` on a grid: a Grid, its text "
          "or a number of ranks.")
      .def("__str__", &PlacedDistribution::str)
      .def("__repr__",
           [](const PlacedDistribution &self) {
             return "Distribution('" + self.str() + "', '" + self.grid.str() +
                    "', " + print(self.shape) + ")";
           })
      .def(
          "__reduce__",
          [](nb::handle self) {
            const auto &value = nb::cast<const PlacedDistribution &>(self);
            return nb::make_tuple(
                self.type(),
                nb::make_tuple(value.str(), value.grid.str(), value.shape));
          },
          nb::sig("def __reduce__(self) -> tuple[type[object], tuple[str, "
                  "str, list[int]]]"))
      .def_ro("grid", &PlacedDistribution::grid)
      .def_ro("shape", &PlacedDistribution::shape)
      .def_prop_ro(
          "axes",
          [](const PlacedDistribution &self) {
            std::vector<std::vector<std::string>> out;
            for (const Distribution::Axes &axes : self.distribution.dims)
              out.push_back(axisNames(self.grid, axes));
            return out;
          },
          "For each dimension the axes that cut it, the most significant "
          "first.")
      .def_prop_ro(
          "partial",
          [](const PlacedDistribution &self) {
            return axisNames(self.grid, self.distribution.partial);
          },
          "The axes over which values are still to be reduced.")
      .def_prop_ro(
          "replicating",
          [](const PlacedDistribution &self) {
            return axisNames(self.grid,
                             self.distribution.getReplicatingAxes(self.grid));
          },
          "The axes along which ranks have the same.")
      .def(
          "box",
          [](const PlacedDistribution &self, int64_t rank) {
            return self.distribution.getBox(self.grid, self.shape,
                                            checkRank(self.grid, rank));
          },
          nb::arg("rank"), "The box of a rank; perhaps empty.")
      .def_prop_ro(
          "boxes",
          [](const PlacedDistribution &self) {
            return self.distribution.getBoxes(self.grid, self.shape);
          },
          "The boxes of all ranks, by rank.")
      .def_prop_ro(
          "parts",
          [](const PlacedDistribution &self) {
            return self.distribution.getParts(self.grid, self.shape);
          },
          "One box per part: of ranks that have the same, the first one's.")
      .def_prop_ro(
          "cover",
          [](const PlacedDistribution &self) {
            std::string error;
            return need(
                getExactCover(getWholeBox(self.shape),
                              self.distribution.getParts(self.grid, self.shape),
                              error),
                error);
          },
          "How the parts cover the tensor: an ExactCover, which is true.")
      .def(
          "needs",
          [](const PlacedDistribution &self, const Projection &projection,
             const Integers &sizes) {
            return needsOf(self, projection, sizes);
          },
          nb::arg("projection"), nb::arg("sizes"),
          "What ranks that run these blocks of iterations need of a tensor of "
          "the given sizes: disjoint boxes by rank, after the out-of-bounds "
          "policies.")
      .def(
          "exchange",
          [](const PlacedDistribution &self, nb::object needed,
             const PlacedDistribution *blocks, const Projection *projection) {
            llvm::SmallVector<bool> wraps;
            auto boxes = readNeeds(self, needed, blocks, projection, wraps);
            if (!boxes)
              throw Error("say what is needed: boxes by rank, or blocks and a "
                          "projection");
            ReleaseGil release;
            return exchangeOf(self, *boxes);
          },
          nb::arg("needed") = nb::none(), nb::arg("blocks") = nb::none(),
          nb::arg("projection") = nb::none(),
          nb::sig("def exchange(self, needed: _RankBoxes | None = None, "
                  "blocks: Distribution | None = None, projection: Projection "
                  "| None = None) -> Exchange"),
          "The messages after which each rank has what it needs: a box or a "
          "list of boxes for each rank, or what `blocks` (a Distribution of "
          "iterations) touch through a projection.")
      .def(
          "scattered",
          [](const PlacedDistribution &self, int64_t dim) {
            if (self.distribution.partial.empty())
              throw Error("the distribution has no partial axes");
            checkIndex("dimension", dim, self.shape.size());
            return PlacedDistribution{
                self.grid, getScattered(self.distribution, dim), self.shape};
          },
          nb::arg("dim"),
          "Where summands are summed by a reduce-scatter: the partial axes cut "
          "a dimension once more.")
      .def(
          "svg", &drawShards, nb::arg("needed") = nb::none(), nb::kw_only(),
          nb::arg("blocks") = nb::none(), nb::arg("projection") = nb::none(),
          nb::arg("name") = "shards", nb::arg("element_bytes") = 0,
          nb::arg("ranks") = 12,
          nb::sig("def svg(self, needed: _RankBoxes | None = None, *, blocks: "
                  "Distribution | None = None, projection: Projection | None = "
                  "None, name: str = 'shards', element_bytes: int = 0, ranks: "
                  "int = 12) -> str"),
          "A picture: the tensor, cut; and for at most `ranks` ranks what they "
          "have, and need beside (as for `exchange`). With 0 bytes elements "
          "are counted.")
      .def("_repr_svg_", [](const PlacedDistribution &self) {
        return drawShards(self, nb::none(), nullptr, nullptr, self.str(), 0,
                          12);
      });
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

static PlacedExchange makeExchange(nb::handle grid, nb::handle owned,
                                   nb::handle needed) {
  PlacedExchange out;
  out.grid = readGridOf(grid);
  std::string error;
  out.exchange =
      need(getExchange(out.grid, readRankBoxes(owned, "what is owned"),
                       readRankBoxes(needed, "what is needed"), error),
           error);
  return out;
}

static ExchangeTraffic trafficOf(const PlacedExchange &self,
                                 int64_t elementBytes) {
  if (elementBytes < 1)
    throw Error("element_bytes must be positive, got " +
                llvm::Twine(elementBytes));
  return need(getTraffic(self.exchange, self.grid.getNumRanks(), elementBytes),
              "the exchange has more than 2^64 bytes");
}

static std::string drawExchange(const PlacedExchange &self,
                                int64_t elementBytes, const std::string &name) {
  if (elementBytes < 0)
    throw Error("element_bytes must not be negative, got " +
                llvm::Twine(elementBytes));
  std::string text;
  llvm::raw_string_ostream os(text);
  check(writeExchangeSvg(name, self.grid, self.exchange, elementBytes, os));
  return text;
}

static void bindExchange(nb::module_ &m) {
  nb::class_<ExchangeMessage> message(
      m, "ExchangeMessage",
      "A box that goes from one rank to another; or that a rank keeps, if they "
      "are one.");
  bindEquality(message);
  message.def_ro("source", &ExchangeMessage::from)
      .def_ro("target", &ExchangeMessage::to)
      .def_ro("box", &ExchangeMessage::box)
      .def("__repr__", [](const ExchangeMessage &self) {
        return "<ExchangeMessage " + std::to_string(self.from) + " to " +
               std::to_string(self.to) + ": " + printBox(self.box) + ">";
      });
  nb::class_<ExchangeTraffic>(m, "ExchangeTraffic",
                              "What goes over the wires, in bytes.")
      .def_ro("total", &ExchangeTraffic::total, "Bytes sent by all.")
      .def_ro("messages", &ExchangeTraffic::messages)
      .def_ro("sent", &ExchangeTraffic::sent, "Bytes by rank.")
      .def_ro("received", &ExchangeTraffic::received, "Bytes by rank.");
  nb::class_<PlacedExchange>(
      m, "Exchange",
      "Who sends what to whom, so that each rank has what it needs: it keeps "
      "what it has; the rest comes from the nearest owner, of several from the "
      "one that sends least so far. Each needed place arrives once.")
      .def(
          "__init__",
          [](PlacedExchange *self, nb::object grid, nb::object owned,
             nb::object needed) {
            new (self) PlacedExchange(makeExchange(grid, owned, needed));
          },
          nb::arg("grid"), nb::arg("owned"), nb::arg("needed"),
          nb::sig("def __init__(self, grid: Grid | str | int, owned: "
                  "_RankBoxes, needed: _RankBoxes) -> None"),
          "For each rank a box or a list of disjoint boxes that it owns, and "
          "that it needs.")
      .def_ro("grid", &PlacedExchange::grid)
      .def_prop_ro(
          "messages",
          [](const PlacedExchange &self) { return self.exchange.messages; },
          "By target, then source, then box.")
      .def_prop_ro(
          "kept", [](const PlacedExchange &self) { return self.exchange.kept; },
          "What ranks have already of what they need.")
      .def("traffic", &trafficOf, nb::arg("element_bytes") = 1,
           "Bytes that are sent, for elements of this many bytes.")
      .def("svg", &drawExchange, nb::kw_only(), nb::arg("element_bytes") = 0,
           nb::arg("name") = "exchange",
           "A picture: a matrix of senders and receivers, the ranks on their "
           "grid where they are few, and the first messages.")
      .def("_repr_svg_",
           [](const PlacedExchange &self) {
             return drawExchange(self, 0, "exchange");
           })
      .def("__repr__", [](const PlacedExchange &self) {
        return "<Exchange of " + std::to_string(self.exchange.messages.size()) +
               " messages on " + self.grid.str() + ">";
      });
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

static std::string drawProjection(const Projection &self,
                                  const std::optional<Box> &given,
                                  const std::optional<Integers> &sizes,
                                  const std::optional<Box> &owned,
                                  std::optional<int64_t> axis) {
  const size_t rank = self.getNumColumns();
  const Box block = given ? *given
                          : Box{llvm::SmallVector<int64_t, 4>(rank, 0),
                                llvm::SmallVector<int64_t, 4>(rank, 4)};
  ProjectionPictureOptions options;
  if (sizes)
    options.sizes.emplace(sizes->begin(), sizes->end());
  options.owned = owned;
  if (axis)
    options.axis = checkIndex("axis", *axis, self.getNumColumns());
  std::string text;
  llvm::raw_string_ostream os(text);
  check(writeProjectionSvg(self, block, os, options));
  return text;
}

void python::bindShards(nb::module_ &m) {
  nb::class_<Grid> grid(
      m, "Grid",
      "Ranks on a grid with named axes, in row-major order: `rows=2,cols=3`.");
  bindEquality(grid);
  bindStrings(grid, "Grid");
  grid.def(
          "__init__",
          [](Grid *self, nb::object of) { new (self) Grid(readGridOf(of)); },
          nb::arg("of"),
          nb::sig("def __init__(self, of: Grid | str | int) -> None"),
          "Reads a text, or makes the grid of a number of ranks: its prime "
          "factors over up to three axes x, y and z.")
      .def("__hash__", &hashText<Grid>)
      .def("__reduce__", &reduceToText, nb::sig(kReduceSignature))
      .def_prop_ro(
          "axes",
          [](const Grid &self) {
            std::vector<std::pair<std::string, int64_t>> out;
            for (const GridAxis &axis : self.axes)
              out.emplace_back(axis.name, axis.size);
            return out;
          },
          "(name, size) of each axis.")
      .def_prop_ro("ranks", &Grid::getNumRanks, "How many there are.")
      .def("__len__", &Grid::getNumRanks)
      .def(
          "coordinates",
          [](const Grid &self, int64_t rank) {
            return self.getCoordinates(checkRank(self, rank));
          },
          nb::arg("rank"), "Where a rank stands, along each axis.")
      .def("rank", &rankAt, nb::arg("coordinates"),
           "The rank that stands there.")
      .def(
          "hops",
          [](const Grid &self, int64_t source, int64_t target, bool torus) {
            return self.getHops(checkRank(self, source),
                                checkRank(self, target), torus);
          },
          nb::arg("source"), nb::arg("target"), nb::arg("torus") = false,
          "Steps of a shortest way; on a torus each axis is a circle.");
  bindDistribution(m);
  bindExchange(m);
  auto distribution = nb::borrow<nb::class_<PlacedDistribution>>(
      nb::type<PlacedDistribution>());
  bindShow(distribution);
  auto exchange =
      nb::borrow<nb::class_<PlacedExchange>>(nb::type<PlacedExchange>());
  bindShow(exchange);
  auto projection = nb::borrow<nb::class_<Projection>>(nb::type<Projection>());
  projection.def(
      "svg", &drawProjection, nb::arg("block") = nb::none(),
      nb::arg("sizes") = nb::none(), nb::kw_only(),
      nb::arg("owned") = nb::none(), nb::arg("axis") = nb::none(),
      "A picture of what a block touches (the first 4 indices of each axis, if "
      "none is given), and what it shares with the next one "
      "along an axis (the one along which that is most). With the tensor's "
      "sizes also what is out of bounds, by policy, and what is needed because "
      "of it; with the box that is owned its halo instead of the next block.");
  bindShow(projection);
}

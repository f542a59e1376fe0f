//===- NativeTile.cpp - Tiles for Python ----------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's symbolic and concrete tiles, and reshapes as minimal steps. A tile in
// Python remembers the map it came from, so that `at` answers exactly, also
// where the symbolic tile's conditions don't hold.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/ReshapeSteps.h"
#include "TensorAccess/Core/Tile.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
using Strings = std::vector<std::string>;

/// A step with the shapes that it takes parts of.
struct StepOfShapes : ReshapeStep {
  Integers inputShape, outputShape;
};

struct TileOfMap {
  IndexingMap map;
  SymbolicTile tile;
};
} // namespace

/// What gives a text for each result.
static auto textsOf(const TileExpr &(SymbolicTile::*get)(unsigned) const) {
  return [get](const TileOfMap &self) {
    Strings texts;
    for (unsigned r = 0; r != self.tile.getNumResults(); ++r)
      texts.push_back(self.tile.str((self.tile.*get)(r)));
    return texts;
  };
}

static std::vector<std::optional<std::string>> getBounds(const TileOfMap &self,
                                                         bool upper) {
  std::vector<std::optional<std::string>> texts;
  for (unsigned r = 0; r != self.tile.getNumResults(); ++r) {
    texts.emplace_back();
    if (auto form = upper ? self.tile.getUpper(r) : self.tile.getLower(r))
      texts.back() = self.tile.formText(*form);
  }
  return texts;
}

static TileOfMap makeTile(const IndexingMap &map, const Integers &strides) {
  TileFailure failure;
  return {map, need(getSymbolicTile(map, strides, failure), failure.message)};
}

static std::vector<TileDim> zipDims(const Integers &offsets,
                                    const Integers &sizes,
                                    const std::optional<Integers> &given,
                                    llvm::ArrayRef<int64_t> strides) {
  Integers steps = given ? *given : toVector(strides);
  if (offsets.size() != sizes.size() || offsets.size() != steps.size())
    throw Error("a tile needs equally many offsets, sizes and strides, got " +
                llvm::Twine(offsets.size()) + ", " + llvm::Twine(sizes.size()) +
                " and " + llvm::Twine(steps.size()));
  std::vector<TileDim> dims;
  for (size_t i = 0; i != offsets.size(); ++i)
    dims.push_back({offsets[i], sizes[i], steps[i]});
  return dims;
}

/// The tile for numbers, or with `IsCover` a box around it.
template <bool IsCover>
static StridedTile
tileAt(const TileOfMap &self, const Integers &offsets, const Integers &sizes,
       const std::optional<Integers> &strides, const Integers &runtime) {
  std::vector<TileDim> dims =
      zipDims(offsets, sizes, strides, self.tile.getStrides());
  TileFailure failure;
  return need(IsCover ? getCoveringTile(self.map, dims, runtime, failure)
                      : getTile(self.map, dims, runtime, failure),
              failure.message);
}

/// All elements, those that the mask excludes left out.
static std::vector<Integers> getElements(const StridedTile &self) {
  std::vector<Integers> elements;
  std::optional<int64_t> count = self.getNumElements();
  if (!count || *count > (1 << 24))
    throw Error("the tile has too many elements to list");
  if (*count == 0)
    return elements;
  Integers at(self.dims.size(), 0), element(self.dims.size());
  for (int64_t i = 0; i != *count; ++i) {
    for (size_t d = 0; d != at.size(); ++d)
      element[d] = self.dims[d].offset + self.dims[d].stride * at[d];
    if (self.contains(element))
      elements.push_back(element);
    for (size_t d = at.size(); d-- > 0 && ++at[d] == self.dims[d].size;)
      at[d] = 0;
  }
  return elements;
}

/// What gives a number for each dimension.
static auto numbersOf(int64_t TileDim::*field) {
  return [field](const StridedTile &tile) {
    Integers numbers;
    for (const TileDim &dim : tile.dims)
      numbers.push_back(dim.*field);
    return numbers;
  };
}

static std::vector<StepOfShapes> getSteps(const Integers &from,
                                          const Integers &to) {
  auto steps = need(getReshapeSteps(from, to),
                    "the shapes have different numbers of elements, or sizes "
                    "that are negative or too large");
  std::vector<StepOfShapes> list;
  auto part = [](llvm::ArrayRef<int64_t> shape, unsigned start,
                 unsigned count) {
    return toVector(shape.slice(start, count));
  };
  for (const ReshapeStep &step : steps)
    list.push_back({step, part(from, step.inputStart, step.inputCount),
                    part(to, step.outputStart, step.outputCount)});
  return list;
}

void python::bindTile(nb::module_ &m) {
  nb::class_<StridedTile>(
      m, "Tile",
      "A strided box of indices: offset + stride*i, 0 <= i < size, in each "
      "dimension. It is exactly what is read, less what `mask` excludes.")
      .def_prop_ro("offsets", numbersOf(&TileDim::offset))
      .def_prop_ro("sizes", numbersOf(&TileDim::size))
      .def_prop_ro("strides", numbersOf(&TileDim::stride))
      .def_ro("mask", &StridedTile::mask,
              "None, or an identity map whose domain has the elements that are "
              "read.")
      .def_ro("exact", &StridedTile::isExact,
              "False for a box that covers what is read without being it.")
      .def_ro("empty", &StridedTile::isEmpty,
              "True if nothing is read, the mask considered.")
      .def("elements", &getElements, nb::call_guard<ReleaseGil>(),
           "All indices that are read, in lexicographic order.")
      .def(
          "__contains__",
          [](const StridedTile &self, const Integers &element) {
            return self.contains(element);
          },
          nb::arg("element"))
      .def("__str__", &StridedTile::str)
      .def("__repr__",
           [](const StridedTile &self) { return "<Tile " + self.str() + ">"; });

  nb::class_<TileOfMap>(
      m, "SymbolicTile",
      "Where an indexing map sends the tile of offsets o0, o1, ... and sizes "
      "t0, t1, ... of its dims, as texts.")
      .def_prop_ro("offsets", textsOf(&SymbolicTile::getOffset))
      .def_prop_ro("sizes", textsOf(&SymbolicTile::getSize))
      .def_prop_ro("strides", textsOf(&SymbolicTile::getStride))
      .def_prop_ro(
          "lower_bounds",
          [](const TileOfMap &self) { return getBounds(self, false); },
          "The least index that is read, for each result; None: no bound.")
      .def_prop_ro(
          "upper_bounds",
          [](const TileOfMap &self) { return getBounds(self, true); },
          "The greatest index that is read (inclusive), for each result.")
      .def_prop_ro(
          "constraints",
          [](const TileOfMap &self) {
            Strings texts;
            for (const TileCondition &c : self.tile.getConditions())
              texts.push_back(self.tile.str(c));
            return texts;
          },
          "What offsets and sizes must fulfil: all of these.")
      .def_prop_ro("source_strides",
                   [](const TileOfMap &self) {
                     return toVector(self.tile.getStrides());
                   })
      .def_ro("map", &TileOfMap::map)
      .def("at", &tileAt<false>, nb::arg("offsets"), nb::arg("sizes"),
           nb::arg("strides") = nb::none(), nb::arg("runtime") = Integers(),
           "The tile for numbers, exact: what is read by the source tile, "
           "clipped to the map's domain. An error where that is not a strided "
           "box. Strides are those of this tile if not given.")
      .def("cover", &tileAt<true>, nb::arg("offsets"), nb::arg("sizes"),
           nb::arg("strides") = nb::none(), nb::arg("runtime") = Integers(),
           "As `at`, or a box around what is read, with `exact` False.")
      .def(
          "valid",
          [](const TileOfMap &self, const Integers &offsets,
             const Integers &sizes, const Integers &runtime) {
            return self.tile.instantiate(offsets, sizes, runtime).has_value();
          },
          nb::arg("offsets"), nb::arg("sizes"), nb::arg("runtime") = Integers(),
          "Whether the tile lies inside of the dims' ranges and all "
          "constraints hold.")
      .def("__str__", [](const TileOfMap &self) { return self.tile.str(); })
      .def("__repr__", [](const TileOfMap &self) {
        return "<SymbolicTile of " + self.map.str() + ">";
      });

  nb::class_<StepOfShapes>(m, "ReshapeStep",
                           "Neighbouring dimensions that become others.")
      .def_ro("input_start", &StepOfShapes::inputStart)
      .def_ro("input_count", &StepOfShapes::inputCount)
      .def_ro("output_start", &StepOfShapes::outputStart)
      .def_ro("output_count", &StepOfShapes::outputCount)
      .def_ro("input_shape", &StepOfShapes::inputShape,
              "The sizes of the dimensions that are taken.")
      .def_ro("output_shape", &StepOfShapes::outputShape,
              "The sizes of what they become.")
      .def_prop_ro("category",
                   [](const StepOfShapes &self) {
                     return tensoraccess::describe(self.kind).str();
                   })
      .def("__repr__", [](const StepOfShapes &self) {
        return "<" + tensoraccess::describe(self.kind).str() + " " +
               print(self.inputShape) + " to " + print(self.outputShape) + ">";
      });

  m.def("reshape_decomposition", &getSteps, nb::arg("shape"),
        nb::arg("to_shape"),
        "The smallest independent steps that a reshape consists of.");

  auto map = nb::borrow<nb::class_<IndexingMap>>(m.attr("IndexingMap"));
  map.def("tile", &makeTile, nb::arg("strides") = Integers(),
          "The tile of the results for a tile of the dims: offsets o0, o1, ... "
          "and sizes t0, t1, ... are symbolic, strides are 1 or given. An "
          "error names the result that has none, and the reason.");
}

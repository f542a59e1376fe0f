//===- NativeLayouts.cpp - Layouts for Python -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's Layout, value for value. What Core answers with "none" because the
// question was wrong is an error here, with the reason.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutSizes.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

/// The layout with the given sizes, or its own.
static Layout fixSizes(const Layout &layout,
                       const std::optional<Integers> &sizes) {
  std::string error;
  return sizes ? need(withSizes(layout, *sizes, error), error) : layout;
}

static int64_t linearize(const Layout &layout, const Integers &index,
                         const std::optional<Integers> &sizes) {
  const Layout self = fixSizes(layout, sizes);
  const auto shape = need(self.shape, self);
  if (index.size() != shape.size())
    throw Error("the layout has rank " + llvm::Twine(shape.size()) +
                ", got an index of " + llvm::Twine(index.size()));
  need(self.getPaddedElements(), self, "give sizes");
  if (std::optional<int64_t> number = self.linearize(index))
    return *number;
  throw Error("index " + print(index) + " lies outside of shape " +
              print(shape));
}

static Layout withShape(const Layout &self,
                        const std::vector<std::optional<int64_t>> &sizes,
                        std::string_view elementType) {
  Integers shape;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size && Layout::isDynamic(*size))
      throw Error("dimension " + llvm::Twine(dim) +
                  " must be non-negative, got " + llvm::Twine(*size));
    shape.push_back(size.value_or(Layout::kDynamic));
  }
  Layout result = self.withShape(shape, lookupType(elementType));
  check(result.verify());
  return result;
}

void python::bindLayouts(nb::module_ &m) {
  nb::class_<Layout> type(
      m, "Layout",
      "Where in memory the elements of an array are, in XLA's text form: "
      "`f32[3,5]{1,0:T(2,2)}`, or `{1,0:T(2,2)}` without a shape.");
  bindValue(type, "Layout");
  bindText(type, "Reads XLA's text form.");
  type.def_ro("minor_to_major", &Layout::minorToMajor)
      .def_prop_ro(
          "tiles",
          [](const Layout &self) {
            std::vector<std::vector<std::optional<int64_t>>> tiles;
            for (const Tile &tile : self.tiles) {
              auto &entries = tiles.emplace_back();
              for (TileEntry entry : tile)
                entries.push_back(entry.isCombine() ? std::nullopt
                                                    : std::optional<int64_t>(
                                                          entry.getSize()));
            }
            return tiles;
          },
          "The tiles from first to last; None stands for `*`.")
      .def_prop_ro(
          "shape",
          [](const Layout &self)
              -> std::optional<std::vector<std::optional<int64_t>>> {
            if (!self.shape)
              return std::nullopt;
            return toSizes(*self.shape);
          },
          "The shape it is for, with None for a dynamic size; None where there "
          "is none.")
      .def_prop_ro(
          "element_type",
          [](const Layout &self) -> std::optional<std::string> {
            if (!self.elementType)
              return std::nullopt;
            return self.elementType->getName().str();
          },
          "XLA's name of the element type, or None.")
      .def_ro("memory_space", &Layout::memorySpace)
      .def_ro("tail_alignment", &Layout::tailAlignment)
      .def_ro("element_bits", &Layout::elementBits)
      .def("with_shape", &withShape, nb::arg("shape"), nb::arg("element_type"),
           "The same layout for a shape, in which None is a dynamic size; "
           "element types by XLA's names.")
      .def("without_shape", &Layout::withoutShape,
           "The order of dimensions and the tiles alone.")
      .def("linearize", &linearize, nb::arg("index"),
           nb::arg("sizes") = nb::none(),
           "The element's number in memory; an error outside of the shape. "
           "`layout[2, 3]` is short for `layout.linearize([2, 3])`. A "
           "shape with dynamic sizes needs `sizes`, one per dimension.")
      .def(
          "delinearize",
          [](const Layout &layout, int64_t number,
             const std::optional<Integers> &sizes) {
            const Layout self = fixSizes(layout, sizes);
            need(self.getPaddedElements(), self, "give sizes");
            return self.delinearize(number);
          },
          nb::arg("number"), nb::arg("sizes") = nb::none(),
          "The index of the element of that number; None for padding.");
}

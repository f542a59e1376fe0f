//===- NativeLayouts.cpp - Layouts and projections for Python -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's Layout, Projection and IndexRegion, value for value. What Core answers with
// "none" because the question was wrong is an error here, with the reason.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "TensorAccess/Core/Projection.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

using Integers = std::vector<int64_t>;

template <typename Range>
static Integers toVector(const Range &range) {
  return Integers(range.begin(), range.end());
}

static std::string print(llvm::ArrayRef<int64_t> values) {
  std::string text = "[";
  for (auto [i, value] : llvm::enumerate(values))
    text += (i ? ", " : "") + std::to_string(value);
  return text + "]";
}

/// Adds what every value type has: str, repr, equality, hash and pickling by
/// the text form.
template <typename T>
static void bindValue(nb::class_<T> &type, const char *name) {
  type.def("__str__", &T::str)
      .def("__repr__",
           [name](const T &self) {
             return std::string(name) + "('" + self.str() + "')";
           })
      .def(
          "__eq__",
          [](const T &self, nb::handle other) {
            return nb::isinstance<T>(other) &&
                   self == nb::cast<const T &>(other);
          },
          nb::arg("other").none(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const T &self) {
             return static_cast<Py_hash_t>(
                 static_cast<size_t>(hash_value(self)) >> 1);
           })
      .def("__reduce__", [](nb::handle self) {
        return nb::make_tuple(self.type(), nb::make_tuple(nb::str(self)));
      });
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

static Layout parseLayout(std::string_view text) {
  ParseError error;
  if (std::optional<Layout> layout = Layout::parse(toRef(text), error))
    return *layout;
  throw Error(error.message + pointAt(toRef(text), error.offset));
}

/// `value`, or the reason why there is none.
template <typename T>
static T needShape(const Layout &layout, const std::optional<T> &value) {
  if (value)
    return *value;
  if (!layout.shape)
    throw Error("layout '" + layout.str() + "' has no shape");
  if (!layout.hasStaticShape())
    throw Error("layout '" + layout.str() + "' has dynamic sizes: give sizes");
  throw Error("the size of '" + layout.str() + "' overflows 64-bit arithmetic");
}

/// The layout with the given sizes, or its own.
static Layout fixSizes(const Layout &layout,
                       const std::optional<Integers> &sizes) {
  if (!sizes)
    return layout;
  std::string error;
  if (std::optional<Layout> fixed = withSizes(layout, *sizes, error))
    return *fixed;
  throw Error(error);
}

static int64_t linearize(const Layout &layout, const Integers &index,
                         const std::optional<Integers> &sizes) {
  const Layout self = fixSizes(layout, sizes);
  const auto &shape = needShape(self, self.shape);
  if (index.size() != shape.size())
    throw Error("the layout has rank " + llvm::Twine(shape.size()) +
                ", got an index of " + llvm::Twine(index.size()));
  needShape(self, self.getPaddedElements());
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
  std::optional<XlaType> type = XlaType::lookup(toRef(elementType));
  if (!type)
    throw Error("unknown element type '" + toRef(elementType) + "'");
  Layout result = self.withShape(shape, *type);
  if (std::optional<std::string> problem = result.verify())
    throw Error(*problem);
  return result;
}

static void bindLayout(nb::module_ &m) {
  nb::class_<Layout> type(
      m, "Layout",
      "Where in memory the elements of an array lie, in XLA's text form: "
      "`f32[3,5]{1,0:T(2,2)}`, or `{1,0:T(2,2)}` without a shape.");
  bindValue(type, "Layout");
  type.def(
          "__init__",
          [](Layout *self, std::string_view text) {
            new (self) Layout(parseLayout(text));
          },
          nb::arg("text"), "Reads XLA's text form.")
      .def_prop_ro(
          "minor_to_major",
          [](const Layout &self) { return toVector(self.minorToMajor); })
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
            std::vector<std::optional<int64_t>> sizes;
            for (int64_t size : *self.shape)
              sizes.push_back(Layout::isDynamic(size) ? std::nullopt
                                                      : std::optional(size));
            return sizes;
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
      .def("without_shape", &Layout::withoutShape)
      .def("linearize", &linearize, nb::arg("index"),
           nb::arg("sizes") = nb::none(),
           "The element's number in memory; an error outside of the shape. A "
           "shape with dynamic sizes needs `sizes`, one per dimension.")
      .def(
          "delinearize",
          [](const Layout &layout, int64_t number,
             const std::optional<Integers> &sizes) -> std::optional<Integers> {
            const Layout self = fixSizes(layout, sizes);
            needShape(self, self.getPaddedElements());
            if (auto index = self.delinearize(number))
              return toVector(*index);
            return std::nullopt;
          },
          nb::arg("number"), nb::arg("sizes") = nb::none(),
          "The index of the element of that number; None for padding.");
}

//===----------------------------------------------------------------------===//
// Boxes and projections
//===----------------------------------------------------------------------===//

static IndexRegion makeBox(const Integers &lo, const Integers &hi) {
  if (lo.size() != hi.size())
    throw Error("lo has " + llvm::Twine(lo.size()) + " entries, but hi has " +
                llvm::Twine(hi.size()));
  for (size_t i = 0; i < lo.size(); ++i)
    if (lo[i] > hi[i])
      throw Error("lo " + llvm::Twine(i) + " must be at most hi, got " +
                  llvm::Twine(lo[i]) + " > " + llvm::Twine(hi[i]));
  IndexRegion box;
  box.lo.assign(lo.begin(), lo.end());
  box.hi.assign(hi.begin(), hi.end());
  return box;
}

static std::string printBox(const IndexRegion &box) {
  return "Box(" + print(box.lo) + ", " + print(box.hi) + ")";
}

static void bindBox(nb::module_ &m) {
  nb::class_<IndexRegion>(m, "Box", "A half-open box of integers: lo <= x < hi.")
      .def(
          "__init__",
          [](IndexRegion *self, const Integers &lo, const Integers &hi) {
            new (self) IndexRegion(makeBox(lo, hi));
          },
          nb::arg("lo"), nb::arg("hi"))
      .def_prop_ro("lo", [](const IndexRegion &self) { return toVector(self.lo); })
      .def_prop_ro("hi", [](const IndexRegion &self) { return toVector(self.hi); })
      .def_prop_ro("is_empty", &IndexRegion::isEmpty)
      .def("__repr__", &printBox)
      .def(
          "__eq__",
          [](const IndexRegion &self, nb::handle other) {
            return nb::isinstance<IndexRegion>(other) &&
                   self == nb::cast<const IndexRegion &>(other);
          },
          nb::arg("other").none(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const IndexRegion &self) {
             return static_cast<Py_hash_t>(
                 static_cast<size_t>(llvm::hash_combine(
                     llvm::hash_combine_range(self.lo.begin(), self.lo.end()),
                     llvm::hash_combine_range(self.hi.begin(),
                                              self.hi.end()))) >>
                 1);
           })
      .def("__reduce__", [](const IndexRegion &self) {
        return nb::make_tuple(
            nb::type<IndexRegion>(),
            nb::make_tuple(toVector(self.lo), toVector(self.hi)));
      });
}

static Projection parseProjection(std::string_view text) {
  ParseError error;
  if (std::optional<Projection> p = Projection::parse(toRef(text), error))
    return *p;
  throw Error(error.message + pointAt(toRef(text), error.offset));
}

/// Reads one policy, as the text form of a projection has it.
static OutOfBounds parsePolicy(std::string_view text) {
  ParseError error;
  std::string prefix = "[[0]] + [0], shape = [1], oob = [";
  std::optional<Projection> p =
      Projection::parse(prefix + std::string(text) + "]", error);
  if (!p)
    throw Error("oob: " + error.message);
  return p->getOutOfBounds(0);
}

static Projection
makeProjection(const std::vector<Integers> &matrix, const Integers &offset,
               const Integers &shape, const std::optional<Integers> &anchor,
               const std::optional<std::vector<std::string>> &oob) {
  Projection p;
  for (const Integers &row : matrix)
    p.matrix.emplace_back(row.begin(), row.end());
  p.offset.assign(offset.begin(), offset.end());
  p.shape.assign(shape.begin(), shape.end());
  if (anchor)
    p.anchor.emplace(anchor->begin(), anchor->end());
  if (oob)
    for (const std::string &policy : *oob)
      p.outOfBounds.push_back(parsePolicy(policy));
  if (std::optional<std::string> problem = p.verify())
    throw Error(*problem);
  // The canonical form: equal projections are equal values.
  return parseProjection(p.str());
}

static void checkColumns(const Projection &self, size_t got,
                         llvm::StringRef what) {
  if (self.getNumColumns() != got)
    throw Error("the projection has " + llvm::Twine(self.getNumColumns()) +
                " columns, got " + what + " of rank " + llvm::Twine(got));
}

static IndexRegion orOverflow(std::optional<IndexRegion> region) {
  if (!region)
    throw Error("the region overflows 64-bit arithmetic");
  return *region;
}

static std::optional<Integers>
resolve(const Projection &self, const Integers &index, const Integers &sizes) {
  if (index.size() != self.getNumRows() || sizes.size() != self.getNumRows())
    throw Error("the projection has " + llvm::Twine(self.getNumRows()) +
                " rows, got " + llvm::Twine(index.size()) + " indices and " +
                llvm::Twine(sizes.size()) + " sizes");
  Resolved resolved = self.resolve(index, sizes);
  switch (resolved.kind) {
  case Resolved::Kind::Element:
    return toVector(resolved.index);
  case Resolved::Kind::Pad:
    return std::nullopt;
  case Resolved::Kind::Forbidden:
    break;
  }
  size_t d = resolved.dimension;
  throw Error("index " + llvm::Twine(index[d]) + " of dimension " +
              llvm::Twine(d) + " is forbidden outside of [0, " +
              llvm::Twine(sizes[d]) + ")");
}

static void bindProjection(nb::module_ &m) {
  nb::class_<Projection> type(
      m, "Projection",
      "The box of a tensor that each point i touches: it starts at "
      "matrix * i + offset + anchor and has a constant shape.");
  bindValue(type, "Projection");
  type.def(
          "__init__",
          [](Projection *self, std::string_view text) {
            new (self) Projection(parseProjection(text));
          },
          nb::arg("text"), "Reads the text form.")
      .def(
          "__init__",
          [](Projection *self, const std::vector<Integers> &matrix,
             const Integers &offset, const Integers &shape,
             const std::optional<Integers> &anchor,
             const std::optional<std::vector<std::string>> &oob) {
            new (self)
                Projection(makeProjection(matrix, offset, shape, anchor, oob));
          },
          nb::arg("matrix"), nb::arg("offset"), nb::arg("shape"),
          nb::arg("anchor") = nb::none(), nb::arg("oob") = nb::none(),
          "One row per dimension of the tensor. `oob` has a policy per row: "
          "'forbid', 'wrap', 'negative', 'clamp' or 'pad(value)'.")
      .def_prop_ro("matrix",
                   [](const Projection &self) {
                     std::vector<Integers> rows;
                     for (const auto &row : self.matrix)
                       rows.push_back(toVector(row));
                     return rows;
                   })
      .def_prop_ro("offset",
                   [](const Projection &self) { return toVector(self.offset); })
      .def_prop_ro("shape",
                   [](const Projection &self) { return toVector(self.shape); })
      .def_prop_ro("anchor",
                   [](const Projection &self) -> std::optional<Integers> {
                     if (!self.anchor)
                       return std::nullopt;
                     return toVector(*self.anchor);
                   })
      .def_prop_ro("oob",
                   [](const Projection &self) {
                     std::vector<std::string> policies;
                     for (size_t i = 0; i < self.getNumRows(); ++i)
                       policies.push_back(self.getOutOfBounds(i).str());
                     return policies;
                   })
      .def(
          "evaluate",
          [](const Projection &self, const Integers &index) {
            checkColumns(self, index.size(), "an index");
            return orOverflow(self.evaluate(index));
          },
          nb::arg("index"), "The region of one point.")
      .def(
          "hull",
          [](const Projection &self, const IndexRegion &block) {
            checkColumns(self, block.lo.size(), "a block");
            return orOverflow(self.getHull(block));
          },
          nb::arg("block"),
          "The smallest box that contains the regions of all points of a box.")
      .def("resolve", &resolve, nb::arg("index"), nb::arg("sizes"),
           "The element after the out-of-bounds policies; None for padding, an "
           "error where it is forbidden.");
}

void python::bindLayouts(nb::module_ &m) {
  bindLayout(m);
  bindBox(m);
  bindProjection(m);
}

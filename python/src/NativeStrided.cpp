//===- NativeStrided.cpp - Strided layouts for Python ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeStrided.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/MemoryPlaces.h"
#include "TensorAccess/Core/StridedAlgebra.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;
using namespace mlir::tensoraccess::strided;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

static bool isList(nb::handle value) {
  return PySequence_Check(value.ptr()) && !nb::isinstance<nb::str>(value) &&
         !nb::isinstance<StridedLayout>(value);
}

/// Nested sizes, and strides where there are some.
static StridedMode readMode(nb::handle shape, nb::handle stride,
                            unsigned depth = 0) {
  if (depth > 64)
    throw Error("lists in more than 64 lists");
  StridedMode mode;
  const bool isGiven = stride.is_valid();
  if (!isList(shape)) {
    mode.size = readInteger(shape, "shape");
    if (isGiven && isList(stride))
      throw Error("strides must be nested as sizes are");
    if (isGiven)
      mode.stride = readInteger(stride, "stride");
    return mode;
  }
  mode.isList = true;
  if (isGiven && (!isList(stride) || nb::len(stride) != nb::len(shape)))
    throw Error("strides must be nested as sizes are");
  for (size_t i = 0, e = nb::len(shape); i < e; ++i) {
    nb::object size = shape[i];
    nb::object step = isGiven ? nb::object(stride[i]) : nb::object();
    mode.modes.push_back(readMode(size, step, depth + 1));
  }
  return mode;
}

/// Strides as in an array whose first mode is dense.
static void setDense(StridedMode &mode, int64_t &next) {
  if (!mode.isList) {
    mode.stride = next;
    if (mode.size > 0 && next <= (int64_t(1) << 62) / mode.size)
      next *= mode.size;
    else
      throw Error("the product of its sizes does not fit in 64 bits");
  }
  for (StridedMode &inner : mode.modes)
    setDense(inner, next);
}

static StridedLayout makeLayout(nb::handle shape, nb::handle stride) {
  StridedLayout layout;
  layout.root = readMode(shape, stride.is_none() ? nb::handle() : stride);
  if (stride.is_none()) {
    int64_t next = 1;
    check(layout.verify());
    setDense(layout.root, next);
  }
  check(layout.verify());
  return layout;
}

static nb::object toTree(const StridedMode &mode, bool isStride) {
  if (!mode.isList)
    return nb::int_(isStride ? mode.stride : mode.size);
  nb::list items;
  for (const StridedMode &inner : mode.modes)
    items.append(toTree(inner, isStride));
  return nb::tuple(items);
}

static StridedLayout parseLayout(std::string_view text) {
  ParseError error;
  return need(StridedLayout::parse(toRef(text), error), text, error);
}

/// A layout, its text, or a number n for n:1.
StridedLayout python::readLayout(nb::handle value) {
  if (nb::isinstance<StridedLayout>(value))
    return nb::cast<StridedLayout>(value);
  if (nb::isinstance<nb::str>(value))
    return parseLayout(nb::cast<std::string_view>(value));
  if (!isInteger(value))
    throw Error("expected a StridedLayout, its text or a size, got " +
                std::string(nb::repr(value).c_str()));
  StridedLayout layout(readInteger(value, "size"), 1);
  check(layout.verify());
  return layout;
}

static std::vector<StridedLayout> readTiles(nb::handle value) {
  std::vector<StridedLayout> tiles;
  for (nb::handle each : value)
    tiles.push_back(readLayout(each));
  return tiles;
}

//===----------------------------------------------------------------------===//
// Strided layouts
//===----------------------------------------------------------------------===//

/// The coordinates of all leaves.
static void readPoint(const StridedMode &mode, nb::handle value,
                      Integers &point) {
  if (isList(value)) {
    if (!mode.isList || nb::len(value) != mode.modes.size())
      throw Error("coordinate " + std::string(nb::repr(value).c_str()) +
                  " does not have the modes of the layout");
    for (auto [i, inner] : llvm::enumerate(mode.modes))
      readPoint(inner, value[i], point);
    return;
  }
  int64_t number = readInteger(value, "coordinate");
  if (number < 0 || number >= mode.getSize())
    throw Error("coordinate " + llvm::Twine(number) + " must be in [0, " +
                llvm::Twine(mode.getSize()) + ")");
  StridedLayout part;
  part.root = mode;
  llvm::append_range(point, part.getPoint(number));
}

static int64_t callLayout(const StridedLayout &self, nb::args coordinates) {
  Integers point;
  nb::object one = coordinates.size() == 1 ? nb::object(coordinates[0])
                                           : nb::object(coordinates);
  readPoint(self.root, one, point);
  if (std::optional<int64_t> number = self.evaluateLeaves(point))
    return *number;
  throw Error("the number does not fit in 64 bits");
}

static Integers listNumbers(const StridedLayout &self) {
  constexpr int64_t kMost = int64_t(1) << 26;
  if (self.getSize() > kMost)
    throw Error("a layout of " + llvm::Twine(self.getSize()) +
                " numbers has too many for a list");
  Integers numbers;
  for (int64_t n = 0, e = self.getSize(); n < e; ++n)
    if (std::optional<int64_t> number = self.evaluate(n))
      numbers.push_back(*number);
    else
      throw Error("the number does not fit in 64 bits");
  return numbers;
}

static const StridedLayout &needStrides(const StridedLayout &self) {
  if (self.map)
    throw Error("it has no strides: " + self.whyNoStrides);
  return self;
}

static StridedLayout divideBy(const StridedLayout &self, nb::handle tiles,
                              TileOrder order) {
  return orThrow([&](std::string &error) {
    if (isList(tiles))
      return divide(self, readTiles(tiles), order, error);
    StridedLayout tile = readLayout(tiles);
    std::optional<StridedLayout> whole = logicalDivide(self, tile, error);
    if (!whole || order == TileOrder::Logical || order == TileOrder::Zipped)
      return whole;
    // ((T0,T1,…),(R0,R1,…)) -> ((T0,T1,…),R0,R1,…), or all in a row.
    std::vector<StridedMode> modes;
    for (auto [i, mode] : llvm::enumerate(whole->root.modes))
      if (mode.isList && (i == 1 || order == TileOrder::Flat))
        llvm::append_range(modes, mode.modes);
      else
        modes.push_back(mode);
    whole->root.modes = std::move(modes);
    return whole;
  });
}

static void bindStrided(nb::module_ &m) {
  nb::class_<Swizzle>(m, "Swizzle",
                      "Sw<bits,base,shift>: n xor ((n >> shift) and (2^bits - "
                      "1) * 2^base), for a "
                      "negative shift n xor ((n and (2^bits - 1) * 2^base) << "
                      "-shift). After a layout it spreads its numbers "
                      "over the banks of a memory (CuTe's Swizzle).")
      .def(
          "__init__",
          [](Swizzle *self, int64_t bits, int64_t base, int64_t shift) {
            Swizzle swizzle{bits, base, shift};
            check(swizzle.verify());
            new (self) Swizzle(swizzle);
          },
          nb::arg("bits"), nb::arg("base"), nb::arg("shift"))
      .def_ro("bits", &Swizzle::bits)
      .def_ro("base", &Swizzle::base)
      .def_ro("shift", &Swizzle::shift)
      .def("__str__", &Swizzle::str)
      .def("__repr__",
           [](const Swizzle &self) {
             return ("Swizzle(" + llvm::Twine(self.bits) + ", " +
                     llvm::Twine(self.base) + ", " + llvm::Twine(self.shift) +
                     ")")
                 .str();
           })
      .def(
          "__eq__",
          [](const Swizzle &self, nb::handle other) {
            return nb::isinstance<Swizzle>(other) &&
                   self == nb::cast<const Swizzle &>(other);
          },
          nb::arg("other").none(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Swizzle &self) {
             return nb::hash(nb::str(self.str().c_str()));
           })
      .def(
          "__call__",
          [](const Swizzle &self, int64_t number) {
            if (number < 0 || number >= int64_t(1) << 62)
              throw Error("number " + llvm::Twine(number) +
                          " must be in [0, 2^62)");
            return self.apply(number);
          },
          nb::arg("number"))
      .def(
          "compose",
          [](const Swizzle &self, nb::handle layout) {
            return orThrow([&](std::string &error) {
              return compose(self, readLayout(layout), error);
            });
          },
          nb::arg("layout"),
          nb::sig("def compose(self, layout: _Strided) -> StridedLayout"),
          "First `layout`, then this swizzle: x -> self(layout(x)). Maps and "
          "linear layouts compose the other way round; `then` has the same "
          "order everywhere.")
      .def(
          "then",
          [](const Swizzle &self, nb::handle next) {
            StridedLayout layout = readLayout(next);
            nb::object size = nb::cast(layout.getSize());
            return orThrow(
                [&](std::string &error) -> std::optional<StridedLayout> {
                  std::optional<StridedLayout> first =
                      compose(self, readLayout(size), error);
                  if (!first)
                    return std::nullopt;
                  return compose(layout, *first, error);
                });
          },
          nb::arg("next"),
          nb::sig("def then(self, next: _Strided) -> StridedLayout"),
          "First this swizzle, then `next`, over the numbers that `next` "
          "takes: x -> next(self(x)).");

  nb::class_<StridedLayout> type(
      m, "StridedLayout",
      "CuTe's shape:stride, nested: a function from a coordinate, a number in "
      "colexicographic order or a tuple, to a number. Operations whose result "
      "has no shape:stride give a layout with a map instead.");
  bindValue(type, "StridedLayout");
  type.def(
          "__init__",
          [](StridedLayout *self, nb::handle shape, nb::handle stride) {
            if (nb::isinstance<nb::str>(shape)) {
              if (!stride.is_none())
                throw Error("a text has strides already");
              new (self)
                  StridedLayout(parseLayout(nb::cast<std::string_view>(shape)));
              return;
            }
            new (self) StridedLayout(makeLayout(shape, stride));
          },
          nb::arg("shape"), nb::arg("stride") = nb::none(),
          nb::sig("def __init__(self, shape: str | _Nested, stride: _Nested | "
                  "None = None) -> None"),
          "Sizes and strides, numbers or nested tuples; or the text "
          "'(4,(2,2)):(1,(16,4))'. Without strides the first mode is dense.")
      .def_prop_ro(
          "shape",
          [](const StridedLayout &self) {
            return toTree(self.root, /*isStride=*/false);
          },
          nb::sig("def shape(self) -> _Tree"))
      .def_prop_ro(
          "stride",
          [](const StridedLayout &self) {
            return toTree(needStrides(self).root, /*isStride=*/true);
          },
          nb::sig("def stride(self) -> _Tree"),
          "Nested as `shape` is; of a swizzled layout those before the "
          "swizzle. An error with the reason if there are none.")
      .def_ro("swizzle", &StridedLayout::swizzle)
      .def_prop_ro("size", &StridedLayout::getSize)
      .def_prop_ro(
          "cosize",
          [](const StridedLayout &self) {
            if (std::optional<int64_t> cosize = self.getCosize())
              return *cosize;
            throw Error("the numbers have no known end");
          },
          "How many numbers lie between the least and the greatest, "
          "both included.")
      .def_prop_ro("rank", &StridedLayout::getRank)
      .def("__len__", &StridedLayout::getRank)
      .def(
          "__getitem__",
          [](const StridedLayout &self, int64_t i) {
            if (self.swizzle)
              throw Error("a mode of a swizzled layout is not a layout");
            if (i < 0)
              i += self.getRank();
            if (i < 0 || i >= int64_t(self.getRank()))
              throw nb::index_error("no such mode");
            return self.getMode(i);
          },
          nb::arg("i"), "A mode as a layout.")
      .def_prop_ro("has_strides",
                   [](const StridedLayout &self) { return self.hasStrides(); })
      .def_prop_ro(
          "why_no_strides",
          [](const StridedLayout &self) -> std::optional<std::string> {
            if (self.swizzle)
              return self.swizzle->str() + " follows";
            return self.map ? std::optional(self.whyNoStrides) : std::nullopt;
          },
          "Why the layout is a map only; None where it has strides.")
      .def_prop_ro(
          "indexing_map", &StridedLayout::getMap,
          "Coordinates of all modes that are not tuples -> the number.")
      .def("__call__", &callLayout, nb::arg("coordinates"),
           nb::sig("def __call__(self, *coordinates: _Nested) -> int"),
           "The number of a coordinate; an error outside of the shape.")
      .def("numbers", &listNumbers, nb::call_guard<ReleaseGil>(),
           "All numbers, the first mode fastest.")
      .def(
          "compose",
          [](const StridedLayout &self, nb::handle other) {
            return orThrow([&](std::string &error) {
              return isList(other) ? composeModes(self, readTiles(other), error)
                                   : compose(self, readLayout(other), error);
            });
          },
          nb::arg("other"),
          nb::sig("def compose(self, other: _Strided | "
                  "collections.abc.Sequence[_Strided]) -> StridedLayout"),
          "First `other`, then this layout, as CuTe has it: x -> "
          "self(other(x)), in the shape of `other`, which is a layout, its "
          "text, or n for n:1; a tuple of these goes mode by mode. Maps and "
          "linear layouts compose the other way round; `then` has the same "
          "order everywhere.")
      .def(
          "then",
          [](const StridedLayout &self, nb::handle next) {
            return orThrow([&](std::string &error) {
              if (nb::isinstance<Swizzle>(next))
                return compose(nb::cast<Swizzle>(next), self, error);
              return compose(readLayout(next), self, error);
            });
          },
          nb::arg("next"),
          nb::sig("def then(self, next: _Strided | Swizzle) -> StridedLayout"),
          "First this layout, then `next`, in this layout's shape: x -> "
          "next(self(x)).")
      .def(
          "complement",
          [](const StridedLayout &self, int64_t cotarget) {
            return orThrow([&](std::string &error) {
              return complement(self, cotarget, error);
            });
          },
          nb::arg("cotarget") = 1,
          "What this leaves out of the numbers below `cotarget`, ascending.")
      .def(
          "coalesce",
          [](const StridedLayout &self) { return coalesce(needStrides(self)); },
          "The same numbers by the fewest modes.")
      .def(
          "coalesce_modes",
          [](const StridedLayout &self) {
            return coalesceModes(needStrides(self));
          },
          "The same in each mode.")
      .def(
          "filter",
          [](const StridedLayout &self) { return filter(needStrides(self)); },
          "Coalesced, without modes of stride 0.")
      .def(
          "right_inverse",
          [](const StridedLayout &self) {
            return orThrow(
                [&](std::string &error) { return rightInverse(self, error); });
          },
          "r with self(r(n)) = n for all n below r.size.")
      .def(
          "left_inverse",
          [](const StridedLayout &self) {
            return orThrow(
                [&](std::string &error) { return leftInverse(self, error); });
          },
          "l with l(self(x)) = x for all x below self.size.");
  for (auto [name, order, signature, doc] :
       {std::tuple("logical_divide", TileOrder::Logical,
                   "def logical_divide(self, tile: _Strided | "
                   "collections.abc.Sequence[_Strided]) -> StridedLayout",
                   "In tiles: (tile, rest); by a tuple ((T0,R0),(T1,R1),…)."),
        std::tuple("zipped_divide", TileOrder::Zipped,
                   "def zipped_divide(self, tile: _Strided | "
                   "collections.abc.Sequence[_Strided]) -> StridedLayout",
                   "In tiles: (tile, rest); by a tuple ((T0,T1),(R0,R1,…))."),
        std::tuple("tiled_divide", TileOrder::Tiled,
                   "def tiled_divide(self, tile: _Strided | "
                   "collections.abc.Sequence[_Strided]) -> StridedLayout",
                   "In tiles, what is left in modes of its own: "
                   "((T0,T1),R0,R1,…)."),
        std::tuple("flat_divide", TileOrder::Flat,
                   "def flat_divide(self, tile: _Strided | "
                   "collections.abc.Sequence[_Strided]) -> StridedLayout",
                   "In tiles, all in modes of their own: (T0,T1,R0,R1,…).")})
    type.def(
        name,
        [order = order](const StridedLayout &self, nb::handle tile) {
          return divideBy(self, tile, order);
        },
        nb::arg("tile"), nb::sig(signature), doc);
  type.def(
          "logical_product",
          [](const StridedLayout &self, nb::handle other) {
            return orThrow([&](std::string &error) {
              return logicalProduct(self, readLayout(other), error);
            });
          },
          nb::arg("other"),
          nb::sig("def logical_product(self, other: _Strided) -> "
                  "StridedLayout"),
          "This for each number of `other`: (self, copies).")
      .def(
          "blocked_product",
          [](const StridedLayout &self, nb::handle other) {
            return orThrow([&](std::string &error) {
              return blockedProduct(self, readLayout(other), false, error);
            });
          },
          nb::arg("other"),
          nb::sig("def blocked_product(self, other: _Strided) -> "
                  "StridedLayout"),
          "Mode i is (this one's, that of the copies).")
      .def(
          "raked_product",
          [](const StridedLayout &self, nb::handle other) {
            return orThrow([&](std::string &error) {
              return blockedProduct(self, readLayout(other), true, error);
            });
          },
          nb::arg("other"),
          nb::sig("def raked_product(self, other: _Strided) -> StridedLayout"),
          "Mode i is (that of the copies, this one's).")
      .def(
          "max_common_layout",
          [](const StridedLayout &self, nb::handle other) {
            return orThrow([&](std::string &error) {
              return maxCommonLayout(self, readLayout(other), error);
            });
          },
          nb::arg("other"),
          nb::sig("def max_common_layout(self, other: _Strided) -> "
                  "StridedLayout"),
          "The longest c with self(c(i)) = other(c(i)) = i for all i.")
      .def(
          "max_common_vector",
          [](const StridedLayout &self, nb::handle other) {
            return orThrow([&](std::string &error) {
                     return maxCommonLayout(self, readLayout(other), error);
                   })
                .getSize();
          },
          nb::arg("other"),
          nb::sig("def max_common_vector(self, other: _Strided) -> int"),
          "How many numbers, from 0 on, both have side by side.")
      .def_static(
          "from_layout",
          [](const Layout &layout) {
            return orThrow([&](std::string &error) {
              return StridedLayout::fromLayout(layout, error);
            });
          },
          nb::arg("layout"),
          "A mode for each dimension of a tiled layout without padding.")
      .def_static(
          "from_iree_encoding",
          [](const Integers &shape, std::string_view text) {
            ParseError error;
            llvm::SmallVector<NestDigit> nest =
                need(readIreeEncoding(shape, toRef(text), error), text, error);
            return orThrow([&](std::string &error) {
              return stridedFromNest(shape, nest, error);
            });
          },
          nb::arg("shape"), nb::arg("text"),
          "The memory of a resolved encoding of IREE's, from its text (see "
          "Layout.from_iree_encoding); also where its factors are in an order "
          "that no "
          "tiles have.")
      .def(
          "to_layout",
          [](const StridedLayout &self, std::string_view elementType) {
            return orThrow([&](std::string &error) {
              return toLayout(self, lookupType(elementType), error);
            });
          },
          nb::arg("element_type") = "f32",
          "The tiled layout of the same memory, gaps being padding; an error "
          "with the "
          "reason where there is none: a swizzle, strides that do not divide "
          "one "
          "another.");
}

void python::bindStridedLayouts(nb::module_ &m) {
  bindStrided(m);
  bindLinearLayouts(m);
}

//===- NativeLinear.cpp - Layouts of bits for Python ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeStrided.h"
#include "TensorAccess/Core/LinearQueries.h"
#include "TensorAccess/Core/MemoryPlaces.h"
#include "TensorAccess/Export/Pictures.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

//===----------------------------------------------------------------------===//
// Linear layouts
//===----------------------------------------------------------------------===//

using Bases = std::vector<std::vector<std::vector<int64_t>>>;

static std::vector<std::vector<int64_t>> readBases(nb::handle list) {
  std::vector<std::vector<int64_t>> bases;
  for (nb::handle basis : list)
    bases.push_back(readIntegers(basis, "basis"));
  return bases;
}

static LinearLayout makeLinear(nb::handle bases, nb::handle sizes) {
  if (nb::isinstance<nb::str>(bases)) {
    if (!sizes.is_none())
      throw Error("a text has sizes already");
    auto text = nb::cast<std::string_view>(bases);
    ParseError error;
    return need(LinearLayout::parse(toRef(text), error), text, error);
  }
  if (sizes.is_none())
    throw Error("sizes of the outputs are missing");
  std::vector<std::string> inputs, outputs;
  Bases lists;
  Integers outSizes;
  if (isMapping(bases))
    for (auto [name, list] : toDict(bases)) {
      inputs.push_back(nb::cast<std::string>(name));
      lists.push_back(readBases(list));
    }
  else
    for (nb::handle list : bases)
      lists.push_back(readBases(list));
  if (isMapping(sizes))
    for (auto [name, size] : toDict(sizes)) {
      outputs.push_back(nb::cast<std::string>(name));
      outSizes.push_back(readInteger(size, "size"));
    }
  else
    outSizes = readIntegers(sizes, "sizes of the outputs");
  return orThrow([&](std::string &error) {
    return LinearLayout::get(lists, outSizes, error, inputs, outputs);
  });
}

static Bases getBases(const LinearLayout &self) {
  Bases bases;
  for (const LinearLayout::Input &input : self.inputs) {
    auto &list = bases.emplace_back();
    for (uint64_t base : input.bases)
      list.push_back(toVector(self.unpack(base, /*isOutput=*/true)));
  }
  return bases;
}

static nb::object apply(const LinearLayout &self, nb::handle point) {
  const bool isNamed = isMapping(point);
  Integers values;
  if (isNamed) {
    nb::dict named = toDict(point);
    size_t numRead = 0;
    for (const LinearLayout::Input &input : self.inputs) {
      const bool isGiven = named.contains(input.name.c_str());
      // Of an input without bits there is only 0.
      if (!isGiven && !input.bases.empty())
        throw Error("input '" + input.name + "' is missing");
      numRead += isGiven;
      values.push_back(
          isGiven ? readInteger(named[input.name.c_str()], input.name) : 0);
    }
    if (numRead != named.size())
      throw Error("the layout has " + llvm::Twine(self.inputs.size()) +
                  " inputs, got " + llvm::Twine(named.size()));
  } else if (isInteger(point)) {
    values.push_back(readInteger(point, "input"));
  } else {
    values = readIntegers(point, "point");
  }
  if (values.size() != self.inputs.size())
    throw Error("the layout has " + llvm::Twine(self.inputs.size()) +
                " inputs, got " + llvm::Twine(values.size()));
  for (auto [i, value] : llvm::enumerate(values))
    if (value < 0 || value >= self.getInputSize(i))
      throw Error("input '" + self.inputs[i].name + "' must be in [0, " +
                  llvm::Twine(self.getInputSize(i)) + "), got " +
                  llvm::Twine(value));
  llvm::SmallVector<int64_t> result = *self.apply(values);
  if (!isNamed)
    return nb::cast(toVector(result));
  nb::dict named;
  for (auto [output, value] : llvm::zip_equal(self.outputs, result))
    named[output.name.c_str()] = value;
  return named;
}

/// The same of a mapping only, so that each kind has a signature of its own.
static nb::object applyNamed(const LinearLayout &self, nb::handle point) {
  if (!isMapping(point))
    throw nb::next_overload();
  return apply(self, point);
}

static std::vector<Integers> toPoints(const LinearLayout &self,
                                      llvm::ArrayRef<uint64_t> words,
                                      bool isOutput) {
  std::vector<Integers> points;
  for (uint64_t word : words)
    points.push_back(toVector(self.unpack(word, isOutput)));
  return points;
}

static LinearLayout composeLinear(const LinearLayout &first,
                                  const LinearLayout &next) {
  return orThrow(
      [&](std::string &error) { return first.compose(next, error); });
}

static void bindLinear(nb::module_ &m) {
  nb::class_<LinearLayout> type(
      m, "LinearLayout",
      "Triton's layouts over GF(2): each bit of the inputs has a basis, an "
      "index; "
      "the index of an input is the exclusive or of the bases of its bits.");
  bindValue(type, "LinearLayout");
  type.def(
          "__init__",
          [](LinearLayout *self, nb::handle bases, nb::handle sizes) {
            new (self) LinearLayout(makeLinear(bases, sizes));
          },
          nb::arg("bases"), nb::arg("out_sizes") = nb::none(),
          nb::sig("def __init__(self, bases: str | "
                  "collections.abc.Sequence[collections.abc.Sequence["
                  "collections.abc.Sequence[int]]] | "
                  "collections.abc.Mapping[str, "
                  "collections.abc.Sequence[collections.abc.Sequence[int]]], "
                  "out_sizes: collections.abc.Sequence[int] | "
                  "collections.abc.Mapping[str, int] | None = None) -> None"),
          "Bases by input, a list of lists or a dict by name, each with a "
          "number "
          "for each output; and the outputs' sizes, powers of two, a list or a "
          "dict. Or a text: '{lane = [[0, 1]], warp = [[1, 0]]} -> [2, 2]', "
          "whose "
          "sizes may be left out as in Triton's.")
      .def_prop_ro("bases", &getBases, "By input, as lists.")
      .def_prop_ro("in_names",
                   [](const LinearLayout &self) {
                     std::vector<std::string> names;
                     for (const auto &input : self.inputs)
                       names.push_back(input.name);
                     return names;
                   })
      .def_prop_ro("out_names",
                   [](const LinearLayout &self) {
                     std::vector<std::string> names;
                     for (const auto &output : self.outputs)
                       names.push_back(output.name);
                     return names;
                   })
      .def_prop_ro("in_sizes",
                   [](const LinearLayout &self) {
                     Integers sizes;
                     for (size_t i = 0; i < self.inputs.size(); ++i)
                       sizes.push_back(self.getInputSize(i));
                     return sizes;
                   })
      .def_prop_ro("out_sizes",
                   [](const LinearLayout &self) {
                     Integers sizes;
                     for (size_t i = 0; i < self.outputs.size(); ++i)
                       sizes.push_back(self.getOutputSize(i));
                     return sizes;
                   })
      .def("apply", &applyNamed, nb::arg("point"),
           nb::sig("def apply(self, point: collections.abc.Mapping[str, int]) "
                   "-> dict[str, int]"))
      .def(
          "apply", &apply, nb::arg("point"),
          nb::sig("def apply(self, point: int | "
                  "collections.abc.Sequence[int]) -> list[int]"),
          "The index of a point: a list of a number for each input, or a dict, "
          "and so is the answer. A dict may leave out inputs of size 1.")
      .def("__call__", &applyNamed, nb::arg("point"),
           nb::sig("def __call__(self, point: collections.abc.Mapping[str, "
                   "int]) -> dict[str, int]"))
      .def("__call__", &apply, nb::arg("point"),
           nb::sig("def __call__(self, point: int | "
                   "collections.abc.Sequence[int]) -> list[int]"))
      .def_prop_ro("is_injective", &LinearLayout::isInjective)
      .def_prop_ro("is_surjective", &LinearLayout::isSurjective)
      .def_prop_ro("rank", &LinearLayout::getRank,
                   "Bits of outputs that are independent.")
      .def_prop_ro(
          "kernel",
          [](const LinearLayout &self) {
            return toPoints(self, self.getKernel(), false);
          },
          "Points whose sums are all that give index 0.")
      .def_prop_ro(
          "image",
          [](const LinearLayout &self) {
            return toPoints(self, self.getImage(), true);
          },
          "Indices whose sums are all that are given.")
      .def_prop_ro(
          "free_variable_masks",
          [](const LinearLayout &self) {
            return toVector(self.getFreeVariables());
          },
          "By input, a mask of the bits that only make copies: with these 0, "
          "each index that is given is given once. Where bits repeat one "
          "another, the highest of the last input is in the mask.")
      .def_prop_ro("num_consecutive_in_out", &LinearLayout::getNumConsecutive,
                   "Triton's getNumConsecutiveInOut: how many numbers of the "
                   "first input go to neighbors where the first output, dim0, "
                   "is fastest. For row-major arrays, whose last dimension "
                   "is, see `count_consecutive`.")
      .def(
          "count_consecutive",
          [](const LinearLayout &self, nb::handle order) {
            if (order.is_none())
              return countConsecutive(self);
            const Integers given = readIntegers(order, "order");
            Integers sorted = given;
            llvm::sort(sorted);
            if (!llvm::equal(sorted, llvm::seq<int64_t>(self.outputs.size())))
              throw Error("order must hold each of 0 to " +
                          llvm::Twine(int64_t(self.outputs.size()) - 1) +
                          " once");
            return countConsecutive(
                self, std::vector<unsigned>(given.begin(), given.end()));
          },
          nb::arg("order") = nb::none(),
          nb::sig("def count_consecutive(self, order: "
                  "collections.abc.Sequence[int] | None = None) -> int"),
          "How many numbers of the first input go to neighbors of an array: "
          "the width of a vector of registers. `order` has the outputs, "
          "fastest first, as Triton's `order`; row-major by default, [1, 0] "
          "for a matrix.")
      .def_prop_ro("indexing_map", &LinearLayout::getMap)
      .def(
          "find",
          [](const LinearLayout &self,
             const Integers &index) -> std::optional<Integers> {
            if (index.size() != self.outputs.size())
              throw Error("the layout has " + llvm::Twine(self.outputs.size()) +
                          " outputs, got " + llvm::Twine(index.size()));
            for (auto [i, x] : llvm::enumerate(index))
              if (x < 0 || x >= self.getOutputSize(i))
                return std::nullopt;
            std::optional<uint64_t> word =
                self.findInput(self.pack(index, /*isOutput=*/true));
            if (!word)
              return std::nullopt;
            return toVector(self.unpack(*word, /*isOutput=*/false));
          },
          nb::arg("index"),
          "A point that gives an index: the least, compared by the last input "
          "first, as a list by input. None if no point does. `find_all` has "
          "the others.")
      .def(
          "find_all",
          [](const LinearLayout &self, const Integers &index) {
            std::vector<Integers> points;
            for (const llvm::SmallVector<int64_t> &point :
                 orThrow([&](std::string &error) {
                   return findHolders(self, index, error);
                 }))
              points.push_back(toVector(point));
            return points;
          },
          nb::arg("index"),
          "All points that give an index, `find`'s first: who holds an "
          "element. An Error for an index outside of the tensor.")
      .def("compose", &composeLinear, nb::arg("other"),
           "First this layout, then `other`, as `then` does: x -> "
           "other(self(x)). A strided layout composes the other way round.")
      .def("then", &composeLinear, nb::arg("next"),
           "First this layout, then `next`: x -> next(self(x)).")
      .def(
          "invert_and_compose",
          [](const LinearLayout &self, const LinearLayout &other) {
            return orThrow([&](std::string &error) {
              return self.invertAndCompose(other, error);
            });
          },
          nb::arg("other"), "The least c with other(c(x)) = self(x).")
      .def(
          "invert",
          [](const LinearLayout &self) {
            return orThrow(
                [&](std::string &error) { return self.invert(error); });
          },
          "From indices to the least points.")
      .def(
          "__mul__",
          [](const LinearLayout &self, const LinearLayout &other) {
            return orThrow([&](std::string &error) {
              return self.multiply(other, error);
            });
          },
          nb::arg("other"),
          "Both side by side; inputs and outputs of the same name go on.")
      .def(
          "divide_left",
          [](const LinearLayout &self, const LinearLayout &first) {
            return orThrow([&](std::string &error) {
              return self.divideLeft(first, error);
            });
          },
          nb::arg("first"), "c with first * c = self.")
      .def(
          "to_strided",
          [](const LinearLayout &self) {
            return orThrow(
                [&](std::string &error) { return self.toStrided(error); });
          },
          "A mode for each input; an error where exclusive or is not a sum.")
      .def(
          "to_strided_places",
          [](const LinearLayout &self) {
            return orThrow([&](std::string &error) {
              return toStridedPlaces(self, error);
            });
          },
          "The memory that this is, from numbers to indices, as strides from "
          "indices to numbers; an error where a number is an exclusive or that "
          "is "
          "not a sum.")
      .def_static(
          "from_strided",
          [](nb::handle layout) {
            return orThrow([&](std::string &error) {
              return LinearLayout::fromStrided(readLayout(layout), error);
            });
          },
          nb::arg("layout"),
          nb::sig("def from_strided(layout: _Strided) -> LinearLayout"),
          "An input for each mode, swizzles included.")
      .def_static(
          "identity",
          [](int64_t size, const std::string &input,
             const std::string &output) {
            if (size < 1 || (size & (size - 1)) != 0)
              throw Error("size must be a power of two, got " +
                          llvm::Twine(size));
            return LinearLayout::identity(llvm::Log2_64(size), input, output);
          },
          nb::arg("size"), nb::arg("input") = "in0", nb::arg("output") = "dim0",
          "The identity on `size` numbers, a power of two.");
}

static BankedAccess::Kind readKind(std::string_view text) {
  for (BankedAccess::Kind kind :
       {BankedAccess::Kind::Lanes, BankedAccess::Kind::Rows,
        BankedAccess::Kind::Columns})
    if (describe(kind) == toRef(text))
      return kind;
  throw Error("kind must be 'lanes', 'rows' or 'columns', got '" + toRef(text) +
              "'");
}

static std::string toString(llvm::StringRef text) { return text.str(); }

namespace {
/// With what was asked for, which pictures show.
struct PlannedExchange : BankedExchange {
  LinearLayout source, target;
  int64_t elementBytes;
  BankedMemory banks;

  std::string toSvg(const LayoutPictureOptions &options) const {
    std::string drawn;
    llvm::raw_string_ostream os(drawn);
    check(writeBankedExchangeSvg(source, target, *this, elementBytes, banks, os,
                                 options));
    return drawn;
  }
};
} // namespace

static void bindBanked(nb::module_ &m) {
  nb::class_<BankedAccess>(
      m, "BankedAccess",
      "How the lanes of a warp meet a memory of banks, and what that takes.")
      .def_prop_ro(
          "kind",
          [](const BankedAccess &self) {
            return toString(describe(self.kind));
          },
          "'lanes' where each lane has a vector of its own; 'rows' and "
          "'columns' for matrices of 8 rows of 16 bytes (ldmatrix and "
          "stmatrix, and the same transposed).")
      .def_ro("vector", &BankedAccess::vector,
              "Elements side by side, of a lane or of a row.")
      .def_ro(
          "cycles", &BankedAccess::cycles,
          "Cycles of the memory for all elements, counted access by access.")
      .def_ro("least_cycles", &BankedAccess::leastCycles,
              "The same without conflicts.")
      .def_ro("instructions", &BankedAccess::instructions,
              "Of all warps, each of up to four matrices.")
      .def_prop_ro("conflicts", &BankedAccess::getConflicts,
                   "Cycles beyond the least.")
      .def("__repr__", [](const BankedAccess &self) {
        return "<BankedAccess " + toString(describe(self.kind)) + ", vector " +
               std::to_string(self.vector) + ", " +
               std::to_string(self.cycles) + " cycles, " +
               std::to_string(self.getConflicts()) + " conflicts, " +
               std::to_string(self.instructions) + " instructions>";
      });
  nb::class_<PlannedExchange> exchange(
      m, "BankedExchange",
      "How elements get from the layout that holds them to the one that wants "
      "them.");
  bindShow(exchange);
  exchange
      .def_prop_ro(
          "way",
          [](const PlannedExchange &self) {
            return toString(describe(self.way));
          },
          "'registers' where each element stays with its lane, 'shuffles' "
          "where it stays in its warp, else 'memory'.")
      .def_ro("memory", &PlannedExchange::memory,
              "From offsets, in elements, to indices: the swizzled memory.")
      .def_ro("store", &PlannedExchange::store,
              "Of the layout that holds them.")
      .def_ro("load", &PlannedExchange::load, "Of the layout that wants them.")
      .def_prop_ro(
          "conflicts",
          [](const PlannedExchange &self) {
            return self.store.getConflicts() + self.load.getConflicts();
          },
          "Of both.")
      .def(
          "svg",
          [](const PlannedExchange &self, int64_t rows, int64_t columns,
             int64_t planes) { return self.toSvg({rows, columns, planes}); },
          nb::kw_only(), nb::arg("rows") = 32, nb::arg("columns") = 32,
          nb::arg("planes") = 1,
          "A picture: who holds, who needs, and between them the memory, a "
          "column "
          "for each bank, by who stores and by who loads.")
      .def("_repr_svg_",
           [](const PlannedExchange &self) { return self.toSvg({32, 32, 1}); });
  m.def(
      "plan_exchange",
      [](const LinearLayout &source, const LinearLayout &target,
         int64_t elementBytes, int64_t banks, int64_t bankBytes,
         int64_t vectorBytes, bool loadsMatrices, bool storesMatrices) {
        const BankedMemory memory{banks, bankBytes, vectorBytes, loadsMatrices,
                                  storesMatrices};
        ReleaseGil release;
        return PlannedExchange{
            orThrow([&](std::string &error) {
              return planExchange(source, target, elementBytes, memory, error);
            }),
            source, target, elementBytes, memory};
      },
      nb::arg("source"), nb::arg("target"), nb::arg("element_bytes"),
      nb::arg("banks") = 32, nb::arg("bank_bytes") = 4,
      nb::arg("vector_bytes") = 16, nb::arg("loads_matrices") = true,
      nb::arg("stores_matrices") = true,
      "The shared memory, with the fewest bank conflicts of all linear ones, "
      "through "
      "which elements get from one layout of registers, lanes and warps to "
      "another; "
      "and the vectors, or matrices where the memory has them, of either "
      "side.");
  m.def(
      "count_bank_cycles",
      [](const LinearLayout &layout, const LinearLayout &memory,
         int64_t elementBytes, int64_t vector, std::string_view kind,
         int64_t banks, int64_t bankBytes, int64_t vectorBytes) {
        ReleaseGil release;
        return orThrow([&](std::string &error) {
          return countCycles(layout, memory, elementBytes, readKind(kind),
                             vector, {banks, bankBytes, vectorBytes}, error);
        });
      },
      nb::arg("layout"), nb::arg("memory"), nb::arg("element_bytes"),
      nb::arg("vector"), nb::arg("kind") = "lanes", nb::arg("banks") = 32,
      nb::arg("bank_bytes") = 4, nb::arg("vector_bytes") = 16,
      "All accesses of registers, lanes and warps to a memory (offsets -> "
      "indices) in "
      "vectors, or rows of matrices, counted one by one.");
}

void python::bindLinearLayouts(nb::module_ &m) {
  bindLinear(m);
  bindBanked(m);
}

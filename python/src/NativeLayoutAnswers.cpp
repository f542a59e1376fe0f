//===- NativeLayoutAnswers.cpp - What a layout knows, for Python ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's digit maps, runs, sizes and evaluator. What Core answers with "none"
// because the question was wrong is an error here, with the reason; what is
// unknown is None.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "TensorAccess/Core/MapEvaluator.h"
#include "TensorAccess/Core/MemoryRuns.h"

#include <nanobind/ndarray.h>

#include <new>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
/// Runs, and the place of a Python iterator among them.
struct RunIterator {
  llvm::SmallVector<MemoryRun> runs;
  size_t next = 0;
};
} // namespace

/// Runs that Python is given as a list, at most.
static constexpr uint64_t kMaxRuns = 1u << 24;

/// An answer in numbers, or what the layout lacks for one as an exception.
template <typename T>
static T needNumbers(const Layout &layout, std::optional<T> value) {
  return need(std::move(value), layout, "give them by with_sizes");
}

//===----------------------------------------------------------------------===//
// Digit maps
//===----------------------------------------------------------------------===//

static DigitMap composeDigits(const DigitMap &first, const DigitMap &next) {
  if (first.getNumTargets() != next.getNumSources())
    throw Error("a map with " + llvm::Twine(first.getNumTargets()) +
                " targets can't be followed by one with " +
                llvm::Twine(next.getNumSources()) + " sources");
  return need(first.then(next), "the composition overflows 64-bit arithmetic");
}

static std::optional<Integers> evaluateDigits(const DigitMap &self,
                                              const Integers &point) {
  if (point.size() != self.getNumSources())
    throw Error("the map has " + llvm::Twine(self.getNumSources()) +
                " sources, got a point of " + llvm::Twine(point.size()));
  Integers results(self.getNumTargets());
  if (!self.evaluate(point, results))
    return std::nullopt;
  return results;
}

static void checkShape(const Integers &shape) {
  checkSizes(shape, "dimension", "must be non-negative");
}

static void bindDigitMap(nb::module_ &m) {
  nb::class_<DigitMap> type(
      m, "DigitMap",
      "A map that takes digits out of its sources and adds them to its "
      "targets: a tiled layout, a reshape, a transposition, and what they "
      "compose to. Inverse and composition are exact.");
  bindEquality(type);
  type.def_static(
          "identity",
          [](const Integers &shape) {
            checkShape(shape);
            return DigitMap::identity(shape);
          },
          nb::arg("shape"), "The identity on the indices of a shape.")
      .def_static(
          "row_major",
          [](const Integers &shape) {
            checkShape(shape);
            return need(DigitMap::rowMajor(shape),
                        "the size overflows 64-bit arithmetic");
          },
          nb::arg("shape"), "From an index to its row-major number.")
      .def_static(
          "strided",
          [](const Integers &shape, const Integers &strides) {
            checkShape(shape);
            if (strides.size() != shape.size())
              throw Error("the shape has rank " + llvm::Twine(shape.size()) +
                          ", got " + llvm::Twine(strides.size()) + " strides");
            checkSizes(strides, "stride", "must be non-negative");
            return need(DigitMap::strided(shape, strides),
                        "the size overflows 64-bit arithmetic");
          },
          nb::arg("shape"), nb::arg("strides"),
          "From an index to the sum of its entries times strides.")
      .def_prop_ro("source_shape",
                   [](const DigitMap &self) {
                     return toVector(
                         self.getBounds().take_front(self.getNumSources()));
                   })
      .def_prop_ro("target_shape",
                   [](const DigitMap &self) {
                     return toVector(
                         self.getBounds().take_back(self.getNumTargets()));
                   })
      .def("evaluate", &evaluateDigits, nb::arg("point"),
           "The targets; None outside of the map, as for padding.")
      .def("compose", &composeDigits, nb::arg("next"),
           "First this map, then `next`, as `then` does; a strided layout "
           "composes the other way round.")
      .def("then", &composeDigits, nb::arg("next"),
           "First this map, then `next`: x -> next(self(x)).")
      .def("inverse", &DigitMap::inverse,
           "The map back; None where digits overlap or are lost.")
      .def(
          "canonical",
          [](const DigitMap &self) {
            return need(self.canonical(),
                        "the canonical form overflows 64-bit arithmetic");
          },
          "Neighbouring digits merged; equal canonical forms are equal maps.")
      .def_prop_ro("is_total", &DigitMap::isTotal,
                   "Whether every point is shown to have a result.")
      .def_prop_ro("indexing_map", &DigitMap::toIndexingMap)
      .def_prop_ro(
          "digits",
          [](const DigitMap &self) {
            std::vector<nb::tuple> digits;
            for (const DigitEdge &edge : self.getEdges())
              digits.push_back(nb::make_tuple(edge.from, edge.to, edge.divisor,
                                              edge.modulus, edge.extent,
                                              edge.stride));
            return digits;
          },
          nb::sig("def digits(self) -> list[tuple[int, int, int, int, int, "
                  "int]]"),
          "(from, to, divisor, modulus, extent, stride) of each digit; nodes "
          "are the sources, then numbers between, then the targets.")
      .def("__str__", &DigitMap::str)
      .def("__hash__", &hashText<DigitMap>);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static llvm::SmallVector<MemoryRun> listRuns(const MemoryRuns &self,
                                             uint64_t limit) {
  return need(self.list(limit),
              "there are " + std::to_string(self.getSummary().runs) +
                  " runs, more than " + std::to_string(limit));
}

static std::pair<int64_t, int64_t> toPair(const MemoryRun &run) {
  return {run.offset, run.length};
}

static auto ofSummary(int64_t RunSummary::*field) {
  return [field](const MemoryRuns &self) { return self.getSummary().*field; };
}

static void bindRuns(nb::module_ &m) {
  nb::class_<RunIterator>(m, "RunIterator", "Runs in the order of memory.")
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> RunIterator"))
      .def("__next__", [](RunIterator &self) {
        if (self.next == self.runs.size())
          throw nb::stop_iteration();
        return toPair(self.runs[self.next++]);
      });

  nb::class_<RunDescriptor>(
      m, "RunDescriptor",
      "Runs of `length` elements at offset + sum of i * stride, i < count, for "
      "each (count, stride) of `loops`.")
      .def_ro("offset", &RunDescriptor::offset)
      .def_ro("length", &RunDescriptor::length)
      .def_prop_ro(
          "loops",
          [](const RunDescriptor &self) {
            std::vector<std::pair<int64_t, int64_t>> loops;
            for (const RunDescriptor::Loop &loop : self.loops)
              loops.push_back({loop.count, loop.stride});
            return loops;
          },
          "(count, stride) from the outermost loop to the innermost.")
      .def_prop_ro("count", &RunDescriptor::getRuns, "How many runs.")
      .def("__repr__", [](const RunDescriptor &self) {
        std::string loops;
        for (const RunDescriptor::Loop &loop : self.loops)
          loops += (loops.empty() ? "(" : ", (") + std::to_string(loop.count) +
                   ", " + std::to_string(loop.stride) + ")";
        return "RunDescriptor(offset=" + std::to_string(self.offset) +
               ", loops=[" + loops +
               "], length=" + std::to_string(self.length) + ")";
      });

  nb::class_<RunDescriptors>(m, "RunDescriptors",
                             "Disjoint descriptors, by offset.")
      .def_ro("parts", &RunDescriptors::parts)
      .def_ro("are_maximal", &RunDescriptors::areMaximal,
              "Whether no run of one begins where one of another ends.");

  nb::class_<MemoryRuns>(
      m, "MemoryRuns",
      "A set of elements of memory as its maximal runs (offset, length), in "
      "elements. len, elements and lengths don't walk through them.")
      .def("__len__",
           [](const MemoryRuns &self) {
             return static_cast<size_t>(self.getSummary().runs);
           })
      .def_prop_ro("elements", ofSummary(&RunSummary::elements))
      .def_prop_ro("min_length", ofSummary(&RunSummary::minLength))
      .def_prop_ro("max_length", ofSummary(&RunSummary::maxLength))
      .def_prop_ro("begin", ofSummary(&RunSummary::begin),
                   "The first element's number; 0 for no elements.")
      .def_prop_ro("end", ofSummary(&RunSummary::end),
                   "One more than the last element's number.")
      .def("__iter__",
           [](const MemoryRuns &self) {
             return RunIterator{listRuns(self, kMaxRuns)};
           })
      .def(
          "list",
          [](const MemoryRuns &self, uint64_t limit) {
            std::vector<std::pair<int64_t, int64_t>> all;
            for (const MemoryRun &run : listRuns(self, limit))
              all.push_back(toPair(run));
            return all;
          },
          nb::arg("limit") = 1u << 20,
          "All runs; an error if there are more than `limit`.")
      .def("describe", &MemoryRuns::describe, nb::arg("limit") = 64,
           "In closed form, as a DMA engine takes it; None if that needs more "
           "than `limit` descriptors.");
}

static MemoryRuns runsOf(const Layout &self, const std::optional<Box> &box,
                         uint64_t budget) {
  needNumbers(self, getDigits(self));
  Box all = box ? *box : getWholeBox(*self.shape);
  check(verifyBox(all, *self.shape));
  return need(getRuns(self, all, budget),
              "the runs are not known within a budget of " +
                  std::to_string(budget));
}

static MemoryRuns paddingOf(const Layout &self) {
  needNumbers(self, self.getPaddedElements());
  return need(getPadding(self), "the padding is not known within the budget");
}

//===----------------------------------------------------------------------===//
// All values of a map
//===----------------------------------------------------------------------===//

template <typename T>
static nb::ndarray<nb::numpy, T> makeArray(const Integers &shape, T *&data) {
  size_t count = 1;
  bool fits = true;
  std::vector<size_t> sizes(shape.begin(), shape.end());
  for (size_t size : sizes)
    fits &= !__builtin_mul_overflow(count, size, &count);
  data = fits && count <= (size_t(1) << 58) ? new (std::nothrow)
                                                  T[std::max<size_t>(count, 1)]
                                            : nullptr;
  if (!data)
    throw Error("an array of shape " + print(shape) +
                " does not fit in memory");
  nb::capsule owner(data,
                    [](void *p) noexcept { delete[] static_cast<T *>(p); });
  return nb::ndarray<nb::numpy, T>(data, sizes.size(), sizes.data(), owner);
}

/// The sizes of a box of `rank` dimensions.
static Integers sizesOf(const Box &box, size_t rank, const char *what) {
  if (box.lo.size() != rank)
    throw Error("the box must have rank " + llvm::Twine(rank) + " (" + what +
                "), got " + llvm::Twine(box.lo.size()));
  Integers sizes;
  for (auto [lo, hi] : llvm::zip_equal(box.lo, box.hi))
    sizes.push_back(
        need(checkedSub(hi, lo), "the box overflows 64-bit arithmetic"));
  return sizes;
}

[[noreturn]] static void throwStatus(EnumerateStatus status) {
  throw Error(status == EnumerateStatus::Overflow
                  ? "a value does not fit the result's type"
                  : "the map is not evaluated: " + describe(status).str());
}

static nb::tuple evaluateAll(const IndexingMap &self,
                             const std::optional<Box> &box,
                             const Integers &runtime) {
  if (self.isUnknown())
    throw Error("the map is unknown");
  if (runtime.size() != self.getNumRuntime())
    throw Error("the map has " + llvm::Twine(self.getNumRuntime()) +
                " runtime variables, got " + llvm::Twine(runtime.size()) +
                " values");
  MapEvaluator evaluator(self, runtime);
  std::optional<Box> all = box ? box : evaluator.getBox();
  if (!all)
    throw Error("a variable's range has no end: give a box");
  Integers sizes =
      sizesOf(*all, evaluator.getNumVariables(), "dims and symbols");
  Integers shape = {evaluator.getNumResults()};
  shape.insert(shape.end(), sizes.begin(), sizes.end());
  int64_t *values;
  uint8_t *inside;
  auto valueArray = makeArray<int64_t>(shape, values);
  auto insideArray = makeArray<uint8_t>(sizes, inside);
  EnumerateStatus status;
  {
    ReleaseGil release;
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    llvm::SmallVector<int64_t *> columns;
    for (unsigned r = 0; r < evaluator.getNumResults(); ++r)
      columns.push_back(values + r * count);
    status = evaluator.evaluate(*all, columns, inside);
  }
  if (status != EnumerateStatus::Ok)
    throwStatus(status);
  nb::object marks = nb::cast(insideArray).attr("view")("bool");
  return nb::make_tuple(nb::cast(valueArray), marks);
}

template <typename T>
static nb::object linearizeAs(const MapEvaluator &evaluator, const Box &box,
                              const Integers &sizes) {
  T *numbers;
  auto array = makeArray<T>(sizes, numbers);
  EnumerateStatus status;
  {
    ReleaseGil release;
    status = evaluator.evaluate(box, llvm::ArrayRef<T *>(numbers));
  }
  if (status != EnumerateStatus::Ok)
    throwStatus(status);
  return nb::cast(array);
}

static nb::object linearizeAll(const Layout &self,
                               const std::optional<Box> &box,
                               const std::string &dtype) {
  needNumbers(self, self.getPaddedElements());
  IndexingMap map = needNumbers(self, self.getIndexingMap());
  Box all = box ? *box : getWholeBox(*self.shape);
  check(verifyBox(all, *self.shape));
  Integers sizes = sizesOf(all, self.shape->size(), "the layout's");
  MapEvaluator evaluator(map);
  if (dtype == "int64")
    return linearizeAs<int64_t>(evaluator, all, sizes);
  if (dtype == "int32")
    return linearizeAs<int32_t>(evaluator, all, sizes);
  throw Error("dtype must be 'int32' or 'int64', got '" + dtype + "'");
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static void bindSizes(nb::module_ &m) {
  nb::class_<SizeExpr> type(m, "SizeExpr",
                            "A size that depends on dynamic sizes n0, n1, …: "
                            "`ceildiv(n0, 8) * 1024`.");
  bindStrings(type, "SizeExpr");
  bindEquality(type);
  type.def(
          "evaluate",
          [](const SizeExpr &self, const Integers &sizes) {
            if (std::optional<int64_t> value = self.evaluate(sizes))
              return *value;
            throw Error("'" + self.str() + "' has no value for sizes " +
                        print(sizes));
          },
          nb::arg("sizes"), "The value for a size per dimension.")
      .def("__hash__", &hashText<SizeExpr>);
}

static LayoutSizes sizesOf(const Layout &layout) {
  return need(getSizes(layout), layout);
}

static Layout applySizes(const Layout &layout, const Integers &sizes) {
  std::string error;
  return need(withSizes(layout, sizes, error), error);
}

static void bindLayoutSizes() {
  auto layout = nb::borrow<nb::class_<Layout>>(nb::type<Layout>());
  layout
      .def("with_sizes", &applySizes, nb::arg("sizes"),
           "The layout for a size per dimension, in place of dynamic ones.")
      .def_prop_ro("is_dynamic",
                   [](const Layout &self) {
                     return self.shape && !self.hasStaticShape();
                   })
      .def_prop_ro(
          "physical_shape",
          [](const Layout &self) {
            return asObjects(sizesOf(self).physicalShape);
          },
          nb::sig("def physical_shape(self) -> list[int | SizeExpr]"),
          "The shape after all tiles, outermost first.")
      .def_prop_ro(
          "elements",
          [](const Layout &self) { return asObject(sizesOf(self).elements); },
          nb::sig("def elements(self) -> int | SizeExpr"))
      .def_prop_ro(
          "padded_elements",
          [](const Layout &self) {
            return asObject(sizesOf(self).paddedElements);
          },
          nb::sig("def padded_elements(self) -> int | SizeExpr"),
          "Elements of the physical shape, with the tail.")
      .def_prop_ro(
          "size_bytes",
          [](const Layout &self) { return asObject(sizesOf(self).sizeBytes); },
          nb::sig("def size_bytes(self) -> int | SizeExpr"));
}

static std::optional<
    std::vector<std::vector<std::tuple<int64_t, int64_t, int64_t>>>>
digitsOf(const Layout &self) {
  needNumbers(self, getDigits(self));
  auto dims = getDimDigits(self);
  if (!dims)
    return std::nullopt;
  std::vector<std::vector<std::tuple<int64_t, int64_t, int64_t>>> all;
  for (const auto &digits : *dims) {
    auto &out = all.emplace_back();
    for (const DimDigit &digit : digits)
      out.push_back({digit.divisor, digit.count, digit.stride});
  }
  return all;
}

void python::bindLayoutAnswers(nb::module_ &m) {
  bindDigitMap(m);
  bindRuns(m);
  bindSizes(m);
  bindLayoutSizes();
  nb::class_<LayoutWaste>(m, "LayoutWaste", "What padding costs.")
      .def_ro("elements", &LayoutWaste::elements)
      .def_ro("padded_elements", &LayoutWaste::paddedElements)
      .def_prop_ro("padding_elements", &LayoutWaste::getPaddingElements)
      .def_ro("element_bits", &LayoutWaste::elementBits)
      .def_ro("used_bytes", &LayoutWaste::usedBytes)
      .def_ro("size_bytes", &LayoutWaste::sizeBytes)
      .def_prop_ro("ratio", &LayoutWaste::getRatio,
                   "Padding per element in memory, in [0, 1].");

  auto layout = nb::borrow<nb::class_<Layout>>(nb::type<Layout>());
  layout
      .def_prop_ro(
          "digit_map",
          [](const Layout &self) { return needNumbers(self, getDigits(self)); },
          "From an index to a number, as digits.")
      .def_prop_ro("dim_digits", &digitsOf,
                   "(divisor, count, stride) of the digits of each dimension, "
                   "minor first; None where a tile cuts through dimensions "
                   "that '*' merged. Two layouts of a shape are the same map "
                   "if and only if these are equal.")
      .def(
          "same_map",
          [](const Layout &self, const Layout &other, uint64_t budget) {
            for (const Layout *each : {&self, &other})
              needNumbers(*each, getDigits(*each));
            ReleaseGil release;
            return isSameMap(self, other, budget);
          },
          nb::arg("other"), nb::arg("budget") = kDefaultEnumerationBudget,
          "Whether both put every element at the same place; None where that "
          "is not known within the budget. E, L and S don't matter.")
      .def_prop_ro(
          "is_bijective",
          [](const Layout &self) {
            needNumbers(self, getSizes(self));
            return isBijective(self);
          },
          "Whether there is no padding. With dynamic sizes: True if so for all "
          "of them, False if for none but 0, None if that depends on them.")
      .def_prop_ro(
          "waste",
          [](const Layout &self) { return needNumbers(self, getWaste(self)); })
      .def(
          "relayout_map",
          [](const Layout &self, const Layout &to) {
            for (const Layout *each : {&self, &to})
              needNumbers(*each, getDigits(*each));
            if (self.shape != to.shape)
              throw Error("shape " + print(*self.shape) + " is not shape " +
                          print(*to.shape));
            return need(getRelayout(self, to),
                        "the composition overflows 64-bit arithmetic");
          },
          nb::arg("to"),
          "From numbers under this layout to numbers under `to`; padding is "
          "outside.")
      .def("runs", &runsOf, nb::arg("box") = nb::none(),
           nb::arg("budget") = kDefaultEnumerationBudget,
           "The maximal runs of memory of a box of indices, or of the array.")
      .def_prop_ro("padding", &paddingOf,
                   "The runs of numbers that belong to no element.")
      .def("linearize_all", &linearizeAll, nb::arg("box") = nb::none(),
           nb::arg("dtype") = "int64",
           nb::sig("def linearize_all(self, box: Box | None = None, dtype: str "
                   "= 'int64') -> numpy.typing.NDArray[typing.Any]"),
           "The numbers of all elements of a box, or of the array, as an array "
           "of its shape.");

  auto map = nb::borrow<nb::class_<IndexingMap>>(nb::type<IndexingMap>());
  map.def("evaluate_all", &evaluateAll, nb::arg("box") = nb::none(),
          nb::arg("runtime") = Integers(),
          nb::sig("def evaluate_all(self, box: Box | None = None, runtime: "
                  "collections.abc.Sequence[int] = []) -> tuple["
                  "numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.bool_]]"),
          "All values over a box of dims and symbols (the whole domain's): an "
          "array of shape (results, *box), and which points are in the domain; "
          "values outside are -1.");
}

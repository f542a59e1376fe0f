//===- NativeFootprint.cpp - What maps reach, for Python ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's Counting.h and the operations that make maps from
// parts of maps, as methods of IndexingMap. What cannot be decided is None.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static std::string printFootprint(const Footprint &f) {
  std::string text = "<Footprint " + describe(f.kind).str();
  if (f.hull) {
    for (auto [lo, hi] : llvm::zip_equal(f.hull->lo, f.hull->hi))
      text += " [" + std::to_string(lo) + ", " + std::to_string(hi) + ")";
  }
  if (f.count)
    text += ", " + std::to_string(*f.count) + " elements";
  return text + ">";
}

static void checkRank(const IndexingMap &map, const Box &box, unsigned rank,
                      const char *what) {
  if (!map.isUnknown() && box.lo.size() != rank)
    throw Error("the map has " + llvm::Twine(rank) + " " + what +
                ", got a box of rank " + llvm::Twine(box.lo.size()));
}

static Footprint imageOf(const IndexingMap &map,
                         const std::optional<Box> &dims) {
  if (dims)
    checkRank(map, *dims, map.getNumDims(), "dims");
  return getImage(map, dims ? &*dims : nullptr);
}

static Footprint preimageOf(const IndexingMap &map, const Box &results) {
  checkRank(map, results, map.getNumResults(), "results");
  return getPreimage(map, results);
}

/// Numbers of dims or results, checked.
static llvm::SmallVector<unsigned>
checkNumbers(const char *what, const std::vector<int64_t> &list, unsigned count,
             bool once) {
  llvm::SmallVector<unsigned> out;
  for (int64_t i : list) {
    checkIndex(what, i, count);
    if (once && llvm::is_contained(out, static_cast<unsigned>(i)))
      throw Error(llvm::Twine(what) + " " + llvm::Twine(i) +
                  " is listed twice");
    out.push_back(i);
  }
  return out;
}

using Names = nb::typed<nb::mapping, std::string, std::string>;
using Forms =
    nb::typed<nb::mapping, std::string, std::variant<int64_t, std::string>>;
using Ranges =
    nb::typed<nb::mapping, std::string,
              std::pair<std::optional<int64_t>, std::optional<int64_t>>>;

static IndexingMap
renameVariables(const IndexingMap &map, const Names &names,
                const std::optional<std::vector<std::string>> &dims,
                const std::optional<std::vector<std::string>> &symbols,
                const std::optional<std::vector<std::string>> &runtime) {
  std::vector<std::string> all;
  for (unsigned v = 0, e = map.getNumVariables(); v != e; ++v)
    all.push_back(map.getVariableName(v));
  auto place = [&](const char *what,
                   const std::optional<std::vector<std::string>> &list,
                   unsigned begin, unsigned count) {
    if (!list)
      return;
    if (list->size() != count)
      throw Error("the map has " + llvm::Twine(count) + " " + what + ", got " +
                  llvm::Twine(list->size()) + " names");
    std::copy(list->begin(), list->end(), all.begin() + begin);
  };
  place("dims", dims, 0, map.getNumDims());
  place("symbols", symbols, map.getNumDims(), map.getNumSymbols());
  place("runtime variables", runtime, map.getNumDims() + map.getNumSymbols(),
        map.getNumRuntime());
  for (auto [from, to] : toDict(names))
    all[findVariable(map, nb::cast<std::string>(from))] =
        nb::cast<std::string>(to);
  std::string error;
  return need(map.withNames(all, error), error);
}

static IndexingMap substituteForms(const IndexingMap &map,
                                   const Forms &values) {
  std::vector<std::pair<std::string, std::string>> replacements;
  for (auto [name, value] : toDict(values)) {
    if (!PyLong_Check(value.ptr()) && !nb::isinstance<nb::str>(value))
      throw Error("'" + nb::cast<std::string>(name) +
                  "' must be replaced by an int or the text of a form");
    replacements.emplace_back(nb::cast<std::string>(name),
                              nb::cast<std::string>(nb::str(value)));
  }
  // One after the other for the sake of messages, all at once for the result.
  ParseError error;
  for (const auto &one : replacements)
    need(map.substitute({one}, error), one.second, error);
  return need(map.substitute(replacements, error), error.message);
}

static IndexingMap addConstraint(const IndexingMap &map,
                                 std::string_view text) {
  ParseError error;
  return need(map.withConstraint(toRef(text), error), text, error);
}

static IndexingMap restrictVariables(const IndexingMap &map,
                                     const Ranges &ranges) {
  llvm::SmallVector<Interval> all(map.getNumVariables(), Interval::all());
  for (auto [name, range] : toDict(ranges)) {
    auto [lower, upper] =
        nb::cast<std::pair<std::optional<int64_t>, std::optional<int64_t>>>(
            range);
    Interval &own = all[findVariable(map, nb::cast<std::string>(name))];
    if (lower)
      own.lower = *lower;
    if (upper)
      own.upper = *upper;
  }
  return map.restrictRanges(all);
}

static IndexingMap meetDomains(const IndexingMap &map,
                               const IndexingMap &other) {
  if (!map.isUnknown() && !other.isUnknown() &&
      map.getNumDims() != other.getNumDims())
    throw Error("the map has " + llvm::Twine(map.getNumDims()) +
                " dims, but the other has " + llvm::Twine(other.getNumDims()));
  return map.intersectDomains(other);
}

void python::bindFootprints(nb::module_ &m) {
  nb::class_<Footprint> type(
      m, "Footprint",
      "A set of indices, summarised: a box, how many there are, and what the "
      "box says of the set.");
  bindEquality(type);
  type.def_ro("hull", &Footprint::hull,
              "The smallest box that is known to contain the set; None where "
              "`kind` is 'unknown'.")
      .def_ro("count", &Footprint::count,
              "How many indices the set has, exactly; None where unknown.")
      .def_prop_ro(
          "kind", [](const Footprint &f) { return describe(f.kind).str(); },
          "'exact' if the hull is the set, 'hull' if it contains it, "
          "'unknown'.")
      .def_prop_ro(
          "hull_count",
          [](const Footprint &f) {
            return f.hull ? getVolume(*f.hull) : std::nullopt;
          },
          "How many indices the hull has; None if 64 bits don't hold it.")
      .def_prop_ro(
          "waste", [](const Footprint &f) { return getWaste(f); },
          "Indices of the hull that are not in the set; None where unknown.")
      .def_prop_ro(
          "density",
          [](const Footprint &f) -> std::optional<double> {
            std::optional<uint64_t> volume =
                f.hull ? getVolume(*f.hull) : std::nullopt;
            if (!volume || !f.count)
              return std::nullopt;
            return *volume == 0 ? 1.0
                                : static_cast<double>(*f.count) /
                                      static_cast<double>(*volume);
          },
          "Which part of the hull the set is; None where unknown.")
      .def("__repr__", &printFootprint);

  m.def(
      "count_union",
      [](const std::vector<IndexingMap> &maps) { return countUnion(maps); },
      nb::call_guard<ReleaseGil>(), nb::arg("maps"),
      "How many different results several maps into one space have together; "
      "None where that is unknown.");

  auto map = nb::borrow<nb::class_<IndexingMap>>(nb::type<IndexingMap>());
  map.def("image", &imageOf, nb::call_guard<ReleaseGil>(),
          nb::arg("dims") = nb::none(),
          "The footprint of the results, over the dims in a box if one is "
          "given.")
      .def("preimage", &preimageOf, nb::call_guard<ReleaseGil>(),
           nb::arg("results"),
           "The footprint of the dims from which results in a box are reached.")
      .def(
          "count_points",
          [](const IndexingMap &self) { return countPoints(self); },
          nb::call_guard<ReleaseGil>(),
          "How many points (dims and symbols) the domain has; None where that "
          "is unknown.")
      .def(
          "count_image",
          [](const IndexingMap &self) { return countImage(self); },
          nb::call_guard<ReleaseGil>(),
          "How many different results there are; None where that is unknown.")
      .def(
          "is_injective",
          [](const IndexingMap &self) { return isInjective(self); },
          nb::call_guard<ReleaseGil>(),
          "Whether different points have different results; None where that is "
          "unknown.")
      .def(
          "inverse", [](const IndexingMap &self) { return inverse(self); },
          nb::call_guard<ReleaseGil>(),
          "The map from results back to dims. What a result leaves open is a "
          "symbol. None for an unknown map.")
      .def(
          "is_empty", [](const IndexingMap &self) { return isEmpty(self); },
          nb::call_guard<ReleaseGil>(),
          "Whether no point is in the domain; None where that is unknown.")
      .def(
          "find_point", [](const IndexingMap &self) { return findPoint(self); },
          nb::call_guard<ReleaseGil>(),
          "The values of dims, symbols and runtime variables at some point of "
          "the domain; None if there is none, or none was found.")
      .def(
          "equivalent",
          [](const IndexingMap &self, const IndexingMap &other) {
            return compareMaps(self, other).answer();
          },
          nb::call_guard<ReleaseGil>(), nb::arg("other"),
          "Whether both send every point to the same set of results; None "
          "where that is unknown.")
      .def(
          "difference_witness",
          [](const IndexingMap &self,
             const IndexingMap &other) -> std::optional<std::vector<int64_t>> {
            Equivalence found = compareMaps(self, other);
            if (found.verdict != Equivalence::Verdict::Different)
              return std::nullopt;
            return found.witness;
          },
          nb::call_guard<ReleaseGil>(), nb::arg("other"),
          "The dims, then the runtime variables, at which the maps have "
          "different results; None if they are equal or that is unknown. Empty "
          "for maps of different ranks.")
      .def("intersect_domains", &meetDomains, nb::arg("other"),
           "The same results where the other map has a point, too.")
      .def(
          "sub_map",
          [](const IndexingMap &self, const std::vector<int64_t> &results) {
            return self.selectResults(
                checkNumbers("result", results, self.getNumResults(), false));
          },
          nb::arg("results"), "The map with some of the results.")
      .def("rename", &renameVariables, nb::arg("names") = nb::dict(),
           nb::arg("dims") = nb::none(), nb::arg("symbols") = nb::none(),
           nb::arg("runtime") = nb::none(),
           "Other names for variables: from old to new, or in order.")
      .def("substitute", &substituteForms, nb::arg("values"),
           "Puts numbers, or forms over the other variables, in the place of "
           "variables, which disappear; their ranges become constraints.")
      .def("with_constraint", &addConstraint, nb::arg("text"),
           "The points where a constraint holds, too: 'd0 + s0 in [0, 10]'.")
      .def("restrict", &restrictVariables, nb::arg("ranges"),
           "Smaller inclusive ranges: {'d0': (0, 3)}; None is not a bound.")
      .def(
          "dims_to_symbols",
          [](const IndexingMap &self, const std::vector<int64_t> &dims) {
            return self.dimsToSymbols(
                checkNumbers("dim", dims, self.getNumDims(), true));
          },
          nb::arg("dims"),
          "Turns the listed dims into symbols, appended in that order.")
      .def(
          "symbols_to_dims",
          [](const IndexingMap &self, const std::vector<int64_t> &symbols) {
            return self.symbolsToDims(
                checkNumbers("symbol", symbols, self.getNumSymbols(), true));
          },
          nb::arg("symbols"),
          "Turns the listed symbols into dims, appended in that order.")
      .def(
          "remove_unused_dims",
          [](const IndexingMap &self) { return self.removeUnusedDims(); },
          "Drops the dims that no result needs.")
      .def(
          "remove_unused_runtime",
          [](const IndexingMap &self) { return self.removeUnusedRuntime(); },
          "Drops the runtime variables that no result needs.");
}

//===- NativeIndexingMap.cpp - Indexing maps for Python -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's IndexingMap, value for value. Questions that Core can't decide are
// None; questions that make no sense (a point of the wrong rank) are errors.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/IndexingMap.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
/// A variable of a map: its name and inclusive range.
struct Variable {
  std::string name;
  std::optional<int64_t> lower, upper;

  std::string str() const {
    return name + " in [" + (lower ? std::to_string(*lower) : "-inf") + ", " +
           (upper ? std::to_string(*upper) : "inf") + "]";
  }
  bool operator==(const Variable &o) const {
    return name == o.name && lower == o.lower && upper == o.upper;
  }
};
} // namespace

/// What gives the variables of a kind.
static auto variablesOf(VariableKind kind) {
  return [kind](const IndexingMap &map) {
    std::vector<Variable> result;
    for (auto [i, range] : llvm::enumerate(map.getRanges())) {
      if (map.getVariableKind(i) != kind)
        continue;
      Variable &v = result.emplace_back();
      v.name = map.getVariableName(i);
      if (range.hasLower())
        v.lower = range.lower;
      if (range.hasUpper())
        v.upper = range.upper;
    }
    return result;
  };
}

/// The results as the text form has them.
static std::vector<std::string> getResults(const IndexingMap &map) {
  std::vector<std::string> results;
  for (const Form &result : map.getResults())
    results.push_back(map.formText(result));
  return results;
}

/// The domain as the text form has it.
static std::vector<std::string> getDomain(const IndexingMap &map) {
  std::string text = map.str();
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text)
      .split("domain: ")
      .second.split(parts, "], ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<std::string> domain;
  for (llvm::StringRef part : parts)
    domain.push_back((part.trim("], ") + "]").str());
  return domain;
}

/// The same without the plain ranges of variables.
static std::vector<std::string> getConstraints(const IndexingMap &map) {
  std::vector<std::string> domain = getDomain(map);
  domain.erase(domain.begin(),
               domain.begin() +
                   std::min<size_t>(map.getNumVariables(), domain.size()));
  return domain;
}

static void checkCount(llvm::StringRef what, size_t expected, size_t got) {
  if (expected != got)
    throw Error("the map has " + llvm::Twine(expected) + " " + what +
                ", got values for " + llvm::Twine(got));
}

static std::optional<std::vector<int64_t>>
evaluate(const IndexingMap &map, const std::vector<int64_t> &dims,
         const std::vector<int64_t> &symbols,
         const std::vector<int64_t> &runtime) {
  if (map.isUnknown())
    throw Error("an unknown map has no values");
  checkCount("dims", map.getNumDims(), dims.size());
  checkCount("symbols", map.getNumSymbols(), symbols.size());
  checkCount("runtime variables", map.getNumRuntime(), runtime.size());
  if (auto values = map.evaluate(dims, symbols, runtime))
    return std::vector<int64_t>(values->begin(), values->end());
  if (map.containsPoint(dims, symbols, runtime))
    throw Error("the value overflows 64-bit arithmetic");
  return std::nullopt;
}

static IndexingMap composeMaps(const IndexingMap &first,
                               const IndexingMap &next) {
  if (!first.isUnknown() && !next.isUnknown() &&
      first.getNumResults() != next.getNumDims())
    throw Error("the first map has " + llvm::Twine(first.getNumResults()) +
                " results, but the next has " + llvm::Twine(next.getNumDims()) +
                " dims");
  return first.then(next);
}

void python::bindIndexingMap(nb::module_ &m) {
  nb::class_<Variable> variable(
      m, "Variable", "A variable of an indexing map and its inclusive range.");
  bindEquality(variable);
  variable.def_ro("name", &Variable::name)
      .def_ro("lower", &Variable::lower, "None where there is no bound.")
      .def_ro("upper", &Variable::upper, "None where there is no bound.")
      .def("__str__", &Variable::str)
      .def("__repr__",
           [](const Variable &v) { return "<Variable " + v.str() + ">"; });

  nb::class_<IndexingMap> type(
      m, "IndexingMap",
      "A map from an index of one tensor to indices of another.\n\n"
      "The text form is `(d0, d1)[s0]{rt0} -> (d0 + s0, d1 floordiv 4), "
      "domain: d0 in [0, 9], ...`, with inclusive ranges; `unknown` and "
      "`empty (d0) -> ...` are maps too. Values are immutable.");
  bindText(type, "Reads the text form.");
  bindValue(type, "IndexingMap",
            "Whether both have the same canonical form; see `equivalent`.");
  type.def_static(
          "identity",
          [](const std::vector<int64_t> &shape) {
            checkSizes(shape);
            return IndexingMap::identity(shape);
          },
          nb::arg("shape"), "The identity on the indices of a shape.")
      .def_static(
          "unknown",
          [] { return IndexingMap::unknown(UnknownReason::Unspecified); },
          "The unknown map.")
      .def_prop_ro("is_unknown", &IndexingMap::isUnknown)
      .def_prop_ro("is_known_empty", &IndexingMap::isKnownEmpty)
      .def_prop_ro(
          "unknown_reason",
          [](const IndexingMap &self) -> std::optional<std::string> {
            if (!self.isUnknown())
              return std::nullopt;
            return describe(self.getUnknownReason()).str();
          },
          "Why the map is unknown; None for all others.")
      .def_prop_ro("dims", variablesOf(VariableKind::Dim))
      .def_prop_ro("symbols", variablesOf(VariableKind::Symbol),
                   "Range symbols: the answer is the set over all values.")
      .def_prop_ro("runtime", variablesOf(VariableKind::Runtime),
                   "Unknown numbers, the same for every point.")
      .def_prop_ro("results", &getResults, "The results, as text.")
      .def_prop_ro("constraints", &getConstraints,
                   "What the domain requires beyond the ranges of variables.")
      .def_prop_ro("domain", &getDomain,
                   "What the text form has as the domain: the range of every "
                   "variable, then the constraints.")
      .def_prop_ro("num_results", &IndexingMap::getNumResults)
      .def_prop_ro("is_identity", &IndexingMap::isIdentity)
      .def(
          "evaluate", &::evaluate, nb::arg("dims"),
          nb::arg("symbols") = std::vector<int64_t>(),
          nb::arg("runtime") = std::vector<int64_t>(),
          "The results at a point; None outside of the domain. Values may also "
          "be given one by one, those of dims before those of symbols and "
          "runtime variables: `evaluate(3, 1)`, or shorter `m(3, 1)`.")
      .def("compose", &composeMaps, nb::call_guard<ReleaseGil>(),
           nb::arg("next"),
           "First this map, then `next`, as `then` does; a strided layout "
           "composes the other way round. Symbols and runtime variables of "
           "`next` come first.")
      .def("then", &composeMaps, nb::call_guard<ReleaseGil>(), nb::arg("next"),
           "First this map, then `next`: x -> next(self(x)).")
      .def("simplify", &IndexingMap::simplify, nb::call_guard<ReleaseGil>(),
           "A map with the same points and results that is nowhere larger.")
      .def("rescale_symbols", &IndexingMap::rescaleSymbols,
           nb::call_guard<ReleaseGil>(),
           "Makes every symbol run over [0, n - 1] without gaps.")
      .def("merge_symbols", &IndexingMap::mergeSymbols,
           nb::call_guard<ReleaseGil>(),
           "Makes symbols that results mention only in one sum one symbol, "
           "where that keeps the set of results.")
      .def(
          "remove_unused_symbols",
          [](const IndexingMap &self) { return self.removeUnusedSymbols(); },
          nb::call_guard<ReleaseGil>(),
          "Drops the symbols that no result needs.")
      .def(
          "remove_unused_vars",
          [](const IndexingMap &self) { return self.removeUnusedVars(); },
          nb::call_guard<ReleaseGil>(),
          "Drops the dims, symbols and runtime variables that no result "
          "needs.");
}

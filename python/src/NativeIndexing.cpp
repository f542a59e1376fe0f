//===- NativeIndexing.cpp - The indexing of modules for Python ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models answers; here the answers become lists of indexing maps. A set
// that could not be determined is a list with one unknown map, as in the
// attribute that --tensoraccess-annotate-indexing sets.
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Models/Indexing.h"

#include <nanobind/stl/map.h>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
using Maps = std::vector<IndexingMap>;
/// Maps by two numbers.
using Table = std::vector<std::vector<Maps>>;

/// Sources of the runtime variables of each map of a list, and replica maps.
using Sources = std::vector<std::vector<std::optional<RuntimeSource>>>;
using Replicas = std::vector<std::optional<IndexingMap>>;

/// The answer for one op, or for a function as a whole.
struct Answer {
  std::string name;
  std::string location;
  /// [result][operand]
  Table outputToInput;
  /// [operand][result]
  Table inputToOutput;
  /// What the size parameters are.
  std::vector<std::string> sizes;
  /// Of the first unknown set.
  std::optional<std::string> reason;
  /// Beside the maps of both tables.
  std::vector<std::vector<Sources>> outputToInputSources, inputToOutputSources;
  std::vector<std::vector<Replicas>> outputToInputReplicas,
      inputToOutputReplicas;
};
} // namespace

static Maps toMaps(const IndexingSet &set) {
  if (set.isUnknown())
    return {IndexingMap::unknown(toUnknownReason(set.getReason()))};
  return Maps(set.getMaps().begin(), set.getMaps().end());
}

static Sources toSources(const IndexingSet &set) {
  Sources sources;
  for (unsigned i = 0; i < set.size(); ++i) {
    auto &list = sources.emplace_back(set.getMaps()[i].getNumRuntime());
    if (MapDetailsRef details = set.getDetails(i))
      for (unsigned rt = 0; rt < list.size(); ++rt)
        if (rt < details->runtime.size())
          list[rt] = details->runtime[rt];
  }
  return sources;
}

static Replicas toReplicas(const IndexingSet &set) {
  Replicas replicas(set.size());
  for (unsigned i = 0; i < set.size(); ++i)
    if (MapDetailsRef details = set.getDetails(i))
      replicas[i] = details->replica;
  return replicas;
}

static Answer toAnswer(std::string name, Location location,
                       const OpIndexing &indexing) {
  Answer answer;
  answer.name = std::move(name);
  answer.location = printLocation(location);
  unsigned numResults = indexing.getNumResults();
  unsigned numOperands = indexing.getNumOperands();
  answer.outputToInput.resize(numResults);
  answer.inputToOutput.resize(numOperands);
  answer.outputToInputSources.resize(numResults);
  answer.inputToOutputSources.resize(numOperands);
  answer.outputToInputReplicas.resize(numResults);
  answer.inputToOutputReplicas.resize(numOperands);
  for (unsigned r = 0; r < numResults; ++r)
    for (unsigned o = 0; o < numOperands; ++o) {
      const IndexingSet &down = indexing.outputToInput(r, o);
      const IndexingSet &up = indexing.inputToOutput(o, r);
      answer.outputToInput[r].push_back(toMaps(down));
      answer.inputToOutput[o].push_back(toMaps(up));
      answer.outputToInputSources[r].push_back(toSources(down));
      answer.inputToOutputSources[o].push_back(toSources(up));
      answer.outputToInputReplicas[r].push_back(toReplicas(down));
      answer.inputToOutputReplicas[o].push_back(toReplicas(up));
    }
  for (const ValueSize &size : indexing.getSizes())
    answer.sizes.push_back(size.str());
  if (indexing.firstReason() != IndexingReason::None)
    answer.reason = tensoraccess::describe(indexing.firstReason()).str();
  return answer;
}

/// All ops of all functions that compute something, in the order of the text.
static ByFunction<Answer> getIndexingOfOps(NativeModule &self) {
  ByFunction<Answer> result;
  self.getSession().look([&] {
    IndexingCache cache;
    for (auto function : self.getOp().getOps<FunctionOpInterface>()) {
      std::vector<Answer> answers;
      forEachIndexedOp(function, [&](Operation *op) {
        if (op->getNumResults() > 0)
          answers.push_back(toAnswer(op->getName().getStringRef().str(),
                                     op->getLoc(), cache.get(op)));
      });
      result.emplace_back(function.getName().str(), std::move(answers));
    }
  });
  return result;
}

/// A function's results per argument, composed through its body.
static Answer getIndexingOfFunction(NativeModule &self, std::string_view name,
                                    unsigned maxMaps, unsigned maxVariables) {
  Answer answer;
  self.getSession().look([&] {
    FunctionOpInterface function = self.findFunction(name);
    IndexingBudget budget;
    budget.maxMaps = maxMaps;
    budget.maxVariables = budget.maxConstraints = maxVariables;
    IndexingCache cache(budget);
    answer = toAnswer(std::string(name), function.getLoc(),
                      cache.getFunction(function));
  });
  return answer;
}

void python::bindIndexing(nb::module_ &m) {
  nb::class_<RuntimeSource>(
      m, "RuntimeSource",
      "Where the value of a runtime variable comes from: an element of an "
      "operand (of an argument, for a function).")
      .def_ro("operand", &RuntimeSource::operand)
      .def_ro("map", &RuntimeSource::map,
              "From the variables of the map to the index of the element.")
      .def_prop_ro(
          "clamp",
          [](const RuntimeSource &self)
              -> std::optional<std::pair<int64_t, int64_t>> {
            if (self.clamp == Interval::all())
              return std::nullopt;
            return std::pair(self.clamp.lower, self.clamp.upper);
          },
          "The inclusive range into which the op brings the element; None if "
          "it takes it as it is.")
      .def("__repr__", [](const RuntimeSource &self) {
        return "<RuntimeSource: operand " + std::to_string(self.operand) +
               " at " + self.map.str() + ">";
      });
  nb::class_<Answer>(
      m, "OpIndexing",
      "Which elements an op reads, as lists of maps that mean their union.")
      .def_ro("name", &Answer::name, "The op's name, or the function's.")
      .def_ro("location", &Answer::location)
      .def_ro("output_to_input", &Answer::outputToInput,
              "[result][operand]: from an index of the result to the indices "
              "of the operand that are read for it.")
      .def_ro("input_to_output", &Answer::inputToOutput,
              "[operand][result]: from an index of the operand to the indices "
              "of the result that it contributes to.")
      .def_prop_ro(
          "runtime_sources",
          [](const Answer &self) {
            return std::map<std::string, std::vector<std::vector<Sources>>>{
                {"output_to_input", self.outputToInputSources},
                {"input_to_output", self.inputToOutputSources}};
          },
          "By direction, with the lists of maps: [map][runtime variable], "
          "where "
          "its value comes from; None if unknown.")
      .def_prop_ro(
          "replicas",
          [](const Answer &self) {
            return std::map<std::string, std::vector<std::vector<Replicas>>>{
                {"output_to_input", self.outputToInputReplicas},
                {"input_to_output", self.inputToOutputReplicas}};
          },
          "By direction, with the lists of maps: [map], for collectives a map "
          "from the map's variables to the position, in its group, of the "
          "replica whose operand is meant; else None.")
      .def_ro("sizes", &Answer::sizes,
              "What the size parameters n0, n1, ... of the maps are, as in "
              "'operand 0 dim 1 = n0 + 3'; empty if all shapes are static.")
      .def_ro("reason", &Answer::reason,
              "Why the first unknown list is unknown; None if all are known.")
      .def("__repr__", [](const Answer &self) {
        return "<OpIndexing of " + self.name + " at " + self.location +
               (self.reason ? ", unknown: " + *self.reason : "") + ">";
      });
  m.def("indexing_of_ops", &getIndexingOfOps, nb::arg("module"));
  m.def("indexing_of_function", &getIndexingOfFunction, nb::arg("module"),
        nb::arg("name"), nb::arg("max_maps"), nb::arg("max_variables"));
}

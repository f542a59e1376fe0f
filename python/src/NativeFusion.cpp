//===- NativeFusion.cpp - Fusion and the report for Python ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analysis answers; here its answers outlive the context.
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "TensorAccess/Analysis/BlockReport.h"

#include "llvm/Support/ScopedPrinter.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/variant.h>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {

/// A value of a fused group.
struct FusedValue {
  std::string name, type;
  /// The op that produces it; std::nullopt for an argument.
  std::optional<std::string> op;
  std::string location;
  std::vector<IndexingMap> maps;
  std::vector<std::string> paths;
  std::optional<uint64_t> elements, reads, unique, rereads;
  std::optional<std::string> reason, culprit;

  std::optional<double> ratio(std::optional<uint64_t> over,
                              std::optional<uint64_t> under) const {
    if (!over || !under || *under == 0)
      return std::nullopt;
    return static_cast<double>(*over) / static_cast<double>(*under);
  }
};

struct Fusion {
  std::string function;
  std::vector<std::string> ops, results;
  std::vector<FusedValue> operands, producers;
  std::optional<uint64_t> computed, needed;
};

using MetricValue = std::variant<uint64_t, double, std::string>;

/// (kind, section, name, function, location, metrics, text, reason) of an item
/// of the report.
using ItemTuple =
    std::tuple<std::string, std::string, std::string, std::string, std::string,
               std::vector<std::pair<std::string, MetricValue>>, std::string,
               std::optional<std::string>>;

} // namespace

static FusedValue toFusedValue(const ValueFusion &use, AsmState &names) {
  FusedValue value;
  value.name = printName(use.value, names);
  value.type = llvm::to_string(use.value.getType());
  value.location = printLocation(use.value.getLoc());
  if (Operation *op = use.value.getDefiningOp())
    value.op = op->getName().getStringRef().str();
  value.maps.assign(use.maps.begin(), use.maps.end());
  value.paths.assign(use.paths.begin(), use.paths.end());
  value.elements = use.counts.elements;
  value.reads = use.counts.reads;
  value.unique = use.counts.unique;
  value.rereads = use.counts.rereads();
  value.reason = orNone(use.counts.reason);
  if (use.counts.culprit)
    value.culprit = use.counts.culprit->getName().getStringRef().str();
  return value;
}

/// The group of an op (`root`) or of a whole function, and its counts.
static Fusion getFusion(NativeModule &self, std::string_view name,
                        std::optional<std::string> root,
                        std::optional<std::vector<std::string>> through,
                        unsigned maxMaps, unsigned maxVariables) {
  Fusion result;
  self.getSession().look([&] {
    FunctionOpInterface function = self.findFunction(name);
    std::string error;
    std::optional<FusionGroup> group;
    if (!root) {
      group = FusionGroup::get(function);
      if (!group)
        error = "function '" + std::string(name) +
                "' has no body of one block that ends in a return";
    } else if (Operation *op = findOp(function, *root, error)) {
      group = FusionGroup::get(
          SmallVector<Value>(op->getResults()), [&](Operation *producer) {
            return !through ||
                   llvm::is_contained(*through,
                                      producer->getName().getStringRef());
          });
    }
    IndexingBudget budget;
    budget.maxMaps = maxMaps;
    budget.maxVariables = budget.maxConstraints = maxVariables;
    FusionAnalysis analysis(budget);
    GroupFusion fusion = analysis.analyze(need(std::move(group), error));
    AsmState names(function);
    result.function = function.getName().str();
    for (Operation *op : fusion.group.getOps())
      result.ops.push_back(op->getName().getStringRef().str());
    for (Value value : fusion.group.getResults())
      result.results.push_back(printName(value, names));
    for (const ValueFusion &use : fusion.operands)
      result.operands.push_back(toFusedValue(use, names));
    for (const ValueFusion &use : fusion.producers)
      result.producers.push_back(toFusedValue(use, names));
    result.computed = fusion.computed;
    result.needed = fusion.needed;
  });
  return result;
}

static std::vector<ItemTuple>
getReport(NativeModule &self, std::vector<std::string> sections,
          std::string function, std::map<std::string, std::string> options) {
  std::vector<ItemTuple> result;
  self.getSession().look([&] {
    ReportOptions reportOptions;
    reportOptions.sections = std::move(sections);
    reportOptions.function = std::move(function);
    for (auto &[name, value] : options)
      reportOptions.values[name] = value;
    check(findUnknownOption(reportOptions, getReportSections()));
    std::string error;
    auto items = need(
        makeReport(self.getOp(), reportOptions, getReportSections(), error),
        error);
    for (const ReportItem &item : items) {
      std::vector<std::pair<std::string, MetricValue>> metrics;
      for (const ReportMetric &metric : item.metrics)
        metrics.emplace_back(metric.name, metric.value);
      result.emplace_back(
          item.kind == ReportItem::Kind::Missed ? "missed" : "analysis",
          item.section, item.name, item.function, printLocation(item.location),
          std::move(metrics), item.text, orNone(item.reason));
    }
  });
  return result;
}

void python::bindFusion(nb::module_ &m) {
  nb::class_<FusedValue>(m, "FusedValue",
                         "How a fused group reads (or computes) one value.")
      .def_ro("name", &FusedValue::name, "As the function prints it: '%arg0'.")
      .def_ro("type", &FusedValue::type)
      .def_ro("op", &FusedValue::op, "The op that produces it, if any.")
      .def_ro("location", &FusedValue::location)
      .def_ro("maps", &FusedValue::maps,
              "The different ways in which results read it, as indexing maps "
              "from a result's index.")
      .def_ro("paths", &FusedValue::paths,
              "For each map, in words: 'directly', 'through ...'.")
      .def_ro("elements", &FusedValue::elements, "Elements that it has.")
      .def_ro("reads", &FusedValue::reads,
              "Points of all maps: how often an element of it is loaded, or "
              "computed. None if not known.")
      .def_ro("unique", &FusedValue::unique,
              "Different elements among those reads. None if not known.")
      .def_ro("rereads", &FusedValue::rereads, "reads - unique.")
      .def_prop_ro(
          "multiplicity",
          [](const FusedValue &v) { return v.ratio(v.reads, v.unique); },
          "reads / unique.")
      .def_prop_ro(
          "utilization",
          [](const FusedValue &v) { return v.ratio(v.unique, v.elements); },
          "unique / elements.")
      .def_ro("reason", &FusedValue::reason,
              "Why something is None; None if all is known.")
      .def_ro("culprit", &FusedValue::culprit,
              "The op that hides how the value is read, if one does.")
      .def("__repr__", [](const FusedValue &v) {
        std::string text = "<FusedValue " + v.name + ": ";
        if (v.reason)
          return text + *v.reason + ">";
        return text + std::to_string(v.reads.value_or(0)) + " reads of " +
               std::to_string(v.unique.value_or(0)) + " elements>";
      });
  nb::class_<Fusion>(m, "Fusion", "What computing ops together would cost.")
      .def_ro("function", &Fusion::function)
      .def_ro("ops", &Fusion::ops, "Names of the ops inside, in order.")
      .def_ro("results", &Fusion::results)
      .def_ro("operands", &Fusion::operands,
              "What the group reads from outside.")
      .def_ro("producers", &Fusion::producers,
              "What it computes inside, in order; constants left out.")
      .def_ro("computed", &Fusion::computed,
              "Elements of all producers that are computed, again and again.")
      .def_ro("needed", &Fusion::needed, "Different elements among them.")
      .def_prop_ro(
          "recompute_factor",
          [](const Fusion &f) {
            return FusedValue().ratio(f.computed, f.needed);
          },
          "computed / needed.")
      .def("__repr__", [](const Fusion &f) {
        return "<Fusion of " + std::to_string(f.ops.size()) + " ops of @" +
               f.function + ">";
      });
  m.def("fusion", &getFusion, nb::arg("module"), nb::arg("name"),
        nb::arg("root").none(), nb::arg("through").none(), nb::arg("max_maps"),
        nb::arg("max_variables"));
  m.def("report", &getReport, nb::arg("module"), nb::arg("sections"),
        nb::arg("function"), nb::arg("options"));
}

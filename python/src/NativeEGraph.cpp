//===- NativeEGraph.cpp - Saturation and e-graphs for Python --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transforms/SaturateTerms.h: rewriting a clone of a module, and a graph that
// is kept beside its module. Costs may be functions of Python. These are called
// under the session's lock, with the GIL for as long as they run. What one
// raises is kept, and raised when the work in C++ is done; until then costs are
// 0 and no callback is called.
//
//===----------------------------------------------------------------------===//

#include "NativeEGraph.h"
#include "NativeModule.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/SaturateTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/ScopedPrinter.h"

#include <nanobind/stl/map.h>

#include <cmath>
#include <utility>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// What a cost raised on this thread.
static thread_local std::exception_ptr costError;

void python::rethrowCostError() {
  if (!costError)
    return;
  std::exception_ptr error = std::exchange(costError, nullptr);
  std::rethrow_exception(error);
}

using ShapeList =
    std::vector<std::optional<std::vector<std::optional<int64_t>>>>;

/// Sizes that are not known, and types without a shape, are None.
static ShapeList getShapes(ArrayRef<Type> types) {
  ShapeList shapes;
  for (Type type : types) {
    auto &shape = shapes.emplace_back();
    if (auto access = dyn_cast_or_null<AccessType>(type))
      shape = toSizes(access.getShape());
    else if (auto shaped = dyn_cast_or_null<ShapedType>(type);
             shaped && shaped.hasRank())
      shape = toSizes(shaped.getShape());
  }
  return shapes;
}

namespace {

/// A node that a cost is asked of. There while it is asked.
struct TermView {
  const TermGraph *graph;
  NodeId node;
  const Target *target;

  const TermGraph &get() const {
    if (!graph)
      throw Error("a node is valid only while its cost is asked for");
    return *graph;
  }
  SymbolId getSymbol() const { return get().getTable().getSymbol(node); }
  std::string getOp() const { return get().describeSymbol(getSymbol()); }
  SmallVector<Type> getOperandTypes() const {
    const NodeTable &table = get().getTable();
    SmallVector<Type> types;
    for (unsigned i = 0; i < table.getNumOperands(node); ++i)
      llvm::append_range(types, get().getTypes(table.getOperand(node, i)));
    return types;
  }
  ArrayRef<Type> getResultTypes() const {
    return get().getResultTypes(getSymbol());
  }
};

/// What Python asks of a graph: rules, target, scheduler, and the limits of
/// iterations, nodes, matches, bytes and seconds.
using GraphOptions =
    std::tuple<std::vector<std::string>, std::string, std::string, int64_t,
               int64_t, int64_t, int64_t, double>;

using Attributes = std::map<std::string, std::string>;
/// (class, op, attributes, operands, result types) of a node.
using NodeTuple = std::tuple<uint32_t, std::string, Attributes,
                             std::vector<uint32_t>, std::vector<std::string>>;

/// What refers to what while it is saturated.
struct GraphSetup {
  NamedRules compiled;
  Target target;
  TermSaturationOptions options;
  /// Of rules that are not PDL, after the others.
  std::shared_ptr<std::vector<std::string>> others =
      std::make_shared<std::vector<std::string>>();

  /// Reports errors.
  LogicalResult set(ModuleOp module, const GraphOptions &from);
  std::string getRuleName(size_t i) const {
    const std::vector<PdlRule> &known = compiled.rules;
    return i < known.size() ? known[i].getName().str()
                            : (*others)[i - known.size()];
  }
};

} // namespace

static Attributes printAttributes(const TermGraph &graph, SymbolId symbol) {
  Attributes result;
  if (!graph.isOperation(symbol))
    return result;
  if (DictionaryAttr attributes = graph.getAttributes(symbol))
    for (NamedAttribute attribute : attributes)
      result.emplace(attribute.getName().str(),
                     llvm::to_string(attribute.getValue()));
  return result;
}

static std::vector<std::string> printTypes(ArrayRef<Type> types) {
  std::vector<std::string> result;
  for (Type type : types)
    result.push_back(type ? llvm::to_string(type) : std::string("tuple"));
  return result;
}

/// Asks a function of Python.
static double askPython(PyObject *callable, const TermGraph &graph, NodeId node,
                        const Target &target) {
  if (costError)
    return 0;
  AcquireGil gil;
  try {
    nb::object view = nb::cast(TermView{&graph, node, &target});
    TermView *seen = nb::inst_ptr<TermView>(view);
    nb::object value;
    try {
      value = nb::borrow<nb::object>(callable)(view);
    } catch (...) {
      seen->graph = nullptr;
      throw;
    }
    std::string op = seen->getOp();
    seen->graph = nullptr;
    const double cost = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      throw Error("the cost of '" + llvm::Twine(op) +
                  "' must be a number, got " +
                  nb::cast<std::string>(nb::repr(value)));
    }
    if (std::isnan(cost))
      throw Error(TermCostFault{op, CostFault::Kind::NotANumber, cost}.str());
    if (cost < 0)
      throw Error(TermCostFault{op, CostFault::Kind::Negative, cost}.str());
    return cost;
  } catch (...) {
    costError = std::current_exception();
  }
  return 0;
}

/// A cost by its name, or a function of Python that lives as long. Needs the
/// GIL.
static TermCost findCost(nb::handle cost, const Target &target) {
  if (nb::isinstance<nb::str>(cost)) {
    std::string name = nb::cast<std::string>(cost);
    TermCost found = findTermCost(name, target);
    if (!found)
      throw Error(describeUnknownCost(name));
    return found;
  }
  if (!PyCallable_Check(cost.ptr()))
    throw Error("cost must be a name or a function, got " +
                llvm::Twine(nb::cast<std::string>(nb::repr(cost))));
  return [callable = cost.ptr(), target](const TermGraph &graph, NodeId node) {
    return askPython(callable, graph, node, target);
  };
}

/// Costs of Python by name; the functions are in a dictionary of the package,
/// so that they go when it does.
static void registerCost(const std::string &name, const std::string &summary) {
  const bool isNew =
      registerTermCost(name, summary, [name](const Target &target) -> TermCost {
        AcquireGil gil;
        try {
          nb::dict costs =
              nb::module_::import_("tensoraccess._egraph").attr("_costs");
          PyObject *callable = nb::object(costs[nb::str(name.c_str())]).ptr();
          return [callable, target](const TermGraph &graph, NodeId node) {
            return askPython(callable, graph, node, target);
          };
        } catch (nb::python_error &error) {
          error.discard_as_unraisable("tensoraccess.register_cost");
        }
        return TermCost();
      });
  if (!isNew)
    throw Error(name.empty()
                    ? "a cost needs a name"
                    : "there is a cost '" + llvm::Twine(name) + "' already");
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

LogicalResult GraphSetup::set(ModuleOp module, const GraphOptions &from) {
  const auto &[rules, machine, scheduler, iterations, nodes, matches, bytes,
               seconds] = from;
  for (auto [what, value] : {std::pair("iterations", iterations),
                             {"nodes", nodes},
                             {"matches", matches},
                             {"bytes", bytes}})
    if (value < 1)
      return emitError(UnknownLoc::get(module.getContext()))
             << "the limit of " << what << " must be positive, got " << value;
  MLIRContext *context = module.getContext();
  FailureOr<NamedRules> loaded = NamedRules::load(context, rules);
  if (failed(loaded))
    return failure();
  compiled = std::move(*loaded);
  FailureOr<Target> found = findTarget(module, machine);
  if (failed(found))
    return failure();
  target = *found;
  SaturationOptions &saturation = options.saturation;
  if (scheduler == "backoff")
    saturation.scheduler = SchedulerKind::Backoff;
  else if (scheduler == "eager")
    saturation.mode = SaturationMode::Eager;
  else if (scheduler != "simple")
    return emitError(UnknownLoc::get(context)) << describeUnknown(
               "scheduler", scheduler, {"simple", "backoff", "eager"});
  saturation.limits = {uint64_t(iterations), uint64_t(nodes), uint64_t(matches),
                       uint64_t(bytes), seconds};
  compiled.addTo(options, &target);
  if (compiled.isOnAccess) {
    options.makeRules = [make = options.makeRules,
                         others = others](TermGraph &graph) {
      std::vector<TableRule> made = make(graph);
      others->clear();
      for (const TableRule &rule : made)
        others->push_back(rule.name);
      return made;
    };
  }
  return success();
}

static TermExtractionOptions makeExtraction(nb::handle cost,
                                            const Target &target,
                                            const std::string &method,
                                            double seconds) {
  std::optional<ExtractionMethod> known = parseExtractionMethod(method);
  if (!known)
    throw Error(
        describeUnknown("extraction", method, {"tree", "dag", "exact"}));
  TermExtractionOptions options{findCost(cost, target), *known, seconds};
  check(verify(options));
  return options;
}

/// The functions with a body, or that of a name. Reports an error.
static FailureOr<SmallVector<FunctionOpInterface>>
findFunctions(ModuleOp module, const std::optional<std::string> &name) {
  SmallVector<FunctionOpInterface> functions;
  module.walk([&](FunctionOpInterface function) {
    if (!function.isExternal() && (!name || function.getName() == *name))
      functions.push_back(function);
  });
  if (functions.empty())
    return emitError(UnknownLoc::get(module.getContext()))
           << describeUnknownFunction(module, name.value_or(""));
  return functions;
}

//===----------------------------------------------------------------------===//
// Saturation
//===----------------------------------------------------------------------===//

/// (name, matches, applied, bans, refused, why the first was refused)
using RuleCount = std::tuple<std::string, uint64_t, uint64_t, uint64_t,
                             uint64_t, std::string>;

static std::vector<RuleCount> countRules(const GraphSetup &setup,
                                         ArrayRef<RuleStatistics> rules) {
  std::vector<RuleCount> counts;
  for (auto [i, rule] : llvm::enumerate(rules))
    counts.emplace_back(setup.getRuleName(i), rule.matches, rule.applied,
                        rule.bans, rule.refused, rule.refusal);
  return counts;
}

static std::vector<std::string> describeFaults(ArrayRef<TermCostFault> faults) {
  std::vector<std::string> texts;
  for (const TermCostFault &fault : faults)
    texts.push_back(fault.str());
  return texts;
}

/// A name, or a function of a node.
using Cost = nb::typed<
    nb::object,
    std::variant<std::string, nb::typed<nb::callable, double(TermView)>>>;

static std::pair<std::shared_ptr<NativeModule>, Record>
saturateModule(std::shared_ptr<NativeModule> self, GraphOptions from,
               std::optional<std::string> function, Cost cost,
               std::string method, double seconds, bool testsRules) {
  Session &session = self->getSession();
  GraphSetup setup;
  auto messages = session.attempt("the rules can't be read", [&] {
    return succeeded(setup.set(self->getOp(), from));
  });
  setup.options.extraction =
      makeExtraction(cost, setup.target, method, seconds);
  TermSaturationReport sum;
  OwningOpRef<ModuleOp> result;
  costError = nullptr;
  {
    ReleaseGil release;
    session.run(messages, [&] {
      OwningOpRef<ModuleOp> clone(self->getOp().clone());
      auto functions = findFunctions(*clone, function);
      if (failed(functions) ||
          (testsRules && failed(verifyRules(setup.compiled.rules, *clone))))
        return;
      for (FunctionOpInterface one : *functions) {
        FailureOr<TermSaturationReport> done =
            saturateTerms(one, setup.options);
        if (failed(done) || costError)
          return;
        add(sum.statistics, done->statistics);
        sum.blocks += done->blocks;
        sum.replaced += done->replaced;
        sum.made += done->made;
        sum.costBefore += done->costBefore;
        sum.costAfter += done->costAfter;
        sum.lowerBound += done->lowerBound;
        sum.isOptimal &= done->isOptimal;
        llvm::append_range(sum.faults, done->faults);
      }
      warnOfRules(setup.compiled.rules, sum.statistics.rules);
      result = std::move(clone);
    });
  }
  rethrowCostError();
  if (!result)
    throw Error(joinErrors(messages, "the module can't be saturated"));
  Record report;
  report["stop_reason"] = describe(sum.statistics.reason).str();
  report["saturated"] = sum.statistics.reason == StopReason::Saturated;
  report["nodes"] = sum.statistics.nodes;
  report["classes"] = sum.statistics.classes;
  report["iterations"] = sum.statistics.iterations;
  report["seconds"] = sum.statistics.seconds;
  report["rules"] = countRules(setup, sum.statistics.rules);
  report["replaced"] = sum.replaced;
  report["made"] = sum.made;
  report["cost_before"] = sum.costBefore;
  report["cost_after"] = sum.costAfter;
  report["lower_bound"] = sum.lowerBound;
  report["gap"] = sum.getGap();
  report["is_optimal"] = sum.isOptimal;
  report["faults"] = describeFaults(sum.faults);
  return {std::make_shared<NativeModule>(
              self->getSharedSession(), std::move(result), std::move(messages)),
          report};
}

//===----------------------------------------------------------------------===//
// E-graphs
//===----------------------------------------------------------------------===//

namespace {

class NativeEGraph {
public:
  NativeEGraph(std::shared_ptr<NativeModule> from, GraphOptions options,
               std::optional<std::string> function);

  /// (type, is a root) of each class.
  std::vector<std::pair<std::string, bool>> getClasses();
  std::vector<NodeTuple> getNodes();
  Record getReport();
  std::string toDot(const std::vector<uint32_t> &choice);
  std::string toJson();
  Record extract(Cost cost, std::string method, double seconds);

private:
  void run(llvm::function_ref<void()> work) {
    ReleaseGil release;
    session->run(messages, work);
  }

  // What is destroyed first comes last.
  std::shared_ptr<Session> session;
  OwningOpRef<ModuleOp> module;
  std::vector<Message> messages;
  GraphSetup setup;
  std::unique_ptr<KeptTermGraph> kept;
};

} // namespace

NativeEGraph::NativeEGraph(std::shared_ptr<NativeModule> from,
                           GraphOptions options,
                           std::optional<std::string> function)
    : session(from->getSharedSession()) {
  run([&] {
    module = OwningOpRef<ModuleOp>(from->getOp().clone());
    if (failed(setup.set(*module, options)))
      return;
    auto functions = findFunctions(*module, function);
    if (failed(functions))
      return;
    Block &block = functions->front().getFunctionBody().front();
    auto made = KeptTermGraph::make(block, setup.options);
    if (failed(made))
      return;
    kept = std::move(*made);
    if (!kept)
      emitError(functions->front().getLoc(),
                "its first block computes no terms");
  });
  if (!kept)
    throw Error(joinErrors(messages, "there is no e-graph"));
}

std::vector<std::pair<std::string, bool>> NativeEGraph::getClasses() {
  std::vector<std::pair<std::string, bool>> classes;
  run([&] {
    const ExtractionGraph &nodes = kept->getNodes();
    for (uint32_t i = 0; i != nodes.getNumClasses(); ++i) {
      Type type = kept->getGraph().getType(nodes.getTableClass(i));
      classes.emplace_back(type ? llvm::to_string(type) : "tuple", false);
    }
    for (uint32_t root : kept->getRoots())
      classes[root].second = true;
  });
  return classes;
}

std::vector<NodeTuple> NativeEGraph::getNodes() {
  std::vector<NodeTuple> all;
  run([&] {
    const ExtractionGraph &nodes = kept->getNodes();
    TermGraph &graph = kept->getGraph();
    for (uint32_t i = 0; i != nodes.getNumNodes(); ++i) {
      const SymbolId symbol = graph.getTable().getSymbol(nodes.getTableNode(i));
      ArrayRef<uint32_t> children = nodes.getChildren(i);
      all.emplace_back(nodes.getClass(i), graph.describeSymbol(symbol),
                       printAttributes(graph, symbol), children.vec(),
                       printTypes(graph.getResultTypes(symbol)));
    }
  });
  return all;
}

Record NativeEGraph::getReport() {
  const SaturationStatistics &statistics = kept->getStatistics();
  Record report;
  report["stop_reason"] = describe(statistics.reason).str();
  report["saturated"] = statistics.reason == StopReason::Saturated;
  report["iterations"] = statistics.iterations;
  report["rules"] = countRules(setup, statistics.rules);
  return report;
}

std::string NativeEGraph::toDot(const std::vector<uint32_t> &choice) {
  const uint32_t numClasses = kept->getNodes().getNumClasses(),
                 numNodes = kept->getNodes().getNumNodes();
  if (!choice.empty() && choice.size() != numClasses)
    throw Error("a choice has a node for each of " + llvm::Twine(numClasses) +
                " classes, got " + llvm::Twine(choice.size()));
  for (uint32_t node : choice)
    if (node != ExtractionGraph::kNone && node >= numNodes)
      throw Error("there is no node " + llvm::Twine(node));
  std::string text;
  run([&] {
    llvm::raw_string_ostream os(text);
    writeEGraphDot(kept->serialize(), os, choice);
  });
  return text;
}

std::string NativeEGraph::toJson() {
  std::string text, problem;
  run([&] {
    llvm::raw_string_ostream os(text);
    if (!writeEGraphJson(kept->serialize(), os, problem))
      throw Error(problem);
  });
  return text;
}

Record NativeEGraph::extract(Cost cost, std::string method, double seconds) {
  TermExtractionOptions options =
      makeExtraction(cost, setup.target, method, seconds);
  std::optional<TermExtraction> found;
  std::string problem;
  messages.clear();
  costError = nullptr;
  run([&] { found = kept->extract(*module, options, problem); });
  rethrowCostError();
  if (!found)
    throw Error(problem);
  Record result;
  auto program = cast<ModuleOp>(found->program.release());
  result["module"] = std::make_shared<NativeModule>(
      session, OwningOpRef<ModuleOp>(program), std::move(messages));
  messages.clear();
  result["cost"] = found->cost;
  result["cost_before"] = found->costBefore;
  result["lower_bound"] = found->lowerBound;
  result["gap"] = found->getGap();
  result["is_optimal"] = found->isOptimal;
  result["faults"] = describeFaults(found->faults);
  result["choice"] = found->choice;
  return result;
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

void python::bindEGraph(nb::module_ &m) {
  nb::class_<TermView>(
      m, "CostTerm",
      "A node whose cost is asked for; valid while the function runs.")
      .def_prop_ro("op", &TermView::getOp,
                   "The op's name; 'view' for movement in normal form.")
      .def_prop_ro(
          "attributes",
          [](const TermView &self) {
            return printAttributes(self.get(), self.getSymbol());
          },
          "Texts of the attributes.")
      .def_prop_ro("operand_types",
                   [](const TermView &self) {
                     return printTypes(self.getOperandTypes());
                   })
      .def_prop_ro("result_types",
                   [](const TermView &self) {
                     return printTypes(self.getResultTypes());
                   })
      .def_prop_ro(
          "operand_shapes",
          [](const TermView &self) {
            return getShapes(self.getOperandTypes());
          },
          "Sizes of tensors and access patterns, None where they are "
          "not known; None for other types.")
      .def_prop_ro(
          "result_shapes",
          [](const TermView &self) { return getShapes(self.getResultTypes()); })
      .def(
          "cost",
          [](const TermView &self, const std::string &name) {
            TermCost cost = findTermCost(name, *self.target);
            if (!cost)
              throw Error(describeUnknownCost(name));
            const double value = cost(self.get(), self.node);
            rethrowCostError();
            return value;
          },
          nb::arg("name"), "What a named cost charges for the node.")
      .def("__repr__", [](const TermView &self) {
        return self.graph ? "<CostTerm " + self.getOp() + ">"
                          : std::string("<CostTerm that is gone>");
      });

  nb::class_<NativeEGraph>(m, "NativeEGraph",
                           "A saturated e-graph; see tensoraccess.EGraph.")
      .def("classes", &NativeEGraph::getClasses)
      .def("nodes", &NativeEGraph::getNodes)
      .def("report", &NativeEGraph::getReport)
      .def("to_dot", &NativeEGraph::toDot, nb::arg("choice"))
      .def("to_json", &NativeEGraph::toJson)
      .def("extract", &NativeEGraph::extract, nb::arg("cost"),
           nb::arg("method"), nb::arg("seconds"));

  m.def(
      "make_egraph",
      [](std::shared_ptr<NativeModule> module, const GraphOptions &options,
         std::optional<std::string> function) {
        return std::make_shared<NativeEGraph>(std::move(module), options,
                                              std::move(function));
      },
      nb::arg("module"), nb::arg("options"), nb::arg("function").none());
  m.def("saturate", &saturateModule, nb::arg("module"), nb::arg("options"),
        nb::arg("function").none(), nb::arg("cost"), nb::arg("method"),
        nb::arg("seconds"), nb::arg("tests_rules"));
  m.def("register_cost", &registerCost, nb::arg("name"), nb::arg("summary"));
  m.def("costs", [] { return toSummaries(getTermCosts()); });
  m.def("rule_sets", [] {
    auto result = toSummaries(getRuleSets());
    result.emplace_back("access",
                        "movement in normal form, and what computes read");
    llvm::sort(result);
    return result;
  });
}

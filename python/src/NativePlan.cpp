//===- NativePlan.cpp - Plans of shards for Python ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is made on a clone of the module, which then says it as attributes.
// The object keeps the clone, and answers from what the planner worked out.
// Programs of all ranks are run one after the other in the interpreter.
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"
#include "NativeModule.h"
#include "NativeShards.h"
#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Sharding/Sharding.h"
#include "llvm/Support/FormatVariadic.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {

/// (name with number, kind of cut, cut, reduced, seconds, seconds of exchanges,
/// bytes sent, bytes held, result types, location) of an op.
using PlannedOpTuple =
    std::tuple<std::string, std::string, std::string, std::string, double,
               double, uint64_t, uint64_t, std::vector<std::string>,
               std::string>;
/// (op with number, operand or none, result, from, shape, element bytes, bytes,
/// messages, seconds) of an exchange.
using PlannedExchangeTuple =
    std::tuple<std::string, std::optional<unsigned>, unsigned, std::string,
               std::vector<int64_t>, int64_t, uint64_t, uint64_t, double>;

struct NativePlan {
  /// Keeps the function alive.
  std::shared_ptr<NativeModule> module;
  func::FuncOp function;
  ShardPlan plan;
  /// `linalg.generic#2` by op.
  llvm::DenseMap<Operation *, std::string> names;

  const ShardedProgram &program() const { return plan.program; }
  Record getFigures() const;
  std::vector<PlannedOpTuple> getOps() const;
  std::vector<PlannedExchangeTuple> getExchanges() const;
  PlacedExchange getExchangeAt(size_t number) const;
  std::string drawPlan(int64_t rows) const;
  std::string drawTensor(const std::string &op, std::optional<unsigned> operand,
                         std::optional<unsigned> result, int64_t ranks,
                         bool isExchange) const;
};

} // namespace

/// Which of its name an op is: `linalg.generic`, `linalg.generic#1`.
static llvm::DenseMap<Operation *, std::string> numberOps(Block &block) {
  llvm::DenseMap<Operation *, std::string> out;
  llvm::StringMap<unsigned> counts;
  for (Operation &op : block) {
    StringRef name = op.getName().getStringRef();
    const unsigned number = counts[name]++;
    out[&op] = name.str() + (number ? "#" + std::to_string(number) : "");
  }
  return out;
}

using GridLike =
    nb::typed<nb::object, std::variant<Grid, std::string, int64_t>>;

static Grid chooseGrid(const std::optional<GridLike> &grid,
                       std::optional<int64_t> ranks, const CostModel &model) {
  if (grid && ranks)
    throw Error("give a grid or ranks, not both");
  if (grid)
    return readGridOf(*grid);
  if (!ranks)
    return {};
  if (*ranks < 1 || *ranks > kMaxGridRanks)
    throw Error("a grid has from 1 to " + llvm::Twine(kMaxGridRanks) +
                " ranks, got " + llvm::Twine(*ranks));
  return getNetworkGrid(*ranks, model);
}

static PlanMethod parsePlanMethod(std::string_view method) {
  if (method == "auto")
    return PlanMethod::Auto;
  if (method == "dp")
    return PlanMethod::Elimination;
  if (method == "ilp")
    return PlanMethod::IntegerProgram;
  throw Error(describeUnknown("method", toRef(method), {"auto", "dp", "ilp"}));
}

/// The planner on a function of a clone; errors become diagnostics.
static LogicalResult planClone(ModuleOp clone, StringRef entry,
                               PlanOptions &options, NativePlan &out) {
  FailureOr<func::FuncOp> function = findEntry(clone, entry);
  if (failed(function))
    return failure();
  auto written = (*function)->getAttrOfType<StringAttr>(kGridName);
  if (options.grid.axes.empty()) {
    if (!written)
      return (*function)->emitError("give a grid, ranks, or '")
             << kGridName << "' on the function";
    FailureOr<Grid> read = readGrid(*function);
    if (failed(read))
      return failure();
    options.grid = *read;
  } else if (written && written.getValue() != options.grid.str()) {
    return (*function)->emitError("the function is planned for the grid ")
           << written.getValue() << ", not for " << options.grid.str();
  }
  if (failed(checkCostNames(clone, options.model)))
    return failure();
  FailureOr<ShardPlan> plan = planShards(*function, options);
  if (failed(plan) || failed(verifyCover(*function, plan->program)))
    return failure();
  writeShardDecisions(*function, plan->program);
  out.function = *function;
  out.names = numberOps(function->getBody().front());
  out.plan = std::move(*plan);
  return success();
}

static std::shared_ptr<NativePlan>
makePlan(std::shared_ptr<NativeModule> self, std::string_view entry,
         std::optional<GridLike> grid, std::optional<int64_t> ranks,
         const std::optional<CostModel> &model,
         std::optional<int64_t> memoryLimit, std::string_view method,
         int64_t candidates, double maxSeconds) {
  PlanOptions options;
  options.model = model ? *model : getDefaultCostModel();
  options.grid = chooseGrid(grid, ranks, options.model);
  options.method = parsePlanMethod(method);
  if (memoryLimit) {
    if (*memoryLimit < 1)
      throw Error("memory_limit must be positive, got " +
                  llvm::Twine(*memoryLimit));
    options.memoryLimit = static_cast<uint64_t>(*memoryLimit);
  }
  if (candidates < 1)
    throw Error("candidates must be positive, got " + llvm::Twine(candidates));
  options.maxCandidates = candidates;
  if (!(maxSeconds > 0))
    throw Error("max_seconds must be positive, got " +
                llvm::Twine(llvm::formatv("{0}", maxSeconds).str()));
  options.maxSeconds = maxSeconds;

  auto out = std::make_shared<NativePlan>();
  OwningOpRef<ModuleOp> clone;
  auto messages =
      self->getSession().attempt("the function cannot be planned", [&] {
        clone = OwningOpRef<ModuleOp>(self->getOp().clone());
        bool ok = succeeded(planClone(*clone, toRef(entry), options, *out));
        if (!ok)
          clone = {};
        return ok;
      });
  out->module = std::make_shared<NativeModule>(
      self->getSharedSession(), std::move(clone), std::move(messages));
  return out;
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

Record NativePlan::getFigures() const {
  Record out;
  out["grid"] = program().grid;
  out["method"] = plan.method;
  out["is_optimal"] = plan.isOptimal;
  out["bound"] = plan.bound;
  out["groups"] = plan.groups;
  out["candidates"] = plan.candidates;
  out["left_out"] = plan.leftOut;
  out["seconds"] = program().seconds;
  out["compute_seconds"] = program().computeSeconds;
  out["exchange_seconds"] = program().exchangeSeconds;
  out["bytes_sent"] = program().bytesSent;
  out["messages"] = program().messages;
  out["memory_per_rank"] = program().memoryPerRank;
  return out;
}

std::vector<PlannedOpTuple> NativePlan::getOps() const {
  std::vector<PlannedOpTuple> out;
  module->getSession().look([&] {
    for (const auto &[op, sharded] : program().ops) {
      if (sharded.block.kind == BlockOpKind::Free)
        continue;
      const ShardDecision &decision = sharded.decision;
      const bool isOpaque = sharded.block.kind == BlockOpKind::Opaque;
      std::string kind = isOpaque            ? "whole"
                         : decision.isNeeded ? "needed"
                                             : "cut";
      out.emplace_back(
          names.lookup(op), kind,
          kind == "cut" ? decision.cut.str(program().grid) : std::string(),
          decision.reduced ? decision.reduced->str(program().grid)
                           : std::string(),
          sharded.seconds, sharded.exchangeSeconds, sharded.bytesSent,
          sharded.bytesHeld, printAll(op->getResultTypes()),
          printLocation(op->getLoc()));
    }
  });
  return out;
}

std::vector<PlannedExchangeTuple> NativePlan::getExchanges() const {
  std::vector<PlannedExchangeTuple> out;
  for (const ShardExchange &exchange : program().exchanges)
    out.emplace_back(
        names.lookup(exchange.op), exchange.operand, exchange.result,
        exchange.from.str(program().grid),
        std::vector<int64_t>(exchange.shape.begin(), exchange.shape.end()),
        exchange.elementBytes, exchange.cost.bytes, exchange.cost.messages,
        exchange.cost.seconds);
  return out;
}

PlacedExchange NativePlan::getExchangeAt(size_t number) const {
  const ShardExchange &exchange = program().exchanges.at(number);
  if (exchange.cost.messages > (1u << 20))
    throw Error("the exchange has " + llvm::Twine(exchange.cost.messages) +
                " messages, more than 1048576 that are listed");
  ShardedTensor tensor = getShardedTensor(program(), exchange);
  std::string error;
  return {tensor.grid, need(getExchange(tensor.grid, *tensor.owned,
                                        tensor.shape, *tensor.needed, error),
                            error)};
}

std::string NativePlan::drawPlan(int64_t rows) const {
  PlanPictureOptions options;
  options.maxRows = rows;
  options.note = "found by " + plan.method + " among " +
                 std::to_string(plan.candidates) + " cuts of " +
                 std::to_string(plan.groups) + " groups" +
                 (plan.isOptimal ? "" : ", perhaps not the best");
  std::string text;
  llvm::raw_string_ostream os(text);
  module->getSession().look(
      [&] { check(writePlanSvg(function, program(), os, options)); });
  return text;
}

std::string NativePlan::drawTensor(const std::string &op,
                                   std::optional<unsigned> operand,
                                   std::optional<unsigned> result,
                                   int64_t ranks, bool isExchange) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->getSession().look([&] {
    func::FuncOp planned = function;
    ShardChoice choice{planned.getName().str(), op, operand, result};
    std::string error;
    ShardedTensor tensor =
        need(getShardedTensor(function, program(), choice, error), error);
    if (isExchange && (!tensor.owned || !tensor.needed))
      throw Error(tensor.name + " is not exchanged");
    check(isExchange ? writeExchangeSvg(tensor, os, {ranks})
                     : writeShardSvg(tensor, os, {ranks}));
  });
  return text;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// (results, bytes sent by rank, messages sent by rank).
using RankRun =
    std::tuple<std::vector<Result>, SmallVector<int64_t>, SmallVector<int64_t>>;

static RankRun runRanks(NativeModule &self, const std::string &program,
                        const std::vector<Argument> &arguments) {
  SmallVector<Tensor> inputs = viewAll(arguments);
  RankRunReport report;
  auto arrays = toArraysOf(self.getSession(), "the program cannot be run", [&] {
    return interpretSharded(self.getOp(), program, inputs, {}, &report);
  });
  return {std::move(arrays), report.bytesSent, report.messagesSent};
}

void python::bindPlan(nb::module_ &m) {
  nb::class_<NativePlan>(m, "NativePlan",
                         "A plan of shards; see tensoraccess.Plan.")
      .def_ro("module", &NativePlan::module)
      .def("figures", &NativePlan::getFigures)
      .def("ops", &NativePlan::getOps)
      .def("exchanges", &NativePlan::getExchanges)
      .def("exchange_at", &NativePlan::getExchangeAt, nb::arg("number"))
      .def("svg", &NativePlan::drawPlan, nb::arg("rows"))
      .def("tensor_svg", &NativePlan::drawTensor, nb::arg("op"),
           nb::arg("operand").none(), nb::arg("result").none(),
           nb::arg("ranks"), nb::arg("exchange"));
  m.def("plan_shards", &makePlan, nb::arg("module"), nb::arg("entry"),
        nb::arg("grid").none(), nb::arg("ranks").none(),
        nb::arg("model").none(), nb::arg("memory_limit").none(),
        nb::arg("method"), nb::arg("candidates"), nb::arg("max_seconds"));
  m.def("run_ranks", &runRanks, nb::arg("module"), nb::arg("program"),
        nb::arg("arguments"));
}

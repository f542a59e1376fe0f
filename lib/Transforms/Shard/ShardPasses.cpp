//===- ShardPasses.cpp - Passes on ranks: the shells ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/ShardPasses.h"
#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Sharding/Sharding.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PLANSHARDS
#define GEN_PASS_DEF_SHARD
#define GEN_PASS_DEF_SPREADCUTS
#include "TensorAccess/Transforms/ShardPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static std::string printSeconds(double seconds) {
  return llvm::formatv("{0:e3}", seconds).str();
}

/// What a rank holds of an op's results.
static uint64_t getBlockBytes(const ShardedProgram &program, Operation *op) {
  uint64_t bytes = 0;
  for (Value result : op->getResults())
    if (auto it = program.values.find(result); it != program.values.end()) {
      uint64_t own = it->second.elementBytes;
      for (int64_t extent : getLongest(it->second.boxes))
        own *= extent;
      bytes += own;
    }
  return bytes;
}

/// What a plan costs, in one line.
static void addMetrics(remark::detail::InFlightRemark &remark,
                       const ShardedProgram &program) {
  remark << remark::metric("Seconds", printSeconds(program.seconds))
         << remark::metric("ExchangeSeconds",
                           printSeconds(program.exchangeSeconds))
         << remark::metric("BytesSent", int64_t(program.bytesSent))
         << remark::metric("BytesSentPerRank", int64_t(program.getMaxSent()))
         << remark::metric("Messages", int64_t(program.messages))
         << remark::metric("MessagesPerRank", int64_t(program.getMaxMessages()))
         << remark::metric("LongestWay", program.longestWay)
         << remark::metric("MemoryPerRank", int64_t(program.memoryPerRank));
  // Figures that the model lacks are left out.
  if (program.scratchBytes > 0)
    remark << remark::metric("ScratchPerRank", int64_t(program.scratchBytes));
  if (program.joules > 0)
    remark << remark::metric("Joules", printSeconds(program.joules));
}

static void emitRemarks(FunctionOpInterface function, const ShardPlan &plan) {
  const ShardedProgram &program = plan.program;
  for (const auto &[op, sharded] : program.ops) {
    if (sharded.block.kind == BlockOpKind::Free)
      continue;
    if (sharded.block.kind == BlockOpKind::Opaque) {
      remark::missed(op->getLoc(), remarkOptions("plan-shards", function))
          << remark::add("{0} is whole on every rank",
                         op->getName().getStringRef())
          << remark::reason("{0}", sharded.block.reason);
      continue;
    }
    std::string text = sharded.decision.isNeeded
                           ? kNeededText.str()
                           : sharded.decision.cut.str(program.grid);
    if (sharded.decision.reduced)
      text += " reduced to " + sharded.decision.reduced->str(program.grid);
    remark::analysis(op->getLoc(), remarkOptions("plan-shards", function))
        << remark::add("{0}", text)
        << remark::metric("Seconds", printSeconds(sharded.seconds))
        << remark::metric("ExchangeSeconds",
                          printSeconds(sharded.exchangeSeconds))
        << remark::metric("BytesSent", int64_t(sharded.bytesSent))
        << remark::metric("BlockBytes", int64_t(getBlockBytes(program, op)));
  }
  remark::detail::InFlightRemark summary = remark::analysis(
      function.getLoc(), remarkOptions("plan-shards", function));
  summary << remark::add("{0} on {1} by {2}{3}", function.getName(),
                         program.grid.str(), plan.method,
                         plan.isOptimal ? "" : ", perhaps not the best");
  addMetrics(summary, program);
  summary << remark::metric("Groups", int64_t(plan.groups))
          << remark::metric("Candidates", int64_t(plan.candidates))
          << remark::metric("LeftOut", int64_t(plan.leftOut));
}

namespace {
struct PlanShardsPass
    : public tensoraccess::impl::PlanShardsBase<PlanShardsPass> {
  using PlanShardsBase::PlanShardsBase;

  void runOnOperation() override {
    PlanOptions options;
    if (failed(readOptions(options)))
      return signalPassFailure();
    bool isFound = only.empty();
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (function.isExternal() ||
          (!only.empty() && function.getName() != only))
        continue;
      isFound = true;
      if (failed(planFunction(function, options)))
        return signalPassFailure();
    }
    if (!isFound) {
      getOperation().emitError()
          << describeUnknownFunction(getOperation(), only);
      return signalPassFailure();
    }
  }

private:
  LogicalResult readOptions(PlanOptions &options);
  LogicalResult planFunction(FunctionOpInterface function,
                             PlanOptions &options);
};
} // namespace

LogicalResult PlanShardsPass::readOptions(PlanOptions &options) {
  ModuleOp module = getOperation();
  options.model = getDefaultCostModel();
  if (model == "calibrated") {
    llvm::Expected<CostModel> costs = loadCalibratedCosts();
    if (!costs)
      return module.emitError(llvm::toString(costs.takeError()));
    options.model = std::move(*costs);
  } else if (!model.empty()) {
    auto file = llvm::MemoryBuffer::getFile(model, /*IsText=*/true);
    if (!file)
      return module.emitError("cannot read the costs '")
             << model.getValue() << "': " << file.getError().message();
    ParseError error;
    std::optional<CostModel> costs =
        CostModel::parse((*file)->getBuffer(), error);
    if (!costs)
      return module.emitError("the costs '")
             << model.getValue() << "' are wrong at byte " << error.offset
             << ": " << error.message;
    options.model = std::move(*costs);
  }
  if (failed(checkCostNames(module, options.model)))
    return failure();
  auto isRanks = [&](int64_t number) -> LogicalResult {
    if (number < 1 || number > kMaxGridRanks)
      return module.emitError("a grid has from 1 to ")
             << kMaxGridRanks << " ranks, got " << number;
    return success();
  };
  for (int64_t number : table)
    if (failed(isRanks(number)))
      return failure();
  if (!grid.empty() && ranks != -1)
    return module.emitError("give a grid or ranks, not both");
  if (ranks != -1) {
    if (failed(isRanks(ranks)))
      return failure();
    options.grid = getNetworkGrid(ranks, options.model);
  } else if (!grid.empty()) {
    ParseError error;
    std::optional<Grid> read = Grid::parse(grid, error);
    if (!read)
      return module.emitError("grid: ") << error.message;
    options.grid = std::move(*read);
  }
  if (memoryLimit < 0)
    return module.emitError("memory-limit must not be negative, got ")
           << int64_t(memoryLimit);
  if (memoryLimit > 0)
    options.memoryLimit = static_cast<uint64_t>(memoryLimit);
  if (method == "dp")
    options.method = PlanMethod::Elimination;
  else if (method == "ilp")
    options.method = PlanMethod::IntegerProgram;
  else if (method != "auto")
    return module.emitError(
        describeUnknown("method", method, {"auto", "dp", "ilp"}));
  if (candidates < 1)
    return module.emitError("candidates must be positive, got ")
           << int64_t(candidates);
  options.maxCandidates = candidates;
  if (!(maxSeconds > 0))
    return module.emitError("max-seconds must be positive, got ")
           << llvm::formatv("{0}", double(maxSeconds)).str();
  options.maxSeconds = maxSeconds;
  if (tableEntries < 1)
    return module.emitError("table-entries must be positive, got ")
           << int64_t(tableEntries);
  options.tableBudget = tableEntries;
  return success();
}

LogicalResult PlanShardsPass::planFunction(FunctionOpInterface function,
                                           PlanOptions &options) {
  if (!table.empty()) {
    for (int64_t number : table) {
      options.grid = getNetworkGrid(number, options.model);
      FailureOr<ShardPlan> plan = planShards(function, options);
      if (failed(plan))
        return failure();
      remark::detail::InFlightRemark row = remark::analysis(
          function.getLoc(), remarkOptions("shard-table", function));
      row << remark::add("{0} ranks: {1} s, {2} bytes sent, {3} bytes a rank",
                         number, printSeconds(plan->program.seconds),
                         plan->program.bytesSent, plan->program.memoryPerRank)
          << remark::metric("Ranks", number);
      addMetrics(row, plan->program);
    }
    return success();
  }
  auto written = function->getAttrOfType<StringAttr>(kGridName);
  if (options.grid.axes.empty()) {
    if (!written)
      return function->emitError("give a grid, ranks, or '")
             << kGridName << "' on the function";
    FailureOr<Grid> read = readGrid(function);
    if (failed(read))
      return failure();
    options.grid = *read;
  } else if (written && written.getValue() != options.grid.str()) {
    return function->emitError("the function is planned for the grid ")
           << written.getValue() << ", not for " << options.grid.str();
  }
  FailureOr<ShardPlan> plan = planShards(function, options);
  if (failed(plan) || failed(verifyCover(function, plan->program)))
    return failure();
  writeShardDecisions(function, plan->program);
  for (const auto &[op, sharded] : plan->program.ops) {
    numNeeded += sharded.decision.isNeeded;
    numCut +=
        !sharded.decision.isNeeded && !sharded.decision.cut.isReplicated();
  }
  emitRemarks(function, *plan);
  return success();
}

namespace {
struct ShardPass : public tensoraccess::impl::ShardBase<ShardPass> {
  using Base::Base;

  void runOnOperation() override {
    ShardingOptions options;
    if (rank >= 0)
      options.rank = rank;
    if (ranks > 0)
      options.ranks = ranks;
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kGridName))
        functions.push_back(function);
    if (functions.empty()) {
      getOperation().emitError() << "no function has " << kGridName
                                 << ": there is nothing to cut over ranks";
      return signalPassFailure();
    }
    for (func::FuncOp function : functions) {
      FailureOr<ShardReport> report = shardFunction(function, options);
      if (failed(report))
        return signalPassFailure();
      numExchanges += report->exchanges;
      numMessages += report->messages;
      numElements += report->elements;
    }
  }
};
} // namespace

namespace {
struct SpreadCutsPass
    : public tensoraccess::impl::SpreadCutsBase<SpreadCutsPass> {
  using SpreadCutsBase::SpreadCutsBase;

  FailureOr<Grid> findGrid(FunctionOpInterface function) {
    auto written = function->getAttrOfType<StringAttr>(kGridName);
    if (grid.empty())
      return readGrid(function);
    ParseError error;
    std::optional<Grid> read = Grid::parse(grid, error);
    if (!read)
      return function->emitError("grid: ") << error.message;
    if (written && written.getValue() != read->str())
      return function->emitError("the function is cut for the grid ")
             << written.getValue() << ", not for " << read->str();
    return *read;
  }

  void runOnOperation() override {
    bool isFound = only.empty();
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (function.isExternal() ||
          (!only.empty() && function.getName() != only))
        continue;
      isFound = true;
      FailureOr<Grid> ranks = findGrid(function);
      if (failed(ranks) ||
          failed(setDistributions(function, *ranks, arguments)))
        return signalPassFailure();
      FailureOr<SpreadReport> report = spreadCuts(function, *ranks);
      if (failed(report))
        return signalPassFailure();
      function->setAttr(kGridName,
                        StringAttr::get(&getContext(), ranks->str()));
      numCuts += report->cuts;
      numDropped += report->dropped;
    }
    if (!isFound) {
      getOperation().emitError()
          << describeUnknownFunction(getOperation(), only);
      signalPassFailure();
    }
  }
};
} // namespace

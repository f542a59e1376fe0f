//===- CoalescingReport.cpp - The section on coalescing -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items `access`, at each load and store, and `operand`, at a function on
// tensors for each argument that it would read as one kernel. Options of the
// section: lanes, transaction_bytes, vector, plan.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Dependence.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Core/Closest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The option as a positive number, or what is wrong with it.
static bool readNumber(ReportContext &report, StringRef name, int64_t &value,
                       std::string &problem) {
  StringRef text = report.getOption(name);
  if (text.empty())
    return true;
  if (!text.getAsInteger(10, value) && value >= 1 && value <= (1 << 20))
    return true;
  problem = (name + " must be in [1, 1048576], got '" + text + "'").str();
  return false;
}

static std::optional<ReadOptions> readOptions(ReportContext &report,
                                              std::string &problem) {
  ReadOptions options;
  if (!readNumber(report, "lanes", options.model.lanes, problem) ||
      !readNumber(report, "transaction_bytes", options.model.transactionBytes,
                  problem) ||
      !readNumber(report, "vector", options.vector, problem))
    return std::nullopt;
  // Blocks begin at multiples of the lanes.
  options.threads = 4 * options.model.lanes;
  StringRef plan = report.getOption("plan");
  if (plan.empty())
    return options;
  for (ThreadPlan candidate : {ThreadPlan::Auto, ThreadPlan::Output,
                               ThreadPlan::Input, ThreadPlan::Columns})
    if (describe(candidate) == plan) {
      options.plan = candidate;
      return options;
    }
  problem =
      describeUnknown("plan", plan, {"auto", "output", "input", "columns"});
  return std::nullopt;
}

static void addCounts(ReportItem &item, const Coalescing &c,
                      const Twine &subject) {
  item.metric("Accesses", c.accesses)
      .metric("Transactions", c.transactions)
      .metric("BytesUsed", c.bytesUsed)
      .metric("BytesMoved", c.bytesMoved)
      .metric("MinimumBytes", c.minimumBytes)
      .metric("RunBytes", c.runBytes)
      .metric("WorstUsed", c.worstUsed)
      .metric("WorstMoved", c.worstMoved)
      .label("Coalesced", c.getUtilization() >= 0.9 ? "yes" : "no")
      .ratio("Utilization", c.getUtilization());
  item.say(subject + " uses " + Twine(c.bytesUsed) + " of " +
           Twine(c.bytesMoved) + " bytes moved");
}

void tensoraccess::reportCoalescing(ReportContext &report) {
  FunctionOpInterface function = report.getFunction();
  std::string problem;
  std::optional<ReadOptions> options = readOptions(report, problem);
  if (!options) {
    report.addMissed("options", function.getLoc(), problem);
    return;
  }

  for (const AccessCoalescing &c :
       getMemoryCoalescing(function, options->model)) {
    Operation *op = c.access.op;
    StringRef name = op->getName().getStringRef();
    ReportItem &item = c.value ? report.add("access", op->getLoc())
                               : report.addMissed("access", op->getLoc(),
                                                  name + ": " + c.reason);
    item.label("Op", name)
        .label("Buffer", report.nameOf(c.access.base))
        .label("Map", c.access.map.str());
    if (!c.lane.empty())
      item.label("Lane", c.lane);
    if (c.value)
      addCounts(item, *c.value, name);
    if (!c.space.empty())
      item.label("Space", c.space);
    if (c.banks)
      item.metric("BankCycles", c.banks->cycles)
          .metric("BankMinimumCycles", c.banks->minimumCycles)
          .metric("BankConflicts", c.banks->getConflicts())
          .metric("BankWorst", c.banks->worst);
  }

  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::none_of(function.getArgumentTypes(), isTensor))
    return;
  SmallVector<OperandCoalescing> reads =
      getReadCoalescing(function, report.getCache(), *options);
  if (reads.empty())
    for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                              function.getResultTypes()))
      if (!TensorPlace::get(function, type)) {
        report.addMissed("kernel", function.getLoc(),
                         "an argument or result is not a static tensor or a "
                         "scalar");
        return;
      }
  // What matters of what the lanes of plan Output read.
  SmallVector<OperandCoalescing> mattering;
  if (Dependence *dependence = reads.empty() ? nullptr : report.getDependence())
    if (std::optional<OpIndexing> indexing = dependence->getIndexing()) {
      options->plan = ThreadPlan::Output;
      mattering =
          getReadCoalescing(function, report.getCache(), *options, &*indexing);
    }
  for (const OperandCoalescing &read : reads) {
    std::string argument = report.nameOf(function.getArgument(read.operand));
    ReportItem &item =
        read.value
            ? report.add("operand", function.getLoc())
            : report.addMissed("operand", function.getLoc(), read.reason);
    item.label("Operand", argument)
        .metric("Result", uint64_t(read.result))
        .label("Plan", describe(read.plan));
    if (!read.value)
      continue;
    addCounts(item, *read.value, "the read of " + argument);
    for (const OperandCoalescing &own : mattering)
      if (own.result == read.result && own.operand == read.operand &&
          own.plan == read.plan && own.value &&
          own.value->bytesUsed < read.value->bytesUsed)
        item.metric("BytesThatMatter", own.value->bytesUsed)
            .ratio("UtilizationThatMatters", own.value->bytesUsed,
                   read.value->bytesMoved)
            .holds(report.getDependence()->usesFinite());
  }
}

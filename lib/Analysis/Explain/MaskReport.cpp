//===- MaskReport.cpp - The section on masked work ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Section `masked`: `op` for each op of which something does not matter, as
// `tensoraccess-ask masked` lists them, and `function` with their sum.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Analysis/BlockReport.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Adds a count, or at least what it is at most.
static ReportItem &add(ReportItem &item, StringRef name, const Bounds &count) {
  return count.isExact() ? item.metric(name, count.lower)
                         : item.label(name, count.str());
}

void tensoraccess::reportMasked(ReportContext &report) {
  FunctionOpInterface function = report.getFunction();
  Dependence *dependence = report.getDependence();
  if (!dependence) {
    report.addMissed("function", function.getLoc(),
                     "the body is not one block that ends in a return");
    return;
  }
  const MaskedWork work = getMaskedWork(*dependence, report.getFusion());
  const bool ifFinite = dependence->usesFinite();
  const FlatProgram &flat = dependence->getProgram();
  for (const MaskedWork::Step &step : work.steps) {
    Operation *op = flat.steps[step.step].op;
    ReportItem &item = report.add("op", op->getLoc());
    item.label("Op", op->getName().getStringRef());
    add(item, "OperationsMasked", step.idle);
    add(item, "Operations", step.operations);
    item.metric("ElementsThatMatter", step.share.elements->part)
        .metric("Elements", step.share.elements->whole);
    if (step.share.reads)
      item.metric("ReadsThatMatter", step.share.reads->part)
          .metric("Reads", step.share.reads->whole);
    item.holds(ifFinite);
  }
  for (unsigned s : work.open)
    report
        .addMissed("op", flat.steps[s].op->getLoc(),
                   "the mask is known only at run time")
        .label("Op", flat.steps[s].op->getName().getStringRef());
  ReportItem &total = report.add("function", function.getLoc());
  add(total, "OperationsMasked", work.masked);
  add(total, "Operations", work.operations);
  total.holds(ifFinite).say("masks make idle " + work.str());
}

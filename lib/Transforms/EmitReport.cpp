//===- EmitReport.cpp - The pass that reports what analyses found ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell round makeReport of room Analysis.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Transforms/Passes.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EMITREPORT
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct EmitReportPass
    : public tensoraccess::impl::EmitReportBase<EmitReportPass> {
  using EmitReportBase::EmitReportBase;

  void runOnOperation() override {
    ReportOptions options;
    options.sections.assign(sections.begin(), sections.end());
    options.function = function;
    options.budget.maxMaps = maxMaps;
    options.budget.maxVariables = maxVariables;
    options.budget.maxConstraints = maxVariables;
    options.values["root"] = root;
    options.values["through"] = llvm::join(through, ",");
    options.values["lanes"] = std::to_string(lanes);
    options.values["transaction_bytes"] = std::to_string(transactionBytes);
    options.values["vector"] = std::to_string(vector);
    options.values["plan"] = plan;
    std::string error;
    std::optional<std::deque<ReportItem>> report =
        makeReport(getOperation(), options, error);
    if (!report) {
      getOperation()->emitError(error);
      return signalPassFailure();
    }
    emitReport(*report);
    items += report->size();
    missed += llvm::count_if(*report, [](const ReportItem &item) {
      return item.kind == ReportItem::Kind::Missed;
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

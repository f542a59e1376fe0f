//===- EmitReport.cpp - The pass that reports what analyses found ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrapper around makeReport of Analysis.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/AccessPasses.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EMITREPORT
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct EmitReportPass
    : public tensoraccess::impl::EmitReportBase<EmitReportPass> {
  EmitReportPass(ArrayRef<ReportSection> all) : all(all) {}

  void runOnOperation() override {
    if (failed(checkRanks(getOperation())))
      return signalPassFailure();
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
    options.values["block_extent"] = std::to_string(blockExtent);
    options.values["model"] = model;
    options.values["sizes"] = llvm::join(
        llvm::map_range(sizes, [](int64_t n) { return std::to_string(n); }),
        ",");
    std::string error;
    for (auto [name, value] :
         {std::pair("lanes", unsigned(lanes)),
          std::pair("transaction-bytes", unsigned(transactionBytes)),
          std::pair("vector", unsigned(vector)),
          std::pair("max-maps", unsigned(maxMaps)),
          std::pair("max-variables", unsigned(maxVariables))})
      if (value == 0) {
        mlir::emitError(getOperation()->getLoc(), "option '")
            << name << "' must be positive, got 0";
        return signalPassFailure();
      }
    static constexpr std::array<StringLiteral, 4> kPlans{"auto", "output",
                                                         "input", "columns"};
    if (!llvm::is_contained(kPlans, StringRef(plan))) {
      mlir::emitError(getOperation()->getLoc(),
                      describeUnknown("plan", plan, kPlans));
      return signalPassFailure();
    }
    std::optional<std::deque<ReportItem>> report =
        makeReport(getOperation(), options, all, error);
    if (!report) {
      mlir::emitError(getOperation()->getLoc(), error);
      return signalPassFailure();
    }
    // Remarks that nothing listens to would be lost.
    if (!emitReport(*report) && !report->empty())
      mlir::emitRemark(getOperation()->getLoc())
          << report->size()
          << " findings are remarks, which --remarks-filter=tensoraccess "
             "prints";
    items += report->size();
    missed += llvm::count_if(*report, [](const ReportItem &item) {
      return item.kind == ReportItem::Kind::Missed;
    });
    markAllAnalysesPreserved();
  }

  ArrayRef<ReportSection> all;
};
} // namespace

std::unique_ptr<Pass>
tensoraccess::createEmitReport(ArrayRef<ReportSection> sections) {
  return std::make_unique<EmitReportPass>(sections);
}

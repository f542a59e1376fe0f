//===- AnnotateBlocks.cpp - The pass that writes index projections --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrapper around BlockSpace.h.
//
//===----------------------------------------------------------------------===//

#include "AttributeRoom.h"
#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Transforms/AccessPasses.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ANNOTATEBLOCKS
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kProjectionsName = "tensoraccess.projections";

/// The projections that lead to one value, or why there are none.
static ArrayAttr getWays(Builder &builder, const BlockValue &value) {
  SmallVector<Attribute> ways;
  if (value.reason != IndexingReason::None)
    ways.push_back(builder.getStringAttr(describe(value.reason)));
  for (const BlockMap &map : value.maps)
    if (map.projection)
      ways.push_back(
          ProjectionAttr::get(builder.getContext(), *map.projection));
    else
      ways.push_back(builder.getStringAttr(map.reason));
  return builder.getArrayAttr(ways);
}

static DictionaryAttr getProjections(const BlockSpace &space,
                                     unsigned numOperands,
                                     unsigned numResults) {
  Builder builder(space.op->getContext());
  ArrayAttr none = builder.getArrayAttr({});
  SmallVector<Attribute> operands(numOperands, none), captured,
      results(numResults, none), axes;
  SmallVector<int64_t> extents, summed;
  for (auto [a, axis] : llvm::enumerate(space.axes)) {
    axes.push_back(builder.getStringAttr(axis.name));
    extents.push_back(axis.extent.value_or(-1));
    if (axis.isReduction)
      summed.push_back(a);
  }
  for (const BlockValue &value : space.values) {
    ArrayAttr ways = getWays(builder, value);
    if (value.role == BlockValue::Role::Captured)
      captured.push_back(ways);
    else
      (value.role == BlockValue::Role::Operand ? operands
                                               : results)[value.number] = ways;
  }
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr("axes", builder.getArrayAttr(axes)),
      builder.getNamedAttr("extents", builder.getDenseI64ArrayAttr(extents)),
      builder.getNamedAttr("operands", builder.getArrayAttr(operands)),
      builder.getNamedAttr("results", builder.getArrayAttr(results)),
      builder.getNamedAttr("summed", builder.getDenseI64ArrayAttr(summed))};
  if (!captured.empty())
    entries.push_back(
        builder.getNamedAttr("captured", builder.getArrayAttr(captured)));
  return builder.getDictionaryAttr(entries);
}

namespace {
struct AnnotateBlocksPass
    : public tensoraccess::impl::AnnotateBlocksBase<AnnotateBlocksPass> {
  using AnnotateBlocksBase::AnnotateBlocksBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult annotate(ReportContext &report, std::optional<BlockSpace> space,
                         Operation *target, const std::string &why,
                         unsigned numOperands, unsigned numResults);

  BlockQuestion question;
  std::optional<CostModel> costs;
  AttributeRoom room;
};
} // namespace

/// Annotates `target`, and reports on its block.
LogicalResult AnnotateBlocksPass::annotate(
    ReportContext &report, std::optional<BlockSpace> space, Operation *target,
    const std::string &why, unsigned numOperands, unsigned numResults) {
  StringRef name = target->getName().getStringRef();
  if (!space) {
    report.addMissed("block", target->getLoc(), name + ": " + why)
        .label("Op", name);
    return success();
  }
  if (!room.set(target, kProjectionsName,
                getProjections(*space, numOperands, numResults)))
    return success();
  ++ops;
  for (const BlockValue &value : space->values) {
    unknown += value.reason != IndexingReason::None;
    for (const BlockMap &map : value.maps)
      ++(map.projection ? projections : unprojected);
  }
  std::string error;
  std::optional<Box> block = chooseBlock(*space, question, error);
  if (!block) {
    // No block was asked for of this op in particular.
    if (question.sizes.empty() && !target->getDiscardableAttr(kBlockName)) {
      report.addMissed("block", target->getLoc(), name + ": " + error)
          .label("Op", name);
      return success();
    }
    return target->emitError("block: ") << error;
  }
  addBlockItems(report, *space, *block, fused ? nullptr : &*costs);
  return success();
}

LogicalResult AnnotateBlocksPass::run() {
  ModuleOp module = getOperation();
  question = {};
  question.offsets.assign(offsets.begin(), offsets.end());
  question.sizes.assign(sizes.begin(), sizes.end());
  question.extent = extent;
  question.ofResult = of == "result";
  if (of != "result" && of != "iterations")
    return module.emitError("option 'of': ")
           << describeUnknown("value", of, {"iterations", "result"});
  if (extent < 0)
    return module.emitError("option 'extent' must not be negative, got ")
           << int64_t(extent);
  if (sizes.empty() && !offsets.empty())
    return module.emitError("option 'offsets' needs sizes");
  std::string error;
  costs = readCostModel(model, error);
  if (!costs)
    return module.emitError(error);
  if (failed(checkCostNames(module, *costs)))
    return failure();

  ReportOptions options;
  std::deque<ReportItem> items;
  FusionAnalysis fusion(options.budget);
  bool isFound = function.empty(), isOpFound = op.empty();
  for (auto f : module.getOps<FunctionOpInterface>()) {
    if (f.isExternal() || (!function.empty() && f.getName() != function))
      continue;
    isFound = true;
    ReportContext report(f, fusion, options, items);
    report.setSection("blocks");
    std::string why;
    if (fused) {
      if (failed(annotate(report, getBlockSpace(f, fusion.getCache(), why), f,
                          why, f.getNumArguments(), f.getNumResults())))
        return failure();
      continue;
    }
    SmallVector<Operation *> chosen;
    if (op.empty()) {
      report.forEachOp([&](Operation *inner) {
        if (hasBlocks(inner))
          chosen.push_back(inner);
      });
    } else if (Operation *found = findOp(f, op, error)) {
      isOpFound = true;
      chosen.push_back(found);
    }
    for (Operation *inner : chosen) {
      std::optional<BlockSpace> space =
          getBlockSpace(inner, fusion.getCache(), why);
      if (failed(annotate(report, std::move(space), inner, why,
                          inner->getNumOperands(), inner->getNumResults())))
        return failure();
    }
  }
  if (!isFound)
    return module.emitError() << describeUnknownFunction(module, function);
  if (!isOpFound && !fused)
    return module.emitError(error.empty() ? "there is no function with a body"
                                          : error);
  emitReport(items);
  return success();
}

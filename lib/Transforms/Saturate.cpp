//===- Saturate.cpp - The pass tensoraccess-saturate ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options into rules and limits, statistics into remarks, and whether what is
// expected was found:
//
// Rules, and what is expected (Expectation.cpp), are read once, before any
// function.
//
//===----------------------------------------------------------------------===//

#include "Expectation.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_SATURATE
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct SaturatePass : public tensoraccess::impl::SaturateBase<SaturatePass> {
  using SaturateBase::SaturateBase;

  LogicalResult initialize(MLIRContext *context) override {
    std::vector<std::string> names(rules.begin(), rules.end());
    // Rules on the forms of access patterns are no PDL.
    isOnAccess = llvm::is_contained(names, "access");
    llvm::erase(names, "access");
    FailureOr<std::vector<PdlRule>> loaded =
        loadRules(context, names, pdllCompiler);
    if (failed(loaded))
      return failure();
    compiled = std::make_shared<std::vector<PdlRule>>(std::move(*loaded));
    if (!findTermCost(cost))
      return emitError(UnknownLoc::get(context))
             << "unknown cost '" << cost << "'; known are node-count, flops, "
                "bytes";
    if (scheduler != "simple" && scheduler != "backoff" &&
        scheduler != "eager")
      return emitError(UnknownLoc::get(context))
             << "unknown scheduler '" << scheduler
             << "'; known are simple, backoff, eager";
    if (!expect.empty()) {
      if (expectAt != "any" && expectAt != "root")
        return emitError(UnknownLoc::get(context))
               << "unknown place '" << expectAt << "'; known are any, root";
      expectation = std::make_shared<Expectation>(
          expectAt == "root" ? Expectation::Place::Results
                             : Expectation::Place::Anywhere,
          isOnAccess);
      return expectation->read(context, expect, pdllCompiler);
    }
    return success();
  }

  void runOnOperation() override;
  void report(FunctionOpInterface function, const TermSaturationReport &done);

  std::shared_ptr<std::vector<PdlRule>> compiled;
  std::shared_ptr<Expectation> expectation;
  bool isOnAccess = false;
};

} // namespace

/// Whole numbers as such.
static std::string showCost(double cost) {
  return llvm::formatv(
      cost == std::floor(cost) && cost < 1e15 ? "{0:f0}" : "{0:e6}", cost);
}

void SaturatePass::report(FunctionOpInterface function,
                          const TermSaturationReport &done) {
  Location loc = function.getLoc();
  const SaturationStatistics &statistics = done.statistics;
  uint64_t matches = 0, refused = 0;
  for (const RuleStatistics &counts : statistics.rules) {
    matches += counts.matches;
    refused += counts.refused;
    if (counts.refused != 0)
      remark::missed(loc, remarkOptions("rule", function))
          << remark::reason("{0}", counts.refusal)
          << remark::metric("Rule", counts.name)
          << remark::metric("Refused", counts.refused);
    if (counts.matches != 0)
      remark::analysis(loc, remarkOptions("rule", function))
          << remark::metric("Rule", counts.name)
          << remark::metric("Matches", counts.matches)
          << remark::metric("Applied", counts.applied)
          << remark::metric("Bans", counts.bans);
  }
  remark::analysis(loc, remarkOptions("saturate", function))
      << remark::add("{0}", describe(statistics.reason))
      << remark::metric("Blocks", done.blocks)
      << remark::metric("Iterations", statistics.iterations)
      << remark::metric("Nodes", statistics.nodes)
      << remark::metric("Classes", statistics.classes)
      << remark::metric("Matches", matches)
      << remark::metric("Refused", refused)
      << remark::metric("CostBefore", showCost(done.costBefore))
      << remark::metric("CostAfter", showCost(done.costAfter))
      << remark::metric("Replaced", done.replaced)
      << remark::metric("Made", done.made);
  numNodes += statistics.nodes;
  numClasses += statistics.classes;
  numMatches += matches;
  numRefused += refused;
  numReplaced += done.replaced;
  numStopped += statistics.reason != StopReason::Saturated;
}

void SaturatePass::runOnOperation() {
  TermSaturationOptions options;
  options.rules = *compiled;
  options.saturation.scheduler =
      scheduler == "backoff" ? SchedulerKind::Backoff : SchedulerKind::Simple;
  if (scheduler == "eager")
    options.saturation.mode = SaturationMode::Eager;
  options.saturation.limits = {maxIterations, maxNodes, maxMatches, maxBytes,
                               maxSeconds};
  options.cost = findTermCost(cost);
  options.prepare = prepareGraph;
  if (isOnAccess)
    addAccessRules(options);
  SmallVector<FunctionOpInterface> functions;
  getOperation().walk([&](FunctionOpInterface function) {
    if (!function.isExternal() && (only.empty() || function.getName() == only))
      functions.push_back(function);
  });
  for (FunctionOpInterface function : functions) {
    bool isAsExpected = true;
    if (expectation)
      options.inspect = [&](const SaturatedBlock &saturated) {
        isAsExpected &= succeeded(expectation->check(function, saturated));
      };
    FailureOr<TermSaturationReport> done = saturateTerms(function, options);
    if (failed(done) || !isAsExpected)
      return signalPassFailure();
    report(function, *done);
  }
  if (expectation && failed(expectation->finish(getOperation())))
    signalPassFailure();
}

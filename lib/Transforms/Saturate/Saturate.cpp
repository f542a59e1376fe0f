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
#include "Explanation.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "TensorAccess/Transforms/SaturationPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_SATURATE
#include "TensorAccess/Transforms/SaturationPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct SaturatePass : public tensoraccess::impl::SaturateBase<SaturatePass> {
  using SaturateBase::SaturateBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (!pdllCompiler.empty() && !findPdllCompiler(pdllCompiler))
      return emitError(UnknownLoc::get(context))
             << "pdll: '" << pdllCompiler << "' is not there or can't be run";
    const PdllOptions pdll(
        pdllCompiler,
        std::vector<std::string>(pdllIncludes.begin(), pdllIncludes.end()));
    FailureOr<NamedRules> loaded = NamedRules::load(
        context, std::vector<std::string>(rules.begin(), rules.end()), pdll);
    if (failed(loaded))
      return failure();
    compiled = std::make_shared<NamedRules>(std::move(*loaded));
    if (!findTermCost(cost, Target()))
      return emitError(UnknownLoc::get(context)) << describeUnknownCost(cost);
    TermExtractionOptions choice;
    std::optional<ExtractionMethod> method = parseExtractionMethod(extraction);
    if (!method)
      return emitError(UnknownLoc::get(context)) << describeUnknown(
                 "extraction", extraction, {"tree", "dag", "exact"});
    choice.method = *method;
    choice.seconds = extractionSeconds;
    if (std::optional<std::string> problem = verify(choice))
      return emitError(UnknownLoc::get(context)) << *problem;
    if (scheduler != "simple" && scheduler != "backoff" && scheduler != "eager")
      return emitError(UnknownLoc::get(context)) << describeUnknown(
                 "scheduler", scheduler, {"simple", "backoff", "eager"});
    if (verifyRules != "none" && verifyRules != "tests")
      return emitError(UnknownLoc::get(context)) << describeUnknown(
                 "check of rules", verifyRules, {"none", "tests"});
    if (expectAt != "any" && expectAt != "root")
      return emitError(UnknownLoc::get(context))
             << describeUnknown("place", expectAt, {"any", "root"});
    if (expect.empty() && expectAt.hasValue())
      return emitError(UnknownLoc::get(context))
             << "expect-at=" << expectAt << " needs a file in expect";
    if (!expect.empty()) {
      expectation = std::make_shared<Expectation>(
          expectAt == "root" ? Expectation::Place::Results
                             : Expectation::Place::Anywhere,
          compiled->isOnAccess);
      if (failed(expectation->read(context, expect, pdll)))
        return failure();
    }
    if (rules.empty() && expect.empty() && checkedExplanation.empty())
      return emitError(UnknownLoc::get(context))
             << "nothing to saturate with: option 'rules' names no set and no "
                "file";
    if (checkedExplanation.empty())
      return success();
    if (!context->allowsUnregisteredDialects())
      return emitError(UnknownLoc::get(context))
             << "an explanation is read where unregistered dialects are "
                "allowed";
    explanation = std::make_shared<OwningOpRef<ModuleOp>>(
        parseSourceFile<ModuleOp>(checkedExplanation, context));
    return success(bool(*explanation));
  }

  void runOnOperation() override;
  void report(FunctionOpInterface function, const TermSaturationReport &done);
  /// Replays what `check-explanation` names.
  LogicalResult check(const TermSaturationOptions &options);

  std::shared_ptr<NamedRules> compiled;
  std::shared_ptr<Expectation> expectation;
  std::shared_ptr<OwningOpRef<ModuleOp>> explanation;
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
  for (auto [i, counts] : llvm::enumerate(statistics.rules)) {
    matches += counts.matches;
    refused += counts.refused;
    if (counts.refused != 0) {
      // Those of PDL come first, and have a place of their own.
      SmallVector<Location, 2> places = {loc};
      if (i < compiled->rules.size())
        places.push_back(compiled->rules[i].getLoc());
      for (Location at : places)
        remark::missed(at, remarkOptions("rule", function))
            << remark::reason("{0}", counts.refusal)
            << remark::metric("Rule", counts.name)
            << remark::metric("Refused", counts.refused);
    }
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
  auto choice = remark::analysis(loc, remarkOptions("extraction", function));
  choice << remark::metric("Method", extraction.getValue())
         << remark::metric("Cost", showCost(done.costAfter))
         << remark::metric("LowerBound", showCost(done.lowerBound))
         << remark::metric("Gap", showCost(done.getGap()))
         << remark::metric("IsOptimal", done.isOptimal ? "yes" : "no");
  // What it has chosen by, beside what comes out, where terms are shared.
  if (extraction == "tree")
    choice << remark::metric("TreeCost", showCost(done.treeCost));
  numNodes += statistics.nodes;
  numClasses += statistics.classes;
  numMatches += matches;
  numRefused += refused;
  numReplaced += done.replaced;
  numStopped += statistics.reason != StopReason::Saturated;
}

LogicalResult SaturatePass::check(const TermSaturationOptions &options) {
  unsigned count = 0;
  for (auto one : (*explanation)->getOps<func::FuncOp>()) {
    StringRef name = one.getName();
    const bool isExpected = name.consume_back(".expected");
    auto function = getOperation().lookupSymbol<FunctionOpInterface>(
        name.split(".block").first);
    if (!function || function.isExternal())
      return one.emitError() << "there is no function @" << one.getName();
    // The other end is known where the file is given, too.
    FunctionOpInterface other;
    if (isExpected && expectation)
      other = expectation->find(function);
    if (other && other.isExternal())
      other = {};
    if (failed(checkExplanation(one, function, options, other)))
      return failure();
    ++count;
    remark::analysis(function.getLoc(), remarkOptions("explanation", function))
        << remark::add("{0}", "every step of the explanation follows");
  }
  if (count == 0)
    return getOperation().emitError()
           << "'" << checkedExplanation << "' explains nothing";
  return success();
}

void SaturatePass::runOnOperation() {
  if (failed(checkRanks(getOperation())))
    return signalPassFailure();
  if (verifyRules == "tests" &&
      failed(tensoraccess::verifyRules(compiled->rules, getOperation())))
    return signalPassFailure();
  TermSaturationOptions options;
  options.saturation.scheduler =
      scheduler == "backoff" ? SchedulerKind::Backoff : SchedulerKind::Simple;
  if (scheduler == "eager")
    options.saturation.mode = SaturationMode::Eager;
  options.saturation.limits = {maxIterations, maxNodes, maxMatches, maxBytes,
                               maxSeconds};
  FailureOr<Target> machine = findTarget(getOperation(), target);
  if (failed(machine))
    return signalPassFailure();
  options.extraction = {findTermCost(cost, *machine),
                        *parseExtractionMethod(extraction), extractionSeconds};
  compiled->addTo(options, &*machine);
  if (explanation) {
    if (failed(check(options)))
      signalPassFailure();
    return;
  }
  TermSaturationOptions rules = options;
  std::optional<ExplanationWriter> writer;
  if (!explain.empty())
    writer.emplace(&getContext(), rules);
  SmallVector<FunctionOpInterface> functions;
  getOperation().walk([&](FunctionOpInterface function) {
    if (!function.isExternal() && (only.empty() || function.getName() == only))
      functions.push_back(function);
  });
  if (functions.empty() && !only.empty()) {
    getOperation().emitError() << describeUnknownFunction(getOperation(), only);
    return signalPassFailure();
  }
  std::vector<RuleStatistics> sums;
  for (FunctionOpInterface function : functions) {
    if (writer)
      options.explain = [&](const ReplacedTerms &replaced) {
        writer->add(function, replaced);
      };
    bool isAsExpected = true;
    if (expectation)
      options.inspect = [&](const SaturatedBlock &saturated) {
        isAsExpected &= succeeded(expectation->check(
            function, saturated, writer ? &*writer : nullptr));
      };
    FailureOr<TermSaturationReport> done = saturateTerms(function, options);
    if (failed(done) || !isAsExpected)
      return signalPassFailure();
    report(function, *done);
    addRules(sums, done->statistics.rules);
  }
  warnOfRules(compiled->rules, sums);
  if (expectation && failed(expectation->finish(getOperation())))
    signalPassFailure();
  if (writer && failed(writer->write(explain)))
    signalPassFailure();
}

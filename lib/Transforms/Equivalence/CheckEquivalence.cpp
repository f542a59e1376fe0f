//===- CheckEquivalence.cpp - Do two functions agree? ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Both functions must have one type and bodies.
// 2. The methods are tried from the cheapest to the solver, which comes last,
//    since most differences are found by tests. A proof or a counterexample
//    ends the search; else a proof over the reals counts, else what tests
//    found, with the reason why there is no proof.
// 3. The pass reads the other file while passes are initialised, since that may
//    load dialects, and turns the answer into a remark or an error.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceTerms.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Transforms/EquivalencePasses.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CHECKEQUIVALENCE
#include "TensorAccess/Transforms/EquivalencePasses.h.inc"
} // namespace mlir::tensoraccess

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

StringRef mlir::tensoraccess::toString(EquivalenceVerdict verdict) {
  switch (verdict) {
  case EquivalenceVerdict::Proved:
    return "proved";
  case EquivalenceVerdict::Reals:
    return "proved-over-reals";
  case EquivalenceVerdict::Tested:
    return "tested";
  case EquivalenceVerdict::Refuted:
    return "refuted";
  case EquivalenceVerdict::Unknown:
    return "unknown";
  }
  llvm_unreachable("every verdict has a name");
}

/// What is wrong with the options; empty if nothing is.
static std::string verifyOptions(const EquivalenceOptions &options) {
  if (options.trials < 1)
    return ("trials must be at least 1, got " + Twine(options.trials)).str();
  if (options.solverSeconds < 1)
    return ("solver-seconds must be at least 1, got " +
            Twine(options.solverSeconds))
        .str();
  if (options.maxTerms < 0)
    return ("max-terms must not be negative, got " + Twine(options.maxTerms))
        .str();
  if (options.maxOperations < 1)
    return ("max-operations must be at least 1, got " +
            Twine(options.maxOperations))
        .str();
  if (options.tolerance &&
      !(*options.tolerance >= 0 && std::isfinite(*options.tolerance)))
    return "tolerance must be at least 0 and finite";
  if (options.sizes.empty())
    return "sizes must not be empty";
  for (int64_t size : options.sizes)
    if (size < 0)
      return ("sizes must not be negative, got " + Twine(size)).str();
  return {};
}

FailureOr<EquivalenceAnswer>
mlir::tensoraccess::checkEquivalence(func::FuncOp first, func::FuncOp second,
                                     const EquivalenceOptions &options) {
  if (std::string problem = verifyOptions(options); !problem.empty())
    return mlir::emitError(second.getLoc()) << problem;
  for (func::FuncOp function : {first, second})
    if (function.isExternal())
      return mlir::emitError(function.getLoc())
             << "function @" << function.getName() << " has no body to compare";
  if (first.getFunctionType() != second.getFunctionType())
    return mlir::emitError(second.getLoc())
           << "function @" << second.getName() << " has type "
           << second.getFunctionType() << ", expected that of @"
           << first.getName() << ", " << first.getFunctionType();

  using Method = EquivalenceMethod;
  using Verdict = EquivalenceVerdict;
  EquivalenceTester tester(first, second, options);
  JoinedFunctions joined;
  EquivalenceAnswer answer;
  // The answer if nothing better turns up.
  std::optional<EquivalenceAnswer> overReals;
  std::string problem;
  if (options.method != Method::Test) {
    joined = joinFunctions(first, second);
    problem = joined.problem;
    if (joined.function && options.method != Method::Smt) {
      answer.verdict = Verdict::Proved;
      answer.method = "forms";
      if (proveByForms(joined))
        return answer;
      answer.method = "rules";
      if (proveByRules(joined, /*reordersSums=*/false))
        return answer;
      answer = {};
    }
    if (joined.function)
      if (std::optional<EquivalenceAnswer> found =
              proveByElements(joined, tester, options,
                              options.method == Method::Smt, problem)) {
        if (found->verdict != Verdict::Reals)
          return *found;
        overReals = std::move(found);
      }
    if (joined.function && options.method != Method::Smt && !overReals &&
        proveByRules(joined, /*reordersSums=*/true)) {
      overReals.emplace();
      overReals->verdict = Verdict::Reals;
      overReals->method = "rules";
      overReals->message = "sums are taken in another order";
    }
  }
  if (options.method == Method::Prove || options.method == Method::Smt) {
    if (overReals)
      return *overReals;
    answer.message = problem;
    return answer;
  }
  // Most differences are found by tests before a solver would have started.
  // A sum in another order, equal over the reals, is not the same in corners.
  answer = tester.test(/*withCorners=*/!overReals);
  if (options.method == Method::Test || answer.verdict == Verdict::Refuted)
    return answer;
  if (overReals) {
    overReals->inputs = answer.inputs;
    overReals->failures = answer.failures;
    overReals->message += "; " + answer.message;
    return *overReals;
  }
  if (joined.function)
    if (std::optional<EquivalenceAnswer> found =
            proveByElements(joined, tester, options, true, problem))
      return *found;
  answer.message += "; no proof: " + problem;
  return answer;
}

namespace {
struct CheckEquivalencePass
    : public tensoraccess::impl::CheckEquivalenceBase<CheckEquivalencePass> {
  using CheckEquivalenceBase::CheckEquivalenceBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (against.empty())
      return success();
    std::string error;
    std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(against, &error);
    if (!buffer)
      return mlir::emitError(UnknownLoc::get(context)) << error;
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    otherModule = std::make_shared<OwningOpRef<ModuleOp>>(
        parseSourceFile<ModuleOp>(sources, context));
    if (!*otherModule)
      return mlir::emitError(UnknownLoc::get(context))
             << "file '" << against << "' cannot be read as a module";
    return success();
  }

  func::FuncOp find(ModuleOp module, StringRef name) {
    auto function = dyn_cast_or_null<func::FuncOp>(
        SymbolTable::lookupSymbolIn(module, name));
    if (!function)
      mlir::emitError(module.getLoc()) << describeUnknownFunction(module, name);
    return function;
  }

  EquivalenceOptions getOptions() {
    EquivalenceOptions wanted;
    wanted.method = method;
    wanted.trials = trials;
    wanted.seed = seed;
    if (!(tolerance < 0))
      wanted.tolerance = tolerance;
    wanted.specialValues = specialValues;
    if (!sizes.empty())
      wanted.sizes.assign(sizes.begin(), sizes.end());
    wanted.solver = solver;
    wanted.solverDump = solverDump;
    wanted.solverSeconds = solverSeconds;
    wanted.maxTerms = maxTerms;
    wanted.maxOperations = maxOperations;
    return wanted;
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    for (auto [name, older, newer] : {std::tuple("function", &first, &function),
                                      std::tuple("other", &second, &other)})
      if (!older->empty() && !newer->empty()) {
        mlir::emitError(getOperation().getLoc())
            << "option '" << name << "' is given twice, as '" << *newer
            << "' and as '" << *older << "'";
        return signalPassFailure();
      }
    const std::string with = other.empty() ? second : other;
    std::string reference = function.empty() ? first : function;
    if (reference.empty())
      reference = "main";
    if (with.empty() && against.empty()) {
      mlir::emitError(getOperation().getLoc())
          << "option 'other' must name a function, or 'against' a file";
      return signalPassFailure();
    }
    func::FuncOp a = find(getOperation(), reference);
    if (!a)
      return signalPassFailure();
    func::FuncOp b = find(against.empty() ? getOperation() : **otherModule,
                          with.empty() ? reference : with);
    if (!b)
      return signalPassFailure();
    FailureOr<EquivalenceAnswer> answer = checkEquivalence(a, b, getOptions());
    if (failed(answer) || failed(report(a, b, *answer)))
      signalPassFailure();
  }

  LogicalResult report(func::FuncOp a, func::FuncOp b,
                       const EquivalenceAnswer &answer) {
    using Verdict = EquivalenceVerdict;
    remark::RemarkOpts options = remarkOptions("equivalence", b);
    auto add = [&](auto &&remark) {
      remark << remark::metric("Verdict", toString(answer.verdict));
      if (!answer.method.empty())
        remark << remark::metric("Method", answer.method);
      remark << remark::metric("Inputs", answer.inputs)
             << remark::metric("Failures", answer.failures);
      if (!answer.message.empty())
        remark << remark::reason("{0}", answer.message);
    };
    if (answer.verdict == Verdict::Unknown)
      add(remark::missed(b.getLoc(), options));
    else
      add(remark::analysis(b.getLoc(), options));

    if (answer.verdict == Verdict::Refuted) {
      const Counterexample &found = *answer.counterexample;
      InFlightDiagnostic error = mlir::emitError(b.getLoc())
                                 << "function @" << b.getName()
                                 << " does not agree with @" << a.getName()
                                 << ": " << describe(found);
      for (auto [i, input] : llvm::enumerate(found.inputs))
        error.attachNote(a.getLoc())
            << "input " << i << " (" << tensoraccess::describe(input) << ") is "
            << describeElements(input);
      return error;
    }
    proved += answer.verdict == Verdict::Proved;
    tested += answer.verdict == Verdict::Tested;
    provedOverReals += answer.verdict == Verdict::Reals;
    auto isEnough = [&] {
      switch (need) {
      case EquivalenceNeed::Any:
        return true;
      case EquivalenceNeed::Tested:
        return answer.verdict != Verdict::Unknown;
      case EquivalenceNeed::Reals:
        return answer.verdict == Verdict::Reals ||
               answer.verdict == Verdict::Proved;
      case EquivalenceNeed::Proved:
        return answer.verdict == Verdict::Proved;
      }
      llvm_unreachable("every need has a verdict");
    };
    if (isEnough())
      return success();
    InFlightDiagnostic error =
        mlir::emitError(b.getLoc())
        << "function @" << b.getName() << " is not known to agree with @"
        << a.getName() << ": the verdict is " << toString(answer.verdict);
    if (!answer.message.empty())
      error.attachNote() << answer.message;
    return error;
  }

  /// The file that `against` names.
  std::shared_ptr<OwningOpRef<ModuleOp>> otherModule;
};
} // namespace

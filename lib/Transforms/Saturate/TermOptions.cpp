//===- TermOptions.cpp - What saturation of terms is told -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of SaturateTerms.h by name, what is wrong with them, and the set of
// rules that is not PDL.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/Equivalence.h"
#include "TensorAccess/Transforms/SaturateTerms.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<ExtractionMethod>
mlir::tensoraccess::parseExtractionMethod(StringRef name) {
  if (name == "tree")
    return ExtractionMethod::Tree;
  if (name == "dag")
    return ExtractionMethod::Dag;
  if (name == "exact")
    return ExtractionMethod::Exact;
  return std::nullopt;
}

std::optional<std::string>
mlir::tensoraccess::verify(const TermExtractionOptions &options) {
  if (!options.cost)
    return "there is no cost to extract by";
  std::string problem;
  if (!(options.seconds >= 0)) {
    llvm::raw_string_ostream(problem)
        << "the seconds of an extraction must not be negative, got "
        << llvm::format("%g", options.seconds);
    return problem;
  }
  if (options.method == ExtractionMethod::Exact &&
      !isExactExtractionAvailable(problem))
    return problem;
  return std::nullopt;
}

std::string TermCostFault::str() const {
  std::string text = describe(CostFault{kind, 0, cost},
                              [&](uint32_t) { return "'" + op + "'"; });
  if (count > 1)
    text += " (and so of " + std::to_string(count - 1) +
            (count == 2 ? " other term)" : " other terms)");
  return text;
}

void mlir::tensoraccess::addComputeRules(TermSaturationOptions &options,
                                         const ComputeRuleOptions &rules) {
  // One theory for each block's graph; the last is that of the present one.
  auto theories =
      std::make_shared<std::vector<std::unique_ptr<MovementTheory>>>();
  options.prepare = [theories, before = options.prepare](TermGraph &graph) {
    if (before)
      before(graph);
    theories->push_back(std::make_unique<MovementTheory>(graph));
  };
  options.makeRules = [theories, rules](TermGraph &graph) {
    return makeComputeRules(graph, *theories->back(), rules);
  };
}

FailureOr<NamedRules> NamedRules::load(MLIRContext *context,
                                       std::vector<std::string> names,
                                       const PdllOptions &pdll) {
  NamedRules named;
  named.isOnAccess = llvm::is_contained(names, "access");
  llvm::erase(names, "access");
  FailureOr<std::vector<PdlRule>> loaded = loadRules(context, names, pdll);
  if (failed(loaded))
    return failure();
  named.rules = std::move(*loaded);
  return named;
}

void NamedRules::addTo(TermSaturationOptions &options,
                       const Target *target) const {
  options.rules = rules;
  options.prepare = prepareGraph;
  if (isOnAccess)
    addAccessRules(options, target);
}

void mlir::tensoraccess::addAccessRules(TermSaturationOptions &options,
                                        const Target *target) {
  ComputeRuleOptions rules;
  rules.isComplete = true;
  if (target)
    for (const MatrixUnit &unit : target->matrixUnits)
      rules.arrays.push_back({unit.rows, unit.cols});
  addComputeRules(options, rules);
}

LogicalResult mlir::tensoraccess::verifyRules(ArrayRef<PdlRule> rules,
                                              ModuleOp program) {
  bool isRefuted = false;
  for (const PdlRule &rule : rules) {
    if (rule.isBuiltIn())
      continue;
    RuleAnswer answer = testRule(rule, program, prepareGraph);
    switch (answer.verdict) {
    case EquivalenceVerdict::Refuted: {
      isRefuted = true;
      const Counterexample &found = *answer.counterexample;
      InFlightDiagnostic error = emitError(rule.getLoc())
                                 << "rule '" << rule.getName()
                                 << "' is refuted: " << describe(found);
      for (auto [i, input] : llvm::enumerate(found.inputs))
        error.attachNote() << "input " << i << " ("
                           << tensoraccess::describe(input) << ") is "
                           << describeElements(input);
      error.attachNote() << "it rewrites\n"
                         << answer.before << "\nto\n"
                         << answer.after;
      break;
    }
    case EquivalenceVerdict::Unknown:
      emitWarning(rule.getLoc())
          << "rule '" << rule.getName() << "' is not tested, the verdict is "
          << "unknown: " << answer.message;
      break;
    default:
      remark::analysis(
          rule.getLoc(),
          remark::RemarkOpts::name("rule-test").category("tensoraccess"))
          << remark::metric("Rule", rule.getName())
          << remark::metric("Verdict", toString(answer.verdict))
          << remark::metric("Terms", answer.terms)
          << remark::metric("Inputs", answer.inputs);
    }
  }
  return failure(isRefuted);
}

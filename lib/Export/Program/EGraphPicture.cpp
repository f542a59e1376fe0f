//===- EGraphPicture.cpp - What rules do to a function --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program stays as it is. The graph of its first block is written; in the
// picture, the terms that are the fewest are filled.
//
//===----------------------------------------------------------------------===//

#include "EGraphPicture.h"
#include "TensorAccess/Interfaces/Functions.h"

#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::tensoraccess;

LogicalResult mlir::tensoraccess::exportEGraph(
    Operation *module, const EGraphExportOptions &options, raw_ostream &os) {
  MLIRContext *context = module->getContext();
  context->loadDialect<TensorAccessDialect>();
  FunctionOpInterface function;
  module->walk([&](FunctionOpInterface candidate) {
    if (!function && !candidate.isExternal() &&
        (options.function.empty() || candidate.getName() == options.function))
      function = candidate;
  });
  if (!function)
    return module->emitError()
           << describeUnknownFunction(module, options.function);
  FailureOr<NamedRules> rules = NamedRules::load(context, options.rules);
  if (failed(rules))
    return failure();

  TermSaturationOptions saturation;
  rules->addTo(saturation);
  saturation.saturation.limits.nodes = options.maxNodes;
  saturation.saturation.limits.seconds = options.maxSeconds;
  FailureOr<std::unique_ptr<KeptTermGraph>> kept =
      KeptTermGraph::make(function.getFunctionBody().front(), saturation);
  if (failed(kept))
    return failure();
  if (!*kept)
    return function.emitError("its first block computes no terms");
  warnOfRules(rules->rules, (*kept)->getStatistics().rules);
  const SerializedEGraph egraph = (*kept)->serialize();
  std::string problem;
  if (options.form == EGraphForm::Json)
    return success(writeEGraphJson(egraph, os, problem) ||
                   (function.emitError(problem), false));
  std::optional<Extraction> best = extractDag(egraph.graph, egraph.getCosts(),
                                              (*kept)->getRoots(), {}, problem);
  writeEGraphDot(egraph, os,
                 best ? ArrayRef<uint32_t>(best->choice)
                      : ArrayRef<uint32_t>());
  return success();
}

void mlir::tensoraccess::registerEGraphTranslations() {
  static llvm::cl::OptionCategory category("Options of --egraph-to-dot and "
                                           "--egraph-to-json");
  static llvm::cl::list<std::string> rules(
      "egraph-rules", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("sets and files of rules (default: none)"));
  static llvm::cl::opt<std::string> function(
      "egraph-function", llvm::cl::cat(category),
      llvm::cl::desc("the function (default: the first)"));
  static llvm::cl::opt<uint64_t> maxNodes(
      "egraph-max-nodes", llvm::cl::init(2000), llvm::cl::cat(category),
      llvm::cl::desc("most nodes (default: 2000)"));
  static llvm::cl::opt<double> maxSeconds(
      "egraph-max-seconds", llvm::cl::init(10), llvm::cl::cat(category),
      llvm::cl::desc("seconds that a block may take (default: 10)"));
  auto run = [](EGraphForm form) {
    return [form](Operation *op, raw_ostream &os) {
      EGraphExportOptions options;
      options.form = form;
      options.rules.assign(rules.begin(), rules.end());
      options.function = function;
      options.maxNodes = maxNodes;
      options.maxSeconds = maxSeconds;
      return exportEGraph(op, options, os);
    };
  };
  static TranslateFromMLIRRegistration dot(
      "egraph-to-dot", "draw the e-graph of a function, saturated by rules",
      run(EGraphForm::Dot),
      [](DialectRegistry &registry) { registerEverything(registry); });
  static TranslateFromMLIRRegistration json(
      "egraph-to-json", "write the e-graph of a function as JSON",
      run(EGraphForm::Json),
      [](DialectRegistry &registry) { registerEverything(registry); });
}

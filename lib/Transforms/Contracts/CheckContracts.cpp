//===- CheckContracts.cpp - Contracts proved or refuted -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Transforms/ContractPasses.h"
#include "mlir/IR/Remarks.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CHECKCONTRACTS
#include "TensorAccess/Transforms/ContractPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kContractAttr = "tensoraccess.contract";

StringRef tensoraccess::toString(ContractVerdict::Kind kind) {
  switch (kind) {
  case ContractVerdict::Proved:
    return "proved";
  case ContractVerdict::Refuted:
    return "refuted";
  case ContractVerdict::Unknown:
    return "unknown";
  }
  llvm_unreachable("every verdict has a name");
}

ContractVerdict tensoraccess::checkContract(ContractProver &prover,
                                            FunctionOpInterface function,
                                            const Contract &contract,
                                            const ContractOptions &options) {
  ContractVerdict verdict;
  ContractAnswer answer = prover.prove(contract);
  if (answer.isProved) {
    verdict.kind = ContractVerdict::Proved;
    verdict.condition = answer.condition;
    return verdict;
  }
  verdict.reason = answer.reason;
  for (const Violation &violation : answer.violations)
    if (!verdict.op)
      verdict.op = violation.op;
  verdict.witness = findWitness(function, contract, answer.violations, options);
  if (llvm::any_of(function.getArgumentTypes(), [](Type type) {
        auto shaped = dyn_cast<ShapedType>(type);
        return shaped && !shaped.hasStaticShape();
      }))
    verdict.reason += "; inputs of unknown sizes are not run";
  if (verdict.witness) {
    verdict.kind = ContractVerdict::Refuted;
    for (const Violation &violation : answer.violations)
      if (violation.op && violation.result == verdict.witness->result &&
          violation.argument == verdict.witness->argument) {
        verdict.op = violation.op;
        break;
      }
  }
  return verdict;
}

InFlightDiagnostic tensoraccess::emitRefuted(FunctionOpInterface function,
                                             const Contract &contract,
                                             const ContractVerdict &verdict) {
  InFlightDiagnostic diagnostic =
      mlir::emitError(verdict.op ? verdict.op->getLoc() : function.getLoc())
      << "contract '" << contract.text
      << "' does not hold: " << verdict.witness->str();
  if (verdict.op)
    diagnostic << ", through '" << verdict.op->getName() << "'";
  diagnostic.attachNote(function.getLoc())
      << "contract of @" << function.getName();
  return diagnostic;
}

namespace {
struct CheckContractsPass
    : public tensoraccess::impl::CheckContractsBase<CheckContractsPass> {
  using CheckContractsBase::CheckContractsBase;

  /// The contracts of a function; failure and an error for an attribute that is
  /// none.
  FailureOr<SmallVector<std::string>> getContracts(FunctionOpInterface target) {
    SmallVector<std::string> texts;
    if (Attribute attr = target->getAttr(kContractAttr)) {
      auto list = dyn_cast<ArrayAttr>(attr);
      if (auto text = dyn_cast<StringAttr>(attr))
        list = ArrayAttr::get(&getContext(), {text});
      if (!list || !llvm::all_of(list, llvm::IsaPred<StringAttr>))
        return mlir::emitError(target.getLoc())
               << "'" << kContractAttr << "' must be an array of strings, got "
               << attr;
      for (auto text : list.getAsRange<StringAttr>())
        texts.push_back(text.str());
    }
    if (!contract.empty() &&
        target.getName() == (function.empty() ? "main" : StringRef(function)))
      texts.push_back(contract);
    return texts;
  }

  void runOnOperation() override {
    if (trials < 0 || maxOperations < 0) {
      mlir::emitError(getOperation().getLoc())
          << "option '" << (trials < 0 ? "trials" : "max-operations")
          << "' must not be negative, got "
          << (trials < 0 ? trials : maxOperations);
      return signalPassFailure();
    }
    ContractOptions options;
    options.trials = trials;
    options.seed = seed;
    options.maxOperations = maxOperations;
    IndexingCache &cache = getAnalysis<IndexingAnalysis>().getCache();
    markAllAnalysesPreserved();
    bool isFound = function.empty() && contract.empty();
    for (auto target : getOperation().getOps<FunctionOpInterface>()) {
      if (!function.empty() && target.getName() != function)
        continue;
      isFound |=
          target.getName() == (function.empty() ? "main" : StringRef(function));
      FailureOr<SmallVector<std::string>> texts = getContracts(target);
      if (failed(texts)) {
        signalPassFailure();
        continue;
      }
      if (texts->empty())
        continue;
      std::string error;
      auto assumptions = Assumption::parse(assume, target, error);
      if (!assumptions) {
        mlir::emitError(target.getLoc())
            << "option 'assume' for @" << target.getName() << ": " << error;
        signalPassFailure();
        continue;
      }
      ContractProver prover(target, cache, std::move(*assumptions));
      for (const std::string &text : *texts)
        if (failed(check(target, prover, text, options)))
          signalPassFailure();
    }
    if (!isFound) {
      mlir::emitError(getOperation().getLoc()) << describeUnknownFunction(
          getOperation(), function.empty() ? "main" : StringRef(function));
      signalPassFailure();
    }
  }

  LogicalResult check(FunctionOpInterface target, ContractProver &prover,
                      StringRef text, const ContractOptions &options) {
    if (target.isExternal())
      return mlir::emitError(target.getLoc())
             << "function @" << target.getName() << " has no body to check";
    std::string error;
    std::optional<Contract> parsed = Contract::parse(text, target, error);
    if (!parsed)
      return mlir::emitError(target.getLoc())
             << "contract '" << text << "': " << error;
    ContractVerdict verdict = checkContract(prover, target, *parsed, options);
    remark::RemarkOpts remarkOpts = remarkOptions("contract", target);
    auto add = [&](auto &&remark) {
      remark << remark::metric("Contract", parsed->text)
             << remark::metric("Verdict", toString(verdict.kind));
      if (!verdict.condition.empty())
        remark << remark::metric("Condition", verdict.condition);
      if (!verdict.reason.empty())
        remark << remark::reason("{0}", verdict.reason);
    };
    Location loc = verdict.op ? verdict.op->getLoc() : target.getLoc();
    switch (verdict.kind) {
    case ContractVerdict::Proved:
      ++proved;
      add(remark::analysis(target.getLoc(), remarkOpts));
      return success();
    case ContractVerdict::Unknown: {
      ++unknown;
      add(remark::missed(loc, remarkOpts));
      if (!needProof)
        return success();
      return mlir::emitError(loc) << "contract '" << parsed->text
                                  << "' is not proved: " << verdict.reason;
    }
    case ContractVerdict::Refuted: {
      ++refuted;
      add(remark::analysis(loc, remarkOpts));
      return emitRefuted(target, *parsed, verdict);
    }
    }
    llvm_unreachable("every verdict is told");
  }
};
} // namespace

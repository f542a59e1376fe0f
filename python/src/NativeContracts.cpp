//===- NativeContracts.cpp - Contracts and dependence for Python ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transforms/Contracts.h and Analysis/Dependence.h in the module's session.
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"
#include "NativeModule.h"
#include "TensorAccess/Transforms/Contracts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

/// (verdict, condition, reason, op, location, witness): the last is None or (two
/// lists of arrays, result, index, argument, place, text).
using NativeWitness = std::tuple<std::vector<Result>, std::vector<Result>,
                                 unsigned, SmallVector<int64_t>, unsigned,
                                 SmallVector<int64_t>, std::string>;
using NativeProof =
    std::tuple<std::string, std::string, std::string, std::string, std::string,
               std::optional<NativeWitness>>;

static NativeProof prove(std::shared_ptr<NativeModule> self,
                         std::string_view entry, std::string_view text,
                         std::string_view assume, int64_t trials, uint64_t seed,
                         int64_t maxOperations) {
  ContractOptions options;
  options.trials = trials;
  options.seed = seed;
  options.maxOperations = maxOperations;
  ContractVerdict verdict;
  std::string op, location;
  self->getSession().attempt("the contract cannot be checked", [&] {
    FailureOr<func::FuncOp> function = findEntry(self->getOp(), toRef(entry));
    if (failed(function))
      return false;
    std::string error;
    std::optional<Contract> contract =
        Contract::parse(toRef(text), *function, error);
    if (!contract) {
      mlir::emitError(function->getLoc())
          << "contract '" << toRef(text) << "': " << error;
      return false;
    }
    if (function->isExternal()) {
      mlir::emitError(function->getLoc())
          << "function @" << function->getName() << " has no body to check";
      return false;
    }
    auto assumptions = Assumption::parse(toRef(assume), *function, error);
    if (!assumptions) {
      mlir::emitError(function->getLoc()) << "assume: " << error;
      return false;
    }
    IndexingCache cache;
    ContractProver prover(*function, cache, std::move(*assumptions));
    verdict = checkContract(prover, *function, *contract, options);
    if (verdict.op) {
      op = verdict.op->getName().getStringRef().str();
      location = printLocation(verdict.op->getLoc());
    }
    return true;
  });
  std::optional<NativeWitness> witness;
  if (verdict.witness) {
    ContractWitness &found = *verdict.witness;
    std::vector<Result> before, after;
    for (Tensor &input : found.inputs)
      before.push_back(toArray(need(input.clone())));
    for (Tensor &input : found.changed)
      after.push_back(toArray(need(input.clone())));
    witness.emplace(std::move(before), std::move(after), found.result,
                    found.index, found.argument, found.place, found.str());
  }
  return {toString(verdict.kind).str(),
          verdict.condition,
          verdict.reason,
          op,
          location,
          std::move(witness)};
}

/// [result][argument]: (maps as text, whether they are exact); whether it holds
/// only if all is finite.
using NativeDependence = std::pair<
    std::vector<std::vector<std::pair<std::vector<std::string>, bool>>>, bool>;

static NativeDependence getDependence(std::shared_ptr<NativeModule> self,
                                      std::string_view entry, bool assumeFinite,
                                      std::optional<size_t> unroll) {
  NativeDependence answer;
  self->getSession().attempt("the dependence is not known", [&] {
    FailureOr<func::FuncOp> function = findEntry(self->getOp(), toRef(entry));
    if (failed(function))
      return false;
    IndexingCache cache;
    FactOptions options;
    options.assumeFinite = assumeFinite;
    options.maxUnrolled = unroll.value_or(options.maxUnrolled);
    std::unique_ptr<Dependence> dependence =
        Dependence::get(*function, cache, std::move(options));
    if (!dependence) {
      mlir::emitError(function->getLoc())
          << "function @" << function->getName() << " has no body of one block";
      return false;
    }
    for (unsigned r = 0; r < function->getNumResults(); ++r) {
      answer.first.emplace_back();
      for (unsigned a = 0; a < function->getNumArguments(); ++a) {
        std::vector<std::string> maps;
        if (dependence->getLost(r))
          maps.push_back(IndexingMap().str());
        else
          for (const IndexingMap &map : dependence->getMaps(r, a))
            maps.push_back(map.str());
        answer.first.back().push_back(
            {std::move(maps), dependence->isExact(r, a)});
      }
    }
    answer.second = dependence->usesFinite();
    return true;
  });
  return answer;
}

void python::bindContracts(nb::module_ &m) {
  m.def("prove", &prove, nb::arg("module"), nb::arg("entry"),
        nb::arg("contract"), nb::arg("assume"), nb::arg("trials"),
        nb::arg("seed"), nb::arg("max_operations"));
  m.def("dependence", &getDependence, nb::arg("module"), nb::arg("entry"),
        nb::arg("finite"), nb::arg("unroll"));
}

//===- NativeEquivalence.cpp - Comparing functions for Python -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transforms/Equivalence.h in the session of the first module; a module of
// another session is read again there, from its text.
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"
#include "NativeModule.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Transforms/Equivalence.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

/// (verdict, method, message, inputs, failures, counterexample): the last is
/// None or (arrays, result or None, index or None, expected, got, failing,
/// failure).
using NativeCounterexample =
    std::tuple<std::vector<Result>, std::optional<unsigned>,
               std::optional<SmallVector<int64_t>>, std::string, std::string,
               int, std::string>;
using NativeAnswer = std::tuple<std::string, std::string, std::string, int64_t,
                                int64_t, std::optional<NativeCounterexample>>;

static EquivalenceMethod parseMethod(std::string_view name) {
  if (name == "auto")
    return EquivalenceMethod::Auto;
  if (name == "prove")
    return EquivalenceMethod::Prove;
  if (name == "smt")
    return EquivalenceMethod::Smt;
  if (name == "test")
    return EquivalenceMethod::Test;
  throw Error(
      describeUnknown("method", toRef(name), {"auto", "prove", "smt", "test"}));
}

static NativeAnswer
checkFunctions(std::shared_ptr<NativeModule> self, std::string_view first,
               std::string_view second, std::optional<std::string> against,
               std::string_view method, int64_t trials, uint64_t seed,
               std::optional<double> tolerance, bool specialValues,
               std::vector<int64_t> sizes, const std::string &solver,
               int64_t solverSeconds, const std::string &solverDump) {
  EquivalenceOptions options;
  options.method = parseMethod(method);
  options.trials = trials;
  options.seed = seed;
  options.tolerance = tolerance;
  options.specialValues = specialValues;
  options.sizes.assign(sizes.begin(), sizes.end());
  options.solver = solver;
  options.solverSeconds = solverSeconds;
  options.solverDump = solverDump;
  EquivalenceAnswer answer;
  self->getSession().attempt("the functions cannot be compared", [&] {
    ModuleOp module = self->getOp();
    OwningOpRef<ModuleOp> other;
    if (against) {
      other = parseSourceString<ModuleOp>(*against, module.getContext());
      if (!other)
        return false;
    }
    FailureOr<func::FuncOp> a = findEntry(module, toRef(first));
    if (failed(a))
      return false;
    FailureOr<func::FuncOp> b =
        findEntry(other ? *other : module, toRef(second));
    if (failed(b))
      return false;
    FailureOr<EquivalenceAnswer> found = checkEquivalence(*a, *b, options);
    if (succeeded(found))
      answer = std::move(*found);
    return succeeded(found);
  });
  std::optional<NativeCounterexample> counterexample;
  if (answer.counterexample) {
    Counterexample &found = *answer.counterexample;
    std::vector<Result> arrays;
    for (Tensor &input : found.inputs)
      arrays.push_back(toArray(need(input.clone())));
    counterexample.emplace(
        std::move(arrays),
        found.failing ? std::nullopt : std::optional(found.result), found.index,
        found.expected, found.got, found.failing, found.failure);
  }
  return {toString(answer.verdict).str(),
          answer.method,
          answer.message,
          answer.inputs,
          answer.failures,
          std::move(counterexample)};
}

void python::bindEquivalence(nb::module_ &m) {
  m.def("check_equivalence", &checkFunctions, nb::arg("module"),
        nb::arg("first"), nb::arg("second"), nb::arg("against").none(),
        nb::arg("method"), nb::arg("trials"), nb::arg("seed"),
        nb::arg("tolerance").none(), nb::arg("special_values"),
        nb::arg("sizes"), nb::arg("solver"), nb::arg("solver_seconds"),
        nb::arg("solver_dump"));
}

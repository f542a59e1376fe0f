//===- EquivalenceElements.cpp - Equal element by element -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Both functions are written out as expressions (EquivalenceTerms.cpp).
// 2. They agree if all elements of the results are the same expressions, and
//    so are the conditions under which they fail.
// 3. Otherwise the solver may know; its model is a counterexample where the
//    interpreter confirms it.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceTerms.h"
#include "TensorAccess/IR/Evaluate.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Inputs with the bits that a model names, 0 elsewhere.
static FailureOr<SmallVector<Tensor>> makeInputs(func::FuncOp joined,
                                                 const SolverAnswer &model) {
  SmallVector<Tensor> inputs;
  for (Type type : joined.getArgumentTypes()) {
    std::optional<ElementType> element = getHeldTypeOf(getScalar(type));
    if (!element)
      return failure();
    llvm::Expected<Tensor> input =
        Tensor::create(*element, *getStaticShape(type));
    if (!input) {
      llvm::consumeError(input.takeError());
      return failure();
    }
    inputs.push_back(std::move(*input));
  }
  for (const auto &[argument, number, bits] : model.values) {
    Tensor &input = inputs[argument];
    int64_t bytes = byteSize(input.getElementType());
    // Integers that are held by wider ones are extended by their sign.
    uint64_t raw =
        bits.getBitWidth() == 1 ? bits.getZExtValue() : bits.getSExtValue();
    std::memcpy(input.getDataAs<char>() + number * bytes, &raw, bytes);
  }
  return inputs;
}

std::optional<EquivalenceAnswer> mlir::tensoraccess::proveByElements(
    JoinedFunctions &joined, EquivalenceTester &tester,
    const EquivalenceOptions &options, bool solve, std::string &problem) {
  ScalarTerms graph(*joined.function, joined.firstOps, options.maxTerms);
  // What forms could not express is not a reason here.
  problem.clear();
  if (!graph.build(problem))
    return std::nullopt;
  SmallVector<unsigned> failures[2];
  for (bool ofSecond : {false, true}) {
    llvm::append_range(failures[ofSecond], graph.getFailures(ofSecond));
    llvm::sort(failures[ofSecond]);
  }
  const bool failAlike = failures[0] == failures[1];
  SmallVector<unsigned> expected, got;
  for (auto [a, b] : llvm::zip_equal(joined.firstResults, joined.secondResults))
    for (auto [x, y] :
         llvm::zip_equal(graph.getElements(a), graph.getElements(b)))
      if (x != y) {
        expected.push_back(x);
        got.push_back(y);
      }
  EquivalenceAnswer answer;
  if (expected.empty() && failAlike) {
    answer.verdict = EquivalenceVerdict::Proved;
    answer.method = "elements";
    return answer;
  }
  problem = expected.empty() ? "divisions fail for different reasons"
                             : "elements have different expressions";
  if (!solve) {
    if (!failAlike ||
        !areEqualReals(graph, expected, got, 64 * options.maxTerms))
      return std::nullopt;
    answer.verdict = EquivalenceVerdict::Reals;
    answer.method = "elements";
    answer.message = "the sums of products are the same, in another order";
    return answer;
  }
  if (!graph.hasIntegers()) {
    problem = "elements have different expressions, and a solver knows no more "
              "about operations on floats";
    return std::nullopt;
  }
  SolverAnswer solved =
      solveTerms(graph, expected, got, options, joined.function->getContext());
  problem = solved.problem;
  if (solved.kind == SolverAnswer::Kind::Open)
    return std::nullopt;
  answer.method = "solver";
  if (solved.kind == SolverAnswer::Kind::Equal) {
    answer.verdict = EquivalenceVerdict::Proved;
    return answer;
  }
  FailureOr<SmallVector<Tensor>> inputs = makeInputs(*joined.function, solved);
  bool ran;
  std::optional<Counterexample> found;
  if (succeeded(inputs))
    found = tester.run(*inputs, ran);
  if (failed(inputs)) {
    problem = "the solver found inputs on which they differ, of types that the "
              "interpreter does not run";
    return std::nullopt;
  }
  if (!found) {
    problem = "the solver's model is not a counterexample: ";
    problem += solved.unknown.empty()
                   ? "the difference is within the bound, or one of what is "
                     "not defined"
                   : "it knows nothing about " +
                         llvm::join(solved.unknown, ", ") +
                         ", or the difference is within the bound";
    return std::nullopt;
  }
  answer.verdict = EquivalenceVerdict::Refuted;
  answer.counterexample = tester.shrink(std::move(*found));
  return answer;
}

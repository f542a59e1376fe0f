//===- Equivalence.h - Do two functions agree? ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two functions of one type *agree* if for all inputs both fail, or both give
// the same results. That is proved, or refuted by inputs that show it, or
// tested, or left open:
//
//   EquivalenceOptions options;
//   FailureOr<EquivalenceAnswer> answer = checkEquivalence(f, g, options);
//   if (answer->verdict == EquivalenceVerdict::Refuted)
//     llvm::errs() << describe(*answer->counterexample);
//
// The same results means the same bits, where all NaNs count as equal; only in
// tests may floats that were rounded differ, by a bound that the answer names.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_EQUIVALENCE_H
#define TENSORACCESS_TRANSFORMS_EQUIVALENCE_H

#include "TensorAccess/Core/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// How to find out whether two functions agree.
enum class EquivalenceMethod {
  Auto,  ///< a proof, by the solver too, then tests
  Prove, ///< by forms and by elements, without solver and tests
  Smt,   ///< by the solver alone
  Test,  ///< by running both
};

/// What must be established for a pass to succeed.
enum class EquivalenceNeed { Any, Tested, Reals, Proved };

struct EquivalenceOptions {
  EquivalenceMethod method = EquivalenceMethod::Auto;
  /// Inputs to test, at least 1.
  int64_t trials = 32;
  uint64_t seed = 0;
  /// Allowed distance relative to the largest magnitude of a result;
  /// std::nullopt: the bound for sums in another order (Analysis/Work.h), bits
  /// where nothing is rounded.
  std::optional<double> tolerance;
  /// Test inputs with NaN, infinities and -0.
  bool specialValues = true;
  /// In tests, inputs on which the first function fails are inconclusive.
  bool refines = false;
  /// The values of `?` in the arguments' types in tests.
  SmallVector<int64_t> sizes = {0, 1, 2, 7};
  /// The solver: a program that reads SMT-LIB, looked up in PATH. If empty, the
  /// one that the environment variable TENSORACCESS_SOLVER names, else z3.
  std::string solver;
  /// A file for the queries to the solver, in SMT-LIB (`-`: standard output).
  std::string solverDump;
  /// Its time limit.
  int64_t solverSeconds = 10;
  /// Scalar operations, one per element, that a proof by elements may expand
  /// for both functions.
  int64_t maxTerms = 1 << 17;
  /// Arithmetic operations that tests may take, and as many again to make a
  /// counterexample small: for large functions there are fewer trials, but at
  /// least one. If operations can't be counted beforehand, runs count them
  /// (Interpreter.h), and end there.
  int64_t maxOperations = int64_t(1) << 34;
};

enum class EquivalenceVerdict {
  Proved,  ///< the same bits
  Reals,   ///< the same numbers if nothing were rounded, infinite or a NaN
  Tested,  ///< agreed on all inputs that were tried
  Refuted, ///< a counterexample was run
  Unknown,
};
StringRef toString(EquivalenceVerdict verdict);

/// Inputs on which two functions do not agree.
struct Counterexample {
  SmallVector<Tensor> inputs;
  /// If one fails: 1 or 2, and its message. Else 0.
  int failing = 0;
  std::string failure;
  /// The first result that differs and where; `expected` is the first
  /// function's element and `got` the second's. If the sizes differ, the index
  /// is std::nullopt and both are shapes.
  unsigned result = 0;
  std::optional<SmallVector<int64_t>> index;
  std::string expected, got;
};

struct EquivalenceAnswer {
  EquivalenceVerdict verdict = EquivalenceVerdict::Unknown;
  /// `forms`, `rules`, `elements`, `solver` or `tests`; empty for Unknown.
  std::string method;
  /// One more sentence: the bound that tests used, or why nothing is known.
  std::string message;
  /// Inputs on which both ran and agreed; inputs on which both failed.
  int64_t inputs = 0, failures = 0;
  std::optional<Counterexample> counterexample;
};

/// Compares two functions with bodies. Emits an error at the second function if
/// its types differ from the first one's, if a body is missing, or if options
/// are invalid.
FailureOr<EquivalenceAnswer>
checkEquivalence(func::FuncOp first, func::FuncOp second,
                 const EquivalenceOptions &options = {});

class PdlRule;
class TermGraph;

/// The result of testing a rewrite rule: Tested, Refuted or Unknown.
struct RuleAnswer {
  EquivalenceVerdict verdict = EquivalenceVerdict::Unknown;
  /// Terms that were rewritten, and inputs on which both sides ran and agreed.
  int64_t terms = 0, inputs = 0;
  /// Why nothing is known.
  std::string message;
  /// If it is refuted; also the functions that were run.
  std::optional<Counterexample> counterexample;
  std::string before, after;
};

/// Runs both sides of a rule on small terms that match its pattern. Attributes
/// that the rule leaves open also take the values of the program's ops.
/// `prepare` prepares a graph for the rule.
RuleAnswer testRule(const PdlRule &rule, ModuleOp program,
                    llvm::function_ref<void(TermGraph &)> prepare);

/// `result 0 at [1, 2]: expected 3, got 4`, or which function fails.
std::string describe(const Counterexample &counterexample);
/// `0 but for [1, 2] = 3`, as counterexamples list inputs.
std::string describeElements(const Tensor &tensor);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_EQUIVALENCE_H

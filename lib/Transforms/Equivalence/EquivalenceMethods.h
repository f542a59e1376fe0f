//===- EquivalenceMethods.h - Ways to compare two functions ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files behind Transforms/Equivalence.h share. Each method gets two
// functions of one type, with bodies.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_EQUIVALENCEMETHODS_H
#define TENSORACCESS_LIB_TRANSFORMS_EQUIVALENCEMETHODS_H

#include "TensorAccess/Transforms/Equivalence.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::tensoraccess {

/// Both functions' ops in one block with the same arguments, without their
/// returns: first the first one's, then the other's.
struct JoinedFunctions {
  OwningOpRef<func::FuncOp> function;
  SmallVector<Value> firstResults, secondResults;
  /// Ops of the first one; the others are the second one's.
  size_t firstOps = 0;
  /// After `proveByForms`: both fail on the same inputs, if they do.
  bool failAlike = false;
  /// The reason if they cannot be joined; `function` is null then.
  std::string problem;
};

/// A clone, in no module, in which calls are replaced by what their callees do,
/// if these are one block and don't lead to themselves.
OwningOpRef<func::FuncOp> cloneInlined(func::FuncOp function);

/// Joins two functions of one block whose ops have no effects except failing. In
/// what comes from the second one, functions that are called are renamed where
/// their bodies are not the same as those of the same name called by the first
/// one.
JoinedFunctions joinFunctions(func::FuncOp first, func::FuncOp second);

/// True: proved by canonical forms of movement and congruence of all other ops.
/// Rewrites operands of the second half to values of the first.
bool proveByForms(JoinedFunctions &joined);

/// True: proved by the rules of the set `access` (Rewrites/RuleSets.h),
/// with those that reorder sums or without, on functions that `proveByForms`
/// has seen.
bool proveByRules(JoinedFunctions &joined, bool reordersSums);

/// Inputs at the edge of what types hold, the same for each run: by rows, of
/// which each gives every argument a corner.
class CornerInputs {
public:
  /// `isSpecial`: with -0, NaN and infinities. `isGreat`: with the greatest and
  /// the least finite floats.
  CornerInputs(func::FuncOp first, func::FuncOp second, bool isSpecial,
               bool isGreat);
  /// In all rows together, any two of the first 11 arguments take each pair of
  /// corners; in the first 11 rows all take the same one.
  int64_t getNumRows() const;
  /// Fills inputs with a row's corners, whole ones, or `byElement` with those
  /// of the rows from there on.
  void fill(MutableArrayRef<Tensor> inputs, int64_t row, bool byElement) const;

private:
  bool isSpecial, isGreat, isSmall;
  int64_t numInputs;
};

/// Runs both on the same inputs. std::nullopt: they agree; `ran` tells if they
/// ran, or both failed. A bound is for one result.
class EquivalenceTester {
public:
  EquivalenceTester(func::FuncOp first, func::FuncOp second,
                    const EquivalenceOptions &options);

  std::optional<Counterexample> run(ArrayRef<Tensor> inputs, bool &ran);
  /// Inputs with fewer elements other than zero, and simpler ones, on which
  /// they still do not agree.
  Counterexample shrink(Counterexample found);
  /// The answer by tests: Tested, Refuted or Unknown. `withCorners`: after the
  /// trials, on all rows of corners, too, as far as that takes little time;
  /// functions without two roundings in sequence are in any case.
  EquivalenceAnswer test(bool withCorners);
  /// Why not even one test is run; empty if the limit allows for it.
  std::string getExcess() const;
  /// Why tests are impossible; empty if they are not.
  std::string getProblem() const;

private:
  std::optional<Counterexample> compareResult(unsigned number,
                                              const Tensor &expected,
                                              const Tensor &got) const;
  FailureOr<SmallVector<Tensor>> makeInputs(ArrayRef<int64_t> sizes, int kind,
                                            uint64_t stream);

  /// Runs both on rows of corners, with `sizes` for `?`, and counts in
  /// `answer`; std::nullopt: they agree.
  std::optional<Counterexample> testCorners(ArrayRef<int64_t> sizes,
                                            EquivalenceAnswer &answer);
  /// The greatest number of `total` runs of both, at least 1, that the limit of
  /// operations allows.
  int64_t limitRuns(int64_t total) const;

  mutable func::FuncOp first, second;
  /// Their module where they had to be lowered.
  OwningOpRef<ModuleOp> firstLowered, secondLowered;
  const EquivalenceOptions &options;
  /// Roundings in sequence, of either; std::nullopt if unknown.
  std::optional<int64_t> depth;
  /// Whether the last run gave nothing but NaNs.
  bool isBlind = false;
  /// Operations of a run of both; std::nullopt if unknown.
  std::optional<int64_t> operations;
  /// Operations that runs have taken where that is unknown, up to the limit.
  int64_t spent = 0;
  bool mayRun() const { return operations || spent < options.maxOperations; }
  /// The results, or the interpreter's error.
  FailureOr<SmallVector<Tensor>> runQuietly(func::FuncOp function,
                                            ArrayRef<Tensor> inputs,
                                            std::string &error);
};

/// The module of a function, with what the interpreter does not run (TOSA)
/// lowered as upstream does it; null if none of it exists, or that fails.
OwningOpRef<ModuleOp> lowerForTests(func::FuncOp function);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_EQUIVALENCEMETHODS_H

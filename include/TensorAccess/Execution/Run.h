//===- Run.h - Running programs ---------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_RUN_H
#define TENSORACCESS_EXECUTION_RUN_H

#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/Systolic.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Interpreter/Interpreter.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// The program tensoraccess-run
//===----------------------------------------------------------------------===//

/// The main of tensoraccess-run. Returns the exit code: 0 if everything ran and
/// every comparison held, else 1.
int runMain(int argc, char **argv);

/// `interpret`, also for programs with TOSA ops, which are lowered to linalg
/// first, in a copy.
FailureOr<llvm::SmallVector<Tensor>>
interpretProgram(func::FuncOp entry, llvm::ArrayRef<Tensor> inputs,
                 const InterpreterOptions &options = {});

/// Prints one result of a run: shape, type, mean, and a checksum of its bytes
/// in row-major order.
void reportResult(llvm::raw_ostream &os, int64_t number, const Tensor &result);

/// Compares a result with the expected one and prints the verdict: elements,
/// how many have the same bits, the greatest differences and where. Returns
/// whether they agree; different shapes or types are an error. The tolerance is
/// relative to the largest magnitude in either, or to `magnitude` if that is
/// larger.
llvm::Expected<bool> reportComparison(llvm::raw_ostream &os, int64_t number,
                                      const Tensor &result,
                                      const Tensor &expected,
                                      const Tolerance &tolerance,
                                      double magnitude = 0);

/// The greatest magnitude among the finite elements.
double largestMagnitude(const Tensor &tensor);

/// Reports comparisons of a function's results, leaving out what MLIR leaves
/// undefined: if results differ, the interpreter runs the function again.
class DifferenceReport {
public:
  /// `isGiven`: the tolerance is the user's, and is taken as it is.
  DifferenceReport(func::FuncOp function, llvm::ArrayRef<Tensor> inputs,
                   bool isGiven);
  /// reportComparison for a result, with a line on undefined elements.
  llvm::Expected<bool> report(llvm::raw_ostream &os, int64_t number,
                              const Tensor &result, const Tensor &expected,
                              const Tolerance &tolerance);

private:
  void prepare();

  func::FuncOp function;
  llvm::SmallVector<Tensor> inputs;
  bool isGiven, isPrepared = false;
  /// Results with fixed values for what is undefined, with other values, and
  /// for the inputs' absolute values; std::nullopt if the interpreter fails.
  std::optional<llvm::SmallVector<Tensor>> fixed, others, large;
  llvm::SmallVector<std::string> reasons;
};

//===----------------------------------------------------------------------===//
// A systolic array, cycle by cycle
//
// Runs products on the array of Core/Systolic.h by moving its registers. In a
// cycle each cell (r, c)
//
//   1. takes the activation of its left neighbour (from outside in column 0,
//      where element r of item i enters in cycle i + r),
//   2. adds that activation times its weight to the sum of the neighbour above
//      (0 in row 0), and
//   3. keeps both for its neighbours in the next cycle.
//
// The sum of item i in column c leaves row R - 1 in cycle i + (R - 1) + c and
// is added to its accumulator. Every step is rounded to the sum type, and the
// results to the element type, so that they have the same bits as the reference
// kernel (kernels::systolicArray). Cycles are counted, not computed by the
// formula.
//===----------------------------------------------------------------------===//

/// What simulateSystolicArray computed and counted.
struct SystolicRun {
  AccessPattern result;
  SystolicCost cost;
};

/// Runs `systolic_array activations, weights rows cols [blocked]`: activations
/// are <A | K>, weights <| K x N>, as the op requires; a product that is not
/// blocked must be of the array's size. The weights of a batch are run one
/// after the other; with two sets of weights only the first load counts. The
/// array must be verified, and have at most 2^22 cells. With an accumulator,
/// cells extend their factors to its type.
llvm::Expected<SystolicRun>
simulateSystolicArray(const SystolicArray &array,
                      const AccessPattern &activations,
                      const AccessPattern &weights, bool isBlocked,
                      std::optional<ElementType> accumulator = std::nullopt);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_RUN_H

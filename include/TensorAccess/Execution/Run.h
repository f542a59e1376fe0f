//===- Run.h - The program tensoraccess-run -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function of a file on given or random inputs, by JIT or interpreter,
// and compares its results with the interpreter's, a file's, or another
// program's.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_RUN_H
#define TENSORACCESS_EXECUTION_RUN_H

#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Analysis/Work.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// The main of tensoraccess-run. Returns the exit code: 0 where everything ran
/// and every comparison held, else 1.
int runMain(int argc, char **argv);

/// Prints one result of a run: shape, type, mean, and a checksum of its bytes
/// in row-major order.
void reportResult(llvm::raw_ostream &os, int64_t number, const Tensor &result);

/// Compares a result with what was expected and prints the verdict: elements,
/// how many have the same bits, the greatest differences and where. Returns
/// whether they agree; different shapes or types are an error. The tolerance is
/// relative to the largest magnitude of both, or `magnitude` where that is
/// larger.
llvm::Expected<bool> reportComparison(llvm::raw_ostream &os, int64_t number,
                                      const Tensor &result,
                                      const Tensor &expected,
                                      const Tolerance &tolerance,
                                      double magnitude = 0);

/// The greatest magnitude among the finite elements.
double largestMagnitude(const Tensor &tensor);

/// Reports comparisons of a function's results, leaving out what MLIR leaves
/// open: where results differ, the interpreter runs the function again.
class DifferenceReport {
public:
  /// `isGiven`: the tolerance is the user's, and is taken as it is.
  DifferenceReport(func::FuncOp function, llvm::ArrayRef<Tensor> inputs,
                   bool isGiven);
  /// reportComparison for a result, with a line on what is undefined.
  llvm::Expected<bool> report(llvm::raw_ostream &os, int64_t number,
                              const Tensor &result, const Tensor &expected,
                              const Tolerance &tolerance);

private:
  void prepare();

  func::FuncOp function;
  llvm::SmallVector<Tensor> inputs;
  bool isGiven, isPrepared = false;
  /// Results with fixed values for what is open, with others, and of the
  /// inputs' absolute values; none where the interpreter fails.
  std::optional<llvm::SmallVector<Tensor>> fixed, others, large;
  llvm::SmallVector<std::string> reasons;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_RUN_H

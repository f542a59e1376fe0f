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
#include "TensorAccess/Execution/Work.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// The main of tensoraccess-run. Returns the exit code: 0 where everything ran
/// and every comparison held, else 1.
int runMain(int argc, char **argv);

/// How far results may lie apart, relative to the largest magnitude among the
/// finite elements of a result.
struct Tolerance {
  double relative = 0;
  /// Where the number comes from, for the report.
  std::string reason;
};

/// The bound for sums taken in another order: 2·d·u, where d is the number of
/// roundings that can follow one another (Work::depth, the greater of the two
/// programs') and u is half the distance of 1 to the next number of the type;
/// 2·1024·u where d is unknown; 0 for integers and where d is 0. Rounding d
/// times changes a sum by at most d·u times the sum of its terms' magnitudes
/// (to first order), for which the largest result stands here.
Tolerance defaultTolerance(ElementType type, std::optional<int64_t> depth);

/// Prints one result of a run: shape, type, mean, and a checksum of its bytes
/// in row-major order.
void reportResult(llvm::raw_ostream &os, int64_t number, const Tensor &result);

/// Compares a result with what was expected and prints the verdict: elements,
/// how many have the same bits, the greatest differences and where. Returns
/// whether they agree; different shapes or types are an error.
llvm::Expected<bool> reportComparison(llvm::raw_ostream &os, int64_t number,
                                      const Tensor &result,
                                      const Tensor &expected,
                                      const Tolerance &tolerance);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_RUN_H

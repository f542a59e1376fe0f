//===- BinaryProgram.h - The solver of integer programs ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_COST_BINARYPROGRAM_H
#define TENSORACCESS_COST_BINARYPROGRAM_H

#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Solver for integer programs
//
// COIN-OR's CBC, through its C interface. The library depends on ten others, so
// it is loaded when a program is to be solved, not when a tool starts.
//===----------------------------------------------------------------------===//

/// Minimize the sum of costs[i] · x[i] for x in {0, 1}, subject to rows.
struct BinaryProgram {
  struct Row {
    std::vector<int> columns;
    std::vector<double> coefficients;
    /// 'G': the sum is at least `right`; 'L': at most.
    char sense;
    double right;
  };
  std::vector<double> costs;
  std::vector<Row> rows;
  /// A known solution.
  std::vector<bool> start;
};

struct BinarySolution {
  /// The best solution found; empty if there is none.
  std::vector<bool> values;
  /// No solution costs less than this.
  double bound = 0;
  /// The solution is optimal.
  bool isOptimal = false;
};

/// Whether CBC was built in and can be loaded.
bool loadCbc(std::string &problem);

/// Solves a program in at most 1.1 times `seconds` plus half a second, in a
/// separate process. Requires loadCbc. Only one thread solves at a time.
BinarySolution solve(const BinaryProgram &program, double seconds);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_COST_BINARYPROGRAM_H

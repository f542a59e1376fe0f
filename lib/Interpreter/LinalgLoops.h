//===- LinalgLoops.h - Operands of structured ops as loops see them -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the two ways to run a structured op of linalg share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_LINALGLOOPS_H
#define TENSORACCESS_LIB_INTERPRETER_LINALGLOOPS_H

#include "ScalarProgram.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::tensoraccess {

/// An operand as the loops see it.
struct PointOperand {
  unsigned number = 0;
  AffineMap map;
  Tensor tensor;
  /// False where the region does not read the block argument.
  bool isRead = false;
  /// Bytes from one iteration of each loop to the next; empty where the map is
  /// not linear.
  SmallVector<int64_t> steps;
  char *address = nullptr;

  bool isLinear() const { return !steps.empty(); }
};

/// Runs the loops, of which each has a turn, by a kernel or in strips; false
/// where it can't, or something fails: results may have been written to.
bool runFast(linalg::LinalgOp op, const ScalarProgram &program,
             ArrayRef<PointOperand> operands, ArrayRef<int64_t> sizes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_LINALGLOOPS_H

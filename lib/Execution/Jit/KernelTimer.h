//===- KernelTimer.h - How long compiled functions take ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times calls of compiled functions on inputs of its own: numbers between 1/2
// and 3/2, which are special to no operation.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_KERNELTIMER_H
#define TENSORACCESS_LIB_EXECUTION_KERNELTIMER_H

#include "TensorAccess/Execution/Jit.h"
#include "mlir/IR/MLIRContext.h"

namespace mlir::tensoraccess {

struct KernelTime {
  /// The best, without what an empty call takes; at least a tenth of that.
  double seconds = 0;
  /// Buffers besides inputs and results.
  int64_t scratchBytes = 0;
};

class KernelTimer {
public:
  /// Calls run in `repeats` rows of at least `rowSeconds` each.
  static llvm::Expected<KernelTimer>
  create(MLIRContext &context, unsigned repeats, double rowSeconds);

  /// Times @main of a module.
  llvm::Expected<KernelTime> time(ModuleOp module) const;

  /// Calls @main for about so long; how often it was called.
  llvm::Expected<int64_t> runFor(ModuleOp module, double seconds) const;

private:
  struct Prepared;
  llvm::Expected<Prepared> prepare(ModuleOp module) const;
  llvm::Expected<double> getBest(const Prepared &kernel) const;

  unsigned repeats = 1;
  double rowSeconds = 0;
  double emptyCall = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_KERNELTIMER_H

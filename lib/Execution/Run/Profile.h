//===- Profile.h - Where the time of a run goes -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_PROFILE_H
#define TENSORACCESS_LIB_EXECUTION_PROFILE_H

#include "TensorAccess/Execution/Jit.h"

namespace mlir::tensoraccess {

/// The most that a machine does in a second.
struct MachinePeak {
  /// Multiply-adds of f32 in registers, each as two operations.
  double operations = 0;
  /// Read and written by copies beyond the caches.
  double bytes = 0;

  /// Measured on that many threads, for some tenths of a second.
  static FailureOr<MachinePeak> measure(MLIRContext &context, int64_t threads);
};

/// A table of loop nests by their time in a run: calls, and rates with their
/// shares of what the machine does at most, as far as that bounds them.
void printProfile(llvm::raw_ostream &os, ArrayRef<KernelInfo> kernels,
                  ArrayRef<KernelSpan> spans, double runSeconds,
                  int64_t threads, const MachinePeak &peak);

/// The same as events of Chrome's trace format, which Perfetto opens.
void writeTrace(llvm::raw_ostream &os, ArrayRef<KernelInfo> kernels,
                ArrayRef<KernelSpan> spans);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_PROFILE_H

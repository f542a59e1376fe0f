//===- RunDistributed.h - One rank of a job ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_RUNDISTRIBUTED_H
#define TENSORACCESS_LIB_EXECUTION_RUNDISTRIBUTED_H

#include "RunProgram.h"

namespace mlir::tensoraccess {

/// What tensoraccess-run --mpi is asked for.
struct DistributedSpec {
  std::string file;
  /// `openmpi`, `mpich`; `auto` or nothing for that of the launcher.
  std::string implementation;
  /// A pipeline that makes a rank's program of the file's module, `{rank}` and
  /// `{ranks}` replaced by numbers; none if empty.
  std::string passes;
  /// As of a run on one machine, of whole tensors; files with `{rank}` in their
  /// names are this rank's own parts.
  std::string inputs;
  SmallVector<std::string> outputs;
  ComparisonSpec comparison;
  /// How often to run and time it; 0 for once without times.
  unsigned runs = 0;
  /// How the program is compiled. Without a number of threads it runs on one: ranks
  /// share the processors of a machine.
  JitOptions jit;
  /// Seconds until the job is given up; 0 for never.
  unsigned timeout = 0;
};

/// Runs a program as one rank of a job: each rank takes its parts of the
/// inputs, the first one puts the results together, reports and compares them.
/// Where a rank fails on its own, the whole job ends.
LogicalResult runDistributed(DistributedSpec &spec);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_RUNDISTRIBUTED_H

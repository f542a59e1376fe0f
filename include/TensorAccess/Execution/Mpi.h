//===- Mpi.h - The MPI library of this process ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI is loaded at run time, so that one build runs under Open MPI and under
// MPICH, and where there is none. Compiled programs call the library through
// functions of this file that count what is sent.
//
// Environment: TENSORACCESS_MPI_LIBRARY is a path to load instead of
// libmpi.so.40 or libmpich.so.12.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_MPI_H
#define TENSORACCESS_EXECUTION_MPI_H

#include "TensorAccess/Conversion/Distributed.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir::tensoraccess {

/// What this rank's compiled programs gave to MPI.
struct MpiTraffic {
  /// Of messages to other ranks; those to itself are none.
  int64_t bytes = 0, messages = 0;
  /// Of what all-reductions reduce. What that sends is the library's affair.
  int64_t reducedBytes = 0, reductions = 0;
  /// In MPI_Wait, for messages to come and to go.
  int64_t waitNanoseconds = 0;
};

/// The library and this process in it. One a process.
class MpiJob {
public:
  /// Loads the library and joins the job. Without an implementation that of the
  /// launcher, else the first one that is installed. Fails where there is none,
  /// and where the launcher was another implementation's.
  static llvm::Expected<MpiJob *>
  join(std::optional<MpiImplementation> implementation = std::nullopt);

  MpiImplementation getImplementation() const { return implementation; }
  /// `Open MPI v4.1.4, …`: the first line of what the library says of itself.
  std::string getVersion() const;
  int64_t getRank() const { return rank; }
  int64_t getSize() const { return size; }

  /// What compiled programs must find under the names of MPI's functions: those
  /// that count. The others are found in the library itself.
  llvm::SmallVector<std::pair<std::string, void *>> getSymbols() const;

  /// What was sent since the last call.
  MpiTraffic takeTraffic();

  llvm::Error barrier();
  /// Bytes between ranks, outside of what is counted; any number of them.
  llvm::Error send(const void *data, size_t bytes, int64_t to);
  llvm::Error receive(void *data, size_t bytes, int64_t from);
  /// Every rank's numbers at rank 0, by rank; nothing at the others. Each rank
  /// gives equally many.
  llvm::Expected<std::vector<llvm::SmallVector<int64_t>>>
  gather(llvm::ArrayRef<int64_t> numbers);

  /// Leaves the job in good order.
  llvm::Error leave();
  /// Ends the job, all ranks of it, now.
  [[noreturn]] void abort(int code);

private:
  MpiJob() = default;
  llvm::Error check(int code, llvm::StringRef function) const;

  MpiImplementation implementation = MpiImplementation::OpenMpi;
  int64_t rank = 0, size = 1;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_MPI_H

//===- Messages.h - Exchanges become calls of MPI ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_MESSAGES_H
#define TENSORACCESS_TRANSFORMS_MESSAGES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <optional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::tensoraccess {

/// MPI counts the elements of a message in an int.
inline constexpr int64_t kMaxMessageElements = 0x7fffffff;

/// The MPI library whose ABI is used: what handles and constants look like.
enum class MpiImplementation { OpenMpi, Mpich };

/// `OpenMPI`, `MPICH`: how DLTI's entry `MPI:Implementation` names them.
StringRef stringifyMpiImplementation(MpiImplementation implementation);
/// The inverse, ignoring case (`openmpi`); std::nullopt for other names.
std::optional<MpiImplementation> symbolizeMpiImplementation(StringRef name);

/// The value of `MPI:Implementation` in a module's DLTI; std::nullopt if it has
/// none. Emits an error at the module for an unknown name.
FailureOr<std::optional<MpiImplementation>>
getMpiImplementation(ModuleOp module);

/// A predefined object: its symbol in Open MPI's library, its number in MPICH.
struct MpiHandle {
  StringRef symbol;
  uint32_t number = 0;
};

/// MPI_COMM_WORLD, MPI_ERRORS_RETURN, MPI_BYTE.
inline constexpr MpiHandle kCommWorld = {"ompi_mpi_comm_world", 0x44000000};
inline constexpr MpiHandle kErrorsReturn = {"ompi_mpi_errors_return",
                                            0x54000001};
inline constexpr MpiHandle kByte = {"ompi_mpi_byte", 0x4c00010d};

/// The address that stands for MPI_STATUS_IGNORE, and for MPI_IN_PLACE.
int64_t getStatusIgnore(MpiImplementation implementation);
int64_t getInPlace(MpiImplementation implementation);

/// Lets one-shot bufferization turn exchanges on tensors into exchanges on
/// memrefs (the destination is written in place if nothing else needs it), and
/// declares that ops of the mpi dialect, which lack such an interface, read and
/// write memory; otherwise buffers cannot be freed around them.
void registerDistributedModels(DialectRegistry &registry);

/// Turns exchanges on memrefs below `root` into non-blocking sends and
/// receives, as the pass `tensoraccess-exchange-to-mpi` describes, each of at
/// most `maxElements` elements (at least 1). Emits an error for an exchange on
/// tensors.
LogicalResult lowerExchanges(Operation *root,
                             int64_t maxElements = kMaxMessageElements);

/// Turns the mpi dialect into calls, as the pass `tensoraccess-lower-mpi`
/// describes. Without an implementation, uses the module's, else Open MPI.
LogicalResult
lowerMpi(ModuleOp module,
         std::optional<MpiImplementation> implementation = std::nullopt);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_MESSAGES_H

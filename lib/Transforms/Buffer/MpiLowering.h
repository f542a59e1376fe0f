//===- MpiLowering.h - What handles and constants of MPI are --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of the two binary interfaces (Conversion.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_MPILOWERING_H
#define TENSORACCESS_LIB_TRANSFORMS_MPILOWERING_H

#include "TensorAccess/Transforms/Messages.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tensoraccess {

/// Whether elements of that type can be sent: integers and floats of 1, 2, 4
/// and 8 bytes, i1 and index.
bool isMessageType(Type type);

/// The MPI type of elements that are moved: for 16-bit floats, which MPI lacks,
/// that of integers of as many bits. std::nullopt if isMessageType is false.
std::optional<MpiHandle> getDatatype(Type type);

/// The operation of a reduction over elements of that type; std::nullopt if MPI
/// defines none, as for sums of 16-bit floats, and bits of floats.
std::optional<MpiHandle> getReduction(mpi::MPI_ReductionOpEnum kind, Type type);

/// The number of an error class; std::nullopt if the library has no such class.
std::optional<int32_t> getErrorClass(mpi::MPI_ErrorClassEnum errorClass,
                                     MpiImplementation implementation);

/// True if the elements of every memref of that type are contiguous, in
/// row-major order.
bool isContiguous(MemRefType type);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_MPILOWERING_H

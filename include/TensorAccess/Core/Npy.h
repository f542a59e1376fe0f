//===- Npy.h - Tensors in numpy's file format -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes .npy files, versions 1.0, 2.0 and 3.0 of numpy's format
// (numpy/lib/format.py): a magic string, a header that is a Python dictionary
// of `descr`, `fortran_order` and `shape`, then the raw elements.
//
//   * Types: f2, f4, f8, i1, i2, i4, i8, b1; u1 … u8 are read as the signless
//     integer with the same bits. Little endian only.
//   * bf16 is written as `<V2`, as numpy itself does for the bfloat16 of the
//     Python package ml_dtypes, and `V2` is read as bf16. In numpy:
//     `numpy.load(f).view(ml_dtypes.bfloat16)`.
//   * Both orders are read; C order is written, as version 1.0.
//
// A file is never trusted: each length is checked against what is there before
// memory is taken.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_NPY_H
#define TENSORACCESS_CORE_NPY_H

#include "TensorAccess/Core/Tensor.h"

namespace mlir::tensoraccess {

/// Reads a tensor from the bytes of a .npy file; messages begin with `name`.
llvm::Expected<Tensor> parseNpy(llvm::StringRef bytes, llvm::StringRef name);

/// Reads a .npy file. Messages name the path and the offending type, shape or
/// length.
llvm::Expected<Tensor> readNpy(llvm::StringRef path);

/// The bytes of a .npy file with this tensor in C order.
llvm::Expected<std::string> formatNpy(const Tensor &tensor);

/// Writes a .npy file.
llvm::Error writeNpy(llvm::StringRef path, const Tensor &tensor);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_NPY_H

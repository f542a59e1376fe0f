//===- BufferUses.h - Who holds a buffer ------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_BUFFER_BUFFERUSES_H
#define TENSORACCESS_LIB_TRANSFORMS_BUFFER_BUFFERUSES_H

#include "mlir/IR/Value.h"

namespace mlir::tensoraccess {

/// Whether an op only reads or writes the elements of the buffer.
bool onlyAccesses(OpOperand &use);

/// Whether `visit` is true of each use of a buffer and of views of it, those
/// that make the views excepted.
bool allUses(Value buffer, llvm::function_ref<bool(OpOperand &)> visit);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_BUFFER_BUFFERUSES_H

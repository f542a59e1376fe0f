//===- Captured.h - What regions read from outside --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The region of a linalg.generic, a tensor.generate or a tensor.pad may read
// values that are not operands: scalars, and elements of tensors by
// tensor.extract. These reads have indexing maps like those of operands.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_CAPTURED_H
#define TENSORACCESS_LIB_MODELS_CAPTURED_H

#include "Function/Models.h"
#include "TensorAccess/Models/Indexing.h"

namespace mlir::tensoraccess {

/// The reads of all captured values that a result may depend on. Each pair of
/// value and result occurs at most once; what cannot be told is unknown
/// (Captured, or NotAffine).
std::vector<CapturedRead> getCapturedReads(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_CAPTURED_H

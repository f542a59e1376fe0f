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

#include "Read/Models.h"
#include "TensorAccess/Models/Indexing.h"

namespace mlir::tensoraccess {

/// The reads of all captured values that a result may depend on. Each pair of
/// value and result occurs at most once; what cannot be told is unknown
/// (Captured, or NotAffine).
std::vector<CapturedRead> getCapturedReads(Operation *op);

/// The loops of a structured op: their extents, and the maps of its operands.
/// States what the op forces on sizes.
struct StructuredLoops {
  SizeList extents;
  SmallVector<Interval> ranges;
  SmallVector<AffineMap> maps;
  std::vector<SizeList> shapes;

  /// None, with a reason, where the op is not of this form.
  static std::optional<StructuredLoops>
  get(IndexingMapOpInterface op, OpSizes &sizes, IndexingReason &reason);
};

/// The operand whose map says where the result's elements are, or std::nullopt.
std::optional<unsigned> getTiedOperand(Operation *op, unsigned result);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_CAPTURED_H

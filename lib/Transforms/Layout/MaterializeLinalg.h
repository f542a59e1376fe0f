//===- MaterializeLinalg.h - Loop nests over physical tensors ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of materializeLayouts: MaterializeLinalg.cpp explains it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_MATERIALIZELINALG_H
#define TENSORACCESS_LIB_TRANSFORMS_MATERIALIZELINALG_H

#include "PhysicalForm.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::tensoraccess {

/// An operand as it is laid out in memory.
struct PhysicalOperand {
  Value value;
  PhysicalForm form;
  /// Its shape and sizes without padding.
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
};

/// What was built.
struct PhysicalNest {
  /// In the form of the destinations.
  SmallVector<Value> results;
  /// Operands that had to be laid out anew, and whether a reduction is masked.
  int64_t relayouts = 0;
  bool masked = false;
};

/// The loop nest of `op` on operands as they are laid out in memory (scalars
/// have an empty form). std::nullopt, with the reason, where that is
/// impossible; then nothing was built.
std::optional<PhysicalNest>
materializeLinalg(OpBuilder &builder, linalg::LinalgOp op,
                  ArrayRef<PhysicalOperand> operands, RelayoutWay way,
                  std::string &reason);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_MATERIALIZELINALG_H

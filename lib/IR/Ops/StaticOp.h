//===- StaticOp.h - The nest of an op whose sizes are known -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_IR_STATICOP_H
#define TENSORACCESS_LIB_IR_STATICOP_H

#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Interfaces/Nest.h"

namespace mlir::tensoraccess {

/// The shapes of an op's operands and results: tensors, patterns, scalars.
struct StaticOp {
  const OpSignature &signature;
  std::vector<SmallVector<int64_t>> in, out;
  /// The same as forms.
  std::vector<SizeList> operands, results;
  /// By operand: why its shape, which is empty, is not known.
  SmallVector<IndexingReason> reasons;

  /// std::nullopt, and a reason, where a size or a rank of a result, or of all
  /// operands, is not known.
  static std::optional<StaticOp> get(const OpSignature &signature,
                                     IndexingReason &reason);
  bool isKnown(unsigned operand) const {
    return reasons[operand] == IndexingReason::None;
  }
  Nest makeNest(ArrayRef<int64_t> extents, NestBody body) const;
  /// Loops over the indices of result 0, which is written there.
  Nest makeResultNest(NestBody body) const;
};

/// The element at a place under a policy. Under pad, `read` is
/// restricted to places that have one.
Form resolveForm(Nest &nest, NestRead &read, Form place, int64_t size,
                 OutOfBounds::Kind policy);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_IR_STATICOP_H

//===- Tosa.h - What the models of tosa share -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_TOSA_H
#define TENSORACCESS_LIB_MODELS_TOSA_H

#include "Function/Models.h"

namespace mlir::tensoraccess {

/// An op whose operands of type !tosa.shape are vectors.
struct TosaOp : SizedOp {
  explicit TosaOp(const OpSignature &signature);

  /// The integers of an array attribute; none if it is absent.
  std::optional<SmallVector<int64_t>> getArray(StringRef name) const;
  /// The numbers of a shape operand that is a constant.
  std::optional<SmallVector<int64_t>> getShape(unsigned operand) const;
  std::optional<int64_t> getAxis() const;

  /// Operands [first, last) are read with TOSA's broadcasting: a size of 1
  /// stands for any size, and missing leading dimensions are units. `index` is
  /// that of the result.
  void readBroadcast(Nest &nest, ArrayRef<Form> index, unsigned first,
                     unsigned last) const;
  /// A vector along dimension `dim` of the result, or one element.
  void readVector(Nest &nest, ArrayRef<Form> index, unsigned operand,
                  unsigned dim) const;
};

/// Convolutions and pooling.
void registerTosaWindowModels(MLIRContext *context);
/// Ops that only move elements.
void registerTosaMoveModels(MLIRContext *context);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_TOSA_H

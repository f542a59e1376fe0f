//===- Tosa.h - What the models of tosa share -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_TOSA_H
#define TENSORACCESS_LIB_MODELS_TOSA_H

#include "Read/Models.h"

namespace mlir::tensoraccess {

/// The sizes of all operands and results of an op with one result, by number.
struct TosaOp {
  const OpSignature &signature;
  OpSizes sizes;
  OpIndexing indexing;
  IndexingReason reason = IndexingReason::UnsupportedForm;
  std::vector<SizeList> in;
  SizeList out;

  explicit TosaOp(const OpSignature &signature);

  /// False where some size list could not be had: the answer is `unknown()`.
  bool isValid() const { return valid; }
  OpIndexing unknown() const { return signature.unknown(reason); }
  OpIndexing unknown(IndexingReason why) const {
    return signature.unknown(why);
  }
  /// The integers of an array attribute; none if it is absent.
  std::optional<SmallVector<int64_t>> getArray(StringRef name) const;
  /// The numbers of a shape operand that is a constant.
  std::optional<SmallVector<int64_t>> getShape(unsigned operand) const;
  std::optional<int64_t> getAxis() const;

  /// Operands from `first` on are read with TOSA's broadcasting: a size of 1
  /// stands for any size, and missing leading dimensions are units.
  void addBroadcast(unsigned first, unsigned last);
  /// Operands from `first` on have one element, read for all of the result.
  void addSingle(unsigned first, unsigned last);
  /// A vector along dimension `dim` of the result, or one element.
  void addVector(unsigned operand, unsigned dim);
  OpIndexing finish() {
    sizes.record(indexing);
    return std::move(indexing);
  }

private:
  bool valid = true;
};

/// Convolutions and pooling.
void registerTosaWindowModels(MLIRContext *context);
/// Ops that only move elements.
void registerTosaMoveModels(MLIRContext *context);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_TOSA_H

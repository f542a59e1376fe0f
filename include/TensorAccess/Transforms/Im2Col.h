//===- Im2Col.h - Dot products become products of matrices ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass `tensoraccess-discover-im2col` does, for callers that hold the
// IR already.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_IM2COL_H
#define TENSORACCESS_TRANSFORMS_IM2COL_H

#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Transforms/SaturateTerms.h"

namespace mlir::tensoraccess {

struct Im2ColOptions {
  SaturationLimits limits;
  /// What a step of arithmetic in a product of matrices costs, and what a byte
  /// that is copied does, in steps of arithmetic elsewhere.
  double matmulStep = 1.0 / 32, copiedByte = 1.0 / 16;
};

/// What became of one dot product.
struct Im2ColReport {
  /// The flat product that it is now.
  ComputeOp op;
  /// <M | K> by <N | K>, as often as the batch has elements.
  int64_t batch = 1, m = 0, n = 0, k = 0;
  /// Sides that were materialised for it, the bytes of these copies, and the
  /// bytes of the tensors that they were copied from. INT64_MAX is that many,
  /// or more.
  int64_t copies = 0, copiedBytes = 0, sourceBytes = 0;
};

struct Im2ColResult {
  SmallVector<Im2ColReport> matmuls;
  TermSaturationReport saturation;
};

/// Rewrites the dot products of a function into products of matrices by
/// equality saturation, each where that costs less. Preserves results to the
/// last bit. Emits an error where limits are wrong.
FailureOr<Im2ColResult> discoverIm2Col(FunctionOpInterface function,
                                       const Im2ColOptions &options = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_IM2COL_H

//===- Systolic.h - Products on systolic arrays -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes `tensoraccess-map-to-systolic`, `tensoraccess-block-matmul`
// and `tensoraccess-expand-arrays` do, for callers that hold the IR already.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SYSTOLIC_H
#define TENSORACCESS_TRANSFORMS_SYSTOLIC_H

#include "TensorAccess/Core/Systolic.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Transforms/SaturateTerms.h"

namespace mlir::tensoraccess {

struct SystolicMappingOptions {
  /// The arrays to choose from, each for each product. At least one, verified.
  SmallVector<SystolicArray, 1> arrays;
  SaturationLimits limits;
};

struct SystolicMappingReport {
  TermSaturationReport saturation;
  /// The array ops of the function afterwards, and what they take.
  struct Use {
    SystolicArrayOp op;
    SystolicArray array;
    SystolicCost cost;
  };
  SmallVector<Use> uses;
};

/// What a `systolic_array` on such operands takes, <B, A | K> and <B | K x N>: a
/// product for each of B, one after the other, whose loads are hidden but for
/// the first where the array is double-buffered. None for sizes that are not
/// known, and past 2^63 - 1.
std::optional<SystolicCost> getArrayCost(const SystolicArray &array,
                                         AccessType activations,
                                         AccessType weights);

/// Rewrites the products of a function, whatever convolution or contraction
/// they are, into `systolic_array` ops, by equality saturation and for the
/// fewest cycles. Emits an error where options are wrong.
FailureOr<SystolicMappingReport>
mapToSystolic(FunctionOpInterface function,
              const SystolicMappingOptions &options);

/// Why a `blocked` array of static shape can't be written out as loops: its
/// operands, filled up to whole blocks, have more than 2^63 - 1 elements. None
/// where it can.
std::optional<std::string> findBlockFault(SystolicArrayOp op);

/// Writes a `blocked` array out as loops over its blocks, each a
/// `systolic_array` of exactly rows x cols. Where the array's accumulators hold
/// fewer items (0: all), items are cut into pieces, each with a loop over the
/// depth of its own. Fails, without a change, for shapes that are not static and
/// those that findBlockFault names; `notifyMatchFailure` says so.
FailureOr<Value> expandBlockedArray(RewriterBase &rewriter, SystolicArrayOp op,
                                    int64_t accumulators = 0);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SYSTOLIC_H

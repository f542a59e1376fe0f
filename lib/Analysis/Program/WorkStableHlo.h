//===- WorkStableHlo.h - The arithmetic of StableHLO by name ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_WORKSTABLEHLO_H
#define TENSORACCESS_LIB_ANALYSIS_WORKSTABLEHLO_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace mlir::tensoraccess {

/// `inner` operations at each of `points` points, of which `reduced` lead to
/// the same element, by as many roundings.
struct HloWork {
  int64_t inner, points, reduced;
};

/// How many roundings of a type a sum of `reduced` elements goes through. Sums
/// of floats below f32 are f32, whose roundings are finer, but for the last
/// one.
int64_t getSumDepth(Type element, int64_t reduced);

/// The work of an op of StableHLO in generic form; none where it is unknown, or
/// a shape is dynamic.
std::optional<HloWork> countHloWork(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_ANALYSIS_WORKSTABLEHLO_H

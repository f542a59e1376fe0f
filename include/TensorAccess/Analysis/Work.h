//===- Work.h - How much arithmetic a function does -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_WORK_H
#define TENSORACCESS_ANALYSIS_WORK_H

#include "TensorAccess/Core/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// How much arithmetic a function does
//===----------------------------------------------------------------------===//

/// The arithmetic of a function: additions, multiplications and the like, each
/// counted once; comparisons, selections, conversions and movement are free.
struct Work {
  /// Operations in all.
  int64_t operations = 0;
  /// Roundings that can follow one another on the way to one element of the
  /// result: an upper bound, the sum over all ops of operations in the body ×
  /// points of the reduction. A sum of n products has 2n. The f32 roundings in
  /// a sum of narrower floats count as the corresponding fraction of one.
  int64_t depth = 0;
};

/// Counts a function; std::nullopt if a shape is dynamic, if there is control
/// flow or a call, if an op is unknown, or if the count overflows.
std::optional<Work> countWork(func::FuncOp function);

/// Counts one op; std::nullopt as above.
std::optional<Work> countOpWork(Operation *op);

/// How far results may differ, relative to the largest magnitude among the
/// finite elements of a result.
struct Tolerance {
  double relative = 0;
  /// Where the number comes from, for the report.
  std::string reason;
};

/// The bound for sums taken in another order: 2·d·u, where d is the number of
/// roundings that can follow one another (Work::depth, the greater of the two
/// programs') and u is half the distance from 1 to the next number of the type;
/// 2·1024·u if d is unknown; 0 for integers and if d is 0. Rounding d times
/// changes a sum by at most d·u times the sum of its terms' magnitudes (to
/// first order), for which the largest result is taken here.
Tolerance defaultTolerance(ElementType type, std::optional<int64_t> depth);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_WORK_H

//===- Work.h - How much arithmetic a function does -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted on the program as given, and only where the count is certain.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_WORK_H
#define TENSORACCESS_EXECUTION_WORK_H

#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <optional>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::tensoraccess {

/// The arithmetic of a function: additions, multiplications and the like, each
/// counted once; comparisons, selections, conversions and movement are free.
struct Work {
  /// Operations in all.
  int64_t operations = 0;
  /// Roundings that can follow one another on the way to one element of the
  /// result: an upper bound, the sum over all ops of operations in the body ×
  /// points of the reduction. A sum of n products has 2n.
  int64_t depth = 0;
};

/// Counts a function; std::nullopt where a shape is dynamic, where control flow
/// or calls are met, where an op is unknown, or where the count overflows.
std::optional<Work> countWork(func::FuncOp function);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_WORK_H

//===- CoalescingMeter.h - What one access moves ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_COALESCINGMETER_H
#define TENSORACCESS_LIB_CORE_COALESCINGMETER_H

#include "TensorAccess/Core/Coalescing.h"

namespace mlir::tensoraccess::detail {

/// Adds up accesses, each with a multiplicity.
class CoalescingMeter {
public:
  explicit CoalescingMeter(const CoalescingOptions &options)
      : elementBits(options.elementBits),
        transactionBytes(options.transactionBytes) {}

  /// `count` accesses to the elements of the given numbers, sorted, distinct
  /// and from 0 on, of which the first begins `shift` bits after the beginning
  /// of a transaction. False on overflow.
  bool add(llvm::ArrayRef<int64_t> numbers, int64_t shift, int64_t count);

  Coalescing sum;

private:
  bool accumulate(int64_t &total, int64_t value, int64_t count) {
    std::optional<int64_t> product = checkedMul(value, count);
    std::optional<int64_t> next =
        product ? checkedAdd(total, *product) : std::nullopt;
    total = next.value_or(0);
    return next.has_value();
  }

  const int64_t elementBits, transactionBytes;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_COALESCINGMETER_H

//===- AccessMovement.h - Movement of canonical forms -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each movement op (seed 002, Table 2): from the canonical
// forms of its operands to that of its result. The formulas are those of
// TensorAccessOps.td, over all dimensions, access before compute. Where the
// split lies does not matter here: `access`, `to_tensor` and `shift_right` are
// the identity, `flatten` and `reshape` are one function.
//
// Arguments fulfil the constraints of the ops, whose verifiers check them; all
// sizes are static. None: the form would exceed the budget.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ACCESSMOVEMENT_H
#define TENSORACCESS_CORE_ACCESSMOVEMENT_H

#include "TensorAccess/Core/CanonicalAccess.h"

namespace mlir::tensoraccess {

/// Dimension i of the result is dimension perm[i].
std::optional<CanonicalAccess>
transposeAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> perm,
                const AccessBudget &budget = {});

/// result[x] = access[offsets + x·strides]; a stride may be negative.
std::optional<CanonicalAccess>
sliceAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> offsets,
            llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
            const AccessBudget &budget = {});

/// result[a ++ w ++ k] = access[a ++ (w·strides + k·dilations)]: windows over
/// the last dimensions, as many as `window` has entries.
std::optional<CanonicalAccess>
windowsAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> window,
              llvm::ArrayRef<int64_t> strides,
              llvm::ArrayRef<int64_t> dilations,
              const AccessBudget &budget = {});

/// Removes a dimension by fixing it to a value in its range; `squeeze` is the
/// value 0 of a dimension of size 1.
std::optional<CanonicalAccess> fixAccess(const CanonicalAccess &access,
                                         unsigned axis, int64_t value,
                                         const AccessBudget &budget = {});

/// Inserts a dimension as number `axis`, in which the array is the same
/// everywhere; `insert_axis` is size 1.
std::optional<CanonicalAccess>
insertAxisAccess(const CanonicalAccess &access, unsigned axis,
                 int64_t size = 1, const AccessBudget &budget = {});

/// Dimensions of size 1 grow to the sizes of `shape`.
std::optional<CanonicalAccess>
broadcastAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> shape,
                const AccessBudget &budget = {});

/// The same elements, row-major, in another shape.
std::optional<CanonicalAccess>
reshapeAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> shape,
              const AccessBudget &budget = {});

/// result[low + x·(interior + 1)] = access[x], constant number `value`
/// elsewhere. All paddings are ≥ 0.
std::optional<CanonicalAccess>
padAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> low,
          llvm::ArrayRef<int64_t> high, llvm::ArrayRef<int64_t> interior,
          unsigned value, const AccessBudget &budget = {});

/// One array after the other along a dimension. At least one.
std::optional<CanonicalAccess>
concatAccess(llvm::ArrayRef<const CanonicalAccess *> parts, unsigned axis,
             const AccessBudget &budget = {});

/// result[a ++ i ++ c] = parts[i][a ++ c]: arrays of one shape side by side
/// along a new dimension. `pair` is two of them at the access rank.
std::optional<CanonicalAccess>
stackAccess(llvm::ArrayRef<const CanonicalAccess *> parts, unsigned axis,
            const AccessBudget &budget = {});

/// result[a ++ b ++ 0 ++ c] = lhs[a ++ c], result[a ++ b ++ 1 ++ c] =
/// rhs[b ++ c], where a and b are the first `lhsAccess` and `rhsAccess`
/// dimensions.
std::optional<CanonicalAccess>
cartProdAccess(const CanonicalAccess &lhs, unsigned lhsAccess,
               const CanonicalAccess &rhs, unsigned rhsAccess,
               const AccessBudget &budget = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ACCESSMOVEMENT_H

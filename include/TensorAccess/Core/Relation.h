//===- Relation.h - Maps between spaces that share loops --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most operations are described by loops: at point l of an iteration space the
// element A(l) of one tensor meets the element B(l) of another. The indexing map
// from one tensor to the other is the relation {(A(l), B(l))}: its dims are
// indices of the first tensor, and loops that these do not determine become
// range symbols (seed 000: reduce, dot, broadcast).
//
// The relation is exact in both directions: what cannot be solved is kept as a
// symbol with an equation, `form(s) - d in [0, 0]`. Nothing is approximated.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_RELATION_H
#define TENSORACCESS_CORE_RELATION_H

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess {

/// The map from the first space to the second.
///
/// `loops` has the iteration space as its dims and symbols; its first `numFrom`
/// results index the first space, the others the second, and its constraints
/// say which points of the iteration space exist. `fromRanges` are the ranges
/// of the first space's dimensions (an entry each; Interval::all() if unknown).
/// Runtime variables are kept. Unknown if `loops` is, or on overflow.
///
///   matmul, output to left operand: loops (m, n, k) -> (m, n, m, k), numFrom 2
///   gives (d0, d1)[s0] -> (d0, s0).
IndexingMap relate(const IndexingMap &loops, unsigned numFrom,
                   llvm::ArrayRef<Interval> fromRanges);

/// The map from indices of shape `from` to those of shape `to` with the same
/// row-major number. Dimensions are matched in the smallest groups of equal
/// element count. Sizes are static; unknown (Overflow, RankMismatch) if the
/// element counts overflow or differ. Without elements: known empty.
IndexingMap reshapeMap(llvm::ArrayRef<int64_t> from,
                       llvm::ArrayRef<int64_t> to);

/// The known-empty map from shape `from` to `numResults` results.
IndexingMap emptyMap(llvm::ArrayRef<int64_t> from, unsigned numResults);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_RELATION_H

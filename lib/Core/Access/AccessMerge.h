//===- AccessMerge.h - Pieces that are one piece ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core: parts of CanonicalAccess.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_ACCESSMERGE_H
#define TENSORACCESS_LIB_CORE_ACCESSMERGE_H

#include "TensorAccess/Core/Access.h"

namespace mlir::tensoraccess::detail {

/// True if the domain is the box of the ranges.
inline bool isBox(const IndexingMap &map) {
  return map.isOrdinary() && map.getConstraints().empty();
}

/// How many points a domain without symbols has; std::nullopt if that is not
/// known within the budget.
std::optional<uint64_t> countDomain(const IndexingMap &map,
                                    const AccessBudget &budget);

/// Brings the pieces that read one source (or one constant, whose maps have no
/// results) into the fewest pieces that the laws of Access.h ask for.
/// `sourceShape` is empty for a constant. The result does not depend on the
/// order of `maps`, nor, for boxes, on how their union was cut.
llvm::SmallVector<IndexingMap> mergePieces(llvm::SmallVector<IndexingMap> maps,
                                           llvm::ArrayRef<int64_t> sourceShape,
                                           const AccessBudget &budget);

/// A strict order of maps with the same dims by domain, then by text.
bool domainLess(const IndexingMap &a, const IndexingMap &b);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_ACCESSMERGE_H

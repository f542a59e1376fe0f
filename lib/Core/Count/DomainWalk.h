//===- DomainWalk.h - Walking domains by the thousand -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. What `enumerate` finds, summarised, at a few nanoseconds a
// point. See DomainWalk.cpp for how.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_DOMAINWALK_H
#define TENSORACCESS_LIB_CORE_DOMAINWALK_H

#include "Support/WorkMeter.h"

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess::detail {

/// What is seen on a walk through all points of a domain. Variables of all
/// kinds are alike.
struct WalkedImage {
  /// Points of the domain, and different results.
  uint64_t points = 0, count = 0;
  /// The smallest interval for each result, if there are points.
  llvm::SmallVector<Interval, 4> hull;
};

/// Steps that walking the box of all ranges takes. std::nullopt if the box is
/// infinite, or too large or its numbers too large to be walked at all.
std::optional<uint64_t> getWalkCost(const IndexingMap &map);
/// Whether the walk is so short that nothing else can be much shorter.
bool isShortWalk(const IndexingMap &map);

/// Walks maps into one space, the results of all in one set. std::nullopt if
/// the meter or the budget (points of all boxes) does not allow it.
std::optional<WalkedImage> walkImages(llvm::ArrayRef<IndexingMap> maps,
                                      uint64_t budget, WorkMeter &meter);
/// Whether the domain has a point; std::nullopt as above.
std::optional<bool> walkToPoint(const IndexingMap &map, uint64_t budget,
                                WorkMeter &meter);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_DOMAINWALK_H

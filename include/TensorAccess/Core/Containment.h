//===- Containment.h - Whether one map reads what another does --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexing map is a relation: pairs of a point (its dims) and a result, for
// whatever values of its range symbols. A map whose pairs are all pairs of
// another one adds nothing to their union.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_CONTAINMENT_H
#define TENSORACCESS_CORE_CONTAINMENT_H

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess {

/// Whether it is proved that every pair (point, result) of `a` is one of `b`.
/// False means *not proved*: they may differ, in their numbers of dims and
/// results too, be unknown, or be too hard. Maps with runtime variables are
/// contained only in themselves. Containment.cpp has the proof.
bool isContainedIn(const IndexingMap &a, const IndexingMap &b);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_CONTAINMENT_H

//===- Loops.h - Loops less what facts make idle ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of a nest as maps from the axes to what is touched. Points where a
// factor is known to be zero are cut out; relating the rest gives the indexing
// of what matters:
//
//   dot_general   axes (t, d, s), writes (t, d), reads P(t, s), V(s, d)
//   P is 0 where t - s <= -1:    loops with t - s >= 0
//   result to V:                 (d0, d1)[s0] -> (s0, d1), d0 - s0 in [0, n]
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_LOOPS_H
#define TENSORACCESS_LIB_ANALYSIS_LOOPS_H

#include "Regions.h"
#include "TensorAccess/Interfaces/Nest.h"

namespace mlir::tensoraccess {

/// From the axes to the index of an access, where it is touched.
IndexingMap getLoops(const Nest &nest, const NestAccess &access);

/// The loops, without the points at which `read` is in one of `regions`.
SmallVector<IndexingMap, 2> cutLoops(const Nest &nest,
                                     ArrayRef<IndexingMap> loops,
                                     const NestRead &read,
                                     ArrayRef<IndexingMap> regions);

/// The region of pairs of indices, first and second one after the other, that
/// two maps without dims give for parameters.
IndexingMap joinPlaces(const IndexingMap &first, const IndexingMap &second);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_ANALYSIS_LOOPS_H

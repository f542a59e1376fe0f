//===- RankNeeds.h - What ranks need through a projection -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the iterations of an op lie on a grid, and a projection says what they
// touch of a tensor, each rank needs what its block touches, after the
// out-of-bounds policies:
//
//   10 points on 2 ranks, window [[1]] + [-1], shape = [3], over 10 elements
//     wrap   rank 0: [0, 6), [9, 10)   rank 1: [0, 1), [4, 10)
//     pad    rank 0: [0, 6)            rank 1: [4, 10)
//
// What exchanges (Exchange.h) take for `needed`.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_RANKNEEDS_H
#define TENSORACCESS_CORE_RANKNEEDS_H

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/Projection.h"

namespace mlir::tensoraccess {

/// The elements of a tensor of the given sizes that ranks need, by rank:
/// disjoint boxes that contain them, and are them unless a block touches places
/// with gaps that are too many to list. None and `error` where ranks of spaces
/// differ, a place is forbidden (`rank 1: place 10 of dimension 0 is forbidden
/// …`), or on overflow. Requires that `blocks` verifies, and no negative
/// extents.
std::optional<RankBoxes>
getRankNeeds(const Grid &grid, const Distribution &blocks,
             llvm::ArrayRef<int64_t> extents, const Projection &projection,
             llvm::ArrayRef<int64_t> sizes, std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_RANKNEEDS_H

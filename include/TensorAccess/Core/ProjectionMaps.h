//===- ProjectionMaps.h - Projections and indexing maps ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A projection over a block is an indexing map: dims over the block, a range
// symbol per dimension of the region that is longer than 1.
//
//   [[2], [0]] + [-1, 0], shape = [3, 5] over [0, 4)
//   (d0)[s0, s1] -> (d0 * 2 + s0 - 1, s1),
//     domain: d0 in [0, 3], s0 in [0, 2], s1 in [0, 4]
//
// Policies, given the tensor's sizes: wrap is `mod`, clamp is `max` and `min`,
// negative is `mod` as far as it is allowed. Padding is no element, and a map
// has nothing to say of it: refused, unless no place is outside. Both ways are
// without loss, or refused with the reason.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PROJECTIONMAPS_H
#define TENSORACCESS_CORE_PROJECTIONMAPS_H

#include "TensorAccess/Core/Footprint.h"
#include "TensorAccess/Core/Projection.h"

#include <string>

namespace mlir::tensoraccess {

/// The map of `projection` over `block`. `sizes` are needed where a policy is
/// not forbid; without them places outside are no matter of the map's.
std::optional<IndexingMap>
toIndexingMap(const Projection &projection, const Box &block,
              std::optional<llvm::ArrayRef<int64_t>> sizes, std::string &error);

/// A projection and the block it is asked about.
struct ProjectedBlock {
  Projection projection;
  Box block;
};

/// The projection of a map whose results are sums of multiples of dims and of
/// symbols that occur once: symbols are the region, all in one stretch. With
/// `symbolsAsAxes` symbols are axes after the dims instead (windows with gaps,
/// reductions), and regions are single elements.
std::optional<ProjectedBlock>
fromIndexingMap(const IndexingMap &map, bool symbolsAsAxes, std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PROJECTIONMAPS_H

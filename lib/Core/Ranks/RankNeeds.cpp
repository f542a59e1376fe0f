//===- RankNeeds.cpp - What ranks need through a projection ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include <map>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;

std::optional<RankBoxes> mlir::tensoraccess::getRankNeeds(
    const Grid &grid, const Distribution &blocks, ArrayRef<int64_t> extents,
    const Projection &projection, ArrayRef<int64_t> sizes, std::string &error) {
  if (extents.size() != projection.getNumColumns()) {
    error = "the projection has " + std::to_string(projection.getNumColumns()) +
            " columns, but the blocks have " + std::to_string(extents.size()) +
            " dimensions";
    return std::nullopt;
  }
  RankBoxes out;
  // Ranks that have the same block are asked once.
  std::map<llvm::SmallVector<int64_t>, size_t> known;
  for (int64_t rank = 0, n = grid.getNumRanks(); rank < n; ++rank) {
    const Box block = blocks.getBox(grid, extents, rank);
    llvm::SmallVector<int64_t> key(block.lo.begin(), block.lo.end());
    key.append(block.hi.begin(), block.hi.end());
    auto [it, isNew] = known.try_emplace(std::move(key), out.size());
    if (!isNew) {
      out.push_back(out[it->second]);
      continue;
    }
    std::string problem;
    std::optional<OutOfBoundsRegion> region =
        getOutOfBoundsRegion(projection, block, sizes, problem);
    if (!region) {
      error = "rank " + std::to_string(rank) + ": " + problem;
      return std::nullopt;
    }
    out.emplace_back(region->boxes.begin(), region->boxes.end());
  }
  return out;
}

//===- LayoutStages.h - Applying tiles to sizes -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTSTAGES_H
#define TENSORACCESS_CORE_LAYOUTSTAGES_H

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutSizes.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Applying tiles
//===----------------------------------------------------------------------===//

/// Applies a tile to a physical shape, major to minor, however its dimensions
/// are represented: numbers, symbolic sizes, lists of digits.
///
///   join(dim, next)         dim takes in its minor neighbour, which `*` merges
///   cut(dim, size, inner)   inner becomes dim mod size, dim itself the rest,
///                           dim floordiv size
///
/// Dimensions that are missing in front are `one`. Returns false as soon as
/// either callback does.
template <typename Dim, typename Join, typename Cut>
bool applyTile(llvm::SmallVectorImpl<Dim> &dims, const Tile &tile,
               const Dim &one, Join join, Cut cut) {
  if (tile.size() > dims.size())
    dims.insert(dims.begin(), tile.size() - dims.size(), one);
  // The rest takes the place of a dimension that was read before.
  size_t next = dims.size() - tile.size(), read = next;
  llvm::SmallVector<Dim, 4> inner;
  bool isMerged = false;
  for (const TileEntry &entry : tile) {
    Dim &dim = dims[next];
    if (isMerged && !join(dim, dims[read]))
      return false;
    if (!isMerged && read != next)
      dim = std::move(dims[read]);
    ++read;
    isMerged = entry.isCombine();
    if (isMerged)
      continue;
    inner.push_back(one);
    if (!cut(dim, entry.getSize(), inner.back()))
      return false;
    ++next;
  }
  dims.truncate(next);
  dims.append(std::make_move_iterator(inner.begin()),
              std::make_move_iterator(inner.end()));
  return true;
}

/// One tile applied to a physical shape whose sizes may be dynamic.
struct LayoutStage {
  /// Before the tile, with `added` dimensions of size 1 in front.
  llvm::SmallVector<SizeExpr> sizes;
  size_t added = 0;
  /// The dimensions that `*` merges, and each of the others alone.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> groups;
  /// Sizes after the merges; the last ones are divided by `tile`.
  llvm::SmallVector<SizeExpr> merged;
  llvm::SmallVector<int64_t> tile;

  size_t getPrefix() const { return merged.size() - tile.size(); }
};

/// The stages of a layout, first tile first; `physical` gets the sizes after
/// the last one. std::nullopt without a shape and on overflow.
std::optional<llvm::SmallVector<LayoutStage, 2>>
getStages(const Layout &layout, llvm::SmallVectorImpl<SizeExpr> &physical);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUTSTAGES_H

//===- LayoutStages.h - Applying tiles to sizes -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTSTAGES_H
#define TENSORACCESS_CORE_LAYOUTSTAGES_H

#include "TensorAccess/Core/LayoutSizes.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Applying tiles
//===----------------------------------------------------------------------===//

/// One tile applied to a physical shape whose sizes may be dynamic.
struct LayoutStage {
  /// Before the tile, with `added` dimensions of size 1 in front.
  llvm::SmallVector<SizeExpr> sizes;
  size_t added = 0;
  /// The dimensions that `*` merges, and the others alone.
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

//===- Elimination.h - Images of maps as sets -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. The image of a map, written without the map's variables:
// elimination from integer constraints, not that of lib/Cost, which minimises
// over choices. See Elimination.cpp for how.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_ELIMINATION_H
#define TENSORACCESS_LIB_CORE_ELIMINATION_H

#include "Support/WorkMeter.h"

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess::detail {

/// The image of a map.
struct ImageSets {
  /// Maps without results, one dim per result of the original; the image is the
  /// union of their domains. One set, unless the map has a max whose sign is
  /// not known.
  llvm::SmallVector<IndexingMap, 1> sets;
  /// Every dim and symbol turned out to be a function of the results, so that
  /// the map is injective whatever the runtime variables are. False: unknown.
  bool isDetermined = false;
  /// If so: the map from results to variables, in their order. Its domain is
  /// the image.
  std::optional<IndexingMap> solution;
};

/// std::nullopt if some variable cannot be eliminated exactly, or not with the
/// work that is left (without a meter: with as much as one question may take).
/// Runtime variables are eliminated like all others, so that the sets hold
/// whatever their values can reach.
std::optional<ImageSets> eliminateVariables(const IndexingMap &map,
                                            WorkMeter *meter = nullptr);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_ELIMINATION_H

//===- ImageParts.h - Images as products of small ones ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. Results that share no variable, nor variables that a
// constraint ties together, are independent: the image is the product of the
// images of the parts, points and results multiply.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_IMAGEPARTS_H
#define TENSORACCESS_LIB_CORE_IMAGEPARTS_H

#include "Support/WorkMeter.h"

#include "TensorAccess/Core/Counting.h"

namespace mlir::tensoraccess::detail {

/// Some results of a map with everything that they depend on.
struct MapPart {
  /// Of the original map, ascending. None: a part that only tells which points
  /// exist.
  llvm::SmallVector<unsigned, 4> results;
  /// Dims and symbols are dims here; runtime variables stay what they are.
  IndexingMap map;
  /// The variables of `map` in the original one, ascending.
  llvm::SmallVector<unsigned, 4> variables;

  bool hasRuntime() const { return map.getNumRuntime() != 0; }
};

/// Parts of an ordinary map.
llvm::SmallVector<MapPart, 4> splitMap(const IndexingMap &map);

/// The image of a part.
struct PartImage {
  bool isEmpty = false;
  /// Maps without results whose dims are the results; the image is the union of
  /// their domains. std::nullopt if it could not be written so.
  std::optional<llvm::SmallVector<IndexingMap, 1>> sets;
  /// As of a Footprint.
  Exactness kind = Exactness::Unknown;
  Box hull;
  std::optional<uint64_t> count;
  /// How many points the part has, if it was walked.
  std::optional<uint64_t> points;
  /// Each result comes from one point only, whatever the runtime variables are.
  /// False: unknown.
  bool isDetermined = false;
  /// If so, perhaps: the map from results back to all variables.
  std::optional<IndexingMap> solution;
};

/// `wantStructure` asks for sets, and whether results determine points, where a
/// walk would be shorter.
PartImage getPartImage(const MapPart &part, uint64_t budget, WorkMeter &meter,
                       bool wantStructure);

/// Points of a domain without runtime variables.
std::optional<uint64_t> countDomain(const IndexingMap &map, uint64_t budget,
                                    WorkMeter &meter);
/// Whether the domain of a map has a point, for some value of the runtime
/// variables.
std::optional<bool> hasPoint(const IndexingMap &map, uint64_t budget,
                             WorkMeter &meter);
/// Points in the union of the domains of maps that have dims only, as many
/// each.
std::optional<uint64_t> countUnionOfSets(llvm::ArrayRef<IndexingMap> sets,
                                         uint64_t budget, WorkMeter &meter);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_IMAGEPARTS_H

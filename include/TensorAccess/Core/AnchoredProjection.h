//===- AnchoredProjection.h - Named points of regions -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A projection whose regions have points with names, as authors of windows
// think of them (seed 003, "offset is composite"):
//
//   [[2]] + [-1], shape = [3], anchors = {center = [1], first = [0] fixed}
//
// Each is given relative to where the region begins. When a dimension of the
// tensor is turned round, anchors move with the contents; those that are fixed
// stay at their distance from the region's begin. Without anchors the text is
// that of the projection.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ANCHOREDPROJECTION_H
#define TENSORACCESS_CORE_ANCHOREDPROJECTION_H

#include "TensorAccess/Core/Projection.h"

#include <string>

namespace mlir::tensoraccess {

/// A point of a region by name, relative to where the region begins.
struct NamedAnchor {
  std::string name;
  llvm::SmallVector<int64_t, 4> place;
  /// Whether it moves with the contents when a dimension is reversed; else it
  /// stays at its distance from the region's begin.
  bool isMirrored = true;

  bool operator==(const NamedAnchor &o) const {
    return name == o.name && place == o.place && isMirrored == o.isMirrored;
  }
};

/// A projection with points that have names: `center`, `start`. One place has
/// one name at most, since a name is to tell something.
struct AnchoredProjection {
  Projection projection;
  llvm::SmallVector<NamedAnchor, 0> anchors;

  AnchoredProjection() = default;
  /*implicit*/ AnchoredProjection(Projection projection,
                                  llvm::ArrayRef<NamedAnchor> anchors = {})
      : projection(std::move(projection)),
        anchors(anchors.begin(), anchors.end()) {}

  /// Reads a text, of a projection with or without anchors, and verifies it;
  /// none and `error` if it is wrong.
  static std::optional<AnchoredProjection> parse(llvm::StringRef text,
                                                 ParseError &error);
  /// The canonical text; the projection's own where there are no anchors.
  std::string str() const;

  /// None if names are identifiers, differ and places lie in the region.
  std::optional<std::string> verify() const;
  const NamedAnchor *find(llvm::StringRef name) const;
  /// Where the anchor of a point's region lies; none without such an anchor and
  /// on overflow.
  std::optional<llvm::SmallVector<int64_t>>
  getPlace(llvm::StringRef name, llvm::ArrayRef<int64_t> index) const;
  /// The projection drawn around a named anchor.
  std::optional<Projection> drawnAround(llvm::StringRef name,
                                        std::string &error) const;
  /// `reverseDimension`, with the anchors.
  std::optional<AnchoredProjection> reversedDimension(size_t row, int64_t size,
                                                      std::string &error) const;

  bool operator==(const AnchoredProjection &o) const {
    return projection == o.projection && anchors == o.anchors;
  }
};

llvm::hash_code hash_value(const AnchoredProjection &anchored);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ANCHOREDPROJECTION_H

//===- Projection.h - Index projections -------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PROJECTION_H
#define TENSORACCESS_CORE_PROJECTION_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Index projections
//
// An index projection sends each point i of an operation's index
// space to a box of a tensor that the operation touches there:
//
//   [[-1, 0], [0, 1]] + [7, 0], anchor = [-1, -1], shape = [3, 3],
//     oob = [wrap, pad(0.0)]
//
//   region(i) = start + [0, shape),   start = M·i + offset + anchor
//
// One row of M per dimension of the tensor, one column per dimension of the
// index space. The *anchor* is where the region begins relative to the point
// M·i + offset that it is drawn around: -1 for a window of 3 around its centre.
// Without an anchor, the region begins at the point itself. A zero matrix is a
// fixed view; the shape is constant and positive. A projection without rows has
// no columns either: its text could not show how many.
//
// The region may leave the tensor. A policy for each dimension defines what is
// there: `forbid` (the default), `wrap` (the tensor is a torus), `negative` (-1
// is the last element, as in numpy; beyond -size it is forbidden), `clamp` (the
// nearest element), `pad(value)`.
//===----------------------------------------------------------------------===//

/// The element that surrounds a padded tensor: an integer or a float, as it was
/// written. Floats are compared by their bits, so that -0.0 is not 0.0 and a
/// NaN equals itself.
class PadValue {
public:
  /*implicit*/ PadValue(int64_t value) : value(value) {}
  /*implicit*/ PadValue(double value) : value(value) {}

  bool isFloat() const { return std::holds_alternative<double>(value); }
  double getFloat() const { return std::get<double>(value); }
  int64_t getInteger() const { return std::get<int64_t>(value); }
  /// `3`, `0.5`, `-inf`: reads back as the same value.
  std::string str() const;

  bool operator==(const PadValue &o) const;
  friend llvm::hash_code hash_value(const PadValue &pad);

private:
  std::variant<int64_t, double> value;
};

/// What is outside a tensor, in one dimension.
struct OutOfBounds {
  enum class Kind : uint8_t { Forbid, Wrap, Negative, Clamp, Pad };
  Kind kind = Kind::Forbid;
  /// Present for Kind::Pad.
  std::optional<PadValue> value;

  std::string str() const;
  bool operator==(const OutOfBounds &o) const {
    return kind == o.kind && value == o.value;
  }
  friend llvm::hash_code hash_value(const OutOfBounds &policy) {
    return llvm::hash_combine(static_cast<int>(policy.kind),
                              policy.value ? hash_value(*policy.value)
                                           : llvm::hash_code(0));
  }
};

/// A policy for each of several dimensions: `[wrap, pad(0.0)]`.
struct OutOfBoundsList {
  llvm::SmallVector<OutOfBounds, 4> entries;

  /// Parses a text; std::nullopt and `error` if it is wrong.
  static std::optional<OutOfBoundsList> parse(llvm::StringRef text,
                                              ParseError &error);
  /// std::nullopt if the entries that have a value are those that pad, else
  /// what is wrong.
  std::optional<std::string> verify() const;
  std::string str() const;
  bool operator==(const OutOfBoundsList &o) const {
    return entries == o.entries;
  }
};

llvm::hash_code hash_value(const OutOfBoundsList &policies);

/// A half-open box of integers: lo ≤ x < hi in each dimension.
struct IndexRegion {
  llvm::SmallVector<int64_t> lo, hi;

  /// True if some dimension contains no integer.
  bool isEmpty() const;
  bool operator==(const IndexRegion &o) const {
    return lo == o.lo && hi == o.hi;
  }
};

/// What out-of-bounds policies map a place in or around a tensor to.
struct Resolved {
  enum class Kind : uint8_t { Element, Pad, Forbidden };
  Kind kind;
  /// Element: its index.
  llvm::SmallVector<int64_t> index;
  /// Pad and Forbidden: the first dimension that caused it. A place that is
  /// forbidden in one dimension and padded in another is forbidden.
  size_t dimension = 0;
};

/// The same for one dimension: a place that resolves to an element moves to it,
/// under pad and forbid it stays.
Resolved::Kind resolvePlace(OutOfBounds::Kind policy, int64_t size,
                            int64_t &place);

/// A value type; members may be set freely, `verify` checks that they fit
/// together, and every other function except `str` requires it.
struct Projection {
  /// One row per tensor dimension; all rows have numColumns entries.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 4> matrix;
  llvm::SmallVector<int64_t, 4> offset;
  llvm::SmallVector<int64_t, 4> shape;
  /// Empty, or one entry per row.
  std::optional<llvm::SmallVector<int64_t, 4>> anchor;
  /// One entry per row; empty means that all forbid. `parse` leaves it empty
  /// then, so that equal projections are equal values.
  llvm::SmallVector<OutOfBounds, 4> outOfBounds;

  /// Parses and verifies a text; std::nullopt and `error` if it is wrong.
  static std::optional<Projection> parse(llvm::StringRef text,
                                         ParseError &error);
  /// std::nullopt if the members fit together, else what is wrong.
  std::optional<std::string> verify() const;
  /// The canonical text.
  std::string str() const;

  size_t getNumRows() const { return matrix.size(); }
  size_t getNumColumns() const {
    return matrix.empty() ? 0 : matrix.front().size();
  }
  OutOfBounds getOutOfBounds(size_t row) const {
    return outOfBounds.empty() ? OutOfBounds() : outOfBounds[row];
  }

  /// The region of one point of the index space. std::nullopt if the point does
  /// not have one coordinate per matrix column, or on overflow.
  std::optional<IndexRegion> evaluate(llvm::ArrayRef<int64_t> index) const;
  /// The smallest box that contains the regions of all points of `block`,
  /// exact for any signs: lo = Σ min(m·first, m·last) + offset + anchor, hi
  /// likewise with max. An empty block has the empty hull [0, 0). std::nullopt
  /// as above.
  std::optional<IndexRegion> getHull(const IndexRegion &block) const;
  /// The element of a tensor of the given sizes that is at `place` under
  /// the policies. Requires as many places and sizes as rows.
  Resolved resolve(llvm::ArrayRef<int64_t> place,
                   llvm::ArrayRef<int64_t> sizes) const;

  bool operator==(const Projection &o) const;
  bool operator!=(const Projection &o) const { return !(*this == o); }
};

llvm::hash_code hash_value(const Projection &projection);

//===----------------------------------------------------------------------===//
// Named points of regions
//
// A projection whose regions have points with names, as authors of windows
// think of them (index projections, "offset is composite"):
//
//   [[2]] + [-1], shape = [3], anchors = {center = [1], first = [0] fixed}
//
// Each is given relative to where the region begins. When a dimension of the
// tensor is reversed, anchors move with the contents; those that are fixed
// keep their distance from where the region begins. Without anchors the text is
// that of the projection.
//===----------------------------------------------------------------------===//

/// A point of a region by name, relative to where the region begins.
struct NamedAnchor {
  std::string name;
  llvm::SmallVector<int64_t, 4> place;
  /// Whether it moves with the contents when a dimension is reversed; else it
  /// keeps its distance from where the region begins.
  bool isMirrored = true;

  bool operator==(const NamedAnchor &o) const {
    return name == o.name && place == o.place && isMirrored == o.isMirrored;
  }
};

/// A projection with points that have names: `center`, `start`. A place has at
/// most one name, so that the name is meaningful.
struct AnchoredProjection {
  Projection projection;
  llvm::SmallVector<NamedAnchor, 0> anchors;

  AnchoredProjection() = default;
  /*implicit*/ AnchoredProjection(Projection projection,
                                  llvm::ArrayRef<NamedAnchor> anchors = {})
      : projection(std::move(projection)),
        anchors(anchors.begin(), anchors.end()) {}

  /// Parses and verifies a text, of a projection with or without anchors;
  /// std::nullopt and `error` if it is wrong.
  static std::optional<AnchoredProjection> parse(llvm::StringRef text,
                                                 ParseError &error);
  /// The canonical text; the projection's own where there are no anchors.
  std::string str() const;

  /// std::nullopt if names are distinct identifiers and places are in the
  /// region.
  std::optional<std::string> verify() const;
  const NamedAnchor *find(llvm::StringRef name) const;
  /// The place of the named anchor of a point's region; std::nullopt without
  /// such an anchor and on overflow.
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

#endif // TENSORACCESS_CORE_PROJECTION_H

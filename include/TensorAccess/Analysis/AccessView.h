//===- AccessView.h - What an access pattern reads ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows movement ops from an access pattern back to the values that exist in
// memory, its *sources*, and composes what they do into one map from the
// pattern's dimensions to each source's. A Cartesian product has one source a
// tuple element. The map is held twice: as digits (Core/DigitView.h), which
// lower without division, where that is possible; and as an affine map with
// floordiv and mod, always.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_ACCESSVIEW_H
#define TENSORACCESS_ANALYSIS_ACCESSVIEW_H

#include "TensorAccess/Core/DigitView.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/AffineMap.h"
#include <optional>

namespace mlir::tensoraccess {

/// Padding round a source: one entry per dimension, and the constant.
struct SourcePadding {
  SmallVector<int64_t> low, high;
  TypedAttr value;
};

/// A view of one source.
struct AccessView {
  /// A tensor, or an access pattern that has to be realised as one: the result
  /// of a compute or materialize op, or of an op that no view expresses.
  Value source;
  /// Applied to the source in this order; the result is the view's base.
  SmallVector<SourcePadding, 1> paddings;
  /// The base's shape.
  SmallVector<int64_t> baseShape;
  /// From dimensions of the view to dimensions of the base, by digits; none
  /// where a reshape cuts a digit that it does not divide.
  std::optional<DigitView> digits;
  /// The same as an affine map without symbols.
  AffineMap map;
  /// The view's shape.
  SmallVector<int64_t> shape;

  static AccessView identity(Value source, ArrayRef<int64_t> shape);
};

/// Views of a pattern. One view of all dimensions, or, for a tuple, one a tuple
/// element, of all dimensions but the tuple axis (the first compute dimension).
struct AccessParts {
  SmallVector<AccessView, 2> views;
  bool isTuple = false;
  /// The number of access dimensions.
  int64_t accessRank = 0;
};

/// The views behind a pattern of static shape. Never fails: what no view
/// expresses is a source of its own. Visits each movement op once.
AccessParts getAccessParts(TypedValue<AccessType> pattern);

/// The view of the flattened pattern, where that needs no copy: after
/// collapsing the base each side of the split is at most one digit. None where
/// elements would have to move or the pattern is a tuple.
std::optional<AccessView> getFlattenedView(TypedValue<AccessType> pattern);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_ACCESSVIEW_H

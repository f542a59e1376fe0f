//===- ProjectionOf.h - Between projections and chains of views -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices, windows, transposes and paddings of a tensor are a projection of it
// over a block, and the reverse:
//
//   %1 = slice %0 offsets = [-1] sizes = [7] oob = [wrap]   // <| 5> -> <| 7>
//   %2 = windows %1 shape = [3] strides = [1]               // <5 | 3>
//
//   %2 = project %0 by [[1]] + [-1], shape = [3], oob = [wrap] over [5]
//
// Both ways are without loss or refused with the reason. A chain is refused
// whose index is no sum (a flatten of two dimensions), whose places a policy
// has resolved before they move on (a window of a part that wraps), or that
// puts several patterns together. A projection is refused whose rows share an
// axis: windows of one dimension know nothing of those of another.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_PROJECTIONOF_H
#define TENSORACCESS_IR_PROJECTIONOF_H

#include "TensorAccess/IR/TensorAccess.h"

#include <string>

namespace mlir::tensoraccess {

/// What a value is of a base: its projection over a block.
struct ProjectedValue {
  /// A tensor, or a pattern that is made and not moved. Rows are all of its
  /// dimensions.
  Value base;
  AnchoredProjection projection;
  IndexRegion block;
  /// How many of the block's last axes are dimensions of the value's items.
  unsigned taps = 0;
};

/// The value, an access pattern of static shape, as a projection. Its items are
/// regions: each of their dimensions that is longer than 1 moves another row,
/// by 1, in the rows' order; with `itemsAsAxes` their dimensions are axes of
/// the block instead, after the others, and regions are single elements. None
/// and `reason` where the value is no projection. A `project` op of a tensor as
/// it is gives its own projection and block; else blocks begin at 0, and there
/// is no anchor.
std::optional<ProjectedValue> getProjection(Value value, bool itemsAsAxes,
                                            std::string &reason);

/// The value of type `type` that is the projection: `access`, `project`, and,
/// for taps and dimensions of size 1, `shift_right` and `reshape`.
Value createProjection(OpBuilder &builder, Location loc,
                       const ProjectedValue &projected, AccessType type);

/// The same value as `slice`, `windows`, `insert_axis`, `broadcast` and
/// `transpose`. None, creating nothing, and `reason` where an axis moves two
/// dimensions.
std::optional<Value> expandProjection(OpBuilder &builder, ProjectOp op,
                                      std::string &reason);

/// What rewriting the projections or chains below an op did.
struct ProjectionSummary {
  int64_t rewritten = 0;
  /// The ops that stay, each with the reason.
  SmallVector<std::pair<Operation *, std::string>> left;
};

/// Replaces what ends a chain of views by a projection, where the chain is one
/// and has more than one op. Ends are views that something else than a view
/// uses.
ProjectionSummary formProjections(Operation *root, bool itemsAsAxes);
/// Replaces projections by chains of views.
ProjectionSummary expandProjections(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_PROJECTIONOF_H

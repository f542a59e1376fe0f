//===- ProjectionAccess.h - Access patterns of projections ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The access pattern of a projection over a block: access dimensions are the
// block's axes, compute dimensions the region's,
//
//   result[i | s] = x[resolve(M·i + offset + anchor + s)],   i from the block's
//                                                            begin on
//
// A policy speaks of one dimension's place alone, whatever point and region it
// came from. So every such pattern is two steps (`getProjectionSteps`):
//
//   1. the places of the hull, resolved by the policies: a slice that leaves
//      the tensor, [-1, 6) of 5 elements that wrap, say;
//   2. a projection that stays inside of that slice: an affine index.
//
// Seed 003; the kernel (Kernels.h, `project`) resolves each place by itself and
// is what everything else is compared with.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PROJECTIONACCESS_H
#define TENSORACCESS_CORE_PROJECTIONACCESS_H

#include "TensorAccess/Core/CanonicalAccess.h"
#include "TensorAccess/Core/Projection.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mlir::tensoraccess {

/// What is wrong with the pattern of a projection over a block of a tensor of
/// the given sizes; empty where nothing is. In this order:
///
///   `block axis 0 must begin at its end or before, got [3, 2)`
///   `block must have one axis per matrix column, 2, got 3`
///   `projection must have one row per compute dimension, 2, got 1`
///   `places of dimension 0 must fit in 64 bits`, also what lies between them
///   `place -1 of dimension 0 is forbidden outside of [0, 5), got it at point
///   [0, 3]`: the first row that is wrong, with the point that reaches furthest
///   below, or else above
///
/// Rows are independent: each place of a row's hull that is outside belongs to
/// some point of the block.
std::string checkProjection(const Projection &projection,
                            const IndexRegion &block,
                            llvm::ArrayRef<int64_t> sizes);

/// The sizes of the pattern: the block's extents, then the region's shape.
/// Requires a block whose ends are in order and that fits in 64 bits.
llvm::SmallVector<int64_t> getProjectedShape(const Projection &projection,
                                             const IndexRegion &block);

/// A projection as a slice and a projection inside of it.
struct ProjectionSteps {
  /// The places that the slice takes, one entry per row. A stride above 1
  /// leaves out what no region touches: a common step of regions of one
  /// element.
  llvm::SmallVector<int64_t, 4> offsets, sizes, strides;
  /// None where no place lies outside: then the slice is all of the tensor.
  llvm::SmallVector<OutOfBounds, 4> policies;
  /// Forbids everywhere, has no anchor, and is over [0, extents) of the block.
  Projection inside;
};

/// Requires that checkProjection has nothing against it.
ProjectionSteps getProjectionSteps(const Projection &projection,
                                   const IndexRegion &block,
                                   llvm::ArrayRef<int64_t> sizes);

/// result[a ++ i ++ s] = access[a ++ (M·i + offset + s)], i in [0, extents),
/// for a projection as `inside` above: the last dimensions are its rows.
std::optional<CanonicalAccess> projectAccess(const CanonicalAccess &access,
                                             const Projection &inside,
                                             llvm::ArrayRef<int64_t> extents,
                                             const AccessBudget &budget = {});

/// The number of the constant that a policy `pad` stands for.
using PadNumber = llvm::function_ref<unsigned(const OutOfBounds &)>;

/// result[x] = access[offsets + x·strides], places outside resolved by the
/// policies (one per dimension, or none at all): the dimensions from last to
/// first, so that the first one that pads has the last word; where the places
/// of one leave the array they are cut into at most `maxRuns` runs (Slice.h),
/// which are put one after the other. None beyond that and beyond the budget. A
/// dimension that is taken whole may have any size.
std::optional<CanonicalAccess>
sliceAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> offsets,
            llvm::ArrayRef<int64_t> counts, llvm::ArrayRef<int64_t> strides,
            llvm::ArrayRef<OutOfBounds> policies, PadNumber getNumber,
            size_t maxRuns, const AccessBudget &budget = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PROJECTIONACCESS_H

//===- Collectives.h - What groups of ranks do together -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function builds one rank's part of a collective as ops on tensors: one
// `exchange` (IR/Exchange.h), or two, and for sums one `linalg.generic`. A
// tensor that is cut along an axis is said by its *cut*: part k of p is
// [cut[k], cut[k + 1]) of the axis; parts may be uneven, and empty.
//
// With n elements in the whole tensor and p ranks, a rank sends
//   all-gather       (p - 1) · its part
//   reduce-scatter   n - its part
//   all-reduce       the sum of both: n·2·(p - 1)/p where parts are equal
//   all-to-all       its part but what stays
//   broadcast        (p - 1) · n for the root, nothing for the others
//   halo             the borders that others need
// which for each but the broadcast is the least that any rank can do with.
//
// Every rank of a group must build the same collectives in the same order with
// the same arguments, its own number and tensors apart. Misuse is an error at
// the location: a cut that does not begin with 0 and rise, a tensor that is not
// the part that the cut says, a tag beyond kMaxTag.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_COLLECTIVES_H
#define TENSORACCESS_TRANSFORMS_COLLECTIVES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::tensoraccess {

/// Ranks that do something together, and which of them this is.
struct RankGroup {
  SmallVector<int64_t> ranks;
  size_t self = 0;

  size_t size() const { return ranks.size(); }
};

/// A cut of an extent in parts as equal as can be: part k begins at
/// floor(k · extent / parts).
SmallVector<int64_t> getEvenCut(int64_t extent, size_t parts);

/// Every rank's part, put together along an axis.
FailureOr<Value> buildAllGather(OpBuilder &b, Location loc, Value part,
                                const RankGroup &group, int64_t axis,
                                ArrayRef<int64_t> cut, int64_t tag);

/// This rank's part along an axis of the reduction of every rank's summand; in
/// the order of the group, so that it is the same on every run.
FailureOr<Value> buildReduceScatter(OpBuilder &b, Location loc, Value summand,
                                    const RankGroup &group,
                                    arith::AtomicRMWKind kind, int64_t axis,
                                    ArrayRef<int64_t> cut, int64_t tag);

/// The reduction of every rank's summand, whole on each: the same bits. Uses
/// `tag` and `tag + 1`.
FailureOr<Value> buildAllReduce(OpBuilder &b, Location loc, Value summand,
                                const RankGroup &group,
                                arith::AtomicRMWKind kind, int64_t tag);

/// From parts along one axis to parts along another.
FailureOr<Value> buildAllToAll(OpBuilder &b, Location loc, Value part,
                               const RankGroup &group, int64_t fromAxis,
                               ArrayRef<int64_t> fromCut, int64_t toAxis,
                               ArrayRef<int64_t> toCut, int64_t tag);

/// The root's tensor, on each; at others `value` says only its type.
FailureOr<Value> buildBroadcast(OpBuilder &b, Location loc, Value value,
                                const RankGroup &group, size_t root,
                                int64_t tag);

/// The part with what lies up to `low` before it and `high` after it along the
/// axis, as far as the whole tensor goes; it may reach over several neighbours.
FailureOr<Value> buildHaloExchange(OpBuilder &b, Location loc, Value part,
                                   const RankGroup &group, int64_t axis,
                                   ArrayRef<int64_t> cut, int64_t low,
                                   int64_t high, int64_t tag);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_COLLECTIVES_H

//===- Collectives.h - What groups of ranks do together ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The collectives of MPI, each written with exchanges for one rank of a group,
// along any axis, for parts that may be uneven or empty.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_TRANSFORMS_COLLECTIVES_H
#define TENSORACCESS_TEST_TRANSFORMS_COLLECTIVES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

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

#endif // TENSORACCESS_TEST_TRANSFORMS_COLLECTIVES_H

//===- LoopStreamer.h - Loops along a sequence, step by step ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What StreamLoops.cpp and StreamFirsts.cpp share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_LOOPSTREAMER_H
#define TENSORACCESS_LIB_CUT_LOOPSTREAMER_H

#include "Places.h"
#include "Streamer.h"
#include "TripNumbers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tensoraccess {

/// A sequence that the loop makes.
struct Track {
  /// Its place among what the loop carries.
  unsigned number = 0;
  std::optional<unsigned> dim;
  /// How many columns before its own a trip reads.
  int64_t back = 0;
  /// What stands for the column before the first, where the first column is made by
  /// the op of a trip: a running sum begins with 0.
  Attribute begin;
  /// The operand that has what it begins with.
  OpOperand *root = nullptr;
  SetVector<Value> values;
};

/// Columns [t + lo, t + hi] of a sequence from outside are read.
struct ColumnRead {
  std::optional<unsigned> dim;
  int64_t lo = 0, hi = 0;
};
class LoopStreamer {
public:
  LoopStreamer(Streamer &streamer, OpResult result, unsigned dim)
      : s(streamer), loop(result.getOwner()), number(result.getResultNumber()),
        dim(dim) {
    numbers.last = s.length - 1;
  }

  FailureOr<Value> run();

private:
  bool findWhileTrips(scf::WhileOp op);
  void inlineBranches();
  bool findForTrips();
  bool findTracks();
  bool follow(Value value, Track &track);
  bool isOneChain(const Track &track);
  void findBeginning(Track &track);
  LogicalResult readPlaces();
  LogicalResult readPlace(Operation *op, PlaceOp place);
  bool isForFirstOnly(Operation *op);
  void findBegins();
  bool isOfLast(Value value);
  bool match(Value first, Value trip, IRMapping &loops, Attribute &begin);
  bool matchIndices(ArrayRef<OpFoldResult> first, ArrayRef<OpFoldResult> trip,
                    unsigned along, IRMapping &loops);
  LogicalResult checkOthers();
  FailureOr<Value> emit();
  scf::ForOp emitTrips(Operation *all);

  LogicalResult fail(const Twine &message) { return s.fail(loop, message); }
  bool isInTrip(Operation *op) const {
    return along != op && along->isAncestor(op);
  }
  bool isTracked(unsigned i) const {
    return llvm::any_of(tracks,
                        [&](const Track &track) { return track.number == i; });
  }
  bool isCounter(unsigned i) const {
    auto trips = dyn_cast<scf::WhileOp>(loop);
    return trips && numbers.counters.contains(trips.getAfterArguments()[i]);
  }
  OpOperand &getInit(unsigned i) {
    return loop->getOpOperand(isa<scf::ForOp>(loop) ? 3 + i : i);
  }
  Value getYielded(unsigned i) {
    return loop->getRegions().back().front().getTerminator()->getOperand(i);
  }

  Streamer &s;
  Operation *loop;
  const unsigned number, dim;
  /// The loop of the trips: itself, or one in it.
  Operation *along = nullptr;
  /// Ops of the function that are run: what makes columns in front of the first
  /// trip, and the loop.
  SetVector<Operation *> ops;
  TripNumbers numbers;
  SmallVector<Track> tracks;
  bool isBackward = false;
  unsigned numMatches = 0;
  DenseMap<Value, unsigned> trackOf;
  llvm::MapVector<Value, ColumnRead> reads;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_LOOPSTREAMER_H

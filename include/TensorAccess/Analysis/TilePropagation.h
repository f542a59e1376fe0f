//===- TilePropagation.h - A tile through a whole function ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_TILEPROPAGATION_H
#define TENSORACCESS_ANALYSIS_TILEPROPAGATION_H

#include "TensorAccess/Core/Tile.h"
#include "TensorAccess/Models/Indexing.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// A tile through a whole function
//
// What does a tile of a function's result read of every value on the way to the
// arguments, and which part of every result does a tile of an argument reach?
//
//   output to input   from a returned value backwards, a tile per operand
//   input to output   from an argument forwards, a tile per result
//
// Two answers are propagated together, each covering what the other cannot.
// Maps are composed from the source of the tile to each value, and the tile is
// propagated once through the composed map: so a value has a tile even if the
// values before it had none, and one reshape can gather what another scatters.
// And a tile box (Tile.h) goes from op to op: it is short after hundreds of
// layers, when composed maps have long become too large, and if no tile is
// exact it covers what is read.
//
// A value that is reached in several ways has a tile for each, except for those
// contained in others; too many ways become one hull.
//===----------------------------------------------------------------------===//

/// One way to a value.
struct PropagatedTile {
  /// From the indices of the tile's source to those of the value; unknown if
  /// it became too large.
  IndexingMap map;
  /// For symbolic tiles: the map's, if it has a short one; else the box's,
  /// which may be a hull. Absent if neither gives a tile; `failure` says why.
  std::optional<SymbolicTile> tile;
  /// Why the map has no tile.
  TileFailure failure;
  /// Covers what is read; absent if there is no bound.
  std::optional<TileBox> box;
  /// The op at which the box ceased to be exact; null if it is exact.
  Operation *hullAt = nullptr;

  /// Why the tile is a hull, and the op that made it one.
  std::string getHullReason() const;
};

/// The tiles of one operand, result, or argument. Empty: nothing is read.
struct ValueTiles {
  /// Operand or argument number (output to input), result number or number of
  /// the returned value (input to output).
  unsigned number = 0;
  Value value;
  llvm::SmallVector<PropagatedTile, 1> tiles;
  /// If not None, it is unknown which elements are meant.
  IndexingReason reason = IndexingReason::None;
};

struct OpTiles {
  Operation *op = nullptr;
  llvm::SmallVector<ValueTiles, 2> values;
};

struct TilePropagation {
  /// In the order visited: last op first from output to input.
  std::vector<OpTiles> ops;
  /// The function's arguments (output to input) or returned values.
  llvm::SmallVector<ValueTiles, 2> ends;
};

/// The most ways to one value that are kept apart.
inline constexpr unsigned kMaxTileWays = 8;

/// The value that a tile belongs to: returned value number `index` of a
/// function with one block, or argument number `index`. Null, with `error` set,
/// as below.
Value getTileSource(FunctionOpInterface function, unsigned index, bool toInput,
                    llvm::ArrayRef<int64_t> strides, std::string &error);

/// Propagates a tile with the given strides (none: all 1) from returned value
/// number `index` of a function with one block, or from argument number
/// `index`. An op whose indexing is unknown ends the way through it, with the
/// reason. Fails, with `error` set, if there is no such value, its shape is not
/// static, strides don't fit it, or the function does not have a single block.
/// With `numbers`, one per dimension, boxes are of that tile, and there are no
/// symbolic tiles.
std::optional<TilePropagation>
propagateTile(FunctionOpInterface function, unsigned index, bool toInput,
              llvm::ArrayRef<int64_t> strides, IndexingCache &cache,
              std::string &error, IndexingBudget budget = {},
              llvm::ArrayRef<TileDim> numbers = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_TILEPROPAGATION_H

//===- BlockSpace.h - What a block of an op touches -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_BLOCKSPACE_H
#define TENSORACCESS_ANALYSIS_BLOCKSPACE_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Models/Indexing.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What a block of an op touches
//
// An op has an *index space*: its loops if it is a structured op, else the
// indices of its result and, for known contractions and reductions, the indices
// summed over. Projections map the space to each operand and result, so that a
// block of the space, a box, touches a part of each:
//
//   linalg.conv_2d_nhwc_hwcf, strides 2     axes n, h, w, f, kh, kw, c
//   block [0, 1) x [0, 8) x [0, 8) x [0, 16) x [0, 3) x [0, 3) x [0, 32)
//     operand 0   (n, 2h + kh, 2w + kw, c)
//                 [0, 1) x [0, 17) x [0, 17) x [0, 32)
//     operand 1   (kh, kw, c, f)
//                 [0, 3) x [0, 3) x [0, 32) x [0, 16)
//     result 0    (n, h, w, f)
//                 [0, 1) x [0, 8) x [0, 8) x [0, 16)
//
// A space is created once for an op, and then queried for blocks: what a block
// touches (with the waste of holding it as its hull, or strided beforehand),
// what one more index along an axis adds, and what neighbours share.
//
// If no projection describes an access (reshapes, paddings at a border, indices
// from data), the indexing map itself is used: more slowly, and just as
// exactly. Everything is exact or marked as inexact. Elements take whole bytes:
// an i1 or i4 takes one.
//
// Index projections: coherent blocks, sparse blocks, incremental sharing.
//===----------------------------------------------------------------------===//

/// An axis of an index space.
struct BlockAxis {
  /// `d0`, or `s0` for an index that the result's index does not determine.
  std::string name;
  /// std::nullopt for a dynamic one.
  std::optional<int64_t> extent;
  bool isReduction = false;
};

/// A condition under which a point of the space touches anything:
/// Σ factors·point + constant is in `interval`. The factors are for the columns
/// of the projection without regions: axes, then symbols.
struct BlockCondition {
  llvm::SmallVector<int64_t, 8> factors;
  int64_t constant = 0;
  Interval interval;
  /// The row of the tensor that this condition restricts, to `places`: for a
  /// padded window, it excludes what is outside the operand.
  std::optional<unsigned> row;
  Interval places;
};

/// One way from the index space to a tensor.
struct BlockMap {
  /// Dims are the axes; simplified. Symbols run at each point.
  IndexingMap map;
  /// If it is affine: columns are the axes, if symbols are a region, else the
  /// axes and the symbols. Conditions are not included.
  std::optional<Projection> projection;
  /// Why there is no projection; empty if there is one.
  std::string reason;
  /// For the axes, and for the symbols that are columns: the points where the
  /// map is defined, apart from conditions.
  Box domain;
  llvm::SmallVector<BlockCondition, 2> conditions;
  /// Ranges of the symbols.
  llvm::SmallVector<Interval, 4> symbols;
};

/// An operand, a result, or a value that a region reads, seen from the space.
struct BlockValue {
  enum class Role : uint8_t { Operand, Result, Captured };
  Role role = Role::Operand;
  /// For an operand or result; for Captured, a running number.
  unsigned number = 0;
  Value value;
  llvm::SmallVector<int64_t, 4> shape;
  /// std::nullopt for elements without a fixed size.
  std::optional<uint64_t> elementBytes;
  /// All maps are touched. Empty: nothing is (the destination of a fill).
  llvm::SmallVector<BlockMap, 1> maps;
  /// If not None, what is touched is unknown.
  IndexingReason reason = IndexingReason::None;
  /// If a reduction is cut, the maps may contain more than what is touched.
  bool needsWholeReductions = false;
  /// An earlier operand is the same value, read in the same way: its bytes are
  /// already counted.
  bool isRepeated = false;

  bool isRead() const {
    return reason != IndexingReason::None || !maps.empty();
  }
  /// The projection of the only map, if it touches by one projection.
  const Projection *getProjection() const;
};

/// `operand`, `result`, `captured`.
llvm::StringRef describe(BlockValue::Role role);

/// The blocks of an op, and what they touch; computed once.
struct BlockSpace {
  /// The op, or the function.
  Operation *op = nullptr;
  /// The result whose index gives the first axes, if the space is not loops.
  std::optional<unsigned> result;
  llvm::SmallVector<BlockAxis, 6> axes;
  /// Tensors only: operands, captured values, results.
  llvm::SmallVector<BlockValue, 4> values;
  /// Arithmetic at a point; std::nullopt if that is not known.
  std::optional<uint64_t> operationsPerPoint;

  /// The whole space; std::nullopt if an extent is dynamic.
  std::optional<Box> getWhole() const;
  /// std::nullopt if `block` is a box in the space, else what is wrong.
  std::optional<std::string> verify(const Box &block) const;
  /// The block that computes a box of result `number`: reductions are whole,
  /// and so are axes that the result does not have. std::nullopt and `error`
  /// for a box outside the result, and if the result's dimensions are not axes.
  std::optional<Box> getBlockOfResult(unsigned number, const Box &box,
                                      std::string &error) const;
  /// A block of at most `extent` indices along each axis, from the middle of
  /// the space; reductions are whole. std::nullopt and `error` for dynamic
  /// extents.
  std::optional<Box> getMiddleBlock(int64_t extent, std::string &error) const;
};

/// The index space of an op with `result` (for ops without loops: the space of
/// that result, and of all of them if they have one shape). std::nullopt and
/// `error` for an op without tensor results, or of unknown rank.
std::optional<BlockSpace> getBlockSpace(Operation *op, IndexingCache &cache,
                                        std::string &error,
                                        unsigned result = 0);

/// A whole function as one op: the space of one of its results, with its
/// arguments as operands, composed through all ops in between.
std::optional<BlockSpace> getBlockSpace(FunctionOpInterface function,
                                        IndexingCache &cache,
                                        std::string &error,
                                        unsigned result = 0);

/// Search steps if no closed form is known.
inline constexpr uint64_t kDefaultBlockBudget = 1u << 18;

/// What a block touches.
struct BlockFootprints {
  /// By number in `BlockSpace::values`. An unknown lattice is replaced by the
  /// hull's. Unknown for values whose maps are unknown.
  llvm::SmallVector<ProjectionFootprint, 4> values;
  /// Points of the block; std::nullopt if they don't fit 64 bits. The same for
  /// bytes, and if a count is not known.
  std::optional<uint64_t> points, operations, bytesIn, bytesOut;
};

/// What `block` touches of one value of the space. Requires that `block` fits.
ProjectionFootprint getFootprint(const BlockSpace &space,
                                 const BlockValue &value, const Box &block,
                                 uint64_t budget = kDefaultBlockBudget);

/// What `block` touches of all values. Requires that `block` fits.
BlockFootprints getBlockFootprints(const BlockSpace &space, const Box &block,
                                   uint64_t budget = kDefaultBlockBudget);

/// A block extended by one index along an axis, and its neighbours: the blocks
/// of its extent before and after it, clipped to the space.
struct BlockGrowth {
  unsigned axis = 0;
  /// Whether there is an index after it, and so a next neighbour; and before
  /// it.
  bool hasNext = false, hasPrevious = false;
  /// By number in `BlockSpace::values`: further elements touched, and elements
  /// that a neighbour also touches. std::nullopt if unknown, and if there is no
  /// neighbour.
  struct OfValue {
    std::optional<uint64_t> added, sharedNext, sharedPrevious;
  };
  llvm::SmallVector<OfValue, 4> values;
  /// What one more index adds. std::nullopt as in BlockFootprints, or without
  /// `hasNext`.
  std::optional<uint64_t> points, operations, bytesIn, bytesOut;
  /// Bytes of operands that a neighbour also reads.
  std::optional<uint64_t> sharedNext, sharedPrevious;
};

/// Requires that `block` fits, its footprints, and an axis of the space.
BlockGrowth getBlockGrowth(const BlockSpace &space, const Box &block,
                           const BlockFootprints &footprints, unsigned axis,
                           uint64_t budget = kDefaultBlockBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_BLOCKSPACE_H

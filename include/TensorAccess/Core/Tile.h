//===- Tile.h - Tiles and where indexing maps send them ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_TILE_H
#define TENSORACCESS_CORE_TILE_H

#include "TensorAccess/Core/IndexingMap.h"

#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Tiles and where indexing maps send them
//
// A *tile* is a strided box, as in XLA: in each dimension the indices
//
//   offset + stride*i,   0 <= i < size.
//
// Propagating a tile of a map's dims gives the tile of its results: the indices
// that are read for it. There are two answers:
//
//   getTile          numbers in, numbers out. The source tile is clipped to the
//                    map's domain. Exact: what is read *is* the strided box
//                    (less what `mask` excludes), or there is a failure that
//                    names the result and the reason for having no such box.
//   getSymbolicTile  offsets o_i and sizes t_i are variables, strides numbers.
//                    Offsets, sizes and strides of the results are expressions
//                    in o, t and the runtime variables, valid where conditions
//                    hold:
//
//     (d0, d1) -> (d0 * 4 + d1), d0 in [0, 2], d1 in [0, 3]
//       offset  o0 * 4 + o1
//       size    t0 * t1
//       stride  1 if t1 > 1 else 4
//       where   t1 = 1 or t0 = 1 or t1 = 4
//
// The symbolic answer is for tiles that are inside the ranges of the dims. What
// is read is the box within `lower` and `upper`, where there are such bounds: a
// padded convolution would read outside its operand otherwise. They also make
// most answers right for tiles that reach over the edge.
//
// Runtime variables are fixed numbers while a tile is read.
//===----------------------------------------------------------------------===//

/// One dimension of a tile: {offset + stride*i : 0 <= i < size}.
struct TileDim {
  int64_t offset = 0, size = 1, stride = 1;

  bool operator==(const TileDim &o) const {
    return offset == o.offset && size == o.size && stride == o.stride;
  }
  /// The last index; requires size >= 1.
  int64_t last() const { return offset + (size - 1) * stride; }
};

/// A strided box. Strides are positive, and 1 where the size is at most 1.
struct StridedTile {
  llvm::SmallVector<TileDim, 4> dims;
  /// If set, only the elements in the domain of this identity map are read.
  std::optional<IndexingMap> mask;
  /// False for a box that only covers what is read.
  bool isExact = true;
  /// True if nothing is read (also for rank 0). All sizes are 0 then.
  bool isEmpty = false;

  /// Number of elements of the box; std::nullopt if it does not fit.
  std::optional<int64_t> getNumElements() const;
  /// True if the tile, mask considered, contains the element.
  bool contains(llvm::ArrayRef<int64_t> element) const;
  /// `[2:10:2, 0:4]`: first, past the last, stride; `, masked` and so on.
  std::string str() const;
};

/// Why there is no tile.
struct TileFailure {
  /// The result that has none; absent if the input was wrong.
  std::optional<unsigned> result;
  /// `result 0, d0 * d1: multiplies two variables`.
  std::string message;
};

/// The tile of the map's results for the tile `dims` of its dims (one entry
/// each), with the runtime variables fixed. Strides may be negative. Fails for
/// unknown maps, wrong numbers of entries, sizes below 1, runtime values out of
/// range, where no strided box is exact, and where structure does not decide
/// that and more than `budget` points would have to be visited.
std::optional<StridedTile> getTile(const IndexingMap &map,
                                   llvm::ArrayRef<TileDim> dims,
                                   llvm::ArrayRef<int64_t> runtime,
                                   TileFailure &failure,
                                   uint64_t budget = 1u << 16);

/// A box that contains every index read for the tile: exact where `getTile`
/// is, else a hull with `isExact` false. Fails on wrong input, and where a
/// result has no bound.
std::optional<StridedTile> getCoveringTile(const IndexingMap &map,
                                           llvm::ArrayRef<TileDim> dims,
                                           llvm::ArrayRef<int64_t> runtime,
                                           TileFailure &failure);

/// An expression of a symbolic tile: the first value whose guard exceeds 1,
/// else `otherwise`. Numbers are indices into `SymbolicTile::getForms()`.
struct TileExpr {
  struct Case {
    unsigned guard, value;
  };
  llvm::SmallVector<Case, 1> cases;
  unsigned otherwise = 0;
};

/// A condition on offsets and sizes.
struct TileCondition {
  /// `form in interval`.
  struct Compare {
    unsigned form;
    Interval interval;
  };
  /// A disjunction of conjunctions.
  llvm::SmallVector<llvm::SmallVector<Compare, 2>, 2> clauses;
  /// If not empty, a *run* instead: for x_k in [0, size_k), the sums of
  /// coefficient_k * x_k are an arithmetic progression. Sorted by coefficient.
  struct Term {
    int64_t coefficient;
    unsigned size;
  };
  llvm::SmallVector<Term, 0> run;
  /// The run's progression has the first coefficient as its step.
  bool hasFixedStep = false;
};

/// Whether {Σ coefficient*x : 0 <= x < size} is an arithmetic progression:
/// after dropping sizes of 1, with coefficients ascending, each is a multiple
/// of the first and not larger than what the ones before reach, plus the first.
/// `fixedStep`, if positive, must be the step. Linear time.
bool isProgression(llvm::ArrayRef<std::pair<int64_t, int64_t>> terms,
                   int64_t fixedStep = 0);

class SymbolicTile {
public:
  unsigned getNumDims() const { return strides.size(); }
  unsigned getNumResults() const { return results.size(); }

  /// A map whose dims are o0, o1, ..., t0, t1, ... and whose runtime variables
  /// are those of the source map. All forms of the tile are among its results.
  const IndexingMap &getForms() const { return forms; }
  const TileExpr &getOffset(unsigned result) const {
    return results[result].offset;
  }
  const TileExpr &getSize(unsigned result) const {
    return results[result].size;
  }
  const TileExpr &getStride(unsigned result) const {
    return results[result].stride;
  }
  /// The least index that is read, if there is a bound.
  std::optional<unsigned> getLower(unsigned result) const {
    return results[result].lower;
  }
  /// The greatest index that is read (inclusive), if there is a bound.
  std::optional<unsigned> getUpper(unsigned result) const {
    return results[result].upper;
  }
  llvm::ArrayRef<TileCondition> getConditions() const { return conditions; }
  /// True if the box only covers what is read; `getHullReason` gives the
  /// reason. TileBox makes such tiles.
  bool isHull() const { return !hullReason.empty(); }
  llvm::StringRef getHullReason() const { return hullReason; }
  /// True if nothing is read, whatever the tile, where the conditions hold.
  bool readsNothing() const { return isNothing; }
  /// True if, within the bounds, the tile is also right for source tiles that
  /// begin inside the dims' ranges and reach over the end.
  bool reachesOverEdges() const { return isRightOverEdges; }
  /// Strides of the source tile.
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }

  /// Texts: `o0 * 4 + o1`, `1 if t1 > 1 else 4`, `t0 = 1 or t1 = 4`.
  std::string str(const TileExpr &expr) const;
  std::string str(const TileCondition &condition) const;
  std::string formText(unsigned form) const;
  /// Several lines, one per result and condition.
  std::string str() const;

  /// The tile for these numbers, or std::nullopt if it leaves the domain or a
  /// condition does not hold. Bounds are not applied: the box may reach over
  /// them.
  std::optional<StridedTile>
  instantiate(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
              llvm::ArrayRef<int64_t> runtime = {}) const;
  /// True if all conditions hold for these values of all forms.
  bool holds(llvm::ArrayRef<int64_t> values) const;

private:
  friend class SymbolicTileBuilder;
  friend class TileBox;
  struct Result {
    TileExpr offset, size, stride;
    std::optional<unsigned> lower, upper;
  };
  IndexingMap forms;
  llvm::SmallVector<int64_t, 4> strides;
  llvm::SmallVector<Interval, 4> ranges;
  llvm::SmallVector<Result, 4> results;
  llvm::SmallVector<TileCondition, 2> conditions;
  std::string hullReason;
  bool isNothing = false, isRightOverEdges = false;
};

/// The symbolic tile for source strides `strides` (one per dim, not 0;
/// empty means all 1). Fails if a result has no tile for any sizes. Dims in
/// `unitDims` have only tiles of size 1: the condition `t = 1` is added for
/// each.
std::optional<SymbolicTile>
getSymbolicTile(const IndexingMap &map, llvm::ArrayRef<int64_t> strides,
                TileFailure &failure, llvm::ArrayRef<unsigned> unitDims = {});

//===----------------------------------------------------------------------===//
// Tiles that pass op by op
//
// A tile's image under a chain of maps, in constant space per step. In each
// dimension a *tile box* holds
//
//   the x with  lower_0, lower_1, ... <= x <= upper_0, upper_1, ...
//               and x = anchor modulo stride,
//
// where the bounds are forms over the offsets o_i of the source tile and its
// last indices e_i. Through a window, a pad and a stride such bounds keep their
// form: max(0, max(0, o - 1) - 1) is max(0, o - 2), and divisions of divisions
// are one division. So a chain of a hundred convolutions ends with boxes that
// are as short as those of the first:
//
//   x[8] -> pad 1, 1 -> window 3 -> pad 1, 1 -> window 3
//     lower  o0 - 2, 0      upper  e0 + 2, 7
//
// A box always *covers* what is read. It is *exact* if it is what is read,
// whatever the offsets and sizes are; a hull has a reason why it is not. Unlike
// the answers of `getSymbolicTile` (Tile.h) it comes without conditions.
//===----------------------------------------------------------------------===//

class TileBox {
public:
  /// One dimension. If a list has no bounds, it does not end there.
  struct Dim {
    llvm::SmallVector<Form, 2> lower, upper;
    /// Bounds are aligned with the stride: they are elements, or past the
    /// other end.
    int64_t stride = 1;
    Form anchor;
  };

  /// All tiles o, o + stride, ... inside the ranges, with parameters in place
  /// of numbers. Strides may be negative, not 0; empty: all 1.
  static TileBox ofParameters(llvm::ArrayRef<Interval> ranges,
                              llvm::ArrayRef<int64_t> strides = {});
  /// A tile of numbers: sizes and strides are positive.
  static TileBox ofNumbers(llvm::ArrayRef<TileDim> dims);

  unsigned getNumDims() const { return dims.size(); }
  llvm::ArrayRef<Dim> getDims() const { return dims; }
  const FormArena &getArena() const { return arena; }
  /// True if the box is what is read; else `getReason` gives why it only covers
  /// it.
  bool isExact() const { return reason.empty(); }
  llvm::StringRef getReason() const { return reason; }
  /// Marks the box as a hull, unless it already is one.
  void setHull(llvm::StringRef why);

  /// The box of the map's results, for the map's dims in this box. Runtime
  /// variables may have any value in their ranges. std::nullopt if the numbers
  /// of dims differ, the map is unknown, or 64 bits don't suffice.
  std::optional<TileBox> through(const IndexingMap &map,
                                 TileFailure &failure) const;
  /// True if this box provably contains the other, of the same source.
  bool covers(const TileBox &other) const;
  /// A box that contains both; exact if one exact box covers the other.
  TileBox hull(const TileBox &other) const;

  /// As a symbolic tile without conditions, `isHull()` if it is one.
  /// std::nullopt if a dimension has no bounds. Not for boxes of numbers.
  std::optional<SymbolicTile> getSymbolicTile(TileFailure &failure) const;
  /// The elements for a source tile, clipped to the ranges of the parameters
  /// (for boxes of numbers: no arguments). std::nullopt if a dimension has no
  /// bounds.
  std::optional<StridedTile> at(llvm::ArrayRef<int64_t> offsets = {},
                                llvm::ArrayRef<int64_t> sizes = {}) const;

private:
  friend class TileBoxStep;

  /// Variables o_0, e_0, o_1, e_1, ...
  FormArena arena;
  llvm::SmallVector<Interval, 4> ranges;
  /// Strides of the source.
  llvm::SmallVector<int64_t, 4> strides;
  llvm::SmallVector<Dim, 4> dims;
  std::string reason;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_TILE_H

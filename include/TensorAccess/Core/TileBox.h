//===- TileBox.h - Tiles that pass op by op ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile's image under one map after the other, in constant space per step. In
// each dimension a *tile box* holds
//
//   the x with  lower_0, lower_1, ... <= x <= upper_0, upper_1, ...
//               and x = anchor modulo stride,
//
// where the bounds are forms over the offsets o_i of the source tile and its
// last indices e_i. Through a window, a pad and a stride such bounds stay what
// they are: max(0, max(0, o - 1) - 1) is max(0, o - 2), and divisions of
// divisions are one division. So a chain of a hundred convolutions ends with
// boxes that are as short as those of the first:
//
//   x[8] -> pad 1, 1 -> window 3 -> pad 1, 1 -> window 3
//     lower  o0 - 2, 0      upper  e0 + 2, 7
//
// A box always *covers* what is read. It is *exact* if it is what is read,
// whatever the offsets and sizes are; a hull says why it is none. Unlike the
// answers of `getSymbolicTile` (Tile.h) it comes without conditions.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_TILEBOX_H
#define TENSORACCESS_CORE_TILEBOX_H

#include "TensorAccess/Core/Tile.h"

#include <string>

namespace mlir::tensoraccess {

class TileBox {
public:
  /// One dimension. No bounds in a list: it does not end there.
  struct Dim {
    llvm::SmallVector<Form, 2> lower, upper;
    /// Bounds are aligned with the stride: they are elements, or past the
    /// other end.
    int64_t stride = 1;
    Form anchor;
  };

  /// All tiles o, o + stride, ... that lie inside of the ranges, in place of
  /// numbers. Strides may be negative, not 0; none: all 1.
  static TileBox ofParameters(llvm::ArrayRef<Interval> ranges,
                              llvm::ArrayRef<int64_t> strides = {});
  /// A tile of numbers: sizes and strides are positive.
  static TileBox ofNumbers(llvm::ArrayRef<TileDim> dims);

  unsigned getNumDims() const { return dims.size(); }
  llvm::ArrayRef<Dim> getDims() const { return dims; }
  const FormArena &getArena() const { return arena; }
  /// True if the box is what is read; else `getReason` says why it covers it.
  bool isExact() const { return reason.empty(); }
  llvm::StringRef getReason() const { return reason; }
  /// Marks the box as a hull, unless it is one.
  void setHull(llvm::StringRef why);

  /// The box of the map's results, for the map's dims in this box. Runtime
  /// variables may have any value in their ranges. None if the numbers of
  /// dims differ, the map is unknown, or 64 bits don't suffice.
  std::optional<TileBox> through(const IndexingMap &map,
                                 TileFailure &failure) const;
  /// True if this box surely contains the other, of the same source.
  bool covers(const TileBox &other) const;
  /// A box that contains both; exact if one exact box covers the other.
  TileBox hull(const TileBox &other) const;

  /// As a symbolic tile without conditions, `isHull()` if it is one. None if a
  /// dimension has no bounds. Not for boxes of numbers.
  std::optional<SymbolicTile> getSymbolicTile(TileFailure &failure) const;
  /// The elements for a source tile, clipped to the ranges of the parameters
  /// (for boxes of numbers: no arguments). None if a dimension has no bounds.
  std::optional<StridedTile> at(llvm::ArrayRef<int64_t> offsets = {},
                                llvm::ArrayRef<int64_t> sizes = {}) const;
  /// `[max(o0 - 2, 0) .. min(e0 + 2, 7)]`, for tests and messages.
  std::string str() const;

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

#endif // TENSORACCESS_CORE_TILEBOX_H

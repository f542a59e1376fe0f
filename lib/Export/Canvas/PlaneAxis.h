//===- PlaneAxis.h - Elements along a side of a picture ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_PLANEAXIS_H
#define TENSORACCESS_LIB_EXPORT_PLANEAXIS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// Pixels of a square, and of dots for what is left out.
constexpr int kSquare = 16, kDots = 22;

/// Elements [lo, hi) of a band, which is one of the axes along a side.
struct Stretch {
  int64_t lo = 0, hi = 1;
  unsigned band = 0;
  /// Pixels left free at both ends.
  int inset = 0;
};

/// Stretches of elements in pixels, with dots between those that are not neighbours.
class PlaneAxis {
public:
  /// Elements [lo, hi) from a pixel on.
  struct Piece {
    int64_t lo, hi;
    int at, length;
    /// Of a square; 0 where elements have none.
    int cell;
  };
  /// A number at [lo, hi), in its middle, or where it begins if that is empty.
  struct Tick {
    int64_t lo, hi;
    std::string text;
  };

  /// One square.
  PlaneAxis() { append(0, 1, kSquare, kSquare); }
  /// All of `size` elements (kDynamicSize where unknown) that fit `maxSquares`, with
  /// more elements a square where the first `needed` would not; else the first ones and
  /// the last two squares.
  static PlaneAxis squares(int64_t size, int64_t needed, int maxSquares);
  /// Elements [lo, hi), `scale` a square.
  static PlaneAxis range(int64_t lo, int64_t hi, int64_t scale = 1,
                         int cell = kSquare);
  /// Elements [0, extent) to scale.
  static PlaneAxis scaled(int64_t extent, int length);

  /// Adds elements behind; dots come before those that leave a gap.
  void append(int64_t lo, int64_t hi, int length, int cell = 0);
  int getLength() const { return pieces.back().at + pieces.back().length; }
  /// The pixel where an element begins; in the dots where it is left out.
  int getPosition(int64_t element) const;
  std::pair<int, int> getRange(const Stretch &stretch) const {
    return {getPosition(stretch.lo), getPosition(stretch.hi)};
  }
  bool isElided() const { return isCut; }
  int64_t getScale() const { return scale; }
  /// Elements that are drawn, `0-7, 227-229`.
  std::string describe() const;

  std::vector<Piece> pieces;
  std::vector<Tick> ticks;
  /// Where the axis begins.
  std::string title;

private:
  int64_t scale = 1;
  /// Elements are left out, or their number is unknown.
  bool isCut = false;
};

/// The part of a dimension that is shown, in squares of `scale` elements.
struct View {
  int dim = -1; ///< -1: there is none; one square.
  int64_t begin = 0, end = 1, scale = 1;

  /// Around [lo, hi), and all of [0, size) if it fits. Of more elements than squares
  /// the beginning is shown, or several a square.
  static View around(int dim, int64_t lo, int64_t hi,
                     std::optional<int64_t> size, int64_t maxSquares,
                     bool isScaled = true);
  int64_t count() const { return (end - begin) / scale; }
  /// The elements of a square.
  std::pair<int64_t, int64_t> square(int64_t i) const {
    return {begin + i * scale, begin + (i + 1) * scale};
  }
  PlaneAxis makeAxis(bool hasTicks = false) const;
};

/// Two of `rank` dimensions, in order: those of the smallest keys, of equal ones the first.
template <typename KeyFn>
llvm::SmallVector<int, 2> chooseTwo(size_t rank, KeyFn getKey) {
  auto dims = llvm::to_vector<2>(llvm::seq<int>(0, rank));
  llvm::sort(dims, [&](int a, int b) {
    return std::pair(getKey(a), a) < std::pair(getKey(b), b);
  });
  dims.truncate(std::min<size_t>(rank, 2));
  llvm::sort(dims);
  return dims;
}

/// `(0, 2, 1)`.
std::string pointToString(llvm::ArrayRef<int64_t> point);
/// `7`, or `?` where unknown.
std::string sizeToString(int64_t size);
/// The number of elements, kDynamicSize where unknown.
int64_t countOrDynamic(llvm::ArrayRef<int64_t> shape);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_PLANEAXIS_H

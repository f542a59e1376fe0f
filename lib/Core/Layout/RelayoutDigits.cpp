//===- RelayoutDigits.cpp - Digits of a layout with padding ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A physical dimension is a row-major list of digits of logical dimensions.
//   1. It begins as one digit, the whole of a dimension.
//   2. `*` puts the lists of neighbours one after the other.
//   3. A tile of size t takes digits worth t from the minor end; the digit that
//      t ends in is cut. This needs what is left of t to divide its room,
//      unless it is the most major one, which is padded; and its values, unless
//      they are all that is left of the index.
//
//===----------------------------------------------------------------------===//

#include "RelayoutDigits.h"
#include "TensorAccess/Core/Support.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::SmallVector;

namespace {
/// A digit before its stride is known; dimension -1 is none, always 0.
struct Part {
  int64_t dim;
  int64_t divisor, count, extent;
  /// No other digit of the dimension counts this one's overflow.
  bool isTop;
};

/// From major to minor.
using Physical = SmallVector<Part, 4>;
} // namespace

/// Cuts ⌊v / tile⌋ and v mod tile out of a physical dimension.
static bool split(const Physical &whole, int64_t tile, Physical &outer,
                  Physical &inner) {
  int64_t rest = tile;
  for (size_t i = whole.size(); i-- > 0;) {
    const Part &part = whole[i];
    if (rest == 1) {
      outer.push_back(part);
      continue;
    }
    bool isMajor = i == 0;
    if (!isMajor && rest % part.extent == 0) {
      inner.push_back(part);
      rest /= part.extent;
      continue;
    }
    if (!isMajor && part.extent % rest != 0)
      return false;
    // ⌊x / 2⌋ mod 4 is no digit modulo 3, but ⌊x / 2⌋ is one.
    if (!part.isTop && part.count > rest && part.count % rest != 0)
      return false;
    int64_t count = std::min(part.count, rest);
    inner.push_back({part.dim, part.divisor, count, rest,
                     part.isTop && part.count <= rest});
    outer.push_back({part.dim, part.divisor * count,
                     ceilDivPositive(part.count, rest),
                     ceilDivPositive(part.extent, rest), part.isTop});
    rest = 1;
  }
  if (rest != 1)
    inner.push_back({-1, 1, 1, rest, true});
  std::reverse(outer.begin(), outer.end());
  std::reverse(inner.begin(), inner.end());
  return true;
}

std::optional<SideDigits>
mlir::tensoraccess::getPaddedDigits(const Layout &layout) {
  SmallVector<Physical> dims;
  for (int64_t dim : llvm::reverse(layout.minorToMajor)) {
    int64_t size = (*layout.shape)[dim];
    dims.push_back({Part{dim, 1, size, size, true}});
  }
  for (const Tile &tile : layout.tiles) {
    if (tile.size() > dims.size())
      dims.insert(dims.begin(), tile.size() - dims.size(), Physical());
    size_t prefix = dims.size() - tile.size();
    SmallVector<Physical> next(dims.begin(), dims.begin() + prefix), inner;
    Physical merged;
    for (auto [i, entry] : llvm::enumerate(tile)) {
      llvm::append_range(merged, dims[prefix + i]);
      if (entry.isCombine())
        continue;
      if (!split(merged, entry.getSize(), next.emplace_back(),
                 inner.emplace_back()))
        return std::nullopt;
      merged.clear();
    }
    llvm::append_range(next, inner);
    dims = std::move(next);
  }

  SideDigits digits;
  digits.dims.resize(layout.getRank());
  int64_t stride = 1;
  for (const Physical &physical : llvm::reverse(dims))
    for (const Part &part : llvm::reverse(physical)) {
      PaddedDigit digit{part.divisor, part.count, part.extent, stride};
      if (part.count > 1)
        digits.dims[part.dim].push_back(digit);
      else if (part.extent > 1)
        digits.padding.push_back(digit);
      stride *= part.extent;
    }
  for (auto &own : digits.dims)
    llvm::sort(own, [](const PaddedDigit &a, const PaddedDigit &b) {
      return a.divisor < b.divisor;
    });
  return digits;
}

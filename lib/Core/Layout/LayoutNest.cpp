//===- LayoutNest.cpp - The digits of a layout in memory order ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles are applied to lists of digits in place of sizes:
//   1. A physical dimension begins as one digit, the whole index.
//   2. `*` appends the lists of the dimensions that it merges.
//   3. A tile entry t takes digits from the minor end of its list until their
//      sizes multiply to t. The last one may have to be cut in two: x becomes
//      (x floordiv r, x mod r), which are digits of the index again if r
//      divides the number of values of x, or x is the digit of most weight, or
//      x is below r anyway. What t has beyond the whole list is padding.
//   4. The lists of all physical dimensions in their order are the nest.
// A dynamic size is one that nothing divides, and that may have any value: the
// steps that are left to it hold for all of them.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LayoutNest.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutStages.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::SmallVector;

/// From major to minor.
using Digits = SmallVector<NestDigit, 4>;
using Lists = SmallVector<Digits, 8>;

/// Makes one digit of neighbours that are the upper and lower part of one.
static void mergeParts(Digits &digits, const Layout &layout) {
  for (size_t i = 0; i + 1 < digits.size();) {
    NestDigit &high = digits[i];
    const NestDigit &low = digits[i + 1];
    if (high.isOpen || high.dim < 0 || high.dim != low.dim ||
        low.used != low.size || high.divisor != low.divisor * low.size) {
      ++i;
      continue;
    }
    high.used = high.isTop
                    ? ceilDivPositive((*layout.shape)[high.dim], low.divisor)
                    : high.used * low.used;
    high.divisor = low.divisor;
    high.size *= low.size;
    digits.erase(digits.begin() + i + 1);
  }
}

/// Cuts `digit` so that its lower part has `size` places; false if the parts
/// are not digits of the index.
static bool cut(const NestDigit &digit, int64_t size, NestDigit &high,
                NestDigit &low) {
  high = low = digit;
  if (digit.isOpen) {
    low.isOpen = low.isTop = false;
    low.size = low.used = size;
    high.divisor *= size;
    return true;
  }
  low.size = size;
  high.size = ceilDivPositive(digit.size, size);
  if (!digit.isTop && digit.used <= size) {
    high = {/*dim=*/-1, /*divisor=*/1, /*used=*/1, high.size};
    return true;
  }
  if (!digit.isTop && digit.used % size != 0)
    return false;
  low.used = std::min(digit.used, size);
  low.isTop = digit.isTop && digit.used <= size;
  high.divisor *= size;
  high.used = ceilDivPositive(digit.used, size);
  return true;
}

/// Moves the digits of the last `tile` places from `outer` to `inner`; false if
/// these are not digits.
static bool take(Digits &outer, int64_t tile, Digits &inner) {
  int64_t rest = tile;
  while (rest > 1 && !outer.empty()) {
    NestDigit digit = outer.back();
    if (!digit.isOpen && rest % digit.size == 0) {
      inner.insert(inner.begin(), digit);
      outer.pop_back();
      rest /= digit.size;
      continue;
    }
    if ((digit.isOpen || digit.size % rest != 0) && outer.size() > 1) {
      // The list ends here for good only if nothing above it ever counts.
      auto above = llvm::ArrayRef(outer).drop_back();
      if (!llvm::all_of(above, [&](auto &d) {
            return d.isPadding() && (!digit.isOpen || d.size == 1);
          }))
        return false;
      if (!digit.isOpen)
        for (const NestDigit &padding : above)
          digit.size *= padding.size;
      outer.assign(1, digit);
      continue;
    }
    NestDigit low;
    if (!cut(digit, rest, outer.back(), low))
      return false;
    inner.insert(inner.begin(), low);
    rest = 1;
  }
  if (rest == 1)
    return true;
  if (inner.empty())
    inner.emplace_back();
  inner.front().size *= rest;
  return true;
}

std::optional<SmallVector<NestDigit>>
mlir::tensoraccess::getNest(const Layout &layout, std::string &reason) {
  if (!layout.shape) {
    reason = "the layout has no shape";
    return std::nullopt;
  }
  // An array without elements does not tell its blocks.
  SmallVector<int64_t, 6> sizes =
      llvm::map_to_vector<6>(*layout.shape, [](int64_t size) {
        return Layout::isDynamic(size) ? size : std::max<int64_t>(size, 1);
      });
  if (llvm::is_contained(*layout.shape, 0))
    return getNest(layout.withShape(sizes, *layout.elementType), reason);
  const bool isDynamic = llvm::any_of(sizes, Layout::isDynamic);
  if (isDynamic ? !getSizes(layout) : !layout.getPaddedElements()) {
    reason = "the number of padded elements overflows 64-bit arithmetic";
    return std::nullopt;
  }

  Lists lists;
  for (int64_t dim : llvm::reverse(layout.minorToMajor)) {
    NestDigit digit{dim, /*divisor=*/1, sizes[dim], sizes[dim]};
    digit.isOpen = Layout::isDynamic(sizes[dim]);
    lists.emplace_back();
    lists.back().push_back(digit);
  }
  auto join = [](Digits &list, const Digits &next) {
    list.append(next.begin(), next.end());
    return true;
  };
  auto cutList = [&](Digits &list, int64_t size, Digits &inner) {
    mergeParts(list, layout);
    return take(list, size, inner);
  };
  for (auto [i, tile] : llvm::enumerate(layout.tiles))
    if (!applyTile(lists, tile, Digits(), join, cutList)) {
      reason = "tile " + std::to_string(i) +
               " does not divide what a '*' or a tile before it made";
      return std::nullopt;
    }

  SmallVector<NestDigit> nest;
  for (auto [i, list] : llvm::enumerate(lists))
    for (NestDigit digit : list) {
      digit.physical = i;
      if (digit.isOpen || digit.size > 1)
        nest.push_back(digit);
    }
  return nest;
}

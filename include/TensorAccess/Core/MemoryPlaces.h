//===- MemoryPlaces.h - Strided and linear layouts as layouts of memory ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_MEMORYPLACES_H
#define TENSORACCESS_CORE_MEMORYPLACES_H

#include "TensorAccess/Core/LayoutNest.h"
#include "TensorAccess/Core/LinearLayout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// As layouts of memory
//===----------------------------------------------------------------------===//

/// Where the elements of an array are in memory: each has its own number.
struct MemoryPlaces {
  /// index -> number, and number -> index for all numbers below `numbers`.
  IndexingMap toNumber, toIndex;
  int64_t numbers = 0;
  /// Whether some number belongs to no element, or is not its element's own:
  /// toIndex is then no inverse.
  bool hasPadding = false;
  /// `run` numbers from a multiple of `run` on are elements side by side along
  /// `runDim`, or all padding; a power of two, or 1.
  int64_t run = 1;
  unsigned runDim = 0;

  /// toIndex, with padding outside its domain.
  IndexingMap getElements() const;
};

/// One mode per dimension. std::nullopt and `error` if modes do not have these
/// sizes, or strides don't nest.
std::optional<MemoryPlaces> getPlaces(const StridedLayout &layout,
                                      llvm::ArrayRef<int64_t> shape,
                                      std::string &error);
/// One output per dimension; the bits of all inputs form the number.
/// std::nullopt and `error` if outputs do not have these sizes, or some element
/// has no number.
std::optional<MemoryPlaces> getPlaces(const LinearLayout &layout,
                                      llvm::ArrayRef<int64_t> shape,
                                      std::string &error);

/// The same memory in another notation. A linear layout as strides, if each bit
/// of an index is one bit of the number, or several that no other is; a strided
/// layout as digits (getNest), with padding in its gaps, and as tiles.
/// std::nullopt and `reason` where that is not possible: swizzles, strides that
/// don't divide one another. Tiles end with a whole row: they may have more
/// numbers, all padding, after the last element.
std::optional<StridedLayout> toStridedPlaces(const LinearLayout &layout,
                                             std::string &reason);
std::optional<llvm::SmallVector<NestDigit>> getNest(const StridedLayout &layout,
                                                    std::string &reason);
std::optional<Layout> toLayout(const StridedLayout &layout, XlaType type,
                               std::string &reason);
/// Digits as strides, one mode per dimension. std::nullopt and `reason` if
/// dimensions are dynamic or not multiples of their digits, and with padding
/// after the last element.
std::optional<StridedLayout> stridedFromNest(llvm::ArrayRef<int64_t> shape,
                                             llvm::ArrayRef<NestDigit> nest,
                                             std::string &reason);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_MEMORYPLACES_H

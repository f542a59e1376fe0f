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
  /// Numbers of no element, or not the element's: toIndex does not go back.
  bool hasPadding = false;
  /// Numbers from a multiple of `run` on, so many, are elements side by side along
  /// `runDim`, or all padding; a power of two, or 1.
  int64_t run = 1;
  unsigned runDim = 0;

  /// toIndex, with padding outside of its domain.
  IndexingMap getElements() const;
};

/// A mode for each dimension. std::nullopt and `error` where modes are not of
/// these sizes, or strides don't nest.
std::optional<MemoryPlaces> getPlaces(const StridedLayout &layout,
                                      llvm::ArrayRef<int64_t> shape,
                                      std::string &error);
/// An output for each dimension; the bits of all inputs are the number.
/// std::nullopt and `error` where outputs are not of these sizes, or some
/// element has no number.
std::optional<MemoryPlaces> getPlaces(const LinearLayout &layout,
                                      llvm::ArrayRef<int64_t> shape,
                                      std::string &error);

/// The same memory in another notation. A linear one as strides where each bit of an
/// index is one of the number, or as they carry nothing; a strided one by its digits
/// (getNest), with padding in its gaps, and by tiles. std::nullopt and `reason`
/// where that can't be said: swizzles, strides that don't divide one another.
/// Tiles end with a whole row: they may have more numbers, all padding, after
/// the last element.
std::optional<StridedLayout> toStridedPlaces(const LinearLayout &layout,
                                             std::string &reason);
std::optional<llvm::SmallVector<NestDigit>> getNest(const StridedLayout &layout,
                                                    std::string &reason);
std::optional<Layout> toLayout(const StridedLayout &layout, XlaType type,
                               std::string &reason);
/// Digits as strides, a mode for each dimension. std::nullopt and `reason`
/// where dimensions are dynamic or no multiple of their digits, and with
/// padding after the last element.
std::optional<StridedLayout> stridedFromNest(llvm::ArrayRef<int64_t> shape,
                                             llvm::ArrayRef<NestDigit> nest,
                                             std::string &reason);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_MEMORYPLACES_H

//===- StridedAlgebra.h - What is composed of strided layouts ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_STRIDEDALGEBRA_H
#define TENSORACCESS_CORE_STRIDEDALGEBRA_H

#include "TensorAccess/Core/StridedLayout.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

namespace strided {

/// The layout with the fewest modes, as a list unless there is one: modes of
/// size 1 are left out, neighbours that continue each other are merged.
/// Requires strides.
StridedLayout coalesce(const StridedLayout &layout);
/// The same in each mode of the root's list.
StridedLayout coalesceModes(const StridedLayout &layout);
/// Coalesced, without modes of stride 0.
StridedLayout filter(const StridedLayout &layout);

/// What `layout` leaves out of the numbers below `cotarget`, in ascending
/// order: each number below is the sum of one of `layout` and one of the
/// complement. std::nullopt and `error` where sizes and strides do not nest.
std::optional<StridedLayout> complement(const StridedLayout &layout,
                                        int64_t cotarget, std::string &error);
/// a(b(x)). Where no number of b is positive, a(-n) is -a(n), as in CuTe's C++.
/// std::nullopt and `error` if some are positive and some negative, and on
/// overflow.
std::optional<StridedLayout>
compose(const StridedLayout &a, const StridedLayout &b, std::string &error);
/// layout(r(n)) = n for all n below the size of r, as many as consecutive modes
/// give. For a swizzled layout, as many of these as the swizzle permutes.
std::optional<StridedLayout> rightInverse(const StridedLayout &layout,
                                          std::string &error);
/// l(layout(x)) = x for all x below the layout's size. std::nullopt and `error`
/// where strides do not divide one another, or modes collide.
std::optional<StridedLayout> leftInverse(const StridedLayout &layout,
                                         std::string &error);
/// The layout in tiles: (b, complement(b)) composed with a.
std::optional<StridedLayout> logicalDivide(const StridedLayout &a,
                                           const StridedLayout &b,
                                           std::string &error);
/// Mode by mode, a's modes with those of b; what b lacks is unchanged.
std::optional<StridedLayout> composeModes(const StridedLayout &a,
                                          llvm::ArrayRef<StridedLayout> b,
                                          std::string &error);
/// The order of modes that were divided one by one into tiles T and what is
/// left, R.
enum class TileOrder : uint8_t {
  Logical, ///< ((T0,R0),(T1,R1),…)
  Zipped,  ///< ((T0,T1),(R0,R1,…))
  Tiled,   ///< ((T0,T1),R0,R1,…)
  Flat,    ///< (T0,T1,R0,R1,…)
};
std::optional<StridedLayout> divide(const StridedLayout &a,
                                    llvm::ArrayRef<StridedLayout> tiles,
                                    TileOrder order, std::string &error);
/// a for each number of b: (a, complement(a) composed with b); if a has no
/// complement, copies begin where a ends.
std::optional<StridedLayout> logicalProduct(const StridedLayout &a,
                                            const StridedLayout &b,
                                            std::string &error);
/// Mode i is (a's, b's), or (b's, a's) where `isRaked`.
std::optional<StridedLayout> blockedProduct(const StridedLayout &a,
                                            const StridedLayout &b,
                                            bool isRaked, std::string &error);
/// The longest vector, from 0 on, that is contiguous in both of two layouts of
/// numbers: its numbers in memory order.
std::optional<StridedLayout> maxCommonLayout(const StridedLayout &a,
                                             const StridedLayout &b,
                                             std::string &error);

/// `Sw` after the layout, whose numbers must not be negative.
std::optional<StridedLayout> compose(const Swizzle &swizzle,
                                     const StridedLayout &layout,
                                     std::string &error);

} // namespace strided

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_STRIDEDALGEBRA_H

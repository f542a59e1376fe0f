//===- PlaceFaults.h - What is wrong with a place of a region ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words for places that a projection reaches and that are none: beyond 64
// bits, or forbidden by an out-of-bounds policy. All who refuse say them alike.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PLACEFAULTS_H
#define TENSORACCESS_CORE_PLACEFAULTS_H

#include "TensorAccess/Core/Projection.h"

namespace mlir::tensoraccess {

/// "the region overflows 64-bit arithmetic: [0, 9223372036854775808) of
/// dimension 1": what the first row that leaves 64 bits reaches over a block,
/// calculated without a limit. Without the values where the block is empty or
/// what overflowed was not a region.
std::string describeOverflow(const Projection &projection,
                             const IndexRegion &block);
/// The same for one point.
std::string describeOverflow(const Projection &projection,
                             llvm::ArrayRef<int64_t> point);

/// "place 5 of dimension 0 is forbidden outside of [0, 5)"; `dimension` is its
/// name. A dimension without elements has none for any policy but pad.
std::string describeForbidden(OutOfBounds::Kind policy, int64_t place,
                              const std::string &dimension, int64_t size);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PLACEFAULTS_H

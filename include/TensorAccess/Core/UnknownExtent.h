//===- UnknownExtent.h - Dimensions of unknown size in a form ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form (CanonicalAccess.h) needs sizes. A dimension whose size is known at
// run time only has a form too, as long as it only rides along: a batch is the
// everyday case. It then stands in the shape with one size that no other
// dimension has, `kUnknownExtent`, and the form that is computed for this size
// holds for every size, provided that
//
//   - each piece holds on all of the dimension: its range is the whole one and
//     no constraint mentions it;
//   - an index into a source is the dimension alone, `d2`, or does not mention
//     it: nothing divides it, shifts it or adds to it;
//   - it is known how long it is: a piece reads a source's dimension along it,
//     or the form names one (CanonicalAccess::Extent).
//
// Why that suffices: an index without it is a function of the other dimensions,
// the same whatever the size; an index that is the dimension reads a dimension
// of the source of the same size, all of it, in order. So a form that is right
// for one size greater than every static index is right for all, also for 0,
// where there is nothing to be wrong about. `carriesUnknown` is that condition,
// to be asked of every form that is made; an array that fails it is a source of
// its own.
//
// The stand-in is a prime, so that no product of other sizes contains it.
// Arrays that have a static size divisible by it have no form.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_UNKNOWNEXTENT_H
#define TENSORACCESS_CORE_UNKNOWNEXTENT_H

#include "TensorAccess/Core/CanonicalAccess.h"

namespace mlir::tensoraccess {

/// The size that stands for a size known at run time.
constexpr int64_t kUnknownExtent = 1000003;

inline bool isUnknownExtent(int64_t size) { return size == kUnknownExtent; }
bool hasUnknownExtent(llvm::ArrayRef<int64_t> shape);

/// A shape with the stand-in for its dynamic sizes. None where a static size is
/// divisible by the stand-in.
std::optional<llvm::SmallVector<int64_t>>
toFormShape(llvm::ArrayRef<int64_t> shape);
/// The reverse.
llvm::SmallVector<int64_t> fromFormShape(llvm::ArrayRef<int64_t> shape);

/// True if the form holds whatever the sizes that are unknown are; see above.
/// True for forms without such dimensions.
bool carriesUnknown(const CanonicalAccess &access);

/// True if a reshape between the two shapes leaves every unknown dimension
/// alone: as many sizes are unknown in both, and between one and the next,
/// before the first and after the last there are equally many elements. False
/// where a size is 0 beside an unknown one.
bool reshapeKeepsUnknown(llvm::ArrayRef<int64_t> from,
                         llvm::ArrayRef<int64_t> to);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_UNKNOWNEXTENT_H

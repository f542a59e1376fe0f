//===- Slice.h - Places of a slice and their policies -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice takes the places `offset + i·stride`, 0 ≤ i < count, of a dimension.
// Where a place lies outside, an out-of-bounds policy (Projection.h) says which
// element stands there. The verifier, the kernel and the canonicaliser all ask
// here.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_SLICE_H
#define TENSORACCESS_CORE_SLICE_H

#include "TensorAccess/Core/Projection.h"
#include "TensorAccess/Core/Shape.h"

namespace mlir::tensoraccess {

/// What is wrong with taking `count` places of a dimension under a policy, as
/// the end of a message (`must …, got …`); empty where nothing is:
///
///   forbid    every place lies in [0, size); for count 0, offset in [0, size];
///   negative  every place lies in [-size, size);
///   wrap, clamp   the dimension has an element, or count is 0;
///   pad       nothing, ever.
///
/// Under every policy the last place must fit in 64 bits. kToTheEnd has a
/// meaning under forbid and negative only. A dynamic size is at least 0: what
/// is wrong for every such size is wrong. Requires stride ≠ 0 and count ≥ 0 or
/// kToTheEnd.
std::string checkSlice(int64_t size, int64_t offset, int64_t count,
                       int64_t stride,
                       OutOfBounds::Kind policy = OutOfBounds::Kind::Forbid);

/// How many places follow each other from the first one to the end of the
/// dimension, where checkSlice has nothing against kToTheEnd and the size is
/// static. Under negative, places below 0 count from the end and end there.
int64_t countToTheEnd(int64_t size, int64_t offset, int64_t stride);

/// A run of a slice's places that another op can say: `count` places `first +
/// i·stride` inside the dimension (stride 0: one element, again and again), or
/// `count` places of padding.
struct SliceRun {
  int64_t count = 0;
  bool isPadding = false;
  int64_t first = 0, stride = 1;

  bool operator==(const SliceRun &o) const {
    return count == o.count && isPadding == o.isPadding && first == o.first &&
           stride == o.stride;
  }
};

/// The places of a slice in order, as runs, at most `maxRuns`; none beyond that. Requires a static size, count ≥ 0, and that checkSlice has
/// nothing against it.
std::optional<llvm::SmallVector<SliceRun>>
getSliceRuns(int64_t size, int64_t offset, int64_t count, int64_t stride,
             OutOfBounds::Kind policy, size_t maxRuns);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_SLICE_H

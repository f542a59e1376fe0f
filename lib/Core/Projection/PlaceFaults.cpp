//===- PlaceFaults.cpp - What is wrong with a place of a region -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of two 64-bit numbers has 127 bits and a sign; 192 bits hold the
// sum of as many of them as a row may have entries.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/ProjectionFootprint.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static llvm::APInt makeWide(int64_t value) {
  return llvm::APInt(192, static_cast<uint64_t>(value), /*isSigned=*/true);
}

static std::string print(const llvm::APInt &value) {
  llvm::SmallString<64> text;
  value.toString(text, 10, /*Signed=*/true);
  return std::string(text);
}

/// `first` and `last` are the ends of a block, both in it.
static std::string describeReach(const Projection &projection,
                                 ArrayRef<int64_t> first,
                                 ArrayRef<int64_t> last) {
  const std::string what = "the region overflows 64-bit arithmetic";
  if (first.size() != projection.getNumColumns())
    return what;
  for (size_t r = 0; r != projection.getNumRows(); ++r) {
    llvm::APInt lo = makeWide(projection.offset[r]);
    if (projection.anchor)
      lo += makeWide((*projection.anchor)[r]);
    llvm::APInt hi = lo + makeWide(projection.shape[r]);
    for (auto [c, entry] : llvm::enumerate(projection.matrix[r])) {
      const bool isDown = entry < 0;
      lo += makeWide(entry) * makeWide(isDown ? last[c] : first[c]);
      hi += makeWide(entry) * makeWide(isDown ? first[c] : last[c]);
    }
    if (!lo.isSignedIntN(64) || !hi.isSignedIntN(64) ||
        !(hi - lo).isSignedIntN(64))
      return what + ": [" + print(lo) + ", " + print(hi) + ") of dimension " +
             std::to_string(r);
  }
  return what;
}

std::string mlir::tensoraccess::describeOverflow(const Projection &projection,
                                                 const IndexRegion &block) {
  SmallVector<int64_t> last;
  for (auto [lo, hi] : llvm::zip_equal(block.lo, block.hi)) {
    if (lo >= hi)
      return "the region overflows 64-bit arithmetic";
    last.push_back(hi - 1);
  }
  return describeReach(projection, block.lo, last);
}

std::string mlir::tensoraccess::describeOverflow(const Projection &projection,
                                                 ArrayRef<int64_t> point) {
  return describeReach(projection, point, point);
}

std::string mlir::tensoraccess::describeForbidden(OutOfBounds::Kind policy,
                                                  int64_t place,
                                                  const std::string &dimension,
                                                  int64_t size) {
  const std::string what =
      "place " + std::to_string(place) + " of " + dimension;
  if (size == 0 && policy != OutOfBounds::Kind::Forbid)
    return what + " is not one of its 0 elements, whatever the policy";
  return what + " is forbidden outside of [" +
         (policy == OutOfBounds::Kind::Negative ? "-" + std::to_string(size)
                                                : "0") +
         ", " + std::to_string(size) + ")";
}

//===- FootprintTest.cpp - What maps reach, worked by hand ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Footprint.h"

#include "ParseMap.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

Box box(llvm::ArrayRef<int64_t> lo, llvm::ArrayRef<int64_t> hi) {
  return {llvm::SmallVector<int64_t>(lo), llvm::SmallVector<int64_t>(hi)};
}

Footprint exactly(Box hull, uint64_t count) {
  return {Exactness::Exact, std::move(hull), count};
}

// A window of 7 at stride 2 covers everything between its ends.
TEST(Footprint, AWindowIsAnInterval) {
  IndexingMap map =
      parse("(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 111], "
               "s0 in [0, 6]");
  EXPECT_EQ(getImage(map), exactly(box({0}, {229}), 229));
  EXPECT_EQ(countPoints(map), 784u);
  EXPECT_EQ(isInjective(map), false);
  Box block = box({2}, {4});
  EXPECT_EQ(getImage(map, &block), exactly(box({4}, {13}), 9));
  EXPECT_EQ(getPreimage(map, box({0}, {3})), exactly(box({0}, {2}), 2));
}

} // namespace

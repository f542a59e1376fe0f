//===- KernelTest.h - What tests of kernels share ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_KERNELTEST_H
#define TENSORACCESS_TEST_CORE_KERNELTEST_H

#include "TensorAccess/Core/Kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <functional>

namespace mlir::tensoraccess::test {

using llvm::ArrayRef;
using llvm::cantFail;
using llvm::Expected;
using llvm::SmallVector;
using Shape = SmallVector<int64_t>;

inline Tensor random(ArrayRef<int64_t> shape,
                     ElementType type = ElementType::F32, uint64_t stream = 0) {
  return cantFail(Tensor::random(type, shape, 11, stream));
}

inline AccessPattern randomPattern(ArrayRef<int64_t> shape, int64_t axis,
                                   ElementType type = ElementType::F32,
                                   uint64_t stream = 0) {
  return AccessPattern(random(shape, type, stream), axis);
}

/// <3x2 | 2 x 4x5>: a tuple, held as components.
inline AccessPattern tuplePattern(ElementType type = ElementType::F32) {
  return cantFail(kernels::cartProd(randomPattern({3, 4, 5}, 1, type, 1),
                                    randomPattern({2, 4, 5}, 1, type, 2)));
}

/// The same pattern as one dense tensor.
inline AccessPattern dense(const AccessPattern &pattern) {
  return AccessPattern(cantFail(pattern.join()), pattern.getAccessRank());
}

inline std::string errorOf(Expected<AccessPattern> pattern) {
  return pattern ? "no error" : llvm::toString(pattern.takeError());
}

inline void expectEqual(const AccessPattern &a, const AccessPattern &b) {
  EXPECT_EQ(a.getAccessRank(), b.getAccessRank());
  ASSERT_EQ(a.getShape(), b.getShape());
  EXPECT_TRUE(
      cantFail(compare(cantFail(a.join()), cantFail(b.join()))).allBitEqual());
}

/// The element of a pattern at an index of access and compute dimensions.
inline double at(const AccessPattern &pattern, ArrayRef<int64_t> index) {
  return cantFail(pattern.join()).getDouble(index);
}

using Kernel = std::function<Expected<AccessPattern>(const AccessPattern &)>;

/// A kernel must not care how its operand is held.
inline void expectSameWhenJoined(const Kernel &kernel) {
  AccessPattern pattern = tuplePattern();
  ASSERT_EQ(pattern.getTupleRank(), 1);
  expectEqual(cantFail(kernel(pattern)), cantFail(kernel(dense(pattern))));
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_KERNELTEST_H

//===- SystolicSimulatorTest.cpp - The array against kernel and formula ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Run.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

static AccessPattern randomPattern(ArrayRef<int64_t> shape, int64_t split,
                                   ElementType type, uint64_t seed) {
  return AccessPattern(cantFail(Tensor::random(type, shape, seed)), split);
}

static void expectSameBits(const AccessPattern &lhs, const AccessPattern &rhs) {
  ASSERT_EQ(lhs.getShape(), rhs.getShape());
  Tensor a = cantFail(cantFail(lhs.join()).toDense()),
         b = cantFail(cantFail(rhs.join()).toDense());
  size_t bytes = a.getNumElements() * byteSize(a.getElementType());
  EXPECT_EQ(std::memcmp(a.getData(), b.getData(), bytes), 0);
}

// The simulated array has the bits of the kernel and the cycles of the formula,
// whatever the sizes.
TEST(SystolicSimulator, agrees_with_kernel_and_formula) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  for (int trial = 0; trial < 400; ++trial) {
    SystolicArray array{pick(1, 6), pick(1, 6), pick(0, 1) * pick(1, 5),
                        pick(0, 1) == 1};
    auto type = static_cast<ElementType>(pick(0, 8));
    // Sums of their own type, or of a wider one.
    std::optional<ElementType> accumulator;
    if (auto wide = static_cast<ElementType>(pick(0, 8));
        isExtension(type, wide) && wide != type)
      accumulator = wide;
    int64_t m0 = pick(0, 3), m1 = pick(1, 4), k = pick(0, 14), n = pick(0, 14);
    AccessPattern a = randomPattern({m0, m1, k}, 2, type, trial),
                  w = randomPattern({k, n}, 0, type, trial + 1000);
    SCOPED_TRACE(testing::Message()
                 << array.rows << "x" << array.cols << " of "
                 << array.accumulators << ": " << m0 * m1 << "x" << k << "x"
                 << n << " " << toString(type).str());
    SystolicRun run = cantFail(
        simulateSystolicArray(array, a, w, /*isBlocked=*/true, accumulator));
    expectSameBits(run.result, cantFail(kernels::systolicArray(
                                   a, w, array.rows, array.cols,
                                   /*isBlocked=*/true, accumulator)));
    std::optional<SystolicCost> cost = getSystolicCost(array, m0 * m1, k, n);
    ASSERT_TRUE(cost);
    EXPECT_EQ(run.cost.str(array), cost->str(array));
    EXPECT_TRUE(run.cost == *cost);
  }
}

// A batch of weights, one after the other.
TEST(SystolicSimulator, batches) {
  SystolicArray array{2, 4};
  AccessPattern a = randomPattern({3, 4, 5}, 2, ElementType::F32, 1),
                w = randomPattern({3, 5, 7}, 1, ElementType::F32, 2);
  SystolicRun run = cantFail(simulateSystolicArray(array, a, w, true));
  expectSameBits(run.result,
                 cantFail(kernels::systolicArray(a, w, 2, 4, true)));
  SystolicCost cost, one = *getSystolicCost(array, 4, 5, 7);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(cost.add(one));
  EXPECT_TRUE(run.cost == cost);
  // The next weights are loaded while the last product of the one before runs.
  array.isDoubleBuffered = true;
  for (int64_t accumulators : {0, 3}) {
    array.accumulators = accumulators;
    run = cantFail(simulateSystolicArray(array, a, w, true));
    EXPECT_EQ(run.cost.load, 2);
    EXPECT_EQ(run.cost.stream, cost.stream);
    one = *getSystolicCost(array, 4, 5, 7);
    EXPECT_EQ(run.cost.fill, 3 * one.fill);
    EXPECT_EQ(run.cost.drain, 3 * one.drain);
  }
}

// 3 items of 2 through 2 x 4 cells: 2 cycles to load, the last sum leaves in
// cycle 3 + 2 + 4 - 2.
TEST(SystolicSimulator, worked_example) {
  SystolicArray array{2, 4};
  SystolicCost cost = *getSystolicCost(array, 3, 2, 4);
  EXPECT_EQ(cost.str(array), "1 load, 9 cycles (2 to load, 3 to stream, 1 to "
                             "fill, 3 to drain), 24 products, 33.3 % of the "
                             "cells in use");
  EXPECT_EQ(cost.weights, 8);
  EXPECT_EQ(cost.activations, 6);
  EXPECT_EQ(cost.results, 12);
  // Twice as deep: two loads, one of which is hidden behind the first stream.
  EXPECT_EQ(getSystolicCost(array, 3, 4, 4)->getCycles(), 18);
  array.isDoubleBuffered = true;
  EXPECT_EQ(getSystolicCost(array, 3, 4, 4)->getCycles(), 16);
  // Accumulators for two items: the third takes passes of its own.
  array.accumulators = 2;
  EXPECT_EQ(getSystolicCost(array, 3, 4, 4)->invocations, 4);
  EXPECT_EQ(getSystolicCost(array, 3, 4, 4)->weights, 32);
}

// A matrix of 4096 on 16 x 16 cells: each block is loaded once.
TEST(SystolicSimulator, large_products) {
  SystolicArray array{16, 16};
  EXPECT_EQ(getSystolicCost(array, 4096, 4096, 4096)->invocations, 256 * 256);
  EXPECT_FALSE(getSystolicCost(array, int64_t(1) << 30, int64_t(1) << 30,
                               int64_t(1) << 30));
  SystolicCost sum,
      half = *getSystolicCost({1, 1}, int64_t(1) << 31, int64_t(1) << 31, 1);
  EXPECT_TRUE(sum.add(half));
  EXPECT_FALSE(sum.add(half));
  EXPECT_TRUE(sum == half);
}

TEST(SystolicSimulator, errors) {
  EXPECT_EQ(*SystolicArray({0, 4}).verify(), "rows must be positive, got 0");
  EXPECT_EQ(*SystolicArray({4, -1}).verify(), "cols must be positive, got -1");
  EXPECT_EQ(*SystolicArray({int64_t(1) << 32, int64_t(1) << 31}).verify(),
            "an array of 4294967296x2147483648 has more than 2^63 - 1 cells");
  EXPECT_EQ(*SystolicArray({4, 4, -2}).verify(),
            "accumulators must not be negative, got -2");
  AccessPattern a = randomPattern({3, 5}, 1, ElementType::F32, 1);
  auto message = [&](const AccessPattern &weights, bool isBlocked) {
    return llvm::toString(
        simulateSystolicArray({2, 4}, a, weights, isBlocked).takeError());
  };
  EXPECT_EQ(message(randomPattern({4, 4}, 0, ElementType::F32, 1), true),
            "an array takes items <A | K> and weights <| K x N>, or <B, A | K> "
            "and <B | K x N>, got <3 | 5> and < | 4x4>");
  EXPECT_EQ(message(randomPattern({5, 4}, 0, ElementType::F32, 1), false),
            "weights must be one item of shape [2x4], got [ | 5x4]");
  EXPECT_EQ(message(randomPattern({5, 4}, 0, ElementType::F16, 1), true),
            "element types must be equal, got f32 and f16");
  EXPECT_EQ(
      llvm::toString(simulateSystolicArray(
                         {100000, 100000}, a,
                         randomPattern({5, 4}, 0, ElementType::F32, 1), true)
                         .takeError()),
      "an array of 100000x100000 has more than the 4194304 cells that "
      "are simulated");
}

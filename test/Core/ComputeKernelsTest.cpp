//===- ComputeKernelsTest.cpp - Kinds that divide, extend and exponentiate ===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compute kinds against plain loops, for each element type, with the values
// at the edges of the types.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "TensorAccess/Core/Accelerators.h"

#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/StridedContraction.h"

#include <cmath>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

const ElementType kFloats[] = {ElementType::F16, ElementType::BF16,
                               ElementType::F32, ElementType::F64};

/// A double, rounded to the type.
double rounded(double value, ElementType type) {
  return Tensor::scalar(type, value).getDouble({});
}

/// A tensor of these values.
Tensor tensorOf(ElementType type, ArrayRef<int64_t> shape,
                ArrayRef<double> values) {
  Tensor tensor = cantFail(Tensor::create(type, shape));
  size_t next = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    tensor.setDouble(index, values[next++]);
  });
  return tensor;
}

//===----------------------------------------------------------------------===//
// reduce_mean, softmax
//===----------------------------------------------------------------------===//

TEST(ComputeKernels, mean_is_the_rounded_sum_over_the_count) {
  for (ElementType type : kFloats) {
    AccessPattern pattern = randomPattern({3, 5, 7}, 1, type);
    // The sum before it is rounded.
    const ElementType wide = getSumType(type);
    AccessPattern sums = cantFail(kernels::reduceSum(pattern, wide));
    AccessPattern means = cantFail(kernels::reduceMean(pattern));
    for (int64_t a = 0; a < 3; ++a)
      EXPECT_EQ(at(means, {a}),
                rounded(rounded(at(sums, {a}) / 35, wide), type));
  }
  EXPECT_EQ(
      errorOf(kernels::reduceMean(randomPattern({3, 5}, 1, ElementType::I32))),
      "reduce_mean needs elements of a float type, got i32");
  EXPECT_EQ(errorOf(kernels::reduceMean(randomPattern({3, 0}, 1))),
            "reduce_mean needs a non-empty item, got compute shape [0]");
}

// Step by step as documented, each rounded to the type.
TEST(ComputeKernels, softmax_is_its_formula) {
  for (ElementType type : kFloats) {
    AccessPattern pattern = randomPattern({3, 2, 5}, 1, type);
    AccessPattern result = cantFail(kernels::softmax(pattern));
    ASSERT_EQ(result.getShape(), pattern.getShape());
    for (int64_t a = 0; a < 3; ++a) {
      double greatest = -INFINITY, sum = 0;
      forEachIndex({2, 5}, [&](ArrayRef<int64_t> s) {
        greatest = std::max(greatest, at(pattern, {a, s[0], s[1]}));
      });
      auto power = [&](ArrayRef<int64_t> s) {
        double x = rounded(at(pattern, {a, s[0], s[1]}) - greatest, type);
        return rounded(std::exp(x), type);
      };
      forEachIndex({2, 5}, [&](ArrayRef<int64_t> s) {
        sum = rounded(sum + power(s), getSumType(type));
      });
      sum = rounded(sum, type);
      forEachIndex({2, 5}, [&](ArrayRef<int64_t> s) {
        ASSERT_EQ(at(result, {a, s[0], s[1]}), rounded(power(s) / sum, type));
      });
    }
  }
}

// Without the greatest element subtracted, exp(1000) would be infinite.
TEST(ComputeKernels, softmax_of_large_numbers_and_nan) {
  Tensor large =
      tensorOf(ElementType::F32, {3, 2}, {1000, 1000, -1000, INFINITY, NAN, 1});
  AccessPattern result = cantFail(kernels::softmax(AccessPattern(large, 1)));
  EXPECT_EQ(at(result, {0, 0}), 0.5);
  EXPECT_TRUE(std::isnan(at(result, {1, 1})));
  EXPECT_TRUE(std::isnan(at(result, {2, 1})));
  EXPECT_EQ(cantFail(kernels::softmax(randomPattern({3, 0}, 1))).getShape(),
            (Shape{3, 0}));
  EXPECT_EQ(
      errorOf(kernels::softmax(randomPattern({3, 5}, 1, ElementType::I8))),
      "softmax needs elements of a float type, got i8");
  expectSameWhenJoined(kernels::softmax);
}

//===----------------------------------------------------------------------===//
// elementwise_div, sqrt, negative
//===----------------------------------------------------------------------===//

TEST(ComputeKernels, division_of_floats_rounds_each_quotient) {
  for (ElementType type : kFloats) {
    AccessPattern pattern = randomPattern({3, 7}, 0, type);
    AccessPattern result = cantFail(kernels::elementwiseDiv(pattern));
    for (int64_t i = 0; i < 7; ++i)
      EXPECT_EQ(
          at(result, {i}),
          rounded(rounded(at(pattern, {0, i}) / at(pattern, {1, i}), type) /
                      at(pattern, {2, i}),
                  type));
  }
  Tensor zero = tensorOf(ElementType::F32, {2, 3}, {1, -1, 0, 0, 0, 0});
  AccessPattern result =
      cantFail(kernels::elementwiseDiv(AccessPattern(zero, 0)));
  EXPECT_EQ(at(result, {0}), INFINITY);
  EXPECT_EQ(at(result, {1}), -INFINITY);
  EXPECT_TRUE(std::isnan(at(result, {2})));
}

// Toward zero; the one quotient that does not fit wraps.
TEST(ComputeKernels, division_of_integers) {
  for (ElementType type : {ElementType::I8, ElementType::I16, ElementType::I32,
                           ElementType::I64}) {
    int64_t least = INT64_MIN >> (64 - bitWidth(type));
    Tensor tensor = cantFail(Tensor::create(type, {2, 5}));
    int64_t values[] = {7, -7, 7, least, least, 2, 2, -2, -1, 1};
    for (int64_t i = 0; i < 10; ++i)
      tensor.setInt({i / 5, i % 5}, values[i]);
    Tensor result = cantFail(
        cantFail(kernels::elementwiseDiv(AccessPattern(tensor, 0))).join());
    int64_t expected[] = {3, -3, -3, least, least};
    for (int64_t i = 0; i < 5; ++i)
      EXPECT_EQ(result.getInt({i}), expected[i]);
    tensor.setInt({1, 3}, 0);
    EXPECT_EQ(errorOf(kernels::elementwiseDiv(AccessPattern(tensor, 0))),
              "division by zero of integers");
  }
  Tensor bits = tensorOf(ElementType::I1, {2, 2}, {0, 1, 1, 1});
  AccessPattern result =
      cantFail(kernels::elementwiseDiv(AccessPattern(bits, 0)));
  EXPECT_EQ(at(result, {0}), 0);
  EXPECT_EQ(at(result, {1}), 1);
  expectSameWhenJoined(kernels::elementwiseDiv);
}

TEST(ComputeKernels, sqrt_is_correctly_rounded) {
  for (ElementType type : kFloats) {
    Tensor tensor = tensorOf(type, {6}, {2, 0.25, -0.0, -1, INFINITY, NAN});
    AccessPattern result = cantFail(kernels::sqrt(AccessPattern(tensor, 0)));
    EXPECT_EQ(at(result, {0}), rounded(std::sqrt(2.0), type));
    EXPECT_EQ(at(result, {1}), 0.5);
    EXPECT_TRUE(std::signbit(at(result, {2})));
    EXPECT_TRUE(std::isnan(at(result, {3})));
    EXPECT_EQ(at(result, {4}), INFINITY);
    EXPECT_TRUE(std::isnan(at(result, {5})));
  }
  EXPECT_EQ(errorOf(kernels::sqrt(randomPattern({3}, 0, ElementType::I8))),
            "sqrt needs elements of a float type, got i8");
}

TEST(ComputeKernels, negative_of_the_least_number_stays) {
  Tensor tensor = cantFail(Tensor::create(ElementType::I8, {3}));
  tensor.setInt({0}, -128);
  tensor.setInt({1}, 127);
  AccessPattern result = cantFail(kernels::negative(AccessPattern(tensor, 0)));
  EXPECT_EQ(at(result, {0}), -128);
  EXPECT_EQ(at(result, {1}), -127);
  EXPECT_EQ(at(result, {2}), 0);
  Tensor zero = tensorOf(ElementType::F16, {1}, {0});
  EXPECT_TRUE(std::signbit(
      at(cantFail(kernels::negative(AccessPattern(zero, 0))), {0})));
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

// 16 · (127 · -128) does not fit in i8, nor in i16.
TEST(ComputeKernels, integers_are_extended_with_their_sign) {
  Tensor tensor = cantFail(Tensor::create(ElementType::I8, {2, 16}));
  for (int64_t i = 0; i < 16; ++i) {
    tensor.setInt({0, i}, 127);
    tensor.setInt({1, i}, -128);
  }
  AccessPattern pattern(tensor, 0);
  AccessPattern result = cantFail(kernels::dotProd(pattern, ElementType::I32));
  EXPECT_EQ(result.getElementType(), ElementType::I32);
  EXPECT_EQ(at(result, {}), 16 * 127 * -128);
  EXPECT_EQ(at(cantFail(kernels::dotProd(pattern)), {}), 0);
  EXPECT_EQ(at(cantFail(kernels::reduceSum(pattern, ElementType::I64)), {}),
            -16);
  // As a signed number, a bit is 0 or -1.
  Tensor bits = tensorOf(ElementType::I1, {3}, {1, 0, 1});
  EXPECT_EQ(
      at(cantFail(kernels::reduceSum(AccessPattern(bits, 0), ElementType::I8)),
         {}),
      -2);
}

// 2048 + 1 is not an f16, but an f32, which sums are; 2051 is not an f16
// either.
TEST(ComputeKernels, floats_are_summed_in_the_wider_type) {
  Tensor tensor = tensorOf(ElementType::F16, {4}, {2048, 1, 1, 1});
  AccessPattern pattern(tensor, 0);
  EXPECT_EQ(at(cantFail(kernels::reduceSum(pattern)), {}), 2052);
  EXPECT_EQ(at(cantFail(kernels::reduceSum(pattern, ElementType::F32)), {}),
            2051);
  EXPECT_EQ(errorOf(kernels::reduceSum(pattern, ElementType::BF16)),
            "accumulator must hold all values of f16, got bf16");
  EXPECT_EQ(errorOf(kernels::dotProd(pattern, ElementType::I32)),
            "accumulator must hold all values of f16, got i32");
}

// Every pair of types, against sums of doubles and of 64-bit integers.
TEST(ComputeKernels, accumulators_of_all_types) {
  const ElementType all[] = {
      ElementType::I1,   ElementType::I8,  ElementType::I16,
      ElementType::I32,  ElementType::I64, ElementType::F16,
      ElementType::BF16, ElementType::F32, ElementType::F64};
  unsigned extensions = 0;
  for (ElementType from : all)
    for (ElementType to : all) {
      AccessPattern pattern = randomPattern({3, 2, 5}, 1, from);
      Expected<AccessPattern> result = kernels::dotProd(pattern, to);
      ASSERT_EQ(bool(result), isExtension(from, to));
      if (!result) {
        llvm::consumeError(result.takeError());
        continue;
      }
      ++extensions;
      // Extended one after the other, then without an accumulator.
      Tensor wide = cantFail(Tensor::create(to, {3, 2, 5}));
      Tensor narrow = cantFail(pattern.join());
      forEachIndex({3, 2, 5}, [&](ArrayRef<int64_t> i) {
        if (isFloat(to))
          wide.setDouble(i, narrow.getDouble(i));
        else
          wide.setInt(i, from == ElementType::I1 && from != to
                             ? -narrow.getInt(i)
                             : narrow.getInt(i));
      });
      expectEqual(*result, cantFail(kernels::dotProd(AccessPattern(wide, 1))));
    }
  EXPECT_EQ(extensions, 24u);
}

//===----------------------------------------------------------------------===//
// systolic_array, accelerator_call
//===----------------------------------------------------------------------===//

TEST(ComputeKernels, systolic_array_is_a_matrix_product) {
  AccessPattern a = randomPattern({2, 3, 5}, 2, ElementType::I16, 1);
  AccessPattern b = randomPattern({5, 7}, 0, ElementType::I16, 2);
  AccessPattern result = cantFail(kernels::systolicArray(a, b, 5, 7));
  EXPECT_EQ(result.getAccessRank(), 3);
  ASSERT_EQ(result.getShape(), (Shape{2, 3, 7}));
  forEachIndex({2, 3, 7}, [&](ArrayRef<int64_t> x) {
    double sum = 0;
    for (int64_t r = 0; r < 5; ++r)
      sum += at(a, {x[0], x[1], r}) * at(b, {r, x[2]});
    ASSERT_EQ(at(result, x), sum);
  });
  EXPECT_EQ(errorOf(kernels::systolicArray(a, b, 4, 7)),
            "activations must have compute shape [4], got [5]");
  EXPECT_EQ(errorOf(kernels::systolicArray(a, b, 5, 8)),
            "weights must be one item of shape [5x8], got [ | 5x7]");
  EXPECT_EQ(errorOf(kernels::systolicArray(
                a, randomPattern({5, 7}, 1, ElementType::I16), 5, 7)),
            "weights must be one item of shape [5x7], got [5 | 7]");
}

TEST(ComputeKernels, systolic_array_in_blocks_adds_partial_sums) {
  AccessPattern a = randomPattern({2, 3, 5}, 2, ElementType::F16, 1);
  AccessPattern b = randomPattern({5, 7}, 0, ElementType::F16, 2);
  // Each block is a sum of its own, and so is their sum.
  for (int64_t rows : {1, 2, 3, 4, 5, 9}) {
    AccessPattern result =
        cantFail(kernels::systolicArray(a, b, rows, 4, /*isBlocked=*/true));
    ASSERT_EQ(result.getShape(), (Shape{2, 3, 7}));
    auto round = [](double value) {
      return Tensor::scalar(ElementType::F32, value).getDouble({});
    };
    forEachIndex({2, 3, 7}, [&](ArrayRef<int64_t> x) {
      double sum = 0;
      for (int64_t low = 0; low < 5; low += rows) {
        double partial = 0;
        for (int64_t r = low; r < std::min<int64_t>(5, low + rows); ++r)
          partial =
              round(partial + round(at(a, {x[0], x[1], r}) * at(b, {r, x[2]})));
        sum = round(sum + partial);
      }
      ASSERT_EQ(at(result, x), rounded(sum, ElementType::F16)) << rows;
    });
  }
  // No rows, no products.
  AccessPattern none = cantFail(kernels::systolicArray(
      randomPattern({3, 0}, 1), randomPattern({0, 7}, 0), 2, 4, true));
  forEachIndex({3, 7}, [&](ArrayRef<int64_t> x) { ASSERT_EQ(at(none, x), 0); });
  EXPECT_EQ(errorOf(kernels::systolicArray(
                a, randomPattern({4, 7}, 0, ElementType::F16), 2, 4, true)),
            "blocked weights must have shape [5x7], got [4x7]");
  // A batch: each item of the first dimension has weights of its own.
  AccessPattern c = randomPattern({2, 5, 7}, 1, ElementType::I16, 3),
                d = randomPattern({2, 3, 5}, 2, ElementType::I16, 4);
  AccessPattern batch = cantFail(kernels::systolicArray(d, c, 2, 4, true));
  forEachIndex({2, 3, 7}, [&](ArrayRef<int64_t> x) {
    double sum = 0;
    for (int64_t r = 0; r < 5; ++r)
      sum += at(d, {x[0], x[1], r}) * at(c, {x[0], r, x[2]});
    ASSERT_EQ(at(batch, x), sum);
  });
  EXPECT_EQ(errorOf(kernels::systolicArray(
                d, randomPattern({3, 5, 7}, 1, ElementType::I16), 2, 4, true)),
            "blocked weights must have shape [2x5x7], got [3x5x7]");
  // Elements that are extended before they are multiplied.
  AccessPattern wide =
      cantFail(kernels::systolicArray(d, c, 2, 4, true, ElementType::I64));
  EXPECT_EQ(wide.getElementType(), ElementType::I64);
  forEachIndex({2, 3, 7}, [&](ArrayRef<int64_t> x) {
    double sum = 0;
    for (int64_t r = 0; r < 5; ++r)
      sum += at(d, {x[0], x[1], r}) * at(c, {x[0], r, x[2]});
    ASSERT_EQ(at(wide, x), sum);
  });
  EXPECT_EQ(errorOf(kernels::systolicArray(d, c, 2, 4, true, ElementType::F16)),
            "accumulator must hold all values of i16, got f16");
  EXPECT_EQ(errorOf(kernels::systolicArray(a, b, 0, 4, true)),
            "an array must have cells, got 0x4");
  EXPECT_EQ(errorOf(kernels::systolicArray(
                randomPattern({3, 5, 1}, 1, ElementType::F16), b, 2, 4, true)),
            "blocked activations must have one compute dimension, got [5x1]");
}

TEST(ComputeKernels, accelerators_are_known_by_name) {
  AcceleratorResult wanted{ElementType::F32, {3}, {5}};
  AccessPattern a = randomPattern({3, 5}, 1);
  EXPECT_EQ(errorOf(kernels::acceleratorCall("vector-add", {a, a}, wanted)),
            "there is no functional model of accelerator 'vector-add'");
  registerAccelerator("vector-add", [](ArrayRef<AccessPattern> operands,
                                       const AcceleratorResult &wanted) {
    EXPECT_EQ(wanted.computeShape, Shape{5});
    return kernels::elementwiseAdd(
        cantFail(kernels::pair(operands[0], operands[1])));
  });
  EXPECT_EQ(getAcceleratorNames(), std::vector<std::string>{"vector-add"});
  AccessPattern sum =
      cantFail(kernels::acceleratorCall("vector-add", {a, a}, wanted));
  EXPECT_EQ(at(sum, {2, 4}), 2 * at(a, {2, 4}));
  registerAccelerator("vector-add", nullptr);
  EXPECT_TRUE(getAcceleratorNames().empty());
}

} // namespace

//===- TensorTest.cpp - Element types, views, random contents, comparison -===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir::tensoraccess;
using llvm::APFloat;
using llvm::cantFail;
using llvm::SmallVector;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What LLVM's own floats round a double to.
uint16_t roundByAPFloat(double value, const llvm::fltSemantics &semantics) {
  APFloat wide(value);
  bool losesInfo;
  wide.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return wide.bitcastToAPInt().getZExtValue();
}

/// 0, 1, 2, … in row-major order.
Tensor iota(llvm::ArrayRef<int64_t> shape) {
  Tensor tensor = cantFail(Tensor::create(ElementType::I64, shape));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.getDataAs<int64_t>()[i] = i;
  return tensor;
}

std::string errorOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

// Every f16 and bf16 has the value that LLVM's floats give it.
TEST(ElementType, small_floats_widen_exactly) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    for (auto [semantics, value] :
         {std::pair(&APFloat::IEEEhalf(), fromF16Bits(bits)),
          std::pair(&APFloat::BFloat(), fromBF16Bits(bits))}) {
      APFloat expected(*semantics, llvm::APInt(16, bits));
      if (expected.isNaN()) {
        EXPECT_TRUE(std::isnan(value));
        continue;
      }
      bool losesInfo;
      expected.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                       &losesInfo);
      ASSERT_EQ(llvm::bit_cast<uint64_t>(double(value)),
                expected.bitcastToAPInt().getZExtValue());
    }
  }
}

// Rounding agrees with LLVM's floats on each value, each midpoint between two
// neighbours, and just beside the midpoint.
TEST(ElementType, small_floats_round_to_nearest_even) {
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    double low = fromF16Bits(bits), high = fromF16Bits(bits + 1);
    if (std::isinf(high))
      high = 0x1p16; // the next one, had f16 more exponents
    double middle = low / 2 + high / 2;
    for (double value : {low, middle, std::nextafter(middle, 0),
                         std::nextafter(middle, infinity)})
      for (double signedValue : {value, -value})
        ASSERT_EQ(toF16Bits(signedValue),
                  roundByAPFloat(signedValue, APFloat::IEEEhalf()))
            << signedValue;
  }
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    double low = fromBF16Bits(bits), high = fromBF16Bits(bits + 1);
    if (std::isinf(high))
      high = 0x1p128;
    double middle = low / 2 + high / 2;
    for (double value : {low, middle, std::nextafter(middle, 0),
                         std::nextafter(middle, infinity), -middle})
      ASSERT_EQ(toBF16Bits(value), roundByAPFloat(value, APFloat::BFloat()))
          << value;
  }
}

TEST(ElementType, small_floats_keep_infinity_and_nan) {
  EXPECT_EQ(toF16Bits(infinity), 0x7c00);
  EXPECT_EQ(toF16Bits(-infinity), 0xfc00);
  EXPECT_EQ(toF16Bits(65520), 0x7c00);
  EXPECT_EQ(toF16Bits(65519.99), 0x7bff);
  EXPECT_EQ(toF16Bits(1e300), 0x7c00);
  EXPECT_EQ(toF16Bits(5e-324), 0);
  EXPECT_TRUE(std::isnan(fromF16Bits(toF16Bits(NAN))));
  EXPECT_TRUE(std::isnan(fromBF16Bits(toBF16Bits(-NAN))));
}

// A sum of f16 is rounded at each step: 2048 + 1 is 2048 there.
TEST(ElementType, f16_rounds_after_each_addition) {
  using Math = Arithmetic<Half>;
  Half sum(2048);
  for (int i = 0; i < 8; ++i)
    sum = Math::add(sum, Half(1));
  EXPECT_EQ(float(sum), 2048);
}

TEST(ElementType, integers_wrap) {
  EXPECT_EQ(Arithmetic<int8_t>::add(127, 1), -128);
  EXPECT_EQ(Arithmetic<int64_t>::mul(INT64_MAX, 2), -2);
  EXPECT_EQ(Arithmetic<Bit>::add(Bit(true), Bit(true)).value, 0);
}

TEST(ElementType, max_keeps_nan_and_prefers_positive_zero) {
  using Math = Arithmetic<float>;
  EXPECT_TRUE(std::isnan(Math::max(NAN, 1)));
  EXPECT_TRUE(std::isnan(Math::max(1, NAN)));
  EXPECT_FALSE(std::signbit(Math::max(-0.0f, 0.0f)));
  EXPECT_FALSE(std::signbit(Math::max(0.0f, -0.0f)));
  EXPECT_EQ(Math::max(-3, -5), -3);
}

TEST(ElementType, precision_is_llvms) {
  EXPECT_EQ(getPrecision(ElementType::F32), std::numeric_limits<float>::digits);
  EXPECT_EQ(getPrecision(ElementType::F64),
            std::numeric_limits<double>::digits);
  EXPECT_EQ(getPrecision(ElementType::F16),
            int(APFloat::semanticsPrecision(APFloat::IEEEhalf())));
  EXPECT_EQ(getPrecision(ElementType::BF16),
            int(APFloat::semanticsPrecision(APFloat::BFloat())));
}

TEST(Shape, unravel_undoes_row_major_order) {
  for (SmallVector<int64_t> shape :
       {SmallVector<int64_t>{}, {1}, {3, 1, 4}, {2, 5}, {7, 2, 3}}) {
    int64_t number = 0;
    forEachIndex(shape, [&](llvm::ArrayRef<int64_t> index) {
      EXPECT_EQ(llvm::ArrayRef<int64_t>(unravel(number++, shape)), index);
    });
  }
  using Index = SmallVector<int64_t>;
  EXPECT_EQ(unravel(7, {kDynamicSize, 3}), (Index{2, 1}));
  EXPECT_EQ(unravel(7, {2, kDynamicSize, 3}), (Index{0, 2, 1}));
  EXPECT_EQ(unravel(5, {2, 0}), (Index{0, 5}));
}

TEST(Tensor, views_share_memory) {
  Tensor tensor = iota({3, 5, 7});
  Tensor turned = tensor.transpose({2, 0, 1});
  EXPECT_EQ(turned.getShape(), llvm::ArrayRef<int64_t>({7, 3, 5}));
  EXPECT_EQ(turned.getInt({6, 1, 4}), tensor.getInt({1, 4, 6}));
  EXPECT_FALSE(turned.isDense());
  EXPECT_EQ(turned.getOwner(), tensor.getOwner());
  Tensor slice = tensor.slice({2, 4, 0}, {2, 2, 3}, {-1, -3, 2});
  EXPECT_EQ(slice.getInt({1, 1, 2}), tensor.getInt({1, 1, 4}));
  EXPECT_EQ(tensor.select(1, 3).getInt({2, 5}), tensor.getInt({2, 3, 5}));
  EXPECT_EQ(tensor.broadcastAt(1, 9).getInt({2, 8, 3, 5}),
            tensor.getInt({2, 3, 5}));
}

// reshape keeps the row-major order, for views of every kind of strides.
TEST(Tensor, reshape_keeps_row_major_order) {
  Tensor tensor = iota({4, 6, 5});
  SmallVector<Tensor> views = {tensor,
                               tensor.transpose({1, 0, 2}),
                               tensor.transpose({2, 1, 0}),
                               tensor.slice({0, 1, 0}, {4, 3, 4}, {1, 2, 1}),
                               tensor.broadcastAt(1, 3),
                               tensor.broadcastAt(0, 1).broadcastAt(3, 2)};
  for (const Tensor &view : views) {
    int64_t count = view.getNumElements();
    Tensor flat = cantFail(view.clone());
    const int64_t *expected = flat.getDataAs<int64_t>();
    for (SmallVector<int64_t> shape :
         {SmallVector<int64_t>{count}, SmallVector<int64_t>{1, count, 1},
          SmallVector<int64_t>{2, count / 2},
          SmallVector<int64_t>{4, 3, count / 12},
          SmallVector<int64_t>{count / 4, 2, 2}}) {
      Tensor reshaped = cantFail(cantFail(view.reshape(shape)).clone());
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(reshaped.getDataAs<int64_t>()[i], expected[i]);
    }
  }
}

TEST(Tensor, reshape_is_a_view_where_strides_allow) {
  Tensor tensor = iota({4, 6, 5});
  auto sharesMemory = [&](const Tensor &view, SmallVector<int64_t> shape) {
    return cantFail(view.reshape(shape)).getOwner() == tensor.getOwner();
  };
  EXPECT_TRUE(sharesMemory(tensor, {120}));
  EXPECT_TRUE(sharesMemory(tensor.transpose({2, 0, 1}), {5, 24}));
  EXPECT_FALSE(sharesMemory(tensor.transpose({2, 0, 1}), {120}));
  EXPECT_TRUE(sharesMemory(tensor.broadcastAt(0, 8), {2, 4, 12, 10}));
}

TEST(Tensor, reshape_of_empty_and_scalar) {
  EXPECT_EQ(cantFail(iota({0, 3}).reshape({7, 0})).getNumElements(), 0);
  EXPECT_EQ(cantFail(iota({}).reshape({1, 1})).getInt({0, 0}), 0);
  EXPECT_EQ(errorOf(iota({2, 3}).reshape({5}).takeError()),
            "reshape must keep the element count, got 2x3 and 5");
}

TEST(Tensor, create_refuses_impossible_shapes) {
  EXPECT_EQ(errorOf(Tensor::create(ElementType::F32, {3, -1}).takeError()),
            "size 1 of a tensor must not be negative, got -1");
  EXPECT_EQ(errorOf(Tensor::create(ElementType::F32,
                                   {int64_t(1) << 40, int64_t(1) << 40})
                        .takeError()),
            "the bytes of a tensor must fit in 63 bits, got f32 "
            "1099511627776x1099511627776");
  EXPECT_EQ(
      errorOf(Tensor::create(ElementType::F64, {int64_t(1) << 58}).takeError()),
      "no memory for a tensor of f64 288230376151711744");
}

TEST(Tensor, elements_convert) {
  Tensor tensor = cantFail(Tensor::create(ElementType::I8, {2}));
  tensor.setInt({0}, 300);
  tensor.setDouble({1}, -1.75);
  EXPECT_EQ(tensor.getInt({0}), 44);
  EXPECT_EQ(tensor.getDouble({1}), -1);
  EXPECT_EQ(Tensor::scalar(ElementType::F16, 1e9).getDouble({}), infinity);
  EXPECT_EQ(Tensor::scalar(ElementType::F64, 1e30).getInt({}), INT64_MAX);
  EXPECT_EQ(Tensor::scalar(ElementType::F32, NAN).getInt({}), 0);
  EXPECT_EQ(Tensor::scalarInt(ElementType::I1, -1).getInt({}), 1);
}

// These figures hold on every machine: they are the generator's definition,
// computed by hand from the file comment of Tensor.h.
TEST(Tensor, random_is_reproducible) {
  Tensor a = cantFail(Tensor::random(ElementType::F32, {3, 5}, 7, 2));
  Tensor b = cantFail(Tensor::random(ElementType::F32, {3, 5}, 7, 2));
  EXPECT_TRUE(cantFail(compare(a, b)).allBitEqual());
  Tensor stream = cantFail(Tensor::random(ElementType::F32, {3, 5}, 7, 3));
  Tensor seed = cantFail(Tensor::random(ElementType::F32, {3, 5}, 8, 2));
  EXPECT_LT(cantFail(compare(a, stream)).bitEqual, 3);
  EXPECT_LT(cantFail(compare(a, seed)).bitEqual, 3);
  auto mix = [](uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  };
  uint64_t g = 0x9E3779B97F4A7C15;
  uint64_t word = mix(mix(7 + 3 * g) + 8 * g); // element 7 is [1, 2]
  EXPECT_EQ(a.getDouble({1, 2}), double(word >> 40) * 0x1p-23 - 1);
}

TEST(Tensor, random_stays_in_range) {
  for (ElementType type : {ElementType::F16, ElementType::BF16,
                           ElementType::F32, ElementType::F64}) {
    Tensor tensor = cantFail(Tensor::random(type, {40, 50}, 1));
    double sum = 0;
    for (int64_t i = 0; i < 40; ++i)
      for (int64_t j = 0; j < 50; ++j) {
        double value = tensor.getDouble({i, j});
        EXPECT_TRUE(value >= -1 && value < 1);
        sum += value;
      }
    EXPECT_LT(std::fabs(sum), 200); // 2000 values of deviation 0.58
  }
  Tensor ints = cantFail(Tensor::random(ElementType::I16, {500}, 1));
  bool seen[16] = {};
  for (int64_t i = 0; i < 500; ++i)
    seen[ints.getInt({i}) + 8] = true;
  for (bool value : seen)
    EXPECT_TRUE(value);
}

TEST(Compare, finds_the_worst_element) {
  Tensor a = cantFail(Tensor::create(ElementType::F32, {3, 5}));
  Tensor b = cantFail(Tensor::create(ElementType::F32, {3, 5}));
  a.setDouble({1, 2}, 100);
  b.setDouble({1, 2}, 101);
  a.setDouble({2, 4}, 0.25);
  b.setDouble({2, 4}, 0.5);
  Comparison result = cantFail(compare(a, b));
  EXPECT_EQ(result.elements, 15);
  EXPECT_EQ(result.bitEqual, 13);
  EXPECT_EQ(result.maxAbs, 1);
  EXPECT_EQ(result.maxAbsIndex, (SmallVector<int64_t>{1, 2}));
  EXPECT_EQ(result.maxRel, 0.5);
  EXPECT_EQ(result.maxRelIndex, (SmallVector<int64_t>{2, 4}));
  // The same through views of other strides.
  Comparison turned = cantFail(
      compare(a.transpose({1, 0}), cantFail(b.transpose({1, 0}).clone())));
  EXPECT_EQ(turned.maxAbsIndex, (SmallVector<int64_t>{2, 1}));
}

TEST(Compare, treats_nan_and_infinity) {
  auto scalars = [](double a, double b) {
    return cantFail(compare(Tensor::scalar(ElementType::F64, a),
                            Tensor::scalar(ElementType::F64, b)));
  };
  EXPECT_EQ(scalars(NAN, -NAN).maxAbs, 0);
  EXPECT_EQ(scalars(NAN, -NAN).bitEqual, 0);
  EXPECT_EQ(scalars(NAN, 1).nanMismatches, 1);
  EXPECT_EQ(scalars(NAN, 1).maxAbs, infinity);
  EXPECT_EQ(scalars(infinity, infinity).maxAbs, 0);
  EXPECT_EQ(scalars(infinity, -infinity).maxAbs, infinity);
  EXPECT_EQ(scalars(infinity, 5).nanMismatches, 0);
  EXPECT_EQ(scalars(0.0, -0.0).maxAbs, 0);
  EXPECT_EQ(scalars(0.0, -0.0).bitEqual, 0);
}

TEST(Compare, is_exact_for_large_integers) {
  Comparison result =
      cantFail(compare(Tensor::scalarInt(ElementType::I64, INT64_MIN),
                       Tensor::scalarInt(ElementType::I64, INT64_MAX)));
  EXPECT_EQ(result.maxAbs, 0x1p64);
  result = cantFail(compare(Tensor::scalarInt(ElementType::I64, INT64_MAX - 1),
                            Tensor::scalarInt(ElementType::I64, INT64_MAX)));
  EXPECT_EQ(result.maxAbs, 1);
}

TEST(Compare, refuses_other_types) {
  EXPECT_EQ(errorOf(compare(iota({3}), iota({3, 1})).takeError()),
            "tensors to compare must have one type, got i64 3 and i64 3x1");
}

} // namespace

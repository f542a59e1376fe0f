//===- KernelsTest.cpp - Laws of the reference kernels --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel against the formula of its op, element by element, and against
// its inverse; each also on a pattern with a tuple, where the result must be
// that of the joined pattern.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include <cmath>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

TEST(Kernels, access_and_to_tensor_are_inverse) {
  Tensor tensor = random({3, 5, 7});
  for (int64_t axis = 0; axis <= 3; ++axis) {
    AccessPattern pattern = cantFail(kernels::access(tensor, axis));
    EXPECT_EQ(pattern.getAccessShape().size(), size_t(axis));
    Tensor back = cantFail(kernels::toTensor(pattern));
    EXPECT_TRUE(cantFail(compare(tensor, back)).allBitEqual());
  }
  EXPECT_EQ(errorOf(kernels::access(tensor, 4)),
            "access axis must lie in [0, 3], got 4");
}

TEST(Kernels, transpose_has_an_inverse) {
  Shape perm = {2, 0, 3, 1}, inverse = {1, 3, 0, 2};
  AccessPattern pattern = randomPattern({2, 3, 5, 7}, 2);
  AccessPattern turned = cantFail(kernels::transpose(pattern, perm));
  EXPECT_EQ(turned.getShape(), (Shape{5, 2, 7, 3}));
  EXPECT_EQ(at(turned, {4, 1, 6, 2}), at(pattern, {1, 2, 4, 6}));
  expectEqual(cantFail(kernels::transpose(turned, inverse)), pattern);
  EXPECT_EQ(errorOf(kernels::transpose(pattern, {0, 1, 1, 2})),
            "perm must be a permutation of 4 dimensions");
}

// The tuple axis is dimension 2 of <3x2 | 2x4x5>.
TEST(Kernels, transpose_around_and_across_the_tuple) {
  for (Shape perm :
       {Shape{1, 0, 2, 3, 4}, Shape{0, 1, 2, 4, 3}, Shape{3, 1, 2, 0, 4},
        Shape{0, 1, 3, 2, 4}, Shape{2, 4, 0, 1, 3}})
    expectSameWhenJoined(
        [&](const AccessPattern &p) { return kernels::transpose(p, perm); });
  // Where the tuple stays, nothing is copied.
  AccessPattern turned =
      cantFail(kernels::transpose(tuplePattern(), {3, 1, 2, 0, 4}));
  EXPECT_EQ(turned.getTupleRank(), 1);
}

// result[a ++ b | 0, c] = lhs[a | c], result[a ++ b | 1, c] = rhs[b | c]
TEST(Kernels, cart_prod_pairs_every_item) {
  AccessPattern lhs = randomPattern({2, 3, 5}, 1, ElementType::F32, 1);
  AccessPattern rhs = randomPattern({7, 4, 3, 5}, 2, ElementType::F32, 2);
  AccessPattern product = cantFail(kernels::cartProd(lhs, rhs));
  EXPECT_EQ(product.getShape(), (Shape{2, 7, 4, 2, 3, 5}));
  EXPECT_EQ(product.getAccessRank(), 3);
  Tensor all = cantFail(product.join());
  forEachIndex(all.getShape(), [&](ArrayRef<int64_t> i) {
    ASSERT_EQ(all.getDouble(i), i[3] == 0 ? at(lhs, {i[0], i[4], i[5]})
                                          : at(rhs, {i[1], i[2], i[4], i[5]}));
  });
  EXPECT_EQ(errorOf(kernels::cartProd(lhs, randomPattern({2, 5, 3}, 1))),
            "compute shapes must be equal, got [3x5] and [5x3]");
  EXPECT_EQ(errorOf(kernels::cartProd(
                lhs, randomPattern({2, 3, 5}, 1, ElementType::F16))),
            "element types must be equal, got f32 and f16");
}

// A tuple of tuples, with one side held as components and the other dense.
TEST(Kernels, cart_prod_nests) {
  AccessPattern lhs = tuplePattern();
  AccessPattern rhs = randomPattern({7, 2, 4, 5}, 1);
  AccessPattern product = cantFail(kernels::cartProd(lhs, rhs));
  EXPECT_EQ(product.getShape(), (Shape{3, 2, 7, 2, 2, 4, 5}));
  expectEqual(product, cantFail(kernels::cartProd(dense(lhs), rhs)));
  expectEqual(cantFail(kernels::cartProd(rhs, lhs)),
              cantFail(kernels::cartProd(rhs, dense(lhs))));
  expectEqual(cantFail(kernels::dotProd(product)),
              cantFail(kernels::dotProd(dense(product))));
}

// result[a ++ w | k] = pattern[a | w·strides + k·dilations]
TEST(Kernels, windows_follow_the_formula) {
  AccessPattern pattern = randomPattern({2, 9, 8, 5}, 1);
  struct Case {
    Shape shape, strides, dilations, places;
  };
  for (const Case &c :
       {Case{{3, 3, 5}, {2, 1, 1}, {1, 1, 1}, {4, 6, 1}},
        Case{{3, 2, 1}, {1, 3, 2}, {2, 3, 1}, {5, 2, 3}},
        Case{{1, 8, 2}, {INT64_MAX, 1, 4}, {INT64_MAX, 1, 4}, {1, 1, 1}}}) {
    AccessPattern result =
        cantFail(kernels::windows(pattern, c.shape, c.strides, c.dilations));
    Shape expected = {2};
    llvm::append_range(expected, c.places);
    llvm::append_range(expected, c.shape);
    ASSERT_EQ(result.getShape(), expected);
    EXPECT_EQ(result.getAccessRank(), 4);
    Tensor all = cantFail(result.join()), source = cantFail(pattern.join());
    forEachIndex(all.getShape(), [&](ArrayRef<int64_t> i) {
      Shape from = {i[0]};
      for (int64_t d = 0; d < 3; ++d) {
        int64_t place = i[1 + d] ? i[1 + d] * c.strides[d] : 0;
        from.push_back(place + (i[4 + d] ? i[4 + d] * c.dilations[d] : 0));
      }
      ASSERT_EQ(all.getDouble(i), source.getDouble(from));
    });
  }
  EXPECT_EQ(errorOf(kernels::windows(pattern, {3, 9, 5}, {1, 1, 1}, {1, 1, 1})),
            "window of 9 with stride 1 and dilation 1 does not fit in compute "
            "dimension 1 of size 8");
  EXPECT_EQ(errorOf(kernels::windows(pattern, {3, 3, 0}, {1, 1, 1}, {1, 1, 1})),
            "window of 0 with stride 1 and dilation 1 does not fit in compute "
            "dimension 2 of size 5");
  EXPECT_EQ(errorOf(kernels::windows(pattern, {3, 3}, {1, 1, 1}, {1, 1, 1})),
            "shape, strides and dilations must have one entry per compute "
            "dimension, 3, got 2, 3 and 3");
}

TEST(Kernels, windows_over_and_across_the_tuple) {
  for (Shape shape : {Shape{2, 3, 2}, Shape{1, 4, 5}})
    expectSameWhenJoined([&](const AccessPattern &p) {
      return kernels::windows(p, shape, {1, 1, 2}, {1, 1, 1});
    });
}

TEST(Kernels, squeeze_undoes_insert_axis) {
  AccessPattern pattern = randomPattern({3, 5, 7}, 1);
  for (int64_t axis = 0; axis <= 3; ++axis) {
    AccessPattern inserted = cantFail(kernels::insertAxis(pattern, axis));
    EXPECT_EQ(inserted.getShape()[axis], 1);
    EXPECT_EQ(inserted.getAccessRank(), axis <= 1 ? 2 : 1);
    expectEqual(cantFail(kernels::squeeze(inserted, axis)), pattern);
  }
  EXPECT_EQ(errorOf(kernels::squeeze(pattern, 1)),
            "squeezed dimension 1 must have size 1, got shape [3x5x7]");
  EXPECT_EQ(errorOf(kernels::squeeze(pattern, 3)),
            "squeezed dimension 3 must have size 1, got shape [3x5x7]");
  EXPECT_EQ(errorOf(kernels::insertAxis(pattern, -1)),
            "inserted axis must lie in [0, 3], got -1");
  for (int64_t axis = 0; axis <= 5; ++axis)
    expectSameWhenJoined(
        [&](const AccessPattern &p) -> Expected<AccessPattern> {
          auto inserted = kernels::insertAxis(p, axis);
          if (!inserted)
            return inserted;
          return kernels::transpose(*inserted, {1, 0, 2, 3, 5, 4});
        });
}

TEST(Kernels, reshape_undoes_flatten) {
  AccessPattern pattern = cantFail(
      kernels::transpose(randomPattern({2, 3, 5, 7}, 2), {1, 0, 3, 2}));
  AccessPattern flat = cantFail(kernels::flatten(pattern));
  EXPECT_EQ(flat.getShape(), (Shape{6, 35}));
  EXPECT_EQ(at(flat, {2 * 2 + 1, 6 * 5 + 3}), at(pattern, {2, 1, 6, 3}));
  expectEqual(cantFail(kernels::reshape(flat, {3, 2}, {7, 5})), pattern);
  expectEqual(
      cantFail(kernels::reshape(flat, {3, kDynamicSize}, {kDynamicSize, 5})),
      pattern);
  // An empty side stays empty.
  EXPECT_EQ(cantFail(kernels::flatten(randomPattern({2, 3}, 0))).getShape(),
            (Shape{6}));
  EXPECT_EQ(errorOf(kernels::reshape(flat, {2, 2}, {35})),
            "access shapes must have equally many elements, got [6] and [2x2]");
  EXPECT_EQ(errorOf(kernels::reshape(flat, {6}, {4, kDynamicSize})),
            "compute shapes must have equally many elements, got [35] and "
            "[4x?]");
}

TEST(Kernels, reshape_around_and_across_the_tuple) {
  expectSameWhenJoined(kernels::flatten);
  for (Shape compute :
       {Shape{2, 20}, Shape{2, 5, 4}, Shape{4, 10}, Shape{1, 2, 20}, Shape{40}})
    expectSameWhenJoined([&](const AccessPattern &p) {
      return kernels::reshape(p, {6}, compute);
    });
}

// result[x] = pattern[x - low] inside, else the value.
TEST(Kernels, pad_surrounds_with_the_value) {
  AccessPattern pattern = randomPattern({3, 5, 7}, 1);
  Tensor value = Tensor::scalar(ElementType::F32, 9);
  Shape low = {0, 1, 2}, high = {2, 0, 1};
  AccessPattern padded = cantFail(kernels::pad(pattern, low, high, value));
  EXPECT_EQ(padded.getShape(), (Shape{5, 6, 10}));
  Tensor all = cantFail(padded.join()), source = cantFail(pattern.join());
  forEachIndex(all.getShape(), [&](ArrayRef<int64_t> i) {
    Shape from = {i[0], i[1] - 1, i[2] - 2};
    bool inside = true;
    for (int64_t d = 0; d < 3; ++d)
      inside &= from[d] >= 0 && from[d] < source.getDim(d);
    ASSERT_EQ(all.getDouble(i), inside ? source.getDouble(from) : 9);
  });
  EXPECT_EQ(errorOf(kernels::pad(pattern, {0, -1, 0}, high, value)),
            "padding of dimension 1 must not be negative or overflow, got low "
            "-1, high 0 and interior 0");
  EXPECT_EQ(errorOf(kernels::pad(pattern, {0, INT64_MAX, 0}, high, value)),
            "padding of dimension 1 must not be negative or overflow, got low "
            "9223372036854775807, high 0 and interior 0");
  EXPECT_EQ(
      errorOf(kernels::pad(pattern, {0, 0}, high, value)),
      "low, high and interior must have one entry per dimension, 3, got 2, "
      "3 and 3");
  EXPECT_EQ(errorOf(kernels::pad(pattern, low, high,
                                 Tensor::scalar(ElementType::F64, 9))),
            "the padding value must be a scalar of type f32, got f64");
}

TEST(Kernels, pad_around_and_across_the_tuple) {
  Tensor value = Tensor::scalar(ElementType::F32, 9);
  for (Shape low :
       {Shape{1, 0, 0, 0, 2}, Shape{0, 0, 0, 1, 0}, Shape{0, 1, 1, 0, 0}})
    expectSameWhenJoined([&](const AccessPattern &p) {
      return kernels::pad(p, low, {0, 0, 0, 3, 0}, value);
    });
}

TEST(Kernels, materialize_is_a_dense_copy) {
  AccessPattern view =
      cantFail(kernels::windows(randomPattern({9}, 0), {3}, {2}, {1}));
  AccessPattern copy = cantFail(kernels::materialize(view));
  EXPECT_FALSE(view.getComponents()[0].isDense());
  EXPECT_TRUE(copy.getComponents()[0].isDense());
  expectEqual(copy, view);
  expectSameWhenJoined(kernels::materialize);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// A convolution as an access pattern against the six loops of its definition;
// both sum in row-major order of the window, each step rounded once, so that they
// agree bit by bit.
TEST(Kernels, convolution_equals_naive_loops) {
  Tensor image = random({2, 9, 8, 3}, ElementType::F32, 1);   // n h w c
  Tensor weights = random({3, 2, 3, 5}, ElementType::F32, 2); // kh kw c f
  AccessPattern places = cantFail(kernels::windows(
      AccessPattern(image, 1), {3, 2, 3}, {2, 3, 1}, {1, 2, 1}));
  AccessPattern filters = AccessPattern(weights.transpose({3, 0, 1, 2}), 1);
  AccessPattern product =
      cantFail(kernels::dotProd(cantFail(kernels::cartProd(places, filters))));
  EXPECT_EQ(product.getShape(), (Shape{2, 4, 2, 1, 5}));
  Tensor result = cantFail(cantFail(kernels::squeeze(product, 3)).join());
  forEachIndex({2, 4, 2, 5}, [&](ArrayRef<int64_t> o) {
    float sum = 0;
    for (int64_t h = 0; h < 3; ++h)
      for (int64_t w = 0; w < 2; ++w)
        for (int64_t c = 0; c < 3; ++c) {
          float x = image.getDouble({o[0], o[1] * 2 + h, o[2] * 3 + w * 2, c});
          sum = std::fma(x, float(weights.getDouble({h, w, c, o[3]})), sum);
        }
    ASSERT_EQ(result.getDouble(o), sum);
  });
}

// (1 + 2^24) + 1 differs from 1 + (2^24 + 1) in f32: the order is row-major.
TEST(Kernels, sums_run_in_row_major_order) {
  Tensor tensor = cantFail(Tensor::create(ElementType::F32, {2, 2}));
  float *data = tensor.getDataAs<float>();
  data[0] = 0x1p24f;
  data[1] = 1;
  data[2] = -0x1p24f;
  data[3] = 1;
  AccessPattern pattern(tensor, 0);
  EXPECT_EQ(at(cantFail(kernels::reduceSum(pattern)), {}), 1);
  AccessPattern turned(tensor.transpose({1, 0}), 0);
  EXPECT_EQ(at(cantFail(kernels::reduceSum(turned)), {}), 2);
}

TEST(Kernels, dot_prod_rounds_the_sum_to_the_type_once) {
  // f16: 2048 + 1 would round to 2048 (even), 2048 + 1 + 1 is 2050.
  Tensor tensor = cantFail(Tensor::create(ElementType::F16, {2, 3}));
  double values[] = {2048, 1, 1, 1, 1, 1};
  for (int64_t i = 0; i < 6; ++i)
    tensor.setDouble({i / 3, i % 3}, values[i]);
  EXPECT_EQ(at(cantFail(kernels::dotProd(AccessPattern(tensor, 0))), {}), 2050);
  // bf16: 128 · 1.0078125² = 130.0078125 would round to 130, and so would 130
  // and a half: the sum of both products is 130.5078125, which rounds to 131.
  Tensor bf16 = cantFail(Tensor::create(ElementType::BF16, {2, 2}));
  bf16.setDouble({0, 0}, 129);
  bf16.setDouble({1, 0}, 1.0078125);
  bf16.setDouble({0, 1}, 0.5);
  bf16.setDouble({1, 1}, 1);
  EXPECT_EQ(at(cantFail(kernels::dotProd(AccessPattern(bf16, 0))), {}), 131);
}

// Tuples of any length, and of one element: the sum of the item itself.
TEST(Kernels, dot_prod_of_longer_tuples) {
  for (int64_t length : {1, 2, 3, 4}) {
    Tensor tensor = random({7, length, 3, 5}, ElementType::I32);
    AccessPattern pattern(tensor, 1);
    Tensor result = cantFail(cantFail(kernels::dotProd(pattern)).join());
    for (int64_t a = 0; a < 7; ++a) {
      int64_t sum = 0;
      forEachIndex({3, 5}, [&](ArrayRef<int64_t> s) {
        int64_t product = 1;
        for (int64_t t = 0; t < length; ++t)
          product *= tensor.getInt({a, t, s[0], s[1]});
        sum += product;
      });
      EXPECT_EQ(result.getInt({a}), sum);
    }
  }
  EXPECT_EQ(errorOf(kernels::dotProd(randomPattern({3}, 1))),
            "the kinds over a tuple need a compute dimension, got none");
  EXPECT_EQ(errorOf(kernels::dotProd(randomPattern({3, 0, 4}, 1))),
            "the tuple must not be empty, got compute shape [0x4]");
}

TEST(Kernels, every_type_and_form_reduces_alike) {
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I64, ElementType::F16,
        ElementType::BF16, ElementType::F32, ElementType::F64})
    for (const Kernel &kernel : std::initializer_list<Kernel>{
             [](const AccessPattern &p) { return kernels::dotProd(p); },
             [](const AccessPattern &p) { return kernels::reduceSum(p); },
             kernels::reduceMax, kernels::elementwiseAdd,
             kernels::elementwiseMul, kernels::relu, kernels::negative}) {
      AccessPattern pattern = tuplePattern(type);
      expectEqual(cantFail(kernel(pattern)), cantFail(kernel(dense(pattern))));
    }
}

TEST(Kernels, elementwise_kinds_fold_the_tuple) {
  AccessPattern pattern = randomPattern({7, 3, 5}, 1, ElementType::F64);
  Tensor x = cantFail(pattern.join());
  Tensor sum = cantFail(cantFail(kernels::elementwiseAdd(pattern)).join());
  Tensor product = cantFail(cantFail(kernels::elementwiseMul(pattern)).join());
  forEachIndex({7, 5}, [&](ArrayRef<int64_t> i) {
    double a = x.getDouble({i[0], 0, i[1]}), b = x.getDouble({i[0], 1, i[1]}),
           c = x.getDouble({i[0], 2, i[1]});
    ASSERT_EQ(sum.getDouble(i), (a + b) + c);
    ASSERT_EQ(product.getDouble(i), (a * b) * c);
  });
}

TEST(Kernels, reduce_max_and_relu_keep_nan) {
  Tensor tensor = cantFail(Tensor::create(ElementType::F32, {2, 3}));
  for (int64_t i = 0; i < 6; ++i)
    tensor.setDouble({i / 3, i % 3}, -1 - i);
  tensor.setDouble({1, 1}, NAN);
  tensor.setDouble({1, 2}, -0.0);
  AccessPattern pattern(tensor, 1);
  AccessPattern max = cantFail(kernels::reduceMax(pattern));
  EXPECT_EQ(at(max, {0}), -1);
  EXPECT_TRUE(std::isnan(at(max, {1})));
  AccessPattern relu = cantFail(kernels::relu(pattern));
  EXPECT_EQ(at(relu, {0, 2}), 0);
  EXPECT_TRUE(std::isnan(at(relu, {1, 1})));
  EXPECT_FALSE(std::signbit(at(relu, {1, 2})));
}

TEST(Kernels, empty_items_and_empty_patterns) {
  EXPECT_EQ(at(cantFail(kernels::reduceSum(randomPattern({3, 0}, 1))), {2}), 0);
  EXPECT_EQ(at(cantFail(kernels::dotProd(randomPattern({3, 2, 0}, 1))), {2}),
            0);
  EXPECT_EQ(errorOf(kernels::reduceMax(randomPattern({3, 0}, 1))),
            "reduce_max needs a non-empty item, got compute shape [0]");
  EXPECT_EQ(cantFail(kernels::reduceMax(randomPattern({0, 3}, 1))).getShape(),
            (Shape{0}));
}

// relu of a product looks at each component once, not at each pair.
TEST(Kernels, relu_of_a_product_stays_a_view) {
  AccessPattern product = cantFail(kernels::cartProd(
      randomPattern({100000, 3}, 1), randomPattern({100000, 3}, 1)));
  AccessPattern result = cantFail(kernels::relu(product));
  EXPECT_EQ(result.getComponents()[0].getStrides()[1], 0);
  EXPECT_EQ(result.getTupleRank(), 1);
}

} // namespace

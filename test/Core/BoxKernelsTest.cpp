//===- BoxKernelsTest.cpp - slice, pad, broadcast, pair, concat -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel against the formula of its op, element by element, on random
// arguments; each also on a pattern with a tuple.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <random>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using Policy = OutOfBounds::Kind;

namespace {

/// A number of [lo, hi].
int64_t draw(std::mt19937 &random, int64_t lo, int64_t hi) {
  return lo + int64_t(random() % uint64_t(hi - lo + 1));
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

/// Which element of a dimension stands at a place, by the definition of each
/// policy; none for padding, -1 where there is no element.
std::optional<int64_t> elementAt(int64_t place, int64_t size, Policy policy) {
  if (place >= 0 && place < size)
    return place;
  if (policy == Policy::Pad)
    return std::nullopt;
  if (policy == Policy::Negative && place < 0 && place + size >= 0)
    return place + size;
  if (size == 0)
    return -1;
  if (policy == Policy::Clamp)
    return place < 0 ? 0 : size - 1;
  if (policy == Policy::Wrap) {
    while (place < 0)
      place += size;
    while (place >= size)
      place -= size;
    return place;
  }
  return -1;
}

// Random slices of a small pattern under random policies: either the result is
// the formula's, or some place has no element and the kernel says so.
TEST(BoxKernels, slice_is_its_formula) {
  std::mt19937 random(5);
  unsigned good = 0, bad = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    Shape shape = {draw(random, 0, 4), draw(random, 1, 3)};
    Tensor source = cantFail(Tensor::random(ElementType::I64, shape, round));
    Shape offsets, sizes, strides;
    SmallVector<OutOfBounds> policies;
    bool allowed = true;
    for (int64_t d = 0; d < 2; ++d) {
      offsets.push_back(draw(random, -3, 5));
      sizes.push_back(draw(random, 0, 4));
      strides.push_back(draw(random, 0, 1) ? draw(random, 1, 2)
                                           : draw(random, -2, -1));
      Policy policy = static_cast<Policy>(draw(random, 0, 4));
      policies.push_back({policy, {}});
      if (policy == Policy::Pad)
        policies.back().value = 100 + d;
      for (int64_t i = 0; i < sizes[d]; ++i)
        allowed &= elementAt(offsets[d] + i * strides[d], shape[d], policy) !=
                   std::optional<int64_t>(-1);
      // Nothing is taken: the offset must be a place or the end all the same.
      if (sizes[d] == 0 &&
          (policy == Policy::Forbid || policy == Policy::Negative))
        allowed &= offsets[d] >= (policy == Policy::Forbid ? 0 : -shape[d]) &&
                   offsets[d] <= shape[d];
    }
    auto result = kernels::slice(AccessPattern(source, 1), offsets, sizes,
                                 strides, policies);
    ASSERT_EQ(bool(result), allowed) << "round " << round;
    if (!result) {
      ++bad;
      llvm::consumeError(result.takeError());
      continue;
    }
    ++good;
    EXPECT_EQ(result->getAccessRank(), 1);
    ASSERT_EQ(result->getShape(), sizes);
    forEachIndex(sizes, [&](ArrayRef<int64_t> x) {
      auto row =
          elementAt(offsets[0] + x[0] * strides[0], shape[0], policies[0].kind);
      auto col =
          elementAt(offsets[1] + x[1] * strides[1], shape[1], policies[1].kind);
      int64_t expected = !row ? 100 : !col ? 101 : source.getInt({*row, *col});
      ASSERT_EQ(cantFail(result->join()).getInt(x), expected)
          << "round " << round;
    });
  }
  EXPECT_GT(good, 500u);
  EXPECT_GT(bad, 500u);
}

// Runs are the places of a slice, in order.
TEST(BoxKernels, runs_are_the_places) {
  std::mt19937 random(9);
  unsigned checked = 0;
  for (unsigned round = 0; round < 5000; ++round) {
    int64_t size = draw(random, 0, 5), offset = draw(random, -8, 9);
    int64_t count = draw(random, 0, 9);
    int64_t stride =
        draw(random, 0, 1) ? draw(random, 1, 3) : draw(random, -3, -1);
    Policy policy = static_cast<Policy>(draw(random, 0, 4));
    if (!checkSlice(size, offset, count, stride, policy).empty())
      continue;
    auto runs = getSliceRuns(size, offset, count, stride, policy, 100);
    ASSERT_TRUE(runs);
    int64_t place = offset, total = 0;
    for (const SliceRun &run : *runs) {
      ASSERT_GT(run.count, 0);
      total += run.count;
      for (int64_t i = 0; i < run.count; ++i, place += stride) {
        auto element = elementAt(place, size, policy);
        ASSERT_EQ(run.isPadding, !element);
        if (element) {
          ASSERT_EQ(run.first + i * run.stride, *element) << "round " << round;
        }
      }
    }
    ASSERT_EQ(total, count);
    ++checked;
  }
  EXPECT_GT(checked, 2000u);
  // At the ends of 64 bits.
  auto far = *getSliceRuns(3, INT64_MIN, 2, INT64_MAX, Policy::Clamp, 9);
  EXPECT_EQ(far, (SmallVector<SliceRun>{{2, false, 0, 0}}));
  EXPECT_EQ(
      getSliceRuns(3, INT64_MAX, 3, INT64_MIN / 2, Policy::Pad, 9)->size(), 2u);
  EXPECT_EQ(getSliceRuns(1, -5, INT64_MAX, 1, Policy::Wrap, 1)->size(), 1u);
  EXPECT_FALSE(getSliceRuns(2, 0, 100, 1, Policy::Wrap, 49));
  EXPECT_TRUE(getSliceRuns(2, 0, 100, 1, Policy::Wrap, 50));
}

// A slice that stays inside is a view, whatever its policies.
TEST(BoxKernels, slice_is_a_view) {
  AccessPattern pattern = randomPattern({5, 7}, 1);
  AccessPattern result =
      cantFail(kernels::slice(pattern, {4, 1}, {5, 3}, {-1, 2},
                              {OutOfBounds{Policy::Wrap, {}}, OutOfBounds()}));
  EXPECT_EQ(result.getComponents()[0].getOwner(),
            pattern.getComponents()[0].getOwner());
  EXPECT_EQ(at(result, {0, 2}), at(pattern, {4, 5}));
}

TEST(BoxKernels, slice_to_the_end) {
  AccessPattern pattern = randomPattern({7}, 0);
  auto shapeOf = [&](int64_t offset, int64_t stride,
                     Policy policy = Policy::Forbid) {
    return cantFail(kernels::slice(pattern, {offset}, {kToTheEnd}, {stride},
                                   {OutOfBounds{policy, {}}}))
        .getShape();
  };
  EXPECT_EQ(shapeOf(0, 1), Shape{7});
  EXPECT_EQ(shapeOf(1, 2), Shape{3});
  EXPECT_EQ(shapeOf(7, 1), Shape{0});
  EXPECT_EQ(shapeOf(6, -1), Shape{7});
  EXPECT_EQ(shapeOf(5, -3), Shape{2});
  EXPECT_EQ(shapeOf(3, INT64_MIN), Shape{1});
  EXPECT_EQ(shapeOf(-3, 1, Policy::Negative), Shape{3});
  EXPECT_EQ(shapeOf(-1, -1, Policy::Negative), Shape{7});
  AccessPattern reversed = cantFail(kernels::slice(
      pattern, {-1}, {kToTheEnd}, {-1}, {OutOfBounds{Policy::Negative, {}}}));
  EXPECT_EQ(at(reversed, {2}), at(pattern, {4}));
}

TEST(BoxKernels, slice_refuses) {
  AccessPattern pattern = randomPattern({3, 7}, 1);
  EXPECT_EQ(errorOf(kernels::slice(pattern, {0}, {3, 7}, {1, 1})),
            "offsets, sizes, strides and policies must have one entry per "
            "dimension, 2, got 1, 2, 2 and 2");
  EXPECT_EQ(errorOf(kernels::slice(pattern, {0, 0}, {3, 7}, {1, 0})),
            "stride of dimension 1 must not be 0");
  EXPECT_EQ(errorOf(kernels::slice(pattern, {0, 0}, {3, -2}, {1, 1})),
            "size of dimension 1 must be non-negative, got -2");
  EXPECT_EQ(errorOf(kernels::slice(pattern, {0, 1}, {3, 7}, {1, 1})),
            "slice of dimension 1 must stay inside [0, 7), got places 1 to 7");
  SmallVector<OutOfBounds> wrap(2, OutOfBounds{Policy::Wrap, {}});
  EXPECT_EQ(
      errorOf(kernels::slice(pattern, {0, 0}, {INT64_MAX, 2}, {1, 1}, wrap)),
      "the slice's element count must fit in 63 bits, got shape "
      "[9223372036854775807x2]");
}

TEST(BoxKernels, slice_along_and_across_the_tuple) {
  for (Shape offsets : {Shape{0, 1, 0, 1, 2}, Shape{1, 0, 1, 0, 0}})
    expectSameWhenJoined([&](const AccessPattern &p) {
      Shape sizes = p.getShape();
      for (auto [size, offset] : llvm::zip_equal(sizes, offsets))
        size -= offset;
      return kernels::slice(p, offsets, sizes, Shape(5, 1));
    });
  // With a policy that acts, and where the tuple stays.
  expectSameWhenJoined([&](const AccessPattern &p) {
    SmallVector<OutOfBounds> policies(5);
    policies[3].kind = Policy::Wrap;
    return kernels::slice(p, {0, 0, 0, -1, 0}, {3, 2, 2, 6, 5}, Shape(5, 1),
                          policies);
  });
}

//===----------------------------------------------------------------------===//
// broadcast, shift_right, pad with interior
//===----------------------------------------------------------------------===//

TEST(BoxKernels, broadcast_repeats) {
  AccessPattern pattern = randomPattern({1, 5, 1}, 2);
  AccessPattern result =
      cantFail(kernels::broadcast(pattern, {3, kDynamicSize}, {7}));
  EXPECT_EQ(result.getShape(), (Shape{3, 5, 7}));
  EXPECT_EQ(result.getAccessRank(), 2);
  forEachIndex({3, 5, 7}, [&](ArrayRef<int64_t> x) {
    ASSERT_EQ(at(result, x), at(pattern, {0, x[1], 0}));
  });
  EXPECT_EQ(errorOf(kernels::broadcast(pattern, {3, 10}, {7})),
            "dimension 1 must keep its size or grow from 1, got 5 and 10");
  EXPECT_EQ(errorOf(kernels::broadcast(pattern, {3}, {5, 7})),
            "a broadcast must keep the numbers of access and compute "
            "dimensions, got [1x5x1] and [3x5x7]");
  EXPECT_EQ(errorOf(kernels::broadcast(pattern, {INT64_MAX, 5}, {7})),
            "the broadcast element count must fit in 63 bits, got shape "
            "[9223372036854775807x5x7]");
  // To nothing at all.
  EXPECT_EQ(cantFail(kernels::broadcast(pattern, {0, 5}, {1})).getShape(),
            (Shape{0, 5, 1}));
}

TEST(BoxKernels, broadcast_beside_a_tuple) {
  expectSameWhenJoined([](const AccessPattern &p) -> Expected<AccessPattern> {
    Expected<AccessPattern> one = kernels::insertAxis(p, 1);
    return one ? kernels::broadcast(*one, {3, 6, 2}, {2, 4, 5})
               : std::move(one);
  });
}

TEST(BoxKernels, shift_right_keeps_the_elements) {
  AccessPattern pattern = randomPattern({3, 5, 7}, 2);
  AccessPattern result = cantFail(kernels::shiftRight(pattern, 1));
  EXPECT_EQ(result.getAccessRank(), 1);
  EXPECT_EQ(result.getShape(), pattern.getShape());
  EXPECT_EQ(at(result, {2, 4, 6}), at(pattern, {2, 4, 6}));
  EXPECT_EQ(errorOf(kernels::shiftRight(pattern, 3)),
            "the shift must lie in [0, 2], got 3");
  for (int64_t by : {0, 1, 2})
    expectSameWhenJoined(
        [&](const AccessPattern &p) { return kernels::shiftRight(p, by); });
}

TEST(BoxKernels, pad_puts_values_between_elements) {
  Tensor value = Tensor::scalar(ElementType::F32, 9);
  for (int64_t n : {0, 1, 2, 5}) {
    AccessPattern pattern = randomPattern({2, n}, 1);
    AccessPattern padded =
        cantFail(kernels::pad(pattern, {0, 3}, {0, 1}, value, {1, 2}));
    int64_t size = 3 + (n == 0 ? 0 : n + (n - 1) * 2) + 1;
    ASSERT_EQ(padded.getShape(), (Shape{3, size}));
    forEachIndex({3, size}, [&](ArrayRef<int64_t> x) {
      int64_t from = x[1] - 3;
      bool inside = x[0] != 1 && from >= 0 && from % 3 == 0 && from / 3 < n;
      ASSERT_EQ(at(padded, x),
                inside ? at(pattern, {x[0] / 2, from / 3}) : 9.0);
    });
  }
  for (Shape interior : {Shape{1, 0, 0, 2, 0}, Shape{0, 0, 1, 0, 0}})
    expectSameWhenJoined([&](const AccessPattern &p) {
      return kernels::pad(p, Shape(5, 0), Shape(5, 0), value, interior);
    });
}

//===----------------------------------------------------------------------===//
// pair, concat
//===----------------------------------------------------------------------===//

// result[a | 0, c] = lhs[a | c], result[a | 1, c] = rhs[a | c]
TEST(BoxKernels, pair_is_its_formula) {
  AccessPattern lhs = randomPattern({3, 5, 7}, 1, ElementType::I8, 1);
  AccessPattern rhs = randomPattern({3, 5, 7}, 1, ElementType::I8, 2);
  AccessPattern result = cantFail(kernels::pair(lhs, rhs));
  EXPECT_EQ(result.getShape(), (Shape{3, 2, 5, 7}));
  EXPECT_EQ(result.getTupleRank(), 1);
  forEachIndex({3, 2, 5, 7}, [&](ArrayRef<int64_t> x) {
    ASSERT_EQ(at(result, x), at(x[1] ? rhs : lhs, {x[0], x[2], x[3]}));
  });
  EXPECT_EQ(
      errorOf(kernels::pair(lhs, randomPattern({4, 5, 7}, 1, ElementType::I8))),
      "access shapes must be equal, got [3] and [4]");
  EXPECT_EQ(
      errorOf(kernels::pair(lhs, randomPattern({3, 7, 5}, 1, ElementType::I8))),
      "compute shapes must be equal, got [5x7] and [7x5]");
  EXPECT_EQ(errorOf(kernels::pair(lhs, randomPattern({3, 5, 7}, 1))),
            "element types must be equal, got i8 and f32");
  expectSameWhenJoined([](const AccessPattern &p) {
    return kernels::pair(p, dense(cantFail(kernels::negative(p))));
  });
}

// Random operands along every axis, some of them held as tuples.
TEST(BoxKernels, concat_is_its_formula) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 300; ++round) {
    int64_t axis = draw(random, 0, 3);
    SmallVector<AccessPattern> patterns;
    SmallVector<std::pair<size_t, int64_t>> origin; // operand, index there
    Shape shape = {3, 1, 2, 2};
    shape[axis] = 0;
    for (int64_t number = draw(random, 1, 4); number > 0; --number) {
      Shape sizes = shape;
      sizes[axis] = draw(random, 0, 3);
      AccessPattern pattern =
          randomPattern(sizes, 1, ElementType::I32, patterns.size());
      for (int64_t i = 0; i < sizes[axis]; ++i)
        origin.push_back({patterns.size(), i});
      if (sizes[1] != 0 && draw(random, 0, 1))
        pattern =
            cantFail(pattern.split(sizes[2] != 0 ? draw(random, 1, 2) : 1));
      patterns.push_back(pattern);
    }
    AccessPattern result = cantFail(kernels::concat(patterns, axis));
    shape[axis] = origin.size();
    ASSERT_EQ(result.getShape(), shape);
    ASSERT_EQ(result.getAccessRank(), 1);
    forEachIndex(shape, [&](ArrayRef<int64_t> x) {
      Shape from(x);
      from[axis] = origin[x[axis]].second;
      ASSERT_EQ(at(result, x), at(patterns[origin[x[axis]].first], from))
          << "round " << round;
    });
  }
}

TEST(BoxKernels, concat_of_tuples_stays_a_view) {
  AccessPattern pattern = tuplePattern();
  AccessPattern longer =
      cantFail(kernels::concat({pattern, pattern, pattern}, 2));
  EXPECT_EQ(longer.getShape(), (Shape{3, 2, 6, 4, 5}));
  EXPECT_EQ(longer.getComponents().size(), 6u);
}

TEST(BoxKernels, concat_refuses) {
  AccessPattern p = randomPattern({3, 5}, 1);
  EXPECT_EQ(errorOf(kernels::concat({}, 0)),
            "concat needs at least one operand, got 0");
  EXPECT_EQ(errorOf(kernels::concat({p}, 2)),
            "concat axis must lie in [0, 1], got 2");
  EXPECT_EQ(errorOf(kernels::concat({p, randomPattern({3, 5}, 2)}, 0)),
            "concat operand 1 must have 1 access and 1 compute dimensions, got "
            "2 and 0");
  EXPECT_EQ(errorOf(kernels::concat({p, randomPattern({3, 4}, 1)}, 0)),
            "dimension 1 of all concat operands must be equal, got 5 and 4");
}

} // namespace
